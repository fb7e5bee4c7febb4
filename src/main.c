/* SPDX-License-Identifier: Apache-2.0 */
/* kafops: wires options, session and screen or batch command together. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/options.h"
#include "app/reach.h"
#include "app/session.h"
#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/batch.h"
#include "io/clock.h"
#include "io/rdk.h"
#include "io/zk.h"
#include "ui/ui.h"

static void print_help(const char *command)
{
	puts("kafops: live view of a Kafka cluster that keeps its metadata in ZooKeeper; changes nothing without --operate\n");
	if (command != NULL) {
		printf("usage: kafops %s [OPTION...]%s\n\noptions\n", command, strcmp(command, "replay") == 0 ? " FILE" : "");
		options_usage(stdout, command);
		return;
	}
	puts("usage: kafops --zookeeper HOSTS[/chroot] [OPTION...]        the console\n"
	     "       kafops COMMAND --zookeeper HOSTS[/chroot] [OPTION...]  one command, no screen\n"
	     "       kafops replay FILE [OPTION...]                       play a recording\n\n"
	     "commands");
	batch_usage(stdout);
	puts("\noptions");
	options_usage(stdout, NULL);
	puts("\nOptions may stand before or after the command. Keys: press ? in the console. More: man kafops.");
}

static void print_version(void)
{
	printf("%s\nlibraries: %s, %s\n", PACKAGE_STRING, json_library(), zk_library());
}

/* A reader that has seen enough (head) is no failure. */
static int end_of_text(void)
{
	errno = 0;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return EXIT_DONE;
	fprintf(stderr, "kafops: write to standard output: %s\n", errno ? strerror(errno) : "it took only a part");
	return EXIT_FAILED;
}

/* What must be there for the command asked for. */
static bool check_command(const struct options *opt, struct err *err)
{
	char profiles[ERR_TEXT_MAX];

	if (opt->command != NULL || opt->has_zookeeper)
		return true;
	if (opt->cluster != NULL)
		return err_set(err, ERR_USAGE, "the profile %s in %s has no zookeeper: write zookeeper = zk1:2181,zk2:2181/kafka there", opt->cluster, opt->config.file);
	options_profiles_text(opt, profiles, sizeof(profiles));
	return err_set(err, ERR_USAGE, "which cluster? Say kafops --zookeeper zk1:2181,zk2:2181/kafka (see kafops --help)%s", profiles);
}

static int run_console(const struct options *opt, struct reach *reach)
{
	struct session_ask ask = session_ask_all;
	struct session *ss;
	struct err err;
	int status;

	err_init(&err);
	ask.operate = opt->policy.operate;
	if (opt->replay_file != NULL)
		exit_unblock(); /* no thread will be started, and a large trace takes a while to read */
	ss = session_new(opt, reach, ask, &err);
	if (ss == NULL) {
		fprintf(stderr, "kafops: %s\n", err.text);
		return EXIT_FAILED;
	}
	exit_unblock();
	status = ui_run(ss, opt);
	session_free(&ss);
	return status;
}

/* The console and the commands, with all that is needed to reach the cluster. `info` shows settings that can't be used, too. */
static int run_live(const struct options *opt)
{
	struct reach *reach;
	const struct err *why;
	int status;

	exit_unblock(); /* a file may be a pipe that nobody writes to */
	reach = reach_new(opt, clock_wall());
	exit_block();
	why = reach_error(reach);
	if (exit_signal()) {
		status = exit_status_of_signal(exit_signal());
	} else if (why != NULL && (opt->command == NULL || !batch_does_without_reach(opt->command))) {
		log_put(LOG_ERROR, "reach", "%s", why->text);
		fprintf(stderr, "kafops: %s\n", why->text);
		status = why->code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
	} else if (opt->command != NULL) {
		status = batch_run(opt, reach);
	} else {
		status = run_console(opt, reach);
	}
	reach_free(&reach);
	return status;
}

/*
 * A descriptor we were started without would be given to the next file opened, and take what was meant for
 * the operator. Standard output and error are put in its place such that writing fails.
 */
static void fill_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_RDWR : O_RDONLY) < 0)
			_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	struct options opt;
	struct err err;
	int status;

	fill_descriptors();
	mem_return_large();
	err_init(&err);
	setlocale(LC_CTYPE, "");
	if (!exit_init()) {
		perror("kafops: no pipe for signals");
		return EXIT_FAILED;
	}
	if (!options_parse(argc, argv, &opt, &err) || (!opt.help && !opt.version && !check_command(&opt, &err))) {
		fprintf(stderr, "kafops: %s\n", err.text);
		return EXIT_USAGE;
	}
	if (opt.version || opt.help) {
		if (opt.version)
			print_version();
		else
			print_help(opt.command);
		return end_of_text();
	}
	if (opt.log_file != NULL && !log_open(opt.log_file, opt.verbose ? LOG_DEBUG : LOG_INFO, &err)) {
		fprintf(stderr, "kafops: %s\n", err.text);
		return EXIT_FAILED;
	}
	status = opt.replay_file != NULL ? run_console(&opt, NULL) : run_live(&opt);
	log_close();
	/* What the options hold stays: a thread that could not be ended may still read it. */
	rdk_exit(status);
}
