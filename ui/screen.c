/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/screen.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "core/model.h"
#include "ui/frozen.h"
#include "view/table.h"

enum { SCREEN_MAGIC = 0x5343524e };

/* ---- one --------------------------------------------------------------------- */

static struct screen *screen_new(const struct cluster *cl, const struct screen_ops *ops, const char *arg)
{
	struct screen *sc = mem_zalloc(sizeof(*sc));

	sc->magic = SCREEN_MAGIC;
	sc->ops = ops;
	sc->arg = arg ? mem_strdup(arg) : NULL;
	sc->self = ops->open(cl, sc->arg);
	query_init(&sc->qu);
	tablewin_init(&sc->tw, ops->has_cursor);
	return sc;
}

static void screen_free(struct screen **pp)
{
	struct screen *sc = *pp;

	if (!sc)
		return;
	assert(sc->magic == SCREEN_MAGIC);
	frozen_free(&sc->frozen);
	sc->ops->close(&sc->self);
	tablewin_fini(&sc->tw);
	mem_free(&sc->arg);
	sc->magic = 0;
	mem_free(pp);
}

const struct table *screen_table(const struct screen *sc)
{
	return sc->frozen ? frozen_table(sc->frozen) : sc->ops->table(sc->self);
}

size_t screen_head(const struct screen *sc, struct cell *lines)
{
	const struct cell *head;
	size_t n;

	if (!sc->frozen)
		return sc->ops->head ? sc->ops->head(sc->self, lines) : 0;
	head = frozen_head(sc->frozen, &n);
	if (n)
		memcpy(lines, head, n * sizeof(*lines));
	return n;
}

void screen_freeze(struct screen *sc, bool on, wall_ms now)
{
	struct cell head[SCREEN_HEAD_MAX];
	size_t n;

	if (on == (sc->frozen != NULL))
		return;
	if (!on) {
		frozen_free(&sc->frozen);
		return;
	}
	n = screen_head(sc, head);
	sc->frozen_at = now;
	sc->frozen = frozen_new(screen_table(sc), head, n);
}

static bool screen_update(struct screen *sc, const struct changes *ch, wall_ms now)
{
	bool differs = sc->ops->update(sc->self, sc->is_behind ? NULL : ch, &sc->qu, now);

	sc->is_behind = false;
	return differs && !sc->frozen;
}

void screen_requery(struct screen *sc, wall_ms now)
{
	static const struct changes none;

	screen_update(sc, &none, now);
	tablewin_sync(&sc->tw, screen_table(sc), sc->tw.page);
}

void screen_each_word(const struct screen_ops *ops, void (*fn)(const char *word, const char *help, void *ctx), void *ctx)
{
	if (!ops->words) {
		query_each_word(fn, ctx);
		return;
	}
	for (size_t i = 0; i < *ops->n_words; i++)
		fn(ops->words[i].word, ops->words[i].help, ctx);
}

/* ---- the stack ------------------------------------------------------------------- */

void screens_init(struct screens *st, const struct cluster *cl)
{
	*st = (struct screens){ .cl = cl };
}

void screens_take_truths(struct screens *st, const struct truths *tr)
{
	st->truths = tr;
	for (size_t i = 0; i < st->n; i++)
		if (st->v[i]->ops->take_truths)
			st->v[i]->ops->take_truths(st->v[i]->self, tr);
}

void screens_take_deletions(struct screens *st, const struct deletions *ds)
{
	st->deletions = ds;
	for (size_t i = 0; i < st->n; i++)
		if (st->v[i]->ops->take_deletions)
			st->v[i]->ops->take_deletions(st->v[i]->self, ds);
}

void screens_fini(struct screens *st)
{
	while (st->n)
		screen_free(&st->v[--st->n]);
}

struct screen *screens_top(const struct screens *st)
{
	assert(st->n > 0);
	return st->v[st->n - 1];
}

struct screen *screens_push(struct screens *st, const struct screen_ops *ops, const char *arg, wall_ms now)
{
	struct screen *sc = screen_new(st->cl, ops, arg);

	if (st->n == SCREENS_MAX)
		screen_free(&st->v[--st->n]);
	if (ops->take_truths)
		ops->take_truths(sc->self, st->truths);
	if (ops->take_deletions)
		ops->take_deletions(sc->self, st->deletions);
	if (ops->take_marks)
		ops->take_marks(sc->self, st->marks);
	if (ops->take_change)
		ops->take_change(sc->self, st->change);
	st->v[st->n++] = sc;
	screen_requery(sc, now);
	return sc;
}

/* At once: a key that comes in the same turn may read it. */
static void screens_come_up(struct screens *st, wall_ms now)
{
	struct screen *sc = screens_top(st);

	if (sc->is_behind)
		screen_requery(sc, now);
}

bool screens_pop(struct screens *st, wall_ms now)
{
	if (st->n <= 1)
		return false;
	screen_free(&st->v[--st->n]);
	screens_come_up(st, now);
	return true;
}

bool screens_pop_to(struct screens *st, const struct screen_ops *ops, wall_ms now)
{
	size_t i = st->n;

	while (i > 0 && st->v[i - 1]->ops != ops)
		i--;
	if (!i)
		return false;
	while (st->n > i)
		screen_free(&st->v[--st->n]);
	screens_come_up(st, now);
	return true;
}

bool screens_update(struct screens *st, const struct changes *ch, wall_ms now)
{
	for (size_t i = 0; ch->bits && i + 1 < st->n; i++)
		st->v[i]->is_behind = true;
	return screen_update(screens_top(st), ch, now);
}
