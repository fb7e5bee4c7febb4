/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys as curses gives them, made into those of ui/keymap: with reports of the mouse, pasted text and characters of several bytes put together.
 * Part of ui/term, and called by nobody else. Thread: UI thread.
 */
#ifndef UI_TERM_KEYS_H
#define UI_TERM_KEYS_H

#include "ui/mouse.h"
#include "ui/paste.h"

struct term_event;

struct term_keys {
	struct mouse report;
	struct paste paste;
	char bytes[4];       /* of a character not yet whole */
	size_t n_bytes;
};

/* Curses learns what begins a report and a paste. Each time that the terminal is taken. */
void term_keys_define(bool mouse);
/* The next key without waiting; false: there is none now. `ascii`: bytes past ASCII are none. */
bool term_keys_next(struct term_keys *tk, bool ascii, struct term_event *ev);
dur_ms term_keys_wait(const struct term_keys *tk); /* as term_wait */

#endif
