/* SPDX-License-Identifier: Apache-2.0 */
/* One cluster being looked at: live over ZooKeeper, or from a trace with the trace's clock. */
#include "app/session.h"

#include "app/reach.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/trace.h"
#include "io/zk.h"

enum { DRAIN_MS = 5, DRAIN_CHUNK = 256 };

struct player {
	struct trace *trace;
	size_t next;             /* index of the first event not yet applied */
	dur_ms at;               /* where the trace's clock stands */
	double rest;             /* the part of a millisecond that it is ahead of that */
	bool paused;
	double speed;
	mono_ms real;            /* when `at` was last moved */
};

struct session {
	struct model *model;
	struct evq *queue;       /* NULL in a replay */
	struct zk *zk;
	struct trace_writer *record;
	struct player play;
	mono_ms mono;
	wall_ms now;
	char zookeeper[1024];
	char message[ERR_TEXT_MAX];
};

/* ---- live ------------------------------------------------------------------------ */

static void record_event(struct session *ss, const struct event *ev)
{
	struct err err;

	err_init(&err);
	if (ss->record == NULL || trace_write(ss->record, ev, &err))
		return;
	trace_close(&ss->record);
	log_put(LOG_ERROR, "session", "recording stopped: %s", err.text);
	str_printf(ss->message, sizeof(ss->message), "recording stopped: %s", err.text);
}

static bool drain_live(struct session *ss)
{
	mono_ms begun = clock_mono();

	while (mono_since(clock_mono(), begun) < DRAIN_MS) {
		struct event *ev = evq_take_some(ss->queue, DRAIN_CHUNK), *next;

		if (ev == NULL)
			return false;
		for (; ev != NULL; ev = next) {
			next = ev->next;
			ev->next = NULL;
			record_event(ss, ev);
			model_apply(ss->model, ev);
		}
	}
	return true;
}

static bool open_live(struct session *ss, const struct options *opt, const struct reach *reach, struct err *err)
{
	struct zk_options zo = {
		.connect = opt->connect,
		.session_timeout = opt->zk_session_timeout,
		.allow_readonly_server = opt->zk_allow_readonly_server,
		.once = opt->command != NULL,
		.keep_raw = opt->record_file != NULL,
		.digest = reach_zk_digest(reach),
	};

	if (opt->record_file != NULL) {
		ss->record = trace_create(opt->record_file, opt->zookeeper, clock_wall(), err);
		if (ss->record == NULL)
			return err_wrap(err, "--record");
	}
	ss->queue = evq_new(err);
	if (ss->queue == NULL)
		return false;
	ss->zk = zk_new(&zo, ss->queue, err);
	return ss->zk != NULL;
}

/* ---- replay ----------------------------------------------------------------------- */

static bool open_replay(struct session *ss, const struct options *opt, struct err *err)
{
	struct player *pl = &ss->play;

	pl->trace = trace_open(opt->replay_file, err);
	if (pl->trace == NULL)
		return false;
	if (trace_is_torn(pl->trace))
		str_printf(ss->message, sizeof(ss->message), "%s: the last line is cut off; all before it is played", opt->replay_file);
	pl->speed = opt->speed;
	pl->real = clock_mono();
	if (opt->at >= 0) {
		pl->at = opt->at;
		pl->paused = true;
	} else if (pl->speed <= 0) {
		pl->at = trace_length(pl->trace);
		pl->paused = true;
	}
	return str_copy(ss->zookeeper, sizeof(ss->zookeeper), trace_zookeeper(pl->trace)) ||
		err_set(err, ERR_FORMAT, "%s: the name of the ensemble is too long", opt->replay_file);
}

