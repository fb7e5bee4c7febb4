/* SPDX-License-Identifier: Apache-2.0 */
/* Dirs are some thousands at most: every update that touches them makes all rows again. */
#include "view/vm_dirs.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "view/dir_row.h"
#include "view/disk_text.h"

enum { VM_DIRS_MAGIC = 0x766d6469 };

enum {
	COL_BROKER, COL_DIR, COL_STATE, COL_USED, COL_SIZE, COL_FREE, COL_REPLICAS, COL_FUTURE, COL_ORPHANS,
	COL_TOTAL, COL_TOLD, COL_HOST, COL_WHY, COLS
};

enum {
	DIR_MIN = 8, DIR_WANTED = 24, DIR_MAX = 200,
	HOST_MAX = 120,
	WHY_MIN = 20, WHY_WANTED = 44, WHY_MAX = 240,
	BAR_COLUMNS = 10, BAR_TEXT_MAX = 32,
	KEY_TEXT_MAX = 4400,  /* "broker:path"; a longer path is cut, here and where it is looked for */
	NEVER = 200           /* need of a column that would be empty all the way down */
};

static const int64_t key_unknown = INT64_MAX;

/* Ranks of the view's own order, around the thousandths that are free. */
enum { RANK_OFFLINE = 0, RANK_ERROR = 1, RANK_USED = 10, RANK_PLAIN = 10000, RANK_NOT_KNOWN = 20000 };

struct drow {
	int64_t key;
	int32_t broker;
	bool is_known;     /* false: the row of a broker whose dirs are not */
	const char *path;  /* own copy */
	const char *text;  /* sort by text, NULL otherwise */
};

