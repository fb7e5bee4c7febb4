/* SPDX-License-Identifier: Apache-2.0 */
#include "view/partition_text.h"

#include "base/mem.h"
#include "base/str.h"
#include "core/health.h"
#include "view/disk_text.h"

const char *partition_replicas_text(const struct cluster *cl, const struct partition *pt, struct arena *ar)
{
	struct strbuf sb;
	const char *text;

	strbuf_init(&sb);
	for (size_t i = 0; i < pt->n_replicas; i++)
		strbuf_printf(&sb, "%s%d%s", i ? " " : "", pt->ids[i],
			      health_replica_mark(health_replica(cl, pt, pt->ids[i])));
	text = arena_strdup(ar, sb.s);
	strbuf_fini(&sb);
	return text;
}

/* "d1>d2 63%" */
static void put_where(struct strbuf *sb, const struct cluster *cl, const struct topic *tp, const struct partition *pt, int32_t id, struct arena *ar)
{
	const struct broker *br = cluster_broker_find(cl, id);
	const struct disks *ds = br ? br->disks : NULL;
	const struct disk_replica *now = ds ? disks_replica(ds, tp->name, pt->id, false) : NULL;
	const struct disk_replica *future = ds ? disks_replica(ds, tp->name, pt->id, true) : NULL;
	int percent = disk_future_percent(now, future);

	if (now)
		strbuf_put(sb, disk_dir_label(ds, now->dir, ar));
	else if (health_replica(cl, pt, id) == REPLICA_DIR_OFFLINE)
		strbuf_putc(sb, 'x');
	else
		strbuf_putc(sb, ds && disks_unread(ds) == 0 ? '-' : '?');
	if (future)
		strbuf_printf(sb, ">%s", disk_dir_label(ds, future->dir, ar));
	if (percent >= 0)
		strbuf_printf(sb, " %d%%", percent);
}

const char *partition_where_text(const struct cluster *cl, const struct topic *tp, const struct partition *pt, struct arena *ar)
{
	struct strbuf sb;
	const char *text;

	strbuf_init(&sb);
	for (size_t i = 0; i < pt->n_replicas; i++) {
		strbuf_printf(&sb, "%s%d:", i ? " " : "", pt->ids[i]);
		put_where(&sb, cl, tp, pt, pt->ids[i], ar);
	}
	text = arena_strdup(ar, sb.s);
	strbuf_fini(&sb);
	return text;
}

int64_t partition_size(const struct cluster *cl, const struct topic *tp, const struct partition *pt, bool *is_leader)
{
	const struct disk_replica *dr = pt->leader >= 0 ? cluster_disk_replica(cl, pt->leader, tp->name, pt->id, false, NULL) : NULL;
	int64_t most = -1;

	if (is_leader)
		*is_leader = dr != NULL;
	if (dr)
		return dr->size_bytes;
	for (size_t i = 0; i < pt->n_replicas; i++) {
		dr = cluster_disk_replica(cl, pt->ids[i], tp->name, pt->id, false, NULL);
		most = dr && dr->size_bytes > most ? dr->size_bytes : most;
	}
	return most;
}

const char *partition_isr_text(const struct partition *pt, struct arena *ar)
{
	struct strbuf sb;
	const char *text;

	strbuf_init(&sb);
	for (size_t i = 0; i < pt->n_isr; i++)
		strbuf_printf(&sb, "%s%d", i ? "," : "", pt->isr[i]);
	text = arena_strdup(ar, sb.s);
	strbuf_fini(&sb);
	return text;
}

/* A moment; "≤" before one that is only a bound: it has been so at least since then. */
static const char *since_text(struct since since, wall_ms now, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	return arena_printf(ar, "%s%s", since.exact ? "" : "\xe2\x89\xa4", units_moment(text, since.at, now));
}

void partition_fill_since(const struct partition *pt, wall_ms now, struct row *ro, size_t col, struct arena *ar)
{
	if (!(pt->flags & PT_KNOWN))
		row_unknown(ro, col);
	else if (!(pt->flags & PT_UNDER))
		row_absent(ro, col);
	else if (pt->under_since.at.ms == 0)
		row_unknown(ro, col);
	else
		row_put(ro, col, since_text(pt->under_since, now, ar), CELL_WRONG);
}
