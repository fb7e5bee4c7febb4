/* SPDX-License-Identifier: Apache-2.0 */
#include "core/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/appraisal.h"
#include "core/deletion.h"
#include "core/pattern.h"
#include "core/policy.h"
#include "tests/unit/fixture_deletion.h"

struct world {
	struct fixture *fx;
	struct policy po;
	struct command *cm;
	struct findings fs;
	const struct appraisal *ap;
	struct deletions *ds;
};

/* Fixture A, all of it known: orders 3 x 3 on 1 to 4, legacy.audit in part on broker 5, which is down. */
static struct world *world_new(enum command_kind kind)
{
	struct world *w = mem_zalloc(sizeof(*w));

	w->fx = fixture_new();
	fixture_load(w->fx, fixture_case("fixture-a.zktree"));
	fixture_said(w->fx, "link 1 up\nlink 2 up\nasked\nsettings 2 delete.topic.enable=true\n");
	policy_init(&w->po);
	w->cm = command_new(kind);
	w->cm->controller_czxid = fixture_cluster(w->fx)->controller_czxid;
	return w;
}

static void world_free(struct world *w)
{
	findings_fini(&w->fs);
	deletions_free(&w->ds);
	command_free(&w->cm);
	policy_fini(&w->po);
	fixture_free(&w->fx);
	mem_free(&w);
}

static void choose(struct world *w, const char *name, bool by_hand)
{
	assert_true(command_add_topic(w->cm, fixture_cluster(w->fx), name, by_hand));
}

static const struct findings *check(struct world *w)
{
	findings_fini(&w->fs);
	command_check(w->cm, fixture_cluster(w->fx), w->ds, &w->po, w->ap, fixture_now(w->fx), &w->fs);
	return &w->fs;
}

/* What is found of that kind; fails the test when it isn't so severe. */
static const char *found(struct world *w, enum severity sv, const char *kind, const char *topic)
{
	const struct finding *fi = findings_find(check(w), kind, topic);

	if (!fi)
		fail_msg("no finding %s", kind);
	if (fi->severity != sv)
		fail_msg("%s is no %s: %s", kind, severity_name(sv), fi->text);
	return fi->text;
}

static void not_found(struct world *w, const char *kind, const char *topic)
{
	const struct finding *fi = findings_find(check(w), kind, topic);

	if (fi)
		fail_msg("%s: %s", kind, fi->text);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static void infer(struct world *w)
{
	if (!w->ds)
		w->ds = deletions_new();
	deletions_update(w->ds, fixture_cluster(w->fx), NULL, (mono_ms){ 1 + w->fx->at }, fixture_now(w->fx));
}

/* ---- the command ---------------------------------------------------------------------------- */

static void a_topic_is_in_a_command_once_and_sorted(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "payments_eu", false);
	choose(w, "orders", true);
	choose(w, "payments_eu", true);
	assert_false(command_add_topic(w->cm, fixture_cluster(w->fx), "none", true));
	assert_int_equal(w->cm->n_topics, 2);
	assert_string_equal(w->cm->topics[0].name, "orders");
	assert_int_equal(w->cm->topics[0].n_partitions, 3);
	assert_int_equal(w->cm->topics[0].n_replicas, 9);
	assert_int_equal(w->cm->topics[0].size_bytes, -1);
	assert_true(w->cm->topics[0].czxid != 0);
	assert_true(w->cm->topics[1].by_hand);
	world_free(w);
}

static void it_is_described_in_one_line(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct command *copy;
	struct strbuf out;

	(void)state;
	fixture_said(w->fx, "dir /d\nholds payments_eu 0 size=2048\ndisks 2\ndir /d\nholds payments_eu 0 size=2048\ndisks 3\n");
	choose(w, "payments_eu", true);
	choose(w, "orders", true);
	strbuf_init(&out);
	copy = command_copy(w->cm);
	command_describe(copy, &out);
	assert_string_equal(out.s, "delete 2 topics: orders, payments_eu; 4 partitions, 11 replicas, 4.0 KiB?");
	command_free(&copy);
	strbuf_fini(&out);
	world_free(w);
}

static void every_command_has_a_name_and_destroys(void **state)
{
	(void)state;
	assert_string_equal(command_name(COMMAND_DELETE_TOPICS), "delete-topics");
	for (int i = 0; i < COMMAND_KINDS; i++)
		assert_int_equal(command_danger(i), DANGER_DESTROYS);
}

static void typed(struct world *w, const char *first, const char *second)
{
	char *a, *b;

	command_to_type(w->cm, fixture_cluster(w->fx), &w->po, &a, &b);
	assert_string_equal(a, first);
	if (second)
		assert_string_equal(b, second);
	else
		assert_null(b);
	mem_free(&a);
	mem_free(&b);
}

static void one_topic_wants_its_name_and_several_their_count(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	w->po.many_percent = 100;
	choose(w, "orders", true);
	typed(w, "orders", NULL);
	choose(w, "payments_eu", true);
	typed(w, "2", NULL);
	world_free(w);
}

