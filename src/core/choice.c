/* SPDX-License-Identifier: Apache-2.0 */
#include "core/choice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/model.h"
#include "core/policy.h"

struct choice {
	struct map *marks; /* name to struct choice_mark, the name being its own copy */
};

static void mark_free(void *value)
{
	struct choice_mark *mk = value;

	if (mk == NULL)
		return;
	mem_free(&mk->name);
	mem_free(&mk);
}

struct choice *choice_new(void)
{
	struct choice *ch = mem_zalloc(sizeof(*ch));

	ch->marks = map_new();
	return ch;
}

void choice_free(struct choice **pp)
{
	if (!*pp)
		return;
	map_free(&(*pp)->marks, mark_free);
	mem_free(pp);
}

enum choice_why choice_may(const struct policy *po, const struct topic *tp, bool by_hand)
{
	return choice_judge(po, tp, by_hand, policy_protects(po, tp->name));
}

enum choice_why choice_judge(const struct policy *po, const struct topic *tp, bool by_hand, bool is_protected)
{
	if (tp->internal && !(by_hand && po->internal_by_hand))
		return CHOICE_INTERNAL;
	if (is_protected && !(by_hand && po->protected_by_hand))
		return CHOICE_PROTECTED;
	if (tp->deleting && !by_hand)
		return CHOICE_QUEUED;
	return tp->czxid == 0 ? CHOICE_UNREAD : CHOICE_OK;
}

const char *choice_why_word(enum choice_why why)
{
	static const char *const words[CHOICE_WHYS] = {
		[CHOICE_OK] = "", [CHOICE_INTERNAL] = "internal", [CHOICE_PROTECTED] = "protected", [CHOICE_QUEUED] = "already queued",
		[CHOICE_UNREAD] = "not read yet",
	};

	return words[why];
}

/* ---- marks ----------------------------------------------------------------------- */

bool choice_mark(struct choice *ch, const struct topic *tp, bool by_hand)
{
	struct choice_mark *mk = map_find(ch->marks, tp->name);

	assert(tp->czxid != 0);
	if (mk != NULL && mk->czxid == tp->czxid) {
		mk->by_hand = mk->by_hand || by_hand;
		return false;
	}
	mk = mem_zalloc(sizeof(*mk));
	*mk = (struct choice_mark){ .name = mem_strdup(tp->name), .czxid = tp->czxid, .by_hand = by_hand };
	mark_free(map_set(ch->marks, mk->name, mk));
	return true;
}

bool choice_unmark(struct choice *ch, const char *name)
{
	struct choice_mark *mk = map_remove(ch->marks, name);

	mark_free(mk);
	return mk != NULL;
}

void choice_clear(struct choice *ch)
{
	map_clear(ch->marks, mark_free);
}

bool choice_has(const struct choice *ch, const struct topic *tp)
{
	const struct choice_mark *mk = map_find(ch->marks, tp->name);

	return mk != NULL && mk->czxid == tp->czxid;
}

size_t choice_count(const struct choice *ch)
{
	return map_count(ch->marks);
}

static int mark_cmp(const void *a, const void *b)
{
	const struct choice_mark *x = a, *y = b;

	return topic_name_cmp(x->name, y->name);
}

struct choice_mark *choice_list(const struct choice *ch, size_t *n)
{
	struct choice_mark *list = choice_count(ch) > 0 ? mem_array(choice_count(ch), sizeof(*list)) : NULL;
	struct map_iter it = map_iter(ch->marks);
	void *value;

	*n = 0;
	while (map_next(&it, NULL, &value))
		list[(*n)++] = *(const struct choice_mark *)value;
	if (*n > 1)
		qsort(list, *n, sizeof(*list), mark_cmp);
	return list;
}

/* ---- many at once ------------------------------------------------------------------ */

void choice_tally_strike(struct choice_tally *tally, enum choice_why why, const char *name)
{
	if (tally->n_struck[why] < CHOICE_NAMES_SHOWN)
		tally->struck[why][tally->n_struck[why]] = name;
	tally->n_struck[why]++;
}

