/* SPDX-License-Identifier: Apache-2.0 */
/* Against tests/peer on loopback. Where time matters it is a number; nothing sleeps. */
#include "io/net.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/clock.h"
#include "io/stores.h"
#include "peer.h"

/* ---- names ------------------------------------------------------------------ */

int __real_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out);
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out);

/* localhost is ::1, where nothing listens, then 127.0.0.1: also on a machine that has no file of hosts. */
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
	struct addrinfo numeric = *hints, *second = NULL;
	int rc;

	if (strcmp(node, "localhost") != 0)
		return __real_getaddrinfo(node, service, hints, out);
	numeric.ai_flags = (numeric.ai_flags & ~AI_ADDRCONFIG) | AI_NUMERICHOST;
	rc = __real_getaddrinfo("127.0.0.1", service, &numeric, &second);
	if (rc != 0)
		return rc;
	if (__real_getaddrinfo("::1", service, &numeric, out) == 0)
		(*out)->ai_next = second;
	else
		*out = second;
	return 0;
}

static char *certs; /* the folder */

static char *in_certs(const char *name)
{
	static char paths[4][256];
	static unsigned at;
	char *path = paths[at++ % 4];

	assert_true(str_printf(path, sizeof(paths[0]), "%s/%s", certs, name));
	return path;
}

/* ---- driving ------------------------------------------------------------------------ */

static void wait_for(struct net *nt)
{
	struct pollfd fds[NET_FDS_MAX];
	mono_ms until = net_deadline(nt);
	size_t n = net_poll(nt, fds);
	dur_ms patience = until.ms ? mono_since(until, clock_mono()) : PEER_PATIENCE_MS;

	if (poll(fds, n, patience < 0 ? 0 : (int)patience) == 0 && patience == PEER_PATIENCE_MS)
		fail_msg("nothing came");
}

/* To NET_OPEN or NET_FAILED. */
static bool drive(struct net *nt, struct err *err)
{
	while (net_on_ready(nt, clock_mono(), err)) {
		if (net_state(nt) == NET_OPEN)
			return true;
		wait_for(nt);
	}
	return false;
}


/* So many bytes, or the error. */
static bool hear(struct net *nt, char *buf, size_t size, struct err *err)
{
	for (size_t at = 0, n; at < size; at += n) {
		if (!net_read(nt, buf + at, size - at, &n, err))
			return false;
		if (n == 0)
			wait_for(nt);
	}
	return true;
}

static struct net_tls *tls_of(const char *trust, struct client_tls *from)
{
	struct net_tls *tls;
	struct err err;

	err_init(&err);
	from->trust.location = trust ? in_certs(trust) : NULL;
	from->must_verify = true;
	if (!from->versions)
		from->versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3;
	tls = net_tls_new(from, clock_wall(), &err);
	if (!tls)
		fail_msg("%s", err.text);
	return tls;
}

/* "127.0.0.1:PORT: " before the text. */
static void assert_told(const struct net *nt, const struct err *err, enum err_code code, const char *text)
{
	char whole[ERR_TEXT_MAX];

	(void)str_printf(whole, sizeof(whole), "%s: %s", net_name(nt), text);
	assert_string_equal(err->text, whole);
	assert_int_equal(err->code, code);
}

static void assert_begins(const struct net *nt, const struct err *err, enum err_code code, const char *text)
{
	char whole[ERR_TEXT_MAX];

	(void)str_printf(whole, sizeof(whole), "%s: %s", net_name(nt), text);
	if (!str_starts(err->text, whole))
		fail_msg("%s\n does not begin with %s", err->text, whole);
	assert_int_equal(err->code, code);
}

/* ---- TCP ------------------------------------------------------------------------------ */

static void bytes_go_both_ways(void **state)
{
	struct peer_run run = peer_start(NULL, "accept; expect ApiVersions 0; send 616263; bye");
	struct net *nt = net_new("127.0.0.1", run.port, NULL, 20000, clock_mono());
	char buf[3];
	size_t n;
	struct err err;

	err_init(&err);
	if (!drive(nt, &err))
		fail_msg("%s", err.text);
	assert_true(net_write(nt, "\0\0\0\x0a\0\x12\0\0\0\0\0\x01\0\0", 14, &n, &err));
	assert_int_equal(n, 14);
	assert_true(hear(nt, buf, 3, &err));
	assert_memory_equal(buf, "abc", 3);
	net_free(&nt);
	peer_end(&run);
}

