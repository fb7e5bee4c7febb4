/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a string, and how to cut it up. Borrowed bytes, not terminated. Thread: any (pure). */
#ifndef CORE_SPAN_H
#define CORE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
	const char *s;
	size_t n;
};

/* What Java's String.trim drops, but for control bytes. */
static inline bool span_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline struct span span_trim(struct span sp)
{
	while (sp.n > 0 && span_is_blank(sp.s[sp.n - 1]))
		sp.n--;
	while (sp.n > 0 && span_is_blank(sp.s[0]))
		sp = (struct span){ sp.s + 1, sp.n - 1 };
	return sp;
}

/* All of it when there is no `c`. */
static inline struct span span_until(struct span sp, char c)
{
	const char *at = memchr(sp.s, c, sp.n);

	return (struct span){ sp.s, at ? (size_t)(at - sp.s) : sp.n };
}

/* What is behind `part`, a beginning of `sp`, and one separator. */
static inline struct span span_behind(struct span sp, struct span part)
{
	size_t skip = part.n < sp.n ? part.n + 1 : sp.n;

	return (struct span){ sp.s + skip, sp.n - skip };
}

static inline bool span_has(struct span sp, char c)
{
	return memchr(sp.s, c, sp.n) != NULL;
}

#endif
