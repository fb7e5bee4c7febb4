/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of all kinds, the small nodes, and the cases of tests/cases. */
#include "core/zkdata.h"

#include "tests/unit/zkdata_check.h"

#include "casefile.h"

/* ---- bytes of all kinds --------------------------------------------------- */

static void no_data_is_said_so(void **unused)
{
	for (size_t i = 0; i < COUNT(all); i++)
		if (all[i] != config)
			assert_refused_bytes(all[i], "", 0,
					     all[i] == broker ? "empty data: not ready yet" : "empty data");
	/* ConfigEntityZNode.decode: no data is no overrides. */
	assert_true(config("", 0, NULL));
}

static void broken_json_is_said_with_its_place(void **unused)
{
	static const char *const broken[] = {
		"{", "{\"leader\":1", "{\"leader\":1,}", "{'leader':1}", "\xff\xfe", "{\"leader\":\"\xff\"}",
		"{\"leader\":01}", " ", "{\"leader\":NaN}", "nonsense",
	};
	static const char start[] = "bad JSON at line 1 column ";

	for (size_t i = 0; i < COUNT(all); i++) {
		for (size_t k = 0; k < COUNT(broken) && all[i] != epoch; k++) {
			struct err err;

			err_init(&err);
			assert_false(all[i](broken[k], strlen(broken[k]), &err));
			if (strncmp(err.text, start, sizeof(start) - 1) != 0)
				fail_msg("%s", err.text);
		}
	}
}

static void another_value_than_an_object_is_refused(void **unused)
{
	static const struct { const char *data, *text; } cases[] = {
		{ "[]", "expected an object, found an array" },
		{ "null", "expected an object, found null" },
		{ "17", "expected an object, found a number" },
	};

	for (size_t i = 0; i < COUNT(all); i++)
		for (size_t k = 0; k < COUNT(cases) && all[i] != epoch && all[i] != config; k++)
			assert_refused_bytes(all[i], cases[k].data, strlen(cases[k].data), cases[k].text);
}

static void a_mark_before_and_anything_behind_the_value_are_passed_over(void **unused)
{
	static const char *const data[] = {
		"\xef\xbb\xbf{\"brokerid\":3}", "{\"brokerid\":3}\n", "{\"brokerid\":3} trailing {",
		"\r\n\t {\"brokerid\":3}}", "{\"brokerid\":3,\"a\":\"}\\\"{\"}\xff\xff",
	};
	struct zk_controller co;

	for (size_t i = 0; i < COUNT(data); i++) {
		MUST(zk_controller_decode, data[i], &co);
		assert_int_equal(co.broker, 3);
	}
}

static void of_duplicate_keys_the_last_counts(void **unused)
{
	struct zk_controller co;

	MUST(zk_controller_decode, "{\"brokerid\":\"x\",\"brokerid\":4}", &co);
	assert_int_equal(co.broker, 4);
}

static void deep_nesting_is_refused(void **unused)
{
	char data[4096];

	memset(data, '[', sizeof(data));
	memcpy(data, "{\"x\":", 5);
	for (size_t i = 0; i < COUNT(all); i++)
		if (all[i] != epoch)
			assert_refused_bytes(all[i], data, sizeof(data), "JSON is nested more than 64 deep");
}

static void a_megabyte_is_read(void **unused)
{
	enum { PARTS = 60000 };
	struct zk_topic tp;
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "{\"version\":1,\"partitions\":{");
	for (int i = PARTS - 1; i >= 0; i--)
		strbuf_printf(&sb, "\"%d\":[%d,%d]%s", i, i % 5, 5 + i % 3, i > 0 ? "," : "}}");
	assert_true(sb.len > 800000);
	MUST(zk_topic_decode, sb.s, &tp);
	assert_int_equal(tp.n_parts, PARTS);
	for (int i = 0; i < PARTS; i++)
		assert_int_equal(tp.parts[i].partition, i);
	zk_topic_fini(&tp);

	strbuf_clear(&sb);
	while (sb.len < 1024 * 1024)
		strbuf_put(&sb, "junk ");
	for (size_t i = 0; i < COUNT(all); i++)
		assert_false(all[i](sb.s, sb.len, NULL));
	strbuf_fini(&sb);
}

