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
#include "core/choice.h"
#include "core/health.h"
#include "view/broker_facts.h"
#include "view/topic_facts.h"
#include "view/topic_row.h"

enum { VM_TOPICS_MAGIC = 0x766d7473 };

/* A list this long at least gets the room it wants before any wide column is shown. */
enum { NAME_WANTED = 42, NAME_MAX = 256 };

/* Beyond this share of changed topics sorting again is the cheaper way. */
enum { REBUILD_SHARE = 8 };

struct entry {
	const char *name;  /* own copy: survives the topic until the next update */
	int64_t key;       /* as sorted: negated when descending */
	uint8_t fits;      /* enum verdict of the query: shown if VERDICT_YES */
};

struct vm_topics {
	uint32_t magic;
	const struct cluster *cl;
	const struct choice *marks;
	struct query qu;
	wall_ms now;
	uint64_t gen;
	bool is_built;
	struct arena *names;
	struct entry *entries;
	size_t n_entries;
	uint32_t *rows;       /* indexes of entries that are shown */
	size_t n_rows, n_open; /* shown; undecided */
	size_t max_parts;     /* of any topic of this list, seen so far */
	struct column cols[TOPIC_COLS];
	struct table tb;
};

static int64_t vm_topics_key(const struct vm_topics *vm, const struct topic *tp, size_t index)
{
	int64_t key = topic_row_key(tp, vm->qu.sort_col, index);

	if (key == TOPIC_ROW_UNKNOWN)
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

static const char *vm_topics_name_at(const void *list, size_t i)
{
	const struct vm_topics *vm = list;

	return vm->entries[i].name;
}

/* Index of the entry of that name, n_entries when there is none. */
static size_t vm_topics_entry(const struct vm_topics *vm, const char *name)
{
	bool is_there;
	size_t at = names_place(vm, vm->n_entries, vm_topics_name_at, name, &is_there);

	return is_there ? at : vm->n_entries;
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
	enum verdict fits;

	if (index == vm->n_entries)
		return;
	vm_topics_note_parts(vm, tp);
	key = vm_topics_key(vm, tp, index);
	fits = query_topic(&vm->qu, tp);
	if (fits == en->fits && key == en->key)
		return;
	if (en->fits == VERDICT_YES)
		vm_topics_remove(vm, (uint32_t)index);
	vm->n_open -= en->fits == VERDICT_UNDECIDED;
	vm->n_open += fits == VERDICT_UNDECIDED;
	en->key = key;
	en->fits = (uint8_t)fits;
	if (fits == VERDICT_YES)
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

	vm->n_rows = vm->n_open = 0;
	for (size_t i = 0; i < vm->n_entries; i++) {
		const struct topic *tp = vm->cl->topics[i];
		struct entry *en = &vm->entries[i];
		struct sort_row *sr = &sorted[vm->n_rows];

		vm_topics_note_parts(vm, tp);
		en->key = vm_topics_key(vm, tp, i);
		en->fits = (uint8_t)query_topic(&vm->qu, tp);
		vm->n_open += en->fits == VERDICT_UNDECIDED;
		if (en->fits != VERDICT_YES)
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
	size_t n = vm->cl->n_topics, longest = TOPIC_NAME_MIN;
	struct column *co = &vm->cols[TOPIC_COL_TOPIC];

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
	struct column *parts = &vm->cols[TOPIC_COL_PARTS];
	/* A count of partitions, and a "?" behind it while it may be larger. */
	uint16_t count = digits + 1 > 4 ? (uint16_t)(digits + 1) : 4;

	parts->min = parts->max = digits > 5 ? digits : 5;
	vm->cols[TOPIC_COL_URP].min = vm->cols[TOPIC_COL_URP].max = count;
	vm->cols[TOPIC_COL_OFFL].min = vm->cols[TOPIC_COL_OFFL].max = count;
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

/* What ails the cluster's partitions, worst first: "2 partitions offline, 18 under-min, 214 under". True if anything does. */
static bool title_put_ailments(struct table *tb, const struct cluster *cl, const char *scope)
{
	static const struct { unsigned flag; const char *word; } ailments[] = {
		{ PT_OFFLINE, "offline" }, { PT_UNDER_MIN, "under-min" }, { PT_UNDER, "under" },
		{ PT_UNREADABLE, "unreadable" },
	};
	char count[UNITS_TEXT_MAX];
	const char *before = "";

	for (size_t i = 0; i < sizeof(ailments) / sizeof(ailments[0]); i++) {
		uint32_t n = topic_count(&cl->totals, ailments[i].flag);
		const char *unit = *before ? "" : n == 1 ? " partition" : " partitions";

		if (n == 0)
			continue;
		title_put(tb, "%s%s%s %s", *before ? before : scope, units_count(count, n), unit, ailments[i].word);
		before = ", ";
	}
	return *before;
}

/* "; broker 7 down since 03:09:51": the first that went, and how many more. */
static bool title_put_down(struct table *tb, const struct cluster *cl, wall_ms now, const char *before)
{
	const struct broker *first = NULL;
	struct since since = { 0 };
	char when[UNITS_TEXT_MAX];
	size_t n = 0;

	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];

		if (cluster_broker_alive(cl, br->id) != KNOW_ABSENT)
			continue;
		n++;
		if (first && (!br->since_exact || (since.exact && since.at.ms <= br->since.ms)))
			continue;
		first = br;
		since = broker_since(cl, br);
	}
	if (!first)
		return false;
	title_put(tb, "%sbroker %d", before, first->id);
	if (n > 1)
		title_put(tb, " and %zu more", n - 1);
	title_put(tb, " down");
	if (since.at.ms)
		title_put(tb, " since %s%s", since.exact ? "" : "before ", units_moment(when, since.at, now));
	return true;
}

/* What is wrong comes first: a narrow terminal cuts off the end. */
static void vm_topics_set_title(struct vm_topics *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], open[QUERY_OPEN_MAX];
	bool is_ill, is_whole = cluster_assignments_are_whole(cl);

	tb->title[0] = '\0';
	tb->title_style = CELL_NORMAL;
	if (cl->topics_fact.know == KNOW_UNKNOWN && vm->n_entries == 0) {
		title_put(tb, "topics: not read yet");
		return;
	}
	if (vm->qu.n_words > 0)
		title_put(tb, "%s of %s topics shown%s; ", units_count(a, (int64_t)vm->n_rows), units_count(b, (int64_t)vm->n_entries),
			  query_open_text(open, vm->n_open));
	is_ill = title_put_ailments(tb, cl, vm->qu.n_words > 0 ? "in all " : "");
	is_ill |= title_put_down(tb, cl, vm->now, is_ill ? "; " : "");
	if (!cl->loaded && cl->load_total > 0)
		title_put(tb, "%sreading %s of %s; ", is_ill ? "; " : "", units_count(a, cl->load_done), units_count(b, cl->load_total));
	else if (is_ill)
		title_put(tb, "; ");
	if (vm->qu.n_words == 0)
		title_put(tb, "%s topic%s, ", units_count(a, (int64_t)vm->n_entries), vm->n_entries == 1 ? "" : "s");
	title_put(tb, "%s partition%s", units_count_so_far(b, (int64_t)cl->n_partitions, is_whole), is_whole && cl->n_partitions == 1 ? "" : "s");
	if (!is_ill && cl->n_partitions > 0 && cluster_counts_are_whole(cl) && topic_count(&cl->totals, PT_ALIVE_UNKNOWN) == 0)
		title_put(tb, ": all in sync");
	if (is_ill)
		tb->title_style = CELL_WRONG;
}

