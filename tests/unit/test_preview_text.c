/* SPDX-License-Identifier: Apache-2.0 */
#include "view/preview_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "core/preview.h"

static const char *const names[] = { "team12.clicks.v1", "team12.clicks.v2", "team12.export", "team12.orders", "team12.pay", "team12.tmp" };

static struct preview sixty(void)
{
	struct preview pr = {
		.n_topics = 1204, .n_looked = 1204, .n_match = 63, .cluster_partitions = 18330, .prepared = "team12\\..*",
		.takes = { .topics = 60, .partitions = 480, .replicas = 1440, .bytes = INT64_C(1319413953331), .is_whole = true },
		.n_first = 6,
	};

	memcpy(pr.first, names, sizeof(names));
	choice_tally_strike(&pr.struck, CHOICE_INTERNAL, "__consumer_offsets");
	choice_tally_strike(&pr.struck, CHOICE_INTERNAL, "__transaction_state");
	choice_tally_strike(&pr.struck, CHOICE_PROTECTED, "team12.ledger");
	return pr;
}

/* The lines, each ended by "|". */
static void assert_lines(const struct preview *pr, size_t width, size_t n, const char *expected)
{
	struct preview_line lines[PREVIEW_LINES_MAX];
	struct strbuf sb;

	preview_text(pr, width, lines, n);
	strbuf_init(&sb);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&sb, "%s|\n", lines[i].text);
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

static void five_lines_tell_all(void **state)
{
	struct preview pr = sixty();

	assert_lines(&pr, 78, 5,
		"as kafka-topics --topic reads it, the whole name: team12\\..*|\n"
		"60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team12.clicks.v1 team12.clicks.v2 team12.export team12.orders and 56 more|\n"
		"struck out: 2 internal (__consumer_offsets, __transaction_state), 1 protected (team12.ledger)|\n"
		"|\n");
}

static void what_was_meant_stands_last(void **state)
{
	struct preview pr = sixty();

	assert_true(str_copy(pr.hint, sizeof(pr.hint), "did you mean that?"));
	assert_lines(&pr, 78, 5,
		"as kafka-topics --topic reads it, the whole name: team12\\..*|\n"
		"60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team12.clicks.v1 team12.clicks.v2 team12.export team12.orders and 56 more|\n"
		"struck out: 2 internal (__consumer_offsets, __transaction_state), 1 protected (team12.ledger)|\n"
		"did you mean that?|\n");
	assert_lines(&pr, 78, 2, "60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\ndid you mean that?|\n");
}

static void what_was_meant_takes_two_lines_where_nothing_is_struck_out(void **state)
{
	struct preview pr = sixty();

	memset(&pr.struck, 0, sizeof(pr.struck));
	assert_true(str_copy(pr.hint, sizeof(pr.hint), "`payments.eu` as a pattern also takes `payments_eu`: 1 literal, 2 as pattern; payments\\.eu takes the one"));
	assert_lines(&pr, 78, 5,
		"as kafka-topics --topic reads it, the whole name: team12\\..*|\n"
		"60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team12.clicks.v1 team12.clicks.v2 team12.export team12.orders and 56 more|\n"
		"`payments.eu` as a pattern also takes `payments_eu`: 1 literal, 2 as pattern;|\n"
		"payments\\.eu takes the one|\n");
}

static void fewer_lines_leave_out_what_matters_least(void **state)
{
	struct preview pr = sixty();

	assert_lines(&pr, 38, 2,
		"60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team12.clicks.v1 and 59 more|\n");
	assert_lines(&pr, 38, 1, "60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\n");
	assert_lines(&pr, 38, 0, "");
}

static void names_fill_the_width_and_the_last_one_needs_no_more(void **state)
{
	struct preview pr = sixty();

	pr.takes.topics = 2;
	pr.n_first = 2;
	pr.prepared[0] = '\0';
	memset(&pr.struck, 0, sizeof(pr.struck));
	assert_lines(&pr, 33, 4,
		"2 topics (0.2 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team12.clicks.v1 team12.clicks.v2|\n|\n|\n");
}

static void of_many_names_the_first_and_the_last_stand_there(void **state)
{
	struct preview pr = sixty();

	pr.last[0] = "team12.web", pr.last[1] = "team12.zoo";
	pr.n_last = 2;
	assert_lines(&pr, 78, 2, "60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team12.clicks.v1 team12.clicks.v2 team12.export, 56 more and team12.zoo|\n");
	assert_lines(&pr, 40, 2, "60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\nteam12.clicks.v1, 58 more and team12.zoo|\n");
	assert_lines(&pr, 30, 2, "60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB|\nteam12.clicks.v1 and 59 more|\n");
}

static struct preview sixty_one(void)
{
	static const char *const events[] = { "team13.events.00", "team13.events.01", "team13.events.02", "team13.events.03" };
	struct preview pr = sixty();

