/* SPDX-License-Identifier: Apache-2.0 */
/* zk_watch against tests/unit/fakezk: what is read and told, in which order, and what cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "tests/unit/fakezk.h"

static void everything_is_read_once_and_watched(void **state)
{
	fake_begin_with_topic();
	fake_put_topic("u", 1);
	fake_settle();
	assert_string_equal(fake_fact(EV_TOPICS, NULL, -1), "present t u");
	assert_true(fake_is_present(EV_TOPIC, "u", -1));
	assert_true(fake_is_present(EV_STATE, "u", 0));
	assert_true(fake_is_present(EV_STATE, "t", 1));
	assert_true(fake_is_present(EV_TOPIC_CONFIG, "t", -1));
	assert_true(fake_is_present(EV_CONTROLLER, NULL, -1));
	assert_string_equal(fake_fact(EV_REASSIGN, NULL, -1), "absent");
	assert_int_equal(zk_watch_paths(fake.w), map_count(fake.data_watches) + map_count(fake.child_watches));
	fake_finish();
}

static void loaded_is_told_once_when_all_is_read(void **state)
{
	fake_begin(50, false);
	fake_put_roots();
	fake_put_topic("t", 2);
	zk_watch_start(fake.w);
	assert_false(zk_watch_is_loaded(fake.w));
	while (fake.n_loaded == 0) {
		assert_true(fake_deliver() || fake_serve());
		if (fake.n_loaded > 0)
			break;
		assert_false(zk_watch_is_loaded(fake.w));
	}
	assert_true(fake_is_present(EV_STATE, "t", 1));
	assert_int_equal(fake.last_done, fake.last_total);
	fake_put_topic("u", 2);
	fake_settle();
	assert_int_equal(fake.n_loaded, 1);
	assert_true(zk_watch_is_loaded(fake.w));
	fake_finish();
}

static void progress_is_told_every_tenth_of_a_second_at_most(void **state)
{
	char name[16];

	fake_begin(10, false);
	fake_put_roots();
	for (int i = 0; i < 200; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		fake_put_topic(name, 1);
	}
	zk_watch_start(fake.w);
	for (int i = 0; fake_deliver() || fake_serve(); i++)
		fake.now_ms += i % 2; /* some 200 ms in all */
	assert_int_equal(fake.n_loaded, 1);
	assert_in_range(fake.n_progress, 2, (size_t)(fake.now_ms - 1000) / 100 + 1);
	fake_finish();
}

static void change_is_read_and_told(void **state)
{
	char want[32];

	fake_begin_with_topic();
	fake_put_state("t", 0, 5);
	fake_settle();
	assert_true(str_printf(want, sizeof(want), "present %lld", (long long)fake_node_at(FAKE_STATE0)->mzxid));
	assert_string_equal(fake_fact(EV_STATE, "t", 0), want);
	assert_int_equal(fake_times_asked("get " FAKE_STATE0 "\n"), 1);
	fake_finish();
}

static void firings_before_the_read_coalesce(void **state)
{
	fake_begin_with_topic();
	zk_watch_fired(fake.w, FAKE_STATE0);
	zk_watch_fired(fake.w, FAKE_STATE0);
	fake_settle();
	assert_in_range(fake_times_asked("get " FAKE_STATE0 "\n"), 1, 2);
	fake_finish();
}

static void firing_while_reading_reads_once_more(void **state)
{
	fake_begin_with_topic();
	fake_put_state("t", 0, 1);
	assert_true(fake_deliver()); /* the firing: a read is out */
	zk_watch_fired(fake.w, FAKE_STATE0);
	zk_watch_fired(fake.w, FAKE_STATE0);
	zk_watch_fired(fake.w, FAKE_STATE0);
	fake_settle();
	assert_int_equal(fake_times_asked("get " FAKE_STATE0 "\n"), 2);
	fake_finish();
}

static void storm_on_one_node_ends_with_its_last_value(void **state)
{
	char want[32];

	fake_begin_with_topic();
	for (int i = 1; i <= 500; i++) {
		fake_put_state("t", 0, i);
		if (i % 3 == 0)
			fake_deliver();
		if (i % 2 == 0)
			fake_serve();
	}
	fake_settle();
	assert_true(str_printf(want, sizeof(want), "present %lld", (long long)fake_node_at(FAKE_STATE0)->mzxid));
	assert_string_equal(fake_fact(EV_STATE, "t", 0), want);
	assert_true(fake_times_asked("get " FAKE_STATE0 "\n") <= 500);
	fake_finish();
}

