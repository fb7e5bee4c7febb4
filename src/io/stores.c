/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes in, items (stores_pem, stores_p12), a choice among them, PEM out. The
 * choice for a key store: the first key that has a certificate, and the chain
 * that leads from there.
 */
#include "io/stores.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/slurp.h"
#include "io/stores_parts.h"

enum { EXPIRED_NAMED_MAX = 8 };

static const char *const kind_names[] = {
	[STORE_UNKNOWN] = "unknown", [STORE_PEM] = "PEM", [STORE_PKCS12] = "PKCS12",
	[STORE_DER] = "DER", [STORE_JKS] = "JKS", [STORE_JCEKS] = "JCEKS",
};

const char *store_kind_name(enum store_kind kind)
{
	return (size_t)kind < sizeof(kind_names) / sizeof(kind_names[0]) ? kind_names[kind] : "?";
}

/* ---- first bytes ------------------------------------------------------------------- */

/* The tag behind a SEQUENCE's length: INTEGER (the version) in PKCS12, SEQUENCE in a certificate. */
static enum store_kind kind_of_sequence(const unsigned char *v, size_t n)
{
	size_t header = 2 + (v[1] > 0x80 ? (size_t)(v[1] & 0x7f) : 0);

	return header < n && header <= 6 && v[header] == 0x02 ? STORE_PKCS12 : STORE_DER;
}

enum store_kind store_kind_of(const void *bytes, size_t n)
{
	const unsigned char *v = bytes;

	if (n >= 4 && memcmp(v, "\xfe\xed\xfe\xed", 4) == 0)
		return STORE_JKS;
	if (n >= 4 && memcmp(v, "\xce\xce\xce\xce", 4) == 0)
		return STORE_JCEKS;
	if (n >= 2 && v[0] == 0x30 && (v[1] >= 0x80 || (size_t)v[1] + 2 == n))
		return kind_of_sequence(v, n);
	return memmem(v, n, "-----BEGIN ", 11) ? STORE_PEM : STORE_UNKNOWN;
}

/* ---- notes --------------------------------------------------------------------------- */

static void note(struct store_notes *notes, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void note(struct store_notes *notes, const char *fmt, ...)
{
	struct strbuf text;
	va_list ap;

	if (notes->n == STORE_NOTES_MAX)
		return;
	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	notes->v[notes->n++] = strbuf_take(&text);
}

void store_notes_fini(struct store_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		mem_free(&notes->v[i]);
	notes->n = 0;
}

void store_notes_move(struct store_notes *to, struct store_notes *from)
{
	assert(to->n == 0);
	*to = *from;
	from->n = 0;
}

/* "CN=ca.example,O=Example"; in `out`. */
static const char *subject(const X509 *x, struct strbuf *out)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *text;
	long n;

	strbuf_clear(out);
	X509_NAME_print_ex(bio, X509_get_subject_name(x), 0, XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB);
	n = BIO_get_mem_data(bio, &text);
	if (n > 0)
		strbuf_putn(out, text, (size_t)n < 200 ? (size_t)n : 200);
	BIO_free(bio);
	return out->s;
}

