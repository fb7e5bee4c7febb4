/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kafops delete: an item a topic that matches, with what would be done to it; with --execute it is done, through the gate. What a pattern strikes out
 * on the screen (core/choice) is refused here alike. The number of --expect-count, and of a large deletion the cluster's name, stand for what is
 * typed on the screen.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "app/appraise.h"
#include "app/exit.h"
#include "app/operate.h"
#include "app/session.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "batch/asked_before.h"
#include "batch/delete_words.h"
#include "batch/job.h"
#include "core/appraisal.h"
#include "core/choice.h"
#include "core/command.h"
#include "core/deletion.h"
#include "core/outcome.h"
#include "core/policy.h"
#include "core/record.h"
#include "view/appraisal_text.h"
#include "view/finding_text.h"

enum { LOOK_EVERY_MS = 1000, STOPPING_MS = 5000, TOPICS_WANTED_MAX = 200, NO_LIMIT = -1, APPRAISED_WITHIN_MS = 13000 };

static const char *const fields[] = {
	"topic", "action", "way", "error", "journal_id", "partitions", "replicas", "size_bytes", "findings", NULL
};
static const char *const table_fields[] = { "topic", "action", "partitions=PARTS", "replicas", "size_bytes=SIZE", "error", NULL };

/* A topic that matches. */
struct target {
	char *name;
	enum choice_why why;
	struct command_asked asked;     /* id 0: not, or it may be asked for again */
	const struct command_topic *ct; /* NULL: it is not asked for */
};

struct deleting {
	struct batch_job *job;
	struct session *ss;
	struct deletions *ds;
	struct target *targets;         /* by name; the cluster may lose them meanwhile */
	size_t n_targets;
	struct command *cm;             /* what would be asked for */
	struct appraise *asking;        /* what is asked of brokers before; NULL: nothing */
	struct findings fs;
	struct operate *op;             /* NULL: nothing is to be done */
	uint64_t id;                    /* of the journal; 0 none */
	bool is_refused;                /* all of it */
	const char *unfit;              /* the option that does not fit; static; NULL: none */
	bool is_untold;                 /* something that matters is not in the journal, or else not as it should be */
	bool is_sent;
	int signal;
};

/* ---- what would be done ---------------------------------------------------------------------------- */

/* A name that was given as it is, and no pattern. */
static bool is_literal(const struct deleting *dg, const char *name)
{
	return strcmp(dg->job->opt->topic_pattern, name) == 0;
}

static enum choice_why judge(const struct deleting *dg, const struct topic *tp)
{
	enum choice_why why = choice_may(&dg->job->opt->policy, tp, is_literal(dg, tp->name));

	return why == CHOICE_OK && tp->deleting ? CHOICE_QUEUED : why; /* by its own name, too: nothing is asked twice */
}

static void leave_asked(void *ctx, const struct command_topic *ct)
{
	struct deleting *dg = ctx;
	size_t i = 0;

	while (strcmp(dg->targets[i].name, ct->name) != 0)
		i++;
	dg->targets[i].asked = ct->asked;
}

static void choose(struct deleting *dg)
{
	const struct cluster *cl = dg->job->cl;

	dg->cm = command_new(COMMAND_DELETE_TOPICS);
	dg->cm->pattern = mem_strdup(dg->job->opt->topic_pattern);
	for (size_t i = 0; i < cl->n_topics; i++) {
		const struct topic *tp = cl->topics[i];
		enum choice_why why;

		if (!batch_wants_name(dg->job, tp))
			continue;
		why = judge(dg, tp);
		if (why == CHOICE_OK && !command_add_topic(dg->cm, cl, tp->name, is_literal(dg, tp->name)))
			continue;
		dg->targets = mem_realloc_array(dg->targets, dg->n_targets + 1, sizeof(*dg->targets));
		dg->targets[dg->n_targets++] = (struct target){ .name = mem_strdup(tp->name), .why = why };
	}
	asked_before_leave_out(dg->job, dg->cm, leave_asked, dg);
	/* The list moves while it grows. */
	for (size_t i = 0, at = 0; i < dg->n_targets; i++)
		if (dg->targets[i].why == CHOICE_OK && dg->targets[i].asked.id == 0 && at < dg->cm->n_topics)
			dg->targets[i].ct = &dg->cm->topics[at++];
}

