/* SPDX-License-Identifier: Apache-2.0 */
#include "core/preview.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/pattern.h"
#include "core/policy.h"
#include "tests/unit/casefile.h"
#include "tests/unit/fixture.h"

struct bench {
	struct fixture *fx;
	struct policy po;
	struct previewer *pv;
	struct preview pr;
	size_t asks;         /* how often the clock was asked */
	size_t late_after;   /* of these it was not yet late */
};

static struct bench *bench_new(const char *tree)
{
	struct bench *be = mem_zalloc(sizeof(*be));

	be->fx = fixture_new();
	fixture_load_text(be->fx, tree);
	policy_init(&be->po);
	be->pv = previewer_new(fixture_cluster(be->fx), &be->po);
	be->late_after = SIZE_MAX;
	return be;
}

/* A topic a name, of one partition on broker 1. */
static struct bench *bench_of_names(const char *const *names)
{
	struct strbuf sb;
	struct bench *be;

	strbuf_init(&sb);
	for (; *names; names++)
		strbuf_printf(&sb, "/brokers/topics/%s\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n", *names);
	be = bench_new(sb.s);
	strbuf_fini(&sb);
	return be;
}

static void bench_free(struct bench **pp)
{
	previewer_free(&(*pp)->pv);
	policy_fini(&(*pp)->po);
	fixture_free(&(*pp)->fx);
	mem_free(pp);
}

static void protect(struct bench *be, const char *typed)
{
	struct err err;

	err_init(&err);
	be->po.protected_topics = mem_array(1, sizeof(*be->po.protected_topics));
	be->po.protected_topics[0] = pattern_new(typed, &err);
	assert_non_null(be->po.protected_topics[0]);
	be->po.n_protected = 1;
}

static bool is_late(void *ctx)
{
	struct bench *be = ctx;

	return be->asks++ >= be->late_after;
}

/* How many it marks; -1: it doesn't. */
static int marked(const struct bench *be, struct choice *ch)
{
	size_t n;

	return previewer_mark(be->pv, ch, &n) ? (int)n : -1;
}

static void look(struct bench *be, const char *typed)
{
	previewer_update(be->pv, NULL);
	be->asks = 0;
	previewer_look(be->pv, typed, is_late, be, &be->pr);
}

/* The first names that would be marked, with a blank between. */
static void assert_first(const struct bench *be, const char *expected)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < be->pr.n_first; i++)
		strbuf_printf(&sb, "%s%s", i ? " " : "", be->pr.first[i]);
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

