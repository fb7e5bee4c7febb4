/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows are partition numbers, sorted again whenever the topic changed: a topic
 * is small beside the cluster. The lines above them come from view/topic_head.
 */
#include "view/vm_topic.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/health.h"
#include "view/disk_text.h"
#include "view/partition_text.h"
#include "view/topic_head.h"

enum { VM_TOPIC_MAGIC = 0x766d7463 };

enum {
	COL_PART, COL_LEADER, COL_REPLICAS, COL_ISR, COL_SINCE, COL_SIZE, COL_WHERE, COL_STATE,
	COL_LEADER_EPOCH, COL_CONTROLLER_EPOCH, COL_CHANGED, COLS
};

enum {
	LIST_WANTED = 28,     /* columns that a list of brokers gets before anything optional is shown */
	LIST_MAX = 120,
	MOVE_COLUMNS = 5,     /* ">", " 63%" of one replica that moves between dirs */
	NEVER = 200           /* need of a column that would be empty all the way down */
};

static const int64_t key_unknown = INT64_MAX;

struct prow {
	int32_t id;
	int64_t key;
	char name[12];
};

struct vm_topic {
	uint32_t magic;
	const struct cluster *cl;
	char *name;
	struct query qu;
	wall_ms now;
	bool is_built, was_there;
	int64_t czxid;             /* of the topic first met, 0 before */
	wall_ms gone_since, again_since;
	struct prow *rows;
	size_t n_rows, cap_rows, n_parts;
	size_t n_open;             /* partitions that the filter leaves undecided */
	struct topic_head head;
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_topic_columns[COLS] = {
	[COL_PART] = { "PART", "partition", .right = true, .min = 5, .max = 5 },
	[COL_LEADER] = { "LEADER", "leader", .right = true, .min = 6, .max = 6 },
	[COL_REPLICAS] = { "REPLICAS", "replicas", .min = 8, .max = 8, .grows = true },
	[COL_ISR] = { "ISR", "isr", .min = 3, .max = 3, .grows = true },
	[COL_SINCE] = { "UNDER SINCE", "under_since", .min = 11, .max = 11, .need = 1 },
	[COL_SIZE] = { "SIZE", "bytes", .right = true, .min = 8, .max = 8, .need = 2, .big_first = true },
	[COL_WHERE] = { "WHERE", "where", .min = 8, .max = 8, .need = 3, .grows = true },
	[COL_STATE] = { "STATE", "state", .min = 10, .max = 10, .need = 4 },
	[COL_LEADER_EPOCH] = { "EPOCH", "leader_epoch", .right = true, .min = 6, .max = 6, .need = 5, .big_first = true },
	[COL_CONTROLLER_EPOCH] = { "CTRL EPOCH", "controller_epoch", .right = true, .min = 10, .max = 10, .need = 7, .big_first = true },
	[COL_CHANGED] = { "CHANGED", "changed", .right = true, .min = 10, .max = 10, .need = 6 },
};

/* ---- state of a partition ------------------------------------------------------ */

/* Worst first; the words are those of topics. */
static enum topic_state partition_state(const struct partition *pt)
{
	if (pt->flags & PT_UNREADABLE)
		return TOPIC_UNREADABLE;
	if (pt->flags & PT_OFFLINE)
		return TOPIC_OFFLINE;
	if (pt->flags & PT_UNDER_MIN)
		return TOPIC_UNDER_MIN;
	if (pt->flags & PT_UNDER)
		return TOPIC_UNDER;
	if (pt->flags & PT_MOVING)
		return TOPIC_MOVING;
	return (pt->flags & PT_KNOWN) && !(pt->flags & PT_ALIVE_UNKNOWN) ? TOPIC_OK : TOPIC_UNKNOWN;
}

static enum cell_style partition_style(enum topic_state st)
{
	if (st == TOPIC_MOVING)
		return CELL_BUSY;
	if (st == TOPIC_UNKNOWN)
		return CELL_DIM;
	return st == TOPIC_OK ? CELL_NORMAL : CELL_WRONG;
}

/* ---- order --------------------------------------------------------------------- */

static int64_t key_of(const struct cluster *cl, const struct topic *tp, const struct partition *pt, int col)
{
	bool known = pt->flags & PT_KNOWN;
	int64_t size;

	switch (col) {
	case COL_LEADER:
		return known ? pt->leader : key_unknown;
	case COL_REPLICAS:
		return pt->n_replicas > 0 ? pt->ids[0] : key_unknown;
	case COL_ISR:
		return known ? pt->n_isr : key_unknown;
	case COL_SINCE:
		return pt->under_since.at.ms ? pt->under_since.at.ms : key_unknown;
	case COL_SIZE:
		size = partition_size(cl, tp, pt, NULL);
		return size >= 0 ? size : key_unknown;
	case COL_STATE:
		return partition_state(pt);
	case COL_LEADER_EPOCH:
		return known ? pt->leader_epoch : key_unknown;
	case COL_CONTROLLER_EPOCH:
		return known ? pt->controller_epoch : key_unknown;
	case COL_CHANGED:
		return pt->changed.ms ? -pt->changed.ms : key_unknown;
	default:
		return pt->id;
	}
}

static int prow_cmp(const void *a, const void *b)
{
	const struct prow *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static void vm_topic_sort(struct vm_topic *vm, const struct topic *tp)
{
	vm->n_rows = vm->n_open = 0;
	vm->n_parts = tp ? tp->n_parts : 0;
	if (vm->n_parts > vm->cap_rows) {
		vm->cap_rows = vm->n_parts;
		vm->rows = mem_realloc_array(vm->rows, vm->cap_rows, sizeof(*vm->rows));
	}
	for (size_t i = 0; i < vm->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];
		struct prow *pr = &vm->rows[vm->n_rows];

		enum verdict fits = query_partition(&vm->qu, pt);

		vm->n_open += fits == VERDICT_UNDECIDED;
		if (fits != VERDICT_YES)
			continue;
		pr->id = pt->id;
		pr->key = key_of(vm->cl, tp, pt, vm->qu.sort_col);
		if (pr->key != key_unknown && vm->qu.sort_desc && vm->qu.sort_col >= 0)
			pr->key = -pr->key;
		str_printf(pr->name, sizeof(pr->name), "%d", pt->id);
		vm->n_rows++;
	}
	if (vm->n_rows > 1)
		qsort(vm->rows, vm->n_rows, sizeof(*vm->rows), prow_cmp);
	vm->tb.n_rows = vm->n_rows;
}

/* ---- widths -------------------------------------------------------------------- */

static size_t digits_of(int32_t n)
{
	size_t digits = n < 0 ? 2 : 1;

	while (n >= 10 || n <= -10) {
		n /= 10;
		digits++;
	}
	return digits;
}

static uint16_t at_most(size_t n, size_t max)
{
	return (uint16_t)(n < max ? n : max);
}

/* Columns of the longest label of a broker's log dirs. */
static size_t label_columns(const struct cluster *cl, int32_t id, struct arena *ar)
{
	const struct broker *br = cluster_broker_find(cl, id);
	size_t most = 1;

	for (size_t i = 0; br && br->disks && i < br->disks->n_dirs; i++) {
		size_t columns = utf8_columns(disk_dir_label(br->disks, i, ar));

		most = columns > most ? columns : most;
	}
	return most;
}

/* Of the brokers asked for so far: they are few, replicas are many. */
struct labels {
	struct { int32_t broker; size_t columns; } *v;
	size_t n, cap;
};

static size_t labels_get(struct labels *la, const struct cluster *cl, int32_t id, struct arena *ar)
{
	for (size_t i = 0; i < la->n; i++)
		if (la->v[i].broker == id)
			return la->v[i].columns;
	if (la->n == la->cap) {
		la->cap = la->cap ? 2 * la->cap : 16;
		la->v = mem_realloc_array(la->v, la->cap, sizeof(*la->v));
	}
	la->v[la->n].broker = id;
	la->v[la->n].columns = label_columns(cl, id, ar);
	return la->v[la->n++].columns;
}

/* Wherever its replicas lie on their brokers, and with one of them moving. */
static void set_where_width(struct vm_topic *vm, const struct topic *tp)
{
	struct arena *ar = arena_new(0);
	struct column *co = &vm->cols[COL_WHERE];
	size_t widest = 8, most = 0;
	struct labels la = { NULL, 0, 0 };

	co->need = vm->cl->n_disks > 0 ? vm_topic_columns[COL_WHERE].need : NEVER;
	vm->cols[COL_SIZE].need = vm->cl->n_disks > 0 ? vm_topic_columns[COL_SIZE].need : NEVER;
	for (size_t i = 0; tp && i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];
		size_t columns = pt->n_replicas + (size_t)MOVE_COLUMNS;

		for (size_t r = 0; r < pt->n_replicas; r++) {
			size_t label = labels_get(&la, vm->cl, pt->ids[r], ar);

			most = label > most ? label : most;
			columns += digits_of(pt->ids[r]) + 1 + label;
		}
		widest = columns + most > widest ? columns + most : widest;
	}
	mem_free(&la.v);
	arena_free(&ar);
	co->max = at_most(widest, LIST_MAX);
	co->min = at_most(widest, LIST_WANTED);
}