static void put_day(struct strbuf *out, const ASN1_TIME *at)
{
	struct tm tm = { .tm_year = 0 };

	if (ASN1_TIME_to_tm(at, &tm) == 1)
		strbuf_printf(out, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	else
		strbuf_put(out, "a day that can't be read");
}

/* True when there was something to say. */
static bool note_validity(struct store_notes *notes, const char *name, const X509 *x, wall_ms now)
{
	time_t at = (time_t)(now.ms / 1000);
	bool is_over = X509_cmp_time(X509_get0_notAfter(x), &at) < 0;
	bool is_early = X509_cmp_time(X509_get0_notBefore(x), &at) > 0;
	struct strbuf who, day;

	if (now.ms == 0 || (!is_over && !is_early))
		return false;
	strbuf_init(&who);
	strbuf_init(&day);
	put_day(&day, is_over ? X509_get0_notAfter(x) : X509_get0_notBefore(x));
	note(notes, "%s: the certificate of %s %s %s", name, subject(x, &who), is_over ? "expired on" : "isn't valid before", day.s);
	strbuf_fini(&day);
	strbuf_fini(&who);
	return true;
}

/* ---- items --------------------------------------------------------------------------- */

void store_items_fini(struct store_items *it)
{
	for (size_t i = 0; i < it->n_certs; i++)
		X509_free(it->certs[i].x);
	mem_free(&it->certs);
	for (size_t i = 0; i < it->n_keys; i++)
		EVP_PKEY_free(it->keys[i].key);
	if (it->legacy.ctx) {
		OSSL_PROVIDER_unload(it->legacy.own);
		OSSL_PROVIDER_unload(it->legacy.usual);
		OSSL_LIB_CTX_free(it->legacy.ctx);
	}
	*it = (struct store_items){ .n_certs = 0 };
}

bool store_items_add_cert(struct store_items *it, const struct store_how *how, struct store_cert ct, struct err *err)
{
	if (it->n_certs == STORE_CERTS_MAX) {
		X509_free(ct.x);
		return err_set(err, ERR_LIMIT, "%s: more than %d certificates", how->name, STORE_CERTS_MAX);
	}
	if (it->n_certs % 64 == 0)
		it->certs = mem_realloc_array(it->certs, it->n_certs + 64, sizeof(*it->certs));
	it->certs[it->n_certs++] = ct;
	return true;
}

bool store_items_add_key(struct store_items *it, const struct store_how *how, struct store_key sk, struct err *err)
{
	if (it->n_keys == STORE_KEYS_MAX) {
		EVP_PKEY_free(sk.key);
		return err_set(err, ERR_LIMIT, "%s: more than %d private keys", how->name, STORE_KEYS_MAX);
	}
	it->keys[it->n_keys++] = sk;
	return true;
}

bool store_legacy_load(struct store_legacy *lg, const struct store_how *how, struct err *err)
{
	if (lg->ctx)
		return true;
	lg->ctx = OSSL_LIB_CTX_new();
	lg->own = OSSL_PROVIDER_load(lg->ctx, "legacy");
	lg->usual = OSSL_PROVIDER_load(lg->ctx, "default");
	if (lg->own && lg->usual)
		return true;
	if (lg->own)
		OSSL_PROVIDER_unload(lg->own);
	if (lg->usual)
		OSSL_PROVIDER_unload(lg->usual);
	OSSL_LIB_CTX_free(lg->ctx);
	*lg = (struct store_legacy){ NULL, NULL, NULL };
	return err_set(err, ERR_UNSUPPORTED, "%s: it has ciphers of older Java, and OpenSSL's legacy provider isn't here; "
		       "make it anew with keytool -importkeystore of Java 17", how->name);
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

bool store_password(const struct secret *password, unsigned i, struct secret *out)
{
	const char *s = secret_reveal(password), *end = s + password->n;

	if (i == 1) {
		while (s < end && is_blank(*s))
			s++;
		while (end > s && is_blank(end[-1]))
			end--;
	}
	if (i > 1 || (i == 1 && (size_t)(end - s) == password->n))
		return false;
	secret_setn(out, s, (size_t)(end - s));
	return true;
}

/* ---- opening --------------------------------------------------------------------------- */

/* `path` in quotes for a shell, where it needs them. */
static void put_path(struct strbuf *out, const char *path, const char *suffix)
{
	bool is_plain = path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,=")] == '\0' &&
			path[0] != '-';

	if (!is_plain)
		strbuf_putc(out, '\'');
	for (const char *s = path; *s; s++)
		strbuf_put(out, *s == '\'' ? "'\\''" : (const char[]){ *s, '\0' });
	strbuf_put(out, suffix);
	if (!is_plain)
		strbuf_putc(out, '\'');
}

/* The one command. keytool finds out by itself that the source is JKS, but not JCEKS. */
static void put_conversion(struct strbuf *out, enum store_kind kind, const char *from, const char *to)
{
	strbuf_clear(out);
	strbuf_printf(out, "a %s store, which only Java opens; convert it once: keytool -importkeystore%s -srckeystore ",
		      store_kind_name(kind), kind == STORE_JCEKS ? " -srcstoretype JCEKS" : "");
	put_path(out, from, "");
	strbuf_put(out, " -deststoretype PKCS12 -destkeystore ");
	put_path(out, to, ".p12");
}

/* Always false. An err holds so much and no more: first the new store leaves its folder, then a word stands for the path. */
static bool refuse_jks(const char *path, enum store_kind kind, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct strbuf text;

	strbuf_init(&text);
	put_conversion(&text, kind, path, path);
	if (text.len >= ERR_TEXT_MAX)
		put_conversion(&text, kind, path, slash ? slash + 1 : path);
	if (text.len >= ERR_TEXT_MAX)
		put_conversion(&text, kind, "STORE", "STORE");
	err_set(err, ERR_UNSUPPORTED, "%s", text.s);
	strbuf_fini(&text);
	return false;
}

static bool read_der(const struct secret *bytes, const struct store_how *how, struct store_items *it, struct err *err)
{
	const unsigned char *at = (const unsigned char *)secret_reveal(bytes);
	X509 *x = d2i_X509(NULL, &at, (long)bytes->n);

	if (!x)
		return err_set(err, ERR_FORMAT, "%s: neither PKCS12 nor a certificate, though it begins like one", how->name);
	return store_items_add_cert(it, how, (struct store_cert){ x, { .n = 0 }, true }, err);
}

static bool read_items(const struct secret *bytes, const struct store_how *how, enum store_kind *kind,
		       struct store_items *it, struct err *err)
{
	*kind = store_kind_of(secret_reveal(bytes), bytes->n);
	switch (*kind) {
	case STORE_PEM:
		return store_read_pem(bytes, how, it, err);
	case STORE_PKCS12:
		return store_read_pkcs12(bytes, how, it, err);
	case STORE_DER:
		return read_der(bytes, how, it, err);
	case STORE_JKS:
	case STORE_JCEKS:
		return refuse_jks(how->name, *kind, err);
	default:
		return err_set(err, ERR_FORMAT, bytes->n == 0 ? "%s: it is empty" :
			       "%s: neither PEM nor PKCS12", how->name);
	}
}

/* The bytes of `cm`, from its file or from memory. */
static bool get_bytes(const struct client_material *cm, struct store_how *how, const char *pem_setting, struct secret *bytes,
		      bool *others_may_read, struct err *err)
{
	*others_may_read = false;
	if (cm->location) {
		how->name = cm->location;
		return slurp_file(cm->location, STORE_MAX_BYTES, bytes, others_may_read, err);
	}
	how->name = pem_setting;
	secret_setn(bytes, secret_reveal(&cm->pem), cm->pem.n);
	return true;
}

static bool open_items(const struct client_material *cm, struct store_how *how, const char *pem_setting,
		       enum store_kind *kind, struct store_items *it, struct store_notes *notes, struct err *err)
{
	bool others_may_read;
	struct secret bytes;
	bool is_ok;

	secret_init(&bytes);
	is_ok = get_bytes(cm, how, pem_setting, &bytes, &others_may_read, err) && read_items(&bytes, how, kind, it, err);
	secret_fini(&bytes);
	ERR_clear_error();
	if (is_ok && it->n_shrouded > 0 && others_may_read)
		note(notes, "%s: it holds a private key, and everybody on this machine may read it; chmod o-r mends that", how->name);
	return is_ok;
}

/* ---- writing PEM -------------------------------------------------------------------------- */

static void put_cert(BIO *bio, X509 *x)
{
	if (PEM_write_bio_X509(bio, x) != 1)
		assert(!"a certificate that was read is written");
}

static char *take_text(BIO *bio)
{
	char *data, *text;
	long n = BIO_get_mem_data(bio, &data);

	text = mem_strndup(data, n > 0 ? (size_t)n : 0);
	BIO_free(bio);
	return text;
}

static bool write_key(EVP_PKEY *key, const struct store_how *how, struct secret *out, struct err *err)
{
	BIO *bio = BIO_new(BIO_s_mem()); /* wipes what it held (BUF_MEM_free) */
	bool is_ok = PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1;
	char *data;
	long n = BIO_get_mem_data(bio, &data);

	if (is_ok)
		secret_setn(out, data, (size_t)n);
	else
		err_set(err, ERR_UNSUPPORTED, "%s: its private key is of a kind that has no PEM form", how->name);
	BIO_free(bio);
	return is_ok;
}

/* ---- trust --------------------------------------------------------------------------------- */

static bool is_same_id(const struct store_key_id *a, const struct store_key_id *b)
{
	return a->n > 0 && a->n == b->n && memcmp(a->v, b->v, a->n) == 0;
}

/* Java's own certificate of a key: the first in the store that carries its id. */
static bool is_keys_own(const struct store_items *it, size_t i)
{
	for (size_t k = 0; k < it->n_keys; k++) {
		size_t first = 0;

		while (first < it->n_certs && !is_same_id(&it->certs[first].id, &it->keys[k].id))
			first++;
		if (first == i)
			return true;
	}
	return false;
}

/* Marks what Java would trust; in a store where it would see no certificate at all, everything. */
static void choose_trusted(struct store_items *it, const struct store_how *how, struct store_notes *notes)
{
	size_t n = 0;

	for (size_t i = 0; i < it->n_certs; i++) {
		it->certs[i].is_trusted = it->certs[i].is_trusted || is_keys_own(it, i);
		n += it->certs[i].is_trusted;
	}
	if (n > 0 || it->n_certs == 0)
		return;
	for (size_t i = 0; i < it->n_certs; i++)
		it->certs[i].is_trusted = true;
	note(notes, "%s: none of its certificates is marked as trusted, so Java would see none; all are taken here", how->name);
}

static void write_trust(const struct store_items *it, const struct store_how *how, wall_ms now, struct store_trust *out)
{
	BIO *bio = BIO_new(BIO_s_mem());
	size_t n_over = 0;

	for (size_t i = 0; i < it->n_certs; i++) {
		if (!it->certs[i].is_trusted)
			continue;
		put_cert(bio, it->certs[i].x);
		out->n++;
		if (n_over < EXPIRED_NAMED_MAX)
			n_over += note_validity(&out->notes, how->name, it->certs[i].x, now);
	}
	out->pem = take_text(bio);
}

bool stores_has_trust(const struct client_tls *tls)
{
	return tls->trust.location || secret_is_set(&tls->trust.pem);
}

bool stores_open_trust(const struct client_material *from, wall_ms now, struct store_trust *out, struct err *err)
{
	struct store_how how = { .password = &from->password, .password_setting = "ssl.truststore.password" };
	struct store_items it = { .n_certs = 0 };
	bool is_ok;

	assert(from->location || secret_is_set(&from->pem));
	*out = (struct store_trust){ .pem = NULL };
	is_ok = open_items(from, &how, "ssl.truststore.certificates", &out->kind, &it, &out->notes, err);
	if (is_ok && it.n_certs == 0)
		is_ok = err_set(err, ERR_FORMAT, "%s: there is no certificate in it", how.name);
	if (is_ok) {
		choose_trusted(&it, &how, &out->notes);
		write_trust(&it, &how, now, out);
		out->is_legacy = it.legacy.ctx != NULL;
	}
	store_items_fini(&it);
	if (!is_ok)
		store_trust_fini(out);
	return is_ok;
}

void store_trust_fini(struct store_trust *tr)
{
	mem_free(&tr->pem);
	store_notes_fini(&tr->notes);
	*tr = (struct store_trust){ .pem = NULL };
}

/* ---- identity ------------------------------------------------------------------------------- */

/* The certificate that has the key's public half; SIZE_MAX when there is none. */
static size_t find_own_cert(const struct store_items *certs, EVP_PKEY *key)
{
	for (size_t i = 0; i < certs->n_certs; i++)
		if (EVP_PKEY_eq(X509_get0_pubkey(certs->certs[i].x), key) == 1)
			return i;
	return SIZE_MAX;
}

static size_t find_issuer(const struct store_items *certs, X509 *of, const bool *used)
{
	for (size_t i = 0; i < certs->n_certs; i++)
		if (!used[i] && X509_check_issued(certs->certs[i].x, of) == X509_V_OK)
			return i;
	return SIZE_MAX;
}

/* From the own certificate up to where the store, or the chain, ends. */
static void write_chain(const struct store_items *certs, size_t own, const struct store_how *how, wall_ms now,
			struct store_identity *out)
{
	bool *used = mem_array(certs->n_certs, sizeof(*used));
	BIO *bio = BIO_new(BIO_s_mem());

	for (size_t at = own; at != SIZE_MAX;) {
		X509 *x = certs->certs[at].x;

		used[at] = true;
		put_cert(bio, x);
		out->n_chain++;
		if (out->n_chain <= EXPIRED_NAMED_MAX)
			note_validity(&out->notes, how->name, x, now);
		at = X509_check_issued(x, x) == X509_V_OK ? SIZE_MAX : find_issuer(certs, x, used);
	}
	out->chain_pem = take_text(bio);
	mem_free(&used);
}

/* `certs` and `keys` are the same where a store holds both. */
static bool choose_identity(const struct store_items *certs, const struct store_items *keys, const struct store_how *how,
			    wall_ms now, struct store_identity *out, struct err *err)
{
	size_t own = SIZE_MAX, k = 0;

	if (keys->n_keys == 0)
		return err_set(err, ERR_FORMAT, "%s: there is no private key in it", how->name);
	if (certs->n_certs == 0)
		return err_set(err, ERR_FORMAT, "%s: there is no certificate for its private key", how->name);
	for (; k < keys->n_keys && own == SIZE_MAX; k++)
		own = find_own_cert(certs, keys->keys[k].key);
	if (own == SIZE_MAX)
		return err_set(err, ERR_FORMAT, "%s: no certificate fits its private key", how->name);
	if (keys->n_keys > 1)
		note(&out->notes, "%s: it holds %zu private keys; the first that has a certificate is taken", how->name,
		     keys->n_keys);
	write_chain(certs, own, how, now, out);
	return write_key(keys->keys[k - 1].key, how, &out->key_pem, err);
}

static bool open_keystore(const struct client_tls *tls, wall_ms now, struct store_identity *out, struct err *err)
{
	struct store_how how = { .password = &tls->keystore.password, .password_setting = "ssl.keystore.password",
				 .key_password = &tls->key_password, .wants_keys = true };
	struct store_items it = { .n_certs = 0 };
	bool is_ok = open_items(&tls->keystore, &how, "", &out->kind, &it, &out->notes, err) &&
		     choose_identity(&it, &it, &how, now, out, err);

	out->is_legacy = it.legacy.ctx != NULL;
	store_items_fini(&it);
	return is_ok;
}

static bool open_pair(const struct client_tls *tls, wall_ms now, struct store_identity *out, struct err *err)
{
	struct store_how key_how = { .password = &tls->key_password, .password_setting = "ssl.key.password",
				     .key_password = &tls->key_password, .wants_keys = true };
	struct store_how chain_how = { .password = &tls->key_password, .password_setting = "ssl.key.password" };
	struct store_items key = { .n_certs = 0 }, chain = { .n_certs = 0 };
	enum store_kind ignored;
	bool is_ok = open_items(&tls->key, &key_how, "ssl.keystore.key", &out->kind, &key, &out->notes, err) &&
		     open_items(&tls->chain, &chain_how, "ssl.keystore.certificate.chain", &ignored, &chain, &out->notes, err) &&
		     choose_identity(&chain, &key, &key_how, now, out, err);

	out->is_legacy = key.legacy.ctx != NULL;
	store_items_fini(&chain);
	store_items_fini(&key);
	return is_ok;
}

bool stores_has_identity(const struct client_tls *tls)
{
	return tls->keystore.location || tls->key.location || secret_is_set(&tls->key.pem);
}

bool stores_open_identity(const struct client_tls *tls, wall_ms now, struct store_identity *out, struct err *err)
{
	bool is_ok;

	assert(stores_has_identity(tls));
	*out = (struct store_identity){ .chain_pem = NULL };
	is_ok = tls->keystore.location ? open_keystore(tls, now, out, err) : open_pair(tls, now, out, err);
	ERR_clear_error();
	if (!is_ok)
		store_identity_fini(out);
	return is_ok;
}

void store_identity_fini(struct store_identity *si)
{
	mem_free(&si->chain_pem);
	secret_fini(&si->key_pem);
	store_notes_fini(&si->notes);
	*si = (struct store_identity){ .chain_pem = NULL };
}
