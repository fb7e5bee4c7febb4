/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/tablewin.h"

#include <string.h>

#include "base/mem.h"
#include "ui/canvas.h"
#include "view/table.h"

enum { TABLEWIN_MARK = 2 };

void tablewin_init(struct tablewin *tw, bool has_cursor)
{
	*tw = (struct tablewin){ .has_cursor = has_cursor };
}

void tablewin_fini(struct tablewin *tw)
{
	mem_free(&tw->key);
}

void tablewin_reset(struct tablewin *tw)
{
	mem_free(&tw->key);
	tw->row = tw->top = 0;
}

/* ---- cursor and scroll ------------------------------------------------------ */

static size_t tablewin_top_max(const struct tablewin *tw, const struct table *tb)
{
	return tb->n_rows > tw->page ? tb->n_rows - tw->page : 0;
}

/* Keeps the cursor in the table, the top in bounds and the cursor in sight. */
static void tablewin_clamp(struct tablewin *tw, const struct table *tb)
{
	size_t top_max = tablewin_top_max(tw, tb);

	if (!tb->n_rows)
		tw->row = 0;
	else if (tw->row >= tb->n_rows)
		tw->row = tb->n_rows - 1;
	if (tw->top > top_max)
		tw->top = top_max;
	if (!tw->has_cursor || !tw->page)
		return;
	if (tw->row < tw->top)
		tw->top = tw->row;
	else if (tw->row >= tw->top + tw->page)
		tw->top = tw->row - tw->page + 1;
}

static void tablewin_hold(struct tablewin *tw, const struct table *tb)
{
	if (!tw->has_cursor || !tb->n_rows)
		return;
	mem_free(&tw->key);
	tw->key = mem_strdup(tb->key(tb, tw->row));
}

/* The next row that is no gap, onwards in the direction, or else back; `row` when there is nothing but gaps. */
static size_t tablewin_past_gap(const struct table *tb, size_t row, bool is_up)
{
	for (size_t turn = 0; turn < 2; turn++, is_up = !is_up)
		for (size_t i = row; i < tb->n_rows; i += is_up ? (size_t)-1 : 1)
			if (*tb->key(tb, i))
				return i;
	return row;
}

static void tablewin_place(struct tablewin *tw, const struct table *tb, size_t row, bool is_up)
{
	if (!tb->n_rows)
		return;
	tw->row = tablewin_past_gap(tb, row < tb->n_rows ? row : tb->n_rows - 1, is_up);
	tablewin_clamp(tw, tb);
	tablewin_hold(tw, tb);
}

void tablewin_sync(struct tablewin *tw, const struct table *tb, size_t page)
{
	size_t at, offset = tw->row - tw->top;

	tw->page = page;
	if (!tw->key) {
		if (tw->has_cursor)
			tw->row = tablewin_past_gap(tb, tw->top = 0, false);
		if (tw->row >= page)
			tw->row = 0; /* the beginning is read first */
		tablewin_clamp(tw, tb);
		return;
	}
	if (!tb->n_rows)
		return; /* nothing to hold on to: the place is kept for when rows come back */
	if (!*tw->key) {
		tablewin_clamp(tw, tb);
		return;
	}
	at = tb->find(tb, tw->key);
	if (at < tb->n_rows) {
		tw->row = at;
		if (tw->top > 0)
			tw->top = at > offset ? at - offset : 0;
		tablewin_clamp(tw, tb);
		return;
	}
	tablewin_place(tw, tb, tw->row, false);
}

void tablewin_move_to(struct tablewin *tw, const struct table *tb, size_t row)
{
	tablewin_place(tw, tb, row, false);
}

/* Where the window begins after so many lines up or down. */
static size_t tablewin_scrolled(const struct tablewin *tw, const struct table *tb, size_t by, bool is_up)
{
	size_t max = tablewin_top_max(tw, tb);

	if (is_up)
		return tw->top > by ? tw->top - by : 0;
	return by < max && tw->top + by < max ? tw->top + by : max;
}

/* Onto a gap: to the next thing that way where it is in sight; else the text is gone through by lines, and where no thing is in sight then, the
 * cursor is on a line of it. */
