/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Once over the entries: each becomes a line to be shown, and the ones with a
 * meaning here a config_value, fetched and trimmed. Then the typed struct is
 * filled from the values: here, for login in client_config_login.c, for TLS in
 * client_config_tls.c.
 */
#include "core/client_config.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/client_config_parts.h"
#include "core/jaas.h"

enum { NEAR_LOOKUPS_MAX = 64 }; /* each compares with every known name */

static const char *const protocol_names[] = {
	[CLIENT_PLAINTEXT] = "PLAINTEXT",
	[CLIENT_SSL] = "SSL",
	[CLIENT_SASL_PLAINTEXT] = "SASL_PLAINTEXT",
	[CLIENT_SASL_SSL] = "SASL_SSL",
};

#define N_PROTOCOLS (sizeof(protocol_names) / sizeof(protocol_names[0]))

const char *client_protocol_name(enum client_protocol protocol)
{
	return (size_t)protocol < N_PROTOCOLS ? protocol_names[protocol] : "?";
}

bool client_protocol_has_tls(enum client_protocol protocol)
{
	return protocol == CLIENT_SSL || protocol == CLIENT_SASL_SSL;
}

bool client_protocol_has_sasl(enum client_protocol protocol)
{
	return protocol == CLIENT_SASL_PLAINTEXT || protocol == CLIENT_SASL_SSL;
}

/* ---- for all three files ------------------------------------------------------ */

const char *config_text(const struct config_build *cb, enum setting setting)
{
	return config_has(cb, setting) ? secret_reveal(&cb->values[setting].v) : NULL;
}

char *config_take(const struct config_build *cb, enum setting setting)
{
	const char *text = config_text(cb, setting);

	return text && *text ? mem_strdup(text) : NULL;
}

bool config_fail(const struct config_build *cb, enum setting setting, enum err_code code, struct err *err, const char *fmt, ...)
{
	const struct config_value *cv = config_value(cb, setting);
	struct strbuf text;
	va_list ap;

	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	if (cv->key)
		err_set(err, code, "line %u, column %u: %s: %s", cv->at.line, cv->at.column, cv->key, text.s);
	else
		err_set(err, code, "%s: %s", config_setting_name(setting), text.s);
	strbuf_fini(&text);
	return false;
}

void config_note(struct client_config *cc, struct properties_place at, const char *fmt, ...)
{
	struct strbuf text;
	va_list ap;

	if (cc->n_notes == CLIENT_NOTES_MAX)
		return;
	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	cc->notes[cc->n_notes++] = (struct client_note){ at, strbuf_take(&text) };
}

bool config_bool(const struct config_build *cb, enum setting setting, bool otherwise, bool *out, struct err *err)
{
	const char *text = config_text(cb, setting);

	*out = text ? strcasecmp(text, "true") == 0 : otherwise;
	return !text || *out || strcasecmp(text, "false") == 0 ||
	       config_fail(cb, setting, ERR_USAGE, err, "it is true or false");
}

/* ---- what is shown -------------------------------------------------------------- */

/* Without what stands before an @, and without a query: either may hold a password. */
static char *shown_url(const char *s)
{
	struct strbuf out;

	strbuf_init(&out);
	while (*s) {
		const char *host = strstr(s, "://"), *end, *at = NULL;

		host = host ? host + 3 : s + strlen(s);
		end = host + strcspn(host, "/?#,; ");
		for (const char *c = host; c < end; c++)
			if (*c == '@')
				at = c;
		strbuf_putn(&out, s, (size_t)(host - s));
		strbuf_put(&out, at ? "***" : "");
		s = at ? at : host;
		end = s + strcspn(s, "?,");
		strbuf_putn(&out, s, (size_t)(end - s));
		s = end;
		if (*s == '?') {
			strbuf_put(&out, "?***");
			s += strcspn(s, ",");
		}
		if (*s == ',')
			strbuf_putc(&out, *s++);
	}
	return strbuf_take(&out);
}

static char *shown_login(const char *s)
{
	struct strbuf out;
	struct jaas ja;

	strbuf_init(&out);
	if (jaas_read(s, &ja, NULL))
		jaas_put_masked(&out, &ja);
	else
		strbuf_put(&out, *s ? "***" : "");
	jaas_fini(&ja);
	return strbuf_take(&out);
}

static bool is_reference(const char *s)
{
	return str_starts(s, "env:") || str_starts(s, "file:");
}

