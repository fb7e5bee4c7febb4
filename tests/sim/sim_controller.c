/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller: its elections, its one thread that takes events in their order, brokers that come and go (kafka.controller.KafkaController;
 * reference 2.2, 2.6, 2.8). What it holds of replicas and partitions: sim_states.c; the deletions themselves: sim_tdm.c.
 */
#include <string.h>

#include "tests/sim/sim.h"

bool sim_controller_works(const struct sim *si)
{
	return si->ctl.is_active && sim_broker_works(&si->b[si->ctl.id]);
}

/* ---- all partitions --------------------------------------------------------------------------------------------------- */

static void elect_all(struct sim *si)
{
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; si->ctl.t[t].is_known && p < si->ctl.t[t].n; p++)
			sim_elect(si, t, (int)p);
}

/* ---- brokers that come and go ----------------------------------------------------------------------------------------- */

typedef void (*replica_fn)(struct sim *si, int topic, int part, struct sim_replica *r);

static void each_on(struct sim *si, int32_t broker, replica_fn fn)
{
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; si->ctl.t[t].is_known && p < si->ctl.t[t].n; p++)
			for (size_t i = 0; i < si->ctl.t[t].p[p].n; i++)
				if (si->ctl.t[t].p[p].r[i].broker == broker)
					fn(si, t, (int)p, &si->ctl.t[t].p[p].r[i]);
}

static void to_online(struct sim *si, int topic, int part, struct sim_replica *r)
{
	sim_replica_to(si, topic, part, r, RSM_ONLINE);
}

static void forget_dir(struct sim *si, int topic, int part, struct sim_replica *r)
{
	(void)si;
	(void)topic;
	(void)part;
	r->is_on_bad_dir = false;
}

/* KafkaController.onReplicasBecomeOffline, of replicas on one broker. */
static void become_offline(struct sim *si, int32_t broker, const struct sim_item *v, size_t n)
{
	struct sim_item queued[SIM_ITEMS];
	int32_t on[SIM_ITEMS];
	size_t n_queued = 0;

	for (size_t i = 0; i < n; i++) {
		struct sim_topic *tp = &si->ctl.t[v[i].topic];

		if (tp->is_queued) {
			on[n_queued] = broker;
			queued[n_queued++] = v[i];
		} else {
			sim_elect(si, v[i].topic, v[i].part);
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct sim_part *pt = &si->ctl.t[v[i].topic].p[v[i].part];

		for (size_t k = 0; k < pt->n; k++)
			if (!si->ctl.t[v[i].topic].is_queued && pt->r[k].broker == broker)
				sim_replica_to(si, v[i].topic, v[i].part, &pt->r[k], RSM_OFFLINE);
	}
	if (n_queued > 0)
		sim_tdm_fail(si, queued, on, n_queued);
}

static void broker_failed(struct sim *si, int32_t broker)
{
	struct sim_item v[SIM_ITEMS];
	size_t n = 0;

	sim_say(si, "controller: broker %d failed", broker);
	each_on(si, broker, forget_dir);
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; si->ctl.t[t].is_known && p < si->ctl.t[t].n; p++)
			for (size_t i = 0; i < si->ctl.t[t].p[p].n; i++)
				if (si->ctl.t[t].p[p].r[i].broker == broker)
					v[n++] = (struct sim_item){ (int8_t)t, (int8_t)p };
	become_offline(si, broker, v, n);
}

static bool hosts(const struct sim *si, int topic, int32_t broker)
{
	const struct sim_topic *tp = &si->ctl.t[topic];

	for (size_t p = 0; p < tp->n; p++)
		for (size_t i = 0; i < tp->p[p].n; i++)
			if (tp->p[p].r[i].broker == broker)
				return true;
	return false;
}

