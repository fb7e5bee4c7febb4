/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "ui/paste.h"

static struct paste pa;
static mono_ms now;

static void begin(void)
{
	memset(&pa, 0, sizeof(pa));
	now = (mono_ms){ 1000 };
	paste_begin(&pa, now);
}

/* The result of the last byte. */
static enum paste_result feed(const char *bytes)
{
	enum paste_result re = PASTE_MORE;

	for (const unsigned char *b = (const unsigned char *)bytes; *b && re == PASTE_MORE; b++)
		re = paste_take(&pa, *b, now);
	return re;
}

static void assert_text(const char *text)
{
	assert_int_equal(pa.n, strlen(text));
	assert_memory_equal(pa.text, text, pa.n);
}

static void what_stands_between_the_marks_is_text(void **state)
{
	begin();
	assert_int_equal(feed("a b\r\xc3\xa4q\033[201~"), PASTE_WHOLE);
	assert_text("a b\r\xc3\xa4q");
	assert_false(pa.is_under_way);
	begin();
	assert_int_equal(feed("x"), PASTE_MORE);
	assert_int_equal(paste_end(&pa), PASTE_WHOLE); /* as curses knows it */
	assert_text("x");
	assert_int_equal(paste_end(&pa), PASTE_NO_PART);
	begin();
	assert_int_equal(feed("\033[201~"), PASTE_WHOLE);
	assert_text("");
}

static void what_only_looks_like_the_end_is_text(void **state)
{
	begin();
	assert_int_equal(feed("a\033[A\033[20\033[200~\033\033[201~"), PASTE_WHOLE);
	assert_text("a\033[A\033[20\033[200~\033");
	begin();
	assert_int_equal(feed("a\033[2"), PASTE_MORE);
	assert_int_equal(paste_take(&pa, -1, now), PASTE_MORE); /* an arrow: no text */
	assert_int_equal(feed("01~\033[201~"), PASTE_WHOLE);
	assert_text("a\033[201~");
}

static void it_may_come_in_parts(void **state)
{
	begin();
	for (const char *b = "ab\033[201"; *b; b++) {
		now.ms += PASTE_WAIT_MS - 1;
		assert_int_equal(paste_look(&pa, now), PASTE_NO_PART);
		assert_int_equal(paste_take(&pa, *b, now), PASTE_MORE);
	}
	assert_int_equal(paste_take(&pa, '~', now), PASTE_WHOLE);
	assert_text("ab");
}

static void one_that_does_not_end_is_over_and_counts_for_nothing(void **state)
{
	begin();
	feed("ab\033[2");
	assert_int_equal(paste_wait(&pa, now), PASTE_WAIT_MS);
	now.ms += PASTE_WAIT_MS;
	assert_int_equal(paste_wait(&pa, now), 0);
	assert_int_equal(paste_look(&pa, now), PASTE_LOST);
	assert_text("");
	assert_int_equal(paste_wait(&pa, now), -1);
	assert_int_equal(paste_take(&pa, 'q', now), PASTE_NO_PART);
}

static void more_than_fits_is_said_and_never_written(void **state)
{
	begin();
	for (size_t i = 0; i < PASTE_MAX; i++)
		paste_take(&pa, 'x', now);
	assert_false(pa.is_cut);
	assert_int_equal(feed("yz\033[201~"), PASTE_WHOLE);
	assert_true(pa.is_cut);
	assert_int_equal(pa.n, PASTE_MAX);
}

static void a_beginning_whose_esc_was_a_key_is_known(void **state)
{
	memset(&pa, 0, sizeof(pa));
	now = (mono_ms){ 1000 };
	assert_int_equal(paste_take(&pa, 27, now), PASTE_NO_PART);
	now.ms += PASTE_LATE_MS;
	assert_int_equal(feed("[200~abc\033[201~"), PASTE_WHOLE);
	assert_text("abc");
}

static void what_only_looks_like_a_beginning_is_keys(void **state)
{
	char held[PASTE_MARK_MAX];

	memset(&pa, 0, sizeof(pa));
	now = (mono_ms){ 1000 };
	assert_int_equal(paste_take(&pa, 27, now), PASTE_NO_PART);
	assert_int_equal(paste_take(&pa, '[', now), PASTE_MORE);
	assert_int_equal(paste_take(&pa, '2', now), PASTE_MORE);
	assert_int_equal(paste_take(&pa, 'q', now), PASTE_KEYS);
	assert_int_equal(paste_held(&pa, held), 2);
	assert_memory_equal(held, "[2", 2);
	assert_int_equal(paste_take(&pa, '[', now), PASTE_NO_PART); /* not again */
	paste_take(&pa, 27, now);
	assert_int_equal(paste_wait(&pa, now), -1);
	paste_take(&pa, '[', now);
	assert_int_equal(paste_wait(&pa, now), PASTE_LATE_MS);
	now.ms += PASTE_LATE_MS;
	assert_int_equal(paste_look(&pa, now), PASTE_KEYS);
	assert_int_equal(paste_held(&pa, held), 1);
	paste_take(&pa, 27, now);
	now.ms += PASTE_LATE_MS + 1;
	assert_int_equal(paste_take(&pa, '[', now), PASTE_NO_PART); /* typed */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stands_between_the_marks_is_text),
		cmocka_unit_test(what_only_looks_like_the_end_is_text),
		cmocka_unit_test(it_may_come_in_parts),
		cmocka_unit_test(one_that_does_not_end_is_over_and_counts_for_nothing),
		cmocka_unit_test(more_than_fits_is_said_and_never_written),
		cmocka_unit_test(a_beginning_whose_esc_was_a_key_is_known),
		cmocka_unit_test(what_only_looks_like_a_beginning_is_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
