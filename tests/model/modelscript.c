/* SPDX-License-Identifier: Apache-2.0 */
/* Runs model scripts (tests/model/README) and speaks TAP: one line a script. */
#include <stdarg.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/health.h"
#include "core/model.h"
#include "core/zkpath.h"
#include "deleted.h"
#include "said.h"
#include "told.h"
#include "watched.h"

struct script {
	struct model *md;
	struct said *said;
	struct told *told;
	struct deletions *deletions;
	const char *file;
	int line;
	uint32_t epoch;
	int64_t at;
	struct znode_stat stat;
	bool failed;
	size_t expects;
	char *words[64];
	size_t n;
	const char *rest; /* of the line, from word 2 on */
};

__attribute__((format(printf, 2, 3)))
static void fail(struct script *sc, const char *fmt, ...)
{
	va_list ap;

	printf("# %s:%d: ", sc->file, sc->line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	sc->failed = true;
}

static const char *word(const struct script *sc, size_t i)
{
	return i < sc->n ? sc->words[i] : "";
}

static int64_t number(struct script *sc, size_t i)
{
	int64_t n = 0;

	if (!str_to_i64(word(sc, i), INT64_MIN, INT64_MAX, &n))
		fail(sc, "'%s' is no number", word(sc, i));
	return n;
}

static void apply(struct script *sc, struct event *ev)
{
	if (ev == NULL)
		fail(sc, "no event comes of this path");
	else
		model_apply(sc->md, ev);
	memset(&sc->stat, 0, sizeof(sc->stat));
}

static mono_ms mono(const struct script *sc) { return (mono_ms){ sc->at }; }
static wall_ms wall(const struct script *sc) { return (wall_ms){ sc->at }; }

static void do_conn(struct script *sc)
{
	struct conn_info info = { .state = strcmp(word(sc, 1), "up") == 0 ? CONN_UP : CONN_CONNECTING, .latency = -1 };

	apply(sc, event_conn(sc->epoch, mono(sc), wall(sc), &info));
}

static void do_stat(struct script *sc)
{
	for (size_t i = 1; i < sc->n; i++) {
		char *eq = strchr(sc->words[i], '=');
		int64_t v;

		if (eq == NULL || !str_to_i64(eq + 1, INT64_MIN, INT64_MAX, &v)) {
			fail(sc, "stat wants KEY=N");
			return;
		}
		*eq = '\0';
		if (strcmp(sc->words[i], "czxid") == 0)
			sc->stat.czxid = v;
		else if (strcmp(sc->words[i], "mtime") == 0)
			sc->stat.mtime.ms = v;
		else if (strcmp(sc->words[i], "ctime") == 0)
			sc->stat.ctime.ms = v;
		else if (strcmp(sc->words[i], "children") == 0)
			sc->stat.n_children = (int32_t)v;
		else if (strcmp(sc->words[i], "owner") == 0)
			sc->stat.ephemeral_owner = v;
		else
			fail(sc, "unknown stat '%s'", sc->words[i]);
	}
}

/* What stands in place of a list's children. */
static bool do_no_list(struct script *sc, enum znode_rc rc, const char *why)
{
	if (!zkpath_is_list(zkpath_parse(word(sc, 1)).kind))
		return false;
	apply(sc, event_from_children(word(sc, 1), rc, why, NULL, 0, NULL, sc->epoch, mono(sc), wall(sc)));
	return true;
}

static void do_read(struct script *sc, enum znode_rc rc)
{
	if (rc != ZNODE_OK && do_no_list(sc, rc, sc->rest))
		return;
	apply(sc, event_from_znode(word(sc, 1), rc, sc->rest, sc->rest, strlen(sc->rest), &sc->stat,
		sc->epoch, mono(sc), wall(sc)));
}

static void do_absent(struct script *sc)
{
	if (do_no_list(sc, ZNODE_ABSENT, NULL))
		return;
	apply(sc, event_from_znode(word(sc, 1), ZNODE_ABSENT, NULL, NULL, 0, NULL, sc->epoch, mono(sc), wall(sc)));
}

static void do_children(struct script *sc)
{
	apply(sc, event_from_children(word(sc, 1), ZNODE_OK, NULL, (const char *const *)sc->words + 2, sc->n > 2 ? sc->n - 2 : 0,
		&sc->stat, sc->epoch, mono(sc), wall(sc)));
}

/* ---- expectations -------------------------------------------------------------------- */

static void want(struct script *sc, const char *what, const char *found, const char *wanted)
{
	if (strcmp(found, wanted) != 0)
		fail(sc, "%s: expected %s, found %s", what, wanted, found);
}

static void want_n(struct script *sc, const char *what, int64_t found, int64_t wanted)
{
	if (found != wanted)
		fail(sc, "%s: expected %lld, found %lld", what, (long long)wanted, (long long)found);
}

static unsigned flag_of(struct script *sc, const char *name)
{
	static const struct { const char *name; unsigned flag; } flags[] = {
		{ "known", PT_KNOWN }, { "unreadable", PT_UNREADABLE }, { "offline", PT_OFFLINE }, { "under", PT_UNDER },
		{ "under-min", PT_UNDER_MIN }, { "at-min", PT_AT_MIN }, { "min-unknown", PT_MIN_UNKNOWN },
		{ "not-preferred", PT_NOT_PREFERRED }, { "moving", PT_MOVING }, { "recovering", PT_RECOVERING },
		{ "no-leader", PT_NO_LEADER }, { "alive-unknown", PT_ALIVE_UNKNOWN }, { "differs", PT_DIFFERS },
		{ "no-state", PT_NO_STATE },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (strcmp(flags[i].name, name) == 0)
			return flags[i].flag;
	fail(sc, "unknown flag '%s'", name);
	return PT_KNOWN;
}

static const char *const know_words[] = { "unknown", "absent", "known", "unreadable" };
static const char *const source_words[] = { "-", "zookeeper", "brokers" };

static void expect_topic(struct script *sc)
{
	const struct topic *tp = cluster_topic_find(model_cluster(sc->md), word(sc, 2));
	const char *what = word(sc, 3);

	if (tp == NULL)
		fail(sc, "there is no topic '%s'", word(sc, 2));
	else if (strcmp(what, "count") == 0)
		want_n(sc, word(sc, 4), topic_count(&tp->counts, flag_of(sc, word(sc, 4))), number(sc, 5));
	else if (strcmp(what, "rf") == 0)
		want_n(sc, what, tp->rf, number(sc, 4));
	else if (strcmp(what, "partitions") == 0)
		want_n(sc, what, (int64_t)tp->n_parts, number(sc, 4));
	else if (strcmp(what, "overrides") == 0)
		want_n(sc, what, (int64_t)tp->config.n, number(sc, 4));
	else if (strcmp(what, "config") == 0)
		want(sc, what, know_words[tp->config_fact.know], strcmp(word(sc, 4), "present") == 0 ? "known" : word(sc, 4));
	else if (strcmp(what, "from") == 0)
		want(sc, what, source_words[tp->node.source], word(sc, 4));
	else if (strcmp(what, "missing") == 0)
		want_n(sc, what, tp->md_missing, number(sc, 4));
	else if (strcmp(what, "size") == 0) {
		want_n(sc, what, tp->size_bytes, number(sc, 4));
		want(sc, what, cluster_size_is_whole(model_cluster(sc->md), tp) ? "whole" : "part", word(sc, 5));
	} else if (strcmp(what, "id") == 0)
		want(sc, what, tp->topic_id != NULL ? tp->topic_id : "-", word(sc, 4));
	else
		want(sc, "state", health_topic_word(health_topic(tp)), what);
}

static void expect_since(struct script *sc, struct since since, size_t i)
{
	want_n(sc, "since", since.at.ms, number(sc, i));
	want(sc, "since", since.exact ? "exact" : "bound", word(sc, i + 1));
}

/* "word leader N", "word polls N", "word since MS", "word -" */
static void expect_word(struct script *sc, const struct word *wd)
{
	const char *what = word(sc, 5);

	if (wd == NULL || strcmp(what, "-") == 0)
		want(sc, "word", wd != NULL ? "one" : "-", what);
	else if (strcmp(what, "leader") == 0)
		want_n(sc, what, wd->leader, number(sc, 6));
	else if (strcmp(what, "polls") == 0)
		want_n(sc, what, wd->polls, number(sc, 6));
	else
		want_n(sc, what, wd->since.ms, number(sc, 6));
}

/* "offline yes|no|undecided" */
static void expect_verdict(struct script *sc, const struct partition *pt, const char *name)
{
	static const char *const words[] = { [VERDICT_NO] = "no", [VERDICT_YES] = "yes", [VERDICT_UNDECIDED] = "undecided" };

	want(sc, name, words[health_verdict(pt, flag_of(sc, name))], word(sc, 5));
}

static void expect_partition(struct script *sc)
{
	const struct cluster *cl = model_cluster(sc->md);
	const struct topic *tp = cluster_topic_find(cl, word(sc, 2));
	const struct partition *pt = tp != NULL ? topic_partition_find(tp, (int32_t)number(sc, 3)) : NULL;
	const char *what = word(sc, 4);
	char isr[256] = "";

	if (pt == NULL) {
		fail(sc, "there is no partition %s %s", word(sc, 2), word(sc, 3));
		return;
	}
	for (size_t i = 0; i < pt->n_isr; i++)
		str_printf(isr + strlen(isr), sizeof(isr) - strlen(isr), "%s%d", i ? "," : "", pt->isr[i]);
	if (strcmp(what, "leader") == 0)
		want_n(sc, what, pt->leader, number(sc, 5));
	else if (strcmp(what, "isr") == 0)
		want(sc, what, isr, word(sc, 5));
	else if (strcmp(what, "state") == 0)
		want(sc, what, know_words[pt->state.know], word(sc, 5));
	else if (strcmp(what, "from") == 0)
		want(sc, what, source_words[pt->state.source], word(sc, 5));
	else if (strcmp(what, "word") == 0)
		expect_word(sc, pt->word);
	else if (strcmp(what, "since") == 0)
		expect_since(sc, pt->under_since, 5);
	else if (strcmp(what, "offline-since") == 0)
		expect_since(sc, pt->offline_since, 5);
	else if (strcmp(what, "under-min-since") == 0)
		expect_since(sc, pt->under_min_since, 5);
	else if (sc->n > 5)
		expect_verdict(sc, pt, what);
	else
		want(sc, "age", pt->state.epoch == cl->epoch ? "fresh" : "old", what);
}

static void expect_broker(struct script *sc)
{
	const struct broker *br = cluster_broker_find(model_cluster(sc->md), (int32_t)number(sc, 2));
	const char *what = word(sc, 3);

	if (br == NULL)
		fail(sc, "there is no broker %s", word(sc, 2));
	else if (strcmp(what, "replicas") == 0)
		want_n(sc, what, br->replicas, number(sc, 4));
	else if (strcmp(what, "leaders") == 0)
		want_n(sc, what, br->leaders, number(sc, 4));
	else if (strcmp(what, "under") == 0)
		want_n(sc, what, br->under_followers, number(sc, 4));
	else if (strcmp(what, "since") == 0)
		expect_since(sc, (struct since){ br->since, br->since_exact }, 4);
	else if (strcmp(what, "alive") == 0)
		want(sc, what, know_words[cluster_broker_alive(model_cluster(sc->md), br->id)], word(sc, 4));
	else
		want(sc, "broker", br->up ? "up" : "down", what);
}

/* "dir B PATH orphans N | replicas N | future N | size N | offline | online" */
static void expect_dir(struct script *sc)
{
	const struct broker *br = cluster_broker_find(model_cluster(sc->md), (int32_t)number(sc, 2));
	const struct disk_dir *dir = NULL;
	const char *what = word(sc, 4);

	for (size_t i = 0; br != NULL && br->disks != NULL && i < br->disks->n_dirs; i++)
		if (strcmp(br->disks->dirs[i].path, word(sc, 3)) == 0)
			dir = &br->disks->dirs[i];
	if (dir == NULL)
		fail(sc, "there is no such dir");
	else if (strcmp(what, "orphans") == 0)
		want_n(sc, what, dir->n_orphans, number(sc, 5));
	else if (strcmp(what, "replicas") == 0)
		want_n(sc, what, dir->n_replicas, number(sc, 5));
	else if (strcmp(what, "future") == 0)
		want_n(sc, what, dir->n_future, number(sc, 5));
	else if (strcmp(what, "size") == 0)
		want_n(sc, what, dir->size_bytes, number(sc, 5));
	else
		want(sc, "dir", disk_dir_is_offline(dir) ? "offline" : "online", what);
}

/* "orphan B T P N": in how many answers in a row; 0: it is none. */
static void expect_orphan(struct script *sc)
{
	bool is_known;
	const struct disk_replica *dr = cluster_disk_replica(model_cluster(sc->md), (int32_t)number(sc, 2), word(sc, 3),
		(int32_t)number(sc, 4), false, &is_known);

	if (dr == NULL)
		fail(sc, "there is no such replica on disk");
	else
		want_n(sc, "orphan", dr->is_orphan ? dr->orphan_polls : 0, number(sc, 5));
}

static void expect_only(struct script *sc)
{
	const struct cluster *cl = model_cluster(sc->md);

	want_n(sc, "topics only the brokers list", (int64_t)cl->n_md_only, (int64_t)(strcmp(word(sc, 2), "-") == 0 ? 0 : sc->n - 2));
	for (size_t i = 0; i < cl->n_md_only; i++)
		want(sc, "only the brokers list", cl->md_only[i].name, word(sc, 2 + i));
}

static void expect_replica(struct script *sc)
{
	const struct cluster *cl = model_cluster(sc->md);
	const struct topic *tp = cluster_topic_find(cl, word(sc, 2));
	const struct partition *pt = tp != NULL ? topic_partition_find(tp, (int32_t)number(sc, 3)) : NULL;

	if (pt == NULL)
		fail(sc, "there is no such partition");
	else
		want(sc, "replica", health_replica_word(health_replica(cl, pt, (int32_t)number(sc, 4))), word(sc, 5));
}

static void expect_no(struct script *sc)
{
	const struct cluster *cl = model_cluster(sc->md);

	if (strcmp(word(sc, 2), "topic") == 0 && cluster_topic_find(cl, word(sc, 3)) != NULL)
		fail(sc, "topic %s is there", word(sc, 3));
	if (strcmp(word(sc, 2), "broker") == 0 && cluster_broker_find(cl, (int32_t)number(sc, 3)) != NULL)
		fail(sc, "broker %s is there", word(sc, 3));
	if (strcmp(word(sc, 2), "migration") == 0 && cluster_in_migration(cl))
		fail(sc, "a migration is seen");
}

static void expect_changed(struct script *sc)
{
	struct changes ch = model_changes(sc->md);
	size_t wanted = strcmp(word(sc, 2), "-") == 0 ? 0 : sc->n - 2;

	want_n(sc, "changed topics", (int64_t)ch.n_topics, (int64_t)wanted);
	for (size_t i = 0; i < ch.n_topics; i++) {
		bool found = false;

		for (size_t j = 2; j < sc->n; j++)
			found |= strcmp(ch.topics[i]->name, sc->words[j]) == 0;
		if (!found)
			fail(sc, "%s changed", ch.topics[i]->name);
	}
}

/* ---- truths ---------------------------------------------------------------------------- */

/* All that changed since the last look, as the loop tells it. */
static void look_at_truths(struct script *sc)
{
	struct changes ch = model_changes(sc->md);

	told_look(sc->told, model_cluster(sc->md), &ch, mono(sc), wall(sc));
	model_changes_clear(sc->md);
}

static void do_tick(struct script *sc)
{
	look_at_truths(sc);
	sc->at += number(sc, 1);
	look_at_truths(sc);
}

/* "truth KIND: SUBJECT", "no truths", "its ..." */
static bool expect_told(struct script *sc)
{
	struct strbuf wrong;

	if (!told_is_ours(word(sc, 1), word(sc, 2)))
		return false;
	look_at_truths(sc);
	strbuf_init(&wrong);
	told_expect(sc->told, word(sc, 1), sc->rest, &wrong);
	if (wrong.len > 0)
		fail(sc, "%s", wrong.s);
	strbuf_fini(&wrong);
	return true;
}

/* A line of tests/model/watched.c, or of deleted.c. */
static bool expect_deleting(struct script *sc)
{
	struct strbuf wrong;
	bool is_ours;

	strbuf_init(&wrong);
	is_ours = watched_expect(model_cluster(sc->md), sc->words, sc->n, &wrong) ||
		deleted_expect(sc->deletions, sc->words, sc->n, sc->rest, &wrong);
	if (wrong.len > 0)
		fail(sc, "%s", wrong.s);
	strbuf_fini(&wrong);
	return is_ours;
}

static void do_expect(struct script *sc)
{
	const struct cluster *cl = model_cluster(sc->md);
	const char *what = word(sc, 1);

	sc->expects++;
	if (expect_told(sc) || expect_deleting(sc))
		return;
	if (strcmp(what, "topic") == 0)
		expect_topic(sc);
	else if (strcmp(what, "partition") == 0)
		expect_partition(sc);
	else if (strcmp(what, "broker") == 0)
		expect_broker(sc);
	else if (strcmp(what, "replica") == 0)
		expect_replica(sc);
	else if (strcmp(what, "no") == 0)
		expect_no(sc);
	else if (strcmp(what, "total") == 0)
		want_n(sc, word(sc, 2), topic_count(&cl->totals, flag_of(sc, word(sc, 2))), number(sc, 3));
	else if (strcmp(what, "changed") == 0)
		expect_changed(sc);
	else if (strcmp(what, "dir") == 0)
		expect_dir(sc);
	else if (strcmp(what, "orphan") == 0)
		expect_orphan(sc);
	else if (strcmp(what, "only-brokers-list") == 0)
		expect_only(sc);
	else if (strcmp(what, "foreign") == 0)
		want(sc, what, cl->foreign_id != NULL ? cl->foreign_id : "-", word(sc, 2));
	else if (strcmp(what, "migration") == 0)
		want_n(sc, what, cluster_in_migration(cl), 1);
	else
		want(sc, "data", cluster_is_stale(cl) ? "stale" : "live", what);
}

/* ---- lines ----------------------------------------------------------------------------- */

/* A line about what brokers say. */
static bool do_said(struct script *sc)
{
	struct event *ev = NULL;
	const char *wrong = NULL;

	if (!said_line(sc->said, sc->words, sc->n, mono(sc), wall(sc), &ev, &wrong))
		return false;
	if (wrong != NULL)
		fail(sc, "%s", wrong);
	if (ev != NULL)
		model_apply(sc->md, ev);
	return true;
}

static void do_at(struct script *sc) { sc->at = number(sc, 1); }
static void do_epoch(struct script *sc) { sc->epoch = (uint32_t)number(sc, 1); }
static void do_znode(struct script *sc) { do_read(sc, ZNODE_OK); }
static void do_unreadable(struct script *sc) { do_read(sc, ZNODE_NO_PERMISSION); }
static void do_loaded(struct script *sc) { apply(sc, event_new(EV_LOADED, sc->epoch, mono(sc), wall(sc))); }
static void do_clear(struct script *sc) { model_changes_clear(sc->md); }
static void do_scene(struct script *sc);

static void do_line(struct script *sc)
{
	static const struct { const char *verb; void (*run)(struct script *); } verbs[] = {
		{ "at", do_at }, { "epoch", do_epoch }, { "conn", do_conn }, { "stat", do_stat }, { "znode", do_znode },
		{ "unreadable", do_unreadable }, { "absent", do_absent }, { "children", do_children }, { "loaded", do_loaded },
		{ "clear", do_clear }, { "tick", do_tick }, { "expect", do_expect }, { "scene", do_scene },
	};

	if (do_said(sc))
		return;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(word(sc, 0), verbs[i].verb) == 0) {
			verbs[i].run(sc);
			return;
		}
	fail(sc, "unknown verb '%s'", word(sc, 0));
}

/* Splits at blanks; `rest` is what stands from the third word on. */
static void split(struct script *sc, char *line)
{
	static char copy[8192];
	size_t skip;

	str_printf(copy, sizeof(copy), "%s", line);
	skip = strcspn(copy, " ");
	skip += strspn(copy + skip, " ");
	skip += strcspn(copy + skip, " ");
	skip += strspn(copy + skip, " ");
	sc->rest = copy + skip;
	sc->n = 0;
	for (char *p = line; *p != '\0' && sc->n < 63;) {
		sc->words[sc->n++] = p;
		p += strcspn(p, " ");
		if (*p != '\0')
			*p++ = '\0';
		p += strspn(p, " ");
	}
	sc->words[sc->n] = NULL;
}

/* The lines of a file: of a script, or of a scene that it begins with. */
static void play(struct script *sc, const char *file)
{
	FILE *f = fopen(file, "r");
	char line[8192];

	sc->file = file;
	sc->line = 0;
	if (f == NULL) {
		fail(sc, "can't be opened");
		return;
	}
	while (!sc->failed && fgets(line, sizeof(line), f) != NULL) {
		sc->line++;
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\0' || line[0] == '#')
			continue;
		split(sc, line);
		/* As the loop does once a turn, so that what is seen to change is timed from then. */
		deletions_update(sc->deletions, model_cluster(sc->md), NULL, mono(sc), wall(sc));
		do_line(sc);
	}
	fclose(f);
}

/* NAME.scene, beside the script. */
static void do_scene(struct script *sc)
{
	const char *file = sc->file, *slash = strrchr(file, '/');
	int line = sc->line;
	char path[4096];

	if (!str_printf(path, sizeof(path), "%.*s%s.scene", slash != NULL ? (int)(slash + 1 - file) : 0, file, word(sc, 1)))
		fail(sc, "the path of the scene is too long");
	else
		play(sc, path);
	sc->file = file;
	sc->line = line;
}

static bool run(const char *file)
{
	struct script sc = { .epoch = 1, .at = 1000 };

	sc.md = model_new();
	sc.said = said_new();
	sc.told = told_new();
	sc.deletions = deletions_new();
	play(&sc, file);
	model_free(&sc.md);
	said_free(&sc.said);
	told_free(&sc.told);
	deletions_free(&sc.deletions);
	if (!sc.failed && sc.expects == 0)
		fail(&sc, "nothing is expected");
	return !sc.failed;
}

int main(int argc, char **argv)
{
	bool good = argc > 1;

	printf("1..%d\n", argc - 1);
	for (int i = 1; i < argc; i++) {
		const char *base = strrchr(argv[i], '/');
		bool ok = run(argv[i]);

		printf("%sok %d - %s\n", ok ? "" : "not ", i, base != NULL ? base + 1 : argv[i]);
		good &= ok;
	}
	return good ? 0 : 1;
}