static void a_name_is_resolved_and_every_address_tried(void **state)
{
	/* localhost is ::1, too, on most machines, where nothing listens. */
	struct peer_run run = peer_start(NULL, "accept; bye");
	struct net *nt = net_new("localhost", run.port, NULL, 20000, clock_mono());
	struct err err;

	err_init(&err);
	assert_int_equal(net_state(nt), NET_RESOLVING);
	if (!drive(nt, &err))
		fail_msg("%s", err.text);
	net_free(&nt);
	peer_end(&run);
}

static int port_of_nobody(void)
{
	struct peer_run run = peer_start(NULL, "pause");

	peer_stop(&run);
	return run.port;
}

static void a_refused_connection_is_named_and_the_error_stays(void **state)
{
	struct net *nt = net_new("127.0.0.1", port_of_nobody(), NULL, 20000, clock_mono());
	struct err err, again;
	char c;
	size_t n;

	err_init(&err);
	err_init(&again);
	assert_false(drive(nt, &err));
	assert_told(nt, &err, ERR_NET, "nothing listens there (connection refused)");
	assert_false(net_read(nt, &c, 1, &n, &again));
	assert_string_equal(again.text, err.text);
	assert_int_equal(net_state(nt), NET_FAILED);
	assert_int_equal(net_deadline(nt).ms, 0);
	net_free(&nt);
}

static void a_name_that_does_not_resolve_is_named(void **state)
{
	struct net *nt = net_new("no..such", 9092, NULL, 20000, clock_mono());
	struct err err;

	err_init(&err);
	assert_false(drive(nt, &err));
	assert_string_equal(err.text, "no..such:9092: name does not resolve");
	assert_int_equal(err.code, ERR_NET);
	net_free(&nt);
}

static void what_can_be_no_address_is_refused(void **state)
{
	struct net *nt = net_new("b1", 0, NULL, 20000, clock_mono());
	struct err err;

	err_init(&err);
	assert_false(drive(nt, &err));
	assert_string_equal(err.text, "b1:0: no name and port that can be connected to");
	net_free(&nt);
}

/* A listener whose queue is full drops further SYNs. */
static int full_listener(int fds[3])
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(sa);

	fds[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fds[0], (struct sockaddr *)&sa, sizeof(sa)), 0);
	assert_int_equal(listen(fds[0], 0), 0);
	assert_int_equal(getsockname(fds[0], (struct sockaddr *)&sa, &len), 0);
	for (int i = 1; i < 3; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (connect(fds[i], (struct sockaddr *)&sa, sizeof(sa)) != 0 && i == 1)
			poll(&(struct pollfd){ .fd = fds[i], .events = POLLOUT }, 1, PEER_PATIENCE_MS);
	}
	return ntohs(sa.sin_port);
}

