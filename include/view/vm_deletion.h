/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One deletion (core/deletion) as a page: why it stands where it does, what moves it on, what a person can do, a line for each partition with its
 * replicas, and the attempts, the last one first. Or, of one of its partitions, the evidence: each replica with the controller's full name for its state, how
 * sure that is, and what was seen.
 *
 * Keys of rows: "partition:N", "attempts", "attempt:N", and in the evidence "broker:ID"; lines of text are gaps.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_DELETION_H
#define VIEW_VM_DELETION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"
#include "core/model.h"
#include "view/table.h"

struct deletions;
struct vm_deletion;

/* `key`: "topic/czxid" (view/vm_deletions), copied. `partition` -1: the whole. */
struct vm_deletion *vm_deletion_new(const struct cluster *cl, const char *key, int32_t partition);
void vm_deletion_free(struct vm_deletion **pp);
void vm_deletion_resize(struct vm_deletion *vm, int width);
void vm_deletion_take(struct vm_deletion *vm, const struct deletions *ds);
/* True when anything shown may differ. */
bool vm_deletion_update(struct vm_deletion *vm, const struct changes *ch, wall_ms now);
const struct table *vm_deletion_table(const struct vm_deletion *vm);
/* "topic/czxid", and the topic alone. */
const char *vm_deletion_key(const struct vm_deletion *vm);
const char *vm_deletion_topic(const struct vm_deletion *vm);

#endif
