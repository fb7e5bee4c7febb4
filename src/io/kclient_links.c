/* SPDX-License-Identifier: Apache-2.0 */
/* The connections: to whom, when again after a failure, and what is told of them. */
#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/event.h"
#include "core/servers.h"
#include "io/clock.h"
#include "io/kclient_parts.h"
#include "io/kconn.h"
#include "io/net.h"

/* ---- telling ------------------------------------------------------------------------------ */

int32_t klink_broker(const struct klink *ln)
{
	return ln->id < BROKER_NONE ? BROKER_NONE : ln->id;
}

const char *klink_why(const struct klink *ln, const struct err *err)
{
	char prefix[40];

	if (ln->id >= 0 && str_printf(prefix, sizeof(prefix), "broker %d: ", (int)ln->id) && str_starts(err->text, prefix))
		return err->text + strlen(prefix);
	return err->text;
}

void klink_tell(struct klink *ln)
{
	struct link_info li = { .state = ln->state, .tries = ln->tries, .last_answer = ln->last_answer, .latency = ln->latency };

	servers_text(ln->host, ln->port, li.address, sizeof(li.address));
	if ((ln->state != LINK_UP || ln->is_silent) && !str_copy(li.error, sizeof(li.error), klink_why(ln, &ln->err)))
		li.error[sizeof(li.error) - 1] = '\0';
	ln->told_at = ln->kc->now;
	kclient_emit(ln->kc, event_link(klink_broker(ln), &li, ln->kc->now, clock_wall()));
}

static void set_state(struct klink *ln, enum link_state state)
{
	ln->state = (uint8_t)state;
	ln->is_silent = false;
	klink_tell(ln);
}

/* ---- one connection -------------------------------------------------------------------------- */

static void connect_link(struct klink *ln)
{
	const struct kclient *kc = ln->kc;
	const struct client_config *cc = kc->opt.config;
	struct kconn_where where = {
		.broker = klink_broker(ln), .host = ln->host, .port = ln->port, .tls = kc->opt.tls,
		.login = client_protocol_has_sasl(cc->protocol) ? &cc->login : NULL,
		.client_id = kc->client_id, .ready_timeout_ms = kclient_patience(kc),
	};

	ln->conn = kconn_new(&where, kc->now);
	ln->is_ready = true;
	ln->unsupported = 0;
	for (int k = 0; k < KPOLL_KINDS; k++)
		ln->asks[k].is_out = false;
	ln->tries++;
	set_state(ln, LINK_CONNECTING);
}

static void on_up(struct klink *ln)
{
	char address[160];

	servers_text(ln->host, ln->port, address, sizeof(address));
	log_put(LOG_INFO, "kclient", "%s: %s: connected", kconn_name(ln->conn), address);
	ln->tries = 0;
	ln->wants_back = false;
	ln->up_at = ln->kc->now;
	err_init(&ln->err);
	kpolls_link(ln->kc->polls, ln->id, KPOLLS_LINK_UP, ln->kc->now);
	set_state(ln, LINK_UP);
}

static void plan_retry(struct klink *ln)
{
	ln->retry_at = (mono_ms){ ln->kc->now.ms + kpolls_retry(ln->kc->polls, &ln->backoff, ln->err.code == ERR_REFUSED) };
}

/* It was closed with nothing asked, after long enough for that to be the reason (connections.max.idle.ms). */
static bool was_idle(const struct klink *ln, const struct err *err)
{
	mono_ms used = ln->last_answer.ms > ln->up_at.ms ? ln->last_answer : ln->up_at;

	return ln->state == LINK_UP && !ln->has_lost && err->code == ERR_NET && mono_since(ln->kc->now, used) >= ln->kc->times.idle;
}

