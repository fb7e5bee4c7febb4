/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What io/zk.c (owner and UI side), io/zk_session.c and io/zk_reads.c (completion side), io/zk_lanes.c (more
 * sessions to read by), io/zk_log.c (the library's log), io/zk_tell.c (the state of the connection) and io/zk_write.c
 * (what is changed) share. For these seven only. The story is at the head of zk.c.
 */
#ifndef IO_ZK_PARTS_H
#define IO_ZK_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <zookeeper/zookeeper.h>

#include "base/secret.h"
#include "core/event.h"
#include "io/resolve.h"
#include "io/zk.h"
#include "io/zk_watch.h"

struct zk_read;
struct zk_refused;
struct zk_write;

enum { ZK_MAGIC = 0x7a6b3031, HANDLE_MAGIC = 0x7a6b6831, TELL_FAILURE_EVERY_MS = 500 /* of attempts to connect */ };

enum root_state { ROOT_UNKNOWN, ROOT_ABSENT, ROOT_PRESENT, ROOT_UNREADABLE };

enum { ZK_LANES_MORE = 3 };

/* A session by which is read. */
struct zk_lane {
	struct zk_handle *h;
	zhandle_t *own;         /* to be closed; NULL of the first, which is the handle's */
	zhandle_t *zh;          /* under the turn; NULL until it is up */
	size_t out;             /* under the turn: reads that it owes an answer to */
};

/* All that hangs on one library handle. Freed by the owner when the handle's threads are joined. */
struct zk_handle {
	uint32_t magic;
	struct zk *zk;
	uint32_t epoch;
	bool with_readonly;
	char *hosts;            /* as given to the library */

	zhandle_t *owners_zh;   /* owner */
	bool is_up;             /* under zk->lock */
	atomic_bool is_closing; /* set by the owner: ask for nothing more */
	atomic_bool is_probing;
	atomic_llong probe_at;
	atomic_size_t out;      /* calls that the library owes an answer to */
	atomic_llong answer_at, answer_boot; /* monotonic; the clock that runs on in suspend */
	atomic_llong silence_boot;           /* when an answer came after a silence longer than the session time-out */
	atomic_int timeout_ms;  /* negotiated */

	/* One completion thread at a time, for a batch command may have several. Before zk->lock. */
	pthread_mutex_t turn;
	/* under the turn */
	struct zk_lane lanes[1 + ZK_LANES_MORE];
	size_t n_lanes, n_up;   /* begun besides the first, and those of them that came up */
	zhandle_t *zh;
	bool is_dead;
	struct zk_watch *watch; /* NULL until the root is there */
	struct zk_read *reads, *free_reads;
	size_t n_reads;
	struct zk_refused *refused;
	size_t n_refused, cap_refused;
	unsigned want_seen;

	/* under the turn: the chroot */
	enum root_state root;
	size_t root_len;        /* bytes of the prefix being looked at, or told missing */
	bool is_root_reading, is_root_dirty;
};

struct zk {
	uint32_t magic;
	struct zk_options opt;
	struct secret digest;   /* opt.digest is this, or NULL */
	pthread_t owner;
	atomic_bool stop;
	struct zk *next_registered;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* under the lock */
	struct zk_handle *h;    /* the one in use */
	bool is_lost;           /* h is to be replaced */
	bool is_all_read;       /* of a batch command: no session is needed any more, unless something may be changed */
	struct zk_write *write; /* NULL: nothing can be changed. What is in it is under the lock, itself not. With it a batch command has one session */
	bool is_owner_done, is_abandoned;
	struct conn_info conn;
	uint32_t epoch;
	mono_ms told_at;        /* last EV_CONN */
	bool is_untold;
	char unresolved[160];
	struct resolve_result addrs;
	unsigned failures;      /* of the attempt under way */
	bool is_taken;          /* a server took the connection of the attempt under way, and has said nothing yet */
	/* 1 + a server of opt.connect; 0 none: */
	size_t tried;           /* the last that the library's log named */
	size_t stranger;        /* the last that answered, but not as ZooKeeper does */

	pthread_mutex_t out_lock; /* guards q */
	struct evq *q;          /* NULL when nobody listens any more */

	pthread_mutex_t want_lock;
	char **want;
	size_t n_want;
	atomic_uint want_no;

	atomic_size_t n_watches;
	atomic_ullong n_reads;
};

/* ---- zk_tell.c ---- */

/* The clock that runs on while the machine sleeps. */
int64_t zk_boot_ms(void);
/* Takes `ev`. Thread: any. */
void zk_emit(struct zk *zk, struct event *ev);
/* The following six: under zk->lock. */
/* Tells the state of the connection as it is now. */
void zk_tell_conn(struct zk *zk);
/* The same for failures, of which there may be many: at most two a second. */
void zk_tell_failure(struct zk *zk);
void zk_set_error(struct zk *zk, const char *text);
/* "no answer", or what is known besides. */
const char *zk_silence_text(const struct zk *zk);
/* The same in half a second, unless something else is told before: what a good server lets one see for a moment only. */
void zk_tell_later(struct zk *zk);
void zk_set_server(struct zk *zk, size_t server); /* 1 + its number; 0 leaves it */
/* Copies what fits. */
void zk_set_text(char *out, size_t size, const char *s);

/* ---- zk_log.c ---- */

/* Whose failures the log callback tells. */
void zk_register(struct zk *zk);
void zk_unregister(struct zk *zk);
/* Thread: any of the library's, or who calls it. */
void zk_on_log(const char *line);

/* ---- zk_session.c ---- */

/* The watcher of the session and of every path. Thread: zk completion. */
void zk_on_event(zhandle_t *zh, int type, int state, const char *path, void *ctx);
/* Asks for something small. Thread: owner. */
void zk_handle_probe(struct zk_handle *h);
/* The following five: under the turn. */
/* The handle is of no use any more; the owner is told. */
void zk_handle_lost(struct zk_handle *h, int state);
/* An answer of any kind has come. False when there is nothing more to be done for this handle. */
bool zk_answer_begins(struct zk_handle *h, int rc);
/* A call that the library would not take owes no answer. */
void zk_out_minus_one(struct zk_handle *h);
/* *rc_text is NULL, static or `text`. */
enum znode_rc zk_rc_of(const struct zk_handle *h, int rc, char *text, size_t size, const char **rc_text);
/* The session is lost when a call ends with this. */
bool zk_is_session_gone(int rc);
/* For access lists, before anything is read by this session. */
void zk_say_who(struct zk_handle *h, zhandle_t *zh);

/* ---- zk_reads.c, under the turn ---- */

/* The chroot is there: reading begins. */
void zk_reads_begin(struct zk_handle *h);
/* Before and after each call into h->watch. */
void zk_reads_take_want(struct zk_handle *h);
void zk_reads_leave(struct zk_handle *h);

/* ---- zk_lanes.c ---- */

/* More sessions with the same server, unless some are under way or there are enough. Under the turn. */
void zk_lanes_open(struct zk_handle *h);
/* The one that has least to do. Under the turn. */
struct zk_lane *zk_lanes_pick(struct zk_handle *h);
/* Joins their threads. Thread: owner, when the handle is closing and before its own are joined. */
void zk_lanes_close(struct zk_handle *h);

/* ---- zk_write.c ---- */

struct zk_write *zk_write_new(void);
void zk_write_free(struct zk_write **pp);
/* Something is to be begun. Under zk->lock. */
bool zk_write_has_some(const struct zk *zk);
/* Begins it. Thread: owner, with the session up. */
void zk_write_begin(struct zk_handle *h);
/* Tells what has no outcome yet. Thread: owner, when the handle's threads are joined and zk->h is NULL. */
void zk_write_settle(struct zk *zk);

#endif
