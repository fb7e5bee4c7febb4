/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line of text being edited: UTF-8, the cursor between characters as people see them (a letter and
 * what combines with it go together).
 * Thread: UI thread; pure.
 */
#ifndef UI_LINEEDIT_H
#define UI_LINEEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINEEDIT_MAX = 512 }; /* bytes, NUL included */

struct lineedit {
	char text[LINEEDIT_MAX]; /* valid UTF-8, terminated */
	size_t len, at;          /* bytes; the cursor stands before text[at] */
};

void lineedit_clear(struct lineedit *le);
/* Replaces the text, cursor at its end; invalid UTF-8 and control characters are left out, what does not fit is cut. */
void lineedit_set(struct lineedit *le, const char *text);
/* Inserts before the cursor. False when it is full or `cp` can't stand in a line. */
bool lineedit_insert(struct lineedit *le, int32_t cp);

void lineedit_left(struct lineedit *le);
void lineedit_right(struct lineedit *le);
void lineedit_first(struct lineedit *le);
void lineedit_last(struct lineedit *le);
void lineedit_backspace(struct lineedit *le);
void lineedit_delete(struct lineedit *le);
void lineedit_delete_word(struct lineedit *le); /* before the cursor */

/* For a window of `width` > 0 columns: where in the text to begin (bytes), and the cursor's column in it. */
void lineedit_window(const struct lineedit *le, size_t width, size_t *begin, size_t *cursor);

#endif
