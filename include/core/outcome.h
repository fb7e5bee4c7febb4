/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What came of a request that changes the cluster: of each thing that was asked for, once. Payload of EV_OUTCOME.
 * Thread: any, one owner at a time.
 */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outcome_code {
	OUTCOME_DONE = 0,   /* asked, and taken: of delete_topics "queued", not "deleted" */
	OUTCOME_REFUSED,    /* certainly not done: the answer says so, or nothing was sent */
	OUTCOME_UNKNOWN     /* sent, and no answer: it may or may not have been taken */
};

/* What the error that Kafka answered to a DeleteTopics says beyond its text. Bits; 0: nothing is known of that one. */
enum {
	OUTCOME_NOTHING_DONE = 1, /* the controller found it before it changed anything: OUTCOME_REFUSED */
	OUTCOME_SAME_FOR_ALL = 2, /* the same would be said of any other topic now */
	OUTCOME_IS_A_NO = 4       /* it may not be deleted, or not now: a marker in ZooKeeper would go around that */
};
unsigned outcome_meaning(int16_t kafka_error);

/* Of one thing that was asked for. */
struct outcome_item {
	char *name;         /* topic; "" of move_controller */
	uint8_t code;       /* enum outcome_code */
	int16_t kafka_error; /* the answer's; 0 none */
	bool is_for_all;    /* refused for a reason that holds for whatever would be asked for next */
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
