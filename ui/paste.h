/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that is pasted, told from what is typed: a terminal that is asked to (bracketed paste, xterm's mode 2004) sends "ESC [ 200 ~" before it and
 * "ESC [ 201 ~" behind it. Read byte by byte. What begins one is a key of curses' own (ui/term_keys); where a slow line cut that apart, so that its
 * Esc has been a key already, the rest is known here. One that does not end is over PASTE_WAIT_MS after its last byte, and none of it counts.
 * Thread: UI thread; pure.
 */
#ifndef UI_PASTE_H
#define UI_PASTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

/* PASTE_LATE_MS: how long the rest of a beginning that was cut apart may take between two bytes. */
enum { PASTE_MAX = 4096, PASTE_MARK_MAX = 8, PASTE_WAIT_MS = 2000, PASTE_LATE_MS = 200 };

struct paste {
	bool is_under_way;
	char text[PASTE_MAX];          /* as sent: line ends and all */
	size_t n;
	bool is_cut;                   /* there was more than PASTE_MAX */
	size_t n_mark;                 /* bytes of a mark that may be coming: of the end, or else of a beginning whose Esc was a key */
	mono_ms last;                  /* byte */
};

enum paste_result {
	PASTE_NO_PART,  /* it is a key */
	PASTE_MORE,     /* it was taken */
	PASTE_WHOLE,    /* and ended the paste: `text` holds it until the next byte */
	PASTE_LOST,     /* what did not end is over; `text` is nothing */
	PASTE_KEYS      /* what looked like a beginning is none: paste_held gives its bytes, which are keys, before this one */
};

void paste_begin(struct paste *pa, mono_ms now);
/* The next byte; -1: a key that is none, such as an arrow. */
enum paste_result paste_take(struct paste *pa, int byte, mono_ms now);
/* The end has come as one key. PASTE_NO_PART: of nothing. */
enum paste_result paste_end(struct paste *pa);
/* Nothing more is there for now: PASTE_LOST, PASTE_KEYS, or PASTE_NO_PART where there is nothing to do. */
enum paste_result paste_look(struct paste *pa, mono_ms now);
/* After PASTE_KEYS: the bytes that were held back; forgets them. */
size_t paste_held(struct paste *pa, char out[PASTE_MARK_MAX]);
/* Milliseconds until paste_look has something to do; -1: nothing. */
dur_ms paste_wait(const struct paste *pa, mono_ms now);

#endif
