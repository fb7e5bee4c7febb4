/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows are (key, topic's index in cluster.topics, partition), in that order; an index holds while topics_gen stays.
 * Names are own copies: keys are asked for at any time, when the cluster may already have other topics.
 * A change of some topics drops their rows and merges what they have now, in one pass.
 */
#include "view/vm_broker.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/cluster.h"
#include "core/health.h"
#include "core/ids.h"
#include "view/broker_facts.h"
#include "view/disk_text.h"
#include "view/partition_text.h"

enum { VM_BROKER_MAGIC = 0x766d6231 };

enum { COL_TOPIC, COL_PART, COL_ROLE, COL_STATE, COL_ISR, COL_SIZE, COL_SINCE, COL_REPLICAS, COLS };

enum {
	NAME_MIN = 8, NAME_WANTED = 30, NAME_MAX = 256,
	LIST_WANTED = 12,     /* columns for an ISR of a few */
	KEY_TEXT_MAX = 280,   /* topic name, "-", partition */
	REBUILD_SHARE = 8,    /* beyond this share of changed topics building again is the cheaper way */
	NEVER = 200           /* need of a column that would be empty all the way down */
};

static const int64_t key_unknown = INT64_MAX;

struct rrow {
	int64_t key;
	uint32_t topic;
	int32_t part;
};

struct rrows {
	struct rrow *v;
	size_t n, cap;
};

struct vm_broker {
	uint32_t magic;
	const struct cluster *cl;
	int32_t id;
	struct query qu;
	wall_ms now;
	uint64_t gen;
	bool is_built;
	enum know alive;            /* the broker, when the rows were built */
	mono_ms sized;              /* its answer about its log dirs that the order by size goes by */
	struct rrows rows;
	struct arena *names;
	const char **name;          /* [index of a topic], NULL where it has no row */
	struct arena *text;         /* of the head */
	struct cell head[VM_BROKER_HEAD_MAX];
	size_t n_head;
	uint32_t *open;             /* [index of a topic]: replicas that the filter leaves undecided */
	size_t n_open;
	char key[KEY_TEXT_MAX];     /* last asked for */
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_broker_columns[COLS] = {
	[COL_TOPIC] = { "TOPIC", "topic", .min = NAME_MIN, .max = NAME_MIN, .grows = true },
	[COL_PART] = { "PART", "partition", .right = true, .min = 5, .max = 5 },
	[COL_ROLE] = { "ROLE", "role", .min = 9, .max = 9, .need = 1 },
	[COL_STATE] = { "STATE", "state", .min = 11, .max = 11 },
	[COL_ISR] = { "ISR", "isr", .min = 3, .max = 3, .need = 2, .grows = true },
	[COL_SIZE] = { "SIZE", "bytes", .right = true, .min = 7, .max = 7, .need = 3, .big_first = true },
	[COL_SINCE] = { "UNDER SINCE", "under_since", .min = 11, .max = 11, .need = 4 },
	[COL_REPLICAS] = { "REPLICAS", "replicas", .min = 8, .max = 8, .need = 5, .grows = true },
};

/* ---- order ------------------------------------------------------------------- */

static int64_t rank_of(const struct partition *pt, enum replica_state st)
{
	static const int8_t ranks[] = {
		[REPLICA_BROKER_DOWN] = 1, [REPLICA_DIR_OFFLINE] = 2, [REPLICA_OUT_OF_SYNC] = 3, [REPLICA_ADDING] = 4,
		[REPLICA_REMOVING] = 5, [REPLICA_UNKNOWN] = 6, [REPLICA_IN_SYNC] = 6,
	};

	return pt->flags & PT_OFFLINE ? 0 : ranks[st];
}

static int64_t key_of(const struct vm_broker *vm, const struct topic *tp, const struct partition *pt, uint32_t topic)
{
	enum replica_state st = health_replica(vm->cl, pt, vm->id);
	const struct disk_replica *dr;

	switch (vm->qu.sort_col) {
	case COL_TOPIC:
		return topic;
	case COL_PART:
		return pt->id;
	case COL_ROLE:
		return pt->flags & PT_KNOWN ? pt->leader != vm->id : key_unknown;
	case COL_ISR:
		return pt->flags & PT_KNOWN ? pt->n_isr : key_unknown;
	case COL_SINCE:
		return pt->under_since.at.ms ? pt->under_since.at.ms : key_unknown;
	case COL_SIZE:
		dr = cluster_disk_replica(vm->cl, vm->id, tp->name, pt->id, false, NULL);
		return dr ? dr->size_bytes : key_unknown;
	case COL_REPLICAS:
		return pt->n_replicas;
	default:
		return rank_of(pt, st);
	}
}

static int rrow_cmp(const void *a, const void *b)
{
	const struct rrow *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->topic != y->topic)
		return x->topic < y->topic ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

/* ---- rows --------------------------------------------------------------------- */

static bool holds(const struct vm_broker *vm, const struct partition *pt)
{
	return ids_has(pt->ids, (size_t)pt->n_replicas + pt->n_adding + pt->n_removing, vm->id);
}

static void rrows_push(struct rrows *rs, struct rrow row)
{
	if (rs->n == rs->cap) {
		rs->cap = rs->cap ? 2 * rs->cap : 64;
		rs->v = mem_realloc_array(rs->v, rs->cap, sizeof(*rs->v));
	}
	rs->v[rs->n++] = row;
}

/* The rows of one topic, in no order. */
static void push_topic(struct vm_broker *vm, uint32_t topic, struct rrows *out)
{
	const struct topic *tp = vm->cl->topics[topic];
	uint32_t n_open = 0;

	for (size_t i = 0; i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];
		struct rrow row = { 0, topic, pt->id };
		enum verdict fits = holds(vm, pt) ? query_replica(&vm->qu, tp, pt) : VERDICT_NO;

		n_open += fits == VERDICT_UNDECIDED;
		if (fits != VERDICT_YES)
			continue;
		row.key = key_of(vm, tp, pt, topic);
		if (row.key != key_unknown && vm->qu.sort_desc && vm->qu.sort_col >= 0)
			row.key = -row.key;
		rrows_push(out, row);
		if (!vm->name[topic])
			vm->name[topic] = arena_strdup(vm->names, tp->name);
	}
	vm->n_open += n_open - (size_t)vm->open[topic];
	vm->open[topic] = n_open;
}

static void rrows_sort(struct rrows *rs)
{
	if (rs->n > 1)
		qsort(rs->v, rs->n, sizeof(*rs->v), rrow_cmp);
}

static void vm_broker_build(struct vm_broker *vm)
{
	assert(vm->cl->n_topics < UINT32_MAX);
	arena_clear(vm->names);
	mem_free(&vm->name);
	vm->name = mem_zalloc((vm->cl->n_topics + 1) * sizeof(*vm->name));
	mem_free(&vm->open);
	vm->open = mem_zalloc((vm->cl->n_topics + 1) * sizeof(*vm->open));
	vm->n_open = 0;
	vm->alive = cluster_broker_alive(vm->cl, vm->id);
	vm->rows.n = 0;
	for (size_t i = 0; i < vm->cl->n_topics; i++)
		push_topic(vm, (uint32_t)i, &vm->rows);
	rrows_sort(&vm->rows);
	vm->gen = vm->cl->topics_gen;
}

/* n_topics when there is none. */
static size_t topic_index(const struct cluster *cl, const char *name)
{
	bool is_there;
	size_t at = cluster_topic_place(cl, name, &is_there);

	return is_there ? at : cl->n_topics;
}

/* Old rows of the topics that changed go, what they have now comes in. */
static void vm_broker_patch(struct vm_broker *vm, const struct changes *ch)
{
	bool *touched = mem_array(vm->cl->n_topics + 1, sizeof(*touched));
	struct rrows fresh = { 0 }, merged = { 0 };
	size_t at = 0;

	memset(touched, 0, (vm->cl->n_topics + 1) * sizeof(*touched));
	for (size_t i = 0; i < ch->n_topics; i++) {
		size_t index = topic_index(vm->cl, ch->topics[i]->name);

		if (index == vm->cl->n_topics || touched[index])
			continue;
		touched[index] = true;
		push_topic(vm, (uint32_t)index, &fresh);
	}
	rrows_sort(&fresh);
	for (size_t i = 0; i < vm->rows.n; i++) {
		if (touched[vm->rows.v[i].topic])
			continue;
		while (at < fresh.n && rrow_cmp(&fresh.v[at], &vm->rows.v[i]) < 0)
			rrows_push(&merged, fresh.v[at++]);
		rrows_push(&merged, vm->rows.v[i]);
	}
	while (at < fresh.n)
		rrows_push(&merged, fresh.v[at++]);
	mem_free(&vm->rows.v);
	mem_free(&fresh.v);
	mem_free(&touched);
	vm->rows = merged;
}

/* ---- widths -------------------------------------------------------------------- */

static void vm_broker_set_widths(struct vm_broker *vm)
{
	size_t name = NAME_MIN, rf = 1, id = 1;
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < vm->rows.n; i++) {
		const struct topic *tp = vm->cl->topics[vm->rows.v[i].topic];

		if (vm->rows.v[i].topic == last)
			continue;
		last = vm->rows.v[i].topic;
		if (4 * strlen(tp->name) > name && utf8_columns(tp->name) > name)
			name = utf8_columns(tp->name);
		rf = tp->rf > (int32_t)rf ? (size_t)tp->rf : rf;
	}
	for (int32_t n = vm->cl->n_brokers > 0 ? vm->cl->brokers[vm->cl->n_brokers - 1]->id : 0; n >= 10; n /= 10)
		id++;
	name = name < NAME_MAX ? name : NAME_MAX;
	vm->cols[COL_TOPIC].max = (uint16_t)name;
	vm->cols[COL_TOPIC].min = (uint16_t)(name < NAME_WANTED ? name : NAME_WANTED);
	vm->cols[COL_ISR].max = (uint16_t)(rf * (id + 1) > 3 ? rf * (id + 1) : 3);
	vm->cols[COL_REPLICAS].max = (uint16_t)(rf * (id + 2) > 8 ? rf * (id + 2) : 8);
	for (size_t i = COL_ISR; i < COLS; i++)
		if (i == COL_ISR || i == COL_REPLICAS)
			vm->cols[i].min = vm->cols[i].max < LIST_WANTED ? vm->cols[i].max : LIST_WANTED;
}

