/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences for operators: why it waits, what moves it on, what a person can do; and the attempts.
 * What moves it on is reference 2.6 and 2.8, what helps 2.14. Never advised: taking the marker away (it cancels nothing, and an
 * election then brings the topic back, emptied), and a failover where a broker is down or a move under way (a step back).
 */
#include <string.h>

#include "base/str.h"
#include "core/deletion_parts.h"

static const struct deletion_blocker *first_of(const struct deletion *de, enum blocker_kind k)
{
	for (size_t i = 0; i < de->n_blockers; i++)
		if (de->blockers[i].kind == k)
			return &de->blockers[i];
	return NULL;
}

static void put(struct look *lk, char **at, const struct say *sy)
{
	*at = say_take(sy, lk->ar);
}

static void say_name(struct say *sy, const struct look *lk, int32_t id)
{
	say_host(sy, scene_host(lk->sc, id), id);
}

/* ---- blockers ------------------------------------------------------------------------------------------ */

/* "7", "7 and 9", "7, 9 and 12": brokers of a kind's blockers. */
static void say_brokers(struct say *sy, const struct deletion *de, enum blocker_kind k)
{
	uint32_t n = 0, at = 0;

	for (size_t i = 0; i < de->n_blockers; i++)
		n += de->blockers[i].kind == k;
	for (size_t i = 0; i < de->n_blockers; i++) {
		if (de->blockers[i].kind != k)
			continue;
		if (at > 0)
			say_text(sy, at + 1 == n ? " and " : ", ");
		say_int(sy, de->blockers[i].broker);
		at++;
	}
}

static uint32_t count_of(const struct deletion *de, enum blocker_kind k)
{
	uint32_t n = 0;

	for (size_t i = 0; i < de->n_blockers; i++)
		n += de->blockers[i].kind == k;
	return n;
}

static void blocker_text(struct look *lk, struct deletion_blocker *bl)
{
	struct say sy;

	say_begin(&sy);
	switch (bl->kind) {
	case BLOCKER_BROKER_DOWN:
		say_name(&sy, lk, bl->broker);
		say_text(&sy, " is not registered");
		break;
	case BLOCKER_BROKER_SILENT:
		say_name(&sy, lk, bl->broker);
		say_text(&sy, " is registered and does not answer");
		break;
	case BLOCKER_LOG_DIR_OFFLINE:
		say_text(&sy, bl->log_dir != NULL ? bl->log_dir : "a log dir");
		say_text(&sy, " of ");
		say_name(&sy, lk, bl->broker);
		say_text(&sy, " is offline");
		break;
	case BLOCKER_REASSIGNING:
		say_text(&sy, "partition ");
		say_int(&sy, bl->partition);
		say_text(&sy, " is being reassigned");
		break;
	case BLOCKER_CONTROLLER_ABSENT:
		say_text(&sy, "there is no controller");
		break;
	case BLOCKER_CONTROLLER_SILENT:
		say_text(&sy, "the controller, ");
		say_name(&sy, lk, bl->broker);
		say_text(&sy, ", does not answer");
		break;
	case BLOCKER_DELETION_DISABLED:
		say_text(&sy, "delete.topic.enable is false on the controller, ");
		say_name(&sy, lk, bl->broker);
		break;
	case BLOCKER_NEVER_ELECTED:
		say_text(&sy, "its partitions never had a leader, for want of their brokers");
		break;
	case BLOCKER_REFUSED_STALE:
		say_name(&sy, lk, bl->broker);
		say_text(&sy, " may have refused the request as stale: then it is not sent again");
		break;
	case BLOCKER_REPLICA_ERROR:
		say_name(&sy, lk, bl->broker);
		say_text(&sy, " answered with an error");
		break;
	case BLOCKER_MARKER_HAS_CHILD:
		say_text(&sy, bl->certainty == CERTAINTY_CERTAIN ? "the marker has a child node, so that the controller can't remove it"
								 : "the marker may have a child node: the controller can't remove it then");
		break;
	case BLOCKER_INELIGIBLE_LEFT_OVER:
		say_text(&sy, bl->certainty == CERTAINTY_CERTAIN ? "the controller passes it over: its name is left in the ineligible set by an earlier deletion"
								 : "the controller has not taken the marker up: it is busy or frozen, or the name is left in its ineligible set by an earlier deletion");
		break;
	case BLOCKER_NO_TRIGGER:
		say_text(&sy, "the controller is waiting for an event, and none is due");
		break;
	case BLOCKER_FORGOTTEN:
		say_text(&sy, "the marker was taken away: the next controller will not know of the deletion");
		break;
	default:
		say_text(&sy, "why it does not go on is not known");
		break;
	}
	put(lk, &bl->text, &sy);
}