/* ---- the small nodes ------------------------------------------------------ */

static void a_controller_may_be_of_kraft(void **unused)
{
	struct zk_controller co;

	MUST(zk_controller_decode, "{\"version\":1,\"brokerid\":3,\"timestamp\":\"1700000000000\"}", &co);
	assert_int_equal(co.broker, 3);
	assert_int_equal(co.timestamp.ms, 1700000000000);
	assert_int_equal(co.kraft_epoch, -1);
	MUST(zk_controller_decode, "{\"version\":2,\"brokerid\":3000,\"kraftControllerEpoch\":5}", &co);
	assert_int_equal(co.kraft_epoch, 5);
	assert_int_equal(co.timestamp.ms, 0);
}

static void a_controller_epoch_is_decimal_text(void **unused)
{
	int32_t v;

	MUST(zk_controller_epoch_decode, "17", &v);
	assert_int_equal(v, 17);
	MUST(zk_controller_epoch_decode, "2147483647", &v);
	assert_int_equal(v, INT32_MAX);
	assert_true(zk_controller_epoch_decode("12345", 2, &v, NULL));
	assert_int_equal(v, 12); /* not a byte past n */
}

static void a_small_node_kafka_would_choke_on_is_refused(void **unused)
{
	static const struct refusal v[] = {
		{ controller, "{}", "brokerid: missing" },
		{ controller, "{\"brokerid\":\"3\"}", "brokerid: expected a number, found a string" },
		{ controller, "{\"brokerid\":3,\"kraftControllerEpoch\":null}",
		  "kraftControllerEpoch: expected a number, found null" },
		{ epoch, "17\n", "expected a decimal number of 32 bits, found \"17^J\"" },
		{ epoch, "", "empty data" },
		{ epoch, "x", "expected a decimal number of 32 bits, found \"x\"" },
		{ epoch, "2147483648", "expected a decimal number of 32 bits, found \"2147483648\"" },
		{ epoch, "00000000000000000000000000000000000000000000x", "expected a decimal number of 32 bits, "
		  "found \"0000000000000000000000000000000000000000\"..." },
		{ cluster_id, "{}", "id: missing" },
		{ cluster_id, "{\"id\":7}", "id: expected a string, found a number" },
		{ feature, "{\"status\":1}", "version: missing" },
		{ feature, "{\"version\":3}", "version 3 is not one we know" },
		{ feature, "{\"version\":0}", "version 0 is not one we know" },
		{ feature, "{\"version\":1}", "status: missing" },
		{ feature, "{\"version\":1,\"status\":2,\"features\":{}}", "status: expected 0 or 1, found 2" },
		{ feature, "{\"version\":1,\"status\":1}", "features: missing" },
		{ feature, "{\"version\":1,\"status\":1,\"features\":{\"f\":{\"max_version_level\":2}}}",
		  "features: f: min_version_level: missing" },
		{ feature, "{\"version\":2,\"status\":1,\"features\":{\"f\":{\"max_version_level\":0}}}",
		  "features: f: levels 1 to 0 make no range from 1 up" },
		{ feature, "{\"version\":2,\"status\":1,\"features\":{\"f\":2}}",
		  "features: f: expected an object, found 2" },
		{ migration, "{\"version\":1}", "version 1 is not one we know" },
		{ migration, "{\"version\":0}", "kraft_controller_id: missing" },
		{ migration, "{\"version\":0,\"kraft_controller_id\":1}", "kraft_controller_epoch: missing" },
	};

	assert_refusals(v, COUNT(v));
}

static void a_cluster_id_is_kept_as_it_stands(void **unused)
{
	char *id;

	MUST(zk_cluster_id_decode, "{\"version\":\"1\",\"id\":\"-Nv3pXoQTmuHx2d0aFqZxw\"}", &id);
	assert_string_equal(id, "-Nv3pXoQTmuHx2d0aFqZxw");
	mem_free(&id);
}

