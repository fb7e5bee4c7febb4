/* SPDX-License-Identifier: Apache-2.0 */
/* Brokers are few: every update that touches them makes all rows again. */
#include "view/vm_brokers.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "view/broker_facts.h"
#include "view/disk_text.h"

enum { VM_BROKERS_MAGIC = 0x766d6272 };

enum {
	COL_BROKER, COL_ADDRESS, COL_STATE, COL_CONTROLLER, COL_SINCE, COL_LEADERS, COL_REPLICAS, COL_UNDER, COL_SIZE, COL_DIRS,
	COL_RACK, COL_LISTENERS, COL_OVERRIDES, COL_EPOCH, COLS
};

enum {
	ADDRESS_MIN = 10, ADDRESS_WANTED = 18, ADDRESS_MAX = 270,
	RACK_MAX = 20,
	LISTENERS_WANTED = 40, LISTENERS_MAX = 240,
	NEVER = 200           /* need of a column that would be empty all the way down */
};

static const int64_t key_unknown = INT64_MAX;

struct brow {
	int32_t id;
	int64_t key;
	const char *text;  /* sort by text, NULL otherwise */
	char name[12];
};

struct vm_brokers {
	uint32_t magic;
	const struct cluster *cl;
	struct query qu;
	wall_ms now;
	bool is_built;
	struct brow *rows;
	size_t n_rows, n_brokers;
	struct arena *text;   /* of sort keys */
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_brokers_columns[COLS] = {
	[COL_BROKER] = { "BROKER", "broker", .right = true, .min = 6, .max = 6 },
	[COL_ADDRESS] = { "ADDRESS", "address", .min = ADDRESS_MIN, .max = ADDRESS_MIN, .grows = true },
	[COL_STATE] = { "STATE", "state", .min = 5, .max = 5 },
	[COL_CONTROLLER] = { "CTRL", "controller", .min = 4, .max = 4, .need = 1 },
	[COL_SINCE] = { "SINCE", "since", .min = 11, .max = 11, .need = 2 },
	[COL_LEADERS] = { "LEADERS", "leaders", .right = true, .min = 7, .max = 7, .need = 6, .big_first = true },
	[COL_REPLICAS] = { "REPLICAS", "replicas", .right = true, .min = 8, .max = 8, .need = 7, .big_first = true },
	[COL_UNDER] = { "UNDER", "under_replicated_followers", .right = true, .min = 5, .max = 5, .need = 3, .big_first = true },
	[COL_SIZE] = { "SIZE", "bytes", .right = true, .min = 7, .max = 7, .need = 5, .big_first = true },
	[COL_DIRS] = { "DIRS", "dirs", .right = true, .min = 5, .max = 5, .need = 4 },
	[COL_RACK] = { "RACK", "rack", .min = 4, .max = 4, .need = 8 },
	[COL_LISTENERS] = { "LISTENERS", "listeners", .min = 9, .max = 9, .need = 9, .grows = true },
	[COL_OVERRIDES] = { "OVERR", "overrides", .right = true, .min = 5, .max = 5, .need = 10, .big_first = true },
	[COL_EPOCH] = { "EPOCH", "czxid", .right = true, .min = 14, .max = 14, .need = 11, .big_first = true },
};

/* ---- order --------------------------------------------------------------------- */

static int64_t key_of_count(uint32_t n, bool is_whole)
{
	return n > 0 || is_whole ? (int64_t)n : key_unknown;
}

static int64_t key_of(const struct vm_brokers *vm, const struct broker *br, int col)
{
	enum know alive = cluster_broker_alive(vm->cl, br->id);
	wall_ms since;

	switch (col) {
	case COL_STATE:
		return alive == KNOW_ABSENT ? 0 : alive == KNOW_PRESENT ? 1 : 2;
	case COL_CONTROLLER:
		return broker_is_controller(vm->cl, br) ? 0 : 1;
	case COL_SINCE:
		since = broker_since(vm->cl, br).at;
		return since.ms ? since.ms : key_unknown;
	case COL_LEADERS:
		return key_of_count(br->leaders, cluster_counts_are_whole(vm->cl));
	case COL_REPLICAS:
		return key_of_count(br->replicas, cluster_assignments_are_whole(vm->cl));
	case COL_UNDER:
		return key_of_count(br->under_followers, cluster_counts_are_whole(vm->cl));
	case COL_SIZE:
		return br->disks && alive != KNOW_ABSENT ? disks_size(br->disks) : key_unknown;
	case COL_DIRS: /* offline ones first */
		return br->disks && alive != KNOW_ABSENT ? (int64_t)br->disks->n_dirs - (int64_t)disks_offline(br->disks) * (DISK_DIRS_MAX + 1) : key_unknown;
	case COL_OVERRIDES:
		return br->config_fact.know == KNOW_PRESENT ? (int64_t)br->config.n : br->config_fact.know == KNOW_ABSENT ? 0 : key_unknown;
	case COL_EPOCH:
		return br->czxid ? br->czxid : key_unknown;
	case COL_BROKER:
		return br->id;
	default:
		return alive != KNOW_ABSENT; /* down first */
	}
}

/* Columns that sort as text; "" for what is not one, or not known. */
static const char *text_key_of(const struct broker *br, int col, struct arena *ar)
{
	const char *text = NULL;

	if (col == COL_ADDRESS)
		text = broker_address_text(br, ar);
	else if (col == COL_RACK)
		text = br->has_info ? br->info.rack : NULL;
	else if (col == COL_LISTENERS)
		text = broker_listeners_text(br, ar);
	return text ? text : "";
}

static bool sorts_as_text(int col)
{
	return col == COL_ADDRESS || col == COL_RACK || col == COL_LISTENERS;
}

static int brow_cmp(const void *a, const void *b)
{
	const struct brow *x = a, *y = b;
	int cmp = 0;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->text && y->text)
		cmp = strcmp(x->text, y->text);
	return cmp ? cmp : (x->id > y->id) - (x->id < y->id);
}