static void broker_started(struct sim *si, int32_t broker)
{
	uint8_t told = 0;

	sim_say(si, "controller: broker %d started", broker);
	each_on(si, broker, forget_dir);
	for (int t = 0; t < SIM_TOPICS; t++)
		if (si->is_25 || !si->ctl.t[t].is_queued)
			told |= (uint8_t)(1u << t);
	sim_update_metadata(si, broker, told);
	each_on(si, broker, to_online);
	elect_all(si);
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; si->ctl.t[t].is_known && p < si->ctl.t[t].n; p++)
			if (si->ctl.t[t].p[p].is_moving && hosts(si, t, broker))
				sim_move_resume(si, t, (int)p);
	for (int t = 0; t < SIM_TOPICS; t++)
		if (si->ctl.t[t].is_known && si->ctl.t[t].is_queued && hosts(si, t, broker))
			sim_tdm_resume_for(si, t);
}

static int64_t registered(struct sim *si, int32_t id)
{
	char path[SIM_PATH];
	struct sim_znode *zn;

	str_printf(path, sizeof(path), "/brokers/ids/%d", id);
	zn = sim_zk_find(si, path);
	return zn != NULL ? zn->stat.czxid : 0;
}

/* KafkaController.processBrokerChange: new ones, those that bounced, dead ones. */
static void brokers_changed(struct sim *si)
{
	struct sim_controller *ct = &si->ctl;
	int64_t was[SIM_BROKERS + 1], now[SIM_BROKERS + 1] = { 0 };

	ct->is_armed[SIM_EV_BROKERS] = true;
	memcpy(was, ct->live, sizeof(was));
	for (int id = 1; id <= si->n_brokers; id++) {
		now[id] = registered(si, id);
		if (was[id] != now[id])
			sim_broker_forget_queue(&si->b[id]);
	}
	for (int id = 1; id <= si->n_brokers; id++)
		if (was[id] == 0 && now[id] != 0)
			ct->live[id] = now[id];
	for (int id = 1; id <= si->n_brokers; id++)
		if (was[id] == 0 && now[id] != 0)
			broker_started(si, id);
	for (int id = 1; id <= si->n_brokers; id++) {
		if (was[id] == 0 || now[id] == 0 || was[id] == now[id])
			continue;
		ct->live[id] = 0;
		broker_failed(si, id);
		ct->live[id] = now[id];
		broker_started(si, id);
	}
	for (int id = 1; id <= si->n_brokers; id++)
		if (was[id] != 0 && now[id] == 0)
			ct->live[id] = 0;
	for (int id = 1; id <= si->n_brokers; id++)
		if (was[id] != 0 && now[id] == 0)
			broker_failed(si, id);
	for (int t = 0; t < SIM_TOPICS; t++)
		if (ct->t[t].is_known && !ct->t[t].is_queued)
			sim_update_metadata(si, 0, (uint8_t)(1u << t));
}

/* ---- topics, answers, ISRs ------------------------------------------------------------------------------------------------ */

static void load_topic(struct sim *si, int t, bool is_new)
{
	struct sim_topic *tp = &si->ctl.t[t];

	*tp = si->node[t];
	tp->is_known = true;
	tp->is_queued = tp->is_started = false;
	for (size_t p = 0; p < tp->n; p++) {
		tp->p[p].is_moving = (tp->p[p].adding | tp->p[p].removing) != 0;
		for (size_t i = 0; i < tp->p[p].n; i++) {
			struct sim_replica *r = &tp->p[p].r[i];

			r->is_on_bad_dir = false;
			r->state = (uint8_t)(is_new || si->ctl.live[r->broker] != 0 ? RSM_ONLINE : RSM_DELETION_INELIGIBLE);
		}
	}
}

static void topics_changed(struct sim *si)
{
	si->ctl.is_armed[SIM_EV_TOPICS] = true;
	for (int t = 0; t < SIM_TOPICS; t++) {
		if (!si->node[t].is_known || si->ctl.t[t].is_known)
			continue;
		sim_say(si, "controller: new topic %s", sim_name(t));
		load_topic(si, t, true);
		for (size_t p = 0; p < si->ctl.t[t].n; p++)
			sim_elect(si, t, (int)p);
	}
}