static void missing_root_is_absent_and_seen_when_it_appears(void **state)
{
	fake_begin(50, false);
	zk_watch_start(fake.w);
	assert_true(fake_serve() && fake_deliver()); /* /controller, not there */
	assert_string_equal(fake_fact(EV_CONTROLLER, NULL, -1), "unknown"); /* not before its watch is set */
	fake_settle();
	assert_int_equal(fake_times_asked("exists /controller\n"), 1);
	assert_string_equal(fake_fact(EV_CONTROLLER, NULL, -1), "absent");
	assert_string_equal(fake_fact(EV_TOPICS, NULL, -1), "absent");
	assert_int_equal(fake.n_loaded, 1);
	fake_put_roots();
	fake_put_topic("t", 1);
	fake_settle();
	assert_true(fake_is_present(EV_CONTROLLER, NULL, -1));
	assert_true(fake_is_present(EV_STATE, "t", 0));
	fake_del("/controller");
	fake_settle();
	assert_string_equal(fake_fact(EV_CONTROLLER, NULL, -1), "absent");
	fake_put("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}");
	fake_settle();
	assert_true(fake_is_present(EV_CONTROLLER, NULL, -1));
	fake_finish();
}

static void created_between_get_and_exists_is_seen(void **state)
{
	fake_begin(1, false);
	zk_watch_start(fake.w);
	assert_true(fake_serve() && fake_deliver()); /* get /controller: not there; others wait before the exists */
	fake_put_roots();
	fake_settle();
	assert_true(fake_is_present(EV_CONTROLLER, NULL, -1));
	fake_finish();
}

static void chroot_emptied_and_filled_again_is_read_again(void **state)
{
	fake_begin_with_topic();
	fake_del_all("/brokers");
	fake_del_all("/controller");
	fake_del_all("/config");
	fake_settle();
	assert_string_equal(fake_fact(EV_TOPICS, NULL, -1), "absent");
	assert_string_equal(fake_fact(EV_TOPIC, "t", -1), "unknown");
	fake_put_roots();
	fake_put_topic("t", 3);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 2));
	assert_true(fake_is_present(EV_CONTROLLER, NULL, -1));
	fake_finish();
}

static void window_bounds_what_is_in_flight(void **state)
{
	char name[16];

	fake_begin(7, false);
	fake_put_roots();
	for (int i = 0; i < 100; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		fake_put_topic(name, 5);
	}
	zk_watch_start(fake.w);
	fake_settle();
	assert_int_equal(fake.n_loaded, 1);
	assert_int_equal(fake.max_requests, 7);
	assert_true(fake_is_present(EV_STATE, "t099", 4));
	fake_finish();
}

static void put_many(void)
{
	char name[16];

	fake_put_roots();
	for (int i = 0; i < 30; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		fake_put_topic(name, 20);
	}
}

static void what_is_on_view_does_not_queue_behind_a_wide_window(void **state)
{
	fake_begin(500, false);
	put_many();
	zk_watch_start(fake.w);
	fake_settle();
	assert_int_equal(fake.max_requests, 100);
	fake_finish();
}

static void what_is_read_but_once_takes_all_of_the_window_at_once(void **state)
{
	fake_begin(500, true);
	put_many();
	zk_watch_start(fake.w);
	fake_settle();
	assert_int_equal(fake.n_loaded, 1);
	assert_int_equal(fake.max_requests, 500);
	fake_finish();
}

static void begin_with_many(unsigned window)
{
	char name[16];

	fake_begin(window, false);
	fake_put_roots();
	for (int i = 0; i < 200; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		fake_put_topic(name, 2);
		fake_put_config(name);
	}
	zk_watch_start(fake.w);
}

static void first_topics_by_name_are_read_in_full_before_the_rest(void **state)
{
	begin_with_many(4);
	fake_settle();
	assert_true(fake_asked_at("get /brokers/topics/t000/partitions/1/state\n") < fake_asked_at("get /brokers/topics/t070\n"));
	assert_true(fake_asked_at("get /brokers/topics/t059/partitions/1/state\n") < fake_asked_at("get /brokers/topics/t070\n"));
	assert_true(fake_asked_at("get /brokers/topics/t199\n") < fake_asked_at("get /brokers/topics/t070/partitions/0/state\n"));
	assert_true(fake_asked_at("get /brokers/topics/t199/partitions/1/state\n") < fake_asked_at("get /config/topics/t000\n"));
	fake_finish();
}

