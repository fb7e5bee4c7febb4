/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core/deletion, deletions that look alike from outside (the reference's look-alikes, P0 to P21). Of each pair: what both look like gives one
 * word, that is certain of nothing the pair leaves open, and names the other; and where a fact tells them apart, it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/deletion_parts.h"
#include "tests/unit/scene.h"


#define assert_replica(st, broker, text) assert_string_equal(stage_replica(st, broker), text)
#define assert_topic(st, text) assert_string_equal(stage_topic(st), text)
#define assert_names(st, broker, twin) assert_non_null(strstr(stage_evidence(st, broker), deletion_twin_text(twin)))
#define assert_names_not(st, broker, twin) assert_null(strstr(stage_evidence(st, broker), deletion_twin_text(twin)))

/* Another topic, marked after "t", that the present controller has begun with. */
static struct witness *taken_up(const struct stage *st, const char *name)
{
	struct witness *wi = witness_new(name, 77);

	wi->came = true;
	wi->marked = wi->first_seen = fixture_now(st->fx);
	wi->epoch_first = st->epoch;
	wi->pass_seen = wi->marked;
	return wi;
}

static struct stage *marked_and_alive(void)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_rest(st, LONG);
	stage_holds(st, 1, 1000);
	return st;
}

static void p0_not_taken_up_is_a_busy_controller_or_a_name_left_over(void **state)
{
	struct stage *st = marked_and_alive();

	st->ctrl = KNOW_PRESENT;
	assert_topic(st, "T1 queued certain: ineligible-left-over guess");
	assert_string_equal(st->de->why, "not taken up by the controller");
	assert_replica(st, 1, "R5 not-begun certain Online certain");
	assert_names(st, 1, TWIN_P0);
	st->other = taken_up(st, "later");
	assert_topic(st, "T15 queued certain: ineligible-left-over certain");
	assert_names_not(st, 1, TWIN_P0);
	st->other->epoch_first = st->epoch - 1; /* by another controller: that says nothing of this one */
	assert_topic(st, "T1 queued certain: ineligible-left-over guess");
	stage_free(&st);
}

/* As logged by 3.9.1: a queued topic's replica is to become Ineligible when its broker goes, which is refused for one that is Online. */
static void p0_a_broker_that_goes_leaves_its_replica_online_where_the_topic_is_passed_over(void **state)
{
	struct stage *st = marked_and_alive();

	st->ctrl = KNOW_PRESENT;
	stage_down(st, 3);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 not-begun certain Offline likely");
	assert_names(st, 3, TWIN_P0);
	st->other = taken_up(st, "later");
	assert_replica(st, 3, "R1 not-begun certain Online likely");
	stage_elect(st, 1);
	stage_look(st);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 not-begun certain Offline certain");
	stage_free(&st);
}

static void p1_a_dead_broker_may_have_deleted_its_replica_before(void **state)
{
	struct stage *st = scene_died_after();

	assert_replica(st, 3, "R1 waiting likely Offline likely");
	assert_names(st, 3, TWIN_P1);
	assert_topic(st, "T4 waiting certain: broker-down 3 certain"); /* all others are done, so that it is this one */
	stage_elect(st, 1);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 waiting certain Offline certain");
	assert_names_not(st, 3, TWIN_P1);
	stage_free(&st);
}

static void p1_what_was_seen_before_it_died_tells(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_holds(st, 3, -1);
	stage_down(st, 3);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1b done certain Successful certain");
	stage_free(&st);
	st = stage_new();
	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_holds(st, 3, 3000); /* halted, and still there */
	stage_down(st, 3);
	stage_rest(st, REST);
	assert_replica(st, 3, "R1 waiting certain Offline likely");
	assert_names_not(st, 3, TWIN_P1);
	stage_free(&st);
}

