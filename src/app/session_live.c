/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A live session: the ports opened, their queue drained into the model, and what the model
 * learns of brokers told to the kafka thread.
 *
 * Brokers are those that are registered in ZooKeeper, by the endpoint that fits security.protocol; with bootstrap
 * servers given, those that these name: the operator has said which listener is theirs.
 */
#include <string.h>

#include "app/reach.h"
#include "app/session_parts.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/servers.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kclient.h"
#include "io/rdk.h"
#include "io/trace.h"
#include "io/zk.h"

/* ---- opening -------------------------------------------------------------------------- */

static bool open_zookeeper(struct session *ss, const struct options *opt, struct session_ask ask, struct err *err)
{
	struct zk_options zo = {
		.connect = opt->connect,
		.session_timeout = opt->zk_session_timeout,
		.allow_readonly_server = opt->zk_allow_readonly_server,
		.once = opt->command != NULL && !ask.watch,
		.only_brokers = ask.only_brokers,
		.no_states = ask.no_states,
		.may_write = ask.operate,
		.keep_raw = opt->record_file != NULL,
		.digest = reach_zk_digest(ss->live.reach),
	};

	ss->live.zk = zk_new(&zo, ss->live.queue, err);
	return ss->live.zk != NULL;
}

static bool open_brokers(struct session *ss, const struct options *opt, struct session_ask ask, struct err *err)
{
	const struct bootstrap *bs = reach_bootstrap(ss->live.reach);
	struct kclient_address addresses[SERVERS_MAX];
	struct kclient_options ko = {
		.config = reach_config(ss->live.reach),
		.tls = reach_tls(ss->live.reach),
		.bootstrap = addresses,
		.n_bootstrap = bs->n,
		.client_id = reach_client_id(ss->live.reach),
		.asks = ask.brokers,
		.once = opt->command != NULL && !ask.watch,
		.patience_ms = ask.patience_ms,
		.awaits_brokers = ask.zookeeper && bs->n == 0,
		.may_write = ask.operate,
		.keep_raw = opt->record_file != NULL,
		/* Bootstrap servers answer whether ZooKeeper does or not. */
		.awaits_queue = ask.zookeeper && !ask.only_brokers && bs->n == 0 && (ask.brokers & ASK_METADATA),
	};

	for (size_t i = 0; i < bs->n; i++)
		addresses[i] = (struct kclient_address){ BROKER_NONE, bs->servers[i].host, bs->servers[i].port };
	ss->live.by_bootstrap = bs->n > 0;
	ss->live.kafka = kclient_new(&ko, ss->live.queue, err);
	return ss->live.kafka != NULL;
}

bool live_open(struct session *ss, const struct options *opt, struct reach *reach, struct session_ask ask, struct err *err)
{
	ss->live.reach = reach;
	ss->live.keeper.is_on = ask.memory && ask.zookeeper;
	ss->live.may_write = ask.operate;
	ss->live.controller = BROKER_NONE;
	if (!str_copy(ss->zookeeper, sizeof(ss->zookeeper), ask.zookeeper ? opt->zookeeper : ""))
		return err_set(err, ERR_LIMIT, "--zookeeper is too long");
	if (opt->record_file != NULL) {
		ss->live.record = trace_create(opt->record_file, opt->zookeeper, clock_wall(), err);
		if (ss->live.record == NULL)
			return err_wrap(err, "--record");
	}
	ss->live.queue = evq_new(err);
	if (ss->live.queue != NULL && opt->command != NULL)
		evq_gather(ss->live.queue, SESSION_GATHER);
	return ss->live.queue != NULL && (!ask.zookeeper || open_zookeeper(ss, opt, ask, err)) &&
		(ask.brokers == 0 || open_brokers(ss, opt, ask, err));
}

static void free_taken(struct live *li)
{
	struct event *next;

	for (; li->taken != NULL; li->taken = next) {
		next = li->taken->next;
		event_free(&li->taken);
	}
}

void live_close(struct live *li)
{
	rdk_end(&li->inquiry.rd);
	/* A thread that can't be ended goes on reading the settings; nobody takes what it says. */
	if (!kclient_free(&li->kafka))
		reach_leave(li->reach);
	zk_free(&li->zk);
	free_taken(li);
	evq_free(&li->queue);
	trace_close(&li->record);
	mem_free(&li->told);
	mem_free(&li->told_queue);
}

/* ---- events ----------------------------------------------------------------------------- */

static void record(struct session *ss, const struct event *ev)
{
	struct err err;

	err_init(&err);
	if (ss->live.record == NULL || trace_write(ss->live.record, ev, &err))
		return;
	trace_close(&ss->live.record);
	log_put(LOG_ERROR, "session", "recording stopped: %s", err.text);
	str_printf(ss->message, sizeof(ss->message), "recording stopped: %s", err.text);
}

/* It may say whom the kafka thread is to ask. */
static bool is_of_list(const struct event *ev)
{
	return ev->kind == EV_BROKER_IDS || ev->kind == EV_BROKER;
}

