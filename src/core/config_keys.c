/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config_keys.h"

#include <stddef.h>
#include <string.h>

static const struct config_key rows[] = {
#define CONFIG_KEY(name, setting, shown) { name, SETTING_##setting, CONFIG_##shown },
#include "core/config_keys.def"
#undef CONFIG_KEY
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]), NEAR_MAX = 64, NEAR_SHORT = 8 };

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

static char plain(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' || c == '-' ? '.' : c;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters to leave out, add, change or swap to make b[0..m) of a[0..n); both up to NEAR_MAX. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[3][NEAR_MAX + 1]; /* rows i, i-1 and i-2, taking turns */

	for (size_t j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *row = d[i % 3], *above = d[(i + 2) % 3], *above2 = d[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			char x = plain(a[i - 1]), y = plain(b[j - 1]);

			row[j] = least(above[j - 1] + (x != y), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && x == plain(b[j - 2]) && plain(a[i - 2]) == y)
				row[j] = least(row[j], above2[j - 2] + 1);
		}
	}
	return d[n % 3][m];
}

const char *config_key_near(const char *name)
{
	size_t n = strnlen(name, NEAR_MAX + 1);
	unsigned best = n < NEAR_SHORT ? 2 : 3; /* less than this */
	const char *found = NULL;

	for (size_t i = 0; n <= NEAR_MAX && i < N_ROWS; i++) {
		size_t m = strlen(rows[i].name), apart = n > m ? n - m : m - n;
		unsigned d = m <= NEAR_MAX && apart < best ? distance(name, n, rows[i].name, m) : best;

		if (d < best) {
			best = d;
			found = rows[i].name;
		}
	}
	return found;
}
