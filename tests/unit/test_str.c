/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static void copy_that_fits_is_whole(void **state)
{
	char dst[4];

	assert_true(str_copy(dst, sizeof(dst), "abc"));
	assert_string_equal(dst, "abc");
	assert_true(str_copy(dst, sizeof(dst), ""));
	assert_string_equal(dst, "");
}

static void copy_that_does_not_fit_is_reported(void **state)
{
	char dst[4];

	assert_false(str_copy(dst, sizeof(dst), "abcd"));
	assert_string_equal(dst, "abc");
	assert_false(str_copy(dst, 1, "a"));
	assert_string_equal(dst, "");
}

static void copyn_takes_no_more_than_told(void **state)
{
	char dst[4];
	const char unterminated[3] = { 'x', 'y', 'z' };

	assert_true(str_copyn(dst, sizeof(dst), "abcdef", 2));
	assert_string_equal(dst, "ab");
	assert_true(str_copyn(dst, sizeof(dst), unterminated, 3));
	assert_string_equal(dst, "xyz");
	assert_true(str_copyn(dst, sizeof(dst), "ab", 99));
	assert_string_equal(dst, "ab");
	assert_false(str_copyn(dst, sizeof(dst), "abcdef", 4));
	assert_string_equal(dst, "abc");
	assert_true(str_copyn(dst, sizeof(dst), "abc", 0));
	assert_string_equal(dst, "");
}

static void printf_says_whether_it_fitted(void **state)
{
	char dst[5];

	assert_true(str_printf(dst, sizeof(dst), "%d", 1234));
	assert_string_equal(dst, "1234");
	assert_false(str_printf(dst, sizeof(dst), "%s", "12345"));
	assert_string_equal(dst, "1234");
}

static void no_text_is_the_same_as_none_alone(void **state)
{
	assert_true(str_same(NULL, NULL) && str_same("a", "a"));
	assert_false(str_same(NULL, "") || str_same("", NULL) || str_same("a", "b"));
}

static void prefix_and_suffix_are_found(void **state)
{
	assert_true(str_starts("/brokers/ids", "/brokers"));
	assert_true(str_starts("x", ""));
	assert_false(str_starts("/bro", "/brokers"));
	assert_true(str_ends("orders-delete", "-delete"));
	assert_true(str_ends("x", ""));
	assert_false(str_ends("delete", "-delete"));
}

static void casefind_ignores_ascii_case_only(void **state)
{
	const char *s = "The Orders Topic";

	assert_ptr_equal(str_casefind(s, "oRDERS"), s + 4);
	assert_ptr_equal(str_casefind(s, ""), s);
	assert_ptr_equal(str_casefind(s, "topic"), s + 11);
	assert_null(str_casefind(s, "topics"));
	assert_null(str_casefind("", "a"));
	assert_ptr_equal(str_casefind("", ""), str_casefind("", ""));
	assert_null(str_casefind("\xc3\xa4", "\xc3\x84"));
	assert_non_null(str_casefind("aab", "AB"));
}

static int64_t must_read(const char *s)
{
	int64_t v = 4711;

	assert_true(str_to_i64(s, INT64_MIN, INT64_MAX, &v));
	return v;
}

static void whole_numbers_are_read(void **state)
{
	assert_int_equal(must_read("0"), 0);
	assert_int_equal(must_read("-0"), 0);
	assert_int_equal(must_read("007"), 7);
	assert_int_equal(must_read("-12"), -12);
	assert_true(must_read("9223372036854775807") == INT64_MAX);
	assert_true(must_read("-9223372036854775808") == INT64_MIN);
}

static void anything_else_is_not_a_number(void **state)
{
	static const char *const bad[] = {
		"", "-", "--1", "+1", " 1", "1 ", "1a", "0x10", "1.0", "1e3",
		"9223372036854775808", "-9223372036854775809", "99999999999999999999999",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int64_t v = 4711;

		assert_false(str_to_i64(bad[i], INT64_MIN, INT64_MAX, &v));
		assert_int_equal(v, 4711);
	}
}

static void number_out_of_range_is_refused(void **state)
{
	int64_t v = 4711;

	assert_false(str_to_i64("8", -1, 7, &v));
	assert_false(str_to_i64("-2", -1, 7, &v));
	assert_int_equal(v, 4711);
	assert_true(str_to_i64("7", -1, 7, &v));
	assert_int_equal(v, 7);
}

