/* SPDX-License-Identifier: Apache-2.0 */
/* Against one or two of tests/peer on loopback. Times are set so that nothing sleeps. */
#include "io/kclient.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/ids.h"
#include "core/metadata.h"
#include "io/evq.h"
#include "io/kpolls.h"
#include "peer.h"

/* Metadata to v5, ApiVersions to v3, DescribeConfigs to v1, DescribeLogDirs to v1, ListPartitionReassignments v0. */
#define HELLO "accept; expect ApiVersions 3; answer 0000 06 000300000005 00 001200000003 00 002000000001 00 002300000001 00 " \
	"002e00000000 00 00000000 00;"
/* The same without ListPartitionReassignments. */
#define OLD_HELLO "accept; expect ApiVersions 3; answer 0000 05 000300000005 00 001200000003 00 002000000001 00 002300000001 00 " \
	"00000000 00;"
/* A dir "/a" without replicas. */
#define DISKS_BODY "00000000 00000001 0000 0002 2f61 00000000"
#define EXPECT_DISKS "expect DescribeLogDirs 1 ffffffff;"
#define CONFIGS_BODY "00000000 00000001 0000 ffff 04 0001 33 00000001 000e 6e756d2e706172746974696f6e73 0001 38 01 04 00 00000000"
/* Broker 3 at "h":1, which is the controller; one topic "t". */
#define METADATA_BODY "00000000 00000001 00000003 0001 68 00000001 ffff 0001 63 00000003 00000001 0000 0001 74 00 00000000"
#define NO_MOVES "00 00000000 0000 00 01 00"
#define NOT_CONTROLLER "00 00000000 0029 00 01 00"

struct call {
	struct client_config config;
	struct kpolls_times times;
	struct kclient_options opt;
	struct kclient_address at[2];
	struct peer_run peers[2];
	int n_peers;
	struct evq *q;
	struct kclient *kc;
	struct event *heard, **end; /* that nobody waited for so far */
};

static void begin(struct call *ca, unsigned asks, const char *script, const char *script2)
{
	memset(ca, 0, sizeof(*ca));
	ca->end = &ca->heard;
	ca->config.request_timeout_ms = 15000;
	ca->times = kpolls_times_usual;
	ca->times.backoff_first = ca->times.backoff_most = ca->times.refused = 1;
	ca->opt = (struct kclient_options){ .config = &ca->config, .asks = asks, .once = true, .times = &ca->times };
	for (const char *const *sc = (const char *const[]){ script, script2, NULL }; *sc; sc++) {
		ca->peers[ca->n_peers] = peer_start(NULL, *sc);
		ca->at[ca->n_peers] = (struct kclient_address){ 3 + ca->n_peers, "127.0.0.1", ca->peers[ca->n_peers].port };
		ca->n_peers++;
	}
}

static void start(struct call *ca)
{
	struct err err;

	err_init(&err);
	ca->q = evq_new(&err);
	ca->kc = kclient_new(&ca->opt, ca->q, &err);
	if (!ca->kc)
		fail_msg("%s", err.text);
}

/* All of its peers are registered: brokers 3 and 4. */
static void start_registered(struct call *ca)
{
	start(ca);
	kclient_brokers(ca->kc, ca->at, (size_t)ca->n_peers);
}

static void end(struct call *ca)
{
	struct event *ev;

	assert_true(kclient_free(&ca->kc));
	for (int i = 0; i < ca->n_peers; i++)
		peer_end(&ca->peers[i]);
	evq_free(&ca->q);
	while ((ev = ca->heard) != NULL) {
		ca->heard = ev->next;
		event_free(&ev);
	}
}

static void hear_more(struct call *ca)
{
	struct pollfd fd = { .fd = evq_fd(ca->q), .events = POLLIN };

	if (poll(&fd, 1, PEER_PATIENCE_MS) == 0)
		fail_msg("no event came");
	*ca->end = evq_take(ca->q);
	while (*ca->end)
		ca->end = &(*ca->end)->next;
}

