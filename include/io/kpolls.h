/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be asked of which broker, and when: the rules of polling, without sockets or a clock.
 *
 *   Metadata of all topics   every 5 s, or as long as its last answer takes at 100 kB/s; of the controller if it can be
 *                            reached, else of any broker
 *   Metadata of topics       those on view, every 5 s where all topics come more rarely
 *   who is the controller    (Metadata of no topic) at once when who was asked for reassignments is it no more, and all topics come rarely
 *   Metadata of queued       topics whose deletion is watched: every 2 s for a while, then every 5 s, of the controller alone, whom ZooKeeper names
 *   reassignments            every 5 s, of the controller
 *   log dirs                 of each broker every 30 s, 10 s when wanted often; of brokers that host queued topics every 2 s for a while, then every
 *                            10 s; or as long as the last answer takes at 20 kB/s
 *   settings                 of each broker every minute, and when its connection is up again
 * A broker that takes longer than a fifth of the time between two answers is asked more rarely; one that refuses, every 30 s at most.
 * One that says that it is asked too much is left alone for as long as it says, at most KPOLLS_THROTTLE_MAX_MS.
 * At most one poll of a kind is out per broker. Times are spread by a jitter.
 *
 * At first everything is due at once. The first round is over when each poll was answered or given up:
 * of a broker when its connection fails, Metadata when it failed everywhere, reassignments when there is no controller to ask. With `once` that
 * is all there is.
 *
 * Bootstrap servers have ids below BROKER_NONE here (kpolls_bootstrap_id); they are asked for Metadata alone, when nobody else can be.
 * Thread: any (pure); a kpolls belongs to its owner.
 */
#ifndef IO_KPOLLS_H
#define IO_KPOLLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct kpolls;

enum { KPOLLS_THROTTLE_MAX_MS = 60000 };
enum kpoll { KPOLL_METADATA, KPOLL_TOPICS, KPOLL_WHO, KPOLL_QUEUED, KPOLL_REASSIGNING, KPOLL_DISKS, KPOLL_SETTINGS, KPOLL_KINDS };

struct kpolls_times {
	dur_ms metadata, topics, reassigning, disks, disks_often, settings; /* between two of a kind */
	dur_ms queued, queued_hot, disks_hot; /* Metadata of queued topics; for a while (kpolls_queued); log dirs of who hosts them, for a while */
	int64_t metadata_bytes_per_s, disks_bytes_per_s;
	int32_t slow;            /* not asked again before so many times the time that the answer took */
	int32_t jitter_percent;  /* up or down */
	dur_ms refused;          /* at least so long after a refusal, of an answer or a connection */
	dur_ms next_candidate;   /* when one broker has not connected by then, the next one is tried as well */
	dur_ms backoff_first, backoff_most; /* between attempts to connect */
	dur_ms idle;             /* a connection closed after so long without a request was closed for that */
	dur_ms tell;             /* EV_LINK with the time of an answer at most so often */
	dur_ms silent;           /* a question whose like has had an answer before and has none for so long, or three times as long as that took, is told */
	dur_ms unread;           /* answers lie untaken for so long: nobody reads them */
};
extern const struct kpolls_times kpolls_times_usual;

enum kpolls_link { KPOLLS_LINK_NONE, KPOLLS_LINK_UP, KPOLLS_LINK_FAILED };

static inline int32_t kpolls_bootstrap_id(size_t i) { return -2 - (int32_t)i; }

/* `kinds`: bits 1 << enum kpoll. `seed` for the jitter. */
struct kpolls *kpolls_new(const struct kpolls_times *times, unsigned kinds, bool once, uint64_t seed);
void kpolls_free(struct kpolls **pp);

/* Whom to ask: each id once, the most welcome first. What was out at one that is gone is due again. */
void kpolls_brokers(struct kpolls *kp, const int32_t *ids, size_t n, mono_ms now);
/* BROKER_NONE: none, or unknown. */
void kpolls_controller(struct kpolls *kp, int32_t id);
void kpolls_want(struct kpolls *kp, bool has_topics, bool disks_often, bool is_looking);
/* A broker that hosts a topic whose deletion is watched. */
struct kpolls_host {
	int32_t id;
	mono_ms hot_until;       /* something changed there a short while ago: its log dirs are asked very often until then */
};
/* What is watched of deletions: whether there are topics, and until when they are asked for very often; who the controller is by ZooKeeper (BROKER_NONE:
 * unknown, then as brokers say); who hosts them. */
void kpolls_queued(struct kpolls *kp, bool has_topics, mono_ms hot_until, int32_t controller, const struct kpolls_host *hosts, size_t n);
/* Whether answers wait to be taken, and how often some were so far. While they lie there for long (a terminal that takes nothing
 * holds the reader up) it is as if nobody looked. False then. */
bool kpolls_read(struct kpolls *kp, bool has_unread, uint64_t takes, mono_ms now);
/* The state of a connection. Of one that failed: bits of the broker's own polls that are given up in the first round by it. */
unsigned kpolls_link(struct kpolls *kp, int32_t id, enum kpolls_link link, mono_ms now);
/* A connection is wanted: something is due there. */
bool kpolls_needs(const struct kpolls *kp, int32_t id, mono_ms now);

/* The next thing to ask of a broker whose connection is up; it is out then. False: nothing now. */
bool kpolls_next(struct kpolls *kp, mono_ms now, enum kpoll *kind, int32_t *id);
/* An answer of so many bytes. */
void kpolls_answered(struct kpolls *kp, enum kpoll kind, int32_t id, size_t bytes, bool is_refused, mono_ms now);
/* An answer to Metadata of no use: another broker is asked in the first round. */
void kpolls_useless(struct kpolls *kp, enum kpoll kind, int32_t id, mono_ms now);
/* The broker wants to hear nothing for so long (ThrottleTimeMs, KIP-219): nothing is asked of it until then, Metadata of another one. */
void kpolls_throttled(struct kpolls *kp, int32_t id, dur_ms d, mono_ms now);
/* It is not the controller, so Metadata is due, of no topic where all topics are many. False when that happened twice in the first round: given up. */
bool kpolls_not_controller(struct kpolls *kp, int32_t id, mono_ms now);
/* Bits of the cluster's polls (Metadata, that of queued topics with `once`, reassignments) that are given up in the first round, each told once. */
unsigned kpolls_give_up(struct kpolls *kp);
/* Nothing of the first round is left. */
bool kpolls_is_first_over(const struct kpolls *kp);

/* When kpolls_next or kpolls_needs may say something new without another call; {0}: never. */
mono_ms kpolls_deadline(const struct kpolls *kp, mono_ms now);
/* `d` with the jitter. */
dur_ms kpolls_jitter(struct kpolls *kp, dur_ms d);
/* How long to wait before a broker is tried again, with the jitter: *backoff, 0 at the first failure, doubles; after a refusal at least as
 * long as `refused`, so that a wrong password locks nobody out and fills no broker's log. */
dur_ms kpolls_retry(struct kpolls *kp, dur_ms *backoff, bool is_refused);

#endif
