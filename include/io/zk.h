/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ZooKeeper session: connects, notices loss, opens a new session with a new
 * epoch, reads every fact of core/zkpath and keeps it watched (io/zk_watch).
 * Reads only: there is no call here that could write. What may (io/zk_write) is made only when asked for.
 *
 * First start, expiry and a lost connection are one code path: close the handle, open a new session,
 * epoch + 1, read everything again. Everything seen arrives as events in the queue.
 *
 * Thread: the functions below are called from the UI thread and never block on the network, but for
 * zk_free, which waits at most about two seconds for the session to close.
 */
#ifndef IO_ZK_H
#define IO_ZK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/zkconnect.h"

struct err;
struct evq;
struct secret;
struct zk;

struct zk_options {
	struct zkconnect connect;
	dur_ms session_timeout;      /* asked of the server, default 10 s */
	unsigned window;             /* reads in flight at most, 0: default */
	bool allow_readonly_server;  /* connect to a server that has lost its quorum, if no other is there */
	bool once;                   /* batch: read all once, set no watches; the session ends with that, and nothing is told of its end */
	bool only_brokers;           /* nothing but the cluster's id and who its brokers are: the rest is asked of them */
	bool no_states;              /* neither states of partitions nor configs: whose the replicas are is enough */
	bool may_write;              /* io/zk_write may be used; without it there is nothing that could write */
	bool keep_raw;               /* events carry their bytes, for a trace */
	const struct secret *digest; /* user:password for access lists of the scheme digest; copied by zk_new. NULL: nobody */
};

struct zk *zk_new(const struct zk_options *opt, struct evq *q, struct err *err) __attribute__((warn_unused_result));
void zk_free(struct zk **pp);

/* The topics on view, most wanted first: read before the rest. Copies the names. Cheap; call it whenever the view moves. */
void zk_want(struct zk *zk, const char *const *topics, size_t n);

/* Numbers for `info` and the overview. */
struct zk_stats {
	size_t watches;      /* paths watched now */
	size_t in_flight;
	uint64_t reads;      /* since the start */
};
void zk_get_stats(struct zk *zk, struct zk_stats *out);

/* The library behind it and its version: "ZooKeeper client 3.8.0". Static storage. */
const char *zk_library(void);
/* What it was built with, as configure found; neither is used here: what no packaged library has can't be tested. */
bool zk_library_has_tls(void);
bool zk_library_has_sasl(void);

#endif
