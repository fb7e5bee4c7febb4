/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a pattern by the rules of java.util.regex.Pattern, once, from left to
 * right, and writes it down again in a form that PCRE2 can only read in the
 * same sense. What the reader does not know is refused; so PCRE2's own
 * extensions never show.
 *
 * Where they would part (reference 7.2, and tried side by side with Java 17 on
 * a million random patterns): a brace that is no {n} is an error in Java and
 * text in PCRE2; a quantifier behind a quantifier or an assertion; "(*VERB)",
 * recursion, conditions; && and brackets inside a class; \p, \0, \c, \u; bytes
 * past ASCII; and what check_repeat() names.
 */
#include "core/pattern_read.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

enum {
	NEST_MAX = 100, /* groups within groups */
	NAMES_MAX = 64  /* named groups */
};

/* A group that is open. */
struct open_group {
	size_t at;         /* of its parenthesis */
	int capture;       /* its number, 0 when it has none */
	int name;          /* index into names, -1 when it has none */
	bool is_assertion; /* looks ahead or behind: can't be repeated */
	bool is_atomic;    /* (?>...) */
	bool is_inside;    /* is either, or stands in one */
	bool is_behind;    /* looks behind, or stands in what does */
	/* What was found of the group round this one, set aside. */
	bool outer_before, outer_branch;
};

struct reader {
	const char *s;
	size_t at;
	struct strbuf *out;
	bool can_repeat;    /* what stands before can take a quantifier */
	/* Whether nothing at all can match: the last item, what is before it in its branch,
	 * a branch before that one. */
	bool last_empty, before_empty, branch_empty;
	bool last_is_group;
	bool has_odd_loop; /* a group that can match nothing, or for good, is repeated */
	bool has_reference;
	struct open_group open[NEST_MAX];
	int n_open;
	int n_captures;
	bool is_closed[10]; /* by number of capture, for \1 to \9 */
	struct span { size_t at, n; bool is_closed; } names[NAMES_MAX];
	int n_names;
	struct err *err;
};

/* Always false. Columns count from 1. */
__attribute__((format(printf, 3, 4)))
static bool refuse(struct reader *rd, size_t at, const char *fmt, ...)
{
	struct strbuf text;
	va_list ap;

	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	err_set(rd->err, ERR_USAGE, "pattern \"%.*s%s\", column %zu: %s", 80, rd->s,
		strlen(rd->s) > 80 ? "..." : "", at + 1, text.s);
	strbuf_fini(&text);
	return false;
}

