/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs to infer why deletions don't go on: 500 queued topics with 30,000 replicas on 60 brokers, of which one is down; all of them
 * (first, and again), and after one broker's answer. Prints a line a figure: name TAB value TAB unit; the best of ROUNDS, in processor time
 * (it waits for nothing).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/deletion.h"

enum { TOPICS = 500, PARTS = 20, BROKERS = 60, ROUNDS = 15, DOWN = 7 };

static const int64_t begun = INT64_C(1700000000000);

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void put_znode(struct model *md, const char *path, const char *data, int64_t czxid, int64_t at)
{
	struct znode_stat stat;

	memset(&stat, 0, sizeof(stat));
	stat.czxid = czxid;
	stat.ctime = stat.mtime = (wall_ms){ begun + at };
	stat.ephemeral_owner = 1;
	model_apply(md, event_from_znode(path, ZNODE_OK, NULL, data, strlen(data), &stat, 1, (mono_ms){ 1 + at }, (wall_ms){ begun + at }));
}

static void put_list(struct model *md, const char *path, const char *prefix, int first, int n, int without, int64_t at)
{
	char (*names)[64] = mem_array((size_t)n, sizeof(*names));
	const char **v = mem_array((size_t)n, sizeof(*v));
	size_t m = 0;

	for (int i = first; i < first + n; i++)
		if (i != without) {
			str_printf(names[m], sizeof(names[m]), "%s%d", prefix, i);
			v[m] = names[m];
			m++;
		}
	model_apply(md, event_from_children(path, ZNODE_OK, NULL, v, m, NULL, 1, (mono_ms){ 1 + at }, (wall_ms){ begun + at }));
	mem_free(&v);
	mem_free(&names);
}

static int host_of(int topic, int part, int r)
{
	return 1 + (topic * 7 + part * 3 + r * 11) % BROKERS;
}

static void put_topic(struct model *md, int topic)
{
	struct strbuf data;
	char path[128];

	strbuf_init(&data);
	strbuf_put(&data, "{\"version\":2,\"partitions\":{");
	for (int p = 0; p < PARTS; p++)
		strbuf_printf(&data, "%s\"%d\":[%d,%d,%d]", p ? "," : "", p, host_of(topic, p, 0), host_of(topic, p, 1), host_of(topic, p, 2));
	strbuf_put(&data, "}}");
	str_printf(path, sizeof(path), "/brokers/topics/team.stream-of-things.v%d", topic);
	put_znode(md, path, data.s, 100 + topic, 0);
	strbuf_fini(&data);
}

static void put_states(struct model *md, int topic, int leader, int64_t at)
{
	char path[160], data[160];

	for (int p = 0; p < PARTS; p++) {
		str_printf(path, sizeof(path), "/brokers/topics/team.stream-of-things.v%d/partitions/%d/state", topic, p);
		str_printf(data, sizeof(data), "{\"controller_epoch\":3,\"leader\":%d,\"version\":1,\"leader_epoch\":1,\"isr\":[%d]}",
			leader < 0 ? -1 : host_of(topic, p, 0), host_of(topic, p, 0));
		put_znode(md, path, data, 1, at);
	}
}

static void tell_disks(struct model *md, int broker, bool is_whole, int64_t at)
{
	struct event *ev = event_of_broker(EV_DISKS, broker, NULL, (mono_ms){ 1 + at }, (wall_ms){ begun + at });
	struct disks *ds = disks_new();
	char name[64];
	int dir = disks_add_dir(ds, "/data/kafka-logs-1", 0, -1, -1);

	for (int t = 0; t < TOPICS; t++) {
		bool is_named = false;

		for (int p = 0; p < PARTS; p++)
			for (int r = 0; r < 3; r++) {
				if (host_of(t, p, r) != broker || (!is_whole && t % 2 == 0))
					continue;
				str_printf(name, sizeof(name), "team.stream-of-things.v%d", t);
				if (!is_named)
					disks_add_topic(ds, dir, name);
				is_named = true;
				disks_add_replica(ds, p, false, 1000000, 0);
			}
	}
	disks_finish(ds);
	ev->u.disks = ds;
	model_apply(md, ev);
}

