/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of a partition that several screens show. They live in `ar`.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_PARTITION_TEXT_H
#define VIEW_PARTITION_TEXT_H

#include <stddef.h>

#include "base/units.h"
#include "core/cluster.h"
#include "view/table.h"

/* "4 7! 9": the replicas in order, each with the mark of its state (core/health.h). */
const char *partition_replicas_text(const struct cluster *cl, const struct partition *pt, struct arena *ar);
/* "9:d1 4:d1>d2 63% 7:?": each replica's log dir by the end of its path, one it is being copied to within its broker and how far that
 * is; ? not known, x in a dir that is offline, - not there. */
const char *partition_where_text(const struct cluster *cl, const struct topic *tp, const struct partition *pt, struct arena *ar);
/* Bytes of one copy: the leader's; while that is not known the largest that is. *is_leader (may be NULL) tells them apart. -1: none is known. */
int64_t partition_size(const struct cluster *cl, const struct topic *tp, const struct partition *pt, bool *is_leader);
/* "4,9" */
const char *partition_isr_text(const struct partition *pt, struct arena *ar);
/* Since when it is under-replicated: "03:09:51", "≤03:09:51" where that is only a bound, "-" while it isn't, "?" unknown. */
void partition_fill_since(const struct partition *pt, wall_ms now, struct row *ro, size_t col, struct arena *ar);

#endif
