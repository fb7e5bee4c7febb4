/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Health of partitions and topics from ZooKeeper's facts, by Kafka's own
 * definitions (reference section 8), as pure functions.
 *
 *   offline       no leader, no state node, or the leader isn't registered (TopicCommand, unavailable)
 *   under         some member of replicas that isn't being added is not in the ISR
 *   under-min     no live leader, or |ISR| < min.insync.replicas
 *   at-min        |ISR| == min.insync.replicas, with a leader or without, as kafka-topics has it (the brokers' metric asks for one)
 *   not-preferred leader is not the first replica, unless that one is being added and not yet in the ISR
 *   moving        something is being added or removed
 *
 * A verdict that hangs on what isn't known is neither: see health_verdict.
 *
 * A topic queued for deletion counts no partition as offline or under min: its leaders are gone because it
 * is being deleted (the controller's own OfflinePartitionsCount leaves it out as well).
 */
#ifndef CORE_HEALTH_H
#define CORE_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cluster.h"

/* PT_* for one partition of `tp` in `cl`; 0 while its state isn't known (PT_MOVING apart). */
uint16_t health_partition(const struct cluster *cl, const struct topic *tp, const struct partition *pt);

/* Whether a verdict holds for a partition. Open while its state isn't known, and offline while it isn't known whether the leader
 * is up; under-min then too, and that and at-min while min.insync.replicas isn't known. */
enum verdict { VERDICT_NO, VERDICT_YES, VERDICT_UNDECIDED };
enum verdict health_verdict(const struct partition *pt, unsigned flag);
/* The flags of partitions with a known state that leave the verdict `flag` open. */
unsigned health_doubts(unsigned flag);

/* Whether the broker holds a replica that should be in the ISR and isn't: what makes a partition under-replicated. */
bool health_misses(const struct partition *pt, int32_t broker);

/* The state word of a topic, worst first. The same word on the screen, in the filter language, in the manual. */
enum topic_state {
	TOPIC_OFFLINE = 0, TOPIC_UNDER_MIN, TOPIC_UNDER, TOPIC_UNREADABLE,
	TOPIC_DELETING, TOPIC_MOVING, TOPIC_UNKNOWN, TOPIC_OK
};
enum topic_state health_topic(const struct topic *tp);
const char *health_topic_word(enum topic_state st); /* "offline", "under-min", "under", "unreadable", "deleting", "moving", "?", "ok" */

/* State of one replica of a partition; words of batch output in health_replica_word. */
enum replica_state {
	REPLICA_IN_SYNC, REPLICA_OUT_OF_SYNC, REPLICA_ADDING, REPLICA_REMOVING,
	REPLICA_BROKER_DOWN, REPLICA_DIR_OFFLINE, REPLICA_UNKNOWN
};
enum replica_state health_replica(const struct cluster *cl, const struct partition *pt, int32_t broker);
const char *health_replica_word(enum replica_state st); /* "in-sync", ... */
/* The mark after a broker id: "", "~", "+", "-", "!", "x", "?" */
const char *health_replica_mark(enum replica_state st);

static inline uint32_t topic_count(const struct topic_counts *c, unsigned flag)
{
	return c->by_flag[__builtin_ctz(flag)];
}

#endif
