/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_confirm.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/appraisal.h"
#include "core/cluster.h"
#include "core/command.h"
#include "core/policy.h"
#include "view/appraisal_text.h"
#include "view/finding_text.h"
#include "view/page.h"

enum { VM_CONFIRM_MAGIC = 0x766d636f, LABEL_COLUMNS = 1, FIRST_SHOWN = 5, FOUND_SHOWN = 4, NAME_MAX_COLUMNS = 28 };

struct vm_confirm {
	uint32_t magic;
	uint64_t made_of;      /* print of the facts that the page was made of; 0: it was not made yet */
	struct page page;
};

/* ---- words --------------------------------------------------------------------------------------- */

static const char *counted(struct arena *ar, uint64_t n, const char *one, const char *more)
{
	char count[UNITS_TEXT_MAX];

	return arena_printf(ar, "%s %s", units_count(count, (int64_t)n), n == 1 ? one : more);
}

static const char *sized(struct arena *ar, int64_t bytes, bool is_whole)
{
	char text[UNITS_TEXT_MAX];

	return bytes < 0 ? "size not known" : arena_strdup(ar, units_bytes_so_far(text, bytes, is_whole));
}

/* "Delete 2 topics", "Put the markers of 2 topics", "Move the controller" */
static const char *verb_of(struct arena *ar, const struct command *cm)
{
	switch (cm->kind) {
	case COMMAND_DELETE_TOPICS: return arena_printf(ar, "Delete %s", counted(ar, cm->n_topics, "topic", "topics"));
	case COMMAND_MARK_TOPICS:
		return arena_printf(ar, "Put the marker%s of %s into ZooKeeper", cm->n_topics == 1 ? "" : "s", counted(ar, cm->n_topics, "topic", "topics"));
	default: return "Move the controller";
	}
}

static const char *where_of(struct arena *ar, const struct confirm_facts *fa)
{
	struct strbuf name;
	const char *text;

	strbuf_init(&name);
	command_cluster_name(fa->cl, fa->po, &name);
	text = name.len > 0 ? arena_printf(ar, " in %s", name.s) : "";
	strbuf_fini(&name);
	return text;
}

/* ---- topics ---------------------------------------------------------------------------------------- */

static size_t name_columns(const struct command *cm, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t w = utf8_columns(cm->topics[i].name);

		most = w > most ? w : most;
	}
	return most < NAME_MAX_COLUMNS ? most : NAME_MAX_COLUMNS;
}

/* The first n, a line each. */
static void put_topics(struct page *pg, const struct command *cm, size_t n)
{
	size_t columns = name_columns(cm, n);

	for (size_t i = 0; i < n; i++) {
		const struct command_topic *ct = &cm->topics[i];
		size_t w = utf8_columns(ct->name);
		char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

		page_text(pg, "", arena_printf(pg->text, "%s%*s  %5s partition%s %6s replica%s  %s", ct->name, w < columns ? (int)(columns - w) : 0, "",
						  units_count(a, ct->n_partitions), ct->n_partitions == 1 ? " " : "s", units_count(b, ct->n_replicas),
						  ct->n_replicas == 1 ? " " : "s", ct->size_bytes < 0 ? "?" : sized(pg->text, ct->size_bytes, ct->size_is_whole)), CELL_NORMAL);
	}
}

struct sums { uint64_t partitions, replicas, cluster; int64_t bytes; bool is_whole; };

static struct sums sums_of(const struct confirm_facts *fa)
{
	struct sums su = { .is_whole = true };

	for (size_t i = 0; i < fa->cm->n_topics; i++) {
		const struct command_topic *ct = &fa->cm->topics[i];

		su.partitions += ct->n_partitions;
		su.replicas += ct->n_replicas;
		su.bytes += ct->size_bytes > 0 ? ct->size_bytes : 0;
		su.is_whole &= ct->size_bytes >= 0 && ct->size_is_whole;
	}
	for (size_t i = 0; i < fa->cl->n_topics; i++)
		su.cluster += fa->cl->topics[i]->n_parts;
	return su;
}

