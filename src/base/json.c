/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only code that calls jansson's reader and writer. Its allocator is ours,
 * set before main(), so that none of its calls fails for want of memory.
 */
#include "base/json.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

__attribute__((constructor)) static void json_use_our_memory(void)
{
	json_set_alloc_funcs(mem_alloc, free);
}

/* ---- reading ------------------------------------------------------------- */

/* Deepest nesting of brackets outside strings. Counted before the parser runs,
 * because what it returns is freed by recursion as deep as the nesting. */
static int json_depth(const char *data, size_t n)
{
	int depth = 0, deepest = 0;
	bool in_string = false;

	for (size_t i = 0; i < n; i++) {
		char c = data[i];

		if (c == '"')
			in_string = !in_string;
		else if (in_string)
			i += c == '\\';
		else if (c == '{' || c == '[')
			deepest = ++depth > deepest ? depth : deepest;
		else if (c == '}' || c == ']')
			depth--;
	}
	return deepest;
}

/* What jansson does not refuse by itself. */
static bool json_may_be_read(const char *data, size_t n, struct err *err)
{
	const char *nul;

	if (n > JSON_INPUT_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "JSON of %zu bytes, the limit is %d",
			       n, JSON_INPUT_MAX_BYTES);
	if (n == 0)
		return err_set(err, ERR_FORMAT, "bad JSON at line 1 column 0: it is empty");
	/* jansson 2.14 takes a NUL for the end, whatever follows it. */
	nul = memchr(data, '\0', n);
	if (nul)
		return err_set(err, ERR_FORMAT, "bad JSON at byte %zu: a NUL", (size_t)(nul - data));
	if (json_depth(data, n) > JSON_DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "JSON is nested more than %d deep", JSON_DEPTH_MAX);
	return true;
}

json_t *json_read(const char *data, size_t n, struct err *err)
{
	json_error_t error;
	json_t *v;

	if (!json_may_be_read(data, n, err))
		return NULL;
	v = json_loadb(data, n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	if (!v)
		err_set(err, ERR_FORMAT, "bad JSON at line %d column %d: %s",
			error.line, error.column, error.text);
	return v;
}

json_t *json_read_object(const char *data, size_t n, struct err *err)
{
	json_t *v = json_read(data, n, err);

	if (v && !json_is_object(v)) {
		err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(v));
		json_decref(v);
		v = NULL;
	}
	return v;
}

const char *json_kind(const json_t *v)
{
	if (!v)
		return "nothing";
	switch (json_typeof(v)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "a boolean";
	case JSON_NULL:
		return "null";
	}
	return "an unknown value";
}

/* ---- getters ------------------------------------------------------------- */

static bool json_is_missing(const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_object(obj) && (!v || json_is_null(v));
}

/* The value of a field that must be there; NULL after an error. */
static json_t *json_need(const json_t *obj, const char *key, struct err *err)
{
	json_t *v = json_object_get(obj, key);

	if (!json_is_object(obj))
		err_set(err, ERR_FORMAT, "%s: expected in an object, found %s", key, json_kind(obj));
	else if (!v)
		err_set(err, ERR_FORMAT, "%s: missing", key);
	return v;
}

static bool json_wrong_kind(const char *what, const char *expected, const json_t *v, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: expected %s, found %s", what, expected, json_kind(v));
}

/* 3.0 is 3; 3.5 and what no int64_t holds is nothing. */
static bool json_whole(const json_t *v, int64_t *out)
{
	double real;

	if (json_is_integer(v)) {
		*out = json_integer_value(v);
		return true;
	}
	real = json_real_value(v);
	if (!(real >= -0x1p63 && real < 0x1p63))
		return false;
	*out = (int64_t)real;
	return (double)*out == real;
}

/* A value that is itself an integer. `what` names it in the error. */
static bool json_to_i64(const json_t *v, const char *what, int64_t min, int64_t max, int64_t *out, struct err *err)
{
	int64_t n;

	if (!json_is_number(v))
		return json_wrong_kind(what, "a number", v, err);
	if (!json_whole(v, &n))
		return err_set(err, ERR_FORMAT, "%s: expected a whole number, found %.17g",
			       what, json_real_value(v));
	if (n < min || n > max)
		return err_set(err, ERR_FORMAT, "%s: %lld is not within %lld and %lld", what,
			       (long long)n, (long long)min, (long long)max);
	*out = n;
	return true;
}

bool json_need_i64(const json_t *obj, const char *key, int64_t min, int64_t max, int64_t *out, struct err *err)
{
	const json_t *v = json_need(obj, key, err);

	return v && json_to_i64(v, key, min, max, out, err);
}

