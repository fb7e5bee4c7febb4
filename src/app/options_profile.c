/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile adds to the options, and what may be done by it. */
#include "app/options_parts.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* Keys that are options, too. */
static const struct { const char *key; enum option_id id; } shared[] = {
	{ "zookeeper", OPT_ZOOKEEPER }, { "bootstrap-server", OPT_BOOTSTRAP_SERVER }, { "command-config", OPT_COMMAND_CONFIG },
	{ "zk-auth", OPT_ZK_AUTH }, { "log-file", OPT_LOG_FILE }, { "view", OPT_VIEW },
};
enum { SHARED = sizeof(shared) / sizeof(shared[0]) };

/* ---- taking it ------------------------------------------------------------------------- */

static void put_names(const struct config *cf, struct strbuf *out)
{
	for (size_t i = 0; i < cf->n_names; i++)
		strbuf_printf(out, "%s%s", i == 0 ? "" : i + 1 == cf->n_names ? " and " : ", ", cf->names[i]);
}

/* --config without a word on which profile of it. */
static bool ask_which(const struct options *opt, struct err *err)
{
	struct config cf;
	struct strbuf names;

	if (!config_read(opt->config_file, NULL, &cf, err))
		return err_wrap(err, "--config");
	strbuf_init(&names);
	put_names(&cf, &names);
	err_set(err, ERR_USAGE, "--config %s: which profile? Say --cluster NAME; there is %s", cf.file, cf.n_names > 0 ? names.s : "none");
	strbuf_fini(&names);
	config_fini(&cf);
	return false;
}

static bool read_profile(struct options *opt, struct err *err)
{
	char *file = opt->config_file != NULL ? mem_strdup(opt->config_file) : config_default_file();
	bool is_ok;

	if (file == NULL)
		return err_set(err, ERR_USAGE, "%s %s: there is no HOME to look for the file of profiles in; name it with --config FILE",
			       opt->set_by[OPT_CLUSTER], opt->cluster);
	is_ok = config_read(file, opt->cluster, &opt->config, err) || err_wrap(err, "%s %s", opt->set_by[OPT_CLUSTER], opt->cluster);
	mem_free(&file);
	return is_ok;
}

static bool take_shared(struct options *opt, struct err *err)
{
	for (size_t i = 0; i < SHARED; i++) {
		const struct config_value *cv = config_find(&opt->config, shared[i].key);
		enum option_id id = shared[i].id;

		if (cv == NULL || opt->value[id] != NULL)
			continue;
		if (!options_set(opt, id, cv->text, cv->place, BY_FILE, err))
			return err_wrap(err, "%s: line %u, column %u", opt->config.file, cv->line, cv->column);
	}
	return true;
}

/* Who forbids wins; else who allows. */
static void decide_mode(struct options *opt, bool is_replay)
{
	const struct config_value *cv = config_find(&opt->config, "operate");

	opt->policy.operate = !is_replay && !opt->read_only && (opt->operate || (cv != NULL && config_yes(cv)));
	if (opt->read_only)
		options_note_value(opt, OPT_OPERATE, "no", opt->set_by[OPT_READ_ONLY], (enum options_origin)opt->origin[OPT_READ_ONLY]);
	else if (!opt->operate && cv != NULL)
		options_note_value(opt, OPT_OPERATE, cv->text, cv->place, BY_FILE);
	if (!opt->read_only && opt->value[OPT_OPERATE] != NULL)
		options_note_value(opt, OPT_READ_ONLY, opt->policy.operate ? "no" : "yes", opt->set_by[OPT_OPERATE],
				   (enum options_origin)opt->origin[OPT_OPERATE]);
}

bool options_take_profile(struct options *opt, struct err *err)
{
	const struct config_value *tint;
	bool is_replay = opt->command != NULL && strcmp(opt->command, "replay") == 0;

	if (is_replay && (opt->cluster == NULL || opt->origin[OPT_CLUSTER] != BY_OPTION))
		return true; /* a variable is meant for what is live, and this may be of another cluster */
	if (opt->cluster == NULL && opt->config_file != NULL && opt->origin[OPT_CONFIG] == BY_OPTION)
		return ask_which(opt, err);
	if (opt->cluster != NULL && (!read_profile(opt, err) || !take_shared(opt, err) || !config_policy(&opt->config, &opt->policy, err)))
		return false;
	tint = config_find(&opt->config, "tint");
	opt->tint = tint != NULL ? tint->text : NULL;
	decide_mode(opt, is_replay);
	return true;
}

/* ---- telling it --------------------------------------------------------------------------- */

void options_profiles_text(const struct options *opt, char *out, size_t size)
{
	char *file = opt->config_file != NULL ? mem_strdup(opt->config_file) : config_default_file();
	struct config cf;
	struct strbuf text;

	out[0] = '\0';
	if (file == NULL)
		return;
	if (config_read(file, NULL, &cf, NULL)) {
		strbuf_init(&text);
		put_names(&cf, &text);
		if (cf.n_names > 0)
			str_printf(out, size, "; or --cluster NAME: there is %s", text.s);
		strbuf_fini(&text);
		config_fini(&cf);
	}
	mem_free(&file);
}

/* A variable that is set for good may have been meant for another cluster. */
static bool note_overruled(const struct options *opt, size_t i, char *out, size_t size)
{
	for (size_t k = 0; k < SHARED; k++) {
		const struct config_value *cv = config_find(&opt->config, shared[k].key);

		if (cv == NULL || opt->origin[shared[k].id] != BY_VARIABLE || i-- > 0)
			continue;
		str_printf(out, size, "%s takes the place of %s in %s", opt->set_by[shared[k].id], cv->key, cv->place);
		return true;
	}
	return false;
}

bool options_note(const struct options *opt, size_t i, char *out, size_t size)
{
	size_t n = 0;

	for (; n <= i; n++) {
		config_file_note(&opt->config, n, out, size);
		if (out[0] == '\0')
			return note_overruled(opt, i - n, out, size);
	}
	return true;
}

static const char *place_of(const struct options *opt, const char *key)
{
	const struct config_value *cv = config_find(&opt->config, key);

	return cv != NULL ? cv->place : "default";
}

void options_each_policy(const struct options *opt, void (*fn)(const char *name, const char *value, const char *set_by, void *ctx), void *ctx)
{
	const struct policy *po = &opt->policy;
	const struct { const char *key; uint32_t n; } numbers[] = {
		{ "many-topics", po->many_topics }, { "many-percent", po->many_percent }, { "group-topics", po->group_topics },
	};
	char text[16];

	fn("cluster-id", po->expected_cluster_id != NULL ? po->expected_cluster_id : "", place_of(opt, "cluster-id"), ctx);
	if (po->n_protected == 0)
		fn("protected", "", "default", ctx);
	for (size_t i = 0; i < opt->config.n; i++)
		if (strcmp(opt->config.v[i].key, "protected") == 0)
			fn("protected", opt->config.v[i].text, opt->config.v[i].place, ctx);
	fn("internal-by-hand", po->internal_by_hand ? "yes" : "no", place_of(opt, "internal-by-hand"), ctx);
	fn("protected-by-hand", po->protected_by_hand ? "yes" : "no", place_of(opt, "protected-by-hand"), ctx);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		str_printf(text, sizeof(text), "%u", (unsigned)numbers[i].n);
		fn(numbers[i].key, text, place_of(opt, numbers[i].key), ctx);
	}
	fn("tint", opt->tint != NULL ? opt->tint : "", place_of(opt, "tint"), ctx);
}
