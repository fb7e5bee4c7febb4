/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core/truths beside the model scripts (tests/model/1*.t): looking where something changed finds what looking everywhere does;
 * the order, the wait, the texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <time.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/metadata.h"
#include "core/model.h"
#include "core/truths_parts.h"

enum { TOPICS = 5, PARTS = 3, BROKERS = 4, STEPS = 6000 };

static uint64_t rng;

static uint32_t roll(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 11) % n;
}

/* ---- a cluster that says this and that --------------------------------------------------------- */

static struct event *node_event(const char *path, enum znode_rc rc, const char *data, int64_t at)
{
	struct znode_stat st = { .czxid = 1, .mtime = { at }, .ephemeral_owner = 1 };

	return event_from_znode(path, rc, "no permission to read it", data, strlen(data), &st, 1, (mono_ms){ at }, (wall_ms){ at });
}

static struct event *list_event(const char *path, const char *prefix, uint32_t of, uint32_t most_of, int64_t at)
{
	char names[16][16];
	const char *v[16];
	size_t n = 0;

	for (uint32_t i = 0; i < of; i++)
		if (roll(most_of) != 0) {
			str_printf(names[n], sizeof(names[n]), "%s%u", prefix, i);
			v[n] = names[n];
			n++;
		}
	return event_from_children(path, roll(20) ? ZNODE_OK : ZNODE_NO_PERMISSION, "why", v, n, NULL, 1, (mono_ms){ at }, (wall_ms){ at });
}

static struct event *topic_event(int64_t at)
{
	static const char *const datas[] = {
		"{\"version\":2,\"partitions\":{\"0\":[1,2],\"1\":[2,3]}}",
		"{\"version\":2,\"partitions\":{\"0\":[3,1,2],\"1\":[2,3]},\"adding_replicas\":{\"0\":[3]},\"removing_replicas\":{\"0\":[1]}}",
		"{\"version\":2,\"partitions\":{\"0\":[\"1\",2]}}",
		"{\"version\":2,\"partitions\":{\"0\":[0],\"1\":[1],\"2\":[2]}}",
	};
	char path[64];

	str_printf(path, sizeof(path), "/brokers/topics/t%u", roll(TOPICS));
	return node_event(path, roll(20) ? ZNODE_OK : ZNODE_NO_PERMISSION, datas[roll(4)], at);
}

static struct event *state_event(int64_t at)
{
	static const char *const datas[] = {
		"{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":3,\"isr\":[1,2]}",
		"{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":3,\"isr\":[2]}",
	};
	char path[96];

	str_printf(path, sizeof(path), "/brokers/topics/t%u/partitions/%u/state", roll(TOPICS), roll(PARTS));
	return node_event(path, roll(4) ? ZNODE_OK : ZNODE_ABSENT, datas[roll(2)], at);
}

static struct event *reassign_event(int64_t at)
{
	static const char *const datas[] = {
		"{\"version\":1}", "{\"version\":1,\"partitions\":[]}",
		"{\"version\":1,\"partitions\":[{\"topic\":\"t1\",\"partition\":0,\"replicas\":[\"1\"]}]}",
		("{\"version\":1,\"partitions\":[{\"topic\":\"t1\",\"partition\":0,\"replicas\":[3,2]},{\"topic\":\"t2\",\"partition\":1,\"replicas\":[2,3]},"
		"{\"topic\":\"t9\",\"partition\":1,\"replicas\":[2,3]}]}"),
	};

	return node_event("/admin/reassign_partitions", roll(2) ? ZNODE_OK : ZNODE_ABSENT, datas[roll(4)], at);
}

static struct event *single_event(int64_t at)
{
	static const struct { const char *path, *data; } nodes[] = {
		{ "/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}" },
		{ "/controller", "{\"version\":1,\"brokerid\":2,\"timestamp\":\"1\"}" },
		{ "/config/topics/t1", "{\"version\":1,\"config\":{\"follower.replication.throttled.replicas\":\"*\"}}" },
		{ "/config/topics/t1", "{\"version\":1,\"config\":{}}" },
		{ "/config/brokers/2", "{\"version\":1,\"config\":{\"follower.replication.throttled.rate\":\"10\"}}" },
	};
	uint32_t i = roll(6);
	char epoch[16];

	str_printf(epoch, sizeof(epoch), "%" PRId64, at / 20000);
	if (i == 5)
		return node_event("/controller_epoch", ZNODE_OK, epoch, at);
	return node_event(nodes[i].path, ZNODE_OK, nodes[i].data, at);
}

static struct event *metadata_event(int64_t at)
{
	struct event *ev = event_of_broker(EV_METADATA, 1, NULL, (mono_ms){ at }, (wall_ms){ at });
	struct metadata_answer *an = mem_zalloc(sizeof(*an));
	int32_t *isr;

