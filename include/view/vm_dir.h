/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One log dir of one broker opened: lines about it, and a row a replica that lies in it, future ones too.
 *
 * Own order (sort_col -1): the largest first, then topic and partition.
 * Rows are made anew when the broker has told its dirs again, and where filter or order hang on what topics are, when those change;
 * of 20,000 replicas that is some milliseconds.
 * The key of a row is topic and partition as Kafka writes them, "orders-3", with " future" behind it for a future replica; it is
 * borrowed until the next call of key.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_DIR_H
#define VIEW_VM_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct vm_dir;

enum { VM_DIR_HEAD_MAX = 3 };

/* The filter words of this view. */
extern const struct query_own vm_dir_words[];
extern const size_t vm_dir_n_words;

/* Copies `path`. */
struct vm_dir *vm_dir_new(const struct cluster *cl, int32_t broker, const char *path);
void vm_dir_free(struct vm_dir **pp);
/* As vm_topics_update. */
bool vm_dir_update(struct vm_dir *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_dir_table(const struct vm_dir *vm);
/* The lines above the table; texts borrowed until the next update. */
size_t vm_dir_head(const struct vm_dir *vm, struct cell lines[VM_DIR_HEAD_MAX]);

#endif
