/* SPDX-License-Identifier: Apache-2.0 */
#include "io/kanswer.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/metadata.h"
#include "wire/code.h"
#include "wire/configs.h"
#include "wire/logdirs.h"
#include "wire/metadata.h"
#include "wire/reassign.h"

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

/* Sorted, as the settings in an event are. */
const char *const kanswer_settings[] = {
	"auto.create.topics.enable",
	"auto.leader.rebalance.enable",
	"default.replication.factor",
	"delete.topic.enable",
	"follower.replication.throttled.rate",
	"inter.broker.protocol.version",
	"leader.replication.throttled.rate",
	"log.dir",
	"log.dirs",
	"log.segment.delete.delay.ms",
	"min.insync.replicas",
	"num.partitions",
	"replica.alter.log.dirs.io.max.bytes.per.second",
	"replica.lag.time.max.ms",
	"unclean.leader.election.enable",
	"zookeeper.session.timeout.ms",
};
const size_t kanswer_n_settings = COUNT(kanswer_settings);

/* Of the APIs that we ask: what their answers become, and what a refusal means. */
static const struct row {
	enum wire_api api;
	enum event_kind kind;
	const char *right;
} rows[] = {
	{ WIRE_METADATA, EV_METADATA, "" },
	{ WIRE_DESCRIBE_LOG_DIRS, EV_DISKS,
	  "no permission: DescribeLogDirs needs DESCRIBE on the cluster; sizes and log dirs stay unknown, all else works" },
	{ WIRE_LIST_REASSIGNMENTS, EV_REASSIGNING,
	  "no permission: ListPartitionReassignments needs DESCRIBE on the cluster; reassignments are seen in ZooKeeper alone, all else works" },
	{ WIRE_DESCRIBE_CONFIGS, EV_BROKER_SETTINGS,
	  "no permission: DescribeConfigs needs DESCRIBE_CONFIGS on the cluster; settings in force on brokers stay unknown, all else works" },
};

/* Where it stands among them, or their number. */
static size_t row_at(enum wire_api api)
{
	size_t i = 0;

	while (i < COUNT(rows) && rows[i].api != api)
		i++;
	return i;
}

static const struct row *row_of(enum wire_api api)
{
	assert(kanswer_takes(api));
	return &rows[row_at(api)];
}

bool kanswer_takes(enum wire_api api)
{
	return row_at(api) < COUNT(rows);
}

int kanswer_kind(enum wire_api api)
{
	return (int)row_of(api)->kind;
}

static struct event *present(const struct kanswer *an)
{
	return event_of_broker(row_of(an->api)->kind, an->broker, NULL, an->seen, an->seen_wall);
}

static struct event *unreadable(const struct kanswer *an, const char *why)
{
	return event_of_broker(row_of(an->api)->kind, an->broker, why, an->seen, an->seen_wall);
}

static struct event *refused(const struct kanswer *an)
{
	return unreadable(an, row_of(an->api)->right);
}

/* Of an error that the broker gave instead. */
static struct event *failed(const struct kanswer *an, int16_t code, const char *message)
{
	struct err err;

	if (wire_code_act(code) == WIRE_ACT_FORBIDDEN)
		return refused(an);
	err_init(&err);
	wire_code_err(code, message, &err);
	err_wrap(&err, "%s", wire_api_get(an->api)->name);
	return unreadable(an, err.text);
}

/* ---- Metadata ---------------------------------------------------------------------- */

static struct event *on_metadata(const struct kanswer *an, struct err *err)
{
	struct metadata_answer *ma = mem_zalloc(sizeof(*ma));
	struct event *ev;

	ma->arena = arena_new(0);
	ma->is_all = an->is_all;
	if (!wire_metadata_decode(an->rd, an->version, ma->arena, &ma->md, err)) {
		metadata_answer_free(&ma);
		return NULL;
	}
	metadata_sort(&ma->md);
	ev = present(an);
	ev->u.metadata = ma;
	return ev;
}

/* ---- DescribeLogDirs --------------------------------------------------------------- */

static void add_dir(struct disks *ds, const struct wire_logdir *dir)
{
	int at = disks_add_dir(ds, dir->path, dir->error, dir->total_bytes, dir->usable_bytes);

	for (uint32_t i = 0; at >= 0 && i < dir->n_topics; i++) {
		const struct wire_logdir_topic *tp = &dir->topics[i];

		disks_add_topic(ds, at, tp->name);
		for (uint32_t k = 0; k < tp->n_replicas; k++)
			disks_add_replica(ds, tp->replicas[k].partition, tp->replicas[k].is_future, tp->replicas[k].size_bytes,
					  tp->replicas[k].lag);
	}
}

static struct event *disks_event(const struct kanswer *an, const struct wire_logdirs *ld)
{
	struct event *ev;

	if (wire_logdirs_is_refused(ld))
		return refused(an);
	if (ld->error != WIRE_NO_ERROR)
		return failed(an, ld->error, NULL);
	ev = present(an);
	ev->u.disks = disks_new();
	for (uint32_t i = 0; i < ld->n_dirs; i++)
		add_dir(ev->u.disks, &ld->dirs[i]);
	disks_finish(ev->u.disks);
	return ev;
}

static struct event *on_logdirs(const struct kanswer *an, struct err *err)
{
	struct arena *ar = arena_new(0);
	struct wire_logdirs ld;
	struct event *ev = NULL;

	if (wire_logdirs_decode(an->rd, an->version, ar, &ld, err))
		ev = disks_event(an, &ld);
	arena_free(&ar);
	return ev;
}

