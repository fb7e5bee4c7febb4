/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A main for a fuzz target, without a fuzzer: runs it on every file of a corpus
 * folder, then on a fixed number of seeded mutations of them. Speaks TAP.
 *   replay [FOLDER [MUTATIONS [SEED]]]
 * The folder is FUZZ_CORPUS under $top_srcdir when none is given. Of a file NAME.hex
 * the second line is read, as hex digits (tests/wire/vectors).
 * A mutation that aborts is found again by its seed and number: both stand on
 * standard error before the abort.
 */
#include "fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

	return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

static void run(const uint8_t *bytes, size_t n)
{
	/* A copy of just the size, so that a sanitizer sees a byte past the end. */
	uint8_t *copy = malloc(n > 0 ? n : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	uint64_t mutations = argc > 2 ? strtoull(argv[2], NULL, 10) : MUTATIONS_DEFAULT;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : SEED_DEFAULT;
	static struct input in;
	char folder[1024];

	signal(SIGABRT, last_words);
	signal(SIGSEGV, last_words);
	snprintf(folder, sizeof(folder), "%s/" FUZZ_CORPUS, top ? top : ".");
	read_corpus(argc > 1 ? argv[1] : folder);
	qsort(corpus, n_corpus, sizeof(corpus[0]), input_cmp);
	printf("1..2\n");
	for (size_t i = 0; i < n_corpus; i++) {
		snprintf(where, sizeof(where), "# in input %zu of the corpus\n", i);
		run(corpus[i].bytes, corpus[i].n);
	}
	printf("%s 1 - %zu files of the corpus\n", n_corpus > 0 ? "ok" : "not ok", n_corpus);
	for (uint64_t k = 0; n_corpus > 0 && k < mutations; k++) {
		uint64_t own = seed + k;

		snprintf(where, sizeof(where), "# in mutation %" PRIu64 ", seed %" PRIu64 "\n", k, seed);
		in = corpus[below(&own, n_corpus)];
		for (size_t times = 1 + below(&own, 4); times > 0; times--)
			mutate_once(&in, &own);
		run(in.bytes, in.n);
	}
	printf("ok 2 - %" PRIu64 " mutations, seed %" PRIu64 "\n", mutations, seed);
	return n_corpus > 0 ? 0 : 1;
}