static int brow_cmp_desc(const void *a, const void *b)
{
	const struct brow *x = a, *y = b;
	int cmp = 0;

	/* Unknown stays last, and ties go by broker upwards. */
	if (x->key == key_unknown || y->key == key_unknown)
		return brow_cmp(a, b);
	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (x->text && y->text)
		cmp = strcmp(y->text, x->text);
	return cmp ? cmp : (x->id > y->id) - (x->id < y->id);
}

static bool is_shown(const struct vm_brokers *vm, const struct broker *br, struct arena *ar)
{
	const char *address = broker_address_text(br, ar), *rack = br->has_info ? br->info.rack : NULL;

	if (vm->qu.n_words == 0)
		return true;
	return query_text(&vm->qu, arena_printf(ar, "%d %s %s %s %s", br->id, address ? address : "?", broker_state_word(cluster_broker_alive(vm->cl, br->id)),
						rack ? rack : "", broker_is_controller(vm->cl, br) ? "controller" : ""));
}

static void vm_brokers_sort(struct vm_brokers *vm)
{
	const struct cluster *cl = vm->cl;
	int col = vm->qu.sort_col;
	bool desc = vm->qu.sort_desc && col >= 0;

	arena_clear(vm->text);
	if (cl->n_brokers > vm->n_brokers || !vm->rows)
		vm->rows = mem_realloc_array(vm->rows, cl->n_brokers + 1, sizeof(*vm->rows));
	vm->n_brokers = cl->n_brokers;
	vm->n_rows = 0;
	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];
		struct brow *ro = &vm->rows[vm->n_rows];

		if (!is_shown(vm, br, vm->text))
			continue;
		ro->id = br->id;
		ro->text = sorts_as_text(col) ? text_key_of(br, col, vm->text) : NULL;
		ro->key = !ro->text ? key_of(vm, br, col) : ro->text[0] ? 0 : key_unknown;
		str_printf(ro->name, sizeof(ro->name), "%d", br->id);
		vm->n_rows++;
	}
	qsort(vm->rows, vm->n_rows, sizeof(*vm->rows), desc ? brow_cmp_desc : brow_cmp);
	vm->tb.n_rows = vm->n_rows;
}

