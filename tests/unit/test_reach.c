/* SPDX-License-Identifier: Apache-2.0 */
#include "app/reach.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/options.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/servers.h"
#include "io/clock.h"
#include "tests/unit/casefile.h"

static char folder[] = "/tmp/test_reach.XXXXXX";

/* In the folder; at most four at a time. */
static const char *in_folder(const char *name)
{
	static char paths[4][128];
	static unsigned at;
	char *path = paths[at++ % 4];

	assert_true(str_printf(path, sizeof(paths[0]), "%s/%s", folder, name));
	return path;
}

static const char *put_file(const char *name, const char *text, mode_t mode)
{
	const char *path = in_folder(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, mode), 0);
	return path;
}

/* Of a file "c" with this text, that nobody else may read. */
static struct reach *reach_of(const char *text)
{
	struct options opt = { .command_config = put_file("c", text, 0600) };

	return reach_new(&opt, clock_wall());
}

/* `expected` without the folder and a slash before it, as all files stand there. */
static void assert_error(const char *text, enum err_code code, const char *expected)
{
	struct reach *re = reach_of(text);
	struct strbuf sb;

	if (!reach_error(re))
		fail_msg("taken: %s", text);
	strbuf_init(&sb);
	strbuf_printf(&sb, "%s/c: %s", folder, expected);
	assert_string_equal(reach_error(re)->text, sb.s);
	assert_int_equal(reach_error(re)->code, code);
	strbuf_fini(&sb);
	reach_free(&re);
}

static void assert_no_error(const struct reach *re)
{
	if (reach_error(re))
		fail_msg("%s", reach_error(re)->text);
}

/* All notes begin with the folder; `expected` is one of them from there on. */
static void assert_note(const struct reach *re, const char *expected)
{
	const char *text;

	for (size_t i = 0; (text = reach_note(re, i)) != NULL; i++)
		if (str_starts(text, folder) && strcmp(text + strlen(folder) + 1, expected) == 0)
			return;
	for (size_t i = 0; (text = reach_note(re, i)) != NULL; i++)
		print_error("note: %s\n", text);
	fail_msg("no note: %s", expected);
}

static void assert_no_note(const struct reach *re)
{
	if (reach_note(re, 0))
		fail_msg("%s", reach_note(re, 0));
}

/* ---- brokers --------------------------------------------------------------------- */

static void without_a_file_it_is_plaintext_and_nobody(void **state)
{
	struct options opt = { .command_config = NULL };
	struct reach *re = reach_new(&opt, clock_wall());

	assert_no_error(re);
	assert_no_note(re);
	assert_int_equal(reach_config(re)->protocol, CLIENT_PLAINTEXT);
	assert_int_equal(reach_config(re)->request_timeout_ms, CLIENT_REQUEST_TIMEOUT_DEFAULT_MS);
	assert_null(reach_tls(re));
	assert_false(client_protocol_has_sasl(reach_config(re)->protocol));
	assert_null(reach_file(re));
	assert_null(reach_zk_digest(re));
	assert_int_equal(reach_bootstrap(re)->n, 0);
	assert_string_equal(reach_client_id(re), "kafops");
	reach_free(&re);
	assert_null(re);
}

static void a_file_says_where_and_who(void **state)
{
	struct reach *re = reach_of("bootstrap.servers=b1:9092, [2001:db8::1]:9093\nclient.id=ops\nsecurity.protocol=SASL_PLAINTEXT\n"
				    "sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=p\n");

	assert_no_error(re);
	assert_no_note(re);
	assert_int_equal(reach_bootstrap(re)->n, 2);
	assert_string_equal(reach_bootstrap(re)->servers[1].host, "2001:db8::1");
	assert_string_equal(reach_client_id(re), "ops");
	assert_true(client_protocol_has_sasl(reach_config(re)->protocol));
	assert_string_equal(reach_config(re)->login.username, "u");
	assert_null(reach_tls(re));
	reach_free(&re);
}

