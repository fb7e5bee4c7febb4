/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was seen of deletions (core/witness), kept over a restart of the program: one file a cluster,
 * $XDG_STATE_HOME/kafops/memory/<cluster id>.json (else ~/.local/state/...), readable by its owner alone. In read-only mode, too: it is evidence, not an act.
 *
 * Several programs may keep the same file. Each write is read, merge, write under a lock (<file>.lock): what another one saw and we did not
 * stays; what both saw is joined (witness_merge). A deletion that ended is left out, and one whose topic's identity is not known; one whose marker alone went is kept. The file is written anew beside
 * the old one, synced and put in its place: whoever reads finds one or the other, whole.
 * A file that can't be understood is set aside (<file>.bad-<time>) and said; one by a newer version of the program is left alone.
 *
 * At most MEMORY_MAX_BYTES; of more, the deletions that changed last.
 * Thread: UI thread. Writing goes on in a thread of its own, one at a time, as a sync may take long.
 */
#ifndef IO_MEMORY_H
#define IO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

struct err;
struct memory;
struct witness;

enum { MEMORY_MAX_BYTES = 8 * 1024 * 1024, MEMORY_LOCK_MS = 1000 };

/* Touches nothing yet. NULL (ERR_USAGE) where no folder is known: XDG_STATE_HOME is no absolute path and there is no HOME; or the id is too long. */
struct memory *memory_open(const char *cluster_id, struct err *err) __attribute__((warn_unused_result));
/* Waits for the write that goes on: MEMORY_LOCK_MS for the lock, and as long as the disk takes. */
void memory_close(struct memory **pp);

/* Hands out what is kept, the taker's to own. Without a file that is nothing. False: it can't be used, and what became of it (nothing was handed out).
 * ERR_FORMAT: it was set aside. Others: nothing is to be written. */
bool memory_read(struct memory *me, void (*take)(void *ctx, struct witness *wi), void *ctx, struct err *err) __attribute__((warn_unused_result));

/* Begins to write; copies. Ended ones among them say what is to be left out. Not while one goes on. */
void memory_write(struct memory *me, const struct witness *const *v, size_t n);
bool memory_is_busy(struct memory *me);
/* Waits for the write that goes on, as memory_close does. */
void memory_wait(struct memory *me);
/* How the last write ended, once: false (err) when it failed. True while nothing is new. */
bool memory_written(struct memory *me, struct err *err) __attribute__((warn_unused_result));

const char *memory_path(const struct memory *me);

#endif
