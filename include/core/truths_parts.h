/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of core/truths share, and nobody else.
 *
 * The kinds are looked for in groups (enum truth_group): a group is looked through as a whole when something changed that
 * it hangs on, and calls truths_see for each disagreement it finds. What was found before and isn't any more is over.
 * core/truths.c keeps what is found by its key, counts answers, lets it ripen and sorts.
 */
#ifndef CORE_TRUTHS_PARTS_H
#define CORE_TRUTHS_PARTS_H

#include "core/truths.h"

enum truth_group {
	GROUP_REASSIGN,  /* /admin/reassign_partitions */
	GROUP_CLUSTER,   /* elections, the brokers' cluster and controller */
	GROUP_TOPICS,    /* topic by topic */
	GROUP_MOVES,     /* the controller's list of moves */
	GROUP_NAMES,     /* markers and topics that only one side has */
	GROUP_DISKS,
	GROUP_THROTTLES,
	TRUTH_GROUPS
};

/* For texts. Older tools have no such option for it (2.5), the brokers understand it from 2.4 on. */
#define REASSIGN_TOOL "kafka-reassign-partitions of Kafka 2.6 or later, --bootstrap-server"

/* How a kind is told, and for how long it is held back. */
struct truth_rule {
	const char *name;
	enum truth_group group;
	bool is_poison;
	dur_ms hold;         /* at least so long after it was found */
	int32_t answers;     /* and in so many answers of a broker in a row; 0: no broker says it */
	bool by_controller;  /* begins anew when the controller changes */
	const char *next, *mends;
};
extern const struct truth_rule truth_rules[TRUTH_KINDS];

/* One disagreement as it is found. Everything is borrowed. */
struct sighting {
	enum truth_kind kind;
	const char *topic;   /* NULL: none */
	int32_t partition;   /* -1: none */
	int32_t broker;      /* BROKER_NONE: none */
	const char *place;   /* a log dir, a znode; NULL: none */
	const char *key;     /* what else tells it from others; NULL: nothing */
	wall_ms since;       /* {0}: since it was found */
	bool since_exact;
	mono_ms answer;      /* of the answer that says it; another one is counted anew */
	int32_t answers;     /* how many said it in a row, where the model counts them; 0: counted here */
	dur_ms hold;         /* 0: as the rule says */
	bool is_harmless;    /* no poison, though its kind is */
	const char *next, *mends; /* static; NULL: as the rule says */
};
#define SIGHTING(kind_) (struct sighting){ .kind = (kind_), .partition = -1, .broker = BROKER_NONE }

/* Found once more, or anew. `fmt`: what disagrees, one sentence. */
void truths_see(struct truths *tr, const struct sighting *si, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* What was found of this kind and is held back still begins anew: things are moving. */
void truths_begin_anew(struct truths *tr, enum truth_kind kind);

/* Elections as they are noticed: how often the epoch rose, and when. */
enum { STORM_RISES = 8 };
struct storm {
	bool is_known;        /* an epoch was read since the data was stale */
	int32_t epoch;
	mono_ms rises[STORM_RISES]; /* newest first; {0} none */
	wall_ms begun;        /* {0}: there is none */
};
/* The epoch now. */
void storm_note(struct storm *st, const struct cluster *cl, mono_ms mono, wall_ms now);
/* When it will be over, if nothing happens; {0}: there is none. */
mono_ms storm_end(const struct storm *st);

/* What a look has to go by. */
struct look {
	struct truths *tr;
	const struct cluster *cl;
	mono_ms mono;
	wall_ms now;
	const struct storm *storm;
	size_t *n_idle;       /* entries of /admin/reassign_partitions that nothing ran at the last look */
};
void look_reassign(const struct look *lo);
void look_cluster(const struct look *lo);
void look_storm(const struct look *lo);  /* a part of look_cluster */
void look_topics(const struct look *lo);
void look_moves(const struct look *lo);
void look_names(const struct look *lo);
void look_disks(const struct look *lo);
void look_throttles(const struct look *lo);

/* ZooKeeper says it, over the connection of now. */
bool truths_zk_says(const struct cluster *cl, const struct fact *fact);
/* The broker was registered within the last minute: what it says may be older than its start. */
bool truths_just_started(const struct look *lo, int32_t broker);
/* "[1,2,3]"; cut where it doesn't fit. */
enum { IDS_TEXT_MAX = 128 };
char *truths_ids(char out[IDS_TEXT_MAX], const int32_t *v, size_t n);

#endif
