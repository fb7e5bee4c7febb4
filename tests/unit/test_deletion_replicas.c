/* SPDX-License-Identifier: Apache-2.0 */
/* core/deletion, the rows of the reference's table of replicas (2.13), one test a row at least. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "tests/unit/scene.h"


#define assert_replica(st, broker, text) assert_string_equal(stage_replica(st, broker), text)
#define assert_says(st, broker, part) assert_non_null(strstr(stage_evidence(st, broker), part))
#define assert_silent_on(st, broker, part) assert_null(strstr(stage_evidence(st, broker), part))

/* Marker, pass, and what brokers 1 and 2 hold is gone, as the controller has heard; broker 3's replica is the test's. */
static struct stage *passed(void)
{
	struct stage *st = scene_passed();

	stage_rest(st, HEARD);
	return st;
}

/* The same with broker 3 down before the marker. */
static struct stage *passed_without_3(void)
{
	struct stage *st = scene_down_before();

	stage_rest(st, HEARD);
	return st;
}

static void r1_a_broker_down_since_before_the_marker_keeps_its_replica(void **state)
{
	struct stage *st = passed_without_3();

	assert_replica(st, 3, "R1 waiting certain Offline likely");
	assert_says(st, 3, "Broker 3 (b3.example) is not registered since ");
	assert_says(st, 3, "ReplicasIneligibleToDeleteCount");
	stage_free(&st);
}

/* As logged by 2.8.2 on a busy machine: Offline 160 ms after the broker's session had been over for everybody else. */
static void r1_that_the_controller_has_noticed_takes_a_moment(void **state)
{
	struct stage *st = stage_new();

	stage_down(st, 3);
	stage_mark(st);
	assert_replica(st, 3, "R1 not-begun certain Offline likely");
	stage_rest(st, HEARD);
	assert_replica(st, 3, "R1 not-begun certain Offline certain");
	stage_free(&st);
}

static void r1_after_an_election_the_state_of_a_dead_brokers_replica_is_certain(void **state)
{
	struct stage *st = passed_without_3();

	stage_elect(st, 1);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 waiting certain Offline certain");
	assert_silent_on(st, 3, "looks the same");
	stage_up(st, 2); /* another pass, with nothing to do on broker 3 */
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 waiting certain Offline likely");
	stage_free(&st);
}

static void r1b_a_replica_seen_gone_before_its_broker_went_is_done(void **state)
{
	struct stage *st = passed();

	stage_holds(st, 3, -1);
	stage_down(st, 3);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1b done certain Successful certain");
	stage_elect(st, 1);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 waiting certain Offline certain");
	assert_says(st, 3, "counts it as not deleted again");
	stage_free(&st);
}

static void r2_a_replica_that_no_log_dir_has_after_a_pass_is_done(void **state)
{
	struct stage *st = passed();

	assert_replica(st, 1, "R2 done certain Successful certain");
	assert_says(st, 1, "it was in /d1");
	stage_free(&st);
}

/* 2.8.2, a busy machine: 109 ms between the broker's answer to us and the controller's own. */
static void r2_that_the_controller_has_heard_of_it_is_certain_a_moment_later(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_holds(st, 1, -1);
	assert_replica(st, 1, "R2 done certain Successful likely");
	assert_says(st, 1, "not known yet whether the controller has heard of it");
	stage_rest(st, HEARD);
	assert_replica(st, 1, "R2 done certain Successful certain");
	stage_free(&st);
}

static void r5_of_a_broker_that_just_registered_is_online_a_moment_later(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_up(st, 3);
	st->fx->at -= 2000; /* the fixture's clock moves by a second with each line */
	stage_holds(st, 3, 3000);
	assert_replica(st, 3, "R5 not-begun certain Online likely");
	stage_rest(st, HEARD);
	assert_replica(st, 3, "R5 not-begun certain Online certain");
	stage_free(&st);
}

/* After an election it was Offline; the broker's start begins a pass whose answer the controller has not heard. */
static void r2_a_retry_of_one_that_was_gone_before_is_heard_of_a_moment_later(void **state)
{
	struct stage *st = passed();

	stage_holds(st, 3, -1);
	stage_down(st, 3);
	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_all_gone(st);
	stage_up(st, 3);
	st->fx->at -= 2000; /* the fixture's clock moves by a second with each line */
	stage_holds(st, 3, -1);
	assert_replica(st, 3, "R2 done certain Successful likely");
	stage_rest(st, HEARD);
	stage_holds(st, 3, -1);
	assert_replica(st, 3, "R2 done certain Successful certain");
	stage_free(&st);
}

