/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_truth.h"

#include <assert.h>

#include "base/mem.h"
#include "base/str.h"
#include "ui/keymap.h"
#include "ui/scr_broker.h"
#include "ui/scr_topic.h"
#include "view/vm_truth.h"

enum { SCR_TRUTH_MAGIC = 0x53545254 };

struct scr_truth {
	uint32_t magic;
	const struct truths *truths;
	struct vm_truth *vm;
};

static struct scr_truth *scr_truth_of(void *self)
{
	struct scr_truth *st = self;

	assert(st->magic == SCR_TRUTH_MAGIC);
	return st;
}

static void *scr_truth_open(const struct cluster *cl, const char *arg)
{
	struct scr_truth *st = mem_zalloc(sizeof(*st));

	(void)cl;
	st->magic = SCR_TRUTH_MAGIC;
	st->vm = vm_truth_new(arg);
	return st;
}

static void scr_truth_close(void **self)
{
	struct scr_truth *st = scr_truth_of(*self);

	vm_truth_free(&st->vm);
	st->magic = 0;
	mem_free(self);
}

static void scr_truth_take_truths(void *self, const struct truths *tr)
{
	scr_truth_of(self)->truths = tr;
}

static void scr_truth_resize(void *self, int width)
{
	vm_truth_resize(scr_truth_of(self)->vm, width);
}

static bool scr_truth_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct scr_truth *st = scr_truth_of(self);

	(void)ch, (void)qu;
	return vm_truth_update(st->vm, st->truths, now);
}

static const struct table *scr_truth_table(const void *self)
{
	return vm_truth_table(((const struct scr_truth *)self)->vm);
}

static bool scr_truth_enter_to(const void *self, const char *key, struct screen_target *to)
{
	(void)self;
	if (str_starts(key, "topic:"))
		to->ops = &scr_topic;
	else if (str_starts(key, "broker:"))
		to->ops = &scr_broker;
	else
		return false;
	return str_copy(to->arg, sizeof(to->arg), key + (to->ops == &scr_topic ? sizeof("topic:") : sizeof("broker:")) - 1);
}

const struct screen_ops scr_truth = {
	.name = "overview",
	.where = IN_TRUTH,
	.has_cursor = true,
	.open = scr_truth_open,
	.close = scr_truth_close,
	.take_truths = scr_truth_take_truths,
	.resize = scr_truth_resize,
	.update = scr_truth_update,
	.table = scr_truth_table,
	.enter_to = scr_truth_enter_to,
};
