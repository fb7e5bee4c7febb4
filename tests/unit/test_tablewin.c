/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor and the scroll over a list of letters that is re-sorted under them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "ui/frozen.h"
#include "ui/tablewin.h"
#include "view/table.h"

static char letters[64][2];

static void fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	(void)tb;
	*out = (struct row){ .mark = ' ' };
	out->cells[0].text = arena_strdup(ar, letters[i]);
	out->cells[1].text = "1";
}

static const char *key(const struct table *tb, size_t i)
{
	(void)tb;
	return letters[i];
}

static size_t find(const struct table *tb, const char *k)
{
	size_t i = 0;

	while (i < tb->n_rows && strcmp(letters[i], k) != 0)
		i++;
	return i;
}

static const struct column cols[] = {
	{ .title = "NAME", .name = "name", .min = 8, .max = 20, .grows = true },
	{ .title = "A", .name = "a", .right = true, .min = 10, .max = 10 },
	{ .title = "B", .name = "b", .right = true, .min = 10, .max = 10, .need = 1 },
	{ .title = "C", .name = "c", .right = true, .min = 10, .max = 10, .need = 2 },
};

static struct table tb = { .cols = cols, .n_cols = 4, .sort_col = -1, .fill = fill, .key = key, .find = find };
static struct tablewin tw;

/* The list, then what is on view of it, the cursor's row in brackets. */
static void list(const char *rows)
{
	tb.n_rows = strlen(rows);
	for (size_t i = 0; i < tb.n_rows; i++)
		letters[i][0] = rows[i] == ' ' ? '\0' : rows[i]; /* a blank is a gap */
}

static const char *view(void)
{
	static char out[128];
	size_t n = 0;

	for (size_t i = tw.top; i < tw.top + tw.page && i < tb.n_rows; i++) {
		if (i == tw.row && tw.has_cursor)
			out[n++] = '[';
		out[n++] = letters[i][0];
		if (i == tw.row && tw.has_cursor)
			out[n++] = ']';
	}
	out[n] = '\0';
	return out;
}

static void set(const char *rows, size_t page)
{
	tablewin_fini(&tw);
	tablewin_init(&tw, true);
	list(rows);
	tablewin_sync(&tw, &tb, page);
}

static void resort(const char *rows)
{
	list(rows);
	tablewin_sync(&tw, &tb, tw.page);
}

static void before_anything_is_moved_the_view_stays_at_the_top(void **state)
{
	set("abcdef", 3);
	assert_string_equal(view(), "[a]bc");
	resort("fedcba");
	assert_string_equal(view(), "[f]ed");
}

static void the_cursor_follows_the_thing(void **state)
{
	set("abcdef", 6);
	tablewin_move(&tw, &tb, 2);
	assert_string_equal(view(), "ab[c]def");
	resort("fcbade");
	assert_string_equal(view(), "f[c]bade");
	resort("abfdec");
	assert_string_equal(view(), "abfde[c]");
}

static void the_scroll_follows_the_thing(void **state)
{
	set("abcdefghij", 3);
	tablewin_move(&tw, &tb, 5);
	tablewin_move(&tw, &tb, -1);
	assert_string_equal(view(), "d[e]f");
	resort("zyxabcdefghij");
	assert_string_equal(view(), "d[e]f");
	resort("bcdeafghij");
	assert_string_equal(view(), "d[e]a");
}

static void at_the_top_what_comes_in_as_the_worst_is_seen(void **state)
{
	set("abcdef", 4);
	tablewin_move(&tw, &tb, 1);
	assert_string_equal(view(), "a[b]cd");
	resort("zabcdef");
	assert_string_equal(view(), "za[b]c");
	resort("zyxwabcdef"); /* too far down for that: the thing wins */
	assert_string_equal(view(), "xwa[b]");
}

static void when_the_thing_is_gone_the_cursor_stays_where_it_was(void **state)
{
	set("abcdef", 6);
	tablewin_move(&tw, &tb, 2);
	resort("abdef");
	assert_string_equal(view(), "ab[d]ef");
	resort("dabef");
	assert_string_equal(view(), "[d]abef");
	tablewin_move(&tw, &tb, 10);
	assert_string_equal(view(), "dabe[f]");
	resort("da");
	assert_string_equal(view(), "d[a]");
}

