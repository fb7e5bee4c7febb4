/* SPDX-License-Identifier: Apache-2.0 */
/* The model's topics, partitions, topic configs and deletion markers. */
#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/model_priv.h"

static void later(wall_ms *at, wall_ms t)
{
	if (t.ms > at->ms)
		at->ms = t.ms;
}

/* ---- life of topics ----------------------------------------------------------------- */

void waiting_config_free(void *p)
{
	struct waiting_config *wc = p;

	zk_config_fini(&wc->config);
	mem_free(&wc->why);
	mem_free(&wc);
}

static void wait_config(struct model *md, const char *name, struct waiting_config *wc)
{
	struct waiting_config *old = map_set(md->waiting, name, wc);

	if (old != NULL)
		waiting_config_free(old);
}

/* The override of min.insync.replicas; Kafka refuses values that are no numbers, so one here is nobody's. */
static void set_min_isr(struct topic *tp)
{
	const char *v = zk_config_find(&tp->config, "min.insync.replicas");
	int64_t n;

	tp->min_isr = v != NULL && str_to_i64(v, 1, INT32_MAX, &n) ? (int32_t)n : -1;
}

static void topic_take_config(struct topic *tp, struct waiting_config *wc)
{
	zk_config_fini(&tp->config);
	tp->config = wc->config;
	tp->config_fact = wc->fact;
	model_text_take(&tp->config_why, &wc->why);
	tp->config_changed = wc->changed;
	later(&tp->last_change, wc->changed);
	memset(&wc->config, 0, sizeof(wc->config));
	waiting_config_free(wc);
	set_min_isr(tp);
}

/* The list of configs doesn't name it. */
static void topic_has_no_config(struct model *md, struct topic *tp)
{
	tp->config_fact = md->cl.config_topics_fact;
	tp->config_fact.know = KNOW_ABSENT;
}

static struct topic *topic_new(struct model *md, const char *name)
{
	struct topic *tp = mem_zalloc(sizeof(*tp));
	struct waiting_config *wc = map_remove(md->waiting, name);

	tp->name = mem_strdup(name);
	tp->internal = topic_is_internal(name);
	tp->deleting = event_list_has(&md->cl.markers, name);
	tp->rf = -1;
	tp->min_isr = -1;
	if (wc != NULL)
		topic_take_config(tp, wc);
	else if (md->cl.config_topics_fact.know == KNOW_ABSENT ||
		 (md->cl.config_topics_fact.know == KNOW_PRESENT && !event_list_has(&md->configs, name)))
		topic_has_no_config(md, tp);
	map_set(md->cl.topic_by_name, name, tp);
	model_disks_size_topic(md, tp);
	model_disks_reflag(md, name);
	md->cl.topics_gen++;
	md->bits |= CHG_TOPICS;
	model_topic_mark(md, tp);
	return tp;
}

static void partition_fini(struct partition *pt)
{
	mem_free(&pt->ids);
	mem_free(&pt->isr);
	mem_free(&pt->why);
	model_word_free(&pt->word);
}

/* The topic's config node may outlive it, and serve the next of its name. */
static void keep_config(struct model *md, struct topic *tp)
{
	struct waiting_config *wc;

	if (tp->config_fact.know != KNOW_PRESENT)
		return;
	wc = mem_zalloc(sizeof(*wc));
	wc->config = tp->config;
	wc->fact = tp->config_fact;
	wc->changed = tp->config_changed;
	memset(&tp->config, 0, sizeof(tp->config));
	wait_config(md, tp->name, wc);
}

static void topic_drop(struct model *md, struct topic *tp)
{
	model_tally_topic(md, tp, -1);
	md->cl.n_topics_read -= tp->node.know == KNOW_PRESENT;
	model_topic_unmark(md, tp);
	keep_config(md, tp);
	map_remove(md->cl.topic_by_name, tp->name);
	for (size_t i = 0; i < tp->n_parts; i++)
		partition_fini(&tp->parts[i]);
	mem_free(&tp->parts);
	zk_config_fini(&tp->config);
	mem_free(&tp->config_why);
	mem_free(&tp->topic_id);
	mem_free(&tp->why);
	model_disks_reflag(md, tp->name);
	model_witness_topic(md, tp->name);
	mem_free(&tp->name);
	mem_free(&tp);
	md->cl.topics_gen++;
	md->bits |= CHG_TOPICS;
}

