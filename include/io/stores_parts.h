/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of io/stores share. Nobody else includes this. */
#ifndef IO_STORES_PARTS_H
#define IO_STORES_PARTS_H

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

#include "base/err.h"
#include "io/stores.h"

enum { STORE_KEY_ID_MAX = 64 };

/* PKCS12's localKeyID, which ties a key to its certificate. */
struct store_key_id {
	unsigned char v[STORE_KEY_ID_MAX];
	size_t n; /* 0 when there is none */
};

struct store_cert {
	X509 *x;
	struct store_key_id id;
	bool is_trusted; /* as Java sees it; in PEM all are */
};

struct store_key {
	EVP_PKEY *key;   /* NULL where only the certificates were asked for */
	struct store_key_id id;
};

/* An OpenSSL context that has the legacy provider. */
struct store_legacy {
	OSSL_LIB_CTX *ctx; /* NULL as long as it isn't needed */
	OSSL_PROVIDER *own, *usual;
};

/* All that a store holds. Keys live in `legacy`, where that is set, so it goes last. */
struct store_items {
	struct store_cert *certs;
	size_t n_certs;
	struct store_key keys[STORE_KEYS_MAX];
	size_t n_keys;
	size_t n_shrouded;             /* keys that are there, opened or not */
	struct store_legacy legacy;
};

/* How to open: what it is called in errors, and which passwords there are. */
struct store_how {
	const char *name;              /* the path, or the setting that holds the PEM */
	const struct secret *password; /* of the store */
	const char *password_setting;
	const struct secret *key_password;
	bool wants_keys;
};

void store_items_fini(struct store_items *it);
/* Takes `x`. */
bool store_items_add_cert(struct store_items *it, const struct store_how *how, struct store_cert ct, struct err *err) __attribute__((warn_unused_result));
/* Takes `key`. */
bool store_items_add_key(struct store_items *it, const struct store_how *how, struct store_key sk, struct err *err) __attribute__((warn_unused_result));
bool store_legacy_load(struct store_legacy *lg, const struct store_how *how, struct err *err) __attribute__((warn_unused_result));

/* The i-th form of a password to try, into `out`: as it is, without blanks round it. False behind the last.
 * A password that isn't set is the empty one. */
bool store_password(const struct secret *password, unsigned i, struct secret *out);

bool store_read_pkcs12(const struct secret *bytes, const struct store_how *how, struct store_items *it, struct err *err) __attribute__((warn_unused_result));
bool store_read_pem(const struct secret *bytes, const struct store_how *how, struct store_items *it, struct err *err) __attribute__((warn_unused_result));

#endif
