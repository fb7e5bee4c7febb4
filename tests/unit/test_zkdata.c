/* SPDX-License-Identifier: Apache-2.0 */
#include "core/zkdata.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "casefile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- one signature for all decoders --------------------------------------- */

typedef bool decode_fn(const char *data, size_t n, struct err *err);

static bool broker(const char *data, size_t n, struct err *err)
{
	struct zk_broker br;

	if (!zk_broker_decode(data, n, &br, err))
		return false;
	zk_broker_fini(&br);
	return true;
}

static bool topic(const char *data, size_t n, struct err *err)
{
	struct zk_topic tp;

	if (!zk_topic_decode(data, n, &tp, err))
		return false;
	zk_topic_fini(&tp);
	return true;
}

static bool state(const char *data, size_t n, struct err *err)
{
	struct zk_state st;

	if (!zk_state_decode(data, n, &st, err))
		return false;
	zk_state_fini(&st);
	return true;
}

static bool controller(const char *data, size_t n, struct err *err)
{
	struct zk_controller co;

	return zk_controller_decode(data, n, &co, err);
}

static bool epoch(const char *data, size_t n, struct err *err)
{
	int32_t v;

	return zk_controller_epoch_decode(data, n, &v, err);
}

static bool cluster_id(const char *data, size_t n, struct err *err)
{
	char *id;

	if (!zk_cluster_id_decode(data, n, &id, err))
		return false;
	mem_free(&id);
	return true;
}

static bool config(const char *data, size_t n, struct err *err)
{
	struct zk_config cfg;

	if (!zk_config_decode(data, n, &cfg, err))
		return false;
	zk_config_fini(&cfg);
	return true;
}

static bool feature(const char *data, size_t n, struct err *err)
{
	struct zk_feature ft;

	return zk_feature_decode(data, n, &ft, err);
}

static bool migration(const char *data, size_t n, struct err *err)
{
	struct zk_migration mg;

	return zk_migration_decode(data, n, &mg, err);
}

static decode_fn *const all[] = {
	broker, topic, state, controller, epoch, cluster_id, config, feature, migration,
};

struct refusal {
	decode_fn *decode;
	const char *data, *text;
};

static void assert_refused_bytes(decode_fn *decode, const char *data, size_t n, const char *text)
{
	struct err err;

	err_init(&err);
	if (decode(data, n, &err))
		fail_msg("%s was read", data);
	assert_string_equal(err.text, text);
	assert_false(decode(data, n, NULL));
}

static void assert_refusals(const struct refusal *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_refused_bytes(v[i].decode, v[i].data, strlen(v[i].data), v[i].text);
}

static void assert_ids(struct ids l, const char *expected)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (uint32_t i = 0; i < l.n; i++)
		strbuf_printf(&sb, "%s%d", i > 0 ? "," : "", (int)l.v[i]);
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

#define MUST(decode, data, out)                                                                     \
	do {                                                                                        \
		struct err must_err;                                                                \
		err_init(&must_err);                                                                \
		if (!decode(data, strlen(data), out, &must_err))                                    \
			fail_msg("%s: %s", data, must_err.text);                                    \
	} while (0)

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

/* ---- brokers -------------------------------------------------------------- */

#define V4 "{\"version\":4,\"jmx_port\":-1,"

static void assert_endpoint(const struct zk_broker *br, size_t i, const char *listener, const char *protocol,
			    const char *text)
{
	char got[300];

	assert_true(i < br->n_endpoints);
	assert_string_equal(br->endpoints[i].listener, listener);
	assert_string_equal(br->endpoints[i].protocol, protocol);
	zk_endpoint_text(&br->endpoints[i], got, sizeof(got));
	assert_string_equal(got, text);
}

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
		cmocka_unit_test(a_controller_may_be_of_kraft),
		cmocka_unit_test(a_controller_epoch_is_decimal_text),
		cmocka_unit_test(a_small_node_kafka_would_choke_on_is_refused),
		cmocka_unit_test(a_cluster_id_is_kept_as_it_stands),
		cmocka_unit_test(features_and_migration_are_read),
		cmocka_unit_test(settings_are_sorted_and_found),
		cmocka_unit_test(a_config_that_is_none_is_no_overrides),
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
		cmocka_unit_test(handed_cases_are_decoded_as_demanded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
