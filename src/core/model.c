/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model: one event at a time, total. This file has the connection, the
 * cluster's own facts and the brokers; model_topics.c has topics and partitions,
 * model_verdicts.c what is wrong with them.
 */
#include "core/model.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/model_priv.h"

struct fact model_fact(const struct event *ev)
{
	return (struct fact){ .know = ev->know, .source = ev->source, .epoch = ev->epoch, .seen = ev->seen };
}

void model_text_take(char **dst, char **src)
{
	mem_free(dst);
	*dst = *src;
	*src = NULL;
}

uint16_t model_bounded(uint32_t n)
{
	return n > REPLICAS_MAX ? REPLICAS_MAX : (uint16_t)n;
}

void model_ids_set(int32_t **dst, uint16_t *n_dst, const int32_t *v, uint32_t n)
{
	if (*n_dst != model_bounded(n)) {
		mem_free(dst);
		*n_dst = model_bounded(n);
		if (*n_dst > 0)
			*dst = mem_array(*n_dst, sizeof(**dst));
	}
	if (*n_dst > 0)
		memcpy(*dst, v, *n_dst * sizeof(*v));
}

void model_list_take(struct event_list *dst, struct event_list *src)
{
	event_list_fini(dst);
	if (src == NULL)
		return;
	*dst = *src;
	memset(src, 0, sizeof(*src));
}

/* ---- brokers ---------------------------------------------------------------- */

struct broker *model_broker_find(struct model *md, int32_t id)
{
	size_t at = cluster_broker_place(&md->cl, id);

	return at < md->cl.n_brokers && md->cl.brokers[at]->id == id ? md->cl.brokers[at] : NULL;
}

struct broker *model_broker_need(struct model *md, int32_t id)
{
	struct cluster *cl = &md->cl;
	size_t at = cluster_broker_place(cl, id);
	struct broker *br;

	if (at < cl->n_brokers && cl->brokers[at]->id == id)
		return cl->brokers[at];
	cl->brokers = mem_realloc_array(cl->brokers, cl->n_brokers + 1, sizeof(struct broker *));
	memmove(&cl->brokers[at + 1], &cl->brokers[at], (cl->n_brokers - at) * sizeof(struct broker *));
	br = mem_zalloc(sizeof(*br));
	br->id = id;
	br->min_isr = -1;
	br->link.latency = -1;
	br->config_fact.know = cl->config_brokers_fact.know == KNOW_PRESENT ? KNOW_ABSENT : KNOW_UNKNOWN;
	cl->brokers[at] = br;
	cl->n_brokers++;
	model_broker_config_meet(md, br);
	md->bits |= CHG_BROKERS;
	return br;
}

static void broker_free(struct model *md, struct broker *br)
{
	model_disks_forget(md, br);
	md->cl.n_links_up -= br->link.state == LINK_UP;
	zk_config_fini(&br->settings);
	mem_free(&br->settings_why);
	if (br->has_info)
		zk_broker_fini(&br->info);
	zk_config_fini(&br->config);
	mem_free(&br->config_why);
	mem_free(&br->why);
	mem_free(&br);
}

void model_brokers_prune(struct model *md)
{
	struct cluster *cl = &md->cl;
	size_t keep = 0;

	for (size_t i = 0; i < cl->n_brokers; i++) {
		struct broker *br = cl->brokers[i];

		if (br->up || br->has_info || br->since.ms != 0 || br->replicas > 0 || br->leaders > 0)
			cl->brokers[keep++] = br;
		else {
			model_broker_config_leave(md, br);
			broker_free(md, br);
		}
	}
	if (keep != cl->n_brokers)
		md->bits |= CHG_BROKERS;
	cl->n_brokers = keep;
}