/* ---- widths -------------------------------------------------------------------- */

static void widen(size_t *width, const char *text)
{
	size_t columns = text ? utf8_columns(text) : 0;

	*width = columns > *width ? columns : *width;
}

static uint16_t at_most(size_t n, size_t max)
{
	return (uint16_t)(n < max ? n : max);
}

static void vm_brokers_set_widths(struct vm_brokers *vm)
{
	size_t id = 6, address = ADDRESS_MIN, rack = 0, listeners = 9;
	struct arena *ar = arena_new(0);
	uint16_t count = 0;

	for (size_t i = 0; i < vm->cl->n_brokers; i++) {
		const struct broker *br = vm->cl->brokers[i];
		/* And a "?" behind it while it may be larger. */
		uint16_t columns = table_count_columns(br->replicas) + 1;

		count = columns > count ? columns : count;
		widen(&id, arena_printf(ar, "%d", br->id));
		widen(&address, broker_address_text(br, ar));
		widen(&rack, br->has_info ? br->info.rack : NULL);
		widen(&listeners, broker_listeners_text(br, ar));
	}
	arena_free(&ar);
	for (size_t col = COL_LEADERS; col <= COL_UNDER; col++)
		vm->cols[col].min = vm->cols[col].max = count > vm_brokers_columns[col].min ? count : vm_brokers_columns[col].min;
	vm->cols[COL_BROKER].min = vm->cols[COL_BROKER].max = (uint16_t)id;
	vm->cols[COL_ADDRESS].max = at_most(address, ADDRESS_MAX);
	vm->cols[COL_ADDRESS].min = at_most(address, ADDRESS_WANTED);
	vm->cols[COL_RACK].min = vm->cols[COL_RACK].max = at_most(rack > 4 ? rack : 4, RACK_MAX);
	vm->cols[COL_RACK].need = rack > 0 ? vm_brokers_columns[COL_RACK].need : NEVER;
	vm->cols[COL_SIZE].need = vm->cl->n_disks > 0 ? vm_brokers_columns[COL_SIZE].need : NEVER;
	vm->cols[COL_DIRS].need = vm->cl->n_disks > 0 ? vm_brokers_columns[COL_DIRS].need : NEVER;
	vm->cols[COL_LISTENERS].max = at_most(listeners, LISTENERS_MAX);
	vm->cols[COL_LISTENERS].min = at_most(listeners, LISTENERS_WANTED);
}

/* ---- cells --------------------------------------------------------------------- */

static enum cell_style state_style(enum know alive)
{
	return alive == KNOW_UNKNOWN ? CELL_DIM : alive == KNOW_ABSENT ? CELL_WRONG : CELL_NORMAL;
}

static void fill_text(struct row *ro, size_t col, const char *text, bool is_known, enum cell_style style)
{
	if (text)
		row_put(ro, col, text, style);
	else if (is_known)
		row_absent(ro, col);
	else
		row_unknown(ro, col);
}

static void fill_since(struct since si, enum know alive, wall_ms now, struct row *ro, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	if (si.at.ms == 0 || alive == KNOW_UNKNOWN)
		row_unknown(ro, COL_SINCE);
	else
		row_put(ro, COL_SINCE, arena_printf(ar, "%s%s", si.exact ? "" : "\xe2\x89\xa4", units_moment(text, si.at, now)),
			CELL_NORMAL);
}

