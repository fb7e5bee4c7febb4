/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An error cuts the reader to nothing left, so that the paths without an error
 * have one comparison a field and every later read fails by itself; err_set
 * keeps the first sentence.
 */
#include "wire/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "core/ids.h"

enum { UVARINT_MAX_BYTES = 5, WRITER_CAP_FIRST = 256 };

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* ---- reader ---------------------------------------------------------------- */

void wire_reader_init(struct wire_reader *rd, const void *data, size_t n, bool is_flexible)
{
	assert(data || n == 0);
	rd->data = data ? data : (const void *)"";
	rd->n = rd->whole = n;
	rd->at = 0;
	rd->is_flexible = is_flexible;
	err_init(&rd->err);
}

bool wire_reader_ok(const struct wire_reader *rd)
{
	return rd->err.code == ERR_NONE;
}

size_t wire_reader_left(const struct wire_reader *rd)
{
	return rd->n - rd->at;
}

void wire_reader_fail(struct wire_reader *rd, enum err_code code, const char *what, size_t at, const char *fmt, ...)
{
	char text[ERR_TEXT_MAX];
	va_list ap;

	if (!wire_reader_ok(rd))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(&rd->err, code, "%s at byte %zu of %zu: %s", what, at, rd->whole, text);
	rd->n = rd->at;
}

bool wire_reader_end(struct wire_reader *rd, struct err *err)
{
	if (wire_reader_ok(rd) && wire_reader_left(rd) > 0)
		wire_reader_fail(rd, ERR_FORMAT, "the end", rd->at, "%zu bytes are left over", wire_reader_left(rd));
	if (wire_reader_ok(rd))
		return true;
	return err_set(err, rd->err.code, "%s", rd->err.text);
}

