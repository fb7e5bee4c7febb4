/* SPDX-License-Identifier: Apache-2.0 */
/* Lines are few and made anew whenever anything changed; what would cost more is kept in step by view/overview_facts. */
#include "view/vm_overview.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/throttle.h"
#include "core/truths.h"
#include "view/overview_facts.h"
#include "view/overview_lines.h"
#include "view/overview_verdict.h"

enum { VM_OVERVIEW_MAGIC = 0x766d6f76 };

enum { COL_LINE, COL_COUNT, COL_MARK, COL_TEXT, COLS };

enum {
	LABEL_COLUMNS = 16,   /* "Under-replicated" */
	COUNT_MIN = 6,
	TEXT_MIN = 14,        /* "since 03:09:51" */
	TEXT_MAX = 400,
	TRUTH_COLUMNS = 52    /* kind and subject, where what disagrees stands beside it */
};

/* What throttles hang on. */
static const uint32_t throttle_bits = CHG_BROKERS | CHG_TOPICS | CHG_TOPIC | CHG_REASSIGN | CHG_DISKS | CHG_METADATA | CHG_CONN;

struct vm_overview {
	uint32_t magic;
	const struct cluster *cl;
	struct query qu;
	wall_ms now;
	bool is_built;
	int width;
	struct overview_sums sums;
	struct overview_dirs dirs;
	struct overview_throttles throttles;
	struct throttles_memo memo; /* without a list of disagreements to share one with */
	struct arena *text;   /* of the lines */
	const struct truths *truths;
	const struct deletions *deletions;
	struct overview_line *lines; /* those that are always there, then one a disagreement */
	size_t n_lines, cap_lines;
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_overview_columns[COLS] = {
	[COL_LINE] = { "", "line", .min = LABEL_COLUMNS, .max = LABEL_COLUMNS },
	[COL_COUNT] = { "", "count", .right = true, .min = COUNT_MIN, .max = COUNT_MIN },
	[COL_MARK] = { "", "mark", .min = 1, .max = 1, .need = 1 }, /* "!" on what is wrong: bold and colour are not the only sign */
	[COL_TEXT] = { "", "text", .min = TEXT_MIN, .max = TEXT_MAX, .grows = true },
};

/* ---- lines ------------------------------------------------------------------------ */

/* As plain text: words of the filter language are what one looks for here. */
static bool is_shown(const struct vm_overview *vm, const struct overview_line *li)
{
	if (!vm->qu.text[0])
		return true;
	return li->key[0] && str_casefind(arena_printf(vm->text, "%s %s %s", li->label, li->count, li->text), vm->qu.text);
}

static void push_line(struct vm_overview *vm, struct overview_line li)
{
	if (!is_shown(vm, &li))
		return;
	if (vm->n_lines == vm->cap_lines) {
		vm->cap_lines = vm->cap_lines ? 2 * vm->cap_lines : OVERVIEW_LINES_MAX;
		vm->lines = mem_realloc_array(vm->lines, vm->cap_lines, sizeof(*vm->lines));
	}
	vm->lines[vm->n_lines++] = li;
}

/* "03:09:51  poison  orphan replica: payments 3 on broker 2", and where there is room what disagrees. All is copied: the list may
 * change before the next update. */
static struct overview_line line_of_truth(const struct vm_overview *vm, const struct truth *t)
{
	uint8_t style = t->is_poison ? CELL_WRONG : CELL_NORMAL;
	char since[UNITS_TEXT_MAX];
	struct strbuf sb;
	const char *text;

