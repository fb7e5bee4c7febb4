/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings for librdkafka from those of core/client_config: certificates and keys as PEM in memory (io/stores), never a file of its own.
 * Its names: librdkafka's CONFIGURATION.md, 2.0.2.
 */
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "io/clock.h"
#include "io/rdk_parts.h"
#include "io/stores.h"

/* ---- copies ---------------------------------------------------------------------------- */

static char *copy_text(const char *s)
{
	return s != NULL ? mem_strdup(s) : NULL;
}

static void copy_secret(const struct secret *from, struct secret *to)
{
	secret_init(to);
	if (secret_is_set(from))
		secret_setn(to, secret_reveal(from), from->n);
}

static void copy_material(const struct client_material *from, struct client_material *to)
{
	to->location = copy_text(from->location);
	copy_secret(&from->pem, &to->pem);
	copy_secret(&from->password, &to->password);
}

static void free_material(struct client_material *cm)
{
	mem_free(&cm->location);
	secret_fini(&cm->pem);
	secret_fini(&cm->password);
}

void rdk_settings_copy(struct rdk *rd, const struct client_config *cc)
{
	rd->protocol = cc->protocol;
	client_login_copy(&cc->login, &rd->login);
	rd->tls = cc->tls;
	copy_material(&cc->tls.trust, &rd->tls.trust);
	copy_material(&cc->tls.keystore, &rd->tls.keystore);
	copy_material(&cc->tls.key, &rd->tls.key);
	copy_material(&cc->tls.chain, &rd->tls.chain);
	copy_secret(&cc->tls.key_password, &rd->tls.key_password);
	rd->tls.ciphers = copy_text(cc->tls.ciphers);
}

void rdk_settings_fini(struct rdk *rd)
{
	client_login_fini(&rd->login);
	free_material(&rd->tls.trust);
	free_material(&rd->tls.keystore);
	free_material(&rd->tls.key);
	free_material(&rd->tls.chain);
	secret_fini(&rd->tls.key_password);
	mem_free(&rd->tls.ciphers);
}

/* ---- one by one --------------------------------------------------------------------------- */

/* The value may be a secret: librdkafka's words on a bad one, which quote it, are not passed on. */
static bool set_secret(rd_kafka_conf_t *conf, const char *name, const char *value, struct err *err)
{
	char text[RDK_TEXT_MAX];

	return rd_kafka_conf_set(conf, name, value, text, sizeof(text)) == RD_KAFKA_CONF_OK ||
	       err_set(err, ERR_UNSUPPORTED, "librdkafka does not take %s as it is", name);
}

static bool set(rd_kafka_conf_t *conf, const char *name, const char *value, struct err *err)
{
	char text[RDK_TEXT_MAX];

	return rd_kafka_conf_set(conf, name, value, text, sizeof(text)) == RD_KAFKA_CONF_OK ||
	       err_set(err, ERR_UNSUPPORTED, "librdkafka does not take %s: %s", name, text);
}

struct pair { const char *name, *value; };

static bool set_all(rd_kafka_conf_t *conf, const struct pair *v, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (!set(conf, v[i].name, v[i].value, err))
			return false;
	return true;
}

static bool set_plain(const struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	const struct pair v[] = {
		{ "bootstrap.servers", rd->servers },
		{ "client.id", rd->client_id },
		{ "security.protocol", client_protocol_name(rd->protocol) },
		{ "allow.auto.create.topics", "false" },
		{ "enable.auto.commit", "false" },
		/* The high watermark: with the other one what an open transaction writes would look like no write. */
		{ "isolation.level", "read_uncommitted" },
		{ "log.connection.close", "false" },
		{ "socket.connection.setup.timeout.ms", "5000" },
		{ "socket.timeout.ms", "5000" },
		/* Longer than a step: a login that is refused is given up before it is tried again, for accounts are locked. */
		{ "reconnect.backoff.ms", "1000" },
		{ "reconnect.backoff.max.ms", "2000" },
		{ "topic.metadata.refresh.interval.ms", "-1" },
	};

	return set_all(conf, v, sizeof(v) / sizeof(v[0]), err);
}

