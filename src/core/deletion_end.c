/* SPDX-License-Identifier: Apache-2.0 */
/* A topic whose marker is gone: T10 to T13 of reference 2.14, and what is left on disks. */
#include "base/str.h"
#include "core/deletion_parts.h"

enum {
	DELETE_DELAY_MS = 60000,  /* default of log.segment.delete.delay.ms (reference 3.3) */
	REFUSED_WITHIN_MS = 5000  /* the controller takes a marker that it refuses away in less than 40 ms (2.2); a new controller a little later */
};

/* ---- what is left on disks -------------------------------------------------------------------------- */

enum left { LEFT_NO, LEFT_YES, LEFT_UNKNOWN };

/* The broker was asked after the end. One answer that comes after it may have been made before: of two in a row the second was not, nor one of a broker
 * that has registered since. */
static bool is_asked_since(const struct look *lk, const struct host *ho, const struct disk_replica *dr)
{
	return dr->orphan_polls >= 2 || (ho->br->since.ms > lk->wi->ended.ms && ho->br->since.ms <= lk->sc->now.ms);
}

/* Whether the replica lies on its broker's disks after the end. A topic made again under the name has replicas there of its own: the model
 * says which are in no assignment. */
static enum left left_behind(const struct look *lk, const struct witness_replica *wr)
{
	const struct host *ho = scene_host(lk->sc, wr->broker);
	const struct disk_replica *dr;

	if (wr->gone.ms != 0)
		return LEFT_NO;
	if (ho == NULL || ho->word != HOST_TELLS || ho->told.ms <= lk->wi->ended.ms)
		return LEFT_UNKNOWN;
	dr = disks_replica(ho->br->disks, lk->wi->topic, wr->partition, false);
	if (dr != NULL && dr->is_orphan)
		return is_asked_since(lk, ho, dr) ? LEFT_YES : LEFT_UNKNOWN;
	if (dr != NULL)
		return LEFT_NO;
	/* In a log dir that can't be read, or one that was taken out of the broker's list (P21). */
	if (ho->n_unread > 0 || wr->dir_failed.ms != 0)
		return LEFT_UNKNOWN;
	return LEFT_NO;
}

static void count_orphans(struct look *lk)
{
	bool is_open = lk->wi->n_replicas == 0;
	int32_t n = 0;

	for (size_t i = 0; i < lk->wi->n_replicas; i++) {
		enum left left = left_behind(lk, &lk->wi->replicas[i]);

		n += left == LEFT_YES;
		is_open |= left == LEFT_UNKNOWN;
	}
	lk->de->orphans = is_open && n == 0 ? -1 : n;
}

/* From the moment that a directory was renamed until its broker removes it; by that broker's own setting, never the topic's (3.3). */
static dur_ms delete_delay(const struct look *lk, int32_t broker)
{
	const struct host *ho = scene_host(lk->sc, broker);
	const char *set = ho != NULL && ho->br != NULL ? zk_config_find(&ho->br->settings, "log.segment.delete.delay.ms") : NULL;
	dur_ms ms;

	return set != NULL && str_to_i64(set, 0, INT64_C(86400000) * 3650, &ms) ? ms : DELETE_DELAY_MS;
}

static void find_space(struct look *lk)
{
	int64_t at = 0;

	for (size_t i = 0; i < lk->wi->n_replicas && lk->wi->ended.ms != 0; i++) {
		const struct witness_replica *wr = &lk->wi->replicas[i];
		int64_t gone = wr->gone.ms != 0 && wr->gone.ms < lk->wi->ended.ms ? wr->gone.ms : lk->wi->ended.ms;
		int64_t free_at = gone + delete_delay(lk, wr->broker);

		if (free_at > at)
			at = free_at;
	}
	lk->de->space_free_at = (wall_ms){ at };
}

/* ---- replicas of what ended ----------------------------------------------------------------------------- */

