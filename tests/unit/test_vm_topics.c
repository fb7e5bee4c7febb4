/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "tests/unit/fixture.h"
#include "view/topic_row.h"
#include "view/vm_topics.h"

static void update(struct vm_topics *vm, struct fixture *fx, const struct query *qu)
{
	struct changes ch = model_changes(fx->md);

	vm_topics_update(vm, &ch, qu, fixture_now(fx));
	model_changes_clear(fx->md);
}

/* The table as text; the caller's to mem_free. */
static char *text_of(const struct vm_topics *vm, size_t width)
{
	const struct table *tb = vm_topics_table(vm);
	struct strbuf out;

	strbuf_init(&out);
	table_print(tb, width, 0, tb->n_rows, false, &out);
	return strbuf_take(&out);
}

static void assert_text(const struct vm_topics *vm, size_t width, const char *expected)
{
	char *text = text_of(vm, width);

	assert_string_equal(text, expected);
	mem_free(&text);
}

static const char state_of[] = "{\"controller_epoch\":7,\"leader\":%d,\"version\":1,\"leader_epoch\":5,\"isr\":[%s]}";

static void set_state(struct fixture *fx, const char *topic, int partition, int leader, const char *isr)
{
	char path[512], data[512];

	str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", topic, partition);
	str_printf(data, sizeof(data), state_of, leader, isr);
	fixture_znode(fx, path, data);
}

/* ---- claims ------------------------------------------------------------------ */

