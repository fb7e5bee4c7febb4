/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/delete_words.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "batch/job.h"
#include "core/command.h"

void delete_say_dry_run(struct batch_job *job, const struct command *cm)
{
	char topics[UNITS_TEXT_MAX], parts[UNITS_TEXT_MAX], *first, *cluster;
	uint64_t partitions = 0;
	struct strbuf sb;

	for (size_t i = 0; i < cm->n_topics; i++)
		partitions += cm->topics[i].n_partitions;
	command_to_type(cm, job->cl, &job->opt->policy, &first, &cluster);
	strbuf_init(&sb);
	strbuf_printf(&sb, "%s topic%s, %s partition%s; nothing was sent. To do it: --operate --execute --expect-count %zu",
		      units_count(topics, (int64_t)cm->n_topics), cm->n_topics == 1 ? "" : "s", units_count(parts, (int64_t)partitions), partitions == 1 ? "" : "s",
		      cm->n_topics);
	if (cluster != NULL)
		strbuf_printf(&sb, " --expect-cluster %s", cluster);
	batch_note(job, sb.s);
	strbuf_fini(&sb);
	mem_free(&first);
	mem_free(&cluster);
}

void delete_say_left(struct batch_job *job, const struct delete_left *left, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t before = 0, more = 0;

		for (size_t k = 0; k < n && before == 0; k++)
			if (k != i && strcmp(left[k].why, left[i].why) == 0)
				before += k < i, more += k > i;
		if (before == 0 && more > 0)
			batch_warn(job, "%s and %zu more are not gone: %s", left[i].topic, more, left[i].why);
		else if (before == 0)
			batch_warn(job, "%s is not gone: %s", left[i].topic, left[i].why);
	}
}

static void put_count(struct strbuf *sb, size_t n, const char *one, const char *many)
{
	if (n > 0)
		strbuf_printf(sb, ", %zu %s", n, n == 1 ? one : many);
}

void delete_say_followed(struct batch_job *job, size_t n_gone, size_t n_open, size_t n_bad)
{
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_printf(&sb, "%zu topic%s gone", n_gone, n_gone == 1 ? " is" : "s are");
	put_count(&sb, n_open, "is not yet", "are not yet");
	put_count(&sb, n_bad, "will not go", "will not go");
	batch_note(job, sb.s);
	strbuf_fini(&sb);
}
