/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overview: is the cluster well, in one screen. The title is the verdict (view/overview_verdict); each row is a line that is
 * always there, whatever its value, so that the shape never jumps: what, how many, and since when, where, of whom.
 *
 * Keys: "brokers", "controller", "topics", "zookeeper", "offline", "under-min", "under", "only-moving", "at-min", "not-preferred",
 * "deletions", "moves", "throttles", "dirs", "truths", and for each disagreement "truth:" and its key (core/truths); "" is a gap, which can't be opened.
 * The filter's text is looked for in what a line says, as it stands.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_OVERVIEW_H
#define VIEW_VM_OVERVIEW_H

#include <stdbool.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct deletions;
struct truths;
struct vm_overview;

struct vm_overview *vm_overview_new(const struct cluster *cl);
void vm_overview_free(struct vm_overview **pp);
/* Columns of the terminal (80 until told): from VM_OVERVIEW_WIDE on there is room for ZooKeeper's line, below VM_OVERVIEW_NARROW
 * texts are shorter. Shows with the next update. */
enum { VM_OVERVIEW_NARROW = 60, VM_OVERVIEW_WIDE = 120 };
void vm_overview_resize(struct vm_overview *vm, int width);
/* Where the list of disagreements is: borrowed until another or NULL is given. */
void vm_overview_take_truths(struct vm_overview *vm, const struct truths *tr);
void vm_overview_take_deletions(struct vm_overview *vm, const struct deletions *ds);
/* As vm_topics_update. */
bool vm_overview_update(struct vm_overview *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_overview_table(const struct vm_overview *vm);

#endif