/* The next part of the next event. False: there is none. *is_list: the list of brokers may be another one now. */
static bool take_next(struct session *ss, bool *is_list)
{
	struct live *li = &ss->live;
	struct event *next;

	*is_list = false;
	if (li->taken == NULL)
		li->taken = evq_take_some(li->queue, SESSION_DRAIN_CHUNK);
	if (li->taken == NULL)
		return false;
	next = li->taken->next;
	if (!li->is_begun)
		record(ss, li->taken);
	*is_list = is_of_list(li->taken);
	if (li->taken->kind == EV_APPRAISAL)
		inquiry_take(ss, li->taken);
	if (li->taken->kind == EV_OUTCOME && ss->on_outcome != NULL)
		ss->on_outcome(ss->outcome_ctx, li->taken->u.outcome);
	li->is_begun = !model_apply_part(ss->model, &li->taken);
	if (!li->is_begun)
		li->taken = next;
	return true;
}

/* ---- whom the kafka thread asks ------------------------------------------------------------ */

/* Every broker in the list has been read, so that a command that asks once asks all. */
static bool brokers_are_read(const struct cluster *cl)
{
	if (cl->broker_ids_fact.source != SOURCE_ZOOKEEPER || !cluster_brokers_are_known(cl))
		return cl->broker_ids_fact.know == KNOW_UNREADABLE;
	for (size_t i = 0; i < cl->n_brokers; i++)
		if (cl->brokers[i]->up && cl->brokers[i]->reg.know == KNOW_UNKNOWN)
			return false;
	return true;
}

/* None of its listeners is for us: said where a connection that failed is said. */
static void say_no_endpoint(struct session *ss, const struct broker *br, enum client_protocol protocol)
{
	struct link_info info = { .state = LINK_FAILED, .latency = -1 };
	struct event *ev;
	struct strbuf has;

	strbuf_init(&has);
	for (size_t i = 0; i < br->info.n_endpoints; i++)
		strbuf_printf(&has, "%s%s", i > 0 ? ", " : "", br->info.endpoints[i].protocol);
	str_printf(info.error, sizeof(info.error), "it has no listener for security.protocol %s, only for %s",
		   client_protocol_name(protocol), has.len > 0 ? has.s : "none");
	strbuf_fini(&has);
	ev = event_link(br->id, &info, clock_mono(), clock_wall());
	record(ss, ev);
	model_apply(ss->model, ev);
}

static void tell_brokers(struct session *ss)
{
	const struct cluster *cl = model_cluster(ss->model);
	enum client_protocol protocol = reach_config(ss->live.reach)->protocol;
	struct kclient_address *list = mem_array(cl->n_brokers + 1, sizeof(*list));
	struct strbuf text;
	size_t n = 0;

	strbuf_init(&text);
	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];
		const struct zk_endpoint *ep = br->up && br->reg.know == KNOW_PRESENT ? zk_broker_endpoint_for(&br->info, protocol) : NULL;

		if (ep != NULL) {
			list[n++] = (struct kclient_address){ br->id, ep->host, ep->port };
			strbuf_printf(&text, "%d %s %d\n", br->id, ep->host, ep->port);
		} else if (br->up && br->reg.know == KNOW_PRESENT) {
			strbuf_printf(&text, "%d\n", br->id);
			if (br->link.state == LINK_NONE)
				say_no_endpoint(ss, br, protocol);
		}
	}
	if (ss->live.told == NULL || strcmp(ss->live.told, text.s) != 0) {
		kclient_brokers(ss->live.kafka, list, n);
		mem_free(&ss->live.told);
		ss->live.told = mem_strdup(text.s);
	}
	strbuf_fini(&text);
	mem_free(&list);
}

/* /controller is ahead of what brokers say of it. */
static void tell_controller(struct live *li, const struct cluster *cl)
{
	bool is_known = cl->controller_fact.know == KNOW_PRESENT && cl->controller_fact.source == SOURCE_ZOOKEEPER;
	int32_t id = is_known ? cl->controller.broker : BROKER_NONE;

	if (id == li->controller)
		return;
	li->controller = id;
	kclient_controller(li->kafka, id);
}

/* If it has changed and is known in full. */
static void look_at_brokers(struct session *ss)
{
	if (ss->live.kafka != NULL && !ss->live.by_bootstrap && (model_changes(ss->model).bits & CHG_BROKERS) &&
	    brokers_are_read(model_cluster(ss->model)))
		tell_brokers(ss);
}

bool live_drain(struct session *ss)
{
	mono_ms begun = clock_mono();
	bool is_more = true, is_list;

	while (is_more && mono_since(clock_mono(), begun) < SESSION_DRAIN_MS) {
		is_more = take_next(ss, &is_list);
		/* Brokers take a while to answer: they begin while the rest is still being read. */
		if (is_list)
			look_at_brokers(ss);
	}
	look_at_brokers(ss);
	if (ss->live.kafka != NULL) {
		tell_controller(&ss->live, model_cluster(ss->model));
		queue_tell(ss);
	}
	keeper_turn(ss);
	return is_more;
}
