/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First the running moves are gathered, each with the lists of its topic; then each setting that
 * is there is held against those that concern its broker or topic. Costs: a pass over topics, and one over replicas of moves for each of
 * the two rates.
 */
#include "core/throttle.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/health.h"

static const char *const names[THROTTLE_SETTINGS] = {
	[THROTTLE_LEADER_RATE] = "leader.replication.throttled.rate",
	[THROTTLE_FOLLOWER_RATE] = "follower.replication.throttled.rate",
	[THROTTLE_DIR_RATE] = "replica.alter.log.dirs.io.max.bytes.per.second",
	[THROTTLE_LEADER_LIST] = "leader.replication.throttled.replicas",
	[THROTTLE_FOLLOWER_LIST] = "follower.replication.throttled.replicas",
};

static const char wrong_list[] = "the value is no list of partition:broker, so brokers keep the one before";
static const char wrong_rate[] = "the value is no number of bytes a second";
static const char moves_unknown[] = "not every topic and /admin/reassign_partitions was read, so a move may be running";
static const char disks_unknown[] = "the log dirs of the broker are not known";
static const char disks_before[] = "the broker has not told its log dirs since it was set";
static const char lists_unknown[] = "the lists of throttled replicas of a moving topic are not known";

const char *throttle_setting_name(enum throttle_setting setting)
{
	return names[setting];
}

const char *throttle_scope(const struct throttle *to)
{
	return to->topic != NULL ? "topic" : "broker";
}

const char *throttle_name(const struct throttle *to, char *out, size_t size)
{
	if (to->topic == NULL && to->broker != BROKER_NONE)
		str_printf(out, size, "%d", to->broker);
	else
		str_printf(out, size, "%s", to->topic != NULL ? to->topic : "<default>");
	return out;
}

/* ---- what moves ---------------------------------------------------------------------------- */

/* Of one topic: a list of each side. An unread config, or a value that can't be read, is not no list. */
struct side {
	struct throttle_list list;
	bool is_known;
};

struct moving_topic {
	const struct topic *tp;
	size_t first, n;         /* its moves */
	struct side sides[2];    /* THROTTLE_LEADER_LIST, THROTTLE_FOLLOWER_LIST */
};

struct moving {
	size_t of;               /* index of its topic */
	const struct partition *pt;
	const struct zk_move *asked; /* NULL: only the topic node tells of it */
};

/* A broker that a move concerns: it has a replica, or is to have one. */
struct share {
	int32_t broker;
	uint32_t move;           /* index */
};

struct scan {
	const struct cluster *cl;
	const struct zk_move **orders; /* of /admin/reassign_partitions, sorted by topic, partition */
	struct moving_topic *topics; /* sorted by name */
	size_t n_topics, cap_topics;
	struct moving *v;        /* sorted by topic, partition */
	size_t n, cap;
	bool is_whole;           /* no other move can be running */
	struct share *shares;    /* sorted by broker, move */
	size_t n_shares;
	struct throttles *out;
	size_t cap_out;
};

static bool is_known(const struct fact *fa)
{
	return fa->know == KNOW_PRESENT || fa->know == KNOW_ABSENT;
}

static struct side side_of(const struct topic *tp, enum throttle_setting setting)
{
	const char *text = zk_config_find(&tp->config, names[setting]);
	struct side si = { .is_known = is_known(&tp->config_fact) };

	if (text != NULL && !throttle_list_parse(text, &si.list))
		si.is_known = false;
	return si;
}

/* An order is carried out when the assignment is what it says. */
static bool is_done(const struct zk_move *mv, const struct partition *pt)
{
	return pt->n_adding + pt->n_removing == 0 && mv->replicas.n == pt->n_replicas &&
		(mv->replicas.n == 0 || memcmp(mv->replicas.v, pt->ids, mv->replicas.n * sizeof(*pt->ids)) == 0);
}

static int order_cmp(const void *a, const void *b)
{
	const struct zk_move *x = *(const struct zk_move *const *)a, *y = *(const struct zk_move *const *)b;
	int by = topic_name_cmp(x->topic, y->topic);

	return by != 0 ? by : (x->partition > y->partition) - (x->partition < y->partition);
}

