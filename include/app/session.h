/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the ports (ZooKeeper, or a trace being played), drains the queue into the model,
 * writes the trace, collects change bits. The write port is there only when it is asked for.
 * Thread: UI thread.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "base/units.h"
#include "core/model.h"

struct appraisal;
struct command;
struct err;
struct outcome;
struct port_write;
struct reach;
struct session;

/* Who is asked, and what of. */
struct session_ask {
	bool zookeeper;
	bool only_brokers;       /* of ZooKeeper nothing but who the brokers are */
	bool no_states;          /* of ZooKeeper neither states of partitions nor configs */
	bool memory;             /* what was seen of deletions is read from the state folder and kept there (io/memory) */
	bool watch;              /* of a command: go on looking after the first answer */
	bool operate;            /* changes are allowed (policy.operate): the write port is made. Never in a replay */
	unsigned brokers;        /* ASK_* (core/event.h), 0: not at all */
	dur_ms patience_ms;      /* a broker that is silent for so long is given up; 0: request.timeout.ms */
};
extern const struct session_ask session_ask_all;

/* `reach` is borrowed until session_free; NULL in a replay, where `ask` has no meaning. */
struct session *session_new(const struct options *opt, struct reach *reach, struct session_ask ask, struct err *err)
	__attribute__((warn_unused_result));
void session_free(struct session **pp);

/* Poll for reading; -1 in a replay. A batch command's is not readable for each event (evq_gather): look once a second all the same. */
int session_fd(const struct session *ss);
/* Applies what is queued, up to about 5 ms worth so that keys are answered; true when more is left. */
bool session_drain(struct session *ss);

/* For the gate; NULL: there is none, and nothing that could write. Until session_free. */
const struct port_write *session_port(const struct session *ss);
/* What came of a request that changes the cluster is handed to `fn` (gate_outcome), between the facts before and after it. NULL: to nobody. */
void session_on_outcome(struct session *ss, void (*fn)(void *ctx, const struct outcome *oc), void *ctx);

/* Brokers can be asked what io/rdk asks: not in a replay, not without them. */
bool session_can_inquire(const struct session *ss);
/* Asks it of the command's topics, and hands `fn` what is told, until session_inquire_end or the next one. False: it can't be asked now. */
bool session_inquire(struct session *ss, const struct command *cm, void (*fn)(void *ctx, const struct appraisal *ap), void *ctx, struct err *err)
	__attribute__((warn_unused_result));
void session_inquire_end(struct session *ss);

const struct cluster *session_cluster(const struct session *ss);
struct changes session_changes(const struct session *ss);
void session_changes_clear(struct session *ss);

/* The topics on view, to be read first; and what of the brokers' word is (ASK_*), to be asked more often. */
void session_want(struct session *ss, const char *const *topics, size_t n, unsigned asks);
/* Nobody looks until the next session_want: brokers are asked nothing. */
void session_look_away(struct session *ss);

/* This turn's time: the real clock, or the trace's. Taken once a turn by session_tick. */
wall_ms session_now(const struct session *ss);
mono_ms session_mono(const struct session *ss);
void session_tick(struct session *ss);
/* Milliseconds until the session itself needs a turn (the next event of a replay; memory to be written); -1: never. */
dur_ms session_wait(const struct session *ss);

/* Replay. */
struct replay_info {
	bool is_replay, paused, at_end;
	dur_ms at, length;
	double speed;
};
struct replay_info session_replay(const struct session *ss);
void session_replay_pause(struct session *ss, bool paused);
void session_replay_seek(struct session *ss, dur_ms to);

/* Brokers are reached by bootstrap servers, whatever ZooKeeper says. */
bool session_has_bootstrap(const struct session *ss);
/* The ensemble and chroot as given, for titles. */
const char *session_zookeeper(const struct session *ss);
/* A message for the operator that came up outside any screen (trace can't be written, ...); "" when none; cleared by reading. */
bool session_take_message(struct session *ss, char *out, size_t size);

/* Watches held, reads in flight and done, for `info`; false in a replay. */
struct session_stats { size_t watches, in_flight; unsigned long long reads; };
bool session_stats(const struct session *ss, struct session_stats *out);

#endif
