/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, driven by app/options.def. */
#include "app/options_parts.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "io/zk.h"

enum kind { FLAG, TEXT, CUSTOM };

struct row {
	const char *name, *arg, *env, *commands, *help;
	enum kind kind;
	size_t offset;
	bool (*set)(struct options *opt, enum option_id id, const char *value, struct err *err);
};

/* ---- values that are more than a flag or a text ---------------------------------- */

static bool set_zookeeper(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	if (!zkconnect_parse(value, &opt->connect, err))
		return false;
	if (!str_copy(opt->zookeeper, sizeof(opt->zookeeper), value))
		return err_set(err, ERR_USAGE, "too long");
	opt->has_zookeeper = true;
	return true;
}

/* A sentence about a scheme that ZooKeeper has and we don't. */
static const char *scheme_text(const char *value, size_t n)
{
	static const struct { const char *name, *text; } schemes[] = {
		{ "sasl", "the scheme sasl needs a ZooKeeper client library with SASL, and this one has none; digest:FILE is possible" },
		{ "kerberos", "the scheme kerberos needs a ZooKeeper client library with SASL, and this one has none; digest:FILE is possible" },
		{ "x509", "the scheme x509 needs a ZooKeeper client library with TLS, and this one has none; digest:FILE is possible" },
		{ "ip", "ZooKeeper sees the address by itself: for the scheme ip no option is needed" },
		{ "world", "the scheme world is everybody: no option is needed" },
		{ "auth", "the scheme auth is for writing access lists; to be somebody, write digest:FILE" },
		{ "super", "the superuser logs in by digest:FILE, too" },
	};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strlen(schemes[i].name) == n && strncmp(schemes[i].name, value, n) == 0)
			return schemes[i].text;
	return "write digest:FILE, where the first line of FILE is user:password";
}

/* Nothing of the value is shown in errors: somebody may have written the password itself. */
static bool set_zk_auth(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	size_t n = strcspn(value, ":");
	const char *file = value + n + (value[n] == ':');

	if (n != strlen("digest") || strncmp(value, "digest", n) != 0)
		return err_set(err, ERR_USAGE, "%s", scheme_text(value, n));
	if (file[0] == '\0')
		return err_set(err, ERR_USAGE, "there is no file; %s", scheme_text("", 0));
	if (strchr(file, ':') != NULL)
		return err_set(err, ERR_USAGE, "a file's name without a colon stands behind digest:, never the password itself, which everybody "
			       "on this machine could see; put user:password into the first line of a file");
	opt->zk_auth = file;
	return true;
}

static bool set_zk_tls_config_file(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	if (zk_library_has_tls())
		return err_set(err, ERR_USAGE, "TLS to ZooKeeper is not built in. Start a TLS tunnel to ZooKeeper, stunnel for one, "
			       "and name its address with --zookeeper");
	return err_set(err, ERR_USAGE, "the ZooKeeper client library here (%s) has neither TLS nor SASL. Start a TLS tunnel to ZooKeeper, "
		       "stunnel for one, and name its address with --zookeeper", zk_library());
}

static bool set_bootstrap_server(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	if (!bootstrap_parse(value, &opt->bootstrap, err))
		return false;
	opt->bootstrap_server = value;
	return true;
}

static bool need_duration(const char *value, dur_ms min, dur_ms max, dur_ms *out, struct err *err)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	if (!units_parse_dur(value, out))
		return err_set(err, ERR_USAGE, "not a time: write 500ms, 10s, 2m, 1h, or a number of seconds");
	if (*out < min || *out > max)
		return err_set(err, ERR_USAGE, "out of range: between %s and %s",
			min < 1000 ? "100ms" : units_dur(a, min), units_dur(b, max));
	return true;
}

static bool set_zk_session_timeout(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	return need_duration(value, 1000, 600000, &opt->zk_session_timeout, err);
}

static bool set_delay(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	return need_duration(value, 100, 60000, &opt->delay, err);
}

static bool set_watch_for(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	(void)id;
	return need_duration(value, 1, 30LL * 86400000, &opt->watch_for, err);
}

