/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/event.h"
#include "core/model.h"
#include "core/outcome.h"
#include "core/pattern.h"
#include "core/policy.h"

static void protect(struct policy *po, const char *pattern)
{
	struct err err;

	err_init(&err);
	po->protected_topics = mem_realloc_array(po->protected_topics, po->n_protected + 1, sizeof(struct pattern *));
	po->protected_topics[po->n_protected] = pattern_new(pattern, &err);
	assert_non_null(po->protected_topics[po->n_protected]);
	po->n_protected++;
}

static void by_default_nothing_may_be_changed_and_nothing_is_protected(void **state)
{
	struct policy po;

	(void)state;
	policy_init(&po);
	assert_false(po.operate);
	assert_false(po.internal_by_hand || po.protected_by_hand);
	assert_int_equal(po.many_topics, 20);
	assert_int_equal(po.many_percent, 5);
	assert_int_equal(po.group_topics, 20);
	assert_false(policy_protects(&po, "orders"));
	policy_fini(&po);
}

static void a_pattern_protects_whole_names(void **state)
{
	struct policy po;

	(void)state;
	policy_init(&po);
	protect(&po, "pay.*,ledger");
	protect(&po, "audit");
	assert_true(policy_protects(&po, "payments"));
	assert_true(policy_protects(&po, "ledger"));
	assert_true(policy_protects(&po, "audit"));
	assert_false(policy_protects(&po, "audit.copy"));
	assert_false(policy_protects(&po, "ledgers"));
	policy_fini(&po);
}

/* A pattern that goes on for ever on this name. */
static void a_name_that_a_pattern_gives_up_on_counts_as_protected(void **state)
{
	struct policy po;
	char name[300];

	(void)state;
	policy_init(&po);
	protect(&po, "(a|aa)*(a|aa)*(a|aa)*(a|aa)*b");
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_true(policy_protects(&po, name));
	assert_false(policy_protects(&po, "orders"));
	policy_fini(&po);
}

static void an_outcome_goes_with_its_event_and_leaves_the_model_alone(void **state)
{
	struct model *md = model_new();
	struct outcome *oc = outcome_new(7, 2);
	struct event *ev;

	(void)state;
	oc->items[0].name = mem_strdup("orders");
	oc->items[1].name = mem_strdup("web");
	oc->items[1].code = OUTCOME_REFUSED;
	oc->items[1].text = mem_strdup("no permission");
	ev = event_outcome(oc, (mono_ms){ 5 }, (wall_ms){ 6 });
	assert_string_equal(event_kind_name(ev->kind), "outcome");
	model_apply(md, ev);
	assert_int_equal(model_changes(md).bits, 0);
	model_free(&md);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default_nothing_may_be_changed_and_nothing_is_protected),
		cmocka_unit_test(a_pattern_protects_whole_names),
		cmocka_unit_test(a_name_that_a_pattern_gives_up_on_counts_as_protected),
		cmocka_unit_test(an_outcome_goes_with_its_event_and_leaves_the_model_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
