/* SPDX-License-Identifier: Apache-2.0 */
/* What brokers hold in their log dirs against ZooKeeper's assignments, and against itself. */
#include "core/ids.h"
#include "core/truths_parts.h"

/* An answer may be older than the end of a deletion or a move: counted are those that came after (struct disk_replica). */
static void see_orphan(const struct look *lo, const struct broker *br, const struct disk_replica *dr)
{
	const struct topic *tp = cluster_topic_find(lo->cl, dr->topic);
	const struct partition *pt = tp != NULL ? topic_partition_find(tp, dr->partition) : NULL;
	struct sighting si = SIGHTING(tp != NULL ? TRUTH_ORPHAN_ADOPTED : TRUTH_ORPHAN_REPLICA);
	char size[UNITS_TEXT_MAX], has[IDS_TEXT_MAX];

	si.topic = dr->topic;
	si.partition = dr->partition;
	si.broker = br->id;
	si.place = br->disks->dirs[dr->dir].path;
	si.key = dr->is_future ? "future" : NULL;
	si.answers = dr->orphan_polls;
	units_bytes(size, dr->size_bytes);
	if (tp == NULL)
		truths_see(lo->tr, &si, "The broker holds %s of it; ZooKeeper has no such topic.", size);
	else if (pt == NULL)
		truths_see(lo->tr, &si, "The broker holds %s of it; the topic has no such partition.", size);
	else
		truths_see(lo->tr, &si, "The broker holds %s of it; ZooKeeper assigns it to %s.", size, truths_ids(has, pt->ids, pt->n_replicas));
}

static void see_twice(const struct look *lo, const struct broker *br, const struct disk_replica *dr, const struct disk_replica *other)
{
	struct sighting si = SIGHTING(TRUTH_DUPLICATE_FUTURE);
	const char *kind = !dr->is_future ? "two current logs" : other->is_future ? "two future logs" : "a future log where its current one is";

	si.topic = dr->topic;
	si.partition = dr->partition;
	si.broker = br->id;
	si.place = br->disks->dirs[dr->dir].path;
	if (br->disks_fact.know == KNOW_PRESENT)
		si.answer = br->disks_fact.seen;
	truths_see(lo->tr, &si, "The broker lists %s: in %s and in %s.", kind, br->disks->dirs[other->dir].path, br->disks->dirs[dr->dir].path);
}

/* Replicas that ZooKeeper assigns to the broker and that it does not list. Those being added or deleted may not be there yet, or any more. */
static void count_missed(const struct cluster *cl, const struct broker *br, uint32_t *n_assigned, uint32_t *n_missed)
{
	*n_assigned = *n_missed = 0;
	for (size_t i = 0; i < cl->n_topics; i++) {
		const struct topic *tp = cl->topics[i];

		if (tp->deleting || !truths_zk_says(cl, &tp->node))
			continue;
		for (size_t j = 0; j < tp->n_parts; j++) {
			const struct partition *pt = &tp->parts[j];

			if (!ids_has(pt->ids, pt->n_replicas, br->id) || ids_has(partition_adding(pt), pt->n_adding, br->id))
				continue;
			++*n_assigned;
			*n_missed += disks_replica(br->disks, tp->name, pt->id, false) == NULL;
		}
	}
}

/* A broker that is down says nothing of its dirs, nor does an answer from before its start: it looks for them anew then. When that was
 * says its registration, which is read after it was seen to be there. */
static bool is_dirs_word(const struct look *lo, const struct broker *br)
{
	return br->up && br->reg.know != KNOW_UNKNOWN && (br->disks_seen.ms >= br->since.ms || br->since.ms > lo->now.ms);
}

static void look_dirs(const struct look *lo, const struct broker *br)
{
	struct sighting si = SIGHTING(TRUTH_DIR_OFFLINE);
	uint32_t n_assigned, n_missed;

	count_missed(lo->cl, br, &n_assigned, &n_missed);
	si.broker = br->id;
	for (size_t i = 0; i < br->disks->n_dirs; i++) {
		const struct disk_dir *dir = &br->disks->dirs[i];

		if (!disk_dir_is_offline(dir))
			continue;
		si.place = dir->path;
		truths_see(lo->tr, &si, "The broker can't use the dir (KAFKA_STORAGE_ERROR). ZooKeeper assigns %u replicas to the broker; %u of them "
			"are in none of its other dirs.", n_assigned, n_missed);
	}
}

static bool is_worth_a_look(const struct disks *ds)
{
	for (size_t i = 0; i < ds->n_dirs; i++)
		if (ds->dirs[i].n_orphans > 0)
			return true;
	return ds->n_twice > 0;
}

void look_disks(const struct look *lo)
{
	const struct cluster *cl = lo->cl;

	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];
		const struct disks *ds = br->disks;

		if (ds != NULL && disks_offline(ds) > 0 && is_dirs_word(lo, br))
			look_dirs(lo, br);
		/* A broker that is down or does not answer still has what it had. */
		if (ds == NULL || !is_worth_a_look(ds))
			continue;
		for (size_t j = 0; j < ds->n_replicas; j++) {
			const struct disk_replica *dr = &ds->replicas[j];

			if (dr->is_orphan && dr->orphan_polls > 0)
				see_orphan(lo, br, dr);
			if (disks_is_twice(ds, j))
				see_twice(lo, br, dr, dr - 1);
		}
	}
}
