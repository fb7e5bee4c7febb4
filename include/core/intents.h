/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents of a journal that have no outcome, or not of all their items: what was asked for, and nobody has written down what came
 * of it. Fed with records, oldest first; keeps copies of those that are open, at most INTENTS_MAX (the oldest go first).
 * Pure. Thread: the owner's.
 */
#ifndef CORE_INTENTS_H
#define CORE_INTENTS_H

#include <stddef.h>

#include "core/record.h"

enum { INTENTS_MAX = 1000 };

struct intents {
	struct record **v;    /* in the order of the journal; items that are done with have their outcome */
	size_t n, n_dropped;
};

void intents_init(struct intents *in);
void intents_fini(struct intents *in);
void intents_take(struct intents *in, const struct record *re);
/* The open one of that id; NULL: there is none. */
const struct record *intents_find(const struct intents *in, uint64_t id);
/* Items of it without an outcome. */
size_t intent_n_open(const struct record *re);

#endif
