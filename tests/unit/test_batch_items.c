/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "batch/delete_words.h"
#include "batch/job.h"
#include "core/command.h"
#include "tests/unit/answer.h"
#include "tests/unit/fixture.h"

static void set_state(struct fixture *fx, const char *topic, int partition, int leader, const char *isr)
{
	char path[512], data[512];

	str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", topic, partition);
	str_printf(data, sizeof(data), "{\"controller_epoch\":7,\"leader\":%d,\"version\":1,\"leader_epoch\":5,\"isr\":[%s]}", leader, isr);
	fixture_znode(fx, path, data);
}

static struct fixture *fixture_a(void)
{
	struct fixture *fx = fixture_new();

	fixture_load(fx, fixture_case("fixture-a.zktree"));
	return fx;
}

/* ---- topics -------------------------------------------------------------------- */

static void a_topic_item_has_the_fields_of_design_in_their_order(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	opt.topic_pattern = "orders|legacy.*";
	assert_answer(fx, &cmd_topics, &opt, true,
		"{\"topic\":\"legacy.audit\",\"partitions\":2,\"replication_factor\":2,\"mixed_replication\":false,\"under_replicated\":2,\"offline\":0,"
		"\"under_min_isr\":null,\"at_min_isr\":null,\"not_preferred\":1,\"deleting\":false,\"moving\":false,\"internal\":false,\"size_bytes\":null,"
		"\"overrides\":{},\"topic_id\":\"5vJ1kqUqTfW0pJm3c9b2Aw\",\"created_at\":\"2023-11-14T22:13:43.000Z\",\"from\":\"zookeeper\"}\n"
		"{\"topic\":\"orders\",\"partitions\":3,\"replication_factor\":3,\"mixed_replication\":false,\"under_replicated\":0,\"offline\":0,"
		"\"under_min_isr\":0,\"at_min_isr\":0,\"not_preferred\":0,\"deleting\":false,\"moving\":false,\"internal\":false,\"size_bytes\":null,"
		"\"overrides\":{\"min.insync.replicas\":\"2\"},\"topic_id\":\"Q2hlY2tNZUlmWW91Q2FuIQ\",\"created_at\":\"2023-11-14T22:13:34.000Z\",\"from\":\"zookeeper\"}\n");
	fixture_free(&fx);
}

/* The broker of an only replica is gone: the controller leaves it in the ISR, and nobody leads. */
static void a_partition_without_leader_is_offline_and_under_min_isr(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	set_state(fx, "tmp-load-01", 0, -1, "4");
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", "3", NULL });
	opt.topic_pattern = "tmp-.*";
	assert_answer(fx, &cmd_topics, &opt, true,
		"{\"topic\":\"tmp-load-01\",\"partitions\":1,\"replication_factor\":1,\"mixed_replication\":false,\"under_replicated\":0,\"offline\":1,"
		"\"under_min_isr\":1,\"at_min_isr\":null,\"not_preferred\":1,\"deleting\":false,\"moving\":false,\"internal\":false,\"size_bytes\":null,"
		"\"overrides\":{},\"topic_id\":null,\"created_at\":\"2023-11-14T22:13:46.000Z\",\"from\":\"zookeeper\"}\n");
	assert_answer(fx, &cmd_describe, &opt, true,
		"{\"topic\":\"tmp-load-01\",\"partition\":0,\"leader\":-1,\"leader_epoch\":5,\"replicas\":[4],\"isr\":[4],\"adding_replicas\":[],"
		"\"removing_replicas\":[],\"offline_replicas\":[4],\"under_replicated\":false,\"moving\":false,\"from\":\"zookeeper\"}\n");
	/* A leader that isn't registered leads no more than none. */
	set_state(fx, "tmp-load-01", 0, 4, "4");
	assert_field(fx, &cmd_topics, &opt, true, "offline", "1 ");
	assert_field(fx, &cmd_topics, &opt, true, "under_min_isr", "1 ");
	/* Where another partition's minimum is not known, the count isn't either; orders has a minimum of 2. */
	set_state(fx, "legacy.audit", 0, -1, "4");
	set_state(fx, "orders", 0, -1, "1,2,3");
	opt.topic_pattern = "legacy.audit|orders";
	assert_field(fx, &cmd_topics, &opt, true, "offline", "1 1 ");
	assert_field(fx, &cmd_topics, &opt, true, "under_min_isr", "null 1 ");
	opt.under_min_isr = true;
	opt.topic_pattern = "orders|tmp-.*";
	assert_field(fx, &cmd_topics, &opt, true, "topic", "orders tmp-load-01 ");
	fixture_free(&fx);
}

