/* SPDX-License-Identifier: Apache-2.0 */
/* Against the server side of Cyrus SASL, with a sasldb in a scratch folder. */
#include "io/sasl.h"

#include <sasl/sasl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"

static const wall_ms now = { 1700000000000 };
static char folder[] = "/tmp/kafops-sasl-XXXXXX";
static char database[64];

typedef int (*any_callback)(void);

static int on_option(void *ctx, const char *plugin, const char *option, const char **out, unsigned *n)
{
	static const char *const options[][2] = {
		{ "auxprop_plugin", "sasldb" }, { "pwcheck_method", "auxprop" }, { "sasldb_path", database },
		{ "mech_list", "PLAIN SCRAM-SHA-1 SCRAM-SHA-256 SCRAM-SHA-512" },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(option, options[i][0]) == 0) {
			*out = options[i][1];
			if (n)
				*n = (unsigned)strlen(*out);
			return SASL_OK;
		}
	return SASL_FAIL;
}

static int quiet(void *ctx, int level, const char *text)
{
	return SASL_OK;
}

static const sasl_callback_t server_callbacks[] = {
	{ SASL_CB_GETOPT, (any_callback)(void *)on_option, NULL },
	{ SASL_CB_LOG, (any_callback)(void *)quiet, NULL },
	{ SASL_CB_LIST_END, NULL, NULL },
};

static struct client_login login(enum client_mechanism mechanism, const char *password)
{
	static char user[] = "ops,=1";
	struct client_login lg = { .mechanism = mechanism, .username = user };

	secret_set(&lg.password, password);
	return lg;
}

static sasl_conn_t *server_new(void)
{
	sasl_conn_t *server = NULL;
	int rc = sasl_server_new("kafka", "localhost", "realm", NULL, NULL, NULL, 0, &server);

	if (rc != SASL_OK)
		fail_msg("%s", sasl_errstring(rc, NULL, NULL));
	return server;
}

struct talk {
	sasl_conn_t *server;
	bool is_server_done, is_done;
	int rounds;
	struct err err;
};

static int server_step(struct talk *tk, const char *mechanism, const struct secret *in, const char **out, unsigned *n)
{
	int rc = tk->rounds++ == 0 ? sasl_server_start(tk->server, mechanism, secret_reveal(in), (unsigned)in->n, out, n) :
				     sasl_server_step(tk->server, secret_reveal(in), (unsigned)in->n, out, n);

	tk->is_server_done = rc == SASL_OK;
	return rc;
}

/* True when both are content. `spoil`: the server's last word is changed. */
static bool log_in(struct client_login *lg, bool spoil, struct talk *tk)
{
	struct sasl_login *sl;
	struct secret out;
	const char *said = NULL;
	unsigned n = 0;
	bool is_ok;
	char copy[1024];

	*tk = (struct talk){ .server = server_new() };
	secret_init(&out);
	err_init(&tk->err);
	sl = sasl_login_new(lg, "localhost", now, &tk->err);
	if (!sl)
		fail_msg("%s", tk->err.text);
	is_ok = sasl_login_step(sl, NULL, 0, &out, &tk->is_done, &tk->err);
	while (is_ok && !tk->is_server_done) {
		int rc = server_step(tk, client_mechanism_name(lg->mechanism), &out, &said, &n);

		is_ok = rc == SASL_OK || rc == SASL_CONTINUE;
		if (!is_ok || tk->is_done)
			break;
		assert_true(n > 0 && n < sizeof(copy));
		memcpy(copy, said, n);
		copy[n / 2] ^= spoil && memcmp(copy, "v=", 2) == 0;
		is_ok = sasl_login_step(sl, copy, n, &out, &tk->is_done, &tk->err);
		if (tk->is_done && out.n == 0 && tk->rounds == 2)
			break;
	}
	secret_fini(&out);
	sasl_login_free(&sl);
	sasl_dispose(&tk->server);
	secret_fini(&lg->password);
	return is_ok && tk->is_done;
}

