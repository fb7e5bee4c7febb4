/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of a table as it stood: what a paused screen shows and scrolls in while the model goes on.
 * Thread: UI thread.
 */
#ifndef UI_FROZEN_H
#define UI_FROZEN_H

#include <stddef.h>

struct cell;
struct frozen;
struct table;

/* Copies the table, all its cells, and n_head lines. */
struct frozen *frozen_new(const struct table *tb, const struct cell *head, size_t n_head);
void frozen_free(struct frozen **pp);
const struct table *frozen_table(const struct frozen *fz);
const struct cell *frozen_head(const struct frozen *fz, size_t *n);

#endif
