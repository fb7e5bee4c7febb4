/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is seen of a deletion while it goes on or waits: its replicas by what their brokers list, what a pass leaves in state nodes, and
 * whether the controller still lists the topic. The rules are those of reference 2.9, 2.10, 3.5; where they look the same, see lookalikes.
 */
#include <string.h>

#include "base/mem.h"
#include "core/metadata.h"
#include "core/model_priv.h"

enum { DIRTY_AT_MOST_MS = 60000 }; /* that it was listed again as before is not kept more often */

/* ---- the assignment --------------------------------------------------------------------- */

static void listed(struct witness_replica *wr, const struct disks *ds, const struct disk_replica *dr, wall_ms at)
{
	const char *dir = ds->dirs[dr->dir].path;

	if (wr->dir == NULL || strcmp(wr->dir, dir) != 0) {
		mem_free(&wr->dir);
		wr->dir = mem_strdup(dir);
	}
	wr->size_bytes = dr->size_bytes;
	wr->listed = at;
	wr->gone = wr->dir_failed = (wall_ms){ 0 };
	wr->gone_epoch = wr->dir_failed_epoch = -1;
}

static const struct disk_dir *dir_find(const struct disks *ds, const char *path)
{
	for (size_t i = 0; i < ds->n_dirs; i++)
		if (strcmp(ds->dirs[i].path, path) == 0)
			return &ds->dirs[i];
	return NULL;
}

/* It lay in a dir that failed before there was a witness. What is kept of such a dir may be of an earlier topic of the name. */
static void find_lost(struct witness_replica *wr, const struct broker *br, const struct topic *tp)
{
	const struct disk_replica *dr = br->lost != NULL ? disks_replica(br->lost, tp->name, wr->partition, false) : NULL;
	const struct disk_dir *dir = dr != NULL ? dir_find(br->disks, br->lost->dirs[dr->dir].path) : NULL;

	if (dir == NULL || dir->error == 0 || tp->created.ms > br->lost_seen.ms)
		return;
	listed(wr, br->lost, dr, br->lost_seen);
	wr->dir_failed = dir->failed;
	wr->dir_failed_epoch = dir->failed_epoch;
}

/* Its broker's last answer, from before there was a witness: where it lay. That it was not listed then says nothing, as it may be younger. */
static struct witness_replica replica_new(struct model *md, const struct topic *tp, int32_t partition, int32_t broker)
{
	struct witness_replica wr = { .partition = partition, .broker = broker, .size_bytes = -1, .gone_epoch = -1, .dir_failed_epoch = -1 };
	const struct broker *br = model_broker_find(md, broker);
	const struct disk_replica *dr;

	if (br == NULL || br->disks == NULL)
		return wr;
	dr = disks_replica(br->disks, tp->name, partition, false);
	if (dr != NULL)
		listed(&wr, br->disks, dr, br->disks_seen);
	else
		find_lost(&wr, br, tp);
	if (wr.dir != NULL && br->czxid != 0 && br->since_exact && br->up && br->since.ms <= br->disks_seen.ms)
		wr.broker_czxid = br->czxid;
	return wr;
}

static bool has_all(const struct witness *wi, const struct topic *tp)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		for (uint32_t j = 0; j < tp->parts[i].n_replicas; j++)
			if (witness_replica_find(wi, tp->parts[i].id, tp->parts[i].ids[j]) == NULL)
				return false;
	return true;
}

/* Replicas that are no longer assigned stay, behind the others of their partition. */
static size_t put_leftovers(struct witness_replica *fresh, size_t n, struct witness *old)
{
	for (size_t i = 0; i < old->n_replicas; i++) {
		size_t at = n;

		if (old->replicas[i].broker == BROKER_NONE)
			continue;
		while (at > 0 && fresh[at - 1].partition > old->replicas[i].partition)
			at--;
		memmove(&fresh[at + 1], &fresh[at], (n++ - at) * sizeof(*fresh));
		fresh[at] = old->replicas[i];
	}
	return n;
}