static const char *evidence_done(const struct look *lk, enum left left, struct deletion_replica *dr)
{
	dr->state = RSM_NON_EXISTENT;
	dr->certainty = lk->wi->is_unmarked && lk->cap > CERTAINTY_LIKELY ? CERTAINTY_LIKELY : lk->cap;
	dr->phase = PHASE_DONE;
	switch (left) {
	case LEFT_YES:
		dr->phase = PHASE_WAITING;
		dr->phase_certainty = lk->cap;
		return "The topic is gone and its broker still lists this replica: nobody will delete it any more.";
	case LEFT_NO:
		dr->phase_certainty = lk->cap;
		return "The topic is gone, and its broker, asked after that, does not have this replica.";
	default:
		dr->phase_certainty = CERTAINTY_LIKELY;
		return "The topic is gone: the controller removes its node when the last replica is deleted. Its broker has not told all its log dirs since. "
		       "Where the node was removed by hand, or a log dir was taken out of the broker's list, the files are still there.";
	}
}

static const char *evidence_resurrected(const struct look *lk, const struct witness_replica *wr, struct deletion_replica *dr)
{
	dr->state = RSM_ONLINE;
	dr->certainty = CERTAINTY_LIKELY;
	if (wr->gone.ms == 0 && !wr->refilled) {
		dr->phase = PHASE_UNKNOWN;
		return "The topic is alive again. Whether this replica had been deleted before was not seen.";
	}
	dr->phase = PHASE_DONE;
	dr->phase_certainty = lk->cap;
	return "It was deleted, and made again empty when the topic came alive again.";
}

static void put_ended(struct look *lk, struct deletion_replica *dr, const struct witness_replica *wr)
{
	const char *text;

	*dr = (struct deletion_replica){
		.partition = wr->partition, .broker = wr->broker, .rule = lk->de->rule, .size_bytes = wr->size_bytes, .size_seen = wr->listed,
	};
	text = lk->de->state == DELETION_RESURRECTED ? evidence_resurrected(lk, wr, dr) : evidence_done(lk, left_behind(lk, wr), dr);
	dr->evidence = arena_strdup(lk->ar, text);
	dr->dir = wr->dir != NULL ? arena_strdup(lk->ar, wr->dir) : NULL;
	lk->de->n_by_phase[dr->phase]++;
	if (dr->phase != PHASE_DONE && lk->de->bytes_left >= 0)
		lk->de->bytes_left = wr->size_bytes >= 0 ? disk_bytes_plus(lk->de->bytes_left, wr->size_bytes) : -1;
}

static void ended_replicas(struct look *lk)
{
	struct deletion *de = lk->de;
	size_t n = lk->wi->n_replicas;

	de->n_replicas = n;
	if (n == 0) {
		de->bytes_left = -1;
		return;
	}
	de->replicas = arena_alloc(lk->ar, n * sizeof(*de->replicas));
	for (size_t i = 0; i < n; i++)
		put_ended(lk, &de->replicas[i], &lk->wi->replicas[i]);
}

/* ---- the rows ---------------------------------------------------------------------------------------------- */

static void done(struct look *lk)
{
	if (lk->wi->end == WITNESS_RECREATED) {
		deletion_set(lk, DELETION_RECREATED, CERTAINTY_CERTAIN, "T12");
		lk->de->new_czxid = lk->wi->new_czxid;
	} else {
		/* Of a topic that was never there, or gone before we looked, only the marker was seen to go (P10); of one whose marker was not seen only
		 * the topic, which may have been removed by hand. */
		deletion_set(lk, DELETION_DONE, lk->wi->czxid != 0 && !lk->wi->is_unmarked ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY, "T11");
	}
	ended_replicas(lk);
	count_orphans(lk);
	find_space(lk);
}

