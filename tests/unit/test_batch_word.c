/* SPDX-License-Identifier: Apache-2.0 */
/* The brokers' word in batch answers: log dirs, sizes, offline replicas, sources. Cases LD-* and DI-06 of tests/cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/health.h"
#include "tests/unit/answer.h"
#include "tests/unit/casefile.h"
#include "tests/unit/fixture_logdirs.h"

static void load_log_dirs(struct fixture *fx, const char *file)
{
	size_t n;
	char *json = case_read(file, &n);

	fixture_log_dirs(fx, json, n);
	mem_free(&json);
}

/* Fixture A with what its brokers say of their disks: 5 is down, 3 has lost /data/d2. */
static struct fixture *fixture_a(void)
{
	struct fixture *fx = fixture_new();

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	load_log_dirs(fx, "fixture-a.logdirs.json");
	return fx;
}

/* The topic `orders` with one partition on the brokers named. */
static struct fixture *orders_on(const char *brokers)
{
	struct fixture *fx = fixture_new();
	struct strbuf text;

	strbuf_init(&text);
	for (const char *s = brokers; *s; s++)
		if (*s != ',')
			strbuf_printf(&text, "/brokers/ids/%c\t{\"version\":0,\"host\":\"h\",\"port\":1}\n", *s);
	strbuf_printf(&text,
		"/brokers/topics/orders\t{\"version\":2,\"partitions\":{\"0\":[%s]},\"adding_replicas\":{},\"removing_replicas\":{}}\n"
		"/brokers/topics/orders/partitions/0/state\t{\"controller_epoch\":1,\"leader\":%c,\"version\":1,\"leader_epoch\":0,\"isr\":[%s]}\n"
		"/admin/delete_topics\t\n", brokers, brokers[0], brokers);
	fixture_load_text(fx, text.s);
	strbuf_fini(&text);
	return fx;
}

static void assert_has(const struct fixture *fx, const struct batch_command *command, const struct options *opt, const char *part, bool has)
{
	char *text = answer_of(fx, command, opt, true);

	if ((strstr(text, part) != NULL) != has)
		fail_msg("%s \"%s\" in:\n%s", has ? "no" : "there is", part, text);
	mem_free(&text);
}

/* ---- sizes ---------------------------------------------------------------------------- */

static void a_size_is_null_where_a_brokers_log_dirs_are_not_known(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	assert_field(fx, &cmd_topics, &opt, true, "size_bytes", "600 null 8100000 8000 10 50 ");
	assert_has(fx, &cmd_topics, &opt, "\n! the size of 1 topic is not known, for want of the log dirs of broker 5 (it is down)\n", true);
	/* Only of what is printed. */
	opt.topic_pattern = "orders";
	assert_has(fx, &cmd_topics, &opt, "!", false);
	fixture_said(fx, "refuses-disks 2\ndir /data/d1 error=56\ndir /data/d2\ndisks 1\n");
	assert_has(fx, &cmd_topics, &opt, "! the size of 1 topic is not known, for want of the log dirs of broker 1 (offline: /data/d1)\n", true);
	fixture_free(&fx);
}

static void without_asking_sizes_are_null_and_nothing_is_said(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	opt.from = FROM_ZOOKEEPER;
	opt.topic_pattern = "orders";
	for (int i = 0; i < 2; i++) {
		assert_field(fx, &cmd_topics, &opt, true, "size_bytes", "null ");
		assert_has(fx, &cmd_topics, &opt, "!", false);
		opt.from = FROM_BOTH;
	}
	/* Asked in vain. */
	fixture_said(fx, "asked nobody-answered\n");
	assert_has(fx, &cmd_topics, &opt,
		"! the size of 1 topic is not known, for want of the log dirs of broker 1 (no broker could be reached: nobody-answered), broker 2", true);
	fixture_free(&fx);
}