/* Some that match may not be deleted. */
static bool is_any_struck(const struct deleting *dg)
{
	for (size_t i = 0; i < dg->n_targets; i++)
		if (dg->targets[i].asked.id != 0 || (dg->targets[i].why != CHOICE_OK && dg->targets[i].why != CHOICE_QUEUED))
			return true;
	return false;
}

static struct gate_facts facts_of(const struct deleting *dg)
{
	return (struct gate_facts){ .cl = session_cluster(dg->ss), .ds = dg->ds, .now = session_now(dg->ss) };
}

/* A table has no room for what was found of a topic: it is told beside it, the same of several topics once. */
static void tell_findings(struct deleting *dg)
{
	size_t n;
	struct finding_group *groups = finding_groups(dg->fs.v, dg->fs.n, &n);
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		if (groups[i].n_names == 0 || groups[i].first->severity == SEVERITY_INFO)
			continue;
		strbuf_clear(&text);
		finding_group_text(&groups[i], &text);
		batch_warn(dg->job, "%s: %s", severity_name(groups[i].first->severity), text.s);
	}
	strbuf_fini(&text);
	mem_free(&groups);
}

static void check(struct deleting *dg)
{
	struct gate_facts fa = facts_of(dg);

	command_check(dg->cm, fa.cl, dg->ds, &dg->job->opt->policy, appraise_now(dg->asking), fa.now, &dg->fs);
	for (size_t i = 0; i < dg->fs.n; i++)
		if (dg->fs.v[i].topic == NULL && dg->fs.v[i].severity != SEVERITY_INFO)
			batch_warn(dg->job, "%s: %s", severity_name(dg->fs.v[i].severity), dg->fs.v[i].text);
	if (dg->job->opt->output == OUTPUT_TABLE)
		tell_findings(dg);
}

/* ---- items --------------------------------------------------------------------------------------------- */

static json_t *finding_of(const char *severity, const char *kind, const char *text)
{
	json_t *v = json_object();

	json_put(v, "severity", json_text(severity));
	json_put(v, "kind", json_text(kind));
	json_put(v, "text", json_text(text));
	return v;
}

static bool has_error(const struct deleting *dg, const char *topic)
{
	for (size_t i = 0; i < dg->fs.n; i++)
		if (dg->fs.v[i].severity == SEVERITY_ERROR && dg->fs.v[i].topic != NULL && strcmp(dg->fs.v[i].topic, topic) == 0)
			return true;
	return false;
}

static const char *sent_at(const void *list, size_t i)
{
	return ((const struct gate_progress *)list)->items[i].topic;
}

/* Looked for once a turn for each of thousands of topics while they are followed. */
static const struct gate_item *sent_item(const struct gate_progress *pr, const char *topic)
{
	bool is_there;
	size_t at = names_place(pr, pr->n, sent_at, topic, &is_there);

	return is_there ? &pr->items[at] : NULL;
}

static const char *action_sent(const struct gate_item *it, const struct gate_progress *pr, const char **error)
{
	*error = it->text;
	if (it->state == GATE_OUT || it->code == OUTCOME_UNKNOWN)
		return "unknown";
	if (it->state == GATE_ANSWERED && it->code == OUTCOME_DONE) {
		*error = NULL;
		return "requested";
	}
	if (it->state == GATE_ANSWERED)
		return "failed";
	if (it->text == NULL)
		*error = pr->stopped;
	return "refused";
}

