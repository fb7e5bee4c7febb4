/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/layout.h"

enum { LAYOUT_GAP = 3 };

struct layout layout_frame(int width, int height)
{
	struct layout lo = { .width = width, .height = height };

	lo.too_small = width < LAYOUT_WIDTH_MIN || height < LAYOUT_HEIGHT_MIN;
	if (lo.too_small)
		return lo;
	lo.status = 0;
	lo.views = 1;
	lo.title = 2;
	lo.content = 3;
	lo.message = height - 2;
	lo.keys = height - 1;
	lo.content_height = lo.message - lo.content;
	return lo;
}

/* Columns the line takes with this gap at this step; marks the form of each piece. */
static int layout_try(struct layout_piece *pieces, size_t n, int gap, int step)
{
	int total = 0;

	for (size_t i = 0; i < n; i++) {
		struct layout_piece *p = &pieces[i];

		p->x = p->drop_at && p->drop_at <= step ? -1 : 0;
		p->is_brief = p->brief_at && p->brief_at <= step;
		if (p->x < 0)
			continue;
		total += (total ? gap : 0) + (p->is_brief ? p->brief : p->full);
	}
	return total;
}

static void layout_place(struct layout_piece *pieces, size_t n, int gap, int spare)
{
	int x = 0;
	bool moved = false;

	for (size_t i = 0; i < n; i++) {
		struct layout_piece *p = &pieces[i];

		if (p->to_right && !moved) {
			x += spare;
			moved = true;
		}
		if (p->x < 0)
			continue;
		p->x = x;
		x += (p->is_brief ? p->brief : p->full) + gap;
	}
}

void layout_line(struct layout_piece *pieces, size_t n, int width)
{
	int gap = LAYOUT_GAP, step = 0, last = 0, total;

	for (size_t i = 0; i < n; i++) {
		last = pieces[i].brief_at > last ? pieces[i].brief_at : last;
		last = pieces[i].drop_at > last ? pieces[i].drop_at : last;
	}
	total = layout_try(pieces, n, gap, step);
	while (total > width) {
		if (gap > 1)
			gap--;
		else if (step < last)
			step++;
		else
			break;
		total = layout_try(pieces, n, gap, step);
	}
	/* With room again after a step, wide gaps come back. */
	while (gap < LAYOUT_GAP && layout_try(pieces, n, gap + 1, step) <= width)
		gap++;
	total = layout_try(pieces, n, gap, step);
	layout_place(pieces, n, gap, total < width ? width - total : 0);
}
