/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/throttle.h"
#include "tests/unit/fixture_logdirs.h"

static const char *const uses[] = {
	[THROTTLE_SERVES] = "serves", [THROTTLE_BESIDE] = "beside", [THROTTLE_EMPTY] = "empty", [THROTTLE_LEFT] = "left",
	[THROTTLE_UNCERTAIN] = "uncertain",
};

/* One throttle a line: "broker 1 leader.rate 100 serves a/0@1 (part)". */
static char *throttles_text(const struct fixture *fx)
{
	struct throttles th = throttles_of(fixture_cluster(fx));
	struct strbuf out;
	char name[300];

	strbuf_init(&out);
	for (size_t i = 0; i < th.n; i++) {
		const struct throttle *to = &th.v[i];

		strbuf_printf(&out, "%s %s %s=%s %s", throttle_scope(to), throttle_name(to, name, sizeof(name)),
			throttle_setting_name(to->setting), to->value, uses[to->use]);
		for (size_t j = 0; j < to->n_serves; j++) {
			strbuf_printf(&out, " %s/%d", to->serves[j].topic, to->serves[j].partition);
			if (to->serves[j].broker != BROKER_NONE)
				strbuf_printf(&out, "@%d", to->serves[j].broker);
		}
		strbuf_printf(&out, "%s\n", to->is_whole ? "" : " ?");
		assert_int_equal(to->why != NULL, !to->is_whole);
	}
	throttles_fini(&th);
	return strbuf_take(&out);
}

static void assert_throttles(const struct fixture *fx, const char *expected)
{
	char *text = throttles_text(fx);

	assert_string_equal(text, expected);
	mem_free(&text);
}

static const char brokers[] =
	"/brokers/ids/1\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
	"/brokers/ids/2\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
	"/brokers/ids/3\t{\"version\":0,\"host\":\"h\",\"port\":1}\n";

/* Partition 0 of a goes from 1,2 to 3,2; partition 1 stays where it is, on 2. */
static const char moving[] =
	"/brokers/topics/a\t{\"version\":2,\"partitions\":{\"0\":[3,2,1],\"1\":[2]},\"adding_replicas\":{\"0\":[3]},\"removing_replicas\":{\"0\":[1]}}\n"
	"/brokers/topics/b\t{\"version\":2,\"partitions\":{\"0\":[1,2]}}\n";

static struct fixture *cluster_of(const char *more)
{
	struct fixture *fx = fixture_new();
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s%s", brokers, moving, more);
	fixture_load_text(fx, text.s);
	strbuf_fini(&text);
	return fx;
}

static char *config(const char *path, const char *settings)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text, "%s\t{\"version\":1,\"config\":{%s}}\n", path, settings);
	return strbuf_take(&text);
}

static void a_list_is_read_as_brokers_read_it(void **state)
{
	static const char *const right[] = { "", " ", "0:1", "0:1,10:2", " 0:1 , 1:2 ", "0:1,,1:2", "0:1,", "*", " * ", "none" };
	static const char *const wrong[] = { "0", "0:", ":1", "0:1:2", "0: 1", "a:1", "-1:2", "0:1,*", "*,0:1", "none,0:1", "0:1;0:2",
		"99999999999:1", "all", "*:1" };
	struct throttle_list l;

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		assert_true(throttle_list_parse(right[i], &l));
		assert_int_equal(l.is_all, strchr(right[i], '*') != NULL);
		throttle_list_fini(&l);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(throttle_list_parse(wrong[i], &l));
	assert_true(throttle_list_parse("10:2, 2:11,2:1", &l));
	assert_true(throttle_list_has(&l, 10, 2));
	assert_true(throttle_list_has(&l, 2, 11));
	assert_false(throttle_list_has(&l, 2, 2));
	throttle_list_fini(&l);
}

static void throttles_of_a_running_move_serve_it(void **state)
{
	char *a = config("/config/topics/a", "\"leader.replication.throttled.replicas\":\"0:1,0:2\",\"follower.replication.throttled.replicas\":\"0:3\"");
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"100\",\"follower.replication.throttled.rate\":\"100\"");
	char *b3 = config("/config/brokers/3", "\"leader.replication.throttled.rate\":\"100\",\"follower.replication.throttled.rate\":\"100\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s%s", a, b1, b3);
	fx = cluster_of(text.s);
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=100 serves a/0@1\n"
		"broker 1 follower.replication.throttled.rate=100 beside\n"
		"broker 3 leader.replication.throttled.rate=100 beside\n"
		"broker 3 follower.replication.throttled.rate=100 serves a/0@3\n"
		"topic a leader.replication.throttled.replicas=0:1,0:2 serves a/0\n"
		"topic a follower.replication.throttled.replicas=0:3 serves a/0\n");
	/* The move ends, the throttles stay. */
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":2,\"partitions\":{\"0\":[3,2],\"1\":[2]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=100 left\n"
		"broker 1 follower.replication.throttled.rate=100 left\n"
		"broker 3 leader.replication.throttled.rate=100 left\n"
		"broker 3 follower.replication.throttled.rate=100 left\n"
		"topic a leader.replication.throttled.replicas=0:1,0:2 left\n"
		"topic a follower.replication.throttled.replicas=0:3 left\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&a);
	mem_free(&b1);
	mem_free(&b3);
}

