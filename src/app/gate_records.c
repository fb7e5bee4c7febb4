/* SPDX-License-Identifier: Apache-2.0 */
/* What the gate writes to the journal, and asks of it. */
#include <string.h>

#include "app/gate_parts.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "core/ids.h"
#include "core/outcome.h"
#include "core/policy.h"
#include "core/record.h"
#include "io/journal.h"

/* Milliseconds, then 20 bits of the seed: in order of time, and not those of another console. */
uint64_t gate_new_id(struct gate *g, wall_ms now)
{
	uint64_t id = (uint64_t)now.ms << 20 | (g->opt.seed & 0xfffff);

	if (id <= g->last_id)
		id = g->last_id + 1;
	g->last_id = id;
	return id;
}

static char *copy_text(const char *s)
{
	return s != NULL ? mem_strdup(s) : NULL;
}

static char *request_text(const struct gate *g, const struct command *cm)
{
	struct strbuf out;
	char *text;

	strbuf_init(&out);
	switch (cm->kind) {
	case COMMAND_DELETE_TOPICS:
		strbuf_printf(&out, "DeleteTopics to the controller, at most %u topics at a time", (unsigned)g->opt.policy->group_topics);
		break;
	case COMMAND_MARK_TOPICS:
		strbuf_put(&out, "create /admin/delete_topics/<topic>, one after the other");
		break;
	default:
		strbuf_printf(&out, "delete /controller with czxid %lld", (long long)cm->controller_czxid);
	}
	text = strbuf_take(&out);
	strbuf_fini(&out);
	return text;
}

/* Whom it goes to, and in which of its terms: a request that nobody answered may lie there. */
static void record_target(struct record *re, const struct gate *g, const struct command *cm, const struct cluster *cl)
{
	re->request = request_text(g, cm);
	if (cm->kind == COMMAND_DELETE_TOPICS && cl->controller_fact.know == KNOW_PRESENT)
		re->broker = cl->controller.broker;
	if (cl->controller_epoch_fact.know == KNOW_PRESENT)
		re->controller_epoch = cl->controller_epoch;
}

struct record *gate_record(const struct gate *g, int phase, uint64_t id, const struct command *cm, const struct gate_facts *fa)
{
	struct record *re = record_new();
	struct strbuf effect;

	re->id = id;
	re->at = fa->now;
	re->phase = (enum record_phase)phase;
	record_who_copy(&re->who, g->opt.who);
	re->cluster_id = copy_text(fa->cl->cluster_id);
	re->zookeeper = copy_text(g->opt.zookeeper);
	re->mode = mem_strdup(g->opt.port != NULL ? "operate" : "read-only");
	re->command = mem_strdup(command_name(cm->kind));
	re->danger = (int)command_danger(cm->kind);
	re->pattern = copy_text(cm->pattern);
	re->way = mem_strdup(cm->kind == COMMAND_DELETE_TOPICS ? "api" : "znode");
	if (phase == RECORD_OUTCOME)
		return re;
	strbuf_init(&effect);
	command_describe(cm, &effect);
	re->effect = strbuf_take(&effect);
	strbuf_fini(&effect);
	if (phase == RECORD_INTENT)
		record_target(re, g, cm, fa->cl);
	return re;
}

static size_t items_of(const struct command *cm)
{
	return cm->kind == COMMAND_MOVE_CONTROLLER ? 1 : cm->n_topics;
}

struct record_item *gate_record_item(struct record *re, const struct command *cm, size_t i)
{
	const struct command_topic *ct = i < cm->n_topics ? &cm->topics[i] : NULL;
	struct record_item *it;

	if (re->items == NULL)
		re->items = mem_array(items_of(cm), sizeof(*re->items));
	it = &re->items[re->n_items++];
	*it = (struct record_item){ .outcome = RECORD_NO_OUTCOME, .partitions = -1, .replicas = -1, .size_bytes = -1, .czxid = cm->controller_czxid };
	it->topic = mem_strdup(ct != NULL ? ct->name : "");
	if (ct != NULL) {
		it->czxid = ct->czxid;
		it->partitions = ct->n_partitions;
		it->replicas = ct->n_replicas;
		it->size_bytes = ct->size_bytes;
	}
	return it;
}

void gate_record_topics(struct record *re, const struct command *cm)
{
	for (size_t i = 0; i < items_of(cm); i++)
		gate_record_item(re, cm, i);
}

void gate_record_findings(struct record *re, const struct findings *fs)
{
	re->findings = fs->n > 0 ? mem_array(fs->n, sizeof(*re->findings)) : NULL;
	for (; re->n_findings < fs->n; re->n_findings++) {
		const struct finding *fi = &fs->v[re->n_findings];

		re->findings[re->n_findings] = (struct record_finding){
			.severity = mem_strdup(severity_name(fi->severity)), .kind = mem_strdup(fi->kind), .topic = copy_text(fi->topic), .text = mem_strdup(fi->text),
		};
	}
}

bool gate_write(struct gate *g, struct record *re, struct err *err)
{
	bool ok = g->opt.journal.write(g->opt.journal.ctx, re, err);

	record_free(&re);
	return ok;
}

/* ---- what is written of a topic from before ---------------------------------------------------------- */

struct memory {
	struct command *cm;
	const char *cluster_id;
	struct past {
		uint8_t code;               /* enum outcome_code of the last answer to a request by the API; OUTCOME_DONE: none stands against it */
		int16_t kafka_error;
		wall_ms at;
	} *past;                            /* [cm->n_topics] */
};

