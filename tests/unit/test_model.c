/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model is total: random events in any order leave counts that equal a
 * recount from scratch, sorted containers, and a list of changed topics without doubles; and a large answer comes in parts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"
#include "core/health.h"
#include "core/metadata.h"
#include "core/model.h"

enum { TOPICS = 6, PARTS = 4, BROKERS = 5, STEPS = 4000 };

static uint64_t rng;

static uint32_t roll(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 11) % n;
}

static const char *some_ids(char *out, size_t size)
{
	uint32_t n = roll(4);

	str_printf(out, size, "[");
	for (uint32_t i = 0; i < n; i++)
		str_printf(out + strlen(out), size - strlen(out), "%s%u", i ? "," : "", roll(BROKERS));
	str_printf(out + strlen(out), size - strlen(out), "]");
	return out;
}

static struct event *data_event(const char *path, const char *data, uint32_t epoch, int64_t at)
{
	struct znode_stat st = { .czxid = roll(3), .mtime = { at }, .ctime = { at } };
	static const enum znode_rc rcs[] = { ZNODE_OK, ZNODE_OK, ZNODE_OK, ZNODE_OK, ZNODE_ABSENT, ZNODE_NO_PERMISSION };

	return event_from_znode(path, rcs[roll(6)], "no permission to read it", data, strlen(data), &st, epoch, (mono_ms){ at }, (wall_ms){ at });
}

static struct event *list_event(const char *path, const char *prefix, uint32_t of, uint32_t epoch, int64_t at)
{
	char names[TOPICS + BROKERS][16];
	const char *v[TOPICS + BROKERS];
	size_t n = 0;

	for (uint32_t i = 0; i < of; i++)
		if (roll(4) != 0) {
			str_printf(names[n], sizeof(names[n]), "%s%u", prefix, i);
			v[n] = names[n];
			n++;
		}
	return event_from_children(path, roll(8) ? ZNODE_OK : roll(2) ? ZNODE_ABSENT : ZNODE_NO_PERMISSION, "why", v, n, NULL,
		epoch, (mono_ms){ at }, (wall_ms){ at });
}

static struct event *topic_event(uint32_t epoch, int64_t at)
{
	char path[64], data[1024], a[64];
	uint32_t n = roll(PARTS + 1);

	str_printf(path, sizeof(path), "/brokers/topics/t%u", roll(TOPICS));
	str_printf(data, sizeof(data), "{\"version\":2,\"partitions\":{");
	for (uint32_t i = 0; i < n; i++)
		str_printf(data + strlen(data), sizeof(data) - strlen(data), "%s\"%u\":%s", i ? "," : "", i, some_ids(a, sizeof(a)));
	str_printf(data + strlen(data), sizeof(data) - strlen(data), "},\"adding_replicas\":{\"0\":%s},\"removing_replicas\":{}}",
		some_ids(a, sizeof(a)));
	return data_event(path, data, epoch, at);
}

static struct event *state_event(uint32_t epoch, int64_t at)
{
	char path[96], data[256], a[64];

	str_printf(path, sizeof(path), "/brokers/topics/t%u/partitions/%u/state", roll(TOPICS), roll(PARTS));
	str_printf(data, sizeof(data), "{\"controller_epoch\":1,\"leader\":%d,\"version\":1,\"leader_epoch\":3,\"isr\":%s}",
		(int)roll(BROKERS + 1) - 1, some_ids(a, sizeof(a)));
	return data_event(path, data, epoch, at);
}

static struct event *some_disks(int64_t at)
{
	struct event *ev = event_of_broker(EV_DISKS, (int32_t)roll(BROKERS), NULL, (mono_ms){ at }, (wall_ms){ at });
	char name[16];

	ev->u.disks = disks_new();
	for (int d = 0; d < 2; d++) {
		int dir = disks_add_dir(ev->u.disks, d ? "/d1" : "/d2", roll(8) ? 0 : 56, -1, -1);

		for (uint32_t i = 0; i < TOPICS; i++) {
			if (roll(3) == 0)
				continue;
			str_printf(name, sizeof(name), "t%u", i);
			disks_add_topic(ev->u.disks, dir, name);
			disks_add_replica(ev->u.disks, (int32_t)roll(PARTS), roll(5) == 0, roll(3), 0);
		}
	}
	disks_finish(ev->u.disks);
	return ev;
}

static struct event *some_event(uint32_t epoch, int64_t at)
{
	char path[64];
	struct conn_info info = { .state = (uint8_t)roll(4), .latency = -1 };

