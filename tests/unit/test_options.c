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

static void the_command_that_was_meant_is_offered(void **state)
{
	assert_refused("topcis", "unknown command topcis; did you mean topics?");
	assert_refused("topic", "unknown command topic; did you mean topics?");
	assert_refused("desrcibe --json", "unknown command desrcibe; did you mean describe?");
	assert_refused("relay f", "unknown command relay; did you mean replay?");
	assert_refused("topcis --help", "unknown command topcis; did you mean topics?");
	assert_refused("topcis --frob", "unknown command topcis; did you mean topics?");
	assert_refused("destroy", "unknown command destroy; see kafops --help");
	assert_refused("t", "unknown command t; see kafops --help");
	/* An empty one once was looked for without end. */
	assert_refused("''", "unknown command ''; see kafops --help");
}

/* ---- values ------------------------------------------------------------------------ */

static void an_empty_value_is_none(void **state)
{
	assert_refused("topics --zookeeper ''", "--zookeeper: the value is empty; write --zookeeper HOSTS[/chroot]");
	assert_refused("topics --topic=", "--topic: the value is empty; write --topic PATTERN");
	assert_refused("topics --output=", "--output: the value is empty; write --output FORM");
	assert_refused("topics --log-file ''", "--log-file: the value is empty; write --log-file FILE");
	assert_refused("topics --timeout", "--timeout needs a value: --timeout TIME");
}

/* Else the option would be asked for as if it were a server, and with it the user would wait. */
static void an_option_is_no_value(void **state)
{
	struct options opt;

	assert_refused("topics --zookeeper --json", "--zookeeper needs a value: --zookeeper HOSTS[/chroot]. --json is an option");
	assert_refused("topics --topic --output=json", "--topic needs a value: --topic PATTERN. --output is an option");
	assert_refused("topics --topic -v", "--topic needs a value: --topic PATTERN. -v is an option");
	assert_taken("topics --topic=--json", &opt);
	assert_string_equal(opt.topic_pattern, "--json");
	assert_taken("topics --topic -x", &opt);
	assert_string_equal(opt.topic_pattern, "-x");
}

static void a_value_off_is_named_with_what_to_write(void **state)
{
	assert_refused("topics --timeout 0", "--timeout 0: out of range: between 100ms and 1d");
	assert_refused("topics --timeout -1", "--timeout -1: not a time: write 500ms, 10s, 2m, 1h, or a number of seconds");
	assert_refused("topics --timeout 99999999999999999999",
		"--timeout 99999999999999999999: not a time: write 500ms, 10s, 2m, 1h, or a number of seconds");
	assert_refused("topics --output xml", "--output xml: is none of: table, tsv, json");
	assert_refused("topics --json=yes", "--json takes no value");
	assert_refused("replay f --speed nan", "--speed nan: neither 0 nor a number from 0.01 to 10000");
	assert_refused("topics --zookeeper \xff:1", "--zookeeper \\xFF:1: \"\\xFF\" is not a host name; write host:port,host:port/chroot");
}

static void servers_to_begin_with_have_ports(void **state)
{
	struct options opt;

	assert_taken("--bootstrap-server b1:9092,[::1]:9093", &opt);
	assert_int_equal(opt.bootstrap.n, 2);
	assert_string_equal(opt.bootstrap.servers[1].host, "::1");
	assert_int_equal(opt.bootstrap.servers[1].port, 9093);
	assert_refused("topics --bootstrap-server b1", "--bootstrap-server b1: \"b1\" has no port; write host:port,host:port");
	assert_refused("topics --bootstrap-server :9092", "--bootstrap-server :9092: \":9092\" has no host; write host:port,host:port");
	assert_refused("topics --bootstrap-server ::1:9092",
		"--bootstrap-server ::1:9092: \"::1:9092\": an IPv6 address stands in brackets: [::1:9092]:9092");
	assert_refused("topics --bootstrap-servers b:1", "unknown option --bootstrap-servers; did you mean --bootstrap-server?");
	assert_refused("replay f --bootstrap-server b:1", "--bootstrap-server has no meaning for kafops replay");
	setenv("KAFOPS_BOOTSTRAP_SERVER", "c", 1);
	assert_refused("topics", "KAFOPS_BOOTSTRAP_SERVER c: \"c\" has no port; write host:port,host:port");
	assert_taken("topics --bootstrap-server d:1", &opt);
	assert_string_equal(opt.bootstrap.servers[0].host, "d");
	unsetenv("KAFOPS_BOOTSTRAP_SERVER");
}

