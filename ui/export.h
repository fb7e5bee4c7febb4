/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what a screen shows to a file: all rows, tab separated when the name ends in .tsv, else as text.
 * Thread: UI thread.
 */
#ifndef UI_EXPORT_H
#define UI_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

struct cell;
struct err;
struct table;

/* `about` is the first line of a text: whose state this was, and when. Never overwrites unless told: ERR_REFUSED when `path` is there already. A leading ~/ is the home folder. */
bool export_write(const char *path, bool overwrite, const char *about, const struct table *tb, const struct cell *head,
	size_t n_head, bool ascii, struct err *err) __attribute__((warn_unused_result));

#endif