	switch (roll(16)) {
	case 0:
		return list_event("/brokers/ids", "", BROKERS, epoch, at);
	case 1:
		return list_event("/brokers/topics", "t", TOPICS, epoch, at);
	case 2:
		return list_event("/admin/delete_topics", "t", TOPICS, epoch, at);
	case 3:
		return list_event("/config/topics", "t", TOPICS, epoch, at);
	case 4:
		str_printf(path, sizeof(path), "/config/topics/t%u", roll(TOPICS));
		return data_event(path, roll(2) ? "{\"version\":1,\"config\":{\"min.insync.replicas\":\"2\"}}" : "{\"version\":1,\"config\":{}}", epoch, at);
	case 5:
		str_printf(path, sizeof(path), "/brokers/ids/%u", roll(BROKERS));
		return data_event(path, "{\"version\":4,\"host\":\"h\",\"port\":1,\"jmx_port\":-1,\"endpoints\":[\"PLAINTEXT://h:1\"],\"timestamp\":\"1\"}", epoch, at);
	case 6:
		return event_conn(epoch, (mono_ms){ at }, (wall_ms){ at }, &info);
	case 7:
		return event_new(EV_LOADED, epoch, (mono_ms){ at }, (wall_ms){ at });
	case 8:
	case 9:
		return topic_event(epoch, at);
	case 10:
	case 11:
		str_printf(path, sizeof(path), "/admin/delete_topics/t%u", roll(TOPICS));
		return data_event(path, "", epoch, at);
	case 12:
		return some_disks(at);
	case 13:
		return data_event(roll(2) ? "/controller_epoch" : "/controller", roll(2) ? "7" : "{\"version\":1,\"brokerid\":1}", epoch, at);
	default:
		return state_event(epoch, at);
	}
}

static void check_brokers(const struct cluster *cl)
{
	for (size_t b = 0; b < cl->n_brokers; b++) {
		const struct broker *br = cl->brokers[b];
		uint32_t leaders = 0, replicas = 0, under = 0;

		if (b > 0)
			assert_true(cl->brokers[b - 1]->id < br->id);
		for (size_t i = 0; i < cl->n_topics; i++)
			for (size_t j = 0; j < cl->topics[i]->n_parts; j++) {
				const struct partition *pt = &cl->topics[i]->parts[j];

				leaders += (pt->flags & PT_KNOWN) && pt->leader == br->id;
				for (size_t k = 0; k < pt->n_replicas; k++) {
					if (pt->ids[k] != br->id)
						continue;
					replicas++;
					under += !cl->topics[i]->deleting && (pt->flags & PT_KNOWN) && !ids_has(pt->isr, pt->n_isr, br->id) &&
						!ids_has(partition_adding(pt), pt->n_adding, br->id);
				}
			}
		assert_int_equal(br->leaders, leaders);
		assert_int_equal(br->replicas, replicas);
		assert_int_equal(br->under_followers, under);
	}
}

static void check_witness(const struct witness *wi)
{
	for (size_t i = 1; i < wi->n_replicas; i++)
		assert_true(wi->replicas[i - 1].partition <= wi->replicas[i].partition);
	for (size_t i = 0; i < wi->n_replicas; i++)
		assert_ptr_equal(witness_replica_find(wi, wi->replicas[i].partition, wi->replicas[i].broker) == NULL, false);
	for (size_t i = 1; i < wi->n_attempts; i++) {
		assert_true(wi->attempts[i - 1].at.ms <= wi->attempts[i].at.ms);
		assert_true(wi->attempts[i - 1].rested.ms != 0);
	}
	assert_true(wi->n_attempts <= WITNESS_ATTEMPTS_MAX);
	assert_int_equal(wi->end == WITNESS_OPEN, wi->ended.ms == 0);
}

/* One that is open for each marker, and for nothing else that is known to be without. */
static void check_witnesses(const struct cluster *cl)
{
	for (size_t i = 0; i < cl->n_witnesses; i++) {
		const struct witness *wi = cl->witnesses[i];

		if (i > 0) {
			int by = topic_name_cmp(cl->witnesses[i - 1]->topic, wi->topic);

			assert_true(by < 0 || (by == 0 && cl->witnesses[i - 1]->czxid < wi->czxid));
		}
		check_witness(wi);
	}
	for (size_t i = 0; i < cl->markers.n; i++)
		assert_int_equal(cluster_witness_find(cl, cl->markers.v[i])->end, WITNESS_OPEN);
}