static void strbuf_is_a_string_at_all_times(void **state)
{
	struct strbuf sb;

	strbuf_init(&sb);
	assert_string_equal(sb.s, "");
	strbuf_put(&sb, "");
	strbuf_putn(&sb, NULL, 0);
	assert_string_equal(sb.s, "");
	strbuf_clear(&sb);
	strbuf_put(&sb, "ab");
	strbuf_putc(&sb, 'c');
	strbuf_printf(&sb, "-%d", 42);
	assert_string_equal(sb.s, "abc-42");
	assert_int_equal(sb.len, 6);
	strbuf_clear(&sb);
	assert_string_equal(sb.s, "");
	strbuf_fini(&sb);
	assert_string_equal(sb.s, "");
	strbuf_fini(&sb);
}

static void strbuf_grows_without_losing_a_byte(void **state)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (int i = 0; i < 100000; i++)
		strbuf_putc(&sb, (char)('a' + i % 26));
	assert_int_equal(sb.len, 100000);
	assert_int_equal(strlen(sb.s), 100000);
	for (int i = 0; i < 100000; i++)
		assert_int_equal(sb.s[i], 'a' + i % 26);
	strbuf_fini(&sb);
}

static void strbuf_formats_of_any_length(void **state)
{
	for (int n = 0; n < 300; n++) {
		struct strbuf sb;

		strbuf_init(&sb);
		strbuf_put(&sb, "<");
		strbuf_printf(&sb, "%*s>", n, "");
		assert_int_equal(sb.len, n + 2);
		assert_int_equal(strlen(sb.s), n + 2);
		assert_int_equal(sb.s[n + 1], '>');
		strbuf_fini(&sb);
	}
}

static void strbuf_holds_nuls(void **state)
{
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_putn(&sb, "a\0b", 3);
	assert_int_equal(sb.len, 3);
	assert_memory_equal(sb.s, "a\0b", 4);
	strbuf_fini(&sb);
}

static void take_hands_over_the_text(void **state)
{
	struct strbuf sb;
	char *s;

	strbuf_init(&sb);
	s = strbuf_take(&sb);
	assert_string_equal(s, "");
	mem_free(&s);
	strbuf_put(&sb, "mine");
	s = strbuf_take(&sb);
	assert_string_equal(s, "mine");
	assert_string_equal(sb.s, "");
	assert_int_equal(sb.len, 0);
	mem_free(&s);
	strbuf_fini(&sb);
}

static void the_end_of_a_path_is_kept_from_a_slash_on(void **state)
{
	assert_string_equal(str_path_tail("/data/d1", 20), "/data/d1");
	assert_string_equal(str_path_tail("/srv/kafka/broker-1/d1", 20), "/kafka/broker-1/d1");
	assert_string_equal(str_path_tail("/srv/kafka/broker-1/d1", 4), "/d1");
	assert_string_equal(str_path_tail("/srv/a-component-that-is-too-long", 8), "/a-component-that-is-too-long");
	assert_string_equal(str_path_tail("/srv/kafka-logs/", 8), "/kafka-logs/");
	assert_string_equal(str_path_tail("no-slash-at-all", 4), "no-slash-at-all");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_of_a_path_is_kept_from_a_slash_on),
		cmocka_unit_test(copy_that_fits_is_whole),
		cmocka_unit_test(copy_that_does_not_fit_is_reported),
		cmocka_unit_test(copyn_takes_no_more_than_told),
		cmocka_unit_test(printf_says_whether_it_fitted),
		cmocka_unit_test(no_text_is_the_same_as_none_alone),
		cmocka_unit_test(prefix_and_suffix_are_found),
		cmocka_unit_test(casefind_ignores_ascii_case_only),
		cmocka_unit_test(whole_numbers_are_read),
		cmocka_unit_test(anything_else_is_not_a_number),
		cmocka_unit_test(number_out_of_range_is_refused),
		cmocka_unit_test(strbuf_is_a_string_at_all_times),
		cmocka_unit_test(strbuf_grows_without_losing_a_byte),
		cmocka_unit_test(strbuf_formats_of_any_length),
		cmocka_unit_test(strbuf_holds_nuls),
		cmocka_unit_test(take_hands_over_the_text),
	};

	return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}