static void the_option_comes_before_the_file(void **state)
{
	struct options opt = { .command_config = put_file("c", "\nmetadata.broker.list=b1\n", 0600) };
	struct reach *re;

	assert_true(bootstrap_parse("b2:1", &opt.bootstrap, NULL));
	re = reach_new(&opt, clock_wall());
	assert_no_error(re);
	assert_string_equal(reach_bootstrap(re)->servers[0].host, "b2");
	assert_note(re, "c:2: metadata.broker.list is not used, for --bootstrap-server says which brokers to begin with");
	reach_free(&re);
}

static void an_error_names_file_line_and_setting(void **state)
{
	assert_error("\n bootstrap.servers=b1\n", ERR_USAGE,
		     "line 2, column 2: bootstrap.servers: \"b1\" has no port; write host:port,host:port");
	assert_error("metadata.broker.list = b1:x", ERR_USAGE,
		     "line 1, column 1: metadata.broker.list: \"b1:x\": \"x\" is not a port (1 to 65535)");
	assert_error("security.protocol=TLS", ERR_USAGE,
		     "line 1, column 1: security.protocol: \"TLS\" is none of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL");
	assert_error("a=\\u12", ERR_FORMAT, "line 1, column 3: behind \\u four hexadecimal digits are needed; a backslash itself is written \\\\");
	assert_error("security.protocol=SSL\nssl.ca.location=/nowhere/ca.pem\n", ERR_NOT_FOUND,
		     "line 2, column 1: ssl.ca.location: /nowhere/ca.pem: No such file or directory");
	assert_error("security.protocol=SSL\nssl.truststore.certificates=none\n", ERR_FORMAT,
		     "line 2, column 1: ssl.truststore.certificates: neither PEM nor PKCS12");
	assert_error("security.protocol=SSL\nenable.ssl.certificate.verification=false\nssl.cipher.suites=TLS_NO_SUCH\n", ERR_UNSUPPORTED,
		     "line 3, column 1: ssl.cipher.suites: OpenSSL has none of TLS_NO_SUCH");
	assert_error("sasl.mechanism=PLAIN\nsecurity.protocol=SASL_SSL\nsasl.username=u\nsasl.password=env:NOWHERE_TO_BE_FOUND\n", ERR_NOT_FOUND,
		     "line 4, column 15: sasl.password: NOWHERE_TO_BE_FOUND is not in the environment");
}

static void what_is_refused_is_listed_all_the_same(void **state)
{
	struct reach *re = reach_of("security.protocol=TLS\nsasl.password=geheim\n");

	assert_non_null(reach_error(re));
	assert_int_equal(reach_config(re)->n_settings, 2);
	assert_string_equal(reach_config(re)->settings[1].shown, "***");
	assert_no_note(re);
	reach_free(&re);
}

static void a_file_that_is_none_is_an_error(void **state)
{
	struct options opt = { .command_config = "/nowhere/c" };
	struct reach *re = reach_new(&opt, clock_wall());
	char *big;

	assert_string_equal(reach_error(re)->text, "--command-config: /nowhere/c: No such file or directory");
	reach_free(&re);
	opt.command_config = folder;
	re = reach_new(&opt, clock_wall());
	assert_non_null(strstr(reach_error(re)->text, ": a folder; a file is needed here"));
	reach_free(&re);
	big = mem_zalloc(PROPERTIES_INPUT_MAX_BYTES + 2);
	memset(big, '#', PROPERTIES_INPUT_MAX_BYTES + 1);
	opt.command_config = put_file("big", big, 0600);
	re = reach_new(&opt, clock_wall());
	assert_int_equal(reach_error(re)->code, ERR_LIMIT);
	reach_free(&re);
	mem_free(&big);
}

static void what_is_not_used_is_noted_in_one_sentence(void **state)
{
	struct reach *re = reach_of("acks=all\nfoo=1\nlinger.ms=5\nbar=2\nclient.idd=x\n");

	assert_no_error(re);
	assert_note(re, "c: not known here, and not used: foo (line 2), bar (line 4), client.idd (line 5)");
	assert_note(re, "c: no meaning here, and not used: acks (line 1), linger.ms (line 3)");
	assert_note(re, "c:5: client.idd is not known; client.id is");
	reach_free(&re);
}

