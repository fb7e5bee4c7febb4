/* SPDX-License-Identifier: Apache-2.0 */
/* zk_watch against tests/unit/fakezk: topics and partitions that come, go and come back, and the watches they leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/fakezk.h"

static void state_without_node_is_watched_until_it_appears(void **state)
{
	fake_begin_with_topic();
	fake_put_assignment("u", 0, 1);
	fake_settle();
	assert_string_equal(fake_fact(EV_STATE, "u", 0), "absent");
	fake_put_state("u", 0, 0);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "u", 0));
	fake_finish();
}

static void vanished_state_of_a_living_topic_is_watched(void **state)
{
	fake_begin_with_topic();
	fake_del(FAKE_STATE0);
	fake_settle();
	assert_true(fake_asked_at("get /brokers/topics/t\n") < fake_asked_at("exists " FAKE_STATE0 "\n"));
	assert_string_equal(fake_fact(EV_STATE, "t", 0), "absent");
	fake_put_state("t", 0, 9);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 0));
	fake_finish();
}

static void without_states_assignments_and_markers_are_read_and_no_more(void **state)
{
	fake_begin(50, true);
	fake_put_roots();
	fake_put_topic("t", 20);
	fake_put("/admin/delete_topics/t", "");
	zk_watch_no_states(fake.w);
	zk_watch_start(fake.w);
	fake_settle();
	assert_true(zk_watch_is_loaded(fake.w));
	assert_true(fake_is_present(EV_TOPIC, "t", -1));
	assert_string_equal(fake_fact(EV_DELETE_TOPICS, NULL, -1), "present t");
	assert_int_equal(fake_times_asked("get /brokers/topics/t/"), 0);
	assert_int_equal(fake_times_asked("/config/"), 0);
	assert_int_equal(fake_times_asked("get /admin/delete_topics/"), 0);
	fake_finish();
}

static void deleted_topic_leaves_no_watches_behind(void **state)
{
	size_t before;

	fake_begin(50, false);
	fake_put_roots();
	zk_watch_start(fake.w);
	fake_settle();
	before = map_count(fake.data_watches);
	fake_put_topic("t", 20);
	fake_settle();
	fake_put("/admin/delete_topics/t", "");
	fake_settle();
	fake_del_all("/brokers/topics/t/partitions"); /* while the client looks on */
	fake_settle();
	assert_string_equal(fake_fact(EV_STATE, "t", 3), "absent");
	fake_del_all("/brokers/topics/t");
	fake_del("/admin/delete_topics/t");
	fake_settle();
	assert_int_equal(fake_times_asked("exists /brokers/topics/t/"), 0);
	assert_int_equal(map_count(fake.data_watches), before);
	assert_string_equal(fake_fact(EV_TOPICS, NULL, -1), "present");
	assert_string_equal(fake_fact(EV_STATE, "t", 3), "unknown");
	fake_finish();
}

/* The reads of a storm come late: topic and marker are there still, the states were deleted before they were ever read. */
static void topic_whose_states_were_deleted_unread_leaves_no_watches_behind(void **state)
{
	size_t before;

	fake_begin(50, false);
	fake_put_roots();
	zk_watch_start(fake.w);
	fake_settle();
	before = map_count(fake.data_watches);
	fake_put_assignment("t", 0, 20);
	fake_put("/admin/delete_topics/t", "");
	fake_settle();
	assert_string_equal(fake_fact(EV_STATE, "t", 3), "absent");
	fake_del("/brokers/topics/t");
	fake_del("/admin/delete_topics/t");
	fake_settle();
	assert_int_equal(fake_times_asked("exists /brokers/topics/t/"), 0);
	assert_int_equal(map_count(fake.data_watches), before);
	fake_finish();
}

static void topic_deleted_in_one_go_leaves_no_watches_behind(void **state)
{
	size_t before;

	fake_begin(50, false);
	fake_put_roots();
	zk_watch_start(fake.w);
	fake_settle();
	before = map_count(fake.data_watches);
	fake_put_topic("t", 20);
	fake_settle();
	fake_del_all("/brokers/topics/t"); /* by hand: no marker, all gone before we look */
	fake_settle();
	assert_int_equal(fake_times_asked("exists /brokers/topics/t/"), 0);
	assert_int_equal(map_count(fake.data_watches), before);
	fake_finish();
}