static void no_answer_to_a_connection_is_a_time_out(void **state)
{
	int fds[3], port = full_listener(fds);
	struct net *nt = net_new("127.0.0.1", port, NULL, 5000, (mono_ms){ 1000 });
	struct err err;

	err_init(&err);
	assert_true(net_on_ready(nt, (mono_ms){ 1000 }, &err));
	assert_int_equal(net_state(nt), NET_CONNECTING);
	assert_int_equal(net_deadline(nt).ms, 6000);
	assert_true(net_on_ready(nt, (mono_ms){ 5999 }, &err));
	assert_false(net_on_ready(nt, (mono_ms){ 6000 }, &err));
	assert_told(nt, &err, ERR_TIMEOUT, "timed out: no answer to the connection within 5s; a firewall, or the machine is down");
	net_free(&nt);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

static void a_connection_that_is_closed_or_reset_says_so(void **state)
{
	struct peer_run run = peer_start(NULL, "accept; cut; accept; pause; reset");
	struct net *nt = net_new("127.0.0.1", run.port, NULL, 20000, clock_mono());
	struct err err;
	char c;

	err_init(&err);
	assert_true(drive(nt, &err));
	assert_false(net_is_closed(nt));
	assert_false(hear(nt, &c, 1, &err));
	assert_told(nt, &err, ERR_NET, "it closed the connection");
	assert_true(net_is_closed(nt));
	net_free(&nt);
	nt = net_new("127.0.0.1", run.port, NULL, 20000, clock_mono());
	err_init(&err);
	assert_true(drive(nt, &err));
	peer_go_on(&run);
	assert_false(hear(nt, &c, 1, &err));
	assert_told(nt, &err, ERR_NET, "the connection was reset");
	net_free(&nt);
	peer_end(&run);
}

static void the_first_bytes_say_who_speaks(void **state)
{
	assert_string_equal(net_who_speaks("HTTP", 4), "a web server answers there (HTTP), no Kafka broker");
	assert_string_equal(net_who_speaks("\x15\x03\x03\0\x02", 5),
			    "it answers with TLS: this port wants security.protocol SSL or SASL_SSL");
	assert_null(net_who_speaks("\0\0\0\x10", 4));
	assert_null(net_who_speaks("HTT", 3));
}

/* ---- TLS ---------------------------------------------------------------------------------- */

static const char *const *tls_options(const char *name)
{
	static const char *v[8];
	static char cert[256], key[256];

	assert_true(str_printf(cert, sizeof(cert), "%s/%s.pem", certs, name));
	assert_true(str_printf(key, sizeof(key), "%s/%s.key", certs, name));
	v[0] = "--tls";
	v[1] = cert;
	v[2] = key;
	v[3] = NULL;
	return v;
}

static const char *const *tls_options_more(const char *name, const char *option, const char *value)
{
	const char **v = (const char **)(uintptr_t)tls_options(name);

	v[3] = option;
	v[4] = value;
	v[5] = NULL;
	return v;
}

/* Shakes hands with a peer of certificate `name` by the rules, and says "abc" both ways. */
static void assert_talks(const char *const *options, const char *host, struct net_tls *tls)
{
	struct peer_run run = peer_start(options, "accept; send 616263; bye");
	struct net *nt = net_new(host, run.port, tls, 20000, clock_mono());
	struct err err;
	char buf[3];

	err_init(&err);
	if (!drive(nt, &err) || !hear(nt, buf, 3, &err))
		fail_msg("%s", err.text);
	assert_memory_equal(buf, "abc", 3);
	net_free(&nt);
	peer_end(&run);
	net_tls_free(&tls);
}

static void assert_refuses(const char *name, const char *host, struct net_tls *tls, const char *text)
{
	struct peer_run run = peer_start(tls_options(name), "accept-fails");
	struct net *nt = net_new(host, run.port, tls, 20000, clock_mono());
	struct err err;

	err_init(&err);
	assert_false(drive(nt, &err));
	assert_told(nt, &err, ERR_REFUSED, text);
	net_free(&nt);
	peer_end(&run);
	net_tls_free(&tls);
}

static void a_certificate_of_a_trusted_ca_for_this_host_is_taken(void **state)
{
	assert_talks(tls_options("good"), "localhost", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }));
	assert_talks(tls_options("good"), "127.0.0.1", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }));
	assert_talks(tls_options_more("good", "--tls-max", "1.2"), "localhost",
		     tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }));
}

static void a_certificate_that_is_itself_trusted_is_taken(void **state)
{
	assert_talks(tls_options("self-signed"), "localhost", tls_of("self-signed.pem", &(struct client_tls){ .must_check_host = true }));
	assert_talks(tls_options("good"), "localhost", tls_of("good.pem", &(struct client_tls){ .must_check_host = true }));
}

static void an_expired_certificate_is_named_with_its_day(void **state)
{
	assert_refuses("expired", "localhost", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }),
		       "its certificate (CN=localhost) expired on 2021-02-03");
	assert_refuses("early", "localhost", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }),
		       "its certificate (CN=localhost) isn't valid before 2090-01-02");
}

static void a_self_signed_certificate_is_named(void **state)
{
	assert_refuses("self-signed", "localhost", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }),
		       "its certificate is self-signed by CN=localhost, and the trust store (ssl.truststore.location) does not hold it");
}

static void an_unknown_ca_is_named(void **state)
{
	assert_refuses("good", "localhost", tls_of("other-ca.pem", &(struct client_tls){ .must_check_host = true }),
		       "its certificate comes from an unknown CA, CN=ca.example, and the trust store (ssl.truststore.location) does not hold it");
	setenv("SSL_CERT_FILE", in_certs("other-ca.pem"), 1);
	assert_refuses("good", "localhost", tls_of(NULL, &(struct client_tls){ .must_check_host = true }),
		       "its certificate comes from an unknown CA, CN=ca.example, and this system's CAs do not hold it, and no "
		       "ssl.truststore.location is set");
	unsetenv("SSL_CERT_FILE");
}

static void the_systems_cas_are_believed_where_none_are_named(void **state)
{
	setenv("SSL_CERT_FILE", in_certs("ca.pem"), 1);
	assert_talks(tls_options("good"), "localhost", tls_of(NULL, &(struct client_tls){ .must_check_host = true }));
	unsetenv("SSL_CERT_FILE");
}