static void many_topics_or_partitions_want_the_clusters_name_too(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	typed(w, "orders", "Zml4dH"); /* 3 of 11 partitions are more than 5 % */
	w->po.profile = mem_strdup("prod-eu");
	typed(w, "orders", "prod-eu");
	assert_has(found(w, SEVERITY_INFO, "many-topics", NULL), "5 %");
	w->po.many_percent = 100;
	w->po.many_topics = 1;
	typed(w, "orders", NULL);
	choose(w, "payments_eu", true);
	typed(w, "2", "prod-eu");
	world_free(w);
}

/* Without an id there is no name to ask for: then nothing large goes, rather than the guard going. */
static void a_cluster_without_a_name_loses_nothing_large(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	not_found(w, "cluster-unnamed", NULL);
	fixture_free(&w->fx);
	w->fx = fixture_new();
	fixture_load_text(w->fx, "/brokers/topics/orders\t{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1],\"2\":[1]}}\n/cluster/id\tgarbage{\n");
	assert_has(found(w, SEVERITY_ERROR, "cluster-unnamed", NULL), "/cluster/id can't be read: bad JSON");
	w->cm->kind = COMMAND_MOVE_CONTROLLER;
	found(w, SEVERITY_ERROR, "cluster-unnamed", NULL);
	w->po.profile = mem_strdup("prod-eu");
	not_found(w, "cluster-unnamed", NULL);
	mem_free(&w->po.profile);
	w->cm->kind = COMMAND_DELETE_TOPICS;
	w->po.many_percent = 100;
	not_found(w, "cluster-unnamed", NULL);
	world_free(w);
}

static void moving_the_controller_wants_a_word_and_the_clusters_name(void **state)
{
	struct world *w = world_new(COMMAND_MOVE_CONTROLLER);

	(void)state;
	typed(w, "move", "Zml4dH");
	world_free(w);
}

/* ---- the check: the cluster --------------------------------------------------------------------- */

static void nothing_stands_against_a_topic_that_is_well(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct appraisal ap = { .writes_known = true, .groups_known = true };

	(void)state;
	w->po.many_percent = 100;
	w->ap = &ap;
	choose(w, "orders", false);
	assert_int_equal(check(w)->n_errors + check(w)->n_warnings, 0);
	assert_has(found(w, SEVERITY_INFO, "no-writes", NULL), "No write to it in 10 s");
	assert_has(found(w, SEVERITY_INFO, "no-consumer-groups", NULL), "No consumer group");
	assert_int_equal(check(w)->n, 2);
	world_free(w);
}

static void no_topic_is_nothing_to_do(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	found(w, SEVERITY_ERROR, "nothing", NULL);
	world_free(w);
}

static void another_cluster_than_the_profiles_is_refused(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	w->po.expected_cluster_id = mem_strdup("Zml4dHVyZS1jbHVzdGVyLQ");
	not_found(w, "wrong-cluster", NULL);
	mem_free(&w->po.expected_cluster_id);
	w->po.expected_cluster_id = mem_strdup("another");
	assert_has(found(w, SEVERITY_ERROR, "wrong-cluster", NULL), "another");
	world_free(w);
}

static void old_facts_are_refused(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	not_found(w, "stale", NULL);
	fixture_new_epoch(w->fx);
	assert_has(found(w, SEVERITY_ERROR, "stale", NULL), "still being read");
	world_free(w);
}

static void brokers_of_another_cluster_are_not_asked(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	fixture_said(w->fx, "lives 1 2\nmetadata 1 all controller=2 cluster=other\n");
	assert_has(found(w, SEVERITY_ERROR, "foreign-brokers", NULL), "other");
	world_free(w);
}

static void without_a_controller_nobody_is_asked(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	fixture_znode(w->fx, "/controller", NULL);
	found(w, SEVERITY_ERROR, "no-controller", NULL);
	world_free(w);
}

static void deletion_disabled_on_the_controller_is_an_error_elsewhere_a_warning(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	fixture_said(w->fx, "settings 1 delete.topic.enable=false\nsettings 3 delete.topic.enable=false\n");
	assert_has(found(w, SEVERITY_WARNING, "deletion-disabled", NULL), "brokers 1, 3");
	fixture_said(w->fx, "settings 2 delete.topic.enable=false\n");
	assert_has(found(w, SEVERITY_ERROR, "deletion-disabled", NULL), "broker 2, the controller");
	fixture_znode(w->fx, "/controller", "{\"version\":1,\"brokerid\":4,\"timestamp\":\"1\"}");
	found(w, SEVERITY_INFO, "deletion-enabled-unknown", NULL);
	world_free(w);
}

