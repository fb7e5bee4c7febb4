/* SPDX-License-Identifier: Apache-2.0 */
/* core/deletion, the rows of the reference's table of topics (2.14), what is advised, attempts, ends. Rows not here: test_deletion_twins.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/unit/scene.h"


#define assert_topic(st, text) assert_string_equal(stage_topic(st), text)
#define assert_has(text, part) assert_non_null(strstr(text, part))

static void never_advises_taking_the_marker_away(const struct deletion *de)
{
	assert_null(strstr(de->act, "remove the marker"));
	assert_null(strstr(de->act, "take the marker away"));
	assert_null(strstr(de->act, "delete the marker"));
}

/* Marker and pass, then rest; brokers told what is left: broker 3's, unless gone. */
static struct stage *passed(bool is_gone)
{
	struct stage *st = scene_passed();

	stage_holds(st, 3, is_gone ? -1 : 3000);
	return st;
}

static void t1_a_marker_that_just_came_is_queued_and_waits_for_nothing(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	assert_topic(st, "T1 queued certain");
	assert_string_equal(st->de->why, "");
	assert_has(st->de->next, "usually within a second");
	assert_string_equal(st->de->act, "");
	stage_free(&st);
}

static void t1_without_a_controller_for_ten_seconds_that_is_why(void **state)
{
	struct stage *st = stage_new();

	stage_no_controller(st);
	stage_mark(st);
	assert_topic(st, "T1 queued certain"); /* an election takes a moment */
	stage_rest(st, REST);
	assert_topic(st, "T1 queued certain: controller-absent certain");
	assert_string_equal(st->de->why, "controller absent");
	assert_has(st->de->next, "When a controller is elected");
	stage_free(&st);
}

static void t1_a_silent_controller_is_likely_why(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_said(st, "link 4 failed timed-out\n");
	stage_look(st);
	stage_rest(st, REST);
	assert_topic(st, "T1 queued certain: controller-silent 4 likely");
	assert_string_equal(st->de->why, "controller 4 silent");
	stage_free(&st);
}

static void t1_a_controller_that_may_not_delete_will_refuse(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_said(st, "settings 4 delete.topic.enable=false\n");
	st->ctrl = KNOW_PRESENT;
	assert_topic(st, "T1 queued certain: deletion-disabled 4 likely");
	stage_free(&st);
}

/* It may have been started with another one since. */
static void a_setting_that_can_not_be_read_any_more_blocks_nothing(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_said(st, "settings 4 delete.topic.enable=false\n");
	st->ctrl = KNOW_PRESENT;
	model_apply(st->fx->md, event_of_broker(EV_BROKER_SETTINGS, 4, "no permission", (mono_ms){ 1 + st->fx->at }, fixture_now(st->fx)));
	assert_topic(st, "T1 queued certain");
	stage_free(&st);
}

static void t2_a_topic_queued_at_an_election_waits_for_an_event(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_elect(st, 1);
	stage_rest(st, REST);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T2 queued certain: no-trigger likely");
	stage_free(&st);
}

static void t3_a_pass_under_way_runs(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T3 running certain");
	assert_string_equal(st->de->why, "");
	stage_free(&st);
}

