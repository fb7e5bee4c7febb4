/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's log dirs: what each broker says lies on its disks, the sizes of
 * topics that come of it, and which replicas are orphans.
 *
 * An answer is a whole: it is merged with the one before in one pass over both,
 * so that only topics whose size changed are touched.
 */
#include <string.h>

#include "base/mem.h"
#include "base/map.h"
#include "core/model_priv.h"

/* ---- runs ----------------------------------------------------------------------------- */

/* The replicas of one name in an answer. */
struct run {
	struct disk_replica *v;
	size_t n;
};

static struct run run_at(const struct disks *ds, size_t at)
{
	struct run r = { NULL, 0 };

	if (ds == NULL || at >= ds->n_replicas)
		return r;
	r.v = &ds->replicas[at];
	while (at + r.n < ds->n_replicas && r.v[r.n].topic == r.v[0].topic)
		r.n++;
	return r;
}

/* ---- orphans -------------------------------------------------------------------------- */

/* What is known of a name that lies on disks. */
struct owner {
	const struct topic *tp;  /* NULL: no such topic */
	bool is_known;           /* whose the replicas are, and that they are to stay */
};

/* What is queued for deletion is nobody's orphan. */
static struct owner owner_of(const struct cluster *cl, const char *name)
{
	const struct topic *tp = cluster_topic_find(cl, name);
	bool is_going = tp != NULL ? tp->deleting : event_list_has(&cl->markers, name);

	return (struct owner){ tp, !is_going && cluster_owner_is_known(cl, name) };
}

static bool is_orphan(const struct owner *ow, int32_t partition, int32_t broker)
{
	const struct partition *pt;

	if (!ow->is_known)
		return false;
	pt = ow->tp != NULL ? topic_partition_find(ow->tp, partition) : NULL;
	return pt == NULL || !ids_has(pt->ids, (size_t)pt->n_replicas + pt->n_adding + pt->n_removing, broker);
}

static void set_orphan(struct disks *ds, struct disk_replica *dr, bool orphan)
{
	if (dr->is_orphan == orphan)
		return;
	dr->is_orphan = orphan;
	dr->orphan_polls = 0;
	ds->dirs[dr->dir].n_orphans += orphan ? 1u : (uint32_t)-1;
}

static void reflag_run(struct model *md, struct broker *br, struct run r, const struct owner *ow)
{
	for (size_t i = 0; i < r.n; i++)
		set_orphan(br->disks, &r.v[i], is_orphan(ow, r.v[i].partition, br->id));
	if (r.n > 0)
		md->bits |= CHG_DISKS;
}

void model_disks_reflag(struct model *md, const char *name)
{
	struct cluster *cl = &md->cl;
	struct owner ow;

	if (cl->n_disks == 0)
		return;
	ow = owner_of(cl, name);
	for (size_t i = 0; i < cl->n_brokers; i++) {
		struct broker *br = cl->brokers[i];
		size_t n = 0;
		const struct disk_replica *of = br->disks != NULL ? disks_topic(br->disks, name, &n) : NULL;

		if (n > 0)
			reflag_run(md, br, run_at(br->disks, (size_t)(of - br->disks->replicas)), &ow);
	}
}

void model_disks_reflag_all(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_brokers; i++) {
		struct broker *br = md->cl.brokers[i];
		struct run r = run_at(br->disks, 0);

		for (size_t at = r.n; r.n > 0; r = run_at(br->disks, at), at += r.n) {
			struct owner ow = owner_of(&md->cl, r.v[0].topic);

			reflag_run(md, br, r, &ow);
		}
	}
}

/* ---- an answer ------------------------------------------------------------------------ */

static int64_t current_bytes(struct run r, uint32_t *n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < r.n; i++) {
		if (r.v[i].is_future)
			continue;
		(*n)++;
		sum = disk_bytes_plus(sum, r.v[i].size_bytes);
	}
	return sum;
}

/* The size of a topic moves on by what changed on this broker. Sums wrap and unwrap alike, so nothing is lost. */
static void resize(struct model *md, const char *name, struct run before, struct run now)
{
	struct topic *tp = map_find(md->cl.topic_by_name, name);
	uint32_t n_before = 0, n_now = 0;
	int64_t was = current_bytes(before, &n_before), is = current_bytes(now, &n_now);

	if (tp == NULL || (was == is && n_before == n_now))
		return;
	tp->size_bytes = (int64_t)((uint64_t)tp->size_bytes + (uint64_t)is - (uint64_t)was);
	tp->n_sized += n_now - n_before;
	model_topic_mark(md, tp);
}

void model_disks_size_topic(struct model *md, struct topic *tp)
{
	const struct cluster *cl = &md->cl;

	for (size_t i = 0; cl->n_disks > 0 && i < cl->n_brokers; i++) {
		const struct disks *ds = cl->brokers[i]->disks;
		size_t n = 0;
		const struct disk_replica *of = ds != NULL ? disks_topic(ds, tp->name, &n) : NULL;

		if (n > 0)
			resize(md, tp->name, (struct run){ NULL, 0 }, run_at(ds, (size_t)(of - ds->replicas)));
	}
}