static void a_brokers_size_is_null_while_a_dir_of_it_is_offline(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	assert_field(fx, &cmd_brokers, &opt, true, "size_bytes", "1904110 1804205 null 1700160 null ");
	assert_field(fx, &cmd_brokers, &opt, true, "log_dirs", "2 2 2 1 null ");
	assert_field(fx, &cmd_brokers, &opt, true, "log_dirs_offline", "0 0 1 0 null ");
	assert_has(fx, &cmd_brokers, &opt, "!", false);
	fixture_said(fx, "refuses-disks 4\n");
	assert_field(fx, &cmd_brokers, &opt, true, "log_dirs", "2 2 2 null null ");
	assert_has(fx, &cmd_brokers, &opt, "! broker 4:", false); /* what it refuses is said by batch/asking */
	fixture_free(&fx);
}

/* ---- dirs ------------------------------------------------------------------------------ */

static void a_log_dir_item_has_the_fields_of_design_in_their_order(void **state)
{
	struct fixture *fx = orders_on("1,2,3");
	struct options opt = no_options();

	fixture_said(fx,
		"dir /data/d2 total=1000 usable=400\nholds orders 0 size=7 lag=5 future\ndir /data/d1 total=2000 usable=1500\n"
		"holds gone 4 size=3\nholds orders 0 size=9\ndisks 1\n"
		"dir /data/d1 error=56\ndir /data/d2 error=-1\ndisks 2\nlink 3 failed refused\n");
	assert_answer(fx, &cmd_dirs, &opt, true,
		"{\"broker\":1,\"log_dir\":\"/data/d1\",\"state\":\"online\",\"error\":null,\"size_bytes\":12,\"replicas\":2,\"future_replicas\":0,"
		"\"orphans\":1,\"total_bytes\":2000,\"usable_bytes\":1500}\n"
		"{\"broker\":1,\"log_dir\":\"/data/d2\",\"state\":\"online\",\"error\":null,\"size_bytes\":7,\"replicas\":0,\"future_replicas\":1,"
		"\"orphans\":0,\"total_bytes\":1000,\"usable_bytes\":400}\n"
		"{\"broker\":2,\"log_dir\":\"/data/d1\",\"state\":\"offline\",\"error\":\"KAFKA_STORAGE_ERROR\",\"size_bytes\":null,\"replicas\":null,"
		"\"future_replicas\":null,\"orphans\":null,\"total_bytes\":null,\"usable_bytes\":null}\n"
		"{\"broker\":2,\"log_dir\":\"/data/d2\",\"state\":\"unknown\",\"error\":\"error -1\",\"size_bytes\":null,\"replicas\":null,"
		"\"future_replicas\":null,\"orphans\":null,\"total_bytes\":null,\"usable_bytes\":null}\n"
		"{\"broker\":3,\"log_dir\":null,\"state\":\"unknown\",\"error\":\"no connection: refused\",\"size_bytes\":null,\"replicas\":null,"
		"\"future_replicas\":null,\"orphans\":null,\"total_bytes\":null,\"usable_bytes\":null}\n"
		"! broker 3: its log dirs are not known: no connection: refused\n");
	fixture_free(&fx);
}

static void what_was_known_of_a_broker_that_went_down_is_not_shown_as_now(void **state)
{
	struct fixture *fx = orders_on("1,2");
	struct options opt = no_options();

	fixture_said(fx, "dir /d1\nholds orders 0 size=9\ndisks 1\ndir /d1\nholds orders 0 size=9\ndisks 2\n");
	assert_field(fx, &cmd_dirs, &opt, true, "state", "online online ");
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "2", NULL });
	assert_field(fx, &cmd_dirs, &opt, true, "state", "unknown online ");
	assert_field(fx, &cmd_dirs, &opt, true, "error", "it is down null ");
	assert_field(fx, &cmd_dirs, &opt, true, "size_bytes", "null 9 ");
	assert_field(fx, &cmd_brokers, &opt, true, "size_bytes", "null 9 ");
	opt.with_replicas = true;
	assert_field(fx, &cmd_dirs, &opt, true, "topic", "orders null ");
	assert_field(fx, &cmd_dirs, &opt, true, "broker", "2 1 ");
	assert_field(fx, &cmd_describe, &opt, true, "replica_states",
		"[{\"broker\":1,\"state\":\"broker-down\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":null},"
		"{\"broker\":2,\"state\":\"in-sync\",\"log_dir\":\"/d1\",\"size_bytes\":9,\"offset_lag\":null,\"future\":false}] ");
	fixture_free(&fx);
}

