/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the journal as a struct, and as JSON to be written. Reading it: record_read.c. */
#include "core/record.h"

#include <assert.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/ids.h"
#include "core/outcome.h"

const char *const record_fields[] = {
	"v", "id", "at", "phase", "user", "pid", "version", "cluster_id", "zookeeper", "mode", "command", "danger", "effect", "pattern",
	"items", "findings", "request", "way", "broker", "controller_epoch", "text", NULL
};

/* ---- life ---------------------------------------------------------------------------------- */

struct record *record_new(void)
{
	struct record *re = mem_zalloc(sizeof(*re));

	re->broker = BROKER_NONE;
	re->controller_epoch = -1;
	re->who.uid = -1;
	return re;
}

static char *copy_text(const char *s)
{
	return s != NULL ? mem_strdup(s) : NULL;
}

void record_who_copy(struct record_who *to, const struct record_who *from)
{
	*to = (struct record_who){
		.login = copy_text(from->login), .uid = from->uid, .host = copy_text(from->host), .ssh_client = copy_text(from->ssh_client),
		.tty = copy_text(from->tty), .pid = from->pid, .version = copy_text(from->version),
	};
}

void record_who_fini(struct record_who *who)
{
	mem_free(&who->login);
	mem_free(&who->host);
	mem_free(&who->ssh_client);
	mem_free(&who->tty);
	mem_free(&who->version);
}

static void copy_lists(struct record *to, const struct record *from)
{
	to->items = from->n_items > 0 ? mem_dup(from->items, from->n_items * sizeof(*from->items)) : NULL;
	to->findings = from->n_findings > 0 ? mem_dup(from->findings, from->n_findings * sizeof(*from->findings)) : NULL;
	for (size_t i = 0; i < to->n_items; i++) {
		to->items[i].topic = copy_text(from->items[i].topic);
		to->items[i].text = copy_text(from->items[i].text);
	}
	for (size_t i = 0; i < to->n_findings; i++) {
		to->findings[i].severity = copy_text(from->findings[i].severity);
		to->findings[i].kind = copy_text(from->findings[i].kind);
		to->findings[i].topic = copy_text(from->findings[i].topic);
		to->findings[i].text = copy_text(from->findings[i].text);
	}
}

struct record *record_copy(const struct record *re)
{
	struct record *copy = mem_dup(re, sizeof(*re));

	record_who_copy(&copy->who, &re->who);
	copy->cluster_id = copy_text(re->cluster_id);
	copy->zookeeper = copy_text(re->zookeeper);
	copy->mode = copy_text(re->mode);
	copy->command = copy_text(re->command);
	copy->effect = copy_text(re->effect);
	copy->pattern = copy_text(re->pattern);
	copy->request = copy_text(re->request);
	copy->way = copy_text(re->way);
	copy->text = copy_text(re->text);
	copy_lists(copy, re);
	return copy;
}

void record_free(struct record **pp)
{
	struct record *re = *pp;

	if (re == NULL)
		return;
	for (size_t i = 0; i < re->n_items; i++) {
		mem_free(&re->items[i].topic);
		mem_free(&re->items[i].text);
	}
	for (size_t i = 0; i < re->n_findings; i++) {
		mem_free(&re->findings[i].severity);
		mem_free(&re->findings[i].kind);
		mem_free(&re->findings[i].topic);
		mem_free(&re->findings[i].text);
	}
	mem_free(&re->items);
	mem_free(&re->findings);
	record_who_fini(&re->who);
	mem_free(&re->cluster_id);
	mem_free(&re->zookeeper);
	mem_free(&re->mode);
	mem_free(&re->command);
	mem_free(&re->effect);
	mem_free(&re->pattern);
	mem_free(&re->request);
	mem_free(&re->way);
	mem_free(&re->text);
	mem_free(pp);
}

/* ---- words --------------------------------------------------------------------------------- */

const char *record_id_text(char out[RECORD_ID_MAX], uint64_t id)
{
	str_printf(out, RECORD_ID_MAX, "%016llx", (unsigned long long)id);
	return out;
}

