/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topic that is being deleted, for tests of core/deletion: topic "t", partition 0 on brokers 1, 2 and 3 (in /d1 of each, which have a /d2 as well),
 * controller 4 in epoch 7, everything well and known. The model is real; its witness is copied at each look, and `edit` may change the copy to
 * what an earlier run of the program, or none, would have seen.
 */
#ifndef TESTS_UNIT_FIXTURE_DELETION_H
#define TESTS_UNIT_FIXTURE_DELETION_H

#include "core/deletion.h"
#include "tests/unit/fixture.h"

struct stage {
	struct fixture *fx;
	struct deletions *ds;
	struct cluster cl;         /* the model's, with the copies below */
	struct witness *list[3];
	uint8_t ctrl;              /* enum know: whether the controller's broker lists the topic, in every answer; KNOW_UNKNOWN as the model says */
	void (*edit)(struct witness *wi);
	struct witness *other;     /* of another topic; NULL none; owned */
	unsigned up;               /* bits of the brokers that are registered */
	int32_t epoch;
	const struct deletion *de; /* of the last look */
};

struct stage *stage_new(void);
void stage_free(struct stage **pp);

void stage_mark(struct stage *st);                 /* the marker comes */
void stage_unmark(struct stage *st);
void stage_state(struct stage *st, int32_t leader, const char *isr, int32_t epoch); /* of partition 0 */
void stage_pass(struct stage *st);                 /* a pass of the present controller: leader -1, ISR 1 */
void stage_assign(struct stage *st, const char *adding, const char *removing); /* "3": lists, of partition 0 */
void stage_holds(struct stage *st, int32_t broker, int64_t size); /* log dirs told: it lists the replica in /d1, or (-1) nothing */
void stage_bad_dir(struct stage *st, int32_t broker, const char *bad, int64_t size); /* the same, with /d1 or /d2 offline */
void stage_all_gone(struct stage *st);             /* brokers 1, 2 and 3, as far as they are up, tell that they hold nothing */
void stage_down(struct stage *st, int32_t broker);
void stage_up(struct stage *st, int32_t broker);   /* registers (anew) */
void stage_elect(struct stage *st, int32_t broker); /* the next epoch */
void stage_no_controller(struct stage *st);
void stage_said(struct stage *st, const char *lines);
void stage_rest(struct stage *st, int64_t ms);     /* time goes by */
/* A turn of the loop: also without a deletion it is watched who falls silent. */
void stage_turn(struct stage *st);
/* Infers anew. */
const struct deletion *stage_look(struct stage *st);
/* "R1 waiting certain Offline likely": of partition 0. Static storage. */
const char *stage_replica(struct stage *st, int32_t broker);
const char *stage_evidence(struct stage *st, int32_t broker);
/* "T4 waiting certain: broker-down 2 certain, ..." Static storage. */
const char *stage_topic(struct stage *st);

#endif
