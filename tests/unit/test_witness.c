/* SPDX-License-Identifier: Apache-2.0 */
/* Witnesses joined with what another run of the program saw; and bounds. What the model writes into them: tests/model/2*.t. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/model.h"
#include "core/witness.h"

static struct witness *one(int64_t czxid, int64_t first_seen)
{
	struct witness *wi = witness_new("a", czxid);

	wi->first_seen.ms = first_seen;
	wi->replicas = mem_array(2, sizeof(*wi->replicas));
	wi->n_replicas = 2;
	for (int32_t i = 0; i < 2; i++)
		wi->replicas[i] = (struct witness_replica){ .partition = 0, .broker = 1 + i, .size_bytes = -1, .gone_epoch = -1, .dir_failed_epoch = -1 };
	return wi;
}

static void lay(struct witness *wi, size_t i, const char *dir, int64_t listed)
{
	mem_free(&wi->replicas[i].dir);
	wi->replicas[i].dir = mem_strdup(dir);
	wi->replicas[i].size_bytes = 5;
	wi->replicas[i].listed.ms = listed;
}

static void what_only_the_other_saw_is_taken_over(void **state)
{
	struct witness *wi = one(1, 500), *other = one(1, 100);

	lay(other, 0, "/d1", 200);
	other->replicas[0].gone.ms = 300;
	other->replicas[0].gone_epoch = 4;
	other->epoch_first = 4;
	other->was_alive = true;
	other->pass_seen.ms = 250;
	assert_true(witness_merge(wi, other));
	assert_int_equal(wi->first_seen.ms, 100);
	assert_int_equal(wi->epoch_first, 4);
	assert_true(wi->was_alive);
	assert_int_equal(wi->pass_seen.ms, 250);
	assert_string_equal(wi->replicas[0].dir, "/d1");
	assert_int_equal(wi->replicas[0].gone.ms, 300);
	assert_int_equal(wi->replicas[0].gone_epoch, 4);
	assert_false(witness_merge(wi, other)); /* nothing is new */
	witness_free(&other);
	witness_free(&wi);
}

static void a_replica_listed_after_it_was_gone_is_not_gone(void **state)
{
	struct witness *wi = one(1, 100), *other = one(1, 100);

	lay(wi, 0, "/d1", 400);
	wi->replicas[0].refilled = true;
	other->replicas[0].gone.ms = 300;
	other->replicas[0].gone_epoch = 4;
	witness_merge(wi, other);
	assert_int_equal(wi->replicas[0].gone.ms, 0);
	/* and seen from the other side */
	assert_true(witness_merge(other, wi));
	assert_int_equal(other->replicas[0].gone.ms, 0);
	assert_true(other->replicas[0].refilled);
	assert_string_equal(other->replicas[0].dir, "/d1");
	witness_free(&other);
	witness_free(&wi);
}

static void the_first_time_that_it_was_seen_gone_counts(void **state)
{
	struct witness *wi = one(1, 100), *other = one(1, 100);

	lay(wi, 0, "/d1", 200);
	wi->replicas[0].gone.ms = 500;
	wi->replicas[0].gone_epoch = 6;
	lay(other, 0, "/d1", 200);
	other->replicas[0].gone.ms = 300;
	other->replicas[0].gone_epoch = 5;
	assert_true(witness_merge(wi, other));
	assert_int_equal(wi->replicas[0].gone.ms, 300);
	assert_int_equal(wi->replicas[0].gone_epoch, 5);
	witness_free(&other);
	witness_free(&wi);
}

static void replicas_of_both_are_watched_in_order(void **state)
{
	struct witness *wi = one(1, 100), *other = one(1, 100);

	wi->replicas[0].partition = wi->replicas[1].partition = 3;
	assert_true(witness_merge(wi, other));
	assert_int_equal(wi->n_replicas, 4);
	for (int32_t p = 0; p <= 3; p += 3)
		for (int32_t b = 1; b <= 2; b++)
			assert_non_null(witness_replica_find(wi, p, b));
	assert_null(witness_replica_find(wi, 1, 1));
	witness_free(&other);
	witness_free(&wi);
}

