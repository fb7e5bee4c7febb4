/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "ui/keymap.h"
#include "ui/lineedit.h"
#include "ui/prompt.h"

static struct lineedit le;

static void characters_go_in_before_the_cursor(void **state)
{
	lineedit_clear(&le);
	assert_true(lineedit_insert(&le, 'a'));
	assert_true(lineedit_insert(&le, 'c'));
	lineedit_left(&le);
	assert_true(lineedit_insert(&le, 0xe9));
	assert_string_equal(le.text, "aéc");
	assert_int_equal(le.at, 3);
	lineedit_first(&le);
	lineedit_delete(&le);
	assert_string_equal(le.text, "éc");
	lineedit_last(&le);
	lineedit_backspace(&le);
	lineedit_backspace(&le);
	lineedit_backspace(&le);
	assert_string_equal(le.text, "");
}

static void what_combines_goes_with_its_letter(void **state)
{
	lineedit_set(&le, "xe\xcc\x81y"); /* e and an acute */
	lineedit_left(&le);
	lineedit_left(&le);
	assert_int_equal(le.at, 1);
	lineedit_delete(&le);
	assert_string_equal(le.text, "xy");
	lineedit_set(&le, "xe\xcc\x81");
	lineedit_backspace(&le);
	assert_string_equal(le.text, "x");
	lineedit_set(&le, "e\xcc\x81y");
	lineedit_first(&le);
	lineedit_right(&le);
	assert_int_equal(le.at, 3);
}

static void what_can_not_stand_in_a_line_is_refused(void **state)
{
	lineedit_clear(&le);
	assert_false(lineedit_insert(&le, 27));
	assert_false(lineedit_insert(&le, '\n'));
	assert_false(lineedit_insert(&le, 0x202e)); /* right-to-left override */
	assert_false(lineedit_insert(&le, 0x85));
	assert_false(lineedit_insert(&le, -1));
	assert_false(lineedit_insert(&le, KEYS_UP));
	assert_string_equal(le.text, "");
	lineedit_set(&le, "a\033[31m\xff" "b");
	assert_string_equal(le.text, "a[31mb");
}

static void a_full_line_takes_no_more_and_stays_whole(void **state)
{
	lineedit_clear(&le);
	while (lineedit_insert(&le, 0x4e2d))
		;
	assert_true(le.len < LINEEDIT_MAX && le.len + 3 >= LINEEDIT_MAX);
	assert_true(utf8_is_valid(le.text, le.len));
}

static void a_word_goes_with_the_blanks_behind_it(void **state)
{
	lineedit_set(&le, "topic orders  ");
	lineedit_delete_word(&le);
	assert_string_equal(le.text, "topic ");
	lineedit_delete_word(&le);
	assert_string_equal(le.text, "");
	lineedit_delete_word(&le);
	assert_string_equal(le.text, "");
}

static void the_window_holds_the_cursor(void **state)
{
	size_t begin, cursor;

	lineedit_set(&le, "abcdefghij");
	lineedit_window(&le, 20, &begin, &cursor);
	assert_int_equal(begin, 0);
	assert_int_equal(cursor, 10);
	lineedit_window(&le, 5, &begin, &cursor);
	assert_string_equal(le.text + begin, "ghij");
	assert_int_equal(cursor, 4);
	lineedit_first(&le);
	lineedit_window(&le, 5, &begin, &cursor);
	assert_int_equal(begin, 0);
	assert_int_equal(cursor, 0);
	lineedit_set(&le, "中中中");
	for (size_t w = 1; w < 10; w++) {
		lineedit_window(&le, w, &begin, &cursor);
		assert_true(cursor < w);
	}
}

/* ---- the prompt over it --------------------------------------------------------- */

static void type(struct prompt *pr, const char *text)
{
	for (; *text; text++)
		prompt_key(pr, *text);
}

