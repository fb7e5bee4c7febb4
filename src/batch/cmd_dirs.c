/* SPDX-License-Identifier: Apache-2.0 */
/* kafops dirs: an item a log dir of a broker; with --replicas an item a replica that lies in one. Brokers alone know of them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "batch/job.h"
#include "batch/word.h"
#include "core/disks.h"

static const char *const fields[] = {
	"broker", "log_dir", "state", "error", "size_bytes", "replicas", "future_replicas", "orphans", "total_bytes", "usable_bytes", NULL
};

static const char *const table_fields[] = {
	"broker", "log_dir", "state", "size_bytes=SIZE", "replicas", "future_replicas=FUTURE", "orphans", "total_bytes=TOTAL",
	"usable_bytes=FREE", "error", NULL
};

static const char *const detail_fields[] = {
	"broker", "log_dir", "topic", "partition", "size_bytes", "offset_lag", "future", "orphan", NULL
};

static const char *const detail_table_fields[] = {
	"broker", "log_dir", "topic", "partition=PART", "size_bytes=SIZE", "offset_lag=LAG", "future", "orphan", NULL
};

/* ---- dirs ---------------------------------------------------------------------------- */

/* Of each dir: all owners of what lies there are known. The caller frees it. */
static bool *owners_known(const struct cluster *cl, const struct disks *ds)
{
	bool *known = mem_array(ds->n_dirs + 1, sizeof(*known)), is_known = false;

	memset(known, true, ds->n_dirs);
	for (size_t i = 0; i < ds->n_replicas; i++) {
		if (i == 0 || ds->replicas[i].topic != ds->replicas[i - 1].topic)
			is_known = cluster_owner_is_known(cl, ds->replicas[i].topic);
		known[ds->replicas[i].dir] &= is_known;
	}
	return known;
}

static json_t *dir_error(const struct disk_dir *dir)
{
	char text[32];

	if (dir->error == 0)
		return json_null();
	str_printf(text, sizeof(text), "error %d", dir->error);
	return json_text(disk_dir_is_offline(dir) ? "KAFKA_STORAGE_ERROR" : text);
}

/* A dir with an error lists nothing: what lies there isn't known. */
static json_t *dir_item(const struct broker *br, const struct disk_dir *dir, bool has_orphans)
{
	bool is_read = dir->error == 0;
	json_t *item = json_object();

	json_put(item, "broker", json_integer(br->id));
	json_put(item, "log_dir", json_text(dir->path));
	json_put(item, "state", json_text(is_read ? "online" : disk_dir_is_offline(dir) ? "offline" : "unknown"));
	json_put(item, "error", dir_error(dir));
	json_put(item, "size_bytes", batch_count(is_read, dir->size_bytes));
	json_put(item, "replicas", batch_count(is_read, dir->n_replicas));
	json_put(item, "future_replicas", batch_count(is_read, dir->n_future));
	json_put(item, "orphans", batch_count(is_read && has_orphans, dir->n_orphans));
	json_put(item, "total_bytes", batch_count(dir->total_bytes >= 0, dir->total_bytes));
	json_put(item, "usable_bytes", batch_count(dir->usable_bytes >= 0, dir->usable_bytes));
	return item;
}

/* So that a broker isn't left out in silence. */
static json_t *unknown_item(const struct broker *br, const char *why)
{
	json_t *item = json_object();

	json_put(item, "broker", json_integer(br->id));
	json_put(item, "log_dir", json_null());
	json_put(item, "state", json_text("unknown"));
	json_put(item, "error", json_text(why));
	for (size_t i = 4; fields[i]; i++)
		json_put(item, fields[i], json_null());
	return item;
}

static void put_dirs(struct batch_job *job, const struct broker *br, const struct disks *ds)
{
	bool *known = owners_known(job->cl, ds);

	for (size_t i = 0; i < ds->n_dirs; i++)
		json_push(job->items, dir_item(br, &ds->dirs[i], known[i]));
	mem_free(&known);
}

/* ---- replicas ------------------------------------------------------------------------- */

/* What stands in the answer, before it is sorted. */
struct found {
	const struct broker *br;
	const struct disk_replica *dr; /* NULL: what lies in `path` isn't known */
	const char *path;              /* NULL: nor which dirs there are */
	bool has_owner;
};

struct founds {
	struct found *v;
	size_t n, cap;
};

static void found_add(struct founds *fs, struct found fo)
{
	if (fs->n == fs->cap) {
		fs->cap = fs->cap ? fs->cap * 2 : 256;
		fs->v = mem_realloc_array(fs->v, fs->cap, sizeof(*fs->v));
	}
	fs->v[fs->n++] = fo;
}

