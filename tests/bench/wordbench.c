/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the brokers' word costs in a large cluster, after it has come: decoding on the kafka thread (io/kanswer), and on
 * the UI thread the model's turn, which keeps keys waiting. Prints a line a figure: name TAB value TAB unit. Times are of the
 * processor.
 *
 *   metadata.decode     bytes to an event
 *   metadata.first      the longest the model is held by the first answer, of a cluster of which ZooKeeper has said nothing
 *   metadata.again      the same answer again
 *   metadata.beside     and where ZooKeeper has said it all
 *   disks.decode, disks.first, disks.again (1 % of the sizes changed)  the same of DescribeLogDirs of one broker that holds a replica of each
 *   settings.other, settings.again  the settings of one broker, with another min.insync.replicas, and with the same
 *
 *   wordbench [TOPICS [PARTITIONS]]      default 4000 topics of 50 partitions, on 3 brokers
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "core/model.h"
#include "io/kanswer.h"
#include "tests/bench/answers.h"
#include "wire/header.h"

enum { ROUNDS = 9 };

static const wall_ms bench_now = { INT64_C(1700000000000) };

/* Processor time: with others on the machine the longest of many parts would be the longest wait for a processor. */
static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
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

static struct event *decode(const struct wire_writer *wr, enum wire_api api, int16_t version, int32_t broker, double *took)
{
	double begun = now_ms();
	struct wire_reader rd;
	struct kanswer an = { .api = api, .version = version, .broker = broker, .is_all = true, .rd = &rd, .seen = { 2 }, .seen_wall = bench_now };
	struct event *ev = NULL;
	struct err err;

	err_init(&err);
	if (wire_response_begin(&rd, wr->data, wr->n, api, version, 0, &err))
		ev = kanswer_event(&an, &err);
	if (ev == NULL || ev->know != KNOW_PRESENT) {
		fprintf(stderr, "wordbench: %s\n", ev != NULL ? ev->why : err.text);
		exit(EXIT_FAILURE);
	}
	*took = now_ms() - begun;
	return ev;
}

/* The longest that a part of the answer holds the model. */
static double apply(struct model *md, struct event *ev)
{
	double longest = 0, begun, took;
	bool is_all;

	do {
		begun = now_ms();
		is_all = model_apply_part(md, &ev);
		took = now_ms() - begun;
		longest = took > longest ? took : longest;
	} while (!is_all);
	model_changes_clear(md);
	return longest;
}

/* ---- what ZooKeeper says ------------------------------------------------------------------ */

static void put_znode(struct model *md, const char *path, const char *data)
{
	struct znode_stat stat;

	memset(&stat, 0, sizeof(stat));
	stat.czxid = 1;
	stat.ctime = stat.mtime = bench_now;
	model_apply(md, event_from_znode(path, ZNODE_OK, NULL, data, strlen(data), &stat, 1, (mono_ms){ 1 }, bench_now));
}

static void add_topic(struct model *md, const struct answers *an, int64_t t)
{
	char path[256], data[256];
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "{\"version\":2,\"partitions\":{");
	for (int64_t p = 0; p < an->partitions; p++)
		strbuf_printf(&sb, "%s\"%lld\":[%lld,%lld,%lld]", p ? "," : "", (long long)p, (long long)(1 + (t + p) % 3),
			      (long long)(1 + (t + p + 1) % 3), (long long)(1 + (t + p + 2) % 3));
	strbuf_put(&sb, "},\"adding_replicas\":{},\"removing_replicas\":{}}");
	str_printf(path, sizeof(path), "/brokers/topics/%s%05lld", an->prefix, (long long)t);
	put_znode(md, path, sb.s);
	strbuf_fini(&sb);
	for (int64_t p = 0; p < an->partitions; p++) {
		long long leader = 1 + (t + p) % 3;

		str_printf(path, sizeof(path), "/brokers/topics/%s%05lld/partitions/%lld/state", an->prefix, (long long)t, (long long)p);
		str_printf(data, sizeof(data), "{\"controller_epoch\":1,\"leader\":%lld,\"version\":1,\"leader_epoch\":0,\"isr\":[1,2,3]}", leader);
		put_znode(md, path, data);
	}
}

static void put_list(struct model *md, const char *path, const char *const *v, size_t n)
{
	model_apply(md, event_from_children(path, ZNODE_OK, NULL, v, n, NULL, 1, (mono_ms){ 1 }, bench_now));
}

static struct model *seeded(const struct answers *an)
{
	static const char *const ids[] = { "1", "2", "3" };
	struct conn_info up = { .state = CONN_UP, .latency = -1 };
	char (*names)[128] = mem_array((size_t)an->topics, sizeof(*names));
	const char **v = mem_array((size_t)an->topics, sizeof(*v));
	struct model *md = model_new();