static void filters_choose_topics(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	set_state(fx, "payments_eu", 0, -1, "3");
	opt.under_replicated = true;
	assert_field(fx, &cmd_topics, &opt, true, "topic", "legacy.audit payments_eu ");
	opt = no_options();
	opt.unavailable = true;
	assert_field(fx, &cmd_topics, &opt, true, "topic", "payments_eu ");
	opt = no_options();
	opt.with_overrides = true;
	assert_field(fx, &cmd_topics, &opt, true, "topic", "orders ");
	opt = no_options();
	opt.exclude_internal = true;
	opt.topic_pattern = ".*s";
	assert_field(fx, &cmd_topics, &opt, true, "topic", "orders ");
	fixture_free(&fx);
}

static void min_isr_filters_list_what_is_known_and_say_what_is_not(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	set_state(fx, "orders", 1, 2, "2");
	set_state(fx, "tmp-load-01", 0, -1, "4");
	opt.under_min_isr = true;
	assert_field(fx, &cmd_topics, &opt, false, "topic", "orders tmp-load-01 ");
	opt.topic_pattern = "orders|tmp-.*";
	assert_field(fx, &cmd_topics, &opt, true, "topic", "orders tmp-load-01 ");
	assert_field(fx, &cmd_topics, &opt, true, "under_min_isr", "1 1 ");
	opt.topic_pattern = "payments.*";
	assert_answer(fx, &cmd_describe, &opt, false,
		"! 3 partitions of 2 topics left out: no override of min.insync.replicas there, and the brokers' default is not in ZooKeeper\n");
	fixture_free(&fx);
}

static void two_filters_at_once_are_refused(void **state)
{
	struct options opt = no_options();
	struct batch_job job;
	struct err err;

	err_init(&err);
	opt.unavailable = opt.under_replicated = true;
	assert_false(batch_job_init(&job, &opt, NULL, &err));
	assert_int_equal(err.code, ERR_USAGE);
	err_init(&err);
	opt = no_options();
	opt.topic_pattern = "a(";
	assert_false(batch_job_init(&job, &opt, NULL, &err));
	assert_true(str_starts(err.text, "--topic: "));
}

/* What a pattern without any topic is: a failure with a sentence; filters that leave nothing are none. */
static void assert_no_topic(const struct fixture *fx, const struct batch_command *command, const struct options *opt, const char *expected)
{
	struct batch_job job;
	struct err err;

	err_init(&err);
	assert_true(batch_job_init(&job, opt, fixture_cluster(fx), &err));
	command->run(&job);
	assert_int_equal(json_array_size(job.items), 0);
	assert_int_equal(batch_job_found_no_topic(&job, &err), expected != NULL);
	assert_string_equal(err.text, expected ? expected : "");
	batch_job_fini(&job);
}

static void a_pattern_that_matches_no_topic_is_a_failure(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	opt.topic_pattern = "nosuch";
	assert_no_topic(fx, &cmd_topics, &opt, "no topic matches nosuch");
	assert_no_topic(fx, &cmd_describe, &opt, "no topic matches nosuch");
	opt.under_replicated = true;
	assert_no_topic(fx, &cmd_describe, &opt, "no topic matches nosuch");
	opt.topic_pattern = "orders";
	assert_no_topic(fx, &cmd_topics, &opt, NULL);
	assert_no_topic(fx, &cmd_describe, &opt, NULL);
	opt = no_options();
	opt.topic_pattern = "__consumer_offsets";
	opt.exclude_internal = true;
	assert_no_topic(fx, &cmd_describe, &opt, NULL);
	opt = no_options();
	opt.unavailable = true;
	assert_no_topic(fx, &cmd_topics, &opt, NULL);
	fixture_free(&fx);
}