/* A new item, of which these hold. */
static void item(struct reader *rd, bool can_repeat, bool can_be_empty)
{
	rd->before_empty = rd->before_empty && rd->last_empty;
	rd->last_empty = can_be_empty;
	rd->last_is_group = false;
	rd->can_repeat = can_repeat;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static bool is_ascii(const struct reader *rd)
{
	return (unsigned char)rd->s[rd->at] < 0x80;
}

static bool refuse_byte(struct reader *rd)
{
	return refuse(rd, rd->at, "topic names are ASCII, this is not");
}

/* Writes one character so that it stands for itself, in a class or out of it. */
static void put_literal(struct reader *rd, unsigned char c)
{
	if (is_letter((char)c) || is_digit((char)c))
		strbuf_putc(rd->out, (char)c);
	else
		strbuf_printf(rd->out, "\\x%02x", c);
}

static int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* \xhh or \x{h...}, `at` on what follows the x. */
static bool read_hex(struct reader *rd, size_t from, unsigned char *out)
{
	bool is_braced = rd->s[rd->at] == '{';
	size_t digits = 0;
	unsigned v = 0;

	rd->at += is_braced;
	for (; hex_value(rd->s[rd->at]) >= 0 && (is_braced || digits < 2); rd->at++, digits++)
		if ((v = v * 16 + (unsigned)hex_value(rd->s[rd->at])) > 0x7f)
			return refuse(rd, from, "topic names are ASCII, this is not");
	if (digits == 0 || (!is_braced && digits < 2) || (is_braced && rd->s[rd->at] != '}'))
		return refuse(rd, from, "expected \\xhh or \\x{hh}");
	rd->at += is_braced;
	*out = (unsigned char)v;
	return true;
}

/* An escape that is one character, in a class or out of it. `at` is on the backslash;
 * false without an error when it is another kind of escape, and `at` is left alone. */
static bool read_char_escape(struct reader *rd, unsigned char *out)
{
	static const char names[] = "tnrfae";
	static const char values[] = "\t\n\r\f\a\033";
	size_t from = rd->at;
	char c = rd->s[from + 1];

	if (c == '\0' || is_digit(c) || (unsigned char)c >= 0x80)
		return false;
	if (c == 'x') {
		rd->at += 2;
		return read_hex(rd, from, out);
	}
	if (is_letter(c) && !is_one_of(c, names))
		return false;
	*out = (unsigned char)(is_letter(c) ? values[strchr(names, c) - names] : c);
	rd->at += 2;
	return true;
}

static bool refuse_escape(struct reader *rd)
{
	char c = rd->s[rd->at + 1];

	if (c == '\0')
		return refuse(rd, rd->at, "nothing after the backslash");
	if (c == 'p' || c == 'P')
		return refuse(rd, rd->at, "\\%c{...} is not supported; list the characters, as in [A-Za-z]",
			      c);
	if ((unsigned char)c >= 0x80)
		return refuse_byte(rd);
	return refuse(rd, rd->at, "\\%c is not supported", c);
}

/* \Q...\E: all of it stands for itself. */
static bool read_quoted(struct reader *rd)
{
	for (rd->at += 2; rd->s[rd->at] != '\0'; rd->at++) {
		if (rd->s[rd->at] == '\\' && rd->s[rd->at + 1] == 'E') {
			rd->at += 2;
			return true;
		}
		if (!is_ascii(rd))
			return refuse_byte(rd);
		put_literal(rd, (unsigned char)rd->s[rd->at]);
		item(rd, true, false);
	}
	return true;
}

static bool is_behind(const struct reader *rd)
{
	return rd->n_open > 0 && rd->open[rd->n_open - 1].is_behind;
}

/* \1: to a group that is closed already; else the two differ in what it means. */
static bool read_back_reference(struct reader *rd)
{
	int number = rd->s[rd->at + 1] - '0';

	if (is_behind(rd))
		return refuse(rd, rd->at, "no back reference can stand in a look-behind");
	if (number == 0)
		return refuse(rd, rd->at, "\\0 is not supported");
	if (is_digit(rd->s[rd->at + 2]))
		return refuse(rd, rd->at, "a back reference of two digits is not supported");
	if (!rd->is_closed[number])
		return refuse(rd, rd->at, "\\%d: there is no such group before it to refer to", number);
	strbuf_printf(rd->out, "\\g{%d}", number);
	rd->at += 2;
	rd->has_reference = true;
	item(rd, true, true);
	return true;
}

/* A group's name and the `end` behind it. */
static bool read_name(struct reader *rd, struct span *out)
{
	out->at = rd->at;
	if (!is_letter(rd->s[rd->at]))
		return refuse(rd, rd->at, "a group's name begins with a letter");
	while (is_letter(rd->s[rd->at]) || is_digit(rd->s[rd->at]))
		rd->at++;
	out->n = rd->at - out->at;
	if (rd->s[rd->at++] != '>')
		return refuse(rd, out->at, "a group's name is letters and digits and ends in \">\"");
	return true;
}

static int find_name(const struct reader *rd, struct span name)
{
	for (int i = 0; i < rd->n_names; i++)
		if (rd->names[i].n == name.n &&
		    memcmp(rd->s + rd->names[i].at, rd->s + name.at, name.n) == 0)
			return i;
	return -1;
}

static bool read_named_reference(struct reader *rd)
{
	size_t from = rd->at;
	struct span name;
	int i;

	if (is_behind(rd))
		return refuse(rd, from, "no back reference can stand in a look-behind");
	if (rd->s[from + 2] != '<')
		return refuse(rd, from, "expected \\k<name>");
	rd->at += 3;
	if (!read_name(rd, &name))
		return false;
	i = find_name(rd, name);
	if (i < 0 || !rd->names[i].is_closed)
		return refuse(rd, from, "there is no group of this name before it to refer to");
	strbuf_printf(rd->out, "\\k<%.*s>", (int)name.n, rd->s + name.at);
	rd->has_reference = true;
	item(rd, true, true);
	return true;
}

static bool read_escape(struct reader *rd)
{
	char c = rd->s[rd->at + 1];
	unsigned char literal;

	if (c == 'Q')
		return read_quoted(rd);
	if (c == 'k')
		return read_named_reference(rd);
	if (is_digit(c))
		return read_back_reference(rd);
	if (is_one_of(c, "dDsSwWhHvV") || is_one_of(c, "bBAzZG")) {
		strbuf_printf(rd->out, "\\%c", c);
		item(rd, !is_one_of(c, "bBAzZG"), is_one_of(c, "bBAzZG"));
		rd->at += 2;
		return true;
	}
	if (!read_char_escape(rd, &literal))
		return rd->err->code == ERR_NONE ? refuse_escape(rd) : false;
	put_literal(rd, literal);
	item(rd, true, false);
	return true;
}

/* ---- classes -------------------------------------------------------------- */

/* One member: a character (*is_set false) or an escape for a set of them, which is written at once. */
static bool read_member(struct reader *rd, size_t open, bool *is_set, unsigned char *out)
{
	char c = rd->s[rd->at];

	*is_set = false;
	if (c == '\0')
		return refuse(rd, open, "the bracket is never closed");
	if (c == '[')
		return refuse(rd, rd->at, "a bracket inside brackets is not supported; write \\[");
	if (c == '&' && rd->s[rd->at + 1] == '&')
		return refuse(rd, rd->at, "&& inside brackets is not supported");
	if (!is_ascii(rd))
		return refuse_byte(rd);
	if (c != '\\') {
		*out = (unsigned char)c;
		rd->at++;
		return true;
	}
	c = rd->s[rd->at + 1];
	if (is_one_of(c, "dDsSwWhHvV")) {
		strbuf_printf(rd->out, "\\%c", c);
		rd->at += 2;
		*is_set = true;
		return true;
	}
	if (read_char_escape(rd, out))
		return true;
	return rd->err->code == ERR_NONE ? refuse_escape(rd) : false;
}

/* A member, or two with a hyphen between. A hyphen before the closing bracket is itself. */
static bool read_range(struct reader *rd, size_t open)
{
	size_t from = rd->at;
	unsigned char low = 0, high = 0;
	bool is_set;

	if (!read_member(rd, open, &is_set, &low))
		return false;
	if (!is_set)
		put_literal(rd, low);
	if (rd->s[rd->at] != '-' || rd->s[rd->at + 1] == ']' || is_set)
		return true;
	rd->at++;
	if (rd->s[rd->at] == '\\' && is_one_of(rd->s[rd->at + 1], "dDsSwWhHvV"))
		return refuse(rd, from, "a range ends in a character");
	if (!read_member(rd, open, &is_set, &high))
		return false;
	if (high < low)
		return refuse(rd, from, "the range runs backwards");
	strbuf_putc(rd->out, '-');
	put_literal(rd, high);
	return true;
}

static bool read_class(struct reader *rd)
{
	size_t open = rd->at++;

	strbuf_putc(rd->out, '[');
	if (rd->s[rd->at] == '^') {
		strbuf_putc(rd->out, '^');
		rd->at++;
	}
	if (rd->s[rd->at] == ']')
		return refuse(rd, open, "empty brackets; a bracket itself is \\]");
	while (rd->s[rd->at] != ']')
		if (!read_range(rd, open))
			return false;
	rd->at++;
	strbuf_putc(rd->out, ']');
	item(rd, true, false);
	return true;
}

/* ---- groups --------------------------------------------------------------- */

static bool open_group(struct reader *rd, struct open_group group)
{
	if (rd->n_open == NEST_MAX)
		return refuse(rd, group.at, "groups are nested more than %d deep", NEST_MAX);
	group.is_behind = group.is_behind || is_behind(rd);
	group.is_inside = group.is_assertion || group.is_atomic ||
			  (rd->n_open > 0 && rd->open[rd->n_open - 1].is_inside);
	group.outer_before = rd->before_empty && rd->last_empty;
	group.outer_branch = rd->branch_empty;
	rd->open[rd->n_open++] = group;
	rd->before_empty = rd->last_empty = true;
	rd->branch_empty = rd->can_repeat = false;
	return true;
}

static bool open_named(struct reader *rd, struct open_group group)
{
	struct span name;

	rd->at += 3;
	if (!read_name(rd, &name))
		return false;
	name.is_closed = false;
	if (find_name(rd, name) >= 0)
		return refuse(rd, group.at, "a second group of this name");
	if (rd->n_names == NAMES_MAX)
		return refuse(rd, group.at, "more than %d named groups", NAMES_MAX);
	group.name = rd->n_names;
	rd->names[rd->n_names++] = name;
	group.capture = ++rd->n_captures;
	strbuf_printf(rd->out, "(?<%.*s>", (int)name.n, rd->s + name.at);
	return open_group(rd, group);
}

/* (?i) holds to the end of the group round it, (?i:...) is a group. i and s mean the
 * same to both; m, u and x do not, and the others only one knows. */
static bool read_flags(struct reader *rd, struct open_group group)
{
	size_t n = strspn(rd->s + rd->at + 2, "is-");
	const char *flags = rd->s + rd->at + 2;
	const char *minus = memchr(flags, '-', n);

	if (n == 0 || (flags[n] != ')' && flags[n] != ':') || flags[n - 1] == '-' ||
	    (minus && memchr(minus + 1, '-', (size_t)(flags + n - minus - 1))))
		return refuse(rd, group.at, "this kind of group is not supported");
	strbuf_printf(rd->out, "(?%.*s%c", (int)n, flags, flags[n]);
	rd->at += n + 3;
	if (flags[n] == ':')
		return open_group(rd, group);
	item(rd, false, true);
	return true;
}

static bool read_open(struct reader *rd)
{
	static const struct { const char *text; bool is_assertion; } kinds[] = {
		{ "(?:", false }, { "(?>", false }, { "(?=", true },
		{ "(?!", true }, { "(?<=", true }, { "(?<!", true },
	};
	struct open_group group = { .at = rd->at, .name = -1 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!str_starts(rd->s + rd->at, kinds[i].text))
			continue;
		strbuf_put(rd->out, kinds[i].text);
		rd->at += strlen(kinds[i].text);
		group.is_assertion = kinds[i].is_assertion;
		group.is_behind = str_starts(kinds[i].text, "(?<");
		group.is_atomic = str_starts(kinds[i].text, "(?>");
		return open_group(rd, group);
	}
	if (str_starts(rd->s + rd->at, "(?<"))
		return open_named(rd, group);
	if (rd->s[rd->at + 1] == '?')
		return read_flags(rd, group);
	rd->at++;
	group.capture = ++rd->n_captures;
	strbuf_putc(rd->out, '(');
	return open_group(rd, group);
}

