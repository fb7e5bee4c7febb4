/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log dirs of all brokers, a row each; a broker whose dirs are not known is one row that says why.
 *
 * Own order (sort_col -1): offline dirs first, then those with another error, then the fullest by what its broker tells of the
 * volume; ties, and dirs of which it tells nothing (Kafka before 3.3), by broker and path; brokers not known last.
 * What a broker told before, and can't be asked any more, stays on view as old, with the time it was told.
 * The key of a row is "broker:path" ("7:" of a broker not known), and is borrowed until the next call of key.
 * Filter words: view/dir_row.h.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_DIRS_H
#define VIEW_VM_DIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct vm_dirs;

struct vm_dirs *vm_dirs_new(const struct cluster *cl);
void vm_dirs_free(struct vm_dirs **pp);
/* As vm_topics_update. */
bool vm_dirs_update(struct vm_dirs *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_dirs_table(const struct vm_dirs *vm);

#endif
