/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One replica of a topic that is being deleted: reference 2.13, row by row, with lookalikes' rows where they apply.
 *
 * Two sureties: of the phase, which an operator needs, and of the controller's own state. Where it is only the
 * latter that an outsider can't know (P3, P4: what waits is Offline, Online or Ineligible), the phase is certain all the same.
 */
#include <string.h>

#include "core/deletion_parts.h"

#define FINDING(rule_, phase_, pc_, state_, c_) \
	(struct finding){ .rule = (rule_), .phase = (phase_), .phase_certainty = (pc_), .state = (state_), .certainty = (c_), .cause = BLOCKER_KINDS }

enum { SEEN_APART_MS = 5000 }; /* log dirs and state nodes are seen by different ways */

/* ---- what was seen of it ------------------------------------------------------------------------ */

/* The model keeps step with the last answer; only where it says neither must the log dirs themselves be asked. */
static enum lies last_word(const struct look *lk, const struct witness_replica *wr, const struct host *ho)
{
	const struct disks *ds = ho != NULL && ho->br != NULL ? ho->br->disks : NULL;

	if (wr->gone.ms != 0)
		return ho != NULL && ho->n_unread > 0 ? LIES_HIDDEN : LIES_GONE;
	if (ds == NULL)
		return wr->listed.ms != 0 ? LIES_LISTED : LIES_UNKNOWN;
	if (wr->listed.ms != 0 && wr->listed.ms == ho->told.ms)
		return LIES_LISTED;
	if (disks_replica(ds, lk->wi->topic, wr->partition, false) != NULL)
		return LIES_LISTED;
	return ho->n_unread > 0 ? LIES_HIDDEN : LIES_GONE;
}

/* When that word was said. */
static wall_ms word_time(const struct witness_replica *wr, const struct host *ho)
{
	if (ho != NULL && ho->told.ms != 0)
		return ho->told;
	return wr->gone.ms != 0 ? wr->gone : wr->listed;
}

/* An answer from after things came to rest: what it shows stays so until something happens. */
static bool is_at_rest(const struct look *lk, wall_ms told)
{
	return told.ms != 0 && deletion_is_settled(lk) && told.ms >= lk->quiet.ms + DELETION_ANSWER_MS;
}

/* An answer from after the marker was there, by our clock or ZooKeeper's: what isn't there any more was deleted by a pass. */
static bool is_after_marker(const struct look *lk, const struct witness_replica *wr, wall_ms told)
{
	const struct witness *wi = lk->wi;

	if (wr->listed.ms != 0 && wr->gone.ms > wr->listed.ms && wr->listed.ms >= wi->first_seen.ms)
		return true;
	return told.ms != 0 && ((wi->first_seen.ms != 0 && told.ms >= wi->first_seen.ms) || (wi->marked.ms != 0 && told.ms >= wi->marked.ms));
}

/* `then` is ZooKeeper's clock, `seen` ours: what ZooKeeper dates in our future can't be compared. */
static bool is_before(const struct look *lk, wall_ms seen, wall_ms then)
{
	return seen.ms != 0 && then.ms != 0 && seen.ms <= then.ms && then.ms <= lk->sc->now.ms;
}

/* The controller was elected while the broker was down: it holds the replica for not deleted, whatever it was before (2.8). */
static bool is_down_since_election(const struct look *lk, const struct host *ho)
{
	return is_before(lk, ho->br->since, lk->sc->elected);
}

/* Whether the present controller is the one that saw it go. */
static enum know same_epoch(const struct look *lk, int32_t then)
{
	if (then < 0 || lk->sc->epoch < 0)
		return KNOW_UNKNOWN;
	return then == lk->sc->epoch ? KNOW_PRESENT : KNOW_ABSENT;
}

/* It was seen not to answer before the marker came, and has not since: no pass can have reached it. */
static bool is_silent_since_marker(const struct look *lk, const struct host *ho)
{
	const struct witness *wi = lk->wi;

	return is_before(lk, ho->silent, wi->marked) && (!wi->came || is_before(lk, ho->silent, wi->first_seen));
}

