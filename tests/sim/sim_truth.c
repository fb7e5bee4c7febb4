/* SPDX-License-Identifier: Apache-2.0 */
/* What is so, moment by moment: of each topic that ever was, its replicas, and each broker. Taken after each step from the world itself. */
#include <string.h>

#include "tests/sim/sim.h"

#define PHASE(ph) (1u << (16 + (ph)))
#define STATE(st) (1u << (st))

/* ---- histories ------------------------------------------------------------------------------------------------ */

static void push(const struct sim *si, struct sim_history *hi, uint32_t is)
{
	if (hi->n > 0 && hi->v[hi->n - 1].is == is)
		return;
	if (hi->n == SIM_PAST)
		memmove(&hi->v[0], &hi->v[1], --hi->n * sizeof(hi->v[0]));
	hi->v[hi->n++] = (struct sim_past){ si->now, is };
}

bool sim_held(const struct sim_history *hi, int64_t since, uint32_t any, uint32_t all, uint32_t none)
{
	for (size_t i = hi->n; i-- > 0;) {
		uint32_t is = hi->v[i].is;

		if ((any == 0 || (is & any)) && (is & all) == all && !(is & none))
			return true;
		if (hi->v[i].from <= since)
			return false; /* that is what held at `since` */
	}
	return hi->n == 0 || hi->v[0].from > since; /* nothing is known of so long ago */
}

static uint32_t last(const struct sim_history *hi)
{
	return hi->n > 0 ? hi->v[hi->n - 1].is : 0;
}

/* ---- lives ------------------------------------------------------------------------------------------------------ */

struct sim_life *sim_life_find(struct sim *si, const char *topic, int64_t czxid)
{
	for (size_t i = 0; i < si->n_lives; i++)
		if (si->lives[i].czxid == czxid && strcmp(sim_name(si->lives[i].topic), topic) == 0)
			return &si->lives[i];
	return NULL;
}

struct sim_life *sim_life_begin(struct sim *si, int topic, int64_t czxid)
{
	struct sim_life *lf = sim_life_find(si, sim_name(topic), czxid);

	if (lf != NULL)
		return lf;
	if (si->n_lives == SIM_LIVES)
		sim_fail(si, "simulator: too many topics");
	else
		si->n_lives++;
	lf = &si->lives[si->n_lives - 1];
	*lf = (struct sim_life){ .topic = topic, .czxid = czxid };
	return lf;
}

/* All that were ever in its assignment. */
static void add_replicas(struct sim *si, struct sim_life *lf)
{
	const struct sim_topic *zn = &si->node[lf->topic];

	for (size_t p = 0; p < zn->n; p++)
		for (size_t i = 0; i < zn->p[p].n; i++) {
			size_t k = 0;

			while (k < lf->n && (lf->r[k].part != (int32_t)p || lf->r[k].broker != zn->p[p].r[i].broker))
				k++;
			if (k == lf->n && k < SIM_PARTS * SIM_REPLICAS)
				lf->r[lf->n++] = (struct sim_true_replica){ .part = (int32_t)p, .broker = zn->p[p].r[i].broker };
		}
}

/* ---- a replica ----------------------------------------------------------------------------------------------------- */

static bool is_in_queue(const struct sim_broker *br, int topic, int part)
{
	for (size_t i = 0; i < br->n_queue; i++)
		for (size_t k = 0; br->queue[i].kind == SIM_REQ_DELETE && k < br->queue[i].n; k++)
			if (br->queue[i].v[k].topic == topic && br->queue[i].v[k].part == part)
				return true;
	return false;
}

static bool is_answered(const struct sim *si, int32_t broker, int topic, int part)
{
	for (size_t i = 0; i < si->ctl.n_queue; i++) {
		const struct sim_response *rs = &si->ctl.queue[i].rs;

		for (size_t k = 0; si->ctl.queue[i].what == SIM_EV_RESPONSE && k < rs->n; k++)
			if (rs->broker == broker && rs->v[k].topic == topic && rs->v[k].part == part)
				return true;
	}
	return false;
}

/* Its log, wherever it lies: in a dir that was dropped, too. */
static bool has_log(const struct sim *si, const struct sim_life *lf, const struct sim_true_replica *r)
{
	const struct sim_broker *br = &si->b[r->broker];

	for (size_t i = 0; i < SIM_LOGS; i++)
		if (br->logs[i].is_used && br->logs[i].topic == lf->topic && br->logs[i].part == r->part && br->logs[i].czxid == lf->czxid)
			return true;
	return false;
}

