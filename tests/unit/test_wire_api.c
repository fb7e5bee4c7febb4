/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What brokers offer of the APIs we speak: ApiKeys and the schema files of each. */
static const struct wire_range kafka_1_1[] = {
	{ 3, 0, 5 }, { 17, 0, 1 }, { 18, 0, 1 }, { 20, 0, 1 }, { 32, 0, 1 }, { 35, 0, 0 }, { 36, 0, 0 },
};
static const struct wire_range kafka_2_5[] = {
	{ 3, 0, 9 }, { 17, 0, 1 }, { 18, 0, 3 }, { 20, 0, 4 }, { 32, 0, 2 }, { 35, 0, 1 }, { 36, 0, 2 }, { 46, 0, 0 },
};
static const struct wire_range kafka_2_8[] = {
	{ 3, 0, 11 }, { 17, 0, 1 }, { 18, 0, 3 }, { 20, 0, 6 }, { 32, 0, 4 }, { 35, 0, 2 }, { 36, 0, 2 }, { 46, 0, 0 },
};
static const struct wire_range kafka_3_9[] = {
	{ 3, 0, 12 }, { 17, 0, 1 }, { 18, 0, 4 }, { 20, 0, 6 }, { 32, 0, 4 }, { 35, 0, 4 }, { 36, 0, 2 }, { 46, 0, 0 },
};

static const struct chosen {
	enum wire_api api;
	int v11, v25, v28, v39; /* -1: none */
} chosen[] = {
	{ WIRE_METADATA, 5, 9, 9, 12 },
	{ WIRE_SASL_HANDSHAKE, 1, 1, 1, 1 },
	{ WIRE_API_VERSIONS, 1, 3, 3, 3 },
	{ WIRE_DELETE_TOPICS, 1, 4, 5, 5 },
	{ WIRE_DESCRIBE_CONFIGS, 1, 2, 4, 4 },
	{ WIRE_DESCRIBE_LOG_DIRS, 0, 1, 2, 4 },
	{ WIRE_SASL_AUTHENTICATE, 0, 2, 2, 2 },
	{ WIRE_LIST_REASSIGNMENTS, -1, 0, 0, 0 },
};

static int choose(enum wire_api api, const struct wire_range *offered, size_t n)
{
	int16_t version;

	return wire_api_choose(api, offered, n, &version, NULL) ? version : -1;
}

static void the_highest_version_both_speak_is_chosen(void **unused)
{
	assert_int_equal(COUNT(chosen), WIRE_APIS);
	for (size_t i = 0; i < COUNT(chosen); i++) {
		enum wire_api api = chosen[i].api;

		assert_int_equal(choose(api, kafka_1_1, COUNT(kafka_1_1)), chosen[i].v11);
		assert_int_equal(choose(api, kafka_2_5, COUNT(kafka_2_5)), chosen[i].v25);
		assert_int_equal(choose(api, kafka_2_8, COUNT(kafka_2_8)), chosen[i].v28);
		assert_int_equal(choose(api, kafka_3_9, COUNT(kafka_3_9)), chosen[i].v39);
	}
}

static void assert_none(enum wire_api api, const struct wire_range *offered, size_t n, const char *text)
{
	int16_t version = 99;
	struct err err;

	err_init(&err);
	assert_false(wire_api_choose(api, offered, n, &version, &err));
	assert_int_equal(version, 99);
	assert_int_equal(err.code, ERR_UNSUPPORTED);
	assert_string_equal(err.text, text);
}

static void without_a_common_version_a_sentence_says_why(void **unused)
{
	static const struct wire_range future[] = { { 3, 13, 15 }, { 35, 5, 6 } };
	static const struct wire_range old[] = { { 3, 0, 3 }, { 46, 0, -1 } };

	assert_none(WIRE_METADATA, future, 2, "Metadata: the broker speaks versions 13 to 15, we speak 4 to 9 and 12");
	assert_none(WIRE_DESCRIBE_LOG_DIRS, future, 2, "DescribeLogDirs: the broker speaks versions 5 to 6, we speak 0 to 4");
	assert_none(WIRE_LIST_REASSIGNMENTS, old, 2, "ListPartitionReassignments: the broker speaks versions 0 to -1, we speak 0");
	assert_none(WIRE_LIST_REASSIGNMENTS, kafka_1_1, COUNT(kafka_1_1),
		    "ListPartitionReassignments: the broker does not offer it; it came with Kafka 2.4");
	assert_none(WIRE_METADATA, NULL, 0, "Metadata: the broker does not offer it; it came with Kafka 0.8");
}

static void metadata_that_could_make_a_topic_is_not_spoken(void **unused)
{
	static const struct wire_range old[] = { { 3, 0, 3 } };

	for (int16_t v = INT16_MIN; v < 4; v++)
		assert_false(wire_api_speaks(WIRE_METADATA, v));
	assert_none(WIRE_METADATA, old, 1, "Metadata: the broker speaks versions 0 to 3, we speak 4 to 9 and 12");
}

static void versions_far_off_are_not_spoken(void **unused)
{
	static const struct wire_range wild[] = { { 3, INT16_MIN, INT16_MAX } };

	assert_int_equal(choose(WIRE_METADATA, wild, 1), 12);
	for (int api = 0; api < WIRE_APIS; api++) {
		assert_false(wire_api_speaks((enum wire_api)api, -1));
		assert_false(wire_api_speaks((enum wire_api)api, 32));
		assert_false(wire_api_speaks((enum wire_api)api, INT16_MAX));
	}
}

static void an_api_is_found_by_its_key(void **unused)
{
	for (int api = 0; api < WIRE_APIS; api++)
		assert_ptr_equal(wire_api_find(wire_api_get((enum wire_api)api)->key), wire_api_get((enum wire_api)api));
	assert_string_equal(wire_api_find(35)->name, "DescribeLogDirs");
	assert_null(wire_api_find(0));
	assert_null(wire_api_find(-1));
}

static void deleting_topics_is_all_that_changes_a_cluster(void **unused)
{
	for (int api = 0; api < WIRE_APIS; api++)
		assert_int_equal(wire_api_get((enum wire_api)api)->effect, api == WIRE_DELETE_TOPICS ? WIRE_WRITES : WIRE_READS);
	assert_int_equal(wire_api_get(WIRE_DELETE_TOPICS)->to, WIRE_TO_CONTROLLER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_highest_version_both_speak_is_chosen),
		cmocka_unit_test(without_a_common_version_a_sentence_says_why),
		cmocka_unit_test(metadata_that_could_make_a_topic_is_not_spoken),
		cmocka_unit_test(versions_far_off_are_not_spoken),
		cmocka_unit_test(an_api_is_found_by_its_key),
		cmocka_unit_test(deleting_topics_is_all_that_changes_a_cluster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
