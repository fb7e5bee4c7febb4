/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PEM as people have it: with words between the blocks, on one line in a
 * properties file, with blanks where line ends were (Kafka reads all of these:
 * DefaultSslEngineFactory.PemParser). OpenSSL wants lines of at most 64, so each
 * block is written anew and handed to it alone.
 */
#include "io/stores_parts.h"

#include <string.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "base/mem.h"
#include "base/str.h"

enum { PEM_LINE = 64 };

static const char begin_mark[] = "-----BEGIN ", end_mark[] = "-----END ", dashes[] = "-----";

struct block {
	const char *label, *body, *next; /* next: behind the whole */
	size_t label_n, body_n;
	unsigned line;                   /* where it begins, from 1 */
};

struct pem {
	const struct store_how *how;
	struct store_items *it;
	const char *start;
};

static unsigned line_of(const struct pem *pm, const char *at)
{
	unsigned line = 1;

	for (const char *s = pm->start; s < at; s++)
		line += *s == '\n';
	return line;
}

/* ---- blocks ------------------------------------------------------------------------ */

/* The next block from `s` on. False with err, or without when there is none. */
static bool next_block(const struct pem *pm, const char *s, struct block *bl, struct err *err)
{
	const char *begin = strstr(s, begin_mark), *end;
	char closing[128];

	if (!begin)
		return false;
	bl->line = line_of(pm, begin);
	bl->label = begin + strlen(begin_mark);
	end = strstr(bl->label, dashes);
	bl->label_n = end ? (size_t)(end - bl->label) : 0;
	if (bl->label_n == 0 || !str_printf(closing, sizeof(closing), "%s%.*s%s", end_mark, (int)bl->label_n, bl->label, dashes))
		return err_set(err, ERR_FORMAT, "%s: the line %u, which begins a PEM block, is damaged", pm->how->name, bl->line);
	bl->body = end + strlen(dashes);
	end = strstr(bl->body, closing);
	if (!end)
		return err_set(err, ERR_FORMAT, "%s: the PEM block that begins in line %u has no end", pm->how->name, bl->line);
	bl->body_n = (size_t)(end - bl->body);
	bl->next = end + strlen(closing);
	return true;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_base64(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '=';
}

static bool put_base64(const struct pem *pm, const struct block *bl, struct secret *out, struct err *err)
{
	unsigned column = 0;

	for (size_t i = 0; i < bl->body_n; i++) {
		char c = bl->body[i];

		if (is_space(c))
			continue;
		if (!is_base64(c))
			return err_set(err, ERR_FORMAT, "%s: the PEM block of line %u has a letter that isn't base64",
				       pm->how->name, bl->line);
		secret_putc(out, c);
		if (++column % PEM_LINE == 0)
			secret_putc(out, '\n');
	}
	if (column % PEM_LINE != 0) /* an empty line would end headers that aren't there */
		secret_putc(out, '\n');
	return true;
}

/* Of a block with headers (Proc-Type, of old enciphered keys), which must be in lines already. */
static bool put_lines(const struct pem *pm, const struct block *bl, struct secret *out, struct err *err)
{
	size_t i = 0;

	while (i < bl->body_n && bl->body[i] != '\n' && is_space(bl->body[i]))
		i++;
	if (i == bl->body_n || bl->body[i] != '\n')
		return err_set(err, ERR_FORMAT, "%s: the PEM block of line %u has headers, so each needs a line of its own",
			       pm->how->name, bl->line);
	secret_putn(out, bl->body + i + 1, bl->body_n - i - 1);
	return true;
}

/* The block as OpenSSL wants it. */
static bool rewrite(const struct pem *pm, const struct block *bl, struct secret *out, struct err *err)
{
	bool has_headers = memchr(bl->body, ':', bl->body_n) != NULL;

	secret_set(out, begin_mark);
	secret_putn(out, bl->label, bl->label_n);
	secret_putn(out, "-----\n", 6);
	if (has_headers ? !put_lines(pm, bl, out, err) : !put_base64(pm, bl, out, err))
		return false;
	secret_putn(out, end_mark, strlen(end_mark));
	secret_putn(out, bl->label, bl->label_n);
	secret_putn(out, "-----\n", 6);
	return true;
}

static bool label_ends(const struct block *bl, const char *word)
{
	size_t n = strlen(word);

	return bl->label_n >= n && memcmp(bl->label + bl->label_n - n, word, n) == 0;
}

/* ---- keys ---------------------------------------------------------------------------- */

struct asked {
	const struct secret *password;
	bool was_asked;
};

static int give_password(char *buf, int size, int rwflag, void *ctx)
{
	struct asked *as = ctx;

	as->was_asked = true;
	if (as->password->n > (size_t)size)
		return -1;
	memcpy(buf, secret_reveal(as->password), as->password->n);
	return (int)as->password->n;
}

static EVP_PKEY *read_key_once(const struct secret *text, struct asked *as, OSSL_LIB_CTX *ctx)
{
	BIO *bio = BIO_new_mem_buf(secret_reveal(text), (int)text->n);
	EVP_PKEY *key = PEM_read_bio_PrivateKey_ex(bio, NULL, give_password, as, ctx, NULL);

	BIO_free(bio);
	return key;
}

/* With every form of the password; then once more with the ciphers of old. */
static EVP_PKEY *read_key(struct pem *pm, const struct secret *text, bool *was_asked)
{
	struct secret password;
	struct asked as = { &password, false };
	EVP_PKEY *key = NULL;

	secret_init(&password);
	for (unsigned round = 0; round < 2 && !key; round++) {
		if (round > 0 && (!as.was_asked || !store_legacy_load(&pm->it->legacy, pm->how, NULL)))
			break;
		for (unsigned i = 0; !key && store_password(pm->how->key_password, i, &password); i++)
			key = read_key_once(text, &as, pm->it->legacy.ctx);
	}
	secret_fini(&password);
	*was_asked = as.was_asked;
	return key;
}

static bool add_key(struct pem *pm, const struct block *bl, const struct secret *text, struct err *err)
{
	struct store_key sk = { NULL, { .n = 0 } };
	bool was_asked;

	pm->it->n_shrouded++;
	if (!pm->how->wants_keys)
		return store_items_add_key(pm->it, pm->how, sk, err);
	sk.key = read_key(pm, text, &was_asked);
	if (sk.key)
		return store_items_add_key(pm->it, pm->how, sk, err);
	if (was_asked && pm->how->key_password->n == 0)
		return err_set(err, ERR_REFUSED, "%s: the private key is enciphered; set ssl.key.password", pm->how->name);
	if (was_asked)
		return err_set(err, ERR_REFUSED, "%s: the password doesn't open the private key; mend ssl.key.password",
			       pm->how->name);
	return err_set(err, ERR_FORMAT, "%s: the private key of line %u is damaged, or of a kind that OpenSSL here doesn't know",
		       pm->how->name, bl->line);
}

/* ---- the whole ------------------------------------------------------------------------- */

static bool add_cert(struct pem *pm, const struct block *bl, const struct secret *text, struct err *err)
{
	BIO *bio = BIO_new_mem_buf(secret_reveal(text), (int)text->n);
	X509 *x = PEM_read_bio_X509(bio, NULL, NULL, NULL);

	BIO_free(bio);
	if (!x)
		return err_set(err, ERR_FORMAT, "%s: the certificate of line %u is damaged", pm->how->name, bl->line);
	return store_items_add_cert(pm->it, pm->how, (struct store_cert){ x, { .n = 0 }, true }, err);
}

static bool add_block(struct pem *pm, const struct block *bl, struct err *err)
{
	bool is_cert = label_ends(bl, "CERTIFICATE"), is_key = label_ends(bl, "PRIVATE KEY");
	struct secret text;
	bool is_ok = true;

	if (!is_cert && !is_key)
		return true; /* revocation lists, parameters */
	secret_init(&text);
	is_ok = rewrite(pm, bl, &text, err) && (is_cert ? add_cert(pm, bl, &text, err) : add_key(pm, bl, &text, err));
	secret_fini(&text);
	return is_ok;
}

bool store_read_pem(const struct secret *bytes, const struct store_how *how, struct store_items *it, struct err *err)
{
	struct pem pm = { how, it, secret_reveal(bytes) };
	const char *s = pm.start;
	struct err own;
	struct block bl = { .label = NULL };

	err_init(&own);
	while (next_block(&pm, s, &bl, &own)) {
		if (!add_block(&pm, &bl, &own))
			break;
		s = bl.next;
	}
	if (own.code == ERR_NONE)
		return true;
	return err_set(err, own.code, "%s", own.text);
}
