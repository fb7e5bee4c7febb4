/* SPDX-License-Identifier: Apache-2.0 */
/* Deletions are some hundreds at most: every update that touches them makes all rows again. */
#include "view/vm_deletions.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/deletion.h"
#include "view/deletion_text.h"

enum { VM_DELETIONS_MAGIC = 0x766d646c };

enum {
	COL_TOPIC, COL_STATE, COL_DONE, COL_WAIT, COL_LEFT, COL_AGE, COL_TRIES, COL_WHY, COL_REPLICAS, COL_RUNNING, COL_UNKNOWN, COL_MARKED, COL_NEXT, COLS
};

enum {
	TOPIC_MIN = 12, TOPIC_WANTED = 24, TOPIC_MAX = 260,
	WHY_MIN = 14, WHY_WANTED = 30, WHY_MAX = 120,
	NEXT_MIN = 20, NEXT_MAX = 160,
	KEY_MAX = VM_DELETIONS_TOPIC_MAX + 24
};

static const int64_t key_unknown = INT64_MAX;

struct delrow {
	const struct deletion *dl;   /* borrowed from the deletions */
	const char *key;             /* "topic/czxid" */
	int64_t sort;
	const char *text;            /* sort by text; NULL otherwise */
};

struct vm_deletions {
	uint32_t magic;
	const struct cluster *cl;
	const struct deletions *ds;
	struct query qu;
	wall_ms now;
	bool is_built;
	struct delrow *rows;
	size_t n_rows;
	struct arena *text;          /* keys, sort texts */
	struct column cols[COLS];
	struct table tb;
};

static const struct column vm_deletions_columns[COLS] = {
	[COL_TOPIC] = { "TOPIC", "topic", .min = TOPIC_MIN, .max = TOPIC_MIN, .grows = true },
	[COL_STATE] = { "STATE", "state", .min = 9, .max = 9 },
	[COL_DONE] = { "DONE", "done", .right = true, .min = 4, .max = 4, .need = 2, .big_first = true },
	[COL_WAIT] = { "WAIT", "waiting", .right = true, .min = 4, .max = 4, .need = 1, .big_first = true },
	[COL_LEFT] = { "LEFT", "bytes_left", .right = true, .min = 8, .max = 8, .need = 3, .big_first = true },
	[COL_AGE] = { "AGE", "age", .right = true, .min = 4, .max = 4, .big_first = true },
	[COL_TRIES] = { "TRY", "attempts", .right = true, .min = 3, .max = 3, .need = 4, .big_first = true },
	[COL_WHY] = { "WHY", "why", .min = WHY_MIN, .max = WHY_MIN, .grows = true },
	[COL_REPLICAS] = { "REPL", "replicas", .right = true, .min = 4, .max = 4, .need = 6, .big_first = true },
	[COL_RUNNING] = { "RUN", "running", .right = true, .min = 3, .max = 3, .need = 7, .big_first = true },
	[COL_UNKNOWN] = { "UNKN", "unknown", .right = true, .min = 4, .max = 4, .need = 8, .big_first = true },
	[COL_MARKED] = { "ASKED FOR", "marked", .min = 10, .max = 10, .need = 9 },
	[COL_NEXT] = { "NEXT", "next", .min = NEXT_MIN, .max = NEXT_MIN, .need = 5, .grows = true },
};

/* ---- filter words --------------------------------------------------------------------------- */

enum { WORD_WAITING, WORD_QUEUED, WORD_RUNNING, WORD_ENDED, WORD_UNSURE, WORD_BROKER_DOWN, WORD_DIR_OFFLINE, WORD_REASSIGNING, WORD_CONTROLLER };

