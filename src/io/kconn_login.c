/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SaslHandshake v1 names the mechanism, then tokens go to and fro in SaslAuthenticate until we and
 * the broker are content (KIP-43, KIP-152). Again before the session ends: Kafka's clients take 85 to 95 percent
 * of its life (SaslClientAuthenticator.ReauthInfo), we take 85.
 */
#include "io/kconn_parts.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/clock.h"
#include "io/sasl.h"
#include "io/sasl_first.h"
#include "wire/code.h"
#include "wire/sasl.h"
#include "wire/versions.h"

enum { MECHANISM_OFF = 33, ILLEGAL_STATE = 34, AGAIN_PERCENT = 85, SESSION_MAX_MS = 1 << 30 };

static const char *mechanism(const struct kconn *kc)
{
	return client_mechanism_name(kc->login->mechanism);
}

bool kconn_login_begin(struct kconn *kc)
{
	int16_t version;

	kc->phase = KCONN_TO_SHAKE_HANDS;
	if (!wire_api_choose(WIRE_SASL_HANDSHAKE, kc->versions->v, kc->versions->n, &version, &kc->err))
		return false;
	if (version < 1)
		return err_set(&kc->err, ERR_UNSUPPORTED, "SaslHandshake: the broker is older than Kafka 1.0, whose way to log in is not spoken here");
	wire_sasl_encode_handshake(kconn_begin_own(kc, WIRE_SASL_HANDSHAKE, version), version, mechanism(kc));
	return kconn_put_own(kc);
}

/* ---- tokens ------------------------------------------------------------------------------ */

static bool send_token(struct kconn *kc, const struct secret *token)
{
	int16_t version;

	if (!wire_api_choose(WIRE_SASL_AUTHENTICATE, kc->versions->v, kc->versions->n, &version, &kc->err))
		return false;
	wire_sasl_encode_token(kconn_begin_own(kc, WIRE_SASL_AUTHENTICATE, version), version, secret_reveal(token), token->n);
	return kconn_put_own(kc);
}

static void logged_in(struct kconn *kc, int64_t lifetime_ms)
{
	sasl_login_free(&kc->sasl);
	if (lifetime_ms > SESSION_MAX_MS)
		lifetime_ms = SESSION_MAX_MS;
	kc->again_at = (mono_ms){ lifetime_ms > 0 ? kc->now.ms + lifetime_ms * AGAIN_PERCENT / 100 : 0 };
	kconn_up(kc);
}

static bool step(struct kconn *kc, const struct wire_span *said, int64_t lifetime_ms)
{
	struct secret token;
	bool is_ok;

	secret_init(&token);
	is_ok = sasl_login_step(kc->sasl, said->s, said->n, &token, &kc->is_login_done, &kc->err);
	if (is_ok && kc->is_login_done && token.n == 0)
		logged_in(kc, lifetime_ms);
	else if (is_ok)
		is_ok = send_token(kc, &token);
	secret_fini(&token);
	return is_ok;
}

static bool refuse_login(struct kconn *kc, const struct wire_authenticate *au)
{
	const char *user = kc->login->username;

	wire_code_err(au->error, au->message, &kc->err);
	kc->err.code = ERR_REFUSED;
	return err_wrap(&kc->err, "the login by %s%s%.64s (sasl.jaas.config) is refused", mechanism(kc), user ? " as " : "", user ? user : "");
}

bool kconn_login_on_token(struct kconn *kc, int16_t version, struct wire_reader *rd)
{
	struct arena *memory = arena_new(0);
	struct wire_authenticate au;
	bool is_ok = wire_sasl_decode_token(rd, version, memory, &au, &kc->err);

	if (is_ok && au.error != WIRE_NO_ERROR) {
		is_ok = refuse_login(kc, &au);
	} else if (is_ok && kc->is_login_done) {
		logged_in(kc, au.lifetime_ms);
	} else if (is_ok) {
		is_ok = step(kc, &au.token, au.lifetime_ms);
	}
	arena_free(&memory);
	return is_ok;
}

/* ---- the handshake ----------------------------------------------------------------------------- */

static bool refuse_mechanism(struct kconn *kc, const struct wire_handshake *hs)
{
	struct strbuf others;

	strbuf_init(&others);
	for (uint32_t i = 0; i < hs->n_mechanisms; i++)
		strbuf_printf(&others, "%s%s", i > 0 ? ", " : "", hs->mechanisms[i]);
	err_set(&kc->err, ERR_REFUSED, "%s is not switched on at this port, which has %s (sasl.mechanism)", mechanism(kc),
		hs->n_mechanisms > 0 ? others.s : "none");
	strbuf_fini(&others);
	return false;
}

static bool refuse_handshake(struct kconn *kc, const struct wire_handshake *hs)
{
	if (hs->error == MECHANISM_OFF)
		return refuse_mechanism(kc, hs);
	if (hs->error == ILLEGAL_STATE)
		return err_set(&kc->err, ERR_REFUSED, "this port wants no login: security.protocol should be %s",
			       kc->has_tls ? "SSL" : "PLAINTEXT");
	wire_code_err(hs->error, NULL, &kc->err);
	return err_wrap(&kc->err, "SaslHandshake");
}

bool kconn_login_on_handshake(struct kconn *kc, int16_t version, struct wire_reader *rd)
{
	struct arena *memory = arena_new(0);
	struct wire_handshake hs;
	bool is_ok = wire_sasl_decode_handshake(rd, version, memory, &hs, &kc->err);

	if (is_ok && hs.error != WIRE_NO_ERROR)
		is_ok = refuse_handshake(kc, &hs);
	arena_free(&memory);
	if (!is_ok)
		return false;
	kc->phase = KCONN_TO_LOG_IN;
	kc->is_login_done = false;
	sasl_login_free(&kc->sasl);
	kc->first = sasl_first_begin(kc->login, kc->host, clock_wall(), &kc->err);
	return kc->first && kconn_login_on_first(kc);
}

/* ---- the first token ---------------------------------------------------------------------------- */

bool kconn_login_on_first(struct kconn *kc)
{
	struct secret token;
	bool is_ok;

	if (!kc->first)
		return true;
	if (!sasl_first_is_done(kc->first))
		return kc->now.ms < kc->until.ms || sasl_first_fails_late(kc->first, kc->ready_timeout_ms, &kc->err);
	secret_init(&token);
	is_ok = sasl_first_take(kc->first, &kc->sasl, &token, &kc->is_login_done, &kc->err) && send_token(kc, &token);
	secret_fini(&token);
	sasl_first_end(&kc->first);
	return is_ok;
}
