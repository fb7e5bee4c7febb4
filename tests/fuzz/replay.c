/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A main for a fuzz program, without a fuzzer. Speaks TAP, two tests a target:
 * every file of a corpus folder, each way it is meant for; then for each way a
 * fixed number of seeded mutations of these.
 *   replay [FOLDER [MUTATIONS [SEED]]]
 * The folder is FUZZ_CORPUS under $top_srcdir when none is given. Of a file NAME.hex
 * the second line is read, as hex digits (tests/wire/vectors).
 * A mutation that aborts is found again by its seed and number: both stand on
 * standard error before the abort.
 * For tests/fuzz/fuzz.sh:
 *   replay --targets               their names, one a line
 *   replay --seeds TARGET INTO     writes the same files as inputs of the target, each way one
 *   replay --input TARGET FILE     runs one input, as libFuzzer keeps them
 */
#include "fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

#ifndef FUZZ_CORPUS
#define FUZZ_CORPUS "tests/cases"
#endif

enum {
	FILES_MAX = 512,
	INPUT_MAX_BYTES = 16 * 1024, /* longer files are cut */
	MUTATIONS_DEFAULT = 20000,
	SEED_DEFAULT = 20240817
};

struct input {
	char name[128]; /* of the file; what is longer is cut */
	uint8_t bytes[INPUT_MAX_BYTES];
	size_t n;
};

static struct input corpus[FILES_MAX];
static size_t n_corpus;
static char where[300]; /* what runs now, for the last words */

static void last_words(int sig)
{
	ssize_t written = write(STDERR_FILENO, where, strlen(where));

	(void)written;
	signal(sig, SIG_DFL);
	raise(sig);
}

/* splitmix64: the same on every machine. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t below(uint64_t *seed, size_t n)
{
	return n > 0 ? (size_t)(next(seed) % n) : 0;
}

/* Puts `add` over `remove` bytes at `at`, as far as there is room. */
static void splice(struct input *in, size_t at, size_t remove, const void *add, size_t n)
{
	if (remove > in->n - at)
		remove = in->n - at;
	if (in->n - remove + n > INPUT_MAX_BYTES)
		return;
	memmove(in->bytes + at + n, in->bytes + at + remove, in->n - at - remove);
	memcpy(in->bytes + at, add, n);
	in->n = in->n - remove + n;
}

static void mutate_once(struct input *in, uint64_t *seed)
{
	size_t at = below(seed, in->n + 1);
	const struct input *other = &corpus[below(seed, n_corpus)];
	const char *word = fuzz_words[below(seed, fuzz_n_words)];
	uint8_t byte = (uint8_t)next(seed);
	size_t from;

	switch (below(seed, 6)) {
	case 0:
		if (at < in->n)
			in->bytes[at] ^= (uint8_t)(1 << below(seed, 8));
		break;
	case 1:
		splice(in, at, 0, &byte, 1);
		break;
	case 2:
		splice(in, at, 1 + below(seed, 8), "", 0);
		break;
	case 3:
		splice(in, at, below(seed, 4), word, strlen(word));
		break;
	case 4:
		from = below(seed, other->n + 1);
		splice(in, at, below(seed, 16), other->bytes + from, below(seed, other->n - from + 1));
		break;
	default:
		in->n = at;
	}
}

static int hex_digit(uint8_t c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The second line's hex digits become bytes, as many as there are whole ones. */
static void unhex(struct input *in)
{
	const uint8_t *line = memchr(in->bytes, '\n', in->n);
	size_t at = line ? (size_t)(line - in->bytes) + 1 : in->n, n = 0;

	for (; at + 1 < in->n && hex_digit(in->bytes[at]) >= 0 && hex_digit(in->bytes[at + 1]) >= 0; at += 2)
		in->bytes[n++] = (uint8_t)(hex_digit(in->bytes[at]) << 4 | hex_digit(in->bytes[at + 1]));
	in->n = n;
}

static void read_corpus(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && n_corpus < FILES_MAX && (entry = readdir(dir))) {
		struct input *in = &corpus[n_corpus];
		char path[2048];
		FILE *f;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		f = fopen(path, "rb");
		if (!f)
			continue;
		snprintf(in->name, sizeof(in->name), "%.*s", (int)sizeof(in->name) - 1, entry->d_name);
		in->n = fread(in->bytes, 1, sizeof(in->bytes), f);
		if (strlen(path) > 4 && strcmp(path + strlen(path) - 4, ".hex") == 0)
			unhex(in);
		n_corpus += !ferror(f);
		fclose(f);
	}
	if (dir)
		closedir(dir);
}

/* readdir has no order; the seed shall mean the same everywhere. */
static int input_cmp(const void *a, const void *b)
{
	const struct input *x = a, *y = b;
	int order = memcmp(x->bytes, y->bytes, x->n < y->n ? x->n : y->n);

	if (order == 0)
		order = (x->n > y->n) - (x->n < y->n);
	return order != 0 ? order : strcmp(x->name, y->name);
}

/* The files of the corpus for this way: which[0..n), of FILES_MAX. Returns n. */
static size_t meant_for(const struct fuzz_target *ft, size_t way, size_t which[])
{
	size_t n = 0;

	for (size_t i = 0; i < n_corpus; i++)
		if (!ft->is_seed || ft->is_seed(ft->which, way, corpus[i].name))
			which[n++] = i;
	return n;
}

