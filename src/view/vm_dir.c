/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row is an index into the replicas of the broker's last answer, which holds while that answer stands. Names are own copies: keys
 * are asked for at any time, when there may be another answer already.
 */
#include "view/vm_dir.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/ids.h"
#include "view/broker_facts.h"
#include "view/disk_text.h"

enum { VM_DIR_MAGIC = 0x766d6472 };

enum { COL_TOPIC, COL_PART, COL_SIZE, COL_ROLE, COL_COPY, COL_LAG, COLS };

enum {
	NAME_MIN = 8, NAME_WANTED = 40, NAME_MAX = 256,
	COPY_WANTED = 16, COPY_MAX = 60,
	KEY_TEXT_MAX = 1100   /* the longest name of a topic, "-", partition, " future"; a longer name is cut */
};

static const int64_t key_unknown = INT64_MAX;
static const char future_tail[] = " future";

struct lrow {
	int64_t key;
	const char *topic;    /* own copy */
	int32_t part;
	uint32_t at;          /* index into disks->replicas; they stand by topic and partition */
	bool is_future;
};

struct vm_dir {
	uint32_t magic;
	const struct cluster *cl;
	int32_t broker;
	char *path;
	struct query qu;
	wall_ms now;
	bool is_built;
	const struct disks *disks;  /* of the answer the rows are of: compared, and followed only while it is the broker's */
	mono_ms disks_seen;
	uint32_t n_orphans;         /* of it, when the rows were made */
	struct lrow *rows;
	size_t n_rows, cap_rows, n_all, n_open;
	struct arena *names, *text;
	struct cell head[VM_DIR_HEAD_MAX];
	size_t n_head;
	char key[KEY_TEXT_MAX];     /* last asked for */
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_dir_columns[COLS] = {
	[COL_TOPIC] = { "TOPIC", "topic", .min = NAME_MIN, .max = NAME_MIN, .grows = true },
	[COL_PART] = { "PART", "partition", .right = true, .min = 5, .max = 5 },
	[COL_SIZE] = { "SIZE", "bytes", .right = true, .min = 8, .max = 8, .big_first = true },
	[COL_ROLE] = { "ROLE", "role", .min = 8, .max = 8 },
	[COL_COPY] = { "COPY", "copy", .min = 4, .max = COPY_WANTED, .need = 1, .grows = true },
	[COL_LAG] = { "LAG", "lag", .right = true, .min = 11, .max = 11, .need = 2, .big_first = true },
};

/* ---- what a replica is ------------------------------------------------------------ */

/* In the order that sorting by them has. */
enum role { ROLE_ORPHAN, ROLE_FUTURE, ROLE_ADDING, ROLE_REMOVING, ROLE_LEADER, ROLE_FOLLOWER, ROLE_DELETING, ROLE_UNKNOWN };

static const char *role_word(enum role role)
{
	static const char *const words[] = {
		[ROLE_ORPHAN] = "orphan", [ROLE_FUTURE] = "future", [ROLE_ADDING] = "adding", [ROLE_REMOVING] = "removing",
		[ROLE_LEADER] = "leader", [ROLE_FOLLOWER] = "follower", [ROLE_DELETING] = "deleting", [ROLE_UNKNOWN] = "?",
	};

	return words[role];
}

static enum role role_of(const struct vm_dir *vm, const struct disk_replica *dr)
{
	const struct topic *tp;
	const struct partition *pt;