void model_topics_clear(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_topics; i++)
		topic_drop(md, md->cl.topics[i]);
	md->cl.n_topics = 0;
}

struct topic *model_topic_add(struct model *md, const char *name)
{
	struct cluster *cl = &md->cl;
	size_t at = cluster_topic_place(cl, name, NULL);

	cl->topics = mem_realloc_array(cl->topics, cl->n_topics + 1, sizeof(struct topic *));
	memmove(&cl->topics[at + 1], &cl->topics[at], (cl->n_topics - at) * sizeof(struct topic *));
	cl->topics[at] = topic_new(md, name);
	cl->n_topics++;
	return cl->topics[at];
}

void model_topic_remove(struct model *md, struct topic *tp)
{
	struct cluster *cl = &md->cl;
	size_t at = cluster_topic_place(cl, tp->name, NULL);

	assert(cl->topics[at] == tp);
	memmove(&cl->topics[at], &cl->topics[at + 1], (cl->n_topics - at - 1) * sizeof(struct topic *));
	cl->n_topics--;
	topic_drop(md, tp);
	model_brokers_prune(md);
}

/* The list was read over this connection. */
static bool topics_are_watched(const struct cluster *cl)
{
	return cl->topics_fact.source == SOURCE_ZOOKEEPER && cl->topics_fact.know == KNOW_PRESENT && cl->topics_fact.epoch == cl->epoch;
}

static void topic_vanish(struct model *md, struct topic *tp, bool was_read)
{
	if (was_read)
		model_witness_vanished(md, tp);
	topic_drop(md, tp);
}

/* Merges the sorted list with the sorted topics: drops, keeps, adds. */
static void topics_merge(struct model *md, const struct event_list *l, bool was_read)
{
	struct cluster *cl = &md->cl;
	struct topic **old = cl->topics, **fresh = NULL;
	size_t n_old = cl->n_topics, i = 0, n = 0;

	if (l->n > 0)
		fresh = mem_array(l->n, sizeof(struct topic *));
	for (size_t j = 0; j < l->n; j++) {
		while (i < n_old && topic_name_cmp(old[i]->name, l->v[j]) < 0)
			topic_vanish(md, old[i++], was_read);
		if (i < n_old && strcmp(old[i]->name, l->v[j]) == 0)
			fresh[n++] = old[i++];
		else
			fresh[n++] = topic_new(md, l->v[j]);
	}
	while (i < n_old)
		topic_vanish(md, old[i++], was_read);
	mem_free(&cl->topics);
	cl->topics = fresh;
	cl->n_topics = n;
	model_brokers_prune(md);
}

/* Known now and not before, or the other way round, or by another source. */
static bool is_other_word(const struct fact *was, const struct event *ev)
{
	return was->know != ev->know || was->source != ev->source;
}

void model_topics_list(struct model *md, struct event *ev)
{
	bool is_other = is_other_word(&md->cl.topics_fact, ev), was_read = topics_are_watched(&md->cl);

	md->cl.topics_fact = model_fact(ev);
	model_text_take(&md->cl.topics_why, &ev->why);
	md->bits |= CHG_TOPICS | CHG_COUNTS;
	if (ev->know == KNOW_PRESENT)
		topics_merge(md, &ev->u.list, was_read && ev->source == SOURCE_ZOOKEEPER);
	else if (ev->know == KNOW_ABSENT)
		topics_merge(md, &(struct event_list){ NULL, 0 }, false);
	if (is_other) {
		model_disks_reflag_all(md);
		model_witness_topics(md);
	}
}

/* ---- topic node --------------------------------------------------------------------- */