static void of_very_many_attempts_the_first_and_the_last_stay(void **state)
{
	struct witness *wi = one(1, 100);

	for (int32_t i = 0; i < 300; i++) {
		struct witness_attempt at = { .trigger = i == 0 ? WITNESS_MARKED : WITNESS_BROKER_STARTED, .id = i, .at = { 1000 + i } };

		assert_true(witness_attempt_add(wi, &at));
		assert_false(witness_attempt_add(wi, &at));
	}
	assert_int_equal(wi->n_attempts, WITNESS_ATTEMPTS_MAX);
	assert_int_equal(wi->n_dropped, 100);
	assert_int_equal(wi->attempts[0].trigger, WITNESS_MARKED);
	assert_int_equal(wi->attempts[1].id, 101);
	assert_int_equal(wi->attempts[WITNESS_ATTEMPTS_MAX - 1].id, 299);
	witness_free(&wi);
}

static void found_and_seen_to_come_are_one_attempt(void **state)
{
	struct witness *wi = one(1, 100), *other = one(1, 50);
	struct witness_attempt found = { .trigger = WITNESS_FOUND, .id = BROKER_NONE, .at = { 40 } }, marked = { .trigger = WITNESS_MARKED, .id = BROKER_NONE, .at = { 40 } };

	witness_attempt_add(wi, &found);
	witness_attempt_add(other, &marked);
	assert_true(witness_merge(wi, other));
	assert_int_equal(wi->n_attempts, 1);
	assert_int_equal(wi->attempts[0].trigger, WITNESS_MARKED);
	witness_free(&other);
	witness_free(&wi);
}

static void the_reason_of_an_attempt_comes_with_its_count_and_is_cut_between_characters(void **state)
{
	struct witness *wi = one(1, 100), *other = one(1, 100);
	struct witness_attempt open = { .trigger = WITNESS_MARKED, .id = BROKER_NONE, .at = { 40 } }, counted = open;
	char dir[WITNESS_WHY_MAX + 8];

	counted.rested.ms = 60;
	counted.done = counted.left = 1;
	assert_true(witness_attempt_say(&counted, "broker 3 down"));
	assert_false(witness_attempt_say(&counted, "broker 3 down"));
	witness_attempt_add(wi, &open);
	witness_attempt_add(other, &counted);
	assert_true(witness_merge(wi, other));
	assert_string_equal(wi->attempts[0].why, "broker 3 down");
	memset(dir, 'x', sizeof(dir));
	memcpy(dir + WITNESS_WHY_MAX - 2, "\u00fc", sizeof("\u00fc"));
	assert_true(witness_attempt_say(&counted, dir));
	assert_int_equal(strlen(counted.why), WITNESS_WHY_MAX - 2);
	witness_free(&other);
	witness_free(&wi);
}

static void a_copy_is_whole_and_its_own(void **state)
{
	struct witness *wi = one(1, 100), *copy;

	lay(wi, 1, "/d1", 7);
	witness_attempt_add(wi, &(struct witness_attempt){ .trigger = WITNESS_MARKED, .at = { 4 } });
	copy = witness_copy(wi);
	witness_free(&wi);
	assert_string_equal(copy->replicas[1].dir, "/d1");
	assert_int_equal(copy->n_attempts, 1);
	assert_string_equal(copy->topic, "a");
	witness_free(&copy);
}

/* ---- the model remembers ---------------------------------------------------------------- */

static void list(struct model *md, const char *path, const char *name, int64_t at)
{
	model_apply(md, event_from_children(path, ZNODE_OK, NULL, &name, name != NULL, NULL, 1, (mono_ms){ at }, (wall_ms){ at }));
}

static void node(struct model *md, const char *path, const char *data, int64_t czxid, int64_t at)
{
	const struct znode_stat st = { .czxid = czxid, .ctime = { at }, .mtime = { at } };

	model_apply(md, event_from_znode(path, ZNODE_OK, NULL, data, strlen(data), &st, 1, (mono_ms){ at }, (wall_ms){ at }));
}