/* Returns true when up or down changed. */
static bool broker_set_up(struct broker *br, bool up, const struct event *ev)
{
	bool was_sure = br->reg.epoch == ev->epoch;

	if (up == br->up) {
		/* Said again in this epoch, so what stands is not old. */
		br->reg.epoch = ev->epoch;
		br->reg.seen = ev->seen;
		if (!up)
			br->reg.know = KNOW_ABSENT;
		return false;
	}
	br->up = up;
	br->reg = model_fact(ev);
	br->reg.know = up ? KNOW_UNKNOWN : KNOW_ABSENT;
	mem_free(&br->why);
	br->since = up ? (wall_ms){ 0 } : ev->seen_wall;
	br->since_exact = !up && was_sure;
	return true;
}

bool model_broker_id(const char *name, int32_t *id)
{
	int64_t n;

	if (!str_to_i64(name, 0, INT32_MAX, &n))
		return false;
	*id = (int32_t)n;
	return true;
}

static void on_broker_ids(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;
	bool first = cl->broker_ids_fact.know != ev->know;
	bool changed = false, is_lost = false;
	int32_t *ids = NULL, id;
	size_t n = 0;

	if (!cluster_brokers_are_known(cl) || cl->broker_ids_fact.epoch != ev->epoch)
		cl->broker_ids_since = ev->seen_wall;
	cl->broker_ids_fact = model_fact(ev);
	model_text_take(&cl->broker_ids_why, &ev->why);
	md->bits |= CHG_BROKERS;
	if (ev->know == KNOW_UNREADABLE) {
		model_judge_all(md, ev);
		return;
	}
	if (ev->know == KNOW_PRESENT && ev->u.list.n > 0) {
		ids = mem_array(ev->u.list.n, sizeof(*ids));
		for (size_t i = 0; i < ev->u.list.n; i++)
			if (model_broker_id(ev->u.list.v[i], &id))
				ids[n++] = id;
		if (n > 1)
			qsort(ids, n, sizeof(*ids), ids_cmp);
	}
	for (size_t i = 0; i < n; i++)
		model_broker_need(md, ids[i]);
	for (size_t i = 0; i < cl->n_brokers; i++) {
		struct broker *br = cl->brokers[i];
		bool up = n > 0 && bsearch(&br->id, ids, n, sizeof(*ids), ids_cmp) != NULL;

		is_lost |= br->up && !up;
		changed |= broker_set_up(br, up, ev);
	}
	mem_free(&ids);
	if (is_lost)
		model_attempts_lost(md);
	if (changed || first)
		model_judge_all(md, ev);
}

static void on_broker(struct model *md, struct event *ev)
{
	struct broker *br = ev->know == KNOW_ABSENT ? model_broker_find(md, ev->id) : model_broker_need(md, ev->id);
	enum know was;

	if (br == NULL)
		return;
	was = cluster_broker_alive(&md->cl, ev->id);
	broker_set_up(br, ev->know != KNOW_ABSENT, ev);
	br->reg = model_fact(ev);
	md->bits |= CHG_BROKERS;
	if (ev->know != KNOW_ABSENT) {
		model_text_take(&br->why, &ev->why);
		if (ev->stat.ctime.ms != 0) {
			br->since = ev->stat.ctime;
			br->since_exact = true;
			br->czxid = ev->stat.czxid;
		}
	}
	if (ev->know == KNOW_PRESENT) {
		if (br->has_info)
			zk_broker_fini(&br->info);
		br->info = ev->u.broker;
		br->has_info = true;
		memset(&ev->u.broker, 0, sizeof(ev->u.broker));
	}
	if (cluster_broker_alive(&md->cl, ev->id) != was)
		model_judge_all(md, ev);
	model_witness_broker(md, br);
}

/* ---- connection and the cluster's own facts ------------------------------------ */

static void on_conn(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;

	if (cl->conn.state != ev->u.conn->state || cl->conn_since.ms == 0)
		cl->conn_since = ev->seen_wall;
	if (ev->u.conn->state != CONN_UP)
		cl->loaded = false;
	cl->conn = *ev->u.conn;
	cl->conn_seen = ev->seen;
	md->bits |= CHG_CONN;
}