static void assert_struck(const struct bench *be, const char *expected)
{
	struct strbuf sb;

	strbuf_init(&sb);
	choice_tally_text(&be->pr.struck, &sb);
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

static const char team_tree[] =
	"/brokers/ids/1\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
	"/brokers/topics/__consumer_offsets\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/team12.a\t{\"version\":2,\"partitions\":{\"0\":[1],\"1\":[1]}}\n"
	"/brokers/topics/team12.b\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/team12.ledger\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/team12.old\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/team13.a\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
	"/admin/delete_topics/team12.old\t\n";

/* ---- what it takes ------------------------------------------------------------------- */

static void a_look_counts_what_would_be_marked_and_tells_the_rest(void **state)
{
	struct bench *be = bench_new(team_tree);

	protect(be, ".*\\.ledger");
	fixture_said(be->fx, "dir /d1\nholds team12.a 0 size=100\nholds team12.a 1 size=50\nholds team12.b 0 size=7\nholds team12.ledger 0 size=9\ndisks 1\n");
	look(be, "team12\\..*,__.*");
	assert_false(be->pr.is_bad || be->pr.is_late || be->pr.is_too_complex || be->pr.is_empty);
	assert_int_equal(be->pr.n_topics, 6);
	assert_int_equal(be->pr.n_looked, 6);
	assert_int_equal(be->pr.n_match, 5);
	assert_int_equal(be->pr.takes.topics, 2);
	assert_int_equal(be->pr.takes.partitions, 3);
	assert_int_equal(be->pr.takes.replicas, 3);
	assert_int_equal(be->pr.takes.bytes, 157);
	assert_true(be->pr.takes.is_whole);
	assert_int_equal(be->pr.cluster_partitions, 7);
	assert_first(be, "team12.a team12.b");
	assert_struck(be, "struck out: 1 internal (__consumer_offsets), 1 protected (team12.ledger), 1 already queued (team12.old)");
	bench_free(&be);
}

static void what_is_marked_is_what_was_seen(void **state)
{
	struct bench *be = bench_new(team_tree);
	struct choice *ch = choice_new();
	size_t n;
	struct choice_mark *list;

	protect(be, ".*\\.ledger");
	look(be, "team12.*");
	assert_int_equal(marked(be, ch), 2);
	assert_int_equal(marked(be, ch), 0);
	list = choice_list(ch, &n);
	assert_int_equal(n, 2);
	assert_string_equal(list[0].name, "team12.a");
	assert_string_equal(list[1].name, "team12.b");
	assert_false(list[0].by_hand);
	mem_free(&list);
	choice_free(&ch);
	bench_free(&be);
}

static void sizes_are_not_whole_while_a_broker_is_silent(void **state)
{
	struct bench *be = bench_new(team_tree);

	look(be, "team12.a");
	assert_int_equal(be->pr.takes.bytes, 0);
	assert_false(be->pr.takes.is_whole);
	bench_free(&be);
}

static void nothing_typed_takes_nothing(void **state)
{
	struct bench *be = bench_new(team_tree);
	struct choice *ch = choice_new();

	look(be, "team12.*");
	look(be, "  ");
	assert_true(be->pr.is_empty);
	assert_int_equal(be->pr.n_match, 0);
	assert_int_equal(marked(be, ch), -1);
	choice_free(&ch);
	bench_free(&be);
}

static void what_changes_shows_in_the_next_look(void **state)
{
	struct bench *be = bench_new(team_tree);
	struct changes ch;

	look(be, "team12.*");
	assert_int_equal(be->pr.takes.topics, 3);
	model_changes_clear(be->fx->md);
	ch = model_changes(be->fx->md);
	assert_false(previewer_update(be->pv, &ch));
	fixture_children(be->fx, "/admin/delete_topics", (const char *const[]){ "team12.old", "team12.b", NULL });
	ch = model_changes(be->fx->md);
	assert_true(previewer_update(be->pv, &ch));
	previewer_look(be->pv, "team12.*", is_late, be, &be->pr);
	assert_first(be, "team12.a team12.ledger");
	assert_struck(be, "struck out: 2 already queued (team12.b, team12.old)");
	fixture_children(be->fx, "/brokers/topics", (const char *const[]){ "team12.a", NULL });
	ch = model_changes(be->fx->md);
	assert_true(previewer_update(be->pv, &ch));
	previewer_look(be->pv, "team12.*", is_late, be, &be->pr);
	assert_first(be, "team12.a");
	bench_free(&be);
}

/* Marks go by index: a list that has changed since must not give them to others. */
static void a_list_that_changed_since_the_look_marks_nothing(void **state)
{
	struct bench *be = bench_new(team_tree);
	struct choice *ch = choice_new();

	look(be, "team12.*");
	fixture_children(be->fx, "/brokers/topics", (const char *const[]){ "team12.b", "team13.a", NULL });
	assert_int_equal(marked(be, ch), -1);
	choice_free(&ch);
	bench_free(&be);
}

/* ---- what was meant ----------------------------------------------------------------------- */

static void assert_hint(struct bench *be, const char *typed, const char *expected)
{
	look(be, typed);
	assert_string_equal(be->pr.hint, expected);
}

static void a_name_that_takes_more_as_a_pattern_is_called_out(void **state)
{
	struct bench *be = bench_of_names((const char *const[]){ "test.a", "test_a", "x.y", "x-y", "testXa.v1", "plain", NULL });

	assert_hint(be, "test.a", "`test.a` as a pattern also takes `test_a`: 1 literal, 2 as pattern; test\\.a takes the one");
	assert_hint(be, "x.y,test.a", "`x.y|test.a` as a pattern also takes `test_a`: 2 literal, 4 as pattern; x\\.y,test\\.a takes those alone");
	assert_hint(be, "x_y", "");
	assert_hint(be, "x.y,plain", "`x.y|plain` as a pattern also takes `x-y`: 2 literal, 3 as pattern; x\\.y,plain takes those alone");
	assert_hint(be, "test\\.a", "");
	assert_hint(be, "test.*", "");
	assert_hint(be, "plain", "");
	bench_free(&be);
}

static void a_name_that_is_none_and_takes_another_is_called_out(void **state)
{
	struct bench *be = bench_of_names((const char *const[]){ "test_a", NULL });

	assert_hint(be, "test.a", "no topic is named `test.a`; as a pattern it takes `test_a`: \".\" is any character");
	bench_free(&be);
}

static void a_part_alone_says_how_to_take_what_has_it(void **state)
{
	struct bench *be = bench_new(team_tree);

	assert_hint(be, "team12.", "the whole name must match; 4 begin so: team12\\..*");
	assert_hint(be, "team13", "the whole name must match; 1 begins so: team13.*");
	assert_hint(be, "13", "the whole name must match; 1 has it within: .*13.*");
	assert_hint(be, "2.", "the whole name must match; 4 have it within: .*2\\..*");
	assert_hint(be, "nobody", "");
	bench_free(&be);
}

static void a_star_that_was_meant_as_any_text_is_called_out(void **state)
{
	struct bench *be = bench_new(team_tree);

	assert_hint(be, "team*", "`*` repeats what is before it; any text is `.*`: `team.*` takes 4");
	assert_hint(be, "team12.(a|b|x)*", "");
	assert_hint(be, "team12.(a|l*)", "");
	assert_hint(be, "(team12|team13)\\.l*", "`*` repeats what is before it; any text is `.*`: `(team12|team13)\\.l.*` takes 1");
	assert_hint(be, "team1[23*]", "");
	assert_hint(be, "\\d*", "");
	assert_hint(be, "nobody*", "");
	assert_hint(be, "_*", "");
	bench_free(&be);
}

/* ---- names in part ---------------------------------------------------------------------------- */

/* "3 team13.events. (first to last)", a line each. */
static void assert_stems(struct bench *be, const char *typed, const char *expected)
{
	struct strbuf sb;

	look(be, typed);
	strbuf_init(&sb);
	for (size_t i = 0; i < be->pr.n_stems; i++) {
		const struct preview_stem *st = &be->pr.stems[i];

		strbuf_printf(&sb, "%zu %.*s (%s to %s)\n", st->n, (int)st->len, st->first, st->first, st->last);
	}
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

static void names_that_differ_from_the_rest_in_their_stem_stand_first(void **state)
{
	struct bench *be = bench_of_names((const char *const[]){ "team13.events.a", "team13.events.b", "team13.events.c", "team13.evidence", "team14.ev0", "team14.ev1",
		"team14.eve", NULL });

	assert_stems(be, "team13.*", "1 team13.evidence (team13.evidence to team13.evidence)\n3 team13.events. (team13.events.a to team13.events.c)\n");
	assert_stems(be, "team14.*", "1 team14.eve (team14.eve to team14.eve)\n2 team14.ev (team14.ev0 to team14.ev1)\n");
	assert_stems(be, ".*", "3 team14. (team14.ev0 to team14.eve)\n4 team13. (team13.events.a to team13.evidence)\n");
	assert_stems(be, "team13.evidence", "");
	assert_stems(be, "team13.events.*", "1 team13.events.a (team13.events.a to team13.events.a)\n1 team13.events.b (team13.events.b to team13.events.b)\n"
		"1 team13.events.c (team13.events.c to team13.events.c)\n");
	assert_stems(be, "nobody", "");
	bench_free(&be);
}

static void of_many_names_the_first_and_the_last_are_kept(void **state)
{
	char text[41][8];
	const char *names[42] = { NULL };
	struct bench *be;

	for (size_t i = 0; i < 41; i++) {
		str_printf(text[i], sizeof(text[i]), "%c%02zu", (char)('a' + i % 26), i);
		names[i] = text[i];
	}
	be = bench_of_names(names);
	look(be, ".*");
	assert_int_equal(be->pr.n_first, PREVIEW_FIRST);
	assert_int_equal(be->pr.n_last, PREVIEW_LAST);
	assert_string_equal(be->pr.last[PREVIEW_LAST - 1], "z25");
	assert_int_equal(be->pr.n_stems, 0); /* too many */
	look(be, "[ab].*");
	assert_int_equal(be->pr.n_first, 4);
	assert_int_equal(be->pr.n_last, 0);
	bench_free(&be);
}

/* ---- bad input ------------------------------------------------------------------------------- */

static void a_bad_pattern_says_where_and_why_and_marks_nothing(void **state)
{
	struct bench *be = bench_new(team_tree);
	struct choice *ch = choice_new();

	look(be, "team.*");
	look(be, "team[");
	assert_true(be->pr.is_bad);
	assert_string_equal(be->pr.err.text, "pattern \"team[\", column 5: the bracket is never closed");
	assert_int_equal(marked(be, ch), -1);
	choice_free(&ch);
	bench_free(&be);
}

static void a_name_that_is_too_much_ends_the_look_at_once(void **state)
{
	char hard[201];
	struct bench *be;
	struct choice *ch = choice_new();

	memset(hard, 'a', 200);
	hard[200] = '\0';
	be = bench_of_names((const char *const[]){ "0", hard, "b", NULL });
	look(be, "([a-z]+)*[0-9]");
	assert_true(be->pr.is_too_complex);
	assert_int_equal(be->pr.n_looked, 1);
	assert_non_null(strstr(be->pr.err.text, "is too complex for the name"));
	assert_int_equal(marked(be, ch), -1);
	look(be, "[0-9]"); /* typing goes on */
	assert_int_equal(be->pr.takes.topics, 1);
	choice_free(&ch);
	bench_free(&be);
}

static void a_late_look_is_cut_off_and_marks_nothing(void **state)
{
	struct bench *be = bench_new(team_tree);
	struct choice *ch = choice_new();

	be->late_after = 1;
	look(be, "team.*");
	assert_true(be->pr.is_late);
	assert_in_range(be->pr.n_looked, 1, 5);
	assert_int_equal(marked(be, ch), -1);
	be->late_after = SIZE_MAX;
	look(be, "team.*");
	assert_false(be->pr.is_late);
	assert_int_equal(marked(be, ch), 4);
	choice_free(&ch);
	bench_free(&be);
}

static void names_with_metacharacters_are_names(void **state)
{
	struct bench *be = bench_of_names((const char *const[]){ "a+b", "a(b", "a|b", "aab", NULL });

	look(be, "a.b");
	assert_int_equal(be->pr.takes.topics, 4);
	look(be, "a\\+b");
	assert_first(be, "a+b");
	bench_free(&be);
}

static void a_stray_blank_changes_nothing(void **state)
{
	struct bench *be = bench_new(team_tree);

	look(be, " team12.a , team13.a ");
	assert_first(be, "team12.a team13.a");
	assert_string_equal(be->pr.prepared, "team12.a|team13.a");
	bench_free(&be);
}

/* ---- cases -------------------------------------------------------------------------------------- */

/* The names of a case's .rx as a cluster, its pattern typed. */
static struct bench *bench_of_case(const char *file, char *typed, size_t size)
{
	const char *names[64];
	size_t n, len = 0;
	char *rx = case_read(file, &n), *name = strstr(rx, "\n---\n");
	struct bench *be;

	assert_non_null(name);
	assert_true(str_copyn(typed, size, rx, (size_t)(name - rx)));
	for (name += 5; *name && len + 1 < sizeof(names) / sizeof(names[0]);) {
		names[len++] = name;
		name += strcspn(name, "\n");
		if (*name)
			*name++ = '\0';
	}
	names[len] = NULL;
	be = bench_of_names(names);
	mem_free(&rx);
	return be;
}

static void case_all_strikes_internal_topics_out(void **state)
{
	char typed[64];
	struct bench *be = bench_of_case("RX-01-all.rx", typed, sizeof(typed));

	look(be, typed);
	assert_int_equal(be->pr.n_match, 11);
	assert_int_equal(be->pr.takes.topics, 9);
	assert_struck(be, "struck out: 2 internal (__consumer_offsets, __transaction_state)");
	bench_free(&be);
}

static void case_dot_points_out_that_a_dot_is_any_character(void **state)
{
	char typed[64];
	struct bench *be = bench_of_case("RX-03-dot.rx", typed, sizeof(typed));

	look(be, typed);
	assert_first(be, "payments.eu paymentsXeu payments_eu");
	assert_string_equal(be->pr.hint, "`payments.eu` as a pattern also takes `paymentsXeu`: 1 literal, 3 as pattern; payments\\.eu takes the one");
	bench_free(&be);
}

static void case_escaped_dot_takes_one(void **state)
{
	char typed[64];
	struct bench *be = bench_of_case("RX-04-dot-escaped.rx", typed, sizeof(typed));

	look(be, typed);
	assert_first(be, "payments.eu");
	assert_string_equal(be->pr.hint, "");
	bench_free(&be);
}

static void case_internal_by_prefix_leaves_an_ordinary_topic(void **state)
{
	char typed[64];
	struct bench *be = bench_of_case("RX-17-internal.rx", typed, sizeof(typed));

	look(be, typed);
	assert_int_equal(be->pr.n_match, 3);
	assert_first(be, "__audit_app");
	assert_struck(be, "struck out: 2 internal (__consumer_offsets, __transaction_state)");
	bench_free(&be);
}

static void case_bad_patterns_take_nothing(void **state)
{
	static const struct { const char *file, *text; } cases[] = {
		{ "RX-13-glob-star.rx", "nothing to repeat before \"*\"; any text is \".*\"" },
		{ "RX-28-unbalanced.rx", "column 5: the bracket is never closed" },
	};

	for (size_t i = 0; i < 2; i++) {
		char typed[64];
		struct bench *be = bench_of_case(cases[i].file, typed, sizeof(typed));

		look(be, typed);
		assert_true(be->pr.is_bad);
		assert_non_null(strstr(be->pr.err.text, cases[i].text));
		assert_int_equal(be->pr.n_match, 0);
		bench_free(&be);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_counts_what_would_be_marked_and_tells_the_rest),
		cmocka_unit_test(what_is_marked_is_what_was_seen),
		cmocka_unit_test(sizes_are_not_whole_while_a_broker_is_silent),
		cmocka_unit_test(nothing_typed_takes_nothing),
		cmocka_unit_test(what_changes_shows_in_the_next_look),
		cmocka_unit_test(a_list_that_changed_since_the_look_marks_nothing),
		cmocka_unit_test(a_name_that_takes_more_as_a_pattern_is_called_out),
		cmocka_unit_test(a_name_that_is_none_and_takes_another_is_called_out),
		cmocka_unit_test(a_part_alone_says_how_to_take_what_has_it),
		cmocka_unit_test(a_star_that_was_meant_as_any_text_is_called_out),
		cmocka_unit_test(names_that_differ_from_the_rest_in_their_stem_stand_first),
		cmocka_unit_test(of_many_names_the_first_and_the_last_are_kept),
		cmocka_unit_test(a_bad_pattern_says_where_and_why_and_marks_nothing),
		cmocka_unit_test(a_name_that_is_too_much_ends_the_look_at_once),
		cmocka_unit_test(a_late_look_is_cut_off_and_marks_nothing),
		cmocka_unit_test(names_with_metacharacters_are_names),
		cmocka_unit_test(a_stray_blank_changes_nothing),
		cmocka_unit_test(case_all_strikes_internal_topics_out),
		cmocka_unit_test(case_dot_points_out_that_a_dot_is_any_character),
		cmocka_unit_test(case_escaped_dot_takes_one),
		cmocka_unit_test(case_internal_by_prefix_leaves_an_ordinary_topic),
		cmocka_unit_test(case_bad_patterns_take_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
