/* SPDX-License-Identifier: Apache-2.0 */
#include "core/jaas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/properties.h"
#include "casefile.h"
#include "vectors.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define SCRAM "org.apache.kafka.common.security.scram.ScramLoginModule"

static void read_text(const char *s, struct jaas *ja)
{
	struct err err;

	err_init(&err);
	if (!jaas_read(s, ja, &err))
		fail_msg("%s: %s", s, err.text);
}

static void assert_refused(const char *s, const char *text)
{
	struct jaas ja;
	struct err err;

	err_init(&err);
	if (jaas_read(s, &ja, &err))
		fail_msg("%s was read", s);
	assert_string_equal(err.text, text);
	assert_null(ja.module);
}

static void assert_option(const struct jaas *ja, const char *name, const char *value)
{
	const struct secret *found = jaas_find(ja, name);

	if (!found)
		fail_msg("no %s", name);
	assert_string_equal(secret_reveal(found), value);
}

/* ---- the table of what Kafka does ------------------------------------------- */

static void put_units(struct strbuf *out, const char *s)
{
	int32_t cp;

	for (size_t n = strlen(s), width; n > 0; s += width, n -= width) {
		width = utf8_decode(s, n, &cp);
		vector_put_units(out, cp);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct jaas_option *)a)->name, ((const struct jaas_option *)b)->name);
}

static void put_form(struct strbuf *out, struct jaas *ja)
{
	put_units(out, ja->module);
	strbuf_printf(out, ",%s", jaas_flag_name(ja->flag));
	qsort(ja->v, ja->n, sizeof(ja->v[0]), by_name);
	for (size_t i = 0; i < ja->n; i++) {
		strbuf_putc(out, ',');
		put_units(out, ja->v[i].name);
		strbuf_putc(out, '=');
		put_units(out, secret_reveal(&ja->v[i].value));
	}
}

static size_t n_read;

static void compare(const struct vector *vc)
{
	bool is_nameless = strstr(vc->result, ",null=") || strstr(vc->result, ",=");
	struct strbuf input, form;
	struct jaas ja;
	struct err err;
	bool is_ok;

	err_init(&err);
	strbuf_init(&input);
	strbuf_init(&form);
	vector_bytes(&input, vc->input);
	is_ok = jaas_read(input.s, &ja, &err);
	if (is_ok != (vc->is_ok && !is_nameless && !vector_is_unwritable(vc->result)))
		fail_msg("line %u of the table: %s", vc->line, is_ok ? "was read" : err.text);
	if (is_ok) {
		put_form(&form, &ja);
		if (strcmp(form.s, vc->result) != 0)
			fail_msg("line %u of the table: %s", vc->line, form.s);
		n_read++;
	}
	jaas_fini(&ja);
	strbuf_fini(&form);
	strbuf_fini(&input);
}

static void it_reads_what_kafka_reads(void **state)
{
	assert_true(vectors_each("jaas.tsv", compare) > 1000);
	assert_true(n_read > 200);
}

/* ---- cases ------------------------------------------------------------------- */

static void the_case_without_a_semicolon_is_refused_without_the_password(void **state)
{
	struct properties pp;
	struct jaas ja;
	struct err err;
	size_t n;
	char *data = case_read("SC-03-jaas.properties", &n);

	err_init(&err);
	assert_true(properties_read(data, n, &pp, &err));
	assert_false(jaas_read(secret_reveal(&properties_find(&pp, "sasl.jaas.config")->value), &ja, &err));
	assert_string_equal(err.text, "character 96: it must end with ;");
	assert_null(strstr(err.text, "pa55"));
	properties_fini(&pp);
	mem_free(&data);
}

static void a_login_is_module_flag_and_options(void **state)
{
	struct jaas ja;

	read_text(SCRAM " required\n  username=\"ops\"\n  password='pa\"55' tokenauth=true;", &ja);
	assert_string_equal(ja.module, SCRAM);
	assert_true(jaas_module_is(&ja, "ScramLoginModule"));
	assert_false(jaas_module_is(&ja, "LoginModule"));
	assert_int_equal(ja.flag, JAAS_REQUIRED);
	assert_int_equal(ja.n, 3);
	assert_option(&ja, "username", "ops");
	assert_option(&ja, "password", "pa\"55");
	assert_option(&ja, "tokenauth", "true");
	assert_null(jaas_find(&ja, "Username"));
	jaas_fini(&ja);
}

static void a_module_in_a_vendors_package_is_known_by_its_own_name(void **state)
{
	struct jaas ja;

	read_text("shaded.org.apache.kafka.PlainLoginModule required;", &ja);
	assert_true(jaas_module_is(&ja, "PlainLoginModule"));
	jaas_fini(&ja);
}