static void a_migration_forbids_znodes_and_warns_of_the_rest(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS), *z = world_new(COMMAND_MARK_TOPICS), *m = world_new(COMMAND_MOVE_CONTROLLER);
	static const char node[] = "{\"version\":0,\"kraft_controller_id\":3000,\"kraft_controller_epoch\":1,\"kraft_metadata_offset\":1,\"kraft_metadata_epoch\":1}";

	(void)state;
	choose(w, "orders", true);
	choose(z, "orders", true);
	fixture_znode(w->fx, "/migration", node);
	fixture_znode(z->fx, "/migration", node);
	fixture_znode(m->fx, "/migration", node);
	found(w, SEVERITY_WARNING, "migration", NULL);
	found(z, SEVERITY_ERROR, "migration", NULL);
	found(m, SEVERITY_ERROR, "migration", NULL);
	world_free(w);
	world_free(z);
	world_free(m);
}

static void groups_and_writers_are_warned_of_by_name(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	static const char *const active[] = { "orders" }, *const groups[] = { "analytics-nightly", "billing" };
	struct appraisal ap = {
		.active = active, .n_active = 1, .writes_known = true,
		.groups = groups, .n_groups = 2, .groups_seen = 900, .groups_total = 5000, .groups_known = true,
	};

	(void)state;
	choose(w, "orders", true);
	w->ap = &ap;
	assert_has(found(w, SEVERITY_WARNING, "consumer-groups", NULL), "analytics-nightly, billing");
	assert_has(found(w, SEVERITY_WARNING, "consumer-groups-unknown", NULL), "900 of 5,000");
	found(w, SEVERITY_WARNING, "last-writes", "orders");
	fixture_said(w->fx, "settings 1 auto.create.topics.enable=true\n");
	found(w, SEVERITY_WARNING, "auto-create", "orders");
	not_found(w, "last-writes", "orders");
	world_free(w);
}

static void what_nobody_asked_is_not_called_known(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	char why[] = "no permission";
	struct appraisal ap = { .why_writes = why, .why_groups = why };

	(void)state;
	choose(w, "orders", true);
	found(w, SEVERITY_INFO, "last-writes-unknown", NULL);
	found(w, SEVERITY_INFO, "consumer-groups-unknown", NULL);
	w->ap = &ap;
	assert_has(found(w, SEVERITY_WARNING, "last-writes-unknown", NULL), "no permission");
	found(w, SEVERITY_WARNING, "consumer-groups-unknown", NULL);
	world_free(w);
}

static void what_is_being_asked_is_no_warning(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct appraisal ap = { .writes_pending = true, .groups_pending = true };

	(void)state;
	choose(w, "orders", true);
	w->ap = &ap;
	assert_has(found(w, SEVERITY_INFO, "last-writes-unknown", NULL), "not known yet");
	assert_has(found(w, SEVERITY_INFO, "consumer-groups-unknown", NULL), "not known yet");
	world_free(w);
}

static void a_writer_that_was_seen_is_told_though_not_all_could_be_asked(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	static const char *const active[] = { "orders" };
	char why[] = "broker 3 does not answer";
	struct appraisal ap = { .active = active, .n_active = 1, .why_writes = why, .groups_known = true, .groups_seen = 3, .groups_total = 3, .why_groups = why };

	(void)state;
	choose(w, "orders", true);
	w->ap = &ap;
	found(w, SEVERITY_WARNING, "last-writes", "orders");
	assert_has(found(w, SEVERITY_WARNING, "last-writes-unknown", NULL), "broker 3 does not answer");
	assert_has(found(w, SEVERITY_WARNING, "consumer-groups-unknown", NULL), "3 of 3 consumer groups: there may be more with offsets on it (broker 3");
	world_free(w);
}

static void an_appraisal_is_copied_whole_and_compared_by_what_it_says(void **state)
{
	struct appraisal a = { .writes_pending = true, .groups_known = true, .groups_seen = 2, .groups_total = 2 }, b;

	(void)state;
	appraisal_add_active(&a, "orders");
	appraisal_add_group(&a, "billing");
	appraisal_copy(&a, &b);
	assert_true(appraisal_says_same(&a, &b));
	b.writes_again.ms = 7;
	assert_true(appraisal_says_same(&a, &b));
	appraisal_give_up(&b, "nobody answers");
	assert_false(appraisal_says_same(&a, &b));
	assert_string_equal(b.why_writes, "nobody answers");
	assert_null(b.why_groups);
	assert_true(b.groups_known);
	appraisal_fini(&a);
	assert_string_equal(b.groups[0], "billing");
	appraisal_fini(&b);
}

/* ---- the check: a topic ------------------------------------------------------------------------- */

static void a_topic_that_is_gone_or_was_made_again_is_refused(void **state)
{
	static const char *const without[] = { "orders", "payments.eu", NULL };
	static const char *const with[] = { "orders", "payments.eu", "payments_eu", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "payments_eu", true);
	fixture_children(w->fx, "/brokers/topics", without);
	found(w, SEVERITY_ERROR, "gone", "payments_eu");
	fixture_children(w->fx, "/brokers/topics", with);
	found(w, SEVERITY_ERROR, "unread", "payments_eu");
	fixture_znode(w->fx, "/brokers/topics/payments_eu", "{\"version\":3,\"partitions\":{\"0\":[2,3]}}");
	found(w, SEVERITY_ERROR, "recreated", "payments_eu");
	world_free(w);
}

