/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a client.properties says about reaching a cluster: where it is, how to
 * log in, which certificates. One file serves Kafka's own tools and us: their
 * names are read as org.apache.kafka.clients.CommonClientConfigs, SaslConfigs
 * and SslConfigs have them (KIP-651 for PEM, KIP-768 for OAUTHBEARER), with
 * librdkafka's names as synonyms. Settings without meaning here are listed,
 * not fatal.
 *
 * A value `env:NAME` is that variable's value, `file:PATH` that file's content
 * without its last line end. Not for locations, which are paths already, and
 * not for URLs, where file: is Kafka's.
 *
 * As in Kafka (ConfigDef.parseType), blanks round a value are dropped. Not from
 * passwords: those are kept whole, with a note, since Kafka alone cuts them;
 * io/stores tries both.
 *
 * Nothing here opens a store or a connection, nothing is printed. Secrets are
 * `struct secret`; what may be shown is in `settings` and `notes`.
 * Thread: any (pure); a struct client_config belongs to its owner.
 */
#ifndef CORE_CLIENT_CONFIG_H
#define CORE_CLIENT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/secret.h"
#include "base/units.h"
#include "core/properties.h"

struct err;

enum { CLIENT_NOTES_MAX = 256, CLIENT_REQUEST_TIMEOUT_DEFAULT_MS = 30000 };

/* org.apache.kafka.common.security.auth.SecurityProtocol */
enum client_protocol { CLIENT_PLAINTEXT, CLIENT_SSL, CLIENT_SASL_PLAINTEXT, CLIENT_SASL_SSL };

enum client_mechanism { CLIENT_PLAIN, CLIENT_SCRAM_SHA_256, CLIENT_SCRAM_SHA_512, CLIENT_GSSAPI, CLIENT_OAUTHBEARER };

/* Bits of client_tls.versions. */
enum { CLIENT_TLS_1_0 = 1, CLIENT_TLS_1_1 = 2, CLIENT_TLS_1_2 = 4, CLIENT_TLS_1_3 = 8 };

/* Certificates or a key: a file of any kind that io/stores knows, or PEM in memory. At most one is set. */
struct client_material {
	char *location;         /* NULL when not set */
	struct secret pem;
	struct secret password; /* of the store; never set for key and chain apart, see key_password */
};

struct client_tls {
	struct client_material trust;    /* neither: the system's own */
	struct client_material keystore; /* key and chain in one file (its pem is never set) */
	struct client_material key;      /* key and chain apart, both or none (then keystore is not set) */
	struct client_material chain;
	struct secret key_password;      /* ssl.key.password */
	bool must_verify;                /* the broker's chain; false only by enable.ssl.certificate.verification */
	bool must_check_host;            /* the broker's name */
	unsigned versions;               /* CLIENT_TLS_*; never 0 */
	char *ciphers;                   /* names by IANA or OpenSSL, comma or colon between; NULL for the library's own */
};

struct client_login {
	enum client_mechanism mechanism; /* where the protocol is SASL_* */
	/* PLAIN and SCRAM: both set. */
	char *username;
	struct secret password;
	bool is_token;                   /* a delegation token (ScramLoginModule's tokenauth, KIP-48) */
	/* GSSAPI: service set; the others NULL for what Kerberos itself says. */
	char *service;
	char *principal;
	char *keytab;
	char *ticket_cache;
	bool use_keytab;
	/* OAUTHBEARER: one of the three. */
	char *token_file;
	struct secret token_command;     /* a shell line that prints the token: may hold a password */
	char *unsecured_subject;         /* of a token that nobody signed, for tests (KIP-255) */
};

enum client_use {
	CLIENT_USED,
	CLIENT_OVERRIDDEN,  /* set again further down */
	CLIENT_NO_MEANING,  /* known, but not for us */
	CLIENT_UNKNOWN
};

/* One line of the file, as `kafops info` may show it. */
struct client_setting {
	char *key;            /* UTF-8 as written, to be made printable like any text from outside */
	char *shown;          /* masked: *** for a secret and for whatever is not known */
	const char *means;    /* Kafka's name, where `key` is a synonym; else NULL. Static */
	enum client_use use;
	struct properties_place at;
};

/* Something to know that is no error: one sentence, without the place. */
struct client_note {
	struct properties_place at; /* {0, 0} for the whole file */
	char *text;
};

struct client_config {
	char *bootstrap;            /* as written; NULL when not set */
	char *client_id;            /* NULL when not set */
	dur_ms request_timeout_ms;
	enum client_protocol protocol;
	struct client_login login;
	struct client_tls tls;
	struct client_setting *settings; /* in order of the file, overridden ones too */
	size_t n_settings;
	struct client_note *notes;       /* up to CLIENT_NOTES_MAX */
	size_t n_notes;
};

enum client_value_kind { CLIENT_VALUE_ENV, CLIENT_VALUE_FILE };

/* Fetches what env:NAME or file:PATH stands for into `out`. False with err, which names the variable or file. */
typedef bool client_fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err);

/* Errors (ERR_USAGE, ERR_UNSUPPORTED, and whatever `fetch` gives) say line and column, the setting, what is wrong
 * and what to do; never a secret. Without `fetch` (NULL), env: and file: are errors. On failure `out` is zeroed.
 * No settings at all are fine: PLAINTEXT. */
bool client_config_read(const struct properties *pp, client_fetch *fetch, void *ctx, struct client_config *out, struct err *err)
	__attribute__((warn_unused_result));
void client_config_fini(struct client_config *cc);
/* What can be shown of settings that client_config_read refuses: `settings` and nothing else. Fetches nothing. */
void client_config_list(const struct properties *pp, struct client_config *out);
/* For who logs in longer than the settings live. */
void client_login_copy(const struct client_login *from, struct client_login *to);
void client_login_fini(struct client_login *lg);

bool client_protocol_has_tls(enum client_protocol protocol);
bool client_protocol_has_sasl(enum client_protocol protocol);
/* Kafka's names: "SASL_SSL", "SCRAM-SHA-512". Static storage. */
const char *client_protocol_name(enum client_protocol protocol);
const char *client_mechanism_name(enum client_mechanism mechanism);

#endif
