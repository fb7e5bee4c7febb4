/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's witnesses: when one begins, on what deletion, what may have made the controller try again, and how it ended.
 * What is seen of replicas and states meanwhile: model_observe.c.
 *
 * Events come in any order. So whatever decides (marker, topic node) is looked at anew whenever one of them changes (settle),
 * and only lists that ZooKeeper told count: that brokers list a topic no more says nothing of its node.
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "core/model_priv.h"

enum {
	SAME_ELECTION_MS = 2000, /* Kafka writes /controller and /controller_epoch in one go */
	UNMARKED_MS = 5000       /* of the two lists that tell of one deletion the second is read by then */
};

/* ---- the list ------------------------------------------------------------------------- */

static bool is_before(const struct witness *wi, const char *topic, int64_t czxid)
{
	int by = topic_name_cmp(wi->topic, topic);

	return by < 0 || (by == 0 && wi->czxid < czxid);
}

/* Where it stands, or would. */
static size_t place(const struct cluster *cl, const char *topic, int64_t czxid)
{
	size_t lo = 0, hi = cl->n_witnesses;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (is_before(cl->witnesses[mid], topic, czxid))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_of(const struct cluster *cl, size_t at, const char *topic)
{
	return at < cl->n_witnesses && strcmp(cl->witnesses[at]->topic, topic) == 0;
}

/* Which of a name is meant: an open one before one whose marker is gone, that before the last that ended. */
static bool is_nearer(const struct witness *a, const struct witness *b)
{
	int by_a = a->end == WITNESS_OPEN ? 2 : a->end == WITNESS_MARKER_GONE, by_b = b->end == WITNESS_OPEN ? 2 : b->end == WITNESS_MARKER_GONE;

	return by_a != by_b ? by_a > by_b : a->ended.ms != b->ended.ms ? a->ended.ms > b->ended.ms : a->czxid > b->czxid;
}

const struct witness *cluster_witness_find(const struct cluster *cl, const char *topic)
{
	const struct witness *best = NULL;

	for (size_t at = place(cl, topic, INT64_MIN); is_of(cl, at, topic); at++)
		if (best == NULL || is_nearer(cl->witnesses[at], best))
			best = cl->witnesses[at];
	return best;
}

size_t cluster_unfollowed(const struct cluster *cl)
{
	size_t open = 0;

	for (size_t i = 0; i < cl->n_witnesses; i++)
		open += cl->witnesses[i]->end == WITNESS_OPEN;
	return cl->markers.n > open ? cl->markers.n - open : 0;
}

struct witness *model_witness_live(struct model *md, const char *topic)
{
	const struct cluster *cl = &md->cl;
	const struct witness *wi = cl->n_witnesses > 0 ? cluster_witness_find(cl, topic) : NULL;

	return wi != NULL && witness_is_live(wi) ? cl->witnesses[place(cl, topic, wi->czxid)] : NULL;
}

static void take_out(struct model *md, size_t at)
{
	struct cluster *cl = &md->cl;

	memmove(&cl->witnesses[at], &cl->witnesses[at + 1], (--cl->n_witnesses - at) * sizeof(*cl->witnesses));
	md->bits |= CHG_DELETIONS;
}

static void put_in(struct model *md, struct witness *wi)
{
	struct cluster *cl = &md->cl;
	size_t at = place(cl, wi->topic, wi->czxid);

	cl->witnesses = mem_realloc_array(cl->witnesses, cl->n_witnesses + 1, sizeof(*cl->witnesses));
	memmove(&cl->witnesses[at + 1], &cl->witnesses[at], (cl->n_witnesses++ - at) * sizeof(*cl->witnesses));
	cl->witnesses[at] = wi;
}

/* The one that ended first, of all or of those without a marker; *n: how many of these ended. */
static size_t ended_first(const struct cluster *cl, bool unmarked, size_t *n)
{
	size_t first = cl->n_witnesses;

	*n = 0;
	for (size_t i = 0; i < cl->n_witnesses; i++) {
		const struct witness *wi = cl->witnesses[i];

		if (witness_is_live(wi) || (unmarked && !wi->is_unmarked))
			continue;
		(*n)++;
		if (first == cl->n_witnesses || wi->ended.ms < cl->witnesses[first]->ended.ms)
			first = i;
	}
	return first;
}

/* Makes room for one more. False: all go on. */
static bool make_room(struct model *md, bool unmarked)
{
	struct witness *wi;
	size_t n, first;

	if (!unmarked && md->cl.n_witnesses < WITNESSES_MAX)
		return true;
	first = ended_first(&md->cl, unmarked, &n);
	if (unmarked && n < WITNESSES_UNMARKED_MAX)
		return true;
	if (n == 0)
		return false;
	wi = md->cl.witnesses[first];
	take_out(md, first);
	witness_free(&wi);
	return true;
}

void model_witnesses_clear(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_witnesses; i++)
		witness_free(&md->cl.witnesses[i]);
	mem_free(&md->cl.witnesses);
	md->cl.n_witnesses = 0;
	md->witness_due = (wall_ms){ 0 };
	md->bits |= CHG_DELETIONS;
}