static void fill_counts(const struct cluster *cl, const struct broker *br, struct row *ro, struct arena *ar)
{
	bool is_whole = cluster_counts_are_whole(cl);

	row_count_so_far(ro, COL_LEADERS, br->leaders, is_whole, CELL_NORMAL, ar);
	row_count_so_far(ro, COL_REPLICAS, br->replicas, cluster_assignments_are_whole(cl), CELL_NORMAL, ar);
	row_count_so_far(ro, COL_UNDER, br->under_followers, is_whole, CELL_WRONG, ar);
	if (br->config_fact.know == KNOW_PRESENT || br->config_fact.know == KNOW_ABSENT)
		row_count(ro, COL_OVERRIDES, (int64_t)br->config.n, CELL_NORMAL, ar);
	else
		row_unknown(ro, COL_OVERRIDES);
	if (br->czxid)
		row_put(ro, COL_EPOCH, arena_printf(ar, "%lld", (long long)br->czxid), CELL_NORMAL);
	else
		row_unknown(ro, COL_EPOCH);
}

/* Its bytes, and its log dirs: "3", or "2/3" with one offline. */
static void fill_disks(const struct cluster *cl, const struct broker *br, struct row *ro, struct arena *ar)
{
	size_t offline;

	/* The last that one told who is down is no size of now; its own page has it, with its time. */
	if (!br->disks || cluster_broker_alive(cl, br->id) == KNOW_ABSENT) {
		row_unknown(ro, COL_SIZE);
		row_unknown(ro, COL_DIRS);
		return;
	}
	offline = disks_offline(br->disks);
	row_bytes(ro, COL_SIZE, disks_size(br->disks), CELL_NORMAL, ar);
	if (offline > 0)
		row_put(ro, COL_DIRS, arena_printf(ar, "%zu/%zu", br->disks->n_dirs - offline, br->disks->n_dirs), CELL_WRONG);
	else
		row_count(ro, COL_DIRS, (int64_t)br->disks->n_dirs, CELL_NORMAL, ar);
	if (broker_disks_are_old(cl, br))
		ro->cells[COL_SIZE].style = ro->cells[COL_DIRS].style = CELL_OLD;
}

static const struct vm_brokers *vm_brokers_of(const struct table *tb)
{
	const struct vm_brokers *vm = tb->vm;

	assert(vm->magic == VM_BROKERS_MAGIC);
	return vm;
}

static void vm_brokers_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_brokers *vm = vm_brokers_of(tb);
	const struct broker *br = cluster_broker_find(vm->cl, vm->rows[i].id);
	enum know alive;

	row_put(out, COL_BROKER, vm->rows[i].name, CELL_NORMAL);
	if (!br)
		return; /* gone since the update */
	alive = cluster_broker_alive(vm->cl, br->id);
	fill_text(out, COL_ADDRESS, broker_address_text(br, ar), false, broker_is_unreadable(br) ? CELL_WRONG : CELL_NORMAL);
	row_put(out, COL_STATE, broker_state_word(alive), state_style(alive));
	row_put(out, COL_CONTROLLER, broker_is_controller(vm->cl, br) ? "ctrl" : "", CELL_NORMAL);
	fill_text(out, COL_RACK, br->has_info ? br->info.rack : NULL, br->has_info, CELL_NORMAL);
	fill_text(out, COL_LISTENERS, broker_listeners_text(br, ar), false, CELL_NORMAL);
	fill_since(broker_since(vm->cl, br), alive, vm->now, out, ar);
	fill_counts(vm->cl, br, out, ar);
	fill_disks(vm->cl, br, out, ar);
	if (alive == KNOW_ABSENT)
		out->style = CELL_WRONG;
	if (fact_is_old(vm->cl, &br->reg))
		row_set_old(out);
}

static const char *vm_brokers_row_key(const struct table *tb, size_t i)
{
	return vm_brokers_of(tb)->rows[i].name;
}

static size_t vm_brokers_find(const struct table *tb, const char *key)
{
	const struct vm_brokers *vm = vm_brokers_of(tb);
	size_t i = 0;

	while (i < vm->n_rows && strcmp(vm->rows[i].name, key) != 0)
		i++;
	return i;
}

/* ---- titles -------------------------------------------------------------------- */