	model_apply(md, event_conn(1, (mono_ms){ 1 }, bench_now, &up));
	put_list(md, "/brokers/ids", ids, 3);
	put_list(md, "/admin/delete_topics", NULL, 0);
	put_list(md, "/config/topics", NULL, 0);
	for (int64_t t = 0; t < an->topics; t++) {
		str_printf(names[t], sizeof(names[t]), "%s%05lld", an->prefix, (long long)t);
		v[t] = names[t];
	}
	put_list(md, "/brokers/topics", v, (size_t)an->topics);
	for (int64_t t = 0; t < an->topics; t++)
		add_topic(md, an, t);
	model_apply(md, event_new(EV_LOADED, 1, (mono_ms){ 1 }, bench_now));
	mem_free(&v);
	mem_free(&names);
	return md;
}

/* ---- the figures --------------------------------------------------------------------------- */

static void bench_metadata(const struct answers *an, struct model *known)
{
	double decoded[ROUNDS], first[ROUNDS], again[ROUNDS], beside[ROUNDS], ms;
	struct wire_writer wr;

	answers_metadata(an, &wr, NULL, 0);
	for (size_t i = 0; i < ROUNDS; i++) {
		struct model *md = model_new();

		first[i] = apply(md, decode(&wr, WIRE_METADATA, ANSWERS_VERSION_METADATA, 1, &decoded[i]));
		again[i] = apply(md, decode(&wr, WIRE_METADATA, ANSWERS_VERSION_METADATA, 1, &ms));
		beside[i] = apply(known, decode(&wr, WIRE_METADATA, ANSWERS_VERSION_METADATA, 1, &ms));
		model_free(&md);
	}
	printf("word.metadata.answer\t%zu\tbytes\n", wr.n);
	report("word.metadata.decode", decoded);
	report("word.metadata.first", first);
	report("word.metadata.again", again);
	report("word.metadata.beside", beside);
	wire_writer_fini(&wr);
}

static void bench_disks(const struct answers *an, struct model *known)
{
	double decoded[ROUNDS], first[ROUNDS], again[ROUNDS], ms;
	struct wire_writer wr, changed, none;
	struct answers empty = *an;

	empty.topics = 0;
	answers_logdirs(&empty, &none, 1, 0, 0);
	answers_logdirs(an, &wr, 1, 0, 0);
	answers_logdirs(an, &changed, 1, 1, 1);
	for (size_t i = 0; i < ROUNDS; i++) {
		first[i] = apply(known, decode(&wr, WIRE_DESCRIBE_LOG_DIRS, ANSWERS_VERSION_LOGDIRS, 1, &decoded[i]));
		again[i] = apply(known, decode(&changed, WIRE_DESCRIBE_LOG_DIRS, ANSWERS_VERSION_LOGDIRS, 1, &ms));
		apply(known, decode(&none, WIRE_DESCRIBE_LOG_DIRS, ANSWERS_VERSION_LOGDIRS, 1, &ms)); /* all gone, for the next first one */
	}
	printf("word.disks.answer\t%zu\tbytes\n", wr.n);
	report("word.disks.decode", decoded);
	report("word.disks.first", first);
	report("word.disks.again", again);
	wire_writer_fini(&wr);
	wire_writer_fini(&changed);
	wire_writer_fini(&none);
}

static struct event *settings(const char *min_isr)
{
	struct event *ev = event_of_broker(EV_BROKER_SETTINGS, 1, NULL, (mono_ms){ 2 }, bench_now);

	ev->u.config.v = mem_array(1, sizeof(*ev->u.config.v));
	ev->u.config.v[0].key = mem_strdup("min.insync.replicas");
	ev->u.config.v[0].value = mem_strdup(min_isr);
	ev->u.config.n = 1;
	return ev;
}

static void bench_settings(struct model *known)
{
	double other[ROUNDS], again[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		const char *min_isr = i % 2 ? "2" : "3";

		other[i] = apply(known, settings(min_isr));
		again[i] = apply(known, settings(min_isr));
	}
	report("word.settings.other", other);
	report("word.settings.again", again);
}

static int64_t number(int argc, char **argv, int i, int64_t fallback)
{
	int64_t v = fallback;

	if (argc > i && !str_to_i64(argv[i], 1, 100000, &v)) {
		fprintf(stderr, "usage: wordbench [TOPICS [PARTITIONS]]\n");
		exit(2);
	}
	return v;
}

int main(int argc, char **argv)
{
	struct answers an = { .prefix = "team.stream-of-things.", .topics = number(argc, argv, 1, 4000), .partitions = number(argc, argv, 2, 50),
			      .rf = 3, .brokers = 3, .port = 9092 };
	struct model *known = seeded(&an);

	bench_metadata(&an, known);
	bench_disks(&an, known);
	bench_settings(known);
	model_free(&known);
	return 0;
}
