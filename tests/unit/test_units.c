/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define KIB (INT64_C(1) << 10)
#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)
#define TIB (INT64_C(1) << 40)

enum { SEC = 1000, MIN = 60 * SEC, HOUR = 60 * MIN };
static const int64_t DAY = INT64_C(24) * HOUR;

/* 2026-01-02T03:04:05.678Z */
static const wall_ms moment = { INT64_C(1767323045678) };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void bytes_have_three_digits_at_most(void **state)
{
	static const struct { int64_t n; const char *text, *narrow; } cases[] = {
		{ 0, "0 B", "0B" }, { 1, "1 B", "1B" }, { 999, "999 B", "999B" },
		{ 1000, "1.0 KiB", "1.0K" }, { 1024, "1.0 KiB", "1.0K" },
		{ 1229, "1.2 KiB", "1.2K" }, { 10 * KIB - 1, "10 KiB", "10K" },
		{ 9 * KIB + 900, "9.9 KiB", "9.9K" }, { 12 * KIB, "12 KiB", "12K" },
		{ 999 * KIB, "999 KiB", "999K" }, { 999 * KIB + 511, "999 KiB", "999K" },
		{ 999 * KIB + 512, "1.0 MiB", "1.0M" }, { MIB, "1.0 MiB", "1.0M" },
		{ 61 * MIB, "61 MiB", "61M" }, { 310 * GIB, "310 GiB", "310G" },
		{ TIB + TIB / 5, "1.2 TiB", "1.2T" }, { 41 * TIB, "41 TiB", "41T" },
		{ INT64_MAX, "8.0 EiB", "8.0E" }, { -1, "-1 B", "-1B" },
		{ -2 * KIB, "-2.0 KiB", "-2.0K" }, { INT64_MIN, "-8.0 EiB", "-8.0E" },
	};
	char out[UNITS_TEXT_MAX];

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_string_equal(units_bytes(out, cases[i].n), cases[i].text);
		assert_string_equal(units_bytes_short(out, cases[i].n), cases[i].narrow);
	}
}

static void no_size_takes_more_than_four_columns(void **state)
{
	char out[UNITS_TEXT_MAX];

	for (int64_t n = 1; n < INT64_MAX / 3; n += n / 7 + 1)
		assert_true(strlen(units_bytes_short(out, n)) <= 4);
}

static void durations_have_two_units_at_most(void **state)
{
	const struct { dur_ms d; const char *text, *age; } cases[] = {
		{ -5, "0s", "0s" }, { INT64_MIN, "0s", "0s" }, { 0, "0s", "0s" },
		{ 999, "0s", "0s" }, { 14 * SEC, "14s", "14s" }, { 59 * SEC + 999, "59s", "59s" },
		{ MIN, "1m", "1m" }, { 3 * MIN + 20 * SEC, "3m20s", "3m" },
		{ 3 * MIN + 5 * SEC, "3m05s", "3m" }, { HOUR - 1, "59m59s", "59m" },
		{ HOUR, "1h", "1h" }, { 3 * HOUR + 12 * MIN, "3h12m", "3h" },
		{ 3 * HOUR + 5 * MIN, "3h05m", "3h" }, { DAY - 1, "23h59m", "23h" },
		{ DAY, "1d", "1d" }, { DAY + 59 * MIN, "1d", "1d" },
		{ 2 * DAY + 4 * HOUR, "2d4h", "2d" }, { 100 * DAY - 1, "99d23h", "99d" },
		{ 180 * DAY + HOUR, "180d", "180d" }, { 730 * DAY - 1, "729d", "729d" },
		{ 730 * DAY, "2y", "2y" }, { 800 * DAY, "2y", "2y" },
		{ INT64_MAX, "292471208y", "999y" },
	};
	char out[UNITS_TEXT_MAX];

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_string_equal(units_dur(out, cases[i].d), cases[i].text);
		assert_string_equal(units_age(out, cases[i].d), cases[i].age);
		assert_true(strlen(out) <= 4);
	}
}

static void limits_are_exact(void **state)
{
	static const struct { dur_ms d; const char *text; } cases[] = {
		{ 0, "0s" }, { -5, "0s" }, { 1, "1ms" }, { 75, "75ms" }, { 999, "999ms" }, { 1000, "1s" }, { 1500, "1.5s" },
		{ 1050, "1.050s" }, { 1999, "1.999s" }, { 10000, "10s" }, { 61500, "61.5s" }, { 200000, "3m20s" },
		{ 3600000, "1h" }, { 3601000, "3601s" }, { 86400000, "1d" }, { 86401000, "86401s" }, { 90000000, "1d1h" },
		{ INT64_C(101) * 86400000 + 3600000, "8730000s" },
	};
	char out[UNITS_TEXT_MAX];

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(units_limit(out, cases[i].d), cases[i].text);
}

static void counts_have_commas(void **state)
{
	char out[UNITS_TEXT_MAX];

	assert_string_equal(units_count(out, 0), "0");
	assert_string_equal(units_count(out, 999), "999");
	assert_string_equal(units_count(out, 1204), "1,204");
	assert_string_equal(units_count(out, 1000000), "1,000,000");
	assert_string_equal(units_count(out, -999), "-999");
	assert_string_equal(units_count(out, -1000), "-1,000");
	assert_string_equal(units_count(out, INT64_MIN), "-9,223,372,036,854,775,808");
}

