/* SPDX-License-Identifier: Apache-2.0 */
/*
 * End offsets against librdkafka's mock cluster, which knows nothing of consumer groups; these against a small broker of the test's own
 * (groups_broker.h), with 5,000 of them and with none that may be seen.
 */
#include "io/rdk.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/appraisal.h"
#include "core/client_config.h"
#include "core/event.h"
#include "core/ids.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kclient.h"
#include "tests/unit/groups_broker.h"

enum { PATIENCE_MS = 20000, INQUIRY = 42 };

/* librdkafka 2.0.2 leaves an op or an error of a few hundred bytes behind, now and then, when a handle ends while it is busy. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:librdkafka.so";
}

static const int32_t three[] = { 0, 1, 2 };
static const struct rdk_topic topics[] = { { "busy", three, 3 }, { "quiet", three, 3 } };

struct world {
	rd_kafka_t *rk;              /* NULL: no mock cluster */
	rd_kafka_mock_cluster_t *cluster;
	struct client_config config;
	struct rdk_times times;
	struct kclient_address server;
	char host[32];
	bool has_offsets;
	const struct rdk_topic *topics;
	size_t n_topics;
	struct evq *q;
	struct rdk *rd;
	struct event *heard, *now;   /* `now` holds what is looked at */
};

static void world_init(struct world *wo, int port)
{
	struct err err;

	memset(wo, 0, sizeof(*wo));
	err_init(&err);
	wo->q = evq_new(&err);
	wo->config.tls.versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3;
	wo->times = (struct rdk_times){ .apart_ms = 1500, .ask_ms = 10000, .groups_ms = 10000, .total_ms = 15000 };
	memcpy(wo->host, "127.0.0.1", 10);
	wo->server = (struct kclient_address){ BROKER_NONE, wo->host, port };
	wo->topics = topics;
	wo->n_topics = 2;
}

static void world_mock(struct world *wo)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	const char *at;
	char text[256];

	world_init(wo, 0);
	rd_kafka_conf_set(conf, "log_level", "2", text, sizeof(text));
	rd_kafka_conf_set(conf, "test.mock.num.brokers", "3", text, sizeof(text));
	wo->rk = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof(text));
	assert_non_null(wo->rk);
	wo->cluster = rd_kafka_handle_mock_cluster(wo->rk);
	at = rd_kafka_mock_cluster_bootstraps(wo->cluster);
	wo->server.port = (int)strtol(strchr(at, ':') + 1, NULL, 10);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(rd_kafka_mock_topic_create(wo->cluster, topics[i].name, 3, 1), RD_KAFKA_RESP_ERR_NO_ERROR);
}

static void begin(struct world *wo)
{
	struct rdk_options opt = {
		.id = INQUIRY, .config = &wo->config, .servers = &wo->server, .n_servers = 1, .client_id = "test", .topics = wo->topics, .n_topics = wo->n_topics,
		.has_offsets = wo->has_offsets, .times = &wo->times,
	};
	struct err err;

	err_init(&err);
	wo->rd = rdk_begin(&opt, wo->q, &err);
	if (!wo->rd)
		fail_msg("%s", err.text);
}

static void world_end(struct world *wo)
{
	struct event *ev;

	rdk_end(&wo->rd);
	assert_true(rdk_are_over(PATIENCE_MS));
	if (wo->now)
		event_free(&wo->now);
	while ((ev = wo->heard) != NULL) {
		wo->heard = ev->next;
		event_free(&ev);
	}
	evq_free(&wo->q);
	if (wo->rk)
		rd_kafka_destroy(wo->rk); /* and its cluster */
}

/* Borrowed until the next call. */
static const struct appraisal *next(struct world *wo)
{
	struct pollfd fd = { .fd = evq_fd(wo->q), .events = POLLIN };

	if (wo->now)
		event_free(&wo->now);
	while (!wo->heard) {
		if (poll(&fd, 1, PATIENCE_MS) == 0)
			fail_msg("no event came");
		wo->heard = evq_take(wo->q);
	}
	wo->now = wo->heard;
	wo->heard = wo->now->next;
	wo->now->next = NULL;
	assert_int_equal(wo->now->kind, EV_APPRAISAL);
	assert_int_equal(wo->now->u.appraised.id, INQUIRY);
	return wo->now->u.appraised.ap;
}

static const struct appraisal *last(struct world *wo)
{
	const struct appraisal *ap = next(wo);

	while (ap->writes_pending || ap->groups_pending)
		ap = next(wo);
	return ap;
}

static void write_to(struct world *wo, const char *topic)
{
	char value[] = "x";

	assert_int_equal(rd_kafka_producev(wo->rk, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(1), RD_KAFKA_V_VALUE(value, sizeof(value)), RD_KAFKA_V_END), 0);
	assert_int_equal(rd_kafka_flush(wo->rk, PATIENCE_MS), 0);
}

static void assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("\"%s\" is not in: %s", part, text ? text : "NULL");
}

/* ---- end offsets ------------------------------------------------------------------------------ */

