/* SPDX-License-Identifier: Apache-2.0 */
#include "io/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/pattern.h"
#include "core/policy.h"

static void parse(const char *text, const char *profile, struct config *cf)
{
	struct err err;

	err_init(&err);
	if (!config_parse(text, strlen(text), "/etc/c", profile, cf, &err))
		fail_msg("%s", err.text);
}

static void assert_refused_n(const char *text, size_t n, const char *profile, const char *why)
{
	struct config cf;
	struct err err;

	err_init(&err);
	if (config_parse(text, n, "/etc/c", profile, &cf, &err))
		fail_msg("taken: %s", text);
	assert_string_equal(err.text, why);
	assert_null(cf.file);
	assert_int_equal(cf.n, 0);
}

static void assert_refused(const char *text, const char *why)
{
	assert_refused_n(text, strlen(text), NULL, why);
}

/* The text of `key` in profile a whose only line that is. */
static void assert_value(const char *line, const char *key, const char *expected)
{
	const struct config_value *cv;
	struct strbuf sb;
	struct config cf;

	strbuf_init(&sb);
	strbuf_printf(&sb, "[profile a]\n%s\n", line);
	parse(sb.s, "a", &cf);
	cv = config_find(&cf, key);
	assert_non_null(cv);
	assert_string_equal(cv->text, expected);
	assert_string_equal(cv->place, "/etc/c:2");
	config_fini(&cf);
	strbuf_fini(&sb);
}

/* ---- what is read -------------------------------------------------------------------- */

static void a_profile_has_its_own_keys(void **state)
{
	static const char text[] = "\xef\xbb\xbf# clusters\r\n\r\n[profile a]\r\nzookeeper = a:1\r\n  ; also one\r\n[ profile b.c-d_2 ]  # x\n\tzookeeper=b:1\nview = topics";
	struct config cf;

	parse(text, "b.c-d_2", &cf);
	assert_string_equal(cf.profile, "b.c-d_2");
	assert_int_equal(cf.n_names, 2);
	assert_string_equal(cf.names[0], "a");
	assert_int_equal(cf.n, 2);
	assert_string_equal(config_find(&cf, "zookeeper")->text, "b:1");
	assert_string_equal(config_find(&cf, "view")->place, "/etc/c:8");
	assert_null(config_find(&cf, "operate"));
	config_fini(&cf);
}

static void without_a_profile_only_names_are_told(void **state)
{
	struct config cf;

	parse("[profile a]\nview = topics\n", NULL, &cf);
	assert_int_equal(cf.n_names, 1);
	assert_int_equal(cf.n, 0);
	assert_null(cf.profile);
	config_fini(&cf);
	parse("", NULL, &cf);
	assert_int_equal(cf.n_names, 0);
	config_fini(&cf);
}

static void a_value_ends_at_a_comment_and_quotes_keep_what_they_hold(void **state)
{
	assert_value("zookeeper = a:1   # the one", "zookeeper", "a:1");
	assert_value("zookeeper = a:1/k#1", "zookeeper", "a:1/k#1");
	assert_value("zookeeper = \"a:1 # b\" # c", "zookeeper", "a:1 # b");
	assert_value("protected = \" gold.* \"", "protected", " gold.* ");
	assert_value("zookeeper=a=b", "zookeeper", "a=b");
	assert_value("zookeeper\t=\ta b", "zookeeper", "a b");
}

static void files_are_looked_for_beside_the_file_or_at_home(void **state)
{
	setenv("HOME", "/home/ops", 1);
	assert_value("command-config = client.properties", "command-config", "/etc/client.properties");
	assert_value("command-config = /x/c", "command-config", "/x/c");
	assert_value("command-config = ~/c", "command-config", "/home/ops/c");
	assert_value("zk-auth = digest:zk", "zk-auth", "digest:/etc/zk");
	assert_value("zk-auth = digest:~/zk", "zk-auth", "digest:/home/ops/zk");
	assert_value("zk-auth = sasl:zk", "zk-auth", "sasl:zk");
	assert_value("log-file = log/k", "log-file", "/etc/log/k");
}