/* ---- cells --------------------------------------------------------------------- */

static const struct vm_broker *vm_broker_of(const struct table *tb)
{
	const struct vm_broker *vm = tb->vm;

	assert(vm->magic == VM_BROKER_MAGIC);
	return vm;
}

static enum cell_style replica_style(const struct partition *pt, enum replica_state st)
{
	if (st == REPLICA_UNKNOWN)
		return CELL_DIM;
	if (st == REPLICA_ADDING || st == REPLICA_REMOVING)
		return CELL_BUSY;
	return st != REPLICA_IN_SYNC || (pt->flags & PT_OFFLINE) ? CELL_WRONG : CELL_NORMAL;
}

/* "follower*": the preferred leader, and doesn't lead. */
static const char *role_text(const struct vm_broker *vm, const struct partition *pt)
{
	if (pt->leader == vm->id)
		return "leader";
	if (pt->flags & PT_NO_LEADER)
		return "no leader";
	return pt->n_replicas > 0 && pt->ids[0] == vm->id ? "follower*" : "follower";
}

static void fill_size(const struct vm_broker *vm, const struct rrow *rr, const char *name, struct row *ro, struct arena *ar)
{
	const struct broker *br = cluster_broker_find(vm->cl, vm->id);
	bool is_known;
	const struct disk_replica *dr = cluster_disk_replica(vm->cl, vm->id, name, rr->part, false, &is_known);

	if (dr)
		row_bytes(ro, COL_SIZE, dr->size_bytes, CELL_NORMAL, ar);
	else if (is_known && disks_unread(br->disks) == 0)
		row_absent(ro, COL_SIZE);
	else
		row_unknown(ro, COL_SIZE); /* what lies in a dir that is offline, or has another error, isn't told */
	if (br && broker_disks_are_old(vm->cl, br))
		ro->cells[COL_SIZE].style = CELL_OLD;
}

