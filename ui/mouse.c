/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/mouse.h"

#include <string.h>

#include "base/str.h"
#include "ui/keymap.h"

enum { MOUSE_WAITS_MAX = 3, MOUSE_PLACE_MAX = 10000, MOUSE_OLD_BYTES = 3, MOUSE_OLD_BASE = 32 };
/* Of xterm's button code: 0 the left one, 64 and 65 the wheel; 4, 8 and 16 are the modifier keys. */
enum { MOUSE_LEFT = 0, MOUSE_UP = 64, MOUSE_DOWN = 65, MOUSE_MODIFIERS = 4 | 8 | 16 };

void mouse_begin(struct mouse *mo, enum mouse_form form)
{
	*mo = (struct mouse){ .form = form };
}

void mouse_wait(struct mouse *mo)
{
	if (mo->form != MOUSE_NONE && ++mo->waits > MOUSE_WAITS_MAX)
		mo->form = MOUSE_NONE;
}

static enum mouse_result mouse_event(int64_t button, int64_t column, int64_t row, int32_t *key, int *x, int *y)
{
	switch (button & ~(int64_t)MOUSE_MODIFIERS) {
	case MOUSE_LEFT: *key = KEYS_CLICK; break;
	case MOUSE_UP: *key = KEYS_WHEEL_UP; break;
	case MOUSE_DOWN: *key = KEYS_WHEEL_DOWN; break;
	default: return MOUSE_IGNORED;
	}
	*x = (int)column - 1;
	*y = (int)row - 1;
	return MOUSE_EVENT;
}

/* "0;12;5" */
static enum mouse_result mouse_sgr_end(struct mouse *mo, int32_t *key, int *x, int *y)
{
	int64_t v[3];
	char *at = mo->text, *end;

	mo->text[mo->n] = '\0';
	for (size_t i = 0; i < 3; i++) {
		end = at + strcspn(at, ";");
		if ((*end == ';') != (i < 2))
			return MOUSE_IGNORED;
		*end = '\0';
		if (!str_to_i64(at, i ? 1 : 0, MOUSE_PLACE_MAX, &v[i]))
			return MOUSE_IGNORED;
		at = end + 1;
	}
	return mouse_event(v[0], v[1], v[2], key, x, y);
}

static enum mouse_result mouse_take_sgr(struct mouse *mo, int byte, int32_t *key, int *x, int *y)
{
	if (byte == 'M' || byte == 'm') {
		mo->form = MOUSE_NONE;
		return byte == 'M' ? mouse_sgr_end(mo, key, x, y) : MOUSE_IGNORED;
	}
	if (!((byte >= '0' && byte <= '9') || byte == ';') || mo->n + 1 == sizeof(mo->text)) {
		mo->form = MOUSE_NONE;
		return MOUSE_NO_PART;
	}
	mo->text[mo->n++] = (char)byte;
	return MOUSE_MORE;
}

static enum mouse_result mouse_take_old(struct mouse *mo, int byte, int32_t *key, int *x, int *y)
{
	const unsigned char *b = (const unsigned char *)mo->text;

	if (byte < MOUSE_OLD_BASE || byte > 0xff) {
		mo->form = MOUSE_NONE;
		return MOUSE_NO_PART;
	}
	mo->text[mo->n++] = (char)byte;
	if (mo->n < MOUSE_OLD_BYTES)
		return MOUSE_MORE;
	mo->form = MOUSE_NONE;
	if (b[1] == MOUSE_OLD_BASE || b[2] == MOUSE_OLD_BASE)
		return MOUSE_IGNORED;
	return mouse_event(b[0] - MOUSE_OLD_BASE, b[1] - MOUSE_OLD_BASE, b[2] - MOUSE_OLD_BASE, key, x, y);
}

enum mouse_result mouse_take(struct mouse *mo, int byte, int32_t *key, int *x, int *y)
{
	return mo->form == MOUSE_SGR ? mouse_take_sgr(mo, byte, key, x, y) : mouse_take_old(mo, byte, key, x, y);
}
