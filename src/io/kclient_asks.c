/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked over the connections, and what the answers become. */
#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "core/client_config.h"
#include "core/event.h"
#include "core/metadata.h"
#include "io/clock.h"
#include "io/kanswer.h"
#include "io/kclient_parts.h"
#include "io/kconn.h"
#include "wire/configs.h"
#include "wire/logdirs.h"
#include "wire/metadata.h"
#include "wire/reassign.h"

static const enum wire_api apis[KPOLL_KINDS] = {
	[KPOLL_METADATA] = WIRE_METADATA, [KPOLL_TOPICS] = WIRE_METADATA, [KPOLL_WHO] = WIRE_METADATA, [KPOLL_QUEUED] = WIRE_METADATA,
	[KPOLL_REASSIGNING] = WIRE_LIST_REASSIGNMENTS,
	[KPOLL_DISKS] = WIRE_DESCRIBE_LOG_DIRS, [KPOLL_SETTINGS] = WIRE_DESCRIBE_CONFIGS,
};

enum { SILENT_TIMES_LAST = 3, SILENT_LATE_MS = 1000 };

/* ---- what went wrong --------------------------------------------------------------------------- */

/* Refusals help more than that a peer speaks something else, and that more than that nobody is there. */
static int help_of(enum err_code code)
{
	return code == ERR_REFUSED ? 4 : code == ERR_FORMAT || code == ERR_UNSUPPORTED || code == ERR_LIMIT ? 3 :
	       code == ERR_NONE ? 0 : code == ERR_NET ? 1 : 2;
}

void kasks_note(struct kclient *kc, const struct err *err)
{
	if (help_of(err->code) > help_of(kc->best.code))
		kc->best = *err;
}

static void tell_unreadable(struct kclient *kc, enum kpoll kind, int32_t broker, const char *why)
{
	kclient_emit(kc, event_of_broker((enum event_kind)kanswer_kind(apis[kind]), broker, why, kc->now, clock_wall()));
}

/* Why the controller can't be asked. */
static void tell_no_controller(struct kclient *kc)
{
	const struct klink *ln = klink_find(kc, kc->controller);
	char why[ERR_TEXT_MAX];

	if (ln)
		tell_unreadable(kc, KPOLL_REASSIGNING, ln->id, klink_why(ln, &ln->err));
	else if (!kc->has_metadata)
		tell_unreadable(kc, KPOLL_REASSIGNING, BROKER_NONE, "no broker said who the controller is");
	else if (kc->controller == BROKER_NONE)
		tell_unreadable(kc, KPOLL_REASSIGNING, BROKER_NONE, "the brokers name no controller at present");
	else if (str_printf(why, sizeof(why), "the controller is broker %d, which is not registered", (int)kc->controller))
		tell_unreadable(kc, KPOLL_REASSIGNING, kc->controller, why);
}

static const char *best_why(const struct kclient *kc)
{
	return kc->best.code != ERR_NONE ? kc->best.text : "no broker is registered, and no bootstrap server is given";
}

void kasks_give_up(struct kclient *kc, const struct klink *ln, unsigned kinds)
{
	for (int k = KPOLL_DISKS; ln && k <= KPOLL_SETTINGS; k++)
		if (kinds >> k & 1)
			tell_unreadable(kc, (enum kpoll)k, ln->id, klink_why(ln, &ln->err));
	if (!ln && (kinds >> KPOLL_METADATA & 1) && (kc->opt.asks & ASK_METADATA))
		tell_unreadable(kc, KPOLL_METADATA, BROKER_NONE, best_why(kc));
	if (!ln && (kinds >> KPOLL_REASSIGNING & 1))
		tell_no_controller(kc);
}

/* Somebody said something of the cluster; a bootstrap server whose Metadata can't be read did not. */
static bool somebody_was_reached(const struct kclient *kc)
{
	return kc->was_answered && (kc->has_metadata || kc->registered.n > 0);
}

