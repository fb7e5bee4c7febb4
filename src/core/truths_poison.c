/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What breaks a controller or is obeyed by the next one: /admin/reassign_partitions and the controller epoch
 * (kafka.controller.KafkaController: processZkPartitionReassignment, maybeRemoveFromZkReassignment, initializePartitionReassignments).
 */
#include <string.h>

#include "core/truths_parts.h"

static const char reassign_path[] = "/admin/reassign_partitions";

/* The entry goes by itself or with the next request, and nothing is moved by it. */
static const char nothing_next[] = "Nothing is moved by it; until it is gone, kafka-reassign-partitions --zookeeper refuses new plans.";
static const char nothing_mends[] = "Any reassignment by " REASSIGN_TOOL " --execute takes such entries out that are about "
	"the same partitions, also one to the replicas they have; so does the next election.";
static const char void_mends[] = "Any reassignment by " REASSIGN_TOOL " --execute takes the node away, also one to the replicas "
	"that a partition has.";
static const char nobody_next[] = "The next election drops the entry; if a topic of this name is made before that, the election moves it as the entry says.";
static const char nobody_mends[] = "The next election drops it. Before a topic of this name is made again: take the entry out by an election, or make the topic "
	"and reassign the partition to the replicas it got (" REASSIGN_TOOL " --execute).";

/* ---- the node as a whole --------------------------------------------------------------------- */

static struct sighting node_sighting(const struct cluster *cl, enum truth_kind kind)
{
	struct sighting si = SIGHTING(kind);

	si.place = reassign_path;
	si.since = cl->reassign_changed;
	return si;
}

static void see_void_node(const struct look *lo)
{
	struct sighting si = node_sighting(lo->cl, TRUTH_REASSIGN_LEFTOVER);

	si.is_harmless = true;
	si.next = nothing_next;
	si.mends = void_mends;
	truths_see(lo->tr, &si, "The controller ignores the node: %s.", lo->cl->reassign.why);
}

static void see_no_list(const struct look *lo)
{
	struct sighting si = node_sighting(lo->cl, TRUTH_REASSIGN_NO_LIST);

	truths_see(lo->tr, &si, "The node has no list that a controller can read: %s.", lo->cl->reassign.why);
}

static void see_quoted(const struct look *lo)
{
	struct sighting si = node_sighting(lo->cl, TRUTH_REASSIGN_QUOTED);

	truths_see(lo->tr, &si, "The node has broker ids as strings: %s.", lo->cl->reassign.why);
}

/* ---- its entries ------------------------------------------------------------------------------- */

/* What the controller would compare: replicas without those being removed, in their order (ReplicaAssignment.targetReplicas). */
static bool is_target(const struct partition *pt, const struct ids *wanted)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < pt->n_replicas; i++) {
		if (ids_has(partition_removing(pt), pt->n_removing, pt->ids[i]))
			continue;
		if (n >= wanted->n || wanted->v[n++] != pt->ids[i])
			return false;
	}
	return n == wanted->n;
}

static struct sighting entry_sighting(const struct cluster *cl, const struct zk_move *mv, const char *key)
{
	struct sighting si = SIGHTING(TRUTH_REASSIGN_LEFTOVER);

	si.topic = mv->topic;
	si.partition = mv->partition;
	si.since = cl->reassign_changed;
	si.key = key;
	return si;
}

static void see_nobodys(const struct look *lo, const struct zk_move *mv, const char *what)
{
	struct sighting si = entry_sighting(lo->cl, mv, "nobody's");
	char wanted[IDS_TEXT_MAX];

	si.next = nobody_next;
	si.mends = nobody_mends;
	truths_see(lo->tr, &si, "%s asks for replicas %s; there is no such %s.", reassign_path,
		truths_ids(wanted, mv->replicas.v, mv->replicas.n), what);
}

static void see_idle(const struct look *lo, const struct zk_move *mv, const struct partition *pt)
{
	bool is_done = is_target(pt, &mv->replicas);
	struct sighting si = entry_sighting(lo->cl, mv, is_done ? "done" : "idle");
	char wanted[IDS_TEXT_MAX], has[IDS_TEXT_MAX];

	truths_ids(wanted, mv->replicas.v, mv->replicas.n);
	truths_ids(has, pt->ids, pt->n_replicas);
	if (is_done) {
		si.is_harmless = true;
		si.next = nothing_next;
		si.mends = nothing_mends;
		truths_see(lo->tr, &si, "%s asks for replicas %s, which it has; nobody takes the entry out.", reassign_path, wanted);
	} else if (pt->n_adding + pt->n_removing > 0) {
		truths_see(lo->tr, &si, "%s asks for replicas %s; it is being moved to others (all of them: %s).", reassign_path, wanted, has);
	} else {
		truths_see(lo->tr, &si, "%s asks for replicas %s; it has %s, and nobody moves it.", reassign_path, wanted, has);
	}
}

