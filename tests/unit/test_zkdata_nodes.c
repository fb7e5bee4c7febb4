/* SPDX-License-Identifier: Apache-2.0 */
/* Brokers, topics, the states of partitions, reassignments. */
#include "core/zkdata.h"

#include "tests/unit/zkdata_check.h"

/* ---- brokers -------------------------------------------------------------- */

#define V4 "{\"version\":4,\"jmx_port\":-1,"

static void a_listener_takes_its_protocol_from_the_map_whatever_its_case(void **unused)
{
	struct zk_broker br;

	MUST(zk_broker_decode, V4 "\"listener_security_protocol_map\":{\"IN\":\"sasl_ssl\"},"
	     "\"endpoints\":[\"in://b:9092\"],\"rack\":null,\"timestamp\":\"1700000000000\",\"x\":{}}", &br);
	assert_endpoint(&br, 0, "IN", "SASL_SSL", "b:9092");
	assert_null(br.rack);
	assert_int_equal(br.timestamp.ms, 1700000000000);
	assert_int_equal(br.json_version, 4);
	assert_int_equal(br.jmx_port, -1);
	zk_broker_fini(&br);
}

static void hosts_are_split_as_kafka_splits_them(void **unused)
{
	static const struct { const char *endpoint, *text; } cases[] = {
		{ "SSL://:9093", ":9093" },
		{ "SSL://[]:9093", ":9093" },
		{ "SSL://b-1.x_y:0", "b-1.x_y:0" },
		{ "SSL://[2001:db8::7]:9093", "[2001:db8::7]:9093" },
		{ "SSL://2001:db8::7:9093", "[2001:db8::7]:9093" },
		{ "SSL://[fe80::1%eth0]:9093", "[fe80::1%eth0]:9093" },
		{ "SSL://b:-1", "b" },
		{ "SSL://b:70000", "b:70000" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct zk_broker br;
		char data[200];

		snprintf(data, sizeof(data), V4 "\"endpoints\":[\"%s\"]}", cases[i].endpoint);
		MUST(zk_broker_decode, data, &br);
		assert_endpoint(&br, 0, "SSL", "SSL", cases[i].text);
		zk_broker_fini(&br);
	}
}

static void the_main_endpoint_is_the_first_plaintext_one(void **unused)
{
	struct zk_broker br;

	MUST(zk_broker_decode, V4 "\"endpoints\":[\"SSL://a:1\",\"PLAINTEXT://b:2\",\"PLAINTEXT://c:3\"]}", &br);
	assert_string_equal(zk_broker_main_endpoint(&br)->host, "b");
	zk_broker_fini(&br);
	MUST(zk_broker_decode, V4 "\"endpoints\":[\"SSL://a:1\",\"SASL_SSL://b:2\"]}", &br);
	assert_string_equal(zk_broker_main_endpoint(&br)->host, "a");
	zk_broker_fini(&br);
	MUST(zk_broker_decode, V4 "\"endpoints\":[]}", &br);
	assert_null(zk_broker_main_endpoint(&br));
	zk_broker_fini(&br);
}

static void a_version_above_five_is_read_as_five(void **unused)
{
	struct zk_broker br;

	MUST(zk_broker_decode, "{\"version\":6,\"jmx_port\":1,\"endpoints\":[\"SSL://a:1\"],\"features\":{\"f\":7}}", &br);
	assert_int_equal(br.json_version, 6);
	zk_broker_fini(&br);
}

static void a_broker_kafka_would_choke_on_is_refused(void **unused)
{
	static const struct refusal v[] = {
		{ broker, "{}", "version: missing" },
		{ broker, "{\"version\":4}", "jmx_port: missing" },
		{ broker, "{\"version\":\"4\",\"jmx_port\":1}", "version: expected a number, found a string" },
		{ broker, "{\"version\":4.0,\"jmx_port\":1}", "version: expected a whole number, found 4.0" },
		{ broker, "{\"version\":0,\"jmx_port\":1}", "version 0 is not one a broker has" },
		{ broker, "{\"version\":-1,\"jmx_port\":1}", "version -1 is not one a broker has" },
		{ broker, "{\"version\":4,\"jmx_port\":null}", "jmx_port: expected a number, found null" },
		{ broker, "{\"version\":1,\"jmx_port\":1}", "host: missing" },
		{ broker, "{\"version\":1,\"jmx_port\":1,\"host\":null,\"port\":1}",
		  "host: expected a string, found null" },
		{ broker, "{\"version\":1,\"jmx_port\":1,\"host\":\"b\",\"port\":\"1\"}",
		  "port: expected a number, found a string" },
		{ broker, V4 "\"host\":\"b\",\"port\":1}", "endpoints: missing" },
		{ broker, V4 "\"endpoints\":{}}", "endpoints: expected an array, found an object" },
		{ broker, V4 "\"endpoints\":[1]}", "endpoints[0]: expected a string, found a number" },
		{ broker, V4 "\"endpoints\":[\"b:9092\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"b:9092\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://b\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"SSL://b\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://b:x\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"SSL://b:x\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://b:+1\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"SSL://b:+1\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://b:2147483648\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"SSL://b:2147483648\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://b c:1\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"SSL://b c:1\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://b\\u001b[m:1\"]}",
		  "endpoints[0]: expected LISTENER://host:port, found \"SSL://b^[[m:1\"" },
		{ broker, V4 "\"endpoints\":[\" ://b:1\"]}", "endpoints[0]: no listener name in \" ://b:1\"" },
		{ broker, V4 "\"endpoints\":[\"SSL://a:1\",\"IN://b:1\"]}", "endpoints[1]: listener IN is not a "
		  "security protocol, and there is no listener_security_protocol_map" },
		{ broker, V4 "\"listener_security_protocol_map\":{\"in\":\"SSL\"},\"endpoints\":[\"in://b:1\"]}",
		  "endpoints[0]: listener IN is not in listener_security_protocol_map" },
		{ broker, V4 "\"listener_security_protocol_map\":{\"IN\":\"TLS\"},\"endpoints\":[]}",
		  "listener_security_protocol_map.IN: \"TLS\" is not a security protocol" },
		{ broker, V4 "\"listener_security_protocol_map\":{\"IN\":1},\"endpoints\":[]}",
		  "listener_security_protocol_map.IN: expected a string, found a number" },
		{ broker, V4 "\"listener_security_protocol_map\":null,\"endpoints\":[]}",
		  "listener_security_protocol_map: expected an object, found null" },
		{ broker, V4 "\"endpoints\":[\"SSL://b:1\"],\"rack\":7}", "rack: expected a string, found a number" },
	};

	assert_refusals(v, COUNT(v));
}

static void a_timestamp_that_is_none_is_unknown(void **unused)
{
	struct zk_controller co;

	MUST(zk_controller_decode, "{\"brokerid\":1,\"timestamp\":\"soon\"}", &co);
	assert_int_equal(co.timestamp.ms, 0);
	MUST(zk_controller_decode, "{\"brokerid\":1,\"timestamp\":null}", &co);
	assert_int_equal(co.timestamp.ms, 0);
	MUST(zk_controller_decode, "{\"brokerid\":1,\"timestamp\":17}", &co);
	assert_int_equal(co.timestamp.ms, 17);
}

/* ---- topics --------------------------------------------------------------- */

static void partitions_are_sorted_by_number(void **unused)
{
	struct zk_topic tp;

	MUST(zk_topic_decode, "{\"partitions\":{\"10\":[1],\"9\":[],\"0\":[2,2]}}", &tp);
	assert_int_equal(tp.n_parts, 3);
	assert_int_equal(tp.parts[0].partition, 0);
	assert_ids(tp.parts[0].replicas, "2,2");
	assert_int_equal(tp.parts[1].partition, 9);
	assert_ids(tp.parts[1].replicas, "");
	assert_int_equal(tp.parts[2].partition, 10);
	assert_int_equal(tp.json_version, 0);
	assert_null(tp.topic_id);
	assert_false(tp.quoted_ids);
	zk_topic_fini(&tp);
}

static void adding_and_removing_go_with_their_partition(void **unused)
{
	struct zk_topic tp;

	MUST(zk_topic_decode, "{\"version\":2,\"partitions\":{\"0\":[4,1,2],\"1\":[1,2]},\"adding_replicas\":{\"0\":[4],"
	     "\"7\":\"never looked at\"},\"removing_replicas\":{\"0\":[2]}}", &tp);
	assert_ids(tp.parts[0].adding, "4");
	assert_ids(tp.parts[0].removing, "2");
	assert_ids(tp.parts[1].adding, "");
	assert_int_equal(tp.n_parts, 2);
	assert_int_equal(tp.json_version, 2);
	zk_topic_fini(&tp);
}

static void the_version_of_a_topic_is_never_looked_at(void **unused)
{
	struct zk_topic tp;

	MUST(zk_topic_decode, "{\"version\":\"x\",\"partitions\":{\"0\":[1]}}", &tp);
	assert_int_equal(tp.json_version, 0);
	zk_topic_fini(&tp);
	MUST(zk_topic_decode, "{\"version\":99}", &tp);
	assert_int_equal(tp.json_version, 99);
	assert_int_equal(tp.n_parts, 0);
	zk_topic_fini(&tp);
}

static void quoted_ids_are_read_and_noted(void **unused)
{
	struct zk_topic tp;

	MUST(zk_topic_decode, "{\"partitions\":{\"0\":[\"1\",\"3\",1,2]},\"adding_replicas\":{\"0\":[\"1\",\"3\"]}}", &tp);
	assert_true(tp.quoted_ids);
	assert_ids(tp.parts[0].replicas, "1,3,1,2");
	assert_ids(tp.parts[0].adding, "1,3");
	zk_topic_fini(&tp);
}

static void partition_keys_are_read_as_java_reads_them(void **unused)
{
	struct zk_topic tp;

	MUST(zk_topic_decode, "{\"partitions\":{\"1\":[1],\"01\":[2],\"+0\":[3]}}", &tp);
	assert_int_equal(tp.n_parts, 2);
	assert_int_equal(tp.parts[0].partition, 0);
	assert_ids(tp.parts[0].replicas, "3");
	assert_int_equal(tp.parts[1].partition, 1);
	assert_ids(tp.parts[1].replicas, "2"); /* the later of the two */
	zk_topic_fini(&tp);
}

static void ids_reach_to_the_limits_of_32_bits(void **unused)
{
	struct zk_topic tp;

	MUST(zk_topic_decode, "{\"partitions\":{\"999999\":[2147483647,-2147483648,-1]}}", &tp);
	assert_ids(tp.parts[0].replicas, "2147483647,-2147483648,-1");
	zk_topic_fini(&tp);
}

static void a_topic_kafka_would_choke_on_is_refused(void **unused)
{
	static const struct refusal v[] = {
		{ topic, "{\"partitions\":null}", "partitions: expected an object, found null" },
		{ topic, "{\"partitions\":[]}", "partitions: expected an object, found an array" },
		{ topic, "{\"partitions\":{},\"adding_replicas\":null}",
		  "adding_replicas: expected an object, found null" },
		{ topic, "{\"partitions\":{},\"removing_replicas\":[]}",
		  "removing_replicas: expected an object, found an array" },
		{ topic, "{\"topic_id\":7}", "topic_id: expected a string, found a number" },
		{ topic, "{\"partitions\":{\"x\":[1]}}", "partitions: \"x\" is not a partition number" },
		{ topic, "{\"partitions\":{\"\":[1]}}", "partitions: \"\" is not a partition number" },
		{ topic, "{\"partitions\":{\"-1\":[1]}}", "partitions: \"-1\" is not a partition number" },
		{ topic, "{\"partitions\":{\"1.0\":[1]}}", "partitions: \"1.0\" is not a partition number" },
		{ topic, "{\"partitions\":{\"2147483648\":[1]}}",
		  "partitions: \"2147483648\" is not a partition number" },
		{ topic, "{\"partitions\":{\"1000000\":[1]}}",
		  "partitions: 1000000, the limit is 1000000 partitions" },
		{ topic, "{\"partitions\":{\"0\":1}}",
		  "partitions.0: expected a list of numbers, found 1" },
		{ topic, "{\"partitions\":{\"0\":[1],\"3\":[1,null]}}",
		  "partitions.3[1]: expected a number, found null" },
		{ topic, "{\"partitions\":{\"0\":[1.0]}}", "partitions.0[0]: expected a whole number, found 1.0" },
		{ topic, "{\"partitions\":{\"0\":[\"x\"]}}", "partitions.0[0]: expected a number, found a string" },
		{ topic, "{\"partitions\":{\"0\":[\"2147483648\"]}}",
		  "partitions.0[0]: expected a number, found a string" },
		{ topic, "{\"partitions\":{\"0\":[2147483648]}}",
		  "partitions.0[0]: expected a number of 32 bits, found 2147483648" },
		{ topic, "{\"partitions\":{\"0\":[1]},\"adding_replicas\":{\"0\":{}}}",
		  "adding_replicas.0: expected a list of numbers, found an object" },
	};

	assert_refusals(v, COUNT(v));
}

static void too_many_replicas_are_refused(void **unused)
{
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "{\"partitions\":{\"0\":[0");
	for (int i = 1; i <= REPLICAS_MAX; i++)
		strbuf_printf(&sb, ",%d", i);
	strbuf_put(&sb, "]}}");
	assert_refused_bytes(topic, sb.s, sb.len, "partitions.0: 4097 brokers, the limit is 4096");
	strbuf_fini(&sb);
}