static void vm_broker_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_broker *vm = vm_broker_of(tb);
	const struct rrow *rr = &vm->rows.v[i];
	const char *name = vm->name[rr->topic];
	const struct topic *tp = cluster_topic_find(vm->cl, name);
	const struct partition *pt = tp ? topic_partition_find(tp, rr->part) : NULL;
	enum replica_state st;

	row_put(out, COL_TOPIC, name, CELL_NORMAL);
	row_put(out, COL_PART, arena_printf(ar, "%d", rr->part), CELL_NORMAL);
	if (!pt)
		return; /* gone since the update */
	st = health_replica(vm->cl, pt, vm->id);
	row_put(out, COL_STATE, pt->flags & PT_OFFLINE ? "offline" : health_replica_word(st), replica_style(pt, st));
	row_put(out, COL_REPLICAS, partition_replicas_text(vm->cl, pt, ar), CELL_NORMAL);
	if (pt->flags & PT_KNOWN) {
		row_put(out, COL_ROLE, role_text(vm, pt), CELL_NORMAL);
		row_put(out, COL_ISR, pt->n_isr ? partition_isr_text(pt, ar) : "-", pt->flags & PT_UNDER_MIN ? CELL_WRONG : CELL_NORMAL);
	} else {
		row_unknown(out, COL_ROLE);
		row_unknown(out, COL_ISR);
	}
	fill_size(vm, rr, name, out, ar);
	partition_fill_since(pt, vm->now, out, COL_SINCE, ar);
	if (fact_is_old(vm->cl, &pt->state))
		row_set_old(out);
	else if (pt->state.source == SOURCE_BROKERS)
		out->style = CELL_DIM;
}

