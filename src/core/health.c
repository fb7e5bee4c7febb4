/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on partitions and topics (reference section 8; kafka.admin.TopicCommand, kafka.controller.ControllerContext). */
#include "core/health.h"

#include <assert.h>

#include "core/ids.h"

static bool isr_has(const struct partition *pt, int32_t id)
{
	return ids_has(pt->isr, pt->n_isr, id);
}

static bool is_adding(const struct partition *pt, int32_t id)
{
	return ids_has(partition_adding(pt), pt->n_adding, id);
}

bool health_misses(const struct partition *pt, int32_t broker)
{
	return ids_has(pt->ids, pt->n_replicas, broker) && !is_adding(pt, broker) && !isr_has(pt, broker);
}

/* Better than |R| - |ISR|: an adding member that has joined would hide one that is missing (reference 8.1). */
static bool is_under(const struct partition *pt)
{
	for (uint32_t i = 0; i < pt->n_replicas; i++)
		if (health_misses(pt, pt->ids[i]))
			return true;
	return false;
}

/* A first replica that is being added counts only once it has joined (ControllerContext.hasPreferredLeader). */
static bool is_off_preferred(const struct partition *pt)
{
	if (pt->n_replicas == 0 || pt->leader == pt->ids[0])
		return false;
	return !is_adding(pt, pt->ids[0]) || isr_has(pt, pt->ids[0]);
}

static uint16_t min_isr_flags(const struct cluster *cl, const struct topic *tp, const struct partition *pt, enum know alive)
{
	int32_t min_isr = cluster_min_isr(cl, tp, pt);

	if (alive == KNOW_ABSENT && tp->deleting)
		return 0;
	if (min_isr < 0)
		return alive == KNOW_ABSENT ? PT_UNDER_MIN | PT_AT_MIN_OPEN : PT_MIN_UNKNOWN;
	/* At min asks for no leader (TopicCommand, isAtMinIsrPartitions), so without one it may be both. */
	return (alive == KNOW_ABSENT || pt->n_isr < min_isr ? PT_UNDER_MIN : 0) | (pt->n_isr == min_isr ? PT_AT_MIN : 0);
}

uint16_t health_partition(const struct cluster *cl, const struct topic *tp, const struct partition *pt)
{
	enum know alive = pt->leader >= 0 ? cluster_broker_alive(cl, pt->leader) : KNOW_ABSENT;
	uint16_t flags = 0;

	if (pt->n_adding > 0 || pt->n_removing > 0)
		flags |= PT_MOVING;
	if (pt->state.know == KNOW_UNKNOWN)
		return flags;
	if (pt->state.know == KNOW_UNREADABLE)
		return flags | PT_UNREADABLE;
	flags |= PT_KNOWN;
	if (pt->state.know == KNOW_ABSENT)
		flags |= PT_NO_STATE;
	if (pt->word != NULL && pt->word->differs)
		flags |= PT_DIFFERS;
	if (pt->leader < 0)
		flags |= PT_NO_LEADER;
	if (!tp->deleting && alive != KNOW_PRESENT)
		flags |= alive == KNOW_ABSENT ? PT_OFFLINE : PT_ALIVE_UNKNOWN;
	/* A deletion takes replicas and leaders away by design: Kafka counts neither of a topic that is queued for it. */
	if (!tp->deleting && is_under(pt))
		flags |= PT_UNDER;
	if (!tp->deleting && is_off_preferred(pt))
		flags |= PT_NOT_PREFERRED;
	if (pt->recovering)
		flags |= PT_RECOVERING;
	return flags | min_isr_flags(cl, tp, pt, alive);
}

unsigned health_doubts(unsigned flag)
{
	switch (flag) {
	case PT_OFFLINE:
		return PT_ALIVE_UNKNOWN;
	case PT_UNDER_MIN:
		return PT_ALIVE_UNKNOWN | PT_MIN_UNKNOWN;
	case PT_AT_MIN:
		return PT_MIN_UNKNOWN | PT_AT_MIN_OPEN;
	default:
		return 0;
	}
}

