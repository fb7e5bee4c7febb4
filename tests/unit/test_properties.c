/* SPDX-License-Identifier: Apache-2.0 */
#include "core/properties.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "casefile.h"
#include "vectors.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void read_text(const char *text, struct properties *pp)
{
	struct err err;

	err_init(&err);
	if (!properties_read(text, strlen(text), pp, &err))
		fail_msg("%s: %s", text, err.text);
}

static void assert_value(const struct properties *pp, const char *key, const char *value)
{
	const struct property *pr = properties_find(pp, key);

	if (!pr)
		fail_msg("no %s", key);
	assert_string_equal(secret_reveal(&pr->value), value);
}

static void assert_refused(const char *bytes, size_t n, enum err_code code, const char *text)
{
	struct properties pp;
	struct err err;

	err_init(&err);
	if (properties_read(bytes, n, &pp, &err))
		fail_msg("it was read; expected: %s", text);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, code);
	assert_int_equal(pp.n, 0);
}

/* ---- the table of what Java does ------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t n = strcspn(x, "="), m = strcspn(y, "=");
	int order = memcmp(x, y, n < m ? n : m);

	return order != 0 ? order : (n > m) - (n < m);
}

static void put_units(struct strbuf *out, const char *s)
{
	int32_t cp;

	for (size_t n = strlen(s), width; n > 0; s += width, n -= width) {
		width = utf8_decode(s, n, &cp);
		vector_put_units(out, cp);
	}
}

/* What counts, in the form of the table. */
static void put_form(struct strbuf *out, const struct properties *pp)
{
	char *pairs[64];
	size_t n = 0;

	for (size_t i = 0; i < pp->n; i++) {
		struct strbuf pair;

		if (pp->v[i].later != PROPERTIES_NONE)
			continue;
		strbuf_init(&pair);
		put_units(&pair, pp->v[i].key);
		strbuf_putc(&pair, '=');
		put_units(&pair, secret_reveal(&pp->v[i].value));
		assert_true(n < COUNT(pairs));
		pairs[n++] = strbuf_take(&pair);
	}
	qsort(pairs, n, sizeof(pairs[0]), by_key);
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, "%s%s", i > 0 ? "," : "", pairs[i]);
		mem_free(&pairs[i]);
	}
}

static size_t n_compared;

/* A NUL or half a pair is refused even where a later line overrides it, which the table can't show. */
static bool is_refused_on_purpose(const struct strbuf *input, const struct err *err)
{
	return (strstr(err->text, "a NUL") && memchr(input->s, '\0', input->len)) ||
	       (strstr(err->text, "half a surrogate") && strlen(input->s) == input->len && strstr(input->s, "\\ud83d"));
}

static void compare(const struct vector *vc)
{
	struct strbuf input, form;
	struct properties pp;
	struct err err;
	bool is_ok;

	err_init(&err);
	strbuf_init(&input);
	strbuf_init(&form);
	vector_bytes(&input, vc->input);
	is_ok = properties_read(input.s, input.len, &pp, &err);
	if (is_ok ? !vc->is_ok || vector_is_unwritable(vc->result) :
	    vc->is_ok && !vector_is_unwritable(vc->result) && !is_refused_on_purpose(&input, &err))
		fail_msg("line %u of the table: %s", vc->line, is_ok ? "was read" : err.text);
	if (is_ok && pp.encoding != PROPERTIES_UTF8) {
		put_form(&form, &pp);
		if (strcmp(form.s, vc->result) != 0)
			fail_msg("line %u of the table: %s", vc->line, form.s);
		n_compared++;
	}
	properties_fini(&pp);
	strbuf_fini(&form);
	strbuf_fini(&input);
}

static void it_reads_what_java_reads(void **state)
{
	assert_true(vectors_each("properties.tsv", compare) > 1000);
	assert_true(n_compared > 800);
}

/* ---- cases ------------------------------------------------------------------- */

static void the_case_of_white_space_and_escapes(void **state)
{
	struct properties pp;
	struct err err;
	size_t n;
	char *data = case_read("SC-01-client.properties", &n);

	err_init(&err);
	assert_true(properties_read(data, n, &pp, &err));
	assert_int_equal(pp.n, 7);
	assert_value(&pp, "bootstrap.servers", "b1.example:9092,b2.example:9092");
	assert_value(&pp, "security.protocol", "SASL_SSL");
	assert_value(&pp, "ssl.truststore.password", "s3cret ");
	assert_value(&pp, "ssl.truststore.location", "C:\\certs\\trust.jks");
	assert_value(&pp, "empty.value", "");
	assert_value(&pp, "no.separator", "");
	assert_value(&pp, "unicode.name", "\xc3\xa9t\xc3\xa9");
	properties_fini(&pp);
	mem_free(&data);
}

static void the_last_of_a_key_wins_and_all_are_listed(void **state)
{
	struct properties pp;

	read_text("a=1\nb=2\na=3\n\\u0061=4\n", &pp);
	assert_int_equal(pp.n, 4);
	assert_value(&pp, "a", "4");
	assert_int_equal(pp.v[0].later, 2);
	assert_int_equal(pp.v[2].later, 3);
	assert_true(pp.v[3].later == PROPERTIES_NONE);
	assert_true(pp.v[1].later == PROPERTIES_NONE);
	assert_null(properties_find(&pp, "c"));
	properties_fini(&pp);
}