	if (dr->is_orphan || dr->is_future)
		return dr->is_orphan ? ROLE_ORPHAN : ROLE_FUTURE;
	tp = cluster_topic_find(vm->cl, dr->topic);
	pt = tp ? topic_partition_find(tp, dr->partition) : NULL;
	if (!pt)
		return (tp && tp->deleting) || event_list_has(&vm->cl->markers, dr->topic) ? ROLE_DELETING : ROLE_UNKNOWN;
	if (ids_has(partition_adding(pt), pt->n_adding, vm->broker))
		return ROLE_ADDING;
	if (ids_has(partition_removing(pt), pt->n_removing, vm->broker))
		return ROLE_REMOVING;
	if (!ids_has(pt->ids, pt->n_replicas, vm->broker))
		return tp->deleting ? ROLE_DELETING : ROLE_UNKNOWN;
	if (!(pt->flags & PT_KNOWN))
		return ROLE_UNKNOWN;
	return pt->leader == vm->broker ? ROLE_LEADER : ROLE_FOLLOWER;
}

static enum cell_style role_style(enum role role)
{
	switch (role) {
	case ROLE_ORPHAN:
		return CELL_WRONG;
	case ROLE_FUTURE:
	case ROLE_ADDING:
	case ROLE_REMOVING:
	case ROLE_DELETING:
		return CELL_BUSY;
	case ROLE_UNKNOWN:
		return CELL_DIM;
	default:
		return CELL_NORMAL;
	}
}

/* ---- filter ------------------------------------------------------------------------- */

const struct query_own vm_dir_words[] = {
	{ "leader", "the broker leads the partition" },
	{ "follower", "it follows" },
	{ "adding", "the replica is being added by a reassignment" },
	{ "removing", "it is being removed by one" },
	{ "orphan", "it is assigned to nobody here" },
	{ "future", "it is being copied into this dir from another one of the broker" },
	{ "deleting", "its topic is queued for deletion and no longer names it" },
};
const size_t vm_dir_n_words = sizeof(vm_dir_words) / sizeof(vm_dir_words[0]);

static enum verdict word_holds(const void *row, size_t word)
{
	enum role role = *(const enum role *)row;

	if (role == ROLE_UNKNOWN)
		return VERDICT_UNDECIDED;
	return strcmp(role_word(role), vm_dir_words[word].word) == 0 ? VERDICT_YES : VERDICT_NO;
}

static enum verdict is_shown(const struct vm_dir *vm, const struct disk_replica *dr)
{
	char text[KEY_TEXT_MAX];
	enum role role;

