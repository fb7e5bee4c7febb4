/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brokers: processes with a registration, log dirs that can fail, logs, a metadata cache; and what they do when the controller sends them something
 * (reference 2.5, 2.8, 3.4). Requests to one broker go one by one, and are tried again as long as its channel stands.
 */
#include <string.h>

#include "tests/sim/sim.h"

bool sim_broker_works(const struct sim_broker *br)
{
	return br->is_running && !br->is_frozen;
}

/* ---- registration ---------------------------------------------------------------------------------------- */

static void id_path(char out[SIM_PATH], int32_t id)
{
	str_printf(out, SIM_PATH, "/brokers/ids/%d", id);
}

/* Its session is over: what hangs on it goes. */
static void expire(struct sim *si, int64_t id, int64_t session, void *p)
{
	struct sim_broker *br = &si->b[id];
	char path[SIM_PATH];

	(void)p;
	if (br->session != (uint32_t)session)
		return;
	br->session++;
	id_path(path, br->id);
	sim_zk_remove(si, path);
	if (!br->is_running)
		br->czxid = 0;
	if (si->ctl.is_active && si->ctl.id == br->id)
		sim_controller_gone(si);
}

static void try_register(struct sim *si, int64_t id, int64_t b, void *p)
{
	struct sim_broker *br = &si->b[id];
	char path[SIM_PATH];

	(void)b;
	(void)p;
	id_path(path, br->id);
	if (!br->is_running)
		return;
	if (br->is_frozen || sim_zk_find(si, path) != NULL) {
		/* Its earlier session has not expired. */
		if (br->is_frozen || br->czxid == 0)
			sim_after(si, 400, try_register, id, 0, NULL);
		return;
	}
	sim_broker_register(si, br);
}

void sim_broker_register(struct sim *si, struct sim_broker *br)
{
	char path[SIM_PATH], data[SIM_DATA];

	id_path(path, br->id);
	str_printf(data, sizeof(data), "{\"listener_security_protocol_map\":{\"PLAINTEXT\":\"PLAINTEXT\"},\"endpoints\":[\"PLAINTEXT://b%d.example:9092\"],"
		"\"jmx_port\":-1,\"port\":9092,\"host\":\"b%d.example\",\"version\":5,\"timestamp\":\"1700000000000\",\"features\":{}}", br->id, br->id);
	br->session++;
	sim_zk_put(si, path, data, br->id);
	br->czxid = sim_zk_find(si, path)->stat.czxid;
	sim_controller_tick(si);
}

static void end_of_session(struct sim *si, struct sim_broker *br)
{
	sim_after(si, sim_between(si, SIM_SESSION_MS * 2 / 3, SIM_SESSION_MS), expire, br->id, br->session, NULL);
}

/* ---- a process's life --------------------------------------------------------------------------------------- */

/* The dirs that it can use at a start. */
static int usable(const struct sim *si, const struct sim_broker *br)
{
	int n = 0;

	for (int d = 0; d < si->n_dirs; d++)
		n += !br->is_broken[d] && !br->to_drop[d];
	return n;
}

void sim_broker_start(struct sim *si, int32_t id)
{
	struct sim_broker *br = &si->b[id];

	if (br->is_running || usable(si, br) == 0)
		return;
	sim_say(si, "broker %d starts", id);
	for (int d = 0; d < si->n_dirs; d++) {
		br->is_dropped[d] = br->to_drop[d];
		br->is_offline[d] = br->is_broken[d] && !br->is_dropped[d];
	}
	memset(br->is_failed, 0, sizeof(br->is_failed));
	memset(br->lists, 0, sizeof(br->lists));
	br->controller = BROKER_NONE;
	br->epoch_seen = 0;
	br->is_running = true;
	br->is_frozen = false;
	br->czxid = 0;
	sim_after(si, sim_between(si, 100, 600), try_register, id, 0, NULL);
}

void sim_broker_kill(struct sim *si, int32_t id)
{
	struct sim_broker *br = &si->b[id];

	if (!br->is_running)
		return;
	sim_say(si, "broker %d dies", id);
	br->is_running = br->is_frozen = false;
	br->czxid = 0;
	end_of_session(si, br);
	sim_links_lost(si, id);
}

void sim_broker_stop(struct sim *si, int32_t id)
{
	sim_broker_kill(si, id);
	expire(si, id, si->b[id].session, NULL);
}