/* ---- partition state ------------------------------------------------------ */

#define STATE(more) "{\"leader\":1,\"leader_epoch\":2,\"controller_epoch\":3," more "}"

static void a_state_is_read_by_key(void **unused)
{
	struct zk_state st;

	MUST(zk_state_decode, "{\"isr\":[3,1],\"version\":99,\"controller_epoch\":17,\"leader_epoch\":2147483647,"
	     "\"leader\":3,\"leader_recovery_state\":0,\"x\":[{}]}", &st);
	assert_int_equal(st.leader, 3);
	assert_int_equal(st.leader_epoch, INT32_MAX);
	assert_int_equal(st.controller_epoch, 17);
	assert_false(st.recovering);
	assert_ids(st.isr, "3,1");
	zk_state_fini(&st);
	MUST(zk_state_decode, STATE("\"isr\":[]"), &st);
	assert_ids(st.isr, "");
	zk_state_fini(&st);
}

static void a_state_kafka_would_choke_on_is_refused(void **unused)
{
	static const struct refusal v[] = {
		{ state, "{}", "leader: missing" },
		{ state, "{\"leader\":1}", "leader_epoch: missing" },
		{ state, "{\"leader\":1,\"leader_epoch\":1}", "controller_epoch: missing" },
		{ state, STATE("\"x\":1"), "isr: missing" },
		{ state, "{\"leader\":null}", "leader: expected a number, found null" },
		{ state, "{\"leader\":\"1\"}", "leader: expected a number, found a string" },
		{ state, "{\"leader\":1.0}", "leader: expected a whole number, found 1.0" },
		{ state, "{\"leader\":2147483648}", "leader: expected a number of 32 bits, found 2147483648" },
		{ state, "{\"leader\":-2147483649}", "leader: expected a number of 32 bits, found -2147483649" },
		{ state, STATE("\"isr\":null"), "isr: expected a list of numbers, found null" },
		{ state, STATE("\"isr\":\"1,2\""), "isr: expected a list of numbers, found a string" },
		{ state, STATE("\"isr\":[1,\"2\"]"), "isr[1]: expected a number, found a string" },
		{ state, STATE("\"isr\":[1,2.5]"), "isr[1]: expected a whole number, found 2.5" },
		{ state, STATE("\"isr\":[[]]"), "isr[0]: expected a number, found an array" },
		{ state, STATE("\"isr\":[],\"leader_recovery_state\":2"),
		  "leader_recovery_state: expected 0 or 1, found 2" },
		{ state, STATE("\"isr\":[],\"leader_recovery_state\":true"),
		  "leader_recovery_state: expected a number, found a boolean" },
	};

	assert_refusals(v, COUNT(v));
}

