/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void assert_err(int16_t value, const char *message, enum err_code code, const char *text)
{
	struct err err;

	err_init(&err);
	assert_false(wire_code_err(value, message, &err));
	assert_int_equal(err.code, code);
	assert_string_equal(err.text, text);
}

static void an_error_has_the_brokers_name_and_words(void **unused)
{
	assert_err(41, NULL, ERR_NET, "NOT_CONTROLLER (41): the broker is not the controller");
	assert_err(31, "Not allowed.", ERR_REFUSED,
		   "CLUSTER_AUTHORIZATION_FAILED (31): we have no permission on the cluster: Not allowed.");
	/* Brokers print the whole request where their authorizer says no; who and where we are we know. */
	assert_err(31, "Request Request(processor=6, connectionId=127.0.0.1:29584-127.0.0.1:36158-1, session=Session(User:watcher",
		   ERR_REFUSED, "CLUSTER_AUTHORIZATION_FAILED (31): we have no permission on the cluster");
	assert_err(35, "", ERR_UNSUPPORTED, "UNSUPPORTED_VERSION (35): the broker does not speak this version of the request");
	assert_err(-1, NULL, ERR_NET,
		   "UNKNOWN_SERVER_ERROR (-1): the broker failed in a way it has no code for; its log says why");
}

static void a_code_without_words_is_its_number(void **unused)
{
	char name[WIRE_CODE_NAME_MAX];

	assert_null(wire_code_find(12345));
	assert_int_equal(wire_code_act(12345), WIRE_ACT_GIVE_UP);
	assert_string_equal(wire_code_name(name, 12345), "error 12345");
	assert_string_equal(wire_code_name(name, INT16_MIN), "error -32768");
	assert_err(12345, "Something.", ERR_NET, "error 12345: Something.");
	assert_err(12345, NULL, ERR_NET, "error 12345");
}

static void a_code_says_what_to_do(void **unused)
{
	assert_int_equal(wire_code_act(0), WIRE_ACT_NONE);
	assert_int_equal(wire_code_act(41), WIRE_ACT_CONTROLLER);
	assert_int_equal(wire_code_act(35), WIRE_ACT_VERSION);
	assert_int_equal(wire_code_act(84), WIRE_ACT_DONE);
	assert_int_equal(wire_code_act(7), WIRE_ACT_WAIT);
	assert_int_equal(wire_code_act(29), WIRE_ACT_FORBIDDEN);
	/* Brokers of 2.4 to 2.6 say 72 where others say 5. */
	assert_int_equal(wire_code_act(72), wire_code_act(5));
}

/* Every code, in order and with room for its name; the meaning a part of a sentence. */
static void the_table_is_in_order(void **unused)
{
	int last = INT16_MIN, n = 0;

	for (int v = INT16_MIN; v <= INT16_MAX; v++) {
		const struct wire_code *code = wire_code_find((int16_t)v);
		char name[WIRE_CODE_NAME_MAX];

		if (!code)
			continue;
		assert_true(code->value > last);
		last = code->value;
		assert_string_equal(wire_code_name(name, code->value), code->name);
		assert_true(strlen(code->meaning) > 5 && code->meaning[strlen(code->meaning) - 1] != '.');
		n++;
	}
	assert_true(n > 45);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_has_the_brokers_name_and_words),
		cmocka_unit_test(a_code_without_words_is_its_number),
		cmocka_unit_test(a_code_says_what_to_do),
		cmocka_unit_test(the_table_is_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