	strbuf_init(&sb);
	strbuf_printf(&sb, "%s%s%s", truth_kind_name(t->kind), *t->subject ? ": " : "", t->subject);
	if (vm->width >= VM_OVERVIEW_WIDE) {
		strbuf_put(&sb, "  ");
		do
			strbuf_putc(&sb, ' ');
		while (utf8_columns(sb.s) < TRUTH_COLUMNS);
		strbuf_put(&sb, t->what);
	}
	text = arena_strdup(vm->text, sb.s);
	strbuf_fini(&sb);
	return (struct overview_line){
		.key = arena_printf(vm->text, "truth:%s", t->key), .count = t->is_poison ? "poison" : "", .text = text,
		.label = arena_printf(vm->text, "  %s%s", t->since_exact ? "" : "\xe2\x89\xa4", units_moment(since, t->since, vm->now)),
		.count_style = style, .text_style = style,
	};
}

static void make_lines(struct vm_overview *vm)
{
	const struct overview_look lo = { .cl = vm->cl, .sums = &vm->sums, .dirs = &vm->dirs, .throttles = &vm->throttles, .truths = vm->truths, .deletions = vm->deletions, .now = vm->now, .width = vm->width, .text = vm->text };
	struct overview_line all[OVERVIEW_LINES_MAX];
	size_t n;

	arena_clear(vm->text);
	n = overview_lines(&lo, all);
	vm->n_lines = 0;
	for (size_t i = 0; i < n; i++)
		push_line(vm, all[i]);
	for (size_t i = 0; vm->truths && i < truths_count(vm->truths); i++)
		push_line(vm, line_of_truth(vm, truths_at(vm->truths, i)));
	vm->tb.n_rows = vm->n_lines;
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct vm_overview *vm_overview_of(const struct table *tb)
{
	const struct vm_overview *vm = tb->vm;

	assert(vm->magic == VM_OVERVIEW_MAGIC);
	return vm;
}

static void vm_overview_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_overview *vm = vm_overview_of(tb);
	const struct overview_line *li = &vm->lines[i];

	(void)ar;
	row_put(out, COL_LINE, li->label, CELL_NORMAL);
	row_put(out, COL_COUNT, li->count, li->count_style);
	row_put(out, COL_MARK, li->count_style == CELL_WRONG || li->text_style == CELL_WRONG ? "!" : "", CELL_WRONG);
	row_put(out, COL_TEXT, li->text, li->text_style);
	if (cluster_is_stale(vm->cl) && vm->cl->loaded_once && !li->is_live)
		row_set_old(out);
}

static const char *vm_overview_key(const struct table *tb, size_t i)
{
	return vm_overview_of(tb)->lines[i].key;
}

static size_t vm_overview_find(const struct table *tb, const char *key)
{
	const struct vm_overview *vm = vm_overview_of(tb);
	size_t i = 0;

	while (i < vm->n_lines && (!*key || strcmp(vm->lines[i].key, key) != 0))
		i++;
	return i;
}

static void set_widths(struct vm_overview *vm)
{
	uint16_t topics = table_count_columns(vm->cl->n_topics), partitions = table_count_columns(vm->cl->n_partitions);
	/* And a "?" behind it while it may be larger. */
	uint16_t width = (uint16_t)((topics > partitions ? topics : partitions) + 1);

	vm->cols[COL_COUNT].min = vm->cols[COL_COUNT].max = width > COUNT_MIN ? width : COUNT_MIN;
}

static void set_title(struct vm_overview *vm)
{
	static const uint8_t styles[] = { [OVERVIEW_WELL] = CELL_NORMAL, [OVERVIEW_NOT_WELL] = CELL_WRONG, [OVERVIEW_NOT_KNOWN] = CELL_BUSY };

	vm->tb.title_style = styles[overview_verdict(vm->cl, &vm->dirs, vm->truths, vm->tb.title, sizeof(vm->tb.title))];
	str_printf(vm->tb.empty, sizeof(vm->tb.empty), "no line matches /%s/", vm->qu.text);
}

/* ---- life ---------------------------------------------------------------------------------- */

struct vm_overview *vm_overview_new(const struct cluster *cl)
{
	struct vm_overview *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_OVERVIEW_MAGIC;
	vm->cl = cl;
	vm->text = arena_new(0);
	vm->width = 80;
	query_init(&vm->qu);
	overview_sums_init(&vm->sums);
	overview_throttles_init(&vm->throttles);
	memcpy(vm->cols, vm_overview_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_overview_fill;
	vm->tb.key = vm_overview_key;
	vm->tb.find = vm_overview_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_overview_free(struct vm_overview **pp)
{
	struct vm_overview *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_OVERVIEW_MAGIC);
	vm->magic = 0;
	overview_sums_fini(&vm->sums);
	overview_throttles_fini(&vm->throttles);
	throttles_memo_fini(&vm->memo);
	arena_free(&vm->text);
	mem_free(&vm->lines);
	mem_free(pp);
}

void vm_overview_resize(struct vm_overview *vm, int width)
{
	vm->is_built &= vm->width == width;
	vm->width = width;
}

void vm_overview_take_truths(struct vm_overview *vm, const struct truths *tr)
{
	vm->truths = tr;
	vm->is_built = false;
}

void vm_overview_take_deletions(struct vm_overview *vm, const struct deletions *ds)
{
	vm->deletions = ds;
	vm->is_built = false;
}

bool vm_overview_update(struct vm_overview *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	bool is_touched = !vm->is_built || !ch || ch->bits || !query_equal(&vm->qu, qu);
	bool ticked = now.ms / 1000 != vm->now.ms / 1000;

	if (!vm->is_built || !ch || (ch->bits & throttle_bits))
		overview_throttles_look(&vm->throttles, vm->truths ? truths_throttles(vm->truths) : &vm->memo, vm->cl);
	vm->qu = *qu;
	vm->now = now;
	overview_sums_update(&vm->sums, vm->cl, ch);
	if (!is_touched && !ticked)
		return false;
	vm->is_built = true;
	vm->dirs = overview_dirs(vm->cl);
	make_lines(vm);
	set_widths(vm);
	set_title(vm);
	return true;
}

const struct table *vm_overview_table(const struct vm_overview *vm)
{
	return &vm->tb;
}
