/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/unit/fixture.h"
#include "view/vm_dir.h"

static void update(struct vm_dir *vm, struct fixture *fx, const struct query *qu)
{
	struct changes ch = model_changes(fx->md);

	vm_dir_update(vm, &ch, qu, fixture_now(fx));
	model_changes_clear(fx->md);
}

static void assert_text(const struct vm_dir *vm, size_t width, const char *expected)
{
	const struct table *tb = vm_dir_table(vm);
	struct strbuf out;

	strbuf_init(&out);
	table_print(tb, width, 0, tb->n_rows, false, &out);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

static const char tree[] =
	"/brokers/ids/2\t{\"host\":\"b2.example\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/3\t{\"host\":\"b3.example\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/topics/orders\t{\"version\":2,\"partitions\":{\"0\":[2,3],\"1\":[3,2],\"2\":[3,2]},\"adding_replicas\":{\"2\":[2]},\"removing_replicas\":{}}\n"
	"/brokers/topics/orders/partitions/0/state\t{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":1,\"isr\":[2,3]}\n"
	"/brokers/topics/orders/partitions/1/state\t{\"controller_epoch\":1,\"leader\":3,\"version\":1,\"leader_epoch\":1,\"isr\":[2,3]}\n"
	"/brokers/topics/orders/partitions/2/state\t{\"controller_epoch\":1,\"leader\":3,\"version\":1,\"leader_epoch\":1,\"isr\":[3]}\n";

static const char told[] =
	"link 2 up\n"
	"dir /data/d1 total=1099511627776 usable=219902325555\n"
	"holds orders 0 size=1000\nholds orders 1 size=500000\nholds orders 2 size=77\nholds stray 4 size=4096\n"
	"dir /data/d2\nholds orders 1 size=300000 lag=1234567 future\n"
	"disks 2\n";

static void a_dir_lists_its_replicas_the_largest_first(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d1");
	struct query qu = fixture_query("", -1, false);
	struct cell head[VM_DIR_HEAD_MAX];

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	assert_string_equal(vm_dir_table(vm)->title, "4 replicas in a log dir of broker 2");
	assert_string_equal(vm_dir_table(vm)->sort_text, "by size, then topic");
	assert_text(vm, 80,
		"  TOPIC     PART     SIZE ROLE     COPY                LAG\n"
		"  orders       1  488 KiB follower to d2 60%             -\n"
		"  stray        4  4.0 KiB orphan   -                     -\n"
		"  orders       0  1.0 KiB leader   -                     -\n"
		"  orders       2     77 B adding   -                     -\n");
	assert_int_equal(vm_dir_head(vm, head), 2);
	assert_string_equal(head[0].text, "broker 2   /data/d1   online   b2.example:9092");
	assert_string_equal(head[1].text, "493 KiB in 4 replicas, 1 orphan; 80% of 1.0 TiB used, 205 GiB free");
	vm_dir_free(&vm);
	fixture_free(&fx);
}

static void a_future_replica_says_where_it_comes_from(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d2");
	const struct table *tb = vm_dir_table(vm);
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  TOPIC     PART     SIZE ROLE     COPY                LAG\n"
		"  orders       1  293 KiB future   from d1 60%   1,234,567\n");
	assert_string_equal(tb->key(tb, 0), "orders-1 future");
	assert_int_equal(tb->find(tb, "orders-1 future"), 0);
	assert_int_equal(tb->find(tb, "orders-1"), 1);
	vm_dir_free(&vm);
	fixture_free(&fx);
}

/* Keys in order, each with a blank behind it. */
static const char *keys_of(const struct vm_dir *vm)
{
	static char out[1024];
	const struct table *tb = vm_dir_table(vm);
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < tb->n_rows; i++) {
		str_printf(out + len, sizeof(out) - len, "%s ", tb->key(tb, i));
		len = strlen(out);
	}
	return out;
}

static void filter_words_are_about_replicas(void **state)
{
	static const struct { const char *filter, *keys; } cases[] = {
		{ "leader", "orders-0 " }, { "follower", "orders-1 " }, { "adding", "orders-2 " }, { "orphan", "stray-4 " },
		{ "!orphan", "orders-1 orders-0 orders-2 " }, { "future", "" }, { "orders-2", "orders-2 " }, { "RAY", "stray-4 " },
	};
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d1");

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct query qu = fixture_query(cases[i].filter, -1, false);

		update(vm, fx, &qu);
		assert_string_equal(keys_of(vm), cases[i].keys);
	}
	vm_dir_free(&vm);
	fixture_free(&fx);
}

static void a_filter_follows_who_leads(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d1");
	struct query qu = fixture_query("leader", -1, false);

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "orders-0 ");
	fixture_znode(fx, "/brokers/topics/orders/partitions/1/state", "{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":2,\"isr\":[2,3]}");
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "orders-1 orders-0 ");
	assert_string_equal(vm_dir_table(vm)->title, "2 of 4 replicas");
	vm_dir_free(&vm);
	fixture_free(&fx);
}