static const char *share_of(struct arena *ar, uint64_t part, uint64_t all)
{
	if (all == 0)
		return "";
	if (part * 1000 < all)
		return " (under 0.1 %)";
	return arena_printf(ar, " (%u.%u %%)", (unsigned)(part * 1000 / all / 10), (unsigned)(part * 1000 / all % 10));
}

/* "Together 8 partitions of 18,330 (under 0.1 %), 24 replicas, 1.2 TiB." */
static void put_sums(struct page *pg, const struct confirm_facts *fa)
{
	struct sums su = sums_of(fa);
	char all[UNITS_TEXT_MAX];

	page_text(pg, "", arena_printf(pg->text, "Together %s of %s%s, %s, %s.", counted(pg->text, su.partitions, "partition", "partitions"),
				       units_count(all, (int64_t)su.cluster), share_of(pg->text, su.partitions, su.cluster),
				       counted(pg->text, su.replicas, "replica", "replicas"), sized(pg->text, su.bytes, su.is_whole)), CELL_NORMAL);
}

/* ---- what was found ---------------------------------------------------------------------------------- */

static void put_group(struct page *pg, const struct finding_group *fg)
{
	static const struct { const char *label; enum cell_style style; } looks[] = {
		[SEVERITY_INFO] = { "", CELL_DIM }, [SEVERITY_WARNING] = { "!", CELL_BUSY }, [SEVERITY_ERROR] = { "E", CELL_WRONG },
	};
	struct strbuf text;

	strbuf_init(&text);
	finding_group_text(fg, &text);
	page_text(pg, looks[fg->first->severity].label, text.s, looks[fg->first->severity].style);
	strbuf_fini(&text);
}

static void put_line(struct page *pg, const char *text, bool is_warning)
{
	page_text(pg, is_warning ? "!" : "", text, is_warning ? CELL_BUSY : CELL_NORMAL);
}

/* What brokers were asked: writes, consumer groups. */
static bool put_appraisal(struct page *pg, const struct confirm_facts *fa)
{
	struct strbuf text;
	bool is_warning;

	if (fa->ap == NULL)
		return false;
	strbuf_init(&text);
	is_warning = appraisal_text_writes(fa->ap, fa->now, &text);
	put_line(pg, text.s, is_warning);
	strbuf_clear(&text);
	is_warning = appraisal_text_groups(fa->ap, &text);
	put_line(pg, text.s, is_warning);
	strbuf_fini(&text);
	return true;
}

/* What is of that severity and not told of by the lines of put_appraisal: at most `most` of them, under a title (NULL: none). Returns how many there are. */
static size_t put_findings(struct page *pg, const struct confirm_facts *fa, enum severity sv, const char *title, size_t most)
{
	size_t n_groups, n = 0;
	struct finding_group *groups = finding_groups(fa->fs->v, fa->fs->n, &n_groups);

	for (size_t i = 0; i < n_groups; i++) {
		if (groups[i].first->severity != sv || appraisal_text_covers(fa->ap, groups[i].first) || n++ >= most)
			continue;
		if (n == 1 && title != NULL)
			page_row(pg, "", "", title, CELL_NORMAL);
		put_group(pg, &groups[i]);
	}
	mem_free(&groups);
	return n;
}

static void put_all(struct page *pg, const struct confirm_facts *fa, enum severity sv, const char *title)
{
	if (put_findings(pg, fa, sv, title, SIZE_MAX) > 0)
		page_gap(pg);
}

static void put_difference(struct page *pg, const char *difference)
{
	if (difference == NULL)
		return;
	page_row(pg, "", "", "CHANGED since the check; nothing was sent", CELL_WRONG);
	while (*difference) {
		size_t n = strcspn(difference, "\n");

		page_text(pg, "", arena_strndup(pg->text, difference, n), CELL_WRONG);
		difference += n + (difference[n] == '\n');
	}
	page_gap(pg);
}

