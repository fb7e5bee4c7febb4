/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes UTF-8, measures terminal columns, and turns untrusted bytes into
 * printable text.
 *
 * Names from ZooKeeper, brokers and files are hostile until they went through
 * utf8_printable(): control bytes (C0, DEL, C1), invalid UTF-8, direction and
 * other format controls, line and paragraph separators, and unassigned or
 * zero-width-only code points (all of Default_Ignorable: joiners, variation
 * selectors, fillers, tags) become visible marks:
 *   C0 as ^X (^[ for ESC), DEL as ^?, invalid bytes as \xNN,
 *   C1 and other controls as \u{NNNN}.
 * Thread: any (pure).
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* Decodes one code point at s[0..n), n > 0. Returns its length in bytes (1 to 4)
 * and stores it in *cp; for an invalid byte returns 1 and stores -1.
 * Overlong forms, surrogates and values past U+10FFFF are invalid. */
size_t utf8_decode(const char *s, size_t n, int32_t *cp);

bool utf8_is_valid(const char *s, size_t n);

/* Terminal columns of a code point: 0 (combining), 1 or 2 (wide). Own table
 * (does not depend on the locale), Unicode 14 East Asian Wide and emoji. -1 for
 * a code point that utf8_printable would mark. Agrees with wcwidth(3) of glibc
 * 2.36 on the others. */
int utf8_cp_columns(int32_t cp);

/* Columns that the *printable form* of the string takes. */
size_t utf8_columns(const char *s);
size_t utf8_columnsn(const char *s, size_t n);

/* Appends the printable form of s[0..n). With `ascii`, everything past ASCII is
 * escaped too, as \u{NNNN}. A combining character at the very start is
 * given a dotted circle (or escaped in ascii) so that it can't join what is before it. */
void utf8_printable(struct strbuf *out, const char *s, size_t n, bool ascii);

/* Appends the printable form of `s`, cut to at most `columns`; when it is cut, the last
 * column is "…" ("~" in ascii). A wide character or a mark is never torn, so fewer columns may be used.
 * Returns the columns used (never more). */
size_t utf8_clip(struct strbuf *out, const char *s, size_t columns, bool ascii);

/* How many bytes of `s` a line of so many columns takes, broken at a blank: all, or the words that fit, at least one. Blanks that
 * follow belong to no line. */
size_t utf8_fit_words(const char *s, size_t columns);

#endif
