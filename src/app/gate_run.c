/* SPDX-License-Identifier: Apache-2.0 */
/* A command that is being carried out: its items, what is known of each, and what may still be sent. Sends nothing itself. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/gate_parts.h"
#include "base/mem.h"
#include "core/ids.h"
#include "core/outcome.h"
#include "core/record.h"

/* Only what is not queued already. */
static struct command *left_of(const struct command *cm, const struct findings *fs)
{
	struct command *left = command_copy(cm);
	size_t n = 0;

	for (size_t i = 0; i < fs->n; i++) {
		const struct command_topic *ct = fs->v[i].topic != NULL ? command_topic_find(cm, fs->v[i].topic) : NULL;

		if (ct != NULL && strcmp(fs->v[i].kind, "already-queued") == 0)
			mem_free(&left->topics[ct - cm->topics].name);
	}
	for (size_t i = 0; i < left->n_topics; i++)
		if (left->topics[i].name != NULL)
			left->topics[n++] = left->topics[i];
	left->n_topics = n;
	return left;
}

void run_begin(struct run *ru, uint64_t id, const struct command *cm, const struct findings *fs)
{
	run_fini(ru);
	ru->id = id;
	ru->cm = left_of(cm, fs);
	ru->n = cm->kind == COMMAND_MOVE_CONTROLLER ? 1 : ru->cm->n_topics;
	ru->items = mem_array(ru->n, sizeof(*ru->items));
	for (size_t i = 0; i < ru->n; i++)
		ru->items[i].topic = i < ru->cm->n_topics ? ru->cm->topics[i].name : "";
	ru->is_running = true;
}

void run_fini(struct run *ru)
{
	for (size_t i = 0; i < ru->n; i++)
		mem_free(&ru->items[i].text);
	mem_free(&ru->items);
	command_free(&ru->cm);
	*ru = (struct run){ .id = 0 };
}

size_t run_count(const struct run *ru, enum gate_state st)
{
	size_t n = 0;

	for (size_t i = 0; i < ru->n; i++)
		n += ru->items[i].state == st;
	return n;
}

void run_settle(struct gate_item *it, enum gate_state st, int code, int16_t kafka_error, const char *text)
{
	it->state = (uint8_t)st;
	it->code = (uint8_t)code;
	it->kafka_error = kafka_error;
	mem_free(&it->text);
	it->text = text != NULL ? mem_strdup(text) : NULL;
}

/* The first reason counts. */
void run_stop(struct run *ru, const char *fmt, ...)
{
	va_list ap;

	ru->is_stopping = true;
	if (ru->stopped[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(ru->stopped, sizeof(ru->stopped), fmt, ap);
	va_end(ap);
}

void run_leave_rest(struct run *ru)
{
	char text[GATE_TEXT_MAX + 16];

	str_printf(text, sizeof(text), "not sent: %s", ru->stopped);
	for (size_t i = 0; i < ru->n; i++)
		if (ru->items[i].state == GATE_WAITS)
			run_settle(&ru->items[i], GATE_NOT_SENT, OUTCOME_REFUSED, 0, text);
}

static const struct outcome_item *answer_of(const struct outcome *oc, const char *topic)
{
	for (size_t i = 0; i < oc->n; i++)
		if (strcmp(oc->items[i].name, topic) == 0)
			return &oc->items[i];
	return NULL;
}

static void take_item(struct run *ru, struct gate_item *it, const struct outcome *oc)
{
	const struct outcome_item *oi = answer_of(oc, it->topic);

	if (oi == NULL) {
		run_settle(it, GATE_ANSWERED, OUTCOME_UNKNOWN, 0, "the answer does not name it");
		run_stop(ru, "the answer did not name %.200s", it->topic);
		return;
	}
	run_settle(it, GATE_ANSWERED, oi->code, oi->kafka_error, oi->text);
	if (oi->code == OUTCOME_UNKNOWN)
		run_stop(ru, "what came of the last request is not known");
	else if (oi->code == OUTCOME_REFUSED && oi->is_for_all)
		run_stop(ru, "%s", oi->text != NULL ? oi->text : "it would be refused like the last");
}

bool run_take(struct run *ru, const struct outcome *oc)
{
	if (!ru->is_running || oc->id != ru->id || run_count(ru, GATE_OUT) == 0)
		return false;
	for (size_t i = 0; i < ru->n; i++)
		if (ru->items[i].state == GATE_OUT)
			take_item(ru, &ru->items[i], oc);
	return true;
}

struct record *run_untold(struct gate *g, int32_t broker, const struct gate_facts *fa)
{
	struct run *ru = &g->run;
	struct record *re = gate_record(g, RECORD_OUTCOME, ru->id, ru->cm, fa);

	re->broker = broker;
	for (size_t i = 0; i < ru->n; i++) {
		struct gate_item *it = &ru->items[i];
		struct record_item *ri;

		if (it->is_told || (it->state != GATE_ANSWERED && it->state != GATE_NOT_SENT))
			continue;
		it->is_told = true;
		ri = gate_record_item(re, ru->cm, i);
		ri->outcome = it->code;
		ri->kafka_error = it->kafka_error;
		ri->text = it->text != NULL ? mem_strdup(it->text) : NULL;
	}
	if (re->n_items == 0)
		record_free(&re);
	return re;
}

/* ---- before the next request --------------------------------------------------------------------------- */

/* The first `max` that wait, as a command of their own; their places in `at`. */
static struct command *next_of(const struct run *ru, size_t max, size_t *at, size_t *n)
{
	struct command *next = command_new(ru->cm->kind);

	*n = 0;
	next->topics = mem_array(max, sizeof(*next->topics));
	for (size_t i = 0; i < ru->n && *n < max; i++) {
		if (ru->items[i].state != GATE_WAITS)
			continue;
		next->topics[*n] = ru->cm->topics[i];
		next->topics[*n].name = mem_strdup(ru->cm->topics[i].name);
		at[(*n)++] = i;
	}
	next->n_topics = *n;
	return next;
}

static void leave_out(struct run *ru, size_t at, const struct finding *fi)
{
	char text[GATE_TEXT_MAX];

	str_printf(text, sizeof(text), "not sent: %s", fi->text);
	run_settle(&ru->items[at], GATE_NOT_SENT, OUTCOME_REFUSED, 0, text);
}

size_t run_look_again(struct gate *g, size_t max, const struct gate_facts *fa)
{
	struct run *ru = &g->run;
	size_t *at = mem_array(max, sizeof(*at)), n, left = 0;
	struct command *next = next_of(ru, max, at, &n);
	struct findings fs;

	command_check(next, fa->cl, fa->ds, g->opt.policy, NULL, fa->now, &fs);
	for (size_t i = 0; i < fs.n; i++) {
		const struct finding *fi = &fs.v[i];

		if (fi->topic == NULL && fi->severity == SEVERITY_ERROR && strcmp(fi->kind, "nothing") != 0)
			run_stop(ru, "%s", fi->text);
		for (size_t j = 0; fi->topic != NULL && j < n; j++)
			if (strcmp(ru->items[at[j]].topic, fi->topic) == 0 && (fi->severity == SEVERITY_ERROR || strcmp(fi->kind, "already-queued") == 0) &&
			    ru->items[at[j]].state == GATE_WAITS)
				leave_out(ru, at[j], fi);
	}
	for (size_t j = 0; j < n; j++)
		left += ru->items[at[j]].state == GATE_WAITS;
	findings_fini(&fs);
	command_free(&next);
	mem_free(&at);
	return left;
}