/* Widths hang on the assignment alone, so that no state can move a column: each replica may get a mark. */
static void vm_topic_set_widths(struct vm_topic *vm, const struct topic *tp)
{
	size_t replicas = 8, isr = 3, leader = 6;
	struct column *cols = vm->cols;

	for (size_t i = 0; tp && i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];
		size_t digits = 0, blanks = pt->n_replicas > 0 ? pt->n_replicas - 1u : 0;

		for (size_t r = 0; r < pt->n_replicas; r++) {
			size_t d = digits_of(pt->ids[r]);

			digits += d;
			leader = d + 2 > leader ? d + 2 : leader;
		}
		if (digits + pt->n_replicas + blanks > replicas)
			replicas = digits + pt->n_replicas + blanks;
		isr = digits + blanks > isr ? digits + blanks : isr;
		/* Why a state can't be read stands in its place. */
		if (pt->flags & PT_UNREADABLE)
			isr = LIST_MAX;
	}
	cols[COL_LEADER].min = cols[COL_LEADER].max = at_most(leader, 13);
	cols[COL_REPLICAS].max = at_most(replicas, LIST_MAX);
	cols[COL_REPLICAS].min = at_most(replicas, LIST_WANTED);
	cols[COL_ISR].max = at_most(isr, LIST_MAX);
	cols[COL_ISR].min = at_most(isr, LIST_WANTED);
	set_where_width(vm, tp);
}