static void r2_an_answer_from_before_an_election_is_not_certain_any_more(void **state)
{
	struct stage *st = passed();

	stage_elect(st, 2);
	assert_replica(st, 1, "R2 done likely Successful likely");
	stage_rest(st, REST);
	stage_holds(st, 1, -1);
	assert_replica(st, 1, "R2 done certain Successful certain");
	stage_free(&st);
}

static void r2_an_election_while_a_broker_is_down_undoes_what_was_done(void **state)
{
	struct stage *st = passed_without_3();

	assert_replica(st, 1, "R2 done certain Successful certain");
	stage_elect(st, 2);
	assert_replica(st, 1, "R6 waiting likely Online likely"); /* no log dirs told since */
	assert_says(st, 1, "counts every replica as not deleted");
	stage_free(&st);
}

static void r3_a_replica_that_was_never_there_and_no_pass_is_told_as_likely(void **state)
{
	struct stage *st = stage_new();

	stage_holds(st, 3, -1);
	stage_mark(st);
	stage_rest(st, REST);
	stage_holds(st, 3, -1);
	assert_replica(st, 3, "R3 not-begun likely Online likely");
	stage_free(&st);
}

static void r4_listed_just_after_the_pass_is_being_deleted(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_holds(st, 3, 3000);
	assert_replica(st, 3, "R4 running likely Started likely");
	stage_free(&st);
}

static void r4_listed_long_after_the_pass_waits_and_its_state_is_a_guess(void **state)
{
	struct stage *st = passed();

	stage_rest(st, LONG);
	stage_holds(st, 3, 3000);
	assert_replica(st, 3, "R4 waiting likely Started guess");
	assert_says(st, 3, "refused as stale");
	stage_free(&st);
}

static void r5_with_its_leader_no_pass_has_run(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_rest(st, REST);
	stage_holds(st, 1, 1000);
	assert_replica(st, 1, "R5 not-begun certain Online certain");
	assert_says(st, 1, "has its leader");
	stage_free(&st);
}

static void r6_empty_under_a_newer_controller_was_made_again(void **state)
{
	struct stage *st = passed_without_3();

	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_holds(st, 2, 0);
	assert_replica(st, 2, "R11 waiting certain Online certain"); /* it was seen gone before: R11 */
	stage_free(&st);
}

static void forget_gone(struct witness *wi)
{
	for (size_t i = 0; i < wi->n_replicas; i++)
		wi->replicas[i].refilled = false;
}

static void r6_is_certain_for_who_did_not_see_it_gone(void **state)
{
	struct stage *st = passed_without_3();

	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_holds(st, 2, 0);
	st->edit = forget_gone;
	assert_replica(st, 2, "R6 waiting certain Online certain");
	stage_free(&st);
}

static void r7_in_a_dir_that_is_offline_it_waits_and_its_state_is_not_known(void **state)
{
	struct stage *st = passed();

	stage_bad_dir(st, 3, "/d1", -1);
	assert_replica(st, 3, "R7 waiting certain Offline likely");
	assert_says(st, 3, "Online if during it");
	assert_says(st, 3, "/d1 of its log dirs is offline");
	stage_free(&st);
}

static void r7_gone_from_a_dir_that_is_well_is_done_though_another_is_offline(void **state)
{
	struct stage *st = passed();

	stage_bad_dir(st, 3, "/d2", -1);
	stage_rest(st, HEARD);
	assert_replica(st, 3, "R7 done certain Successful certain");
	stage_free(&st);
}

static void r7b_after_an_election_all_replicas_beside_a_bad_dir_wait(void **state)
{
	struct stage *st = passed();

	stage_bad_dir(st, 3, "/d1", -1);
	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_bad_dir(st, 3, "/d1", -1);
	assert_replica(st, 3, "R7b waiting certain Offline certain");
	stage_free(&st);
}

static void r8_silent_since_before_the_pass_has_its_request_pending(void **state)
{
	struct stage *st = stage_new();

	stage_turn(st);
	stage_said(st, "link 3 failed timed out\n");
	stage_turn(st);
	stage_rest(st, 30000);
	stage_mark(st);
	stage_pass(st);
	assert_replica(st, 3, "R8 running likely Started likely"); /* a state node is written before the brokers are asked: 17 ms, on 2.8.2 */
	stage_rest(st, HEARD);
	assert_replica(st, 3, "R8 running certain Started certain");
	stage_rest(st, REST);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	assert_replica(st, 3, "R8 running certain Started certain");
	assert_says(st, 3, "does not answer");
	stage_down(st, 3); /* its session is over: what it did not do then it has not done */
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 waiting certain Offline likely");
	stage_free(&st);
}