#define TOPIC_A "{\"version\":2,\"partitions\":{\"0\":[1,2]},\"adding_replicas\":{},\"removing_replicas\":{}}"

static struct witness *remembered(void)
{
	struct witness *wi = one(21, 100);

	lay(wi, 1, "/d2", 150);
	wi->replicas[1].gone.ms = 200;
	wi->replicas[1].gone_epoch = 5;
	wi->marker_czxid = 30;
	wi->marked.ms = 90;
	wi->came = true;
	witness_attempt_add(wi, &(struct witness_attempt){ .trigger = WITNESS_MARKED, .id = BROKER_NONE, .epoch = 5, .at = { 90 } });
	return wi;
}

static void expect_joined(const struct model *md)
{
	const struct witness *wi = cluster_witness_find(model_cluster(md), "a");

	assert_int_equal(model_cluster(md)->n_witnesses, 1);
	assert_non_null(wi);
	assert_int_equal(wi->end, WITNESS_OPEN);
	assert_int_equal(wi->czxid, 21);
	assert_true(wi->is_remembered);
	assert_false(wi->came); /* nobody watched in between */
	assert_int_equal(wi->first_seen.ms, 100);
	assert_int_equal(wi->n_replicas, 2);
	assert_int_equal(wi->replicas[1].gone.ms, 200);
	assert_string_equal(wi->replicas[1].dir, "/d2");
	assert_int_equal(wi->n_attempts, 1);
	assert_int_equal(wi->attempts[0].trigger, WITNESS_MARKED);
}

static void memory_and_marker_are_one_deletion_whichever_comes_first(void **state)
{
	for (int when = 0; when < 4; when++) {
		struct model *md = model_new();

		if (when == 0)
			model_remember(md, remembered());
		list(md, "/brokers/topics", "a", 1000);
		list(md, "/admin/delete_topics", "a", 1000);
		if (when == 1)
			model_remember(md, remembered());
		node(md, "/brokers/topics/a", TOPIC_A, 21, 80);
		if (when == 2)
			model_remember(md, remembered());
		node(md, "/admin/delete_topics/a", "", 30, 90);
		if (when == 3)
			model_remember(md, remembered());
		expect_joined(md);
		model_free(&md);
	}
}

/* The list of markers could not be read for a while, so that the two are joined when it is read again. */
static void memory_is_joined_when_the_markers_can_be_read_again(void **state)
{
	struct model *md = model_new();

	list(md, "/brokers/topics", "a", 1000);
	list(md, "/admin/delete_topics", "a", 1000);
	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_NO_PERMISSION, "no permission", NULL, 0, NULL, 1, (mono_ms){ 1000 }, (wall_ms){ 1000 }));
	node(md, "/brokers/topics/a", TOPIC_A, 21, 80);
	model_remember(md, remembered());
	assert_int_equal(model_cluster(md)->n_witnesses, 2);
	list(md, "/admin/delete_topics", "a", 1000);
	assert_int_equal(model_cluster(md)->n_witnesses, 1);
	assert_int_equal(cluster_witness_find(model_cluster(md), "a")->replicas[1].gone.ms, 200);
	model_free(&md);
}

static void who_refused_it_stays_open_once_two_may_have(void **state)
{
	struct witness *wi = witness_new("a", 1), *other = witness_new("a", 1);

	(void)state;
	wi->end = other->end = WITNESS_MARKER_GONE;
	wi->end_controller = 2;
	wi->end_enabled = 0;
	other->end_is_open = true;
	other->end_controller = BROKER_NONE;
	other->end_enabled = -1;
	assert_false(witness_merge(other, wi));
	assert_int_equal(other->end_enabled, -1);
	assert_true(witness_merge(wi, other));
	assert_true(wi->end_is_open);
	assert_int_equal(wi->end_controller, BROKER_NONE);
	assert_int_equal(wi->end_enabled, -1);
	assert_false(witness_merge(wi, other));
	witness_free(&wi);
	witness_free(&other);
}

