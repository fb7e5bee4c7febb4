/* SPDX-License-Identifier: Apache-2.0 */
/*
 * connect → versions → (handshake → tokens →) up; and from up to the handshake again. Each step of the opening is a request of our own, whose answer
 * leads to the next; those of the caller wait until it is up.
 */
#include "io/kconn.h"

#include <assert.h>
#include <poll.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/ids.h"
#include "io/kconn_parts.h"
#include "io/net.h"
#include "io/sasl.h"
#include "io/sasl_first.h"
#include "wire/code.h"
#include "wire/versions.h"

enum { REQUEST_MAX_BYTES = 16 * 1024 * 1024, VERSIONS_FIRST = 3 };

#define SOFTWARE "kafops"

/* ---- failing -------------------------------------------------------------------------- */

static void tell(struct flights *fs, const struct err *err)
{
	struct flight *fl;

	while ((fl = flights_take(fs)) != NULL) {
		struct kconn_answer an = { .api = fl->api, .version = fl->version, .err = err };

		if (fl->answer)
			fl->answer(fl->ctx, &an);
		flight_free(&fl);
	}
}

/* kc->err is set; from io/net with "host:port" already. */
static void failed(struct kconn *kc)
{
	if (net_state(kc->net) != NET_FAILED || !str_starts(kc->err.text, net_name(kc->net)))
		err_wrap(&kc->err, "%s", net_name(kc->net));
	err_wrap(&kc->err, "%s", kc->name);
	kc->state = KCONN_FAILED;
	kc->writing = NULL;
	net_free(&kc->net);
	sasl_first_end(&kc->first);
	tell(&kc->own, &kc->err);
	tell(&kc->flying, &kc->err);
	tell(&kc->queue, &kc->err);
}

static const char *why_closed(const struct kconn *kc)
{
	if (kc->phase == KCONN_TO_HEAR_VERSIONS && !kc->has_tls)
		return "it closed the connection instead of an answer, as a port with TLS does (is security.protocol right?)";
	if (kc->phase == KCONN_TO_SHAKE_HANDS || kc->phase == KCONN_TO_LOG_IN)
		return "it closed the connection during the login";
	if (kc->phase == KCONN_UP && !kc->login && !kc->was_answered && kc->flying.n > 0 && kc->n_in == 0)
		return "it closed the connection at the first request, as a port does that wants a login (is security.protocol right?)";
	return kc->n_in > 0 ? "it closed the connection in the midst of an answer" :
	       kc->flying.n > 0 ? "it closed the connection with requests unanswered" : "it closed the connection";
}

bool kconn_closed(struct kconn *kc)
{
	err_init(&kc->err);
	return err_set(&kc->err, ERR_NET, "%s", why_closed(kc));
}

static bool fail_late(struct kconn *kc, const struct flight *fl)
{
	char within[UNITS_TEXT_MAX];

	return err_set(&kc->err, ERR_TIMEOUT, "timed out: no answer to %s within %s", wire_api_get(fl->api)->name,
		       units_limit(within, fl->limit_ms));
}

/* ---- the opening ------------------------------------------------------------------------ */

struct wire_writer *kconn_begin_own(struct kconn *kc, enum wire_api api, int16_t version)
{
	kc->wr_api = api;
	kc->wr_version = version;
	kc->wr_id = ++kc->last_id;
	wire_request_begin(&kc->wr, api, version, kc->wr_id, kc->client_id);
	return &kc->wr;
}

static bool ask_versions(struct kconn *kc, int16_t version)
{
	kc->phase = KCONN_TO_HEAR_VERSIONS;
	wire_versions_encode(kconn_begin_own(kc, WIRE_API_VERSIONS, version), version, SOFTWARE, PACKAGE_VERSION);
	return kconn_put_own(kc);
}

void kconn_up(struct kconn *kc)
{
	kc->phase = KCONN_UP;
	kc->state = KCONN_READY;
}

/* What stands behind that does not matter, and is not of one form with all that pass for brokers. */
static bool is_unsupported(const struct wire_reader *rd)
{
	struct wire_reader first = *rd;

	return wire_get_i16(&first, "error code") == WIRE_UNSUPPORTED_VERSION;
}

static bool on_versions(struct kconn *kc, int16_t version, struct wire_reader *rd)
{
	struct wire_versions *vs = arena_alloc(kc->memory, sizeof(*vs));

	if (version > 0 && is_unsupported(rd))
		return ask_versions(kc, 0);
	if (!wire_versions_decode(rd, version, kc->memory, vs, &kc->err))
		return false;
	if (vs->error != WIRE_NO_ERROR) {
		wire_code_err(vs->error, NULL, &kc->err);
		return err_wrap(&kc->err, "%s", wire_api_get(WIRE_API_VERSIONS)->name);
	}
	kc->versions = vs;
	if (kc->login)
		return kconn_login_begin(kc);
	kconn_up(kc);
	return true;
}

bool kconn_on_own(struct kconn *kc, const struct flight *fl, struct wire_reader *rd)
{
	if (fl->api == WIRE_SASL_HANDSHAKE)
		return kconn_login_on_handshake(kc, fl->version, rd);
	if (fl->api == WIRE_SASL_AUTHENTICATE)
		return kconn_login_on_token(kc, fl->version, rd);
	assert(fl->api == WIRE_API_VERSIONS);
	return on_versions(kc, fl->version, rd);
}

/* ---- turns --------------------------------------------------------------------------------- */

static bool is_due_again(const struct kconn *kc)
{
	return kc->phase == KCONN_UP && kc->again_at.ms && kc->now.ms >= kc->again_at.ms;
}

static bool log_in_again(struct kconn *kc)
{
	kc->until = (mono_ms){ kc->now.ms + kc->ready_timeout_ms };
	return kconn_login_begin(kc);
}

