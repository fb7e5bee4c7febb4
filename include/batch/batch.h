/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands without a screen. One table (batch/commands.def) names them, makes their help and manual section.
 * Thread: UI thread.
 */
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include <stdbool.h>
#include <stdio.h>

struct options;
struct reach;

/* It may be run though what is needed to reach the cluster has an error: `info`, which shows it, and what asks no cluster. */
bool batch_does_without_reach(const char *command);
/* Runs opt->command to its end; `reach` is borrowed. When that has an error, only a command that does without it may be run. The program's exit status. Data on standard output, messages on standard error. */
int batch_run(const struct options *opt, struct reach *reach);
/* "  topics      print the topics ..." a line each, for --help. */
void batch_usage(FILE *out);

#endif
