/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "view/table.h"

static const char *const hostile[][3] = {
	{ "plain", "1", "a" },
	{ "esc\x1b[31mred", "22", "b" },
	{ "tab\there", "333", "c" },
	{ "bad\xff\xfe utf8", "4", "d" },
	{ "\xe6\x9d\xb1\xe4\xba\xac.topic", "55", "e" },       /* wide */
	{ "e\xcc\x81" "a\xcc\x88" "combined", "6", "f" },
	{ "\xcc\x81" "first", "7", "g" },                      /* combining with nothing to join */
	{ "\xe2\x80\xaertl", "8", "h" },                       /* direction control */
	{ "", NULL, "i" },
	{ "name.of.249.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	  "aaaaaaaaaaaaaaaaa", "9", "j" },
};
enum { HOSTILE = sizeof(hostile) / sizeof(hostile[0]) };

static void fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	for (size_t c = 0; c < tb->n_cols && c < 3; c++)
		row_put(out, c, hostile[i][c] ? arena_strdup(ar, hostile[i][c]) : NULL, CELL_NORMAL);
	out->mark = i == 2 ? 'm' : ' ';
}

static const struct column name_count_note[] = {
	{ "NAME", "name", .min = 10, .max = 30, .grows = true },
	{ "COUNT", "count", .right = true, .min = 5, .max = 5, .need = 1 },
	{ "N", "note", .min = 1, .max = 1, .need = 2 },
};

static struct table table_of(const struct column *cols, size_t n)
{
	struct table tb;

	memset(&tb, 0, sizeof(tb));
	tb.cols = cols;
	tb.n_cols = n;
	tb.n_rows = HOSTILE;
	tb.fill = fill;
	return tb;
}

static void assert_widths(const struct table *tb, size_t width, int a, int b, int c)
{
	uint16_t widths[TABLE_COLUMNS_MAX];

	table_layout(tb, width, widths);
	assert_int_equal(widths[0], a);
	assert_int_equal(widths[1], b);
	assert_int_equal(widths[2], c);
}

static void the_growing_column_takes_what_is_left(void **state)
{
	struct table tb = table_of(name_count_note, 3);

	assert_widths(&tb, 80, 30, 5, 1);
	assert_widths(&tb, 40, 30, 5, 1);
	assert_widths(&tb, 39, 29, 5, 1);
	assert_widths(&tb, 20, 10, 5, 1);
}

static void less_needed_columns_go_first(void **state)
{
	struct table tb = table_of(name_count_note, 3);

	assert_widths(&tb, 19, 11, 5, 0);
	assert_widths(&tb, 18, 10, 5, 0);
	assert_widths(&tb, 17, 15, 0, 0);
}

static void a_column_does_not_slip_in_before_a_more_needed_one(void **state)
{
	static const struct column cols[] = {
		{ "A", "a", .min = 4, .max = 4 },
		{ "WIDE", "b", .min = 20, .max = 20, .need = 1 },
		{ "C", "c", .min = 1, .max = 1, .need = 2 },
	};
	struct table tb = table_of(cols, 3);

	assert_widths(&tb, 26, 4, 0, 0);
	assert_widths(&tb, 27, 4, 20, 0);
	assert_widths(&tb, 29, 4, 20, 1);
}

static void what_must_be_shown_shrinks_before_it_goes(void **state)
{
	static const struct column cols[] = {
		{ "A", "a", .min = 10, .max = 20, .grows = true },
		{ "B", "b", .min = 5, .max = 5 },
		{ "C", "c", .min = 5, .max = 5 },
	};
	struct table tb = table_of(cols, 3);

	assert_widths(&tb, 24, 10, 5, 5);
	assert_widths(&tb, 20, 6, 5, 5);
	assert_widths(&tb, 15, 1, 5, 5);
	assert_widths(&tb, 14, 6, 5, 0);
	assert_widths(&tb, 3, 1, 0, 0);
	assert_widths(&tb, 0, 1, 0, 0);
}

static void each_line_is_aligned_whatever_is_in_it(void **state)
{
	struct table tb = table_of(name_count_note, 3);

	for (size_t width = 20; width <= 60; width++)
		for (int ascii = 0; ascii < 2; ascii++) {
			uint16_t widths[TABLE_COLUMNS_MAX];
			struct strbuf out;
			size_t lines = 0;

			strbuf_init(&out);
			table_layout(&tb, width, widths);
			table_print(&tb, width, 0, HOSTILE, ascii, &out);
			for (char *s = out.s; *s; lines++) {
				size_t n = strcspn(s, "\n");

				/* The last column, one wide and never empty, ends every line at the same place. */
				assert_true(utf8_is_valid(s, n));
				assert_int_equal(utf8_columnsn(s, n), 2 + widths[0] + 1 + widths[1] + 1 + widths[2]);
				for (size_t i = 0; i < n; i++)
					assert_true((unsigned char)s[i] >= 0x20 && s[i] != 0x7f && (!ascii || (unsigned char)s[i] < 0x80));
				s += n + 1;
			}
			assert_int_equal(lines, 1 + HOSTILE);
			strbuf_fini(&out);
		}
}

