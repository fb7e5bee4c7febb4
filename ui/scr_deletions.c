/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_deletions.h"

#include "base/str.h"
#include "core/event.h"
#include "ui/keymap.h"
#include "ui/scr_deletion.h"
#include "view/vm_deletions.h"

static void *scr_deletions_open(const struct cluster *cl, const char *arg)
{
	(void)arg;
	return vm_deletions_new(cl);
}

static void scr_deletions_close(void **self)
{
	struct vm_deletions *vm = *self;

	vm_deletions_free(&vm);
	*self = NULL;
}

static void scr_deletions_take(void *self, const struct deletions *ds)
{
	vm_deletions_take(self, ds);
}

static bool scr_deletions_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_deletions_update(self, ch, qu, now);
}

static const struct table *scr_deletions_table(const void *self)
{
	return vm_deletions_table(self);
}

static void scr_deletions_copy(const void *self, const char *key, struct strbuf *out)
{
	char topic[VM_DELETIONS_TOPIC_MAX];
	int64_t czxid;

	(void)self;
	if (vm_deletions_key_parse(key, topic, &czxid))
		strbuf_put(out, topic);
}

const struct screen_ops scr_deletions = {
	.name = "deletions",
	.where = IN_DELETIONS,
	.has_cursor = true,
	.open = scr_deletions_open,
	.close = scr_deletions_close,
	.take_deletions = scr_deletions_take,
	.update = scr_deletions_update,
	.table = scr_deletions_table,
	.enter = &scr_deletion,
	.copy = scr_deletions_copy,
	.words = vm_deletions_words,
	.n_words = &vm_deletions_n_words,
	.asks = ASK_DISKS | ASK_METADATA,
};
