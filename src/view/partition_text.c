/* SPDX-License-Identifier: Apache-2.0 */
#include "view/partition_text.h"

#include "base/mem.h"
#include "base/str.h"
#include "core/health.h"

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
