/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/canvas.h"

#include <curses.h>
#include <string.h>
#include <wchar.h>

#include "base/str.h"
#include "base/utf8.h"

enum { CANVAS_PAIR_WRONG = 1, CANVAS_PAIR_BUSY, CANVAS_PAIR_PLACE, CANVAS_PAIR_TINT };

static struct {
	bool ascii, color;
	bool has_cursor;
	int cursor_x, cursor_y;
	struct strbuf text, mapped;
	bool has_bufs;
} canvas;

void canvas_init(bool ascii, bool color)
{
	static const short tints[] = { COLOR_RED, COLOR_GREEN, COLOR_YELLOW, COLOR_BLUE, COLOR_MAGENTA, COLOR_CYAN };

	canvas.ascii = ascii;
	canvas.color = color;
	if (!canvas.has_bufs) {
		strbuf_init(&canvas.text);
		strbuf_init(&canvas.mapped);
		canvas.has_bufs = true;
	}
	if (!color)
		return;
	/* Of eight colours, those that can be read on a dark and on a light background. */
	init_pair(CANVAS_PAIR_WRONG, COLOR_RED, -1);
	init_pair(CANVAS_PAIR_BUSY, COLOR_MAGENTA, -1);
	init_pair(CANVAS_PAIR_PLACE, COLOR_CYAN, -1);
	for (short i = 0; i <= STYLE_TINT_LAST - STYLE_TINT; i++)
		init_pair((short)(CANVAS_PAIR_TINT + i), tints[i], -1);
}

/* ---- styles --------------------------------------------------------------------- */

static attr_t canvas_attrs(unsigned style, short *pair)
{
	attr_t a = A_NORMAL;

	*pair = 0;
	switch (style & ~(unsigned)STYLE_CURSOR) {
	case STYLE_WRONG: a = A_BOLD; *pair = CANVAS_PAIR_WRONG; break;
	case STYLE_BANNER: a = A_BOLD; *pair = CANVAS_PAIR_WRONG; break;
	case STYLE_BUSY: *pair = CANVAS_PAIR_BUSY; break;
	case STYLE_DIM: a = A_DIM; break;
	case STYLE_STRONG: a = A_BOLD; break;
	case STYLE_PLACE: a = A_BOLD; *pair = CANVAS_PAIR_PLACE; break;
	case STYLE_TINT ... STYLE_TINT_LAST:
		a = A_BOLD;
		*pair = (short)(CANVAS_PAIR_TINT + (int)(style & ~(unsigned)STYLE_CURSOR) - STYLE_TINT);
		break;
	default: break;
	}
	if (style & STYLE_CURSOR) {
		a = (a & ~A_DIM) | A_REVERSE; /* dim and reverse together can't be read */
		*pair = 0;
	}
	if (!canvas.color)
		*pair = 0;
	return a;
}

/* ---- text ------------------------------------------------------------------------- */

static const struct {
	const char *sign, *ascii;
} canvas_ascii[] = {
	{ "…", "~" }, { "·", "." }, { "≤", "<=" }, { "≥", ">=" }, { "×", "x" }, { "→", "->" },
	{ "←", "<-" }, { "↑", "^" }, { "↓", "v" }, { "–", "-" }, { "—", "-" }, { "▲", "^" }, { "▼", "v" },
};

/* Our own signs, in ASCII. */
static const char *canvas_map(const char *text)
{
	if (!canvas.ascii)
		return text;
	strbuf_clear(&canvas.mapped);
	while (*text) {
		size_t i, n = sizeof(canvas_ascii) / sizeof(canvas_ascii[0]);

		for (i = 0; i < n && !str_starts(text, canvas_ascii[i].sign); i++)
			;
		if (i < n) {
			strbuf_put(&canvas.mapped, canvas_ascii[i].ascii);
			text += strlen(canvas_ascii[i].sign);
		} else
			strbuf_putc(&canvas.mapped, *text++);
	}
	return canvas.mapped.s;
}

