/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of the overview, from the cluster as it is: what, how many, and since when, where, of whom. Each is always there,
 * whatever its value.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_OVERVIEW_LINES_H
#define VIEW_OVERVIEW_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct arena;
struct cluster;
struct deletions;
struct overview_dirs;
struct overview_sums;
struct overview_throttles;
struct truths;

enum { OVERVIEW_LINES_MAX = 24 };

struct overview_line {
	const char *key;      /* "" is a gap; static, the keys of view/vm_overview.h */
	const char *label;    /* static */
	const char *count;    /* "" where there is nothing to count */
	const char *text;     /* may be hostile */
	uint8_t count_style, text_style; /* enum cell_style */
	bool is_live;         /* never old: it is about the connection itself */
};

struct overview_look {
	const struct cluster *cl;
	const struct overview_sums *sums;
	const struct overview_dirs *dirs;
	const struct overview_throttles *throttles;
	const struct truths *truths;    /* NULL: nobody looked for any yet */
	const struct deletions *deletions; /* NULL: what is queued is told by name alone */
	wall_ms now;
	int width;            /* of the terminal: VM_OVERVIEW_NARROW and VM_OVERVIEW_WIDE, view/vm_overview.h */
	struct arena *text;   /* takes the texts */
};

/* How many. */
size_t overview_lines(const struct overview_look *lo, struct overview_line out[OVERVIEW_LINES_MAX]);

#endif
