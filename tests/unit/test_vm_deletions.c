/* SPDX-License-Identifier: Apache-2.0 */
/* view/vm_deletions: its title, where more topics are queued than are followed. How rows look: tests/tui. */
#include "view/vm_deletions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/deletion.h"
#include "core/witness.h"
#include "tests/unit/fixture.h"
#include "view/table.h"

/* Of n queued topics. Static storage. */
static const char *title_of(size_t n)
{
	static char title[256];
	struct model *md = model_new();
	struct deletions *ds = deletions_new();
	struct vm_deletions *vm = vm_deletions_new(model_cluster(md));
	struct query all = fixture_query("", -1, false);
	const char **names = mem_array(n + 1, sizeof(*names));

	for (size_t i = 0; i < n; i++) {
		char name[16];

		str_printf(name, sizeof(name), "t%05zu", i);
		names[i] = mem_strdup(name);
	}
	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_OK, NULL, names, n, NULL, 1, (mono_ms){ 1000 }, (wall_ms){ 1000 }));
	(void)deletions_update(ds, model_cluster(md), NULL, (mono_ms){ 1000 }, (wall_ms){ 1000 });
	vm_deletions_take(vm, ds);
	assert_true(vm_deletions_update(vm, NULL, &all, (wall_ms){ 1000 }));
	str_printf(title, sizeof(title), "%s", vm_deletions_table(vm)->title);
	for (size_t i = 0; i < n; i++)
		mem_free(&names[i]);
	mem_free(&names);
	vm_deletions_free(&vm);
	deletions_free(&ds);
	model_free(&md);
	return title;
}

static void topics_beyond_those_that_are_followed_are_counted_apart(void **state)
{
	(void)state;
	assert_null(strstr(title_of(WITNESSES_MAX), "not followed"));
	assert_non_null(strstr(title_of(WITNESSES_MAX + 10), "5,000 topics queued: 5,000 not begun"));
	assert_non_null(strstr(title_of(WITNESSES_MAX + 10), "; 10 more queued, not followed"));
}

static void list_at(struct model *md, const char *path, const char *const *names, size_t n, int64_t at)
{
	model_apply(md, event_from_children(path, ZNODE_OK, NULL, names, n, NULL, 1, (mono_ms){ at }, (wall_ms){ at }));
}

/* How long it took is told by its own page. */
static void the_age_of_one_that_is_over_is_that_of_its_end(void **state)
{
	static const char *const ghost[] = { "ghost" };
	struct model *md = model_new();
	struct deletions *ds = deletions_new();
	struct vm_deletions *vm = vm_deletions_new(model_cluster(md));
	struct query all = fixture_query("", -1, false);
	struct znode_stat st = { .czxid = 9, .ctime = { 1000 }, .mtime = { 1000 }, .n_children = 0 };
	struct strbuf text;

	list_at(md, "/brokers/topics", NULL, 0, 1000);
	list_at(md, "/admin/delete_topics", ghost, 1, 1000);
	model_apply(md, event_from_znode("/admin/delete_topics/ghost", ZNODE_OK, NULL, "", 0, &st, 1, (mono_ms){ 1000 }, (wall_ms){ 1000 }));
	list_at(md, "/admin/delete_topics", NULL, 0, 61000);
	(void)deletions_update(ds, model_cluster(md), NULL, (mono_ms){ 91000 }, (wall_ms){ 91000 });
	vm_deletions_take(vm, ds);
	assert_true(vm_deletions_update(vm, NULL, &all, (wall_ms){ 91000 }));
	strbuf_init(&text);
	table_print(vm_deletions_table(vm), 160, 0, 1, false, &text);
	assert_non_null(strstr(text.s, " UNKN "));
	assert_non_null(strstr(text.s, " 30s "));
	strbuf_fini(&text);
	vm_deletions_free(&vm);
	deletions_free(&ds);
	model_free(&md);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(topics_beyond_those_that_are_followed_are_counted_apart),
		cmocka_unit_test(the_age_of_one_that_is_over_is_that_of_its_end),
	};

	return cmocka_run_group_tests_name("view/vm_deletions", tests, NULL, NULL);
}
