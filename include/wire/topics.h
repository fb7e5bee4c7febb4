/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DeleteTopics (20), versions 1 to 5: asks the controller to delete topics. Flexible from v4 on; v5 has the broker's words.
 *
 * The answer comes when the controller has taken all of them out of its metadata cache, which is the beginning of a deletion, or when
 * `timeout_ms` is over (error 7; the topic is queued all the same). Another broker than the controller answers error 41 for each topic.
 * Where delete.topic.enable is false: error 73 from v3 on, 42 before. Error 3 is "gone, or already being deleted, or never had a leader".
 * Version 0 is left out, for its answer has no throttle time; no Kafka since 0.11 is without v1. Version 6 names topics by id.
 * Source: DeleteTopicsRequest.json, DeleteTopicsResponse.json, 2.5 to 3.9; KafkaApis.handleDeleteTopicsRequest.
 * The encoder changes a cluster once its bytes are sent: io/kafka_write alone calls it (tests/layers.sh).
 * Thread: any (pure).
 */
#ifndef WIRE_TOPICS_H
#define WIRE_TOPICS_H

#include "wire/buf.h"

struct arena;

/* Of one topic that was asked for. */
struct wire_deleted {
	const char *name;
	int16_t error;
	const char *message; /* v5, the broker's words on `error`; may be NULL */
};

/* All pointers lead into the arena. Order is the controller's. */
struct wire_deletes {
	int32_t throttle_ms;
	struct wire_deleted *v; /* [n] */
	uint32_t n;
};

void wire_topics_encode_delete(struct wire_writer *wr, int16_t version, const char *const *names, size_t n, int32_t timeout_ms);
bool wire_topics_decode_delete(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_deletes *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
