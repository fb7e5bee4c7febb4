/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: made by adapters, owned by one holder at a time, freed here.
 *
 * event_from_znode is the one place where a path and its bytes become a fact.
 */
#include "core/event.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/appraisal.h"
#include "core/disks.h"
#include "core/metadata.h"
#include "core/outcome.h"
#include "core/zkpath.h"

enum { EVENT_MAGIC = 0x6b6f6576 };

void event_list_fini(struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		mem_free(&l->v[i]);
	mem_free(&l->v);
	l->n = 0;
}

static const char *list_name_at(const void *list, size_t i)
{
	const struct event_list *l = list;

	return l->v[i];
}

bool event_list_has(const struct event_list *l, const char *name)
{
	bool is_there;

	names_place(l, l->n, list_name_at, name, &is_there);
	return is_there;
}

static void assignment_fini(struct zk_assignment *as)
{
	ids_fini(&as->replicas);
	ids_fini(&as->adding);
	ids_fini(&as->removing);
}

void reassigning_list_fini(struct reassigning_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		mem_free(&l->v[i].topic);
		assignment_fini(&l->v[i].as);
	}
	mem_free(&l->v);
	l->n = 0;
}

static void raw_free(struct event_raw **pp)
{
	struct event_raw *raw = *pp;

	if (raw == NULL)
		return;
	for (size_t i = 0; i < raw->n_children; i++)
		mem_free(&raw->children[i]);
	mem_free(&raw->children);
	mem_free(&raw->data);
	mem_free(&raw->path);
	mem_free(pp);
}

static void payload_fini(struct event *ev)
{
	switch ((enum event_kind)ev->kind) {
	case EV_CONN:
		mem_free(&ev->u.conn);
		break;
	case EV_BROKER_IDS:
	case EV_TOPICS:
	case EV_DELETE_TOPICS:
	case EV_CONFIG_TOPICS:
	case EV_CONFIG_BROKERS:
	case EV_CONFIG_CHANGES:
		event_list_fini(&ev->u.list);
		break;
	case EV_BROKER:
		zk_broker_fini(&ev->u.broker);
		break;
	case EV_TOPIC:
		zk_topic_fini(&ev->u.topic);
		break;
	case EV_STATE:
		zk_state_fini(&ev->u.state);
		break;
	case EV_CLUSTER_ID:
		mem_free(&ev->u.text);
		break;
	case EV_REASSIGN:
		zk_reassign_fini(&ev->u.reassign);
		break;
	case EV_TOPIC_CONFIG:
	case EV_BROKER_CONFIG:
	case EV_BROKER_SETTINGS:
		zk_config_fini(&ev->u.config);
		break;
	case EV_LINK:
		mem_free(&ev->u.link);
		break;
	case EV_METADATA:
		metadata_answer_free(&ev->u.metadata);
		break;
	case EV_DISKS:
		disks_free(&ev->u.disks);
		break;
	case EV_REASSIGNING:
		reassigning_list_fini(&ev->u.reassigning);
		break;
	case EV_APPRAISAL:
		appraisal_fini(ev->u.appraised.ap);
		mem_free(&ev->u.appraised.ap);
		break;
	case EV_OUTCOME:
		outcome_free(&ev->u.outcome);
		break;
	case EV_BROKERS_ASKED:
	case EV_PROGRESS:
	case EV_LOADED:
	case EV_CONTROLLER:
	case EV_CONTROLLER_EPOCH:
	case EV_FEATURE:
	case EV_MARKER:
	case EV_MIGRATION:
	case EV_ROOT:
		break;
	}
}

struct event *event_new(enum event_kind kind, uint32_t epoch, mono_ms seen, wall_ms wall)
{
	struct event *ev = mem_zalloc(sizeof(*ev));

	ev->magic = EVENT_MAGIC;
	ev->kind = (uint8_t)kind;
	ev->source = SOURCE_ZOOKEEPER;
	ev->know = KNOW_PRESENT;
	ev->epoch = epoch;
	ev->seen = seen;
	ev->seen_wall = wall;
	ev->id = -1;
	return ev;
}