/* Nobody looked when it fell silent: it may have deleted the replica before that. */
static void r8_silent_since_nobody_knows_when_is_not_certain(void **state)
{
	struct stage *st = stage_new();

	stage_said(st, "link 3 failed timed-out\n");
	stage_rest(st, 30000);
	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	assert_replica(st, 3, "R8 running likely Started likely");
	assert_says(st, 3, "before the marker or after, was not seen");
	stage_free(&st);
}

static void r8_a_broker_that_an_earlier_pass_may_have_reached_is_not_certain(void **state)
{
	struct stage *st = passed();

	stage_said(st, "link 3 up\n");
	stage_said(st, "link 3 failed timed-out\n");
	stage_rest(st, 30000);
	stage_up(st, 2); /* another pass, begun after it fell silent */
	assert_replica(st, 3, "R8b unknown none ? none");
	stage_free(&st);
}

static void r8b_silent_since_after_the_pass_is_not_known(void **state)
{
	struct stage *st = passed();

	stage_said(st, "link 3 up\n");
	stage_said(st, "link 3 failed timed out\n");
	assert_replica(st, 3, "R8b unknown none ? none");
	stage_free(&st);
}

static void r8b_a_broker_that_refuses_to_tell_is_not_known(void **state)
{
	struct stage *st = passed();

	stage_said(st, "refuses-disks 3\n");
	assert_replica(st, 3, "R8b unknown none ? none");
	assert_says(st, 3, "does not tell its log dirs");
	stage_free(&st);
}

static void r9_a_copy_under_way_is_named_and_changes_nothing(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_rest(st, REST);
	stage_said(st, "dir /d1\nholds t 0 size=5\ndir /d2\nholds t 0 size=2 future\ndisks 1\n");
	assert_replica(st, 1, "R5 not-begun certain Online certain");
	assert_says(st, 1, "both are deleted together");
	stage_free(&st);
}

static void r10_a_broker_that_just_registered_is_being_retried(void **state)
{
	struct stage *st = passed_without_3();

	stage_up(st, 3);
	assert_replica(st, 3, "R10 running likely Started likely");
	stage_holds(st, 3, 3000);
	assert_replica(st, 3, "R10 running likely Started likely");
	stage_rest(st, REST);
	stage_holds(st, 3, -1);
	stage_rest(st, HEARD);
	assert_replica(st, 3, "R2 done certain Successful certain");
	stage_free(&st);
}

static void r12_never_elected_and_its_broker_down_is_likely_to_wait(void **state)
{
	struct stage *st = scene_never_elected();

	assert_replica(st, 3, "R12 waiting likely Online likely");
	assert_says(st, 3, "not taken up looks the same");
	stage_free(&st);
}

/* ZooKeeper's clock is ahead of ours: by its time the marker is younger than a death that we saw after it. */
static void eight_seconds_ahead(struct witness *wi)
{
	wi->marked.ms += 8000;
}

static void a_broker_that_died_after_the_marker_by_our_clock_is_not_surely_left(void **state)
{
	struct stage *st = stage_new();

	st->edit = eight_seconds_ahead;
	stage_mark(st);
	stage_pass(st);
	stage_down(st, 3);
	stage_rest(st, REST);
	stage_all_gone(st);
	stage_look(st);
	assert_replica(st, 3, "R1 waiting likely Offline likely");
	stage_free(&st);
}

/* ---- what is not known is never certain --------------------------------------------------- */

static void what_was_read_before_the_session_was_lost_is_not_certain(void **state)
{
	struct stage *st = passed_without_3();

	fixture_new_epoch(st->fx);
	stage_look(st);
	for (size_t i = 0; i < st->de->n_replicas; i++) {
		assert_true(st->de->replicas[i].phase_certainty < CERTAINTY_CERTAIN);
		assert_true(st->de->replicas[i].certainty < CERTAINTY_CERTAIN);
	}
	assert_says(st, 1, "before the session was lost");
	stage_free(&st);
}

static void a_state_node_that_can_not_be_read_leaves_all_open(void **state)
{
	struct stage *st = passed_without_3();

	fixture_unreadable(st->fx, "/brokers/topics/t/partitions/0/state", "no permission to read it");
	assert_replica(st, 3, "R1 waiting likely Offline likely");
	assert_replica(st, 1, "R3 done likely Successful likely");
	assert_says(st, 1, "could not be read");
	stage_free(&st);
}

