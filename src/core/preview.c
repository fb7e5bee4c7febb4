/* SPDX-License-Identifier: Apache-2.0 */
#include "core/preview.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/model.h"
#include "core/pattern.h"
#include "core/policy.h"

/* Each name is bounded by itself (core/pattern): the clock need not be asked for each. */
enum { NAMES_PER_ASK = 4 };

/* Copied out of the cluster, for what matters is to walk over it fast. */
struct entry {
	const char *name;
	uint32_t partitions, replicas;
	int64_t bytes;
	uint8_t why;         /* enum choice_why, were it not protected */
	uint8_t protection;  /* enum protection */
	bool is_whole;
};

/* A name is held against the profile's patterns once, when it first matches what is typed. */
enum protection { PROTECTION_OPEN = 0, PROTECTION_NONE, PROTECTION_YES };

struct previewer {
	const struct cluster *cl;
	const struct policy *po;
	struct arena *names;
	struct entry *v;     /* by name, as in the cluster */
	size_t n;
	uint64_t gen;        /* of the list of topics */
	bool is_filled;
	uint32_t *hits;      /* what the last look would mark */
	size_t n_hits;
	bool is_whole;       /* that look went to the end */
};

struct previewer *previewer_new(const struct cluster *cl, const struct policy *po)
{
	struct previewer *pv = mem_zalloc(sizeof(*pv));

	pv->cl = cl;
	pv->po = po;
	return pv;
}

void previewer_free(struct previewer **pp)
{
	struct previewer *pv = *pp;

	if (!pv)
		return;
	arena_free(&pv->names);
	mem_free(&pv->v);
	mem_free(&pv->hits);
	mem_free(pp);
}

/* ---- what there is ---------------------------------------------------------------- */

static void fill(const struct previewer *pv, struct entry *en, const struct topic *tp)
{
	en->why = (uint8_t)choice_judge(pv->po, tp, false, false);
	en->partitions = (uint32_t)tp->n_parts;
	en->replicas = 0;
	for (size_t i = 0; i < tp->n_parts; i++)
		en->replicas += tp->parts[i].n_replicas;
	en->bytes = tp->size_bytes;
	/* Where all were found nothing needs looking up. */
	en->is_whole = tp->node.know == KNOW_PRESENT && pv->cl->n_disks > 0 &&
		       (tp->n_sized == en->replicas || cluster_size_is_whole(pv->cl, tp));
}

/* Both lists are by name. */
static void keep_protection(struct entry *now, size_t n_now, const struct entry *before, size_t n_before)
{
	for (size_t i = 0, j = 0; i < n_now && j < n_before;) {
		int order = topic_name_cmp(now[i].name, before[j].name);

		if (order == 0)
			now[i].protection = before[j].protection;
		i += order <= 0;
		j += order >= 0;
	}
}

static void load(struct previewer *pv)
{
	struct arena *names = arena_new(0);
	size_t n = pv->cl->n_topics;
	struct entry *v = mem_array(n + 1, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		const struct topic *tp = pv->cl->topics[i];

		v[i].name = arena_strdup(names, tp->name);
		fill(pv, &v[i], tp);
	}
	keep_protection(v, n, pv->v, pv->n);
	arena_free(&pv->names);
	mem_free(&pv->v);
	mem_free(&pv->hits);
	*pv = (struct previewer){ .cl = pv->cl, .po = pv->po, .names = names, .v = v, .n = n, .gen = pv->cl->topics_gen, .is_filled = true };
	pv->hits = mem_array(n + 1, sizeof(*pv->hits));
}

bool previewer_update(struct previewer *pv, const struct changes *changes)
{
	if (!pv->is_filled || pv->gen != pv->cl->topics_gen || pv->n != pv->cl->n_topics) {
		load(pv);
		return true;
	}
	if (changes == NULL || (changes->bits & CHG_DISKS)) {
		for (size_t i = 0; i < pv->n; i++)
			fill(pv, &pv->v[i], pv->cl->topics[i]);
		return true;
	}
	for (size_t i = 0; i < changes->n_topics; i++) {
		bool is_there;
		size_t at = cluster_topic_place(pv->cl, changes->topics[i]->name, &is_there);

		if (is_there)
			fill(pv, &pv->v[at], pv->cl->topics[at]);
	}
	return changes->n_topics > 0;
}