/* ---- why: a few words for a list ------------------------------------------------------------------------ */

static void say_dirs(struct say *sy, const struct deletion *de, const struct deletion_blocker *bl)
{
	uint32_t n = count_of(de, BLOCKER_LOG_DIR_OFFLINE);

	if (n == 1) {
		const char *dir = bl->log_dir != NULL ? bl->log_dir : "?", *tail = str_path_tail(dir, DIR_TAIL_MAX);

		say_text(sy, "broker ");
		say_int(sy, bl->broker);
		say_text(sy, tail != dir ? ": dir \u2026" : ": dir ");
		say_text(sy, tail);
		say_text(sy, " offline");
		return;
	}
	say_text(sy, "dirs of brokers ");
	say_brokers(sy, de, BLOCKER_LOG_DIR_OFFLINE);
	say_text(sy, " offline");
}

static void say_why(struct say *sy, const struct look *lk)
{
	static const char *const words[BLOCKER_KINDS] = {
		[BLOCKER_REASSIGNING] = "is being moved", [BLOCKER_CONTROLLER_ABSENT] = "controller absent",
		[BLOCKER_DELETION_DISABLED] = "deletion disabled on the controller", [BLOCKER_NEVER_ELECTED] = "never had a leader",
		[BLOCKER_REFUSED_STALE] = "refused as stale", [BLOCKER_REPLICA_ERROR] = "a broker answered with an error",
		[BLOCKER_MARKER_HAS_CHILD] = "marker has a child node", [BLOCKER_INELIGIBLE_LEFT_OVER] = "passed over by the controller",
		[BLOCKER_NO_TRIGGER] = "nothing is due to move it on", [BLOCKER_FORGOTTEN] = "marker taken away", [BLOCKER_UNKNOWN] = "not known why",
	};
	const struct deletion *de = lk->de;
	const struct deletion_blocker *bl = &de->blockers[0];

	switch (bl->kind) {
	case BLOCKER_BROKER_DOWN:
	case BLOCKER_BROKER_SILENT:
		say_text(sy, count_of(de, bl->kind) > 1 ? "brokers " : "broker ");
		say_brokers(sy, de, bl->kind);
		say_text(sy, bl->kind == BLOCKER_BROKER_DOWN ? " down" : " silent");
		break;
	case BLOCKER_LOG_DIR_OFFLINE:
		say_dirs(sy, de, bl);
		break;
	case BLOCKER_CONTROLLER_SILENT:
		say_text(sy, "controller ");
		say_int(sy, bl->broker);
		say_text(sy, " silent");
		break;
	case BLOCKER_INELIGIBLE_LEFT_OVER:
		say_text(sy, bl->certainty == CERTAINTY_CERTAIN ? words[bl->kind] : "not taken up by the controller");
		break;
	default:
		say_text(sy, words[bl->kind]);
		break;
	}
}

/* ---- what moves it on, and what to do, by what counts most ----------------------------------------------------- */

static void advise_broker_down(const struct look *lk, struct say *next, struct say *act)
{
	const struct deletion *de = lk->de;
	uint32_t n = count_of(de, BLOCKER_BROKER_DOWN);

	say_text(next, "When ");
	say_text(next, n > 1 ? "brokers " : "broker ");
	say_brokers(next, de, BLOCKER_BROKER_DOWN);
	say_text(next, n > 1 ? " have registered, the controller has tried again by itself and ends it." : " registers, the controller tries again by itself.");
	say_text(act, n > 1 ? "Start brokers " : "Start broker ");
	say_brokers(act, de, BLOCKER_BROKER_DOWN);
	say_text(act, n > 1 ? "; of one that is gone for good, start an empty broker with the same id." :
		", or if it is gone for good, an empty broker with the same id.");
	lk->de->acts |= DELETION_ACT_START_BROKER;
}

