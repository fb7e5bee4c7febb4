/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kafka's topic pattern: prepared as kafka-topics does (TopicFilter / IncludeList: blanks and outer quotes dropped, commas
 * become "|"), matched on the whole name by PCRE2 with JIT in bounded time. Syntax that Java and PCRE2 read
 * differently is refused, never silently reinterpreted. Reference section 7.
 * Thread: one at a time per pattern.
 */
#ifndef CORE_PATTERN_H
#define CORE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct pattern;

enum { PATTERN_MAX_BYTES = 8192 };

/* An empty pattern is an error too: for Kafka it matches nothing. Errors name the column in the prepared pattern. */
struct pattern *pattern_new(const char *typed, struct err *err) __attribute__((warn_unused_result));
void pattern_free(struct pattern **pp);
/* The pattern after preparation, e.g. "a|b". */
const char *pattern_prepared(const struct pattern *pn);

enum pattern_match { PATTERN_NO, PATTERN_YES, PATTERN_GAVE_UP };
/* PATTERN_GAVE_UP: a match limit was reached ("err" says so). */
enum pattern_match pattern_test(struct pattern *pn, const char *name, struct err *err);

#endif
