/* SPDX-License-Identifier: Apache-2.0 */
/* What `kafops delete` says at its end, on standard error: what a dry run leads to, and what became of those that were followed. Pure. Thread: UI thread. */
#ifndef BATCH_DELETE_WORDS_H
#define BATCH_DELETE_WORDS_H

#include <stddef.h>

struct batch_job;
struct command;

/* A topic that was asked for and has not gone. */
struct delete_left {
	const char *topic;
	char *why;              /* "waiting: broker 3 down" */
};

/* "60 topics, 92 partitions; nothing was sent. To do it: ..." A note: for people. */
void delete_say_dry_run(struct batch_job *job, const struct command *cm);
/* A warning for each reason, with the first of its topics and how many more there are. */
void delete_say_left(struct batch_job *job, const struct delete_left *left, size_t n);
/* "58 topics are gone, 2 are not yet, 1 will not go". A note. */
void delete_say_followed(struct batch_job *job, size_t n_gone, size_t n_open, size_t n_bad);

#endif