static void orphans_are_null_while_it_is_not_known_whose_they_are(void **state)
{
	struct fixture *fx = orders_on("1");
	struct options opt = no_options();

	fixture_said(fx, "dir /d1\nholds gone 4 size=3\nholds orders 0 size=9\nholds orders 7 size=1\ndir /d2\ndisks 1\n");
	assert_field(fx, &cmd_dirs, &opt, true, "orphans", "2 0 ");
	opt.with_replicas = true;
	assert_field(fx, &cmd_dirs, &opt, true, "orphan", "true false true ");
	fixture_unreadable(fx, "/brokers/topics/orders", "no permission to read it");
	assert_field(fx, &cmd_dirs, &opt, true, "orphan", "true null null ");
	opt.with_replicas = false;
	assert_field(fx, &cmd_dirs, &opt, true, "orphans", "null 0 ");
	fixture_free(&fx);
}

static void replicas_in_dirs_are_chosen_by_topic(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();
	struct batch_job job;
	struct err err;

	opt.command = "dirs";
	opt.topic_pattern = "payments.*";
	err_init(&err);
	assert_false(batch_job_init(&job, &opt, fixture_cluster(fx), &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_string_equal(err.text, "a log dir belongs to no topic: dirs --topic needs --replicas");
	opt.with_replicas = true;
	assert_field(fx, &cmd_dirs, &opt, true, "topic", "payments.eu payments.eu payments.eu payments.eu payments_eu payments_eu null null ");
	assert_field(fx, &cmd_dirs, &opt, true, "partition", "0 0 1 1 0 0 null null ");
	assert_field(fx, &cmd_dirs, &opt, true, "broker", "1 2 1 2 2 3 3 5 ");
	assert_has(fx, &cmd_dirs, &opt,
		"! broker 3: /data/d2 is offline: what lies there is not known\n! broker 5: its log dirs are not known: it is down\n", true);
	opt.topic_pattern = "nosuch";
	err_init(&err);
	assert_true(batch_job_init(&job, &opt, fixture_cluster(fx), &err));
	cmd_dirs.run(&job);
	assert_true(batch_job_found_no_topic(&job, &err));
	batch_job_fini(&job);
	/* A name that lies on a disk alone matches, and so does one that lies nowhere yet. */
	fixture_said(fx, "dir /data/d1\nholds nosuch 0 size=1\ndisks 4\n");
	assert_field(fx, &cmd_dirs, &opt, true, "orphan", "true null null ");
	opt.topic_pattern = "tmp-load-01";
	err_init(&err);
	assert_true(batch_job_init(&job, &opt, fixture_cluster(fx), &err));
	cmd_dirs.run(&job);
	assert_false(batch_job_found_no_topic(&job, &err));
	batch_job_fini(&job);
	fixture_free(&fx);
}

static void dirs_that_nobody_was_asked_for_are_unknown(void **state)
{
	struct fixture *fx = orders_on("1,2");
	struct options opt = no_options();

	opt.from = FROM_ZOOKEEPER;
	assert_field(fx, &cmd_dirs, &opt, true, "state", "unknown unknown ");
	assert_field(fx, &cmd_dirs, &opt, true, "error", "brokers were not asked brokers were not asked ");
	assert_has(fx, &cmd_dirs, &opt, "\n! brokers were not asked, and they alone know their log dirs\n", true);
	fixture_free(&fx);
}

/* ---- handed cases ------------------------------------------------------------------------ */

static const char active[] =
	"{\"broker\":1,\"log_dir\":\"/data/d1\",\"topic\":\"orders\",\"partition\":0,\"size_bytes\":1000000000,\"offset_lag\":null,\"future\":false,\"orphan\":false}\n"
	"{\"broker\":1,\"log_dir\":\"/data/d2\",\"topic\":\"orders\",\"partition\":0,\"size_bytes\":400000000,\"offset_lag\":61234,\"future\":true,\"orphan\":false}\n";

/* LD-01: one move, broker 1, d1 to d2, 400 of 1000 MB, lag 61234; both copies are one replica. */
static void two_copies_of_a_replica_that_moves_are_one_replica(void **state)
{
	struct fixture *fx = orders_on("1");
	struct options opt = no_options();

	load_log_dirs(fx, "LD-01-active.logdirs.json");
	assert_field(fx, &cmd_topics, &opt, true, "size_bytes", "1000000000 ");
	assert_field(fx, &cmd_dirs, &opt, true, "replicas", "1 0 ");
	assert_field(fx, &cmd_dirs, &opt, true, "future_replicas", "0 1 ");
	opt.with_replicas = true;
	assert_answer(fx, &cmd_dirs, &opt, true, active);
	assert_field(fx, &cmd_describe, &opt, true, "replica_states",
		"[{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/data/d1\",\"size_bytes\":1000000000,\"offset_lag\":null,\"future\":false},"
		"{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/data/d2\",\"size_bytes\":400000000,\"offset_lag\":61234,\"future\":true}] ");
	opt.output = OUTPUT_TABLE;
	assert_field(fx, &cmd_describe, &opt, true, "replica_states", "1:in-sync /data/d1 954 MiB, 1:copy to /data/d2 381 MiB lag 61,234 ");
	fixture_free(&fx);
}

/* LD-02 (the facts of it): from sample to sample the future copy does not grow, its lag and the current one do. */
static void each_answer_takes_the_place_of_the_one_before(void **state)
{
	struct fixture *fx = orders_on("1");
	struct options opt = no_options();
	size_t n;
	char *lines = case_read("LD-02-stuck.logdirs.jsonl", &n), *line = lines, *end;

	opt.with_replicas = true;
	for (int i = 0; (end = strchr(line, '\n')) != NULL; line = end + 1, i++) {
		char sizes[64], lags[64];

		fixture_log_dirs(fx, line, (size_t)(end - line));
		str_printf(sizes, sizeof(sizes), "%d 400000000 ", 1000000000 + i * 50000);
		str_printf(lags, sizeof(lags), "null %d ", 61234 + i * 40);
		assert_field(fx, &cmd_dirs, &opt, true, "size_bytes", sizes);
		assert_field(fx, &cmd_dirs, &opt, true, "offset_lag", lags);
	}
	assert_int_equal(fixture_cluster(fx)->topics[0]->size_bytes, 1000200000);
	mem_free(&lines);
	fixture_free(&fx);
}

/* LD-06 (the facts of it): the future copy is gone, the replica stays in /data/d1. */
static void a_future_copy_that_vanished_is_shown_no_more(void **state)
{
	struct fixture *fx = orders_on("1");
	struct options opt = no_options();
	size_t n;
	char *lines = case_read("LD-06-cancelled.logdirs.jsonl", &n), *second = strchr(lines, '\n') + 1;

	fixture_log_dirs(fx, lines, (size_t)(second - 1 - lines));
	assert_field(fx, &cmd_dirs, &opt, true, "future_replicas", "0 1 ");
	fixture_log_dirs(fx, second, strcspn(second, "\n"));
	assert_field(fx, &cmd_dirs, &opt, true, "future_replicas", "0 0 ");
	assert_field(fx, &cmd_dirs, &opt, true, "size_bytes", "1000500000 0 ");
	opt.with_replicas = true;
	assert_field(fx, &cmd_describe, &opt, true, "replica_states",
		"[{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/data/d1\",\"size_bytes\":1000500000,\"offset_lag\":null,\"future\":false}] ");
	mem_free(&lines);
	fixture_free(&fx);
}

/* LD-09: kafops reads no such file, it asks brokers; the line behind the tool's prose is the same answer as LD-01's. */
static void the_answer_behind_the_tools_prose_is_the_same(void **state)
{
	struct fixture *fx = orders_on("1");
	struct options opt = no_options();
	size_t n;
	char *text = case_read("LD-09-with-header.logdirs.txt", &n), *json = strchr(text, '{');

	fixture_log_dirs(fx, json, strcspn(json, "\n"));
	opt.with_replicas = true;
	assert_answer(fx, &cmd_dirs, &opt, true, active);
	mem_free(&text);
	fixture_free(&fx);
}

/* LD-16: names have dashes and digits of their own. */
static void names_with_dashes_are_kept_apart_from_partitions(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();

	fixture_load_text(fx, "/brokers/ids/4\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
		"/brokers/topics/-\t{\"version\":1,\"partitions\":{\"5\":[4]}}\n"
		"/brokers/topics/a-1\t{\"version\":1,\"partitions\":{\"2\":[4]}}\n"
		"/brokers/topics/tmp-load-01\t{\"version\":1,\"partitions\":{\"0\":[4]}}\n/admin/delete_topics\t\n");
	load_log_dirs(fx, "LD-16-dashes.logdirs.json");
	opt.with_replicas = true;
	assert_field(fx, &cmd_dirs, &opt, true, "topic", "- a-1 tmp-load-01 ");
	assert_field(fx, &cmd_dirs, &opt, true, "partition", "5 2 0 ");
	assert_field(fx, &cmd_dirs, &opt, true, "size_bytes", "30 20 10 ");
	assert_field(fx, &cmd_dirs, &opt, true, "orphan", "false false false ");
	opt.with_replicas = false;
	assert_field(fx, &cmd_topics, &opt, true, "size_bytes", "30 20 10 ");
	fixture_free(&fx);
}

/* LD-18: a move is per topic, partition and broker. */
static void the_same_partition_moves_on_two_brokers(void **state)
{
	struct fixture *fx = orders_on("1,2,3");
	struct options opt = no_options();

	load_log_dirs(fx, "LD-18-two-brokers.logdirs.json");
	opt.with_replicas = true;
	assert_field(fx, &cmd_dirs, &opt, true, "broker", "1 1 2 2 3 ");
	assert_field(fx, &cmd_dirs, &opt, true, "future", "false true false true false ");
	assert_field(fx, &cmd_dirs, &opt, true, "size_bytes", "1000 250 1000 500 1000 ");
	assert_field(fx, &cmd_dirs, &opt, true, "offset_lag", "null 750 null 500 null ");
	assert_field(fx, &cmd_describe, &opt, true, "replica_states",
		"[{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/data/d1\",\"size_bytes\":1000,\"offset_lag\":null,\"future\":false},"
		"{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/data/d2\",\"size_bytes\":250,\"offset_lag\":750,\"future\":true},"
		"{\"broker\":2,\"state\":\"in-sync\",\"log_dir\":\"/data/d1\",\"size_bytes\":1000,\"offset_lag\":null,\"future\":false},"
		"{\"broker\":2,\"state\":\"in-sync\",\"log_dir\":\"/data/d2\",\"size_bytes\":500,\"offset_lag\":500,\"future\":true},"
		"{\"broker\":3,\"state\":\"in-sync\",\"log_dir\":\"/data/d1\",\"size_bytes\":1000,\"offset_lag\":null,\"future\":false}] ");
	fixture_free(&fx);
}

/* The writes of a run (tests/cases, .events) that are of the cluster. */
static void play_events(struct fixture *fx, const char *file)
{
	size_t n;
	char *text = case_read(file, &n), *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		char *op = strchr(line, '\t'), *path = op ? strchr(op + 1, '\t') : NULL, *data = path ? strchr(path + 1, '\t') : NULL;

		if (data == NULL || path == NULL)
			continue;
		*data++ = *path++ = '\0';
		data[-1] = '\0';
		if (str_starts(path, "/admin/delete_topics/"))
			fixture_children(fx, "/admin/delete_topics", (const char *const[]){ strrchr(path, '/') + 1, NULL });
		else if (str_starts(path, "/brokers/"))
			fixture_znode(fx, path, data);
	}
	mem_free(&text);
}

/* DI-06 (the facts of it): all brokers are up, yet not all replicas are online; broker 3 does not hold its own. */
static void a_replica_on_a_dir_that_is_offline_is_not_online(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	play_events(fx, "DI-06-offline-log-dir.events");
	fixture_said(fx,
		"lives 1 2 3 4\nsays orders 2 leader=-1 replicas=3,4,1 isr=1 offline=3\nmetadata 1 some\n"
		"dir /data/d1\nholds orders 0 size=5\nholds orders 1 size=5\ndir /data/d2 error=56\ndisks 3\n"
		"dir /data/d1\nholds orders 0 size=5\nholds orders 2 size=5\ndisks 1\n"
		"dir /data/d1\nholds orders 0 size=5\nholds orders 1 size=5\ndisks 2\n"
		"dir /data/d1\nholds orders 1 size=5\nholds orders 2 size=5\ndisks 4\n");
	opt.topic_pattern = "orders";
	opt.with_replicas = true;
	assert_field(fx, &cmd_topics, &opt, true, "deleting", "true ");
	assert_field(fx, &cmd_topics, &opt, true, "size_bytes", "null ");
	assert_has(fx, &cmd_topics, &opt, "! the size of 1 topic is not known, for want of the log dirs of broker 3 (offline: /data/d2)\n", true);
	assert_field(fx, &cmd_describe, &opt, true, "offline_replicas", "[] [] [3] ");
	assert_has(fx, &cmd_describe, &opt,
		"{\"broker\":3,\"state\":\"dir-offline\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":false},"
		"{\"broker\":4,\"state\":\"out-of-sync\",\"log_dir\":\"/data/d1\",\"size_bytes\":5,", true);
	assert_field(fx, &cmd_dirs, &opt, true, "topic", "orders orders orders orders orders orders orders orders null null ");
	fixture_free(&fx);
}

