/* SPDX-License-Identifier: Apache-2.0 */
#include "core/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "casefile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct pattern *must_make(const char *typed)
{
	struct err err;
	struct pattern *pn;

	err_init(&err);
	pn = pattern_new(typed, &err);
	if (!pn)
		fail_msg("%s", err.text);
	return pn;
}

/* `selects` and `leaves` are names with a blank between. */
static void assert_names(struct pattern *pn, const char *names, enum pattern_match expected)
{
	char name[64];

	while (*names != '\0') {
		size_t n = strcspn(names, " ");

		assert_true(str_copyn(name, sizeof(name), names, n));
		if (pattern_test(pn, name, NULL) != expected)
			fail_msg("%s on %s is not %d", pattern_prepared(pn), name, (int)expected);
		names += n + (names[n] == ' ');
	}
}

static void assert_selects(const char *typed, const char *selects, const char *leaves)
{
	struct pattern *pn = must_make(typed);

	assert_names(pn, selects, PATTERN_YES);
	assert_names(pn, leaves, PATTERN_NO);
	pattern_free(&pn);
	assert_null(pn);
}

static void assert_prepared(const char *typed, const char *expected)
{
	struct pattern *pn = must_make(typed);

	assert_string_equal(pattern_prepared(pn), expected);
	pattern_free(&pn);
}

static void assert_refused(const char *typed, const char *text)
{
	struct err err;
	struct pattern *pn;

	err_init(&err);
	pn = pattern_new(typed, &err);
	if (pn)
		fail_msg("%s was taken", typed);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, ERR_USAGE);
}

/* ---- preparing ------------------------------------------------------------ */

static void a_pattern_is_prepared_as_kafka_does(void **state)
{
	assert_prepared("  a , b\r", "a|b");
	assert_prepared("'\"a.*\"'", "a.*");
	assert_prepared(" \"a\" ", "a");
	assert_prepared("a'b", "a'b");
	assert_prepared("\" a\"", "a");
	assert_prepared("a\tb", "a\tb");
	assert_prepared("[a,b]x", "[a|b]x");
}

static void an_empty_pattern_is_refused(void **state)
{
	static const char *const empty[] = { "", " ", "\r", "''", "\"\"", " \" ' " };

	for (size_t i = 0; i < COUNT(empty); i++)
		assert_refused(empty[i], "the pattern is empty and matches nothing; all topics are \".*\"");
}

static void an_overlong_pattern_is_refused(void **state)
{
	char typed[PATTERN_MAX_BYTES + 2];
	struct err err;
	struct pattern *pn;

	memset(typed, 'a', sizeof(typed));
	typed[PATTERN_MAX_BYTES] = '\0';
	pn = must_make(typed);
	pattern_free(&pn);
	typed[PATTERN_MAX_BYTES] = 'a';
	typed[PATTERN_MAX_BYTES + 1] = '\0';
	err_init(&err);
	assert_null(pattern_new(typed, &err));
	assert_string_equal(err.text, "a pattern of 8193 bytes, the limit is 8192");
	assert_null(pattern_new(typed, NULL));
}

/* ---- matching ------------------------------------------------------------- */

static void the_whole_name_is_matched(void **state)
{
	assert_selects("foo", "foo", "foobar xfoo Foo");
	assert_selects("^foo", "foo", "foobar");
	assert_selects("a|ab", "a ab", "abc b");
	assert_selects("a,ab", "a ab", "abc b");
	assert_selects("foo$", "foo", "foo\n");
	assert_selects("a||b", "a b", "ab");
}

static void a_dot_is_any_character(void **state)
{
	assert_selects("my.topic", "my.topic my-topic my_topic", "mytopic");
	assert_selects("my\\.topic", "my.topic", "my-topic");
	assert_selects("\\Qmy.topic\\E", "my.topic", "my-topic");
}

