/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of text as a table: a label and a text a row, long texts wrapped at words. Rows with a key are things that can be stood on or opened; those
 * without are gaps (view/table).
 * Thread: UI thread.
 */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "view/table.h"

struct arena;

struct page_row {
	const char *key, *label, *text;
	uint8_t style;         /* enum cell_style, of the text */
};

struct page {
	uint32_t magic;
	int width;             /* columns of the terminal */
	struct arena *text;    /* of all texts; cleared by page_begin */
	struct page_row *rows;
	size_t n_rows, cap_rows;
	struct column cols[2];
	struct table tb;       /* title and `empty` are the owner's to fill */
};

/* `label_columns`: room for labels. */
void page_init(struct page *pg, uint16_t label_columns);
void page_fini(struct page *pg);
/* Empty again. */
void page_begin(struct page *pg);
/* One row. Texts are borrowed until the next page_begin: static, or made in pg->text. */
void page_row(struct page *pg, const char *key, const char *label, const char *text, enum cell_style style);
/* As many rows as the text takes, the label before the first; copied. Nothing for NULL or "". */
void page_text(struct page *pg, const char *label, const char *text, enum cell_style style);
/* The same, the first of these rows with a key. */
void page_text_keyed(struct page *pg, const char *key, const char *label, const char *text, enum cell_style style);
void page_gap(struct page *pg);
/* Tells the table how many rows there are. */
void page_end(struct page *pg);

#endif
