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
static const char *const table_fields[] = { "topic", "state", "marked_at=ASKED FOR", "attempts=TRY", "replicas_by_phase=REPLICAS",
	"bytes_left=LEFT", "blockers=WAITS FOR", NULL };

/* "2 done, 1 waiting" */
static json_t *phases_text(const struct deletion *dl)
{
	static const uint8_t order[] = { PHASE_DONE, PHASE_WAITING, PHASE_RUNNING, PHASE_NOT_BEGUN, PHASE_UNKNOWN };
	struct strbuf out;
	json_t *v;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (dl->n_by_phase[order[i]] > 0)
			strbuf_printf(&out, "%s%u %s", out.len > 0 ? ", " : "", dl->n_by_phase[order[i]],
				      order[i] == PHASE_NOT_BEGUN ? "not begun" : deletion_phase_name((enum deletion_phase)order[i]));
	v = json_text(out.len > 0 ? out.s : NULL);
	strbuf_fini(&out);
	return v;
}

/* "broker 3 down", and of how many other things, of another kind, it waits. */
static json_t *why_text_of(const struct deletion *dl)
{
	struct strbuf out;
	size_t others = 0;
	json_t *v;

	if (dl->why == NULL || *dl->why == '\0')
		return json_null();
	for (size_t i = 1; i < dl->n_blockers; i++)
		others += dl->blockers[i].kind != dl->blockers[0].kind;
	strbuf_init(&out);
	strbuf_put(&out, dl->why);
	if (others > 0)
		strbuf_printf(&out, ", and %zu more", others);
	v = json_text(out.s);
	strbuf_fini(&out);
	return v;
}

/* The table is for people, on 80 columns where it can be; the other forms have it all. */
static void for_people(json_t *item, const struct deletion *dl, wall_ms now)
{
	char when[UNITS_TEXT_MAX];

	json_object_set_new(item, "marked_at", json_text(dl->marked_at.ms != 0 ? units_moment(when, dl->marked_at, now) : NULL));
	json_object_set_new(item, "replicas_by_phase", phases_text(dl));
	json_object_set_new(item, "blockers", why_text_of(dl));
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
			for_people(item, dl, job->now);
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
