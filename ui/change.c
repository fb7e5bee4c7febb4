/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/change.h"

#include <assert.h>
#include <string.h>

#include "app/appraise.h"
#include "app/operate.h"
#include "app/options.h"
#include "app/session.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/model.h"
#include "core/outcome.h"
#include "core/record.h"

static struct gate_facts change_now(const struct change *cg)
{
	return (struct gate_facts){ .cl = session_cluster(cg->ss), .ds = cg->ds, .now = session_now(cg->ss) };
}

static struct gate *change_gate(const struct change *cg)
{
	return cg->op ? operate_gate(cg->op) : NULL;
}

/* ---- life ----------------------------------------------------------------------------------- */

void change_init(struct change *cg, struct session *ss, const struct options *opt)
{
	*cg = (struct change){ .ss = ss, .opt = opt };
	err_init(&cg->why_not);
	if (session_replay(ss).is_replay)
		err_set(&cg->why_not, ERR_REFUSED, "read-only: this is a recording; on the cluster itself, start with --operate");
	else
		cg->op = operate_new(opt, ss, &cg->why_not);
}

static void change_forget(struct change *cg)
{
	if (change_gate(cg))
		gate_drop(change_gate(cg));
	mem_free(&cg->first);
	mem_free(&cg->second);
	cg->token = 0;
	cg->is_first_typed = false;
}

static void change_clear(struct change *cg)
{
	appraise_free(&cg->asking);
	appraisal_fini(&cg->seen);
	findings_fini(&cg->findings);
	findings_fini(&cg->shown);
	mem_free(&cg->difference);
	mem_free(&cg->refused);
	command_free(&cg->cm);
}

void change_fini(struct change *cg)
{
	struct gate_facts fa = change_now(cg);

	change_forget(cg);
	change_clear(cg);
	operate_free(&cg->op, &fa);
}

bool change_is_sending(const struct change *cg)
{
	return cg->cm && cg->step == CONFIRM_SEND;
}

uint64_t change_running(const struct change *cg)
{
	struct gate_progress pr = { .id = 0 };

	if (change_gate(cg))
		pr = gate_progress(change_gate(cg));
	return pr.is_running ? pr.id : 0;
}

bool change_running_text(const struct change *cg, char out[CHANGE_LABEL_MAX])
{
	struct gate_progress pr = { .id = 0 };
	char id[RECORD_ID_MAX];

	if (change_gate(cg))
		pr = gate_progress(change_gate(cg));
	if (!pr.is_running)
		return false;
	str_printf(out, CHANGE_LABEL_MAX, "%s %s", command_name(pr.kind), record_id_text(id, pr.id));
	return true;
}

void change_drop(struct change *cg)
{
	if (change_is_sending(cg))
		return;
	change_forget(cg);
	change_clear(cg);
}

/* ---- the check -------------------------------------------------------------------------------- */

/* A marker would be let through, where the request is not. */
static bool change_znode_passes(const struct change *cg)
{
	struct command *other;
	struct findings fs;
	bool passes;

	if (cg->cm->kind != COMMAND_DELETE_TOPICS || cg->findings.n_errors == 0)
		return false;
	other = command_copy(cg->cm);
	other->kind = COMMAND_MARK_TOPICS;
	command_check(other, session_cluster(cg->ss), cg->ds, &cg->opt->policy, NULL, session_now(cg->ss), &fs);
	passes = fs.n_errors == 0;
	findings_fini(&fs);
	command_free(&other);
	return passes;
}

/* What brokers said, as far as it was taken: of what the gate goes by. */
static const struct appraisal *change_seen(const struct change *cg)
{
	return cg->asking ? &cg->seen : NULL;
}

/* Takes what they said since. */
static void change_see(struct change *cg)
{
	appraisal_fini(&cg->seen);
	if (cg->asking)
		appraisal_copy(appraise_now(cg->asking), &cg->seen);
}

static void change_check(const struct change *cg, struct findings *out)
{
	findings_fini(out);
	command_check(cg->cm, session_cluster(cg->ss), cg->ds, &cg->opt->policy, change_seen(cg), session_now(cg->ss), out);
}

static void change_look(struct change *cg)
{
	change_check(cg, &cg->findings);
	cg->offers_znode = change_znode_passes(cg);
}

