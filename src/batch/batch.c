/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command from start to end: open a session, wait until all is read (or
 * it is plain that it won't be), make the items, print them. No screen, one poll.
 */
#include "batch/batch.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/reach.h"
#include "app/session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "batch/asking.h"
#include "batch/job.h"
#include "batch/print.h"
#include "batch/watch.h"
#include "core/record.h"

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

/* ---- answering ------------------------------------------------------------------- */

struct answer {
	const struct batch_command *command;
	struct batch_job job;
	struct reach *reach;
	struct envelope env;
	struct asking asking;
	bool is_made;                /* there are items, or it is known that there are none */
	struct err no_topic;         /* set: no topic has a name as asked for */
	int acted;                   /* the exit status of a command that changes the cluster; -1: it is none */
};

/* The list that the command's items come from. */
static bool is_list_readable(const struct cluster *cl, const struct batch_command *command, struct err *err)
{
	bool is_brokers = command->list == BATCH_BROKERS;
	const struct fact *fa = is_brokers ? &cl->broker_ids_fact : &cl->topics_fact;
	const char *why = is_brokers ? cl->broker_ids_why : cl->topics_why;

	if (command->list == BATCH_NO_LIST || fa->know != KNOW_UNREADABLE)
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

/* A source was asked and has not said all. */
static void answer_failed(struct answer *an, struct asked *source, const struct err *why)
{
	asked_fail(source, why);
	an->env.complete = false;
	batch_warn(&an->job, "%s", why->text);
}

static void answer_make(struct answer *an, struct session *ss)
{
	struct err err;

	err_init(&err);
	an->env.complete = !asking_warn(&an->asking, &an->job);
	if (!is_list_readable(an->job.cl, an->command, &err)) {
		answer_failed(an, &an->asking.zookeeper, &err);
		return;
	}
	an->is_made = true;
	warn_lists(&an->job);
	if (an->command->act != NULL)
		an->acted = an->command->act(&an->job, ss);
	else
		an->command->run(&an->job);
	an->env.complete &= !an->job.is_undecided;
	if (batch_job_found_no_topic(&an->job, &an->no_topic))
		batch_warn(&an->job, "%s", an->no_topic.text);
}

/* Why there is no answer. */
static void say_failed(const struct answer *an)
{
	const struct asking *as = &an->asking;
	char text[ERR_TEXT_MAX + 32];

	if (as->zookeeper.has_failed)
		say(asked_reason(&as->zookeeper));
	if (as->brokers.has_failed && str_printf(text, sizeof(text), "brokers: %s", asked_reason(&as->brokers)))
		say(text);
}

/* Messages of the forms for people; JSON has them within. */
static void say_warnings(const struct answer *an)
{
	const struct options *opt = an->job.opt;
	size_t n = json_array_size(an->job.warnings);

	if (opt->output == OUTPUT_JSON && an->no_topic.code != ERR_NONE)
		say(an->no_topic.text);
	if (opt->output == OUTPUT_JSON && !asking_has_answer(&an->asking))
		say_failed(an);
	if (opt->output == OUTPUT_JSON)
		return;
	for (size_t i = 0; i < n; i++)
		say(json_string_value(json_array_get(an->job.warnings, i)));
	for (size_t i = 0; i < json_array_size(an->job.notes); i++)
		say(json_string_value(json_array_get(an->job.notes, i)));
	if (an->no_topic.code != ERR_NONE || !an->is_made || (an->command->needs_zookeeper && an->asking.zookeeper.has_failed))
		return;
	if (opt->output == OUTPUT_TABLE && json_array_size(an->job.items) == 0 && an->command != &cmd_info && !an->job.has_failed)
		say(an->command->nothing ? an->command->nothing : n > 0 ? "nothing matches for certain" : "nothing matches");
}

static bool is_detailed(const struct answer *an)
{
	return an->job.opt->with_replicas && an->command->detail_fields;
}

/* The envelope is whole. */
static void answer_end(struct answer *an)
{
	const struct options *opt = an->job.opt;

	batch_job_end(&an->job);
	an->env.command = opt->command;
	an->env.zookeeper = an->asking.zookeeper.text;
	an->env.brokers = an->asking.brokers.text;
	an->env.warnings = an->job.warnings;
	an->env.items = an->job.items;
	an->env.fields = is_detailed(an) ? an->command->detail_fields : an->command->fields;
}

/* There is no answer to read it in. */
static void say_sent(const struct answer *an)
{
	char id[RECORD_ID_MAX], text[128 + RECORD_ID_MAX];

	if (an->job.sent_id == 0)
		return;
	if (str_printf(text, sizeof(text), "the request was sent; what came of it stands in the journal (kafops journal) under %s", record_id_text(id, an->job.sent_id)))
		say(text);
}

static int answer_print(struct answer *an)
{
	const struct options *opt = an->job.opt;
	struct err err;

	err_init(&err);
	answer_end(an);
	if (!print_envelope(stdout, opt->output, &an->env,
			    is_detailed(an) ? an->command->detail_table_fields : an->command->table_fields, &err)) {
		say(err.text);
		say_sent(an);
		return an->job.sent_id != 0 ? EXIT_SOME_FAILED : EXIT_FAILED;
	}
	say_warnings(an);
	if (an->no_topic.code != ERR_NONE || an->job.has_failed)
		return EXIT_FAILED;
	/* What was done was done, whoever was silent. */
	if (an->acted > EXIT_DONE || (an->acted == EXIT_DONE && opt->execute))
		return an->acted;
	return an->env.complete ? EXIT_DONE : EXIT_SOME_FAILED;
}

/* The answer as the first line, and then what changes. */
static int answer_watch(struct answer *an, struct session *ss)
{
	struct err err;
	int status;

	err_init(&err);
	answer_end(an);
	status = watch_run(&an->job, ss, &an->env, &err);
	if (err.code != ERR_NONE)
		say(err.text);
	return status;
}

/* `info` without a cluster, or without all that is needed to reach it: the options and settings alone. And what tells of this machine. */
static int run_without_cluster(struct answer *an, wall_ms now)
{
	const struct err *why = an->command->is_local ? NULL : reach_error(an->reach);

	an->job.cl = NULL;
	an->env.taken_at = now;
	asking_nobody(&an->asking);
	an->is_made = true;
	an->command->run(&an->job);
	an->env.complete = why == NULL && !an->job.has_failed;
	if (why != NULL && an->job.opt->output == OUTPUT_JSON) /* the other forms say all warnings */
		say(why->text);
	return answer_print(an);
}

static int run_with_session(struct answer *an, struct session *ss)
{
	const struct cluster *cl = session_cluster(ss);
	struct session_stats stats;
	char message[ERR_TEXT_MAX];

	asking_wait(&an->asking, ss, an->job.opt);
	if (an->asking.signal != 0)
		return exit_status_of_signal(an->asking.signal);
	session_tick(ss);
	an->job.mono = session_mono(ss);
	an->job.now = session_now(ss);
	an->job.links = an->asking.brokers.is_asked ? cl : NULL;
	if (asking_has_answer(&an->asking)) {
		an->job.stats = session_stats(ss, &stats) ? &stats : NULL;
		answer_make(an, ss);
		an->env.cluster_id = cl->cluster_id;
	} else {
		an->env.complete = !asking_warn(&an->asking, &an->job);
		/* What was set can be said all the same. */
		an->job.cl = NULL;
		if (an->command == &cmd_info)
			an->command->run(&an->job);
	}
	an->env.taken_at = an->job.now;
	if (session_take_message(ss, message, sizeof(message)))
		say(message);
	return an->job.opt->watch && an->is_made ? answer_watch(an, ss) : answer_print(an);
}

/* ---- the command ----------------------------------------------------------------- */

static int run_command(struct answer *an, const struct options *opt)
{
	struct session *ss;
	struct err err;
	struct timespec now;
	int status;

	/* A file of settings may be looked at without a cluster. */
	if (an->command->is_local ||
	    (an->command == &cmd_info && (reach_error(an->reach) || (!opt->has_zookeeper && !opt->value[OPT_BOOTSTRAP_SERVER])))) {
		clock_gettime(CLOCK_REALTIME, &now);
		return run_without_cluster(an, (wall_ms){ (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 });
	}
	err_init(&err);
	if (!asking_init(&an->asking, opt, an->reach, an->command, &err)) {
		say(err.text);
		return EXIT_USAGE;
	}
	ss = session_new(opt, an->reach, an->asking.ask, &err);
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

bool batch_does_without_reach(const char *command)
{
	const struct batch_command *bc = command_find(command);

	return bc && (bc == &cmd_info || bc->is_local);
}

int batch_run(const struct options *opt, struct reach *reach)
{
	struct answer an;
	struct err err;
	int status;

	memset(&an, 0, sizeof(an));
	an.acted = -1;
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
	if (opt->execute && !print_can(STDOUT_FILENO, &err)) {
		err_wrap(&err, "nothing was sent");
		say(err.text);
		return EXIT_FAILED;
	}
	if (!batch_job_init(&an.job, opt, NULL, &err)) {
		say(err.text);
		return EXIT_USAGE;
	}
	an.job.command = an.command;
	an.job.reach = an.reach = reach;
	status = run_command(&an, opt);
	batch_job_fini(&an.job);
	return status;
}
