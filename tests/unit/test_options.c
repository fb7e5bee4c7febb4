/* SPDX-License-Identifier: Apache-2.0 */
#include "app/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

enum { WORDS_MAX = 16 };

/* A command line, split at blanks; "''" is an empty word. */
static bool parse(const char *line, struct options *opt, struct err *err)
{
	static char buf[512], name[] = "kafops", empty[] = "";
	char *argv[WORDS_MAX + 2] = { name }, *save = NULL;
	int argc = 1;

	assert_true(strlen(line) < sizeof(buf));
	memcpy(buf, line, strlen(line) + 1);
	for (char *word = strtok_r(buf, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		assert_true(argc <= WORDS_MAX);
		argv[argc++] = strcmp(word, "''") == 0 ? empty : word;
	}
	err_init(err);
	return options_parse(argc, argv, opt, err);
}

static void assert_taken(const char *line, struct options *opt)
{
	struct err err;

	if (!parse(line, opt, &err))
		fail_msg("%s: %s", line, err.text);
}

static void assert_refused(const char *line, const char *why)
{
	struct options opt;
	struct err err;

	if (parse(line, &opt, &err))
		fail_msg("taken: %s", line);
	assert_string_equal(err.text, why);
	assert_int_equal(err.code, ERR_USAGE);
}

/* ---- names that are none --------------------------------------------------------- */

static void the_option_that_was_meant_is_offered(void **state)
{
	assert_refused("topics --tpoic x", "unknown option --tpoic; did you mean --topic?");
	assert_refused("topics --tpoic=x", "unknown option --tpoic; did you mean --topic?");
	assert_refused("topics --josn", "unknown option --josn; did you mean --json?");
	assert_refused("topics -json", "unknown option -json; did you mean --json?");
	assert_refused("--zookeper a:1", "unknown option --zookeper; did you mean --zookeeper?");
	assert_refused("--read-onyl", "unknown option --read-onyl; did you mean --read-only?");
	assert_refused("topics --under-replicated", "unknown option --under-replicated; did you mean --under-replicated-partitions?");
}

static void what_is_too_far_is_not_offered(void **state)
{
	assert_refused("topics --frobs", "unknown option --frobs; see kafops topics --help");
	assert_refused("topics --to", "unknown option --to; see kafops topics --help");
	assert_refused("topics -x", "unknown option -x; see kafops topics --help");
	assert_refused("topics -q x", "unknown option -q; see kafops topics --help");
	assert_refused("--frobnicate", "unknown option --frobnicate; see kafops --help");
	assert_refused("topics ---", "unknown option ---; see kafops topics --help");
}

static void options_of_other_commands_are_not_offered(void **state)
{
	assert_refused("brokers --tpoic x", "unknown option --tpoic; see kafops brokers --help");
	assert_refused("--tpoic x brokers", "unknown option --tpoic; see kafops brokers --help");
	assert_refused("--tpoic x topics", "unknown option --tpoic; did you mean --topic?");
	assert_refused("--timeout 3s --tpoic x topics", "unknown option --tpoic; did you mean --topic?");
	assert_refused("--tpoic x", "unknown option --tpoic; see kafops --help");
	assert_refused("--sped 2", "unknown option --sped; see kafops --help");
	assert_refused("replay f --sped 2", "unknown option --sped; did you mean --speed?");
	assert_refused("topics --asci", "unknown option --asci; see kafops topics --help");
}

static void an_option_that_operates_says_that_nothing_does(void **state)
{
	assert_refused("--operate", "--operate: this version only looks; it has no command that changes a cluster");
}

static void the_command_that_was_meant_is_offered(void **state)
{
	assert_refused("topcis", "unknown command topcis; did you mean topics?");
	assert_refused("topic", "unknown command topic; did you mean topics?");
	assert_refused("desrcibe --json", "unknown command desrcibe; did you mean describe?");
	assert_refused("relay f", "unknown command relay; did you mean replay?");
	assert_refused("topcis --help", "unknown command topcis; did you mean topics?");
	assert_refused("topcis --frob", "unknown command topcis; did you mean topics?");
	assert_refused("delete", "unknown command delete; see kafops --help");
	assert_refused("t", "unknown command t; see kafops --help");
	/* An empty one once was looked for without end. */
	assert_refused("''", "unknown command ''; see kafops --help");
}

/* ---- info ------------------------------------------------------------------------ */

static void each_put(const char *name, const char *value, const char *set_by, void *ctx)
{
	strbuf_printf(ctx, "%s=%s (%s)\n", name, value, set_by);
}

/* What `info` says of the options, a line each; the caller's to mem_free. */
static char *each_of(const char *line)
{
	struct options opt;
	struct strbuf out;

	assert_taken(line, &opt);
	strbuf_init(&out);
	options_each(&opt, each_put, &out);
	return strbuf_take(&out);
}

static void assert_each(const char *line, const char *expected)
{
	char *text = each_of(line);

	if (!strstr(text, expected))
		fail_msg("%s: no %s in\n%s", line, expected, text);
	mem_free(&text);
}

static void info_lists_what_the_console_and_itself_go_by(void **state)
{
	char *text = each_of("info");

	assert_string_equal(text,
		"zookeeper= (default)\n"
		"zk-session-timeout=10s (default)\n"
		"zk-allow-read-only-server=no (default)\n"
		"read-only=yes (default)\n"
		"record= (default)\n"
		"color=auto (default)\n"
		"ascii=no (default)\n"
		"no-mouse=no (default)\n"
		"no-clipboard=no (default)\n"
		"delay=1s (default)\n"
		"output=table (default)\n"
		"from=both (default)\n"
		"timeout=30s (default)\n"
		"log-file= (default)\n"
		"v=no (default)\n");
	mem_free(&text);
}

static void info_says_the_value_in_use_and_what_set_it(void **state)
{
	assert_each("info --read-only", "read-only=yes (option --read-only)\n");
	assert_each("info --readonly", "read-only=yes (option --read-only)\n");
	assert_each("info --json", "output=json (option --json)\n");
	assert_each("info --json --output tsv", "output=tsv (option --output)\n");
	assert_each("info --output tsv --json", "output=json (option --json)\n");
	assert_each("info --timeout 1 --timeout 500ms", "timeout=500ms (option --timeout)\n");
	setenv("NO_COLOR", "1", 1);
	setenv("KAFOPS_ASCII", "1", 1);
	assert_each("info", "color=never (variable NO_COLOR)\n");
	assert_each("info", "ascii=yes (variable KAFOPS_ASCII)\n");
	unsetenv("NO_COLOR");
	unsetenv("KAFOPS_ASCII");
}

static void another_spelling_is_refused_by_its_own_name(void **state)
{
	assert_refused("replay f --json", "--json has no meaning for kafops replay");
	assert_refused("--no-color topics", "--no-color has no meaning for kafops topics");
	assert_refused("topics --speed 2", "--speed has no meaning for kafops topics");
	assert_refused("--output tsv", "--output has no meaning for the console");
}

int main(void)
{
	static const char *const variables[] = {
		"KAFOPS_ZOOKEEPER", "KAFOPS_ZK_SESSION_TIMEOUT", "KAFOPS_ASCII", "KAFOPS_NO_MOUSE", "KAFOPS_NO_CLIPBOARD", "KAFOPS_LOG_FILE", "NO_COLOR",
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_option_that_was_meant_is_offered),
		cmocka_unit_test(what_is_too_far_is_not_offered),
		cmocka_unit_test(options_of_other_commands_are_not_offered),
		cmocka_unit_test(an_option_that_operates_says_that_nothing_does),
		cmocka_unit_test(the_command_that_was_meant_is_offered),
		cmocka_unit_test(info_lists_what_the_console_and_itself_go_by),
		cmocka_unit_test(info_says_the_value_in_use_and_what_set_it),
		cmocka_unit_test(another_spelling_is_refused_by_its_own_name),
	};

	/* No variable of who runs this. */
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	return cmocka_run_group_tests_name("app/options", tests, NULL, NULL);
}