/* ---- broker down: R1, R1b, R12 --------------------------------------------------------------------- */

static struct finding waits_for_broker(const struct look *lk, const struct host *ho, enum certainty pc)
{
	struct finding fi = FINDING("R1", PHASE_WAITING, pc, RSM_OFFLINE, CERTAINTY_LIKELY);

	fi.cause = BLOCKER_BROKER_DOWN;
	/* Elected when it was queued: no pass ran since, and the replica is Offline from the start. A pass of a controller before which it was put leaves
	 * it Ineligible where nothing is deleted elsewhere. */
	if (pc == CERTAINTY_CERTAIN && lk->failed_over == KNOW_PRESENT && is_down_since_election(lk, ho) && !lk->has_host_started)
		fi.certainty = CERTAINTY_CERTAIN;
	else
		fi.twins[1] = TWIN_P4;
	return fi;
}

/* It was seen gone before its broker went. */
static struct finding gone_before(const struct look *lk, const struct witness_replica *wr, const struct host *ho)
{
	enum know same = same_epoch(lk, wr->gone_epoch);
	struct finding fi;

	if (same == KNOW_ABSENT || is_down_since_election(lk, ho)) {
		fi = waits_for_broker(lk, ho, is_down_since_election(lk, ho) ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY);
		fi.also = "It had been deleted before the broker went, but a controller elected since then counts it as not deleted again.";
		return fi;
	}
	fi = FINDING("R1b", PHASE_DONE, CERTAINTY_LIKELY, RSM_DELETION_SUCCESSFUL, CERTAINTY_LIKELY);
	if (same == KNOW_PRESENT)
		fi.phase_certainty = fi.certainty = CERTAINTY_CERTAIN;
	if (same != KNOW_PRESENT)
		fi.twins[0] = TWIN_P1;
	else if (wr->dir_failed.ms != 0 && wr->gone.ms >= wr->dir_failed.ms) {
		fi.phase_certainty = CERTAINTY_LIKELY;
		fi.twins[0] = TWIN_P21;
	}
	return fi;
}

/* The last pass that can have reached it began then. */
static wall_ms last_pass_before(const struct look *lk, wall_ms down)
{
	const struct witness *wi = lk->wi;
	wall_ms begun = wi->marked.ms != 0 ? wi->marked : wi->first_seen;

	if (down.ms == 0 || lk->begun.ms <= down.ms)
		return lk->begun;
	for (size_t i = 0; i < wi->n_attempts; i++)
		if (wi->attempts[i].at.ms > begun.ms && wi->attempts[i].at.ms <= down.ms)
			begun = wi->attempts[i].at;
	return wi->came ? begun : lk->begun;
}

/* P1: dead before the marker, dead at an election, or still there when all had come to rest. */
static bool is_surely_left(const struct look *lk, const struct witness_replica *wr, const struct host *ho)
{
	wall_ms down = ho->br->since, begun = last_pass_before(lk, down);

	if (is_before(lk, down, lk->wi->marked) && (!lk->wi->came || is_before(lk, down, lk->wi->first_seen)))
		return true;
	if (is_down_since_election(lk, ho) || is_silent_since_marker(lk, ho))
		return true;
	/* Still there when the last pass before its death was long over. */
	return wr->listed.ms != 0 && begun.ms != 0 && wr->listed.ms >= begun.ms + DELETION_SETTLE_MS;
}

/* Not one that was missing before the pass, and is waited for like any other. */
static bool was_gone_by_pass(const struct look *lk, const struct witness_replica *wr)
{
	wall_ms pass = lk->wi->pass_seen;

	return pass.ms == 0 || (wr->gone.ms != 0 && wr->gone.ms >= pass.ms - SEEN_APART_MS);
}

