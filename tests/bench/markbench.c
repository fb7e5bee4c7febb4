/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a keystroke in the prompt of patterns costs: the look over all names, for a pattern as it is typed; and how long a hopeless
 * one holds up. In processor time, for other programs run beside. Prints a line a figure: name TAB value TAB unit.
 *
 *   markbench [TOPICS [PARTITIONS]]      default 100000 topics of 2 partitions, three brokers
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/model.h"
#include "core/pattern.h"
#include "core/policy.h"
#include "core/preview.h"

enum { ROUNDS = 9, PROTECTED = 3, LATE_MS = 30 };

static const wall_ms bench_now = { INT64_C(1700000000000) };

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void name_of(size_t i, bool is_hard, char out[256])
{
	str_printf(out, 256, is_hard ? "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%06zu" :
		   "team%02zu.stream-of-things.of-some-length.v%zu", is_hard ? i : i % 97, i);
}

static struct model *cluster_of(size_t topics, size_t partitions, bool is_hard)
{
	struct model *md = model_new();
	char (*names)[256] = mem_array(topics, sizeof(*names));
	const char **v = mem_array(topics, sizeof(*v));
	struct znode_stat stat = { .czxid = 1, .ctime = bench_now, .mtime = bench_now };
	struct strbuf data;

	strbuf_init(&data);
	strbuf_put(&data, "{\"version\":2,\"partitions\":{");
	for (size_t p = 0; p < partitions; p++)
		strbuf_printf(&data, "%s\"%zu\":[1,2,3]", p ? "," : "", p);
	strbuf_put(&data, "}}");
	for (size_t i = 0; i < topics; i++) {
		name_of(i, is_hard, names[i]);
		v[i] = names[i];
	}
	model_apply(md, event_from_children("/brokers/topics", ZNODE_OK, NULL, v, topics, NULL, 1, (mono_ms){ 1 }, bench_now));
	for (size_t i = 0; i < topics; i++) {
		char path[300];

		str_printf(path, sizeof(path), "/brokers/topics/%s", names[i]);
		model_apply(md, event_from_znode(path, ZNODE_OK, NULL, data.s, data.len, &stat, 1, (mono_ms){ 1 }, bench_now));
	}
	strbuf_fini(&data);
	mem_free(&v);
	mem_free(&names);
	return md;
}

struct deadline {
	double at;
};

static bool is_late(void *ctx)
{
	const struct deadline *de = ctx;

	return de->at > 0 && now_ms() >= de->at;
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double look_ms(struct previewer *pv, const char *typed, double late_ms, struct preview *pr)
{
	double ms[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		double begun = now_ms();
		struct deadline de = { late_ms > 0 ? begun + late_ms : 0 };

		previewer_look(pv, typed, is_late, &de, pr);
		ms[i] = now_ms() - begun;
	}
	qsort(ms, ROUNDS, sizeof(*ms), cmp_double);
	return late_ms > 0 ? ms[ROUNDS - 1] : ms[ROUNDS / 2];
}

/* Each keystroke of a pattern; the dearest counts. */
static void bench_typing(struct previewer *pv, const char *name, const char *pattern)
{
	double most = 0;
	struct preview pr;

	for (size_t n = 1; n <= strlen(pattern); n++) {
		char typed[256];
		double ms;

		if (!str_copyn(typed, sizeof(typed), pattern, n))
			return;
		ms = look_ms(pv, typed, 0, &pr);
		most = ms > most ? ms : most;
	}
	printf("preview.%s\t%.3f\tms\t%zu match\n", name, most, pr.n_match);
}

static void bench_hopeless(struct previewer *pv, const char *name, const char *pattern)
{
	struct preview pr;
	double ms = look_ms(pv, pattern, LATE_MS, &pr);

	printf("preview.%s\t%.3f\tms\t%s after %zu names\n", name, ms, pr.is_too_complex ? "given up" : pr.is_late ? "late" : "whole", pr.n_looked);
}

static void make_policy(struct policy *po)
{
	static const char *const typed[PROTECTED] = { "gold\\..*", ".*\\.ledger", "team9[0-9]\\.payments\\..*" };

	policy_init(po);
	po->protected_topics = mem_array(PROTECTED, sizeof(*po->protected_topics));
	for (size_t i = 0; i < PROTECTED; i++)
		po->protected_topics[po->n_protected++] = pattern_new(typed[i], NULL);
}

int main(int argc, char **argv)
{
	int64_t topics = 100000, partitions = 2;
	struct policy po;
	struct model *md;
	struct previewer *pv;
	struct preview pr;
	double begun;

	if ((argc > 1 && !str_to_i64(argv[1], 1, 10000000, &topics)) || (argc > 2 && !str_to_i64(argv[2], 1, 1000, &partitions)))
		return 2;
	make_policy(&po);
	md = cluster_of((size_t)topics, (size_t)partitions, false);
	pv = previewer_new(model_cluster(md), &po);
	begun = now_ms();
	previewer_update(pv, NULL);
	printf("preview.open\t%.3f\tms\n", now_ms() - begun);
	begun = now_ms();
	previewer_look(pv, ".*", is_late, &(struct deadline){ 0 }, &pr);
	printf("preview.first-all\t%.3f\tms\n", now_ms() - begun);
	bench_typing(pv, "team", "team12\\..*\\.v[0-9]+");
	bench_typing(pv, "all", ".*");
	bench_typing(pv, "middle", ".*some-length.*");
	bench_typing(pv, "two", "team12.*,.*v77,team3[0-9].*");
	bench_hopeless(pv, "slow", ".*o.*o.*o.*x");
	previewer_free(&pv);
	model_free(&md);
	md = cluster_of((size_t)topics / 10, 1, true);
	pv = previewer_new(model_cluster(md), &po);
	previewer_update(pv, NULL);
	bench_hopeless(pv, "hopeless", "([a-z]+)*[A-Z]");
	bench_hopeless(pv, "hopeless.2", "(a|aa)+[A-Z]");
	bench_hopeless(pv, "hopeless.3", "(.*)(.*)(.*)(.*)[A-Z]");
	bench_hopeless(pv, "hopeless.4", "(.*)(.*)[A-Z]");
	previewer_free(&pv);
	model_free(&md);
	policy_fini(&po);
	return 0;
}
