/* SPDX-License-Identifier: Apache-2.0 */
/* A session that plays a trace, by the trace's clock. */
#include "app/session_parts.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/trace.h"

bool player_open(struct session *ss, const struct options *opt, struct err *err)
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

void player_move(struct player *pl)
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

bool player_drain(struct session *ss)
{
	struct player *pl = &ss->play;
	mono_ms begun = clock_mono();
	size_t n = 0;

	while (pl->next < trace_count(pl->trace) && trace_time(pl->trace, pl->next) <= pl->at) {
		if (++n % SESSION_DRAIN_CHUNK == 0 && mono_since(clock_mono(), begun) >= SESSION_DRAIN_MS)
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

dur_ms player_wait(const struct player *pl)
{
	dur_ms gap;

	if (pl->trace == NULL || pl->paused || pl->next >= trace_count(pl->trace))
		return -1;
	gap = trace_time(pl->trace, pl->next) - pl->at;
	return gap <= 0 ? 0 : (dur_ms)((double)gap / pl->speed) + 1;
}
