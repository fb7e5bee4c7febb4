/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What came of a request that changes the cluster: of each thing that was asked for, once. Payload of EV_OUTCOME.
 * Thread: any, one owner at a time.
 */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

enum outcome_code {
	OUTCOME_DONE = 0,   /* asked, and taken: of delete_topics "queued", not "deleted" */
	OUTCOME_REFUSED,    /* certainly not done: the answer says so, or nothing was sent */
	OUTCOME_UNKNOWN     /* sent, and no answer: it may or may not have been taken */
};

/* Of one thing that was asked for. */
struct outcome_item {
	char *name;         /* topic; "" of move_controller */
	uint8_t code;       /* enum outcome_code */
	int16_t kafka_error; /* the answer's; 0 none */
	char *text;         /* one sentence for the operator, with the broker's own words when it said any; NULL: none */
};

struct outcome {
	uint64_t id;
	struct outcome_item *items;
	size_t n;
	int32_t broker;     /* who answered; BROKER_NONE: ZooKeeper, or nobody */
};

struct outcome *outcome_new(uint64_t id, size_t n);   /* items zeroed */
void outcome_free(struct outcome **pp);

#endif
