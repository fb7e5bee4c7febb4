/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is on a screen, without curses: columns with a width policy, rows of
 * styled cells filled only when they are looked at, a title and a reason for
 * emptiness. Prints itself as text for tests and for files.
 *
 * A table is a window on a view model: the model keeps its rows sorted and
 * filtered as keys; `fill` makes the cells of one row when asked. Cost grows with the rows on view.
 * Cell text may be hostile (topic names): whoever paints makes it printable (ui/canvas, table_print).
 * Thread: UI thread.
 */
#ifndef VIEW_TABLE_H
#define VIEW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct query;
struct strbuf;

enum cell_style {
	CELL_NORMAL = 0,
	CELL_WRONG,   /* bold (and red where there is colour): needs a person */
	CELL_BUSY,    /* moving, deleting: will end by itself */
	CELL_DIM,     /* zero of a count, old, or on a lesser word */
	CELL_OLD      /* read in an earlier epoch and not again yet: dim */
};

enum { TABLE_COLUMNS_MAX = 24, TABLE_TITLE_MAX = 256 };

struct column {
	const char *title;      /* "TOPIC", static; in columns of the screen, ASCII */
	const char *name;       /* for sort and export, "topic", static */
	bool right;             /* numbers right, names left */
	uint16_t min, max;      /* columns of the terminal; min <= max. The layout gives min first, then grows those with `grows`, in turn */
	uint8_t need;           /* 0: always shown; 1, 2, ...: shown only when there is room, in this order */
	bool grows;             /* takes what is left, up to max */
	bool is_path;           /* what does not fit is cut at the left: which one it is stands at the end */
	bool big_first;         /* natural direction of sorting: largest first (numbers that one fears) */
};

struct cell {
	const char *text;       /* NULL is "" */
	uint8_t style;          /* enum cell_style */
};

struct row {
	struct cell cells[TABLE_COLUMNS_MAX];
	uint8_t style;          /* of the whole row where a cell says CELL_NORMAL */
	char mark;              /* first column: ' ', 'm' marked, 'E' error */
};

struct table {
	const struct column *cols;
	size_t n_cols;
	size_t n_rows;
	int sort_col;                         /* index into cols, -1 none */
	bool sort_desc;
	char title[TABLE_TITLE_MAX];          /* left of the title line */
	char sort_text[64];                   /* right of the title line, "by URP, then name" */
	char empty[TABLE_TITLE_MAX];          /* why there is no row */
	uint8_t title_style;
	/* Cells of row i; strings live in `ar` or longer. Only right after an update: cells are made from the cluster as it is. */
	void (*fill)(const struct table *tb, size_t i, struct row *out, struct arena *ar);
	/* The key of row i: survives sorting and filtering. Borrowed until the next update, or call where a view says so. `key` and
	 * `find` are asked at any time, the cluster may have changed since: they look at the view model's own rows alone.
	 * A row with the key "" is a gap between others: nothing stands there, and the cursor passes over it. */
	const char *(*key)(const struct table *tb, size_t i);
	/* Row of a key; n_rows when it isn't there. */
	size_t (*find)(const struct table *tb, const char *key);
	void *vm;
};

/* Filling a row. Texts are borrowed, or made in `ar`. */
void row_put(struct row *ro, size_t col, const char *text, enum cell_style style);
void row_unknown(struct row *ro, size_t col);            /* "?", dim */
void row_absent(struct row *ro, size_t col);             /* "-", dim */
/* A count; zero is dim, else `style`. */
void row_count(struct row *ro, size_t col, int64_t n, enum cell_style style, struct arena *ar);
/* The same where it may still grow: a "?" behind it, alone before there is any. */
void row_count_so_far(struct row *ro, size_t col, int64_t n, bool is_whole, enum cell_style style, struct arena *ar);
/* A size, "1.2 TiB"; zero is dim. And one that may still grow, "1.2 TiB?", which is dim, too. */
void row_bytes(struct row *ro, size_t col, int64_t bytes, enum cell_style style, struct arena *ar);
void row_bytes_so_far(struct row *ro, size_t col, int64_t bytes, bool is_whole, enum cell_style style, struct arena *ar);
/* Every cell and the row itself: what is in it is old. */
void row_set_old(struct row *ro);
/* The order and its words, from the query: `own` where no column of the table is sorted by ("worst, then name"), else "by URP,
 * then TIE", without the tie for column `tie_col`, which has none (-1: all have). */
void table_set_sort(struct table *tb, const struct query *qu, const char *own, int tie_col, const char *tie);
/* Columns that units_count takes for n. */
uint16_t table_count_columns(uint64_t n);

/* Pure arithmetic: widths[n_cols] in terminal columns for a total `width`, 0 = not shown. One blank between
 * columns; a mark column of 2 stands before the first. Where even the columns with need 0 don't fit, those that
 * grow get less than their min, and then the last ones go. */
void table_layout(const struct table *tb, size_t width, uint16_t *widths);

/* Appends `s` as one field of a tab separated file: \t, \n, \\, and \xNN for every other byte of what is no printable
 * character (control bytes, invalid UTF-8, direction controls). */
void table_put_tsv(struct strbuf *out, const char *s);

/* The header line and rows first..first+count as plain text, `width` columns, printable, trailing blanks dropped. */
void table_print(const struct table *tb, size_t width, size_t first, size_t count, bool ascii, struct strbuf *out);

/* All columns and rows, tab separated, control bytes escaped; first line the column names. */
void table_tsv(const struct table *tb, struct strbuf *out);

/* The text of a cell of that column as it is to be put on `width` columns: itself, or in `buf` "…" (`ascii`: "~") and its end. */
enum { TABLE_CUT_MAX = 1024 };
const char *table_cut(const struct column *co, const char *text, size_t width, bool ascii, char buf[TABLE_CUT_MAX]);

#endif
