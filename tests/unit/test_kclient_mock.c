/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Against librdkafka's mock cluster: other people's idea of a broker. That of 2.0.2 answers ApiVersions v3 with error 35
 * in a form of its own, knows Metadata to version 2 (which can't say that asking must not make a topic, so we have no codec) and nothing of log
 * dirs and settings: what can be seen here is how brokers are told that are too old for us, and connections that go and come.
 */
#include "io/kclient.h"

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
#include "base/str.h"
#include "core/client_config.h"
#include "core/event.h"
#include "core/ids.h"
#include "io/evq.h"
#include "io/kpolls.h"

enum { BROKERS = 3, PATIENCE_MS = 20000 };

struct world {
	rd_kafka_t *rk;
	rd_kafka_mock_cluster_t *cluster;
	struct client_config config;
	struct kpolls_times times;
	struct kclient_address brokers[BROKERS];
	struct kclient *kc;
	struct evq *q;
	struct event *heard;
};

/* "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3", of brokers 1 to 3. */
static void read_addresses(struct world *wo)
{
	const char *at = rd_kafka_mock_cluster_bootstraps(wo->cluster);

	for (int i = 0; i < BROKERS; i++) {
		const char *colon = strchr(at, ':');

		assert_non_null(colon);
		wo->brokers[i] = (struct kclient_address){ i + 1, mem_strndup(at, (size_t)(colon - at)), (int)strtol(colon + 1, NULL, 10) };
		at = colon + strcspn(colon, ",") + 1;
	}
}

static void begin(struct world *wo, unsigned asks, bool once)
{
	struct kclient_options opt = { .asks = asks, .once = once };
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	struct err err;
	char text[256];

	memset(wo, 0, sizeof(*wo));
	wo->rk = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof(text));
	assert_non_null(wo->rk);
	wo->cluster = rd_kafka_mock_cluster_new(wo->rk, BROKERS);
	assert_non_null(wo->cluster);
	read_addresses(wo);
	wo->config.request_timeout_ms = 10000;
	wo->times = kpolls_times_usual;
	wo->times.backoff_first = wo->times.backoff_most = 20;
	opt.config = &wo->config;
	opt.times = &wo->times;
	err_init(&err);
	wo->q = evq_new(&err);
	wo->kc = kclient_new(&opt, wo->q, &err);
	assert_non_null(wo->kc);
	kclient_brokers(wo->kc, wo->brokers, BROKERS);
}

static void end(struct world *wo)
{
	struct event *ev;

	assert_true(kclient_free(&wo->kc));
	evq_free(&wo->q);
	while ((ev = wo->heard) != NULL) {
		wo->heard = ev->next;
		event_free(&ev);
	}
	rd_kafka_mock_cluster_destroy(wo->cluster);
	rd_kafka_destroy(wo->rk);
	for (int i = 0; i < BROKERS; i++)
		mem_free(&wo->brokers[i].host);
}

static struct event *next(struct world *wo)
{
	struct pollfd fd = { .fd = evq_fd(wo->q), .events = POLLIN };
	struct event *ev;

	while (!wo->heard) {
		if (poll(&fd, 1, PATIENCE_MS) == 0)
			fail_msg("no event came");
		wo->heard = evq_take(wo->q);
	}
	ev = wo->heard;
	wo->heard = ev->next;
	ev->next = NULL;
	return ev;
}

static void wait_link(struct world *wo, int32_t id, enum link_state state)
{
	for (bool is_there = false; !is_there;) {
		struct event *ev = next(wo);

		is_there = ev->kind == EV_LINK && ev->id == id && ev->u.link->state == state;
		event_free(&ev);
	}
}

static void brokers_too_old_for_us_are_told(void **state)
{
	struct world wo;
	struct event *ev;
	int n_metadata = 0, n_disks = 0, n_settings = 0;

	begin(&wo, ASK_METADATA | ASK_DISKS | ASK_SETTINGS, true);
	for (bool is_over = false; !is_over; event_free(&ev)) {
		ev = next(&wo);
		is_over = ev->kind == EV_BROKERS_ASKED;
		if (is_over)
			assert_int_equal(ev->know, KNOW_PRESENT); /* they were reached */
		else if (ev->kind != EV_LINK)
			assert_int_equal(ev->know, KNOW_UNREADABLE);
		if (ev->kind == EV_METADATA)
			assert_non_null(strstr(ev->why, "Metadata: the broker speaks versions 0 to 2, we speak 4 to 9 and 12"));
		if (ev->kind == EV_DISKS || ev->kind == EV_BROKER_SETTINGS)
			assert_non_null(strstr(ev->why, "the broker does not offer it"));
		n_metadata += ev->kind == EV_METADATA;
		n_disks += ev->kind == EV_DISKS;
		n_settings += ev->kind == EV_BROKER_SETTINGS;
	}
	assert_int_equal(n_metadata, 1);
	assert_int_equal(n_disks, BROKERS);
	assert_int_equal(n_settings, BROKERS);
	end(&wo);
}

static void a_broker_that_goes_down_and_comes_back_is_told(void **state)
{
	struct world wo;

	begin(&wo, ASK_DISKS, false);
	wait_link(&wo, 2, LINK_UP);
	assert_int_equal(rd_kafka_mock_broker_set_down(wo.cluster, 2), RD_KAFKA_RESP_ERR_NO_ERROR);
	wait_link(&wo, 2, LINK_FAILED);
	assert_int_equal(rd_kafka_mock_broker_set_up(wo.cluster, 2), RD_KAFKA_RESP_ERR_NO_ERROR);
	wait_link(&wo, 2, LINK_UP);
	end(&wo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(brokers_too_old_for_us_are_told),
		cmocka_unit_test(a_broker_that_goes_down_and_comes_back_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
