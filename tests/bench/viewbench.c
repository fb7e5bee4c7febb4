/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the topics view, a broker's view and those of log dirs cost: a rebuild of many topics, an update of
 * a few changed ones, a screenful of rows; then again with all sizes known;
 * and the list of disagreements. Prints a line a figure: name TAB value TAB unit.
 *
 *   viewbench [TOPICS [PARTITIONS]]      default 30000 topics of 6 partitions
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"
#include "core/model.h"
#include "core/truths.h"
#include "view/vm_broker.h"
#include "view/vm_dir.h"
#include "view/vm_dirs.h"
#include "view/topic_row.h"
#include "view/vm_topics.h"

enum { ROUNDS = 20, CHANGED = 20, SCREEN = 50, DIR_BROKERS = 300, DIRS = 12, DIR_REPLICAS = 20000 };

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

static void bench_screen(struct vm_topics *vm, const char *name)
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
	report(name, ms);
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

/* ---- log dirs ------------------------------------------------------------------ */

static void apply_disks(struct model *md, int32_t broker, struct disks *ds)
{
	struct event *ev = event_of_broker(EV_DISKS, broker, NULL, (mono_ms){ 2 }, bench_now);

	disks_finish(ds);
	ev->u.disks = ds;
	model_apply(md, ev);
}

static void link_up(struct model *md, int32_t broker)
{
	struct link_info info = { .state = LINK_UP };

	model_apply(md, event_link(broker, &info, (mono_ms){ 2 }, bench_now));
}

/* All that the assignment puts on a broker, in two dirs. */
static void tell_assigned(struct model *md, int32_t broker, size_t topics, size_t partitions)
{
	struct disks *ds = disks_new();
	char name[64];

	for (size_t d = 0; d < 2; d++) {
		int dir = disks_add_dir(ds, d ? "/data/d2/kafka" : "/data/d1/kafka", 0, -1, -1);

		for (size_t i = d; i < topics; i += 2) {
			str_printf(name, sizeof(name), "team%02zu.stream-of-things.v%zu", i % 97, i);
			disks_add_topic(ds, dir, name);
			for (size_t p = 0; p < partitions; p++)
				disks_add_replica(ds, (int32_t)p, false, (int64_t)(i * 7919 + p), 0);
		}
	}
	link_up(md, broker);
	apply_disks(md, broker, ds);
}

/* Many brokers with many dirs, the first of them with many replicas. */
static void tell_many(struct model *md)
{
	for (int32_t b = 1; b <= DIR_BROKERS; b++) {
		struct disks *ds = disks_new();
		char path[64];

		for (int d = 0; d < DIRS; d++) {
			int dir;

			str_printf(path, sizeof(path), "/data/disk%02d/kafka-logs", d);
			dir = disks_add_dir(ds, path, 0, INT64_C(1) << 42, (int64_t)(b * 7919 % 997) << 32);
			disks_add_topic(ds, dir, "some-topic");
			for (int32_t p = 0; p < (b == 1 && d == 0 ? DIR_REPLICAS : 5); p++)
				disks_add_replica(ds, p + d * DIR_REPLICAS, false, (int64_t)p * 104729 % 1000003, 0);
		}
		link_up(md, b);
		apply_disks(md, b, ds);
	}
}

static void print_rows(const struct table *tb)
{
	struct strbuf out;

	strbuf_init(&out);
	table_print(tb, 160, 0, SCREEN, false, &out);
	strbuf_fini(&out);
}

static void bench_dirs(const struct query *qu)
{
	struct model *md = model_new();
	struct vm_dirs *vm = vm_dirs_new(model_cluster(md));
	struct vm_dir *one = vm_dir_new(model_cluster(md), 1, "/data/disk00/kafka-logs");
	double built[ROUNDS], screen[ROUNDS], opened[ROUNDS], rows[ROUNDS];

	tell_many(md);
	for (size_t i = 0; i < ROUNDS; i++) {
		double begun = now_ms();

		vm_dirs_update(vm, NULL, qu, bench_now);
		built[i] = now_ms() - begun;
		begun = now_ms();
		print_rows(vm_dirs_table(vm));
		screen[i] = now_ms() - begun;
		begun = now_ms();
		vm_dir_update(one, NULL, qu, bench_now);
		opened[i] = now_ms() - begun;
		begun = now_ms();
		print_rows(vm_dir_table(one));
		rows[i] = now_ms() - begun;
	}
	printf("view.dirs.count\t%zu\tdirs\n", vm_dirs_table(vm)->n_rows);
	report("view.dirs.rebuild", built);
	report("view.dirs.screen_of_50", screen);
	printf("view.dir.count\t%zu\treplicas\n", vm_dir_table(one)->n_rows);
	report("view.dir.rebuild", opened);
	report("view.dir.screen_of_50", rows);
	vm_dir_free(&one);
	vm_dirs_free(&vm);
	model_free(&md);
}

