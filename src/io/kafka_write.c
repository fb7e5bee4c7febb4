/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request after the other: whom to ask → connect → (who is the controller?) → send → answer → told.
 *
 * Callbacks of the connection only note what came (`step`, `oc`, `next`); the turn acts on it afterwards, for they must not free
 * the connection. What is certain of a failure is decided by `step` alone: from SENT on bytes may have left.
 */
#include "io/kafka_write.h"

#include <assert.h>
#include <poll.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/event.h"
#include "core/metadata.h"
#include "core/outcome.h"
#include "core/record.h"
#include "io/clock.h"
#include "io/kafka_outcome.h"
#include "io/kclient_parts.h"
#include "io/kconn.h"
#include "io/net.h"
#include "wire/metadata.h"
#include "wire/topics.h"

struct kwrite_request {
	struct kwrite_request *next;
	uint64_t id;
	char **names;
	size_t n;
	dur_ms timeout_ms;
};

enum kwrite_step {
	KWRITE_CONNECTING, /* to ask who is the controller (`asks_who`), or to send */
	KWRITE_ASKED_WHO,
	KWRITE_SENT,
	KWRITE_MOVES,      /* to `next` */
	KWRITE_OVER        /* `oc` is what came of it */
};

struct kafka_write {
	struct kclient *kc;
	struct kwrite_request *in, **in_end; /* the inbox; under kc->lock */

	/* The kafka thread's. */
	struct kwrite_request *waiting; /* taken from the inbox, in order */
	struct kwrite_request *rq; /* under way; NULL: none */
	struct kconn *conn;        /* NULL between requests */
	bool is_ready;             /* takes part in the next turn */
	bool asks_who;
	uint8_t step;              /* enum kwrite_step */
	uint8_t moves;
	int32_t broker;            /* connected to; BROKER_NONE: not known which it is */
	struct kclient_address next; /* host is ours */
	struct outcome *oc;
};

/* ---- requests ------------------------------------------------------------------------------- */

static void request_free(struct kwrite_request **pp)
{
	for (size_t i = 0; i < (*pp)->n; i++)
		mem_free(&(*pp)->names[i]);
	mem_free(&(*pp)->names);
	mem_free(pp);
}

static struct kafka_asked asked(const struct kwrite_request *rq)
{
	return (struct kafka_asked){ rq->id, (const char *const *)rq->names, rq->n };
}

bool kafka_write_delete_topics(struct kclient *kc, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
{
	struct kafka_write *kw = kc->write;
	struct kwrite_request *rq;

	assert(kc->magic == KCLIENT_MAGIC && kw && n > 0 && timeout_ms > 0 && timeout_ms <= INT32_MAX);
	for (size_t i = 0; i < n; i++)
		if (names[i][0] == '\0' || strlen(names[i]) > TOPIC_NAME_MAX)
			return err_set(err, ERR_USAGE, "no topic can have the name \"%s\"", names[i]);
	rq = mem_zalloc(sizeof(*rq));
	*rq = (struct kwrite_request){ .id = id, .names = mem_array(n, sizeof(*rq->names)), .n = n, .timeout_ms = timeout_ms };
	for (size_t i = 0; i < n; i++)
		rq->names[i] = mem_strdup(names[i]);
	pthread_mutex_lock(&kc->lock);
	*kw->in_end = rq;
	kw->in_end = &rq->next;
	pthread_mutex_unlock(&kc->lock);
	kclient_wake(kc);
	return true;
}

void kafka_write_take_inbox(struct kafka_write *kw)
{
	struct kwrite_request **end = &kw->waiting;

	while (*end)
		end = &(*end)->next;
	*end = kw->in;
	kw->in = NULL;
	kw->in_end = &kw->in;
}

static struct kwrite_request *take_request(struct kafka_write *kw)
{
	struct kwrite_request *rq = kw->waiting;

	if (rq)
		kw->waiting = rq->next;
	return rq;
}

/* ---- the end of one ------------------------------------------------------------------------ */

/* Tells, once, and is done with the request. Takes `oc`. */
static void tell(struct kafka_write *kw, struct kwrite_request **rq, struct outcome *oc)
{
	for (size_t i = 0; i < oc->n; i++)
		log_put(oc->items[i].code == OUTCOME_DONE ? LOG_INFO : LOG_WARN, "kafka_write", "request %llu: DeleteTopics %s: %s: %s",
			(unsigned long long)oc->id, oc->items[i].name, record_outcome_name(oc->items[i].code), oc->items[i].text);
	kclient_emit(kw->kc, event_outcome(oc, clock_mono(), clock_wall()));
	request_free(rq);
}

static void over(struct kafka_write *kw, struct outcome *oc)
{
	assert(!kw->oc);
	kw->oc = oc;
	kw->step = KWRITE_OVER;
}

static void refuse(struct kafka_write *kw, const char *why)
{
	struct kafka_asked as = asked(kw->rq);

	over(kw, kafka_outcome_undone(&as, kw->moves > 0, why));
}

/* The connection is lost, or was given up. */
static void lost(struct kafka_write *kw, const char *why)
{
	struct kafka_asked as = asked(kw->rq);

	over(kw, kw->step == KWRITE_SENT ? kafka_outcome_unanswered(&as, why) : kafka_outcome_undone(&as, kw->moves > 0, why));
}

/* ---- whom to ask ----------------------------------------------------------------------------- */

static const struct kclient_address *address_in(const struct klist *l, int32_t id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].id == id)
			return &l->v[i];
	return NULL;
}

