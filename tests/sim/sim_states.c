/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the controller holds of replicas and partitions, what it sends to brokers for a change of it, and what it writes into the topic's nodes
 * (kafka.controller.ReplicaStateMachine, PartitionStateMachine; reference 2.3).
 */
#include <string.h>

#include "tests/sim/sim.h"

bool sim_replica_is_live(const struct sim *si, const struct sim_replica *r)
{
	return si->ctl.live[r->broker] != 0 && !r->is_on_bad_dir;
}

/* ---- what it sends ---------------------------------------------------------------------------------------------- */

static void send_item(struct sim *si, int32_t broker, enum sim_req_kind kind, int topic, int part)
{
	struct sim_broker *br = &si->b[broker];
	struct sim_request *last = br->n_queue > 0 ? &br->queue[br->n_queue - 1] : NULL, rq = { .kind = kind, .epoch = si->ctl.epoch };

	if (si->ctl.live[broker] == 0)
		return;
	if (last == NULL || last->kind != kind || last->n == SIM_ITEMS || last->broker_epoch != si->ctl.live[broker]) {
		sim_broker_send(si, broker, &rq);
		last = &br->queue[br->n_queue - 1];
	}
	last->czxid[topic] = si->ctl.t[topic].czxid;
	last->v[last->n++] = (struct sim_item){ (int8_t)topic, (int8_t)part };
}

void sim_update_metadata(struct sim *si, int32_t only, uint8_t topics)
{
	struct sim_request rq = { .kind = SIM_REQ_METADATA, .epoch = si->ctl.epoch, .controller = si->ctl.id };

	for (int t = 0; t < SIM_TOPICS; t++) {
		const struct sim_topic *tp = &si->ctl.t[t];
		bool has_any = false;

		if (!(topics & (1u << t)) || !tp->is_known)
			continue;
		for (size_t p = 0; p < tp->n; p++) {
			rq.leaders[t][p] = tp->p[p].has_state ? tp->p[p].leader : BROKER_NONE;
			has_any |= tp->p[p].has_state;
		}
		rq.n_parts[t] = (int8_t)tp->n;
		if (tp->is_queued)
			rq.gone |= (uint8_t)(1u << t);
		else if (has_any)
			rq.listed |= (uint8_t)(1u << t);
	}
	for (int id = 1; id <= si->n_brokers; id++)
		if (si->ctl.live[id] != 0 && (only == 0 || only == id))
			sim_broker_send(si, id, &rq);
}

/* ---- nodes --------------------------------------------------------------------------------------------------------- */

static void put_ids(struct strbuf *sb, const struct sim_part *pt, uint8_t of)
{
	bool has_one = false;

	strbuf_putc(sb, '[');
	for (size_t i = 0; i < pt->n; i++)
		if (of & (1u << pt->r[i].broker)) {
			strbuf_printf(sb, "%s%d", has_one ? "," : "", pt->r[i].broker);
			has_one = true;
		}
	strbuf_putc(sb, ']');
}

static void put_moves(struct strbuf *sb, const struct sim_topic *tp, bool adding)
{
	bool has_one = false;

	for (size_t p = 0; p < tp->n; p++) {
		uint8_t of = adding ? tp->p[p].adding : tp->p[p].removing;

		if (of == 0)
			continue;
		strbuf_printf(sb, "%s\"%zu\":", has_one ? "," : "", p);
		put_ids(sb, &tp->p[p], of);
		has_one = true;
	}
}

static void write_topic(struct sim *si, int topic, const struct sim_topic *tp)
{
	char path[SIM_PATH];
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "{\"version\":2,\"partitions\":{");
	for (size_t p = 0; p < tp->n; p++) {
		strbuf_printf(&sb, "%s\"%zu\":", p > 0 ? "," : "", p);
		put_ids(&sb, &tp->p[p], 0xff);
	}
	strbuf_put(&sb, "},\"adding_replicas\":{");
	put_moves(&sb, tp, true);
	strbuf_put(&sb, "},\"removing_replicas\":{");
	put_moves(&sb, tp, false);
	strbuf_put(&sb, "}}");
	str_printf(path, sizeof(path), "/brokers/topics/%s", sim_name(topic));
	sim_zk_put(si, path, sb.s, 0);
	strbuf_fini(&sb);
}

/* The assignment of the controller's memory goes into the node; states stay as they are there. */
void sim_topic_write(struct sim *si, int topic)
{
	struct sim_topic *tp = &si->ctl.t[topic], *zn = &si->node[topic];

	for (size_t p = 0; p < tp->n; p++) {
		struct sim_part was = zn->p[p];

		zn->p[p] = tp->p[p];
		zn->p[p].has_state = was.has_state;
		zn->p[p].leader = was.leader;
		zn->p[p].leader_epoch = was.leader_epoch;
		zn->p[p].n_isr = was.n_isr;
		memcpy(zn->p[p].isr, was.isr, sizeof(was.isr));
	}
	write_topic(si, topic, tp);
}

void sim_state_write(struct sim *si, int topic, int part)
{
	struct sim_part *pt = &si->ctl.t[topic].p[part], *zn = &si->node[topic].p[part];
	char path[SIM_PATH];
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_printf(&sb, "{\"controller_epoch\":%d,\"leader\":%d,\"version\":1,\"leader_epoch\":%d,\"isr\":[", pt->writer, pt->leader, pt->leader_epoch);
	for (size_t i = 0; i < pt->n_isr; i++)
		strbuf_printf(&sb, "%s%d", i > 0 ? "," : "", pt->isr[i]);
	strbuf_put(&sb, "]}");
	zn->has_state = true;
	zn->leader = pt->leader;
	zn->leader_epoch = pt->leader_epoch;
	zn->n_isr = pt->n_isr;
	zn->writer = pt->writer;
	memcpy(zn->isr, pt->isr, sizeof(zn->isr));
	str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", sim_name(topic), part);
	sim_zk_put(si, path, sb.s, 0);
	strbuf_fini(&sb);
}

