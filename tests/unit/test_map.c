/* SPDX-License-Identifier: Apache-2.0 */
/* KAFOPS_SEED=N repeats a run of the property loop. */
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"

enum { MANY = 50000, MODEL_KEYS = 40, RANDOM_STEPS = 200000 };

static int values[MANY];

static const char *key_of(int i)
{
	static char key[32];

	str_printf(key, sizeof(key), "topic-%d", i);
	return key;
}

static void empty_map_finds_nothing(void **state)
{
	struct map *mp = map_new();
	struct map_iter it = map_iter(mp);

	assert_int_equal(map_count(mp), 0);
	assert_null(map_find(mp, ""));
	assert_null(map_remove(mp, "a"));
	assert_false(map_next(&it, NULL, NULL));
	map_clear(mp, NULL);
	map_free(&mp, NULL);
	assert_null(mp);
	map_free(&mp, NULL);
}

static void set_gives_back_the_value_it_replaces(void **state)
{
	struct map *mp = map_new();

	assert_null(map_set(mp, "a", &values[1]));
	assert_ptr_equal(map_set(mp, "a", &values[2]), &values[1]);
	assert_ptr_equal(map_find(mp, "a"), &values[2]);
	assert_int_equal(map_count(mp), 1);
	assert_ptr_equal(map_remove(mp, "a"), &values[2]);
	assert_null(map_find(mp, "a"));
	assert_int_equal(map_count(mp), 0);
	map_free(&mp, NULL);
}

static void keys_are_copied(void **state)
{
	struct map *mp = map_new();
	char key[] = "abc";

	map_set(mp, key, &values[1]);
	key[0] = 'x';
	assert_ptr_equal(map_find(mp, "abc"), &values[1]);
	assert_null(map_find(mp, key));
	map_free(&mp, NULL);
}

static void keys_of_every_length_are_told_apart(void **state)
{
	struct map *mp = map_new();
	char key[101];

	for (size_t n = 0; n <= 100; n++) {
		memset(key, 'k', n);
		key[n] = '\0';
		assert_null(map_set(mp, key, &values[n]));
	}
	for (size_t n = 0; n <= 100; n++) {
		memset(key, 'k', n);
		key[n] = '\0';
		assert_ptr_equal(map_find(mp, key), &values[n]);
	}
	map_free(&mp, NULL);
}

static void many_keys_are_found_in_order_of_insertion(void **state)
{
	struct map *mp = map_new();
	struct map_iter it;
	const char *key;
	void *value;
	int i;

	for (i = 0; i < MANY; i++)
		map_set(mp, key_of(i), &values[i]);
	assert_int_equal(map_count(mp), MANY);
	for (i = 0; i < MANY; i++)
		assert_ptr_equal(map_find(mp, key_of(i)), &values[i]);
	assert_null(map_find(mp, key_of(MANY)));
	it = map_iter(mp);
	for (i = 0; map_next(&it, &key, &value); i++) {
		assert_ptr_equal(value, &values[i]);
		assert_string_equal(key, key_of(i));
	}
	assert_int_equal(i, MANY);
	map_free(&mp, NULL);
}

static void iteration_survives_removal_of_where_it_stands(void **state)
{
	struct map *mp = map_new();
	struct map_iter it;
	const char *key;
	int seen = 0;

	for (int i = 0; i < 1000; i++)
		map_set(mp, key_of(i), &values[i]);
	it = map_iter(mp);
	while (map_next(&it, &key, NULL)) {
		if (seen++ % 2 == 0)
			assert_non_null(map_remove(mp, key));
	}
	assert_int_equal(seen, 1000);
	assert_int_equal(map_count(mp), 500);
	assert_null(map_find(mp, key_of(998)));
	assert_ptr_equal(map_find(mp, key_of(999)), &values[999]);
	map_free(&mp, NULL);
}

static void churn_does_not_grow_the_order(void **state)
{
	struct map *mp = map_new();
	struct map_iter it;
	const char *key;

	map_set(mp, "first", &values[0]);
	for (int i = 0; i < MANY; i++) {
		map_set(mp, key_of(i), &values[i]);
		assert_ptr_equal(map_remove(mp, key_of(i)), &values[i]);
	}
	map_set(mp, "last", &values[1]);
	it = map_iter(mp);
	assert_true(map_next(&it, &key, NULL));
	assert_string_equal(key, "first");
	assert_true(map_next(&it, &key, NULL));
	assert_string_equal(key, "last");
	assert_false(map_next(&it, NULL, NULL));
	map_free(&mp, NULL);
}