static void on_loaded(struct model *md, struct event *ev)
{
	(void)ev;
	md->cl.loaded = true;
	md->cl.loaded_once = true;
	md->bits |= CHG_CONN | CHG_PROGRESS | CHG_TOPIC;
}

/* The common part of a single fact; true when there is a payload to take. */
static bool take_fact(struct model *md, struct event *ev, struct fact *fact, char **why)
{
	*fact = model_fact(ev);
	model_text_take(why, &ev->why);
	md->bits |= CHG_CLUSTER;
	return ev->know == KNOW_PRESENT;
}

static void on_controller(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;

	if (!take_fact(md, ev, &cl->controller_fact, &cl->controller_why))
		return;
	cl->controller = ev->u.controller;
	cl->controller_persistent = ev->stat.ephemeral_owner == 0;
	cl->controller_since = ev->stat.ctime;
	cl->controller_czxid = ev->stat.czxid;
	model_witness_controller(md);
}

void model_broker_forget_info(struct broker *br)
{
	if (br->has_info)
		zk_broker_fini(&br->info);
	br->has_info = br->up = false;
	br->since = (wall_ms){ 0 };
}

/* Brokers that are not registered here belong to the cluster read before. */
static void forget_brokers_down(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_brokers; i++) {
		struct broker *br = md->cl.brokers[i];

		if (br->up && br->reg.epoch == md->cl.epoch)
			continue;
		model_broker_forget_info(br);
	}
	model_brokers_prune(md);
	md->bits |= CHG_BROKERS;
}

/* Servers of two ensembles in one connect string, or a chroot made anew by another cluster. */
static void on_cluster_id(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;
	bool brokers_said = cl->cluster_id_fact.source == SOURCE_BROKERS;

	if (!take_fact(md, ev, &cl->cluster_id_fact, &cl->cluster_id_why))
		return;
	if (cl->cluster_id && brokers_said && strcmp(cl->cluster_id, ev->u.text) != 0) {
		model_forget_brokers_word(md, ev);
		model_text_take(&cl->foreign_id, &cl->cluster_id);
	} else if (cl->cluster_id && strcmp(cl->cluster_id, ev->u.text) != 0) {
		model_text_take(&cl->cluster_id_before, &cl->cluster_id);
		cl->cluster_id_changed = ev->seen_wall;
		forget_brokers_down(md);
		model_witnesses_clear(md); /* its deletions are not these */
	}
	model_text_take(&cl->cluster_id, &ev->u.text);
}

static void on_reassign(struct model *md, struct event *ev)
{
	bool has = take_fact(md, ev, &md->cl.reassign_fact, &md->cl.reassign_why);

	md->bits |= CHG_REASSIGN;
	zk_reassign_fini(&md->cl.reassign);
	memset(&md->cl.reassign, 0, sizeof(md->cl.reassign));
	md->cl.reassign_changed = has ? ev->stat.mtime : (wall_ms){ 0 };
	if (has) {
		md->cl.reassign = ev->u.reassign;
		memset(&ev->u.reassign, 0, sizeof(ev->u.reassign));
	}
}

static void on_root(struct model *md, struct event *ev)
{
	md->cl.root = model_fact(ev);
	model_text_take(&md->cl.root_missing, &ev->name);
	model_text_take(&md->cl.root_why, &ev->why);
	md->bits |= CHG_CONN;
}

static void on_progress(struct model *md, struct event *ev)
{
	md->cl.load_done = ev->u.progress.done;
	md->cl.load_total = ev->u.progress.total;
	md->bits |= CHG_PROGRESS;
}