static const char *vm_broker_row_key(const struct table *tb, size_t i)
{
	struct vm_broker *vm = tb->vm;

	str_printf(vm->key, sizeof(vm->key), "%s-%d", vm->name[vm->rows.v[i].topic], vm->rows.v[i].part);
	return vm->key;
}

static size_t vm_broker_find(const struct table *tb, const char *key)
{
	const struct vm_broker *vm = vm_broker_of(tb);
	const char *dash = strrchr(key, '-');
	int64_t part;

	if (!dash || !str_to_i64(dash + 1, 0, INT32_MAX, &part))
		return vm->rows.n;
	for (size_t i = 0; i < vm->rows.n; i++) {
		const char *name = vm->name[vm->rows.v[i].topic];
		size_t n = (size_t)(dash - key);

		if (vm->rows.v[i].part == part && strncmp(name, key, n) == 0 && name[n] == '\0')
			return i;
	}
	return vm->rows.n;
}

/* ---- head and titles ------------------------------------------------------------- */

static void head_put(struct vm_broker *vm, struct strbuf *sb, enum cell_style style)
{
	vm->head[vm->n_head++] = (struct cell){ arena_strdup(vm->text, sb->s), (uint8_t)style };
	strbuf_clear(sb);
}

/* "broker 7   kafka07.example:9092   down since 03:09:51" */
static void head_broker(struct vm_broker *vm, const struct broker *br, struct strbuf *sb)
{
	enum know alive = cluster_broker_alive(vm->cl, br->id);
	const char *address = broker_address_text(br, vm->text);
	struct since si = broker_since(vm->cl, br);
	char when[UNITS_TEXT_MAX];

	strbuf_printf(sb, "broker %d   %s   %s", vm->id, address ? address : "address unknown",
		      alive == KNOW_UNKNOWN ? "not known whether it is up" : broker_state_word(alive));
	if (alive != KNOW_UNKNOWN && si.at.ms)
		strbuf_printf(sb, " since %s%s", si.exact ? "" : "before ", units_moment(when, si.at, vm->now));
	if (broker_is_controller(vm->cl, br))
		strbuf_put(sb, "   controller");
	if (br->has_info && br->info.rack)
		strbuf_printf(sb, "   rack %s", br->info.rack);
	head_put(vm, sb, alive == KNOW_ABSENT ? CELL_WRONG : CELL_NORMAL);
}

