/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One table holds the words of the filter language: what each means for a
 * topic, and which verdict it names for a partition.
 */
#include "view/query.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/health.h"
#include "view/topic_facts.h"

enum { QUERY_IS_TEXT = 0, QUERY_REPLICA_MAX = 280 };

struct query_kind {
	const char *word;
	const char *kafka;   /* Kafka's own word for it, NULL when there is none */
	const char *help;
	unsigned flag;       /* PT_*, 0: decided by `topic` */
	enum verdict (*topic)(const struct topic *tp);
};

static enum verdict query_verdict(bool holds)
{
	return holds ? VERDICT_YES : VERDICT_NO;
}

static enum verdict query_is_deleting(const struct topic *tp)
{
	return query_verdict(tp->deleting);
}

static enum verdict query_is_internal(const struct topic *tp)
{
	return query_verdict(tp->internal);
}

static bool query_knows_config(const struct topic *tp)
{
	return tp->config_fact.know == KNOW_PRESENT || tp->config_fact.know == KNOW_ABSENT;
}

static enum verdict query_has_overrides(const struct topic *tp)
{
	return query_knows_config(tp) ? query_verdict(tp->config.n > 0) : VERDICT_UNDECIDED;
}

static enum verdict query_is_unreadable(const struct topic *tp)
{
	if (tp->node.know == KNOW_UNREADABLE || tp->config_fact.know == KNOW_UNREADABLE || topic_count(&tp->counts, PT_UNREADABLE) > 0)
		return VERDICT_YES;
	return topic_is_whole(tp) && query_knows_config(tp) ? VERDICT_NO : VERDICT_UNDECIDED;
}

static enum verdict query_is_ok(const struct topic *tp)
{
	enum topic_state st = health_topic(tp);

	return st == TOPIC_UNKNOWN ? VERDICT_UNDECIDED : query_verdict(st == TOPIC_OK);
}

/* A word's place is its query_word.what; place 0 stands for text. */
static const struct query_kind query_kinds[] = {
	{ NULL, NULL, NULL, 0, NULL },
	{ "offline", "unavailable-partitions", "has a partition without a live leader", PT_OFFLINE, NULL },
	{ "under-min", "under-min-isr-partitions", "has a partition below min.insync.replicas", PT_UNDER_MIN, NULL },
	{ "at-min", "at-min-isr-partitions", "has a partition at min.insync.replicas", PT_AT_MIN, NULL },
	{ "under", "under-replicated-partitions", "has a partition that misses a replica in the ISR", PT_UNDER, NULL },
	{ "deleting", NULL, "is queued for deletion", 0, query_is_deleting },
	{ "moving", NULL, "has a partition that is being reassigned", PT_MOVING, NULL },
	{ "internal", NULL, "is one of Kafka's own", 0, query_is_internal },
	{ "overrides", "topics-with-overrides", "has settings of its own", 0, query_has_overrides },
	{ "unreadable", NULL, "something of it can't be read", PT_UNREADABLE, query_is_unreadable },
	{ "not-preferred", NULL, "has a partition whose leader is not the preferred one", PT_NOT_PREFERRED, NULL },
	{ "ok", NULL, "none of the above ails it", 0, query_is_ok },
};

enum { QUERY_KINDS = sizeof(query_kinds) / sizeof(query_kinds[0]) };

/* The partition's own "ok": its state is known and no verdict is against it. */
static const unsigned query_ailments = PT_UNREADABLE | PT_OFFLINE | PT_UNDER | PT_UNDER_MIN | PT_MOVING;

void query_init(struct query *qu)
{
	memset(qu, 0, sizeof(*qu));
	qu->sort_col = -1;
}

/* ---- parsing ------------------------------------------------------------- */

static bool query_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static uint8_t query_lookup(const char *text)
{
	for (uint8_t i = 1; i < QUERY_KINDS; i++) {
		const struct query_kind *qk = &query_kinds[i];

		if (strcasecmp(qk->word, text) == 0 || (qk->kafka && strcasecmp(qk->kafka, text) == 0))
			return i;
	}
	return QUERY_IS_TEXT;
}

/* Takes one word at *s, which is no blank. An opening quote without its end takes all that is left. */
static void query_take_word(const char **s, struct query_word *qw)
{
	const char *at = *s, *end;
	bool quoted;

	qw->negated = *at == '!';
	at += qw->negated;
	quoted = *at == '"';
	at += quoted;
	for (end = at; *end && (quoted ? *end != '"' : !query_is_blank(*end));)
		end++;
	*s = end + (quoted && *end);
	qw->quoted = quoted;
	/* Fits: the whole text does. */
	if (!str_copyn(qw->text, sizeof(qw->text), at, (size_t)(end - at)))
		qw->text[0] = '\0';
	qw->what = quoted ? QUERY_IS_TEXT : query_lookup(qw->text);
}

bool query_set_text(struct query *qu, const char *text, struct err *err)
{
	struct query fresh;

	query_init(&fresh);
	if (!str_copy(fresh.text, sizeof(fresh.text), text))
		return err_set(err, ERR_LIMIT, "the filter is longer than %d bytes", QUERY_TEXT_MAX - 1);
	for (const char *s = text;;) {
		struct query_word qw;

		while (query_is_blank(*s))
			s++;
		if (!*s)
			break;
		query_take_word(&s, &qw);
		if (!qw.text[0])
			continue; /* a lone "!" or quote: about to become something */
		if (fresh.n_words == QUERY_WORDS_MAX)
			return err_set(err, ERR_LIMIT, "the filter has more than %d words", QUERY_WORDS_MAX);
		fresh.words[fresh.n_words++] = qw;
	}
	fresh.sort_col = qu->sort_col;
	fresh.sort_desc = qu->sort_desc;
	*qu = fresh;
	return true;
}

