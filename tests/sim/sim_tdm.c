/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller's deletions (kafka.controller.TopicDeletionManager; reference 2.4 to 2.7, function by function), its reassignments as far as deletions hang on
 * them, and topics that are made.
 */
#include <string.h>

#include "tests/sim/sim.h"

/* ---- questions --------------------------------------------------------------------------------------------------- */

static size_t count(const struct sim_topic *tp, int state)
{
	size_t n = 0;

	for (size_t p = 0; p < tp->n; p++)
		for (size_t i = 0; i < tp->p[p].n; i++)
			n += tp->p[p].r[i].state == state;
	return n;
}

static size_t n_replicas(const struct sim_topic *tp)
{
	size_t n = 0;

	for (size_t p = 0; p < tp->n; p++)
		n += tp->p[p].n;
	return n;
}

static struct sim_replica *replica(struct sim *si, struct sim_item it, int32_t broker)
{
	struct sim_topic *tp = &si->ctl.t[it.topic];

	for (size_t i = 0; (size_t)it.part < tp->n && i < tp->p[it.part].n; i++)
		if (tp->p[it.part].r[i].broker == broker)
			return &tp->p[it.part].r[i];
	return NULL;
}

/* ---- a pass -------------------------------------------------------------------------------------------------------- */

static void each_replica(struct sim *si, int topic, bool live, int from, int to)
{
	struct sim_topic *tp = &si->ctl.t[topic];

	for (size_t p = 0; p < tp->n; p++)
		for (size_t i = 0; i < tp->p[p].n; i++) {
			struct sim_replica *r = &tp->p[p].r[i];

			if (sim_replica_is_live(si, r) == live && r->state != RSM_DELETION_SUCCESSFUL && (from == 0 || r->state == from))
				sim_replica_to(si, topic, (int)p, r, to);
		}
}

static bool has_dead(const struct sim *si, int topic)
{
	const struct sim_topic *tp = &si->ctl.t[topic];

	for (size_t p = 0; p < tp->n; p++)
		for (size_t i = 0; i < tp->p[p].n; i++)
			if (!sim_replica_is_live(si, &tp->p[p].r[i]))
				return true;
	return false;
}

static void run_pass(struct sim *si, int topic)
{
	bool dead = has_dead(si, topic);

	sim_say(si, "controller: a pass over %s", sim_name(topic));
	si->ctl.t[topic].is_started = true;
	sim_life_begin(si, topic, si->ctl.t[topic].czxid)->has_passed = true;
	sim_update_metadata(si, 0, (uint8_t)(1u << topic));
	each_replica(si, topic, false, 0, RSM_DELETION_INELIGIBLE);
	each_replica(si, topic, true, 0, RSM_OFFLINE);
	each_replica(si, topic, true, RSM_OFFLINE, RSM_DELETION_STARTED);
	if (dead)
		sim_tdm_mark_ineligible(si, topic);
}

static void complete(struct sim *si, int topic)
{
	struct sim_topic *tp = &si->ctl.t[topic];

	sim_say(si, "controller: %s is deleted", sim_name(topic));
	for (size_t p = 0; p < tp->n; p++)
		for (size_t i = 0; i < tp->p[p].n; i++)
			sim_replica_to(si, topic, (int)p, &tp->p[p].r[i], RSM_NON_EXISTENT);
	tp->is_queued = tp->is_started = false;
	si->ctl.is_completing[topic] = true;
	sim_controller_tick(si);
}

/* TDM.resumeDeletions. */
void sim_tdm_resume(struct sim *si)
{
	bool retry[SIM_TOPICS] = { false }, start[SIM_TOPICS] = { false };

	for (int t = 0; t < SIM_TOPICS; t++) {
		struct sim_topic *tp = &si->ctl.t[t];

		if (!tp->is_queued)
			continue;
		if (count(tp, RSM_DELETION_SUCCESSFUL) == n_replicas(tp)) {
			complete(si, t);
			continue;
		}
		retry[t] = count(tp, RSM_DELETION_STARTED) == 0 && count(tp, RSM_DELETION_INELIGIBLE) > 0;
		start[t] = count(tp, RSM_DELETION_STARTED) == 0 && !si->ctl.is_ineligible[t];
	}
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; retry[t] && p < si->ctl.t[t].n; p++)
			for (size_t i = 0; i < si->ctl.t[t].p[p].n; i++)
				if (si->ctl.t[t].p[p].r[i].state == RSM_DELETION_INELIGIBLE)
					sim_replica_to(si, t, (int)p, &si->ctl.t[t].p[p].r[i], RSM_OFFLINE);
	for (int t = 0; t < SIM_TOPICS; t++)
		if (start[t])
			run_pass(si, t);
}

void sim_tdm_mark_ineligible(struct sim *si, int topic)
{
	if (si->ctl.t[topic].is_queued)
		si->ctl.is_ineligible[topic] = true;
}