static void advise_dir(const struct look *lk, const struct deletion_blocker *bl, struct say *next, struct say *act)
{
	say_text(next, "When broker ");
	say_int(next, bl->broker);
	say_text(next, " has been started with all its log dirs working, the controller tries again by itself; a restart with the dir still bad does not help.");
	say_text(act, "Mend or replace ");
	say_text(act, bl->log_dir != NULL ? bl->log_dir : "the log dir");
	say_text(act, " of broker ");
	say_int(act, bl->broker);
	say_text(act, ", or take it out of log.dirs; then restart that broker.");
	lk->de->acts |= DELETION_ACT_MEND_DIR;
}

static void advise_move(const struct look *lk, struct say *next, struct say *act)
{
	if (lk->n_alive > 0 && lk->listed == KNOW_PRESENT) {
		say_text(next, "The controller will begin in spite of the reassignment.");
		say_text(act, "Cancel the reassignment first: it can't be cancelled any more once the deletion has begun.");
		lk->de->acts |= DELETION_ACT_CANCEL_REASSIGNMENT;
		return;
	}
	say_text(next, "When any broker that holds a replica of it registers, the controller tries again; an election does not help.");
	say_text(act, "Restart one broker that holds a replica of it. The reassignment can neither end nor be cancelled while the topic is queued.");
	lk->de->acts |= DELETION_ACT_RESTART_HOST;
}

static void advise_no_trigger(const struct look *lk, struct say *next, struct say *act)
{
	const struct deletion_blocker *bl = first_of(lk->de, BLOCKER_NO_TRIGGER);

	say_text(next, "No event is due: the start of a broker that holds a replica would move it on, or an election while all of them are up.");
	say_text(act, "Restart ");
	if (bl != NULL && bl->broker != BROKER_NONE) {
		say_text(act, "broker ");
		say_int(act, bl->broker);
	} else {
		say_text(act, "one broker that holds a replica of it");
	}
	say_text(act, "; if that does not help, let another controller be elected.");
	lk->de->acts |= DELETION_ACT_RESTART_HOST | DELETION_ACT_MOVE_CONTROLLER;
}

static void advise_left_over(const struct look *lk, const struct deletion_blocker *bl, struct say *next, struct say *act)
{
	if (bl->certainty == CERTAINTY_CERTAIN)
		say_text(next, "No event is due: the start of a broker that holds a replica would move it on, or an election while all of them are up.");
	else
		say_text(next, "A busy controller comes to it by itself; if the name is left in its ineligible set, only the start of a broker that holds a replica, "
			       "or an election while all of them are up, moves it on.");
	if (bl->certainty != CERTAINTY_CERTAIN)
		say_text(act, "Look at the controller first: a TopicsToDeleteCount of 0 says that it has not seen the marker. If it counts it: ");
	say_text(act, bl->certainty == CERTAINTY_CERTAIN ? "Restart one broker that holds a replica of it, or let another controller be elected."
							 : "restart one broker that holds a replica of it, or let another controller be elected.");
	lk->de->acts |= DELETION_ACT_RESTART_HOST | DELETION_ACT_MOVE_CONTROLLER;
}

static void advise_controller(const struct look *lk, const struct deletion_blocker *bl, struct say *next, struct say *act)
{
	if (bl->kind == BLOCKER_CONTROLLER_ABSENT) {
		say_text(next, "When a controller is elected, it goes on with all that is queued.");
		say_text(act, "Look why none is elected: whether brokers reach ZooKeeper, and controller.log for the error after each election.");
		return;
	}
	say_text(next, "When the controller goes on working; or, once its ZooKeeper session has expired, when another is elected.");
	say_text(act, "Look at broker ");
	say_int(act, bl->broker);
	say_text(act, ": long pauses, a full disk, an overloaded machine. If it stays so, restart it.");
	lk->de->acts |= DELETION_ACT_MOVE_CONTROLLER;
}