static void forget_epochs(struct witness *wi)
{
	wi->came = false;
	wi->epoch_first = -1;
	wi->marked = (wall_ms){ 0 };
	for (size_t i = 0; i < wi->n_replicas; i++) {
		wi->replicas[i].dir_failed = (wall_ms){ 0 };
		wi->replicas[i].dir_failed_epoch = -1;
		wi->replicas[i].gone = (wall_ms){ 0 };
		wi->replicas[i].gone_epoch = -1;
	}
}

static void forget_all(struct witness *wi)
{
	forget_epochs(wi);
	for (size_t i = 0; i < wi->n_replicas; i++) {
		wi->replicas[i].listed = (wall_ms){ 0 };
		wi->replicas[i].size_bytes = -1;
		mem_free(&wi->replicas[i].dir);
	}
}

static struct stage *beside_a_bad_dir(const char *bad)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_all_gone(st);
	stage_bad_dir(st, 3, bad, -1);
	return st;
}

static void p2_beside_a_bad_dir_who_did_not_watch_can_not_know(void **state)
{
	struct stage *st = beside_a_bad_dir("/d2");

	assert_replica(st, 3, "R7 done certain Successful certain");
	st->edit = forget_all;
	assert_replica(st, 3, "R7 unknown none ? none");
	assert_names(st, 3, TWIN_P2);
	st->edit = forget_epochs; /* its own dir is well; whether another controller came since isn't known */
	assert_replica(st, 3, "R7 waiting guess ? none");
	assert_names(st, 3, TWIN_P2);
	stage_free(&st);
}

static void p2_the_epoch_of_the_failure_tells(void **state)
{
	struct stage *st = beside_a_bad_dir("/d1");

	assert_replica(st, 3, "R7 done certain Successful certain"); /* gone before its dir failed */
	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_bad_dir(st, 3, "/d1", -1);
	assert_replica(st, 3, "R7b waiting certain Offline certain");
	stage_free(&st);
}

/* Where another dir holds the topic up, it may have been deleted just before its own failed. */
static void p2_beside_another_bad_dir_one_that_fails_late_may_have_been_emptied(void **state)
{
	struct stage *st = stage_new();

	stage_bad_dir(st, 2, "/d1", -1);
	stage_mark(st);
	stage_pass(st);
	stage_bad_dir(st, 3, "/d1", -1);
	assert_replica(st, 3, "R7 waiting likely Offline likely");
	assert_names(st, 3, TWIN_P2);
	assert_replica(st, 2, "R7 waiting certain Offline likely");
	stage_free(&st);
}

static void p3_a_dir_known_bad_before_and_one_that_failed_during_the_pass(void **state)
{
	struct stage *before = stage_new(), *during = stage_new();
	char told[128];

	stage_bad_dir(before, 3, "/d1", -1);
	stage_mark(before);
	stage_pass(before);
	stage_rest(before, REST);
	stage_bad_dir(before, 3, "/d1", -1);
	stage_mark(during);
	stage_pass(during);
	stage_bad_dir(during, 3, "/d1", -1);
	stage_rest(during, REST);
	stage_bad_dir(during, 3, "/d1", -1);
	assert_replica(before, 3, "R7 waiting certain Offline likely");
	str_printf(told, sizeof(told), "%s", stage_replica(before, 3));
	assert_replica(during, 3, told);
	assert_names(before, 3, TWIN_P3);
	assert_names(during, 3, TWIN_P3);
	stage_free(&before);
	stage_free(&during);
}

static void p4_a_first_pass_and_a_retry_with_nothing_to_send(void **state)
{
	struct stage *st = scene_down_before();

	assert_replica(st, 3, "R1 waiting certain Offline likely");
	assert_names(st, 3, TWIN_P4);
	stage_up(st, 2); /* retry: nothing to send */
	stage_rest(st, REST);
	stage_holds(st, 2, -1);
	assert_replica(st, 3, "R1 waiting certain Offline likely");
	assert_names(st, 3, TWIN_P4);
	stage_free(&st);
}

