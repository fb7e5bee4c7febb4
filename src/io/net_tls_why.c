/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenSSL's faults as sentences: of certificates while they are verified, of
 * alerts that the peer sends, of bytes that are no TLS; and the names of ciphers.
 * What TLS calls an alert: RFC 8446 section 6.2. What Java sends: sun.security.ssl.Alert.
 */
#include <arpa/inet.h>
#include <string.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/net.h"
#include "io/net_tls_parts.h"

enum { NAMES_MAX = 4, NAME_MAX_BYTES = 80, RECORD_FIRST = 20, RECORD_LAST = 23 };

/* ---- certificates ------------------------------------------------------------------- */

static void put_cut(struct strbuf *out, const char *s, size_t n)
{
	strbuf_putn(out, s, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES);
}

static void put_name(struct strbuf *out, const X509_NAME *name)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *text;
	long n;

	X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB);
	n = BIO_get_mem_data(bio, &text);
	if (n > 0)
		put_cut(out, text, (size_t)n);
	else
		strbuf_put(out, "(no name)");
	BIO_free(bio);
}

static void put_day(struct strbuf *out, const ASN1_TIME *at)
{
	struct tm tm = { .tm_year = 0 };

	if (ASN1_TIME_to_tm(at, &tm) == 1)
		strbuf_printf(out, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	else
		strbuf_put(out, "a day that can't be read");
}

static void put_ip(struct strbuf *out, const ASN1_OCTET_STRING *ip)
{
	char text[INET6_ADDRSTRLEN] = "?";

	if (ip->length == 4 || ip->length == 16)
		inet_ntop(ip->length == 4 ? AF_INET : AF_INET6, ip->data, text, sizeof(text));
	strbuf_put(out, text);
}

/* Names and addresses; how many were put. */
static int put_alternatives(struct strbuf *out, const GENERAL_NAMES *names)
{
	int n = 0;

	for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
		const GENERAL_NAME *gn = sk_GENERAL_NAME_value(names, i);

		if (gn->type != GEN_DNS && gn->type != GEN_IPADD)
			continue;
		if (n++ >= NAMES_MAX)
			continue;
		strbuf_put(out, n > 1 ? ", " : "");
		if (gn->type == GEN_DNS)
			put_cut(out, (const char *)gn->d.dNSName->data, (size_t)gn->d.dNSName->length);
		else
			put_ip(out, gn->d.iPAddress);
	}
	if (n > NAMES_MAX)
		strbuf_printf(out, " and %d more", n - NAMES_MAX);
	return n;
}

/* "b1.example, b2.example": what a certificate is for. */
static void put_for(struct strbuf *out, X509 *x)
{
	GENERAL_NAMES *names = X509_get_ext_d2i(x, NID_subject_alt_name, NULL, NULL);

	if (!names || put_alternatives(out, names) == 0)
		put_name(out, X509_get_subject_name(x));
	GENERAL_NAMES_free(names);
}

static const char *whose_trust(const struct net_session *ns)
{
	return ns->tls->has_own_trust ? "the trust store (ssl.truststore.location) does not hold it" :
					"this system's CAs do not hold it, and no ssl.truststore.location is set";
}

static void put_validity(struct strbuf *out, X509 *x, int depth, bool is_over)
{
	strbuf_put(out, depth == 0 ? "its certificate" : "the certificate of its issuer");
	strbuf_put(out, " (");
	put_name(out, X509_get_subject_name(x));
	strbuf_put(out, is_over ? ") expired on " : ") isn't valid before ");
	put_day(out, is_over ? X509_get0_notAfter(x) : X509_get0_notBefore(x));
}

static void put_wrong_host(struct strbuf *out, const struct net_session *ns, X509 *x)
{
	strbuf_put(out, "its certificate is for ");
	put_for(out, x);
	strbuf_printf(out, ", not for %s; the name must be one of these (or ssl.endpoint.identification.algorithm empty)",
		      ns->host);
}

static void put_untrusted(struct strbuf *out, const struct net_session *ns, const char *what, const X509_NAME *name)
{
	strbuf_put(out, what);
	put_name(out, name);
	strbuf_printf(out, ", and %s", whose_trust(ns));
}

