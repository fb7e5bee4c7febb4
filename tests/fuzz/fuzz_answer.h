/* SPDX-License-Identifier: Apache-2.0 */
/* Versions of an API as ways of a target, and which vectors are its answers. For programs that link libwire.a. */
#ifndef TESTS_FUZZ_FUZZ_ANSWER_H
#define TESTS_FUZZ_FUZZ_ANSWER_H

#include <stdio.h>

#include "base/str.h"
#include "wire/api.h"

/* As include/wire/apis.def wants it. */
#define VERSIONS(first, last) ((UINT32_MAX << (first)) & (UINT32_MAX >> (31 - (last))))
#define N_VERSIONS(versions) ((size_t)__builtin_popcount(versions))

/* The version that stands at `nth` (counted from 0) among those we speak; -1 past the last. */
static inline int16_t fuzz_version(enum wire_api api, size_t nth)
{
	uint32_t left = wire_api_get(api)->versions;

	for (; left != 0 && nth > 0; nth--)
		left &= left - 1; /* takes the lowest bit away */
	return left != 0 ? (int16_t)__builtin_ctz(left) : -1;
}

/* Of tests/wire/vectors: "Metadata-v12-response-some.hex". */
static inline bool fuzz_is_answer(enum wire_api api, int16_t version, const char *name)
{
	char prefix[80];

	return str_printf(prefix, sizeof(prefix), "%s-v%d-response-", wire_api_get(api)->name, version) && str_starts(name, prefix);
}

#endif
