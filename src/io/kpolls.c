/* SPDX-License-Identifier: Apache-2.0 */
#include "io/kpolls.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "core/ids.h"
#include "io/kpolls_parts.h"

/* ---- what there is ------------------------------------------------------------------- */

static bool is_bootstrap(const struct broker *br)
{
	return br->id < BROKER_NONE;
}

static struct broker *find(const struct kpolls *kp, int32_t id)
{
	for (size_t i = 0; i < kp->n; i++)
		if (kp->v[i].id == id)
			return &kp->v[i];
	return NULL;
}

/* Of a broker's own kinds `br` must be one. */
static struct poll *poll_of(struct kpolls *kp, enum kpoll kind, struct broker *br)
{
	switch (kind) {
	case KPOLL_METADATA:
		return &kp->metadata;
	case KPOLL_TOPICS:
		return &kp->topics;
	case KPOLL_WHO:
		return &kp->who;
	case KPOLL_QUEUED:
		return &kp->queued;
	case KPOLL_REASSIGNING:
		return &kp->reassigning;
	case KPOLL_DISKS:
		return &br->disks;
	default:
		return &br->settings;
	}
}

/* A request may go to it now. */
static bool is_open(const struct broker *br, mono_ms now)
{
	return br->link == KPOLLS_LINK_UP && now.ms >= br->silence.ms;
}

/* ---- whom ----------------------------------------------------------------------------------- */

/* Everybody has failed or is of no use. */
static bool nobody_is_left(const struct kpolls *kp)
{
	for (size_t i = 0; i < kp->n; i++)
		if (!kp->v[i].has_failed && !kp->v[i].is_useless)
			return false;
	return true;
}

/* How welcome a broker is for what any can answer: the controller before others, a bootstrap server last. */
static int welcome(const struct kpolls *kp, const struct broker *br)
{
	return is_bootstrap(br) ? 0 : br->id == kp->controller ? 2 : 1;
}

/* Who is up, may be asked and is most welcome; NULL when nobody is. */
static struct broker *anybody_up(const struct kpolls *kp, mono_ms now)
{
	struct broker *best = NULL;

	for (size_t i = 0; i < kp->n; i++)
		if (is_open(&kp->v[i], now) && (kp->metadata.is_first_over || !kp->v[i].is_useless) &&
		    (!best || welcome(kp, &kp->v[i]) > welcome(kp, best)))
			best = &kp->v[i];
	return best;
}

/* Among those that are tried for what any can answer: the most welcome that has not failed, after a while the next one, too; everybody
 * when all have failed. */
static bool is_candidate(const struct kpolls *kp, const struct broker *br, mono_ms now)
{
	size_t before = 0, tried = 1;

	if (nobody_is_left(kp))
		return true;
	if (br->has_failed || br->is_useless)
		return false;
	if (kp->begun.ms && kp->times.next_candidate > 0)
		tried += (size_t)(mono_since(now, kp->begun) / kp->times.next_candidate);
	for (const struct broker *other = kp->v; other < kp->v + kp->n; other++)
		before += !other->has_failed && !other->is_useless &&
			  (welcome(kp, other) > welcome(kp, br) || (welcome(kp, other) == welcome(kp, br) && other < br));
	return before < tried;
}

/* The broker whose word on queued topics counts; NULL when it can't be asked. */
static struct broker *queued_at(const struct kpolls *kp)
{
	struct broker *br = find(kp, kp->named != BROKER_NONE ? kp->named : kp->controller);

	return br && !is_bootstrap(br) ? br : NULL;
}

/* Metadata or reassignments are due and need `br`. */
static bool cluster_needs(const struct kpolls *kp, const struct broker *br, mono_ms now)
{
	bool any = when_is_due(kp, KPOLL_METADATA, &kp->metadata, now) || when_is_due(kp, KPOLL_TOPICS, &kp->topics, now) ||
		   when_is_due(kp, KPOLL_WHO, &kp->who, now);

	if (br->id == kp->controller && when_is_due(kp, KPOLL_REASSIGNING, &kp->reassigning, now) && kp->metadata.is_first_over)
		return true;
	if (br == queued_at(kp) && when_is_due(kp, KPOLL_QUEUED, &kp->queued, now))
		return true;
	/* The controller's own word is wanted, though another's will do. */
	return any && ((br->id == kp->controller && !is_bootstrap(br)) || (!anybody_up(kp, now) && is_candidate(kp, br, now)));
}

bool kpolls_needs(const struct kpolls *kp, int32_t id, mono_ms now)
{
	const struct broker *br = find(kp, id);

	if (!br)
		return false;
	if (!is_bootstrap(br) && (when_is_due(kp, KPOLL_DISKS, &br->disks, now) || when_is_due(kp, KPOLL_SETTINGS, &br->settings, now)))
		return true;
	return cluster_needs(kp, br, now);
}

