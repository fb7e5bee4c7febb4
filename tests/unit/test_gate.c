/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every command x mode x answer gives exactly the calls and the journal lines that are expected, in their order: the journal and the write port are
 * fakes that write down what was asked of them, into one list.
 */
#include "app/gate.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/intents.h"
#include "core/outcome.h"
#include "core/policy.h"
#include "core/port_write.h"
#include "core/record.h"
#include "io/journal.h"
#include "tests/unit/fixture.h"

/* ---- the fakes ------------------------------------------------------------------------------------- */

enum { RECORDS_MAX = 64, NAMES_MAX = 64 };

struct world {
	struct fixture *fx;
	struct policy po;
	struct port_write port;
	struct record_who who;
	struct gate *g;
	struct command *cm;
	struct strbuf told;                /* what was asked of both, a line each */
	struct record *records[RECORDS_MAX];
	size_t n_records, journal_fails_at; /* the n-th write, from 1; 0: none does */
	bool port_fails;
	uint64_t id;                       /* of the last request */
	char *out[NAMES_MAX];              /* the names in it */
	size_t n_out;
	struct gate_answer an;
};

static bool fake_write(void *ctx, const struct record *re, struct err *err)
{
	struct world *w = ctx;

	if (w->journal_fails_at && --w->journal_fails_at == 0) {
		strbuf_printf(&w->told, "journal full\n");
		w->journal_fails_at = 1; /* and stays so */
		return err_set(err, ERR_IO, "the journal /j can't be written: No space left on device; make room there");
	}
	strbuf_printf(&w->told, "journal %s %s", record_phase_name(re->phase), re->command);
	for (size_t i = 0; i < re->n_items; i++)
		strbuf_printf(&w->told, " %s%s%s", *re->items[i].topic ? re->items[i].topic : "-", re->items[i].outcome == RECORD_NO_OUTCOME ? "" : "=",
			      re->items[i].outcome == RECORD_NO_OUTCOME ? "" : record_outcome_name(re->items[i].outcome));
	strbuf_putc(&w->told, '\n');
	assert_true(w->n_records < RECORDS_MAX);
	w->records[w->n_records++] = record_copy(re);
	return true;
}

static bool fake_each(void *ctx, void (*fn)(void *fn_ctx, const struct record *re), void *fn_ctx, struct err *err)
{
	struct world *w = ctx;

	(void)err;
	for (size_t i = 0; i < w->n_records; i++)
		fn(fn_ctx, w->records[i]);
	return true;
}

static void forget_out(struct world *w)
{
	while (w->n_out)
		mem_free(&w->out[--w->n_out]);
}

static bool fake_call(struct world *w, const char *call, uint64_t id, const char *const *names, size_t n, struct err *err)
{
	strbuf_printf(&w->told, "port %s", call);
	forget_out(w);
	w->id = id;
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&w->told, " %s", *names[i] ? names[i] : "-");
		w->out[w->n_out++] = mem_strdup(names[i]);
	}
	strbuf_put(&w->told, w->port_fails ? ": can't\n" : "\n");
	return !w->port_fails || err_set(err, ERR_NET, "the controller is not connected");
}