static void partition_assign(struct partition *pt, const struct zk_assignment *as)
{
	size_t n;

	mem_free(&pt->ids);
	pt->n_replicas = model_bounded(as->replicas.n);
	pt->n_adding = model_bounded(as->adding.n);
	pt->n_removing = model_bounded(as->removing.n);
	n = (size_t)pt->n_replicas + pt->n_adding + pt->n_removing;
	pt->ids = mem_alloc((n ? n : 1) * sizeof(int32_t));
	if (pt->n_replicas)
		memcpy(pt->ids, as->replicas.v, pt->n_replicas * sizeof(int32_t));
	if (pt->n_adding)
		memcpy(pt->ids + pt->n_replicas, as->adding.v, pt->n_adding * sizeof(int32_t));
	if (pt->n_removing)
		memcpy(pt->ids + pt->n_replicas + pt->n_adding, as->removing.v, pt->n_removing * sizeof(int32_t));
}

/* The partitions of the payload, with the states already known of those that stay. Nothing is in the counts. */
static void topic_merge_parts(struct topic *tp, const struct zk_topic *zt)
{
	struct partition *fresh = NULL;
	size_t i = 0;

	if (zt->n_parts > 0)
		fresh = mem_array(zt->n_parts, sizeof(*fresh));
	for (size_t j = 0; j < zt->n_parts; j++) {
		struct partition *pt = &fresh[j];

		while (i < tp->n_parts && tp->parts[i].id < zt->parts[j].partition)
			partition_fini(&tp->parts[i++]);
		if (i < tp->n_parts && tp->parts[i].id == zt->parts[j].partition) {
			*pt = tp->parts[i++];
		} else {
			pt->id = zt->parts[j].partition;
			pt->leader = BROKER_NONE;
			pt->leader_epoch = pt->controller_epoch = -1;
		}
		partition_assign(pt, &zt->parts[j]);
	}
	while (i < tp->n_parts)
		partition_fini(&tp->parts[i++]);
	mem_free(&tp->parts);
	tp->parts = fresh;
	tp->n_parts = zt->n_parts;
}

/* Another node under the same name: nothing known of the partitions holds any more. */
static void topic_forget_states(struct topic *tp)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		partition_fini(&tp->parts[i]);
	mem_free(&tp->parts);
	tp->n_parts = 0;
}

static void topic_summarise(struct topic *tp)
{
	tp->rf = tp->n_parts > 0 ? partition_rf(&tp->parts[0]) : -1;
	tp->mixed_replication = false;
	for (size_t i = 1; i < tp->n_parts; i++)
		tp->mixed_replication |= partition_rf(&tp->parts[i]) != tp->rf;
}

void model_topic_assign(struct model *md, struct topic *tp, const struct zk_topic *zt, const struct event *ev)
{
	struct turn tu = model_turn(ev, ev->source == SOURCE_ZOOKEEPER && tp->node.epoch == ev->epoch && tp->node.know == KNOW_PRESENT);

	model_tally_topic(md, tp, -1);
	if (tp->czxid != 0 && ev->stat.czxid != tp->czxid)
		topic_forget_states(tp);
	tp->czxid = ev->stat.czxid;
	tp->created = ev->stat.ctime;
	tp->changed = ev->stat.mtime;
	later(&tp->last_change, ev->stat.mtime);
	topic_merge_parts(tp, zt);
	topic_summarise(tp);
	for (size_t i = 0; i < tp->n_parts; i++)
		model_judge(md, tp, &tp->parts[i], &tu);
	model_tally_topic(md, tp, 1);
	model_brokers_prune(md);
}

static void topic_take_node(struct model *md, struct topic *tp, struct event *ev)
{
	tp->json_version = ev->u.topic.json_version;
	tp->quoted_ids = ev->u.topic.quoted_ids;
	model_text_take(&tp->topic_id, &ev->u.topic.topic_id);
	model_topic_assign(md, tp, &ev->u.topic, ev);
}

static size_t parts_moving(const struct topic *tp)
{
	size_t n = 0;

	for (size_t i = 0; i < tp->n_parts; i++)
		n += tp->parts[i].n_adding + tp->parts[i].n_removing > 0;
	return n;
}

