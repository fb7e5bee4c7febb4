/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The few typed getters over jansson that all readers share, with the path of
 * the field in each error ("partitions.3[1]: expected a number, found a string").
 *
 * Reading: json_read() then getters. A getter for an optional field leaves
 * *out alone and returns true when the field is missing or null.
 * Numbers are integers within the named range; 3.0 is taken for 3, as Jackson
 * does; anything else is a format error.
 * Thread: any; a json_t belongs to one thread at a time.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct strbuf;

enum { JSON_INPUT_MAX_BYTES = 16 * 1024 * 1024, JSON_DEPTH_MAX = 64 };

/* Parses data[0..n) as one JSON value of any kind. Duplicate keys: the last
 * wins (as Jackson's tree reader), at the place of the first. Trailing bytes,
 * empty input, invalid UTF-8, NaN, integers that no int64_t holds: ERR_FORMAT
 * with line and column. More than JSON_INPUT_MAX_BYTES, or nested deeper than
 * JSON_DEPTH_MAX: ERR_LIMIT.
 * Caller owns the result (json_decref). */
json_t *json_read(const char *data, size_t n, struct err *err) __attribute__((warn_unused_result));
/* The same, and the top must be an object. */
json_t *json_read_object(const char *data, size_t n, struct err *err) __attribute__((warn_unused_result));

/* What a value is, for messages: "a number", "a string", "null", "an object", ... */
const char *json_kind(const json_t *v);

bool json_need_i64(const json_t *obj, const char *key, int64_t min, int64_t max, int64_t *out, struct err *err) __attribute__((warn_unused_result));
bool json_opt_i64(const json_t *obj, const char *key, int64_t min, int64_t max, int64_t *out, struct err *err) __attribute__((warn_unused_result));
/* Strings are borrowed from `obj`. One that holds a NUL (\u0000) is a format error. */
bool json_need_str(const json_t *obj, const char *key, const char **out, struct err *err) __attribute__((warn_unused_result));
bool json_opt_str(const json_t *obj, const char *key, const char **out, struct err *err) __attribute__((warn_unused_result));
/* Objects and arrays are borrowed. */
bool json_need_obj(const json_t *obj, const char *key, json_t **out, struct err *err) __attribute__((warn_unused_result));
bool json_opt_obj(const json_t *obj, const char *key, json_t **out, struct err *err) __attribute__((warn_unused_result));
bool json_need_arr(const json_t *obj, const char *key, json_t **out, struct err *err) __attribute__((warn_unused_result));
bool json_opt_arr(const json_t *obj, const char *key, json_t **out, struct err *err) __attribute__((warn_unused_result));

/* Building. Strings and keys that are not UTF-8 are stored in their printable form (base/utf8). */
json_t *json_text(const char *s);                       /* new reference; NULL s gives null */
void json_put(json_t *obj, const char *key, json_t *v); /* takes v */
void json_push(json_t *arr, json_t *v);                 /* takes v */
/* Appends as compact JSON on one line, keys in order of insertion. Safe on a
 * terminal: what utf8_printable would mark stands as \uNNNN. */
void json_write(struct strbuf *out, const json_t *v);

/* The library behind it and its version: "jansson 2.14". Static storage. */
const char *json_library(void);

#endif
