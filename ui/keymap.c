/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/keymap.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

static const struct action_row keymap_rows[] = {
#define ACTION(id, name, keys, label, where, help) { ACTION_##id, name, keys, label, where, help },
#include "ui/actions.def"
#undef ACTION
};

enum { KEYMAP_ROWS = sizeof(keymap_rows) / sizeof(keymap_rows[0]) };

static const struct {
	const char *name;
	int32_t key;
} keymap_names[] = {
	{ "Up", KEYS_UP }, { "Down", KEYS_DOWN }, { "Left", KEYS_LEFT }, { "Right", KEYS_RIGHT },
	{ "PgUp", KEYS_PGUP }, { "PgDn", KEYS_PGDN }, { "Home", KEYS_HOME }, { "End", KEYS_END },
	{ "Enter", KEYS_ENTER }, { "Esc", KEYS_ESC }, { "Tab", KEYS_TAB }, { "Backspace", KEYS_BACKSPACE },
	{ "Del", KEYS_DEL }, { "Space", ' ' },
};

const struct action_row *keymap_row(enum action a)
{
	assert(a > ACTION_NONE && a < ACTION_COUNT);
	return &keymap_rows[a - 1];
}

static int32_t keymap_named(const char *name, size_t n)
{
	int32_t cp;

	for (size_t i = 0; i < sizeof(keymap_names) / sizeof(keymap_names[0]); i++)
		if (strlen(keymap_names[i].name) == n && !memcmp(keymap_names[i].name, name, n))
			return keymap_names[i].key;
	if (n == 6 && !memcmp(name, "Ctrl-", 5) && name[5] >= 'A' && name[5] <= 'Z')
		return name[5] - 'A' + 1;
	if (n == 2 && name[0] == 'F' && name[1] >= '1' && name[1] <= '9')
		return KEYS_F0 + (name[1] - '0');
	if (utf8_decode(name, n, &cp) == n)
		return cp;
	return KEYS_NONE;
}

bool keymap_next_key(const char **at, int32_t *key)
{
	const char *s = *at + strspn(*at, " ");
	size_t n = strcspn(s, " ");

	if (!n)
		return false;
	*key = keymap_named(s, n);
	*at = s + n;
	return true;
}

enum action keymap_find(unsigned where, int32_t key)
{
	for (size_t i = 0; i < KEYMAP_ROWS; i++) {
		const char *at = keymap_rows[i].keys;
		int32_t k;

		if (!(keymap_rows[i].where & where))
			continue;
		while (keymap_next_key(&at, &k))
			if (k == key && k != KEYS_NONE)
				return keymap_rows[i].id;
	}
	return ACTION_NONE;
}

enum action keymap_by_name(unsigned where, const char *name)
{
	for (size_t i = 0; i < KEYMAP_ROWS; i++)
		if ((keymap_rows[i].where & where) && *keymap_rows[i].name && !strcmp(keymap_rows[i].name, name))
			return keymap_rows[i].id;
	return ACTION_NONE;
}

const char *keymap_place(unsigned where)
{
	switch (where) {
	case IN_ALL: return "Everywhere";
	case IN_LISTS: return "In a list";
	case IN_OPENING: return "On a row that can be opened";
	case IN_OVERVIEW: return "In the overview";
	case IN_TRUTH: return "In a disagreement";
	case IN_TOPICS: return "In the list of topics";
	case IN_TOPIC: return "In a topic";
	case IN_BROKERS: return "In the list of brokers";
	case IN_BROKER: return "In a broker";
	case IN_DIRS: return "In the list of log dirs";
	case IN_DELETION: return "In a deletion";
	case IN_CONFIRM: return "Before and during a change";
	case IN_JOURNAL: return "In the journal";
	case IN_RECORD: return "In a record of the journal";
	case IN_DIR: return "In a log dir";
	case IN_HELP: return "In the help";
	case IN_REPLAY: return "While a trace is played";
	case IN_PROMPT: return "While a line is typed";
	default: return "In some places";
	}
}
