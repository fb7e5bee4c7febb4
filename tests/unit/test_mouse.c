/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "ui/keymap.h"
#include "ui/mouse.h"

static struct mouse mo;
static int32_t key;
static int x, y;

/* The result of the last byte. */
static enum mouse_result feed(enum mouse_form form, const char *bytes)
{
	enum mouse_result mr = MOUSE_MORE;

	mouse_begin(&mo, form);
	for (const unsigned char *b = (const unsigned char *)bytes; *b && mr == MOUSE_MORE; b++)
		mr = mouse_take(&mo, *b, &key, &x, &y);
	return mr;
}

static void clicks_and_the_wheel_are_read_in_both_forms(void **state)
{
	assert_int_equal(feed(MOUSE_SGR, "0;12;5M"), MOUSE_EVENT);
	assert_int_equal(key, KEYS_CLICK);
	assert_int_equal(x, 11);
	assert_int_equal(y, 4);
	assert_int_equal(feed(MOUSE_SGR, "64;1;1M"), MOUSE_EVENT);
	assert_int_equal(key, KEYS_WHEEL_UP);
	assert_int_equal(feed(MOUSE_SGR, "81;300;200M"), MOUSE_EVENT); /* with Ctrl held */
	assert_int_equal(key, KEYS_WHEEL_DOWN);
	assert_int_equal(x, 299);
	assert_int_equal(feed(MOUSE_OLD, " \x2c\x25"), MOUSE_EVENT);
	assert_int_equal(key, KEYS_CLICK);
	assert_int_equal(x, 11);
	assert_int_equal(y, 4);
	assert_int_equal(feed(MOUSE_OLD, "\x61\xff\xf0"), MOUSE_EVENT);
	assert_int_equal(key, KEYS_WHEEL_DOWN);
	assert_int_equal(x, 222);
}

static void releases_other_buttons_and_nonsense_mean_nothing(void **state)
{
	static const char *const sgr[] = { "0;12;5m", "2;1;1M", "0;0;1M", "0;1;99999M", ";;M", "M", "0;1M", "0;1;1;1M", "0;;1M" };

	for (size_t i = 0; i < sizeof(sgr) / sizeof(sgr[0]); i++) {
		assert_int_equal(feed(MOUSE_SGR, sgr[i]), MOUSE_IGNORED);
		assert_int_equal(mo.form, MOUSE_NONE);
	}
	assert_int_equal(feed(MOUSE_OLD, "#!!"), MOUSE_IGNORED);
	assert_int_equal(feed(MOUSE_OLD, "  !"), MOUSE_IGNORED);
}

static void a_byte_that_is_no_part_ends_the_report_and_is_a_key(void **state)
{
	assert_int_equal(feed(MOUSE_SGR, "0;12q"), MOUSE_NO_PART);
	assert_int_equal(mo.form, MOUSE_NONE);
	assert_int_equal(feed(MOUSE_SGR, "0000000000000000000000000000"), MOUSE_NO_PART);
	assert_int_equal(feed(MOUSE_OLD, "\x1b"), MOUSE_NO_PART);
	mouse_begin(&mo, MOUSE_OLD);
	assert_int_equal(mouse_take(&mo, KEYS_UP, &key, &x, &y), MOUSE_NO_PART);
}

static void a_report_whose_rest_does_not_come_is_given_up(void **state)
{
	mouse_begin(&mo, MOUSE_SGR);
	assert_int_equal(mouse_take(&mo, '0', &key, &x, &y), MOUSE_MORE);
	mouse_wait(&mo);
	assert_int_equal(mo.form, MOUSE_SGR); /* a slow line */
	for (int i = 0; i < 10; i++)
		mouse_wait(&mo);
	assert_int_equal(mo.form, MOUSE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clicks_and_the_wheel_are_read_in_both_forms),
		cmocka_unit_test(releases_other_buttons_and_nonsense_mean_nothing),
		cmocka_unit_test(a_byte_that_is_no_part_ends_the_report_and_is_a_key),
		cmocka_unit_test(a_report_whose_rest_does_not_come_is_given_up),
	};

	return cmocka_run_group_tests_name("ui/mouse", tests, NULL, NULL);
}