static bool fake_delete(void *ctx, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
{
	assert_true(timeout_ms > 0);
	return fake_call(ctx, "delete", id, names, n, err);
}

static bool fake_marker(void *ctx, uint64_t id, const char *name, struct err *err)
{
	return fake_call(ctx, "mark", id, &name, 1, err);
}

static bool fake_move(void *ctx, uint64_t id, int64_t czxid, struct err *err)
{
	static const char *const none[] = { "" };
	struct world *w = ctx;

	assert_true(czxid == fixture_cluster(w->fx)->controller_czxid);
	return fake_call(w, "move", id, none, 1, err);
}

/* ---- the world ---------------------------------------------------------------------------------------- */

static struct world *world_new(enum command_kind kind, bool operate)
{
	static char login[] = "oncall", host[] = "ops1", version[] = "kafops test";
	struct world *w = mem_zalloc(sizeof(*w));

	w->fx = fixture_new();
	fixture_load(w->fx, fixture_case("fixture-a.zktree"));
	fixture_said(w->fx, kind == COMMAND_MARK_TOPICS ? "link 2 failed refused\nasked\n" : "link 2 up\nasked\nsettings 2 delete.topic.enable=true\n");
	policy_init(&w->po);
	w->po.operate = operate;
	w->po.many_percent = 100;
	w->port = (struct port_write){ .ctx = w, .delete_topics = fake_delete, .create_marker = fake_marker, .move_controller = fake_move };
	w->who = (struct record_who){ .login = login, .uid = 1000, .host = host, .pid = 1, .version = version };
	strbuf_init(&w->told);
	w->g = gate_new(&(struct gate_options){
		.policy = &w->po, .port = operate ? &w->port : NULL, .journal = { .ctx = w, .write = fake_write, .each = fake_each }, .who = &w->who, .seed = 5,
	});
	w->cm = command_new(kind);
	w->cm->controller_czxid = kind == COMMAND_MOVE_CONTROLLER ? fixture_cluster(w->fx)->controller_czxid : 0;
	return w;
}

static struct gate_facts facts(struct world *w)
{
	return (struct gate_facts){ .cl = fixture_cluster(w->fx), .now = fixture_now(w->fx) };
}

static void world_free(struct world *w)
{
	struct gate_facts fa = facts(w);

	gate_free(&w->g, &fa);
	forget_out(w);
	for (size_t i = 0; i < w->n_records; i++)
		record_free(&w->records[i]);
	command_free(&w->cm);
	strbuf_fini(&w->told);
	policy_fini(&w->po);
	fixture_free(&w->fx);
	mem_free(&w);
}

static struct world *world_with(enum command_kind kind, bool operate)
{
	struct world *w = world_new(kind, operate);

	if (kind != COMMAND_MOVE_CONTROLLER) {
		assert_true(command_add_topic(w->cm, fixture_cluster(w->fx), "orders", true));
		assert_true(command_add_topic(w->cm, fixture_cluster(w->fx), "payments_eu", true));
	}
	return w;
}

static enum gate_verdict submit(struct world *w)
{
	struct gate_facts fa = facts(w);

	w->an = gate_submit(w->g, w->cm, NULL, &fa);
	return w->an.verdict;
}

static enum gate_verdict confirm_as(struct world *w, const char *first, const char *second)
{
	struct gate_facts fa = facts(w);

	w->an = gate_confirm(w->g, gate_pending(w->g)->token, first, second, &fa);
	return w->an.verdict;
}

/* What is asked for, whatever it is. */
static enum gate_verdict confirm(struct world *w)
{
	char *first = mem_strdup(gate_pending(w->g)->first), *second = gate_pending(w->g)->second ? mem_strdup(gate_pending(w->g)->second) : NULL;
	enum gate_verdict ve = confirm_as(w, first, second);

	mem_free(&first);
	mem_free(&second);
	return ve;
}

static void must_send(struct world *w)
{
	assert_int_equal(submit(w), GATE_CONFIRM);
	assert_int_equal(confirm(w), GATE_SENT);
	assert_true(w->an.id == w->id);
}

/* The answer to the request that is out: the same for each of its names. */
static bool answer(struct world *w, enum outcome_code code, int16_t kafka_error, const char *text)
{
	struct gate_facts fa = facts(w);
	struct outcome *oc = outcome_new(w->id, w->n_out);
	bool taken;

	oc->broker = code == OUTCOME_UNKNOWN ? BROKER_NONE : 2;
	for (size_t i = 0; i < w->n_out; i++)
		oc->items[i] = (struct outcome_item){ .name = mem_strdup(w->out[i]), .code = (uint8_t)code, .kafka_error = kafka_error, .text = text ? mem_strdup(text) : NULL,
			.is_for_all = code == OUTCOME_REFUSED && (outcome_meaning(kafka_error) & OUTCOME_SAME_FOR_ALL) };
	taken = gate_outcome(w->g, oc, &fa);
	outcome_free(&oc);
	return taken;
}

static void assert_told(struct world *w, const char *expected)
{
	if (strcmp(w->told.s, expected) != 0)
		fail_msg("told:\n%sand not:\n%s", w->told.s, expected);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static const char *message(struct world *w, bool is_bad)
{
	static char text[GATE_TEXT_MAX];
	bool bad;

	assert_true(gate_take_message(w->g, text, sizeof(text), &bad));
	assert_int_equal(bad, is_bad);
	assert_false(gate_take_message(w->g, (char[8]){ 0 }, 8, &bad));
	return text;
}

/* ---- the table -------------------------------------------------------------------------------------------- */

enum answer_kind { TAKEN, REFUSED, UNKNOWN, CANT_BE_HANDED_OVER, FULL_AT_INTENT, FULL_AT_OUTCOME, READ_ONLY, NOT_TYPED, CHECK_FAILS };

static const struct row {
	enum command_kind kind;
	enum answer_kind answer;
	const char *told;
} table[] = {
	{ COMMAND_DELETE_TOPICS, TAKEN,
	  "journal intent delete-topics orders payments_eu\nport delete orders payments_eu\njournal outcome delete-topics orders=taken payments_eu=taken\n" },
	{ COMMAND_DELETE_TOPICS, REFUSED,
	  "journal intent delete-topics orders payments_eu\nport delete orders payments_eu\njournal outcome delete-topics orders=refused payments_eu=refused\n" },
	{ COMMAND_DELETE_TOPICS, UNKNOWN,
	  "journal intent delete-topics orders payments_eu\nport delete orders payments_eu\njournal outcome delete-topics orders=unknown payments_eu=unknown\n" },
	{ COMMAND_DELETE_TOPICS, CANT_BE_HANDED_OVER,
	  "journal intent delete-topics orders payments_eu\nport delete orders payments_eu: can't\njournal outcome delete-topics orders=refused payments_eu=refused\n" },
	{ COMMAND_DELETE_TOPICS, FULL_AT_INTENT, "journal full\n" },
	{ COMMAND_DELETE_TOPICS, FULL_AT_OUTCOME, "journal intent delete-topics orders payments_eu\nport delete orders payments_eu\njournal full\n" },
	{ COMMAND_DELETE_TOPICS, READ_ONLY, "journal refused delete-topics orders payments_eu\n" },
	{ COMMAND_DELETE_TOPICS, NOT_TYPED, "journal refused delete-topics orders payments_eu\n" },
	{ COMMAND_DELETE_TOPICS, CHECK_FAILS, "journal refused delete-topics orders payments_eu\n" },

	{ COMMAND_MARK_TOPICS, TAKEN,
	  "journal intent mark-topics orders payments_eu\nport mark orders\njournal outcome mark-topics orders=taken\n"
	  "port mark payments_eu\njournal outcome mark-topics payments_eu=taken\n" },
	{ COMMAND_MARK_TOPICS, REFUSED,
	  "journal intent mark-topics orders payments_eu\nport mark orders\njournal outcome mark-topics orders=refused\n"
	  "port mark payments_eu\njournal outcome mark-topics payments_eu=refused\n" },
	{ COMMAND_MARK_TOPICS, UNKNOWN,
	  "journal intent mark-topics orders payments_eu\nport mark orders\njournal outcome mark-topics orders=unknown\n"
	  "journal outcome mark-topics payments_eu=refused\n" },
	{ COMMAND_MARK_TOPICS, CANT_BE_HANDED_OVER,
	  "journal intent mark-topics orders payments_eu\nport mark orders: can't\njournal outcome mark-topics orders=refused payments_eu=refused\n" },
	{ COMMAND_MARK_TOPICS, FULL_AT_INTENT, "journal full\n" },
	{ COMMAND_MARK_TOPICS, FULL_AT_OUTCOME, "journal intent mark-topics orders payments_eu\nport mark orders\njournal full\njournal full\n" },
	{ COMMAND_MARK_TOPICS, READ_ONLY, "journal refused mark-topics orders payments_eu\n" },
	{ COMMAND_MARK_TOPICS, NOT_TYPED, "journal refused mark-topics orders payments_eu\n" },
	{ COMMAND_MARK_TOPICS, CHECK_FAILS, "journal refused mark-topics orders payments_eu\n" },

	{ COMMAND_MOVE_CONTROLLER, TAKEN, "journal intent move-controller -\nport move -\njournal outcome move-controller -=taken\n" },
	{ COMMAND_MOVE_CONTROLLER, REFUSED, "journal intent move-controller -\nport move -\njournal outcome move-controller -=refused\n" },
	{ COMMAND_MOVE_CONTROLLER, UNKNOWN, "journal intent move-controller -\nport move -\njournal outcome move-controller -=unknown\n" },
	{ COMMAND_MOVE_CONTROLLER, CANT_BE_HANDED_OVER, "journal intent move-controller -\nport move -: can't\njournal outcome move-controller -=refused\n" },
	{ COMMAND_MOVE_CONTROLLER, FULL_AT_INTENT, "journal full\n" },
	{ COMMAND_MOVE_CONTROLLER, FULL_AT_OUTCOME, "journal intent move-controller -\nport move -\njournal full\n" },
	{ COMMAND_MOVE_CONTROLLER, READ_ONLY, "journal refused move-controller -\n" },
	{ COMMAND_MOVE_CONTROLLER, NOT_TYPED, "journal refused move-controller -\n" },
	{ COMMAND_MOVE_CONTROLLER, CHECK_FAILS, "journal refused move-controller -\n" },
};

static void answer_all(struct world *w, enum outcome_code code)
{
	while (gate_progress(w->g).is_running)
		assert_true(answer(w, code, code == OUTCOME_REFUSED ? 29 : 0, code == OUTCOME_DONE ? NULL : "so it is"));
	assert_false(answer(w, code, 0, NULL)); /* a second answer is nobody's */
}

static void play(struct world *w, enum answer_kind answer_kind)
{
	static const enum outcome_code codes[] = { [TAKEN] = OUTCOME_DONE, [REFUSED] = OUTCOME_REFUSED, [UNKNOWN] = OUTCOME_UNKNOWN };

	switch (answer_kind) {
	case TAKEN:
	case REFUSED:
	case UNKNOWN:
		must_send(w);
		answer_all(w, codes[answer_kind]);
		message(w, answer_kind != TAKEN);
		break;
	case CANT_BE_HANDED_OVER:
		w->port_fails = true;
		assert_int_equal(submit(w), GATE_CONFIRM);
		assert_int_equal(confirm(w), GATE_REFUSED);
		assert_has(w->an.why, "nothing was sent: the controller is not connected");
		break;
	case FULL_AT_INTENT:
		assert_int_equal(submit(w), GATE_CONFIRM);
		w->journal_fails_at = 1;
		assert_int_equal(confirm(w), GATE_REFUSED);
		assert_has(w->an.why, "nothing was sent");
		assert_has(w->an.why, "No space left on device");
		break;
	case FULL_AT_OUTCOME:
		must_send(w);
		w->journal_fails_at = 1;
		answer_all(w, OUTCOME_DONE);
		assert_has(message(w, true), "WAS SENT, and what came of it is not in the journal: the journal /j can't be written: No space left");
		break;
	case READ_ONLY:
		assert_int_equal(submit(w), GATE_REFUSED);
		assert_string_equal(w->an.why, "read-only: start with --operate");
		assert_null(gate_pending(w->g));
		break;
	case NOT_TYPED:
		assert_int_equal(submit(w), GATE_CONFIRM);
		assert_int_equal(confirm_as(w, "yes", NULL), GATE_REFUSED);
		assert_has(w->an.why, "not confirmed");
		break;
	case CHECK_FAILS:
		fixture_new_epoch(w->fx);
		assert_int_equal(submit(w), GATE_REFUSED);
		assert_has(w->an.why, "ZooKeeper");
		assert_true(gate_findings(w->g)->n_errors > 0);
		break;
	}
	assert_false(gate_progress(w->g).is_running);
}

static void every_command_and_answer_gives_exactly_its_calls_and_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct world *w = world_with(table[i].kind, table[i].answer != READ_ONLY);

		play(w, table[i].answer);
		assert_told(w, table[i].told);
		world_free(w);
	}
}

