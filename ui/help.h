/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The help: a screen made of the tables that the program itself goes by (keys, filter words), and of the words
 * and marks that stand in cells. The same lines make the manual.
 * Thread: UI thread.
 */
#ifndef UI_HELP_H
#define UI_HELP_H

#include <stdbool.h>

#include "ui/screen.h"

extern const struct screen_ops scr_help;

/* A line of help: a title ("" as key), or a key (word, mark) and what it means. */
struct help_line {
	bool is_title;
	char key[64];
	char text[256];
};

enum help_part { HELP_KEYS, HELP_FILTER, HELP_STATES, HELP_MARKS, HELP_TYPING, HELP_PARTS };

/* Calls back with each line of a part, in order. Of the keys those of the screen with that `where` (0: none) come first; scr_help takes that as
 * its `arg`, a decimal number. */
void help_each(enum help_part part, unsigned where, void (*fn)(const struct help_line *hl, void *ctx), void *ctx);

#endif
