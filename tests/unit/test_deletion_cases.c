/* SPDX-License-Identifier: Apache-2.0 */
/* core/deletion and the model by the cases DI-* of tests/cases: a tree, then a run of writes with their times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/deletion.h"
#include "core/zkpath.h"
#include "tests/unit/casefile.h"
#include "tests/unit/fixture.h"

#define assert_has(text, part) assert_non_null(strstr(text, part))

/* A run of writes as an adapter would read them: each node, and the list that it stands in. */
struct run {
	struct fixture *fx;
	struct deletions *ds;
	struct map *tree;      /* paths that are there */
	char *text, *rest;
	char *ahead;           /* a line that is not due yet */
	int64_t start;         /* of the run, by the fixture's clock */
	char waited[512];      /* states told of the topic looked at, in order: "queued running done" */
	const char *topic;
};

static void look(struct run *ru)
{
	const struct deletion *de;
	struct changes ch = model_changes(ru->fx->md);
	const char *name;

	deletions_update(ru->ds, fixture_cluster(ru->fx), &ch, (mono_ms){ 1 + ru->fx->at }, fixture_now(ru->fx));
	model_changes_clear(ru->fx->md);
	de = deletions_find(ru->ds, ru->topic);
	name = de != NULL ? deletion_state_name(de->state) : "";
	if (*name != '\0' && !str_ends(ru->waited, name))
		str_printf(ru->waited + strlen(ru->waited), sizeof(ru->waited) - strlen(ru->waited), "%s%s", ru->waited[0] ? " " : "", name);
}

static void take_tree(struct run *ru, const char *file)
{
	size_t n;
	char *text = case_read(file, &n), *rest = NULL;

	fixture_load(ru->fx, fixture_case(file));
	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		line[strcspn(line, "\t")] = '\0';
		map_set(ru->tree, line, ru);
	}
	mem_free(&text);
}

static struct run *run_new(const char *file, const char *topic)
{
	struct run *ru = mem_zalloc(sizeof(*ru));
	size_t n;

	ru->fx = fixture_new();
	ru->ds = deletions_new();
	ru->tree = map_new();
	ru->topic = topic;
	if (str_ends(file, ".zktree")) {
		ru->text = mem_strdup("");
		take_tree(ru, file);
	} else {
		ru->text = case_read(file, &n);
		assert_true(str_starts(ru->text, "#start "));
		ru->ahead = strtok_r(ru->text, "\n", &ru->rest);
		take_tree(ru, ru->ahead + strlen("#start "));
		ru->ahead = strtok_r(NULL, "\n", &ru->rest);
	}
	ru->start = ru->fx->at;
	look(ru);
	return ru;
}

static void run_free(struct run *ru)
{
	fixture_free(&ru->fx);
	deletions_free(&ru->ds);
	map_free(&ru->tree, NULL);
	mem_free(&ru->text);
	mem_free(&ru);
}

/* ---- writes ------------------------------------------------------------------------ */

/* The list that a node stands in, when it is one that is watched. */
static void read_list(struct run *ru, const char *path)
{
	char parent[ZKPATH_MAX];
	const char **names, *key;
	struct map_iter it = map_iter(ru->tree);
	size_t n = 0, len = (size_t)(strrchr(path, '/') - path);

	if (!str_copyn(parent, sizeof(parent), path, len) || !zkpath_is_list(zkpath_parse(parent).kind))
		return;
	names = mem_array(map_count(ru->tree) + 1, sizeof(*names));
	while (map_next(&it, &key, NULL))
		if (strlen(key) > len + 1 && strncmp(key, parent, len) == 0 && key[len] == '/' && strchr(key + len + 1, '/') == NULL)
			names[n++] = key + len + 1;
	fixture_children(ru->fx, parent, names);
	mem_free(&names);
}

static void put(struct run *ru, const char *path, const char *data)
{
	int64_t at = ru->fx->at;

	map_set(ru->tree, path, ru);
	ru->fx->at -= 1000; /* the fixture's clock moves by a second with each event */
	read_list(ru, path);
	ru->fx->at = at - 1000;
	if (zkpath_parse(path).kind != ZKPATH_OTHER)
		fixture_znode(ru->fx, path, data);
	ru->fx->at = at;
}

