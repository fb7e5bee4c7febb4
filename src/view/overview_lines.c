/* SPDX-License-Identifier: Apache-2.0 */
#include "view/overview_lines.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/health.h"
#include "core/deletion.h"
#include "core/truths.h"
#include "view/broker_facts.h"
#include "view/deletion_text.h"
#include "view/disk_text.h"
#include "view/overview_facts.h"
#include "view/table.h"
#include "view/vm_overview.h"

enum {
	SINCE_COLUMNS = 18,   /* "since <=2d4h ago", then what stands beside it */
	NAMED = 4,            /* things named one by one */
	DIR_SHOWN = 18        /* bytes of a log dir's path */
};
static const dur_ms hour_ms = 3600 * 1000;

/* ---- pieces of a line ------------------------------------------------------------ */

static const char *keep(const struct overview_look *lo, struct strbuf *sb)
{
	const char *text = arena_strdup(lo->text, sb->s);

	strbuf_clear(sb);
	return text;
}

static void put_blanks_to(struct strbuf *sb, size_t columns)
{
	do
		strbuf_putc(sb, ' ');
	while (utf8_columns(sb->s) < columns);
}

/* Up to where the second half of a text begins. */
static void put_pad(struct strbuf *sb, const struct overview_look *lo)
{
	put_blanks_to(sb, lo->width >= VM_OVERVIEW_NARROW ? SINCE_COLUMNS : 0);
}

static void put_since(struct strbuf *sb, const struct overview_look *lo, struct since si)
{
	char text[UNITS_TEXT_MAX];

	if (lo->width >= VM_OVERVIEW_NARROW)
		strbuf_put(sb, "since ");
	if (si.at.ms)
		strbuf_printf(sb, "%s%s", si.exact ? "" : "\xe2\x89\xa4", units_moment(text, si.at, lo->now));
	else
		strbuf_putc(sb, '?');
	put_pad(sb, lo);
}

static void set_count(const struct overview_look *lo, struct overview_line *li, int64_t n, bool is_whole, enum cell_style style)
{
	char text[UNITS_TEXT_MAX];

	li->count = arena_strdup(lo->text, units_count_so_far(text, n, is_whole));
	li->count_style = li->text_style = (uint8_t)(n == 0 ? CELL_DIM : style);
}

static void set_unknown(struct overview_line *li, const char *text)
{
	li->count = "?";
	li->text = text;
	li->count_style = li->text_style = CELL_DIM;
}

static void set_unreadable(const struct overview_look *lo, struct overview_line *li, const char *what, const char *why)
{
	set_unknown(li, arena_printf(lo->text, "%s can't be read: %s", what, why_text(why)));
	li->text_style = CELL_WRONG;
}

/* ---- brokers, controller, topics, ZooKeeper ----------------------------------------- */

/* "7 kafka07.example since 03:09:51"; of several "3, 7, 9 since 03:09:51", the first of them. */
static void put_down(struct strbuf *sb, const struct overview_look *lo, size_t n_down)
{
	struct since first = { { 0 }, true };
	char text[UNITS_TEXT_MAX];
	size_t said = 0;

	for (size_t i = 0; i < lo->cl->n_brokers; i++) {
		const struct broker *br = lo->cl->brokers[i];
		const struct zk_endpoint *ep = n_down == 1 && br->has_info ? zk_broker_main_endpoint(&br->info) : NULL;
		struct since si = broker_since(lo->cl, br);

		if (cluster_broker_alive(lo->cl, br->id) != KNOW_ABSENT)
			continue;
		if (si.at.ms && (!first.at.ms || si.at.ms < first.at.ms))
			first = si;
		if (said < NAMED)
			strbuf_printf(sb, "%s%d%s%s", said ? ", " : "", br->id, ep ? " " : "", ep ? ep->host : "");
		said++;
	}
	if (said > NAMED)
		strbuf_printf(sb, " and %zu more", said - NAMED);
	if (first.at.ms)
		strbuf_printf(sb, "%s since %s%s", n_down > 1 ? ", the first" : "", first.exact ? "" : "\xe2\x89\xa4",
			      units_moment(text, first.at, lo->now));
}

