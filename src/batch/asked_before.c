/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/asked_before.h"

#include "app/operate.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "batch/job.h"
#include "core/cluster.h"
#include "core/command.h"

/* Another controller does not take what the one before it has not read. */
static bool may_be_read(const struct batch_job *job, const struct command_topic *ct)
{
	const struct cluster *cl = job->cl;
	bool is_known = cl->controller_epoch_fact.know == KNOW_PRESENT && ct->asked.epoch >= 0;

	return command_topic_is_asked(ct, job->now) && !(is_known && cl->controller_epoch != ct->asked.epoch);
}

void asked_before_leave_out(struct batch_job *job, struct command *cm, void (*fn)(void *ctx, const struct command_topic *ct), void *ctx)
{
	struct err err;
	size_t n = 0;

	err_init(&err);
	if (!operate_recall(job->cl->cluster_id, cm, &err)) {
		batch_warn(job, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < cm->n_topics; i++) {
		if (!may_be_read(job, &cm->topics[i])) {
			cm->topics[n++] = cm->topics[i];
			continue;
		}
		fn(ctx, &cm->topics[i]);
		mem_free(&cm->topics[i].name);
	}
	cm->n_topics = n;
}

const char *asked_before_text(const struct command_asked *as, wall_ms now, char out[ASKED_BEFORE_MAX])
{
	char at[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];
	wall_ms end = { as->at.ms + COMMAND_ASKED_HOLDS_MS };

	str_printf(out, ASKED_BEFORE_MAX,
		   "It was asked for at %s by %s (%016llx), outcome unknown: a broker may still read that. It is not asked for again before %s, unless another controller is elected.",
		   units_moment(at, as->at, now), as->by, (unsigned long long)as->id, units_moment(until, end, now));
	return out;
}