/* In full: the line for messages may be too short for what is to be done. */
static void put_refused(struct page *pg, const char *refused)
{
	if (refused == NULL)
		return;
	page_row(pg, "", "", "NOT SENT", CELL_WRONG);
	page_text(pg, "", refused, CELL_WRONG);
	page_gap(pg);
}

static void put_check(struct page *pg, const struct confirm_facts *fa)
{
	const struct findings *fs = fa->fs;

	put_refused(pg, fa->refused);
	put_difference(pg, fa->difference);
	put_all(pg, fa, SEVERITY_ERROR, "ERRORS");
	put_all(pg, fa, SEVERITY_WARNING, "WARNINGS");
	if (put_appraisal(pg, fa))
		page_gap(pg);
	put_all(pg, fa, SEVERITY_INFO, NULL);
	if (fa->offers_znode)
		page_text(pg, "", "Kafka can't be asked to delete this. z puts the deletion marker into ZooKeeper instead: it goes around Kafka's ACLs.", CELL_NORMAL);
	if (fs->n_errors > 0)
		page_text(pg, "", "Nothing can be sent while there are errors. Esc goes back.", CELL_NORMAL);
	else
		page_text(pg, "", "Enter goes on to what has to be typed. Nothing has been sent. Esc leaves everything as it is.", CELL_NORMAL);
}

/* ---- the effect ------------------------------------------------------------------------------------------ */

static void put_way(struct page *pg, const struct command *cm)
{
	if (cm->kind == COMMAND_MARK_TOPICS)
		page_text(pg, "", cm->n_topics == 1 ? "The node /admin/delete_topics/<name> is made in ZooKeeper, where the controller finds it. No broker is asked, and none checks who you are."
						   : "A node /admin/delete_topics/<name> is made in ZooKeeper for each, where the controller finds it. No broker is asked, and none checks who you are.",
			  CELL_NORMAL);
	else if (cm->kind == COMMAND_MOVE_CONTROLLER)
		page_text(pg, "", "The node /controller is deleted, if it is still the one that is seen now. Another broker, or the same, is elected and reads all metadata "
				  "anew; until then no leader is elected and no topic made or deleted. Deletions begin anew from the start: replicas already "
				  "deleted are made again, empty, where their broker is up, and deleted again.", CELL_NORMAL);
}

/* As many as leave room for the rest: the check has shown them all. */
static void put_some(struct page *pg, const struct confirm_facts *fa, enum severity sv)
{
	size_t n = put_findings(pg, fa, sv, NULL, FOUND_SHOWN);

	if (n > FOUND_SHOWN)
		page_text(pg, sv == SEVERITY_WARNING ? "!" : "", arena_printf(pg->text, "And %zu more; Esc and D show all.", n - FOUND_SHOWN), CELL_DIM);
}

static void put_effect(struct page *pg, const struct confirm_facts *fa)
{
	const struct command *cm = fa->cm;
	bool is_long = cm->n_topics > FIRST_SHOWN + 1;

	if (!is_long && cm->n_topics > 0) {
		put_topics(pg, cm, cm->n_topics);
		page_gap(pg);
	}
	if (cm->n_topics > 0)
		put_sums(pg, fa);
	put_way(pg, cm);
	put_appraisal(pg, fa);
	put_some(pg, fa, SEVERITY_WARNING);
	put_some(pg, fa, SEVERITY_INFO);
	page_text(pg, "", fa->confirm, CELL_WRONG);
	if (is_long) {
		page_gap(pg);
		page_row(pg, "", "", arena_printf(pg->text, "All %zu of them; PgDn shows more", cm->n_topics), CELL_NORMAL);
		put_topics(pg, cm, cm->n_topics);
	}
}

/* ---- what came of it ---------------------------------------------------------------------------------------- */