bool json_opt_i64(const json_t *obj, const char *key, int64_t min, int64_t max, int64_t *out, struct err *err)
{
	return json_is_missing(obj, key) || json_need_i64(obj, key, min, max, out, err);
}

bool json_need_str(const json_t *obj, const char *key, const char **out, struct err *err)
{
	const json_t *v = json_need(obj, key, err);

	if (!v)
		return false;
	if (!json_is_string(v))
		return json_wrong_kind(key, "a string", v, err);
	/* It would end there for us, and not for the one who wrote it. */
	if (strlen(json_string_value(v)) != json_string_length(v))
		return err_set(err, ERR_FORMAT, "%s: the string holds a NUL", key);
	*out = json_string_value(v);
	return true;
}

bool json_opt_str(const json_t *obj, const char *key, const char **out, struct err *err)
{
	return json_is_missing(obj, key) || json_need_str(obj, key, out, err);
}

bool json_need_obj(const json_t *obj, const char *key, json_t **out, struct err *err)
{
	json_t *v = json_need(obj, key, err);

	if (!v)
		return false;
	if (!json_is_object(v))
		return json_wrong_kind(key, "an object", v, err);
	*out = v;
	return true;
}

bool json_opt_obj(const json_t *obj, const char *key, json_t **out, struct err *err)
{
	return json_is_missing(obj, key) || json_need_obj(obj, key, out, err);
}

bool json_need_arr(const json_t *obj, const char *key, json_t **out, struct err *err)
{
	json_t *v = json_need(obj, key, err);

	if (!v)
		return false;
	if (!json_is_array(v))
		return json_wrong_kind(key, "an array", v, err);
	*out = v;
	return true;
}

bool json_opt_arr(const json_t *obj, const char *key, json_t **out, struct err *err)
{
	return json_is_missing(obj, key) || json_need_arr(obj, key, out, err);
}

/* ---- building ------------------------------------------------------------ */

/* `s` itself, or its printable form, kept in `scratch`, when it isn't UTF-8. */
static const char *json_as_utf8(const char *s, struct strbuf *scratch)
{
	size_t n = strlen(s);

	if (utf8_is_valid(s, n))
		return s;
	utf8_printable(scratch, s, n, false);
	return scratch->s;
}

json_t *json_text(const char *s)
{
	struct strbuf scratch;
	json_t *v;

	if (!s)
		return json_null();
	strbuf_init(&scratch);
	v = json_string(json_as_utf8(s, &scratch));
	assert(v);
	strbuf_fini(&scratch);
	return v;
}

void json_put(json_t *obj, const char *key, json_t *v)
{
	struct strbuf scratch;
	int failed;

	strbuf_init(&scratch);
	failed = json_object_set_new(obj, json_as_utf8(key, &scratch), v);
	assert(!failed);
	strbuf_fini(&scratch);
}

void json_push(json_t *arr, json_t *v)
{
	int failed = json_array_append_new(arr, v);

	assert(!failed);
}

static int json_take_chunk(const char *chunk, size_t n, void *out)
{
	strbuf_putn(out, chunk, n);
	return 0;
}

/* The \u form; past U+FFFF it takes two. */
static void json_put_escape(struct strbuf *out, int32_t cp)
{
	if (cp > 0xffff) {
		cp -= 0x10000;
		strbuf_printf(out, "\\u%04X\\u%04X", 0xd800u + (unsigned)(cp >> 10),
			      0xdc00u + (unsigned)(cp & 0x3ff));
	} else {
		strbuf_printf(out, "\\u%04X", (unsigned)cp);
	}
}

/* jansson escapes what JSON asks for. DEL, C1 and direction controls may stand
 * in strings, but a terminal would obey them. */
static void json_put_safely(struct strbuf *out, const char *s, size_t n)
{
	size_t from = 0, at = 0, len;
	int32_t cp;

	while (at < n) {
		len = utf8_decode(s + at, n - at, &cp);
		if (utf8_cp_columns(cp) < 0) {
			strbuf_putn(out, s + from, at - from);
			json_put_escape(out, cp);
			from = at + len;
		}
		at += len;
	}
	strbuf_putn(out, s + from, n - from);
}

void json_write(struct strbuf *out, const json_t *v)
{
	const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY;
	struct strbuf raw;
	int failed;

	strbuf_init(&raw);
	failed = json_dump_callback(v, json_take_chunk, &raw, flags);
	assert(!failed);
	json_put_safely(out, raw.s, raw.len);
	strbuf_fini(&raw);
}

const char *json_library(void)
{
	return "jansson " JANSSON_VERSION;
}