static bool read_close(struct reader *rd)
{
	struct open_group group;

	if (rd->n_open == 0)
		return refuse(rd, rd->at, "\")\" without \"(\"");
	group = rd->open[--rd->n_open];
	/* Java keeps what was captured in these even when it was on the way to a failure. */
	if (group.capture > 0 && group.capture < 10)
		rd->is_closed[group.capture] = !group.is_inside;
	if (group.name >= 0)
		rd->names[group.name].is_closed = !group.is_inside;
	strbuf_putc(rd->out, ')');
	rd->last_empty = group.is_assertion || rd->branch_empty || (rd->before_empty && rd->last_empty);
	rd->before_empty = group.outer_before;
	rd->branch_empty = group.outer_branch;
	rd->last_is_group = true;
	rd->can_repeat = !group.is_assertion;
	rd->at++;
	return true;
}

/* ---- the rest ------------------------------------------------------------- */

static bool refuse_brace(struct reader *rd)
{
	const char *s = rd->s + rd->at + 1;
	size_t n = strspn(s, "0123456789");

	if (s[n] == '|' && strspn(s, "0123456789|}") > n)
		return refuse(rd, rd->at, "a comma means \"or\" in a topic pattern, so {n,m} can't be "
			      "written; {n} can");
	return refuse(rd, rd->at, "a brace is for repeating: {n}; itself it is \\{");
}

