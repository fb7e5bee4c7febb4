/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a large DescribeLogDirs answer costs: decoding so many replicas, in the
 * classic (v1) and in the compact form (v4), and the memory it takes. Prints a
 * line a figure: name TAB value TAB unit.
 *
 *   wirebench [REPLICAS [PARTITIONS]]      default 200000 replicas, 6 of each topic, in two directories
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "wire/header.h"
#include "wire/logdirs.h"

enum { ROUNDS = 20, DIRS = 2 };

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void put_topic(struct wire_writer *wr, size_t topic, size_t partitions)
{
	char name[64];

	str_printf(name, sizeof(name), "team%02zu.stream-of-things.v%zu", topic % 97, topic);
	wire_put_string(wr, name, "topic");
	wire_put_count(wr, partitions, "partitions");
	for (size_t p = 0; p < partitions; p++) {
		wire_put_i32(wr, (int32_t)p);
		wire_put_i64(wr, (int64_t)(topic * 1000003 + p));
		wire_put_i64(wr, 0);
		wire_put_bool(wr, false);
		wire_put_tags(wr);
	}
	wire_put_tags(wr);
}

static void put_dir(struct wire_writer *wr, int16_t version, size_t dir, size_t topics, size_t partitions)
{
	char path[32];

	str_printf(path, sizeof(path), "/data/kafka/d%zu", dir);
	wire_put_i16(wr, 0);
	wire_put_string(wr, path, "log directory");
	wire_put_count(wr, topics, "topics");
	for (size_t t = 0; t < topics; t++)
		put_topic(wr, dir * topics + t, partitions);
	if (version >= 4) {
		wire_put_i64(wr, INT64_C(4000787030016));
		wire_put_i64(wr, INT64_C(1099511627776));
	}
	wire_put_tags(wr);
}

/* The frame without its size. */
static void put_answer(struct wire_writer *wr, int16_t version, size_t topics, size_t partitions)
{
	wire_put_i32(wr, 1);
	wr->is_flexible = wire_api_is_flexible(WIRE_DESCRIBE_LOG_DIRS, version);
	wire_put_tags(wr);
	wire_put_i32(wr, 0);
	if (version >= 3)
		wire_put_i16(wr, 0);
	wire_put_count(wr, DIRS, "results");
	for (size_t d = 0; d < DIRS; d++)
		put_dir(wr, version, d, topics / DIRS, partitions);
	wire_put_tags(wr);
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t decode(const struct wire_writer *wr, int16_t version, struct arena *ar)
{
	struct wire_logdirs ld;
	struct wire_reader rd;
	struct err err;

	err_init(&err);
	if (!wire_response_begin(&rd, wr->data, wr->n, WIRE_DESCRIBE_LOG_DIRS, version, 1, &err) ||
	    !wire_logdirs_decode(&rd, version, ar, &ld, &err)) {
		fprintf(stderr, "wirebench: %s\n", err.text);
		exit(EXIT_FAILURE);
	}
	return ld.n_replicas;
}

/* Median of the rounds, each with a fresh arena, as an adapter has it. */
static void bench(int16_t version, size_t topics, size_t partitions)
{
	struct wire_writer wr;
	double ms[ROUNDS];
	size_t used = 0, n = 0;

	wire_writer_init(&wr, WIRE_FRAME_MAX_BYTES);
	put_answer(&wr, version, topics, partitions);
	for (size_t i = 0; i < ROUNDS; i++) {
		double begun = now_ms();
		struct arena *ar = arena_new(0);

		n = decode(&wr, version, ar);
		ms[i] = now_ms() - begun;
		used = arena_used(ar);
		arena_free(&ar);
	}
	qsort(ms, ROUNDS, sizeof(*ms), cmp_double);
	printf("wire.logdirs.v%d.replicas\t%zu\t\n", version, n);
	printf("wire.logdirs.v%d.answer\t%zu\tbytes\n", version, wr.n);
	printf("wire.logdirs.v%d.memory\t%zu\tbytes\n", version, used);
	printf("wire.logdirs.v%d.decode\t%.3f\tms\n", version, ms[ROUNDS / 2]);
	wire_writer_fini(&wr);
}

static size_t number(int argc, char **argv, int i, int64_t fallback)
{
	int64_t v = fallback;

	if (argc > i && !str_to_i64(argv[i], 1, 10 * 1000 * 1000, &v)) {
		fprintf(stderr, "usage: wirebench [REPLICAS [PARTITIONS]]\n");
		exit(2);
	}
	return (size_t)v;
}

int main(int argc, char **argv)
{
	size_t replicas = number(argc, argv, 1, 200000), partitions = number(argc, argv, 2, 6);
	size_t topics = (replicas + partitions - 1) / partitions;

	bench(1, topics, partitions);
	bench(4, topics, partitions);
	return 0;
}