static void check(const struct model *md)
{
	const struct cluster *cl = model_cluster(md);
	struct changes ch = model_changes(md);
	struct topic_counts totals = { { 0 } };
	size_t parts = 0, replicas = 0, read = 0;

	for (size_t i = 0; i < cl->n_topics; i++) {
		const struct topic *tp = cl->topics[i];
		struct topic_counts c = { { 0 } };

		if (i > 0)
			assert_true(topic_name_cmp(cl->topics[i - 1]->name, tp->name) < 0);
		assert_ptr_equal(cluster_topic_find(cl, tp->name), tp);
		for (size_t j = 0; j < tp->n_parts; j++) {
			const struct partition *pt = &tp->parts[j];

			assert_int_equal(pt->flags, health_partition(cl, tp, pt));
			assert_int_equal((pt->flags & PT_UNDER) != 0, pt->under_since.at.ms != 0);
			assert_int_equal((pt->flags & PT_OFFLINE) != 0, pt->offline_since.at.ms != 0);
			assert_int_equal((pt->flags & PT_UNDER_MIN) != 0, pt->under_min_since.at.ms != 0);
			for (unsigned k = 0; k < PT_FLAGS; k++)
				if (pt->flags & (1u << k))
					c.by_flag[k]++;
			replicas += pt->n_replicas;
		}
		parts += tp->n_parts;
		for (unsigned k = 0; k < PT_FLAGS; k++)
			totals.by_flag[k] += c.by_flag[k];
		assert_memory_equal(&c, &tp->counts, sizeof(c));
		read += tp->node.know == KNOW_PRESENT;
		(void)health_topic_word(health_topic(tp));
	}
	assert_memory_equal(&totals, &cl->totals, sizeof(totals));
	assert_int_equal(cl->n_partitions, parts);
	assert_int_equal(cl->n_replicas, replicas);
	assert_int_equal(cl->n_topics_read, read);
	for (size_t i = 0; i < ch.n_topics; i++)
		assert_ptr_equal(cluster_topic_find(cl, ch.topics[i]->name), ch.topics[i]);
	check_brokers(cl);
	check_witnesses(cl);
}

static void any_events_in_any_order_leave_counts_equal_to_a_recount(void **state)
{
	struct model *md = model_new();
	const char *seed = getenv("KAFOPS_SEED");
	uint32_t epoch = 1;

	rng = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL) * 2654435761u + 1;
	print_message("# KAFOPS_SEED=%" PRIu64 "\n", rng);
	for (int64_t at = 1; at < STEPS; at++) {
		if (roll(200) == 0)
			epoch++;
		model_apply(md, some_event(epoch - (epoch > 1 && roll(20) == 0), at));
		if (roll(10) == 0)
			model_changes_clear(md);
		check(md);
		if (roll(1500) == 0)
			model_reset(md);
	}
	model_free(&md);
}

