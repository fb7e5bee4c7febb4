/* SPDX-License-Identifier: Apache-2.0 */
/* A layout printed as a string: what stands on which line, and where the pieces of a line begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "ui/layout.h"

static const char *frame(int width, int height)
{
	static char out[128];
	struct layout lo = layout_frame(width, height);

	if (lo.too_small)
		return "too small";
	str_printf(out, sizeof(out), "status %d views %d title %d content %d+%d message %d keys %d", lo.status, lo.views,
		   lo.title, lo.content, lo.content_height, lo.message, lo.keys);
	return out;
}

static void the_frame_takes_three_lines_above_and_two_below(void **state)
{
	assert_string_equal(frame(80, 24), "status 0 views 1 title 2 content 3+19 message 22 keys 23");
	assert_string_equal(frame(160, 50), "status 0 views 1 title 2 content 3+45 message 48 keys 49");
	assert_string_equal(frame(40, 10), "status 0 views 1 title 2 content 3+5 message 8 keys 9");
}

static void below_forty_by_ten_it_is_too_small(void **state)
{
	assert_string_equal(frame(39, 10), "too small");
	assert_string_equal(frame(40, 9), "too small");
	assert_string_equal(frame(1, 1), "too small");
	assert_string_equal(frame(0, 0), "too small");
}

/* Letters: a piece in full; digits: its short form; blanks: gaps. */
static const char *line(const struct layout_piece *given, size_t n, int width)
{
	static char out[256];
	struct layout_piece lp[LAYOUT_PIECES_MAX];
	int end = 0;

	memcpy(lp, given, n * sizeof(*lp));
	layout_line(lp, n, width);
	memset(out, ' ', sizeof(out));
	for (size_t i = 0; i < n; i++) {
		int w = lp[i].is_brief ? lp[i].brief : lp[i].full;

		if (lp[i].x < 0)
			continue;
		memset(out + lp[i].x, (lp[i].is_brief ? '1' : 'a') + (int)i, (size_t)w);
		end = lp[i].x + w > end ? lp[i].x + w : end;
	}
	out[end] = '\0';
	return out;
}

static const struct layout_piece pieces[] = {
	{ .full = 4, .drop_at = 1 },
	{ .full = 6, .brief = 2, .brief_at = 3 },
	{ .full = 3, .drop_at = 2, .to_right = true },
};

static void pieces_give_way_in_their_order(void **state)
{
	assert_string_equal(line(pieces, 3, 30), "aaaa   bbbbbb              ccc");
	assert_string_equal(line(pieces, 3, 19), "aaaa   bbbbbb   ccc");
	assert_string_equal(line(pieces, 3, 18), "aaaa  bbbbbb   ccc"); /* smaller gaps first */
	assert_string_equal(line(pieces, 3, 15), "aaaa bbbbbb ccc");
	assert_string_equal(line(pieces, 3, 14), "bbbbbb     ccc");
	assert_string_equal(line(pieces, 3, 9), "bbbbbb");
	assert_string_equal(line(pieces, 3, 5), "22");
}

static void a_piece_that_must_stay_stays_even_when_it_sticks_out(void **state)
{
	assert_string_equal(line(pieces, 3, 1), "22");
	assert_string_equal(line(pieces, 3, 0), "22");
	assert_string_equal(line(pieces, 0, 10), "");
}

static void a_line_never_sticks_out_for_want_of_trying(void **state)
{
	for (int width = 2; width < 60; width++)
		assert_true((int)strlen(line(pieces, 3, width)) <= width);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_frame_takes_three_lines_above_and_two_below),
		cmocka_unit_test(below_forty_by_ten_it_is_too_small),
		cmocka_unit_test(pieces_give_way_in_their_order),
		cmocka_unit_test(a_piece_that_must_stay_stays_even_when_it_sticks_out),
		cmocka_unit_test(a_line_never_sticks_out_for_want_of_trying),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
