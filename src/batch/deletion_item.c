/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/deletion_item.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "batch/job.h"
#include "core/deletion.h"

/* ---- the item ------------------------------------------------------------------------------- */

static json_t *name_or_unknown(bool is_known, const char *name)
{
	return json_text(is_known ? name : "unknown");
}

static json_t *certainty_of(uint8_t certainty)
{
	return certainty == CERTAINTY_NONE ? json_null() : json_text(certainty_name((enum certainty)certainty));
}

static json_t *replica_of(const struct deletion_replica *re)
{
	json_t *v = json_object();

	json_put(v, "partition", json_integer(re->partition));
	json_put(v, "broker", json_integer(re->broker));
	json_put(v, "phase", json_text(deletion_phase_name((enum deletion_phase)re->phase)));
	json_put(v, "phase_certainty", certainty_of(re->phase_certainty));
	json_put(v, "state", name_or_unknown(re->state != RSM_UNKNOWN, rsm_state_name((enum rsm_state)re->state)));
	json_put(v, "certainty", certainty_of(re->certainty));
	json_put(v, "evidence", json_text(re->evidence));
	return v;
}

static json_t *blocker_of(const struct deletion_blocker *bl)
{
	json_t *v = json_object();

	json_put(v, "kind", json_text(blocker_kind_name(bl->kind)));
	json_put(v, "broker", batch_count(bl->broker != BROKER_NONE, bl->broker));
	json_put(v, "log_dir", json_text(bl->log_dir));
	json_put(v, "partition", batch_count(bl->partition >= 0, bl->partition));
	json_put(v, "since", batch_time(bl->since));
	json_put(v, "text", json_text(bl->text));
	json_put(v, "certainty", certainty_of(bl->certainty));
	return v;
}

static json_t *phases_of(const struct deletion *dl)
{
	json_t *v = json_object();

	for (int ph = 0; ph < PHASES; ph++)
		json_put(v, deletion_phase_name((enum deletion_phase)ph), json_integer(dl->n_by_phase[ph]));
	return v;
}

json_t *batch_deletion_item(const struct deletion *dl)
{
	json_t *item = json_object(), *blockers = json_array(), *replicas = json_array();
	bool has_replicas = dl->n_replicas > 0;

	for (size_t i = 0; i < dl->n_blockers; i++)
		json_push(blockers, blocker_of(&dl->blockers[i]));
	for (size_t i = 0; i < dl->n_replicas; i++)
		json_push(replicas, replica_of(&dl->replicas[i]));
	json_put(item, "topic", json_text(dl->topic));
	json_put(item, "czxid", batch_count(dl->czxid != 0, dl->czxid));
	json_put(item, "state", json_text(deletion_state_name(dl->state)));
	json_put(item, "marked_at", batch_time(dl->marked_at));
	json_put(item, "attempts", batch_count(dl->is_followed || dl->n_attempts > 0, (int64_t)dl->n_attempts));
	json_put(item, "replicas_total", batch_count(has_replicas, (int64_t)dl->n_replicas));
	json_put(item, "replicas_by_phase", has_replicas ? phases_of(dl) : json_null());
	json_put(item, "bytes_left", batch_count(dl->bytes_left >= 0, dl->bytes_left));
	json_put(item, "bytes_left_as_of", batch_time(dl->bytes_as_of));
	json_put(item, "blockers", blockers);
	json_put(item, "next_trigger", json_text(dl->next && *dl->next ? dl->next : NULL));
	json_put(item, "replica_states", has_replicas ? replicas : json_null());
	if (!has_replicas)
		json_decref(replicas);
	return item;
}

/* ---- what changed ------------------------------------------------------------------------------ */

struct told_replica {
	int32_t partition, broker;
	uint8_t phase, phase_certainty, state, certainty;
};

/* A deletion as it was told last. */
struct told {
	enum deletion_state state;
	size_t n_attempts;
	char *blockers;              /* of their kinds and objects, to compare with */
	struct told_replica *replicas;
	size_t n_replicas;
	bool node_gone;
	uint64_t turn;
};

struct deletion_watch {
	struct map *told;            /* "topic/czxid" -> struct told */
	uint64_t turn;
	bool is_begun;
	int32_t controller, controller_epoch;
};

struct looking {
	struct deletion_watch *dw;
	wall_ms now;
	bool (*tell)(void *ctx, json_t *line);
	void *ctx;
	bool is_full;
};