/* Writes the input that goes this way, with in's payload: out[0..*n). `out` has room for INPUT_MAX_BYTES + 1. */
static void make_input(const struct fuzz_target *ft, size_t way, const struct input *in, uint8_t *out, size_t *n)
{
	size_t skip = ft->skip < in->n ? ft->skip : in->n;

	out[0] = (uint8_t)way;
	memcpy(out + 1, in->bytes + skip, in->n - skip);
	*n = in->n - skip + 1;
}

/* In a copy of just the size, so that a sanitizer sees a byte past the end. */
static void run(const struct fuzz_target *ft, const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	fuzz_run(ft, copy, n);
	free(copy);
}

static void run_way(const struct fuzz_target *ft, size_t way, const struct input *in)
{
	static uint8_t bytes[INPUT_MAX_BYTES + 1];
	size_t n;

	make_input(ft, way, in, bytes, &n);
	run(ft, bytes, n);
}

/* Returns the number of runs; 0 when there is a way that no file is meant for. */
static size_t run_corpus(const struct fuzz_target *ft)
{
	size_t which[FILES_MAX], total = 0;

	for (size_t way = 0; way < ft->n_ways; way++) {
		size_t n = meant_for(ft, way, which);

		for (size_t i = 0; i < n; i++) {
			snprintf(where, sizeof(where), "# %.40s, way %zu, %.127s\n", ft->name, way, corpus[which[i]].name);
			run_way(ft, way, &corpus[which[i]]);
		}
		if (n == 0)
			return 0;
		total += n;
	}
	return total;
}

static void run_mutations(const struct fuzz_target *ft, size_t way, uint64_t mutations, uint64_t seed)
{
	size_t which[FILES_MAX], n = meant_for(ft, way, which);
	static struct input in;

	for (uint64_t k = 0; k < mutations; k++) {
		uint64_t own = seed + k;

		snprintf(where, sizeof(where), "# %.40s, way %zu, mutation %" PRIu64 ", seed %" PRIu64 "\n", ft->name, way, k, seed);
		in = corpus[which[below(&own, n)]];
		for (size_t times = 1 + below(&own, 4); times > 0; times--)
			mutate_once(&in, &own);
		run_way(ft, way, &in);
	}
}

static int write_input(const char *path, const uint8_t *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(bytes, 1, n, f) == n;

	if (f && fclose(f) != 0)
		ok = false;
	if (!ok)
		fprintf(stderr, "replay: %s can't be written\n", path);
	return ok ? 0 : 1;
}

static int write_seeds(const struct fuzz_target *ft, const char *into)
{
	static uint8_t bytes[INPUT_MAX_BYTES + 1];
	size_t which[FILES_MAX], size;
	char path[2048];

	for (size_t way = 0; way < ft->n_ways; way++) {
		for (size_t n = meant_for(ft, way, which); n > 0; n--) {
			const struct input *in = &corpus[which[n - 1]];

			make_input(ft, way, in, bytes, &size);
			if (!str_printf(path, sizeof(path), "%s/%zu-%s", into, way, in->name) || write_input(path, bytes, size) != 0)
				return 1;
		}
	}
	return 0;
}

static int run_file(const struct fuzz_target *ft, const char *path)
{
	static uint8_t bytes[INPUT_MAX_BYTES + 1];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f) {
		fprintf(stderr, "replay: %s can't be read\n", path);
		return 1;
	}
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	run(ft, bytes, n);
	return 0;
}

static int command(int argc, char **argv)
{
	const struct fuzz_target *ft = argc == 4 ? fuzz_find(argv[2]) : NULL;

	if (argc == 2 && strcmp(argv[1], "--targets") == 0) {
		for (size_t i = 0; i < fuzz_n_targets; i++)
			printf("%s\n", fuzz_targets[i].name);
		return 0;
	}
	if (ft && strcmp(argv[1], "--seeds") == 0)
		return write_seeds(ft, argv[3]);
	if (ft && strcmp(argv[1], "--input") == 0)
		return run_file(ft, argv[3]);
	fprintf(stderr, "replay: there is no such command or target: see the head of tests/fuzz/replay.c\n");
	return 2;
}

/* The two tests of a target, the first of which is number `at`. */
static bool test_target(const struct fuzz_target *ft, size_t at, uint64_t mutations, uint64_t seed)
{
	size_t runs = run_corpus(ft);
	const char *verdict = runs > 0 ? "ok" : "not ok";

	printf("%s %zu - %s: %zu inputs of the corpus\n", verdict, at, ft->name, runs);
	for (size_t way = 0; runs > 0 && way < ft->n_ways; way++)
		run_mutations(ft, way, mutations, seed);
	printf("%s %zu - %s: %" PRIu64 " mutations each of %zu ways, seed %" PRIu64 "\n", verdict, at + 1, ft->name, mutations, ft->n_ways, seed);
	return runs > 0;
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	bool is_command = argc > 1 && argv[1][0] == '-', ok = true;
	uint64_t mutations = argc > 2 ? strtoull(argv[2], NULL, 10) : MUTATIONS_DEFAULT;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : SEED_DEFAULT;
	char folder[1024];

	signal(SIGABRT, last_words);
	signal(SIGSEGV, last_words);
	snprintf(folder, sizeof(folder), "%s/" FUZZ_CORPUS, top ? top : ".");
	read_corpus(argc > 1 && !is_command ? argv[1] : folder);
	qsort(corpus, n_corpus, sizeof(corpus[0]), input_cmp);
	if (is_command)
		return command(argc, argv);
	printf("1..%zu\n", 2 * fuzz_n_targets);
	for (size_t i = 0; i < fuzz_n_targets; i++)
		ok = test_target(&fuzz_targets[i], 2 * i + 1, mutations, seed) && ok;
	return ok ? 0 : 1;
}