static void client_settings_have_two_names(void **state)
{
	struct options opt;

	assert_taken("topics --command-config a.properties", &opt);
	assert_string_equal(opt.command_config, "a.properties");
	assert_taken("topics --admin.config b.properties", &opt);
	assert_string_equal(opt.command_config, "b.properties");
	setenv("KAFOPS_COMMAND_CONFIG", "c.properties", 1);
	assert_taken("topics", &opt);
	assert_string_equal(opt.command_config, "c.properties");
	unsetenv("KAFOPS_COMMAND_CONFIG");
}

static void a_user_for_zookeeper_is_a_file_never_a_password(void **state)
{
	static const char form[] = "write digest:FILE, where the first line of FILE is user:password";
	static const char never[] = "--zk-auth: a file's name without a colon stands behind digest:, never the password itself, which everybody on "
		"this machine could see; put user:password into the first line of a file";
	struct options opt;
	char why[256];

	assert_taken("topics --zk-auth digest:/run/ops", &opt);
	assert_string_equal(opt.zk_auth, "/run/ops");
	assert_refused("topics --zk-auth digest:ops:geheim", never);
	assert_true(str_printf(why, sizeof(why), "--zk-auth: %s", form));
	assert_refused("topics --zk-auth ops:geheim", why);
	assert_refused("topics --zk-auth geheim", why);
	assert_true(str_printf(why, sizeof(why), "--zk-auth: there is no file; %s", form));
	assert_refused("topics --zk-auth digest:", why);
	assert_refused("topics --zk-auth digest", why);
	assert_refused("topics --zk-auth sasl:f", "--zk-auth: the scheme sasl needs a ZooKeeper client library with SASL, and this one has none; "
		"digest:FILE is possible");
	assert_refused("topics --zk-auth ip:192.0.2.7", "--zk-auth: ZooKeeper sees the address by itself: for the scheme ip no option is needed");
	setenv("KAFOPS_ZK_AUTH", "digest:ops:geheim", 1);
	assert_true(str_printf(why, sizeof(why), "KAFOPS_ZK_AUTH%s", never + strlen("--zk-auth")));
	assert_refused("topics", why);
	unsetenv("KAFOPS_ZK_AUTH");
}

static void tls_to_zookeeper_names_a_tunnel(void **state)
{
	struct options opt;
	struct err err;

	assert_false(parse("topics --zk-tls-config-file f", &opt, &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_non_null(strstr(err.text, "stunnel"));
	assert_non_null(strstr(err.text, "--zookeeper"));
	assert_true(str_ends(err.text, "name its address with --zookeeper"));
}

static void the_last_of_repeated_options_holds(void **state)
{
	struct options opt;

	assert_taken("--topic a topics --topic b --json --output tsv", &opt);
	assert_string_equal(opt.topic_pattern, "b");
	assert_int_equal(opt.output, OUTPUT_TSV);
}

static void variables_are_asked_only_where_the_command_line_is_silent(void **state)
{
	struct options opt;

	setenv("KAFOPS_ZOOKEEPER", "a:nonsense", 1);
	assert_refused("topics", "KAFOPS_ZOOKEEPER a:nonsense: \"a:nonsense\": \"nonsense\" is not a port (1 to 65535)");
	assert_taken("topics --help", &opt);
	assert_taken("--version", &opt);
	assert_taken("topics --zookeeper b:1", &opt);
	assert_string_equal(opt.zookeeper, "b:1");
	setenv("KAFOPS_ZOOKEEPER", "c:1", 1);
	assert_taken("topics --zookeeper b:1", &opt);
	assert_string_equal(opt.zookeeper, "b:1");
	assert_taken("topics", &opt);
	assert_string_equal(opt.zookeeper, "c:1");
	setenv("KAFOPS_ZOOKEEPER", "", 1);
	assert_taken("topics", &opt);
	assert_false(opt.has_zookeeper);
	unsetenv("KAFOPS_ZOOKEEPER");
	setenv("NO_COLOR", "1", 1);
	assert_taken("--color always", &opt);
	assert_int_equal(opt.color, COLOR_ALWAYS);
	unsetenv("NO_COLOR");
}

/* ---- words ------------------------------------------------------------------------- */

static void a_word_too_many_is_named(void **state)
{
	assert_refused("topics extra", "'extra' is one word too many; see kafops topics --help");
	assert_refused("replay a b", "'b' is one word too many; see kafops replay --help");
	assert_refused("topics -- --json", "'--json' is one word too many, as nothing behind -- is an option; see kafops topics --help");
	assert_refused("-- --json", "unknown command --json, as nothing behind -- is an option; see kafops --help");
}

static void help_and_version_have_their_other_spellings(void **state)
{
	static const char *const lines[] = { "--help topics", "topics --help", "topics -h", "help topics", "-h topics" };
	struct options opt;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_taken(lines[i], &opt);
		assert_true(opt.help);
		assert_string_equal(opt.command, "topics");
	}
	assert_taken("help", &opt);
	assert_true(opt.help);
	assert_null(opt.command);
	assert_taken("-V", &opt);
	assert_true(opt.version);
	assert_refused("help topcis", "unknown command topcis; did you mean topics?");
	assert_refused("hlep", "unknown command hlep; did you mean help?");
	assert_refused("topics help", "'help' is one word too many; see kafops topics --help");
}

static void replay_takes_a_file(void **state)
{
	struct options opt;

	assert_taken("replay f --speed 2", &opt);
	assert_string_equal(opt.replay_file, "f");
	assert_taken("replay -- --json", &opt);
	assert_string_equal(opt.replay_file, "--json");
	assert_refused("replay", "replay needs a file: kafops replay FILE");
	assert_refused("replay ''", "replay needs a file: kafops replay FILE");
	assert_taken("replay --help", &opt);
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
		"zk-auth= (default)\n"
		"zk-tls-config-file= (default)\n"
		"bootstrap-server= (default)\n"
		"command-config= (default)\n"
		"cluster= (default)\n"
		"config= (default)\n"
		"operate=no (default)\n"
		"read-only=yes (default)\n"
		"record= (default)\n"
		"color=auto (default)\n"
		"ascii=no (default)\n"
		"no-mouse=no (default)\n"
		"no-clipboard=no (default)\n"
		"view=overview (default)\n"
		"delay=1s (default)\n"
		"output=table (default)\n"
		"from=both (default)\n"
		"timeout=30s (default)\n"
		"log-file= (default)\n"
		"v=no (default)\n"
		"cluster-id= (default)\n"
		"protected= (default)\n"
		"internal-by-hand=no (default)\n"
		"protected-by-hand=no (default)\n"
		"many-topics=20 (default)\n"
		"many-percent=5 (default)\n"
		"group-topics=20 (default)\n"
		"tint= (default)\n");
	mem_free(&text);
}