static void what_is_unreadable_is_null_with_a_warning(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	fixture_znode(fx, "/brokers/topics/payments.eu", "[]");
	fixture_unreadable(fx, "/brokers/topics/orders/partitions/1/state", "no permission to read it");
	fixture_unreadable(fx, "/config/topics/orders", "no permission to read it");
	opt.topic_pattern = "orders|payments\\.eu";
	assert_answer(fx, &cmd_topics, &opt, true,
		"{\"topic\":\"orders\",\"partitions\":3,\"replication_factor\":3,\"mixed_replication\":false,\"under_replicated\":null,\"offline\":null,"
		"\"under_min_isr\":null,\"at_min_isr\":null,\"not_preferred\":null,\"deleting\":false,\"moving\":false,\"internal\":false,\"size_bytes\":null,"
		"\"overrides\":null,\"topic_id\":\"Q2hlY2tNZUlmWW91Q2FuIQ\",\"created_at\":\"2023-11-14T22:13:34.000Z\",\"from\":\"zookeeper\"}\n"
		"{\"topic\":\"payments.eu\",\"partitions\":null,\"replication_factor\":null,\"mixed_replication\":null,\"under_replicated\":null,\"offline\":null,"
		"\"under_min_isr\":null,\"at_min_isr\":null,\"not_preferred\":null,\"deleting\":false,\"moving\":null,\"internal\":false,\"size_bytes\":null,"
		"\"overrides\":{},\"topic_id\":null,\"created_at\":\"2023-11-14T22:13:38.000Z\",\"from\":\"zookeeper\"}\n"
		"! orders: its overrides can't be read: no permission to read it\n"
		"! orders partition 1: the state can't be read: no permission to read it\n"
		"! payments.eu: the topic's node can't be read: expected an object, found an array\n");
	opt.under_replicated = true;
	assert_field(fx, &cmd_topics, &opt, false, "topic", "");
	fixture_free(&fx);
}

static void without_the_list_of_brokers_offline_is_null_and_undecided(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();

	fixture_children(fx, "/brokers/topics", (const char *const[]){ "lost", "orders", NULL });
	fixture_children(fx, "/config/topics", (const char *const[]){ "orders", NULL });
	fixture_znode(fx, "/config/topics/orders", "{\"version\":1,\"config\":{\"min.insync.replicas\":\"1\"}}");
	fixture_znode(fx, "/brokers/topics/lost", "{\"version\":1,\"partitions\":{\"0\":[1]}}");
	fixture_znode(fx, "/brokers/topics/orders", "{\"version\":1,\"partitions\":{\"0\":[1,2],\"1\":[2,1]}}");
	set_state(fx, "lost", 0, -1, "1");
	set_state(fx, "orders", 0, 1, "1,2");
	set_state(fx, "orders", 1, 2, "2,1");
	for (int i = 0; i < 2; i++) {
		assert_field(fx, &cmd_topics, &opt, true, "offline", "1 null ");
		assert_field(fx, &cmd_topics, &opt, true, "under_min_isr", "1 null ");
		assert_field(fx, &cmd_topics, &opt, true, "under_replicated", "0 0 ");
		/* The list was not read; then it can't be. */
		fixture_children_unreadable(fx, "/brokers/ids", "no permission to read it");
	}
	opt.unavailable = true;
	assert_field(fx, &cmd_topics, &opt, false, "topic", "lost ");
	opt.topic_pattern = "orders";
	assert_answer(fx, &cmd_describe, &opt, false,
		"! 2 partitions of 1 topic left out: whether their leaders are up is not known, for want of the list of brokers\n");
	opt.unavailable = false;
	opt.under_min_isr = true;
	assert_field(fx, &cmd_topics, &opt, false, "topic", "");
	opt.topic_pattern = "lost";
	assert_field(fx, &cmd_topics, &opt, true, "topic", "lost ");
	fixture_free(&fx);
}

