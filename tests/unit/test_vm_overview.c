/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/disks.h"
#include "core/throttle.h"
#include "core/truths.h"
#include "tests/unit/fixture.h"
#include "view/vm_overview.h"
#include "view/vm_truth.h"

struct over {
	struct fixture *fx;
	struct vm_overview *vm;
	struct truths *truths;
	bool has_looked;
	const struct table *tb;
};

static struct over over_new(void)
{
	struct over ov = { .fx = fixture_new() };

	ov.vm = vm_overview_new(fixture_cluster(ov.fx));
	ov.tb = vm_overview_table(ov.vm);
	ov.truths = truths_new();
	vm_overview_take_truths(ov.vm, ov.truths);
	return ov;
}

static void over_free(struct over *ov)
{
	vm_overview_free(&ov->vm);
	truths_free(&ov->truths);
	fixture_free(&ov->fx);
}

static void look(struct over *ov, const char *filter)
{
	struct changes ch = model_changes(ov->fx->md);
	struct query qu = fixture_query(filter, -1, false);

	truths_update(ov->truths, fixture_cluster(ov->fx), ov->has_looked ? &ch : NULL, (mono_ms){ 1 + ov->fx->at }, fixture_now(ov->fx));
	ov->has_looked = true;
	vm_overview_update(ov->vm, &ch, &qu, fixture_now(ov->fx));
	model_changes_clear(ov->fx->md);
}