/* The topic node is gone, or going: the controller removes it after the last replica only. */
static struct finding judge_finishing(const struct look *lk, const struct witness_replica *wr)
{
	enum certainty c = wr->gone.ms != 0 && wr->gone.ms >= lk->wi->first_seen.ms ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY;
	struct finding fi;

	/* A controller that is elected while the nodes go makes the replicas again. */
	if (lk->node != KNOW_ABSENT && lk->failed_over != KNOW_ABSENT)
		c = CERTAINTY_LIKELY;
	fi = FINDING("R2", PHASE_DONE, c, RSM_NON_EXISTENT, CERTAINTY_LIKELY);
	fi.also = "The topic's nodes are going: the controller removes them when the last replica is deleted.";
	return fi;
}

/* A pass has been over partitions of the topic, now or before their nodes went. */
static bool is_passed_over(const struct look *lk)
{
	return lk->is_sure && (lk->n_passed + lk->n_leaderless > 0 || lk->wi->pass_seen.ms != 0);
}

static struct finding judge_down(const struct look *lk, const struct witness_replica *wr, const struct host *ho, enum sign sign)
{
	struct finding fi;
	bool is_gone = (last_word(lk, wr, ho) == LIES_GONE || wr->gone.ms != 0) && is_after_marker(lk, wr, word_time(wr, ho)) && was_gone_by_pass(lk, wr);

	/* One that was seen on a disk had a leader once: its state node goes with the topic. */
	if (sign == SIGN_NO_STATE && is_passed_over(lk) && wr->dir != NULL)
		return judge_finishing(lk, wr);
	if (sign == SIGN_NO_STATE) {
		fi = FINDING("R12", PHASE_WAITING, CERTAINTY_LIKELY, RSM_ONLINE, CERTAINTY_LIKELY);
		fi.cause = BLOCKER_BROKER_DOWN;
		if (scene_is_processed(lk->sc, lk->wi) && !is_passed_over(lk))
			fi.phase_certainty = fi.certainty = CERTAINTY_CERTAIN;
		else
			fi.twins[0] = TWIN_P14;
		return fi;
	}
	if (is_gone && sign == SIGN_PASSED)
		return gone_before(lk, wr, ho);
	if (is_surely_left(lk, wr, ho))
		return waits_for_broker(lk, ho, CERTAINTY_CERTAIN);
	fi = waits_for_broker(lk, ho, CERTAINTY_LIKELY);
	fi.twins[0] = TWIN_P1;
	return fi;
}

/* ---- not begun: R5, R3, R7 of partitions that have their leader ----------------------------------------- */

static bool was_down_when_queued(const struct look *lk, const struct host *ho)
{
	return is_down_since_election(lk, ho) || (is_before(lk, ho->br->since, lk->wi->marked) && (!lk->wi->came || is_before(lk, ho->br->since, lk->wi->first_seen)));
}

/* The broker went while the topic was queued: its replica is to become Ineligible, which is refused for one that is Online (2.3). */
static bool is_kept_online(const struct look *lk, const struct host *ho)
{
	return !was_down_when_queued(lk, ho) && (lk->listed == KNOW_ABSENT || scene_is_processed(lk->sc, lk->wi));
}

/* The controller's word on a broker that went comes from a watch of its own, and a busy one takes its time. */
static bool is_noticed(const struct look *lk)
{
	return lk->sc->controller == CONTROLLER_THERE && lk->rest >= DELETION_ANSWER_MS;
}

static struct finding judge_alive(const struct look *lk, const struct witness_replica *wr, const struct host *ho, enum sign sign)
{
	struct finding fi = FINDING("R5", PHASE_NOT_BEGUN, CERTAINTY_CERTAIN, RSM_ONLINE, CERTAINTY_LIKELY);
	enum lies lies = last_word(lk, wr, ho);