static void a_failure_leaves_nothing_behind(void **unused)
{
	struct zk_state st = { .leader = 77 };
	struct zk_topic tp = { .json_version = 77 };
	struct zk_broker br = { .json_version = 77 };

	assert_false(zk_state_decode("{", 1, &st, NULL));
	assert_false(zk_topic_decode("{", 1, &tp, NULL));
	assert_false(zk_broker_decode("{", 1, &br, NULL));
	assert_int_equal(st.leader, 77);
	assert_int_equal(tp.json_version, 77);
	assert_int_equal(br.json_version, 77);
}

/* ---- reassignment --------------------------------------------------------- */

#define MOVE(more) "{\"version\":1,\"partitions\":[" more "]}"

static void assert_shape(const char *data, enum zk_reassign_shape shape, const char *why)
{
	struct zk_reassign re;

	zk_reassign_decode(data, strlen(data), &re);
	if (re.shape != shape)
		fail_msg("%s has shape %d: %s", data, (int)re.shape, re.why);
	assert_string_equal(re.why, why);
	if (shape != ZK_REASSIGN_OK && shape != ZK_REASSIGN_QUOTED_IDS)
		assert_int_equal(re.n, 0);
	zk_reassign_fini(&re);
}

static void a_reassignment_is_read(void **unused)
{
	static const char data[] = "{\"partitions\":[{\"topic\":\"t\",\"partition\":0,\"replicas\":[4,5]},"
				   "{\"replicas\":[],\"partition\":1,\"topic\":\"t\"}],\"version\":9} behind it";
	struct zk_reassign re;

	zk_reassign_decode(data, sizeof(data) - 1, &re);
	assert_int_equal(re.shape, ZK_REASSIGN_OK);
	assert_string_equal(re.why, "");
	assert_int_equal(re.n, 2);
	assert_string_equal(re.v[0].topic, "t");
	assert_int_equal(re.v[0].partition, 0);
	assert_ids(re.v[0].replicas, "4,5");
	assert_int_equal(re.v[1].partition, 1);
	assert_ids(re.v[1].replicas, "");
	zk_reassign_fini(&re);
	assert_int_equal(re.n, 0);
}

