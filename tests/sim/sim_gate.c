/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the console asks for: the real gate, before a journal and a write port that watch it. Nothing may leave of which the journal does not hold an intent
 * with each name, nothing after a refusal, and of no request two outcomes.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/command.h"
#include "tests/sim/sim_console.h"

static struct gate_facts facts(const struct sim *si)
{
	return (struct gate_facts){ .cl = model_cluster(si->con->md), .ds = si->con->ds, .now = sim_wall(si) };
}

/* ---- the journal -------------------------------------------------------------------------------------------------- */

static bool journal_write(void *ctx, const struct record *re, struct err *err)
{
	struct sim *si = ctx;
	struct sim_console *co = si->con;

	if (co->journal_fails > 0) {
		co->journal_fails--;
		return err_set(err, ERR_IO, "the journal can't be written: no space left on device");
	}
	if (si->broken == SIM_BROKEN_JOURNAL || co->n_records == SIM_RECORDS)
		return true;
	sim_say(si, "journal: %s %s %s", record_phase_name(re->phase), re->command, re->text != NULL ? re->text : "");
	co->records[co->n_records++] = record_copy(re);
	return true;
}

static bool journal_each(void *ctx, void (*fn)(void *fn_ctx, const struct record *re), void *fn_ctx, struct err *err)
{
	struct sim *si = ctx;

	(void)err;
	for (size_t i = 0; i < si->con->n_records; i++)
		fn(fn_ctx, si->con->records[i]);
	return true;
}

static bool names_it(const struct record *re, const char *topic)
{
	for (size_t i = 0; i < re->n_items; i++)
		if (strcmp(re->items[i].topic, topic) == 0)
			return true;
	return false;
}

static bool has_intent(const struct sim_console *co, uint64_t id, const char *topic)
{
	for (size_t i = 0; i < co->n_records; i++)
		if (co->records[i]->id == id && co->records[i]->phase == RECORD_INTENT && names_it(co->records[i], topic))
			return true;
	return false;
}

/* ---- what comes of a request ------------------------------------------------------------------------------------------ */

static void tell(struct sim *si, int64_t no, int64_t from, void *p)
{
	struct sim_console *co = si->con;
	struct outcome *oc;
	struct gate_facts fa;

	(void)p;
	if (co == NULL || co->no != from || co->out_no != (uint32_t)no || co->out == NULL)
		return;
	oc = co->out;
	co->out = NULL; /* the gate may send the next one at once */
	fa = facts(si);
	if (!gate_outcome(co->gate, oc, &fa))
		sim_fail(si, "the gate does not know the request %llx that it sent", (unsigned long long)oc->id);
	outcome_free(&oc);
}

static void settle(struct sim *si, int64_t after, int code, int16_t error)
{
	struct sim_console *co = si->con;

	for (size_t i = 0; i < co->out->n; i++)
		if (code >= 0) {
			co->out->items[i].code = (uint8_t)code;
			co->out->items[i].kafka_error = error;
			co->out->items[i].is_for_all = code == OUTCOME_REFUSED && (outcome_meaning(error) & OUTCOME_SAME_FOR_ALL);
		}
	sim_after(si, after, tell, co->out_no, co->no, NULL);
}

/* AdminManager.deleteTopics, at the controller. */
static void take_delete(struct sim *si, int64_t no, int64_t broker, void *p)
{
	struct sim_console *co = si->con;
	struct sim_broker *br = &si->b[broker];
	char path[SIM_PATH];

	(void)p;
	if (co == NULL || co->out == NULL || co->out_no != (uint32_t)no)
		return;
	if (!sim_broker_works(br)) {
		settle(si, br->is_running ? 30000 : 1, OUTCOME_UNKNOWN, 0);
		return;
	}
	if (!si->ctl.is_active || si->ctl.id != br->id || !br->deletes) {
		settle(si, 5, OUTCOME_REFUSED, br->deletes ? 41 : 73);
		return;
	}
	for (size_t i = 0; i < co->out->n; i++) {
		int t = sim_topic_of(co->out->items[i].name);

		co->out->items[i].code = t >= 0 && br->lists[t] ? OUTCOME_DONE : OUTCOME_REFUSED;
		co->out->items[i].kafka_error = co->out->items[i].code == OUTCOME_DONE ? 0 : 3;
		str_printf(path, sizeof(path), "/admin/delete_topics/%s", co->out->items[i].name);
		if (co->out->items[i].code == OUTCOME_DONE && sim_zk_find(si, path) == NULL)
			sim_zk_put(si, path, "", 0);
	}
	settle(si, sim_between(si, 50, 400), -1, 0);
}

/* ---- the write port ------------------------------------------------------------------------------------------------------- */

static void hand_over(struct sim *si, uint64_t id, const char *const *names, size_t n)
{
	struct sim_console *co = si->con;

	co->n_calls++;
	co->out_no = ++si->request_no;
	if (co->out != NULL)
		sim_fail(si, "the gate sends a request before the last one has its outcome");
	outcome_free(&co->out);
	co->out = outcome_new(id, n);
	for (size_t i = 0; i < n; i++) {
		sim_say(si, "console: asks for %s", names[i]);
		if (!has_intent(co, id, names[i]))
			sim_fail(si, "%s is sent, and the journal has no intent for it", *names[i] != '\0' ? names[i] : "an election");
		co->out->items[i].name = mem_strdup(names[i]);
	}
	co->out->broker = BROKER_NONE;
}

