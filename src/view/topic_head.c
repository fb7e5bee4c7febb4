/* SPDX-License-Identifier: Apache-2.0 */
#include "view/topic_head.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/health.h"
#include "view/topic_facts.h"

/* Brokers, and partitions, named one by one. */
enum { MISSING_NAMED = 3, PARTITIONS_NAMED = 5 };

static void head_put(struct topic_head *th, struct strbuf *sb, enum cell_style style)
{
	assert(th->n < VM_HEAD_LINES_MAX);
	th->lines[th->n].text = arena_strdup(th->text, sb->s);
	th->lines[th->n].style = (uint8_t)style;
	th->n++;
	strbuf_clear(sb);
}

static void put_rf(struct strbuf *sb, const struct topic *tp)
{
	int32_t low, high;

	topic_rf_range(tp, &low, &high);
	if (tp->rf < 0)
		strbuf_put(sb, "  RF ?");
	else if (low == high)
		strbuf_printf(sb, "  RF %d", low);
	else
		strbuf_printf(sb, "  RF %d to %d", low, high);
}

/* "1.2 TiB": of all replicas; "1.2 TiB?" while some broker has not told. Nothing before any has. */
static void put_size(struct strbuf *sb, const struct cluster *cl, const struct topic *tp)
{
	char text[UNITS_TEXT_MAX];

	if (tp->n_sized > 0)
		strbuf_printf(sb, "  %s on disks", units_bytes_so_far(text, tp->size_bytes, cluster_size_is_whole(cl, tp)));
}

/* "  min.insync.replicas 2 by default": what the leaders' own settings say where the topic has no override; "1 to 2" where they differ. */
static void put_min_isr(struct strbuf *sb, const struct cluster *cl, const struct topic *tp)
{
	int32_t low = -1, high = -1;

	for (size_t i = 0; i < tp->n_parts; i++) {
		int32_t n = cluster_min_isr(cl, tp, &tp->parts[i]);

		if (n < 0)
			continue;
		low = low < 0 || n < low ? n : low;
		high = n > high ? n : high;
	}
	if (high >= 0 && low == high)
		strbuf_printf(sb, "  min.insync.replicas %d by default", low);
	else if (high >= 0)
		strbuf_printf(sb, "  min.insync.replicas %d to %d by the brokers' defaults", low, high);
}

/* "orders.events   48 partitions  RF 3  1.2 TiB on disks  min.insync.replicas 2": what matters for safety first. */
static void head_title(struct topic_head *th, const struct topic *tp, struct strbuf *sb)
{
	static const char first[] = "min.insync.replicas";
	const char *min = zk_config_find(&tp->config, first);
	char count[UNITS_TEXT_MAX];

	strbuf_put(sb, tp->name);
	if (tp->node.know != KNOW_PRESENT && tp->n_parts == 0) {
		strbuf_put(sb, tp->node.know == KNOW_UNREADABLE ? "   unreadable" : "   not read yet");
	} else {
		strbuf_printf(sb, "   %s partition%s", units_count(count, (int64_t)tp->n_parts), tp->n_parts == 1 ? "" : "s");
		put_rf(sb, tp);
		put_size(sb, th->cl, tp);
	}
	if (min)
		strbuf_printf(sb, "  %s %s", first, min);
	else
		put_min_isr(sb, th->cl, tp);
	for (size_t i = 0; i < tp->config.n; i++)
		if (strcmp(tp->config.v[i].key, first) != 0)
			strbuf_printf(sb, "  %s %s", tp->config.v[i].key, tp->config.v[i].value);
	head_put(th, sb, CELL_NORMAL);
}

struct missing {
	int32_t broker;
	size_t n;
};

static int missing_cmp(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (x->broker > y->broker) - (x->broker < y->broker);
}