static void dates_are_rfc3339_in_utc(void **state)
{
	char out[UNITS_TEXT_MAX];

	assert_string_equal(units_rfc3339(out, moment), "2026-01-02T03:04:05.678Z");
	assert_string_equal(units_rfc3339(out, (wall_ms){ 0 }), "1970-01-01T00:00:00.000Z");
	assert_string_equal(units_rfc3339(out, (wall_ms){ -1 }), "1969-12-31T23:59:59.999Z");
}

static void no_date_is_too_long(void **state)
{
	char out[UNITS_TEXT_MAX];

	assert_string_equal(units_rfc3339(out, (wall_ms){ INT64_MAX }),
			    "292278994-08-17T07:12:55.807Z");
	assert_string_equal(units_rfc3339(out, (wall_ms){ INT64_MIN }),
			    "-292275055-05-16T16:47:04.192Z");
}

static void clock_follows_the_zone(void **state)
{
	char out[UNITS_TEXT_MAX];

	assert_string_equal(units_clock(out, moment), "03:04:05");
	setenv("TZ", "XXX-2", 1);
	tzset();
	assert_string_equal(units_clock(out, moment), "05:04:05");
	assert_string_equal(units_rfc3339(out, moment), "2026-01-02T03:04:05.678Z");
	setenv("TZ", "UTC", 1);
	tzset();
	assert_string_equal(units_clock(out, (wall_ms){ 0 }), "unknown");
}

static const char *moment_text(int64_t ago)
{
	static char out[UNITS_TEXT_MAX];

	units_moment(out, moment, (wall_ms){ moment.ms + ago });
	assert_true(strlen(out) <= 10);
	return out;
}

static void moments_are_clocks_within_a_day(void **state)
{
	assert_string_equal(moment_text(0), "03:04:05");
	assert_string_equal(moment_text(DAY), "03:04:05");
	assert_string_equal(moment_text(-DAY), "03:04:05");
	assert_string_equal(moment_text(2 * DAY + 4 * HOUR), "2d4h ago");
	assert_string_equal(moment_text(100 * DAY - 1), "99d23h ago");
	assert_string_equal(moment_text(5000 * DAY), "13y ago");
	assert_string_equal(moment_text(-3 * DAY), "in 3d");
}

static void unknown_moments_say_so(void **state)
{
	char out[UNITS_TEXT_MAX];

	assert_string_equal(units_moment(out, (wall_ms){ 0 }, moment), "unknown");
	units_moment(out, (wall_ms){ INT64_MIN }, (wall_ms){ INT64_MAX });
	assert_true(strlen(out) <= 10);
	units_moment(out, (wall_ms){ INT64_MAX }, (wall_ms){ INT64_MIN });
	assert_true(strlen(out) <= 10);
}

static void durations_are_read(void **state)
{
	const struct { const char *s; dur_ms d; } cases[] = {
		{ "500ms", 500 }, { "10s", 10 * SEC }, { "2m", 2 * MIN }, { "1h", HOUR },
		{ "1d", DAY }, { "7", 7 * SEC }, { "0.5", 500 }, { "1.5h", 90 * MIN },
		{ "0", 0 }, { "0.0", 0 }, { "0.001", 1 }, { "0.123456789d", 10666666 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		dur_ms d = -1;

		assert_true(units_parse_dur(cases[i].s, &d));
		assert_int_equal(d, cases[i].d);
	}
}

static void what_is_no_duration_is_refused(void **state)
{
	static const char *const bad[] = {
		"", "s", "-1s", "+1s", " 1s", "1s ", "1 s", ".5", "5.", "1.s", "1.2.3", "1w",
		"1S", "1h2m", "1e3", "0.0001", "0.5ms", "9223372036854775807", "999999999999999999d",
		"99999999999999999999", "0.1234567891", "nan", "inf", "0x1",
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		dur_ms d = 4711;

		if (units_parse_dur(bad[i], &d))
			fail_msg("\"%s\" was read", bad[i]);
		assert_int_equal(d, 4711);
	}
}

static void since_is_the_difference(void **state)
{
	assert_int_equal(mono_since((mono_ms){ 700 }, (mono_ms){ 200 }), 500);
}

static int group_setup(void **state)
{
	setenv("TZ", "UTC", 1);
	tzset();
	return 0;
}

static void a_size_that_may_still_grow_has_a_question_mark(void **state)
{
	char out[UNITS_TEXT_MAX];

	assert_string_equal(units_bytes_so_far(out, 1319413953331, true), "1.2 TiB");
	assert_string_equal(units_bytes_so_far(out, 1319413953331, false), "1.2 TiB?");
	assert_string_equal(units_bytes_so_far(out, 0, true), "0 B");
	assert_string_equal(units_bytes_so_far(out, 0, false), "?");
	assert_string_equal(units_bytes_so_far(out, 5, false), "5 B?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_three_digits_at_most),
		cmocka_unit_test(no_size_takes_more_than_four_columns),
		cmocka_unit_test(durations_have_two_units_at_most),
		cmocka_unit_test(limits_are_exact),
		cmocka_unit_test(counts_have_commas),
		cmocka_unit_test(dates_are_rfc3339_in_utc),
		cmocka_unit_test(no_date_is_too_long),
		cmocka_unit_test(clock_follows_the_zone),
		cmocka_unit_test(moments_are_clocks_within_a_day),
		cmocka_unit_test(unknown_moments_say_so),
		cmocka_unit_test(durations_are_read),
		cmocka_unit_test(what_is_no_duration_is_refused),
		cmocka_unit_test(since_is_the_difference),
		cmocka_unit_test(a_size_that_may_still_grow_has_a_question_mark),
	};

	return cmocka_run_group_tests_name("units", tests, group_setup, NULL);
}