static enum choice_why why_not(const struct previewer *pv, struct entry *en)
{
	if (en->why == CHOICE_INTERNAL)
		return CHOICE_INTERNAL;
	if (en->protection == PROTECTION_OPEN)
		en->protection = policy_protects(pv->po, en->name) ? PROTECTION_YES : PROTECTION_NONE;
	return en->protection == PROTECTION_YES ? CHOICE_PROTECTED : (enum choice_why)en->why;
}

/* ---- what was meant ------------------------------------------------------------------ */

static bool is_plain(const char *s)
{
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') || strchr("._-|", *s)))
			return false;
	return true;
}

/* Whether `name` stands among alternatives that are plain names. */
static bool is_alternative(const char *prepared, const char *name)
{
	size_t n = strlen(name);

	for (const char *s = prepared;; s++) {
		size_t len = strcspn(s, "|");

		if (len == n && memcmp(s, name, n) == 0)
			return true;
		s += len;
		if (!*s)
			return false;
	}
}

static void put_escaped(struct strbuf *sb, const char *plain)
{
	for (; *plain; plain++)
		strbuf_printf(sb, "%s%c", *plain == '.' ? "\\" : "", *plain == '|' ? ',' : *plain);
}

/* A name may be typed as it stands, and its dots then take any character. */
static void hint_dots(const char *prepared, size_t n_literal, const char *other, size_t n_match, struct strbuf *out)
{
	if (n_literal == 0) {
		strbuf_printf(out, "no topic is named `%s`; as a pattern it takes `%s`: \".\" is any character", prepared, other);
		return;
	}
	strbuf_printf(out, "`%s` as a pattern also takes `%s`: %zu literal, %zu as pattern; ", prepared, other, n_literal, n_match);
	put_escaped(out, prepared);
	strbuf_put(out, n_literal == 1 ? " takes the one" : " takes those alone");
}

static size_t count_holding(const struct previewer *pv, const char *text, bool at_start)
{
	size_t n = 0;

	for (size_t i = 0; i < pv->n; i++)
		n += at_start ? str_starts(pv->v[i].name, text) : strstr(pv->v[i].name, text) != NULL;
	return n;
}

/* A part of names was typed, and takes none. */
static void hint_part(const struct previewer *pv, const char *prepared, struct strbuf *out)
{
	size_t n = count_holding(pv, prepared, true);
	bool at_start = n > 0;
	char count[UNITS_TEXT_MAX];

	if (!at_start)
		n = count_holding(pv, prepared, false);
	if (n == 0)
		return;
	strbuf_printf(out, "the whole name must match; %s %s: %s", units_count(count, (int64_t)n),
		      at_start ? n == 1 ? "begins so" : "begin so" : n == 1 ? "has it within" : "have it within", at_start ? "" : ".*");
	put_escaped(out, prepared);
	strbuf_put(out, ".*");
}