/* "2 does not answer: refused (kafka02:9092)"; of several "2, 5 do not answer". Returns whether there is one. */
static bool put_silent(struct strbuf *sb, const struct overview_look *lo)
{
	const struct broker *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < lo->cl->n_brokers; i++)
		n += broker_is_silent(lo->cl, lo->cl->brokers[i]);
	if (n == 0)
		return false;
	for (size_t i = 0, said = 0; i < lo->cl->n_brokers && said < NAMED; i++)
		if (broker_is_silent(lo->cl, lo->cl->brokers[i])) {
			last = lo->cl->brokers[i];
			strbuf_printf(sb, "%s%d", said++ ? ", " : "", last->id);
		}
	if (n > NAMED)
		strbuf_printf(sb, " and %zu more", n - NAMED);
	strbuf_put(sb, n == 1 ? " does not answer" : " do not answer");
	if (n == 1 && last->link.error[0])
		broker_put_reason(sb, last->link.error);
	return true;
}

static void line_brokers(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct cluster *cl = lo->cl;
	size_t up = cluster_brokers_up(cl), down = cl->n_brokers - up;
	char text[UNITS_TEXT_MAX];
	struct strbuf silent;

	if (cl->broker_ids_fact.know == KNOW_UNREADABLE) {
		set_unreadable(lo, li, "/brokers/ids", cl->broker_ids_why);
		return;
	}
	if (!cluster_brokers_are_known(cl)) {
		set_unknown(li, "not read yet");
		return;
	}
	set_count(lo, li, (int64_t)up, true, CELL_NORMAL);
	strbuf_printf(sb, "up, %s down", units_count(text, (int64_t)down));
	li->text_style = down > 0 ? CELL_WRONG : CELL_NORMAL;
	if (down > 0) {
		put_pad(sb, lo);
		put_down(sb, lo, down);
	}
	strbuf_init(&silent);
	if (put_silent(&silent, lo)) {
		li->text_style = CELL_WRONG;
		if (down > 0)
			strbuf_put(sb, "; ");
		else
			put_pad(sb, lo);
		strbuf_put(sb, silent.s);
	}
	strbuf_fini(&silent);
	li->text = keep(lo, sb);
}

/* "2 changes seen in the last hour"; of what was before the console looked only the last one is known, by its time. */
static void put_elections(struct strbuf *sb, const struct overview_look *lo)
{
	size_t n = 0;

	while (n < EPOCH_RISES && lo->cl->epoch_rises[n].ms && lo->now.ms - lo->cl->epoch_rises[n].ms < hour_ms)
		n++;
	if (n == 0)
		strbuf_put(sb, lo->now.ms - lo->cl->controller_since.ms < hour_ms ? "elected in the last hour" : "no change seen in the last hour");
	else
		strbuf_printf(sb, "%zu%s change%s seen in the last hour", n, n == EPOCH_RISES ? " or more" : "", n == 1 ? "" : "s");
}

static void line_controller(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct cluster *cl = lo->cl;

	switch ((enum know)cl->controller_fact.know) {
	case KNOW_UNREADABLE:
		set_unreadable(lo, li, "/controller", cl->controller_why);
		return;
	case KNOW_UNKNOWN:
		set_unknown(li, "not read yet");
		return;
	case KNOW_ABSENT:
		li->count = "-";
		li->text = "no broker is controller";
		li->count_style = li->text_style = cl->loaded ? CELL_WRONG : CELL_DIM;
		return;
	case KNOW_PRESENT:
		break;
	}
	li->count = arena_printf(lo->text, "%d", cl->controller.broker);
	if (cluster_in_migration(cl)) {
		strbuf_put(sb, "a KRaft controller: the cluster is being migrated");
	} else {
		put_since(sb, lo, (struct since){ cl->controller_since, true });
		put_elections(sb, lo);
	}
	li->text = keep(lo, sb);
}

/* What is left once all that can be read has been. */
static void put_unreadable(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct cluster *cl = lo->cl;
	size_t topics = cl->n_topics - cl->n_topics_read, states = topic_count(&cl->totals, PT_UNREADABLE);

	if (!cl->loaded || topics + states == 0)
		return;
	if (topics > 0)
		strbuf_printf(sb, "; %zu can't be read", topics);
	if (states > 0)
		strbuf_printf(sb, "; %zu partition state%s can't be read", states, states == 1 ? "" : "s");
	li->text_style = CELL_WRONG;
}