/* What is found now is what the operator goes by from here on. */
static void change_settle(struct change *cg)
{
	struct gate_facts fa = change_now(cg);

	if (change_gate(cg))
		gate_recall(change_gate(cg), cg->cm, &fa);
	change_see(cg);
	change_check(cg, &cg->shown);
	mem_free(&cg->difference);
	mem_free(&cg->refused);
	change_look(cg);
	cg->step = CONFIRM_CHECK;
}

/* Topics that are not among them change by the second on a busy cluster; what is rarer is looked at whatever it is about. */
static bool change_is_touched(const struct change *cg, const struct changes *ch)
{
	const uint32_t always = CHG_CONN | CHG_CLUSTER | CHG_BROKERS | CHG_TOPICS | CHG_DELETIONS | CHG_REASSIGN | CHG_LINKS | CHG_METADATA;

	if (!ch || (ch->bits & always))
		return true;
	for (size_t i = 0; i < ch->n_topics; i++)
		if (command_topic_find(cg->cm, ch->topics[i]->name))
			return true;
	return false;
}

/* The lines anew. True: they are others than before. */
static bool change_tell(struct change *cg)
{
	struct strbuf text;
	bool differs;

	strbuf_init(&text);
	findings_differ(&cg->shown, &cg->findings, &text);
	differs = strcmp(text.s, cg->difference ? cg->difference : "") != 0;
	if (differs) {
		mem_free(&cg->difference);
		cg->difference = text.len > 0 ? strbuf_take(&text) : NULL;
	}
	strbuf_fini(&text);
	return differs;
}

bool change_update(struct change *cg, const struct changes *ch)
{
	if (!cg->cm || cg->step > CONFIRM_TYPE || !change_is_touched(cg, ch))
		return false;
	change_look(cg);
	if (!change_tell(cg))
		return false;
	change_forget(cg);
	cg->step = CONFIRM_CHECK;
	return true;
}

void change_begin(struct change *cg, struct command *cm)
{
	assert(!change_is_sending(cg));
	change_drop(cg);
	cg->cm = cm;
	cg->asking = appraise_new(cg->ss, cm, APPRAISE_MOST_MS);
	change_settle(cg);
}

void change_by_znode(struct change *cg)
{
	/* The same topics: what is asked of brokers goes on. */
	change_forget(cg);
	cg->cm->kind = COMMAND_MARK_TOPICS;
	change_settle(cg);
}

/* ---- what brokers say meanwhile ------------------------------------------------------------------ */

bool change_has_news(const struct change *cg)
{
	return appraise_has_news(cg->asking);
}

/* While it is typed: the gate is asked again with what is known now, so that this is what is confirmed and journaled. */
static enum change_news change_take(struct change *cg, char why[CHANGE_TEXT_MAX])
{
	struct gate_facts fa = change_now(cg);
	struct findings before = cg->findings;
	struct gate_answer an = { .verdict = GATE_CONFIRM };
	bool has_more;

	cg->findings = (struct findings){ .n = 0 };
	change_see(cg);
	change_look(cg);
	has_more = cg->findings.n_warnings > before.n_warnings; /* the facts are the same: change_update has just looked */
	findings_fini(&before);
	if (cg->token)
		an = gate_submit(change_gate(cg), cg->cm, change_seen(cg), &fa);
	if (an.verdict != GATE_CONFIRM) {
		str_printf(why, CHANGE_TEXT_MAX, "%s", an.why);
		change_forget(cg);
		change_tell(cg);
		cg->step = CONFIRM_CHECK;
		return CHANGE_UNDONE;
	}
	cg->token = an.token;
	if (has_more)
		cg->is_first_typed = false;
	return has_more ? CHANGE_WARNED : CHANGE_TOLD;
}

enum change_news change_news(struct change *cg, char why[CHANGE_TEXT_MAX])
{
	if (!cg->cm || cg->step > CONFIRM_TYPE)
		return CHANGE_NO_NEWS;
	appraise_turn(cg->asking, session_mono(cg->ss));
	if (!appraise_take_news(cg->asking))
		return CHANGE_NO_NEWS;
	if (appraisal_says_same(appraise_now(cg->asking), &cg->seen))
		return CHANGE_TOLD;
	if (cg->step == CONFIRM_TYPE)
		return change_take(cg, why);
	change_see(cg);
	change_look(cg);
	return CHANGE_TOLD;
}

