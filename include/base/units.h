/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types for monotonic, wall and elapsed milliseconds and for bytes; and how
 * people read and write them. The time types are structs so that the compiler
 * keeps them apart.
 * Thread: any (pure).
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct { int64_t ms; } mono_ms; /* CLOCK_MONOTONIC; {0} is "never" */
typedef struct { int64_t ms; } wall_ms; /* since 1970-01-01 UTC; {0} is "unknown" */
typedef int64_t dur_ms;                 /* elapsed */

static inline dur_ms mono_since(mono_ms now, mono_ms then) { return now.ms - then.ms; }
/* The shorter of two waits; below 0 is "for ever". */
static inline dur_ms dur_sooner(dur_ms a, dur_ms b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

enum { UNITS_TEXT_MAX = 32 }; /* every format below fits, NUL included */

/* "0 B", "999 B", "1.2 KiB", "310 GiB", "1.2 TiB": three digits
 * at most, one of them after the point below ten. */
char *units_bytes(char out[UNITS_TEXT_MAX], int64_t bytes);
/* The same without blank and i, for narrow columns: "1.8T", "180G". */
char *units_bytes_short(char out[UNITS_TEXT_MAX], int64_t bytes);
/* "0s", "14s", "3m20s", "3h12m", "3h05m", "2d4h", "180d", "2y": at most two
 * units, rounded down; days alone from 100 on, years alone from two on. Negative is "0s". */
char *units_dur(char out[UNITS_TEXT_MAX], dur_ms d);
/* A limit, exactly, so that it reads the same each time: "10s", "1.5s", "75ms", "3m20s"; seconds where units_dur would
 * round. */
char *units_limit(char out[UNITS_TEXT_MAX], dur_ms d);
/* One unit: "14s", "41m", "3h", "2d", "180d", "2y". Never more than four columns. */
char *units_age(char out[UNITS_TEXT_MAX], dur_ms d);
/* Thousands with a comma: "1,204". */
char *units_count(char out[UNITS_TEXT_MAX], int64_t n);
/* A count that may still grow unless it is whole: "12?", and "?" before there is any. */
char *units_count_so_far(char out[UNITS_TEXT_MAX], int64_t n, bool is_whole);
/* The same of a size that may still grow: "1.2 TiB?". */
char *units_bytes_so_far(char out[UNITS_TEXT_MAX], int64_t bytes, bool is_whole);
/* RFC 3339 UTC with milliseconds: "2026-01-02T03:04:05.678Z". */
char *units_rfc3339(char out[UNITS_TEXT_MAX], wall_ms at);
/* Time of day, in the zone of the machine: "03:12:07"; "unknown" for {0}. */
char *units_clock(char out[UNITS_TEXT_MAX], wall_ms at);
/* A moment as people want it: "03:09:51" within the last 24 h, else "2d4h ago" as units_dur; never
 * over 10 columns. "in 2d4h" when it lies ahead, "unknown" for {0}. */
char *units_moment(char out[UNITS_TEXT_MAX], wall_ms at, wall_ms now);

/* "500ms", "10s", "2m", "1h", "1d", a bare number is seconds (a fraction allowed: "0.5";
 * what is finer than a millisecond is cut off, unless nothing would be left). */
bool units_parse_dur(const char *s, dur_ms *out) __attribute__((warn_unused_result));

#endif