static void line_topics(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct cluster *cl = lo->cl;
	bool is_whole = cluster_assignments_are_whole(cl);
	char text[UNITS_TEXT_MAX];

	if (cl->topics_fact.know == KNOW_UNREADABLE) {
		set_unreadable(lo, li, "/brokers/topics", cl->topics_why);
		return;
	}
	set_count(lo, li, (int64_t)cl->n_topics, cl->topics_fact.know != KNOW_UNKNOWN, CELL_NORMAL);
	strbuf_printf(sb, "%s partition%s, ", units_count_so_far(text, (int64_t)cl->n_partitions, is_whole), is_whole && cl->n_partitions == 1 ? "" : "s");
	strbuf_printf(sb, "%s replica%s", units_count_so_far(text, (int64_t)cl->n_replicas, is_whole), is_whole && cl->n_replicas == 1 ? "" : "s");
	if (lo->dirs->n_brokers > 0 && lo->dirs->n_brokers == cl->n_brokers)
		strbuf_printf(sb, ", %s%s", units_bytes(text, lo->dirs->size_bytes), lo->dirs->n_offline > 0 ? "?" : "");
	put_unreadable(lo, li, sb);
	li->text = keep(lo, sb);
}

static void line_zookeeper(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct conn_info *co = &lo->cl->conn;
	char text[UNITS_TEXT_MAX];

	li->is_live = true;
	li->text_style = co->state == CONN_UP ? CELL_NORMAL : CELL_WRONG;
	strbuf_put(sb, co->state == CONN_UP ? "connected" : "no session");
	put_pad(sb, lo);
	strbuf_put(sb, co->server[0] ? co->server : "no server tried yet");
	if (co->state == CONN_UP && co->latency >= 0)
		strbuf_printf(sb, ", answers in %lld ms", (long long)co->latency);
	if (co->state == CONN_UP && co->session_id)
		strbuf_printf(sb, ", session 0x%llx, time-out %s", (unsigned long long)co->session_id, units_dur(text, co->session_timeout));
	if (co->state != CONN_UP && co->error[0])
		strbuf_printf(sb, ": %s", co->error);
	li->text = keep(lo, sb);
}

/* ---- partitions ------------------------------------------------------------------------ */

/* "in payments.ledger", "in 96 topics" */
static void put_topics(struct strbuf *sb, const struct overview_look *lo, const struct overview_sum *su)
{
	char text[UNITS_TEXT_MAX];

	if (su->n_topics == 1)
		strbuf_printf(sb, "in %s", lo->cl->topics[su->first]->name);
	else
		strbuf_printf(sb, "in %s topics", units_count(text, (int64_t)su->n_topics));
}

/* "payments.ledger 3, 11", "payments.ledger 3, 11 and in 3 topics more" */
static void put_partitions(struct strbuf *sb, const struct overview_look *lo, const struct overview_sum *su, unsigned flag)
{
	const struct topic *tp = lo->cl->topics[su->first];
	uint32_t n = topic_count(&tp->counts, flag), said = 0;

	strbuf_put(sb, tp->name);
	for (size_t i = 0; i < tp->n_parts && said < NAMED; i++)
		if (tp->parts[i].flags & flag)
			strbuf_printf(sb, "%s %d", said++ ? "," : "", tp->parts[i].id);
	if (said < n)
		strbuf_printf(sb, " and %u more", n - said);
	if (su->n_topics > 1)
		strbuf_printf(sb, ", and in %zu more topic%s", su->n_topics - 1, su->n_topics == 2 ? "" : "s");
}