static void a_key_may_be_protected_more_than_once(void **state)
{
	struct config cf;
	struct policy po;
	struct err err;

	err_init(&err);
	policy_init(&po);
	parse("[profile a]\nprotected = gold\\..*\nprotected = x,y\n", "a", &cf);
	assert_true(config_policy(&cf, &po, &err));
	assert_int_equal(po.n_protected, 2);
	assert_true(policy_protects(&po, "gold.a"));
	assert_true(policy_protects(&po, "y"));
	assert_false(policy_protects(&po, "z"));
	policy_fini(&po);
	config_fini(&cf);
}

static void a_profile_makes_a_policy(void **state)
{
	struct config cf;
	struct policy po;
	struct err err;

	err_init(&err);
	policy_init(&po);
	parse("[profile a]\noperate = yes\ncluster-id = 9lk\ninternal-by-hand = yes\nmany-topics = 7\nmany-percent = 100\ngroup-topics = 3\n", "a", &cf);
	assert_true(config_policy(&cf, &po, &err));
	assert_true(po.operate && po.internal_by_hand && !po.protected_by_hand);
	assert_string_equal(po.profile, "a");
	assert_string_equal(po.expected_cluster_id, "9lk");
	assert_int_equal(po.many_topics, 7);
	assert_int_equal(po.many_percent, 100);
	assert_int_equal(po.group_topics, 3);
	policy_fini(&po);
	config_fini(&cf);
}

static void what_a_profile_does_not_say_stays_as_it_was(void **state)
{
	struct config cf;
	struct policy po;

	policy_init(&po);
	parse("[profile a]\n", "a", &cf);
	assert_true(config_policy(&cf, &po, NULL));
	assert_false(po.operate || po.internal_by_hand || po.protected_by_hand);
	assert_null(po.expected_cluster_id);
	assert_int_equal(po.many_topics, POLICY_MANY_TOPICS);
	policy_fini(&po);
	config_fini(&cf);
}

/* ---- what is refused --------------------------------------------------------------------- */

