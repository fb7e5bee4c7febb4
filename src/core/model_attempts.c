/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What held up an attempt when it was at rest. It is noted then, in the words of core/deletion's short ones: after the next attempt, or the end,
 * nobody can see it any more.
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/model_priv.h"

enum { NAMED_MAX = 8 }; /* brokers; more don't fit into the text */

static bool has_id(const int32_t *ids, size_t n, int32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* Brokers of replicas that are left and not registered. */
static size_t find_down(const struct cluster *cl, const struct witness *wi, int32_t ids[NAMED_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < wi->n_replicas && n < NAMED_MAX; i++) {
		const struct witness_replica *wr = &wi->replicas[i];

		if (wr->gone.ms == 0 && cluster_broker_alive(cl, wr->broker) == KNOW_ABSENT && !has_id(ids, n, wr->broker))
			ids[n++] = wr->broker;
	}
	return n;
}

static void say_down(struct strbuf *sb, const int32_t *ids, size_t n)
{
	strbuf_put(sb, n > 1 ? "brokers " : "broker ");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(sb, "%s%d", i == 0 ? "" : i + 1 == n ? " and " : ", ", ids[i]);
	strbuf_put(sb, " down");
}

static const struct witness_replica *find_failed(const struct witness *wi)
{
	for (size_t i = 0; i < wi->n_replicas; i++)
		if (wi->replicas[i].gone.ms == 0 && wi->replicas[i].dir_failed.ms != 0)
			return &wi->replicas[i];
	return NULL;
}

static void say_failed(struct strbuf *sb, const struct witness_replica *wr)
{
	const char *tail = wr->dir != NULL ? str_path_tail(wr->dir, DIR_TAIL_MAX) : NULL;

	if (tail == NULL)
		strbuf_printf(sb, "broker %d: a dir offline", wr->broker);
	else
		strbuf_printf(sb, "broker %d: dir %s%s offline", wr->broker, tail != wr->dir ? "\u2026" : "", tail);
}

static bool is_moving(const struct model *md, const struct witness *wi)
{
	const struct topic *tp = map_find(md->cl.topic_by_name, wi->topic);

	for (size_t i = 0; tp != NULL && tp->czxid == wi->czxid && i < tp->n_parts; i++)
		if (tp->parts[i].n_adding + tp->parts[i].n_removing > 0)
			return true;
	return false;
}

bool model_attempt_note(const struct model *md, struct witness *wi)
{
	struct witness_attempt *last = wi->n_attempts > 0 ? &wi->attempts[wi->n_attempts - 1] : NULL;
	const struct witness_replica *failed = find_failed(wi);
	int32_t down[NAMED_MAX];
	size_t n = find_down(&md->cl, wi, down);
	struct strbuf sb;
	bool differs;

	if (last == NULL || last->left == 0)
		return false;
	strbuf_init(&sb);
	if (n > 0)
		say_down(&sb, down, n);
	else if (failed != NULL)
		say_failed(&sb, failed);
	else if (is_moving(md, wi))
		strbuf_put(&sb, "is being moved");
	differs = witness_attempt_say(last, sb.s);
	strbuf_fini(&sb);
	return differs;
}

void model_attempts_lost(struct model *md)
{
	for (size_t i = 0; i < md->cl.n_witnesses; i++) {
		struct witness *wi = md->cl.witnesses[i];

		if (witness_is_live(wi) && model_attempt_note(md, wi))
			model_witness_touch(md, wi);
	}
}
