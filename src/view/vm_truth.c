/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_truth.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/truths.h"
#include "view/page.h"

enum { VM_TRUTH_MAGIC = 0x766d7472 };

enum { LABEL_COLUMNS = 6 };

struct vm_truth {
	uint32_t magic;
	char *truth;          /* its key */
	wall_ms now, over;    /* over {0}: it is not, or was never seen */
	struct arena *was;    /* of the copies: */
	const char *kind, *subject, *what, *topic; /* kind NULL: never seen */
	const char *next, *mends; /* static */
	int32_t broker;
	bool is_poison, since_exact;
	wall_ms since;
	struct page page;
};

/* ---- what it is ----------------------------------------------------------------- */

static const struct truth *find_truth(const struct truths *tr, const char *key)
{
	for (size_t i = 0; tr && i < truths_count(tr); i++)
		if (!strcmp(truths_at(tr, i)->key, key))
			return truths_at(tr, i);
	return NULL;
}

static void take(struct vm_truth *vm, const struct truth *t)
{
	arena_clear(vm->was);
	vm->kind = truth_kind_name(t->kind);
	vm->subject = arena_strdup(vm->was, t->subject);
	vm->what = arena_strdup(vm->was, t->what);
	vm->topic = t->topic ? arena_strdup(vm->was, t->topic) : NULL;
	vm->next = t->next;
	vm->mends = t->mends;
	vm->broker = t->broker;
	vm->is_poison = t->is_poison;
	vm->since = t->since;
	vm->since_exact = t->since_exact;
	vm->over = (wall_ms){ 0 };
}

/* ---- rows ------------------------------------------------------------------------ */

static void push_text(struct vm_truth *vm, const char *label, const char *s, enum cell_style style)
{
	if (!s || !*s)
		return;
	page_text(&vm->page, label, s, style);
	page_gap(&vm->page);
}

static void push_since(struct vm_truth *vm)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	if (vm->over.ms)
		push_text(vm, "Over", arena_printf(vm->page.text, "It is no longer so, since %s. This is what it was:", units_moment(a, vm->over, vm->now)), CELL_BUSY);
	if (vm->since.ms)
		push_text(vm, "Since", arena_printf(vm->page.text, vm->since_exact ? "%s, for %s" : "%s at the latest, for at least %s",
						   units_moment(a, vm->since, vm->now), units_dur(b, (vm->over.ms ? vm->over.ms : vm->now.ms) - vm->since.ms)), CELL_NORMAL);
}

static void make_rows(struct vm_truth *vm)
{
	struct table *tb = &vm->page.tb;

	page_begin(&vm->page);
	if (vm->kind) {
		push_since(vm);
		push_text(vm, "What", vm->what, vm->is_poison ? CELL_WRONG : CELL_NORMAL);
		push_text(vm, "Next", vm->next, CELL_NORMAL);
		push_text(vm, "Mends", vm->mends, CELL_NORMAL);
		if (vm->topic)
			page_row(&vm->page, arena_printf(vm->page.text, "topic:%s", vm->topic), "Open", arena_printf(vm->page.text, "topic %s", vm->topic), CELL_NORMAL);
		if (vm->broker != BROKER_NONE)
			page_row(&vm->page, arena_printf(vm->page.text, "broker:%d", vm->broker), vm->topic ? "" : "Open", arena_printf(vm->page.text, "broker %d", vm->broker), CELL_NORMAL);
		str_printf(tb->title, sizeof(tb->title), "%s%s%s%.200s", vm->is_poison ? "POISON   " : "", vm->kind, *vm->subject ? ": " : "", vm->subject);
	} else {
		str_printf(tb->title, sizeof(tb->title), "Disagreement");
	}
	tb->title_style = vm->is_poison && !vm->over.ms ? CELL_WRONG : CELL_NORMAL;
	page_end(&vm->page);
}

/* ---- life ------------------------------------------------------------------------ */

struct vm_truth *vm_truth_new(const char *key)
{
	struct vm_truth *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_TRUTH_MAGIC;
	vm->truth = mem_strdup(key);
	vm->was = arena_new(0);
	page_init(&vm->page, LABEL_COLUMNS);
	str_printf(vm->page.tb.empty, sizeof(vm->page.tb.empty), "there is no such disagreement now");
	return vm;
}

void vm_truth_free(struct vm_truth **pp)
{
	struct vm_truth *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_TRUTH_MAGIC);
	vm->magic = 0;
	arena_free(&vm->was);
	page_fini(&vm->page);
	mem_free(&vm->truth);
	mem_free(pp);
}

void vm_truth_resize(struct vm_truth *vm, int width)
{
	vm->page.width = width;
}

bool vm_truth_update(struct vm_truth *vm, const struct truths *tr, wall_ms now)
{
	const struct truth *t = find_truth(tr, vm->truth);

	vm->now = now;
	if (t)
		take(vm, t);
	else if (vm->kind && !vm->over.ms)
		vm->over = now;
	make_rows(vm);
	return true;
}

const struct table *vm_truth_table(const struct vm_truth *vm)
{
	return &vm->page.tb;
}