static void a_state_event_changes_its_topic_alone(void **state)
{
	struct model *md = model_new();
	const char *names[] = { "a", "b" };
	char path[96];

	model_apply(md, event_from_children("/brokers/topics", ZNODE_OK, NULL, names, 2, NULL, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	model_apply(md, event_from_znode("/brokers/topics/a", ZNODE_OK, NULL, "{\"partitions\":{\"0\":[1],\"1\":[1]}}", 34, NULL, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	model_changes_clear(md);
	str_printf(path, sizeof(path), "/brokers/topics/a/partitions/1/state");
	model_apply(md, event_from_znode(path, ZNODE_ABSENT, NULL, NULL, 0, NULL, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	assert_int_equal(model_changes(md).n_topics, 1);
	assert_string_equal(model_changes(md).topics[0]->name, "a");
	model_free(&md);
}

/* Topics a, b and on, each of so many partitions, all on broker 1. */
static struct event *metadata_of(uint32_t topics, uint32_t partitions)
{
	static const int32_t one[] = { 1 };
	struct event *ev = event_of_broker(EV_METADATA, 1, NULL, (mono_ms){ 1 }, (wall_ms){ 1 });
	struct metadata_answer *ma = ev->u.metadata = mem_zalloc(sizeof(*ma));
	struct metadata *md = &ma->md;

	ma->arena = arena_new(0);
	ma->is_all = true;
	*md = (struct metadata){ .controller = 1, .n_brokers = 1, .n_topics = topics, .n_partitions = topics * partitions };
	md->brokers = arena_alloc(ma->arena, sizeof(*md->brokers));
	md->brokers[0] = (struct md_broker){ .id = 1, .port = 9092, .host = "kafka1.example" };
	md->topics = arena_alloc(ma->arena, topics * sizeof(*md->topics));
	md->partitions = arena_alloc(ma->arena, md->n_partitions * sizeof(*md->partitions));
	for (uint32_t i = 0; i < md->n_partitions; i++)
		md->partitions[i] = (struct md_partition){ .partition = (int32_t)(i % partitions), .leader = 1, .leader_epoch = 0,
			.replicas = one, .isr = one, .n_replicas = 1, .n_isr = 1 };
	for (uint32_t i = 0; i < topics; i++)
		md->topics[i] = (struct md_topic){ .name = arena_printf(ma->arena, "%c", (int)('a' + i)), .partitions = md->partitions + (size_t)i * partitions,
			.n_partitions = partitions };
	return ev;
}

static struct event *disks_of(int16_t error)
{
	struct event *ev = event_of_broker(EV_DISKS, 1, NULL, (mono_ms){ 1 }, (wall_ms){ 1 });

	ev->u.disks = disks_new();
	disks_add_dir(ev->u.disks, "/d1", 0, -1, -1);
	disks_add_dir(ev->u.disks, "/d2", error, -1, -1);
	disks_finish(ev->u.disks);
	return ev;
}

static void a_size_is_not_whole_while_a_dir_could_not_be_read_for_any_reason(void **state)
{
	struct model *md = model_new();
	const struct cluster *cl = model_cluster(md);

	model_apply(md, metadata_of(1, 1));
	for (int i = 0; i < 3; i++) {
		int16_t error = (int16_t[]){ 0, 56, -1 }[i]; /* KAFKA_STORAGE_ERROR, UNKNOWN_SERVER_ERROR */

		model_apply(md, disks_of(error));
		assert_int_equal(cluster_size_is_whole(cl, cl->topics[0]), error == 0);
	}
	model_free(&md);
}

static void brokers_whose_ids_none_can_have_are_left_out(void **state)
{
	struct model *md = model_new();
	const struct cluster *cl = model_cluster(md);
	struct event *ev = metadata_of(1, 1);
	struct metadata *says = &ev->u.metadata->md;

	says->n_brokers = 3;
	says->brokers = arena_alloc(ev->u.metadata->arena, 3 * sizeof(*says->brokers));
	for (int32_t i = 0; i < 3; i++)
		says->brokers[i] = (struct md_broker){ .id = (int32_t[]){ -1, 1, INT32_MIN }[i], .port = 9092, .host = "kafka1.example" };
	model_apply(md, ev);
	assert_int_equal(cl->n_brokers, 1);
	assert_int_equal(cl->brokers[0]->id, 1);
	model_free(&md);
}

static void a_large_answer_is_taken_in_parts_and_all_of_it(void **state)
{
	struct model *md = model_new();
	const struct cluster *cl = model_cluster(md);
	struct event *ev = metadata_of(20, 1000);
	size_t parts = 1, before = 0;

	while (!model_apply_part(md, &ev)) {
		assert_true(cl->n_partitions > before && cl->n_partitions - before <= 3000);
		assert_int_equal(cl->metadata_fact.know, KNOW_UNKNOWN); /* not before all is told */
		before = cl->n_partitions;
		parts++;
	}
	assert_null(ev);
	assert_true(parts > 5);
	assert_int_equal(cl->n_partitions, 20000);
	assert_int_equal(cl->metadata_fact.know, KNOW_PRESENT);
	model_apply(md, metadata_of(2, 1000));
	assert_int_equal(cl->n_topics, 2);
	model_free(&md);
}

static void an_answer_that_is_left_in_part_can_be_freed(void **state)
{
	struct model *md = model_new();
	struct event *ev = metadata_of(20, 1000);

	assert_false(model_apply_part(md, &ev));
	event_free(&ev);
	model_free(&md);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_is_not_whole_while_a_dir_could_not_be_read_for_any_reason),
		cmocka_unit_test(brokers_whose_ids_none_can_have_are_left_out),
		cmocka_unit_test(a_large_answer_is_taken_in_parts_and_all_of_it),
		cmocka_unit_test(an_answer_that_is_left_in_part_can_be_freed),
		cmocka_unit_test(any_events_in_any_order_leave_counts_equal_to_a_recount),
		cmocka_unit_test(a_state_event_changes_its_topic_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