static bool set_timeout(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	return need_duration(value, 100, 86400000, &opt->timeout, err);
}

static bool set_at(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	if (!units_parse_dur(value, &opt->at))
		return err_set(err, ERR_USAGE, "not a time: write 500ms, 10s, 2m, 1h, or a number of seconds");
	return true;
}

static bool set_speed(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	char *end;
	double v = strtod(value, &end);

	if (end == value || *end != '\0' || !(v == 0 || (v >= 0.01 && v <= 10000)))
		return err_set(err, ERR_USAGE, "neither 0 nor a number from 0.01 to 10000");
	opt->speed = v;
	return true;
}

/* Index of `value` in a NULL-terminated list of words, -1 when absent (and the error set). */
static int pick(const char *value, const char *const *words, struct err *err)
{
	char list[128] = "";
	size_t len = 0;

	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(value, words[i]) == 0)
			return i;
		if (str_printf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", words[i]))
			len = strlen(list);
	}
	err_set(err, ERR_USAGE, "is none of: %s", list);
	return -1;
}

static bool set_color(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	int i = id == OPT_NO_COLOR ? COLOR_NEVER : pick(value, words, err);

	if (i < 0)
		return false;
	opt->color = (enum color_mode)i;
	return true;
}

static bool set_output(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	static const char *const words[] = { "table", "tsv", "json", NULL };
	int i = id == OPT_JSON ? OUTPUT_JSON : pick(value, words, err);

	if (i < 0)
		return false;
	opt->output = (enum output)i;
	return true;
}

static bool set_from(struct options *opt, enum option_id id, const char *value, struct err *err)
{
	static const char *const words[] = { "both", "zookeeper", "brokers", NULL };
	int i = pick(value, words, err);

	if (i < 0)
		return false;
	opt->from = (enum from)i;
	return true;
}

/* ---- the table ------------------------------------------------------------------------ */

#define SET_FLAG(field) NULL
#define SET_TEXT(field) NULL
#define SET_CUSTOM(field) set_##field
static const struct row rows[] = {
#define OPTION(id, name, arg, env, kind, field, commands, help) \
	[OPT_##id] = { name, arg, env, commands, help, kind, offsetof(struct options, field), SET_##kind(field) },
#include "app/options.def"
};

static const struct { const char *name; enum option_id id; } aliases[] = {
#define OPTION(...)
#define ALIAS(name, id) { name, OPT_##id },
#include "app/options.def"
};

/* `list` is words with one blank between. */
static bool word_in(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; *p != '\0'; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (len == n && memcmp(p, word, n) == 0)
			return true;
		p += len;
	}
	return false;
}

static bool applies(const struct row *row, const char *command)
{
	return row->commands == NULL || command == NULL || word_in(row->commands, command);
}

/* A word that some option names as a command. */
static bool is_known(const char *command)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (rows[i].commands != NULL && word_in(rows[i].commands, command))
			return true;
	return false;
}

/* --json, of --output. */
static bool is_short_for_a_value(const struct row *row)
{
	return row->kind == CUSTOM && row->arg == NULL;
}

static enum option_id main_option(const struct row *row)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (rows[i].offset == row->offset && !is_short_for_a_value(&rows[i]))
			return (enum option_id)i;
	return OPTIONS_COUNT;
}

void options_note_value(struct options *opt, enum option_id id, const char *value, const char *by, enum options_origin origin)
{
	opt->value[id] = value;
	opt->set_by[id] = by;
	opt->origin[id] = (uint8_t)origin;
}

/* `value` NULL: none, or not to be shown. */
static bool wrap_value(struct err *err, const char *name, const char *value)
{
	return err_wrap(err, "%s%s%s", name, value != NULL ? " " : "", value != NULL ? value : "");
}

