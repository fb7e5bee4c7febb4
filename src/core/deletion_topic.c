/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topic whose marker is there: which row of reference 2.14 it is, and what holds it up. What became of one whose marker went:
 * deletion_end.c. Sentences: deletion_advice.c.
 */
#include <string.h>

#include "base/str.h"
#include "core/deletion_parts.h"

/* ---- what its nodes show --------------------------------------------------------------------------- */

enum sign deletion_sign(const struct scene *sc, const struct partition *pt)
{
	if (pt == NULL || pt->state.source == SOURCE_BROKERS || fact_is_old(sc->cl, &pt->state))
		return SIGN_UNKNOWN;
	if (pt->state.know == KNOW_ABSENT)
		return SIGN_NO_STATE;
	if (pt->state.know != KNOW_PRESENT)
		return SIGN_UNKNOWN;
	if (pt->leader >= 0)
		return SIGN_ALIVE;
	return pt->n_isr == 1 ? SIGN_PASSED : SIGN_LEADERLESS;
}

/* The last member of the ISR is up with all its log dirs, or was after the signature was first seen: the controller would have let it lead. */
static bool could_lead(const struct look *lk, const struct partition *pt)
{
	const struct host *ho = scene_host(lk->sc, pt->isr[0]);

	if (ho == NULL || ho->told.ms == 0 || ho->n_unread > 0)
		return false;
	return ho->word == HOST_TELLS || (ho->word == HOST_DOWN && lk->wi->pass_seen.ms != 0 && ho->told.ms > lk->wi->pass_seen.ms);
}

/* Without a leader though somebody could lead: a pass took it away, if the controller works and has had the time, or leaders were seen while
 * the marker was there. Where others still have theirs, only if the broker told its log dirs after this one went. */
static bool is_pass_for_sure(const struct look *lk, const struct partition *pt)
{
	if (!could_lead(lk, pt))
		return false;
	if (lk->n_alive > 0 && scene_host(lk->sc, pt->isr[0])->told.ms <= pt->changed.ms)
		return false;
	return (lk->wi->pass_seen.ms != 0 && lk->wi->was_alive) || (lk->sc->controller == CONTROLLER_THERE && deletion_is_settled(lk));
}

static void count_signs(struct look *lk)
{
	for (size_t i = 0; lk->tp != NULL && i < lk->tp->n_parts; i++) {
		const struct partition *pt = &lk->tp->parts[i];
		enum sign sign = deletion_sign(lk->sc, pt);

		lk->n_alive += sign == SIGN_ALIVE;
		lk->n_passed += sign == SIGN_PASSED;
		lk->n_leaderless += sign == SIGN_LEADERLESS;
		lk->n_no_state += sign == SIGN_NO_STATE;
		lk->n_unread += sign == SIGN_UNKNOWN;
		lk->is_moving |= pt->n_adding + pt->n_removing > 0;
	}
	for (size_t i = 0; lk->n_passed > 0 && i < lk->tp->n_parts && !lk->is_passed; i++)
		lk->is_passed = deletion_sign(lk->sc, &lk->tp->parts[i]) == SIGN_PASSED && is_pass_for_sure(lk, &lk->tp->parts[i]);
}

/* An answer of the controller before this one says nothing of this one's queue. */
static enum know listed_by_controller(const struct look *lk)
{
	const struct witness *wi = lk->wi;

	if (wi->ctrl_polls == 0 || lk->sc->controller != CONTROLLER_THERE || wi->ctrl_epoch < 0 || wi->ctrl_epoch != lk->sc->epoch)
		return KNOW_UNKNOWN;
	return wi->ctrl_lists == KNOW_PRESENT || wi->ctrl_lists == KNOW_ABSENT ? (enum know)wi->ctrl_lists : KNOW_UNKNOWN;
}

static bool is_obstacle(const struct host *ho)
{
	return ho != NULL && (ho->word == HOST_DOWN || (ho->word == HOST_TELLS && ho->n_unread > 0));
}

/* What would hold it up whatever became of a replica elsewhere. */
static bool has_obstacle(const struct look *lk)
{
	if (lk->is_moving && lk->failed_over != KNOW_ABSENT)
		return true;
	for (size_t i = 0; i < lk->wi->n_replicas; i++)
		if (is_obstacle(lk->hosts[i]))
			return true;
	return false;
}

