/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No lie is shown: what is told as certain holds now, or held at some moment since its facts were read the time before the last. Nothing is told done before
 * it is, nothing that was told done comes back, and in the end all is told that is so.
 */
#include <stdio.h>
#include <string.h>

#include "tests/sim/sim_console.h"

#define PHASE(ph) (1u << (16 + (ph)))

enum { SETTLE_MS = 60 }; /* turns are late by so much, and ZooKeeper's word and a broker's come by different ways */

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Since when it must have held: the console had ZooKeeper's word whole, the controller's and the broker's before the last. */
static int64_t since(const struct sim *si, int32_t broker)
{
	return earlier(si->con->shown_zk, si->con->shown_of[broker >= 1 ? broker : 0]) - SETTLE_MS;
}

static void put_past(const struct sim_history *hi, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = hi->n > 4 ? hi->n - 4 : 0; i < hi->n && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, " %lld:%x", (long long)hi->v[i].from, hi->v[i].is);
}

static void lie(struct sim *si, const struct deletion *de, const struct sim_history *hi, int64_t from, const char *what)
{
	char past[200];

	put_past(hi, past, sizeof(past));
	sim_fail(si, "%s/%lld (%s, %s): %s; looked for since %lld, now %lld; it was%s", de->topic, (long long)de->czxid, de->rule,
		deletion_state_name(de->state), what, (long long)from, (long long)si->now, past);
}

/* ---- replicas --------------------------------------------------------------------------------------------------- */

static const struct sim_true_replica *true_replica(const struct sim_life *lf, const struct deletion_replica *dr)
{
	for (size_t i = 0; i < lf->n; i++)
		if (lf->r[i].part == dr->partition && lf->r[i].broker == dr->broker)
			return &lf->r[i];
	return NULL;
}

static void count_claim(struct sim *si, uint8_t certainty, bool is_right)
{
	if (si->stats == NULL)
		return;
	si->stats->claims++;
	si->stats->certain += certainty == CERTAINTY_CERTAIN;
	si->stats->likely += certainty == CERTAINTY_LIKELY;
	si->stats->likely_right += certainty == CERTAINTY_LIKELY && is_right;
}

static void check_replica(struct sim *si, const struct deletion *de, const struct sim_life *lf, const struct deletion_replica *dr)
{
	const struct sim_true_replica *r = true_replica(lf, dr);
	int64_t from = since(si, dr->broker);
	bool phase_held, state_held;
	char what[200];

	if (r == NULL) {
		lie(si, de, &lf->is, from, "a replica that never was");
		return;
	}
	if (sim_held(&r->is, si->now, 1u << RSM_UNKNOWN, 0, 0))
		return; /* assigned no more: told as last known */
	phase_held = sim_held(&r->is, from, PHASE(dr->phase), 0, 0);
	state_held = sim_held(&r->is, from, 1u << dr->state, 0, 0);
	count_claim(si, dr->phase_certainty, phase_held);
	snprintf(what, sizeof(what), "partition %d on %d by %s is certainly %s, %s", dr->partition, dr->broker, dr->rule,
		deletion_phase_name((enum deletion_phase)dr->phase), rsm_state_short((enum rsm_state)dr->state));
	if (dr->phase_certainty == CERTAINTY_CERTAIN && !phase_held)
		lie(si, de, &r->is, from, what);
	if (dr->certainty == CERTAINTY_CERTAIN && !state_held && !deletion_state_is_end(de->state))
		lie(si, de, &r->is, from, what);
}

/* ---- blockers ----------------------------------------------------------------------------------------------------- */

/* Some replica on that broker that is not deleted. */
static bool waits_for(const struct sim_life *lf, int32_t broker, int64_t from)
{
	for (size_t i = 0; i < lf->n; i++)
		if (lf->r[i].broker == broker && sim_held(&lf->r[i].is, from, PHASE(PHASE_WAITING) | PHASE(PHASE_RUNNING) | PHASE(PHASE_NOT_BEGUN), 0, 0))
			return true;
	return false;
}

