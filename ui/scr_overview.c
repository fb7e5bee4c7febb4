/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_overview.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "ui/keymap.h"
#include "ui/scr_broker.h"
#include "ui/scr_brokers.h"
#include "ui/scr_deletions.h"
#include "ui/scr_dirs.h"
#include "ui/scr_topics.h"
#include "ui/scr_truth.h"
#include "view/overview_facts.h"
#include "view/vm_overview.h"

enum { SCR_OVERVIEW_MAGIC = 0x534f5657 };

struct scr_overview {
	uint32_t magic;
	const struct cluster *cl;
	struct vm_overview *vm;
};

/* Which view tells more of a line, and through which filter. */
static const struct {
	const char *key;
	const struct screen_ops *ops;
	const char *filter;
} scr_overview_targets[] = {
	{ "brokers", &scr_brokers, NULL },
	{ "topics", &scr_topics, NULL },
	{ "offline", &scr_topics, "offline" },
	{ "under-min", &scr_topics, "under-min" },
	{ "under", &scr_topics, "under" },
	{ "only-moving", &scr_topics, "moving" },
	{ "at-min", &scr_topics, "at-min" },
	{ "not-preferred", &scr_topics, "not-preferred" },
	{ "deletions", &scr_deletions, NULL },
	{ "moves", &scr_topics, "moving" },
	{ "throttles", &scr_brokers, NULL },
	{ "dirs", &scr_dirs, NULL },
};

static const struct scr_overview *scr_overview_of(const void *self)
{
	const struct scr_overview *ov = self;

	assert(ov->magic == SCR_OVERVIEW_MAGIC);
	return ov;
}

static void *scr_overview_open(const struct cluster *cl, const char *arg)
{
	struct scr_overview *ov = mem_zalloc(sizeof(*ov));

	(void)arg;
	ov->magic = SCR_OVERVIEW_MAGIC;
	ov->cl = cl;
	ov->vm = vm_overview_new(cl);
	return ov;
}

static void scr_overview_close(void **self)
{
	struct scr_overview *ov = *self;

	vm_overview_free(&ov->vm);
	ov->magic = 0;
	mem_free(self);
}

static void scr_overview_resize(void *self, int width)
{
	vm_overview_resize(scr_overview_of(self)->vm, width);
}

static bool scr_overview_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	return vm_overview_update(scr_overview_of(self)->vm, ch, qu, now);
}

static void scr_overview_take_truths(void *self, const struct truths *tr)
{
	vm_overview_take_truths(scr_overview_of(self)->vm, tr);
}

static void scr_overview_take_deletions(void *self, const struct deletions *ds)
{
	vm_overview_take_deletions(scr_overview_of(self)->vm, ds);
}

static const struct table *scr_overview_table(const void *self)
{
	return vm_overview_table(scr_overview_of(self)->vm);
}

static bool scr_overview_enter_to(const void *self, const char *key, struct screen_target *to)
{
	const struct cluster *cl = scr_overview_of(self)->cl;

	if (!strcmp(key, "controller") && cl->controller_fact.know == KNOW_PRESENT) {
		to->ops = &scr_broker;
		return str_printf(to->arg, sizeof(to->arg), "%d", cl->controller.broker);
	}
	if (!strcmp(key, "moves") && topic_count(&cl->totals, PT_MOVING) == 0 && overview_dirs(cl).n_future > 0) {
		to->ops = &scr_dirs;
		to->filter = "future";
		return true;
	}
	if (str_starts(key, "truth:")) {
		to->ops = &scr_truth;
		return str_copy(to->arg, sizeof(to->arg), key + sizeof("truth:") - 1);
	}
	for (size_t i = 0; i < sizeof(scr_overview_targets) / sizeof(scr_overview_targets[0]); i++)
		if (!strcmp(key, scr_overview_targets[i].key)) {
			to->ops = scr_overview_targets[i].ops;
			to->filter = scr_overview_targets[i].filter;
			return true;
		}
	return false;
}

const struct screen_ops scr_overview = {
	.name = "overview",
	.where = IN_OVERVIEW,
	.has_cursor = true,
	.open = scr_overview_open,
	.close = scr_overview_close,
	.take_truths = scr_overview_take_truths,
	.take_deletions = scr_overview_take_deletions,
	.resize = scr_overview_resize,
	.update = scr_overview_update,
	.table = scr_overview_table,
	.enter_to = scr_overview_enter_to,
};
