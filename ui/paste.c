/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/paste.h"

#include <string.h>

static const char paste_begin_mark[] = "\033[200~", paste_end_mark[] = "\033[201~";

enum { PASTE_MARK_LEN = sizeof(paste_begin_mark) - 1 };

void paste_begin(struct paste *pa, mono_ms now)
{
	pa->is_under_way = true;
	pa->n = pa->n_mark = 0;
	pa->is_cut = false;
	pa->last = now;
}

static void paste_add(struct paste *pa, char c)
{
	if (pa->n < PASTE_MAX)
		pa->text[pa->n++] = c;
	else
		pa->is_cut = true;
}

/* What looked like the end's mark is text. */
static void paste_add_mark(struct paste *pa)
{
	for (size_t i = 0; i < pa->n_mark; i++)
		paste_add(pa, paste_end_mark[i]);
	pa->n_mark = 0;
}

enum paste_result paste_end(struct paste *pa)
{
	if (!pa->is_under_way)
		return PASTE_NO_PART;
	paste_add_mark(pa);
	pa->is_under_way = false;
	return PASTE_WHOLE;
}

static enum paste_result paste_take_text(struct paste *pa, int byte)
{
	if (byte < 0) {
		paste_add_mark(pa);
		return PASTE_MORE;
	}
	if (byte != (unsigned char)paste_end_mark[pa->n_mark])
		paste_add_mark(pa);
	if (byte != (unsigned char)paste_end_mark[pa->n_mark]) {
		paste_add(pa, (char)byte);
		return PASTE_MORE;
	}
	if (++pa->n_mark < PASTE_MARK_LEN)
		return PASTE_MORE;
	pa->n_mark = 0;
	return paste_end(pa);
}

/* An Esc is a key, and may begin. */
static enum paste_result paste_take_key(struct paste *pa, int byte, mono_ms now)
{
	if (pa->n_mark > 0 && byte == (unsigned char)paste_begin_mark[pa->n_mark]) {
		if (++pa->n_mark == PASTE_MARK_LEN)
			paste_begin(pa, now);
		return PASTE_MORE;
	}
	if (pa->n_mark > 1)
		return PASTE_KEYS;
	pa->n_mark = byte == (unsigned char)paste_begin_mark[0];
	return PASTE_NO_PART;
}

enum paste_result paste_take(struct paste *pa, int byte, mono_ms now)
{
	if (!pa->is_under_way && pa->n_mark == 1 && mono_since(now, pa->last) > PASTE_LATE_MS)
		pa->n_mark = 0;
	pa->last = now;
	return pa->is_under_way ? paste_take_text(pa, byte) : paste_take_key(pa, byte, now);
}

enum paste_result paste_look(struct paste *pa, mono_ms now)
{
	if (paste_wait(pa, now) != 0)
		return PASTE_NO_PART;
	if (!pa->is_under_way)
		return PASTE_KEYS;
	pa->is_under_way = false;
	pa->n = pa->n_mark = 0;
	return PASTE_LOST;
}

size_t paste_held(struct paste *pa, char out[PASTE_MARK_MAX])
{
	size_t n = pa->n_mark > 1 ? pa->n_mark - 1 : 0;

	memcpy(out, paste_begin_mark + 1, n);
	pa->n_mark = 0;
	return n;
}

dur_ms paste_wait(const struct paste *pa, mono_ms now)
{
	dur_ms left;

	if (!pa->is_under_way && pa->n_mark < 2)
		return -1;
	left = (pa->is_under_way ? PASTE_WAIT_MS : PASTE_LATE_MS) - mono_since(now, pa->last);
	return left > 0 ? left : 0;
}