static bool turn(struct kconn *kc)
{
	const struct flight *due;

	if (!net_on_ready(kc->net, kc->now, &kc->err))
		return false;
	if (net_state(kc->net) != NET_OPEN)
		return true;
	if (kc->phase == KCONN_TO_CONNECT && !ask_versions(kc, VERSIONS_FIRST))
		return false;
	if (is_due_again(kc) && !log_in_again(kc))
		return false;
	if (!kconn_login_on_first(kc) || !kconn_write(kc) || !kconn_read(kc) || !kconn_write(kc))
		return false;
	due = kconn_first_due(kc);
	return !due || kc->now.ms < due->until.ms || fail_late(kc, due);
}

bool kconn_on_ready(struct kconn *kc, mono_ms now, struct err *err)
{
	kc->now = now;
	if (kc->state != KCONN_FAILED && !turn(kc))
		failed(kc);
	return kc->state != KCONN_FAILED || err_set(err, kc->err.code, "%s", kc->err.text);
}

size_t kconn_poll(const struct kconn *kc, struct pollfd *fds)
{
	size_t n = kc->net ? net_poll(kc->net, fds) : 0;

	if (n == 1 && net_state(kc->net) == NET_OPEN && kconn_has_to_write(kc))
		fds[0].events |= POLLOUT;
	if (kc->first)
		fds[n++] = (struct pollfd){ .fd = sasl_first_fd(kc->first), .events = POLLIN };
	return n;
}

mono_ms kconn_deadline(const struct kconn *kc)
{
	const struct flight *due = kconn_first_due(kc);
	mono_ms other = kc->first ? kc->until : kc->phase == KCONN_UP ? kc->again_at : (mono_ms){ 0 };

	if (!kc->net)
		return (mono_ms){ 0 };
	if (net_state(kc->net) != NET_OPEN)
		return net_deadline(kc->net);
	if (other.ms && (!due || other.ms < due->until.ms))
		return other;
	return due ? due->until : (mono_ms){ 0 };
}

/* ---- requests --------------------------------------------------------------------------------- */

bool kconn_choose(const struct kconn *kc, enum wire_api api, int16_t *version, struct err *err)
{
	assert(kc->versions != NULL);
	return wire_api_choose(api, kc->versions->v, kc->versions->n, version, err) || err_wrap(err, "%s", kc->name);
}

struct wire_writer *kconn_begin(struct kconn *kc, enum wire_api api, int16_t version)
{
	assert(kc->versions != NULL && (kc->may_write || wire_api_get(api)->effect == WIRE_READS));
	return kconn_begin_own(kc, api, version);
}

bool kconn_send(struct kconn *kc, mono_ms now, dur_ms timeout_ms, kconn_on_answer *answer, void *ctx, struct err *err)
{
	assert(answer != NULL);
	if (kc->state == KCONN_FAILED)
		return err_set(err, kc->err.code, "%s", kc->err.text);
	kc->now = now;
	return kconn_put(kc, timeout_ms, answer, ctx, err) || err_wrap(err, "%s", kc->name);
}

bool kconn_is_hearing(const struct kconn *kc)
{
	return kc->n_in > 0;
}

size_t kconn_waiting(const struct kconn *kc)
{
	return kc->queue.n + kc->flying.n + kc->own.n;
}

enum kconn_state kconn_state(const struct kconn *kc)
{
	return kc->state;
}

const char *kconn_name(const struct kconn *kc)
{
	return kc->name;
}

/* ---- life ---------------------------------------------------------------------------------------- */

static void set_name(struct kconn *kc, int32_t broker)
{
	bool is_whole = broker == BROKER_NONE ? str_copy(kc->name, sizeof(kc->name), "bootstrap server") :
						str_printf(kc->name, sizeof(kc->name), "broker %d", (int)broker);

	assert(is_whole);
}

struct kconn *kconn_new(const struct kconn_where *where, mono_ms now)
{
	struct kconn *kc = mem_zalloc(sizeof(*kc));

	assert(where->frame_max_bytes <= KCONN_FRAME_MAX_BYTES);
	err_init(&kc->err);
	set_name(kc, where->broker);
	kc->client_id = mem_strdup(where->client_id ? where->client_id : SOFTWARE);
	kc->login = where->login;
	kc->host = mem_strdup(where->host);
	kc->has_tls = where->tls != NULL;
	kc->may_write = where->may_write;
	kc->was_answered = where->was_answered;
	kc->frame_max_bytes = where->frame_max_bytes ? where->frame_max_bytes : KCONN_FRAME_MAX_BYTES;
	kc->ready_timeout_ms = where->ready_timeout_ms;
	kc->now = now;
	kc->until = (mono_ms){ now.ms + where->ready_timeout_ms };
	kc->memory = arena_new(0);
	wire_writer_init(&kc->wr, REQUEST_MAX_BYTES);
	flights_init(&kc->own);
	flights_init(&kc->queue);
	flights_init(&kc->flying);
	kc->net = net_new(where->host, where->port, where->tls, where->ready_timeout_ms, now);
	return kc;
}

static void drop(struct flights *fs)
{
	struct flight *fl;

	while ((fl = flights_take(fs)) != NULL)
		flight_free(&fl);
}

void kconn_free(struct kconn **pp)
{
	struct kconn *kc = *pp;

	if (!kc)
		return;
	net_free(&kc->net);
	drop(&kc->own);
	drop(&kc->queue);
	drop(&kc->flying);
	wire_writer_fini(&kc->wr);
	arena_free(&kc->memory);
	sasl_first_end(&kc->first);
	sasl_login_free(&kc->sasl);
	mem_free(&kc->host);
	mem_free(&kc->client_id);
	mem_free(&kc->in);
	mem_free(pp);
}