static void a_topic_that_is_written_to_is_told_from_a_quiet_one(void **state)
{
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	world_mock(&wo);
	write_to(&wo, "quiet");
	begin(&wo);
	ap = next(&wo);
	assert_true(ap->writes_pending);
	while (ap->writes_again.ms == 0)
		ap = next(&wo);
	assert_true(ap->writes_pending);
	write_to(&wo, "busy");
	ap = last(&wo);
	assert_true(ap->writes_known);
	assert_null(ap->why_writes);
	assert_int_equal(ap->n_active, 1);
	assert_string_equal(ap->active[0], "busy");
	world_end(&wo);
}

static void without_offsets_anywhere_no_group_is_looked_for(void **state)
{
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	world_mock(&wo);
	wo.times.apart_ms = 1;
	begin(&wo);
	ap = last(&wo);
	assert_true(ap->groups_known);
	assert_int_equal(ap->groups_total, 0);
	assert_true(ap->writes_known);
	assert_int_equal(ap->n_active, 0);
	world_end(&wo);
}

static void a_topic_without_a_leader_anywhere_is_written_to_by_nobody(void **state)
{
	static const struct rdk_topic none[] = { { "leaderless", NULL, 0 } };
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	world_mock(&wo);
	wo.topics = none;
	wo.n_topics = 1;
	begin(&wo);
	ap = last(&wo);
	assert_true(ap->writes_known);
	assert_int_equal(ap->n_active, 0);
	world_end(&wo);
}

