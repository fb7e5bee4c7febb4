/* SPDX-License-Identifier: Apache-2.0 */
#include "watched.h"

#include <string.h>

#include "base/str.h"
#include "core/cluster.h"

struct look {
	char **words;
	size_t n;
	struct strbuf *wrong;
};

static const char *word(const struct look *lo, size_t i)
{
	return i < lo->n ? lo->words[i] : "";
}

static int64_t number(const struct look *lo, size_t i)
{
	int64_t v = 0;

	if (!str_to_i64(word(lo, i), INT64_MIN, INT64_MAX, &v))
		strbuf_printf(lo->wrong, "'%s' is no number", word(lo, i));
	return v;
}

static void same_n(const struct look *lo, size_t i, int64_t found)
{
	if (number(lo, i) != found)
		strbuf_printf(lo->wrong, "%s: expected %s, found %lld", word(lo, i - 1), word(lo, i), (long long)found);
}

static void same(const struct look *lo, size_t i, const char *found)
{
	if (strcmp(word(lo, i), found) != 0)
		strbuf_printf(lo->wrong, "%s: expected %s, found %s", word(lo, i - 1), word(lo, i), found);
}

static void same_yes(const struct look *lo, size_t i, bool found)
{
	same(lo, i, found ? "yes" : "no");
}

static const char *end_word(const struct witness *wi)
{
	static const char *const words[] = { "open", "gone", "recreated", "marker-gone" };

	return wi != NULL ? words[wi->end] : "none";
}

static bool expect_number(const struct look *lo, const struct witness *wi)
{
	const struct { const char *name; int64_t found; } all[] = {
		{ "czxid", wi->czxid }, { "marker", wi->marker_czxid }, { "marked", wi->marked.ms }, { "first-seen", wi->first_seen.ms },
		{ "children", wi->n_children }, { "epoch", wi->epoch_first }, { "replicas", (int64_t)wi->n_replicas }, { "ended", wi->ended.ms },
		{ "new-czxid", wi->new_czxid }, { "pass", wi->pass_seen.ms }, { "changed", wi->changed.ms },
		{ "attempts", (int64_t)wi->n_attempts }, { "dropped", wi->n_dropped }, { "lists-since", wi->ctrl_since.ms },
		{ "lists-epoch", wi->ctrl_epoch },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i].name, word(lo, 3)) == 0) {
			same_n(lo, 4, all[i].found);
			return true;
		}
	return false;
}

static void expect_witness(const struct look *lo, const struct witness *wi)
{
	static const char *const knows[] = { "unknown", "absent", "known", "unreadable" };
	const char *what = word(lo, 3);

	if (wi == NULL || lo->n == 4)
		same(lo, 3, end_word(wi));
	else if (strcmp(what, "came") == 0)
		same_yes(lo, 4, wi->came);
	else if (strcmp(what, "alive") == 0)
		same_yes(lo, 4, wi->was_alive);
	else if (strcmp(what, "remembered") == 0)
		same_yes(lo, 4, wi->is_remembered);
	else if (strcmp(what, "lists") == 0) {
		same(lo, 4, knows[wi->ctrl_lists]);
		same_n(lo, 5, wi->ctrl_polls);
	} else if (!expect_number(lo, wi))
		strbuf_printf(lo->wrong, "a witness has no '%s'", what);
}

static void expect_attempt(const struct look *lo, const struct witness *wi)
{
	static const char *const words[] = { "marked", "started", "elected", "reassigned", "found" };
	size_t i = (size_t)number(lo, 3);
	const struct witness_attempt *at;

	if (wi == NULL || i >= wi->n_attempts) {
		strbuf_printf(lo->wrong, "there is no such attempt");
		return;
	}
	at = &wi->attempts[i];
	if (strcmp(word(lo, 4), "effect") == 0) {
		same_yes(lo, 5, at->effect_seen);
	} else if (strcmp(word(lo, 4), "going") == 0) {
		if (at->rested.ms != 0)
			strbuf_printf(lo->wrong, "it is over since %lld", (long long)at->rested.ms);
	} else if (strcmp(word(lo, 4), "rested") == 0) {
		same_n(lo, 5, at->rested.ms);
		same_n(lo, 6, at->done);
		same_n(lo, 7, at->left);
	} else {
		same(lo, 4, words[at->trigger]);
		same_n(lo, 5, at->id);
		same_n(lo, 6, at->epoch);
		same_n(lo, 7, at->at.ms);
	}
}

static void expect_seen(const struct look *lo, const struct witness *wi)
{
	const struct witness_replica *wr = wi != NULL ? witness_replica_find(wi, (int32_t)number(lo, 3), (int32_t)number(lo, 4)) : NULL;
	const char *what = word(lo, 5);

	if (wr == NULL)
		strbuf_printf(lo->wrong, "no such replica is watched");
	else if (strcmp(what, "dir") == 0)
		same(lo, 6, wr->dir != NULL ? wr->dir : "-");
	else if (strcmp(what, "size") == 0)
		same_n(lo, 6, wr->size_bytes);
	else if (strcmp(what, "listed") == 0)
		same_n(lo, 6, wr->listed.ms);
	else if (strcmp(what, "gone") == 0)
		same_n(lo, 6, wr->gone.ms);
	else if (strcmp(what, "gone-epoch") == 0)
		same_n(lo, 6, wr->gone_epoch);
	else if (strcmp(what, "failed") == 0)
		same_n(lo, 6, wr->dir_failed.ms);
	else if (strcmp(what, "failed-epoch") == 0)
		same_n(lo, 6, wr->dir_failed_epoch);
	else if (strcmp(what, "registration") == 0)
		same_n(lo, 6, wr->broker_czxid);
	else if (strcmp(what, "refilled") == 0)
		same_yes(lo, 6, wr->refilled);
	else
		strbuf_printf(lo->wrong, "a replica has no '%s'", what);
}

bool watched_expect(const struct cluster *cl, char **words, size_t n, struct strbuf *wrong)
{
	struct look lo = { words, n, wrong };
	const struct witness *wi = n > 2 ? cluster_witness_find(cl, words[2]) : NULL;

	if (strcmp(word(&lo, 1), "witness") == 0)
		expect_witness(&lo, wi);
	else if (strcmp(word(&lo, 1), "attempt") == 0)
		expect_attempt(&lo, wi);
	else if (strcmp(word(&lo, 1), "seen") == 0)
		expect_seen(&lo, wi);
	else if (strcmp(word(&lo, 1), "witnesses") == 0)
		same_n(&lo, 2, (int64_t)cl->n_witnesses);
	else
		return false;
	return true;
}
