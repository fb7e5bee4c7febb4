/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text is walked in pieces: one code point, or one invalid byte, with the
 * columns it takes once it is printable. Measuring, printing and clipping all
 * ask utf8_next_piece(), so that they can't disagree.
 */
#include "base/utf8.h"

#include <string.h>

#include "base/str.h"
#include "utf8_width.h"

enum piece_kind {
	PIECE_PLAIN,  /* stands for itself */
	PIECE_CARET,  /* ^X */
	PIECE_BYTE,   /* \xNN */
	PIECE_ESCAPE, /* \u{NNNN} */
	PIECE_CIRCLED /* a combining character with nothing to join */
};

struct piece {
	enum piece_kind kind;
	int32_t cp;    /* -1 for an invalid byte */
	size_t len;    /* bytes in the source */
	size_t columns;
};

static const char utf8_dotted_circle[] = "\xe2\x97\x8c";
static const char utf8_ellipsis[] = "\xe2\x80\xa6";

static bool utf8_is_plain_ascii(unsigned char c)
{
	return c >= 0x20 && c < 0x7f;
}

/* ---- decoding ------------------------------------------------------------ */

/* The length that a lead byte announces, 0 for a byte that can't lead; in *cp
 * the bits it carries and in *min the smallest value that is not overlong. */
static size_t utf8_lead(unsigned char c, int32_t *cp, int32_t *min)
{
	if (c < 0x80) {
		*cp = c;
		*min = 0;
		return 1;
	}
	if (c >= 0xc2 && c < 0xe0) {
		*cp = c & 0x1f;
		*min = 0x80;
		return 2;
	}
	if (c >= 0xe0 && c < 0xf0) {
		*cp = c & 0x0f;
		*min = 0x800;
		return 3;
	}
	*cp = c & 0x07;
	*min = 0x10000;
	return c >= 0xf0 && c < 0xf5 ? 4 : 0;
}

size_t utf8_decode(const char *s, size_t n, int32_t *cp)
{
	const unsigned char *u = (const unsigned char *)s;
	int32_t v, min;
	size_t len = utf8_lead(u[0], &v, &min);

	*cp = -1;
	if (len == 0 || len > n)
		return 1;
	for (size_t i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 1;
		v = v << 6 | (u[i] & 0x3f);
	}
	if (v < min || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return 1;
	*cp = v;
	return len;
}

bool utf8_is_valid(const char *s, size_t n)
{
	int32_t cp = 0;

	for (size_t i = 0; i < n && cp >= 0;)
		i += utf8_decode(s + i, n - i, &cp);
	return cp >= 0;
}

/* ---- measuring ----------------------------------------------------------- */

/* Class of a code point past ASCII, up to U+10FFFF. */
static unsigned utf8_class(int32_t cp)
{
	size_t low = 0, high = sizeof(utf8_width_runs) / sizeof(utf8_width_runs[0]);

	/* The last run that starts at or before cp; the first starts at U+0080. */
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (utf8_width_runs[mid] >> 2 <= (uint32_t)cp)
			low = mid;
		else
			high = mid;
	}
	return utf8_width_runs[low] & 3;
}

int utf8_cp_columns(int32_t cp)
{
	unsigned class;

	if (cp < 0x20 || cp == 0x7f || cp > 0x10ffff)
		return -1;
	if (cp < 0x7f)
		return 1;
	class = utf8_class(cp);
	return class == UTF8_MARKED ? -1 : (int)class;
}

/* Columns of \u{NNNN}: at least four digits. */
static size_t utf8_escape_columns(int32_t cp)
{
	return cp > 0xfffff ? 10 : cp > 0xffff ? 9 : 8;
}

static void utf8_set_piece(struct piece *pc, enum piece_kind kind, size_t columns)
{
	pc->kind = kind;
	pc->columns = columns;
}