static void isr_grows(struct sim *si, int64_t key, int64_t broker, void *p)
{
	struct sim_todo td = { .what = SIM_EV_ISR, .a = (int32_t)key, .b = (int32_t)broker };

	(void)p;
	if (si->ctl.is_active)
		sim_controller_push(si, &td);
}

static void expand_isr(struct sim *si, int topic, int part, int32_t broker)
{
	struct sim_topic *tp = &si->ctl.t[topic];
	struct sim_part *pt = &tp->p[part];
	bool is_live = false;

	for (size_t i = 0; i < pt->n; i++)
		is_live |= pt->r[i].broker == broker && sim_replica_is_live(si, &pt->r[i]) && !(pt->adding & (1u << broker));
	if (!tp->is_known || tp->is_queued || (size_t)part >= tp->n || !is_live || !pt->has_state || pt->leader == BROKER_NONE ||
	    sim_isr_at(pt, broker) < pt->n_isr || !sim_broker_works(&si->b[broker]) || !sim_broker_works(&si->b[pt->leader]))
		return;
	pt->isr[pt->n_isr++] = broker;
	if (!si->leader_writes_isr)
		pt->writer = si->ctl.epoch;
	sim_state_write(si, topic, part);
}

/* An answer to LeaderAndIsr: replicas whose log dir is bad. */
static void took_leader_isr(struct sim *si, const struct sim_response *rs)
{
	struct sim_item bad[SIM_ITEMS];
	size_t n = 0;

	for (size_t i = 0; i < rs->n; i++) {
		struct sim_topic *tp = &si->ctl.t[rs->v[i].topic];
		struct sim_part *pt = &tp->p[rs->v[i].part];

		for (size_t k = 0; tp->is_known && (size_t)rs->v[i].part < tp->n && k < pt->n; k++) {
			if (pt->r[k].broker != rs->broker)
				continue;
			if (rs->has_failed[i] && !pt->r[k].is_on_bad_dir)
				bad[n++] = rs->v[i];
			pt->r[k].is_on_bad_dir = rs->has_failed[i];
			if (!rs->has_failed[i])
				sim_after(si, sim_between(si, 300, 2500), isr_grows, rs->v[i].topic * 8 + rs->v[i].part, rs->broker, NULL);
		}
	}
	if (n > 0)
		become_offline(si, rs->broker, bad, n);
}

static void took_delete(struct sim *si, const struct sim_response *rs)
{
	struct sim_item bad[SIM_ITEMS], good[SIM_ITEMS];
	int32_t on[SIM_ITEMS];
	size_t n_bad = 0, n_good = 0;

	for (size_t i = 0; i < rs->n; i++) {
		on[n_bad] = rs->broker;
		if (rs->has_failed[i])
			bad[n_bad++] = rs->v[i];
		else
			good[n_good++] = rs->v[i];
	}
	if (n_bad > 0)
		sim_tdm_fail(si, bad, on, n_bad);
	if (n_good > 0)
		sim_tdm_succeed(si, good, rs->broker, n_good);
}

/* ---- markers --------------------------------------------------------------------------------------------------------------- */

static void drop_marker(struct sim *si, const char *name)
{
	char path[SIM_PATH];
	int t = sim_topic_of(name);

	str_printf(path, sizeof(path), "/admin/delete_topics/%s", name);
	if (sim_zk_remove(si, path) && t >= 0 && si->node[t].is_known)
		sim_life_begin(si, t, si->node[t].czxid)->was_refused = true;
}

