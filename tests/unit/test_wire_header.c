/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "hex.h"

static void assert_request(enum wire_api api, int16_t version, const char *client, const char *hex)
{
	struct wire_writer wr;
	size_t n;
	uint8_t *bytes = hex_bytes(hex, &n);

	wire_writer_init(&wr, WIRE_FRAME_MAX_BYTES);
	wire_request_begin(&wr, api, version, 0x01020304, client);
	assert_true(wire_request_end(&wr, NULL));
	assert_int_equal(wr.n, n);
	assert_memory_equal(wr.data, bytes, n);
	wire_writer_fini(&wr);
	mem_free(&bytes);
}

static void a_flexible_version_has_a_longer_header(void **unused)
{
	assert_request(WIRE_DESCRIBE_LOG_DIRS, 1, "kc", "0000000c 0023 0001 01020304 0002 6b63");
	assert_request(WIRE_DESCRIBE_LOG_DIRS, 2, "kc", "0000000d 0023 0002 01020304 0002 6b63 00");
	assert_request(WIRE_LIST_REASSIGNMENTS, 0, NULL, "0000000b 002e 0000 01020304 ffff 00");
	assert_request(WIRE_API_VERSIONS, 3, "", "0000000b 0012 0003 01020304 0000 00");
}

static void a_request_that_failed_has_no_size(void **unused)
{
	struct wire_writer wr;
	struct err err;

	err_init(&err);
	wire_writer_init(&wr, 16);
	wire_request_begin(&wr, WIRE_DESCRIBE_LOG_DIRS, 1, 1, "a long client id");
	assert_false(wire_request_end(&wr, &err));
	assert_string_equal(err.text, "the message at byte 14: 16 bytes more are over its bound of 16");
	wire_request_begin(&wr, WIRE_DESCRIBE_LOG_DIRS, 1, 1, "kc");
	assert_true(wire_request_end(&wr, NULL));
	wire_writer_fini(&wr);
}

static void assert_size(const char *hex, size_t size, const char *text)
{
	size_t n, found = 77;
	uint8_t *bytes = hex_bytes(hex, &n);
	struct err err;

	err_init(&err);
	assert_int_equal(wire_frame_size(bytes, &found, &err), !text);
	assert_int_equal(found, size);
	assert_string_equal(err.text, text ? text : "");
	mem_free(&bytes);
}

static void a_frame_has_a_size_within_bounds(void **unused)
{
	assert_size("00000004", 4, NULL);
	assert_size("06400000", 104857600, NULL);
	assert_size("06400001", 77, "a frame of 104857601 bytes, over the bound of 104857600: this may not be the Kafka protocol (a TLS port?)");
	assert_size("00000003", 77, "a frame of 3 bytes: this is not the Kafka protocol");
	assert_size("ffffffff", 77, "a frame of -1 bytes: this is not the Kafka protocol");
	/* What a TLS port answers to plain bytes: an alert record. */
	assert_size("15030300", 77, "a frame of 352518912 bytes, over the bound of 104857600: this may not be the Kafka protocol (a TLS port?)");
}

static void assert_begins(enum wire_api api, int16_t version, const char *hex, size_t left, bool is_flexible, const char *text)
{
	size_t n;
	uint8_t *bytes = hex_bytes(hex, &n);
	struct wire_reader rd;
	struct err err;

	err_init(&err);
	assert_int_equal(wire_response_begin(&rd, bytes, n, api, version, 1, &err), !text);
	assert_string_equal(err.text, text ? text : "");
	if (!text) {
		assert_int_equal(wire_reader_left(&rd), left);
		assert_int_equal(rd.is_flexible, is_flexible);
	}
	mem_free(&bytes);
}

static void an_answer_of_a_flexible_version_has_tagged_fields_in_its_header(void **unused)
{
	assert_begins(WIRE_DESCRIBE_LOG_DIRS, 1, "00000001 aabb", 2, false, NULL);
	assert_begins(WIRE_DESCRIBE_LOG_DIRS, 2, "00000001 00 aabb", 2, true, NULL);
	assert_begins(WIRE_DESCRIBE_LOG_DIRS, 2, "00000001 01 05 02 ffff aabb", 2, true, NULL);
	assert_begins(WIRE_DESCRIBE_LOG_DIRS, 2, "00000001", 0, true, "DescribeLogDirs v2 answer: tagged fields at byte 4 of 4: needs 1 bytes, 0 are left");
}

static void an_answer_about_versions_never_has(void **unused)
{
	assert_begins(WIRE_API_VERSIONS, 0, "00000001 aabb", 2, false, NULL);
	assert_begins(WIRE_API_VERSIONS, 3, "00000001 aabb", 2, true, NULL);
}

static void an_answer_to_another_request_is_refused(void **unused)
{
	assert_begins(WIRE_METADATA, 9, "00000002 00", 0, true,
		      "Metadata v9 answer: correlation id at byte 0 of 5: 2, where the answer to request 1 was due");
	assert_begins(WIRE_METADATA, 9, "ffffffff 00", 0, true,
		      "Metadata v9 answer: correlation id at byte 0 of 5: -1, where the answer to request 1 was due");
	assert_begins(WIRE_METADATA, 9, "000000", 0, true, "Metadata v9 answer: correlation id at byte 0 of 3: needs 4 bytes, 3 are left");
	assert_begins(WIRE_METADATA, 9, "", 0, true, "Metadata v9 answer: correlation id at byte 0 of 0: needs 4 bytes, 0 are left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flexible_version_has_a_longer_header),
		cmocka_unit_test(a_request_that_failed_has_no_size),
		cmocka_unit_test(a_frame_has_a_size_within_bounds),
		cmocka_unit_test(an_answer_of_a_flexible_version_has_tagged_fields_in_its_header),
		cmocka_unit_test(an_answer_about_versions_never_has),
		cmocka_unit_test(an_answer_to_another_request_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