static void read_facts(struct look *lk)
{
	const struct witness *wi = lk->wi;

	lk->listed = (uint8_t)listed_by_controller(lk);
	count_signs(lk);
	/* State nodes that were there without a leader, and are gone, all of them: nobody else takes them away. */
	lk->is_sure = lk->is_passed || lk->listed == KNOW_ABSENT ||
		(wi->pass_seen.ms != 0 && lk->tp != NULL && lk->n_no_state > 0 && lk->n_no_state == lk->tp->n_parts);
	lk->is_untouched = (lk->n_alive > 0 && !lk->is_passed && (lk->n_passed == 0 || deletion_is_settled(lk))) ||
		(lk->listed == KNOW_PRESENT && (deletion_is_settled(lk) || wi->pass_seen.ms == 0));
	lk->is_halted_else = has_obstacle(lk);
	lk->cap = CERTAINTY_CERTAIN;
	if (lk->sc->in_migration) {
		lk->cap = CERTAINTY_LIKELY;
		lk->cap_why = "The cluster is being moved to KRaft: how its controller goes on with a deletion is not seen in ZooKeeper.";
	} else if (!lk->sc->is_fresh) {
		lk->cap = CERTAINTY_LIKELY;
		lk->cap_why = "ZooKeeper's data is from before the session was lost.";
	}
}

/* ---- blockers ----------------------------------------------------------------------------------------- */

struct deletion_blocker *deletion_block(struct look *lk, enum blocker_kind k, enum certainty c, int32_t broker, const char *dir, uint32_t n)
{
	struct deletion *de = lk->de;
	struct deletion_blocker *bl = NULL, *all;

	for (size_t i = 0; i < de->n_blockers; i++)
		if (de->blockers[i].kind == k && de->blockers[i].broker == broker && str_same(de->blockers[i].log_dir, dir))
			bl = &de->blockers[i];
	if (bl == NULL) {
		/* Few: one a broker or dir at most, so that growing by one is no cost. */
		all = arena_alloc(lk->ar, (de->n_blockers + 1) * sizeof(*all));
		if (de->n_blockers > 0)
			memcpy(all, de->blockers, de->n_blockers * sizeof(*all));
		de->blockers = all;
		bl = &all[de->n_blockers++];
		*bl = (struct deletion_blocker){ .kind = k, .broker = broker, .partition = -1 };
		bl->log_dir = dir != NULL ? arena_strdup(lk->ar, dir) : NULL;
	}
	bl->n_replicas += n;
	if (c > bl->certainty)
		bl->certainty = (uint8_t)(c < lk->cap ? c : lk->cap);
	return bl;
}

static void since(struct deletion_blocker *bl, wall_ms at, bool is_exact)
{
	if (at.ms == 0 || (bl->since.ms != 0 && bl->since.ms <= at.ms))
		return;
	bl->since = at;
	bl->since_exact = is_exact;
}

/* Not deleted, or not known to be: those a broker or dir keeps. */
static void block_by_replica(struct look *lk, const struct witness_replica *wr, const struct host *ho, const struct finding *fi)
{
	struct deletion_blocker *bl;
	const char *dir;

	switch (fi->cause) {
	case BLOCKER_BROKER_DOWN:
		bl = deletion_block(lk, BLOCKER_BROKER_DOWN, (enum certainty)fi->phase_certainty, wr->broker, NULL, 1);
		since(bl, ho->br->since, ho->br->since_exact);
		break;
	case BLOCKER_BROKER_SILENT:
		bl = deletion_block(lk, BLOCKER_BROKER_SILENT, fi->phase == PHASE_RUNNING ? (enum certainty)fi->phase_certainty : CERTAINTY_LIKELY, wr->broker, NULL, 1);
		since(bl, ho->answered, false);
		break;
	case BLOCKER_LOG_DIR_OFFLINE:
		dir = deletion_bad_dir(ho, wr);
		bl = deletion_block(lk, BLOCKER_LOG_DIR_OFFLINE, fi->phase == PHASE_UNKNOWN ? CERTAINTY_GUESS : (enum certainty)fi->phase_certainty, wr->broker, dir, 1);
		since(bl, wr->dir_failed, false);
		break;
	case BLOCKER_NO_TRIGGER:
		deletion_block(lk, BLOCKER_NO_TRIGGER, CERTAINTY_LIKELY, wr->broker, NULL, 1);
		deletion_block(lk, BLOCKER_REFUSED_STALE, CERTAINTY_GUESS, wr->broker, NULL, 1);
		break;
	default:
		break;
	}
}

