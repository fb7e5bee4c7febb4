/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void no_name_stands_twice(void **state)
{
	const struct config_key *a, *b;

	for (unsigned i = 0; (a = config_key_at(i)); i++)
		for (unsigned j = i + 1; (b = config_key_at(j)); j++)
			if (strcmp(a->name, b->name) == 0)
				fail_msg("%s", a->name);
}

static void every_setting_has_a_name(void **state)
{
	for (int s = SETTING_NONE + 1; s < SETTINGS; s++)
		if (strcmp(config_setting_name((enum setting)s), "?") == 0)
			fail_msg("setting %d", s);
	assert_string_equal(config_setting_name(SETTING_BOOTSTRAP), "bootstrap.servers");
	assert_string_equal(config_setting_name(SETTING_TRUST_LOCATION), "ssl.truststore.location");
}

static void what_sounds_secret_is_secret(void **state)
{
	static const char *const words[] = { "password", "secret", "jaas", "keystore.key", "key.pem", "user.info", "oauthbearer.config" };
	const struct config_key *key;

	for (unsigned i = 0; (key = config_key_at(i)); i++)
		for (size_t k = 0; k < COUNT(words); k++)
			if (strstr(key->name, words[k]) && key->shown == CONFIG_SHOWN)
				fail_msg("%s is shown", key->name);
}

static void a_near_miss_finds_the_name_that_was_meant(void **state)
{
	static const struct { const char *s, *near; } cases[] = {
		{ "ssl.truststore.pasword", "ssl.truststore.password" },
		{ "ssl.trustore.location", "ssl.truststore.location" },
		{ "security.protocl", "security.protocol" },
		{ "secruity.protocol", "security.protocol" },
		{ "sasl.jaas.conf", "sasl.jaas.config" },
		{ "Security.Protocol", "security.protocol" },
		{ "SASL_MECHANISM", "sasl.mechanism" },
		{ "sasl-jaas-config", "sasl.jaas.config" },
		{ "bootstrap.server", "bootstrap.servers" },
		{ "ack", "acks" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *near = config_key_near(cases[i].s);

		if (!near || strcmp(near, cases[i].near) != 0)
			fail_msg("%s: %s", cases[i].s, near ? near : "nothing");
	}
}

static void what_is_like_nothing_finds_nothing(void **state)
{
	char longer[200];

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_null(config_key_near("my.own.setting"));
	assert_null(config_key_near(""));
	assert_null(config_key_near("x"));
	assert_null(config_key_near(longer));
	assert_null(config_key_find("security.protocl"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_name_stands_twice),
		cmocka_unit_test(every_setting_has_a_name),
		cmocka_unit_test(what_sounds_secret_is_secret),
		cmocka_unit_test(a_near_miss_finds_the_name_that_was_meant),
		cmocka_unit_test(what_is_like_nothing_finds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