static void assert_text(const struct over *ov, size_t width, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	table_print(ov->tb, width, 0, ov->tb->n_rows, false, &out);
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

static struct row row_of(const struct over *ov, const char *key, struct arena *ar)
{
	size_t at = ov->tb->find(ov->tb, key);
	struct row ro;

	assert_true(at < ov->tb->n_rows);
	memset(&ro, 0, sizeof(ro));
	ov->tb->fill(ov->tb, at, &ro, ar);
	return ro;
}

static void assert_line(const struct over *ov, const char *key, const char *count, const char *text)
{
	struct arena *ar = arena_new(0);
	struct row ro = row_of(ov, key, ar);

	assert_string_equal(ro.cells[1].text, count);
	assert_string_equal(ro.cells[3].text, text);
	arena_free(&ar);
}

static unsigned style_of(const struct over *ov, const char *key)
{
	struct arena *ar = arena_new(0);
	unsigned style = row_of(ov, key, ar).cells[1].style;

	arena_free(&ar);
	return style;
}

#define BROKER(id) "/brokers/ids/" id "\t{\"host\":\"b" id ".example\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
#define STATE(topic, part, leader, isr) "/brokers/topics/" topic "/partitions/" part "/state\t{\"controller_epoch\":1,\"leader\":" leader \
	",\"version\":1,\"leader_epoch\":0,\"isr\":[" isr "]}\n"
static const char healthy[] =
	BROKER("1") BROKER("2") BROKER("3")
	"/controller\t{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}\n"
	"/controller_epoch\t5\n"
	"/brokers/topics/a\t{\"version\":1,\"partitions\":{\"0\":[1,2,3],\"1\":[2,3,1]}}\n"
	STATE("a", "0", "1", "1,2,3") STATE("a", "1", "2", "2,3,1")
	"/brokers/topics/b\t{\"version\":1,\"partitions\":{\"0\":[3,2]}}\n"
	STATE("b", "0", "3", "3,2")
	"/config/topics/a\t{\"version\":1,\"config\":{\"min.insync.replicas\":\"2\"}}\n"
	"/config/topics/b\t{\"version\":1,\"config\":{\"min.insync.replicas\":\"2\"}}\n"
	"/admin/delete_topics\t\n";

static void a_healthy_cluster_is_well_and_its_zeros_are_dim(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	assert_string_equal(ov.tb->title, "WELL   by ZooKeeper alone: no broker was asked");
	assert_int_equal(ov.tb->title_style, CELL_NORMAL);
	assert_text(&ov, 80,
		"\n"
		"  Brokers               3   up, 0 down\n"
		"  Controller            1   since 22:13:31    elected in the last hour\n"
		"  Topics                2   3 partitions, 8 replicas\n"
		"\n"
		"  Offline               0\n"
		"  Under min ISR         0\n"
		"  Under-replicated      0\n"
		"    only moving         0\n"
		"  At min ISR            1\n"
		"  Not preferred         0\n"
		"\n"
		"  Deletions             0\n"
		"  Moves                 0\n"
		"  Throttles             0\n"
		"  Log dirs              ?   no broker was asked\n"
		"  Disagreements         0\n");
	assert_int_equal(style_of(&ov, "offline"), CELL_DIM);
	assert_int_equal(style_of(&ov, "brokers"), CELL_NORMAL);
	over_free(&ov);
}

/* Broker 3 goes; the controller has moved leaders and the ISRs have shrunk, but for topic b's, which had nobody else in sync. */
static void lose_broker_3(struct fixture *fx)
{
	fixture_children(fx, "/brokers/ids", (const char *const[]){ "1", "2", NULL });
	fixture_znode(fx, "/brokers/topics/a/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1,2]}");
	fixture_znode(fx, "/brokers/topics/a/partitions/1/state", "{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":1,\"isr\":[2,1]}");
	fixture_znode(fx, "/brokers/topics/b/partitions/0/state", "{\"controller_epoch\":1,\"leader\":-1,\"version\":1,\"leader_epoch\":1,\"isr\":[3]}");
}

static void a_broker_down_is_not_well_and_says_what_of_it(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	lose_broker_3(ov.fx);
	look(&ov, "");
	assert_string_equal(ov.tb->title, "NOT WELL   1 broker down; 1 partition offline; 1 under min ISR; 3 under-replicated");
	assert_int_equal(ov.tb->title_style, CELL_WRONG);
	assert_text(&ov, 80,
		"\n"
		"  Brokers               2 ! up, 1 down        3 b3.example since 22:13:45\n"
		"  Controller            1   since 22:13:31    elected in the last hour\n"
		"  Topics                2   3 partitions, 8 replicas\n"
		"\n"
		"  Offline               1 ! since 22:13:45    b 0\n"
		"  Under min ISR         1 ! since 22:13:45    in b\n"
		"  Under-replicated      3 ! since 22:13:46    in 2 topics\n"
		"    only moving         0\n"
		"  At min ISR            2\n"
		"  Not preferred         1   33.3 % of the partitions\n"
		"\n"
		"  Deletions             0\n"
		"  Moves                 0\n"
		"  Throttles             0\n"
		"  Log dirs              ?   no broker was asked\n"
		"  Disagreements         0\n");
	over_free(&ov);
}

static void narrow_keeps_what_and_how_many_and_since(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	lose_broker_3(ov.fx);
	vm_overview_resize(ov.vm, 40);
	look(&ov, "offline");
	assert_text(&ov, 40, "\n  Offline               1 22:13:45 b 0\n");
	/* What is wrong stands among the first lines, without gaps above. */
	look(&ov, "");
	assert_int_equal(ov.tb->find(ov.tb, "offline"), ov.tb->find(ov.tb, "topics") + 1);
	over_free(&ov);
}

/* What was kept in step says the same as what is made anew. */
static void changes_give_what_a_new_look_gives(void **state)
{
	struct over ov = over_new();
	struct vm_overview *fresh;
	struct query qu = fixture_query("", -1, false);

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	lose_broker_3(ov.fx);
	look(&ov, "");
	fixture_znode(ov.fx, "/brokers/topics/b/partitions/0/state", "{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":2,\"isr\":[2]}");
	fixture_znode(ov.fx, "/brokers/topics/a", "{\"version\":3,\"partitions\":{\"0\":[1,2,3],\"1\":[4,2,1]},\"adding_replicas\":{\"1\":[4]},\"removing_replicas\":{}}");
	look(&ov, "");
	fresh = vm_overview_new(fixture_cluster(ov.fx));
	vm_overview_take_truths(fresh, ov.truths);
	vm_overview_update(fresh, NULL, &qu, fixture_now(ov.fx));
	for (size_t i = 0; i < ov.tb->n_rows; i++) {
		struct arena *ar = arena_new(0);
		struct row a = { .mark = ' ' }, b = { .mark = ' ' };

		ov.tb->fill(ov.tb, i, &a, ar);
		vm_overview_table(fresh)->fill(vm_overview_table(fresh), i, &b, ar);
		for (size_t c = 0; c < ov.tb->n_cols; c++)
			assert_string_equal(a.cells[c].text, b.cells[c].text);
		arena_free(&ar);
	}
	assert_string_equal(vm_overview_table(fresh)->title, ov.tb->title);
	vm_overview_free(&fresh);
	over_free(&ov);
}

static void replicas_being_added_are_counted_apart(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_znode(ov.fx, "/brokers/topics/b", "{\"version\":3,\"partitions\":{\"0\":[1,3,2]},\"adding_replicas\":{\"0\":[1]},\"removing_replicas\":{\"0\":[2]}}");
	fixture_znode(ov.fx, "/admin/reassign_partitions", "{\"version\":1,\"partitions\":[{\"topic\":\"a\",\"partition\":0,\"replicas\":[1,2]}]}");
	look(&ov, "");
	assert_line(&ov, "under", "0", "");
	assert_line(&ov, "only-moving", "1", "not counted above");
	assert_line(&ov, "moves", "1", "in b, 1 in /admin/reassign_partitions");
	assert_true(str_starts(ov.tb->title, "WELL"));
	over_free(&ov);
}

static void a_copy_between_log_dirs_is_a_move(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_said(ov.fx, "link 3 up\ndir /d1\nholds b 0 size=100\ndir /d2\nholds b 0 size=40 lag=9 future\ndisks 3\n");
	look(&ov, "");
	assert_line(&ov, "moves", "1", "1 between log dirs");
	fixture_znode(ov.fx, "/brokers/topics/b", "{\"version\":3,\"partitions\":{\"0\":[1,3,2]},\"adding_replicas\":{\"0\":[1]},\"removing_replicas\":{\"0\":[2]}}");
	look(&ov, "");
	assert_line(&ov, "moves", "2", "in b, 1 between log dirs");
	/* A broker that is down copies nothing. */
	fixture_children(ov.fx, "/brokers/ids", (const char *const[]){ "1", "2", NULL });
	look(&ov, "");
	assert_line(&ov, "moves", "1", "in b");
	over_free(&ov);
}

static void all_miss_is_said_only_when_all_do(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_znode(ov.fx, "/brokers/topics/a/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1,2]}");
	look(&ov, "");
	assert_line(&ov, "under", "1", "since 22:13:45    in a, it misses broker 3");
	fixture_znode(ov.fx, "/brokers/topics/b/partitions/0/state", "{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":1,\"isr\":[2]}");
	look(&ov, "");
	assert_line(&ov, "under", "2", "since 22:13:45    in 2 topics, all miss broker 3");
	fixture_znode(ov.fx, "/brokers/topics/a/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1,3]}");
	look(&ov, "");
	assert_line(&ov, "under", "2", "since 22:13:45    in 2 topics");
	over_free(&ov);
}

static void tell_disks(struct over *ov, int32_t broker, const char *path, int16_t error, int64_t total, int64_t usable)
{
	struct event *ev = event_of_broker(EV_DISKS, broker, NULL, (mono_ms){ 1 + ov->fx->at }, fixture_now(ov->fx));
	struct disks *ds = disks_new();
	int dir = disks_add_dir(ds, path, error, total, usable);

	disks_add_topic(ds, dir, "a");
	disks_add_replica(ds, 0, false, INT64_C(3) << 30, 0);
	disks_finish(ds);
	ev->u.disks = ds;
	ev->know = KNOW_PRESENT;
	model_apply(ov->fx->md, ev);
}

static void log_dirs_say_which_is_offline_and_which_is_fullest(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	tell_disks(&ov, 1, "/data/d1", 0, 1000, 90);
	look(&ov, "");
	assert_line(&ov, "dirs", "?", "fullest 91 %, broker 1 /data/d1; 1 of 3 brokers told");
	tell_disks(&ov, 2, "/data/d1", 0, 1000, 400);
	tell_disks(&ov, 3, "/data/d2", 56, -1, -1);
	look(&ov, "");
	assert_line(&ov, "dirs", "1", "offline           broker 3 /data/d2; fullest 91 %, broker 1 /data/d1");
	assert_int_equal(style_of(&ov, "dirs"), CELL_WRONG);
	assert_line(&ov, "topics", "2", "3 partitions, 8 replicas, 9.0 GiB?");
	assert_true(strstr(ov.tb->title, "1 log dir offline") != NULL);
	tell_disks(&ov, 3, "/data/d2", 0, -1, -1);
	look(&ov, "");
	assert_line(&ov, "dirs", "0", "of 3 offline; fullest 91 %, broker 1 /data/d1");
	assert_string_equal(ov.tb->title, "WELL");
	over_free(&ov);
}

static void refuse_settings(struct over *ov, int32_t broker)
{
	model_apply(ov->fx->md, event_of_broker(EV_BROKER_SETTINGS, broker, "no permission", (mono_ms){ 1 + ov->fx->at }, fixture_now(ov->fx)));
}

static void what_brokers_may_not_tell_is_not_well_without_a_word(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_znode(ov.fx, "/config/topics/b", "{\"version\":1,\"config\":{}}");
	fixture_said(ov.fx, "link 1 up\nlink 2 up\nlink 3 up\nasked\n");
	look(&ov, "");
	assert_line(&ov, "dirs", "?", "no answer yet");
	assert_string_equal(ov.tb->title, "WELL");
	fixture_said(ov.fx, "refuses-disks 1\nrefuses-disks 2\nrefuses-disks 3\n");
	look(&ov, "");
	assert_line(&ov, "dirs", "?", "no permission");
	assert_string_equal(ov.tb->title, "WELL   log dirs not known");
	refuse_settings(&ov, 3);
	look(&ov, "");
	assert_string_equal(ov.tb->title, "WELL   1 partition's min ISR not known; log dirs not known");
	over_free(&ov);
}

static void of_a_long_path_the_end_stays(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	tell_disks(&ov, 2, "/d1", 0, 1000, 900);
	tell_disks(&ov, 3, "/d1", 0, 1000, 900);
	tell_disks(&ov, 1, "/srv/storage/kafka/cluster-7/broker-1/d1", 0, 1000, 100);
	look(&ov, "");
	assert_line(&ov, "dirs", "0", "of 3 offline; fullest 90 %, broker 1 …/broker-1/d1");
	tell_disks(&ov, 2, "/d1", 0, -1, -1);
	tell_disks(&ov, 3, "/d1", 0, -1, -1);
	tell_disks(&ov, 1, "/srv/storage/kafka/cluster-7/broker-1/d1", 56, -1, -1);
	look(&ov, "");
	assert_line(&ov, "dirs", "1", "offline           broker 1 …/broker-1/d1");
	over_free(&ov);
}

static void a_registered_broker_that_does_not_answer_is_named(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	tell_disks(&ov, 1, "/data/d1", 0, -1, -1);
	tell_disks(&ov, 2, "/data/d1", 0, -1, -1);
	tell_disks(&ov, 3, "/data/d1", 0, -1, -1);
	fixture_said(ov.fx, "link 1 up\nlink 2 up\nlink 3 failed 10.0.0.3:9092: refused\nasked\n");
	look(&ov, "");
	assert_line(&ov, "brokers", "3", "up, 0 down        3 does not answer: refused (10.0.0.3:9092)");
	assert_int_equal(style_of(&ov, "brokers"), CELL_NORMAL);
	assert_string_equal(ov.tb->title, "NOT WELL   1 broker does not answer");
	fixture_said(ov.fx, "link 2 failed refused\n");
	look(&ov, "");
	assert_line(&ov, "brokers", "3", "up, 0 down        2, 3 do not answer");
	assert_string_equal(ov.tb->title, "NOT WELL   2 brokers do not answer");
	/* One that hangs is connected all the same. */
	fixture_said(ov.fx, "link 3 up no answer to Metadata within 5s\n");
	look(&ov, "");
	assert_line(&ov, "brokers", "3", "up, 0 down        2, 3 do not answer");
	fixture_said(ov.fx, "link 2 up\n");
	look(&ov, "");
	assert_line(&ov, "brokers", "3", "up, 0 down        3 does not answer: no answer to Metadata within 5s");
	assert_string_equal(ov.tb->title, "NOT WELL   1 broker does not answer");
	fixture_said(ov.fx, "link 2 failed refused\nlink 3 failed refused\n");
	/* None is left to tell one from our own way to them: the frame says so. */
	fixture_said(ov.fx, "link 1 failed refused\n");
	look(&ov, "");
	assert_line(&ov, "brokers", "3", "up, 0 down");
	over_free(&ov);
}

static void sizes_of_volumes_that_make_no_sense_are_left_out(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	tell_disks(&ov, 1, "/d", 0, 0, 0);
	tell_disks(&ov, 2, "/d", 0, 10, 11);
	tell_disks(&ov, 3, "/d", 0, INT64_MAX, 0);
	look(&ov, "");
	assert_line(&ov, "dirs", "0", "of 3 offline; fullest 100 %, broker 3 /d");
	over_free(&ov);
}

static void throttles_that_no_move_needs_are_left_over(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	fixture_children(ov.fx, "/config/brokers", (const char *const[]){ "2", "3", NULL });
	fixture_znode(ov.fx, "/config/brokers/2", "{\"version\":1,\"config\":{\"leader.replication.throttled.rate\":\"1000\",\"follower.replication.throttled.rate\":\"1000\"}}");
	fixture_znode(ov.fx, "/config/brokers/3", "{\"version\":1,\"config\":{\"log.cleaner.threads\":\"2\"}}");
	fixture_znode(ov.fx, "/config/topics/a", "{\"version\":1,\"config\":{\"leader.replication.throttled.replicas\":\"0:1\"}}");
	look(&ov, "");
	assert_line(&ov, "throttles", "3", "3 left over       broker 2, topic a");
	fixture_znode(ov.fx, "/config/brokers/2", "{\"version\":1,\"config\":{}}");
	fixture_znode(ov.fx, "/config/topics/a", "{\"version\":1,\"config\":{}}");
	look(&ov, "");
	assert_line(&ov, "throttles", "0", "");
	over_free(&ov);
}

static void the_throttles_of_a_turn_are_found_once(void **state)
{
	struct over ov = over_new();
	unsigned before;

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	before = truths_throttles(ov.truths)->n_made;
	fixture_znode(ov.fx, "/config/topics/a", "{\"version\":1,\"config\":{\"leader.replication.throttled.replicas\":\"0:1\"}}");
	look(&ov, "");
	assert_line(&ov, "throttles", "1", "1 left over       topic a");
	assert_int_equal(truths_throttles(ov.truths)->n_made, before + 1);
	look(&ov, "");
	assert_int_equal(truths_throttles(ov.truths)->n_made, before + 1);
	over_free(&ov);
}

/* A marker that names no topic, and a reassignment node that stops the next controller; both have stood for long. */
static void spoil(struct over *ov)
{
	fixture_load_text(ov->fx, healthy);
	fixture_children(ov->fx, "/admin/delete_topics", (const char *const[]){ "nosuch", NULL });
	fixture_znode(ov->fx, "/admin/reassign_partitions", "{\"version\":1}");
	look(ov, "");
	ov->fx->at += 3600 * 1000;
	fixture_znode(ov->fx, "/controller_epoch", "5");
	look(ov, "");
}

static void disagreements_are_counted_and_listed_poison_first(void **state)
{
	struct over ov = over_new();

	spoil(&ov);
	assert_true(str_starts(ov.tb->title, "NOT WELL   1 poison for the controller"));
	assert_line(&ov, "truths", "2", "1 poison          reassignment node without a list, marker without a topic");
	assert_int_equal(ov.tb->n_rows, ov.tb->find(ov.tb, "truths") + 3);
	assert_true(str_starts(ov.tb->key(ov.tb, ov.tb->n_rows - 2), "truth:"));
	assert_int_equal(style_of(&ov, ov.tb->key(ov.tb, ov.tb->n_rows - 2)), CELL_WRONG);
	assert_int_equal(style_of(&ov, ov.tb->key(ov.tb, ov.tb->n_rows - 1)), CELL_NORMAL);
	look(&ov, "marker");
	assert_text(&ov, 80,
		"\n"
		"  Disagreements         2 ! 1 poison          reassignment node without a list,…\n"
		"    \xe2\x89\xa4" "22:13:46               marker without a topic: nosuch\n");
	vm_overview_resize(ov.vm, 160);
	look(&ov, "nosuch");
	assert_text(&ov, 160,
		"\n"
		"  Deletions             1   queued            nosuch\n"
		"    \xe2\x89\xa4" "22:13:46               marker without a topic: nosuch                      /admin/delete_topics/nosuch is there; the topic is not.\n");
	over_free(&ov);
}

static void assert_cell(const struct table *tb, size_t i, const char *label, const char *text)
{
	struct arena *ar = arena_new(0);
	struct row ro = { .mark = ' ' };

	tb->fill(tb, i, &ro, ar);
	assert_string_equal(ro.cells[0].text, label);
	assert_string_equal(ro.cells[1].text, text);
	arena_free(&ar);
}

static void a_disagreement_opened_says_all_and_what_to_open_and_when_it_is_over(void **state)
{
	struct over ov = over_new();
	struct vm_truth *vm;
	const struct table *tb;

	spoil(&ov);
	vm = vm_truth_new(ov.tb->key(ov.tb, ov.tb->n_rows - 1) + strlen("truth:"));
	tb = vm_truth_table(vm);
	vm_truth_update(vm, ov.truths, fixture_now(ov.fx));
	assert_string_equal(tb->title, "marker without a topic: nosuch");
	assert_cell(tb, 0, "Since", "22:13:46 at the latest, for at least 1h");
	assert_cell(tb, 2, "What", "/admin/delete_topics/nosuch is there; the topic is not.");
	assert_cell(tb, 4, "Next", "A working controller takes it away at once, so this one has not seen");
	assert_int_equal(tb->find(tb, "topic:nosuch"), tb->n_rows - 1);
	for (size_t i = 0; i + 1 < tb->n_rows; i++)
		assert_string_equal(tb->key(tb, i), "");
	/* The marker goes. */
	fixture_children(ov.fx, "/admin/delete_topics", (const char *const[]){ NULL });
	look(&ov, "");
	vm_truth_update(vm, ov.truths, fixture_now(ov.fx));
	assert_cell(tb, 0, "Over", "It is no longer so, since 23:13:48. This is what it was:");
	assert_int_equal(tb->find(tb, "topic:nosuch"), tb->n_rows - 1);
	vm_truth_free(&vm);
	over_free(&ov);
}

static void a_disagreement_that_never_was_says_so(void **state)
{
	struct vm_truth *vm = vm_truth_new("none");

	vm_truth_update(vm, NULL, (wall_ms){ FIXTURE_START });
	assert_int_equal(vm_truth_table(vm)->n_rows, 0);
	assert_string_equal(vm_truth_table(vm)->empty, "there is no such disagreement now");
	vm_truth_free(&vm);
}

static void text_of_a_disagreement_wraps_at_any_width(void **state)
{
	struct over ov = over_new();
	struct vm_truth *vm;

	spoil(&ov);
	vm = vm_truth_new(ov.tb->key(ov.tb, ov.tb->n_rows - 2) + strlen("truth:"));
	for (int width = 1; width < 300; width += 7) {
		vm_truth_resize(vm, width);
		vm_truth_update(vm, ov.truths, fixture_now(ov.fx));
		assert_true(vm_truth_table(vm)->n_rows > 3);
	}
	vm_truth_free(&vm);
	over_free(&ov);
}

static void lose_session(struct over *ov)
{
	struct conn_info conn;

	memset(&conn, 0, sizeof(conn));
	conn.state = CONN_CONNECTING;
	conn.latency = -1;
	model_apply(ov->fx->md, event_conn(ov->fx->epoch, (mono_ms){ 1 + ov->fx->at }, fixture_now(ov->fx), &conn));
}

static void without_a_session_nothing_is_known_and_what_was_is_dim(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	assert_true(str_starts(ov.tb->title, "WELL"));
	lose_session(&ov);
	look(&ov, "");
	assert_string_equal(ov.tb->title, "NOT KNOWN   no answer from ZooKeeper");
	assert_int_equal(style_of(&ov, "brokers"), CELL_OLD);
	fixture_new_epoch(ov.fx);
	lose_broker_3(ov.fx);
	look(&ov, "");
	assert_true(str_starts(ov.tb->title, "NOT KNOWN   still reading again; before: 1 broker down; "));
	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	assert_true(str_starts(ov.tb->title, "WELL"));
	assert_int_equal(style_of(&ov, "brokers"), CELL_NORMAL);
	over_free(&ov);
}

static void before_anything_is_read_every_line_is_there_and_not_known(void **state)
{
	struct over ov = over_new();
	struct query qu = fixture_query("", -1, false);

	vm_overview_update(ov.vm, NULL, &qu, fixture_now(ov.fx));
	assert_string_equal(ov.tb->title, "NOT KNOWN   still reading");
	assert_text(&ov, 80,
		"\n"
		"  Brokers               ?   not read yet\n"
		"  Controller            ?   not read yet\n"
		"  Topics                ?   ? partitions, ? replicas\n"
		"\n"
		"  Offline               ?\n"
		"  Under min ISR         ?\n"
		"  Under-replicated      ?\n"
		"    only moving         ?\n"
		"  At min ISR            ?\n"
		"  Not preferred         ?\n"
		"\n"
		"  Deletions             ?\n"
		"  Moves                 ?\n"
		"  Throttles             ?\n"
		"  Log dirs              ?   no broker was asked\n"
		"  Disagreements         ?\n");
	over_free(&ov);
}

static void while_reading_what_is_wrong_so_far_is_said_without_a_verdict(void **state)
{
	struct over ov = over_new();

	fixture_children(ov.fx, "/brokers/ids", (const char *const[]){ "1", NULL });
	fixture_children(ov.fx, "/brokers/topics", (const char *const[]){ "a", "b", NULL });
	fixture_znode(ov.fx, "/brokers/topics/a", "{\"version\":1,\"partitions\":{\"0\":[1,7]}}");
	look(&ov, "");
	assert_string_equal(ov.tb->title, "NOT KNOWN   still reading; so far: 1 broker down");
	assert_line(&ov, "topics", "2", "1? partitions, 2? replicas");
	assert_line(&ov, "offline", "?", "");
	over_free(&ov);
}

static void an_empty_cluster_is_well(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, BROKER("1") "/controller\t{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}\n/brokers/topics\t\n/admin/delete_topics\t\n");
	look(&ov, "");
	assert_true(str_starts(ov.tb->title, "WELL"));
	assert_line(&ov, "topics", "0", "0 partitions, 0 replicas");
	assert_line(&ov, "not-preferred", "0", "");
	over_free(&ov);
}