/* Children before their parents, as whoever deletes recursively does. */
static void take_away(struct run *ru, const char *path)
{
	struct map_iter it = map_iter(ru->tree);
	int64_t at = ru->fx->at;
	size_t len = strlen(path);
	const char *key;

	while (map_next(&it, &key, NULL)) {
		if (strncmp(key, path, len) != 0 || key[len] != '/')
			continue;
		ru->fx->at = at - 1000;
		if (zkpath_parse(key).kind != ZKPATH_OTHER)
			fixture_znode(ru->fx, key, NULL);
		map_remove(ru->tree, key);
	}
	map_remove(ru->tree, path);
	ru->fx->at = at - 1000;
	read_list(ru, path);
	ru->fx->at = at - 1000;
	if (zkpath_parse(path).kind == ZKPATH_CONTROLLER)
		fixture_znode(ru->fx, path, NULL);
	ru->fx->at = at;
}

/* "@seconds TAB operation TAB path TAB data". False when it is not due by `until`. */
static bool play_line(struct run *ru, double until)
{
	char *op = strchr(ru->ahead, '\t'), *path = op != NULL ? strchr(op + 1, '\t') : NULL, *data = path != NULL ? strchr(path + 1, '\t') : NULL;
	double at = strtod(ru->ahead + 1, NULL);

	if (at > until)
		return false;
	if (path == NULL)
		return true;
	*op++ = *path++ = '\0';
	if (data != NULL)
		*data++ = '\0';
	ru->fx->at = ru->start + (int64_t)(at * 1000);
	if (str_starts(op, "delete"))
		take_away(ru, path);
	else if (strcmp(op, "user") != 0)
		put(ru, path, data != NULL ? data : "");
	look(ru);
	return true;
}

/* Time goes on to so many seconds after the start, and what is due then is told. */
static const struct deletion *run_to(struct run *ru, double seconds)
{
	while (ru->ahead != NULL && play_line(ru, seconds))
		ru->ahead = strtok_r(NULL, "\n", &ru->rest);
	for (;;) {
		dur_ms wait = deletions_wait(ru->ds, (mono_ms){ 1 + ru->fx->at });

		if (wait < 0 || ru->fx->at + wait > ru->start + (int64_t)(seconds * 1000))
			break;
		ru->fx->at += wait > 0 ? wait : 1;
		look(ru);
	}
	ru->fx->at = ru->start + (int64_t)(seconds * 1000);
	look(ru);
	return deletions_find(ru->ds, ru->topic);
}

/* ---- cases ----------------------------------------------------------------------------- */

static void di_01_waits_for_the_dead_broker_as_an_inference(void **state)
{
	struct run *ru = run_new("DI-01-dead-broker.zktree", "legacy.audit");
	const struct deletion *de = run_to(ru, 60);

	assert_int_equal(de->state, DELETION_WAITING);
	assert_string_equal(de->why, "broker 5 down");
	assert_int_equal(de->n_replicas, 4);
	assert_int_equal(de->blockers[0].kind, BLOCKER_BROKER_DOWN);
	assert_int_equal(de->blockers[0].broker, 5);
	assert_int_equal(de->blockers[0].n_replicas, 2);
	assert_int_equal(de->n_by_phase[PHASE_WAITING], 2);
	assert_int_equal(de->n_by_phase[PHASE_DONE], 0); /* no broker was asked */
	run_free(ru);
}

static void di_02_goes_on_when_the_broker_is_back_and_counts_one_retry(void **state)
{
	struct run *ru = run_new("DI-02-broker-returns.events", "legacy.audit");
	const struct deletion *de = run_to(ru, 4.9);

	assert_int_equal(de->state, DELETION_WAITING);
	de = run_to(ru, 5.5);
	assert_int_equal(de->state, DELETION_RUNNING);
	assert_string_equal(de->attempts[de->n_attempts - 1].trigger, "broker 5 registered");
	de = run_to(ru, 10);
	assert_int_equal(de->state, DELETION_DONE);
	assert_int_equal(de->certainty, CERTAINTY_CERTAIN);
	assert_int_equal(de->n_attempts, 2); /* the one that was under way, and the retry */
	assert_string_equal(ru->waited, "waiting running finishing done");
	run_free(ru);
}