const struct query_own vm_deletions_words[] = {
	[WORD_WAITING] = { "waiting", "it stands still until something happens" },
	[WORD_QUEUED] = { "queued", "it was asked for, and the controller has not begun" },
	[WORD_RUNNING] = { "running", "it goes on by itself" },
	[WORD_ENDED] = { "ended", "it is over, in whichever way" },
	[WORD_UNSURE] = { "unsure", "of some replica it is not certain how far it is" },
	[WORD_BROKER_DOWN] = { "broker-down", "it waits for a broker that is not registered, or does not answer" },
	[WORD_DIR_OFFLINE] = { "log-dir-offline", "it waits for a log dir" },
	[WORD_REASSIGNING] = { "reassigning", "a reassignment is in its way" },
	[WORD_CONTROLLER] = { "controller", "the controller is absent, silent, or does nothing about it" },
};
const size_t vm_deletions_n_words = sizeof(vm_deletions_words) / sizeof(vm_deletions_words[0]);

static bool has_blocker(const struct deletion *dl, enum blocker_kind a, enum blocker_kind b)
{
	for (size_t i = 0; i < dl->n_blockers; i++)
		if (dl->blockers[i].kind == a || dl->blockers[i].kind == b)
			return true;
	return false;
}

static bool is_unsure(const struct deletion *dl)
{
	for (size_t i = 0; i < dl->n_replicas; i++)
		if (dl->replicas[i].phase_certainty != CERTAINTY_CERTAIN)
			return true;
	return false;
}

static bool word_holds(const struct deletion *dl, size_t word)
{
	switch (word) {
	case WORD_WAITING: return dl->state == DELETION_WAITING;
	case WORD_QUEUED: return dl->state == DELETION_QUEUED;
	case WORD_RUNNING: return dl->state == DELETION_RUNNING || dl->state == DELETION_FINISHING;
	case WORD_ENDED: return deletion_state_is_end(dl->state);
	case WORD_UNSURE: return !deletion_state_is_end(dl->state) && is_unsure(dl);
	case WORD_BROKER_DOWN: return has_blocker(dl, BLOCKER_BROKER_DOWN, BLOCKER_BROKER_SILENT);
	case WORD_DIR_OFFLINE: return has_blocker(dl, BLOCKER_LOG_DIR_OFFLINE, BLOCKER_LOG_DIR_OFFLINE);
	case WORD_REASSIGNING: return has_blocker(dl, BLOCKER_REASSIGNING, BLOCKER_REASSIGNING);
	case WORD_CONTROLLER:
		return has_blocker(dl, BLOCKER_CONTROLLER_ABSENT, BLOCKER_CONTROLLER_SILENT) ||
		       has_blocker(dl, BLOCKER_INELIGIBLE_LEFT_OVER, BLOCKER_NO_TRIGGER);
	default: return false;
	}
}

static enum verdict holds(const void *row, size_t word)
{
	return word_holds(row, word) ? VERDICT_YES : VERDICT_NO;
}

/* ---- order ---------------------------------------------------------------------------------- */

static int64_t rank_of(const struct deletion *dl)
{
	static const uint8_t ranks[DELETION_STATES] = {
		[DELETION_WAITING] = 0, [DELETION_QUEUED] = 1, [DELETION_RUNNING] = 2, [DELETION_FINISHING] = 3,
		[DELETION_RESURRECTED] = 4, [DELETION_REFUSED] = 4, [DELETION_MARKER_REMOVED] = 4, [DELETION_RECREATED] = 5, [DELETION_DONE] = 5,
	};

	return ranks[dl->state];
}

/* Since it was asked for; of one that is over since its end. */
static int64_t age_of(const struct vm_deletions *vm, const struct deletion *dl)
{
	return vm->now.ms - (deletion_state_is_end(dl->state) && dl->ended_at.ms ? dl->ended_at.ms : dl->marked_at.ms);
}