static void where_there_is_no_kafka_nothing_is_well(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, "/zookeeper\t\n");
	look(&ov, "");
	assert_string_equal(ov.tb->title, "NOT KNOWN   there is no Kafka here");
	over_free(&ov);
}

static void without_a_controller_it_is_not_well(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_znode(ov.fx, "/controller", NULL);
	look(&ov, "");
	assert_string_equal(ov.tb->title, "NOT WELL   no controller");
	assert_line(&ov, "controller", "-", "no broker is controller");
	over_free(&ov);
}

static void elections_of_the_last_hour_are_counted(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_znode(ov.fx, "/controller_epoch", "6");
	fixture_znode(ov.fx, "/controller_epoch", "7");
	look(&ov, "");
	assert_line(&ov, "controller", "1", "since 22:13:31    2 changes seen in the last hour");
	ov.fx->at += 3600 * 1000;
	fixture_znode(ov.fx, "/controller_epoch", "8");
	look(&ov, "");
	assert_line(&ov, "controller", "1", "since 22:13:31    1 change seen in the last hour");
	over_free(&ov);
}

static void a_migration_is_said_at_the_controller(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_znode(ov.fx, "/migration", "{\"version\":0,\"kraft_controller_id\":3000,\"kraft_controller_epoch\":2,\"kraft_metadata_offset\":1,\"kraft_metadata_epoch\":2,\"last_update_time_ms\":1}");
	look(&ov, "");
	assert_line(&ov, "controller", "1", "a KRaft controller: the cluster is being migrated");
	over_free(&ov);
}