static void utf8_is_taken_as_such_and_said(void **state)
{
	struct properties pp;

	read_text("password=p\xc3\xa4ss\nother=\\u00e4\n", &pp);
	assert_int_equal(pp.encoding, PROPERTIES_UTF8);
	assert_value(&pp, "password", "p\xc3\xa4ss");
	assert_true(pp.v[0].is_raw);
	assert_value(&pp, "other", "\xc3\xa4");
	assert_false(pp.v[1].is_raw);
	properties_fini(&pp);
}

static void what_is_not_utf8_is_latin1_as_in_java(void **state)
{
	struct properties pp;

	read_text("# \xc3\xa4\npassword=p\xe4ss\n", &pp);
	assert_int_equal(pp.encoding, PROPERTIES_LATIN1);
	assert_value(&pp, "password", "p\xc3\xa4ss");
	assert_true(pp.v[0].is_raw);
	properties_fini(&pp);
	read_text("a=b", &pp);
	assert_int_equal(pp.encoding, PROPERTIES_ASCII);
	properties_fini(&pp);
}

static void a_byte_order_mark_is_skipped_and_said(void **state)
{
	struct properties pp;

	read_text("\xef\xbb\xbfsecurity.protocol=SSL", &pp);
	assert_true(pp.has_bom);
	assert_value(&pp, "security.protocol", "SSL");
	assert_int_equal(pp.v[0].key_at.column, 1);
	properties_fini(&pp);
}

static void surrogate_pairs_become_one_character(void **state)
{
	struct properties pp;

	read_text("a=\\ud83d\\ude00", &pp);
	assert_value(&pp, "a", "\xf0\x9f\x98\x80");
	properties_fini(&pp);
}

static void assert_place(struct properties_place at, unsigned line, unsigned column)
{
	assert_int_equal(at.line, line);
	assert_int_equal(at.column, column);
}

static void places_count_lines_and_characters(void **state)
{
	struct properties pp;

	read_text("# c\r\n  k\xc3\xa4y : v\rb\\\n  = \\\n   c\nempty=\nbare", &pp);
	assert_int_equal(pp.n, 4);
	assert_place(pp.v[0].key_at, 2, 3);
	assert_place(pp.v[0].value_at, 2, 9);
	assert_place(pp.v[1].key_at, 3, 1);
	assert_place(pp.v[1].value_at, 5, 4);
	assert_place(pp.v[2].key_at, 6, 1);
	assert_place(pp.v[2].value_at, 6, 7);
	assert_place(pp.v[3].key_at, 7, 1);
	assert_place(pp.v[3].value_at, 7, 5);
	properties_fini(&pp);
}

static void a_bad_escape_is_named_by_line_and_column(void **state)
{
	static const struct { const char *s, *text; } cases[] = {
		{ "a=b\nlocation = C:\\users\\ops",
		  "line 2, column 14: behind \\u four hexadecimal digits are needed; a backslash itself is written \\\\" },
		{ "pw=\\u00g0",
		  "line 1, column 4: behind \\u four hexadecimal digits are needed; a backslash itself is written \\\\" },
		{ "a=x\\\n  y\\ud83dz", "line 2, column 4: half a surrogate pair; \\uD800 to \\uDBFF and "
		  "\\uDC00 to \\uDFFF stand together" },
		{ "\\ude00=x", "line 1, column 1: half a surrogate pair; \\uD800 to \\uDBFF and "
		  "\\uDC00 to \\uDFFF stand together" },
		{ "a=\\u0000", "line 1, column 3: a NUL, which no setting can hold" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_refused(cases[i].s, strlen(cases[i].s), ERR_FORMAT, cases[i].text);
	assert_refused("a=b\0", 4, ERR_FORMAT, "line 1, column 4: a NUL, which no setting can hold");
}

static void sizes_are_bounded(void **state)
{
	size_t n = PROPERTIES_INPUT_MAX_BYTES + 1;
	char *big = mem_alloc(n);

	memset(big, 'a', n);
	assert_refused(big, n, ERR_LIMIT, "1048577 bytes; a file of settings has at most 1048576");
	assert_refused(big, PROPERTIES_KEY_MAX + 1, ERR_LIMIT, "line 1, column 1: a name of more than 512 bytes");
	for (size_t i = 0; i < (size_t)2 * (PROPERTIES_ENTRIES_MAX + 1); i++)
		big[i] = i % 2 ? '\n' : 'a';
	assert_refused(big, (size_t)2 * (PROPERTIES_ENTRIES_MAX + 1), ERR_LIMIT,
		       "line 4097, column 1: more than 4096 settings");
	mem_free(&big);
}

static void one_long_value_is_read(void **state)
{
	size_t n = PROPERTIES_INPUT_MAX_BYTES;
	char *big = mem_alloc(n);
	struct properties pp;
	struct err err;

	err_init(&err);
	memset(big, 'v', n);
	big[1] = '=';
	assert_true(properties_read(big, n, &pp, &err));
	assert_int_equal(pp.v[0].value.n, n - 2);
	properties_fini(&pp);
	mem_free(&big);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_what_java_reads),
		cmocka_unit_test(the_case_of_white_space_and_escapes),
		cmocka_unit_test(the_last_of_a_key_wins_and_all_are_listed),
		cmocka_unit_test(utf8_is_taken_as_such_and_said),
		cmocka_unit_test(what_is_not_utf8_is_latin1_as_in_java),
		cmocka_unit_test(a_byte_order_mark_is_skipped_and_said),
		cmocka_unit_test(surrogate_pairs_become_one_character),
		cmocka_unit_test(places_count_lines_and_characters),
		cmocka_unit_test(a_bad_escape_is_named_by_line_and_column),
		cmocka_unit_test(sizes_are_bounded),
		cmocka_unit_test(one_long_value_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
