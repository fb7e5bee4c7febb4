/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/unit/fixture.h"
#include "view/vm_broker.h"

enum { COL_SIZE = 5 };

static void update(struct vm_broker *vm, struct fixture *fx, const struct query *qu)
{
	struct changes ch = model_changes(fx->md);

	vm_broker_update(vm, &ch, qu, fixture_now(fx));
	model_changes_clear(fx->md);
}

static void assert_text(const struct vm_broker *vm, size_t width, const char *expected)
{
	const struct table *tb = vm_broker_table(vm);
	struct strbuf out;

	strbuf_init(&out);
	table_print(tb, width, 0, tb->n_rows, false, &out);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

/* ---- claims ------------------------------------------------------------------ */

static const char two_topics[] =
	"/brokers/ids/1\t{\"host\":\"b1\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/2\t{\"host\":\"b2\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/topics/orders\t{\"version\":1,\"partitions\":{\"0\":[1,2],\"1\":[2,1],\"2\":[2,7]}}\n"
	"/brokers/topics/orders/partitions/0/state\t{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1,2]}\n"
	"/brokers/topics/orders/partitions/1/state\t{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1]}\n"
	"/brokers/topics/orders/partitions/2/state\t{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":1,\"isr\":[2]}\n"
	"/brokers/topics/pay\t{\"version\":1,\"partitions\":{\"0\":[7],\"1\":[2]}}\n"
	"/brokers/topics/pay/partitions/0/state\t{\"controller_epoch\":1,\"leader\":-1,\"version\":1,\"leader_epoch\":1,\"isr\":[7]}\n"
	"/brokers/topics/pay/partitions/1/state\t{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":1,\"isr\":[2]}\n"
	"/controller\t{\"version\":1,\"brokerid\":2,\"timestamp\":\"1\"}\n";

static void a_broker_lists_its_replicas_the_worst_first(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_broker *vm = vm_broker_new(fixture_cluster(fx), 2);
	struct query qu = fixture_query("", -1, false);
	struct cell head[VM_BROKER_HEAD_MAX];

	fixture_load_text(fx, two_topics);
	update(vm, fx, &qu);
	assert_string_equal(vm_broker_table(vm)->title, "4 replicas on broker 2");
	assert_text(vm, 80,
		"  TOPIC     PART ROLE      STATE       ISR     SIZE UNDER SINCE REPLICAS\n"
		"  orders       1 follower* out-of-sync 1          ? ≤22:13:32   2~ 1\n"
		"  orders       0 follower  in-sync     1,2        ? -           1 2\n"
		"  orders       2 leader    in-sync     2          ? ≤22:13:33   2 7!\n"
		"  pay          1 leader    in-sync     2          ? -           2\n");
	assert_int_equal(vm_broker_head(vm, head), 3);
	assert_string_equal(head[0].text, "broker 2   b2:9092   up since 22:13:29   controller");
	assert_string_equal(head[1].text, "holds 4 replicas, leads 2, 1 out of the ISR");
	assert_int_equal(head[1].style, CELL_WRONG);
	assert_string_equal(head[2].text, "listeners PLAINTEXT b2:9092");
	vm_broker_free(&vm);
	fixture_free(&fx);
}

static void what_a_broker_holds_is_open_while_topics_are_not_read(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_broker *vm = vm_broker_new(fixture_cluster(fx), 2), *none = vm_broker_new(fixture_cluster(fx), 1);
	struct query qu = fixture_query("", -1, false);
	struct cell head[VM_BROKER_HEAD_MAX];
	struct changes ch;

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", "b", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[2]}}");
	ch = model_changes(fx->md);
	vm_broker_update(none, &ch, &qu, fixture_now(fx));
	update(vm, fx, &qu);
	vm_broker_head(vm, head);
	assert_string_equal(head[1].text, "holds 1? replicas, leads ?");
	assert_string_equal(vm_broker_table(vm)->title, "1? replicas on broker 2");
	qu = fixture_query("!offline", -1, false);
	update(vm, fx, &qu);
	assert_int_equal(vm_broker_table(vm)->n_rows, 0);
	assert_string_equal(vm_broker_table(vm)->title, "0 of 1? replicas, 1 not known");
	assert_string_equal(vm_broker_table(vm)->empty, "1? replicas, none match /!offline/, 1 not known");
	fixture_znode(fx, "/brokers/topics/a/partitions/0/state",
		"{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":0,\"isr\":[2]}");
	update(vm, fx, &qu);
	assert_string_equal(vm_broker_table(vm)->title, "1 of 1? replicas");
	assert_string_equal(vm_broker_table(none)->empty, "no topic read so far has a replica on broker 1");
	vm_broker_free(&vm);
	vm_broker_free(&none);
	fixture_free(&fx);
}