	an->arena = arena_new(0);
	an->is_all = true;
	an->md.controller = 1 + (roll(8) == 0);
	an->md.topics = arena_alloc(an->arena, TOPICS * sizeof(*an->md.topics));
	isr = arena_alloc(an->arena, 2 * sizeof(*isr));
	isr[0] = 1;
	isr[1] = 2;
	for (uint32_t t = 0; t < TOPICS; t++) {
		struct md_topic *mt = &an->md.topics[an->md.n_topics];

		if (roll(6) == 0)
			continue;
		mt->name = arena_printf(an->arena, "t%u", t);
		mt->n_partitions = 2;
		mt->partitions = arena_alloc(an->arena, 2 * sizeof(*mt->partitions));
		for (int32_t p = 0; p < 2; p++)
			mt->partitions[p] = (struct md_partition){ .partition = p, .leader = 1, .leader_epoch = 3, .replicas = isr, .n_replicas = 2, .isr = isr, .n_isr = 2 };
		an->md.n_topics++;
	}
	metadata_sort(&an->md);
	ev->u.metadata = an;
	return ev;
}

static struct event *disks_event(int64_t at)
{
	struct event *ev = event_of_broker(EV_DISKS, (int32_t)roll(BROKERS), roll(10) ? NULL : "no", (mono_ms){ at }, (wall_ms){ at });
	struct disks *ds;
	char name[16];

	if (ev->know != KNOW_PRESENT)
		return ev;
	ds = disks_new();
	for (int d = 0; d < 2; d++) {
		disks_add_dir(ds, d ? "/d2" : "/d1", 0, -1, -1);
		for (uint32_t t = 0; t <= TOPICS; t++) {
			str_printf(name, sizeof(name), "t%u", t);
			disks_add_topic(ds, d, name);
			if (roll(2))
				disks_add_replica(ds, (int32_t)roll(PARTS), d == 1, roll(100), 0);
		}
	}
	disks_finish(ds);
	ev->u.disks = ds;
	return ev;
}

static struct event *moves_event(int64_t at)
{
	struct event *ev = event_of_broker(EV_REASSIGNING, 1, roll(10) ? NULL : "no", (mono_ms){ at }, (wall_ms){ at });

	if (ev->know != KNOW_PRESENT || roll(3) == 0)
		return ev;
	ev->u.reassigning.v = mem_array(1, sizeof(*ev->u.reassigning.v));
	ev->u.reassigning.n = 1;
	ev->u.reassigning.v[0].topic = mem_strdup(roll(2) ? "t1" : "t7");
	ids_push(&ev->u.reassigning.v[0].as.adding, 3);
	return ev;
}

static struct event *conn_event(uint8_t state, int64_t at)
{
	struct conn_info info = { .state = state, .latency = -1 };

	return event_conn(1, (mono_ms){ at }, (wall_ms){ at }, &info);
}

static struct event *some_event(int64_t at)
{
	switch (roll(16)) {
	case 0: return list_event("/brokers/topics", "t", TOPICS, 8, at);
	case 1: return list_event("/admin/delete_topics", "t", TOPICS + 1, 2, at);
	case 2: return list_event("/brokers/ids", "", BROKERS, 9, at);
	case 3: case 4: return topic_event(at);
	case 5: case 6: return state_event(at);
	case 7: return reassign_event(at);
	case 8: case 9: return single_event(at);
	case 10: case 11: return metadata_event(at);
	case 12: case 13: return disks_event(at);
	case 14: return moves_event(at);
	default: return roll(8) ? event_new(EV_LOADED, 1, (mono_ms){ at }, (wall_ms){ at }) : conn_event(CONN_CONNECTING + (uint8_t)(roll(3) > 0), at);
	}
}

/* ---- the claims ---------------------------------------------------------------------------------------- */

static void check_same(const struct truths *a, const struct truths *b)
{
	assert_int_equal(truths_count(a), truths_count(b));
	for (size_t i = 0; i < truths_count(a); i++) {
		const struct truth *p = truths_at(a, i), *q = truths_at(b, i);

		assert_string_equal(p->key, q->key);
		assert_string_equal(p->what, q->what);
		assert_int_equal(p->since.ms, q->since.ms);
		assert_ptr_equal(p->next, q->next);
		if (i > 0)
			assert_true(truths_at(a, i - 1)->is_poison >= p->is_poison);
	}
}

static void looking_where_it_changed_finds_what_looking_everywhere_does(void **state)
{
	struct model *md = model_new();
	struct truths *part = truths_new(), *all = truths_new();
	const char *seed = getenv("KAFOPS_SEED");
	bool kinds[TRUTH_KINDS] = { false };
	size_t n_kinds = 0;

	rng = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL) * 2654435761u + 1;
	print_message("# KAFOPS_SEED=%" PRIu64 "\n", rng);
	model_apply(md, conn_event(CONN_UP, 1));
	for (int64_t at = 1000000, i = 0; i < STEPS; i++, at += 1 + roll(12000)) {
		struct changes ch;
		bool is_new;

		model_apply(md, some_event(at));
		ch = model_changes(md);
		is_new = truths_update(part, model_cluster(md), &ch, (mono_ms){ at }, (wall_ms){ at });
		assert_int_equal(truths_update(all, model_cluster(md), NULL, (mono_ms){ at }, (wall_ms){ at }), is_new);
		model_changes_clear(md);
		check_same(part, all);
		for (size_t j = 0; j < truths_count(all); j++)
			kinds[truths_at(all, j)->kind] = true;
		if (roll(2000) == 0)
			model_reset(md);
	}
	for (int k = 0; k < TRUTH_KINDS; k++)
		n_kinds += kinds[k];
	assert_in_range(n_kinds, 8, TRUTH_KINDS);
	truths_free(&part);
	truths_free(&all);
	model_free(&md);
}

