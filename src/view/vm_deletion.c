/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_deletion.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/deletion.h"
#include "view/deletion_text.h"
#include "view/page.h"
#include "view/vm_deletions.h"

enum { VM_DELETION_MAGIC = 0x766d4465, LABEL_COLUMNS = 8, ATTEMPTS_SHOWN = 50, ABREAST_MAX = 16 };

struct vm_deletion {
	uint32_t magic;
	const struct cluster *cl;
	const struct deletions *ds;
	char *key;
	char topic[VM_DELETIONS_TOPIC_MAX];
	int32_t partition;      /* -1: the whole */
	wall_ms now;
	bool is_built;
	struct page page;
};

/* ---- sentences --------------------------------------------------------------------------------- */

/* "broker 7 is down" as a sentence of its own. */
static const char *as_sentence(struct arena *ar, const char *text)
{
	char *s = arena_strdup(ar, text);
	size_t n = strlen(s);

	if (n == 0)
		return s;
	s[0] = (char)toupper((unsigned char)s[0]);
	return s[n - 1] == '.' ? s : arena_printf(ar, "%s.", s);
}

static void put_blocker(struct vm_deletion *vm, const struct deletion *dl, const struct deletion_blocker *bl, const char *label)
{
	struct arena *ar = vm->page.text;
	const char *text = bl->text ? bl->text : blocker_kind_name(bl->kind);
	char when[UNITS_TEXT_MAX], ago[UNITS_TEXT_MAX];

	if (bl->since.ms)
		text = arena_printf(ar, "%s, %s %s (%s)", text, bl->since_exact ? "since" : "since at least", units_moment(when, bl->since, vm->now),
				    units_dur(ago, vm->now.ms - bl->since.ms));
	text = as_sentence(ar, text);
	if (bl->n_replicas > 0)
		text = arena_printf(ar, "%s %s of the %s replicas wait%s for it.", text, units_count(when, bl->n_replicas), units_count(ago, (int64_t)dl->n_replicas),
				    bl->n_replicas == 1 ? "s" : "");
	if (bl->certainty != CERTAINTY_CERTAIN && bl->certainty != CERTAINTY_NONE)
		text = arena_printf(ar, "%s (%s)", text, certainty_name((enum certainty)bl->certainty));
	page_text(&vm->page, label, text, CELL_WRONG);
}

static void put_why(struct vm_deletion *vm, const struct deletion *dl)
{
	struct page *pg = &vm->page;

	for (size_t i = 0; i < dl->n_blockers; i++)
		put_blocker(vm, dl, &dl->blockers[i], i == 0 ? "WHY" : "");
	if (dl->n_blockers == 0) {
		const char *why = deletion_why_text(dl, vm->now, pg->text);
		bool is_end = deletion_state_is_end(dl->state);

		if (*why)
			page_text(pg, is_end ? "END" : "WHY", as_sentence(pg->text, is_end ? arena_printf(pg->text, "%s %s", deletion_end_word(dl->state), why) : why),
				  CELL_NORMAL);
	}
	page_text(pg, "NEXT", dl->next, CELL_NORMAL);
	page_text(pg, "DO", dl->act, CELL_NORMAL);
	page_text(pg, "MEANTIME", dl->meantime, CELL_DIM);
}

/* ---- partitions ---------------------------------------------------------------------------------- */

/* Columns of each replica's text, by its place in the list. */
static void measure(struct vm_deletion *vm, const struct deletion *dl, size_t widths[ABREAST_MAX])
{
	size_t place = 0;

	for (size_t i = 0; i < dl->n_replicas; i++) {
		const struct deletion_replica *re = &dl->replicas[i];
		size_t columns;

		place = i > 0 && re[-1].partition == re->partition ? place + 1 : 0;
		columns = utf8_columns(arena_printf(vm->page.text, "%d: %s", re->broker, deletion_replica_text(re, vm->page.text)));
		if (place < ABREAST_MAX && columns > widths[place])
			widths[place] = columns;
	}
}

