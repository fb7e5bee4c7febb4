/* SPDX-License-Identifier: Apache-2.0 */
/* kafops describe: an item a partition, equal to what kafka-topics --describe says of it. Tables have marks besides. */
#include "base/str.h"
#include "batch/job.h"
#include "batch/word.h"
#include "core/disks.h"
#include "core/health.h"
#include "view/topic_facts.h"

static const char *const fields[] = {
	"topic", "partition", "leader", "leader_epoch", "replicas", "isr", "adding_replicas", "removing_replicas",
	"offline_replicas", "under_replicated", "moving", "from", NULL
};

static const char *const table_fields[] = {
	"topic", "partition=PART", "leader", "replicas", "isr", "adding_replicas=ADDING", "removing_replicas=REMOVING",
	"under_replicated=UNDER", NULL
};

static const char *const detail_fields[] = {
	"topic", "partition", "leader", "leader_epoch", "replicas", "isr", "adding_replicas", "removing_replicas",
	"offline_replicas", "under_replicated", "moving", "from", "replica_states", NULL
};

static const char *const detail_table_fields[] = {
	"topic", "partition=PART", "leader", "replicas", "isr", "adding_replicas=ADDING", "removing_replicas=REMOVING",
	"under_replicated=UNDER", "replica_states=REPLICA STATES", NULL
};

/* Replicas whose broker isn't registered, and those on living ones that brokers' metadata calls offline: their log dir is. */
static json_t *offline_replicas(const struct cluster *cl, const struct partition *pt)
{
	json_t *list;

	if (!cluster_brokers_are_known(cl))
		return json_null();
	list = json_array();
	for (size_t i = 0; i < pt->n_replicas; i++)
		if (cluster_broker_alive(cl, pt->ids[i]) == KNOW_ABSENT ||
		    (pt->word != NULL && ids_has(pt->word->offline, pt->word->n_offline, pt->ids[i])))
			json_push(list, json_integer(pt->ids[i]));
	return list;
}

static json_t *replica_state(const struct cluster *cl, const struct partition *pt, int32_t broker)
{
	json_t *one = json_object();

	json_put(one, "broker", json_integer(broker));
	json_put(one, "state", json_text(health_replica_word(health_replica(cl, pt, broker))));
	return one;
}

/* dr NULL: it is in none of the dirs that are known, or they aren't. */
static void put_place(json_t *one, const struct broker *br, const struct disk_replica *dr, bool is_known)
{
	json_put(one, "log_dir", json_text(dr != NULL ? br->disks->dirs[dr->dir].path : NULL));
	json_put(one, "size_bytes", batch_count(dr != NULL && dr->size_bytes >= 0, dr != NULL ? dr->size_bytes : 0));
	json_put(one, "offset_lag", dr != NULL ? batch_lag(dr) : json_null());
	json_put(one, "future", batch_bool(is_known, dr != NULL && dr->is_future));
}

/* One entry a replica; behind it one for each copy of it that another log dir of the broker is being filled with. */
static json_t *replica_states(const struct batch_job *job, const struct topic *tp, const struct partition *pt)
{
	json_t *list = json_array();

	for (size_t i = 0; i < pt->n_replicas; i++) {
		const struct broker *br = cluster_broker_find(job->cl, pt->ids[i]);
		size_t n;
		bool is_known;
		const struct disk_replica *of = batch_disk_replicas(job, pt->ids[i], tp, pt->id, &n, &is_known);

		if (n == 0 || of[0].is_future) {
			json_t *one = replica_state(job->cl, pt, pt->ids[i]);

			put_place(one, br, NULL, is_known);
			json_push(list, one);
		}
		for (size_t j = 0; j < n; j++) {
			json_t *one = replica_state(job->cl, pt, pt->ids[i]);

			put_place(one, br, &of[j], true);
			json_push(list, one);
		}
	}
	return list;
}

/* ---- for people: the marks of the screen ------------------------------------------ */

/* "4,7!,9" */
static json_t *marked_replicas(const struct cluster *cl, const struct topic *tp, const struct partition *pt)
{
	struct strbuf text;
	json_t *v;

	strbuf_init(&text);
	for (size_t i = 0; i < pt->n_replicas; i++)
		strbuf_printf(&text, "%s%d%s", i ? "," : "", pt->ids[i], health_replica_mark(health_replica(cl, pt, pt->ids[i])));
	v = json_text(pt->n_replicas ? text.s : "none");
	strbuf_fini(&text);
	return v;
}

static json_t *marked_leader(const struct cluster *cl, const struct partition *pt)
{
	bool is_down = cluster_broker_alive(cl, pt->leader) == KNOW_ABSENT;
	char text[16];

	if (!(pt->flags & PT_KNOWN))
		return json_null();
	if (pt->flags & PT_NO_LEADER)
		return json_text("none");
	str_printf(text, sizeof(text), "%d%s", pt->leader, is_down ? "!" : pt->flags & PT_NOT_PREFERRED ? "*" : "");
	return json_text(text);
}

/* "1:in-sync /data/d1 954 MiB" */
static void put_replica_text(struct strbuf *out, json_t *one)
{
	const char *dir = json_string_value(json_object_get(one, "log_dir"));
	json_t *size = json_object_get(one, "size_bytes"), *lag = json_object_get(one, "offset_lag");
	bool is_future = json_is_true(json_object_get(one, "future"));
	char text[UNITS_TEXT_MAX];

	strbuf_printf(out, "%lld:%s", (long long)json_integer_value(json_object_get(one, "broker")),
		      is_future ? "copy to" : json_string_value(json_object_get(one, "state")));
	if (dir != NULL)
		strbuf_printf(out, " %s", dir);
	if (json_is_integer(size))
		strbuf_printf(out, " %s", units_bytes(text, json_integer_value(size)));
	if (json_is_integer(lag))
		strbuf_printf(out, " lag %s", units_count(text, json_integer_value(lag)));
}

