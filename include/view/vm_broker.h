/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one broker holds: a row a replica, and some lines about the broker above them.
 *
 * Own order (sort_col -1): offline partitions first, then by the replica's state, worst first, then topic and partition.
 * A changed topic costs one pass over the rows, not a sort of them.
 * The key of a row is topic and partition as Kafka writes them, "orders-3", and is borrowed until the next call of key.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_BROKER_H
#define VIEW_VM_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct vm_broker;

enum { VM_BROKER_HEAD_MAX = 5 };

struct vm_broker *vm_broker_new(const struct cluster *cl, int32_t id);
void vm_broker_free(struct vm_broker **pp);
/* As vm_topics_update. */
bool vm_broker_update(struct vm_broker *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_broker_table(const struct vm_broker *vm);
/* The lines above the table; texts borrowed until the next update. */
size_t vm_broker_head(const struct vm_broker *vm, struct cell lines[VM_BROKER_HEAD_MAX]);

#endif