/* The replicas from `i` on that are of one partition, abreast; *style is that of the worst. */
static size_t put_abreast(struct vm_deletion *vm, const struct deletion *dl, size_t i, const size_t widths[ABREAST_MAX], struct strbuf *sb, enum cell_style *style)
{
	size_t place = 0, first = i;

	*style = CELL_DIM;
	for (; i < dl->n_replicas && dl->replicas[i].partition == dl->replicas[first].partition; i++, place++) {
		const struct deletion_replica *re = &dl->replicas[i];
		const char *text = arena_printf(vm->page.text, "%d: %s", re->broker, deletion_replica_text(re, vm->page.text));
		enum cell_style mine = deletion_replica_style(re);

		strbuf_put(sb, text);
		for (size_t pad = utf8_columns(text); place < ABREAST_MAX && pad < widths[place] + 2; pad++)
			strbuf_putc(sb, ' ');
		if (mine == CELL_WRONG || (mine == CELL_BUSY && *style != CELL_WRONG) || (mine == CELL_NORMAL && *style == CELL_DIM))
			*style = mine;
	}
	return i;
}

static void put_partitions(struct vm_deletion *vm, const struct deletion *dl)
{
	size_t widths[ABREAST_MAX] = { 0 };
	struct arena *ar = vm->page.text;

	if (dl->n_replicas == 0 && dl->czxid == 0 && !dl->is_unmarked && deletion_state_is_end(dl->state))
		return; /* there was no such topic */
	page_gap(&vm->page);
	if (dl->n_replicas == 0)
		page_text(&vm->page, "PART", "The topic's assignment is not known: its node was gone before it could be read.", CELL_DIM);
	measure(vm, dl, widths);
	for (size_t i = 0; i < dl->n_replicas;) {
		enum cell_style style;
		struct strbuf sb;
		size_t next, n;

		strbuf_init(&sb);
		next = put_abreast(vm, dl, i, widths, &sb, &style);
		n = sb.len;
		while (n > 0 && sb.s[n - 1] == ' ')
			n--;
		page_row(&vm->page, arena_printf(ar, "partition:%d", dl->replicas[i].partition), i == 0 ? arena_printf(ar, "PART %3d", dl->replicas[i].partition)
			 : arena_printf(ar, "%8d", dl->replicas[i].partition), arena_strndup(ar, sb.s, n), style);
		strbuf_fini(&sb);
		i = next;
	}
}

/* ---- attempts ------------------------------------------------------------------------------------- */

static void put_attempts(struct vm_deletion *vm, const struct deletion *dl)
{
	struct arena *ar = vm->page.text;
	size_t seen = 0, widest = 0;

	for (size_t i = 0; i < dl->n_attempts; i++) {
		seen += dl->attempts[i].is_seen;
		widest = utf8_columns(dl->attempts[i].trigger) > widest ? utf8_columns(dl->attempts[i].trigger) : widest;
	}
	page_gap(&vm->page);
	if (dl->n_attempts == 0) {
		page_text(&vm->page, "ATTEMPTS", dl->is_followed ? "none yet" : "not known: nobody watched when it was asked for", CELL_DIM);
		return;
	}
	page_row(&vm->page, "attempts", "ATTEMPTS", arena_printf(ar, "%zu, the effect of %zu was seen%s", dl->n_attempts, seen,
			 dl->is_followed ? "" : "; there may have been more before somebody watched"), CELL_NORMAL);
	for (size_t i = dl->n_attempts; i-- > 0 && dl->n_attempts - i <= ATTEMPTS_SHOWN;) {
		const struct deletion_attempt *at = &dl->attempts[i];
		char when[UNITS_TEXT_MAX];

		page_row(&vm->page, arena_printf(ar, "attempt:%zu", i), "", arena_printf(ar, "%-10s  %-*s  %s%s", units_moment(when, at->began, vm->now),
				 (int)widest, at->trigger, at->outcome ? at->outcome : "under way", at->is_seen ? "" : " (inferred)"),
			 at->outcome ? CELL_NORMAL : CELL_BUSY);
	}
}

/* ---- evidence --------------------------------------------------------------------------------------- */

static void put_replica(struct vm_deletion *vm, const struct deletion_replica *re)
{
	struct arena *ar = vm->page.text;
	char size[UNITS_TEXT_MAX], when[UNITS_TEXT_MAX];

	page_row(&vm->page, arena_printf(ar, "broker:%d", re->broker), "REPLICA",
		 arena_printf(ar, "on broker %d%s%s", re->broker, re->is_adding ? ", being added" : "", re->is_removing ? ", being removed" : ""), CELL_NORMAL);
	page_text(&vm->page, "PHASE", arena_printf(ar, "%s (%s)", deletion_phase_name((enum deletion_phase)re->phase), deletion_certainty_text(re->phase_certainty)),
		  deletion_replica_style(re));
	page_text(&vm->page, "STATE", arena_printf(ar, "%s (%s)%s%s", rsm_state_name((enum rsm_state)re->state), deletion_certainty_text(re->certainty),
			  re->rule ? ", rule " : "", re->rule ? re->rule : ""), CELL_NORMAL);
	page_text(&vm->page, "SEEN", re->evidence, CELL_NORMAL);
	if (re->dir)
		page_text(&vm->page, "DISK", arena_printf(ar, "%s in %s, as told %s", re->size_bytes < 0 ? "a size not known" : units_bytes(size, re->size_bytes), re->dir,
				  units_moment(when, re->size_seen, vm->now)), CELL_NORMAL);
	page_gap(&vm->page);
}

