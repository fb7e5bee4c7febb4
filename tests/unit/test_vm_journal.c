/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/outcome.h"
#include "tests/unit/fixture.h"
#include "view/vm_record.h"

enum { RECORDS_MAX = 16 };

struct world {
	struct fixture *fx;
	struct record *records[RECORDS_MAX];
	struct intents open;
	struct journal_facts jf;
	struct vm_journal *vm;
	struct strbuf text;
};

static int begin(void **state)
{
	struct world *w = mem_zalloc(sizeof(*w));

	w->fx = fixture_new();
	fixture_load(w->fx, fixture_case("fixture-a.zktree"));
	intents_init(&w->open);
	w->vm = vm_journal_new();
	strbuf_init(&w->text);
	*state = w;
	return 0;
}

static int end(void **state)
{
	struct world *w = *state;

	for (size_t i = 0; i < w->jf.n; i++)
		record_free(&w->records[i]);
	intents_fini(&w->open);
	vm_journal_free(&w->vm);
	strbuf_fini(&w->text);
	fixture_free(&w->fx);
	mem_free(&w);
	return 0;
}

/* Topics and outcomes by turns; an outcome of -1 is none. Times go up. */
static struct record *add(struct world *w, uint64_t id, enum record_phase phase, const char *topic, int outcome)
{
	struct record *re = record_new();

	re->id = id;
	re->phase = phase;
	re->at = (wall_ms){ FIXTURE_START - 3600000 + (int64_t)w->jf.n * 1000 };
	re->command = mem_strdup("delete-topics");
	re->cluster_id = mem_strdup("Zml4dHVyZS1jbHVzdGVyLQ");
	re->effect = phase == RECORD_OUTCOME ? NULL : mem_strdup("delete 1 topic");
	re->who.login = mem_strdup("oncall");
	re->n_items = 1;
	re->items = mem_array(1, sizeof(*re->items));
	re->items[0] = (struct record_item){ .topic = mem_strdup(topic), .outcome = outcome };
	intents_take(&w->open, re);
	w->records[w->jf.n++] = re;
	w->jf.records = (const struct record *const *)w->records;
	w->jf.open = &w->open;
	return re;
}