static void di_06_names_the_log_dir_when_the_brokers_tell(void **state)
{
	static const char disks[] =
		"link 1 up\nlink 2 up\nlink 3 up\nlink 4 up\n"
		"dir /data/d1\nholds orders 0 size=5\nholds orders 1 size=5\ndir /data/d2 error=56\ndisks 3\n"
		"dir /data/d1\nholds orders 0 size=5\nholds orders 2 size=5\ndisks 1\n"
		"dir /data/d1\nholds orders 0 size=5\nholds orders 1 size=5\ndisks 2\n"
		"dir /data/d1\nholds orders 1 size=5\nholds orders 2 size=5\ndisks 4\n";
	struct run *ru = run_new("DI-06-offline-log-dir.events", "orders");
	const struct deletion *de = run_to(ru, 300);

	/* Not a word of an end that is near, though all brokers are up. */
	assert_int_equal(de->state, DELETION_QUEUED);
	assert_int_equal(de->blockers[0].kind, BLOCKER_UNKNOWN);
	assert_has(de->act, "Let kafops reach the brokers: they tell whether the controller counts the topic, and whether a log dir is offline.");
	fixture_said(ru->fx, disks);
	look(ru);
	de = deletions_find(ru->ds, "orders");
	assert_int_equal(de->state, DELETION_WAITING);
	assert_string_equal(de->why, "broker 3: dir …/d2 offline");
	assert_has(de->next, "When broker 3 has been started with all its log dirs working");
	run_free(ru);
}

static void di_07_says_refused_and_where_to_look(void **state)
{
	struct run *ru = run_new("DI-07-delete-disabled.events", "tmp-load-01");
	const struct deletion *de = run_to(ru, 30);

	assert_int_equal(de->state, DELETION_REFUSED);
	assert_has(de->act, "The marker was taken away and the topic still exists: delete.topic.enable was probably false on the controller of that moment, broker 2.");
	run_free(ru);
}

static void di_08_tells_the_end_and_the_new_topic_apart(void **state)
{
	struct run *ru = run_new("DI-08-recreated.events", "orders");
	const struct deletion *de = run_to(ru, 3.3);

	assert_int_equal(de->state, DELETION_DONE);
	assert_int_equal(de->ended_at.ms, FIXTURE_START + ru->start + 3200);
	de = run_to(ru, 10);
	assert_int_equal(de->state, DELETION_RECREATED);
	assert_int_equal(de->ended_at.ms, FIXTURE_START + ru->start + 3200);
	assert_true(de->new_czxid != 0 && de->new_czxid != de->czxid);
	assert_false(cluster_topic_find(fixture_cluster(ru->fx), "orders")->deleting);
	assert_int_equal(deletions_count(ru->ds), 1);
	run_free(ru);
}

static void di_11_goes_on_over_an_election_and_notes_it(void **state)
{
	struct run *ru = run_new("DI-11-failover.events", "tmp-load-01");
	const struct deletion *de = run_to(ru, 3);
	int64_t marked = de->marked_at.ms;

	de = run_to(ru, 19);
	for (size_t i = 0; i < de->n_blockers; i++)
		assert_int_not_equal(de->blockers[i].kind, BLOCKER_BROKER_DOWN); /* broker 2 holds no replica of it */
	de = run_to(ru, 25);
	assert_int_equal(de->state, DELETION_DONE);
	assert_int_equal(de->marked_at.ms, marked);
	assert_int_equal(de->ended_at.ms - de->marked_at.ms, 19100);
	assert_string_equal(de->attempts[de->n_attempts - 1].trigger, "controller 3 elected, epoch 8");
	run_free(ru);
}

static void di_18_a_marker_that_is_there_already_is_one_deletion(void **state)
{
	struct run *ru = run_new("DI-18-already-marked.events", "tmp-load-01");
	const struct deletion *de = run_to(ru, 2);

	assert_int_equal(deletions_count(ru->ds), 1);
	assert_int_equal(de->n_attempts, 1);
	run_free(ru);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(di_01_waits_for_the_dead_broker_as_an_inference),
		cmocka_unit_test(di_02_goes_on_when_the_broker_is_back_and_counts_one_retry),
		cmocka_unit_test(di_06_names_the_log_dir_when_the_brokers_tell),
		cmocka_unit_test(di_07_says_refused_and_where_to_look),
		cmocka_unit_test(di_08_tells_the_end_and_the_new_topic_apart),
		cmocka_unit_test(di_11_goes_on_over_an_election_and_notes_it),
		cmocka_unit_test(di_18_a_marker_that_is_there_already_is_one_deletion),
	};

	return cmocka_run_group_tests_name("core/deletion, cases", tests, NULL, NULL);
}
