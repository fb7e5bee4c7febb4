/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topics that were asked for a little while ago, and nobody knows what came of it (struct command_asked). On the screen that is a warning; a batch
 * command leaves them out, for nobody would read it: until COMMAND_ASKED_HOLDS_MS are over, or the controller's epoch is another than the request's.
 * Thread: as batch/job.h.
 */
#ifndef BATCH_ASKED_BEFORE_H
#define BATCH_ASKED_BEFORE_H

#include "base/units.h"

struct batch_job;
struct command;
struct command_asked;
struct command_topic;

/* Takes them out of `cm`, by the journal, each after `fn` has seen it. What can't be read of the journal is a warning here, and refused by the gate. */
void asked_before_leave_out(struct batch_job *job, struct command *cm, void (*fn)(void *ctx, const struct command_topic *ct), void *ctx);

enum { ASKED_BEFORE_MAX = 320 };
/* A sentence for the operator; `out`. */
const char *asked_before_text(const struct command_asked *as, wall_ms now, char out[ASKED_BEFORE_MAX]);

#endif