/* The action, and *error why not. */
static const char *action_of(const struct deleting *dg, const struct gate_progress *pr, const struct target *ta, const char **error)
{
	const struct gate_item *it = sent_item(pr, ta->name);

	*error = NULL;
	if (it != NULL)
		return action_sent(it, pr, error);
	if (ta->why == CHOICE_QUEUED)
		return "already-queued";
	if (ta->why != CHOICE_OK)
		*error = choice_why_word(ta->why);
	else if (ta->asked.id != 0)
		*error = "asked-before";
	else
		*error = dg->unfit;
	return ta->why != CHOICE_OK || ta->asked.id != 0 || dg->is_refused || has_error(dg, ta->name) ? "refused" : "would-delete";
}

static json_t *findings_of(const struct deleting *dg, const struct target *ta)
{
	json_t *list = json_array();
	char text[ASKED_BEFORE_MAX];

	if (ta->why == CHOICE_QUEUED)
		json_push(list, finding_of("info", "already-queued", "It is queued for deletion already. It is not asked for again."));
	else if (ta->why == CHOICE_UNREAD)
		json_push(list, finding_of("error", "unread", "ZooKeeper has not said which topic this is: try again in a moment."));
	else if (ta->why != CHOICE_OK)
		json_push(list, finding_of("error", choice_why_word(ta->why), "Never by a pattern; by its own name, where the profile allows it."));
	else if (ta->asked.id != 0)
		json_push(list, finding_of("error", "asked-before", asked_before_text(&ta->asked, dg->job->now, text)));
	/* What brokers say of all that is asked for is said of each. */
	for (size_t i = 0; i < dg->fs.n; i++)
		if (dg->fs.v[i].topic != NULL ? strcmp(dg->fs.v[i].topic, ta->name) == 0 :
						ta->ct != NULL && dg->fs.v[i].severity == SEVERITY_INFO && appraisal_text_covers(appraise_now(dg->asking), &dg->fs.v[i]))
			json_push(list, finding_of(severity_name(dg->fs.v[i].severity), dg->fs.v[i].kind, dg->fs.v[i].text));
	return list;
}

static void put_item(struct deleting *dg, const struct gate_progress *pr, const struct target *ta)
{
	const struct command_topic *ct = ta->ct;
	const char *error, *action = action_of(dg, pr, ta, &error);
	char id[RECORD_ID_MAX];
	json_t *item = json_object();

	json_put(item, "topic", json_text(ta->name));
	json_put(item, "action", json_text(action));
	json_put(item, "way", json_text("api"));
	json_put(item, "error", json_text(error));
	json_put(item, "journal_id", dg->id != 0 && ct != NULL ? json_text(record_id_text(id, dg->id)) : json_null());
	json_put(item, "partitions", batch_count(ct != NULL, ct != NULL ? ct->n_partitions : 0));
	json_put(item, "replicas", batch_count(ct != NULL, ct != NULL ? ct->n_replicas : 0));
	json_put(item, "size_bytes", batch_count(ct != NULL && ct->size_is_whole, ct != NULL ? ct->size_bytes : 0));
	json_put(item, "findings", findings_of(dg, ta));
	json_push(dg->job->items, item);
}

static struct gate_progress progress_of(const struct deleting *dg)
{
	return dg->is_sent ? gate_progress(operate_gate(dg->op)) : (struct gate_progress){ .n = 0 };
}

static void put_items(struct deleting *dg)
{
	struct gate_progress pr = progress_of(dg);

	for (size_t i = 0; i < dg->n_targets; i++)
		put_item(dg, &pr, &dg->targets[i]);
}

/* ---- turns ------------------------------------------------------------------------------------------------ */

static void on_outcome(void *ctx, const struct outcome *oc)
{
	struct deleting *dg = ctx;
	struct gate_facts fa = facts_of(dg);

	gate_outcome(operate_gate(dg->op), oc, &fa);
}