/* Takes the piece at s[0..n), n > 0. `is_first`: nothing stands before it. */
static void utf8_next_piece(const char *s, size_t n, bool is_first, bool ascii, struct piece *pc)
{
	int columns;

	pc->len = utf8_decode(s, n, &pc->cp);
	columns = utf8_cp_columns(pc->cp);
	if (pc->cp < 0)
		utf8_set_piece(pc, PIECE_BYTE, 4);
	else if (pc->cp < 0x20 || pc->cp == 0x7f)
		utf8_set_piece(pc, PIECE_CARET, 2);
	else if (columns < 0 || (ascii && pc->cp > 0x7f))
		utf8_set_piece(pc, PIECE_ESCAPE, utf8_escape_columns(pc->cp));
	else if (columns == 0 && is_first)
		utf8_set_piece(pc, PIECE_CIRCLED, 1);
	else
		utf8_set_piece(pc, PIECE_PLAIN, (size_t)columns);
}

/* Walks whole pieces of s[0..n) while they take at most `limit` columns.
 * Returns the bytes walked, and in *columns what they take. */
static size_t utf8_walk(const char *s, size_t n, size_t limit, bool ascii, size_t *columns)
{
	struct piece pc;
	size_t at = 0;

	*columns = 0;
	while (at < n) {
		if (utf8_is_plain_ascii((unsigned char)s[at])) {
			pc.len = 1;
			pc.columns = 1;
		} else {
			utf8_next_piece(s + at, n - at, at == 0, ascii, &pc);
		}
		if (pc.columns > limit - *columns)
			break;
		*columns += pc.columns;
		at += pc.len;
	}
	return at;
}

size_t utf8_columns(const char *s)
{
	return utf8_columnsn(s, strlen(s));
}

size_t utf8_columnsn(const char *s, size_t n)
{
	size_t columns;

	utf8_walk(s, n, SIZE_MAX, false, &columns);
	return columns;
}

size_t utf8_fit_words(const char *s, size_t columns)
{
	size_t end = strcspn(s, " ");

	for (;;) {
		size_t next = end + strspn(s + end, " ");

		if (!s[next])
			return end;
		next += strcspn(s + next, " ");
		if (utf8_columnsn(s, next) > columns)
			return end;
		end = next;
	}
}

/* ---- printing ------------------------------------------------------------ */

static void utf8_print_piece(struct strbuf *out, const char *s, const struct piece *pc)
{
	switch (pc->kind) {
	case PIECE_CARET:
		strbuf_putc(out, '^');
		strbuf_putc(out, (char)(pc->cp ^ 0x40));
		break;
	case PIECE_BYTE:
		strbuf_printf(out, "\\x%02X", (unsigned)(unsigned char)s[0]);
		break;
	case PIECE_ESCAPE:
		strbuf_printf(out, "\\u{%04X}", (unsigned)pc->cp);
		break;
	case PIECE_CIRCLED:
		strbuf_put(out, utf8_dotted_circle);
		strbuf_putn(out, s, pc->len);
		break;
	case PIECE_PLAIN:
		strbuf_putn(out, s, pc->len);
		break;
	}
}

static size_t utf8_plain_run(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && utf8_is_plain_ascii((unsigned char)s[i]))
		i++;
	return i;
}

void utf8_printable(struct strbuf *out, const char *s, size_t n, bool ascii)
{
	struct piece pc;
	size_t at = 0;

	while (at < n) {
		size_t run = utf8_plain_run(s + at, n - at);

		strbuf_putn(out, s + at, run);
		at += run;
		if (at == n)
			break;
		utf8_next_piece(s + at, n - at, at == 0, ascii, &pc);
		utf8_print_piece(out, s + at, &pc);
		at += pc.len;
	}
}

size_t utf8_clip(struct strbuf *out, const char *s, size_t columns, bool ascii)
{
	size_t n = strlen(s), used, len;

	len = utf8_walk(s, n, columns, ascii, &used);
	if (len < n && columns == 0)
		return 0;
	if (len < n) {
		len = utf8_walk(s, n, columns - 1, ascii, &used);
		utf8_printable(out, s, len, ascii);
		strbuf_put(out, ascii ? "~" : utf8_ellipsis);
		return used + 1;
	}
	utf8_printable(out, s, n, ascii);
	return used;
}
