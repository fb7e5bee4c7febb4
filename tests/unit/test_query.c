/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "core/cluster.h"
#include "tests/unit/fixture.h"
#include "view/query.h"

static const char tree[] =
	"/brokers/ids/1\t{\"endpoints\":[\"PLAINTEXT://b1.example:9092\"],\"jmx_port\":-1,\"port\":9092,\"host\":\"b1.example\",\"version\":4,\"timestamp\":\"1\"}\n"
	"/brokers/topics/ok\t{\"version\":1,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/ok/partitions/0/state\t{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1]}\n"
	"/brokers/topics/dead\t{\"version\":1,\"partitions\":{\"0\":[1,2],\"1\":[1]}}\n"
	"/brokers/topics/dead/partitions/0/state\t{\"controller_epoch\":1,\"leader\":-1,\"version\":1,\"leader_epoch\":1,\"isr\":[2]}\n"
	"/brokers/topics/dead/partitions/1/state\t{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1]}\n"
	"/brokers/topics/odd\t{\"version\":2,\"partitions\":{\"0\":[2,1]},\"adding_replicas\":{\"0\":[2]},\"removing_replicas\":{}}\n"
	"/brokers/topics/odd/partitions/0/state\tno json\n"
	"/brokers/topics/__consumer_offsets\t{\"version\":1,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/__consumer_offsets/partitions/0/state\t{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1]}\n"
	"/config/topics/__consumer_offsets\t{\"version\":1,\"config\":{\"min.insync.replicas\":\"1\"}}\n"
	"/admin/delete_topics/ok\t\n";

/* The names of the topics that `text` lets through, each with a blank behind it. */
static const char *names_of(const char *text)
{
	static char out[1024];
	struct fixture *fx = fixture_new();
	const struct cluster *cl = fixture_cluster(fx);
	struct query qu;
	struct err err;
	size_t len = 0;

	err_init(&err);
	query_init(&qu);
	fixture_load_text(fx, tree);
	assert_true(query_set_text(&qu, text, &err));
	out[0] = '\0';
	for (size_t i = 0; i < cl->n_topics; i++)
		if (query_topic(&qu, cl->topics[i]) == VERDICT_YES) {
			str_printf(out + len, sizeof(out) - len, "%s ", cl->topics[i]->name);
			len = strlen(out);
		}
	fixture_free(&fx);
	return out;
}

static void no_text_lets_all_through(void **state)
{
	assert_string_equal(names_of(""), "__consumer_offsets dead odd ok ");
	assert_string_equal(names_of("   "), "__consumer_offsets dead odd ok ");
}

static void text_is_found_anywhere_whatever_its_case(void **state)
{
	assert_string_equal(names_of("DEA"), "dead ");
	assert_string_equal(names_of("o"), "__consumer_offsets odd ok ");
	assert_string_equal(names_of("o d"), "odd ");
	assert_string_equal(names_of("!o"), "dead ");
}

static void state_words_and_kafkas_words_mean_the_same(void **state)
{
	assert_string_equal(names_of("offline"), "dead ");
	assert_string_equal(names_of("unavailable-partitions"), "dead ");
	assert_string_equal(names_of("under"), "dead ");
	assert_string_equal(names_of("under-replicated-partitions"), "dead ");
	assert_string_equal(names_of("under-min"), "dead ");
	assert_string_equal(names_of("at-min-isr-partitions"), "__consumer_offsets ");
	assert_string_equal(names_of("topics-with-overrides"), "__consumer_offsets ");
	assert_string_equal(names_of("internal"), "__consumer_offsets ");
	assert_string_equal(names_of("deleting"), "ok ");
	assert_string_equal(names_of("moving"), "odd ");
	assert_string_equal(names_of("unreadable"), "odd ");
	assert_string_equal(names_of("ok"), "__consumer_offsets ");
	assert_string_equal(names_of("!internal !moving"), "dead ok ");
}

static void a_quoted_word_is_text(void **state)
{
	assert_string_equal(names_of("\"ok\""), "ok ");
	assert_string_equal(names_of("!\"ok\""), "__consumer_offsets dead odd ");
	assert_string_equal(names_of("\"offline"), "");
}

