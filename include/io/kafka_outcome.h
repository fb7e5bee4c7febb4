/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What came of a DeleteTopics request, topic by topic, as the gate and an operator need it.
 *
 *   0 and 7         OUTCOME_DONE: queued. 7 says that the deletion had not begun when the time given was over
 *   3, 29, 41, 73   OUTCOME_REFUSED, like each code that the controller gives before it has done anything; 42, too: below v3 it is 73
 *   89              OUTCOME_REFUSED, over a quota
 *   any other       OUTCOME_UNKNOWN: it may come from after the marker was made (a time-out of the controller's ZooKeeper session)
 * A topic that the answer does not name is OUTCOME_UNKNOWN.
 * Source: KafkaApis.handleDeleteTopicsRequest, AdminManager.deleteTopics, 2.5 to 3.9.
 * Thread: any (pure).
 */
#ifndef IO_KAFKA_OUTCOME_H
#define IO_KAFKA_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outcome;
struct wire_deletes;

/* What was asked for; names are borrowed. */
struct kafka_asked {
	uint64_t id;
	const char *const *names;
	size_t n;
};

/* Of an answer of this broker. */
struct outcome *kafka_outcome_answered(const struct kafka_asked *as, int32_t broker, int16_t version, const struct wire_deletes *ds);
/* Certainly not done, for a reason that is the same for all: "nothing was sent: <why>"; "nothing was done" where it was sent and refused. */
struct outcome *kafka_outcome_undone(const struct kafka_asked *as, bool was_sent, const char *why);
/* It was sent, or part of it, and what came of it can't be told. */
struct outcome *kafka_outcome_unanswered(const struct kafka_asked *as, const char *why);
/* Every topic was refused because this broker is not the controller (any more): nothing was done. */
bool kafka_outcome_is_elsewhere(const struct wire_deletes *ds);

#endif