/* The count of a verdict; false when there is nothing more to say of it. What keeps it open is said where it is zero so far. */
static bool set_verdict(const struct overview_look *lo, struct overview_line *li, unsigned flag, enum cell_style style, struct strbuf *sb)
{
	uint32_t n = topic_count(&lo->cl->totals, flag), doubts = topic_count(&lo->cl->totals, PT_MIN_UNKNOWN);
	char text[UNITS_TEXT_MAX];

	set_count(lo, li, n, overview_is_whole(lo->cl, flag), style);
	if (n > 0)
		return true;
	if (flag == PT_UNDER_MIN && doubts > 0) {
		strbuf_printf(sb, "min.insync.replicas isn't known for %s partition%s", units_count(text, doubts), doubts == 1 ? "" : "s");
		li->text = keep(lo, sb);
	}
	return false;
}

static void line_offline(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct overview_sum *su = &lo->sums->of[OVERVIEW_OFFLINE];

	if (!set_verdict(lo, li, PT_OFFLINE, CELL_WRONG, sb) || su->n_topics == 0)
		return;
	put_since(sb, lo, su->since);
	put_partitions(sb, lo, su, PT_OFFLINE);
	li->text = keep(lo, sb);
}

static void line_under_min(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct overview_sum *su = &lo->sums->of[OVERVIEW_UNDER_MIN];

	if (!set_verdict(lo, li, PT_UNDER_MIN, CELL_WRONG, sb) || su->n_topics == 0)
		return;
	put_since(sb, lo, su->since);
	put_topics(sb, lo, su);
	li->text = keep(lo, sb);
}

static void line_under(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct overview_sum *su = &lo->sums->of[OVERVIEW_UNDER];
	int32_t all = overview_all_miss(lo->cl);

	if (!set_verdict(lo, li, PT_UNDER, CELL_WRONG, sb) || su->n_topics == 0)
		return;
	put_since(sb, lo, su->since);
	put_topics(sb, lo, su);
	if (all != BROKER_NONE)
		strbuf_printf(sb, topic_count(&lo->cl->totals, PT_UNDER) == 1 ? ", it misses broker %d" : ", all miss broker %d", all);
	li->text = keep(lo, sb);
}

static void line_only_moving(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	(void)sb;
	set_count(lo, li, lo->sums->only_moving, cluster_counts_are_whole(lo->cl), CELL_BUSY);
	if (lo->sums->only_moving > 0)
		li->text = "not counted above";
}

static void line_at_min(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	set_verdict(lo, li, PT_AT_MIN, CELL_NORMAL, sb);
}

static void line_not_preferred(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	uint32_t n = topic_count(&lo->cl->totals, PT_NOT_PREFERRED);

	if (!set_verdict(lo, li, PT_NOT_PREFERRED, CELL_NORMAL, sb) || lo->cl->n_partitions == 0)
		return;
	strbuf_printf(sb, "%.1f %% of the partitions", 100.0 * n / (double)lo->cl->n_partitions);
	li->text = keep(lo, sb);
}

/* ---- what is under way ----------------------------------------------------------------- */

/* "3 wait, 1 runs   oldest 2d4h, broker 7 down". False: they tell of none that is queued. */
static bool put_deletions(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct deletion *oldest = NULL;
	size_t by_state[DELETION_STATES] = { 0 };
	char age[UNITS_TEXT_MAX];

	for (size_t i = 0; lo->deletions && i < deletions_count(lo->deletions); i++) {
		const struct deletion *dl = deletions_at(lo->deletions, i);

		by_state[dl->state]++;
		if (deletion_state_is_end(dl->state) || (oldest && oldest->state == DELETION_WAITING && dl->state != DELETION_WAITING))
			continue;
		if (!oldest || (dl->state == DELETION_WAITING && oldest->state != DELETION_WAITING) || dl->marked_at.ms < oldest->marked_at.ms)
			oldest = dl;
	}
	if (!oldest)
		return false;
	deletion_put_counts(sb, "", by_state);
	put_pad(sb, lo);
	if (oldest->marked_at.ms)
		strbuf_printf(sb, "oldest %s", units_dur(age, lo->now.ms - oldest->marked_at.ms));
	if (oldest->why && *oldest->why)
		strbuf_printf(sb, "%s%s", oldest->marked_at.ms ? ", " : "", oldest->why);
	if (by_state[DELETION_WAITING] > 0)
		li->count_style = li->text_style = CELL_WRONG;
	return true;
}

