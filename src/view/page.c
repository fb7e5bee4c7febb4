/* SPDX-License-Identifier: Apache-2.0 */
#include "view/page.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { PAGE_MAGIC = 0x70616765 };

enum { COL_LABEL, COL_TEXT, COLS };

enum { TEXT_MIN = 20, TEXT_MAX = 100 /* a line longer than that is hard to read */, MARGIN = 2 + 1 + 1 };

static const struct page *page_of(const struct table *tb)
{
	const struct page *pg = tb->vm;

	assert(pg->magic == PAGE_MAGIC);
	return pg;
}

static void page_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct page_row *ro = &page_of(tb)->rows[i];

	(void)ar;
	row_put(out, COL_LABEL, ro->label, CELL_NORMAL);
	row_put(out, COL_TEXT, ro->text, ro->style);
}

static const char *page_key(const struct table *tb, size_t i)
{
	return page_of(tb)->rows[i].key;
}

static size_t page_find(const struct table *tb, const char *key)
{
	const struct page *pg = page_of(tb);
	size_t i = 0;

	while (i < pg->n_rows && (!*key || strcmp(pg->rows[i].key, key) != 0))
		i++;
	return i;
}

void page_init(struct page *pg, uint16_t label_columns)
{
	*pg = (struct page){ .magic = PAGE_MAGIC, .width = 80, .text = arena_new(0) };
	pg->cols[COL_LABEL] = (struct column){ "", "part", .min = label_columns, .max = label_columns };
	pg->cols[COL_TEXT] = (struct column){ "", "text", .min = TEXT_MIN, .max = TEXT_MAX + 300, .grows = true };
	pg->tb = (struct table){ .cols = pg->cols, .n_cols = COLS, .sort_col = -1, .fill = page_fill, .key = page_key, .find = page_find, .vm = pg };
}

void page_fini(struct page *pg)
{
	assert(pg->magic == PAGE_MAGIC);
	pg->magic = 0;
	arena_free(&pg->text);
	mem_free(&pg->rows);
}

void page_begin(struct page *pg)
{
	arena_clear(pg->text);
	pg->n_rows = 0;
}

void page_row(struct page *pg, const char *key, const char *label, const char *text, enum cell_style style)
{
	if (pg->n_rows == pg->cap_rows) {
		pg->cap_rows = pg->cap_rows ? 2 * pg->cap_rows : 32;
		pg->rows = mem_realloc_array(pg->rows, pg->cap_rows, sizeof(*pg->rows));
	}
	pg->rows[pg->n_rows++] = (struct page_row){ key, label, text, (uint8_t)style };
}

void page_text_keyed(struct page *pg, const char *key, const char *label, const char *text, enum cell_style style)
{
	int room = pg->width - MARGIN - pg->cols[COL_LABEL].min;
	size_t width = room < TEXT_MIN ? TEXT_MIN : room > TEXT_MAX ? TEXT_MAX : (size_t)room;

	while (text && *text) {
		size_t n = utf8_fit_words(text, width);

		page_row(pg, key, label, arena_strndup(pg->text, text, n), style);
		text += n + strspn(text + n, " ");
		label = key = "";
	}
}

void page_text(struct page *pg, const char *label, const char *text, enum cell_style style)
{
	page_text_keyed(pg, "", label, text, style);
}

void page_gap(struct page *pg)
{
	page_row(pg, "", "", "", CELL_NORMAL);
}

void page_end(struct page *pg)
{
	pg->tb.n_rows = pg->n_rows;
}