void query_sort_by(struct query *qu, int col, bool desc)
{
	qu->sort_col = col;
	qu->sort_desc = desc;
}

/* ---- deciding ------------------------------------------------------------ */

static enum verdict query_word_topic(const struct query_word *qw, const struct topic *tp)
{
	const struct query_kind *qk = &query_kinds[qw->what];

	if (qw->what == QUERY_IS_TEXT)
		return query_verdict(str_casefind(tp->name, qw->text) != NULL);
	if (qk->topic)
		return qk->topic(tp);
	if (topic_count(&tp->counts, qk->flag) > 0)
		return VERDICT_YES;
	return topic_count_is_whole(tp, qk->flag) ? VERDICT_NO : VERDICT_UNDECIDED;
}

static enum verdict query_partition_is_ok(const struct partition *pt)
{
	if (pt->flags & query_ailments)
		return VERDICT_NO;
	return (pt->flags & PT_KNOWN) && !(pt->flags & PT_ALIVE_UNKNOWN) ? VERDICT_YES : VERDICT_UNDECIDED;
}

static enum verdict query_word_partition(const struct query_word *qw, const struct partition *pt)
{
	const struct query_kind *qk = &query_kinds[qw->what];
	char number[16];

	if (qw->what == QUERY_IS_TEXT) {
		str_printf(number, sizeof(number), "%d", (int)pt->id);
		return query_verdict(strstr(number, qw->text) != NULL);
	}
	if (qk->flag)
		return health_verdict(pt, qk->flag);
	if (qk->topic == query_is_ok)
		return query_partition_is_ok(pt);
	return query_verdict(!qw->negated);
}

static enum verdict query_word_replica(const struct query_word *qw, const struct topic *tp, const struct partition *pt)
{
	const struct query_kind *qk = &query_kinds[qw->what];
	char name[QUERY_REPLICA_MAX];

	if (qw->what == QUERY_IS_TEXT) {
		str_printf(name, sizeof(name), "%s-%d", tp->name, (int)pt->id);
		return query_verdict(str_casefind(name, qw->text) != NULL);
	}
	return qk->flag || qk->topic == query_is_ok ? query_word_partition(qw, pt) : qk->topic(tp);
}

/* All words so far, and one more. */
static enum verdict query_and(enum verdict all, const struct query_word *qw, enum verdict word)
{
	if (word == VERDICT_UNDECIDED)
		return all == VERDICT_NO ? VERDICT_NO : VERDICT_UNDECIDED;
	return (word == VERDICT_YES) == qw->negated ? VERDICT_NO : all;
}

enum verdict query_topic(const struct query *qu, const struct topic *tp)
{
	enum verdict all = VERDICT_YES;

	for (size_t i = 0; i < qu->n_words && all != VERDICT_NO; i++)
		all = query_and(all, &qu->words[i], query_word_topic(&qu->words[i], tp));
	return all;
}

enum verdict query_partition(const struct query *qu, const struct partition *pt)
{
	enum verdict all = VERDICT_YES;

	for (size_t i = 0; i < qu->n_words && all != VERDICT_NO; i++)
		all = query_and(all, &qu->words[i], query_word_partition(&qu->words[i], pt));
	return all;
}

enum verdict query_replica(const struct query *qu, const struct topic *tp, const struct partition *pt)
{
	enum verdict all = VERDICT_YES;

	for (size_t i = 0; i < qu->n_words && all != VERDICT_NO; i++)
		all = query_and(all, &qu->words[i], query_word_replica(&qu->words[i], tp, pt));
	return all;
}

static enum verdict query_word_row(const struct query_word *qw, const struct query_own *words, size_t n_words,
	enum verdict (*holds)(const void *row, size_t i), const void *row, const char *text)
{
	for (size_t i = 0; !qw->quoted && i < n_words; i++)
		if (strcasecmp(qw->text, words[i].word) == 0)
			return holds(row, i);
	return query_verdict(str_casefind(text, qw->text) != NULL);
}

enum verdict query_row(const struct query *qu, const struct query_own *words, size_t n_words,
	enum verdict (*holds)(const void *row, size_t i), const void *row, const char *text)
{
	enum verdict all = VERDICT_YES;

	for (size_t i = 0; i < qu->n_words && all != VERDICT_NO; i++)
		all = query_and(all, &qu->words[i], query_word_row(&qu->words[i], words, n_words, holds, row, text));
	return all;
}

const char *query_open_text(char out[QUERY_OPEN_MAX], size_t n)
{
	char count[UNITS_TEXT_MAX];

	out[0] = '\0';
	if (n > 0)
		str_printf(out, QUERY_OPEN_MAX, ", %s not known", units_count(count, (int64_t)n));
	return out;
}

bool query_text(const struct query *qu, const char *text)
{
	for (size_t i = 0; i < qu->n_words; i++) {
		const struct query_word *qw = &qu->words[i];

		if (qw->what == QUERY_IS_TEXT && (str_casefind(text, qw->text) != NULL) == qw->negated)
			return false;
	}
	return true;
}

bool query_equal(const struct query *a, const struct query *b)
{
	return a->sort_col == b->sort_col && a->sort_desc == b->sort_desc && strcmp(a->text, b->text) == 0;
}

void query_each_word(void (*fn)(const char *word, const char *help, void *ctx), void *ctx)
{
	for (size_t i = 1; i < QUERY_KINDS; i++)
		fn(query_kinds[i].word, query_kinds[i].help, ctx);
	for (size_t i = 1; i < QUERY_KINDS; i++) {
		char help[64];

		if (!query_kinds[i].kafka)
			continue;
		str_printf(help, sizeof(help), "the same as %s", query_kinds[i].word);
		fn(query_kinds[i].kafka, help, ctx);
	}
}