static bool is_it(const struct event *ev, enum event_kind kind, int32_t id, int state)
{
	return ev->kind == kind && ev->id == id && (state < 0 || (kind == EV_LINK && ev->u.link->state == state));
}

/* The next of this kind and broker (of links: in this state, unless -1); others stay for later. */
static struct event *hear_in(struct call *ca, enum event_kind kind, int32_t id, int state)
{
	struct event **at = &ca->heard, *ev;

	for (;;) {
		while ((ev = *at) != NULL) {
			if (is_it(ev, kind, id, state)) {
				*at = ev->next;
				if (!*at)
					ca->end = at;
				ev->next = NULL;
				return ev;
			}
			at = &ev->next;
		}
		hear_more(ca);
	}
}

static struct event *hear(struct call *ca, enum event_kind kind, int32_t id)
{
	return hear_in(ca, kind, id, -1);
}

static void hear_present(struct call *ca, enum event_kind kind, int32_t id)
{
	struct event *ev = hear(ca, kind, id);

	if (ev->know != KNOW_PRESENT)
		fail_msg("%s: %s", event_kind_name(kind), why_text(ev->why));
	event_free(&ev);
}

static void hear_unreadable(struct call *ca, enum event_kind kind, int32_t id, const char *says)
{
	struct event *ev = hear(ca, kind, id);

	assert_int_equal(ev->know, KNOW_UNREADABLE);
	if (!strstr(ev->why, says))
		fail_msg("%s: %s", event_kind_name(kind), ev->why);
	event_free(&ev);
}

static void hear_link(struct call *ca, int32_t id, enum link_state state)
{
	struct event *ev = hear_in(ca, EV_LINK, id, (int)state);

	event_free(&ev);
}

static bool was_heard(const struct call *ca, enum event_kind kind)
{
	for (const struct event *ev = ca->heard; ev; ev = ev->next)
		if (ev->kind == kind)
			return true;
	return false;
}

/* ---- when all goes well ------------------------------------------------------------------------ */

static void once_is_each_question_once(void **state)
{
	struct call ca;
	struct event *ev;

	begin(&ca, ASK_ALL, HELLO "expect Metadata 5 ffffffff 00;" EXPECT_DISKS "expect DescribeConfigs 1;"
	      "answer-to 2 " METADATA_BODY "; answer-to 3 " DISKS_BODY "; answer-to 4 " CONFIGS_BODY ";"
	      "expect ListPartitionReassignments 0; answer " NO_MOVES "; bye", NULL);
	start_registered(&ca);
	hear_link(&ca, 3, LINK_CONNECTING);
	hear_link(&ca, 3, LINK_UP);
	ev = hear(&ca, EV_METADATA, 3);
	assert_true(ev->u.metadata->is_all);
	assert_int_equal(ev->u.metadata->md.controller, 3);
	assert_int_equal(ev->source, SOURCE_BROKERS);
	assert_null(ev->raw);
	event_free(&ev);
	ev = hear(&ca, EV_DISKS, 3);
	assert_string_equal(ev->u.disks->dirs[0].path, "/a");
	event_free(&ev);
	ev = hear(&ca, EV_BROKER_SETTINGS, 3);
	assert_string_equal(zk_config_find(&ev->u.config, "num.partitions"), "8");
	event_free(&ev);
	hear_present(&ca, EV_REASSIGNING, 3);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	assert_false(was_heard(&ca, EV_METADATA));
	end(&ca);
}