/* Sleeps until something happens, at most `most_ms` where that is not NO_LIMIT; takes what came. */
static void turn(struct deleting *dg, dur_ms most_ms)
{
	struct pollfd fds[2] = {
		{ .fd = session_fd(dg->ss), .events = POLLIN },
		{ .fd = exit_fd(), .events = POLLIN },
	};
	int wait = most_ms != NO_LIMIT && most_ms < LOOK_EVERY_MS ? (int)most_ms : LOOK_EVERY_MS;
	struct changes ch;

	/* A signal that came is in the descriptor for good: what it still waits for comes by the session. */
	if (poll(fds, dg->signal != 0 ? 1 : 2, wait > 0 ? wait : 0) < 0 && errno != EINTR)
		exit_die(EXIT_FAILED, "poll: %s", strerror(errno));
	session_tick(dg->ss);
	while (session_drain(dg->ss))
		;
	dg->signal = exit_signal();
	ch = session_changes(dg->ss);
	(void)deletions_update(dg->ds, session_cluster(dg->ss), &ch, session_mono(dg->ss), session_now(dg->ss));
	session_changes_clear(dg->ss);
}

/* Before it is only said what would be done: last writes and consumer groups, which take their time. */
static void appraise(struct deleting *dg)
{
	const struct options *opt = dg->job->opt;
	dur_ms most = opt->timeout < APPRAISED_WITHIN_MS ? opt->timeout : APPRAISED_WITHIN_MS;
	mono_ms begun = session_mono(dg->ss);

	dg->asking = appraise_new(dg->ss, dg->cm, most);
	while (!appraise_is_over(dg->asking) && dg->signal == 0) {
		turn(dg, most - mono_since(session_mono(dg->ss), begun));
		appraise_turn(dg->asking, session_mono(dg->ss));
	}
}

static void note_appraisal(struct deleting *dg)
{
	const struct appraisal *ap = appraise_now(dg->asking);
	struct strbuf text;

	if (ap == NULL)
		return;
	strbuf_init(&text);
	/* What is a warning of the command as a whole was said as such. */
	if (!appraisal_text_writes(ap, session_mono(dg->ss), &text) || ap->n_active > 0)
		batch_note(dg->job, text.s);
	strbuf_clear(&text);
	if (!appraisal_text_groups(ap, &text))
		batch_note(dg->job, text.s);
	strbuf_fini(&text);
}

/* After a signal no other group is sent, and the answer that is out is waited for a little. */
static void wait_for_answers(struct deleting *dg)
{
	mono_ms stopped = { 0 };

	while (progress_of(dg).is_running) {
		if (dg->signal != 0 && stopped.ms == 0) {
			stopped = session_mono(dg->ss);
			gate_stop(operate_gate(dg->op));
		} else if (dg->signal != 0 && mono_since(session_mono(dg->ss), stopped) > STOPPING_MS) {
			return;
		}
		turn(dg, NO_LIMIT);
	}
}

/* ---- doing it ------------------------------------------------------------------------------------------------- */

/* What stands for that which is typed. False: it does not fit. */
static bool is_expected(struct deleting *dg, const struct gate_pending *pe)
{
	const struct options *opt = dg->job->opt;
	int64_t n;

	if (!str_to_i64(opt->expect_count, 0, INT64_MAX, &n) || (uint64_t)n != dg->cm->n_topics) {
		batch_warn(dg->job, "--expect-count says %s, and %zu would be deleted: nothing was sent", opt->expect_count, dg->cm->n_topics);
		dg->unfit = "--expect-count";
		return false;
	}
	if (pe->second != NULL && (opt->expect_cluster == NULL || strcmp(opt->expect_cluster, pe->second) != 0)) {
		batch_warn(dg->job, "so large a deletion needs the cluster's name, too: --expect-cluster NAME, as line 1 of the console has it; nothing was sent");
		dg->unfit = "--expect-cluster";
		return false;
	}
	return true;
}

static bool refuse(struct deleting *dg, const char *why)
{
	batch_warn(dg->job, "%s", why);
	dg->is_refused = true;
	return false;
}

