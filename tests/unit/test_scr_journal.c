/* SPDX-License-Identifier: Apache-2.0 */
/* ui/scr_journal: what this console itself is carrying out is under way, not unknown. The gate is the real one, over a write port that never answers. */
#include "ui/scr_journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/gate.h"
#include "app/operate.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/policy.h"
#include "core/port_write.h"
#include "core/record.h"
#include "io/journal.h"
#include "tests/unit/fixture.h"
#include "ui/change.h"
#include "view/table.h"

enum { OUTCOME_COLUMN = 3 };

/* In place of app/operate, which needs a session. */
struct operate {
	struct gate *gate;
};

struct operate *operate_new(const struct options *opt, struct session *ss, struct err *err)
{
	(void)opt, (void)ss, (void)err;
	return NULL;
}

void operate_free(struct operate **pp, const struct gate_facts *fa)
{
	(void)pp, (void)fa;
}

struct gate *operate_gate(const struct operate *op)
{
	return op->gate;
}

static bool take_request(void *ctx, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
{
	(void)ctx, (void)id, (void)names, (void)n, (void)timeout_ms, (void)err;
	return true;
}

/* ---- the console ---------------------------------------------------------------------------- */

struct console_like {
	char folder[64], path[JOURNAL_PATH_MAX];
	struct fixture *fx;
	struct policy po;
	struct port_write port;
	struct record_who who;
	struct operate op;
	struct change cg;
	void *list;
};

static struct gate_facts facts(const struct console_like *co)
{
	return (struct gate_facts){ .cl = fixture_cluster(co->fx), .now = fixture_now(co->fx) };
}

static void begin(struct console_like *co)
{
	struct err err;

	memset(co, 0, sizeof(*co));
	err_init(&err);
	assert_true(str_copy(co->folder, sizeof(co->folder), "/tmp/kafops-scr-journal-XXXXXX"));
	assert_non_null(mkdtemp(co->folder));
	assert_int_equal(setenv("XDG_STATE_HOME", co->folder, 1), 0);
	assert_true(journal_default_path(co->path, &err));
	co->fx = fixture_new();
	fixture_load(co->fx, fixture_case("fixture-a.zktree"));
	fixture_said(co->fx, "link 2 up\nasked\nsettings 2 delete.topic.enable=true\n");
	policy_init(&co->po);
	co->po.operate = true;
	co->po.many_percent = 100;
	co->port = (struct port_write){ .ctx = co, .delete_topics = take_request };
	co->who = (struct record_who){ .uid = -1, .pid = 1 };
	co->op.gate = gate_new(&(struct gate_options){
		.policy = &co->po, .port = &co->port, .journal = gate_journal_file(co->path), .who = &co->who, .seed = 5 });
	co->cg.op = &co->op;
	co->list = scr_journal.open(fixture_cluster(co->fx), NULL);
	scr_journal.take_change(co->list, &co->cg);
}

static void end(struct console_like *co)
{
	struct gate_facts fa = facts(co);
	char command[128];

	gate_free(&co->op.gate, &fa);
	scr_journal.close(&co->list);
	policy_fini(&co->po);
	fixture_free(&co->fx);
	str_printf(command, sizeof(command), "rm -rf '%s'", co->folder);
	assert_int_equal(system(command), 0);
}

static void send(struct console_like *co)
{
	struct command *cm = command_new(COMMAND_DELETE_TOPICS);
	struct gate_facts fa = facts(co);
	struct gate_answer an;

	assert_true(command_add_topic(cm, fa.cl, "orders", true));
	an = gate_submit(co->op.gate, cm, NULL, &fa);
	assert_int_equal(an.verdict, GATE_CONFIRM);
	an = gate_confirm(co->op.gate, an.token, "orders", NULL, &fa);
	assert_int_equal(an.verdict, GATE_SENT);
	command_free(&cm);
}

/* Of the first row. Static storage. */
static const char *outcome(struct console_like *co)
{
	static char text[64];
	struct query qu = fixture_query("", -1, false);
	struct arena *ar = arena_new(0);
	const struct table *tb;
	struct row ro;

	memset(&ro, 0, sizeof(ro));
	scr_journal.update(co->list, NULL, &qu, (wall_ms){ fixture_now(co->fx).ms + 1000 });
	tb = scr_journal.table(co->list);
	assert_int_equal(tb->n_rows, 1);
	tb->fill(tb, 0, &ro, ar);
	str_printf(text, sizeof(text), "%s", ro.cells[OUTCOME_COLUMN].text);
	arena_free(&ar);
	return text;
}

/* ---- claims ----------------------------------------------------------------------------------- */

static void what_this_console_carries_out_is_under_way(void **state)
{
	struct console_like co;

	(void)state;
	begin(&co);
	send(&co);
	assert_string_equal(outcome(&co), "under way");
	end(&co);
}

static void what_another_one_left_is_unknown(void **state)
{
	struct console_like co;

	(void)state;
	begin(&co);
	send(&co);
	scr_journal.take_change(co.list, NULL);
	assert_string_equal(outcome(&co), "OUTCOME UNKNOWN");
	end(&co);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_this_console_carries_out_is_under_way),
		cmocka_unit_test(what_another_one_left_is_unknown),
	};

	return cmocka_run_group_tests_name("ui/scr_journal", tests, NULL, NULL);
}
