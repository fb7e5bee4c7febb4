/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In order: the file's lines (core/properties), what they mean (core/client_config), the places they point to (stores, by
 * io/net), the brokers to begin with, the file of --zk-auth. The first error ends it; what can be shown of the file is kept.
 */
#include "app/reach.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "app/options.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/properties.h"
#include "core/servers.h"
#include "io/net.h"
#include "io/slurp.h"
#include "io/zk.h"

enum { NOTES_MAX = 512, DIGEST_FILE_MAX_BYTES = 4096 };

struct reach {
	const char *file;            /* borrowed from the options */
	struct client_config config;
	struct net_tls *tls;
	struct bootstrap bootstrap;
	struct secret digest;
	struct err err;
	char *notes[NOTES_MAX];
	size_t n_notes;
	bool is_left;
};

static void note(struct reach *re, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void note(struct reach *re, const char *fmt, ...)
{
	struct strbuf text;
	bool is_new = re->n_notes < NOTES_MAX;
	va_list ap;

	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < re->n_notes; i++)
		is_new = is_new && strcmp(re->notes[i], text.s) != 0;
	if (is_new) {
		log_put(LOG_WARN, "reach", "%s", text.s);
		re->notes[re->n_notes++] = strbuf_take(&text);
	}
	strbuf_fini(&text);
}

static void note_readable(struct reach *re, const char *path)
{
	note(re, "%s: it holds a password, and everybody on this machine may read it; chmod o-r mends that", path);
}

/* ---- the file ------------------------------------------------------------------------ */

/* core/client_config asks for what env:NAME or file:PATH stand for. */
static bool fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err)
{
	const char *value;
	bool others_may_read;

	if (kind == CLIENT_VALUE_FILE) {
		if (!slurp_file(name, PROPERTIES_INPUT_MAX_BYTES, out, &others_may_read, err))
			return false;
		if (others_may_read)
			note(ctx, "%s: everybody on this machine may read it; if it is a secret, chmod o-r mends that", name);
		return true;
	}
	value = getenv(name);
	if (!value)
		return err_set(err, ERR_NOT_FOUND, "%s is not in the environment", name);
	secret_set(out, value);
	return true;
}

/* A value of the file that is shown as *** and counts, or a login line with such. */
static bool holds_secret(const struct client_config *cc)
{
	for (size_t i = 0; i < cc->n_settings; i++) {
		const struct client_setting *st = &cc->settings[i];

		if (st->use == CLIENT_USED && strstr(st->shown, "***") != NULL)
			return true;
	}
	return false;
}

static bool is_of_security(const struct client_setting *st)
{
	const char *name = st->means ? st->means : st->key;

	return st->use == CLIENT_USED && (str_starts(name, "ssl.") || str_starts(name, "sasl."));
}

/* Kafka's default is PLAINTEXT, whatever else is set; who set it meant otherwise. */
static void note_no_protocol(struct reach *re)
{
	const struct client_config *cc = &re->config;

	for (size_t i = 0; i < cc->n_settings; i++) {
		const struct client_setting *st = &cc->settings[i];

		if (cc->protocol != CLIENT_PLAINTEXT || !is_of_security(st))
			continue;
		note(re, "%s:%u: %s has no effect, for security.protocol is PLAINTEXT and none of SSL, SASL_PLAINTEXT, SASL_SSL",
		     re->file, st->at.line, st->key);
		return;
	}
}

/* One note for all of a kind: a file that serves a producer, too, has many. */
static void note_unused(struct reach *re, enum client_use use, const char *what)
{
	const struct client_config *cc = &re->config;
	struct strbuf list;

	strbuf_init(&list);
	for (size_t i = 0; i < cc->n_settings; i++)
		if (cc->settings[i].use == use)
			strbuf_printf(&list, "%s%s (line %u)", list.len > 0 ? ", " : "", cc->settings[i].key, cc->settings[i].at.line);
	if (list.len > 0)
		note(re, "%s: %s: %s", re->file, what, list.s);
	strbuf_fini(&list);
}