static void fixture_a_at_80_columns(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "2 partitions under; broker 5 down since before 22:13:22; 6 topics, 11 partitions");
	assert_string_equal(vm_topics_table(vm)->sort_text, "worst, then name");
	assert_text(vm, 80,
		"  TOPIC              PARTS  RF STATE        FOR  URP OFFL     SIZE  AGE\n"
		"  legacy.audit           2   2 under          ?    2    0        ?  13s\n"
		"  __consumer_offsets     2   3 ok             -    0    0        ?   8s\n"
		"  orders                 3   3 ok             -    0    0        ?  22s\n"
		"  payments.eu            2   2 ok             -    0    0        ?  18s\n"
		"  payments_eu            1   2 ok             -    0    0        ?  15s\n"
		"  tmp-load-01            1   1 ok             -    0    0        ?  10s\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void fixture_a_at_160_columns(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_text(vm, 160,
		"  TOPIC              PARTS  RF STATE        FOR  URP OFFL     SIZE  AGE WORST ISR     LEADERS OVERR TOPIC ID               CHANGED\n"
		"  legacy.audit           2   2 under          ?    2    0        ?  13s       1/2   2 brokers     0 5vJ1kqUqTfW0pJm3c9b2Aw     11s\n"
		"  __consumer_offsets     2   3 ok             -    0    0        ?   8s       3/3   2 brokers     0 -                           6s\n"
		"  orders                 3   3 ok             -    0    0        ?  22s       3/3   3 brokers     1 Q2hlY2tNZUlmWW91Q2FuIQ      5s\n"
		"  payments.eu            2   2 ok             -    0    0        ?  18s       2/2   2 brokers     0 -                          16s\n"
		"  payments_eu            1   2 ok             -    0    0        ?  15s       2/2    1 broker     0 -                          14s\n"
		"  tmp-load-01            1   1 ok             -    0    0        ?  10s       1/1    1 broker     0 -                           9s\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void narrow_screens_keep_name_state_and_urp(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("legacy", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "1 of 6 topics shown; in all 2 partitions under; broker 5 down since before 22:13:22; 11 partitions");
	assert_text(vm, 42,
		"  TOPIC              STATE       URP OFFL\n"
		"  legacy.audit       under         2    0\n");
	assert_text(vm, 30,
		"  TOPIC        STATE       URP\n"
		"  legacy.audit under         2\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void what_is_not_read_yet_is_a_question_mark(void **state)
{
	static const char *const topics[] = { "a", "b", NULL };
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);
	struct arena *ar = arena_new(0);
	struct row ro;

	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "topics: not read yet");
	assert_string_equal(vm_topics_table(vm)->empty, "the list of topics has not been read yet");
	fixture_children(fx, "/brokers/topics", topics);
	update(vm, fx, &qu);
	assert_text(vm, 50,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL\n"
		"  a            ?   ? ?              ?    ?    ?\n"
		"  b            ?   ? ?              ?    ?    ?\n");
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":1,\"partitions\":{\"0\":[1,2],\"1\":[2,1]}}");
	set_state(fx, "b", 0, 1, "1");
	update(vm, fx, &qu);
	assert_text(vm, 50,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL\n"
		"  b            2   2 under          ?   1?    ?\n"
		"  a            ?   ? ?              ?    ?    ?\n");
	memset(&ro, 0, sizeof(ro));
	vm_topics_table(vm)->fill(vm_topics_table(vm), 1, &ro, ar);
	assert_int_equal(ro.cells[1].style, CELL_DIM);
	arena_free(&ar);
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void an_unreadable_topic_is_shown_as_such(void **state)
{
	static const char *const topics[] = { "bad", "good", NULL };
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_children(fx, "/brokers/topics", topics);
	fixture_znode(fx, "/brokers/topics/bad", "{\"version\":1,");
	fixture_znode(fx, "/brokers/topics/good", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	fixture_unreadable(fx, "/brokers/topics/good/partitions/0/state", "no permission to read it");
	update(vm, fx, &qu);
	assert_text(vm, 50,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL\n"
		"  bad          ?   ? unreadable     ?    ?    ?\n"
		"  good         1   1 unreadable     ?    ?    ?\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void without_the_list_of_brokers_nothing_is_well(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_children_unreadable(fx, "/brokers/ids", "no permission to read it");
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", "b", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1]}}");
	set_state(fx, "a", 0, 1, "1");
	set_state(fx, "b", 0, 1, "1");
	set_state(fx, "b", 1, -1, "1");
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "1 partition offline, 1 under-min; 2 topics, 3 partitions");
	assert_text(vm, 50,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL\n"
		"  b            2   1 offline        ?    0   1?\n"
		"  a            1   1 ?              ?    0    ?\n");
	set_state(fx, "b", 1, 1, "1");
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "2 topics, 3 partitions");
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", NULL });
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "2 topics, 3 partitions: all in sync");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void what_is_not_all_read_is_not_all_in_sync(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", "b", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	set_state(fx, "a", 0, 1, "1");
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "2 topics, 1? partitions");
	fixture_unreadable(fx, "/brokers/topics/b", "no permission to read it");
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->title, "2 topics, 1? partitions");
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1]}}");
	set_state(fx, "b", 0, 1, "1");
	update(vm, fx, &qu);
	assert_text(vm, 110,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL     SIZE  AGE WORST ISR     LEADERS OVERR\n"
		"  a            1   1 ok             -    0    0        ?   4s       1/1    1 broker     ?\n"
		"  b            2   1 ?              ?    ?    ?        ?   1s      1/1?   1? broker     ?\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void a_filter_counts_what_it_could_not_decide(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("at-min", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->empty, "6 topics, none match /at-min/, 5 not known");
	assert_true(str_starts(vm_topics_table(vm)->title, "0 of 6 topics shown, 5 not known; "));
	/* One of them is decided by a setting of its own. */
	fixture_znode(fx, "/config/topics/tmp-load-01", "{\"version\":1,\"config\":{\"min.insync.replicas\":\"1\"}}");
	update(vm, fx, &qu);
	assert_true(str_starts(vm_topics_table(vm)->title, "1 of 6 topics shown, 4 not known; "));
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void for_is_the_time_of_the_state_that_is_named(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", "3", NULL });
	fixture_children(fx, "/config/topics", (const char *const[]){ "a", NULL });
	fixture_znode(fx, "/config/topics/a", "{\"version\":1,\"config\":{\"min.insync.replicas\":\"2\"}}");
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1,2,3]}}");
	set_state(fx, "a", 0, 1, "1,2,3");
	set_state(fx, "a", 0, 1, "1,2");
	fx->at += 3600 * 1000;
	set_state(fx, "a", 0, 1, "1");
	fx->at += 300 * 1000;
	update(vm, fx, &qu);
	assert_text(vm, 50,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL\n"
		"  a            1   3 under-min     5m    1    0\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void sorting_by_each_column_keeps_unknown_last(void **state)
{
	static const char *const topics[] = { "a", "b", "c", "d", NULL };
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	size_t n_cols = vm_topics_table(vm)->n_cols;

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", NULL });
	fixture_children(fx, "/brokers/topics", topics);
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":3,\"topic_id\":\"zz\",\"partitions\":{\"0\":[1,2,3]}}");
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":3,\"topic_id\":\"aa\",\"partitions\":{\"0\":[1],\"1\":[1]}}");
	fixture_znode(fx, "/brokers/topics/d", "{\"version\":3,\"topic_id\":\"kk\",\"partitions\":{\"0\":[1,2]}}");
	set_state(fx, "a", 0, 1, "1");
	set_state(fx, "b", 0, 1, "1");
	set_state(fx, "b", 1, 1, "1");
	set_state(fx, "d", 0, 1, "1,2");
	fixture_children(fx, "/config/topics", (const char *const[]){ NULL });
	for (size_t col = 0; col < n_cols; col++)
		for (int desc = 0; desc < 2; desc++) {
			const struct table *tb = vm_topics_table(vm);
			struct query qu = fixture_query("", (int)col, desc);

			update(vm, fx, &qu);
			assert_int_equal(tb->n_rows, 4);
			/* c is known by name alone; a name, a state and overrides it has; d is well, for no time; sizes nobody told. */
			if (strcmp(tb->cols[col].name, "topic") && strcmp(tb->cols[col].name, "state") && strcmp(tb->cols[col].name, "overrides") &&
			    strcmp(tb->cols[col].name, "state_for") && strcmp(tb->cols[col].name, "bytes"))
				assert_string_equal(tb->key(tb, 3), "c");
		}
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void numbers_sort_as_numbers_and_ties_by_name(void **state)
{
	static const char *const topics[] = { "a", "b", "c", NULL };
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	const struct table *tb = vm_topics_table(vm);
	struct query qu = fixture_query("", 1, true);

	fixture_children(fx, "/brokers/topics", topics);
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1]}}");
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1],\"2\":[1],\"3\":[1],\"4\":[1],"
		"\"5\":[1],\"6\":[1],\"7\":[1],\"8\":[1],\"9\":[1],\"10\":[1]}}");
	fixture_znode(fx, "/brokers/topics/c", "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1]}}");
	update(vm, fx, &qu);
	assert_string_equal(tb->key(tb, 0), "b");
	assert_string_equal(tb->key(tb, 1), "a");
	assert_string_equal(tb->key(tb, 2), "c");
	assert_string_equal(tb->sort_text, "by PARTS, then name");
	qu = fixture_query("", 1, false);
	update(vm, fx, &qu);
	assert_string_equal(tb->key(tb, 0), "a");
	assert_string_equal(tb->key(tb, 1), "c");
	assert_string_equal(tb->sort_text, "by PARTS reversed, then name");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void an_empty_list_says_why(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("nothing-like-it", -1, false);

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_int_equal(vm_topics_table(vm)->n_rows, 0);
	assert_string_equal(vm_topics_table(vm)->empty, "6 topics, none match /nothing-like-it/");
	assert_string_equal(vm_topics_table(vm)->title, "0 of 6 topics shown; in all 2 partitions under; broker 5 down since before 22:13:22; 11 partitions");
	fixture_children(fx, "/brokers/topics", (const char *const[]){ NULL });
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->empty, "the cluster has no topics");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void facts_of_an_earlier_session_are_old(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	const struct table *tb = vm_topics_table(vm);
	struct query qu = fixture_query("tmp", -1, false);
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	fixture_new_epoch(fx);
	update(vm, fx, &qu);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_int_equal(ro.style, CELL_OLD);
	fixture_znode(fx, "/brokers/topics/tmp-load-01", "{\"version\":3,\"partitions\":{\"0\":[4]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	set_state(fx, "tmp-load-01", 0, 4, "4");
	update(vm, fx, &qu);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_int_equal(ro.style, CELL_NORMAL);
	arena_free(&ar);
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void hostile_names_keep_the_columns_aligned(void **state)
{
	char longest[250];
	const char *topics[] = { longest, "esc\x1b[2Jape", "bad\xff", "\xe6\x9d\xb1\xe4\xba\xac", "e\xcc\x81", "\xcc\x81", "tab\tnl\n", NULL };
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);

	memset(longest, 'a', 249);
	longest[249] = '\0';
	fixture_children(fx, "/brokers/topics", topics);
	update(vm, fx, &qu);
	assert_int_equal(vm_topics_table(vm)->n_rows, 7);
	for (size_t width = 40; width < 320; width += 40) {
		char *text = text_of(vm, width), *s = text;
		size_t columns = utf8_columnsn(s, strcspn(s, "\n"));

		assert_true(columns <= width);
		/* Headers and the unknown last cell end at the same column. */
		for (; *s; s += strcspn(s, "\n") + 1)
			assert_int_equal(utf8_columnsn(s, strcspn(s, "\n")), width < 160 ? columns : utf8_columnsn(s, strcspn(s, "\n")));
		mem_free(&text);
	}
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void widths_stay_while_only_values_change(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);
	uint16_t before[TABLE_COLUMNS_MAX], after[TABLE_COLUMNS_MAX];

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	table_layout(vm_topics_table(vm), 120, before);
	set_state(fx, "orders", 0, -1, "");
	fixture_unreadable(fx, "/brokers/topics/orders/partitions/1/state", "no permission to read it");
	qu = fixture_query("legacy", 1, true);
	update(vm, fx, &qu);
	table_layout(vm_topics_table(vm), 120, after);
	assert_memory_equal(before, after, sizeof(before[0]) * vm_topics_table(vm)->n_cols);
	vm_topics_free(&vm);
	fixture_free(&fx);
}

/* ---- incremental equals rebuilt ------------------------------------------------ */

static uint64_t rng;

static uint32_t roll(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 11) % n;
}