bool options_set(struct options *opt, enum option_id id, const char *value, const char *by, enum options_origin origin, struct err *err)
{
	const struct row *row = &rows[id];
	char *field = (char *)opt + row->offset;

	if (row->kind == FLAG)
		*(bool *)field = true;
	else if (row->kind == TEXT)
		*(const char **)(void *)field = value;
	else if (!row->set(opt, id, value, err))
		return wrap_value(err, origin == BY_FILE ? row->name + strspn(row->name, "-") : by, id != OPT_ZK_AUTH ? value : NULL);
	options_note_value(opt, id, value != NULL ? value : "yes", by, origin);
	if (is_short_for_a_value(row))
		options_note_value(opt, main_option(row), id == OPT_JSON ? "json" : "never", by, origin);
	return true;
}

/* ---- names ---------------------------------------------------------------------------- */

static bool is_command(const char *word)
{
	return is_known(word) && strcmp(word, "console") != 0;
}

/* The command of an option that is not known may stand behind it, and then what the option takes is not known. */
static const char *command_ahead(const struct options *opt, int argc, char **argv, int i)
{
	if (opt->command != NULL)
		return opt->command;
	while (++i < argc)
		if (is_command(argv[i]))
			return argv[i];
	return NULL;
}

struct guess {
	const char *typed;
	char best[64];        /* "" while there is none */
	size_t distance;
};

/* `name` of so many bytes. */
static void guess_try(struct guess *gu, const char *name, size_t len)
{
	char meant[sizeof(gu->best)];
	size_t d;

	if (!str_copyn(meant, sizeof(meant), name, len) ||
	    !str_is_near(gu->typed + strspn(gu->typed, "-"), meant + strspn(meant, "-"), &d))
		return;
	if (gu->best[0] == '\0' || d < gu->distance) {
		memcpy(gu->best, meant, sizeof(meant));
		gu->distance = d;
	}
}

/* The one option of the command that begins so; NULL when there is none, or a choice. */
static const char *only_longer(const char *typed, const char *command)
{
	const char *one = NULL;

	if (strlen(typed) < 5)
		return NULL;
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (applies(&rows[i], command) && str_starts(rows[i].name, typed)) {
			if (one != NULL)
				return NULL;
			one = rows[i].name;
		}
	return one;
}

static bool unknown_option(const char *arg, const char *command, struct err *err)
{
	char name[64];
	const char *where = command != NULL ? command : "console", *longer;
	struct guess gu = { .typed = name };

	if (!str_copyn(name, sizeof(name), arg, strcspn(arg, "=")))
		return err_set(err, ERR_USAGE, "unknown option %s; see kafops --help", arg);
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (applies(&rows[i], where))
			guess_try(&gu, rows[i].name, SIZE_MAX);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (applies(&rows[aliases[i].id], where))
			guess_try(&gu, aliases[i].name, SIZE_MAX);
	longer = gu.best[0] == '\0' ? only_longer(name, where) : gu.best;
	if (longer != NULL)
		return err_set(err, ERR_USAGE, "unknown option %s; did you mean %s?", name, longer);
	return err_set(err, ERR_USAGE, "unknown option %s; see kafops %s%s--help", name, command != NULL ? command : "", command != NULL ? " " : "");
}

static bool unknown_command(const char *word, struct err *err)
{
	struct guess gu = { .typed = word };

	for (int i = 0; i < OPTIONS_COUNT; i++)
		for (const char *p = rows[i].commands; p != NULL && *p != '\0'; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");

			if (strncmp(p, "console", len) != 0)
				guess_try(&gu, p, len);
			p += len;
		}
	guess_try(&gu, "help", SIZE_MAX);
	if (gu.best[0] != '\0')
		return err_set(err, ERR_USAGE, "unknown command %s; did you mean %s?", word, gu.best);
	return err_set(err, ERR_USAGE, "unknown command %s; see kafops --help", word[0] != '\0' ? word : "''");
}

/* The option of a name (up to '=' or the end); OPTIONS_COUNT when there is none. */
static enum option_id option_find(const char *name, size_t len)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (strlen(rows[i].name) == len && strncmp(rows[i].name, name, len) == 0)
			return (enum option_id)i;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strlen(aliases[i].name) == len && strncmp(aliases[i].name, name, len) == 0)
			return aliases[i].id;
	return OPTIONS_COUNT;
}

/* ---- parsing --------------------------------------------------------------------------- */