void sim_tdm_resume_for(struct sim *si, int topic)
{
	if (!si->ctl.t[topic].is_queued)
		return;
	si->ctl.is_ineligible[topic] = false;
	sim_tdm_resume(si);
}

void sim_tdm_enqueue(struct sim *si, uint8_t topics)
{
	for (int t = 0; t < SIM_TOPICS; t++) {
		if (!(topics & (1u << t)) || si->ctl.t[t].is_queued)
			continue;
		si->ctl.t[t].is_queued = true;
		if (si->ctl.is_ineligible[t])
			sim_life_begin(si, t, si->ctl.t[t].czxid)->was_left_over = true;
	}
	if (topics != 0)
		sim_tdm_resume(si);
}

void sim_tdm_fail(struct sim *si, const struct sim_item *v, const int32_t *brokers, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		struct sim_replica *r = replica(si, v[i], brokers[i]);

		if (!si->ctl.t[v[i].topic].is_queued || r == NULL)
			continue;
		any = true;
		sim_replica_to(si, v[i].topic, v[i].part, r, RSM_DELETION_INELIGIBLE);
		sim_tdm_mark_ineligible(si, v[i].topic);
	}
	if (any)
		sim_tdm_resume(si);
}

void sim_tdm_succeed(struct sim *si, const struct sim_item *v, int32_t broker, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		struct sim_replica *r = replica(si, v[i], broker);

		if (!si->ctl.t[v[i].topic].is_queued || r == NULL)
			continue;
		any = true;
		sim_replica_to(si, v[i].topic, v[i].part, r, RSM_DELETION_SUCCESSFUL);
	}
	if (any)
		sim_tdm_resume(si);
}

/* ---- the last steps, node by node -------------------------------------------------------------------------------------- */

static bool remove_a_state(struct sim *si, int topic)
{
	char path[SIM_PATH];

	for (int p = 0; p < SIM_PARTS; p++) {
		str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", sim_name(topic), p);
		if (sim_zk_remove(si, path)) {
			si->node[topic].p[p].has_state = false;
			return true;
		}
	}
	return false;
}

static void complete_topic(struct sim *si, int topic)
{
	char path[SIM_PATH];

	str_printf(path, sizeof(path), "/brokers/topics/%s", sim_name(topic));
	/* What a client makes anew between two steps stays. */
	if (si->node[topic].is_known && si->node[topic].czxid == si->ctl.t[topic].czxid) {
		if (remove_a_state(si, topic))
			return;
		memset(&si->node[topic], 0, sizeof(si->node[topic]));
		sim_zk_remove(si, path);
		return;
	}
	str_printf(path, sizeof(path), "/config/topics/%s", sim_name(topic));
	if (!si->node[topic].is_known && sim_zk_remove(si, path))
		return;
	str_printf(path, sizeof(path), "/admin/delete_topics/%s", sim_name(topic));
	sim_zk_remove(si, path); /* one with a child stays */
	memset(&si->ctl.t[topic], 0, sizeof(si->ctl.t[topic]));
	si->ctl.is_completing[topic] = false;
}

bool sim_tdm_complete_step(struct sim *si)
{
	for (int t = 0; t < SIM_TOPICS; t++)
		if (si->ctl.is_completing[t]) {
			complete_topic(si, t);
			return true;
		}
	return false;
}

/* ---- reassignments --------------------------------------------------------------------------------------------------------- */

static void caught_up(struct sim *si, int64_t key, int64_t czxid, void *p)
{
	int topic = (int)key / 8, part = (int)key % 8;
	struct sim_topic *tp = &si->ctl.t[topic];
	struct sim_todo td = { .what = SIM_EV_MOVED, .a = (int32_t)key, .czxid = czxid };
	bool may_end = true;

	(void)p;
	if (!si->ctl.is_active || !tp->is_known || tp->czxid != czxid || (size_t)part >= tp->n || !tp->p[part].is_moving)
		return;
	for (size_t i = 0; i < tp->p[part].n; i++)
		if (tp->p[part].adding & (1u << tp->p[part].r[i].broker))
			may_end &= sim_replica_is_live(si, &tp->p[part].r[i]) && sim_broker_works(&si->b[tp->p[part].r[i].broker]);
	/* A queued topic is in no cache any more: its followers' fetches fail (reference 2.8). */
	if (!may_end || tp->is_queued || tp->p[part].leader == BROKER_NONE || !sim_broker_works(&si->b[tp->p[part].leader]))
		sim_after(si, 2000, caught_up, key, czxid, NULL);
	else
		sim_controller_push(si, &td);
}

/* The first lines of KafkaController.onPartitionReassignment. */
void sim_move_resume(struct sim *si, int topic, int part)
{
	sim_tdm_mark_ineligible(si, topic);
	sim_after(si, sim_between(si, 1500, 9000), caught_up, topic * 8 + part, si->ctl.t[topic].czxid, NULL);
}