	if (vm->qu.n_words == 0)
		return VERDICT_YES;
	role = role_of(vm, dr);
	str_printf(text, sizeof(text), "%s-%d", dr->topic, dr->partition);
	return query_row(&vm->qu, vm_dir_words, vm_dir_n_words, word_holds, &role, text);
}

/* ---- rows ----------------------------------------------------------------------------- */

static int64_t key_of(const struct vm_dir *vm, const struct disk_replica *dr, size_t at)
{
	switch (vm->qu.sort_col) {
	case COL_TOPIC:
		return (int64_t)at;
	case COL_PART:
		return dr->partition;
	case COL_ROLE:
		return role_of(vm, dr);
	case COL_COPY:
		return dr->is_future ? 0 : disks_replica(vm->disks, dr->topic, dr->partition, true) ? 1 : key_unknown;
	case COL_LAG:
		return dr->is_future && dr->lag > 0 ? dr->lag : key_unknown;
	case COL_SIZE:
		return dr->size_bytes;
	default:
		return dr->size_bytes >= 0 ? -dr->size_bytes : 0;
	}
}

static int lrow_cmp(const void *a, const void *b)
{
	const struct lrow *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void push_row(struct vm_dir *vm, size_t at, const char *name)
{
	const struct disk_replica *dr = &vm->disks->replicas[at];
	int64_t key = key_of(vm, dr, at);

	if (vm->n_rows == vm->cap_rows) {
		vm->cap_rows = vm->cap_rows ? 2 * vm->cap_rows : 64;
		vm->rows = mem_realloc_array(vm->rows, vm->cap_rows, sizeof(*vm->rows));
	}
	if (key != key_unknown && vm->qu.sort_desc && vm->qu.sort_col >= 0)
		key = -key;
	vm->rows[vm->n_rows++] = (struct lrow){ key, name, dr->partition, (uint32_t)at, dr->is_future };
}

/* Rows and the width of their names. */
static void vm_dir_build(struct vm_dir *vm, size_t dir)
{
	size_t longest = NAME_MIN, columns;
	const char *last = NULL, *name = NULL;

	arena_clear(vm->names);
	vm->n_rows = vm->n_all = vm->n_open = 0;
	for (size_t i = 0; vm->disks && i < vm->disks->n_replicas; i++) {
		const struct disk_replica *dr = &vm->disks->replicas[i];
		enum verdict fits;

		if (dr->dir != dir)
			continue;
		vm->n_all++;
		fits = is_shown(vm, dr);
		vm->n_open += fits == VERDICT_UNDECIDED;
		if (fits != VERDICT_YES)
			continue;
		if (dr->topic != last) {
			last = dr->topic;
			name = arena_strdup(vm->names, last);
			columns = 4 * strlen(last) > longest ? utf8_columns(last) : 0;
			longest = columns > longest ? columns : longest;
		}
		push_row(vm, i, name);
	}
	if (vm->n_rows > 1)
		qsort(vm->rows, vm->n_rows, sizeof(*vm->rows), lrow_cmp);
	vm->tb.n_rows = vm->n_rows;
	vm->cols[COL_TOPIC].max = (uint16_t)(longest < NAME_MAX ? longest : NAME_MAX);
	vm->cols[COL_TOPIC].min = vm->cols[COL_TOPIC].max < NAME_WANTED ? vm->cols[COL_TOPIC].max : NAME_WANTED;
}

static void vm_dir_set_widths(struct vm_dir *vm)
{
	struct arena *ar = arena_new(0);
	size_t label = 0;

	for (size_t i = 0; vm->disks && i < vm->disks->n_dirs; i++) {
		size_t columns = utf8_columns(disk_dir_label(vm->disks, i, ar));

		label = columns > label ? columns : label;
	}
	arena_free(&ar);
	label += sizeof("from  99%") - 1;
	vm->cols[COL_COPY].max = (uint16_t)(label < COPY_MAX ? label : COPY_MAX);
	vm->cols[COL_COPY].min = vm->cols[COL_COPY].max < COPY_WANTED ? vm->cols[COL_COPY].max : COPY_WANTED;
}

/* ---- cells ------------------------------------------------------------------------------ */

/* "to d2 63%" of a replica that moves, "from d1 63%" of its future one. */
static void fill_copy(const struct disks *ds, const struct disk_replica *dr, struct row *ro, struct arena *ar)
{
	const struct disk_replica *other = disks_replica(ds, dr->topic, dr->partition, !dr->is_future);
	int percent = dr->is_future ? disk_future_percent(other, dr) : disk_future_percent(dr, other);
	const char *label;

	if (!other && dr->is_future)
		row_put(ro, COL_COPY, "from ?", CELL_WRONG); /* the replica it is made from lies in a dir that is offline */
	else if (!other)
		row_absent(ro, COL_COPY);
	if (!other)
		return;
	label = disk_dir_label(ds, other->dir, ar);
	if (percent >= 0)
		row_put(ro, COL_COPY, arena_printf(ar, "%s %s %d%%", dr->is_future ? "from" : "to", label, percent), CELL_BUSY);
	else
		row_put(ro, COL_COPY, arena_printf(ar, "%s %s", dr->is_future ? "from" : "to", label), CELL_BUSY);
}

static const struct vm_dir *vm_dir_of(const struct table *tb)
{
	const struct vm_dir *vm = tb->vm;

	assert(vm->magic == VM_DIR_MAGIC);
	return vm;
}

static void vm_dir_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_dir *vm = vm_dir_of(tb);
	const struct broker *br = cluster_broker_find(vm->cl, vm->broker);
	const struct lrow *lr = &vm->rows[i];
	const struct disk_replica *dr;
	enum role role;

	row_put(out, COL_TOPIC, lr->topic, CELL_NORMAL);
	row_put(out, COL_PART, arena_printf(ar, "%d", lr->part), CELL_NORMAL);
	if (!br || !vm->disks || br->disks != vm->disks || lr->at >= vm->disks->n_replicas)
		return; /* gone since the update */
	dr = &vm->disks->replicas[lr->at];
	role = role_of(vm, dr);
	row_bytes(out, COL_SIZE, dr->size_bytes, CELL_NORMAL, ar);
	row_put(out, COL_ROLE, role_word(role), role_style(role));
	fill_copy(vm->disks, dr, out, ar);
	if (dr->is_future && dr->lag > 0)
		row_count(out, COL_LAG, dr->lag, CELL_NORMAL, ar);
	else
		row_absent(out, COL_LAG);
	if (broker_disks_are_old(vm->cl, br))
		row_set_old(out);
}

static const char *vm_dir_row_key(const struct table *tb, size_t i)
{
	struct vm_dir *vm = tb->vm;
	const struct lrow *lr = &vm->rows[i];

	str_printf(vm->key, sizeof(vm->key), "%s-%d%s", lr->topic, lr->part, lr->is_future ? future_tail : "");
	return vm->key;
}

static size_t vm_dir_find(const struct table *tb, const char *key)
{
	const struct vm_dir *vm = vm_dir_of(tb);
	const char *dash = strrchr(key, '-');
	bool is_future = str_ends(key, future_tail);
	char number[16];
	int64_t part;

	if (!dash || !str_copyn(number, sizeof(number), dash + 1, strcspn(dash + 1, " ")) || !str_to_i64(number, 0, INT32_MAX, &part))
		return vm->n_rows;
	for (size_t i = 0; i < vm->n_rows; i++) {
		const struct lrow *lr = &vm->rows[i];
		size_t n = (size_t)(dash - key);

		if (lr->part == part && lr->is_future == is_future && strncmp(lr->topic, key, n) == 0 && lr->topic[n] == '\0')
			return i;
	}
	return vm->n_rows;
}

/* ---- head and titles ---------------------------------------------------------------------- */

static void head_put(struct vm_dir *vm, struct strbuf *sb, enum cell_style style)
{
	vm->head[vm->n_head++] = (struct cell){ arena_strdup(vm->text, sb->s), (uint8_t)style };
	strbuf_clear(sb);
}

/* "broker 3   /data/d2   online   kafka03.example:9092" */
static void head_dir(struct vm_dir *vm, const struct broker *br, const struct disk_dir *dir, struct strbuf *sb)
{
	const char *address = br ? broker_address_text(br, vm->text) : NULL;

	strbuf_printf(sb, "broker %d   %s", vm->broker, vm->path[0] ? vm->path : "log dirs not known");
	if (dir || vm->path[0])
		strbuf_printf(sb, "   %s", dir ? disk_dir_word(dir) : "not there");
	if (dir && dir->error && !disk_dir_is_offline(dir))
		strbuf_printf(sb, " (Kafka's error %d)", dir->error);
	if (address)
		strbuf_printf(sb, "   %s", address);
	head_put(vm, sb, dir && dir->error ? CELL_WRONG : CELL_NORMAL);
}

/* "1.8 TiB in 431 replicas, 2 future, 1 orphan; 91% of 2.0 TiB used, 180 GiB free" */
static void head_content(struct vm_dir *vm, const struct disk_dir *dir, struct strbuf *sb)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	strbuf_printf(sb, "%s in %s replica%s", units_bytes(a, dir->size_bytes), units_count(b, dir->n_replicas), dir->n_replicas == 1 ? "" : "s");
	if (dir->n_future > 0)
		strbuf_printf(sb, ", %s future", units_count(a, dir->n_future));
	if (dir->n_orphans > 0)
		strbuf_printf(sb, ", %s orphan%s", units_count(a, dir->n_orphans), dir->n_orphans == 1 ? "" : "s");
	if (disk_dir_used(dir) >= 0)
		strbuf_printf(sb, "; %d%% of %s used, %s free", disk_dir_used(dir) / 10, units_bytes(a, dir->total_bytes),
			      units_bytes(b, dir->usable_bytes));
	head_put(vm, sb, CELL_NORMAL);
}