static void vm_brokers_set_title(struct vm_brokers *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;
	size_t up = cluster_brokers_up(cl), down = cl->n_brokers - up;
	struct strbuf sb;
	char text[UNITS_TEXT_MAX];

	strbuf_init(&sb);
	if (vm->qu.n_words > 0)
		strbuf_printf(&sb, "%zu of ", vm->n_rows);
	strbuf_printf(&sb, "%zu broker%s", cl->n_brokers, cl->n_brokers == 1 ? "" : "s");
	if (cluster_brokers_are_known(cl))
		strbuf_printf(&sb, ": %zu up, %zu down", up, down);
	else
		down = 0;
	if (cl->controller_fact.know == KNOW_PRESENT) {
		strbuf_printf(&sb, "; controller %d", cl->controller.broker);
		if (cl->controller_since.ms)
			strbuf_printf(&sb, " for %s", units_dur(text, vm->now.ms - cl->controller_since.ms));
	} else if (cl->controller_fact.know == KNOW_ABSENT) {
		strbuf_put(&sb, "; no controller");
	} else if (cl->controller_fact.know == KNOW_UNREADABLE) {
		strbuf_printf(&sb, "; controller unreadable: %s", why_text(cl->controller_why));
	}
	str_printf(tb->title, sizeof(tb->title), "%s", sb.s);
	tb->title_style = down > 0 || cl->controller_fact.know == KNOW_ABSENT ? CELL_WRONG : CELL_NORMAL;
	strbuf_fini(&sb);
}

static void vm_brokers_set_empty(struct vm_brokers *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;

	if (cl->n_brokers > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%zu broker%s, none match%s /%s/", cl->n_brokers,
			   cl->n_brokers == 1 ? "" : "s", cl->n_brokers == 1 ? "es" : "", vm->qu.text);
	else if (cl->broker_ids_fact.know == KNOW_UNREADABLE)
		str_printf(tb->empty, sizeof(tb->empty), "/brokers/ids can't be read: %s",
			   why_text(cl->broker_ids_why));
	else if (cl->broker_ids_fact.know == KNOW_ABSENT)
		str_printf(tb->empty, sizeof(tb->empty), "there is no /brokers/ids here: not the root of a Kafka cluster");
	else if (cl->broker_ids_fact.know == KNOW_UNKNOWN)
		str_printf(tb->empty, sizeof(tb->empty), "the list of brokers has not been read yet");
	else
		str_printf(tb->empty, sizeof(tb->empty), "no broker is registered, and no topic names one");
}

/* ---- life ---------------------------------------------------------------------- */

struct vm_brokers *vm_brokers_new(const struct cluster *cl)
{
	struct vm_brokers *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_BROKERS_MAGIC;
	vm->cl = cl;
	vm->text = arena_new(0);
	query_init(&vm->qu);
	memcpy(vm->cols, vm_brokers_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_brokers_fill;
	vm->tb.key = vm_brokers_row_key;
	vm->tb.find = vm_brokers_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_brokers_free(struct vm_brokers **pp)
{
	struct vm_brokers *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_BROKERS_MAGIC);
	vm->magic = 0;
	arena_free(&vm->text);
	mem_free(&vm->rows);
	mem_free(pp);
}

bool vm_brokers_update(struct vm_brokers *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	const uint32_t bits = CHG_BROKERS | CHG_COUNTS | CHG_CLUSTER | CHG_CONN | CHG_DISKS | CHG_LINKS;
	bool is_touched = !vm->is_built || !ch || (ch->bits & bits) || !query_equal(&vm->qu, qu);
	bool ticked = now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	vm->is_built = true;
	if (is_touched) {
		vm_brokers_sort(vm);
		vm_brokers_set_widths(vm);
		vm_brokers_set_empty(vm);
		table_set_sort(&vm->tb, &vm->qu, "down, then broker", COL_BROKER, "broker");
	}
	if (is_touched || ticked)
		vm_brokers_set_title(vm);
	return is_touched || ticked;
}

const struct table *vm_brokers_table(const struct vm_brokers *vm)
{
	return &vm->tb;
}
