/* SPDX-License-Identifier: Apache-2.0 */
/* What a broker answers at the moment it takes a question, as io/kanswer tells it. */
#include <string.h>

#include "base/mem.h"
#include "core/disks.h"
#include "core/metadata.h"
#include "tests/sim/sim_console.h"

static struct event *of_broker(struct sim *si, enum event_kind kind, int32_t id)
{
	return event_of_broker(kind, id, NULL, sim_mono(si), sim_wall(si));
}

static void put_topic(struct sim *si, struct metadata_answer *ma, const struct sim_broker *br, int t)
{
	struct md_topic *tp = &ma->md.topics[ma->md.n_topics++];

	tp->name = sim_name(t);
	tp->n_partitions = (uint32_t)br->n_parts[t];
	tp->partitions = &ma->md.partitions[ma->md.n_partitions];
	for (int p = 0; p < br->n_parts[t]; p++) {
		struct md_partition *mp = &ma->md.partitions[ma->md.n_partitions++];
		const struct sim_part *pt = &si->node[t].p[p];
		int32_t *ids = arena_alloc(ma->arena, SIM_REPLICAS * sizeof(*ids));

		for (size_t i = 0; i < pt->n; i++)
			ids[i] = pt->r[i].broker;
		*mp = (struct md_partition){ .partition = p, .leader = br->leaders[t][p], .leader_epoch = -1, .error = br->leaders[t][p] < 0 ? 5 : 0,
			.replicas = ids, .n_replicas = (uint32_t)pt->n, .isr = pt->isr, .n_isr = (uint32_t)pt->n_isr };
		mp->isr = arena_alloc(ma->arena, SIM_REPLICAS * sizeof(*ids));
		memcpy((void *)(uintptr_t)mp->isr, pt->isr, pt->n_isr * sizeof(*ids));
	}
}

static bool is_asked(const struct sim_ask *as, int t)
{
	for (size_t i = 0; i < as->n_names; i++)
		if (strcmp(as->names[i], sim_name(t)) == 0)
			return true;
	return as->kind == KPOLL_METADATA;
}

static void put_brokers(struct sim *si, struct metadata_answer *ma)
{
	ma->md.brokers = arena_alloc(ma->arena, SIM_BROKERS * sizeof(*ma->md.brokers));
	for (int id = 1; id <= si->n_brokers; id++)
		if (si->ctl.live[id] != 0)
			ma->md.brokers[ma->md.n_brokers++] = (struct md_broker){ .id = id, .port = 9092, .host = arena_printf(ma->arena, "b%d.example", id) };
}

static struct event *answer_metadata(struct sim *si, const struct sim_broker *br, const struct sim_ask *as)
{
	struct metadata_answer *ma = mem_zalloc(sizeof(*ma));
	struct event *ev = of_broker(si, EV_METADATA, br->id);

	ma->arena = arena_new(0);
	ma->is_all = as->kind == KPOLL_METADATA;
	ma->md.controller = br->controller;
	ma->md.cluster_id = "c2ltdWxhdGVkLWNsdXN0ZQ";
	ma->md.topics = arena_alloc(ma->arena, (SIM_TOPICS + SIM_ASK_NAMES) * sizeof(*ma->md.topics));
	ma->md.partitions = arena_alloc(ma->arena, SIM_ITEMS * sizeof(*ma->md.partitions));
	put_brokers(si, ma);
	for (int t = 0; t < SIM_TOPICS; t++) {
		bool lists = br->lists[t] && si->broken != SIM_BROKEN_WORD;

		if (is_asked(as, t) && lists)
			put_topic(si, ma, br, t);
		else if (is_asked(as, t) && !ma->is_all)
			ma->md.topics[ma->md.n_topics++] = (struct md_topic){ .name = sim_name(t), .error = 3 };
	}
	metadata_sort(&ma->md);
	ev->u.metadata = ma;
	return ev;
}

static bool is_kept_back(struct sim *si, const struct sim_log *lg)
{
	return si->broken == SIM_BROKEN_DISKS && si->now > SIM_BROKEN_MS && lg->part == 0;
}

