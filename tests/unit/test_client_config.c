/* SPDX-License-Identifier: Apache-2.0 */
#include "core/client_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "casefile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PLAIN "org.apache.kafka.common.security.plain.PlainLoginModule"
#define SCRAM "org.apache.kafka.common.security.scram.ScramLoginModule"
#define KRB "com.sun.security.auth.module.Krb5LoginModule"
#define OAUTH "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"

/* An environment of one variable and a disk of three files. */
static bool fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err)
{
	if (kind == CLIENT_VALUE_ENV && strcmp(name, "PW") == 0)
		secret_set(out, "from env");
	else if (kind == CLIENT_VALUE_FILE && strcmp(name, "/pw") == 0)
		secret_set(out, "from file\r\n");
	else if (kind == CLIENT_VALUE_FILE && strcmp(name, "/two") == 0)
		secret_set(out, "\nx\n\n");
	else if (kind == CLIENT_VALUE_FILE && strcmp(name, "/nul") == 0)
		secret_setn(out, "a\0b", 3);
	else
		return err_set(err, ERR_NOT_FOUND, "there is no %s", name);
	return true;
}

static bool read_bytes(const char *data, size_t n, struct client_config *cc, struct err *err)
{
	struct properties pp;
	bool is_ok;

	err_init(err);
	if (!properties_read(data, n, &pp, err))
		return false;
	is_ok = client_config_read(&pp, fetch, NULL, cc, err);
	properties_fini(&pp);
	return is_ok;
}

static void read_text(const char *text, struct client_config *cc)
{
	struct err err;

	if (!read_bytes(text, strlen(text), cc, &err))
		fail_msg("%s: %s", text, err.text);
}

static void assert_refused(const char *text, const char *sentence)
{
	struct client_config cc;
	struct err err;

	if (read_bytes(text, strlen(text), &cc, &err))
		fail_msg("%s was read", text);
	assert_string_equal(err.text, sentence);
	assert_null(strstr(err.text, "pa55"));
	assert_null(cc.settings);
}

static void assert_note(const struct client_config *cc, unsigned line, const char *text)
{
	for (size_t i = 0; i < cc->n_notes; i++)
		if (cc->notes[i].at.line == line && strcmp(cc->notes[i].text, text) == 0)
			return;
	for (size_t i = 0; i < cc->n_notes; i++)
		print_message("# line %u: %s\n", cc->notes[i].at.line, cc->notes[i].text);
	fail_msg("no note: %s", text);
}

static const struct client_setting *setting(const struct client_config *cc, const char *key)
{
	const struct client_setting *found = NULL;

	for (size_t i = 0; i < cc->n_settings; i++)
		if (strcmp(cc->settings[i].key, key) == 0)
			found = &cc->settings[i];
	if (!found)
		fail_msg("no %s", key);
	return found;
}

static void assert_shown(const struct client_config *cc, const char *key, const char *shown)
{
	assert_string_equal(setting(cc, key)->shown, shown);
}

/* Nothing that may be shown holds the text. */
static void assert_hidden(const struct client_config *cc, const char *text)
{
	for (size_t i = 0; i < cc->n_settings; i++)
		if (strstr(cc->settings[i].shown, text))
			fail_msg("%s: %s", cc->settings[i].key, cc->settings[i].shown);
	for (size_t i = 0; i < cc->n_notes; i++)
		assert_null(strstr(cc->notes[i].text, text));
}

/* ---- cases ------------------------------------------------------------------- */

static void the_case_of_white_space_keeps_the_blank_and_warns(void **state)
{
	struct client_config cc;
	size_t n;
	char *data = case_read("SC-01-client.properties", &n);

	read_text(data, &cc);
	assert_string_equal(cc.bootstrap, "b1.example:9092,b2.example:9092");
	assert_int_equal(cc.protocol, CLIENT_SASL_SSL);
	assert_string_equal(secret_reveal(&cc.tls.trust.password), "s3cret ");
	assert_string_equal(cc.tls.trust.location, "C:\\certs\\trust.jks");
	assert_note(&cc, 6, "ssl.truststore.password begins or ends with a blank, which is taken as part of it; Kafka's "
		    "own tools cut it off");
	assert_hidden(&cc, "s3cret");
	assert_int_equal(cc.login.mechanism, CLIENT_GSSAPI); /* Kafka's default */
	client_config_fini(&cc);
	mem_free(&data);
}

