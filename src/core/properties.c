/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In two steps, as java.util.Properties of JDK 17 has them: LineReader.readLine
 * joins physical lines into a logical one, of characters that know their
 * place; load0 and loadConvert cut it into key and value and undo escapes.
 * Corners kept: a comment is looked for wherever the logical line is still
 * empty, so behind a lone backslash too; a backslash at the very end is
 * dropped, and a line that consists of it is an entry with an empty key.
 */
#include "core/properties.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"

static const char bom[] = "\xef\xbb\xbf";

/* ---- characters ----------------------------------------------------------- */

struct place_char {
	int32_t c;
	struct properties_place at;
};

struct reader {
	const char *s;
	size_t n;
	bool is_utf8;
	struct properties_place at; /* of s[0] */
};

/* A logical line. */
struct line {
	struct place_char *v;
	size_t n;
	size_t cap;
};

static bool is_blank(int32_t c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

static bool is_eol(int32_t c)
{
	return c == '\n' || c == '\r';
}

static bool next_char(struct reader *rd, struct place_char *ch)
{
	size_t width = 1;

	if (rd->n == 0)
		return false;
	ch->at = rd->at;
	if (rd->is_utf8)
		width = utf8_decode(rd->s, rd->n, &ch->c);
	else
		ch->c = (unsigned char)rd->s[0];
	rd->s += width;
	rd->n -= width;
	rd->at.column++;
	/* CR LF is one line's end. */
	if (ch->c == '\n' || (ch->c == '\r' && (rd->n == 0 || rd->s[0] != '\n')))
		rd->at = (struct properties_place){ rd->at.line + 1, 1 };
	return true;
}

static void line_put(struct line *ln, struct place_char ch)
{
	if (ln->n == ln->cap) {
		struct line bigger = { NULL, ln->n, ln->cap > 0 ? ln->cap * 2 : 256 };

		bigger.v = mem_array(bigger.cap, sizeof(*bigger.v));
		if (ln->n > 0) {
			memcpy(bigger.v, ln->v, ln->n * sizeof(*ln->v));
			explicit_bzero(ln->v, ln->cap * sizeof(*ln->v));
		}
		mem_free(&ln->v);
		*ln = bigger;
	}
	ln->v[ln->n++] = ch;
}

static void line_fini(struct line *ln)
{
	if (ln->v)
		explicit_bzero(ln->v, ln->cap * sizeof(*ln->v));
	mem_free(&ln->v);
}

/* ---- LineReader.readLine --------------------------------------------------- */

static void skip_comment(struct reader *rd)
{
	struct place_char ch;

	while (next_char(rd, &ch) && !is_eol(ch.c))
		;
}

/* False at the end of the input. */
static bool read_line(struct reader *rd, struct line *ln)
{
	bool at_start = true, is_continued = false, is_escaped = false;
	struct place_char ch;

	ln->n = 0;
	while (next_char(rd, &ch)) {
		if (at_start && (is_blank(ch.c) || (!is_continued && is_eol(ch.c))))
			continue;
		at_start = is_continued = false;
		if (ln->n == 0 && (ch.c == '#' || ch.c == '!')) {
			skip_comment(rd);
			at_start = true;
		} else if (!is_eol(ch.c)) {
			line_put(ln, ch);
			is_escaped = ch.c == '\\' && !is_escaped;
		} else if (ln->n == 0) {
			at_start = true;
		} else if (!is_escaped || rd->n == 0) {
			ln->n -= is_escaped;
			return true;
		} else {
			ln->n--;
			at_start = is_continued = true;
			is_escaped = false;
			if (ch.c == '\r' && rd->s[0] == '\n' && !next_char(rd, &ch))
				assert(!"the LF that was seen");
		}
	}
	if (ln->n == 0)
		return false;
	ln->n -= is_escaped;
	return true;
}

/* ---- loadConvert ----------------------------------------------------------- */

static bool fail_at(struct properties_place at, enum err_code code, const char *what, struct err *err)
{
	return err_set(err, code, "line %u, column %u: %s", at.line, at.column, what);
}

static void put_code_point(struct secret *out, int32_t cp)
{
	if (cp < 0x80) {
		secret_putc(out, (char)cp);
	} else if (cp < 0x800) {
		secret_putc(out, (char)(0xc0 | (cp >> 6)));
		secret_putc(out, (char)(0x80 | (cp & 0x3f)));
	} else if (cp < 0x10000) {
		secret_putc(out, (char)(0xe0 | (cp >> 12)));
		secret_putc(out, (char)(0x80 | ((cp >> 6) & 0x3f)));
		secret_putc(out, (char)(0x80 | (cp & 0x3f)));
	} else {
		secret_putc(out, (char)(0xf0 | (cp >> 18)));
		secret_putc(out, (char)(0x80 | ((cp >> 12) & 0x3f)));
		secret_putc(out, (char)(0x80 | ((cp >> 6) & 0x3f)));
		secret_putc(out, (char)(0x80 | (cp & 0x3f)));
	}
}

static int hex_digit(int32_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The four digits behind \u, which stands at v[*i]; *i goes behind them. */
static bool read_unit(const struct place_char *v, size_t n, size_t *i, int32_t *unit, struct err *err)
{
	*unit = 0;
	for (size_t k = 0; k < 4; k++) {
		int digit = *i + 2 + k < n ? hex_digit(v[*i + 2 + k].c) : -1;

		if (digit < 0)
			return fail_at(v[*i].at, ERR_FORMAT, "behind \\u four hexadecimal digits are needed; "
				       "a backslash itself is written \\\\", err);
		*unit = *unit * 16 + digit;
	}
	*i += 6;
	return true;
}

/* \uXXXX at v[*i], or two of them that are a surrogate pair. */
static bool read_escape_u(const struct place_char *v, size_t n, size_t *i, int32_t *cp, struct err *err)
{
	const char *half = "half a surrogate pair; \\uD800 to \\uDBFF and \\uDC00 to \\uDFFF stand together";
	struct properties_place at = v[*i].at;
	int32_t low;

	if (!read_unit(v, n, i, cp, err))
		return false;
	if (*cp < 0xd800 || *cp > 0xdfff)
		return true;
	if (*cp >= 0xdc00 || *i + 1 >= n || v[*i].c != '\\' || v[*i + 1].c != 'u')
		return fail_at(at, ERR_FORMAT, half, err);
	if (!read_unit(v, n, i, &low, err))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return fail_at(at, ERR_FORMAT, half, err);
	*cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

static int32_t unescaped(int32_t c)
{
	switch (c) {
	case 't': return '\t';
	case 'n': return '\n';
	case 'r': return '\r';
	case 'f': return '\f';
	default: return c;
	}
}

/* v[0..n) without its escapes, into `out`, which is set in any case. */
static bool convert(const struct place_char *v, size_t n, struct secret *out, struct err *err)
{
	secret_set(out, "");
	for (size_t i = 0; i < n;) {
		struct properties_place at = v[i].at;
		int32_t cp = v[i].c;

		if (cp == '\\' && i + 1 < n && v[i + 1].c == 'u') {
			if (!read_escape_u(v, n, &i, &cp, err))
				return false;
		} else if (cp == '\\') {
			assert(i + 1 < n); /* readLine leaves no backslash open */
			cp = unescaped(v[i + 1].c);
			i += 2;
		} else {
			i++;
		}
		if (cp == 0)
			return fail_at(at, ERR_FORMAT, "a NUL, which no setting can hold", err);
		put_code_point(out, cp);
	}
	return true;
}

/* ---- load0 ------------------------------------------------------------------ */

struct cut {
	size_t key_end;
	size_t value;
};

static struct cut cut_line(const struct line *ln)
{
	struct cut ct = { 0, ln->n };
	bool is_escaped = false, has_separator = false;

	for (; ct.key_end < ln->n; ct.key_end++) {
		int32_t c = ln->v[ct.key_end].c;

		has_separator = !is_escaped && (c == '=' || c == ':');
		if (has_separator || (!is_escaped && is_blank(c))) {
			ct.value = ct.key_end + 1;
			break;
		}
		is_escaped = c == '\\' && !is_escaped;
	}
	for (; ct.value < ln->n; ct.value++) {
		int32_t c = ln->v[ct.value].c;

		if (is_blank(c))
			continue;
		if (has_separator || (c != '=' && c != ':'))
			break;
		has_separator = true;
	}
	return ct;
}

static bool is_raw(const struct line *ln)
{
	for (size_t i = 0; i < ln->n; i++)
		if (ln->v[i].c >= 0x80)
			return true;
	return false;
}

static struct property *new_entry(struct properties *pp)
{
	if (pp->n % 64 == 0) /* grows in steps; holds pointers to secrets, not their bytes */
		pp->v = mem_realloc_array(pp->v, pp->n + 64, sizeof(*pp->v));
	pp->v[pp->n] = (struct property){ .later = PROPERTIES_NONE };
	return &pp->v[pp->n++];
}

/* The map holds indices plus one, for entries move when the array grows. */
static void index_entry(struct properties *pp, size_t i)
{
	void *before = map_set(pp->last, pp->v[i].key, (void *)(uintptr_t)(i + 1));

	if (before)
		pp->v[(uintptr_t)before - 1].later = i;
}

/* `end` is where the line ended, for values that are not there. */
static bool add_entry(struct properties *pp, const struct line *ln, struct properties_place begin,
		      struct properties_place end, struct err *err)
{
	struct cut ct = cut_line(ln);
	struct property *pr;
	struct secret key;
	bool is_ok;

	if (pp->n == PROPERTIES_ENTRIES_MAX)
		return fail_at(begin, ERR_LIMIT, "more than 4096 settings", err);
	pr = new_entry(pp);
	pr->key_at = ln->n > 0 ? ln->v[0].at : begin;
	pr->value_at = ct.value < ln->n ? ln->v[ct.value].at : end;
	pr->is_raw = is_raw(ln);
	secret_init(&key);
	is_ok = convert(ln->v, ct.key_end, &key, err) &&
		(key.n <= PROPERTIES_KEY_MAX ||
		 fail_at(pr->key_at, ERR_LIMIT, "a name of more than 512 bytes", err)) &&
		convert(ln->v + ct.value, ln->n - ct.value, &pr->value, err);
	pr->key = mem_strdup(is_ok ? secret_reveal(&key) : "");
	secret_fini(&key);
	if (is_ok)
		index_entry(pp, pp->n - 1);
	return is_ok;
}

/* ---- the whole -------------------------------------------------------------- */

static enum properties_encoding encoding_of(const char *data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)data[i] >= 0x80)
			return utf8_is_valid(data, n) ? PROPERTIES_UTF8 : PROPERTIES_LATIN1;
	return PROPERTIES_ASCII;
}

static bool read_entries(struct properties *pp, struct reader rd, struct err *err)
{
	struct line ln = { NULL, 0, 0 };
	struct properties_place begin = rd.at;
	bool is_ok = true;

	while (is_ok && read_line(&rd, &ln)) {
		struct properties_place end = rd.at;

		/* The line's end was read: its place is behind the last character. */
		if (ln.n > 0 && end.column == 1)
			end = (struct properties_place){ ln.v[ln.n - 1].at.line, ln.v[ln.n - 1].at.column + 1 };
		is_ok = add_entry(pp, &ln, begin, end, err);
		begin = rd.at;
	}
	line_fini(&ln);
	return is_ok;
}

bool properties_read(const char *data, size_t n, struct properties *out, struct err *err)
{
	struct reader rd = { data, n, false, { 1, 1 } };
	bool is_ok;

	*out = (struct properties){ .v = NULL };
	if (n > PROPERTIES_INPUT_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "%zu bytes; a file of settings has at most %d", n,
			       PROPERTIES_INPUT_MAX_BYTES);
	out->encoding = encoding_of(data, n);
	out->has_bom = out->encoding == PROPERTIES_UTF8 && n >= 3 && memcmp(data, bom, 3) == 0;
	if (out->has_bom) {
		rd.s += 3;
		rd.n -= 3;
	}
	rd.is_utf8 = out->encoding == PROPERTIES_UTF8;
	out->last = map_new();
	is_ok = read_entries(out, rd, err);
	if (!is_ok)
		properties_fini(out);
	return is_ok;
}

void properties_fini(struct properties *pp)
{
	for (size_t i = 0; i < pp->n; i++) {
		mem_free(&pp->v[i].key);
		secret_fini(&pp->v[i].value);
	}
	mem_free(&pp->v);
	if (pp->last)
		map_free(&pp->last, NULL);
	*pp = (struct properties){ .v = NULL };
}

const struct property *properties_find(const struct properties *pp, const char *key)
{
	void *found = map_find(pp->last, key);

	return found ? &pp->v[(uintptr_t)found - 1] : NULL;
}
