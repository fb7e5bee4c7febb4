/* SPDX-License-Identifier: Apache-2.0 */
#include "view/overview_facts.h"

#include <string.h>

#include "base/mem.h"
#include "core/health.h"
#include "core/model.h"
#include "core/throttle.h"
#include "view/disk_text.h"
#include "view/topic_facts.h"

enum { THROTTLES_NAMED = 4, THROTTLE_NAME_SHOWN = 260 };

/* One topic's share, by its index in cluster.topics; holds while topics_gen stays. */
struct overview_tally {
	struct since since[OVERVIEW_MOVING];
	uint32_t only_moving;
	bool has[OVERVIEW_KINDS];
};

static const unsigned overview_flags[OVERVIEW_KINDS] = {
	[OVERVIEW_OFFLINE] = PT_OFFLINE, [OVERVIEW_UNDER_MIN] = PT_UNDER_MIN, [OVERVIEW_UNDER] = PT_UNDER, [OVERVIEW_MOVING] = PT_MOVING,
};

/* ---- topics ------------------------------------------------------------------- */

static bool lacks_only_added(const struct partition *pt)
{
	const int32_t *adding = partition_adding(pt);

	if ((pt->flags & (PT_KNOWN | PT_MOVING | PT_UNDER)) != (PT_KNOWN | PT_MOVING))
		return false;
	for (size_t i = 0; i < pt->n_adding; i++)
		if (!ids_has(pt->isr, pt->n_isr, adding[i]))
			return true;
	return false;
}

static struct overview_tally tally_of(const struct topic *tp)
{
	struct overview_tally ta = { .only_moving = 0 };

	for (int k = 0; k < OVERVIEW_KINDS; k++) {
		ta.has[k] = topic_count(&tp->counts, overview_flags[k]) > 0;
		if (ta.has[k] && k < OVERVIEW_MOVING)
			ta.since[k] = topic_since(tp, overview_flags[k]);
	}
	for (size_t i = 0; ta.has[OVERVIEW_MOVING] && i < tp->n_parts; i++)
		ta.only_moving += lacks_only_added(&tp->parts[i]);
	return ta;
}

static void sum_add(struct overview_sum *su, const struct overview_tally *ta, int k, size_t index)
{
	if (!ta->has[k])
		return;
	if (su->n_topics++ == 0)
		*su = (struct overview_sum){ 1, index, { { 0 }, true } };
	if (k >= OVERVIEW_MOVING)
		return;
	if (ta->since[k].at.ms && (!su->since.at.ms || ta->since[k].at.ms < su->since.at.ms))
		su->since.at = ta->since[k].at;
	su->since.exact &= ta->since[k].exact;
}

static void sums_add_up(struct overview_sums *os)
{
	for (int k = 0; k < OVERVIEW_KINDS; k++)
		os->of[k] = (struct overview_sum){ .n_topics = 0 };
	os->only_moving = 0;
	for (size_t i = 0; i < os->n_tallies; i++) {
		for (int k = 0; k < OVERVIEW_KINDS; k++)
			sum_add(&os->of[k], &os->tallies[i], k, i);
		os->only_moving += os->tallies[i].only_moving;
	}
}

void overview_sums_update(struct overview_sums *os, const struct cluster *cl, const struct changes *ch)
{
	if (!ch || !os->tallies || os->gen != cl->topics_gen || os->n_tallies != cl->n_topics) {
		os->tallies = mem_realloc_array(os->tallies, cl->n_topics + 1, sizeof(*os->tallies));
		os->n_tallies = cl->n_topics;
		os->gen = cl->topics_gen;
		for (size_t i = 0; i < cl->n_topics; i++)
			os->tallies[i] = tally_of(cl->topics[i]);
		sums_add_up(os);
		return;
	}
	for (size_t i = 0; i < ch->n_topics; i++) {
		bool is_there;
		size_t at = cluster_topic_place(cl, ch->topics[i]->name, &is_there);

		if (is_there)
			os->tallies[at] = tally_of(cl->topics[at]);
	}
	if (ch->n_topics > 0)
		sums_add_up(os);
}