void sim_broker_freeze(struct sim *si, int32_t id)
{
	struct sim_broker *br = &si->b[id];

	if (!sim_broker_works(br) || br->czxid == 0)
		return;
	sim_say(si, "broker %d freezes", id);
	br->is_frozen = true;
	end_of_session(si, br);
}

void sim_broker_thaw(struct sim *si, int32_t id)
{
	struct sim_broker *br = &si->b[id];
	char path[SIM_PATH];

	if (!br->is_frozen)
		return;
	sim_say(si, "broker %d goes on", id);
	br->is_frozen = false;
	id_path(path, id);
	if (sim_zk_find(si, path) != NULL) {
		br->session++; /* the time-out is void */
	} else {
		br->czxid = 0;
		sim_after(si, sim_between(si, 20, 200), try_register, id, 0, NULL);
	}
	sim_controller_tick(si);
}

/* ---- log dirs --------------------------------------------------------------------------------------------------- */

static void tell_log_dir(struct sim *si, int64_t id, int64_t term, void *p)
{
	struct sim_todo td = { .what = SIM_EV_LOG_DIR, .a = (int32_t)id };

	(void)p;
	if (si->ctl.is_active && si->ctl.term == (uint32_t)term)
		sim_controller_push(si, &td);
}

static bool is_any_dir_well(const struct sim *si, const struct sim_broker *br)
{
	for (int d = 0; d < si->n_dirs; d++)
		if (!br->is_offline[d] && !br->is_dropped[d])
			return true;
	return false;
}

void sim_broker_break_dir(struct sim *si, int32_t id, int dir)
{
	struct sim_broker *br = &si->b[id];

	br->is_broken[dir] = true;
	if (!br->is_running || br->is_offline[dir] || br->is_dropped[dir])
		return;
	sim_say(si, "broker %d: dir %d fails", id, dir);
	br->is_offline[dir] = true;
	for (size_t i = 0; i < SIM_LOGS; i++)
		if (br->logs[i].is_used && br->logs[i].dir == dir)
			br->is_failed[br->logs[i].topic][br->logs[i].part] = true;
	if (!is_any_dir_well(si, br))
		sim_broker_kill(si, id); /* a broker without a log dir halts */
	else
		sim_after(si, sim_between(si, 10, 400), tell_log_dir, id, si->ctl.term, NULL);
}

struct sim_log *sim_broker_log(struct sim_broker *br, int topic, int part)
{
	for (size_t i = 0; i < SIM_LOGS; i++)
		if (br->logs[i].is_used && br->logs[i].topic == topic && br->logs[i].part == part && !br->is_dropped[br->logs[i].dir])
			return &br->logs[i];
	return NULL;
}

static struct sim_log *new_log(struct sim *si, struct sim_broker *br, int topic, int part, int64_t czxid)
{
	for (size_t i = 0; i < SIM_LOGS; i++) {
		int dir = (int)sim_below(si, (uint32_t)si->n_dirs);

		if (br->logs[i].is_used)
			continue;
		while (br->is_dropped[dir])
			dir = (dir + 1) % si->n_dirs;
		br->logs[i] = (struct sim_log){ .is_used = true, .topic = (int8_t)topic, .part = (int8_t)part, .dir = (int8_t)dir, .czxid = czxid };
		return &br->logs[i];
	}
	sim_fail(si, "simulator: too many logs");
	return NULL;
}

/* ---- requests ------------------------------------------------------------------------------------------------------ */

static bool has_offline_dir(const struct sim *si, const struct sim_broker *br)
{
	for (int d = 0; d < si->n_dirs; d++)
		if (br->is_offline[d] && !br->is_dropped[d])
			return true;
	return false;
}

/* False: KAFKA_STORAGE_ERROR. */
static bool lead_or_follow(struct sim *si, struct sim_broker *br, struct sim_item it, int64_t czxid)
{
	struct sim_log *lg = sim_broker_log(br, it.topic, it.part);

	if (br->is_failed[it.topic][it.part])
		return false;
	if (lg != NULL && br->is_offline[lg->dir]) {
		br->is_failed[it.topic][it.part] = true;
		return false;
	}
	if (lg == NULL && has_offline_dir(si, br)) {
		br->is_failed[it.topic][it.part] = true; /* no log is made while a dir is bad */
		return false;
	}
	if (lg == NULL) {
		lg = new_log(si, br, it.topic, it.part, czxid);
		if (lg != NULL)
			lg->was_refilled = true;
	} else {
		lg->czxid = czxid; /* an orphan is adopted */
	}
	return true;
}