/* ---- describe ------------------------------------------------------------------------------ */

static void every_future_copy_is_an_entry(void **state)
{
	struct fixture *fx = orders_on("1");
	struct options opt = no_options();

	/* The dir of the current one is offline; lag -1: the broker doesn't host it yet. */
	fixture_said(fx, "dir /d1 error=56\ndir /d2\nholds orders 0 size=4 lag=-1 future\ndir /d3\nholds orders 0 size=2 lag=0 future\ndisks 1\n");
	opt.with_replicas = true;
	assert_field(fx, &cmd_describe, &opt, true, "replica_states",
		"[{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":false},"
		"{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/d2\",\"size_bytes\":4,\"offset_lag\":null,\"future\":true},"
		"{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":\"/d3\",\"size_bytes\":2,\"offset_lag\":0,\"future\":true}] ");
	fixture_free(&fx);
}

static void what_brokers_filled_in_is_theirs(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();

	fixture_said(fx, "lives 1 2\nsays a 0 leader=1 epoch=4 replicas=1,2 isr=1,2\nmetadata 1 all controller=1\n");
	assert_field(fx, &cmd_topics, &opt, true, "from", "brokers ");
	assert_field(fx, &cmd_topics, &opt, true, "moving", "null ");
	assert_answer(fx, &cmd_describe, &opt, true,
		"{\"topic\":\"a\",\"partition\":0,\"leader\":1,\"leader_epoch\":4,\"replicas\":[1,2],\"isr\":[1,2],\"adding_replicas\":null,"
		"\"removing_replicas\":null,\"offline_replicas\":[],\"under_replicated\":false,\"moving\":null,\"from\":\"brokers\"}\n");
	/* The node is read, the state can't be. */
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", NULL });
	fixture_children(fx, "/brokers/topics", (const char *const[]){ "a", NULL });
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":2,\"partitions\":{\"0\":[1,2]}}");
	assert_field(fx, &cmd_describe, &opt, true, "from", "brokers ");
	assert_field(fx, &cmd_describe, &opt, true, "moving", "false ");
	assert_field(fx, &cmd_topics, &opt, true, "from", "brokers ");
	fixture_znode(fx, "/brokers/topics/a/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":4,\"isr\":[1,2]}");
	assert_field(fx, &cmd_describe, &opt, true, "from", "zookeeper ");
	assert_field(fx, &cmd_topics, &opt, true, "from", "zookeeper ");
	fixture_free(&fx);
}