/* ZooKeeper takes names that Kafka does not: made by hand, they look like topics. They would stop the whole run at their place. */
static void a_name_that_no_topic_can_have_is_refused_before(void **state)
{
	char tree[512], name[TOPIC_NAME_MAX + 2];
	struct world *w = world_new(COMMAND_MARK_TOPICS);

	(void)state;
	memset(name, 'L', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	str_printf(tree, sizeof(tree), "/brokers/topics/a b\t{\"version\":1,\"partitions\":{\"0\":[1]}}\n/brokers/topics/%s\t{\"version\":1,\"partitions\":{\"0\":[1]}}\n", name);
	fixture_free(&w->fx);
	w->fx = fixture_new();
	fixture_load_text(w->fx, tree);
	choose(w, "a b", true);
	choose(w, name, true);
	found(w, SEVERITY_ERROR, "illegal-name", "a b");
	found(w, SEVERITY_ERROR, "illegal-name", name);
	w->cm->kind = COMMAND_DELETE_TOPICS;
	found(w, SEVERITY_ERROR, "illegal-name", "a b"); /* never elected: a marker would be all there is */
	fixture_znode(w->fx, "/brokers/topics/a b/partitions/0/state", "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1]}");
	not_found(w, "illegal-name", "a b"); /* brokers know it by now, and take it away */
	found(w, SEVERITY_ERROR, "illegal-name", name);
	world_free(w);
}

static void a_topic_that_grew_is_told(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "payments_eu", true);
	fixture_znode(w->fx, "/brokers/topics/payments_eu", "{\"version\":3,\"partitions\":{\"0\":[2,3],\"1\":[2,3]}}");
	assert_has(found(w, SEVERITY_WARNING, "changed", "payments_eu"), "1 partitions");
	world_free(w);
}