static void an_empty_list_keeps_the_place(void **state)
{
	set("abcdef", 6);
	tablewin_move(&tw, &tb, 2);
	resort("");
	assert_string_equal(view(), "");
	assert_null(tablewin_key(&tw, &tb));
	resort("fedcba");
	assert_string_equal(view(), "fed[c]ba");
}

static void moves_stop_at_the_ends(void **state)
{
	set("abcdef", 3);
	tablewin_move(&tw, &tb, -1);
	assert_string_equal(view(), "[a]bc");
	tablewin_move(&tw, &tb, 1000);
	assert_string_equal(view(), "de[f]");
	tablewin_move(&tw, &tb, -1000);
	assert_string_equal(view(), "[a]bc");
	set("", 3);
	tablewin_move(&tw, &tb, 1);
	assert_string_equal(view(), "");
}

static void resizing_keeps_the_cursor_in_sight(void **state)
{
	set("abcdefghij", 8);
	tablewin_move(&tw, &tb, 6);
	tablewin_sync(&tw, &tb, 3);
	assert_string_equal(view(), "ef[g]");
	tablewin_sync(&tw, &tb, 0);
	tablewin_sync(&tw, &tb, 1);
	assert_string_equal(view(), "[g]");
	tablewin_sync(&tw, &tb, 20);
	assert_string_equal(view(), "abcdef[g]hij");
}

static void saved_places_come_back(void **state)
{
	struct tablewin_saved saved;

	set("abcdefghij", 3);
	tablewin_move(&tw, &tb, 5);
	saved = tablewin_save(&tw);
	tablewin_reset(&tw);
	resort("xy");
	assert_string_equal(view(), "[x]y");
	list("abcdefghij");
	tablewin_restore(&tw, &saved);
	tablewin_sync(&tw, &tb, 3);
	assert_string_equal(view(), "de[f]");
	tablewin_saved_fini(&saved);
}

static void a_text_scrolls_without_a_cursor(void **state)
{
	tablewin_fini(&tw);
	tablewin_init(&tw, false);
	list("abcdef");
	tablewin_sync(&tw, &tb, 3);
	tablewin_move(&tw, &tb, 2);
	assert_string_equal(view(), "cde");
	tablewin_move(&tw, &tb, 9);
	assert_string_equal(view(), "def");
	assert_null(tablewin_key(&tw, &tb));
}

static void columns_shift_only_while_something_is_hidden(void **state)
{
	set("abc", 3);
	tablewin_shift(&tw, &tb, 80, 1);
	assert_int_equal(tw.shift, 0);
	tablewin_shift(&tw, &tb, 24, 1);
	assert_int_equal(tw.shift, 1);
	tablewin_shift(&tw, &tb, 24, 1);
	tablewin_shift(&tw, &tb, 24, 1);
	tablewin_shift(&tw, &tb, 24, 1);
	assert_true(tw.shift <= 2);
	assert_int_equal(tablewin_next_column(&tw, &tb, 80, 0), 3);
	for (int i = 0; i < 5; i++)
		tablewin_shift(&tw, &tb, 24, -1);
	assert_int_equal(tw.shift, 0);
	assert_int_equal(tablewin_next_column(&tw, &tb, 80, -1), 0);
	assert_int_equal(tablewin_next_column(&tw, &tb, 80, 3), -1);
}

static void a_click_finds_row_or_column(void **state)
{
	size_t which;

	set("abcdef", 3);
	tablewin_move(&tw, &tb, 5);
	assert_int_equal(tablewin_hit(&tw, &tb, 80, 5, 2, &which), TABLEWIN_ROW);
	assert_int_equal(which, 4);
	assert_int_equal(tablewin_hit(&tw, &tb, 80, 5, 4, &which), TABLEWIN_NOTHING);
	assert_int_equal(tablewin_hit(&tw, &tb, 80, 3, 0, &which), TABLEWIN_HEADER);
	assert_int_equal(which, 0);
	assert_int_equal(tablewin_hit(&tw, &tb, 80, 5, -1, &which), TABLEWIN_NOTHING);
}