static int64_t key_of(const struct vm_deletions *vm, const struct deletion *dl, int col)
{
	switch (col) {
	case COL_STATE: return rank_of(dl);
	case COL_DONE: return dl->n_by_phase[PHASE_DONE];
	case COL_WAIT: return dl->n_by_phase[PHASE_WAITING];
	case COL_RUNNING: return dl->n_by_phase[PHASE_RUNNING];
	case COL_UNKNOWN: return dl->n_by_phase[PHASE_UNKNOWN];
	case COL_REPLICAS: return (int64_t)dl->n_replicas;
	case COL_LEFT: return dl->bytes_left < 0 ? key_unknown : dl->bytes_left;
	case COL_AGE: return dl->marked_at.ms ? age_of(vm, dl) : key_unknown;
	case COL_TRIES: return dl->is_followed || dl->n_attempts ? (int64_t)dl->n_attempts : key_unknown;
	case COL_MARKED: return dl->marked_at.ms ? dl->marked_at.ms : key_unknown;
	default: return 0;
	}
}

static int cmp_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* The view's own order. */
static int cmp_own(const struct delrow *x, const struct delrow *y)
{
	const struct deletion *a = x->dl, *b = y->dl;
	int cmp = cmp_i64(rank_of(a), rank_of(b));

	if (!cmp && deletion_state_is_end(a->state))
		cmp = cmp_i64(b->ended_at.ms, a->ended_at.ms);
	else if (!cmp)
		cmp = cmp_i64(a->marked_at.ms ? a->marked_at.ms : INT64_MAX, b->marked_at.ms ? b->marked_at.ms : INT64_MAX);
	return cmp ? cmp : strcmp(x->key, y->key);
}

static int delrow_cmp(const void *a, const void *b)
{
	const struct delrow *x = a, *y = b;
	int cmp = cmp_i64(x->sort, y->sort);

	if (!cmp && x->text && y->text)
		cmp = strcmp(x->text, y->text);
	return cmp ? cmp : cmp_own(x, y);
}