void model_topic_node(struct model *md, struct event *ev)
{
	struct topic *tp = map_find(md->cl.topic_by_name, ev->name);
	size_t n_moving = 0;
	int64_t was = 0;
	bool is_same;

	if (ev->know == KNOW_ABSENT) {
		if (tp != NULL && topics_are_watched(&md->cl))
			model_witness_vanished(md, tp);
		if (tp != NULL)
			model_topic_remove(md, tp);
		return;
	}
	if (tp == NULL)
		tp = model_topic_add(md, ev->name);
	if (tp->node.know == KNOW_PRESENT && tp->node.source == SOURCE_ZOOKEEPER) {
		n_moving = parts_moving(tp);
		was = tp->czxid;
	}
	is_same = tp->node.know == KNOW_PRESENT && tp->czxid == ev->stat.czxid && tp->changed.ms == ev->stat.mtime.ms;
	if (ev->know == KNOW_PRESENT)
		topic_take_node(md, tp, ev);
	md->cl.n_topics_read -= tp->node.know == KNOW_PRESENT;
	tp->node = model_fact(ev);
	md->cl.n_topics_read += tp->node.know == KNOW_PRESENT;
	if (!is_same)
		model_disks_reflag(md, tp->name);
	md->bits |= CHG_COUNTS;
	model_text_take(&tp->why, &ev->why);
	model_topic_mark(md, tp);
	model_witness_topic(md, tp->name);
	if (ev->know == KNOW_PRESENT && was == tp->czxid && parts_moving(tp) < n_moving)
		model_witness_reassigned(md, tp, ev->stat.mtime.ms != 0 ? ev->stat.mtime : ev->seen_wall);
}

/* ---- partition state ------------------------------------------------------------------ */

static void partition_take_state(struct partition *pt, struct event *ev)
{
	const struct zk_state *zs = &ev->u.state;

	switch ((enum know)ev->know) {
	case KNOW_PRESENT:
		pt->leader = zs->leader;
		pt->leader_epoch = zs->leader_epoch;
		pt->controller_epoch = zs->controller_epoch;
		pt->recovering = zs->recovering;
		model_ids_set(&pt->isr, &pt->n_isr, zs->isr.v, zs->isr.n);
		pt->changed = ev->stat.mtime;
		break;
	case KNOW_ABSENT: /* never elected */
		pt->leader = BROKER_NONE;
		pt->leader_epoch = pt->controller_epoch = -1;
		pt->recovering = false;
		model_ids_set(&pt->isr, &pt->n_isr, NULL, 0);
		pt->changed = (wall_ms){ 0 };
		break;
	case KNOW_UNREADABLE:
	case KNOW_UNKNOWN:
		break;
	}
	pt->state = model_fact(ev);
	model_text_take(&pt->why, &ev->why);
}

/* The state told in an earlier epoch isn't the one before this: it was written while nobody looked, perhaps more than once. */
static bool was_written_unseen(const struct partition *pt, const struct event *ev)
{
	if (pt->state.epoch == ev->epoch)
		return false;
	return pt->state.know != ev->know || (ev->know == KNOW_PRESENT &&
		(pt->changed.ms != ev->stat.mtime.ms || pt->leader_epoch != ev->u.state.leader_epoch));
}

void model_state(struct model *md, struct event *ev)
{
	struct topic *tp = map_find(md->cl.topic_by_name, ev->name);
	const struct partition *found = tp != NULL ? topic_partition_find(tp, ev->id) : NULL;
	struct partition *pt;
	struct state_was was;
	struct turn tu;

	if (found == NULL)
		return;
	pt = &tp->parts[found - tp->parts];
	was = (struct state_was){ pt->state.know, pt->state.source, pt->leader, pt->leader_epoch, pt->n_isr };
	tu = model_turn(ev, pt->state.epoch == ev->epoch);
	model_tally(md, tp, pt, -1);
	if (was_written_unseen(pt, ev)) /* and may have been well in between */
		pt->offline_since = pt->under_since = pt->under_min_since = (struct since){ { 0 }, false };
	partition_take_state(pt, ev);
	model_word_meets_state(pt);
	model_judge(md, tp, pt, &tu);
	model_tally(md, tp, pt, 1);
	later(&tp->last_change, pt->changed);
	model_topic_mark(md, tp);
	model_observe_state(md, tp, &was, pt);
}

/* ---- config ------------------------------------------------------------------------------ */

/* The overrides had been read before in this epoch. */
static bool config_is_sure(const struct topic *tp, const struct event *ev)
{
	return tp->config_fact.epoch == ev->epoch && (tp->config_fact.know == KNOW_PRESENT || tp->config_fact.know == KNOW_ABSENT);
}