/* The controller's word is remembered from an earlier run; what holds the topic up no broker has told yet. */
static void t3_while_no_broker_has_told_is_not_certain(void **state)
{
	static const char *const none[] = { NULL }, *const marked[] = { "t", NULL };
	struct fixture *fx = fixture_new();
	struct deletions *ds = deletions_new();
	struct witness *wi;
	struct cluster cl;

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"listener_security_protocol_map\":{\"P\":\"PLAINTEXT\"},\"endpoints\":[\"P://b1:9092\"],"
		"\"jmx_port\":-1,\"port\":1,\"host\":\"h\",\"version\":4,\"timestamp\":\"1\"}\n"
		"/controller\t{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}\n/controller_epoch\t7\n"
		"/brokers/topics/t\t{\"version\":2,\"partitions\":{\"0\":[1]}}\n"
		"/brokers/topics/t/partitions/0/state\t{\"controller_epoch\":7,\"leader\":-1,\"version\":1,\"leader_epoch\":8,\"isr\":[1]}\n");
	fixture_children(fx, "/admin/delete_topics", none);
	fixture_children(fx, "/admin/delete_topics", marked);
	fixture_znode(fx, "/admin/delete_topics/t", "");
	cl = *fixture_cluster(fx);
	wi = witness_copy(cl.witnesses[0]);
	wi->ctrl_lists = KNOW_ABSENT;
	wi->ctrl_polls = 3;
	wi->ctrl_epoch = 7;
	cl.witnesses = &wi;
	deletions_update(ds, &cl, NULL, (mono_ms){ 1 + fx->at }, fixture_now(fx));
	assert_int_equal(deletions_find(ds, "t")->n_by_phase[PHASE_UNKNOWN], 1);
	assert_string_equal(deletions_find(ds, "t")->rule, "T3");
	assert_int_equal(deletions_find(ds, "t")->certainty, CERTAINTY_LIKELY);
	deletions_free(&ds);
	witness_free(&wi);
	fixture_free(&fx);
}

static void t4_waits_for_a_broker_that_is_down(void **state)
{
	struct stage *st = stage_new();

	stage_down(st, 3);
	stage_mark(st);
	stage_pass(st);
	assert_topic(st, "T4 waiting certain: broker-down 3 certain"); /* down since before the marker */
	stage_rest(st, REST);
	stage_all_gone(st);
	assert_topic(st, "T4 waiting certain: broker-down 3 certain");
	assert_string_equal(st->de->why, "broker 3 down");
	assert_string_equal(st->de->next, "When broker 3 registers, the controller tries again by itself.");
	assert_string_equal(st->de->act, "Start broker 3, or if it is gone for good, an empty broker with the same id.");
	assert_int_equal(st->de->acts, DELETION_ACT_START_BROKER);
	assert_string_equal(st->de->blockers[0].text, "broker 3 (b3.example) is not registered");
	assert_true(st->de->blockers[0].since.ms != 0);
	assert_int_equal(st->de->blockers[0].n_replicas, 1);
	assert_int_equal(st->de->bytes_left, 3000);
	assert_int_equal(st->de->n_by_phase[PHASE_DONE], 2);
	assert_int_equal(st->de->n_by_phase[PHASE_WAITING], 1);
	stage_free(&st);
}

static void while_it_waits_what_holds_for_others_clients_and_disks_is_told(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	assert_string_equal(stage_look(st)->meantime, ""); /* not yet known to wait */
	stage_free(&st);
	st = stage_new();
	stage_down(st, 3);
	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_all_gone(st);
	assert_string_equal(stage_look(st)->meantime,
		"No other deletion waits behind it; time alone moves nothing on. Clients are told that there is no such topic; its name is taken until "
		"it is gone. Replicas that wait keep their files. Deleted ones were renamed to ...-delete: their space comes after log.segment.delete.delay.ms.");
	stage_elect(st, 1);
	stage_holds(st, 1, 0);
	stage_holds(st, 2, 0);
	assert_has(stage_look(st)->meantime, " An election made 2 deleted replicas again, empty.");
	stage_free(&st);
}

static void without_a_controller_every_deletion_waits(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_no_controller(st);
	stage_look(st);
	stage_rest(st, REST);
	assert_string_equal(stage_look(st)->meantime, "Every other deletion waits for the controller, too.");
	stage_free(&st);
}

