/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_truth.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/truths.h"

enum { VM_TRUTH_MAGIC = 0x766d7472 };

enum { COL_LABEL, COL_TEXT, COLS };

enum {
	LABEL_COLUMNS = 6,
	TEXT_MIN = 20, TEXT_MAX = 100, /* a line longer than that is hard to read */
	MARGIN = 2 + LABEL_COLUMNS + 1 + 1,
	ROWS_MAX = 64
};

struct trow {
	const char *key, *label, *text;
	uint8_t style;
};

struct vm_truth {
	uint32_t magic;
	char *truth;          /* its key */
	int width;
	wall_ms now, over;    /* over {0}: it is not, or was never seen */
	struct arena *was;    /* of the copies: */
	const char *kind, *subject, *what, *topic; /* kind NULL: never seen */
	const char *next, *mends; /* static */
	int32_t broker;
	bool is_poison, since_exact;
	wall_ms since;
	struct arena *text;   /* of the rows */
	struct trow rows[ROWS_MAX];
	size_t n_rows;
	struct column cols[COLS];
	struct table tb;
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

static void push(struct vm_truth *vm, const char *key, const char *label, const char *text, enum cell_style style)
{
	if (vm->n_rows < ROWS_MAX)
		vm->rows[vm->n_rows++] = (struct trow){ key, label, text, (uint8_t)style };
}

static void push_text(struct vm_truth *vm, const char *label, const char *s, enum cell_style style)
{
	size_t width = vm->width - MARGIN > TEXT_MIN ? (size_t)(vm->width - MARGIN) : TEXT_MIN;

	if (!s || !*s)
		return;
	width = width < TEXT_MAX ? width : TEXT_MAX;
	while (*s) {
		size_t n = utf8_fit_words(s, width);

		push(vm, "", label, arena_strndup(vm->text, s, n), style);
		s += n + strspn(s + n, " ");
		label = "";
	}
	push(vm, "", "", "", CELL_NORMAL);
}

static void push_since(struct vm_truth *vm)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	if (vm->over.ms)
		push_text(vm, "Over", arena_printf(vm->text, "It is no longer so, since %s. This is what it was:", units_moment(a, vm->over, vm->now)), CELL_BUSY);
	if (vm->since.ms)
		push_text(vm, "Since", arena_printf(vm->text, vm->since_exact ? "%s, for %s" : "%s at the latest, for at least %s",
						   units_moment(a, vm->since, vm->now), units_dur(b, (vm->over.ms ? vm->over.ms : vm->now.ms) - vm->since.ms)), CELL_NORMAL);
}

static void make_rows(struct vm_truth *vm)
{
	arena_clear(vm->text);
	vm->n_rows = 0;
	if (vm->kind) {
		push_since(vm);
		push_text(vm, "What", vm->what, vm->is_poison ? CELL_WRONG : CELL_NORMAL);
		push_text(vm, "Next", vm->next, CELL_NORMAL);
		push_text(vm, "Mends", vm->mends, CELL_NORMAL);
		if (vm->topic)
			push(vm, arena_printf(vm->text, "topic:%s", vm->topic), "Open", arena_printf(vm->text, "topic %s", vm->topic), CELL_NORMAL);
		if (vm->broker != BROKER_NONE)
			push(vm, arena_printf(vm->text, "broker:%d", vm->broker), vm->topic ? "" : "Open", arena_printf(vm->text, "broker %d", vm->broker), CELL_NORMAL);
		str_printf(vm->tb.title, sizeof(vm->tb.title), "%s%s%s%.200s", vm->is_poison ? "POISON   " : "", vm->kind, *vm->subject ? ": " : "", vm->subject);
	} else {
		str_printf(vm->tb.title, sizeof(vm->tb.title), "Disagreement");
	}
	vm->tb.title_style = vm->is_poison && !vm->over.ms ? CELL_WRONG : CELL_NORMAL;
	vm->tb.n_rows = vm->n_rows;
}

/* ---- the table ------------------------------------------------------------------- */

static const struct vm_truth *vm_truth_of(const struct table *tb)
{
	const struct vm_truth *vm = tb->vm;

	assert(vm->magic == VM_TRUTH_MAGIC);
	return vm;
}

static void vm_truth_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct trow *ro = &vm_truth_of(tb)->rows[i];

	(void)ar;
	row_put(out, COL_LABEL, ro->label, CELL_NORMAL);
	row_put(out, COL_TEXT, ro->text, ro->style);
}

static const char *vm_truth_key(const struct table *tb, size_t i)
{
	return vm_truth_of(tb)->rows[i].key;
}

static size_t vm_truth_find(const struct table *tb, const char *key)
{
	const struct vm_truth *vm = vm_truth_of(tb);
	size_t i = 0;

	while (i < vm->n_rows && (!*key || strcmp(vm->rows[i].key, key) != 0))
		i++;
	return i;
}

/* ---- life ------------------------------------------------------------------------ */

struct vm_truth *vm_truth_new(const char *key)
{
	struct vm_truth *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_TRUTH_MAGIC;
	vm->truth = mem_strdup(key);
	vm->width = 80;
	vm->was = arena_new(0);
	vm->text = arena_new(0);
	vm->cols[COL_LABEL] = (struct column){ "", "part", .min = LABEL_COLUMNS, .max = LABEL_COLUMNS };
	vm->cols[COL_TEXT] = (struct column){ "", "text", .min = TEXT_MIN, .max = TEXT_MAX + 300, .grows = true };
	vm->tb = (struct table){ .cols = vm->cols, .n_cols = COLS, .sort_col = -1, .fill = vm_truth_fill, .key = vm_truth_key, .find = vm_truth_find, .vm = vm };
	str_printf(vm->tb.empty, sizeof(vm->tb.empty), "there is no such disagreement now");
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
	arena_free(&vm->text);
	mem_free(&vm->truth);
	mem_free(pp);
}

void vm_truth_resize(struct vm_truth *vm, int width)
{
	vm->width = width;
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
	return &vm->tb;
}