void model_topic_config(struct model *md, struct event *ev)
{
	struct topic *tp = map_find(md->cl.topic_by_name, ev->name);
	struct waiting_config *wc = mem_zalloc(sizeof(*wc));
	struct turn tu;

	wc->fact = model_fact(ev);
	wc->changed = ev->stat.mtime;
	model_text_take(&wc->why, &ev->why);
	if (ev->know == KNOW_PRESENT) {
		wc->config = ev->u.config;
		memset(&ev->u.config, 0, sizeof(ev->u.config));
	}
	if (tp == NULL) {
		wait_config(md, ev->name, wc);
		return;
	}
	tu = model_turn(ev, config_is_sure(tp, ev));
	topic_take_config(tp, wc);
	model_judge_topic(md, tp, &tu);
}

static void topic_drop_config(struct model *md, struct topic *tp, const struct event *ev)
{
	bool had = tp->config_fact.know != KNOW_ABSENT;
	/* The list is another node: only its being noticed has a time. */
	struct turn tu = { config_is_sure(tp, ev), ev->seen_wall, ev->seen_wall };

	topic_has_no_config(md, tp);
	if (!had)
		return;
	zk_config_fini(&tp->config);
	memset(&tp->config, 0, sizeof(tp->config));
	mem_free(&tp->config_why);
	tp->config_changed = (wall_ms){ 0 };
	set_min_isr(tp);
	model_judge_topic(md, tp, &tu);
}

void model_topic_configs_list(struct model *md, struct event *ev)
{
	struct map_iter it = map_iter(md->waiting);
	const char *name;

	md->cl.config_topics_fact = model_fact(ev);
	model_text_take(&md->cl.config_topics_why, &ev->why);
	md->bits |= CHG_CLUSTER;
	if (ev->know == KNOW_UNREADABLE)
		return;
	model_list_take(&md->configs, ev->know == KNOW_PRESENT ? &ev->u.list : NULL);
	for (size_t i = 0; i < md->cl.n_topics; i++)
		if (!event_list_has(&md->configs, md->cl.topics[i]->name))
			topic_drop_config(md, md->cl.topics[i], ev);
	while (map_next(&it, &name, NULL))
		if (!event_list_has(&md->configs, name))
			waiting_config_free(map_remove(md->waiting, name));
}

/* ---- deletion markers ------------------------------------------------------------------------ */

static void set_deleting(struct model *md, const char *name, bool deleting, const struct event *ev)
{
	struct topic *tp = map_find(md->cl.topic_by_name, name);

	if (tp != NULL)
		tp->deleting = deleting;
	model_disks_reflag(md, name);
	if (tp == NULL)
		return;
	/* Nothing turns by it: what is no longer excused was so before. */
	model_judge_topic(md, tp, &(struct turn){ false, ev->seen_wall, ev->seen_wall });
}

static void take_markers(struct model *md, struct event *ev, bool was_read)
{
	struct event_list old = { NULL, 0 };

	model_list_take(&old, &md->cl.markers);
	model_list_take(&md->cl.markers, ev->know == KNOW_PRESENT ? &ev->u.list : NULL);
	for (size_t i = 0; i < old.n; i++)
		if (!event_list_has(&md->cl.markers, old.v[i]))
			set_deleting(md, old.v[i], false, ev);
	for (size_t i = 0; i < md->cl.markers.n; i++)
		if (!event_list_has(&old, md->cl.markers.v[i]))
			set_deleting(md, md->cl.markers.v[i], true, ev);
	model_witness_markers(md, &old, was_read);
	model_list_take(&old, NULL);
}

void model_markers(struct model *md, struct event *ev)
{
	bool is_other = is_other_word(&md->cl.markers_fact, ev);
	bool was_read = md->cl.markers_fact.know == KNOW_PRESENT || md->cl.markers_fact.know == KNOW_ABSENT;

	md->cl.markers_fact = model_fact(ev);
	model_text_take(&md->cl.markers_why, &ev->why);
	md->bits |= CHG_DELETIONS;
	if (ev->know != KNOW_UNREADABLE)
		take_markers(md, ev, was_read);
	if (is_other)
		model_disks_reflag_all(md);
}