static void features_and_migration_are_read(void **unused)
{
	struct zk_feature ft;
	struct zk_migration mg;

	MUST(zk_feature_decode, "{\"version\":1,\"status\":0,\"features\":{}}", &ft);
	assert_int_equal(ft.json_version, 1);
	assert_false(ft.enabled);
	assert_int_equal(ft.n_features, 0);
	MUST(zk_feature_decode, "{\"version\":1,\"status\":1,\"features\":{\"f\":{\"min_version_level\":1,"
	     "\"max_version_level\":2}}}", &ft);
	MUST(zk_feature_decode, "{\"version\":2,\"status\":1,\"features\":{\"f\":{\"max_version_level\":2}}}", &ft);
	assert_true(ft.enabled);
	assert_int_equal(ft.n_features, 1);
	MUST(zk_migration_decode, "{\"version\":0,\"kraft_controller_id\":3000,\"kraft_controller_epoch\":5,"
	     "\"kraft_metadata_offset\":1234,\"kraft_metadata_epoch\":5}", &mg);
	assert_int_equal(mg.kraft_controller_id, 3000);
	assert_int_equal(mg.kraft_controller_epoch, 5);
}

static void settings_are_sorted_and_found(void **unused)
{
	struct zk_config cfg;

	MUST(zk_config_decode, "{\"version\":7,\"config\":{\"retention.ms\":\"1\",\"cleanup.policy\":\"\",\"b\":17,"
	     "\"c\":[1,\"x\"],\"d\":null,\"e\":\"a\\u0000b\"}}", &cfg);
	assert_int_equal(cfg.n, 6);
	assert_string_equal(cfg.v[0].key, "b");
	assert_string_equal(cfg.v[5].key, "retention.ms");
	assert_string_equal(zk_config_find(&cfg, "retention.ms"), "1");
	assert_string_equal(zk_config_find(&cfg, "cleanup.policy"), "");
	assert_string_equal(zk_config_find(&cfg, "b"), "17");
	assert_string_equal(zk_config_find(&cfg, "c"), "[1,\"x\"]");
	assert_string_equal(zk_config_find(&cfg, "d"), "null");
	assert_string_equal(zk_config_find(&cfg, "e"), "\"a\\u0000b\"");
	assert_null(zk_config_find(&cfg, "a"));
	assert_null(zk_config_find(&cfg, "z"));
	zk_config_fini(&cfg);
	assert_null(zk_config_find(&cfg, "b"));
}

static void a_config_that_is_none_is_no_overrides(void **unused)
{
	static const char *const none[] = {
		"{}", "{\"config\":null}", "{\"config\":{}}", "{\"config\":[]}", "{\"version\":1,\"config\":\"x\"}",
		"null", "[]", "17",
	};

	for (size_t i = 0; i < COUNT(none); i++) {
		struct zk_config cfg;

		MUST(zk_config_decode, none[i], &cfg);
		assert_int_equal(cfg.n, 0);
		zk_config_fini(&cfg);
	}
}

/* ---- cases ---------------------------------------------------------------- */

static void check_broker_v1(const char *data, size_t n)
{
	struct zk_broker br;

	assert_true(zk_broker_decode(data, n, &br, NULL));
	assert_int_equal(br.n_endpoints, 1);
	assert_endpoint(&br, 0, "PLAINTEXT", "PLAINTEXT", "b1.example:9092");
	assert_null(br.rack);
	assert_int_equal(br.jmx_port, 9999);
	assert_int_equal(br.timestamp.ms, 1400000000000);
	zk_broker_fini(&br);
}

static void check_broker_v2(const char *data, size_t n)
{
	struct zk_broker br;

	assert_true(zk_broker_decode(data, n, &br, NULL));
	assert_int_equal(br.n_endpoints, 2);
	assert_endpoint(&br, 0, "PLAINTEXT", "PLAINTEXT", "b2.example:9092");
	assert_endpoint(&br, 1, "SSL", "SSL", "b2.example:9093");
	assert_ptr_equal(zk_broker_main_endpoint(&br), &br.endpoints[0]);
	zk_broker_fini(&br);
}