static void two_brokers_are_asked_side_by_side(void **state)
{
	struct call ca;

	/* Each waits with its answer until the other one was asked, too. */
	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "pause; answer " DISKS_BODY "; bye", HELLO EXPECT_DISKS "pause; answer " DISKS_BODY "; bye");
	start_registered(&ca);
	for (int i = 0; i < 2; i++) {
		struct pollfd fd = { .fd = ca.peers[i].out, .events = POLLIN };

		assert_int_equal(poll(&fd, 1, PEER_PATIENCE_MS), 1);
	}
	peer_go_on(&ca.peers[0]);
	peer_go_on(&ca.peers[1]);
	hear_present(&ca, EV_DISKS, 3);
	hear_present(&ca, EV_DISKS, 4);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void by_bootstrap(unsigned asks)
{
	char script[1024];
	struct call ca;

	begin(&ca, asks, HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye", NULL);
	/* Broker 7 is at the first peer. */
	assert_true(str_printf(script, sizeof(script), HELLO "expect Metadata 5 ffffffff 00; answer 00000000 00000001 00000007 "
		"0009 3132372e302e302e31 %08x ffff 0001 63 00000007 00000001 0000 0001 74 00 00000000; bye", (unsigned)ca.peers[0].port));
	ca.peers[1] = peer_start(NULL, script);
	ca.n_peers = 2;
	ca.at[1] = (struct kclient_address){ BROKER_NONE, "127.0.0.1", ca.peers[1].port };
	ca.opt.bootstrap = &ca.at[1];
	ca.opt.n_bootstrap = 1;
	start(&ca);
	hear_link(&ca, BROKER_NONE, LINK_UP);
	if (asks & ASK_METADATA)
		hear_present(&ca, EV_METADATA, BROKER_NONE);
	hear_present(&ca, EV_DISKS, 7);
	hear_link(&ca, BROKER_NONE, LINK_NONE);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	assert_false(was_heard(&ca, EV_METADATA));
	end(&ca);
}

static void a_bootstrap_server_is_asked_who_is_there_and_let_go_of(void **state)
{
	by_bootstrap(ASK_METADATA | ASK_DISKS);
}

static void a_bootstrap_server_is_asked_who_is_there_whatever_is_wanted(void **state)
{
	by_bootstrap(ASK_DISKS);
}

static void brokers_that_are_awaited_are_asked_before_the_end_is_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_METADATA | ASK_DISKS, HELLO "expect Metadata 5; answer " METADATA_BODY "; pause; bye",
	      HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye");
	ca.opt.bootstrap = ca.at;
	ca.opt.n_bootstrap = 1;
	ca.opt.awaits_brokers = true;
	start(&ca);
	hear_present(&ca, EV_METADATA, BROKER_NONE);
	assert_false(was_heard(&ca, EV_BROKERS_ASKED));
	kclient_brokers(ca.kc, &ca.at[1], 1);
	peer_go_on(&ca.peers[0]);
	hear_present(&ca, EV_DISKS, 4);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void brokers_that_come_later_are_asked_and_the_end_is_told_again(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye", HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye");
	start(&ca);
	kclient_brokers(ca.kc, ca.at, 1);
	hear_present(&ca, EV_DISKS, 3);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	kclient_brokers(ca.kc, ca.at, 2);
	hear_present(&ca, EV_DISKS, 4);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	assert_false(was_heard(&ca, EV_DISKS));
	end(&ca);
}

/* The next EV_LINK of broker 3 that is up with, or without, an error; that it begins so. */
static void hear_silence(struct call *ca, bool is_silent)
{
	for (bool is_it = false; !is_it;) {
		struct event *ev = hear_in(ca, EV_LINK, 3, LINK_UP);

		is_it = (ev->u.link->error[0] != '\0') == is_silent;
		if (is_it && is_silent)
			assert_true(str_starts(ev->u.link->error, "no answer to DescribeLogDirs within "));
		event_free(&ev);
	}
}

static void begin_silence(struct call *ca, const char *script, const char *script2)
{
	begin(ca, ASK_DISKS, script, script2);
	ca->opt.once = false;
	ca->times.disks = 1;
	ca->times.slow = 0;
	ca->times.disks_bytes_per_s = 0;
	ca->times.silent = 1;
}

static void a_broker_that_hangs_is_told_long_before_the_time_out_and_when_it_answers_again(void **state)
{
	struct call ca;

	begin_silence(&ca, HELLO EXPECT_DISKS "answer " DISKS_BODY ";" EXPECT_DISKS "pause; answer " DISKS_BODY "; pause; cut", NULL);
	start_registered(&ca);
	hear_present(&ca, EV_DISKS, 3);
	hear_silence(&ca, true);
	peer_go_on(&ca.peers[0]);
	hear_present(&ca, EV_DISKS, 3);
	hear_silence(&ca, false);
	peer_go_on(&ca.peers[0]);
	end(&ca);
}