/* A rate of another height is another's, lists of other replicas and topics throttle nothing that moves. */
static void what_no_move_needs_is_left_over_beside_a_running_one(void **state)
{
	char *a = config("/config/topics/a", "\"leader.replication.throttled.replicas\":\"*\",\"follower.replication.throttled.replicas\":\"0:2,1:2\"");
	char *b = config("/config/topics/b", "\"leader.replication.throttled.replicas\":\"*\"");
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"100\",\"follower.replication.throttled.rate\":\"100\"");
	char *b2 = config("/config/brokers/3", "\"leader.replication.throttled.rate\":\"7\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s%s%s", a, b, b1, b2);
	fx = cluster_of(text.s);
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=100 serves a/0@1\n"
		"broker 1 follower.replication.throttled.rate=100 left\n"
		"broker 3 leader.replication.throttled.rate=7 left\n"
		"topic a leader.replication.throttled.replicas=* serves a/0\n"
		"topic a follower.replication.throttled.replicas=0:2,1:2 left\n"
		"topic b leader.replication.throttled.replicas=* left\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&a);
	mem_free(&b);
	mem_free(&b1);
	mem_free(&b2);
}

static void what_limits_nothing_is_not_left_over(void **state)
{
	char *b = config("/config/topics/b", "\"leader.replication.throttled.replicas\":\"\",\"follower.replication.throttled.replicas\":\"none\"");
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"9223372036854775807\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s", b, b1);
	fx = cluster_of(text.s);
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=9223372036854775807 empty\n"
		"topic b leader.replication.throttled.replicas= empty\n"
		"topic b follower.replication.throttled.replicas=none empty\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&b);
	mem_free(&b1);
}

static void a_value_that_brokers_refuse_is_no_left_over(void **state)
{
	char *b = config("/config/topics/b", "\"leader.replication.throttled.replicas\":\"all of them\"");
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"10MB\",\"follower.replication.throttled.rate\":\"-1\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s", b, b1);
	fx = cluster_of(text.s);
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=10MB uncertain ?\n"
		"broker 1 follower.replication.throttled.rate=-1 uncertain ?\n"
		"topic b leader.replication.throttled.replicas=all of them uncertain ?\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&b);
	mem_free(&b1);
}

