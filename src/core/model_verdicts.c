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

		br->replicas += (uint32_t)sign;
		if ((pt->flags & PT_UNDER) && health_misses(pt, br->id))
			br->under_followers += (uint32_t)sign;
	}
	if ((pt->flags & PT_KNOWN) && pt->leader >= 0)
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

struct turn model_turn(const struct event *ev, bool was_sure)
{
	return (struct turn){ was_sure, ev->stat.mtime.ms != 0 ? ev->stat.mtime : ev->seen_wall, ev->seen_wall };
}

static wall_ms latest(wall_ms a, wall_ms b)
{
	return a.ms > b.ms ? a : b;
}

/* The last write of a partition's state; of the assignment that named it, where there never was a state. */
static wall_ms state_write(const struct topic *tp, const struct partition *pt)
{
	return pt->state.know == KNOW_ABSENT ? tp->changed : pt->changed;
}

/*
 * At least since when it has no live leader: the write that says there is none, or the going of the leader's broker. {0} unknown.
 * No more than a bound: a controller that moves writes the state of an offline partition anew, with leader -1 again, the next
 * leader_epoch and a new mtime (seen with Kafka 2.8.2).
 */
static wall_ms leaderless_from(const struct cluster *cl, const struct topic *tp, const struct partition *pt)
{
	const struct broker *br = pt->leader >= 0 ? cluster_broker_find(cl, pt->leader) : NULL;

	if (pt->leader < 0)
		return state_write(tp, pt);
	return br != NULL && br->since.ms != 0 ? latest(br->since, pt->changed) : (wall_ms){ 0 };
}

static wall_ms under_min_from(const struct topic *tp, const struct partition *pt)
{
	if (tp->min_isr >= 0 && pt->n_isr < tp->min_isr)
		return latest(state_write(tp, pt), tp->config_changed);
	return pt->offline_since.at;
}

/* What a partition's verdict was, and what it is judged again for. */
struct judgement {
	const struct partition *pt;
	uint16_t old;
	const struct turn *tu;
	bool was_sure;
};

/* `found`: since when it has been so at least, if it wasn't seen to turn. */
static void since_keep(struct since *si, const struct judgement *ju, unsigned flag, wall_ms found)
{
	bool was_decided = (ju->old & PT_KNOWN) && !(ju->old & health_doubts(flag));

	if (!(ju->pt->flags & flag)) {
		*si = (struct since){ { 0 }, false };
		return;
	}
	if ((ju->old & flag) && si->at.ms != 0)
		return;
	si->exact = ju->was_sure && was_decided && !(ju->old & flag);
	si->at = si->exact ? ju->tu->at : found.ms != 0 ? found : ju->tu->seen;
}

void model_judge(struct model *md, struct topic *tp, struct partition *pt, const struct turn *tu)
{
	const struct cluster *cl = &md->cl;
	struct judgement ju = { pt, pt->flags, tu, tu->was_sure && tp->node.epoch == cl->epoch && pt->state.epoch == cl->epoch };

	pt->flags = health_partition(cl, tp, pt);
	since_keep(&pt->offline_since, &ju, PT_OFFLINE, leaderless_from(cl, tp, pt));
	since_keep(&pt->under_since, &ju, PT_UNDER, latest(tp->changed, pt->changed));
	since_keep(&pt->under_min_since, &ju, PT_UNDER_MIN, under_min_from(tp, pt));
}

/* Judges a partition again where only its surroundings changed; true when the verdict did. */
static bool rejudge(struct model *md, struct topic *tp, struct partition *pt, const struct turn *tu)
{
	uint16_t fresh = health_partition(&md->cl, tp, pt);

	if (fresh == pt->flags)
		return false;
	model_tally(md, tp, pt, -1);
	model_judge(md, tp, pt, tu);
	model_tally(md, tp, pt, 1);
	return true;
}

void model_judge_topic(struct model *md, struct topic *tp, const struct turn *tu)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		rejudge(md, tp, &tp->parts[i], tu);
	model_topic_mark(md, tp);
}

/* Whether the leader's broker was seen to go. */
static bool leader_was_seen(const struct cluster *cl, const struct partition *pt)
{
	const struct broker *br = pt->leader >= 0 ? cluster_broker_find(cl, pt->leader) : NULL;

	return br != NULL && !br->up && br->since_exact;
}

/* The node read was another than the partition's: only its being noticed has a time. */
static bool judge_again(struct model *md, struct topic *tp, struct partition *pt, const struct event *ev)
{
	struct turn tu = { leader_was_seen(&md->cl, pt), ev->seen_wall, ev->seen_wall };

	return rejudge(md, tp, pt, &tu);
}

void model_judge_all(struct model *md, const struct event *ev)
{
	for (size_t i = 0; i < md->cl.n_topics; i++) {
		struct topic *tp = md->cl.topics[i];
		bool changed = false;

		for (size_t j = 0; j < tp->n_parts; j++)
			changed |= judge_again(md, tp, &tp->parts[j], ev);
		if (changed)
			model_topic_mark(md, tp);
	}
}

void model_judge_led(struct model *md, int32_t broker, const struct event *ev)
{
	for (size_t i = 0; i < md->cl.n_topics; i++) {
		struct topic *tp = md->cl.topics[i];
		bool changed = false;

		for (size_t j = 0; j < tp->n_parts; j++)
			if (tp->parts[j].leader == broker)
				changed |= judge_again(md, tp, &tp->parts[j], ev);
		if (changed)
			model_topic_mark(md, tp);
	}
}
