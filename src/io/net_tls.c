/* SPDX-License-Identifier: Apache-2.0 */
#include "io/net_tls.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/net.h"
#include "io/net_tls_parts.h"
#include "io/stores.h"

/* ---- the socket as OpenSSL sees it ---------------------------------------------------- */

static int after_io(BIO *bio, enum net_io io, size_t n)
{
	BIO_clear_retry_flags(bio);
	if (io == NET_IO_WANTS_IN)
		BIO_set_retry_read(bio);
	if (io == NET_IO_WANTS_OUT)
		BIO_set_retry_write(bio);
	return io == NET_IO_DONE ? (int)n : -1;
}

static int bio_read(BIO *bio, char *buf, int size)
{
	struct net_session *ns = BIO_get_data(bio);
	size_t n = 0;
	enum net_io io = net_socket_read(ns->fd, buf, (size_t)size, &n, &ns->sys_errno);

	for (size_t i = 0; io == NET_IO_DONE && i < n && ns->n_first < NET_FIRST_BYTES; i++)
		ns->first[ns->n_first++] = (unsigned char)buf[i];
	ns->is_eof |= io == NET_IO_CLOSED;
	return after_io(bio, io, n);
}

static int bio_write(BIO *bio, const char *bytes, int size)
{
	struct net_session *ns = BIO_get_data(bio);
	size_t n = 0;
	enum net_io io = net_socket_write(ns->fd, bytes, (size_t)size, &n, &ns->sys_errno);

	return after_io(bio, io, n);
}

static long bio_ctrl(BIO *bio, int what, long num, void *ptr)
{
	const struct net_session *ns = BIO_get_data(bio);

	if (what == BIO_CTRL_EOF)
		return ns->is_eof;
	return what == BIO_CTRL_FLUSH;
}

static BIO_METHOD *socket_method(void)
{
	BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "socket without SIGPIPE");

	if (!method || !BIO_meth_set_read(method, bio_read) || !BIO_meth_set_write(method, bio_write) ||
	    !BIO_meth_set_ctrl(method, bio_ctrl))
		assert(!"OpenSSL has room for a method");
	return method;
}

/* ---- rules ------------------------------------------------------------------------------ */

bool net_tls_openssl_fails(const char *what, struct err *err)
{
	const char *why = ERR_reason_error_string(ERR_peek_last_error());

	err_set(err, ERR_REFUSED, "%s: %s", what, why ? why : "OpenSSL does not take it");
	ERR_clear_error();
	return false;
}

X509 *net_tls_next_cert(BIO *bio)
{
	X509 *x = PEM_read_bio_X509(bio, NULL, NULL, NULL);

	ERR_clear_error();
	return x;
}

static bool use_chain(SSL_CTX *ctx, const char *pem, struct err *err)
{
	BIO *bio = BIO_new_mem_buf(pem, -1);
	X509 *x = net_tls_next_cert(bio);
	bool is_ok = x && SSL_CTX_use_certificate(ctx, x) == 1;

	X509_free(x);
	while (is_ok && (x = net_tls_next_cert(bio)) != NULL) {
		is_ok = SSL_CTX_add1_chain_cert(ctx, x) == 1;
		X509_free(x);
	}
	BIO_free(bio);
	return is_ok || net_tls_openssl_fails("our own certificate (ssl.keystore)", err);
}

static bool use_key(SSL_CTX *ctx, const struct secret *pem, struct err *err)
{
	BIO *bio = BIO_new_mem_buf(secret_reveal(pem), (int)pem->n);
	EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
	bool is_ok = key && SSL_CTX_use_PrivateKey(ctx, key) == 1 && SSL_CTX_check_private_key(ctx) == 1;

	EVP_PKEY_free(key);
	BIO_free(bio);
	return is_ok || net_tls_openssl_fails("our own key (ssl.keystore)", err);
}

