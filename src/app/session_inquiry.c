/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about topics that librdkafka asks (io/rdk): of whom, and of which partitions. */
#include "app/reach.h"
#include "app/session_parts.h"
#include "base/mem.h"
#include "core/appraisal.h"
#include "core/client_config.h"
#include "core/command.h"
#include "core/servers.h"
#include "io/kclient.h"
#include "io/rdk.h"

static const char offsets_topic[] = "__consumer_offsets";

bool session_can_inquire(const struct session *ss)
{
	return ss->live.kafka != NULL;
}

void session_inquire_end(struct session *ss)
{
	rdk_end(&ss->live.inquiry.rd);
	ss->live.inquiry.fn = NULL;
}

/* ---- of whom ------------------------------------------------------------------------------ */

/* As many as there are; borrowed. The same that the kafka thread asks. */
static size_t put_servers(const struct session *ss, struct kclient_address *out)
{
	const struct cluster *cl = session_cluster(ss);
	const struct bootstrap *bs = reach_bootstrap(ss->live.reach);
	size_t n = 0;

	for (size_t i = 0; ss->live.by_bootstrap && i < bs->n; i++)
		out[n++] = (struct kclient_address){ BROKER_NONE, bs->servers[i].host, bs->servers[i].port };
	for (size_t i = 0; !ss->live.by_bootstrap && i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];
		const struct zk_endpoint *ep = br->up && br->reg.know == KNOW_PRESENT ? zk_broker_endpoint_for(&br->info, reach_config(ss->live.reach)->protocol) : NULL;

		if (ep != NULL)
			out[n++] = (struct kclient_address){ br->id, ep->host, ep->port };
	}
	return n;
}

/* ---- of what ------------------------------------------------------------------------------- */

/* Nobody can write where there is no leader; asking for the rest would only wait for one. */
static bool may_have_leader(const struct partition *pt)
{
	return !(pt->flags & (PT_NO_LEADER | PT_OFFLINE));
}

/* False: it is not the one that was chosen, or goes already: nothing is asked. */
static bool put_topic(const struct cluster *cl, const struct command_topic *ct, struct rdk_topic *out)
{
	const struct topic *tp = cluster_topic_find(cl, ct->name);
	int32_t *ids;

	if (tp == NULL || tp->deleting || tp->czxid != ct->czxid)
		return false;
	ids = mem_array(tp->n_parts + 1, sizeof(*ids));
	*out = (struct rdk_topic){ .name = tp->name, .partitions = ids };
	for (size_t i = 0; i < tp->n_parts; i++)
		if (may_have_leader(&tp->parts[i]))
			ids[out->n++] = tp->parts[i].id;
	return true;
}

static bool begin(struct session *ss, const struct command *cm, const struct kclient_address *servers, size_t n_servers, struct err *err)
{
	const struct cluster *cl = session_cluster(ss);
	struct rdk_topic *topics = mem_array(cm->n_topics + 1, sizeof(*topics));
	struct rdk_options opt = {
		.id = ++ss->live.inquiry.id, .config = reach_config(ss->live.reach), .servers = servers, .n_servers = n_servers,
		.client_id = reach_client_id(ss->live.reach), .topics = topics, .has_offsets = cluster_topic_find(cl, offsets_topic) != NULL,
	};

	for (size_t i = 0; i < cm->n_topics; i++)
		opt.n_topics += put_topic(cl, &cm->topics[i], &topics[opt.n_topics]);
	ss->live.inquiry.rd = rdk_begin(&opt, ss->live.queue, err);
	for (size_t i = 0; i < opt.n_topics; i++)
		mem_free(&topics[i].partitions);
	mem_free(&topics);
	return ss->live.inquiry.rd != NULL;
}

bool session_inquire(struct session *ss, const struct command *cm, void (*fn)(void *ctx, const struct appraisal *ap), void *ctx, struct err *err)
{
	const struct cluster *cl = session_cluster(ss);
	struct kclient_address *servers = mem_array(cl->n_brokers + SERVERS_MAX, sizeof(*servers));
	size_t n = put_servers(ss, servers);
	bool is_begun;

	session_inquire_end(ss);
	is_begun = n > 0 ? begin(ss, cm, servers, n, err) :
			   err_set(err, ERR_NOT_FOUND, "no broker with a listener for %s is registered", client_protocol_name(reach_config(ss->live.reach)->protocol));
	mem_free(&servers);
	if (!is_begun)
		return false;
	ss->live.inquiry.fn = fn;
	ss->live.inquiry.ctx = ctx;
	return true;
}

void inquiry_take(struct session *ss, const struct event *ev)
{
	struct inquiry *in = &ss->live.inquiry;

	if (in->fn != NULL && ev->u.appraised.id == in->id)
		in->fn(in->ctx, ev->u.appraised.ap);
}
