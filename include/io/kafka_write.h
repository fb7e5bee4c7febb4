/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requests that change a cluster through its brokers: part of the kafka thread (io/kclient), there only in a kclient that was made
 * with may_write.
 *
 * A request goes to the controller, as ZooKeeper names it (kclient_controller), else as Metadata does, else as any broker says when
 * asked; over a connection of its own, so that it waits behind no poll and no poll behind it. Requests are done one after the other.
 * What came of each is one EV_OUTCOME (io/kafka_outcome), whatever happens:
 *   no connection, no login, no version in common     OUTCOME_REFUSED: nothing was sent
 *   an answer                                          topic by topic
 *   lost or silent after the request was handed over   OUTCOME_UNKNOWN, never a second try
 * Only when every topic is refused with NOT_CONTROLLER, so nothing was done, is the broker asked who is the controller, and the request goes there;
 * at most KAFKA_WRITE_MOVES times. When the kclient is freed, what waits is told as unsent, what is out as unanswered.
 *
 * Of the app only app/session includes this.
 */
#ifndef IO_KAFKA_WRITE_H
#define IO_KAFKA_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct err;
struct kclient;

enum { KAFKA_WRITE_MOVES = 2 };

/* DeleteTopics of all names (copied) in one request. `timeout_ms` (> 0): how long the controller may take to begin; the answer is due
 * that long and request.timeout.ms after the request. False (ERR_USAGE): a name that no topic can have. Thread: as kclient's. */
bool kafka_write_delete_topics(struct kclient *kc, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
	__attribute__((warn_unused_result));

#endif
