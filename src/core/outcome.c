/* SPDX-License-Identifier: Apache-2.0 */
#include "core/outcome.h"

#include "base/mem.h"
#include "core/ids.h"

struct outcome *outcome_new(uint64_t id, size_t n)
{
	struct outcome *oc = mem_zalloc(sizeof(*oc));

	oc->id = id;
	oc->broker = BROKER_NONE;
	oc->n = n;
	if (n > 0)
		oc->items = mem_array(n, sizeof(*oc->items));
	return oc;
}

void outcome_free(struct outcome **pp)
{
	struct outcome *oc = *pp;

	if (oc == NULL)
		return;
	for (size_t i = 0; i < oc->n; i++) {
		mem_free(&oc->items[i].name);
		mem_free(&oc->items[i].text);
	}
	mem_free(&oc->items);
	mem_free(pp);
}
