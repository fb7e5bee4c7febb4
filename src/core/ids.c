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

void ids_add(struct ids *l, int32_t id)
{
	if (!ids_has(l->v, l->n, id))
		ids_push(l, id);
}

void ids_sort(struct ids *l)
{
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), ids_cmp);
}

bool ids_has(const int32_t *v, size_t n, int32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == id)
			return true;
	return false;
}

int ids_cmp(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
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

bool topic_name_is_legal(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= TOPIC_NAME_MAX && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == n;
}

int topic_name_cmp(const char *a, const char *b)
{
	return strcmp(a, b); /* compares as unsigned char */
}

size_t names_place(const void *list, size_t n, const char *(*at)(const void *list, size_t i), const char *name, bool *is_there)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (topic_name_cmp(at(list, mid), name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (is_there)
		*is_there = low < n && topic_name_cmp(at(list, low), name) == 0;
	return low;
}
