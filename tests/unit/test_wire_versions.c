/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/versions.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static void a_request_is_the_bytes_of_the_schema(void **unused)
{
	struct wire_writer wr;

	sent_begin(&wr, WIRE_API_VERSIONS, 0);
	wire_versions_encode(&wr, 0, "kc", "1.0");
	sent_end(&wr, "0000000c 0012 0000 00000001 0002 6b63");
	sent_begin(&wr, WIRE_API_VERSIONS, 3);
	wire_versions_encode(&wr, 3, "kc", "1.0");
	sent_end(&wr, "00000015 0012 0003 00000001 0002 6b63 00 03 6b63 04 312e30 00");
}

static void assert_ranges(int16_t version, const char *hex, int error, size_t n)
{
	struct wire_versions vs;
	struct answer an;

	answer_begin(&an, WIRE_API_VERSIONS, version, hex);
	if (!wire_versions_decode(&an.rd, version, an.ar, &vs, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(vs.error, error);
	assert_int_equal(vs.n, n);
	assert_int_equal(vs.throttle_ms, 0);
	if (n > 0) {
		assert_int_equal(vs.v[0].key, 18);
		assert_int_equal(vs.v[0].max, 2);
	}
	answer_end(&an);
}

/* Since 2.4 with one range, before with none. */
static void a_broker_that_lacks_the_version_answers_in_the_oldest_form(void **unused)
{
	assert_ranges(3, "00000010 00000001 0023 00000001 0012 0000 0002", 35, 1);
	assert_ranges(1, "00000010 00000001 0023 00000001 0012 0000 0002", 35, 1);
	assert_ranges(3, "0000000a 00000001 0023 00000000", 35, 0);
	assert_ranges(0, "00000010 00000001 0000 00000001 0012 0000 0002", 0, 1);
}

static void assert_refused(int16_t version, const char *hex, const char *text)
{
	struct wire_versions vs;
	struct answer an;

	answer_begin(&an, WIRE_API_VERSIONS, version, hex);
	assert_false(wire_versions_decode(&an.rd, version, an.ar, &vs, &an.err));
	assert_string_equal(an.err.text, text);
	assert_int_equal(arena_used(an.ar), 0);
	assert_null(vs.v);
	answer_end(&an);
}

static void what_is_not_an_answer_is_refused_with_its_place(void **unused)
{
	assert_refused(0, "0000000a 00000001 0000 7fffffff",
		       "ApiVersions v0 answer: API keys at byte 6 of 10: says 2147483647 elements of at least 6 bytes, 0 bytes are left");
	assert_refused(0, "0000000a 00000001 0000 ffffffff", "ApiVersions v0 answer: API keys at byte 6 of 10: null where an array must be");
	assert_refused(3, "00000008 00000001 0000 01 00",
		       "ApiVersions v3 answer: throttle time at byte 7 of 8: needs 4 bytes, 1 are left");
	assert_refused(0, "0000000b 00000001 0000 00000000 00", "ApiVersions v0 answer: the end at byte 10 of 11: 1 bytes are left over");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_bytes_of_the_schema),
		cmocka_unit_test(a_broker_that_lacks_the_version_answers_in_the_oldest_form),
		cmocka_unit_test(what_is_not_an_answer_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