static void advise_silent(const struct look *lk, const struct deletion_blocker *bl, struct say *next, struct say *act)
{
	say_text(next, "When broker ");
	say_int(next, bl->broker);
	say_text(next, " answers again; or, once its ZooKeeper session has expired, when it registers again.");
	say_text(act, "Look at broker ");
	say_int(act, bl->broker);
	say_text(act, ": a killed one refuses connections, a frozen one lets them time out. Start it, or restart it.");
	lk->de->acts |= DELETION_ACT_START_BROKER;
}

static void advise_child(const struct look *lk, const struct deletion_blocker *bl, struct say *next, struct say *act)
{
	say_text(next, "The topic itself is deleted. When the marker has no child node any more, the next election takes it away, and so should the next marker.");
	say_text(act, bl->certainty == CERTAINTY_CERTAIN ? "Remove the child nodes of /admin/delete_topics/" : "Look for child nodes of /admin/delete_topics/");
	say_text(act, lk->wi->topic);
	say_text(act, bl->certainty == CERTAINTY_CERTAIN ? " (not the marker itself)." : " and remove them (not the marker itself).");
	lk->de->acts |= DELETION_ACT_REMOVE_CHILD;
}

static void advise_unknown(const struct look *lk, struct say *next, struct say *act)
{
	if (lk->sc->in_migration) {
		say_text(next, "Not known: the cluster is being moved to KRaft, and its controller does not show in ZooKeeper what it does.");
		say_text(act, "Look at the KRaft controller's log.");
		return;
	}
	say_text(next, "Not known: not all that would tell can be asked.");
	say_text(act, lk->sc->is_alone ? "Let kafops reach the brokers: they tell whether the controller counts the topic, and whether a log dir is offline."
						  : "Look at the controller's metrics (TopicsToDeleteCount, TopicsIneligibleToDeleteCount, EventQueueSize) and its log.");
}

static void advise_by(const struct look *lk, const struct deletion_blocker *bl, struct say *next, struct say *act)
{
	switch (bl->kind) {
	case BLOCKER_BROKER_DOWN:
	case BLOCKER_NEVER_ELECTED: advise_broker_down(lk, next, act); break;
	case BLOCKER_LOG_DIR_OFFLINE: advise_dir(lk, bl, next, act); break;
	case BLOCKER_REASSIGNING: advise_move(lk, next, act); break;
	case BLOCKER_CONTROLLER_ABSENT:
	case BLOCKER_CONTROLLER_SILENT: advise_controller(lk, bl, next, act); break;
	case BLOCKER_BROKER_SILENT: advise_silent(lk, bl, next, act); break;
	case BLOCKER_MARKER_HAS_CHILD: advise_child(lk, bl, next, act); break;
	case BLOCKER_INELIGIBLE_LEFT_OVER: advise_left_over(lk, bl, next, act); break;
	case BLOCKER_NO_TRIGGER:
	case BLOCKER_REFUSED_STALE: advise_no_trigger(lk, next, act); break;
	case BLOCKER_FORGOTTEN:
		say_text(next, "The controller goes on with it while it stays the controller.");
		say_text(act, "wait.");
		break;
	case BLOCKER_DELETION_DISABLED:
		say_text(next, "The controller will take the marker away without deleting the topic.");
		say_text(act, "Set delete.topic.enable=true on every broker and restart them, then delete the topic again.");
		break;
	default: advise_unknown(lk, next, act); break;
	}
}

/* Before all else the marker is put again; an election must not come before. */
static void advise_marker(const struct look *lk, struct say *act)
{
	if (first_of(lk->de, BLOCKER_FORGOTTEN) == NULL)
		return;
	say_text(act, "Put the marker again: an election without it brings the topic back, emptied. Then: ");
	lk->de->acts |= DELETION_ACT_PUT_MARKER;
}

