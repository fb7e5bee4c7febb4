/* SPDX-License-Identifier: Apache-2.0 */
#include "view/topic_facts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/health.h"

bool topic_is_read(const struct topic *tp)
{
	return tp->node.know == KNOW_PRESENT;
}

bool topic_is_whole(const struct topic *tp)
{
	return topic_is_read(tp) && topic_count(&tp->counts, PT_KNOWN) == tp->n_parts;
}

bool topic_count_is_whole(const struct topic *tp, unsigned flag)
{
	unsigned doubts = health_doubts(flag);

	if (flag == PT_MOVING) /* the assignment alone decides */
		return topic_is_read(tp);
	for (unsigned bit = 1; bit <= doubts; bit <<= 1)
		if ((doubts & bit) && topic_count(&tp->counts, bit) > 0)
			return false;
	return topic_is_whole(tp);
}

void topic_rf_range(const struct topic *tp, int32_t *low, int32_t *high)
{
	*low = *high = tp->rf;
	for (size_t i = 0; tp->mixed_replication && i < tp->n_parts; i++) {
		int32_t rf = partition_rf(&tp->parts[i]);

		*low = rf < *low ? rf : *low;
		*high = rf > *high ? rf : *high;
	}
}

const struct partition *topic_worst(const struct topic *tp)
{
	const struct partition *worst = NULL;

	for (size_t i = 0; i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];

		if (!(pt->flags & PT_KNOWN))
			continue;
		if (!worst || pt->n_isr < worst->n_isr ||
		    (pt->n_isr == worst->n_isr && partition_rf(pt) > partition_rf(worst)))
			worst = pt;
	}
	return worst;
}

size_t topic_leaders(const struct topic *tp)
{
	int32_t *ids = mem_array(tp->n_parts + 1, sizeof(*ids));
	size_t n = 0, distinct = 0;

	for (size_t i = 0; i < tp->n_parts; i++)
		if ((tp->parts[i].flags & PT_KNOWN) && tp->parts[i].leader >= 0)
			ids[n++] = tp->parts[i].leader;
	qsort(ids, n, sizeof(*ids), ids_cmp);
	for (size_t i = 0; i < n; i++)
		distinct += i == 0 || ids[i] != ids[i - 1];
	mem_free(&ids);
	return distinct;
}

bool topic_is_old(const struct cluster *cl, const struct topic *tp)
{
	if (fact_is_old(cl, &tp->node))
		return true;
	for (size_t i = 0; i < tp->n_parts; i++)
		if (fact_is_old(cl, &tp->parts[i].state))
			return true;
	return false;
}

bool topic_is_said(const struct topic *tp)
{
	if (tp->node.source == SOURCE_BROKERS)
		return true;
	for (size_t i = 0; i < tp->n_parts; i++)
		if (tp->parts[i].state.source == SOURCE_BROKERS)
			return true;
	return false;
}

static struct since partition_since(const struct partition *pt, unsigned flag)
{
	return flag == PT_OFFLINE ? pt->offline_since : flag == PT_UNDER_MIN ? pt->under_min_since : pt->under_since;
}

struct since topic_since(const struct topic *tp, unsigned flag)
{
	struct since first = { { 0 }, true };

	for (size_t i = 0; i < tp->n_parts; i++) {
		struct since since;

		if (!(tp->parts[i].flags & flag))
			continue;
		since = partition_since(&tp->parts[i], flag);
		if (since.at.ms && (!first.at.ms || since.at.ms < first.at.ms))
			first.at = since.at;
		first.exact &= since.exact;
	}
	first.exact &= first.at.ms != 0;
	return first;
}

struct since topic_state_since(const struct topic *tp)
{
	switch (health_topic(tp)) {
	case TOPIC_OFFLINE:
		return topic_since(tp, PT_OFFLINE);
	case TOPIC_UNDER_MIN:
		return topic_since(tp, PT_UNDER_MIN);
	case TOPIC_UNDER:
		return topic_since(tp, PT_UNDER);
	default:
		return (struct since){ { 0 }, false };
	}
}