static void t4_names_all_brokers_that_are_down(void **state)
{
	struct stage *st = stage_new();

	stage_down(st, 2);
	stage_down(st, 3);
	stage_mark(st);
	stage_pass(st);
	stage_rest(st, REST);
	stage_holds(st, 1, -1);
	assert_topic(st, "T4 waiting certain: broker-down 2 certain, broker-down 3 certain");
	assert_string_equal(st->de->why, "brokers 2 and 3 down");
	assert_has(st->de->act, "Start brokers 2 and 3");
	stage_free(&st);
}

static void t4_goes_on_when_the_broker_registers(void **state)
{
	struct stage *st = scene_down_before();

	stage_look(st);
	stage_up(st, 3);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T3 running certain");
	assert_string_equal(st->de->attempts[st->de->n_attempts - 1].trigger, "broker 3 registered");
	stage_free(&st);
}

static void t5_a_bad_dir_is_mended_first_and_then_the_broker_restarted(void **state)
{
	struct stage *st = passed(true);

	stage_free(&st);
	st = passed(false);
	stage_bad_dir(st, 3, "/d1", -1);
	assert_topic(st, "T5 waiting certain: log-dir-offline 3 /d1 certain");
	assert_string_equal(st->de->why, "broker 3: dir /d1 offline");
	assert_string_equal(st->de->act, "Mend or replace /d1 of broker 3, or take it out of log.dirs; then restart that broker.");
	assert_has(st->de->next, "a restart with the dir still bad does not help");
	assert_int_equal(st->de->acts, DELETION_ACT_MEND_DIR);
	stage_free(&st);
}

static void t4_and_t5_at_once_names_both(void **state)
{
	struct stage *st = passed(false);

	stage_bad_dir(st, 3, "/d1", -1);
	stage_down(st, 2);
	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_look(st);
	assert_string_equal(st->de->why, "broker 2 down");
	assert_has(st->de->act, "Besides, mend /d1 of broker 3, then restart that one.");
	assert_int_equal(st->de->acts, DELETION_ACT_START_BROKER | DELETION_ACT_MEND_DIR);
	stage_free(&st);
}

static void t6_a_reassignment_after_an_election_never_ends(void **state)
{
	struct stage *st = stage_new();

	stage_assign(st, "3", "");
	stage_mark(st);
	stage_pass(st);
	stage_elect(st, 1);
	stage_rest(st, REST);
	stage_holds(st, 3, 10);
	st->ctrl = KNOW_ABSENT;
	assert_topic(st, "T6 waiting certain: reassigning certain");
	assert_string_equal(st->de->why, "is being moved");
	assert_has(st->de->next, "an election does not help");
	assert_has(st->de->act, "Restart one broker that holds a replica");
	assert_int_equal(st->de->acts, DELETION_ACT_RESTART_HOST);
	assert_true(st->de->replicas[2].is_adding);
	stage_free(&st);
}

static void t7a_a_replica_that_stays_though_nothing_is_in_the_way(void **state)
{
	struct stage *st = passed(false);

	stage_rest(st, LONG);
	stage_holds(st, 3, 3000);
	assert_topic(st, "T7a waiting likely: no-trigger 3 likely, refused-stale 3 guess");
	assert_has(st->de->act, "Restart broker 3; if that does not help, let another controller be elected.");
	assert_int_equal(st->de->acts, DELETION_ACT_RESTART_HOST | DELETION_ACT_MOVE_CONTROLLER);
	stage_free(&st);
}

static void t7b_all_replicas_gone_and_the_nodes_stay(void **state)
{
	struct stage *st = passed(true);

	assert_topic(st, "T3 running likely");
	stage_rest(st, LONG);
	assert_topic(st, "T7b waiting likely: no-trigger likely");
	assert_string_equal(st->de->why, "nothing is due to move it on");
	stage_free(&st);
}