static void one_queued_already_is_left_out_and_all_of_them_is_nothing_to_do(void **state)
{
	static const char *const markers[] = { "orders", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	choose(w, "payments_eu", true);
	fixture_children(w->fx, "/admin/delete_topics", markers);
	found(w, SEVERITY_INFO, "already-queued", "orders");
	assert_int_equal(w->fs.n_errors, 0);
	command_free(&w->cm);
	w->cm = command_new(COMMAND_DELETE_TOPICS);
	choose(w, "orders", true);
	found(w, SEVERITY_ERROR, "nothing", NULL);
	world_free(w);
}

static void of_one_that_is_queued_it_says_since_when_and_what_it_waits_for(void **state)
{
	static const char *const markers[] = { "legacy.audit", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	const char *text;

	(void)state;
	choose(w, "legacy.audit", true);
	choose(w, "orders", true);
	fixture_children(w->fx, "/admin/delete_topics", markers);
	fixture_znode(w->fx, "/admin/delete_topics/legacy.audit", "");
	/* A pass has run, and its controller's broker lists it no more. */
	fixture_znode(w->fx, "/brokers/topics/legacy.audit/partitions/0/state", "{\"controller_epoch\":7,\"leader\":-1,\"version\":1,\"leader_epoch\":6,\"isr\":[4]}");
	fixture_znode(w->fx, "/brokers/topics/legacy.audit/partitions/1/state", "{\"controller_epoch\":7,\"leader\":-1,\"version\":1,\"leader_epoch\":6,\"isr\":[1]}");
	for (int i = 0; i < 40; i++)
		fixture_said(w->fx, "lives 1 2 3 4\nsays orders 0 leader=1 epoch=5 replicas=1,2,3 isr=1,2,3\nmetadata 2 all controller=2\n");
	infer(w);
	text = found(w, SEVERITY_INFO, "already-queued", "legacy.audit");
	assert_has(text, "queued for deletion already since ");
	assert_has(text, "waits: broker 5");
	world_free(w);
}

static void the_controller_stays_while_a_marker_is_missing(void **state)
{
	static const char *const markers[] = { "legacy.audit", NULL }, *const none[] = { NULL };
	struct world *w = world_new(COMMAND_MOVE_CONTROLLER);

	(void)state;
	fixture_children(w->fx, "/admin/delete_topics", markers);
	fixture_znode(w->fx, "/admin/delete_topics/legacy.audit", "");
	infer(w);
	not_found(w, "marker-removed", "legacy.audit");
	fixture_children(w->fx, "/admin/delete_topics", none);
	infer(w);
	assert_has(found(w, SEVERITY_ERROR, "marker-removed", "legacy.audit"), "come back emptied");
	deletions_free(&w->ds);
	found(w, SEVERITY_ERROR, "marker-removed", "legacy.audit"); /* by what was seen alone, too */
	world_free(w);
}

static void a_topic_being_moved_is_refused_whoever_says_so(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "orders", true);
	choose(w, "payments_eu", true);
	choose(w, "payments.eu", true);
	fixture_znode(w->fx, "/brokers/topics/orders",
		"{\"version\":3,\"partitions\":{\"0\":[1,2,3,4],\"1\":[2,3,4],\"2\":[3,4,1]},\"adding_replicas\":{\"0\":[4]},\"removing_replicas\":{\"0\":[1]}}");
	assert_has(found(w, SEVERITY_ERROR, "under-reassignment", "orders"), "Partition 0 of it is being moved.");
	assert_has(found(w, SEVERITY_ERROR, "under-reassignment", "orders"), "cancel it (kafops does not): kafka-reassign-partitions of Kafka 2.6 or later, with --cancel");
	fixture_said(w->fx, "reassigns payments_eu 0 replicas=2,3,1 adding=1\nreassigning 2\n");
	found(w, SEVERITY_ERROR, "under-reassignment", "payments_eu");
	fixture_znode(w->fx, "/admin/reassign_partitions", "{\"version\":1,\"partitions\":[{\"topic\":\"payments.eu\",\"partition\":0,\"replicas\":[1,2]}]}");
	assert_has(found(w, SEVERITY_ERROR, "under-reassignment", "payments.eu"), "names its partition 0");
	/* In whatever order they stand. */
	fixture_znode(w->fx, "/admin/reassign_partitions", "{\"version\":1,\"partitions\":[{\"topic\":\"zz\",\"partition\":0,\"replicas\":[1,2]},"
		"{\"topic\":\"payments.eu\",\"partition\":1,\"replicas\":[1,2]},{\"topic\":\"a\",\"partition\":0,\"replicas\":[1]},"
		"{\"topic\":\"payments.eu\",\"partition\":0,\"replicas\":[1,2]}]}");
	assert_has(found(w, SEVERITY_ERROR, "under-reassignment", "payments.eu"), "names its partitions 0, 1");
	world_free(w);
}

static void what_it_will_wait_for_is_said_before(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);

	(void)state;
	choose(w, "legacy.audit", true);
	choose(w, "orders", true);
	assert_has(found(w, SEVERITY_WARNING, "replica-on-dead-broker", "legacy.audit"), "Broker 5 is down and holds 2 of its replicas");
	fixture_said(w->fx, "lives 1 2 3 4\nsays orders 0 leader=1 epoch=5 replicas=1,2,3 isr=1,2,3 offline=3\n"
		"says orders 1 leader=2 epoch=5 replicas=2,3,4 isr=2,3,4 offline=3\nmetadata 1 some controller=2\n");
	assert_has(found(w, SEVERITY_WARNING, "replica-on-offline-dir", "orders"), "2 of its replicas lie in a log dir that is offline, on broker 3");
	fixture_said(w->fx, "says orders 1 leader=2 epoch=5 replicas=2,3,4 isr=2,3,4\nmetadata 1 some controller=2\n");
	assert_has(found(w, SEVERITY_WARNING, "replica-on-offline-dir", "orders"), "1 of its replicas lies in a log dir that is offline, on broker 3");
	not_found(w, "replica-on-dead-broker", "orders");
	world_free(w);
}

static void internal_and_protected_topics_go_by_hand_and_with_consent_alone(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct err err;

	(void)state;
	err_init(&err);
	w->po.protected_topics = mem_array(1, sizeof(struct pattern *));
	w->po.protected_topics[0] = pattern_new("pay.*", &err);
	w->po.n_protected = 1;
	choose(w, "__consumer_offsets", false);
	choose(w, "payments_eu", false);
	w->po.internal_by_hand = w->po.protected_by_hand = true;
	assert_has(found(w, SEVERITY_ERROR, "internal", "__consumer_offsets"), "never by a pattern");
	assert_has(found(w, SEVERITY_ERROR, "protected", "payments_eu"), "never by a pattern");
	choose(w, "__consumer_offsets", true);
	choose(w, "payments_eu", true);
	found(w, SEVERITY_WARNING, "internal", "__consumer_offsets");
	found(w, SEVERITY_WARNING, "protected", "payments_eu");
	w->po.internal_by_hand = w->po.protected_by_hand = false;
	found(w, SEVERITY_ERROR, "internal", "__consumer_offsets");
	assert_has(found(w, SEVERITY_ERROR, "protected", "payments_eu"), "protected-by-hand");
	world_free(w);
}

/* ---- the ways around --------------------------------------------------------------------------------- */

static void a_topic_never_elected_goes_by_its_marker_alone(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS), *z = world_new(COMMAND_MARK_TOPICS);

	(void)state;
	fixture_znode(w->fx, "/brokers/topics/payments_eu/partitions/0/state", NULL);
	fixture_znode(z->fx, "/brokers/topics/payments_eu/partitions/0/state", NULL);
	choose(w, "payments_eu", true);
	choose(z, "payments_eu", true);
	choose(z, "orders", true);
	assert_has(found(w, SEVERITY_ERROR, "never-elected", "payments_eu"), "mark-topics");
	not_found(z, "brokers-answer", "payments_eu");
	found(z, SEVERITY_ERROR, "brokers-answer", "orders");
	world_free(w);
	world_free(z);
}

