/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_journal.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/outcome.h"

enum { VM_JOURNAL_MAGIC = 0x766d6a6e, CLUSTER_COLUMNS = 7 };

enum { COL_WHEN, COL_USER, COL_COMMAND, COL_OUTCOME, COL_CLUSTER, COL_HOST, COL_WHAT, COLS };

enum { USER_MIN = 6, USER_MAX = 16, HOST_MAX = 24, OUTCOME_MIN = 15, OUTCOME_MAX = 24, WHAT_MIN = 32, WHAT_MAX = 400 };

/* A command. Texts are in vm->text. */
struct jrow {
	const char *id, *user, *host, *command, *cluster, *outcome, *what;
	wall_ms at;
	uint8_t style;
	bool is_unknown, is_refused, is_queued;
	/* While rows are made. */
	const struct record *first;
	size_t taken, refused, unknown;
	const char *why;          /* text of the first refusal */
};

struct vm_journal {
	uint32_t magic;
	struct query qu;
	wall_ms now;
	uint64_t version, running; /* of the facts that the rows are made from; version 0: not made yet */
	struct arena *text;
	struct jrow *rows;
	size_t n_rows, n_all, n_unknown, cap;
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_journal_columns[COLS] = {
	[COL_WHEN] = { "WHEN", "at", .min = 10, .max = 10, .big_first = true },
	[COL_USER] = { "USER", "user", .min = USER_MIN, .max = USER_MIN, .need = 1 },
	[COL_COMMAND] = { "COMMAND", "command", .min = 15, .max = 15, .need = 2 },
	[COL_OUTCOME] = { "OUTCOME", "outcome", .min = OUTCOME_MIN, .max = OUTCOME_MIN },
	[COL_CLUSTER] = { "CLUSTER", "cluster", .min = CLUSTER_COLUMNS, .max = CLUSTER_COLUMNS, .need = 4 },
	[COL_HOST] = { "HOST", "host", .min = 8, .max = 8, .need = 3 },
	[COL_WHAT] = { "WHAT", "what", .min = WHAT_MIN, .max = WHAT_MAX, .grows = true },
};

/* ---- filter and order ---------------------------------------------------------------------------- */

const struct query_own vm_journal_words[] = {
	{ "unknown", "what came of it is not known" },
	{ "refused", "it was refused, or some of it was" },
	{ "queued", "the cluster took it, or some of it" },
};
const size_t vm_journal_n_words = sizeof(vm_journal_words) / sizeof(vm_journal_words[0]);

static enum verdict holds(const void *row, size_t i)
{
	const struct jrow *ro = row;