static void the_rate_for_log_dirs_serves_future_replicas(void **state)
{
	char *b1 = config("/config/brokers/1", "\"replica.alter.log.dirs.io.max.bytes.per.second\":\"50\"");
	char *b2 = config("/config/brokers/2", "\"replica.alter.log.dirs.io.max.bytes.per.second\":\"50\"");
	char *b3 = config("/config/brokers/3", "\"replica.alter.log.dirs.io.max.bytes.per.second\":\"60\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s%s", b1, b2, b3);
	fx = cluster_of(text.s);
	assert_throttles(fx,
		"broker 1 replica.alter.log.dirs.io.max.bytes.per.second=50 uncertain ?\n"
		"broker 2 replica.alter.log.dirs.io.max.bytes.per.second=50 uncertain ?\n"
		"broker 3 replica.alter.log.dirs.io.max.bytes.per.second=60 uncertain ?\n");
	fixture_said(fx,
		"dir /d1\nholds b 0 size=100\ndir /d2\nholds b 0 size=40 lag=9 future\ndisks 1\n"
		"dir /d1\nholds b 0 size=100\ndisks 2\ndir /d1\ndisks 3\n");
	assert_throttles(fx,
		"broker 1 replica.alter.log.dirs.io.max.bytes.per.second=50 serves b/0@1\n"
		"broker 2 replica.alter.log.dirs.io.max.bytes.per.second=50 beside\n"
		"broker 3 replica.alter.log.dirs.io.max.bytes.per.second=60 left\n");
	fixture_said(fx, "dir /d1\ndir /d2\nholds b 0 size=100\ndisks 1\n");
	assert_throttles(fx,
		"broker 1 replica.alter.log.dirs.io.max.bytes.per.second=50 left\n"
		"broker 2 replica.alter.log.dirs.io.max.bytes.per.second=50 left\n"
		"broker 3 replica.alter.log.dirs.io.max.bytes.per.second=60 left\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&b1);
	mem_free(&b2);
	mem_free(&b3);
}

/* Kafka's tool sets the rate and starts the copies at once, while what the broker told of its log dirs is seconds old. */
static void a_rate_for_log_dirs_set_since_they_were_told_leaves_it_open(void **state)
{
	struct fixture *fx = cluster_of("");
	char *b1 = config("/config/brokers/1", "\"replica.alter.log.dirs.io.max.bytes.per.second\":\"50\"");

	fixture_children(fx, "/config/brokers", (const char *const[]){ NULL });
	fixture_said(fx, "dir /d1\nholds b 0 size=100\ndisks 1\n");
	fixture_children(fx, "/config/brokers", (const char *const[]){ "1", NULL });
	fixture_load_text(fx, b1);
	assert_throttles(fx, "broker 1 replica.alter.log.dirs.io.max.bytes.per.second=50 uncertain ?\n");
	fixture_said(fx, "dir /d1\nholds b 0 size=100\ndisks 1\n");
	assert_throttles(fx, "broker 1 replica.alter.log.dirs.io.max.bytes.per.second=50 left\n");
	/* Read again as it was: nothing was set. */
	fixture_load_text(fx, b1);
	assert_throttles(fx, "broker 1 replica.alter.log.dirs.io.max.bytes.per.second=50 left\n");
	fixture_free(&fx);
	mem_free(&b1);
}

static void the_default_serves_on_brokers_without_a_rate_of_their_own(void **state)
{
	char *a = config("/config/topics/a", "\"leader.replication.throttled.replicas\":\"*\"");
	char *all = config("/config/brokers/<default>", "\"leader.replication.throttled.rate\":\"9\",\"replica.alter.log.dirs.io.max.bytes.per.second\":\"5\"");
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"100\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s%s", a, all, b1);
	fx = cluster_of(text.s);
	fixture_said(fx, "dir /d1\ndisks 1\ndir /d1\nholds b 0 size=1 future\ndisks 2\n");
	assert_throttles(fx,
		"broker <default> leader.replication.throttled.rate=9 serves a/0@2\n"
		"broker <default> replica.alter.log.dirs.io.max.bytes.per.second=5 serves b/0@2 ?\n"
		"broker 1 leader.replication.throttled.rate=100 serves a/0@1\n"
		"topic a leader.replication.throttled.replicas=* serves a/0\n");
	/* The list alone says that it went. */
	fixture_children(fx, "/config/brokers", (const char *const[]){ "1", NULL });
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=100 serves a/0@1\n"
		"topic a leader.replication.throttled.replicas=* serves a/0\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&a);
	mem_free(&all);
	mem_free(&b1);
}

/* Before Kafka 2.4 the topic node says nothing of a move; the order does, until it is carried out. */
static void an_order_that_is_not_carried_out_is_a_move(void **state)
{
	char *b = config("/config/topics/b", "\"leader.replication.throttled.replicas\":\"0:1\",\"follower.replication.throttled.replicas\":\"0:3\"");
	char *b3 = config("/config/brokers/3", "\"follower.replication.throttled.rate\":\"8\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s/admin/reassign_partitions\t{\"version\":1,\"partitions\":[{\"topic\":\"b\",\"partition\":0,\"replicas\":[3,2]}]}\n", b, b3);
	fx = cluster_of(text.s);
	assert_throttles(fx,
		"broker 3 follower.replication.throttled.rate=8 serves b/0@3\n"
		"topic b leader.replication.throttled.replicas=0:1 serves b/0\n"
		"topic b follower.replication.throttled.replicas=0:3 serves b/0\n");
	fixture_znode(fx, "/brokers/topics/b", "{\"version\":1,\"partitions\":{\"0\":[3,2]}}");
	assert_throttles(fx,
		"broker 3 follower.replication.throttled.rate=8 left\n"
		"topic b leader.replication.throttled.replicas=0:1 left\n"
		"topic b follower.replication.throttled.replicas=0:3 left\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&b);
	mem_free(&b3);
}

static void without_knowing_what_moves_nothing_is_left_over(void **state)
{
	char *b = config("/config/topics/b", "\"leader.replication.throttled.replicas\":\"0:1\"");
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"8\"");
	struct strbuf text;
	struct fixture *fx;

	strbuf_init(&text);
	strbuf_printf(&text, "%s%s", b, b1);
	fx = cluster_of(text.s);
	fixture_unreadable(fx, "/brokers/topics/a", "no permission to read it");
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=8 uncertain ?\n"
		"topic b leader.replication.throttled.replicas=0:1 left\n");
	fixture_unreadable(fx, "/admin/reassign_partitions", "no permission to read it");
	assert_throttles(fx,
		"broker 1 leader.replication.throttled.rate=8 uncertain ?\n"
		"topic b leader.replication.throttled.replicas=0:1 uncertain ?\n");
	fixture_free(&fx);
	strbuf_fini(&text);
	mem_free(&b);
	mem_free(&b1);
}

