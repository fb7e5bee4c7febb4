/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/disks.h"
#include "tests/unit/fixture.h"
#include "view/vm_dirs.h"

enum { COL_STATE = 2, COL_SIZE = 4, COL_FREE = 5, COL_WHY = 12 };

static void update(struct vm_dirs *vm, struct fixture *fx, const struct query *qu)
{
	struct changes ch = model_changes(fx->md);

	vm_dirs_update(vm, &ch, qu, fixture_now(fx));
	model_changes_clear(fx->md);
}

static void assert_text(const struct vm_dirs *vm, size_t width, const char *expected)
{
	const struct table *tb = vm_dirs_table(vm);
	struct strbuf out;

	strbuf_init(&out);
	table_print(tb, width, 0, tb->n_rows, false, &out);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

/* Keys in order, each with a blank behind it. */
static const char *keys_of(const struct vm_dirs *vm)
{
	static char out[1024];
	const struct table *tb = vm_dirs_table(vm);
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < tb->n_rows; i++) {
		str_printf(out + len, sizeof(out) - len, "%s ", tb->key(tb, i));
		len = strlen(out);
	}
	return out;
}

static const char tree[] =
	"/brokers/ids/2\t{\"host\":\"b2.example\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/3\t{\"host\":\"b3.example\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/8\t{\"host\":\"b8.example\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/topics/orders\t{\"version\":1,\"partitions\":{\"0\":[2,3],\"1\":[8,2]}}\n";

static const char told[] =
	"link 2 up\nlink 3 up\nlink 8 up\n"
	"dir /data/d1 total=2199023255552 usable=197568495616\nholds orders 0 size=1979120929997\nholds orders 1 size=5\ndisks 2\n"
	"dir /data/d1 total=1099511627776 usable=1088516511498\nholds orders 0 size=1979120929\ndir /data/d2 error=56\ndisks 3\n"
	"dir /data/d1 total=2199023255552 usable=615726511555\nholds orders 1 size=1539316278886\nholds stray 0 size=4096\n"
	"dir /data/d2 total=2199023255552 usable=2000000000000\nholds orders 1 size=7 lag=9 future\ndisks 8\n";

static void offline_dirs_come_first_then_the_fullest(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	assert_string_equal(vm_dirs_table(vm)->title, "3 brokers, 5 log dirs, 1 offline; 1 orphan");
	assert_int_equal(vm_dirs_table(vm)->title_style, CELL_WRONG);
	assert_string_equal(vm_dirs_table(vm)->sort_text, "by use, then broker");
	assert_text(vm, 80,
		"  BROKER DIR      STATE    USED                SIZE   FREE REPL FUTURE ORPH\n"
		"       3 /data/d2 offline  ?                      ?      ?    ?      ?    ?\n"
		"       2 /data/d1 online   [#########-]  91%   1.8T   184G    2      0    0\n"
		"       8 /data/d1 online   [#######---]  71%   1.4T   573G    2      0    1\n"
		"       8 /data/d2 online   [#---------]   9%     7B   1.8T    0      1    0\n"
		"       3 /data/d1 online   [----------]   1%   1.8G   1.0T    1      0    0\n");
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void brokers_that_tell_no_totals_have_no_bar(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, tree);
	fixture_said(fx, "link 2 up\nlink 3 up\nlink 8 up\ndir /data/d1\nholds orders 0 size=1024\ndir /data/d2\ndisks 2\n"
		"dir /a\ndisks 3\ndir /a\nholds orders 1 size=4096\ndisks 8\n");
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  BROKER DIR      STATE      SIZE REPL FUTURE ORPH TOLD       HOST\n"
		"       2 /data/d1 online     1.0K    1      0    0 22:13:47   b2.example:9092\n"
		"       2 /data/d2 online       0B    0      0    0 22:13:47   b2.example:9092\n"
		"       3 /a       online       0B    0      0    0 22:13:49   b3.example:9092\n"
		"       8 /a       online     4.0K    1      0    0 22:13:52   b8.example:9092\n");
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static const char *cell_of(const struct vm_dirs *vm, size_t i, size_t col, unsigned *style, struct arena *ar)
{
	const struct table *tb = vm_dirs_table(vm);
	struct row ro;

	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, i, &ro, ar);
	if (style)
		*style = ro.cells[col].style;
	return ro.cells[col].text;
}