static void a_broker_that_never_was_there_holds_what_topics_name(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_broker *vm = vm_broker_new(fixture_cluster(fx), 7), *none = vm_broker_new(fixture_cluster(fx), 99);
	struct query qu = fixture_query("", -1, false);
	struct changes ch;
	struct cell head[VM_BROKER_HEAD_MAX];

	fixture_load_text(fx, two_topics);
	ch = model_changes(fx->md);
	vm_broker_update(none, &ch, &qu, fixture_now(fx));
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  TOPIC     PART ROLE      STATE       ISR     SIZE UNDER SINCE REPLICAS\n"
		"  pay          0 no leader offline     7          ? -           7!\n"
		"  orders       2 follower  broker-down 2          ? ≤22:13:33   2 7!\n");
	assert_int_equal(vm_broker_head(vm, head), 2);
	assert_non_null(strstr(head[0].text, "broker 7   address unknown   down"));
	assert_int_equal(head[0].style, CELL_WRONG);
	assert_int_equal(vm_broker_table(none)->n_rows, 0);
	assert_string_equal(vm_broker_table(none)->empty, "no topic has a replica on broker 99");
	assert_int_equal(vm_broker_head(none, head), 1);
	assert_string_equal(head[0].text, "broker 99   not registered, and no topic names it");
	vm_broker_free(&vm);
	vm_broker_free(&none);
	fixture_free(&fx);
}

static void the_filter_holds_text_verdicts_and_words_about_topics(void **state)
{
	static const struct { const char *text; size_t rows; } cases[] = {
		{ "orders", 3 }, { "orders-1", 1 }, { "under", 2 }, { "!under", 2 }, { "ok", 2 }, { "internal", 0 }, { "!internal", 4 },
		{ "PAY !under", 1 }, { "nothing", 0 },
	};
	struct fixture *fx = fixture_new();
	struct vm_broker *vm = vm_broker_new(fixture_cluster(fx), 2);

	fixture_load_text(fx, two_topics);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct query qu = fixture_query(cases[i].text, -1, false);

		update(vm, fx, &qu);
		assert_int_equal(vm_broker_table(vm)->n_rows, cases[i].rows);
	}
	assert_string_equal(vm_broker_table(vm)->title, "0 of 4 replicas");
	assert_string_equal(vm_broker_table(vm)->empty, "4 replicas, none match /nothing/");
	vm_broker_free(&vm);
	fixture_free(&fx);
}

static void keys_hold_after_the_list_of_topics_has_changed(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_broker *vm = vm_broker_new(fixture_cluster(fx), 2);
	const struct table *tb = vm_broker_table(vm);
	struct query qu = fixture_query("", 0, false);

	fixture_load_text(fx, two_topics);
	update(vm, fx, &qu);
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	assert_string_equal(tb->key(tb, 0), "orders-0");
	assert_string_equal(tb->key(tb, 3), "pay-1");
	assert_int_equal(tb->find(tb, "pay-1"), 3);
	assert_int_equal(tb->find(tb, "pay-9"), 4);
	model_reset(fx->md);
	assert_string_equal(tb->key(tb, 3), "pay-1");
	vm_broker_free(&vm);
	fixture_free(&fx);
}

/* ---- many changes -------------------------------------------------------------- */

static uint64_t seed = 20231114;