/* A cluster that is up and has all lists. */
static struct model *quiet_model(void)
{
	struct model *md = model_new();

	model_apply(md, conn_event(CONN_UP, 1));
	model_apply(md, event_from_children("/brokers/topics", ZNODE_OK, NULL, NULL, 0, NULL, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	model_apply(md, event_from_children("/brokers/ids", ZNODE_OK, NULL, NULL, 0, NULL, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	model_apply(md, event_new(EV_LOADED, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	return md;
}

static void put_marker(struct model *md, const char *name)
{
	const char *names[] = { name };

	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_OK, NULL, names, name != NULL, NULL, 1, (mono_ms){ 2 }, (wall_ms){ 2 }));
}

static void the_wait_says_when_something_ripens(void **state)
{
	struct model *md = quiet_model();
	struct truths *tr = truths_new();

	assert_int_equal(truths_wait(tr, (mono_ms){ 5 }), -1);
	put_marker(md, "ghost");
	assert_false(truths_update(tr, model_cluster(md), NULL, (mono_ms){ 1000 }, (wall_ms){ 1000 }));
	assert_int_equal(truths_wait(tr, (mono_ms){ 11000 }), 20000);
	assert_false(truths_update(tr, model_cluster(md), &(struct changes){ 0 }, (mono_ms){ 30999 }, (wall_ms){ 30999 }));
	assert_int_equal(truths_wait(tr, (mono_ms){ 30999 }), 1);
	assert_true(truths_update(tr, model_cluster(md), &(struct changes){ 0 }, (mono_ms){ 31000 }, (wall_ms){ 31000 }));
	assert_int_equal(truths_count(tr), 1);
	assert_int_equal(truths_wait(tr, (mono_ms){ 31000 }), -1);
	put_marker(md, NULL);
	assert_true(truths_update(tr, model_cluster(md), NULL, (mono_ms){ 31001 }, (wall_ms){ 31001 }));
	assert_int_equal(truths_count(tr), 0);
	truths_free(&tr);
	model_free(&md);
}

static void what_is_forgotten_is_told_no_more(void **state)
{
	struct model *md = quiet_model();
	struct truths *tr = truths_new();
	struct changes ch;

	put_marker(md, "a\x1b[31m%s%n\xff");
	truths_update(tr, model_cluster(md), NULL, (mono_ms){ 1000 }, (wall_ms){ 1000 });
	truths_update(tr, model_cluster(md), NULL, (mono_ms){ 90000 }, (wall_ms){ 90000 });
	assert_int_equal(truths_count(tr), 1);
	assert_string_equal(truths_at(tr, 0)->subject, "a\x1b[31m%s%n\xff");
	model_reset(md);
	ch = model_changes(md);
	assert_true(truths_update(tr, model_cluster(md), &ch, (mono_ms){ 90001 }, (wall_ms){ 90001 }));
	assert_int_equal(truths_count(tr), 0);
	truths_free(&tr);
	model_free(&md);
}

static void every_kind_has_its_words(void **state)
{
	for (int k = 0; k < TRUTH_KINDS; k++) {
		const struct truth_rule *rule = &truth_rules[k];

		assert_non_null(rule->name);
		assert_ptr_equal(truth_kind_name((enum truth_kind)k), rule->name);
		assert_true(rule->next[strlen(rule->next) - 1] == '.');
		assert_true(rule->mends[strlen(rule->mends) - 1] == '.');
		for (int j = 0; j < k; j++)
			assert_string_not_equal(truth_rules[j].name, rule->name);
	}
}

static void long_lists_of_ids_are_cut(void **state)
{
	int32_t ids[REPLICAS_MAX];
	char text[IDS_TEXT_MAX] = "what stood here before";

	for (size_t i = 0; i < REPLICAS_MAX; i++)
		ids[i] = INT32_MIN;
	assert_string_equal(truths_ids(text, ids, 0), "[]");
	assert_string_equal(truths_ids(text, ids, 2), "[-2147483648,-2147483648]");
	assert_non_null(strstr(truths_ids(text, ids, REPLICAS_MAX), ",...]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looking_where_it_changed_finds_what_looking_everywhere_does),
		cmocka_unit_test(the_wait_says_when_something_ripens),
		cmocka_unit_test(what_is_forgotten_is_told_no_more),
		cmocka_unit_test(every_kind_has_its_words),
		cmocka_unit_test(long_lists_of_ids_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