static void a_moving_topic_whose_lists_are_not_known_leaves_the_rates_open(void **state)
{
	char *b1 = config("/config/brokers/1", "\"leader.replication.throttled.rate\":\"8\"");
	struct fixture *fx = cluster_of(b1);
	struct throttles th;

	fixture_unreadable(fx, "/config/topics/a", "no permission to read it");
	assert_throttles(fx, "broker 1 leader.replication.throttled.rate=8 uncertain ?\n");
	th = throttles_of(fixture_cluster(fx));
	assert_int_equal(th.n_unread, 1);
	throttles_fini(&th);
	fixture_free(&fx);
	mem_free(&b1);
}

/* The config is read before anything names the broker, which is down: nothing is lost of it, whichever comes first. */
static void a_rate_is_kept_of_a_broker_that_is_not_there(void **state)
{
	char *b7 = config("/config/brokers/7", "\"leader.replication.throttled.rate\":\"8\",\"replica.alter.log.dirs.io.max.bytes.per.second\":\"5\"");
	struct fixture *fx = cluster_of(b7);

	assert_throttles(fx,
		"broker 7 leader.replication.throttled.rate=8 left\n"
		"broker 7 replica.alter.log.dirs.io.max.bytes.per.second=5 left\n");
	fixture_znode(fx, "/config/topics/a", "{\"version\":1,\"config\":{\"leader.replication.throttled.replicas\":\"0:7\"}}");
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":2,\"partitions\":{\"0\":[3,7]},\"adding_replicas\":{\"0\":[3]},\"removing_replicas\":{}}");
	assert_throttles(fx,
		"broker 7 leader.replication.throttled.rate=8 serves a/0@7\n"
		"broker 7 replica.alter.log.dirs.io.max.bytes.per.second=5 uncertain ?\n"
		"topic a leader.replication.throttled.replicas=0:7 serves a/0\n");
	/* It leaves the assignment; then its config goes. */
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":2,\"partitions\":{\"0\":[3]}}");
	assert_throttles(fx,
		"broker 7 leader.replication.throttled.rate=8 left\n"
		"broker 7 replica.alter.log.dirs.io.max.bytes.per.second=5 left\n"
		"topic a leader.replication.throttled.replicas=0:7 left\n");
	fixture_children(fx, "/config/brokers", NULL);
	assert_throttles(fx, "topic a leader.replication.throttled.replicas=0:7 left\n");
	fixture_free(&fx);
	mem_free(&b7);
}

static void an_empty_cluster_has_no_throttles(void **state)
{
	struct fixture *fx = fixture_new();
	struct throttles th = throttles_of(fixture_cluster(fx));

	assert_int_equal(th.n, 0);
	assert_int_equal(th.n_unread, 2);
	throttles_fini(&th);
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_read_as_brokers_read_it),
		cmocka_unit_test(throttles_of_a_running_move_serve_it),
		cmocka_unit_test(what_no_move_needs_is_left_over_beside_a_running_one),
		cmocka_unit_test(what_limits_nothing_is_not_left_over),
		cmocka_unit_test(a_value_that_brokers_refuse_is_no_left_over),
		cmocka_unit_test(the_rate_for_log_dirs_serves_future_replicas),
		cmocka_unit_test(a_rate_for_log_dirs_set_since_they_were_told_leaves_it_open),
		cmocka_unit_test(the_default_serves_on_brokers_without_a_rate_of_their_own),
		cmocka_unit_test(an_order_that_is_not_carried_out_is_a_move),
		cmocka_unit_test(without_knowing_what_moves_nothing_is_left_over),
		cmocka_unit_test(a_moving_topic_whose_lists_are_not_known_leaves_the_rates_open),
		cmocka_unit_test(a_rate_is_kept_of_a_broker_that_is_not_there),
		cmocka_unit_test(an_empty_cluster_has_no_throttles),
	};

	return cmocka_run_group_tests_name("core/throttle", tests, NULL, NULL);
}