static void settings_for_security_without_it_are_noted(void **state)
{
	struct reach *re = reach_of("ssl.ca.location=/ca.pem\nsasl.mechanism=PLAIN\n");

	assert_no_error(re);
	assert_note(re, "c:1: ssl.ca.location has no effect, for security.protocol is PLAINTEXT and none of SSL, SASL_PLAINTEXT, SASL_SSL");
	assert_null(reach_note(re, 1));
	reach_free(&re);
}

static void secrets_that_everybody_may_read_are_noted(void **state)
{
	static const char login[] = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.username=u\n";
	char text[512];
	struct options opt = { .command_config = NULL };
	struct reach *re;

	assert_true(str_printf(text, sizeof(text), "%ssasl.password=geheim\n", login));
	opt.command_config = put_file("c", text, 0644);
	re = reach_new(&opt, clock_wall());
	assert_no_error(re);
	assert_note(re, "c: it holds a password, and everybody on this machine may read it; chmod o-r mends that");
	reach_free(&re);
	/* The password elsewhere: the file is nobody's secret, that other one is. */
	assert_true(str_printf(text, sizeof(text), "%ssasl.password=file:%s\n", login, put_file("pw", "geheim\n", 0644)));
	opt.command_config = put_file("c", text, 0644);
	re = reach_new(&opt, clock_wall());
	assert_no_error(re);
	assert_note(re, "pw: everybody on this machine may read it; if it is a secret, chmod o-r mends that");
	assert_null(reach_note(re, 1));
	assert_string_equal(secret_reveal(&reach_config(re)->login.password), "geheim");
	reach_free(&re);
	put_file("pw", "geheim\n", 0640);
	re = reach_new(&opt, clock_wall());
	assert_no_note(re);
	reach_free(&re);
}

/* A store may be key store and trust store alike. */
static void the_same_is_noted_once(void **state)
{
	char text[512];
	struct reach *re;

	put_file("pw", "geheim\n", 0644);
	assert_true(str_printf(text, sizeof(text), "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.username=file:%s\nsasl.password=file:%s\n",
			       in_folder("pw"), in_folder("pw")));
	re = reach_of(text);
	assert_no_error(re);
	assert_non_null(reach_note(re, 0));
	assert_null(reach_note(re, 1));
	reach_free(&re);
}

static void a_value_may_come_from_the_environment(void **state)
{
	struct reach *re;

	setenv("TEST_REACH_PASSWORD", "geheim", 1);
	re = reach_of("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=env:TEST_REACH_PASSWORD\n");
	assert_no_error(re);
	assert_string_equal(secret_reveal(&reach_config(re)->login.password), "geheim");
	assert_string_equal(reach_config(re)->settings[3].shown, "env:TEST_REACH_PASSWORD");
	unsetenv("TEST_REACH_PASSWORD");
	reach_free(&re);
}

static void stores_are_opened_at_the_start(void **state)
{
	char text[512], command[512];
	struct reach *re;

	if (system("command -v openssl >/dev/null") != 0)
		skip();
	assert_true(str_printf(command, sizeof(command), "cd %s && openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=ca.example "
			       "-keyout ca.key -out ca.pem -days 1 2>openssl.log", folder));
	assert_int_equal(system(command), 0);
	assert_true(str_printf(text, sizeof(text), "security.protocol=SSL\nssl.ca.location=%s\n", in_folder("ca.pem")));
	re = reach_of(text);
	assert_no_error(re);
	assert_no_note(re);
	assert_non_null(reach_tls(re));
	assert_false(client_protocol_has_sasl(reach_config(re)->protocol));
	reach_free(&re);
	/* Two days on it has expired. */
	re = reach_new(&(struct options){ .command_config = in_folder("c") }, (wall_ms){ clock_wall().ms + 2 * 86400000LL });
	assert_no_error(re);
	assert_non_null(strstr(reach_note(re, 0), "ca.pem: the certificate of CN=ca.example expired on "));
	reach_free(&re);
	/* A key that is wanted and isn't there. */
	assert_true(str_printf(text, sizeof(text), "security.protocol=SSL\nssl.ca.location=%s\nssl.keystore.location=%s\n", in_folder("ca.pem"),
			       in_folder("none.p12")));
	re = reach_of(text);
	assert_true(str_printf(text, sizeof(text), "%s/c: line 3, column 1: ssl.keystore.location: %s/none.p12: No such file or directory", folder, folder));
	assert_string_equal(reach_error(re)->text, text);
	reach_free(&re);
}