static void on_failure(struct klink *ln, const struct err *err)
{
	struct kclient *kc = ln->kc;
	bool is_idle = was_idle(ln, err), was_up = ln->state == LINK_UP;
	unsigned given_up;

	kconn_free(&ln->conn);
	if (is_idle) {
		log_put(LOG_INFO, "kclient", "%s (idle)", err->text);
		kpolls_link(kc->polls, ln->id, KPOLLS_LINK_NONE, kc->now);
		set_state(ln, LINK_NONE);
		return;
	}
	log_put(LOG_WARN, "kclient", "%s", err->text);
	ln->err = *err;
	/* An answer alone says little: who closes after each would be connected to again and again. */
	if (was_up && mono_since(kc->now, ln->up_at) >= kc->times.backoff_most)
		ln->backoff = 0;
	ln->wants_back = (ln->wants_back || was_up) && !kc->opt.once;
	kasks_note(kc, err);
	plan_retry(ln);
	given_up = kpolls_link(kc->polls, ln->id, KPOLLS_LINK_FAILED, kc->now);
	set_state(ln, LINK_FAILED);
	kasks_give_up(kc, ln, given_up);
}

static void turn(struct klink *ln)
{
	struct err err;

	ln->is_ready = ln->has_lost = false;
	err_init(&err);
	if (!kconn_on_ready(ln->conn, ln->kc->now, &err))
		on_failure(ln, &err);
	else if (ln->state == LINK_CONNECTING && kconn_state(ln->conn) == KCONN_READY)
		on_up(ln);
}

/* ---- all of them --------------------------------------------------------------------------------- */

struct klink *klink_find(const struct kclient *kc, int32_t id)
{
	for (size_t i = 0; i < kc->n_links; i++)
		if (kc->links[i]->id == id)
			return kc->links[i];
	return NULL;
}

static bool is_wanted(const struct klink *ln)
{
	const struct kclient *kc = ln->kc;

	return kpolls_needs(kc->polls, ln->id, kc->now) || (ln->wants_back && kc->want.is_looking);
}

/* Bootstrap servers have done their part once a broker is there. */
static void let_go_of_bootstrap(struct kclient *kc)
{
	bool is_up = false;

	for (size_t i = 0; i < kc->n_links; i++)
		is_up = is_up || (kc->links[i]->id >= 0 && kc->links[i]->state == LINK_UP);
	for (size_t i = 0; is_up && i < kc->n_links; i++) {
		struct klink *ln = kc->links[i];

		if (ln->id >= 0 || !ln->conn || kconn_waiting(ln->conn) > 0)
			continue;
		kconn_free(&ln->conn);
		kpolls_link(kc->polls, ln->id, KPOLLS_LINK_NONE, kc->now);
		set_state(ln, LINK_NONE);
	}
}

void klinks_turn(struct kclient *kc)
{
	for (size_t i = 0; i < kc->n_links; i++) {
		struct klink *ln = kc->links[i];
		mono_ms due = ln->conn ? kconn_deadline(ln->conn) : ln->retry_at;

		if (!ln->conn && kc->now.ms >= due.ms && is_wanted(ln))
			connect_link(ln);
		if (ln->conn && (ln->is_ready || (due.ms && kc->now.ms >= due.ms)))
			turn(ln);
		kasks_note_silence(ln);
		if (atomic_load(&kc->stop))
			return;
		kc->now = clock_mono(); /* a turn can take a while: an answer, a step of a login */
	}
	let_go_of_bootstrap(kc);
}

static mono_ms link_deadline(const struct klink *ln)
{
	mono_ms due = kconn_deadline(ln->conn), silent = kasks_silent_at(ln);

	return silent.ms && (!due.ms || silent.ms < due.ms) ? silent : due;
}

size_t klinks_poll(struct kclient *kc, size_t at, mono_ms *until)
{
	size_t n = at;

	*until = (mono_ms){ 0 };
	if (kc->cap_fds < at + (kc->n_links + 1) * NET_FDS_MAX) {
		kc->cap_fds = at + (kc->n_links + 1) * NET_FDS_MAX; /* one more for kafka_write's */
		kc->fds = mem_realloc_array(kc->fds, kc->cap_fds, sizeof(*kc->fds));
	}
	for (size_t i = 0; i < kc->n_links; i++) {
		const struct klink *ln = kc->links[i];
		mono_ms due = { 0 };

		if (ln->conn)
			due = ln->is_ready ? kc->now : link_deadline(ln);
		else if (is_wanted(ln))
			due = ln->retry_at.ms ? ln->retry_at : kc->now;
		if (due.ms && (!until->ms || due.ms < until->ms))
			*until = due;
		if (ln->conn)
			n += kconn_poll(ln->conn, &kc->fds[n]);
	}
	return n - at;
}

