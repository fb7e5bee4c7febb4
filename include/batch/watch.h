/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --watch: after the answer, in the first line, each change as one JSON object a line, flushed at once, until a signal, a closed pipe or --for ends it.
 * Thread: UI thread.
 */
#ifndef BATCH_WATCH_H
#define BATCH_WATCH_H

#include <stdbool.h>

#include "base/json.h"
#include "batch/job.h"

struct envelope;
struct session;

/* What a command tells. `self` is what `begin` made. */
struct watch_ops {
	void *(*begin)(struct batch_job *job);
	void (*end)(void **self);
	/* Looks at what changed (NULL: everything) and calls `tell`, which takes the line; false from it: no more can be taken. */
	void (*look)(void *self, const struct batch_job *job, const struct changes *ch, bool (*tell)(void *ctx, json_t *line), void *ctx);
	/* Milliseconds until time alone changes something; -1: it won't. */
	dur_ms (*wait)(const void *self, const struct batch_job *job);
	/* The topics that matter most, at most `max`, borrowed until the next look. */
	size_t (*topics)(const void *self, const char **names, size_t max);
	unsigned asks;               /* ASK_*: asked for often */
};
extern const struct watch_ops watch_deletions;

/* Prints the first line and goes on. Returns the status to end with; *err is set where it says why. */
int watch_run(struct batch_job *job, struct session *ss, const struct envelope *env, struct err *err);

#endif
