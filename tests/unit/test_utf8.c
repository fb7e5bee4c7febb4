/* SPDX-License-Identifier: Apache-2.0 */
/* KAFOPS_SEED=N repeats a run of the property loop. */
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/str.h"

enum { RANDOM_ROUNDS = 20000, RANDOM_BYTES_MAX = 48 };

/* ---- helpers ------------------------------------------------------------- */

static struct strbuf shown_text;

static const char *shown(const char *s, size_t n, bool ascii)
{
	strbuf_clear(&shown_text);
	utf8_printable(&shown_text, s, n, ascii);
	return shown_text.s;
}

static void assert_shown(const char *s, const char *expected)
{
	assert_string_equal(shown(s, strlen(s), false), expected);
	assert_int_equal(utf8_columns(s), utf8_columns(expected));
}

static void assert_clipped(const char *s, size_t columns, const char *expected, size_t used)
{
	struct strbuf out;

	strbuf_init(&out);
	assert_int_equal(utf8_clip(&out, s, columns, false), used);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

static size_t encode(int32_t cp, char out[4])
{
	uint32_t u = (uint32_t)cp;
	size_t n = u < 0x80 ? 1 : u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;

	if (n == 1) {
		out[0] = (char)u;
		return 1;
	}
	for (size_t i = n - 1; i > 0; i--, u >>= 6)
		out[i] = (char)(0x80 | (u & 0x3f));
	out[0] = (char)((0xf00u >> n & 0xf0) | u);
	return n;
}

static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void random_start(void)
{
	const char *seed = getenv("KAFOPS_SEED");
	int64_t v;

	if (!seed || !str_to_i64(seed, 1, INT64_MAX, &v))
		v = (int64_t)time(NULL);
	print_message("# KAFOPS_SEED=%lld\n", (long long)v);
	random_state = (uint64_t)v * 0x9e3779b97f4a7c15u | 1;
}

/* ---- decoding ------------------------------------------------------------ */

static void every_code_point_decodes_to_itself(void **state)
{
	for (int32_t cp = 0; cp <= 0x10ffff; cp++) {
		char s[4];
		int32_t got;
		size_t n = encode(cp, s);
		bool is_surrogate = cp >= 0xd800 && cp <= 0xdfff;

		if (utf8_decode(s, n, &got) != (is_surrogate ? 1 : n) ||
		    got != (is_surrogate ? -1 : cp))
			fail_msg("U+%04X", (unsigned)cp);
	}
}

static void bad_sequences_are_invalid_byte_by_byte(void **state)
{
	static const char *const bad[] = {
		"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf",
		"\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
		"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xfe", "\xc3", "\xe2\x82",
		"\xf0\x9f\x98", "\xc3" "A", "\xe2\x82" "A", "\xf8\x88\x80\x80\x80",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int32_t cp = 0;

		assert_int_equal(utf8_decode(bad[i], strlen(bad[i]), &cp), 1);
		assert_int_equal(cp, -1);
		assert_false(utf8_is_valid(bad[i], strlen(bad[i])));
	}
}

static void decoding_stays_within_its_bytes(void **state)
{
	int32_t cp;

	assert_int_equal(utf8_decode("\xe2\x82\xac", 2, &cp), 1);
	assert_int_equal(cp, -1);
	assert_false(utf8_is_valid("\xe2\x82\xac", 2));
}

static void good_text_is_valid(void **state)
{
	assert_true(utf8_is_valid("", 0));
	assert_true(utf8_is_valid("a\0b", 3));
	assert_true(utf8_is_valid("h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 12));
	assert_false(utf8_is_valid("ok\xff", 3));
	assert_false(utf8_is_valid("\xff" "ok", 3));
}

/* ---- columns ------------------------------------------------------------- */

static void columns_of_code_points(void **state)
{
	static const struct { int32_t cp; int columns; } cases[] = {
		{ 'a', 1 }, { ' ', 1 }, { '~', 1 }, { 0xa0, 1 }, { 0xe9, 1 }, { 0x416, 1 },
		{ 0x301, 0 }, { 0x20dd, 0 }, { 0x1161, 0 }, { 0x1f3fb, 2 },
		{ 0x4e00, 2 }, { 0xac00, 2 }, { 0xff21, 2 }, { 0x3000, 2 }, { 0x1f600, 2 },
		{ 0x231a, 2 }, { 0x20000, 2 }, { 0x2026, 1 }, { 0x2500, 1 }, { 0xe000, 1 },
		{ 0x10fffd, 1 },
		{ -1, -1 }, { 0, -1 }, { 0x1b, -1 }, { 0x7f, -1 }, { 0x80, -1 }, { 0x9b, -1 },
		{ 0xad, -1 }, { 0x200b, -1 }, { 0x200e, -1 }, { 0x202e, -1 }, { 0x2028, -1 },
		{ 0x2029, -1 }, { 0x2066, -1 }, { 0xfeff, -1 }, { 0xfe0f, -1 }, { 0x3164, -1 },
		{ 0x378, -1 }, { 0xd800, -1 }, { 0xffff, -1 }, { 0xe0041, -1 }, { 0x10ffff, -1 },
		{ 0x110000, -1 }, { INT32_MAX, -1 }, { INT32_MIN, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (utf8_cp_columns(cases[i].cp) != cases[i].columns)
			fail_msg("U+%04X takes %d", (unsigned)cases[i].cp,
				 utf8_cp_columns(cases[i].cp));
}

static void columns_are_those_of_the_printable_form(void **state)
{
	assert_int_equal(utf8_columns(""), 0);
	assert_int_equal(utf8_columns("orders"), 6);
	assert_int_equal(utf8_columns("\xe4\xb8\xad\xe6\x96\x87"), 4);
	assert_int_equal(utf8_columns("e\xcc\x81"), 1);
	assert_int_equal(utf8_columns("\x1b"), 2);
	assert_int_equal(utf8_columns("\xff"), 4);
	assert_int_equal(utf8_columns("\xc2\x9b"), 8);
	assert_int_equal(utf8_columnsn("a\0b", 3), 4);
	assert_int_equal(utf8_columnsn("abc", 1), 1);
}

/* ---- printing ------------------------------------------------------------ */

static void plain_text_stays_as_it_is(void **state)
{
	assert_shown("", "");
	assert_shown("orders-7 \\ ~", "orders-7 \\ ~");
	assert_shown("h\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80", "h\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80");
	assert_shown("e\xcc\x81", "e\xcc\x81");
}

static void controls_become_carets(void **state)
{
	assert_shown("\x1b[31mred\n", "^[[31mred^J");
	assert_shown("\x01\x1f\x7f", "^A^_^?");
	assert_string_equal(shown("a\0b", 3, false), "a^@b");
}

static void c1_and_format_controls_become_escapes(void **state)
{
	assert_shown("\xc2\x9b" "31m", "\\u{009B}31m");
	assert_shown("x\xe2\x80\xae" "txt", "x\\u{202E}txt");
	assert_shown("a\xe2\x80\x8b" "b", "a\\u{200B}b");
	assert_shown("a\xe2\x80\xa8" "b", "a\\u{2028}b");
	assert_shown("\xf3\xa0\x81\x81", "\\u{E0041}");
	assert_shown("\xf4\x8f\xbf\xbf", "\\u{10FFFF}");
}

static void invalid_bytes_become_hex(void **state)
{
	assert_shown("a\xff" "b", "a\\xFFb");
	assert_shown("\xe2\x82", "\\xE2\\x82");
	assert_shown("\xed\xa0\x80", "\\xED\\xA0\\x80");
}

static void combining_start_gets_a_circle(void **state)
{
	assert_shown("\xcc\x81" "a", "\xe2\x97\x8c\xcc\x81" "a");
	assert_string_equal(shown("\xcc\x81", 2, true), "\\u{0301}");
}

static void ascii_form_is_ascii(void **state)
{
	const char *s = "h\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80 \xff\n";

	assert_string_equal(shown(s, strlen(s), true), "h\\u{00E9} \\u{4E2D} \\u{1F600} \\xFF^J");
}

/* ---- clipping ------------------------------------------------------------ */

static void text_that_fits_is_not_clipped(void **state)
{
	assert_clipped("orders", 6, "orders", 6);
	assert_clipped("orders", 99, "orders", 6);
	assert_clipped("", 0, "", 0);
	assert_clipped("e\xcc\x81", 1, "e\xcc\x81", 1);
	assert_clipped("\xe4\xb8\xad", 2, "\xe4\xb8\xad", 2);
}

static void clipped_text_ends_with_an_ellipsis(void **state)
{
	struct strbuf out;

	assert_clipped("orders", 5, "orde\xe2\x80\xa6", 5);
	assert_clipped("orders", 1, "\xe2\x80\xa6", 1);
	assert_clipped("orders", 0, "", 0);
	strbuf_init(&out);
	assert_int_equal(utf8_clip(&out, "orders", 5, true), 5);
	assert_string_equal(out.s, "orde~");
	strbuf_fini(&out);
}

static void wide_characters_and_marks_are_not_torn(void **state)
{
	assert_clipped("\xe4\xb8\xad\xe6\x96\x87", 3, "\xe4\xb8\xad\xe2\x80\xa6", 3);
	assert_clipped("\xe4\xb8\xad\xe6\x96\x87", 2, "\xe2\x80\xa6", 1);
	assert_clipped("a\xff" "b", 5, "a\xe2\x80\xa6", 2);
	assert_clipped("e\xcc\x81xyz", 2, "e\xcc\x81\xe2\x80\xa6", 2);
}

/* ---- properties ---------------------------------------------------------- */

/* Bytes likely to be trouble: ASCII, controls, whole characters, debris. */
static size_t random_text(char *s)
{
	size_t n = 0, want = random_next() % (RANDOM_BYTES_MAX - 4);

	while (n < want) {
		switch (random_next() % 4) {
		case 0:
			s[n++] = (char)(0x20 + random_next() % 0x5f);
			break;
		case 1:
			s[n++] = (char)random_next();
			break;
		case 2:
			n += encode((int32_t)(random_next() % 0x3100), s + n);
			break;
		default:
			n += encode((int32_t)(random_next() % 0x110000), s + n);
			break;
		}
	}
	return n;
}

static void assert_is_printable(const char *s, size_t n, bool ascii)
{
	int32_t cp;

	for (size_t at = 0; at < n;) {
		at += utf8_decode(s + at, n - at, &cp);
		assert_true(utf8_cp_columns(cp) >= 0);
		assert_true(at > 1 || utf8_cp_columns(cp) > 0);
		assert_true(!ascii || cp < 0x7f);
	}
}

static size_t plain_columns(const char *s, size_t n)
{
	size_t columns = 0;
	int32_t cp;

	for (size_t at = 0; at < n;) {
		at += utf8_decode(s + at, n - at, &cp);
		columns += (size_t)utf8_cp_columns(cp);
	}
	return columns;
}

static void check_random_text(const char *s, size_t n)
{
	struct strbuf out;
	size_t full;

	strbuf_init(&out);
	for (int ascii = 0; ascii <= 1; ascii++) {
		strbuf_clear(&out);
		utf8_printable(&out, s, n, ascii);
		assert_is_printable(out.s, out.len, ascii);
		full = plain_columns(out.s, out.len);
		assert_true(ascii || full == utf8_columnsn(s, n));
		if (strlen(s) != n)
			continue;
		for (size_t columns = 0; columns < full + 2; columns++) {
			size_t used;

			strbuf_clear(&out);
			used = utf8_clip(&out, s, columns, ascii);
			assert_is_printable(out.s, out.len, ascii);
			assert_true(used <= columns);
			assert_int_equal(used, plain_columns(out.s, out.len));
			assert_true(columns < full || used == full);
		}
	}
	strbuf_fini(&out);
}

static void lines_break_at_blanks(void **state)
{
	(void)state;
	assert_int_equal(utf8_fit_words("one two", 7), 7);
	assert_int_equal(utf8_fit_words("one two", 6), 3);
	assert_int_equal(utf8_fit_words("one  two three", 8), 8);
	assert_int_equal(utf8_fit_words("toolong for it", 3), 7);
	assert_int_equal(utf8_fit_words("\xc3\xa4\xc3\xb6 \xc3\xbc x", 4), 7); /* columns, not bytes */
	assert_int_equal(utf8_fit_words("end  ", 9), 3);
	assert_int_equal(utf8_fit_words("", 9), 0);
}

static void random_bytes_come_out_printable_measured_and_clipped(void **state)
{
	char s[RANDOM_BYTES_MAX + 1];

	random_start();
	for (int i = 0; i < RANDOM_ROUNDS; i++) {
		size_t n = random_text(s);

		s[n] = '\0';
		check_random_text(s, n);
	}
}

static void printable_form_is_its_own_printable_form(void **state)
{
	char s[RANDOM_BYTES_MAX + 1];

	random_start();
	for (int i = 0; i < RANDOM_ROUNDS; i++) {
		size_t n = random_text(s);
		struct strbuf out;

		strbuf_init(&out);
		utf8_printable(&out, s, n, false);
		assert_string_equal(shown(out.s, out.len, false), out.s);
		strbuf_fini(&out);
	}
}

static int group_setup(void **state)
{
	strbuf_init(&shown_text);
	return 0;
}

static int group_teardown(void **state)
{
	strbuf_fini(&shown_text);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_point_decodes_to_itself),
		cmocka_unit_test(bad_sequences_are_invalid_byte_by_byte),
		cmocka_unit_test(decoding_stays_within_its_bytes),
		cmocka_unit_test(good_text_is_valid),
		cmocka_unit_test(columns_of_code_points),
		cmocka_unit_test(columns_are_those_of_the_printable_form),
		cmocka_unit_test(plain_text_stays_as_it_is),
		cmocka_unit_test(controls_become_carets),
		cmocka_unit_test(c1_and_format_controls_become_escapes),
		cmocka_unit_test(invalid_bytes_become_hex),
		cmocka_unit_test(combining_start_gets_a_circle),
		cmocka_unit_test(ascii_form_is_ascii),
		cmocka_unit_test(text_that_fits_is_not_clipped),
		cmocka_unit_test(clipped_text_ends_with_an_ellipsis),
		cmocka_unit_test(wide_characters_and_marks_are_not_torn),
		cmocka_unit_test(lines_break_at_blanks),
		cmocka_unit_test(random_bytes_come_out_printable_measured_and_clipped),
		cmocka_unit_test(printable_form_is_its_own_printable_form),
	};

	return cmocka_run_group_tests_name("utf8", tests, group_setup, group_teardown);
}
