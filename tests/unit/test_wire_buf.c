/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "core/ids.h"
#include "hex.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { SMALL_MAX = 64 * 1024 };

static void assert_bytes(const struct wire_writer *wr, const char *hex)
{
	size_t n;
	uint8_t *bytes = hex_bytes(hex, &n);

	assert_int_equal(wr->err.code, ERR_NONE);
	assert_int_equal(wr->n, n);
	assert_memory_equal(wr->data, bytes, n);
	mem_free(&bytes);
}

/* A reader over hex bytes; *bytes is to be freed after it. */
static struct wire_reader reader_of(const char *hex, bool is_flexible, uint8_t **bytes)
{
	struct wire_reader rd;
	size_t n;

	*bytes = hex_bytes(hex, &n);
	wire_reader_init(&rd, *bytes, n, is_flexible);
	return rd;
}

/* ---- round trips ------------------------------------------------------------ */

static void put_all(struct wire_writer *wr)
{
	static const uint8_t id[WIRE_UUID_BYTES] = { 1, 2, 3, [15] = 0xff };

	wire_put_i8(wr, INT8_MIN);
	wire_put_i16(wr, INT16_MIN);
	wire_put_i32(wr, INT32_MIN);
	wire_put_i64(wr, INT64_MIN);
	wire_put_i64(wr, INT64_MAX);
	wire_put_bool(wr, true);
	wire_put_uvarint(wr, 300);
	wire_put_uuid(wr, id);
	wire_put_string(wr, "orders", "s");
	wire_put_string(wr, NULL, "s");
	wire_put_string(wr, "", "s");
	wire_put_bytes(wr, "a\0b", 3, "b");
	wire_put_tags(wr);
	wire_put_count(wr, 0, "c");
}

static void get_all(struct wire_reader *rd, struct arena *ar)
{
	uint8_t id[WIRE_UUID_BYTES];
	struct wire_span span;

	assert_int_equal(wire_get_i8(rd, "f"), INT8_MIN);
	assert_int_equal(wire_get_i16(rd, "f"), INT16_MIN);
	assert_int_equal(wire_get_i32(rd, "f"), INT32_MIN);
	assert_true(wire_get_i64(rd, "f") == INT64_MIN);
	assert_true(wire_get_i64(rd, "f") == INT64_MAX);
	assert_true(wire_get_bool(rd, "f"));
	assert_int_equal(wire_get_uvarint(rd, "f"), 300);
	wire_get_uuid(rd, id, "f");
	assert_int_equal(id[15], 0xff);
	assert_string_equal(wire_get_name(rd, ar, "f"), "orders");
	assert_null(wire_get_name_or_null(rd, ar, "f"));
	assert_string_equal(wire_get_text_or_null(rd, ar, "f"), "");
	span = wire_get_bytes(rd, "f");
	assert_int_equal(span.n, 3);
	assert_memory_equal(span.s, "a\0b", 3);
	wire_skip_tags(rd);
	assert_int_equal(wire_get_count(rd, 1, 1, "f"), 0);
	assert_true(wire_reader_end(rd, NULL));
}

static void what_is_written_is_read_in_both_forms(void **unused)
{
	struct arena *ar = arena_new(0);

	for (int flexible = 0; flexible <= 1; flexible++) {
		struct wire_writer wr;
		struct wire_reader rd;

		wire_writer_init(&wr, SMALL_MAX);
		wr.is_flexible = flexible;
		put_all(&wr);
		assert_true(wire_writer_end(&wr, NULL));
		wire_reader_init(&rd, wr.data, wr.n, flexible);
		get_all(&rd, ar);
		wire_writer_fini(&wr);
	}
	arena_free(&ar);
}

static void forms_are_those_of_the_protocol(void **unused)
{
	struct wire_writer wr;

	wire_writer_init(&wr, SMALL_MAX);
	wire_put_i32(&wr, 0x01020304);
	wire_put_string(&wr, "ab", "s");
	wire_put_string(&wr, NULL, "s");
	wire_put_count(&wr, 2, "c");
	wire_put_null_array(&wr);
	wire_put_tags(&wr);
	assert_bytes(&wr, "01020304 0002 6162 ffff 00000002 ffffffff");
	wire_writer_clear(&wr);
	wr.is_flexible = true;
	wire_put_string(&wr, "ab", "s");
	wire_put_string(&wr, NULL, "s");
	wire_put_count(&wr, 200, "c");
	wire_put_null_array(&wr);
	wire_put_tags(&wr);
	assert_bytes(&wr, "03 6162 00 c901 00 00");
	wire_writer_fini(&wr);
}