static void a_complaint_says_line_and_column(void **state)
{
	static const struct { const char *text, *why; } cases[] = {
		{ "[profile a]\n  zookeper = a:1\n", "/etc/c: line 2, column 3: unknown key zookeper; did you mean zookeeper?" },
		{ "[profile a]\nprotect = a\n", "/etc/c: line 2, column 1: unknown key protect; did you mean protected?" },
		{ "[profile a]\nfrobnicate = 1\n", "/etc/c: line 2, column 1: unknown key frobnicate; see kafops-config(5)" },
		{ "[profile a]\nOperate = yes\n", "/etc/c: line 2, column 1: unknown key Operate; did you mean operate?" },
		{ "view = topics\n", "/etc/c: line 1, column 1: a key before the first [profile NAME]" },
		{ "[profle a]\n", "/etc/c: line 1, column 1: a section is written [profile NAME]" },
		{ "[a]\n", "/etc/c: line 1, column 1: a section is written [profile NAME]" },
		{ "[profile]\n", "/etc/c: line 1, column 1: a section is written [profile NAME]" },
		{ "[profile ]\n", "/etc/c: line 1, column 10: a profile's name is letters, digits, \".\", \"_\" and \"-\"" },
		{ "[profile a b]\n", "/etc/c: line 1, column 12: a profile's name is letters, digits, \".\", \"_\" and \"-\", and \"]\" stands behind it" },
		{ "[profile a", "/etc/c: line 1, column 11: a profile's name is letters, digits, \".\", \"_\" and \"-\", and \"]\" stands behind it" },
		{ "[profile a] x = y\n", "/etc/c: line 1, column 13: nothing but a comment can stand behind \"]\"" },
		{ "[profile a]\n[profile a]\n", "/etc/c: line 2, column 10: there is a profile a further up" },
		{ "[profile a]\nview = x\n\nview = y\n", "/etc/c: line 4, column 1: view is set in line 2 already" },
		{ "[profile a]\nview\n", "/etc/c: line 2, column 1: neither [profile NAME] nor KEY = VALUE nor a comment" },
		{ "[profile a]\n= x\n", "/etc/c: line 2, column 1: there is no key before \"=\"" },
		{ "[profile a]\nview =   # none\n", "/etc/c: line 2, column 10: view has no value" },
		{ "[profile a]\nview = \"\"\n", "/etc/c: line 2, column 9: view has no value" },
		{ "[profile a]\nview = \"x\n", "/etc/c: line 2, column 8: the quote is never closed" },
		{ "[profile a]\nview = \"x\" y\n", "/etc/c: line 2, column 12: nothing but a comment can stand behind the closing quote" },
		{ "[profile a]\noperate = true\n", "/etc/c: line 2, column 11: operate: write yes or no" },
		{ "[profile a]\nmany-topics = 0\n", "/etc/c: line 2, column 15: many-topics: write a number from 1 to 100000" },
		{ "[profile a]\nmany-percent = 101\n", "/etc/c: line 2, column 16: many-percent: write a number from 1 to 100" },
		{ "[profile a]\ngroup-topics = 99999999999999999999\n", "/etc/c: line 2, column 16: group-topics: write a number from 1 to 1000" },
		{ "[profile a]\ntint = pink\n", "/etc/c: line 2, column 8: tint: write red, green, yellow, blue, magenta or cyan" },
		{ "[profile a]\nview = \xc3\xa9 \x1b[31m\n", "/etc/c: line 2, column 10: a control character" },
		{ "[profile a]\nview = \xff\n", "/etc/c: line 2, column 8: a byte that is no UTF-8" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(cases[i].text, cases[i].why);
	assert_refused_n("[profile a]\nvi\0w = x\n", 20, NULL, "/etc/c: line 2, column 3: a control character");
}

static void an_error_in_another_profile_is_one(void **state)
{
	static const char text[] = "[profile a]\nview = topics\n[profile b]\noperat = yes\n";

	assert_refused_n(text, strlen(text), "a", "/etc/c: line 4, column 1: unknown key operat; did you mean operate?");
}

static void a_profile_that_is_none_tells_those_there_are(void **state)
{
	static const char text[] = "[profile a]\n[profile b]\n[profile c]\n";

	assert_refused_n(text, strlen(text), "d", "/etc/c: no profile is named d; there is a, b and c");
	assert_refused_n("", 0, "d", "/etc/c: no profile is named d");
}

static void a_bad_protected_pattern_says_where(void **state)
{
	struct config cf;
	struct policy po;
	struct err err;

	err_init(&err);
	policy_init(&po);
	parse("[profile a]\nprotected = ok\nprotected = gold[\n", "a", &cf);
	assert_false(config_policy(&cf, &po, &err));
	assert_string_equal(err.text, "/etc/c: line 3, column 13: protected: pattern \"gold[\", column 5: the bracket is never closed");
	policy_fini(&po);
	config_fini(&cf);
}

static void sizes_are_bounded(void **state)
{
	char *text = mem_alloc(CONFIG_MAX_BYTES + 2);

	memset(text, '#', CONFIG_MAX_BYTES + 1);
	assert_refused_n(text, CONFIG_MAX_BYTES + 1, NULL, "/etc/c: more than 262144 bytes");
	memset(text, 'a', 6000);
	memcpy(text, "[profile a]\nview = ", 19);
	assert_refused_n(text, 6000, NULL, "/etc/c: line 2, column 8: a value has at most 4096 bytes");
	memset(text, 'a', 200);
	memcpy(text, "[profile ", 9);
	assert_refused_n(text, 200, NULL, "/etc/c: line 1, column 10: a profile's name has at most 32 characters");
	memset(text, 'a', 200);
	memcpy(text, "[profile a]\n", 12);
	text[199] = '=';
	assert_refused_n(text, 200, NULL, "/etc/c: line 2, column 1: this is too long for a key; see kafops-config(5)");
	mem_free(&text);
}

/* ---- files ---------------------------------------------------------------------------------- */

static char folder[] = "/tmp/kafops-config.XXXXXX";

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[128];

	str_printf(path, sizeof(path), "%s/c", folder);
	unlink(path);
	return rmdir(folder);
}

static const char *put_file(const char *text, mode_t mode)
{
	static char path[128];
	FILE *f;

	str_printf(path, sizeof(path), "%s/c", folder);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	fclose(f);
	assert_int_equal(chmod(path, mode), 0);
	return path;
}

/* What is told of a file with these rights, a line each, its name left out. */
static void assert_notes(const char *text, mode_t mode, const char *expected)
{
	const char *path = put_file(text, mode);
	char note[400];
	struct strbuf sb;
	struct config cf;
	struct err err;

	err_init(&err);
	if (!config_read(path, "a", &cf, &err))
		fail_msg("%s", err.text);
	strbuf_init(&sb);
	for (size_t i = 0; config_file_note(&cf, i, note, sizeof(note)), note[0]; i++)
		strbuf_printf(&sb, "%s\n", note + strlen(path));
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
	config_fini(&cf);
}

static void a_file_that_others_may_read_is_told_where_it_names_secrets(void **state)
{
	static const char plain[] = "[profile a]\nzookeeper = a:1\n", secret[] = "[profile a]\nzk-auth = digest:f\n";
	static const char read[] = ": others on this machine may read it, and its zk-auth names where passwords are; chmod go-r mends that\n";
	static const char change[] = ": others on this machine may change it, and so which cluster is meant and what may be done there; chmod go-w mends that\n";
	char both[400];

	str_printf(both, sizeof(both), "%s%s", change, read);
	assert_notes(plain, 0600, "");
	assert_notes(plain, 0644, "");
	assert_notes(secret, 0600, "");
	assert_notes(secret, 0640, read);
	assert_notes(plain, 0666, change);
	assert_notes(secret, 0666, both);
}

static void what_is_no_file_says_so(void **state)
{
	struct config cf;
	struct err err;

	err_init(&err);
	assert_false(config_read("/nowhere/c", "a", &cf, &err));
	assert_string_equal(err.text, "/nowhere/c: No such file or directory");
	assert_int_equal(err.code, ERR_NOT_FOUND);
	err_init(&err);
	assert_false(config_read(folder, "a", &cf, &err));
	assert_non_null(strstr(err.text, "a folder; a file is needed here"));
	config_fini(&cf);
}

static void assert_default(const char *xdg, const char *home, const char *expected)
{
	char *file;

	if (xdg)
		setenv("XDG_CONFIG_HOME", xdg, 1);
	else
		unsetenv("XDG_CONFIG_HOME");
	if (home)
		setenv("HOME", home, 1);
	else
		unsetenv("HOME");
	file = config_default_file();
	if (expected)
		assert_string_equal(file, expected);
	else
		assert_null(file);
	mem_free(&file);
}

static void the_file_is_where_xdg_says_or_below_home(void **state)
{
	assert_default("/x", "/h", "/x/kafops/config");
	assert_default(NULL, "/h", "/h/.config/kafops/config");
	assert_default("", "/h", "/h/.config/kafops/config");
	assert_default("relative", "/h", "/h/.config/kafops/config");
	assert_default(NULL, NULL, NULL);
}

static void the_manual_has_every_key(void **state)
{
	const char *top = getenv("top_srcdir"), *key;
	static char manual[64 * 1024];
	char path[512], entry[64];
	FILE *f;

	str_printf(path, sizeof(path), "%s/man/kafops-config.5", top ? top : ".");
	f = fopen(path, "r");
	assert_non_null(f);
	manual[fread(manual, 1, sizeof(manual) - 1, f)] = '\0';
	fclose(f);
	for (size_t i = 0; (key = config_key(i)) != NULL; i++) {
		str_printf(entry, sizeof(entry), ".TP\n.B %s\n", key);
		if (!strstr(manual, entry))
			fail_msg("the manual has no %s", key);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_has_its_own_keys),
		cmocka_unit_test(without_a_profile_only_names_are_told),
		cmocka_unit_test(a_value_ends_at_a_comment_and_quotes_keep_what_they_hold),
		cmocka_unit_test(files_are_looked_for_beside_the_file_or_at_home),
		cmocka_unit_test(a_key_may_be_protected_more_than_once),
		cmocka_unit_test(a_profile_makes_a_policy),
		cmocka_unit_test(what_a_profile_does_not_say_stays_as_it_was),
		cmocka_unit_test(a_complaint_says_line_and_column),
		cmocka_unit_test(an_error_in_another_profile_is_one),
		cmocka_unit_test(a_profile_that_is_none_tells_those_there_are),
		cmocka_unit_test(a_bad_protected_pattern_says_where),
		cmocka_unit_test(sizes_are_bounded),
		cmocka_unit_test(a_file_that_others_may_read_is_told_where_it_names_secrets),
		cmocka_unit_test(what_is_no_file_says_so),
		cmocka_unit_test(the_file_is_where_xdg_says_or_below_home),
		cmocka_unit_test(the_manual_has_every_key),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