	if (sign != SIGN_ALIVE && lk->listed == KNOW_UNKNOWN)
		fi.phase_certainty = CERTAINTY_LIKELY;
	if (ho == NULL || ho->word == HOST_UNKNOWN)
		return fi;
	if (ho->word == HOST_DOWN) {
		fi.rule = "R1";
		fi.state = (uint8_t)(is_kept_online(lk, ho) ? RSM_ONLINE : RSM_OFFLINE);
		fi.certainty = was_down_when_queued(lk, ho) && is_noticed(lk) ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY;
		fi.cause = BLOCKER_BROKER_DOWN;
	} else if (ho->word == HOST_TELLS && lies == LIES_LISTED) {
		/* Of one that just registered the controller hears in a moment. */
		if (lk->sc->now.ms - ho->br->since.ms >= DELETION_ANSWER_MS)
			fi.certainty = CERTAINTY_CERTAIN;
	} else if (ho->word == HOST_TELLS && lies == LIES_GONE) {
		fi.rule = "R3";
		fi.phase_certainty = CERTAINTY_LIKELY;
	} else if (ho->word == HOST_TELLS && lies == LIES_HIDDEN) {
		fi.rule = "R7";
		fi.state = RSM_OFFLINE;
		fi.cause = BLOCKER_LOG_DIR_OFFLINE;
	}
	return fi;
}

/* ---- brokers that tell: R2, R4, R6, R7, R9 to R11 --------------------------------------------------------- */

const char *deletion_bad_dir(const struct host *ho, const struct witness_replica *wr)
{
	const struct disks *ds = ho != NULL && ho->br != NULL ? ho->br->disks : NULL;
	const char *bad = NULL;
	size_t n = 0;

	for (size_t i = 0; ds != NULL && i < ds->n_dirs; i++) {
		if (ds->dirs[i].error == 0)
			continue;
		if (wr->dir != NULL && strcmp(wr->dir, ds->dirs[i].path) == 0)
			return ds->dirs[i].path;
		bad = ds->dirs[i].path;
		n++;
	}
	return wr->dir == NULL && n == 1 ? bad : NULL;
}

static bool has_dir(const struct host *ho, const char *path)
{
	for (size_t i = 0; i < ho->br->disks->n_dirs; i++)
		if (strcmp(ho->br->disks->dirs[i].path, path) == 0)
			return true;
	return false;
}

/* P21: a dir that failed may have been taken out of log.dirs, at a restart since the marker. */
static bool may_lie_outside(const struct look *lk, const struct witness_replica *wr, const struct host *ho)
{
	if (wr->dir_failed.ms != 0 && wr->gone.ms >= wr->dir_failed.ms)
		return true;
	if (wr->dir != NULL && ho->br->disks != NULL)
		return !has_dir(ho, wr->dir);
	return lk->wi->marked.ms == 0 || ho->br->since.ms > lk->wi->marked.ms;
}

/* Elected while a broker of the topic was down, and none registered since: the controller runs no pass, and all replicas are Online or Offline (2.8). */
static bool is_reset(const struct look *lk)
{
	return lk->failed_over == KNOW_PRESENT && lk->was_down_at_election && !lk->has_host_started;
}

static struct finding judge_gone(const struct look *lk, const struct witness_replica *wr, const struct host *ho, enum sign sign)
{
	struct finding fi = FINDING("R2", PHASE_DONE, CERTAINTY_CERTAIN, RSM_DELETION_SUCCESSFUL, CERTAINTY_CERTAIN);
	bool is_new = is_after_marker(lk, wr, ho->told) &&
		(lk->failed_over == KNOW_ABSENT || (lk->sc->elected.ms != 0 && ho->told.ms >= lk->sc->elected.ms + DELETION_ANSWER_MS));