static void the_other_word_is_named_once_the_state_is_old_enough(void **state)
{
	struct fixture *fx = orders_on("1,2");
	struct options opt = no_options();
	static const char says[] = "lives 1 2\nsays orders 0 leader=2 replicas=1,2 isr=2\nmetadata 2 all controller=1\n";

	/* A second a line and an event: three seconds after the write, then five. */
	fixture_znode(fx, "/brokers/topics/orders/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":3,\"isr\":[1,2]}");
	fixture_said(fx, says);
	assert_has(fx, &cmd_describe, &opt, "!", false);
	assert_has(fx, &cmd_topics, &opt, "another leader", false);
	fixture_znode(fx, "/brokers/topics/orders/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":3,\"isr\":[1,2]}");
	fixture_loaded(fx);
	fixture_loaded(fx);
	fixture_said(fx, says);
	assert_field(fx, &cmd_describe, &opt, true, "leader", "1 ");
	assert_has(fx, &cmd_describe, &opt, "! orders partition 0: ZooKeeper says leader 1, ISR 1,2; broker 2 says leader 2, ISR 2\n", true);
	assert_field(fx, &cmd_describe, &opt, true, "from", "zookeeper ");
	assert_has(fx, &cmd_topics, &opt, "! orders: of 1 partition broker 2 says another leader or ISR than ZooKeeper; describe tells which\n", true);
	/* A later epoch is news that was not read yet. */
	fixture_said(fx, "lives 1 2\nsays orders 0 leader=2 epoch=4 replicas=1,2 isr=2\nmetadata 2 all controller=1\n");
	assert_has(fx, &cmd_describe, &opt, "!", false);
	fixture_free(&fx);
}

