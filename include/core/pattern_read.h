/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From Java's regular expressions to PCRE2's. Private to core/pattern.
 * Thread: any (pure).
 */
#ifndef CORE_PATTERN_READ_H
#define CORE_PATTERN_READ_H

#include <stdbool.h>

struct err;
struct strbuf;

/* Appends what PCRE2 is to compile in place of `prepared`. False when that is no pattern for Java, or
 * one that the two may not read alike: the error quotes it and names the column. `err` is not NULL. */
bool pattern_rewrite(const char *prepared, struct strbuf *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