	if (is_reset(lk)) {
		fi = FINDING("R6", PHASE_WAITING, CERTAINTY_LIKELY, RSM_ONLINE, CERTAINTY_LIKELY);
		fi.also = "A controller elected since, while a broker of the topic was down, counts every replica as not deleted and has their logs made again.";
		return fi;
	}
	if (sign != SIGN_PASSED || !is_new) {
		fi.rule = sign != SIGN_PASSED ? "R3" : "R2";
		fi.phase_certainty = fi.certainty = CERTAINTY_LIKELY;
	}
	if (may_lie_outside(lk, wr, ho)) {
		fi.phase_certainty = CERTAINTY_LIKELY;
		fi.twins[0] = TWIN_P21;
	}
	return fi;
}

/* The controller has changed since a pass wrote the state node: every log that was deleted was made again, empty (2.8). */
static bool is_refilled(const struct look *lk, const struct witness_replica *wr, const struct partition *pt)
{
	return wr->size_bytes == 0 && pt != NULL && lk->sc->epoch > pt->controller_epoch && pt->controller_epoch >= 0;
}

static struct finding judge_listed(const struct look *lk, const struct witness_replica *wr, const struct partition *pt, const struct host *ho)
{
	bool has_bounced = lk->begun.ms != 0 && ho->br->since.ms != 0 && ho->br->since.ms >= lk->begun.ms;
	struct finding fi = FINDING(has_bounced ? "R10" : "R4", PHASE_RUNNING, CERTAINTY_LIKELY, RSM_DELETION_STARTED, CERTAINTY_LIKELY);

	if (is_refilled(lk, wr, pt) && ho->told.ms >= lk->sc->elected.ms) {
		fi = FINDING(wr->refilled ? "R11" : "R6", PHASE_WAITING, CERTAINTY_CERTAIN, RSM_ONLINE, CERTAINTY_CERTAIN);
		if (!is_at_rest(lk, ho->told))
			fi.phase_certainty = fi.certainty = CERTAINTY_LIKELY;
		fi.also = "It is empty: the controller elected since the last pass had its log made again.";
		return fi;
	}
	if (!deletion_is_settled(lk))
		return fi;
	if (!is_at_rest(lk, ho->told)) {
		fi.phase_certainty = fi.certainty = CERTAINTY_GUESS;
		fi.also = "The answer is older than the last change: the next one will tell.";
		return fi;
	}
	fi.rule = "R4";
	fi.twins[0] = TWIN_STARTED;
	if (lk->rest < DELETION_STUCK_MS && !lk->is_halted_else)
		return fi;
	fi.phase = PHASE_WAITING;
	fi.state = lk->is_halted_else ? RSM_OFFLINE : RSM_DELETION_STARTED;
	fi.certainty = CERTAINTY_GUESS;
	fi.cause = lk->is_halted_else ? BLOCKER_KINDS : BLOCKER_NO_TRIGGER;
	return fi;
}

/* The lowest epoch under which one of its bad dirs was first seen bad; -1 unknown. A dir that was bad when we first looked may have failed earlier. */
static int32_t failed_epoch(const struct host *ho)
{
	const struct disks *ds = ho->br->disks;
	int32_t epoch = -1;

	for (size_t i = 0; ds != NULL && i < ds->n_dirs; i++)
		if (ds->dirs[i].error != 0 && ds->dirs[i].failed_epoch >= 0 && (epoch < 0 || ds->dirs[i].failed_epoch < epoch))
			epoch = ds->dirs[i].failed_epoch;
	return epoch;
}

/* A replica was seen in its dir before that failed, under this epoch. */
static bool is_seen_to_fail(const struct look *lk, int32_t broker)
{
	for (size_t i = 0; i < lk->wi->n_replicas; i++) {
		const struct witness_replica *wr = &lk->wi->replicas[i];

		if (wr->broker == broker && wr->dir_failed.ms != 0 && wr->listed.ms != 0 && wr->dir_failed_epoch >= 0 && wr->dir_failed_epoch == lk->sc->epoch)
			return true;
	}
	return false;
}

/* Another controller than the one under which the dir failed: all of the topic's replicas on that broker are Offline again. */
static enum know is_elected_since_failure(const struct look *lk, const struct host *ho)
{
	int32_t then = failed_epoch(ho);