static void check_host_null(const char *data, size_t n)
{
	struct zk_broker br;

	assert_true(zk_broker_decode(data, n, &br, NULL));
	assert_int_equal(br.n_endpoints, 2);
	assert_endpoint(&br, 0, "SASL_SSL", "SASL_SSL", "b3.example:9092");
	assert_endpoint(&br, 1, "SASL_PLAINTEXT", "SASL_PLAINTEXT", "b3.example:9093");
	assert_ptr_equal(zk_broker_main_endpoint(&br), &br.endpoints[0]);
	zk_broker_fini(&br);
}

static void check_map(const char *data, size_t n)
{
	struct zk_broker br;

	assert_true(zk_broker_decode(data, n, &br, NULL));
	assert_int_equal(br.n_endpoints, 2);
	assert_endpoint(&br, 0, "INTERNAL", "PLAINTEXT", "b4-int.example:9092");
	assert_endpoint(&br, 1, "EXTERNAL", "SASL_SSL", "b4.example:9443");
	assert_string_equal(br.rack, "eu-1a");
	zk_broker_fini(&br);
}

static void check_ipv6(const char *data, size_t n)
{
	struct zk_broker br;

	assert_true(zk_broker_decode(data, n, &br, NULL));
	assert_int_equal(br.n_endpoints, 2);
	assert_string_equal(br.endpoints[0].host, "2001:db8::7");
	assert_string_equal(br.endpoints[1].host, "fe80::1%eth0");
	assert_endpoint(&br, 0, "PLAINTEXT", "PLAINTEXT", "[2001:db8::7]:9092");
	assert_endpoint(&br, 1, "SSL", "SSL", "[fe80::1%eth0]:9093");
	zk_broker_fini(&br);
}

static void check_topic_v1(const char *data, size_t n)
{
	struct zk_topic tp;

	assert_true(zk_topic_decode(data, n, &tp, NULL));
	assert_int_equal(tp.n_parts, 3);
	assert_ids(tp.parts[0].replicas, "1,2,3");
	assert_ids(tp.parts[1].replicas, "2,3,1");
	assert_ids(tp.parts[2].replicas, "3,1,2");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(tp.parts[i].partition, i);
		assert_ids(tp.parts[i].adding, "");
		assert_ids(tp.parts[i].removing, "");
	}
	assert_null(tp.topic_id);
	zk_topic_fini(&tp);
}

static void check_topic_id(const char *data, size_t n)
{
	struct zk_topic tp;

	assert_true(zk_topic_decode(data, n, &tp, NULL));
	assert_string_equal(tp.topic_id, "-Jx3kqUqTfW0pJm3c9b2Aw");
	assert_int_equal(tp.json_version, 3);
	assert_int_equal(tp.n_parts, 1);
	zk_topic_fini(&tp);
}

static void check_no_leader(const char *data, size_t n)
{
	struct zk_state st;

	assert_true(zk_state_decode(data, n, &st, NULL));
	assert_int_equal(st.leader, BROKER_NONE);
	assert_int_equal(st.leader_epoch, 12);
	assert_int_equal(st.controller_epoch, 7);
	assert_ids(st.isr, "3");
	assert_false(st.recovering);
	zk_state_fini(&st);
}

static void check_recovering(const char *data, size_t n)
{
	struct zk_state st;

	assert_true(zk_state_decode(data, n, &st, NULL));
	assert_int_equal(st.leader, 2);
	assert_ids(st.isr, "2");
	assert_true(st.recovering);
	zk_state_fini(&st);
}

static void handed_cases_are_decoded_as_demanded(void **unused)
{
	static const struct { const char *file; void (*check)(const char *data, size_t n); } cases[] = {
		{ "ZN-01-broker-v1.znode", check_broker_v1 },
		{ "ZN-02-broker-v2.znode", check_broker_v2 },
		{ "ZN-03-broker-host-null.znode", check_host_null },
		{ "ZN-04-broker-v4-map.znode", check_map },
		{ "ZN-06-broker-ipv6.znode", check_ipv6 },
		{ "ZN-12-topic-v1.znode", check_topic_v1 },
		{ "ZN-14-topic-v3-id.znode", check_topic_id },
		{ "ZN-20-state-no-leader.znode", check_no_leader },
		{ "ZN-22-state-recovering.znode", check_recovering },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t n;
		char *data = case_read(cases[i].file, &n);

		print_message("# %s\n", cases[i].file);
		cases[i].check(data, n);
		mem_free(&data);
	}
}

