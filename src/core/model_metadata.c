/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's other word: what brokers say by the Kafka protocol. ZooKeeper owns
 * assignment, leader and ISR; the brokers' word fills in while the owner's isn't known,
 * and stands beside it where the two differ (struct word).
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/metadata.h"
#include "core/model_priv.h"

enum { UNKNOWN_TOPIC_OR_PARTITION = 3 };

/* The owner has not said it, so the brokers may. */
static bool may_fill(const struct fact *fa)
{
	return fa->know == KNOW_UNKNOWN || fa->source == SOURCE_BROKERS;
}

/* Answers in a row, as many as fit. */
static uint16_t one_more(uint16_t polls)
{
	return polls < UINT16_MAX ? (uint16_t)(polls + 1) : polls;
}

/* ---- a partition's word ---------------------------------------------------------------- */

void model_word_free(struct word **pp)
{
	if (*pp == NULL)
		return;
	mem_free(&(*pp)->isr);
	mem_free(&(*pp)->offline);
	mem_free(pp);
}

/* Orders of an ISR mean nothing: the controller and the leaders write them as they come. */
static bool is_same_set(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b)
{
	if (n_a != n_b)
		return false;
	for (size_t i = 0; i < n_a; i++)
		if (!ids_has(b, n_b, a[i]))
			return false;
	return true;
}

static bool word_differs(const struct partition *pt, int32_t leader, const int32_t *isr, size_t n_isr)
{
	return pt->leader != leader || !is_same_set(pt->isr, pt->n_isr, isr, n_isr);
}

static void set_differs(struct partition *pt, struct word *wd, bool differs)
{
	wd->differs = differs;
	if (!differs)
		wd->polls = 0;
	if (!differs && wd->n_offline == 0)
		model_word_free(&pt->word);
}

void model_word_meets_state(struct partition *pt)
{
	struct word *wd = pt->word;

	if (wd == NULL)
		return;
	wd->polls = 0; /* counted against this state, from the next answer on */
	if (pt->state.know != KNOW_PRESENT || pt->state.source != SOURCE_ZOOKEEPER || !word_differs(pt, wd->leader, wd->isr, wd->n_isr))
		set_differs(pt, wd, false);
}

/* The ids among those it calls offline whose brokers it counts as living: what is offline there is a dir. */
static uint16_t dirs_offline(const struct metadata *md, const struct md_partition *mp, int32_t *out)
{
	uint16_t n = 0;

	for (uint32_t i = 0; i < model_bounded(mp->n_offline); i++)
		for (uint32_t j = 0; j < md->n_brokers; j++)
			if (md->brokers[j].id == mp->offline[i]) {
				out[n++] = mp->offline[i];
				break;
			}
	return n;
}

/* What one answer says, for all its partitions. */
struct telling {
	struct model *md;
	const struct event *ev;
	const struct metadata *says;
};

/* True when something changed for whoever looks. */
static bool take_word(const struct telling *te, struct partition *pt, const struct md_partition *mp, bool differs)
{
	int32_t offline[REPLICAS_MAX];
	uint16_t n_offline = mp->n_offline > 0 ? dirs_offline(te->says, mp, offline) : 0;
	struct word *wd = pt->word;
	bool is_new = wd == NULL || !wd->differs || wd->leader != mp->leader || !is_same_set(wd->isr, wd->n_isr, mp->isr, mp->n_isr);
	bool changed;

	if (!differs && n_offline == 0) {
		model_word_free(&pt->word);
		return wd != NULL;
	}
	if (wd == NULL)
		wd = pt->word = mem_zalloc(sizeof(*wd));
	changed = is_new || !is_same_set(wd->offline, wd->n_offline, offline, n_offline);
	if (differs && wd->polls == 0)
		wd->since = te->ev->seen_wall;
	wd->polls = differs ? one_more(wd->polls) : 0;
	wd->differs = differs;
	wd->from = te->ev->id;
	wd->leader = mp->leader;
	wd->leader_epoch = mp->leader_epoch;
	wd->seen = te->ev->seen;
	model_ids_set(&wd->isr, &wd->n_isr, mp->isr, mp->n_isr);
	model_ids_set(&wd->offline, &wd->n_offline, offline, n_offline);
	return changed;
}

