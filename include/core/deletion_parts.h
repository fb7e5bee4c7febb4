/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of core/deletion share, and nobody else.
 *
 * A look goes down in four steps, each a pure function of what the one before made:
 *   scene   what holds for all topics: brokers one by one, the controller, whether ZooKeeper's data is of now   deletion_scene.c
 *   look    one topic: its state nodes, the controller's word, how long nothing has changed                     deletion_topic.c
 *   finding one replica: reference 2.13                                                                          deletion_replica.c
 *   deletion the topic: reference 2.14, its blockers                                    deletion_topic.c, deletion_end.c
 * and sentences about it (deletion_words.c, deletion_advice.c).
 *
 * Times: those of nodes are ZooKeeper's clock, those of answers ours. Where only "since the last change" counts, a change that is seen to
 * come counts from then by the monotonic clock, so that a difference between the two hurts at the first look only.
 */
#ifndef CORE_DELETION_PARTS_H
#define CORE_DELETION_PARTS_H

#include <string.h>

#include "base/mem.h"
#include "core/deletion.h"

enum {
	DELETION_SETTLE_MS = 10000,  /* after the last change: a pass on a healthy cluster takes 0.3 s, one after a broker's start 1.4 s (reference 2.5) */
	DELETION_STUCK_MS = 30000,   /* T7a, T7b */
	DELETION_ANSWER_MS = 3000    /* an answer so long after the last change tells how things came to rest */
};

/* ---- the scene -------------------------------------------------------------------------------- */

enum host_word {
	HOST_UNKNOWN = 0,  /* the list of brokers isn't known */
	HOST_DOWN,
	HOST_SILENT,       /* registered, and the connection to it fails */
	HOST_REFUSES,      /* we have no right to ask for its log dirs, or it can't tell */
	HOST_UNASKED,      /* registered; not asked, or no answer since it registered */
	HOST_TELLS
};

/* A broker, as far as deletions hang on it. */
struct host {
	int32_t id;
	const struct broker *br;
	uint8_t word;          /* enum host_word */
	bool has_future;       /* some log dir holds a future replica */
	uint16_t n_unread;     /* log dirs with an error, by its last answer */
	wall_ms told;          /* that answer; {0} none */
	wall_ms answered;      /* the last of any kind; {0} none */
	wall_ms silent;        /* since when it was seen not to answer, or to be down, without a break; {0}: it answers, or that was not seen */
	char name[48];         /* "broker 7 (kafka07.example)", cut */
};

enum controller_word { CONTROLLER_UNKNOWN = 0, CONTROLLER_ABSENT, CONTROLLER_SILENT, CONTROLLER_THERE };

/* Moments as text: the same few stand in the evidence of thousands of replicas. */
enum { CLOCK_MEMOS = 16 };
struct clock_memo { int64_t ms; bool is_today; char text[UNITS_TEXT_MAX]; };

struct scene {
	const struct cluster *cl;
	mono_ms mono;
	wall_ms now;
	struct clock_memo *memos; /* [CLOCK_MEMOS] */
	struct host *hosts;    /* of cl->brokers, one by one */
	size_t n_hosts;
	const struct host **of; /* room for look.hosts, of the largest topic */
	bool is_fresh;         /* ZooKeeper's data is of now */
	bool in_migration;
	bool is_alone;         /* no broker can be reached */
	uint8_t controller;    /* enum controller_word */
	bool controller_lasts; /* absent or silent for more than a moment */
	mono_ms controller_at; /* since when it is as it is, as far as was seen */
	int32_t controller_id; /* BROKER_NONE unknown */
	int8_t enabled;        /* delete.topic.enable on the controller: 1 true, 0 false, -1 unknown */
	int32_t epoch;         /* of the controller; -1 unknown */
	wall_ms elected;       /* the present controller; {0} unknown. By ZooKeeper's clock, or by ours if it was seen to come */
	bool elected_seen;
	wall_ms processed;     /* when the youngest marker was put of which is known that this controller has taken it up; {0} none */
};

/* From sc->cl, mono, now and memos; `was`: the scene before, NULL at the first look (its pointers are not followed). */
void scene_fill(struct scene *sc, const struct scene *was);
void scene_fini(struct scene *sc);
const struct host *scene_host(const struct scene *sc, int32_t id); /* NULL: nothing is known of it */
/* Whether this deletion was taken up by the present controller, as far as can be seen. */
bool scene_is_processed(const struct scene *sc, const struct witness *wi);

/* ---- a topic ---------------------------------------------------------------------------------- */

/* What a state node shows (reference 2.9). */
enum sign {
	SIGN_UNKNOWN = 0,  /* not read, unreadable, or of an older connection */
	SIGN_ALIVE,        /* a leader: no pass has run */
	SIGN_PASSED,       /* leader -1, one member in the ISR: the signature of a pass */
	SIGN_LEADERLESS,   /* leader -1, otherwise */
	SIGN_NO_STATE      /* no state node */
};