void model_observe_assignment(struct model *md, struct witness *wi, const struct topic *tp)
{
	struct witness_replica *fresh;
	size_t n = wi->n_replicas;

	if (has_all(wi, tp))
		return;
	for (size_t i = 0; i < tp->n_parts; i++)
		n += tp->parts[i].n_replicas;
	fresh = mem_array(n, sizeof(*fresh));
	n = 0;
	for (size_t i = 0; i < tp->n_parts; i++)
		for (uint32_t j = 0; j < tp->parts[i].n_replicas; j++) {
			const struct witness_replica *is = witness_replica_find(wi, tp->parts[i].id, tp->parts[i].ids[j]);

			fresh[n++] = is != NULL ? *is : replica_new(md, tp, tp->parts[i].id, tp->parts[i].ids[j]);
			if (is != NULL)
				wi->replicas[is - wi->replicas].broker = BROKER_NONE; /* taken over */
		}
	n = put_leftovers(fresh, n, wi);
	mem_free(&wi->replicas);
	wi->replicas = fresh;
	wi->n_replicas = n;
	model_witness_touch(md, wi);
}

/* ---- log dirs ------------------------------------------------------------------------------ */

/* The broker does not list it. True when that is news. */
static bool unlisted(const struct model *md, struct witness_replica *wr, const struct disks *ds)
{
	const struct disk_dir *dir = wr->dir != NULL ? dir_find(ds, wr->dir) : NULL;

	if (dir != NULL && dir->error != 0) {
		if (wr->dir_failed.ms != 0)
			return false;
		wr->dir_failed = md->seen;
		wr->dir_failed_epoch = model_controller_epoch(&md->cl);
		return true;
	}
	if (wr->gone.ms != 0 || (dir == NULL && disks_unread(ds) > 0))
		return false;
	wr->gone = md->seen;
	wr->gone_epoch = model_controller_epoch(&md->cl);
	return true;
}

/* True when that is news; that it grew is none: while nothing is deleted it is written to. */
static bool seen_listed(const struct model *md, struct witness_replica *wr, const struct disks *ds, const struct disk_replica *dr)
{
	bool is_news = wr->gone.ms != 0 || wr->dir_failed.ms != 0 || wr->dir == NULL || strcmp(wr->dir, ds->dirs[dr->dir].path) != 0;

	if (wr->gone.ms != 0 && dr->size_bytes == 0)
		wr->refilled = true;
	listed(wr, ds, dr, md->seen);
	return is_news;
}

/* What one answer says of one replica that its broker is to hold. True when that is news. */
static bool observe_replica(const struct model *md, const char *topic, struct witness_replica *wr, const struct broker *br)
{
	const struct disk_replica *dr = disks_replica(br->disks, topic, wr->partition, false);

	wr->broker_czxid = br->czxid;
	if (dr != NULL)
		return seen_listed(md, wr, br->disks, dr);
	return disks_replica(br->disks, topic, wr->partition, true) == NULL && unlisted(md, wr, br->disks);
}

enum presence { PRESENCE_UNKNOWN, PRESENCE_LISTED, PRESENCE_AWAY };

static enum presence presence_of(const struct witness_replica *wr)
{
	return wr->gone.ms != 0 || wr->dir_failed.ms != 0 ? PRESENCE_AWAY : wr->listed.ms != 0 ? PRESENCE_LISTED : PRESENCE_UNKNOWN;
}

/* The replicas of one deletion on one broker. What is seen for the first time is news, and no move. */
static void observe_host(struct model *md, struct witness *wi, const struct broker *br)
{
	bool has_moved = false, has_news = false, has_any = false;

	for (size_t i = 0; i < wi->n_replicas; i++) {
		struct witness_replica *wr = &wi->replicas[i];
		enum presence was = presence_of(wr);

		if (wr->broker != br->id)
			continue;
		has_any = true;
		has_news |= observe_replica(md, wi->topic, wr, br);
		has_moved |= was != PRESENCE_UNKNOWN && presence_of(wr) != was;
	}
	if (has_moved)
		model_witness_moved(md, wi);
	else if (has_news)
		model_witness_touch(md, wi);
	else if (has_any && md->seen.ms - wi->dirtied.ms >= DIRTY_AT_MOST_MS) {
		wi->is_dirty = true;
		wi->dirtied = md->seen;
		md->bits |= CHG_DELETIONS;
	}
}

void model_observe_disks(struct model *md, const struct broker *br)
{
	if (br->disks->n_dirs == 0)
		return; /* a broker has at least one: this one told nothing */
	for (size_t i = 0; i < md->cl.n_witnesses; i++)
		if (witness_is_live(md->cl.witnesses[i]))
			observe_host(md, md->cl.witnesses[i], br);
}

/* ---- state nodes ------------------------------------------------------------------------------ */

