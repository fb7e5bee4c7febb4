/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_dir.h"

#include <string.h>

#include "base/str.h"
#include "core/event.h"
#include "core/ids.h"
#include "ui/keymap.h"
#include "ui/scr_topic.h"
#include "view/vm_dir.h"

/* "3:/data/d2" */
static void *scr_dir_open(const struct cluster *cl, const char *arg)
{
	size_t n = strcspn(arg, ":");
	int64_t id = BROKER_NONE;
	char number[16];

	if (!str_copyn(number, sizeof(number), arg, n) || !str_to_i64(number, INT32_MIN, INT32_MAX, &id))
		id = BROKER_NONE; /* the key of no row */
	return vm_dir_new(cl, (int32_t)id, arg[n] ? arg + n + 1 : "");
}

static void scr_dir_close(void **self)
{
	struct vm_dir *vm = *self;

	vm_dir_free(&vm);
	*self = NULL;
}

static bool scr_dir_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_dir_update(self, ch, qu, now);
}

static const struct table *scr_dir_table(const void *self)
{
	return vm_dir_table(self);
}

static size_t scr_dir_head(const void *self, struct cell *lines)
{
	return vm_dir_head(self, lines);
}

/* The topic of "orders-3 future". */
static void scr_dir_enter_arg(const void *self, const char *key, struct strbuf *out)
{
	const char *dash = strrchr(key, '-');

	(void)self;
	strbuf_putn(out, key, dash ? (size_t)(dash - key) : strlen(key));
}

/* "orders-3" of it, as Kafka names a partition. */
static void scr_dir_copy(const void *self, const char *key, struct strbuf *out)
{
	const char *dash = strrchr(key, '-');

	(void)self;
	strbuf_putn(out, key, dash ? (size_t)(dash - key) + strcspn(dash, " ") : strlen(key));
}

const struct screen_ops scr_dir = {
	.name = "dirs",
	.where = IN_DIR,
	.has_cursor = true,
	.open = scr_dir_open,
	.close = scr_dir_close,
	.update = scr_dir_update,
	.table = scr_dir_table,
	.head = scr_dir_head,
	.enter = &scr_topic,
	.enter_arg = scr_dir_enter_arg,
	.copy = scr_dir_copy,
	.words = vm_dir_words,
	.n_words = &vm_dir_n_words,
	.asks = ASK_DISKS,
};
