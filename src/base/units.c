/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/str.h"

enum {
	SECOND_MS = 1000,
	MINUTE_MS = 60 * SECOND_MS,
	HOUR_MS = 60 * MINUTE_MS,
	DAY_MS = 24 * HOUR_MS
};

/* From here on hours say nothing, and "99d23h ago" is what a column holds. */
static const int64_t units_days_alone = 100;
static const int64_t units_year_days = 365;

/* ---- bytes and counts ---------------------------------------------------- */

static const char units_prefixes[] = "KMGTPE";

/* The amount without a sign: INT64_MIN has one, too. */
static uint64_t units_magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* Writes the number and returns its prefix, '\0' for plain bytes. A number
 * that would round to 1000 goes to the next prefix, so that three digits do. */
static char units_scale(char out[UNITS_TEXT_MAX], int64_t bytes)
{
	const char *sign = bytes < 0 ? "-" : "";
	uint64_t size = units_magnitude(bytes), unit = 1024, tenths, whole;
	size_t i = 0;

	if (size < 1000) {
		str_printf(out, UNITS_TEXT_MAX, "%s%llu", sign, (unsigned long long)size);
		return '\0';
	}
	while (size / unit >= 1000 || (size / unit == 999 && size % unit >= unit / 2)) {
		unit *= 1024;
		i++;
	}
	/* The remainder is below 2^60: ten times that fits. */
	tenths = size / unit * 10 + (size % unit * 10 + unit / 2) / unit;
	whole = size / unit + (size % unit >= unit / 2);
	if (tenths < 100)
		str_printf(out, UNITS_TEXT_MAX, "%s%llu.%llu", sign,
			   (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10));
	else
		str_printf(out, UNITS_TEXT_MAX, "%s%llu", sign, (unsigned long long)whole);
	return units_prefixes[i];
}

static char *units_append(char out[UNITS_TEXT_MAX], const char *tail)
{
	size_t n = strlen(out);

	str_printf(out + n, UNITS_TEXT_MAX - n, "%s", tail);
	return out;
}

char *units_bytes(char out[UNITS_TEXT_MAX], int64_t bytes)
{
	char tail[] = " ?iB";

	tail[1] = units_scale(out, bytes);
	return units_append(out, tail[1] ? tail : " B");
}

char *units_bytes_short(char out[UNITS_TEXT_MAX], int64_t bytes)
{
	char tail[] = "?";

	tail[0] = units_scale(out, bytes);
	return units_append(out, tail[0] ? tail : "B");
}

char *units_count(char out[UNITS_TEXT_MAX], int64_t n)
{
	char digits[UNITS_TEXT_MAX];
	size_t len, to = 0;

	str_printf(digits, sizeof(digits), "%llu", (unsigned long long)units_magnitude(n));
	len = strlen(digits);
	if (n < 0)
		out[to++] = '-';
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			out[to++] = ',';
		out[to++] = digits[i];
	}
	out[to] = '\0';
	return out;
}

char *units_count_so_far(char out[UNITS_TEXT_MAX], int64_t n, bool is_whole)
{
	char count[UNITS_TEXT_MAX];

	if (is_whole)
		return units_count(out, n);
	str_printf(out, UNITS_TEXT_MAX, "%s?", n ? units_count(count, n) : "");
	return out;
}

char *units_bytes_so_far(char out[UNITS_TEXT_MAX], int64_t bytes, bool is_whole)
{
	if (bytes == 0 && !is_whole)
		str_printf(out, UNITS_TEXT_MAX, "?");
	else if (!is_whole)
		units_append(units_bytes(out, bytes), "?");
	else
		units_bytes(out, bytes);
	return out;
}

/* ---- durations ----------------------------------------------------------- */

static char *units_one(char out[UNITS_TEXT_MAX], int64_t n, char unit)
{
	str_printf(out, UNITS_TEXT_MAX, "%lld%c", (long long)n, unit);
	return out;
}

/* Days, or years from two on, for "1y" would hide eleven months. */
static char *units_long(char out[UNITS_TEXT_MAX], int64_t days)
{
	if (days < 2 * units_year_days)
		return units_one(out, days, 'd');
	return units_one(out, days / units_year_days, 'y');
}

/* The smaller unit is left out when it is zero. */
static char *units_two(char out[UNITS_TEXT_MAX], int64_t n, char unit, int64_t m, const char *fmt_m)
{
	size_t len;

	units_one(out, n, unit);
	len = strlen(out);
	if (m > 0)
		str_printf(out + len, UNITS_TEXT_MAX - len, "%02lld%s", (long long)m, fmt_m);
	return out;
}

char *units_dur(char out[UNITS_TEXT_MAX], dur_ms d)
{
	int64_t s = d < 0 ? 0 : d / SECOND_MS;
	int64_t m = s / 60, h = m / 60, days = h / 24;

	if (days >= units_days_alone)
		return units_long(out, days);
	if (days > 0 && h % 24 > 0) {
		str_printf(out, UNITS_TEXT_MAX, "%lldd%lldh", (long long)days, (long long)(h % 24));
		return out;
	}
	if (days > 0)
		return units_one(out, days, 'd');
	if (h > 0)
		return units_two(out, h, 'h', m % 60, "m");
	if (m > 0)
		return units_two(out, m, 'm', s % 60, "s");
	return units_one(out, s, 's');
}

