/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of broker ids, and what is known of topic names. See core/ids.h. */
#include "core/ids.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

void ids_fini(struct ids *l)
{
	mem_free(&l->v);
	l->n = 0;
}

void ids_push(struct ids *l, int32_t id)
{
	assert(l->n < UINT32_MAX);
	l->v = mem_realloc_array(l->v, (size_t)l->n + 1, sizeof *l->v);
	l->v[l->n++] = id;
}

bool ids_has(const int32_t *v, size_t n, int32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == id)
			return true;
	return false;
}

bool ids_equal(const int32_t *a, size_t na, const int32_t *b, size_t nb)
{
	return na == nb && (na == 0 || memcmp(a, b, na * sizeof *a) == 0);
}

/* Topic.java, INTERNAL_TOPICS: the first two in every version, the last in 3.9. */
bool topic_is_internal(const char *name)
{
	static const char *const internal[] = {
		"__consumer_offsets", "__transaction_state", "__share_group_state"
	};

	for (size_t i = 0; i < sizeof internal / sizeof internal[0]; i++)
		if (strcmp(name, internal[i]) == 0)
			return true;
	return false;
}

int topic_name_cmp(const char *a, const char *b)
{
	return strcmp(a, b); /* compares as unsigned char */
}