static void a_broker_named_twice_is_left_to_stand(void **unused)
{
	static const char data[] = MOVE("{\"topic\":\"t\",\"partition\":0,\"replicas\":[2,2]}");
	struct zk_reassign re;

	zk_reassign_decode(data, sizeof(data) - 1, &re);
	assert_int_equal(re.shape, ZK_REASSIGN_OK);
	assert_ids(re.v[0].replicas, "2,2");
	zk_reassign_fini(&re);
}

static void of_two_entries_for_one_partition_the_later_counts(void **unused)
{
	static const char data[] = MOVE("{\"topic\":\"t\",\"partition\":0,\"replicas\":[1]},"
					"{\"topic\":\"u\",\"partition\":0,\"replicas\":[2]},"
					"{\"topic\":\"t\",\"partition\":\"0\",\"replicas\":[3]}");
	struct zk_reassign re;

	zk_reassign_decode(data, sizeof(data) - 1, &re);
	assert_int_equal(re.n, 2);
	assert_string_equal(re.v[0].topic, "t");
	assert_ids(re.v[0].replicas, "3");
	assert_ids(re.v[1].replicas, "2");
	zk_reassign_fini(&re);
}

static void numbers_are_coerced_as_jackson_binds_them(void **unused)
{
	static const char data[] = "{\"version\":\"1\",\"partitions\":[{\"topic\":7,\"partition\":\" 2 \","
				   "\"replicas\":[1]},{\"topic\":\"t\",\"partition\":1.9,\"replicas\":[1]},"
				   "{\"replicas\":[1]}]}";
	struct zk_reassign re;

	zk_reassign_decode(data, sizeof(data) - 1, &re);
	assert_int_equal(re.shape, ZK_REASSIGN_OK);
	assert_string_equal(re.v[0].topic, "7");
	assert_int_equal(re.v[0].partition, 2);
	assert_int_equal(re.v[1].partition, 1);
	assert_string_equal(re.v[2].topic, "");
	assert_int_equal(re.v[2].partition, 0);
	zk_reassign_fini(&re);
}