static void on_controller_epoch(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;
	bool rose = cl->controller_epoch_fact.know == KNOW_PRESENT && ev->know == KNOW_PRESENT && ev->u.number > cl->controller_epoch;

	if (!take_fact(md, ev, &cl->controller_epoch_fact, &cl->controller_epoch_why))
		return;
	cl->controller_epoch = (int32_t)ev->u.number;
	md->epoch_written = ev->stat.mtime.ms != 0 || !rose ? ev->stat.mtime : ev->seen_wall;
	model_witness_controller(md);
	if (!rose)
		return;
	memmove(&cl->epoch_rises[1], &cl->epoch_rises[0], (EPOCH_RISES - 1) * sizeof(*cl->epoch_rises));
	cl->epoch_rises[0] = ev->stat.mtime.ms != 0 ? ev->stat.mtime : ev->seen_wall;
}

static void on_feature(struct model *md, struct event *ev)
{
	if (take_fact(md, ev, &md->cl.feature_fact, &md->cl.feature_why))
		md->cl.feature = ev->u.feature;
}

static void on_migration(struct model *md, struct event *ev)
{
	if (take_fact(md, ev, &md->cl.migration_fact, &md->cl.migration_why))
		md->cl.migration = ev->u.migration;
}

/* A hint that something was written, which its own watch tells. */
static void on_config_changes(struct model *md, struct event *ev)
{
	(void)md;
	(void)ev;
}

/* What came of a request is the gate's, and what it changed is told by its own events; an inquiry's answer is for who began it. */
static void on_outcome(struct model *md, struct event *ev)
{
	(void)md;
	(void)ev;
}

static void (*const handlers[])(struct model *md, struct event *ev) = {
	[EV_CONN] = on_conn, [EV_PROGRESS] = on_progress, [EV_LOADED] = on_loaded,
	[EV_BROKER_IDS] = on_broker_ids, [EV_BROKER] = on_broker,
	[EV_TOPICS] = model_topics_list, [EV_TOPIC] = model_topic_node, [EV_STATE] = model_state,
	[EV_CONTROLLER] = on_controller, [EV_CONTROLLER_EPOCH] = on_controller_epoch, [EV_CLUSTER_ID] = on_cluster_id,
	[EV_DELETE_TOPICS] = model_markers, [EV_MARKER] = model_witness_marker, [EV_REASSIGN] = on_reassign,
	[EV_CONFIG_TOPICS] = model_topic_configs_list, [EV_TOPIC_CONFIG] = model_topic_config,
	[EV_CONFIG_BROKERS] = model_broker_configs_list, [EV_BROKER_CONFIG] = model_broker_config, [EV_CONFIG_CHANGES] = on_config_changes,
	[EV_FEATURE] = on_feature, [EV_MIGRATION] = on_migration, [EV_ROOT] = on_root,
	[EV_LINK] = model_link, [EV_METADATA] = model_metadata, [EV_DISKS] = model_disks, [EV_REASSIGNING] = model_reassigning,
	[EV_BROKER_SETTINGS] = model_broker_settings, [EV_BROKERS_ASKED] = model_brokers_asked,
	[EV_APPRAISAL] = on_outcome, [EV_OUTCOME] = on_outcome,
};

static void apply(struct model *md, struct event *ev)
{
	assert(ev->kind < sizeof(handlers) / sizeof(handlers[0]));
	handlers[ev->kind](md, ev);
}

static void begin_epoch(struct model *md, uint32_t epoch)
{
	md->cl.epoch = epoch;
	md->cl.loaded = false;
	md->cl.load_done = md->cl.load_total = 0;
	md->bits |= CHG_CONN | CHG_PROGRESS;
}

/* A broker of another cluster says nothing of this one; its Metadata tells whether it still is. */
static bool is_foreign(const struct model *md, const struct event *ev)
{
	return md->cl.foreign_id != NULL && (ev->kind == EV_DISKS || ev->kind == EV_REASSIGNING || ev->kind == EV_BROKER_SETTINGS);
}

bool model_apply_part(struct model *md, struct event **pp)
{
	struct event *ev = *pp;

	md->seen = ev->seen_wall;
	if (ev->kind != EV_METADATA) {
		*pp = NULL;
		model_apply(md, ev);
		return true;
	}
	md->cl.facts_gen++;
	if (!model_metadata_part(md, ev))
		return false;
	model_witness_due(md);
	event_free(pp);
	return true;
}