/* ---- what changed --------------------------------------------------------------------- */

/* model_witness_due is to be called again by then. */
static void due_at(struct model *md, int64_t ms)
{
	if (md->witness_due.ms == 0 || ms < md->witness_due.ms)
		md->witness_due.ms = ms;
}

void model_witness_touch(struct model *md, struct witness *wi)
{
	struct topic *tp = map_find(md->cl.topic_by_name, wi->topic);

	wi->is_dirty = true;
	wi->dirtied = md->seen;
	md->bits |= CHG_DELETIONS;
	if (tp != NULL)
		model_topic_mark(md, tp);
}

void model_witness_moved(struct model *md, struct witness *wi)
{
	struct witness_attempt *last = wi->n_attempts > 0 ? &wi->attempts[wi->n_attempts - 1] : NULL;

	wi->changed = md->seen;
	if (last != NULL) {
		last->effect_seen = true;
		last->done = last->left = 0;
		last->rested = (wall_ms){ 0 };
		last->why[0] = '\0';
	}
	due_at(md, md->seen.ms + WITNESS_REST_MS);
	model_witness_touch(md, wi);
}

/* ---- attempts ------------------------------------------------------------------------- */

int32_t model_controller_epoch(const struct cluster *cl)
{
	return cl->controller_epoch_fact.know == KNOW_PRESENT ? cl->controller_epoch : -1;
}

/* How far it was when the next one came. Of one that is older than our looking that was not seen. */
static void count_last(const struct model *md, struct witness *wi, wall_ms until)
{
	struct witness_attempt *last = wi->n_attempts > 0 ? &wi->attempts[wi->n_attempts - 1] : NULL;

	if (last == NULL || last->rested.ms != 0 || until.ms <= last->at.ms || until.ms <= wi->first_seen.ms)
		return;
	last->done = witness_gone(wi);
	last->left = (uint32_t)wi->n_replicas - last->done;
	(void)model_attempt_note(md, wi);
}

static void attempt(struct model *md, struct witness *wi, enum witness_trigger trigger, int32_t id, wall_ms at)
{
	struct witness_attempt as = { .trigger = (uint8_t)trigger, .id = id, .epoch = model_controller_epoch(&md->cl), .at = at };

	count_last(md, wi, at);
	if (!witness_attempt_add(wi, &as))
		return;
	wi->changed = md->seen;
	due_at(md, md->seen.ms + WITNESS_REST_MS);
	model_witness_touch(md, wi);
}

/* A registration made since the marker came. */
static void broker_tries(struct model *md, struct witness *wi, const struct broker *br)
{
	if (wi->marked.ms != 0 && br->up && br->reg.source == SOURCE_ZOOKEEPER && br->since_exact && br->since.ms > wi->marked.ms)
		attempt(md, wi, WITNESS_BROKER_STARTED, br->id, br->since);
}

static void controller_tries(struct model *md, struct witness *wi)
{
	const struct cluster *cl = &md->cl;
	int64_t apart = cl->controller_since.ms - md->epoch_written.ms;
	bool is_known = cl->controller_fact.know == KNOW_PRESENT && cl->controller_fact.source == SOURCE_ZOOKEEPER &&
		apart > -SAME_ELECTION_MS && apart < SAME_ELECTION_MS;

	if (wi->marked.ms != 0 && md->epoch_written.ms > wi->marked.ms)
		attempt(md, wi, WITNESS_CONTROLLER, is_known ? cl->controller.broker : BROKER_NONE, md->epoch_written);
}

/* All that came since the marker, as far as it is known. */
static void look_for_tries(struct model *md, struct witness *wi)
{
	if (!witness_is_live(wi))
		return;
	controller_tries(md, wi);
	for (size_t i = 0; i < wi->n_replicas; i++) {
		const struct broker *br = model_broker_find(md, wi->replicas[i].broker);

		if (br != NULL)
			broker_tries(md, wi, br);
	}
}

static bool is_host(const struct witness *wi, int32_t broker)
{
	for (size_t i = 0; i < wi->n_replicas; i++)
		if (wi->replicas[i].broker == broker)
			return true;
	return false;
}