static void what_cannot_be_read_is_no_zero_and_no_well(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_unreadable(ov.fx, "/brokers/topics/a/partitions/0/state", "no permission to read it");
	look(&ov, "");
	assert_string_equal(ov.tb->title, "NOT KNOWN   1 partition's state can't be read");
	assert_line(&ov, "under", "?", "");
	assert_line(&ov, "topics", "2", "3 partitions, 8 replicas; 1 partition state can't be read");
	fixture_children_unreadable(ov.fx, "/admin/delete_topics", "no permission to read it");
	fixture_unreadable(ov.fx, "/controller", "no permission to read it");
	fixture_children_unreadable(ov.fx, "/brokers/ids", "no permission to read it");
	look(&ov, "");
	assert_line(&ov, "deletions", "?", "/admin/delete_topics can't be read: no permission to read it");
	assert_line(&ov, "controller", "?", "/controller can't be read: no permission to read it");
	assert_line(&ov, "brokers", "?", "/brokers/ids can't be read: no permission to read it");
	assert_true(strstr(ov.tb->title, "the list of brokers can't be read") != NULL);
	over_free(&ov);
}

static void queued_deletions_are_named(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	fixture_children(ov.fx, "/admin/delete_topics", (const char *const[]){ "a", "b", "c", "d", "e", NULL });
	look(&ov, "");
	assert_line(&ov, "deletions", "5", "queued            a, b, c, d and 1 more");
	assert_int_equal(style_of(&ov, "deletions"), CELL_BUSY);
	over_free(&ov);
}

