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
	assert_int_equal(l.n, 5);
	assert_memory_equal(l.v, expected, sizeof(expected));
	ids_fini(&l);
	assert_null(l.v);
	assert_int_equal(l.n, 0);
}

static void added_ids_are_there_once_and_sorted_ones_go_upwards(void **state)
{
	const int32_t given[] = { 3, -1, 3, INT32_MAX, INT32_MIN, -1 }, expected[] = { INT32_MIN, -1, 3, INT32_MAX };
	struct ids l = { 0 };

	ids_sort(&l);
	for (size_t i = 0; i < 6; i++)
		ids_add(&l, given[i]);
	ids_sort(&l);
	assert_int_equal(l.n, 4);
	assert_memory_equal(l.v, expected, sizeof(expected));
	ids_fini(&l);
}

static void a_member_is_found_and_nothing_else(void **state)
{
	const int32_t v[] = { 5, 7 };

	assert_true(ids_has(v, 2, 7));
	assert_false(ids_has(v, 1, 7));
	assert_false(ids_has(v, 2, BROKER_NONE));
	assert_false(ids_has(NULL, 0, 7));
}

static const char *name_at(const void *list, size_t i)
{
	return ((const char *const *)list)[i];
}

static void a_name_has_one_place_in_a_sorted_list(void **state)
{
	static const char *const names[] = { "B", "a", "a.b", "\xff" };
	bool is_there;

	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(names_place(names, 4, name_at, names[i], &is_there), i);
		assert_true(is_there);
	}
	assert_int_equal(names_place(names, 4, name_at, "a-b", &is_there), 2);
	assert_false(is_there);
	assert_int_equal(names_place(names, 4, name_at, "\xff\xff", NULL), 4);
	assert_int_equal(names_place(names, 0, name_at, "a", &is_there), 0);
	assert_false(is_there);
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
		cmocka_unit_test(added_ids_are_there_once_and_sorted_ones_go_upwards),
		cmocka_unit_test(a_member_is_found_and_nothing_else),
		cmocka_unit_test(a_name_has_one_place_in_a_sorted_list),
		cmocka_unit_test(internal_topics_go_by_their_whole_name),
		cmocka_unit_test(names_are_ordered_as_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
