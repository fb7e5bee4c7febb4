/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash map from string to pointer. The map copies its keys; values are the
 * caller's. Iteration goes in order of insertion and survives removal of the
 * entry it stands on, not insertion. Keyed with a per-process random seed, so that hostile
 * names can't pile up in one bucket.
 * Thread: the owner's only.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map;

struct map *map_new(void);
void map_free(struct map **pp, void (*free_value)(void *value)); /* free_value may be NULL */
size_t map_count(const struct map *mp);
void *map_find(const struct map *mp, const char *key);           /* NULL when absent */
/* Adds or replaces. Returns the value that was there before, else NULL. `value` is not NULL. */
void *map_set(struct map *mp, const char *key, void *value);
void *map_remove(struct map *mp, const char *key);               /* the value, NULL when absent */
void map_clear(struct map *mp, void (*free_value)(void *value));

struct map_iter { const struct map *mp; size_t at; };
struct map_iter map_iter(const struct map *mp);
/* False at the end. `key` and `value` may be NULL. */
bool map_next(struct map_iter *it, const char **key, void **value);

#endif