static void varints_round_trip_at_their_edges(void **unused)
{
	static const uint32_t v[] = { 0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 268435455, 268435456, UINT32_MAX };
	struct wire_writer wr;
	struct wire_reader rd;

	wire_writer_init(&wr, SMALL_MAX);
	for (size_t i = 0; i < COUNT(v); i++)
		wire_put_uvarint(&wr, v[i]);
	wire_reader_init(&rd, wr.data, wr.n, true);
	for (size_t i = 0; i < COUNT(v); i++)
		assert_int_equal(wire_get_uvarint(&rd, "v"), v[i]);
	assert_true(wire_reader_end(&rd, NULL));
	wire_writer_fini(&wr);
}

static void a_string_of_the_greatest_length_round_trips(void **unused)
{
	char *s = mem_zalloc(WIRE_STRING_MAX + 1);
	struct arena *ar = arena_new(0);

	memset(s, 'x', WIRE_STRING_MAX);
	for (int flexible = 0; flexible <= 1; flexible++) {
		struct wire_writer wr;
		struct wire_reader rd;

		wire_writer_init(&wr, SMALL_MAX);
		wr.is_flexible = flexible;
		wire_put_string(&wr, s, "s");
		wire_reader_init(&rd, wr.data, wr.n, flexible);
		assert_string_equal(wire_get_name(&rd, ar, "s"), s);
		wire_writer_fini(&wr);
	}
	arena_free(&ar);
	mem_free(&s);
}

/* ---- reading what is off ---------------------------------------------------- */

typedef void get_fn(struct wire_reader *rd);

static void get_i8(struct wire_reader *rd) { wire_get_i8(rd, "field"); }
static void get_i16(struct wire_reader *rd) { wire_get_i16(rd, "field"); }
static void get_i32(struct wire_reader *rd) { wire_get_i32(rd, "field"); }
static void get_i64(struct wire_reader *rd) { wire_get_i64(rd, "field"); }
static void get_uvarint(struct wire_reader *rd) { wire_get_uvarint(rd, "field"); }
static void get_partition(struct wire_reader *rd) { wire_get_partition(rd, "field"); }
static void get_string(struct wire_reader *rd) { wire_get_string(rd, "field"); }
static void get_or_null(struct wire_reader *rd) { wire_get_string_or_null(rd, "field"); }
static void get_bytes(struct wire_reader *rd) { wire_get_bytes(rd, "field"); }
static void get_name(struct wire_reader *rd) { wire_get_name(rd, NULL, "field"); }
static void get_count(struct wire_reader *rd) { wire_get_count(rd, 6, 3, "field"); }
static void skip_tags(struct wire_reader *rd) { wire_skip_tags(rd); }
static void get_uuid(struct wire_reader *rd)
{
	uint8_t id[WIRE_UUID_BYTES];

	wire_get_uuid(rd, id, "field");
}

static const struct refusal {
	const char *hex;
	bool is_flexible;
	get_fn *get;
	const char *text;
} refusals[] = {
	{ "", false, get_i8, "field at byte 0 of 0: needs 1 bytes, 0 are left" },
	{ "01", false, get_i16, "field at byte 0 of 1: needs 2 bytes, 1 are left" },
	{ "010203", false, get_i32, "field at byte 0 of 3: needs 4 bytes, 3 are left" },
	{ "01020304050607", false, get_i64, "field at byte 0 of 7: needs 8 bytes, 7 are left" },
	{ "00", false, get_uuid, "field at byte 0 of 1: needs 16 bytes, 1 are left" },
	{ "8080", true, get_uvarint, "field at byte 2 of 2: needs 1 bytes, 0 are left" },
	{ "ffffffff7f", true, get_uvarint, "field at byte 0 of 5: a varint of more than 32 bits" },
	{ "ffffffffff01", true, get_uvarint, "field at byte 0 of 6: a varint of more than 32 bits" },
	{ "ffffffff", false, get_partition, "field at byte 0 of 4: -1 is no partition number (0 to 999999)" },
	{ "000f4240", false, get_partition, "field at byte 0 of 4: 1000000 is no partition number (0 to 999999)" },
	{ "ffff", false, get_string, "field at byte 0 of 2: null where a value must be" },
	{ "00", true, get_string, "field at byte 0 of 1: null where a value must be" },
	{ "fffe", false, get_or_null, "field at byte 0 of 2: a length of -2" },
	{ "8000", false, get_string, "field at byte 0 of 2: a length of -32768" },
	{ "0003 6162", false, get_string, "field at byte 0 of 4: says 3 bytes, 2 are left" },
	{ "7fff 61", false, get_string, "field at byte 0 of 3: says 32767 bytes, 1 are left" },
	{ "04 6162", true, get_string, "field at byte 0 of 3: says 3 bytes, 2 are left" },
	{ "818002 61", true, get_string, "field at byte 0 of 4: a string of 32768 bytes, over the bound of 32767" },
	{ "ffffffff0f", true, get_string, "field at byte 0 of 5: a string of 4294967294 bytes, over the bound of 32767" },
	{ "7fffffff 00", false, get_bytes, "field at byte 0 of 5: says 2147483647 bytes, 1 are left" },
	{ "ffffffff0f 00", true, get_bytes, "field at byte 0 of 6: says 4294967294 bytes, 1 are left" },
	{ "80000000", false, get_bytes, "field at byte 0 of 4: a length of -2147483648" },
	{ "0003 610062", false, get_name, "field at byte 0 of 5: a NUL in a name" },
	{ "04 610062", true, get_name, "field at byte 0 of 4: a NUL in a name" },
	{ "ffffffff", false, get_count, "field at byte 0 of 4: null where an array must be" },
	{ "00", true, get_count, "field at byte 0 of 1: null where an array must be" },
	{ "fffffffe", false, get_count, "field at byte 0 of 4: a count of -2" },
	{ "7fffffff 000000000000", false, get_count,
	  "field at byte 0 of 10: says 2147483647 elements of at least 6 bytes, 6 bytes are left" },
	{ "00000002 0000000000000000000000", false, get_count,
	  "field at byte 0 of 15: says 2 elements of at least 6 bytes, 11 bytes are left" },
	{ "ffffffff0f 000000", true, get_count,
	  "field at byte 0 of 8: says 4294967294 elements of at least 3 bytes, 3 bytes are left" },
	{ "ffffffff0f", true, skip_tags, "tag at byte 5 of 5: needs 1 bytes, 0 are left" },
	{ "01 00 05 00000000", true, skip_tags, "tagged field at byte 3 of 7: needs 5 bytes, 4 are left" },
	{ "01 00 ffffffff0f", true, skip_tags, "tagged field at byte 7 of 7: needs 4294967295 bytes, 0 are left" },
};