static void put_logs(struct sim *si, struct disks *ds, const struct sim_broker *br, int dir, int at)
{
	for (int t = 0; t < SIM_TOPICS; t++) {
		bool is_begun = false;

		for (size_t i = 0; i < SIM_LOGS; i++) {
			const struct sim_log *lg = &br->logs[i];

			if (!lg->is_used || lg->dir != dir || lg->topic != t || is_kept_back(si, lg))
				continue;
			if (!is_begun)
				disks_add_topic(ds, at, sim_name(t));
			is_begun = true;
			disks_add_replica(ds, lg->part, false, lg->size, 0);
		}
	}
}

static struct event *answer_disks(struct sim *si, struct sim_broker *br)
{
	struct event *ev = of_broker(si, EV_DISKS, br->id);

	ev->u.disks = disks_new();
	for (int d = 0; d < si->n_dirs; d++) {
		char path[16];
		bool is_bad = br->is_offline[d] && si->broken != SIM_BROKEN_ERROR;
		int at;

		if (br->is_dropped[d])
			continue;
		str_printf(path, sizeof(path), "/d%d", d);
		at = disks_add_dir(ev->u.disks, path, is_bad ? 56 : 0, -1, -1);
		if (!br->is_offline[d])
			put_logs(si, ev->u.disks, br, d, at);
	}
	disks_finish(ev->u.disks);
	return ev;
}

static void put_setting(struct zk_config *cfg, const char *key, const char *value)
{
	cfg->v[cfg->n].key = mem_strdup(key);
	cfg->v[cfg->n++].value = mem_strdup(value);
}

static struct event *answer_settings(struct sim *si, const struct sim_broker *br)
{
	struct event *ev = of_broker(si, EV_BROKER_SETTINGS, br->id);

	ev->u.config.v = mem_array(3, sizeof(*ev->u.config.v));
	put_setting(&ev->u.config, "delete.topic.enable", br->deletes ? "true" : "false");
	put_setting(&ev->u.config, "log.segment.delete.delay.ms", "60000");
	put_setting(&ev->u.config, "min.insync.replicas", "1");
	return ev;
}

static void put_move(struct sim *si, struct reassigning_list *l, int t, size_t p)
{
	const struct sim_part *pt = &si->ctl.t[t].p[p];
	struct reassigning *re = &l->v[l->n++];

	re->topic = mem_strdup(sim_name(t));
	re->as.partition = (int32_t)p;
	for (size_t i = 0; i < pt->n; i++) {
		ids_push(&re->as.replicas, pt->r[i].broker);
		if (pt->adding & (1u << pt->r[i].broker))
			ids_push(&re->as.adding, pt->r[i].broker);
		if (pt->removing & (1u << pt->r[i].broker))
			ids_push(&re->as.removing, pt->r[i].broker);
	}
}

/* NULL: it is not the controller. */
static struct event *answer_moves(struct sim *si, const struct sim_broker *br)
{
	struct event *ev;

	if (!si->ctl.is_active || !si->ctl.is_loaded || si->ctl.id != br->id)
		return NULL;
	ev = of_broker(si, EV_REASSIGNING, br->id);
	ev->u.reassigning.v = mem_array(SIM_ITEMS, sizeof(*ev->u.reassigning.v));
	for (int t = 0; t < SIM_TOPICS; t++)
		for (size_t p = 0; si->ctl.t[t].is_known && p < si->ctl.t[t].n; p++)
			if (si->ctl.t[t].p[p].is_moving)
				put_move(si, &ev->u.reassigning, t, p);
	return ev;
}

struct event *sim_answer(struct sim *si, struct sim_broker *br, const struct sim_ask *as)
{
	switch (as->kind) {
	case KPOLL_DISKS: return answer_disks(si, br);
	case KPOLL_SETTINGS: return answer_settings(si, br);
	case KPOLL_REASSIGNING: return answer_moves(si, br);
	default: return answer_metadata(si, br, as);
	}
}
