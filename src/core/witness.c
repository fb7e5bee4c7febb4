/* SPDX-License-Identifier: Apache-2.0 */
/* A witness by itself: made, copied, joined with another one. What is seen is written by core/model_witness.c and core/model_observe.c. */
#include "core/witness.h"

#include <string.h>

#include "base/mem.h"

struct witness *witness_new(const char *topic, int64_t czxid)
{
	struct witness *wi = mem_zalloc(sizeof(*wi));

	wi->topic = mem_strdup(topic);
	wi->czxid = czxid;
	wi->n_children = -1;
	wi->epoch_first = wi->ctrl_epoch = -1;
	wi->end_controller = BROKER_NONE;
	wi->end_enabled = -1;
	return wi;
}

struct witness *witness_copy(const struct witness *wi)
{
	struct witness *out = mem_dup(wi, sizeof(*wi));

	out->topic = mem_strdup(wi->topic);
	if (wi->n_replicas > 0)
		out->replicas = mem_dup(wi->replicas, wi->n_replicas * sizeof(*wi->replicas));
	for (size_t i = 0; i < wi->n_replicas; i++)
		if (wi->replicas[i].dir != NULL)
			out->replicas[i].dir = mem_strdup(wi->replicas[i].dir);
	if (wi->n_attempts > 0)
		out->attempts = mem_dup(wi->attempts, wi->n_attempts * sizeof(*wi->attempts));
	return out;
}

void witness_free(struct witness **pp)
{
	struct witness *wi = *pp;

	if (wi == NULL)
		return;
	for (size_t i = 0; i < wi->n_replicas; i++)
		mem_free(&wi->replicas[i].dir);
	mem_free(&wi->replicas);
	mem_free(&wi->attempts);
	mem_free(&wi->topic);
	mem_free(pp);
}

bool witness_is_live(const struct witness *wi)
{
	return wi->end == WITNESS_OPEN || wi->end == WITNESS_MARKER_GONE;
}

