/* SPDX-License-Identifier: Apache-2.0 */
#include "io/base64.h"

#include <string.h>

#include "base/str.h"

static const char digits_of[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(struct strbuf *out, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i += 3) {
		size_t have = n - i < 3 ? n - i : 3;
		unsigned v = (unsigned)p[i] << 16;

		if (have > 1)
			v |= (unsigned)p[i + 1] << 8;
		if (have > 2)
			v |= p[i + 2];
		strbuf_putc(out, digits_of[v >> 18]);
		strbuf_putc(out, digits_of[v >> 12 & 63]);
		strbuf_putc(out, have > 1 ? digits_of[v >> 6 & 63] : '=');
		strbuf_putc(out, have > 2 ? digits_of[v & 63] : '=');
	}
}

bool base64_read(struct strbuf *out, const char *s)
{
	size_t n = strlen(s), pad = 0;

	if (n % 4 != 0)
		return false;
	while (pad < 2 && pad < n && s[n - 1 - pad] == '=')
		pad++;
	for (size_t i = 0; i < n; i += 4) {
		unsigned v = 0;
		size_t digits = i + 4 == n ? 4 - pad : 4;

		for (size_t k = 0; k < 4; k++) {
			const char *at = k < digits ? strchr(digits_of, s[i + k]) : digits_of;
			if (at == NULL || *at == '\0')
				return false;
			v = v << 6 | (unsigned)(at - digits_of);
		}
		strbuf_putc(out, (char)(v >> 16));
		if (digits > 2)
			strbuf_putc(out, (char)(v >> 8 & 255));
		if (digits > 3)
			strbuf_putc(out, (char)(v & 255));
	}
	return true;
}
