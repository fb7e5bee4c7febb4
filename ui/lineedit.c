/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/lineedit.h"

#include <string.h>

#include "base/utf8.h"

void lineedit_clear(struct lineedit *le)
{
	le->text[0] = '\0';
	le->len = le->at = 0;
}

/* Encodes a code point that utf8_cp_columns accepts. Returns its bytes. */
static size_t lineedit_encode(int32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

bool lineedit_insert(struct lineedit *le, int32_t cp)
{
	char bytes[4];
	size_t n;

	if (cp < 0x20 || cp > 0x10ffff || utf8_cp_columns(cp) < 0)
		return false;
	n = lineedit_encode(cp, bytes);
	if (le->len + n >= LINEEDIT_MAX)
		return false;
	memmove(le->text + le->at + n, le->text + le->at, le->len - le->at + 1);
	memcpy(le->text + le->at, bytes, n);
	le->at += n;
	le->len += n;
	return true;
}

void lineedit_set(struct lineedit *le, const char *text)
{
	size_t n = strlen(text);

	lineedit_clear(le);
	for (size_t i = 0; i < n;) {
		int32_t cp;

		i += utf8_decode(text + i, n - i, &cp);
		if (cp >= 0 && !lineedit_insert(le, cp) && utf8_cp_columns(cp) >= 0)
			return;
	}
}

/* Start of the character that ends at `at`, with what combines with it. */
static size_t lineedit_before(const struct lineedit *le, size_t at)
{
	int32_t cp = 0;

	while (at > 0) {
		do
			at--;
		while (at > 0 && ((unsigned char)le->text[at] & 0xc0) == 0x80);
		utf8_decode(le->text + at, le->len - at, &cp);
		if (utf8_cp_columns(cp) != 0)
			break;
	}
	return at;
}

static size_t lineedit_after(const struct lineedit *le, size_t at)
{
	int32_t cp;

	if (at >= le->len)
		return le->len;
	at += utf8_decode(le->text + at, le->len - at, &cp);
	while (at < le->len) {
		size_t n = utf8_decode(le->text + at, le->len - at, &cp);

		if (utf8_cp_columns(cp) != 0)
			break;
		at += n;
	}
	return at;
}

static void lineedit_cut(struct lineedit *le, size_t from, size_t to)
{
	memmove(le->text + from, le->text + to, le->len - to + 1);
	le->len -= to - from;
	le->at = from;
}

void lineedit_left(struct lineedit *le) { le->at = lineedit_before(le, le->at); }
void lineedit_right(struct lineedit *le) { le->at = lineedit_after(le, le->at); }
void lineedit_first(struct lineedit *le) { le->at = 0; }
void lineedit_last(struct lineedit *le) { le->at = le->len; }

void lineedit_backspace(struct lineedit *le)
{
	lineedit_cut(le, lineedit_before(le, le->at), le->at);
}

void lineedit_delete(struct lineedit *le)
{
	lineedit_cut(le, le->at, lineedit_after(le, le->at));
}

void lineedit_delete_word(struct lineedit *le)
{
	size_t at = le->at;

	while (at > 0 && le->text[at - 1] == ' ')
		at--;
	while (at > 0 && le->text[at - 1] != ' ')
		at--;
	lineedit_cut(le, at, le->at);
}

void lineedit_window(const struct lineedit *le, size_t width, size_t *begin, size_t *cursor)
{
	size_t from = 0;

	/* The cursor needs a column of its own behind the text. */
	while (from < le->at && utf8_columnsn(le->text + from, le->at - from) + 1 > width)
		from = lineedit_after(le, from);
	*begin = from;
	*cursor = le->at > from ? utf8_columnsn(le->text + from, le->at - from) : 0;
}
