/* SPDX-License-Identifier: Apache-2.0 */
/* Names, and the evidence for what is told of a replica: what was seen, when, and what looks the same. */
#include <string.h>

#include "base/str.h"
#include "core/deletion_parts.h"

/* ---- names ------------------------------------------------------------------------------------------- */

const char *deletion_state_name(enum deletion_state st)
{
	static const char *const names[DELETION_STATES] = {
		[DELETION_QUEUED] = "queued", [DELETION_RUNNING] = "running", [DELETION_WAITING] = "waiting", [DELETION_FINISHING] = "finishing",
		[DELETION_DONE] = "done", [DELETION_RECREATED] = "recreated", [DELETION_RESURRECTED] = "resurrected",
		[DELETION_REFUSED] = "refused", [DELETION_MARKER_REMOVED] = "marker-removed",
	};

	return names[st];
}

bool deletion_state_is_end(enum deletion_state st)
{
	return st >= DELETION_DONE;
}

const char *deletion_phase_name(enum deletion_phase ph)
{
	static const char *const names[PHASES] = {
		[PHASE_UNKNOWN] = "unknown", [PHASE_NOT_BEGUN] = "not-begun", [PHASE_RUNNING] = "running", [PHASE_WAITING] = "waiting",
		[PHASE_DONE] = "done",
	};

	return names[ph];
}

const char *blocker_kind_name(enum blocker_kind k)
{
	static const char *const names[BLOCKER_KINDS] = {
		[BLOCKER_BROKER_DOWN] = "broker-down", [BLOCKER_BROKER_SILENT] = "broker-silent", [BLOCKER_LOG_DIR_OFFLINE] = "log-dir-offline",
		[BLOCKER_REASSIGNING] = "reassigning", [BLOCKER_CONTROLLER_ABSENT] = "controller-absent",
		[BLOCKER_CONTROLLER_SILENT] = "controller-silent", [BLOCKER_DELETION_DISABLED] = "deletion-disabled",
		[BLOCKER_NEVER_ELECTED] = "never-elected", [BLOCKER_REFUSED_STALE] = "refused-stale", [BLOCKER_REPLICA_ERROR] = "replica-error",
		[BLOCKER_MARKER_HAS_CHILD] = "marker-has-child", [BLOCKER_INELIGIBLE_LEFT_OVER] = "ineligible-left-over",
		[BLOCKER_NO_TRIGGER] = "no-trigger", [BLOCKER_FORGOTTEN] = "forgotten", [BLOCKER_UNKNOWN] = "unknown",
	};

	return names[k];
}

const char *certainty_name(enum certainty c)
{
	static const char *const names[] = {
		[CERTAINTY_NONE] = "none", [CERTAINTY_GUESS] = "guess", [CERTAINTY_LIKELY] = "likely", [CERTAINTY_CERTAIN] = "certain",
	};

	return names[c];
}

const char *rsm_state_name(enum rsm_state st)
{
	static const char *const names[RSM_STATES] = {
		[RSM_UNKNOWN] = "unknown", [RSM_ONLINE] = "OnlineReplica", [RSM_OFFLINE] = "OfflineReplica",
		[RSM_DELETION_STARTED] = "ReplicaDeletionStarted", [RSM_DELETION_SUCCESSFUL] = "ReplicaDeletionSuccessful",
		[RSM_DELETION_INELIGIBLE] = "ReplicaDeletionIneligible", [RSM_NON_EXISTENT] = "NonExistentReplica",
	};

	return names[st];
}

const char *rsm_state_short(enum rsm_state st)
{
	static const char *const names[RSM_STATES] = {
		[RSM_UNKNOWN] = "?", [RSM_ONLINE] = "Online", [RSM_OFFLINE] = "Offline", [RSM_DELETION_STARTED] = "Started",
		[RSM_DELETION_SUCCESSFUL] = "Successful", [RSM_DELETION_INELIGIBLE] = "Ineligible", [RSM_NON_EXISTENT] = "NonExistent",
	};

	return names[st];
}

/* ---- text ------------------------------------------------------------------------------------------------ */

void say_begin(struct say *sy)
{
	sy->n = 0;
	sy->s[0] = '\0';
}

void say_n(struct say *sy, const char *text, size_t n)
{
	if (n >= sizeof(sy->s) - sy->n)
		n = sizeof(sy->s) - sy->n - 1;
	memcpy(sy->s + sy->n, text, n);
	sy->n += n;
	sy->s[sy->n] = '\0';
}

