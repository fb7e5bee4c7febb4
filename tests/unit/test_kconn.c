/* SPDX-License-Identifier: Apache-2.0 */
/* Against tests/peer on loopback. The kconn's clock is a number; nothing sleeps. */
#include "io/kconn.h"

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
#include "core/ids.h"
#include "io/clock.h"
#include "io/net.h"
#include "peer.h"

#define VERSIONS_V3 "0000 06 000300000009 00 001100000001 00 001200000003 00 002300000001 00 002400000001 00 00000000 00"
#define HELLO "accept; expect ApiVersions 3; answer " VERSIONS_V3 ";"

/* What came of the requests, in the order of the answers. */
struct heard {
	int n, n_failed;
	enum wire_api apis[8];
	char text[64]; /* the bodies, as text */
	struct err err;
};

struct call {
	struct peer_run run;
	struct kconn *kc;
	mono_ms now;
	struct err err;
	struct heard heard;
};

static void begin_at(struct call *ca, const char *script, struct kconn_where where)
{
	where.broker = 3;
	where.host = "127.0.0.1";
	where.ready_timeout_ms = 5000;
	memset(ca, 0, sizeof(*ca));
	ca->now = (mono_ms){ 1000 };
	ca->run = peer_start(NULL, script);
	where.port = ca->run.port;
	ca->kc = kconn_new(&where, ca->now);
	err_init(&ca->err);
}

static void begin(struct call *ca, const char *script, size_t frame_max_bytes)
{
	begin_at(ca, script, (struct kconn_where){ .frame_max_bytes = frame_max_bytes });
}

static void end(struct call *ca)
{
	kconn_free(&ca->kc);
	peer_end(&ca->run);
}

/* One turn, when something has come or its time has. */
static bool step(struct call *ca)
{
	struct pollfd fds[NET_FDS_MAX];
	size_t n = kconn_poll(ca->kc, fds);
	mono_ms due = kconn_deadline(ca->kc);
	bool is_due = n == 0 || (due.ms && ca->now.ms >= due.ms);

	if (poll(fds, n, is_due ? 0 : PEER_PATIENCE_MS) == 0 && !is_due)
		fail_msg("nothing came");
	return kconn_on_ready(ca->kc, ca->now, &ca->err);
}

/* Turns until the peer's script comes to a pause. */
static void step_to_pause(struct call *ca)
{
	struct pollfd fds[NET_FDS_MAX + 1];
	size_t n;

	do {
		if (!kconn_on_ready(ca->kc, ca->now, &ca->err))
			fail_msg("%s", ca->err.text);
		n = kconn_poll(ca->kc, fds);
		fds[n] = (struct pollfd){ .fd = ca->run.out, .events = POLLIN };
		if (poll(fds, n + 1, PEER_PATIENCE_MS) == 0)
			fail_msg("nothing came");
	} while (!(fds[n].revents & POLLIN));
}

static void be_ready(struct call *ca)
{
	while (kconn_state(ca->kc) != KCONN_READY)
		if (!step(ca))
			fail_msg("%s", ca->err.text);
}

static void hear(void *ctx, const struct kconn_answer *an)
{
	struct heard *hd = ctx;
	size_t n = strlen(hd->text), left;

	hd->apis[hd->n++ % 8] = an->api;
	if (an->err) {
		hd->n_failed++;
		hd->err = *an->err;
		return;
	}
	left = wire_reader_left(an->rd);
	memcpy(hd->text + n, an->rd->data + an->rd->at, left);
	hd->text[n + left] = '\0';
}

/* DescribeLogDirs v1 of everything. */
static void ask(struct call *ca, dur_ms timeout_ms)
{
	struct err err;

	err_init(&err);
	wire_put_null_array(kconn_begin(ca->kc, WIRE_DESCRIBE_LOG_DIRS, 1));
	if (!kconn_send(ca->kc, ca->now, timeout_ms, hear, &ca->heard, &err))
		fail_msg("%s", err.text);
}

static void hear_all(struct call *ca, int n)
{
	while (ca->heard.n < n && step(ca))
		;
	assert_int_equal(ca->heard.n, n);
}

/* "broker 3: 127.0.0.1:PORT: " before it. */
static void assert_told(const struct call *ca, const struct err *err, enum err_code code, const char *text)
{
	char whole[ERR_TEXT_MAX];

	(void)str_printf(whole, sizeof(whole), "broker 3: 127.0.0.1:%d: %s", ca->run.port, text);
	assert_string_equal(err->text, whole);
	assert_int_equal(err->code, code);
}