static bool set_identity(struct net_tls *tls, const struct client_tls *from, wall_ms now, struct err *err)
{
	struct store_identity own;
	bool is_ok;

	tls->has_identity = stores_has_identity(from);
	if (!tls->has_identity)
		return true;
	if (!stores_open_identity(from, now, &own, err))
		return false;
	is_ok = use_chain(tls->ctx, own.chain_pem, err) && use_key(tls->ctx, &own.key_pem, err);
	store_notes_move(&tls->own_notes, &own.notes);
	store_identity_fini(&own);
	return is_ok;
}

static void set_versions(SSL_CTX *ctx, unsigned versions)
{
	static const struct { unsigned bit; uint64_t off; } all[] = {
		{ CLIENT_TLS_1_0, SSL_OP_NO_TLSv1 }, { CLIENT_TLS_1_1, SSL_OP_NO_TLSv1_1 },
		{ CLIENT_TLS_1_2, SSL_OP_NO_TLSv1_2 }, { CLIENT_TLS_1_3, SSL_OP_NO_TLSv1_3 },
	};

	/* The system's openssl.cnf may set a bound, which these two settings lift. */
	SSL_CTX_set_min_proto_version(ctx, 0);
	SSL_CTX_set_max_proto_version(ctx, 0);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!(versions & all[i].bit))
			SSL_CTX_set_options(ctx, all[i].off);
	if (!(versions & (CLIENT_TLS_1_2 | CLIENT_TLS_1_3)))
		SSL_CTX_set_security_level(ctx, 0);
}

static bool set_rules(struct net_tls *tls, const struct client_tls *from, struct err *err)
{
	unsigned versions = from->versions;

	if (from->ciphers && !net_tls_set_ciphers(tls->ctx, from->ciphers, &versions, err))
		return false;
	set_versions(tls->ctx, versions);
	SSL_CTX_set_mode(tls->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
			 SSL_MODE_RELEASE_BUFFERS);
	/* We don't take up sessions, and what is not asked for can't go wrong. */
	SSL_CTX_set_session_cache_mode(tls->ctx, SSL_SESS_CACHE_OFF);
	return true;
}

struct net_tls *net_tls_new(const struct client_tls *from, wall_ms now, struct err *err)
{
	struct net_tls *tls = mem_zalloc(sizeof(*tls));

	tls->ctx = SSL_CTX_new(TLS_client_method());
	assert(tls->ctx != NULL);
	tls->socket = socket_method();
	tls->must_verify = from->must_verify;
	tls->must_check_host = from->must_check_host;
	if (!set_rules(tls, from, err) || !net_tls_set_trust(tls, from, now, err) || !set_identity(tls, from, now, err))
		net_tls_free(&tls);
	ERR_clear_error();
	return tls;
}

void net_tls_free(struct net_tls **pp)
{
	if (*pp == NULL)
		return;
	SSL_CTX_free((*pp)->ctx);
	BIO_meth_free((*pp)->socket);
	store_notes_fini(&(*pp)->trust_notes);
	store_notes_fini(&(*pp)->own_notes);
	mem_free(pp);
}

const char *net_tls_note(const struct net_tls *tls, size_t i)
{
	if (i < tls->trust_notes.n)
		return tls->trust_notes.v[i];
	i -= tls->trust_notes.n;
	return i < tls->own_notes.n ? tls->own_notes.v[i] : NULL;
}

/* ---- sessions ------------------------------------------------------------------------------ */

static int on_verify(int is_ok, X509_STORE_CTX *sc)
{
	SSL *ssl = X509_STORE_CTX_get_ex_data(sc, SSL_get_ex_data_X509_STORE_CTX_idx());

	if (!is_ok)
		net_tls_blame(SSL_get_app_data(ssl), sc);
	return is_ok;
}

static bool is_address(const char *host)
{
	unsigned char buf[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, host, buf) == 1 || inet_pton(AF_INET6, host, buf) == 1;
}

/* Before our part of the handshake, when the peer wants or would take a certificate. */
static int on_asked(SSL *ssl, void *arg)
{
	struct net_session *ns = SSL_get_app_data(ssl);

	ns->was_asked = true;
	return 1;
}