void say_int(struct say *sy, int64_t n)
{
	char digits[24];
	size_t at = sizeof(digits);
	uint64_t u = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do
		digits[--at] = (char)('0' + u % 10);
	while (u /= 10);
	if (n < 0)
		digits[--at] = '-';
	say_n(sy, digits + at, sizeof(digits) - at);
}

void say_host(struct say *sy, const struct host *ho, int32_t id)
{
	if (ho != NULL) {
		say_text(sy, ho->name);
		return;
	}
	say_text(sy, "broker ");
	say_int(sy, id);
}

void say_time(struct say *sy, const struct scene *sc, wall_ms at)
{
	struct clock_memo *memo = &sc->memos[(uint64_t)at.ms % CLOCK_MEMOS];
	int64_t ago = sc->now.ms - at.ms;
	bool is_today = ago < 86400000 && ago > -86400000; /* ZooKeeper's clock may be a little ahead of ours */

	if (memo->ms != at.ms || memo->is_today != is_today || memo->text[0] == '\0') {
		memo->ms = at.ms;
		memo->is_today = is_today;
		if (is_today || at.ms == 0)
			units_clock(memo->text, at);
		else
			units_rfc3339(memo->text, at);
	}
	say_text(sy, memo->text);
}

char *say_take(const struct say *sy, struct arena *ar)
{
	char *text = arena_alloc(ar, sy->n + 1);

	memcpy(text, sy->s, sy->n);
	return text;
}

/* ---- what looks the same ------------------------------------------------------------------------------------ */

const char *deletion_twin_text(enum twin tw)
{
	static const char *const texts[TWINS] = {
		[TWIN_P0] = "A controller that is busy or frozen looks the same from outside as a name left in its ineligible set by an earlier deletion: its "
			"metric TopicsToDeleteCount counts the topic in the second case only.",
		[TWIN_P1] = "A replica that was deleted before its broker went looks the same to who did not see its log dirs then. The controller's "
			"ReplicasToDeleteCount tells, with one topic queued.",
		[TWIN_P2] = "Whether it was deleted before the log dir failed, or counts as not deleted since an election after that, looks the same. "
			"The controller's ReplicasToDeleteCount tells, with one topic queued.",
		[TWIN_P3] = "Offline if the log dir had failed before the pass, Online if during it: from outside nothing tells them apart, and the cure is the same.",
		[TWIN_P4] = "Ineligible instead if the last pass had nothing left to delete on living brokers: the controller's ReplicasIneligibleToDeleteCount "
			"is above 0 then. The cure is the same.",
		[TWIN_P6] = "If the broker stopped answering before the last pass and the topic waits for something else, it looks the same: the controller's "
			"TopicsIneligibleToDeleteCount is 0 while it waits for this broker, 1 otherwise.",
		[TWIN_P8] = "A deletion that goes on without its marker looks the same as one the controller has forgotten: Metadata of the controller's own broker lists "
			"the topic in the second case only; its metric TopicsToDeleteCount tells as well.",
		[TWIN_P13] = "A partition without a leader whose deletion has not begun looks the same: Metadata of the controller's own broker lists it, with an "
			"error, in that case only.",
		[TWIN_P14] = "A marker that the controller has not taken up looks the same: its metric TopicsIneligibleToDeleteCount counts the topic once it has.",
		[TWIN_P15] = "A marker not taken up and a topic queued at an election without a pass look the same: Metadata of the controller's own broker lists "
			"the topic in the first case only; other brokers mislead.",
		[TWIN_P21] = "If its log dir was taken out of the broker's log.dirs, the files are still there: nothing tells before that dir comes back.",
		[TWIN_STARTED] = "A request still under way, one that the broker refused as stale, and a topic that halted earlier look the same: the "
			"controller's TopicsIneligibleToDeleteCount is 1 in the last case; controller.log has the others.",
	};

	return texts[tw] != NULL ? texts[tw] : "";
}

/* ---- evidence -------------------------------------------------------------------------------------------------- */

static void say_since(struct say *sy, const struct scene *sc, wall_ms at, bool is_exact)
{
	if (at.ms == 0)
		return;
	say_text(sy, is_exact ? " since " : " at least since ");
	say_time(sy, sc, at);
}

