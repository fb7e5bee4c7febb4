/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_topics.h"

#include "core/event.h"
#include "ui/keymap.h"
#include "ui/scr_topic.h"
#include "view/vm_topics.h"

static void *scr_topics_open(const struct cluster *cl, const char *arg)
{
	(void)arg;
	return vm_topics_new(cl);
}

static void scr_topics_close(void **self)
{
	struct vm_topics *vm = *self;

	vm_topics_free(&vm);
	*self = NULL;
}

static bool scr_topics_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_topics_update(self, ch, qu, now);
}

static const struct table *scr_topics_table(const void *self)
{
	return vm_topics_table(self);
}

static void scr_topics_take_marks(void *self, const struct choice *marks)
{
	vm_topics_take_marks(self, marks);
}

const struct screen_ops scr_topics = {
	.name = "topics",
	.where = IN_TOPICS,
	.has_cursor = true,
	.open = scr_topics_open,
	.close = scr_topics_close,
	.take_marks = scr_topics_take_marks,
	.update = scr_topics_update,
	.table = scr_topics_table,
	.enter = &scr_topic,
	.wants_rows = true,
	.asks = ASK_METADATA,
};
