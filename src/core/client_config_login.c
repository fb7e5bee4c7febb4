/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who we are to the brokers. Kafka takes it from the options of the login
 * module in sasl.jaas.config, librdkafka from settings of their own; where both
 * are given, Kafka's counts. Java: PlainLoginModule, ScramLoginModule,
 * OAuthBearerUnsecuredLoginCallbackHandler, KerberosLogin.getServiceName of
 * kafka-clients 3.9.1; Krb5LoginModule of JDK 17.
 */
#include "core/client_config_parts.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/jaas.h"

static const char *const mechanism_names[] = {
	[CLIENT_PLAIN] = "PLAIN",
	[CLIENT_SCRAM_SHA_256] = "SCRAM-SHA-256",
	[CLIENT_SCRAM_SHA_512] = "SCRAM-SHA-512",
	[CLIENT_GSSAPI] = "GSSAPI",
	[CLIENT_OAUTHBEARER] = "OAUTHBEARER",
};

#define N_MECHANISMS (sizeof(mechanism_names) / sizeof(mechanism_names[0]))

const char *client_mechanism_name(enum client_mechanism mechanism)
{
	return (size_t)mechanism < N_MECHANISMS ? mechanism_names[mechanism] : "?";
}

/* Kafka's default is GSSAPI (SaslConfigs.DEFAULT_SASL_MECHANISM). */
static bool read_mechanism(struct config_build *cb, struct err *err)
{
	const char *text = config_text(cb, SETTING_MECHANISM);

	cb->cc->login.mechanism = CLIENT_GSSAPI;
	for (size_t i = 0; text && i < N_MECHANISMS; i++)
		if (strcasecmp(text, mechanism_names[i]) == 0) {
			cb->cc->login.mechanism = (enum client_mechanism)i;
			return true;
		}
	return !text || config_fail(cb, SETTING_MECHANISM, ERR_USAGE, err, "\"%.64s\" is none of PLAIN, SCRAM-SHA-256, "
				    "SCRAM-SHA-512, GSSAPI, OAUTHBEARER", text);
}

/* The options that count, and that the module is one that can do the mechanism. */
static bool read_jaas(struct config_build *cb, struct jaas *ja, struct err *err)
{
	const struct config_value *cv = config_value(cb, SETTING_JAAS);

	if (jaas_read(secret_reveal(&cv->v), ja, err))
		return true;
	return err_wrap(err, "line %u, column %u: %s", cv->value_at.line, cv->value_at.column, cv->key);
}

static bool check_module(const struct config_build *cb, const struct jaas *ja, const char *module, const char *other, struct err *err)
{
	if (jaas_module_is(ja, module) || (other && jaas_module_is(ja, other)))
		return true;
	return config_fail(cb, SETTING_JAAS, ERR_USAGE, err, "sasl.mechanism %s needs the login module %s, not %.80s",
			   client_mechanism_name(cb->cc->login.mechanism), module, ja->module);
}

static char *option(const struct jaas *ja, const char *name)
{
	const struct secret *found = jaas_find(ja, name);

	return found && found->n > 0 ? mem_strdup(secret_reveal(found)) : NULL;
}

/* As Boolean.parseBoolean, which Krb5LoginModule and ScramLoginModule use. */
static bool option_is_true(const struct jaas *ja, const char *name)
{
	const struct secret *found = jaas_find(ja, name);

	return found && strcasecmp(secret_reveal(found), "true") == 0;
}

/* ---- PLAIN, SCRAM ----------------------------------------------------------- */

/* PlainLoginModule doesn't bring Kafka's SCRAM client with it; ScramLoginModule's name and password serve PLAIN, too. */
static bool password_from_jaas(struct config_build *cb, const struct jaas *ja, struct err *err)
{
	struct client_login *lg = &cb->cc->login;
	const struct secret *password = jaas_find(ja, "password");
	bool is_plain = lg->mechanism == CLIENT_PLAIN;

	if (!check_module(cb, ja, is_plain ? "PlainLoginModule" : "ScramLoginModule",
			  is_plain ? "ScramLoginModule" : NULL, err))
		return false;
	lg->username = option(ja, "username");
	if (!lg->username || !password)
		return config_fail(cb, SETTING_JAAS, ERR_USAGE, err, "the login module needs the option %s",
				   lg->username ? "password" : "username");
	secret_setn(&lg->password, secret_reveal(password), password->n);
	lg->is_token = !is_plain && option_is_true(ja, "tokenauth");
	return true;
}

static bool password_from_settings(struct config_build *cb, struct err *err)
{
	struct client_login *lg = &cb->cc->login;
	const struct secret *password = &config_value(cb, SETTING_PASSWORD)->v;

	if (!config_has(cb, SETTING_USERNAME) && !config_has(cb, SETTING_PASSWORD))
		return config_fail(cb, SETTING_JAAS, ERR_USAGE, err, "it is missing; %s needs %sLoginModule required "
				   "username=\"NAME\" password=\"PASSWORD\";", client_mechanism_name(lg->mechanism),
				   lg->mechanism == CLIENT_PLAIN ? "org.apache.kafka.common.security.plain.Plain" :
				   "org.apache.kafka.common.security.scram.Scram");
	lg->username = config_take(cb, SETTING_USERNAME);
	if (!lg->username)
		return config_fail(cb, SETTING_USERNAME, ERR_USAGE, err, "the name to log in with is needed");
	if (!config_has(cb, SETTING_PASSWORD))
		return config_fail(cb, SETTING_PASSWORD, ERR_USAGE, err, "the password to log in with is needed");
	secret_setn(&lg->password, secret_reveal(password), password->n);
	return true;
}