/* KafkaController.processTopicDeletion. */
static void markers_changed(struct sim *si)
{
	char names[SIM_NAMES][40];
	size_t n = sim_zk_children(si, "/admin/delete_topics", names);
	uint8_t topics = 0;

	si->ctl.is_armed[SIM_EV_MARKERS] = true;
	for (size_t i = 0; i < n; i++) {
		int t = sim_topic_of(names[i]);

		if (t < 0 || !si->ctl.t[t].is_known || !si->b[si->ctl.id].deletes)
			drop_marker(si, names[i]);
		else
			topics |= (uint8_t)(1u << t);
	}
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; (topics & (1u << t)) && p < si->ctl.t[t].n; p++)
			if (si->ctl.t[t].p[p].is_moving)
				sim_tdm_mark_ineligible(si, t);
	sim_tdm_enqueue(si, topics);
}

/* ---- a new one --------------------------------------------------------------------------------------------------------------- */

static void start_replicas(struct sim *si)
{
	for (int id = 1; id <= si->n_brokers; id++)
		if (si->ctl.live[id] != 0)
			each_on(si, id, to_online);
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; si->ctl.t[t].is_known && p < si->ctl.t[t].n; p++)
			for (size_t i = 0; i < si->ctl.t[t].p[p].n; i++)
				if (si->ctl.live[si->ctl.t[t].p[p].r[i].broker] == 0)
					sim_replica_to(si, t, (int)p, &si->ctl.t[t].p[p].r[i], RSM_OFFLINE);
}

/* TDM.init: which are queued, and which of them may not begin. */
static void init_deletions(struct sim *si)
{
	bool enabled = si->b[si->ctl.id].deletes;
	char names[SIM_NAMES][40];
	size_t n = sim_zk_children(si, "/admin/delete_topics", names);

	memset(si->ctl.is_ineligible, 0, sizeof(si->ctl.is_ineligible));
	for (size_t i = 0; i < n; i++) {
		int t = sim_topic_of(names[i]);

		if (!enabled || t < 0) {
			drop_marker(si, names[i]);
			continue;
		}
		si->ctl.t[t].is_queued = true;
		for (size_t p = 0; p < si->ctl.t[t].n; p++) {
			si->ctl.is_ineligible[t] |= si->ctl.t[t].p[p].is_moving;
			for (size_t k = 0; k < si->ctl.t[t].p[p].n; k++)
				si->ctl.is_ineligible[t] |= si->ctl.live[si->ctl.t[t].p[p].r[k].broker] == 0;
		}
	}
}

/* KafkaController.onControllerFailover. */
static void failover(struct sim *si)
{
	struct sim_controller *ct = &si->ctl;

	sim_say(si, "controller %d, epoch %d, begins", ct->id, ct->epoch);
	for (int id = 1; id <= si->n_brokers; id++)
		ct->live[id] = registered(si, id);
	for (int t = 0; t < SIM_TOPICS; t++)
		if (si->node[t].is_known)
			load_topic(si, t, false);
	memset(ct->is_armed, true, sizeof(ct->is_armed));
	init_deletions(si);
	ct->is_loaded = true;
	sim_update_metadata(si, 0, 0xff);
	start_replicas(si);
	elect_all(si);
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; ct->t[t].is_known && p < ct->t[t].n; p++)
			if (ct->t[t].p[p].is_moving)
				sim_move_resume(si, t, (int)p);
	sim_tdm_resume(si);
}

static void run_for_office(struct sim *si, int64_t a, int64_t b, void *p)
{
	int32_t who[SIM_BROKERS];
	uint32_t n = 0;
	char data[SIM_DATA];

	(void)a;
	(void)b;
	(void)p;
	for (int id = 1; id <= si->n_brokers; id++)
		if (sim_broker_works(&si->b[id]) && si->b[id].czxid != 0)
			who[n++] = id;
	if (n == 0) {
		sim_after(si, 250, run_for_office, 0, 0, NULL);
		return;
	}
	si->is_electing = false;
	memset(&si->ctl, 0, offsetof(struct sim_controller, is_ticking));
	si->ctl.is_ticking = false;
	si->ctl.term++;
	si->ctl.is_active = true;
	si->ctl.id = who[sim_below(si, n)];
	si->ctl.epoch = ++si->controller_epoch;
	str_printf(data, sizeof(data), "{\"version\":1,\"brokerid\":%d,\"timestamp\":\"1700000000000\"}", si->ctl.id);
	sim_zk_put(si, "/controller", data, si->ctl.id);
	str_printf(data, sizeof(data), "%d", si->ctl.epoch);
	sim_zk_put(si, "/controller_epoch", data, 0);
	sim_controller_tick(si);
}

