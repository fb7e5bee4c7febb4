/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the decoders of znode payloads share: Kafka's strict reading of JSON
 * (kafka.utils.json.DecodeJson over Jackson), which base/json's getters are
 * milder than: an Int is an integer of 32 bits and nothing else (no 1.0, no
 * "1"), and null is a value like any other, not the same as missing.
 * Private to src/core/zkdata*.c. Thread: any (pure).
 */
#ifndef CORE_ZKDATA_READ_H
#define CORE_ZKDATA_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "core/ids.h"

struct err;

/* One JSON value. As Jackson does, a byte order mark is stepped over and what follows the closing
 * bracket of the value is not looked at. Caller owns the result. */
json_t *zkread_value(const char *data, size_t n, struct err *err);
/* The same, and it must be an object. No bytes at all: "empty data". */
json_t *zkread_object(const char *data, size_t n, struct err *err);

bool zkread_is_int32(const json_t *v);
/* An Int. `what` names it in the error. */
bool zkread_int32(const json_t *v, const char *what, int32_t *out, struct err *err);
bool zkread_need_int32(const json_t *obj, const char *key, int32_t *out, struct err *err);
/* Always false, with "<what>: expected <expected>, found ...": a number is shown, else its kind is. */
bool zkread_unexpected(const char *what, const char *expected, const json_t *v, struct err *err);

/* A list of Ints, as "field[i]" or "field.key[i]" in errors (key may be NULL). With `quoted`, strings that
 * spell an Int are taken too, and *quoted is set when one was. On failure *out is left alone. */
bool zkread_ids(const json_t *v, const char *field, const char *key, bool *quoted, struct ids *out, struct err *err);

/* Java's Integer.parseInt: an optional sign, then digits to the end. False when it isn't, or doesn't fit. */
bool zkread_parse_int(const char *s, size_t n, int32_t *out);

/* A field "timestamp": milliseconds as a string, or a number; anything else is {0}. */
wall_ms zkread_timestamp(const json_t *obj);

/* A copy (mem_free) of a string that holds no NUL; of any other value, its JSON text. */
char *zkread_text(const json_t *v);

#endif
