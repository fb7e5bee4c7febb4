/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PKCS12 by its bags, not by PKCS12_parse: that one forgets which certificates
 * Java trusts, and all keys but the first. The password is found by the
 * integrity check, so that what then can't be deciphered is a matter of ciphers.
 */
#include "io/stores_parts.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>

#include "base/mem.h"
#include "base/str.h"

enum { BAGS_DEPTH_MAX = 4 };

/* id-at trustedKeyUsage of Oracle: PKCS12KeyStore puts it on every certificate that is trusted. */
static const char trusted_oid[] = "2.16.840.1.113894.746875.1.1";

struct pkcs12 {
	PKCS12 *p12;
	struct secret password; /* the form that opened it */
	bool is_null;           /* no password at all, which isn't the empty one */
	bool has_unread;        /* enciphered contents that were passed over for want of a password */
	bool wants_legacy;      /* a key that isn't deciphered, perhaps for want of a cipher */
	const struct store_how *how;
	struct store_items *it;
};

static const char *password_of(const struct pkcs12 *pk)
{
	return pk->is_null ? NULL : secret_reveal(&pk->password);
}

/* ---- attributes of bags --------------------------------------------------------- */

static struct store_key_id key_id_of(const PKCS12_SAFEBAG *bag)
{
	const ASN1_TYPE *found = PKCS12_SAFEBAG_get0_attr(bag, NID_localKeyID);
	struct store_key_id id = { .n = 0 };
	const ASN1_OCTET_STRING *octets = found && found->type == V_ASN1_OCTET_STRING ? found->value.octet_string : NULL;
	int n = octets ? ASN1_STRING_length(octets) : 0;

	if (n > 0) {
		id.n = (size_t)n < sizeof(id.v) ? (size_t)n : sizeof(id.v);
		memcpy(id.v, ASN1_STRING_get0_data(octets), id.n);
	}
	return id;
}

static bool is_trusted(const PKCS12_SAFEBAG *bag)
{
	const STACK_OF(X509_ATTRIBUTE) *attributes = PKCS12_SAFEBAG_get0_attrs(bag);

	for (int i = 0; i < sk_X509_ATTRIBUTE_num(attributes); i++) {
		char oid[sizeof(trusted_oid) + 1];
		X509_ATTRIBUTE *at = sk_X509_ATTRIBUTE_value(attributes, i);

		OBJ_obj2txt(oid, sizeof(oid), X509_ATTRIBUTE_get0_object(at), 1);
		if (strcmp(oid, trusted_oid) == 0)
			return true;
	}
	return false;
}

/* ---- bags ------------------------------------------------------------------------ */

static bool add_cert(struct pkcs12 *pk, const PKCS12_SAFEBAG *bag, struct err *err)
{
	X509 *x;

	if (PKCS12_SAFEBAG_get_bag_nid(bag) != NID_x509Certificate)
		return true; /* SDSI */
	x = PKCS12_SAFEBAG_get1_cert(bag);
	if (!x)
		return err_set(err, ERR_FORMAT, "%s: a certificate in it is damaged", pk->how->name);
	return store_items_add_cert(pk->it, pk->how, (struct store_cert){ x, key_id_of(bag), is_trusted(bag) }, err);
}

/* Java's keytool has one password for all; other tools may give a key its own. */
static PKCS8_PRIV_KEY_INFO *decipher_key(const struct pkcs12 *pk, const PKCS12_SAFEBAG *bag)
{
	const char *password = password_of(pk);
	PKCS8_PRIV_KEY_INFO *p8 = PKCS12_decrypt_skey_ex(bag, password, password ? (int)pk->password.n : 0,
							 pk->it->legacy.ctx, NULL);
	struct secret other;

	secret_init(&other);
	for (unsigned i = 0; !p8 && store_password(pk->how->key_password, i, &other); i++)
		p8 = PKCS12_decrypt_skey_ex(bag, secret_reveal(&other), (int)other.n, pk->it->legacy.ctx, NULL);
	secret_fini(&other);
	return p8;
}

