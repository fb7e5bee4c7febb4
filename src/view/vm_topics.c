/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries stand in the cluster's own order, by name, one a topic; an index into
 * them is also the topic's index in cluster.topics while topics_gen stays. Rows
 * are indexes, ordered by (key, index): the name need never be compared once the
 * list stands, and "ties by name" comes for nothing.
 *
 * A changed topic costs a search by name, one for its old row, one for its new row, and two
 * memmoves. A changed list or query sorts again.
 */
#include "view/vm_topics.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/health.h"
#include "view/topic_facts.h"

enum { VM_TOPICS_MAGIC = 0x766d7473 };

enum {
	COL_TOPIC, COL_PARTS, COL_RF, COL_STATE, COL_URP, COL_OFFL, COL_AGE,
	COL_ISR, COL_LEADERS, COL_OVERRIDES, COL_ID, COL_CHANGED, COLS
};

/* A list this long at least gets the room it wants before any wide column is shown. */
enum { NAME_MIN = 8, NAME_WANTED = 42, NAME_MAX = 256 };

/* Beyond this share of changed topics sorting again is the cheaper way. */
enum { REBUILD_SHARE = 8 };

static const int64_t key_unknown = INT64_MAX; /* last, whichever the direction */

struct entry {
	const char *name;  /* own copy: survives the topic until the next update */
	int64_t key;       /* as sorted: negated when descending */
	bool is_shown;
};

