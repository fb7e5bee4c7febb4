/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata (3), versions 4 to 9 and 12: brokers, controller, topics with their
 * partitions as one broker sees them.
 *
 * Every request says AllowAutoTopicCreation=false: asking never makes a topic.
 * Versions 0 to 3 can't say so and have no codec (wire/apis.def).
 * Things to know (KafkaApis.handleTopicMetadataRequest):
 *  - brokers that are down are missing from `brokers`, `replicas` still names them;
 *  - `controller` is a random living broker when the controller is a KRaft one (migration);
 *  - `replicas` holds the adding replicas of a reassignment, too;
 *  - a partition without a leader has error 5, brokers of 2.4 to 2.6 say 72 in v6 and above
 *    (KAFKA-10312); its lists are valid all the same;
 *  - when all topics are asked for, those we may not see are silently missing.
 * Source: MetadataRequest.json, MetadataResponse.json, 2.5 to 3.9. Authorized operations are not asked for.
 * Thread: any (pure).
 */
#ifndef WIRE_METADATA_H
#define WIRE_METADATA_H

#include "wire/buf.h"

struct arena;

struct wire_md_broker {
	int32_t id, port;
	const char *host, *rack; /* rack NULL when it has none */
};

struct wire_md_partition {
	int32_t partition, leader; /* BROKER_NONE when none */
	int32_t leader_epoch;      /* v7+, else -1 */
	int16_t error;
	const int32_t *replicas, *isr, *offline; /* broker ids in Kafka's order; offline: v5+, else none */
	uint32_t n_replicas, n_isr, n_offline;
};

struct wire_md_topic {
	const char *name;
	int16_t error;               /* 3 unknown, 17 bad name, 29 not authorised: only of topics asked for */
	bool is_internal;
	uint8_t id[WIRE_UUID_BYTES]; /* v12, else all zero */
	struct wire_md_partition *partitions; /* [n_partitions], within the answer's array */
	uint32_t n_partitions;
};

/* All pointers lead into the arena. Order is the broker's. */
struct wire_metadata {
	int32_t throttle_ms;
	int32_t controller;     /* -1 when the broker knows none */
	const char *cluster_id; /* may be NULL */
	struct wire_md_broker *brokers;
	struct wire_md_topic *topics;
	struct wire_md_partition *partitions; /* of all topics, topic after topic */
	uint32_t n_brokers, n_topics, n_partitions;
};

/* `topics` NULL is all of them, n 0 none (brokers and controller alone). */
void wire_metadata_encode(struct wire_writer *wr, int16_t version, const char *const *topics, size_t n);
bool wire_metadata_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_metadata *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
