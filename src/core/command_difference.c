/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two checks of one command, told apart in sentences. What stands against a topic by now hides what was found of it before; while the facts are
 * old nothing else is told. What was found for information alone, and what was asked beyond the model (struct appraisal), is no difference:
 * that more is known takes nothing away from what was shown.
 */
#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "core/command_parts.h"

enum { NAMED_MAX = 3, TOLD_MAX = 6 };

struct digests {
	uint64_t *v;              /* sorted */
	size_t n;
};

struct difference {
	const struct findings *before, *now;
	struct digests was, is;
	struct strbuf *out;
	size_t n;                 /* lines */
};

/* ---- which count --------------------------------------------------------------------------- */

static bool is_kind(const struct finding *fi, const char *kind)
{
	return strcmp(fi->kind, kind) == 0;
}

static bool is_appraised(const struct finding *fi)
{
	static const char *const kinds[] = { "last-writes", "last-writes-unknown", "auto-create", "consumer-groups", "consumer-groups-unknown" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_kind(fi, kinds[i]))
			return true;
	return false;
}

static bool counts(const struct finding *fi)
{
	return !is_appraised(fi) && (fi->severity != SEVERITY_INFO || is_kind(fi, "already-queued") || is_kind(fi, "many-topics"));
}

static int digest_cmp(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Of 10,000 topics there may be more findings than can be looked for one by one. */
static struct digests digests_of(const struct findings *fs)
{
	struct digests dg = { mem_array(fs->n + 1, sizeof(*dg.v)), fs->n };

	for (size_t i = 0; i < fs->n; i++)
		dg.v[i] = fs->v[i].digest;
	qsort(dg.v, dg.n, sizeof(*dg.v), digest_cmp);
	return dg;
}

static bool has(const struct digests *dg, uint64_t digest)
{
	return bsearch(&digest, dg->v, dg->n, sizeof(*dg->v), digest_cmp) != NULL;
}

/* Says that the topic is not to be asked for, or is another one: the rest was not looked at. */
static bool is_final(const struct finding *fi)
{
	return is_kind(fi, "gone") || is_kind(fi, "recreated") || is_kind(fi, "unread") || is_kind(fi, "already-queued");
}

static bool is_out(const struct findings *fs, const char *topic)
{
	for (size_t i = 0; topic != NULL && i < fs->n; i++)
		if (fs->v[i].topic != NULL && is_final(&fs->v[i]) && strcmp(fs->v[i].topic, topic) == 0)
			return true;
	return false;
}

static bool is_new(const struct difference *df, const struct finding *fi)
{
	return counts(fi) && !has(&df->was, fi->digest);
}

static bool is_over(const struct difference *df, const struct finding *fi)
{
	return counts(fi) && !has(&df->is, fi->digest) && !is_out(df->now, fi->topic);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_line(struct difference *df, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put_line(struct difference *df, const char *fmt, ...)
{
	va_list ap;

	if (df->n++ >= TOLD_MAX)
		return;
	if (df->out->len > 0)
		strbuf_putc(df->out, '\n');
	va_start(ap, fmt);
	strbuf_vprintf(df->out, fmt, ap);
	va_end(ap);
}

/* ---- brokers that are waited for ------------------------------------------------------------- */

/* Of all findings of that kind: their brokers, sorted, and how many replicas. */
static size_t held_by(const struct findings *fs, const char *kind, struct ids *out)
{
	size_t replicas = 0;

	for (size_t i = 0; i < fs->n; i++) {
		const struct finding *fi = &fs->v[i];

		if (!is_kind(fi, kind))
			continue;
		replicas += fi->n_replicas;
		for (uint32_t j = 0; j < fi->brokers.n; j++)
			ids_add(out, fi->brokers.v[j]);
	}
	ids_sort(out);
	return replicas;
}

static void ids_less(const struct ids *all, const struct ids *less, struct ids *out)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (!ids_has(less->v, less->n, all->v[i]))
			ids_push(out, all->v[i]);
}

static void put_held(struct difference *df, const char *kind, bool is_dir)
{
	struct ids was = { NULL, 0 }, is = { NULL, 0 }, came = { NULL, 0 }, went = { NULL, 0 };
	size_t before = held_by(df->before, kind, &was), now = held_by(df->now, kind, &is), more = now > before ? now - before : now;
	char count[UNITS_TEXT_MAX];
	struct strbuf text;

	strbuf_init(&text);
	ids_less(&is, &was, &came);
	ids_less(&was, &is, &went);
	check_put_ids(&text, &came);
	if (came.n > 0)
		put_line(df, "%sbroker%s %s %s %s: %s replica%s will wait", is_dir ? "a log dir of " : "", came.n == 1 ? "" : "s", text.s, is_dir || came.n == 1 ? "is" : "are",
			 is_dir ? "offline" : "down", units_count(count, (int64_t)more), more == 1 ? "" : "s");
	strbuf_clear(&text);
	check_put_ids(&text, &went);
	if (went.n > 0)
		put_line(df, "nothing would wait for %sbroker%s %s any more", is_dir ? "a log dir of " : "", went.n == 1 ? "" : "s", text.s);
	if (came.n + went.n == 0 && before != now)
		put_line(df, "%s replica%s would wait for %s, not %zu as before", units_count(count, (int64_t)now), now == 1 ? "" : "s",
			 is_dir ? "log dirs that are offline" : "brokers that are down", before);
	strbuf_fini(&text);
	ids_fini(&was);
	ids_fini(&is);
	ids_fini(&came);
	ids_fini(&went);
}

/* ---- topics ------------------------------------------------------------------------------------ */

/* What happened to one, or to several; and what to say where that is over, NULL: what it was. */
static const struct { const char *kind, *one, *more, *one_over, *more_over; } happened[] = {
	{ "gone", "is gone", "are gone", NULL, NULL },
	{ "recreated", "was deleted and made again", "were deleted and made again", NULL, NULL },
	{ "already-queued", "was queued for deletion, not by this console", "were queued for deletion, not by this console",
	  "is not queued for deletion any more", "are not queued for deletion any more" },
	{ "under-reassignment", "is under reassignment", "are under reassignment", "is not under reassignment any more", "are not under reassignment any more" },
	{ "changed", "has another number of partitions", "have another number of partitions", NULL, NULL },
};
enum { HAPPENED = sizeof(happened) / sizeof(*happened) };

typedef bool told_fn(const struct difference *df, const struct finding *fi);

static void put_topics(struct difference *df, const struct findings *in, told_fn *is_told, const char *kind, const char *one, const char *more)
{
	char count[UNITS_TEXT_MAX];
	struct strbuf names;
	size_t n = 0;

	strbuf_init(&names);
	for (size_t i = 0; i < in->n; i++) {
		const struct finding *fi = &in->v[i];

		if (fi->topic != NULL && is_kind(fi, kind) && is_told(df, fi) && n++ < NAMED_MAX)
			strbuf_printf(&names, "%s%s", names.len > 0 ? ", " : "", fi->topic);
	}
	if (n == 1)
		put_line(df, "%s %s", names.s, one);
	else if (n > 1)
		put_line(df, "%s topics %s: %s%s", units_count(count, (int64_t)n), more, names.s, n > NAMED_MAX ? " and others" : "");
	strbuf_fini(&names);
}

bool finding_is_held(const struct finding *fi)
{
	return is_kind(fi, "replica-on-dead-broker") || is_kind(fi, "replica-on-offline-dir");
}

/* Told of all of them together. */
static bool is_summed(const struct finding *fi, bool ended)
{
	bool is = finding_is_held(fi);

	for (size_t i = 0; fi->topic != NULL && i < HAPPENED; i++)
		is |= is_kind(fi, happened[i].kind) && (!ended || happened[i].one_over != NULL);
	return is;
}

static void put_each(struct difference *df, const char *word, const struct findings *in, told_fn *is_told)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct finding *fi = &in->v[i];

		if (!is_summed(fi, in == df->before) && is_told(df, fi))
			put_line(df, "%s%s%s%s", word, fi->topic != NULL ? fi->topic : "", fi->topic != NULL ? ": " : "", fi->text);
	}
}