static void a_broker_whose_dirs_are_not_known_is_a_row_that_says_why(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, tree);
	update(vm, fx, &qu);
	assert_string_equal(vm_dirs_table(vm)->title, "3 brokers, 0 log dirs, 0 offline; 3 brokers not known");
	fixture_said(fx, "link 2 up\nlink 3 failed refused\nlink 8 up\nrefuses-disks 8\n");
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  BROKER DIR      STATE      SIZE REPL FUTURE ORPH WHY\n"
		"       2 ?        ?             ?    ?      ?    ? no answer yet\n"
		"       3 ?        ?             ?    ?      ?    ? refused\n"
		"       8 ?        ?             ?    ?      ?    ? no permission\n");
	fixture_said(fx, "dir /d total=100 usable=50\ndisks 2\n");
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  BROKER DIR      STATE    USED                SIZE   FREE WHY\n"
		"       2 /d       online   [#####-----]  50%     0B    50B\n"
		"       3 ?        ?        ?                      ?      ? refused\n"
		"       8 ?        ?        ?                      ?      ? no permission\n");
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void a_broker_that_was_never_asked_says_so(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);
	struct arena *ar = arena_new(0);

	fixture_load_text(fx, tree);
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "2", "8", NULL });
	fixture_said(fx, "link 8 connecting\n");
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "2: 3: 8: ");
	assert_string_equal(cell_of(vm, 0, COL_WHY, NULL, ar), "not asked yet");
	assert_string_equal(cell_of(vm, 1, COL_WHY, NULL, ar), "the broker is down");
	assert_string_equal(cell_of(vm, 2, COL_WHY, NULL, ar), "connecting");
	fixture_said(fx, "asked nobody-answers\n");
	update(vm, fx, &qu);
	assert_string_equal(cell_of(vm, 0, COL_WHY, NULL, ar), "nobody-answers");
	arena_free(&ar);
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void what_a_broker_told_before_it_went_stays_as_old(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("old", -1, false);
	struct arena *ar = arena_new(0);
	unsigned style;

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	assert_int_equal(vm_dirs_table(vm)->n_rows, 0);
	assert_string_equal(vm_dirs_table(vm)->empty, "5 log dirs, none match /old/");
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "2", "3", NULL });
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "8:/data/d1 8:/data/d2 ");
	assert_string_equal(vm_dirs_table(vm)->title, "2 shown; 3 brokers, 5 log dirs, 1 offline; 1 broker as told before; 1 orphan");
	assert_string_equal(cell_of(vm, 0, COL_STATE, &style, ar), "down");
	assert_int_equal(style, CELL_OLD);
	assert_string_equal(cell_of(vm, 0, COL_SIZE, NULL, ar), "1.4T");
	assert_string_equal(cell_of(vm, 0, COL_WHY, NULL, ar), "the broker is down; told 22:13:57");
	arena_free(&ar);
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void a_refusal_after_an_answer_makes_it_old_and_says_why(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("old", -1, false);
	struct arena *ar = arena_new(0);

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	fixture_said(fx, "refuses-disks 2\n");
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "2:/data/d1 ");
	assert_string_equal(cell_of(vm, 0, COL_STATE, NULL, ar), "online");
	assert_string_equal(cell_of(vm, 0, COL_WHY, NULL, ar), "no permission; told 22:13:47");
	arena_free(&ar);
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void filter_words_are_about_dirs(void **state)
{
	static const struct { const char *filter, *keys; } cases[] = {
		{ "offline", "3:/data/d2 " },
		{ "!offline /d2", "8:/data/d2 " },
		{ "online b8", "8:/data/d1 8:/data/d2 " },
		{ "full", "2:/data/d1 " },
		{ "future", "8:/data/d2 " },
		{ "orphans", "8:/data/d1 " },
		{ "!orphans d1", "2:/data/d1 3:/data/d1 " },
		{ "unknown", "5: " },
		{ "down", "5: " },
		{ "\"offline\"", "3:/data/d2 " },
		{ "\"full\"", "" },
		{ "3:/data/d1", "3:/data/d1 " },
	};
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	fixture_znode(fx, "/brokers/topics/orders", "{\"version\":1,\"partitions\":{\"0\":[2,3],\"1\":[8,2],\"2\":[5]}}");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct query qu = fixture_query(cases[i].filter, -1, false);

		update(vm, fx, &qu);
		assert_string_equal(keys_of(vm), cases[i].keys);
	}
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void rows_sort_by_any_column_and_are_found_again(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	const struct table *tb = vm_dirs_table(vm);
	struct query qu;

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	fixture_znode(fx, "/brokers/topics/orders", "{\"version\":1,\"partitions\":{\"0\":[2,3],\"1\":[8,2],\"2\":[5]}}");
	for (size_t col = 0; col < tb->n_cols; col++)
		for (int desc = 0; desc < 2; desc++) {
			qu = fixture_query("", (int)col, desc);
			update(vm, fx, &qu);
			assert_int_equal(tb->n_rows, 6);
			for (size_t i = 0; i < tb->n_rows; i++) {
				char key[64];

				assert_true(str_copy(key, sizeof(key), tb->key(tb, i)));
				assert_int_equal(tb->find(tb, key), i);
			}
		}
	qu = fixture_query("", COL_SIZE, true);
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "2:/data/d1 8:/data/d1 3:/data/d1 8:/data/d2 3:/data/d2 5: ");
	qu = fixture_query("", COL_FREE, false);
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "2:/data/d1 8:/data/d1 3:/data/d1 8:/data/d2 3:/data/d2 5: ");
	assert_int_equal(tb->find(tb, "nonsense"), 6);
	assert_int_equal(tb->find(tb, "2:/data"), 6);
	assert_int_equal(tb->find(tb, "99999999999999999999:/data"), 6);
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void say_hostile_dirs(struct fixture *fx)
{
	struct disks *ds = disks_new();
	struct event *ev = event_of_broker(EV_DISKS, 2, NULL, (mono_ms){ 5 }, fixture_now(fx));
	char *path = mem_alloc(9001);

	memset(path, 'x', 9000);
	path[9000] = '\0';
	disks_add_dir(ds, path, 0, INT64_MAX, -5);
	path[8999] = 'y';
	disks_add_dir(ds, path, 0, 1, INT64_MAX);
	disks_add_dir(ds, "", 0, -1, -1);
	disks_add_dir(ds, ":::", -32768, 0, 0);
	disks_add_dir(ds, "/a\x1b[2Jb\n\xe2\x80\xae\xe6\x9d\xb1\xe4\xba\xac\xff", 42, INT64_MIN, INT64_MIN);
	disks_add_topic(ds, 1, "t");
	disks_add_replica(ds, 0, false, INT64_MIN, INT64_MIN);
	disks_add_replica(ds, 1, true, INT64_MAX, INT64_MAX);
	disks_add_replica(ds, 2, true, INT64_MAX, INT64_MAX);
	disks_finish(ds);
	ev->u.disks = ds;
	model_apply(fx->md, ev);
	mem_free(&path);
}