/* By the listener that is used with it in any case. */
static const struct kclient_address *address_of(const struct kclient *kc, int32_t id)
{
	return address_in(kc->registered.n > 0 ? &kc->registered : &kc->told, id);
}

/* Somebody who can say who the controller is: one that is connected, if there is any. */
static const struct kclient_address *anybody(const struct kclient *kc)
{
	const struct klist *l = kc->registered.n > 0 ? &kc->registered : kc->told.n > 0 ? &kc->told : &kc->bootstrap;

	for (size_t i = 0; i < l->n; i++) {
		const struct klink *ln = klink_find(kc, l->v[i].id);

		if (ln && ln->state == LINK_UP)
			return &l->v[i];
	}
	return l->n > 0 ? &l->v[0] : NULL;
}

static void connect_to(struct kafka_write *kw, const struct kclient_address *ad, bool asks_who)
{
	struct kclient *kc = kw->kc;
	const struct client_config *cc = kc->opt.config;
	struct kconn_where where = {
		.broker = ad->id >= 0 ? ad->id : BROKER_NONE, .host = ad->host, .port = ad->port, .tls = kc->opt.tls,
		.login = client_protocol_has_sasl(cc->protocol) ? &cc->login : NULL,
		.client_id = kc->client_id, .ready_timeout_ms = kclient_patience(kc), .may_write = true, .was_answered = kc->was_answered,
	};

	kconn_free(&kw->conn);
	kw->broker = where.broker;
	kw->asks_who = asks_who;
	kw->step = KWRITE_CONNECTING;
	kw->conn = kconn_new(&where, kc->now);
	kw->is_ready = true;
}

static void begin(struct kafka_write *kw, struct kwrite_request *rq)
{
	const struct kclient *kc = kw->kc;
	int32_t named = atomic_load(&kc->named_controller);
	const struct kclient_address *ad = address_of(kc, named != BROKER_NONE ? named : kc->controller);
	bool asks_who = ad == NULL;

	kw->rq = rq;
	kw->moves = 0;
	kw->step = KWRITE_CONNECTING;
	if (!ad)
		ad = anybody(kc);
	if (ad)
		connect_to(kw, ad, asks_who);
	else
		refuse(kw, "no broker is known");
}

/* ---- who is the controller? -------------------------------------------------------------------- */

static void take_who(struct kafka_write *kw, const struct metadata *md)
{
	const struct kclient_address *known = address_of(kw->kc, md->controller);

	if (md->controller < 0) {
		refuse(kw, "the brokers name no controller at present; ask again in a while");
		return;
	}
	if (md->controller == kw->broker && kw->moves > 0) {
		refuse(kw, "the controller is moving: nobody is it yet; ask again in a while");
		return;
	}
	for (uint32_t i = 0; i < md->n_brokers; i++) {
		struct kclient_address said = { md->brokers[i].id, md->brokers[i].host, md->brokers[i].port };

		if (said.id != md->controller)
			continue;
		said = known ? *known : said;
		mem_free(&kw->next.host);
		kw->next = (struct kclient_address){ said.id, mem_strdup(said.host), said.port };
		kw->step = KWRITE_MOVES;
		return;
	}
	refuse(kw, "the broker that is named as the controller is not among the live ones; ask again in a while");
}

static void on_who(void *ctx, const struct kconn_answer *an)
{
	struct kafka_write *kw = ctx;
	struct arena *ar;
	struct metadata md;
	struct err err;

	if (an->err)
		return; /* the turn sees to it */
	err_init(&err);
	ar = arena_new(0);
	if (wire_metadata_decode(an->rd, an->version, ar, &md, &err))
		take_who(kw, &md);
	else
		refuse(kw, err.text);
	arena_free(&ar);
}

/* ---- the request itself -------------------------------------------------------------------------- */

static void on_deleted(void *ctx, const struct kconn_answer *an)
{
	struct kafka_write *kw = ctx;
	struct kafka_asked as = asked(kw->rq);
	struct wire_deletes ds;
	struct arena *ar;
	struct err err;

	if (an->err)
		return;
	err_init(&err);
	ar = arena_new(0);
	if (!wire_topics_decode_delete(an->rd, an->version, ar, &ds, &err)) {
		lost(kw, err.text);
	} else if (kafka_outcome_is_elsewhere(&ds) && kw->moves < KAFKA_WRITE_MOVES) {
		kw->moves++;
		kw->asks_who = true;
		kw->step = KWRITE_CONNECTING; /* it is up: the turn asks it */
		log_put(LOG_INFO, "kafka_write", "request %llu: %s is not the controller", (unsigned long long)as.id, kconn_name(kw->conn));
	} else {
		over(kw, kafka_outcome_answered(&as, kw->broker, an->version, &ds));
	}
	arena_free(&ar);
}

