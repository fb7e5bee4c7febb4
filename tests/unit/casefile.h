/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file of tests/cases whole. For tests that include cmocka.h first. */
#ifndef TESTS_UNIT_CASEFILE_H
#define TESTS_UNIT_CASEFILE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* mem_free() the result; a NUL stands behind its *n bytes. */
static inline char *case_read(const char *name, size_t *n)
{
	enum { CASE_MAX_BYTES = 1024 * 1024 };
	const char *top = getenv("top_srcdir");
	char path[512];
	char *data = mem_zalloc(CASE_MAX_BYTES);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/cases/%s", top ? top : ".", name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("no case file %s", path);
	*n = fread(data, 1, CASE_MAX_BYTES - 1, f);
	fclose(f);
	return data;
}

#endif