static void what_ended_while_nobody_watched_is_over(void **state)
{
	struct model *md = model_new();

	model_remember(md, remembered());
	list(md, "/admin/delete_topics", NULL, 1000);
	assert_int_equal(cluster_witness_find(model_cluster(md), "a")->end, WITNESS_OPEN); /* the topics are not known yet */
	list(md, "/brokers/topics", NULL, 1000);
	assert_int_equal(cluster_witness_find(model_cluster(md), "a")->end, WITNESS_GONE);
	model_free(&md);
}

static void a_memory_of_another_topic_of_the_name_is_not_of_this_one(void **state)
{
	struct model *md = model_new();

	list(md, "/brokers/topics", "a", 1000);
	list(md, "/admin/delete_topics", "a", 1000);
	node(md, "/brokers/topics/a", TOPIC_A, 77, 80);
	model_remember(md, remembered());
	assert_int_equal(model_cluster(md)->n_witnesses, 2);
	assert_int_equal(cluster_witness_find(model_cluster(md), "a")->czxid, 77);
	assert_int_equal(cluster_witness_find(model_cluster(md), "a")->replicas[1].gone.ms, 0);
	assert_int_equal(model_cluster(md)->witnesses[0]->end, WITNESS_RECREATED);
	model_free(&md);
}

static void of_more_deletions_than_are_watched_those_that_ended_first_go(void **state)
{
	struct model *md = model_new();
	const char **names = mem_array(WITNESSES_MAX + 10, sizeof(*names));

	for (size_t i = 0; i < WITNESSES_MAX + 10; i++) {
		char name[16];

		str_printf(name, sizeof(name), "t%05zu", i);
		names[i] = mem_strdup(name);
	}
	list(md, "/brokers/topics", NULL, 1000);
	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_OK, NULL, names, WITNESSES_MAX, NULL, 1, (mono_ms){ 1000 }, (wall_ms){ 1000 }));
	assert_int_equal(model_cluster(md)->n_witnesses, WITNESSES_MAX);
	/* The first five end; ten more come. */
	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_OK, NULL, names + 5, WITNESSES_MAX - 5, NULL, 1, (mono_ms){ 2000 }, (wall_ms){ 2000 }));
	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_OK, NULL, names + 5, WITNESSES_MAX + 5, NULL, 1, (mono_ms){ 3000 }, (wall_ms){ 3000 }));
	assert_int_equal(model_cluster(md)->n_witnesses, WITNESSES_MAX);
	assert_null(cluster_witness_find(model_cluster(md), "t00004"));
	assert_non_null(cluster_witness_find(model_cluster(md), "t05004"));
	assert_null(cluster_witness_find(model_cluster(md), "t05005"));
	model_free(&md);
	for (size_t i = 0; i < WITNESSES_MAX + 10; i++)
		mem_free(&names[i]);
	mem_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_the_other_saw_is_taken_over),
		cmocka_unit_test(a_replica_listed_after_it_was_gone_is_not_gone),
		cmocka_unit_test(who_refused_it_stays_open_once_two_may_have),
		cmocka_unit_test(the_first_time_that_it_was_seen_gone_counts),
		cmocka_unit_test(replicas_of_both_are_watched_in_order),
		cmocka_unit_test(of_very_many_attempts_the_first_and_the_last_stay),
		cmocka_unit_test(found_and_seen_to_come_are_one_attempt),
		cmocka_unit_test(the_reason_of_an_attempt_comes_with_its_count_and_is_cut_between_characters),
		cmocka_unit_test(a_copy_is_whole_and_its_own),
		cmocka_unit_test(memory_and_marker_are_one_deletion_whichever_comes_first),
		cmocka_unit_test(memory_is_joined_when_the_markers_can_be_read_again),
		cmocka_unit_test(what_ended_while_nobody_watched_is_over),
		cmocka_unit_test(a_memory_of_another_topic_of_the_name_is_not_of_this_one),
		cmocka_unit_test(of_more_deletions_than_are_watched_those_that_ended_first_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
