/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static json_t *must_read(const char *s)
{
	struct err err;
	json_t *v;

	err_init(&err);
	v = json_read(s, strlen(s), &err);
	if (!v)
		fail_msg("%s: %s", s, err.text);
	return v;
}

static void assert_bad(const char *s, size_t n, enum err_code code, const char *part)
{
	struct err err;

	err_init(&err);
	if (json_read(s, n, &err))
		fail_msg("%s was read", s);
	assert_int_equal(err.code, code);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void assert_written(const char *s, const char *expected)
{
	json_t *v = must_read(s);
	struct strbuf out;

	strbuf_init(&out);
	json_write(&out, v);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
	json_decref(v);
}

/* ---- reading ------------------------------------------------------------- */

static void any_value_may_be_at_the_top(void **state)
{
	static const struct { const char *s, *kind; } cases[] = {
		{ "{}", "an object" }, { "[]", "an array" }, { "\"x\"", "a string" },
		{ "17", "a number" }, { " -1.5 ", "a number" }, { "true", "a boolean" },
		{ "false", "a boolean" }, { "null", "null" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		json_t *v = must_read(cases[i].s);

		assert_string_equal(json_kind(v), cases[i].kind);
		json_decref(v);
	}
	assert_string_equal(json_kind(NULL), "nothing");
}

static void bad_json_is_reported_with_line_and_column(void **state)
{
	static const char *const bad[] = {
		" ", "{", "}", "{\"a\":}", "{} x", "{}{}", "[1,]", "NaN", "Infinity", "-Infinity",
		"nan", "1e999", "9223372036854775808", "-9223372036854775809", "01", "'a'",
		"\"\xff\"", "\"\xed\xa0\x80\"", "\"\\ud800\"", "\"a", "\"a\nb\"", "// c\n1", "\xef\xbb\xbf{}",
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_bad(bad[i], strlen(bad[i]), ERR_FORMAT, "bad JSON at line ");
	assert_bad("{\"a\":\n  x}", 10, ERR_FORMAT, "at line 2 column 3");
	assert_bad("", 0, ERR_FORMAT, "empty");
	assert_bad(NULL, 0, ERR_FORMAT, "empty");
	assert_bad("1\0", 2, ERR_FORMAT, "bad JSON");
}

static void json_cut_anywhere_fails_cleanly(void **state)
{
	static const char s[] = "{\"version\":1,\"partitions\":{\"0\":[1,2],\"1\":[2,3]},"
				"\"a\\\"b\":\"\\u00e9\xc3\xa9\",\"c\":[null,true,-1.5e3,{\"d\":[]}]}";

	for (size_t n = 0; n < sizeof(s) - 1; n++) {
		/* A copy of its own, so that reading past the end is seen. */
		char *cut = mem_strndup(s, n);
		char *tight = n ? mem_dup(cut, n) : NULL;

		assert_bad(tight, n, ERR_FORMAT, "bad JSON");
		mem_free(&tight);
		mem_free(&cut);
	}
	json_decref(must_read(s));
}

static void too_much_is_a_limit(void **state)
{
	char *deep = mem_zalloc(2 * JSON_DEPTH_MAX + 3);
	char big[1] = { '1' };

	memset(deep, '[', JSON_DEPTH_MAX);
	memset(deep + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	json_decref(must_read(deep));
	memset(deep, '[', JSON_DEPTH_MAX + 1);
	memset(deep + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
	assert_bad(deep, strlen(deep), ERR_LIMIT, "nested more than 64 deep");
	mem_free(&deep);
	/* Refused for its size, before a byte is read. */
	assert_bad(big, (size_t)JSON_INPUT_MAX_BYTES + 1, ERR_LIMIT, "the limit is");
}

static void brackets_in_strings_do_not_nest(void **state)
{
	char s[300] = "[\"\\\"";

	memset(s + 4, '[', 200);
	memcpy(s + 204, "\\\\\"]", 5);
	json_decref(must_read(s));
}

static void last_of_duplicate_keys_wins(void **state)
{
	assert_written("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}");
}

static void object_is_asked_for_by_name(void **state)
{
	struct err err;
	json_t *v;

	err_init(&err);
	v = json_read_object("{}", 2, &err);
	assert_non_null(v);
	json_decref(v);
	assert_null(json_read_object("[]", 2, &err));
	assert_int_equal(err.code, ERR_FORMAT);
	assert_string_equal(err.text, "expected an object, found an array");
}

/* ---- getters ------------------------------------------------------------- */

static void whole_numbers_are_taken(void **state)
{
	static const struct { const char *s; int64_t n; } cases[] = {
		{ "{\"a\":0}", 0 }, { "{\"a\":-7}", -7 }, { "{\"a\":3.0}", 3 }, { "{\"a\":1e3}", 1000 },
		{ "{\"a\":9223372036854775807}", INT64_MAX }, { "{\"a\":-9223372036854775808}", INT64_MIN },
		{ "{\"a\":-9223372036854775808.0}", INT64_MIN },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		json_t *v = must_read(cases[i].s);
		int64_t n = 4711;
		struct err err;

		err_init(&err);
		assert_true(json_need_i64(v, "a", INT64_MIN, INT64_MAX, &n, &err));
		assert_true(n == cases[i].n);
		json_decref(v);
	}
}

static void assert_i64_fails(const char *s, const char *text)
{
	json_t *v = must_read(s);
	int64_t n = 4711;
	struct err err;

	err_init(&err);
	assert_false(json_need_i64(v, "a", 0, 7, &n, &err));
	assert_int_equal(err.code, ERR_FORMAT);
	assert_string_equal(err.text, text);
	assert_int_equal(n, 4711);
	json_decref(v);
}

static void other_numbers_are_refused(void **state)
{
	assert_i64_fails("{}", "a: missing");
	assert_i64_fails("[]", "a: expected in an object, found an array");
	assert_i64_fails("{\"a\":null}", "a: expected a number, found null");
	assert_i64_fails("{\"a\":\"3\"}", "a: expected a number, found a string");
	assert_i64_fails("{\"a\":true}", "a: expected a number, found a boolean");
	assert_i64_fails("{\"a\":3.5}", "a: expected a whole number, found 3.5");
	assert_i64_fails("{\"a\":1e30}", "a: expected a whole number, found 1e+30");
	assert_i64_fails("{\"a\":8}", "a: 8 is not within 0 and 7");
	assert_i64_fails("{\"a\":-1}", "a: -1 is not within 0 and 7");
}

static void optional_fields_may_be_missing_or_null(void **state)
{
	json_t *v = must_read("{\"z\":null}");
	static const char *const keys[] = { "a", "z" };
	struct err err;

	err_init(&err);
	for (size_t i = 0; i < COUNT(keys); i++) {
		int64_t n = 4711;
		const char *s = "same";
		json_t *obj = v, *arr = v;

		assert_true(json_opt_i64(v, keys[i], 0, 1, &n, &err));
		assert_true(json_opt_str(v, keys[i], &s, &err));
		assert_true(json_opt_obj(v, keys[i], &obj, &err));
		assert_true(json_opt_arr(v, keys[i], &arr, &err));
		assert_int_equal(n, 4711);
		assert_string_equal(s, "same");
		assert_ptr_equal(obj, v);
		assert_ptr_equal(arr, v);
	}
	json_decref(v);
}

static void fields_of_each_kind_are_taken(void **state)
{
	json_t *v = must_read("{\"s\":\"host\",\"o\":{},\"a\":[]}");
	const char *s = NULL;
	json_t *obj = NULL, *arr = NULL;
	struct err err;

	err_init(&err);
	assert_true(json_need_str(v, "s", &s, &err));
	assert_string_equal(s, "host");
	assert_true(json_need_obj(v, "o", &obj, &err));
	assert_ptr_equal(obj, json_object_get(v, "o"));
	assert_true(json_need_arr(v, "a", &arr, &err));
	assert_ptr_equal(arr, json_object_get(v, "a"));
	json_decref(v);
}

static void wrong_kinds_are_refused_even_when_optional(void **state)
{
	json_t *v = must_read("{\"n\":1}");
	struct err err;
	const char *s;
	json_t *x;

	err_init(&err);
	assert_false(json_opt_str(v, "n", &s, &err));
	assert_string_equal(err.text, "n: expected a string, found a number");
	err_init(&err);
	assert_false(json_opt_obj(v, "n", &x, &err));
	assert_string_equal(err.text, "n: expected an object, found a number");
	err_init(&err);
	assert_false(json_opt_arr(v, "n", &x, &err));
	assert_string_equal(err.text, "n: expected an array, found a number");
	json_decref(v);
}

static void string_with_a_nul_is_refused(void **state)
{
	json_t *v = must_read("{\"s\":\"a\\u0000b\"}");
	const char *s = "same";
	struct err err;

	err_init(&err);
	assert_false(json_need_str(v, "s", &s, &err));
	assert_string_equal(err.text, "s: the string holds a NUL");
	assert_string_equal(s, "same");
	json_decref(v);
}

/* ---- building ------------------------------------------------------------ */

static void built_json_keeps_its_order_on_one_line(void **state)
{
	json_t *obj = json_object(), *arr = json_array();
	struct strbuf out;

	json_push(arr, json_integer(1));
	json_push(arr, json_text(NULL));
	json_put(obj, "z", json_text("line\nbreak"));
	json_put(obj, "a", arr);
	json_put(obj, "z2", json_true());
	strbuf_init(&out);
	strbuf_put(&out, "> ");
	json_write(&out, obj);
	assert_string_equal(out.s, "> {\"z\":\"line\\nbreak\",\"a\":[1,null],\"z2\":true}");
	strbuf_fini(&out);
	json_decref(obj);
}

static void text_that_is_not_utf8_becomes_printable(void **state)
{
	json_t *obj = json_object();
	struct strbuf out;

	json_put(obj, "k\xff", json_text("v\xff\x1b"));
	json_put(obj, "ok", json_text("\x1b"));
	strbuf_init(&out);
	json_write(&out, obj);
	assert_string_equal(out.s, "{\"k\\\\xFF\":\"v\\\\xFF^[\",\"ok\":\"\\u001B\"}");
	strbuf_fini(&out);
	json_decref(obj);
}

static void written_json_is_safe_on_a_terminal(void **state)
{
	assert_written("\"\xc3\xa9\xf0\x9f\x98\x80\"", "\"\xc3\xa9\xf0\x9f\x98\x80\"");
	assert_written("\"a\x7f\xc2\x9b\xe2\x80\xae\"", "\"a\\u007F\\u009B\\u202E\"");
	assert_written("\"\xf3\xa0\x81\x81\"", "\"\\uDB40\\uDC41\"");
	assert_written("\"\\u0000\"", "\"\\u0000\"");
}

static void what_is_written_reads_back(void **state)
{
	static const char s[] = "{\"a\x7f\":[1,-2.5,true,null,\"\xf3\xa0\x81\x81\xc2\x80\\\\\\\"\"],\"b\":{}}";
	json_t *v = must_read(s), *again;
	struct strbuf out;

	strbuf_init(&out);
	json_write(&out, v);
	again = must_read(out.s);
	assert_true(json_equal(v, again));
	strbuf_fini(&out);
	json_decref(again);
	json_decref(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_value_may_be_at_the_top),
		cmocka_unit_test(bad_json_is_reported_with_line_and_column),
		cmocka_unit_test(json_cut_anywhere_fails_cleanly),
		cmocka_unit_test(too_much_is_a_limit),
		cmocka_unit_test(brackets_in_strings_do_not_nest),
		cmocka_unit_test(last_of_duplicate_keys_wins),
		cmocka_unit_test(object_is_asked_for_by_name),
		cmocka_unit_test(whole_numbers_are_taken),
		cmocka_unit_test(other_numbers_are_refused),
		cmocka_unit_test(optional_fields_may_be_missing_or_null),
		cmocka_unit_test(fields_of_each_kind_are_taken),
		cmocka_unit_test(wrong_kinds_are_refused_even_when_optional),
		cmocka_unit_test(string_with_a_nul_is_refused),
		cmocka_unit_test(built_json_keeps_its_order_on_one_line),
		cmocka_unit_test(text_that_is_not_utf8_becomes_printable),
		cmocka_unit_test(written_json_is_safe_on_a_terminal),
		cmocka_unit_test(what_is_written_reads_back),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
