/* SPDX-License-Identifier: Apache-2.0 */
/* A change that was asked for, as a value. What is found when it is checked: command_check*.c. */
#include "core/command.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/command_parts.h"
#include "core/policy.h"

static const struct { const char *name; enum danger danger; const char *confirm; } rows[] = {
#define COMMAND(id, name, danger, confirm) [COMMAND_##id] = { name, danger, confirm },
#include "core/commands.def"
};

enum danger command_danger(enum command_kind kind)
{
	assert(kind < COMMAND_KINDS);
	return rows[kind].danger;
}

const char *command_name(enum command_kind kind)
{
	assert(kind < COMMAND_KINDS);
	return rows[kind].name;
}

const char *command_confirm(enum command_kind kind)
{
	assert(kind < COMMAND_KINDS);
	return rows[kind].confirm;
}

bool command_is_znode(enum command_kind kind)
{
	return kind != COMMAND_DELETE_TOPICS;
}

struct command *command_new(enum command_kind kind)
{
	struct command *cm = mem_zalloc(sizeof(*cm));

	assert(kind < COMMAND_KINDS);
	cm->kind = kind;
	return cm;
}

static const char *name_at(const void *list, size_t i)
{
	const struct command *cm = list;

	return cm->topics[i].name;
}

static void topic_take(struct command_topic *ct, const struct cluster *cl, const struct topic *tp)
{
	ct->name = mem_strdup(tp->name);
	ct->czxid = tp->czxid;
	ct->n_partitions = (uint32_t)tp->n_parts;
	for (size_t i = 0; i < tp->n_parts; i++)
		ct->n_replicas += tp->parts[i].n_replicas;
	ct->size_is_whole = cluster_size_is_whole(cl, tp);
	ct->size_bytes = tp->n_sized > 0 || ct->size_is_whole ? tp->size_bytes : -1;
}

bool command_add_topic(struct command *cm, const struct cluster *cl, const char *name, bool by_hand)
{
	const struct topic *tp = cluster_topic_find(cl, name);
	struct command_topic *ct;
	bool is_there;
	size_t at;

	assert(cm->kind != COMMAND_MOVE_CONTROLLER);
	if (tp == NULL)
		return false;
	at = names_place(cm, cm->n_topics, name_at, name, &is_there);
	if (is_there) {
		cm->topics[at].by_hand |= by_hand;
		return true;
	}
	cm->topics = mem_realloc_array(cm->topics, cm->n_topics + 1, sizeof(*cm->topics));
	ct = &cm->topics[at];
	memmove(ct + 1, ct, (cm->n_topics - at) * sizeof(*ct));
	memset(ct, 0, sizeof(*ct));
	cm->n_topics++;
	ct->by_hand = by_hand;
	topic_take(ct, cl, tp);
	return true;
}

const struct command_topic *command_topic_find(const struct command *cm, const char *name)
{
	bool is_there;
	size_t at = names_place(cm, cm->n_topics, name_at, name, &is_there);

	return is_there ? &cm->topics[at] : NULL;
}

struct command *command_copy(const struct command *cm)
{
	struct command *copy = command_new(cm->kind);

	copy->controller_czxid = cm->controller_czxid;
	copy->pattern = cm->pattern != NULL ? mem_strdup(cm->pattern) : NULL;
	copy->n_topics = cm->n_topics;
	if (cm->n_topics > 0)
		copy->topics = mem_array(cm->n_topics, sizeof(*copy->topics));
	for (size_t i = 0; i < cm->n_topics; i++) {
		copy->topics[i] = cm->topics[i];
		copy->topics[i].name = mem_strdup(cm->topics[i].name);
	}
	return copy;
}

void command_free(struct command **pp)
{
	struct command *cm = *pp;

	if (cm == NULL)
		return;
	for (size_t i = 0; i < cm->n_topics; i++)
		mem_free(&cm->topics[i].name);
	mem_free(&cm->topics);
	mem_free(&cm->pattern);
	mem_free(pp);
}

