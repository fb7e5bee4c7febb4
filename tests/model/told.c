/* SPDX-License-Identifier: Apache-2.0 */
#include "told.h"

#include <string.h>

#include "base/mem.h"

struct told {
	struct truths *tr;
	char *key;        /* of the one that "its" is about */
};

struct told *told_new(void)
{
	struct told *to = mem_zalloc(sizeof(*to));

	to->tr = truths_new();
	return to;
}

void told_free(struct told **pp)
{
	truths_free(&(*pp)->tr);
	mem_free(&(*pp)->key);
	mem_free(pp);
}

void told_look(struct told *to, const struct cluster *cl, const struct changes *ch, mono_ms mono, wall_ms now)
{
	truths_update(to->tr, cl, ch, mono, now);
}

bool told_is_ours(const char *verb, const char *next)
{
	return strcmp(verb, "truth") == 0 || strcmp(verb, "truths") == 0 || strcmp(verb, "its") == 0 ||
		(strcmp(verb, "no") == 0 && strcmp(next, "truths") == 0);
}

static void list_all(const struct told *to, struct strbuf *wrong)
{
	for (size_t i = 0; i < truths_count(to->tr); i++) {
		const struct truth *tt = truths_at(to->tr, i);

		strbuf_printf(wrong, "%s'%s: %s'", i > 0 ? ", " : "", truth_kind_name(tt->kind), tt->subject);
	}
}

static void expect_one(struct told *to, const char *wanted, struct strbuf *wrong)
{
	char found[1024];

	mem_free(&to->key);
	for (size_t i = 0; i < truths_count(to->tr) && to->key == NULL; i++) {
		const struct truth *tt = truths_at(to->tr, i);

		str_printf(found, sizeof(found), "%s: %s", truth_kind_name(tt->kind), tt->subject);
		if (strcmp(found, wanted) == 0)
			to->key = mem_strdup(tt->key);
	}
	if (to->key != NULL)
		return;
	strbuf_printf(wrong, "expected '%s', there is: ", wanted);
	list_all(to, wrong);
}

static const struct truth *its(const struct told *to)
{
	for (size_t i = 0; i < truths_count(to->tr); i++)
		if (to->key != NULL && strcmp(truths_at(to->tr, i)->key, to->key) == 0)
			return truths_at(to->tr, i);
	return NULL;
}

/* "since MS exact|bound", "poison yes|no", "what|next|mends TEXT": a part of it */
static void expect_its(const struct told *to, const char *rest, struct strbuf *wrong)
{
	const struct truth *tt = its(to);
	size_t len = strcspn(rest, " ");
	const char *text = rest + len + (rest[len] == ' ');
	char found[4096];

	if (tt == NULL) {
		strbuf_put(wrong, "the one asked about is not there");
		return;
	}
	if (strncmp(rest, "since ", 6) == 0)
		str_printf(found, sizeof(found), "%lld %s", (long long)tt->since.ms, tt->since_exact ? "exact" : "bound");
	else if (strncmp(rest, "poison ", 7) == 0)
		str_printf(found, sizeof(found), "%s", tt->is_poison ? "yes" : "no");
	else
		str_printf(found, sizeof(found), "%s", strncmp(rest, "next ", 5) == 0 ? tt->next : strncmp(rest, "mends ", 6) == 0 ? tt->mends : tt->what);
	if (strstr(found, text) == NULL)
		strbuf_printf(wrong, "expected '%s', found '%s'", text, found);
}

static void expect_number(const char *rest, int64_t found, struct strbuf *wrong)
{
	int64_t wanted;

	if (!str_to_i64(rest, INT64_MIN, INT64_MAX, &wanted) || wanted != found)
		strbuf_printf(wrong, "expected '%s', found %lld", rest, (long long)found);
}

void told_expect(struct told *to, const char *verb, const char *rest, struct strbuf *wrong)
{
	if (strcmp(verb, "truth") == 0)
		expect_one(to, rest, wrong);
	else if (strcmp(verb, "its") == 0)
		expect_its(to, rest, wrong);
	else if (strcmp(verb, "truths") == 0)
		expect_number(rest, (int64_t)truths_count(to->tr), wrong);
	else if (strcmp(verb, "no") == 0)
		list_all(to, wrong);
}
