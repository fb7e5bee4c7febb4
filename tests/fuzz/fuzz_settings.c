/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target `settings`: one way is a property file and what is made of it,
 * the other the login in sasl.jaas.config. What comes out must hold what the
 * headers promise; above all, what is shown must not hold what is secret.
 * Seeds are the files in tests/fuzz/settings.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/client_config.h"
#include "core/config_keys.h"
#include "core/jaas.h"
#include "core/properties.h"

const char *const fuzz_words[] = {
	"=", ":", "\\\n", "\\\r\n", "\\u00e9", "\\u0000", "\\ud800", "\\ud83d\\ude00", "#", "!", "\f", ";", "'", "\"", "\\", ",",
	" required ", " password=\"", "\\377", "//", "/*", "*/", "env:X", "file:/x", "sasl.jaas.config=",
	"security.protocol=SASL_SSL\n", "sasl.mechanism=", "null", "true", "-1", "\"\"", "\xef\xbb\xbf", "\xff", "\x1b[31m",
};
const size_t fuzz_n_words = sizeof(fuzz_words) / sizeof(fuzz_words[0]);

enum { TELLING_MIN = 6 }; /* a shorter secret may stand in a text by chance */

static void check_text(const char *s, size_t n)
{
	assert(strlen(s) == n && utf8_is_valid(s, n));
}

static void check_properties(const struct properties *pp)
{
	for (size_t i = 0; i < pp->n; i++) {
		const struct property *pr = &pp->v[i];

		check_text(pr->key, strlen(pr->key));
		assert(secret_is_set(&pr->value));
		check_text(secret_reveal(&pr->value), pr->value.n);
		assert(pr->key_at.line >= 1 && pr->key_at.column >= 1);
		assert(pr->value_at.line >= pr->key_at.line && pr->value_at.column >= 1);
		assert(pr->later == PROPERTIES_NONE ? properties_find(pp, pr->key) == pr :
		       pr->later > i && pr->later < pp->n && strcmp(pp->v[pr->later].key, pr->key) == 0);
	}
}

/* Does the password stand in the masked text, and nowhere else where it may be seen? */
static bool is_password_told(const struct jaas *ja, const char *shown)
{
	const struct secret *password = jaas_find(ja, "password");
	const char *s = password ? secret_reveal(password) : "";

	if (strlen(s) < TELLING_MIN || strstr(ja->module, s) || strstr(" required password=***;", s))
		return false;
	for (size_t i = 0; i < ja->n; i++)
		if (strstr(ja->v[i].name, s) || (&ja->v[i].value != password && strstr(secret_reveal(&ja->v[i].value), s)))
			return false;
	return strstr(shown, s) != NULL;
}

static void fuzz_jaas(const char *s, struct err *err)
{
	struct strbuf shown;
	struct jaas ja;

	if (!jaas_read(s, &ja, err)) {
		fuzz_check_failure(err);
		return;
	}
	assert(ja.module && ja.n <= JAAS_OPTIONS_MAX);
	for (size_t i = 0; i < ja.n; i++) {
		assert(ja.v[i].name[0] != '\0' && jaas_find(&ja, ja.v[i].name) == &ja.v[i].value);
		assert(strlen(secret_reveal(&ja.v[i].value)) == ja.v[i].value.n);
	}
	strbuf_init(&shown);
	jaas_put_masked(&shown, &ja);
	assert(strlen(shown.s) == shown.len && !is_password_told(&ja, shown.s));
	strbuf_fini(&shown);
	jaas_fini(&ja);
}

/* Gives a value that is as odd as a file may be. */
static bool fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err)
{
	if (name[0] == '/')
		return err_set(err, ERR_NOT_FOUND, "no %s", name);
	secret_set(out, name);
	return true;
}

static bool is_told(const struct client_config *cc, const char *secret)
{
	for (size_t i = 0; i < cc->n_settings; i++)
		if (strstr(cc->settings[i].shown, secret))
			return true;
	return false;
}

/* Is the text also the value of a setting that is no secret, a reference, or a name? Then it may be seen. */
static bool is_public(const struct properties *pp, const char *secret)
{
	for (size_t i = 0; i < pp->n; i++) {
		const struct config_key *key = config_key_find(pp->v[i].key);
		const char *value = secret_reveal(&pp->v[i].value);

		if (strstr(value, secret) && ((key && key->shown != CONFIG_SECRET) || strstr(value, "env:") || strstr(value, "file:")))
			return true;
	}
	return strstr("***=***;", secret) != NULL;
}

static void check_config(const struct properties *pp, const struct client_config *cc)
{
	assert(cc->n_settings == pp->n && cc->n_notes <= CLIENT_NOTES_MAX);
	assert(cc->tls.versions != 0 && cc->request_timeout_ms > 0);
	for (size_t i = 0; i < pp->n; i++) {
		const char *value = secret_reveal(&pp->v[i].value);

		if (pp->v[i].value.n >= TELLING_MIN && !is_public(pp, value))
			assert(!is_told(cc, value));
	}
	if (client_protocol_has_sasl(cc->protocol) && cc->login.mechanism <= CLIENT_SCRAM_SHA_512)
		assert(cc->login.username && secret_is_set(&cc->login.password));
	if (client_protocol_has_sasl(cc->protocol) && cc->login.mechanism == CLIENT_GSSAPI)
		assert(cc->login.service);
}

static void fuzz_properties(const char *data, size_t n, struct err *err)
{
	struct client_config cc;
	struct properties pp;

	if (!properties_read(data, n, &pp, err)) {
		fuzz_check_failure(err);
		return;
	}
	check_properties(&pp);
	if (client_config_read(&pp, fetch, NULL, &cc, err)) {
		check_config(&pp, &cc);
		client_config_fini(&cc);
	} else {
		fuzz_check_failure(err);
	}
	properties_fini(&pp);
}

static void fuzz_way(int which, size_t way, const uint8_t *bytes, size_t n)
{
	const char *data = (const char *)bytes;
	struct err err;
	char *s;

	err_init(&err);
	if (way == 0) {
		fuzz_properties(data, n, &err);
		return;
	}
	s = mem_strndup(data, n); /* up to a NUL, if there is one */
	fuzz_jaas(s, &err);
	mem_free(&s);
}

const struct fuzz_target fuzz_targets[] = {
	{ .name = "settings", .n_ways = 2, .run = fuzz_way },
};
const size_t fuzz_n_targets = sizeof(fuzz_targets) / sizeof(fuzz_targets[0]);