static const char *state_word(const struct command *cm, const struct confirm_item *it, enum cell_style *style)
{
	switch (it->state) {
	case CONFIRM_WAITS: *style = CELL_DIM; return "not sent yet";
	case CONFIRM_OUT: *style = CELL_BUSY; return "asked, no answer yet";
	case CONFIRM_TAKEN: *style = CELL_NORMAL; return cm->kind == COMMAND_MOVE_CONTROLLER ? "done" : "queued for deletion";
	case CONFIRM_REFUSED: *style = CELL_WRONG; return "refused, or not sent";
	default: *style = CELL_WRONG; return "OUTCOME UNKNOWN";
	}
}

static size_t count_of(const struct confirm_facts *fa, enum confirm_state st)
{
	size_t n = 0;

	for (size_t i = 0; i < fa->n_items; i++)
		n += fa->items[i].state == st;
	return n;
}

static void put_progress(struct page *pg, const struct confirm_facts *fa)
{
	size_t waits = count_of(fa, CONFIRM_WAITS), out = count_of(fa, CONFIRM_OUT), group = fa->po->group_topics > 0 ? fa->po->group_topics : 1;
	bool in_groups = fa->cm->kind == COMMAND_DELETE_TOPICS && fa->n_items > group;
	const char *of = in_groups ? arena_printf(pg->text, "group %zu of %zu, ", (fa->n_items - waits + group - 1) / group, (fa->n_items + group - 1) / group) : "";

	if (fa->step == CONFIRM_SEND)
		page_text(pg, "", arena_printf(pg->text, "Being sent: %s%zu of %zu answered, %zu asked, %zu not sent yet. %s", of, fa->n_items - waits - out, fa->n_items, out,
					       waits, fa->stopped != NULL ? "It stops after this answer." : waits > 0 ? "x stops before the next group." : ""), CELL_BUSY);
	else
		page_text(pg, "", arena_printf(pg->text, "Over: %zu %s, %zu refused or not sent, %zu not known. Enter shows the deletions.", count_of(fa, CONFIRM_TAKEN),
					       fa->cm->kind == COMMAND_MOVE_CONTROLLER ? "taken" : "queued", count_of(fa, CONFIRM_REFUSED) + waits, count_of(fa, CONFIRM_UNKNOWN) + out), CELL_NORMAL);
	if (fa->stopped != NULL)
		page_text(pg, "", arena_printf(pg->text, "Stopped: %s.", fa->stopped), CELL_WRONG);
	page_gap(pg);
}