/* ---- one by one ------------------------------------------------------------------------------------------------ */

static void nothing_but_the_exact_words_confirm(void **state)
{
	static const char *const wrong[] = { "", "2 ", " 2", "2\n", "02", "orders", "3", "y" };
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	uint64_t token;

	(void)state;
	w->po.many_topics = 1;
	w->po.profile = mem_strdup("prod-eu");
	assert_int_equal(submit(w), GATE_CONFIRM);
	token = w->an.token;
	assert_string_equal(gate_pending(w->g)->first, "2");
	assert_string_equal(gate_pending(w->g)->second, "prod-eu");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(confirm_as(w, wrong[i], "prod-eu"), GATE_REFUSED);
	assert_int_equal(confirm_as(w, NULL, "prod-eu"), GATE_REFUSED);
	assert_int_equal(confirm_as(w, "2", NULL), GATE_REFUSED);
	assert_int_equal(confirm_as(w, "2", "prod-eu\n"), GATE_REFUSED);
	assert_int_equal(confirm_as(w, "2", "prod"), GATE_REFUSED);
	assert_true(gate_pending(w->g)->token == token); /* one may correct oneself */
	assert_int_equal(confirm_as(w, "2", "prod-eu"), GATE_SENT);
	world_free(w);
}

static void a_token_is_good_for_its_command_alone_and_once(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	struct gate_facts fa = facts(w);
	uint64_t first;

	(void)state;
	assert_int_equal(submit(w), GATE_CONFIRM);
	first = w->an.token;
	assert_int_equal(submit(w), GATE_CONFIRM);
	assert_false(w->an.token == first);
	assert_int_equal(gate_confirm(w->g, first, "2", NULL, &fa).verdict, GATE_REFUSED);
	gate_drop(w->g);
	assert_int_equal(gate_confirm(w->g, w->an.token, "2", NULL, &fa).verdict, GATE_REFUSED);
	assert_int_equal(gate_confirm(w->g, 0, "2", NULL, &fa).verdict, GATE_REFUSED);
	assert_told(w, "");
	world_free(w);
}