/* For as long as it takes another one to be told. */
static void what_a_broker_has_never_answered_may_take_its_time(void **state)
{
	struct call ca;

	begin_silence(&ca, HELLO EXPECT_DISKS "answer " DISKS_BODY ";" EXPECT_DISKS "pause; cut", HELLO EXPECT_DISKS "pause; cut");
	start_registered(&ca);
	hear_silence(&ca, true);
	while (ca.heard) {
		struct event *ev = ca.heard;

		assert_true(ev->id != 4 || ev->kind != EV_LINK || ev->u.link->error[0] == '\0');
		ca.heard = ev->next;
		event_free(&ev);
	}
	ca.end = &ca.heard;
	for (size_t i = 0; i < 2; i++) {
		peer_wait_pause(&ca.peers[i]);
		peer_go_on(&ca.peers[i]);
	}
	end(&ca);
}

static void a_broker_that_is_not_registered_any_more_is_let_go_of(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye", HELLO EXPECT_DISKS "answer " DISKS_BODY "; pause; bye");
	start_registered(&ca);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	kclient_brokers(ca.kc, &ca.at[1], 1);
	hear_link(&ca, 3, LINK_NONE);
	peer_end(&ca.peers[0]);
	peer_go_on(&ca.peers[1]);
	ca.peers[0] = ca.peers[1];
	ca.n_peers = 1;
	end(&ca);
}

static void a_broker_at_another_address_is_connected_to_anew(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye", HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye");
	ca.opt.once = false;
	ca.times.disks = 1;
	ca.times.slow = 0;
	ca.times.disks_bytes_per_s = 0;
	start(&ca);
	kclient_want(ca.kc, NULL, 0, 0, false); /* the first round alone */
	kclient_brokers(ca.kc, ca.at, 1);
	hear_present(&ca, EV_DISKS, 3);
	ca.at[1].id = 3;
	kclient_brokers(ca.kc, &ca.at[1], 1);
	hear_link(&ca, 3, LINK_NONE);
	kclient_want(ca.kc, NULL, 0, 0, true);
	hear_present(&ca, EV_DISKS, 3);
	kclient_want(ca.kc, NULL, 0, 0, false);
	/* More answers than one may have been asked for: what comes of them is not looked at. */
	assert_true(kclient_free(&ca.kc));
	peer_end(&ca.peers[0]);
	peer_stop(&ca.peers[1]);
	ca.n_peers = 0;
	end(&ca);
}

static void topics_on_view_are_asked_for_by_name_where_all_come_rarely(void **state)
{
	static const char *const topics[] = { "t", "" };
	struct call ca;
	struct event *ev;

	begin(&ca, ASK_METADATA, HELLO "expect Metadata 5 ffffffff 00; answer " METADATA_BODY "; pause;"
	      "expect Metadata 5 00000001 0001 74 00; answer " METADATA_BODY "; bye", NULL);
	ca.opt.once = false;
	ca.times.metadata = 1000000;
	start_registered(&ca);
	hear_present(&ca, EV_METADATA, 3);
	kclient_want(ca.kc, topics, 2, 0, true);
	peer_go_on(&ca.peers[0]);
	ev = hear(&ca, EV_METADATA, 3);
	assert_false(ev->u.metadata->is_all);
	event_free(&ev);
	end(&ca);
}