static void zookeepers_line_needs_room(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	look(&ov, "");
	assert_int_equal(ov.tb->find(ov.tb, "zookeeper"), ov.tb->n_rows);
	vm_overview_resize(ov.vm, VM_OVERVIEW_WIDE);
	look(&ov, "");
	assert_line(&ov, "zookeeper", "", "connected         zk1.example:2181, answers in 2 ms, session 0x1234, time-out 10s");
	over_free(&ov);
}

static void the_filter_looks_for_text_in_the_lines(void **state)
{
	struct over ov = over_new();

	fixture_load_text(ov.fx, healthy);
	look(&ov, "offline");
	assert_int_equal(ov.tb->n_rows, 1);
	assert_string_equal(ov.tb->key(ov.tb, 0), "offline");
	look(&ov, "nowhere");
	assert_int_equal(ov.tb->n_rows, 0);
	assert_string_equal(ov.tb->empty, "no line matches /nowhere/");
	look(&ov, "");
	for (size_t i = 0; i < ov.tb->n_rows; i++)
		if (*ov.tb->key(ov.tb, i))
			assert_int_equal(ov.tb->find(ov.tb, ov.tb->key(ov.tb, i)), i);
	over_free(&ov);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_cluster_is_well_and_its_zeros_are_dim),
		cmocka_unit_test(a_broker_down_is_not_well_and_says_what_of_it),
		cmocka_unit_test(narrow_keeps_what_and_how_many_and_since),
		cmocka_unit_test(changes_give_what_a_new_look_gives),
		cmocka_unit_test(replicas_being_added_are_counted_apart),
		cmocka_unit_test(a_copy_between_log_dirs_is_a_move),
		cmocka_unit_test(all_miss_is_said_only_when_all_do),
		cmocka_unit_test(log_dirs_say_which_is_offline_and_which_is_fullest),
		cmocka_unit_test(what_brokers_may_not_tell_is_not_well_without_a_word),
		cmocka_unit_test(of_a_long_path_the_end_stays),
		cmocka_unit_test(a_registered_broker_that_does_not_answer_is_named),
		cmocka_unit_test(sizes_of_volumes_that_make_no_sense_are_left_out),
		cmocka_unit_test(throttles_that_no_move_needs_are_left_over),
		cmocka_unit_test(the_throttles_of_a_turn_are_found_once),
		cmocka_unit_test(disagreements_are_counted_and_listed_poison_first),
		cmocka_unit_test(a_disagreement_opened_says_all_and_what_to_open_and_when_it_is_over),
		cmocka_unit_test(a_disagreement_that_never_was_says_so),
		cmocka_unit_test(text_of_a_disagreement_wraps_at_any_width),
		cmocka_unit_test(without_a_session_nothing_is_known_and_what_was_is_dim),
		cmocka_unit_test(before_anything_is_read_every_line_is_there_and_not_known),
		cmocka_unit_test(while_reading_what_is_wrong_so_far_is_said_without_a_verdict),
		cmocka_unit_test(an_empty_cluster_is_well),
		cmocka_unit_test(where_there_is_no_kafka_nothing_is_well),
		cmocka_unit_test(without_a_controller_it_is_not_well),
		cmocka_unit_test(elections_of_the_last_hour_are_counted),
		cmocka_unit_test(a_migration_is_said_at_the_controller),
		cmocka_unit_test(what_cannot_be_read_is_no_zero_and_no_well),
		cmocka_unit_test(queued_deletions_are_named),
		cmocka_unit_test(zookeepers_line_needs_room),
		cmocka_unit_test(the_filter_looks_for_text_in_the_lines),
	};

	return cmocka_run_group_tests_name("view/vm_overview", tests, NULL, NULL);
}
