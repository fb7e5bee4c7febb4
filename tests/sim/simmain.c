/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simmain seeds DIR...      replays each file of plans there
 * simmain runs N SEED STEPS N plans, of seeds from SEED on; a failing one is made as short as it gets, and printed: the text of a file for seeds/
 * simmain selftest          what is broken on purpose is found
 * simmain broken B SEED N   the first of N seeds from SEED on by which the B-th of these (enum sim_broken) is found
 * simmain tape FILE         one plan, with all that happens
 * The first three print TAP.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/sim/sim.h"

enum { FAILURE_MAX = 1024, STEPS = 200 };

static bool run(const struct sim_plan *pl, enum sim_broken broken, char failure[FAILURE_MAX], struct sim_stats *stats)
{
	return sim_run(pl, broken, failure, FAILURE_MAX, NULL, stats);
}

/* ---- shorter ---------------------------------------------------------------------------------------------------- */

static void without(const struct sim_plan *pl, size_t from, size_t n, struct sim_plan *out)
{
	*out = *pl;
	memmove(&out->v[from], &out->v[from + n], (out->n - from - n) * sizeof(out->v[0]));
	out->n -= n;
}

/* Halves, quarters, ... single actions are left out as long as it fails without them; then it ends as early as it still fails. */
static void shrink(struct sim_plan *pl, enum sim_broken broken)
{
	char failure[FAILURE_MAX];
	struct sim_plan less;

	for (size_t n = pl->n > 1 ? pl->n / 2 : 1; n > 0; n /= 2)
		for (size_t from = 0; from + n <= pl->n;) {
			without(pl, from, n, &less);
			if (run(&less, broken, failure, NULL))
				from += n;
			else
				*pl = less;
		}
	for (unsigned cut = pl->steps / 2; cut > 0; cut /= 2) {
		less = *pl;
		less.steps -= cut;
		while (less.steps > 0 && !run(&less, broken, failure, NULL)) {
			*pl = less;
			less.steps = less.steps > cut ? less.steps - cut : 0;
		}
	}
}

