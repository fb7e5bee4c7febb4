/* SPDX-License-Identifier: Apache-2.0 */
#include "core/zkpath.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/ids.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *path;
	enum zkpath_kind kind;
	const char *name;
	int32_t id;
} known[] = {
	{ "/", ZKPATH_ROOT, NULL, -1 },
	{ "/brokers/ids", ZKPATH_BROKER_IDS, NULL, -1 },
	{ "/brokers/ids/0", ZKPATH_BROKER, NULL, 0 },
	{ "/brokers/ids/2147483647", ZKPATH_BROKER, NULL, INT32_MAX },
	{ "/brokers/topics", ZKPATH_TOPICS, NULL, -1 },
	{ "/brokers/topics/orders", ZKPATH_TOPIC, "orders", -1 },
	{ "/brokers/topics/partitions", ZKPATH_TOPIC, "partitions", -1 },
	{ "/brokers/topics/\x1b[31m", ZKPATH_TOPIC, "\x1b[31m", -1 },
	{ "/brokers/topics/a/partitions/17/state", ZKPATH_STATE, "a", 17 },
	{ "/brokers/topics/partitions/partitions/0/state", ZKPATH_STATE, "partitions", 0 },
	{ "/controller", ZKPATH_CONTROLLER, NULL, -1 },
	{ "/controller_epoch", ZKPATH_CONTROLLER_EPOCH, NULL, -1 },
	{ "/cluster/id", ZKPATH_CLUSTER_ID, NULL, -1 },
	{ "/admin/delete_topics", ZKPATH_DELETE_TOPICS, NULL, -1 },
	{ "/admin/delete_topics/a.b", ZKPATH_MARKER, "a.b", -1 },
	{ "/admin/reassign_partitions", ZKPATH_REASSIGN, NULL, -1 },
	{ "/config/topics", ZKPATH_CONFIG_TOPICS, NULL, -1 },
	{ "/config/topics/orders", ZKPATH_TOPIC_CONFIG, "orders", -1 },
	{ "/config/brokers", ZKPATH_CONFIG_BROKERS, NULL, -1 },
	{ "/config/brokers/<default>", ZKPATH_BROKER_CONFIG, "<default>", -1 },
	{ "/config/brokers/07", ZKPATH_BROKER_CONFIG, "07", -1 },
	{ "/config/changes", ZKPATH_CONFIG_CHANGES, NULL, -1 },
	{ "/feature", ZKPATH_FEATURE, NULL, -1 },
	{ "/migration", ZKPATH_MIGRATION, NULL, -1 },
};

static void every_kind_is_parsed_and_built_the_same(void **state)
{
	char out[ZKPATH_MAX];

	for (size_t i = 0; i < COUNT(known); i++) {
		struct zkpath zp = zkpath_parse(known[i].path);

		if (zp.kind != known[i].kind)
			fail_msg("%s is a %s", known[i].path, zkpath_kind_name(zp.kind));
		assert_int_equal(zp.id, known[i].id);
		if (known[i].name) {
			assert_int_equal(zp.name_len, strlen(known[i].name));
			assert_memory_equal(zp.name, known[i].name, zp.name_len);
		} else {
			assert_null(zp.name);
		}
		assert_true(zkpath_build(out, known[i].kind, known[i].name, known[i].id));
		assert_string_equal(out, known[i].path);
	}
}

static void what_is_not_ours_is_other(void **state)
{
	static const char *const paths[] = {
		"", "brokers/ids", "//", "/brokers", "/brokers/", "/brokers/ids/", "/brokers/topics/",
		"/brokers/topics//partitions/0/state", "/brokers/topics/a/partitions",
		"/brokers/topics/a/partitions/0", "/brokers/topics/a/partitions/0/state/",
		"/brokers/topics/a/partitions/0/stat", "/brokers/topics/a/partitions//state",
		"/brokers/seqid", "/controller/", "/controllers", "/cluster", "/admin/delete_topics/", "/admin/delete_topics/t/child",
		"/config/changes/config_change_0000000001", "/config/users/u", "/zookeeper",
	};

	for (size_t i = 0; i < COUNT(paths); i++)
		if (zkpath_parse(paths[i]).kind != ZKPATH_OTHER)
			fail_msg("%s is a %s", paths[i], zkpath_kind_name(zkpath_parse(paths[i]).kind));
}