static void line_deletions(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct cluster *cl = lo->cl;
	size_t n = cl->markers.n;

	if (cl->markers_fact.know == KNOW_UNREADABLE) {
		set_unreadable(lo, li, "/admin/delete_topics", cl->markers_why);
		return;
	}
	set_count(lo, li, (int64_t)n, cl->markers_fact.know != KNOW_UNKNOWN, CELL_BUSY);
	if (n == 0)
		return;
	if (put_deletions(lo, li, sb)) {
		li->text = keep(lo, sb);
		return;
	}
	strbuf_put(sb, "queued");
	put_pad(sb, lo);
	for (size_t i = 0; i < n && i < NAMED; i++)
		strbuf_printf(sb, "%s%s", i ? ", " : "", cl->markers.v[i]);
	if (n > NAMED)
		strbuf_printf(sb, " and %zu more", n - NAMED);
	li->text = keep(lo, sb);
}

/* Entries of /admin/reassign_partitions stand beside what moves: the controller may not have begun, or never will. */
static void line_moves(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct cluster *cl = lo->cl;
	const struct overview_sum *su = &lo->sums->of[OVERVIEW_MOVING];
	bool has_entries = cl->reassign_fact.know == KNOW_PRESENT && cl->reassign.n > 0;

	set_count(lo, li, topic_count(&cl->totals, PT_MOVING) + (int64_t)lo->dirs->n_future, overview_is_whole(cl, PT_MOVING), CELL_BUSY);
	if (su->n_topics > 0)
		put_topics(sb, lo, su);
	if (lo->dirs->n_future > 0)
		strbuf_printf(sb, "%s%zu between log dirs", sb->len ? ", " : "", lo->dirs->n_future);
	if (has_entries)
		strbuf_printf(sb, "%s%zu in /admin/reassign_partitions", sb->len ? ", " : "", cl->reassign.n);
	if (sb->len == 0)
		return;
	li->text = keep(lo, sb);
	li->text_style = CELL_BUSY;
}

static void line_throttles(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct overview_throttles *ot = lo->throttles;

	set_count(lo, li, (int64_t)ot->n, lo->cl->loaded_once && ot->n_unread == 0, CELL_NORMAL);
	if (ot->n_left == 0)
		return;
	strbuf_printf(sb, "%zu left over", ot->n_left);
	put_pad(sb, lo);
	strbuf_put(sb, ot->left.s);
	li->text = keep(lo, sb);
	li->text_style = CELL_WRONG;
}

/* "broker 2 …/broker-2/d1": which dir it is stands at its end. */
static void put_dir(struct strbuf *sb, const struct broker *br, const struct disk_dir *dir)
{
	const char *tail = str_path_tail(dir->path, DIR_SHOWN);

	strbuf_printf(sb, "broker %d %s%s", br->id, tail != dir->path ? "\u2026" : "", tail);
}

static void put_offline_dirs(struct strbuf *sb, const struct overview_look *lo)
{
	const struct overview_dirs *od = lo->dirs;

	if (od->n_offline == 0)
		return;
	strbuf_put(sb, "offline");
	put_pad(sb, lo);
	put_dir(sb, od->offline, od->offline_dir);
	if (od->n_offline > 1)
		strbuf_printf(sb, " and %zu more", od->n_offline - 1);
}

/* Why no broker has told its log dirs. */
static const char *untold_text(const struct overview_look *lo)
{
	for (size_t i = 0; i < lo->cl->n_brokers; i++)
		if (lo->cl->brokers[i]->disks_fact.know == KNOW_UNREADABLE || lo->cl->brokers[i]->link.state == LINK_UP)
			return broker_disks_why(lo->cl, lo->cl->brokers[i], lo->text);
	return "no broker was asked";
}

