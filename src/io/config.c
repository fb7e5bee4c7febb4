/* SPDX-License-Identifier: Apache-2.0 */
#include "io/config.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "base/utf8.h"
#include "io/slurp.h"

enum kind { TEXT, YES_NO, NUMBER, FILE_NAME, SCHEME_FILE, PATTERN, TINT };

static const struct key {
	const char *name;
	enum kind kind;
	int64_t min, max;   /* of a NUMBER */
} keys[] = {
	{ "zookeeper", TEXT, 0, 0 }, { "bootstrap-server", TEXT, 0, 0 }, { "command-config", FILE_NAME, 0, 0 }, { "zk-auth", SCHEME_FILE, 0, 0 },
	{ "cluster-id", TEXT, 0, 0 }, { "operate", YES_NO, 0, 0 }, { "protected", PATTERN, 0, 0 }, { "internal-by-hand", YES_NO, 0, 0 },
	{ "protected-by-hand", YES_NO, 0, 0 }, { "many-topics", NUMBER, 1, 100000 }, { "many-percent", NUMBER, 1, 100 },
	{ "group-topics", NUMBER, 1, 1000 }, { "tint", TINT, 0, 0 }, { "log-file", FILE_NAME, 0, 0 }, { "view", TEXT, 0, 0 },
};
enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

static const char *const tints[] = { "red", "green", "yellow", "blue", "magenta", "cyan" };

struct reader {
	struct config *cf;
	const char *wanted;           /* the profile asked for, NULL: none */
	const char *line;             /* being read */
	size_t len;
	unsigned number;
	bool is_wanted;               /* the section one is in is the one asked for */
	unsigned set_in[KEYS];        /* line of the key in this section, 0: not yet */
	size_t n_patterns;            /* in this section */
	struct err *err;
};

const char *config_key(size_t i)
{
	return i < KEYS ? keys[i].name : NULL;
}

/* From 1, counting characters; `at` is a byte of the line. */
static unsigned column_of(const struct reader *rd, size_t at)
{
	unsigned column = 1;
	int32_t cp;

	for (size_t i = 0; i < at; column++)
		i += utf8_decode(rd->line + i, rd->len - i, &cp);
	return column;
}