/* Repetitions that the two go about in different ways. `n` bytes of quantifier, without the
 * sign behind it that makes it lazy or possessive. */
static bool check_repeat(struct reader *rd, size_t n)
{
	bool is_count = rd->s[rd->at] == '{';

	if (!rd->last_is_group)
		return true;
	if (is_behind(rd))
		return refuse(rd, rd->at, "a repeated group in a look-behind is not supported");
	/* Java can't go back into a turn of (a|ab){2}+. */
	if (is_count && rd->s[rd->at + n] == '+')
		return refuse(rd, rd->at, "{n}+ after a group is not supported");
	rd->has_odd_loop = rd->has_odd_loop || rd->last_empty || rd->s[rd->at + n] == '+';
	/* Java leaves the loop after a turn that took nothing, whatever the count. */
	if (is_count && rd->last_empty)
		return refuse(rd, rd->at, "a count after a group that can match nothing is not supported");
	return true;
}

static bool read_quantifier(struct reader *rd)
{
	char c = rd->s[rd->at];
	size_t n = 1;

	if (c == '{') {
		size_t digits = strspn(rd->s + rd->at + 1, "0123456789");

		if (digits == 0 || rd->s[rd->at + 1 + digits] != '}')
			return refuse_brace(rd);
		n = digits + 2;
	}
	if (!rd->can_repeat)
		return refuse(rd, rd->at, "nothing to repeat before \"%c\"%s", c, c == '*' ?
			      "; any text is \".*\"" : "");
	if (!check_repeat(rd, n))
		return false;
	rd->last_empty = rd->last_empty || c == '*' || c == '?' ||
			 (c == '{' && strspn(rd->s + rd->at + 1, "0") + 2 == n);
	if (is_one_of(rd->s[rd->at + n], "?+"))
		n++;
	strbuf_putn(rd->out, rd->s + rd->at, n);
	rd->at += n;
	rd->can_repeat = false;
	return true;
}

