/* SPDX-License-Identifier: Apache-2.0 */
#include "app/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_option_that_was_meant_is_offered),
		cmocka_unit_test(what_is_too_far_is_not_offered),
		cmocka_unit_test(options_of_other_commands_are_not_offered),
		cmocka_unit_test(an_option_that_operates_says_that_nothing_does),
		cmocka_unit_test(the_command_that_was_meant_is_offered),
	};

	unsetenv("KAFOPS_ZOOKEEPER");
	return cmocka_run_group_tests_name("app/options", tests, NULL, NULL);
}
