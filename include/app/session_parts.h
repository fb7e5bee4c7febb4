/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of app/session share, and nobody else. */
#ifndef APP_SESSION_PARTS_H
#define APP_SESSION_PARTS_H

#include "app/session.h"
#include "base/err.h"

struct appraisal;
struct evq;
struct kclient;
struct memory;
struct port_write;
struct rdk;
struct reach;
struct trace;
struct trace_writer;
struct zk;

/* What is kept of deletions (io/memory). */
struct keeper {
	bool is_on;
	struct memory *memory;   /* NULL: the cluster isn't known yet, or nothing can be kept */
	char *cluster_id;        /* whose it is, or would be; NULL: not known yet */
	bool is_due;             /* something is to be written */
	bool is_writing;
	bool has_failed;         /* that was said */
	mono_ms next;            /* not before */
};

/* A question of io/rdk. */
struct inquiry {
	struct rdk *rd;          /* NULL: none */
	uint64_t id;             /* of the last one; what is told of others is passed over */
	void (*fn)(void *ctx, const struct appraisal *ap);
	void *ctx;
};

/* The ports, open. */
struct live {
	struct evq *queue;       /* NULL in a replay */
	struct zk *zk;           /* NULL: ZooKeeper is not asked */
	struct kclient *kafka;   /* NULL: brokers are not asked */
	bool may_write;          /* the adapters were made so */
	int32_t controller;      /* that the kafka thread was told of */
	struct reach *reach;
	struct trace_writer *record;
	struct keeper keeper;
	struct inquiry inquiry;
	struct event *taken;     /* from the queue, not yet with the model */
	bool is_begun;           /* the first of them is with the model in part */
	char *told;              /* the brokers that the kafka thread was told of, as text to compare with; NULL before the first time */
	char *told_queue;        /* and of what is watched of deletions; NULL before the first time */
	mono_ms told_hot;        /* the latest time until which something of that is asked for very often */
	bool by_bootstrap;       /* brokers are those that the bootstrap servers name */
};

/* A trace being played. */
struct player {
	struct trace *trace;     /* NULL: live */
	size_t next;             /* index of the first event not yet applied */
	dur_ms at;               /* where the trace's clock stands */
	double rest;             /* the part of a millisecond that it is ahead of that */
	bool paused;
	double speed;
	mono_ms real;            /* when `at` was last moved */
};

struct session {
	struct model *model;
	struct port_write *port; /* NULL: read-only */
	void (*on_outcome)(void *ctx, const struct outcome *oc);
	void *outcome_ctx;
	struct live live;
	struct player play;
	mono_ms mono;
	wall_ms now;
	char zookeeper[1024];
	char message[ERR_TEXT_MAX];
};

/* session_live.c */
bool live_open(struct session *ss, const struct options *opt, struct reach *reach, struct session_ask ask, struct err *err)
	__attribute__((warn_unused_result));
void live_close(struct live *li);
bool live_drain(struct session *ss);

/* session_inquiry.c */
void inquiry_take(struct session *ss, const struct event *ev); /* EV_APPRAISAL */

/* session_memory.c */
/* Reads what is kept once it is known of which cluster, writes what is new. */
void keeper_turn(struct session *ss);
dur_ms keeper_wait(const struct session *ss); /* until it needs a turn; -1: it doesn't */
/* Writes what was not written yet, and waits for that. */
void keeper_end(struct session *ss);

/* session_queue.c */
/* Tells the kafka thread what is watched of deletions, where that changed. */
void queue_tell(struct session *ss);

/* session_replay.c */
bool player_open(struct session *ss, const struct options *opt, struct err *err) __attribute__((warn_unused_result));
void player_move(struct player *pl); /* moves the trace's clock on by what really went by; it stops at the last event */
bool player_drain(struct session *ss);
dur_ms player_wait(const struct player *pl);

enum { SESSION_DRAIN_MS = 5, SESSION_DRAIN_CHUNK = 256, SESSION_GATHER = 256 /* a batch command: events worth a turn */ };

#endif
