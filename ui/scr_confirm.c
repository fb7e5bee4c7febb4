/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_confirm.h"

#include "base/mem.h"
#include "ui/change.h"
#include "ui/keymap.h"

struct scr_confirm {
	struct vm_confirm *vm;
	const struct change *cg;
	struct arena *ar;
};

static void *scr_confirm_open(const struct cluster *cl, const char *arg)
{
	struct scr_confirm *sc = mem_zalloc(sizeof(*sc));

	(void)cl, (void)arg;
	sc->vm = vm_confirm_new();
	sc->ar = arena_new(0);
	return sc;
}

static void scr_confirm_close(void **self)
{
	struct scr_confirm *sc = *self;

	vm_confirm_free(&sc->vm);
	arena_free(&sc->ar);
	mem_free(self);
}

static void scr_confirm_take(void *self, const struct change *cg)
{
	((struct scr_confirm *)self)->cg = cg;
}

static void scr_confirm_resize(void *self, int width)
{
	vm_confirm_resize(((struct scr_confirm *)self)->vm, width);
}

static bool scr_confirm_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct scr_confirm *sc = self;
	struct confirm_facts fa;
	bool has;

	(void)ch, (void)qu, (void)now;
	arena_clear(sc->ar);
	has = sc->cg && change_facts(sc->cg, sc->ar, &fa);
	return vm_confirm_update(sc->vm, has ? &fa : NULL);
}

static const struct table *scr_confirm_table(const void *self)
{
	return vm_confirm_table(((const struct scr_confirm *)self)->vm);
}

const struct screen_ops scr_confirm = {
	.name = "topics",
	.where = IN_CONFIRM,
	.has_cursor = false,
	.open = scr_confirm_open,
	.close = scr_confirm_close,
	.take_change = scr_confirm_take,
	.resize = scr_confirm_resize,
	.update = scr_confirm_update,
	.table = scr_confirm_table,
};