static void warnings_are_kept_to_a_number_one_can_read(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();
	const char *names[51];
	char text[50][8];
	struct batch_job job;
	struct err err;

	for (size_t i = 0; i < 50; i++) {
		str_printf(text[i], sizeof(text[i]), "t%02zu", i);
		names[i] = text[i];
	}
	names[50] = NULL;
	fixture_children(fx, "/brokers/topics", names);
	for (size_t i = 0; i < 50; i++) {
		char path[64];

		str_printf(path, sizeof(path), "/brokers/topics/t%02zu", i);
		fixture_znode(fx, path, "x");
	}
	err_init(&err);
	assert_true(batch_job_init(&job, &opt, fixture_cluster(fx), &err));
	cmd_topics.run(&job);
	batch_job_end(&job);
	assert_int_equal(json_array_size(job.items), 50);
	assert_int_equal(json_array_size(job.warnings), BATCH_WARNINGS_MAX + 1);
	assert_string_equal(json_string_value(json_array_get(job.warnings, BATCH_WARNINGS_MAX)), "and 30 more warnings");
	batch_job_fini(&job);
	fixture_free(&fx);
}

/* ---- describe ------------------------------------------------------------------ */

static void a_partition_item_has_the_fields_of_design_in_their_order(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	opt.topic_pattern = "legacy.audit";
	assert_answer(fx, &cmd_describe, &opt, true,
		"{\"topic\":\"legacy.audit\",\"partition\":0,\"leader\":4,\"leader_epoch\":5,\"replicas\":[4,5],\"isr\":[4],\"adding_replicas\":[],"
		"\"removing_replicas\":[],\"offline_replicas\":[5],\"under_replicated\":true,\"moving\":false,\"from\":\"zookeeper\"}\n"
		"{\"topic\":\"legacy.audit\",\"partition\":1,\"leader\":1,\"leader_epoch\":5,\"replicas\":[5,1],\"isr\":[1],\"adding_replicas\":[],"
		"\"removing_replicas\":[],\"offline_replicas\":[5],\"under_replicated\":true,\"moving\":false,\"from\":\"zookeeper\"}\n");
	fixture_free(&fx);
}

static void replicas_have_a_state_each(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	opt.topic_pattern = "legacy.audit";
	opt.with_replicas = true;
	assert_field(fx, &cmd_describe, &opt, true, "replica_states",
		"[{\"broker\":4,\"state\":\"in-sync\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":null},"
		"{\"broker\":5,\"state\":\"broker-down\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":null}] "
		"[{\"broker\":5,\"state\":\"broker-down\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":null},"
		"{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":null,\"size_bytes\":null,\"offset_lag\":null,\"future\":null}] ");
	fixture_free(&fx);
}

static void never_elected_and_unreadable_differ(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	fixture_znode(fx, "/brokers/topics/payments.eu/partitions/0/state", NULL);
	fixture_unreadable(fx, "/brokers/topics/payments.eu/partitions/1/state", "no permission to read it");
	fixture_znode(fx, "/brokers/topics/orders", "nonsense");
	opt.topic_pattern = "payments\\.eu,orders";
	assert_answer(fx, &cmd_describe, &opt, true,
		"{\"topic\":\"orders\",\"partition\":null,\"leader\":null,\"leader_epoch\":null,\"replicas\":null,\"isr\":null,\"adding_replicas\":null,"
		"\"removing_replicas\":null,\"offline_replicas\":null,\"under_replicated\":null,\"moving\":null,\"from\":\"zookeeper\"}\n"
		"{\"topic\":\"payments.eu\",\"partition\":0,\"leader\":-1,\"leader_epoch\":null,\"replicas\":[1,2],\"isr\":[],\"adding_replicas\":[],"
		"\"removing_replicas\":[],\"offline_replicas\":[],\"under_replicated\":true,\"moving\":false,\"from\":\"zookeeper\"}\n"
		"{\"topic\":\"payments.eu\",\"partition\":1,\"leader\":null,\"leader_epoch\":null,\"replicas\":[2,1],\"isr\":null,\"adding_replicas\":[],"
		"\"removing_replicas\":[],\"offline_replicas\":[],\"under_replicated\":null,\"moving\":false,\"from\":\"zookeeper\"}\n"
		"! orders: the topic's node can't be read: bad JSON at line 1 column 8: invalid token near 'nonsense'\n"
		"! payments.eu partition 1: the state can't be read: no permission to read it\n");
	fixture_free(&fx);
}