void event_free(struct event **pp)
{
	struct event *ev = *pp;

	if (ev == NULL)
		return;
	assert(ev->magic == EVENT_MAGIC);
	if (ev->know == KNOW_PRESENT)
		payload_fini(ev);
	raw_free(&ev->raw);
	mem_free(&ev->name);
	mem_free(&ev->why);
	ev->magic = 0;
	mem_free(pp);
}

struct event *event_conn(uint32_t epoch, mono_ms seen, wall_ms wall, const struct conn_info *info)
{
	struct event *ev = event_new(EV_CONN, epoch, seen, wall);

	ev->u.conn = mem_dup(info, sizeof(*info));
	return ev;
}

struct event *event_of_broker(enum event_kind kind, int32_t broker, const char *why, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_new(kind, 0, seen, wall);

	assert(kind >= EV_LINK && kind != EV_OUTCOME && kind != EV_APPRAISAL);
	ev->source = SOURCE_BROKERS;
	ev->id = broker;
	if (why != NULL) {
		ev->know = KNOW_UNREADABLE;
		ev->why = mem_strdup(why);
	}
	return ev;
}

struct event *event_link(int32_t broker, const struct link_info *info, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_of_broker(EV_LINK, broker, NULL, seen, wall);

	ev->u.link = mem_dup(info, sizeof(*info));
	return ev;
}

struct event *event_outcome(struct outcome *oc, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_new(EV_OUTCOME, 0, seen, wall);

	ev->source = SOURCE_NONE;
	ev->u.outcome = oc;
	return ev;
}

struct event *event_appraisal(uint64_t id, const struct appraisal *ap, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_new(EV_APPRAISAL, 0, seen, wall);

	ev->source = SOURCE_NONE;
	ev->u.appraised.id = id;
	ev->u.appraised.ap = mem_zalloc(sizeof(*ev->u.appraised.ap));
	appraisal_copy(ap, ev->u.appraised.ap);
	return ev;
}

static enum event_kind kind_of_path(enum zkpath_kind kind)
{
	static const uint8_t kinds[] = {
		[ZKPATH_ROOT] = EV_ROOT,
		[ZKPATH_BROKER_IDS] = EV_BROKER_IDS,
		[ZKPATH_BROKER] = EV_BROKER,
		[ZKPATH_TOPICS] = EV_TOPICS,
		[ZKPATH_TOPIC] = EV_TOPIC,
		[ZKPATH_STATE] = EV_STATE,
		[ZKPATH_CONTROLLER] = EV_CONTROLLER,
		[ZKPATH_CONTROLLER_EPOCH] = EV_CONTROLLER_EPOCH,
		[ZKPATH_CLUSTER_ID] = EV_CLUSTER_ID,
		[ZKPATH_DELETE_TOPICS] = EV_DELETE_TOPICS,
		[ZKPATH_MARKER] = EV_MARKER,
		[ZKPATH_REASSIGN] = EV_REASSIGN,
		[ZKPATH_CONFIG_TOPICS] = EV_CONFIG_TOPICS,
		[ZKPATH_TOPIC_CONFIG] = EV_TOPIC_CONFIG,
		[ZKPATH_CONFIG_BROKERS] = EV_CONFIG_BROKERS,
		[ZKPATH_BROKER_CONFIG] = EV_BROKER_CONFIG,
		[ZKPATH_CONFIG_CHANGES] = EV_CONFIG_CHANGES,
		[ZKPATH_FEATURE] = EV_FEATURE,
		[ZKPATH_MIGRATION] = EV_MIGRATION,
	};

	assert(kind > ZKPATH_OTHER && (size_t)kind < sizeof(kinds));
	return (enum event_kind)kinds[kind];
}

