/* SPDX-License-Identifier: Apache-2.0 */
#include "core/disks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ids.h"

enum { KAFKA_STORAGE_ERROR = 56 };

/* While it is being made: room in the arrays, and where names go. `names` holds one entry a topic and dir until disks_finish. */
struct making {
	struct disks ds; /* first: what is handed out */
	size_t cap_dirs, cap_replicas, cap_names;
	int dir;         /* of the topic begun; -1 none */
};

struct disks *disks_new(void)
{
	struct making *mk = mem_zalloc(sizeof(*mk));

	mk->dir = -1;
	return &mk->ds;
}

static struct making *making_of(struct disks *ds)
{
	return (struct making *)(void *)ds;
}

void disks_free(struct disks **pp)
{
	struct disks *ds = *pp;

	if (ds == NULL)
		return;
	for (size_t i = 0; i < ds->n_dirs; i++)
		mem_free(&ds->dirs[i].path);
	for (size_t i = 0; i < ds->n_names; i++)
		mem_free(&ds->names[i]);
	mem_free(&ds->dirs);
	mem_free(&ds->replicas);
	mem_free(&ds->names);
	mem_free(pp);
}

/* Room for one more of n. */
static void *grown(void *v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap ? *cap * 2 : 16;
	return mem_realloc_array(v, *cap, size);
}

int disks_add_dir(struct disks *ds, const char *path, int16_t error, int64_t total_bytes, int64_t usable_bytes)
{
	struct making *mk = making_of(ds);

	for (size_t i = 0; i < ds->n_dirs; i++)
		if (strcmp(ds->dirs[i].path, path) == 0)
			return (int)i;
	if (ds->n_dirs >= DISK_DIRS_MAX)
		return -1;
	ds->dirs = grown(ds->dirs, ds->n_dirs, &mk->cap_dirs, sizeof(*ds->dirs));
	ds->dirs[ds->n_dirs] = (struct disk_dir){
		.path = mem_strdup(path), .error = error, .total_bytes = total_bytes, .usable_bytes = usable_bytes,
	};
	return (int)ds->n_dirs++;
}

void disks_add_topic(struct disks *ds, int dir, const char *name)
{
	struct making *mk = making_of(ds);

	assert(dir >= 0 && (size_t)dir < ds->n_dirs);
	ds->names = grown(ds->names, ds->n_names, &mk->cap_names, sizeof(*ds->names));
	ds->names[ds->n_names++] = mem_strdup(name);
	mk->dir = dir;
}

void disks_add_replica(struct disks *ds, int32_t partition, bool is_future, int64_t size_bytes, int64_t lag)
{
	struct making *mk = making_of(ds);

	assert(mk->dir >= 0);
	ds->replicas = grown(ds->replicas, ds->n_replicas, &mk->cap_replicas, sizeof(*ds->replicas));
	ds->replicas[ds->n_replicas++] = (struct disk_replica){
		.topic = ds->names[ds->n_names - 1], .size_bytes = size_bytes, .lag = lag, .partition = partition,
		.dir = (uint16_t)mk->dir, .is_future = is_future,
	};
}

/* ---- finishing -------------------------------------------------------------------- */

static int dir_cmp(const void *a, const void *b)
{
	return strcmp(((const struct disk_dir *)a)->path, ((const struct disk_dir *)b)->path);
}

static void sort_dirs(struct disks *ds)
{
	uint16_t *place = mem_array(ds->n_dirs ? ds->n_dirs : 1, sizeof(*place));
	char **before = mem_array(ds->n_dirs ? ds->n_dirs : 1, sizeof(*before));

	for (size_t i = 0; i < ds->n_dirs; i++)
		before[i] = ds->dirs[i].path;
	if (ds->n_dirs > 1)
		qsort(ds->dirs, ds->n_dirs, sizeof(*ds->dirs), dir_cmp);
	for (size_t i = 0; i < ds->n_dirs; i++)
		for (size_t j = 0; j < ds->n_dirs; j++)
			if (before[i] == ds->dirs[j].path)
				place[i] = (uint16_t)j;
	for (size_t i = 0; i < ds->n_replicas; i++)
		ds->replicas[i].dir = place[ds->replicas[i].dir];
	mem_free(&before);
	mem_free(&place);
}

static int replica_cmp(const void *a, const void *b)
{
	const struct disk_replica *p = a, *q = b;
	int by = p->topic == q->topic ? 0 : topic_name_cmp(p->topic, q->topic);

	if (by != 0)
		return by;
	if (p->partition != q->partition)
		return p->partition < q->partition ? -1 : 1;
	if (p->is_future != q->is_future)
		return p->is_future ? 1 : -1;
	return (p->dir > q->dir) - (p->dir < q->dir);
}

