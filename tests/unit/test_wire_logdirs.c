/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/logdirs.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static const char offline_v1[] =
	"0000003e 00000001 00000000 00000002 0000 0003 2f6430 00000001 0001 74 00000001 00000000 0000000000000400"
	" 0000000000000000 00 0038 0003 2f6431 00000000";
static const char offline_v2[] =
	"00000035 00000001 00 00000000 03 0000 04 2f6430 02 02 74 02 00000000 0000000000000400 0000000000000000 00"
	" 00 00 00 0038 04 2f6431 01 00 00";

static void a_request_is_the_bytes_of_the_schema(void **unused)
{
	static const int32_t zero[] = { 0 };
	static const struct wire_topic_parts t[] = { { "t", zero, 1 } };
	struct wire_writer wr;

	sent_begin(&wr, WIRE_DESCRIBE_LOG_DIRS, 1);
	wire_logdirs_encode(&wr, 1, NULL, 0);
	sent_end(&wr, "00000010 0023 0001 00000001 0002 6b63 ffffffff");
	sent_begin(&wr, WIRE_DESCRIBE_LOG_DIRS, 2);
	wire_logdirs_encode(&wr, 2, NULL, 0);
	sent_end(&wr, "0000000f 0023 0002 00000001 0002 6b63 00 00 00");
	sent_begin(&wr, WIRE_DESCRIBE_LOG_DIRS, 2);
	wire_logdirs_encode(&wr, 2, t, 1);
	sent_end(&wr, "00000017 0023 0002 00000001 0002 6b63 00 02 02 74 02 00000000 00 00");
}

static void assert_offline(int16_t version, const char *hex)
{
	struct wire_logdirs ld;
	struct answer an;

	answer_begin(&an, WIRE_DESCRIBE_LOG_DIRS, version, hex);
	if (!wire_logdirs_decode(&an.rd, version, an.ar, &ld, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(ld.n_dirs, 2);
	assert_int_equal(ld.n_topics, 1);
	assert_int_equal(ld.n_replicas, 1);
	assert_string_equal(ld.dirs[0].path, "/d0");
	assert_string_equal(ld.dirs[0].topics[0].name, "t");
	assert_int_equal(ld.dirs[0].topics[0].replicas[0].size_bytes, 1024);
	assert_int_equal(ld.dirs[0].total_bytes, -1);
	assert_string_equal(ld.dirs[1].path, "/d1");
	assert_int_equal(ld.dirs[1].error, 56);
	assert_null(ld.dirs[1].topics);
	assert_false(wire_logdirs_is_refused(&ld));
	answer_end(&an);
}

static void an_offline_directory_has_an_error_and_no_topics(void **unused)
{
	assert_offline(1, offline_v1);
	assert_offline(2, offline_v2);
}

static void assert_is_refused(int16_t version, const char *hex, bool expected)
{
	struct wire_logdirs ld;
	struct answer an;

	answer_begin(&an, WIRE_DESCRIBE_LOG_DIRS, version, hex);
	assert_true(wire_logdirs_decode(&an.rd, version, an.ar, &ld, &an.err));
	assert_int_equal(wire_logdirs_is_refused(&ld), expected);
	answer_end(&an);
}

static void no_directory_at_all_is_a_refusal(void **unused)
{
	assert_is_refused(1, "0000000c 00000001 00000000 00000000", true);
	assert_is_refused(3, "0000000d 00000001 00 00000000 001f 01 00", true);
	assert_is_refused(3, "0000000d 00000001 00 00000000 ffff 01 00", false);
}

static void assert_unreadable(int16_t version, const char *hex, const char *text)
{
	struct wire_logdirs ld;
	struct answer an;

	answer_begin(&an, WIRE_DESCRIBE_LOG_DIRS, version, hex);
	assert_false(wire_logdirs_decode(&an.rd, version, an.ar, &ld, &an.err));
	assert_string_equal(an.err.text, text);
	assert_int_equal(arena_used(an.ar), 0);
	assert_int_equal(ld.n_dirs, 0);
	answer_end(&an);
}

/* Counts that would fit alone but not with what comes before them. */
static void lengths_that_overlap_are_refused(void **unused)
{
	assert_unreadable(1, "00000020 00000001 00000000 00000002 0000 0003 2f6430 00000000 0000 0008 2f00000000",
			  "DescribeLogDirs v1 answer: log directory at byte 25 of 32: says 8 bytes, 5 are left");
}

static void what_is_not_an_answer_is_refused_with_its_place(void **unused)
{
	assert_unreadable(1, "0000000c 00000001 00000000 40000000",
			  "DescribeLogDirs v1 answer: log directories at byte 8 of 12: says 1073741824 elements of at least 8 bytes, 0 bytes are left");
	assert_unreadable(2, "00000012 00000001 00 00000000 02 0000 01 ffffffff0f",
			  "DescribeLogDirs v2 answer: topics at byte 13 of 18: says 4294967294 elements of at least 3 bytes, 0 bytes are left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_bytes_of_the_schema),
		cmocka_unit_test(an_offline_directory_has_an_error_and_no_topics),
		cmocka_unit_test(no_directory_at_all_is_a_refusal),
		cmocka_unit_test(lengths_that_overlap_are_refused),
		cmocka_unit_test(what_is_not_an_answer_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
