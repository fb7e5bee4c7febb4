/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_dirs.h"

#include "core/event.h"
#include "ui/keymap.h"
#include "ui/scr_dir.h"
#include "view/dir_row.h"
#include "view/vm_dirs.h"

static void *scr_dirs_open(const struct cluster *cl, const char *arg)
{
	(void)arg;
	return vm_dirs_new(cl);
}

static void scr_dirs_close(void **self)
{
	struct vm_dirs *vm = *self;

	vm_dirs_free(&vm);
	*self = NULL;
}

static bool scr_dirs_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_dirs_update(self, ch, qu, now);
}

static const struct table *scr_dirs_table(const void *self)
{
	return vm_dirs_table(self);
}

const struct screen_ops scr_dirs = {
	.name = "dirs",
	.where = IN_DIRS,
	.has_cursor = true,
	.open = scr_dirs_open,
	.close = scr_dirs_close,
	.update = scr_dirs_update,
	.table = scr_dirs_table,
	.enter = &scr_dir,
	.words = dir_row_words,
	.n_words = &dir_row_n_words,
	.asks = ASK_DISKS,
};