	if (then >= 0 && lk->sc->epoch > then)
		return KNOW_PRESENT;
	if (lk->failed_over == KNOW_ABSENT || is_seen_to_fail(lk, ho->id))
		return KNOW_ABSENT;
	return KNOW_UNKNOWN;
}

/* Its dir failed before the marker came, or it was still there when the last pass was over. Otherwise it may have been deleted just before
 * the dir failed; where nothing else holds the topic up it was not, as the topic would be gone. */
static bool was_there_late(const struct look *lk, const struct witness_replica *wr)
{
	if (wr->dir_failed.ms != 0 && lk->wi->came && wr->dir_failed.ms <= lk->wi->first_seen.ms)
		return true;
	return wr->listed.ms != 0 && lk->begun.ms != 0 && wr->listed.ms >= lk->begun.ms + DELETION_ANSWER_MS;
}

/* The one bad dir of that broker is all that can hold the topic up. */
static bool is_only_obstacle(const struct look *lk, const struct host *ho)
{
	for (size_t i = 0; i < lk->wi->n_replicas; i++) {
		const struct host *other = lk->hosts[i];

		if (other != ho && (other == NULL || other->word != HOST_TELLS || other->n_unread > 0))
			return false;
	}
	return ho->n_unread == 1 && !lk->is_moving;
}

static struct finding judge_hidden(const struct look *lk, const struct witness_replica *wr, const struct host *ho)
{
	struct finding fi = FINDING("R7", PHASE_WAITING, CERTAINTY_CERTAIN, RSM_OFFLINE, CERTAINTY_LIKELY);
	enum know since = is_elected_since_failure(lk, ho);
	bool is_own = wr->gone.ms == 0 && (wr->dir_failed.ms != 0 || (wr->dir != NULL && deletion_bad_dir(ho, wr) != NULL));

	fi.cause = BLOCKER_LOG_DIR_OFFLINE;
	if (since == KNOW_PRESENT) {
		fi.rule = "R7b";
		fi.certainty = CERTAINTY_CERTAIN;
		fi.also = "A controller elected since a log dir of that broker failed counts all of the topic's replicas there as not deleted.";
	} else if (is_own) {
		fi.twins[1] = TWIN_P3;
		if (!is_only_obstacle(lk, ho) && !was_there_late(lk, wr)) {
			fi.phase_certainty = CERTAINTY_LIKELY;
			fi.twins[0] = TWIN_P2;
		}
	} else if ((wr->dir != NULL || wr->gone.ms != 0) && since == KNOW_ABSENT) {
		fi = FINDING("R7", PHASE_DONE, CERTAINTY_CERTAIN, RSM_DELETION_SUCCESSFUL, CERTAINTY_CERTAIN);
		fi.also = wr->dir_failed.ms == 0 ? "Its own log dir is well, and it isn't there any more." : "It was gone before its log dir failed.";
	} else {
		fi.phase = wr->dir != NULL ? PHASE_WAITING : PHASE_UNKNOWN;
		fi.phase_certainty = wr->dir != NULL ? CERTAINTY_GUESS : CERTAINTY_NONE;
		fi.state = RSM_UNKNOWN;
		fi.certainty = CERTAINTY_NONE;
		fi.twins[0] = TWIN_P2;
	}
	return fi;
}

/* ---- brokers that don't tell: R8, R8b, R10 ------------------------------------------------------------------ */

static struct finding judge_silent(const struct look *lk, const struct witness_replica *wr, const struct host *ho, enum sign sign)
{
	struct finding fi = FINDING("R8b", PHASE_UNKNOWN, CERTAINTY_NONE, RSM_UNKNOWN, CERTAINTY_NONE);
	enum lies lies = last_word(lk, wr, ho);
	enum certainty c;