static bool dir_was_bad(const struct sim *si, const struct deletion_blocker *bl, int64_t from)
{
	uint32_t bad = TRUE_BAD_0 | TRUE_BAD_1;

	if (bl->log_dir != NULL)
		bad = strcmp(bl->log_dir, "/d0") == 0 ? TRUE_BAD_0 : TRUE_BAD_1;
	return sim_held(&si->of_broker[bl->broker], from, bad, 0, 0);
}

static bool blocker_held(struct sim *si, const struct sim_life *lf, const struct deletion_blocker *bl, int64_t from)
{
	switch (bl->kind) {
	case BLOCKER_BROKER_DOWN:
		return sim_held(&si->of_broker[bl->broker], from, 0, 0, TRUE_UP) && waits_for(lf, bl->broker, from);
	case BLOCKER_BROKER_SILENT:
		return sim_held(&si->of_broker[bl->broker], from, 0, TRUE_MUTE, 0) && waits_for(lf, bl->broker, from);
	case BLOCKER_LOG_DIR_OFFLINE: return dir_was_bad(si, bl, from) && waits_for(lf, bl->broker, from);
	case BLOCKER_REASSIGNING: return sim_held(&lf->is, from, 0, TRUE_MOVING | TRUE_INELIGIBLE, 0);
	case BLOCKER_CONTROLLER_ABSENT: return sim_held(&lf->is, from, TRUE_NO_CONTROLLER, 0, 0);
	case BLOCKER_CONTROLLER_SILENT: return sim_held(&lf->is, from, TRUE_CONTROLLER_SILENT, 0, 0);
	case BLOCKER_DELETION_DISABLED: return sim_held(&lf->is, from, TRUE_DISABLED, 0, 0);
	case BLOCKER_NEVER_ELECTED: return sim_held(&lf->is, from, TRUE_NO_STATE, 0, 0);
	case BLOCKER_MARKER_HAS_CHILD: return sim_held(&lf->is, from, TRUE_CHILD, 0, 0);
	case BLOCKER_INELIGIBLE_LEFT_OVER: return sim_held(&lf->is, from, TRUE_LEFT_OVER, 0, 0);
	case BLOCKER_FORGOTTEN: return sim_held(&lf->is, from, 0, TRUE_QUEUED, TRUE_MARKER);
	default: return false; /* never certain */
	}
}

static void check_blocker(struct sim *si, const struct deletion *de, const struct sim_life *lf, const struct deletion_blocker *bl)
{
	int32_t of = bl->broker >= 1 && bl->broker <= si->n_brokers ? bl->broker : BROKER_NONE;
	int64_t from = since(si, of);
	char what[200];

	if (bl->certainty != CERTAINTY_CERTAIN || blocker_held(si, lf, bl, from))
		return;
	snprintf(what, sizeof(what), "%s %d is certainly in the way", blocker_kind_name(bl->kind), bl->broker);
	lie(si, de, of != BROKER_NONE ? &si->of_broker[of] : &lf->is, from, what);
}

/* ---- the topic ------------------------------------------------------------------------------------------------------ */

static bool some_replica(const struct sim_life *lf, int64_t from, uint32_t any)
{
	for (size_t i = 0; i < lf->n; i++)
		if (sim_held(&lf->r[i].is, from, any, 0, 0))
			return true;
	return false;
}

static bool state_held(const struct sim_life *lf, enum deletion_state st, int64_t from)
{
	switch (st) {
	case DELETION_QUEUED: return sim_held(&lf->is, from, TRUE_MARKER | TRUE_QUEUED, 0, TRUE_PASSED);
	case DELETION_RUNNING:
		return sim_held(&lf->is, from, 0, TRUE_QUEUED | TRUE_BUSY, 0) || some_replica(lf, from, PHASE(PHASE_RUNNING)) ||
			sim_held(&lf->is, from, 0, 0, TRUE_NODE);
	case DELETION_WAITING: return sim_held(&lf->is, from, 0, TRUE_QUEUED, 0) && some_replica(lf, from, PHASE(PHASE_WAITING));
	case DELETION_FINISHING: return sim_held(&lf->is, from, 0, TRUE_MARKER, TRUE_NODE);
	case DELETION_DONE: return lf->ended_at != 0;
	case DELETION_RECREATED: return lf->is_gone && sim_held(&lf->is, from, TRUE_OTHER, 0, 0);
	case DELETION_RESURRECTED: return sim_held(&lf->is, from, 0, TRUE_NODE | TRUE_PASSED | TRUE_LEADER, TRUE_QUEUED | TRUE_MARKER);
	case DELETION_REFUSED: return lf->was_refused;
	default: return true;
	}
}

