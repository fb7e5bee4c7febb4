/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command from start to end: open a session, wait until all is read (or
 * it is plain that it won't be), make the items, print them. No screen, one poll.
 */
#include "batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "batch/job.h"
#include "batch/print.h"

static const struct { const char *name, *words; const struct batch_command *command; } commands[] = {
#define COMMAND(id, name, words) { name, words, &cmd_##id },
#include "batch/commands.def"
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const struct batch_command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].command;
	return NULL;
}

void batch_usage(FILE *out)
{
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].words);
}

/* "kafops: TEXT" on standard error, printable. */
static void say(const char *text)
{
	struct strbuf safe;

	strbuf_init(&safe);
	utf8_printable(&safe, text, strlen(text), false);
	fprintf(stderr, "kafops: %s\n", safe.s);
	strbuf_fini(&safe);
}

/* ---- waiting --------------------------------------------------------------------- */

enum outcome { OUTCOME_LOADED, OUTCOME_FAILED, OUTCOME_SIGNAL };

/* What can't get better by waiting: the root of the cluster isn't there. */
static bool is_wrong_root(const struct cluster *cl, const char *zookeeper, struct err *err)
{
	if (cl->root.know == KNOW_UNREADABLE) {
		err_set(err, ERR_REFUSED, "%s: the chroot can't be looked at: %s", zookeeper, why_text(cl->root_why));
		return true;
	}
	if (cl->root.know == KNOW_ABSENT) {
		err_set(err, ERR_NOT_FOUND, "%s: %s does not exist on this ensemble. A chroot stands once, at the end, as in zk1:2181,zk2:2181/kafka",
			zookeeper, cl->root_missing ? cl->root_missing : "/");
		return true;
	}
	if (cl->loaded_once && cl->broker_ids_fact.know == KNOW_ABSENT && cl->topics_fact.know == KNOW_ABSENT) {
		err_set(err, ERR_NOT_FOUND, "%s: there is no /brokers here: not the root of a Kafka cluster. "
			"If Kafka has a chroot, put it at the end, as in zk1:2181,zk2:2181/kafka", zookeeper);
		return true;
	}
	return false;
}

static void set_timed_out(const struct cluster *cl, const char *zookeeper, dur_ms timeout, struct err *err)
{
	char within[UNITS_TEXT_MAX], tries[32] = "";
	const struct conn_info *co = &cl->conn;

	units_dur(within, timeout);
	if (timeout % 1000 != 0)
		str_printf(within, sizeof(within), "%lldms", (long long)timeout);
	if (co->tries > 0)
		str_printf(tries, sizeof(tries), " (%d %s)", co->tries, co->tries == 1 ? "try" : "tries");
	if (co->state == CONN_UP)
		err_set(err, ERR_TIMEOUT, "%s: not all was read within %s (%u of %u nodes); --timeout gives it longer",
			zookeeper, within, cl->load_done, cl->load_total);
	else if (co->error[0])
		err_set(err, ERR_TIMEOUT, "%s: no ZooKeeper session within %s: %s %s%s%s", zookeeper, within,
			co->server[0] ? co->server : "server", co->error, tries, strstr(co->error, "resolve") ? "" : "; is that ZooKeeper's client port?");
	else
		err_set(err, ERR_TIMEOUT, "%s: no ZooKeeper session within %s: no server answered", zookeeper, within);
}

/* Sleeps until something happens, at most `wait`. */
static void sleep_until(const struct session *ss, dur_ms wait)
{
	struct pollfd fds[2] = {
		{ .fd = session_fd(ss), .events = POLLIN },
		{ .fd = exit_fd(), .events = POLLIN },
	};
	dur_ms own = session_wait(ss);

	if (own >= 0 && own < wait)
		wait = own;
	/* Interrupted or not: the loop looks at everything again. */
	if (poll(fds, 2, wait > 60000 ? 60000 : (int)wait) < 0 && errno != EINTR)
		exit_die(EXIT_FAILED, "poll: %s", strerror(errno));
}

static enum outcome wait_for_load(struct session *ss, const struct options *opt, struct err *err)
{
	const struct cluster *cl = session_cluster(ss);
	mono_ms begun;