static void head_counts(struct vm_broker *vm, const struct broker *br, struct strbuf *sb)
{
	bool has_replicas = cluster_assignments_are_whole(vm->cl), has_states = cluster_counts_are_whole(vm->cl);
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	strbuf_printf(sb, "holds %s replica%s, leads %s", units_count_so_far(a, br->replicas, has_replicas),
		      has_replicas && br->replicas == 1 ? "" : "s", units_count_so_far(b, br->leaders, has_states));
	if (br->under_followers > 0)
		strbuf_printf(sb, ", %s out of the ISR", units_count_so_far(a, br->under_followers, has_states));
	head_put(vm, sb, br->under_followers > 0 ? CELL_WRONG : CELL_NORMAL);
}

/* "1.8 TiB in 3 log dirs, 1 offline"; why they are not known; nothing as long as nobody is asked. */
static void head_disks(struct vm_broker *vm, const struct broker *br, struct strbuf *sb)
{
	const char *why = broker_disks_why(vm->cl, br, vm->text);
	size_t offline = br->disks ? disks_offline(br->disks) : 0;
	char text[UNITS_TEXT_MAX];

	if (br->disks) {
		strbuf_printf(sb, "%s in %zu log dir%s", units_bytes(text, disks_size(br->disks)), br->disks->n_dirs, br->disks->n_dirs == 1 ? "" : "s");
		if (offline > 0)
			strbuf_printf(sb, ", %zu offline", offline);
		if (why)
			strbuf_printf(sb, ", as told %s: %s", units_moment(text, br->disks_seen, vm->now), why);
	} else if (br->disks_fact.know == KNOW_UNREADABLE) {
		strbuf_printf(sb, "log dirs: %s", why);
	}
	if (sb->len > 0)
		head_put(vm, sb, offline > 0 ? CELL_WRONG : why ? CELL_DIM : CELL_NORMAL);
}

static void head_details(struct vm_broker *vm, const struct broker *br, struct strbuf *sb)
{
	const char *listeners = broker_listeners_text(br, vm->text);

	if (listeners) {
		strbuf_printf(sb, "listeners %s", listeners);
		head_put(vm, sb, CELL_DIM);
	}
	for (size_t i = 0; i < br->config.n; i++)
		strbuf_printf(sb, "%s%s %s", i ? "  " : "overrides ", br->config.v[i].key, br->config.v[i].value);
	if (sb->len > 0)
		head_put(vm, sb, CELL_NORMAL);
}

static void vm_broker_set_head(struct vm_broker *vm)
{
	const struct broker *br = cluster_broker_find(vm->cl, vm->id);
	struct strbuf sb;

	strbuf_init(&sb);
	arena_clear(vm->text);
	vm->n_head = 0;
	if (br) {
		head_broker(vm, br, &sb);
		head_counts(vm, br, &sb);
		head_disks(vm, br, &sb);
		head_details(vm, br, &sb);
	} else {
		strbuf_printf(&sb, "broker %d   not registered, and no topic names it", vm->id);
		head_put(vm, &sb, CELL_WRONG);
	}
	strbuf_fini(&sb);
}