static struct broker *whom(struct kpolls *kp, enum kpoll kind, mono_ms now)
{
	struct broker *br;

	if (kind != KPOLL_REASSIGNING && kind != KPOLL_QUEUED)
		return anybody_up(kp, now);
	br = kind == KPOLL_QUEUED ? queued_at(kp) : kp->metadata.is_first_over ? find(kp, kp->controller) : NULL;
	return br && is_open(br, now) ? br : NULL;
}

static void go_out(struct poll *po, int32_t id, mono_ms now)
{
	po->is_out = true;
	po->at = id;
	po->asked = now;
}

bool kpolls_next(struct kpolls *kp, mono_ms now, enum kpoll *kind, int32_t *id)
{
	for (int k = KPOLL_METADATA; k <= KPOLL_REASSIGNING; k++) {
		struct poll *po = poll_of(kp, (enum kpoll)k, NULL);
		const struct broker *br = when_is_due(kp, (enum kpoll)k, po, now) ? whom(kp, (enum kpoll)k, now) : NULL;

		if (!br)
			continue;
		go_out(po, br->id, now);
		*kind = (enum kpoll)k;
		*id = br->id;
		return true;
	}
	for (struct broker *br = kp->v; br < kp->v + kp->n; br++)
		for (int k = KPOLL_DISKS; k <= KPOLL_SETTINGS; k++) {
			struct poll *po = poll_of(kp, (enum kpoll)k, br);

			if (!is_open(br, now) || is_bootstrap(br) || !when_is_due(kp, (enum kpoll)k, po, now))
				continue;
			go_out(po, br->id, now);
			*kind = (enum kpoll)k;
			*id = br->id;
			return true;
		}
	return false;
}

/* ---- answers ----------------------------------------------------------------------------------- */

void kpolls_answered(struct kpolls *kp, enum kpoll kind, int32_t id, size_t bytes, bool is_refused, mono_ms now)
{
	struct broker *br = find(kp, id);
	struct poll *po = br ? poll_of(kp, kind, br) : NULL;

	if (!po || !po->is_out || po->at != id)
		return;
	po->is_out = false;
	po->wait = larger(when_moved(kp, kind, bytes), mono_since(now, po->asked) * kp->times.slow);
	if (is_refused)
		po->wait = larger(po->wait, kp->times.refused);
	when_plan_next(kp, kind, po);
	po->is_first_over = true;
	po->is_given_up = false;
	if (kind == KPOLL_METADATA)
		kp->begun = (mono_ms){ 0 };
	if (kind == KPOLL_METADATA || kind == KPOLL_WHO)
		kp->wants_who = false;
}

void kpolls_useless(struct kpolls *kp, enum kpoll kind, int32_t id, mono_ms now)
{
	struct broker *br = find(kp, id);

	if (br && kind == KPOLL_METADATA && !kp->metadata.is_first_over && kp->metadata.is_out) {
		br->is_useless = true;
		kp->metadata.is_out = false;
		return;
	}
	kpolls_answered(kp, kind, id, 0, true, now);
}

void kpolls_throttled(struct kpolls *kp, int32_t id, dur_ms d, mono_ms now)
{
	struct broker *br = find(kp, id);
	mono_ms until = { now.ms + (d < KPOLLS_THROTTLE_MAX_MS ? d : KPOLLS_THROTTLE_MAX_MS) };

	if (br && d > 0 && until.ms > br->silence.ms)
		br->silence = until;
}

bool kpolls_not_controller(struct kpolls *kp, int32_t id, mono_ms now)
{
	bool is_first = !kp->reassigning.is_first_over;

	kpolls_answered(kp, KPOLL_REASSIGNING, id, 0, false, now);
	if (kp->controller == id)
		kp->controller = BROKER_NONE;
	if (is_first && ++kp->not_controller > 1)
		return false;
	if (is_first) {
		/* Both once more. */
		kp->reassigning.is_first_over = kp->metadata.is_first_over = false;
		kp->reassigning.due = (mono_ms){ 0 };
	}
	if (is_first || kp->metadata.wait <= kp->times.metadata)
		kp->metadata.due = (mono_ms){ 0 };
	else
		kp->wants_who = true;
	return true;
}

/* ---- connections ------------------------------------------------------------------------------- */

/* What is out at a broker will not come: it is due again, at others at once. */
static void call_back(struct kpolls *kp, enum kpoll kind, struct poll *po, int32_t id, mono_ms now)
{
	if (!po->is_out || po->at != id)
		return;
	po->is_out = false;
	if (po->is_first_over) {
		po->wait = larger(po->wait, mono_since(now, po->asked) * kp->times.slow);
		if (kind == KPOLL_DISKS || kind == KPOLL_SETTINGS)
			po->due = (mono_ms){ 0 };
	}
}

