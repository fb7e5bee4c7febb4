/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java: JaasConfig.parseAppConfigurationEntry of kafka-clients 1.1 to 3.9, and
 * StreamTokenizer.nextToken of JDK 17 as JaasConfig sets it up. That one's
 * corners are kept, for what Kafka takes shall work here: a number is no text;
 * a slash alone begins a comment that swallows the next line if it ends this
 * one; an open quote ends with the line.
 */
#include "core/jaas.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

enum { END = -1 };

enum token_kind { TOKEN_END, TOKEN_TEXT, TOKEN_OTHER };

struct tokens {
	const char *s;
	size_t n;
	unsigned at;           /* the character that s[0] is, from 1 */
	/* The token read last. */
	enum token_kind kind;
	int32_t c;             /* TOKEN_OTHER: the character, or '0' for a number */
	unsigned begin;
	struct secret text;    /* TOKEN_TEXT */
	bool is_quoted;
	/* Of the whole. */
	unsigned open_quote;   /* where a quote begins that its line doesn't close; 0 for none */
};

/* ---- StreamTokenizer -------------------------------------------------------- */

/* The next character, or END. What is not UTF-8 can't come from core/properties; it stands for itself. */
static int32_t peek(const struct tokens *tk)
{
	int32_t cp;

	if (tk->n == 0)
		return END;
	utf8_decode(tk->s, tk->n, &cp);
	return cp >= 0 ? cp : 0xfffd;
}

static int32_t take(struct tokens *tk)
{
	int32_t ignored, c = peek(tk);
	size_t width = tk->n > 0 ? utf8_decode(tk->s, tk->n, &ignored) : 0;

	tk->s += width;
	tk->n -= width;
	tk->at += width > 0;
	return c;
}

static bool is_blank(int32_t c)
{
	return c >= 0 && c <= ' ';
}

static bool is_numeric(int32_t c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-';
}

static bool is_alpha(int32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xa0 || c == '-' || c == '_' || c == '$';
}

static bool is_eol(int32_t c)
{
	return c == '\n' || c == '\r';
}

/* Behind a slash and a star. */
static void skip_block(struct tokens *tk)
{
	int32_t before = 0, c;

	while ((c = take(tk)) != '/' || before != '*') {
		if (c == '\r') {
			c = take(tk);
			if (c == '\n')
				c = take(tk);
		} else if (c == '\n') {
			c = take(tk);
		}
		if (c == END)
			return;
		before = c;
	}
}

/* At a slash, which begins a comment of some kind. */
static void skip_comment(struct tokens *tk)
{
	take(tk);
	if (take(tk) == '*') {
		skip_block(tk);
		return;
	}
	while (peek(tk) != END && !is_eol(peek(tk)))
		take(tk);
}

static void skip_blanks(struct tokens *tk)
{
	for (;;) {
		if (is_blank(peek(tk)))
			take(tk);
		else if (peek(tk) == '/')
			skip_comment(tk);
		else
			return;
	}
}

/* What an octal escape gives: that code point, at most 0377. */
static void put_octal(struct secret *out, int32_t cp)
{
	if (cp >= 0x80)
		secret_putc(out, (char)(0xc0 | (cp >> 6)));
	secret_putc(out, (char)(cp >= 0x80 ? 0x80 | (cp & 0x3f) : cp));
}

/* One to three octal digits, at most \377. */
static int32_t take_octal(struct tokens *tk)
{
	int32_t first = take(tk) - '0', c = first;

	for (int more = first <= 3 ? 2 : 1; more > 0 && peek(tk) >= '0' && peek(tk) <= '7'; more--)
		c = c * 8 + (take(tk) - '0');
	return c;
}

/* Behind a backslash. */
static void take_escape(struct tokens *tk)
{
	static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	int32_t c = peek(tk);
	const char *s = tk->s, *found = c > 0 && c < 0x80 ? strchr(names, c) : NULL;

	if (c >= '0' && c <= '7') {
		put_octal(&tk->text, take_octal(tk));
	} else if (found) {
		take(tk);
		secret_putc(&tk->text, values[found - names]);
	} else if (take(tk) != END) {
		secret_putn(&tk->text, s, (size_t)(tk->s - s));
	}
}

static void take_quoted(struct tokens *tk)
{
	int32_t quote = take(tk);

	secret_set(&tk->text, "");
	while (peek(tk) != END && peek(tk) != quote && !is_eol(peek(tk))) {
		const char *s = tk->s;

		if (take(tk) == '\\')
			take_escape(tk);
		else
			secret_putn(&tk->text, s, (size_t)(tk->s - s));
	}
	if (peek(tk) == quote)
		take(tk);
	else if (tk->open_quote == 0)
		tk->open_quote = tk->begin;
	tk->is_quoted = true;
	tk->kind = TOKEN_TEXT;
}