bool command_topic_is_asked(const struct command_topic *ct, wall_ms now)
{
	return ct->asked.id != 0 && now.ms - ct->asked.at.ms < COMMAND_ASKED_HOLDS_MS;
}

static void put_sum(const struct command *cm, struct strbuf *out)
{
	uint64_t partitions = 0, replicas = 0;
	bool is_sized = false, is_whole = true;
	char text[UNITS_TEXT_MAX];
	int64_t bytes = 0;

	for (size_t i = 0; i < cm->n_topics; i++) {
		const struct command_topic *ct = &cm->topics[i];

		partitions += ct->n_partitions;
		replicas += ct->n_replicas;
		is_sized |= ct->size_bytes >= 0;
		is_whole &= ct->size_is_whole;
		bytes = disk_bytes_plus(bytes, ct->size_bytes);
	}
	strbuf_printf(out, "; %s partition%s", units_count(text, (int64_t)partitions), partitions == 1 ? "" : "s");
	strbuf_printf(out, ", %s replica%s", units_count(text, (int64_t)replicas), replicas == 1 ? "" : "s");
	if (is_sized)
		strbuf_printf(out, ", %s", units_bytes_so_far(text, bytes, is_whole));
}

void command_describe(const struct command *cm, struct strbuf *out)
{
	enum { NAMED_MAX = 10 };
	char text[UNITS_TEXT_MAX];

	if (cm->kind == COMMAND_MOVE_CONTROLLER) {
		strbuf_put(out, "delete /controller, so that another broker is elected");
		return;
	}
	strbuf_put(out, cm->kind == COMMAND_MARK_TOPICS ? "mark for deletion in ZooKeeper " : "delete ");
	strbuf_printf(out, "%s topic%s:", units_count(text, (int64_t)cm->n_topics), cm->n_topics == 1 ? "" : "s");
	for (size_t i = 0; i < cm->n_topics && i < NAMED_MAX; i++)
		strbuf_printf(out, "%s %s", i > 0 ? "," : "", cm->topics[i].name);
	if (cm->n_topics > NAMED_MAX)
		strbuf_printf(out, " and %s more", units_count(text, (int64_t)(cm->n_topics - NAMED_MAX)));
	put_sum(cm, out);
}

/* ---- what has to be typed ---------------------------------------------------------------- */

enum { CLUSTER_ID_SHOWN = 6 };

void command_cluster_name(const struct cluster *cl, const struct policy *po, struct strbuf *out)
{
	if (po->profile != NULL && *po->profile != '\0')
		strbuf_put(out, po->profile);
	else if (cl->cluster_id != NULL)
		strbuf_putn(out, cl->cluster_id, strnlen(cl->cluster_id, CLUSTER_ID_SHOWN));
}

bool command_is_large(const struct command *cm, const struct cluster *cl, const struct policy *po)
{
	uint64_t partitions = 0;

	for (size_t i = 0; i < cm->n_topics; i++)
		partitions += cm->topics[i].n_partitions;
	return cm->n_topics > po->many_topics || partitions * 100 > (uint64_t)cl->n_partitions * po->many_percent;
}

void command_to_type(const struct command *cm, const struct cluster *cl, const struct policy *po, char **first, char **second)
{
	struct strbuf name;

	strbuf_init(&name);
	*second = NULL;
	if (cm->kind == COMMAND_MOVE_CONTROLLER)
		strbuf_put(&name, "move");
	else if (cm->n_topics == 1)
		strbuf_put(&name, cm->topics[0].name);
	else
		strbuf_printf(&name, "%zu", cm->n_topics);
	*first = strbuf_take(&name);
	if (cm->kind == COMMAND_MOVE_CONTROLLER || command_is_large(cm, cl, po)) {
		command_cluster_name(cl, po, &name);
		if (name.len > 0)
			*second = strbuf_take(&name);
	}
	strbuf_fini(&name);
}
