/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broker, topic and partition identities, their bounds, and the small types all
 * of core shares: what is known of a fact, where from, and a list of ids.
 * Thread: any (pure).
 */
#ifndef CORE_IDS_H
#define CORE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

enum {
	BROKER_NONE = -1,              /* LeaderAndIsr.NoLeader */
	TOPIC_NAME_MAX = 249,          /* Kafka's Topic.validate; what ZooKeeper holds may be longer */
	ZNODE_NAME_MAX = 1024,         /* longer child names are skipped and logged */
	REPLICAS_MAX = 4096,           /* per partition, bound on input */
	PARTITIONS_MAX = 1000000       /* per topic, bound on input */
};

/* "Not yet known", "known to be absent" and "could not be read" are three values. */
enum know { KNOW_UNKNOWN = 0, KNOW_ABSENT, KNOW_PRESENT, KNOW_UNREADABLE };

/* Who said it: znodes, or brokers by the Kafka protocol. */
enum source { SOURCE_NONE = 0, SOURCE_ZOOKEEPER, SOURCE_BROKERS };

/* What stands behind a value: source, connection epoch and time of the last answer. */
struct fact {
	uint8_t know;      /* enum know */
	uint8_t source;    /* enum source */
	uint32_t epoch;    /* ZooKeeper: of the connection; older than the cluster's: not yet read again. Brokers: 0 */
	mono_ms seen;
};

/* The reason that stands beside a fact that can't be read (node.why and the like), for a sentence. */
static inline const char *why_text(const char *why) { return why ? why : "no reason given"; }

/* A list of broker ids in Kafka's order. Owner frees with ids_fini. */
struct ids {
	int32_t *v;        /* NULL when n is 0 */
	uint32_t n;
};

void ids_fini(struct ids *l);
void ids_push(struct ids *l, int32_t id);
/* The same, unless it is there. */
void ids_add(struct ids *l, int32_t id);
/* Upwards. */
void ids_sort(struct ids *l);
bool ids_has(const int32_t *v, size_t n, int32_t id);
/* Orders ids upwards, for qsort and bsearch. */
int ids_cmp(const void *a, const void *b);

/* Kafka's internal set, by literal name (Topic.INTERNAL_TOPICS; 3.9 adds
 * __share_group_state). A leading "__" alone does not make a topic internal. */
bool topic_is_internal(const char *name);

/* Kafka takes it as a topic's name (Topic.validate). ZooKeeper takes more. */
bool topic_name_is_legal(const char *name);

/* Orders names as bytes. */
int topic_name_cmp(const char *a, const char *b);

/* Where `name` stands among n that are sorted so, or would (`is_there` may be NULL); `at` gives the name at an index. */
size_t names_place(const void *list, size_t n, const char *(*at)(const void *list, size_t i), const char *name, bool *is_there);

#endif
