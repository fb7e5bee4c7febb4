/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_confirm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/appraisal.h"
#include "core/cluster.h"
#include "core/command.h"
#include "core/policy.h"
#include "view/table.h"

struct bench {
	struct cluster cl;
	struct policy po;
	struct command_topic topics[60];
	char names[60][16];
	struct command cm;
	struct finding found[60];
	struct findings fs;
	struct confirm_item items[60];
	struct confirm_facts fa;
	struct vm_confirm *vm;
};

static int32_t three[] = { 3 };
static char waits[] = "Broker 3 is down and holds 2 of its replicas: it will wait for it.", written[] = "Something writes to it: it was written to within 10 s.";

/* 60 topics, all of which would wait for broker 3, and one is written to, too. */
static void begin(struct bench *be)
{
	memset(be, 0, sizeof(*be));
	policy_init(&be->po);
	for (size_t i = 0; i < 60; i++) {
		str_printf(be->names[i], sizeof(be->names[i]), "team12.%02zu", i);
		be->topics[i] = (struct command_topic){ .name = be->names[i], .n_partitions = 1, .n_replicas = 3, .size_bytes = 100, .size_is_whole = true };
		be->found[i] = (struct finding){
			.severity = SEVERITY_WARNING, .kind = "replica-on-dead-broker", .topic = be->names[i], .text = waits, .brokers = { three, 1 }, .n_replicas = 2,
		};
	}
	be->found[41] = (struct finding){ .severity = SEVERITY_WARNING, .kind = "last-writes", .topic = be->names[40], .text = written };
	be->cm = (struct command){ .kind = COMMAND_DELETE_TOPICS, .topics = be->topics, .n_topics = 60 };
	be->fs = (struct findings){ .v = be->found, .n = 60, .n_warnings = 60 };
	be->cl.n_partitions = 200;
	be->fa = (struct confirm_facts){ .step = CONFIRM_TYPE, .cm = &be->cm, .fs = &be->fs, .cl = &be->cl, .po = &be->po, .confirm = "This can't be undone." };
	be->vm = vm_confirm_new();
}

static void end(struct bench *be)
{
	vm_confirm_free(&be->vm);
	policy_fini(&be->po);
}

/* The line that has `text`, from 1; 0: none has. */
static size_t line_of(const struct bench *be, const char *text)
{
	const struct table *tb = vm_confirm_table(be->vm);
	struct arena *ar = arena_new(0);
	size_t at = 0;

	for (size_t i = 0; i < tb->n_rows && at == 0; i++) {
		struct row row = { .mark = 0 };

		tb->fill(tb, i, &row, ar);
		at = row.cells[1].text != NULL && strstr(row.cells[1].text, text) != NULL ? i + 1 : 0;
	}
	arena_free(&ar);
	return at;
}

static void with_a_broker_dead_the_effect_and_the_first_topics_fit_a_small_screen(void **state)
{
	struct bench be;

	(void)state;
	begin(&be);
	assert_true(vm_confirm_update(be.vm, &be.fa));
	assert_in_range(line_of(&be, "Broker 3 is down and holds replicas of 59 of them, 118 replicas"), 1, 4);
	assert_in_range(line_of(&be, "team12.40: Something writes to it"), 1, 7);
	assert_in_range(line_of(&be, "team12.00  "), 1, 14);
	assert_in_range(line_of(&be, "team12.05  "), 1, 18);
	assert_int_equal(line_of(&be, "more; Esc and D show all"), 0);
	end(&be);
}

static bool remade(struct bench *be)
{
	return vm_confirm_update(be->vm, &be->fa);
}

static void a_page_is_made_again_only_when_something_on_it_differs(void **state)
{
	struct appraisal ap = { .writes_pending = true, .writes_again = { 9000 } };
	struct bench be;
	char dir[] = "another";

	(void)state;
	begin(&be);
	assert_true(remade(&be));
	assert_false(remade(&be));
	vm_confirm_resize(be.vm, 120);
	assert_true(remade(&be));
	be.fa.step = CONFIRM_CHECK;
	assert_true(remade(&be));
	be.fa.difference = "one";
	assert_true(remade(&be));
	be.fa.difference = NULL;
	be.fa.refused = "one";
	assert_true(remade(&be));
	be.found[7].text = dir;
	assert_true(remade(&be));
	be.cl.n_partitions++;
	assert_true(remade(&be));
	be.fa.offers_znode = true;
	assert_true(remade(&be));
	assert_false(remade(&be));
	be.fa.ap = &ap;
	assert_true(remade(&be));
	be.fa.now.ms += 1000;
	assert_true(remade(&be)); /* "asking again in 8 s" */
	assert_false(remade(&be));
	be.fa.items = be.items;
	be.fa.n_items = 60;
	assert_true(remade(&be));
	be.items[59].state = CONFIRM_TAKEN;
	assert_true(remade(&be));
	assert_false(remade(&be));
	assert_true(vm_confirm_update(be.vm, NULL));
	assert_false(vm_confirm_update(be.vm, NULL));
	end(&be);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_a_broker_dead_the_effect_and_the_first_topics_fit_a_small_screen),
		cmocka_unit_test(a_page_is_made_again_only_when_something_on_it_differs),
	};

	return cmocka_run_group_tests_name("view/vm_confirm", tests, NULL, NULL);
}
