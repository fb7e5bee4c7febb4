/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A preview of a pattern (core/preview) as lines: how it is read, what it takes, names (those of few like them, or the first and the last), what is struck out, what was
 * perhaps meant. Always as many lines as were asked for, so that nothing jumps while one types; a fact that has none leaves its line empty.
 * Texts hold names from outside: whoever paints makes them printable.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_PREVIEW_TEXT_H
#define VIEW_PREVIEW_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct preview;

enum { PREVIEW_LINES = 5, PREVIEW_LINES_MAX = 9, PREVIEW_LINE_MAX = 1100 };

struct preview_line {
	char text[PREVIEW_LINE_MAX];
	uint8_t style;      /* enum cell_style */
};

/* Fills lines[0..n), n at most PREVIEW_LINES_MAX, for a terminal of `width` columns; with fewer than PREVIEW_LINES what matters least is left
 * out, with more there are more names. */
void preview_text(const struct preview *pr, size_t width, struct preview_line *lines, size_t n);

#endif