static void handed_cases_are_refused_or_read_as_demanded(void **state)
{
	size_t n;
	char *text = case_read("SC-01-client.properties", &n);
	struct reach *re = reach_of(text);

	/* Its trust store is of another machine: the rest is read, the blank in the password is kept and noted. */
	assert_non_null(strstr(reach_error(re)->text, ": line 7, column 1: ssl.truststore.location: C:\\certs\\trust.jks: No such file"));
	assert_int_equal(reach_config(re)->tls.trust.password.n, strlen("s3cret "));
	assert_note(re, "c:6: ssl.truststore.password begins or ends with a blank, which is taken as part of it; Kafka's own tools cut it off");
	reach_free(&re);
	mem_free(&text);
	text = case_read("SC-03-jaas.properties", &n);
	re = reach_of(text);
	assert_non_null(strstr(reach_error(re)->text, "must end with ;"));
	assert_null(strstr(reach_error(re)->text, "pa55"));
	reach_free(&re);
	mem_free(&text);
}

/* ---- ZooKeeper -------------------------------------------------------------------- */

/* NULL: taken. The file is "z". */
static void assert_digest(const char *text, const char *digest, const char *why)
{
	struct options opt = { .zk_auth = put_file("z", text, 0600) };
	struct reach *re = reach_new(&opt, clock_wall());

	assert_no_note(re);
	if (why) {
		assert_non_null(reach_error(re));
		assert_true(str_starts(reach_error(re)->text, "--zk-auth: "));
		assert_true(str_ends(reach_error(re)->text, why));
		assert_null(reach_zk_digest(re));
	} else {
		assert_no_error(re);
		assert_string_equal(secret_reveal(reach_zk_digest(re)), digest);
	}
	reach_free(&re);
}

static void the_user_for_zookeeper_is_the_first_line_of_a_file(void **state)
{
	static const char why[] = "/z: its first line must be user:password";

	assert_digest("ops:geheim", "ops:geheim", NULL);
	assert_digest("ops:geheim\n", "ops:geheim", NULL);
	assert_digest("ops:geheim\r\nmore\n", "ops:geheim", NULL);
	assert_digest("ops:ge:he im \n", "ops:ge:he im ", NULL);
	assert_digest("", NULL, why);
	assert_digest("\nops:geheim\n", NULL, why);
	assert_digest("opsgeheim\n", NULL, why);
	assert_digest(":geheim\n", NULL, why);
	assert_digest("ops:\n", NULL, why);
}

static void a_file_of_a_user_that_everybody_may_read_is_noted(void **state)
{
	struct options opt = { .zk_auth = put_file("z", "ops:geheim\n", 0644) };
	struct reach *re = reach_new(&opt, clock_wall());

	assert_no_error(re);
	assert_note(re, "z: it holds a password, and everybody on this machine may read it; chmod o-r mends that");
	reach_free(&re);
}

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[64];

	assert_true(str_printf(command, sizeof(command), "rm -r %s", folder));
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_file_it_is_plaintext_and_nobody),
		cmocka_unit_test(a_file_says_where_and_who),
		cmocka_unit_test(the_option_comes_before_the_file),
		cmocka_unit_test(an_error_names_file_line_and_setting),
		cmocka_unit_test(what_is_refused_is_listed_all_the_same),
		cmocka_unit_test(a_file_that_is_none_is_an_error),
		cmocka_unit_test(what_is_not_used_is_noted_in_one_sentence),
		cmocka_unit_test(settings_for_security_without_it_are_noted),
		cmocka_unit_test(secrets_that_everybody_may_read_are_noted),
		cmocka_unit_test(the_same_is_noted_once),
		cmocka_unit_test(a_value_may_come_from_the_environment),
		cmocka_unit_test(stores_are_opened_at_the_start),
		cmocka_unit_test(handed_cases_are_refused_or_read_as_demanded),
		cmocka_unit_test(the_user_for_zookeeper_is_the_first_line_of_a_file),
		cmocka_unit_test(a_file_of_a_user_that_everybody_may_read_is_noted),
	};

	return cmocka_run_group_tests_name("app/reach", tests, make_folder, remove_folder);
}
