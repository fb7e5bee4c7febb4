/* SPDX-License-Identifier: Apache-2.0 */
/* A session with nobody at the other end: whether it could write, and that what came of a request reaches who asked. */
#include "app/session.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "app/reach.h"
#include "base/err.h"
#include "base/str.h"
#include "core/event.h"
#include "core/outcome.h"
#include "core/port_write.h"
#include "core/zkconnect.h"
#include "io/clock.h"

enum { PATIENCE_MS = 20000 };

struct heard {
	int n;
	uint64_t id;
	int code;
	char name[16];
};

static void hear(void *ctx, const struct outcome *oc)
{
	struct heard *he = ctx;

	he->n++;
	he->id = oc->id;
	he->code = oc->items[0].code;
	assert_true(str_copy(he->name, sizeof(he->name), oc->items[0].name));
}

struct opened {
	struct options opt;
	struct reach *reach;
	struct session *ss;
};

/* Port 1 refuses. */
static void open_session(struct opened *op, struct session_ask ask)
{
	struct err err;

	err_init(&err);
	op->opt = (struct options){ .zookeeper = "127.0.0.1:1" };
	assert_true(zkconnect_parse(op->opt.zookeeper, &op->opt.connect, &err));
	op->reach = reach_new(&op->opt, clock_wall());
	op->ss = session_new(&op->opt, op->reach, ask, &err);
	if (op->ss == NULL)
		fail_msg("%s", err.text);
}

static void close_session(struct opened *op)
{
	session_free(&op->ss);
	reach_free(&op->reach);
}

static void without_being_asked_for_there_is_no_write_port(void **unused)
{
	struct opened op;

	open_session(&op, session_ask_all);
	assert_null(session_port(op.ss));
	close_session(&op);
}

static void what_came_of_a_request_reaches_who_asked(void **unused)
{
	static const char *const names[] = { "t" };
	struct session_ask ask = session_ask_all;
	struct heard heard = { .n = 0 };
	const struct port_write *port;
	struct opened op;

	ask.operate = true;
	open_session(&op, ask);
	port = session_port(op.ss);
	assert_non_null(port);
	session_on_outcome(op.ss, hear, &heard);
	assert_true(port->delete_topics(port->ctx, 17, names, 1, 1000, NULL));
	while (heard.n == 0) {
		struct pollfd fd = { .fd = session_fd(op.ss), .events = POLLIN };

		assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
		session_drain(op.ss);
	}
	assert_int_equal(heard.n, 1);
	assert_int_equal(heard.id, 17);
	assert_int_equal(heard.code, OUTCOME_REFUSED);
	assert_string_equal(heard.name, "t");
	close_session(&op);
}

static void what_cannot_be_handed_over_is_said_at_once(void **unused)
{
	static const char *const names[] = { "t" };
	struct session_ask ask = { .zookeeper = true, .operate = true };
	const struct port_write *port;
	struct opened op;
	struct err err;

	open_session(&op, ask);
	port = session_port(op.ss);
	err_init(&err);
	assert_false(port->create_marker(port->ctx, 1, "t", &err));
	assert_string_equal(err.text, "there is no session with ZooKeeper at present");
	err_init(&err);
	assert_false(port->move_controller(port->ctx, 2, 5, &err));
	assert_string_equal(err.text, "there is no session with ZooKeeper at present");
	err_init(&err);
	assert_false(port->delete_topics(port->ctx, 3, names, 1, 1000, &err));
	assert_string_equal(err.text, "no broker is asked anything here");
	close_session(&op);
	ask = (struct session_ask){ .brokers = ASK_METADATA, .operate = true };
	open_session(&op, ask);
	port = session_port(op.ss);
	err_init(&err);
	assert_false(port->create_marker(port->ctx, 1, "t", &err));
	assert_string_equal(err.text, "ZooKeeper is not asked anything here: --zookeeper is not given");
	close_session(&op);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_being_asked_for_there_is_no_write_port),
		cmocka_unit_test(what_came_of_a_request_reaches_who_asked),
		cmocka_unit_test(what_cannot_be_handed_over_is_said_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
