/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zk_watch against tests/unit/fakezk, by chance: whatever is changed, served and delivered in whatever order, what
 * was told in the end is what the tree says. KAFOPS_SEED runs one seed alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/unit/fakezk.h"

static uint64_t rnd_state;

static unsigned rnd(unsigned n)
{
	rnd_state = rnd_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(rnd_state >> 33) % n;
}

static const char *rnd_topic(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };

	return names[rnd(5)];
}

static void rnd_put(const char *fmt, unsigned id, const char *data)
{
	char path[ZKPATH_MAX];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	assert_true(str_printf(path, sizeof(path), fmt, id));
#pragma GCC diagnostic pop
	if (fake_node_at(path) != NULL && rnd(3) == 0 && !fake_has_children(path))
		fake_del(path);
	else
		fake_put(path, data);
}

static void mutate(void)
{
	static const char *const want[][2] = { { "a", "b" }, { "c", "a" }, { "e", "zz" } };
	char path[ZKPATH_MAX], leaf[ZKPATH_MAX];
	const char *tp = rnd_topic();

	switch (rnd(20)) {
	case 0:
	case 1:
		fake_put_topic(tp, 1 + (int)rnd(4));
		break;
	case 2:
		fake_put_assignment(tp, (int)rnd(3), 1 + (int)rnd(4));
		break;
	case 3:
		assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", tp));
		fake_del_all(path);
		break;
	case 4:
	case 5:
	case 6: /* one step of a deletion, from below */
		assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", tp));
		if (fake_leaf_below(path, leaf))
			fake_del(leaf);
		break;
	case 7:
	case 8:
	case 9:
	case 10:
		assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", tp));
		if (fake_node_at(path) != NULL)
			fake_put_state(tp, (int)rnd(5), (int)rnd(100));
		break;
	case 11:
	case 12:
		assert_true(str_printf(path, sizeof(path), "/config/topics/%s", tp));
		if (fake_node_at(path) != NULL && rnd(2) == 0)
			fake_del(path);
		else
			fake_put_config(tp);
		break;
	case 13:
		rnd_put("/brokers/ids/%u", rnd(3), "{\"version\":1,\"host\":\"h\",\"port\":9092,\"jmx_port\":-1}");
		break;
	case 14:
		rnd_put("/config/brokers/%u", rnd(3), "{\"version\":1,\"config\":{}}");
		break;
	case 15:
		assert_true(str_printf(path, sizeof(path), "/admin/delete_topics/%s", tp));
		if (fake_node_at(path) != NULL)
			fake_del(path);
		else
			fake_put(path, "");
		break;
	case 16:
		fake_put("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}");
		break;
	case 17:
		fake_del_all(rnd(2) ? "/controller" : "/admin/reassign_partitions");
		break;
	case 18:
		zk_watch_want(fake.w, want[rnd(3)], 2);
		break;
	default:
		if (rnd(10) == 0)
			fake_del_all(rnd(2) ? "/brokers/topics" : "/config");
		else
			fake_put("/admin/reassign_partitions", "{\"version\":1,\"partitions\":[]}");
	}
}

/* What the tree says of a path, in the words of a fact. */
static void expect_node(enum event_kind kind, const char *name, int32_t id, const char *path)
{
	const struct fake_node *nd = fake_node_at(path);
	char text[64] = "absent";

	if (nd != NULL)
		assert_true(str_printf(text, sizeof(text), "present %lld", (long long)nd->mzxid));
	if (strcmp(fake_fact(kind, name, id), text) != 0)
		fail_msg("%s: told \"%s\", true is \"%s\"", path, fake_fact(kind, name, id), text);
}