void model_witness_broker(struct model *md, const struct broker *br)
{
	for (size_t i = 0; i < md->cl.n_witnesses; i++) {
		struct witness *wi = md->cl.witnesses[i];

		if (witness_is_live(wi) && is_host(wi, br->id))
			broker_tries(md, wi, br);
	}
}

void model_witness_controller(struct model *md)
{
	int32_t epoch = model_controller_epoch(&md->cl);

	for (size_t i = 0; i < md->cl.n_witnesses; i++) {
		struct witness *wi = md->cl.witnesses[i];

		if (!witness_is_live(wi))
			continue;
		if (wi->epoch_first < 0)
			wi->epoch_first = epoch;
		controller_tries(md, wi);
		model_refuser_controller(md, wi);
	}
}

/* ---- beginnings ------------------------------------------------------------------------- */

/* The node of the topic as ZooKeeper has it; NULL: it is not there, or not read. */
static struct topic *topic_read(struct model *md, const char *name)
{
	struct topic *tp = map_find(md->cl.topic_by_name, name);

	return tp != NULL && tp->node.know == KNOW_PRESENT && tp->node.source == SOURCE_ZOOKEEPER ? tp : NULL;
}

static bool list_is_read(const struct fact *fa)
{
	return fa->source == SOURCE_ZOOKEEPER && (fa->know == KNOW_PRESENT || fa->know == KNOW_ABSENT);
}

static void begin(struct model *md, const char *name, bool came)
{
	struct topic *tp = topic_read(md, name);
	int64_t czxid = tp != NULL ? tp->czxid : 0;
	size_t at = place(&md->cl, name, czxid);
	struct witness *wi;

	if (is_of(&md->cl, at, name) && md->cl.witnesses[at]->czxid == czxid) { /* an earlier one without a topic, say */
		wi = md->cl.witnesses[at];
		take_out(md, at);
		witness_free(&wi);
	} else if (!make_room(md, false)) {
		return;
	}
	wi = witness_new(name, czxid);
	wi->first_seen = wi->changed = md->seen;
	wi->came = came;
	wi->epoch_first = model_controller_epoch(&md->cl);
	put_in(md, wi);
	if (tp != NULL) {
		model_observe_assignment(md, wi, tp);
		model_observe_states(md, wi, tp);
	}
	model_witness_touch(md, wi);
}

/* Two of one deletion: what one of them saw goes to the other. */
static void join(struct model *md, size_t at, struct witness *other)
{
	struct witness *wi = md->cl.witnesses[at];

	wi->is_remembered |= other->is_remembered;
	if (witness_merge(wi, other))
		model_witness_touch(md, wi);
	witness_free(&other);
}

/* The marker was there before the node was read. */
static void adopt(struct model *md, struct witness *wi, int64_t czxid)
{
	size_t at = place(&md->cl, wi->topic, wi->czxid), there;

	take_out(md, at);
	wi->czxid = czxid;
	there = place(&md->cl, wi->topic, czxid);
	put_in(md, wi);
	if (is_of(&md->cl, there + 1, wi->topic) && md->cl.witnesses[there + 1]->czxid == czxid) {
		struct witness *other = md->cl.witnesses[there + 1];

		take_out(md, there + 1);
		join(md, there, other);
	}
	model_witness_touch(md, wi);
}

/* ---- ends --------------------------------------------------------------------------------- */

static void end(struct model *md, struct witness *wi, enum witness_end how)
{
	struct witness_attempt *last = wi->n_attempts > 0 ? &wi->attempts[wi->n_attempts - 1] : NULL;

	wi->end = (uint8_t)how;
	wi->ended = md->seen;
	/* Called at rest before a slow broker was through: the end takes that back. */
	if (how != WITNESS_MARKER_GONE && last != NULL && (last->rested.ms == 0 || last->left > 0)) {
		last->rested = md->seen;
		last->effect_seen = true;
		last->done = (uint32_t)wi->n_replicas; /* Kafka takes the node away when all are (TopicDeletionManager.completeDeleteTopic) */
		last->left = 0;
		last->why[0] = '\0';
	}
	if (how == WITNESS_MARKER_GONE)
		model_refuser_note(md, wi);
	due_at(md, md->seen.ms + WITNESS_KEPT_MS);
	model_witness_touch(md, wi);
}

static void recreated(struct model *md, struct witness *wi, int64_t czxid)
{
	if (witness_is_live(wi))
		end(md, wi, WITNESS_RECREATED);
	wi->end = WITNESS_RECREATED;
	wi->new_czxid = czxid;
	model_witness_touch(md, wi);
}

