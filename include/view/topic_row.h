/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The row of a topic among topics: its columns, the cells in them, and the number that each column sorts by.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_TOPIC_ROW_H
#define VIEW_TOPIC_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "view/table.h"

struct arena;
struct cluster;
struct topic;

enum {
	TOPIC_COL_TOPIC, TOPIC_COL_PARTS, TOPIC_COL_RF, TOPIC_COL_STATE, TOPIC_COL_FOR, TOPIC_COL_URP, TOPIC_COL_OFFL,
	TOPIC_COL_SIZE, TOPIC_COL_AGE, TOPIC_COL_ISR, TOPIC_COL_LEADERS, TOPIC_COL_OVERRIDES, TOPIC_COL_ID, TOPIC_COL_CHANGED, TOPIC_COLS
};

enum { TOPIC_NAME_MIN = 8 };

/* Sorts last, whichever the direction. */
#define TOPIC_ROW_UNKNOWN INT64_MAX

extern const struct column topic_row_columns[TOPIC_COLS];

/* Smaller is first; by size, a topic of which no replica was found yet is not known. `index`: the topic's place by name; col -1: worst state first. TOPIC_ROW_UNKNOWN when it isn't known. */
int64_t topic_row_key(const struct topic *tp, int col, size_t index);
/* All cells but the name's. Texts live in `ar` or as long as `tp`. */
void topic_row_fill(struct row *ro, const struct cluster *cl, const struct topic *tp, wall_ms now, struct arena *ar);

#endif