/* Broker 4 is the controller by ZooKeeper, whatever Metadata says of it; the end waits for that, too. */
static void queued_topics_are_asked_for_by_name_of_the_controller_that_zookeeper_names(void **state)
{
	static const char *const topics[] = { "aa", "", "bb" };
	struct kclient_queue queue = { .topics = topics, .n = 3 };
	struct call ca;
	struct event *ev;

	begin(&ca, ASK_METADATA, HELLO "expect Metadata 5 ffffffff 00; answer " METADATA_BODY "; bye",
	      HELLO "expect Metadata 5 00000002 0002 6161 0002 6262 00; answer " METADATA_BODY "; bye");
	ca.opt.awaits_queue = true;
	start(&ca);
	kclient_brokers(ca.kc, ca.at, 1);
	hear_present(&ca, EV_METADATA, 3);
	kclient_brokers(ca.kc, ca.at, 2);
	kclient_queued(ca.kc, &queue);
	kclient_controller(ca.kc, 4);
	ev = hear(&ca, EV_METADATA, 4);
	assert_int_equal(ev->know, KNOW_PRESENT);
	assert_false(ev->u.metadata->is_all);
	event_free(&ev);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void without_queued_topics_the_end_is_told_when_that_is_known(void **state)
{
	struct kclient_queue queue = { .n = 0 };
	struct call ca;

	begin(&ca, ASK_METADATA, HELLO "expect Metadata 5 ffffffff 00; answer " METADATA_BODY "; bye", NULL);
	ca.opt.awaits_queue = true;
	start_registered(&ca);
	hear_present(&ca, EV_METADATA, 3);
	assert_false(was_heard(&ca, EV_BROKERS_ASKED));
	kclient_queued(ca.kc, &queue);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void raw_answers_are_kept_when_wanted(void **state)
{
	struct call ca;
	struct event *ev;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye", NULL);
	ca.opt.keep_raw = true;
	start_registered(&ca);
	ev = hear(&ca, EV_DISKS, 3);
	assert_non_null(ev->raw);
	assert_int_equal(ev->raw->kind, RAW_ANSWER);
	assert_int_equal(ev->raw->api, 35);
	assert_int_equal(ev->raw->version, 1);
	assert_int_equal(ev->raw->len, 4 + 4 + 2 + 4 + 4);
	event_free(&ev);
	end(&ca);
}

/* ---- when it doesn't ------------------------------------------------------------------------------ */

static void a_silent_broker_holds_nobody_up(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "send 0000; pause; answer " DISKS_BODY "; bye", HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye");
	/* Half an answer, then nothing, until the other one has answered; bytes that were sent belong to it no more, so it fails. */
	start_registered(&ca);
	hear_present(&ca, EV_DISKS, 4);
	assert_false(was_heard(&ca, EV_BROKERS_ASKED));
	peer_go_on(&ca.peers[0]);
	hear_unreadable(&ca, EV_DISKS, 3, "127.0.0.1:");
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void a_broker_that_never_answers_is_given_up_in_time(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "bye", NULL);
	ca.config.request_timeout_ms = 300;
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, ": timed out: no answer to DescribeLogDirs within ");
	hear_link(&ca, 3, LINK_FAILED);
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "broker 3: 127.0.0.1:");
	end(&ca);
}

static void with_less_patience_it_is_given_up_earlier(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "bye", NULL);
	ca.opt.patience_ms = 300;
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, ": timed out: no answer to DescribeLogDirs within ");
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "broker 3: 127.0.0.1:");
	end(&ca);
}

static void a_broker_that_closes_in_the_midst_of_an_answer_is_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "send 0000; cut", NULL);
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, "it closed the connection in the midst of an answer");
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "in the midst of an answer");
	end(&ca);
}

static void an_answer_with_another_correlation_id_is_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "send 00000008 00000063 00000000; bye", NULL);
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, "correlation id");
	end(&ca);
}

static void an_answer_that_comes_twice_ends_the_connection_and_it_begins_anew(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; again; bye;" HELLO "bye", NULL);
	ca.opt.once = false;
	start_registered(&ca);
	hear_present(&ca, EV_DISKS, 3);
	hear_link(&ca, 3, LINK_UP);
	hear_link(&ca, 3, LINK_FAILED);
	hear_link(&ca, 3, LINK_UP);
	end(&ca);
}