static void vm_broker_set_title(struct vm_broker *vm)
{
	const struct broker *br = cluster_broker_find(vm->cl, vm->id);
	struct table *tb = &vm->tb;
	size_t all = br ? br->replicas : 0;
	bool is_whole = cluster_assignments_are_whole(vm->cl);
	const char *some = is_whole && all == 1 ? "" : "s";
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], open[QUERY_OPEN_MAX];

	units_count_so_far(b, (int64_t)all, is_whole);
	query_open_text(open, vm->n_open);
	if (vm->qu.n_words > 0)
		str_printf(tb->title, sizeof(tb->title), "%s of %s replica%s%s", units_count(a, (int64_t)vm->rows.n), b, some, open);
	else
		str_printf(tb->title, sizeof(tb->title), "%s replica%s on broker %d", b, some, vm->id);
	if (vm->qu.n_words > 0 && all > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s replica%s, none match%s /%s/%s", b, some, *some ? "" : "es", vm->qu.text, open);
	else
		str_printf(tb->empty, sizeof(tb->empty), "no topic %shas a replica on broker %d", is_whole ? "" : "read so far ", vm->id);
	table_set_sort(tb, &vm->qu, "worst, then topic", -1, "topic");
}

/* ---- life ---------------------------------------------------------------------- */

struct vm_broker *vm_broker_new(const struct cluster *cl, int32_t id)
{
	struct vm_broker *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_BROKER_MAGIC;
	vm->cl = cl;
	vm->id = id;
	vm->text = arena_new(0);
	vm->names = arena_new(0);
	query_init(&vm->qu);
	memcpy(vm->cols, vm_broker_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_broker_fill;
	vm->tb.key = vm_broker_row_key;
	vm->tb.find = vm_broker_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_broker_free(struct vm_broker **pp)
{
	struct vm_broker *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_BROKER_MAGIC);
	vm->magic = 0;
	arena_free(&vm->text);
	arena_free(&vm->names);
	mem_free(&vm->name);
	mem_free(&vm->open);
	mem_free(&vm->rows.v);
	mem_free(pp);
}

bool vm_broker_update(struct vm_broker *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	const struct broker *br = cluster_broker_find(vm->cl, vm->id);
	mono_ms sized = br && qu->sort_col == COL_SIZE ? br->disks_fact.seen : (mono_ms){ 0 };
	bool is_all = !vm->is_built || !ch || sized.ms != vm->sized.ms || vm->gen != vm->cl->topics_gen || !query_equal(&vm->qu, qu) ||
		vm->alive != cluster_broker_alive(vm->cl, vm->id) || ch->n_topics > vm->cl->n_topics / REBUILD_SHARE;
	bool differs = is_all || ch->bits || now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	vm->sized = sized;
	if (is_all)
		vm_broker_build(vm);
	else if (ch->n_topics > 0)
		vm_broker_patch(vm, ch);
	vm->is_built = true;
	vm->tb.n_rows = vm->rows.n;
	if (is_all)
		vm_broker_set_widths(vm);
	if (differs) {
		vm->cols[COL_SIZE].need = br && br->disks ? vm_broker_columns[COL_SIZE].need : NEVER;
		vm_broker_set_head(vm);
		vm_broker_set_title(vm);
	}
	return differs;
}

const struct table *vm_broker_table(const struct vm_broker *vm)
{
	return &vm->tb;
}

size_t vm_broker_head(const struct vm_broker *vm, struct cell lines[VM_BROKER_HEAD_MAX])
{
	memcpy(lines, vm->head, vm->n_head * sizeof(*lines));
	return vm->n_head;
}
