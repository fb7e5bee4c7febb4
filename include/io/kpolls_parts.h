/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of io/kpolls share, and nobody else: whom and what (kpolls.c), when (kpolls_when.c). */
#ifndef IO_KPOLLS_PARTS_H
#define IO_KPOLLS_PARTS_H

#include "io/kpolls.h"

/* One thing to ask again and again. */
struct poll {
	mono_ms due;       /* not before; {0}: now */
	mono_ms asked;     /* while it is out, and of the last time */
	mono_ms hot_until; /* what was asked before then is asked again very soon */
	bool is_host;      /* of log dirs: of a broker with queued topics */
	dur_ms wait;       /* at least so long after `asked`, for what the last answer was */
	int32_t at;        /* whom it is out at */
	bool is_out;
	bool is_first_over; /* its first answer came, or was given up */
	bool is_given_up;
};

struct broker {
	int32_t id;
	enum kpolls_link link;
	bool has_failed;   /* since the list was made, or since it was up */
	bool is_useless;   /* its Metadata was of no use */
	mono_ms silence;   /* nothing is asked of it until then */
	struct poll disks, settings;
};

struct kpolls {
	struct kpolls_times times;
	unsigned kinds;
	bool once;
	uint64_t seed;
	bool is_known;     /* there is a list */
	bool has_topics, has_queued, disks_often, is_looking;
	bool is_unread;    /* nobody takes the answers */
	uint64_t takes;    /* and how often somebody did, at `taken` */
	mono_ms taken;
	int32_t controller;
	int32_t named;     /* the controller by ZooKeeper; BROKER_NONE unknown */
	bool wants_who;    /* the controller, which answered that it is not */
	int not_controller; /* times that somebody was not, in the first round */
	mono_ms begun;      /* when the cluster's polls began to look for somebody; {0}: not */
	struct poll metadata, topics, who, queued, reassigning;
	struct broker *v;
	size_t n;
};

static inline bool has_kind(const struct kpolls *kp, enum kpoll kind) { return kp->kinds >> kind & 1; }
static inline dur_ms larger(dur_ms a, dur_ms b) { return a > b ? a : b; }

/* ---- kpolls_when ---- */
/* Its time has come, were there somebody to ask. */
bool when_is_due(const struct kpolls *kp, enum kpoll kind, const struct poll *po, mono_ms now);
/* As long as so many bytes take at the rate that we allow ourselves. */
dur_ms when_moved(const struct kpolls *kp, enum kpoll kind, size_t bytes);
/* When it is due: things may be wanted more often now than when the last answer came. */
mono_ms when_due_at(const struct kpolls *kp, enum kpoll kind, const struct poll *po);
/* It was answered: when it is due again. */
void when_plan_next(struct kpolls *kp, enum kpoll kind, struct poll *po);

#endif