static void one_topic_that_is_gone_leaves_the_others_known(void **state)
{
	static const struct rdk_topic some[] = { { "busy", three, 3 }, { "gone", three, 1 } };
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	world_mock(&wo);
	rd_kafka_mock_topic_set_error(wo.cluster, "gone", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
	wo.topics = some;
	begin(&wo);
	for (ap = next(&wo); ap->writes_again.ms == 0;)
		ap = next(&wo);
	write_to(&wo, "busy");
	ap = last(&wo);
	assert_false(ap->writes_known);
	assert_says(ap->why_writes, "gone-0: ");
	assert_int_equal(ap->n_active, 1);
	world_end(&wo);
}

/* ---- consumer groups ------------------------------------------------------------------------------ */

static void a_broker_that_lists_no_groups_leaves_them_not_known(void **state)
{
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	world_mock(&wo);
	wo.has_offsets = true;
	wo.times.apart_ms = 1;
	begin(&wo);
	ap = last(&wo);
	assert_false(ap->groups_known);
	assert_non_null(ap->why_groups);
	assert_true(ap->writes_known);
	world_end(&wo);
}

static void groups_with_offsets_on_a_topic_are_named(void **state)
{
	static struct groups_broker gb;
	static const struct rdk_topic none[] = { { "busy", NULL, 0 } };
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	gb = (struct groups_broker){ .topic = "busy", .n_groups = 12, .n_answered_most = 12 };
	gb_start(&gb);
	world_init(&wo, gb.port);
	wo.has_offsets = true;
	wo.topics = none;
	wo.n_topics = 1;
	begin(&wo);
	ap = last(&wo);
	assert_true(ap->groups_known);
	assert_null(ap->why_groups);
	assert_int_equal(ap->n_groups, 12);
	assert_string_equal(ap->groups[11], "group-00011");
	assert_int_equal(ap->groups_seen, 12);
	assert_int_equal(ap->groups_total, 12);
	world_end(&wo);
	gb_end(&gb);
}

static void groups_of_other_topics_are_counted_and_not_named(void **state)
{
	static struct groups_broker gb;
	static const struct rdk_topic none[] = { { "quiet", NULL, 0 } };
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	gb = (struct groups_broker){ .topic = "busy", .n_groups = 12, .n_answered_most = 12 };
	gb_start(&gb);
	world_init(&wo, gb.port);
	wo.has_offsets = true;
	wo.topics = none;
	wo.n_topics = 1;
	begin(&wo);
	ap = last(&wo);
	assert_true(ap->groups_known);
	assert_int_equal(ap->n_groups, 0);
	assert_int_equal(ap->groups_seen, 12);
	world_end(&wo);
	gb_end(&gb);
}

static void of_5000_groups_those_are_looked_at_that_answer_in_time_ten_at_once(void **state)
{
	static struct groups_broker gb;
	static const struct rdk_topic none[] = { { "busy", NULL, 0 } };
	struct world wo;
	const struct appraisal *ap;
	mono_ms begun = clock_mono();

	(void)state;
	gb = (struct groups_broker){ .topic = "busy", .n_groups = 5000, .n_answered_most = 900 };
	gb_start(&gb);
	world_init(&wo, gb.port);
	wo.has_offsets = true;
	wo.topics = none;
	wo.n_topics = 1;
	wo.times.groups_ms = 3500;
	begin(&wo);
	ap = last(&wo);
	assert_true(ap->groups_known);
	assert_int_equal(ap->groups_total, 5000);
	assert_int_equal(ap->groups_seen, 900);
	assert_int_equal(ap->n_groups, 900);
	assert_int_equal(atomic_load(&gb.n_silent_most), RDK_IN_FLIGHT);
	assert_true(mono_since(clock_mono(), begun) < 10000);
	world_end(&wo);
	gb_end(&gb);
}

static void an_empty_list_of_a_user_without_rights_is_not_taken_for_no_groups(void **state)
{
	static struct groups_broker gb;
	static const struct rdk_topic none[] = { { "busy", NULL, 0 } };
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	gb = (struct groups_broker){ .topic = "busy", .n_groups = 12, .n_answered_most = 12, .refuses = true };
	gb_start(&gb);
	world_init(&wo, gb.port);
	wo.has_offsets = true;
	wo.topics = none;
	wo.n_topics = 1;
	begin(&wo);
	ap = last(&wo);
	assert_false(ap->groups_known);
	assert_says(ap->why_groups, "may not see");
	assert_true(ap->writes_known);
	world_end(&wo);
	gb_end(&gb);
}

/* ---- what can't be asked ------------------------------------------------------------------------------ */

static void where_nobody_answers_it_is_told_in_time(void **state)
{
	struct world wo;
	const struct appraisal *ap;
	mono_ms begun = clock_mono();

	(void)state;
	world_init(&wo, 1);
	wo.has_offsets = true;
	wo.times.ask_ms = 1000;
	wo.times.groups_ms = 1000;
	wo.times.total_ms = 2000;
	begin(&wo);
	ap = last(&wo);
	assert_false(ap->writes_known);
	assert_false(ap->groups_known);
	assert_says(ap->why_writes, "127.0.0.1:1");
	assert_says(ap->why_groups, "127.0.0.1:1");
	assert_true(mono_since(clock_mono(), begun) < 10000);
	world_end(&wo);
}

static void what_librdkafka_cant_do_is_said_at_once(void **state)
{
	struct world wo;
	const struct appraisal *ap;

	(void)state;
	for (int i = 0; i < 3; i++) {
		static const char *const says[] = { "delegation token", "keytab", "TLS 1.2" };

		world_init(&wo, 1);
		wo.config.protocol = i < 2 ? CLIENT_SASL_PLAINTEXT : CLIENT_SSL;
		wo.config.login.mechanism = i == 0 ? CLIENT_SCRAM_SHA_256 : CLIENT_GSSAPI;
		wo.config.login.is_token = i == 0;
		wo.config.login.use_keytab = i == 1;
		wo.config.tls.versions = CLIENT_TLS_1_3;
		begin(&wo);
		ap = last(&wo);
		assert_says(ap->why_writes, says[i]);
		assert_says(ap->why_groups, says[i]);
		world_end(&wo);
	}
}

static void nothing_is_told_after_the_end_and_the_thread_goes(void **state)
{
	struct world wo;

	(void)state;
	world_mock(&wo);
	begin(&wo);
	(void)next(&wo);
	rdk_end(&wo.rd);
	assert_true(rdk_are_over(PATIENCE_MS));
	event_free(&wo.now);
	for (struct event *ev = evq_take(wo.q), *following; ev; ev = following) {
		following = ev->next;
		assert_true(ev->u.appraised.ap->writes_pending);
		event_free(&ev);
	}
	world_end(&wo);
}

static void no_more_than_a_few_end_at_a_time(void **state)
{
	struct world wo;
	struct rdk *few[RDK_RUNNING_MAX];
	struct rdk_options opt = { .config = &wo.config, .servers = &wo.server, .n_servers = 1, .client_id = "test", .topics = topics, .n_topics = 2 };
	struct err err;

	(void)state;
	world_init(&wo, 1);
	err_init(&err);
	for (int i = 0; i < RDK_RUNNING_MAX; i++)
		few[i] = rdk_begin(&opt, wo.q, &err);
	assert_null(rdk_begin(&opt, wo.q, &err));
	assert_int_equal(err.code, ERR_LIMIT);
	for (int i = 0; i < RDK_RUNNING_MAX; i++)
		rdk_end(&few[i]);
	world_end(&wo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_topic_that_is_written_to_is_told_from_a_quiet_one),
		cmocka_unit_test(without_offsets_anywhere_no_group_is_looked_for),
		cmocka_unit_test(a_topic_without_a_leader_anywhere_is_written_to_by_nobody),
		cmocka_unit_test(one_topic_that_is_gone_leaves_the_others_known),
		cmocka_unit_test(a_broker_that_lists_no_groups_leaves_them_not_known),
		cmocka_unit_test(groups_with_offsets_on_a_topic_are_named),
		cmocka_unit_test(groups_of_other_topics_are_counted_and_not_named),
		cmocka_unit_test(of_5000_groups_those_are_looked_at_that_answer_in_time_ten_at_once),
		cmocka_unit_test(an_empty_list_of_a_user_without_rights_is_not_taken_for_no_groups),
		cmocka_unit_test(where_nobody_answers_it_is_told_in_time),
		cmocka_unit_test(what_librdkafka_cant_do_is_said_at_once),
		cmocka_unit_test(nothing_is_told_after_the_end_and_the_thread_goes),
		cmocka_unit_test(no_more_than_a_few_end_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