static void random_change(struct fixture *fx)
{
	static const char *const isrs[] = { "1,2,3", "1,2", "1", "" };
	char name[16], path[64], data[128];

	str_printf(name, sizeof(name), "t%u", roll(60));
	switch (roll(12)) {
	case 0:
		str_printf(path, sizeof(path), "/brokers/topics/%s", name);
		fixture_znode(fx, path, NULL);
		break;
	case 1:
	case 2:
		str_printf(path, sizeof(path), "/brokers/topics/%s", name);
		str_printf(data, sizeof(data), "{\"version\":2,\"partitions\":{\"0\":[1,2,3]%s},\"adding_replicas\":{%s},\"removing_replicas\":{}}",
			   roll(2) ? ",\"1\":[3,2]" : "", roll(4) ? "" : "\"0\":[3]");
		fixture_znode(fx, path, data);
		break;
	case 3:
		str_printf(path, sizeof(path), "/config/topics/%s", name);
		fixture_znode(fx, path, roll(2) ? "{\"version\":1,\"config\":{\"min.insync.replicas\":\"2\"}}" : NULL);
		break;
	case 4:
		fixture_children(fx, "/admin/delete_topics", (const char *const[]){ name, NULL });
		break;
	case 5:
		fixture_children(fx, "/brokers/ids", roll(2) ? (const char *const[]){ "1", "2", "3", NULL } : (const char *const[]){ "2", "3", NULL });
		break;
	default:
		set_state(fx, name, (int)roll(2), (int)roll(4) - 1, isrs[roll(4)]);
	}
}