static void facts_that_changed_are_shown_before_anything_is_sent(void **state)
{
	static const char *const markers[] = { "orders", NULL };
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);

	(void)state;
	assert_int_equal(submit(w), GATE_CONFIRM);
	fixture_children(w->fx, "/admin/delete_topics", markers);
	assert_int_equal(confirm(w), GATE_CONFIRM);
	assert_has(gate_pending(w->g)->difference, "orders was queued for deletion, not by this console");
	assert_told(w, "");
	fixture_children(w->fx, "/admin/delete_topics", (const char *const[]){ NULL });
	assert_int_equal(confirm(w), GATE_CONFIRM);
	assert_has(gate_pending(w->g)->difference, "orders is not queued for deletion any more");
	assert_int_equal(confirm(w), GATE_SENT);
	world_free(w);
}

static void a_topic_made_again_between_check_and_act_is_refused(void **state)
{
	static const char *const without[] = { "orders", NULL }, *const with[] = { "orders", "payments_eu", NULL };
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);

	(void)state;
	assert_int_equal(submit(w), GATE_CONFIRM);
	fixture_children(w->fx, "/brokers/topics", without);
	fixture_children(w->fx, "/brokers/topics", with);
	fixture_znode(w->fx, "/brokers/topics/payments_eu", "{\"version\":3,\"partitions\":{\"0\":[2,3]}}");
	assert_int_equal(confirm(w), GATE_REFUSED);
	assert_has(w->an.why, "payments_eu: It was deleted and made again");
	assert_null(gate_pending(w->g));
	assert_told(w, "journal refused delete-topics orders payments_eu\n");
	world_free(w);
}