static char *shown_value(const struct config_key *row, const struct secret *value)
{
	const char *s = secret_reveal(value);

	if (row && row->setting != SETTING_NONE && is_reference(s) && row->shown != CONFIG_URL)
		return mem_strdup(s);
	if (row && row->shown == CONFIG_SHOWN)
		return mem_strdup(s);
	if (row && row->shown == CONFIG_LOGIN)
		return shown_login(s);
	if (row && row->shown == CONFIG_URL)
		return shown_url(s);
	return mem_strdup(secret_text(value));
}

/* ---- values --------------------------------------------------------------------- */

static bool is_password(enum setting setting)
{
	return setting == SETTING_PASSWORD || setting == SETTING_TRUST_PASSWORD ||
	       setting == SETTING_KEYSTORE_PASSWORD || setting == SETTING_KEY_PASSWORD;
}

static bool is_location(enum setting setting)
{
	return setting == SETTING_TRUST_LOCATION || setting == SETTING_KEYSTORE_LOCATION ||
	       setting == SETTING_KEY_LOCATION || setting == SETTING_CHAIN_LOCATION || setting == SETTING_KRB_KEYTAB;
}

/* String.trim of Java: all up to the blank. */
static void trim(struct secret *sc)
{
	const char *s = secret_reveal(sc), *end = s + sc->n;

	while (s < end && (unsigned char)*s <= ' ')
		s++;
	while (end > s && (unsigned char)end[-1] <= ' ')
		end--;
	secret_setn(sc, s, (size_t)(end - s));
}

static void drop_line_end(struct secret *sc)
{
	size_t n = sc->n;

	if (n > 0 && sc->bytes[n - 1] == '\n')
		n--;
	if (n > 0 && n < sc->n && sc->bytes[n - 1] == '\r')
		n--;
	secret_setn(sc, secret_reveal(sc), n);
}

/* What came from outside the file must be such as the file could hold. */
static bool check_fetched(const struct config_build *cb, enum setting setting, const char *name, struct err *err)
{
	const struct secret *sc = &cb->values[setting].v;

	if (sc->n > PROPERTIES_INPUT_MAX_BYTES)
		return config_fail(cb, setting, ERR_LIMIT, err, "%s holds %zu bytes, the limit is %d", name, sc->n,
				   PROPERTIES_INPUT_MAX_BYTES);
	if (memchr(secret_reveal(sc), '\0', sc->n) || !utf8_is_valid(secret_reveal(sc), sc->n))
		return config_fail(cb, setting, ERR_FORMAT, err, "what %s holds is no text in UTF-8", name);
	return true;
}

/* Puts the value that env:NAME or file:PATH stands for in its place. */
static bool fetch_value(struct config_build *cb, enum setting setting, struct err *err)
{
	struct config_value *cv = &cb->values[setting];
	const char *s = secret_reveal(&cv->v);
	enum client_value_kind kind = str_starts(s, "env:") ? CLIENT_VALUE_ENV : CLIENT_VALUE_FILE;
	char *name;
	bool is_ok;

	if (!is_reference(s) || (kind == CLIENT_VALUE_FILE && setting == SETTING_TOKEN_URL))
		return true;
	if (kind == CLIENT_VALUE_FILE && is_location(setting))
		return config_fail(cb, setting, ERR_USAGE, err, "a location is a path already; leave out file:");
	name = mem_strdup(s + (kind == CLIENT_VALUE_ENV ? 4 : 5));
	secret_set(&cv->v, "");
	if (*name == '\0')
		is_ok = config_fail(cb, setting, ERR_USAGE, err, "behind env: stands a name, behind file: a path");
	else if (!cb->fetch)
		is_ok = config_fail(cb, setting, ERR_UNSUPPORTED, err, "env: and file: are not taken here");
	else
		is_ok = cb->fetch(cb->ctx, kind, name, &cv->v, err) ||
			err_wrap(err, "line %u, column %u: %s", cv->value_at.line, cv->value_at.column, cv->key);
	if (is_ok && kind == CLIENT_VALUE_FILE)
		drop_line_end(&cv->v);
	is_ok = is_ok && check_fetched(cb, setting, name, err);
	mem_free(&name);
	return is_ok;
}

static bool has_blank_ends(const struct secret *sc)
{
	return sc->n > 0 && ((unsigned char)sc->bytes[0] <= ' ' || (unsigned char)sc->bytes[sc->n - 1] <= ' ');
}

