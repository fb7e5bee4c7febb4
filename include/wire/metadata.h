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

#include "core/metadata.h"
#include "wire/buf.h"

struct arena;

/* `topics` NULL is all of them, n 0 none (brokers and controller alone). */
void wire_metadata_encode(struct wire_writer *wr, int16_t version, const char *const *topics, size_t n);
bool wire_metadata_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct metadata *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
