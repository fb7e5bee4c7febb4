/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

static const struct config_key rows[] = {
#define CONFIG_KEY(name, setting, shown) { name, SETTING_##setting, CONFIG_##shown },
#include "core/config_keys.def"
#undef CONFIG_KEY
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]), NEAR_SHORT = 8 };

const struct config_key *config_key_at(unsigned i)
{
	return i < N_ROWS ? &rows[i] : NULL;
}

const struct config_key *config_key_find(const char *name)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

const char *config_setting_name(enum setting setting)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].setting == setting)
			return rows[i].name;
	return "?";
}

/* ---- near misses ------------------------------------------------------------ */

/* Without case, and with a point for _ and -. False for a name too long to be near one. */
static bool plain(char out[STR_DISTANCE_MAX + 1], const char *name)
{
	if (!str_copy(out, STR_DISTANCE_MAX + 1, name))
		return false;
	for (char *c = out; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c == '_' || *c == '-' ? '.' : *c;
	return true;
}

const char *config_key_near(const char *name)
{
	char typed[STR_DISTANCE_MAX + 1], known[STR_DISTANCE_MAX + 1];
	size_t n = strlen(name), best = n < NEAR_SHORT ? 2 : 3; /* less than this */
	const char *found = NULL;

	if (!plain(typed, name))
		return NULL;
	for (size_t i = 0; i < N_ROWS; i++) {
		size_t m = strlen(rows[i].name), apart = n > m ? n - m : m - n; /* the distance is no less */
		size_t d = apart < best && plain(known, rows[i].name) ? str_distance(typed, known) : SIZE_MAX;

		if (d < best) {
			best = d;
			found = rows[i].name;
		}
	}
	return found;
}