static void info_says_the_value_in_use_and_what_set_it(void **state)
{
	assert_each("info --read-only", "read-only=yes (option --read-only)\n");
	assert_each("info --readonly", "read-only=yes (option --read-only)\n");
	assert_each("info --json", "output=json (option --json)\n");
	assert_each("info --json --output tsv", "output=tsv (option --output)\n");
	assert_each("info --output tsv --json", "output=json (option --json)\n");
	assert_each("info --zk-auth digest:/f", "zk-auth=digest:/f (option --zk-auth)\n");
	assert_each("info --admin.config f", "command-config=f (option --command-config)\n");
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
		"KAFOPS_ZK_AUTH", "KAFOPS_BOOTSTRAP_SERVER", "KAFOPS_COMMAND_CONFIG", "KAFOPS_CLUSTER",
		"KAFOPS_CONFIG", "XDG_CONFIG_HOME",
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_option_that_was_meant_is_offered),
		cmocka_unit_test(what_is_too_far_is_not_offered),
		cmocka_unit_test(options_of_other_commands_are_not_offered),
		cmocka_unit_test(the_command_that_was_meant_is_offered),
		cmocka_unit_test(an_empty_value_is_none),
		cmocka_unit_test(an_option_is_no_value),
		cmocka_unit_test(a_value_off_is_named_with_what_to_write),
		cmocka_unit_test(servers_to_begin_with_have_ports),
		cmocka_unit_test(client_settings_have_two_names),
		cmocka_unit_test(a_user_for_zookeeper_is_a_file_never_a_password),
		cmocka_unit_test(tls_to_zookeeper_names_a_tunnel),
		cmocka_unit_test(the_last_of_repeated_options_holds),
		cmocka_unit_test(variables_are_asked_only_where_the_command_line_is_silent),
		cmocka_unit_test(a_word_too_many_is_named),
		cmocka_unit_test(help_and_version_have_their_other_spellings),
		cmocka_unit_test(replay_takes_a_file),
		cmocka_unit_test(info_lists_what_the_console_and_itself_go_by),
		cmocka_unit_test(info_says_the_value_in_use_and_what_set_it),
		cmocka_unit_test(another_spelling_is_refused_by_its_own_name),
	};

	/* No variable of who runs this. */
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	return cmocka_run_group_tests_name("app/options", tests, NULL, NULL);
}
