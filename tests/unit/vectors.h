/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tables of tests/vectors. For tests that include cmocka.h first. */
#ifndef TESTS_UNIT_VECTORS_H
#define TESTS_UNIT_VECTORS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct vector {
	unsigned line;
	const char *input;  /* hexadecimal */
	bool is_ok;
	const char *result;
};

static inline int vector_digit(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static inline void vector_bytes(struct strbuf *out, const char *hex)
{
	for (; hex[0] && hex[1]; hex += 2)
		strbuf_putc(out, (char)(vector_digit(hex[0]) * 16 + vector_digit(hex[1])));
}

/* One code point as the hexadecimal UTF-16 that the tables have. */
static inline void vector_put_units(struct strbuf *out, int32_t cp)
{
	if (cp >= 0x10000)
		strbuf_printf(out, "%04x%04x", 0xd800 + (unsigned)((cp - 0x10000) >> 10),
			      0xdc00 + (unsigned)((cp - 0x10000) & 0x3ff));
	else
		strbuf_printf(out, "%04x", (unsigned)cp);
}

/* Is there half a surrogate pair, or a NUL, in hexadecimal UTF-16? Other bytes are passed over. */
static inline bool vector_is_unwritable(const char *hex)
{
	bool needs_low = false;

	for (; *hex; hex++) {
		char unit[5] = { 0 };
		long value;

		if (strspn(hex, "0123456789abcdef") < 4) {
			if (needs_low)
				return true;
			continue;
		}
		memcpy(unit, hex, 4);
		value = strtol(unit, NULL, 16);
		hex += 3;
		if (value == 0 || needs_low != (value >= 0xdc00 && value <= 0xdfff))
			return true;
		needs_low = value >= 0xd800 && value <= 0xdbff;
	}
	return needs_low;
}

/* Calls `each` for every line; returns how many. */
static inline size_t vectors_each(const char *name, void (*each)(const struct vector *vc))
{
	const char *top = getenv("top_srcdir");
	char path[512];
	static char text[64 * 1024];
	size_t n = 0;
	unsigned line = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/vectors/%s", top ? top : ".", name);
	f = fopen(path, "r");
	if (!f)
		fail_msg("no table %s", path);
	while (fgets(text, sizeof(text), f)) {
		char *verdict = strchr(text, '\t'), *result = verdict ? strchr(verdict + 1, '\t') : NULL;

		line++;
		if (text[0] == '#' || !result)
			continue;
		*verdict = *result = '\0';
		result[1 + strcspn(result + 1, "\n")] = '\0';
		each(&(struct vector){ line, text, strcmp(verdict + 1, "ok") == 0, result + 1 });
		n++;
	}
	fclose(f);
	return n;
}

#endif