/* ---- cells --------------------------------------------------------------------- */

static void fill_replicas(const struct cluster *cl, const struct topic *tp, const struct partition *pt, struct row *ro, struct arena *ar)
{
	enum cell_style style = CELL_NORMAL;

	if (pt->flags & PT_UNDER)
		style = CELL_WRONG;
	else if (pt->flags & PT_MOVING)
		style = CELL_BUSY;
	if (pt->n_replicas == 0)
		row_put(ro, COL_REPLICAS, "none", CELL_WRONG);
	else
		row_put(ro, COL_REPLICAS, partition_replicas_text(cl, pt, ar), style);
}

static void fill_leader(const struct cluster *cl, const struct partition *pt, struct row *ro, struct arena *ar)
{
	const char *mark = pt->flags & PT_ALIVE_UNKNOWN ? "?" : pt->flags & PT_NOT_PREFERRED ? "*" : "";

	if (!(pt->flags & PT_KNOWN))
		row_unknown(ro, COL_LEADER);
	else if (pt->flags & PT_NO_LEADER)
		row_put(ro, COL_LEADER, "none", pt->flags & PT_OFFLINE ? CELL_WRONG : CELL_BUSY);
	else if (cluster_broker_alive(cl, pt->leader) == KNOW_ABSENT)
		row_put(ro, COL_LEADER, arena_printf(ar, "%d!", pt->leader), CELL_WRONG);
	else
		row_put(ro, COL_LEADER, arena_printf(ar, "%d%s", pt->leader, mark), CELL_NORMAL);
}

