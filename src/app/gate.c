/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate, step by step: known, allowed, checked, confirmed, checked again, journaled, sent, outcome. Of app only this file knows the write port.
 */
#include "app/gate.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/gate_parts.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/outcome.h"
#include "core/policy.h"
#include "core/port_write.h"
#include "core/record.h"

enum { GATE_MAGIC = 0x67617465 };

/* ---- life ------------------------------------------------------------------------------------------- */

struct gate *gate_new(const struct gate_options *opt)
{
	struct gate *g = mem_zalloc(sizeof(*g));

	g->magic = GATE_MAGIC;
	g->opt = *opt;
	g->last_token = opt->seed;
	strbuf_init(&g->wait.effect);
	strbuf_init(&g->wait.difference);
	return g;
}

void gate_drop(struct gate *g)
{
	struct waiting *wa = &g->wait;

	appraisal_fini(&wa->ap);
	command_free(&wa->cm);
	mem_free(&wa->first);
	mem_free(&wa->second);
	strbuf_clear(&wa->effect);
	strbuf_clear(&wa->difference);
	wa->is_appraised = false;
	wa->token = 0;
}

static bool tell_journal(struct gate *g, int32_t broker, const struct gate_facts *fa);

void gate_free(struct gate **pp, const struct gate_facts *fa)
{
	struct gate *g = *pp;

	if (g == NULL)
		return;
	assert(g->magic == GATE_MAGIC);
	if (g->run.is_running) {
		run_stop(&g->run, "the program ended");
		run_leave_rest(&g->run);
		tell_journal(g, BROKER_NONE, fa);
	}
	gate_drop(g);
	strbuf_fini(&g->wait.effect);
	strbuf_fini(&g->wait.difference);
	run_fini(&g->run);
	findings_fini(&g->findings);
	g->magic = 0;
	mem_free(pp);
}

/* ---- messages and refusals ---------------------------------------------------------------------------- */