/* A name is also said to the peer (SNI, RFC 6066: never an address), without a root's dot. */
static bool set_host(struct net_session *ns, struct err *err)
{
	size_t n = strlen(ns->host);
	bool is_ip = is_address(ns->host), is_ok = true;

	if (!is_ip && n > 1 && ns->host[n - 1] == '.')
		ns->host[n - 1] = '\0';
	if (!is_ip)
		is_ok = SSL_set_tlsext_host_name(ns->ssl, ns->host) == 1;
	if (ns->tls->must_check_host && ns->tls->must_verify) {
		SSL_set_hostflags(ns->ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
		is_ok = is_ok && (is_ip ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ns->ssl), ns->host) :
					  SSL_set1_host(ns->ssl, ns->host)) == 1;
	}
	return is_ok || net_tls_openssl_fails("the host's name", err);
}

struct net_session *net_session_new(struct net_tls *tls, const char *host, int fd, struct err *err)
{
	struct net_session *ns = mem_zalloc(sizeof(*ns));
	BIO *bio = BIO_new(tls->socket);

	ns->tls = tls;
	ns->fd = fd;
	err_init(&ns->unverified);
	ns->ssl = SSL_new(tls->ctx);
	assert(ns->ssl != NULL && bio != NULL);
	BIO_set_data(bio, ns);
	BIO_set_init(bio, 1);
	SSL_set_bio(ns->ssl, bio, bio);
	SSL_set_app_data(ns->ssl, ns);
	SSL_set_verify(ns->ssl, tls->must_verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, on_verify);
	SSL_set_cert_cb(ns->ssl, on_asked, NULL);
	SSL_set_connect_state(ns->ssl);
	if (!str_copy(ns->host, sizeof(ns->host), host) || !set_host(ns, err))
		net_session_free(&ns);
	return ns;
}

void net_session_free(struct net_session **pp)
{
	if (*pp == NULL)
		return;
	/* Not after a failure, where OpenSSL forbids it. */
	if (SSL_is_init_finished((*pp)->ssl))
		(void)SSL_shutdown((*pp)->ssl);
	SSL_free((*pp)->ssl);
	ERR_clear_error();
	mem_free(pp);
}

static void begin(struct net_session *ns)
{
	ERR_clear_error();
	ns->sys_errno = 0;
}

static enum net_io result(struct net_session *ns, int rc, struct err *err)
{
	int kind = SSL_get_error(ns->ssl, rc);

	if (rc > 0)
		return NET_IO_DONE;
	if (kind == SSL_ERROR_WANT_READ)
		return NET_IO_WANTS_IN;
	if (kind == SSL_ERROR_WANT_WRITE)
		return NET_IO_WANTS_OUT;
	if (kind == SSL_ERROR_ZERO_RETURN || ns->is_eof || ns->sys_errno == EPIPE || ns->sys_errno == ECONNRESET) {
		ERR_clear_error();
		SSL_set_quiet_shutdown(ns->ssl, 1);
		return net_tls_explain_end(ns, err) ? NET_IO_FAILED : NET_IO_CLOSED;
	}
	if (kind == SSL_ERROR_SYSCALL && ns->sys_errno)
		(void)net_socket_error(ns->sys_errno, err);
	net_tls_explain(ns, err);
	ERR_clear_error();
	SSL_set_quiet_shutdown(ns->ssl, 1);
	return NET_IO_FAILED;
}

enum net_io net_session_handshake(struct net_session *ns, struct err *err)
{
	begin(ns);
	return result(ns, SSL_do_handshake(ns->ssl), err);
}

enum net_io net_session_read(struct net_session *ns, void *buf, size_t size, size_t *n, struct err *err)
{
	enum net_io io;

	begin(ns);
	io = result(ns, SSL_read_ex(ns->ssl, buf, size, n), err);
	ns->was_read |= io == NET_IO_DONE;
	return io;
}

enum net_io net_session_write(struct net_session *ns, const void *bytes, size_t size, size_t *n, struct err *err)
{
	begin(ns);
	return result(ns, SSL_write_ex(ns->ssl, bytes, size, n), err);
}
