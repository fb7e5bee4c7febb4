/* SPDX-License-Identifier: Apache-2.0 */
#include "core/intents.h"

#include <string.h>

#include "base/mem.h"

void intents_init(struct intents *in)
{
	*in = (struct intents){ .n = 0 };
}

void intents_fini(struct intents *in)
{
	for (size_t i = 0; i < in->n; i++)
		record_free(&in->v[i]);
	mem_free(&in->v);
	in->n = 0;
}

static size_t place_of(const struct intents *in, uint64_t id)
{
	size_t i = in->n;

	while (i > 0 && in->v[i - 1]->id != id)
		i--;
	return i > 0 ? i - 1 : in->n;
}

static void drop(struct intents *in, size_t at)
{
	record_free(&in->v[at]);
	memmove(&in->v[at], &in->v[at + 1], (in->n - at - 1) * sizeof(in->v[0]));
	in->n--;
}

static void open_one(struct intents *in, const struct record *re)
{
	if (in->n == INTENTS_MAX) {
		drop(in, 0);
		in->n_dropped++;
	}
	in->v = mem_realloc_array(in->v, in->n + 1, sizeof(in->v[0]));
	in->v[in->n++] = record_copy(re);
}

/* Items are sorted by name in both, so each search goes on where the one before ended; a file that was edited costs a second round. */
static void settle(struct record *open, const struct record *re)
{
	size_t at = 0;

	for (size_t i = 0; i < re->n_items; i++) {
		if (re->items[i].outcome == RECORD_NO_OUTCOME)
			continue;
		for (size_t tries = 0; tries < open->n_items; tries++, at = (at + 1) % open->n_items)
			if (strcmp(open->items[at].topic, re->items[i].topic) == 0) {
				open->items[at].outcome = re->items[i].outcome;
				break;
			}
	}
}

size_t intent_n_open(const struct record *re)
{
	size_t n = 0;

	for (size_t i = 0; i < re->n_items; i++)
		n += re->items[i].outcome == RECORD_NO_OUTCOME;
	return n;
}

void intents_take(struct intents *in, const struct record *re)
{
	size_t at = place_of(in, re->id);

	if (re->phase == RECORD_INTENT && at == in->n && intent_n_open(re) > 0)
		open_one(in, re);
	if ((re->phase != RECORD_OUTCOME && re->phase != RECORD_NOTE) || at == in->n)
		return;
	settle(in->v[at], re);
	if (intent_n_open(in->v[at]) == 0)
		drop(in, at);
}

const struct record *intents_find(const struct intents *in, uint64_t id)
{
	size_t at = place_of(in, id);

	return at < in->n ? in->v[at] : NULL;
}
