/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/metadata.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static void a_request_is_the_bytes_of_the_schema(void **unused)
{
	static const char *const t[] = { "t" };
	struct wire_writer wr;

	sent_begin(&wr, WIRE_METADATA, 9);
	wire_metadata_encode(&wr, 9, NULL, 0);
	sent_end(&wr, "00000012 0003 0009 00000001 0002 6b63 00 00 00 00 00 00");
	sent_begin(&wr, WIRE_METADATA, 4);
	wire_metadata_encode(&wr, 4, t, 1);
	sent_end(&wr, "00000014 0003 0004 00000001 0002 6b63 00000001 0001 74 00");
}

/* AllowAutoTopicCreation stands behind the topics: the last byte but so many. */
static void no_request_lets_a_topic_be_made(void **unused)
{
	static const char *const t[] = { "t" };

	for (int16_t v = 0; v < 32; v++) {
		size_t flags = v < 8 ? 0 : v <= 10 ? 2 : 1, tags = v >= 9;
		struct wire_writer wr;

		if (!wire_api_speaks(WIRE_METADATA, v))
			continue;
		assert_true(v >= 4);
		wire_writer_init(&wr, 1000);
		wire_request_begin(&wr, WIRE_METADATA, v, 1, "kc");
		wire_metadata_encode(&wr, v, t, 1);
		assert_int_equal(wr.data[wr.n - 1 - flags - tags], 0);
		wire_writer_fini(&wr);
	}
}

static const char one_topic_v5[] =
	"0000007b 00000001 00000005"
	" 00000001 00000001 0001 61 00002384 ffff"
	" ffff ffffffff"
	" 00000002"
	"  0000 0001 74 01 00000001  0005 00000000 ffffffff 00000002 00000001 00000002 00000000 00000002 00000001 00000002"
	"  0003 0001 75 00 00000001  0000 00000003 00000001 00000001 00000001 00000001 00000001 00000000";

static void an_answer_is_read_into_flat_arrays(void **unused)
{
	struct metadata md;
	struct answer an;

	answer_begin(&an, WIRE_METADATA, 5, one_topic_v5);
	if (!wire_metadata_decode(&an.rd, 5, an.ar, &md, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(md.throttle_ms, 5);
	assert_int_equal(md.n_brokers, 1);
	assert_string_equal(md.brokers[0].host, "a");
	assert_null(md.brokers[0].rack);
	assert_null(md.cluster_id);
	assert_int_equal(md.controller, -1);
	assert_int_equal(md.n_topics, 2);
	assert_int_equal(md.n_partitions, 2);
	assert_ptr_equal(md.topics[0].partitions, md.partitions);
	assert_ptr_equal(md.topics[1].partitions, md.partitions + 1);
	assert_true(md.topics[0].is_internal);
	assert_int_equal(md.partitions[0].leader, -1);
	assert_int_equal(md.partitions[0].leader_epoch, -1);
	assert_int_equal(md.partitions[0].n_replicas, 2);
	assert_int_equal(md.partitions[0].replicas[1], 2);
	assert_null(md.partitions[0].isr);
	assert_int_equal(md.partitions[0].n_offline, 2);
	assert_int_equal(md.partitions[1].partition, 3);
	assert_int_equal(md.topics[1].error, 3);
	answer_end(&an);
}

static void assert_refused(int16_t version, const char *hex, const char *text)
{
	struct metadata md;
	struct answer an;

	answer_begin(&an, WIRE_METADATA, version, hex);
	assert_false(wire_metadata_decode(&an.rd, version, an.ar, &md, &an.err));
	assert_string_equal(an.err.text, text);
	assert_int_equal(arena_used(an.ar), 0);
	assert_int_equal(md.n_topics, 0);
	answer_end(&an);
}

static void what_is_not_an_answer_is_refused_with_its_place(void **unused)
{
	assert_refused(4, "00000014 00000001 00000000 00000000 ffff ffffffff ffff",
		       "Metadata v4 answer: topics at byte 18 of 20: needs 4 bytes, 2 are left");
	assert_refused(4, "00000020 00000001 00000000 00000000 ffff ffffffff 00000001 0000 0001 00 00 00000000",
		       "Metadata v4 answer: topic at byte 24 of 32: a NUL in a name");
	assert_refused(12, "00000029 00000001 00 00000000 01 00 ffffffff 02 0000 00 00000000000000000000000000000000 00 01 00000000",
		       "Metadata v12 answer: topic at byte 18 of 41: null where a value must be");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_bytes_of_the_schema),
		cmocka_unit_test(no_request_lets_a_topic_be_made),
		cmocka_unit_test(an_answer_is_read_into_flat_arrays),
		cmocka_unit_test(what_is_not_an_answer_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