	fi.cause = BLOCKER_BROKER_SILENT;
	if (lies == LIES_GONE && sign == SIGN_PASSED && is_after_marker(lk, wr, word_time(wr, ho))) {
		fi = FINDING("R2", PHASE_DONE, CERTAINTY_LIKELY, RSM_DELETION_SUCCESSFUL, CERTAINTY_LIKELY);
		if (same_epoch(lk, wr->gone_epoch) == KNOW_PRESENT)
			fi.phase_certainty = fi.certainty = CERTAINTY_CERTAIN;
	} else if (is_before(lk, ho->answered, lk->wi->marked)) {
		c = is_silent_since_marker(lk, ho) && !lk->is_halted_else ? CERTAINTY_CERTAIN : CERTAINTY_LIKELY;
		fi = FINDING("R8", PHASE_RUNNING, c, RSM_DELETION_STARTED, c);
		fi.cause = BLOCKER_BROKER_SILENT;
		if (lk->rest < DELETION_ANSWER_MS)
			fi.phase_certainty = fi.certainty = CERTAINTY_LIKELY; /* the state nodes are written before the brokers are asked */
		if (lk->is_halted_else)
			fi.twins[0] = TWIN_P6;
		else if (c != CERTAINTY_CERTAIN)
			fi.also = "It may have deleted the replica before it fell silent: when that was, before the marker or after, was not seen.";
	}
	return fi;
}

/* Refused, not asked, or not answered since it registered. */
static struct finding judge_untold(const struct look *lk, const struct witness_replica *wr, const struct host *ho, enum sign sign)
{
	wall_ms up = ho->br != NULL ? ho->br->since : (wall_ms){ 0 };
	struct finding fi = FINDING("R8b", PHASE_UNKNOWN, CERTAINTY_NONE, RSM_UNKNOWN, CERTAINTY_NONE);

	if (ho->word == HOST_UNKNOWN)
		return fi;
	if (last_word(lk, wr, ho) == LIES_GONE && sign == SIGN_PASSED && is_after_marker(lk, wr, word_time(wr, ho)) &&
	    same_epoch(lk, wr->gone_epoch) == KNOW_PRESENT) {
		fi = FINDING("R2", PHASE_DONE, CERTAINTY_LIKELY, RSM_DELETION_SUCCESSFUL, CERTAINTY_LIKELY);
		fi.also = "It was gone before; the broker has not told its log dirs since.";
	} else if (!deletion_is_settled(lk) && lk->begun.ms != 0 && up.ms != 0 && up.ms >= lk->begun.ms) {
		fi = FINDING("R10", PHASE_RUNNING, CERTAINTY_LIKELY, RSM_DELETION_STARTED, CERTAINTY_LIKELY);
	}
	return fi;
}

/* ---- what looks the same as all of the topic ----------------------------------------------------------------------- */

static enum twin topic_twin(const struct look *lk, const struct finding *fi, enum sign sign)
{
	if (!lk->has_marker && lk->listed == KNOW_UNKNOWN)
		return TWIN_P8;
	if (fi->phase == PHASE_NOT_BEGUN && lk->listed == KNOW_UNKNOWN)
		return TWIN_P15;
	if (fi->phase == PHASE_NOT_BEGUN && lk->listed == KNOW_PRESENT && deletion_is_settled(lk) && !scene_is_processed(lk->sc, lk->wi))
		return TWIN_P0;
	if ((sign == SIGN_PASSED || sign == SIGN_LEADERLESS) && !lk->is_sure && !lk->is_untouched)
		return TWIN_P13;
	return TWIN_NONE;
}

/* ---- all of them ---------------------------------------------------------------------------------------------- */

/* A partition without a state node whose broker is up. */
static struct finding judge_no_state(const struct look *lk, const struct witness_replica *wr)
{
	if (is_passed_over(lk))
		return judge_finishing(lk, wr);
	return FINDING("R3", PHASE_NOT_BEGUN, CERTAINTY_LIKELY, RSM_ONLINE, CERTAINTY_LIKELY);
}