static void print_failure(const struct sim_plan *pl, enum sim_broken broken)
{
	char failure[FAILURE_MAX] = "";
	struct strbuf sb;

	strbuf_init(&sb);
	run(pl, broken, failure, NULL);
	strbuf_printf(&sb, "# %s\n", failure);
	sim_plan_print(pl, &sb);
	for (const char *at = sb.s; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
		printf("# %.*s\n", (int)strcspn(at, "\n"), at);
	fflush(stdout);
	strbuf_fini(&sb);
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static int runs(uint64_t n, uint64_t seed, unsigned steps)
{
	struct sim_stats stats;
	uint64_t n_failed = 0;

	memset(&stats, 0, sizeof(stats));
	for (uint64_t i = 0; i < n; i++) {
		char failure[FAILURE_MAX];
		struct sim_plan pl;

		sim_plan_make(&pl, seed + i, steps);
		if (run(&pl, SIM_SOUND, failure, &stats))
			continue;
		if (++n_failed <= 10) {
			printf("# seed %llu: %s\n", (unsigned long long)pl.seed, failure);
			shrink(&pl, SIM_SOUND);
			print_failure(&pl, SIM_SOUND);
		}
	}
	printf("1..1\n%sok 1 - in %llu runs from seed %llu, faults for %u events each, nothing is told that is not so\n", n_failed > 0 ? "not " : "",
		(unsigned long long)n, (unsigned long long)seed, steps);
	printf("# %llu failed; %llu events, %llu deletions, %llu ended; %llu claims looked at: %llu certain, %llu likely (%.1f %% of these right)\n",
		(unsigned long long)n_failed, (unsigned long long)stats.steps, (unsigned long long)stats.deletions, (unsigned long long)stats.ends,
		(unsigned long long)stats.claims, (unsigned long long)stats.certain, (unsigned long long)stats.likely,
		stats.likely > 0 ? 100.0 * (double)stats.likely_right / (double)stats.likely : 100.0);
	return n_failed > 0;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = mem_zalloc(65536);
	size_t n = f != NULL ? fread(text, 1, 65535, f) : 0;

	if (f == NULL)
		mem_free(&text);
	else
		fclose(f);
	(void)n;
	return text;
}

static bool read_plan(const char *path, struct sim_plan *pl)
{
	char why[256] = "can't be read", *text = slurp(path);
	bool ok = text != NULL && sim_plan_read(pl, text, why, sizeof(why));

	if (!ok)
		printf("# %s: %s\n", path, why);
	mem_free(&text);
	return ok;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_seed(const struct dirent *de)
{
	return strlen(de->d_name) > 5 && strcmp(de->d_name + strlen(de->d_name) - 5, ".seed") == 0;
}

static int seeds(const char *dir)
{
	struct dirent **v;
	int n = scandir(dir, &v, is_seed, by_name), n_failed = 0;

	printf("1..%d\n", n > 0 ? n : 1);
	if (n <= 0)
		printf("ok 1 - no seeds # SKIP %s holds none\n", dir);
	for (int i = 0; i < n; i++) {
		char path[1024], failure[FAILURE_MAX];
		struct sim_plan pl;
		bool ok;

		str_printf(path, sizeof(path), "%s/%s", dir, v[i]->d_name);
		ok = read_plan(path, &pl) && run(&pl, SIM_SOUND, failure, NULL);
		printf("%sok %d - %.*s\n", ok ? "" : "not ", i + 1, (int)strlen(v[i]->d_name) - 5, v[i]->d_name);
		if (!ok)
			print_failure(&pl, SIM_SOUND);
		n_failed += !ok;
		free(v[i]);
	}
	if (n >= 0)
		free(v);
	return n_failed > 0;
}

static int tape(const char *path)
{
	char failure[FAILURE_MAX] = "nothing is wrong";
	struct sim_plan pl;
	struct strbuf sb;
	bool ok;

	if (!read_plan(path, &pl))
		return 1;
	strbuf_init(&sb);
	ok = sim_run(&pl, SIM_SOUND, failure, sizeof(failure), &sb, NULL);
	fputs(sb.s, stdout);
	printf("%s\n", failure);
	strbuf_fini(&sb);
	return !ok;
}

/* ---- the checks themselves ------------------------------------------------------------------------------------------------- */

static const char *const broken_words[SIM_BROKENS] = {
	[SIM_SOUND] = "nothing is broken, and nothing is found",
	[SIM_BROKEN_DISKS] = "brokers that leave a replica out of their log dirs are found",
	[SIM_BROKEN_ERROR] = "brokers that don't say that a log dir is offline are found",
	[SIM_BROKEN_IDS] = "a broker missing in the list of brokers is found",
	[SIM_BROKEN_TOPICS] = "a topic missing in the list of topics is found",
	[SIM_BROKEN_STATE] = "states told with a leader that they lost are found",
	[SIM_BROKEN_WORD] = "a controller's broker that denies its topics is found",
	[SIM_BROKEN_JOURNAL] = "a journal that keeps nothing is found",
	[SIM_BROKEN_COUNT] = "a tally that is off by one is found",
	[SIM_BROKEN_VIEW] = "a view that is told of no change is found",
	[SIM_BROKEN_LOSS] = "markers that vanish from the list are found",
};

enum { SELFTEST_RUNS = 400 };

/* Where to begin to look: the first seed that showed it when this was written, so that the test is quick. */
static const uint64_t broken_seeds[SIM_BROKENS] = {
	[SIM_SOUND] = 1, [SIM_BROKEN_DISKS] = 10, [SIM_BROKEN_ERROR] = 110, [SIM_BROKEN_IDS] = 65, [SIM_BROKEN_TOPICS] = 11,
	[SIM_BROKEN_STATE] = 110, [SIM_BROKEN_WORD] = 21, [SIM_BROKEN_JOURNAL] = 1, [SIM_BROKEN_COUNT] = 1, [SIM_BROKEN_VIEW] = 1, [SIM_BROKEN_LOSS] = 340,
};

/* The first seed from `seed` on that fails; 0: none of so many does. */
static uint64_t find_broken(enum sim_broken broken, uint64_t seed, uint64_t n, char failure[FAILURE_MAX])
{
	for (uint64_t i = 0; i < n; i++) {
		struct sim_plan pl;

		sim_plan_make(&pl, seed + i, STEPS);
		if (!run(&pl, broken, failure, NULL))
			return seed + i;
	}
	return 0;
}

static int selftest(void)
{
	int n_failed = 0;

	printf("1..%d\n", SIM_BROKENS);
	for (int b = 0; b < SIM_BROKENS; b++) {
		char failure[FAILURE_MAX] = "";
		uint64_t found = find_broken((enum sim_broken)b, broken_seeds[b], b == SIM_SOUND ? 20 : SELFTEST_RUNS, failure);
		bool ok = (found != 0) == (b != SIM_SOUND);

		printf("%sok %d - %s\n", ok ? "" : "not ", b + 1, broken_words[b]);
		if (found != 0)
			printf("# seed %llu: %s\n", (unsigned long long)found, failure);
		n_failed += !ok;
	}
	return n_failed > 0;
}

static int broken(int what, uint64_t seed, uint64_t n)
{
	char failure[FAILURE_MAX] = "nothing is found";

	if (what < 0 || what >= SIM_BROKENS)
		return 2;
	printf("%s: seed %llu: %s\n", broken_words[what], (unsigned long long)find_broken((enum sim_broken)what, seed, n, failure), failure);
	return 0;
}

int main(int argc, char **argv)
{
	setenv("TZ", "UTC", 1);
	if (argc == 3 && strcmp(argv[1], "seeds") == 0)
		return seeds(argv[2]);
	if (argc == 5 && strcmp(argv[1], "runs") == 0)
		return runs(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10));
	if (argc == 2 && strcmp(argv[1], "selftest") == 0)
		return selftest();
	if (argc == 5 && strcmp(argv[1], "broken") == 0)
		return broken((int)strtol(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
	if (argc == 3 && strcmp(argv[1], "tape") == 0)
		return tape(argv[2]);
	fprintf(stderr, "usage: simmain seeds DIR | runs N SEED STEPS | selftest | broken B SEED N | tape FILE\n");
	return 2;
}