struct look {
	const struct scene *sc;
	const struct witness *wi;
	const struct topic *tp;      /* the one that is deleted; NULL: its node isn't there, or another has its name */
	struct arena *ar;            /* all that the deletion holds */
	struct deletion *de;         /* being made */
	const struct host **hosts;   /* of wi->replicas, one by one; NULL: nothing is known of it */
	bool has_host_started;       /* a broker that holds a replica registered after the present controller was elected: a pass ran since */
	bool has_marker;
	enum know node;              /* the topic node */
	uint32_t n_alive, n_passed, n_leaderless, n_no_state, n_unread; /* partitions by enum sign */
	bool is_moving;
	uint8_t listed;              /* enum know: whether the controller's own broker lists the topic, by an answer of the present controller */
	bool is_passed;              /* some state node shows the signature though somebody could lead */
	bool is_sure;                /* what looks like the signature is that of a pass (not P13) */
	bool is_untouched;           /* no pass has run: leaders that are gone were gone before */
	bool was_down_at_election;   /* such a broker was down when the present controller was elected, and is still */
	bool is_halted_else;         /* something else than the replica looked at holds the topic up */
	enum know failed_over;       /* the controller changed since the marker was put */
	dur_ms rest;                 /* since the last change that is known of */
	wall_ms quiet;               /* when that was, by our clock */
	wall_ms begun;               /* the last pass that is known of began then at the earliest */
	uint8_t cap;                 /* enum certainty: nothing is surer */
	const char *cap_why;         /* a sentence; NULL: nothing caps */
};

enum sign deletion_sign(const struct scene *sc, const struct partition *pt);
bool deletion_is_settled(const struct look *lk);
/* When the first of the moments that ZooKeeper dates in our future has come: only then can it be compared with what we saw; or when the controller will have
 * heard of a broker's start. {0} there is none. */
mono_ms deletion_comes_at(const struct look *lk);

/* ---- a replica -------------------------------------------------------------------------------- */

/* Rows of the table of look-alikes, and what else an evidence names. */
enum twin {
	TWIN_NONE = 0, TWIN_P0, TWIN_P1, TWIN_P2, TWIN_P3, TWIN_P4, TWIN_P6, TWIN_P8, TWIN_P13, TWIN_P14, TWIN_P15, TWIN_P21,
	TWIN_STARTED, /* R4: the request is in flight, was refused as stale, or the topic halted earlier */
	TWINS
};

/* What a broker's last answer said of a replica. */
enum lies { LIES_UNKNOWN = 0, LIES_LISTED, LIES_GONE /* in no dir, and none has an error */, LIES_HIDDEN /* in no dir; some have an error */ };

struct finding {
	const char *rule;
	uint8_t phase, phase_certainty, state, certainty;
	uint8_t sign;          /* enum sign */
	uint8_t cause;         /* enum blocker_kind, BLOCKER_KINDS: nothing that can be named */
	uint8_t lies;          /* enum lies */
	uint8_t twins[3];      /* enum twin: of the phase, of the state, of all of the topic */
	const char *also;      /* a sentence beside what was seen; static; NULL */
};

struct finding deletion_judge(const struct look *lk, const struct witness_replica *wr, const struct partition *pt, const struct host *ho);
/* The log dir of its broker's list that has an error: the replica's own when it is known; NULL: none, or which one isn't known. */
const char *deletion_bad_dir(const struct host *ho, const struct witness_replica *wr);

/* ---- the topic's part ------------------------------------------------------------------------- */

/* Fills lk->de (zeroed but for topic and czxid). */
void deletion_look(struct look *lk);
void deletion_end(struct look *lk);       /* the marker is gone */
void deletion_after_pass(struct look *lk); /* T3 to T7, after deletion_replicas */
void deletion_replicas(struct look *lk);  /* findings of all, with evidence */
void deletion_set(struct look *lk, enum deletion_state st, enum certainty c, const char *rule);
/* Takes all of them back: of a queue that is not known the blockers can't be. */
void deletion_unblock(struct look *lk);
/* Adds one; `n` replicas wait for it. Of the same kind, broker and dir the first stays and counts on. */
struct deletion_blocker *deletion_block(struct look *lk, enum blocker_kind k, enum certainty c, int32_t broker, const char *dir, uint32_t n);

/* ---- words -------------------------------------------------------------------------------------- */

/* Text of bounded length on the caller's stack. */
struct say { char s[1536]; size_t n; };
void say_begin(struct say *sy); /* empty */
void say_n(struct say *sy, const char *text, size_t n);
/* Tens of thousands of replicas have their evidence written at a time: a literal's length is known when this is compiled. */
static inline void say_text(struct say *sy, const char *text) { say_n(sy, text, strlen(text)); }
void say_int(struct say *sy, int64_t n);
void say_host(struct say *sy, const struct host *ho, int32_t id); /* "broker 7 (kafka07.example)"; `ho` may be NULL */
void say_time(struct say *sy, const struct scene *sc, wall_ms at); /* "22:13:20", or with the date when over a day ago */
char *say_take(const struct say *sy, struct arena *ar);

/* The evidence for a finding. */
char *deletion_evidence(const struct look *lk, const struct witness_replica *wr, const struct host *ho, const struct finding *fi);
/* The sentence of a row: what looks the same and what would tell it apart. */
const char *deletion_twin_text(enum twin tw);
void deletion_advise(struct look *lk);    /* why, next, act, acts, texts of blockers */
void deletion_meantime(struct look *lk);  /* that alone */
void deletion_attempts(struct look *lk);  /* from the witness; after deletion_advise */

#endif
