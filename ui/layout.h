/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where things stand: the frame's lines out of a terminal's size, and the pieces of a
 * line out of its width. Pure arithmetic.
 * Thread: any.
 */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYOUT_WIDTH_MIN = 40, LAYOUT_HEIGHT_MIN = 10, LAYOUT_PIECES_MAX = 16 };

/* All in terminal columns and lines, from the top left corner. */
struct layout {
	int width, height;
	bool too_small;        /* nothing else below holds then */
	int status, views, title;
	int content, content_height;
	int message, keys;
};

struct layout layout_frame(int width, int height);

/*
 * A piece of a line. What does not fit goes by steps, the lowest first: at step `brief_at` the piece takes its short
 * form, at step `drop_at` it is left out; 0 is never. Gaps between pieces shrink from 3 blanks to 1 before
 * anything else. A piece with `to_right` and those after it stand at the right end.
 */
struct layout_piece {
	int full, brief;            /* columns of the two forms */
	uint8_t brief_at, drop_at;
	bool to_right;
	/* the answer */
	int x;                      /* -1: left out */
	bool is_brief;
};

void layout_line(struct layout_piece *pieces, size_t n, int width);

#endif