static void without_the_list_of_brokers_nothing_is_known_of_replicas(void **state)
{
	struct stage *st = passed();

	fixture_children_unreadable(st->fx, "/brokers/ids", "no permission");
	fixture_new_epoch(st->fx);
	fixture_loaded(st->fx);
	stage_look(st);
	for (size_t i = 0; i < st->de->n_replicas; i++)
		assert_true(st->de->replicas[i].phase_certainty < CERTAINTY_CERTAIN);
	stage_free(&st);
}

static void in_a_migration_no_controllers_state_is_told(void **state)
{
	struct stage *st = passed_without_3();

	fixture_znode(st->fx, "/migration",
		"{\"version\":0,\"kraft_metadata_offset\":1,\"kraft_controller_id\":9,\"kraft_metadata_epoch\":1,\"kraft_controller_epoch\":1}");
	stage_look(st);
	for (size_t i = 0; i < st->de->n_replicas; i++) {
		assert_int_equal(st->de->replicas[i].state, RSM_UNKNOWN);
		assert_true(st->de->replicas[i].phase_certainty < CERTAINTY_CERTAIN);
	}
	assert_says(st, 1, "KRaft");
	assert_int_equal(st->de->certainty, CERTAINTY_GUESS);
	assert_non_null(strstr(st->de->next, "Not known"));
	stage_free(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(r1_a_broker_down_since_before_the_marker_keeps_its_replica),
		cmocka_unit_test(r1_that_the_controller_has_noticed_takes_a_moment),
		cmocka_unit_test(r1_after_an_election_the_state_of_a_dead_brokers_replica_is_certain),
		cmocka_unit_test(r1b_a_replica_seen_gone_before_its_broker_went_is_done),
		cmocka_unit_test(r2_a_replica_that_no_log_dir_has_after_a_pass_is_done),
		cmocka_unit_test(r2_that_the_controller_has_heard_of_it_is_certain_a_moment_later),
		cmocka_unit_test(r5_of_a_broker_that_just_registered_is_online_a_moment_later),
		cmocka_unit_test(r2_a_retry_of_one_that_was_gone_before_is_heard_of_a_moment_later),
		cmocka_unit_test(r2_an_answer_from_before_an_election_is_not_certain_any_more),
		cmocka_unit_test(r2_an_election_while_a_broker_is_down_undoes_what_was_done),
		cmocka_unit_test(r3_a_replica_that_was_never_there_and_no_pass_is_told_as_likely),
		cmocka_unit_test(r4_listed_just_after_the_pass_is_being_deleted),
		cmocka_unit_test(r4_listed_long_after_the_pass_waits_and_its_state_is_a_guess),
		cmocka_unit_test(r5_with_its_leader_no_pass_has_run),
		cmocka_unit_test(r6_empty_under_a_newer_controller_was_made_again),
		cmocka_unit_test(r6_is_certain_for_who_did_not_see_it_gone),
		cmocka_unit_test(r7_in_a_dir_that_is_offline_it_waits_and_its_state_is_not_known),
		cmocka_unit_test(r7_gone_from_a_dir_that_is_well_is_done_though_another_is_offline),
		cmocka_unit_test(r7b_after_an_election_all_replicas_beside_a_bad_dir_wait),
		cmocka_unit_test(r8_silent_since_before_the_pass_has_its_request_pending),
		cmocka_unit_test(r8_silent_since_nobody_knows_when_is_not_certain),
		cmocka_unit_test(r8_a_broker_that_an_earlier_pass_may_have_reached_is_not_certain),
		cmocka_unit_test(r8b_silent_since_after_the_pass_is_not_known),
		cmocka_unit_test(r8b_a_broker_that_refuses_to_tell_is_not_known),
		cmocka_unit_test(r9_a_copy_under_way_is_named_and_changes_nothing),
		cmocka_unit_test(r10_a_broker_that_just_registered_is_being_retried),
		cmocka_unit_test(r12_never_elected_and_its_broker_down_is_likely_to_wait),
		cmocka_unit_test(a_broker_that_died_after_the_marker_by_our_clock_is_not_surely_left),
		cmocka_unit_test(what_was_read_before_the_session_was_lost_is_not_certain),
		cmocka_unit_test(a_state_node_that_can_not_be_read_leaves_all_open),
		cmocka_unit_test(without_the_list_of_brokers_nothing_is_known_of_replicas),
		cmocka_unit_test(in_a_migration_no_controllers_state_is_told),
	};

	return cmocka_run_group_tests_name("core/deletion, replicas", tests, NULL, NULL);
}