static json_t *replicas_text(json_t *states)
{
	struct strbuf out;
	json_t *v;

	strbuf_init(&out);
	for (size_t i = 0; i < json_array_size(states); i++) {
		strbuf_put(&out, i ? ", " : "");
		put_replica_text(&out, json_array_get(states, i));
	}
	v = json_text(out.s);
	strbuf_fini(&out);
	return v;
}

static void mark(const struct cluster *cl, const struct topic *tp, const struct partition *pt, json_t *item)
{
	json_put(item, "leader", marked_leader(cl, pt));
	json_put(item, "replicas", marked_replicas(cl, tp, pt));
	if ((pt->flags & PT_KNOWN) && pt->n_isr == 0)
		json_put(item, "isr", json_text("none"));
	if (json_object_get(item, "replica_states"))
		json_put(item, "replica_states", replicas_text(json_object_get(item, "replica_states")));
}

/* ---- items ------------------------------------------------------------------------ */

static json_t *partition_item(const struct batch_job *job, const struct topic *tp, const struct partition *pt)
{
	bool is_known = pt->flags & PT_KNOWN, has_moves = tp->node.source == SOURCE_ZOOKEEPER;
	json_t *item = json_object();

	json_put(item, "topic", json_text(tp->name));
	json_put(item, "partition", json_integer(pt->id));
	json_put(item, "leader", batch_count(is_known, pt->leader < 0 ? BROKER_NONE : pt->leader));
	json_put(item, "leader_epoch", batch_count(pt->state.know == KNOW_PRESENT && pt->leader_epoch >= 0, pt->leader_epoch));
	json_put(item, "replicas", batch_ids(pt->ids, pt->n_replicas));
	json_put(item, "isr", is_known ? batch_ids(pt->isr, pt->n_isr) : json_null());
	/* Brokers' metadata doesn't tell what is being added or removed. */
	json_put(item, "adding_replicas", has_moves ? batch_ids(partition_adding(pt), pt->n_adding) : json_null());
	json_put(item, "removing_replicas", has_moves ? batch_ids(partition_removing(pt), pt->n_removing) : json_null());
	json_put(item, "offline_replicas", offline_replicas(job->cl, pt));
	json_put(item, "under_replicated", batch_bool(is_known, pt->flags & PT_UNDER));
	json_put(item, "moving", batch_bool(has_moves, pt->flags & PT_MOVING));
	json_put(item, "from", batch_from(tp, pt));
	if (job->opt->with_replicas)
		json_put(item, "replica_states", replica_states(job, tp, pt));
	if (job->opt->output == OUTPUT_TABLE)
		mark(job->cl, tp, pt, item);
	return item;
}

/* A topic whose partitions nobody can tell is one item, so that it isn't dropped in silence. */
static json_t *unknown_item(const struct batch_job *job, const struct topic *tp)
{
	static const char *const unknown[] = {
		"partition", "leader", "leader_epoch", "replicas", "isr", "adding_replicas", "removing_replicas", "offline_replicas",
		"under_replicated", "moving",
	};
	json_t *item = json_object();

	json_put(item, "topic", json_text(tp->name));
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		json_put(item, unknown[i], json_null());
	json_put(item, "from", json_text("zookeeper"));
	if (job->opt->with_replicas)
		json_put(item, "replica_states", json_null());
	return item;
}

static void describe_partitions(struct batch_job *job, const struct topic *tp)
{
	size_t undecided = 0;

	for (size_t i = 0; i < tp->n_parts; i++) {
		enum verdict ve = batch_wants_partition(job, tp, &tp->parts[i]);

		if (ve == VERDICT_YES) {
			json_push(job->items, partition_item(job, tp, &tp->parts[i]));
			batch_warn_word(job, tp, &tp->parts[i]);
		}
		undecided += ve == VERDICT_UNDECIDED;
	}
	if (undecided > 0)
		batch_undecided(job, tp, undecided);
}

static void run(struct batch_job *job)
{
	for (size_t i = 0; i < job->cl->n_topics; i++) {
		const struct topic *tp = job->cl->topics[i];

		if (!batch_wants_name(job, tp))
			continue;
		if (topic_is_read(tp))
			describe_partitions(job, tp);
		else if (batch_wants_topic(job, tp) == VERDICT_YES)
			json_push(job->items, unknown_item(job, tp));
		else if (batch_wants_topic(job, tp) == VERDICT_UNDECIDED)
			batch_undecided(job, tp, 0);
		batch_warn_unreadable(job, tp);
	}
	for (size_t i = 0; job->opt->with_replicas && i < job->cl->n_brokers; i++)
		batch_warn_disks(job, job->cl->brokers[i]);
}

const struct batch_command cmd_describe = {
	.fields = fields, .table_fields = table_fields,
	.detail_fields = detail_fields, .detail_table_fields = detail_table_fields,
	.asks = ASK_METADATA | ASK_SETTINGS, .detail_asks = ASK_METADATA | ASK_SETTINGS | ASK_DISKS,
	.run = run,
};
