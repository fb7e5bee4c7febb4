/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens trust stores and key stores, of whatever form, and hands out PEM in
 * memory: for our own connections and for librdkafka alike.
 *
 * What a store is, its first bytes say, never its name or ssl.*.type: since
 * Java 9 keytool makes PKCS12 and users call it .jks. A true JKS or JCEKS is
 * refused with the one command that converts it.
 *
 * PKCS12 is read as Java reads it (sun.security.pkcs12.PKCS12KeyStore and
 * TrustStoreUtil of JDK 17): trusted are the certificates that carry Oracle's
 * attribute of trusted keys and the own certificate of every key, not the rest of its
 * chain; in a store without keys whose certificates carry no attribute (made
 * by openssl, where Java sees none) all are. Since that can trust certificates that are
 * nobody's issuer, a connection has to set X509_V_FLAG_PARTIAL_CHAIN.
 * The ciphers of older Java (RC2-40) are in OpenSSL's legacy provider, which is
 * loaded into a context of its own for such a store and let go with it.
 *
 * A password is tried as it is, then without blanks round it, which Kafka cuts.
 * Errors name the file or setting, and the setting to mend; never a secret.
 * Thread: any. May wait for a disk, and burns CPU by the store's own choice
 * (iterations of its password function).
 */
#ifndef IO_STORES_H
#define IO_STORES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/secret.h"
#include "base/units.h"

struct client_material;
struct client_tls;
struct err;

enum { STORE_MAX_BYTES = 8 * 1024 * 1024, STORE_CERTS_MAX = 2048, STORE_KEYS_MAX = 16, STORE_NOTES_MAX = 16 };

enum store_kind {
	STORE_UNKNOWN,
	STORE_PEM,
	STORE_PKCS12,
	STORE_DER,    /* another DER SEQUENCE: one certificate, perhaps */
	STORE_JKS,
	STORE_JCEKS
};

/* By the first bytes; PEM may have text before it, as openssl writes it. */
enum store_kind store_kind_of(const void *bytes, size_t n);
/* "PKCS12" ... Static storage. */
const char *store_kind_name(enum store_kind kind);

/* Sentences about what is no error: an expired certificate, a key that everybody may read. They quote names from
 * certificates, so they are made printable like any text from outside. */
struct store_notes {
	char *v[STORE_NOTES_MAX];
	size_t n;
};

void store_notes_fini(struct store_notes *notes);
/* `to` must be empty, `from` is so afterwards. */
void store_notes_move(struct store_notes *to, struct store_notes *from);

struct store_trust {
	char *pem;               /* the certificates, one after the other */
	size_t n;                /* how many; never 0 */
	enum store_kind kind;
	bool is_legacy;          /* OpenSSL's legacy provider was needed */
	struct store_notes notes;
};

struct store_identity {
	char *chain_pem;         /* our own certificate first, then its issuers as far as they are there */
	size_t n_chain;
	struct secret key_pem;   /* the private key of the first, PKCS8, not encrypted */
	enum store_kind kind;    /* of where the key was */
	bool is_legacy;
	struct store_notes notes;
};

/* Opens what `from` says (location or pem; one must be set). `now` judges validity. ERR_NOT_FOUND, ERR_IO,
 * ERR_LIMIT, ERR_FORMAT (damaged, empty, no store at all), ERR_REFUSED (wrong or missing password),
 * ERR_UNSUPPORTED (JKS, unknown ciphers). On failure `out` is zeroed. */
bool stores_open_trust(const struct client_material *from, wall_ms now, struct store_trust *out, struct err *err)
	__attribute__((warn_unused_result));
void store_trust_fini(struct store_trust *tr);

/* The same for tls->keystore, or tls->key with tls->chain; one of them must be set (stores_has_identity). */
bool stores_open_identity(const struct client_tls *tls, wall_ms now, struct store_identity *out, struct err *err)
	__attribute__((warn_unused_result));
void store_identity_fini(struct store_identity *si);

bool stores_has_trust(const struct client_tls *tls);
bool stores_has_identity(const struct client_tls *tls);

#endif