	session_tick(ss);
	begun = session_mono(ss);
	for (;;) {
		dur_ms left;

		session_tick(ss);
		while (session_drain(ss))
			if (exit_signal())
				return OUTCOME_SIGNAL;
		if (exit_signal())
			return OUTCOME_SIGNAL;
		if (is_wrong_root(cl, session_zookeeper(ss), err))
			return OUTCOME_FAILED;
		/* The session of a batch command may be closed by now: what counts is that all was read. */
		if (cl->loaded_once)
			return OUTCOME_LOADED;
		left = opt->timeout - mono_since(session_mono(ss), begun);
		if (left <= 0) {
			set_timed_out(cl, session_zookeeper(ss), opt->timeout, err);
			return OUTCOME_FAILED;
		}
		sleep_until(ss, left);
	}
}

/* ---- answering ------------------------------------------------------------------- */

struct answer {
	const struct batch_command *command;
	struct batch_job job;
	struct envelope env;
	char zookeeper[ERR_TEXT_MAX + 16];
	struct err no_topic;         /* set: no topic has a name as asked for */
};

/* The list that the command's items come from. */
static bool is_list_readable(const struct cluster *cl, const struct batch_command *command, struct err *err)
{
	bool is_brokers = command == &cmd_brokers;
	const struct fact *fa = is_brokers ? &cl->broker_ids_fact : &cl->topics_fact;
	const char *why = is_brokers ? cl->broker_ids_why : cl->topics_why;

	if (command == &cmd_info || fa->know != KNOW_UNREADABLE)
		return true;
	return err_set(err, ERR_REFUSED, "%s can't be read: %s", is_brokers ? "/brokers/ids" : "/brokers/topics", why_text(why));
}

/* Lists that items lean on but don't come from. */
static void warn_lists(struct batch_job *job)
{
	const struct cluster *cl = job->cl;

	if (cl->broker_ids_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "/brokers/ids can't be read, so whether a partition's leader is up is not known: %s", why_text(cl->broker_ids_why));
	if (cl->topics_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "/brokers/topics can't be read: %s", why_text(cl->topics_why));
	if (cl->markers_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "/admin/delete_topics can't be read: %s", why_text(cl->markers_why));
	if (cl->config_topics_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "/config/topics can't be read: %s", why_text(cl->config_topics_why));
	if (cl->conn.readonly_server)
		batch_warn(job, "the ZooKeeper server is cut off from its quorum: what it says may be old");
}

static void answer_failed(struct answer *an, const struct err *why)
{
	say(why->text);
	str_printf(an->zookeeper, sizeof(an->zookeeper), "failed: %s", why->text);
	an->env.zookeeper = an->zookeeper;
	an->env.complete = false;
	batch_warn(&an->job, "%s", why->text);
}

static void answer_make(struct answer *an)
{
	struct err err;

	err_init(&err);
	an->env.zookeeper = "live";
	if (!is_list_readable(an->job.cl, an->command, &err)) {
		answer_failed(an, &err);
		return;
	}
	warn_lists(&an->job);
	an->command->run(&an->job);
	an->env.complete = !an->job.is_undecided;
	if (batch_job_found_no_topic(&an->job, &an->no_topic))
		batch_warn(&an->job, "%s", an->no_topic.text);
}

/* Messages of the forms for people; JSON has them within. */
static void say_warnings(const struct answer *an)
{
	const struct options *opt = an->job.opt;
	size_t n = json_array_size(an->job.warnings);

	if (opt->output == OUTPUT_JSON && an->no_topic.code != ERR_NONE)
		say(an->no_topic.text);
	if (opt->output == OUTPUT_JSON || strncmp(an->env.zookeeper, "failed", 6) == 0)
		return;
	for (size_t i = 0; i < n; i++)
		say(json_string_value(json_array_get(an->job.warnings, i)));
	if (an->no_topic.code != ERR_NONE)
		return;
	if (opt->output == OUTPUT_TABLE && json_array_size(an->job.items) == 0 && an->command != &cmd_info)
		say(an->command == &cmd_brokers ? "no broker" : n > 0 ? "nothing matches for certain" : "nothing matches");
}