/* ---- replicas ------------------------------------------------------------------------------------------- */

static void sum_up(struct deletion *de)
{
	bool is_whole = true;

	for (size_t i = 0; i < de->n_replicas; i++) {
		const struct deletion_replica *dr = &de->replicas[i];

		de->n_by_phase[dr->phase]++;
		if (dr->phase == PHASE_DONE)
			continue;
		is_whole &= dr->size_bytes >= 0;
		if (dr->size_bytes < 0)
			continue;
		de->bytes_left = disk_bytes_plus(de->bytes_left, dr->size_bytes);
		if (de->bytes_as_of.ms == 0 || dr->size_seen.ms < de->bytes_as_of.ms)
			de->bytes_as_of = dr->size_seen;
	}
	if (!is_whole) {
		de->bytes_left = -1;
		de->bytes_as_of = (wall_ms){ 0 };
	}
}

/* Few dirs have many replicas: the one before often has the same. */
static char *dir_text(struct look *lk, const char *dir, char *before)
{
	if (dir == NULL)
		return NULL;
	return before != NULL && strcmp(before, dir) == 0 ? before : arena_strdup(lk->ar, dir);
}

static void put_replica(struct look *lk, size_t i)
{
	const struct witness_replica *wr = &lk->wi->replicas[i];
	struct deletion_replica *dr = &lk->de->replicas[i];
	const struct partition *pt = lk->tp != NULL ? topic_partition_find(lk->tp, wr->partition) : NULL;
	const struct host *ho = lk->hosts[i];
	struct finding fi = deletion_judge(lk, wr, pt, ho);

	*dr = (struct deletion_replica){
		.partition = wr->partition, .broker = wr->broker, .phase = fi.phase, .phase_certainty = fi.phase_certainty,
		.state = fi.state, .certainty = fi.certainty, .rule = fi.rule, .size_bytes = wr->size_bytes, .size_seen = wr->listed,
	};
	if (pt != NULL && pt->n_adding + pt->n_removing > 0) {
		dr->is_adding = ids_has(partition_adding(pt), pt->n_adding, wr->broker);
		dr->is_removing = ids_has(partition_removing(pt), pt->n_removing, wr->broker);
	}
	/* A replica being added is New until it has joined the ISR. */
	if (dr->is_adding && dr->certainty > CERTAINTY_LIKELY)
		dr->certainty = CERTAINTY_LIKELY;
	dr->dir = dir_text(lk, wr->dir, i > 0 ? dr[-1].dir : NULL);
	dr->evidence = deletion_evidence(lk, wr, ho, &fi);
	if (fi.phase != PHASE_DONE && fi.cause != BLOCKER_KINDS && ho != NULL && ho->br != NULL)
		block_by_replica(lk, wr, ho, &fi);
}

void deletion_replicas(struct look *lk)
{
	struct deletion *de = lk->de;
	size_t n = lk->wi->n_replicas;

	if (n == 0) {
		de->bytes_left = -1;
		return;
	}
	de->replicas = arena_alloc(lk->ar, n * sizeof(*de->replicas));
	de->n_replicas = n;
	for (size_t i = 0; i < n; i++)
		put_replica(lk, i);
	sum_up(de);
}

/* ---- the rows ---------------------------------------------------------------------------------------------- */

void deletion_set(struct look *lk, enum deletion_state st, enum certainty c, const char *rule)
{
	lk->de->state = st;
	lk->de->certainty = (uint8_t)(c < lk->cap ? c : lk->cap);
	lk->de->rule = rule;
}

bool deletion_is_settled(const struct look *lk)
{
	return lk->rest >= DELETION_SETTLE_MS;
}

static bool has_blocker(const struct deletion *de, enum blocker_kind k)
{
	for (size_t i = 0; i < de->n_blockers; i++)
		if (de->blockers[i].kind == k)
			return true;
	return false;
}

