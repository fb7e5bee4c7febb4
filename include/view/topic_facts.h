/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What view models and batch commands ask of a topic beyond its fields.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_TOPIC_FACTS_H
#define VIEW_TOPIC_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cluster.h"

/* The topic's node was read, so its list of partitions holds. */
bool topic_is_read(const struct topic *tp);
/* And every state of it. */
bool topic_is_whole(const struct topic *tp);
/* And the verdict is open for no partition, so that a count of zero means none. */
bool topic_count_is_whole(const struct topic *tp, unsigned flag);
/* The least and the most replication factor among its partitions; -1 both when it has none. */
void topic_rf_range(const struct topic *tp, int32_t *low, int32_t *high);
/* The partition with the fewest replicas in sync, of the largest factor among those; NULL when no state is known. */
const struct partition *topic_worst(const struct topic *tp);
/* How many brokers lead a partition of it, as far as states are known. */
size_t topic_leaders(const struct topic *tp);
/* Read in an earlier epoch, in part at least, and not again yet. */
bool topic_is_old(const struct cluster *cl, const struct topic *tp);

/* It rests on the brokers' word alone, in part at least: ZooKeeper has not said it. */
bool topic_is_said(const struct topic *tp);

/* Since when some partition of it has had the verdict PT_OFFLINE, PT_UNDER_MIN or PT_UNDER, of those that have it now: the first
 * of all. A bound where one of them has only that, for that one may have been first. {0} unknown, or there is none. */
struct since topic_since(const struct topic *tp, unsigned flag);
/* The same of its state word: offline, under-min, under; {0} for the others. */
struct since topic_state_since(const struct topic *tp);

#endif