/* Always false. */
__attribute__((format(printf, 3, 4)))
static bool refuse(struct reader *rd, size_t at, const char *fmt, ...)
{
	struct strbuf text;
	va_list ap;

	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	err_set(rd->err, ERR_FORMAT, "%s: line %u, column %u: %s", rd->cf->file, rd->number, column_of(rd, at), text.s);
	strbuf_fini(&text);
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t past_blanks(const struct reader *rd, size_t at)
{
	while (at < rd->len && is_blank(rd->line[at]))
		at++;
	return at;
}

/* ---- [profile NAME] ----------------------------------------------------------------------- */

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

static bool begin_profile(struct reader *rd, size_t at, const char *name)
{
	struct config *cf = rd->cf;

	for (size_t i = 0; i < cf->n_names; i++)
		if (strcmp(cf->names[i], name) == 0)
			return refuse(rd, at, "there is a profile %s further up", name);
	if (cf->n_names == CONFIG_PROFILES_MAX)
		return refuse(rd, at, "more than %d profiles", CONFIG_PROFILES_MAX);
	cf->names = mem_realloc_array(cf->names, cf->n_names + 1, sizeof(*cf->names));
	cf->names[cf->n_names++] = mem_strdup(name);
	rd->is_wanted = rd->wanted != NULL && strcmp(rd->wanted, name) == 0;
	if (rd->is_wanted)
		cf->profile = mem_strdup(name);
	memset(rd->set_in, 0, sizeof(rd->set_in));
	rd->n_patterns = 0;
	return true;
}

static bool take_section(struct reader *rd, size_t open)
{
	static const char word[] = "profile";
	size_t at = past_blanks(rd, open + 1), name_at, n = 0;
	char name[CONFIG_NAME_MAX + 1];

	if (rd->len - at < sizeof(word) || strncmp(rd->line + at, word, sizeof(word) - 1) != 0 || !is_blank(rd->line[at + sizeof(word) - 1]))
		return refuse(rd, open, "a section is written [profile NAME]");
	name_at = at = past_blanks(rd, at + sizeof(word) - 1);
	while (at + n < rd->len && is_name_byte(rd->line[at + n]))
		n++;
	if (n == 0)
		return refuse(rd, at, "a profile's name is letters, digits, \".\", \"_\" and \"-\"");
	if (!str_copyn(name, sizeof(name), rd->line + at, n))
		return refuse(rd, at, "a profile's name has at most %d characters", CONFIG_NAME_MAX);
	at = past_blanks(rd, at + n);
	if (at >= rd->len || rd->line[at] != ']')
		return refuse(rd, at, "a profile's name is letters, digits, \".\", \"_\" and \"-\", and \"]\" stands behind it");
	at = past_blanks(rd, at + 1);
	if (at < rd->len && rd->line[at] != '#')
		return refuse(rd, at, "nothing but a comment can stand behind \"]\"");
	return begin_profile(rd, name_at, name);
}

/* ---- key = value ---------------------------------------------------------------------------- */

static bool unknown_key(struct reader *rd, size_t at, const char *name)
{
	const char *best = NULL;
	size_t least = SIZE_MAX, d;

	for (size_t i = 0; i < KEYS; i++)
		if (str_is_near(name, keys[i].name, &d) && d < least) {
			least = d;
			best = keys[i].name;
		}
	if (best != NULL)
		return refuse(rd, at, "unknown key %s; did you mean %s?", name, best);
	return refuse(rd, at, "unknown key %s; see kafops-config(5)", name);
}

static const struct key *key_find(const char *name)
{
	for (size_t i = 0; i < KEYS; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

/* The bytes of a value: in quotes, or up to a comment. *at moves to its first byte. */
static bool find_value(struct reader *rd, size_t *at, size_t *n)
{
	size_t end, from = past_blanks(rd, *at);

	*at = from;
	if (from < rd->len && rd->line[from] == '"') {
		const char *quote = memchr(rd->line + from + 1, '"', rd->len - from - 1);

		if (quote == NULL)
			return refuse(rd, from, "the quote is never closed");
		*at = from + 1;
		*n = (size_t)(quote - rd->line) - *at;
		end = past_blanks(rd, *at + *n + 1);
		if (end < rd->len && rd->line[end] != '#')
			return refuse(rd, end, "nothing but a comment can stand behind the closing quote");
		return true;
	}
	for (end = from; end < rd->len && !(rd->line[end] == '#' && (end == from || is_blank(rd->line[end - 1]))); end++)
		;
	while (end > from && is_blank(rd->line[end - 1]))
		end--;
	*n = end - from;
	return true;
}

static bool check_kind(struct reader *rd, const struct key *key, size_t at, const char *text)
{
	int64_t number;

	switch (key->kind) {
	case YES_NO:
		if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
			return refuse(rd, at, "%s: write yes or no", key->name);
		return true;
	case NUMBER:
		if (!str_to_i64(text, key->min, key->max, &number))
			return refuse(rd, at, "%s: write a number from %lld to %lld", key->name, (long long)key->min, (long long)key->max);
		return true;
	case TINT:
		for (size_t i = 0; i < sizeof(tints) / sizeof(tints[0]); i++)
			if (strcmp(text, tints[i]) == 0)
				return true;
		return refuse(rd, at, "%s: write red, green, yellow, blue, magenta or cyan", key->name);
	default:
		return true;
	}
}

/* Where a file named in the file is: ~/ is one's own folder, and what is relative lies beside the file. */
static char *resolve_name(const char *file, const char *name)
{
	const char *home = getenv("HOME"), *slash = strrchr(file, '/');
	struct strbuf sb;

	strbuf_init(&sb);
	if (str_starts(name, "~/") && home != NULL && home[0] != '\0') {
		strbuf_put(&sb, home);
		strbuf_put(&sb, name + 1);
	} else {
		if (name[0] != '/' && slash != NULL)
			strbuf_putn(&sb, file, (size_t)(slash - file) + 1);
		strbuf_put(&sb, name);
	}
	return strbuf_take(&sb);
}

static char *resolve(const struct config *cf, const struct key *key, const char *text)
{
	size_t scheme = strcspn(text, ":");
	struct strbuf sb;
	char *name;

	if (key->kind == FILE_NAME)
		return resolve_name(cf->file, text);
	if (key->kind != SCHEME_FILE || strncmp(text, "digest:", 7) != 0 || text[7] == '\0')
		return mem_strdup(text);
	name = resolve_name(cf->file, text + scheme + 1);
	strbuf_init(&sb);
	strbuf_putn(&sb, text, scheme + 1);
	strbuf_put(&sb, name);
	mem_free(&name);
	return strbuf_take(&sb);
}

static void keep_value(struct reader *rd, const struct key *key, size_t at, const char *text)
{
	struct config *cf = rd->cf;
	struct strbuf place;

	strbuf_init(&place);
	strbuf_printf(&place, "%s:%u", cf->file, rd->number);
	cf->v = mem_realloc_array(cf->v, cf->n + 1, sizeof(*cf->v));
	cf->v[cf->n++] = (struct config_value){
		.key = key->name, .text = resolve(cf, key, text), .place = strbuf_take(&place), .line = rd->number, .column = column_of(rd, at),
	};
	strbuf_fini(&place);
}

static bool take_value(struct reader *rd, const struct key *key, size_t key_at, size_t at)
{
	unsigned *set_in = &rd->set_in[key - keys];
	char text[CONFIG_VALUE_MAX + 1];
	size_t n = 0;

	if (!find_value(rd, &at, &n))
		return false;
	if (*set_in != 0 && key->kind != PATTERN)
		return refuse(rd, key_at, "%s is set in line %u already", key->name, *set_in);
	if (n == 0)
		return refuse(rd, at, "%s has no value", key->name);
	if (!str_copyn(text, sizeof(text), rd->line + at, n))
		return refuse(rd, at, "a value has at most %d bytes", CONFIG_VALUE_MAX);
	if (key->kind == PATTERN && ++rd->n_patterns > CONFIG_PATTERNS_MAX)
		return refuse(rd, key_at, "more than %d protected patterns; \",\" in one means \"or\"", CONFIG_PATTERNS_MAX);
	*set_in = rd->number;
	if (!check_kind(rd, key, at, text))
		return false;
	if (rd->is_wanted)
		keep_value(rd, key, at, text);
	return true;
}

static bool take_setting(struct reader *rd, size_t at)
{
	size_t n = 0, equals;
	const struct key *key;
	char name[64];

	while (at + n < rd->len && !is_blank(rd->line[at + n]) && rd->line[at + n] != '=')
		n++;
	equals = past_blanks(rd, at + n);
	if (equals >= rd->len || rd->line[equals] != '=')
		return refuse(rd, at, "neither [profile NAME] nor KEY = VALUE nor a comment");
	if (rd->cf->n_names == 0)
		return refuse(rd, at, "a key before the first [profile NAME]");
	if (n == 0)
		return refuse(rd, at, "there is no key before \"=\"");
	if (!str_copyn(name, sizeof(name), rd->line + at, n))
		return refuse(rd, at, "this is too long for a key; see kafops-config(5)");
	key = key_find(name);
	return key != NULL ? take_value(rd, key, at, equals + 1) : unknown_key(rd, at, name);
}

/* ---- the file --------------------------------------------------------------------------------- */

static bool check_bytes(struct reader *rd)
{
	for (size_t i = 0; i < rd->len;) {
		int32_t cp;
		size_t n = utf8_decode(rd->line + i, rd->len - i, &cp);

		if (cp < 0)
			return refuse(rd, i, "a byte that is no UTF-8");
		if (cp != '\t' && utf8_cp_columns(cp) < 0)
			return refuse(rd, i, "a control character");
		i += n;
	}
	return true;
}

static bool take_line(struct reader *rd)
{
	size_t at;

	if (rd->len > 0 && rd->line[rd->len - 1] == '\r')
		rd->len--;
	if (!check_bytes(rd))
		return false;
	at = past_blanks(rd, 0);
	if (at == rd->len || rd->line[at] == '#' || rd->line[at] == ';')
		return true;
	return rd->line[at] == '[' ? take_section(rd, at) : take_setting(rd, at);
}

static bool no_such_profile(const struct config *cf, const char *profile, struct err *err)
{
	struct strbuf list;

	strbuf_init(&list);
	for (size_t i = 0; i < cf->n_names; i++)
		strbuf_printf(&list, "%s%s", i == 0 ? "; there is " : i + 1 == cf->n_names ? " and " : ", ", cf->names[i]);
	err_set(err, ERR_NOT_FOUND, "%s: no profile is named %s%s", cf->file, profile, list.s);
	strbuf_fini(&list);
	return false;
}

static bool take_all(struct reader *rd, const char *data, size_t n)
{
	size_t at = n >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < n) {
		const char *end = memchr(data + at, '\n', n - at);

		rd->line = data + at;
		rd->len = end != NULL ? (size_t)(end - rd->line) : n - at;
		rd->number++;
		at += rd->len + 1;
		if (!take_line(rd))
			return false;
	}
	return true;
}

bool config_parse(const char *data, size_t n, const char *file, const char *profile, struct config *out, struct err *err)
{
	struct reader rd = { .cf = out, .wanted = profile, .err = err };
	bool is_ok;

	*out = (struct config){ .file = mem_strdup(file) };
	is_ok = n <= CONFIG_MAX_BYTES || err_set(err, ERR_LIMIT, "%s: more than %d bytes", file, CONFIG_MAX_BYTES);
	is_ok = is_ok && take_all(&rd, data, n);
	is_ok = is_ok && (profile == NULL || out->profile != NULL || no_such_profile(out, profile, err));
	if (!is_ok)
		config_fini(out);
	return is_ok;
}

bool config_read(const char *file, const char *profile, struct config *out, struct err *err)
{
	struct secret data = { 0 };
	struct stat st;
	bool is_ok;

	*out = (struct config){ 0 };
	if (!slurp_file(file, CONFIG_MAX_BYTES, &data, NULL, err))
		return false;
	is_ok = config_parse(secret_reveal(&data), data.n, file, profile, out, err);
	secret_fini(&data);
	if (is_ok && stat(file, &st) == 0 && S_ISREG(st.st_mode)) {
		out->others_may_read = (st.st_mode & (S_IRGRP | S_IROTH)) != 0;
		out->others_may_write = (st.st_mode & (S_IWGRP | S_IWOTH)) != 0;
	}
	return is_ok;
}

void config_fini(struct config *cf)
{
	for (size_t i = 0; i < cf->n; i++) {
		mem_free(&cf->v[i].text);
		mem_free(&cf->v[i].place);
	}
	for (size_t i = 0; i < cf->n_names; i++)
		mem_free(&cf->names[i]);
	mem_free(&cf->v);
	mem_free(&cf->names);
	mem_free(&cf->profile);
	mem_free(&cf->file);
	*cf = (struct config){ 0 };
}

char *config_default_file(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct strbuf sb;

	strbuf_init(&sb);
	if (xdg != NULL && xdg[0] == '/') /* the XDG base directory specification: a relative one is to be ignored */
		strbuf_printf(&sb, "%s/kafops/config", xdg);
	else if (home != NULL && home[0] != '\0')
		strbuf_printf(&sb, "%s/.config/kafops/config", home);
	if (sb.len > 0)
		return strbuf_take(&sb);
	strbuf_fini(&sb);
	return NULL;
}
