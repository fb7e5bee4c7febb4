/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replication throttles that are set, by ZooKeeper's config nodes (reference 4.5): on brokers two rates of
 * replication and one of moves between log dirs, on topics two lists of throttled replicas; and which running moves each serves.
 * Kafka never removes them itself: who set them must, and often doesn't.
 *
 * A move runs where replicas are being added or removed (topic node), or where /admin/reassign_partitions (before 2.4 all there
 * is) names a partition whose replicas are not yet as it says. Copies between log dirs are the future replicas that a broker lists.
 *
 * A list serves the moves of its topic in which it names a replica that matters: on the leader's side one that isn't being
 * added, on the follower's one that is (any, where nothing is or the node doesn't say). A broker's rate serves those in whose
 * list of the same side it is named itself. The rate for log dirs serves the broker's future replicas.
 * A rate of <default> serves what it would serve on each broker that has none of its own (of older Kafka versions not all obey it).
 *
 * Pure. Thread: UI thread; all is borrowed from the cluster, until the next model_apply.
 */
#ifndef CORE_THROTTLE_H
#define CORE_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;

enum throttle_setting {
	THROTTLE_LEADER_RATE,   /* bytes/s a broker sends of replicas in the leader lists */
	THROTTLE_FOLLOWER_RATE, /* bytes/s it fetches of those in the follower lists */
	THROTTLE_DIR_RATE,      /* bytes/s it copies from one log dir to another */
	THROTTLE_LEADER_LIST, THROTTLE_FOLLOWER_LIST,
	THROTTLE_SETTINGS
};
/* "leader.replication.throttled.rate": Kafka's name. Static. */
const char *throttle_setting_name(enum throttle_setting setting);

/* A move that a throttle serves. */
struct throttle_move {
	const char *topic;
	int32_t partition;
	int32_t broker;      /* the one whose rate it is, or that has the future replica; BROKER_NONE: of a list */
};

enum throttle_use {
	THROTTLE_SERVES,     /* a move, at least one */
	THROTTLE_BESIDE,     /* none, but the same rate serves one on another broker: the tools set it on all of a plan at once */
	THROTTLE_EMPTY,      /* it limits nothing: a list of none, a rate without bound */
	THROTTLE_LEFT,       /* none: left over */
	THROTTLE_UNCERTAIN   /* not known, `why` says for want of what: never left over */
};

struct throttle {
	enum throttle_setting setting;
	int32_t broker;      /* BROKER_NONE: a topic's, or <default> */
	const char *topic;   /* NULL: a broker's */
	const char *value;   /* as it stands; hostile text */
	struct throttle_move *serves; /* sorted by topic, partition, broker; what is known of them */
	size_t n_serves;
	bool is_whole;       /* those are all */
	enum throttle_use use;
	const char *why;     /* static; NULL: nothing is in doubt */
};

struct throttles {
	struct throttle *v;  /* brokers' first, <default> before all, by broker and setting; then topics', by name and setting */
	size_t n;
	size_t n_unread;     /* config nodes of brokers and topics (and lists of such) that are not known: more may be set there */
};

struct throttles throttles_of(const struct cluster *cl);
void throttles_fini(struct throttles *th);
/* The same for several who ask between two events: found once, and borrowed from the memo. {0} is an empty one. */
struct throttles_memo {
	struct throttles th;
	bool is_made;
	uint64_t facts_gen;  /* of the cluster when it was made */
	unsigned n_made;     /* times so far, for tests */
};
const struct throttles *throttles_memo_of(struct throttles_memo *me, const struct cluster *cl);
void throttles_memo_fini(struct throttles_memo *me);

/* "broker" or "topic"; the entity's name as Kafka has it ("3", "<default>", the topic), at most size - 1 bytes of it. */
const char *throttle_scope(const struct throttle *to);
const char *throttle_name(const struct throttle *to, char *out, size_t size);

/*
 * A list of throttled replicas as brokers read it (ThrottledReplicaListValidator, TopicConfigHandler.parseThrottledPartitions):
 * "" names none, "*" all, else "partition:broker,partition:broker" with blanks around and empty members allowed; "none" is taken for
 * none. Anything else brokers refuse, and keep what they had.
 */
struct throttle_list {
	struct { int32_t partition, broker; } *v; /* sorted */
	size_t n;
	bool is_all;
};
bool throttle_list_parse(const char *text, struct throttle_list *out) __attribute__((warn_unused_result)); /* false: nothing to free */
void throttle_list_fini(struct throttle_list *l);
bool throttle_list_has(const struct throttle_list *l, int32_t partition, int32_t broker);

#endif
