/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ui/console share, and nobody else. Thread: UI thread. */
#ifndef UI_CONSOLE_PARTS_H
#define UI_CONSOLE_PARTS_H

#include "ui/console.h"

/* console_query.c: filter and order of the screen on view */
void console_filter(struct console *co, const char *text);
void console_filter_live(struct console *co);
void console_filter_open(struct console *co);
void console_filter_cancel(struct console *co);
void console_sort_by(struct console *co, int col);
void console_sort_named(struct console *co, const char *name);
void console_sort_next(struct console *co);
void console_sort_reverse(struct console *co);

/* console_out.c: what leaves the program: a row's name, a view as a file */
void console_copy(struct console *co);
void console_write_open(struct console *co);
void console_write(struct console *co, const char *path, bool overwrite);

#endif
