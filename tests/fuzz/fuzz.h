/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fuzz program is: targets, of which one is run. Under libFuzzer
 * (tests/fuzz/fuzz.sh, fuzz.c) that is the one named by FUZZ_TARGET;
 * tests/fuzz/replay.c runs all, in `make check`.
 *
 * A target may have several ways to take bytes: a decoder has its versions, a
 * file with many decoders has those. An input goes one way, which its first byte
 * chooses: so an input costs one decode. What follows the byte is the payload.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct fuzz_target {
	const char *name; /* FUZZ_TARGET, and its corpus's folder */
	int which;        /* the program's own: one `run` may serve several targets */
	size_t n_ways;    /* 1 to 256 */
	/* Runs data[0..n) the given way (< n_ways). What is wrong aborts. */
	void (*run)(int which, size_t way, const uint8_t *data, size_t n);
	/* Is a file of the corpus, by its name, meant for this way? NULL: all files are for all ways. */
	bool (*is_seed)(int which, size_t way, const char *name);
	size_t skip;      /* so many bytes at the beginning of a file are not of the payload */
};

/* Each program defines these. */
extern const struct fuzz_target fuzz_targets[];
extern const size_t fuzz_n_targets;
/* What tests/fuzz/replay.c strews in: words that mean something to the targets. */
extern const char *const fuzz_words[];
extern const size_t fuzz_n_words;

/* NULL when there is none of that name. */
const struct fuzz_target *fuzz_find(const char *name);
/* An input with its first byte. Without one there is nothing to run. */
void fuzz_run(const struct fuzz_target *ft, const uint8_t *bytes, size_t n);
/* A failure has a code and one line of printable text. Ready for the next when it returns. */
void fuzz_check_failure(struct err *err);

#endif