static void a_marker_is_put_where_no_broker_answers(void **state)
{
	struct world *w = world_new(COMMAND_MARK_TOPICS);

	(void)state;
	choose(w, "orders", true);
	assert_has(found(w, SEVERITY_ERROR, "brokers-answer", "orders"), "delete-topics");
	fixture_said(w->fx, "link 1 failed refused\nlink 2 failed refused\n");
	not_found(w, "brokers-answer", "orders");
	assert_int_equal(w->fs.n_errors, 0);
	fixture_children(w->fx, "/admin/delete_topics", NULL);
	assert_has(found(w, SEVERITY_ERROR, "markers-unreadable", NULL), "is not there");
	fixture_children_unreadable(w->fx, "/admin/delete_topics", "no permission to read it");
	assert_has(found(w, SEVERITY_ERROR, "markers-unreadable", NULL), "no permission");
	world_free(w);
}

/* Lookalikes and T10a of the reference: the controller goes on, and its broker no longer lists the topic, so that the API would answer 3. */
static void a_marker_that_was_taken_away_is_put_again(void **state)
{
	struct stage *st = stage_new();
	struct command *mark = command_new(COMMAND_MARK_TOPICS), *ask = command_new(COMMAND_DELETE_TOPICS);
	struct policy po;
	struct findings fs;

	(void)state;
	policy_init(&po);
	stage_down(st, 3);
	stage_mark(st);
	stage_pass(st);
	st->ctrl = KNOW_ABSENT;
	stage_unmark(st);
	stage_look(st);
	assert_true(st->de->acts & DELETION_ACT_PUT_MARKER);
	assert_true(command_add_topic(mark, &st->cl, "t", true) && command_add_topic(ask, &st->cl, "t", true));
	command_check(mark, &st->cl, st->ds, &po, NULL, fixture_now(st->fx), &fs);
	assert_null(findings_find(&fs, "brokers-answer", "t"));
	findings_fini(&fs);
	command_check(ask, &st->cl, st->ds, &po, NULL, fixture_now(st->fx), &fs);
	assert_non_null(findings_find(&fs, "marker-removed", "t"));
	assert_int_equal(findings_find(&fs, "marker-removed", "t")->severity, SEVERITY_ERROR);
	findings_fini(&fs);
	command_free(&mark);
	command_free(&ask);
	policy_fini(&po);
	stage_free(&st);
}

static void the_controller_is_moved_only_while_it_is_the_one_that_was_seen(void **state)
{
	struct world *w = world_new(COMMAND_MOVE_CONTROLLER);

	(void)state;
	assert_int_equal(check(w)->n_errors, 0);
	fixture_znode(w->fx, "/controller", "{\"version\":1,\"brokerid\":4,\"timestamp\":\"1\"}");
	assert_has(found(w, SEVERITY_ERROR, "controller-changed", NULL), "broker 4");
	fixture_znode(w->fx, "/controller", NULL);
	found(w, SEVERITY_ERROR, "no-controller", NULL);
	world_free(w);
}

static void what_would_stop_the_next_controller_keeps_this_one(void **state)
{
	struct world *w = world_new(COMMAND_MOVE_CONTROLLER);

	(void)state;
	fixture_znode(w->fx, "/admin/reassign_partitions", "{\"version\":1}");
	found(w, SEVERITY_ERROR, "poison", NULL);
	fixture_znode(w->fx, "/admin/reassign_partitions", NULL);
	fixture_znode(w->fx, "/brokers/topics/orders", "{\"version\":3,\"partitions\":{\"0\":[\"1\",\"2\"]}}");
	found(w, SEVERITY_ERROR, "poison", "orders");
	world_free(w);
}

/* ---- two checks -------------------------------------------------------------------------------------------- */