char *units_limit(char out[UNITS_TEXT_MAX], dur_ms d)
{
	long long s = d / SECOND_MS, ms = d % SECOND_MS;

	if (d > 0 && d < SECOND_MS)
		str_printf(out, UNITS_TEXT_MAX, "%lldms", ms);
	else if (ms > 0 && ms % 100 == 0)
		str_printf(out, UNITS_TEXT_MAX, "%lld.%llds", s, ms / 100);
	else if (ms > 0)
		str_printf(out, UNITS_TEXT_MAX, "%lld.%03llds", s, ms);
	else if (d >= DAY_MS ? d % HOUR_MS != 0 || d >= units_days_alone * DAY_MS : d >= HOUR_MS && d % MINUTE_MS != 0)
		str_printf(out, UNITS_TEXT_MAX, "%llds", s);
	else
		units_dur(out, d);
	return out;
}

char *units_age(char out[UNITS_TEXT_MAX], dur_ms d)
{
	if (d < 0)
		d = 0;
	if (d < MINUTE_MS)
		return units_one(out, d / SECOND_MS, 's');
	if (d < HOUR_MS)
		return units_one(out, d / MINUTE_MS, 'm');
	if (d < DAY_MS)
		return units_one(out, d / HOUR_MS, 'h');
	if (d / DAY_MS / units_year_days > 999)
		return units_one(out, 999, 'y');
	return units_long(out, d / DAY_MS);
}

/* ---- moments ------------------------------------------------------------- */

/* Splits into whole seconds, rounded down, and what is left. */
static time_t units_seconds(wall_ms at, int *ms)
{
	int64_t s = at.ms / SECOND_MS, rest = at.ms % SECOND_MS;

	if (rest < 0) {
		rest += SECOND_MS;
		s--;
	}
	*ms = (int)rest;
	return (time_t)s;
}

char *units_rfc3339(char out[UNITS_TEXT_MAX], wall_ms at)
{
	int ms;
	time_t t = units_seconds(at, &ms);
	struct tm tm;

	/* No int64_t of milliseconds has a year that an int can't hold. */
	memset(&tm, 0, sizeof(tm));
	gmtime_r(&t, &tm);
	str_printf(out, UNITS_TEXT_MAX, "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ",
		   tm.tm_year + 1900LL, tm.tm_mon + 1, tm.tm_mday,
		   tm.tm_hour, tm.tm_min, tm.tm_sec, ms);
	return out;
}

char *units_clock(char out[UNITS_TEXT_MAX], wall_ms at)
{
	int ms;
	time_t t = units_seconds(at, &ms);
	struct tm tm;

	if (at.ms == 0 || !localtime_r(&t, &tm))
		str_printf(out, UNITS_TEXT_MAX, "unknown");
	else
		str_printf(out, UNITS_TEXT_MAX, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	return out;
}

char *units_moment(char out[UNITS_TEXT_MAX], wall_ms at, wall_ms now)
{
	char text[UNITS_TEXT_MAX];
	dur_ms ago;

	if (__builtin_sub_overflow(now.ms, at.ms, &ago))
		ago = now.ms > at.ms ? INT64_MAX : -INT64_MAX;
	if (at.ms == 0 || (ago <= DAY_MS && ago >= -DAY_MS))
		return units_clock(out, at);
	if (ago > 0)
		str_printf(out, UNITS_TEXT_MAX, "%.6s ago", units_dur(text, ago));
	else
		str_printf(out, UNITS_TEXT_MAX, "in %.7s", units_dur(text, -ago));
	return out;
}

/* ---- reading ------------------------------------------------------------- */

/* Milliseconds of the unit that `s` names, 0 when it names none. */
static int64_t units_unit_ms(const char *s)
{
	static const struct { const char *name; int64_t ms; } units[] = {
		{ "", SECOND_MS }, { "ms", 1 }, { "s", SECOND_MS },
		{ "m", MINUTE_MS }, { "h", HOUR_MS }, { "d", DAY_MS },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, s) == 0)
			return units[i].ms;
	return 0;
}

/* Digits at *s, at least one, as an int64_t; *s then stands behind them. */
static bool units_read_digits(const char **s, size_t max, int64_t *out, size_t *digits)
{
	char text[UNITS_TEXT_MAX];

	*digits = strspn(*s, "0123456789");
	if (*digits > max || !str_copyn(text, sizeof(text), *s, *digits))
		return false;
	*s += *digits;
	return str_to_i64(text, 0, INT64_MAX, out);
}

bool units_parse_dur(const char *s, dur_ms *out)
{
	int64_t whole, part = 0, scale = 1, unit_ms, ms;
	size_t digits = 0, unused;

	if (!units_read_digits(&s, 18, &whole, &unused))
		return false;
	/* Nine digits of a day in milliseconds still fit. */
	if (*s == '.' && (s++, !units_read_digits(&s, 9, &part, &digits)))
		return false;
	unit_ms = units_unit_ms(s);
	if (unit_ms == 0 || __builtin_mul_overflow(whole, unit_ms, &ms))
		return false;
	while (digits-- > 0)
		scale *= 10;
	/* What is too fine for us must not turn into "never". */
	if (ms == 0 && part > 0 && part * unit_ms / scale == 0)
		return false;
	if (__builtin_add_overflow(ms, part * unit_ms / scale, &ms))
		return false;
	*out = ms;
	return true;
}