static void reopen(struct model *md, struct witness *wi)
{
	wi->end = WITNESS_OPEN;
	wi->ended = (wall_ms){ 0 };
	wi->end_controller = BROKER_NONE;
	wi->end_enabled = -1;
	wi->end_is_open = false;
	wi->marker_czxid = 0;
	wi->marked = (wall_ms){ 0 }; /* of the new one, once it is read */
	model_witness_touch(md, wi);
}

/* How one stands by what is known of marker and topic node now. */
static void settle(struct model *md, struct witness *wi)
{
	const struct cluster *cl = &md->cl;
	const struct topic *tp = topic_read(md, wi->topic);
	bool is_marked = event_list_has(&cl->markers, wi->topic);

	if (!list_is_read(&cl->markers_fact))
		return;
	if (tp != NULL && wi->czxid == 0 && tp->czxid != 0 && witness_is_live(wi))
		adopt(md, wi, tp->czxid);
	if (tp != NULL && tp->czxid != wi->czxid) {
		if (wi->end != WITNESS_RECREATED && wi->czxid != 0) /* of a marker without a topic nothing comes back */
			recreated(md, wi, tp->czxid);
	} else if (is_marked && wi->end == WITNESS_MARKER_GONE) {
		reopen(md, wi);
	} else if (!is_marked && tp != NULL && tp->node.epoch == cl->epoch && wi->end == WITNESS_OPEN) {
		end(md, wi, WITNESS_MARKER_GONE);
	} else if (!is_marked && witness_is_live(wi) && list_is_read(&cl->topics_fact) && cluster_topic_find(cl, wi->topic) == NULL) {
		end(md, wi, WITNESS_GONE);
	}
}

static void settle_name(struct model *md, const char *of_whom)
{
	char *name = mem_strdup(of_whom); /* which may be of one that goes */
	struct witness *of[8]; /* of one name there are few: what is there beyond is settled with the next change */
	size_t n = 0;

	for (size_t at = place(&md->cl, name, INT64_MIN); is_of(&md->cl, at, name) && n < 8; at++)
		of[n++] = md->cl.witnesses[at];
	for (size_t i = 0; i < n; i++) {
		/* adopting one takes another one away */
		size_t at = place(&md->cl, name, INT64_MIN);

		while (is_of(&md->cl, at, name) && md->cl.witnesses[at] != of[i])
			at++;
		if (is_of(&md->cl, at, name))
			settle(md, of[i]);
	}
	mem_free(&name);
}

/* The list of markers came after that of the topics: its topic had just been seen to go. */
static bool marks_at_last(struct model *md, const char *name)
{
	const struct witness *last = cluster_witness_find(&md->cl, name);
	struct witness *wi;

	if (last == NULL || !last->is_unmarked || last->end != WITNESS_GONE || md->seen.ms - last->ended.ms > UNMARKED_MS)
		return false;
	wi = md->cl.witnesses[place(&md->cl, name, last->czxid)];
	wi->is_unmarked = false;
	reopen(md, wi);
	return true;
}

/* There is one that is open for each marker. */
static void need(struct model *md, const char *name, bool came)
{
	const struct witness *wi = model_witness_live(md, name);

	if ((wi == NULL || wi->end != WITNESS_OPEN) && !marks_at_last(md, name))
		begin(md, name, came);
}

/* It ends as it is dropped: settle. */
void model_witness_vanished(struct model *md, const struct topic *tp)
{
	const struct cluster *cl = &md->cl;
	struct witness *wi;

	if (!list_is_read(&cl->markers_fact) || cl->markers_fact.epoch != cl->epoch || event_list_has(&cl->markers, tp->name) ||
	    model_witness_live(md, tp->name) != NULL)
		return;
	/* Where nodes are removed by the thousand, the last ones stand for the rest. */
	make_room(md, true);
	begin(md, tp->name, false);
	wi = model_witness_live(md, tp->name);
	if (wi != NULL)
		wi->is_unmarked = true;
}

void model_witness_markers(struct model *md, const struct event_list *old, bool was_read)
{
	const struct event_list *now = &md->cl.markers;

	for (size_t i = md->cl.n_witnesses; i-- > 0;)
		if (i < md->cl.n_witnesses)
			settle_name(md, md->cl.witnesses[i]->topic);
	for (size_t i = 0; i < now->n; i++)
		need(md, now->v[i], was_read && !event_list_has(old, now->v[i]));
}