/* After the one that counts most: a dir that also waits. */
static void advise_besides(const struct look *lk, const struct deletion_blocker *first, struct say *act)
{
	const struct deletion_blocker *dir = first_of(lk->de, BLOCKER_LOG_DIR_OFFLINE);

	if (first->kind == BLOCKER_BROKER_DOWN && dir != NULL) {
		say_text(act, " Besides, mend ");
		say_text(act, dir->log_dir != NULL ? dir->log_dir : "the log dir");
		say_text(act, " of broker ");
		say_int(act, dir->broker);
		say_text(act, ", then restart that one.");
		lk->de->acts |= DELETION_ACT_MEND_DIR;
	}
}

/* ---- without a blocker --------------------------------------------------------------------------------------------- */

/* The controller of the moment when the marker went. */
static void say_refuser(const struct look *lk, struct say *sy)
{
	if (lk->wi->end_controller == BROKER_NONE) {
		say_text(sy, " of that moment");
		return;
	}
	say_text(sy, " of that moment, broker ");
	say_int(sy, lk->wi->end_controller);
}

static void advise_end(const struct look *lk, struct say *act)
{
	struct deletion *de = lk->de;

	switch (de->state) {
	case DELETION_REFUSED:
		say_text(act, "The marker was taken away and the topic still exists: delete.topic.enable was ");
		say_text(act, de->certainty == CERTAINTY_CERTAIN ? "false on the controller" : "probably false on the controller");
		say_refuser(lk, act);
		say_text(act, ". Set it to true on every broker and restart them, then delete the topic again.");
		break;
	case DELETION_RESURRECTED:
		say_text(act, "The topic is alive again and what had been deleted of it is lost. If it is wanted, keep brokers that still hold its "
			      "data down: they empty it when they start. If not, delete it again.");
		break;
	case DELETION_MARKER_REMOVED:
		if (strcmp(de->rule, "T13") == 0) {
			say_text(act, lk->wi->end_enabled > 0 ? "Somebody took the marker away before the deletion began, it seems: the controller" :
				"Somebody took the marker away before the deletion began, or the controller refused it: whether the controller");
			say_refuser(lk, act);
			say_text(act, lk->wi->end_enabled > 0 ? ", had delete.topic.enable=true. The topic is as it was." :
				", had delete.topic.enable=true is not known. The topic is as it was.");
			break;
		}
		say_text(act, "Somebody took the marker away, and whether the controller still deletes the topic is not known. ");
		say_text(act, deletion_twin_text(TWIN_P8));
		break;
	case DELETION_RECREATED:
		if (de->orphans > 0)
			say_text(act, "Replicas of the old topic are left on disks: up to Kafka 2.8 the new one may serve their records; later the broker refuses the "
				      "replica, which shows as offset lag -1 in its log dirs.");
		else
			say_text(act, "A client made the topic again. To be rid of it, stop that client or set auto.create.topics.enable=false, then delete it again.");
		break;
	case DELETION_DONE:
		if (lk->wi->czxid == 0 && !de->is_unmarked)
			say_text(act, "No topic of this name was seen: the marker of a topic that does not exist is taken away at once.");
		else if (de->orphans > 0)
			say_text(act, "Replicas are left on disks that nobody will delete: see the orphans of the log dirs.");
		break;
	default:
		break;
	}
}

static void advise_running(const struct look *lk, struct say *next)
{
	switch (lk->de->state) {
	case DELETION_QUEUED:
		say_text(next, lk->sc->in_migration ? "Not known: the cluster is being moved to KRaft, and its controller does not show in ZooKeeper what it does."
						    : "The controller takes the marker up, usually within a second.");
		break;
	case DELETION_RUNNING:
		say_text(next, "The brokers answer that they have deleted their replicas; then the topic's nodes go.");
		break;
	case DELETION_FINISHING:
		say_text(next, "The controller removes what is left of the topic's nodes, the marker last.");
		break;
	default:
		break;
	}
}