/* Nothing goes on without a controller; for the moment of an election that is no reason to say so. */
static bool block_by_controller(struct look *lk)
{
	const struct scene *sc = lk->sc;

	if (!sc->controller_lasts || sc->in_migration)
		return false;
	if (sc->controller == CONTROLLER_ABSENT)
		deletion_block(lk, BLOCKER_CONTROLLER_ABSENT, CERTAINTY_CERTAIN, BROKER_NONE, NULL, 0);
	else
		deletion_block(lk, BLOCKER_CONTROLLER_SILENT, CERTAINTY_LIKELY, sc->controller_id, NULL, 0);
	return true;
}

static void block_by_move(struct look *lk, enum certainty c)
{
	struct deletion_blocker *bl = deletion_block(lk, BLOCKER_REASSIGNING, c, BROKER_NONE, NULL, 0);

	since(bl, lk->tp->changed, false);
	for (size_t i = 0; i < lk->tp->n_parts; i++)
		if (lk->tp->parts[i].n_adding + lk->tp->parts[i].n_removing > 0) {
			bl->partition = lk->tp->parts[i].id;
			bl->n_replicas += lk->tp->parts[i].n_replicas;
		}
}

/* What was found broker by broker stands aside. */
void deletion_unblock(struct look *lk)
{
	lk->de->n_blockers = 0;
	lk->de->blockers = NULL;
}

/* T1, T15: not taken up. P0 keeps the two apart only where a marker put later was taken up. */
static void not_taken_up(struct look *lk)
{
	bool is_left_over = scene_is_processed(lk->sc, lk->wi);
	enum certainty c = lk->listed == KNOW_PRESENT || lk->n_alive > 0 ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY;

	deletion_set(lk, DELETION_QUEUED, c, is_left_over ? "T15" : "T1");
	deletion_unblock(lk);
	if (block_by_controller(lk) || lk->sc->in_migration)
		return;
	if (lk->sc->enabled == 0)
		deletion_block(lk, BLOCKER_DELETION_DISABLED, CERTAINTY_LIKELY, lk->sc->controller_id, NULL, 0);
	else if (is_left_over)
		deletion_block(lk, BLOCKER_INELIGIBLE_LEFT_OVER, CERTAINTY_CERTAIN, BROKER_NONE, NULL, 0);
	else if (lk->rest >= DELETION_STUCK_MS)
		deletion_block(lk, BLOCKER_INELIGIBLE_LEFT_OVER, CERTAINTY_GUESS, BROKER_NONE, NULL, 0);
}

/* T2: in the queue since an election, and no pass has run. */
static void queued_without_pass(struct look *lk)
{
	deletion_set(lk, DELETION_QUEUED, deletion_is_settled(lk) ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY, "T2");
	block_by_controller(lk);
	if (lk->is_moving)
		block_by_move(lk, lk->failed_over == KNOW_PRESENT ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY);
	if (lk->de->n_blockers == 0 && deletion_is_settled(lk))
		deletion_block(lk, BLOCKER_NO_TRIGGER, CERTAINTY_LIKELY, BROKER_NONE, NULL, 0);
}

/* The controller's word is not known (P15, P16, and T1): what would hold it up is told as likely at most. */
static void queued_somehow(struct look *lk)
{
	bool is_controller = false;

	deletion_set(lk, DELETION_QUEUED, lk->n_alive > 0 ? CERTAINTY_CERTAIN : CERTAINTY_GUESS,
		lk->n_alive > 0 && lk->n_unread == 0 && lk->failed_over == KNOW_PRESENT ? "T2" : "T1");
	if (!deletion_is_settled(lk))
		deletion_unblock(lk); /* a moment ago the marker came */
	is_controller = block_by_controller(lk);
	for (size_t i = 0; i < lk->de->n_blockers; i++)
		if (!is_controller && lk->de->blockers[i].certainty > CERTAINTY_LIKELY)
			lk->de->blockers[i].certainty = CERTAINTY_LIKELY;
	if (lk->is_moving && deletion_is_settled(lk))
		block_by_move(lk, CERTAINTY_LIKELY);
	if (lk->de->n_blockers == 0 && deletion_is_settled(lk))
		deletion_block(lk, BLOCKER_UNKNOWN, CERTAINTY_LIKELY, BROKER_NONE, NULL, 0);
}

