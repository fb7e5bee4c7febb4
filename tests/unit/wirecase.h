/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and answers as hex, for the tests of the codecs: client id "kc",
 * correlation id 1, frames with their size. For tests that include cmocka.h first.
 */
#ifndef TESTS_UNIT_WIRECASE_H
#define TESTS_UNIT_WIRECASE_H

#include "base/err.h"
#include "hex.h"
#include "wire/header.h"

static inline void sent_begin(struct wire_writer *wr, enum wire_api api, int16_t version)
{
	wire_writer_init(wr, WIRE_FRAME_MAX_BYTES);
	wire_request_begin(wr, api, version, 1, "kc");
}

/* Ends the request, which must be these bytes. */
static inline void sent_end(struct wire_writer *wr, const char *hex)
{
	size_t n;
	uint8_t *bytes = hex_bytes(hex, &n);
	struct err err;

	err_init(&err);
	if (!wire_request_end(wr, &err))
		fail_msg("%s", err.text);
	assert_int_equal(wr->n, n);
	assert_memory_equal(wr->data, bytes, n);
	mem_free(&bytes);
	wire_writer_fini(wr);
}

struct answer {
	struct wire_reader rd; /* on the body */
	struct arena *ar;
	uint8_t *bytes;
	struct err err;
};

static inline void answer_begin(struct answer *an, enum wire_api api, int16_t version, const char *hex)
{
	size_t n, size;

	an->bytes = hex_bytes(hex, &n);
	an->ar = arena_new(0);
	err_init(&an->err);
	assert_true(wire_frame_size(an->bytes, &size, NULL));
	assert_int_equal(size, n - WIRE_PREFIX_BYTES);
	if (!wire_response_begin(&an->rd, an->bytes + WIRE_PREFIX_BYTES, size, api, version, 1, &an->err))
		fail_msg("%s", an->err.text);
}

static inline void answer_end(struct answer *an)
{
	arena_free(&an->ar);
	mem_free(&an->bytes);
}

#endif