static bool delete_log(struct sim_broker *br, struct sim_item it)
{
	struct sim_log *lg = sim_broker_log(br, it.topic, it.part);

	if (br->is_failed[it.topic][it.part] || (lg != NULL && br->is_offline[lg->dir])) {
		br->is_failed[it.topic][it.part] = true;
		return false;
	}
	if (lg != NULL)
		lg->is_used = false;
	return true;
}

static void take_metadata(struct sim_broker *br, const struct sim_request *rq)
{
	for (int t = 0; t < SIM_TOPICS; t++) {
		if (rq->gone & (1u << t))
			br->lists[t] = false;
		if (!(rq->listed & (1u << t)))
			continue;
		br->lists[t] = true;
		br->n_parts[t] = rq->n_parts[t];
		memcpy(br->leaders[t], rq->leaders[t], sizeof(br->leaders[t]));
	}
	br->controller = rq->controller;
}

static const char *const kinds[] = { "LeaderAndIsr", "StopReplica", "StopReplica(delete)", "UpdateMetadata" };

/* False: refused as stale, so that the answer names no partition (reference 2.14). */
static bool handle(struct sim *si, struct sim_broker *br, const struct sim_request *rq, struct sim_response *rs)
{
	*rs = (struct sim_response){ .broker = br->id, .kind = rq->kind, .epoch = rq->epoch };
	if (rq->epoch < br->epoch_seen || rq->broker_epoch < br->czxid) {
		sim_say(si, "broker %d refuses %s as stale", br->id, kinds[rq->kind]);
		return false;
	}
	br->epoch_seen = rq->epoch;
	if (rq->kind == SIM_REQ_METADATA)
		take_metadata(br, rq);
	for (size_t i = 0; i < rq->n; i++) {
		struct sim_item it = rq->v[i];

		rs->v[rs->n] = it;
		if (rq->kind == SIM_REQ_LEADER_ISR)
			rs->has_failed[rs->n] = !lead_or_follow(si, br, it, rq->czxid[it.topic]);
		else if (rq->kind == SIM_REQ_DELETE)
			rs->has_failed[rs->n] = !delete_log(br, it);
		sim_say(si, "broker %d: %s %s-%d%s", br->id, kinds[rq->kind], sim_name(it.topic), it.part, rs->has_failed[rs->n] ? ": error" : "");
		rs->n++;
	}
	return true;
}

/* ---- the way to it --------------------------------------------------------------------------------------------------- */

static void deliver(struct sim *si, int64_t id, int64_t channel, void *p);

static void pump(struct sim *si, struct sim_broker *br)
{
	if (br->is_sending || br->n_queue == 0)
		return;
	br->is_sending = true;
	sim_after(si, sim_between(si, 1, 15), deliver, br->id, br->channel, NULL);
}

static void deliver(struct sim *si, int64_t id, int64_t channel, void *p)
{
	struct sim_broker *br = &si->b[id];
	struct sim_request rq;
	struct sim_todo td = { .what = SIM_EV_RESPONSE };

	(void)p;
	if (br->channel != (uint32_t)channel)
		return;
	/* The sender is a thread of the controller's. */
	if (!sim_broker_works(br) || !sim_controller_works(si)) {
		sim_after(si, 150, deliver, id, channel, NULL);
		return;
	}
	rq = br->queue[0];
	memmove(&br->queue[0], &br->queue[1], --br->n_queue * sizeof(br->queue[0]));
	br->is_sending = false;
	if (handle(si, br, &rq, &td.rs) && rq.kind != SIM_REQ_METADATA && rq.kind != SIM_REQ_STOP)
		sim_controller_push(si, &td);
	pump(si, br);
}

void sim_broker_send(struct sim *si, int32_t id, const struct sim_request *rq)
{
	struct sim_broker *br = &si->b[id];

	if (br->n_queue == SIM_QUEUE) {
		sim_fail(si, "simulator: too many requests");
		return;
	}
	br->queue[br->n_queue] = *rq;
	br->queue[br->n_queue++].broker_epoch = si->ctl.live[id];
	pump(si, br);
}

void sim_broker_forget_queue(struct sim_broker *br)
{
	br->n_queue = 0;
	br->is_sending = false;
	br->channel++;
}