	pr.takes.topics = 61;
	pr.n_first = 4;
	memcpy(pr.first, events, sizeof(events));
	pr.last[0] = "team13.events.59", pr.last[1] = "team13.evidence";
	pr.n_last = 2;
	pr.stems[0] = (struct preview_stem){ .first = "team13.evidence", .last = "team13.evidence", .len = 15, .n = 1 };
	pr.stems[1] = (struct preview_stem){ .first = "team13.events.00", .last = "team13.events.59", .len = 14, .n = 60 };
	pr.n_stems = 2;
	return pr;
}

static void a_name_that_is_not_like_the_others_stands_first(void **state)
{
	struct preview pr = sixty_one();

	assert_lines(&pr, 99, 2, "61 topics (5.1 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team13.evidence, 60 begin with team13.events. (team13.events.00 to team13.events.59)|\n");
	assert_lines(&pr, 78, 2, "61 topics (5.1 % of all), 480 partitions (2.6 %), 1.2 TiB|\nteam13.evidence, 60 begin with team13.events.|\n");
	assert_lines(&pr, 38, 2, "61 topics (5.1 % of all), 480 partitions (2.6 %), 1.2 TiB|\nteam13.evidence and 60 more|\n");
}

static void more_lines_have_more_names(void **state)
{
	struct preview pr = sixty_one();

	assert_lines(&pr, 78, 7,
		"as kafka-topics --topic reads it, the whole name: team12\\..*|\n"
		"61 topics (5.1 % of all), 480 partitions (2.6 %), 1.2 TiB|\n"
		"team13.evidence, 60 begin with team13.events.|\n"
		"team13.events.00 team13.events.01 team13.events.02 team13.events.03, 56 more|\n"
		"and team13.evidence|\n"
		"struck out: 2 internal (__consumer_offsets, __transaction_state), 1 protected (team12.ledger)|\n"
		"|\n");
}

static void sizes_that_are_not_whole_have_a_question_mark(void **state)
{
	struct preview pr = sixty();

	pr.takes.is_whole = false;
	pr.takes.topics = pr.takes.partitions = 1;
	assert_lines(&pr, 78, 1, "1 topic (under 0.1 % of all), 1 partition (under 0.1 %), 1.2 TiB?|\n");
}

static void nothing_typed_says_how_it_will_be_read(void **state)
{
	struct preview pr = { .is_empty = true };

	assert_lines(&pr, 78, 5, "read as kafka-topics --topic does: the whole name, a,b is a or b, .* any text|\n|\n|\n|\n|\n");
	assert_lines(&pr, 78, 1, "read as kafka-topics --topic does: the whole name, a,b is a or b, .* any text|\n");
}

static void nothing_that_matches_is_said(void **state)
{
	struct preview pr = { .n_topics = 12, .n_looked = 12, .prepared = "x" };

	assert_lines(&pr, 78, 2, "0 topics match, of 12|\n|\n");
	pr.n_match = 1;
	choice_tally_strike(&pr.struck, CHOICE_INTERNAL, "__consumer_offsets");
	assert_lines(&pr, 78, 3, "0 topics to mark: all that match are struck out|\n|\nstruck out: 1 internal (__consumer_offsets)|\n");
}

static void what_is_wrong_takes_the_lines_there_are(void **state)
{
	struct preview pr = { .is_bad = true };

	err_init(&pr.err);
	err_set(&pr.err, ERR_USAGE, "pattern \"tmp-[0-9\", column 5: the bracket is never closed");
	assert_lines(&pr, 38, 5,
		"read as kafka-topics --topic does: the whole name, a,b is a or b, .* any text|\n"
		"pattern \"tmp-[0-9\", column 5: the|\nbracket is never closed|\n|\n|\n");
	assert_lines(&pr, 38, 1, "pattern \"tmp-[0-9\", column 5: the bracket is never closed|\n");
}

static void a_look_that_was_cut_off_says_how_far_it_came(void **state)
{
	struct preview pr = sixty();

	pr.is_late = true;
	pr.n_looked = 40000;
	pr.n_topics = 100000;
	assert_lines(&pr, 78, 1, "60 topics so far: looked at 40,000 of 100,000; Enter looks at all|\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_lines_tell_all),
		cmocka_unit_test(what_was_meant_stands_last),
		cmocka_unit_test(what_was_meant_takes_two_lines_where_nothing_is_struck_out),
		cmocka_unit_test(fewer_lines_leave_out_what_matters_least),
		cmocka_unit_test(names_fill_the_width_and_the_last_one_needs_no_more),
		cmocka_unit_test(of_many_names_the_first_and_the_last_stand_there),
		cmocka_unit_test(a_name_that_is_not_like_the_others_stands_first),
		cmocka_unit_test(more_lines_have_more_names),
		cmocka_unit_test(sizes_that_are_not_whole_have_a_question_mark),
		cmocka_unit_test(nothing_typed_says_how_it_will_be_read),
		cmocka_unit_test(nothing_that_matches_is_said),
		cmocka_unit_test(what_is_wrong_takes_the_lines_there_are),
		cmocka_unit_test(a_look_that_was_cut_off_says_how_far_it_came),
	};

	return cmocka_run_group_tests_name("view/preview_text", tests, NULL, NULL);
}
