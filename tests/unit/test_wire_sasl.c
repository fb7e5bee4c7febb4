/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/sasl.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "wirecase.h"

static void requests_are_the_bytes_of_the_schema(void **unused)
{
	struct wire_writer wr;

	sent_begin(&wr, WIRE_SASL_HANDSHAKE, 1);
	wire_sasl_encode_handshake(&wr, 1, "PLAIN");
	sent_end(&wr, "00000013 0011 0001 00000001 0002 6b63 0005 504c41494e");
	sent_begin(&wr, WIRE_SASL_AUTHENTICATE, 1);
	wire_sasl_encode_token(&wr, 1, "\0u\0p", 4);
	sent_end(&wr, "00000014 0024 0001 00000001 0002 6b63 00000004 00750070");
	sent_begin(&wr, WIRE_SASL_AUTHENTICATE, 2);
	wire_sasl_encode_token(&wr, 2, "", 0);
	sent_end(&wr, "0000000f 0024 0002 00000001 0002 6b63 00 01 00");
}

static void a_mechanism_that_is_off_brings_the_others(void **unused)
{
	struct wire_handshake hs;
	struct answer an;

	answer_begin(&an, WIRE_SASL_HANDSHAKE, 1, "00000010 00000001 0021 00000002 0001 41 0001 42");
	if (!wire_sasl_decode_handshake(&an.rd, 1, an.ar, &hs, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(hs.error, 33);
	assert_int_equal(hs.n_mechanisms, 2);
	assert_string_equal(hs.mechanisms[0], "A");
	assert_string_equal(hs.mechanisms[1], "B");
	answer_end(&an);
}

static void a_token_is_bytes_and_may_be_empty(void **unused)
{
	struct wire_authenticate au;
	struct answer an;

	answer_begin(&an, WIRE_SASL_AUTHENTICATE, 1, "00000016 00000001 0000 ffff 00000002 00ff 00000000000003e8");
	if (!wire_sasl_decode_token(&an.rd, 1, an.ar, &au, &an.err))
		fail_msg("%s", an.err.text);
	assert_int_equal(au.token.n, 2);
	assert_memory_equal(au.token.s, "\0\xff", 2);
	assert_int_equal(au.lifetime_ms, 1000);
	assert_null(au.message);
	answer_end(&an);
	answer_begin(&an, WIRE_SASL_AUTHENTICATE, 0, "0000000f 00000001 003a 0003 6e6f21 00000000");
	assert_true(wire_sasl_decode_token(&an.rd, 0, an.ar, &au, &an.err));
	assert_int_equal(au.error, 58);
	assert_string_equal(au.message, "no!");
	assert_int_equal(au.token.n, 0);
	answer_end(&an);
}

static void what_is_not_an_answer_is_refused_with_its_place(void **unused)
{
	struct wire_authenticate au;
	struct answer an;

	answer_begin(&an, WIRE_SASL_AUTHENTICATE, 0, "0000000c 00000001 0000 ffff 00000002");
	assert_false(wire_sasl_decode_token(&an.rd, 0, an.ar, &au, &an.err));
	assert_string_equal(an.err.text, "SaslAuthenticate v0 answer: token at byte 8 of 12: says 2 bytes, 0 are left");
	answer_end(&an);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_the_bytes_of_the_schema),
		cmocka_unit_test(a_mechanism_that_is_off_brings_the_others),
		cmocka_unit_test(a_token_is_bytes_and_may_be_empty),
		cmocka_unit_test(what_is_not_an_answer_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