/* ---- what has to be typed ----------------------------------------------------------------------- */

bool change_ask(struct change *cg, char why[CHANGE_TEXT_MAX])
{
	struct gate_facts fa = change_now(cg);
	struct gate *gate = change_gate(cg);
	struct gate_answer an = { .verdict = GATE_CONFIRM };

	change_see(cg);
	if (change_update(cg, NULL)) {
		str_printf(why, CHANGE_TEXT_MAX, "the facts changed: look again; nothing was sent");
		return false;
	}
	change_forget(cg);
	if (cg->findings.n_errors > 0) {
		str_printf(why, CHANGE_TEXT_MAX, "nothing can be sent while there are errors");
		return false;
	}
	if (gate && gate_can(gate, cg->cm->kind))
		an = gate_submit(gate, cg->cm, change_seen(cg), &fa);
	if (an.verdict != GATE_CONFIRM) {
		str_printf(why, CHANGE_TEXT_MAX, "%s", an.why);
		return false;
	}
	change_settle(cg);
	cg->token = an.token;
	command_to_type(cg->cm, fa.cl, &cg->opt->policy, &cg->first, &cg->second);
	cg->step = CONFIRM_TYPE;
	return true;
}

void change_question(const struct change *cg, char out[CHANGE_LABEL_MAX])
{
	bool is_one = cg->cm->n_topics == 1, deletes = cg->cm->kind == COMMAND_DELETE_TOPICS;

	if (cg->is_first_typed)
		str_printf(out, CHANGE_LABEL_MAX, "And the name of the cluster: ");
	else if (cg->cm->kind == COMMAND_MOVE_CONTROLLER)
		str_printf(out, CHANGE_LABEL_MAX, "Type move to move the controller: ");
	else
		str_printf(out, CHANGE_LABEL_MAX, "Type the %s to %s %s: ", is_one ? "name of the topic" : "number of topics", deletes ? "delete" : "mark", is_one ? "it" : "them");
}

/* The last key: what the gate says. */
static enum change_typed change_confirm(struct change *cg, char why[CHANGE_TEXT_MAX])
{
	struct gate_facts fa = change_now(cg);
	struct gate *gate = change_gate(cg);
	const struct gate_pending *pending;
	struct gate_answer an;

	if (!gate) {
		str_printf(why, CHANGE_TEXT_MAX, "%s", cg->why_not.text);
		change_settle(cg);
		return CHANGE_BACK;
	}
	an = cg->token ? gate_confirm(gate, cg->token, cg->first, cg->second, &fa) : gate_submit(gate, cg->cm, change_seen(cg), &fa);
	if (an.verdict == GATE_SENT) {
		appraise_free(&cg->asking);
		cg->step = CONFIRM_SEND;
		return CHANGE_SENT;
	}
	change_look(cg);
	change_tell(cg);
	cg->step = CONFIRM_CHECK;
	pending = gate_pending(gate);
	if (!cg->difference && an.verdict == GATE_CONFIRM && pending && pending->difference)
		cg->difference = mem_strdup(pending->difference);
	if (an.verdict == GATE_REFUSED)
		cg->refused = mem_strdup(an.why);
	str_printf(why, CHANGE_TEXT_MAX, "%s", an.verdict == GATE_CONFIRM ? "the facts changed: look again; nothing was sent" : an.why);
	change_forget(cg);
	return CHANGE_BACK;
}

/* What is wrong with it, and not what would be right. */
static void change_say_not_it(const struct change *cg, const char *typed, char why[CHANGE_TEXT_MAX])
{
	enum { SHOWN_MAX = 24 };
	const char *what = "the name of the topic";
	char shown[SHOWN_MAX + 8] = "that";

	if (cg->is_first_typed)
		what = "the name of the cluster";
	else if (cg->cm->kind == COMMAND_MOVE_CONTROLLER)
		what = "the word asked for";
	else if (cg->cm->n_topics != 1)
		what = "the number of topics";
	if (strlen(typed) <= SHOWN_MAX)
		str_printf(shown, sizeof(shown), "%s", typed);
	if (*typed)
		str_printf(why, CHANGE_TEXT_MAX, "%s is not %s; nothing was sent", shown, what);
	else
		str_printf(why, CHANGE_TEXT_MAX, "type %s; nothing was sent", what);
}