static void line_dirs(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	const struct overview_dirs *od = lo->dirs;
	const struct cluster *cl = lo->cl;

	if (od->n_brokers == 0) {
		if (cl->asked_fact.know == KNOW_UNREADABLE)
			set_unreadable(lo, li, "what brokers say", cl->asked_why);
		else
			set_unknown(li, untold_text(lo));
		return;
	}
	set_count(lo, li, (int64_t)od->n_offline, od->n_brokers == cl->n_brokers, CELL_WRONG);
	put_offline_dirs(sb, lo);
	if (od->n_offline == 0 && od->n_brokers == cl->n_brokers)
		strbuf_printf(sb, "of %zu offline", od->n_dirs);
	if (od->fullest) {
		strbuf_printf(sb, "%sfullest %d %%, ", sb->len ? "; " : "", od->fullest_used / 10);
		put_dir(sb, od->fullest, od->fullest_dir);
	}
	if (od->n_brokers < cl->n_brokers)
		strbuf_printf(sb, "%s%zu of %zu brokers told", sb->len ? "; " : "", od->n_brokers, cl->n_brokers);
	if (sb->len > 0)
		li->text = keep(lo, sb);
	if (od->n_offline == 0)
		li->text_style = CELL_NORMAL;
}

/* "2 poison", then of which kinds they are. */
static void put_kinds(struct strbuf *sb, const struct overview_look *lo)
{
	size_t n = truths_count(lo->truths), poison = truths_poison(lo->truths), said = 0;

	if (poison > 0) {
		strbuf_printf(sb, "%zu poison", poison);
		put_pad(sb, lo);
	}
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && truths_at(lo->truths, i)->kind == truths_at(lo->truths, i - 1)->kind)
			continue;
		if (said++ < NAMED)
			strbuf_printf(sb, "%s%s", said > 1 ? ", " : "", truth_kind_name(truths_at(lo->truths, i)->kind));
	}
	if (said > NAMED)
		strbuf_printf(sb, " and %zu kinds more", said - NAMED);
}

static void line_truths(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb)
{
	size_t n = lo->truths ? truths_count(lo->truths) : 0;

	set_count(lo, li, (int64_t)n, lo->truths && lo->cl->loaded_once, CELL_NORMAL);
	if (n == 0)
		return;
	put_kinds(sb, lo);
	li->text = keep(lo, sb);
	if (truths_at(lo->truths, 0)->is_poison)
		li->count_style = li->text_style = CELL_WRONG;
}

/* ---- all of them -------------------------------------------------------------------------- */

struct line_def {
	const char *key, *label; /* "": a gap */
	void (*make)(const struct overview_look *lo, struct overview_line *li, struct strbuf *sb);
	bool only_wide;
};

static const struct line_def line_defs[] = {
	{ "brokers", "Brokers", line_brokers, false },
	{ "controller", "Controller", line_controller, false },
	{ "topics", "Topics", line_topics, false },
	{ "zookeeper", "ZooKeeper", line_zookeeper, true },
	{ "", "", NULL, false },
	{ "offline", "Offline", line_offline, false },
	{ "under-min", "Under min ISR", line_under_min, false },
	{ "under", "Under-replicated", line_under, false },
	{ "only-moving", "  only moving", line_only_moving, false },
	{ "at-min", "At min ISR", line_at_min, false },
	{ "not-preferred", "Not preferred", line_not_preferred, false },
	{ "", "", NULL, false },
	{ "deletions", "Deletions", line_deletions, false },
	{ "moves", "Moves", line_moves, false },
	{ "throttles", "Throttles", line_throttles, false },
	{ "dirs", "Log dirs", line_dirs, false },
	{ "truths", "Disagreements", line_truths, false },
};
_Static_assert(sizeof(line_defs) / sizeof(line_defs[0]) <= OVERVIEW_LINES_MAX, "room for every line");

size_t overview_lines(const struct overview_look *lo, struct overview_line out[OVERVIEW_LINES_MAX])
{
	struct strbuf sb;
	size_t n = 0;

	strbuf_init(&sb);
	for (size_t i = 0; i < sizeof(line_defs) / sizeof(line_defs[0]); i++) {
		struct overview_line *li = &out[n];

		if (line_defs[i].only_wide && lo->width < VM_OVERVIEW_WIDE)
			continue;
		if (!line_defs[i].make && lo->width < VM_OVERVIEW_NARROW) /* a row is worth more there */
			continue;
		*li = (struct overview_line){ .key = line_defs[i].key, .label = line_defs[i].label, .count = "", .text = "" };
		if (line_defs[i].make)
			line_defs[i].make(lo, li, &sb);
		n++;
	}
	strbuf_fini(&sb);
	return n;
}
