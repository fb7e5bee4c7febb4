/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

static void first_failure_wins(void **state)
{
	struct err err;

	err_init(&err);
	assert_false(err_set(&err, ERR_NET, "no answer from %s", "zk1"));
	assert_false(err_set(&err, ERR_IO, "later"));
	assert_int_equal(err.code, ERR_NET);
	assert_string_equal(err.text, "no answer from zk1");
}

static void wrap_reads_from_the_outside_in(void **state)
{
	struct err err;

	err_init(&err);
	err_set(&err, ERR_FORMAT, "host: missing");
	assert_false(err_wrap(&err, "bad JSON at line %d", 1));
	err_wrap(&err, "read %s", "/brokers/ids/3");
	assert_string_equal(err.text, "read /brokers/ids/3: bad JSON at line 1: host: missing");
	assert_int_equal(err.code, ERR_FORMAT);
}

static void wrap_may_quote_its_own_text(void **state)
{
	struct err err;

	err_init(&err);
	err_set(&err, ERR_IO, "a");
	err_wrap(&err, "%s", err.text);
	assert_string_equal(err.text, "a: a");
}

static void null_err_is_allowed(void **state)
{
	assert_false(err_set(NULL, ERR_IO, "x"));
	assert_false(err_wrap(NULL, "x"));
}

static void text_that_just_fits_is_not_cut(void **state)
{
	char text[ERR_TEXT_MAX];
	struct err err;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	err_init(&err);
	err_set(&err, ERR_IO, "%s", text);
	assert_string_equal(err.text, text);
}

static void long_text_is_cut_with_dots(void **state)
{
	struct err err;

	err_init(&err);
	err_set(&err, ERR_IO, "%0*d", 1000, 7);
	assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
	assert_string_equal(err.text + ERR_TEXT_MAX - 5, "0...");
}

static void cut_does_not_tear_a_character(void **state)
{
	char text[2 * ERR_TEXT_MAX];

	for (int shift = 0; shift < 4; shift++) {
		struct err err;

		memset(text, 'x', (size_t)shift);
		text[shift] = '\0';
		err_init(&err);
		for (size_t at = (size_t)shift; at + 4 < sizeof(text); at += 3)
			memcpy(text + at, "\xe2\x82\xac", 4);
		err_set(&err, ERR_IO, "%s", text);
		assert_true(utf8_is_valid(err.text, strlen(err.text)));
		assert_true(strlen(err.text) > ERR_TEXT_MAX - 5);
		assert_non_null(strstr(err.text, "\xac..."));
	}
}

static void wrapping_again_and_again_stays_bounded(void **state)
{
	struct err err;

	err_init(&err);
	err_set(&err, ERR_IO, "core");
	for (int i = 0; i < 100; i++)
		err_wrap(&err, "level %d", i);
	assert_true(strlen(err.text) < ERR_TEXT_MAX);
	assert_memory_equal(err.text, "level 99: level 98: ", 20);
	assert_string_equal(err.text + strlen(err.text) - 3, "...");
}

static void hostile_bytes_become_marks(void **state)
{
	struct err err;

	err_init(&err);
	err_set(&err, ERR_FORMAT, "topic %s", "a\x1b[31m\xff\nb");
	assert_string_equal(err.text, "topic a^[[31m\\xFF^Jb");
	err_wrap(&err, "read");
	assert_string_equal(err.text, "read: topic a^[[31m\\xFF^Jb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_failure_wins),
		cmocka_unit_test(wrap_reads_from_the_outside_in),
		cmocka_unit_test(wrap_may_quote_its_own_text),
		cmocka_unit_test(null_err_is_allowed),
		cmocka_unit_test(text_that_just_fits_is_not_cut),
		cmocka_unit_test(long_text_is_cut_with_dots),
		cmocka_unit_test(cut_does_not_tear_a_character),
		cmocka_unit_test(wrapping_again_and_again_stays_bounded),
		cmocka_unit_test(hostile_bytes_become_marks),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