static bool read_item(struct reader *rd)
{
	char c = rd->s[rd->at];

	if (!is_ascii(rd))
		return refuse_byte(rd);
	switch (c) {
	case '\\':
		return read_escape(rd);
	case '[':
		return read_class(rd);
	case '(':
		return read_open(rd);
	case ')':
		return read_close(rd);
	case '*':
	case '+':
	case '?':
	case '{':
		return read_quantifier(rd);
	case '|':
		strbuf_putc(rd->out, c);
		rd->branch_empty = rd->branch_empty || (rd->before_empty && rd->last_empty);
		rd->before_empty = rd->last_empty = true;
		rd->can_repeat = false;
		break;
	case '^':
	case '$':
	case '.':
		strbuf_putc(rd->out, c);
		item(rd, c == '.', c != '.');
		break;
	default:
		put_literal(rd, (unsigned char)c);
		item(rd, true, false);
	}
	rd->at++;
	return true;
}

static bool read_all(struct reader *rd)
{
	if (rd->s[0] == '\0')
		return err_set(rd->err, ERR_USAGE, "the pattern is empty and matches nothing; "
			       "all topics are \".*\"");
	rd->before_empty = rd->last_empty = true;
	while (rd->s[rd->at] != '\0')
		if (!read_item(rd))
			return false;
	if (rd->n_open > 0)
		return refuse(rd, rd->open[rd->n_open - 1].at, "\"(\" without \")\"");
	if (rd->has_reference && rd->has_odd_loop)
		return err_set(rd->err, ERR_USAGE, "a back reference together with a repeated group that "
			       "is possessive or can match nothing is not supported");
	return true;
}

bool pattern_rewrite(const char *prepared, struct strbuf *out, struct err *err)
{
	struct reader rd = { .s = prepared, .out = out, .err = err };

	return read_all(&rd);
}