static void plain_is_one_message_without_an_authorization_id(void **state)
{
	struct client_login lg = login(CLIENT_PLAIN, "pass word");
	struct sasl_login *sl;
	struct secret out;
	struct err err;
	bool is_done;

	err_init(&err);
	secret_init(&out);
	sl = sasl_login_new(&lg, "b1", now, &err);
	assert_true(sasl_login_step(sl, NULL, 0, &out, &is_done, &err));
	assert_true(is_done);
	assert_int_equal(out.n, 17);
	assert_memory_equal(secret_reveal(&out), "\0ops,=1\0pass word", 17);
	secret_fini(&out);
	secret_fini(&lg.password);
	sasl_login_free(&sl);
}

static void each_mechanism_logs_in_at_cyrus(void **state)
{
	static const enum client_mechanism all[] = { CLIENT_PLAIN, CLIENT_SCRAM_SHA_256, CLIENT_SCRAM_SHA_512 };
	struct talk tk;

	for (size_t i = 0; i < 3; i++) {
		struct client_login lg = login(all[i], "right");

		if (!log_in(&lg, false, &tk))
			fail_msg("%s: %s", client_mechanism_name(all[i]), tk.err.text);
	}
}

static void a_wrong_password_is_found_out(void **state)
{
	static const enum client_mechanism all[] = { CLIENT_PLAIN, CLIENT_SCRAM_SHA_256, CLIENT_SCRAM_SHA_512 };
	struct talk tk;

	for (size_t i = 0; i < 3; i++) {
		struct client_login lg = login(all[i], "wrong");

		assert_false(log_in(&lg, false, &tk));
	}
}

static void a_broker_that_cannot_prove_the_password_is_refused(void **state)
{
	struct client_login lg = login(CLIENT_SCRAM_SHA_256, "right");
	struct talk tk;

	assert_false(log_in(&lg, true, &tk));
	assert_string_equal(tk.err.text, "SCRAM-SHA-256: the broker does not prove that it knows the password");
	assert_int_equal(tk.err.code, ERR_REFUSED);
}