static bool send(struct deleting *dg)
{
	struct gate *gate = operate_gate(dg->op);
	struct gate_facts fa = facts_of(dg);
	struct gate_answer an = gate_submit(gate, dg->cm, NULL, &fa);
	const struct gate_pending *pe = gate_pending(gate);

	dg->id = an.id;
	if (an.verdict != GATE_CONFIRM || pe == NULL)
		return refuse(dg, an.why);
	if (!is_expected(dg, pe)) {
		gate_drop(gate);
		dg->is_refused = true;
		return false;
	}
	an = gate_confirm(gate, an.token, pe->first, pe->second, &fa);
	dg->id = an.id;
	if (an.verdict != GATE_SENT)
		return refuse(dg, an.verdict == GATE_CONFIRM ? "the facts changed meanwhile: nothing was sent" : an.why);
	dg->is_sent = true;
	dg->job->sent_id = an.id;
	return true;
}

static void execute(struct deleting *dg)
{
	char text[GATE_TEXT_MAX];
	struct err err;
	bool is_bad;

	err_init(&err);
	dg->op = operate_new(dg->job->opt, dg->ss, &err);
	if (dg->op == NULL) {
		(void)refuse(dg, err.text);
		return;
	}
	session_on_outcome(dg->ss, on_outcome, dg);
	if (send(dg))
		wait_for_answers(dg);
	if (gate_take_message(operate_gate(dg->op), text, sizeof(text), &is_bad) && is_bad) {
		batch_warn(dg->job, "%s", text);
		dg->is_untold = dg->is_sent;
	}
}

/* ---- following them ---------------------------------------------------------------------------------------------- */

static bool was_taken(const struct deleting *dg, const struct gate_progress *pr, const struct target *ta)
{
	const struct gate_item *it = sent_item(pr, ta->name);

	if (it == NULL)
		return ta->why == CHOICE_QUEUED;
	return it->state == GATE_ANSWERED && it->code == OUTCOME_DONE && dg->is_sent;
}

enum follow { FOLLOW_OPEN, FOLLOW_DONE, FOLLOW_BAD };

/* *de: what is told of it; NULL: nothing. */
static enum follow follow_one(const struct deleting *dg, const struct target *ta, const struct deletion **de)
{
	*de = deletions_find(dg->ds, ta->name);
	if (*de == NULL || (ta->ct != NULL && (*de)->czxid != 0 && (*de)->czxid != ta->ct->czxid))
		return cluster_topic_find(session_cluster(dg->ss), ta->name) == NULL ? FOLLOW_DONE : FOLLOW_OPEN;
	if (!deletion_state_is_end((*de)->state))
		return FOLLOW_OPEN;
	return (*de)->state == DELETION_DONE || (*de)->state == DELETION_RECREATED ? FOLLOW_DONE : FOLLOW_BAD;
}

static size_t count_open(struct deleting *dg)
{
	struct gate_progress pr = progress_of(dg);
	const char *wanted[TOPICS_WANTED_MAX];
	const struct deletion *de;
	size_t n = 0, open = 0;

	for (size_t i = 0; i < dg->n_targets; i++)
		if (was_taken(dg, &pr, &dg->targets[i]) && follow_one(dg, &dg->targets[i], &de) == FOLLOW_OPEN) {
			open++;
			if (n < TOPICS_WANTED_MAX)
				wanted[n++] = dg->targets[i].name;
		}
	session_want(dg->ss, wanted, n, ASK_DISKS | ASK_METADATA);
	return open;
}