static void hostile_paths_and_numbers_keep_the_columns_aligned(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	const struct table *tb = vm_dirs_table(vm);
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, tree);
	fixture_said(fx, "link 2 up\n");
	say_hostile_dirs(fx);
	update(vm, fx, &qu);
	assert_int_equal(tb->n_rows, 7);
	assert_string_equal(tb->title, "3 brokers, 5 log dirs, 0 offline, 2 with an error; 2 brokers not known; 3 orphans");
	for (size_t width = 10; width <= 240; width += 10) {
		struct strbuf out;

		strbuf_init(&out);
		table_print(tb, width, 0, tb->n_rows, false, &out);
		for (char *s = out.s; *s; s += strcspn(s, "\n") + 1)
			assert_true(utf8_columnsn(s, strcspn(s, "\n")) <= (width > 40 ? width : 40));
		strbuf_fini(&out);
	}
	for (size_t i = 0; i < tb->n_rows; i++) {
		char *key = mem_strdup(tb->key(tb, i));

		assert_true(tb->find(tb, key) <= i);
		mem_free(&key);
	}
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

static void without_brokers_it_says_what_is_missing(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dirs *vm = vm_dirs_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	update(vm, fx, &qu);
	assert_string_equal(vm_dirs_table(vm)->empty, "log dirs are asked of the brokers, and which there are is not known yet");
	fixture_children(fx, "/brokers/ids", NULL);
	update(vm, fx, &qu);
	assert_string_equal(vm_dirs_table(vm)->empty, "no broker is registered that could be asked for its log dirs");
	vm_dirs_free(&vm);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offline_dirs_come_first_then_the_fullest),
		cmocka_unit_test(brokers_that_tell_no_totals_have_no_bar),
		cmocka_unit_test(a_broker_whose_dirs_are_not_known_is_a_row_that_says_why),
		cmocka_unit_test(a_broker_that_was_never_asked_says_so),
		cmocka_unit_test(what_a_broker_told_before_it_went_stays_as_old),
		cmocka_unit_test(a_refusal_after_an_answer_makes_it_old_and_says_why),
		cmocka_unit_test(filter_words_are_about_dirs),
		cmocka_unit_test(rows_sort_by_any_column_and_are_found_again),
		cmocka_unit_test(hostile_paths_and_numbers_keep_the_columns_aligned),
		cmocka_unit_test(without_brokers_it_says_what_is_missing),
	};

	return cmocka_run_group_tests_name("view/vm_dirs", tests, NULL, NULL);
}