struct vm_dirs {
	uint32_t magic;
	const struct cluster *cl;
	struct query qu;
	wall_ms now;
	bool is_built;
	struct drow *rows;
	size_t n_rows, cap_rows;
	size_t n_dirs, n_offline, n_errors, n_orphans; /* of all, whatever is shown */
	size_t n_unknown, n_old;             /* brokers */
	struct arena *text;                  /* paths, sort keys */
	char key[KEY_TEXT_MAX];              /* last asked for */
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_dirs_columns[COLS] = {
	[COL_BROKER] = { "BROKER", "broker", .right = true, .min = 6, .max = 6 },
	[COL_DIR] = { "DIR", "dir", .min = DIR_MIN, .max = DIR_MIN, .grows = true, .is_path = true },
	[COL_STATE] = { "STATE", "state", .min = 8, .max = 8 },
	[COL_USED] = { "USED", "used", .min = 17, .max = 17, .need = 2, .big_first = true },
	[COL_SIZE] = { "SIZE", "bytes", .right = true, .min = 6, .max = 6, .big_first = true },
	[COL_FREE] = { "FREE", "free", .right = true, .min = 6, .max = 6, .need = 3 },
	[COL_REPLICAS] = { "REPL", "replicas", .right = true, .min = 4, .max = 4, .need = 4, .big_first = true },
	[COL_FUTURE] = { "FUTURE", "future", .right = true, .min = 6, .max = 6, .need = 5, .big_first = true },
	[COL_ORPHANS] = { "ORPH", "orphans", .right = true, .min = 4, .max = 4, .need = 6, .big_first = true },
	[COL_TOTAL] = { "TOTAL", "total", .right = true, .min = 6, .max = 6, .need = 7, .big_first = true },
	[COL_TOLD] = { "TOLD", "told", .min = 10, .max = 10, .need = 8 },
	[COL_HOST] = { "HOST", "host", .min = 9, .max = 9, .need = 9, .grows = true },
	[COL_WHY] = { "WHY", "why", .min = WHY_MIN, .max = WHY_MIN, .need = 1, .grows = true },
};

/* ---- filter and order ---------------------------------------------------------------------- */

static bool is_shown(const struct vm_dirs *vm, const struct dir_row *dv, struct arena *ar)
{
	const char *host, *text;

	if (vm->qu.n_words == 0)
		return true;
	host = dir_row_host(dv->br, ar);
	text = arena_printf(ar, "%d:%s %s %s", dv->br->id, dv->dir ? dv->dir->path : "?", dir_row_state(dv), host ? host : "?");
	return query_row(&vm->qu, dir_row_words, dir_row_n_words, dir_row_holds, dv, text) == VERDICT_YES;
}

static int64_t key_of_state(const struct dir_row *dv)
{
	const char *word = dir_row_state(dv);

	return !dv->dir ? 3 : strcmp(word, "offline") == 0 ? 0 : strcmp(word, "error") == 0 ? 1 : strcmp(word, "down") == 0 ? 2 : 4;
}

static int64_t key_of_own(const struct dir_row *dv)
{
	int used;

	if (!dv->dir)
		return RANK_NOT_KNOWN;
	if (dv->dir->error)
		return disk_dir_is_offline(dv->dir) ? RANK_OFFLINE : RANK_ERROR;
	used = disk_dir_used(dv->dir);
	return used < 0 ? RANK_PLAIN : RANK_USED + 1000 - used;
}

static int64_t key_of(const struct dir_row *dv, int col)
{
	const struct disk_dir *dir = dir_row_is_told(dv) ? dv->dir : NULL;

	switch (col) {
	case COL_BROKER:
		return dv->br->id;
	case COL_STATE:
		return key_of_state(dv);
	case COL_USED:
		return dir && disk_dir_used(dir) >= 0 ? disk_dir_used(dir) : key_unknown;
	case COL_SIZE:
		return dir ? dir->size_bytes : key_unknown;
	case COL_FREE:
		return dir && dir->usable_bytes >= 0 ? dir->usable_bytes : key_unknown;
	case COL_TOTAL:
		return dir && dir->total_bytes >= 0 ? dir->total_bytes : key_unknown;
	case COL_REPLICAS:
		return dir ? dir->n_replicas : key_unknown;
	case COL_FUTURE:
		return dir ? dir->n_future : key_unknown;
	case COL_ORPHANS:
		return dir ? dir->n_orphans : key_unknown;
	case COL_TOLD:
		return dv->dir ? dv->br->disks_seen.ms : key_unknown;
	default:
		return key_of_own(dv);
	}
}

/* Columns that sort as text; NULL for those that don't, "" for what is not known. */
static const char *text_key_of(const struct vm_dirs *vm, const struct dir_row *dv, const char *path, int col)
{
	const char *text = NULL;

	if (col == COL_DIR)
		text = dv->dir ? path : NULL;
	else if (col == COL_HOST)
		text = dir_row_host(dv->br, vm->text);
	else if (col == COL_WHY)
		text = dir_row_why(dv, vm->now, vm->text);
	else
		return NULL;
	return text ? text : "";
}

static int drow_cmp_tie(const struct drow *x, const struct drow *y)
{
	if (x->broker != y->broker)
		return x->broker < y->broker ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int drow_cmp(const void *a, const void *b)
{
	const struct drow *x = a, *y = b;
	int cmp = 0;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->text && y->text)
		cmp = strcmp(x->text, y->text);
	return cmp ? cmp : drow_cmp_tie(x, y);
}

static int drow_cmp_desc(const void *a, const void *b)
{
	const struct drow *x = a, *y = b;
	int cmp = 0;

	/* Unknown stays last, and ties go by broker upwards. */
	if (x->key == key_unknown || y->key == key_unknown)
		return drow_cmp(a, b);
	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (x->text && y->text)
		cmp = strcmp(y->text, x->text);
	return cmp ? cmp : drow_cmp_tie(x, y);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void push_row(struct vm_dirs *vm, const struct dir_row *dv, struct arena *scratch)
{
	int col = vm->qu.sort_col;
	struct drow *ro;

	if (!is_shown(vm, dv, scratch))
		return;
	if (vm->n_rows == vm->cap_rows) {
		vm->cap_rows = vm->cap_rows ? 2 * vm->cap_rows : 64;
		vm->rows = mem_realloc_array(vm->rows, vm->cap_rows, sizeof(*vm->rows));
	}
	ro = &vm->rows[vm->n_rows++];
	ro->broker = dv->br->id;
	ro->is_known = dv->dir != NULL;
	ro->path = arena_strdup(vm->text, dv->dir ? dv->dir->path : "");
	ro->text = text_key_of(vm, dv, ro->path, col);
	ro->key = !ro->text ? key_of(dv, col) : ro->text[0] ? 0 : key_unknown;
}

static void push_broker(struct vm_dirs *vm, const struct broker *br, struct arena *scratch)
{
	struct dir_row dv = { .cl = vm->cl, .br = br, .is_old = broker_disks_are_old(vm->cl, br) };

	vm->n_old += dv.is_old;
	vm->n_unknown += br->disks == NULL;
	arena_clear(scratch);
	if (!br->disks)
		push_row(vm, &dv, scratch);
	for (size_t i = 0; br->disks && i < br->disks->n_dirs; i++) {
		dv.dir = &br->disks->dirs[i];
		vm->n_dirs++;
		vm->n_offline += disk_dir_is_offline(dv.dir);
		vm->n_errors += dv.dir->error && !disk_dir_is_offline(dv.dir);
		vm->n_orphans += dv.dir->n_orphans;
		push_row(vm, &dv, scratch);
	}
}

static void vm_dirs_sort(struct vm_dirs *vm)
{
	struct arena *scratch = arena_new(0);

	arena_clear(vm->text);
	vm->n_rows = vm->n_dirs = vm->n_offline = vm->n_errors = vm->n_orphans = vm->n_unknown = vm->n_old = 0;
	for (size_t i = 0; i < vm->cl->n_brokers; i++)
		push_broker(vm, vm->cl->brokers[i], scratch);
	arena_free(&scratch);
	if (vm->n_rows > 1)
		qsort(vm->rows, vm->n_rows, sizeof(*vm->rows), vm->qu.sort_desc && vm->qu.sort_col >= 0 ? drow_cmp_desc : drow_cmp);
	vm->tb.n_rows = vm->n_rows;
}

/* ---- widths ------------------------------------------------------------------------------- */

struct widths {
	size_t id, dir, host, why, replicas;
	bool has_totals, has_why;
};

static void widen(size_t *width, const char *text)
{
	size_t columns = text ? utf8_columns(text) : 0;

	*width = columns > *width ? columns : *width;
}

static uint16_t at_most(size_t n, size_t max)
{
	return (uint16_t)(n < max ? n : max);
}

static void measure(const struct vm_dirs *vm, const struct broker *br, struct widths *wd, struct arena *ar)
{
	struct dir_row dv = { .cl = vm->cl, .br = br, .is_old = broker_disks_are_old(vm->cl, br) };
	const char *why;

	arena_clear(ar);
	widen(&wd->id, arena_printf(ar, "%d", br->id));
	widen(&wd->host, dir_row_host(br, ar));
	why = dir_row_why(&dv, vm->now, ar);
	wd->has_why |= why != NULL;
	widen(&wd->why, why);
	for (size_t i = 0; br->disks && i < br->disks->n_dirs; i++) {
		uint16_t count;

		dv.dir = &br->disks->dirs[i];
		count = table_count_columns(dv.dir->n_replicas);
		wd->replicas = count > wd->replicas ? count : wd->replicas;
		wd->has_totals |= dv.dir->total_bytes > 0;
		wd->has_why |= dv.dir->error && !disk_dir_is_offline(dv.dir);
		widen(&wd->dir, dv.dir->path);
	}
}

static void show_if(struct vm_dirs *vm, size_t col, bool has)
{
	vm->cols[col].need = has ? vm_dirs_columns[col].need : NEVER;
}

static void vm_dirs_set_widths(struct vm_dirs *vm)
{
	struct widths wd = { .id = 6, .dir = DIR_MIN, .host = 9, .why = WHY_MIN, .replicas = 4 };
	struct arena *ar = arena_new(0);
	struct column *cols = vm->cols;

	for (size_t i = 0; i < vm->cl->n_brokers; i++)
		measure(vm, vm->cl->brokers[i], &wd, ar);
	arena_free(&ar);
	cols[COL_BROKER].min = cols[COL_BROKER].max = (uint16_t)wd.id;
	cols[COL_DIR].max = at_most(wd.dir, DIR_MAX);
	cols[COL_DIR].min = at_most(wd.dir, DIR_WANTED);
	cols[COL_HOST].max = at_most(wd.host, HOST_MAX);
	cols[COL_HOST].min = at_most(wd.host, DIR_WANTED);
	cols[COL_REPLICAS].min = cols[COL_REPLICAS].max = (uint16_t)wd.replicas;
	cols[COL_WHY].max = at_most(wd.why, WHY_MAX);
	/* Beside dirs that are known, their numbers matter more; the whole sentence is behind Enter. */
	cols[COL_WHY].min = vm->n_dirs > 0 ? WHY_MIN : at_most(wd.why, WHY_WANTED);
	show_if(vm, COL_USED, wd.has_totals);
	show_if(vm, COL_FREE, wd.has_totals);
	show_if(vm, COL_TOTAL, wd.has_totals);
	show_if(vm, COL_WHY, wd.has_why);
}

/* ---- cells ---------------------------------------------------------------------------------- */

static void fill_size(struct row *ro, size_t col, int64_t bytes, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	if (bytes < 0)
		row_unknown(ro, col);
	else
		row_put(ro, col, arena_strdup(ar, units_bytes_short(text, bytes)), bytes == 0 ? CELL_DIM : CELL_NORMAL);
}

/* "[#########-]  91%" */
static void fill_used(struct row *ro, const struct disk_dir *dir, struct arena *ar)
{
	int used = disk_dir_used(dir), full;
	char bar[BAR_TEXT_MAX];

	if (used < 0) {
		row_unknown(ro, COL_USED);
		return;
	}
	full = (used * BAR_COLUMNS + 500) / 1000;
	for (int i = 0; i < BAR_COLUMNS; i++)
		bar[i] = i < full ? '#' : '-';
	bar[BAR_COLUMNS] = '\0';
	row_put(ro, COL_USED, arena_printf(ar, "[%s] %3d%%", bar, used / 10), used >= DIR_ROW_FULL ? CELL_WRONG : CELL_NORMAL);
}

static void fill_told(const struct dir_row *dv, struct row *ro, struct arena *ar)
{
	static const size_t open[] = { COL_USED, COL_SIZE, COL_FREE, COL_REPLICAS, COL_FUTURE, COL_ORPHANS, COL_TOTAL };

	if (!dir_row_is_told(dv)) {
		for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
			row_unknown(ro, open[i]);
		return;
	}
	fill_used(ro, dv->dir, ar);
	fill_size(ro, COL_SIZE, dv->dir->size_bytes, ar);
	fill_size(ro, COL_FREE, dv->dir->usable_bytes, ar);
	fill_size(ro, COL_TOTAL, dv->dir->total_bytes, ar);
	row_count(ro, COL_REPLICAS, dv->dir->n_replicas, CELL_NORMAL, ar);
	row_count(ro, COL_FUTURE, dv->dir->n_future, CELL_BUSY, ar);
	row_count(ro, COL_ORPHANS, dv->dir->n_orphans, CELL_WRONG, ar);
}

static const struct vm_dirs *vm_dirs_of(const struct table *tb)
{
	const struct vm_dirs *vm = tb->vm;

	assert(vm->magic == VM_DIRS_MAGIC);
	return vm;
}

static enum cell_style state_style(const struct dir_row *dv)
{
	return !dv->dir ? CELL_DIM : strcmp(dir_row_state(dv), "online") == 0 ? CELL_NORMAL : CELL_WRONG;
}

static void vm_dirs_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_dirs *vm = vm_dirs_of(tb);
	const struct drow *dr = &vm->rows[i];
	struct dir_row dv = { .cl = vm->cl, .br = cluster_broker_find(vm->cl, dr->broker) };
	const char *host, *why;
	char when[UNITS_TEXT_MAX];

	row_put(out, COL_BROKER, arena_printf(ar, "%d", dr->broker), CELL_NORMAL);
	row_put(out, COL_DIR, dr->is_known ? dr->path : "?", dr->is_known ? CELL_NORMAL : CELL_DIM);
	if (!dv.br)
		return; /* gone since the update */
	dv.dir = dr->is_known ? disks_dir_find(dv.br->disks, dr->path, NULL) : NULL;
	dv.is_old = broker_disks_are_old(vm->cl, dv.br);
	host = dir_row_host(dv.br, ar);
	why = dir_row_why(&dv, vm->now, ar);
	row_put(out, COL_STATE, dir_row_state(&dv), state_style(&dv));
	fill_told(&dv, out, ar);
	row_put(out, COL_TOLD, dv.dir ? arena_strdup(ar, units_moment(when, dv.br->disks_seen, vm->now)) : "-", dv.dir ? CELL_NORMAL : CELL_DIM);
	row_put(out, COL_HOST, host ? host : "?", host ? CELL_NORMAL : CELL_DIM);
	row_put(out, COL_WHY, why ? why : "", CELL_NORMAL);
	if (dv.is_old)
		row_set_old(out);
	else if (dv.dir && dv.dir->error)
		out->style = CELL_WRONG;
}

static const char *vm_dirs_row_key(const struct table *tb, size_t i)
{
	struct vm_dirs *vm = tb->vm;

	str_printf(vm->key, sizeof(vm->key), "%d:%s", vm->rows[i].broker, vm->rows[i].path);
	return vm->key;
}

static size_t vm_dirs_find(const struct table *tb, const char *key)
{
	const struct vm_dirs *vm = vm_dirs_of(tb);
	char id[16];
	int64_t broker;
	size_t n = strcspn(key, ":"), i = 0;

	if (!key[n] || !str_copyn(id, sizeof(id), key, n) || !str_to_i64(id, INT32_MIN, INT32_MAX, &broker))
		return vm->n_rows;
	while (i < vm->n_rows && (vm->rows[i].broker != broker || strncmp(vm->rows[i].path, key + n + 1, sizeof(vm->key) - n - 2) != 0))
		i++;
	return i;
}

/* ---- titles ------------------------------------------------------------------------------------ */

static void vm_dirs_set_title(struct vm_dirs *vm)
{
	struct table *tb = &vm->tb;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	if (vm->qu.n_words > 0)
		strbuf_printf(&sb, "%s shown; ", units_count(a, (int64_t)vm->n_rows));
	strbuf_printf(&sb, "%zu broker%s, %s log dir%s, %s offline", vm->cl->n_brokers, vm->cl->n_brokers == 1 ? "" : "s",
		      units_count(a, (int64_t)vm->n_dirs), vm->n_dirs == 1 ? "" : "s", units_count(b, (int64_t)vm->n_offline));
	if (vm->n_errors > 0)
		strbuf_printf(&sb, ", %s with an error", units_count(a, (int64_t)vm->n_errors));
	if (vm->n_unknown > 0)
		strbuf_printf(&sb, "; %zu broker%s not known", vm->n_unknown, vm->n_unknown == 1 ? "" : "s");
	if (vm->n_old > 0)
		strbuf_printf(&sb, "; %zu broker%s as told before", vm->n_old, vm->n_old == 1 ? "" : "s");
	if (vm->n_orphans > 0)
		strbuf_printf(&sb, "; %s orphan%s", units_count(a, (int64_t)vm->n_orphans), vm->n_orphans == 1 ? "" : "s");
	str_printf(tb->title, sizeof(tb->title), "%s", sb.s);
	tb->title_style = vm->n_offline + vm->n_errors > 0 ? CELL_WRONG : CELL_NORMAL;
	strbuf_fini(&sb);
}

static void vm_dirs_set_empty(struct vm_dirs *vm)
{
	const struct cluster *cl = vm->cl;
	struct table *tb = &vm->tb;
	char count[UNITS_TEXT_MAX];

	if (vm->n_dirs + vm->n_unknown > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s log dir%s, none match%s /%s/", units_count(count, (int64_t)vm->n_dirs),
			   vm->n_dirs == 1 ? "" : "s", vm->n_dirs == 1 ? "es" : "", vm->qu.text);
	else if (cl->n_brokers > 0)
		str_printf(tb->empty, sizeof(tb->empty), "the brokers say that they have no log dirs");
	else if (cluster_brokers_are_known(cl))
		str_printf(tb->empty, sizeof(tb->empty), "no broker is registered that could be asked for its log dirs");
	else
		str_printf(tb->empty, sizeof(tb->empty), "log dirs are asked of the brokers, and which there are is not known yet");
}

/* ---- life --------------------------------------------------------------------------------------- */

struct vm_dirs *vm_dirs_new(const struct cluster *cl)
{
	struct vm_dirs *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_DIRS_MAGIC;
	vm->cl = cl;
	vm->text = arena_new(0);
	query_init(&vm->qu);
	memcpy(vm->cols, vm_dirs_columns, sizeof(vm->cols));
	vm->tb.cols = vm->cols;
	vm->tb.n_cols = COLS;
	vm->tb.sort_col = -1;
	vm->tb.fill = vm_dirs_fill;
	vm->tb.key = vm_dirs_row_key;
	vm->tb.find = vm_dirs_find;
	vm->tb.vm = vm;
	return vm;
}

void vm_dirs_free(struct vm_dirs **pp)
{
	struct vm_dirs *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_DIRS_MAGIC);
	vm->magic = 0;
	arena_free(&vm->text);
	mem_free(&vm->rows);
	mem_free(pp);
}

bool vm_dirs_update(struct vm_dirs *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	const uint32_t bits = CHG_BROKERS | CHG_DISKS | CHG_LINKS | CHG_CLUSTER | CHG_CONN;
	bool is_touched = !vm->is_built || !ch || (ch->bits & bits) || !query_equal(&vm->qu, qu);
	bool ticked = now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	vm->is_built = true;
	if (!is_touched)
		return ticked;
	vm_dirs_sort(vm);
	vm_dirs_set_widths(vm);
	vm_dirs_set_title(vm);
	vm_dirs_set_empty(vm);
	table_set_sort(&vm->tb, &vm->qu, "by use, then broker", COL_BROKER, "broker");
	return true;
}

const struct table *vm_dirs_table(const struct vm_dirs *vm)
{
	return &vm->tb;
}