/* The state node isn't known: what the brokers say is all there is. */
static bool fill_state(const struct telling *te, struct partition *pt, const struct md_partition *mp)
{
	bool changed = pt->state.know != KNOW_PRESENT || word_differs(pt, mp->leader, mp->isr, mp->n_isr) ||
		pt->leader_epoch != mp->leader_epoch;

	pt->leader = mp->leader;
	pt->leader_epoch = mp->leader_epoch;
	pt->controller_epoch = -1;
	pt->recovering = false;
	if (changed)
		model_ids_set(&pt->isr, &pt->n_isr, mp->isr, mp->n_isr);
	pt->state = model_fact(te->ev);
	return changed;
}

/* Of a leader whose broker is down brokers say that there is none, the node (of Kafka 1.1, where nobody else could lead) names it
 * still; and of a partition without a leader those of 1.1 say no ISR. */
static bool is_leaderless_in_both(const struct cluster *cl, const struct partition *pt, const struct md_partition *mp)
{
	return mp->leader < 0 && (pt->leader < 0 || cluster_broker_alive(cl, pt->leader) == KNOW_ABSENT) &&
		(mp->n_isr == 0 || is_same_set(pt->isr, pt->n_isr, mp->isr, mp->n_isr));
}

/* Whether the state node's word and this one differ in what both can say. */
static bool differs_from_state(const struct cluster *cl, const struct partition *pt, const struct md_partition *mp)
{
	if (pt->state.know == KNOW_ABSENT)
		return mp->leader >= 0;
	if (is_leaderless_in_both(cl, pt, mp))
		return false;
	return pt->state.know == KNOW_PRESENT && word_differs(pt, mp->leader, mp->isr, mp->n_isr);
}

static bool take_partition(const struct telling *te, struct topic *tp, struct partition *pt, const struct md_partition *mp)
{
	struct turn tu = { false, te->ev->seen_wall, te->ev->seen_wall };
	bool fills = may_fill(&pt->state), changed = false;
	bool differs = !fills && differs_from_state(&te->md->cl, pt, mp);
	uint16_t flags = pt->flags;

	if (!fills && !differs && mp->n_offline == 0 && pt->word == NULL)
		return false; /* nearly all, nearly always */
	model_tally(te->md, tp, pt, -1);
	if (fills)
		changed = fill_state(te, pt, mp);
	changed |= take_word(te, pt, mp, differs);
	if (changed)
		model_judge(te->md, tp, pt, &tu);
	model_tally(te->md, tp, pt, 1);
	return changed || flags != pt->flags;
}

/* ---- topics ------------------------------------------------------------------------------ */

static void assignments_of(const struct md_topic *mt, struct zk_topic *out)
{
	memset(out, 0, sizeof(*out));
	if (mt->n_partitions > 0)
		out->parts = mem_array(mt->n_partitions, sizeof(*out->parts));
	for (uint32_t i = 0; i < mt->n_partitions; i++) {
		struct zk_assignment *as = &out->parts[out->n_parts++];

		as->partition = mt->partitions[i].partition;
		for (uint32_t j = 0; j < mt->partitions[i].n_replicas; j++)
			ids_push(&as->replicas, mt->partitions[i].replicas[j]);
	}
}

static bool has_same_assignment(const struct topic *tp, const struct md_topic *mt)
{
	if (tp->node.know != KNOW_PRESENT || tp->n_parts != mt->n_partitions)
		return false;
	for (size_t i = 0; i < tp->n_parts; i++) {
		const struct md_partition *mp = &mt->partitions[i];

		if (tp->parts[i].id != mp->partition || tp->parts[i].n_replicas != model_bounded(mp->n_replicas) ||
		    (mp->n_replicas > 0 && memcmp(tp->parts[i].ids, mp->replicas, tp->parts[i].n_replicas * sizeof(int32_t)) != 0))
			return false;
	}
	return true;
}

/* The node isn't known: partitions and replicas as the brokers have them. */
static bool fill_node(const struct telling *te, struct topic *tp, const struct md_topic *mt)
{
	struct zk_topic zt;
	bool changed = !has_same_assignment(tp, mt);

	if (changed) {
		assignments_of(mt, &zt);
		model_topic_assign(te->md, tp, &zt, te->ev);
		zk_topic_fini(&zt);
	}
	te->md->cl.n_topics_read -= tp->node.know == KNOW_PRESENT;
	tp->node = model_fact(te->ev);
	te->md->cl.n_topics_read += 1;
	return changed;
}