/* At a digit, point or minus. A minus without a number stands for itself. */
static void take_number(struct tokens *tk)
{
	int32_t c = take(tk);
	bool has_point = c == '.';

	tk->kind = TOKEN_OTHER;
	tk->c = '0';
	if (c == '-' && !(peek(tk) == '.' || (peek(tk) >= '0' && peek(tk) <= '9'))) {
		tk->c = '-';
		return;
	}
	while ((peek(tk) == '.' && !has_point) || (peek(tk) >= '0' && peek(tk) <= '9'))
		has_point = take(tk) == '.' || has_point;
}

static void take_word(struct tokens *tk)
{
	const char *s = tk->s;

	while (is_alpha(peek(tk)) || is_numeric(peek(tk)))
		take(tk);
	secret_setn(&tk->text, s, (size_t)(tk->s - s));
	tk->kind = TOKEN_TEXT;
}

static enum token_kind next(struct tokens *tk)
{
	int32_t c;

	skip_blanks(tk);
	tk->begin = tk->at;
	tk->is_quoted = false;
	c = peek(tk);
	if (c == END) {
		tk->kind = TOKEN_END;
	} else if (is_numeric(c)) {
		take_number(tk);
	} else if (is_alpha(c)) {
		take_word(tk);
	} else if (c == '"' || c == '\'') {
		take_quoted(tk);
	} else {
		tk->kind = TOKEN_OTHER;
		tk->c = take(tk);
	}
	return tk->kind;
}

static bool is_char(const struct tokens *tk, int32_t c)
{
	return tk->kind == TOKEN_OTHER && tk->c == c;
}

/* ---- JaasConfig ------------------------------------------------------------- */

static const char *const flag_names[] = {
	[JAAS_REQUIRED] = "required",
	[JAAS_REQUISITE] = "requisite",
	[JAAS_SUFFICIENT] = "sufficient",
	[JAAS_OPTIONAL] = "optional",
};

#define N_FLAGS (sizeof(flag_names) / sizeof(flag_names[0]))

const char *jaas_flag_name(enum jaas_flag flag)
{
	return (size_t)flag < N_FLAGS ? flag_names[flag] : "?";
}

static bool fail_at(unsigned at, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "character %u: %s", at, what);
}

/* Where a quote is open, that is what's wrong, whatever came of it. */
static bool fail_open(const struct tokens *tk, unsigned at, const char *what, struct err *err)
{
	if (tk->open_quote > 0)
		return fail_at(tk->open_quote, "this quote is not closed on its line", err);
	return fail_at(at, what, err);
}

static bool has_nul(const struct secret *sc)
{
	return memchr(secret_reveal(sc), '\0', sc->n) != NULL;
}

static bool read_module(struct tokens *tk, struct jaas *ja, struct err *err)
{
	if (next(tk) == TOKEN_END)
		return err_set(err, ERR_FORMAT, "empty; it is MODULE required NAME=\"VALUE\" ... ;");
	if (tk->kind != TOKEN_TEXT || tk->text.n == 0 || has_nul(&tk->text))
		return fail_at(tk->begin, "the class name of a login module is needed here", err);
	ja->module = mem_strdup(secret_reveal(&tk->text));
	return true;
}

/* The two ways to quote or wrap the whole that come up again and again have a sentence of their own. */
static bool fail_flag(const struct tokens *tk, const struct jaas *ja, struct err *err)
{
	if (strchr(ja->module, ' '))
		return fail_at(1, "the whole stands in quotes; only the values of options do", err);
	if (is_char(tk, '{'))
		return fail_at(tk->begin, "that is the form of a JAAS file; here stands only what is between { and }", err);
	return fail_at(tk->begin, "behind the login module the word required is needed "
		       "(or requisite, sufficient, optional)", err);
}

static bool read_flag(struct tokens *tk, struct jaas *ja, struct err *err)
{
	if (next(tk) == TOKEN_TEXT && !has_nul(&tk->text))
		for (size_t i = 0; i < N_FLAGS; i++)
			if (strcasecmp(secret_reveal(&tk->text), flag_names[i]) == 0) {
				ja->flag = (enum jaas_flag)i;
				return true;
			}
	return fail_flag(tk, ja, err);
}

static struct jaas_option *find_option(const struct jaas *ja, const char *name)
{
	for (size_t i = 0; i < ja->n; i++)
		if (strcmp(ja->v[i].name, name) == 0)
			return &ja->v[i];
	return NULL;
}

/* The value stands in tk->text. */
static bool keep_option(struct tokens *tk, const char *name, struct jaas *ja, struct err *err)
{
	struct jaas_option *op = find_option(ja, name);

	if (has_nul(&tk->text))
		return fail_at(tk->begin, "a NUL, which no option can hold", err);
	if (!op && ja->n == JAAS_OPTIONS_MAX)
		return err_set(err, ERR_LIMIT, "more than %d options", JAAS_OPTIONS_MAX);
	if (!op) {
		op = &ja->v[ja->n++];
		op->name = mem_strdup(name);
		secret_init(&op->value);
	}
	secret_move(&op->value, &tk->text);
	return true;
}