/* The next n bytes, NULL when there aren't so many. */
static const uint8_t *take(struct wire_reader *rd, size_t n, const char *what)
{
	const uint8_t *p = rd->data + rd->at;

	if (n > rd->n - rd->at) {
		wire_reader_fail(rd, ERR_FORMAT, what, rd->at, "needs %zu bytes, %zu are left", n, rd->n - rd->at);
		return NULL;
	}
	rd->at += n;
	return p;
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

int8_t wire_get_i8(struct wire_reader *rd, const char *what)
{
	const uint8_t *p = take(rd, 1, what);

	return p ? (int8_t)p[0] : 0;
}

int16_t wire_get_i16(struct wire_reader *rd, const char *what)
{
	const uint8_t *p = take(rd, 2, what);

	return p ? (int16_t)(p[0] << 8 | p[1]) : 0;
}

int32_t wire_get_i32(struct wire_reader *rd, const char *what)
{
	const uint8_t *p = take(rd, 4, what);

	return p ? (int32_t)be32(p) : 0;
}

int64_t wire_get_i64(struct wire_reader *rd, const char *what)
{
	const uint8_t *p = take(rd, 8, what);

	return p ? (int64_t)((uint64_t)be32(p) << 32 | be32(p + 4)) : 0;
}

bool wire_get_bool(struct wire_reader *rd, const char *what)
{
	return wire_get_i8(rd, what) != 0;
}

uint32_t wire_get_uvarint(struct wire_reader *rd, const char *what)
{
	size_t at = rd->at;
	uint64_t v = 0;

	for (int i = 0; i < UVARINT_MAX_BYTES; i++) {
		const uint8_t *p = take(rd, 1, what);

		if (!p)
			return 0;
		v |= (uint64_t)(*p & 0x7f) << (7 * i);
		if (!(*p & 0x80) && v <= UINT32_MAX)
			return (uint32_t)v;
	}
	wire_reader_fail(rd, ERR_FORMAT, what, at, "a varint of more than 32 bits");
	return 0;
}

void wire_get_uuid(struct wire_reader *rd, uint8_t out[WIRE_UUID_BYTES], const char *what)
{
	const uint8_t *p = take(rd, WIRE_UUID_BYTES, what);

	memset(out, 0, WIRE_UUID_BYTES);
	if (p)
		memcpy(out, p, WIRE_UUID_BYTES);
}

int32_t wire_get_partition(struct wire_reader *rd, const char *what)
{
	size_t at = rd->at;
	int32_t v = wire_get_i32(rd, what);

	if (v >= 0 && v < PARTITIONS_MAX)
		return v;
	wire_reader_fail(rd, ERR_LIMIT, what, at, "%d is no partition number (0 to %d)", (int)v, PARTITIONS_MAX - 1);
	return 0;
}

/* A length in the compact form, one more than it means, 0 being null. */
static int64_t compact_length(struct wire_reader *rd, const char *what)
{
	return (int64_t)wire_get_uvarint(rd, what) - 1;
}

/* The bytes after a length, which stood at `at`; -1 is null. */
static struct wire_span span_of(struct wire_reader *rd, int64_t len, size_t at, const char *what)
{
	struct wire_span span = { NULL, 0 };

	if (len < -1)
		wire_reader_fail(rd, ERR_FORMAT, what, at, "a length of %lld", (long long)len);
	else if (len > (int64_t)wire_reader_left(rd))
		wire_reader_fail(rd, ERR_FORMAT, what, at, "says %lld bytes, %zu are left", (long long)len, wire_reader_left(rd));
	else if (len >= 0 && wire_reader_ok(rd))
		span = (struct wire_span){ (const char *)take(rd, (size_t)len, what), (size_t)len };
	return span;
}

static struct wire_span not_null(struct wire_reader *rd, struct wire_span span, size_t at, const char *what)
{
	if (!span.s)
		wire_reader_fail(rd, ERR_FORMAT, what, at, "null where a value must be");
	return span;
}

struct wire_span wire_get_string_or_null(struct wire_reader *rd, const char *what)
{
	size_t at = rd->at;
	int64_t len = rd->is_flexible ? compact_length(rd, what) : wire_get_i16(rd, what);

	if (len > WIRE_STRING_MAX)
		wire_reader_fail(rd, ERR_LIMIT, what, at, "a string of %lld bytes, over the bound of %d", (long long)len, WIRE_STRING_MAX);
	return span_of(rd, len, at, what);
}

struct wire_span wire_get_string(struct wire_reader *rd, const char *what)
{
	size_t at = rd->at;

	return not_null(rd, wire_get_string_or_null(rd, what), at, what);
}

struct wire_span wire_get_bytes(struct wire_reader *rd, const char *what)
{
	size_t at = rd->at;
	int64_t len = rd->is_flexible ? compact_length(rd, what) : wire_get_i32(rd, what);

	return not_null(rd, span_of(rd, len, at, what), at, what);
}

static const char *copy_name(struct wire_reader *rd, struct arena *ar, struct wire_span span, size_t at, const char *what)
{
	if (!span.s)
		return NULL;
	if (memchr(span.s, '\0', span.n)) {
		wire_reader_fail(rd, ERR_FORMAT, what, at, "a NUL in a name");
		return NULL;
	}
	return ar ? arena_strndup(ar, span.s, span.n) : NULL;
}

const char *wire_get_name(struct wire_reader *rd, struct arena *ar, const char *what)
{
	size_t at = rd->at;

	return copy_name(rd, ar, wire_get_string(rd, what), at, what);
}

const char *wire_get_name_or_null(struct wire_reader *rd, struct arena *ar, const char *what)
{
	size_t at = rd->at;

	return copy_name(rd, ar, wire_get_string_or_null(rd, what), at, what);
}

static size_t count_nuls(struct wire_span span)
{
	size_t n = 0;

	for (size_t i = 0; i < span.n; i++)
		n += span.s[i] == '\0';
	return n;
}

const char *wire_get_text_or_null(struct wire_reader *rd, struct arena *ar, const char *what)
{
	struct wire_span span = wire_get_string_or_null(rd, what);
	char *text, *to;

	if (!span.s || !ar)
		return NULL;
	to = text = arena_alloc(ar, span.n + count_nuls(span) * (sizeof(replacement) - 2) + 1);
	for (size_t i = 0; i < span.n; i++) {
		if (span.s[i] != '\0') {
			*to++ = span.s[i];
		} else {
			memcpy(to, replacement, sizeof(replacement) - 1);
			to += sizeof(replacement) - 1;
		}
	}
	return text;
}

uint32_t wire_get_count(struct wire_reader *rd, size_t least_classic, size_t least_compact, const char *what)
{
	size_t at = rd->at, least = rd->is_flexible ? least_compact : least_classic;
	int64_t n = rd->is_flexible ? compact_length(rd, what) : wire_get_i32(rd, what);

	assert(least > 0);
	if (!wire_reader_ok(rd))
		return 0;
	if (n >= 0 && (uint64_t)n <= wire_reader_left(rd) / least)
		return (uint32_t)n;
	if (n < 0)
		wire_reader_fail(rd, ERR_FORMAT, what, at, n == -1 ? "null where an array must be" : "a count of %lld", (long long)n);
	else
		wire_reader_fail(rd, ERR_FORMAT, what, at, "says %lld elements of at least %zu bytes, %zu bytes are left",
				 (long long)n, least, wire_reader_left(rd));
	return 0;
}

void wire_skip_tags(struct wire_reader *rd)
{
	uint32_t n;

	if (!rd->is_flexible)
		return;
	n = wire_get_uvarint(rd, "tagged fields");
	for (; n > 0 && wire_reader_ok(rd); n--) {
		wire_get_uvarint(rd, "tag");
		take(rd, wire_get_uvarint(rd, "tag size"), "tagged field");
	}
}

/* ---- writer ---------------------------------------------------------------- */

void wire_writer_init(struct wire_writer *wr, size_t max_bytes)
{
	memset(wr, 0, sizeof(*wr));
	wr->max = max_bytes;
	err_init(&wr->err);
}

void wire_writer_fini(struct wire_writer *wr)
{
	wire_writer_clear(wr);
	mem_free(&wr->data);
	wr->cap = 0;
}

void wire_writer_clear(struct wire_writer *wr)
{
	if (wr->data)
		explicit_bzero(wr->data, wr->n);
	wr->n = 0;
	wr->is_flexible = false;
	err_init(&wr->err);
}

bool wire_writer_end(struct wire_writer *wr, struct err *err)
{
	return wr->err.code == ERR_NONE || err_set(err, wr->err.code, "%s", wr->err.text);
}

/* Not realloc: what was written may be a password, and is wiped where it was. */
static void grow(struct wire_writer *wr, size_t need)
{
	size_t cap = wr->cap > 0 ? wr->cap : WRITER_CAP_FIRST;
	uint8_t *data;

	while (cap < need)
		cap *= 2;
	data = mem_alloc(cap);
	if (wr->data) {
		memcpy(data, wr->data, wr->n);
		explicit_bzero(wr->data, wr->n);
		mem_free(&wr->data);
	}
	wr->data = data;
	wr->cap = cap;
}

static void put(struct wire_writer *wr, const void *v, size_t n)
{
	if (wr->err.code != ERR_NONE)
		return;
	if (n > wr->max - wr->n) {
		err_set(&wr->err, ERR_LIMIT, "the message at byte %zu: %zu bytes more are over its bound of %zu", wr->n, n, wr->max);
		return;
	}
	if (wr->n + n > wr->cap)
		grow(wr, wr->n + n);
	if (n > 0)
		memcpy(wr->data + wr->n, v, n);
	wr->n += n;
}

void wire_put_i8(struct wire_writer *wr, int8_t v)
{
	put(wr, &v, 1);
}

void wire_put_i16(struct wire_writer *wr, int16_t v)
{
	uint16_t u = (uint16_t)v;
	uint8_t b[] = { (uint8_t)(u >> 8), (uint8_t)u };

	put(wr, b, sizeof(b));
}

static void to_be32(uint8_t b[4], uint32_t u)
{
	for (int i = 0; i < 4; i++)
		b[i] = (uint8_t)(u >> (24 - 8 * i));
}

void wire_put_i32(struct wire_writer *wr, int32_t v)
{
	uint8_t b[4];

	to_be32(b, (uint32_t)v);
	put(wr, b, sizeof(b));
}

void wire_put_i64(struct wire_writer *wr, int64_t v)
{
	uint8_t b[8];

	to_be32(b, (uint32_t)((uint64_t)v >> 32));
	to_be32(b + 4, (uint32_t)(uint64_t)v);
	put(wr, b, sizeof(b));
}

void wire_put_bool(struct wire_writer *wr, bool v)
{
	wire_put_i8(wr, v);
}

void wire_put_uvarint(struct wire_writer *wr, uint32_t v)
{
	uint8_t b[UVARINT_MAX_BYTES];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		b[n++] = (uint8_t)(v | 0x80);
	b[n++] = (uint8_t)v;
	put(wr, b, n);
}

void wire_put_uuid(struct wire_writer *wr, const uint8_t v[WIRE_UUID_BYTES])
{
	static const uint8_t zero[WIRE_UUID_BYTES];

	put(wr, v ? v : zero, WIRE_UUID_BYTES);
}

/* The length or count n, which must not be over max. False when it is. */
static bool put_length(struct wire_writer *wr, size_t n, size_t max, bool is_short, const char *what)
{
	if (n > max) {
		err_set(&wr->err, ERR_LIMIT, "%s at byte %zu: %zu is over the protocol's bound of %zu", what, wr->n, n, max);
		return false;
	}
	if (wr->is_flexible)
		wire_put_uvarint(wr, (uint32_t)n + 1);
	else if (is_short)
		wire_put_i16(wr, (int16_t)n);
	else
		wire_put_i32(wr, (int32_t)n);
	return true;
}

void wire_put_string(struct wire_writer *wr, const char *s, const char *what)
{
	if (s && put_length(wr, strlen(s), WIRE_STRING_MAX, true, what))
		put(wr, s, strlen(s));
	else if (!s && wr->is_flexible)
		wire_put_uvarint(wr, 0);
	else if (!s)
		wire_put_i16(wr, -1);
}

void wire_put_bytes(struct wire_writer *wr, const void *v, size_t n, const char *what)
{
	if (put_length(wr, n, INT32_MAX - 1, false, what))
		put(wr, v, n);
}

void wire_put_count(struct wire_writer *wr, size_t n, const char *what)
{
	(void)put_length(wr, n, INT32_MAX - 1, false, what);
}

void wire_put_null_array(struct wire_writer *wr)
{
	if (wr->is_flexible)
		wire_put_uvarint(wr, 0);
	else
		wire_put_i32(wr, -1);
}

void wire_put_tags(struct wire_writer *wr)
{
	if (wr->is_flexible)
		wire_put_uvarint(wr, 0);
}

void wire_patch_i32(struct wire_writer *wr, size_t at, int32_t v)
{
	if (wr->err.code != ERR_NONE)
		return;
	assert(at + 4 <= wr->n);
	to_be32(wr->data + at, (uint32_t)v);
}

void wire_put_topic_parts(struct wire_writer *wr, const struct wire_topic_parts *v, size_t n)
{
	if (!v) {
		wire_put_null_array(wr);
		return;
	}
	wire_put_count(wr, n, "topics");
	for (size_t i = 0; i < n; i++) {
		wire_put_string(wr, v[i].topic, "topic");
		wire_put_count(wr, v[i].n_partitions, "partitions");
		for (size_t k = 0; k < v[i].n_partitions; k++)
			wire_put_i32(wr, v[i].partitions[k]);
		wire_put_tags(wr);
	}
}