static void what_java_and_pcre2_share_is_taken(void **state)
{
	assert_selects("[a-z0-9-_.]+", "a-b_c.1 -", "A a!");
	assert_selects("[\\w-.]+", "a-b.c", "a!");
	assert_selects("[^_].*", "a a_", "_a __a");
	assert_selects("(?i)ORDERS-(?:eu|us)", "orders-EU Orders-us", "orders-de");
	assert_selects("a(?i:b)c", "abc aBc", "ABc");
	assert_selects("t\\d{2}", "t01", "t1 t001 t{2}");
	assert_selects("(?<x>ab|c)-\\k<x>", "ab-ab c-c", "ab-c");
	assert_selects("(a)(b)?\\1", "aa aba", "ab");
	assert_selects("(a)\\1\\x31", "aa1", "a1");
	assert_selects(".*(?<!-dlq)", "orders", "orders-dlq");
	assert_selects("(?>a|ab)c", "ac", "abc");
	assert_selects("a*+a", "", "a aa");
	assert_selects("a.*?b", "ab axb", "a");
	assert_selects("\\x6frders\\x{2e}v2", "orders.v2", "ordersxv2");
	assert_selects("a}]", "a}]", "a");
	assert_selects("ab{0}", "a", "ab");
	assert_selects("[\\]\\[^-]", "] [ ^ -", "a");
}

static void no_optimization_of_pcre2_loses_a_match(void **state)
{
	assert_selects("(?=B)(?i:|a)B", "B", "b");
	assert_selects("_?(?>|c).", "_ _a", "_ab");
	assert_selects("(?=a)c{0}a+", "a aa", "ca");
}

/* ---- refusing ------------------------------------------------------------- */

