/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paints. The only place where text reaches the screen: every string is made printable (base/utf8),
 * measured, clipped and styled here, so callers may hand over what came from outside as it is.
 *
 * A frame is canvas_begin, any number of canvas_put, canvas_end: what differs from the frame before is sent.
 * In ASCII mode our own signs past ASCII become ASCII ones; others are escaped.
 * Coordinates are columns and lines from the top left corner; what lies outside is cut.
 * Thread: UI thread.
 */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

enum canvas_style {
	STYLE_NORMAL = 0,
	STYLE_WRONG,      /* bold, red: needs a person */
	STYLE_BUSY,       /* moving, deleting */
	STYLE_DIM,        /* zero of a count, old */
	STYLE_STRONG,     /* bold: titles, keys */
	STYLE_PLACE,      /* the one accent: where one is */
	STYLE_BANNER,     /* in the title line, when something must be known */
	STYLE_TINT,       /* bold, in a colour the operator chose: + 0 red, green, yellow, blue, magenta, cyan */
	STYLE_TINT_LAST = STYLE_TINT + 5,
	STYLE_CURSOR = 0x80 /* or-ed: the cursor row, reverse */
};

void canvas_init(bool ascii, bool color);
void canvas_begin(void);
void canvas_end(void);
/* The next canvas_end sends everything. */
void canvas_repaint(void);

/* Text at the left of a field of `width` columns, the rest of the field blank. Returns the columns the text took. */
int canvas_put(int x, int y, int width, unsigned style, const char *text);
/* The same at the right of the field; too long a text is cut at its end. */
int canvas_put_right(int x, int y, int width, unsigned style, const char *text);

/* Columns that canvas_put would take, unclipped. */
int canvas_columns(const char *text);

/* Where the terminal's cursor stands after this frame; without a call it is hidden. */
void canvas_cursor(int x, int y);

#endif