/* By topic, partition, broker, path; what isn't known last. */
static int found_cmp(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int by;

	if (x->dr == NULL || y->dr == NULL) {
		if ((x->dr == NULL) != (y->dr == NULL))
			return x->dr == NULL ? 1 : -1;
	} else {
		by = topic_name_cmp(x->dr->topic, y->dr->topic);
		if (by != 0)
			return by;
		if (x->dr->partition != y->dr->partition)
			return x->dr->partition < y->dr->partition ? -1 : 1;
	}
	if (x->br->id != y->br->id)
		return x->br->id < y->br->id ? -1 : 1;
	by = strcmp(x->path ? x->path : "", y->path ? y->path : "");
	return by != 0 || x->dr == NULL || y->dr == NULL ? by : x->dr->is_future - y->dr->is_future;
}

static void find_replicas(struct batch_job *job, struct founds *fs, const struct broker *br, const struct disks *ds)
{
	bool is_wanted = false, has_owner = false;

	for (size_t i = 0; i < ds->n_replicas; i++) {
		const struct disk_replica *dr = &ds->replicas[i];

		if (i == 0 || dr->topic != ds->replicas[i - 1].topic) {
			is_wanted = batch_wants_text(job, dr->topic, topic_is_internal(dr->topic));
			has_owner = cluster_owner_is_known(job->cl, dr->topic);
		}
		if (is_wanted)
			found_add(fs, (struct found){ br, dr, ds->dirs[dr->dir].path, has_owner });
	}
	for (size_t i = 0; i < ds->n_dirs; i++)
		if (ds->dirs[i].error != 0)
			found_add(fs, (struct found){ br, NULL, ds->dirs[i].path, false });
}

static json_t *replica_item(const struct found *fo)
{
	const struct disk_replica *dr = fo->dr;
	json_t *item = json_object();

	json_put(item, "broker", json_integer(fo->br->id));
	json_put(item, "log_dir", json_text(fo->path));
	json_put(item, "topic", json_text(dr != NULL ? dr->topic : NULL));
	json_put(item, "partition", batch_count(dr != NULL, dr != NULL ? dr->partition : 0));
	json_put(item, "size_bytes", batch_count(dr != NULL && dr->size_bytes >= 0, dr != NULL ? dr->size_bytes : 0));
	json_put(item, "offset_lag", dr != NULL ? batch_lag(dr) : json_null());
	json_put(item, "future", batch_bool(dr != NULL, dr != NULL && dr->is_future));
	json_put(item, "orphan", batch_bool(dr != NULL && fo->has_owner, dr != NULL && dr->is_orphan));
	return item;
}

static void put_replicas(struct batch_job *job, struct founds *fs)
{
	if (fs->n > 1)
		qsort(fs->v, fs->n, sizeof(*fs->v), found_cmp);
	for (size_t i = 0; i < fs->n; i++)
		json_push(job->items, replica_item(&fs->v[i]));
	mem_free(&fs->v);
}

/* A topic that matches and has no replica anywhere is no slip of the pattern. */
static void match_topics(struct batch_job *job)
{
	for (size_t i = 0; job->pattern && i < job->cl->n_topics; i++)
		batch_wants_name(job, job->cl->topics[i]);
}

/* ---- all -------------------------------------------------------------------------------- */

static void warn_offline(struct batch_job *job, const struct broker *br, const struct disks *ds)
{
	for (size_t i = 0; i < ds->n_dirs; i++)
		if (ds->dirs[i].error != 0)
			batch_warn(job, "broker %d: %s is %s: what lies there is not known", br->id, ds->dirs[i].path,
				   disk_dir_is_offline(&ds->dirs[i]) ? "offline" : "not readable");
}

static void run(struct batch_job *job)
{
	bool was_asked = batch_brokers_were_asked(job);
	struct founds fs = { NULL, 0, 0 };

	for (size_t i = 0; i < job->cl->n_brokers; i++) {
		const struct broker *br = job->cl->brokers[i];
		char why[BATCH_WHY_MAX];
		const struct disks *ds = batch_disks(job, br, why);

		if (ds == NULL && job->opt->with_replicas)
			found_add(&fs, (struct found){ .br = br });
		else if (ds == NULL)
			json_push(job->items, unknown_item(br, why));
		else if (job->opt->with_replicas)
			find_replicas(job, &fs, br, ds);
		else
			put_dirs(job, br, ds);
		if (ds == NULL && was_asked && br->disks_fact.know != KNOW_UNREADABLE) /* else asking_warn says it */
			batch_warn(job, "broker %d: its log dirs are not known: %s", br->id, why);
		else if (ds != NULL && job->opt->with_replicas)
			warn_offline(job, br, ds);
	}
	put_replicas(job, &fs);
	match_topics(job);
	if (!was_asked)
		batch_warn(job, "brokers were not asked, and they alone know their log dirs");
}

const struct batch_command cmd_dirs = {
	.list = BATCH_BROKERS, .nothing = "no broker",
	.fields = fields, .table_fields = table_fields,
	.detail_fields = detail_fields, .detail_table_fields = detail_table_fields,
	.asks = ASK_DISKS, .detail_asks = ASK_DISKS, .needs_brokers = true, .no_states = true, .run = run,
};