/* ---- TLS ------------------------------------------------------------------------------------- */

static bool set_trust(struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	struct store_trust tr;
	bool is_ok;

	if (!stores_has_trust(&rd->tls))
		return true;
	if (!stores_open_trust(&rd->tls.trust, clock_wall(), &tr, err))
		return false;
	is_ok = set(conf, "ssl.ca.pem", tr.pem, err);
	store_trust_fini(&tr);
	return is_ok;
}

static bool set_identity(struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	struct store_identity si;
	bool is_ok;

	if (!stores_has_identity(&rd->tls))
		return true;
	if (!stores_open_identity(&rd->tls, clock_wall(), &si, err))
		return false;
	is_ok = set(conf, "ssl.certificate.pem", si.chain_pem, err) && set_secret(conf, "ssl.key.pem", secret_reveal(&si.key_pem), err);
	store_identity_fini(&si);
	return is_ok;
}

static bool set_ciphers(const struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	char *list;
	bool is_ok;

	if (rd->tls.ciphers == NULL)
		return true;
	list = mem_strdup(rd->tls.ciphers);
	for (char *s = list; *s != '\0'; s++)
		if (*s == ',')
			*s = ':';
	is_ok = set(conf, "ssl.cipher.suites", list, err);
	mem_free(&list);
	return is_ok;
}

static bool set_tls(struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	if (!client_protocol_has_tls(rd->protocol))
		return true;
	/* A version more than the settings name, on top, does no harm; one below them would. */
	if (!(rd->tls.versions & CLIENT_TLS_1_2))
		return err_set(err, ERR_UNSUPPORTED, "librdkafka can't be kept from TLS 1.2, which ssl.enabled.protocols leaves out");
	return set(conf, "enable.ssl.certificate.verification", rd->tls.must_verify ? "true" : "false", err) &&
	       set(conf, "ssl.endpoint.identification.algorithm", rd->tls.must_check_host ? "https" : "none", err) && set_trust(rd, conf, err) &&
	       set_identity(rd, conf, err) && set_ciphers(rd, conf, err);
}

/* ---- logging in ---------------------------------------------------------------------------------- */

static bool set_kerberos(const struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	if (rd->login.use_keytab || rd->login.ticket_cache != NULL)
		return err_set(err, ERR_UNSUPPORTED, "librdkafka logs in by Kerberos with the default ticket cache alone, and the settings name a %s",
			       rd->login.use_keytab ? "keytab" : "ticket cache");
	/* No kinit of its own: it would change the user's tickets. */
	return set(conf, "sasl.kerberos.service.name", rd->login.service, err) && set(conf, "sasl.kerberos.kinit.cmd", "", err) &&
	       set(conf, "sasl.kerberos.min.time.before.relogin", "0", err);
}

static bool set_login(struct rdk *rd, rd_kafka_conf_t *conf, struct err *err)
{
	if (!client_protocol_has_sasl(rd->protocol))
		return true;
	if (rd->login.is_token)
		return err_set(err, ERR_UNSUPPORTED, "librdkafka can't log in with a delegation token");
	if (!set(conf, "sasl.mechanisms", client_mechanism_name(rd->login.mechanism), err))
		return false;
	switch (rd->login.mechanism) {
	case CLIENT_PLAIN:
	case CLIENT_SCRAM_SHA_256:
	case CLIENT_SCRAM_SHA_512:
		return set_secret(conf, "sasl.username", rd->login.username, err) && set_secret(conf, "sasl.password", secret_reveal(&rd->login.password), err);
	case CLIENT_GSSAPI:
		return set_kerberos(rd, conf, err);
	case CLIENT_OAUTHBEARER:
		break; /* its token comes when librdkafka asks for it */
	}
	return true;
}

rd_kafka_conf_t *rdk_settings_make(struct rdk *rd, struct err *err)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();

	if (set_plain(rd, conf, err) && set_tls(rd, conf, err) && set_login(rd, conf, err))
		return conf;
	rd_kafka_conf_destroy(conf);
	return NULL;
}