static bool port_delete(void *ctx, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
{
	struct sim *si = ctx;
	int32_t to = model_cluster(si->con->md)->controller.broker;

	(void)timeout_ms;
	if (to < 1 || to > si->n_brokers || !sim_links_is_up(si, to))
		return err_set(err, ERR_NET, "the controller is not connected");
	hand_over(si, id, names, n);
	sim_after(si, sim_between(si, 1, 20), take_delete, si->con->out_no, to, NULL);
	return true;
}

static bool port_marker(void *ctx, uint64_t id, const char *name, struct err *err)
{
	struct sim *si = ctx;
	char path[SIM_PATH];

	if (!si->zk.is_up)
		return err_set(err, ERR_NET, "no session");
	hand_over(si, id, &name, 1);
	str_printf(path, sizeof(path), "/admin/delete_topics/%s", name);
	if (sim_zk_find(si, path) == NULL)
		sim_zk_put(si, path, "", 0);
	settle(si, 5, OUTCOME_DONE, 0);
	return true;
}

static bool port_move(void *ctx, uint64_t id, int64_t czxid, struct err *err)
{
	static const char *const none = "";
	struct sim *si = ctx;
	struct sim_znode *zn = sim_zk_find(si, "/controller");

	if (!si->zk.is_up)
		return err_set(err, ERR_NET, "no session");
	hand_over(si, id, &none, 1);
	if (zn != NULL && zn->stat.czxid == czxid)
		sim_controller_gone(si);
	settle(si, 5, zn != NULL && zn->stat.czxid == czxid ? OUTCOME_DONE : OUTCOME_REFUSED, 0);
	return true;
}

/* ---- what the operator does -------------------------------------------------------------------------------------------------- */

static void submit(struct sim *si, struct command **cm)
{
	struct sim_console *co = si->con;
	unsigned calls = co->n_calls;
	struct gate_facts fa = facts(si);
	struct gate_answer an = gate_submit(co->gate, *cm, NULL, &fa);

	if (an.verdict != GATE_CONFIRM && co->n_calls != calls)
		sim_fail(si, "the gate refuses, and sends");
	if (an.verdict == GATE_CONFIRM && co->n_calls != calls)
		sim_fail(si, "the gate sends before it is confirmed");
	if (an.verdict == GATE_CONFIRM) {
		const struct gate_pending *pe = gate_pending(co->gate);
		char *first = mem_strdup(pe->first), *second = pe->second != NULL ? mem_strdup(pe->second) : NULL;

		an = gate_confirm(co->gate, an.token, first, second, &fa);
		if (an.verdict != GATE_SENT && co->n_calls != calls && co->out != NULL)
			sim_fail(si, "the gate refuses after it was confirmed, and sends");
		mem_free(&first);
		mem_free(&second);
	}
	if (an.verdict == GATE_REFUSED)
		sim_say(si, "console: refused: %s", an.why);
	command_free(cm);
}

void sim_console_delete(struct sim *si, uint8_t topics, bool by_znode)
{
	const struct cluster *cl = model_cluster(si->con->md);
	struct command *cm = command_new(by_znode ? COMMAND_MARK_TOPICS : COMMAND_DELETE_TOPICS);
	bool has_any = false;

	for (int t = 0; t < SIM_TOPICS; t++)
		if (topics & (1u << t))
			has_any |= command_add_topic(cm, cl, sim_name(t), true);
	if (has_any)
		submit(si, &cm);
	else
		command_free(&cm);
}

void sim_console_move_controller(struct sim *si)
{
	struct command *cm = command_new(COMMAND_MOVE_CONTROLLER);

	cm->controller_czxid = model_cluster(si->con->md)->controller_czxid;
	submit(si, &cm);
}

void sim_console_journal_fails(struct sim *si, int n)
{
	si->con->journal_fails = n;
}

/* ---- life ------------------------------------------------------------------------------------------------------------------------ */

void sim_gate_begin(struct sim *si)
{
	static char login[] = "oncall", host[] = "ops1", version[] = "kafops test";
	struct sim_console *co = si->con;

	policy_init(&co->po);
	co->po.operate = true;
	co->po.group_topics = 1 + sim_below(si, 3);
	co->port = (struct port_write){ .ctx = si, .delete_topics = port_delete, .create_marker = port_marker, .move_controller = port_move };
	co->who = (struct record_who){ .login = login, .uid = 1000, .host = host, .pid = 1, .version = version };
	co->gate = gate_new(&(struct gate_options){ .policy = &co->po, .port = &co->port,
		.journal = { .ctx = si, .write = journal_write, .each = journal_each }, .who = &co->who, .seed = si->plan.seed });
}

void sim_gate_end(struct sim *si)
{
	struct sim_console *co = si->con;
	struct gate_facts fa = facts(si);

	gate_free(&co->gate, &fa);
	outcome_free(&co->out);
	for (size_t i = 0; i < co->n_records; i++)
		record_free(&co->records[i]);
	policy_fini(&co->po);
}