static void what_java_takes_for_an_error_is_refused(void **state)
{
	static const struct { const char *typed, *text; } cases[] = {
		{ "*", "pattern \"*\", column 1: nothing to repeat before \"*\"; any text is \".*\"" },
		{ "*.log", "pattern \"*.log\", column 1: nothing to repeat before \"*\"; any text is \".*\"" },
		{ "a**", "pattern \"a**\", column 3: nothing to repeat before \"*\"; any text is \".*\"" },
		{ "a|+", "pattern \"a|+\", column 3: nothing to repeat before \"+\"" },
		{ "(?", "pattern \"(?\", column 1: this kind of group is not supported" },
		{ "a)", "pattern \"a)\", column 2: \")\" without \"(\"" },
		{ "a)|(b", "pattern \"a)|(b\", column 2: \")\" without \"(\"" },
		{ "(a", "pattern \"(a\", column 1: \"(\" without \")\"" },
		{ "tmp-[0-9", "pattern \"tmp-[0-9\", column 5: the bracket is never closed" },
		{ "[z-a]", "pattern \"[z-a]\", column 2: the range runs backwards" },
		{ "a\\", "pattern \"a\\\", column 2: nothing after the backslash" },
		{ "a{", "pattern \"a{\", column 2: a brace is for repeating: {n}; itself it is \\{" },
		{ "a{x}", "pattern \"a{x}\", column 2: a brace is for repeating: {n}; itself it is \\{" },
		{ "a{1,3}", "pattern \"a{1|3}\", column 2: a comma means \"or\" in a topic pattern, so {n,m} "
		  "can't be written; {n} can" },
		{ "a{2,}", "pattern \"a{2|}\", column 2: a comma means \"or\" in a topic pattern, so {n,m} "
		  "can't be written; {n} can" },
		{ "(*UTF)a", "pattern \"(*UTF)a\", column 2: nothing to repeat before \"*\"; any text is \".*\"" },
		{ "(?<1a>b)", "pattern \"(?<1a>b)\", column 4: a group's name begins with a letter" },
		{ "(?<a>b)(?<a>c)", "pattern \"(?<a>b)(?<a>c)\", column 8: a second group of this name" },
		{ "a\\y", "pattern \"a\\y\", column 2: \\y is not supported" },
		{ "\\x6", "pattern \"\\x6\", column 1: expected \\xhh or \\x{hh}" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_refused(cases[i].typed, cases[i].text);
}

static void what_the_two_read_differently_is_refused(void **state)
{
	static const char *const typed[] = {
		"[a&&b]", "[a[bc]]", "[[:alpha:]]", "\\p{Lower}", "\\pL", "\\u0061", "\\0101", "\\ca", "\\N",
		"\\R", "\\X", "\\K", "\\C", "\\o{61}", "\\g1", "\\E", "[\\b]", "[]a]", "(?x)a", "(?u)a",
		"(?U)a", "(?m)a", "(?d)a", "(?J)a", "(?n)a", "(?^)a", "(?|a|b)", "(?R)", "(?1)", "(?&n)",
		"(?(1)a)", "(?C)", "(?#a)", "(?P<n>a)", "(?'n'a)", "\\1", "(a\\1)", "(a)\\2", "(a)\\11", "\\b*", "^*", "(?=a)*",
		"a+{2}", "(a|){2}", "(a|ab){2}+", "(?<=(a|b)+)c", "(?<=a+)b", "(a*)*\\1",
		"(?!(a))\\1", "(?>(a))\\1", "(a)++\\1", "[\\d-z-\\w]x\\", "caf\xc3\xa9", "[\xc3\xa9]", "\\x{e9}", "\\xe9", "a\xff",
	};

	for (size_t i = 0; i < COUNT(typed); i++) {
		struct err err;
		struct pattern *pn;

		err_init(&err);
		pn = pattern_new(typed[i], &err);
		if (pn)
			fail_msg("%s was taken", typed[i]);
		assert_true(strlen(err.text) > 0);
	}
}

static void a_refusal_says_what_to_write_instead(void **state)
{
	assert_refused("\\p{Lower}", "pattern \"\\p{Lower}\", column 1: \\p{...} is not supported; list the "
		       "characters, as in [A-Za-z]");
	assert_refused("[a[b]]", "pattern \"[a[b]]\", column 3: a bracket inside brackets is not supported; "
		       "write \\[");
	assert_refused("\xe2\x80\x9corders\xe2\x80\x9d", "pattern \"\xe2\x80\x9corders\xe2\x80\x9d\", column 1: "
		       "topic names are ASCII, this is not");
}

static void deep_nesting_is_refused(void **state)
{
	struct strbuf sb;
	struct err err;

	strbuf_init(&sb);
	for (int i = 0; i < 1000; i++)
		strbuf_put(&sb, "(");
	err_init(&err);
	assert_null(pattern_new(sb.s, &err));
	assert_non_null(strstr(err.text, "column 101: groups are nested more than 100 deep"));
	strbuf_fini(&sb);
}

/* ---- bounded time --------------------------------------------------------- */

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

static void a_catastrophic_pattern_is_given_up_in_time(void **state)
{
	static const char *const typed[] = {
		"([a-z]+)*[0-9]", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)(.*)(.*)(.*)(.*)(.*)[0-9]", "(\\w|[a-z])*[0-9]",
	};
	char name[250];

	memset(name, 'a', sizeof(name));
	name[249] = '\0';
	for (size_t i = 0; i < COUNT(typed); i++) {
		struct pattern *pn = must_make(typed[i]);
		int64_t start = now_us();
		struct err err;

		err_init(&err);
		assert_int_equal(pattern_test(pn, name, &err), PATTERN_GAVE_UP);
		/* A few ms on any machine; the bound allows for sanitizers and valgrind. */
		assert_true(now_us() - start < 1000000);
		assert_int_equal(err.code, ERR_LIMIT);
		assert_non_null(strstr(err.text, "is too complex for the name"));
		/* It goes on to work for other names. */
		assert_int_equal(pattern_test(pn, "!", NULL), PATTERN_NO);
		pattern_free(&pn);
	}
}

static void a_long_name_is_no_trouble_for_a_plain_pattern(void **state)
{
	struct pattern *pn = must_make("(orders|[a-z]+)(-[a-z]+)*\\.v[0-9]");
	char name[1025];

	memset(name, 'a', sizeof(name));
	name[1024] = '\0';
	assert_int_equal(pattern_test(pn, name, NULL), PATTERN_NO);
	memcpy(name + 1021, ".v2", 3);
	assert_int_equal(pattern_test(pn, name, NULL), PATTERN_YES);
	pattern_free(&pn);
}

static void a_compile_bomb_is_refused(void **state)
{
	struct err err;

	err_init(&err);
	assert_null(pattern_new("((((a{100}){100}){100}){100}){100}", &err));
	assert_non_null(strstr(err.text, "too large"));
}

/* ---- cases ---------------------------------------------------------------- */

/* The lines of .expect below "selected:", each two blanks and a name; NULL when the pattern is invalid. */
static char *expected_names(const char *id)
{
	static const char mark[] = "\nselected: ";
	char file[64];
	struct strbuf sb;
	char *expect, *line;
	size_t n;

	snprintf(file, sizeof(file), "%s.expect", id);
	expect = case_read(file, &n);
	line = strstr(expect, mark);
	assert_non_null(line);
	if (line[sizeof(mark) - 1] == '(') {
		mem_free(&expect);
		return NULL;
	}
	strbuf_init(&sb);
	while ((line = strchr(line + 1, '\n')) && strncmp(line, "\n  ", 3) == 0) {
		strbuf_putn(&sb, line + 3, strcspn(line + 3, "\n"));
		strbuf_putc(&sb, '\n');
	}
	mem_free(&expect);
	return strbuf_take(&sb);
}

static void check_case(const char *id)
{
	char file[64], *names = expected_names(id), *rx, *name, *end;
	struct strbuf selected;
	struct pattern *pn;
	struct err err;
	size_t n;

	snprintf(file, sizeof(file), "%s.rx", id);
	rx = case_read(file, &n);
	name = strstr(rx, "\n---\n");
	assert_non_null(name);
	*name = '\0';
	err_init(&err);
	pn = pattern_new(rx, &err);
	if (!pn && names)
		fail_msg("%s: %s", id, err.text);
	if (pn && !names)
		fail_msg("%s is not refused", id);
	strbuf_init(&selected);
	for (name += 5; pn && *name != '\0'; name = end + 1) {
		end = strchr(name, '\n');
		*end = '\0';
		if (pattern_test(pn, name, &err) == PATTERN_YES)
			strbuf_printf(&selected, "%s\n", name);
	}
	if (pn)
		assert_string_equal(selected.s, names);
	strbuf_fini(&selected);
	pattern_free(&pn);
	mem_free(&names);
	mem_free(&rx);
}

static void handed_cases_select_the_demanded_sets(void **state)
{
	static const char *const ids[] = {
		"RX-01-all", "RX-03-dot", "RX-04-dot-escaped", "RX-06-anchor-start", "RX-11-comma",
		"RX-13-glob-star", "RX-15-quotes", "RX-17-internal", "RX-20-lookahead", "RX-28-unbalanced",
	};

	for (size_t i = 0; i < COUNT(ids); i++)
		check_case(ids[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_is_prepared_as_kafka_does),
		cmocka_unit_test(an_empty_pattern_is_refused),
		cmocka_unit_test(an_overlong_pattern_is_refused),
		cmocka_unit_test(the_whole_name_is_matched),
		cmocka_unit_test(a_dot_is_any_character),
		cmocka_unit_test(what_java_and_pcre2_share_is_taken),
		cmocka_unit_test(no_optimization_of_pcre2_loses_a_match),
		cmocka_unit_test(what_java_takes_for_an_error_is_refused),
		cmocka_unit_test(what_the_two_read_differently_is_refused),
		cmocka_unit_test(a_refusal_says_what_to_write_instead),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(a_catastrophic_pattern_is_given_up_in_time),
		cmocka_unit_test(a_long_name_is_no_trouble_for_a_plain_pattern),
		cmocka_unit_test(a_compile_bomb_is_refused),
		cmocka_unit_test(handed_cases_select_the_demanded_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
