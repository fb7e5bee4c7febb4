/* SPDX-License-Identifier: Apache-2.0 */
/* Against one or two of tests/peer on loopback: what a request comes to, whatever a broker does. Nothing sleeps. */
#include "io/kafka_write.h"

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
#include "core/event.h"
#include "core/ids.h"
#include "core/outcome.h"
#include "io/evq.h"
#include "io/kclient.h"
#include "peer.h"

/* Metadata to v5, ApiVersions to v3, DeleteTopics to v3. */
#define HELLO "accept; expect ApiVersions 3; answer 0000 04 000300000005 00 001200000003 00 001400000003 00 00000000 00;"
/* The same without DeleteTopics. */
#define OTHER_HELLO "accept; expect ApiVersions 3; answer 0000 03 000300000005 00 001200000003 00 00000000 00;"
/* Of "t" alone, or with "uv", within 30 s. */
#define EXPECT_T "expect DeleteTopics 3 00000001 0001 74 00007530;"
#define EXPECT_BOTH "expect DeleteTopics 3 00000002 0001 74 0002 7576 00007530;"
#define T_IS(error) "answer 00000000 00000001 0001 74 " error ";"
#define BOTH_ARE(t, uv) "answer 00000000 00000002 0001 74 " t " 0002 7576 " uv ";"
/* Who is the controller; the brokers are 3 and 4, at "h":1. */
#define EXPECT_WHO "expect Metadata 5 00000000 00;"
#define IT_IS(id) "answer 00000000 00000002 00000003 0001 68 00000001 ffff 00000004 0001 68 00000001 ffff 0001 63 " id " 00000000;"
#define NOBODY "ffffffff"

struct call {
	struct client_config config;
	struct kclient_options opt;
	struct kclient_address at[2];
	struct peer_run peers[2];
	int n_peers;
	struct evq *q;
	struct kclient *kc;
	struct event *taken; /* from the queue, not looked at so far */
};

static void begin(struct call *ca, const char *script, const char *script2)
{
	memset(ca, 0, sizeof(*ca));
	ca->config.request_timeout_ms = 15000;
	ca->opt = (struct kclient_options){ .config = &ca->config, .may_write = true };
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

/* Brokers 3 and 4 are registered, as many as there are peers; ZooKeeper names the controller, or nobody. */
static void start_registered(struct call *ca, int32_t controller)
{
	start(ca);
	kclient_brokers(ca->kc, ca->at, (size_t)ca->n_peers);
	kclient_controller(ca->kc, controller);
}

static struct event *next(struct call *ca)
{
	struct event *ev = ca->taken ? ca->taken : evq_take(ca->q);

	if (ev)
		ca->taken = ev->next;
	return ev;
}

/* Nothing more was told of any request. */
static void end(struct call *ca)
{
	struct event *ev;

	assert_true(kclient_free(&ca->kc));
	for (int i = 0; i < ca->n_peers; i++)
		peer_end(&ca->peers[i]);
	while ((ev = next(ca)) != NULL) {
		assert_int_not_equal(ev->kind, EV_OUTCOME);
		event_free(&ev);
	}
	evq_free(&ca->q);
}

static void ask(struct call *ca, uint64_t id, size_t n, dur_ms timeout_ms)
{
	static const char *const names[] = { "t", "uv" };

	assert_true(kafka_write_delete_topics(ca->kc, id, names, n, timeout_ms, NULL));
}

/* The next of this kind; others are passed by. */
static struct event *hear_kind(struct call *ca, enum event_kind kind)
{
	struct event *ev;

	for (;;) {
		struct pollfd fd = { .fd = evq_fd(ca->q), .events = POLLIN };

		while ((ev = next(ca)) != NULL) {
			if (ev->kind == kind)
				return ev;
			event_free(&ev);
		}
		if (poll(&fd, 1, PEER_PATIENCE_MS) == 0)
			fail_msg("no %s came", event_kind_name(kind));
	}
}

static struct event *hear(struct call *ca, uint64_t id)
{
	struct event *ev = hear_kind(ca, EV_OUTCOME);

	assert_int_equal(ev->u.outcome->id, id);
	return ev;
}

static void assert_item(const struct outcome *oc, size_t i, enum outcome_code code, int error, const char *says)
{
	const struct outcome_item *it = &oc->items[i];

	assert_true(i < oc->n);
	if (it->code != code || it->kafka_error != error || !strstr(it->text, says))
		fail_msg("%s: code %d, error %d: %s", it->name, it->code, it->kafka_error, it->text);
}

/* Of a request for "t" alone. */
static void hear_one(struct call *ca, uint64_t id, enum outcome_code code, int error, int32_t broker, const char *says)
{
	struct event *ev = hear(ca, id);

	assert_int_equal(ev->u.outcome->n, 1);
	assert_string_equal(ev->u.outcome->items[0].name, "t");
	assert_int_equal(ev->u.outcome->broker, broker);
	assert_item(ev->u.outcome, 0, code, error, says);
	event_free(&ev);
}

/* ---- when all goes well ------------------------------------------------------------------------ */

static void topics_are_asked_of_the_controller_that_zookeeper_names(void **unused)
{
	struct call ca;
	struct event *ev;

	begin(&ca, HELLO EXPECT_BOTH BOTH_ARE("0000", "0003") "bye", NULL);
	ca.at[0].id = 4;
	ca.at[1] = (struct kclient_address){ 3, "127.0.0.1", 1 };
	start(&ca);
	kclient_brokers(ca.kc, ca.at, 2);
	kclient_controller(ca.kc, 4);
	ask(&ca, 17, 2, 30000);
	ev = hear(&ca, 17);
	assert_int_equal(ev->u.outcome->n, 2);
	assert_int_equal(ev->u.outcome->broker, 4);
	assert_item(ev->u.outcome, 0, OUTCOME_DONE, 0, "queued for deletion");
	assert_string_equal(ev->u.outcome->items[1].name, "uv");
	assert_item(ev->u.outcome, 1, OUTCOME_REFUSED, 3, "gone, or already being deleted");
	event_free(&ev);
	end(&ca);
}

static void without_a_word_from_zookeeper_a_broker_is_asked_who_it_is(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_WHO IT_IS("00000004") "bye", HELLO EXPECT_T T_IS("0000") "bye");
	start_registered(&ca, BROKER_NONE);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_DONE, 0, 4, "queued");
	end(&ca);
}