static void what_is_missing_is_said_and_nothing_is_quoted(void **state)
{
	static const struct { const char *s, *text; } cases[] = {
		{ "", "empty; it is MODULE required NAME=\"VALUE\" ... ;" },
		{ "  // nothing", "empty; it is MODULE required NAME=\"VALUE\" ... ;" },
		{ "; x", "character 1: the class name of a login module is needed here" },
		{ "a.B username=\"pa55\";", "character 5: behind the login module the word required is needed "
		  "(or requisite, sufficient, optional)" },
		{ "a.B;", "character 4: behind the login module the word required is needed "
		  "(or requisite, sufficient, optional)" },
		{ "\"a.B required password='pa55';\"",
		  "character 1: the whole stands in quotes; only the values of options do" },
		{ "KafkaClient { a.B required; };",
		  "character 13: that is the form of a JAAS file; here stands only what is between { and }" },
		{ "a.B required password=\"pa55\"", "character 29: it must end with ;" },
		{ "a.B required password=\"pa55;", "character 23: this quote is not closed on its line" },
		{ "a.B required password=\"pa55\nx\";", "character 23: this quote is not closed on its line" },
		{ "a.B required password=55pa;", "character 23: a value is needed here, in quotes unless it is made of "
		  "letters, digits and . _ - $ and begins with a letter" },
		{ "a.B required password=#pa55;", "character 23: a value is needed here, in quotes unless it is made of "
		  "letters, digits and . _ - $ and begins with a letter" },
		{ "a.B required password=pa 55;",
		  "character 26: an option is NAME=\"VALUE\"; options are separated by blanks" },
		{ "a.B required password=pa#55;",
		  "character 25: an option is NAME=\"VALUE\"; options are separated by blanks" },
		{ "a.B required username=\"a\", password=\"pa55\";",
		  "character 26: an option is NAME=\"VALUE\"; options are separated by blanks" },
		{ "a.B required =\"pa55\";",
		  "character 14: an option is NAME=\"VALUE\"; options are separated by blanks" },
		{ "a.B required password=\"\\0pa55\";", "character 23: a NUL, which no option can hold" },
		{ "a.B required; a.C required;", "character 15: one login module and one ; is all there may be" },
		{ "a.B required;;", "character 14: one login module and one ; is all there may be" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_refused(cases[i].s, cases[i].text);
		assert_null(strstr(cases[i].text, "55"));
	}
}

static void a_slash_that_is_not_quoted_begins_a_comment(void **state)
{
	assert_refused("a.B required keyTab=/etc/x.keytab;", "character 35: a value is needed here, in quotes unless it "
		       "is made of letters, digits and . _ - $ and begins with a letter");
}

static void of_an_option_given_twice_the_last_stands(void **state)
{
	struct jaas ja;

	read_text("a.B required x=\"1\" y=\"2\" x=\"3\";", &ja);
	assert_int_equal(ja.n, 2);
	assert_option(&ja, "x", "3");
	jaas_fini(&ja);
}

static void sizes_are_bounded(void **state)
{
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "a.B required");
	for (int i = 0; i <= JAAS_OPTIONS_MAX; i++)
		strbuf_printf(&sb, " o%d=x", i);
	strbuf_putc(&sb, ';');
	assert_refused(sb.s, "more than 64 options");
	while (sb.len <= JAAS_INPUT_MAX_BYTES)
		strbuf_put(&sb, "                ");
	assert_refused(sb.s, "65545 bytes, the limit is 65536");
	strbuf_fini(&sb);
}

static void assert_masked(const char *s, const char *shown)
{
	struct strbuf out;
	struct jaas ja;

	strbuf_init(&out);
	read_text(s, &ja);
	jaas_put_masked(&out, &ja);
	assert_string_equal(out.s, shown);
	jaas_fini(&ja);
	strbuf_fini(&out);
}

static void values_are_masked_but_for_harmless_ones(void **state)
{
	assert_masked(SCRAM " REQUIRED password = 'pa55' username='o\"ps';",
		      SCRAM " required password=*** username=\"o\\\"ps\";");
	assert_masked("a.Krb5LoginModule required keyTab=\"/k\" principal=\"a@B\";",
		      "a.Krb5LoginModule required keyTab=\"/k\" principal=\"a@B\";");
	assert_masked("a.OAuthBearerLoginModule required clientId=id clientSecret=pa55;",
		      "a.OAuthBearerLoginModule required clientId=\"id\" clientSecret=***;");
}

static void an_unknown_option_may_be_a_piece_of_a_password(void **state)
{
	assert_masked("a.B required password=\"pa\" ss=\"word\";", "a.B required password=*** ***=***;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_what_kafka_reads),
		cmocka_unit_test(the_case_without_a_semicolon_is_refused_without_the_password),
		cmocka_unit_test(a_login_is_module_flag_and_options),
		cmocka_unit_test(a_module_in_a_vendors_package_is_known_by_its_own_name),
		cmocka_unit_test(what_is_missing_is_said_and_nothing_is_quoted),
		cmocka_unit_test(a_slash_that_is_not_quoted_begins_a_comment),
		cmocka_unit_test(of_an_option_given_twice_the_last_stands),
		cmocka_unit_test(sizes_are_bounded),
		cmocka_unit_test(values_are_masked_but_for_harmless_ones),
		cmocka_unit_test(an_unknown_option_may_be_a_piece_of_a_password),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