void sim_controller_gone(struct sim *si)
{
	if (si->ctl.is_active)
		sim_zk_remove(si, "/controller");
	si->ctl.is_active = false;
	for (int id = 1; id <= si->n_brokers; id++)
		sim_broker_forget_queue(&si->b[id]);
	if (si->is_electing)
		return;
	si->is_electing = true;
	sim_after(si, sim_between(si, 10, 150), run_for_office, 0, 0, NULL);
}

/* ---- its thread ----------------------------------------------------------------------------------------------------------------- */

static void take(struct sim *si, const struct sim_todo *td)
{
	int topic = td->a / 8, part = td->a % 8;

	switch (td->what) {
	case SIM_EV_BROKERS: brokers_changed(si); break;
	case SIM_EV_TOPICS: topics_changed(si); break;
	case SIM_EV_MARKERS: markers_changed(si); break;
	case SIM_EV_LOG_DIR: each_on(si, td->a, to_online); break;
	case SIM_EV_RESPONSE:
		if (td->rs.kind == SIM_REQ_DELETE)
			took_delete(si, &td->rs);
		else
			took_leader_isr(si, &td->rs);
		break;
	case SIM_EV_MOVE: sim_move_begin(si, topic, part, td->b); break;
	case SIM_EV_MOVED: sim_move_end(si, topic, part, td->czxid); break;
	case SIM_EV_ISR: expand_isr(si, topic, part, td->b); break;
	}
}

static void tick(struct sim *si, int64_t term, int64_t b, void *p)
{
	struct sim_controller *ct = &si->ctl;
	struct sim_todo td;

	(void)b;
	(void)p;
	if (ct->term != (uint32_t)term)
		return;
	ct->is_ticking = false;
	if (!sim_controller_works(si))
		return;
	if (!ct->is_loaded) {
		failover(si);
	} else if (!sim_tdm_complete_step(si) && ct->n_queue > 0) {
		td = ct->queue[0];
		memmove(&ct->queue[0], &ct->queue[1], --ct->n_queue * sizeof(ct->queue[0]));
		take(si, &td);
	}
	sim_controller_tick(si);
}

static bool has_work(const struct sim_controller *ct)
{
	bool completes = false;

	for (int t = 0; t < SIM_TOPICS; t++)
		completes |= ct->is_completing[t];
	return !ct->is_loaded || completes || ct->n_queue > 0;
}

void sim_controller_tick(struct sim *si)
{
	struct sim_controller *ct = &si->ctl;

	if (!ct->is_active) {
		if (!si->is_electing)
			sim_controller_gone(si);
		return;
	}
	if (ct->is_ticking || !has_work(ct))
		return;
	ct->is_ticking = true;
	sim_after(si, !ct->is_loaded ? sim_between(si, 30, 300) : sim_between(si, 1, si->is_slow_controller ? 300 : 12), tick, ct->term, 0, NULL);
}

void sim_controller_push(struct sim *si, const struct sim_todo *td)
{
	struct sim_controller *ct = &si->ctl;

	if (!ct->is_active)
		return;
	if (ct->n_queue == SIM_QUEUE) {
		sim_fail(si, "simulator: the controller has too much to do");
		return;
	}
	ct->queue[ct->n_queue++] = *td;
	sim_controller_tick(si);
}

void sim_controller_zk_changed(struct sim *si, enum sim_event what)
{
	struct sim_todo td = { .what = what };

	if (!si->ctl.is_active || !si->ctl.is_loaded || !si->ctl.is_armed[what])
		return;
	si->ctl.is_armed[what] = false;
	sim_controller_push(si, &td);
}
