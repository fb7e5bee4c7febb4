/* SPDX-License-Identifier: Apache-2.0 */
/* One cluster being looked at: live over ZooKeeper and its brokers (session_live.c), or from a trace (session_replay.c). */
#include "app/session_parts.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kclient.h"
#include "io/port_write.h"
#include "io/trace.h"
#include "io/zk.h"

const struct session_ask session_ask_all = { .zookeeper = true, .memory = true, .brokers = ASK_ALL };

struct session *session_new(const struct options *opt, struct reach *reach, struct session_ask ask, struct err *err)
{
	struct session *ss = mem_zalloc(sizeof(*ss));
	bool ok;

	ss->model = model_new();
	if (opt->replay_file != NULL)
		ok = player_open(ss, opt, err);
	else
		ok = live_open(ss, opt, reach, ask, err);
	if (ok && ss->live.may_write)
		ss->port = port_write_new(ss->live.zk, ss->live.kafka);
	if (!ok) {
		session_free(&ss);
		return NULL;
	}
	session_tick(ss);
	return ss;
}

void session_free(struct session **pp)
{
	struct session *ss = *pp;

	if (ss == NULL)
		return;
	keeper_end(ss);
	port_write_free(&ss->port);
	live_close(&ss->live);
	trace_free(&ss->play.trace);
	model_free(&ss->model);
	mem_free(pp);
}

int session_fd(const struct session *ss)
{
	return ss->live.queue != NULL ? evq_fd(ss->live.queue) : -1;
}

bool session_drain(struct session *ss)
{
	return ss->live.queue != NULL ? live_drain(ss) : player_drain(ss);
}

const struct port_write *session_port(const struct session *ss)
{
	return ss->port;
}

void session_on_outcome(struct session *ss, void (*fn)(void *ctx, const struct outcome *oc), void *ctx)
{
	ss->on_outcome = fn;
	ss->outcome_ctx = ctx;
}

const struct cluster *session_cluster(const struct session *ss)
{
	return model_cluster(ss->model);
}

struct changes session_changes(const struct session *ss)
{
	return model_changes(ss->model);
}

void session_changes_clear(struct session *ss)
{
	model_changes_clear(ss->model);
}

void session_want(struct session *ss, const char *const *topics, size_t n, unsigned asks)
{
	if (ss->live.zk != NULL)
		zk_want(ss->live.zk, topics, n);
	if (ss->live.kafka != NULL)
		kclient_want(ss->live.kafka, topics, n, asks, true);
}

void session_look_away(struct session *ss)
{
	if (ss->live.kafka != NULL)
		kclient_want(ss->live.kafka, NULL, 0, 0, false);
}

void session_tick(struct session *ss)
{
	if (ss->play.trace == NULL) {
		ss->mono = clock_mono();
		ss->now = clock_wall();
		return;
	}
	player_move(&ss->play);
	ss->mono = (mono_ms){ 1 + ss->play.at };
	ss->now = (wall_ms){ trace_started_at(ss->play.trace).ms + ss->play.at };
}

wall_ms session_now(const struct session *ss)
{
	return ss->now;
}

mono_ms session_mono(const struct session *ss)
{
	return ss->mono;
}

dur_ms session_wait(const struct session *ss)
{
	return ss->play.trace != NULL ? player_wait(&ss->play) : keeper_wait(ss);
}

bool session_has_bootstrap(const struct session *ss)
{
	return ss->live.by_bootstrap;
}

const char *session_zookeeper(const struct session *ss)
{
	return ss->zookeeper;
}

bool session_take_message(struct session *ss, char *out, size_t size)
{
	bool has = ss->message[0] != '\0' && size > 0;

	if (has) {
		str_printf(out, size, "%s", ss->message);
		ss->message[0] = '\0';
	}
	return has;
}

bool session_stats(const struct session *ss, struct session_stats *out)
{
	struct zk_stats st;

	if (ss->live.zk == NULL)
		return false;
	zk_get_stats(ss->live.zk, &st);
	*out = (struct session_stats){ .watches = st.watches, .in_flight = st.in_flight, .reads = st.reads };
	return true;
}
