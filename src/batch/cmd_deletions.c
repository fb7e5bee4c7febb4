/* SPDX-License-Identifier: Apache-2.0 */
/* kafops deletions: an item a deletion that is queued, or that ended lately as far as a kafops on this host watched. What is said of them: core/deletion.h. */
#include "core/deletion.h"

#include "base/mem.h"
#include "base/str.h"
#include "batch/deletion_item.h"
#include "batch/job.h"
#include "batch/watch.h"

static const char *const fields[] = {
	"topic", "czxid", "state", "marked_at", "attempts", "replicas_total", "replicas_by_phase", "bytes_left", "bytes_left_as_of", "blockers",
	"next_trigger", "replica_states", NULL
};
static const char *const table_fields[] = { "topic", "state", "marked_at=ASKED FOR", "attempts", "replicas_total=REPLICAS", "replicas_by_phase=PHASES",
	"bytes_left=LEFT", "blockers=WAITS FOR", NULL };

static json_t *blockers_text(const struct deletion *dl)
{
	struct strbuf out;
	json_t *v;

	strbuf_init(&out);
	for (size_t i = 0; i < dl->n_blockers; i++)
		strbuf_printf(&out, "%s%s", i > 0 ? "; " : "", dl->blockers[i].text ? dl->blockers[i].text : blocker_kind_name(dl->blockers[i].kind));
	v = json_text(out.len > 0 ? out.s : NULL);
	strbuf_fini(&out);
	return v;
}

static void run(struct batch_job *job)
{
	struct deletions *ds = deletions_new();
	size_t more = cluster_unfollowed(job->cl);

	if (more > 0)
		batch_warn(job, "%zu more topics are queued for deletion than can be followed: nothing is told of them; see kafops topics", more);
	(void)deletions_update(ds, job->cl, NULL, job->mono, job->now);
	for (size_t i = 0; i < deletions_count(ds); i++) {
		const struct deletion *dl = deletions_at(ds, i);
		json_t *item;

		if (!batch_wants_text(job, dl->topic, topic_is_internal(dl->topic)))
			continue;
		item = batch_deletion_item(dl);
		if (job->opt->output == OUTPUT_TABLE)
			json_object_set_new(item, "blockers", blockers_text(dl));
		json_push(job->items, item);
	}
	deletions_free(&ds);
}

/* ---- --watch ------------------------------------------------------------------------------------ */

struct watching {
	struct deletions *ds;
	struct deletion_watch *dw;
	struct batch_job *job;
	bool (*tell)(void *ctx, json_t *line);
	void *ctx;
};

static void *watch_begin(struct batch_job *job)
{
	struct watching *wt = mem_zalloc(sizeof(*wt));

	wt->ds = deletions_new();
	wt->dw = deletion_watch_new();
	wt->job = job;
	return wt;
}

static void watch_end(void **self)
{
	struct watching *wt = *self;

	deletion_watch_free(&wt->dw);
	deletions_free(&wt->ds);
	mem_free(self);
}

static bool watch_wants(void *ctx, const char *topic)
{
	return batch_wants_text(((struct watching *)ctx)->job, topic, topic_is_internal(topic));
}

static bool watch_tell(void *ctx, json_t *line)
{
	struct watching *wt = ctx;

	return wt->tell(wt->ctx, line);
}

static void watch_look(void *self, const struct batch_job *job, const struct changes *ch, bool (*tell)(void *ctx, json_t *line), void *ctx)
{
	struct watching *wt = self;

	wt->tell = tell;
	wt->ctx = ctx;
	if (deletions_update(wt->ds, job->cl, ch, job->mono, job->now) || !ch || (ch->bits & (CHG_CLUSTER | CHG_TOPICS)))
		(void)deletion_watch_look(wt->dw, job->cl, wt->ds, job->now, watch_wants, watch_tell, wt);
}

static dur_ms watch_wait(const void *self, const struct batch_job *job)
{
	return deletions_wait(((const struct watching *)self)->ds, job->mono);
}

static size_t watch_topics(const void *self, const char **names, size_t max)
{
	const struct watching *wt = self;
	size_t n = 0;

	for (size_t i = 0; i < deletions_count(wt->ds) && n < max; i++)
		if (!deletion_state_is_end(deletions_at(wt->ds, i)->state))
			names[n++] = deletions_at(wt->ds, i)->topic;
	return n;
}

const struct watch_ops watch_deletions = {
	.begin = watch_begin, .end = watch_end, .look = watch_look, .wait = watch_wait, .topics = watch_topics, .asks = ASK_DISKS | ASK_METADATA,
};

const struct batch_command cmd_deletions = {
	.list = BATCH_NO_LIST, .nothing = "no topic is queued for deletion", .fields = fields, .table_fields = table_fields,
	.asks = ASK_METADATA | ASK_DISKS | ASK_SETTINGS | ASK_REASSIGNING, .needs_zookeeper = true, .remembers = true, .run = run, .watch = &watch_deletions,
};