static void sort_orders(struct scan *sc)
{
	const struct zk_reassign *re = &sc->cl->reassign;

	sc->orders = mem_array(re->n + 1, sizeof(*sc->orders));
	for (size_t i = 0; i < re->n; i++)
		sc->orders[i] = &re->v[i];
	if (re->n > 1)
		qsort(sc->orders, re->n, sizeof(*sc->orders), order_cmp);
}

/* The first order of the topic from that partition on; NULL: none. */
static const struct zk_move *order_from(const struct scan *sc, const char *topic, int32_t partition)
{
	const struct zk_move key = { .topic = (char *)(uintptr_t)topic, .partition = partition }, *at = &key;
	size_t lo = 0, hi = sc->cl->reassign.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (order_cmp(&sc->orders[mid], &at) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < sc->cl->reassign.n && strcmp(sc->orders[lo]->topic, topic) == 0 ? sc->orders[lo] : NULL;
}

static const struct zk_move *asked_for(const struct scan *sc, const struct topic *tp, const struct partition *pt)
{
	const struct zk_move *mv = order_from(sc, tp->name, pt->id);

	return mv != NULL && mv->partition == pt->id && !is_done(mv, pt) ? mv : NULL;
}

static void add_move(struct scan *sc, const struct partition *pt, const struct zk_move *asked)
{
	if (sc->n == sc->cap) {
		sc->cap = sc->cap ? sc->cap * 2 : 64;
		sc->v = mem_realloc_array(sc->v, sc->cap, sizeof(*sc->v));
	}
	sc->v[sc->n++] = (struct moving){ sc->n_topics - 1, pt, asked };
	sc->topics[sc->n_topics - 1].n++;
}

static void add_topic(struct scan *sc, const struct topic *tp)
{
	if (sc->n_topics == sc->cap_topics) {
		sc->cap_topics = sc->cap_topics ? sc->cap_topics * 2 : 16;
		sc->topics = mem_realloc_array(sc->topics, sc->cap_topics, sizeof(*sc->topics));
	}
	sc->topics[sc->n_topics++] = (struct moving_topic){
		tp, sc->n, 0, { side_of(tp, THROTTLE_LEADER_LIST), side_of(tp, THROTTLE_FOLLOWER_LIST) },
	};
}

static void gather_moves(struct scan *sc)
{
	const struct cluster *cl = sc->cl;

	sort_orders(sc);
	sc->is_whole = cluster_assignments_are_whole(cl) && is_known(&cl->reassign_fact);
	for (size_t i = 0; i < cl->n_topics; i++) {
		const struct topic *tp = cl->topics[i];
		bool is_ordered = cl->reassign.n > 0 && order_from(sc, tp->name, 0) != NULL;

		/* Brokers' metadata doesn't say what is being added. */
		sc->is_whole &= tp->node.source == SOURCE_ZOOKEEPER;
		if (!is_ordered && topic_count(&tp->counts, PT_MOVING) == 0)
			continue;
		add_topic(sc, tp);
		for (size_t p = 0; p < tp->n_parts; p++) {
			const struct zk_move *asked = is_ordered ? asked_for(sc, tp, &tp->parts[p]) : NULL;

			if (asked != NULL || tp->parts[p].n_adding + tp->parts[p].n_removing > 0)
				add_move(sc, &tp->parts[p], asked);
		}
	}
}

static int share_cmp(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return x->broker != y->broker ? (x->broker < y->broker ? -1 : 1) : (x->move > y->move) - (x->move < y->move);
}

/* Replicas stand again among those asked for: each broker once a move. */
static void share_moves(struct scan *sc)
{
	size_t most = 0, n = 0;

	for (size_t i = 0; i < sc->n; i++)
		most += (size_t)sc->v[i].pt->n_replicas + sc->v[i].pt->n_adding + (sc->v[i].asked != NULL ? sc->v[i].asked->replicas.n : 0);
	sc->shares = mem_array(most + 1, sizeof(*sc->shares));
	for (size_t i = 0; i < sc->n; i++) {
		const struct partition *pt = sc->v[i].pt;

		for (uint32_t r = 0; r < (uint32_t)pt->n_replicas + pt->n_adding; r++)
			sc->shares[n++] = (struct share){ pt->ids[r], (uint32_t)i };
		for (uint32_t r = 0; sc->v[i].asked != NULL && r < sc->v[i].asked->replicas.n; r++)
			sc->shares[n++] = (struct share){ sc->v[i].asked->replicas.v[r], (uint32_t)i };
	}
	if (n > 1)
		qsort(sc->shares, n, sizeof(*sc->shares), share_cmp);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || share_cmp(&sc->shares[i - 1], &sc->shares[i]) != 0)
			sc->shares[sc->n_shares++] = sc->shares[i];
}