void kasks_settle(struct kclient *kc)
{
	if (kc->awaits || kc->awaits_queue)
		return;
	kasks_give_up(kc, NULL, kpolls_give_up(kc->polls));
	if (!kpolls_is_first_over(kc->polls)) {
		kc->is_asked_told = false;
	} else if (!kc->is_asked_told) {
		kc->is_asked_told = true;
		kclient_emit(kc, event_of_broker(EV_BROKERS_ASKED, BROKER_NONE, somebody_was_reached(kc) ? NULL : best_why(kc),
						 kc->now, clock_wall()));
	}
}

/* ---- answers ----------------------------------------------------------------------------------------- */

/* What Metadata says of whom to ask. */
static void take_metadata(struct kclient *kc, const struct metadata_answer *ma)
{
	const struct metadata *md = &ma->md;

	kc->controller = md->controller >= 0 ? md->controller : BROKER_NONE;
	kpolls_controller(kc->polls, kc->controller);
	if (!ma->is_all)
		return;
	kc->has_metadata = true;
	if (kc->registered.n > 0 || md->n_brokers == 0)
		return;
	klist_clear(&kc->told);
	for (uint32_t i = 0; i < md->n_brokers; i++)
		if (md->brokers[i].id >= 0)
			klist_add(&kc->told, md->brokers[i].id, md->brokers[i].host, md->brokers[i].port);
	kc->is_list_new = true;
}

/* Not read, or of another broker than the controller. */
static void on_no_event(struct kask *as, const struct err *err)
{
	struct klink *ln = as->ln;
	struct kclient *kc = ln->kc;
	struct err named;

	if (err->code == ERR_NOT_FOUND) {
		if (!kpolls_not_controller(kc->polls, ln->id, kc->now))
			tell_unreadable(kc, as->kind, ln->id, "the controller is moving: this broker isn't it, neither was the one before");
		return;
	}
	named = *err;
	err_wrap(&named, "%s", kconn_name(ln->conn));
	log_put(LOG_WARN, "kclient", "%s", named.text);
	kasks_note(kc, &named);
	kpolls_useless(kc->polls, as->kind, ln->id, kc->now);
	/* Of Metadata in the first round: another one may do better. */
	if ((as->kind != KPOLL_METADATA || kc->has_metadata) && as->kind != KPOLL_TOPICS && as->kind != KPOLL_WHO && as->kind != KPOLL_QUEUED)
		tell_unreadable(kc, as->kind, klink_broker(ln), err->text);
}

static void on_event(struct kask *as, struct event *ev, size_t bytes)
{
	struct klink *ln = as->ln;
	struct kclient *kc = ln->kc;
	bool is_refused = ev->know == KNOW_UNREADABLE;

	if (is_refused)
		log_put(LOG_WARN, "kclient", "%s: %s", kconn_name(ln->conn), ev->why);
	if (ev->kind == EV_METADATA && !is_refused)
		take_metadata(kc, ev->u.metadata);
	kpolls_answered(kc->polls, as->kind, ln->id, bytes, is_refused, kc->now);
	if (ev->kind == EV_METADATA && !(kc->opt.asks & ASK_METADATA))
		event_free(&ev); /* it was asked for to find the controller */
	else
		kclient_emit(kc, ev);
}

/* Answers come in the order of the requests: it is the oldest that the broker is at. */
static const struct kask *oldest_out(const struct klink *ln)
{
	const struct kask *oldest = NULL;

	for (int k = 0; k < KPOLL_KINDS; k++)
		if (ln->asks[k].is_out && (!oldest || ln->asks[k].asked.ms < oldest->asked.ms))
			oldest = &ln->asks[k];
	return oldest;
}

/* How long the answer may be expected to take; -1 unknown. What a broker has of its own, and has never told, may take as long as it likes:
 * the log dirs of a large one, say. */
static dur_ms expected(const struct klink *ln, const struct kask *as)
{
	bool is_own = as->kind == KPOLL_DISKS || as->kind == KPOLL_SETTINGS;

	return is_own || as->took > ln->kc->took[as->kind] ? as->took : ln->kc->took[as->kind];
}