static void fill_isr(const struct partition *pt, struct row *ro, struct arena *ar)
{
	if (pt->flags & PT_UNREADABLE)
		row_put(ro, COL_ISR, arena_printf(ar, "unreadable: %s", why_text(pt->why)), CELL_WRONG);
	else if (!(pt->flags & PT_KNOWN))
		row_unknown(ro, COL_ISR);
	else if (pt->n_isr == 0)
		row_put(ro, COL_ISR, "-", CELL_WRONG);
	else
		row_put(ro, COL_ISR, partition_isr_text(pt, ar), pt->flags & PT_UNDER_MIN ? CELL_WRONG : CELL_NORMAL);
}

static void fill_size(const struct cluster *cl, const struct topic *tp, const struct partition *pt, struct row *ro, struct arena *ar)
{
	bool is_leader;
	int64_t size = partition_size(cl, tp, pt, &is_leader);

	if (size < 0)
		row_unknown(ro, COL_SIZE);
	else
		row_bytes_so_far(ro, COL_SIZE, size, is_leader, CELL_NORMAL, ar);
	row_put(ro, COL_WHERE, partition_where_text(cl, tp, pt, ar), CELL_NORMAL);
}

static void fill_number(struct row *ro, size_t col, const struct partition *pt, int32_t n, struct arena *ar)
{
	if (pt->state.know == KNOW_PRESENT)
		row_put(ro, col, arena_printf(ar, "%d", n), CELL_NORMAL);
	else if (pt->state.know == KNOW_ABSENT)
		row_absent(ro, col);
	else
		row_unknown(ro, col);
}

static void fill_wide(const struct partition *pt, wall_ms now, struct row *ro, struct arena *ar)
{
	enum topic_state st = partition_state(pt);
	char text[UNITS_TEXT_MAX];

	row_put(ro, COL_STATE, health_topic_word(st), partition_style(st));
	fill_number(ro, COL_LEADER_EPOCH, pt, pt->leader_epoch, ar);
	fill_number(ro, COL_CONTROLLER_EPOCH, pt, pt->controller_epoch, ar);
	if (pt->changed.ms)
		row_put(ro, COL_CHANGED, arena_strdup(ar, units_moment(text, pt->changed, now)), CELL_NORMAL);
	else
		fill_number(ro, COL_CHANGED, pt, 0, ar);
}

static const struct vm_topic *vm_topic_of(const struct table *tb)
{
	const struct vm_topic *vm = tb->vm;

	assert(vm->magic == VM_TOPIC_MAGIC);
	return vm;
}

static void vm_topic_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_topic *vm = vm_topic_of(tb);
	const struct topic *tp = cluster_topic_find(vm->cl, vm->name);
	const struct partition *pt = tp ? topic_partition_find(tp, vm->rows[i].id) : NULL;

	row_put(out, COL_PART, vm->rows[i].name, CELL_NORMAL);
	if (!pt)
		return; /* gone since the update */
	fill_leader(vm->cl, pt, out, ar);
	fill_replicas(vm->cl, tp, pt, out, ar);
	fill_isr(pt, out, ar);
	partition_fill_since(pt, vm->now, out, COL_SINCE, ar);
	fill_size(vm->cl, tp, pt, out, ar);
	fill_wide(pt, vm->now, out, ar);
	if (pt->flags & PT_OFFLINE)
		out->style = CELL_WRONG;
	else if (pt->state.source == SOURCE_BROKERS)
		out->style = CELL_DIM;
	if (fact_is_old(vm->cl, &pt->state))
		row_set_old(out);
}

static const char *vm_topic_row_key(const struct table *tb, size_t i)
{
	return vm_topic_of(tb)->rows[i].name;
}

static size_t vm_topic_find(const struct table *tb, const char *key)
{
	const struct vm_topic *vm = vm_topic_of(tb);
	size_t i = 0;

	while (i < vm->n_rows && strcmp(vm->rows[i].name, key) != 0)
		i++;
	return i;
}

/* ---- titles -------------------------------------------------------------------- */