static void fail_so(struct call *ca, enum err_code code, const char *text)
{
	struct err again;

	while (step(ca))
		;
	assert_told(ca, &ca->err, code, text);
	err_init(&again);
	assert_false(kconn_on_ready(ca->kc, ca->now, &again));
	assert_string_equal(again.text, ca->err.text);
	assert_int_equal(kconn_state(ca->kc), KCONN_FAILED);
	assert_int_equal(kconn_deadline(ca->kc).ms, 0);
	assert_int_equal(kconn_poll(ca->kc, NULL), 0);
}

/* ---- when all goes well ----------------------------------------------------------------- */

static void it_hears_the_versions_first_and_is_ready_then(void **state)
{
	struct call ca;
	int16_t version = -1;

	begin(&ca, "accept; expect ApiVersions 3 07 6b61666f7073 06 302e312e30 00; answer " VERSIONS_V3 "; bye", 0);
	be_ready(&ca);
	assert_true(kconn_choose(ca.kc, WIRE_METADATA, &version, &ca.err));
	assert_int_equal(version, 9);
	assert_true(kconn_choose(ca.kc, WIRE_DESCRIBE_LOG_DIRS, &version, &ca.err));
	assert_int_equal(version, 1);
	assert_false(kconn_choose(ca.kc, WIRE_LIST_REASSIGNMENTS, &version, &ca.err));
	assert_string_equal(ca.err.text, "broker 3: ListPartitionReassignments: the broker does not offer it; it came with Kafka 2.4");
	assert_int_equal(kconn_deadline(ca.kc).ms, 0);
	end(&ca);
}

static void an_old_broker_is_asked_again_with_version_0(void **state)
{
	struct call ca;
	int16_t version = -1;

	begin(&ca, "accept; expect ApiVersions 3; answer 0023 00000001 001200000002; expect ApiVersions 0;"
	      "answer 0000 00000002 000300000005 001200000002; bye", 0);
	be_ready(&ca);
	assert_true(kconn_choose(ca.kc, WIRE_METADATA, &version, &ca.err));
	assert_int_equal(version, 5);
	end(&ca);
}

/* librdkafka's mock cluster does so. */
static void what_stands_behind_error_35_does_not_matter(void **state)
{
	struct call ca;

	begin(&ca, "accept; expect ApiVersions 3; answer 0023 01 001200000002 00000000; expect ApiVersions 0;"
	      "answer 0000 00000002 000300000005 001200000002; bye", 0);
	be_ready(&ca);
	end(&ca);
}

static void requests_are_pipelined_and_answered_in_order(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1 ffffffff; expect DescribeLogDirs 1; expect DescribeLogDirs 1;"
	      "answer-to 2 61; answer-to 3 6262; answer-to 4 63; bye", 0);
	be_ready(&ca);
	for (int i = 0; i < 3; i++)
		ask(&ca, 3000);
	assert_int_equal(kconn_waiting(ca.kc), 3);
	hear_all(&ca, 3);
	assert_string_equal(ca.heard.text, "abbc");
	assert_int_equal(ca.heard.apis[2], WIRE_DESCRIBE_LOG_DIRS);
	assert_int_equal(ca.heard.n_failed, 0);
	assert_int_equal(kconn_waiting(ca.kc), 0);
	end(&ca);
}

static void an_answer_may_come_in_pieces(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1; send 0000; pause; send 00080000; pause; send 0002616263; pause; send 64; bye", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	for (int i = 0; i < 3; i++) {
		/* Up to here at most i pieces can have been read, and the next one comes for sure. */
		peer_go_on(&ca.run);
		assert_true(step(&ca));
	}
	hear_all(&ca, 1);
	assert_string_equal(ca.heard.text, "abcd");
	end(&ca);
}

/* ---- slow, late, twice, never ----------------------------------------------------------------- */

static void a_slow_answer_is_in_time_up_to_the_last_millisecond(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1; pause; answer 61; bye", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	assert_int_equal(kconn_deadline(ca.kc).ms, 4000);
	ca.now = (mono_ms){ 3999 };
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	peer_go_on(&ca.run);
	hear_all(&ca, 1);
	assert_string_equal(ca.heard.text, "a");
	end(&ca);
}

