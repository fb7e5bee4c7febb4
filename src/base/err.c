/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of an err may quote names from outside, so it goes through
 * utf8_printable() once, here, and every place that shows an err may trust it.
 */
#include "base/err.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

static const char err_cut_mark[] = "...";

/* The largest length up to `max` at which no UTF-8 sequence is torn. */
static size_t err_whole_length(const char *s, size_t max)
{
	while (max > 0 && ((unsigned char)s[max] & 0xc0) == 0x80)
		max--;
	return max;
}

static void err_store(struct err *err, const struct strbuf *raw)
{
	struct strbuf clean;
	size_t n;

	strbuf_init(&clean);
	utf8_printable(&clean, raw->s, raw->len, false);
	n = clean.len;
	if (n >= sizeof(err->text))
		n = err_whole_length(clean.s, sizeof(err->text) - sizeof(err_cut_mark));
	memcpy(err->text, clean.s, n);
	if (n < clean.len)
		memcpy(err->text + n, err_cut_mark, sizeof(err_cut_mark));
	else
		err->text[n] = '\0';
	strbuf_fini(&clean);
}

void err_init(struct err *err)
{
	err->code = ERR_NONE;
	err->text[0] = '\0';
}

bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	struct strbuf raw;
	va_list ap;

	assert(code != ERR_NONE);
	if (!err || err->code != ERR_NONE)
		return false;
	strbuf_init(&raw);
	va_start(ap, fmt);
	strbuf_vprintf(&raw, fmt, ap);
	va_end(ap);
	err->code = code;
	err_store(err, &raw);
	strbuf_fini(&raw);
	return false;
}

bool err_wrap(struct err *err, const char *fmt, ...)
{
	struct strbuf raw;
	va_list ap;

	if (!err)
		return false;
	assert(err->code != ERR_NONE);
	strbuf_init(&raw);
	va_start(ap, fmt);
	strbuf_vprintf(&raw, fmt, ap);
	va_end(ap);
	strbuf_put(&raw, ": ");
	strbuf_put(&raw, err->text);
	err_store(err, &raw);
	strbuf_fini(&raw);
	return false;
}