static void an_answer_of_another_shape_is_told_and_the_connection_stays(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS | ASK_SETTINGS, HELLO EXPECT_DISKS "expect DescribeConfigs 1; answer-to 2 ffff; answer-to 3 " CONFIGS_BODY "; bye",
	      NULL);
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, "DescribeLogDirs v1 answer: ");
	hear_present(&ca, EV_BROKER_SETTINGS, 3);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void metadata_of_another_shape_is_asked_of_the_next_broker(void **state)
{
	static const char *const script = HELLO "expect Metadata 5; answer ffff; bye";
	struct call ca;

	begin(&ca, ASK_METADATA, script, script);
	ca.times.next_candidate = 1000000;
	start_registered(&ca);
	hear_unreadable(&ca, EV_METADATA, BROKER_NONE, "Metadata v5 answer: ");
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE); /* somebody was reached */
	end(&ca);
}

static void bootstrap_servers_whose_metadata_cannot_be_read_lead_to_nobody(void **state)
{
	struct call ca;

	begin(&ca, ASK_METADATA | ASK_DISKS, HELLO "expect Metadata 5; answer ffff; bye", NULL);
	ca.at[0].id = BROKER_NONE;
	ca.opt.bootstrap = ca.at;
	ca.opt.n_bootstrap = 1;
	start(&ca);
	hear_unreadable(&ca, EV_METADATA, BROKER_NONE, "Metadata v5 answer: ");
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "Metadata v5 answer: ");
	end(&ca);
}

static void a_broker_that_was_lost_is_back_and_is_asked_again(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "cut;" HELLO EXPECT_DISKS "answer " DISKS_BODY "; bye", NULL);
	ca.opt.once = false;
	start_registered(&ca);
	hear_link(&ca, 3, LINK_UP);
	hear_unreadable(&ca, EV_DISKS, 3, "it closed the connection");
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "it closed the connection");
	hear_link(&ca, 3, LINK_FAILED);
	hear_link(&ca, 3, LINK_UP);
	hear_present(&ca, EV_DISKS, 3);
	end(&ca);
}

static void a_connection_that_was_lost_is_wanted_back_until_it_is_up(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; cut; accept; cut; accept; cut;" HELLO "bye", NULL);
	ca.opt.once = false;
	ca.times.disks = 1000000; /* nothing is due there */
	start_registered(&ca);
	hear_present(&ca, EV_DISKS, 3);
	hear_link(&ca, 3, LINK_UP);
	for (int i = 0; i < 3; i++)
		hear_link(&ca, 3, LINK_FAILED);
	hear_link(&ca, 3, LINK_UP);
	end(&ca);
}

/* How long after a failure the next attempt begins. */
static dur_ms hear_wait(struct call *ca)
{
	struct event *failed = hear_in(ca, EV_LINK, 3, LINK_FAILED), *again = hear_in(ca, EV_LINK, 3, LINK_CONNECTING);
	dur_ms wait = mono_since(again->seen, failed->seen);

	event_free(&failed);
	event_free(&again);
	return wait;
}

static void a_broker_that_closes_after_each_answer_is_connected_to_less_and_less(void **state)
{
	static const char one[] = HELLO "expect DescribeConfigs 1; answer " CONFIGS_BODY "; ";
	char script[4096];
	struct call ca;

	assert_true(str_printf(script, sizeof(script), "%scut;%scut;%scut;%sbye", one, one, one, one));
	begin(&ca, ASK_SETTINGS, script, NULL);
	ca.opt.once = false;
	ca.times.backoff_first = 20;
	ca.times.backoff_most = 1000000;
	start_registered(&ca);
	hear_link(&ca, 3, LINK_CONNECTING);
	for (dur_ms least = 18; least <= 72; least *= 2) /* jitter takes a tenth at most */
		assert_true(hear_wait(&ca) >= least);
	for (int i = 0; i < 4; i++)
		hear_present(&ca, EV_BROKER_SETTINGS, 3);
	end(&ca);
}