static void put_fault(struct strbuf *out, const struct net_session *ns, int fault, X509 *x, int depth)
{
	switch (fault) {
	case X509_V_ERR_CERT_HAS_EXPIRED:
	case X509_V_ERR_CERT_NOT_YET_VALID:
		put_validity(out, x, depth, fault == X509_V_ERR_CERT_HAS_EXPIRED);
		break;
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		put_wrong_host(out, ns, x);
		break;
	case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
		put_untrusted(out, ns, "its certificate is self-signed by ", X509_get_subject_name(x));
		break;
	case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
		put_untrusted(out, ns, "its certificate comes from an unknown CA, ", X509_get_subject_name(x));
		break;
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
	case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
		put_untrusted(out, ns, "its certificate comes from an unknown CA, ", X509_get_issuer_name(x));
		break;
	default:
		strbuf_put(out, "its certificate (");
		put_name(out, X509_get_subject_name(x));
		strbuf_printf(out, ") is refused: %s", X509_verify_cert_error_string(fault));
	}
}

void net_tls_blame(struct net_session *ns, X509_STORE_CTX *sc)
{
	X509 *x = X509_STORE_CTX_get_current_cert(sc);
	struct strbuf text;

	strbuf_init(&text);
	if (x)
		put_fault(&text, ns, X509_STORE_CTX_get_error(sc), x, X509_STORE_CTX_get_error_depth(sc));
	else
		strbuf_put(&text, X509_verify_cert_error_string(X509_STORE_CTX_get_error(sc)));
	err_set(&ns->unverified, ERR_REFUSED, "%s", text.s);
	strbuf_fini(&text);
}

/* ---- the rest of the handshake ------------------------------------------------------- */

/* NULL for an alert that says nothing to an operator. */
static const char *alert_text(const struct net_session *ns, int alert)
{
	switch (alert) {
	case SSL_AD_BAD_CERTIFICATE:
	case SSL_AD_UNSUPPORTED_CERTIFICATE:
	case SSL_AD_CERTIFICATE_UNKNOWN:
	case SSL_AD_CERTIFICATE_REQUIRED:
	case SSL_AD_NO_CERTIFICATE:
		return ns->tls->has_identity ? "it refuses our certificate (ssl.keystore.location)" :
					       "it wants a certificate of ours: set ssl.keystore.location";
	case SSL_AD_CERTIFICATE_EXPIRED:
		return "it refuses our certificate, for it is expired (ssl.keystore.location)";
	case SSL_AD_CERTIFICATE_REVOKED:
		return "it refuses our certificate, for it is revoked (ssl.keystore.location)";
	case SSL_AD_UNKNOWN_CA:
		return "it refuses our certificate, for it does not know the CA (ssl.keystore.location)";
	case SSL_AD_PROTOCOL_VERSION:
		return "no TLS version in common (ssl.enabled.protocols)";
	case SSL_AD_HANDSHAKE_FAILURE:
	case SSL_AD_INSUFFICIENT_SECURITY:
		return ns->tls->has_identity ? "it refuses the handshake: no cipher in common (ssl.cipher.suites), or not our certificate" :
			"it refuses the handshake: no cipher in common (ssl.cipher.suites), or it wants a certificate of ours "
			"(ssl.keystore.location)";
	case SSL_AD_UNRECOGNIZED_NAME:
		return "it does not know itself by this host's name";
	case SSL_AD_ACCESS_DENIED:
		return "it denies us access";
	default:
		return NULL;
	}
}

static bool is_tls(const struct net_session *ns)
{
	return ns->n_first == 0 || (ns->first[0] >= RECORD_FIRST && ns->first[0] <= RECORD_LAST &&
				    (ns->n_first == 1 || ns->first[1] == 3));
}

static bool explain_no_tls(const struct net_session *ns, struct err *err)
{
	const char *who = net_who_speaks(ns->first, ns->n_first);

	if (is_tls(ns))
		return false;
	if (who)
		err_set(err, ERR_FORMAT, "%s", who);
	else
		err_set(err, ERR_FORMAT, "it does not speak TLS: this port wants security.protocol PLAINTEXT or SASL_PLAINTEXT");
	return true;
}

/* Kafka's brokers before 3.x that miss a certificate write what is no TLS where their alert should be (seen: 1.1.1 to 2.8.2 with
 * Java 17, TLS 1.2 and 1.3): zeros from a buffer of SslTransportLayer. */
static bool is_garbage(const struct net_session *ns, int reason)
{
	return ns->was_asked && !ns->was_read && reason > 0 && reason < SSL_AD_REASON_OFFSET;
}

static void explain_reason(const struct net_session *ns, struct err *err)
{
	unsigned long queued = ERR_peek_error();
	int reason = ERR_GET_LIB(queued) == ERR_LIB_SSL ? ERR_GET_REASON(queued) : 0;
	const char *alert = alert_text(ns, reason - SSL_AD_REASON_OFFSET), *why = ERR_reason_error_string(queued);

	if (reason == SSL_R_UNSUPPORTED_PROTOCOL || reason == SSL_R_WRONG_SSL_VERSION || reason == SSL_R_WRONG_VERSION_NUMBER)
		alert = alert_text(ns, SSL_AD_PROTOCOL_VERSION);
	if (!alert && is_garbage(ns, reason))
		alert = alert_text(ns, SSL_AD_CERTIFICATE_REQUIRED);
	if (alert)
		err_set(err, ERR_REFUSED, "TLS: %s", alert);
	else
		err_set(err, ERR_NET, "TLS: %s", why ? why : "it failed");
}