static int delrow_cmp_desc(const void *a, const void *b)
{
	const struct delrow *x = a, *y = b;
	int cmp;

	if (x->sort == key_unknown || y->sort == key_unknown)
		return delrow_cmp(a, b); /* unknown stays last */
	cmp = cmp_i64(y->sort, x->sort);
	if (!cmp && x->text && y->text)
		cmp = strcmp(y->text, x->text);
	return cmp ? cmp : cmp_own(x, y);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *text_key(const struct deletion *dl, int col)
{
	return col == COL_TOPIC ? dl->topic : col == COL_WHY ? dl->why : col == COL_NEXT ? dl->next : NULL;
}

static void make_rows(struct vm_deletions *vm)
{
	size_t n = vm->ds ? deletions_count(vm->ds) : 0;
	int col = vm->qu.sort_col;

	arena_clear(vm->text);
	vm->rows = mem_realloc_array(vm->rows, n + 1, sizeof(*vm->rows));
	vm->n_rows = 0;
	for (size_t i = 0; i < n; i++) {
		const struct deletion *dl = deletions_at(vm->ds, i);
		const char *hay = arena_printf(vm->text, "%s %s %s", dl->topic, deletion_state_name(dl->state), dl->why ? dl->why : "");

		if (vm->qu.n_words > 0 && query_row(&vm->qu, vm_deletions_words, vm_deletions_n_words, holds, dl, hay) != VERDICT_YES)
			continue;
		vm->rows[vm->n_rows++] = (struct delrow){
			.dl = dl,
			.key = arena_printf(vm->text, "%s/%lld", dl->topic, (long long)dl->czxid),
			.sort = col < 0 ? 0 : key_of(vm, dl, col),
			.text = col < 0 ? NULL : text_key(dl, col),
		};
	}
	if (vm->n_rows > 1)
		qsort(vm->rows, vm->n_rows, sizeof(*vm->rows), col >= 0 && vm->qu.sort_desc ? delrow_cmp_desc : delrow_cmp);
	vm->tb.n_rows = vm->n_rows;
}

/* ---- widths ------------------------------------------------------------------------------------ */

static void widen(size_t *width, size_t columns)
{
	*width = columns > *width ? columns : *width;
}

static uint16_t between(size_t n, size_t low, size_t high)
{
	return (uint16_t)(n < low ? low : n > high ? high : n);
}

static void set_widths(struct vm_deletions *vm)
{
	size_t topic = TOPIC_MIN, why = WHY_MIN, next = NEXT_MIN, count = 4, tries = 3;
	struct column *cols = vm->cols;
	struct arena *ar = arena_new(0);

	for (size_t i = 0; vm->ds && i < deletions_count(vm->ds); i++) {
		const struct deletion *dl = deletions_at(vm->ds, i);

		widen(&topic, utf8_columns(dl->topic));
		widen(&why, utf8_columns(deletion_why_text(dl, vm->now, ar)));
		widen(&next, utf8_columns(dl->next ? dl->next : ""));
		widen(&count, table_count_columns(dl->n_replicas));
		widen(&tries, table_count_columns(dl->n_attempts));
	}
	arena_free(&ar);
	cols[COL_TOPIC].min = between(topic, TOPIC_MIN, TOPIC_WANTED);
	cols[COL_TOPIC].max = between(topic, TOPIC_MIN, TOPIC_MAX);
	cols[COL_WHY].min = between(why, WHY_MIN, WHY_WANTED);
	cols[COL_WHY].max = between(why, WHY_MIN, WHY_MAX);
	cols[COL_NEXT].max = between(next, NEXT_MIN, NEXT_MAX);
	cols[COL_DONE].min = cols[COL_DONE].max = cols[COL_WAIT].min = cols[COL_WAIT].max = (uint16_t)count;
	cols[COL_REPLICAS].min = cols[COL_REPLICAS].max = cols[COL_UNKNOWN].min = cols[COL_UNKNOWN].max = (uint16_t)count;
	cols[COL_TRIES].min = cols[COL_TRIES].max = (uint16_t)tries;
}

/* ---- cells --------------------------------------------------------------------------------------- */

static const struct vm_deletions *vm_deletions_of(const struct table *tb)
{
	const struct vm_deletions *vm = tb->vm;

	assert(vm->magic == VM_DELETIONS_MAGIC);
	return vm;
}

static void fill_numbers(const struct vm_deletions *vm, const struct deletion *dl, struct row *out, struct arena *ar)
{
	bool is_known = dl->n_replicas > 0;

	if (!is_known) {
		static const size_t open[] = { COL_DONE, COL_WAIT, COL_RUNNING, COL_UNKNOWN, COL_REPLICAS };

		for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
			row_unknown(out, open[i]);
	} else {
		row_count(out, COL_DONE, dl->n_by_phase[PHASE_DONE], CELL_NORMAL, ar);
		row_count(out, COL_WAIT, dl->n_by_phase[PHASE_WAITING], CELL_WRONG, ar);
		row_count(out, COL_RUNNING, dl->n_by_phase[PHASE_RUNNING], CELL_BUSY, ar);
		row_count(out, COL_UNKNOWN, dl->n_by_phase[PHASE_UNKNOWN], CELL_NORMAL, ar);
		row_count(out, COL_REPLICAS, (int64_t)dl->n_replicas, CELL_NORMAL, ar);
	}
	if (dl->bytes_left < 0)
		row_unknown(out, COL_LEFT);
	else
		row_bytes(out, COL_LEFT, dl->bytes_left, CELL_NORMAL, ar);
	if (dl->is_followed || dl->n_attempts > 0)
		row_count_so_far(out, COL_TRIES, (int64_t)dl->n_attempts, dl->is_followed, CELL_NORMAL, ar);
	else
		row_unknown(out, COL_TRIES);
	if (dl->marked_at.ms) {
		char age[UNITS_TEXT_MAX], when[UNITS_TEXT_MAX];

		row_put(out, COL_AGE, arena_strdup(ar, units_age(age, age_of(vm, dl))), CELL_NORMAL);
		row_put(out, COL_MARKED, arena_strdup(ar, units_moment(when, dl->marked_at, vm->now)), CELL_NORMAL);
	} else {
		row_unknown(out, COL_AGE);
		row_unknown(out, COL_MARKED);
	}
}

static void vm_deletions_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct vm_deletions *vm = vm_deletions_of(tb);
	const struct deletion *dl = vm->rows[i].dl;

	row_put(out, COL_TOPIC, dl->topic, CELL_NORMAL);
	row_put(out, COL_STATE, deletion_state_short(dl), deletion_state_style(dl));
	fill_numbers(vm, dl, out, ar);
	row_put(out, COL_WHY, deletion_why_text(dl, vm->now, ar), CELL_NORMAL);
	row_put(out, COL_NEXT, dl->next ? dl->next : "", CELL_NORMAL);
	if (dl->state == DELETION_DONE)
		out->style = CELL_DIM;
	if (cluster_is_stale(vm->cl))
		row_set_old(out);
}

