/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which CAs are believed: those of a file, of a folder (ssl.ca.location of librdkafka may be one), or of this system.
 * A folder is looked through by OpenSSL at each handshake, for a name made of a hash (openssl-rehash(1)): a folder without such
 * names would believe nobody and never say why, so it is refused, like a system that has none.
 */
#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/err.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/net_tls_parts.h"

/* ---- folders ------------------------------------------------------------------------------ */

/* 5ed36f99.0 */
static bool is_hash_name(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	return n == 8 && name[8] == '.' && name[9] != '\0' && name[9 + strspn(name + 9, "0123456789")] == '\0';
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool folder_has_certs(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *de;
	bool has = false;

	if (!dir)
		return false;
	while (!has && (de = readdir(dir)) != NULL)
		has = is_hash_name(de->d_name);
	closedir(dir);
	return has;
}

/* ---- of this system ----------------------------------------------------------------------- */

static const char *system_place(const char *variable, const char *otherwise)
{
	const char *v = getenv(variable);

	return v ? v : otherwise;
}

/* `list` has colons between. */
static bool some_folder_has_certs(const char *list)
{
	char path[4096];

	for (const char *at = list; *at != '\0'; at += strspn(at, ":")) {
		size_t n = strcspn(at, ":");

		if (str_copyn(path, sizeof(path), at, n) && folder_has_certs(path))
			return true;
		at += n;
	}
	return false;
}

static bool use_system(struct net_tls *tls, struct err *err)
{
	const char *file = system_place(X509_get_default_cert_file_env(), X509_get_default_cert_file());
	const char *folders = system_place(X509_get_default_cert_dir_env(), X509_get_default_cert_dir());

	if (SSL_CTX_set_default_verify_paths(tls->ctx) != 1)
		return net_tls_openssl_fails("this system's CAs", err);
	/* The file is read at once, folders are not. */
	if (!tls->must_verify || sk_X509_OBJECT_num(X509_STORE_get0_objects(SSL_CTX_get_cert_store(tls->ctx))) > 0 ||
	    some_folder_has_certs(folders))
		return true;
	return err_set(err, ERR_NOT_FOUND, "this system has no CAs (looked into %s and %s); set ssl.truststore.location to a file with "
		       "the CA of the brokers' certificates", file, folders);
}

/* ---- of the settings ---------------------------------------------------------------------- */

static bool use_folder(struct net_tls *tls, const char *path, struct err *err)
{
	if (!folder_has_certs(path))
		return err_set(err, ERR_NOT_FOUND, "%s: a folder without certificates under the names OpenSSL looks for; "
			       "run openssl rehash on it, or name a file", path);
	return SSL_CTX_load_verify_dir(tls->ctx, path) == 1 || net_tls_openssl_fails(path, err);
}

static void trust_pem(X509_STORE *store, const char *pem)
{
	BIO *bio = BIO_new_mem_buf(pem, -1);
	X509 *x;

	while ((x = net_tls_next_cert(bio)) != NULL) {
		if (X509_STORE_add_cert(store, x) != 1)
			assert(!"a certificate fits into a store");
		X509_free(x);
	}
	BIO_free(bio);
}

bool net_tls_set_trust(struct net_tls *tls, const struct client_tls *from, wall_ms now, struct err *err)
{
	X509_STORE *store = SSL_CTX_get_cert_store(tls->ctx);
	struct store_trust trust;

	tls->has_own_trust = stores_has_trust(from);
	if (!tls->has_own_trust)
		return use_system(tls, err);
	if (from->trust.location && is_folder(from->trust.location))
		return use_folder(tls, from->trust.location, err);
	if (!stores_open_trust(&from->trust, now, &trust, err))
		return false;
	trust_pem(store, trust.pem);
	X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
	store_notes_move(&tls->trust_notes, &trust.notes);
	store_trust_fini(&trust);
	return true;
}
