/* SPDX-License-Identifier: Apache-2.0 */
#include "base/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static void its_text_is_three_stars_whatever_it_holds(void **state)
{
	struct secret sc;

	secret_init(&sc);
	assert_string_equal(secret_text(&sc), "");
	secret_set(&sc, "");
	assert_string_equal(secret_text(&sc), "");
	secret_set(&sc, "x");
	assert_string_equal(secret_text(&sc), "***");
	secret_set(&sc, "a much longer password than three letters");
	assert_string_equal(secret_text(&sc), "***");
	secret_fini(&sc);
}

static void empty_is_not_unset(void **state)
{
	struct secret sc;

	secret_init(&sc);
	assert_false(secret_is_set(&sc));
	assert_string_equal(secret_reveal(&sc), "");
	secret_set(&sc, "");
	assert_true(secret_is_set(&sc));
	secret_fini(&sc);
	assert_false(secret_is_set(&sc));
}

static void it_grows_byte_by_byte(void **state)
{
	struct secret sc;

	secret_init(&sc);
	for (int i = 0; i < 1000; i++) {
		secret_putc(&sc, (char)('a' + i % 26));
		assert_int_equal(strlen(secret_reveal(&sc)), i + 1);
	}
	assert_int_equal(sc.n, 1000);
	assert_memory_equal(secret_reveal(&sc), "abcdefghijklmnopqrstuvwxyzabc", 29);
	secret_fini(&sc);
}

static void it_can_be_set_from_itself(void **state)
{
	struct secret sc;

	secret_init(&sc);
	secret_set(&sc, "prefix:password");
	secret_set(&sc, secret_reveal(&sc) + 7);
	assert_string_equal(secret_reveal(&sc), "password");
	secret_fini(&sc);
}

static void a_move_leaves_nothing_behind(void **state)
{
	struct secret a, b;

	secret_init(&a);
	secret_init(&b);
	secret_set(&a, "one");
	secret_set(&b, "two");
	secret_move(&a, &b);
	assert_string_equal(secret_reveal(&a), "two");
	assert_false(secret_is_set(&b));
	secret_fini(&a);
	secret_fini(&b);
}

static void bytes_may_hold_nuls(void **state)
{
	struct secret sc;

	secret_init(&sc);
	secret_setn(&sc, "a\0b", 3);
	assert_int_equal(sc.n, 3);
	assert_memory_equal(sc.bytes, "a\0b", 4);
	secret_fini(&sc);
}

static void a_text_that_may_be_secret_is_freed_and_nulled(void **state)
{
	char *text = mem_strdup("pa55");

	secret_free_text(&text);
	assert_null(text);
	secret_free_text(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_text_is_three_stars_whatever_it_holds),
		cmocka_unit_test(empty_is_not_unset),
		cmocka_unit_test(it_grows_byte_by_byte),
		cmocka_unit_test(it_can_be_set_from_itself),
		cmocka_unit_test(a_move_leaves_nothing_behind),
		cmocka_unit_test(bytes_may_hold_nuls),
		cmocka_unit_test(a_text_that_may_be_secret_is_freed_and_nulled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