enum verdict health_verdict(const struct partition *pt, unsigned flag)
{
	/* The assignment alone decides. */
	if (flag == PT_MOVING)
		return pt->flags & PT_MOVING ? VERDICT_YES : VERDICT_NO;
	if (!(pt->flags & (PT_KNOWN | PT_UNREADABLE)))
		return VERDICT_UNDECIDED;
	if (flag == PT_UNREADABLE)
		return pt->flags & PT_UNREADABLE ? VERDICT_YES : VERDICT_NO;
	if (!(pt->flags & PT_KNOWN))
		return VERDICT_UNDECIDED;
	if (pt->flags & flag)
		return VERDICT_YES;
	return pt->flags & health_doubts(flag) ? VERDICT_UNDECIDED : VERDICT_NO;
}

enum topic_state health_topic(const struct topic *tp)
{
	const struct topic_counts *c = &tp->counts;

	if (tp->node.know == KNOW_UNREADABLE)
		return TOPIC_UNREADABLE;
	if (tp->deleting)
		return TOPIC_DELETING;
	if (topic_count(c, PT_OFFLINE) > 0)
		return TOPIC_OFFLINE;
	if (topic_count(c, PT_UNDER_MIN) > 0)
		return TOPIC_UNDER_MIN;
	if (topic_count(c, PT_UNDER) > 0)
		return TOPIC_UNDER;
	if (topic_count(c, PT_UNREADABLE) > 0)
		return TOPIC_UNREADABLE;
	if (topic_count(c, PT_MOVING) > 0)
		return TOPIC_MOVING;
	if (tp->node.know != KNOW_PRESENT || topic_count(c, PT_KNOWN) < tp->n_parts || topic_count(c, PT_ALIVE_UNKNOWN) > 0)
		return TOPIC_UNKNOWN;
	return TOPIC_OK;
}

const char *health_topic_word(enum topic_state st)
{
	static const char *const words[] = {
		[TOPIC_OFFLINE] = "offline", [TOPIC_UNDER_MIN] = "under-min", [TOPIC_UNDER] = "under",
		[TOPIC_UNREADABLE] = "unreadable", [TOPIC_DELETING] = "deleting", [TOPIC_MOVING] = "moving",
		[TOPIC_UNKNOWN] = "?", [TOPIC_OK] = "ok",
	};

	return words[st];
}

enum replica_state health_replica(const struct cluster *cl, const struct partition *pt, int32_t broker)
{
	if (cluster_broker_alive(cl, broker) == KNOW_ABSENT)
		return REPLICA_BROKER_DOWN;
	if (pt->word != NULL && ids_has(pt->word->offline, pt->word->n_offline, broker))
		return REPLICA_DIR_OFFLINE;
	if (pt->state.know != KNOW_PRESENT && pt->state.know != KNOW_ABSENT)
		return REPLICA_UNKNOWN;
	if (is_adding(pt, broker))
		return REPLICA_ADDING;
	if (ids_has(partition_removing(pt), pt->n_removing, broker))
		return REPLICA_REMOVING;
	return isr_has(pt, broker) ? REPLICA_IN_SYNC : REPLICA_OUT_OF_SYNC;
}

const char *health_replica_word(enum replica_state st)
{
	static const char *const words[] = {
		[REPLICA_IN_SYNC] = "in-sync", [REPLICA_OUT_OF_SYNC] = "out-of-sync", [REPLICA_ADDING] = "adding",
		[REPLICA_REMOVING] = "removing", [REPLICA_BROKER_DOWN] = "broker-down",
		[REPLICA_DIR_OFFLINE] = "dir-offline", [REPLICA_UNKNOWN] = "unknown",
	};

	return words[st];
}

const char *health_replica_mark(enum replica_state st)
{
	static const char *const marks[] = {
		[REPLICA_IN_SYNC] = "", [REPLICA_OUT_OF_SYNC] = "~", [REPLICA_ADDING] = "+",
		[REPLICA_REMOVING] = "-", [REPLICA_BROKER_DOWN] = "!", [REPLICA_DIR_OFFLINE] = "x",
		[REPLICA_UNKNOWN] = "?",
	};

	return marks[st];
}
