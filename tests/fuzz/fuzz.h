/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target is: libFuzzer calls it, or tests/fuzz/replay.c does. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Always 0; what is wrong aborts. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* What tests/fuzz/replay.c strews in: words that mean something to the target. */
extern const char *const fuzz_words[];
extern const size_t fuzz_n_words;

#endif