static const char *vm_deletions_row_key(const struct table *tb, size_t i)
{
	return vm_deletions_of(tb)->rows[i].key;
}

static size_t vm_deletions_find(const struct table *tb, const char *key)
{
	const struct vm_deletions *vm = vm_deletions_of(tb);
	size_t i = 0;

	while (i < vm->n_rows && strcmp(vm->rows[i].key, key) != 0)
		i++;
	return i;
}

bool vm_deletions_key_parse(const char *key, char topic[VM_DELETIONS_TOPIC_MAX], int64_t *czxid)
{
	const char *slash = strrchr(key, '/');

	return slash && str_copyn(topic, VM_DELETIONS_TOPIC_MAX, key, (size_t)(slash - key)) && str_to_i64(slash + 1, INT64_MIN, INT64_MAX, czxid);
}

const struct deletion *deletion_of_key(const struct deletions *ds, const char *key)
{
	char topic[VM_DELETIONS_TOPIC_MAX];
	int64_t czxid;

	if (!ds || !vm_deletions_key_parse(key, topic, &czxid))
		return NULL;
	for (size_t i = 0; i < deletions_count(ds); i++)
		if (deletions_at(ds, i)->czxid == czxid && !strcmp(deletions_at(ds, i)->topic, topic))
			return deletions_at(ds, i);
	return NULL;
}

/* ---- titles ------------------------------------------------------------------------------------------ */

struct sums {
	size_t queued, by_state[DELETION_STATES];
	uint64_t replicas, left;
	int64_t bytes;
	bool is_whole;       /* every size is known */
};

static struct sums sums_of(const struct vm_deletions *vm)
{
	struct sums su = { .is_whole = true };

	for (size_t i = 0; vm->ds && i < deletions_count(vm->ds); i++) {
		const struct deletion *dl = deletions_at(vm->ds, i);

		su.by_state[dl->state]++;
		if (deletion_state_is_end(dl->state))
			continue;
		su.queued++;
		su.replicas += dl->n_replicas;
		su.left += dl->n_replicas - dl->n_by_phase[PHASE_DONE];
		su.bytes = disk_bytes_plus(su.bytes, dl->bytes_left);
		su.is_whole &= dl->bytes_left >= 0 && dl->n_replicas > 0;
	}
	return su;
}

