/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: who changed what, and what came of it, one JSON line a record (core/record, kafops-journal(5)), appended and never
 * changed. It is the file $XDG_STATE_HOME/kafops/journal, else ~/.local/state/kafops/journal, mode 0600; all consoles of a user
 * on a host share it.
 *
 * Writing: each record is one write(2) at the end, under an exclusive flock, synced before journal_write says yes. It opens the
 * file anew, so that it may be moved away meanwhile. What a writer that died, or a full disk, left of a line
 * stays; the next line begins on its own. Of a line of ours that could be written in part only, the part is taken back where the file allows it.
 * Reading: oldest first, a line at a time, never more than one line in memory.
 * Errors say what, where and what to do.
 * Thread: UI thread. Waits for the disk, and for another program that writes at most JOURNAL_LOCK_MS, to read no longer than JOURNAL_LOOK_MS.
 */
#ifndef IO_JOURNAL_H
#define IO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct err;
struct intents;
struct record;

enum { JOURNAL_PATH_MAX = 4096, JOURNAL_LOCK_MS = 2000, JOURNAL_LOOK_MS = 50, JOURNAL_LINE_MAX_BYTES = 16 * 1024 * 1024 };

/* By the environment. False: it names no place. */
bool journal_default_path(char out[JOURNAL_PATH_MAX], struct err *err) __attribute__((warn_unused_result));

/* Makes the file, and the folders above it, where they are missing. True: it is on the disk. A record that could not be read back is refused. */
bool journal_write(const char *path, const struct record *re, struct err *err) __attribute__((warn_unused_result));

/* What is called for each line. */
struct journal_reader {
	void *ctx;
	void (*record)(void *ctx, struct record *re, uint64_t offset);      /* takes `re` */
	void (*bad)(void *ctx, uint64_t offset, const char *why);           /* a line that is no record; `why` is a clause */
};

/* Where reading stands. */
struct journal_place {
	uint64_t offset;       /* behind the last whole line */
	uint64_t device, inode;
	bool is_torn;          /* what follows `offset` is no whole line: somebody writes, or died writing */
};

/*
 * Reads what came since *place (zeroed: all), and moves it on. *is_new: it is another file, or shorter than before: it was read from the start, and what
 * was read before no longer counts (may be NULL). A file that is not there has no lines. False: it can't be read.
 */
bool journal_read(const char *path, struct journal_place *place, const struct journal_reader *rd, bool *is_new, struct err *err)
	__attribute__((warn_unused_result));

/* All intents without an outcome (core/intents); `out` is initialised here. */
bool journal_open_intents(const char *path, struct intents *out, struct err *err) __attribute__((warn_unused_result));

#endif