static bool is_registered(const struct sim *si, int32_t id)
{
	for (size_t i = 0; i < si->zk.n; i++)
		if (si->zk.v[i].owner == id && str_starts(si->zk.v[i].path, "/brokers/ids/"))
			return true;
	return false;
}

static uint32_t queued_phases(const struct sim *si, const struct sim_life *lf, const struct sim_true_replica *r, int state)
{
	bool is_out = is_in_queue(&si->b[r->broker], lf->topic, (int)r->part) || is_answered(si, r->broker, lf->topic, (int)r->part);

	/* Of a broker that is not there any more it waits, whether the controller has heard that or not. */
	if (state == RSM_DELETION_STARTED)
		return PHASE(PHASE_RUNNING) | (is_out && is_registered(si, r->broker) ? 0 : PHASE(PHASE_WAITING)) | (has_log(si, lf, r) ? 0 : PHASE(PHASE_DONE));
	if (state == RSM_DELETION_SUCCESSFUL || state == RSM_NON_EXISTENT)
		return PHASE(PHASE_DONE);
	return PHASE(PHASE_WAITING) | (lf->has_passed ? 0 : PHASE(PHASE_NOT_BEGUN));
}

static const struct sim_replica *in_memory(const struct sim *si, const struct sim_life *lf, const struct sim_true_replica *r)
{
	const struct sim_topic *tp = &si->ctl.t[lf->topic];

	if (!tp->is_known || tp->czxid != lf->czxid || (size_t)r->part >= tp->n)
		return NULL;
	for (size_t i = 0; i < tp->p[r->part].n; i++)
		if (tp->p[r->part].r[i].broker == r->broker)
			return &tp->p[r->part].r[i];
	return NULL;
}

/* What a controller elected now will take it for, if it doesn't begin at once (reference 2.8). */
static uint32_t to_be(const struct sim *si, const struct sim_true_replica *r)
{
	return (is_registered(si, r->broker) ? STATE(RSM_ONLINE) : STATE(RSM_OFFLINE)) | PHASE(PHASE_WAITING);
}

static uint32_t replica_is(const struct sim *si, const struct sim_life *lf, const struct sim_true_replica *r)
{
	const struct sim_replica *is = in_memory(si, lf, r);
	const struct sim_topic *tp = &si->ctl.t[lf->topic];

	if (lf->is_gone)
		return STATE(RSM_NON_EXISTENT) | (has_log(si, lf, r) ? PHASE(PHASE_WAITING) : PHASE(PHASE_DONE));
	if (si->ctl.is_completing[lf->topic] && tp->czxid == lf->czxid)
		return STATE(RSM_NON_EXISTENT) | STATE(RSM_DELETION_SUCCESSFUL) | PHASE(PHASE_DONE);
	if (!si->ctl.is_active || !si->ctl.is_loaded)
		return last(&r->is) | to_be(si, r); /* it is in nobody's memory, and this is what it will be in the next one's */
	if (is == NULL)
		return STATE(RSM_UNKNOWN);
	/* A busy controller has the answer and comes to it in a while. */
	if (tp->is_queued && is->state == RSM_DELETION_STARTED && !has_log(si, lf, r) && is_answered(si, r->broker, lf->topic, (int)r->part))
		return STATE(RSM_DELETION_STARTED) | STATE(RSM_DELETION_SUCCESSFUL) | queued_phases(si, lf, r, is->state);
	if (tp->is_queued)
		return (is->state < RSM_STATES ? STATE(is->state) : 0) | queued_phases(si, lf, r, is->state);
	if (lf->has_passed)
		return (is->state < RSM_STATES ? STATE(is->state) : 0) | PHASE(PHASE_DONE) | PHASE(PHASE_UNKNOWN) | PHASE(PHASE_NOT_BEGUN);
	return (is->state < RSM_STATES ? STATE(is->state) : 0) | PHASE(PHASE_NOT_BEGUN);
}

/* ---- a topic ---------------------------------------------------------------------------------------------------------- */

static bool has_requests(const struct sim *si, int topic)
{
	for (int id = 1; id <= si->n_brokers; id++)
		for (size_t i = 0; i < si->b[id].n_queue; i++)
			for (size_t k = 0; k < si->b[id].queue[i].n; k++)
				if (si->b[id].queue[i].v[k].topic == topic)
					return true;
	return si->ctl.n_queue > 0;
}