static void t8_nodes_that_go_one_by_one_are_the_end(void **state)
{
	struct stage *st = stage_new();

	fixture_znode(st->fx, "/brokers/topics/t", "{\"version\":2,\"partitions\":{\"0\":[1,2,3],\"1\":[2,3,1]},\"adding_replicas\":{},\"removing_replicas\":{}}");
	fixture_znode(st->fx, "/brokers/topics/t/partitions/1/state", "{\"controller_epoch\":7,\"leader\":2,\"version\":1,\"leader_epoch\":5,\"isr\":[2,3]}");
	stage_mark(st);
	fixture_znode(st->fx, "/brokers/topics/t/partitions/1/state", "{\"controller_epoch\":7,\"leader\":-1,\"version\":1,\"leader_epoch\":9,\"isr\":[2]}");
	stage_pass(st);
	fixture_znode(st->fx, "/brokers/topics/t/partitions/0/state", NULL);
	assert_topic(st, "T8 finishing likely");
	stage_free(&st);
}

/* ---- without brokers --------------------------------------------------------------------------- */

static void when_brokers_are_not_asked_the_dead_one_is_named_all_the_same(void **state)
{
	static const char *const none[] = { NULL }, *const marked[] = { "t", NULL };
	struct fixture *fx = fixture_new();
	struct deletions *ds = deletions_new();
	const struct deletion *de;

	fixture_load_text(fx,
		"/brokers/ids/1\t{\"listener_security_protocol_map\":{\"P\":\"PLAINTEXT\"},\"endpoints\":[\"P://b1:9092\"],"
		"\"jmx_port\":-1,\"port\":1,\"host\":\"h\",\"version\":4,\"timestamp\":\"1\"}\n"
		"/controller\t{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}\n/controller_epoch\t7\n"
		"/brokers/topics/t\t{\"version\":2,\"partitions\":{\"0\":[1,2]}}\n"
		"/brokers/topics/t/partitions/0/state\t{\"controller_epoch\":7,\"leader\":-1,\"version\":1,\"leader_epoch\":8,\"isr\":[1]}\n");
	fixture_children(fx, "/admin/delete_topics", none);
	fixture_children(fx, "/admin/delete_topics", marked);
	fixture_znode(fx, "/admin/delete_topics/t", "");
	assert_true(deletions_update(ds, fixture_cluster(fx), NULL, (mono_ms){ 1 + fx->at + REST }, (wall_ms){ fixture_now(fx).ms + REST }));
	de = deletions_find(ds, "t");
	assert_int_equal(de->state, DELETION_WAITING);
	assert_string_equal(de->why, "broker 2 down");
	assert_int_equal(de->n_by_phase[PHASE_UNKNOWN], 1);
	assert_int_equal(de->bytes_left, -1);
	deletions_free(&ds);
	fixture_free(&fx);
}

/* ---- too quick to follow ---------------------------------------------------------------------------- */

static const char *const no_names[] = { NULL }, *const t_alone[] = { "t", NULL };

static void a_topic_that_goes_without_a_marker_is_told_and_never_certain(void **state)
{
	struct stage *st = stage_new();

	(void)state;
	fixture_children(st->fx, "/brokers/topics", no_names);
	assert_topic(st, "T11 done likely");
	assert_true(st->de->is_unmarked);
	assert_false(st->de->is_followed);
	assert_true(st->de->marked_at.ms == 0 && st->de->ended_at.ms != 0);
	assert_int_equal(st->de->n_attempts, 0);
	assert_int_equal(st->de->n_replicas, 3);
	assert_int_equal(st->de->replicas[0].certainty, CERTAINTY_LIKELY);
	assert_has(st->de->act, "no marker was seen: its deletion was too quick to follow, or somebody removed its node by hand");
	fixture_children(st->fx, "/brokers/topics", t_alone);
	fixture_znode(st->fx, "/brokers/topics/t", "{\"version\":2,\"partitions\":{\"0\":[1,2,3]}}");
	assert_topic(st, "T12 recreated certain");
	stage_free(&st);
}