/* A new controller reads all before it tells the brokers anything: until then its own broker says what the one before told it. */
static bool is_own_word(const struct look *lk)
{
	return lk->failed_over == KNOW_ABSENT || (lk->wi->ctrl_polls >= 3 && lk->sc->elected.ms != 0 &&
		lk->sc->now.ms - lk->sc->elected.ms >= DELETION_SETTLE_MS);
}

/* T10a: the marker was taken away, and the controller goes on. An election now would bring the topic back. */
static void marker_taken(struct look *lk)
{
	deletion_replicas(lk);
	deletion_after_pass(lk);
	if (lk->n_alive > 0 && lk->n_passed == 0)
		deletion_set(lk, DELETION_QUEUED, CERTAINTY_CERTAIN, "T10a");
	lk->de->rule = "T10a";
	deletion_block(lk, BLOCKER_FORGOTTEN, CERTAINTY_CERTAIN, BROKER_NONE, NULL, 0);
}

/* T13, or somebody was quicker than the controller (2.11): that the controller refuses to delete is only known by its own setting, as it was
 * when the marker went. */
static void never_begun(struct look *lk)
{
	const struct witness *wi = lk->wi;
	int enabled = wi->end_enabled;
	bool is_quick = wi->marked.ms != 0 && wi->ended.ms - wi->marked.ms <= REFUSED_WITHIN_MS;

	deletion_replicas(lk);
	deletion_unblock(lk);
	if (enabled == 0)
		deletion_set(lk, DELETION_REFUSED, CERTAINTY_CERTAIN, "T13");
	else if (enabled < 0 && (is_quick || lk->failed_over == KNOW_PRESENT))
		deletion_set(lk, DELETION_REFUSED, CERTAINTY_LIKELY, "T13");
	else
		deletion_set(lk, DELETION_MARKER_REMOVED, CERTAINTY_LIKELY, "T13");
}

/* P8: without the controller's word it may go on, or be forgotten. */
static void marker_gone_unknown(struct look *lk)
{
	deletion_replicas(lk);
	deletion_unblock(lk);
	deletion_set(lk, DELETION_MARKER_REMOVED, CERTAINTY_LIKELY, "T10a");
	for (size_t i = 0; i < lk->de->n_replicas; i++)
		if (lk->de->replicas[i].phase_certainty > CERTAINTY_LIKELY && lk->de->replicas[i].phase != PHASE_DONE)
			lk->de->replicas[i].phase_certainty = CERTAINTY_LIKELY;
}

/* A replica was seen to go: a pass has run. Leaders alone may have gone with their brokers, and come back with them (P13). */
static bool has_lost_some(const struct witness *wi)
{
	for (size_t i = 0; i < wi->n_replicas; i++)
		if (wi->replicas[i].refilled || (wi->replicas[i].gone.ms != 0 && wi->replicas[i].gone.ms >= wi->first_seen.ms))
			return true;
	return false;
}

void deletion_end(struct look *lk)
{
	const struct witness *wi = lk->wi;

	if (wi->end != WITNESS_MARKER_GONE || lk->node == KNOW_ABSENT) {
		done(lk);
	} else if (lk->listed == KNOW_ABSENT && is_own_word(lk)) {
		marker_taken(lk);
	} else if (wi->pass_seen.ms != 0 && lk->n_alive > 0) {
		deletion_set(lk, DELETION_RESURRECTED, lk->n_passed == 0 && wi->was_alive && has_lost_some(wi) ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY, "T10b");
		ended_replicas(lk);
	} else if (wi->pass_seen.ms != 0 && lk->listed == KNOW_PRESENT) {
		/* The controller has forgotten it; those that could lead are down. */
		deletion_set(lk, DELETION_RESURRECTED, CERTAINTY_LIKELY, "T10b");
		ended_replicas(lk);
	} else if (wi->pass_seen.ms == 0 && lk->n_passed == 0 && lk->n_alive > 0) {
		never_begun(lk);
	} else {
		marker_gone_unknown(lk);
	}
}
