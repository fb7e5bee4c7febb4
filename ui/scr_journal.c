/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/scr_journal.h"

#include <assert.h>

#include "app/audit.h"
#include "base/mem.h"
#include "base/str.h"
#include "ui/change.h"
#include "ui/keymap.h"
#include "ui/scr_topic.h"
#include "view/vm_journal.h"
#include "view/vm_record.h"

enum { SCR_JOURNAL_MAGIC = 0x53434a4e, SCR_JOURNAL_LOOKS_MS = 1000 };

/* The list has `list`, a record `record`. */
struct scr_journal {
	uint32_t magic;
	const struct change *cg; /* NULL: none */
	struct audit *audit;
	int64_t looked;          /* when, in SCR_JOURNAL_LOOKS_MS: the file is looked at no more often */
	struct vm_journal *list;
	struct vm_record *record;
};

static struct scr_journal *scr_journal_of(void *self)
{
	struct scr_journal *sj = self;

	assert(sj->magic == SCR_JOURNAL_MAGIC);
	return sj;
}

static struct scr_journal *scr_journal_new(void)
{
	struct scr_journal *sj = mem_zalloc(sizeof(*sj));

	sj->magic = SCR_JOURNAL_MAGIC;
	sj->audit = audit_new();
	sj->looked = -1;
	return sj;
}

static void *scr_journal_open(const struct cluster *cl, const char *arg)
{
	struct scr_journal *sj = scr_journal_new();

	(void)cl, (void)arg;
	sj->list = vm_journal_new();
	return sj;
}

static void *scr_record_open(const struct cluster *cl, const char *arg)
{
	struct scr_journal *sj = scr_journal_new();

	sj->record = vm_record_new(cl, arg);
	return sj;
}

static void scr_journal_close(void **self)
{
	struct scr_journal *sj = scr_journal_of(*self);

	vm_journal_free(&sj->list);
	vm_record_free(&sj->record);
	audit_free(&sj->audit);
	sj->magic = 0;
	mem_free(self);
}

static void scr_journal_take(void *self, const struct change *cg)
{
	scr_journal_of(self)->cg = cg;
}

/* How many of them other programs carry out: one of these may end without a word. */
static size_t scr_journal_elsewhere(const struct intents *open, wall_ms now)
{
	size_t n = 0;

	for (size_t i = 0; i < open->n; i++)
		n += audit_is_under_way(open->v[i], now);
	return n;
}

static struct journal_facts scr_journal_facts(struct scr_journal *sj, wall_ms now)
{
	struct audit_state st;

	if (now.ms / SCR_JOURNAL_LOOKS_MS != sj->looked)
		audit_refresh(sj->audit);
	sj->looked = now.ms / SCR_JOURNAL_LOOKS_MS;
	st = audit_state(sj->audit);
	return (struct journal_facts){
		.records = st.records, .n = st.n, .n_left_out = st.n_left_out, .open = st.open, .n_bad = st.n_bad_all + st.is_torn,
		.bad_at = st.is_torn ? st.torn_at : st.n_bad > 0 ? st.bad[st.n_bad - 1].offset : 0, .error = st.error,
		.running = sj->cg ? change_running(sj->cg) : 0, .is_elsewhere = audit_is_under_way,
		.version = st.version * (INTENTS_MAX + 1) + scr_journal_elsewhere(st.open, now),
	};
}

static bool scr_journal_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct scr_journal *sj = scr_journal_of(self);
	struct journal_facts jf = scr_journal_facts(sj, now);

	(void)ch;
	return vm_journal_update(sj->list, &jf, qu, now);
}

static const struct table *scr_journal_table(const void *self)
{
	return vm_journal_table(((const struct scr_journal *)self)->list);
}

const struct screen_ops scr_journal = {
	.name = "journal",
	.where = IN_JOURNAL,
	.has_cursor = true,
	.open = scr_journal_open,
	.close = scr_journal_close,
	.take_change = scr_journal_take,
	.update = scr_journal_update,
	.table = scr_journal_table,
	.enter = &scr_record,
	.words = vm_journal_words,
	.n_words = &vm_journal_n_words,
};

/* ---- one of it -------------------------------------------------------------------------------- */

static void scr_record_resize(void *self, int width)
{
	vm_record_resize(scr_journal_of(self)->record, width);
}

static bool scr_record_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct scr_journal *sj = scr_journal_of(self);
	struct journal_facts jf = scr_journal_facts(sj, now);

	(void)ch, (void)qu;
	return vm_record_update(sj->record, &jf, now);
}

static const struct table *scr_record_table(const void *self)
{
	return vm_record_table(((const struct scr_journal *)self)->record);
}

static bool scr_record_enter_to(const void *self, const char *key, struct screen_target *to)
{
	(void)self;
	if (!str_starts(key, "topic:"))
		return false;
	to->ops = &scr_topic;
	return str_copy(to->arg, sizeof(to->arg), key + sizeof("topic:") - 1);
}

const struct screen_ops scr_record = {
	.name = "journal",
	.where = IN_RECORD,
	.has_cursor = true,
	.open = scr_record_open,
	.close = scr_journal_close,
	.take_change = scr_journal_take,
	.resize = scr_record_resize,
	.update = scr_record_update,
	.table = scr_record_table,
	.enter_to = scr_record_enter_to,
};