/* The controller that knows the broker to be down runs its first pass: with nothing to delete elsewhere the replica stays Ineligible. */
static void p4_an_election_before_the_marker_is_none_that_makes_it_offline(void **state)
{
	struct stage *st = stage_new();

	stage_down(st, 3);
	stage_elect(st, 4);
	stage_rest(st, REST);
	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_all_gone(st);
	assert_replica(st, 3, "R1 waiting certain Offline likely");
	assert_names(st, 3, TWIN_P4);
	stage_free(&st);
}

static struct stage *silent(const char *error)
{
	struct stage *st = stage_new();
	char line[128];

	str_printf(line, sizeof(line), "link 3 failed %s\n", error);
	stage_said(st, line);
	stage_turn(st);
	stage_rest(st, 30000);
	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	return st;
}

static void p5_killed_and_frozen_are_one_state_and_the_error_tells_them_apart(void **state)
{
	struct stage *killed = silent("refused"), *frozen = silent("timed-out");

	assert_replica(killed, 3, "R8 running certain Started certain");
	assert_replica(frozen, 3, "R8 running certain Started certain");
	assert_non_null(strstr(stage_evidence(killed, 3), "refused"));
	assert_non_null(strstr(stage_evidence(frozen, 3), "timed-out"));
	assert_topic(killed, "T3 running likely: broker-silent 3 certain");
	assert_non_null(strstr(killed->de->act, "a killed one refuses connections, a frozen one lets them time out"));
	stage_free(&killed);
	stage_free(&frozen);
}

static void p6_a_silent_broker_of_a_topic_that_waits_for_another_is_not_certain(void **state)
{
	struct stage *st = silent("timed-out");

	stage_down(st, 2);
	stage_rest(st, REST);
	assert_replica(st, 3, "R8 running likely Started likely");
	assert_names(st, 3, TWIN_P6);
	stage_free(&st);
}

static void p7_empty_by_an_election_or_empty_always(void **state)
{
	struct stage *st = scene_down_before(), *empty = stage_new();

	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_holds(st, 2, 0);
	assert_replica(st, 2, "R11 waiting certain Online certain");
	stage_holds(empty, 2, 0);
	stage_mark(empty);
	stage_rest(empty, REST);
	stage_holds(empty, 2, 0);
	assert_replica(empty, 2, "R5 not-begun certain Online certain"); /* no signature */
	stage_free(&st);
	stage_free(&empty);
}

static struct stage *marker_taken_away(void)
{
	struct stage *st = scene_down_before();

	stage_look(st);
	stage_unmark(st);
	stage_rest(st, REST);
	return st;
}

static void p8_a_marker_taken_away_without_the_controllers_word(void **state)
{
	struct stage *st = marker_taken_away();

	assert_topic(st, "T10a marker-removed likely");
	assert_names(st, 3, TWIN_P8);
	assert_non_null(strstr(st->de->act, deletion_twin_text(TWIN_P8)));
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T10a waiting certain: broker-down 3 certain, forgotten certain");
	assert_true(st->de->acts & DELETION_ACT_PUT_MARKER);
	st->ctrl = KNOW_PRESENT;
	assert_topic(st, "T10b resurrected likely");
	stage_free(&st);
}

/* Until the new controller has read all, its broker's cache is what the one before told it. */
static void p8_the_word_of_who_was_just_elected_is_not_its_own_yet(void **state)
{
	struct stage *st = scene_down_before();

	stage_look(st);
	stage_elect(st, 1);
	stage_unmark(st);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T10a marker-removed likely");
	stage_rest(st, REST);
	assert_topic(st, "T10a waiting certain: broker-down 3 certain, forgotten certain");
	stage_free(&st);
}

static void forget_pass(struct witness *wi)
{
	wi->pass_seen = (wall_ms){ 0 };
}

static void p9_resurrected_is_told_by_who_watched_alone(void **state)
{
	struct stage *st = marker_taken_away();

	stage_elect(st, 1);
	stage_state(st, 1, "1", 8);
	stage_holds(st, 1, 0);
	assert_topic(st, "T10b resurrected certain");
	st->edit = forget_pass;
	stage_look(st);
	assert_int_not_equal(st->de->state, DELETION_RESURRECTED);
	assert_true(st->de->certainty < CERTAINTY_CERTAIN);
	stage_free(&st);
}