enum change_typed change_type(struct change *cg, const char *typed, char why[CHANGE_TEXT_MAX])
{
	const char *wanted = cg->is_first_typed ? cg->second : cg->first;

	assert(cg->step == CONFIRM_TYPE && wanted);
	if (strcmp(typed, wanted) != 0) {
		change_say_not_it(cg, typed, why);
		return CHANGE_NOT_IT;
	}
	if (!cg->is_first_typed && cg->second) {
		cg->is_first_typed = true;
		return CHANGE_MORE;
	}
	return change_confirm(cg, why);
}

/* ---- what comes of it ------------------------------------------------------------------------------ */

void change_stop(struct change *cg)
{
	if (change_is_sending(cg))
		gate_stop(change_gate(cg));
}

void change_outcome(struct change *cg, const struct outcome *oc)
{
	struct gate_facts fa = change_now(cg);

	if (change_gate(cg))
		gate_outcome(change_gate(cg), oc, &fa);
}

bool change_ends(struct change *cg, bool *is_well)
{
	struct gate_progress pr;

	if (!change_is_sending(cg))
		return false;
	pr = gate_progress(change_gate(cg));
	if (pr.is_running)
		return false;
	cg->step = CONFIRM_END;
	*is_well = pr.n_taken == pr.n;
	return true;
}

static bool change_is_settled(const struct gate_item *it)
{
	return it->state == GATE_ANSWERED || it->state == GATE_NOT_SENT;
}

void change_each_taken(const struct change *cg, void (*fn)(void *ctx, const char *topic), void *ctx)
{
	struct gate_progress pr = gate_progress(change_gate(cg));

	for (size_t i = 0; i < pr.n; i++)
		if (change_is_settled(&pr.items[i]) && pr.items[i].code == OUTCOME_DONE)
			fn(ctx, pr.items[i].topic);
}

void change_each_sent(const struct change *cg, void (*fn)(void *ctx, const char *topic), void *ctx)
{
	struct gate_progress pr = { .n = 0 };

	if (change_is_sending(cg))
		pr = gate_progress(change_gate(cg));
	for (size_t i = 0; i < pr.n; i++)
		if (pr.items[i].state == GATE_OUT || pr.items[i].state == GATE_ANSWERED)
			fn(ctx, pr.items[i].topic);
}

bool change_take_message(struct change *cg, char *out, size_t size, bool *is_bad)
{
	return change_gate(cg) && gate_take_message(change_gate(cg), out, size, is_bad);
}

/* ---- for the page ------------------------------------------------------------------------------------ */

static uint8_t change_state(const struct gate_item *it)
{
	static const uint8_t codes[] = { [OUTCOME_DONE] = CONFIRM_TAKEN, [OUTCOME_REFUSED] = CONFIRM_REFUSED, [OUTCOME_UNKNOWN] = CONFIRM_UNKNOWN };

	if (!change_is_settled(it))
		return it->state == GATE_OUT ? CONFIRM_OUT : CONFIRM_WAITS;
	return codes[it->code];
}

static void change_put_items(const struct change *cg, struct arena *ar, struct confirm_facts *out)
{
	struct gate_progress pr = gate_progress(change_gate(cg));
	struct confirm_item *items = arena_alloc(ar, (pr.n + 1) * sizeof(*items));

	for (size_t i = 0; i < pr.n; i++)
		items[i] = (struct confirm_item){ pr.items[i].topic, change_state(&pr.items[i]), pr.items[i].text };
	out->items = items;
	out->n_items = pr.n;
	out->stopped = pr.stopped;
}

bool change_facts(const struct change *cg, struct arena *ar, struct confirm_facts *out)
{
	if (!cg->cm)
		return false;
	*out = (struct confirm_facts){
		.step = cg->step, .cm = cg->cm, .fs = &cg->findings, .cl = session_cluster(cg->ss), .po = &cg->opt->policy,
		.confirm = command_confirm(cg->cm->kind), .difference = cg->difference, .refused = cg->refused, .offers_znode = cg->offers_znode,
		.ap = appraise_now(cg->asking), .now = session_mono(cg->ss),
	};
	if (cg->step >= CONFIRM_SEND)
		change_put_items(cg, ar, out);
	return true;
}