static void marker_taken_away_has_vanished_states_looked_at_again(void **state)
{
	fake_begin_with_topic();
	fake_put("/admin/delete_topics/t", "");
	fake_settle();
	fake_del(FAKE_STATE0);
	fake_settle();
	assert_string_equal(fake_fact(EV_STATE, "t", 0), "absent");
	assert_int_equal(fake_times_asked("exists " FAKE_STATE0 "\n"), 0);
	fake_del("/admin/delete_topics/t");
	fake_settle();
	fake_put_state("t", 0, 3);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 0));
	fake_finish();
}

static void each_marker_is_read_and_watched(void **state)
{
	fake_begin_with_topic();
	fake_put("/admin/delete_topics/t", "");
	fake_settle();
	assert_true(fake_is_present(EV_MARKER, "t", -1));
	fake_put("/admin/delete_topics/t", "x"); /* nobody should, but then it has another mzxid */
	fake_settle();
	assert_int_equal(fake_times_asked("get /admin/delete_topics/t\n"), 2);
	assert_true(fake_is_present(EV_MARKER, "t", -1));
	fake_del("/admin/delete_topics/t");
	fake_settle();
	assert_string_equal(fake_fact(EV_MARKER, "t", -1), "unknown");
	assert_int_equal(fake_times_asked("exists /admin/delete_topics/t\n"), 0);
	fake_finish();
}

static void what_keeps_a_marker_whose_topic_is_gone_is_looked_for(void **state)
{
	fake_begin_with_topic();
	fake_put("/admin/delete_topics/t", "");
	fake_settle();
	assert_int_equal(fake.marker_children, 0);
	fake_put("/admin/delete_topics/t/child", ""); /* no watch of a get fires for it */
	fake_del_all("/brokers/topics/t");
	fake_settle();
	assert_int_equal(fake.marker_children, 1);
	fake_del("/admin/delete_topics/t/child");
	fake_settle();
	fake.now_ms += 60000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake.marker_children, 0);
	fake_finish();
}

/* A tool makes the marker, and its child a moment later. */
static void a_marker_without_a_topic_is_looked_at_again_soon_and_then_once_a_minute(void **state)
{
	fake_begin_with_topic();
	fake_put("/admin/delete_topics/ghost1", "");
	fake_put("/admin/delete_topics/ghost2", "");
	fake_settle();
	fake_put("/admin/delete_topics/ghost1/child", "");
	fake_settle();
	fake.now_ms += 3000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get /admin/delete_topics/ghost1\n"), 2);
	assert_int_equal(fake_times_asked("get /admin/delete_topics/ghost2\n"), 2);
	fake.now_ms += 3000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get /admin/delete_topics/ghost1\n"), 2);
	fake.now_ms += 60000;
	zk_watch_tick(fake.w);
	fake_settle();
	assert_int_equal(fake_times_asked("get /admin/delete_topics/ghost1\n"), 3);
	fake_finish();
}

static void a_command_reads_markers_once(void **state)
{
	fake_begin(50, true);
	fake_put_roots();
	fake_put_topic("t", 1);
	fake_put("/admin/delete_topics/gone", "");
	zk_watch_start(fake.w);
	fake_settle();
	assert_true(zk_watch_is_loaded(fake.w));
	assert_true(fake_is_present(EV_MARKER, "gone", -1));
	fake_finish();
}

static void topic_deleted_while_its_reads_are_out_is_safe(void **state)
{
	fake_begin(50, false);
	fake_put_roots();
	fake_put_topic("t", 20);
	fake_put_config("t");
	zk_watch_start(fake.w);
	while (fake_times_asked("partitions/19/state") == 0)
		assert_true(fake_deliver() || fake_serve());
	fake_del_all("/brokers/topics/t");
	/* Only the list: its firing was made after the answers that are on the way. */
	zk_watch_fired(fake.w, "/brokers/topics");
	fake_settle();
	assert_string_equal(fake_fact(EV_TOPICS, NULL, -1), "present");
	assert_string_equal(fake_fact(EV_TOPIC, "t", -1), "unknown");
	assert_string_equal(fake_fact(EV_STATE, "t", 0), "unknown");
	fake_finish();
}