static struct stage *refused(void)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_unmark(st);
	return st;
}

static void p10_refused_is_a_topic_that_is_still_there(void **state)
{
	struct stage *st = refused();

	assert_topic(st, "T13 refused likely");
	assert_non_null(strstr(st->de->act, "delete.topic.enable was probably false on the controller of that moment, broker 4"));
	stage_said(st, "settings 4 delete.topic.enable=false\n");
	assert_topic(st, "T13 refused certain");
	stage_free(&st);
	st = refused();
	stage_said(st, "settings 4 delete.topic.enable=true\n");
	assert_topic(st, "T13 marker-removed likely");
	assert_non_null(strstr(st->de->act, "the controller of that moment, broker 4, had delete.topic.enable=true"));
	stage_free(&st);
}

/* As on a real cluster: the controller that refuses is followed by one that may delete, and is started again with another setting. */
static void p10_who_refused_is_the_controller_of_that_moment(void **state)
{
	struct stage *st = refused();

	stage_said(st, "settings 4 delete.topic.enable=false\nsettings 1 delete.topic.enable=true\n");
	assert_topic(st, "T13 refused certain");
	stage_rest(st, 5000);
	stage_elect(st, 1);
	stage_said(st, "settings 4 delete.topic.enable=true\n");
	assert_topic(st, "T13 refused certain");
	assert_int_equal(st->de->n_attempts, 1); /* the election is none of it */
	stage_free(&st);
}

/* Another one may have been elected just before the marker went: told a moment later, it is the one unless the two say different things. */
static void p10_an_election_at_that_moment_leaves_it_open(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_said(st, "settings 4 delete.topic.enable=true\nsettings 1 delete.topic.enable=false\n");
	stage_unmark(st);
	stage_rest(st, -1900); /* events of the stage are a second apart */
	stage_elect(st, 1);
	assert_topic(st, "T13 refused likely");
	stage_free(&st);
}

