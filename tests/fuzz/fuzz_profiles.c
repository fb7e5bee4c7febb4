/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the file of profiles, and what is made of one; and the same bytes as a set of marked topics. What comes out must hold
 * what the headers promise. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "core/choice.h"
#include "core/model.h"
#include "core/policy.h"
#include "io/config.h"

const char *const fuzz_words[] = {
	"[profile ", "]\n", "[profile a]\n", " = ", "=", "#", " # ", "\"", "\n", "\r\n", "\t", "zookeeper", "protected = ", "operate = yes\n", "cluster-id",
	"many-topics = ", "zk-auth = digest:", "command-config = ~/", "view", "tint = red", "\xef\xbb\xbf", "\xc3\xa9", "\xff", "\x1b[31m", "(a", "[a", ".*", "9999999999",
};
const size_t fuzz_n_words = sizeof(fuzz_words) / sizeof(fuzz_words[0]);

/* A failure has a code and one line of printable text, and nothing else is left. */
static void check_failure(const struct config *cf, struct err *err)
{
	size_t n = strlen(err->text);

	assert(err->code != ERR_NONE && n > 0 && n < sizeof(err->text) && utf8_is_valid(err->text, n));
	assert(!cf->file && !cf->v && !cf->names && !cf->profile);
	err_init(err);
}

static bool is_known_key(const char *key)
{
	const char *name;

	for (size_t i = 0; (name = config_key(i)) != NULL; i++)
		if (name == key)
			return true;
	return false;
}

static void check(const struct config *cf)
{
	assert(cf->n_names <= CONFIG_PROFILES_MAX);
	for (size_t i = 0; i < cf->n_names; i++)
		assert(cf->names[i][0] && strlen(cf->names[i]) <= CONFIG_NAME_MAX);
	for (size_t i = 0; i < cf->n; i++) {
		const struct config_value *cv = &cf->v[i];

		assert(is_known_key(cv->key) && cv->text[0] && cv->line > 0 && cv->column > 0);
		assert(utf8_is_valid(cv->text, strlen(cv->text)) && strncmp(cv->place, "/etc/c:", 7) == 0);
		if (strcmp(cv->key, "protected") != 0)
			assert(config_find(cf, cv->key) == cv);
	}
}

static void check_policy(const struct config *cf, struct err *err)
{
	struct policy po;

	policy_init(&po);
	if (config_policy(cf, &po, err)) {
		assert(po.n_protected <= CONFIG_PATTERNS_MAX && po.many_topics > 0 && po.many_percent > 0 && po.many_percent <= 100);
		assert(po.group_topics > 0 && strcmp(po.profile, cf->profile) == 0);
		(void)policy_protects(&po, "orders.v1");
	} else {
		assert(err->code != ERR_NONE);
		err_init(err);
	}
	policy_fini(&po);
}

static void check_set(const char *text, size_t n, struct err *err)
{
	struct model *md = model_new();
	struct choice *ch = choice_new();
	struct choice_loaded lo;
	struct policy po;

	policy_init(&po);
	if (choice_take_text(ch, model_cluster(md), &po, text, n, &lo, err)) {
		assert(lo.n_names == lo.n_gone && choice_count(ch) == 0);
		for (size_t i = 0; i < lo.n_gone && i < CHOICE_NAMES_SHOWN; i++)
			assert(lo.gone[i][0] && strlen(lo.gone[i]) <= TOPIC_NAME_MAX);
	} else {
		assert(err->code != ERR_NONE && err->text[0]);
		err_init(err);
	}
	policy_fini(&po);
	choice_free(&ch);
	model_free(&md);
}

static void fuzz_way(int which, size_t way, const uint8_t *bytes, size_t n)
{
	const char *data = (const char *)bytes;
	struct config cf, one;
	char note[400];
	struct err err;

	err_init(&err);
	check_set(data, n, &err);
	if (!config_parse(data, n, "/etc/c", NULL, &cf, &err)) {
		check_failure(&cf, &err);
		return;
	}
	check(&cf);
	for (size_t i = 0; i < cf.n_names && i < 4; i++) {
		assert(config_parse(data, n, "/etc/c", cf.names[i], &one, &err));
		check(&one);
		check_policy(&one, &err);
		config_file_note(&one, 0, note, sizeof(note));
		config_fini(&one);
	}
	config_fini(&cf);
}

const struct fuzz_target fuzz_targets[] = {
	{ .name = "profiles", .n_ways = 1, .run = fuzz_way },
};
const size_t fuzz_n_targets = sizeof(fuzz_targets) / sizeof(fuzz_targets[0]);
