/* SPDX-License-Identifier: Apache-2.0 */
#include "core/appraisal.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static const char **list_copy(const char *const *list, size_t n)
{
	const char **v = n > 0 ? mem_array(n, sizeof(*v)) : NULL;

	for (size_t i = 0; i < n; i++)
		v[i] = mem_strdup(list[i]);
	return v;
}

static void list_free(const char *const *list, size_t n)
{
	const char **v = (const char **)(uintptr_t)list;

	for (size_t i = 0; i < n; i++)
		mem_free(&v[i]);
	mem_free(&v);
}

static void list_add(const char *const **list, size_t *n, const char *s)
{
	const char **v = (const char **)(uintptr_t)*list;

	v = mem_realloc_array(v, *n + 1, sizeof(*v));
	v[(*n)++] = mem_strdup(s);
	*list = v;
}

static bool list_same(const char *const *a, size_t n_a, const char *const *b, size_t n_b)
{
	if (n_a != n_b)
		return false;
	for (size_t i = 0; i < n_a; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static char *text_copy(const char *s)
{
	return s != NULL ? mem_strdup(s) : NULL;
}

void appraisal_copy(const struct appraisal *from, struct appraisal *to)
{
	*to = *from;
	to->active = list_copy(from->active, from->n_active);
	to->groups = list_copy(from->groups, from->n_groups);
	to->why_writes = text_copy(from->why_writes);
	to->why_groups = text_copy(from->why_groups);
}

void appraisal_fini(struct appraisal *ap)
{
	list_free(ap->active, ap->n_active);
	list_free(ap->groups, ap->n_groups);
	mem_free(&ap->why_writes);
	mem_free(&ap->why_groups);
	*ap = (struct appraisal){ .n_active = 0 };
}

void appraisal_add_active(struct appraisal *ap, const char *topic)
{
	list_add(&ap->active, &ap->n_active, topic);
}

void appraisal_add_group(struct appraisal *ap, const char *group)
{
	list_add(&ap->groups, &ap->n_groups, group);
}

bool appraisal_says_same(const struct appraisal *a, const struct appraisal *b)
{
	if (a->writes_pending != b->writes_pending || a->writes_known != b->writes_known || a->groups_pending != b->groups_pending ||
	    a->groups_known != b->groups_known || !str_same(a->why_writes, b->why_writes) || !str_same(a->why_groups, b->why_groups))
		return false;
	if (!a->groups_pending && (a->groups_seen != b->groups_seen || a->groups_total != b->groups_total))
		return false;
	return list_same(a->active, a->n_active, b->active, b->n_active) && list_same(a->groups, a->n_groups, b->groups, b->n_groups);
}

void appraisal_give_up(struct appraisal *ap, const char *why)
{
	if (ap->writes_pending) {
		ap->writes_pending = ap->writes_known = false;
		mem_free(&ap->why_writes);
		ap->why_writes = mem_strdup(why);
	}
	if (ap->groups_pending) {
		ap->groups_pending = ap->groups_known = false;
		mem_free(&ap->why_groups);
		ap->why_groups = mem_strdup(why);
	}
}