static void wanted_topics_are_read_before_all_else_in_order(void **state)
{
	static const char *const want[] = { "t150", "t120", "no such topic" };

	begin_with_many(4);
	while (fake_times_asked("get /brokers/topics/t001\n") == 0)
		assert_true(fake_deliver() || fake_serve());
	zk_watch_want(fake.w, want, 3);
	fake_settle();
	assert_true(fake_asked_at("get /brokers/topics/t150\n") < fake_asked_at("get /brokers/topics/t120\n"));
	assert_true(fake_asked_at("get /brokers/topics/t150/partitions/1/state\n") < fake_asked_at("get /brokers/topics/t030\n"));
	assert_true(fake_asked_at("get /brokers/topics/t120/partitions/1/state\n") < fake_asked_at("get /brokers/topics/t030\n"));
	assert_true(fake_asked_at("get /config/topics/t150\n") < fake_asked_at("get /brokers/topics/t030\n"));
	fake_finish();
}

static void want_from_before_the_list_is_remembered(void **state)
{
	static const char *const want[] = { "t150" };

	begin_with_many(4);
	zk_watch_want(fake.w, want, 1);
	fake_settle();
	assert_true(fake_asked_at("get /brokers/topics/t150/partitions/1/state\n") < fake_asked_at("get /brokers/topics/t005/partitions/0/state\n"));
	fake_finish();
}

static void what_is_no_longer_wanted_waits_its_turn(void **state)
{
	static const char *const first[] = { "t150" }, *const second[] = { "t160" };

	begin_with_many(1);
	while (fake_times_asked("get /brokers/topics/t000\n") == 0)
		assert_true(fake_deliver() || fake_serve());
	zk_watch_want(fake.w, first, 1);
	zk_watch_want(fake.w, second, 1);
	fake_settle();
	assert_true(fake_asked_at("get /brokers/topics/t160\n") < fake_asked_at("get /brokers/topics/t150\n"));
	zk_watch_want(fake.w, NULL, 0);
	fake_finish();
}

static void once_reads_all_and_watches_nothing(void **state)
{
	fake_begin(50, true);
	fake_put_roots();
	fake_put_topic("t", 2);
	fake_put_assignment("u", 0, 1);
	zk_watch_start(fake.w);
	fake_settle();
	assert_int_equal(fake.n_loaded, 1);
	assert_int_equal(fake_times_asked("exists"), 0);
	assert_int_equal(zk_watch_paths(fake.w), 0);
	assert_true(fake_is_present(EV_STATE, "t", 1));
	assert_string_equal(fake_fact(EV_STATE, "u", 0), "absent");
	assert_string_equal(fake_fact(EV_MIGRATION, NULL, -1), "absent");
	fake_finish();
}

static void no_permission_is_unreadable_and_tried_again_each_minute(void **state)
{
	fake_begin_with_topic();
	fake_put("/config/brokers/1", "{\"version\":1,\"config\":{}}");
	map_set(fake.denied, "/config/brokers/1", &fake_something);
	fake_settle();
	assert_string_equal(fake_fact(EV_BROKER_CONFIG, "1", -1), "unreadable");
	assert_string_equal(fake.last_why, "no permission to read it");
	strbuf_clear(&fake.log);
	fake.now_ms += 30000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get"), 0);
	map_remove(fake.denied, "/config/brokers/1");
	fake.now_ms += 30000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get"), 1);
	assert_true(fake_is_present(EV_BROKER_CONFIG, "1", -1));
	fake.now_ms += 600000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get"), 1);
	fake_finish();
}

static void while_nobody_takes_facts_changes_pile_up_once_a_path(void **state)
{
	fake_begin_with_topic();
	fake_settle();
	strbuf_clear(&fake.log);
	fake.is_full = true;
	for (int i = 0; i < 100; i++) {
		fake_put_state("t", 0, 10 + i);
		fake_settle();
	}
	assert_int_equal(fake_times_asked("get"), 0);
	fake.is_full = false;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get"), 1);
	fake_put_state("t", 0, 200);
	fake_settle();
	assert_int_equal(fake_times_asked("get"), 2);
	fake_finish();
}

static void unreadable_payload_is_still_watched(void **state)
{
	fake_begin_with_topic();
	fake_put(FAKE_STATE0, "{\"leader\":");
	fake_settle();
	assert_string_equal(fake_fact(EV_STATE, "t", 0), "unreadable");
	fake_put_state("t", 0, 4);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 0));
	fake_put("/brokers/topics/t", "rubbish"); /* its partitions stay as they were */
	fake_put_state("t", 0, 5);
	fake_settle();
	assert_string_equal(fake_fact(EV_TOPIC, "t", -1), "unreadable");
	assert_true(fake_times_asked("get " FAKE_STATE0 "\n") >= 3);
	fake_finish();
}

