/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The topics screen's rows: sorted and filtered topic names, kept in step with
 * the cluster at a cost that grows with what changed.
 *
 * Own order (sort_col -1): worst state first, then name; unknown counts as ok, so that rows do not jump
 * while details come in.
 * Thread: UI thread. `cl` must outlive the view model; fill may be called only between vm_topics_update and the
 * next model_apply.
 */
#ifndef VIEW_VM_TOPICS_H
#define VIEW_VM_TOPICS_H

#include <stdbool.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct choice;
struct vm_topics;

struct vm_topics *vm_topics_new(const struct cluster *cl);
void vm_topics_free(struct vm_topics **pp);
/* Brings rows and titles up to date with `ch`, `qu` and `now`. True when anything shown may differ.
 * `ch` holds all that changed since the last update of this view model; NULL when that isn't known (changes were cleared
 * while it was not looked at): everything is built again. */
bool vm_topics_update(struct vm_topics *vm, const struct changes *ch, const struct query *qu, wall_ms now);
/* Topics that are marked show it from now on. Borrowed; NULL: none are. */
void vm_topics_take_marks(struct vm_topics *vm, const struct choice *marks);
const struct table *vm_topics_table(const struct vm_topics *vm);

#endif