static void one_whose_node_was_never_read_is_told_too(void **state)
{
	static const char *const both[] = { "t", "u", NULL };
	struct deletions *ds = deletions_new();
	struct stage *st = stage_new();
	const struct deletion *de;

	(void)state;
	fixture_children(st->fx, "/brokers/topics", both);
	fixture_children(st->fx, "/brokers/topics", t_alone);
	deletions_update(ds, fixture_cluster(st->fx), NULL, (mono_ms){ 1 + st->fx->at }, fixture_now(st->fx));
	de = deletions_find(ds, "u");
	assert_non_null(de);
	assert_true(de->is_unmarked && de->czxid == 0 && de->state == DELETION_DONE && de->certainty == CERTAINTY_LIKELY);
	assert_int_equal(de->n_replicas, 0);
	assert_null(strstr(de->act, "does not exist"));
	deletions_free(&ds);
	fixture_znode(st->fx, "/brokers/topics/t", NULL); /* before the list says so */
	assert_topic(st, "T11 done likely");
	assert_true(st->de->is_unmarked && st->de->n_replicas == 3);
	stage_free(&st);
}

/* As by a tool that removes the nodes of thousands. */
static void of_many_that_go_without_a_marker_the_last_ones_are_told(void **state)
{
	char text[300][8];
	const char *names[301];
	struct deletions *ds = deletions_new();
	struct stage *st = stage_new();

	(void)state;
	for (int i = 0; i < 300; i++) {
		str_printf(text[i], sizeof(text[i]), "x%03d", i);
		names[i] = text[i];
	}
	names[300] = NULL;
	fixture_children(st->fx, "/brokers/topics", names);
	for (int i = 0; i <= 300; i += 20)
		fixture_children(st->fx, "/brokers/topics", &names[i]);
	deletions_update(ds, fixture_cluster(st->fx), NULL, (mono_ms){ 1 + st->fx->at }, fixture_now(st->fx));
	assert_int_equal(deletions_count(ds), WITNESSES_UNMARKED_MAX);
	assert_null(deletions_find(ds, "x000"));
	assert_non_null(deletions_find(ds, "x299"));
	deletions_free(&ds);
	stage_free(&st);
}

static void a_marker_that_is_seen_after_its_topic_went_is_of_the_same_deletion(void **state)
{
	struct stage *st = stage_new();

	(void)state;
	fixture_children(st->fx, "/brokers/topics", no_names);
	stage_look(st);
	stage_mark(st);
	stage_look(st);
	assert_int_equal(deletions_count(st->ds), 1);
	assert_false(st->de->is_unmarked);
	assert_true(st->de->czxid != 0);
	stage_unmark(st);
	assert_topic(st, "T11 done certain");
	assert_int_equal(deletions_count(st->ds), 1);
	stage_free(&st);
}

static void what_went_while_nobody_watched_is_not_told(void **state)
{
	struct stage *st = stage_new();

	(void)state;
	fixture_new_epoch(st->fx);
	fixture_children(st->fx, "/brokers/topics", no_names);
	stage_turn(st);
	assert_int_equal(deletions_count(st->ds), 0);
	stage_free(&st);
}

/* ---- the end ------------------------------------------------------------------------------------- */

static struct stage *ended(void)
{
	static const char *const none[] = { NULL };
	struct stage *st = passed(true);

	stage_look(st);
	fixture_children(st->fx, "/brokers/topics", none);
	stage_unmark(st);
	return st;
}