static void three_answers_that_differ_are_another_word(void **state)
{
	struct fixture *fx = orders_on("1,2");
	struct options opt = no_options();

	fixture_znode(fx, "/brokers/topics/orders/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":3,\"isr\":[1,2]}");
	for (int i = 1; i <= 3; i++) {
		fixture_said(fx, "says orders 0 leader=-1 replicas=1,2 isr=\nmetadata 2 some\n");
		assert_has(fx, &cmd_describe, &opt, "! orders partition 0: ZooKeeper says leader 1, ISR 1,2; broker 2 says no leader, ISR none\n", i == 3);
	}
	fixture_free(&fx);
}

static void min_isr_is_settled_by_what_brokers_have_set(void **state)
{
	struct fixture *fx = orders_on("1,2");
	struct options opt = no_options();

	fixture_children(fx, "/config/topics", NULL);
	opt.at_min_isr = true;
	assert_answer(fx, &cmd_describe, &opt, false,
		"! 1 partition of 1 topic left out: no override of min.insync.replicas there, and the brokers' default is not in ZooKeeper\n");
	fixture_said(fx, "settings 2 min.insync.replicas=2\nasked\n");
	assert_answer(fx, &cmd_describe, &opt, false,
		"! 1 partition of 1 topic left out: no override of min.insync.replicas there, and what is set on their leaders is not known\n");
	fixture_said(fx, "settings 1 min.insync.replicas=2\n");
	assert_field(fx, &cmd_describe, &opt, true, "partition", "0 ");
	assert_has(fx, &cmd_describe, &opt, "!", false);
	fixture_free(&fx);
}

