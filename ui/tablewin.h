/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scrolling window with a cursor over any view/table.
 *
 * The cursor follows the thing, by its key, and not the row: after a re-sort it stands on the same thing, and so does
 * the scroll around it. At the very top the scroll stays at the top as long as the cursor is in sight, so that what
 * comes in as the worst is seen. Until the operator has moved something the cursor is simply the
 * first row. When the thing is gone the cursor stays where it was, on what is there now. It passes over gaps (view/table).
 *
 * tablewin_sync after every change of the table or of the height; the rest between two of them.
 * Thread: UI thread.
 */
#ifndef UI_TABLEWIN_H
#define UI_TABLEWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct table;

struct tablewin {
	char *key;        /* of the thing under the cursor; NULL until something was moved */
	size_t row;       /* the cursor */
	size_t top;       /* first row on view */
	size_t page;      /* rows on view */
	size_t shift;     /* columns left out behind the first */
	bool has_cursor;  /* false: a text to scroll in (help) */
};

void tablewin_init(struct tablewin *tw, bool has_cursor);
void tablewin_fini(struct tablewin *tw);

/* Takes the new table and height of the window, its header line not counted. */
void tablewin_sync(struct tablewin *tw, const struct table *tb, size_t page);

void tablewin_move(struct tablewin *tw, const struct table *tb, long rows);
void tablewin_move_to(struct tablewin *tw, const struct table *tb, size_t row);
/* Columns right (1) or left (-1), as far as something is hidden there at this width. */
void tablewin_shift(struct tablewin *tw, const struct table *tb, size_t width, int by);
/* The column on view behind `col` (-1: the first); -1 when there is none. */
int tablewin_next_column(const struct tablewin *tw, const struct table *tb, size_t width, int col);
/* Back to the state before anything was moved. */
void tablewin_reset(struct tablewin *tw);

/* The thing under the cursor; NULL in an empty table. Borrowed from the table. */
const char *tablewin_key(const struct tablewin *tw, const struct table *tb);

/* Cursor and scroll, to come back to. `key` is the holder's to free by tablewin_saved_fini. */
struct tablewin_saved {
	char *key;
	size_t row, top;
};
struct tablewin_saved tablewin_save(const struct tablewin *tw);
/* Takes `saved`. The next sync puts it right. */
void tablewin_restore(struct tablewin *tw, struct tablewin_saved *saved);
void tablewin_saved_fini(struct tablewin_saved *saved);

/* Paints header and rows into a rectangle; `ar` is scratch. */
void tablewin_paint(const struct tablewin *tw, const struct table *tb, int x, int y, int width, int height,
	struct arena *ar);

/* What stands at a place of the rectangle last painted into: TABLEWIN_HEADER with the column, a row, or nothing. */
enum tablewin_hit { TABLEWIN_NOTHING, TABLEWIN_HEADER, TABLEWIN_ROW };
enum tablewin_hit tablewin_hit(const struct tablewin *tw, const struct table *tb, int width, int dx, int dy, size_t *which);

#endif