static void told_free(void *p)
{
	struct told *to = p;

	mem_free(&to->blockers);
	mem_free(&to->replicas);
	mem_free(&to);
}

struct deletion_watch *deletion_watch_new(void)
{
	struct deletion_watch *dw = mem_zalloc(sizeof(*dw));

	dw->told = map_new();
	dw->controller = BROKER_NONE;
	return dw;
}

void deletion_watch_free(struct deletion_watch **pp)
{
	if (!*pp)
		return;
	map_free(&(*pp)->told, told_free);
	mem_free(pp);
}

static json_t *line_new(const struct looking *lk, const char *event, const struct deletion *dl)
{
	json_t *v = json_object();

	json_put(v, "at", batch_time(lk->now));
	json_put(v, "event", json_text(event));
	if (dl) {
		json_put(v, "topic", json_text(dl->topic));
		json_put(v, "czxid", batch_count(dl->czxid != 0, dl->czxid));
		json_put(v, "state", json_text(deletion_state_name(dl->state)));
	}
	return v;
}

static void tell(struct looking *lk, json_t *line)
{
	if (!lk->dw->is_begun || lk->is_full) {
		json_decref(line);
		return;
	}
	lk->is_full = !lk->tell(lk->ctx, line);
}

static void tell_state(struct looking *lk, const struct deletion *dl, const char *event, const char *before)
{
	json_t *line = line_new(lk, event, dl);

	json_put(line, "before", json_text(before));
	if (dl->is_unmarked)
		json_put(line, "text", json_text(dl->act));
	json_put(line, "item", batch_deletion_item(dl));
	tell(lk, line);
}

static char *blockers_key(const struct deletion *dl)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < dl->n_blockers; i++)
		strbuf_printf(&sb, "%d/%d/%d/%s;", (int)dl->blockers[i].kind, dl->blockers[i].broker, dl->blockers[i].partition,
			      dl->blockers[i].log_dir ? dl->blockers[i].log_dir : "");
	return strbuf_take(&sb);
}

static const struct told_replica *told_find(const struct told *to, const struct deletion_replica *re, size_t hint)
{
	if (hint < to->n_replicas && to->replicas[hint].partition == re->partition && to->replicas[hint].broker == re->broker)
		return &to->replicas[hint];
	for (size_t i = 0; i < to->n_replicas; i++)
		if (to->replicas[i].partition == re->partition && to->replicas[i].broker == re->broker)
			return &to->replicas[i];
	return NULL;
}

static void look_replicas(struct looking *lk, struct told *to, const struct deletion *dl)
{
	for (size_t i = 0; i < dl->n_replicas; i++) {
		const struct deletion_replica *re = &dl->replicas[i];
		const struct told_replica *was = told_find(to, re, i);
		json_t *line;

		if (was && was->phase == re->phase && was->state == re->state && was->phase_certainty == re->phase_certainty && was->certainty == re->certainty)
			continue;
		line = line_new(lk, "replica", dl);
		json_put(line, "before", was ? json_text(deletion_phase_name((enum deletion_phase)was->phase)) : json_null());
		json_put(line, "replica", replica_of(re));
		tell(lk, line);
	}
	to->replicas = mem_realloc_array(to->replicas, dl->n_replicas + 1, sizeof(*to->replicas));
	to->n_replicas = dl->n_replicas;
	for (size_t i = 0; i < dl->n_replicas; i++) {
		const struct deletion_replica *re = &dl->replicas[i];

		to->replicas[i] = (struct told_replica){ re->partition, re->broker, re->phase, re->phase_certainty, re->state, re->certainty };
	}
}

static void look_attempts(struct looking *lk, struct told *to, const struct deletion *dl)
{
	for (size_t i = to->n_attempts; i < dl->n_attempts; i++) {
		json_t *line = line_new(lk, "attempt", dl);

		json_put(line, "began", batch_time(dl->attempts[i].began));
		json_put(line, "trigger", json_text(dl->attempts[i].trigger));
		json_put(line, "seen", json_boolean(dl->attempts[i].is_seen));
		tell(lk, line);
	}
	to->n_attempts = dl->n_attempts;
}

