/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps a set of paths watched: the look-again machine per path, over a small
 * table of functions so that it runs without a server.
 *
 * Watches are one-shot and coalesce, so a firing means "look again", never "one
 * thing changed". A path is idle, reading, or reading and dirty. Arm by reading, then compare.
 * A missing node leaves no watch behind a get: it is looked at again with exists, which does.
 *
 * Which paths: the roots of core/zkpath from the start; a child list adds or drops its children; a
 * topic node adds the state nodes of its partitions. Reads wait in queues by urgency, what is
 * wanted before all, at most `window` in flight.
 *
 * Thread: every function on a completion thread of its session, one at a time (or the test's only thread).
 */
#ifndef IO_ZK_WATCH_H
#define IO_ZK_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/event.h"
#include "core/zkpath.h"

struct zk_watch;
struct wpath;                     /* one watched path; opaque token of a read */

enum wread { WREAD_GET, WREAD_CHILDREN, WREAD_EXISTS };

struct zk_watch_ops {
	/* Sends one asynchronous read with a watch; the answer comes by zk_watch_answer with `token`.
	 * False: the session is gone; no answer will come. */
	bool (*read)(void *ctx, enum wread how, const char *path, struct wpath *token);
	/* A decoded fact, the receiver's to own. */
	void (*emit)(void *ctx, struct event *ev);
	mono_ms (*mono)(void *ctx);
	wall_ms (*wall)(void *ctx);
	/* Whoever takes the facts is far behind: nothing new is read until it isn't, asked again at each answer, firing and tick. */
	bool (*is_full)(void *ctx);
};

struct zk_watch *zk_watch_new(const struct zk_watch_ops *ops, void *ctx, uint32_t epoch, unsigned window, bool once, bool keep_raw);
void zk_watch_free(struct zk_watch **pp);

/* Before the start: nothing but the cluster's id and who its brokers are. */
void zk_watch_only_brokers(struct zk_watch *w);
/* Before the start: neither states of partitions nor configs. */
void zk_watch_no_states(struct zk_watch *w);
void zk_watch_start(struct zk_watch *w);   /* the session is up */
/* So many more reads in flight from here on. */
void zk_watch_widen(struct zk_watch *w, unsigned more);
/* An answer to a read. */
void zk_watch_answer(struct zk_watch *w, struct wpath *token, enum wread how, enum znode_rc rc, const char *rc_text,
	const char *data, size_t len, const char *const *children, size_t n_children, const struct znode_stat *stat);
/* A watch fired for `path` (Kafka's, without chroot). */
void zk_watch_fired(struct zk_watch *w, const char *path);
/* To be called every second or so: goes on after is_full; what could not be read (no permission, say) is tried again once a minute. */
void zk_watch_tick(struct zk_watch *w);
/* Topics on view, most wanted first. */
void zk_watch_want(struct zk_watch *w, const char *const *topics, size_t n);

size_t zk_watch_in_flight(const struct zk_watch *w);
size_t zk_watch_paths(const struct zk_watch *w);
bool zk_watch_is_loaded(const struct zk_watch *w);

#endif
