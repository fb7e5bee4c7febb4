/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/configs.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static void a_request_is_the_bytes_of_the_schema(void **unused)
{
	static const char *const keys[] = { "a" };
	static const struct wire_config_query v[] = {
		{ WIRE_RESOURCE_TOPIC, "t", keys, 1 }, { WIRE_RESOURCE_BROKER, "1", NULL, 0 },
	};
	struct wire_writer wr;

	sent_begin(&wr, WIRE_DESCRIBE_CONFIGS, 1);
	wire_configs_encode(&wr, 1, v, 2, true);
	sent_end(&wr, "00000024 0020 0001 00000001 0002 6b63 00000002 02 0001 74 00000001 0001 61 04 0001 31 ffffffff 01");
	sent_begin(&wr, WIRE_DESCRIBE_CONFIGS, 4);
	wire_configs_encode(&wr, 4, v, 2, true);
	sent_end(&wr, "0000001d 0020 0004 00000001 0002 6b63 00 03 02 02 74 02 02 61 00 04 02 31 00 00 01 00 00");
}

static void assert_setting(int16_t version, const char *hex, int source, bool is_default)
{
	struct wire_configs cf;
	struct answer an;

	answer_begin(&an, WIRE_DESCRIBE_CONFIGS, version, hex);
	if (!wire_configs_decode(&an.rd, version, an.ar, &cf, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(cf.n_resources, 1);
	assert_string_equal(cf.resources[0].name, "t");
	assert_int_equal(cf.resources[0].n_configs, 1);
	assert_string_equal(cf.resources[0].configs[0].name, "a");
	assert_null(cf.resources[0].configs[0].value);
	assert_true(cf.resources[0].configs[0].is_sensitive);
	assert_int_equal(cf.resources[0].configs[0].source, source);
	assert_int_equal(cf.resources[0].configs[0].is_default, is_default);
	answer_end(&an);
}

static void a_default_is_known_in_every_version(void **unused)
{
	assert_setting(0, "00000020 00000001 00000000 00000001 0000 ffff 02 0001 74 00000001 0001 61 ffff 00 01 01", -1, true);
	assert_setting(0, "00000020 00000001 00000000 00000001 0000 ffff 02 0001 74 00000001 0001 61 ffff 00 00 01", -1, false);
	assert_setting(1, "00000024 00000001 00000000 00000001 0000 ffff 02 0001 74 00000001 0001 61 ffff 00 05 01 00000000", 5, true);
	assert_setting(1, "00000024 00000001 00000000 00000001 0000 ffff 02 0001 74 00000001 0001 61 ffff 00 01 01 00000000", 1, false);
}

static void what_is_not_an_answer_is_refused_with_its_place(void **unused)
{
	struct wire_configs cf;
	struct answer an;

	answer_begin(&an, WIRE_DESCRIBE_CONFIGS, 1,
		     "00000024 00000001 00000000 00000001 0000 ffff 02 0001 74 00000001 0001 61 ffff 00 05 01 00000001");
	assert_false(wire_configs_decode(&an.rd, 1, an.ar, &cf, &an.err));
	assert_string_equal(an.err.text, "DescribeConfigs v1 answer: synonyms at byte 32 of 36: says 1 elements of at least 5 bytes, 0 bytes are left");
	assert_int_equal(arena_used(an.ar), 0);
	answer_end(&an);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_bytes_of_the_schema),
		cmocka_unit_test(a_default_is_known_in_every_version),
		cmocka_unit_test(what_is_not_an_answer_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