static size_t first_share(const struct scan *sc, int32_t broker)
{
	const struct share key = { broker, 0 };
	size_t lo = 0, hi = sc->n_shares;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (share_cmp(&sc->shares[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Whether the broker's replica, if it is one, is throttled by a list of that side. */
static bool matters(const struct moving *mo, enum throttle_setting list, int32_t broker)
{
	const struct partition *pt = mo->pt;
	bool is_adding = ids_has(partition_adding(pt), pt->n_adding, broker);

	if (pt->n_adding > 0)
		return list == THROTTLE_FOLLOWER_LIST ? is_adding : !is_adding && ids_has(pt->ids, pt->n_replicas, broker);
	return ids_has(pt->ids, pt->n_replicas, broker) ||
		(mo->asked != NULL && ids_has(mo->asked->replicas.v, mo->asked->replicas.n, broker));
}

static bool is_throttled(const struct scan *sc, const struct moving *mo, enum throttle_setting list, int32_t broker)
{
	const struct side *si = &sc->topics[mo->of].sides[list - THROTTLE_LEADER_LIST];

	return matters(mo, list, broker) && throttle_list_has(&si->list, mo->pt->id, broker);
}

/* ---- what serves what ------------------------------------------------------------------------ */

static void add_serves(struct throttle *to, const char *topic, int32_t partition, int32_t broker)
{
	/* Grows by doubling from 8: full exactly at 0 and at each power of two from 8 on. */
	if (to->n_serves == 0 || (to->n_serves >= 8 && (to->n_serves & (to->n_serves - 1)) == 0))
		to->serves = mem_realloc_array(to->serves, to->n_serves ? to->n_serves * 2 : 8, sizeof(*to->serves));
	to->serves[to->n_serves++] = (struct throttle_move){ topic, partition, broker };
}

static struct throttle *add_throttle(struct scan *sc, enum throttle_setting setting, int32_t broker, const char *topic, const char *value)
{
	struct throttles *th = sc->out;

	if (th->n == sc->cap_out) {
		sc->cap_out = sc->cap_out ? sc->cap_out * 2 : 16;
		th->v = mem_realloc_array(th->v, sc->cap_out, sizeof(*th->v));
	}
	th->v[th->n] = (struct throttle){ .setting = setting, .broker = broker, .topic = topic, .value = value, .is_whole = true };
	return &th->v[th->n++];
}

static void set_doubt(struct throttle *to, const char *why)
{
	to->is_whole = false;
	if (to->why == NULL)
		to->why = why;
}

static void conclude(struct throttle *to, bool is_empty)
{
	to->use = to->n_serves > 0 ? THROTTLE_SERVES : is_empty ? THROTTLE_EMPTY : to->is_whole ? THROTTLE_LEFT : THROTTLE_UNCERTAIN;
}

static void serve_dirs(struct throttle *to, const struct broker *br)
{
	/* A broker that is down copies nothing now, but goes on when it is back: what it held was its last word. */
	if (br->disks == NULL) {
		set_doubt(to, disks_unknown);
		return;
	}
	if (br->dir_rate_seen.ms > br->disks_fact.seen.ms)
		set_doubt(to, disks_before);
	for (size_t i = 0; i < br->disks->n_replicas; i++)
		if (br->disks->replicas[i].is_future)
			add_serves(to, br->disks->replicas[i].topic, br->disks->replicas[i].partition, br->id);
}

static void serve_moves(const struct scan *sc, struct throttle *to, int32_t broker)
{
	enum throttle_setting list = to->setting == THROTTLE_LEADER_RATE ? THROTTLE_LEADER_LIST : THROTTLE_FOLLOWER_LIST;

	if (!sc->is_whole)
		set_doubt(to, moves_unknown);
	for (size_t i = first_share(sc, broker); i < sc->n_shares && sc->shares[i].broker == broker; i++) {
		const struct moving *mo = &sc->v[sc->shares[i].move];
		const struct moving_topic *mt = &sc->topics[mo->of];

		if (is_throttled(sc, mo, list, broker))
			add_serves(to, mt->tp->name, mo->pt->id, broker);
		else if (!mt->sides[list - THROTTLE_LEADER_LIST].is_known && matters(mo, list, broker))
			set_doubt(to, lists_unknown);
	}
}

static void serve_broker(const struct scan *sc, struct throttle *to, const struct broker *br)
{
	if (to->setting == THROTTLE_DIR_RATE)
		serve_dirs(to, br);
	else
		serve_moves(sc, to, br->id);
}

static int serves_cmp(const void *a, const void *b)
{
	const struct throttle_move *x = a, *y = b;
	int by = topic_name_cmp(x->topic, y->topic);

	if (by != 0)
		return by;
	return x->partition != y->partition ? (x->partition < y->partition ? -1 : 1) : (x->broker > y->broker) - (x->broker < y->broker);
}

/* A rate of <default> serves what it would on each broker without one of its own. */
static void serve_default(const struct scan *sc, struct throttle *to)
{
	const struct cluster *cl = sc->cl;

	if (!cluster_brokers_are_known(cl))
		set_doubt(to, moves_unknown);
	for (size_t i = 0; i < cl->n_brokers; i++)
		if (zk_config_find(&cl->brokers[i]->config, names[to->setting]) == NULL)
			serve_broker(sc, to, cl->brokers[i]);
	if (to->n_serves > 1)
		qsort(to->serves, to->n_serves, sizeof(*to->serves), serves_cmp);
}

/* What a broker that nothing else names could serve: it holds no replica, and what isn't registered and assigned copies nothing. */
static void serve_none(const struct scan *sc, struct throttle *to)
{
	if (!sc->is_whole || !cluster_brokers_are_known(sc->cl))
		set_doubt(to, moves_unknown);
}

/* br NULL: of <default> (`id` BROKER_NONE), or of a broker that isn't there. */
static void look_at_rate(struct scan *sc, const struct zk_config *config, int32_t id, const struct broker *br, enum throttle_setting setting)
{
	const char *value = zk_config_find(config, names[setting]);
	struct throttle *to;
	int64_t rate = 0;

	if (value == NULL)
		return;
	to = add_throttle(sc, setting, id, NULL, value);
	if (!str_to_i64(value, 0, INT64_MAX, &rate))
		set_doubt(to, wrong_rate);
	else if (br != NULL)
		serve_broker(sc, to, br);
	else if (id == BROKER_NONE)
		serve_default(sc, to);
	else
		serve_none(sc, to);
	/* Kafka's own default: unlimited (QuotaConfigs.QUOTA_BYTES_PER_SECOND_DEFAULT). */
	conclude(to, rate == INT64_MAX);
}

static void look_at_rates(struct scan *sc, const struct zk_config *config, int32_t id, const struct broker *br)
{
	for (int st = 0; st < THROTTLE_LEADER_LIST; st++)
		look_at_rate(sc, config, id, br, (enum throttle_setting)st);
}

/* Brokers that are there and those of which only a config is, by id. */
static void look_at_brokers(struct scan *sc)
{
	const struct cluster *cl = sc->cl;
	size_t i = 0, j = 0;

	look_at_rates(sc, &cl->default_config, BROKER_NONE, NULL);
	while (i < cl->n_brokers || j < cl->n_configs_only) {
		const struct broker *br = i < cl->n_brokers ? cl->brokers[i] : NULL;
		const struct broker_config *bc = j < cl->n_configs_only ? &cl->configs_only[j] : NULL;
		bool is_there = bc == NULL || (br != NULL && br->id < bc->id);

		sc->out->n_unread += !is_known(is_there ? &br->config_fact : &bc->fact);
		if (is_there)
			look_at_rates(sc, &br->config, br->id, br);
		else
			look_at_rates(sc, &bc->config, bc->id, NULL);
		i += is_there;
		j += !is_there;
	}
}

static const struct moving_topic *moving_find(const struct scan *sc, const char *name)
{
	size_t lo = 0, hi = sc->n_topics;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int by = topic_name_cmp(sc->topics[mid].tp->name, name);

		if (by == 0)
			return &sc->topics[mid];
		if (by < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static bool is_served(const struct scan *sc, const struct moving *mo, enum throttle_setting setting)
{
	for (uint32_t r = 0; r < mo->pt->n_replicas; r++)
		if (is_throttled(sc, mo, setting, mo->pt->ids[r]))
			return true;
	for (uint32_t r = 0; mo->asked != NULL && r < mo->asked->replicas.n; r++)
		if (is_throttled(sc, mo, setting, mo->asked->replicas.v[r]))
			return true;
	return false;
}

static void look_at_list(struct scan *sc, const struct topic *tp, enum throttle_setting setting)
{
	const char *value = zk_config_find(&tp->config, names[setting]);
	const struct moving_topic *mt;
	struct throttle_list list;
	struct throttle *to;

	if (value == NULL)
		return;
	to = add_throttle(sc, setting, BROKER_NONE, tp->name, value);
	if (!throttle_list_parse(value, &list)) {
		set_doubt(to, wrong_list);
		conclude(to, false);
		return;
	}
	if (tp->node.know != KNOW_PRESENT || tp->node.source != SOURCE_ZOOKEEPER || !is_known(&sc->cl->reassign_fact))
		set_doubt(to, moves_unknown);
	mt = moving_find(sc, tp->name);
	for (size_t i = 0; mt != NULL && i < mt->n; i++)
		if (is_served(sc, &sc->v[mt->first + i], setting))
			add_serves(to, tp->name, sc->v[mt->first + i].pt->id, BROKER_NONE);
	conclude(to, list.n == 0 && !list.is_all);
	throttle_list_fini(&list);
}

/* The tools set one rate on all brokers of a plan, whichever side they are on and whether or not a replica of theirs moves. */
static void set_beside(struct throttles *th)
{
	for (size_t i = 0; i < th->n; i++) {
		struct throttle *to = &th->v[i];

		for (size_t j = 0; to->use == THROTTLE_LEFT && to->topic == NULL && j < th->n; j++)
			if (th->v[j].use == THROTTLE_SERVES && th->v[j].topic == NULL && th->v[j].setting == to->setting &&
			    strcmp(th->v[j].value, to->value) == 0)
				to->use = THROTTLE_BESIDE;
	}
}

static void scan_fini(struct scan *sc)
{
	for (size_t i = 0; i < sc->n_topics; i++)
		for (size_t j = 0; j < 2; j++)
			throttle_list_fini(&sc->topics[i].sides[j].list);
	mem_free(&sc->orders);
	mem_free(&sc->shares);
	mem_free(&sc->topics);
	mem_free(&sc->v);
}

struct throttles throttles_of(const struct cluster *cl)
{
	struct throttles th = { NULL, 0, 0 };
	struct scan sc = { .cl = cl, .out = &th };

	gather_moves(&sc);
	share_moves(&sc);
	th.n_unread = !is_known(&cl->config_brokers_fact) + !is_known(&cl->topics_fact);
	look_at_brokers(&sc);
	for (size_t i = 0; i < cl->n_topics; i++) {
		th.n_unread += !is_known(&cl->topics[i]->config_fact);
		for (int st = THROTTLE_LEADER_LIST; cl->topics[i]->config.n > 0 && st < THROTTLE_SETTINGS; st++)
			look_at_list(&sc, cl->topics[i], (enum throttle_setting)st);
	}
	set_beside(&th);
	scan_fini(&sc);
	return th;
}

void throttles_fini(struct throttles *th)
{
	for (size_t i = 0; i < th->n; i++)
		mem_free(&th->v[i].serves);
	mem_free(&th->v);
	memset(th, 0, sizeof(*th));
}

const struct throttles *throttles_memo_of(struct throttles_memo *me, const struct cluster *cl)
{
	if (me->is_made && me->facts_gen == cl->facts_gen)
		return &me->th;
	throttles_memo_fini(me);
	me->th = throttles_of(cl);
	me->is_made = true;
	me->facts_gen = cl->facts_gen;
	me->n_made++;
	return &me->th;
}

void throttles_memo_fini(struct throttles_memo *me)
{
	if (me->is_made)
		throttles_fini(&me->th);
	me->is_made = false;
}