static void an_empty_list_is_empty(void **unused)
{
	assert_shape("", ZK_REASSIGN_EMPTY, "empty data: nothing starts");
	assert_shape(MOVE(""), ZK_REASSIGN_EMPTY, "the partitions list is empty: nothing starts");
	assert_shape("{\"version\":1,\"partitions\":{}}", ZK_REASSIGN_EMPTY,
		     "the partitions list is empty: nothing starts");
}

static void what_does_not_bind_is_ignored(void **unused)
{
	assert_shape("[]", ZK_REASSIGN_IGNORED, "expected an object, found an array: nothing starts");
	assert_shape("{\"version\":1,\"partitions\":[],\"log_dirs\":[]}", ZK_REASSIGN_IGNORED,
		     "unknown field \"log_dirs\": it voids the whole node, nothing starts");
	assert_shape(MOVE("{\"topic\":\"t\",\"partition\":0,\"replicas\":[1],\"log_dirs\":[\"any\"]}"),
		     ZK_REASSIGN_IGNORED, "unknown field \"log_dirs\": it voids the whole node, nothing starts");
	assert_shape("{\"version\":\"x\",\"partitions\":[]}", ZK_REASSIGN_IGNORED,
		     "version is no number (a string): nothing starts");
	assert_shape("{\"version\":1,\"partitions\":{\"0\":[1]}}", ZK_REASSIGN_IGNORED,
		     "partitions is an object, not a list: nothing starts");
	assert_shape(MOVE("7"), ZK_REASSIGN_IGNORED, "partitions[0] is a number, not an object: nothing starts");
	assert_shape(MOVE("{\"topic\":[],\"partition\":0,\"replicas\":[1]}"), ZK_REASSIGN_IGNORED,
		     "partitions[0].topic is an array, not a string: nothing starts");
	assert_shape(MOVE("{\"topic\":\"t\",\"partition\":\"x\",\"replicas\":[1]}"), ZK_REASSIGN_IGNORED,
		     "partitions[0].partition is no partition number (a string): nothing starts");
	assert_shape(MOVE("{\"topic\":\"t\",\"partition\":2147483648,\"replicas\":[1]}"), ZK_REASSIGN_IGNORED,
		     "partitions[0].partition is no partition number (a number): nothing starts");
	assert_shape(MOVE("{\"topic\":\"t\",\"partition\":0,\"replicas\":\"1\"}"), ZK_REASSIGN_IGNORED,
		     "partitions[0].replicas is a string, not a list: nothing starts");
}