static const char *shown(struct world *w, const char *filter)
{
	struct query qu = fixture_query(filter, -1, false);

	strbuf_clear(&w->text);
	w->jf.open = &w->open;
	vm_journal_update(w->vm, &w->jf, &qu, (wall_ms){ FIXTURE_START });
	table_print(vm_journal_table(w->vm), 80, 0, vm_journal_table(w->vm)->n_rows, false, &w->text);
	return w->text.s;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void a_command_is_one_row_with_what_came_of_it(void **state)
{
	struct world *w = *state;

	add(w, 1, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 1, RECORD_OUTCOME, "orders", OUTCOME_DONE);
	add(w, 2, RECORD_REFUSED, "orders", RECORD_NO_OUTCOME)->text = mem_strdup("read-only: start with --operate");
	shown(w, "");
	assert_int_equal(vm_journal_table(w->vm)->n_rows, 2);
	assert_string_equal(vm_journal_table(w->vm)->key(vm_journal_table(w->vm), 0), "0000000000000002"); /* newest first */
	assert_has(w->text.s, "1 queued");
	assert_has(w->text.s, "read-only: start with --operate");
	assert_string_equal(vm_journal_table(w->vm)->title, "2 commands in the journal");
}

static void an_intent_without_outcome_is_unknown_unless_it_is_ours_and_under_way(void **state)
{
	struct world *w = *state;

	add(w, 7, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	assert_has(shown(w, ""), "OUTCOME UNKNOWN");
	assert_has(vm_journal_table(w->vm)->title, "outcome unknown of 1");
	assert_int_equal(vm_journal_table(w->vm)->title_style, CELL_WRONG);
	w->jf.running = 7;
	assert_has(shown(w, ""), "under way");
	assert_int_equal(vm_journal_table(w->vm)->title_style, CELL_NORMAL);
}

static bool always(const struct record *re, wall_ms now)
{
	return re->who.pid == 4711 && now.ms == FIXTURE_START;
}

static void an_intent_that_another_program_carries_out_is_under_way(void **state)
{
	struct world *w = *state;
	struct vm_record *vm;

	add(w, 7, RECORD_INTENT, "orders", RECORD_NO_OUTCOME)->who.pid = 4711;
	w->open.v[0]->who.pid = 4711;
	w->jf.is_elsewhere = always;
	assert_has(shown(w, ""), "under way, process 4711");
	assert_int_equal(vm_journal_table(w->vm)->title_style, CELL_NORMAL);
	vm = vm_record_new(fixture_cluster(w->fx), "0000000000000007");
	vm_record_resize(vm, 120);
	vm_record_update(vm, &w->jf, (wall_ms){ FIXTURE_START });
	strbuf_clear(&w->text);
	table_print(vm_record_table(vm), 120, 0, vm_record_table(vm)->n_rows, false, &w->text);
	assert_has(w->text.s, "carried out by process 4711");
	vm_record_free(&vm);
}

static void rows_are_made_again_when_what_they_are_made_of_is_another(void **state)
{
	struct world *w = *state;
	struct query all = fixture_query("", -1, false), some = fixture_query("orders", -1, false);
	wall_ms now = { FIXTURE_START };

	add(w, 0x11, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	w->jf.version = 1;
	assert_true(vm_journal_update(w->vm, &w->jf, &all, now));
	assert_false(vm_journal_update(w->vm, &w->jf, &all, now));
	assert_true(vm_journal_update(w->vm, &w->jf, &all, (wall_ms){ now.ms + 1000 })); /* its age */
	now.ms += 1000;
	w->jf.running = 0x11;
	assert_true(vm_journal_update(w->vm, &w->jf, &all, now));
	assert_true(vm_journal_update(w->vm, &w->jf, &some, now));
	w->jf.version = 2;
	assert_true(vm_journal_update(w->vm, &w->jf, &some, now));
	assert_false(vm_journal_update(w->vm, &w->jf, &some, now));
	w->jf.version = 0;
	assert_true(vm_journal_update(w->vm, &w->jf, &some, now));
}

static void the_filter_words_say_what_came_of_it(void **state)
{
	struct world *w = *state;

	add(w, 1, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 2, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 2, RECORD_OUTCOME, "orders", OUTCOME_DONE);
	add(w, 3, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 3, RECORD_OUTCOME, "orders", OUTCOME_REFUSED);
	add(w, 4, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 4, RECORD_OUTCOME, "orders", OUTCOME_UNKNOWN);
	shown(w, "unknown");
	assert_int_equal(vm_journal_table(w->vm)->n_rows, 2);
	shown(w, "refused");
	assert_int_equal(vm_journal_table(w->vm)->n_rows, 1);
	shown(w, "queued");
	assert_int_equal(vm_journal_table(w->vm)->n_rows, 1);
	shown(w, "ONCALL !queued");
	assert_int_equal(vm_journal_table(w->vm)->n_rows, 3);
	shown(w, "nobody");
	assert_string_equal(vm_journal_table(w->vm)->empty, "4 commands, none match /nobody/");
}

static void what_is_wrong_with_the_file_stands_in_the_title(void **state)
{
	struct world *w = *state;

	assert_string_equal((shown(w, ""), vm_journal_table(w->vm)->empty), "nothing was asked of a cluster from this account on this host");
	w->jf.n_bad = 1;
	w->jf.bad_at = 1234;
	shown(w, "");
	assert_string_equal(vm_journal_table(w->vm)->title, "0 commands in the journal, 1 line is no record (byte 1,234)");
	w->jf.error = "the journal /j can't be read: no";
	shown(w, "");
	assert_string_equal(vm_journal_table(w->vm)->empty, "the journal /j can't be read: no");
}

static const char *record_text(struct world *w, uint64_t id)
{
	char text[RECORD_ID_MAX];
	struct vm_record *vr = vm_record_new(fixture_cluster(w->fx), record_id_text(text, id));

	strbuf_clear(&w->text);
	w->jf.open = &w->open;
	vm_record_resize(vr, 160);
	vm_record_update(vr, &w->jf, (wall_ms){ FIXTURE_START });
	table_print(vm_record_table(vr), 160, 0, vm_record_table(vr)->n_rows, false, &w->text);
	vm_record_free(&vr);
	return w->text.s;
}

static void a_record_says_what_the_cluster_says_of_an_unknown_outcome(void **state)
{
	static const char *const markers[] = { "orders", NULL };
	struct world *w = *state;

	add(w, 1, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 2, RECORD_INTENT, "gone", RECORD_NO_OUTCOME);
	add(w, 3, RECORD_INTENT, "payments_eu", RECORD_NO_OUTCOME)->items[0].czxid = 5;
	assert_has(record_text(w, 1), "now: it is there and not queued");
	fixture_children(w->fx, "/admin/delete_topics", markers);
	assert_has(record_text(w, 1), "now: it is queued for deletion");
	assert_has(record_text(w, 2), "now: it is gone, so it was taken");
	w->records[0]->cluster_id[0] = 'X';
	assert_null(strstr(record_text(w, 9), "OUTCOME"));
}

static void of_a_topic_that_was_queued_it_is_said_when_it_is_gone(void **state)
{
	struct world *w = *state;

	add(w, 1, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 1, RECORD_OUTCOME, "orders", OUTCOME_DONE);
	add(w, 2, RECORD_INTENT, "gone", RECORD_NO_OUTCOME);
	add(w, 2, RECORD_OUTCOME, "gone", OUTCOME_DONE)->items[0].text = mem_strdup("queued for deletion");
	assert_null(strstr(record_text(w, 1), "now gone"));
	assert_has(record_text(w, 2), "gone: queued for deletion, now gone");
}

static void what_kafka_says_of_a_topic_is_said_once(void **state)
{
	struct world *w = *state;

	add(w, 1, RECORD_INTENT, "orders", RECORD_NO_OUTCOME);
	add(w, 1, RECORD_OUTCOME, "orders", OUTCOME_DONE)->items[0].text = mem_strdup("queued for deletion");
	assert_has(record_text(w, 1), "orders: queued for deletion");
	assert_null(strstr(record_text(w, 1), "queued: "));
}

static void a_record_of_another_cluster_is_told_nothing_of_this_one(void **state)
{
	struct world *w = *state;
	struct record *re = record_new();

	re->id = 1;
	re->cluster_id = mem_strdup("another");
	re->n_items = 1;
	re->items = mem_array(1, sizeof(*re->items));
	re->items[0] = (struct record_item){ .topic = mem_strdup("orders"), .outcome = RECORD_NO_OUTCOME };
	intents_take(&w->open, re);
	w->records[w->jf.n++] = re;
	w->jf.records = (const struct record *const *)w->records;
	assert_has(record_text(w, 1), "orders: OUTCOME UNKNOWN");
	assert_null(strstr(w->text.s, "now:"));
}

/* Of a large deletion what was taken is many lines: what nobody knows must not stand below them. */
static void what_is_not_known_stands_before_what_came_of_the_rest(void **state)
{
	struct world *w = *state;
	struct record *re = record_new();
	const char *text, *unknown;

	re->id = 1;
	re->n_items = 2;
	re->items = mem_array(2, sizeof(*re->items));
	re->items[0] = (struct record_item){ .topic = mem_strdup("gone"), .outcome = RECORD_NO_OUTCOME };
	re->items[1] = (struct record_item){ .topic = mem_strdup("orders"), .outcome = RECORD_NO_OUTCOME };
	intents_take(&w->open, re);
	w->records[w->jf.n++] = re;
	add(w, 1, RECORD_OUTCOME, "orders", OUTCOME_DONE);
	text = record_text(w, 1);
	assert_has(text, "What came of 1 of 2 is not written down");
	unknown = strstr(text, "gone: OUTCOME UNKNOWN");
	assert_non_null(unknown);
	assert_has(unknown, "orders: queued");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_command_is_one_row_with_what_came_of_it, begin, end),
		cmocka_unit_test_setup_teardown(an_intent_without_outcome_is_unknown_unless_it_is_ours_and_under_way, begin, end),
		cmocka_unit_test_setup_teardown(an_intent_that_another_program_carries_out_is_under_way, begin, end),
		cmocka_unit_test_setup_teardown(rows_are_made_again_when_what_they_are_made_of_is_another, begin, end),
		cmocka_unit_test_setup_teardown(the_filter_words_say_what_came_of_it, begin, end),
		cmocka_unit_test_setup_teardown(what_is_wrong_with_the_file_stands_in_the_title, begin, end),
		cmocka_unit_test_setup_teardown(a_record_says_what_the_cluster_says_of_an_unknown_outcome, begin, end),
		cmocka_unit_test_setup_teardown(what_is_not_known_stands_before_what_came_of_the_rest, begin, end),
		cmocka_unit_test_setup_teardown(of_a_topic_that_was_queued_it_is_said_when_it_is_gone, begin, end),
		cmocka_unit_test_setup_teardown(what_kafka_says_of_a_topic_is_said_once, begin, end),
		cmocka_unit_test_setup_teardown(a_record_of_another_cluster_is_told_nothing_of_this_one, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
