/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_acts.h"

#include "base/mem.h"
#include "base/str.h"
#include "core/deletion.h"
#include "ui/keymap.h"
#include "view/page.h"
#include "view/vm_deletions.h"

enum { SCR_ACTS_LABEL_COLUMNS = 6 };

struct scr_acts {
	char topic[VM_DELETIONS_TOPIC_MAX];
	const struct deletions *ds;
	struct page page;
};

static void *scr_acts_open(const struct cluster *cl, const char *arg)
{
	struct scr_acts *sa = mem_zalloc(sizeof(*sa));
	int64_t czxid;

	(void)cl;
	if (!vm_deletions_key_parse(arg, sa->topic, &czxid))
		sa->topic[0] = '\0';
	page_init(&sa->page, SCR_ACTS_LABEL_COLUMNS);
	str_printf(sa->page.tb.empty, sizeof(sa->page.tb.empty), "nothing is told of this deletion any more");
	return sa;
}

static void scr_acts_close(void **self)
{
	struct scr_acts *sa = *self;

	page_fini(&sa->page);
	mem_free(self);
}

static void scr_acts_take(void *self, const struct deletions *ds)
{
	((struct scr_acts *)self)->ds = ds;
}

static void scr_acts_resize(void *self, int width)
{
	((struct scr_acts *)self)->page.width = width;
}

static void scr_acts_put(struct page *pg, const struct deletion *de)
{
	page_text(pg, "DO", *de->act ? de->act : "Nothing needs to be done.", CELL_NORMAL);
	page_text(pg, "NEXT", de->next, CELL_NORMAL);
	if (deletion_state_is_end(de->state))
		return; /* what would help while it waits is no matter any more */
	page_gap(pg);
	if (de->acts & DELETION_ACT_PUT_MARKER)
		page_row(pg, SCR_ACTS_MARKER, "HERE", "Put the marker again, which somebody took away", CELL_NORMAL);
	if (de->acts & DELETION_ACT_MOVE_CONTROLLER)
		page_row(pg, SCR_ACTS_CONTROLLER, "HERE", "Move the controller: the last resort", CELL_NORMAL);
	if (de->acts & (DELETION_ACT_PUT_MARKER | DELETION_ACT_MOVE_CONTROLLER))
		page_text(pg, "", "Enter shows what it does, and what has to be typed. Nothing is sent before that.", CELL_DIM);
	else
		page_text(pg, "HERE", "Nothing that would help can be done from here.", CELL_NORMAL);
	page_gap(pg);
	page_text(pg, "NOT", "Taking the marker away is not offered: it cancels nothing, for the controller goes on with what it knows, and with the next "
			     "election the topic comes back, emptied.", CELL_DIM);
}

static bool scr_acts_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct scr_acts *sa = self;
	const struct deletion *de = sa->ds ? deletions_find(sa->ds, sa->topic) : NULL;
	struct table *tb = &sa->page.tb;

	(void)ch, (void)qu, (void)now;
	page_begin(&sa->page);
	if (!str_printf(tb->title, sizeof(tb->title), "%s   %s   what would help", sa->topic, de ? deletion_state_name(de->state) : "-"))
		str_printf(tb->title, sizeof(tb->title), "what would help");
	if (de)
		scr_acts_put(&sa->page, de);
	page_end(&sa->page);
	return true;
}

static const struct table *scr_acts_table(const void *self)
{
	return &((const struct scr_acts *)self)->page.tb;
}

static void scr_acts_copy(const void *self, const char *key, struct strbuf *out)
{
	(void)key;
	strbuf_put(out, ((const struct scr_acts *)self)->topic);
}

const struct screen_ops scr_acts = {
	.name = "deletions",
	.where = IN_DELETION,
	.has_cursor = true,
	.open = scr_acts_open,
	.close = scr_acts_close,
	.take_deletions = scr_acts_take,
	.resize = scr_acts_resize,
	.update = scr_acts_update,
	.table = scr_acts_table,
	.copy = scr_acts_copy,
};