static void count_free(void *value)
{
	++*(int *)value;
}

static void clear_and_free_give_up_each_value_once(void **state)
{
	struct map *mp = map_new();
	int freed[3] = { 0 };

	map_set(mp, "a", &freed[0]);
	map_set(mp, "b", &freed[1]);
	map_remove(mp, "b");
	map_clear(mp, count_free);
	assert_int_equal(map_count(mp), 0);
	assert_null(map_find(mp, "a"));
	map_set(mp, "c", &freed[2]);
	map_free(&mp, count_free);
	assert_int_equal(freed[0], 1);
	assert_int_equal(freed[1], 0);
	assert_int_equal(freed[2], 1);
}

/* ---- against a model ----------------------------------------------------- */

/* Key i has value model.value[i]; `order` lists the keys present, oldest first. */
struct model {
	void *value[MODEL_KEYS];
	int order[MODEL_KEYS];
	int count;
};

static void *model_remove(struct model *md, int i)
{
	void *before = md->value[i];
	int at = 0;

	if (!before)
		return NULL;
	while (md->order[at] != i)
		at++;
	md->count--;
	for (; at < md->count; at++)
		md->order[at] = md->order[at + 1];
	md->value[i] = NULL;
	return before;
}

static void *model_set(struct model *md, int i, void *value)
{
	void *before = md->value[i];

	if (!before)
		md->order[md->count++] = i;
	md->value[i] = value;
	return before;
}

static void assert_same(const struct map *mp, const struct model *md)
{
	struct map_iter it = map_iter(mp);
	const char *key;
	void *value;

	assert_int_equal(map_count(mp), md->count);
	for (int at = 0; at < md->count; at++) {
		assert_true(map_next(&it, &key, &value));
		assert_string_equal(key, key_of(md->order[at]));
		assert_ptr_equal(value, md->value[md->order[at]]);
	}
	assert_false(map_next(&it, NULL, NULL));
}

static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void random_start(void)
{
	const char *seed = getenv("KAFOPS_SEED");
	int64_t v;

	if (!seed || !str_to_i64(seed, 1, INT64_MAX, &v))
		v = (int64_t)time(NULL);
	print_message("# KAFOPS_SEED=%lld\n", (long long)v);
	random_state = (uint64_t)v * 0x9e3779b97f4a7c15u | 1;
}

static void random_steps_agree_with_the_model(void **state)
{
	struct map *mp = map_new();
	struct model md = { .count = 0 };

	random_start();
	for (int step = 0; step < RANDOM_STEPS; step++) {
		int i = (int)(random_next() % MODEL_KEYS);
		uint64_t dice = random_next() % 1000;
		void *value = &values[random_next() % MANY];

		if (dice == 0) {
			map_clear(mp, NULL);
			md = (struct model){ .count = 0 };
		} else if (dice < 450) {
			assert_ptr_equal(map_set(mp, key_of(i), value), model_set(&md, i, value));
		} else if (dice < 900) {
			assert_ptr_equal(map_remove(mp, key_of(i)), model_remove(&md, i));
		} else {
			assert_ptr_equal(map_find(mp, key_of(i)), md.value[i]);
		}
		if (step % 16 == 0)
			assert_same(mp, &md);
	}
	assert_same(mp, &md);
	map_free(&mp, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_map_finds_nothing),
		cmocka_unit_test(set_gives_back_the_value_it_replaces),
		cmocka_unit_test(keys_are_copied),
		cmocka_unit_test(keys_of_every_length_are_told_apart),
		cmocka_unit_test(many_keys_are_found_in_order_of_insertion),
		cmocka_unit_test(iteration_survives_removal_of_where_it_stands),
		cmocka_unit_test(churn_does_not_grow_the_order),
		cmocka_unit_test(clear_and_free_give_up_each_value_once),
		cmocka_unit_test(random_steps_agree_with_the_model),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
