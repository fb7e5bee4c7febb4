/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of io/net_tls share. Nobody else includes this. */
#ifndef IO_NET_TLS_PARTS_H
#define IO_NET_TLS_PARTS_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "base/err.h"
#include "core/zkconnect.h"
#include "io/net_tls.h"
#include "io/stores.h"

struct client_tls;

enum { NET_FIRST_BYTES = 4 };

/* The rules, made once. */
struct net_tls {
	SSL_CTX *ctx;
	BIO_METHOD *socket;   /* send(2) without SIGPIPE; keeps the peer's first bytes */
	bool must_verify, must_check_host;
	bool has_own_trust;   /* else the system's CAs */
	bool has_identity;
	struct store_notes trust_notes, own_notes;
};

struct net_session {
	const struct net_tls *tls; /* borrowed */
	SSL *ssl;
	int fd;                    /* borrowed */
	char host[ZKCONNECT_HOST_MAX];
	unsigned char first[NET_FIRST_BYTES]; /* of what the peer said */
	size_t n_first;
	bool is_eof;
	bool was_asked;            /* for a certificate of ours */
	bool was_read;             /* anything, so we were let in */
	int sys_errno;             /* of the last call on the socket */
	struct err unverified;     /* why its certificate was refused; ERR_NONE else */
};

/* Says in ns->unverified what is wrong with the certificate that `sc` has stopped at. The first fault counts. */
void net_tls_blame(struct net_session *ns, X509_STORE_CTX *sc);
/* Why OpenSSL gave up, from its queue of errors and what is known of the peer. */
void net_tls_explain(const struct net_session *ns, struct err *err);
/* The peer ended it: true when it is likely that our certificate, or none, is why. */
bool net_tls_explain_end(const struct net_session *ns, struct err *err);

/* Trusts what `from` says; fills in has_own_trust and trust_notes. */
bool net_tls_set_trust(struct net_tls *tls, const struct client_tls *from, wall_ms now, struct err *err) __attribute__((warn_unused_result));

/* "<what>: " and what OpenSSL said last. Always false. */
bool net_tls_openssl_fails(const char *what, struct err *err);
/* The next certificate of some PEM; NULL behind the last. */
X509 *net_tls_next_cert(BIO *bio);

/* Ciphers of ssl.cipher.suites into `ctx`; takes from *versions (CLIENT_TLS_*) what has none left. */
bool net_tls_set_ciphers(SSL_CTX *ctx, const char *names, unsigned *versions, struct err *err) __attribute__((warn_unused_result));

#endif
