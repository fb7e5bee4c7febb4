/* SPDX-License-Identifier: Apache-2.0 */
/* batch/deletion_item: what `kafops deletions --watch` tells of a deletion, event by event. */
#include "batch/deletion_item.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/unit/fixture_deletion.h"

struct watched {
	struct stage *st;
	struct deletion_watch *dw;
	bool is_marked;
	struct strbuf told;         /* "queued after marker-removed; ", an event each */
};

static bool take(void *ctx, json_t *line)
{
	struct watched *wd = ctx;
	const char *before = json_string_value(json_object_get(line, "before")), *event = json_string_value(json_object_get(line, "event"));
	bool is_of_state = json_object_get(line, "item") != NULL;

	strbuf_printf(&wd->told, "%s%s%s; ", event, is_of_state && before ? " after " : "", is_of_state && before ? before : "");
	json_decref(line);
	return true;
}

static void look(struct watched *wd)
{
	strbuf_clear(&wd->told);
	if (deletions_count(wd->st->ds) > 0 || wd->is_marked)
		stage_look(wd->st);
	else
		stage_turn(wd->st);
	assert_true(deletion_watch_look(wd->dw, &wd->st->cl, wd->st->ds, fixture_now(wd->st->fx), NULL, take, wd));
}

static void mark(struct watched *wd)
{
	stage_mark(wd->st);
	wd->is_marked = true;
}

static void watched_init(struct watched *wd)
{
	*wd = (struct watched){ .st = stage_new(), .dw = deletion_watch_new() };
	strbuf_init(&wd->told);
	look(wd);
	assert_string_equal(wd->told.s, "");
}

static void watched_fini(struct watched *wd)
{
	strbuf_fini(&wd->told);
	deletion_watch_free(&wd->dw);
	stage_free(&wd->st);
}

static void what_the_snapshot_has_is_not_told(void **state)
{
	struct watched wd = { .st = stage_new(), .dw = deletion_watch_new() };

	(void)state;
	strbuf_init(&wd.told);
	mark(&wd);
	look(&wd);
	assert_string_equal(wd.told.s, "");
	look(&wd);
	assert_string_equal(wd.told.s, "");
	watched_fini(&wd);
}

static void a_deletion_that_comes_is_told_as_queued(void **state)
{
	struct watched wd;

	(void)state;
	watched_init(&wd);
	mark(&wd);
	look(&wd);
	assert_true(str_starts(wd.told.s, "queued; attempt; "));
	look(&wd);
	assert_string_equal(wd.told.s, "");
	watched_fini(&wd);
}

static void a_marker_put_again_is_told_as_queued_again(void **state)
{
	struct watched wd;

	(void)state;
	watched_init(&wd);
	mark(&wd);
	look(&wd);
	stage_rest(wd.st, 20000);
	stage_unmark(wd.st);
	look(&wd);
	assert_non_null(strstr(wd.told.s, " after queued; "));
	assert_true(deletion_state_is_end(wd.st->de->state));
	mark(&wd);
	look(&wd);
	assert_false(deletion_state_is_end(wd.st->de->state));
	assert_true(str_starts(wd.told.s, "queued after "));
	watched_fini(&wd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_snapshot_has_is_not_told),
		cmocka_unit_test(a_deletion_that_comes_is_told_as_queued),
		cmocka_unit_test(a_marker_put_again_is_told_as_queued_again),
	};

	return cmocka_run_group_tests_name("batch/deletion_item", tests, NULL, NULL);
}