static void a_lone_sign_is_not_a_word_yet(void **state)
{
	assert_string_equal(names_of("!"), "__consumer_offsets dead odd ok ");
	assert_string_equal(names_of("dead !"), "dead ");
	assert_string_equal(names_of("\""), "__consumer_offsets dead odd ok ");
}

static void too_much_text_leaves_the_query_as_it_was(void **state)
{
	char text[QUERY_TEXT_MAX + 8];
	struct query qu;
	struct err err;

	err_init(&err);
	query_init(&qu);
	assert_true(query_set_text(&qu, "pay", &err));
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(query_set_text(&qu, text, &err));
	assert_string_equal(qu.text, "pay");
	err_init(&err);
	assert_false(query_set_text(&qu, "a a a a a a a a a a a a a a a a a", &err));
	assert_string_equal(err.text, "the filter has more than 16 words");
	assert_int_equal(qu.n_words, 1);
	query_sort_by(&qu, 3, true);
	assert_true(query_set_text(&qu, "x", &err));
	assert_int_equal(qu.sort_col, 3);
	assert_true(qu.sort_desc);
}

static void partitions_answer_for_themselves(void **state)
{
	struct fixture *fx = fixture_new();
	const struct topic *tp;
	struct query qu;
	struct err err;

	err_init(&err);
	query_init(&qu);
	fixture_load_text(fx, tree);
	tp = cluster_topic_find(fixture_cluster(fx), "dead");
	assert_true(query_set_text(&qu, "offline", &err));
	assert_int_equal(query_partition(&qu, &tp->parts[0]), VERDICT_YES);
	assert_int_equal(query_partition(&qu, &tp->parts[1]), VERDICT_NO);
	assert_true(query_set_text(&qu, "ok", &err));
	assert_int_equal(query_partition(&qu, &tp->parts[0]), VERDICT_NO);
	assert_int_equal(query_partition(&qu, &tp->parts[1]), VERDICT_YES);
	assert_true(query_set_text(&qu, "1", &err));
	assert_int_equal(query_partition(&qu, &tp->parts[0]), VERDICT_NO);
	assert_int_equal(query_partition(&qu, &tp->parts[1]), VERDICT_YES);
	assert_true(query_set_text(&qu, "internal", &err));
	assert_int_equal(query_partition(&qu, &tp->parts[0]), VERDICT_YES);
	assert_true(query_set_text(&qu, "!internal", &err));
	assert_int_equal(query_partition(&qu, &tp->parts[0]), VERDICT_YES);
	fixture_free(&fx);
}

static enum verdict verdict_of(const struct fixture *fx, const char *text, const char *topic, int partition)
{
	const struct topic *tp = cluster_topic_find(fixture_cluster(fx), topic);
	struct query qu;
	struct err err;

	err_init(&err);
	query_init(&qu);
	assert_true(query_set_text(&qu, text, &err));
	if (partition < 0)
		return query_topic(&qu, tp);
	assert_int_equal(query_replica(&qu, tp, &tp->parts[partition]), query_partition(&qu, &tp->parts[partition]));
	return query_partition(&qu, &tp->parts[partition]);
}

