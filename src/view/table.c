/* SPDX-License-Identifier: Apache-2.0 */
#include "view/table.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "base/utf8.h"
#include "view/query.h"

enum { TABLE_MARK_COLUMNS = 2, TABLE_GAP_COLUMNS = 1 };

/* ---- filling a row ------------------------------------------------------- */

void row_put(struct row *ro, size_t col, const char *text, enum cell_style style)
{
	assert(col < TABLE_COLUMNS_MAX);
	ro->cells[col].text = text;
	ro->cells[col].style = (uint8_t)style;
}

void row_unknown(struct row *ro, size_t col)
{
	row_put(ro, col, "?", CELL_DIM);
}

void row_absent(struct row *ro, size_t col)
{
	row_put(ro, col, "-", CELL_DIM);
}

void row_count(struct row *ro, size_t col, int64_t n, enum cell_style style, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	row_put(ro, col, arena_strdup(ar, units_count(text, n)), n == 0 ? CELL_DIM : style);
}

void row_count_so_far(struct row *ro, size_t col, int64_t n, bool is_whole, enum cell_style style, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	row_put(ro, col, arena_strdup(ar, units_count_so_far(text, n, is_whole)), n == 0 ? CELL_DIM : style);
}

void row_bytes(struct row *ro, size_t col, int64_t bytes, enum cell_style style, struct arena *ar)
{
	row_bytes_so_far(ro, col, bytes, true, style, ar);
}

void row_bytes_so_far(struct row *ro, size_t col, int64_t bytes, bool is_whole, enum cell_style style, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	row_put(ro, col, arena_strdup(ar, units_bytes_so_far(text, bytes, is_whole)), bytes == 0 || !is_whole ? CELL_DIM : style);
}

void row_set_old(struct row *ro)
{
	for (size_t i = 0; i < TABLE_COLUMNS_MAX; i++)
		ro->cells[i].style = CELL_OLD;
	ro->style = CELL_OLD;
}

void table_set_sort(struct table *tb, const struct query *qu, const char *own, int tie_col, const char *tie)
{
	int col = qu->sort_col >= 0 && (size_t)qu->sort_col < tb->n_cols ? qu->sort_col : -1;
	const struct column *co = &tb->cols[col < 0 ? 0 : col];

	tb->sort_col = col;
	tb->sort_desc = col >= 0 && qu->sort_desc;
	if (col < 0)
		str_printf(tb->sort_text, sizeof(tb->sort_text), "%s", own);
	else
		str_printf(tb->sort_text, sizeof(tb->sort_text), "by %s%s%s%s", co->title, tb->sort_desc != co->big_first ? " reversed" : "",
			   col == tie_col ? "" : ", then ", col == tie_col ? "" : tie);
}

uint16_t table_count_columns(uint64_t n)
{
	char text[UNITS_TEXT_MAX];

	return (uint16_t)strlen(units_count(text, n > INT64_MAX ? INT64_MAX : (int64_t)n));
}

/* ---- layout -------------------------------------------------------------- */

/* Columns that a column takes when it joins: its own and the gap before it. */
static size_t table_cost(const struct column *co, bool is_first)
{
	return co->min + (is_first ? 0 : TABLE_GAP_COLUMNS);
}

/* Takes `over` columns from what grows, down to one each; then drops from the right, but for the first. Returns
 * the columns given up, which may be more or less than `over`. */
static size_t table_squeeze(const struct table *tb, size_t over, uint16_t *widths)
{
	size_t given = 0;

	for (size_t i = 0; i < tb->n_cols && over > 0; i++) {
		size_t spare = tb->cols[i].grows && widths[i] > 0 ? widths[i] - 1u : 0;
		size_t take = spare < over ? spare : over;

		widths[i] = (uint16_t)(widths[i] - take);
		over -= take;
		given += take;
	}
	for (size_t i = tb->n_cols; i-- > 1 && over > 0;) {
		size_t gain = widths[i] ? widths[i] + (size_t)TABLE_GAP_COLUMNS : 0;

		widths[i] = 0;
		over -= gain < over ? gain : over;
		given += gain;
	}
	return given;
}

/* The hidden column that is needed most, n_cols when there is none. */
static size_t table_next_needed(const struct table *tb, const uint16_t *widths)
{
	size_t best = tb->n_cols;

	for (size_t i = 0; i < tb->n_cols; i++)
		if (widths[i] == 0 && tb->cols[i].need > 0 &&
		    (best == tb->n_cols || tb->cols[i].need < tb->cols[best].need))
			best = i;
	return best;
}

void table_layout(const struct table *tb, size_t width, uint16_t *widths)
{
	size_t used = TABLE_MARK_COLUMNS, next;
	bool is_first = true;

	for (size_t i = 0; i < tb->n_cols; i++) {
		widths[i] = tb->cols[i].need == 0 ? tb->cols[i].min : 0;
		if (widths[i] > 0) {
			used += table_cost(&tb->cols[i], is_first);
			is_first = false;
		}
	}
	if (used > width)
		used -= table_squeeze(tb, used - width, widths);
	while ((next = table_next_needed(tb, widths)) < tb->n_cols) {
		size_t cost = table_cost(&tb->cols[next], is_first);

		/* Strictly in order: what is needed less doesn't slip in before. */
		if (used + cost > width)
			break;
		widths[next] = tb->cols[next].min;
		used += cost;
		is_first = false;
	}
	for (size_t i = 0; i < tb->n_cols && used < width; i++) {
		size_t more = width - used;

		if (!tb->cols[i].grows || widths[i] == 0)
			continue;
		if (more > (size_t)(tb->cols[i].max - widths[i]))
			more = (size_t)(tb->cols[i].max - widths[i]);
		widths[i] = (uint16_t)(widths[i] + more);
		used += more;
	}
}