void net_tls_explain(const struct net_session *ns, struct err *err)
{
	if (ns->unverified.code)
		err_set(err, ns->unverified.code, "%s", ns->unverified.text);
	else if (!explain_no_tls(ns, err))
		explain_reason(ns, err);
}

/* A reset overtakes the alert, when our first request was under way. */
bool net_tls_explain_end(const struct net_session *ns, struct err *err)
{
	if (!ns->was_asked || ns->was_read)
		return false;
	if (ns->tls->has_identity)
		err_set(err, ERR_NET, "it closed the connection after it got our certificate; does it refuse it (ssl.keystore.location)?");
	else
		err_set(err, ERR_NET, "it closed the connection after asking for a certificate of ours; does it want one "
			"(ssl.keystore.location)?");
	return true;
}

/* ---- ciphers -------------------------------------------------------------------------- */

/* Two lists for OpenSSL: of TLS 1.3 and of those before. */
struct suites {
	SSL_CTX *probe;
	struct strbuf new_ones, old_ones;
};

static bool is_new(const char *name)
{
	return str_starts(name, "TLS_") && !str_ends(name, "_SCSV"); /* signals, no ciphers; OpenSSL sends them by itself */
}

/* IANA's name (which is Java's, but for SSL_ before the oldest) as OpenSSL's; else it may be OpenSSL's already. */
static void add_suite(struct suites *su, const char *name, size_t n)
{
	char *given = mem_strndup(name, n);
	const char *known;
	bool is_known;

	if (str_starts(given, "SSL_"))
		memcpy(given, "TLS_", 4);
	known = OPENSSL_cipher_name(given);
	is_known = strcmp(known, "(NONE)") != 0;
	if (!is_known)
		known = given;
	if (is_known && is_new(known) && SSL_CTX_set_ciphersuites(su->probe, known) == 1)
		strbuf_printf(&su->new_ones, "%s%s", su->new_ones.len > 0 ? ":" : "", known);
	else if (!is_new(known) && SSL_CTX_set_cipher_list(su->probe, known) == 1)
		strbuf_printf(&su->old_ones, "%s%s", su->old_ones.len > 0 ? ":" : "", known);
	ERR_clear_error();
	mem_free(&given);
}

static void add_suites(struct suites *su, const char *names)
{
	for (size_t n; *names; names += n) {
		names += strspn(names, ",: \t");
		n = strcspn(names, ",: \t");
		if (n > 0)
			add_suite(su, names, n);
	}
}

static bool take_suites(struct suites *su, SSL_CTX *ctx, const char *names, unsigned *versions, struct err *err)
{
	if (su->new_ones.len == 0)
		*versions &= ~(unsigned)CLIENT_TLS_1_3;
	if (su->old_ones.len == 0)
		*versions &= CLIENT_TLS_1_3;
	if (su->new_ones.len == 0 && su->old_ones.len == 0)
		return err_set(err, ERR_UNSUPPORTED, "ssl.cipher.suites: OpenSSL has none of %s", names);
	if (*versions == 0)
		return err_set(err, ERR_UNSUPPORTED, "ssl.cipher.suites: none of these is of a version in ssl.enabled.protocols: %s", names);
	return (su->new_ones.len == 0 || SSL_CTX_set_ciphersuites(ctx, su->new_ones.s) == 1) &&
	       (su->old_ones.len == 0 || SSL_CTX_set_cipher_list(ctx, su->old_ones.s) == 1);
}

bool net_tls_set_ciphers(SSL_CTX *ctx, const char *names, unsigned *versions, struct err *err)
{
	struct suites su = { .probe = SSL_CTX_new(TLS_client_method()) };
	bool is_ok;

	strbuf_init(&su.new_ones);
	strbuf_init(&su.old_ones);
	add_suites(&su, names);
	is_ok = take_suites(&su, ctx, names, versions, err);
	if (!is_ok)
		err_set(err, ERR_UNSUPPORTED, "ssl.cipher.suites: OpenSSL does not take them: %s", names);
	strbuf_fini(&su.new_ones);
	strbuf_fini(&su.old_ones);
	SSL_CTX_free(su.probe);
	return is_ok;
}