static int answer_print(struct answer *an)
{
	const struct options *opt = an->job.opt;
	bool is_detailed = opt->with_replicas && an->command->detail_fields;
	struct err err;

	err_init(&err);
	batch_job_end(&an->job);
	an->env.command = opt->command;
	an->env.brokers = "not asked";
	an->env.warnings = an->job.warnings;
	an->env.items = an->job.items;
	an->env.fields = is_detailed ? an->command->detail_fields : an->command->fields;
	if (!print_envelope(stdout, opt->output, &an->env,
			    is_detailed ? an->command->detail_table_fields : an->command->table_fields, &err)) {
		say(err.text);
		return EXIT_FAILED;
	}
	say_warnings(an);
	if (an->no_topic.code != ERR_NONE)
		return EXIT_FAILED;
	return an->env.complete ? EXIT_DONE : EXIT_SOME_FAILED;
}

/* `info` without a cluster, or without all that is needed to reach it: the options and settings alone. */
static int run_without_cluster(struct answer *an, wall_ms now)
{
	const struct err *why = reach_error(an->job.reach);

	an->job.cl = NULL;
	an->env.taken_at = now;
	an->env.zookeeper = "not asked";
	an->env.complete = why == NULL;
	an->command->run(&an->job);
	if (why != NULL && an->job.opt->output == OUTPUT_JSON) /* the other forms say all warnings */
		say(why->text);
	return answer_print(an);
}

static int run_with_session(struct answer *an, struct session *ss)
{
	const struct cluster *cl = session_cluster(ss);
	struct session_stats stats;
	struct err why;
	char message[ERR_TEXT_MAX];

	err_init(&why);
	switch (wait_for_load(ss, an->job.opt, &why)) {
	case OUTCOME_SIGNAL:
		return exit_status_of_signal(exit_signal());
	case OUTCOME_FAILED:
		/* What was set can be said all the same. */
		an->job.cl = NULL;
		if (an->command == &cmd_info)
			an->command->run(&an->job);
		answer_failed(an, &why);
		break;
	case OUTCOME_LOADED:
		an->job.stats = session_stats(ss, &stats) ? &stats : NULL;
		answer_make(an);
		an->env.cluster_id = cl->cluster_id;
		break;
	}
	session_tick(ss);
	an->env.taken_at = session_now(ss);
	if (session_take_message(ss, message, sizeof(message)))
		say(message);
	return answer_print(an);
}

/* ---- the command ----------------------------------------------------------------- */

static int run_command(struct answer *an, const struct options *opt)
{
	struct session *ss;
	struct err err;
	struct timespec now;
	int status;

	if ((!opt->has_zookeeper || reach_error(an->job.reach)) && an->command == &cmd_info) {
		clock_gettime(CLOCK_REALTIME, &now);
		return run_without_cluster(an, (wall_ms){ (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 });
	}
	if (!opt->has_zookeeper) {
		say("which cluster? Say --zookeeper zk1:2181,zk2:2181/kafka");
		return EXIT_USAGE;
	}
	err_init(&err);
	ss = session_new(opt, an->job.reach, &err);
	if (!ss) {
		say(err.text);
		return err.code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
	}
	an->job.cl = session_cluster(ss);
	exit_unblock();
	status = run_with_session(an, ss);
	session_free(&ss);
	return status;
}

int batch_run(const struct options *opt, const struct reach *reach)
{
	struct answer an;
	struct err err;
	int status;

	memset(&an, 0, sizeof(an));
	err_init(&err);
	an.command = command_find(opt->command);
	if (!an.command) {
		say("unknown command; see kafops --help");
		return EXIT_USAGE;
	}
	/* Before any descriptor is opened that would take its number. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
		say("standard output is closed: there is nowhere to put the answer");
		return EXIT_FAILED;
	}
	if (!batch_job_init(&an.job, opt, NULL, &err)) {
		say(err.text);
		return EXIT_USAGE;
	}
	an.job.reach = reach;
	status = run_command(&an, opt);
	batch_job_fini(&an.job);
	return status;
}