static void tablewin_read(struct tablewin *tw, const struct table *tb, size_t to, size_t by, bool is_up)
{
	size_t at = tablewin_past_gap(tb, to, is_up), top = tablewin_scrolled(tw, tb, by, is_up);
	bool is_onward = is_up ? at <= to : at >= to;

	if (is_onward && at >= tw->top && at < tw->top + tw->page) {
		tw->row = at;
	} else {
		tw->top = top;
		tw->row = at >= top && at < top + tw->page ? at : is_up ? top : top + tw->page - 1;
	}
	tablewin_clamp(tw, tb);
	tablewin_hold(tw, tb);
}

void tablewin_move(struct tablewin *tw, const struct table *tb, long rows)
{
	size_t from = tw->has_cursor ? tw->row : tw->top;
	size_t by = (size_t)(rows < 0 ? -rows : rows);
	size_t to = rows < 0 ? (by > from ? 0 : from - by) : from + by;

	if (tw->has_cursor) {
		to = to < tb->n_rows ? to : tb->n_rows > 0 ? tb->n_rows - 1 : 0;
		if (tw->page > 0 && to < tb->n_rows && !*tb->key(tb, to))
			tablewin_read(tw, tb, to, by, rows < 0);
		else
			tablewin_place(tw, tb, to, rows < 0);
		return;
	}
	tw->top = to;
	tablewin_clamp(tw, tb);
}

const char *tablewin_key(const struct tablewin *tw, const struct table *tb)
{
	return tw->has_cursor && tw->row < tb->n_rows ? tb->key(tb, tw->row) : NULL;
}

struct tablewin_saved tablewin_save(const struct tablewin *tw)
{
	return (struct tablewin_saved){ .key = tw->key ? mem_strdup(tw->key) : NULL, .row = tw->row, .top = tw->top };
}

void tablewin_restore(struct tablewin *tw, struct tablewin_saved *saved)
{
	mem_free(&tw->key);
	tw->key = saved->key;
	tw->row = saved->row;
	tw->top = saved->top;
	*saved = (struct tablewin_saved){ 0 };
}

void tablewin_saved_fini(struct tablewin_saved *saved)
{
	mem_free(&saved->key);
}

/* ---- columns --------------------------------------------------------------------- */

/* The table without the columns shifted out, and their widths. map[i] is the column of the whole table. */
struct tablewin_cols {
	struct table tb;
	struct column cols[TABLE_COLUMNS_MAX];
	uint16_t widths[TABLE_COLUMNS_MAX];
	size_t map[TABLE_COLUMNS_MAX];
};

static void tablewin_cols(const struct tablewin *tw, const struct table *tb, int width, struct tablewin_cols *tc)
{
	size_t n = 0;

	for (size_t i = 0; i < tb->n_cols; i++) {
		if (i > 0 && i <= tw->shift)
			continue;
		tc->cols[n] = tb->cols[i];
		tc->map[n++] = i;
	}
	tc->tb = *tb;
	tc->tb.cols = tc->cols;
	tc->tb.n_cols = n;
	table_layout(&tc->tb, width > 0 ? (size_t)width : 0, tc->widths);
}

static bool tablewin_hides(const struct tablewin_cols *tc)
{
	for (size_t i = 0; i < tc->tb.n_cols; i++)
		if (!tc->widths[i])
			return true;
	return false;
}

void tablewin_shift(struct tablewin *tw, const struct table *tb, size_t width, int by)
{
	struct tablewin_cols tc;

	if (by < 0) {
		tw->shift -= tw->shift > 0;
		return;
	}
	tablewin_cols(tw, tb, (int)width, &tc);
	if (tablewin_hides(&tc) && tw->shift + 2 < tb->n_cols)
		tw->shift++;
}

int tablewin_next_column(const struct tablewin *tw, const struct table *tb, size_t width, int col)
{
	struct tablewin_cols tc;

	tablewin_cols(tw, tb, (int)width, &tc);
	for (size_t i = 0; i < tc.tb.n_cols; i++)
		if (tc.widths[i] && (int)tc.map[i] > col)
			return (int)tc.map[i];
	return -1;
}

/* ---- paint -------------------------------------------------------------------------- */

static unsigned tablewin_style(unsigned cell, unsigned row, bool cursor)
{
	static const unsigned styles[] = { STYLE_NORMAL, STYLE_WRONG, STYLE_BUSY, STYLE_DIM, STYLE_DIM };
	unsigned s = cell ? cell : row;

	return (s < sizeof(styles) / sizeof(styles[0]) ? styles[s] : STYLE_NORMAL) | (cursor ? STYLE_CURSOR : 0);
}

