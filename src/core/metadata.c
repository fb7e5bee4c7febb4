/* SPDX-License-Identifier: Apache-2.0 */
#include "core/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ids.h"

void metadata_answer_free(struct metadata_answer **pp)
{
	if (*pp == NULL)
		return;
	arena_free(&(*pp)->arena);
	mem_free(pp);
}

static int partition_cmp(const void *a, const void *b)
{
	const struct md_partition *p = a, *q = b;

	return (p->partition > q->partition) - (p->partition < q->partition);
}

static int topic_cmp(const void *a, const void *b)
{
	return topic_name_cmp(((const struct md_topic *)a)->name, ((const struct md_topic *)b)->name);
}

static void sort_partitions(struct md_topic *mt)
{
	uint32_t n = 0;

	if (mt->n_partitions > 1)
		qsort(mt->partitions, mt->n_partitions, sizeof(*mt->partitions), partition_cmp);
	for (uint32_t i = 0; i < mt->n_partitions; i++)
		if (n == 0 || mt->partitions[n - 1].partition != mt->partitions[i].partition)
			mt->partitions[n++] = mt->partitions[i];
	mt->n_partitions = n;
}

void metadata_sort(struct metadata *md)
{
	uint32_t n = 0;

	if (md->n_topics > 1)
		qsort(md->topics, md->n_topics, sizeof(*md->topics), topic_cmp);
	for (uint32_t i = 0; i < md->n_topics; i++) {
		if (n > 0 && strcmp(md->topics[n - 1].name, md->topics[i].name) == 0)
			continue;
		md->topics[n] = md->topics[i];
		sort_partitions(&md->topics[n++]);
	}
	md->n_topics = n;
}