/* ---- two truths, where nothing is wrong ---------------------------------------------------- */

static void begin_session(struct model *md)
{
	struct conn_info up = { .state = CONN_UP, .latency = -1 };
	static const char *const ids[] = { "1", "2", "3" };

	model_apply(md, event_conn(1, (mono_ms){ 1 }, bench_now, &up));
	model_apply(md, event_from_children("/brokers/ids", ZNODE_OK, NULL, ids, 3, NULL, 1, (mono_ms){ 1 }, bench_now));
	model_apply(md, event_from_children("/admin/delete_topics", ZNODE_OK, NULL, NULL, 0, NULL, 1, (mono_ms){ 1 }, bench_now));
	model_apply(md, event_new(EV_LOADED, 1, (mono_ms){ 1 }, bench_now));
}

/* With log dirs told. */
static void bench_truths(struct model *md, size_t topics)
{
	struct truths *tr = truths_new();
	struct changes log_dirs = { .bits = CHG_DISKS | CHG_BROKERS };
	double all[ROUNDS], changed[ROUNDS], disks[ROUNDS];

	begin_session(md);
	for (size_t i = 0; i < ROUNDS; i++) {
		struct changes ch;
		double begun = now_ms();

		truths_update(tr, model_cluster(md), NULL, (mono_ms){ (int64_t)i }, bench_now);
		all[i] = now_ms() - begun;
		model_changes_clear(md);
		for (size_t k = 0; k < CHANGED; k++)
			set_state(md, (i * 7919 + k * 104729) % topics, 0, (i + k) % 2 == 0);
		ch = model_changes(md);
		begun = now_ms();
		truths_update(tr, model_cluster(md), &ch, (mono_ms){ (int64_t)i }, bench_now);
		changed[i] = now_ms() - begun;
		begun = now_ms();
		truths_update(tr, model_cluster(md), &log_dirs, (mono_ms){ (int64_t)i }, bench_now);
		disks[i] = now_ms() - begun;
	}
	model_changes_clear(md);
	report("core.truths.all", all);
	report("core.truths.update_of_20", changed);
	report("core.truths.log_dirs", disks);
	printf("core.truths.found\t%zu\ttruths\n", truths_count(tr));
	truths_free(&tr);
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
	struct query worst = query_of("", -1), by_leaders = query_of("", TOPIC_COL_LEADERS), filtered = query_of("things v1", -1),
		by_size = query_of("", TOPIC_COL_SIZE);

	list_topics(md, topics);
	for (size_t i = 0; i < topics; i++)
		add_topic(md, i, partitions);
	printf("view.topics.count\t%zu\ttopics\n", topics);
	bench_rebuild(vm, &worst, "view.topics.rebuild");
	bench_update(md, vm, &worst, topics, "view.topics.update_of_20");
	bench_screen(vm, "view.topics.screen_of_50");
	bench_rebuild(vm, &by_leaders, "view.topics.rebuild_by_leaders");
	bench_update(md, vm, &by_leaders, topics, "view.topics.update_of_20_by_leaders");
	bench_rebuild(vm, &filtered, "view.topics.rebuild_filtered");
	bench_update(md, vm, &filtered, topics, "view.topics.update_of_20_filtered");
	bench_broker(md, &worst, topics);
	for (int32_t b = 1; b <= 3; b++)
		tell_assigned(md, b, topics, partitions);
	bench_screen(vm, "view.topics.screen_of_50_sized");
	bench_rebuild(vm, &by_size, "view.topics.rebuild_by_size");
	bench_update(md, vm, &by_size, topics, "view.topics.update_of_20_by_size");
	bench_truths(md, topics);
	bench_dirs(&worst);
	vm_topics_free(&vm);
	model_free(&md);
	return 0;
}