/* Where the replicas of a partition begin, or would. */
static size_t partition_place(const struct witness *wi, int32_t partition)
{
	size_t lo = 0, hi = wi->n_replicas;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (wi->replicas[mid].partition < partition)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct witness_replica *witness_replica_find(const struct witness *wi, int32_t partition, int32_t broker)
{
	for (size_t i = partition_place(wi, partition); i < wi->n_replicas && wi->replicas[i].partition == partition; i++)
		if (wi->replicas[i].broker == broker)
			return &wi->replicas[i];
	return NULL;
}

uint32_t witness_gone(const struct witness *wi)
{
	uint32_t n = 0;

	for (size_t i = 0; i < wi->n_replicas; i++)
		n += wi->replicas[i].gone.ms != 0;
	return n;
}

/* ---- attempts ------------------------------------------------------------------------- */

/* That the marker came is one attempt, seen or found. */
static bool is_beginning(const struct witness_attempt *at)
{
	return at->trigger == WITNESS_MARKED || at->trigger == WITNESS_FOUND;
}

static struct witness_attempt *attempt_find(const struct witness *wi, const struct witness_attempt *at)
{
	for (size_t i = 0; i < wi->n_attempts; i++) {
		struct witness_attempt *is = &wi->attempts[i];

		if (at->trigger == WITNESS_CONTROLLER ? is->trigger == WITNESS_CONTROLLER && is->epoch == at->epoch :
		    is->at.ms == at->at.ms && ((is_beginning(is) && is_beginning(at)) || (is->trigger == at->trigger && is->id == at->id)))
			return is;
	}
	return NULL;
}

/* The first one tells how it began, the last ones how it stands. */
static void drop_one(struct witness *wi)
{
	memmove(&wi->attempts[1], &wi->attempts[2], (--wi->n_attempts - 1) * sizeof(*wi->attempts));
	wi->n_dropped++;
}

/* Both are of one attempt. */
static bool attempt_merge(struct witness_attempt *at, const struct witness_attempt *other)
{
	struct witness_attempt was = *at;

	if (at->trigger == WITNESS_FOUND && other->trigger == WITNESS_MARKED)
		at->trigger = WITNESS_MARKED;
	if (at->id < 0)
		at->id = other->id;
	at->effect_seen |= other->effect_seen;
	if (at->rested.ms == 0 || (other->rested.ms > at->rested.ms && other->done + other->left > 0)) {
		at->rested = other->rested;
		at->done = other->done;
		at->left = other->left;
		memcpy(at->why, other->why, sizeof(at->why));
	}
	return was.trigger != at->trigger || was.id != at->id || was.effect_seen != at->effect_seen || was.rested.ms != at->rested.ms;
}

bool witness_attempt_say(struct witness_attempt *at, const char *why)
{
	char was[WITNESS_WHY_MAX];
	size_t n = strlen(why);

	memcpy(was, at->why, sizeof(was));
	if (n >= sizeof(at->why))
		for (n = sizeof(at->why) - 1; n > 0 && ((unsigned char)why[n] & 0xC0) == 0x80;)
			n--;
	memset(at->why, 0, sizeof(at->why));
	memcpy(at->why, why, n);
	return memcmp(was, at->why, sizeof(was)) != 0;
}

bool witness_attempt_add(struct witness *wi, const struct witness_attempt *at)
{
	struct witness_attempt *is = attempt_find(wi, at);
	size_t i = wi->n_attempts;

	if (is != NULL) {
		if (is->id < 0)
			is->id = at->id;
		return false;
	}
	wi->attempts = mem_realloc_array(wi->attempts, wi->n_attempts + 1, sizeof(*wi->attempts));
	while (i > 0 && wi->attempts[i - 1].at.ms > at->at.ms)
		i--;
	memmove(&wi->attempts[i + 1], &wi->attempts[i], (wi->n_attempts - i) * sizeof(*wi->attempts));
	wi->attempts[i] = *at;
	wi->n_attempts++;
	for (size_t k = 0; k + 1 < wi->n_attempts; k++)
		if (wi->attempts[k].rested.ms == 0)
			wi->attempts[k].rested = wi->attempts[k + 1].at;
	if (wi->n_attempts > WITNESS_ATTEMPTS_MAX)
		drop_one(wi);
	return true;
}

/* ---- joining ---------------------------------------------------------------------------- */

static wall_ms latest(wall_ms a, wall_ms b)
{
	return a.ms > b.ms ? a : b;
}

/* The earlier of two of which {0} is none. */
static bool is_earlier(wall_ms a, wall_ms b)
{
	return a.ms != 0 && (b.ms == 0 || a.ms < b.ms);
}

/* The last answer of which it has something. */
static wall_ms newest(const struct witness_replica *wr)
{
	return latest(wr->listed, latest(wr->gone, wr->dir_failed));
}

/* What happened first is of interest, unless it was listed again after that. */
static bool replica_merge(struct witness_replica *wr, const struct witness_replica *other)
{
	bool changed = newest(other).ms > newest(wr).ms, refilled = other->refilled || wr->refilled;
	struct witness_replica old = *wr, in = *other;

	if (changed) { /* the other is the basis */
		*wr = in;
		wr->dir = in.dir != NULL ? mem_strdup(in.dir) : NULL;
		in = old;
	}
	if (wr->dir == NULL && in.dir != NULL) {
		wr->dir = mem_strdup(in.dir);
		wr->size_bytes = in.size_bytes;
		wr->listed = in.listed;
		changed = true;
	}
	if (wr->gone.ms != 0 && is_earlier(in.gone, wr->gone) && in.gone.ms > wr->listed.ms) {
		wr->gone = in.gone;
		wr->gone_epoch = in.gone_epoch;
		changed = true;
	}
	if (is_earlier(in.dir_failed, wr->dir_failed) && in.dir_failed.ms > wr->listed.ms) {
		wr->dir_failed = in.dir_failed;
		wr->dir_failed_epoch = in.dir_failed_epoch;
		changed = true;
	}
	if (wr->broker_czxid < in.broker_czxid)
		wr->broker_czxid = in.broker_czxid;
	changed |= refilled != wr->refilled;
	wr->refilled = refilled;
	if (wr->dir != old.dir)
		mem_free(&old.dir);
	return changed;
}

static void replica_insert(struct witness *wi, const struct witness_replica *wr)
{
	size_t at = partition_place(wi, wr->partition);

	while (at < wi->n_replicas && wi->replicas[at].partition == wr->partition)
		at++;
	wi->replicas = mem_realloc_array(wi->replicas, wi->n_replicas + 1, sizeof(*wi->replicas));
	memmove(&wi->replicas[at + 1], &wi->replicas[at], (wi->n_replicas++ - at) * sizeof(*wi->replicas));
	wi->replicas[at] = *wr;
	if (wr->dir != NULL)
		wi->replicas[at].dir = mem_strdup(wr->dir);
}

static bool replicas_merge(struct witness *wi, const struct witness *other)
{
	bool changed = false;

	for (size_t i = 0; i < other->n_replicas; i++) {
		const struct witness_replica *wr = &other->replicas[i], *is = witness_replica_find(wi, wr->partition, wr->broker);

		if (is != NULL) {
			changed |= replica_merge(&wi->replicas[is - wi->replicas], wr);
			continue;
		}
		replica_insert(wi, wr);
		changed = true;
	}
	return changed;
}

static bool attempts_merge(struct witness *wi, const struct witness *other)
{
	bool changed = false;

	for (size_t i = 0; i < other->n_attempts; i++) {
		struct witness_attempt *is = attempt_find(wi, &other->attempts[i]);

		changed |= is != NULL ? attempt_merge(is, &other->attempts[i]) :
			   wi->n_dropped == 0 && witness_attempt_add(wi, &other->attempts[i]);
	}
	if (wi->n_dropped < other->n_dropped)
		wi->n_dropped = other->n_dropped;
	return changed;
}

/* Who the controller was when the marker went. That two were it, and said different things, can't become known again. */
static bool refuser_merge(struct witness *wi, const struct witness *other)
{
	if (wi->end != other->end || wi->end_is_open || (!other->end_is_open && (wi->end_enabled >= 0 || other->end_enabled < 0)))
		return false;
	wi->end_controller = other->end_controller;
	wi->end_enabled = other->end_enabled;
	wi->end_is_open = other->end_is_open;
	return true;
}

static bool head_merge(struct witness *wi, const struct witness *other)
{
	bool changed = false;

	if (wi->marker_czxid == 0 && other->marker_czxid != 0) {
		wi->marker_czxid = other->marker_czxid;
		wi->marked = other->marked;
		changed = true;
	}
	if (is_earlier(other->first_seen, wi->first_seen)) {
		wi->first_seen = other->first_seen;
		wi->epoch_first = other->epoch_first >= 0 ? other->epoch_first : wi->epoch_first;
		changed = true;
	}
	if (is_earlier(other->pass_seen, wi->pass_seen)) {
		wi->pass_seen = other->pass_seen;
		changed = true;
	}
	changed |= wi->is_unmarked && !other->is_unmarked;
	wi->is_unmarked &= other->is_unmarked;
	changed |= other->was_alive && !wi->was_alive;
	wi->was_alive |= other->was_alive;
	if (wi->ctrl_polls == 0 && other->ctrl_polls > 0) {
		wi->ctrl_lists = other->ctrl_lists;
		wi->ctrl_since = other->ctrl_since;
		wi->ctrl_polls = other->ctrl_polls;
		wi->ctrl_epoch = other->ctrl_epoch;
		changed = true;
	}
	changed |= refuser_merge(wi, other);
	wi->changed = latest(wi->changed, other->changed);
	return changed;
}

bool witness_merge(struct witness *wi, const struct witness *other)
{
	bool changed = head_merge(wi, other);

	changed |= replicas_merge(wi, other);
	changed |= attempts_merge(wi, other);
	return changed;
}