/* ---- throttles -------------------------------------------------------------------------------- */

static struct fixture *throttled(void)
{
	struct fixture *fx = fixture_new();

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
		"/brokers/ids/2\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
		"/brokers/topics/a\t{\"version\":2,\"partitions\":{\"0\":[2,1],\"1\":[2,1]},\"adding_replicas\":{\"0\":[2],\"1\":[2]}}\n"
		"/brokers/topics/b\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
		"/config/brokers/1\t{\"version\":1,\"config\":{\"leader.replication.throttled.rate\":\"10485760\",\"replica.alter.log.dirs.io.max.bytes.per.second\":\"5\"}}\n"
		"/config/topics/a\t{\"version\":1,\"config\":{\"leader.replication.throttled.replicas\":\"*\"}}\n"
		"/config/topics/b\t{\"version\":1,\"config\":{\"follower.replication.throttled.replicas\":\"0:1\"}}\n");
	return fx;
}

static void a_throttle_item_has_the_fields_of_design_in_their_order(void **state)
{
	struct fixture *fx = throttled();
	struct options opt = no_options();

	assert_answer(fx, &cmd_throttles, &opt, true,
		"{\"scope\":\"broker\",\"name\":\"1\",\"setting\":\"leader.replication.throttled.rate\",\"value\":\"10485760\","
		"\"serves\":[{\"topic\":\"a\",\"partition\":0,\"broker\":1},{\"topic\":\"a\",\"partition\":1,\"broker\":1}],\"leftover\":false}\n"
		"{\"scope\":\"broker\",\"name\":\"1\",\"setting\":\"replica.alter.log.dirs.io.max.bytes.per.second\",\"value\":\"5\","
		"\"serves\":null,\"leftover\":null}\n"
		"{\"scope\":\"topic\",\"name\":\"a\",\"setting\":\"leader.replication.throttled.replicas\",\"value\":\"*\","
		"\"serves\":[{\"topic\":\"a\",\"partition\":0,\"broker\":null},{\"topic\":\"a\",\"partition\":1,\"broker\":null}],\"leftover\":false}\n"
		"{\"scope\":\"topic\",\"name\":\"b\",\"setting\":\"follower.replication.throttled.replicas\",\"value\":\"0:1\",\"serves\":[],\"leftover\":true}\n"
		"! broker 1, replica.alter.log.dirs.io.max.bytes.per.second: whether a move needs it is not known: the log dirs of the broker are not known\n");
	fixture_unreadable(fx, "/config/topics/b", "no permission to read it");
	assert_has(fx, &cmd_throttles, &opt, "! /config/topics/b can't be read: no permission to read it\n", true);
	fixture_free(&fx);
}