void overview_sums_init(struct overview_sums *os)
{
	*os = (struct overview_sums){ .n_tallies = 0 };
}

void overview_sums_fini(struct overview_sums *os)
{
	mem_free(&os->tallies);
	os->n_tallies = 0;
}

/* ---- brokers -------------------------------------------------------------------- */

static void dirs_add(struct overview_dirs *od, const struct broker *br, const struct disk_dir *dir)
{
	int used = disk_dir_used(dir);

	od->n_dirs++;
	od->size_bytes = disk_bytes_plus(od->size_bytes, dir->size_bytes);
	if (disk_dir_is_offline(dir)) {
		if (od->n_offline++ == 0) {
			od->offline = br;
			od->offline_dir = dir;
		}
		return;
	}
	if (used >= 0 && (!od->fullest || used > od->fullest_used)) {
		od->fullest = br;
		od->fullest_dir = dir;
		od->fullest_used = used;
	}
}

struct overview_dirs overview_dirs(const struct cluster *cl)
{
	struct overview_dirs od = { .n_brokers = 0 };

	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct disks *ds = cl->brokers[i]->disks;

		if (!ds)
			continue;
		od.n_brokers++;
		for (size_t d = 0; d < ds->n_dirs; d++) {
			dirs_add(&od, cl->brokers[i], &ds->dirs[d]);
			if (!broker_disks_are_old(cl, cl->brokers[i]))
				od.n_future += ds->dirs[d].n_future;
		}
	}
	return od;
}

/* ---- throttles -------------------------------------------------------------------- */

void overview_throttles_init(struct overview_throttles *ot)
{
	*ot = (struct overview_throttles){ .n = 0 };
	strbuf_init(&ot->left);
}

void overview_throttles_fini(struct overview_throttles *ot)
{
	strbuf_fini(&ot->left);
}

/* Of one owner they stand in a row. */
static bool is_same_owner(const struct throttle *a, const struct throttle *b)
{
	return a->broker == b->broker && (a->topic == b->topic || (a->topic && b->topic && !strcmp(a->topic, b->topic)));
}

void overview_throttles_look(struct overview_throttles *ot, struct throttles_memo *me, const struct cluster *cl)
{
	const struct throttles *th = throttles_memo_of(me, cl);
	const struct throttle *last = NULL;
	char name[THROTTLE_NAME_SHOWN];
	size_t owners = 0;

	ot->n = ot->n_left = 0;
	ot->n_unread = th->n_unread;
	strbuf_clear(&ot->left);
	for (size_t i = 0; i < th->n; i++) {
		const struct throttle *to = &th->v[i];

		ot->n += to->use != THROTTLE_EMPTY;
		if (to->use != THROTTLE_LEFT)
			continue;
		ot->n_left++;
		if (last && is_same_owner(last, to))
			continue;
		last = to;
		if (owners++ < THROTTLES_NAMED)
			strbuf_printf(&ot->left, "%s%s %s", owners > 1 ? ", " : "", throttle_scope(to), throttle_name(to, name, sizeof(name)));
	}
	if (owners > THROTTLES_NAMED)
		strbuf_printf(&ot->left, " and %zu more", owners - THROTTLES_NAMED);
}

/* ---- all brokers --------------------------------------------------------------------- */

int32_t overview_all_miss(const struct cluster *cl)
{
	uint32_t n = topic_count(&cl->totals, PT_UNDER);

	for (size_t i = 0; n > 0 && i < cl->n_brokers; i++)
		if (cl->brokers[i]->under_followers == n)
			return cl->brokers[i]->id;
	return BROKER_NONE;
}

bool overview_is_whole(const struct cluster *cl, unsigned flag)
{
	unsigned doubts = health_doubts(flag);

	if (flag == PT_MOVING) /* the assignments alone decide */
		return cluster_assignments_are_whole(cl);
	for (unsigned bit = 1; bit <= doubts; bit <<= 1)
		if ((doubts & bit) && topic_count(&cl->totals, bit) > 0)
			return false;
	return cluster_counts_are_whole(cl);
}
