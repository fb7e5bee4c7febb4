/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of io/kclient share. Nobody else includes this.
 *
 * One thread: inbox → connections take a turn → what is due is asked → what of the first round is given up is told → poll(2). An answer comes
 * in a connection's turn and becomes an event there; what it says of the list of brokers is taken after the turn, for then connections may go.
 */
#ifndef IO_KCLIENT_PARTS_H
#define IO_KCLIENT_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/err.h"
#include "base/units.h"
#include "io/kclient.h"
#include "io/kpolls.h"

struct event;
struct kafka_write;
struct kconn;
struct pollfd;

enum { KCLIENT_MAGIC = 0x6b636c31, KCLIENT_BROKERS_MAX = 4096 };

/* Copies of addresses. */
struct klist {
	struct kclient_address *v; /* hosts are ours */
	size_t n;
};

struct kwant {
	char **topics;
	size_t n;
	unsigned often;
	bool is_looking;
};

struct kqueue {
	char **topics;
	size_t n;
	mono_ms hot_until;
	struct kpolls_host *hosts;
	size_t n_hosts;
};

struct klink;

/* A request that is out, for its answer. */
struct kask {
	struct klink *ln;
	enum kpoll kind;
	mono_ms asked;
	bool is_out;
	dur_ms took;              /* the last time; -1: it was never answered */
};

/* The connection to one broker. */
struct klink {
	struct kclient *kc;
	int32_t id;               /* as kpolls has it */
	char *host;
	int port;
	struct kconn *conn;       /* NULL: none */
	bool is_ready;            /* takes part in the next turn */
	bool has_lost;            /* a request, in this turn */
	bool is_silent;           /* that is told; `err` says of what */
	mono_ms listened;         /* for silence it counts from here: before, we did not listen ourselves */
	uint8_t state;            /* enum link_state */
	int32_t tries;            /* since it was last up */
	dur_ms backoff;           /* of the last failure; 0 once a connection has held */
	mono_ms retry_at;
	bool wants_back;          /* it was lost while in use: back without anything being due */
	mono_ms up_at, last_answer, told_at;
	dur_ms latency;           /* -1 unknown */
	struct err err;           /* of the last failure */
	unsigned unsupported;     /* bits of enum kpoll: told that it does not offer it */
	struct kask asks[KPOLL_KINDS];
};

struct kclient {
	uint32_t magic;
	struct kclient_options opt; /* bootstrap and client_id are not used: below */
	struct klist bootstrap;
	char *client_id;
	struct kpolls_times times;

	pthread_t thread;
	int wake;                 /* eventfd */
	atomic_bool stop;
	pthread_mutex_t lock;     /* guards the following */
	pthread_cond_t changed;
	bool is_done, is_abandoned;
	struct klist *in_brokers; /* the inbox; NULL: nothing new */
	struct kwant *in_want;
	struct kqueue *in_queue;
	struct kafka_write *write; /* NULL: nothing can be changed. Its inbox is under the lock, the rest of it the thread's */
	atomic_int named_controller; /* by kclient_controller */
	pthread_mutex_t out_lock; /* guards q */
	struct evq *q;            /* NULL when nobody listens any more */

	/* The kafka thread's. */
	mono_ms now;
	struct kpolls *polls;
	struct klink **links;
	size_t n_links;
	struct klist registered;  /* by ZooKeeper; none: `told` and bootstrap */
	struct klist told;        /* by the last Metadata of all topics */
	bool is_list_new;         /* to be taken after the turn */
	bool awaits;              /* kclient_brokers was not called yet, and will be */
	struct kwant want;
	struct kqueue queue;
	int32_t queue_controller; /* that polls of the queue go by: named_controller, at the last look */
	size_t queue_at;          /* the next of its topics to ask for */
	bool awaits_queue;        /* kclient_queued was not called yet, and will be */
	int32_t controller;       /* as the last Metadata named it */
	bool has_metadata;        /* some of all topics came */
	bool is_asked_told;
	bool was_answered;        /* anything, by anybody */
	dur_ms took[KPOLL_KINDS]; /* what any broker can answer: whoever did last; -1 nobody */
	struct err best;          /* of failures so far the one that helps most */
	struct pollfd *fds;
	size_t cap_fds;
};

/* ---- kclient ---- */
/* Takes `ev`. */
void kclient_emit(struct kclient *kc, struct event *ev);
/* How long a broker may take to connect, or to answer. */
dur_ms kclient_patience(const struct kclient *kc);
/* What is watched of deletions, for the brokers that there are now. */
void kclient_apply_queue(struct kclient *kc);
/* Ends the wait of the kafka thread. Thread: any. */
void kclient_wake(struct kclient *kc);
void klist_clear(struct klist *l);
void klist_add(struct klist *l, int32_t id, const char *host, int port);

/* ---- kclient_links ---- */
/* Makes the connections be those to whom the lists say. */
void klinks_take_list(struct kclient *kc);
void klinks_free(struct kclient *kc);
struct klink *klink_find(const struct kclient *kc, int32_t id);
/* Those that are ready go as far as they can; those that are wanted begin. */
void klinks_turn(struct kclient *kc);
/* How many descriptors kc->fds holds from `at` on, and until when to wait for them ({0}: for ever). */
size_t klinks_poll(struct kclient *kc, size_t at, mono_ms *until);
void klinks_polled(struct kclient *kc, size_t at);
void klink_tell(struct klink *ln);
int32_t klink_broker(const struct klink *ln); /* BROKER_NONE for a bootstrap server */
/* Without the "broker 3: " where the event says which. */
const char *klink_why(const struct klink *ln, const struct err *err);

/* ---- kclient_asks ---- */
/* All that is due. */
void kasks_send(struct kclient *kc);
/* Events for what is given up, bits of enum kpoll. `ln` NULL: of the cluster's polls. */
void kasks_give_up(struct kclient *kc, const struct klink *ln, unsigned kinds);
/* The end of the first round, once it is there. */
void kasks_settle(struct kclient *kc);
/* When the broker is to be called silent, were there nothing to hear until then; {0}: never. */
mono_ms kasks_silent_at(const struct klink *ln);
/* Calls it so once that time has come. */
void kasks_note_silence(struct klink *ln);
/* Keeps the error that helps most. */
void kasks_note(struct kclient *kc, const struct err *err);

/* ---- kafka_write ---- */
struct kafka_write *kafka_write_new(struct kclient *kc);
/* With all else that is in the inbox, so that a request meets the brokers that were named before it. Under the lock. */
void kafka_write_take_inbox(struct kafka_write *kw);
/* As far as possible without waiting. */
void kafka_write_turn(struct kafka_write *kw);
/* Fills fds[0..NET_FDS_MAX), returns how many, and until when to wait for them ({0}: for ever). */
size_t kafka_write_poll(const struct kafka_write *kw, struct pollfd *fds, mono_ms *until);
void kafka_write_polled(struct kafka_write *kw, const struct pollfd *fds);
/* Tells of all that is not over. To be called before kafka_write_free by the kafka thread when it ends. */
void kafka_write_end(struct kafka_write *kw);
void kafka_write_free(struct kafka_write **pp);

#endif