struct vm_topics {
	uint32_t magic;
	const struct cluster *cl;
	struct query qu;
	wall_ms now;
	uint64_t gen;
	bool is_built;
	struct arena *names;
	struct entry *entries;
	size_t n_entries;
	uint32_t *rows;       /* indexes of entries that are shown */
	size_t n_rows;
	size_t max_parts;     /* of any topic of this list, seen so far */
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_topics_columns[COLS] = {
	[COL_TOPIC] = { "TOPIC", "topic", .min = NAME_MIN, .max = NAME_MIN, .grows = true },
	[COL_PARTS] = { "PARTS", "partitions", .right = true, .min = 5, .max = 5, .need = 2, .big_first = true },
	[COL_RF] = { "RF", "replication_factor", .right = true, .min = 3, .max = 3, .need = 3 },
	[COL_STATE] = { "STATE", "state", .min = 10, .max = 10 },
	[COL_URP] = { "URP", "under_replicated", .right = true, .min = 4, .max = 4, .big_first = true },
	[COL_OFFL] = { "OFFL", "offline", .right = true, .min = 4, .max = 4, .need = 1, .big_first = true },
	[COL_AGE] = { "AGE", "age", .right = true, .min = 4, .max = 4, .need = 4, .big_first = true },
	[COL_ISR] = { "WORST ISR", "worst_isr", .right = true, .min = 9, .max = 9, .need = 5 },
	[COL_LEADERS] = { "LEADERS", "leaders", .right = true, .min = 11, .max = 11, .need = 6 },
	[COL_OVERRIDES] = { "OVERR", "overrides", .right = true, .min = 5, .max = 5, .need = 7, .big_first = true },
	[COL_ID] = { "TOPIC ID", "topic_id", .min = 22, .max = 22, .need = 8 },
	[COL_CHANGED] = { "CHANGED", "changed", .right = true, .min = 7, .max = 7, .need = 9 },
};

/* ---- sort keys --------------------------------------------------------------- */

/* The first bytes of a text as a number that sorts like them. */
static int64_t key_of_text(const char *s)
{
	uint64_t key = 0;

	for (size_t i = 0; i < sizeof(key); i++) {
		key = key << 8 | (unsigned char)*s;
		s += *s != '\0';
	}
	return (int64_t)(key >> 1);
}

static int64_t key_of_count(const struct topic *tp, unsigned flag)
{
	uint32_t n = topic_count(&tp->counts, flag);

	return n > 0 || topic_is_whole(tp) ? (int64_t)n : key_unknown;
}

/* Worst first; unknown as ok, so that rows stay while details come in. */
static int64_t key_of_state(const struct topic *tp)
{
	enum topic_state st = health_topic(tp);

	return st == TOPIC_UNKNOWN ? TOPIC_OK : st;
}

static int64_t key_of_isr(const struct topic *tp)
{
	const struct partition *pt = topic_worst(tp);

	return pt ? (int64_t)pt->n_isr * (REPLICAS_MAX + 1) - partition_rf(pt) : key_unknown;
}

/* The older, the larger. */
static int64_t key_of_age(wall_ms at)
{
	return at.ms ? -at.ms : key_unknown;
}

static int64_t key_of(const struct topic *tp, int col, size_t index)
{
	switch (col) {
	case COL_TOPIC:
		return (int64_t)index;
	case COL_PARTS:
		return topic_is_read(tp) ? (int64_t)tp->n_parts : key_unknown;
	case COL_RF:
		return topic_is_read(tp) && tp->rf >= 0 ? tp->rf : key_unknown;
	case COL_URP:
		return key_of_count(tp, PT_UNDER);
	case COL_OFFL:
		return key_of_count(tp, PT_OFFLINE);
	case COL_AGE:
		return key_of_age(tp->created);
	case COL_ISR:
		return key_of_isr(tp);
	case COL_LEADERS:
		return topic_count(&tp->counts, PT_KNOWN) > 0 ? (int64_t)topic_leaders(tp) : key_unknown;
	case COL_OVERRIDES:
		return tp->config_fact.know == KNOW_PRESENT ? (int64_t)tp->config.n :
		       tp->config_fact.know == KNOW_ABSENT ? 0 : key_unknown;
	case COL_ID:
		return tp->topic_id ? key_of_text(tp->topic_id) : key_unknown;
	case COL_CHANGED:
		return key_of_age(tp->last_change);
	default:
		return key_of_state(tp);
	}
}

static int64_t vm_topics_key(const struct vm_topics *vm, const struct topic *tp, size_t index)
{
	int64_t key = key_of(tp, vm->qu.sort_col, index);

	if (key == key_unknown)
		return key;
	/* The view's own order has one direction. */
	return vm->qu.sort_desc && vm->qu.sort_col >= 0 ? -key : key;
}

/* ---- rows -------------------------------------------------------------------- */

/* First row that stands at or after (key, index). */
static size_t vm_topics_place(const struct vm_topics *vm, int64_t key, uint32_t index)
{
	size_t low = 0, high = vm->n_rows;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		uint32_t at = vm->rows[mid];
		int64_t there = vm->entries[at].key;

		if (there < key || (there == key && at < index))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void vm_topics_insert(struct vm_topics *vm, uint32_t index)
{
	size_t at = vm_topics_place(vm, vm->entries[index].key, index);

	memmove(vm->rows + at + 1, vm->rows + at, (vm->n_rows - at) * sizeof(*vm->rows));
	vm->rows[at] = index;
	vm->n_rows++;
}

static void vm_topics_remove(struct vm_topics *vm, uint32_t index)
{
	size_t at = vm_topics_place(vm, vm->entries[index].key, index);

	assert(at < vm->n_rows && vm->rows[at] == index);
	vm->n_rows--;
	memmove(vm->rows + at, vm->rows + at + 1, (vm->n_rows - at) * sizeof(*vm->rows));
}

/* Index of the entry of that name, n_entries when there is none. */
static size_t vm_topics_entry(const struct vm_topics *vm, const char *name)
{
	size_t low = 0, high = vm->n_entries;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int cmp = topic_name_cmp(vm->entries[mid].name, name);

		if (cmp == 0)
			return mid;
		if (cmp < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return vm->n_entries;
}

static void vm_topics_note_parts(struct vm_topics *vm, const struct topic *tp)
{
	if (tp->n_parts > vm->max_parts)
		vm->max_parts = tp->n_parts;
}

static void vm_topics_change(struct vm_topics *vm, const struct topic *tp)
{
	size_t index = vm_topics_entry(vm, tp->name);
	struct entry *en = &vm->entries[index];
	int64_t key;
	bool is_shown;

	if (index == vm->n_entries)
		return;
	vm_topics_note_parts(vm, tp);
	key = vm_topics_key(vm, tp, index);
	is_shown = query_topic(&vm->qu, tp);
	if (is_shown == en->is_shown && key == en->key)
		return;
	if (en->is_shown)
		vm_topics_remove(vm, (uint32_t)index);
	en->key = key;
	en->is_shown = is_shown;
	if (is_shown)
		vm_topics_insert(vm, (uint32_t)index);
}

struct sort_row {
	int64_t key;
	uint32_t index;
};

static int sort_row_cmp(const void *a, const void *b)
{
	const struct sort_row *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Keys, filter and order of all topics. */
static void vm_topics_sort(struct vm_topics *vm)
{
	struct sort_row *sorted = mem_array(vm->n_entries + 1, sizeof(*sorted));
	bool in_order = true;

	vm->n_rows = 0;
	for (size_t i = 0; i < vm->n_entries; i++) {
		const struct topic *tp = vm->cl->topics[i];
		struct entry *en = &vm->entries[i];
		struct sort_row *sr = &sorted[vm->n_rows];

		vm_topics_note_parts(vm, tp);
		en->key = vm_topics_key(vm, tp, i);
		en->is_shown = query_topic(&vm->qu, tp);
		if (!en->is_shown)
			continue;
		*sr = (struct sort_row){ en->key, (uint32_t)i };
		in_order &= vm->n_rows == 0 || sr[-1].key <= sr->key;
		vm->n_rows++;
	}
	if (!in_order)
		qsort(sorted, vm->n_rows, sizeof(*sorted), sort_row_cmp);
	for (size_t i = 0; i < vm->n_rows; i++)
		vm->rows[i] = sorted[i].index;
	mem_free(&sorted);
}

/* The list of names anew, and the widths that hang on it. */
static void vm_topics_load(struct vm_topics *vm)
{
	size_t n = vm->cl->n_topics, longest = NAME_MIN;
	struct column *co = &vm->cols[COL_TOPIC];

	assert(n < UINT32_MAX);
	arena_clear(vm->names);
	mem_free(&vm->entries);
	mem_free(&vm->rows);
	vm->entries = mem_array(n + 1, sizeof(*vm->entries));
	vm->rows = mem_array(n + 1, sizeof(*vm->rows));
	vm->n_entries = n;
	vm->gen = vm->cl->topics_gen;
	vm->max_parts = 0;
	for (size_t i = 0; i < n; i++) {
		const char *name = vm->cl->topics[i]->name;
		size_t bytes = strlen(name), columns;

		vm->entries[i].name = arena_strndup(vm->names, name, bytes);
		/* A byte takes at most four columns (an invalid one): most names need no measuring. */
		columns = 4 * bytes > longest ? utf8_columnsn(name, bytes) : 0;
		longest = columns > longest ? columns : longest;
	}
	co->max = (uint16_t)(longest < NAME_MAX ? longest : NAME_MAX);
	co->min = co->max < NAME_WANTED ? co->max : NAME_WANTED;
}

static void vm_topics_set_widths(struct vm_topics *vm)
{
	uint16_t digits = table_count_columns(vm->max_parts);
	struct column *parts = &vm->cols[COL_PARTS];
	/* A count of partitions, and a "?" behind it while it may be larger. */
	uint16_t count = digits + 1 > 4 ? (uint16_t)(digits + 1) : 4;

	parts->min = parts->max = digits > 5 ? digits : 5;
	vm->cols[COL_URP].min = vm->cols[COL_URP].max = count;
	vm->cols[COL_OFFL].min = vm->cols[COL_OFFL].max = count;
}

/* ---- title ------------------------------------------------------------------- */

static void title_put(struct table *tb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void title_put(struct table *tb, const char *fmt, ...)
{
	size_t len = strlen(tb->title);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(tb->title + len, sizeof(tb->title) - len, fmt, ap);
	va_end(ap);
}

/* What ails the cluster's partitions, as ": 1 offline, 2 under-min, 96 under". */
static void title_put_ailments(struct table *tb, const struct cluster *cl)
{
	static const struct { unsigned flag; const char *word; } ailments[] = {
		{ PT_OFFLINE, "offline" }, { PT_UNDER_MIN, "under-min" }, { PT_UNDER, "under" },
		{ PT_UNREADABLE, "unreadable" },
	};
	char count[UNITS_TEXT_MAX];
	const char *before = ": ";

	for (size_t i = 0; i < sizeof(ailments) / sizeof(ailments[0]); i++) {
		uint32_t n = topic_count(&cl->totals, ailments[i].flag);

		if (n == 0)
			continue;
		title_put(tb, "%s%s %s", before, units_count(count, n), ailments[i].word);
		before = ", ";
	}
	if (before[0] == ':' && cl->n_partitions > 0 && topic_count(&cl->totals, PT_KNOWN) == cl->n_partitions)
		title_put(tb, ": all in sync");
}

static void vm_topics_set_title(struct vm_topics *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	tb->title[0] = '\0';
	tb->title_style = CELL_NORMAL;
	if (cl->topics_fact.know == KNOW_UNKNOWN && vm->n_entries == 0) {
		title_put(tb, "topics: not read yet");
		return;
	}
	if (vm->qu.n_words > 0)
		title_put(tb, "%s of ", units_count(a, (int64_t)vm->n_rows));
	title_put(tb, "%s topic%s%s %s partition%s", units_count(a, (int64_t)vm->n_entries), vm->n_entries == 1 ? "" : "s",
		  vm->qu.n_words > 0 ? "; all" : ",", units_count(b, (int64_t)cl->n_partitions), cl->n_partitions == 1 ? "" : "s");
	title_put_ailments(tb, cl);
	if (!cl->loaded && cl->load_total > 0)
		title_put(tb, "; reading %s of %s", units_count(a, cl->load_done), units_count(b, cl->load_total));
	if (topic_count(&cl->totals, PT_OFFLINE) > 0)
		tb->title_style = CELL_WRONG;
}

static void vm_topics_set_empty(struct vm_topics *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;
	char count[UNITS_TEXT_MAX];

	if (cl->root.know == KNOW_ABSENT)
		str_printf(tb->empty, sizeof(tb->empty),
			   "%s does not exist on this ensemble: is the chroot right? It stands once, at the end: zk1:2181,zk2:2181/kafka",
			   cl->root_missing ? cl->root_missing : "/");
	else if (vm->n_entries > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s topic%s, none match%s /%s/",
			   units_count(count, (int64_t)vm->n_entries), vm->n_entries == 1 ? "" : "s",
			   vm->n_entries == 1 ? "es" : "", vm->qu.text);
	else if (cl->topics_fact.know == KNOW_UNREADABLE)
		str_printf(tb->empty, sizeof(tb->empty), "/brokers/topics can't be read: %s",
			   cl->topics_why ? cl->topics_why : "no reason given");
	else if (cl->topics_fact.know == KNOW_ABSENT)
		str_printf(tb->empty, sizeof(tb->empty), "there is no /brokers/topics here: not the root of a Kafka cluster");
	else if (cl->topics_fact.know == KNOW_UNKNOWN)
		str_printf(tb->empty, sizeof(tb->empty), "the list of topics has not been read yet");
	else
		str_printf(tb->empty, sizeof(tb->empty), "the cluster has no topics");
}

static void vm_topics_set_sort(struct vm_topics *vm)
{
	struct table *tb = &vm->tb;
	int col = vm->qu.sort_col;

	if (col < 0 || col >= COLS) {
		tb->sort_col = -1;
		tb->sort_desc = false;
		str_printf(tb->sort_text, sizeof(tb->sort_text), "worst, then name");
		return;
	}
	tb->sort_col = col;
	tb->sort_desc = vm->qu.sort_desc;
	str_printf(tb->sort_text, sizeof(tb->sort_text), "by %s%s%s", vm->cols[col].title,
		   vm->qu.sort_desc != vm->cols[col].big_first ? " reversed" : "", col == COL_TOPIC ? "" : ", then name");
}

/* ---- cells ------------------------------------------------------------------- */

static enum cell_style state_style(enum topic_state st)
{
	switch (st) {
	case TOPIC_OFFLINE:
	case TOPIC_UNDER_MIN:
	case TOPIC_UNDER:
	case TOPIC_UNREADABLE:
		return CELL_WRONG;
	case TOPIC_DELETING:
	case TOPIC_MOVING:
		return CELL_BUSY;
	case TOPIC_UNKNOWN:
		return CELL_DIM;
	case TOPIC_OK:
		break;
	}
	return CELL_NORMAL;
}

static void fill_age(struct row *ro, size_t col, wall_ms at, wall_ms now, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	if (at.ms == 0)
		row_unknown(ro, col);
	else
		row_put(ro, col, arena_strdup(ar, units_age(text, now.ms - at.ms)), CELL_NORMAL);
}

static void fill_rf(struct row *ro, const struct topic *tp, struct arena *ar)
{
	int32_t low, high;

	if (!topic_is_read(tp) || tp->rf < 0) {
		row_unknown(ro, COL_RF);
		return;
	}
	topic_rf_range(tp, &low, &high);
	if (low == high)
		row_put(ro, COL_RF, arena_printf(ar, "%d", low), CELL_NORMAL);
	else
		row_put(ro, COL_RF, arena_printf(ar, "%d-%d", low, high), CELL_NORMAL);
}

/* A count that may still grow has a "?" behind it. */
static void fill_count(struct row *ro, size_t col, const struct topic *tp, unsigned flag, struct arena *ar)
{
	uint32_t n = topic_count(&tp->counts, flag);

	if (topic_is_whole(tp)) {
		row_count(ro, col, n, CELL_WRONG, ar);
	} else if (n > 0) {
		char text[UNITS_TEXT_MAX];

		row_put(ro, col, arena_printf(ar, "%s?", units_count(text, n)), CELL_WRONG);
	} else {
		row_unknown(ro, col);
	}
}

static void fill_wide(struct row *ro, const struct topic *tp, wall_ms now, struct arena *ar)
{
	const struct partition *worst = topic_worst(tp);

	if (worst) {
		size_t leaders = topic_leaders(tp);

		row_put(ro, COL_ISR, arena_printf(ar, "%d/%d", worst->n_isr, partition_rf(worst)),
			worst->n_isr < partition_rf(worst) ? CELL_WRONG : CELL_NORMAL);
		row_put(ro, COL_LEADERS, arena_printf(ar, "%zu broker%s", leaders, leaders == 1 ? "" : "s"), CELL_NORMAL);
	} else {
		row_unknown(ro, COL_ISR);
		row_unknown(ro, COL_LEADERS);
	}
	if (tp->config_fact.know == KNOW_PRESENT || tp->config_fact.know == KNOW_ABSENT)
		row_count(ro, COL_OVERRIDES, (int64_t)tp->config.n, CELL_NORMAL, ar);
	else
		row_unknown(ro, COL_OVERRIDES);
	if (tp->topic_id)
		row_put(ro, COL_ID, tp->topic_id, CELL_NORMAL);
	else if (topic_is_read(tp))
		row_absent(ro, COL_ID);
	else
		row_unknown(ro, COL_ID);
	fill_age(ro, COL_CHANGED, tp->last_change, now, ar);
}

static const struct vm_topics *vm_topics_of(const struct table *tb)
{
	const struct vm_topics *vm = tb->vm;

	assert(vm->magic == VM_TOPICS_MAGIC);
	return vm;
}

static void vm_topics_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_topics *vm = vm_topics_of(tb);
	const struct entry *en = &vm->entries[vm->rows[i]];
	const struct topic *tp = cluster_topic_find(vm->cl, en->name);
	enum topic_state st;

	row_put(out, COL_TOPIC, en->name, CELL_NORMAL);
	if (!tp)
		return; /* gone since the update */
	st = health_topic(tp);
	if (topic_is_read(tp))
		row_count(out, COL_PARTS, (int64_t)tp->n_parts, CELL_NORMAL, ar);
	else
		row_unknown(out, COL_PARTS);
	fill_rf(out, tp, ar);
	row_put(out, COL_STATE, health_topic_word(st), state_style(st));
	fill_count(out, COL_URP, tp, PT_UNDER, ar);
	fill_count(out, COL_OFFL, tp, PT_OFFLINE, ar);
	fill_age(out, COL_AGE, tp->created, vm->now, ar);
	fill_wide(out, tp, vm->now, ar);
	if (topic_is_old(vm->cl, tp))
		row_set_old(out);
}

static const char *vm_topics_row_key(const struct table *tb, size_t i)
{
	const struct vm_topics *vm = vm_topics_of(tb);

	return vm->entries[vm->rows[i]].name;
}

static size_t vm_topics_find(const struct table *tb, const char *key)
{
	const struct vm_topics *vm = vm_topics_of(tb);
	size_t index = vm_topics_entry(vm, key);

	if (index == vm->n_entries || !vm->entries[index].is_shown)
		return vm->n_rows;
	return vm_topics_place(vm, vm->entries[index].key, (uint32_t)index);
}

/* ---- life -------------------------------------------------------------------- */

struct vm_topics *vm_topics_new(const struct cluster *cl)
{
	struct vm_topics *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_TOPICS_MAGIC;
	vm->cl = cl;
	query_init(&vm->qu);
	vm->names = arena_new(0);
	memcpy(vm->cols, vm_topics_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_topics_fill;
	vm->tb.key = vm_topics_row_key;
	vm->tb.find = vm_topics_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_topics_free(struct vm_topics **pp)
{
	struct vm_topics *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_TOPICS_MAGIC);
	vm->magic = 0;
	arena_free(&vm->names);
	mem_free(&vm->entries);
	mem_free(&vm->rows);
	mem_free(pp);
}

bool vm_topics_update(struct vm_topics *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	bool is_new_list = !vm->is_built || !ch || vm->gen != vm->cl->topics_gen || vm->n_entries != vm->cl->n_topics;
	bool is_new_query = !query_equal(&vm->qu, qu);
	bool ticked = now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	if (is_new_list)
		vm_topics_load(vm);
	if (is_new_list || is_new_query || ch->n_topics > vm->n_entries / REBUILD_SHARE)
		vm_topics_sort(vm);
	else
		for (size_t i = 0; i < ch->n_topics; i++)
			vm_topics_change(vm, ch->topics[i]);
	vm->is_built = true;
	vm->tb.n_rows = vm->n_rows;
	vm_topics_set_widths(vm);
	vm_topics_set_title(vm);
	vm_topics_set_empty(vm);
	vm_topics_set_sort(vm);
	return is_new_list || is_new_query || ticked || ch->bits != 0;
}

const struct table *vm_topics_table(const struct vm_topics *vm)
{
	return &vm->tb;
}