static void a_connection_closed_for_being_idle_is_no_failure(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer " DISKS_BODY "; cut", NULL);
	ca.opt.once = false;
	ca.times.idle = 0;
	start_registered(&ca);
	hear_present(&ca, EV_DISKS, 3);
	hear_link(&ca, 3, LINK_NONE);
	assert_false(was_heard(&ca, EV_LINK) && ca.heard->u.link->state == LINK_FAILED);
	end(&ca);
}

static void nobody_there_says_what_helps_most(void **state)
{
	struct call ca;

	/* Nobody listens at the one any more, the other is a web server. */
	begin(&ca, ASK_ALL, "accept", "accept; expect ApiVersions 3; text HTTP/1.1 400 Bad Request; bye");
	peer_stop(&ca.peers[0]);
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, "127.0.0.1:");
	hear_unreadable(&ca, EV_BROKER_SETTINGS, 3, "127.0.0.1:");
	hear_unreadable(&ca, EV_DISKS, 4, "HTTP");
	hear_unreadable(&ca, EV_METADATA, BROKER_NONE, "HTTP");
	hear_unreadable(&ca, EV_REASSIGNING, BROKER_NONE, "no broker said who the controller is");
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "broker 4: 127.0.0.1:");
	ca.peers[0] = ca.peers[1];
	ca.n_peers = 1;
	end(&ca);
}

static void no_broker_at_all_is_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_ALL, NULL, NULL);
	start(&ca);
	kclient_brokers(ca.kc, NULL, 0);
	hear_unreadable(&ca, EV_BROKERS_ASKED, BROKER_NONE, "no broker is registered, and no bootstrap server is given");
	end(&ca);
}

static void log_dirs_that_we_may_not_see_are_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_DISKS, HELLO EXPECT_DISKS "answer 00000000 00000000; bye", NULL);
	start_registered(&ca);
	hear_unreadable(&ca, EV_DISKS, 3, "no permission: DescribeLogDirs needs DESCRIBE on the cluster");
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

/* ---- the controller ---------------------------------------------------------------------------------- */

static void an_old_controller_has_no_list_of_reassignments(void **state)
{
	struct call ca;
	struct event *ev;

	begin(&ca, ASK_REASSIGNING, OLD_HELLO "expect Metadata 5; answer " METADATA_BODY "; bye", NULL);
	start_registered(&ca);
	ev = hear(&ca, EV_REASSIGNING, 3);
	assert_int_equal(ev->know, KNOW_ABSENT);
	event_free(&ev);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	assert_false(was_heard(&ca, EV_METADATA)); /* nobody asked for it but for that */
	end(&ca);
}

static void who_is_not_the_controller_leads_to_metadata_once_more(void **state)
{
	struct call ca;

	begin(&ca, ASK_REASSIGNING, HELLO "expect Metadata 5; answer " METADATA_BODY ";"
	      "expect ListPartitionReassignments 0; answer " NOT_CONTROLLER "; expect Metadata 5; answer " METADATA_BODY ";"
	      "expect ListPartitionReassignments 0; answer " NO_MOVES "; bye", NULL);
	start_registered(&ca);
	hear_present(&ca, EV_REASSIGNING, 3);
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void a_controller_that_moves_and_moves_is_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_REASSIGNING, HELLO "expect Metadata 5; answer " METADATA_BODY ";"
	      "expect ListPartitionReassignments 0; answer " NOT_CONTROLLER "; expect Metadata 5; answer " METADATA_BODY ";"
	      "expect ListPartitionReassignments 0; answer " NOT_CONTROLLER "; bye", NULL);
	start_registered(&ca);
	hear_unreadable(&ca, EV_REASSIGNING, 3, "the controller is moving");
	hear_present(&ca, EV_BROKERS_ASKED, BROKER_NONE);
	end(&ca);
}

static void a_controller_that_is_not_registered_is_told(void **state)
{
	struct call ca;

	begin(&ca, ASK_REASSIGNING, HELLO "expect Metadata 5; answer " METADATA_BODY "; bye", NULL);
	ca.at[0].id = 5;
	start_registered(&ca);
	hear_unreadable(&ca, EV_REASSIGNING, 3, "the controller is broker 3, which is not registered");
	end(&ca);
}

