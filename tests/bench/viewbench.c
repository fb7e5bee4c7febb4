/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the topics view and a broker's view cost: a rebuild of many topics, an update of
 * a few changed ones, a screenful of rows. Prints a line a figure: name TAB value TAB unit.
 *
 *   viewbench [TOPICS [PARTITIONS]]      default 30000 topics of 6 partitions
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/model.h"
#include "view/vm_broker.h"
#include "view/vm_topics.h"

enum { ROUNDS = 20, CHANGED = 20, SCREEN = 50 };

static const wall_ms bench_now = { INT64_C(1700000000000) };

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void put_znode(struct model *md, const char *path, const char *data)
{
	struct znode_stat stat;

	memset(&stat, 0, sizeof(stat));
	stat.czxid = 1;
	stat.ctime = stat.mtime = bench_now;
	model_apply(md, event_from_znode(path, ZNODE_OK, NULL, data, strlen(data), &stat, 1, (mono_ms){ 1 }, bench_now));
}

static void set_state(struct model *md, size_t topic, size_t partition, bool is_well)
{
	char path[256], data[256];

	str_printf(path, sizeof(path), "/brokers/topics/team%02zu.stream-of-things.v%zu/partitions/%zu/state", topic % 97, topic, partition);
	str_printf(data, sizeof(data), "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[%s]}", is_well ? "1,2,3" : "1,2");
	put_znode(md, path, data);
}

static void add_topic(struct model *md, size_t topic, size_t partitions)
{
	struct strbuf data;
	char path[256];

	strbuf_init(&data);
	strbuf_put(&data, "{\"version\":2,\"partitions\":{");
	for (size_t p = 0; p < partitions; p++)
		strbuf_printf(&data, "%s\"%zu\":[1,2,3]", p ? "," : "", p);
	strbuf_put(&data, "},\"adding_replicas\":{},\"removing_replicas\":{}}");
	str_printf(path, sizeof(path), "/brokers/topics/team%02zu.stream-of-things.v%zu", topic % 97, topic);
	put_znode(md, path, data.s);
	for (size_t p = 0; p < partitions; p++)
		set_state(md, topic, p, topic % 50 != 0);
	strbuf_fini(&data);
}

static void list_topics(struct model *md, size_t topics)
{
	char (*names)[64] = mem_array(topics, sizeof(*names));
	const char **v = mem_array(topics, sizeof(*v));

	for (size_t i = 0; i < topics; i++) {
		str_printf(names[i], sizeof(names[i]), "team%02zu.stream-of-things.v%zu", i % 97, i);
		v[i] = names[i];
	}
	model_apply(md, event_from_children("/brokers/topics", ZNODE_OK, NULL, v, topics, NULL, 1, (mono_ms){ 1 }, bench_now));
	mem_free(&v);
	mem_free(&names);
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median of the rounds. */
static void report(const char *name, double *ms)
{
	qsort(ms, ROUNDS, sizeof(*ms), cmp_double);
	printf("%s\t%.3f\tms\n", name, ms[ROUNDS / 2]);
}

static void bench_rebuild(struct vm_topics *vm, const struct query *qu, const char *name)
{
	double ms[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		double begun = now_ms();

		vm_topics_update(vm, NULL, qu, bench_now);
		ms[i] = now_ms() - begun;
	}
	report(name, ms);
}

static void bench_update(struct model *md, struct vm_topics *vm, const struct query *qu, size_t topics, const char *name)
{
	double ms[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		struct changes ch;
		double begun;

		model_changes_clear(md);
		for (size_t k = 0; k < CHANGED; k++)
			set_state(md, (i * 7919 + k * 104729) % topics, 0, (i + k) % 2 == 0);
		ch = model_changes(md);
		begun = now_ms();
		vm_topics_update(vm, &ch, qu, bench_now);
		ms[i] = now_ms() - begun;
	}
	model_changes_clear(md);
	report(name, ms);
}

static void bench_screen(struct vm_topics *vm)
{
	double ms[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		struct strbuf out;
		double begun = now_ms();

		strbuf_init(&out);
		table_print(vm_topics_table(vm), 160, i * SCREEN, SCREEN, false, &out);
		strbuf_fini(&out);
		ms[i] = now_ms() - begun;
	}
	report("view.topics.screen_of_50", ms);
}

/* A broker that holds a replica of everything: built; a few topics changed; the answer to a probe, which changes nothing. */
static void bench_broker(struct model *md, const struct query *qu, size_t topics)
{
	struct vm_broker *vm = vm_broker_new(model_cluster(md), 1);
	struct changes probe = { .bits = CHG_CONN };
	double built[ROUNDS], changed[ROUNDS], probed[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		struct changes ch;
		double begun = now_ms();

		vm_broker_update(vm, NULL, qu, bench_now);
		built[i] = now_ms() - begun;
		model_changes_clear(md);
		for (size_t k = 0; k < CHANGED; k++)
			set_state(md, (i * 7919 + k * 104729) % topics, 0, (i + k) % 2 == 0);
		ch = model_changes(md);
		begun = now_ms();
		vm_broker_update(vm, &ch, qu, bench_now);
		changed[i] = now_ms() - begun;
		begun = now_ms();
		vm_broker_update(vm, &probe, qu, bench_now);
		probed[i] = now_ms() - begun;
	}
	model_changes_clear(md);
	report("view.broker.rebuild", built);
	report("view.broker.update_of_20", changed);
	report("view.broker.probe", probed);
	vm_broker_free(&vm);
}

static struct query query_of(const char *text, int col)
{
	struct query qu;
	struct err err;

	err_init(&err);
	query_init(&qu);
	if (!query_set_text(&qu, text, &err))
		fprintf(stderr, "%s\n", err.text);
	query_sort_by(&qu, col, col >= 0);
	return qu;
}

static size_t argument(int argc, char **argv, int i, size_t otherwise)
{
	int64_t n;

	return argc > i && str_to_i64(argv[i], 1, 1000000, &n) ? (size_t)n : otherwise;
}

int main(int argc, char **argv)
{
	size_t topics = argument(argc, argv, 1, 30000), partitions = argument(argc, argv, 2, 6);
	struct model *md = model_new();
	struct vm_topics *vm = vm_topics_new(model_cluster(md));
	struct query worst = query_of("", -1), by_leaders = query_of("", 8), filtered = query_of("things v1", -1);

	list_topics(md, topics);
	for (size_t i = 0; i < topics; i++)
		add_topic(md, i, partitions);
	printf("view.topics.count\t%zu\ttopics\n", topics);
	bench_rebuild(vm, &worst, "view.topics.rebuild");
	bench_update(md, vm, &worst, topics, "view.topics.update_of_20");
	bench_screen(vm);
	bench_rebuild(vm, &by_leaders, "view.topics.rebuild_by_leaders");
	bench_update(md, vm, &by_leaders, topics, "view.topics.update_of_20_by_leaders");
	bench_rebuild(vm, &filtered, "view.topics.rebuild_filtered");
	bench_update(md, vm, &filtered, topics, "view.topics.update_of_20_filtered");
	bench_broker(md, &worst, topics);
	vm_topics_free(&vm);
	model_free(&md);
	return 0;
}