static void t11_space_is_free_a_minute_after_the_last_replica_went_or_as_its_broker_says(void **state)
{
	struct stage *st = ended();
	int64_t last = 0;

	assert_topic(st, "T11 done certain");
	for (size_t i = 0; i < st->list[0]->n_replicas; i++)
		if (st->list[0]->replicas[i].gone.ms > last)
			last = st->list[0]->replicas[i].gone.ms;
	assert_int_equal(st->de->space_free_at.ms, last + 60000);
	assert_int_equal(st->de->orphans, 0);
	assert_int_equal(st->de->replicas[0].state, RSM_NON_EXISTENT);
	assert_int_equal(st->de->replicas[0].phase_certainty, CERTAINTY_CERTAIN);
	assert_true(st->de->ended_at.ms != 0);
	assert_string_equal(st->de->next, "");
	stage_said(st, "settings 1 log.segment.delete.delay.ms=600000\n");
	stage_look(st);
	assert_true(st->de->space_free_at.ms > last + 590000);
	stage_free(&st);
}

static void t11_replicas_that_brokers_still_list_are_orphans(void **state)
{
	static const char *const none[] = { NULL };
	struct stage *st = stage_new();

	stage_down(st, 3);
	stage_mark(st);
	stage_pass(st);
	fixture_children(st->fx, "/brokers/topics", none); /* by hand */
	stage_unmark(st);
	stage_look(st);
	assert_int_equal(st->de->orphans, -1);
	stage_up(st, 3);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	stage_holds(st, 3, 3000);
	stage_look(st);
	assert_int_equal(st->de->orphans, 1);
	assert_has(st->de->act, "orphans");
	assert_has(stage_evidence(st, 3), "nobody will delete it");
	stage_free(&st);
}

/* The broker made its answer before it deleted, and was slow to give it. */
static void t11_one_answer_after_the_end_may_have_been_asked_for_before(void **state)
{
	static const char *const none[] = { NULL };
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	fixture_children(st->fx, "/brokers/topics", none);
	stage_unmark(st);
	stage_holds(st, 3, 3000);
	stage_look(st);
	assert_int_equal(st->de->orphans, -1);
	assert_string_equal(stage_replica(st, 3), "T11 done likely NonExistent certain");
	stage_holds(st, 3, 3000);
	stage_look(st);
	assert_int_equal(st->de->orphans, 1);
	assert_has(stage_evidence(st, 3), "nobody will delete it");
	stage_free(&st);
}

/* ---- attempts -------------------------------------------------------------------------------------- */

static void first_uncounted(struct witness *wi)
{
	wi->attempts[0].done = wi->attempts[0].left = 0;
}

static void attempts_tell_what_set_them_off_and_how_they_ended(void **state)
{
	struct stage *st = stage_new();

	stage_down(st, 3);
	stage_mark(st);
	stage_pass(st);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	stage_elect(st, 1);
	stage_look(st);
	assert_true(st->de->is_followed);
	assert_int_equal(st->de->n_attempts, 2);
	assert_string_equal(st->de->attempts[0].trigger, "asked for");
	assert_string_equal(st->de->attempts[0].outcome, "2 done, 1 waits: broker 3 down");
	assert_string_equal(st->de->attempts[1].trigger, "controller 1 elected, epoch 8");
	assert_null(st->de->attempts[1].outcome);
	st->edit = first_uncounted;
	stage_look(st);
	assert_string_equal(st->de->attempts[0].outcome, "how it ended was not seen");
	stage_free(&st);
}

static void an_attempt_keeps_its_reason_when_the_next_one_comes_and_after_the_end(void **state)
{
	static const char *const none[] = { NULL };
	struct stage *st = stage_new();

	stage_mark(st);
	stage_pass(st);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	stage_rest(st, LONG);
	stage_down(st, 3); /* killed: its session was over after the attempt had come to rest */
	stage_up(st, 3);
	stage_look(st);
	assert_int_equal(st->de->n_attempts, 2);
	assert_string_equal(st->de->attempts[0].outcome, "2 done, 1 waits: broker 3 down");
	stage_holds(st, 3, -1);
	fixture_children(st->fx, "/brokers/topics", none);
	stage_unmark(st);
	stage_look(st);
	assert_int_equal(st->de->state, DELETION_DONE);
	assert_string_equal(st->de->attempts[0].outcome, "2 done, 1 waits: broker 3 down");
	assert_string_equal(st->de->attempts[1].outcome, "3 done, 0 wait");
	stage_free(&st);
}

