/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounded copies that report truncation, and the growing string buffer.
 *
 * A strbuf always holds a NUL after its `len` bytes and may hold NULs within.
 * Thread: any; a strbuf belongs to its owner.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies `src` into dst[size], always terminated. False when it was cut. */
bool str_copy(char *dst, size_t size, const char *src) __attribute__((warn_unused_result));
/* The same of at most n bytes; stops at a NUL, as strndup(3) does. */
bool str_copyn(char *dst, size_t size, const char *src, size_t n) __attribute__((warn_unused_result));
/* snprintf that says whether all of it fitted. */
bool str_printf(char *dst, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Either may be NULL, which equals NULL alone. */
bool str_same(const char *a, const char *b);
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
/* The end of a path that tells most: from a '/' on, at most `max` bytes, but its last component at least. `path` itself when all of it fits. */
const char *str_path_tail(const char *path, size_t max);
/* Finds `needle` in `s` without regard to ASCII case; NULL when absent. An empty needle matches at s. */
const char *str_casefind(const char *s, const char *needle);

/* Letters to change, leave out, add, or swap with a neighbour, to make one of the other; SIZE_MAX where either is longer than
 * STR_DISTANCE_MAX bytes. */
enum { STR_DISTANCE_MAX = 64 };
size_t str_distance(const char *a, const char *b) __attribute__((warn_unused_result));
/* Whether `typed` may be a slip for `meant`: at most a third of its letters (but one in any case) are wrong, missing, too
 * many or have changed places, and not all of them. `distance`, when true: how many. */
bool str_is_near(const char *typed, const char *meant, size_t *distance) __attribute__((warn_unused_result));

/* Whole decimal numbers: the entire string must be a number within [min, max];
 * no sign but '-', no blanks. */
bool str_to_i64(const char *s, int64_t min, int64_t max, int64_t *out) __attribute__((warn_unused_result));

struct strbuf {
	char *s;     /* never NULL after strbuf_init */
	size_t len;  /* bytes before the NUL */
	size_t cap;
};

void strbuf_init(struct strbuf *sb);
void strbuf_fini(struct strbuf *sb);
void strbuf_clear(struct strbuf *sb);
void strbuf_put(struct strbuf *sb, const char *s);
void strbuf_putn(struct strbuf *sb, const char *s, size_t n);
void strbuf_putc(struct strbuf *sb, char c);
void strbuf_printf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *sb, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Hands over the heap string (free with mem_free); the buffer is as after init. */
char *strbuf_take(struct strbuf *sb);

#endif
