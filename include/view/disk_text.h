/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What view models say of log dirs beyond their fields (core/disks.h). Texts live in `ar`; paths and reasons come from
 * outside and may be hostile.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_DISK_TEXT_H
#define VIEW_DISK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/cluster.h"

struct arena;

/* Why the log dirs of a broker are not known, or not as they are now: a sentence without a full stop. NULL: they are. */
const char *broker_disks_why(const struct cluster *cl, const struct broker *br, struct arena *ar);
/* They are known from before, and by now it can't be asked. */
bool broker_disks_are_old(const struct cluster *cl, const struct broker *br);

/* By its path; NULL when there is none (`ds` may be NULL). *at, if not NULL: its index, SIZE_MAX without one. */
const struct disk_dir *disks_dir_find(const struct disks *ds, const char *path, size_t *at);
/* The end of its path that tells it from the broker's other dirs, without what all of them end in: "d1" of /data/d1; "d1" of
 * /data/d1/kafka beside /data/d2/kafka, and "d1/kafka" where there is /data/d2/other as well. */
const char *disk_dir_label(const struct disks *ds, size_t dir, struct arena *ar);
/* "offline", "error", "online" */
const char *disk_dir_word(const struct disk_dir *dir);
/* Thousandths of the volume that are used, by whomever; -1 unknown. 1000 only when it is full. */
int disk_dir_used(const struct disk_dir *dir);

/* Percent of the bytes of `current` that its future replica has; 99 at most, for at 100 it would no longer be a future one. -1: unknown. */
int disk_future_percent(const struct disk_replica *current, const struct disk_replica *future);

#endif
