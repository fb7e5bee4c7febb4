/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/term_keys.h"

#include <time.h>

#include "base/str.h"
#include "base/utf8.h"
#include "ui/keymap.h"
#include "ui/term.h"

#include <curses.h>

/* Beyond curses' own keys. */
enum { TERM_KEY_SGR = KEY_MAX + 1, TERM_KEY_OLD, TERM_KEY_PASTE, TERM_KEY_PASTE_END };

static mono_ms now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (mono_ms){ (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000 };
}

/*
 * Terminals write the cursor's keys in two ways, and with Shift, Alt or Ctrl in a third; terminfo has one. What curses doesn't know comes as Esc and
 * letters, of which A marks all and D deletes.
 */
static void define_cursor_keys(void)
{
	static const struct { char last; int key; } keys[] = {
		{ 'A', KEY_UP }, { 'B', KEY_DOWN }, { 'C', KEY_RIGHT }, { 'D', KEY_LEFT }, { 'F', KEY_END }, { 'H', KEY_HOME },
	};
	char text[16];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		str_printf(text, sizeof(text), "\033[%c", keys[i].last);
		define_key(text, keys[i].key);
		str_printf(text, sizeof(text), "\033O%c", keys[i].last);
		define_key(text, keys[i].key);
		for (int with = 2; with <= 8; with++) {
			str_printf(text, sizeof(text), "\033[1;%d%c", with, keys[i].last);
			define_key(text, keys[i].key);
		}
	}
}

void term_keys_define(bool mouse)
{
	define_cursor_keys();
	if (mouse) {
		/* In place of curses' own KEY_MOUSE, after which it would wait for the rest. */
		define_key("\033[<", TERM_KEY_SGR);
		define_key("\033[M", TERM_KEY_OLD);
	}
	define_key("\033[200~", TERM_KEY_PASTE);
	define_key("\033[201~", TERM_KEY_PASTE_END);
}

static int32_t translate(int c)
{
	switch (c) {
	case KEY_UP: return KEYS_UP;
	case KEY_DOWN: return KEYS_DOWN;
	case KEY_LEFT: return KEYS_LEFT;
	case KEY_RIGHT: return KEYS_RIGHT;
	case KEY_PPAGE: return KEYS_PGUP;
	case KEY_NPAGE: return KEYS_PGDN;
	case KEY_HOME: return KEYS_HOME;
	case KEY_END: return KEYS_END;
	case KEY_ENTER: case '\r': case '\n': return KEYS_ENTER;
	case 27: return KEYS_ESC;
	case '\t': return KEYS_TAB;
	case KEY_BACKSPACE: case 127: return KEYS_BACKSPACE;
	case KEY_DC: return KEYS_DEL;
	default: break;
	}
	if (c >= KEY_F(1) && c <= KEY_F(12))
		return KEYS_F0 + (c - KEY_F0);
	return c < 0x80 ? c : KEYS_OTHER;
}

/* A byte of a character past ASCII. True when it is whole (or can't become one). */
static bool gather(struct term_keys *tk, int c, int32_t *key)
{
	static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0, 0xf0, 0xf8 };
	size_t want = 2;
	int32_t cp;

	if ((c & 0xc0) != 0x80)
		tk->n_bytes = 0;
	tk->bytes[tk->n_bytes++] = (char)c;
	while (want < 4 && (unsigned char)tk->bytes[0] >= leads[want + 1])
		want++;
	if ((unsigned char)tk->bytes[0] >= 0xc0 && tk->n_bytes < want)
		return false;
	*key = utf8_decode(tk->bytes, tk->n_bytes, &cp) == tk->n_bytes && cp >= 0x80 ? cp : KEYS_OTHER;
	tk->n_bytes = 0;
	return true;
}

/* Bytes that were held back, and what came behind them, are read again, as keys. */
static void hold_no_more(struct term_keys *tk, int c)
{
	char held[PASTE_MARK_MAX];
	size_t n = paste_held(&tk->paste, held);

	if (c != ERR)
		ungetch(c);
	while (n > 0)
		ungetch(held[--n]);
}

static void put_paste(const struct term_keys *tk, enum paste_result re, struct term_event *ev)
{
	bool is_whole = re == PASTE_WHOLE && !tk->paste.is_cut;

	ev->key = KEYS_PASTE;
	ev->text = is_whole ? tk->paste.text : NULL;
	ev->n = is_whole ? tk->paste.n : 0;
}

/* What of it is pasted. PASTE_NO_PART: nothing, it is a key. */
static enum paste_result take_paste(struct term_keys *tk, int c)
{
	if (c == TERM_KEY_PASTE && !tk->paste.is_under_way) {
		paste_begin(&tk->paste, now());
		return PASTE_MORE;
	}
	if (c == TERM_KEY_PASTE_END)
		return paste_end(&tk->paste) == PASTE_WHOLE ? PASTE_WHOLE : PASTE_MORE;
	return paste_take(&tk->paste, c >= 0 && c <= 0xff ? c : -1, now());
}

/* A byte or a key of curses' own. True: *ev is one of ours. */
static bool take_key(struct term_keys *tk, bool ascii, int c, struct term_event *ev)
{
	enum mouse_result mr;

	if (c == TERM_KEY_SGR || c == TERM_KEY_OLD) {
		mouse_begin(&tk->report, c == TERM_KEY_SGR ? MOUSE_SGR : MOUSE_OLD);
		return false;
	}
	if (tk->report.form != MOUSE_NONE && (mr = mouse_take(&tk->report, c, &ev->key, &ev->x, &ev->y)) != MOUSE_NO_PART)
		return mr == MOUSE_EVENT;
	if (c >= 0x80 && c <= 0xff)
		return !ascii && gather(tk, c, &ev->key);
	ev->key = translate(c);
	return true;
}

bool term_keys_next(struct term_keys *tk, bool ascii, struct term_event *ev)
{
	enum paste_result re;
	int c;

	while ((c = getch()) != ERR) {
		if (c == KEY_RESIZE) {
			ev->key = KEYS_RESIZE;
			return true;
		}
		re = tk->report.form == MOUSE_NONE ? take_paste(tk, c) : PASTE_NO_PART;
		if (re == PASTE_KEYS)
			hold_no_more(tk, c);
		else if (re == PASTE_WHOLE)
			put_paste(tk, re, ev);
		if (re == PASTE_WHOLE || (re == PASTE_NO_PART && take_key(tk, ascii, c, ev)))
			return true;
	}
	mouse_wait(&tk->report);
	re = paste_look(&tk->paste, now());
	if (re == PASTE_KEYS) {
		hold_no_more(tk, ERR);
		return term_keys_next(tk, ascii, ev);
	}
	if (re == PASTE_LOST)
		put_paste(tk, re, ev);
	return re == PASTE_LOST;
}

dur_ms term_keys_wait(const struct term_keys *tk)
{
	return paste_wait(&tk->paste, now());
}