void klinks_polled(struct kclient *kc, size_t at)
{
	struct pollfd mine[NET_FDS_MAX];

	for (size_t i = 0; i < kc->n_links; i++) {
		struct klink *ln = kc->links[i];
		size_t n = ln->conn ? kconn_poll(ln->conn, mine) : 0;

		for (size_t k = 0; k < n; k++)
			ln->is_ready = ln->is_ready || kc->fds[at + k].revents != 0;
		at += n;
	}
}

/* ---- the list -------------------------------------------------------------------------------------- */

static struct klink *link_new(struct kclient *kc, const struct kclient_address *ad)
{
	struct klink *ln = mem_zalloc(sizeof(*ln));

	ln->kc = kc;
	ln->id = ad->id;
	ln->host = mem_strdup(ad->host);
	ln->port = ad->port;
	ln->latency = -1;
	err_init(&ln->err);
	for (int k = 0; k < KPOLL_KINDS; k++)
		ln->asks[k] = (struct kask){ .ln = ln, .kind = (enum kpoll)k, .took = -1 };
	return ln;
}

static void link_free(struct klink **pp)
{
	kconn_free(&(*pp)->conn);
	mem_free(&(*pp)->host);
	mem_free(pp);
}

/* Of one that is not asked any more, or not there. */
static void part_with(struct klink **pp)
{
	struct klink *ln = *pp;

	kpolls_link(ln->kc->polls, ln->id, KPOLLS_LINK_NONE, ln->kc->now);
	err_init(&ln->err);
	if (ln->state != LINK_NONE)
		set_state(ln, LINK_NONE);
	link_free(pp);
}

/* The link of an address, taken out of the old ones where it is there. */
static struct klink *take_link(struct kclient *kc, const struct kclient_address *ad)
{
	for (size_t i = 0; i < kc->n_links; i++) {
		struct klink *ln = kc->links[i];

		if (!ln || ln->id != ad->id || ln->port != ad->port || strcmp(ln->host, ad->host) != 0)
			continue;
		kc->links[i] = NULL;
		return ln;
	}
	return link_new(kc, ad);
}

static void wish(struct klist *l, const struct klist *more, size_t from)
{
	for (size_t i = 0; i < more->n; i++) {
		const struct kclient_address *ad = &more->v[(from + i) % more->n];

		klist_add(l, ad->id, ad->host, ad->port);
	}
}

void klinks_take_list(struct kclient *kc)
{
	const struct klist *known = kc->registered.n > 0 ? &kc->registered : &kc->told;
	struct klist wanted = { NULL, 0 };
	struct klink **links;
	int32_t *ids;

	kc->is_list_new = false;
	/* Each console begins with another one. */
	wish(&wanted, known, (size_t)kpolls_jitter(kc->polls, 1000));
	if (kc->registered.n == 0)
		wish(&wanted, &kc->bootstrap, 0);
	links = mem_array(wanted.n + 1, sizeof(struct klink *));
	ids = mem_array(wanted.n + 1, sizeof(*ids));
	for (size_t i = 0; i < wanted.n; i++) {
		links[i] = take_link(kc, &wanted.v[i]);
		ids[i] = wanted.v[i].id;
	}
	for (size_t i = 0; i < kc->n_links; i++)
		if (kc->links[i])
			part_with(&kc->links[i]);
	mem_free(&kc->links);
	kc->links = links;
	kc->n_links = wanted.n;
	kpolls_brokers(kc->polls, ids, wanted.n, kc->now);
	kclient_apply_queue(kc);
	mem_free(&ids);
	klist_clear(&wanted);
}

void klinks_free(struct kclient *kc)
{
	for (size_t i = 0; i < kc->n_links; i++)
		link_free(&kc->links[i]);
	mem_free(&kc->links);
	kc->n_links = 0;
}