static void a_table_marks_brokers_as_the_screen_does(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
		"/brokers/ids/2\t{\"version\":0,\"host\":\"h\",\"port\":1}\n"
		"/brokers/topics/a\t{\"version\":2,\"partitions\":{\"0\":[1,2,7],\"1\":[2,1],\"2\":[7],\"3\":[7,1],\"4\":[1,2]},"
		"\"adding_replicas\":{\"1\":[1]},\"removing_replicas\":{\"1\":[2]}}\n"
		"/brokers/topics/a/partitions/0/state\t{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":0,\"isr\":[2]}\n"
		"/brokers/topics/a/partitions/1/state\t{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":0,\"isr\":[2]}\n"
		"/brokers/topics/a/partitions/2/state\t{\"controller_epoch\":1,\"leader\":-1,\"version\":1,\"leader_epoch\":0,\"isr\":[7]}\n"
		"/brokers/topics/a/partitions/3/state\t{\"controller_epoch\":1,\"leader\":7,\"version\":1,\"leader_epoch\":0,\"isr\":[]}\n");
	fixture_unreadable(fx, "/brokers/topics/a/partitions/4/state", "no permission to read it");
	opt.topic_pattern = "a";
	opt.output = OUTPUT_TABLE;
	assert_field(fx, &cmd_describe, &opt, true, "replicas", "1~,2,7! 2-,1+ 7! 7!,1~ 1?,2? ");
	assert_field(fx, &cmd_describe, &opt, true, "leader", "2* 2 none 7! null ");
	assert_field(fx, &cmd_describe, &opt, true, "isr", "[2] [2] [7] none null ");
	opt.output = OUTPUT_TSV;
	assert_field(fx, &cmd_describe, &opt, true, "replicas", "[1,2,7] [2,1] [7] [7,1] [1,2] ");
	assert_field(fx, &cmd_describe, &opt, true, "leader", "2 2 -1 7 null ");
	assert_field(fx, &cmd_describe, &opt, true, "isr", "[2] [2] [7] [] null ");
	fixture_free(&fx);
}

static void describe_lists_matching_partitions_alone(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	set_state(fx, "orders", 1, 2, "2,3");
	opt.at_min_isr = true;
	opt.topic_pattern = "orders";
	assert_field(fx, &cmd_describe, &opt, true, "partition", "1 ");
	opt.at_min_isr = false;
	opt.under_replicated = true;
	assert_field(fx, &cmd_describe, &opt, true, "partition", "1 ");
	opt.under_replicated = false;
	opt.with_overrides = true;
	assert_field(fx, &cmd_describe, &opt, true, "partition", "0 1 2 ");
	fixture_free(&fx);
}

/* ---- brokers and info ------------------------------------------------------------ */

static void a_broker_item_has_the_fields_of_design_in_their_order(void **state)
{
	struct fixture *fx = fixture_new();
	struct options opt = no_options();

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"listener_security_protocol_map\":{\"IN\":\"SASL_SSL\"},\"endpoints\":[\"IN://[2001:db8::1]:9093\"],"
		"\"rack\":\"r1\",\"jmx_port\":-1,\"host\":null,\"timestamp\":\"1700000000000\",\"port\":-1,\"version\":4}\n"
		"/brokers/ids/4\tno json\n"
		"/controller\t{\"version\":1,\"brokerid\":1,\"timestamp\":\"1700000000000\"}\n"
		"/brokers/topics/a\t{\"version\":1,\"partitions\":{\"0\":[1,7]}}\n"
		"/brokers/topics/a/partitions/0/state\t{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":0,\"isr\":[1]}\n");
	assert_answer(fx, &cmd_brokers, &opt, true,
		"{\"broker\":1,\"state\":\"up\",\"host\":\"2001:db8::1\",\"port\":9093,\"endpoints\":[{\"listener\":\"IN\",\"protocol\":\"SASL_SSL\","
		"\"host\":\"2001:db8::1\",\"port\":9093}],\"rack\":\"r1\",\"since\":\"2023-11-14T22:13:28.000Z\",\"controller\":true,\"leaders\":1,\"replicas\":1,"
		"\"under_replicated_followers\":0,\"size_bytes\":null,\"log_dirs\":null,\"log_dirs_offline\":null}\n"
		"{\"broker\":4,\"state\":\"up\",\"host\":null,\"port\":null,\"endpoints\":null,\"rack\":null,\"since\":\"2023-11-14T22:13:29.000Z\","
		"\"controller\":false,\"leaders\":0,\"replicas\":0,\"under_replicated_followers\":0,\"size_bytes\":null,\"log_dirs\":null,\"log_dirs_offline\":null}\n"
		"{\"broker\":7,\"state\":\"down\",\"host\":null,\"port\":null,\"endpoints\":null,\"rack\":null,\"since\":null,\"controller\":false,\"leaders\":0,"
		"\"replicas\":1,\"under_replicated_followers\":1,\"size_bytes\":null,\"log_dirs\":null,\"log_dirs_offline\":null}\n"
		"! broker 4: the registration can't be read: bad JSON at line 1 column 2: invalid token near 'no'\n");
	fixture_free(&fx);
}

