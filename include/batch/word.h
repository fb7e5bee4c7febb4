/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The brokers' word in batch answers: log dirs as they are now or why they are not known, which source a fact
 * came from, and warnings where brokers and ZooKeeper said different things.
 * Thread: UI thread; pure.
 */
#ifndef BATCH_WORD_H
#define BATCH_WORD_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/job.h"

/* What is null for want of their word is worth a warning: they were to be asked. */
bool batch_brokers_were_asked(const struct batch_job *job);

enum { BATCH_WHY_MAX = 320 };
/* Its log dirs. NULL when they are not known as they are now, though they may have been before: `why` gets the reason, a clause without
 * subject or full stop ("it is down"). */
const struct disks *batch_disks(const struct batch_job *job, const struct broker *br, char why[BATCH_WHY_MAX]);

/* Warns of a broker that was to be asked, is up, and whose log dirs are not known. */
void batch_warn_disks(struct batch_job *job, const struct broker *br);

/* The replicas of a partition on a broker, current and future, *n of them; NULL with *is_known false: not known. */
const struct disk_replica *batch_disk_replicas(const struct batch_job *job, int32_t broker, const struct topic *tp, int32_t partition,
	size_t *n, bool *is_known);

/* Offsets that a future replica has left to copy. Null for a current one, whose lag says nothing (reference 3.5: it is no follower lag),
 * and while it is not known (-1: the broker does not host the replica, or not yet again). */
json_t *batch_lag(const struct disk_replica *dr);

/* "zookeeper" or "brokers": who filled in an item. NULL pt: the topic's, of all its states. */
json_t *batch_from(const struct topic *tp, const struct partition *pt);

/* Topics whose sizes are not known; warned of in one sentence that names the brokers that are missing. */
struct batch_unsized {
	size_t topics;
	struct ids brokers;
};
/* True when the topic's size is known; else notes it. */
bool batch_is_sized(const struct batch_job *job, struct batch_unsized *un, const struct topic *tp);
void batch_warn_unsized(struct batch_job *job, struct batch_unsized *un); /* and empties it */

/* Names the brokers' word where it differs from the state node's for certain. */
void batch_warn_word(struct batch_job *job, const struct topic *tp, const struct partition *pt);
void batch_warn_words(struct batch_job *job, const struct topic *tp); /* one for all of a topic */

#endif