static struct command_asked asked_by(const struct record *re)
{
	struct command_asked as = { .id = re->id, .at = re->at, .broker = re->broker, .epoch = re->controller_epoch };

	str_printf(as.by, sizeof(as.by), "%.60s", re->who.login != NULL ? re->who.login : "somebody");
	return as;
}

/* An intent stands for an outcome that is not known until its own outcome comes: that of a later request says nothing of it, but that the topic was taken does. */
static void recall_item(struct command_topic *ct, struct past *pa, const struct record *re, const struct record_item *it)
{
	if (re->phase == RECORD_INTENT)
		ct->asked = asked_by(re);
	else if (it->outcome == OUTCOME_DONE || (it->outcome == OUTCOME_REFUSED && ct->asked.id == re->id))
		ct->asked = (struct command_asked){ .id = 0 };
	if (re->phase == RECORD_OUTCOME)
		*pa = (struct past){ .code = (uint8_t)it->outcome, .kafka_error = it->kafka_error, .at = re->at };
}

static void recall(void *ctx, const struct record *re)
{
	struct memory *me = ctx;

	if ((re->phase != RECORD_INTENT && re->phase != RECORD_OUTCOME) || re->way == NULL || strcmp(re->way, "api") != 0)
		return;
	if (re->cluster_id == NULL || me->cluster_id == NULL || strcmp(re->cluster_id, me->cluster_id) != 0)
		return;
	for (size_t i = 0; i < re->n_items; i++) {
		const struct record_item *it = &re->items[i];
		const struct command_topic *ct = command_topic_find(me->cm, it->topic);
		size_t at = ct != NULL ? (size_t)(ct - me->cm->topics) : 0;

		if (ct != NULL && it->czxid == ct->czxid && (re->phase == RECORD_INTENT || it->outcome != RECORD_NO_OUTCOME))
			recall_item(&me->cm->topics[at], &me->past[at], re, it);
	}
}

static bool look_back(const struct gate_journal *jo, struct memory *me, struct err *err)
{
	for (size_t i = 0; i < me->cm->n_topics; i++)
		me->cm->topics[i].asked = (struct command_asked){ .id = 0 };
	return me->cm->n_topics == 0 || jo->each(jo->ctx, recall, me, err);
}

bool gate_journal_recall(const struct gate_journal *jo, const char *cluster_id, struct command *cm, struct err *err)
{
	struct memory me = { .cm = cm, .cluster_id = cluster_id, .past = mem_array(cm->n_topics + 1, sizeof(*me.past)) };
	bool ok = look_back(jo, &me, err);

	mem_free(&me.past);
	return ok;
}

void gate_recall(const struct gate *g, struct command *cm, const struct gate_facts *fa)
{
	struct err err;

	err_init(&err);
	if (!gate_journal_recall(&g->opt.journal, fa->cl->cluster_id, cm, &err))
		log_put(LOG_WARN, "gate", "%s", err.text);
}

static bool judge(const struct command_topic *ct, const struct past *pa, wall_ms now, struct err *err)
{
	char at[UNITS_TEXT_MAX];

	if (command_topic_is_asked(ct, now))
		return err_set(err, ERR_REFUSED, "%.100s: what came of the request of %s to delete it is not known: wait until ten minutes are over, then look again", ct->name,
			       units_moment(at, ct->asked.at, now));
	if (pa->code == OUTCOME_REFUSED && (outcome_meaning(pa->kafka_error) & OUTCOME_IS_A_NO))
		return err_set(err, ERR_REFUSED, "%.100s: Kafka refused to delete it (error %d, %s): a marker would go around that", ct->name, pa->kafka_error,
			       units_moment(at, pa->at, now));
	return true;
}

bool gate_look_back(const struct gate *g, struct command *cm, const struct gate_facts *fa, struct err *err)
{
	struct memory me = { .cm = cm, .cluster_id = fa->cl->cluster_id, .past = mem_array(cm->n_topics + 1, sizeof(*me.past)) };
	bool ok = look_back(&g->opt.journal, &me, err);

	for (size_t i = 0; ok && cm->kind == COMMAND_MARK_TOPICS && i < cm->n_topics; i++)
		ok = judge(&cm->topics[i], &me.past[i], fa->now, err);
	mem_free(&me.past);
	return ok;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static bool file_write(void *ctx, const struct record *re, struct err *err)
{
	return journal_write(ctx, re, err);
}

struct each {
	void (*fn)(void *ctx, const struct record *re);
	void *ctx;
};

static void each_record(void *ctx, struct record *re, uint64_t offset)
{
	const struct each *ea = ctx;

	(void)offset;
	ea->fn(ea->ctx, re);
	record_free(&re);
}

static void each_bad(void *ctx, uint64_t offset, const char *why)
{
	(void)ctx, (void)offset, (void)why;
}

static bool file_each(void *ctx, void (*fn)(void *fn_ctx, const struct record *re), void *fn_ctx, struct err *err)
{
	struct each ea = { fn, fn_ctx };
	struct journal_reader rd = { .ctx = &ea, .record = each_record, .bad = each_bad };
	struct journal_place place = { .offset = 0 };

	return journal_read(ctx, &place, &rd, NULL, err);
}

struct gate_journal gate_journal_file(const char *path)
{
	union { const char *in; void *out; } ctx = { .in = path };

	return (struct gate_journal){ .ctx = ctx.out, .write = file_write, .each = file_each };
}