struct literal {
	size_t n;            /* matches that are named as they were typed */
	const char *other;   /* the first that is not; NULL: none */
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* As in a shell: "*" for any text, behind a character that stands for itself. False: there is none such. */
static bool put_meant(const char *prepared, struct strbuf *out)
{
	bool in_class = false, differs = false;

	for (const char *s = prepared; *s; s++) {
		if (*s == '\\' && s[1]) {
			strbuf_printf(out, "%c%c", s[0], s[1]);
			s++;
			continue;
		}
		if (*s == '[' || *s == ']')
			in_class = *s == '[';
		if (*s == '*' && !in_class && s > prepared && is_word(s[-1]) && !(s > prepared + 1 && s[-2] == '\\')) {
			strbuf_put(out, ".");
			differs = true;
		}
		strbuf_printf(out, "%c", *s);
	}
	return differs;
}

/* How many it would mark; 0, too, where that can't be said in time. */
static size_t count_taken(struct previewer *pv, const char *typed, bool (*is_late)(void *ctx), void *ctx)
{
	struct err err;
	struct pattern *pn;
	size_t n = 0;

	err_init(&err);
	pn = pattern_new(typed, &err);
	for (size_t i = 0; pn != NULL && i < pv->n; i++) {
		enum pattern_match found = i % NAMES_PER_ASK == 0 && is_late(ctx) ? PATTERN_GAVE_UP : pattern_test(pn, pv->v[i].name, &err);

		if (found == PATTERN_GAVE_UP) {
			n = 0;
			break;
		}
		n += found == PATTERN_YES && why_not(pv, &pv->v[i]) == CHOICE_OK;
	}
	pattern_free(&pn);
	return n;
}

static void hint_star(struct previewer *pv, const char *prepared, bool (*is_late)(void *ctx), void *ctx, struct preview *out)
{
	char count[UNITS_TEXT_MAX];
	struct strbuf meant;
	size_t n;

	strbuf_init(&meant);
	n = put_meant(prepared, &meant) ? count_taken(pv, meant.s, is_late, ctx) : 0;
	if (n > 0 && !str_printf(out->hint, sizeof(out->hint), "`*` repeats what is before it; any text is `.*`: `%s` takes %s", meant.s,
				 units_count(count, (int64_t)n)))
		out->hint[0] = '\0';
	strbuf_fini(&meant);
}

static void set_hint(const struct previewer *pv, const char *prepared, const struct literal *li, struct preview *out)
{
	struct strbuf sb;

	if (!is_plain(prepared))
		return;
	strbuf_init(&sb);
	if (li->other != NULL && (li->n > 0 || strchr(prepared, '|') == NULL))
		hint_dots(prepared, li->n, li->other, out->n_match, &sb);
	else if (out->n_match == 0 && strchr(prepared, '|') == NULL)
		hint_part(pv, prepared, &sb);
	if (!str_copy(out->hint, sizeof(out->hint), sb.s))
		out->hint[0] = '\0';
	strbuf_fini(&sb);
}

/* ---- a look --------------------------------------------------------------------------- */

static void take(struct previewer *pv, size_t i, struct preview *out)
{
	struct entry *en = &pv->v[i];
	enum choice_why why = why_not(pv, en);

	if (why != CHOICE_OK) {
		choice_tally_strike(&out->struck, why, en->name);
		return;
	}
	if (out->n_first < PREVIEW_FIRST)
		out->first[out->n_first++] = en->name;
	out->takes.topics++;
	out->takes.partitions += en->partitions;
	out->takes.replicas += en->replicas;
	out->takes.bytes += en->bytes;
	out->takes.is_whole = out->takes.is_whole && en->is_whole;
	pv->hits[pv->n_hits++] = (uint32_t)i;
}

static void note_literal(struct literal *li, const char *prepared, bool plain, const char *name)
{
	if (!plain)
		return;
	if (is_alternative(prepared, name))
		li->n++;
	else if (li->other == NULL)
		li->other = name;
}

/* ---- names in part ------------------------------------------------------------------------ */

static const char *hit_name(const struct previewer *pv, size_t i)
{
	return pv->v[pv->hits[i]].name;
}

/* How much of a name is its stem, where all have their first `common` bytes in common: up to the next separator, else all but a number at its end. */
static size_t stem_len(const char *name, size_t common)
{
	size_t len = common + strcspn(name + common, "._-");

	if (name[len] != '\0')
		return len + 1;
	while (len > common && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return len;
}

static int by_size(const void *a, const void *b)
{
	const struct preview_stem *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? -1 : 1) : topic_name_cmp(x->first, y->first);
}

/* Names are in order, so those of one stem stand together, and what the first and the last have in common all have. */
static void set_stems(const struct previewer *pv, struct preview *out)
{
	const char *first = hit_name(pv, 0), *last = hit_name(pv, pv->n_hits - 1);
	size_t common = 0;

	while (first[common] && first[common] == last[common])
		common++;
	for (size_t i = 0; i < pv->n_hits; i++) {
		const char *name = hit_name(pv, i);
		struct preview_stem *st = out->n_stems > 0 ? &out->stems[out->n_stems - 1] : NULL;
		size_t len = stem_len(name, common);

		if (st == NULL || st->len != len || memcmp(st->first, name, len) != 0) {
			if (out->n_stems == PREVIEW_STEMS) {
				out->n_stems = 0;
				return;
			}
			st = &out->stems[out->n_stems++];
			*st = (struct preview_stem){ .first = name, .len = len };
		}
		st->last = name;
		st->n++;
	}
	if (out->n_stems == 1)
		out->n_stems = 0;
	qsort(out->stems, out->n_stems, sizeof(out->stems[0]), by_size);
}

static void set_names(const struct previewer *pv, struct preview *out)
{
	size_t rest = pv->n_hits - out->n_first;

	if (pv->n_hits == 0)
		return;
	out->n_last = rest < PREVIEW_LAST ? rest : PREVIEW_LAST;
	for (size_t i = 0; i < out->n_last; i++)
		out->last[i] = hit_name(pv, pv->n_hits - out->n_last + i);
	set_stems(pv, out);
}

/* ---- all ----------------------------------------------------------------------------------- */

static void walk(struct previewer *pv, struct pattern *pn, bool (*is_late)(void *ctx), void *ctx, struct preview *out)
{
	const char *prepared = pattern_prepared(pn);
	bool plain = is_plain(prepared);
	struct literal li = { 0 };

	for (; out->n_looked < pv->n; out->n_looked++) {
		const char *name = pv->v[out->n_looked].name;
		enum pattern_match found;

		if (out->n_looked % NAMES_PER_ASK == 0 && is_late(ctx)) {
			out->is_late = true;
			return;
		}
		found = pattern_test(pn, name, &out->err);
		if (found == PATTERN_GAVE_UP) {
			out->is_too_complex = true;
			return;
		}
		if (found == PATTERN_NO)
			continue;
		out->n_match++;
		note_literal(&li, prepared, plain, name);
		take(pv, out->n_looked, out);
	}
	pv->is_whole = true;
	set_names(pv, out);
	if (out->n_match == 0)
		hint_star(pv, prepared, is_late, ctx, out);
	set_hint(pv, prepared, &li, out);
}

void previewer_look(struct previewer *pv, const char *typed, bool (*is_late)(void *ctx), void *ctx, struct preview *out)
{
	struct pattern *pn;

	if (!pv->is_filled)
		load(pv);
	*out = (struct preview){ .takes.is_whole = true, .n_topics = pv->n, .cluster_partitions = pv->cl->n_partitions };
	err_init(&out->err);
	pv->n_hits = 0;
	pv->is_whole = false;
	out->is_empty = typed[strspn(typed, " ")] == '\0';
	if (out->is_empty)
		return;
	pn = pattern_new(typed, &out->err);
	if (pn == NULL) {
		out->is_bad = true;
		return;
	}
	if (!str_copy(out->prepared, sizeof(out->prepared), pattern_prepared(pn)))
		out->prepared[0] = '\0';
	walk(pv, pn, is_late, ctx, out);
	pattern_free(&pn);
}

bool previewer_mark(const struct previewer *pv, struct choice *ch, size_t *n)
{
	*n = 0;
	if (!pv->is_whole || pv->gen != pv->cl->topics_gen)
		return false;
	for (size_t i = 0; i < pv->n_hits; i++) {
		const struct topic *tp = pv->cl->topics[pv->hits[i]];

		if (choice_may(pv->po, tp, false) == CHOICE_OK)
			*n += choice_mark(ch, tp, false);
	}
	return true;
}