static void write_own(struct sim *si, int topic, int part)
{
	si->ctl.t[topic].p[part].writer = si->ctl.epoch;
	sim_state_write(si, topic, part);
}

/* ---- replicas ------------------------------------------------------------------------------------------------------- */

size_t sim_isr_at(const struct sim_part *pt, int32_t broker)
{
	size_t i = 0;

	while (i < pt->n_isr && pt->isr[i] != broker)
		i++;
	return i;
}

/* RSM.doRemoveReplicasFromIsr: the last one stays. */
static void leave_isr(struct sim *si, int topic, int part, int32_t broker)
{
	struct sim_topic *tp = &si->ctl.t[topic];
	struct sim_part *pt = &tp->p[part];
	size_t at = sim_isr_at(pt, broker);

	if (!pt->has_state || at == pt->n_isr)
		return;
	if (pt->n_isr > 1) {
		memmove(&pt->isr[at], &pt->isr[at + 1], (pt->n_isr - at - 1) * sizeof(pt->isr[0]));
		pt->n_isr--;
	}
	if (pt->leader == broker)
		pt->leader = BROKER_NONE;
	pt->leader_epoch++;
	write_own(si, topic, part);
	for (size_t i = 0; i < pt->n && !tp->is_queued; i++)
		if (pt->r[i].broker != broker)
			send_item(si, pt->r[i].broker, SIM_REQ_LEADER_ISR, topic, part);
}

static bool may_become(int from, int to)
{
	switch (to) {
	case RSM_ONLINE:
	case RSM_OFFLINE: return from == SIM_NEW || from == RSM_ONLINE || from == RSM_OFFLINE || from == RSM_DELETION_INELIGIBLE;
	case RSM_DELETION_STARTED: return from == RSM_OFFLINE;
	case RSM_DELETION_SUCCESSFUL: return from == RSM_DELETION_STARTED;
	case RSM_DELETION_INELIGIBLE: return from == RSM_OFFLINE || from == RSM_DELETION_STARTED;
	case RSM_NON_EXISTENT: return from == RSM_DELETION_SUCCESSFUL;
	default: return false;
	}
}

void sim_replica_to(struct sim *si, int topic, int part, struct sim_replica *r, int state)
{
	int from = r->state;

	if (!may_become(from, state))
		return; /* logged and ignored */
	r->state = (uint8_t)state;
	sim_say(si, "controller: %s-%d on %d: %s", sim_name(topic), part, r->broker, rsm_state_short((enum rsm_state)state));
	if (state == RSM_ONLINE && from != SIM_NEW && si->ctl.t[topic].p[part].has_state)
		send_item(si, r->broker, SIM_REQ_LEADER_ISR, topic, part);
	if (state == RSM_OFFLINE) {
		send_item(si, r->broker, SIM_REQ_STOP, topic, part);
		leave_isr(si, topic, part, r->broker);
	}
	if (state == RSM_DELETION_STARTED)
		send_item(si, r->broker, SIM_REQ_DELETE, topic, part);
}

/* ---- partitions ------------------------------------------------------------------------------------------------------ */

static void lead_first(struct sim *si, int topic, int part)
{
	struct sim_part *pt = &si->ctl.t[topic].p[part];

	pt->n_isr = 0;
	for (size_t i = 0; i < pt->n; i++)
		if (sim_replica_is_live(si, &pt->r[i]))
			pt->isr[pt->n_isr++] = pt->r[i].broker;
	if (pt->n_isr == 0)
		return; /* all are down: it stays New */
	pt->has_state = true;
	pt->leader = pt->isr[0];
	pt->leader_epoch = 0;
}

static bool lead_next(struct sim *si, int topic, int part)
{
	struct sim_part *pt = &si->ctl.t[topic].p[part];
	size_t n = 0;

	pt->leader = BROKER_NONE;
	for (size_t i = 0; i < pt->n && pt->leader == BROKER_NONE; i++)
		if (sim_replica_is_live(si, &pt->r[i]) && sim_isr_at(pt, pt->r[i].broker) < pt->n_isr)
			pt->leader = pt->r[i].broker;
	if (pt->leader == BROKER_NONE)
		return false;
	for (size_t i = 0; i < pt->n; i++)
		if (sim_replica_is_live(si, &pt->r[i]) && sim_isr_at(pt, pt->r[i].broker) < pt->n_isr)
			pt->isr[n++] = pt->r[i].broker;
	pt->n_isr = n;
	pt->leader_epoch++;
	return true;
}

static bool leads(const struct sim *si, const struct sim_part *pt)
{
	for (size_t i = 0; i < pt->n; i++)
		if (pt->r[i].broker == pt->leader)
			return sim_replica_is_live(si, &pt->r[i]);
	return false;
}

void sim_elect(struct sim *si, int topic, int part)
{
	struct sim_topic *tp = &si->ctl.t[topic];
	struct sim_part *pt = &tp->p[part], was = *pt;

	if (tp->is_queued || (pt->has_state && leads(si, pt)))
		return;
	if (!pt->has_state)
		lead_first(si, topic, part);
	else if (!lead_next(si, topic, part))
		*pt = was; /* nobody can */
	if (pt->has_state == was.has_state && pt->leader_epoch == was.leader_epoch)
		return;
	write_own(si, topic, part);
	for (size_t i = 0; i < pt->n; i++)
		send_item(si, pt->r[i].broker, SIM_REQ_LEADER_ISR, topic, part);
	sim_update_metadata(si, 0, (uint8_t)(1u << topic));
}