static void say(struct gate *g, bool is_bad, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void say(struct gate *g, bool is_bad, const char *fmt, ...)
{
	size_t len = strlen(g->message);
	va_list ap;

	if (len > 0 && len + 3 < sizeof(g->message)) {
		memcpy(g->message + len, "; ", 3);
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(g->message + len, sizeof(g->message) - len, fmt, ap);
	va_end(ap);
	g->is_bad |= is_bad;
	log_put(is_bad ? LOG_ERROR : LOG_INFO, "gate", "%s", g->message);
}

bool gate_take_message(struct gate *g, char *out, size_t size, bool *is_bad)
{
	if (g->message[0] == '\0')
		return false;
	str_printf(out, size, "%s", g->message);
	*is_bad = g->is_bad;
	g->message[0] = '\0';
	g->is_bad = false;
	return true;
}

/* Written down, whatever comes of that: a refusal stands. */
static struct gate_answer refuse(struct gate *g, const struct command *cm, const struct findings *fs, const struct gate_facts *fa, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
static struct gate_answer refuse(struct gate *g, const struct command *cm, const struct findings *fs, const struct gate_facts *fa, const char *fmt, ...)
{
	struct gate_answer an = { .verdict = GATE_REFUSED, .id = gate_new_id(g, fa->now) };
	struct record *re = gate_record(g, RECORD_REFUSED, an.id, cm, fa);
	struct err err;
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(an.why, sizeof(an.why), fmt, ap);
	va_end(ap);
	re->text = mem_strdup(an.why);
	gate_record_topics(re, cm);
	if (fs != NULL)
		gate_record_findings(re, fs);
	err_init(&err);
	if (!gate_write(g, re, &err)) {
		len = strlen(an.why);
		an.id = 0;
		snprintf(an.why + len, sizeof(an.why) - len, " (not in the journal: %s)", err.text);
		log_put(LOG_ERROR, "gate", "%s", an.why);
	}
	return an;
}

/* ---- allowed, checked ------------------------------------------------------------------------------------ */

bool gate_can(const struct gate *g, enum command_kind kind)
{
	return command_danger(kind) == DANGER_LOOK || (g->opt.port != NULL && g->opt.policy->operate);
}

static void check(struct gate *g, const struct command *cm, const struct appraisal *ap, const struct gate_facts *fa)
{
	findings_fini(&g->findings);
	command_check(cm, fa->cl, fa->ds, g->opt.policy, ap, fa->now, &g->findings);
}

/* True: nothing stands against it. */
static bool pass(struct gate *g, struct command *cm, const struct appraisal *ap, const struct gate_facts *fa, struct gate_answer *out)
{
	const struct findings *fs = &g->findings;
	struct err err;
	bool is_open;

	err_init(&err);
	if (!gate_can(g, cm->kind)) {
		*out = refuse(g, cm, NULL, fa, "read-only: start with --operate");
		return false;
	}
	if (g->run.is_running) {
		*out = refuse(g, cm, NULL, fa, "another command is being carried out (%s, %zu of %zu answered): wait for its end, or stop it",
			      command_name(g->run.cm->kind), run_count(&g->run, GATE_ANSWERED), g->run.n);
		return false;
	}
	is_open = gate_look_back(g, cm, fa, &err);
	check(g, cm, ap, fa);
	if (fs->n_errors > 0) {
		*out = refuse(g, cm, fs, fa, "%.100s%s%.300s%s", fs->v[0].topic != NULL ? fs->v[0].topic : "", fs->v[0].topic != NULL ? ": " : "",
			      fs->v[0].text, fs->n_errors > 1 ? " And more." : "");
		return false;
	}
	if (!is_open) {
		*out = refuse(g, cm, fs, fa, "%s", err.code != ERR_NONE ? err.text : "the journal can't be read");
		return false;
	}
	return true;
}

/* ---- to be confirmed ----------------------------------------------------------------------------------------- */

static struct gate_answer wait_for(struct gate *g, const struct gate_facts *fa)
{
	struct waiting *wa = &g->wait;

	mem_free(&wa->first);
	mem_free(&wa->second);
	strbuf_clear(&wa->effect);
	command_describe(wa->cm, &wa->effect);
	command_to_type(wa->cm, fa->cl, g->opt.policy, &wa->first, &wa->second);
	/* Bound to the command and to what the check saw; never the same twice. */
	do
		g->last_token = g->last_token * 6364136223846793005u + (g->findings.digest | 1);
	while (g->last_token == 0);
	wa->token = g->last_token;
	wa->shown = (struct gate_pending){
		.cm = wa->cm, .findings = &g->findings, .effect = wa->effect.s, .confirm = command_confirm(wa->cm->kind), .first = wa->first, .second = wa->second,
		.difference = wa->difference.len > 0 ? wa->difference.s : NULL, .token = wa->token,
	};
	return (struct gate_answer){ .verdict = GATE_CONFIRM, .token = wa->token };
}

struct gate_answer gate_submit(struct gate *g, const struct command *cm, const struct appraisal *ap, const struct gate_facts *fa)
{
	struct waiting *wa = &g->wait;
	struct gate_answer an;

	assert(g->magic == GATE_MAGIC && cm->kind < COMMAND_KINDS);
	gate_drop(g);
	wa->cm = command_copy(cm);
	if (!pass(g, wa->cm, ap, fa, &an)) {
		gate_drop(g);
		return an;
	}
	wa->is_appraised = ap != NULL;
	if (ap != NULL)
		appraisal_copy(ap, &wa->ap);
	return wait_for(g, fa);
}

const struct gate_pending *gate_pending(const struct gate *g)
{
	return g->wait.cm != NULL ? &g->wait.shown : NULL;
}

const struct findings *gate_findings(const struct gate *g)
{
	return &g->findings;
}

/* ---- checked again ----------------------------------------------------------------------------------------------- */

/* The cluster may have become smaller, or its id known, without anything that was found being another thing. */
static bool types_the_same(const struct gate *g, const struct gate_facts *fa)
{
	char *first, *second;
	bool same;

	command_to_type(g->wait.cm, fa->cl, g->opt.policy, &first, &second);
	same = str_same(first, g->wait.first) && str_same(second, g->wait.second);
	mem_free(&first);
	mem_free(&second);
	return same;
}

/* True: what was shown still holds. False: *out says what now. */
static bool still_holds(struct gate *g, const struct gate_facts *fa, struct gate_answer *out)
{
	struct waiting *wa = &g->wait;
	struct findings before = g->findings;
	bool holds;

	g->findings = (struct findings){ .n = 0 };
	strbuf_clear(&wa->difference);
	holds = pass(g, wa->cm, wa->is_appraised ? &wa->ap : NULL, fa, out);
	if (!holds) {
		gate_drop(g);
	} else if (findings_differ(&before, &g->findings, &wa->difference) || !types_the_same(g, fa)) {
		holds = false;
		if (wa->difference.len == 0)
			strbuf_put(&wa->difference, "what has to be typed is another thing");
		*out = wait_for(g, fa);
	}
	wa->shown.difference = wa->difference.len > 0 ? wa->difference.s : NULL;
	findings_fini(&before);
	return holds;
}

static bool is_typed(const char *expected, const char *typed)
{
	return expected == NULL ? typed == NULL || *typed == '\0' : typed != NULL && strcmp(expected, typed) == 0;
}

/* ---- sent ------------------------------------------------------------------------------------------------------------ */

/* Marks the first `max` that wait as out, and gives their names. */
static size_t take_out(struct run *ru, size_t max, const char **names)
{
	size_t n = 0;

	for (size_t i = 0; i < ru->n && n < max; i++)
		if (ru->items[i].state == GATE_WAITS) {
			ru->items[i].state = GATE_OUT;
			names[n++] = ru->items[i].topic;
		}
	return n;
}

static bool hand_over(struct gate *g, const char *const *names, size_t n, struct err *err)
{
	const struct port_write *port = g->opt.port;
	const struct command *cm = g->run.cm;

	switch (cm->kind) {
	case COMMAND_DELETE_TOPICS:
		return port->delete_topics(port->ctx, g->run.id, names, n, GATE_TIMEOUT_MS, err);
	case COMMAND_MARK_TOPICS:
		return port->create_marker(port->ctx, g->run.id, names[0], err);
	case COMMAND_MOVE_CONTROLLER:
		return port->move_controller(port->ctx, g->run.id, cm->controller_czxid, err);
	case COMMAND_KINDS:
		break;
	}
	return err_set(err, ERR_UNSUPPORTED, "no such command");
}

static size_t group_of(const struct gate *g)
{
	size_t group = g->opt.policy->group_topics;

	return g->run.cm->kind == COMMAND_DELETE_TOPICS && group > 1 ? group : 1;
}

/* The next request. False: there is none, or it can't be handed over and all of it is settled. */
static bool send_group(struct gate *g, size_t max)
{
	size_t n;
	const char **names = mem_array(max, sizeof(*names));
	char text[GATE_TEXT_MAX];
	struct err err;
	bool ok;

	err_init(&err);
	n = take_out(&g->run, max, names);
	ok = n > 0 && hand_over(g, names, n, &err);
	mem_free(&names);
	if (ok)
		g->run.n_sent += n;
	if (ok || n == 0)
		return ok;
	str_printf(text, sizeof(text), "nothing was sent: %s", err.text);
	for (size_t i = 0; i < g->run.n; i++)
		if (g->run.items[i].state == GATE_OUT)
			run_settle(&g->run.items[i], GATE_NOT_SENT, OUTCOME_REFUSED, 0, text);
	run_stop(&g->run, "%s", err.text);
	return false;
}

/* What is settled and not in the journal yet goes there. It was sent: the operator must know that this is missing. */
static bool tell_journal(struct gate *g, int32_t broker, const struct gate_facts *fa)
{
	struct record *re = run_untold(g, broker, fa);
	char id[RECORD_ID_MAX];
	struct err err;

	err_init(&err);
	if (re == NULL || gate_write(g, re, &err))
		return true;
	say(g, true, "%s (%s) %s, and what came of it is not in the journal: %s", command_name(g->run.cm->kind), record_id_text(id, g->run.id),
	    g->run.n_sent > 0 ? "WAS SENT" : "was not sent", err.text);
	run_stop(&g->run, "the journal can't be written");
	return false;
}

static const char *first_text(const struct run *ru, int code)
{
	for (size_t i = 0; i < ru->n; i++)
		if (ru->items[i].code == code && ru->items[i].state != GATE_WAITS && ru->items[i].state != GATE_OUT && ru->items[i].text != NULL)
			return ru->items[i].text;
	return "";
}

static void say_end(struct gate *g)
{
	struct gate_progress pr = gate_progress(g);
	struct strbuf out;

	strbuf_init(&out);
	if (pr.kind == COMMAND_MOVE_CONTROLLER)
		strbuf_printf(&out, "%s", pr.n_taken ? "/controller was deleted: another broker is being elected" : pr.n_unknown ? "it is not known whether /controller was deleted" : "the controller was left as it is");
	else if (pr.n_taken > 0 || pr.n_refused + pr.n_unknown == 0)
		strbuf_printf(&out, "%zu topic%s %s queued for deletion", pr.n_taken, pr.n_taken == 1 ? "" : "s", pr.n_taken == 1 ? "is" : "are");
	if (pr.n_refused > 0)
		strbuf_printf(&out, "%s%zu refused or not sent: %.200s", out.len > 0 ? "; " : "", pr.n_refused, first_text(&g->run, OUTCOME_REFUSED));
	if (pr.n_unknown > 0)
		strbuf_printf(&out, "%sOUTCOME UNKNOWN of %zu: they may be queued by now; see the deletions before asking again", out.len > 0 ? "; " : "", pr.n_unknown);
	say(g, pr.n_refused + pr.n_unknown > 0, "%s", out.s);
	strbuf_fini(&out);
}

/* After something was settled: writes that down, then sends what comes next, or ends it. */
static void go_on(struct gate *g, int32_t broker, const struct gate_facts *fa, bool is_first)
{
	struct run *ru = &g->run;

	tell_journal(g, broker, fa);
	while (!ru->is_stopping && run_count(ru, GATE_WAITS) > 0) {
		size_t n = is_first ? group_of(g) : run_look_again(g, group_of(g), fa);

		if (n > 0 && !ru->is_stopping && send_group(g, n))
			return;
	}
	if (ru->is_stopping)
		run_leave_rest(ru);
	tell_journal(g, BROKER_NONE, fa);
	ru->is_running = false;
	say_end(g);
}

/* The intent is on the disk before anything leaves. */
static bool write_intent(struct gate *g, uint64_t id, const struct gate_facts *fa, struct err *err)
{
	struct record *re;

	run_begin(&g->run, id, g->wait.cm, &g->findings);
	re = gate_record(g, RECORD_INTENT, id, g->run.cm, fa);
	gate_record_topics(re, g->run.cm);
	gate_record_findings(re, &g->findings);
	if (gate_write(g, re, err))
		return true;
	run_fini(&g->run);
	return false;
}

static struct gate_answer send(struct gate *g, const struct gate_facts *fa)
{
	struct gate_answer an = { .verdict = GATE_SENT, .id = gate_new_id(g, fa->now) };
	struct err err;

	err_init(&err);
	if (!write_intent(g, an.id, fa, &err)) {
		an.verdict = GATE_REFUSED;
		an.id = 0;
		str_printf(an.why, sizeof(an.why), "nothing was sent, for it could not be written down: %s", err.text);
		log_put(LOG_ERROR, "gate", "%s", an.why);
	} else {
		go_on(g, BROKER_NONE, fa, true);
		if (!g->run.is_running) {
			an.verdict = GATE_REFUSED;
			str_printf(an.why, sizeof(an.why), "nothing was sent: %s", g->run.stopped);
			g->message[0] = '\0'; /* that it ended is the answer */
			g->is_bad = false;
		}
	}
	gate_drop(g);
	return an;
}

struct gate_answer gate_confirm(struct gate *g, uint64_t token, const char *first, const char *second, const struct gate_facts *fa)
{
	struct waiting *wa = &g->wait;
	struct gate_answer an = { .verdict = GATE_REFUSED };

	assert(g->magic == GATE_MAGIC);
	if (wa->cm == NULL || token != wa->token) {
		str_printf(an.why, sizeof(an.why), "nothing waits for that confirmation any more: ask for it again");
		return an;
	}
	if (!still_holds(g, fa, &an))
		return an;
	if (!is_typed(wa->first, first) || !is_typed(wa->second, second))
		return refuse(g, wa->cm, NULL, fa, "not confirmed: type exactly %.200s%s%.100s", wa->first, wa->second != NULL ? ", then " : "",
			      wa->second != NULL ? wa->second : "");
	return send(g, fa);
}

/* ---- outcome ------------------------------------------------------------------------------------------------------------ */

bool gate_outcome(struct gate *g, const struct outcome *oc, const struct gate_facts *fa)
{
	assert(g->magic == GATE_MAGIC);
	if (!run_take(&g->run, oc)) {
		log_put(LOG_WARN, "gate", "an outcome that nothing waits for (%016llx) was passed over", (unsigned long long)oc->id);
		return false;
	}
	go_on(g, oc->broker, fa, false);
	return true;
}

void gate_stop(struct gate *g)
{
	if (g->run.is_running)
		run_stop(&g->run, "stopped by the operator");
}

struct gate_progress gate_progress(const struct gate *g)
{
	const struct run *ru = &g->run;
	struct gate_progress pr = {
		.id = ru->id, .is_running = ru->is_running, .is_stopping = ru->is_stopping, .kind = ru->cm != NULL ? ru->cm->kind : COMMAND_DELETE_TOPICS,
		.n = ru->n, .items = ru->items, .stopped = ru->stopped[0] != '\0' ? ru->stopped : NULL,
	};

	for (size_t i = 0; i < ru->n; i++) {
		bool is_settled = ru->items[i].state == GATE_ANSWERED || ru->items[i].state == GATE_NOT_SENT;

		pr.n_out += ru->items[i].state == GATE_OUT;
		pr.n_waiting += ru->items[i].state == GATE_WAITS;
		pr.n_taken += is_settled && ru->items[i].code == OUTCOME_DONE;
		pr.n_refused += is_settled && ru->items[i].code == OUTCOME_REFUSED;
		pr.n_unknown += is_settled && ru->items[i].code == OUTCOME_UNKNOWN;
	}
	return pr;
}
