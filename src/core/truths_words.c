/* SPDX-License-Identifier: Apache-2.0 */
/* Where ZooKeeper and what brokers say by the Kafka protocol name different things. */
#include "base/str.h"
#include "core/health.h"
#include "core/truths_parts.h"

/* ---- the cluster ------------------------------------------------------------------------------- */

static void look_foreign(const struct look *lo)
{
	const struct cluster *cl = lo->cl;
	struct sighting si = SIGHTING(TRUTH_FOREIGN_BROKERS);

	if (cl->foreign_id == NULL || cl->cluster_id == NULL)
		return;
	si.place = "/cluster/id";
	truths_see(lo->tr, &si, "ZooKeeper has cluster %s; the brokers that answer are of cluster %s.", cl->cluster_id, cl->foreign_id);
}

/* The pair is the key: where either changes, it begins anew. Whose word it is does not matter: where it is another one than ZooKeeper's,
 * kclient asks both in turn. */
static void look_controller(const struct look *lo)
{
	const struct cluster *cl = lo->cl;
	struct sighting si = SIGHTING(TRUTH_CONTROLLER_DIFFERS);
	char key[64];

	if (cl->controller_polls == 0 || cl->controller_fact.know != KNOW_PRESENT || !truths_zk_says(cl, &cl->controller_fact) ||
	    cl->metadata_fact.know != KNOW_PRESENT || cluster_in_migration(cl) || truths_just_started(lo, cl->metadata_from))
		return;
	str_printf(key, sizeof(key), "%d/%d", cl->controller.broker, cl->metadata_controller);
	si.key = key;
	si.place = "/controller";
	si.answer = cl->metadata_fact.seen;
	if (cl->metadata_controller == BROKER_NONE)
		truths_see(lo->tr, &si, "/controller names broker %d; metadata of broker %d names none.", cl->controller.broker, cl->metadata_from);
	else
		truths_see(lo->tr, &si, "/controller names broker %d; metadata of broker %d names %d.", cl->controller.broker, cl->metadata_from,
			cl->metadata_controller);
}

void look_cluster(const struct look *lo)
{
	look_storm(lo);
	look_foreign(lo);
	look_controller(lo);
}

/* ---- topics ------------------------------------------------------------------------------------ */

static struct sighting topic_sighting(enum truth_kind kind, const struct topic *tp)
{
	struct sighting si = SIGHTING(kind);

	si.topic = tp->name;
	return si;
}

static void see_quoted(const struct look *lo, const struct topic *tp)
{
	struct sighting si = topic_sighting(TRUTH_TOPIC_QUOTED, tp);

	si.since = tp->changed;
	truths_see(lo->tr, &si, "/brokers/topics/%s has broker ids as strings (\"1\" for 1).", tp->name);
}

static void see_no_state(const struct look *lo, const struct topic *tp, uint32_t n)
{
	struct sighting si = topic_sighting(TRUTH_NO_STATE_NODES, tp);

	si.since = tp->changed;
	if (n == tp->n_parts)
		truths_see(lo->tr, &si, "The topic node is there, but none of its partitions (%u) has a state node: no leader was ever elected.", n);
	else
		truths_see(lo->tr, &si, "%u of %zu partitions have no state node: no leader was ever elected for them.", n, tp->n_parts);
}

/* Partitions without a state node are not in metadata either: that is told of them already. */
static void look_missing(const struct look *lo, const struct topic *tp)
{
	const struct cluster *cl = lo->cl;
	struct sighting si = topic_sighting(TRUTH_METADATA_MISSES, tp);

	if (tp->md_missing == 0 || !tp->md_visible || topic_count(&tp->counts, PT_NO_STATE) > 0 ||
	    topic_count(&tp->counts, PT_KNOWN) == 0 || cl->metadata_fact.know != KNOW_PRESENT || truths_just_started(lo, cl->metadata_from))
		return;
	si.since = tp->md_missing_since;
	si.answers = tp->md_missing;
	truths_see(lo->tr, &si, "ZooKeeper has the topic, with no marker for its deletion; broker %d does not list it any more.", cl->metadata_from);
}

/* An ISR that leaders wrote themselves (before 2.7) reaches metadata up to a minute later. */
enum { ISR_HOLD_MS = 90000 };