static void vm_topics_set_empty(struct vm_topics *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;
	char count[UNITS_TEXT_MAX], open[QUERY_OPEN_MAX];

	if (cl->root.know == KNOW_ABSENT)
		str_printf(tb->empty, sizeof(tb->empty),
			   "%s does not exist on this ensemble: is the chroot right? It stands once, at the end: zk1:2181,zk2:2181/kafka",
			   cl->root_missing ? cl->root_missing : "/");
	else if (vm->n_entries > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s topic%s, none match%s /%s/%s",
			   units_count(count, (int64_t)vm->n_entries), vm->n_entries == 1 ? "" : "s",
			   vm->n_entries == 1 ? "es" : "", vm->qu.text, query_open_text(open, vm->n_open));
	else if (cl->topics_fact.know == KNOW_UNREADABLE)
		str_printf(tb->empty, sizeof(tb->empty), "/brokers/topics can't be read: %s",
			   why_text(cl->topics_why));
	else if (cl->topics_fact.know == KNOW_ABSENT)
		str_printf(tb->empty, sizeof(tb->empty), "there is no /brokers/topics here: not the root of a Kafka cluster");
	else if (cl->topics_fact.know == KNOW_UNKNOWN)
		str_printf(tb->empty, sizeof(tb->empty), "the list of topics has not been read yet");
	else
		str_printf(tb->empty, sizeof(tb->empty), "the cluster has no topics");
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

	row_put(out, TOPIC_COL_TOPIC, en->name, CELL_NORMAL);
	if (!tp)
		return; /* gone since the update */
	if (vm->marks && choice_has(vm->marks, tp))
		out->mark = 'm';
	topic_row_fill(out, vm->cl, tp, vm->now, ar);
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

	if (index == vm->n_entries || vm->entries[index].fits != VERDICT_YES)
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
	memcpy(vm->cols, topic_row_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = TOPIC_COLS;
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
	table_set_sort(&vm->tb, &vm->qu, "worst, then name", TOPIC_COL_TOPIC, "name");
	return is_new_list || is_new_query || ticked || ch->bits != 0;
}

void vm_topics_take_marks(struct vm_topics *vm, const struct choice *marks)
{
	vm->marks = marks;
}

const struct table *vm_topics_table(const struct vm_topics *vm)
{
	return &vm->tb;
}
