/* SPDX-License-Identifier: Apache-2.0 */
/* When polls are due, by their kind, what the last answer was, and chance. */
#include "io/kpolls_parts.h"

const struct kpolls_times kpolls_times_usual = {
	.metadata = 5000, .topics = 5000, .reassigning = 5000, .disks = 30000, .disks_often = 10000, .settings = 60000,
	.queued = 5000, .queued_hot = 2000, .disks_hot = 2000,
	.metadata_bytes_per_s = 100 * 1000, .disks_bytes_per_s = 20 * 1000,
	.slow = 5,
	.jitter_percent = 10,
	.refused = 30000,
	.next_candidate = 1000,
	.backoff_first = 250, .backoff_most = 30000,
	.idle = 60000,
	.tell = 5000,
	.silent = 5000,
	.unread = 5000,
};

/* splitmix64 */
static uint64_t chance(struct kpolls *kp)
{
	uint64_t z = (kp->seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

dur_ms kpolls_jitter(struct kpolls *kp, dur_ms d)
{
	dur_ms most = d * kp->times.jitter_percent / 100;

	return most > 0 ? d - most + (dur_ms)(chance(kp) % (uint64_t)(2 * most + 1)) : d;
}

dur_ms kpolls_retry(struct kpolls *kp, dur_ms *backoff, bool is_refused)
{
	*backoff = *backoff ? *backoff * 2 : kp->times.backoff_first;
	if (*backoff > kp->times.backoff_most)
		*backoff = kp->times.backoff_most;
	return kpolls_jitter(kp, is_refused ? larger(*backoff, kp->times.refused) : *backoff);
}

static dur_ms usual(const struct kpolls *kp, enum kpoll kind, const struct poll *po)
{
	bool is_hot = po->asked.ms < po->hot_until.ms;

	switch (kind) {
	case KPOLL_METADATA:
		return kp->times.metadata;
	case KPOLL_TOPICS:
		return kp->times.topics;
	case KPOLL_REASSIGNING:
		return kp->times.reassigning;
	case KPOLL_QUEUED:
		return is_hot ? kp->times.queued_hot : kp->times.queued;
	case KPOLL_DISKS:
		if (po->is_host)
			return is_hot ? kp->times.disks_hot : kp->times.disks_often;
		return kp->disks_often ? kp->times.disks_often : kp->times.disks;
	default:
		return kp->times.settings;
	}
}

dur_ms when_moved(const struct kpolls *kp, enum kpoll kind, size_t bytes)
{
	int64_t rate = kind == KPOLL_METADATA || kind == KPOLL_TOPICS || kind == KPOLL_QUEUED ? kp->times.metadata_bytes_per_s :
		       kind == KPOLL_DISKS ? kp->times.disks_bytes_per_s : 0;

	return rate > 0 ? (dur_ms)((int64_t)bytes * 1000 / rate) : 0;
}

/* Between two of a kind, by what the last answer was. */
static dur_ms interval(const struct kpolls *kp, enum kpoll kind, const struct poll *po)
{
	return larger(usual(kp, kind, po), po->wait);
}

mono_ms when_due_at(const struct kpolls *kp, enum kpoll kind, const struct poll *po)
{
	bool may_hurry = kind == KPOLL_QUEUED || (kind == KPOLL_DISKS && (kp->disks_often || po->is_host));
	mono_ms often = { po->asked.ms + interval(kp, kind, po) };

	return may_hurry && po->asked.ms && often.ms < po->due.ms ? often : po->due;
}

static bool is_watched(const struct kpolls *kp)
{
	return kp->is_looking && !kp->is_unread;
}

bool when_is_due(const struct kpolls *kp, enum kpoll kind, const struct poll *po, mono_ms now)
{
	if (kind == KPOLL_WHO)
		return kp->wants_who && is_watched(kp) && !po->is_out;
	if (po->is_out || !has_kind(kp, kind) || (po->is_first_over && (kp->once || !is_watched(kp))))
		return false;
	if (kind == KPOLL_QUEUED && !kp->has_queued)
		return false;
	if (kind == KPOLL_TOPICS && (!kp->has_topics || !is_watched(kp) || !kp->metadata.is_first_over ||
				     interval(kp, KPOLL_METADATA, &kp->metadata) <= kp->times.topics))
		return false;
	return now.ms >= when_due_at(kp, kind, po).ms;
}

void when_plan_next(struct kpolls *kp, enum kpoll kind, struct poll *po)
{
	dur_ms d = kpolls_jitter(kp, interval(kp, kind, po));

	/* All were asked at once at first: the second time is anywhere in the latter half, so that they spread. */
	if (!po->is_first_over && (kind == KPOLL_DISKS || kind == KPOLL_SETTINGS))
		d = larger(d / 2 + (dur_ms)(chance(kp) % (uint64_t)(d / 2 + 1)), po->wait);
	po->due = (mono_ms){ po->asked.ms + d };
}