static void see_differing(const struct look *lo, const struct topic *tp, const struct partition *pt)
{
	struct sighting si = topic_sighting(TRUTH_STATE_DIFFERS, tp);
	const struct word *wd = pt->word;
	char theirs[IDS_TEXT_MAX], ours[IDS_TEXT_MAX];

	si.partition = pt->id;
	si.since = wd->since;
	si.answers = wd->polls;
	si.answer = wd->seen;
	si.hold = wd->leader == pt->leader ? ISR_HOLD_MS : 0;
	si.key = wd->leader == pt->leader ? "isr" : "leader";
	truths_ids(theirs, wd->isr, wd->n_isr);
	truths_ids(ours, pt->isr, pt->n_isr);
	if (pt->state.know == KNOW_ABSENT)
		truths_see(lo->tr, &si, "There is no state node; metadata of broker %d has leader %d, ISR %s.", wd->from, wd->leader, theirs);
	else
		truths_see(lo->tr, &si, "The state node has leader %d, ISR %s; metadata of broker %d has leader %d, ISR %s.",
			pt->leader, ours, wd->from, wd->leader, theirs);
}

static void look_differing(const struct look *lo, const struct topic *tp)
{
	for (size_t i = 0; i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];

		if (pt->word != NULL && pt->word->differs && pt->word->polls > 0 && truths_zk_says(lo->cl, &pt->state) &&
		    !truths_just_started(lo, pt->word->from))
			see_differing(lo, tp, pt);
	}
}

/* Topics that are being deleted lose their leaders, their place in metadata, their states in an order of their own. */
static void look_topic(const struct look *lo, const struct topic *tp)
{
	uint32_t n_no_state = topic_count(&tp->counts, PT_NO_STATE);

	if (!tp->quoted_ids && n_no_state == 0 && tp->md_missing == 0 && topic_count(&tp->counts, PT_DIFFERS) == 0)
		return; /* nearly all, nearly always */
	if (!truths_zk_says(lo->cl, &tp->node))
		return;
	if (tp->quoted_ids && !cluster_in_migration(lo->cl))
		see_quoted(lo, tp);
	if (tp->deleting)
		return;
	if (n_no_state > 0)
		see_no_state(lo, tp, n_no_state);
	look_missing(lo, tp);
	if (topic_count(&tp->counts, PT_DIFFERS) > 0)
		look_differing(lo, tp);
}

void look_topics(const struct look *lo)
{
	for (size_t i = 0; i < lo->cl->n_topics; i++)
		look_topic(lo, lo->cl->topics[i]);
}

/* ---- moves --------------------------------------------------------------------------------------- */

static const char theirs_next[] = "Nothing in ZooKeeper stands for it: the next election forgets it, and until then it may hold up what waits for the end of moves.";
static const char theirs_mends[] = "It usually ends with the move. If it stays: cancel it (" REASSIGN_TOOL " --cancel --preserve-throttles), "
	"else the next election ends it.";

static int move_cmp(const struct reassigning *mv, const char *topic, int32_t partition)
{
	int by = topic_name_cmp(mv->topic, topic);

	return by != 0 ? by : (mv->as.partition > partition) - (mv->as.partition < partition);
}

