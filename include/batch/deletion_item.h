/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A deletion as batch tells it: the item of `kafops deletions`, and what changed between two looks as lines of --watch.
 * Thread: UI thread; pure.
 */
#ifndef BATCH_DELETION_ITEM_H
#define BATCH_DELETION_ITEM_H

#include <stdbool.h>

#include "base/json.h"
#include "base/units.h"

struct cluster;
struct deletion;
struct deletions;

json_t *batch_deletion_item(const struct deletion *dl);

/* What was told so far. */
struct deletion_watch;
struct deletion_watch *deletion_watch_new(void);
void deletion_watch_free(struct deletion_watch **pp);
/* Calls back with each thing that differs from what was told before, as {"at", "event", ...} (taken by `tell`): queued, attempt, replica, blocked, unblocked,
 * znode-gone, controller-changed, done, recreated, resurrected, refused, marker-removed. The first call tells nothing: a snapshot has it. False once `tell` said that
 * no more can be taken. `wants`: which topics; NULL all. */
bool deletion_watch_look(struct deletion_watch *dw, const struct cluster *cl, const struct deletions *ds, wall_ms now,
	bool (*wants)(void *ctx, const char *topic), bool (*tell)(void *ctx, json_t *line), void *ctx);

#endif