static void a_system_without_cas_says_which_setting_names_some(void **state)
{
	struct client_tls from = { .must_verify = true, .versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3 };
	struct net_tls *tls;
	struct err err;

	setenv("SSL_CERT_FILE", "/nowhere/ca.pem", 1);
	setenv("SSL_CERT_DIR", "/nowhere/a:/nowhere/b", 1);
	err_init(&err);
	assert_null(net_tls_new(&from, clock_wall(), &err));
	assert_string_equal(err.text, "this system has no CAs (looked into /nowhere/ca.pem and /nowhere/a:/nowhere/b); set "
			    "ssl.truststore.location to a file with the CA of the brokers' certificates");
	assert_int_equal(err.code, ERR_NOT_FOUND);
	/* Who checks nothing needs none. */
	from.must_verify = false;
	tls = net_tls_new(&from, clock_wall(), &err);
	assert_non_null(tls);
	net_tls_free(&tls);
	unsetenv("SSL_CERT_FILE");
	unsetenv("SSL_CERT_DIR");
}

static void a_folder_of_cas_is_believed_if_openssl_finds_its_way(void **state)
{
	char folder[256], command[600];
	struct client_tls from = { .must_verify = true, .versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3, .trust.location = folder };
	struct err err;
	char text[ERR_TEXT_MAX];

	assert_true(str_copy(folder, sizeof(folder), in_certs("folder")));
	assert_true(str_printf(command, sizeof(command), "mkdir '%s' && cp '%s' '%s'", folder, in_certs("ca.pem"), folder));
	assert_int_equal(system(command), 0);
	err_init(&err);
	assert_null(net_tls_new(&from, clock_wall(), &err));
	str_printf(text, sizeof(text), "%s: a folder without certificates under the names OpenSSL looks for; run openssl rehash on it, "
		   "or name a file", folder);
	assert_string_equal(err.text, text);
	assert_true(str_printf(command, sizeof(command), "openssl rehash '%s'", folder));
	assert_int_equal(system(command), 0);
	assert_talks(tls_options("good"), "localhost", tls_of("folder", &(struct client_tls){ .must_check_host = true }));
	assert_refuses("self-signed", "localhost", tls_of("folder", &(struct client_tls){ .must_check_host = true }),
		       "its certificate is self-signed by CN=localhost, and the trust store (ssl.truststore.location) does not hold it");
}

static void what_is_noteworthy_in_stores_is_told(void **state)
{
	struct net_tls *tls = tls_of("expired.pem", &(struct client_tls){ .must_check_host = true });

	assert_non_null(net_tls_note(tls, 0));
	assert_non_null(strstr(net_tls_note(tls, 0), "the certificate of CN=localhost expired on "));
	assert_null(net_tls_note(tls, 1));
	net_tls_free(&tls);
}

static void a_certificate_for_another_host_says_for_whom(void **state)
{
	assert_refuses("wrong-host", "localhost", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }),
		       "its certificate is for b1.example, 192.0.2.7, not for localhost; the name must be one of these (or "
		       "ssl.endpoint.identification.algorithm empty)");
	assert_refuses("wrong-host", "127.0.0.1", tls_of("ca.pem", &(struct client_tls){ .must_check_host = true }),
		       "its certificate is for b1.example, 192.0.2.7, not for 127.0.0.1; the name must be one of these (or "
		       "ssl.endpoint.identification.algorithm empty)");
}

static void the_host_is_not_checked_where_it_need_not_be(void **state)
{
	assert_talks(tls_options("wrong-host"), "localhost", tls_of("ca.pem", &(struct client_tls){ .must_check_host = false }));
}

static void nothing_is_checked_where_verification_is_off(void **state)
{
	struct client_tls from = { .versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3, .must_check_host = true };
	struct err err;

	err_init(&err);
	assert_talks(tls_options("expired"), "localhost", net_tls_new(&from, clock_wall(), &err));
}