static uint32_t memory_is(const struct sim *si, const struct sim_life *lf)
{
	const struct sim_topic *tp = &si->ctl.t[lf->topic];
	uint32_t is = 0;

	if (!si->ctl.is_active || !si->ctl.is_loaded)
		return (last(&lf->is) & (TRUE_QUEUED | TRUE_INELIGIBLE | TRUE_LEFT_OVER)) | TRUE_BUSY;
	if (tp->is_known && tp->czxid == lf->czxid) {
		is |= tp->is_queued ? TRUE_QUEUED : 0;
		is |= si->ctl.is_completing[lf->topic] ? TRUE_QUEUED | TRUE_BUSY : 0;
		is |= tp->is_queued && si->ctl.is_ineligible[lf->topic] ? TRUE_INELIGIBLE : 0;
		is |= tp->is_queued && si->ctl.is_ineligible[lf->topic] && lf->was_left_over && !lf->has_passed ? TRUE_LEFT_OVER : 0;
	}
	return is | (has_requests(si, lf->topic) ? TRUE_BUSY : 0) | (si->b[si->ctl.id].deletes ? 0 : TRUE_DISABLED);
}

static uint32_t node_is(const struct sim *si, const struct sim_life *lf)
{
	const struct sim_topic *zn = &si->node[lf->topic];
	bool is_moving = false, has_leader = false, has_state = false;

	if (!zn->is_known)
		return 0;
	if (zn->czxid != lf->czxid)
		return TRUE_OTHER;
	for (size_t p = 0; p < zn->n; p++) {
		is_moving |= (zn->p[p].adding | zn->p[p].removing) != 0;
		has_leader |= zn->p[p].has_state && zn->p[p].leader >= 0;
		has_state |= zn->p[p].has_state;
	}
	return TRUE_NODE | (is_moving ? TRUE_MOVING : 0) | (has_leader ? TRUE_LEADER : 0) | (has_state ? 0 : TRUE_NO_STATE);
}

static uint32_t marker_is(struct sim *si, const struct sim_life *lf)
{
	char path[SIM_PATH];

	if (!sim_zk_has_marker(si, lf->topic))
		return 0;
	str_printf(path, sizeof(path), "/admin/delete_topics/%s/child", sim_name(lf->topic));
	return TRUE_MARKER | (sim_zk_find(si, path) != NULL ? TRUE_CHILD : 0);
}

static void take_life(struct sim *si, struct sim_life *lf)
{
	uint32_t is = marker_is(si, lf) | node_is(si, lf) | memory_is(si, lf);

	if (is & TRUE_NODE)
		add_replicas(si, lf);
	is |= lf->has_passed ? TRUE_PASSED : 0;
	is |= lf->was_refused ? TRUE_REFUSED : 0;
	is |= sim_zk_find(si, "/controller") == NULL ? TRUE_NO_CONTROLLER : 0;
	is |= si->ctl.is_active && !sim_controller_works(si) ? TRUE_CONTROLLER_SILENT : 0;
	if (!(is & TRUE_NODE) && !lf->is_gone) {
		lf->is_gone = true;
		lf->gone_at = si->now;
	}
	lf->was_marked |= (is & TRUE_MARKER) && (is & TRUE_NODE);
	if (lf->is_gone && lf->ended_at == 0 && (!(is & TRUE_MARKER) || (is & TRUE_OTHER)))
		lf->ended_at = si->now;
	push(si, &lf->is, is);
	for (size_t i = 0; i < lf->n; i++)
		push(si, &lf->r[i].is, replica_is(si, lf, &lf->r[i]));
}

static uint32_t broker_is(struct sim *si, const struct sim_broker *br)
{
	char path[SIM_PATH];

	str_printf(path, sizeof(path), "/brokers/ids/%d", br->id);
	return (sim_zk_find(si, path) != NULL ? TRUE_UP : 0) | (sim_broker_works(br) ? 0 : TRUE_MUTE) |
		(br->is_offline[0] ? TRUE_BAD_0 : 0) | (br->is_offline[1] ? TRUE_BAD_1 : 0);
}

void sim_truth_take(struct sim *si)
{
	for (size_t i = 0; i < si->n_lives; i++)
		take_life(si, &si->lives[i]);
	for (int id = 1; id <= si->n_brokers; id++)
		push(si, &si->of_broker[id], broker_is(si, &si->b[id]));
}