static void one_that_is_queued_already_is_never_asked_for(void **state)
{
	static const char *const markers[] = { "orders", NULL };
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);

	(void)state;
	fixture_children(w->fx, "/admin/delete_topics", markers);
	must_send(w);
	answer_all(w, OUTCOME_DONE);
	assert_told(w, "journal intent delete-topics payments_eu\nport delete payments_eu\njournal outcome delete-topics payments_eu=taken\n");
	assert_string_equal(message(w, false), "1 topic is queued for deletion");
	assert_int_equal(w->records[0]->n_findings > 0, true);
	world_free(w);
}

static struct world *world_of_five(uint32_t group)
{
	static const char *const names[] = { "legacy.audit", "orders", "payments.eu", "payments_eu", "tmp-load-01" };
	struct world *w = world_new(COMMAND_DELETE_TOPICS, true);

	w->po.group_topics = group;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(command_add_topic(w->cm, fixture_cluster(w->fx), names[i], true));
	return w;
}

static void groups_go_one_after_the_answer_of_the_other(void **state)
{
	struct world *w = world_of_five(2);
	struct gate_progress pr;

	(void)state;
	must_send(w);
	pr = gate_progress(w->g);
	assert_int_equal(pr.n_out, 2);
	assert_int_equal(pr.n_waiting, 3);
	answer_all(w, OUTCOME_DONE);
	assert_told(w, "journal intent delete-topics legacy.audit orders payments.eu payments_eu tmp-load-01\n"
		"port delete legacy.audit orders\njournal outcome delete-topics legacy.audit=taken orders=taken\n"
		"port delete payments.eu payments_eu\njournal outcome delete-topics payments.eu=taken payments_eu=taken\n"
		"port delete tmp-load-01\njournal outcome delete-topics tmp-load-01=taken\n");
	pr = gate_progress(w->g);
	assert_int_equal(pr.n_taken, 5);
	for (size_t i = 0; i < w->n_records; i++)
		assert_true(w->records[i]->id == w->id);
	world_free(w);
}

static void an_operator_stops_between_two_groups(void **state)
{
	struct world *w = world_of_five(2);

	(void)state;
	must_send(w);
	gate_stop(w->g);
	assert_true(gate_progress(w->g).is_stopping);
	assert_true(answer(w, OUTCOME_DONE, 0, NULL));
	assert_told(w, "journal intent delete-topics legacy.audit orders payments.eu payments_eu tmp-load-01\n"
		"port delete legacy.audit orders\njournal outcome delete-topics legacy.audit=taken orders=taken\n"
		"journal outcome delete-topics payments.eu=refused payments_eu=refused tmp-load-01=refused\n");
	assert_string_equal(w->records[2]->items[0].text, "not sent: stopped by the operator");
	assert_has(message(w, true), "2 topics are queued for deletion; 3 refused or not sent: not sent: stopped by the operator");
	world_free(w);
}

static void an_outcome_that_is_not_known_stops_the_rest(void **state)
{
	struct world *w = world_of_five(2);

	(void)state;
	must_send(w);
	assert_true(answer(w, OUTCOME_UNKNOWN, 0, "the connection was lost"));
	assert_false(gate_progress(w->g).is_running);
	assert_int_equal(gate_progress(w->g).n_unknown, 2);
	assert_int_equal(gate_progress(w->g).n_refused, 3);
	assert_has(message(w, true), "OUTCOME UNKNOWN of 2");
	world_free(w);
}

static void a_refusal_of_one_topic_does_not_stop_the_rest_but_one_of_all_does(void **state)
{
	struct world *w = world_of_five(2);

	(void)state;
	must_send(w);
	assert_true(answer(w, OUTCOME_REFUSED, 29, "no permission to delete it"));
	assert_true(gate_progress(w->g).is_running);
	assert_true(answer(w, OUTCOME_REFUSED, 73, "deletion is off"));
	assert_false(gate_progress(w->g).is_running);
	assert_string_equal(gate_progress(w->g).stopped, "deletion is off");
	world_free(w);
}

static void an_answer_that_leaves_a_topic_out_is_not_known_of_it(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	struct gate_facts fa = facts(w);
	struct outcome *oc;

	(void)state;
	must_send(w);
	oc = outcome_new(w->id, 1);
	oc->items[0].name = mem_strdup("payments_eu");
	assert_true(gate_outcome(w->g, oc, &fa));
	outcome_free(&oc);
	assert_told(w, "journal intent delete-topics orders payments_eu\nport delete orders payments_eu\njournal outcome delete-topics orders=unknown payments_eu=taken\n");
	world_free(w);
}