static dur_ms silence_limit(const struct klink *ln, const struct kask *as)
{
	dur_ms by_last = expected(ln, as) * SILENT_TIMES_LAST;

	return by_last > ln->kc->times.silent ? by_last : ln->kc->times.silent;
}

mono_ms kasks_silent_at(const struct klink *ln)
{
	const struct kask *as = ln->is_silent || ln->state != LINK_UP ? NULL : oldest_out(ln);
	mono_ms from;

	if (!as || expected(ln, as) < 0 || kconn_is_hearing(ln->conn))
		return (mono_ms){ 0 };
	from = as->asked.ms > ln->last_answer.ms ? as->asked : ln->last_answer;
	if (ln->listened.ms > from.ms)
		from = ln->listened;
	return (mono_ms){ from.ms + silence_limit(ln, as) };
}

void kasks_note_silence(struct klink *ln)
{
	mono_ms at = kasks_silent_at(ln), now = ln->kc->now;
	char within[UNITS_TEXT_MAX];
	const struct kask *as;

	if (!at.ms || now.ms < at.ms)
		return;
	/* We come late ourselves, from a stop or a sleep: it gets as long once more. */
	if (mono_since(now, at) > SILENT_LATE_MS) {
		ln->listened = now;
		return;
	}
	as = oldest_out(ln);
	err_init(&ln->err);
	err_set(&ln->err, ERR_TIMEOUT, "no answer to %s within %s", wire_api_get(apis[as->kind])->name,
		silence_limit(ln, as) < 1000 ? units_limit(within, silence_limit(ln, as)) : units_dur(within, silence_limit(ln, as)));
	log_put(LOG_WARN, "kclient", "%s: %s", kconn_name(ln->conn), ln->err.text);
	ln->is_silent = true;
	klink_tell(ln);
}

static void note_answer(struct kask *as)
{
	struct klink *ln = as->ln;
	bool was_silent = ln->is_silent;

	as->took = ln->kc->took[as->kind] = mono_since(ln->kc->now, as->asked);
	ln->is_silent = false;
	if (was_silent) {
		log_put(LOG_INFO, "kclient", "%s: answers again", kconn_name(ln->conn));
		err_init(&ln->err);
	}
	ln->kc->was_answered = true;
	ln->latency = mono_since(ln->kc->now, as->asked);
	ln->last_answer = ln->kc->now;
	if (was_silent || mono_since(ln->kc->now, ln->told_at) >= ln->kc->times.tell)
		klink_tell(ln);
}

static void note_throttle(const struct kask *as, dur_ms throttle)
{
	if (throttle == 0)
		return;
	log_put(LOG_INFO, "kclient", "%s: is asked too much (request quota), wants %lld ms without", kconn_name(as->ln->conn), (long long)throttle);
	kpolls_throttled(as->ln->kc->polls, as->ln->id, throttle, as->ln->kc->now);
}

static void on_answer(void *ctx, const struct kconn_answer *an)
{
	struct kask *as = ctx;
	struct kclient *kc = as->ln->kc;
	struct kanswer ka = { .api = an->api, .version = an->version, .broker = klink_broker(as->ln), .is_all = as->kind == KPOLL_METADATA,
			      .rd = an->rd };
	const uint8_t *body;
	struct event *ev;
	struct err err;
	dur_ms throttle;
	size_t n;

	as->is_out = false;
	if (an->err) {
		as->ln->has_lost = true; /* with the connection, so kclient_links sees to it */
		return;
	}
	kc->now = clock_mono();
	ka.seen = kc->now;
	ka.seen_wall = clock_wall();
	body = an->rd->data + an->rd->at;
	n = wire_reader_left(an->rd);
	throttle = kanswer_throttle(&ka);
	err_init(&err);
	ev = kanswer_event(&ka, &err);
	if (ev && kc->opt.keep_raw)
		event_keep_answer(ev, wire_api_get(an->api)->key, an->version, ka.is_all, body, n);
	note_answer(as);
	note_throttle(as, throttle);
	if (ev)
		on_event(as, ev, an->n);
	else
		on_no_event(as, &err);
}

