/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two truths: where ZooKeeper, the controller, the brokers' metadata and the disks
 * disagree, and nodes that poison a controller. One entry a disagreement, with
 * since when, what it means, what would happen next and what usually clears it.
 *
 * What is short-lived in a healthy cluster is not cried out: a disagreement is held back
 * until it has lasted as long, and stood in as many answers of brokers, as truth_rules (core/truths_parts.h) says for its
 * kind; what hangs on a controller begins anew when the controller changes. What is not known (a source not asked, refused or
 * silent) is never a disagreement. While ZooKeeper's data is stale (cluster_is_stale) the list stands as it is; what
 * was held back then begins anew.
 * Pure: time comes with the call. Costs grow with what is wrong, not with the cluster, but for
 * one pass over topics when one changed, and over the replicas of a broker that holds orphans or has a dir offline.
 * Thread: UI thread.
 */
#ifndef CORE_TRUTHS_H
#define CORE_TRUTHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/model.h"

enum truth_kind {
	/* Poison: breaks a controller, now or at its next election, or is obeyed by it (Kafka's KafkaController, run on 2.5.1, 2.8.2, 3.9.1). */
	TRUTH_REASSIGN_NO_LIST,     /* /admin/reassign_partitions without a partitions list: API 45 hangs, the next election loops */
	TRUTH_REASSIGN_QUOTED,      /* broker ids as strings in it */
	TRUTH_TOPIC_QUOTED,         /* broker ids as strings in a topic node: no controller can start after the next election */
	TRUTH_REASSIGN_LEFTOVER,    /* entries in it that nothing runs: the next election will execute them. No poison where it will find nothing to do */
	TRUTH_ELECTION_STORM,       /* the controller epoch rises again and again within seconds */
	/* Disagreements. */
	TRUTH_FOREIGN_BROKERS,      /* the brokers asked are of another cluster */
	TRUTH_CONTROLLER_DIFFERS,   /* brokers' metadata names another controller than /controller */
	TRUTH_ZOMBIE_REASSIGNMENT,  /* ZooKeeper has adding or removing replicas that the controller doesn't list (API 46), or the other way */
	TRUTH_ORPHAN_REPLICA,       /* on a disk, in no assignment, its topic not queued for deletion */
	TRUTH_ORPHAN_ADOPTED,       /* the same where the topic is there: a broker that is given the partition would begin with it */
	TRUTH_NO_STATE_NODES,       /* a topic's partitions have no state node: no leader was ever elected */
	TRUTH_MARKER_WITHOUT_TOPIC, /* a child of /admin/delete_topics names no topic */
	TRUTH_METADATA_LISTS_GONE,  /* the brokers' metadata still lists a topic that ZooKeeper doesn't have */
	TRUTH_METADATA_MISSES,      /* ZooKeeper has a topic that the brokers' metadata no longer lists, though we may see it */
	TRUTH_STATE_DIFFERS,        /* leader or ISR in metadata differ from the state node for longer than a few polls */
	TRUTH_DIR_OFFLINE,          /* a broker can't use one of its log dirs (error 56): what ZooKeeper assigns to it may lie there */
	TRUTH_DUPLICATE_FUTURE,     /* two future logs of one partition on one broker, or a future one beside itself */
	TRUTH_THROTTLE_LEFT,        /* a replication throttle that no move needs */
	TRUTH_KINDS
};

struct truth {
	enum truth_kind kind;
	bool is_poison;
	char *key;               /* the same for the same disagreement, whatever its texts say */
	char *subject;           /* "payments 3 on broker 2, /data/d1"; hostile text */
	char *what;              /* what disagrees, one sentence */
	const char *next;        /* what happens next, or would; static */
	const char *mends;       /* what usually clears it; static */
	wall_ms since;
	bool since_exact;        /* false: at least since then */
	int32_t broker;          /* BROKER_NONE: none in particular */
	int32_t partition;       /* -1: none in particular */
	char *topic;             /* to open; NULL: none */
};

struct throttles_memo;
struct truths;

struct truths *truths_new(void);
void truths_free(struct truths **pp);
/* Looks again where `ch` (NULL: everywhere) says something changed, and lets ripen what was held back. True when the list differs.
 * To be called once a turn, with every change, in order; and when truths_wait is over. */
bool truths_update(struct truths *tr, const struct cluster *cl, const struct changes *ch, mono_ms mono, wall_ms now);
/* Milliseconds until something may ripen, or be over, by time alone; -1: nothing will. */
dur_ms truths_wait(const struct truths *tr, mono_ms mono);
/* Sorted: poison first, then by kind, then subject. Borrowed until the next update. */
size_t truths_count(const struct truths *tr);
size_t truths_poison(const struct truths *tr); /* how many of them are: the first */
const struct truth *truths_at(const struct truths *tr, size_t i);
/* The throttles that it looks at, for others who look at them in the same turn. */
struct throttles_memo *truths_throttles(const struct truths *tr);
/* "orphan replica": the name of a kind, in few words. Static. */
const char *truth_kind_name(enum truth_kind kind);

#endif
