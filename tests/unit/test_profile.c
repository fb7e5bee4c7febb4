/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile makes of the options, and where each value is said to come from. */
#include "app/options.h"

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

enum { WORDS_MAX = 16 };

static char folder[] = "/tmp/kafops-profile.XXXXXX";
static char file[128];

static const char text[] =
	"[profile prod]\n"
	"zookeeper = zk1:2181/kafka\n"
	"bootstrap-server = b1:9092\n"
	"view = topics\n"
	"operate = yes\n"
	"cluster-id = 9lkx3\n"
	"protected = gold.*\n"
	"tint = red\n"
	"[profile look]\n"
	"zookeeper = zk2:2181\n"
	"[profile off]\n"
	"zookeeper = zk2:x\n"
	"[profile none]\n";

static int make_file(void **state)
{
	FILE *f;

	if (!mkdtemp(folder))
		return -1;
	str_printf(file, sizeof(file), "%s/config", folder);
	f = fopen(file, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0 || chmod(file, 0600) != 0)
		return -1;
	return setenv("KAFOPS_CONFIG", file, 1);
}

static int remove_file(void **state)
{
	unlink(file);
	return rmdir(folder);
}

static bool parse(const char *line, struct options *opt, struct err *err)
{
	static char buf[512], name[] = "kafops";
	char *argv[WORDS_MAX + 2] = { name }, *save = NULL;
	int argc = 1;

	assert_true(str_copy(buf, sizeof(buf), line));
	for (char *word = strtok_r(buf, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	err_init(err);
	return options_parse(argc, argv, opt, err);
}

static void take(const char *line, struct options *opt)
{
	struct err err;

	if (!parse(line, opt, &err))
		fail_msg("%s: %s", line, err.text);
}

/* `why` without the name of the file, which stands as FILE. */
static void assert_refused(const char *line, const char *why)
{
	struct options opt;
	struct strbuf sb;
	struct err err;
	const char *at;

	if (parse(line, &opt, &err))
		fail_msg("taken: %s", line);
	strbuf_init(&sb);
	for (const char *s = err.text; *s; s = at) {
		at = strstr(s, file);
		strbuf_putn(&sb, s, at ? (size_t)(at - s) : strlen(s));
		if (!at)
			break;
		strbuf_put(&sb, "FILE");
		at += strlen(file);
	}
	assert_string_equal(sb.s, why);
	strbuf_fini(&sb);
}

struct each {
	const char *name;
	char said[256];
};

static void each_take(const char *name, const char *value, const char *set_by, void *ctx)
{
	struct each *ea = ctx;
	bool is_file = str_starts(set_by, file);

	if (strcmp(name, ea->name) == 0)
		str_printf(ea->said, sizeof(ea->said), "%s (%s%s)", value, is_file ? "FILE" : "", set_by + (is_file ? strlen(file) : 0));
}

static void assert_said(const struct options *opt, const char *name, const char *expected)
{
	struct each ea = { .name = name };

	options_each(opt, each_take, &ea);
	assert_string_equal(ea.said, expected);
}

static void a_profile_says_how_and_what(void **state)
{
	struct options opt;

	take("--cluster prod", &opt);
	assert_true(opt.has_zookeeper);
	assert_string_equal(opt.zookeeper, "zk1:2181/kafka");
	assert_int_equal(opt.bootstrap.n, 1);
	assert_string_equal(opt.view, "topics");
	assert_string_equal(opt.tint, "red");
	assert_string_equal(opt.policy.profile, "prod");
	assert_string_equal(opt.policy.expected_cluster_id, "9lkx3");
	assert_int_equal(opt.policy.n_protected, 1);
	assert_said(&opt, "zookeeper", "zk1:2181/kafka (FILE:2)");
	assert_said(&opt, "cluster", "prod (option --cluster)");
	options_fini(&opt);
}

static void the_command_line_wins_over_a_variable_and_that_over_the_profile(void **state)
{
	struct options opt;
	char note[256];

	setenv("KAFOPS_ZOOKEEPER", "env:1", 1);
	setenv("KAFOPS_VIEW", "dirs", 1);
	take("--cluster prod --zookeeper line:1", &opt);
	assert_said(&opt, "zookeeper", "line:1 (option --zookeeper)");
	assert_said(&opt, "view", "dirs (variable KAFOPS_VIEW)");
	assert_said(&opt, "bootstrap-server", "b1:9092 (FILE:3)");
	options_fini(&opt);
	take("--cluster prod", &opt);
	assert_said(&opt, "zookeeper", "env:1 (variable KAFOPS_ZOOKEEPER)");
	/* It may have been meant for another cluster. */
	assert_true(options_note(&opt, 0, note, sizeof(note)));
	assert_non_null(strstr(note, "KAFOPS_ZOOKEEPER takes the place of zookeeper in "));
	assert_true(options_note(&opt, 1, note, sizeof(note)));
	assert_non_null(strstr(note, "KAFOPS_VIEW takes the place of view in "));
	assert_false(options_note(&opt, 2, note, sizeof(note)));
	options_fini(&opt);
	unsetenv("KAFOPS_ZOOKEEPER");
	unsetenv("KAFOPS_VIEW");
}

static void assert_mode(const char *line, bool operate, const char *said_operate, const char *said_read_only)
{
	struct options opt;

	take(line, &opt);
	assert_int_equal(opt.policy.operate, operate);
	assert_said(&opt, "operate", said_operate);
	assert_said(&opt, "read-only", said_read_only);
	options_fini(&opt);
}

static void info_names_the_file_that_was_found(void **state)
{
	struct options opt;
	char sub[160], name[200];

	unsetenv("KAFOPS_CONFIG");
	setenv("XDG_CONFIG_HOME", folder, 1);
	str_printf(sub, sizeof(sub), "%s/kafops", folder);
	str_printf(name, sizeof(name), "%s/config", sub);
	assert_int_equal(mkdir(sub, 0700), 0);
	assert_int_equal(link(file, name), 0);
	take("info --cluster look", &opt);
	assert_string_equal(opt.config.file, name);
	options_fini(&opt);
	assert_int_equal(unlink(name) | rmdir(sub), 0);
	unsetenv("XDG_CONFIG_HOME");
	setenv("KAFOPS_CONFIG", file, 1);
}

static void read_only_wins_and_is_the_default(void **state)
{
	assert_mode("", false, "no (default)", "yes (default)");
	assert_mode("--operate", true, "yes (option --operate)", "no (option --operate)");
	assert_mode("--cluster look", false, "no (default)", "yes (default)");
	assert_mode("--cluster look --operate", true, "yes (option --operate)", "no (option --operate)");
	assert_mode("--cluster prod", true, "yes (FILE:5)", "no (FILE:5)");
	assert_mode("--cluster prod --read-only", false, "no (option --read-only)", "yes (option --read-only)");
	assert_mode("--cluster prod --operate --readonly", false, "no (option --read-only)", "yes (option --read-only)");
	assert_mode("--read-only --operate", false, "no (option --read-only)", "yes (option --read-only)");
}

static void a_replay_takes_a_profile_only_where_it_is_asked_to_and_never_operates(void **state)
{
	struct options opt;

	setenv("KAFOPS_CLUSTER", "prod", 1);
	take("replay f", &opt);
	assert_null(opt.policy.profile);
	assert_false(opt.policy.operate);
	options_fini(&opt);
	take("info", &opt);
	assert_string_equal(opt.policy.profile, "prod");
	options_fini(&opt);
	take("replay f --cluster prod", &opt);
	assert_string_equal(opt.policy.profile, "prod");
	assert_false(opt.policy.operate);
	options_fini(&opt);
	unsetenv("KAFOPS_CLUSTER");
	assert_refused("replay f --operate", "--operate has no meaning for kafops replay");
}

static void what_is_off_says_where(void **state)
{
	assert_refused("--cluster nope", "--cluster nope: FILE: no profile is named nope; there is prod, look, off and none");
	assert_refused("--cluster off", "FILE: line 12, column 13: zookeeper zk2:x: \"zk2:x\": \"x\" is not a port (1 to 65535)");
	assert_refused("--cluster prod --config /nowhere/c", "--cluster prod: /nowhere/c: No such file or directory");
	assert_refused("--config /nowhere/c", "--config: /nowhere/c: No such file or directory");
}

static void a_file_without_a_profile_asks_which(void **state)
{
	char line[200];

	str_printf(line, sizeof(line), "--config %s", file);
	assert_refused(line, "--config FILE: which profile? Say --cluster NAME; there is prod, look, off and none");
}

static void who_names_no_cluster_is_told_the_profiles(void **state)
{
	struct options opt;
	char said[256];

	take("info", &opt);
	options_profiles_text(&opt, said, sizeof(said));
	assert_string_equal(said, "; or --cluster NAME: there is prod, look, off and none");
	options_fini(&opt);
	setenv("KAFOPS_CONFIG", "/nowhere/c", 1);
	take("info", &opt);
	options_profiles_text(&opt, said, sizeof(said));
	assert_string_equal(said, "");
	options_fini(&opt);
	setenv("KAFOPS_CONFIG", file, 1);
}

int main(void)
{
	static const char *const variables[] = {
		"KAFOPS_ZOOKEEPER", "KAFOPS_BOOTSTRAP_SERVER", "KAFOPS_COMMAND_CONFIG", "KAFOPS_ZK_AUTH", "KAFOPS_VIEW", "KAFOPS_LOG_FILE", "KAFOPS_CLUSTER",
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_says_how_and_what),
		cmocka_unit_test(the_command_line_wins_over_a_variable_and_that_over_the_profile),
		cmocka_unit_test(info_names_the_file_that_was_found),
		cmocka_unit_test(read_only_wins_and_is_the_default),
		cmocka_unit_test(a_replay_takes_a_profile_only_where_it_is_asked_to_and_never_operates),
		cmocka_unit_test(what_is_off_says_where),
		cmocka_unit_test(a_file_without_a_profile_asks_which),
		cmocka_unit_test(who_names_no_cluster_is_told_the_profiles),
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	return cmocka_run_group_tests_name("app/options_profile", tests, make_file, remove_file);
}
