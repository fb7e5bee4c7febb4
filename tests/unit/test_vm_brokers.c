/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "tests/unit/fixture.h"
#include "view/vm_brokers.h"

enum { COL_SIZE = 8, COL_DIRS = 9 };

static void update(struct vm_brokers *vm, struct fixture *fx, const struct query *qu)
{
	struct changes ch = model_changes(fx->md);

	vm_brokers_update(vm, &ch, qu, fixture_now(fx));
	model_changes_clear(fx->md);
}

static void assert_text(const struct vm_brokers *vm, size_t width, const char *expected)
{
	const struct table *tb = vm_brokers_table(vm);
	struct strbuf out;

	strbuf_init(&out);
	table_print(tb, width, 0, tb->n_rows, false, &out);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

static void fixture_a_at_80_columns(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_string_equal(vm_brokers_table(vm)->title, "5 brokers: 4 up, 1 down; controller 2 for 24s");
	assert_int_equal(vm_brokers_table(vm)->title_style, CELL_WRONG);
	assert_string_equal(vm_brokers_table(vm)->sort_text, "down, then broker");
	assert_text(vm, 80,
		"  BROKER ADDRESS         STATE CTRL SINCE       LEADERS REPLICAS UNDER\n"
		"       5 ?               down       ≤22:13:22         0        2     2\n"
		"       1 b1.example:9092 up         22:13:28          4        6     0\n"
		"       2 b2.example:9092 up    ctrl 22:13:29          4        7     0\n"
		"       3 b3.example:9092 up         22:13:30          1        6     0\n"
		"       4 b4.example:9092 up         22:13:31          2        5     0\n");
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void load_odd(struct fixture *fx)
{
	fixture_load_text(fx,
		"/brokers/ids/1\t{\"listener_security_protocol_map\":{\"INTERNAL\":\"PLAINTEXT\",\"EXTERNAL\":\"SASL_SSL\"},"
		"\"endpoints\":[\"INTERNAL://b1.example:9092\",\"EXTERNAL://[2001:db8::1]:9093\"],\"rack\":\"r1\",\"jmx_port\":-1,\"host\":\"b1.example\","
		"\"timestamp\":\"1700000000000\",\"port\":9092,\"version\":4}\n"
		"/brokers/ids/2\t{\"features\":{},\"listener_security_protocol_map\":{\"SSL\":\"SSL\"},\"endpoints\":[\"SSL://[2001:db8::2]:9093\"],"
		"\"jmx_port\":9999,\"host\":null,\"timestamp\":\"1700000000000\",\"port\":-1,\"version\":5}\n"
		"/brokers/ids/30\t{\"version\":4\n"
		"/config/brokers/1\t{\"version\":1,\"config\":{\"log.cleaner.threads\":\"2\"}}\n");
}

static void odd_registrations_at_160_columns(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	load_odd(fx);
	update(vm, fx, &qu);
	assert_string_equal(vm_brokers_table(vm)->title, "3 brokers: 3 up, 0 down; no controller");
	assert_text(vm, 160,
		"  BROKER ADDRESS                  STATE CTRL SINCE       LEADERS REPLICAS UNDER    SIZE  DIRS RACK LISTENERS                                OVERR          EPOCH\n"
		"       1 b1.example:9092          up         22:13:28          0        0     0       ?     ? r1   INTERNAL b1.example:9092 PLAINTEXT, EXT…     1           1007\n"
		"       2 [2001:db8::2]:9093       up         22:13:29          0        0     0       ?     ? -    SSL [2001:db8::2]:9093                       0           1008\n"
		"      30 unreadable: bad JSON at… up         22:13:30          0        0     0       ?     ? ?    ?                                            0           1009\n");
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void a_broker_that_goes_is_down_since_then(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	const struct table *tb = vm_brokers_table(vm);
	struct query qu = fixture_query("down", -1, false);
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", "4", NULL });
	update(vm, fx, &qu);
	assert_int_equal(tb->n_rows, 2);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_string_equal(ro.cells[0].text, "3");
	assert_string_equal(ro.cells[1].text, "b3.example:9092");
	assert_string_equal(ro.cells[2].text, "down");
	assert_string_equal(ro.cells[4].text, "22:13:57");
	assert_int_equal(ro.style, CELL_WRONG);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 1, &ro, ar);
	assert_string_equal(ro.cells[0].text, "5");
	assert_string_equal(ro.cells[1].text, "?");
	arena_free(&ar);
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void without_the_list_of_brokers_nobody_is_down(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	const struct table *tb = vm_brokers_table(vm);
	struct query qu = fixture_query("", -1, false);
	struct arena *ar = arena_new(0);
	struct row ro;

	update(vm, fx, &qu);
	assert_string_equal(tb->empty, "the list of brokers has not been read yet");
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[7]}}");
	update(vm, fx, &qu);
	assert_string_equal(tb->title, "1 broker");
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_string_equal(ro.cells[0].text, "7");
	assert_string_equal(ro.cells[2].text, "?");
	assert_int_equal(ro.style, CELL_NORMAL);
	arena_free(&ar);
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void no_list_of_brokers_means_that_all_are_down(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	const struct table *tb = vm_brokers_table(vm);
	struct query qu = fixture_query("", -1, false);
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	fixture_children(fx, "/brokers/ids", NULL);
	update(vm, fx, &qu);
	assert_true(str_starts(tb->title, "5 brokers: 0 up, 5 down"));
	assert_int_equal(tb->title_style, CELL_WRONG);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_string_equal(ro.cells[2].text, "down");
	arena_free(&ar);
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void counts_that_are_not_whole_have_a_question_mark(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", "b", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1]}}");
	fixture_znode(fx, "/brokers/topics/a/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":0,\"isr\":[1]}");
	fixture_znode(fx, "/brokers/topics/a/partitions/1/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":0,\"isr\":[1]}");
	update(vm, fx, &qu);
	assert_text(vm, 70,
		"  BROKER ADDRESS    STATE CTRL SINCE       LEADERS REPLICAS UNDER\n"
		"       1 ?          up         ?                2?       2?     ?\n"
		"       2 ?          up         ?                 ?        ?     ?\n");
	/* A state that can no longer be read is nobody's leader: what it was then is not what it is. */
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":1,\"partitions\":{}}");
	fixture_unreadable(fx, "/brokers/topics/a/partitions/1/state", "no permission to read it");
	update(vm, fx, &qu);
	assert_text(vm, 70,
		"  BROKER ADDRESS    STATE CTRL SINCE       LEADERS REPLICAS UNDER\n"
		"       1 ?          up         ?                1?        2     ?\n"
		"       2 ?          up         ?                 ?        0     ?\n");
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void rows_sort_by_any_column(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	const struct table *tb = vm_brokers_table(vm);
	struct query qu;

	load_odd(fx);
	for (size_t col = 0; col < tb->n_cols; col++)
		for (int desc = 0; desc < 2; desc++) {
			qu = fixture_query("", (int)col, desc);
			update(vm, fx, &qu);
			assert_int_equal(tb->n_rows, 3);
			for (size_t i = 0; i < tb->n_rows; i++)
				assert_int_equal(tb->find(tb, tb->key(tb, i)), i);
		}
	qu = fixture_query("", 0, true);
	update(vm, fx, &qu);
	assert_string_equal(tb->key(tb, 0), "30");
	assert_string_equal(tb->sort_text, "by BROKER reversed");
	qu = fixture_query("", 10, true); /* by rack: those without one last */
	update(vm, fx, &qu);
	assert_string_equal(tb->key(tb, 0), "1");
	qu = fixture_query("example", -1, false);
	update(vm, fx, &qu);
	assert_int_equal(tb->n_rows, 1);
	qu = fixture_query("nowhere", -1, false);
	update(vm, fx, &qu);
	assert_string_equal(tb->empty, "3 brokers, none match /nowhere/");
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void hostile_hosts_and_racks_keep_the_columns_aligned(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	const struct table *tb = vm_brokers_table(vm);
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"host\":\"a\\u001b[2Jb\",\"port\":1,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
		"/brokers/ids/2\t{\"host\":\"\xe6\x9d\xb1\xe4\xba\xac\",\"port\":1,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
		"/brokers/ids/3\t{\"endpoints\":[\"PLAINTEXT://b:1\"],\"rack\":\"\\u0301r\\u202e\",\"port\":1,\"host\":\"b\",\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":3}\n"
		"/brokers/ids/2147483647\t{}\n");
	update(vm, fx, &qu);
	assert_int_equal(tb->n_rows, 4);
	for (size_t width = 40; width <= 200; width += 10) {
		uint16_t widths[TABLE_COLUMNS_MAX];
		size_t last = tb->n_cols, before = 2;
		struct strbuf out;

		strbuf_init(&out);
		table_layout(tb, width, widths);
		for (size_t i = 0; i < tb->n_cols; i++)
			last = widths[i] ? i : last;
		for (size_t i = 0; i < last; i++)
			before += widths[i] ? widths[i] + 1u : 0;
		assert_true(before + widths[last] <= width);
		table_print(tb, width, 0, tb->n_rows, false, &out);
		for (char *s = out.s; *s; s += strcspn(s, "\n") + 1)
			assert_true(utf8_columnsn(s, strcspn(s, "\n")) <= before + widths[last]);
		strbuf_fini(&out);
	}
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

static void brokers_have_the_sizes_and_dirs_that_they_tell(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_brokers *vm = vm_brokers_new(fixture_cluster(fx));
	const struct table *tb = vm_brokers_table(vm);
	struct query qu = fixture_query("", COL_SIZE, true);
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"host\":\"b1\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
		"/brokers/ids/2\t{\"host\":\"b2\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
		"/brokers/ids/3\t{\"host\":\"b3\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n");
	fixture_said(fx, "link 1 up\ndir /d1\nholds a 0 size=1024\ndir /d2\ndisks 1\nlink 2 up\ndir /d1\nholds a 0 size=2048\ndir /d2 error=56\ndir /d3\ndisks 2\n");
	update(vm, fx, &qu);
	assert_text(vm, 90,
		"  BROKER ADDRESS    STATE CTRL SINCE       LEADERS REPLICAS UNDER    SIZE  DIRS\n"
		"       2 b2:9092    up         22:13:29          0        0     0 2.0 KiB   2/3\n"
		"       1 b1:9092    up         22:13:28          0        0     0 1.0 KiB     2\n"
		"       3 b3:9092    up         22:13:30          0        0     0       ?     ?\n");
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_int_equal(ro.cells[COL_DIRS].style, CELL_WRONG);
	fixture_said(fx, "refuses-disks 1\n");
	update(vm, fx, &qu);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 1, &ro, ar);
	assert_int_equal(ro.cells[COL_SIZE].style, CELL_OLD);
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "2", "3", NULL });
	update(vm, fx, &qu);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 1, &ro, ar);
	assert_string_equal(ro.cells[COL_SIZE].text, "?");
	arena_free(&ar);
	vm_brokers_free(&vm);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixture_a_at_80_columns),
		cmocka_unit_test(odd_registrations_at_160_columns),
		cmocka_unit_test(a_broker_that_goes_is_down_since_then),
		cmocka_unit_test(without_the_list_of_brokers_nobody_is_down),
		cmocka_unit_test(no_list_of_brokers_means_that_all_are_down),
		cmocka_unit_test(counts_that_are_not_whole_have_a_question_mark),
		cmocka_unit_test(rows_sort_by_any_column),
		cmocka_unit_test(hostile_hosts_and_racks_keep_the_columns_aligned),
		cmocka_unit_test(brokers_have_the_sizes_and_dirs_that_they_tell),
	};

	return cmocka_run_group_tests_name("view/vm_brokers", tests, NULL, NULL);
}