/* Moves the trace's clock on by what really went by. It stops at the last event. */
static void play_on(struct player *pl)
{
	mono_ms real = clock_mono();
	dur_ms end = trace_length(pl->trace);

	if (!pl->paused) {
		pl->rest += (double)mono_since(real, pl->real) * pl->speed;
		pl->at += (dur_ms)pl->rest;
		pl->rest -= (double)(dur_ms)pl->rest;
		if (pl->at >= end) {
			pl->at = end;
			pl->paused = true;
		}
	}
	pl->real = real;
}

static bool drain_replay(struct session *ss)
{
	struct player *pl = &ss->play;
	mono_ms begun = clock_mono();
	size_t n = 0;

	while (pl->next < trace_count(pl->trace) && trace_time(pl->trace, pl->next) <= pl->at) {
		if (++n % DRAIN_CHUNK == 0 && mono_since(clock_mono(), begun) >= DRAIN_MS)
			return true;
		model_apply(ss->model, trace_event(pl->trace, pl->next++));
	}
	return false;
}

struct replay_info session_replay(const struct session *ss)
{
	const struct player *pl = &ss->play;

	if (pl->trace == NULL)
		return (struct replay_info){ .is_replay = false };
	return (struct replay_info){
		.is_replay = true,
		.paused = pl->paused,
		.at_end = pl->at >= trace_length(pl->trace),
		.at = pl->at,
		.length = trace_length(pl->trace),
		.speed = pl->speed,
	};
}

void session_replay_pause(struct session *ss, bool paused)
{
	struct player *pl = &ss->play;

	if (pl->trace == NULL)
		return;
	if (!paused && pl->at >= trace_length(pl->trace))
		session_replay_seek(ss, 0);
	if (pl->speed <= 0)
		pl->speed = 1;
	pl->paused = paused;
	pl->real = clock_mono();
}

void session_replay_seek(struct session *ss, dur_ms to)
{
	struct player *pl = &ss->play;

	if (pl->trace == NULL)
		return;
	if (to < 0)
		to = 0;
	if (to > trace_length(pl->trace))
		to = trace_length(pl->trace);
	if (to < pl->at) {
		model_reset(ss->model);
		pl->next = 0;
	}
	pl->at = to;
	pl->real = clock_mono();
}

/* ---- both --------------------------------------------------------------------------- */

struct session *session_new(const struct options *opt, const struct reach *reach, struct err *err)
{
	struct session *ss = mem_zalloc(sizeof(*ss));
	bool ok;

	ss->model = model_new();
	if (opt->replay_file != NULL)
		ok = open_replay(ss, opt, err);
	else
		ok = str_copy(ss->zookeeper, sizeof(ss->zookeeper), opt->zookeeper) && open_live(ss, opt, reach, err);
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
	zk_free(&ss->zk);
	evq_free(&ss->queue);
	trace_close(&ss->record);
	trace_free(&ss->play.trace);
	model_free(&ss->model);
	mem_free(pp);
}

int session_fd(const struct session *ss)
{
	return ss->queue != NULL ? evq_fd(ss->queue) : -1;
}

bool session_drain(struct session *ss)
{
	return ss->queue != NULL ? drain_live(ss) : drain_replay(ss);
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

void session_want(struct session *ss, const char *const *topics, size_t n)
{
	if (ss->zk != NULL)
		zk_want(ss->zk, topics, n);
}

void session_tick(struct session *ss)
{
	if (ss->play.trace == NULL) {
		ss->mono = clock_mono();
		ss->now = clock_wall();
		return;
	}
	play_on(&ss->play);
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
	const struct player *pl = &ss->play;
	dur_ms gap;

	if (pl->trace == NULL || pl->paused || pl->next >= trace_count(pl->trace))
		return -1;
	gap = trace_time(pl->trace, pl->next) - pl->at;
	return gap <= 0 ? 0 : (dur_ms)((double)gap / pl->speed) + 1;
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

	if (ss->zk == NULL)
		return false;
	zk_get_stats(ss->zk, &st);
	*out = (struct session_stats){ .watches = st.watches, .in_flight = st.in_flight, .reads = st.reads };
	return true;
}