static void a_bootstrap_server_says_where_the_controller_is(void **unused)
{
	char script[1024];
	struct event *ev;
	struct call ca;

	begin(&ca, HELLO EXPECT_T T_IS("0000") "bye", NULL);
	/* Asked for all topics it names no broker, so that nobody else is there to be asked. */
	assert_true(str_printf(script, sizeof(script), OTHER_HELLO "expect Metadata 5 ffffffff 00; answer 00000000 00000000 0001 63 ffffffff 00000000;"
		OTHER_HELLO EXPECT_WHO "answer 00000000 00000001 00000007 0009 3132372e302e302e31 %08x ffff 0001 63 00000007 00000000; bye",
		(unsigned)ca.peers[0].port));
	ca.peers[1] = peer_start(NULL, script);
	ca.n_peers = 2;
	ca.at[1] = (struct kclient_address){ BROKER_NONE, "127.0.0.1", ca.peers[1].port };
	ca.opt.bootstrap = &ca.at[1];
	ca.opt.n_bootstrap = 1;
	ca.opt.once = true;
	start(&ca);
	ev = hear_kind(&ca, EV_BROKERS_ASKED);
	event_free(&ev);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_DONE, 0, 7, "queued");
	end(&ca);
}

static void requests_are_done_one_after_the_other(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_T T_IS("0000") "bye;" HELLO EXPECT_BOTH BOTH_ARE("0000", "0000") "bye;" HELLO EXPECT_T T_IS("0003") "bye", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	ask(&ca, 2, 2, 30000);
	ask(&ca, 3, 1, 30000);
	for (uint64_t id = 1; id <= 3; id++) {
		struct event *ev = hear(&ca, id);

		event_free(&ev);
	}
	end(&ca);
}

/* ---- the controller is another one ------------------------------------------------------------------ */

static void who_is_not_the_controller_names_it_and_the_request_goes_there(void **unused)
{
	struct call ca;
	struct event *ev;

	begin(&ca, HELLO EXPECT_BOTH BOTH_ARE("0029", "0029") EXPECT_WHO IT_IS("00000004") "bye",
	      HELLO EXPECT_BOTH BOTH_ARE("0000", "0000") "bye");
	start_registered(&ca, 3);
	ask(&ca, 1, 2, 30000);
	ev = hear(&ca, 1);
	assert_int_equal(ev->u.outcome->broker, 4);
	assert_item(ev->u.outcome, 0, OUTCOME_DONE, 0, "queued");
	assert_item(ev->u.outcome, 1, OUTCOME_DONE, 0, "queued");
	event_free(&ev);
	end(&ca);
}

static void a_controller_that_moves_and_moves_is_given_up(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_T T_IS("0029") EXPECT_WHO IT_IS("00000004") "bye;" HELLO EXPECT_T T_IS("0029") "bye",
	      HELLO EXPECT_T T_IS("0029") EXPECT_WHO IT_IS("00000003") "bye");
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 41, 3, "nothing was done: the controller is moving");
	end(&ca);
}

