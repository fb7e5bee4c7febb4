/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificates and the rules of the connection. Java: DefaultSslEngineFactory
 * and SslConfigs of kafka-clients 3.9.1, whose refusals are kept where two
 * settings contradict each other; KIP-651 for PEM.
 */
#include "core/client_config_parts.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

static void take_secret(const struct config_build *cb, enum setting setting, struct secret *out)
{
	const struct config_value *cv = config_value(cb, setting);

	if (cv->key)
		secret_setn(out, secret_reveal(&cv->v), cv->v.n);
}

static bool is_given(const struct config_build *cb, enum setting setting)
{
	return config_has(cb, setting) && config_value(cb, setting)->v.n > 0;
}

/* At most one of the two. */
static bool check_apart(const struct config_build *cb, enum setting a, enum setting b, struct err *err)
{
	if (!is_given(cb, a) || !is_given(cb, b))
		return true;
	return config_fail(cb, b, ERR_USAGE, err, "%s is set, too; leave one of them out", config_value(cb, a)->key);
}

/* Both or none. */
static bool check_together(const struct config_build *cb, enum setting a, enum setting b, struct err *err)
{
	if (is_given(cb, a) == is_given(cb, b))
		return true;
	return config_fail(cb, is_given(cb, a) ? a : b, ERR_USAGE, err, "%s is needed with it",
			   config_setting_name(is_given(cb, a) ? b : a));
}

static bool check_stores(const struct config_build *cb, struct err *err)
{
	return check_apart(cb, SETTING_TRUST_LOCATION, SETTING_TRUST_PEM, err) &&
	       check_apart(cb, SETTING_KEYSTORE_LOCATION, SETTING_KEY_PEM, err) &&
	       check_apart(cb, SETTING_KEYSTORE_LOCATION, SETTING_CHAIN_PEM, err) &&
	       check_apart(cb, SETTING_KEYSTORE_LOCATION, SETTING_KEY_LOCATION, err) &&
	       check_apart(cb, SETTING_KEYSTORE_LOCATION, SETTING_CHAIN_LOCATION, err) &&
	       check_apart(cb, SETTING_KEY_PEM, SETTING_KEY_LOCATION, err) &&
	       check_apart(cb, SETTING_CHAIN_PEM, SETTING_CHAIN_LOCATION, err);
}

/* A key and its chain, each as PEM or as a file. */
static bool check_pair(const struct config_build *cb, struct err *err)
{
	bool has_key = is_given(cb, SETTING_KEY_PEM) || is_given(cb, SETTING_KEY_LOCATION);
	bool has_chain = is_given(cb, SETTING_CHAIN_PEM) || is_given(cb, SETTING_CHAIN_LOCATION);

	if (has_key == has_chain)
		return true;
	return is_given(cb, SETTING_KEY_PEM) || is_given(cb, SETTING_CHAIN_PEM) ?
	       check_together(cb, SETTING_KEY_PEM, SETTING_CHAIN_PEM, err) :
	       check_together(cb, SETTING_KEY_LOCATION, SETTING_CHAIN_LOCATION, err);
}

static void take_stores(struct config_build *cb)
{
	struct client_tls *tls = &cb->cc->tls;

	tls->trust.location = config_take(cb, SETTING_TRUST_LOCATION);
	tls->keystore.location = config_take(cb, SETTING_KEYSTORE_LOCATION);
	tls->key.location = config_take(cb, SETTING_KEY_LOCATION);
	tls->chain.location = config_take(cb, SETTING_CHAIN_LOCATION);
	take_secret(cb, SETTING_TRUST_PASSWORD, &tls->trust.password);
	take_secret(cb, SETTING_KEYSTORE_PASSWORD, &tls->keystore.password);
	take_secret(cb, SETTING_KEY_PASSWORD, &tls->key_password);
	if (is_given(cb, SETTING_TRUST_PEM))
		take_secret(cb, SETTING_TRUST_PEM, &tls->trust.pem);
	if (is_given(cb, SETTING_KEY_PEM))
		take_secret(cb, SETTING_KEY_PEM, &tls->key.pem);
	if (is_given(cb, SETTING_CHAIN_PEM))
		take_secret(cb, SETTING_CHAIN_PEM, &tls->chain.pem);
}

/* ---- the rules of the connection ------------------------------------------------ */

/* Java's only names are HTTPS and LDAPS; nothing means no check; librdkafka says "none". */
static bool read_check_host(struct config_build *cb, struct err *err)
{
	const char *text = config_text(cb, SETTING_CHECK_HOST);

	cb->cc->tls.must_check_host = !text || strcasecmp(text, "https") == 0;
	if (cb->cc->tls.must_check_host)
		return true;
	if (*text != '\0' && strcasecmp(text, "none") != 0)
		return config_fail(cb, SETTING_CHECK_HOST, ERR_USAGE, err, "\"%.32s\" is not known; https checks the broker's "
				   "name against its certificate, an empty value does not", text);
	config_note(cb->cc, config_value(cb, SETTING_CHECK_HOST)->at, "a broker's name is not checked against its certificate");
	return true;
}

static bool read_verify(struct config_build *cb, struct err *err)
{
	if (!config_bool(cb, SETTING_VERIFY, true, &cb->cc->tls.must_verify, err))
		return false;
	if (!cb->cc->tls.must_verify)
		config_note(cb->cc, config_value(cb, SETTING_VERIFY)->at, "brokers' certificates are not checked: whoever "
			    "answers is taken for the broker, and gets the password");
	return true;
}

static unsigned version_bit(const char *name, size_t n)
{
	static const struct { const char *name; unsigned bit; } versions[] = {
		{ "TLSv1", CLIENT_TLS_1_0 }, { "TLSv1.0", CLIENT_TLS_1_0 }, { "TLSv1.1", CLIENT_TLS_1_1 },
		{ "TLSv1.2", CLIENT_TLS_1_2 }, { "TLSv1.3", CLIENT_TLS_1_3 },
	};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (strlen(versions[i].name) == n && strncasecmp(versions[i].name, name, n) == 0)
			return versions[i].bit;
	return 0;
}

/* Names that Java knows and nobody shall use. */
static bool is_old_version(const char *name, size_t n)
{
	return n >= 3 && strncasecmp(name, "SSL", 3) == 0;
}

static bool read_versions(struct config_build *cb, struct err *err)
{
	const char *s = config_text(cb, SETTING_TLS_VERSIONS);
	unsigned bits = 0;

	for (size_t n; s && *s; s += n) {
		s += strspn(s, ", \t\r\n");
		n = strcspn(s, ", \t\r\n");
		if (n > 0 && version_bit(s, n) == 0 && !is_old_version(s, n))
			return config_fail(cb, SETTING_TLS_VERSIONS, ERR_USAGE, err, "\"%.*s\" is none of TLSv1.3, TLSv1.2, "
					   "TLSv1.1, TLSv1", (int)(n < 32 ? n : 32), s);
		bits |= n > 0 ? version_bit(s, n) : 0;
	}
	if (s && bits == 0)
		return config_fail(cb, SETTING_TLS_VERSIONS, ERR_USAGE, err, "no version is left; TLSv1.2,TLSv1.3 is the usual");
	if (s)
		cb->cc->tls.versions = bits;
	return true;
}

bool config_read_tls(struct config_build *cb, struct err *err)
{
	if (!check_stores(cb, err) || !check_pair(cb, err))
		return false;
	take_stores(cb);
	cb->cc->tls.ciphers = config_take(cb, SETTING_CIPHERS);
	return read_check_host(cb, err) && read_verify(cb, err) && read_versions(cb, err);
}