static void a_late_answer_is_not_heard(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1; expect DescribeLogDirs 1; pause; answer-to 2 61; answer-to 3 62", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	ask(&ca, 9000);
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	ca.now = (mono_ms){ 4000 };
	fail_so(&ca, ERR_TIMEOUT, "timed out: no answer to DescribeLogDirs within 3s");
	assert_int_equal(ca.heard.n, 2);
	assert_int_equal(ca.heard.n_failed, 2);
	assert_string_equal(ca.heard.err.text, ca.err.text);
	peer_go_on(&ca.run);
	assert_false(kconn_on_ready(ca.kc, ca.now, &ca.err));
	assert_int_equal(ca.heard.n, 2);
	end(&ca);
}

static void an_answer_given_twice_ends_it(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1; answer 61; again; bye", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	fail_so(&ca, ERR_FORMAT, "an answer that nobody asked for, with the correlation id 2");
	assert_int_equal(ca.heard.n, 1);
	assert_int_equal(ca.heard.n_failed, 0);
	end(&ca);
}

static void an_answer_given_twice_is_not_taken_for_the_next(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1; expect DescribeLogDirs 1; answer-to 2 61; again; bye", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	ask(&ca, 3000);
	fail_so(&ca, ERR_FORMAT, "DescribeLogDirs v1 answer: correlation id at byte 0 of 5: 2, where the answer to request 3 was due");
	assert_int_equal(ca.heard.n, 2);
	assert_int_equal(ca.heard.n_failed, 1);
	assert_string_equal(ca.heard.text, "a");
	end(&ca);
}