void sim_move_begin(struct sim *si, int topic, int part, int32_t to)
{
	struct sim_topic *tp = &si->ctl.t[topic];
	struct sim_part *pt = &tp->p[part];

	if (!tp->is_known || tp->is_queued || si->ctl.is_completing[topic] || (size_t)part >= tp->n || pt->is_moving || si->ctl.live[to] == 0)
		return;
	for (size_t i = 0; i < pt->n; i++)
		if (pt->r[i].broker == to)
			return;
	pt->removing = (uint8_t)(1u << pt->r[pt->n - 1].broker);
	pt->adding = (uint8_t)(1u << to);
	pt->r[pt->n++] = (struct sim_replica){ .broker = to, .state = RSM_ONLINE };
	pt->is_moving = true;
	sim_topic_write(si, topic);
	if (pt->has_state)
		sim_replica_to(si, topic, part, &pt->r[pt->n - 1], RSM_ONLINE);
	sim_move_resume(si, topic, part);
}

static void drop_removed(struct sim *si, int topic, int part)
{
	struct sim_part *pt = &si->ctl.t[topic].p[part];

	for (size_t i = 0; i < pt->n; i++) {
		if (!(pt->removing & (1u << pt->r[i].broker)))
			continue;
		sim_replica_to(si, topic, part, &pt->r[i], RSM_OFFLINE);
		sim_replica_to(si, topic, part, &pt->r[i], RSM_DELETION_STARTED);
		memmove(&pt->r[i], &pt->r[i + 1], (--pt->n - i) * sizeof(pt->r[0]));
		i--;
	}
}

void sim_move_end(struct sim *si, int topic, int part, int64_t czxid)
{
	struct sim_topic *tp = &si->ctl.t[topic];
	struct sim_part *pt = &tp->p[part];

	if (!tp->is_known || tp->czxid != czxid || (size_t)part >= tp->n || !pt->is_moving || tp->is_queued || !pt->has_state)
		return;
	for (size_t i = 0; i < pt->n; i++)
		if (pt->adding & (1u << pt->r[i].broker))
			pt->isr[pt->n_isr++] = pt->r[i].broker;
	drop_removed(si, topic, part);
	pt->adding = pt->removing = 0;
	pt->is_moving = false;
	sim_elect(si, topic, part);
	pt->writer = si->ctl.epoch;
	sim_state_write(si, topic, part);
	sim_topic_write(si, topic);
	sim_tdm_resume_for(si, topic);
}

/* ---- topics that are made ---------------------------------------------------------------------------------------------------- */

/* Written to for a while. Some stay empty. */
static void grow(struct sim *si, int64_t topic, int64_t czxid, void *p)
{
	(void)p;
	for (int id = 1; id <= si->n_brokers; id++)
		for (size_t i = 0; i < SIM_LOGS; i++) {
			struct sim_log *lg = &si->b[id].logs[i];

			if (lg->is_used && lg->topic == topic && lg->czxid == czxid && lg->size == 0)
				lg->size = 1000 * (1 + sim_between(si, 0, 999));
		}
}

static void choose_parts(struct sim *si, struct sim_topic *tp)
{
	size_t rf = 1 + sim_below(si, (uint32_t)(si->n_brokers < 3 ? si->n_brokers : 3));

	tp->n = 1 + sim_below(si, SIM_PARTS);
	for (size_t p = 0; p < tp->n; p++) {
		uint32_t first = sim_below(si, (uint32_t)si->n_brokers);

		tp->p[p].n = rf;
		tp->p[p].leader = BROKER_NONE;
		for (size_t i = 0; i < rf; i++)
			tp->p[p].r[i].broker = 1 + (int32_t)((first + i) % (uint32_t)si->n_brokers);
	}
}

static void write_new(struct sim *si, int topic, const struct sim_topic *tp)
{
	struct sim_topic was = si->ctl.t[topic];

	si->node[topic] = *tp;
	si->ctl.t[topic] = *tp;
	sim_topic_write(si, topic);
	si->ctl.t[topic] = was;
}

void sim_topic_create(struct sim *si, int topic, bool by_client)
{
	struct sim_topic tp = { .is_known = true };
	char path[SIM_PATH];

	if (topic >= si->n_topics || si->node[topic].is_known || !sim_controller_works(si) || (si->is_31 && sim_zk_has_marker(si, topic)))
		return;
	choose_parts(si, &tp);
	str_printf(path, sizeof(path), "/config/topics/%s", sim_name(topic));
	sim_zk_put(si, path, "{\"version\":1,\"config\":{}}", 0);
	tp.czxid = si->zk.zxid + 1;
	write_new(si, topic, &tp);
	sim_life_begin(si, topic, tp.czxid);
	if (!by_client || sim_below(si, 3) > 0)
		sim_after(si, by_client ? sim_between(si, 500, 4000) : 1500, grow, topic, tp.czxid, NULL);
}