static void note_settings(struct reach *re)
{
	const struct client_config *cc = &re->config;

	for (size_t i = 0; i < cc->n_notes; i++) {
		const struct client_note *cn = &cc->notes[i];

		if (cn->at.line > 0)
			note(re, "%s:%u: %s", re->file, cn->at.line, cn->text);
		else
			note(re, "%s: %s", re->file, cn->text);
	}
	note_unused(re, CLIENT_UNKNOWN, "not known here, and not used");
	note_unused(re, CLIENT_NO_MEANING, "no meaning here, and not used");
}

static bool read_settings(struct reach *re, const struct secret *bytes, bool others_may_read, struct err *err)
{
	struct properties pp = { .v = NULL };
	bool is_ok = properties_read(secret_reveal(bytes), bytes->n, &pp, err);

	if (is_ok && !client_config_read(&pp, fetch, re, &re->config, err)) {
		is_ok = false;
		client_config_list(&pp, &re->config);
	}
	properties_fini(&pp);
	note_settings(re);
	if (is_ok)
		note_no_protocol(re);
	if (others_may_read && holds_secret(&re->config))
		note_readable(re, re->file);
	return is_ok || err_wrap(err, "%s", re->file);
}

static bool read_file(struct reach *re, struct err *err)
{
	struct secret bytes;
	bool others_may_read, is_ok;

	if (!re->file)
		return true;
	secret_init(&bytes);
	is_ok = slurp_file(re->file, PROPERTIES_INPUT_MAX_BYTES, &bytes, &others_may_read, err) ||
		err_wrap(err, "--command-config");
	is_ok = is_ok && read_settings(re, &bytes, others_may_read, err);
	secret_fini(&bytes);
	return is_ok;
}

/* ---- places of settings ----------------------------------------------------------------- */

/* The line that counts for a setting by Kafka's name; NULL when it is not in the file. */
static const struct client_setting *setting_find(const struct client_config *cc, const char *name)
{
	for (size_t i = 0; i < cc->n_settings; i++) {
		const struct client_setting *st = &cc->settings[i];

		if (st->use == CLIENT_USED && strcmp(st->means ? st->means : st->key, name) == 0)
			return st;
	}
	return NULL;
}

/* Puts the setting with its place before an error that hasn't got it; where there is no room for both, it stays as it is, for
 * it may end in a command to be copied. Always false. */
static bool wrap_setting(const struct reach *re, const char *name, struct err *err)
{
	const struct client_setting *st = name ? setting_find(&re->config, name) : NULL;
	char place[ERR_TEXT_MAX];
	bool fits;

	if (st)
		fits = str_printf(place, sizeof(place), "%s: line %u, column %u%s%s", re->file, st->at.line, st->at.column,
				  str_starts(err->text, st->key) ? "" : ": ", str_starts(err->text, st->key) ? "" : st->key);
	else
		fits = str_printf(place, sizeof(place), "%s", re->file ? re->file : "--command-config");
	if (fits && strlen(place) + 2 + strlen(err->text) < sizeof(err->text))
		err_wrap(err, "%s", place);
	return false;
}

/* Of the setting that an error of io/net or io/stores is about: they name the file, or begin with the setting itself. */
static const char *blamed_setting(const struct client_tls *tls, const struct err *err)
{
	const struct { const char *path, *name; } places[] = {
		{ tls->trust.location, "ssl.truststore.location" }, { tls->keystore.location, "ssl.keystore.location" },
		{ tls->key.location, "ssl.key.location" }, { tls->chain.location, "ssl.certificate.location" },
	};
	static const char *const names[] = {
		"ssl.truststore.certificates", "ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.cipher.suites",
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i].path && strstr(err->text, places[i].path) != NULL)
			return places[i].name;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_starts(err->text, names[i]))
			return names[i];
	return NULL;
}

/* ---- what it points to -------------------------------------------------------------------- */

static bool open_tls(struct reach *re, wall_ms now, struct err *err)
{
	const char *text;

	if (!client_protocol_has_tls(re->config.protocol))
		return true;
	re->tls = net_tls_new(&re->config.tls, now, err);
	if (!re->tls)
		return wrap_setting(re, blamed_setting(&re->config.tls, err), err);
	for (size_t i = 0; (text = net_tls_note(re->tls, i)) != NULL; i++)
		note(re, "%s", text);
	return true;
}

