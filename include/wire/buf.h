/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounded writer and reader of the Kafka protocol's primitive types, each with
 * a sticky error: integers, varints, strings, bytes, arrays, tagged fields.
 *
 * Both know whether the message is `is_flexible` (KIP-482). The calls are the
 * same for both forms, so a codec is written once: strings, bytes and counts
 * take their classic or compact form, tagged fields are there or not.
 *
 * After the first error a reader gives zeros, a writer drops what it is given,
 * and the error stays: "leader at byte 37 of 62: needs 4 bytes, 2 are left".
 * Bytes are counted from the start of what the reader was given. `what` names
 * the field and is a literal.
 * Source of the forms: Kafka's protocol guide; org.apache.kafka.common.protocol
 * (ByteBufferAccessor, types.Type) and the generated message classes, 2.5 to 3.9.
 * Big-endian everywhere.
 * Thread: any (pure); a reader or writer belongs to one thread at a time.
 */
#ifndef WIRE_BUF_H
#define WIRE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

enum {
	WIRE_FRAME_MAX_BYTES = 100 * 1024 * 1024, /* socket.request.max.bytes of brokers; ours for answers, too */
	WIRE_STRING_MAX = 32767,                  /* bytes; generated classes refuse more in compact form, too */
	WIRE_UUID_BYTES = 16
};

/* ---- reader ---------------------------------------------------------------- */

struct wire_reader {
	const uint8_t *data; /* borrowed */
	size_t n, at;        /* size and position, bytes; after an error n is cut to `at`: nothing is left */
	size_t whole;        /* size as given, for messages */
	bool is_flexible;
	struct err err;
};

void wire_reader_init(struct wire_reader *rd, const void *data, size_t n, bool is_flexible);
bool wire_reader_ok(const struct wire_reader *rd);
size_t wire_reader_left(const struct wire_reader *rd);
/* Sets the sticky error, of a field that begins at byte `at`: "<what> at byte .. of ..: ". */
void wire_reader_fail(struct wire_reader *rd, enum err_code code, const char *what, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* True when all went well and every byte was read. Else false with the sticky error, or one about the
 * bytes left over, in `err`. */
bool wire_reader_end(struct wire_reader *rd, struct err *err) __attribute__((warn_unused_result));

int8_t wire_get_i8(struct wire_reader *rd, const char *what);
int16_t wire_get_i16(struct wire_reader *rd, const char *what);
int32_t wire_get_i32(struct wire_reader *rd, const char *what);
int64_t wire_get_i64(struct wire_reader *rd, const char *what);
bool wire_get_bool(struct wire_reader *rd, const char *what); /* any byte but 0 is true, as in Kafka */
/* At most five bytes; more than 32 bits are an error. */
uint32_t wire_get_uvarint(struct wire_reader *rd, const char *what);
void wire_get_uuid(struct wire_reader *rd, uint8_t out[WIRE_UUID_BYTES], const char *what);
/* An INT32 within [0, PARTITIONS_MAX) of core/ids.h: another one is an error. */
int32_t wire_get_partition(struct wire_reader *rd, const char *what);

/* Bytes within the reader's, borrowed; `s` is NULL for null (and after an error). */
struct wire_span {
	const char *s;
	size_t n;
};
struct wire_span wire_get_string(struct wire_reader *rd, const char *what);         /* null is an error */
struct wire_span wire_get_string_or_null(struct wire_reader *rd, const char *what);
struct wire_span wire_get_bytes(struct wire_reader *rd, const char *what);          /* null is an error */

/* Strings as NUL-terminated copies in `ar`; not checked for UTF-8. With `ar` NULL they are checked all
 * the same but not copied: NULL. NULL after an error. In a name a NUL byte is an error, for what is
 * compared must be whole; in a text (messages, values) it becomes U+FFFD. */
const char *wire_get_name(struct wire_reader *rd, struct arena *ar, const char *what); /* null is an error */
const char *wire_get_name_or_null(struct wire_reader *rd, struct arena *ar, const char *what);
const char *wire_get_text_or_null(struct wire_reader *rd, struct arena *ar, const char *what);

/* The number of elements of an array, null being an error. Elements take at least so many bytes in
 * the classic and in the compact form (> 0): a count for which too few bytes are left is an error here, so that
 * what is allocated or looped over is never more than what came. */
uint32_t wire_get_count(struct wire_reader *rd, size_t least_classic, size_t least_compact, const char *what);
/* The tagged fields at the end of a struct, skipped by their sizes. Nothing in the classic form. */
void wire_skip_tags(struct wire_reader *rd);

/* ---- writer ---------------------------------------------------------------- */

struct wire_writer {
	uint8_t *data;      /* heap, the writer's */
	size_t n, cap, max; /* bytes */
	bool is_flexible;
	struct err err;
};

/* `max_bytes`: more is an error (ERR_LIMIT). */
void wire_writer_init(struct wire_writer *wr, size_t max_bytes);
/* Overwrites what was written, for it may hold a password. */
void wire_writer_fini(struct wire_writer *wr);
/* Empty and without an error, to be used again. Overwrites as well. */
void wire_writer_clear(struct wire_writer *wr);
/* False with the sticky error in `err`, if there is one. */
bool wire_writer_end(struct wire_writer *wr, struct err *err) __attribute__((warn_unused_result));

void wire_put_i8(struct wire_writer *wr, int8_t v);
void wire_put_i16(struct wire_writer *wr, int16_t v);
void wire_put_i32(struct wire_writer *wr, int32_t v);
void wire_put_i64(struct wire_writer *wr, int64_t v);
void wire_put_bool(struct wire_writer *wr, bool v);
void wire_put_uvarint(struct wire_writer *wr, uint32_t v);
void wire_put_uuid(struct wire_writer *wr, const uint8_t v[WIRE_UUID_BYTES]); /* NULL: all zero */
/* NULL is null. Over WIRE_STRING_MAX: ERR_LIMIT. */
void wire_put_string(struct wire_writer *wr, const char *s, const char *what);
void wire_put_bytes(struct wire_writer *wr, const void *v, size_t n, const char *what);
void wire_put_count(struct wire_writer *wr, size_t n, const char *what);
void wire_put_null_array(struct wire_writer *wr);
/* "No tagged fields", at the end of each struct. Nothing in the classic form. */
void wire_put_tags(struct wire_writer *wr);
/* Puts v at byte `at`, which is written already. */
void wire_patch_i32(struct wire_writer *wr, size_t at, int32_t v);

/* Partitions by topic, as many requests have them: array of { string, array of INT32 }. */
struct wire_topic_parts {
	const char *topic;
	const int32_t *partitions;
	size_t n_partitions;
};
/* `v` NULL is a null array. */
void wire_put_topic_parts(struct wire_writer *wr, const struct wire_topic_parts *v, size_t n);

#endif
