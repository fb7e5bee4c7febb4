/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_brokers.h"

#include "ui/keymap.h"
#include "ui/scr_broker.h"
#include "view/vm_brokers.h"

static void *scr_brokers_open(const struct cluster *cl, const char *arg)
{
	(void)arg;
	return vm_brokers_new(cl);
}

static void scr_brokers_close(void **self)
{
	struct vm_brokers *vm = *self;

	vm_brokers_free(&vm);
	*self = NULL;
}

static bool scr_brokers_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_brokers_update(self, ch, qu, now);
}

static const struct table *scr_brokers_table(const void *self)
{
	return vm_brokers_table(self);
}

const struct screen_ops scr_brokers = {
	.name = "brokers",
	.where = IN_BROKERS,
	.has_cursor = true,
	.open = scr_brokers_open,
	.close = scr_brokers_close,
	.update = scr_brokers_update,
	.table = scr_brokers_table,
	.enter = &scr_broker,
};