static void call_all_back(struct kpolls *kp, struct broker *br, mono_ms now)
{
	call_back(kp, KPOLL_METADATA, &kp->metadata, br->id, now);
	call_back(kp, KPOLL_TOPICS, &kp->topics, br->id, now);
	call_back(kp, KPOLL_WHO, &kp->who, br->id, now);
	call_back(kp, KPOLL_QUEUED, &kp->queued, br->id, now);
	call_back(kp, KPOLL_REASSIGNING, &kp->reassigning, br->id, now);
	call_back(kp, KPOLL_DISKS, &br->disks, br->id, now);
	call_back(kp, KPOLL_SETTINGS, &br->settings, br->id, now);
}

static unsigned give_up_own(const struct kpolls *kp, struct broker *br)
{
	unsigned given = 0;

	for (int k = KPOLL_DISKS; k <= KPOLL_SETTINGS && !is_bootstrap(br); k++) {
		struct poll *po = k == KPOLL_DISKS ? &br->disks : &br->settings;

		if (has_kind(kp, (enum kpoll)k) && !po->is_first_over)
			given |= 1u << k;
		po->is_first_over = true;
	}
	return given;
}

unsigned kpolls_link(struct kpolls *kp, int32_t id, enum kpolls_link link, mono_ms now)
{
	struct broker *br = find(kp, id);
	enum kpolls_link was;

	if (!br)
		return 0;
	was = br->link;
	br->link = link;
	if (link == KPOLLS_LINK_UP) {
		br->has_failed = false;
		/* It may have been started with others. */
		if (was != KPOLLS_LINK_UP && br->settings.is_first_over)
			br->settings.due = (mono_ms){ 0 };
		return 0;
	}
	call_all_back(kp, br, now);
	if (link != KPOLLS_LINK_FAILED)
		return 0;
	br->has_failed = true;
	return give_up_own(kp, br);
}

/* ---- the first round ---------------------------------------------------------------------------- */

static void give_up(struct poll *po)
{
	po->is_first_over = po->is_given_up = true;
}

/* There is somebody else to ask now. */
static void take_up_again(struct poll *po)
{
	if (po->is_given_up)
		po->is_first_over = po->is_given_up = false;
}

/* Who stays asks for queued topics all the time; who does not, once, when they are known. */
static bool awaits_queued(const struct kpolls *kp)
{
	return kp->once && has_kind(kp, KPOLL_QUEUED) && kp->has_queued && !kp->queued.is_first_over;
}

unsigned kpolls_give_up(struct kpolls *kp)
{
	const struct broker *br;
	unsigned given = 0;

	if (!kp->is_known)
		return 0;
	if (has_kind(kp, KPOLL_METADATA) && !kp->metadata.is_first_over && !kp->metadata.is_out && nobody_is_left(kp)) {
		give_up(&kp->metadata);
		given |= 1u << KPOLL_METADATA;
	}
	br = queued_at(kp);
	if (awaits_queued(kp) && kp->metadata.is_first_over && (!br || br->has_failed)) {
		give_up(&kp->queued);
		given |= 1u << KPOLL_QUEUED;
	}
	br = find(kp, kp->controller);
	if (has_kind(kp, KPOLL_REASSIGNING) && !kp->reassigning.is_first_over && kp->metadata.is_first_over &&
	    (!br || br->has_failed)) {
		give_up(&kp->reassigning);
		given |= 1u << KPOLL_REASSIGNING;
	}
	return given;
}

bool kpolls_is_first_over(const struct kpolls *kp)
{
	if (!kp->is_known || (has_kind(kp, KPOLL_METADATA) && !kp->metadata.is_first_over) ||
	    (has_kind(kp, KPOLL_REASSIGNING) && !kp->reassigning.is_first_over) || awaits_queued(kp))
		return false;
	for (const struct broker *br = kp->v; br < kp->v + kp->n; br++)
		if (!is_bootstrap(br) && ((has_kind(kp, KPOLL_DISKS) && !br->disks.is_first_over) ||
					  (has_kind(kp, KPOLL_SETTINGS) && !br->settings.is_first_over)))
			return false;
	return true;
}

/* ---- what it is told ------------------------------------------------------------------------------ */