static bool send_who(struct kafka_write *kw, struct err *err)
{
	struct kclient *kc = kw->kc;
	int16_t version;

	if (!kconn_choose(kw->conn, WIRE_METADATA, &version, err))
		return false;
	wire_metadata_encode(kconn_begin(kw->conn, WIRE_METADATA, version), version, (const char *const[]){ NULL }, 0);
	kw->step = KWRITE_ASKED_WHO;
	return kconn_send(kw->conn, kc->now, kclient_patience(kc), on_who, kw, err);
}

static bool send_delete(struct kafka_write *kw, struct err *err)
{
	struct kclient *kc = kw->kc;
	const struct kwrite_request *rq = kw->rq;
	int16_t version;

	if (!kconn_choose(kw->conn, WIRE_DELETE_TOPICS, &version, err))
		return false;
	wire_topics_encode_delete(kconn_begin(kw->conn, WIRE_DELETE_TOPICS, version), version, (const char *const *)rq->names, rq->n,
				  (int32_t)rq->timeout_ms);
	if (!kconn_send(kw->conn, kc->now, rq->timeout_ms + kclient_patience(kc), on_deleted, kw, err))
		return false;
	kw->step = KWRITE_SENT;
	log_put(LOG_INFO, "kafka_write", "request %llu: DeleteTopics v%d of %zu topics, to %s", (unsigned long long)rq->id, version, rq->n,
		kconn_name(kw->conn));
	return true;
}

/* ---- turns ------------------------------------------------------------------------------------------ */

static void conn_turn(struct kafka_write *kw)
{
	struct err err;

	kw->is_ready = false;
	err_init(&err);
	if (!kconn_on_ready(kw->conn, kw->kc->now, &err)) {
		if (kw->step != KWRITE_OVER && kw->step != KWRITE_MOVES)
			lost(kw, err.text);
		return;
	}
	if (kw->step != KWRITE_CONNECTING || kconn_state(kw->conn) != KCONN_READY)
		return;
	kw->is_ready = true;
	if (!(kw->asks_who ? send_who(kw, &err) : send_delete(kw, &err)))
		lost(kw, err.text);
}

/* What is due after a turn of the connection. */
static void act(struct kafka_write *kw)
{
	if (kw->step == KWRITE_MOVES) {
		connect_to(kw, &kw->next, false);
	} else if (kw->step == KWRITE_OVER) {
		struct outcome *oc = kw->oc;

		kconn_free(&kw->conn);
		kw->oc = NULL;
		tell(kw, &kw->rq, oc);
	}
}

static bool is_due(const struct kafka_write *kw)
{
	mono_ms due = kconn_deadline(kw->conn);

	return kw->is_ready || (due.ms && kw->kc->now.ms >= due.ms);
}

void kafka_write_turn(struct kafka_write *kw)
{
	struct kwrite_request *rq;

	for (;;) {
		if (kw->conn && is_due(kw))
			conn_turn(kw);
		if (kw->rq)
			act(kw);
		if (!kw->rq && (rq = take_request(kw)) != NULL)
			begin(kw, rq);
		else if (!kw->conn || !is_due(kw))
			return;
	}
}

size_t kafka_write_poll(const struct kafka_write *kw, struct pollfd *fds, mono_ms *until)
{
	*until = (mono_ms){ 0 };
	if (!kw->conn)
		return 0;
	*until = kw->is_ready ? kw->kc->now : kconn_deadline(kw->conn);
	return kconn_poll(kw->conn, fds);
}

void kafka_write_polled(struct kafka_write *kw, const struct pollfd *fds)
{
	struct pollfd mine[NET_FDS_MAX];
	size_t n = kw->conn ? kconn_poll(kw->conn, mine) : 0;

	for (size_t i = 0; i < n; i++)
		kw->is_ready = kw->is_ready || fds[i].revents != 0;
}

/* ---- life --------------------------------------------------------------------------------------------- */

struct kafka_write *kafka_write_new(struct kclient *kc)
{
	struct kafka_write *kw = mem_zalloc(sizeof(*kw));

	kw->kc = kc;
	kw->in_end = &kw->in;
	return kw;
}

void kafka_write_end(struct kafka_write *kw)
{
	struct kwrite_request *rq;

	if (kw->rq) {
		if (kw->step != KWRITE_OVER)
			lost(kw, "the program ended");
		kw->step = KWRITE_OVER;
		act(kw);
	}
	pthread_mutex_lock(&kw->kc->lock);
	kafka_write_take_inbox(kw);
	pthread_mutex_unlock(&kw->kc->lock);
	while ((rq = take_request(kw)) != NULL) {
		struct kafka_asked as = asked(rq);

		tell(kw, &rq, kafka_outcome_undone(&as, false, "the program ended"));
	}
}

void kafka_write_free(struct kafka_write **pp)
{
	if (!*pp)
		return;
	assert(!(*pp)->rq && !(*pp)->conn && !(*pp)->in && !(*pp)->waiting);
	mem_free(&(*pp)->next.host);
	mem_free(pp);
}