static void info_says_how_each_broker_was_reached(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();
	char *text;

	fixture_said(fx, "link 1 up\nlink 2 failed refused\n");
	text = answer_of(fx, &cmd_info, &opt, true);
	assert_non_null(strstr(text, "{\"name\":\"broker_1_connection\",\"value\":\"up\",\"set_by\":\"brokers\"}\n"
		"{\"name\":\"broker_1_error\",\"value\":null,\"set_by\":\"brokers\"}\n"
		"{\"name\":\"broker_2_address\",\"value\":null,\"set_by\":\"brokers\"}\n"
		"{\"name\":\"broker_2_connection\",\"value\":\"failed\",\"set_by\":\"brokers\"}\n"
		"{\"name\":\"broker_2_error\",\"value\":\"refused\",\"set_by\":\"brokers\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"broker_3_connection\",\"value\":\"none\",\"set_by\":\"brokers\"}\n"));
	mem_free(&text);
	fixture_free(&fx);
}

static void info_says_what_was_found(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();
	char *text;

	text = answer_of(fx, &cmd_info, &opt, true);
	assert_non_null(strstr(text, "{\"name\":\"zookeeper\",\"value\":null,\"set_by\":\"default\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"zookeeper_library_digest\",\"value\":true,\"set_by\":\"build\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"cluster_id\",\"value\":\"Zml4dHVyZS1jbHVzdGVyLQ\",\"set_by\":\"cluster\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"controller\",\"value\":2,\"set_by\":\"cluster\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"controller_epoch\",\"value\":7,\"set_by\":\"cluster\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"migration\",\"value\":\"none\",\"set_by\":\"cluster\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"feature_versioning\",\"value\":\"absent\",\"set_by\":\"cluster\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"partitions\",\"value\":11,\"set_by\":\"cluster\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"zookeeper_server\",\"value\":\"zk1.example:2181\",\"set_by\":\"session\"}\n"));
	assert_non_null(strstr(text, "{\"name\":\"zookeeper_session_id\",\"value\":\"0x1234\",\"set_by\":\"session\"}\n"));
	mem_free(&text);
	fixture_free(&fx);
}

static void a_table_of_deletions_has_what_is_not_zero_in_few_words(void **state)
{
	static const char *const markers[] = { "orders", NULL }, *const up[] = { "1", "2", "4", NULL };
	struct fixture *fx = fixture_a();
	struct options opt = no_options();

	fixture_children(fx, "/brokers/ids", up);
	fixture_children(fx, "/admin/delete_topics", markers);
	fixture_znode(fx, "/admin/delete_topics/orders", "");
	for (int p = 0; p < 3; p++)
		set_state(fx, "orders", p, -1, "1");
	opt.output = OUTPUT_TABLE;
	assert_field(fx, &cmd_deletions, &opt, true, "replicas_by_phase", "3 waiting, 6 unknown ");
	assert_field(fx, &cmd_deletions, &opt, true, "blockers", "broker 3 down ");
	fixture_free(&fx);
}