static void take_topic(const struct telling *te, struct topic *tp, const struct md_topic *mt)
{
	bool changed = tp->md_missing > 0;

	tp->md_missing = 0;
	tp->md_visible = true;
	if (may_fill(&tp->node))
		changed |= fill_node(te, tp, mt);
	for (uint32_t i = 0; i < mt->n_partitions; i++) {
		const struct partition *found = topic_partition_find(tp, mt->partitions[i].partition);

		if (found != NULL)
			changed |= take_partition(te, tp, &tp->parts[found - tp->parts], &mt->partitions[i]);
	}
	if (changed)
		model_topic_mark(te->md, tp);
}

static void miss_topic(const struct telling *te, struct topic *tp)
{
	if (tp->md_missing == 0)
		tp->md_missing_since = te->ev->seen_wall;
	if (tp->md_missing < UINT8_MAX)
		tp->md_missing++;
	te->md->bits |= CHG_METADATA;
}

/* ---- topics that only they list ------------------------------------------------------------ */

static const char *md_only_name_at(const void *list, size_t i)
{
	const struct cluster *cl = list;

	return cl->md_only[i].name;
}

static void md_only_drop(struct model *md, size_t at)
{
	struct cluster *cl = &md->cl;

	mem_free(&cl->md_only[at].name);
	memmove(&cl->md_only[at], &cl->md_only[at + 1], (--cl->n_md_only - at) * sizeof(*cl->md_only));
	md->bits |= CHG_METADATA;
}

static void md_only_note(const struct telling *te, const struct md_topic *mt)
{
	struct cluster *cl = &te->md->cl;
	bool is_there;
	size_t at = names_place(cl, cl->n_md_only, md_only_name_at, mt->name, &is_there);
	struct md_only *mo;

	if (!is_there) {
		cl->md_only = mem_realloc_array(cl->md_only, cl->n_md_only + 1, sizeof(*cl->md_only));
		memmove(&cl->md_only[at + 1], &cl->md_only[at], (cl->n_md_only++ - at) * sizeof(*cl->md_only));
		cl->md_only[at] = (struct md_only){ .name = mem_strdup(mt->name), .since = te->ev->seen_wall };
	}
	mo = &cl->md_only[at];
	mo->from = te->ev->id;
	mo->n_partitions = mt->n_partitions;
	mo->polls = one_more(mo->polls);
	mo->is_told = true;
	te->md->bits |= CHG_METADATA;
}