static void a_nonce_that_is_not_ours_is_refused(void **state)
{
	struct client_login lg = login(CLIENT_SCRAM_SHA_512, "right");
	static const char other[] = "r=abcdefgh,s=QSXCR+Q6sek8bf92,i=4096";
	struct secret out;
	struct sasl_login *sl;
	struct err err;
	bool is_done;

	err_init(&err);
	secret_init(&out);
	sl = sasl_login_new(&lg, "b1", now, &err);
	assert_true(sasl_login_step(sl, NULL, 0, &out, &is_done, &err));
	assert_memory_equal(secret_reveal(&out), "n,,n=ops=2C=3D1,r=", 18);
	assert_false(is_done);
	assert_false(sasl_login_step(sl, other, sizeof(other) - 1, &out, &is_done, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_false(secret_is_set(&out));
	secret_fini(&lg.password);
	sasl_login_free(&sl);
}

static void a_delegation_token_is_refused_in_a_sentence(void **state)
{
	struct client_login lg = login(CLIENT_SCRAM_SHA_256, "right");
	struct err err;

	err_init(&err);
	lg.is_token = true;
	assert_null(sasl_login_new(&lg, "b1", now, &err));
	assert_int_equal(err.code, ERR_UNSUPPORTED);
	secret_fini(&lg.password);
}

/* ---- GSSAPI -------------------------------------------------------------------------------- */

static void assert_no_ticket(const struct client_login *lg, const char *text)
{
	struct err err;

	err_init(&err);
	assert_null(sasl_login_new(lg, "b1", now, &err));
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, ERR_REFUSED);
}

static void a_ticket_that_is_not_there_is_a_sentence(void **state)
{
	char none[] = "/nowhere/ccache", keytab[] = "/nowhere/keytab", ops[] = "ops@EXAMPLE";
	struct client_login cache = { .mechanism = CLIENT_GSSAPI, .ticket_cache = none };
	struct client_login key = { .mechanism = CLIENT_GSSAPI, .use_keytab = true, .keytab = keytab, .principal = ops };

	assert_no_ticket(&cache, "GSSAPI: /nowhere/ccache: there is no such file (ticketCache in sasl.jaas.config)");
	assert_no_ticket(&key, "GSSAPI: /nowhere/keytab: there is no such file (keyTab in sasl.jaas.config)");
}

static void a_keytab_without_the_principal_is_a_sentence(void **state)
{
	char keytab[64], ops[] = "ops@EXAMPLE", text[256];
	struct client_login lg = { .mechanism = CLIENT_GSSAPI, .use_keytab = true, .keytab = keytab, .principal = ops };
	FILE *file;

	assert_true(str_printf(keytab, sizeof(keytab), "%s/keytab", folder));
	file = fopen(keytab, "w");
	assert_non_null(file);
	fputs("\x05\x02", file); /* of version 2, with nothing in it */
	fclose(file);
	assert_true(str_printf(text, sizeof(text), "GSSAPI: %s has no key of ops@EXAMPLE (keyTab and principal in sasl.jaas.config)",
			       keytab));
	assert_no_ticket(&lg, text);
	unlink(keytab);
}

/* ---- OAUTHBEARER ------------------------------------------------------------------------ */

static void assert_token(const struct client_login *lg, const char *token)
{
	struct secret out;
	struct err err;

	secret_init(&out);
	err_init(&err);
	if (!sasl_token_get(lg, now, &out, &err))
		fail_msg("%s", err.text);
	assert_string_equal(secret_reveal(&out), token);
	secret_fini(&out);
}

static void assert_no_token(const char *command, enum err_code code, const char *text)
{
	struct client_login lg = { .mechanism = CLIENT_OAUTHBEARER };
	struct secret out;
	struct err err;

	secret_init(&out);
	err_init(&err);
	secret_set(&lg.token_command, command);
	assert_false(sasl_token_get(&lg, now, &out, &err));
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, code);
	secret_fini(&lg.token_command);
}