static void a_table_of_throttles_has_units_and_few_moves(void **state)
{
	struct fixture *fx = throttled();
	struct options opt = no_options();

	opt.output = OUTPUT_TABLE;
	assert_field(fx, &cmd_throttles, &opt, true, "value", "10 MiB/s 5 B/s * 0:1 ");
	assert_field(fx, &cmd_throttles, &opt, true, "serves", "a:0 a:1 null a:0 a:1 none ");
	fixture_znode(fx, "/brokers/topics/a", "{\"version\":2,\"partitions\":{\"0\":[2,1],\"1\":[2,1],\"2\":[2,1],\"3\":[2,1],\"4\":[2,1]},"
		"\"adding_replicas\":{\"0\":[2],\"1\":[2],\"2\":[2],\"3\":[2],\"4\":[2]}}");
	assert_field(fx, &cmd_throttles, &opt, true, "serves", "a:0 a:1 a:2 and 2 more null a:0 a:1 a:2 and 2 more none ");
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_is_null_where_a_brokers_log_dirs_are_not_known),
		cmocka_unit_test(without_asking_sizes_are_null_and_nothing_is_said),
		cmocka_unit_test(a_brokers_size_is_null_while_a_dir_of_it_is_offline),
		cmocka_unit_test(a_log_dir_item_has_the_fields_of_design_in_their_order),
		cmocka_unit_test(what_was_known_of_a_broker_that_went_down_is_not_shown_as_now),
		cmocka_unit_test(orphans_are_null_while_it_is_not_known_whose_they_are),
		cmocka_unit_test(replicas_in_dirs_are_chosen_by_topic),
		cmocka_unit_test(dirs_that_nobody_was_asked_for_are_unknown),
		cmocka_unit_test(two_copies_of_a_replica_that_moves_are_one_replica),
		cmocka_unit_test(each_answer_takes_the_place_of_the_one_before),
		cmocka_unit_test(a_future_copy_that_vanished_is_shown_no_more),
		cmocka_unit_test(the_answer_behind_the_tools_prose_is_the_same),
		cmocka_unit_test(names_with_dashes_are_kept_apart_from_partitions),
		cmocka_unit_test(the_same_partition_moves_on_two_brokers),
		cmocka_unit_test(a_replica_on_a_dir_that_is_offline_is_not_online),
		cmocka_unit_test(every_future_copy_is_an_entry),
		cmocka_unit_test(what_brokers_filled_in_is_theirs),
		cmocka_unit_test(the_other_word_is_named_once_the_state_is_old_enough),
		cmocka_unit_test(three_answers_that_differ_are_another_word),
		cmocka_unit_test(min_isr_is_settled_by_what_brokers_have_set),
		cmocka_unit_test(a_throttle_item_has_the_fields_of_design_in_their_order),
		cmocka_unit_test(a_table_of_throttles_has_units_and_few_moves),
	};

	return cmocka_run_group_tests_name("batch/word", tests, NULL, NULL);
}
