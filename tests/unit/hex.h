/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes written as hex digits, blanks between them as one likes. For tests that include cmocka.h first. */
#ifndef TESTS_UNIT_HEX_H
#define TESTS_UNIT_HEX_H

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

static inline int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c != '\0' ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Up to the end of the line. mem_free() the result, which has room for *n bytes (at least one). */
static inline uint8_t *hex_bytes(const char *text, size_t *n)
{
	uint8_t *bytes = mem_zalloc(strlen(text) / 2 + 1);
	size_t digits = 0;

	for (; *text != '\0' && *text != '\n'; text++) {
		if (*text == ' ')
			continue;
		if (hex_digit(*text) < 0)
			fail_msg("not hex: %.20s", text);
		bytes[digits / 2] = (uint8_t)(bytes[digits / 2] << 4 | hex_digit(*text));
		digits++;
	}
	assert_true(digits % 2 == 0);
	*n = digits / 2;
	return bytes;
}

#endif