static void a_token_comes_from_a_file_a_command_or_is_made(void **state)
{
	char path[64], subject[] = "ops";
	struct client_login lg = { .mechanism = CLIENT_OAUTHBEARER };
	FILE *file;

	assert_true(str_printf(path, sizeof(path), "%s/token", folder));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("  abc.def.ghi\n\n", file);
	fclose(file);
	lg.token_file = path;
	assert_token(&lg, "abc.def.ghi");
	lg.token_file = NULL;
	secret_set(&lg.token_command, "printf 'a.b.'; echo c");
	assert_token(&lg, "a.b.c");
	secret_fini(&lg.token_command);
	lg.unsecured_subject = subject;
	/* {"alg":"none"}.{"sub":"ops","iat":1700000000,"exp":1700003600}. */
	assert_token(&lg, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJvcHMiLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDAwMzYwMH0.");
	unlink(path);
}

static void a_command_that_gives_no_token_is_a_sentence(void **state)
{
	assert_no_token("exit 3", ERR_IO, "sasl.oauthbearer.token.command: it ended with 3");
	assert_no_token("kill -TERM $$", ERR_IO, "sasl.oauthbearer.token.command: it was ended by signal 15");
	assert_no_token("true", ERR_FORMAT, "sasl.oauthbearer.token.command: it gives no token");
	assert_no_token("echo a b", ERR_FORMAT, "sasl.oauthbearer.token.command: what it gives is no token: several words");
	assert_no_token("printf 'a\\001b'", ERR_FORMAT,
			"sasl.oauthbearer.token.command: what it gives is no token: a byte that none may have");
	assert_no_token("echo a.b.c; exec >&-; exec sleep 1000", ERR_TIMEOUT,
			"sasl.oauthbearer.token.command: it has closed its output and has not ended within 2 s");
	assert_no_token("yes", ERR_LIMIT, "sasl.oauthbearer.token.command: it prints more than 65536 bytes");
}

static void a_denied_token_is_answered_as_the_rfc_says(void **state)
{
	char subject[] = "ops";
	struct client_login lg = { .mechanism = CLIENT_OAUTHBEARER, .unsecured_subject = subject };
	static const char denied[] = "{\"status\":\"invalid_token\"}";
	struct sasl_login *sl;
	struct secret out;
	struct err err;
	bool is_done;

	err_init(&err);
	secret_init(&out);
	sl = sasl_login_new(&lg, "b1", now, &err);
	assert_true(sasl_login_step(sl, NULL, 0, &out, &is_done, &err));
	assert_memory_equal(secret_reveal(&out), "n,,\001auth=Bearer eyJ", 19);
	assert_memory_equal(secret_reveal(&out) + out.n - 3, ".\001\001", 3);
	assert_false(is_done);
	assert_true(sasl_login_step(sl, denied, sizeof(denied) - 1, &out, &is_done, &err));
	assert_string_equal(secret_reveal(&out), "\001");
	assert_false(is_done);
	assert_false(sasl_login_step(sl, "", 0, &out, &is_done, &err));
	assert_string_equal(err.text, "OAUTHBEARER: the broker denies the token: {\"status\":\"invalid_token\"}");
	sasl_login_free(&sl);
	sl = sasl_login_new(&lg, "b1", now, &err);
	assert_true(sasl_login_step(sl, NULL, 0, &out, &is_done, &err));
	assert_true(sasl_login_step(sl, "", 0, &out, &is_done, &err));
	assert_true(is_done);
	assert_int_equal(out.n, 0);
	secret_fini(&out);
	sasl_login_free(&sl);
}

/* ---- the server's side ---------------------------------------------------------------------- */

static int set_up(void **state)
{
	struct client_login lg = login(CLIENT_PLAIN, "right");
	struct sasl_login *sl;
	sasl_conn_t *server;
	struct err err;
	int rc;

	if (!mkdtemp(folder) || !str_printf(database, sizeof(database), "%s/db", folder))
		return -1;
	/* Ours first, for it sets the library's memory. */
	err_init(&err);
	sl = sasl_login_new(&lg, "localhost", now, &err);
	sasl_login_free(&sl);
	secret_fini(&lg.password);
	if (sasl_server_init(server_callbacks, "kafops-test") != SASL_OK)
		return -1;
	server = server_new();
	rc = sasl_setpass(server, "ops,=1", "right", 5, NULL, 0, SASL_SET_CREATE);
	if (rc != SASL_OK)
		print_error("sasl_setpass: %s\n", sasl_errdetail(server));
	sasl_dispose(&server);
	return rc == SASL_OK ? 0 : -1;
}

static int tear_down(void **state)
{
	/* The library stays as it is, as in the program: its end unloads plug-ins that let things lie. */
	unlink(database);
	rmdir(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_is_one_message_without_an_authorization_id),
		cmocka_unit_test(each_mechanism_logs_in_at_cyrus),
		cmocka_unit_test(a_wrong_password_is_found_out),
		cmocka_unit_test(a_broker_that_cannot_prove_the_password_is_refused),
		cmocka_unit_test(a_nonce_that_is_not_ours_is_refused),
		cmocka_unit_test(a_delegation_token_is_refused_in_a_sentence),
		cmocka_unit_test(a_ticket_that_is_not_there_is_a_sentence),
		cmocka_unit_test(a_keytab_without_the_principal_is_a_sentence),
		cmocka_unit_test(a_token_comes_from_a_file_a_command_or_is_made),
		cmocka_unit_test(a_command_that_gives_no_token_is_a_sentence),
		cmocka_unit_test(a_denied_token_is_answered_as_the_rfc_says),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