/* Says of those that did not go, why, and how many went. The exit status, -1: all went. */
static int tell_rest(struct deleting *dg)
{
	struct gate_progress pr = progress_of(dg);
	struct delete_left *left = mem_array(dg->n_targets + 1, sizeof(*left));
	size_t n = 0, n_gone = 0, n_bad = 0;

	for (size_t i = 0; i < dg->n_targets; i++) {
		const struct target *ta = &dg->targets[i];
		const struct deletion *de;
		enum follow fo;
		struct strbuf why;

		if (!was_taken(dg, &pr, ta))
			continue;
		fo = follow_one(dg, ta, &de);
		n_gone += fo == FOLLOW_DONE;
		n_bad += fo == FOLLOW_BAD;
		if (fo == FOLLOW_DONE)
			continue;
		strbuf_init(&why);
		strbuf_printf(&why, "%s%s%s", de != NULL ? deletion_state_name(de->state) : "queued", de != NULL && *de->why ? ": " : "", de != NULL ? de->why : "");
		left[n++] = (struct delete_left){ .topic = ta->name, .why = strbuf_take(&why) };
	}
	delete_say_left(dg->job, left, n);
	if (n + n_gone > 0)
		delete_say_followed(dg->job, n_gone, n - n_bad, n_bad);
	for (size_t i = 0; i < n; i++)
		mem_free(&left[i].why);
	mem_free(&left);
	return n_bad > 0 ? EXIT_SOME_FAILED : n > 0 ? EXIT_IN_PROGRESS : -1;
}

static int follow(struct deleting *dg)
{
	mono_ms begun = session_mono(dg->ss);
	dur_ms limit = dg->job->opt->watch_for, left = NO_LIMIT;

	while (dg->signal == 0 && count_open(dg) > 0) {
		if (limit > 0 && (left = limit - mono_since(session_mono(dg->ss), begun)) <= 0)
			break;
		turn(dg, left);
	}
	return tell_rest(dg);
}

/* ---- all ------------------------------------------------------------------------------------------------------------ */

static int status_of(const struct deleting *dg, int followed)
{
	struct gate_progress pr = progress_of(dg);

	if (dg->signal != 0)
		return exit_status_of_signal(dg->signal);
	if (dg->is_refused || dg->fs.n_errors > 0 || (is_any_struck(dg) && dg->cm->n_topics == 0))
		return EXIT_REFUSED;
	if (pr.n > 0 && pr.n_taken == 0)
		return pr.n_refused == pr.n ? EXIT_FAILED : EXIT_SOME_FAILED;
	if (pr.n_taken < pr.n || followed == EXIT_SOME_FAILED || is_any_struck(dg) || dg->is_untold)
		return EXIT_SOME_FAILED;
	return followed >= 0 ? followed : EXIT_DONE;
}

static void end(struct deleting *dg)
{
	struct gate_facts fa = facts_of(dg);

	session_on_outcome(dg->ss, NULL, NULL);
	operate_free(&dg->op, &fa);
	appraise_free(&dg->asking);
	findings_fini(&dg->fs);
	for (size_t i = 0; i < dg->n_targets; i++)
		mem_free(&dg->targets[i].name);
	mem_free(&dg->targets);
	command_free(&dg->cm);
	deletions_free(&dg->ds);
}

static int act(struct batch_job *job, struct session *ss)
{
	struct deleting dg = { .job = job, .ss = ss, .ds = deletions_new() };
	int followed = -1, status;

	(void)deletions_update(dg.ds, job->cl, NULL, job->mono, job->now);
	session_changes_clear(ss);
	choose(&dg);
	if (dg.cm->n_topics > 0 && !job->opt->execute)
		appraise(&dg);
	if (dg.cm->n_topics > 0)
		check(&dg);
	note_appraisal(&dg);
	if (job->opt->execute && dg.cm->n_topics > 0)
		execute(&dg);
	else if (dg.fs.n_errors > 0)
		batch_warn(job, "nothing would be sent while there are errors");
	else if (!job->opt->execute && dg.cm->n_topics > 0)
		delete_say_dry_run(job, dg.cm);
	if (job->opt->execute && job->opt->wait && !dg.is_refused)
		followed = follow(&dg);
	put_items(&dg);
	status = status_of(&dg, followed);
	end(&dg);
	return status;
}

/* The items need the session: see act. */
static void run(struct batch_job *job)
{
	(void)job;
}

const struct batch_command cmd_delete = {
	.list = BATCH_TOPICS, .fields = fields, .table_fields = table_fields, .asks = ASK_METADATA | ASK_DISKS | ASK_SETTINGS | ASK_REASSIGNING,
	.needs_zookeeper = true, .remembers = true, .run = run, .act = act,
};