/* A name stood once a dir: the replicas, in order now, take the first of equal ones, and the others go. */
static void share_names(struct disks *ds)
{
	char **kept = NULL;
	size_t n = 0;

	if (ds->n_names > 0)
		kept = mem_array(ds->n_names, sizeof(*kept));
	for (size_t i = 0; i < ds->n_replicas; i++) {
		struct disk_replica *dr = &ds->replicas[i];

		if (n == 0 || strcmp(kept[n - 1], dr->topic) != 0)
			kept[n++] = mem_strdup(dr->topic);
	}
	for (size_t i = 0, k = 0; i < ds->n_replicas; i++) {
		while (strcmp(kept[k], ds->replicas[i].topic) != 0)
			k++;
		ds->replicas[i].topic = kept[k];
	}
	for (size_t i = 0; i < ds->n_names; i++)
		mem_free(&ds->names[i]);
	mem_free(&ds->names);
	ds->names = kept;
	ds->n_names = n;
}

int64_t disk_bytes_plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b > 0 ? b : 0, &sum) ? INT64_MAX : sum;
}

static void sum_up(struct disks *ds)
{
	for (size_t i = 0; i < ds->n_replicas; i++) {
		const struct disk_replica *dr = &ds->replicas[i];
		struct disk_dir *dir = &ds->dirs[dr->dir];

		dir->size_bytes = disk_bytes_plus(dir->size_bytes, dr->size_bytes);
		dir->n_replicas += !dr->is_future;
		dir->n_future += dr->is_future;
		ds->n_twice += disks_is_twice(ds, i);
	}
}

void disks_finish(struct disks *ds)
{
	sort_dirs(ds);
	if (ds->n_replicas > 1)
		qsort(ds->replicas, ds->n_replicas, sizeof(*ds->replicas), replica_cmp);
	share_names(ds);
	sum_up(ds);
	making_of(ds)->dir = -1;
}

/* ---- looking ----------------------------------------------------------------------- */

/* The first replica that does not stand before (topic, partition). */
static size_t first_from(const struct disks *ds, const char *topic, int32_t partition)
{
	size_t lo = 0, hi = ds->n_replicas;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct disk_replica *dr = &ds->replicas[mid];
		int by = topic_name_cmp(dr->topic, topic);

		if (by < 0 || (by == 0 && dr->partition < partition))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct disk_replica *disks_topic(const struct disks *ds, const char *topic, size_t *n)
{
	size_t from = first_from(ds, topic, INT32_MIN), to = from;

	while (to < ds->n_replicas && ds->replicas[to].topic == ds->replicas[from].topic)
		to++;
	if (from == to || strcmp(ds->replicas[from].topic, topic) != 0)
		to = from;
	*n = to - from;
	return *n > 0 ? &ds->replicas[from] : NULL;
}

const struct disk_replica *disks_replica(const struct disks *ds, const char *topic, int32_t partition, bool is_future)
{
	for (size_t i = first_from(ds, topic, partition); i < ds->n_replicas; i++) {
		const struct disk_replica *dr = &ds->replicas[i];

		if (dr->partition != partition || strcmp(dr->topic, topic) != 0)
			break;
		if (dr->is_future == is_future)
			return dr;
	}
	return NULL;
}

/* Replicas of one partition stand together, the current one before future ones. */
bool disks_is_twice(const struct disks *ds, size_t i)
{
	const struct disk_replica *dr = &ds->replicas[i], *before = i > 0 ? dr - 1 : NULL;

	if (before == NULL || before->topic != dr->topic || before->partition != dr->partition)
		return false;
	return before->is_future == dr->is_future || before->dir == dr->dir;
}

bool disk_dir_is_offline(const struct disk_dir *dir)
{
	return dir->error == KAFKA_STORAGE_ERROR;
}

size_t disks_offline(const struct disks *ds)
{
	size_t n = 0;

	for (size_t i = 0; i < ds->n_dirs; i++)
		n += disk_dir_is_offline(&ds->dirs[i]);
	return n;
}

size_t disks_unread(const struct disks *ds)
{
	size_t n = 0;

	for (size_t i = 0; i < ds->n_dirs; i++)
		n += ds->dirs[i].error != 0;
	return n;
}

int64_t disks_size(const struct disks *ds)
{
	int64_t sum = 0;

	for (size_t i = 0; i < ds->n_dirs; i++)
		sum = disk_bytes_plus(sum, ds->dirs[i].size_bytes);
	return sum;
}