static void history_gives_back_what_was_accepted(void **state)
{
	struct prompt pr;

	prompt_init(&pr);
	prompt_open(&pr, PROMPT_FILTER, "");
	type(&pr, "one");
	assert_int_equal(prompt_key(&pr, KEYS_ENTER), PROMPT_ACCEPTED);
	prompt_close(&pr, true);
	prompt_open(&pr, PROMPT_FILTER, "");
	type(&pr, "never");
	assert_int_equal(prompt_key(&pr, KEYS_ESC), PROMPT_CANCELLED);
	prompt_close(&pr, false);
	prompt_open(&pr, PROMPT_COMMAND, "");
	assert_int_equal(prompt_key(&pr, KEYS_UP), PROMPT_IGNORED); /* another kind, another history */
	prompt_close(&pr, false);
	prompt_open(&pr, PROMPT_FILTER, "");
	type(&pr, "tw");
	assert_int_equal(prompt_key(&pr, KEYS_UP), PROMPT_EDITED);
	assert_string_equal(pr.le.text, "one");
	assert_int_equal(prompt_key(&pr, KEYS_UP), PROMPT_IGNORED);
	assert_int_equal(prompt_key(&pr, KEYS_DOWN), PROMPT_EDITED);
	assert_string_equal(pr.le.text, "tw");
	prompt_fini(&pr);
}

static void history_is_bounded(void **state)
{
	struct prompt pr;

	prompt_init(&pr);
	for (int i = 0; i < 3 * PROMPT_HISTORY_MAX; i++) {
		prompt_open(&pr, PROMPT_FILTER, "");
		type(&pr, i % 2 ? "a" : "b");
		prompt_close(&pr, true);
	}
	assert_int_equal(pr.history[PROMPT_FILTER].n, PROMPT_HISTORY_MAX);
	prompt_fini(&pr);
}

static void pasted_text_is_one_line_and_whole_or_nothing(void **state)
{
	struct prompt pr;
	char many[LINEEDIT_MAX];

	(void)state;
	prompt_init(&pr);
	prompt_open(&pr, PROMPT_FILTER, "");
	type(&pr, "ad");
	prompt_key(&pr, KEYS_LEFT);
	assert_int_equal(prompt_paste(&pr, "b\r\n\tc\033\xff\0\xc3\xa4", 10), PROMPT_EDITED);
	assert_string_equal(pr.le.text, "abc\xc3\xa4" "d");
	assert_int_equal(prompt_paste(&pr, "\n", 1), PROMPT_IGNORED);
	memset(many, 'x', sizeof(many));
	assert_int_equal(prompt_paste(&pr, many, sizeof(many)), PROMPT_IGNORED);
	assert_string_equal(pr.le.text, "abc\xc3\xa4" "d");
	assert_string_equal(pr.note, "too long: not pasted");
	prompt_close(&pr, false);
	prompt_open(&pr, PROMPT_FILE, "proposed.txt");
	assert_int_equal(prompt_paste(&pr, "mine", 4), PROMPT_EDITED);
	assert_string_equal(pr.le.text, "mine");
	prompt_fini(&pr);
}

static void candidates(void *ctx, prompt_take_fn *take, void *take_ctx)
{
	for (const char *const *c = ctx; *c; c++)
		take(take_ctx, *c);
}

static void completion_goes_as_far_as_it_is_clear(void **state)
{
	static const char *words[] = { "topic", "topics", "tüp", "täp", "brokers", NULL };
	struct prompt pr;

	prompt_init(&pr);
	prompt_open(&pr, PROMPT_COMMAND, "to");
	assert_true(prompt_complete(&pr, candidates, words));
	assert_string_equal(pr.le.text, "topic");
	assert_string_equal(pr.note, "topic topics");
	prompt_open(&pr, PROMPT_COMMAND, "b");
	assert_true(prompt_complete(&pr, candidates, words));
	assert_string_equal(pr.le.text, "brokers");
	assert_string_equal(pr.note, "");
	prompt_open(&pr, PROMPT_COMMAND, "t");
	assert_false(prompt_complete(&pr, candidates, words)); /* ü and ä share their first byte */
	assert_string_equal(pr.le.text, "t");
	prompt_open(&pr, PROMPT_COMMAND, "zzz");
	assert_false(prompt_complete(&pr, candidates, words));
	assert_string_equal(pr.note, "nothing begins so");
	prompt_fini(&pr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pasted_text_is_one_line_and_whole_or_nothing),
		cmocka_unit_test(characters_go_in_before_the_cursor),
		cmocka_unit_test(what_combines_goes_with_its_letter),
		cmocka_unit_test(what_can_not_stand_in_a_line_is_refused),
		cmocka_unit_test(a_full_line_takes_no_more_and_stays_whole),
		cmocka_unit_test(a_word_goes_with_the_blanks_behind_it),
		cmocka_unit_test(the_window_holds_the_cursor),
		cmocka_unit_test(history_gives_back_what_was_accepted),
		cmocka_unit_test(history_is_bounded),
		cmocka_unit_test(completion_goes_as_far_as_it_is_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