static void mutual_tls_works_with_pem_and_pkcs12(void **state)
{
	struct client_tls p12 = { .must_check_host = true, .keystore.location = in_certs("client.p12") };
	struct client_tls pem = { .must_check_host = true, .key.location = in_certs("client.key"), .chain.location = in_certs("client.pem") };
	char ca[256];

	assert_true(str_copy(ca, sizeof(ca), in_certs("ca.pem")));
	secret_set(&p12.keystore.password, "pass");
	p12.keystore.location = mem_strdup(in_certs("client.p12"));
	pem.key.location = mem_strdup(in_certs("client.key"));
	pem.chain.location = mem_strdup(in_certs("client.pem"));
	assert_talks(tls_options_more("good", "--client-ca", ca), "localhost", tls_of("ca.pem", &p12));
	assert_talks(tls_options_more("good", "--client-ca", ca), "localhost", tls_of("ca.pem", &pem));
	secret_fini(&p12.keystore.password);
	mem_free(&p12.keystore.location);
	mem_free(&pem.key.location);
	mem_free(&pem.chain.location);
}

/* By TLS 1.3 the refusal comes after the handshake, by 1.2 within it. */
static void assert_refused(struct client_tls *from, const char *max, const char *text)
{
	char ca[256];
	const char *v[8] = { NULL };
	struct net_tls *tls = tls_of("ca.pem", from);
	struct peer_run run;
	struct net *nt;
	struct err err;
	char c;

	assert_true(str_copy(ca, sizeof(ca), in_certs("ca.pem")));
	memcpy(v, tls_options_more("good", "--client-ca", ca), 5 * sizeof(*v));
	v[5] = "--tls-max";
	v[6] = max;
	run = peer_start(v, "accept-fails");
	nt = net_new("localhost", run.port, tls, 20000, clock_mono());
	err_init(&err);
	assert_false(drive(nt, &err) && hear(nt, &c, 1, &err));
	assert_begins(nt, &err, ERR_REFUSED, text);
	net_free(&nt);
	peer_end(&run);
	net_tls_free(&tls);
}

static void a_certificate_that_is_missing_or_refused_is_said(void **state)
{
	struct client_tls none = { .must_check_host = true }, other = { .must_check_host = true };

	other.key.location = mem_strdup(in_certs("stranger.key"));
	other.chain.location = mem_strdup(in_certs("stranger.pem"));
	assert_refused(&none, "1.3", "TLS: it wants a certificate of ours: set ssl.keystore.location");
	assert_refused(&none, "1.2", "TLS: it refuses the handshake: no cipher in common (ssl.cipher.suites), or it wants a certificate of ours");
	assert_refused(&other, "1.3", "TLS: it refuses our certificate, for it does not know the CA (ssl.keystore.location)");
	assert_refused(&other, "1.2", "TLS: it refuses our certificate, for it does not know the CA (ssl.keystore.location)");
	mem_free(&other.key.location);
	mem_free(&other.chain.location);
}

static void no_version_in_common_is_said(void **state)
{
	struct peer_run run = peer_start(tls_options_more("good", "--tls-max", "1.2"), "accept-fails");
	struct net_tls *tls = tls_of("ca.pem", &(struct client_tls){ .versions = CLIENT_TLS_1_3 });
	struct net *nt = net_new("localhost", run.port, tls, 20000, clock_mono());
	struct err err;

	err_init(&err);
	assert_false(drive(nt, &err));
	assert_told(nt, &err, ERR_REFUSED, "TLS: no TLS version in common (ssl.enabled.protocols)");
	net_free(&nt);
	peer_end(&run);
	net_tls_free(&tls);
}

