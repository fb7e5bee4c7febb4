/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "tests/unit/fixture.h"
#include "view/vm_topic.h"

static void update(struct vm_topic *vm, struct fixture *fx, const struct query *qu)
{
	struct changes ch = model_changes(fx->md);

	vm_topic_update(vm, &ch, qu, fixture_now(fx));
	model_changes_clear(fx->md);
}

/* Head and table as one text. */
static void assert_text(const struct vm_topic *vm, size_t width, const char *expected)
{
	const struct table *tb = vm_topic_table(vm);
	struct cell lines[VM_HEAD_LINES_MAX];
	size_t n = vm_topic_head(vm, lines);
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < n; i++) {
		utf8_printable(&out, lines[i].text, strlen(lines[i].text), false);
		strbuf_putc(&out, '\n');
	}
	table_print(tb, width, 0, tb->n_rows, false, &out);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

static void set_state(struct fixture *fx, const char *topic, int partition, int leader, const char *isr)
{
	char path[512], data[512];

	str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", topic, partition);
	str_printf(data, sizeof(data), "{\"controller_epoch\":7,\"leader\":%d,\"version\":1,\"leader_epoch\":5,\"isr\":[%s]}", leader, isr);
	fixture_znode(fx, path, data);
}

static const char *const brokers_124_5_9[] = { "1", "2", "4", "5", "8", "9", "11", NULL };

/* The drawing of design: broker 7 is down; one partition off its preferred leader, one moving. */
static void load_orders(struct fixture *fx)
{
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "2", "4", "5", "7", "8", "9", "11", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "orders.events", NULL });
	fixture_znode(fx, "/config/topics/orders.events",
		"{\"version\":1,\"config\":{\"retention.ms\":\"86400000\",\"min.insync.replicas\":\"2\"}}");
	fixture_znode(fx, "/brokers/topics/orders.events",
		"{\"version\":3,\"topic_id\":\"Q2hlY2tNZUlmWW91Q2FuIQ\",\"partitions\":{\"0\":[4,7,9],\"1\":[9,4,7],\"2\":[7,2,4],\"3\":[2,4,9],"
		"\"4\":[5,9,8,11]},\"adding_replicas\":{\"4\":[11]},\"removing_replicas\":{\"4\":[8]}}");
	set_state(fx, "orders.events", 0, 4, "4,7,9");
	set_state(fx, "orders.events", 1, 9, "9,4,7");
	set_state(fx, "orders.events", 2, 7, "7,2,4");
	set_state(fx, "orders.events", 3, 2, "2,4,9");
	set_state(fx, "orders.events", 4, 5, "5,9,8");
	fixture_loaded(fx);
}

static void kill_broker_7(struct fixture *fx)
{
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "2", "4", "5", "8", "9", "11", NULL });
	set_state(fx, "orders.events", 0, 4, "4,9");
	set_state(fx, "orders.events", 1, 9, "9,4");
	set_state(fx, "orders.events", 2, 2, "2,4");
}

/* ---- claims ------------------------------------------------------------------ */

