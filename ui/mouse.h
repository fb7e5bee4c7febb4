/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of the mouse, read byte by byte. Curses would wait for the rest of a report that was cut off (a slow line, a
 * paste, a garbage byte), and nothing would be painted meanwhile.
 *
 * Two forms (xterm's control sequences): "ESC [ <" button ; column ; row "M" or "m" for a release, and the old
 * "ESC [ M" and three bytes, each with 32 added. What begins a report is a key of curses' own (ui/term).
 * Thread: UI thread; pure.
 */
#ifndef UI_MOUSE_H
#define UI_MOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mouse_form { MOUSE_NONE, MOUSE_SGR, MOUSE_OLD };

enum { MOUSE_REPORT_MAX = 24 };

struct mouse {
	enum mouse_form form;   /* MOUSE_NONE: no report is under way */
	char text[MOUSE_REPORT_MAX];
	size_t n;
	unsigned waits;         /* how often nothing more was there */
};

enum mouse_result {
	MOUSE_MORE,     /* the byte was taken */
	MOUSE_EVENT,    /* and ended a report: *key, *x and *y are set */
	MOUSE_IGNORED,  /* and ended one that means nothing here: a release, another button */
	MOUSE_NO_PART   /* the byte is no part of it: the report is given up, the byte is a key */
};

/* A report begins. */
void mouse_begin(struct mouse *mo, enum mouse_form form);
/* The next byte. Key: KEYS_CLICK, KEYS_WHEEL_UP, KEYS_WHEEL_DOWN; place from 0, 0. */
enum mouse_result mouse_take(struct mouse *mo, int byte, int32_t *key, int *x, int *y);
/* Nothing more is there for now: after a few of those the report is given up. */
void mouse_wait(struct mouse *mo);

#endif
