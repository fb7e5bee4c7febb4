/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log to a file, never to the terminal. A line is
 *   2026-01-02T03:04:05.678Z LEVEL area: text
 * with control bytes and invalid UTF-8 escaped. Until log_open, and without a
 * file, everything is dropped.
 * A file that can't be written loses lines, never the program; a line that was cut off stays on a line of its own.
 * Thread: any (a lock around write(2); callable from library callbacks).
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

struct err;

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Appends to `path` (created 0600). Lines above `max` are dropped. */
bool log_open(const char *path, enum log_level max, struct err *err) __attribute__((warn_unused_result));
void log_close(void);
/* True once after a line was lost since log_open: `err` says which file, and why. */
bool log_take_failure(struct err *err);
/* The descriptor, to point standard error at while the screen is up; -1 when closed. */
int log_fd(void);
void log_put(enum log_level level, const char *area, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
