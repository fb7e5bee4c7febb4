/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who can have refused a deletion: the broker that was the controller when the marker went, and whether it may delete. A controller takes the
 * markers away that it refuses (KafkaController.processTopicDeletion, delete.topic.enable=false), and is often restarted with other settings, or
 * follows another one, before anybody looks: so this is kept with what was seen.
 */
#include "core/model_priv.h"

/* Watches of a session fire in the order of the changes, and what they tell is read at once: an election that is told later than this came later. */
enum { SAME_MOMENT_MS = 500 };

static bool controller_is_known(const struct cluster *cl)
{
	return cl->controller_fact.know == KNOW_PRESENT && cl->controller_fact.source == SOURCE_ZOOKEEPER;
}

void model_refuser_note(struct model *md, struct witness *wi)
{
	const struct cluster *cl = &md->cl;

	wi->end_controller = controller_is_known(cl) ? cl->controller.broker : BROKER_NONE;
	wi->end_enabled = broker_may_delete(wi->end_controller != BROKER_NONE ? model_broker_find(md, wi->end_controller) : NULL);
}

/* One that was elected before the marker went, and was told later, is the one; if it says otherwise than the one before, it is not known which. */
void model_refuser_controller(struct model *md, struct witness *wi)
{
	const struct cluster *cl = &md->cl;
	int8_t enabled;

	if (wi->end != WITNESS_MARKER_GONE || wi->end_is_open || !controller_is_known(cl) || wi->end_controller == cl->controller.broker ||
	    md->seen.ms > wi->ended.ms + SAME_MOMENT_MS)
		return;
	enabled = broker_may_delete(model_broker_find(md, cl->controller.broker));
	wi->end_is_open = wi->end_controller != BROKER_NONE && enabled != wi->end_enabled;
	wi->end_controller = wi->end_is_open ? BROKER_NONE : cl->controller.broker;
	wi->end_enabled = wi->end_is_open ? -1 : enabled;
	model_witness_touch(md, wi);
}

void model_refuser_settings(struct model *md, const struct broker *br)
{
	for (size_t i = 0; i < md->cl.n_witnesses; i++) {
		struct witness *wi = md->cl.witnesses[i];

		/* What it says after another start it did not say before. */
		if (wi->end != WITNESS_MARKER_GONE || wi->end_controller != br->id || wi->end_enabled >= 0 || br->since.ms > wi->ended.ms)
			continue;
		wi->end_enabled = broker_may_delete(br);
		if (wi->end_enabled >= 0)
			model_witness_touch(md, wi);
	}
}