static void an_outcome_of_something_else_is_passed_over(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	struct gate_facts fa = facts(w);
	struct outcome *oc = outcome_new(1, 0);

	(void)state;
	assert_false(gate_outcome(w->g, oc, &fa));
	must_send(w);
	assert_false(gate_outcome(w->g, oc, &fa));
	assert_true(gate_progress(w->g).is_running);
	outcome_free(&oc);
	world_free(w);
}

static void what_the_facts_forbid_by_now_is_left_out_of_the_next_group(void **state)
{
	static const char *const markers[] = { "payments.eu", NULL };
	struct world *w = world_of_five(2);

	(void)state;
	must_send(w);
	fixture_children(w->fx, "/admin/delete_topics", markers);
	fixture_znode(w->fx, "/brokers/topics/payments_eu", "{\"version\":3,\"partitions\":{\"0\":[2,3,4]},\"adding_replicas\":{\"0\":[4]},\"removing_replicas\":{}}");
	assert_true(answer(w, OUTCOME_DONE, 0, NULL));
	assert_true(answer(w, OUTCOME_DONE, 0, NULL));
	assert_told(w, "journal intent delete-topics legacy.audit orders payments.eu payments_eu tmp-load-01\n"
		"port delete legacy.audit orders\njournal outcome delete-topics legacy.audit=taken orders=taken\n"
		"port delete tmp-load-01\njournal outcome delete-topics payments.eu=refused payments_eu=refused tmp-load-01=taken\n");
	world_free(w);
}

static void facts_that_went_stale_stop_the_next_group(void **state)
{
	struct world *w = world_of_five(2);

	(void)state;
	must_send(w);
	fixture_new_epoch(w->fx);
	assert_true(answer(w, OUTCOME_DONE, 0, NULL));
	assert_false(gate_progress(w->g).is_running);
	assert_int_equal(gate_progress(w->g).n_taken, 2);
	assert_has(gate_progress(w->g).stopped, "still being read");
	world_free(w);
}

static void a_full_disk_at_an_outcome_stops_the_next_group(void **state)
{
	struct world *w = world_of_five(2);

	(void)state;
	must_send(w);
	w->journal_fails_at = 1;
	assert_true(answer(w, OUTCOME_DONE, 0, NULL));
	assert_false(gate_progress(w->g).is_running);
	assert_told(w, "journal intent delete-topics legacy.audit orders payments.eu payments_eu tmp-load-01\nport delete legacy.audit orders\njournal full\njournal full\n");
	assert_has(message(w, true), "WAS SENT");
	world_free(w);
}

static void one_command_at_a_time(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);

	(void)state;
	must_send(w);
	assert_int_equal(submit(w), GATE_REFUSED);
	assert_has(w->an.why, "another command is being carried out (delete-topics, 0 of 2 answered)");
	answer_all(w, OUTCOME_DONE);
	assert_int_equal(submit(w), GATE_CONFIRM);
	world_free(w);
}

static void an_end_in_between_leaves_the_rest_unsent_and_the_request_open(void **state)
{
	struct world *w = world_of_five(2);
	struct gate_facts fa = facts(w);
	struct intents in;

	(void)state;
	must_send(w);
	gate_free(&w->g, &fa);
	assert_told(w, "journal intent delete-topics legacy.audit orders payments.eu payments_eu tmp-load-01\nport delete legacy.audit orders\n"
		"journal outcome delete-topics payments.eu=refused payments_eu=refused tmp-load-01=refused\n");
	intents_init(&in);
	for (size_t i = 0; i < w->n_records; i++)
		intents_take(&in, w->records[i]);
	assert_int_equal(in.n, 1);
	assert_int_equal(intent_n_open(in.v[0]), 2);
	intents_fini(&in);
	world_free(w);
}

static void a_refusal_that_cannot_be_written_says_so(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, false);

	(void)state;
	w->journal_fails_at = 1;
	assert_int_equal(submit(w), GATE_REFUSED);
	assert_has(w->an.why, "read-only: start with --operate (not in the journal: ");
	assert_int_equal(w->an.id, 0);
	world_free(w);
}

static void a_policy_that_does_not_operate_refuses_even_with_a_port(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);

	(void)state;
	w->po.operate = false;
	assert_false(gate_can(w->g, COMMAND_DELETE_TOPICS));
	assert_int_equal(submit(w), GATE_REFUSED);
	assert_string_equal(w->an.why, "read-only: start with --operate");
	world_free(w);
}