static void broken_json_is_ignored(void **unused)
{
	struct zk_reassign re;

	zk_reassign_decode("{\"version\":1,", 13, &re);
	assert_int_equal(re.shape, ZK_REASSIGN_IGNORED);
	assert_non_null(strstr(re.why, "nothing starts: bad JSON at line 1 column 13"));
	zk_reassign_fini(&re);
}

static void a_missing_list_is_poison(void **unused)
{
	static const char why[] = "no partitions list: API 45 gets no answer and the next controller election "
				  "never ends; delete the node";

	assert_shape("{\"version\":1}", ZK_REASSIGN_NO_LIST, why);
	assert_shape("{\"version\":1,\"partitions\":null}", ZK_REASSIGN_NO_LIST, why);
	assert_shape("{}", ZK_REASSIGN_NO_LIST, why);
	assert_shape("null", ZK_REASSIGN_NO_LIST, why);
	assert_shape(MOVE("{\"topic\":\"t\",\"partition\":0}"), ZK_REASSIGN_NO_LIST,
		     "partitions[0] has no replicas: the controller fails on it at every read; delete the node");
	assert_shape(MOVE("null"), ZK_REASSIGN_NO_LIST,
		     "partitions[0] has no replicas: the controller fails on it at every read; delete the node");
	/* What does not bind never gets as far. */
	assert_shape("{\"version\":1,\"x\":1}", ZK_REASSIGN_IGNORED,
		     "unknown field \"x\": it voids the whole node, nothing starts");
	assert_shape(MOVE("null,7"), ZK_REASSIGN_IGNORED, "partitions[1] is a number, not an object: nothing starts");
}