static void say_host_word(struct say *sy, const struct look *lk, const struct host *ho, int32_t id)
{
	say_host(sy, ho, id);
	sy->s[0] = 'B';
	if (ho == NULL || ho->br == NULL || ho->word == HOST_UNKNOWN) {
		say_text(sy, ": whether it is registered is not known. ");
		return;
	}
	switch (ho->word) {
	case HOST_DOWN:
		say_text(sy, " is not registered");
		say_since(sy, lk->sc, ho->br->since, ho->br->since_exact);
		break;
	case HOST_SILENT:
		say_text(sy, " is registered and does not answer");
		say_since(sy, lk->sc, ho->answered, false);
		if (ho->br->link.error[0] != '\0') {
			say_text(sy, " (");
			say_text(sy, ho->br->link.error);
			say_text(sy, ")");
		}
		break;
	case HOST_REFUSES:
		say_text(sy, " does not tell its log dirs: ");
		say_text(sy, why_text(ho->br->disks_why));
		break;
	case HOST_UNASKED:
		say_text(sy, " is registered");
		say_since(sy, lk->sc, ho->br->since, ho->br->since_exact);
		say_text(sy, "; it has not told its log dirs since");
		break;
	default:
		say_text(sy, " is registered");
		break;
	}
	say_text(sy, ". ");
}

static void say_last_seen(struct say *sy, const struct look *lk, const struct witness_replica *wr)
{
	if (wr->listed.ms == 0) {
		say_text(sy, "; in which it lay was not seen");
		return;
	}
	say_text(sy, "; at ");
	say_time(sy, lk->sc, wr->listed);
	say_text(sy, " it was in ");
	say_text(sy, wr->dir != NULL ? wr->dir : "one of them");
}

static void say_lies(struct say *sy, const struct look *lk, const struct witness_replica *wr, const struct host *ho, const struct finding *fi)
{
	const char *bad;

	switch (fi->lies) {
	case LIES_LISTED:
		say_text(sy, "At ");
		say_time(sy, lk->sc, wr->listed.ms != 0 || ho == NULL ? wr->listed : ho->told);
		say_text(sy, wr->size_bytes == 0 ? " it listed the replica, empty, in " : " it listed the replica in ");
		say_text(sy, wr->dir != NULL ? wr->dir : "one of its log dirs");
		break;
	case LIES_GONE:
		say_text(sy, "Its log dirs, first told without the replica at ");
		say_time(sy, lk->sc, wr->gone.ms != 0 || ho == NULL ? wr->gone : ho->told);
		say_text(sy, ", have no error");
		say_last_seen(sy, lk, wr);
		break;
	case LIES_HIDDEN:
		bad = deletion_bad_dir(ho, wr);
		say_text(sy, "At ");
		say_time(sy, lk->sc, ho->told);
		say_text(sy, " it listed the replica nowhere, and ");
		say_text(sy, bad != NULL ? bad : "a log dir");
		say_text(sy, " of its log dirs is offline");
		say_last_seen(sy, lk, wr);
		break;
	default:
		return;
	}
	say_text(sy, ". ");
}

static void say_sign(struct say *sy, const struct look *lk, enum sign sign)
{
	switch (sign) {
	case SIGN_ALIVE:
		say_text(sy, "The partition has its leader, so that no pass has run on it. ");
		break;
	case SIGN_PASSED:
		say_text(sy, lk->is_untouched ? "The partition has no leader. " : "Its state node has leader -1 and one replica in the ISR, as a pass leaves it. ");
		break;
	case SIGN_LEADERLESS:
		say_text(sy, "The partition has no leader. ");
		break;
	case SIGN_NO_STATE:
		say_text(sy, "The partition has no state node. ");
		break;
	default:
		if (lk->node != KNOW_ABSENT)
			say_text(sy, "The partition's state node could not be read, or not yet. ");
		break;
	}
}

static bool lists_future(const struct look *lk, const struct witness_replica *wr, const struct host *ho)
{
	return ho != NULL && ho->has_future && disks_replica(ho->br->disks, lk->wi->topic, wr->partition, true) != NULL;
}

char *deletion_evidence(const struct look *lk, const struct witness_replica *wr, const struct host *ho, const struct finding *fi)
{
	struct say sy;

	say_begin(&sy);
	say_host_word(&sy, lk, ho, wr->broker);
	say_lies(&sy, lk, wr, ho, fi);
	say_sign(&sy, lk, (enum sign)fi->sign);
	if (lists_future(lk, wr, ho))
		say_text(&sy, "A copy into another log dir is under way: both are deleted together. ");
	if (fi->also != NULL) {
		say_text(&sy, fi->also);
		say_text(&sy, " ");
	}
	for (size_t i = 0; i < sizeof(fi->twins) / sizeof(fi->twins[0]); i++)
		if (fi->twins[i] != TWIN_NONE) {
			say_text(&sy, deletion_twin_text((enum twin)fi->twins[i]));
			say_text(&sy, " ");
		}
	if (lk->cap_why != NULL)
		say_text(&sy, lk->cap_why);
	if (sy.n > 0 && sy.s[sy.n - 1] == ' ')
		sy.s[--sy.n] = '\0';
	return say_take(&sy, lk->ar);
}