/* True when the payload was decoded into ev->u. */
static bool decode(struct event *ev, const char *data, size_t len, struct err *err)
{
	int32_t number;

	switch ((enum event_kind)ev->kind) {
	case EV_BROKER:
		return zk_broker_decode(data, len, &ev->u.broker, err);
	case EV_TOPIC:
		return zk_topic_decode(data, len, &ev->u.topic, err);
	case EV_STATE:
		return zk_state_decode(data, len, &ev->u.state, err);
	case EV_CONTROLLER:
		return zk_controller_decode(data, len, &ev->u.controller, err);
	case EV_CONTROLLER_EPOCH:
		if (!zk_controller_epoch_decode(data, len, &number, err))
			return false;
		ev->u.number = number;
		return true;
	case EV_CLUSTER_ID:
		return zk_cluster_id_decode(data, len, &ev->u.text, err);
	case EV_REASSIGN:
		zk_reassign_decode(data, len, &ev->u.reassign);
		return true;
	case EV_TOPIC_CONFIG:
	case EV_BROKER_CONFIG:
		return zk_config_decode(data, len, &ev->u.config, err);
	case EV_FEATURE:
		return zk_feature_decode(data, len, &ev->u.feature, err);
	case EV_MIGRATION:
		return zk_migration_decode(data, len, &ev->u.migration, err);
	case EV_MARKER:
	case EV_ROOT:
		return true;
	case EV_CONN:
	case EV_PROGRESS:
	case EV_LOADED:
	case EV_BROKER_IDS:
	case EV_TOPICS:
	case EV_DELETE_TOPICS:
	case EV_CONFIG_TOPICS:
	case EV_CONFIG_BROKERS:
	case EV_CONFIG_CHANGES:
	case EV_LINK:
	case EV_METADATA:
	case EV_DISKS:
	case EV_REASSIGNING:
	case EV_BROKER_SETTINGS:
	case EV_BROKERS_ASKED:
	case EV_APPRAISAL:
	case EV_OUTCOME:
		break;
	}
	return err_set(err, ERR_FORMAT, "not a node with data");
}

/* The event of a path, with what is the same for data and lists; NULL for a path that is none of ours. */
static struct event *from_path(const char *path, enum znode_rc rc, const char *rc_text,
	const struct znode_stat *stat, uint32_t epoch, mono_ms seen, wall_ms wall)
{
	struct zkpath zp = zkpath_parse(path);
	struct event *ev;

	if (zp.kind == ZKPATH_OTHER)
		return NULL;
	ev = event_new(kind_of_path(zp.kind), epoch, seen, wall);
	ev->id = zp.id;
	if (zp.name != NULL)
		ev->name = mem_strndup(zp.name, zp.name_len);
	if (stat != NULL)
		ev->stat = *stat;
	if (rc == ZNODE_ABSENT) {
		ev->know = KNOW_ABSENT;
	} else if (rc != ZNODE_OK) {
		ev->know = KNOW_UNREADABLE;
		ev->why = mem_strdup(rc_text != NULL ? rc_text : "could not be read");
	}
	return ev;
}

struct event *event_from_znode(const char *path, enum znode_rc rc, const char *rc_text,
	const char *data, size_t len, const struct znode_stat *stat,
	uint32_t epoch, mono_ms seen, wall_ms wall)
{
	struct event *ev = from_path(path, rc, rc_text, stat, epoch, seen, wall);
	struct err err;

	if (ev == NULL || ev->know != KNOW_PRESENT)
		return ev;
	err_init(&err);
	if (!decode(ev, data != NULL ? data : "", data != NULL ? len : 0, &err)) {
		memset(&ev->u, 0, sizeof(ev->u));
		ev->know = KNOW_UNREADABLE;
		ev->why = mem_strdup(err.text);
	}
	return ev;
}

static int name_cmp(const void *a, const void *b)
{
	return topic_name_cmp(*(char *const *)a, *(char *const *)b);
}