/* An event over an older connection is of no use. */
static bool is_old(const struct model *md, const struct event *ev)
{
	return ev->source != SOURCE_BROKERS && ev->epoch < md->cl.epoch;
}

void model_apply(struct model *md, struct event *ev)
{
	md->cl.facts_gen++;
	if (!is_old(md, ev) && !is_foreign(md, ev)) {
		md->seen = ev->seen_wall;
		if (ev->source != SOURCE_BROKERS && ev->epoch > md->cl.epoch)
			begin_epoch(md, ev->epoch);
		apply(md, ev);
		model_witness_due(md);
	}
	event_free(&ev);
}

/* ---- life ------------------------------------------------------------------------- */

static void model_init(struct model *md)
{
	memset(md, 0, sizeof(*md));
	md->cl.topic_by_name = map_new();
	md->cl.conn.latency = -1;
	md->cl.metadata_controller = BROKER_NONE;
	md->waiting = map_new();
}

static void model_fini(struct model *md)
{
	struct cluster *cl = &md->cl;

	for (size_t i = 0; i < cl->n_brokers; i++)
		disks_free(&cl->brokers[i]->disks);
	cl->n_disks = 0;
	model_witnesses_clear(md);
	model_topics_clear(md);
	mem_free(&cl->topics);
	map_free(&cl->topic_by_name, NULL);
	for (size_t i = 0; i < cl->n_brokers; i++)
		broker_free(md, cl->brokers[i]);
	mem_free(&cl->brokers);
	model_broker_configs_clear(md);
	zk_reassign_fini(&cl->reassign);
	model_list_take(&cl->markers, NULL);
	model_list_take(&md->configs, NULL);
	mem_free(&cl->cluster_id);
	mem_free(&cl->cluster_id_why);
	mem_free(&cl->cluster_id_before);
	mem_free(&cl->root_missing);
	mem_free(&cl->root_why);
	mem_free(&cl->controller_why);
	mem_free(&cl->controller_epoch_why);
	mem_free(&cl->feature_why);
	mem_free(&cl->migration_why);
	mem_free(&cl->reassign_why);
	mem_free(&cl->broker_ids_why);
	mem_free(&cl->topics_why);
	mem_free(&cl->markers_why);
	mem_free(&cl->config_topics_why);
	mem_free(&cl->config_brokers_why);
	mem_free(&cl->asked_why);
	mem_free(&cl->foreign_id);
	mem_free(&cl->reassigning_why);
	reassigning_list_fini(&cl->reassigning);
	for (size_t i = 0; i < cl->n_md_only; i++)
		mem_free(&cl->md_only[i].name);
	mem_free(&cl->md_only);
	mem_free(&md->changed);
	map_free(&md->waiting, waiting_config_free);
}

struct model *model_new(void)
{
	struct model *md = mem_alloc(sizeof(*md));

	model_init(md);
	return md;
}

void model_free(struct model **pp)
{
	if (*pp == NULL)
		return;
	model_fini(*pp);
	mem_free(pp);
}

void model_reset(struct model *md)
{
	uint64_t gen = md->cl.topics_gen, facts = md->cl.facts_gen;

	model_fini(md);
	model_init(md);
	md->cl.topics_gen = gen + 1;
	md->cl.facts_gen = facts + 1;
	md->bits = ~(uint32_t)0;
}

const struct cluster *model_cluster(const struct model *md)
{
	return &md->cl;
}

struct changes model_changes(const struct model *md)
{
	return (struct changes){
		.bits = md->bits,
		.topics = (const struct topic *const *)md->changed,
		.n_topics = md->n_changed,
	};
}

void model_changes_clear(struct model *md)
{
	for (size_t i = 0; i < md->n_changed; i++)
		md->changed[i]->dirty = false;
	md->n_changed = 0;
	md->bits = 0;
}