static void vm_dir_set_head(struct vm_dir *vm, const struct broker *br, const struct disk_dir *dir)
{
	const char *why;
	char when[UNITS_TEXT_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	arena_clear(vm->text);
	vm->n_head = 0;
	head_dir(vm, br, dir, &sb);
	if (dir && !dir->error)
		head_content(vm, dir, &sb);
	why = br ? broker_disks_why(vm->cl, br, vm->text) : NULL;
	if (why && br->disks)
		strbuf_printf(&sb, "as told %s: %s", units_moment(when, br->disks_seen, vm->now), why);
	else if (why)
		strbuf_put(&sb, why);
	if (sb.len > 0)
		head_put(vm, &sb, CELL_DIM);
	strbuf_fini(&sb);
}

static void vm_dir_set_empty(struct vm_dir *vm, const struct broker *br, const struct disk_dir *dir)
{
	struct table *tb = &vm->tb;
	char count[UNITS_TEXT_MAX], open[QUERY_OPEN_MAX];
	const char *some = vm->n_all == 1 ? "" : "s";

	if (!br)
		str_printf(tb->empty, sizeof(tb->empty), "broker %d is not registered, and no topic names it", vm->broker);
	else if (!br->disks)
		str_printf(tb->empty, sizeof(tb->empty), "the log dirs of broker %d are not known: %s", vm->broker, broker_disks_why(vm->cl, br, vm->text));
	else if (!dir)
		str_printf(tb->empty, sizeof(tb->empty), "broker %d has no such log dir", vm->broker);
	else if (dir->error)
		str_printf(tb->empty, sizeof(tb->empty), "broker %d does not say what lies in a log dir that is %s", vm->broker,
			   disk_dir_is_offline(dir) ? "offline" : "in error");
	else if (vm->n_all > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s replica%s, none match%s /%s/%s", units_count(count, (int64_t)vm->n_all), some,
			   *some ? "" : "es", vm->qu.text, query_open_text(open, vm->n_open));
	else
		str_printf(tb->empty, sizeof(tb->empty), "no replica lies in it");
}

static void vm_dir_set_title(struct vm_dir *vm)
{
	struct table *tb = &vm->tb;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], open[QUERY_OPEN_MAX];
	const char *some = vm->n_all == 1 ? "" : "s";

	units_count(b, (int64_t)vm->n_all);
	if (vm->qu.n_words > 0)
		str_printf(tb->title, sizeof(tb->title), "%s of %s replica%s%s", units_count(a, (int64_t)vm->n_rows), b, some,
			   query_open_text(open, vm->n_open));
	else
		str_printf(tb->title, sizeof(tb->title), "%s replica%s in a log dir of broker %d", b, some, vm->broker);
	table_set_sort(tb, &vm->qu, "by size, then topic", COL_TOPIC, "topic");
}