/* Before 2.4 the node is all there is of a move: topic nodes (JSON version 1) don't say what is being added, controllers don't list it. */
static bool shows_moves(const struct cluster *cl, const struct topic *tp)
{
	return tp->json_version >= 2 || cl->reassigning_fact.know == KNOW_PRESENT;
}

/* True when nothing runs the entry, as far as is known. */
static bool look_entry(const struct look *lo, const struct zk_move *mv)
{
	const struct cluster *cl = lo->cl;
	const struct topic *tp = cluster_topic_find(cl, mv->topic);
	const struct partition *pt;

	if (tp == NULL) {
		if (truths_zk_says(cl, &cl->topics_fact))
			see_nobodys(lo, mv, "topic");
		return false;
	}
	if (!truths_zk_says(cl, &tp->node) || tp->deleting)
		return false;
	pt = topic_partition_find(tp, mv->partition);
	if (pt == NULL) {
		see_nobodys(lo, mv, "partition");
		return false;
	}
	if (!shows_moves(cl, tp) || (pt->n_adding + pt->n_removing > 0 && is_target(pt, &mv->replicas)))
		return false;
	see_idle(lo, mv, pt);
	return true;
}

/* A plan is taken up entry by entry: as long as that goes on, the rest isn't left. */
static void look_entries(const struct look *lo)
{
	const struct zk_reassign *re = &lo->cl->reassign;
	size_t n_idle = 0;

	for (size_t i = 0; i < re->n; i++)
		n_idle += look_entry(lo, &re->v[i]);
	if (n_idle < *lo->n_idle)
		truths_begin_anew(lo->tr, TRUTH_REASSIGN_LEFTOVER);
	*lo->n_idle = n_idle;
}

void look_reassign(const struct look *lo)
{
	const struct cluster *cl = lo->cl;

	if (!truths_zk_says(cl, &cl->reassign_fact) || cl->reassign_fact.know != KNOW_PRESENT || cluster_in_migration(cl)) {
		*lo->n_idle = 0;
		return;
	}
	switch (cl->reassign.shape) {
	case ZK_REASSIGN_NO_LIST:
		see_no_list(lo);
		break;
	case ZK_REASSIGN_QUOTED_IDS:
		see_quoted(lo);
		break;
	case ZK_REASSIGN_EMPTY:
	case ZK_REASSIGN_IGNORED:
		see_void_node(lo);
		break;
	case ZK_REASSIGN_OK:
		look_entries(lo);
		break;
	}
}

/* ---- elections ------------------------------------------------------------------------------------ */

/*
 * A storm: four elections within five seconds, or six within a minute (a large cluster takes its time to fail). Where controllers
 * fail at once it is 10 to 70 a second (run on 2.5.1, 2.8.2, 3.9.1); a rolling restart has one each time that
 * the controller is restarted. It is over when there was none for half a minute.
 */
enum { FAST_RISES = 4, FAST_MS = 5000, SLOW_RISES = 6, SLOW_MS = 60000, CALM_MS = 30000 };

static bool is_within(const struct storm *st, int rises, dur_ms d)
{
	return st->rises[rises - 1].ms != 0 && mono_since(st->rises[0], st->rises[rises - 1]) <= d;
}

static void note_rises(struct storm *st, int64_t n, mono_ms mono)
{
	for (int64_t i = 0; i < n && i < STORM_RISES; i++) {
		memmove(&st->rises[1], &st->rises[0], (STORM_RISES - 1) * sizeof(*st->rises));
		st->rises[0] = mono;
	}
}

static bool is_calm(const struct storm *st, mono_ms mono)
{
	return mono_since(mono, st->rises[0]) >= CALM_MS;
}

void storm_note(struct storm *st, const struct cluster *cl, mono_ms mono, wall_ms now)
{
	int32_t before = st->epoch;

	if (st->begun.ms != 0 && is_calm(st, mono)) {
		st->begun = (wall_ms){ 0 };
		memset(st->rises, 0, sizeof(st->rises)); /* or one election more would be another storm */
	}
	if (!truths_zk_says(cl, &cl->controller_epoch_fact) || cl->controller_epoch_fact.know != KNOW_PRESENT)
		return;
	st->epoch = cl->controller_epoch;
	if (st->is_known && st->epoch > before)
		note_rises(st, (int64_t)st->epoch - before, mono);
	st->is_known = true;
	if (st->begun.ms == 0 && (is_within(st, FAST_RISES, FAST_MS) || is_within(st, SLOW_RISES, SLOW_MS)) &&
	    !is_calm(st, mono))
		st->begun = now;
}

mono_ms storm_end(const struct storm *st)
{
	return st->begun.ms != 0 ? (mono_ms){ st->rises[0].ms + CALM_MS } : (mono_ms){ 0 };
}

void look_storm(const struct look *lo)
{
	struct sighting si = SIGHTING(TRUTH_ELECTION_STORM);

	if (lo->storm->begun.ms == 0 || cluster_in_migration(lo->cl))
		return;
	si.place = "/controller_epoch";
	si.since = lo->storm->begun;
	truths_see(lo->tr, &si, "One election follows the other: the controller epoch is %d by now.", lo->storm->epoch);
}
