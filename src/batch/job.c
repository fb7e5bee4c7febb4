/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/job.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "batch/word.h"
#include "core/health.h"
#include "core/pattern.h"
#include "view/topic_facts.h"

/* ---- what was asked for --------------------------------------------------------- */

/* Kafka's tool takes one of these at a time, and so do we: together they could mean "or" as well as "and". */
static bool only_one_filter(const struct options *opt, struct err *err)
{
	int n = opt->under_replicated + opt->unavailable + opt->under_min_isr + opt->at_min_isr + opt->with_overrides;

	if (n > 1)
		return err_set(err, ERR_USAGE, "one filter at a time: --under-replicated-partitions, --unavailable-partitions, "
			"--under-min-isr-partitions, --at-min-isr-partitions or --topics-with-overrides");
	return true;
}

static bool check_delete(const struct options *opt, struct err *err)
{
	int64_t n;

	if (!opt->topic_pattern)
		return err_set(err, ERR_USAGE, "delete which topics? Say --topic PATTERN");
	if (opt->execute && !opt->expect_count)
		return err_set(err, ERR_USAGE, "--execute needs --expect-count N, the number of topics that would be deleted: see what delete says without --execute");
	if (opt->expect_count && !str_to_i64(opt->expect_count, 0, INT64_MAX, &n))
		return err_set(err, ERR_USAGE, "--expect-count %.40s is no number of topics", opt->expect_count);
	if (opt->wait && !opt->execute)
		return err_set(err, ERR_USAGE, "--wait follows what --execute began");
	return true;
}

bool batch_job_init(struct batch_job *job, const struct options *opt, const struct cluster *cl, struct err *err)
{
	memset(job, 0, sizeof(*job));
	job->opt = opt;
	job->cl = cl;
	if (!only_one_filter(opt, err))
		return false;
	if (opt->command && strcmp(opt->command, "delete") == 0 && !check_delete(opt, err))
		return false;
	if (opt->command && strcmp(opt->command, "dirs") == 0 && opt->topic_pattern && !opt->with_replicas)
		return err_set(err, ERR_USAGE, "a log dir belongs to no topic: dirs --topic needs --replicas");
	if (opt->topic_pattern && !(job->pattern = pattern_new(opt->topic_pattern, err)))
		return err_wrap(err, "--topic");
	job->items = json_array();
	job->warnings = json_array();
	job->notes = json_array();
	return true;
}

void batch_job_fini(struct batch_job *job)
{
	pattern_free(&job->pattern);
	json_decref(job->items);
	json_decref(job->warnings);
	json_decref(job->notes);
	memset(job, 0, sizeof(*job));
}

bool batch_wants_text(struct batch_job *job, const char *name, bool is_internal)
{
	bool is_excluded = job->opt->exclude_internal && is_internal;
	struct err err;

	if (!job->pattern)
		return !is_excluded;
	err_init(&err);
	switch (pattern_test(job->pattern, name, &err)) {
	case PATTERN_YES:
		job->has_match = true;
		return !is_excluded;
	case PATTERN_GAVE_UP:
		job->has_match |= is_excluded; /* for all we know */
		if (is_excluded)
			return false;
		job->is_undecided = true;
		batch_warn(job, "--topic: whether %s matches could not be decided: %s", name, err.text);
		return false;
	case PATTERN_NO:
		break;
	}
	return false;
}

bool batch_wants_name(struct batch_job *job, const struct topic *tp)
{
	return batch_wants_text(job, tp->name, tp->internal);
}

bool batch_job_found_no_topic(const struct batch_job *job, struct err *err)
{
	if (!job->pattern || job->has_match || job->is_undecided)
		return false;
	err_set(err, ERR_NOT_FOUND, "no topic matches %s", job->opt->topic_pattern);
	return true;
}

static enum verdict wants_overrides(const struct topic *tp)
{
	if (tp->config_fact.know != KNOW_PRESENT && tp->config_fact.know != KNOW_ABSENT)
		return VERDICT_UNDECIDED;
	return tp->config.n > 0 ? VERDICT_YES : VERDICT_NO;
}

/* The verdict that the report filter asks for, 0 when there is none. */
static unsigned wanted_flag(const struct options *opt)
{
	return opt->under_replicated ? PT_UNDER : opt->unavailable ? PT_OFFLINE :
	       opt->under_min_isr ? PT_UNDER_MIN : opt->at_min_isr ? PT_AT_MIN : 0;
}

enum verdict batch_wants_partition(const struct batch_job *job, const struct topic *tp, const struct partition *pt)
{
	const struct options *opt = job->opt;
	unsigned flag = wanted_flag(opt);

	if (flag)
		return health_verdict(pt, flag);
	return opt->with_overrides ? wants_overrides(tp) : VERDICT_YES;
}

enum verdict batch_wants_topic(const struct batch_job *job, const struct topic *tp)
{
	enum verdict worst = VERDICT_NO;

	if (job->opt->with_overrides)
		return wants_overrides(tp);
	if (!wanted_flag(job->opt))
		return VERDICT_YES;
	if (!topic_is_read(tp))
		return VERDICT_UNDECIDED;
	for (size_t i = 0; i < tp->n_parts && worst != VERDICT_YES; i++) {
		enum verdict ve = batch_wants_partition(job, tp, &tp->parts[i]);

		worst = ve == VERDICT_NO ? worst : ve;
	}
	return worst;
}