	return (i == 0 ? ro->is_unknown : i == 1 ? ro->is_refused : ro->is_queued) ? VERDICT_YES : VERDICT_NO;
}

static const char *text_of(const struct jrow *ro, int col)
{
	switch (col) {
	case COL_USER:
		return ro->user;
	case COL_COMMAND:
		return ro->command;
	case COL_OUTCOME:
		return ro->outcome;
	case COL_CLUSTER:
		return ro->cluster;
	case COL_HOST:
		return ro->host;
	case COL_WHAT:
		return ro->what;
	default:
		return "";
	}
}

/* Newest first; ids grow with time, which may stand still. */
static int cmp_own(const struct jrow *x, const struct jrow *y)
{
	if (x->at.ms != y->at.ms)
		return x->at.ms > y->at.ms ? -1 : 1;
	return strcmp(y->id, x->id);
}

struct order {
	int col;
	bool desc;
};

static int cmp(const struct jrow *x, const struct jrow *y, const struct order *by)
{
	int c = by->col < 0 || by->col == COL_WHEN ? 0 : strcmp(text_of(x, by->col), text_of(y, by->col));

	if (by->col == COL_WHEN)
		return by->desc ? cmp_own(x, y) : -cmp_own(x, y);
	return c ? (by->desc ? -c : c) : cmp_own(x, y);
}

/* A merge sort: stable, and told what to sort by. */
static void sort(struct jrow *v, struct jrow *spare, size_t n, const struct order *by)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort(v, spare, half, by);
	sort(v + half, spare, n - half, by);
	while (i < half && j < n)
		spare[k++] = cmp(&v[j], &v[i], by) < 0 ? v[j++] : v[i++];
	while (i < half)
		spare[k++] = v[i++];
	memcpy(v, spare, k * sizeof(*v));
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static struct jrow *row_of(struct vm_journal *vm, struct map *by_id, const struct record *re)
{
	char id[RECORD_ID_MAX];
	struct jrow *ro;
	size_t at;

	record_id_text(id, re->id);
	at = (size_t)(uintptr_t)map_find(by_id, id);
	if (at > 0)
		return &vm->rows[at - 1];
	if (vm->n_rows == vm->cap) {
		vm->cap = vm->cap > 0 ? 2 * vm->cap : 64;
		vm->rows = mem_realloc_array(vm->rows, vm->cap, sizeof(*vm->rows));
	}
	ro = &vm->rows[vm->n_rows++];
	*ro = (struct jrow){ .id = arena_strdup(vm->text, id), .first = re, .at = re->at };
	map_set(by_id, id, (void *)(uintptr_t)vm->n_rows);
	return ro;
}

static void add_record(struct vm_journal *vm, struct map *by_id, const struct record *re)
{
	struct jrow *ro = row_of(vm, by_id, re);

	ro->is_refused |= re->phase == RECORD_REFUSED;
	if (re->phase != RECORD_OUTCOME)
		return;
	for (size_t i = 0; i < re->n_items; i++) {
		ro->taken += re->items[i].outcome == OUTCOME_DONE;
		ro->refused += re->items[i].outcome == OUTCOME_REFUSED;
		ro->unknown += re->items[i].outcome == OUTCOME_UNKNOWN;
		if (re->items[i].outcome == OUTCOME_REFUSED && ro->why == NULL)
			ro->why = re->items[i].text;
	}
}

static bool is_move(const struct record *re)
{
	return re->command != NULL && strcmp(re->command, "move-controller") == 0;
}

static void put_part(struct strbuf *out, size_t n, const char *word)
{
	if (n > 0)
		strbuf_printf(out, "%s%zu %s", out->len > 0 ? ", " : "", n, word);
}

static void put_outcome(struct strbuf *out, const struct jrow *ro, size_t n_open, bool is_running, bool is_elsewhere)
{
	if (ro->first->phase == RECORD_REFUSED) {
		strbuf_put(out, "refused");
		return;
	}
	if (n_open > 0 && is_elsewhere)
		strbuf_printf(out, "under way, process %lld", (long long)ro->first->who.pid);
	else if (n_open > 0 && !is_running)
		strbuf_put(out, "OUTCOME UNKNOWN");
	else if (n_open > 0)
		strbuf_put(out, "under way");
	if (is_move(ro->first)) {
		strbuf_put(out, ro->taken ? "elected anew" : ro->refused ? "refused" : ro->unknown ? "OUTCOME UNKNOWN" : "");
		return;
	}
	put_part(out, ro->unknown, "unknown");
	put_part(out, ro->refused, "refused");
	put_part(out, ro->taken, "queued");
}

static const char *what_of(struct vm_journal *vm, const struct jrow *ro)
{
	const char *effect = ro->first->effect != NULL ? ro->first->effect : "", *why = ro->first->text;

	if (ro->first->phase == RECORD_INTENT || why == NULL)
		return arena_printf(vm->text, "%s%s%s", effect, ro->why != NULL ? "; " : "", ro->why != NULL ? ro->why : "");
	return arena_printf(vm->text, "%s%s%s", why, *effect ? ": " : "", effect);
}

/* After its last record. */
static void finish_row(struct vm_journal *vm, struct jrow *ro, const struct journal_facts *jf)
{
	const struct record *re = ro->first, *in = intents_find(jf->open, re->id);
	size_t n_open = in != NULL ? intent_n_open(in) : 0;
	bool is_elsewhere = n_open > 0 && jf->running != re->id && jf->is_elsewhere != NULL && jf->is_elsewhere(in, vm->now);
	bool is_running = jf->running == re->id || is_elsewhere;
	struct strbuf out;

	strbuf_init(&out);
	put_outcome(&out, ro, n_open, is_running, is_elsewhere);
	ro->outcome = arena_strdup(vm->text, out.s);
	strbuf_fini(&out);
	ro->user = re->who.login != NULL ? arena_strdup(vm->text, re->who.login) : "?";
	ro->host = re->who.host != NULL ? arena_strdup(vm->text, re->who.host) : "?";
	ro->command = re->command != NULL ? arena_strdup(vm->text, re->command) : "?";
	ro->cluster = re->cluster_id != NULL ? arena_strndup(vm->text, re->cluster_id, CLUSTER_COLUMNS - 1) : "?";
	ro->what = what_of(vm, ro);
	ro->is_unknown = (n_open > 0 && !is_running) || ro->unknown > 0;
	ro->is_refused |= ro->refused > 0;
	ro->is_queued = ro->taken > 0;
	ro->style = ro->is_unknown ? CELL_WRONG : n_open > 0 ? CELL_BUSY : CELL_NORMAL;
	vm->n_unknown += ro->is_unknown;
}

static bool is_shown(const struct vm_journal *vm, const struct jrow *ro, struct arena *ar)
{
	arena_clear(ar);
	return query_row(&vm->qu, vm_journal_words, vm_journal_n_words, holds, ro,
		arena_printf(ar, "%s %s %s %s %s %s %s", ro->id, ro->user, ro->host, ro->command, ro->outcome, ro->cluster, ro->what)) == VERDICT_YES;
}

static void keep_shown(struct vm_journal *vm)
{
	struct arena *ar = arena_new(0);
	size_t n = 0;

	for (size_t i = 0; i < vm->n_rows; i++)
		if (vm->qu.n_words == 0 || is_shown(vm, &vm->rows[i], ar))
			vm->rows[n++] = vm->rows[i];
	vm->n_rows = n;
	arena_free(&ar);
}

static void make_rows(struct vm_journal *vm, const struct journal_facts *jf)
{
	struct order by = { vm->qu.sort_col < COLS ? vm->qu.sort_col : -1, vm->qu.sort_desc };
	struct map *by_id = map_new();
	struct jrow *spare;

	arena_clear(vm->text);
	vm->n_rows = vm->n_unknown = 0;
	for (size_t i = 0; i < jf->n; i++)
		add_record(vm, by_id, jf->records[i]);
	map_free(&by_id, NULL);
	for (size_t i = 0; i < vm->n_rows; i++)
		finish_row(vm, &vm->rows[i], jf);
	vm->n_all = vm->n_rows;
	keep_shown(vm);
	if (vm->n_rows > 1) {
		spare = mem_array(vm->n_rows, sizeof(*spare));
		sort(vm->rows, spare, vm->n_rows, &by);
		mem_free(&spare);
	}
	vm->tb.n_rows = vm->n_rows;
}

/* ---- around the rows --------------------------------------------------------------------------------------- */

static void widen(struct column *co, const char *text, size_t max)
{
	size_t columns = utf8_columns(text);

	columns = columns < max ? columns : max;
	if (columns > co->max)
		co->min = co->max = (uint16_t)columns;
}

static void set_widths(struct vm_journal *vm)
{
	struct column *cols = vm->cols;

	memcpy(cols, vm_journal_columns, sizeof(vm->cols));
	for (size_t i = 0; i < vm->n_rows; i++) {
		widen(&cols[COL_USER], vm->rows[i].user, USER_MAX);
		widen(&cols[COL_HOST], vm->rows[i].host, HOST_MAX);
		widen(&cols[COL_OUTCOME], vm->rows[i].outcome, OUTCOME_MAX);
	}
}

static void set_title(struct vm_journal *vm, const struct journal_facts *jf)
{
	char n[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX];
	struct table *tb = &vm->tb;
	struct strbuf out;

	strbuf_init(&out);
	strbuf_printf(&out, "%s command%s in the journal", units_count(n, (int64_t)vm->n_all), vm->n_all == 1 ? "" : "s");
	if (vm->n_unknown > 0)
		strbuf_printf(&out, ", outcome unknown of %s", units_count(n, (int64_t)vm->n_unknown));
	if (jf->n_bad > 0)
		strbuf_printf(&out, ", %s line%s no record (byte %s)", units_count(n, (int64_t)jf->n_bad), jf->n_bad == 1 ? " is" : "s are",
			      units_count(at, (int64_t)jf->bad_at));
	if (jf->n_left_out > 0)
		strbuf_printf(&out, ", %s older records left out", units_count(n, (int64_t)jf->n_left_out));
	str_printf(tb->title, sizeof(tb->title), "%s", jf->error != NULL ? jf->error : out.s);
	strbuf_fini(&out);
	tb->title_style = jf->error != NULL || vm->n_unknown > 0 || jf->n_bad > 0 ? CELL_WRONG : CELL_NORMAL;
	if (jf->error != NULL)
		str_printf(tb->empty, sizeof(tb->empty), "%s", jf->error);
	else if (vm->n_all > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s commands, none match /%s/", units_count(n, (int64_t)vm->n_all), vm->qu.text);
	else
		str_printf(tb->empty, sizeof(tb->empty), "nothing was asked of a cluster from this account on this host");
	table_set_sort(tb, &vm->qu, "newest first", COL_WHEN, "newest");
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static const struct vm_journal *vm_journal_of(const struct table *tb)
{
	const struct vm_journal *vm = tb->vm;

	assert(vm->magic == VM_JOURNAL_MAGIC);
	return vm;
}

static void vm_journal_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_journal *vm = vm_journal_of(tb);
	const struct jrow *ro = &vm->rows[i];
	char when[UNITS_TEXT_MAX];

	row_put(out, COL_WHEN, arena_strdup(ar, units_moment(when, ro->at, vm->now)), CELL_NORMAL);
	row_put(out, COL_USER, ro->user, CELL_NORMAL);
	row_put(out, COL_COMMAND, ro->command, CELL_NORMAL);
	row_put(out, COL_OUTCOME, ro->outcome, ro->style);
	row_put(out, COL_CLUSTER, ro->cluster, CELL_NORMAL);
	row_put(out, COL_HOST, ro->host, CELL_NORMAL);
	row_put(out, COL_WHAT, ro->what, CELL_NORMAL);
}

static const char *vm_journal_key(const struct table *tb, size_t i)
{
	return vm_journal_of(tb)->rows[i].id;
}

static size_t vm_journal_find(const struct table *tb, const char *key)
{
	const struct vm_journal *vm = vm_journal_of(tb);
	size_t i = 0;

	while (i < vm->n_rows && strcmp(vm->rows[i].id, key) != 0)
		i++;
	return i;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

struct vm_journal *vm_journal_new(void)
{
	struct vm_journal *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_JOURNAL_MAGIC;
	query_init(&vm->qu);
	vm->text = arena_new(0);
	memcpy(vm->cols, vm_journal_columns, sizeof(vm->cols));
	vm->tb = (struct table){ .cols = vm->cols, .n_cols = COLS, .sort_col = -1, .fill = vm_journal_fill, .key = vm_journal_key, .find = vm_journal_find, .vm = vm };
	return vm;
}

void vm_journal_free(struct vm_journal **pp)
{
	struct vm_journal *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_JOURNAL_MAGIC);
	vm->magic = 0;
	arena_free(&vm->text);
	mem_free(&vm->rows);
	mem_free(pp);
}

bool vm_journal_update(struct vm_journal *vm, const struct journal_facts *jf, const struct query *qu, wall_ms now)
{
	bool has_ticked = now.ms / 1000 != vm->now.ms / 1000;

	vm->now = now;
	if (jf->version != 0 && jf->version == vm->version && jf->running == vm->running && query_equal(&vm->qu, qu))
		return has_ticked; /* when it was is told by the time that is now */
	vm->qu = *qu;
	vm->version = jf->version;
	vm->running = jf->running;
	make_rows(vm, jf);
	set_widths(vm);
	set_title(vm, jf);
	return true;
}

const struct table *vm_journal_table(const struct vm_journal *vm)
{
	return &vm->tb;
}