static void names_that_are_no_ids_or_too_long_are_skipped(void **state)
{
	char path[ZKPATH_MAX], name[ZNODE_NAME_MAX + 2];

	fake_begin(50, false);
	fake_put_roots();
	fake_put("/brokers/ids/1", "{\"version\":1,\"host\":\"h\",\"port\":9092,\"jmx_port\":-1}");
	fake_put("/brokers/ids/01", "");
	fake_put("/brokers/ids/x", "");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", name));
	fake_put(path, "");
	zk_watch_start(fake.w);
	fake_settle();
	assert_int_equal(fake.n_loaded, 1);
	assert_true(fake_is_present(EV_BROKER, NULL, 1));
	assert_int_equal(fake_times_asked("get /brokers/ids/"), 1);
	assert_int_equal(fake_times_asked("get /brokers/topics/"), 0);
	fake_finish();
}

static void nothing_is_asked_once_the_session_is_gone(void **state)
{
	size_t asked;

	begin_with_many(10);
	for (int i = 0; i < 200; i++)
		assert_true(fake_deliver() || fake_serve());
	fake.is_cut = true;
	asked = fake.log.len;
	fake_settle();
	zk_watch_fired(fake.w, "/controller");
	fake_settle();
	assert_int_equal(fake.log.len, asked);
	assert_int_equal(zk_watch_in_flight(fake.w), 0);
	fake_finish();
}

static void freeing_while_reads_are_out_frees_everything(void **state)
{
	begin_with_many(50);
	for (int i = 0; i < 300; i++)
		assert_true(fake_deliver() || fake_serve());
	fake_del_all("/brokers/topics/t000");
	for (int i = 0; i < 20; i++)
		fake_deliver();
	assert_true(zk_watch_in_flight(fake.w) > 0);
	fake_finish(); /* the leak checker has the word */
}

static void firing_for_a_path_of_no_interest_is_ignored(void **state)
{
	fake_begin_with_topic();
	zk_watch_fired(fake.w, "/brokers/topics/unheard/partitions/0/state");
	zk_watch_fired(fake.w, "/brokers/topics/t/partitions/77/state");
	zk_watch_fired(fake.w, "/brokers/ids/77");
	zk_watch_fired(fake.w, "/nonsense");
	zk_watch_fired(fake.w, "/");
	zk_watch_fired(fake.w, "");
	fake_settle();
	assert_int_equal(fake.log.len, 0);
	fake_finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_read_once_and_watched),
		cmocka_unit_test(loaded_is_told_once_when_all_is_read),
		cmocka_unit_test(progress_is_told_every_tenth_of_a_second_at_most),
		cmocka_unit_test(change_is_read_and_told),
		cmocka_unit_test(firings_before_the_read_coalesce),
		cmocka_unit_test(firing_while_reading_reads_once_more),
		cmocka_unit_test(storm_on_one_node_ends_with_its_last_value),
		cmocka_unit_test(missing_root_is_absent_and_seen_when_it_appears),
		cmocka_unit_test(created_between_get_and_exists_is_seen),
		cmocka_unit_test(chroot_emptied_and_filled_again_is_read_again),
		cmocka_unit_test(window_bounds_what_is_in_flight),
		cmocka_unit_test(what_is_on_view_does_not_queue_behind_a_wide_window),
		cmocka_unit_test(what_is_read_but_once_takes_all_of_the_window_at_once),
		cmocka_unit_test(first_topics_by_name_are_read_in_full_before_the_rest),
		cmocka_unit_test(wanted_topics_are_read_before_all_else_in_order),
		cmocka_unit_test(want_from_before_the_list_is_remembered),
		cmocka_unit_test(what_is_no_longer_wanted_waits_its_turn),
		cmocka_unit_test(once_reads_all_and_watches_nothing),
		cmocka_unit_test(no_permission_is_unreadable_and_tried_again_each_minute),
		cmocka_unit_test(while_nobody_takes_facts_changes_pile_up_once_a_path),
		cmocka_unit_test(unreadable_payload_is_still_watched),
		cmocka_unit_test(names_that_are_no_ids_or_too_long_are_skipped),
		cmocka_unit_test(nothing_is_asked_once_the_session_is_gone),
		cmocka_unit_test(freeing_while_reads_are_out_frees_everything),
		cmocka_unit_test(firing_for_a_path_of_no_interest_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