static void answers_in_another_order_end_it(void **state)
{
	struct call ca;

	begin(&ca, HELLO "expect DescribeLogDirs 1; expect DescribeLogDirs 1; answer-to 3 61; bye", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	ask(&ca, 3000);
	fail_so(&ca, ERR_FORMAT, "DescribeLogDirs v1 answer: correlation id at byte 0 of 5: 3, where the answer to request 2 was due");
	assert_int_equal(ca.heard.n_failed, 2);
	end(&ca);
}

static void versions_that_never_come_are_a_time_out(void **state)
{
	struct call ca;

	begin(&ca, "accept; expect ApiVersions 3; pause; bye", 0);
	step_to_pause(&ca);
	assert_int_equal(kconn_deadline(ca.kc).ms, 6000);
	assert_true(kconn_on_ready(ca.kc, (mono_ms){ 5999 }, &ca.err));
	ca.now = (mono_ms){ 6000 };
	fail_so(&ca, ERR_TIMEOUT, "timed out: no answer to ApiVersions within 5s");
	peer_go_on(&ca.run);
	end(&ca);
}

/* ---- what is no broker, what is no answer ---------------------------------------------------------- */

static void assert_fails(const char *script, size_t frame_max_bytes, enum err_code code, const char *text)
{
	struct call ca;

	begin(&ca, script, frame_max_bytes);
	fail_so(&ca, code, text);
	end(&ca);
}

static void what_is_no_kafka_is_named(void **state)
{
	assert_fails("accept; expect ApiVersions 3; text HTTP/1.1 400 Bad Request; bye", 0, ERR_FORMAT, "a web server answers there (HTTP), no Kafka broker");
	assert_fails("accept; expect ApiVersions 3; send 15030300020250; bye", 0, ERR_FORMAT,
		     "it answers with TLS: this port wants security.protocol SSL or SASL_SSL");
	assert_fails("accept; expect ApiVersions 3; send ffffffff; bye", 0, ERR_FORMAT, "a frame of -1 bytes: this is not the Kafka protocol");
	assert_fails("accept; expect ApiVersions 3; send 7fffffff; bye", 0, ERR_LIMIT,
		     "a frame of 2147483647 bytes, over the bound of 104857600: this may not be the Kafka protocol (a TLS port?)");
}

static void frames_are_bounded(void **state)
{
	assert_fails("accept; expect ApiVersions 3; send 02000001; bye", 0, ERR_LIMIT,
		     "an answer of 33554433 bytes, over the bound of 33554432: a cluster larger than kafops takes in at once, or not the Kafka protocol");
	assert_fails("accept; expect ApiVersions 3; answer " VERSIONS_V3 "; bye", 20, ERR_LIMIT,
		     "an answer of 47 bytes, over the bound of 20: a cluster larger than kafops takes in at once, or not the Kafka protocol");
}

static void versions_that_are_broken_or_refused_end_it(void **state)
{
	assert_fails("accept; expect ApiVersions 3; answer 0000 ff; bye", 0, ERR_FORMAT,
		     "ApiVersions v3 answer: API keys at byte 7 of 7: needs 1 bytes, 0 are left");
	assert_fails("accept; expect ApiVersions 3; answer 002a 01 00000000 00; bye", 0, ERR_NET,
		     "ApiVersions: INVALID_REQUEST (42): the broker takes the request for malformed, or forbids the combination");
	assert_fails("accept; expect ApiVersions 3; answer 0023 00000000; expect ApiVersions 0; answer 0023 00000000; bye", 0,
		     ERR_UNSUPPORTED, "ApiVersions: UNSUPPORTED_VERSION (35): the broker does not speak this version of the request");
	assert_fails("accept; expect ApiVersions 3; send 00000005 00000009 00; bye", 0, ERR_FORMAT,
		     "ApiVersions v3 answer: correlation id at byte 0 of 5: 9, where the answer to request 1 was due");
}

static void a_closed_connection_says_what_it_may_mean(void **state)
{
	struct call ca;

	assert_fails("accept; cut", 0, ERR_NET,
		     "it closed the connection instead of an answer, as a port with TLS does (is security.protocol right?)");
	begin(&ca, HELLO "expect DescribeLogDirs 1; cut", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	fail_so(&ca, ERR_NET, "it closed the connection at the first request, as a port does that wants a login (is security.protocol right?)");
	assert_int_equal(ca.heard.n_failed, 1);
	end(&ca);
	/* Where requests were answered before it is no port of another kind. */
	begin_at(&ca, HELLO "expect DescribeLogDirs 1; cut", (struct kconn_where){ .was_answered = true });
	be_ready(&ca);
	ask(&ca, 3000);
	fail_so(&ca, ERR_NET, "it closed the connection with requests unanswered");
	end(&ca);
	begin(&ca, HELLO "expect DescribeLogDirs 1; answer 61; expect DescribeLogDirs 1; send 00000009 0000; cut", 0);
	be_ready(&ca);
	ask(&ca, 3000);
	ask(&ca, 3000);
	fail_so(&ca, ERR_NET, "it closed the connection in the midst of an answer");
	assert_int_equal(ca.heard.n, 2);
	assert_int_equal(ca.heard.n_failed, 1);
	end(&ca);
	begin(&ca, HELLO "pause; cut", 0);
	be_ready(&ca);
	peer_go_on(&ca.run);
	fail_so(&ca, ERR_NET, "it closed the connection");
	end(&ca);
}

static void a_failed_connection_takes_no_request(void **state)
{
	struct call ca;
	struct err err;

	begin(&ca, HELLO "pause; cut", 0);
	be_ready(&ca);
	peer_go_on(&ca.run);
	fail_so(&ca, ERR_NET, "it closed the connection");
	err_init(&err);
	wire_put_null_array(kconn_begin(ca.kc, WIRE_DESCRIBE_LOG_DIRS, 1));
	assert_false(kconn_send(ca.kc, ca.now, 3000, hear, &ca.heard, &err));
	assert_string_equal(err.text, ca.err.text);
	assert_int_equal(ca.heard.n, 0);
	end(&ca);
}

static void a_refused_connection_names_broker_and_address(void **state)
{
	struct kconn_where where = { .broker = BROKER_NONE, .host = "127.0.0.1", .ready_timeout_ms = 5000 };
	struct peer_run run = peer_start(NULL, "pause");
	struct call ca = { .now = { 1000 } };
	char whole[ERR_TEXT_MAX];

	peer_stop(&run);
	where.port = run.port;
	ca.kc = kconn_new(&where, ca.now);
	err_init(&ca.err);
	while (step(&ca))
		;
	(void)str_printf(whole, sizeof(whole), "bootstrap server: 127.0.0.1:%d: nothing listens there (connection refused)", run.port);
	assert_string_equal(ca.err.text, whole);
	kconn_free(&ca.kc);
}

/* ---- logging in ------------------------------------------------------------------------------------------- */

#define SHAKE "expect SaslHandshake 1 0005 504c41494e; answer 0000 00000001 0005 504c41494e;"
#define TOKEN "expect SaslAuthenticate 1 00000009 00 6f7073 00 70617373;" /* \0ops\0pass */
#define ACCEPTED "answer 0000 ffff 00000000 "

static struct client_login ops = { .mechanism = CLIENT_PLAIN };

static void begin_login(struct call *ca, const char *script)
{
	static char user[] = "ops";
	struct kconn_where where = { .broker = 3, .host = "127.0.0.1", .ready_timeout_ms = 5000, .login = &ops };

	memset(ca, 0, sizeof(*ca));
	ca->now = (mono_ms){ 1000 };
	ca->run = peer_start(NULL, script);
	where.port = ca->run.port;
	ops.username = user;
	secret_set(&ops.password, "pass");
	ca->kc = kconn_new(&where, ca->now);
	err_init(&ca->err);
}

static void end_login(struct call *ca)
{
	end(ca);
	secret_fini(&ops.password);
}

static void assert_login_fails(const char *script, enum err_code code, const char *text)
{
	struct call ca;

	begin_login(&ca, script);
	fail_so(&ca, code, text);
	end_login(&ca);
}

static void it_is_ready_when_it_has_logged_in(void **state)
{
	struct call ca;

	begin_login(&ca, HELLO SHAKE TOKEN ACCEPTED "0000000000000000; expect DescribeLogDirs 1; answer 61; bye");
	be_ready(&ca);
	assert_int_equal(kconn_deadline(ca.kc).ms, 0);
	ask(&ca, 3000);
	hear_all(&ca, 1);
	assert_string_equal(ca.heard.text, "a");
	end_login(&ca);
}

static void a_refused_login_says_what_the_broker_says(void **state)
{
	assert_login_fails(HELLO SHAKE TOKEN "answer 003a 0003 626164 00000000 0000000000000000; bye", ERR_REFUSED,
			   "the login by PLAIN as ops (sasl.jaas.config) is refused: SASL_AUTHENTICATION_FAILED (58): the broker does not accept the user or the "
			   "password: bad");
}

static void a_mechanism_that_is_off_names_those_that_are_on(void **state)
{
	assert_login_fails(HELLO "expect SaslHandshake 1; answer 0021 00000002 0006 475353415049 0001 58; bye", ERR_REFUSED,
			   "PLAIN is not switched on at this port, which has GSSAPI, X (sasl.mechanism)");
	assert_login_fails(HELLO "expect SaslHandshake 1; answer 0022 00000000; bye", ERR_REFUSED,
			   "this port wants no login: security.protocol should be PLAINTEXT");
}

static void a_connection_closed_during_the_login_says_so(void **state)
{
	assert_login_fails(HELLO SHAKE TOKEN "cut", ERR_NET, "it closed the connection during the login");
}

static void a_login_that_is_never_answered_is_a_time_out(void **state)
{
	struct call ca;

	begin_login(&ca, HELLO SHAKE TOKEN "pause; bye");
	step_to_pause(&ca);
	assert_true(kconn_on_ready(ca.kc, (mono_ms){ 5999 }, &ca.err));
	ca.now = (mono_ms){ 6000 };
	fail_so(&ca, ERR_TIMEOUT, "timed out: no answer to SaslAuthenticate within 5s");
	peer_go_on(&ca.run);
	end_login(&ca);
}

/* So that it is the same each time, and what was set. */
static void a_time_out_names_the_limit_and_not_what_was_left_of_it(void **state)
{
	struct call ca;
	char said[sizeof("pause\n") - 1];

	begin_login(&ca, "accept; expect ApiVersions 3; pause; answer " VERSIONS_V3 "; expect SaslHandshake 1; pause; bye");
	step_to_pause(&ca);
	assert_int_equal(read(ca.run.out, said, sizeof(said)), sizeof(said));
	ca.now = (mono_ms){ 2600 };
	peer_go_on(&ca.run);
	step_to_pause(&ca);
	assert_int_equal(kconn_deadline(ca.kc).ms, 6000);
	ca.now = (mono_ms){ 6000 };
	fail_so(&ca, ERR_TIMEOUT, "timed out: no answer to SaslHandshake within 5s");
	peer_go_on(&ca.run);
	end_login(&ca);
}

static void it_logs_in_again_before_the_session_ends(void **state)
{
	struct call ca;

	begin_login(&ca, HELLO SHAKE TOKEN ACCEPTED "0000000000002710;" /* 10 s */
		    "expect DescribeLogDirs 1; expect SaslHandshake 1; pause; answer-to 4 61; answer-to 5 0000 00000000;"
		    TOKEN ACCEPTED "0000000000002710; expect DescribeLogDirs 1; answer 62; bye");
	be_ready(&ca);
	assert_int_equal(kconn_deadline(ca.kc).ms, 9500);
	ask(&ca, 30000);
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	ca.now = (mono_ms){ 9499 };
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	assert_int_equal(kconn_waiting(ca.kc), 1);
	ca.now = (mono_ms){ 9500 };
	assert_true(kconn_on_ready(ca.kc, ca.now, &ca.err));
	assert_int_equal(kconn_waiting(ca.kc), 2);
	assert_int_equal(kconn_state(ca.kc), KCONN_READY);
	ask(&ca, 30000); /* waits for the login */
	peer_go_on(&ca.run);
	hear_all(&ca, 2);
	assert_string_equal(ca.heard.text, "ab");
	assert_int_equal(ca.heard.n_failed, 0);
	assert_int_equal(kconn_deadline(ca.kc).ms, 18000);
	end_login(&ca);
}

static void a_broker_too_old_to_log_in_is_named(void **state)
{
	assert_login_fails("accept; expect ApiVersions 3; answer 0000 02 001100000000 00 00000000 00; bye", ERR_UNSUPPORTED,
			   "SaslHandshake: the broker is older than Kafka 1.0, whose way to log in is not spoken here");
}

/* ---- TLS ------------------------------------------------------------------------------------------------ */

static void it_speaks_through_tls_as_well(void **state)
{
	char *certs = peer_certs(), cert[256], key[256], ca_pem[256];
	struct client_tls from = { .must_verify = true, .must_check_host = true, .versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3 };
	const char *options[] = { "--tls", cert, key, NULL };
	struct kconn_where where = { .broker = 3, .host = "127.0.0.1", .ready_timeout_ms = 5000 };
	struct call ca = { .now = { 1000 } };

	if (!certs)
		skip();
	assert_true(str_printf(cert, sizeof(cert), "%s/good.pem", certs) && str_printf(key, sizeof(key), "%s/good.key", certs) &&
		    str_printf(ca_pem, sizeof(ca_pem), "%s/ca.pem", certs));
	from.trust.location = ca_pem;
	err_init(&ca.err);
	where.tls = net_tls_new(&from, clock_wall(), &ca.err);
	ca.run = peer_start(options, HELLO "expect DescribeLogDirs 1; answer 61; bye");
	where.port = ca.run.port;
	ca.kc = kconn_new(&where, ca.now);
	be_ready(&ca);
	ask(&ca, 3000);
	hear_all(&ca, 1);
	assert_string_equal(ca.heard.text, "a");
	end(&ca);
	net_tls_free(&where.tls);
	peer_certs_end(&certs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_hears_the_versions_first_and_is_ready_then),
		cmocka_unit_test(an_old_broker_is_asked_again_with_version_0),
		cmocka_unit_test(what_stands_behind_error_35_does_not_matter),
		cmocka_unit_test(requests_are_pipelined_and_answered_in_order),
		cmocka_unit_test(an_answer_may_come_in_pieces),
		cmocka_unit_test(a_slow_answer_is_in_time_up_to_the_last_millisecond),
		cmocka_unit_test(a_late_answer_is_not_heard),
		cmocka_unit_test(an_answer_given_twice_ends_it),
		cmocka_unit_test(an_answer_given_twice_is_not_taken_for_the_next),
		cmocka_unit_test(answers_in_another_order_end_it),
		cmocka_unit_test(versions_that_never_come_are_a_time_out),
		cmocka_unit_test(what_is_no_kafka_is_named),
		cmocka_unit_test(frames_are_bounded),
		cmocka_unit_test(versions_that_are_broken_or_refused_end_it),
		cmocka_unit_test(a_closed_connection_says_what_it_may_mean),
		cmocka_unit_test(a_failed_connection_takes_no_request),
		cmocka_unit_test(a_refused_connection_names_broker_and_address),
		cmocka_unit_test(it_is_ready_when_it_has_logged_in),
		cmocka_unit_test(a_refused_login_says_what_the_broker_says),
		cmocka_unit_test(a_mechanism_that_is_off_names_those_that_are_on),
		cmocka_unit_test(a_connection_closed_during_the_login_says_so),
		cmocka_unit_test(a_login_that_is_never_answered_is_a_time_out),
		cmocka_unit_test(a_time_out_names_the_limit_and_not_what_was_left_of_it),
		cmocka_unit_test(it_logs_in_again_before_the_session_ends),
		cmocka_unit_test(a_broker_too_old_to_log_in_is_named),
		cmocka_unit_test(it_speaks_through_tls_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
