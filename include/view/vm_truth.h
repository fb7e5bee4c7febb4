/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One disagreement (core/truths) with all that is said of it, as wrapped text, and below it what it is about, to be opened: rows
 * with the keys "topic:NAME" and "broker:ID". Lines of text are gaps (view/table). When it is over, what it was stays, and
 * since when it is over is said.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_TRUTH_H
#define VIEW_VM_TRUTH_H

#include <stdbool.h>

#include "base/units.h"
#include "view/table.h"

struct truths;
struct vm_truth;

struct vm_truth *vm_truth_new(const char *key); /* copies the key */
void vm_truth_free(struct vm_truth **pp);
void vm_truth_resize(struct vm_truth *vm, int width);
/* True when anything shown may differ. Borrows `tr` (NULL: nothing is known yet) during the call only. */
bool vm_truth_update(struct vm_truth *vm, const struct truths *tr, wall_ms now);
const struct table *vm_truth_table(const struct vm_truth *vm);

#endif
