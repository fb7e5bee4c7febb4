/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on partitions, the counts of them, and the topics that changed. Counts by tallies: see core/model_priv.h. */
#include "base/mem.h"
#include "core/health.h"
#include "core/model_priv.h"

/* ---- counts ------------------------------------------------------------------- */

static void tally_flags(struct topic_counts *c, uint16_t flags, int sign)
{
	for (unsigned i = 0; i < PT_FLAGS; i++)
		if (flags & (1u << i))
			c->by_flag[i] += (uint32_t)sign;
}

static void tally_brokers(struct model *md, const struct partition *pt, int sign)
{
	for (uint32_t i = 0; i < pt->n_replicas; i++) {
		struct broker *br = model_broker_need(md, pt->ids[i]);
		bool adding = ids_has(partition_adding(pt), pt->n_adding, br->id);

		br->replicas += (uint32_t)sign;
		if ((pt->flags & PT_KNOWN) && !adding && !ids_has(pt->isr, pt->n_isr, br->id))
			br->under_followers += (uint32_t)sign;
	}
	if (pt->leader >= 0)
		model_broker_need(md, pt->leader)->leaders += (uint32_t)sign;
}

void model_tally(struct model *md, struct topic *tp, const struct partition *pt, int sign)
{
	tally_flags(&tp->counts, pt->flags, sign);
	tally_flags(&md->cl.totals, pt->flags, sign);
	tally_brokers(md, pt, sign);
	md->cl.n_partitions += (size_t)sign;
	md->cl.n_replicas += (size_t)sign * pt->n_replicas;
	md->bits |= CHG_COUNTS;
}

void model_tally_topic(struct model *md, struct topic *tp, int sign)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		model_tally(md, tp, &tp->parts[i], sign);
}

void model_topic_mark(struct model *md, struct topic *tp)
{
	md->bits |= CHG_TOPIC;
	if (tp->dirty)
		return;
	if (md->n_changed == md->cap_changed) {
		md->cap_changed = md->cap_changed ? md->cap_changed * 2 : 64;
		md->changed = mem_realloc_array(md->changed, md->cap_changed, sizeof(struct topic *));
	}
	tp->dirty = true;
	tp->dirty_at = (uint32_t)md->n_changed;
	md->changed[md->n_changed++] = tp;
}

void model_topic_unmark(struct model *md, struct topic *tp)
{
	struct topic *last;

	if (!tp->dirty)
		return;
	last = md->changed[--md->n_changed];
	md->changed[tp->dirty_at] = last;
	last->dirty_at = tp->dirty_at;
	tp->dirty = false;
}

/* ---- verdicts -------------------------------------------------------------------- */

void model_judge(struct model *md, struct topic *tp, struct partition *pt, bool was_sure, wall_ms at)
{
	uint16_t old = pt->flags;

	pt->flags = health_partition(&md->cl, tp, pt);
	if (!(pt->flags & PT_UNDER)) {
		pt->under_since = (wall_ms){ 0 };
		pt->under_since_exact = false;
	} else if (!(old & PT_UNDER) || pt->under_since.ms == 0) {
		pt->under_since_exact = was_sure && (old & PT_KNOWN) != 0;
		pt->under_since = at;
	}
}

/* Judges a partition again where only its surroundings changed; true when the verdict did. */
static bool rejudge(struct model *md, struct topic *tp, struct partition *pt, const struct event *ev)
{
	uint16_t fresh = health_partition(&md->cl, tp, pt);

	if (fresh == pt->flags)
		return false;
	model_tally(md, tp, pt, -1);
	model_judge(md, tp, pt, true, ev->seen_wall);
	model_tally(md, tp, pt, 1);
	return true;
}

void model_judge_topic(struct model *md, struct topic *tp, const struct event *ev)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		rejudge(md, tp, &tp->parts[i], ev);
	model_topic_mark(md, tp);
}

void model_judge_all(struct model *md, const struct event *ev)
{
	for (size_t i = 0; i < md->cl.n_topics; i++) {
		struct topic *tp = md->cl.topics[i];
		bool changed = false;

		for (size_t j = 0; j < tp->n_parts; j++)
			changed |= rejudge(md, tp, &tp->parts[j], ev);
		if (changed)
			model_topic_mark(md, tp);
	}
}