static void the_case_of_a_login_without_semicolon_is_refused(void **state)
{
	struct client_config cc;
	struct err err;
	size_t n;
	char *data = case_read("SC-03-jaas.properties", &n);

	assert_false(read_bytes(data, n, &cc, &err));
	assert_string_equal(err.text, "line 3, column 18: sasl.jaas.config: character 96: it must end with ;");
	mem_free(&data);
}

/* ---- what it reads ------------------------------------------------------------ */

static void no_settings_are_plaintext_and_careful(void **state)
{
	struct client_config cc;

	read_text("", &cc);
	assert_int_equal(cc.protocol, CLIENT_PLAINTEXT);
	assert_null(cc.bootstrap);
	assert_int_equal(cc.request_timeout_ms, 30000);
	assert_true(cc.tls.must_verify && cc.tls.must_check_host);
	assert_int_equal(cc.tls.versions, CLIENT_TLS_1_2 | CLIENT_TLS_1_3);
	assert_int_equal(cc.n_settings + cc.n_notes, 0);
	client_config_fini(&cc);
}

static void blanks_round_values_are_dropped_as_kafka_does(void **state)
{
	struct client_config cc;

	read_text("security.protocol = ssl \t\nclient.id= me \nssl.truststore.location=/t \nrequest.timeout.ms=5 \n", &cc);
	assert_int_equal(cc.protocol, CLIENT_SSL);
	assert_string_equal(cc.client_id, "me");
	assert_string_equal(cc.tls.trust.location, "/t");
	assert_int_equal(cc.request_timeout_ms, 5);
	client_config_fini(&cc);
}

static void a_scram_login_comes_from_the_login_module(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config=" SCRAM " required \\\n"
		  "  username=\"ops\" \\\n  password=\"pa55\\\\\"1\" tokenauth=true;\n", &cc);
	assert_int_equal(cc.login.mechanism, CLIENT_SCRAM_SHA_512);
	assert_string_equal(cc.login.username, "ops");
	assert_string_equal(secret_reveal(&cc.login.password), "pa55\"1");
	assert_true(cc.login.is_token);
	assert_shown(&cc, "sasl.jaas.config", SCRAM " required username=\"ops\" password=*** tokenauth=\"true\";");
	assert_hidden(&cc, "pa55");
	client_config_fini(&cc);
}

static void librdkafkas_names_mean_the_same(void **state)
{
	struct client_config cc;

	read_text("metadata.broker.list=b:1\nsecurity.protocol=sasl_ssl\nsasl.mechanisms=PLAIN\nsasl.username=ops\nsasl.password=pa55\n"
		  "ssl.ca.location=/ca.pem\nssl.certificate.location=/c.pem\nssl.key.location=/k.pem\nssl.key.password=pa55k\n"
		  "enable.ssl.certificate.verification=false\nssl.endpoint.identification.algorithm=none\n", &cc);
	assert_string_equal(cc.bootstrap, "b:1");
	assert_int_equal(cc.login.mechanism, CLIENT_PLAIN);
	assert_string_equal(cc.login.username, "ops");
	assert_string_equal(secret_reveal(&cc.login.password), "pa55");
	assert_string_equal(cc.tls.trust.location, "/ca.pem");
	assert_string_equal(cc.tls.chain.location, "/c.pem");
	assert_string_equal(cc.tls.key.location, "/k.pem");
	assert_string_equal(secret_reveal(&cc.tls.key_password), "pa55k");
	assert_false(cc.tls.must_verify);
	assert_false(cc.tls.must_check_host);
	assert_string_equal(setting(&cc, "ssl.ca.location")->means, "ssl.truststore.location");
	assert_null(setting(&cc, "security.protocol")->means);
	assert_hidden(&cc, "pa55");
	assert_note(&cc, 10, "brokers' certificates are not checked: whoever answers is taken for the broker, and gets the password");
	assert_note(&cc, 11, "a broker's name is not checked against its certificate");
	client_config_fini(&cc);
}

