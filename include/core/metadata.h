/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a broker says of the cluster: the content of an answer to Metadata (API 3;
 * wire/metadata decodes it and says what to know about it).
 * Thread: any (pure); an answer belongs to its owner.
 */
#ifndef CORE_METADATA_H
#define CORE_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum { MD_UUID_BYTES = 16 };

struct md_broker {
	int32_t id, port;
	const char *host, *rack; /* rack NULL when it has none */
};

struct md_partition {
	int32_t partition, leader; /* BROKER_NONE when none */
	int32_t leader_epoch;      /* v7+, else -1 */
	int16_t error;
	const int32_t *replicas, *isr, *offline; /* broker ids in Kafka's order; offline: v5+, else none */
	uint32_t n_replicas, n_isr, n_offline;
};

struct md_topic {
	const char *name;
	int16_t error;               /* 3 unknown, 17 bad name, 29 not authorised: only of topics asked for */
	bool is_internal;
	uint8_t id[MD_UUID_BYTES]; /* v12, else all zero */
	struct md_partition *partitions; /* [n_partitions], within the answer's array */
	uint32_t n_partitions;
};

/* All pointers lead into one arena. Order is the broker's until metadata_sort. */
struct metadata {
	int32_t throttle_ms;
	int32_t controller;     /* -1 when the broker knows none */
	const char *cluster_id; /* may be NULL */
	struct md_broker *brokers;
	struct md_topic *topics;
	struct md_partition *partitions; /* of all topics, topic after topic */
	uint32_t n_brokers, n_topics, n_partitions;
};

/* An answer with the arena that all of it lies in. */
struct metadata_answer {
	struct arena *arena;
	struct metadata md;
	bool is_begun;   /* by the model: it has taken what is not about topics */
	uint32_t n_taken; /* by the model: topics taken so far */
	bool is_all;     /* all topics were asked for: one that isn't named isn't known to the broker, or may not be seen */
};
void metadata_answer_free(struct metadata_answer **pp);

/* Puts topics in order of their names and partitions of their ids, each once (of two the first stays). */
void metadata_sort(struct metadata *md);

#endif