static void an_id_that_is_no_canonical_decimal_makes_other(void **state)
{
	static const char *const ids[] = {
		"01", "00", "+1", "-1", "x", "1x", " 1", "2147483648", "99999999999999999999", "1.0",
	};
	char path[100];

	for (size_t i = 0; i < COUNT(ids); i++) {
		snprintf(path, sizeof(path), "/brokers/ids/%s", ids[i]);
		assert_int_equal(zkpath_parse(path).kind, ZKPATH_OTHER);
		snprintf(path, sizeof(path), "/brokers/topics/a/partitions/%s/state", ids[i]);
		assert_int_equal(zkpath_parse(path).kind, ZKPATH_OTHER);
	}
}

static void a_name_zookeeper_would_refuse_is_not_built(void **state)
{
	char longest[ZNODE_NAME_MAX + 2];
	char out[ZKPATH_MAX];

	memset(longest, 'a', sizeof(longest));
	longest[ZNODE_NAME_MAX] = '\0';
	assert_true(zkpath_build(out, ZKPATH_STATE, longest, INT32_MAX));
	assert_int_equal(zkpath_parse(out).name_len, ZNODE_NAME_MAX);
	longest[ZNODE_NAME_MAX] = 'a';
	longest[ZNODE_NAME_MAX + 1] = '\0';
	assert_false(zkpath_build(out, ZKPATH_TOPIC, longest, -1));
	assert_string_equal(out, "");
	assert_false(zkpath_build(out, ZKPATH_TOPIC, "", -1));
	assert_false(zkpath_build(out, ZKPATH_TOPIC, "a/b", -1));
	assert_false(zkpath_build(out, ZKPATH_TOPIC, "..", -1));
	assert_false(zkpath_build(out, ZKPATH_BROKER, NULL, -1));
}

static void the_nodes_read_for_their_children_are_lists(void **state)
{
	static const enum zkpath_kind lists[] = {
		ZKPATH_BROKER_IDS, ZKPATH_TOPICS, ZKPATH_DELETE_TOPICS, ZKPATH_CONFIG_TOPICS,
		ZKPATH_CONFIG_BROKERS, ZKPATH_CONFIG_CHANGES,
	};
	size_t n = 0;

	for (int kind = ZKPATH_OTHER; kind <= ZKPATH_MIGRATION; kind++)
		n += zkpath_is_list((enum zkpath_kind)kind);
	assert_int_equal(n, COUNT(lists));
	for (size_t i = 0; i < COUNT(lists); i++)
		assert_true(zkpath_is_list(lists[i]));
}

static void every_kind_has_a_word_of_its_own(void **state)
{
	for (int a = ZKPATH_OTHER; a <= ZKPATH_MIGRATION; a++)
		for (int b = ZKPATH_OTHER; b < a; b++)
			assert_string_not_equal(zkpath_kind_name((enum zkpath_kind)a),
						zkpath_kind_name((enum zkpath_kind)b));
	assert_string_equal(zkpath_kind_name(ZKPATH_TOPIC_CONFIG), "topic config");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_parsed_and_built_the_same),
		cmocka_unit_test(what_is_not_ours_is_other),
		cmocka_unit_test(an_id_that_is_no_canonical_decimal_makes_other),
		cmocka_unit_test(a_name_zookeeper_would_refuse_is_not_built),
		cmocka_unit_test(the_nodes_read_for_their_children_are_lists),
		cmocka_unit_test(every_kind_has_a_word_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