static void a_healthy_topic_says_so(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders");
	struct query qu = fixture_query("", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"orders   3 partitions  RF 3  min.insync.replicas 2\n"
		"all in sync\n"
		"topic id Q2hlY2tNZUlmWW91Q2FuIQ, made 22s ago, last change 5s ago\n"
		"   PART LEADER REPLICAS ISR   UNDER SINCE STATE       EPOCH    CHANGED\n"
		"      0      1 1 2 3    1,2,3 -           ok              5   22:13:35\n"
		"      1      2 2 3 4    2,3,4 -           ok              5   22:13:36\n"
		"      2      3 3 4 1    3,4,1 -           ok              5   22:13:37\n");
	assert_string_equal(vm_topic_table(vm)->title, "3 partitions");
	assert_string_equal(vm_topic_table(vm)->sort_text, "by partition");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void a_dead_broker_is_named_with_the_time(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders.events");
	struct query qu = fixture_query("", -1, false);

	load_orders(fx);
	kill_broker_7(fx);
	update(vm, fx, &qu);
	assert_text(vm, 56,
		"orders.events   5 partitions  RF 3  min.insync.replicas 2  retention.ms 86400000\n"
		"3 under-replicated since 22:13:33, all miss broker 7, 1 moving, 1 not preferred\n"
		"topic id Q2hlY2tNZUlmWW91Q2FuIQ, made 10s ago, last change 0s ago\n"
		"   PART LEADER REPLICAS     ISR      UNDER SINCE\n"
		"      0      4 4 7! 9       4,9      22:13:33\n"
		"      1      9 9 4 7!       9,4      22:13:34\n"
		"      2     2* 7! 2 4       2,4      22:13:35\n"
		"      3      2 2 4 9        2,4,9    -\n"
		"      4      5 5 9 8- 11+   5,9,8    -\n");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void a_time_that_is_a_bound_is_marked(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "legacy.audit");
	struct query qu = fixture_query("", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_text(vm, 44,
		"legacy.audit   2 partitions  RF 2\n"
		"2 under-replicated at least since 22:13:44, all miss broker 5, 1 not preferred\n"
		"topic id 5vJ1kqUqTfW0pJm3c9b2Aw, made 13s ago, last change 11s ago\n"
		"   PART LEADER REPLICAS ISR UNDER SINCE\n"
		"      0      4 4 5!     4   \xe2\x89\xa4" "22:13:44\n"
		"      1     1* 5! 1     1   \xe2\x89\xa4" "22:13:45\n");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void a_partition_without_leader_is_wrong_all_along(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders");
	const struct table *tb = vm_topic_table(vm);
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	set_state(fx, "orders", 1, -1, "3");
	update(vm, fx, &qu);
	vm_topic_head(vm, lines);
	assert_true(str_starts(lines[1].text, "1 offline since 22:13:57, 1 under min ISR, 1 under-replicated since 22:13:57, it misses brokers 2 and 4"));
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 1, &ro, ar);
	assert_int_equal(ro.style, CELL_WRONG);
	assert_string_equal(ro.cells[1].text, "none");
	assert_string_equal(ro.cells[2].text, "2~ 3 4~");
	assert_string_equal(ro.cells[7].text, "offline");
	arena_free(&ar);
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void found_offline_is_a_bound_and_a_moving_controller_moves_it_not(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "a");
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	for (int i = 0; i < 2; i++) {
		set_state(fx, "a", 0, -1, "1");
		update(vm, fx, &qu);
		vm_topic_head(vm, lines);
		assert_string_equal(lines[1].text, "1 offline at least since 22:13:25, 1 under min ISR, 1 not preferred");
	}
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void partitions_that_a_filter_could_not_decide_are_counted(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "payments.eu");
	struct query qu = fixture_query("at-min", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_string_equal(vm_topic_table(vm)->title, "0 of 2 partitions, 2 not known");
	assert_string_equal(vm_topic_table(vm)->empty, "2 partitions, none match /at-min/, 2 not known");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void what_can_not_be_read_says_why_in_its_place(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "payments_eu");
	struct query qu = fixture_query("", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	fixture_znode(fx, "/brokers/topics/payments_eu/partitions/0/state", "{\"leader\":\"x\"");
	fixture_unreadable(fx, "/config/topics/payments_eu", "no permission to read it");
	update(vm, fx, &qu);
	assert_non_null(strstr(vm_topic_table(vm)->title, "1 partition"));
	{
		struct cell lines[VM_HEAD_LINES_MAX];
		struct arena *ar = arena_new(0);
		struct row ro;
		size_t n = vm_topic_head(vm, lines);

		assert_int_equal(n, 5);
		assert_string_equal(lines[1].text, "1 unreadable");
		assert_string_equal(lines[2].text, "its overrides can't be read: no permission to read it");
		assert_true(str_starts(lines[3].text, "the state of partition 0 can't be read: "));
		assert_int_equal(lines[3].style, CELL_WRONG);
		memset(&ro, 0, sizeof(ro));
		vm_topic_table(vm)->fill(vm_topic_table(vm), 0, &ro, ar);
		assert_string_equal(ro.cells[1].text, "?");
		assert_true(str_starts(ro.cells[3].text, "unreadable: "));
		assert_int_equal(ro.cells[3].style, CELL_WRONG);
		assert_string_equal(ro.cells[7].text, "unreadable");
		arena_free(&ar);
	}
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void what_is_not_read_yet_is_a_question_mark(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "a");
	struct query qu = fixture_query("", -1, false);

	fixture_children(fx, "/brokers/ids", brokers_124_5_9);
	update(vm, fx, &qu);
	assert_string_equal(vm_topic_table(vm)->empty, "the list of topics has not been read yet");
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	update(vm, fx, &qu);
	assert_string_equal(vm_topic_table(vm)->empty, "the topic has not been read yet");
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1,2],\"1\":[2,1]}}");
	set_state(fx, "a", 0, 1, "1,2");
	update(vm, fx, &qu);
	assert_text(vm, 44,
		"a   2 partitions  RF 2\n"
		"1 not read yet\n"
		"topic id -, made 1s ago, last change 0s ago\n"
		"   PART LEADER REPLICAS ISR UNDER SINCE\n"
		"      0      1 1 2      1,2 -\n"
		"      1      ? 2? 1?    ?   ?\n");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void dangers_have_a_line_of_their_own(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "bad");
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];

	fixture_children(fx, "/brokers/ids", brokers_124_5_9);
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "bad", NULL });
	fixture_znode(fx, "/brokers/topics/bad", "{\"version\":1,\"partitions\":{\"0\":[\"1\"],\"1\":[1,2]}}");
	fixture_znode(fx, "/brokers/topics/bad/partitions/0/state",
		"{\"controller_epoch\":7,\"leader\":1,\"version\":1,\"leader_epoch\":5,\"isr\":[1],\"leader_recovery_state\":1}");
	set_state(fx, "bad", 1, 1, "1,2");
	fixture_children(fx, "/admin/delete_topics", (const char *const[]){ "bad", NULL });
	update(vm, fx, &qu);
	assert_int_equal(vm_topic_head(vm, lines), 6);
	assert_string_equal(lines[0].text, "bad   2 partitions  RF 1 to 2");
	assert_string_equal(lines[1].text, "all in sync");
	assert_string_equal(lines[2].text, "queued for deletion");
	assert_int_equal(lines[2].style, CELL_BUSY);
	assert_string_equal(lines[3].text, "partition 0: recovering from an unclean election, records may be lost");
	assert_true(str_starts(lines[4].text, "broker ids stand as strings in the topic's node: "));
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void a_topic_that_goes_and_comes_again_is_another(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders");
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];
	size_t n;

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	fixture_znode(fx, "/brokers/topics/orders", NULL);
	update(vm, fx, &qu);
	assert_int_equal(vm_topic_table(vm)->n_rows, 0);
	assert_string_equal(vm_topic_table(vm)->empty, "the topic is gone since 22:13:57");
	assert_int_equal(vm_topic_head(vm, lines), 1);
	assert_string_equal(lines[0].text, "orders   gone since 22:13:57");
	fixture_znode(fx, "/brokers/topics/orders", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	update(vm, fx, &qu);
	n = vm_topic_head(vm, lines);
	assert_string_equal(lines[n - 2].text, "another topic of the same name since 22:13:58: the one opened was deleted");
	assert_int_equal(vm_topic_table(vm)->n_rows, 1);
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void a_topic_that_was_never_there_is_not_gone(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "no\x1b[31msuch");
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_string_equal(vm_topic_table(vm)->empty, "the cluster has no topic of this name");
	vm_topic_head(vm, lines);
	assert_string_equal(lines[0].text, "no\x1b[31msuch   no such topic");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void rows_sort_by_any_column_and_filter_by_verdict(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders.events");
	const struct table *tb = vm_topic_table(vm);
	struct query qu;

	load_orders(fx);
	kill_broker_7(fx);
	for (size_t col = 0; col < tb->n_cols; col++)
		for (int desc = 0; desc < 2; desc++) {
			qu = fixture_query("", (int)col, desc);
			update(vm, fx, &qu);
			assert_int_equal(tb->n_rows, 5);
			for (size_t i = 0; i < tb->n_rows; i++)
				assert_int_equal(tb->find(tb, tb->key(tb, i)), i);
		}
	qu = fixture_query("", 1, true);
	update(vm, fx, &qu);
	assert_string_equal(tb->key(tb, 0), "1");
	assert_string_equal(tb->key(tb, 3), "2");
	assert_string_equal(tb->key(tb, 4), "3");
	qu = fixture_query("under", -1, false);
	update(vm, fx, &qu);
	assert_int_equal(tb->n_rows, 3);
	assert_string_equal(tb->title, "3 of 5 partitions");
	qu = fixture_query("offline", -1, false);
	update(vm, fx, &qu);
	assert_string_equal(tb->empty, "5 partitions, none match /offline/");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void widths_hang_on_the_assignment_alone(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders.events");
	uint16_t before[TABLE_COLUMNS_MAX], after[TABLE_COLUMNS_MAX];
	struct query qu = fixture_query("", -1, false);

	load_orders(fx);
	update(vm, fx, &qu);
	table_layout(vm_topic_table(vm), 160, before);
	kill_broker_7(fx);
	set_state(fx, "orders.events", 4, -1, "");
	update(vm, fx, &qu);
	table_layout(vm_topic_table(vm), 160, after);
	assert_memory_equal(before, after, sizeof(before[0]) * vm_topic_table(vm)->n_cols);
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void different_brokers_are_counted(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "t");
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];

	fixture_children(fx, "/brokers/ids", brokers_124_5_9);
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "t", NULL });
	fixture_znode(fx, "/brokers/topics/t", "{\"version\":1,\"partitions\":{\"0\":[1,2,4],\"1\":[2,4,5],\"2\":[4,5,8],\"3\":[5,8,9]}}");
	set_state(fx, "t", 0, 1, "1");
	set_state(fx, "t", 1, 5, "5");
	set_state(fx, "t", 2, 5, "5,8");
	set_state(fx, "t", 3, 5, "5,8");
	update(vm, fx, &qu);
	vm_topic_head(vm, lines);
	assert_non_null(strstr(lines[1].text, ", 3 miss broker 4, 2 broker 2, 1 broker 9"));
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static const char placed_tree[] =
	"/brokers/ids/4\t{\"host\":\"b4\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/9\t{\"host\":\"b9\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/topics/orders\t{\"version\":1,\"partitions\":{\"0\":[9,4,7],\"1\":[4,9]}}\n"
	"/brokers/topics/orders/partitions/0/state\t{\"controller_epoch\":7,\"leader\":9,\"version\":1,\"leader_epoch\":5,\"isr\":[9,4]}\n"
	"/brokers/topics/orders/partitions/1/state\t{\"controller_epoch\":7,\"leader\":4,\"version\":1,\"leader_epoch\":5,\"isr\":[4,9]}\n"
	"/config/topics/orders\t\n";