static void of_two_names_for_one_setting_the_later_counts(void **state)
{
	struct client_config cc;

	read_text("ssl.ca.location=/a\nssl.truststore.location=/b\nsecurity.protocol=SSL\nclient.id=x\nclient.id=y\n", &cc);
	assert_string_equal(cc.tls.trust.location, "/b");
	assert_string_equal(cc.client_id, "y");
	assert_int_equal(cc.settings[0].use, CLIENT_OVERRIDDEN);
	assert_int_equal(cc.settings[1].use, CLIENT_USED);
	assert_int_equal(cc.settings[3].use, CLIENT_OVERRIDDEN);
	assert_note(&cc, 1, "ssl.ca.location means the same as ssl.truststore.location in line 2, which comes later and counts");
	assert_note(&cc, 4, "client.id is set again in line 5, which counts");
	client_config_fini(&cc);
}

static void the_login_module_counts_before_user_and_password(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.username=x\nsasl.password=y\n"
		  "sasl.jaas.config=" SCRAM " required username=\"ops\" password=\"\";\n", &cc);
	assert_string_equal(cc.login.username, "ops");
	assert_true(secret_is_set(&cc.login.password));
	assert_string_equal(secret_reveal(&cc.login.password), "");
	assert_note(&cc, 3, "sasl.username is not looked at, for sasl.jaas.config is there, too");
	client_config_fini(&cc);
}

static void kerberos_comes_from_the_module_or_from_settings(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SASL_SSL\nsasl.kerberos.service.name=kafka\nsasl.jaas.config=" KRB " required useKeyTab=true "
		  "keyTab=\"/k.keytab\" principal=\"ops@EX\";\n", &cc);
	assert_int_equal(cc.login.mechanism, CLIENT_GSSAPI);
	assert_string_equal(cc.login.service, "kafka");
	assert_string_equal(cc.login.principal, "ops@EX");
	assert_string_equal(cc.login.keytab, "/k.keytab");
	assert_true(cc.login.use_keytab);
	client_config_fini(&cc);
	read_text("security.protocol=SASL_SSL\nsasl.jaas.config=" KRB " required useTicketCache=true ticketCache=\"/c\" "
		  "serviceName=k2;\n", &cc);
	assert_string_equal(cc.login.service, "k2");
	assert_string_equal(cc.login.ticket_cache, "/c");
	assert_false(cc.login.use_keytab);
	client_config_fini(&cc);
	read_text("security.protocol=sasl_plaintext\nsasl.kerberos.principal=ops@EX\nsasl.kerberos.keytab=/k\n", &cc);
	assert_string_equal(cc.login.service, "kafka");
	assert_string_equal(cc.login.keytab, "/k");
	client_config_fini(&cc);
}

#define TOKEN "security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n"

static void a_token_comes_from_a_file_a_command_or_nowhere(void **state)
{
	struct client_config cc;

	read_text(TOKEN "sasl.oauthbearer.token.endpoint.url=file:///run/token\nsasl.jaas.config=" OAUTH " required;\n", &cc);
	assert_string_equal(cc.login.token_file, "/run/token");
	client_config_fini(&cc);
	read_text(TOKEN "sasl.oauthbearer.token.endpoint.url=file:/run/token\n", &cc);
	assert_string_equal(cc.login.token_file, "/run/token");
	client_config_fini(&cc);
	read_text(TOKEN "sasl.oauthbearer.token.command=get-token --secret pa55\n", &cc);
	assert_string_equal(secret_reveal(&cc.login.token_command), "get-token --secret pa55");
	assert_hidden(&cc, "pa55");
	client_config_fini(&cc);
	read_text(TOKEN "sasl.jaas.config=" OAUTH " required unsecuredLoginStringClaim_sub=\"ops\";\n", &cc);
	assert_string_equal(cc.login.unsecured_subject, "ops");
	client_config_fini(&cc);
}