static void a_frozen_table_outlives_the_one_it_was_taken_from(void **state)
{
	struct cell head = { .text = "head" };
	struct frozen *fz;
	const struct table *copy;
	struct arena *ar = arena_new(0);
	struct row row;
	size_t n;

	list("abc");
	fz = frozen_new(&tb, &head, 1);
	list("xyzzy");
	copy = frozen_table(fz);
	assert_int_equal(copy->n_rows, 3);
	assert_string_equal(copy->key(copy, 1), "b");
	assert_int_equal(copy->find(copy, "c"), 2);
	assert_int_equal(copy->find(copy, "x"), 3);
	copy->fill(copy, 2, &row, ar);
	assert_string_equal(row.cells[0].text, "c");
	assert_null(row.cells[2].text);
	assert_string_equal(frozen_head(fz, &n)[0].text, "head");
	assert_int_equal(n, 1);
	frozen_free(&fz);
	arena_free(&ar);
}

static int done(void **state)
{
	tablewin_fini(&tw);
	return 0;
}

static void the_cursor_passes_over_gaps(void **state)
{
	set("ab c d", 6);
	tablewin_move(&tw, &tb, 2);
	assert_string_equal(tablewin_key(&tw, &tb), "c");
	tablewin_move(&tw, &tb, -1);
	assert_string_equal(tablewin_key(&tw, &tb), "b");
	tablewin_move_to(&tw, &tb, 4);
	assert_string_equal(tablewin_key(&tw, &tb), "d");
	tablewin_move(&tw, &tb, -1);
	assert_string_equal(tablewin_key(&tw, &tb), "c");
	/* What it was on goes, and a gap is there now. */
	list("ab  d ");
	tablewin_sync(&tw, &tb, 6);
	assert_string_equal(tablewin_key(&tw, &tb), "d");
	tablewin_move(&tw, &tb, 1);
	assert_string_equal(tablewin_key(&tw, &tb), "d");
}

/* Text has no things on it: what is longer than the window is gone through by lines. */
static void text_before_between_and_after_things_can_all_be_seen(void **state)
{
	set("       ab         c      ", 4);
	assert_int_equal(tw.top, 0);
	tablewin_move(&tw, &tb, 1);
	assert_int_equal(tw.top, 1);
	tablewin_move(&tw, &tb, 3);
	assert_string_equal(tablewin_key(&tw, &tb), "a");
	assert_int_equal(tw.top, 4);
	tablewin_move(&tw, &tb, -1);
	assert_int_equal(tw.top, 3);
	tablewin_move(&tw, &tb, -1);
	assert_int_equal(tw.top, 2);
	tablewin_sync(&tw, &tb, 4); /* as with each second that goes by */
	assert_int_equal(tw.top, 2);
	tablewin_move(&tw, &tb, -3);
	assert_int_equal(tw.top, 0);
	tablewin_move_to(&tw, &tb, 8);
	assert_string_equal(tablewin_key(&tw, &tb), "b");
	tablewin_move(&tw, &tb, -1000);
	assert_int_equal(tw.top, 0);
	tablewin_move_to(&tw, &tb, 8);
	for (size_t i = 0, top = tw.top; i < 6; i++, top++) {
		assert_int_equal(tw.top, top);
		tablewin_move(&tw, &tb, 1);
	}
	tablewin_move(&tw, &tb, 1000);
	assert_int_equal(tw.top, tb.n_rows - 4);
	tablewin_move(&tw, &tb, -3);
	assert_string_equal(tablewin_key(&tw, &tb), "c");
	tablewin_move(&tw, &tb, 1);
	assert_int_equal(tw.top + 4 > 19, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_anything_is_moved_the_view_stays_at_the_top),
		cmocka_unit_test(the_cursor_follows_the_thing),
		cmocka_unit_test(the_scroll_follows_the_thing),
		cmocka_unit_test(at_the_top_what_comes_in_as_the_worst_is_seen),
		cmocka_unit_test(when_the_thing_is_gone_the_cursor_stays_where_it_was),
		cmocka_unit_test(an_empty_list_keeps_the_place),
		cmocka_unit_test(moves_stop_at_the_ends),
		cmocka_unit_test(the_cursor_passes_over_gaps),
		cmocka_unit_test(text_before_between_and_after_things_can_all_be_seen),
		cmocka_unit_test(resizing_keeps_the_cursor_in_sight),
		cmocka_unit_test(saved_places_come_back),
		cmocka_unit_test(a_text_scrolls_without_a_cursor),
		cmocka_unit_test(columns_shift_only_while_something_is_hidden),
		cmocka_unit_test(a_click_finds_row_or_column),
		cmocka_unit_test(a_frozen_table_outlives_the_one_it_was_taken_from),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
