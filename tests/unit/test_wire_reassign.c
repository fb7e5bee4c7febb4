/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/reassign.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static void a_request_is_the_bytes_of_the_schema(void **unused)
{
	static const int32_t parts[] = { 0, 1 };
	static const struct wire_topic_parts t[] = { { "t", parts, 2 } };
	struct wire_writer wr;

	sent_begin(&wr, WIRE_LIST_REASSIGNMENTS, 0);
	wire_reassign_encode_list(&wr, 0, 60000, NULL, 0);
	sent_end(&wr, "00000013 002e 0000 00000001 0002 6b63 00 0000ea60 00 00");
	sent_begin(&wr, WIRE_LIST_REASSIGNMENTS, 0);
	wire_reassign_encode_list(&wr, 0, 60000, t, 1);
	sent_end(&wr, "0000001f 002e 0000 00000001 0002 6b63 00 0000ea60 02 02 74 03 00000000 00000001 00 00");
}

static void adding_and_removing_replicas_are_read(void **unused)
{
	struct wire_reassignments rs;
	const struct wire_reassignment *ra;
	struct answer an;

	answer_begin(&an, WIRE_LIST_REASSIGNMENTS, 0,
		     "00000032 00000001 00 00000000 0000 00 02 02 74 02 00000000 04 00000004 00000005 00000001"
		     " 03 00000004 00000005 02 00000001 00 00 00");
	if (!wire_reassign_decode_list(&an.rd, 0, an.ar, &rs, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(rs.n_topics, 1);
	assert_string_equal(rs.topics[0].name, "t");
	ra = rs.topics[0].partitions;
	assert_ptr_equal(ra, rs.partitions);
	assert_int_equal(ra->n_replicas, 3);
	assert_int_equal(ra->replicas[2], 1);
	assert_int_equal(ra->n_adding, 2);
	assert_int_equal(ra->adding[1], 5);
	assert_int_equal(ra->n_removing, 1);
	assert_int_equal(ra->removing[0], 1);
	answer_end(&an);
}

static void another_broker_than_the_controller_says_so(void **unused)
{
	struct wire_reassignments rs;
	struct answer an;

	answer_begin(&an, WIRE_LIST_REASSIGNMENTS, 0, "00000010 00000001 00 00000000 0029 03 6e6f 01 00");
	assert_true(wire_reassign_decode_list(&an.rd, 0, an.ar, &rs, &an.err));
	assert_int_equal(rs.error, 41);
	assert_string_equal(rs.message, "no");
	assert_int_equal(rs.n_topics, 0);
	answer_end(&an);
}

static void a_partition_that_cannot_be_is_refused(void **unused)
{
	struct wire_reassignments rs;
	struct answer an;

	answer_begin(&an, WIRE_LIST_REASSIGNMENTS, 0, "0000001a 00000001 00 00000000 0000 00 02 02 74 02 ffffffff 01 01 01 00 00 00");
	assert_false(wire_reassign_decode_list(&an.rd, 0, an.ar, &rs, &an.err));
	assert_string_equal(an.err.text,
			    "ListPartitionReassignments v0 answer: partition at byte 16 of 26: -1 is no partition number (0 to 999999)");
	answer_end(&an);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_bytes_of_the_schema),
		cmocka_unit_test(adding_and_removing_replicas_are_read),
		cmocka_unit_test(another_broker_than_the_controller_says_so),
		cmocka_unit_test(a_partition_that_cannot_be_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