static void an_assignment_that_comes_later_ends_an_orphan(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d1");
	struct query qu = fixture_query("orphan", -1, false);

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "stray-4 ");
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "orders", "stray", NULL });
	fixture_znode(fx, "/brokers/topics/stray", "{\"version\":1,\"partitions\":{\"4\":[2]}}");
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "");
	vm_dir_free(&vm);
	fixture_free(&fx);
}

static void what_can_not_be_shown_says_why(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *here = vm_dir_new(fixture_cluster(fx), 2, "/data/d3"), *none = vm_dir_new(fixture_cluster(fx), 3, ""),
		*gone = vm_dir_new(fixture_cluster(fx), 77, "/x");
	struct query qu = fixture_query("", -1, false);
	struct cell head[VM_DIR_HEAD_MAX];
	struct changes ch = { 0 };

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	vm_dir_update(none, NULL, &qu, fixture_now(fx));
	vm_dir_update(gone, NULL, &qu, fixture_now(fx));
	vm_dir_update(here, NULL, &qu, fixture_now(fx));
	assert_string_equal(vm_dir_table(none)->empty, "the log dirs of broker 3 are not known: not asked yet");
	assert_int_equal(vm_dir_head(none, head), 2);
	assert_string_equal(head[1].text, "not asked yet");
	assert_string_equal(vm_dir_table(gone)->empty, "broker 77 is not registered, and no topic names it");
	assert_string_equal(vm_dir_table(here)->empty, "broker 2 has no such log dir");
	fixture_said(fx, "dir /data/d3 error=56\ndisks 2\n");
	ch = model_changes(fx->md);
	vm_dir_update(here, &ch, &qu, fixture_now(fx));
	assert_string_equal(vm_dir_table(here)->empty, "broker 2 does not say what lies in a log dir that is offline");
	assert_int_equal(vm_dir_head(here, head), 1);
	assert_int_equal(head[0].style, CELL_WRONG);
	vm_dir_free(&none);
	vm_dir_free(&gone);
	vm_dir_free(&here);
	fixture_free(&fx);
}

static void another_answer_replaces_the_rows_and_a_broker_that_goes_leaves_them_old(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d1");
	const struct table *tb = vm_dir_table(vm);
	struct query qu = fixture_query("", -1, false);
	struct cell head[VM_DIR_HEAD_MAX];
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	update(vm, fx, &qu);
	fixture_said(fx, "dir /data/d1\nholds orders 0 size=5\ndisks 2\n");
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 3, &ro, ar); /* before the update: what it was is no longer there */
	assert_string_equal(ro.cells[0].text, "orders");
	assert_null(ro.cells[2].text);
	update(vm, fx, &qu);
	assert_string_equal(keys_of(vm), "orders-0 ");
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "3", NULL });
	update(vm, fx, &qu);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_int_equal(ro.cells[2].style, CELL_OLD);
	assert_int_equal(vm_dir_head(vm, head), 3);
	assert_string_equal(head[2].text, "as told 22:13:52: the broker is down");
	arena_free(&ar);
	vm_dir_free(&vm);
	fixture_free(&fx);
}

static void rows_sort_by_any_column_and_are_found_again(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_dir *vm = vm_dir_new(fixture_cluster(fx), 2, "/data/d1");
	const struct table *tb = vm_dir_table(vm);
	struct query qu;

	fixture_load_text(fx, tree);
	fixture_said(fx, told);
	for (size_t col = 0; col < tb->n_cols; col++)
		for (int desc = 0; desc < 2; desc++) {
			qu = fixture_query("", (int)col, desc);
			update(vm, fx, &qu);
			assert_int_equal(tb->n_rows, 4);
			for (size_t i = 0; i < tb->n_rows; i++) {
				char key[64];

				assert_true(str_copy(key, sizeof(key), tb->key(tb, i)));
				assert_int_equal(tb->find(tb, key), i);
			}
		}
	assert_int_equal(tb->find(tb, "nonsense"), 4);
	assert_int_equal(tb->find(tb, "orders-"), 4);
	vm_dir_free(&vm);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dir_lists_its_replicas_the_largest_first),
		cmocka_unit_test(a_future_replica_says_where_it_comes_from),
		cmocka_unit_test(filter_words_are_about_replicas),
		cmocka_unit_test(a_filter_follows_who_leads),
		cmocka_unit_test(an_assignment_that_comes_later_ends_an_orphan),
		cmocka_unit_test(what_can_not_be_shown_says_why),
		cmocka_unit_test(another_answer_replaces_the_rows_and_a_broker_that_goes_leaves_them_old),
		cmocka_unit_test(rows_sort_by_any_column_and_are_found_again),
	};

	return cmocka_run_group_tests_name("view/vm_dir", tests, NULL, NULL);
}