static void tablewin_paint_header(const struct tablewin_cols *tc, int x, int y, int width)
{
	int at = x + TABLEWIN_MARK;

	for (size_t i = 0; i < tc->tb.n_cols; i++) {
		const struct column *co = &tc->cols[i];
		bool sorted = tc->tb.sort_col >= 0 && (size_t)tc->tb.sort_col == tc->map[i];
		unsigned style = sorted ? STYLE_PLACE : STYLE_STRONG;
		int w = tc->widths[i];

		if (!w)
			continue;
		if (co->right)
			canvas_put_right(at, y, w, style, co->title);
		else
			canvas_put(at, y, w, style, co->title);
		/* The blank between columns says which way it is sorted. */
		if (sorted && at + w < x + width) {
			int used = co->right ? w : canvas_columns(co->title);

			canvas_put(at + (used < w ? used : w), y, 1, style, tc->tb.sort_desc ? "↓" : "↑");
		}
		at += w + 1;
	}
}

/* In a text, a first cell alone stands over the whole width. */
static bool tablewin_is_title(const struct row *row)
{
	for (size_t i = 1; i < TABLE_COLUMNS_MAX; i++)
		if (row->cells[i].text)
			return false;
	return row->cells[0].text != NULL;
}

static void tablewin_paint_row(const struct tablewin *tw, const struct tablewin_cols *tc, const struct row *row,
	bool cursor, int x, int y, int width)
{
	unsigned base = tablewin_style(CELL_NORMAL, row->style, cursor);
	char mark[2] = { row->mark ? row->mark : ' ', '\0' };
	int at = x + TABLEWIN_MARK;

	if (!tw->has_cursor && tablewin_is_title(row)) {
		canvas_put(at, y, width - TABLEWIN_MARK, STYLE_STRONG, row->cells[0].text);
		return;
	}
	if (cursor && mark[0] == ' ')
		mark[0] = '>';
	canvas_put(x, y, cursor ? width : TABLEWIN_MARK, base, tw->has_cursor || mark[0] != ' ' ? mark : "");
	for (size_t i = 0; i < tc->tb.n_cols; i++) {
		const struct cell *ce = &row->cells[tc->map[i]];
		unsigned style = tablewin_style(ce->style, row->style, cursor);
		int w = tc->widths[i];
		char cut[TABLE_CUT_MAX];

		if (!w)
			continue;
		if (tc->cols[i].right)
			canvas_put_right(at, y, w, style, ce->text ? ce->text : "");
		else
			canvas_put(at, y, w, style, table_cut(&tc->cols[i], ce->text ? ce->text : "", (size_t)w, false, cut));
		at += w + 1;
	}
}

void tablewin_paint(const struct tablewin *tw, const struct table *tb, int x, int y, int width, int height,
	struct arena *ar)
{
	struct tablewin_cols tc;

	if (height <= 0)
		return;
	tablewin_cols(tw, tb, width, &tc);
	tablewin_paint_header(&tc, x, y, width);
	for (size_t i = 0; i < (size_t)(height - 1) && tw->top + i < tb->n_rows; i++) {
		struct row row = { .mark = ' ' };

		arena_clear(ar);
		tb->fill(tb, tw->top + i, &row, ar);
		tablewin_paint_row(tw, &tc, &row, tw->has_cursor && tw->top + i == tw->row && *tb->key(tb, tw->row),
				   x, y + 1 + (int)i, width);
	}
}

enum tablewin_hit tablewin_hit(const struct tablewin *tw, const struct table *tb, int width, int dx, int dy, size_t *which)
{
	struct tablewin_cols tc;
	int at = TABLEWIN_MARK;

	if (dy > 0) {
		*which = tw->top + (size_t)dy - 1;
		return *which < tb->n_rows && (size_t)dy <= tw->page ? TABLEWIN_ROW : TABLEWIN_NOTHING;
	}
	if (dy < 0)
		return TABLEWIN_NOTHING;
	tablewin_cols(tw, tb, width, &tc);
	for (size_t i = 0; i < tc.tb.n_cols; i++) {
		if (!tc.widths[i])
			continue;
		if (dx >= at && dx <= at + tc.widths[i]) {
			*which = tc.map[i];
			return TABLEWIN_HEADER;
		}
		at += tc.widths[i] + 1;
	}
	return TABLEWIN_NOTHING;
}