static bool keep_value(struct config_build *cb, enum setting setting, const struct property *pr, size_t entry, struct err *err)
{
	struct config_value *cv = &cb->values[setting];

	if (cv->key) {
		config_note(cb->cc, cv->at, "%s means the same as %s in line %u, which comes later and counts", cv->key,
			    pr->key, pr->key_at.line);
		cb->cc->settings[cv->entry].use = CLIENT_OVERRIDDEN;
	}
	*cv = (struct config_value){ pr->key, pr->key_at, pr->value_at, entry, cv->v };
	secret_setn(&cv->v, secret_reveal(&pr->value), pr->value.n);
	if (!is_password(setting))
		trim(&cv->v); /* before, for Kafka cuts what stands in the file */
	if (!fetch_value(cb, setting, err))
		return false;
	if (is_password(setting) && has_blank_ends(&cv->v))
		config_note(cb->cc, pr->value_at, "%s begins or ends with a blank, which is taken as part of it; "
			    "Kafka's own tools cut it off", pr->key);
	return true;
}

/* ---- the entries ------------------------------------------------------------------ */

static void note_unknown(struct client_config *cc, const struct property *pr, unsigned *lookups)
{
	const char *near = *lookups > 0 ? config_key_near(pr->key) : NULL;

	*lookups -= *lookups > 0;
	if (near)
		config_note(cc, pr->key_at, "%s is not known; %s is", pr->key, near);
}

static void note_raw(struct client_config *cc, const struct properties *pp, const struct property *pr)
{
	if (pr->is_raw && pp->encoding == PROPERTIES_UTF8)
		config_note(cc, pr->key_at, "%s is read as UTF-8; Kafka's own tools would read each byte as a letter of "
			    "ISO-8859-1, so that \\uXXXX is the safe way to write it", pr->key);
}

static void list_entry(struct client_config *cc, const struct property *pr, const struct config_key *row)
{
	struct client_setting *st = &cc->settings[cc->n_settings++];
	bool is_ours = row && row->setting != SETTING_NONE;

	*st = (struct client_setting){ .key = mem_strdup(pr->key), .shown = shown_value(row, &pr->value), .at = pr->key_at };
	if (is_ours && strcmp(config_setting_name(row->setting), row->name) != 0)
		st->means = config_setting_name(row->setting);
	st->use = pr->later != PROPERTIES_NONE ? CLIENT_OVERRIDDEN : is_ours ? CLIENT_USED : row ? CLIENT_NO_MEANING : CLIENT_UNKNOWN;
}

static bool read_entry(struct config_build *cb, const struct properties *pp, size_t i, unsigned *lookups, struct err *err)
{
	const struct property *pr = &pp->v[i];
	const struct config_key *row = config_key_find(pr->key);

	list_entry(cb->cc, pr, row);
	if (pr->later != PROPERTIES_NONE) {
		config_note(cb->cc, pr->key_at, "%s is set again in line %u, which counts", pr->key,
			    pp->v[pr->later].key_at.line);
		return true;
	}
	if (!row)
		note_unknown(cb->cc, pr, lookups);
	if (!row || row->setting == SETTING_NONE)
		return true;
	note_raw(cb->cc, pp, pr);
	return keep_value(cb, row->setting, pr, i, err);
}

static bool read_entries(struct config_build *cb, const struct properties *pp, struct err *err)
{
	unsigned lookups = NEAR_LOOKUPS_MAX;

	if (pp->has_bom)
		config_note(cb->cc, (struct properties_place){ 0, 0 }, "the file begins with a byte order mark, which Kafka's "
			    "own tools take for part of the first name");
	for (size_t i = 0; i < pp->n; i++)
		if (!read_entry(cb, pp, i, &lookups, err))
			return false;
	return true;
}

/* ---- the struct ------------------------------------------------------------------- */

static bool read_protocol(struct config_build *cb, struct err *err)
{
	const char *text = config_text(cb, SETTING_PROTOCOL);

	for (size_t i = 0; text && i < N_PROTOCOLS; i++)
		if (strcasecmp(text, protocol_names[i]) == 0) {
			cb->cc->protocol = (enum client_protocol)i;
			return true;
		}
	return !text || config_fail(cb, SETTING_PROTOCOL, ERR_USAGE, err, "\"%.64s\" is none of PLAINTEXT, SSL, "
				    "SASL_PLAINTEXT, SASL_SSL", text);
}