/* ---- warnings -------------------------------------------------------------------- */

void batch_warn(struct batch_job *job, const char *fmt, ...)
{
	struct strbuf text, safe;
	va_list ap;

	if (job->n_warned++ >= BATCH_WARNINGS_MAX)
		return;
	strbuf_init(&text);
	strbuf_init(&safe);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	utf8_printable(&safe, text.s, text.len, false);
	json_push(job->warnings, json_text(safe.s));
	strbuf_fini(&safe);
	strbuf_fini(&text);
}

void batch_note(struct batch_job *job, const char *text)
{
	struct strbuf safe;

	strbuf_init(&safe);
	utf8_printable(&safe, text, strlen(text), false);
	json_push(job->notes, json_text(safe.s));
	strbuf_fini(&safe);
}

void batch_fail(struct batch_job *job, const char *text)
{
	batch_warn(job, "%s", text);
	job->has_failed = true;
}

static void warn_left_out(struct batch_job *job, size_t partitions, size_t topics, const char *why)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], text[256];

	if (topics == 0)
		return;
	str_printf(text, sizeof(text), "%s partition%s of %s topic%s left out: %s", units_count(a, (int64_t)partitions),
		   partitions == 1 ? "" : "s", units_count(b, (int64_t)topics), topics == 1 ? "" : "s", why);
	json_push(job->warnings, json_text(text));
}

void batch_job_end(struct batch_job *job)
{
	size_t more = job->n_warned > BATCH_WARNINGS_MAX ? job->n_warned - BATCH_WARNINGS_MAX : 0;
	char text[64];

	warn_left_out(job, job->no_brokers.partitions, job->no_brokers.topics,
		      "whether their leaders are up is not known, for want of the list of brokers");
	warn_left_out(job, job->no_min.partitions, job->no_min.topics,
		      batch_brokers_were_asked(job) ? "no override of min.insync.replicas there, and what is set on their leaders is not known"
						    : "no override of min.insync.replicas there, and the brokers' default is not in ZooKeeper");
	if (more == 0)
		return;
	str_printf(text, sizeof(text), "and %zu more warnings", more);
	json_push(job->warnings, json_text(text));
}

void batch_undecided(struct batch_job *job, const struct topic *tp, size_t n)
{
	unsigned doubts = tp->node.know == KNOW_PRESENT ? health_doubts(wanted_flag(job->opt)) : 0;

	job->is_undecided = true;
	if (((doubts & PT_MIN_UNKNOWN) && topic_count(&tp->counts, PT_MIN_UNKNOWN) > 0) ||
	    ((doubts & PT_AT_MIN_OPEN) && topic_count(&tp->counts, PT_AT_MIN_OPEN) > 0)) {
		job->no_min.topics++;
		job->no_min.partitions += n;
	} else if ((doubts & PT_ALIVE_UNKNOWN) && topic_count(&tp->counts, PT_ALIVE_UNKNOWN) > 0) {
		job->no_brokers.topics++;
		job->no_brokers.partitions += n;
	} else if (job->opt->with_overrides) {
		batch_warn(job, "%s: left out: its overrides are not known", tp->name);
	} else if (tp->node.know == KNOW_PRESENT) {
		batch_warn(job, "%s: %zu partition%s left out: the state is not known", tp->name, n, n == 1 ? "" : "s");
	} else {
		batch_warn(job, "%s: left out: its partitions are not known", tp->name);
	}
}

void batch_warn_unreadable(struct batch_job *job, const struct topic *tp)
{
	if (tp->node.know == KNOW_UNREADABLE)
		batch_warn(job, "%s: the topic's node can't be read: %s", tp->name, why_text(tp->why));
	else if (tp->node.know == KNOW_UNKNOWN)
		batch_warn(job, "%s: the topic's node was not read", tp->name);
	if (tp->config_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "%s: its overrides can't be read: %s", tp->name, why_text(tp->config_why));
	if (topic_count(&tp->counts, PT_UNREADABLE) == 0)
		return;
	for (size_t i = 0; i < tp->n_parts; i++)
		if (tp->parts[i].flags & PT_UNREADABLE)
			batch_warn(job, "%s partition %d: the state can't be read: %s", tp->name, tp->parts[i].id,
				   why_text(tp->parts[i].why));
}

/* ---- values ---------------------------------------------------------------------- */

json_t *batch_time(wall_ms at)
{
	char text[UNITS_TEXT_MAX];

	return at.ms ? json_text(units_rfc3339(text, at)) : json_null();
}

json_t *batch_bool(bool is_known, bool value)
{
	return is_known ? json_boolean(value) : json_null();
}

json_t *batch_count(bool is_known, int64_t n)
{
	return is_known ? json_integer(n) : json_null();
}

json_t *batch_ids(const int32_t *ids, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_push(list, json_integer(ids[i]));
	return list;
}

json_t *batch_settings(const struct zk_config *config)
{
	json_t *settings = json_object();

	for (size_t i = 0; i < config->n; i++)
		json_put(settings, config->v[i].key, json_text(config->v[i].value));
	return settings;
}