static void stores_are_places_or_pem(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.certificates=-----BEGIN CERTIFICATE-----\\n\\\n  AAAA\n"
		  "ssl.keystore.type=PEM\nssl.keystore.key=KEY\nssl.keystore.certificate.chain=CHAIN\nssl.key.password=pa55\n", &cc);
	assert_string_equal(secret_reveal(&cc.tls.trust.pem), "-----BEGIN CERTIFICATE-----\nAAAA");
	assert_string_equal(secret_reveal(&cc.tls.key.pem), "KEY");
	assert_string_equal(secret_reveal(&cc.tls.chain.pem), "CHAIN");
	assert_shown(&cc, "ssl.keystore.key", "***");
	client_config_fini(&cc);
	read_text("security.protocol=SSL\nssl.keystore.location=/k.p12\nssl.keystore.password=pa55\nssl.truststore.location=/t.jks\n", &cc);
	assert_string_equal(cc.tls.keystore.location, "/k.p12");
	assert_string_equal(secret_reveal(&cc.tls.keystore.password), "pa55");
	assert_false(secret_is_set(&cc.tls.trust.password));
	client_config_fini(&cc);
}

static void an_empty_algorithm_checks_no_host_name(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SSL\nssl.endpoint.identification.algorithm=\n", &cc);
	assert_false(cc.tls.must_check_host);
	assert_true(cc.tls.must_verify);
	client_config_fini(&cc);
	read_text("security.protocol=SSL\nssl.endpoint.identification.algorithm=HTTPS\n", &cc);
	assert_true(cc.tls.must_check_host);
	client_config_fini(&cc);
}

static void tls_versions_are_a_list(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SSL\nssl.enabled.protocols=TLSv1.3 , tlsv1.1,SSLv3\nssl.cipher.suites=TLS_AES_256_GCM_SHA384\n", &cc);
	assert_int_equal(cc.tls.versions, CLIENT_TLS_1_3 | CLIENT_TLS_1_1);
	assert_string_equal(cc.tls.ciphers, "TLS_AES_256_GCM_SHA384");
	client_config_fini(&cc);
}

/* ---- env: and file: ------------------------------------------------------------- */

static void values_come_from_the_environment_and_from_files(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=ops\nsasl.password=file:/pw\n"
		  "ssl.key.password=env:PW\n", &cc);
	assert_string_equal(secret_reveal(&cc.login.password), "from file");
	assert_string_equal(secret_reveal(&cc.tls.key_password), "from env");
	assert_shown(&cc, "sasl.password", "file:/pw");
	assert_hidden(&cc, "from");
	client_config_fini(&cc);
}

static void only_one_line_end_of_a_file_is_dropped(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SSL\nssl.key.password=file:/two\n", &cc);
	assert_string_equal(secret_reveal(&cc.tls.key_password), "\nx\n");
	client_config_fini(&cc);
}

static void what_env_and_file_lack_is_said_with_its_place(void **state)
{
	assert_refused("ssl.key.password = env:NO", "line 1, column 20: ssl.key.password: there is no NO");
	assert_refused("sasl.password=file:/no", "line 1, column 15: sasl.password: there is no /no");
	assert_refused("sasl.password=file:/nul", "line 1, column 1: sasl.password: what /nul holds is no text in UTF-8");
	assert_refused("sasl.password=env:", "line 1, column 1: sasl.password: behind env: stands a name, behind file: a path");
	assert_refused("ssl.truststore.location=file:/t.p12",
		       "line 1, column 1: ssl.truststore.location: a location is a path already; leave out file:");
}