static void a_broker_that_denies_to_be_the_controller_and_names_itself_is_not_asked_again(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_T T_IS("0029") EXPECT_WHO IT_IS("00000003") "bye", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was done: the controller is moving: nobody is it yet");
	end(&ca);
}

static void one_topic_that_was_taken_means_no_second_request(void **unused)
{
	struct call ca;
	struct event *ev;

	/* No broker answers so: what it says of each is believed all the same. */
	begin(&ca, HELLO EXPECT_BOTH BOTH_ARE("0029", "0000") "bye", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 2, 30000);
	ev = hear(&ca, 1);
	assert_item(ev->u.outcome, 0, OUTCOME_REFUSED, 41, "nothing was done");
	assert_item(ev->u.outcome, 1, OUTCOME_DONE, 0, "queued");
	event_free(&ev);
	end(&ca);
}

static void without_a_controller_nothing_is_sent(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_WHO IT_IS(NOBODY) "bye", NULL);
	start_registered(&ca, BROKER_NONE);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was sent: the brokers name no controller at present");
	end(&ca);
}

static void a_broker_that_ends_when_asked_who_it_is_has_taken_nothing(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_T T_IS("0029") EXPECT_WHO "cut", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was done: broker 3: 127.0.0.1:");
	end(&ca);
}

/* ---- nothing was sent ------------------------------------------------------------------------------- */

static void a_broker_that_nobody_answers_at_was_sent_nothing(void **unused)
{
	struct call ca;

	begin(&ca, "accept", NULL);
	peer_stop(&ca.peers[0]);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was sent: broker 3: 127.0.0.1:");
	ca.n_peers = 0;
	end(&ca);
}

static void a_broker_that_closes_before_it_says_its_versions_was_sent_nothing(void **unused)
{
	struct call ca;

	begin(&ca, "accept; expect ApiVersions 3; cut", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was sent: broker 3: ");
	end(&ca);
}

static void a_broker_that_is_silent_from_the_start_was_sent_nothing(void **unused)
{
	struct call ca;

	begin(&ca, "accept; expect ApiVersions 3; bye", NULL);
	ca.config.request_timeout_ms = 300;
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "no answer to ApiVersions");
	end(&ca);
}

static void a_broker_that_does_not_offer_it_was_sent_nothing(void **unused)
{
	struct call ca;

	begin(&ca, OTHER_HELLO "bye", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "DeleteTopics: the broker does not offer it");
	end(&ca);
}

static void without_any_broker_nothing_is_sent(void **unused)
{
	struct call ca;

	begin(&ca, NULL, NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was sent: no broker is known");
	end(&ca);
}

static void a_name_that_no_topic_can_have_is_not_handed_over(void **unused)
{
	char name[TOPIC_NAME_MAX + 2];
	const char *const names[] = { "t", name };
	struct call ca;
	struct err err;

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	begin(&ca, NULL, NULL);
	start(&ca);
	err_init(&err);
	assert_false(kafka_write_delete_topics(ca.kc, 1, names, 2, 30000, &err));
	assert_int_equal(err.code, ERR_USAGE);
	name[0] = '\0';
	assert_false(kafka_write_delete_topics(ca.kc, 1, names, 2, 30000, NULL));
	end(&ca);
}

/* ---- it was sent, and what came of it is not known --------------------------------------------------- */

/* The next connection brings the next request: the first one was not sent again. */
static void is_unknown(const char *what_it_does, const char *says)
{
	char script[2048];
	struct call ca;

	assert_true(str_printf(script, sizeof(script), HELLO EXPECT_T "%s;" HELLO EXPECT_BOTH BOTH_ARE("0000", "0000") "bye", what_it_does));
	begin(&ca, script, NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_UNKNOWN, 0, BROKER_NONE, says);
	ask(&ca, 2, 2, 30000);
	for (struct event *ev = hear(&ca, 2); ev; event_free(&ev))
		assert_item(ev->u.outcome, 1, OUTCOME_DONE, 0, "queued");
	end(&ca);
}

static void a_broker_that_closes_after_the_request_may_have_taken_it(void **unused)
{
	is_unknown("cut", "sent, and no answer: broker 3: 127.0.0.1:");
	is_unknown("reset", "sent, and no answer: broker 3: 127.0.0.1:");
}

static void the_operator_is_told_how_to_find_out(void **unused)
{
	is_unknown("cut", "it was taken, if the topic is queued under Deletions, or gone");
}

static void a_broker_that_closes_in_the_midst_of_the_answer_may_have_taken_it(void **unused)
{
	is_unknown("send 0000; cut", "in the midst of an answer");
}

static void an_answer_to_another_request_says_nothing(void **unused)
{
	is_unknown("send 00000011 00000063 00000000 00000001 0001 74 0000; bye", "correlation id");
}

static void an_answer_of_another_shape_says_nothing(void **unused)
{
	is_unknown("answer 00000000 00000001 0001 74; bye", "DeleteTopics v3 answer: ");
}

static void an_answer_that_does_not_name_the_topic_says_nothing_of_it(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_T "answer 00000000 00000001 0001 75 0000; bye", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_UNKNOWN, 0, 3, "the answer does not name it");
	end(&ca);
}