/* ---- what delete says at its end --------------------------------------------------- */

static const char *said(const json_t *list, size_t i)
{
	return json_string_value(json_array_get(list, i));
}

static void a_dry_run_says_that_it_is_one_and_what_comes_next(void **state)
{
	struct fixture *fx = fixture_a();
	struct options opt = no_options();
	struct command *cm = command_new(COMMAND_DELETE_TOPICS);
	struct batch_job job;
	struct err err;

	err_init(&err);
	opt.policy.many_topics = 10;
	opt.policy.many_percent = 90;
	assert_true(batch_job_init(&job, &opt, fixture_cluster(fx), &err));
	assert_true(command_add_topic(cm, job.cl, "orders", false));
	assert_true(command_add_topic(cm, job.cl, "legacy.audit", false));
	delete_say_dry_run(&job, cm);
	assert_string_equal(said(job.notes, 0), "2 topics, 5 partitions; nothing was sent. To do it: --operate --execute --expect-count 2");
	opt.policy.many_topics = 1;
	opt.policy.profile = mem_strdup("sbx");
	delete_say_dry_run(&job, cm);
	assert_string_equal(said(job.notes, 1), "2 topics, 5 partitions; nothing was sent. To do it: --operate --execute --expect-count 2 --expect-cluster sbx");
	mem_free(&opt.policy.profile);
	command_free(&cm);
	batch_job_fini(&job);
	fixture_free(&fx);
}

static void of_those_that_are_left_each_reason_is_said_once(void **state)
{
	static char down[] = "waiting: broker 3 down", also[] = "waiting: broker 3 down", refused[] = "refused";
	const struct delete_left left[] = { { "a", down }, { "b", refused }, { "c", also } };
	struct options opt = no_options();
	struct batch_job job;
	struct err err;

	err_init(&err);
	assert_true(batch_job_init(&job, &opt, NULL, &err));
	delete_say_left(&job, left, 3);
	assert_int_equal(json_array_size(job.warnings), 2);
	assert_string_equal(said(job.warnings, 0), "a and 1 more are not gone: waiting: broker 3 down");
	assert_string_equal(said(job.warnings, 1), "b is not gone: refused");
	delete_say_followed(&job, 58, 2, 1);
	delete_say_followed(&job, 1, 0, 0);
	assert_string_equal(said(job.notes, 0), "58 topics are gone, 2 are not yet, 1 will not go");
	assert_string_equal(said(job.notes, 1), "1 topic is gone");
	batch_job_fini(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_of_deletions_has_what_is_not_zero_in_few_words),
		cmocka_unit_test(a_dry_run_says_that_it_is_one_and_what_comes_next),
		cmocka_unit_test(of_those_that_are_left_each_reason_is_said_once),
		cmocka_unit_test(a_topic_item_has_the_fields_of_design_in_their_order),
		cmocka_unit_test(a_partition_without_leader_is_offline_and_under_min_isr),
		cmocka_unit_test(filters_choose_topics),
		cmocka_unit_test(min_isr_filters_list_what_is_known_and_say_what_is_not),
		cmocka_unit_test(two_filters_at_once_are_refused),
		cmocka_unit_test(a_pattern_that_matches_no_topic_is_a_failure),
		cmocka_unit_test(what_is_unreadable_is_null_with_a_warning),
		cmocka_unit_test(warnings_are_kept_to_a_number_one_can_read),
		cmocka_unit_test(a_partition_item_has_the_fields_of_design_in_their_order),
		cmocka_unit_test(replicas_have_a_state_each),
		cmocka_unit_test(without_the_list_of_brokers_offline_is_null_and_undecided),
		cmocka_unit_test(never_elected_and_unreadable_differ),
		cmocka_unit_test(a_table_marks_brokers_as_the_screen_does),
		cmocka_unit_test(describe_lists_matching_partitions_alone),
		cmocka_unit_test(a_broker_item_has_the_fields_of_design_in_their_order),
		cmocka_unit_test(info_says_how_each_broker_was_reached),
		cmocka_unit_test(info_says_what_was_found),
	};

	return cmocka_run_group_tests_name("batch/items", tests, NULL, NULL);
}