static void of_what_was_refused_nothing_waits(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_unmark(st);
	stage_look(st);
	assert_int_equal(st->de->state, DELETION_REFUSED);
	assert_string_equal(st->de->attempts[0].outcome, "refused");
	stage_free(&st);
}

static void no_stage_advises_taking_the_marker_away(void **state)
{
	struct stage *st = passed(false);

	stage_look(st);
	never_advises_taking_the_marker_away(st->de);
	stage_down(st, 3);
	stage_rest(st, LONG);
	stage_look(st);
	never_advises_taking_the_marker_away(st->de);
	stage_free(&st);
	st = stage_new();
	stage_mark(st);
	stage_rest(st, LONG);
	stage_look(st);
	never_advises_taking_the_marker_away(st->de);
	stage_free(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_topic_that_goes_without_a_marker_is_told_and_never_certain),
		cmocka_unit_test(one_whose_node_was_never_read_is_told_too),
		cmocka_unit_test(of_many_that_go_without_a_marker_the_last_ones_are_told),
		cmocka_unit_test(a_marker_that_is_seen_after_its_topic_went_is_of_the_same_deletion),
		cmocka_unit_test(what_went_while_nobody_watched_is_not_told),
		cmocka_unit_test(t1_a_marker_that_just_came_is_queued_and_waits_for_nothing),
		cmocka_unit_test(t1_without_a_controller_for_ten_seconds_that_is_why),
		cmocka_unit_test(t1_a_silent_controller_is_likely_why),
		cmocka_unit_test(t1_a_controller_that_may_not_delete_will_refuse),
		cmocka_unit_test(a_setting_that_can_not_be_read_any_more_blocks_nothing),
		cmocka_unit_test(t2_a_topic_queued_at_an_election_waits_for_an_event),
		cmocka_unit_test(t3_a_pass_under_way_runs),
		cmocka_unit_test(t3_while_no_broker_has_told_is_not_certain),
		cmocka_unit_test(t4_waits_for_a_broker_that_is_down),
		cmocka_unit_test(while_it_waits_what_holds_for_others_clients_and_disks_is_told),
		cmocka_unit_test(without_a_controller_every_deletion_waits),
		cmocka_unit_test(t4_names_all_brokers_that_are_down),
		cmocka_unit_test(t4_goes_on_when_the_broker_registers),
		cmocka_unit_test(t5_a_bad_dir_is_mended_first_and_then_the_broker_restarted),
		cmocka_unit_test(t4_and_t5_at_once_names_both),
		cmocka_unit_test(t6_a_reassignment_after_an_election_never_ends),
		cmocka_unit_test(t7a_a_replica_that_stays_though_nothing_is_in_the_way),
		cmocka_unit_test(t7b_all_replicas_gone_and_the_nodes_stay),
		cmocka_unit_test(t8_nodes_that_go_one_by_one_are_the_end),
		cmocka_unit_test(when_brokers_are_not_asked_the_dead_one_is_named_all_the_same),
		cmocka_unit_test(t11_space_is_free_a_minute_after_the_last_replica_went_or_as_its_broker_says),
		cmocka_unit_test(t11_replicas_that_brokers_still_list_are_orphans),
		cmocka_unit_test(t11_one_answer_after_the_end_may_have_been_asked_for_before),
		cmocka_unit_test(attempts_tell_what_set_them_off_and_how_they_ended),
		cmocka_unit_test(an_attempt_keeps_its_reason_when_the_next_one_comes_and_after_the_end),
		cmocka_unit_test(of_what_was_refused_nothing_waits),
		cmocka_unit_test(no_stage_advises_taking_the_marker_away),
	};

	return cmocka_run_group_tests_name("core/deletion, topics", tests, NULL, NULL);
}
