/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was seen of deletions, from one run of the program to the next. A failure does no harm to anything else: it is said once, and tried again
 * every minute.
 */
#include <string.h>

#include "app/session_parts.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/memory.h"

enum { EVERY_MS = 3000, AFTER_FAILURE_MS = 60000, LOOK_MS = 50 /* whether a write is over */ };

static void say(struct session *ss, const char *what, const struct err *err)
{
	log_put(LOG_WARN, "memory", "%s: %s", what, err->text);
	str_printf(ss->message, sizeof(ss->message), "%s: %s", what, err->text);
}

static void remember(void *ctx, struct witness *wi)
{
	struct session *ss = ctx;

	model_remember(ss->model, wi);
}

/* The cluster is known: what was kept of it. */
static void begin(struct session *ss, const char *cluster_id)
{
	struct keeper *ke = &ss->live.keeper;
	struct err err;

	err_init(&err);
	memory_close(&ke->memory);
	mem_free(&ke->cluster_id);
	ke->cluster_id = mem_strdup(cluster_id);
	ke->is_due = ke->is_writing = ke->has_failed = false;
	ke->memory = memory_open(cluster_id, &err);
	if (ke->memory == NULL) {
		say(ss, "what is seen of deletions is not kept", &err);
		return;
	}
	if (memory_read(ke->memory, remember, ss, &err))
		return;
	if (err.code == ERR_FORMAT) {
		say(ss, "what was kept of deletions is damaged", &err);
		return;
	}
	say(ss, "what is seen of deletions is not kept", &err);
	memory_close(&ke->memory);
}

static bool is_dirty(const struct cluster *cl)
{
	for (size_t i = 0; i < cl->n_witnesses; i++)
		if (cl->witnesses[i]->is_dirty)
			return true;
	return false;
}

static void write_now(struct session *ss)
{
	const struct cluster *cl = model_cluster(ss->model);
	struct keeper *ke = &ss->live.keeper;

	memory_write(ke->memory, (const struct witness *const *)cl->witnesses, cl->n_witnesses);
	model_witnesses_kept(ss->model);
	ke->is_due = false;
	ke->is_writing = true;
	ke->next = (mono_ms){ clock_mono().ms + EVERY_MS };
}

/* How a write ended. */
static void hear(struct session *ss)
{
	struct keeper *ke = &ss->live.keeper;
	struct err err;

	if (!ke->is_writing || memory_is_busy(ke->memory))
		return;
	err_init(&err);
	ke->is_writing = false;
	if (memory_written(ke->memory, &err)) {
		ke->has_failed = false;
		return;
	}
	if (!ke->has_failed)
		say(ss, "what is seen of deletions can't be kept; tried again every minute", &err);
	ke->has_failed = ke->is_due = true;
	ke->next = (mono_ms){ clock_mono().ms + AFTER_FAILURE_MS };
}

void keeper_turn(struct session *ss)
{
	const struct cluster *cl = model_cluster(ss->model);
	struct keeper *ke = &ss->live.keeper;

	if (!ke->is_on)
		return;
	if (cl->cluster_id != NULL && cl->cluster_id_fact.source == SOURCE_ZOOKEEPER && cl->cluster_id_fact.know == KNOW_PRESENT &&
	    (ke->cluster_id == NULL || strcmp(ke->cluster_id, cl->cluster_id) != 0))
		begin(ss, cl->cluster_id);
	if (ke->memory == NULL)
		return;
	hear(ss);
	if (!ke->is_due && (model_changes(ss->model).bits & CHG_DELETIONS))
		ke->is_due = is_dirty(cl);
	if (ke->is_due && !ke->is_writing && clock_mono().ms >= ke->next.ms)
		write_now(ss);
}

dur_ms keeper_wait(const struct session *ss)
{
	const struct keeper *ke = &ss->live.keeper;
	dur_ms left;

	if (ke->memory == NULL || !(ke->is_due || ke->is_writing))
		return -1;
	if (ke->is_writing)
		return LOOK_MS;
	left = mono_since(ke->next, clock_mono());
	return left > 0 ? left : 0;
}

void keeper_end(struct session *ss)
{
	struct keeper *ke = &ss->live.keeper;

	if (ke->memory != NULL) {
		memory_wait(ke->memory);
		if (is_dirty(model_cluster(ss->model)) || ke->is_due)
			write_now(ss);
	}
	memory_close(&ke->memory);
	mem_free(&ke->cluster_id);
}