static void put_broker(struct model *md, int id)
{
	char path[64], data[256];

	str_printf(path, sizeof(path), "/brokers/ids/%d", id);
	str_printf(data, sizeof(data), "{\"listener_security_protocol_map\":{\"P\":\"PLAINTEXT\"},\"endpoints\":[\"P://kafka%02d.example:9092\"],"
		"\"jmx_port\":-1,\"port\":9092,\"host\":\"h\",\"version\":4,\"timestamp\":\"1\"}", id);
	put_znode(md, path, data, id, 0);
}

static void put_marker(struct model *md, int topic, int64_t at)
{
	char path[128];

	str_printf(path, sizeof(path), "/admin/delete_topics/team.stream-of-things.v%d", topic);
	put_znode(md, path, "", 5000 + topic, at);
}

/* All topics marked and passed; half of them gone from the brokers that are up, the rest listed; one broker down since before. */
static void fill(struct model *md)
{
	struct conn_info conn = { .state = CONN_UP };

	model_apply(md, event_conn(1, (mono_ms){ 1 }, (wall_ms){ begun }, &conn));
	put_list(md, "/brokers/ids", "", 1, BROKERS, -1, 0);
	put_list(md, "/brokers/topics", "team.stream-of-things.v", 0, TOPICS, -1, 0);
	put_list(md, "/admin/delete_topics", "none", 0, 0 + 1, 0, 0);
	put_znode(md, "/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}", 1, 0);
	put_znode(md, "/controller_epoch", "3", 1, 0);
	for (int b = 1; b <= BROKERS; b++)
		put_broker(md, b);
	for (int t = 0; t < TOPICS; t++) {
		put_topic(md, t);
		put_states(md, t, 0, 0);
	}
	for (int b = 1; b <= BROKERS; b++)
		tell_disks(md, b, true, 1000);
	model_apply(md, event_new(EV_LOADED, 1, (mono_ms){ 1001 }, (wall_ms){ begun + 1000 }));
	put_list(md, "/brokers/ids", "", 1, BROKERS, DOWN, 2000);
	put_list(md, "/admin/delete_topics", "team.stream-of-things.v", 0, TOPICS, -1, 3000);
	for (int t = 0; t < TOPICS; t++) {
		put_marker(md, t, 3000);
		put_states(md, t, -1, 4000);
	}
	for (int b = 1; b <= BROKERS; b++)
		if (b != DOWN)
			tell_disks(md, b, false, 60000);
}

static void figure(const char *name, double ms)
{
	printf("%s\t%.3f\tms\n", name, ms);
}

static double best_of(double best, double ms)
{
	return best < 0 || ms < best ? ms : best;
}

static size_t waiting(const struct deletions *ds)
{
	size_t n = 0;

	for (size_t i = 0; i < deletions_count(ds); i++)
		n += deletions_at(ds, i)->state == DELETION_WAITING;
	return n;
}

int main(void)
{
	struct model *md = model_new();
	mono_ms mono = { 100001 };
	wall_ms now = { begun + 100000 };
	double first = -1, again = -1, one = -1;
	size_t n_waiting = 0;

	fill(md);
	for (int i = 0; i < ROUNDS; i++) {
		struct deletions *ds = deletions_new();
		struct changes ch;
		double at = now_ms();

		deletions_update(ds, model_cluster(md), NULL, mono, now);
		first = best_of(first, now_ms() - at);
		at = now_ms();
		deletions_update(ds, model_cluster(md), NULL, mono, now);
		again = best_of(again, now_ms() - at);
		model_changes_clear(md);
		tell_disks(md, 9, false, 90000 + i);
		ch = model_changes(md);
		at = now_ms();
		deletions_update(ds, model_cluster(md), &ch, mono, now);
		one = best_of(one, now_ms() - at);
		n_waiting = waiting(ds);
		deletions_free(&ds);
	}
	figure("deletions.first", first);
	figure("deletions.again", again);
	figure("deletions.one-broker", one);
	model_free(&md);
	if (n_waiting != TOPICS) {
		fprintf(stderr, "%zu of %d wait\n", n_waiting, TOPICS);
		return 1;
	}
	return 0;
}
