/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty strbuf points at a shared, empty text and owns nothing (cap 0):
 * that text is never written to, since other threads read it.
 */
#include "base/str.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { STRBUF_FIRST_BYTES = 64 };

static char strbuf_nothing[1];

bool str_copy(char *dst, size_t size, const char *src)
{
	return str_copyn(dst, size, src, SIZE_MAX);
}

bool str_copyn(char *dst, size_t size, const char *src, size_t n)
{
	size_t len;
	bool fits;

	assert(size > 0);
	/* No need to walk a long text to its end to know that it is too long. */
	len = strnlen(src, n < size ? n : size);
	fits = len < size;
	if (!fits)
		len = size - 1;
	memcpy(dst, src, len);
	dst[len] = '\0';
	return fits;
}

bool str_printf(char *dst, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	assert(size > 0);
	va_start(ap, fmt);
	n = vsnprintf(dst, size, fmt, ap);
	va_end(ap);
	assert(n >= 0);
	return (size_t)n < size;
}

bool str_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

const char *str_path_tail(const char *path, size_t max)
{
	size_t len = strlen(path);
	const char *tail = path;

	if (len <= max)
		return path;
	for (const char *at = path; (at = strchr(at, '/')) != NULL && at[1] != '\0'; at++) {
		tail = at;
		if ((size_t)(path + len - at) <= max)
			break;
	}
	return tail;
}

/* By rows of the usual table. */
size_t str_distance(const char *a, const char *b)
{
	size_t rows[3][STR_DISTANCE_MAX + 1], *two = rows[0], *one = rows[1], *row = rows[2];
	size_t n = strnlen(a, STR_DISTANCE_MAX + 1), m = strnlen(b, STR_DISTANCE_MAX + 1);

	if (n > STR_DISTANCE_MAX || m > STR_DISTANCE_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *spare = two;

		two = one;
		one = row;
		row = spare;
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = one[j - 1] + (a[i - 1] != b[j - 1]);

			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (one[j] + 1 < best)
				best = one[j] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && two[j - 2] + 1 < best)
				best = two[j - 2] + 1;
			row[j] = best;
		}
	}
	return row[m];
}

bool str_is_near(const char *typed, const char *meant, size_t *distance)
{
	size_t n = strlen(typed), m = strlen(meant), most = m / 3 > 1 ? m / 3 : 1;

	*distance = str_distance(typed, meant);
	/* One of two letters may be wrong, not all of them. */
	return *distance <= most && *distance < m && *distance < n;
}

/* tolower(3) asks the locale. */
static char str_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool str_case_starts(const char *s, const char *prefix)
{
	while (*prefix && str_lower(*s) == str_lower(*prefix)) {
		s++;
		prefix++;
	}
	return *prefix == '\0';
}

const char *str_casefind(const char *s, const char *needle)
{
	for (;; s++) {
		if (str_case_starts(s, needle))
			return s;
		if (*s == '\0')
			return NULL;
	}
}

/* Counts downwards, for INT64_MIN has no positive twin. */
static bool str_read_negative(const char *s, int64_t *out)
{
	int64_t v = 0;

	if (*s == '\0')
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return false;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, *s - '0', &v))
			return false;
	}
	*out = v;
	return true;
}

bool str_to_i64(const char *s, int64_t min, int64_t max, int64_t *out)
{
	bool is_negative = *s == '-';
	int64_t v;

	if (!str_read_negative(is_negative ? s + 1 : s, &v))
		return false;
	if (!is_negative && __builtin_sub_overflow(0, v, &v))
		return false;
	if (v < min || v > max)
		return false;
	*out = v;
	return true;
}

/* ---- strbuf -------------------------------------------------------------- */

/* Makes room for `more` bytes and the NUL. */
static void strbuf_grow(struct strbuf *sb, size_t more)
{
	size_t need, cap = sb->cap;

	/* The sum overflows on a bug only; mem_realloc_array would not see it. */
	assert(more < SIZE_MAX / 2 && sb->len < SIZE_MAX / 2);
	need = sb->len + more + 1;
	if (need <= cap)
		return;
	cap = cap < STRBUF_FIRST_BYTES ? STRBUF_FIRST_BYTES : cap * 2;
	if (cap < need)
		cap = need;
	sb->s = mem_realloc_array(sb->cap ? sb->s : NULL, cap, 1);
	sb->cap = cap;
}

void strbuf_init(struct strbuf *sb)
{
	sb->s = strbuf_nothing;
	sb->len = 0;
	sb->cap = 0;
}

void strbuf_fini(struct strbuf *sb)
{
	if (sb->cap)
		mem_free(&sb->s);
	strbuf_init(sb);
}

void strbuf_clear(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->cap)
		sb->s[0] = '\0';
}

void strbuf_put(struct strbuf *sb, const char *s)
{
	strbuf_putn(sb, s, strlen(s));
}

void strbuf_putn(struct strbuf *sb, const char *s, size_t n)
{
	if (n == 0)
		return;
	strbuf_grow(sb, n);
	memcpy(sb->s + sb->len, s, n);
	sb->len += n;
	sb->s[sb->len] = '\0';
}

void strbuf_putc(struct strbuf *sb, char c)
{
	strbuf_putn(sb, &c, 1);
}

void strbuf_printf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_vprintf(struct strbuf *sb, const char *fmt, va_list ap)
{
	size_t room;
	va_list again;
	int n;

	/* With this room most texts fit at the first attempt. */
	strbuf_grow(sb, STRBUF_FIRST_BYTES - 1);
	room = sb->cap - sb->len;
	va_copy(again, ap);
	n = vsnprintf(sb->s + sb->len, room, fmt, ap);
	assert(n >= 0);
	if ((size_t)n >= room) {
		strbuf_grow(sb, (size_t)n);
		vsnprintf(sb->s + sb->len, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	sb->len += (size_t)n;
}

char *strbuf_take(struct strbuf *sb)
{
	char *s = sb->cap ? sb->s : mem_strdup("");

	strbuf_init(sb);
	return s;
}