/* ---- text ---------------------------------------------------------------- */

static void table_put_blanks(struct strbuf *out, size_t n)
{
	while (n-- > 0)
		strbuf_putc(out, ' ');
}

/* "at most since" has a plain form; every other sign past ASCII is escaped there. */
static const char table_at_most[] = "\xe2\x89\xa4";

const char *table_cut(const struct column *co, const char *text, size_t width, bool ascii, char buf[TABLE_CUT_MAX])
{
	const char *tail = text;
	size_t len = strlen(text);

	if (!co->is_path || width < 2 || (len < TABLE_CUT_MAX && utf8_columns(text) <= width))
		return text;
	if (len > TABLE_CUT_MAX / 2)
		tail += len - TABLE_CUT_MAX / 2; /* no more is on any screen, and each look at the rest costs its length */
	while (*tail != '\0' && (utf8_columns(tail) > width - 1 || ((unsigned char)*tail & 0xC0) == 0x80))
		tail++;
	return str_printf(buf, TABLE_CUT_MAX, "%s%s", ascii ? "~" : "\u2026", tail) ? buf : text;
}

/* Cell text in `width` columns, padded on the side it asks for. */
static void table_put_cell(struct strbuf *out, const char *text, size_t width, bool right, bool ascii)
{
	struct strbuf cell;
	size_t used = 0;

	strbuf_init(&cell);
	if (ascii && width > 0 && str_starts(text, table_at_most)) {
		strbuf_putc(&cell, '<');
		text += strlen(table_at_most);
		used = 1;
	}
	used += utf8_clip(&cell, text, width - used, ascii);
	if (right)
		table_put_blanks(out, width - used);
	strbuf_putn(out, cell.s, cell.len);
	if (!right)
		table_put_blanks(out, width - used);
	strbuf_fini(&cell);
}

/* Drops the blanks after `from` and ends the line. */
static void table_end_line(struct strbuf *out, size_t from)
{
	while (out->len > from && out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	strbuf_putc(out, '\n');
}

static void table_put_line(const struct table *tb, const uint16_t *widths, const struct row *ro, bool ascii, struct strbuf *out)
{
	size_t from = out->len;
	bool is_first = true;

	strbuf_putc(out, ro && ro->mark ? ro->mark : ' ');
	strbuf_putc(out, ' ');
	for (size_t i = 0; i < tb->n_cols; i++) {
		const char *text = ro ? ro->cells[i].text : tb->cols[i].title;
		char cut[TABLE_CUT_MAX];

		if (widths[i] == 0)
			continue;
		if (!is_first)
			table_put_blanks(out, TABLE_GAP_COLUMNS);
		is_first = false;
		table_put_cell(out, table_cut(&tb->cols[i], text ? text : "", widths[i], ascii, cut), widths[i], tb->cols[i].right, ascii);
	}
	table_end_line(out, from);
}

void table_print(const struct table *tb, size_t width, size_t first, size_t count, bool ascii, struct strbuf *out)
{
	uint16_t widths[TABLE_COLUMNS_MAX];
	struct arena *ar = arena_new(0);

	assert(tb->n_cols <= TABLE_COLUMNS_MAX);
	table_layout(tb, width, widths);
	table_put_line(tb, widths, NULL, ascii, out);
	for (size_t i = first; i < tb->n_rows && i - first < count; i++) {
		struct row ro;

		memset(&ro, 0, sizeof(ro));
		arena_clear(ar);
		tb->fill(tb, i, &ro, ar);
		table_put_line(tb, widths, &ro, ascii, out);
	}
	arena_free(&ar);
}

/* ---- tab separated ------------------------------------------------------- */

void table_put_tsv(struct strbuf *out, const char *s)
{
	size_t n = strlen(s), len;

	for (size_t at = 0; at < n; at += len) {
		int32_t cp;

		len = utf8_decode(s + at, n - at, &cp);
		if (cp == '\t')
			strbuf_put(out, "\\t");
		else if (cp == '\n')
			strbuf_put(out, "\\n");
		else if (cp == '\\')
			strbuf_put(out, "\\\\");
		else if (cp >= 0 && utf8_cp_columns(cp) >= 0)
			strbuf_putn(out, s + at, len);
		else
			for (size_t i = 0; i < len; i++)
				strbuf_printf(out, "\\x%02X", (unsigned)(unsigned char)s[at + i]);
	}
}

void table_tsv(const struct table *tb, struct strbuf *out)
{
	struct arena *ar = arena_new(0);

	for (size_t i = 0; i < tb->n_cols; i++)
		strbuf_printf(out, "%s%s", i ? "\t" : "", tb->cols[i].name);
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < tb->n_rows; i++) {
		struct row ro;

		memset(&ro, 0, sizeof(ro));
		arena_clear(ar);
		tb->fill(tb, i, &ro, ar);
		for (size_t c = 0; c < tb->n_cols; c++) {
			if (c)
				strbuf_putc(out, '\t');
			if (ro.cells[c].text)
				table_put_tsv(out, ro.cells[c].text);
		}
		strbuf_putc(out, '\n');
	}
	arena_free(&ar);
}