/* ---- ListPartitionReassignments ------------------------------------------------------ */

static void copy_ids(struct ids *out, const int32_t *v, uint32_t n)
{
	out->v = n > 0 ? mem_dup(v, n * sizeof(*v)) : NULL;
	out->n = n;
}

static void add_moves(struct reassigning_list *l, const struct wire_reassign_topic *tp)
{
	for (uint32_t i = 0; i < tp->n_partitions; i++) {
		const struct wire_reassignment *ra = &tp->partitions[i];
		struct reassigning *re = &l->v[l->n++];

		re->topic = mem_strdup(tp->name);
		re->as.partition = ra->partition;
		copy_ids(&re->as.replicas, ra->replicas, ra->n_replicas);
		copy_ids(&re->as.adding, ra->adding, ra->n_adding);
		copy_ids(&re->as.removing, ra->removing, ra->n_removing);
	}
}

static int move_cmp(const void *a, const void *b)
{
	const struct reassigning *x = a, *y = b;
	int by = topic_name_cmp(x->topic, y->topic);

	return by ? by : (x->as.partition > y->as.partition) - (x->as.partition < y->as.partition);
}

static struct event *reassigning_event(const struct kanswer *an, const struct wire_reassignments *rs, struct err *err)
{
	struct reassigning_list *l;
	struct event *ev;

	if (rs->error != WIRE_NO_ERROR && wire_code_act(rs->error) == WIRE_ACT_CONTROLLER) {
		err_set(err, ERR_NOT_FOUND, "broker %d is not the controller", (int)an->broker);
		return NULL;
	}
	if (rs->error != WIRE_NO_ERROR)
		return failed(an, rs->error, rs->message);
	ev = present(an);
	l = &ev->u.reassigning;
	if (rs->n_partitions > 0)
		l->v = mem_array(rs->n_partitions, sizeof(*l->v));
	for (uint32_t i = 0; i < rs->n_topics; i++)
		add_moves(l, &rs->topics[i]);
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), move_cmp);
	return ev;
}

static struct event *on_reassignments(const struct kanswer *an, struct err *err)
{
	struct arena *ar = arena_new(0);
	struct wire_reassignments rs;
	struct event *ev = NULL;

	if (wire_reassign_decode_list(an->rd, an->version, ar, &rs, err))
		ev = reassigning_event(an, &rs, err);
	arena_free(&ar);
	return ev;
}

/* ---- DescribeConfigs ------------------------------------------------------------------ */

static const struct wire_config *config_find(const struct wire_config_resource *rs, const char *name)
{
	for (uint32_t i = 0; i < rs->n_configs; i++)
		if (strcmp(rs->configs[i].name, name) == 0)
			return &rs->configs[i];
	return NULL;
}

static struct event *settings_event(const struct kanswer *an, const struct wire_config_resource *rs)
{
	struct zk_config *cfg;
	struct event *ev;

	if (rs->error != WIRE_NO_ERROR)
		return failed(an, rs->error, rs->message);
	ev = present(an);
	cfg = &ev->u.config;
	cfg->v = mem_array(kanswer_n_settings, sizeof(*cfg->v));
	for (size_t i = 0; i < kanswer_n_settings; i++) {
		const struct wire_config *wc = config_find(rs, kanswer_settings[i]);

		if (!wc || !wc->value || wc->is_sensitive)
			continue;
		cfg->v[cfg->n].key = mem_strdup(wc->name);
		cfg->v[cfg->n++].value = mem_strdup(wc->value);
	}
	return ev;
}

static struct event *on_configs(const struct kanswer *an, struct err *err)
{
	struct arena *ar = arena_new(0);
	struct wire_configs cf;
	struct event *ev = NULL;

	if (!wire_configs_decode(an->rd, an->version, ar, &cf, err))
		;
	else if (cf.n_resources == 0)
		err_set(err, ERR_FORMAT, "%s: the broker answered for nothing", wire_api_get(an->api)->name);
	else
		ev = settings_event(an, &cf.resources[0]);
	arena_free(&ar);
	return ev;
}

/* ---- all ---------------------------------------------------------------------------------- */

struct event *kanswer_event(const struct kanswer *an, struct err *err)
{
	assert(kanswer_takes(an->api) && wire_api_speaks(an->api, an->version));
	switch (an->api) {
	case WIRE_METADATA:
		return on_metadata(an, err);
	case WIRE_DESCRIBE_LOG_DIRS:
		return on_logdirs(an, err);
	case WIRE_LIST_REASSIGNMENTS:
		return on_reassignments(an, err);
	default:
		return on_configs(an, err);
	}
}

dur_ms kanswer_throttle(const struct kanswer *an)
{
	static const int16_t since[WIRE_APIS] = {
		[WIRE_METADATA] = 6, [WIRE_DESCRIBE_CONFIGS] = 2, [WIRE_DESCRIBE_LOG_DIRS] = 1,
	};
	struct wire_reader rd = *an->rd;
	int32_t ms = wire_get_i32(&rd, "throttle time");

	return an->version >= since[an->api] && ms > 0 ? ms : 0; /* 0 of a body that is too short, too */
}

struct event *kanswer_unsupported(enum wire_api api, int32_t broker, const char *why, mono_ms seen, wall_ms wall)
{
	bool is_absent = api == WIRE_LIST_REASSIGNMENTS;
	struct event *ev = event_of_broker((enum event_kind)kanswer_kind(api), broker, is_absent ? NULL : why, seen, wall);

	if (is_absent)
		ev->know = KNOW_ABSENT;
	return ev;
}