static void text_is_as_it_was_drawn(void **state)
{
	struct table tb = table_of(name_count_note, 3);
	struct strbuf out;

	strbuf_init(&out);
	table_print(&tb, 30, 0, 5, false, &out);
	assert_string_equal(out.s,
		"  NAME                 COUNT N\n"
		"  plain                    1 a\n"
		"  esc^[[31mred            22 b\n"
		"m tab^Ihere              333 c\n"
		"  bad\\xFF\\xFE utf8         4 d\n"
		"  \xe6\x9d\xb1\xe4\xba\xac.topic              55 e\n");
	strbuf_clear(&out);
	table_print(&tb, 24, 9, 5, true, &out);
	assert_string_equal(out.s,
		"  NAME           COUNT N\n"
		"  name.of.249.a~     9 j\n");
	strbuf_fini(&out);
}

static void fill_since(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	row_put(out, 0, "\xe2\x89\xa4" "03:09:51", CELL_NORMAL);
}

static void at_most_has_a_plain_form(void **state)
{
	static const struct column cols[] = { { "SINCE", "since", .min = 11, .max = 11 } };
	struct table tb = table_of(cols, 1);
	struct strbuf out;

	tb.fill = fill_since;
	strbuf_init(&out);
	table_print(&tb, 40, 0, 1, true, &out);
	assert_string_equal(out.s, "  SINCE\n  <03:09:51\n");
	strbuf_clear(&out);
	table_print(&tb, 40, 0, 1, false, &out);
	assert_string_equal(out.s, "  SINCE\n  \xe2\x89\xa4" "03:09:51\n");
	strbuf_fini(&out);
}

static void tab_separated_text_has_no_control_byte(void **state)
{
	struct table tb = table_of(name_count_note, 3);
	struct strbuf out;

	strbuf_init(&out);
	table_tsv(&tb, &out);
	assert_true(str_starts(out.s,
		"name\tcount\tnote\n"
		"plain\t1\ta\n"
		"esc\\x1B[31mred\t22\tb\n"
		"tab\\there\t333\tc\n"
		"bad\\xFF\\xFE utf8\t4\td\n"));
	assert_non_null(strstr(out.s, "\n\\xE2\\x80\\xAErtl\t8\th\n\t\ti\n"));
	strbuf_clear(&out);
	table_put_tsv(&out, "a\\b\n\x7f\xc2\x85");
	assert_string_equal(out.s, "a\\\\b\\n\\x7F\\xC2\\x85");
	strbuf_fini(&out);
}

static void zero_of_a_count_is_dim(void **state)
{
	struct arena *ar = arena_new(0);
	struct row ro;

	memset(&ro, 0, sizeof(ro));
	row_count(&ro, 0, 0, CELL_WRONG, ar);
	row_count(&ro, 1, 1204, CELL_WRONG, ar);
	assert_string_equal(ro.cells[0].text, "0");
	assert_int_equal(ro.cells[0].style, CELL_DIM);
	assert_string_equal(ro.cells[1].text, "1,204");
	assert_int_equal(ro.cells[1].style, CELL_WRONG);
	row_set_old(&ro);
	assert_int_equal(ro.cells[1].style, CELL_OLD);
	arena_free(&ar);
}

static void of_a_path_that_does_not_fit_the_end_is_shown(void **state)
{
	const struct column path = { "DIR", "dir", .min = 10, .max = 30, .is_path = true }, name = { "NAME", "name", .min = 10, .max = 30 };
	char buf[TABLE_CUT_MAX], longest[5000];

	assert_string_equal(table_cut(&path, "/data/d1", 10, false, buf), "/data/d1");
	assert_string_equal(table_cut(&path, "/srv/kafka/broker-1/d1", 13, false, buf), "\u2026/broker-1/d1");
	assert_string_equal(table_cut(&path, "/srv/kafka/broker-1/d1", 13, true, buf), "~/broker-1/d1");
	assert_string_equal(table_cut(&name, "/srv/kafka/broker-1/d1", 13, false, buf), "/srv/kafka/broker-1/d1");
	assert_string_equal(table_cut(&path, "/srv/gr\u00f6\u00dfe", 4, false, buf), "\u2026\u00f6\u00dfe");
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(utf8_columns(table_cut(&path, longest, 20, false, buf)), 20);
	for (size_t k = 0; k < HOSTILE; k++)
		assert_non_null(table_cut(&path, hostile[k][0], 3, false, buf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_path_that_does_not_fit_the_end_is_shown),
		cmocka_unit_test(the_growing_column_takes_what_is_left),
		cmocka_unit_test(less_needed_columns_go_first),
		cmocka_unit_test(a_column_does_not_slip_in_before_a_more_needed_one),
		cmocka_unit_test(what_must_be_shown_shrinks_before_it_goes),
		cmocka_unit_test(each_line_is_aligned_whatever_is_in_it),
		cmocka_unit_test(text_is_as_it_was_drawn),
		cmocka_unit_test(at_most_has_a_plain_form),
		cmocka_unit_test(tab_separated_text_has_no_control_byte),
		cmocka_unit_test(zero_of_a_count_is_dim),
	};

	return cmocka_run_group_tests_name("view/table", tests, NULL, NULL);
}