/* Which brokers the under-replicated partitions miss: by all, or the most. */
static void put_missing(struct strbuf *sb, const struct topic_head *th, const struct topic *tp, size_t n_under)
{
	struct missing *mi = mem_array(th->cl->n_brokers + 1, sizeof(*mi));
	size_t n = 0, n_all = 0, said = 0;

	for (size_t b = 0; b < th->cl->n_brokers; b++) {
		int32_t id = th->cl->brokers[b]->id;

		mi[n] = (struct missing){ id, 0 };
		for (size_t i = 0; i < tp->n_parts; i++)
			mi[n].n += (tp->parts[i].flags & PT_UNDER) && health_misses(&tp->parts[i], id);
		n += mi[n].n > 0;
	}
	qsort(mi, n, sizeof(*mi), missing_cmp);
	while (n_all < n && mi[n_all].n == n_under)
		n_all++;
	if (n_all > 0) {
		strbuf_printf(sb, ", %s miss%s broker%s", n_under == 1 ? "it" : "all", n_under == 1 ? "es" : "", n_all == 1 ? "" : "s");
		for (size_t i = 0; i < n_all; i++)
			strbuf_printf(sb, "%s %d", i == 0 ? "" : i + 1 == n_all ? " and" : ",", mi[i].broker);
	}
	for (; n_all == 0 && said < n && said < MISSING_NAMED; said++)
		strbuf_printf(sb, said == 0 ? ", %zu miss broker %d" : ", %zu broker %d", mi[said].n, mi[said].broker);
	if (said > 0 && said < n)
		strbuf_printf(sb, ", %zu more", n - said);
	mem_free(&mi);
}

static void put_since(struct strbuf *sb, const struct topic_head *th, const struct topic *tp, unsigned flag)
{
	struct since since = topic_since(tp, flag);
	char text[UNITS_TEXT_MAX];

	if (since.at.ms)
		strbuf_printf(sb, " %ssince %s", since.exact ? "" : "at least ", units_moment(text, since.at, th->now));
}

/* "12 under-replicated since 03:09:51, all miss broker 7" */
static void put_under(struct strbuf *sb, const struct topic_head *th, const struct topic *tp, size_t n)
{
	char text[UNITS_TEXT_MAX];

	strbuf_printf(sb, "%s under-replicated", units_count(text, (int64_t)n));
	put_since(sb, th, tp, PT_UNDER);
	put_missing(sb, th, tp, n);
}

static void put_count(struct strbuf *sb, const struct topic *tp, unsigned flag, const char *words)
{
	uint32_t n = topic_count(&tp->counts, flag);
	char text[UNITS_TEXT_MAX];

	if (n > 0)
		strbuf_printf(sb, "%s%s %s", sb->len ? ", " : "", units_count(text, n), words);
}

/* The line that is always there: what is wrong, or that nothing is. */
static void head_health(struct topic_head *th, const struct topic *tp, struct strbuf *sb)
{
	uint32_t under = topic_count(&tp->counts, PT_UNDER), known = topic_count(&tp->counts, PT_KNOWN);
	uint32_t unreadable = topic_count(&tp->counts, PT_UNREADABLE);
	enum cell_style style = CELL_NORMAL;
	char text[UNITS_TEXT_MAX];

	put_count(sb, tp, PT_OFFLINE, "offline");
	put_since(sb, th, tp, PT_OFFLINE);
	put_count(sb, tp, PT_UNDER_MIN, "under min ISR");
	if (under > 0) {
		strbuf_put(sb, sb->len ? ", " : "");
		put_under(sb, th, tp, under);
	}
	put_count(sb, tp, PT_UNREADABLE, "unreadable");
	if (sb->len > 0)
		style = CELL_WRONG;
	put_count(sb, tp, PT_MOVING, "moving");
	put_count(sb, tp, PT_ALIVE_UNKNOWN, "not known to have a live leader");
	if (sb->len == 0 && known == tp->n_parts && tp->n_parts > 0)
		strbuf_put(sb, tp->n_parts == 1 ? "in sync" : "all in sync");
	if (sb->len == 0 && tp->n_parts == 0 && tp->node.know == KNOW_PRESENT)
		strbuf_put(sb, "no partitions");
	if (known + unreadable < tp->n_parts)
		strbuf_printf(sb, "%s%s not read yet", sb->len ? ", " : "", units_count(text, (int64_t)(tp->n_parts - known - unreadable)));
	put_count(sb, tp, PT_NOT_PREFERRED, "not preferred");
	head_put(th, sb, style);
}

/* The first partitions with a verdict: "3, 7, 9 and 4 more". */
static void put_partitions(struct strbuf *sb, const struct topic *tp, unsigned flag)
{
	uint32_t n = topic_count(&tp->counts, flag), said = 0;

	strbuf_put(sb, n == 1 ? "partition" : "partitions");
	for (size_t i = 0; i < tp->n_parts && said < PARTITIONS_NAMED; i++)
		if (tp->parts[i].flags & flag)
			strbuf_printf(sb, "%s %d", said++ ? "," : "", tp->parts[i].id);
	if (said < n)
		strbuf_printf(sb, " and %u more", n - said);
}