/* ---- all ---------------------------------------------------------------------------------------- */

static void put_all(struct difference *df)
{
	put_held(df, "replica-on-dead-broker", false);
	put_held(df, "replica-on-offline-dir", true);
	for (size_t i = 0; i < HAPPENED; i++)
		put_topics(df, df->now, is_new, happened[i].kind, happened[i].one, happened[i].more);
	for (size_t i = 0; i < HAPPENED; i++)
		if (happened[i].one_over != NULL)
			put_topics(df, df->before, is_over, happened[i].kind, happened[i].one_over, happened[i].more_over);
	put_each(df, "", df->now, is_new);
	put_each(df, "no longer: ", df->before, is_over);
	if (df->n > TOLD_MAX)
		strbuf_printf(df->out, "\nand %zu more", df->n - TOLD_MAX);
}

bool findings_differ(const struct findings *before, const struct findings *now, struct strbuf *out)
{
	struct difference df = { .before = before, .now = now, .out = out };
	const struct finding *stale = findings_find(now, "stale", NULL);

	strbuf_clear(out);
	if (before->digest == now->digest)
		return false;
	if (stale != NULL) {
		if (findings_find(before, "stale", NULL) == NULL)
			put_line(&df, "%s", stale->text);
		return df.n > 0;
	}
	df.was = digests_of(before);
	df.is = digests_of(now);
	put_all(&df);
	mem_free(&df.was.v);
	mem_free(&df.is.v);
	return df.n > 0;
}