/* Children of /brokers/ids that are no broker ids are left out. */
static bool list_takes(const struct event *ev, const char *name)
{
	char path[ZKPATH_MAX];

	if (strlen(name) > ZNODE_NAME_MAX || name[0] == '\0')
		return false;
	if (ev->kind != EV_BROKER_IDS)
		return true;
	return str_printf(path, sizeof(path), "/brokers/ids/%s", name) && zkpath_parse(path).kind == ZKPATH_BROKER;
}

struct event *event_from_children(const char *path, enum znode_rc rc, const char *rc_text,
	const char *const *names, size_t n, const struct znode_stat *stat,
	uint32_t epoch, mono_ms seen, wall_ms wall)
{
	struct event *ev = from_path(path, rc, rc_text, stat, epoch, seen, wall);
	struct event_list *l;

	if (ev == NULL || ev->know != KNOW_PRESENT)
		return ev;
	l = &ev->u.list;
	if (n > 0)
		l->v = mem_array(n, sizeof(*l->v));
	for (size_t i = 0; i < n; i++)
		if (list_takes(ev, names[i]))
			l->v[l->n++] = mem_strdup(names[i]);
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), name_cmp);
	return ev;
}

static void raw_set(struct event *ev, struct event_raw *raw, const void *data, size_t len)
{
	if (data != NULL) {
		raw->data = mem_alloc(len + 1);
		memcpy(raw->data, data, len);
		raw->data[len] = '\0';
		raw->len = len;
	}
	raw_free(&ev->raw);
	ev->raw = raw;
}

void event_keep_raw(struct event *ev, const char *path, enum znode_rc rc, const char *data, size_t len,
	const char *const *children, size_t n_children)
{
	struct event_raw *raw = mem_zalloc(sizeof(*raw));

	raw->path = mem_strdup(path);
	raw->rc = (int32_t)rc;
	raw->kind = zkpath_is_list(zkpath_parse(path).kind) ? RAW_CHILDREN : RAW_DATA;
	if (n_children > 0)
		raw->children = mem_array(n_children, sizeof(*raw->children));
	for (size_t i = 0; i < n_children; i++)
		raw->children[raw->n_children++] = mem_strdup(children[i]);
	raw_set(ev, raw, data, len);
}

void event_keep_answer(struct event *ev, int16_t api, int16_t version, bool is_all, const void *body, size_t n)
{
	struct event_raw *raw = mem_zalloc(sizeof(*raw));

	raw->kind = RAW_ANSWER;
	raw->api = api;
	raw->version = version;
	raw->is_all = is_all;
	raw_set(ev, raw, body, n);
}

const char *event_kind_name(enum event_kind kind)
{
	static const char *const names[] = {
		[EV_CONN] = "conn", [EV_PROGRESS] = "progress", [EV_LOADED] = "loaded",
		[EV_BROKER_IDS] = "broker ids", [EV_BROKER] = "broker", [EV_TOPICS] = "topics",
		[EV_TOPIC] = "topic", [EV_STATE] = "state", [EV_CONTROLLER] = "controller",
		[EV_CONTROLLER_EPOCH] = "controller epoch", [EV_CLUSTER_ID] = "cluster id",
		[EV_DELETE_TOPICS] = "delete topics", [EV_MARKER] = "marker", [EV_REASSIGN] = "reassign",
		[EV_CONFIG_TOPICS] = "config topics", [EV_TOPIC_CONFIG] = "topic config",
		[EV_CONFIG_BROKERS] = "config brokers", [EV_BROKER_CONFIG] = "broker config",
		[EV_CONFIG_CHANGES] = "config changes", [EV_FEATURE] = "feature",
		[EV_MIGRATION] = "migration", [EV_ROOT] = "root",
		[EV_LINK] = "link", [EV_METADATA] = "metadata", [EV_DISKS] = "log dirs",
		[EV_REASSIGNING] = "reassigning", [EV_BROKER_SETTINGS] = "broker settings",
		[EV_BROKERS_ASKED] = "brokers asked", [EV_APPRAISAL] = "appraisal", [EV_OUTCOME] = "outcome",
	};

	return names[kind];
}