/* Those that this answer, if it was about all topics, did not name; and those that ZooKeeper lists by now. */
static void md_only_prune(const struct telling *te, bool is_all)
{
	struct cluster *cl = &te->md->cl;

	for (size_t i = cl->n_md_only; i-- > 0;) {
		bool is_told = cl->md_only[i].is_told;

		cl->md_only[i].is_told = false;
		if ((is_all && !is_told) || cluster_topic_find(cl, cl->md_only[i].name) != NULL)
			md_only_drop(te->md, i);
	}
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void take_told(const struct telling *te, const struct md_topic *mt)
{
	struct cluster *cl = &te->md->cl;
	struct topic *tp = map_find(cl->topic_by_name, mt->name);

	if (mt->error != 0 && mt->n_partitions == 0) {
		if (tp != NULL && mt->error == UNKNOWN_TOPIC_OR_PARTITION) {
			tp->md_visible = true; /* without the right to see it the answer is another: 29 */
			miss_topic(te, tp);
		}
		if (mt->error == UNKNOWN_TOPIC_OR_PARTITION)
			model_observe_word(te->md, te->ev, mt->name, KNOW_ABSENT);
		return;
	}
	if (mt->n_partitions > 0)
		model_observe_word(te->md, te->ev, mt->name, KNOW_PRESENT);
	if (tp == NULL && may_fill(&cl->topics_fact))
		tp = model_topic_add(te->md, mt->name);
	if (tp != NULL)
		take_topic(te, tp, mt);
	else
		md_only_note(te, mt);
}

/* The next topics, of MODEL_PART partitions or a little more. */
static void take_topics(const struct telling *te, struct metadata_answer *ma)
{
	uint32_t done = 0;

	while (ma->n_taken < ma->md.n_topics && done < MODEL_PART) {
		const struct md_topic *mt = &ma->md.topics[ma->n_taken++];

		take_told(te, mt);
		done += 1 + mt->n_partitions;
	}
}

/* Topics that an answer about all of them did not name. Both lists are sorted; from the end, for topics may go. */
static void take_absences(const struct telling *te)
{
	struct cluster *cl = &te->md->cl;
	bool fills = may_fill(&cl->topics_fact);
	uint32_t n = te->says->n_topics;

	for (size_t i = cl->n_topics; i-- > 0;) {
		int by = -1;

		while (n > 0 && (by = topic_name_cmp(te->says->topics[n - 1].name, cl->topics[i]->name)) > 0)
			n--;
		if (n > 0 && by == 0)
			continue;
		if (fills)
			model_topic_remove(te->md, cl->topics[i]);
		else
			miss_topic(te, cl->topics[i]);
		if (!fills && cl->topics[i]->md_visible)
			model_observe_word(te->md, te->ev, cl->topics[i]->name, KNOW_ABSENT);
	}
	if (fills)
		cl->topics_fact = model_fact(te->ev);
	cl->metadata_fact = model_fact(te->ev);
	cl->metadata_from = te->ev->id;
}

/* True when it was not up before. */
static bool fill_broker(const struct telling *te, const struct md_broker *mb)
{
	struct broker *br = model_broker_need(te->md, mb->id);
	bool was_up = br->up;

	br->up = true;
	br->reg = model_fact(te->ev);
	if (br->has_info)
		zk_broker_fini(&br->info);
	br->info = (struct zk_broker){ .endpoints = mem_zalloc(sizeof(*br->info.endpoints)), .n_endpoints = 1, .jmx_port = -1 };
	br->info.endpoints[0] = (struct zk_endpoint){
		.listener = mem_strdup(""), .protocol = mem_strdup(""), .host = mem_strdup(mb->host), .port = mb->port,
	};
	br->info.rack = mb->rack != NULL ? mem_strdup(mb->rack) : NULL;
	br->has_info = true;
	return !was_up;
}

static bool is_told(const struct metadata *says, int32_t id)
{
	for (uint32_t i = 0; i < says->n_brokers; i++)
		if (says->brokers[i].id == id)
			return true;
	return false;
}

/* Without ZooKeeper's list, who is up is what the brokers say. */
static void take_brokers(const struct telling *te)
{
	struct cluster *cl = &te->md->cl;
	bool changed = cl->broker_ids_fact.know != KNOW_PRESENT;

	if (!may_fill(&cl->broker_ids_fact))
		return;
	for (uint32_t i = 0; i < te->says->n_brokers; i++)
		if (te->says->brokers[i].id >= 0) /* Kafka has no other; -1 is BROKER_NONE */
			changed |= fill_broker(te, &te->says->brokers[i]);
	for (size_t i = 0; i < cl->n_brokers; i++) {
		struct broker *br = cl->brokers[i];

		if (is_told(te->says, br->id) || !br->up || !may_fill(&br->reg))
			continue;
		changed = true;
		br->up = false;
		br->reg = model_fact(te->ev);
		br->reg.know = KNOW_ABSENT;
		br->since = te->ev->seen_wall;
		br->since_exact = false;
	}
	if (cl->broker_ids_fact.know == KNOW_UNKNOWN)
		cl->broker_ids_since = te->ev->seen_wall;
	cl->broker_ids_fact = model_fact(te->ev);
	te->md->bits |= CHG_BROKERS;
	if (changed)
		model_judge_all(te->md, te->ev);
}

static void take_controller(const struct telling *te)
{
	struct cluster *cl = &te->md->cl;
	int32_t says = te->says->controller;

	te->md->bits |= cl->metadata_controller != says ? CHG_METADATA : 0;
	cl->metadata_controller = says;
	if (may_fill(&cl->controller_fact)) {
		cl->controller_fact = model_fact(te->ev);
		cl->controller_fact.know = says >= 0 ? KNOW_PRESENT : KNOW_ABSENT;
		cl->controller = (struct zk_controller){ .broker = says, .kraft_epoch = -1 };
		cl->controller_since = (wall_ms){ 0 };
		cl->controller_czxid = 0;
		te->md->bits |= CHG_CLUSTER;
	}
	if (cl->controller_fact.source != SOURCE_ZOOKEEPER || cl->controller_fact.know != KNOW_PRESENT || cl->controller.broker == says) {
		cl->controller_polls = 0;
		return;
	}
	if (cl->controller_polls == 0)
		cl->controller_differs_since = te->ev->seen_wall;
	cl->controller_polls = one_more(cl->controller_polls);
	te->md->bits |= CHG_METADATA;
}

/* True when the brokers are those of the cluster that ZooKeeper shows, as far as either says. */
static bool take_cluster_id(const struct telling *te)
{
	struct cluster *cl = &te->md->cl;
	const char *says = te->says->cluster_id;

	if (says == NULL)
		return true;
	if (may_fill(&cl->cluster_id_fact)) {
		char *copy = mem_strdup(says);

		cl->cluster_id_fact = model_fact(te->ev);
		model_text_take(&cl->cluster_id, &copy);
		te->md->bits |= CHG_CLUSTER;
	}
	if (cl->cluster_id != NULL && strcmp(cl->cluster_id, says) != 0) {
		char *copy = mem_strdup(says);

		model_forget_brokers_word(te->md, te->ev);
		model_text_take(&cl->foreign_id, &copy);
		te->md->bits |= CHG_CLUSTER;
		return false;
	}
	te->md->bits |= cl->foreign_id != NULL ? CHG_CLUSTER : 0;
	mem_free(&cl->foreign_id);
	return true;
}

/* All but the topics. False: there is no more to take. */
static bool take_head(const struct telling *te)
{
	te->md->cl.brokers_seen = te->ev->seen;
	if (!take_cluster_id(te))
		return false;
	take_brokers(te);
	take_controller(te);
	return true;
}

bool model_metadata_part(struct model *md, struct event *ev)
{
	struct metadata_answer *ma = ev->u.metadata;
	struct telling te = { md, ev, NULL };

	if (ev->know != KNOW_PRESENT) {
		md->cl.brokers_seen = ev->seen;
		md->cl.metadata_fact = model_fact(ev);
		return true;
	}
	te.says = &ma->md;
	if (!ma->is_begun && !take_head(&te))
		return true;
	ma->is_begun = true;
	take_topics(&te, ma);
	md->bits |= CHG_COUNTS;
	if (ma->n_taken < ma->md.n_topics)
		return false;
	md_only_prune(&te, ma->is_all);
	if (ma->is_all)
		take_absences(&te);
	model_brokers_prune(md);
	return true;
}

void model_metadata(struct model *md, struct event *ev)
{
	while (!model_metadata_part(md, ev))
		;
}

/* ---- the rest ----------------------------------------------------------------------------------- */

void model_link(struct model *md, struct event *ev)
{
	struct broker *br;

	md->bits |= CHG_LINKS;
	if (ev->id == BROKER_NONE)
		return;
	br = model_broker_need(md, ev->id);
	md->cl.n_links_up -= br->link.state == LINK_UP;
	br->link = *ev->u.link;
	md->cl.n_links_up += br->link.state == LINK_UP;
}

void model_reassigning(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;

	cl->brokers_seen = ev->seen;
	cl->reassigning_fact = model_fact(ev);
	model_text_take(&cl->reassigning_why, &ev->why);
	md->bits |= CHG_METADATA;
	if (ev->know == KNOW_UNREADABLE)
		return;
	reassigning_list_fini(&cl->reassigning);
	if (ev->know == KNOW_PRESENT) {
		cl->reassigning = ev->u.reassigning;
		memset(&ev->u.reassigning, 0, sizeof(ev->u.reassigning));
	}
}

void model_broker_settings(struct model *md, struct event *ev)
{
	struct broker *br = model_broker_need(md, ev->id);
	const char *min_isr;
	int64_t n = -1;

	md->cl.brokers_seen = ev->seen;
	br->settings_fact = model_fact(ev);
	model_text_take(&br->settings_why, &ev->why);
	md->bits |= CHG_BROKERS | CHG_METADATA;
	if (ev->know != KNOW_PRESENT)
		return;
	zk_config_fini(&br->settings);
	br->settings = ev->u.config;
	memset(&ev->u.config, 0, sizeof(ev->u.config));
	model_refuser_settings(md, br);
	min_isr = zk_config_find(&br->settings, "min.insync.replicas");
	if (min_isr == NULL || !str_to_i64(min_isr, 1, INT32_MAX, &n))
		n = -1;
	if (br->min_isr == (int32_t)n)
		return;
	br->min_isr = (int32_t)n;
	model_judge_led(md, br->id, ev);
}

void model_brokers_asked(struct model *md, struct event *ev)
{
	md->cl.asked_fact = model_fact(ev);
	model_text_take(&md->cl.asked_why, &ev->why);
	md->bits |= CHG_LINKS;
}