int canvas_columns(const char *text)
{
	struct strbuf sb;
	int n;

	text = canvas_map(text);
	if (!canvas.ascii)
		return (int)utf8_columns(text);
	strbuf_init(&sb);
	utf8_printable(&sb, text, strlen(text), true);
	n = (int)sb.len;
	strbuf_fini(&sb);
	return n;
}

/* One character and what combines with it, at x. The C library may know other widths than base/utf8, and
 * curses goes by the former: what they don't agree on is shown as question marks, so that columns stand. */
static void canvas_cell(int x, int y, int columns, const wchar_t *wc, attr_t a, short pair)
{
	static const wchar_t question[] = L"?";
	cchar_t cc;

	if (wcwidth(wc[0]) == columns) {
		setcchar(&cc, wc, a, pair, NULL);
		mvadd_wch(y, x, &cc);
		return;
	}
	for (int i = 0; i < columns; i++) {
		setcchar(&cc, question, a, pair, NULL);
		mvadd_wch(y, x + i, &cc);
	}
}

/* Paints text that is printable and fits. */
static int canvas_cells(int x, int y, const char *s, size_t n, attr_t a, short pair)
{
	int from = x;

	for (size_t i = 0; i < n;) {
		wchar_t wc[CCHARW_MAX + 1] = { 0 };
		size_t n_wc = 0;
		int32_t cp;
		int columns;

		i += utf8_decode(s + i, n - i, &cp);
		columns = cp < 0 ? 1 : utf8_cp_columns(cp);
		wc[n_wc++] = cp < 0 ? L'?' : (wchar_t)cp;
		while (i < n) {
			size_t step = utf8_decode(s + i, n - i, &cp);

			if (cp < 0 || utf8_cp_columns(cp) != 0)
				break;
			if (n_wc < CCHARW_MAX && wcwidth((wchar_t)cp) == 0)
				wc[n_wc++] = (wchar_t)cp;
			i += step;
		}
		if (columns <= 0)
			continue;
		canvas_cell(x, y, columns, wc, a, pair);
		x += columns;
	}
	return x - from;
}

static void canvas_blank(int x, int y, int width, attr_t a)
{
	cchar_t cc;

	if (width <= 0)
		return;
	setcchar(&cc, L" ", a & A_REVERSE, 0, NULL);
	mvhline_set(y, x, &cc, width);
}

static int canvas_paint(int x, int y, int width, unsigned style, const char *text, bool right)
{
	short pair;
	attr_t a = canvas_attrs(style, &pair);
	int used;

	if (x < 0) {
		width += x;
		x = 0;
	}
	if (width > COLS - x)
		width = COLS - x;
	if (width <= 0 || y < 0 || y >= LINES)
		return 0;
	strbuf_clear(&canvas.text);
	used = (int)utf8_clip(&canvas.text, canvas_map(text), (size_t)width, canvas.ascii);
	if (right) {
		canvas_blank(x, y, width - used, a);
		canvas_cells(x + width - used, y, canvas.text.s, canvas.text.len, a, pair);
	} else {
		canvas_cells(x, y, canvas.text.s, canvas.text.len, a, pair);
		canvas_blank(x + used, y, width - used, a);
	}
	return used;
}

int canvas_put(int x, int y, int width, unsigned style, const char *text)
{
	return canvas_paint(x, y, width, style, text, false);
}

int canvas_put_right(int x, int y, int width, unsigned style, const char *text)
{
	return canvas_paint(x, y, width, style, text, true);
}

/* ---- frames ------------------------------------------------------------------------- */

void canvas_begin(void)
{
	erase();
	canvas.has_cursor = false;
}

void canvas_cursor(int x, int y)
{
	canvas.has_cursor = true;
	canvas.cursor_x = x < COLS ? x : COLS - 1;
	canvas.cursor_y = y < LINES ? y : LINES - 1;
}

void canvas_end(void)
{
	curs_set(canvas.has_cursor ? 1 : 0);
	if (canvas.has_cursor)
		move(canvas.cursor_y, canvas.cursor_x);
	else
		move(LINES - 1, 0);
	wnoutrefresh(stdscr);
	doupdate();
}

void canvas_repaint(void)
{
	clearok(curscr, TRUE);
}