/* All replicas are deleted as far as is known, or nothing is known to keep those that aren't. */
static void nothing_in_the_way(struct look *lk)
{
	struct deletion *de = lk->de;
	bool is_done = de->n_by_phase[PHASE_DONE] == de->n_replicas && de->n_replicas > 0;
	bool is_known = de->n_by_phase[PHASE_UNKNOWN] == 0;

	if (!deletion_is_settled(lk)) {
		/* Whom nothing is known of may be what it waits for. */
		deletion_set(lk, DELETION_RUNNING, lk->is_sure && is_known ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY, "T3");
	} else if (lk->rest < DELETION_STUCK_MS) {
		deletion_set(lk, DELETION_RUNNING, CERTAINTY_LIKELY, "T3");
	} else {
		deletion_set(lk, DELETION_WAITING, CERTAINTY_LIKELY, is_done ? "T7b" : "T7a");
		if (de->n_blockers == 0)
			deletion_block(lk, is_known ? BLOCKER_NO_TRIGGER : BLOCKER_UNKNOWN, CERTAINTY_LIKELY, BROKER_NONE, NULL, 0);
	}
}

/* One broker in the way and all else known to be done: it is that one, whatever it deleted before it went. */
static void settle_blockers(struct look *lk)
{
	struct deletion *de = lk->de;
	uint32_t n = 0;

	for (size_t i = 0; i < de->n_replicas; i++)
		n += de->replicas[i].phase == PHASE_DONE && de->replicas[i].phase_certainty == CERTAINTY_CERTAIN;
	if (de->n_blockers != 1 || !deletion_is_settled(lk) || !lk->is_sure || lk->sc->controller != CONTROLLER_THERE ||
	    n + de->blockers[0].n_replicas != de->n_replicas)
		return;
	de->blockers[0].certainty = lk->cap;
}

/* A pass has run: T3 to T7. */
void deletion_after_pass(struct look *lk)
{
	struct deletion *de = lk->de;
	enum certainty c = lk->is_sure ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY;
	bool is_certain = false;

	if (lk->is_moving && (deletion_is_settled(lk) || lk->failed_over == KNOW_PRESENT))
		block_by_move(lk, lk->failed_over == KNOW_PRESENT && deletion_is_settled(lk) ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY);
	settle_blockers(lk);
	for (size_t i = 0; i < de->n_blockers; i++)
		is_certain |= de->blockers[i].certainty == CERTAINTY_CERTAIN;
	if (has_blocker(de, BLOCKER_BROKER_DOWN))
		deletion_set(lk, DELETION_WAITING, is_certain || deletion_is_settled(lk) ? c : CERTAINTY_LIKELY, "T4");
	else if (has_blocker(de, BLOCKER_LOG_DIR_OFFLINE))
		deletion_set(lk, DELETION_WAITING, is_certain || deletion_is_settled(lk) ? c : CERTAINTY_LIKELY, "T5");
	else if (has_blocker(de, BLOCKER_REASSIGNING))
		deletion_set(lk, DELETION_WAITING, is_certain ? c : CERTAINTY_LIKELY, "T6");
	else if (has_blocker(de, BLOCKER_BROKER_SILENT))
		deletion_set(lk, DELETION_RUNNING, deletion_is_settled(lk) ? CERTAINTY_LIKELY : c, "T3");
	else
		nothing_in_the_way(lk);
	block_by_controller(lk);
}

/* T8, T9: the last steps. */
static void finishing(struct look *lk, const char *rule, enum certainty c)
{
	deletion_set(lk, DELETION_FINISHING, c, rule);
	deletion_unblock(lk);
	if (lk->node == KNOW_ABSENT && lk->wi->n_children > 0) {
		deletion_block(lk, BLOCKER_MARKER_HAS_CHILD, CERTAINTY_CERTAIN, BROKER_NONE, NULL, 0);
		return;
	}
	if (block_by_controller(lk) || !deletion_is_settled(lk))
		return;
	if (lk->node == KNOW_ABSENT && lk->wi->n_children < 0)
		deletion_block(lk, BLOCKER_MARKER_HAS_CHILD, CERTAINTY_LIKELY, BROKER_NONE, NULL, 0);
	else
		deletion_block(lk, BLOCKER_UNKNOWN, CERTAINTY_LIKELY, BROKER_NONE, NULL, 0);
}

