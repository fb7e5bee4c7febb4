/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of throttled replicas, as they stand in topic configs. */
#include "core/throttle.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static int pair_cmp(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* "12:3" of len bytes. Digits alone, as the validator's pattern has it. */
static bool parse_pair(const char *s, size_t len, int32_t *partition, int32_t *broker)
{
	size_t colon = strcspn(s, ":"), n = colon + 1;
	char part[16], id[16];
	int64_t p, b;

	if (n >= len || strspn(s, "0123456789") != colon || strspn(s + n, "0123456789") < len - n)
		return false;
	if (!str_copyn(part, sizeof(part), s, colon) || !str_copyn(id, sizeof(id), s + n, len - n))
		return false;
	if (!str_to_i64(part, 0, INT32_MAX, &p) || !str_to_i64(id, 0, INT32_MAX, &b))
		return false;
	*partition = (int32_t)p;
	*broker = (int32_t)b;
	return true;
}

static const char blanks[] = " \t\r\n";

/* The next member of a list without blanks around; *s moves behind its comma. */
static const char *next_member(const char **s, size_t *len)
{
	size_t n = strcspn(*s, ",");
	const char *member = *s;

	*s += n + ((*s)[n] == ',');
	while (n > 0 && strchr(blanks, *member)) {
		member++;
		n--;
	}
	while (n > 0 && strchr(blanks, member[n - 1]))
		n--;
	*len = n;
	return member;
}

bool throttle_list_parse(const char *text, struct throttle_list *out)
{
	const char *s = text, *member;
	size_t len, cap = 0;

	memset(out, 0, sizeof(*out));
	member = next_member(&s, &len);
	if (*s == '\0' && ((len == 1 && *member == '*') || (len == 4 && strncmp(member, "none", 4) == 0))) {
		out->is_all = len == 1;
		return true;
	}
	for (s = text; *s != '\0';) {
		member = next_member(&s, &len);
		if (len == 0)
			continue;
		if (out->n == cap) {
			cap = cap ? cap * 2 : 16;
			out->v = mem_realloc_array(out->v, cap, sizeof(*out->v));
		}
		if (!parse_pair(member, len, &out->v[out->n].partition, &out->v[out->n].broker)) {
			throttle_list_fini(out);
			return false;
		}
		out->n++;
	}
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), pair_cmp);
	return true;
}

void throttle_list_fini(struct throttle_list *l)
{
	mem_free(&l->v);
	memset(l, 0, sizeof(*l));
}

bool throttle_list_has(const struct throttle_list *l, int32_t partition, int32_t broker)
{
	int32_t key[2] = { partition, broker };

	return l->is_all || (l->n > 0 && bsearch(key, l->v, l->n, sizeof(*l->v), pair_cmp) != NULL);
}