static void an_answer_that_is_overdue_is_not_waited_for_and_not_heard(void **unused)
{
	struct call ca;

	begin(&ca, HELLO "expect DeleteTopics 3 00000001 0001 74 00000001; pause;" T_IS("0000") "bye", NULL);
	ca.config.request_timeout_ms = 300;
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 1);
	hear_one(&ca, 1, OUTCOME_UNKNOWN, 0, BROKER_NONE, "no answer to DeleteTopics within");
	peer_go_on(&ca.peers[0]);
	end(&ca);
}

static void an_answer_that_comes_twice_is_one_outcome(void **unused)
{
	struct call ca;

	begin(&ca, HELLO EXPECT_T T_IS("0000") "again;" HELLO EXPECT_BOTH BOTH_ARE("0000", "0000") "again", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	hear_one(&ca, 1, OUTCOME_DONE, 0, 3, "queued");
	ask(&ca, 2, 2, 30000);
	for (struct event *ev = hear(&ca, 2); ev; event_free(&ev))
		assert_int_equal(ev->u.outcome->n, 2);
	end(&ca);
}

static void at_the_end_what_is_out_is_unknown_and_what_waits_was_not_sent(void **unused)
{
	struct call ca;
	struct pollfd fd;

	begin(&ca, HELLO EXPECT_T "pause; bye", NULL);
	start_registered(&ca, 3);
	ask(&ca, 1, 1, 30000);
	ask(&ca, 2, 1, 30000);
	fd = (struct pollfd){ .fd = ca.peers[0].out, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, PEER_PATIENCE_MS), 1);
	assert_true(kclient_free(&ca.kc));
	hear_one(&ca, 1, OUTCOME_UNKNOWN, 0, BROKER_NONE, "the program ended");
	hear_one(&ca, 2, OUTCOME_REFUSED, 0, BROKER_NONE, "nothing was sent: the program ended");
	peer_go_on(&ca.peers[0]);
	end(&ca);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(topics_are_asked_of_the_controller_that_zookeeper_names),
		cmocka_unit_test(without_a_word_from_zookeeper_a_broker_is_asked_who_it_is),
		cmocka_unit_test(a_bootstrap_server_says_where_the_controller_is),
		cmocka_unit_test(requests_are_done_one_after_the_other),
		cmocka_unit_test(who_is_not_the_controller_names_it_and_the_request_goes_there),
		cmocka_unit_test(a_controller_that_moves_and_moves_is_given_up),
		cmocka_unit_test(a_broker_that_denies_to_be_the_controller_and_names_itself_is_not_asked_again),
		cmocka_unit_test(one_topic_that_was_taken_means_no_second_request),
		cmocka_unit_test(without_a_controller_nothing_is_sent),
		cmocka_unit_test(a_broker_that_ends_when_asked_who_it_is_has_taken_nothing),
		cmocka_unit_test(a_broker_that_nobody_answers_at_was_sent_nothing),
		cmocka_unit_test(a_broker_that_closes_before_it_says_its_versions_was_sent_nothing),
		cmocka_unit_test(a_broker_that_is_silent_from_the_start_was_sent_nothing),
		cmocka_unit_test(a_broker_that_does_not_offer_it_was_sent_nothing),
		cmocka_unit_test(without_any_broker_nothing_is_sent),
		cmocka_unit_test(a_name_that_no_topic_can_have_is_not_handed_over),
		cmocka_unit_test(a_broker_that_closes_after_the_request_may_have_taken_it),
		cmocka_unit_test(the_operator_is_told_how_to_find_out),
		cmocka_unit_test(a_broker_that_closes_in_the_midst_of_the_answer_may_have_taken_it),
		cmocka_unit_test(an_answer_to_another_request_says_nothing),
		cmocka_unit_test(an_answer_of_another_shape_says_nothing),
		cmocka_unit_test(an_answer_that_does_not_name_the_topic_says_nothing_of_it),
		cmocka_unit_test(an_answer_that_is_overdue_is_not_waited_for_and_not_heard),
		cmocka_unit_test(an_answer_that_comes_twice_is_one_outcome),
		cmocka_unit_test(at_the_end_what_is_out_is_unknown_and_what_waits_was_not_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