static void a_partition_has_its_leaders_size_and_where_its_replicas_lie(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders");
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, placed_tree);
	fixture_said(fx, "link 9 up\ndir /data/d1/kafka\nholds orders 0 size=26843545600\ndir /data/d2/kafka\nholds orders 1 size=1048576\ndisks 9\n");
	update(vm, fx, &qu);
	assert_text(vm, 100,
		"orders   2 partitions  RF 2 to 3  25 GiB? on disks\n"
		"1 under-replicated at least since 22:13:31, it misses broker 7\n"
		"topic id -, made 16s ago, last change 13s ago\n"
		"   PART LEADER REPLICAS ISR   UNDER SINCE     SIZE WHERE                STATE       EPOCH    CHANGED\n"
		"      0      9 9 4 7!   9,4   ≤22:13:31     25 GiB 9:d1 4:? 7:?         under           5   22:13:31\n"
		"      1      4 4 9      4,9   -           1.0 MiB? 4:? 9:d2             ok              5   22:13:32\n");
	fixture_said(fx, "link 4 up\ndir /data/d1\nholds orders 0 size=1000\nholds orders 1 size=2097152\ndir /data/d2\nholds orders 0 size=630 lag=5 future\ndisks 4\n");
	update(vm, fx, &qu);
	assert_text(vm, 100,
		"orders   2 partitions  RF 2 to 3  25 GiB? on disks\n"
		"1 under-replicated at least since 22:13:31, it misses broker 7\n"
		"topic id -, made 23s ago, last change 20s ago\n"
		"   PART LEADER REPLICAS ISR   UNDER SINCE     SIZE WHERE                 STATE       EPOCH\n"
		"      0      9 9 4 7!   9,4   ≤22:13:31     25 GiB 9:d1 4:d1>d2 63% 7:?  under           5\n"
		"      1      4 4 9      4,9   -            2.0 MiB 4:d1 9:d2             ok              5\n");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void a_replica_in_an_offline_dir_has_its_mark(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders");
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(fx, placed_tree);
	fixture_said(fx, "link 9 up\nlink 4 up\nlives 4 9\nsays orders 0 leader=9 epoch=5 replicas=9,4,7 isr=9,4 offline=7\n"
		"says orders 1 leader=4 epoch=5 replicas=4,9 isr=4,9 offline=9\nmetadata 4 all controller=4\n"
		"dir /d1\nholds orders 0 size=4\ndir /d2 error=56\ndisks 9\ndir /d1\nholds orders 1 size=5\ndisks 4\n");
	update(vm, fx, &qu);
	assert_text(vm, 100,
		"orders   2 partitions  RF 2 to 3  9 B? on disks\n"
		"1 under-replicated at least since 22:13:31, it misses broker 7\n"
		"topic id -, made 23s ago, last change 20s ago\n"
		"   PART LEADER REPLICAS ISR   UNDER SINCE     SIZE WHERE                 STATE       EPOCH\n"
		"      0      9 9 4 7!   9,4   ≤22:13:31        4 B 9:d1 4:- 7:?          under           5\n"
		"      1      4 4 9x     4,9   -                5 B 4:d1 9:x              ok              5\n");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

static void without_an_override_min_isr_is_the_brokers_own(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topic *vm = vm_topic_new(fixture_cluster(fx), "orders");
	struct query qu = fixture_query("", -1, false);
	struct cell lines[VM_HEAD_LINES_MAX];

	fixture_load_text(fx, placed_tree);
	fixture_znode(fx, "/config/topics/orders", NULL);
	fixture_said(fx, "link 9 up\nlink 4 up\nsettings 4 min.insync.replicas=2\nsettings 9 min.insync.replicas=2\n");
	update(vm, fx, &qu);
	vm_topic_head(vm, lines);
	assert_string_equal(lines[0].text, "orders   2 partitions  RF 2 to 3  min.insync.replicas 2 by default");
	fixture_said(fx, "settings 9 min.insync.replicas=1\n");
	update(vm, fx, &qu);
	vm_topic_head(vm, lines);
	assert_string_equal(lines[0].text, "orders   2 partitions  RF 2 to 3  min.insync.replicas 1 to 2 by the brokers' defaults");
	vm_topic_free(&vm);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_topic_says_so),
		cmocka_unit_test(a_dead_broker_is_named_with_the_time),
		cmocka_unit_test(a_time_that_is_a_bound_is_marked),
		cmocka_unit_test(a_partition_without_leader_is_wrong_all_along),
		cmocka_unit_test(found_offline_is_a_bound_and_a_moving_controller_moves_it_not),
		cmocka_unit_test(partitions_that_a_filter_could_not_decide_are_counted),
		cmocka_unit_test(what_can_not_be_read_says_why_in_its_place),
		cmocka_unit_test(what_is_not_read_yet_is_a_question_mark),
		cmocka_unit_test(dangers_have_a_line_of_their_own),
		cmocka_unit_test(a_topic_that_goes_and_comes_again_is_another),
		cmocka_unit_test(a_topic_that_was_never_there_is_not_gone),
		cmocka_unit_test(rows_sort_by_any_column_and_filter_by_verdict),
		cmocka_unit_test(widths_hang_on_the_assignment_alone),
		cmocka_unit_test(different_brokers_are_counted),
		cmocka_unit_test(a_partition_has_its_leaders_size_and_where_its_replicas_lie),
		cmocka_unit_test(a_replica_in_an_offline_dir_has_its_mark),
		cmocka_unit_test(without_an_override_min_isr_is_the_brokers_own),
	};

	return cmocka_run_group_tests_name("view/vm_topic", tests, NULL, NULL);
}
