/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marked topics (core/choice) as a file. It is written beside its place, synced and then put there, so that what was saved before is
 * whole until the new one is.
 * A name may begin with ~/.
 * Thread: UI thread; waits for a disk.
 */
#ifndef APP_MARKFILE_H
#define APP_MARKFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"
#include "core/choice.h"

struct err;

/* ERR_REFUSED: it is there already, and `overwrite` is false. *n_left_out: names that Kafka does not allow, which are not in it. */
bool markfile_save(const char *path, bool overwrite, const struct choice *ch, const struct cluster *cl, const struct policy *po, wall_ms now,
	size_t *n_left_out, struct err *err) __attribute__((warn_unused_result));
/* Marks what it names; what came of that is in *out. On failure nothing is marked. */
bool markfile_load(const char *path, struct choice *ch, const struct cluster *cl, const struct policy *po, struct choice_loaded *out,
	struct err *err) __attribute__((warn_unused_result));

#endif