static void quoted_brokers_are_poison_and_shown(void **unused)
{
	static const char data[] = MOVE("{\"topic\":\"t\",\"partition\":0,\"replicas\":[1,\"3\",\"x\",2.5]}");
	struct zk_reassign re;

	zk_reassign_decode(data, sizeof(data) - 1, &re);
	assert_int_equal(re.shape, ZK_REASSIGN_QUOTED_IDS);
	assert_string_equal(re.why, "partitions[0].replicas[1] is a string, not a number: it gets into the topic "
			    "node and breaks the next controller election");
	assert_int_equal(re.n, 1);
	assert_ids(re.v[0].replicas, "1,3");
	zk_reassign_fini(&re);
}

static void a_long_reason_is_cut_between_characters(void **unused)
{
	char data[1000];
	struct zk_reassign re;

	memset(data, 0, sizeof(data));
	snprintf(data, sizeof(data), "{\"%s\":1}", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		 "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		 "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		 "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		 "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		 "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
	zk_reassign_decode(data, strlen(data), &re);
	assert_int_equal(re.shape, ZK_REASSIGN_IGNORED);
	assert_true(strlen(re.why) >= sizeof(re.why) - 2);
	assert_int_not_equal((unsigned char)re.why[strlen(re.why) - 1], 0xc3);
	zk_reassign_fini(&re);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_listener_takes_its_protocol_from_the_map_whatever_its_case),
		cmocka_unit_test(hosts_are_split_as_kafka_splits_them),
		cmocka_unit_test(the_main_endpoint_is_the_first_plaintext_one),
		cmocka_unit_test(a_version_above_five_is_read_as_five),
		cmocka_unit_test(a_broker_kafka_would_choke_on_is_refused),
		cmocka_unit_test(a_timestamp_that_is_none_is_unknown),
		cmocka_unit_test(partitions_are_sorted_by_number),
		cmocka_unit_test(adding_and_removing_go_with_their_partition),
		cmocka_unit_test(the_version_of_a_topic_is_never_looked_at),
		cmocka_unit_test(quoted_ids_are_read_and_noted),
		cmocka_unit_test(partition_keys_are_read_as_java_reads_them),
		cmocka_unit_test(ids_reach_to_the_limits_of_32_bits),
		cmocka_unit_test(a_topic_kafka_would_choke_on_is_refused),
		cmocka_unit_test(too_many_replicas_are_refused),
		cmocka_unit_test(a_state_is_read_by_key),
		cmocka_unit_test(a_state_kafka_would_choke_on_is_refused),
		cmocka_unit_test(a_failure_leaves_nothing_behind),
		cmocka_unit_test(a_reassignment_is_read),
		cmocka_unit_test(a_broker_named_twice_is_left_to_stand),
		cmocka_unit_test(of_two_entries_for_one_partition_the_later_counts),
		cmocka_unit_test(numbers_are_coerced_as_jackson_binds_them),
		cmocka_unit_test(an_empty_list_is_empty),
		cmocka_unit_test(what_does_not_bind_is_ignored),
		cmocka_unit_test(broken_json_is_ignored),
		cmocka_unit_test(a_missing_list_is_poison),
		cmocka_unit_test(quoted_brokers_are_poison_and_shown),
		cmocka_unit_test(a_long_reason_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
