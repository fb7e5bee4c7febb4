/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How every decoder reads an answer: twice, by the same function. The first
 * pass checks all of it and counts what there is of each kind; only then is
 * memory taken, to the element, and the second pass fills it. So nothing is
 * allocated for bytes that turn out to be broken, and each kind of thing lies
 * in one flat array.
 * For the codecs of wire alone.
 * Thread: any.
 */
#ifndef WIRE_PASS_H
#define WIRE_PASS_H

#include "wire/api.h"
#include "wire/buf.h"

enum { WIRE_KINDS_MAX = 4, WIRE_ELEMENT_MAX_BYTES = 128 };

/* One flat array. */
struct wire_flat {
	size_t element_bytes; /* given by the codec; all else is ours */
	uint32_t n;           /* elements so far in this pass */
	char *v;              /* NULL in the first pass */
};

struct wire_pass {
	struct wire_reader *rd;
	struct arena *ar; /* NULL in the first pass: strings are checked, not copied */
	int16_t version;
	struct wire_flat kinds[WIRE_KINDS_MAX];
	_Alignas(max_align_t) char scratch[WIRE_ELEMENT_MAX_BYTES]; /* the first pass writes here */
};

/* Room for the next element of a kind, zeroed in the second pass; in the first one a scratch that the
 * next call gives again. */
void *wire_pass_next(struct wire_pass *ps, int kind);
/* Where the next element will be, NULL in the first pass and when none will ever be. */
void *wire_pass_here(struct wire_pass *ps, int kind);
/* A list of INT32 into a kind of int32_t. Stores where it begins; NULL when it is empty. */
uint32_t wire_pass_ids(struct wire_pass *ps, int kind, const int32_t **v, const char *what);

/* Fills *out (zeroed before) of `size` bytes by `read`, called for each pass. `rd` stands on the body, which must be
 * consumed exactly. On failure *out is all zero, nothing was taken from `ar`, and the text begins with
 * API and version. */
typedef void wire_read_fn(struct wire_pass *ps, void *out);
bool wire_pass_twice(struct wire_pass *ps, enum wire_api api, wire_read_fn *read, void *out, size_t size, struct err *err)
	__attribute__((warn_unused_result));

#endif
