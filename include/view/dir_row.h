/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row of the list of log dirs: what it is of, its words, and the filter words that hold for it.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_DIR_ROW_H
#define VIEW_DIR_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"
#include "core/cluster.h"
#include "view/query.h"

struct arena;

enum { DIR_ROW_FULL = 900 }; /* thousandths of a volume: from here on it needs a person */

/* Made anew wherever it is looked at; all borrowed. */
struct dir_row {
	const struct cluster *cl;
	const struct broker *br;
	const struct disk_dir *dir;  /* NULL: the dirs of the broker are not known */
	bool is_old;                 /* broker_disks_are_old */
};

/* Whether it is known what lies in it. */
bool dir_row_is_told(const struct dir_row *dv);
/* "offline", "error", "down" (its broker is), "online", "?" */
const char *dir_row_state(const struct dir_row *dv);
/* "the broker is down; told 03:09:51"; NULL: nothing to say. */
const char *dir_row_why(const struct dir_row *dv, wall_ms now, struct arena *ar);
/* NULL unknown. */
const char *dir_row_host(const struct broker *br, struct arena *ar);

/* The filter words of the list, and whether one holds for a row (a struct dir_row): as query_row wants them. */
extern const struct query_own dir_row_words[];
extern const size_t dir_row_n_words;
enum verdict dir_row_holds(const void *row, size_t word);

#endif