void deletion_advise(struct look *lk)
{
	struct deletion *de = lk->de;
	struct say why, next, act;

	say_begin(&why);
	say_begin(&next);
	say_begin(&act);
	for (size_t i = 0; i < de->n_blockers; i++)
		blocker_text(lk, &de->blockers[i]);
	if (deletion_state_is_end(de->state)) {
		if (de->is_unmarked)
			say_text(&act, "The topic is gone, and no marker was seen: its deletion was too quick to follow, or somebody removed its node by hand. ");
		advise_end(lk, &act);
	} else if (lk->sc->in_migration && de->n_blockers > 0) {
		say_why(&why, lk);
		advise_unknown(lk, &next, &act);
	} else if (de->n_blockers > 0) {
		say_why(&why, lk);
		advise_marker(lk, &act);
		advise_by(lk, &de->blockers[0], &next, &act);
		advise_besides(lk, &de->blockers[0], &act);
	} else {
		advise_running(lk, &next);
	}
	put(lk, &de->why, &why);
	put(lk, &de->next, &next);
	put(lk, &de->act, &act);
}

/* ---- attempts --------------------------------------------------------------------------------------------------------- */

static char *trigger_text(struct look *lk, const struct witness_attempt *wa)
{
	struct say sy;

	say_begin(&sy);
	switch (wa->trigger) {
	case WITNESS_MARKED:
		say_text(&sy, "asked for");
		break;
	case WITNESS_BROKER_STARTED:
		say_text(&sy, "broker ");
		say_int(&sy, wa->id);
		say_text(&sy, " registered");
		break;
	case WITNESS_CONTROLLER:
		say_text(&sy, wa->id == BROKER_NONE ? "a controller" : "controller ");
		if (wa->id != BROKER_NONE)
			say_int(&sy, wa->id);
		say_text(&sy, " elected, epoch ");
		say_int(&sy, wa->epoch);
		break;
	case WITNESS_REASSIGNED:
		say_text(&sy, "its reassignment ended");
		break;
	default:
		say_text(&sy, "under way when first seen");
		break;
	}
	return say_take(&sy, lk->ar);
}

/* What holds it up now holds up the last attempt, while it goes on; of the others it is kept. */
static char *outcome_text(struct look *lk, const struct witness_attempt *wa, bool is_last)
{
	bool is_end = deletion_state_is_end(lk->de->state);
	const char *why = is_last && !is_end ? lk->de->why : wa->why;
	struct say sy;

	say_begin(&sy);
	if (is_last && lk->de->state == DELETION_REFUSED) {
		say_text(&sy, "refused");
		return say_take(&sy, lk->ar);
	}
	if (wa->rested.ms == 0)
		return NULL;
	if (wa->done + wa->left == 0) {
		say_text(&sy, wa->effect_seen ? "how it ended was not seen" : "nothing was seen to change");
	} else {
		say_int(&sy, wa->done);
		say_text(&sy, " done, ");
		say_int(&sy, wa->left);
		say_text(&sy, wa->left == 1 ? " waits" : " wait");
	}
	if (why[0] != '\0' && wa->left > 0) {
		say_text(&sy, ": ");
		say_text(&sy, why);
	}
	return say_take(&sy, lk->ar);
}

/* What comes after its end is none of one that is over. */
static size_t count_attempts(const struct look *lk)
{
	const struct witness *wi = lk->wi;
	size_t n = wi->n_attempts;

	while (n > 0 && deletion_state_is_end(lk->de->state) && wi->ended.ms != 0 && wi->attempts[n - 1].at.ms > wi->ended.ms)
		n--;
	return n;
}

void deletion_attempts(struct look *lk)
{
	const struct witness *wi = lk->wi;
	struct deletion *de = lk->de;

	if (wi->n_attempts == 0)
		return;
	de->attempts = arena_alloc(lk->ar, wi->n_attempts * sizeof(*de->attempts));
	de->n_attempts = count_attempts(lk);
	for (size_t i = 0; i < de->n_attempts; i++)
		de->attempts[i] = (struct deletion_attempt){
			.began = wi->attempts[i].at, .is_seen = wi->attempts[i].effect_seen, .trigger = trigger_text(lk, &wi->attempts[i]),
			.outcome = outcome_text(lk, &wi->attempts[i], i + 1 == de->n_attempts),
		};
}
