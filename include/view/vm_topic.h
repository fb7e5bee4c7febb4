/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One topic opened: head lines (name, partitions, RF, overrides, what is wrong and since when) and a
 * row a partition. Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_TOPIC_H
#define VIEW_VM_TOPIC_H

#include <stdbool.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct vm_topic;
enum { VM_HEAD_LINES_MAX = 12 };

struct vm_topic *vm_topic_new(const struct cluster *cl, const char *name); /* copies the name */
void vm_topic_free(struct vm_topic **pp);
bool vm_topic_update(struct vm_topic *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_topic_table(const struct vm_topic *vm);
/* The lines above the table; how many. Their texts stay until the next update. */
size_t vm_topic_head(const struct vm_topic *vm, struct cell lines[VM_HEAD_LINES_MAX]);

#endif
