/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal as it is looked at: its newest records in memory, what stands in it that is no record, and the intents without an outcome.
 * It is this user's on this host, whatever cluster is being looked at.
 * Thread: UI thread. Reads a file; never waits for the network.
 */
#ifndef APP_AUDIT_H
#define APP_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intents.h"
#include "core/record.h"

struct audit;
struct err;

/* Kept at most so many records, and items in all of them; the oldest go first. */
enum { AUDIT_RECORDS_MAX = 10000, AUDIT_ITEMS_MAX = 1000000, AUDIT_BAD_MAX = 20 };

struct audit_bad {
	uint64_t offset;          /* where the line begins, in bytes */
	char why[120];
};

struct audit_state {
	const char *path;
	const struct record *const *records; /* oldest first */
	size_t n;
	size_t n_left_out;        /* older ones, not kept */
	const struct intents *open;
	const struct audit_bad *bad; /* [n_bad], at most AUDIT_BAD_MAX: the last ones */
	size_t n_bad, n_bad_all;
	bool is_torn;             /* the last line has no end: somebody died, or was kept from, writing it */
	uint64_t torn_at;
	const char *error;        /* why it can't be read; NULL: it can */
	uint64_t version;         /* another number when anything here differs */
};

/* The last command of the last hour of which nobody knows what came, of all or of some of it; `id` 0: none. */
enum { AUDIT_UNKNOWN_MS = 3600000 };
struct audit_unknown {
	uint64_t id;
	wall_ms at;
	char command[32];
};
/* Reads the journal once; what can't be read has none. */
struct audit_unknown audit_last_unknown(wall_ms now);
/* An intent without an outcome of another program that is alive on this host, within AUDIT_UNKNOWN_MS of it: its outcome may still come. */
bool audit_is_under_way(const struct record *re, wall_ms now);

struct audit *audit_new(void);  /* of the default place (io/journal); reads nothing yet */
void audit_free(struct audit **pp);
/* Reads what came since. True when anything differs. */
bool audit_refresh(struct audit *au);
/* Borrowed until the next audit_refresh. */
struct audit_state audit_state(const struct audit *au);

#endif