/* T14, or not taken up (P14). */
static void never_elected(struct look *lk)
{
	enum certainty c = scene_is_processed(lk->sc, lk->wi) ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY;

	if (!has_blocker(lk->de, BLOCKER_BROKER_DOWN)) {
		not_taken_up(lk);
		return;
	}
	deletion_set(lk, DELETION_WAITING, c, "T14");
	deletion_block(lk, BLOCKER_NEVER_ELECTED, c, BROKER_NONE, NULL, lk->de->n_by_phase[PHASE_WAITING]);
	block_by_controller(lk);
}

/* State nodes are missing beside partitions that a pass has been over, and not for want of brokers. */
static bool is_going(const struct look *lk)
{
	if (lk->n_no_state == 0 || !lk->is_sure)
		return false;
	for (size_t i = 0; i < lk->de->n_replicas; i++)
		if (strcmp(lk->de->replicas[i].rule, "R12") == 0)
			return false;
	return lk->n_passed + lk->n_leaderless > 0 || lk->wi->pass_seen.ms != 0;
}

/* ---- which blocker counts most --------------------------------------------------------------------------- */

/* Without a controller nothing else matters; what is known before what is supposed; then as an operator would go about it. */
static int rank(const struct deletion_blocker *bl)
{
	static const uint8_t by_kind[BLOCKER_KINDS] = {
		[BLOCKER_CONTROLLER_ABSENT] = 0, [BLOCKER_MARKER_HAS_CHILD] = 1, [BLOCKER_BROKER_DOWN] = 2, [BLOCKER_LOG_DIR_OFFLINE] = 3,
		[BLOCKER_REASSIGNING] = 4, [BLOCKER_CONTROLLER_SILENT] = 5, [BLOCKER_BROKER_SILENT] = 6, [BLOCKER_DELETION_DISABLED] = 7,
		[BLOCKER_REPLICA_ERROR] = 8, [BLOCKER_NEVER_ELECTED] = 9, [BLOCKER_INELIGIBLE_LEFT_OVER] = 10, [BLOCKER_NO_TRIGGER] = 11,
		[BLOCKER_REFUSED_STALE] = 12, [BLOCKER_FORGOTTEN] = 13, [BLOCKER_UNKNOWN] = 14,
	};

	return by_kind[bl->kind] + (bl->certainty < CERTAINTY_LIKELY ? BLOCKER_KINDS : 0);
}

/* Stable, few. */
static void order_blockers(struct deletion *de)
{
	for (size_t i = 1; i < de->n_blockers; i++)
		for (size_t j = i; j > 0 && rank(&de->blockers[j]) < rank(&de->blockers[j - 1]); j--) {
			struct deletion_blocker tmp = de->blockers[j];

			de->blockers[j] = de->blockers[j - 1];
			de->blockers[j - 1] = tmp;
		}
}

/* ---- the row ---------------------------------------------------------------------------------------------------- */

/* Which row it is. The order: what is gone, what was never begun, what a pass has been over. */
void deletion_look(struct look *lk)
{
	bool is_passed;

	read_facts(lk);
	if (!lk->has_marker) {
		deletion_end(lk);
		order_blockers(lk->de);
		return;
	}
	deletion_replicas(lk);
	is_passed = lk->n_passed + lk->n_leaderless > 0 && !lk->is_untouched;
	if (lk->node == KNOW_ABSENT)
		finishing(lk, "T9", lk->wi->czxid != 0 ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY);
	else if (is_going(lk))
		finishing(lk, "T8", CERTAINTY_LIKELY);
	else if (is_passed)
		deletion_after_pass(lk);
	else if (lk->listed == KNOW_PRESENT)
		not_taken_up(lk);
	else if (lk->n_alive > 0 && lk->listed == KNOW_ABSENT)
		queued_without_pass(lk);
	else if (lk->n_no_state > 0 && lk->n_alive == 0)
		never_elected(lk);
	else
		queued_somehow(lk);
	if (lk->sc->in_migration)
		lk->de->certainty = CERTAINTY_GUESS;
	order_blockers(lk->de);
}