static void the_digest_is_that_of_the_facts_and_not_of_the_hour(void **state)
{
	static const char *const markers[] = { "orders", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	uint64_t before;

	(void)state;
	choose(w, "orders", true);
	choose(w, "payments_eu", true);
	before = check(w)->digest;
	fixture_said(w->fx, "dir /d\nholds payments_eu 0 size=2048\ndisks 2\n");
	assert_true(check(w)->digest == before);
	fixture_children(w->fx, "/admin/delete_topics", markers);
	assert_false(check(w)->digest == before);
	before = check(w)->digest;
	fixture_znode(w->fx, "/brokers/ids/3", NULL);
	assert_false(check(w)->digest == before); /* it will wait for that broker */
	world_free(w);
}

/* What a check now says that `before` did not; "" nothing. Takes `before`. */
static const char *differs(struct world *w, struct findings *before)
{
	static char text[1024];
	struct strbuf out;
	bool is;

	strbuf_init(&out);
	is = findings_differ(before, check(w), &out);
	assert_true(is == (out.len > 0));
	assert_true(str_copy(text, sizeof(text), out.s));
	strbuf_fini(&out);
	findings_fini(before);
	return text;
}

/* The last check, to be kept. */
static struct findings keep(struct world *w)
{
	struct findings kept;

	check(w);
	kept = w->fs;
	w->fs = (struct findings){ .n = 0 };
	return kept;
}

static void what_changed_underneath_is_a_sentence(void **state)
{
	static const char *const markers[] = { "orders", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct findings before;

	(void)state;
	choose(w, "orders", true);
	choose(w, "payments_eu", true);
	before = keep(w);
	assert_string_equal(differs(w, &before), "");
	before = keep(w);
	fixture_znode(w->fx, "/brokers/ids/3", NULL);
	assert_string_equal(differs(w, &before), "broker 3 is down: 4 replicas will wait");
	before = keep(w);
	fixture_znode(w->fx, "/brokers/ids/2", NULL);
	assert_has(differs(w, &before), "broker 2 is down: 3 replicas will wait");
	before = keep(w);
	fixture_children(w->fx, "/admin/delete_topics", markers);
	assert_string_equal(differs(w, &before), "2 replicas would wait for brokers that are down, not 7 as before\norders was queued for deletion, not by this console");
	world_free(w);
}

static void a_move_is_told_when_it_begins_and_ends_and_not_as_it_goes_on(void **state)
{
	static const char orders[] = "/brokers/topics/orders", still[] = "{\"version\":3,\"partitions\":{\"0\":[1,2,3],\"1\":[2,3,4],\"2\":[3,4,1]}}";
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct findings before;

	(void)state;
	fixture_znode(w->fx, orders, still);
	choose(w, "orders", true);
	before = keep(w);
	fixture_znode(w->fx, orders, "{\"version\":3,\"partitions\":{\"0\":[1,2,3,4],\"1\":[2,3,4,1],\"2\":[3,4,1]},\"adding_replicas\":{\"0\":[4],\"1\":[1]}}");
	assert_string_equal(differs(w, &before), "orders is under reassignment");
	assert_has(found(w, SEVERITY_ERROR, "under-reassignment", "orders"), "Partitions 0, 1 of it are being moved");
	before = keep(w);
	fixture_znode(w->fx, orders, "{\"version\":3,\"partitions\":{\"0\":[1,2,3],\"1\":[2,3,4,1],\"2\":[3,4,1]},\"adding_replicas\":{\"1\":[1]}}");
	assert_string_equal(differs(w, &before), "");
	before = keep(w);
	fixture_znode(w->fx, orders, still);
	assert_string_equal(differs(w, &before), "orders is not under reassignment any more");
	world_free(w);
}

static void what_is_gone_hides_what_was_found_of_it(void **state)
{
	static const char *const with[] = { "payments_eu", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct findings before;

	(void)state;
	choose(w, "orders", true);
	choose(w, "payments_eu", true);
	fixture_znode(w->fx, "/admin/reassign_partitions", "{\"version\":1,\"partitions\":[{\"topic\":\"orders\",\"partition\":0,\"replicas\":[1,2]}]}");
	before = keep(w);
	assert_int_equal(before.n_errors, 1);
	fixture_children(w->fx, "/brokers/topics", with);
	assert_string_equal(differs(w, &before), "orders is gone");
	before = keep(w);
	fixture_znode(w->fx, "/admin/reassign_partitions", NULL);
	fixture_znode(w->fx, "/controller", NULL);
	assert_string_equal(differs(w, &before), "No broker is the controller, so nobody would act: see why none is elected, then try again.");
	world_free(w);
}

static void more_that_is_known_is_no_change_underneath(void **state)
{
	static const char *const active[] = { "orders" };
	struct appraisal ap = { .why_writes = NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct findings before;

	(void)state;
	choose(w, "orders", true);
	w->ap = &ap;
	fixture_znode(w->fx, "/controller", "{\"version\":1,\"brokerid\":4,\"timestamp\":\"1\"}");
	before = keep(w);
	assert_non_null(findings_find(&before, "deletion-enabled-unknown", NULL));
	assert_non_null(findings_find(&before, "last-writes-unknown", NULL));
	fixture_said(w->fx, "settings 4 delete.topic.enable=true\n");
	ap.active = active;
	ap.n_active = 1;
	ap.writes_known = ap.groups_known = true;
	assert_string_equal(differs(w, &before), "");
	world_free(w);
}

static void a_lost_session_is_all_that_is_told(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	struct findings before;

	(void)state;
	choose(w, "orders", true);
	before = keep(w);
	fixture_znode(w->fx, "/brokers/ids/3", NULL);
	fixture_new_epoch(w->fx);
	assert_string_equal(differs(w, &before), "ZooKeeper is still being read: not now; try again in a moment.");
	world_free(w);
}

static void of_many_topics_the_first_are_named(void **state)
{
	static const char *const with[] = { "legacy.audit", NULL };
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	const struct cluster *cl = fixture_cluster(w->fx);
	struct findings before;

	(void)state;
	for (size_t i = 0; i < cl->n_topics; i++)
		if (!cl->topics[i]->internal)
			choose(w, cl->topics[i]->name, true);
	assert_true(w->cm->n_topics >= 3);
	before = keep(w);
	fixture_children(w->fx, "/brokers/topics", with);
	assert_has(differs(w, &before), "topics are gone: ");
	world_free(w);
}

static void errors_come_first_then_warnings_by_topic(void **state)
{
	struct world *w = world_new(COMMAND_DELETE_TOPICS);
	const struct findings *fs;

	(void)state;
	choose(w, "legacy.audit", true);
	choose(w, "__consumer_offsets", false);
	fixture_said(w->fx, "settings 1 delete.topic.enable=false\n");
	fs = check(w);
	assert_int_equal(fs->n_errors, 1);
	assert_int_equal(fs->n_warnings, 2);
	assert_string_equal(fs->v[0].kind, "internal");
	assert_string_equal(fs->v[1].kind, "deletion-disabled");
	assert_string_equal(fs->v[2].kind, "replica-on-dead-broker");
	for (size_t i = 3; i < fs->n; i++)
		assert_int_equal(fs->v[i].severity, SEVERITY_INFO);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_topic_is_in_a_command_once_and_sorted),
		cmocka_unit_test(it_is_described_in_one_line),
		cmocka_unit_test(every_command_has_a_name_and_destroys),
		cmocka_unit_test(one_topic_wants_its_name_and_several_their_count),
		cmocka_unit_test(many_topics_or_partitions_want_the_clusters_name_too),
		cmocka_unit_test(a_cluster_without_a_name_loses_nothing_large),
		cmocka_unit_test(moving_the_controller_wants_a_word_and_the_clusters_name),
		cmocka_unit_test(nothing_stands_against_a_topic_that_is_well),
		cmocka_unit_test(no_topic_is_nothing_to_do),
		cmocka_unit_test(another_cluster_than_the_profiles_is_refused),
		cmocka_unit_test(old_facts_are_refused),
		cmocka_unit_test(brokers_of_another_cluster_are_not_asked),
		cmocka_unit_test(without_a_controller_nobody_is_asked),
		cmocka_unit_test(deletion_disabled_on_the_controller_is_an_error_elsewhere_a_warning),
		cmocka_unit_test(a_migration_forbids_znodes_and_warns_of_the_rest),
		cmocka_unit_test(groups_and_writers_are_warned_of_by_name),
		cmocka_unit_test(what_nobody_asked_is_not_called_known),
		cmocka_unit_test(what_is_being_asked_is_no_warning),
		cmocka_unit_test(a_writer_that_was_seen_is_told_though_not_all_could_be_asked),
		cmocka_unit_test(an_appraisal_is_copied_whole_and_compared_by_what_it_says),
		cmocka_unit_test(a_topic_that_is_gone_or_was_made_again_is_refused),
		cmocka_unit_test(a_name_that_no_topic_can_have_is_refused_before),
		cmocka_unit_test(a_topic_that_grew_is_told),
		cmocka_unit_test(one_queued_already_is_left_out_and_all_of_them_is_nothing_to_do),
		cmocka_unit_test(of_one_that_is_queued_it_says_since_when_and_what_it_waits_for),
		cmocka_unit_test(the_controller_stays_while_a_marker_is_missing),
		cmocka_unit_test(a_topic_being_moved_is_refused_whoever_says_so),
		cmocka_unit_test(what_it_will_wait_for_is_said_before),
		cmocka_unit_test(internal_and_protected_topics_go_by_hand_and_with_consent_alone),
		cmocka_unit_test(a_topic_never_elected_goes_by_its_marker_alone),
		cmocka_unit_test(a_marker_is_put_where_no_broker_answers),
		cmocka_unit_test(a_marker_that_was_taken_away_is_put_again),
		cmocka_unit_test(the_controller_is_moved_only_while_it_is_the_one_that_was_seen),
		cmocka_unit_test(what_would_stop_the_next_controller_keeps_this_one),
		cmocka_unit_test(the_digest_is_that_of_the_facts_and_not_of_the_hour),
		cmocka_unit_test(what_changed_underneath_is_a_sentence),
		cmocka_unit_test(a_move_is_told_when_it_begins_and_ends_and_not_as_it_goes_on),
		cmocka_unit_test(what_is_gone_hides_what_was_found_of_it),
		cmocka_unit_test(more_that_is_known_is_no_change_underneath),
		cmocka_unit_test(a_lost_session_is_all_that_is_told),
		cmocka_unit_test(of_many_topics_the_first_are_named),
		cmocka_unit_test(errors_come_first_then_warnings_by_topic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