static void assert_same(const struct table *a, const struct table *b)
{
	assert_int_equal(a->n_rows, b->n_rows);
	for (size_t i = 0; i < a->n_rows; i++) {
		assert_string_equal(a->key(a, i), b->key(b, i));
		assert_int_equal(a->find(a, a->key(a, i)), i);
	}
	assert_string_equal(a->title, b->title);
	assert_int_equal(a->find(a, "no such topic"), a->n_rows);
}

static void a_kept_view_equals_a_fresh_one(void **state)
{
	static const char *const texts[] = { "", "", "t1", "under", "!ok", "moving", "unreadable", "deleting", "at-min", "!under-min" };
	uint64_t seed = (uint64_t)time(NULL) * 2654435761u + 1;
	const char *given = getenv("KAFOPS_TEST_SEED");
	struct fixture *fx = fixture_new();
	struct vm_topics *kept = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);
	const char *names[41];
	char text[40][16];

	rng = given ? strtoull(given, NULL, 10) : seed;
	rng += !rng;
	print_message("# seed %" PRIu64 "\n", rng);
	for (size_t i = 0; i < 40; i++) {
		str_printf(text[i], sizeof(text[i]), "t%02zu", i);
		names[i] = text[i];
	}
	names[40] = NULL;
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", "3", NULL });
	fixture_children(fx, "/brokers/topics", names);
	fixture_children(fx, "/config/topics", (const char *const[]){ NULL });
	for (int step = 0; step < 1500; step++) {
		struct vm_topics *fresh = vm_topics_new(fixture_cluster(fx));
		struct changes ch;

		for (uint32_t n = roll(4); n > 0; n--)
			random_change(fx);
		if (roll(10) == 0)
			qu = fixture_query(texts[roll(sizeof(texts) / sizeof(texts[0]))], (int)roll(13) - 1, roll(2));
		ch = model_changes(fx->md);
		vm_topics_update(kept, &ch, &qu, fixture_now(fx));
		model_changes_clear(fx->md);
		vm_topics_update(fresh, NULL, &qu, fixture_now(fx));
		assert_same(vm_topics_table(kept), vm_topics_table(fresh));
		vm_topics_free(&fresh);
	}
	vm_topics_free(&kept);
	fixture_free(&fx);
}