static const struct partition *first_with(const struct topic *tp, unsigned flag)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		if (tp->parts[i].flags & flag)
			return &tp->parts[i];
	return NULL;
}

static void head_unreadable(struct topic_head *th, const struct topic *tp, struct strbuf *sb)
{
	const struct partition *pt = first_with(tp, PT_UNREADABLE);

	if (tp->node.know == KNOW_UNREADABLE) {
		strbuf_printf(sb, "the topic's node can't be read: %s", why_text(tp->why));
		head_put(th, sb, CELL_WRONG);
	}
	if (tp->config_fact.know == KNOW_UNREADABLE) {
		strbuf_printf(sb, "its overrides can't be read: %s", why_text(tp->config_why));
		head_put(th, sb, CELL_WRONG);
	}
	if (pt) {
		strbuf_printf(sb, "the state of partition %d can't be read: %s", pt->id, why_text(pt->why));
		head_put(th, sb, CELL_WRONG);
	}
}

static void head_warnings(struct topic_head *th, const struct topic *tp, struct strbuf *sb)
{
	if (tp->node.source == SOURCE_BROKERS) {
		strbuf_put(sb, "as the brokers say: the topic's node in ZooKeeper is not known");
		head_put(th, sb, CELL_DIM);
	}
	if (tp->deleting) {
		strbuf_put(sb, "queued for deletion");
		head_put(th, sb, CELL_BUSY);
	}
	if (topic_count(&tp->counts, PT_RECOVERING) > 0) {
		put_partitions(sb, tp, PT_RECOVERING);
		strbuf_put(sb, ": recovering from an unclean election, records may be lost");
		head_put(th, sb, CELL_WRONG);
	}
	if (tp->quoted_ids) {
		strbuf_put(sb, "broker ids stand as strings in the topic's node: the next controller can't start until that is mended");
		head_put(th, sb, CELL_WRONG);
	}
	if (th->again_since.ms) {
		char text[UNITS_TEXT_MAX];

		strbuf_printf(sb, "another topic of the same name since %s: the one opened was deleted",
			      units_moment(text, th->again_since, th->now));
		head_put(th, sb, CELL_WRONG);
	}
}

static void head_identity(struct topic_head *th, const struct topic *tp, struct strbuf *sb)
{
	char text[UNITS_TEXT_MAX];

	if (tp->node.know != KNOW_PRESENT)
		return;
	strbuf_printf(sb, "topic id %s", tp->topic_id ? tp->topic_id : "-");
	if (tp->created.ms)
		strbuf_printf(sb, ", made %s ago", units_dur(text, th->now.ms - tp->created.ms));
	if (tp->last_change.ms)
		strbuf_printf(sb, ", last change %s ago", units_dur(text, th->now.ms - tp->last_change.ms));
	head_put(th, sb, CELL_DIM);
}

static void head_gone(struct topic_head *th, struct strbuf *sb)
{
	char text[UNITS_TEXT_MAX];

	strbuf_put(sb, th->name);
	if (th->gone_since.ms)
		strbuf_printf(sb, "   gone since %s", units_moment(text, th->gone_since, th->now));
	else
		strbuf_put(sb, th->cl->topics_fact.know == KNOW_UNKNOWN ? "   not read yet" : "   no such topic");
	head_put(th, sb, CELL_WRONG);
}

void topic_head_set(struct topic_head *th, const struct cluster *cl, const struct topic *tp, const char *name,
	wall_ms gone_since, wall_ms again_since, wall_ms now)
{
	struct strbuf sb;

	strbuf_init(&sb);
	arena_clear(th->text);
	th->n = 0;
	th->cl = cl;
	th->name = name;
	th->gone_since = gone_since;
	th->again_since = again_since;
	th->now = now;
	if (!tp) {
		head_gone(th, &sb);
	} else {
		head_title(th, tp, &sb);
		head_health(th, tp, &sb);
		head_warnings(th, tp, &sb);
		head_unreadable(th, tp, &sb);
		head_identity(th, tp, &sb);
	}
	strbuf_fini(&sb);
}

void topic_head_init(struct topic_head *th)
{
	memset(th, 0, sizeof(*th));
	th->text = arena_new(0);
}

void topic_head_fini(struct topic_head *th)
{
	arena_free(&th->text);
	memset(th, 0, sizeof(*th));
}