/* As in batch: what isn't known is neither, and turning it round doesn't make it known. */
static void what_is_not_known_is_undecided(void **state)
{
	static const char *const states[] = { "offline", "under-min", "at-min", "under", "not-preferred", "ok", "unreadable" };
	struct fixture *fx = fixture_new();
	char not[64];

	fixture_load_text(fx, tree);
	/* No override of min.insync.replicas there, and the default isn't known. */
	assert_int_equal(verdict_of(fx, "at-min", "dead", -1), VERDICT_UNDECIDED);
	assert_int_equal(verdict_of(fx, "!at-min", "dead", -1), VERDICT_UNDECIDED);
	assert_int_equal(verdict_of(fx, "at-min", "dead", 1), VERDICT_UNDECIDED);
	assert_int_equal(verdict_of(fx, "at-min", "dead", 0), VERDICT_UNDECIDED);
	assert_int_equal(verdict_of(fx, "under-min", "dead", 0), VERDICT_YES);
	assert_int_equal(verdict_of(fx, "at-min zzz", "dead", -1), VERDICT_NO);
	assert_int_equal(verdict_of(fx, "zzz at-min", "dead", -1), VERDICT_NO);
	assert_int_equal(verdict_of(fx, "dea at-min", "dead", -1), VERDICT_UNDECIDED);
	/* A state that nobody has read. */
	fixture_znode(fx, "/brokers/topics/new", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		str_printf(not, sizeof(not), "!%s", states[i]);
		assert_int_equal(verdict_of(fx, states[i], "new", -1), VERDICT_UNDECIDED);
		assert_int_equal(verdict_of(fx, not, "new", -1), VERDICT_UNDECIDED);
		assert_int_equal(verdict_of(fx, states[i], "new", 0), VERDICT_UNDECIDED);
		assert_int_equal(verdict_of(fx, not, "new", 0), VERDICT_UNDECIDED);
	}
	assert_int_equal(verdict_of(fx, "moving", "new", -1), VERDICT_NO);
	assert_int_equal(verdict_of(fx, "!moving", "new", 0), VERDICT_YES);
	assert_int_equal(verdict_of(fx, "overrides", "new", -1), VERDICT_NO);
	fixture_unreadable(fx, "/config/topics/new", "no permission to read it");
	assert_int_equal(verdict_of(fx, "!overrides", "new", -1), VERDICT_UNDECIDED);
	fixture_free(&fx);
}

static void count_word(const char *word, const char *help, void *ctx)
{
	assert_true(word[0] != '\0' && help[0] != '\0');
	++*(int *)ctx;
}

static void every_word_has_help(void **state)
{
	int n = 0;

	query_each_word(count_word, &n);
	assert_int_equal(n, 16);
}

static enum verdict holds(const void *row, size_t word)
{
	const int *n = row;

	return *n < 0 ? VERDICT_UNDECIDED : (size_t)*n == word ? VERDICT_YES : VERDICT_NO;
}

static void a_view_of_other_things_has_words_of_its_own(void **state)
{
	static const struct query_own words[] = { { "offline", "" }, { "orphans", "" } };
	static const struct { const char *text; int row; enum verdict verdict; } cases[] = {
		{ "", 0, VERDICT_YES }, { "offline", 0, VERDICT_YES }, { "OFFLINE", 0, VERDICT_YES }, { "offline", 1, VERDICT_NO },
		{ "!offline", 1, VERDICT_YES }, { "offline", -1, VERDICT_UNDECIDED }, { "!offline", -1, VERDICT_UNDECIDED },
		{ "offline nowhere", -1, VERDICT_NO }, { "\"offline\"", 1, VERDICT_YES }, { "\"orphans\"", 1, VERDICT_NO },
		{ "orphans /data", 1, VERDICT_YES }, { "under", 0, VERDICT_NO }, { "!under", 0, VERDICT_YES },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct query qu = fixture_query(cases[i].text, -1, false);

		assert_int_equal(query_row(&qu, words, 2, holds, &cases[i].row, "3:/data offline"), cases[i].verdict);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_text_lets_all_through),
		cmocka_unit_test(text_is_found_anywhere_whatever_its_case),
		cmocka_unit_test(state_words_and_kafkas_words_mean_the_same),
		cmocka_unit_test(a_quoted_word_is_text),
		cmocka_unit_test(a_lone_sign_is_not_a_word_yet),
		cmocka_unit_test(too_much_text_leaves_the_query_as_it_was),
		cmocka_unit_test(partitions_answer_for_themselves),
		cmocka_unit_test(what_is_not_known_is_undecided),
		cmocka_unit_test(every_word_has_help),
		cmocka_unit_test(a_view_of_other_things_has_words_of_its_own),
	};

	return cmocka_run_group_tests_name("view/query", tests, NULL, NULL);
}