static void an_update_without_a_change_says_so(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", -1, false);
	struct changes none = { 0, NULL, 0 };

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	update(vm, fx, &qu);
	assert_false(vm_topics_update(vm, &none, &qu, fixture_now(fx)));
	assert_true(vm_topics_update(vm, &none, &qu, (wall_ms){ fixture_now(fx).ms + 1000 }));
	qu = fixture_query("x", -1, false);
	assert_true(vm_topics_update(vm, &none, &qu, (wall_ms){ fixture_now(fx).ms + 1000 }));
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static const char sized_tree[] =
	"/brokers/ids/1\t{\"host\":\"b1\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/2\t{\"host\":\"b2\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/topics/a\t{\"version\":1,\"partitions\":{\"0\":[1]}}\n"
	"/brokers/topics/a/partitions/0/state\t{\"controller_epoch\":7,\"leader\":1,\"version\":1,\"leader_epoch\":5,\"isr\":[1]}\n"
	"/brokers/topics/b\t{\"version\":1,\"partitions\":{\"0\":[1,2]}}\n"
	"/brokers/topics/b/partitions/0/state\t{\"controller_epoch\":7,\"leader\":1,\"version\":1,\"leader_epoch\":5,\"isr\":[1,2]}\n"
	"/brokers/topics/c\t{\"version\":1,\"partitions\":{\"0\":[2]}}\n"
	"/brokers/topics/c/partitions/0/state\t{\"controller_epoch\":7,\"leader\":2,\"version\":1,\"leader_epoch\":5,\"isr\":[2]}\n";

static void sizes_are_open_until_every_broker_of_a_topic_has_told(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	struct query qu = fixture_query("", TOPIC_COL_SIZE, true);

	fixture_load_text(fx, sized_tree);
	fixture_said(fx, "link 1 up\ndir /d\nholds a 0 size=1024\nholds b 0 size=4096\ndisks 1\n");
	update(vm, fx, &qu);
	assert_string_equal(vm_topics_table(vm)->sort_text, "by SIZE, then name");
	assert_text(vm, 64,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL     SIZE  AGE\n"
		"  b            1   2 ok             -    0    0 4.0 KiB?  15s\n"
		"  a            1   1 ok             -    0    0  1.0 KiB  17s\n"
		"  c            1   1 ok             -    0    0        ?  13s\n");
	fixture_said(fx, "link 2 up\ndir /d\nholds b 0 size=4096\nholds c 0 size=1048576\ndisks 2\n");
	update(vm, fx, &qu);
	assert_text(vm, 64,
		"  TOPIC    PARTS  RF STATE        FOR  URP OFFL     SIZE  AGE\n"
		"  c            1   1 ok             -    0    0  1.0 MiB  18s\n"
		"  b            1   2 ok             -    0    0  8.0 KiB  20s\n"
		"  a            1   1 ok             -    0    0  1.0 KiB  22s\n");
	vm_topics_free(&vm);
	fixture_free(&fx);
}

static void what_only_the_brokers_say_is_dim(void **state)
{
	struct fixture *fx = fixture_new();
	struct vm_topics *vm = vm_topics_new(fixture_cluster(fx));
	const struct table *tb = vm_topics_table(vm);
	struct query qu = fixture_query("", -1, false);
	struct arena *ar = arena_new(0);
	struct row ro;

	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	fixture_said(fx, "link 1 up\nlives 1\nsays a 0 leader=1 epoch=5 replicas=1 isr=1\nmetadata 1 all controller=1\n");
	update(vm, fx, &qu);
	assert_int_equal(tb->n_rows, 1);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_int_equal(ro.style, CELL_DIM);
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	set_state(fx, "a", 0, 1, "1");
	update(vm, fx, &qu);
	memset(&ro, 0, sizeof(ro));
	tb->fill(tb, 0, &ro, ar);
	assert_int_equal(ro.style, CELL_NORMAL);
	arena_free(&ar);
	vm_topics_free(&vm);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixture_a_at_80_columns),
		cmocka_unit_test(fixture_a_at_160_columns),
		cmocka_unit_test(narrow_screens_keep_name_state_and_urp),
		cmocka_unit_test(what_is_not_read_yet_is_a_question_mark),
		cmocka_unit_test(an_unreadable_topic_is_shown_as_such),
		cmocka_unit_test(without_the_list_of_brokers_nothing_is_well),
		cmocka_unit_test(what_is_not_all_read_is_not_all_in_sync),
		cmocka_unit_test(a_filter_counts_what_it_could_not_decide),
		cmocka_unit_test(for_is_the_time_of_the_state_that_is_named),
		cmocka_unit_test(sorting_by_each_column_keeps_unknown_last),
		cmocka_unit_test(numbers_sort_as_numbers_and_ties_by_name),
		cmocka_unit_test(an_empty_list_says_why),
		cmocka_unit_test(facts_of_an_earlier_session_are_old),
		cmocka_unit_test(hostile_names_keep_the_columns_aligned),
		cmocka_unit_test(widths_stay_while_only_values_change),
		cmocka_unit_test(a_kept_view_equals_a_fresh_one),
		cmocka_unit_test(an_update_without_a_change_says_so),
		cmocka_unit_test(sizes_are_open_until_every_broker_of_a_topic_has_told),
		cmocka_unit_test(what_only_the_brokers_say_is_dim),
	};

	return cmocka_run_group_tests_name("view/vm_topics", tests, NULL, NULL);
}
