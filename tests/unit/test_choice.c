/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/choice.h"
#include "core/pattern.h"
#include "core/policy.h"
#include "tests/unit/fixture.h"

static const char tree[] =
	"/cluster/id\t{\"version\":\"1\",\"id\":\"9lkx3ABCDEFGHIJKLMNOPQ\"}\n"
	"/brokers/ids/1\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
	"/brokers/topics/__consumer_offsets\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/a\t{\"version\":2,\"partitions\":{\"0\":[1],\"1\":[1]}}\n"
	"/brokers/topics/b\t{\"version\":2,\"partitions\":{\"0\":[1,2]}}\n"
	"/brokers/topics/c\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/gold.x\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/old\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/admin/delete_topics/old\t\n";

struct bench {
	struct fixture *fx;
	const struct cluster *cl;
	struct policy po;
	struct choice *ch;
};

static int setup(void **state)
{
	struct bench *be = mem_zalloc(sizeof(*be));
	struct err err;

	be->fx = fixture_new();
	fixture_load_text(be->fx, tree);
	be->cl = fixture_cluster(be->fx);
	policy_init(&be->po);
	err_init(&err);
	be->po.protected_topics = mem_array(1, sizeof(*be->po.protected_topics));
	be->po.protected_topics[0] = pattern_new("gold\\..*", &err);
	assert_non_null(be->po.protected_topics[0]);
	be->po.n_protected = 1;
	be->ch = choice_new();
	*state = be;
	return 0;
}

static int teardown(void **state)
{
	struct bench *be = *state;

	choice_free(&be->ch);
	policy_fini(&be->po);
	fixture_free(&be->fx);
	mem_free(&be);
	return 0;
}

static const struct topic *topic(const struct bench *be, const char *name)
{
	const struct topic *tp = cluster_topic_find(be->cl, name);

	assert_non_null(tp);
	return tp;
}

/* The names that are marked, with a blank between; a star behind those by hand. */
static void assert_marked(const struct bench *be, const char *expected)
{
	struct strbuf sb;
	size_t n;
	struct choice_mark *list = choice_list(be->ch, &n);

	strbuf_init(&sb);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&sb, "%s%s%s", i ? " " : "", list[i].name, list[i].by_hand ? "*" : "");
	assert_string_equal(sb.s, expected);
	assert_int_equal(n, choice_count(be->ch));
	strbuf_fini(&sb);
	mem_free(&list);
}

static const char *topic_at(const void *list, size_t i)
{
	const struct cluster *cl = list;

	return cl->topics[i]->name;
}

