/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event queue and its wake descriptor. Producers on any thread push; the UI
 * thread polls the descriptor and takes the whole list at once.
 *
 * The descriptor is written only when the list was empty, so a burst costs one
 * wake-up. evq_take drains it. No lock is held while events are applied.
 * Pushing always works; who reads paths that change asks evq_is_full first, so that
 * changes pile up as paths to look at, each once, and not as events.
 */
#ifndef IO_EVQ_H
#define IO_EVQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct err;
struct evq;

struct evq *evq_new(struct err *err) __attribute__((warn_unused_result));
void evq_free(struct evq **pp);             /* frees what is still queued; no producer may be left */

/* For a consumer to whom only the whole counts: what a cluster is made of (topics, states, overrides, progress) wakes it when `n` events
 * are queued, and each event of another kind at once, with all before it. It should look by itself now and then, too. Before there is a producer. */
void evq_gather(struct evq *q, size_t n);

/* Takes `ev`. Thread: any. */
void evq_push(struct evq *q, struct event *ev);
/* Wakes the consumer without an event. Thread: any. */
void evq_wake(struct evq *q);

/* More is queued than the consumer can be meant to catch up with (it waits for a terminal that takes nothing): a producer that
 * can ask again later holds back. Thread: any. */
bool evq_is_full(struct evq *q);

/* How often the consumer took what was there; *has_some: something waits now. Thread: any. */
uint64_t evq_takes(struct evq *q, bool *has_some);

/* Readable while something is queued (but see evq_gather). Thread: consumer. */
int evq_fd(const struct evq *q);
/* The whole list in order of pushing, linked by `next`; NULL when empty. The caller owns the events. Thread: consumer. */
struct event *evq_take(struct evq *q);
/* At most `max` of them; the descriptor stays readable while more are left. */
struct event *evq_take_some(struct evq *q, size_t max);

#endif
