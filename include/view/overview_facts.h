/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the overview says beyond the model's totals: in how many topics and since when something is wrong, and the log dirs of all
 * brokers together. A changed topic costs a look at that topic, and any change one pass over a small array.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_OVERVIEW_FACTS_H
#define VIEW_OVERVIEW_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/cluster.h"

struct changes;
struct throttles_memo;

enum overview_kind { OVERVIEW_OFFLINE, OVERVIEW_UNDER_MIN, OVERVIEW_UNDER, OVERVIEW_MOVING, OVERVIEW_KINDS };

/* Topics that have a partition with the verdict. */
struct overview_sum {
	size_t n_topics;
	size_t first;        /* the first of them by name: an index into cluster.topics */
	struct since since;  /* the earliest of them, a bound where one of them has only that; {0}: none, or of OVERVIEW_MOVING */
};

struct overview_sums {
	struct overview_sum of[OVERVIEW_KINDS];
	/* Partitions that lack nobody in the ISR but replicas that are being added: Kafka's own metric counts them as under-replicated. */
	uint32_t only_moving;
	/* the rest is its own */
	struct overview_tally *tallies;
	size_t n_tallies;
	uint64_t gen;
};

void overview_sums_init(struct overview_sums *os);
void overview_sums_fini(struct overview_sums *os);
/* `ch` as vm_topics_update. */
void overview_sums_update(struct overview_sums *os, const struct cluster *cl, const struct changes *ch);

/* The log dirs that brokers have told of, now or before. */
struct overview_dirs {
	size_t n_brokers;              /* which did */
	size_t n_dirs, n_offline;
	size_t n_future;               /* replicas that are being copied into one from another of the same broker, by what can be asked */
	const struct broker *offline;  /* the first with an offline dir, and that dir; NULL: none */
	const struct disk_dir *offline_dir;
	const struct broker *fullest;  /* with the fullest volume and its dir; NULL: none tells the volume's size */
	const struct disk_dir *fullest_dir;
	int fullest_used;              /* thousandths (disk_dir_used) */
	int64_t size_bytes;            /* in all of them */
};
struct overview_dirs overview_dirs(const struct cluster *cl);

/* Replication throttles (core/throttle) that limit something. */
struct overview_throttles {
	size_t n, n_left;      /* set; of these left over, no move needs them */
	size_t n_unread;       /* config nodes that are not known: more may be set there */
	struct strbuf left;    /* where: "broker 2, topic orders and 3 more" */
};
void overview_throttles_init(struct overview_throttles *ot);
void overview_throttles_fini(struct overview_throttles *ot);
/* Costs a pass over all topics, unless `me` has it from another one who asked. */
void overview_throttles_look(struct overview_throttles *ot, struct throttles_memo *me, const struct cluster *cl);

/* The broker that every under-replicated partition misses; BROKER_NONE when there is none such. */
int32_t overview_all_miss(const struct cluster *cl);

/* The verdict is open for no partition of the cluster, so that its total is no lower bound. */
bool overview_is_whole(const struct cluster *cl, unsigned flag);

#endif