static void vm_topic_set_title(struct vm_topic *vm, const struct topic *tp)
{
	struct table *tb = &vm->tb;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], when[UNITS_TEXT_MAX], open[QUERY_OPEN_MAX];
	const char *some = vm->n_parts == 1 ? "" : "s";

	units_count(b, (int64_t)vm->n_parts);
	query_open_text(open, vm->n_open);
	if (!tp)
		str_printf(tb->title, sizeof(tb->title), "%s", vm->gone_since.ms ? "gone" : "not there");
	else if (vm->qu.n_words > 0)
		str_printf(tb->title, sizeof(tb->title), "%s of %s partition%s%s", units_count(a, (int64_t)vm->n_rows), b, some, open);
	else
		str_printf(tb->title, sizeof(tb->title), "%s partition%s", b, some);
	if (!tp && vm->gone_since.ms)
		str_printf(tb->empty, sizeof(tb->empty), "the topic is gone since %s", units_moment(when, vm->gone_since, vm->now));
	else if (!tp)
		str_printf(tb->empty, sizeof(tb->empty), "%s", vm->cl->topics_fact.know == KNOW_UNKNOWN ?
			   "the list of topics has not been read yet" : "the cluster has no topic of this name");
	else if (vm->n_parts > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s partition%s, none match%s /%s/%s", b, some, vm->n_parts == 1 ? "es" : "", vm->qu.text, open);
	else if (tp->node.know == KNOW_UNREADABLE)
		str_printf(tb->empty, sizeof(tb->empty), "the topic's node can't be read: %s", why_text(tp->why));
	else if (tp->node.know == KNOW_UNKNOWN)
		str_printf(tb->empty, sizeof(tb->empty), "the topic has not been read yet");
	else
		str_printf(tb->empty, sizeof(tb->empty), "the topic has no partitions");
}

/* ---- life ---------------------------------------------------------------------- */

struct vm_topic *vm_topic_new(const struct cluster *cl, const char *name)
{
	struct vm_topic *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_TOPIC_MAGIC;
	vm->cl = cl;
	vm->name = mem_strdup(name);
	topic_head_init(&vm->head);
	query_init(&vm->qu);
	memcpy(vm->cols, vm_topic_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_topic_fill;
	vm->tb.key = vm_topic_row_key;
	vm->tb.find = vm_topic_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_topic_free(struct vm_topic **pp)
{
	struct vm_topic *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_TOPIC_MAGIC);
	vm->magic = 0;
	topic_head_fini(&vm->head);
	mem_free(&vm->rows);
	mem_free(&vm->name);
	mem_free(pp);
}

/* Whether the topic opened is still the one, by the id that ZooKeeper gave its node. */
static void vm_topic_follow(struct vm_topic *vm, const struct topic *tp)
{
	if (!tp && vm->was_there && vm->gone_since.ms == 0)
		vm->gone_since = vm->now;
	if (!tp)
		return;
	vm->was_there = true;
	vm->gone_since = (wall_ms){ 0 };
	if (vm->czxid != 0 && tp->czxid != 0 && tp->czxid != vm->czxid)
		vm->again_since = tp->created.ms ? tp->created : vm->now;
	if (tp->czxid != 0)
		vm->czxid = tp->czxid;
}

static bool vm_topic_is_touched(const struct changes *ch, const struct topic *tp)
{
	if (!ch || (ch->bits & (CHG_TOPICS | CHG_BROKERS | CHG_DISKS)))
		return true;
	for (size_t i = 0; i < ch->n_topics; i++)
		if (ch->topics[i] == tp)
			return true;
	return false;
}

bool vm_topic_update(struct vm_topic *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	const struct topic *tp = cluster_topic_find(vm->cl, vm->name);
	bool is_touched = !vm->is_built || vm_topic_is_touched(ch, tp) || !query_equal(&vm->qu, qu);
	bool ticked = now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	vm->is_built = true;
	if (is_touched) {
		vm_topic_follow(vm, tp);
		vm_topic_sort(vm, tp);
		vm_topic_set_widths(vm, tp);
		table_set_sort(&vm->tb, &vm->qu, "by partition", COL_PART, "partition");
	}
	if (is_touched || ticked) {
		topic_head_set(&vm->head, vm->cl, tp, vm->name, vm->gone_since, vm->again_since, now);
		vm_topic_set_title(vm, tp);
	}
	return is_touched || ticked;
}

const struct table *vm_topic_table(const struct vm_topic *vm)
{
	return &vm->tb;
}

size_t vm_topic_head(const struct vm_topic *vm, struct cell lines[VM_HEAD_LINES_MAX])
{
	memcpy(lines, vm->head.lines, vm->head.n * sizeof(*lines));
	return vm->head.n;
}