static bool add_key(struct pkcs12 *pk, const PKCS12_SAFEBAG *bag, struct err *err)
{
	bool is_shrouded = PKCS12_SAFEBAG_get_nid(bag) == NID_pkcs8ShroudedKeyBag;
	struct store_key sk = { NULL, key_id_of(bag) };
	PKCS8_PRIV_KEY_INFO *p8 = NULL;

	pk->it->n_shrouded++;
	if (pk->how->wants_keys && is_shrouded) {
		p8 = decipher_key(pk, bag);
		pk->wants_legacy = !p8 && !pk->it->legacy.ctx;
		if (!p8)
			return !pk->wants_legacy && err_set(err, ERR_REFUSED, "%s: the private key in it has another password than the store, and "
				       "ssl.key.password isn't it", pk->how->name);
	}
	if (pk->how->wants_keys) {
		sk.key = EVP_PKCS82PKEY_ex(p8 ? p8 : PKCS12_SAFEBAG_get0_p8inf(bag), pk->it->legacy.ctx, NULL);
		PKCS8_PRIV_KEY_INFO_free(p8);
		if (!sk.key)
			return err_set(err, ERR_UNSUPPORTED, "%s: its private key is of a kind that OpenSSL here doesn't know",
				       pk->how->name);
	}
	return store_items_add_key(pk->it, pk->how, sk, err);
}

static bool add_bags(struct pkcs12 *pk, const STACK_OF(PKCS12_SAFEBAG) *bags, unsigned depth, struct err *err)
{
	for (int i = 0; i < sk_PKCS12_SAFEBAG_num(bags); i++) {
		const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(bags, i);
		bool is_ok = true;

		switch (PKCS12_SAFEBAG_get_nid(bag)) {
		case NID_certBag:
			is_ok = add_cert(pk, bag, err);
			break;
		case NID_keyBag:
		case NID_pkcs8ShroudedKeyBag:
			is_ok = add_key(pk, bag, err);
			break;
		case NID_safeContentsBag:
			is_ok = depth < BAGS_DEPTH_MAX ? add_bags(pk, PKCS12_SAFEBAG_get0_safes(bag), depth + 1, err) :
				err_set(err, ERR_LIMIT, "%s: nested too deep", pk->how->name);
			break;
		default:
			break; /* secret keys, revocation lists */
		}
		if (!is_ok)
			return false;
	}
	return true;
}

/* ---- contents --------------------------------------------------------------------- */

/* NULL when it can't be read; what is neither plain nor enciphered by password is no bag (an empty stack). */
static STACK_OF(PKCS12_SAFEBAG) *unpack(struct pkcs12 *pk, PKCS7 *p7)
{
	const char *password = password_of(pk);

	switch (OBJ_obj2nid(p7->type)) {
	case NID_pkcs7_data:
		return PKCS12_unpack_p7data(p7);
	case NID_pkcs7_encrypted:
		if (!secret_is_set(pk->how->password)) {
			pk->has_unread = true;
			return sk_PKCS12_SAFEBAG_new_null();
		}
		return PKCS12_unpack_p7encdata(p7, password, password ? (int)pk->password.n : 0);
	default:
		return sk_PKCS12_SAFEBAG_new_null();
	}
}

enum outcome { READ, FAILED, NOT_DECIPHERED };

static enum outcome read_contents(struct pkcs12 *pk, struct err *err)
{
	STACK_OF(PKCS7) *safes = PKCS12_unpack_authsafes(pk->p12);
	enum outcome how = READ;

	if (!safes) {
		err_set(err, ERR_FORMAT, "%s: a damaged PKCS12 store", pk->how->name);
		return FAILED;
	}
	for (int i = 0; how == READ && i < sk_PKCS7_num(safes); i++) {
		STACK_OF(PKCS12_SAFEBAG) *bags = unpack(pk, sk_PKCS7_value(safes, i));

		if (!bags)
			how = NOT_DECIPHERED;
		else if (!add_bags(pk, bags, 0, err))
			how = pk->wants_legacy ? NOT_DECIPHERED : FAILED;
		sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
	}
	sk_PKCS7_pop_free(safes, PKCS7_free);
	return how;
}