static unsigned pick(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

enum { TOPICS = 40, PARTS = 5, BROKERS = 4 };

static void random_topic(struct fixture *fx, unsigned t)
{
	char path[64], data[512];
	size_t len = 0;

	str_printf(path, sizeof(path), "/brokers/topics/topic-%u", t);
	str_printf(data, sizeof(data), "{\"version\":1,\"partitions\":{");
	for (unsigned p = 0; p < PARTS; p++) {
		unsigned first = pick(BROKERS);

		len = strlen(data);
		str_printf(data + len, sizeof(data) - len, "%s\"%u\":[%u,%u]", p ? "," : "", p, 1 + first, 1 + (first + 1 + pick(BROKERS - 1)) % BROKERS);
	}
	len = strlen(data);
	str_printf(data + len, sizeof(data) - len, "}}");
	fixture_znode(fx, path, data);
}

static void random_state(struct fixture *fx)
{
	char path[96], data[256];
	unsigned leader = 1 + pick(BROKERS);

	str_printf(path, sizeof(path), "/brokers/topics/topic-%u/partitions/%u/state", pick(TOPICS), pick(PARTS));
	str_printf(data, sizeof(data), "{\"controller_epoch\":1,\"leader\":%d,\"version\":1,\"leader_epoch\":1,\"isr\":[%u]}",
		   pick(5) ? (int)leader : -1, leader);
	fixture_znode(fx, path, data);
}

static void assert_same(const struct table *a, const struct table *b)
{
	assert_int_equal(a->n_rows, b->n_rows);
	for (size_t i = 0; i < a->n_rows; i++) {
		char key[64];

		assert_true(str_copy(key, sizeof(key), a->key(a, i)));
		assert_string_equal(b->key(b, i), key);
		assert_int_equal(a->find(a, key), i);
	}
}

static void rows_after_many_changes_are_those_built_anew(void **state)
{
	struct fixture *fx = fixture_new();
	const char *names[TOPICS + 1];
	char texts[TOPICS][16];
	struct vm_broker *vm;
	size_t compared = 0;

	for (unsigned t = 0; t < TOPICS; t++) {
		str_printf(texts[t], sizeof(texts[t]), "topic-%u", t);
		names[t] = texts[t];
	}
	names[TOPICS] = NULL;
	fixture_load_text(fx, "/brokers/ids/1\t{}\n/brokers/ids/2\t{}\n");
	fixture_children(fx, "/brokers/topics", names);
	for (unsigned t = 0; t < TOPICS; t++)
		random_topic(fx, t);
	for (int col = -1; col < 7; col++) {
		struct query qu = fixture_query(col == 3 ? "!ok" : "", col, col % 2 == 0);

		vm = vm_broker_new(fixture_cluster(fx), 2);
		update(vm, fx, &qu);
		for (unsigned step = 0; step < 100; step++) {
			struct vm_broker *fresh = vm_broker_new(fixture_cluster(fx), 2);

			for (unsigned n = 1 + pick(3); n > 0; n--)
				random_state(fx);
			if (pick(10) == 0)
				random_topic(fx, pick(TOPICS));
			update(vm, fx, &qu);
			vm_broker_update(fresh, NULL, &qu, fixture_now(fx));
			assert_same(vm_broker_table(vm), vm_broker_table(fresh));
			compared += vm_broker_table(vm)->n_rows;
			vm_broker_free(&fresh);
		}
		vm_broker_free(&vm);
	}
	assert_true(compared > 10000);
	fixture_free(&fx);
}

static void replicas_have_the_sizes_that_the_broker_tells(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_broker *vm = vm_broker_new(fixture_cluster(fx), 2);
	struct query qu = fixture_query("", COL_SIZE, true);
	struct cell head[VM_BROKER_HEAD_MAX];

	fixture_load_text(fx, two_topics);
	fixture_said(fx, "link 2 up\ndir /d1\nholds orders 0 size=1024\nholds orders 1 size=3072\ndir /d2\nholds orders 2 size=2048\ndisks 2\n");
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  TOPIC     PART ROLE      STATE       ISR     SIZE UNDER SINCE REPLICAS\n"
		"  orders       1 follower* out-of-sync 1    3.0 KiB ≤22:13:32   2~ 1\n"
		"  orders       2 leader    in-sync     2    2.0 KiB ≤22:13:33   2 7!\n"
		"  orders       0 follower  in-sync     1,2  1.0 KiB -           1 2\n"
		"  pay          1 leader    in-sync     2          - -           2\n");
	assert_int_equal(vm_broker_head(vm, head), 4);
	assert_string_equal(head[2].text, "6.0 KiB in 2 log dirs");
	fixture_said(fx, "dir /d1\nholds orders 0 size=1024\nholds orders 1 size=5\ndir /d2 error=56\ndisks 2\n");
	update(vm, fx, &qu);
	assert_text(vm, 80,
		"  TOPIC     PART ROLE      STATE       ISR     SIZE UNDER SINCE REPLICAS\n"
		"  orders       0 follower  in-sync     1,2  1.0 KiB -           1 2\n"
		"  orders       1 follower* out-of-sync 1        5 B ≤22:13:32   2~ 1\n"
		"  orders       2 leader    in-sync     2          ? ≤22:13:33   2 7!\n"
		"  pay          1 leader    in-sync     2          ? -           2\n");
	vm_broker_head(vm, head);
	assert_string_equal(head[2].text, "1.0 KiB in 2 log dirs, 1 offline");
	assert_int_equal(head[2].style, CELL_WRONG);
	fixture_said(fx, "refuses-disks 2\n");
	update(vm, fx, &qu);
	vm_broker_head(vm, head);
	assert_string_equal(head[2].text, "1.0 KiB in 2 log dirs, 1 offline, as told 22:13:55: no permission");
	vm_broker_free(&vm);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_broker_lists_its_replicas_the_worst_first),
		cmocka_unit_test(what_a_broker_holds_is_open_while_topics_are_not_read),
		cmocka_unit_test(a_broker_that_never_was_there_holds_what_topics_name),
		cmocka_unit_test(the_filter_holds_text_verdicts_and_words_about_topics),
		cmocka_unit_test(keys_hold_after_the_list_of_topics_has_changed),
		cmocka_unit_test(rows_after_many_changes_are_those_built_anew),
		cmocka_unit_test(replicas_have_the_sizes_that_the_broker_tells),
	};

	return cmocka_run_group_tests_name("view/vm_broker", tests, NULL, NULL);
}