/* Answers to reads of a topic that the client has forgotten meanwhile, and made anew. */
static void late_answers_to_a_forgotten_topic_are_ignored(void **state)
{
	struct request *late;

	fake_begin_with_topic();
	zk_watch_fired(fake.w, FAKE_STATE0);
	zk_watch_fired(fake.w, "/brokers/topics/t/partitions/1/state");
	late = fake_hold_requests(); /* two reads */
	fake_del_all("/brokers/topics/t");
	fake_settle();
	assert_string_equal(fake_fact(EV_TOPICS, NULL, -1), "present");
	fake_put_topic("t", 1);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 0));
	fake_release_requests(late);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 0));
	assert_string_equal(fake_fact(EV_STATE, "t", 1), "unknown");
	assert_int_equal(zk_watch_in_flight(fake.w), 0);
	fake_finish();
}

static void topic_that_came_back_is_read_again(void **state)
{
	fake_begin_with_topic();
	fake_del_all("/brokers/topics/t");
	fake_put_topic("t", 3);
	fake_settle();
	assert_true(fake_is_present(EV_TOPIC, "t", -1));
	assert_true(fake_is_present(EV_STATE, "t", 2));
	fake_put_state("t", 2, 8);
	fake_settle();
	assert_int_equal(fake_times_asked("get /brokers/topics/t/partitions/2/state\n") >= 2, 1);
	fake_finish();
}

static void added_partitions_are_read_and_only_they(void **state)
{
	fake_begin_with_topic();
	fake_put_assignment("t", 0, 4);
	fake_put_state("t", 2, 0);
	fake_put_state("t", 3, 0);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 3));
	assert_int_equal(fake_times_asked("get " FAKE_STATE0 "\n"), 0);
	fake_finish();
}

static void partitions_no_longer_assigned_are_forgotten(void **state)
{
	fake_begin_with_topic();
	fake_put_assignment("t", 0, 1);
	fake_settle();
	assert_string_equal(fake_fact(EV_STATE, "t", 1), "unknown");
	strbuf_clear(&fake.log);
	fake_put_state("t", 1, 4); /* not ours any more */
	fake_settle();
	assert_int_equal(fake_times_asked("partitions/1/state"), 0);
	fake_put_assignment("t", 0, 2);
	fake_settle();
	assert_true(fake_is_present(EV_STATE, "t", 1));
	fake_finish();
}

static void ids_that_come_and_go_do_not_pile_up(void **state)
{
	fake_begin_with_topic();
	for (int i = 0; i < 100; i++) {
		fake_put_assignment("t", i * 10, 10);
		fake_settle();
	}
	fake_put_state("t", 995, 0);
	fake_settle();
	assert_int_equal(zk_watch_in_flight(fake.w), 0);
	assert_true(fake_times_asked("partitions/995/state\n") >= 2);
	fake_finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_without_node_is_watched_until_it_appears),
		cmocka_unit_test(vanished_state_of_a_living_topic_is_watched),
		cmocka_unit_test(without_states_assignments_and_markers_are_read_and_no_more),
		cmocka_unit_test(deleted_topic_leaves_no_watches_behind),
		cmocka_unit_test(topic_whose_states_were_deleted_unread_leaves_no_watches_behind),
		cmocka_unit_test(topic_deleted_in_one_go_leaves_no_watches_behind),
		cmocka_unit_test(marker_taken_away_has_vanished_states_looked_at_again),
		cmocka_unit_test(each_marker_is_read_and_watched),
		cmocka_unit_test(what_keeps_a_marker_whose_topic_is_gone_is_looked_for),
		cmocka_unit_test(a_marker_without_a_topic_is_looked_at_again_soon_and_then_once_a_minute),
		cmocka_unit_test(a_command_reads_markers_once),
		cmocka_unit_test(topic_deleted_while_its_reads_are_out_is_safe),
		cmocka_unit_test(late_answers_to_a_forgotten_topic_are_ignored),
		cmocka_unit_test(topic_that_came_back_is_read_again),
		cmocka_unit_test(added_partitions_are_read_and_only_they),
		cmocka_unit_test(partitions_no_longer_assigned_are_forgotten),
		cmocka_unit_test(ids_that_come_and_go_do_not_pile_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