static void what_does_not_fit_is_said_with_its_place(void **unused)
{
	for (size_t i = 0; i < COUNT(refusals); i++) {
		uint8_t *bytes;
		struct wire_reader rd = reader_of(refusals[i].hex, refusals[i].is_flexible, &bytes);
		struct err err;

		err_init(&err);
		refusals[i].get(&rd);
		assert_false(wire_reader_end(&rd, &err));
		assert_string_equal(err.text, refusals[i].text);
		assert_int_equal(wire_reader_left(&rd), 0);
		mem_free(&bytes);
	}
}

static void after_an_error_all_is_zero_and_the_first_one_stays(void **unused)
{
	uint8_t *bytes, id[WIRE_UUID_BYTES];
	struct wire_reader rd = reader_of("0000000a 01", false, &bytes);
	struct arena *ar = arena_new(0);
	size_t used = arena_used(ar);
	struct err err;

	err_init(&err);
	wire_get_count(&rd, 1, 1, "first");
	assert_false(wire_reader_ok(&rd));
	assert_int_equal(wire_get_i8(&rd, "later"), 0);
	assert_int_equal(wire_get_i64(&rd, "later"), 0);
	assert_int_equal(wire_get_partition(&rd, "later"), 0);
	assert_int_equal(wire_get_count(&rd, 1, 1, "later"), 0);
	assert_null(wire_get_bytes(&rd, "later").s);
	assert_null(wire_get_name(&rd, ar, "later"));
	assert_null(wire_get_text_or_null(&rd, ar, "later"));
	wire_get_uuid(&rd, id, "later");
	assert_int_equal(id[0], 0);
	assert_int_equal(arena_used(ar), used);
	assert_false(wire_reader_end(&rd, &err));
	assert_string_equal(err.text, "first at byte 0 of 5: says 10 elements of at least 1 bytes, 1 bytes are left");
	arena_free(&ar);
	mem_free(&bytes);
}

static void bytes_left_over_are_an_error(void **unused)
{
	uint8_t *bytes;
	struct wire_reader rd = reader_of("00010203", false, &bytes);
	struct err err;

	err_init(&err);
	wire_get_i8(&rd, "f");
	assert_false(wire_reader_end(&rd, &err));
	assert_string_equal(err.text, "the end at byte 1 of 4: 3 bytes are left over");
	mem_free(&bytes);
}

static void a_nul_in_a_text_becomes_a_visible_mark(void **unused)
{
	uint8_t *bytes;
	struct wire_reader rd = reader_of("0005 0061000062", false, &bytes);
	struct arena *ar = arena_new(0);

	assert_string_equal(wire_get_text_or_null(&rd, ar, "f"), "\xef\xbf\xbd" "a" "\xef\xbf\xbd\xef\xbf\xbd" "b");
	arena_free(&ar);
	mem_free(&bytes);
}

