/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/topics.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static void a_request_is_the_bytes_of_the_schema(void **unused)
{
	static const char *const names[] = { "t", "uv" };
	struct wire_writer wr;

	sent_begin(&wr, WIRE_DELETE_TOPICS, 3);
	wire_topics_encode_delete(&wr, 3, names, 2, 30000);
	sent_end(&wr, "0000001b 0014 0003 00000001 0002 6b63 00000002 0001 74 0002 7576 00007530");
	sent_begin(&wr, WIRE_DELETE_TOPICS, 5);
	wire_topics_encode_delete(&wr, 5, names, 2, 30000);
	sent_end(&wr, "00000018 0014 0005 00000001 0002 6b63 00 03 02 74 03 7576 00007530 00");
}

static void each_topic_has_its_own_error(void **unused)
{
	struct wire_deletes ds;
	struct answer an;

	answer_begin(&an, WIRE_DELETE_TOPICS, 3, "00000017 00000001 00000007 00000002 0001 74 0000 0002 7576 0003");
	if (!wire_topics_decode_delete(&an.rd, 3, an.ar, &ds, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(ds.throttle_ms, 7);
	assert_int_equal(ds.n, 2);
	assert_string_equal(ds.v[0].name, "t");
	assert_int_equal(ds.v[0].error, 0);
	assert_string_equal(ds.v[1].name, "uv");
	assert_int_equal(ds.v[1].error, 3);
	assert_null(ds.v[1].message);
	answer_end(&an);
}

static void from_v5_on_the_broker_says_why(void **unused)
{
	struct wire_deletes ds;
	struct answer an;

	answer_begin(&an, WIRE_DELETE_TOPICS, 5, "00000014 00000001 00 00000000 02 02 74 0049 04 6f6666 00 00");
	if (!wire_topics_decode_delete(&an.rd, 5, an.ar, &ds, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(ds.n, 1);
	assert_int_equal(ds.v[0].error, 73);
	assert_string_equal(ds.v[0].message, "off");
	answer_end(&an);
}

static void a_name_that_is_null_is_refused(void **unused)
{
	struct wire_deletes ds;
	struct answer an;

	answer_begin(&an, WIRE_DELETE_TOPICS, 3, "00000010 00000001 00000000 00000001 ffff 0000");
	assert_false(wire_topics_decode_delete(&an.rd, 3, an.ar, &ds, &an.err));
	assert_string_equal(an.err.text, "DeleteTopics v3 answer: topic at byte 12 of 16: null where a value must be");
	answer_end(&an);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_bytes_of_the_schema),
		cmocka_unit_test(each_topic_has_its_own_error),
		cmocka_unit_test(from_v5_on_the_broker_says_why),
		cmocka_unit_test(a_name_that_is_null_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