static void without_a_fetch_references_are_refused(void **state)
{
	struct client_config cc;
	struct properties pp;
	struct err err;

	err_init(&err);
	assert_true(properties_read("sasl.password=env:PW", 20, &pp, &err));
	assert_false(client_config_read(&pp, NULL, NULL, &cc, &err));
	assert_int_equal(err.code, ERR_UNSUPPORTED);
	properties_fini(&pp);
}

/* ---- what it refuses -------------------------------------------------------------- */

static void what_is_wrong_is_said_with_place_and_remedy(void **state)
{
	static const struct { const char *s, *text; } cases[] = {
		{ "\nsecurity.protocol=TLS", "line 2, column 1: security.protocol: \"TLS\" is none of PLAINTEXT, SSL, "
		  "SASL_PLAINTEXT, SASL_SSL" },
		{ "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM", "line 2, column 1: sasl.mechanism: \"SCRAM\" is none of "
		  "PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, GSSAPI, OAUTHBEARER" },
		{ "request.timeout.ms=30s", "line 1, column 1: request.timeout.ms: \"30s\" is no number of milliseconds "
		  "(1 to 2147483647)" },
		{ "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-256", "sasl.jaas.config: it is missing; SCRAM-SHA-256 needs "
		  "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"NAME\" password=\"PASSWORD\";" },
		{ "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-256\nsasl.jaas.config=" PLAIN " required username=a password=pa55;",
		  "line 3, column 1: sasl.jaas.config: sasl.mechanism SCRAM-SHA-256 needs the login module ScramLoginModule, not "
		  "org.apache.kafka.common.security.plain.PlainLoginModule" },
		{ "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config=" PLAIN " required user=a password=pa55;",
		  "line 3, column 1: sasl.jaas.config: the login module needs the option username" },
		{ "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config=" PLAIN " required username=a;",
		  "line 3, column 1: sasl.jaas.config: the login module needs the option password" },
		{ "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=a",
		  "sasl.password: the password to log in with is needed" },
		{ "security.protocol=SASL_SSL\nsasl.jaas.config=" KRB " required;", "sasl.kerberos.service.name: it is missing: the "
		  "name that the brokers have in Kerberos, most often kafka" },
		{ "security.protocol=SASL_SSL\nsasl.kerberos.service.name=a\nsasl.jaas.config=" KRB " required serviceName=b;",
		  "line 2, column 1: sasl.kerberos.service.name: the option serviceName of sasl.jaas.config says otherwise; "
		  "leave one of them out" },
		{ "security.protocol=SASL_SSL\nsasl.jaas.config=" KRB " required serviceName=b useKeyTab=true;",
		  "line 2, column 1: sasl.jaas.config: with a keytab the principal must be named, too" },
		{ TOKEN, "sasl.oauthbearer.token.endpoint.url: it is missing: name the file with the token (file:///PATH), or a "
		  "command that prints it as sasl.oauthbearer.token.command" },
		{ TOKEN "sasl.oauthbearer.token.endpoint.url=https://idp.example/token", "line 3, column 1: "
		  "sasl.oauthbearer.token.endpoint.url: no token is fetched from a server here; name a file (file:///PATH) or a "
		  "command (sasl.oauthbearer.token.command)" },
		{ TOKEN "sasl.oauthbearer.token.endpoint.url=file:token", "line 3, column 1: sasl.oauthbearer.token.endpoint.url: "
		  "a file is named as file:///PATH" },
		{ "security.protocol=SSL\nssl.truststore.location=/t\nssl.ca.pem=PEM", "line 3, column 1: ssl.ca.pem: "
		  "ssl.truststore.location is set, too; leave one of them out" },
		{ "security.protocol=SSL\nssl.keystore.location=/t\nssl.keystore.key=pa55", "line 3, column 1: ssl.keystore.key: "
		  "ssl.keystore.location is set, too; leave one of them out" },
		{ "security.protocol=SSL\nssl.keystore.key=pa55", "line 2, column 1: ssl.keystore.key: ssl.keystore.certificate.chain "
		  "is needed with it" },
		{ "security.protocol=SSL\nssl.certificate.location=/c", "line 2, column 1: ssl.certificate.location: ssl.key.location "
		  "is needed with it" },
		{ "security.protocol=SSL\nssl.endpoint.identification.algorithm=ldaps", "line 2, column 1: "
		  "ssl.endpoint.identification.algorithm: \"ldaps\" is not known; https checks the broker's name against its "
		  "certificate, an empty value does not" },
		{ "security.protocol=SSL\nssl.enabled.protocols=TLSv1.2,TLS1.3", "line 2, column 1: ssl.enabled.protocols: \"TLS1.3\" "
		  "is none of TLSv1.3, TLSv1.2, TLSv1.1, TLSv1" },
		{ "security.protocol=SSL\nssl.enabled.protocols=SSLv3", "line 2, column 1: ssl.enabled.protocols: no version is left; "
		  "TLSv1.2,TLSv1.3 is the usual" },
		{ "security.protocol=SSL\nenable.ssl.certificate.verification=no", "line 2, column 1: "
		  "enable.ssl.certificate.verification: it is true or false" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_refused(cases[i].s, cases[i].text);
}

static void what_the_protocol_does_not_use_is_not_judged(void **state)
{
	struct client_config cc;

	read_text("security.protocol=PLAINTEXT\nsasl.mechanism=NONE\nssl.keystore.key=x\nssl.enabled.protocols=x\n", &cc);
	client_config_fini(&cc);
}

/* ---- what is listed ------------------------------------------------------------------ */

static void settings_without_meaning_are_listed_and_not_fatal(void **state)
{
	struct client_config cc;

	read_text("acks=all\nmy.own=x\nmax.poll.records=5\n", &cc);
	assert_int_equal(setting(&cc, "acks")->use, CLIENT_NO_MEANING);
	assert_shown(&cc, "acks", "all");
	assert_int_equal(setting(&cc, "my.own")->use, CLIENT_UNKNOWN);
	assert_shown(&cc, "my.own", "***");
	assert_int_equal(setting(&cc, "max.poll.records")->at.line, 3);
	assert_int_equal(cc.n_notes, 0);
	client_config_fini(&cc);
}

static void a_near_miss_is_named_and_its_value_hidden(void **state)
{
	struct client_config cc;

	read_text("security.protocol=SSL\nssl.truststore.pasword=pa55\n", &cc);
	assert_shown(&cc, "ssl.truststore.pasword", "***");
	assert_note(&cc, 2, "ssl.truststore.pasword is not known; ssl.truststore.password is");
	client_config_fini(&cc);
}

static void no_secret_is_shown_whatever_holds_it(void **state)
{
	struct client_config cc;

	read_text("sasl.jaas.config=" PLAIN " required username=\"a\" password=\"pa55\nssl.key.password=pa55\nssl.key.password=pa55\n"
		  "basic.auth.user.info=u:pa55\nschema.registry.url=https://u:pa55@h:1/x?key=pa55,http://v:pa55@i/\n"
		  "sasl.oauthbearer.client.secret=pa55\nother.password=pa55\nssl.keystore.key=pa55\nssl.truststore.certificates=pa55\n"
		  "sasl.oauthbearer.token.endpoint.url=file://u:pa55@h/x\n", &cc);
	assert_hidden(&cc, "pa55");
	assert_shown(&cc, "sasl.jaas.config", "***");
	assert_shown(&cc, "schema.registry.url", "https://***@h:1/x?***,http://***@i/");
	client_config_fini(&cc);
}

static void letters_that_kafka_reads_otherwise_are_noted(void **state)
{
	struct client_config cc;

	read_text("\xef\xbb\xbf# f\nssl.key.password=p\xc3\xa4\nsasl.password=p\\u00e4\n", &cc);
	assert_note(&cc, 0, "the file begins with a byte order mark, which Kafka's own tools take for part of the first name");
	assert_note(&cc, 2, "ssl.key.password is read as UTF-8; Kafka's own tools would read each byte as a letter of ISO-8859-1, "
		    "so that \\uXXXX is the safe way to write it");
	assert_int_equal(cc.n_notes, 2);
	client_config_fini(&cc);
}

static void notes_are_bounded(void **state)
{
	struct client_config cc;
	struct strbuf sb;

	strbuf_init(&sb);
	for (int i = 0; i < 2 * CLIENT_NOTES_MAX; i++)
		strbuf_put(&sb, "client.id=x\n");
	read_text(sb.s, &cc);
	assert_int_equal(cc.n_notes, CLIENT_NOTES_MAX);
	assert_int_equal(cc.n_settings, 2 * CLIENT_NOTES_MAX);
	client_config_fini(&cc);
	strbuf_fini(&sb);
}

static void what_is_refused_can_be_listed(void **state)
{
	static const char text[] = "security.protocol=NONE\nsasl.password=env:NOWHERE\nsasl.password=geheim\nssl.ca.location=/ca\nacks=1\nfoo=bar\n";
	struct properties pp;
	struct client_config cc;
	struct err err;

	err_init(&err);
	assert_true(properties_read(text, strlen(text), &pp, &err));
	assert_false(client_config_read(&pp, NULL, NULL, &cc, &err));
	client_config_list(&pp, &cc);
	assert_int_equal(cc.n_settings, 6);
	assert_int_equal(cc.n_notes, 0);
	assert_string_equal(cc.settings[0].shown, "NONE");
	assert_string_equal(cc.settings[1].shown, "env:NOWHERE");
	assert_int_equal(cc.settings[1].use, CLIENT_OVERRIDDEN);
	assert_string_equal(cc.settings[2].shown, "***");
	assert_int_equal(cc.settings[2].use, CLIENT_USED);
	assert_string_equal(cc.settings[3].means, "ssl.truststore.location");
	assert_int_equal(cc.settings[4].use, CLIENT_NO_MEANING);
	assert_int_equal(cc.settings[5].use, CLIENT_UNKNOWN);
	assert_string_equal(cc.settings[5].shown, "***");
	client_config_fini(&cc);
	properties_fini(&pp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_refused_can_be_listed),
		cmocka_unit_test(the_case_of_white_space_keeps_the_blank_and_warns),
		cmocka_unit_test(the_case_of_a_login_without_semicolon_is_refused),
		cmocka_unit_test(no_settings_are_plaintext_and_careful),
		cmocka_unit_test(blanks_round_values_are_dropped_as_kafka_does),
		cmocka_unit_test(a_scram_login_comes_from_the_login_module),
		cmocka_unit_test(librdkafkas_names_mean_the_same),
		cmocka_unit_test(of_two_names_for_one_setting_the_later_counts),
		cmocka_unit_test(the_login_module_counts_before_user_and_password),
		cmocka_unit_test(kerberos_comes_from_the_module_or_from_settings),
		cmocka_unit_test(a_token_comes_from_a_file_a_command_or_nowhere),
		cmocka_unit_test(stores_are_places_or_pem),
		cmocka_unit_test(an_empty_algorithm_checks_no_host_name),
		cmocka_unit_test(tls_versions_are_a_list),
		cmocka_unit_test(values_come_from_the_environment_and_from_files),
		cmocka_unit_test(only_one_line_end_of_a_file_is_dropped),
		cmocka_unit_test(what_env_and_file_lack_is_said_with_its_place),
		cmocka_unit_test(without_a_fetch_references_are_refused),
		cmocka_unit_test(what_is_wrong_is_said_with_place_and_remedy),
		cmocka_unit_test(what_the_protocol_does_not_use_is_not_judged),
		cmocka_unit_test(settings_without_meaning_are_listed_and_not_fatal),
		cmocka_unit_test(a_near_miss_is_named_and_its_value_hidden),
		cmocka_unit_test(no_secret_is_shown_whatever_holds_it),
		cmocka_unit_test(letters_that_kafka_reads_otherwise_are_noted),
		cmocka_unit_test(notes_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