static void any_byte_but_zero_is_true(void **unused)
{
	uint8_t *bytes;
	struct wire_reader rd = reader_of("00 01 80", false, &bytes);

	assert_false(wire_get_bool(&rd, "f"));
	assert_true(wire_get_bool(&rd, "f"));
	assert_true(wire_get_bool(&rd, "f"));
	mem_free(&bytes);
}

static void unknown_tagged_fields_are_skipped_by_their_size(void **unused)
{
	uint8_t *bytes;
	struct wire_reader rd = reader_of("02 00 02 aabb e807 00 2a", true, &bytes);

	wire_skip_tags(&rd);
	assert_int_equal(wire_get_i8(&rd, "f"), 42);
	assert_true(wire_reader_end(&rd, NULL));
	mem_free(&bytes);
}

static void the_classic_form_has_no_tagged_fields(void **unused)
{
	uint8_t *bytes;
	struct wire_reader rd = reader_of("2a", false, &bytes);

	wire_skip_tags(&rd);
	assert_int_equal(wire_get_i8(&rd, "f"), 42);
	mem_free(&bytes);
}

static void no_bytes_at_all_can_be_read(void **unused)
{
	struct wire_reader rd;

	wire_reader_init(&rd, NULL, 0, false);
	assert_true(wire_reader_end(&rd, NULL));
	assert_int_equal(wire_get_i8(&rd, "f"), 0);
	assert_false(wire_reader_end(&rd, NULL));
}

/* ---- writing what is off ---------------------------------------------------- */

static void a_string_too_long_is_refused(void **unused)
{
	char *s = mem_zalloc(WIRE_STRING_MAX + 2);
	struct err err;

	memset(s, 'x', WIRE_STRING_MAX + 1);
	for (int flexible = 0; flexible <= 1; flexible++) {
		struct wire_writer wr;

		err_init(&err);
		wire_writer_init(&wr, SMALL_MAX);
		wr.is_flexible = flexible;
		wire_put_i8(&wr, 1);
		wire_put_string(&wr, s, "topic");
		wire_put_i8(&wr, 2);
		assert_false(wire_writer_end(&wr, &err));
		assert_int_equal(err.code, ERR_LIMIT);
		assert_string_equal(err.text, "topic at byte 1: 32768 is over the protocol's bound of 32767");
		assert_int_equal(wr.n, 1);
		wire_writer_fini(&wr);
	}
	mem_free(&s);
}

static void a_message_over_its_bound_is_refused(void **unused)
{
	struct wire_writer wr;
	struct err err;

	err_init(&err);
	wire_writer_init(&wr, 5);
	wire_put_i32(&wr, 1);
	wire_put_i8(&wr, 1);
	assert_true(wire_writer_end(&wr, NULL));
	wire_put_i8(&wr, 1);
	assert_false(wire_writer_end(&wr, &err));
	assert_string_equal(err.text, "the message at byte 5: 1 bytes more are over its bound of 5");
	wire_patch_i32(&wr, 0, 7);
	wire_writer_clear(&wr);
	wire_put_i8(&wr, 3);
	assert_true(wire_writer_end(&wr, NULL));
	assert_int_equal(wr.n, 1);
	wire_writer_fini(&wr);
}

static void a_writer_wipes_what_it_held(void **unused)
{
	static const char secret[] = "correct horse";
	struct wire_writer wr;

	wire_writer_init(&wr, SMALL_MAX);
	wire_put_bytes(&wr, secret, sizeof(secret), "token");
	assert_memory_equal(wr.data + 4, secret, sizeof(secret));
	wire_writer_clear(&wr);
	for (size_t i = 0; i < 4 + sizeof(secret); i++)
		assert_int_equal(wr.data[i], 0);
	wire_writer_fini(&wr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_in_both_forms),
		cmocka_unit_test(forms_are_those_of_the_protocol),
		cmocka_unit_test(varints_round_trip_at_their_edges),
		cmocka_unit_test(a_string_of_the_greatest_length_round_trips),
		cmocka_unit_test(what_does_not_fit_is_said_with_its_place),
		cmocka_unit_test(after_an_error_all_is_zero_and_the_first_one_stays),
		cmocka_unit_test(bytes_left_over_are_an_error),
		cmocka_unit_test(a_nul_in_a_text_becomes_a_visible_mark),
		cmocka_unit_test(any_byte_but_zero_is_true),
		cmocka_unit_test(unknown_tagged_fields_are_skipped_by_their_size),
		cmocka_unit_test(the_classic_form_has_no_tagged_fields),
		cmocka_unit_test(no_bytes_at_all_can_be_read),
		cmocka_unit_test(a_string_too_long_is_refused),
		cmocka_unit_test(a_message_over_its_bound_is_refused),
		cmocka_unit_test(a_writer_wipes_what_it_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