static void ciphers_may_have_the_names_of_java_or_of_openssl(void **state)
{
	static char lists[][128] = {
		"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_NO_SUCH_CIPHER", "ECDHE-ECDSA-AES128-GCM-SHA256",
		"TLS_AES_256_GCM_SHA384", "TLS_EMPTY_RENEGOTIATION_INFO_SCSV, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		assert_talks(tls_options("good"), "localhost", tls_of("ca.pem", &(struct client_tls){ .ciphers = lists[i] }));
}

static void ciphers_that_nobody_has_are_a_sentence(void **state)
{
	char none[] = "TLS_NO_SUCH_CIPHER", old[] = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
	struct client_tls from = { .versions = CLIENT_TLS_1_3, .ciphers = none };
	struct err err;

	err_init(&err);
	assert_null(net_tls_new(&from, clock_wall(), &err));
	assert_string_equal(err.text, "ssl.cipher.suites: OpenSSL has none of TLS_NO_SUCH_CIPHER");
	err_init(&err);
	from.ciphers = old;
	assert_null(net_tls_new(&from, clock_wall(), &err));
	assert_string_equal(err.text, "ssl.cipher.suites: none of these is of a version in ssl.enabled.protocols: "
			    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
	assert_int_equal(err.code, ERR_UNSUPPORTED);
}

static void assert_no_tls(const char *script, enum err_code code, const char *text)
{
	struct peer_run run = peer_start(NULL, script);
	struct net_tls *tls = tls_of("ca.pem", &(struct client_tls){ .must_check_host = true });
	struct net *nt = net_new("127.0.0.1", run.port, tls, 20000, clock_mono());
	struct err err;

	err_init(&err);
	assert_false(drive(nt, &err));
	assert_told(nt, &err, code, text);
	net_free(&nt);
	peer_end(&run);
	net_tls_free(&tls);
}

static void what_is_no_tls_is_named(void **state)
{
	assert_no_tls("accept; text HTTP/1.1 400 Bad Request", ERR_FORMAT, "a web server answers there (HTTP), no Kafka broker");
	assert_no_tls("accept; send 0000000600000001002300", ERR_FORMAT,
		      "it does not speak TLS: this port wants security.protocol PLAINTEXT or SASL_PLAINTEXT");
	assert_no_tls("accept; cut", ERR_NET,
		      "it closed the connection during the TLS handshake, as a port without TLS does (is security.protocol right?)");
}

static void no_answer_to_a_handshake_is_a_time_out(void **state)
{
	struct peer_run run = peer_start(NULL, "accept; pause");
	struct net_tls *tls = tls_of("ca.pem", &(struct client_tls){ .must_check_host = true });
	struct net *nt = net_new("127.0.0.1", run.port, tls, 5000, (mono_ms){ 1000 });
	struct err err;

	err_init(&err);
	while (net_state(nt) < NET_HANDSHAKING) {
		struct pollfd fds[NET_FDS_MAX];

		assert_true(net_on_ready(nt, (mono_ms){ 1000 }, &err));
		poll(fds, net_poll(nt, fds), net_state(nt) < NET_HANDSHAKING ? PEER_PATIENCE_MS : 0);
	}
	assert_true(net_on_ready(nt, (mono_ms){ 5999 }, &err));
	assert_false(net_on_ready(nt, (mono_ms){ 6000 }, &err));
	assert_told(nt, &err, ERR_TIMEOUT, "timed out: no answer to the TLS handshake within 5s; a port without TLS, perhaps");
	net_free(&nt);
	net_tls_free(&tls);
	peer_stop(&run);
}

static int find_certs(void **state)
{
	certs = peer_certs();
	return 0;
}

static int end_certs(void **state)
{
	peer_certs_end(&certs);
	return 0;
}

static int need_certs(void **state)
{
	if (!certs)
		skip();
	return 0;
}

#define tls_test(f) cmocka_unit_test_setup(f, need_certs)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_go_both_ways),
		cmocka_unit_test(a_name_is_resolved_and_every_address_tried),
		cmocka_unit_test(a_refused_connection_is_named_and_the_error_stays),
		cmocka_unit_test(a_name_that_does_not_resolve_is_named),
		cmocka_unit_test(what_can_be_no_address_is_refused),
		cmocka_unit_test(no_answer_to_a_connection_is_a_time_out),
		cmocka_unit_test(a_connection_that_is_closed_or_reset_says_so),
		cmocka_unit_test(the_first_bytes_say_who_speaks),
		tls_test(a_certificate_of_a_trusted_ca_for_this_host_is_taken),
		tls_test(a_certificate_that_is_itself_trusted_is_taken),
		tls_test(an_expired_certificate_is_named_with_its_day),
		tls_test(a_self_signed_certificate_is_named),
		tls_test(an_unknown_ca_is_named),
		tls_test(the_systems_cas_are_believed_where_none_are_named),
		cmocka_unit_test(a_system_without_cas_says_which_setting_names_some),
		tls_test(a_folder_of_cas_is_believed_if_openssl_finds_its_way),
		tls_test(what_is_noteworthy_in_stores_is_told),
		tls_test(a_certificate_for_another_host_says_for_whom),
		tls_test(the_host_is_not_checked_where_it_need_not_be),
		tls_test(nothing_is_checked_where_verification_is_off),
		tls_test(mutual_tls_works_with_pem_and_pkcs12),
		tls_test(a_certificate_that_is_missing_or_refused_is_said),
		tls_test(no_version_in_common_is_said),
		tls_test(ciphers_may_have_the_names_of_java_or_of_openssl),
		tls_test(ciphers_that_nobody_has_are_a_sentence),
		tls_test(what_is_no_tls_is_named),
		tls_test(no_answer_to_a_handshake_is_a_time_out),
	};

	return cmocka_run_group_tests(tests, find_certs, end_certs);
}
