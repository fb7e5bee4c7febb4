/* SPDX-License-Identifier: Apache-2.0 */
/* The model without the brokers' word: all that has no other source is as unknown as at the start. */
#include <string.h>

#include "base/mem.h"
#include "core/model_priv.h"

static void forget_states(struct model *md, struct topic *tp)
{
	struct turn tu = { false, { 0 }, { 0 } };

	tp->md_missing = 0;
	tp->md_visible = false;
	for (size_t i = 0; i < tp->n_parts; i++) {
		struct partition *pt = &tp->parts[i];

		if (pt->word == NULL && pt->state.source != SOURCE_BROKERS)
			continue;
		model_tally(md, tp, pt, -1);
		model_word_free(&pt->word);
		if (pt->state.source == SOURCE_BROKERS) {
			pt->leader = BROKER_NONE;
			pt->leader_epoch = -1;
			mem_free(&pt->isr);
			pt->n_isr = 0;
			pt->state = (struct fact){ .know = KNOW_UNKNOWN };
		}
		model_judge(md, tp, pt, &tu);
		model_tally(md, tp, pt, 1);
		model_topic_mark(md, tp);
	}
}

static void forget_broker(struct model *md, struct broker *br)
{
	model_disks_forget(md, br);
	zk_config_fini(&br->settings);
	memset(&br->settings, 0, sizeof(br->settings));
	br->settings_fact = (struct fact){ .know = KNOW_UNKNOWN };
	mem_free(&br->settings_why);
	br->min_isr = -1;
	if (br->reg.source != SOURCE_BROKERS)
		return;
	model_broker_forget_info(br);
	br->reg = (struct fact){ .know = KNOW_UNKNOWN };
}

/* Facts that have no other source are as unknown as at the start. */
static void forget_fact(struct fact *fa)
{
	if (fa->source == SOURCE_BROKERS)
		*fa = (struct fact){ .know = KNOW_UNKNOWN };
}

void model_forget_brokers_word(struct model *md, const struct event *ev)
{
	struct cluster *cl = &md->cl;

	for (size_t i = cl->n_topics; i-- > 0;) {
		struct topic *tp = cl->topics[i];

		if (tp->node.source == SOURCE_BROKERS)
			model_topic_remove(md, tp);
		else
			forget_states(md, tp);
	}
	for (size_t i = 0; i < cl->n_brokers; i++)
		forget_broker(md, cl->brokers[i]);
	for (size_t i = 0; i < cl->n_md_only; i++)
		mem_free(&cl->md_only[i].name);
	cl->n_md_only = 0;
	model_observe_forget(md);
	forget_fact(&cl->topics_fact);
	forget_fact(&cl->broker_ids_fact);
	forget_fact(&cl->controller_fact);
	cl->metadata_fact = cl->reassigning_fact = (struct fact){ .know = KNOW_UNKNOWN };
	reassigning_list_fini(&cl->reassigning);
	cl->metadata_controller = BROKER_NONE;
	cl->controller_polls = 0;
	model_brokers_prune(md);
	model_judge_all(md, ev);
	md->bits |= CHG_BROKERS | CHG_METADATA | CHG_DISKS | CHG_COUNTS;
}