static void assert_struck(const struct choice_tally *tally, const char *expected)
{
	struct strbuf sb;

	strbuf_init(&sb);
	choice_tally_text(tally, &sb);
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

/* ---- marks ------------------------------------------------------------------------ */

static void a_mark_is_put_once_and_taken_away(void **state)
{
	struct bench *be = *state;

	assert_true(choice_mark(be->ch, topic(be, "b"), false));
	assert_true(choice_mark(be->ch, topic(be, "a"), true));
	assert_false(choice_mark(be->ch, topic(be, "b"), true)); /* by hand as well, now */
	assert_marked(be, "a* b*");
	assert_true(choice_has(be->ch, topic(be, "a")));
	assert_false(choice_has(be->ch, topic(be, "c")));
	assert_true(choice_unmark(be->ch, "a"));
	assert_false(choice_unmark(be->ch, "a"));
	assert_marked(be, "b*");
	choice_clear(be->ch);
	assert_marked(be, "");
}

static void what_may_not_be_marked_says_why(void **state)
{
	struct bench *be = *state;

	assert_int_equal(choice_may(&be->po, topic(be, "a"), false), CHOICE_OK);
	assert_int_equal(choice_may(&be->po, topic(be, "__consumer_offsets"), false), CHOICE_INTERNAL);
	assert_int_equal(choice_may(&be->po, topic(be, "__consumer_offsets"), true), CHOICE_INTERNAL);
	assert_int_equal(choice_may(&be->po, topic(be, "gold.x"), true), CHOICE_PROTECTED);
	assert_int_equal(choice_may(&be->po, topic(be, "old"), false), CHOICE_QUEUED);
	assert_int_equal(choice_may(&be->po, topic(be, "old"), true), CHOICE_OK);
}

static void the_profile_allows_by_hand_what_no_pattern_takes(void **state)
{
	struct bench *be = *state;

	be->po.internal_by_hand = be->po.protected_by_hand = true;
	assert_int_equal(choice_may(&be->po, topic(be, "__consumer_offsets"), true), CHOICE_OK);
	assert_int_equal(choice_may(&be->po, topic(be, "gold.x"), true), CHOICE_OK);
	assert_int_equal(choice_may(&be->po, topic(be, "__consumer_offsets"), false), CHOICE_INTERNAL);
	assert_int_equal(choice_may(&be->po, topic(be, "gold.x"), false), CHOICE_PROTECTED);
}

static void a_topic_that_zookeeper_has_not_told_is_not_marked(void **state)
{
	struct bench *be = *state;
	static const char *const names[] = { "a", "b", "c", "gold.x", "new", "old", "__consumer_offsets", NULL };

	fixture_children(be->fx, "/brokers/topics", names);
	assert_int_equal(choice_may(&be->po, topic(be, "new"), true), CHOICE_UNREAD);
	fixture_unreadable(be->fx, "/brokers/topics/new", "no right");
	assert_int_equal(choice_may(&be->po, topic(be, "new"), true), CHOICE_UNREAD);
}

static void a_span_marks_what_may_be_marked_and_tells_the_rest(void **state)
{
	struct bench *be = *state;
	struct choice_tally tally = { 0 };

	choice_mark(be->ch, topic(be, "a"), true);
	choice_mark_span(be->ch, be->cl, &be->po, topic_at, be->cl, 0, be->cl->n_topics, &tally);
	assert_marked(be, "a* b c");
	assert_int_equal(tally.marked, 2);
	assert_struck(&tally, "struck out: 1 internal (__consumer_offsets), 1 protected (gold.x), 1 already queued (old)");
}

static void inverting_twice_gives_the_same_marks(void **state)
{
	struct bench *be = *state;
	struct choice_tally tally = { 0 };

	choice_mark(be->ch, topic(be, "b"), false);
	choice_invert_span(be->ch, be->cl, &be->po, topic_at, be->cl, 0, be->cl->n_topics, &tally);
	assert_marked(be, "a c");
	assert_int_equal(tally.marked, 2);
	assert_int_equal(tally.unmarked, 1);
	choice_invert_span(be->ch, be->cl, &be->po, topic_at, be->cl, 0, be->cl->n_topics, &tally);
	assert_marked(be, "b");
}

static void what_is_struck_is_named_up_to_a_number(void **state)
{
	struct choice_tally tally = { 0 };
	static const char *const names[] = { "w", "x", "y", "z" };

	assert_struck(&tally, "");
	for (size_t i = 0; i < 4; i++)
		choice_tally_strike(&tally, CHOICE_PROTECTED, names[i]);
	assert_struck(&tally, "struck out: 4 protected (w, x, y, ...)");
}

/* ---- the cluster moves on --------------------------------------------------------------- */

static void list(const struct bench *be, const char *const *names)
{
	fixture_children(be->fx, "/brokers/topics", names);
}

static void a_mark_goes_with_its_topic(void **state)
{
	struct bench *be = *state;
	static const char *const names[] = { "b", "c", "gold.x", "old", "__consumer_offsets", NULL };
	struct changes ch;

	choice_mark(be->ch, topic(be, "a"), true);
	choice_mark(be->ch, topic(be, "b"), true);
	model_changes_clear(be->fx->md);
	assert_int_equal(choice_sync(be->ch, be->cl, NULL), 0);
	list(be, names);
	ch = model_changes(be->fx->md);
	assert_int_equal(choice_sync(be->ch, be->cl, &ch), 1);
	assert_marked(be, "b*");
}

static void a_topic_made_again_under_its_name_is_not_marked(void **state)
{
	struct bench *be = *state;
	static const char *const without[] = { "b", NULL }, *const with[] = { "a", "b", NULL };

	choice_mark(be->ch, topic(be, "a"), true);
	list(be, without);
	list(be, with);
	fixture_znode(be->fx, "/brokers/topics/a", "{\"version\":2,\"partitions\":{\"0\":[1]}}");
	assert_false(choice_has(be->ch, topic(be, "a")));
	assert_int_equal(choice_sync(be->ch, be->cl, NULL), 1);
	assert_marked(be, "");
}

/* Its node is read a moment after the list: until then it may be either. */
static void a_topic_that_is_not_read_again_yet_keeps_its_mark(void **state)
{
	struct bench *be = *state;
	static const char *const without[] = { "b", NULL }, *const with[] = { "a", "b", NULL };

	choice_mark(be->ch, topic(be, "a"), true);
	list(be, without);
	list(be, with);
	assert_int_equal(choice_sync(be->ch, be->cl, NULL), 0);
	assert_false(choice_has(be->ch, topic(be, "a")));
}

static void a_lost_connection_takes_no_marks(void **state)
{
	struct bench *be = *state;

	choice_mark(be->ch, topic(be, "a"), true);
	fixture_new_epoch(be->fx);
	assert_int_equal(choice_sync(be->ch, be->cl, NULL), 0);
	assert_true(choice_has(be->ch, topic(be, "a")));
}

static void totals_say_whether_sizes_are_whole(void **state)
{
	struct bench *be = *state;
	struct choice_totals ct = choice_totals(be->ch, be->cl);

	assert_int_equal(ct.topics, 0);
	assert_true(ct.is_whole);
	choice_mark(be->ch, topic(be, "a"), true);
	choice_mark(be->ch, topic(be, "b"), true);
	ct = choice_totals(be->ch, be->cl);
	assert_int_equal(ct.topics, 2);
	assert_int_equal(ct.partitions, 3);
	assert_int_equal(ct.replicas, 4);
	assert_false(ct.is_whole);
	fixture_said(be->fx, "dir /d1\nholds a 0 size=100\nholds a 1 size=50\nholds b 0 size=7\ndisks 1\n");
	ct = choice_totals(be->ch, be->cl);
	assert_int_equal(ct.bytes, 157);
	assert_false(ct.is_whole); /* broker 2 has not told */
	choice_unmark(be->ch, "b");
	ct = choice_totals(be->ch, be->cl);
	assert_int_equal(ct.bytes, 150);
	assert_true(ct.is_whole);
}

/* ---- as text ------------------------------------------------------------------------------ */

static void a_set_is_written_with_cluster_and_date(void **state)
{
	struct bench *be = *state;
	struct strbuf sb;
	size_t left_out;

	choice_mark(be->ch, topic(be, "c"), false);
	choice_mark(be->ch, topic(be, "a"), true);
	strbuf_init(&sb);
	choice_put_text(be->ch, be->cl, "prod-eu", (wall_ms){ FIXTURE_START }, &sb, &left_out);
	assert_string_equal(sb.s, "# topics marked in kafops, one a line\n# cluster 9lkx3ABCDEFGHIJKLMNOPQ\n# profile prod-eu\n"
			    "# saved 2023-11-14T22:13:20.000Z\na\nc\n");
	assert_int_equal(left_out, 0);
	strbuf_fini(&sb);
}

static void names_that_kafka_does_not_allow_are_not_written(void **state)
{
	struct bench *be = *state;
	struct strbuf sb;
	size_t left_out;

	fixture_load_text(be->fx, "/brokers/topics/a b\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
			  "/brokers/topics/ok\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n");
	choice_mark(be->ch, topic(be, "a b"), true);
	choice_mark(be->ch, topic(be, "ok"), true);
	strbuf_init(&sb);
	choice_put_text(be->ch, be->cl, NULL, (wall_ms){ FIXTURE_START }, &sb, &left_out);
	assert_non_null(strstr(sb.s, "Z\nok\n"));
	assert_null(strstr(sb.s, "a b"));
	assert_int_equal(left_out, 1);
	strbuf_fini(&sb);
}

static void load(struct bench *be, const char *text, struct choice_loaded *out)
{
	struct err err;

	err_init(&err);
	if (!choice_take_text(be->ch, be->cl, &be->po, text, strlen(text), out, &err))
		fail_msg("%s", err.text);
}

static void a_set_is_read_back(void **state)
{
	struct bench *be = *state;
	struct choice_loaded lo;

	choice_mark(be->ch, topic(be, "b"), true);
	load(be, "# topics\n# cluster Other-cluster\n\na\r\n  c \t\nb\na\nzzz", &lo);
	assert_marked(be, "a b* c");
	assert_int_equal(lo.n_names, 4);
	assert_int_equal(lo.tally.marked, 2);
	assert_int_equal(lo.n_already, 1);
	assert_int_equal(lo.n_gone, 1);
	assert_string_equal(lo.gone[0], "zzz");
	assert_string_equal(lo.cluster_id, "Other-cluster");
}

static void a_set_marks_nothing_that_a_pattern_would_not(void **state)
{
	struct bench *be = *state;
	struct choice_loaded lo;

	be->po.internal_by_hand = be->po.protected_by_hand = true;
	load(be, "__consumer_offsets\ngold.x\nold\na\n", &lo);
	assert_marked(be, "a");
	assert_struck(&lo.tally, "struck out: 1 internal (__consumer_offsets), 1 protected (gold.x), 1 already queued (old)");
}

static void assert_not_read(struct bench *be, const char *text, size_t n, const char *why)
{
	struct choice_loaded lo;
	struct err err;

	err_init(&err);
	assert_false(choice_take_text(be->ch, be->cl, &be->po, text, n, &lo, &err));
	assert_string_equal(err.text, why);
	assert_marked(be, "");
}

static void what_is_no_list_of_names_marks_nothing(void **state)
{
	struct bench *be = *state;

	assert_not_read(be, "a\n{\"topics\": []}\n", 17, "line 2: \"{\"topics\": []}\" can't be a topic's name; write one name a line");
	assert_not_read(be, "a\nb c\n", 6, "line 2: \"b c\" can't be a topic's name; write one name a line");
	assert_not_read(be, "a\n\0b\n", 5, "line 2: a zero byte: this is no list of topics");
	assert_not_read(be, "a\n..\n", 5, "line 2: \"..\" can't be a topic's name; write one name a line");
	assert_not_read(be, "a\n\x1b[31m\n", 8, "line 2: \"^[[31m\" can't be a topic's name; write one name a line");
}

static void names_are_read_up_to_kafkas_length(void **state)
{
	struct bench *be = *state;
	struct choice_loaded lo;
	struct err err;
	char text[300];

	memset(text, 'x', sizeof(text));
	text[249] = '\0';
	load(be, text, &lo);
	assert_int_equal(lo.n_gone, 1);
	text[249] = 'x';
	text[250] = '\0';
	err_init(&err);
	assert_false(choice_take_text(be->ch, be->cl, &be->po, text, 250, &lo, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_mark_is_put_once_and_taken_away, setup, teardown),
		cmocka_unit_test_setup_teardown(what_may_not_be_marked_says_why, setup, teardown),
		cmocka_unit_test_setup_teardown(the_profile_allows_by_hand_what_no_pattern_takes, setup, teardown),
		cmocka_unit_test_setup_teardown(a_topic_that_zookeeper_has_not_told_is_not_marked, setup, teardown),
		cmocka_unit_test_setup_teardown(a_span_marks_what_may_be_marked_and_tells_the_rest, setup, teardown),
		cmocka_unit_test_setup_teardown(inverting_twice_gives_the_same_marks, setup, teardown),
		cmocka_unit_test(what_is_struck_is_named_up_to_a_number),
		cmocka_unit_test_setup_teardown(a_mark_goes_with_its_topic, setup, teardown),
		cmocka_unit_test_setup_teardown(a_topic_made_again_under_its_name_is_not_marked, setup, teardown),
		cmocka_unit_test_setup_teardown(a_topic_that_is_not_read_again_yet_keeps_its_mark, setup, teardown),
		cmocka_unit_test_setup_teardown(a_lost_connection_takes_no_marks, setup, teardown),
		cmocka_unit_test_setup_teardown(totals_say_whether_sizes_are_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(a_set_is_written_with_cluster_and_date, setup, teardown),
		cmocka_unit_test_setup_teardown(names_that_kafka_does_not_allow_are_not_written, setup, teardown),
		cmocka_unit_test_setup_teardown(a_set_is_read_back, setup, teardown),
		cmocka_unit_test_setup_teardown(a_set_marks_nothing_that_a_pattern_would_not, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_list_of_names_marks_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(names_are_read_up_to_kafkas_length, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