const char *record_phase_name(enum record_phase ph)
{
	static const char *const names[] = {
		[RECORD_INTENT] = "intent", [RECORD_OUTCOME] = "outcome", [RECORD_REFUSED] = "refused", [RECORD_NOTE] = "note",
	};

	assert(ph < RECORD_PHASES);
	return names[ph];
}

const char *record_outcome_name(int outcome)
{
	switch (outcome) {
	case OUTCOME_DONE:
		return "taken";
	case OUTCOME_REFUSED:
		return "refused";
	case OUTCOME_UNKNOWN:
		return "unknown";
	default:
		return NULL;
	}
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *number_or_null(bool is_known, int64_t n)
{
	return is_known ? json_integer(n) : json_null();
}

static json_t *who_json(const struct record_who *who)
{
	json_t *obj = json_object();

	json_put(obj, "login", json_text(who->login));
	json_put(obj, "uid", number_or_null(who->uid >= 0, who->uid));
	json_put(obj, "host", json_text(who->host));
	json_put(obj, "ssh_client", json_text(who->ssh_client));
	json_put(obj, "tty", json_text(who->tty));
	return obj;
}

static json_t *item_json(const struct record_item *it)
{
	json_t *obj = json_object();

	json_put(obj, "topic", json_text(it->topic));
	json_put(obj, "outcome", json_text(record_outcome_name(it->outcome)));
	json_put(obj, "czxid", number_or_null(it->czxid != 0, it->czxid));
	json_put(obj, "partitions", number_or_null(it->partitions >= 0, it->partitions));
	json_put(obj, "replicas", number_or_null(it->replicas >= 0, it->replicas));
	json_put(obj, "size_bytes", number_or_null(it->size_bytes >= 0, it->size_bytes));
	json_put(obj, "kafka_error", number_or_null(it->kafka_error != 0, it->kafka_error));
	json_put(obj, "text", json_text(it->text));
	return obj;
}

static json_t *finding_json(const struct record_finding *fi)
{
	json_t *obj = json_object();

	json_put(obj, "severity", json_text(fi->severity));
	json_put(obj, "kind", json_text(fi->kind));
	json_put(obj, "topic", json_text(fi->topic));
	json_put(obj, "text", json_text(fi->text));
	return obj;
}

static void put_command(json_t *obj, const struct record *re)
{
	json_t *items = json_array(), *findings = json_array();

	for (size_t i = 0; i < re->n_items; i++)
		json_push(items, item_json(&re->items[i]));
	for (size_t i = 0; i < re->n_findings; i++)
		json_push(findings, finding_json(&re->findings[i]));
	json_put(obj, "command", json_text(re->command));
	json_put(obj, "danger", json_integer(re->danger));
	json_put(obj, "effect", json_text(re->effect));
	json_put(obj, "pattern", json_text(re->pattern));
	json_put(obj, "items", items);
	json_put(obj, "findings", findings);
	json_put(obj, "request", json_text(re->request));
	json_put(obj, "way", json_text(re->way));
	json_put(obj, "broker", number_or_null(re->broker != BROKER_NONE, re->broker));
	json_put(obj, "controller_epoch", number_or_null(re->controller_epoch >= 0, re->controller_epoch));
	json_put(obj, "text", json_text(re->text));
}

json_t *record_json(const struct record *re)
{
	char id[RECORD_ID_MAX], at[UNITS_TEXT_MAX];
	json_t *obj = json_object();

	json_put(obj, "v", json_integer(RECORD_VERSION));
	json_put(obj, "id", json_text(record_id_text(id, re->id)));
	json_put(obj, "at", json_text(units_rfc3339(at, re->at)));
	json_put(obj, "phase", json_text(record_phase_name(re->phase)));
	json_put(obj, "user", who_json(&re->who));
	json_put(obj, "pid", json_integer(re->who.pid));
	json_put(obj, "version", json_text(re->who.version));
	json_put(obj, "cluster_id", json_text(re->cluster_id));
	json_put(obj, "zookeeper", json_text(re->zookeeper));
	json_put(obj, "mode", json_text(re->mode));
	put_command(obj, re);
	return obj;
}

void record_write(const struct record *re, struct strbuf *out)
{
	json_t *obj = record_json(re);

	json_write(out, obj);
	json_decref(obj);
}
