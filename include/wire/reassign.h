/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ListPartitionReassignments (46), version 0: the reassignments that the
 * controller has under way (KIP-455, Kafka 2.4). Flexible from v0 on.
 *
 * Partitions asked for that are not being reassigned are missing from the answer.
 * Another broker than the controller answers error 41 and no topics.
 * Source: ListPartitionReassignmentsRequest.json, ListPartitionReassignmentsResponse.json, 2.5 to 3.9.
 * Thread: any (pure).
 */
#ifndef WIRE_REASSIGN_H
#define WIRE_REASSIGN_H

#include "wire/buf.h"

struct arena;

struct wire_reassignment {
	int32_t partition;
	const int32_t *replicas, *adding, *removing; /* broker ids in Kafka's order; `replicas` holds both others */
	uint32_t n_replicas, n_adding, n_removing;
};

struct wire_reassign_topic {
	const char *name;
	struct wire_reassignment *partitions; /* [n_partitions], within the answer's array */
	uint32_t n_partitions;
};

/* All pointers lead into the arena. Order is the controller's. */
struct wire_reassignments {
	int32_t throttle_ms;
	int16_t error;
	const char *message; /* the broker's words on `error`; may be NULL */
	struct wire_reassign_topic *topics;
	struct wire_reassignment *partitions; /* of all topics, one after the other */
	uint32_t n_topics, n_partitions;
};

/* `topics` NULL is all. `timeout_ms`: the controller does not look at it. */
void wire_reassign_encode_list(struct wire_writer *wr, int16_t version, int32_t timeout_ms, const struct wire_topic_parts *topics, size_t n);
bool wire_reassign_decode_list(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_reassignments *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