/* ---- requests ------------------------------------------------------------------------------------------- */

/* The next names of those queued, as many as go into one request. */
static void encode_queued(struct kclient *kc, struct wire_writer *wr, int16_t version)
{
	const char *names[KCLIENT_WANT_MAX];
	size_t n = kc->queue.n < KCLIENT_WANT_MAX ? kc->queue.n : KCLIENT_WANT_MAX;

	for (size_t i = 0; i < n; i++)
		names[i] = kc->queue.topics[kc->queue_at++ % kc->queue.n];
	kc->queue_at = kc->queue.n > 0 ? kc->queue_at % kc->queue.n : 0;
	wire_metadata_encode(wr, version, names, n);
}

static void encode(struct kclient *kc, struct wire_writer *wr, enum kpoll kind, const struct klink *ln, int16_t version)
{
	char name[16];
	struct wire_config_query qu = { WIRE_RESOURCE_BROKER, name, kanswer_settings, kanswer_n_settings };

	switch (kind) {
	case KPOLL_METADATA:
		wire_metadata_encode(wr, version, NULL, 0);
		break;
	case KPOLL_TOPICS:
		wire_metadata_encode(wr, version, (const char *const *)kc->want.topics, kc->want.n);
		break;
	case KPOLL_WHO:
		wire_metadata_encode(wr, version, (const char *const[]){ NULL }, 0);
		break;
	case KPOLL_QUEUED:
		encode_queued(kc, wr, version);
		break;
	case KPOLL_REASSIGNING:
		wire_reassign_encode_list(wr, version, (int32_t)kclient_patience(kc), NULL, 0);
		break;
	case KPOLL_DISKS:
		wire_logdirs_encode(wr, version, NULL, 0);
		break;
	default:
		if (str_printf(name, sizeof(name), "%d", (int)ln->id))
			wire_configs_encode(wr, version, &qu, 1, false);
	}
}

/* It does not offer what it is asked. Told once a connection. */
static void on_unsupported(struct klink *ln, enum kpoll kind, const struct err *err)
{
	struct kclient *kc = ln->kc;
	bool is_told = ln->unsupported >> kind & 1;

	ln->unsupported |= 1u << kind;
	if (apis[kind] == WIRE_METADATA) {
		kasks_note(kc, err);
		kpolls_useless(kc->polls, kind, ln->id, kc->now);
		return;
	}
	kc->was_answered = true;
	kpolls_answered(kc->polls, kind, ln->id, 0, true, kc->now);
	if (!is_told)
		kclient_emit(kc, kanswer_unsupported(apis[kind], ln->id, klink_why(ln, err), kc->now, clock_wall()));
}

static void ask(struct klink *ln, enum kpoll kind)
{
	struct kclient *kc = ln->kc;
	struct kask *as = &ln->asks[kind];
	int16_t version;
	struct err err;

	err_init(&err);
	if (!kconn_choose(ln->conn, apis[kind], &version, &err)) {
		on_unsupported(ln, kind, &err);
		return;
	}
	as->asked = kc->now;
	encode(kc, kconn_begin(ln->conn, apis[kind], version), kind, ln, version);
	if (!kconn_send(ln->conn, kc->now, kclient_patience(kc), on_answer, as, &err)) {
		log_put(LOG_WARN, "kclient", "%s", err.text);
		kpolls_useless(kc->polls, kind, ln->id, kc->now);
	} else {
		as->is_out = true;
	}
	ln->is_ready = true;
}

void kasks_send(struct kclient *kc)
{
	enum kpoll kind;
	int32_t id;

	while (kpolls_next(kc->polls, kc->now, &kind, &id)) {
		struct klink *ln = klink_find(kc, id);

		assert(ln && ln->conn);
		ask(ln, kind);
	}
}
