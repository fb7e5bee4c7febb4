/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whom a command asks, how long it waits, and what came of it: ZooKeeper, brokers,
 * or both, each of which may fail by itself.
 * Thread: UI thread.
 */
#ifndef BATCH_ASKING_H
#define BATCH_ASKING_H

#include <stdbool.h>

#include "app/session.h"
#include "base/err.h"

struct batch_command;
struct batch_job;
struct options;
struct reach;

/* A broker that is silent for so long is given up while others have answered; --timeout gives it three quarters of its time instead, so that
 * the rest is told in time. */
enum { ASKING_PATIENCE_MS = 10000 };

/* What came of a source: not asked, live, or failed and why. */
struct asked {
	bool is_asked, has_failed;
	char text[ERR_TEXT_MAX + 16]; /* "not asked", "live", "failed: why" */
};
void asked_fail(struct asked *sd, const struct err *why);
const char *asked_reason(const struct asked *sd); /* why it has failed */

struct asking {
	struct session_ask ask;
	struct asked zookeeper, brokers;
	int signal;                   /* one came meanwhile; 0 none */
};

/* By --from, the options that say where the cluster is, and what the command is about. False (ERR_USAGE) when nobody is
 * left to ask. */
bool asking_init(struct asking *as, const struct options *opt, const struct reach *reach, const struct batch_command *command,
	struct err *err) __attribute__((warn_unused_result));
/* Nobody is asked. */
void asking_nobody(struct asking *as);
/* Waits until every source has said all or has failed, at most --timeout. */
void asking_wait(struct asking *as, struct session *ss, const struct options *opt);
/* Something can be answered from what came. */
bool asking_has_answer(const struct asking *as);
/* Whoever failed, in part too: warnings, one a reason. False when nothing did. */
bool asking_warn(const struct asking *as, struct batch_job *job);

#endif