void choice_tally_text(const struct choice_tally *tally, struct strbuf *out)
{
	const char *before = "struck out: ";
	char count[UNITS_TEXT_MAX];

	for (int why = CHOICE_OK + 1; why < CHOICE_WHYS; why++) {
		size_t n = tally->n_struck[why];

		if (n == 0)
			continue;
		strbuf_printf(out, "%s%s %s (", before, units_count(count, (int64_t)n), choice_why_word((enum choice_why)why));
		for (size_t i = 0; i < n && i < CHOICE_NAMES_SHOWN; i++)
			strbuf_printf(out, "%s%s", i > 0 ? ", " : "", tally->struck[why][i]);
		strbuf_put(out, n > CHOICE_NAMES_SHOWN ? ", ...)" : ")");
		before = ", ";
	}
}

static void try_mark(struct choice *ch, const struct policy *po, const struct topic *tp, struct choice_tally *tally)
{
	enum choice_why why = choice_may(po, tp, false);

	if (why != CHOICE_OK)
		choice_tally_strike(tally, why, tp->name);
	else
		tally->marked += choice_mark(ch, tp, false);
}

void choice_mark_span(struct choice *ch, const struct cluster *cl, const struct policy *po, choice_name_fn *at, const void *list,
	size_t from, size_t to, struct choice_tally *tally)
{
	for (size_t i = from; i < to; i++) {
		const struct topic *tp = cluster_topic_find(cl, at(list, i));

		if (tp != NULL && !choice_has(ch, tp))
			try_mark(ch, po, tp, tally);
	}
}

void choice_invert_span(struct choice *ch, const struct cluster *cl, const struct policy *po, choice_name_fn *at, const void *list,
	size_t from, size_t to, struct choice_tally *tally)
{
	for (size_t i = from; i < to; i++) {
		const struct topic *tp = cluster_topic_find(cl, at(list, i));

		if (tp == NULL)
			continue;
		if (choice_has(ch, tp))
			tally->unmarked += choice_unmark(ch, tp->name);
		else
			try_mark(ch, po, tp, tally);
	}
}

/* ---- the cluster moves on ------------------------------------------------------------- */

/* The topic that was marked is there no more. */
static bool is_gone(const struct choice_mark *mk, const struct cluster *cl)
{
	const struct topic *tp = cluster_topic_find(cl, mk->name);

	return tp == NULL || (tp->czxid != 0 && tp->czxid != mk->czxid);
}

static size_t sync_all(struct choice *ch, const struct cluster *cl)
{
	struct map_iter it = map_iter(ch->marks);
	size_t dropped = 0;
	void *value;

	while (map_next(&it, NULL, &value)) {
		const struct choice_mark *mk = value;

		if (is_gone(mk, cl))
			dropped += choice_unmark(ch, mk->name);
	}
	return dropped;
}

size_t choice_sync(struct choice *ch, const struct cluster *cl, const struct changes *changes)
{
	size_t dropped = 0;

	if (choice_count(ch) == 0 || (cl->topics_fact.know != KNOW_PRESENT && cl->topics_fact.know != KNOW_ABSENT))
		return 0;
	if (changes == NULL || (changes->bits & CHG_TOPICS))
		return sync_all(ch, cl);
	for (size_t i = 0; i < changes->n_topics; i++) {
		const struct choice_mark *mk = map_find(ch->marks, changes->topics[i]->name);

		if (mk != NULL && is_gone(mk, cl))
			dropped += choice_unmark(ch, mk->name);
	}
	return dropped;
}

struct choice_totals choice_totals(const struct choice *ch, const struct cluster *cl)
{
	struct choice_totals ct = { .is_whole = true };
	struct map_iter it = map_iter(ch->marks);
	const char *name;

	while (map_next(&it, &name, NULL)) {
		const struct topic *tp = cluster_topic_find(cl, name);

		ct.topics++;
		if (tp == NULL) {
			ct.is_whole = false;
			continue;
		}
		ct.partitions += tp->n_parts;
		for (size_t i = 0; i < tp->n_parts; i++)
			ct.replicas += tp->parts[i].n_replicas;
		ct.bytes += tp->size_bytes;
		ct.is_whole = ct.is_whole && cluster_size_is_whole(cl, tp);
	}
	return ct;
}