static bool is_listed(const struct cluster *cl, const char *topic, int32_t partition)
{
	size_t lo = 0, hi = cl->reassigning.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int by = move_cmp(&cl->reassigning.v[mid], topic, partition);

		if (by == 0)
			return true;
		if (by < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

static struct sighting move_sighting(const struct cluster *cl, const char *topic, int32_t partition, const char *key)
{
	struct sighting si = SIGHTING(TRUTH_ZOMBIE_REASSIGNMENT);

	si.topic = topic;
	si.partition = partition;
	si.key = key;
	si.answer = cl->reassigning_fact.seen;
	return si;
}

static void see_unlisted(const struct look *lo, const struct topic *tp, const struct partition *pt)
{
	struct sighting si = move_sighting(lo->cl, tp->name, pt->id, "unlisted");
	char adding[IDS_TEXT_MAX], removing[IDS_TEXT_MAX];

	si.since = tp->changed;
	truths_see(lo->tr, &si, "The topic node has it adding %s and removing %s; controller %d does not list it as moving.",
		truths_ids(adding, partition_adding(pt), pt->n_adding), truths_ids(removing, partition_removing(pt), pt->n_removing),
		lo->cl->controller.broker);
}

/* The answer must be younger than the node's reading. */
static void look_unlisted(const struct look *lo, const struct topic *tp)
{
	const struct cluster *cl = lo->cl;

	if (topic_count(&tp->counts, PT_MOVING) == 0 || tp->deleting || !truths_zk_says(cl, &tp->node) ||
	    cl->reassigning_fact.seen.ms <= tp->node.seen.ms)
		return;
	for (size_t i = 0; i < tp->n_parts; i++)
		if ((tp->parts[i].flags & PT_MOVING) && !is_listed(cl, tp->name, tp->parts[i].id))
			see_unlisted(lo, tp, &tp->parts[i]);
}

static void look_listed(const struct look *lo, const struct reassigning *mv)
{
	const struct cluster *cl = lo->cl;
	const struct topic *tp = cluster_topic_find(cl, mv->topic);
	const struct partition *pt = tp != NULL ? topic_partition_find(tp, mv->as.partition) : NULL;
	struct sighting si = move_sighting(cl, mv->topic, mv->as.partition, "listed");
	char adding[IDS_TEXT_MAX], removing[IDS_TEXT_MAX];

	if (tp != NULL ? tp->deleting || !truths_zk_says(cl, &tp->node) : !truths_zk_says(cl, &cl->topics_fact))
		return;
	if (pt != NULL && pt->n_adding + pt->n_removing > 0)
		return;
	si.next = theirs_next;
	si.mends = theirs_mends;
	truths_see(lo->tr, &si, "Controller %d lists it as moving, adding %s and removing %s; %s.", cl->controller.broker,
		truths_ids(adding, mv->as.adding.v, mv->as.adding.n), truths_ids(removing, mv->as.removing.v, mv->as.removing.n),
		pt != NULL ? "the topic node has neither" : tp != NULL ? "the topic node has no such partition" : "ZooKeeper has no such topic");
}

void look_moves(const struct look *lo)
{
	const struct cluster *cl = lo->cl;

	if (cl->reassigning_fact.know != KNOW_PRESENT || cluster_in_migration(cl) || cl->controller_fact.know != KNOW_PRESENT)
		return;
	if (topic_count(&cl->totals, PT_MOVING) > 0)
		for (size_t i = 0; i < cl->n_topics; i++)
			look_unlisted(lo, cl->topics[i]);
	for (size_t i = 0; i < cl->reassigning.n; i++)
		look_listed(lo, &cl->reassigning.v[i]);
}

/* ---- names ------------------------------------------------------------------------------------------ */

static void look_marker(const struct look *lo, const char *name)
{
	struct sighting si = SIGHTING(TRUTH_MARKER_WITHOUT_TOPIC);

	if (cluster_topic_find(lo->cl, name) != NULL)
		return;
	si.topic = name;
	truths_see(lo->tr, &si, "/admin/delete_topics/%s is there; the topic is not.", name);
}

static void look_gone(const struct look *lo, const struct md_only *mo)
{
	struct sighting si = SIGHTING(TRUTH_METADATA_LISTS_GONE);

	if (event_list_has(&lo->cl->markers, mo->name) || truths_just_started(lo, mo->from))
		return;
	si.topic = mo->name;
	si.since = mo->since;
	si.answers = mo->polls;
	truths_see(lo->tr, &si, "Metadata of broker %d lists it with %u partitions; ZooKeeper has no such topic.", mo->from, mo->n_partitions);
}

void look_names(const struct look *lo)
{
	const struct cluster *cl = lo->cl;

	if (!truths_zk_says(cl, &cl->topics_fact) || !truths_zk_says(cl, &cl->markers_fact))
		return;
	for (size_t i = 0; i < cl->markers.n && !cluster_in_migration(cl); i++)
		look_marker(lo, cl->markers.v[i]);
	for (size_t i = 0; i < cl->n_md_only; i++)
		look_gone(lo, &cl->md_only[i]);
}