/* The option comes before the file, as with Kafka's own tools. */
static bool find_bootstrap(struct reach *re, const struct options *opt, struct err *err)
{
	const struct client_setting *st = setting_find(&re->config, "bootstrap.servers");

	if (opt->bootstrap.n > 0) {
		re->bootstrap = opt->bootstrap;
		if (st)
			note(re, "%s:%u: %s is not used, for %s says which brokers to begin with", re->file, st->at.line, st->key,
			     opt->set_by[OPT_BOOTSTRAP_SERVER] ? opt->set_by[OPT_BOOTSTRAP_SERVER] : "--bootstrap-server");
		return true;
	}
	return !re->config.bootstrap || bootstrap_parse(re->config.bootstrap, &re->bootstrap, err) ||
	       wrap_setting(re, "bootstrap.servers", err);
}

/* ---- the user for ZooKeeper ------------------------------------------------------------------ */

static bool take_first_line(struct reach *re, const struct secret *bytes, struct err *err)
{
	const char *s = secret_reveal(bytes), *end = memchr(s, '\n', bytes->n), *colon;
	size_t n = end ? (size_t)(end - s) : bytes->n;

	if (n > 0 && s[n - 1] == '\r')
		n--;
	colon = memchr(s, ':', n);
	if (!colon || colon == s || colon == s + n - 1 || memchr(s, '\0', n) != NULL)
		return err_set(err, ERR_FORMAT, "its first line must be user:password");
	secret_setn(&re->digest, s, n);
	return true;
}

static bool read_digest(struct reach *re, const char *path, struct err *err)
{
	struct secret bytes;
	bool others_may_read, is_ok;

	if (!path)
		return true;
	secret_init(&bytes);
	is_ok = slurp_file(path, DIGEST_FILE_MAX_BYTES, &bytes, &others_may_read, err) || err_wrap(err, "--zk-auth");
	if (is_ok && others_may_read)
		note_readable(re, path);
	if (is_ok && !take_first_line(re, &bytes, err))
		is_ok = err_wrap(err, "--zk-auth: %s", path);
	secret_fini(&bytes);
	return is_ok;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void note_options(struct reach *re, const struct options *opt)
{
	char text[ERR_TEXT_MAX];

	for (size_t i = 0; options_note(opt, i, text, sizeof(text)); i++)
		note(re, "%s", text);
}

struct reach *reach_new(const struct options *opt, wall_ms now)
{
	struct reach *re = mem_zalloc(sizeof(*re));

	re->file = opt->command_config;
	re->config.request_timeout_ms = CLIENT_REQUEST_TIMEOUT_DEFAULT_MS;
	err_init(&re->err);
	secret_init(&re->digest);
	note_options(re, opt);
	/* The first error ends it, and stays. */
	(void)(read_file(re, &re->err) && open_tls(re, now, &re->err) && find_bootstrap(re, opt, &re->err) &&
	       read_digest(re, opt->zk_auth, &re->err));
	return re;
}

void reach_leave(struct reach *re)
{
	re->is_left = true;
}

void reach_free(struct reach **pp)
{
	struct reach *re = *pp;

	if (re == NULL || re->is_left)
		return;
	net_tls_free(&re->tls);
	client_config_fini(&re->config);
	secret_fini(&re->digest);
	for (size_t i = 0; i < re->n_notes; i++)
		mem_free(&re->notes[i]);
	mem_free(pp);
}

const struct err *reach_error(const struct reach *re)
{
	return re->err.code != ERR_NONE ? &re->err : NULL;
}

const char *reach_note(const struct reach *re, size_t i)
{
	return i < re->n_notes ? re->notes[i] : NULL;
}

const char *reach_file(const struct reach *re)
{
	return re->file;
}

const struct client_config *reach_config(const struct reach *re)
{
	return &re->config;
}

struct net_tls *reach_tls(const struct reach *re)
{
	return re->tls;
}

const struct bootstrap *reach_bootstrap(const struct reach *re)
{
	return &re->bootstrap;
}

const char *reach_client_id(const struct reach *re)
{
	return re->config.client_id ? re->config.client_id : "kafops";
}

const struct secret *reach_zk_digest(const struct reach *re)
{
	return secret_is_set(&re->digest) ? &re->digest : NULL;
}

const char *reach_zk_library(void)
{
	return zk_library();
}

bool reach_zk_has_tls(void)
{
	return zk_library_has_tls();
}

bool reach_zk_has_sasl(void)
{
	return zk_library_has_sasl();
}