static void check_end(struct sim *si, const struct deletion *de, struct sim_life *lf)
{
	bool is_over = de->state == DELETION_DONE || de->state == DELETION_RECREATED;

	if (is_over && lf->ended_at == 0)
		lie(si, de, &lf->is, si->now, "it is told as over before topic node and marker were gone");
	if (lf->is_told_done && !is_over)
		lie(si, de, &lf->is, si->now, "it was told as over, and comes back");
	lf->is_told_done |= is_over;
}

static void check_counts(struct sim *si, const struct deletion *de)
{
	uint32_t by_phase[PHASES] = { 0 };

	for (size_t i = 0; i < de->n_replicas; i++)
		by_phase[de->replicas[i].phase]++;
	if (memcmp(by_phase, de->n_by_phase, sizeof(by_phase)) != 0)
		sim_fail(si, "%s: replicas by phase don't add up", de->topic);
	if (de->n_by_phase[PHASE_DONE] > de->n_replicas)
		sim_fail(si, "%s: more replicas done than there are", de->topic);
}

static void check_deletion(struct sim *si, const struct deletion *de)
{
	struct sim_life *lf = sim_life_find(si, de->topic, de->czxid);
	int64_t from = since(si, BROKER_NONE);

	check_counts(si, de);
	if (lf == NULL && de->czxid != 0)
		sim_fail(si, "%s/%lld: a topic that never was", de->topic, (long long)de->czxid);
	if (lf == NULL)
		return;
	check_end(si, de, lf);
	for (size_t i = 0; i < lf->n; i++)
		from = earlier(from, since(si, lf->r[i].broker));
	count_claim(si, de->certainty, state_held(lf, de->state, from));
	if (de->certainty == CERTAINTY_CERTAIN && !state_held(lf, de->state, from))
		lie(si, de, &lf->is, from, "its state is certain");
	for (size_t i = 0; i < de->n_replicas; i++)
		check_replica(si, de, lf, &de->replicas[i]);
	for (size_t i = 0; i < de->n_blockers && !deletion_state_is_end(de->state); i++)
		check_blocker(si, de, lf, &de->blockers[i]);
}

void sim_check_claims(struct sim *si)
{
	for (size_t i = 0; i < deletions_count(si->con->ds); i++)
		check_deletion(si, deletions_at(si->con->ds, i));
}

/* ---- the end ------------------------------------------------------------------------------------------------------------ */

static const struct deletion *told(const struct sim *si, const struct sim_life *lf)
{
	for (size_t i = 0; i < deletions_count(si->con->ds); i++) {
		const struct deletion *de = deletions_at(si->con->ds, i);

		if (de->czxid == lf->czxid && strcmp(de->topic, sim_name(lf->topic)) == 0)
			return de;
	}
	return NULL;
}

void sim_check_ends(struct sim *si)
{
	for (size_t i = 0; i < si->n_lives && !si->has_failed; i++) {
		const struct sim_life *lf = &si->lives[i];
		const struct deletion *de = told(si, lf);

		if (si->stats != NULL) {
			si->stats->deletions += lf->was_marked;
			si->stats->ends += lf->ended_at != 0;
		}
		if (lf->ended_at != 0 && de != NULL && !deletion_state_is_end(de->state))
			lie(si, de, &lf->is, si->now, "it ended, and is told as going on");
		if (!lf->is_gone && sim_zk_has_marker(si, lf->topic) && (de == NULL || deletion_state_is_end(de->state)))
			sim_fail(si, "%s/%lld has its marker, and is told as %s", sim_name(lf->topic), (long long)lf->czxid,
				de != NULL ? deletion_state_name(de->state) : "nothing");
		if (!lf->is_gone && sim_zk_has_marker(si, lf->topic) && si->is_bounced)
			sim_fail(si, "simulator: %s/%lld does not end though every broker was started again", sim_name(lf->topic), (long long)lf->czxid);
	}
}
