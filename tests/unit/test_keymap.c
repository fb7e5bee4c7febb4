/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "ui/keymap.h"

static void no_key_is_bound_twice_in_one_place(void **state)
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		for (enum action b = a; b < ACTION_COUNT; b++) {
			const char *ka = keymap_row(a)->keys, *kb;
			unsigned wa = keymap_row(a)->where, wb = keymap_row(b)->where;
			int32_t x, y;

			/* A replay's keys work on every screen. */
			wa |= wa & IN_REPLAY ? IN_ALL : 0;
			wb |= wb & IN_REPLAY ? IN_ALL : 0;
			if (a == b || !(wa & wb))
				continue;
			while (keymap_next_key(&ka, &x))
				for (kb = keymap_row(b)->keys; keymap_next_key(&kb, &y);)
					if (x == y)
						fail_msg("%s and %s share a key", keymap_row(a)->help, keymap_row(b)->help);
		}
	}
}

static void every_key_has_a_name_that_is_known(void **state)
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const char *at = keymap_row(a)->keys;
		int32_t key;

		while (keymap_next_key(&at, &key))
			assert_int_not_equal(key, KEYS_NONE);
	}
}

static void every_action_has_help_and_a_way_to_it(void **state)
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_row *ar = keymap_row(a);

		assert_int_equal(ar->id, a);
		assert_true(strlen(ar->help) > 5);
		assert_int_not_equal(ar->help[strlen(ar->help) - 1], '.');
		assert_true(*ar->keys || *ar->name);
		assert_true(ar->where != 0);
		assert_string_not_equal(keymap_place(ar->where), "In some places");
	}
}

static void names_are_given_once(void **state)
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++)
		if (*keymap_row(a)->name)
			assert_int_equal(keymap_by_name(~0u, keymap_row(a)->name), a);
}

static void keys_that_tmux_screen_and_flow_control_take_are_not_used(void **state)
{
	static const int32_t taken[] = { 'A' - '@', 'B' - '@', 'S' - '@', 'Q' - '@' };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		assert_int_equal(keymap_find(~0u, taken[i]), ACTION_NONE);
}

static void keys_are_looked_up_by_place(void **state)
{
	assert_int_equal(keymap_find(IN_TOPICS, KEYS_ENTER), ACTION_OPEN);
	assert_int_equal(keymap_find(IN_BROKERS, KEYS_ENTER), ACTION_OPEN);
	assert_int_equal(keymap_find(IN_TOPIC, KEYS_ENTER), ACTION_NONE);
	assert_int_equal(keymap_find(IN_OVERVIEW, KEYS_ENTER), ACTION_OPEN);
	assert_int_equal(keymap_find(IN_OVERVIEW, 's'), ACTION_NONE);
	assert_int_equal(keymap_find(IN_TOPIC, '1'), ACTION_VIEW_OVERVIEW);
	assert_int_equal(keymap_find(IN_HELP, ' '), ACTION_HELP_PAGE);
	assert_int_equal(keymap_find(IN_PROMPT, KEYS_ENTER), ACTION_LINE_ACCEPT);
	assert_int_equal(keymap_find(IN_TOPIC, 'j'), ACTION_DOWN);
	assert_int_equal(keymap_find(IN_PROMPT, 'j'), ACTION_NONE);
	assert_int_equal(keymap_find(IN_HELP, KEYS_F0 + 2), ACTION_VIEW_TOPICS);
	assert_int_equal(keymap_find(IN_TOPICS, 'L' - '@'), ACTION_REPAINT);
	assert_int_equal(keymap_find(IN_TOPICS, '['), ACTION_NONE);
	assert_int_equal(keymap_find(IN_TOPICS | IN_REPLAY, '['), ACTION_REPLAY_BACK);
	assert_int_equal(keymap_find(IN_TOPICS, KEYS_NONE), ACTION_NONE);
	assert_int_equal(keymap_by_name(IN_TOPICS, "brokers"), ACTION_VIEW_BROKERS);
	assert_int_equal(keymap_by_name(IN_TOPICS, ""), ACTION_NONE);
	assert_int_equal(keymap_by_name(IN_BROKERS, "delete"), ACTION_NONE);
}

static void labels_fit_into_eighty_columns(void **state)
{
	static const unsigned places[] = { IN_OVERVIEW, IN_TOPICS, IN_TOPIC, IN_BROKERS, IN_BROKER, IN_HELP, IN_PROMPT };

	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
		size_t columns = 0;

		for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
			const struct action_row *ar = keymap_row(a);

			if ((ar->where & places[p]) && *ar->label)
				columns += strcspn(ar->keys, " ") + 1 + utf8_columns(ar->label) + 1;
		}
		assert_true(columns <= 80 + 1); /* behind the last there is no blank */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_is_bound_twice_in_one_place),
		cmocka_unit_test(every_key_has_a_name_that_is_known),
		cmocka_unit_test(every_action_has_help_and_a_way_to_it),
		cmocka_unit_test(names_are_given_once),
		cmocka_unit_test(keys_that_tmux_screen_and_flow_control_take_are_not_used),
		cmocka_unit_test(keys_are_looked_up_by_place),
		cmocka_unit_test(labels_fit_into_eighty_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
