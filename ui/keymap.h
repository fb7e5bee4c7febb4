/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions and the keys that ask for them, all from ui/actions.def.
 * A key is a code point (control characters included), or one of enum key.
 * Thread: UI thread; pure.
 */
#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys that are no characters. Enter, Esc, Tab and Backspace are here too, however the terminal sends them. */
enum key {
	KEYS_NONE = 0,
	KEYS_UP = 0x200000, KEYS_DOWN, KEYS_LEFT, KEYS_RIGHT, KEYS_PGUP, KEYS_PGDN, KEYS_HOME, KEYS_END,
	KEYS_ENTER, KEYS_ESC, KEYS_TAB, KEYS_BACKSPACE, KEYS_DEL,
	KEYS_F0, /* + n is the function key n, up to 12 */
	KEYS_F_LAST = KEYS_F0 + 12,
	KEYS_RESIZE, KEYS_CLICK, KEYS_WHEEL_UP, KEYS_WHEEL_DOWN,
	KEYS_PASTE, /* text that was pasted */
	KEYS_OTHER /* something was pressed that has no name here */
};

/* Where an action works. A screen asks with its own bit, and IN_REPLAY besides while a trace is played. */
enum {
	IN_TOPICS = 1 << 0,
	IN_TOPIC = 1 << 1,
	IN_BROKERS = 1 << 2,
	IN_HELP = 1 << 3,
	IN_REPLAY = 1 << 4,
	IN_PROMPT = 1 << 5,
	IN_BROKER = 1 << 6,
	IN_DIRS = 1 << 7,
	IN_DIR = 1 << 8,
	IN_OVERVIEW = 1 << 10,
	IN_TRUTH = 1 << 11,
	IN_DELETIONS = 1 << 12,
	IN_DELETION = 1 << 13,
	IN_JOURNAL = 1 << 14,
	IN_RECORD = 1 << 15,
	IN_CONFIRM = 1 << 16,
	IN_LISTS = IN_TOPICS | IN_DELETIONS | IN_BROKERS | IN_BROKER | IN_DIRS | IN_DIR | IN_TOPIC | IN_JOURNAL,
	IN_OPENING = IN_OVERVIEW | IN_TRUTH | IN_DELETIONS | IN_DELETION | IN_TOPICS | IN_BROKERS | IN_BROKER | IN_DIRS | IN_DIR | IN_JOURNAL | IN_RECORD, /* where a row can be opened */
	IN_ALL = IN_OVERVIEW | IN_TRUTH | IN_DELETION | IN_RECORD | IN_CONFIRM | IN_LISTS | IN_HELP
};

enum action {
	ACTION_NONE = 0,
#define ACTION(id, name, keys, label, where, help) ACTION_##id,
#include "ui/actions.def"
#undef ACTION
	ACTION_COUNT
};

struct action_row {
	enum action id;
	const char *name, *keys, *label;
	unsigned where;
	const char *help;
};

/* The row of an action, not of ACTION_NONE. Rows stand in the order of the table. */
const struct action_row *keymap_row(enum action a);
/* ACTION_NONE when the key means nothing there. */
enum action keymap_find(unsigned where, int32_t key);
/* By the name that `:` takes, among those that work `where`. */
enum action keymap_by_name(unsigned where, const char *name);

/* Reads the name of a key out of a row's `keys`: moves *at behind it. False at the end of the string. A name
 * that is none gives KEYS_NONE. */
bool keymap_next_key(const char **at, int32_t *key);

/* The title of a place, for help and manual: "Topics". `where` is one bit, IN_OPENING, IN_LISTS or IN_ALL. */
const char *keymap_place(unsigned where);

#endif