/* ---- GSSAPI ------------------------------------------------------------------ */

/* Kafka has the service's name from the option or from the setting, and wants them alike. */
static bool read_service(struct config_build *cb, const struct jaas *ja, struct err *err)
{
	struct client_login *lg = &cb->cc->login;
	char *other = option(ja, "serviceName");

	lg->service = config_take(cb, SETTING_KRB_SERVICE);
	if (lg->service && other && strcmp(lg->service, other) != 0) {
		mem_free(&other);
		return config_fail(cb, SETTING_KRB_SERVICE, ERR_USAGE, err,
				   "the option serviceName of sasl.jaas.config says otherwise; leave one of them out");
	}
	if (lg->service)
		mem_free(&other);
	else
		lg->service = other;
	if (!lg->service && ja->module)
		return config_fail(cb, SETTING_KRB_SERVICE, ERR_USAGE, err, "it is missing: the name that the brokers have "
				   "in Kerberos, most often kafka");
	if (!lg->service)
		lg->service = mem_strdup("kafka"); /* librdkafka's default */
	return true;
}

static bool read_kerberos(struct config_build *cb, const struct jaas *ja, struct err *err)
{
	struct client_login *lg = &cb->cc->login;

	if (ja->module && !check_module(cb, ja, "Krb5LoginModule", NULL, err))
		return false;
	if (!read_service(cb, ja, err))
		return false;
	lg->principal = ja->module ? option(ja, "principal") : config_take(cb, SETTING_KRB_PRINCIPAL);
	lg->keytab = ja->module ? option(ja, "keyTab") : config_take(cb, SETTING_KRB_KEYTAB);
	lg->use_keytab = ja->module ? option_is_true(ja, "useKeyTab") : lg->keytab != NULL;
	if (option_is_true(ja, "useTicketCache"))
		lg->ticket_cache = option(ja, "ticketCache");
	if (lg->use_keytab && !lg->principal)
		return config_fail(cb, ja->module ? SETTING_JAAS : SETTING_KRB_PRINCIPAL, ERR_USAGE, err,
				   "with a keytab the principal must be named, too");
	return true;
}

/* ---- OAUTHBEARER --------------------------------------------------------------- */

/* KIP-768: a token endpoint that is a file: URL is a file with the token. */
static bool read_token_url(struct config_build *cb, struct err *err)
{
	const char *url = config_text(cb, SETTING_TOKEN_URL), *path = url + strlen("file:");

	if (strncasecmp(url, "file:", 5) != 0)
		return config_fail(cb, SETTING_TOKEN_URL, ERR_UNSUPPORTED, err, "no token is fetched from a server here; name "
				   "a file (file:///PATH) or a command (sasl.oauthbearer.token.command)");
	if (str_starts(path, "//")) /* then a host, which is empty or this machine */
		path = strchr(path + 2, '/');
	if (!path || *path != '/')
		return config_fail(cb, SETTING_TOKEN_URL, ERR_USAGE, err, "a file is named as file:///PATH");
	cb->cc->login.token_file = mem_strdup(path);
	return true;
}

static bool read_token(struct config_build *cb, const struct jaas *ja, struct err *err)
{
	struct client_login *lg = &cb->cc->login;
	const struct secret *command = &config_value(cb, SETTING_TOKEN_COMMAND)->v;

	if (ja->module && !check_module(cb, ja, "OAuthBearerLoginModule", NULL, err))
		return false;
	if (config_has(cb, SETTING_TOKEN_COMMAND) && command->n > 0) {
		secret_setn(&lg->token_command, secret_reveal(command), command->n);
		return true;
	}
	if (config_has(cb, SETTING_TOKEN_URL))
		return read_token_url(cb, err);
	lg->unsecured_subject = option(ja, "unsecuredLoginStringClaim_sub");
	return lg->unsecured_subject ||
	       config_fail(cb, SETTING_TOKEN_URL, ERR_USAGE, err, "it is missing: name the file with the token "
			   "(file:///PATH), or a command that prints it as sasl.oauthbearer.token.command");
}

/* ---- the whole -------------------------------------------------------------------- */

static void note_both(struct config_build *cb, enum setting setting)
{
	if (config_has(cb, SETTING_JAAS) && config_has(cb, setting))
		config_note(cb->cc, config_value(cb, setting)->at, "%s is not looked at, for sasl.jaas.config is there, too",
			    config_value(cb, setting)->key);
}

bool config_read_login(struct config_build *cb, struct err *err)
{
	struct jaas ja = { .module = NULL };
	bool is_ok = read_mechanism(cb, err) && (!config_has(cb, SETTING_JAAS) || read_jaas(cb, &ja, err));

	if (!is_ok)
		return false;
	note_both(cb, SETTING_USERNAME);
	note_both(cb, SETTING_PASSWORD);
	note_both(cb, SETTING_KRB_PRINCIPAL);
	note_both(cb, SETTING_KRB_KEYTAB);
	switch (cb->cc->login.mechanism) {
	case CLIENT_GSSAPI:
		is_ok = read_kerberos(cb, &ja, err);
		break;
	case CLIENT_OAUTHBEARER:
		is_ok = read_token(cb, &ja, err);
		break;
	default:
		is_ok = ja.module ? password_from_jaas(cb, &ja, err) : password_from_settings(cb, err);
	}
	jaas_fini(&ja);
	return is_ok;
}
