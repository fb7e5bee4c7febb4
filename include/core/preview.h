/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a topic pattern would mark, looked up while it is being typed: how many match, their names in part, what they hold, and what
 * is struck out and why (core/choice).
 *
 * Names and what they hold are kept side by side, so that a look costs little more than the matches: 100,000 names
 * in some 10 ms. A look is cut off when the caller says that it is late, or at once when one name is too much for the pattern
 * (PATTERN_GAVE_UP): of what is cut off nothing can be marked.
 * Thread: UI thread; pure, the caller has the clock.
 */
#ifndef CORE_PREVIEW_H
#define CORE_PREVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/choice.h"

struct changes;
struct cluster;
struct policy;
struct previewer;

enum { PREVIEW_FIRST = 32, PREVIEW_LAST = 8, PREVIEW_STEMS = 24, PREVIEW_HINT_MAX = 1024, PREVIEW_PREPARED_MAX = 512 };

/* Names that would be marked, and have their first `len` bytes in common: up to the first separator behind what all names have, else all but a number at the end. */
struct preview_stem {
	const char *first, *last; /* of them; borrowed as preview.first is */
	size_t len, n;
};

struct preview {
	bool is_empty;              /* nothing has been typed */
	bool is_bad;                /* no pattern: `err` says where and why */
	bool is_too_complex;        /* cut off at a name that is too much for it: `err` names it */
	bool is_late;               /* cut off by the clock: the counts are of the first n_looked names */
	struct err err;
	char prepared[PREVIEW_PREPARED_MAX]; /* what is matched (core/pattern); "" where it is longer, or bad */
	size_t n_topics, n_looked;  /* names there are; looked at */
	size_t n_match;             /* names that match, struck out or not */
	struct choice_totals takes; /* those that would be marked */
	struct choice_tally struck; /* the others */
	const char *first[PREVIEW_FIRST]; /* of those that would be marked; borrowed until the next update */
	size_t n_first;
	const char *last[PREVIEW_LAST]; /* of a whole look: the last of those that are not among `first`, by name */
	size_t n_last;
	struct preview_stem stems[PREVIEW_STEMS]; /* of a whole look: those of fewest names first; none where there is but one, or too many */
	size_t n_stems;
	size_t cluster_partitions;  /* of all topics */
	char hint[PREVIEW_HINT_MAX]; /* one sentence: a name that takes more as a pattern, a pattern that needs ".*", a "*" that was meant as ".*"; "" none */
};

/* `cl` and `po` are borrowed until previewer_free. */
struct previewer *previewer_new(const struct cluster *cl, const struct policy *po);
void previewer_free(struct previewer **pp);
/* Takes what changed (NULL: anything may have). True when a look may find otherwise now. With every change, before the next look. */
bool previewer_update(struct previewer *pv, const struct changes *changes);
/* `is_late` is asked every few names. */
void previewer_look(struct previewer *pv, const char *typed, bool (*is_late)(void *ctx), void *ctx, struct preview *out);
/* Marks what the last look found; *n: how many newly. False, and nothing is marked: it was cut off, or the list of topics has changed since. */
bool previewer_mark(const struct previewer *pv, struct choice *ch, size_t *n) __attribute__((warn_unused_result));

#endif
