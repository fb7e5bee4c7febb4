/* SPDX-License-Identifier: Apache-2.0 */
/* What needs no keytool: tests/stores.sh has the rest. */
#include "io/stores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/slurp.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const wall_ms never = { 0 };

static void a_store_is_known_by_its_first_bytes(void **state)
{
	static const struct { const char *s; size_t n; enum store_kind kind; } cases[] = {
		{ "", 0, STORE_UNKNOWN },
		{ "0", 1, STORE_UNKNOWN },
		{ "\xfe\xed\xfe\xed\0\0\0\x02", 8, STORE_JKS },
		{ "\xfe\xed\xfe", 3, STORE_UNKNOWN },
		{ "\xce\xce\xce\xce\0\0\0\x02", 8, STORE_JCEKS },
		{ "\x30\x82\x01\x00\x02\x01\x03", 7, STORE_PKCS12 },
		{ "\x30\x80\x02\x01\x03", 5, STORE_PKCS12 },
		{ "\x30\x84\x00\x00\x01\x00\x02\x01\x03", 9, STORE_PKCS12 },
		{ "\x30\x03\x02\x01\x03", 5, STORE_PKCS12 },
		{ "\x30\x82\x01\x00\x30\x82", 6, STORE_DER },
		{ "\x30\x82\x01", 3, STORE_DER },
		{ "\x30\xff\x02\x02\x02\x02\x02\x02", 8, STORE_DER },
		{ "0 is a text", 11, STORE_UNKNOWN },
		{ "-----BEGIN CERTIFICATE-----\n", 28, STORE_PEM },
		{ "Bag Attributes\n  x\n-----BEGIN PRIVATE KEY-----\n", 47, STORE_PEM },
		{ "\xef\xbb\xbf-----BEGIN X-----", 20, STORE_PEM },
		{ "-----BEGIN", 10, STORE_UNKNOWN },
		{ "# a properties file\n", 20, STORE_UNKNOWN },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		if (store_kind_of(cases[i].s, cases[i].n) != cases[i].kind)
			fail_msg("case %zu: %s", i, store_kind_name(store_kind_of(cases[i].s, cases[i].n)));
}

static void assert_pem_refused(const char *pem, enum err_code code, const char *text)
{
	struct client_material from = { .location = NULL };
	struct store_trust tr;
	struct err err;

	err_init(&err);
	secret_set(&from.pem, pem);
	assert_false(stores_open_trust(&from, never, &tr, &err));
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, code);
	assert_null(tr.pem);
	secret_fini(&from.pem);
}

static void broken_pem_in_settings_is_a_sentence(void **state)
{
	assert_pem_refused("", ERR_FORMAT, "ssl.truststore.certificates: it is empty");
	assert_pem_refused("MIIC", ERR_FORMAT, "ssl.truststore.certificates: neither PEM nor PKCS12");
	assert_pem_refused("-----BEGIN CERTIFICATE", ERR_FORMAT,
			   "ssl.truststore.certificates: the line 1, which begins a PEM block, is damaged");
	assert_pem_refused("\n-----BEGIN CERTIFICATE-----\nMIIC", ERR_FORMAT,
			   "ssl.truststore.certificates: the PEM block that begins in line 2 has no end");
	assert_pem_refused("-----BEGIN CERTIFICATE-----\nMI*C\n-----END CERTIFICATE-----", ERR_FORMAT,
			   "ssl.truststore.certificates: the PEM block of line 1 has a letter that isn't base64");
	assert_pem_refused("-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----", ERR_FORMAT,
			   "ssl.truststore.certificates: the certificate of line 1 is damaged");
	assert_pem_refused("-----BEGIN CERTIFICATE-----X-Y: z-----END CERTIFICATE-----", ERR_FORMAT,
			   "ssl.truststore.certificates: the PEM block of line 1 has headers, so each needs a line of its own");
	assert_pem_refused("-----BEGIN X509 CRL-----\nMIIC\n-----END X509 CRL-----", ERR_FORMAT,
			   "ssl.truststore.certificates: there is no certificate in it");
}

static void a_key_that_is_no_key_is_a_sentence(void **state)
{
	struct client_tls tls = { .must_verify = true };
	struct store_identity si;
	struct err err;

	err_init(&err);
	assert_false(stores_has_identity(&tls));
	secret_set(&tls.key.pem, "-----BEGIN PRIVATE KEY----- pa55 -----END PRIVATE KEY-----");
	secret_set(&tls.chain.pem, "x");
	assert_true(stores_has_identity(&tls));
	assert_false(stores_open_identity(&tls, never, &si, &err));
	assert_string_equal(err.text, "ssl.keystore.key: the private key of line 1 is damaged, or of a kind that OpenSSL here "
			    "doesn't know");
	secret_fini(&tls.key.pem);
	secret_fini(&tls.chain.pem);
}

/* ---- io/slurp ------------------------------------------------------------------ */

static char *make_file(const char *text)
{
	char *path = mem_strdup("/tmp/kafops-test-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static void a_file_is_read_whole_up_to_a_bound(void **state)
{
	char *path = make_file("secret\n");
	bool others_may_read = true;
	struct secret sc;
	struct err err;

	secret_init(&sc);
	err_init(&err);
	assert_true(slurp_file(path, 7, &sc, &others_may_read, &err));
	assert_string_equal(secret_reveal(&sc), "secret\n");
	assert_false(others_may_read);
	assert_int_equal(chmod(path, 0644), 0);
	assert_true(slurp_file(path, 7, &sc, &others_may_read, &err));
	assert_true(others_may_read);
	assert_false(slurp_file(path, 6, &sc, NULL, &err));
	assert_int_equal(err.code, ERR_LIMIT);
	assert_false(secret_is_set(&sc));
	unlink(path);
	mem_free(&path);
}

static void what_cant_be_read_is_named(void **state)
{
	static const struct { const char *path, *text; enum err_code code; } cases[] = {
		{ "/no/such", "/no/such: No such file or directory", ERR_NOT_FOUND },
		{ "", ": No such file or directory", ERR_NOT_FOUND },
		{ "/tmp", "/tmp: a folder; a file is needed here", ERR_IO },
		{ "/dev/zero", "/dev/zero: no regular file", ERR_IO },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct secret sc;
		struct err err;

		secret_init(&sc);
		err_init(&err);
		assert_false(slurp_file(cases[i].path, 100, &sc, NULL, &err));
		assert_string_equal(err.text, cases[i].text);
		assert_int_equal(err.code, cases[i].code);
		assert_false(secret_is_set(&sc));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_is_known_by_its_first_bytes),
		cmocka_unit_test(broken_pem_in_settings_is_a_sentence),
		cmocka_unit_test(a_key_that_is_no_key_is_a_sentence),
		cmocka_unit_test(a_file_is_read_whole_up_to_a_bound),
		cmocka_unit_test(what_cant_be_read_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