static void the_record_tells_who_what_and_how(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	const struct record *re;

	(void)state;
	w->cm->pattern = mem_strdup("orders|payments_eu");
	must_send(w);
	re = w->records[0];
	assert_string_equal(re->who.login, "oncall");
	assert_string_equal(re->cluster_id, "Zml4dHVyZS1jbHVzdGVyLQ");
	assert_string_equal(re->mode, "operate");
	assert_string_equal(re->way, "api");
	assert_string_equal(re->pattern, "orders|payments_eu");
	assert_string_equal(re->effect, "delete 2 topics: orders, payments_eu; 4 partitions, 11 replicas");
	assert_string_equal(re->request, "DeleteTopics to the controller, at most 20 topics at a time");
	assert_int_equal(re->danger, 3);
	assert_int_equal(re->items[0].partitions, 3);
	assert_true(re->items[0].czxid != 0);
	world_free(w);
}

/* ---- a console that is killed ------------------------------------------------------------------------------------- */

enum dies { DIES_BEFORE_INTENT, DIES_AT_THE_PORT, DIES_AFTER_THE_PORT, DIES_AFTER_OUTCOME, DEATHS };

static bool deadly_delete(void *ctx, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
{
	(void)ctx, (void)id, (void)names, (void)n, (void)timeout_ms, (void)err;
	raise(SIGKILL);
	return true;
}

/* Goes as far as that, with a journal in a file, and dies. */
static void live_and_die(const char *path, enum dies dies)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	struct gate_facts fa = facts(w);

	gate_free(&w->g, &fa);
	if (dies == DIES_AT_THE_PORT)
		w->port.delete_topics = deadly_delete;
	w->g = gate_new(&(struct gate_options){ .policy = &w->po, .port = &w->port, .journal = gate_journal_file(path), .who = &w->who, .seed = 5 });
	assert_int_equal(submit(w), GATE_CONFIRM);
	if (dies == DIES_BEFORE_INTENT)
		raise(SIGKILL);
	assert_int_equal(confirm(w), GATE_SENT);
	if (dies == DIES_AFTER_THE_PORT)
		raise(SIGKILL);
	answer_all(w, OUTCOME_DONE);
	raise(SIGKILL);
}

static void a_killed_console_leaves_what_was_asked_and_is_not_known(void **state)
{
	static const size_t open[DEATHS] = { 0, 1, 1, 0 };
	char folder[] = "/tmp/gate.XXXXXX", path[64], command[80];

	(void)state;
	assert_non_null(mkdtemp(folder));
	str_printf(path, sizeof(path), "%s/journal", folder);
	for (int dies = 0; dies < DEATHS; dies++) {
		struct intents in;
		struct err err;
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			live_and_die(path, (enum dies)dies);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		err_init(&err);
		assert_true(journal_open_intents(path, &in, &err));
		assert_int_equal(in.n, open[dies]);
		if (in.n)
			assert_int_equal(intent_n_open(in.v[0]), 2);
		intents_fini(&in);
		unlink(path);
	}
	str_printf(command, sizeof(command), "rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
}

/* ---- a marker never goes around a no ------------------------------------------------------------------------------ */

static void answered_before(struct world *w, int outcome, int16_t kafka_error)
{
	struct record *re = record_new();

	re->id = 1;
	re->at = fixture_now(w->fx);
	re->phase = outcome == RECORD_NO_OUTCOME ? RECORD_INTENT : RECORD_OUTCOME;
	re->way = mem_strdup("api");
	re->command = mem_strdup("delete-topics");
	re->cluster_id = mem_strdup(fixture_cluster(w->fx)->cluster_id);
	re->n_items = 1;
	re->items = mem_array(1, sizeof(*re->items));
	re->items[0] = (struct record_item){ .topic = mem_strdup("orders"), .czxid = w->cm->topics[0].czxid, .outcome = outcome, .kafka_error = kafka_error };
	w->records[w->n_records++] = re;
}

static void a_marker_never_goes_around_an_answer_that_refuses(void **state)
{
	static const int16_t noes[] = { 29, 31, 42, 44, 73, 89 };

	(void)state;
	for (size_t i = 0; i < sizeof(noes) / sizeof(noes[0]); i++) {
		struct world *w = world_with(COMMAND_MARK_TOPICS, true);

		answered_before(w, OUTCOME_REFUSED, noes[i]);
		assert_int_equal(submit(w), GATE_REFUSED);
		assert_has(w->an.why, "a marker would go around that");
		world_free(w);
	}
}

static void a_marker_waits_for_what_came_of_a_request(void **state)
{
	struct world *w = world_with(COMMAND_MARK_TOPICS, true);

	(void)state;
	answered_before(w, RECORD_NO_OUTCOME, 0);
	assert_int_equal(submit(w), GATE_REFUSED);
	assert_has(w->an.why, "is not known");
	answered_before(w, OUTCOME_UNKNOWN, 0);
	assert_int_equal(submit(w), GATE_REFUSED);
	w->fx->at += 600000;
	assert_int_equal(submit(w), GATE_CONFIRM);
	world_free(w);
}

static void what_was_said_of_another_topic_of_that_name_does_not_count(void **state)
{
	struct world *w = world_with(COMMAND_MARK_TOPICS, true);

	(void)state;
	answered_before(w, OUTCOME_REFUSED, 29);
	w->records[0]->items[0].czxid++;
	assert_int_equal(submit(w), GATE_CONFIRM);
	answered_before(w, OUTCOME_REFUSED, 3);
	assert_int_equal(submit(w), GATE_CONFIRM);
	world_free(w);
}

/* A console was killed between sending and the answer: the second request is a conscious one. */
static void a_request_without_an_outcome_is_told_before_the_next(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	const struct finding *fi;

	(void)state;
	answered_before(w, RECORD_NO_OUTCOME, 0);
	w->records[0]->who.login = mem_strdup("night");
	w->records[0]->broker = 3;
	assert_int_equal(submit(w), GATE_CONFIRM);
	fi = findings_find(gate_findings(w->g), "asked-before", "orders");
	assert_non_null(fi);
	assert_int_equal(fi->severity, SEVERITY_WARNING);
	assert_has(fi->text, "by night (0000000000000001), outcome unknown: the request may still lie unread in broker 3");
	assert_null(findings_find(gate_findings(w->g), "asked-before", "payments_eu"));
	answered_before(w, OUTCOME_UNKNOWN, 0);
	assert_int_equal(submit(w), GATE_CONFIRM);
	assert_non_null(findings_find(gate_findings(w->g), "asked-before", "orders"));
	w->fx->at += COMMAND_ASKED_HOLDS_MS;
	assert_int_equal(submit(w), GATE_CONFIRM);
	assert_null(findings_find(gate_findings(w->g), "asked-before", "orders"));
	world_free(w);
}

static void a_request_is_open_until_its_own_outcome(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);

	(void)state;
	answered_before(w, RECORD_NO_OUTCOME, 0);
	answered_before(w, OUTCOME_REFUSED, 29);
	w->records[1]->id = 2;
	assert_int_equal(submit(w), GATE_CONFIRM);
	assert_non_null(findings_find(gate_findings(w->g), "asked-before", "orders"));
	answered_before(w, OUTCOME_REFUSED, 29);
	assert_int_equal(submit(w), GATE_CONFIRM);
	assert_null(findings_find(gate_findings(w->g), "asked-before", "orders"));
	world_free(w);
}

