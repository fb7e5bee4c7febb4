/* SPDX-License-Identifier: Apache-2.0 */
/* What brokers do that want a certificate of ours, where it is no alert as the RFC has it. Against tests/peer on loopback. */
#include "io/net.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/clock.h"
#include "peer.h"

/* As Kafka 2.8.2 does by TLS 1.3: a record that no key fits. */
#define NO_TLS "raw 1703030014 0000000000000000000000000000000000000000"

static char *certs; /* the folder */

static char *in_certs(const char *name)
{
	char path[256];

	assert_true(str_printf(path, sizeof(path), "%s/%s", certs, name));
	return mem_strdup(path);
}

/* Until a byte has come, or a failure. */
static bool hear(struct net *nt, struct err *err)
{
	size_t n = 0;
	char c;

	for (;;) {
		struct pollfd fds[NET_FDS_MAX];

		if (!net_on_ready(nt, clock_mono(), err))
			return false;
		if (net_state(nt) == NET_OPEN && !net_read(nt, &c, 1, &n, err))
			return false;
		if (n == 1)
			return true;
		if (poll(fds, net_poll(nt, fds), PEER_PATIENCE_MS) == 0)
			fail_msg("nothing came");
	}
}

/* A peer that asks for a certificate if `asks`, then does as the script says. */
static void assert_fails(bool asks, const char *our_name, const char *script, enum err_code code, const char *text)
{
	char *cert = in_certs("good.pem"), *key = in_certs("good.key"), *ca = in_certs("ca.pem");
	const char *options[] = { "--tls", cert, key, asks ? "--ask-ca" : NULL, ca, NULL };
	struct client_tls from = { .versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3, .must_verify = true, .must_check_host = true };
	struct peer_run run = peer_start(options, script);
	struct net_tls *tls;
	struct net *nt;
	struct err err;

	err_init(&err);
	from.trust.location = ca;
	from.key.location = our_name ? in_certs("stranger.key") : NULL;
	from.chain.location = our_name ? in_certs("stranger.pem") : NULL;
	tls = net_tls_new(&from, clock_wall(), &err);
	if (!tls)
		fail_msg("%s", err.text);
	nt = net_new("127.0.0.1", run.port, tls, 20000, clock_mono());
	while (hear(nt, &err))
		;
	if (!str_ends(err.text, text))
		fail_msg("%s", err.text);
	assert_int_equal(err.code, code);
	net_free(&nt);
	net_tls_free(&tls);
	peer_stop(&run);
	mem_free(&from.key.location);
	mem_free(&from.chain.location);
	mem_free(&cert);
	mem_free(&key);
	mem_free(&ca);
}

static void bytes_that_are_no_tls_after_it_asked_for_a_certificate_mean_that_it_wants_one(void **state)
{
	assert_fails(true, NULL, "accept; " NO_TLS "; bye", ERR_REFUSED, "TLS: it wants a certificate of ours: set ssl.keystore.location");
}

static void with_a_certificate_they_mean_that_it_refuses_ours(void **state)
{
	assert_fails(true, "stranger", "accept; " NO_TLS "; bye", ERR_REFUSED, "TLS: it refuses our certificate (ssl.keystore.location)");
}

static void an_end_after_it_asked_for_a_certificate_says_so(void **state)
{
	static const char wants[] = "it closed the connection after asking for a certificate of ours; does it want one (ssl.keystore.location)?";
	static const char refuses[] = "it closed the connection after it got our certificate; does it refuse it (ssl.keystore.location)?";

	assert_fails(true, NULL, "accept; cut", ERR_NET, wants);
	assert_fails(true, NULL, "accept; reset", ERR_NET, wants);
	assert_fails(true, "stranger", "accept; reset", ERR_NET, refuses);
	assert_fails(false, NULL, "accept; cut", ERR_NET, "it closed the connection");
	assert_fails(true, NULL, "accept; send 616263; cut", ERR_NET, "it closed the connection");
}

static void without_having_asked_or_later_they_are_a_damage(void **state)
{
	assert_fails(false, NULL, "accept; " NO_TLS "; bye", ERR_NET, "TLS: decryption failed or bad record mac");
	assert_fails(true, NULL, "accept; send 616263; " NO_TLS "; bye", ERR_NET, "TLS: decryption failed or bad record mac");
}

static int set_up(void **state)
{
	certs = peer_certs();
	return 0;
}

static int tear_down(void **state)
{
	peer_certs_end(&certs);
	return 0;
}

/* Without openssl(1) there are no certificates. */
static int need_certs(void **state)
{
	if (!certs)
		skip();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(bytes_that_are_no_tls_after_it_asked_for_a_certificate_mean_that_it_wants_one, need_certs),
		cmocka_unit_test_setup(with_a_certificate_they_mean_that_it_refuses_ours, need_certs),
		cmocka_unit_test_setup(an_end_after_it_asked_for_a_certificate_says_so, need_certs),
		cmocka_unit_test_setup(without_having_asked_or_later_they_are_a_damage, need_certs),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
