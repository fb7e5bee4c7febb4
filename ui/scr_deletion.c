/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_deletion.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "core/event.h"
#include "ui/keymap.h"
#include "ui/scr_broker.h"
#include "view/vm_deletion.h"
#include "view/vm_deletions.h"

static void *scr_deletion_open(const struct cluster *cl, const char *arg)
{
	return vm_deletion_new(cl, arg, -1);
}

/* Behind the czxid there are digits alone: the last '#' is ours. */
static void *scr_evidence_open(const struct cluster *cl, const char *arg)
{
	char key[SCREEN_ARG_MAX];
	const char *mark = strrchr(arg, '#');
	int64_t partition;

	if (!mark || !str_copyn(key, sizeof(key), arg, (size_t)(mark - arg)) || !str_to_i64(mark + 1, 0, INT32_MAX, &partition))
		return vm_deletion_new(cl, arg, -1);
	return vm_deletion_new(cl, key, (int32_t)partition);
}

static void scr_deletion_close(void **self)
{
	struct vm_deletion *vm = *self;

	vm_deletion_free(&vm);
	*self = NULL;
}

static void scr_deletion_take(void *self, const struct deletions *ds)
{
	vm_deletion_take(self, ds);
}

static void scr_deletion_resize(void *self, int width)
{
	vm_deletion_resize(self, width);
}

static bool scr_deletion_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	(void)qu;
	return vm_deletion_update(self, ch, now);
}

static const struct table *scr_deletion_table(const void *self)
{
	return vm_deletion_table(self);
}

static bool scr_deletion_enter_to(const void *self, const char *key, struct screen_target *to)
{
	if (str_starts(key, "broker:")) {
		to->ops = &scr_broker;
		return str_copy(to->arg, sizeof(to->arg), key + sizeof("broker:") - 1);
	}
	if (!str_starts(key, "partition:"))
		return false;
	to->ops = &scr_evidence;
	return str_printf(to->arg, sizeof(to->arg), "%s#%s", vm_deletion_key(self), key + sizeof("partition:") - 1);
}

static void scr_deletion_copy(const void *self, const char *key, struct strbuf *out)
{
	(void)key;
	strbuf_put(out, vm_deletion_topic(self));
}

const struct screen_ops scr_deletion = {
	.name = "deletions",
	.where = IN_DELETION,
	.has_cursor = true,
	.open = scr_deletion_open,
	.close = scr_deletion_close,
	.take_deletions = scr_deletion_take,
	.resize = scr_deletion_resize,
	.update = scr_deletion_update,
	.table = scr_deletion_table,
	.enter_to = scr_deletion_enter_to,
	.copy = scr_deletion_copy,
	.asks = ASK_DISKS | ASK_METADATA,
};

const struct screen_ops scr_evidence = {
	.name = "deletions",
	.where = IN_DELETION,
	.has_cursor = true,
	.open = scr_evidence_open,
	.close = scr_deletion_close,
	.take_deletions = scr_deletion_take,
	.resize = scr_deletion_resize,
	.update = scr_deletion_update,
	.table = scr_deletion_table,
	.enter_to = scr_deletion_enter_to,
	.copy = scr_deletion_copy,
	.asks = ASK_DISKS | ASK_METADATA,
};