/* The text of the endpoint for `protocol`, "" for none. */
static const char *endpoint_for(const char *node, enum client_protocol protocol)
{
	static char text[80];
	struct zk_broker br;
	const struct zk_endpoint *ep;

	assert_true(zk_broker_decode(node, strlen(node), &br, NULL));
	ep = zk_broker_endpoint_for(&br, protocol);
	text[0] = '\0';
	if (ep)
		zk_endpoint_text(ep, text, sizeof(text));
	zk_broker_fini(&br);
	return text;
}

static void the_endpoint_of_a_client_is_the_first_that_speaks_its_protocol(void **state)
{
	static const char old[] = "{\"version\":1,\"host\":\"b1\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"0\"}";
	static const char named[] = "{\"version\":4,\"jmx_port\":-1,\"host\":null,\"port\":-1,"
		"\"listener_security_protocol_map\":{\"REPL\":\"SSL\",\"OUT\":\"SASL_SSL\",\"IN\":\"SASL_SSL\",\"SSL\":\"PLAINTEXT\"},"
		"\"endpoints\":[\"REPL://r:1\",\"OUT://[2001:db8::1]:2\",\"IN://i:3\",\"SSL://p:4\"]}";
	static const char no_port[] = "{\"version\":4,\"jmx_port\":-1,\"listener_security_protocol_map\":{\"A\":\"SSL\",\"B\":\"SSL\",\"C\":\"SSL\"},"
		"\"endpoints\":[\"A://a:-1\",\"B://:9\",\"C://c:9\"]}";
	static const char none[] = "{\"version\":4,\"jmx_port\":-1,\"endpoints\":[]}";

	assert_string_equal(endpoint_for(old, CLIENT_PLAINTEXT), "b1:9092");
	assert_string_equal(endpoint_for(old, CLIENT_SSL), "");
	assert_string_equal(endpoint_for(old, CLIENT_SASL_PLAINTEXT), "");
	/* The map counts, never the listener's name; of two the first. */
	assert_string_equal(endpoint_for(named, CLIENT_SSL), "r:1");
	assert_string_equal(endpoint_for(named, CLIENT_PLAINTEXT), "p:4");
	assert_string_equal(endpoint_for(named, CLIENT_SASL_SSL), "[2001:db8::1]:2");
	assert_string_equal(endpoint_for(named, CLIENT_SASL_PLAINTEXT), "");
	/* What can't be connected to is passed over. */
	assert_string_equal(endpoint_for(no_port, CLIENT_SSL), "c:9");
	assert_string_equal(endpoint_for(none, CLIENT_PLAINTEXT), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_data_is_said_so),
		cmocka_unit_test(broken_json_is_said_with_its_place),
		cmocka_unit_test(another_value_than_an_object_is_refused),
		cmocka_unit_test(a_mark_before_and_anything_behind_the_value_are_passed_over),
		cmocka_unit_test(of_duplicate_keys_the_last_counts),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(a_megabyte_is_read),
		cmocka_unit_test(a_controller_may_be_of_kraft),
		cmocka_unit_test(a_controller_epoch_is_decimal_text),
		cmocka_unit_test(a_small_node_kafka_would_choke_on_is_refused),
		cmocka_unit_test(a_cluster_id_is_kept_as_it_stands),
		cmocka_unit_test(features_and_migration_are_read),
		cmocka_unit_test(settings_are_sorted_and_found),
		cmocka_unit_test(a_config_that_is_none_is_no_overrides),
		cmocka_unit_test(the_endpoint_of_a_client_is_the_first_that_speaks_its_protocol),
		cmocka_unit_test(handed_cases_are_decoded_as_demanded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