static bool take_option(struct options *opt, int argc, char **argv, int *i, struct err *err)
{
	const char *arg = argv[*i], *eq = strchr(arg, '=');
	enum option_id id = option_find(arg, eq != NULL ? (size_t)(eq - arg) : strlen(arg));
	const char *value = eq != NULL ? eq + 1 : NULL;

	if (id == OPTIONS_COUNT)
		return unknown_option(arg, command_ahead(opt, argc, argv, *i), err);
	if (rows[id].arg == NULL) {
		if (eq != NULL)
			return err_set(err, ERR_USAGE, "%s takes no value", rows[id].name);
		return options_set(opt, id, NULL, rows[id].name, BY_OPTION, err);
	}
	if (value == NULL && *i + 1 >= argc)
		return err_set(err, ERR_USAGE, "%s needs a value: %s %s", rows[id].name, rows[id].name, rows[id].arg);
	if (value == NULL) {
		size_t len = strcspn(argv[*i + 1], "=");

		if (option_find(argv[*i + 1], len) != OPTIONS_COUNT)
			return err_set(err, ERR_USAGE, "%s needs a value: %s %s. %.*s is an option", rows[id].name, rows[id].name, rows[id].arg,
				(int)len, argv[*i + 1]);
		value = argv[++*i];
	}
	if (value[0] == '\0')
		return err_set(err, ERR_USAGE, "%s: the value is empty; write %s %s", rows[id].name, rows[id].name, rows[id].arg);
	return options_set(opt, id, value, rows[id].name, BY_OPTION, err);
}

static bool take_word(struct options *opt, const char *word, bool only_words, struct err *err)
{
	const char *why = only_words && word[0] == '-' ? ", as nothing behind -- is an option" : "";

	if (opt->command == NULL && !opt->help && strcmp(word, "help") == 0)
		opt->help = true;
	else if (opt->command == NULL && !is_command(word))
		return why[0] != '\0' ? err_set(err, ERR_USAGE, "unknown command %s%s; see kafops --help", word, why) : unknown_command(word, err);
	else if (opt->command == NULL)
		opt->command = word;
	else if (strcmp(opt->command, "replay") == 0 && opt->replay_file == NULL)
		opt->replay_file = word;
	else
		return err_set(err, ERR_USAGE, "'%s' is one word too many%s; see kafops %s --help", word, why, opt->command);
	return true;
}

/* What the command line has not set. */
static bool take_env(struct options *opt, struct err *err)
{
	const char *no_color = getenv("NO_COLOR");

	for (int i = 0; i < OPTIONS_COUNT; i++) {
		const char *v = rows[i].env != NULL ? getenv(rows[i].env) : NULL;

		if (opt->value[i] != NULL || v == NULL || v[0] == '\0')
			continue;
		if (!options_set(opt, (enum option_id)i, rows[i].kind == FLAG ? NULL : v, rows[i].env, BY_VARIABLE, err))
			return false;
	}
	if (opt->value[OPT_COLOR] == NULL && no_color != NULL && no_color[0] != '\0') {
		opt->color = COLOR_NEVER;
		options_note_value(opt, OPT_COLOR, "never", "NO_COLOR", BY_VARIABLE);
	}
	return true;
}

static bool check(const struct options *opt, struct err *err)
{
	const char *command = opt->command != NULL ? opt->command : "console";

	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (opt->value[i] != NULL && !applies(&rows[i], command))
			return err_set(err, ERR_USAGE, "%s has no meaning for %s%s", opt->set_by[i],
				opt->command != NULL ? "kafops " : "the console", opt->command != NULL ? command : "");
	if (opt->command != NULL && strcmp(opt->command, "replay") == 0 && (opt->replay_file == NULL || opt->replay_file[0] == '\0'))
		return err_set(err, ERR_USAGE, "replay needs a file: kafops replay FILE");
	return true;
}

static void defaults(struct options *opt)
{
	memset(opt, 0, sizeof(*opt));
	opt->zk_session_timeout = 10000;
	opt->delay = 1000;
	opt->timeout = 30000;
	opt->speed = 1;
	opt->at = -1;
	policy_init(&opt->policy);
}

