/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A screen is a handful of functions over a view/table; a stack of them is what is open.
 *
 * The first screen of the stack is the overview, or the view asked for by --view; another view stands above it, an opened thing above that. Going back
 * comes to the row one came from, for the screens below keep cursor, scroll and filter. Nobody looks into a screen that another one covers.
 * Thread: UI thread.
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "ui/tablewin.h"
#include "view/query.h"

struct cell;
struct change;
struct changes;
struct choice;
struct cluster;
struct deletions;
struct frozen;
struct strbuf;
struct table;
struct truths;

enum { SCREEN_HEAD_MAX = 12, SCREENS_MAX = 8 };

/* What a row opens: a view, shown through a filter, or with `arg` one thing. */
enum { SCREEN_ARG_MAX = 1100 };
struct screen_target {
	const struct screen_ops *ops;
	char arg[SCREEN_ARG_MAX];  /* "" for a view */
	const char *filter;        /* NULL: as the view stands; static */
};

struct screen_ops {
	const char *name;        /* of the view one is in, as line 2 has it: "topics" */
	unsigned where;          /* IN_*: which keys work */
	bool has_cursor;         /* false: a text to scroll in */
	/* `arg` is what was opened (a topic's name), or NULL. */
	void *(*open)(const struct cluster *cl, const char *arg);
	void (*close)(void **self);
	/* The list of disagreements, right after `open`, and again when it is another one; NULL: has no use for it. */
	void (*take_truths)(void *self, const struct truths *tr);
	/* The same of the deletions. */
	void (*take_deletions)(void *self, const struct deletions *ds);
	/* The marked topics, right after `open`; NULL: its rows can't be marked. */
	void (*take_marks)(void *self, const struct choice *marks);
	/* The change that is on its way, right after `open`; NULL: has no use for it. */
	void (*take_change)(void *self, const struct change *cg);
	/* The width of the content, before an update that must go by it; NULL: it doesn't matter. */
	void (*resize)(void *self, int width);
	/* True when anything shown may differ. `ch` NULL: look at all, whatever was kept from before may be gone. */
	bool (*update)(void *self, const struct changes *ch, const struct query *qu, wall_ms now);
	const struct table *(*table)(const void *self);
	/* Lines above the table, at most SCREEN_HEAD_MAX; NULL: none. */
	size_t (*head)(const void *self, struct cell *lines);
	/* What Enter opens, NULL: nothing. Its `arg` is the key of the row. */
	const struct screen_ops *enter;
	/* Where rows open different things: fills in what the row with that key does; false: nothing. NULL: see `enter`. */
	bool (*enter_to)(const void *self, const char *key, struct screen_target *to);
	/* What of a row's key that is, NULL: the key. */
	void (*enter_arg)(const void *self, const char *key, struct strbuf *out);
	/* What the key of a row is on a clipboard; NULL: itself. */
	void (*copy)(const void *self, const char *key, struct strbuf *out);
	/* The rows are topics, to be read first when they are on view. */
	bool wants_rows;
	/* The filter words, *n_words of them; NULL: those for topics (query_each_word). */
	const struct query_own *words;
	const size_t *n_words;
	/* ASK_* (core/event.h): what of the brokers' word is what one looks at here, so that it is to be asked for more often. A size or a
	 * state among other columns does with the usual pace. */
	unsigned asks;
};

/* Calls back with each filter word of a screen and its help. */
void screen_each_word(const struct screen_ops *ops, void (*fn)(const char *word, const char *help, void *ctx), void *ctx);

struct screen {
	uint32_t magic;
	const struct screen_ops *ops;
	void *self;
	char *arg;
	struct query qu;
	struct tablewin tw;
	bool is_behind;          /* something changed while another screen covered it: the next update is of the whole */
	struct frozen *frozen;   /* while paused */
	wall_ms frozen_at;
};

struct screens {
	const struct cluster *cl;
	const struct truths *truths;
	const struct deletions *deletions;
	const struct choice *marks; /* handed to each that is opened; NULL: none */
	const struct change *change; /* the same */
	struct screen *v[SCREENS_MAX]; /* v[n - 1] is on view */
	size_t n;
};

void screens_init(struct screens *st, const struct cluster *cl);
void screens_fini(struct screens *st);
/* Hands it to all that are open, and to those that will be. */
void screens_take_truths(struct screens *st, const struct truths *tr);
void screens_take_deletions(struct screens *st, const struct deletions *ds);
struct screen *screens_top(const struct screens *st); /* never NULL after the first push */
/* Opens a screen on top and fills it. A full stack gives up the one under the top. */
struct screen *screens_push(struct screens *st, const struct screen_ops *ops, const char *arg, wall_ms now);
/* Closes the top one; what comes up is brought up to date. False when it is the last. */
bool screens_pop(struct screens *st, wall_ms now);
/* Down to the screen of that kind, likewise; false, and nothing done, when none is open. */
bool screens_pop_to(struct screens *st, const struct screen_ops *ops, wall_ms now);
/* Brings the top one up to date. Those that it covers cost nothing: they are left behind, and may point to what is gone, until they come
 * up. True when the top one may look different. */
bool screens_update(struct screens *st, const struct changes *ch, wall_ms now);

/* What is shown: the table, or its frozen copy. */
const struct table *screen_table(const struct screen *sc);
/* At most SCREEN_HEAD_MAX lines above the table. */
size_t screen_head(const struct screen *sc, struct cell *lines);
void screen_freeze(struct screen *sc, bool on, wall_ms now);
/* Applies the query at once, outside the turn of the frame. */
void screen_requery(struct screen *sc, wall_ms now);

#endif
