/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The write port: the only calls that change a cluster. Kept apart from everything that reads on purpose: of app only app/gate
 * includes this, and without --operate none is built.
 *
 * A call hands a request over and returns at once; what came of it (core/outcome.h) arrives as EV_OUTCOME under the same id, exactly
 * one a request, whatever happens (a connection lost in flight is OUTCOME_UNKNOWN, never a second try).
 * Thread: UI thread.
 */
#ifndef CORE_PORT_WRITE_H
#define CORE_PORT_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct err;

struct port_write {
	void *ctx;
	/* DeleteTopics (API 20, v1 to v5) to the controller, all names in one request. False: it can't be handed over (err), nothing was sent and no outcome comes. */
	bool (*delete_topics)(void *ctx, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err);
	/* Creates /admin/delete_topics/<name>, empty, with the access list of its parent. */
	bool (*create_marker)(void *ctx, uint64_t id, const char *name, struct err *err);
	/* Deletes /controller if its czxid is still this one. */
	bool (*move_controller)(void *ctx, uint64_t id, int64_t czxid, struct err *err);
};

#endif
