/* SPDX-License-Identifier: Apache-2.0 */
/* kafops journal: what was asked of clusters from this account on this host, and what came of it. The fields are those of kafops-journal(5). */
#include "app/audit.h"
#include "base/str.h"
#include "batch/job.h"
#include "core/outcome.h"

static const char *const table_fields[] = { "at", "id", "who=USER", "phase", "command", "what", NULL };

/* ---- for people ------------------------------------------------------------------------------ */

static size_t count(const struct record *re, int outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < re->n_items; i++)
		n += re->items[i].outcome == outcome;
	return n;
}

/* The console's words (view/vm_journal): a topic that was taken is queued; of /controller there is nothing to queue. */
static const char *word_of(const struct record *re, int code)
{
	return code == OUTCOME_DONE && re->n_items > 0 && *re->items[0].topic != '\0' ? "queued" : record_outcome_name(code);
}

/* "18 queued, 2 refused: orders: no permission" */
static void put_outcome(struct strbuf *out, const struct record *re)
{
	const char *before = "";

	for (int code = OUTCOME_DONE; code <= OUTCOME_UNKNOWN; code++) {
		size_t n = count(re, code);

		if (n > 0) {
			strbuf_printf(out, "%s%zu %s", before, n, word_of(re, code));
			before = ", ";
		}
	}
	for (size_t i = 0; i < re->n_items; i++)
		if (re->items[i].text != NULL && re->items[i].outcome != OUTCOME_DONE) {
			strbuf_printf(out, ": %s%s%s", re->items[i].topic, *re->items[i].topic ? ": " : "", re->items[i].text);
			break;
		}
}

static json_t *what(const struct record *re, const struct intents *open)
{
	const struct record *in = intents_find(open, re->id);
	struct strbuf out;
	json_t *v;

	strbuf_init(&out);
	if (re->phase == RECORD_OUTCOME)
		put_outcome(&out, re);
	else if (re->phase == RECORD_INTENT)
		strbuf_printf(&out, "%s%s", re->effect != NULL ? re->effect : "", in != NULL ? "; OUTCOME UNKNOWN" : "");
	else
		strbuf_printf(&out, "%s%s%s", re->text != NULL ? re->text : "", re->effect != NULL ? ": " : "", re->effect != NULL ? re->effect : "");
	v = json_text(out.s);
	strbuf_fini(&out);
	return v;
}

static json_t *who(const struct record *re)
{
	struct strbuf out;
	json_t *v;

	strbuf_init(&out);
	strbuf_printf(&out, "%s@%s", re->who.login != NULL ? re->who.login : "?", re->who.host != NULL ? re->who.host : "?");
	v = json_text(out.s);
	strbuf_fini(&out);
	return v;
}

/* Written down as not known: as good as an intent without an outcome. */
static void warn_unknown(struct batch_job *job, const struct record *re)
{
	size_t n = re->phase == RECORD_OUTCOME ? count(re, OUTCOME_UNKNOWN) : 0;
	char id[RECORD_ID_MAX];

	if (n > 0)
		batch_warn(job, "%s %s: the outcome of %zu of %zu is written down as not known: see whether they are still there, or queued for deletion (kafops topics)",
			   re->command != NULL ? re->command : "?", record_id_text(id, re->id), n, re->n_items);
}

/* ---- all ------------------------------------------------------------------------------------------ */

static void warn(struct batch_job *job, const struct audit_state *st)
{
	char id[RECORD_ID_MAX];

	if (st->n_left_out > 0)
		batch_warn(job, "%s: %zu older records are not shown; they are in the file", st->path, st->n_left_out);
	for (size_t i = 0; i < st->n_bad; i++)
		batch_warn(job, "%s: the line at byte %llu is no record: %s", st->path, (unsigned long long)st->bad[i].offset, st->bad[i].why);
	if (st->n_bad_all > st->n_bad)
		batch_warn(job, "%s: %zu more lines are no records", st->path, st->n_bad_all - st->n_bad);
	if (st->is_torn)
		batch_warn(job, "%s: the last line, at byte %llu, has no end: whoever wrote it was kept from it", st->path, (unsigned long long)st->torn_at);
	for (size_t i = 0; i < st->n; i++)
		warn_unknown(job, st->records[i]);
	for (size_t i = 0; i < st->open->n; i++)
		batch_warn(job, "%s %s: what came of %zu of %zu is not known: see whether they are still there, or queued for deletion (kafops topics)",
			   st->open->v[i]->command != NULL ? st->open->v[i]->command : "?", record_id_text(id, st->open->v[i]->id), intent_n_open(st->open->v[i]),
			   st->open->v[i]->n_items);
}

static void run(struct batch_job *job)
{
	struct audit *au = audit_new();
	struct audit_state st;

	audit_refresh(au);
	st = audit_state(au);
	if (st.error != NULL)
		batch_fail(job, st.error);
	for (size_t i = 0; i < st.n; i++) {
		json_t *item = record_json(st.records[i]);

		if (job->opt->output == OUTPUT_TABLE) {
			json_put(item, "who", who(st.records[i]));
			json_put(item, "what", what(st.records[i], st.open));
		}
		json_push(job->items, item);
	}
	warn(job, &st);
	audit_free(&au);
}

const struct batch_command cmd_journal = {
	.list = BATCH_NO_LIST, .nothing = "the journal has no records", .fields = record_fields, .table_fields = table_fields, .is_local = true, .run = run,
};