void model_witness_marker(struct model *md, struct event *ev)
{
	struct witness *wi = model_witness_live(md, ev->name);

	md->bits |= CHG_DELETIONS;
	if (wi == NULL || wi->end != WITNESS_OPEN || ev->know != KNOW_PRESENT)
		return; /* that it is gone the list tells */
	if (wi->n_children != ev->stat.n_children)
		model_witness_touch(md, wi);
	wi->n_children = ev->stat.n_children;
	if (wi->marker_czxid != ev->stat.czxid || wi->n_attempts == 0) {
		wi->marker_czxid = ev->stat.czxid;
		wi->marked = ev->stat.ctime;
		attempt(md, wi, wi->came || wi->n_attempts > 0 ? WITNESS_MARKED : WITNESS_FOUND, BROKER_NONE, ev->stat.ctime);
		model_witness_touch(md, wi);
	}
	look_for_tries(md, wi);
}

void model_witness_topic(struct model *md, const char *name)
{
	struct topic *tp;
	struct witness *wi;

	if (md->cl.n_witnesses == 0)
		return;
	settle_name(md, name);
	if (event_list_has(&md->cl.markers, name))
		need(md, name, false);
	tp = topic_read(md, name);
	wi = model_witness_live(md, name);
	if (tp == NULL || wi == NULL || wi->czxid != tp->czxid)
		return;
	model_observe_assignment(md, wi, tp);
	model_observe_states(md, wi, tp);
	look_for_tries(md, wi);
}

void model_witness_topics(struct model *md)
{
	for (size_t i = md->cl.n_witnesses; i-- > 0;)
		if (i < md->cl.n_witnesses)
			settle_name(md, md->cl.witnesses[i]->topic);
}

void model_witness_reassigned(struct model *md, const struct topic *tp, wall_ms at)
{
	struct witness *wi = model_witness_live(md, tp->name);

	if (wi != NULL && wi->czxid == tp->czxid)
		attempt(md, wi, WITNESS_REASSIGNED, BROKER_NONE, at);
}

/* ---- memory --------------------------------------------------------------------------------- */

void model_remember(struct model *md, struct witness *wi)
{
	size_t at = place(&md->cl, wi->topic, wi->czxid);
	char *name = mem_strdup(wi->topic);

	wi->is_remembered = true;
	wi->came = false; /* nobody watched in between */
	if (is_of(&md->cl, at, name) && md->cl.witnesses[at]->czxid == wi->czxid) {
		join(md, at, wi);
	} else if (make_room(md, false)) {
		put_in(md, wi);
		model_witness_touch(md, wi);
		due_at(md, md->seen.ms > 0 ? md->seen.ms : 1);
	} else {
		witness_free(&wi);
	}
	model_witness_topic(md, name);
	mem_free(&name);
}

void model_witnesses_kept(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_witnesses; i++)
		md->cl.witnesses[i]->is_dirty = false;
}

/* ---- time --------------------------------------------------------------------------------------- */

/* While the controller goes on with a topic whose marker was taken away, that is not over. */
static bool is_kept(const struct witness *wi, wall_ms now)
{
	return wi->end == WITNESS_OPEN || (wi->end == WITNESS_MARKER_GONE && wi->ctrl_lists == KNOW_ABSENT) ||
		now.ms < wi->ended.ms + WITNESS_KEPT_MS;
}

static void rest(struct model *md, struct witness *wi)
{
	struct witness_attempt *last = wi->n_attempts > 0 ? &wi->attempts[wi->n_attempts - 1] : NULL;

	if (last == NULL || last->rested.ms != 0 || !witness_is_live(wi))
		return;
	if (wi->changed.ms > md->seen.ms)
		wi->changed = md->seen; /* the clock was set back */
	if (md->seen.ms - wi->changed.ms < WITNESS_REST_MS) {
		due_at(md, wi->changed.ms + WITNESS_REST_MS);
		return;
	}
	last->rested = wi->changed;
	last->done = witness_gone(wi);
	last->left = (uint32_t)wi->n_replicas - last->done;
	(void)model_attempt_note(md, wi);
	model_witness_touch(md, wi);
}

void model_witness_due(struct model *md)
{
	if (md->witness_due.ms == 0 || md->seen.ms < md->witness_due.ms)
		return;
	md->witness_due = (wall_ms){ 0 };
	for (size_t i = md->cl.n_witnesses; i-- > 0;) {
		struct witness *wi = md->cl.witnesses[i];

		rest(md, wi);
		if (is_kept(wi, md->seen)) {
			if (wi->end != WITNESS_OPEN)
				due_at(md, wi->ended.ms + WITNESS_KEPT_MS > md->seen.ms ? wi->ended.ms + WITNESS_KEPT_MS : md->seen.ms + 60000);
			continue;
		}
		take_out(md, i);
		witness_free(&wi);
	}
}