static void p11_made_again_is_another_czxid(void **state)
{
	static const char *const none[] = { NULL }, *const again[] = { "t", NULL };
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	fixture_children(st->fx, "/brokers/topics", none);
	stage_unmark(st);
	assert_topic(st, "T11 done certain");
	fixture_children(st->fx, "/brokers/topics", again);
	fixture_znode(st->fx, "/brokers/topics/t", "{\"version\":2,\"partitions\":{\"0\":[2]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	assert_topic(st, "T12 recreated certain");
	assert_true(st->de->new_czxid != 0 && st->de->new_czxid != st->de->czxid);
	stage_free(&st);
}

static void children_unknown(struct witness *wi) { wi->n_children = -1; }
static void children_none(struct witness *wi) { wi->n_children = 0; }
static void children_one(struct witness *wi) { wi->n_children = 1; }

static void p12_a_marker_that_stays_has_a_child_or_a_stuck_controller(void **state)
{
	static const char *const none[] = { NULL };
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	fixture_children(st->fx, "/brokers/topics", none);
	assert_topic(st, "T9 finishing certain");
	stage_rest(st, REST);
	st->edit = children_unknown;
	assert_topic(st, "T9 finishing certain: marker-has-child likely");
	st->edit = children_one;
	assert_topic(st, "T9 finishing certain: marker-has-child certain");
	assert_non_null(strstr(st->de->act, "Remove the child nodes of /admin/delete_topics/t (not the marker itself)."));
	st->edit = children_none;
	assert_topic(st, "T9 finishing certain: unknown likely");
	stage_free(&st);
}

static void never_alive(struct witness *wi)
{
	wi->was_alive = false;
}

/* The last member of the ISR is down: nobody could lead, with or without a pass. */
static void p13_leaderless_and_marked_is_not_certain_to_have_been_passed(void **state)
{
	struct stage *st = stage_new();

	stage_down(st, 1);
	stage_pass(st);
	stage_rest(st, REST);
	stage_mark(st);
	stage_rest(st, REST);
	stage_holds(st, 2, 2000);
	st->edit = never_alive;
	assert_topic(st, "T4 waiting likely: broker-down 1 likely");
	assert_names(st, 2, TWIN_P13);
	assert_names(st, 1, TWIN_P13);
	st->ctrl = KNOW_PRESENT;
	assert_topic(st, "T1 queued certain");
	assert_replica(st, 2, "R5 not-begun certain Online certain");
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T4 waiting certain: broker-down 1 certain");
	assert_names_not(st, 1, TWIN_P13);
	stage_free(&st);
}

/* The marker was refused at once, the broker of the last member died at the same time, and is back: all is there. */
static void p13_a_leader_that_went_with_its_broker_and_is_back_is_not_certainly_resurrected(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_down(st, 1);
	stage_pass(st);
	stage_unmark(st);
	stage_up(st, 1);
	stage_state(st, 1, "1", st->epoch);
	stage_holds(st, 1, 1000);
	assert_topic(st, "T10b resurrected likely");
	stage_free(&st);
}

/* Nor is it where the last member's broker is up, and the dir that it lies in is not. */
static void p13_leaderless_for_want_of_a_dir_is_not_certain_to_have_been_passed(void **state)
{
	struct stage *st = stage_new();

	stage_bad_dir(st, 1, "/d1", -1);
	stage_pass(st);
	stage_rest(st, REST);
	stage_mark(st);
	stage_rest(st, REST);
	stage_holds(st, 2, 2000);
	stage_bad_dir(st, 1, "/d1", -1);
	stage_look(st);
	assert_int_equal(st->de->certainty, CERTAINTY_LIKELY);
	assert_names(st, 1, TWIN_P13);
	st->ctrl = KNOW_ABSENT;
	stage_look(st);
	assert_int_equal(st->de->certainty, CERTAINTY_CERTAIN);
	stage_free(&st);
}

/* Its dir failed after its broker last told its log dirs; and that other partitions had leaders says nothing of this one. */
static void p13_leaderless_beside_partitions_that_live_is_no_pass(void **state)
{
	struct stage *st = stage_new();

	fixture_znode(st->fx, "/brokers/topics/t", "{\"version\":2,\"partitions\":{\"0\":[1,2,3],\"1\":[1,2,3]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	fixture_znode(st->fx, "/brokers/topics/t/partitions/1/state", "{\"controller_epoch\":7,\"leader\":2,\"version\":1,\"leader_epoch\":5,\"isr\":[2,3]}");
	stage_rest(st, REST);
	stage_pass(st); /* for want of a dir */
	stage_rest(st, REST);
	stage_mark(st);
	stage_look(st);
	assert_int_not_equal(st->de->certainty, CERTAINTY_CERTAIN);
	stage_free(&st);
}

static void p14_never_elected_is_not_certain_to_have_been_taken_up(void **state)
{
	struct stage *st = scene_never_elected();

	assert_topic(st, "T14 waiting likely: broker-down 1 likely, broker-down 2 likely, broker-down 3 likely, never-elected likely");
	assert_names(st, 1, TWIN_P14);
	st->other = taken_up(st, "later");
	assert_topic(st, "T14 waiting certain: broker-down 1 certain, broker-down 2 certain, broker-down 3 certain, never-elected certain");
	assert_replica(st, 1, "R12 waiting certain Online certain");
	stage_free(&st);
}

static void p14_states_that_go_with_their_topic_were_there(void **state)
{
	struct stage *st = stage_new();

	fixture_znode(st->fx, "/brokers/topics/t", "{\"version\":2,\"partitions\":{\"0\":[1,2,3],\"1\":[1,2]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	fixture_znode(st->fx, "/brokers/topics/t/partitions/1/state", "{\"controller_epoch\":7,\"leader\":2,\"version\":1,\"leader_epoch\":5,\"isr\":[1,2]}");
	stage_mark(st);
	stage_pass(st);
	fixture_znode(st->fx, "/brokers/topics/t/partitions/1/state", "{\"controller_epoch\":7,\"leader\":-1,\"version\":1,\"leader_epoch\":7,\"isr\":[2]}");
	stage_all_gone(st);
	stage_down(st, 3);
	fixture_znode(st->fx, "/brokers/topics/t/partitions/0/state", NULL);
	st->other = taken_up(st, "later");
	assert_replica(st, 3, "R2 done certain NonExistent likely");
	assert_topic(st, "T8 finishing likely");
	fixture_znode(st->fx, "/brokers/topics/t/partitions/1/state", NULL);
	assert_topic(st, "T8 finishing likely");
	stage_free(&st);
}

static struct stage *queued_at_an_election(void)
{
	struct stage *st = stage_new();

	stage_no_controller(st);
	stage_down(st, 3);
	stage_mark(st);
	stage_elect(st, 4);
	stage_rest(st, REST);
	stage_holds(st, 1, 1000);
	return st;
}

static void p15_queued_without_a_pass_is_told_by_the_controllers_broker_alone(void **state)
{
	struct stage *st = queued_at_an_election();

	stage_look(st);
	assert_int_equal(st->de->state, DELETION_QUEUED);
	assert_int_equal(st->de->n_blockers, 1);
	assert_int_equal(st->de->blockers[0].certainty, CERTAINTY_LIKELY);
	assert_names(st, 1, TWIN_P15);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T2 queued certain: broker-down 3 certain");
	assert_names_not(st, 1, TWIN_P15);
	st->ctrl = KNOW_PRESENT;
	assert_topic(st, "T1 queued certain");
	stage_free(&st);
}

static void p16_under_a_reassignment_the_controllers_broker_tells(void **state)
{
	struct stage *st = stage_new();

	stage_assign(st, "3", "");
	stage_no_controller(st);
	stage_mark(st);
	stage_elect(st, 4);
	stage_rest(st, REST);
	stage_holds(st, 1, 1000);
	assert_topic(st, "T2 queued certain: reassigning likely");
	assert_names(st, 1, TWIN_P15);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T2 queued certain: reassigning certain");
	assert_string_equal(st->de->why, "is being moved");
	assert_true(st->de->acts & DELETION_ACT_RESTART_HOST);
	st->ctrl = KNOW_PRESENT;
	assert_topic(st, "T1 queued certain");
	stage_free(&st);
}

static void says_no_reason(struct stage *st)
{
	assert_null(strstr(stage_evidence(st, 3), "replica deletion failure"));
	assert_null(strstr(stage_evidence(st, 3), "offline replicas"));
	stage_free(&st);
}

static void p17_the_controllers_reason_is_never_told(void **state)
{
	says_no_reason(scene_down_before());
	says_no_reason(scene_died_after());
	says_no_reason(beside_a_bad_dir("/d1"));
}

static void p18_a_count_of_replicas_is_said_to_tell_with_one_topic_queued_only(void **state)
{
	for (int tw = 0; tw < TWINS; tw++)
		if (strstr(deletion_twin_text((enum twin)tw), "ReplicasToDeleteCount") != NULL)
			assert_non_null(strstr(deletion_twin_text((enum twin)tw), "with one topic queued"));
}

static void p19_p20_over_orphans_a_topic_made_again_is_warned_of(void **state)
{
	static const char *const none[] = { NULL }, *const again[] = { "t", NULL };
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	fixture_children(st->fx, "/brokers/topics", none);
	stage_unmark(st);
	fixture_children(st->fx, "/brokers/topics", again);
	fixture_znode(st->fx, "/brokers/topics/t", "{\"version\":2,\"partitions\":{\"0\":[2]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	stage_holds(st, 3, 3000);
	stage_holds(st, 3, 3000); /* the first answer may have been asked for before the end */
	stage_look(st);
	assert_int_equal(st->de->state, DELETION_RECREATED);
	assert_int_equal(st->de->orphans, 1);
	assert_non_null(strstr(st->de->act, "may serve their records"));
	assert_non_null(strstr(st->de->act, "offset lag -1"));
	stage_free(&st);
}

static void p21_a_dir_taken_out_of_the_brokers_list_may_keep_the_files(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_all_gone(st);
	assert_replica(st, 2, "R2 done certain Successful certain");
	assert_names_not(st, 2, TWIN_P21);
	stage_bad_dir(st, 3, "/d1", 0);
	stage_up(st, 3);
	stage_rest(st, REST);
	stage_said(st, "dir /d2\ndisks 3\n");
	stage_rest(st, 3000); /* the controller has heard of it */
	assert_replica(st, 3, "R2 done likely Successful certain");
	assert_names(st, 3, TWIN_P21);
	stage_free(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p0_not_taken_up_is_a_busy_controller_or_a_name_left_over),
		cmocka_unit_test(p0_a_broker_that_goes_leaves_its_replica_online_where_the_topic_is_passed_over),
		cmocka_unit_test(p1_a_dead_broker_may_have_deleted_its_replica_before),
		cmocka_unit_test(p1_what_was_seen_before_it_died_tells),
		cmocka_unit_test(p2_beside_a_bad_dir_who_did_not_watch_can_not_know),
		cmocka_unit_test(p2_the_epoch_of_the_failure_tells),
		cmocka_unit_test(p2_beside_another_bad_dir_one_that_fails_late_may_have_been_emptied),
		cmocka_unit_test(p3_a_dir_known_bad_before_and_one_that_failed_during_the_pass),
		cmocka_unit_test(p4_a_first_pass_and_a_retry_with_nothing_to_send),
		cmocka_unit_test(p4_an_election_before_the_marker_is_none_that_makes_it_offline),
		cmocka_unit_test(p5_killed_and_frozen_are_one_state_and_the_error_tells_them_apart),
		cmocka_unit_test(p6_a_silent_broker_of_a_topic_that_waits_for_another_is_not_certain),
		cmocka_unit_test(p7_empty_by_an_election_or_empty_always),
		cmocka_unit_test(p8_a_marker_taken_away_without_the_controllers_word),
		cmocka_unit_test(p8_the_word_of_who_was_just_elected_is_not_its_own_yet),
		cmocka_unit_test(p9_resurrected_is_told_by_who_watched_alone),
		cmocka_unit_test(p10_refused_is_a_topic_that_is_still_there),
		cmocka_unit_test(p10_who_refused_is_the_controller_of_that_moment),
		cmocka_unit_test(p10_an_election_at_that_moment_leaves_it_open),
		cmocka_unit_test(p11_made_again_is_another_czxid),
		cmocka_unit_test(p12_a_marker_that_stays_has_a_child_or_a_stuck_controller),
		cmocka_unit_test(p13_leaderless_and_marked_is_not_certain_to_have_been_passed),
		cmocka_unit_test(p13_a_leader_that_went_with_its_broker_and_is_back_is_not_certainly_resurrected),
		cmocka_unit_test(p13_leaderless_for_want_of_a_dir_is_not_certain_to_have_been_passed),
		cmocka_unit_test(p13_leaderless_beside_partitions_that_live_is_no_pass),
		cmocka_unit_test(p14_never_elected_is_not_certain_to_have_been_taken_up),
		cmocka_unit_test(p14_states_that_go_with_their_topic_were_there),
		cmocka_unit_test(p15_queued_without_a_pass_is_told_by_the_controllers_broker_alone),
		cmocka_unit_test(p16_under_a_reassignment_the_controllers_broker_tells),
		cmocka_unit_test(p17_the_controllers_reason_is_never_told),
		cmocka_unit_test(p18_a_count_of_replicas_is_said_to_tell_with_one_topic_queued_only),
		cmocka_unit_test(p19_p20_over_orphans_a_topic_made_again_is_warned_of),
		cmocka_unit_test(p21_a_dir_taken_out_of_the_brokers_list_may_keep_the_files),
	};

	return cmocka_run_group_tests_name("core/deletion, look-alikes", tests, NULL, NULL);
}
