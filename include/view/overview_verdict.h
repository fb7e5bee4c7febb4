/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one answer to "is the cluster well".
 *
 *   NOT WELL   a broker is down, a partition is offline, under min ISR or under-replicated, a log dir is offline, no controller,
 *              or a node poisons the controller (core/truths)
 *   NOT KNOWN  nothing is known to be wrong, and something that would tell can't be read; or all of it is still being read, or old
 *   WELL       neither, as far as was asked: where no broker was, it says so
 *
 * Partitions at min ISR, not on the preferred leader, being moved or deleted are no reason: they end by themselves, or harm nobody.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_OVERVIEW_VERDICT_H
#define VIEW_OVERVIEW_VERDICT_H

#include <stddef.h>

#include "core/cluster.h"
#include "view/overview_facts.h"

struct truths;

enum overview_verdict { OVERVIEW_WELL, OVERVIEW_NOT_WELL, OVERVIEW_NOT_KNOWN };

/* `tr` may be NULL. The line: "NOT WELL   1 broker down; 2 partitions offline". Pieces stand between "; ", the most important first, so that
 * the last ones can be left out where there is no room. */
enum overview_verdict overview_verdict(const struct cluster *cl, const struct overview_dirs *od, const struct truths *tr, char *out, size_t size);

#endif
