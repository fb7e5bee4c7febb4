/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

const struct fuzz_target *fuzz_find(const char *name)
{
	for (size_t i = 0; i < fuzz_n_targets; i++)
		if (strcmp(fuzz_targets[i].name, name) == 0)
			return &fuzz_targets[i];
	return NULL;
}

void fuzz_run(const struct fuzz_target *ft, const uint8_t *bytes, size_t n)
{
	if (n > 0)
		ft->run(ft->which, bytes[0] % ft->n_ways, bytes + 1, n - 1);
}

void fuzz_check_failure(struct err *err)
{
	size_t n = strlen(err->text);

	assert(err->code != ERR_NONE && n > 0 && n < sizeof(err->text));
	assert(utf8_is_valid(err->text, n));
	for (size_t i = 0; i < n; i++)
		assert((unsigned char)err->text[i] >= ' ' && err->text[i] != 0x7f);
	err_init(err);
}
