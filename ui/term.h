/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal: curses up and down, suspended and resumed, resized, lost; keys
 * read from it. Colours or none, UTF-8 or ASCII.
 *
 * Text that is pasted is told from what is typed where the terminal can (bracketed paste, asked for while it is ours).
 * Keys: cbreak and not raw, so Ctrl-C and Ctrl-Z are signals. Ctrl-C ends the program by app/exit.
 * Ctrl-Z: term_next finds the signal, gives the terminal back and lets it stop the process; when it goes on, the terminal
 * is taken again only if the process stands in the foreground: `kill -CONT` in the background grabs nothing.
 * While the terminal is not ours term_is_ours is false, nothing is read and nothing is written.
 *
 * While it is up, standard error is pointed at the log (or nowhere), for libraries that print.
 * The way back is prepared as bytes when the terminal comes up, so that a crash can be survived by write(2) and tcsetattr(3) alone.
 *
 * Thread: UI thread, but for the signal handlers.
 */
#ifndef UI_TERM_H
#define UI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct err;
struct options;

/* A key (ui/keymap.h), where the mouse was for KEYS_CLICK and the wheel, and the text of KEYS_PASTE. */
struct term_event {
	int32_t key;
	int x, y;
	const char *text;    /* hostile bytes, line ends among them; borrowed until the next key. NULL: it did not end, or was too long */
	size_t n;
	bool is_behind;      /* read right behind another key, without a wait between: set by who reads (ui/ui) */
};

/* False with a sentence, the terminal untouched: no terminal, TERM unset or unknown, no cursor addressing. */
bool term_up(const struct options *opt, struct err *err) __attribute__((warn_unused_result));
void term_down(void);

/* The next key without waiting; false when there is none now. Handles stop, continue and resize on the way. */
bool term_next(struct term_event *ev);
/* The terminal is gone: end of file, hung up. */
bool term_is_lost(void);
/* Up, and this process stands in the foreground. */
bool term_is_ours(void);
/* Gives the terminal back and stops the process group, as Ctrl-Z does. */
void term_suspend(void);

/* Milliseconds until term_next has something to say without anything to read; -1: never. */
dur_ms term_wait(void);
int term_fd(void);              /* to poll for keys; -1 while the terminal isn't ours */
void term_size(int *width, int *height);
bool term_is_ascii(void);
/* Puts text on the clipboard by OSC 52. False when it is longer than TERM_COPY_MAX. */
enum { TERM_COPY_MAX = 4096 };
bool term_copy(const char *text, size_t n);

#endif