static bool has_signature(const struct partition *pt)
{
	return pt->state.know == KNOW_PRESENT && pt->state.source == SOURCE_ZOOKEEPER && pt->leader < 0 && pt->n_isr == 1;
}

/* The last member of its ISR could lead: that nobody does is the controller's doing. */
static bool could_lead(const struct cluster *cl, const struct partition *pt)
{
	const struct broker *br = cluster_broker_find(cl, pt->isr[0]);

	return cluster_broker_alive(cl, pt->isr[0]) == KNOW_PRESENT && br->disks != NULL && disks_unread(br->disks) == 0;
}

static bool pass_has_run(const struct cluster *cl, const struct topic *tp)
{
	bool has_all = true;
	size_t n = 0;

	for (size_t i = 0; i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];

		if (has_signature(pt) && could_lead(cl, pt))
			return true;
		n += has_signature(pt);
		has_all &= has_signature(pt) || pt->state.know == KNOW_ABSENT;
	}
	return has_all && n > 0;
}

void model_observe_states(struct model *md, struct witness *wi, const struct topic *tp)
{
	bool is_alive = false;

	if (wi->end != WITNESS_OPEN)
		return;
	for (size_t i = 0; i < tp->n_parts && !wi->was_alive; i++)
		is_alive |= tp->parts[i].state.know == KNOW_PRESENT && tp->parts[i].state.source == SOURCE_ZOOKEEPER && tp->parts[i].leader >= 0;
	if (is_alive) {
		wi->was_alive = true;
		model_witness_touch(md, wi);
	}
	if (wi->pass_seen.ms == 0 && pass_has_run(&md->cl, tp)) {
		wi->pass_seen = md->seen;
		model_witness_touch(md, wi);
	}
}

void model_observe_state(struct model *md, const struct topic *tp, const struct state_was *was, const struct partition *pt)
{
	struct witness *wi = model_witness_live(md, tp->name);

	if (wi == NULL || wi->czxid != tp->czxid)
		return;
	model_observe_states(md, wi, tp);
	/* A leader elsewhere, or another ISR, is life going on. */
	if (pt->leader < 0 && was->know != KNOW_UNKNOWN && was->source == SOURCE_ZOOKEEPER &&
	    (was->know != pt->state.know || was->leader != pt->leader || was->leader_epoch != pt->leader_epoch || was->n_isr != pt->n_isr))
		model_witness_moved(md, wi);
}

/* ---- the controller's own word ------------------------------------------------------------------ */

/* Of others it means nothing: they may have missed that the topic went, or hear of it late (reference 2.10). */
static bool is_controllers(const struct cluster *cl, const struct event *ev)
{
	return cl->controller_fact.know == KNOW_PRESENT && cl->controller_fact.source == SOURCE_ZOOKEEPER &&
		cl->controller_fact.epoch == cl->epoch && ev->id >= 0 && cl->controller.broker == ev->id;
}

void model_observe_word(struct model *md, const struct event *ev, const char *topic, enum know says)
{
	struct witness *wi = model_witness_live(md, topic);
	int32_t epoch = model_controller_epoch(&md->cl);

	if (wi == NULL || !is_controllers(&md->cl, ev))
		return;
	if (wi->ctrl_lists != says || wi->ctrl_epoch != epoch) {
		wi->ctrl_since = ev->seen_wall;
		wi->ctrl_polls = 0;
		wi->ctrl_lists = (uint8_t)says;
		wi->ctrl_epoch = epoch;
	}
	if (wi->ctrl_polls < UINT16_MAX)
		wi->ctrl_polls++;
	if (wi->ctrl_polls <= 3) /* later ones say no more */
		model_witness_touch(md, wi);
}

void model_observe_forget(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_witnesses; i++) {
		struct witness *wi = md->cl.witnesses[i];

		wi->ctrl_lists = KNOW_UNKNOWN;
		wi->ctrl_polls = 0;
		wi->ctrl_epoch = -1;
		wi->ctrl_since = (wall_ms){ 0 };
		for (size_t k = 0; k < wi->n_replicas; k++) {
			struct witness_replica *wr = &wi->replicas[k];

			mem_free(&wr->dir);
			*wr = (struct witness_replica){ .partition = wr->partition, .broker = wr->broker, .size_bytes = -1,
				.gone_epoch = -1, .dir_failed_epoch = -1 };
		}
		model_witness_touch(md, wi);
	}
}