void options_fini(struct options *opt)
{
	config_fini(&opt->config);
	policy_fini(&opt->policy);
}

static bool parse(int argc, char **argv, struct options *out, struct err *err)
{
	bool only_words = false;

	for (int i = 1; i < argc; i++) {
		if (!only_words && strcmp(argv[i], "--") == 0) {
			only_words = true;
		} else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0') {
			if (!take_option(out, argc, argv, &i, err))
				return false;
		} else if (!take_word(out, argv[i], only_words, err)) {
			return false;
		}
	}
	if (out->help || out->version)
		return true;
	if (!check(out, err) || !take_env(out, err) || !options_take_profile(out, err))
		return false;
	if (out->verbose && out->log_file == NULL)
		return err_set(err, ERR_USAGE, "-v needs --log-file FILE: the log never goes to the terminal");
	return true;
}

bool options_parse(int argc, char **argv, struct options *out, struct err *err)
{
	bool is_ok;

	defaults(out);
	is_ok = parse(argc, argv, out, err);
	if (!is_ok)
		options_fini(out);
	return is_ok;
}

/* ---- help and info ------------------------------------------------------------------------ */

enum { HELP_INDENT = 6, HELP_COLUMNS = 78 };

static void put_wrapped(FILE *out, const char *text)
{
	while (*text != '\0') {
		size_t n = utf8_fit_words(text, HELP_COLUMNS - HELP_INDENT);

		fprintf(out, "%*s%.*s\n", HELP_INDENT, "", (int)n, text);
		text += n + strspn(text + n, " ");
	}
}

void options_usage(FILE *out, const char *command)
{
	for (int i = 0; i < OPTIONS_COUNT; i++) {
		const struct row *row = &rows[i];

		if (!applies(row, command))
			continue;
		fprintf(out, "  %s", row->name);
		for (size_t j = 0; j < sizeof(aliases) / sizeof(*aliases); j++)
			if ((int)aliases[j].id == i)
				fprintf(out, ", %s", aliases[j].name);
		fprintf(out, "%s%s%s%s\n", row->arg ? " " : "", row->arg ? row->arg : "",
			row->env ? "   $" : "", row->env ? row->env : "");
		put_wrapped(out, row->help);
	}
}

static const char *default_text(const struct options *opt, enum option_id id)
{
	switch (id) {
	case OPT_CONFIG:
		return opt->config.file != NULL ? opt->config.file : "";
	case OPT_ZK_SESSION_TIMEOUT:
		return "10s";
	case OPT_SPEED:
		return "1";
	case OPT_COLOR:
		return "auto";
	case OPT_DELAY:
		return "1s";
	case OPT_VIEW:
		return "overview";
	case OPT_OUTPUT:
		return "table";
	case OPT_FROM:
		return "both";
	case OPT_TIMEOUT:
		return "30s";
	case OPT_READ_ONLY:
		return "yes";
	default:
		return rows[id].arg == NULL ? "no" : "";
	}
}

const char *options_source(const struct options *opt, enum option_id id)
{
	return opt->set_by[id];
}

void options_each(const struct options *opt, void (*fn)(const char *name, const char *value, const char *set_by, void *ctx), void *ctx)
{
	static const char *const origins[] = { [BY_OPTION] = "option ", [BY_VARIABLE] = "variable ", [BY_FILE] = "" };
	struct strbuf by;

	strbuf_init(&by);
	for (int i = 0; i < OPTIONS_COUNT; i++) {
		const struct row *row = &rows[i];

		if (i == OPT_HELP || i == OPT_VERSION || is_short_for_a_value(row) || !(applies(row, "console") || applies(row, "info")))
			continue;
		strbuf_clear(&by);
		if (opt->value[i] == NULL)
			strbuf_put(&by, "default");
		else
			strbuf_printf(&by, "%s%s", origins[opt->origin[i]], opt->set_by[i]);
		fn(row->name + strspn(row->name, "-"), opt->value[i] != NULL ? opt->value[i] : default_text(opt, (enum option_id)i), by.s, ctx);
	}
	strbuf_fini(&by);
	options_each_policy(opt, fn, ctx);
}
