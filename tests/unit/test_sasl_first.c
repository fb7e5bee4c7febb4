/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens that one has to wait for: the command reads them from a pipe that the test fills when it likes. */
#include "io/sasl_first.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/clock.h"
#include "io/kconn.h"
#include "io/net.h"
#include "io/sasl.h"
#include "peer.h"

/* ApiVersions, SaslHandshake, SaslAuthenticate and DescribeLogDirs; the handshake taken. */
#define SHAKEN "accept; expect ApiVersions 3; answer 0000 06 000300000009 00 001100000001 00 001200000003 00 002300000001 00 " \
	"002400000001 00 00000000 00; expect SaslHandshake 1; answer 0000 00000000; "
/* n,,^Aauth=Bearer a.b.c^A^A */
#define BEARER "expect SaslAuthenticate 1 00000017 6e2c2c01617574683d42656172657220612e622e630101; "

static const wall_ms now = { 1700000000000 };
static char folder[] = "/tmp/kafops-first-XXXXXX";
static char fifo[64];
static struct client_login bearer = { .mechanism = CLIENT_OAUTHBEARER };

/* When the command runs; from then on it waits for what give() writes. */
static int running(void)
{
	int fd = open(fifo, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void give(int fd, const char *token)
{
	assert_int_equal(write(fd, token, strlen(token)), strlen(token));
	close(fd);
}

/* The same of a pipe that we read from ourselves: closed once somebody else has read what was written. */
static void give_held(int fd, const char *token)
{
	int left = 1;

	assert_int_equal(write(fd, token, strlen(token)), strlen(token));
	for (int ms = 0; left > 0 && ms < PEER_PATIENCE_MS; ms++) {
		assert_int_equal(ioctl(fd, FIONREAD, &left), 0);
		poll(NULL, 0, left > 0);
	}
	assert_int_equal(left, 0);
	close(fd);
}

static void wait_for(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	if (poll(&pfd, 1, PEER_PATIENCE_MS) != 1)
		fail_msg("nothing came");
}

static void the_caller_need_not_wait_for_a_command(void **state)
{
	struct sasl_login *login = NULL;
	struct sasl_first *sf;
	struct secret token;
	struct err err;
	bool is_last;

	err_init(&err);
	secret_init(&token);
	sf = sasl_first_begin(&bearer, "b1", now, &err);
	assert_non_null(sf);
	assert_false(sasl_first_is_done(sf));
	give(running(), "a.b.c");
	wait_for(sasl_first_fd(sf));
	assert_true(sasl_first_is_done(sf));
	assert_true(sasl_first_take(sf, &login, &token, &is_last, &err));
	assert_memory_equal(secret_reveal(&token), "n,,\001auth=Bearer a.b.c", 21);
	sasl_first_end(&sf);
	sasl_login_free(&login);
	secret_fini(&token);
}

static void what_goes_wrong_is_told_when_it_is_taken(void **state)
{
	struct sasl_login *login = NULL;
	struct sasl_first *sf;
	struct secret token;
	struct err err;
	bool is_last;

	err_init(&err);
	secret_init(&token);
	sf = sasl_first_begin(&bearer, "b1", now, &err);
	give(running(), "");
	wait_for(sasl_first_fd(sf));
	assert_false(sasl_first_take(sf, &login, &token, &is_last, &err));
	assert_string_equal(err.text, "sasl.oauthbearer.token.command: it gives no token");
	sasl_first_end(&sf);
}

static void the_caller_need_not_wait_for_a_file_either(void **state)
{
	struct client_login from_file = { .mechanism = CLIENT_OAUTHBEARER, .token_file = fifo };
	struct sasl_login *login = NULL;
	int held = open(fifo, O_RDWR | O_CLOEXEC); /* somebody is about to write: without, it would be over at once */
	struct sasl_first *sf;
	struct secret token;
	struct err err;
	bool is_last;

	assert_true(held >= 0);
	err_init(&err);
	secret_init(&token);
	sf = sasl_first_begin(&from_file, "b1", now, &err);
	assert_non_null(sf);
	assert_false(sasl_first_is_done(sf));
	assert_false(sasl_first_fails_late(sf, 5000, &err));
	assert_true(str_starts(err.text, "timed out: no token within 5s (/"));
	err_init(&err);
	give_held(held, "a.b.c\n");
	wait_for(sasl_first_fd(sf));
	assert_true(sasl_first_take(sf, &login, &token, &is_last, &err));
	sasl_first_end(&sf);
	sasl_login_free(&login);
	secret_fini(&token);
}

static void what_need_not_be_waited_for_is_done_at_once(void **state)
{
	char user[] = "ops";
	struct client_login plain = { .mechanism = CLIENT_PLAIN, .username = user };
	struct sasl_first *sf;
	struct err err;

	err_init(&err);
	secret_set(&plain.password, "pass");
	sf = sasl_first_begin(&plain, "b1", now, &err);
	assert_true(sasl_first_is_done(sf));
	assert_int_equal(sasl_first_fd(sf), -1);
	sasl_first_end(&sf);
	secret_fini(&plain.password);
}

/* ---- as a connection does it -------------------------------------------------------------------- */

static struct kconn *begin(struct peer_run *run, const char *script)
{
	struct kconn_where where = { .broker = 3, .host = "127.0.0.1", .ready_timeout_ms = 5000, .login = &bearer };

	*run = peer_start(NULL, script);
	where.port = run->port;
	return kconn_new(&where, (mono_ms){ 1000 });
}

/* One turn, when something has come. */
static bool step(struct kconn *kc, int64_t at_ms, struct err *err)
{
	struct pollfd fds[NET_FDS_MAX];

	if (poll(fds, kconn_poll(kc, fds), PEER_PATIENCE_MS) == 0)
		fail_msg("nothing came");
	return kconn_on_ready(kc, (mono_ms){ at_ms }, err);
}

/* Until it waits for the token and for the broker. */
static void to_the_token(struct kconn *kc)
{
	struct pollfd fds[NET_FDS_MAX];
	struct err err;

	err_init(&err);
	while (kconn_poll(kc, fds) < 2)
		if (!step(kc, 1000, &err))
			fail_msg("%s", err.text);
}

static void a_connection_waits_for_its_token_and_for_nothing_else(void **state)
{
	struct peer_run run;
	struct kconn *kc = begin(&run, SHAKEN BEARER "answer 0000 ffff 00000000 0000000000000000; bye");
	struct err err;

	err_init(&err);
	to_the_token(kc);
	assert_true(kconn_on_ready(kc, (mono_ms){ 5999 }, &err));
	assert_int_equal(kconn_state(kc), KCONN_OPENING);
	assert_int_equal(kconn_deadline(kc).ms, 6000);
	give(running(), "a.b.c\n");
	while (kconn_state(kc) != KCONN_READY)
		if (!step(kc, 5999, &err))
			fail_msg("%s", err.text);
	kconn_free(&kc);
	peer_end(&run);
}

static void a_token_that_does_not_come_is_a_time_out(void **state)
{
	struct peer_run run;
	struct kconn *kc = begin(&run, SHAKEN "bye");
	struct err err;
	int fd;

	err_init(&err);
	to_the_token(kc);
	fd = running();
	assert_false(kconn_on_ready(kc, (mono_ms){ 6000 }, &err));
	assert_int_equal(err.code, ERR_TIMEOUT);
	assert_true(str_ends(err.text, ": timed out: no token within 5s (sasl.oauthbearer.token.command)"));
	give(fd, "a.b.c"); /* to nobody */
	kconn_free(&kc);
	peer_end(&run);
}

static void a_broker_that_leaves_meanwhile_is_said(void **state)
{
	struct peer_run run;
	struct kconn *kc = begin(&run, SHAKEN "pause; cut");
	struct err err;
	int fd;

	err_init(&err);
	to_the_token(kc);
	fd = running();
	peer_go_on(&run);
	assert_false(step(kc, 1000, &err));
	assert_true(str_ends(err.text, "it closed the connection during the login"));
	give(fd, "a.b.c");
	kconn_free(&kc);
	peer_end(&run);
}

static int set_up(void **state)
{
	char command[96];

	if (!mkdtemp(folder) || !str_printf(fifo, sizeof(fifo), "%s/fifo", folder) || mkfifo(fifo, 0600) != 0 ||
	    !str_printf(command, sizeof(command), "cat %s", fifo))
		return -1;
	secret_set(&bearer.token_command, command);
	return 0;
}

static int tear_down(void **state)
{
	secret_fini(&bearer.token_command);
	unlink(fifo);
	rmdir(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_caller_need_not_wait_for_a_command),
		cmocka_unit_test(the_caller_need_not_wait_for_a_file_either),
		cmocka_unit_test(what_goes_wrong_is_told_when_it_is_taken),
		cmocka_unit_test(what_need_not_be_waited_for_is_done_at_once),
		cmocka_unit_test(a_connection_waits_for_its_token_and_for_nothing_else),
		cmocka_unit_test(a_token_that_does_not_come_is_a_time_out),
		cmocka_unit_test(a_broker_that_leaves_meanwhile_is_said),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