/* ---- life ------------------------------------------------------------------------------------ */

struct vm_dir *vm_dir_new(const struct cluster *cl, int32_t broker, const char *path)
{
	struct vm_dir *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_DIR_MAGIC;
	vm->cl = cl;
	vm->broker = broker;
	vm->path = mem_strdup(path);
	vm->names = arena_new(0);
	vm->text = arena_new(0);
	query_init(&vm->qu);
	memcpy(vm->cols, vm_dir_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_dir_fill;
	vm->tb.key = vm_dir_row_key;
	vm->tb.find = vm_dir_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_dir_free(struct vm_dir **pp)
{
	struct vm_dir *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_DIR_MAGIC);
	vm->magic = 0;
	arena_free(&vm->names);
	arena_free(&vm->text);
	mem_free(&vm->path);
	mem_free(&vm->rows);
	mem_free(pp);
}

/* Whether filter or order hang on what topics are. */
static bool goes_by_topics(const struct vm_dir *vm)
{
	return vm->qu.n_words > 0 || vm->qu.sort_col == COL_ROLE;
}

bool vm_dir_update(struct vm_dir *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	const struct broker *br = cluster_broker_find(vm->cl, vm->broker);
	const struct disks *disks = br ? br->disks : NULL;
	size_t at;
	const struct disk_dir *dir = disks_dir_find(disks, vm->path, &at);
	mono_ms seen = br ? br->disks_fact.seen : (mono_ms){ 0 };
	bool is_all = !vm->is_built || !ch || disks != vm->disks || seen.ms != vm->disks_seen.ms || !query_equal(&vm->qu, qu) ||
		(dir ? dir->n_orphans : 0) != vm->n_orphans || ((ch->bits & CHG_TOPICS || ch->n_topics > 0) && goes_by_topics(vm));
	bool differs = is_all || ch->bits || now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	vm->is_built = true;
	vm->disks = disks;
	vm->disks_seen = seen;
	vm->n_orphans = dir ? dir->n_orphans : 0;
	if (is_all) {
		vm_dir_build(vm, at);
		vm_dir_set_widths(vm);
		vm_dir_set_title(vm);
	}
	if (differs) {
		vm_dir_set_head(vm, br, dir);
		vm_dir_set_empty(vm, br, dir);
	}
	return differs;
}

const struct table *vm_dir_table(const struct vm_dir *vm)
{
	return &vm->tb;
}

size_t vm_dir_head(const struct vm_dir *vm, struct cell lines[VM_DIR_HEAD_MAX])
{
	memcpy(lines, vm->head, vm->n_head * sizeof(*lines));
	return vm->n_head;
}
