/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_topic.h"

#include <assert.h>

#include "core/event.h"
#include "base/mem.h"
#include "base/str.h"
#include "ui/keymap.h"
#include "view/vm_topic.h"

enum { SCR_TOPIC_MAGIC = 0x53544f50 };

struct scr_topic {
	uint32_t magic;
	char *name;
	struct vm_topic *vm;
};

static const struct scr_topic *scr_topic_of(const void *self)
{
	const struct scr_topic *to = self;

	assert(to->magic == SCR_TOPIC_MAGIC);
	return to;
}

static void *scr_topic_open(const struct cluster *cl, const char *arg)
{
	struct scr_topic *to = mem_zalloc(sizeof(*to));

	to->magic = SCR_TOPIC_MAGIC;
	to->name = mem_strdup(arg);
	to->vm = vm_topic_new(cl, arg);
	return to;
}

static void scr_topic_close(void **self)
{
	struct scr_topic *to = *self;

	vm_topic_free(&to->vm);
	mem_free(&to->name);
	to->magic = 0;
	mem_free(self);
}

static bool scr_topic_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_topic_update(scr_topic_of(self)->vm, ch, qu, now);
}

static const struct table *scr_topic_table(const void *self)
{
	return vm_topic_table(scr_topic_of(self)->vm);
}

static size_t scr_topic_head(const void *self, struct cell *lines)
{
	return vm_topic_head(scr_topic_of(self)->vm, lines);
}

/* As Kafka names a partition: orders-3. */
static void scr_topic_copy(const void *self, const char *key, struct strbuf *out)
{
	strbuf_put(out, scr_topic_of(self)->name);
	strbuf_putc(out, '-');
	strbuf_put(out, key);
}

const struct screen_ops scr_topic = {
	.name = "topics",
	.where = IN_TOPIC,
	.has_cursor = true,
	.open = scr_topic_open,
	.close = scr_topic_close,
	.update = scr_topic_update,
	.table = scr_topic_table,
	.head = scr_topic_head,
	.copy = scr_topic_copy,
	.asks = ASK_METADATA | ASK_DISKS,
};
