/* SPDX-License-Identifier: Apache-2.0 */
#include "view/disk_text.h"

#include <string.h>

#include "base/mem.h"

enum { PER_MILLE = 1000, PERCENT = 100 };

/* ---- whether they are known ------------------------------------------------------ */

/* What stands between us and the broker, whatever it told before. */
static const char *obstacle(const struct cluster *cl, const struct broker *br, struct arena *ar)
{
	if (cluster_broker_alive(cl, br->id) == KNOW_ABSENT)
		return "the broker is down";
	if (cl->foreign_id)
		return arena_printf(ar, "the brokers are of another cluster, %s", cl->foreign_id);
	if (br->disks_fact.know == KNOW_UNREADABLE)
		return why_text(br->disks_why);
	if (br->link.state == LINK_FAILED)
		return br->link.error[0] ? br->link.error : "the broker does not answer";
	return NULL;
}

const char *broker_disks_why(const struct cluster *cl, const struct broker *br, struct arena *ar)
{
	const char *why = obstacle(cl, br, ar);

	if (why)
		return why;
	if (br->disks)
		return fact_is_old(cl, &br->disks_fact) ? "no broker is connected" : NULL;
	if (cl->asked_fact.know == KNOW_UNREADABLE)
		return why_text(cl->asked_why);
	return br->link.state == LINK_UP ? "no answer yet" : br->link.state == LINK_CONNECTING ? "connecting" : "not asked yet";
}

bool broker_disks_are_old(const struct cluster *cl, const struct broker *br)
{
	if (!br->disks)
		return false;
	return cluster_broker_alive(cl, br->id) == KNOW_ABSENT || cl->foreign_id || br->disks_fact.know == KNOW_UNREADABLE ||
		br->link.state == LINK_FAILED || fact_is_old(cl, &br->disks_fact);
}

/* ---- dirs ---------------------------------------------------------------------------- */

const struct disk_dir *disks_dir_find(const struct disks *ds, const char *path, size_t *at)
{
	size_t n = ds ? ds->n_dirs : 0, i = 0;

	while (i < n && strcmp(ds->dirs[i].path, path) != 0)
		i++;
	if (at)
		*at = i < n ? i : SIZE_MAX;
	return i < n ? &ds->dirs[i] : NULL;
}

/* Bytes without the slashes at the end. */
static size_t trimmed(const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

/* Where the component before `at` begins. */
static size_t component_before(const char *path, size_t at)
{
	while (at > 0 && path[at - 1] == '/')
		at--;
	while (at > 0 && path[at - 1] != '/')
		at--;
	return at;
}

/* Whether another dir ends in path[from..n), as whole components. */
static bool is_shared(const struct disks *ds, size_t dir, const char *tail, size_t n)
{
	for (size_t i = 0; i < ds->n_dirs; i++) {
		const char *other = ds->dirs[i].path;
		size_t end = trimmed(other);

		if (i == dir || end < n || memcmp(other + end - n, tail, n) != 0)
			continue;
		if (end == n || other[end - n - 1] == '/')
			return true;
	}
	return false;
}

/* The end of `path` without the components that every dir ends in: /data/d1/kafka beside /data/d2/kafka ends at d1. */
static size_t end_of(const struct disks *ds, const char *path)
{
	size_t n = trimmed(path), end = n;

	while (ds->n_dirs > 1) {
		size_t from = component_before(path, end);

		for (size_t i = 0; i < ds->n_dirs; i++) {
			const char *other = ds->dirs[i].path;
			size_t m = trimmed(other);

			if (m <= n - from || memcmp(other + m - (n - from), path + from, n - from) != 0 || other[m - (n - from) - 1] != '/')
				return end;
		}
		if (from == 0 || component_before(path, from) == from)
			return end;
		end = from;
		while (end > 0 && path[end - 1] == '/')
			end--;
		if (end == 0)
			return n;
	}
	return end;
}

const char *disk_dir_label(const struct disks *ds, size_t dir, struct arena *ar)
{
	const char *path = ds->dirs[dir].path;
	size_t n = trimmed(path), end = end_of(ds, path), from = component_before(path, end);

	while (from > 0 && is_shared(ds, dir, path + from, n - from))
		from = component_before(path, from);
	return from >= end ? arena_strdup(ar, path) : arena_strndup(ar, path + from, end - from);
}

const char *disk_dir_word(const struct disk_dir *dir)
{
	return disk_dir_is_offline(dir) ? "offline" : dir->error ? "error" : "online";
}

int disk_dir_used(const struct disk_dir *dir)
{
	int used;

	if (dir->total_bytes <= 0 || dir->usable_bytes < 0 || dir->error)
		return -1;
	if (dir->usable_bytes == 0 || dir->usable_bytes >= dir->total_bytes)
		return dir->usable_bytes == 0 ? PER_MILLE : 0;
	used = (int)((double)(dir->total_bytes - dir->usable_bytes) / (double)dir->total_bytes * PER_MILLE);
	return used < PER_MILLE ? used : PER_MILLE - 1;
}

int disk_future_percent(const struct disk_replica *current, const struct disk_replica *future)
{
	double share;

	if (!current || !future || current->size_bytes <= 0 || future->size_bytes < 0)
		return -1;
	if (future->size_bytes >= current->size_bytes)
		return PERCENT - 1;
	share = (double)future->size_bytes / (double)current->size_bytes;
	return (int)(share * PERCENT) < PERCENT ? (int)(share * PERCENT) : PERCENT - 1;
}