/* ---- its end ---------------------------------------------------------------------------------------------- */

static void it_ends_at_once_whatever_it_waits_for(void **state)
{
	struct call ca;

	begin(&ca, ASK_ALL, "accept; expect ApiVersions 3; pause; bye", NULL);
	start(&ca);
	kclient_brokers(ca.kc, ca.at, 1);
	hear_link(&ca, 3, LINK_CONNECTING);
	for (int i = 0; i < 100; i++) { /* it may find its inbox full */
		kclient_brokers(ca.kc, ca.at, 1);
		kclient_want(ca.kc, (const char *const[]){ "t" }, 1, ASK_DISKS, i % 2);
	}
	assert_true(kclient_free(&ca.kc));
	peer_stop(&ca.peers[0]);
	ca.n_peers = 0;
	end(&ca);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(once_is_each_question_once),
		cmocka_unit_test(two_brokers_are_asked_side_by_side),
		cmocka_unit_test(a_bootstrap_server_is_asked_who_is_there_and_let_go_of),
		cmocka_unit_test(a_bootstrap_server_is_asked_who_is_there_whatever_is_wanted),
		cmocka_unit_test(brokers_that_are_awaited_are_asked_before_the_end_is_told),
		cmocka_unit_test(brokers_that_come_later_are_asked_and_the_end_is_told_again),
		cmocka_unit_test(a_broker_that_hangs_is_told_long_before_the_time_out_and_when_it_answers_again),
		cmocka_unit_test(what_a_broker_has_never_answered_may_take_its_time),
		cmocka_unit_test(a_broker_that_is_not_registered_any_more_is_let_go_of),
		cmocka_unit_test(a_broker_at_another_address_is_connected_to_anew),
		cmocka_unit_test(topics_on_view_are_asked_for_by_name_where_all_come_rarely),
		cmocka_unit_test(queued_topics_are_asked_for_by_name_of_the_controller_that_zookeeper_names),
		cmocka_unit_test(without_queued_topics_the_end_is_told_when_that_is_known),
		cmocka_unit_test(raw_answers_are_kept_when_wanted),
		cmocka_unit_test(a_silent_broker_holds_nobody_up),
		cmocka_unit_test(a_broker_that_never_answers_is_given_up_in_time),
		cmocka_unit_test(with_less_patience_it_is_given_up_earlier),
		cmocka_unit_test(a_broker_that_closes_in_the_midst_of_an_answer_is_told),
		cmocka_unit_test(an_answer_with_another_correlation_id_is_told),
		cmocka_unit_test(an_answer_that_comes_twice_ends_the_connection_and_it_begins_anew),
		cmocka_unit_test(an_answer_of_another_shape_is_told_and_the_connection_stays),
		cmocka_unit_test(metadata_of_another_shape_is_asked_of_the_next_broker),
		cmocka_unit_test(bootstrap_servers_whose_metadata_cannot_be_read_lead_to_nobody),
		cmocka_unit_test(a_broker_that_was_lost_is_back_and_is_asked_again),
		cmocka_unit_test(a_connection_that_was_lost_is_wanted_back_until_it_is_up),
		cmocka_unit_test(a_broker_that_closes_after_each_answer_is_connected_to_less_and_less),
		cmocka_unit_test(a_connection_closed_for_being_idle_is_no_failure),
		cmocka_unit_test(nobody_there_says_what_helps_most),
		cmocka_unit_test(no_broker_at_all_is_told),
		cmocka_unit_test(log_dirs_that_we_may_not_see_are_told),
		cmocka_unit_test(an_old_controller_has_no_list_of_reassignments),
		cmocka_unit_test(who_is_not_the_controller_leads_to_metadata_once_more),
		cmocka_unit_test(a_controller_that_moves_and_moves_is_told),
		cmocka_unit_test(a_controller_that_is_not_registered_is_told),
		cmocka_unit_test(it_ends_at_once_whatever_it_waits_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