static struct finding judge_told(const struct look *lk, const struct witness_replica *wr, const struct partition *pt, const struct host *ho, enum sign sign)
{
	switch (last_word(lk, wr, ho)) {
	case LIES_GONE: return judge_gone(lk, wr, ho, sign);
	case LIES_HIDDEN: return judge_hidden(lk, wr, ho);
	default: return judge_listed(lk, wr, pt, ho);
	}
}

static struct finding judge(const struct look *lk, const struct witness_replica *wr, const struct partition *pt, const struct host *ho, enum sign sign)
{
	if (lk->node == KNOW_ABSENT || (pt == NULL && lk->tp != NULL && lk->tp->node.know == KNOW_PRESENT))
		return judge_finishing(lk, wr);
	if (lk->listed == KNOW_ABSENT && sign == SIGN_LEADERLESS)
		sign = SIGN_PASSED;
	if (sign == SIGN_ALIVE || (lk->is_untouched && (sign == SIGN_PASSED || sign == SIGN_LEADERLESS)))
		return judge_alive(lk, wr, ho, sign);
	if (ho == NULL || ho->br == NULL)
		return FINDING("R8b", PHASE_UNKNOWN, CERTAINTY_NONE, RSM_UNKNOWN, CERTAINTY_NONE);
	if (ho->word == HOST_DOWN)
		return judge_down(lk, wr, ho, sign);
	if (sign == SIGN_NO_STATE)
		return judge_no_state(lk, wr);
	if (ho->word == HOST_SILENT)
		return judge_silent(lk, wr, ho, sign);
	if (ho->word != HOST_TELLS)
		return judge_untold(lk, wr, ho, sign);
	return judge_told(lk, wr, pt, ho, sign);
}

/* A broker tells us as soon as it has deleted; its answer to the controller, which makes it Successful, comes a little before or after. One that was
 * gone when a pass began is asked for once more, if a controller was elected meanwhile. */
static bool is_heard(const struct look *lk, const struct witness_replica *wr)
{
	int64_t since = wr->gone.ms > lk->begun.ms ? wr->gone.ms : lk->begun.ms;

	if (lk->sc->controller != CONTROLLER_THERE)
		return false;
	return wr->gone.ms != 0 ? lk->sc->now.ms - since >= DELETION_ANSWER_MS : deletion_is_settled(lk);
}

static void cap(struct finding *fi, uint8_t most)
{
	if (fi->phase_certainty > most)
		fi->phase_certainty = most;
	if (fi->certainty > most)
		fi->certainty = most;
}

struct finding deletion_judge(const struct look *lk, const struct witness_replica *wr, const struct partition *pt, const struct host *ho)
{
	enum sign sign = deletion_sign(lk->sc, pt);
	struct finding fi = judge(lk, wr, pt, ho, sign);
	enum twin twin;

	if (fi.state == RSM_DELETION_SUCCESSFUL && fi.certainty == CERTAINTY_CERTAIN && !is_heard(lk, wr)) {
		fi.certainty = CERTAINTY_LIKELY;
		if (fi.also == NULL)
			fi.also = "It is not known yet whether the controller has heard of it.";
	}
	fi.sign = (uint8_t)sign;
	fi.lies = (uint8_t)last_word(lk, wr, ho);
	cap(&fi, lk->cap);
	if (sign == SIGN_UNKNOWN && lk->node != KNOW_ABSENT)
		cap(&fi, CERTAINTY_LIKELY);
	if (lk->sc->in_migration) {
		fi.state = RSM_UNKNOWN;
		fi.certainty = CERTAINTY_NONE;
	}
	if (lk->node == KNOW_ABSENT)
		return fi;
	twin = topic_twin(lk, &fi, sign);
	if (twin == TWIN_P13 || twin == TWIN_P8)
		cap(&fi, CERTAINTY_LIKELY);
	fi.twins[2] = (uint8_t)twin;
	return fi;
}