static void set_title(struct vm_deletions *vm)
{
	struct sums su = sums_of(vm);
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];
	size_t ended = 0, more = cluster_unfollowed(vm->cl);
	struct table *tb = &vm->tb;
	struct strbuf sb;

	for (size_t i = DELETION_DONE; i < DELETION_STATES; i++)
		ended += su.by_state[i];
	strbuf_init(&sb);
	if (vm->qu.n_words > 0)
		strbuf_printf(&sb, "%s shown; ", units_count(a, (int64_t)vm->n_rows));
	strbuf_printf(&sb, "%s topic%s queued", units_count(a, (int64_t)su.queued), su.queued == 1 ? "" : "s");
	deletion_put_counts(&sb, ": ", su.by_state);
	if (su.queued > 0 && su.replicas > 0)
		strbuf_printf(&sb, "; %s of %s replicas left", units_count(a, (int64_t)su.left), units_count(b, (int64_t)su.replicas));
	if (su.queued > 0)
		strbuf_printf(&sb, ", %s", units_bytes_so_far(a, su.bytes, su.is_whole));
	if (more > 0)
		strbuf_printf(&sb, "; %s more queued, not followed", units_count(a, (int64_t)more));
	if (ended > 0)
		strbuf_printf(&sb, "; %s ended", units_count(a, (int64_t)ended));
	str_printf(tb->title, sizeof(tb->title), "%s", sb.s);
	strbuf_fini(&sb);
	tb->title_style = su.by_state[DELETION_WAITING] + su.by_state[DELETION_RESURRECTED] + more > 0 ? CELL_WRONG : CELL_NORMAL;
}

static void set_empty(struct vm_deletions *vm)
{
	const struct cluster *cl = vm->cl;
	size_t n = vm->ds ? deletions_count(vm->ds) : 0;
	struct table *tb = &vm->tb;
	char count[UNITS_TEXT_MAX];

	if (n > 0)
		str_printf(tb->empty, sizeof(tb->empty), "%s deletion%s, none match%s /%s/", units_count(count, (int64_t)n), n == 1 ? "" : "s", n == 1 ? "es" : "", vm->qu.text);
	else if (cl->markers_fact.know == KNOW_UNREADABLE)
		str_printf(tb->empty, sizeof(tb->empty), "/admin/delete_topics can't be read: %s", why_text(cl->markers_why));
	else if (cl->markers_fact.know == KNOW_UNKNOWN)
		str_printf(tb->empty, sizeof(tb->empty), "which topics are queued for deletion is not known yet");
	else
		str_printf(tb->empty, sizeof(tb->empty), "no topic is queued for deletion");
}

/* ---- life ---------------------------------------------------------------------------------------------- */

struct vm_deletions *vm_deletions_new(const struct cluster *cl)
{
	struct vm_deletions *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_DELETIONS_MAGIC;
	vm->cl = cl;
	vm->text = arena_new(0);
	query_init(&vm->qu);
	memcpy(vm->cols, vm_deletions_columns, sizeof(vm->cols));
	vm->tb = (struct table){ .cols = vm->cols, .n_cols = COLS, .sort_col = -1, .fill = vm_deletions_fill, .key = vm_deletions_row_key,
				 .find = vm_deletions_find, .vm = vm };
	return vm;
}

void vm_deletions_free(struct vm_deletions **pp)
{
	struct vm_deletions *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_DELETIONS_MAGIC);
	vm->magic = 0;
	arena_free(&vm->text);
	mem_free(&vm->rows);
	mem_free(pp);
}

void vm_deletions_take(struct vm_deletions *vm, const struct deletions *ds)
{
	vm->ds = ds;
	vm->is_built = false;
}

bool vm_deletions_update(struct vm_deletions *vm, const struct changes *ch, const struct query *qu, wall_ms now)
{
	const uint32_t bits = CHG_DELETIONS | CHG_TOPICS | CHG_TOPIC | CHG_BROKERS | CHG_DISKS | CHG_METADATA | CHG_CLUSTER | CHG_CONN | CHG_LINKS | CHG_REASSIGN;
	bool is_touched = !vm->is_built || !ch || (ch->bits & bits) || !query_equal(&vm->qu, qu);
	bool ticked = now.ms / 1000 != vm->now.ms / 1000;

	vm->qu = *qu;
	vm->now = now;
	vm->is_built = true;
	if (!is_touched && !ticked)
		return false;
	make_rows(vm);
	set_widths(vm);
	set_title(vm);
	set_empty(vm);
	table_set_sort(&vm->tb, &vm->qu, "waiting first, then by age", COL_TOPIC, "topic");
	return true;
}

const struct table *vm_deletions_table(const struct vm_deletions *vm)
{
	return &vm->tb;
}