void kpolls_brokers(struct kpolls *kp, const int32_t *ids, size_t n, mono_ms now)
{
	struct broker *v = mem_array(n + 1, sizeof(*v));
	bool has_new = false;

	for (size_t i = 0; i < n; i++) {
		const struct broker *old = find(kp, ids[i]);

		if (old)
			v[i] = *old;
		v[i].id = ids[i];
		has_new = has_new || !old;
	}
	if (has_new) {
		take_up_again(&kp->metadata);
		take_up_again(&kp->reassigning);
	}
	for (size_t i = 0; i < kp->n; i++) {
		bool stays = false;

		for (size_t k = 0; k < n && !stays; k++)
			stays = ids[k] == kp->v[i].id;
		if (!stays)
			call_all_back(kp, &kp->v[i], now);
	}
	mem_free(&kp->v);
	kp->v = v;
	kp->n = n;
	kp->is_known = true;
	if (!kp->begun.ms && !kp->metadata.is_first_over)
		kp->begun = now;
}

void kpolls_controller(struct kpolls *kp, int32_t id)
{
	kp->controller = id;
}

void kpolls_want(struct kpolls *kp, bool has_topics, bool disks_often, bool is_looking)
{
	kp->has_topics = has_topics;
	kp->disks_often = disks_often;
	kp->is_looking = is_looking;
}

void kpolls_queued(struct kpolls *kp, bool has_topics, mono_ms hot_until, int32_t controller, const struct kpolls_host *hosts, size_t n)
{
	kp->has_queued = has_topics;
	kp->queued.hot_until = hot_until;
	kp->named = controller;
	for (struct broker *br = kp->v; br < kp->v + kp->n; br++) {
		br->disks.is_host = false;
		br->disks.hot_until = (mono_ms){ 0 };
		for (size_t i = 0; i < n; i++)
			if (hosts[i].id == br->id) {
				br->disks.is_host = true;
				br->disks.hot_until = hosts[i].hot_until;
			}
	}
}

bool kpolls_read(struct kpolls *kp, bool has_unread, uint64_t takes, mono_ms now)
{
	if (!has_unread || takes != kp->takes || kp->taken.ms == 0) {
		kp->takes = takes;
		kp->taken = now;
	}
	kp->is_unread = mono_since(now, kp->taken) >= kp->times.unread;
	return !kp->is_unread;
}

/* ---- what comes next ---------------------------------------------------------------------------------- */

/* Takes the time at which a poll becomes due. One that is due now waits for a connection, or for another call. */
static void sooner(const struct kpolls *kp, enum kpoll kind, const struct poll *po, mono_ms now, mono_ms *best)
{
	mono_ms at = when_due_at(kp, kind, po);

	if (at.ms <= now.ms || !when_is_due(kp, kind, po, at))
		return;
	if (!best->ms || at.ms < best->ms)
		*best = at;
}

mono_ms kpolls_deadline(const struct kpolls *kp, mono_ms now)
{
	mono_ms best = { 0 };

	sooner(kp, KPOLL_METADATA, &kp->metadata, now, &best);
	sooner(kp, KPOLL_TOPICS, &kp->topics, now, &best);
	sooner(kp, KPOLL_QUEUED, &kp->queued, now, &best);
	sooner(kp, KPOLL_REASSIGNING, &kp->reassigning, now, &best);
	for (const struct broker *br = kp->v; br < kp->v + kp->n; br++) {
		/* What waits for it alone is due then; the cluster's polls may be. */
		if (br->silence.ms > now.ms && (!best.ms || br->silence.ms < best.ms))
			best = br->silence;
		if (is_bootstrap(br))
			continue;
		sooner(kp, KPOLL_DISKS, &br->disks, now, &best);
		sooner(kp, KPOLL_SETTINGS, &br->settings, now, &best);
	}
	/* The next candidate. */
	if (kp->begun.ms && kp->n > 1 && when_is_due(kp, KPOLL_METADATA, &kp->metadata, now) && !anybody_up(kp, now) && !nobody_is_left(kp)) {
		dur_ms step = larger(kp->times.next_candidate, 1);
		mono_ms at = { kp->begun.ms + (mono_since(now, kp->begun) / step + 1) * step };

		if ((size_t)(mono_since(at, kp->begun) / step) < kp->n && (!best.ms || at.ms < best.ms))
			best = at;
	}
	return best;
}

struct kpolls *kpolls_new(const struct kpolls_times *times, unsigned kinds, bool once, uint64_t seed)
{
	struct kpolls *kp = mem_zalloc(sizeof(*kp));

	kp->times = *times;
	kp->kinds = kinds;
	kp->once = once;
	kp->seed = seed;
	kp->is_looking = true;
	kp->v = mem_array(1, sizeof(*kp->v)); /* never NULL */
	kp->controller = kp->named = BROKER_NONE;
	return kp;
}

void kpolls_free(struct kpolls **pp)
{
	if (*pp == NULL)
		return;
	mem_free(&(*pp)->v);
	mem_free(pp);
}