/* The name is the token read last. It may be a piece of a password that wants quotes, so it is wiped too. */
static bool read_option(struct tokens *tk, struct jaas *ja, struct err *err)
{
	const char *need = "an option is NAME=\"VALUE\"; options are separated by blanks";
	unsigned begin = tk->begin;
	struct secret name;
	bool is_ok;

	if (tk->kind != TOKEN_TEXT || tk->text.n == 0 || has_nul(&tk->text))
		return fail_open(tk, begin, need, err);
	secret_init(&name);
	secret_move(&name, &tk->text);
	next(tk);
	if (!is_char(tk, '='))
		is_ok = fail_open(tk, begin, need, err);
	else if (next(tk) != TOKEN_TEXT)
		is_ok = fail_open(tk, tk->begin, "a value is needed here, in quotes unless it is made of letters, "
				  "digits and . _ - $ and begins with a letter", err);
	else
		is_ok = keep_option(tk, secret_reveal(&name), ja, err);
	secret_fini(&name);
	return is_ok;
}

static bool read_entry(struct tokens *tk, struct jaas *ja, struct err *err)
{
	if (!read_module(tk, ja, err) || !read_flag(tk, ja, err))
		return false;
	for (;;) {
		if (next(tk) == TOKEN_END)
			return fail_open(tk, tk->begin, "it must end with ;", err);
		if (is_char(tk, ';'))
			break;
		if (!read_option(tk, ja, err))
			return false;
	}
	return next(tk) == TOKEN_END || fail_at(tk->begin, "one login module and one ; is all there may be", err);
}

bool jaas_read(const char *s, struct jaas *out, struct err *err)
{
	struct tokens tk = { .s = s, .n = strlen(s), .at = 1 };
	bool is_ok;

	*out = (struct jaas){ .module = NULL };
	if (tk.n > JAAS_INPUT_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "%zu bytes, the limit is %d", tk.n, JAAS_INPUT_MAX_BYTES);
	out->v = mem_array(JAAS_OPTIONS_MAX, sizeof(*out->v));
	is_ok = read_entry(&tk, out, err);
	secret_fini(&tk.text);
	if (!is_ok)
		jaas_fini(out);
	return is_ok;
}

void jaas_fini(struct jaas *ja)
{
	for (size_t i = 0; i < ja->n; i++) {
		secret_free_text(&ja->v[i].name);
		secret_fini(&ja->v[i].value);
	}
	mem_free(&ja->v);
	secret_free_text(&ja->module);
	*ja = (struct jaas){ .module = NULL };
}

/* ---- questions --------------------------------------------------------------- */

const struct secret *jaas_find(const struct jaas *ja, const char *name)
{
	const struct jaas_option *op = find_option(ja, name);

	return op ? &op->value : NULL;
}

bool jaas_module_is(const struct jaas *ja, const char *name)
{
	const char *dot = ja->module ? strrchr(ja->module, '.') : NULL;

	return ja->module && strcmp(dot ? dot + 1 : ja->module, name) == 0;
}

static bool in_list(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

static bool is_shown(const char *name)
{
	/* Krb5LoginModule of JDK 17, and Kafka's own modules. */
	static const char *const list[] = {
		"username", "tokenauth", "serviceName", "principal", "keyTab", "useKeyTab", "storeKey", "useTicketCache",
		"ticketCache", "renewTGT", "doNotPrompt", "refreshKrb5Config", "isInitiator", "debug", "clientId", "scope",
		"unsecuredLoginPrincipalClaimName", "unsecuredLoginLifetimeSeconds", "unsecuredLoginStringClaim_sub", NULL
	};

	return in_list(name, list);
}

static bool is_name_known(const char *name)
{
	static const char *const list[] = { "password", "clientSecret", "useFirstPass", "tryFirstPass", "storePass",
		"clearPass", "unsecuredLoginScopeClaimName", "unsecuredLoginListClaim_scope", NULL };

	return is_shown(name) || in_list(name, list);
}

static void put_value(struct strbuf *out, const char *s)
{
	strbuf_putc(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			strbuf_putc(out, '\\');
		strbuf_putc(out, *s);
	}
	strbuf_putc(out, '"');
}

void jaas_put_masked(struct strbuf *out, const struct jaas *ja)
{
	strbuf_printf(out, "%s %s", ja->module, jaas_flag_name(ja->flag));
	for (size_t i = 0; i < ja->n; i++) {
		const struct jaas_option *op = &ja->v[i];

		strbuf_printf(out, " %s=", is_name_known(op->name) ? op->name : "***");
		if (is_shown(op->name))
			put_value(out, secret_reveal(&op->value));
		else
			strbuf_put(out, "***");
	}
	strbuf_putc(out, ';');
}