static void put_evidence(struct vm_deletion *vm, const struct deletion *dl)
{
	for (size_t i = 0; i < dl->n_replicas; i++)
		if (dl->replicas[i].partition == vm->partition)
			put_replica(vm, &dl->replicas[i]);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static void set_title(struct vm_deletion *vm, const struct deletion *dl)
{
	struct table *tb = &vm->page.tb;
	char ago[UNITS_TEXT_MAX], left[UNITS_TEXT_MAX], count[UNITS_TEXT_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, vm->topic);
	if (vm->partition >= 0)
		strbuf_printf(&sb, " %d", vm->partition);
	if (dl) {
		strbuf_printf(&sb, "   %s", deletion_state_name(dl->state));
		if (dl->marked_at.ms)
			strbuf_printf(&sb, "   asked for %s ago", units_dur(ago, vm->now.ms - dl->marked_at.ms));
		if (dl->n_attempts > 0 && vm->partition < 0)
			strbuf_printf(&sb, ", %s attempt%s", units_count_so_far(count, (int64_t)dl->n_attempts, dl->is_followed), dl->n_attempts == 1 ? "" : "s");
		if (!deletion_state_is_end(dl->state))
			strbuf_printf(&sb, ", %s left", dl->bytes_left < 0 ? "bytes not known" : units_bytes(left, dl->bytes_left));
	}
	str_printf(tb->title, sizeof(tb->title), "%s", sb.s);
	tb->title_style = dl ? (uint8_t)deletion_state_style(dl) : CELL_NORMAL;
	strbuf_fini(&sb);
}

static void make_rows(struct vm_deletion *vm)
{
	const struct deletion *dl = deletion_of_key(vm->ds, vm->key);

	page_begin(&vm->page);
	set_title(vm, dl);
	if (dl && vm->partition >= 0) {
		put_evidence(vm, dl);
	} else if (dl) {
		put_why(vm, dl);
		put_partitions(vm, dl);
		put_attempts(vm, dl);
	}
	page_end(&vm->page);
}

/* ---- life ------------------------------------------------------------------------------------------------ */

struct vm_deletion *vm_deletion_new(const struct cluster *cl, const char *key, int32_t partition)
{
	struct vm_deletion *vm = mem_zalloc(sizeof(*vm));
	int64_t czxid;

	vm->magic = VM_DELETION_MAGIC;
	vm->cl = cl;
	vm->key = mem_strdup(key);
	vm->partition = partition;
	if (!vm_deletions_key_parse(key, vm->topic, &czxid))
		vm->topic[0] = '\0';
	page_init(&vm->page, LABEL_COLUMNS);
	str_printf(vm->page.tb.empty, sizeof(vm->page.tb.empty), "nothing is told of this deletion any more");
	return vm;
}

void vm_deletion_free(struct vm_deletion **pp)
{
	struct vm_deletion *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_DELETION_MAGIC);
	vm->magic = 0;
	page_fini(&vm->page);
	mem_free(&vm->key);
	mem_free(pp);
}

void vm_deletion_resize(struct vm_deletion *vm, int width)
{
	vm->is_built &= vm->page.width == width;
	vm->page.width = width;
}

void vm_deletion_take(struct vm_deletion *vm, const struct deletions *ds)
{
	vm->ds = ds;
	vm->is_built = false;
}

bool vm_deletion_update(struct vm_deletion *vm, const struct changes *ch, wall_ms now)
{
	bool is_touched = !vm->is_built || !ch || ch->bits || now.ms / 1000 != vm->now.ms / 1000;

	if (!is_touched)
		return false;
	vm->now = now;
	vm->is_built = true;
	make_rows(vm);
	return true;
}

const struct table *vm_deletion_table(const struct vm_deletion *vm)
{
	return &vm->page.tb;
}

const char *vm_deletion_topic(const struct vm_deletion *vm)
{
	return vm->topic;
}

const char *vm_deletion_key(const struct vm_deletion *vm)
{
	return vm->key;
}
