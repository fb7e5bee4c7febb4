/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kafka thread is told of deletions: topics whose controller is asked about them, and brokers whose log dirs are asked more often. Both
 * very often for a while: topics after a marker came, log dirs after something changed.
 */
#include <string.h>

#include "app/session_parts.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/kclient.h"

enum { HOT_MS = 30000 };

/* What is being put together. */
struct queue {
	const char **topics;
	size_t n;
	struct kclient_host *hosts;
	size_t n_hosts;
	mono_ms hot_until;
	wall_ms now;
	mono_ms mono;
	struct strbuf text;      /* all but the times, to compare with */
};

/* On the monotonic clock; {0} when that is over. */
static mono_ms hot_until(const struct queue *qu, wall_ms since)
{
	int64_t left = since.ms + HOT_MS - qu->now.ms;

	return (mono_ms){ left <= 0 ? 0 : qu->mono.ms + (left < HOT_MS ? left : HOT_MS) };
}

static void later(mono_ms *at, mono_ms t)
{
	if (t.ms > at->ms)
		*at = t;
}

/* A marker that was taken away is of interest until the controller lists the topic again, or nobody asks. */
static bool is_followed(const struct witness *wi)
{
	return wi->end == WITNESS_OPEN || (wi->end == WITNESS_MARKER_GONE && !(wi->ctrl_lists == KNOW_PRESENT && wi->ctrl_polls >= 3));
}

/* hosts[i] is of cl->brokers[i] for now. */
static void add_hosts(struct queue *qu, const struct cluster *cl, const struct witness *wi)
{
	mono_ms hot = hot_until(qu, wi->changed);

	for (size_t i = 0; i < wi->n_replicas; i++) {
		size_t at = cluster_broker_place(cl, wi->replicas[i].broker);

		if (at == cl->n_brokers || cl->brokers[at]->id != wi->replicas[i].broker)
			continue;
		qu->hosts[at].id = wi->replicas[i].broker;
		later(&qu->hosts[at].hot_until, hot);
	}
}

/* Those found, to the front. */
static void pack_hosts(struct queue *qu, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (qu->hosts[i].id != BROKER_NONE)
			qu->hosts[qu->n_hosts++] = qu->hosts[i];
	for (size_t i = 0; i < qu->n_hosts; i++)
		strbuf_printf(&qu->text, " %d", qu->hosts[i].id);
}

static void gather(struct queue *qu, const struct cluster *cl)
{
	qu->topics = mem_array(cl->n_witnesses + 1, sizeof(*qu->topics));
	qu->hosts = mem_array(cl->n_brokers + 1, sizeof(*qu->hosts));
	for (size_t i = 0; i < cl->n_brokers; i++)
		qu->hosts[i].id = BROKER_NONE;
	for (size_t i = 0; i < cl->n_witnesses; i++) {
		const struct witness *wi = cl->witnesses[i];

		if (!is_followed(wi))
			continue;
		qu->topics[qu->n++] = wi->topic;
		strbuf_printf(&qu->text, "%s/", wi->topic);
		later(&qu->hot_until, hot_until(qu, wi->first_seen));
		add_hosts(qu, cl, wi);
	}
	pack_hosts(qu, cl->n_brokers);
}

static mono_ms latest(const struct queue *qu)
{
	mono_ms at = qu->hot_until;

	for (size_t i = 0; i < qu->n_hosts; i++)
		later(&at, qu->hosts[i].hot_until);
	return at;
}

/* The list of markers was read, or can't be. */
static bool is_known(const struct cluster *cl)
{
	return cl->markers_fact.know != KNOW_UNKNOWN;
}

static void tell(struct session *ss, const struct cluster *cl)
{
	struct queue qu = { .now = clock_wall(), .mono = clock_mono() };
	struct live *li = &ss->live;
	struct kclient_queue out;

	strbuf_init(&qu.text);
	gather(&qu, cl);
	out = (struct kclient_queue){ .topics = qu.topics, .n = qu.n, .hot_until = qu.hot_until, .hosts = qu.hosts, .n_hosts = qu.n_hosts };
	/* Times that move on a little are told when they matter. */
	if (li->told_queue == NULL || strcmp(li->told_queue, qu.text.s) != 0 || mono_since(latest(&qu), li->told_hot) > 1000) {
		kclient_queued(li->kafka, &out);
		mem_free(&li->told_queue);
		li->told_queue = mem_strdup(qu.text.s);
		li->told_hot = latest(&qu);
	}
	strbuf_fini(&qu.text);
	mem_free(&qu.topics);
	mem_free(&qu.hosts);
}

void queue_tell(struct session *ss)
{
	const struct cluster *cl = model_cluster(ss->model);
	uint32_t bits = model_changes(ss->model).bits;

	/* Once in any case: a command's first round waits for it. Then also who the brokers are counts: they were told before. */
	if (is_known(cl) && (ss->live.told_queue == NULL || ((bits & (CHG_DELETIONS | CHG_CLUSTER)) && (cl->n_witnesses > 0 || ss->live.told_queue[0] != ' '))))
		tell(ss, cl);
}