/* Which are orphans, and for how many answers they have been. Both runs are of one name, in one order. */
static void flag_run(struct model *md, struct disks *ds, int32_t broker, struct run before, struct run now)
{
	struct owner ow = owner_of(&md->cl, now.v[0].topic);
	size_t j = 0;

	for (size_t i = 0; i < now.n; i++) {
		struct disk_replica *dr = &now.v[i];

		set_orphan(ds, dr, is_orphan(&ow, dr->partition, broker));
		if (!dr->is_orphan)
			continue;
		while (j < before.n && before.v[j].partition < dr->partition)
			j++;
		dr->orphan_polls = 1;
		if (j < before.n && before.v[j].partition == dr->partition && before.v[j].is_orphan)
			dr->orphan_polls = before.v[j].orphan_polls < UINT8_MAX ? (uint8_t)(before.v[j].orphan_polls + 1) : UINT8_MAX;
	}
}

static void merge(struct model *md, struct broker *br, struct disks *fresh)
{
	const struct disks *old = br->disks;
	size_t i = 0, j = 0;

	for (;;) {
		struct run before = run_at(old, i), now = run_at(fresh, j);
		int by = before.n == 0 ? 1 : now.n == 0 ? -1 : topic_name_cmp(before.v[0].topic, now.v[0].topic);
		struct run none = { NULL, 0 };

		if (before.n == 0 && now.n == 0)
			break;
		resize(md, by <= 0 ? before.v[0].topic : now.v[0].topic, by <= 0 ? before : none, by >= 0 ? now : none);
		if (by >= 0)
			flag_run(md, fresh, br->id, by == 0 ? before : none, now);
		i += by <= 0 ? before.n : 0;
		j += by >= 0 ? now.n : 0;
	}
}

/* ---- dirs that fail ------------------------------------------------------------------------ */

static struct disk_dir *dir_of(struct disks *ds, const char *path)
{
	for (size_t i = 0; ds != NULL && i < ds->n_dirs; i++)
		if (strcmp(ds->dirs[i].path, path) == 0)
			return &ds->dirs[i];
	return NULL;
}

/* The current replicas of `from` in `dir` (-1: in all) are added to those being put together. */
static void add_replicas(struct disks *to, const struct disks *from, int dir)
{
	const char *topic = NULL;
	int in = -1;

	for (size_t i = 0; i < from->n_replicas; i++) {
		const struct disk_replica *dr = &from->replicas[i];

		if (dr->is_future || (dir >= 0 && dr->dir != dir))
			continue;
		if (topic != dr->topic || in != dr->dir)
			disks_add_topic(to, disks_add_dir(to, from->dirs[dr->dir].path, 0, -1, -1), dr->topic);
		topic = dr->topic;
		in = dr->dir;
		disks_add_replica(to, dr->partition, false, dr->size_bytes, dr->lag);
	}
}

/* Nothing is listed of it any more: what lay there is kept beside, so that a deletion that begins later is known to wait for it. */
static void keep_lost(struct broker *br, const struct disk_dir *dir)
{
	struct disks *lost = disks_new();

	if (br->lost != NULL)
		add_replicas(lost, br->lost, -1);
	add_replicas(lost, br->disks, (int)(dir - br->disks->dirs));
	disks_finish(lost);
	disks_free(&br->lost);
	br->lost = lost;
	br->lost_seen = br->disks_seen;
}

static void note_failures(const struct model *md, struct broker *br, struct disks *fresh)
{
	for (size_t i = 0; i < fresh->n_dirs; i++) {
		struct disk_dir *dir = &fresh->dirs[i], *was = dir_of(br->disks, dir->path);

		if (dir->error == 0)
			continue;
		dir->failed = was != NULL && was->error != 0 ? was->failed : md->seen;
		dir->failed_epoch = was != NULL && was->error != 0 ? was->failed_epoch : model_controller_epoch(&md->cl);
		if (was != NULL && was->error == 0)
			keep_lost(br, was);
	}
	if (disks_unread(fresh) == 0)
		disks_free(&br->lost);
}

void model_disks(struct model *md, struct event *ev)
{
	struct broker *br = model_broker_need(md, ev->id);

	br->disks_fact = model_fact(ev);
	model_text_take(&br->disks_why, &ev->why);
	md->bits |= CHG_DISKS | CHG_BROKERS;
	md->cl.brokers_seen = ev->seen;
	if (ev->know != KNOW_PRESENT)
		return;
	merge(md, br, ev->u.disks);
	note_failures(md, br, ev->u.disks);
	md->cl.n_disks += br->disks == NULL;
	disks_free(&br->disks);
	br->disks = ev->u.disks;
	br->disks_seen = ev->seen_wall;
	ev->u.disks = NULL;
	model_observe_disks(md, br);
}

void model_disks_forget(struct model *md, struct broker *br)
{
	struct disks *none;

	mem_free(&br->disks_why);
	disks_free(&br->lost);
	br->disks_fact = (struct fact){ .know = KNOW_UNKNOWN };
	if (br->disks == NULL)
		return;
	none = disks_new();
	merge(md, br, none);
	disks_free(&none);
	disks_free(&br->disks);
	md->cl.n_disks--;
	md->bits |= CHG_DISKS;
}