static bool read_timeout(struct config_build *cb, struct err *err)
{
	const char *text = config_text(cb, SETTING_REQUEST_TIMEOUT);
	int64_t ms = CLIENT_REQUEST_TIMEOUT_DEFAULT_MS;

	if (text && !str_to_i64(text, 1, INT_MAX, &ms))
		return config_fail(cb, SETTING_REQUEST_TIMEOUT, ERR_USAGE, err, "\"%.32s\" is no number of milliseconds "
				   "(1 to %d)", text, INT_MAX);
	cb->cc->request_timeout_ms = ms;
	return true;
}

static bool read_all(struct config_build *cb, const struct properties *pp, struct err *err)
{
	struct client_config *cc = cb->cc;

	if (!read_entries(cb, pp, err) || !read_protocol(cb, err) || !read_timeout(cb, err))
		return false;
	cc->bootstrap = config_take(cb, SETTING_BOOTSTRAP);
	cc->client_id = config_take(cb, SETTING_CLIENT_ID);
	return (!client_protocol_has_sasl(cc->protocol) || config_read_login(cb, err)) &&
	       (!client_protocol_has_tls(cc->protocol) || config_read_tls(cb, err));
}

bool client_config_read(const struct properties *pp, client_fetch *fetch, void *ctx, struct client_config *out, struct err *err)
{
	struct config_build cb = { .cc = out, .fetch = fetch, .ctx = ctx };
	bool is_ok;

	*out = (struct client_config){ .protocol = CLIENT_PLAINTEXT };
	out->tls.must_verify = out->tls.must_check_host = true;
	out->tls.versions = CLIENT_TLS_1_2 | CLIENT_TLS_1_3;
	out->settings = mem_array(pp->n + 1, sizeof(*out->settings));
	out->notes = mem_array(CLIENT_NOTES_MAX, sizeof(*out->notes));
	is_ok = read_all(&cb, pp, err);
	for (size_t i = 0; i < SETTINGS; i++)
		secret_fini(&cb.values[i].v);
	if (!is_ok)
		client_config_fini(out);
	return is_ok;
}

void client_config_list(const struct properties *pp, struct client_config *out)
{
	*out = (struct client_config){ .protocol = CLIENT_PLAINTEXT };
	out->settings = mem_array(pp->n + 1, sizeof(*out->settings));
	for (size_t i = 0; i < pp->n; i++)
		list_entry(out, &pp->v[i], config_key_find(pp->v[i].key));
}

static void material_fini(struct client_material *cm)
{
	mem_free(&cm->location);
	secret_fini(&cm->pem);
	secret_fini(&cm->password);
}

static char *copy_text(const char *s)
{
	return s ? mem_strdup(s) : NULL;
}

static void copy_secret(const struct secret *from, struct secret *to)
{
	secret_init(to);
	if (secret_is_set(from))
		secret_setn(to, secret_reveal(from), from->n);
}

void client_login_copy(const struct client_login *from, struct client_login *to)
{
	*to = *from; /* what is no pointer */
	to->username = copy_text(from->username);
	copy_secret(&from->password, &to->password);
	to->service = copy_text(from->service);
	to->principal = copy_text(from->principal);
	to->keytab = copy_text(from->keytab);
	to->ticket_cache = copy_text(from->ticket_cache);
	to->token_file = copy_text(from->token_file);
	copy_secret(&from->token_command, &to->token_command);
	to->unsecured_subject = copy_text(from->unsecured_subject);
}

void client_login_fini(struct client_login *lg)
{
	mem_free(&lg->username);
	secret_fini(&lg->password);
	mem_free(&lg->service);
	mem_free(&lg->principal);
	mem_free(&lg->keytab);
	mem_free(&lg->ticket_cache);
	mem_free(&lg->token_file);
	secret_fini(&lg->token_command);
	mem_free(&lg->unsecured_subject);
}

void client_config_fini(struct client_config *cc)
{
	mem_free(&cc->bootstrap);
	mem_free(&cc->client_id);
	client_login_fini(&cc->login);
	material_fini(&cc->tls.trust);
	material_fini(&cc->tls.keystore);
	material_fini(&cc->tls.key);
	material_fini(&cc->tls.chain);
	secret_fini(&cc->tls.key_password);
	mem_free(&cc->tls.ciphers);
	for (size_t i = 0; i < cc->n_settings; i++) {
		mem_free(&cc->settings[i].key);
		mem_free(&cc->settings[i].shown);
	}
	mem_free(&cc->settings);
	for (size_t i = 0; i < cc->n_notes; i++)
		mem_free(&cc->notes[i].text);
	mem_free(&cc->notes);
	*cc = (struct client_config){ .protocol = CLIENT_PLAINTEXT };
}
