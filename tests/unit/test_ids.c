/* SPDX-License-Identifier: Apache-2.0 */
#include "core/ids.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void pushed_ids_keep_their_order_and_repeats(void **state)
{
	const int32_t expected[] = { 3, -1, 3, INT32_MAX, INT32_MIN };
	struct ids l = { 0 };

	for (size_t i = 0; i < 5; i++)
		ids_push(&l, expected[i]);
	assert_true(ids_equal(l.v, l.n, expected, 5));
	ids_fini(&l);
	assert_null(l.v);
	assert_int_equal(l.n, 0);
}

static void a_member_is_found_and_nothing_else(void **state)
{
	const int32_t v[] = { 5, 7 };

	assert_true(ids_has(v, 2, 7));
	assert_false(ids_has(v, 1, 7));
	assert_false(ids_has(v, 2, BROKER_NONE));
	assert_false(ids_has(NULL, 0, 7));
}

static void lists_are_equal_only_in_the_same_order(void **state)
{
	const int32_t a[] = { 1, 2, 3 }, b[] = { 1, 3, 2 };

	assert_true(ids_equal(a, 3, a, 3));
	assert_false(ids_equal(a, 3, b, 3));
	assert_false(ids_equal(a, 3, a, 2));
	assert_true(ids_equal(NULL, 0, NULL, 0));
	assert_true(ids_equal(NULL, 0, a, 0));
}

static void internal_topics_go_by_their_whole_name(void **state)
{
	assert_true(topic_is_internal("__consumer_offsets"));
	assert_true(topic_is_internal("__transaction_state"));
	assert_true(topic_is_internal("__share_group_state"));
	assert_false(topic_is_internal("__cluster_metadata"));
	assert_false(topic_is_internal("__audit_app"));
	assert_false(topic_is_internal("__consumer_offsets2"));
	assert_false(topic_is_internal("_schemas"));
	assert_false(topic_is_internal(""));
}

static void names_are_ordered_as_bytes(void **state)
{
	assert_true(topic_name_cmp("Z", "a") < 0);
	assert_true(topic_name_cmp("a", "a.b") < 0);
	assert_true(topic_name_cmp("z", "\xc3\xa9") < 0);
	assert_int_equal(topic_name_cmp("orders", "orders"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushed_ids_keep_their_order_and_repeats),
		cmocka_unit_test(a_member_is_found_and_nothing_else),
		cmocka_unit_test(lists_are_equal_only_in_the_same_order),
		cmocka_unit_test(internal_topics_go_by_their_whole_name),
		cmocka_unit_test(names_are_ordered_as_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
