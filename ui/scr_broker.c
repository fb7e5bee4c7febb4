/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_broker.h"

#include <string.h>

#include "base/str.h"
#include "core/event.h"
#include "core/ids.h"
#include "ui/keymap.h"
#include "ui/scr_topic.h"
#include "view/vm_broker.h"

static void *scr_broker_open(const struct cluster *cl, const char *arg)
{
	int64_t id;

	if (!str_to_i64(arg, INT32_MIN, INT32_MAX, &id))
		id = BROKER_NONE; /* the key of no row */
	return vm_broker_new(cl, (int32_t)id);
}

static void scr_broker_close(void **self)
{
	struct vm_broker *vm = *self;

	vm_broker_free(&vm);
	*self = NULL;
}

static bool scr_broker_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_broker_update(self, ch, qu, now);
}

static const struct table *scr_broker_table(const void *self)
{
	return vm_broker_table(self);
}

static size_t scr_broker_head(const void *self, struct cell *lines)
{
	return vm_broker_head(self, lines);
}

/* The topic of "orders-3". */
static void scr_broker_enter_arg(const void *self, const char *key, struct strbuf *out)
{
	const char *dash = strrchr(key, '-');

	(void)self;
	strbuf_putn(out, key, dash ? (size_t)(dash - key) : strlen(key));
}

const struct screen_ops scr_broker = {
	.name = "brokers",
	.where = IN_BROKER,
	.has_cursor = true,
	.open = scr_broker_open,
	.close = scr_broker_close,
	.update = scr_broker_update,
	.table = scr_broker_table,
	.head = scr_broker_head,
	.enter = &scr_topic,
	.enter_arg = scr_broker_enter_arg,
	.asks = ASK_METADATA,
};