static void an_intent_says_to_whom_it_goes(void **state)
{
	struct world *w = world_with(COMMAND_DELETE_TOPICS, true);
	const struct cluster *cl = fixture_cluster(w->fx);

	(void)state;
	must_send(w);
	assert_int_equal(w->records[0]->broker, cl->controller.broker);
	assert_int_equal(w->records[0]->controller_epoch, cl->controller_epoch);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_and_answer_gives_exactly_its_calls_and_lines),
		cmocka_unit_test(nothing_but_the_exact_words_confirm),
		cmocka_unit_test(a_token_is_good_for_its_command_alone_and_once),
		cmocka_unit_test(facts_that_changed_are_shown_before_anything_is_sent),
		cmocka_unit_test(a_topic_made_again_between_check_and_act_is_refused),
		cmocka_unit_test(one_that_is_queued_already_is_never_asked_for),
		cmocka_unit_test(groups_go_one_after_the_answer_of_the_other),
		cmocka_unit_test(an_operator_stops_between_two_groups),
		cmocka_unit_test(an_outcome_that_is_not_known_stops_the_rest),
		cmocka_unit_test(a_refusal_of_one_topic_does_not_stop_the_rest_but_one_of_all_does),
		cmocka_unit_test(an_answer_that_leaves_a_topic_out_is_not_known_of_it),
		cmocka_unit_test(an_outcome_of_something_else_is_passed_over),
		cmocka_unit_test(what_the_facts_forbid_by_now_is_left_out_of_the_next_group),
		cmocka_unit_test(facts_that_went_stale_stop_the_next_group),
		cmocka_unit_test(a_full_disk_at_an_outcome_stops_the_next_group),
		cmocka_unit_test(one_command_at_a_time),
		cmocka_unit_test(an_end_in_between_leaves_the_rest_unsent_and_the_request_open),
		cmocka_unit_test(a_refusal_that_cannot_be_written_says_so),
		cmocka_unit_test(a_policy_that_does_not_operate_refuses_even_with_a_port),
		cmocka_unit_test(the_record_tells_who_what_and_how),
		cmocka_unit_test(a_killed_console_leaves_what_was_asked_and_is_not_known),
		cmocka_unit_test(a_marker_never_goes_around_an_answer_that_refuses),
		cmocka_unit_test(a_request_without_an_outcome_is_told_before_the_next),
		cmocka_unit_test(a_request_is_open_until_its_own_outcome),
		cmocka_unit_test(an_intent_says_to_whom_it_goes),
		cmocka_unit_test(a_marker_waits_for_what_came_of_a_request),
		cmocka_unit_test(what_was_said_of_another_topic_of_that_name_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