static size_t expect_children(enum event_kind list, enum event_kind kind, const char *path)
{
	char **names;
	struct event *ev;
	char *text;
	size_t n = 0, n_names;

	if (fake_node_at(path) == NULL) {
		assert_string_equal(fake_fact(list, NULL, -1), "absent");
		return 0;
	}
	names = fake_children(path, &n_names);
	ev = event_from_children(path, ZNODE_OK, NULL, (const char *const *)names, n_names, NULL, 7,
				 (mono_ms){ 1 }, (wall_ms){ 1 });
	text = fake_list_text(&ev->u.list);
	assert_string_equal(fake_fact(list, NULL, -1), text);
	for (size_t i = 0; i < ev->u.list.n && kind != list; i++) {
		char child[ZKPATH_MAX];
		int64_t id = -1;

		assert_true(str_printf(child, sizeof(child), "%s/%s", path, ev->u.list.v[i]));
		if (kind == EV_BROKER)
			assert_true(str_to_i64(ev->u.list.v[i], 0, 100, &id));
		expect_node(kind, kind == EV_BROKER ? NULL : ev->u.list.v[i], (int32_t)id, child);
		n++;
	}
	mem_free(&text);
	event_free(&ev);
	fake_children_free(&names, n_names);
	return n;
}

static size_t expect_states(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	size_t n = 0;

	for (size_t t = 0; t < 5; t++) {
		char path[ZKPATH_MAX];
		const struct fake_node *nd;

		assert_true(zkpath_build(path, ZKPATH_TOPIC, names[t], -1));
		nd = fake_node_at(path);
		for (int32_t p = 0; p < 10; p++) {
			char quoted[16];
			bool is_assigned = nd != NULL && str_printf(quoted, sizeof(quoted), "\"%d\":", (int)p) && strstr(nd->data, quoted) != NULL;

			assert_true(zkpath_build(path, ZKPATH_STATE, names[t], p));
			if (is_assigned)
				expect_node(EV_STATE, names[t], p, path);
			else
				assert_string_equal(fake_fact(EV_STATE, names[t], p), "unknown");
			n += is_assigned;
		}
	}
	return n;
}

/* All that was told is what the tree says, and nothing else was. */
static void expect_truth(void)
{
	size_t n = 12;

	expect_node(EV_CONTROLLER, NULL, -1, "/controller");
	expect_node(EV_CONTROLLER_EPOCH, NULL, -1, "/controller_epoch");
	expect_node(EV_CLUSTER_ID, NULL, -1, "/cluster/id");
	expect_node(EV_REASSIGN, NULL, -1, "/admin/reassign_partitions");
	n += expect_children(EV_BROKER_IDS, EV_BROKER, "/brokers/ids");
	n += expect_children(EV_TOPICS, EV_TOPIC, "/brokers/topics");
	n += expect_children(EV_CONFIG_TOPICS, EV_TOPIC_CONFIG, "/config/topics");
	n += expect_children(EV_CONFIG_BROKERS, EV_BROKER_CONFIG, "/config/brokers");
	n += expect_children(EV_DELETE_TOPICS, EV_MARKER, "/admin/delete_topics");
	n += expect_states();
	assert_int_equal(map_count(fake.facts), n);
	assert_int_equal(zk_watch_in_flight(fake.w), 0);
}

static void run_seed(uint64_t seed)
{
	rnd_state = seed * 2654435761u + 1;
	fake_begin(1 + rnd(8), false);
	fake_put_roots();
	for (int i = 0; i < 10; i++)
		mutate();
	zk_watch_start(fake.w);
	for (int phase = 0; phase < 4; phase++) {
		unsigned pace = 1 + rnd(6);

		for (int i = 0; i < 200; i++) {
			unsigned dice = rnd(pace + 4);

			if (dice < 2)
				mutate();
			else if (dice % 2 == 0)
				fake_deliver();
			else
				fake_serve();
		}
		fake_settle();
		fake.now_ms += 60000; /* what is tried once a minute */
		zk_watch_tick(fake.w);
		fake_settle();
		expect_truth();
	}
	fake_finish();
}

static void told_is_what_is_true_whatever_the_order(void **state)
{
	const char *env = getenv("KAFOPS_SEED");
	uint64_t first = env != NULL ? strtoull(env, NULL, 10) : 1, n = env != NULL ? 1 : 500;

	for (uint64_t seed = first; seed < first + n; seed++) {
		print_message("# seed %llu\n", (unsigned long long)seed);
		run_seed(seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(told_is_what_is_true_whatever_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