static void put_items(struct page *pg, const struct confirm_facts *fa)
{
	static const uint8_t order[] = { CONFIRM_UNKNOWN, CONFIRM_REFUSED, CONFIRM_OUT, CONFIRM_TAKEN, CONFIRM_WAITS };
	size_t columns = name_columns(fa->cm, fa->cm->n_topics);

	for (size_t o = 0; o < sizeof(order); o++)
		for (size_t i = 0; i < fa->n_items; i++) {
			const struct confirm_item *it = &fa->items[i];
			enum cell_style style;
			const char *word = state_word(fa->cm, it, &style);
			bool has_word = it->text != NULL && str_starts(it->text, word);
			size_t w = utf8_columns(it->topic);

			if (it->state == order[o])
				page_text(pg, style == CELL_WRONG ? "E" : "", arena_printf(pg->text, "%s%*s%s%s%s%s", it->topic, w < columns ? (int)(columns - w) : 0, "",
											   *it->topic ? "  " : "", has_word ? "" : word,
											   it->text != NULL && !has_word ? ": " : "", it->text != NULL ? it->text : ""), style);
		}
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static void set_title(struct page *pg, const struct confirm_facts *fa)
{
	const char *verb = verb_of(pg->text, fa->cm), *where = where_of(pg->text, fa);
	struct table *tb = &pg->tb;

	tb->title_style = CELL_NORMAL;
	if (fa->step == CONFIRM_CHECK && fa->fs->n_errors > 0)
		tb->title_style = CELL_WRONG;
	if (fa->step == CONFIRM_CHECK)
		str_printf(tb->title, sizeof(tb->title), "%s%s; %s, %s", verb, where, counted(pg->text, fa->fs->n_errors, "error", "errors"),
			   counted(pg->text, fa->fs->n_warnings, "warning", "warnings"));
	else if (fa->step == CONFIRM_TYPE)
		str_printf(tb->title, sizeof(tb->title), "%s%s?", verb, where);
	else
		str_printf(tb->title, sizeof(tb->title), "%s%s", verb, where);
}

/* ---- whether it is the same page ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

static uint64_t mix_text(uint64_t h, const char *s)
{
	h = mix(h, s == NULL);
	for (; s != NULL && *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h;
}

static uint64_t mix_appraisal(uint64_t h, const struct confirm_facts *fa)
{
	struct strbuf text;

	if (fa->ap == NULL)
		return mix(h, 0);
	strbuf_init(&text);
	h = mix(h, 1 + appraisal_text_writes(fa->ap, fa->now, &text));
	h = mix(h, appraisal_text_groups(fa->ap, &text));
	h = mix(mix_text(h, text.s), fa->ap->n_active);
	strbuf_fini(&text);
	return h;
}

/* All that is read below; 10,000 topics are printed in a tenth of the time that their page takes. */
static uint64_t print_of(const struct confirm_facts *fa)
{
	const struct command *cm = fa->cm;
	uint64_t h = mix(mix(fa->step, cm->kind), cm->n_topics);

	for (size_t i = 0; i < cm->n_topics; i++) {
		const struct command_topic *ct = &cm->topics[i];

		h = mix_text(mix(mix(h, ct->n_partitions), ct->n_replicas), ct->name);
		h = mix(mix(h, (uint64_t)ct->size_bytes), ct->size_is_whole);
	}
	h = mix(mix(h, fa->fs->n_errors), fa->fs->n_warnings);
	for (size_t i = 0; i < fa->fs->n; i++) {
		const struct finding *fi = &fa->fs->v[i];

		h = mix_text(mix_text(mix_text(mix(h, fi->severity), fi->topic), fi->kind), fi->text);
		h = mix(h, fi->n_replicas);
	}
	h = mix_text(mix(h, fa->cl->n_partitions), fa->cl->cluster_id);
	h = mix_text(mix_text(mix_text(mix_text(h, fa->confirm), fa->difference), fa->refused), fa->stopped);
	h = mix_appraisal(mix(h, fa->offers_znode), fa);
	for (size_t i = 0; i < fa->n_items; i++)
		h = mix_text(mix(h, fa->items[i].state), fa->items[i].text);
	return h;
}

bool vm_confirm_update(struct vm_confirm *vm, const struct confirm_facts *fa)
{
	struct page *pg = &vm->page;
	uint64_t made_of = mix(fa != NULL && fa->cm != NULL ? print_of(fa) : 1, (uint64_t)pg->width) | 1;

	if (made_of == vm->made_of)
		return false;
	vm->made_of = made_of;
	page_begin(pg);
	pg->tb.title[0] = '\0';
	if (fa != NULL && fa->cm != NULL) {
		set_title(pg, fa);
		if (fa->step == CONFIRM_CHECK)
			put_check(pg, fa);
		else if (fa->step == CONFIRM_TYPE)
			put_effect(pg, fa);
		else
			put_progress(pg, fa), put_items(pg, fa);
	}
	page_end(pg);
	return true;
}

struct vm_confirm *vm_confirm_new(void)
{
	struct vm_confirm *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_CONFIRM_MAGIC;
	page_init(&vm->page, LABEL_COLUMNS);
	str_printf(vm->page.tb.empty, sizeof(vm->page.tb.empty), "nothing is being changed");
	return vm;
}

void vm_confirm_free(struct vm_confirm **pp)
{
	struct vm_confirm *vm = *pp;

	if (vm == NULL)
		return;
	assert(vm->magic == VM_CONFIRM_MAGIC);
	vm->magic = 0;
	page_fini(&vm->page);
	mem_free(pp);
}

void vm_confirm_resize(struct vm_confirm *vm, int width)
{
	vm->page.width = width;
}

const struct table *vm_confirm_table(const struct vm_confirm *vm)
{
	return &vm->page.tb;
}