/* ---- the integrity check --------------------------------------------------------------- */

static bool is_mac_right(struct pkcs12 *pk, const char *password, size_t n)
{
	return PKCS12_verify_mac(pk->p12, password, (int)n) == 1;
}

/* Without a password Java checks nothing and reads what is not enciphered. */
static bool find_password(struct pkcs12 *pk, struct err *err)
{
	bool has_mac = PKCS12_mac_present(pk->p12);

	if (!secret_is_set(pk->how->password))
		return true;
	for (unsigned i = 0; store_password(pk->how->password, i, &pk->password); i++) {
		if (!has_mac || is_mac_right(pk, secret_reveal(&pk->password), pk->password.n))
			return true;
		pk->is_null = pk->password.n == 0 && is_mac_right(pk, NULL, 0);
		if (pk->is_null)
			return true;
	}
	if (ERR_GET_REASON(ERR_peek_last_error()) == PKCS12_R_MAC_VERIFY_FAILURE || ERR_peek_last_error() == 0)
		return err_set(err, ERR_REFUSED, "%s: the password doesn't open it; mend %s", pk->how->name,
			       pk->how->password_setting);
	return err_set(err, ERR_UNSUPPORTED, "%s: its integrity check is of a kind that OpenSSL here doesn't know",
		       pk->how->name);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool parse(struct pkcs12 *pk, const struct secret *bytes, struct err *err)
{
	const unsigned char *at = (const unsigned char *)secret_reveal(bytes);

	/* The context is kept in what d2i fills. */
	PKCS12_free(pk->p12);
	pk->p12 = PKCS12_init_ex(NID_pkcs7_data, pk->it->legacy.ctx, NULL);
	if (bytes->n <= LONG_MAX && pk->p12 && d2i_PKCS12(&pk->p12, &at, (long)bytes->n))
		return true;
	pk->p12 = NULL; /* d2i let it go */
	return err_set(err, ERR_FORMAT, "%s: a damaged or cut off PKCS12 store", pk->how->name);
}

static bool read_with_legacy(struct pkcs12 *pk, const struct secret *bytes, struct err *err)
{
	enum outcome how;

	if (!store_legacy_load(&pk->it->legacy, pk->how, err) || !parse(pk, bytes, err))
		return false;
	how = read_contents(pk, err);
	if (how == NOT_DECIPHERED && PKCS12_mac_present(pk->p12))
		return err_set(err, ERR_UNSUPPORTED, "%s: what is in it can't be deciphered; make it anew with keytool "
			       "-importkeystore or openssl pkcs12 -export", pk->how->name);
	if (how == NOT_DECIPHERED)
		return err_set(err, ERR_REFUSED, "%s: the password doesn't open it; mend %s", pk->how->name,
			       pk->how->password_setting);
	return how == READ;
}

static bool read_store(struct pkcs12 *pk, const struct secret *bytes, struct err *err)
{
	enum outcome how;

	if (!parse(pk, bytes, err) || !find_password(pk, err))
		return false;
	how = read_contents(pk, err);
	if (how == NOT_DECIPHERED) {
		store_items_fini(pk->it);
		return read_with_legacy(pk, bytes, err);
	}
	return how == READ;
}

bool store_read_pkcs12(const struct secret *bytes, const struct store_how *how, struct store_items *it, struct err *err)
{
	struct pkcs12 pk = { .how = how, .it = it };
	bool is_ok = read_store(&pk, bytes, err);

	if (is_ok && pk.has_unread && it->n_certs == 0)
		is_ok = err_set(err, ERR_REFUSED, "%s: it is enciphered; set %s", how->name, how->password_setting);
	PKCS12_free(pk.p12);
	secret_fini(&pk.password);
	return is_ok;
}