static void look_blockers(struct looking *lk, struct told *to, const struct deletion *dl)
{
	char *key = blockers_key(dl);

	if (to->blockers ? strcmp(key, to->blockers) != 0 : *key != '\0') {
		json_t *line = line_new(lk, dl->n_blockers > 0 ? "blocked" : "unblocked", dl), *list = json_array();

		for (size_t i = 0; i < dl->n_blockers; i++)
			json_push(list, blocker_of(&dl->blockers[i]));
		json_put(line, "blockers", list);
		json_put(line, "next_trigger", json_text(dl->next && *dl->next ? dl->next : NULL));
		tell(lk, line);
	}
	mem_free(&to->blockers);
	to->blockers = key;
}

static const char *end_event(enum deletion_state st)
{
	switch (st) {
	case DELETION_DONE: return "done";
	case DELETION_RECREATED: return "recreated";
	case DELETION_RESURRECTED: return "resurrected";
	case DELETION_REFUSED: return "refused";
	default: return "marker-removed";
	}
}

static void look_one(struct looking *lk, const struct cluster *cl, const struct deletion *dl)
{
	char key[1200];
	struct told *to;
	const struct topic *tp = cluster_topic_find(cl, dl->topic);
	bool is_new, is_end = deletion_state_is_end(dl->state), node_gone = tp == NULL || tp->czxid != dl->czxid;

	str_printf(key, sizeof(key), "%s/%lld", dl->topic, (long long)dl->czxid);
	to = map_find(lk->dw->told, key);
	is_new = to == NULL;
	if (is_new) {
		to = mem_zalloc(sizeof(*to));
		to->state = dl->state;
		map_set(lk->dw->told, key, to);
		if (!dl->is_unmarked)
			tell_state(lk, dl, "queued", NULL);
	} else if (!is_end && deletion_state_is_end(to->state)) { /* its marker was put again */
		tell_state(lk, dl, "queued", deletion_state_name(to->state));
	}
	to->turn = lk->dw->turn;
	look_attempts(lk, to, dl);
	if (node_gone && !to->node_gone && dl->czxid != 0)
		tell(lk, line_new(lk, "znode-gone", dl));
	to->node_gone = node_gone;
	if (!is_end) {
		look_blockers(lk, to, dl);
		look_replicas(lk, to, dl);
	}
	if (is_end && (to->state != dl->state || is_new))
		tell_state(lk, dl, end_event(dl->state), dl->is_unmarked && is_new ? NULL : deletion_state_name(to->state));
	to->state = dl->state;
}

static void look_controller(struct looking *lk, const struct cluster *cl)
{
	struct deletion_watch *dw = lk->dw;
	int32_t id = cl->controller_fact.know == KNOW_PRESENT ? cl->controller.broker : BROKER_NONE;
	int32_t epoch = cl->controller_epoch_fact.know == KNOW_PRESENT ? cl->controller_epoch : -1;
	json_t *line;

	if (id == dw->controller && epoch == dw->controller_epoch)
		return;
	dw->controller = id;
	dw->controller_epoch = epoch;
	line = line_new(lk, "controller-changed", NULL);
	json_put(line, "broker", batch_count(id != BROKER_NONE, id));
	json_put(line, "epoch", batch_count(epoch >= 0, epoch));
	tell(lk, line);
}

/* What is no longer told of at all. */
static void forget(struct deletion_watch *dw)
{
	struct map_iter it = map_iter(dw->told);
	const char *key;
	void *value;
	struct strbuf gone;

	strbuf_init(&gone);
	while (map_next(&it, &key, &value))
		if (((struct told *)value)->turn != dw->turn)
			strbuf_putn(&gone, key, strlen(key) + 1);
	for (size_t at = 0; at < gone.len; at += strlen(gone.s + at) + 1) {
		struct told *to = map_remove(dw->told, gone.s + at);

		told_free(to);
	}
	strbuf_fini(&gone);
}

bool deletion_watch_look(struct deletion_watch *dw, const struct cluster *cl, const struct deletions *ds, wall_ms now,
	bool (*wants)(void *ctx, const char *topic), bool (*tell_line)(void *ctx, json_t *line), void *ctx)
{
	struct looking lk = { .dw = dw, .now = now, .tell = tell_line, .ctx = ctx };

	dw->turn++;
	look_controller(&lk, cl);
	for (size_t i = 0; i < deletions_count(ds); i++) {
		const struct deletion *dl = deletions_at(ds, i);

		if (wants && !wants(ctx, dl->topic))
			continue;
		look_one(&lk, cl, dl);
	}
	forget(dw);
	dw->is_begun = true;
	return !lk.is_full;
}
