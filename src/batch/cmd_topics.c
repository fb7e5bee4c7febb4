/* SPDX-License-Identifier: Apache-2.0 */
/* kafops topics: an item a topic, the fields of design in their order. */
#include "batch/job.h"
#include "batch/word.h"
#include "core/health.h"
#include "view/topic_facts.h"

static const char *const fields[] = {
	"topic", "partitions", "replication_factor", "mixed_replication", "under_replicated", "offline",
	"under_min_isr", "at_min_isr", "not_preferred", "deleting", "moving", "internal", "size_bytes", "overrides",
	"topic_id", "created_at", "from", NULL
};

static const char *const table_fields[] = {
	"topic", "partitions=PARTS", "replication_factor=RF", "under_replicated=URP", "offline=OFFL", "under_min_isr=UNDER MIN",
	"not_preferred=NOT PREF", "size_bytes=SIZE", "deleting", "moving", "created_at=CREATED", NULL
};

/* A count of partitions by verdict; null while one of them may or may not be among them. */
static json_t *count_of(const struct topic *tp, unsigned flag)
{
	return batch_count(topic_count_is_whole(tp, flag), topic_count(&tp->counts, flag));
}

static json_t *topic_item(const struct batch_job *job, struct batch_unsized *un, const struct topic *tp)
{
	const struct cluster *cl = job->cl;
	bool is_read = topic_is_read(tp);
	bool has_config = tp->config_fact.know == KNOW_PRESENT || tp->config_fact.know == KNOW_ABSENT;
	bool has_markers = cl->markers_fact.know == KNOW_PRESENT || cl->markers_fact.know == KNOW_ABSENT;
	json_t *item = json_object();

	json_put(item, "topic", json_text(tp->name));
	json_put(item, "partitions", batch_count(is_read, (int64_t)tp->n_parts));
	json_put(item, "replication_factor", batch_count(is_read && tp->rf >= 0, tp->rf));
	json_put(item, "mixed_replication", batch_bool(is_read, tp->mixed_replication));
	json_put(item, "under_replicated", count_of(tp, PT_UNDER));
	json_put(item, "offline", count_of(tp, PT_OFFLINE));
	json_put(item, "under_min_isr", count_of(tp, PT_UNDER_MIN));
	json_put(item, "at_min_isr", count_of(tp, PT_AT_MIN));
	json_put(item, "not_preferred", count_of(tp, PT_NOT_PREFERRED));
	json_put(item, "deleting", batch_bool(has_markers, tp->deleting));
	json_put(item, "moving", batch_bool(is_read && tp->node.source == SOURCE_ZOOKEEPER, topic_count(&tp->counts, PT_MOVING) > 0));
	json_put(item, "internal", json_boolean(tp->internal));
	json_put(item, "size_bytes", batch_count(batch_is_sized(job, un, tp), tp->size_bytes));
	json_put(item, "overrides", has_config ? batch_settings(&tp->config) : json_null());
	json_put(item, "topic_id", json_text(tp->topic_id));
	json_put(item, "created_at", batch_time(tp->created));
	json_put(item, "from", batch_from(tp, NULL));
	return item;
}

static size_t undecided_partitions(const struct batch_job *job, const struct topic *tp)
{
	size_t n = 0;

	for (size_t i = 0; i < tp->n_parts; i++)
		n += batch_wants_partition(job, tp, &tp->parts[i]) == VERDICT_UNDECIDED;
	return n;
}

static void run(struct batch_job *job)
{
	struct batch_unsized un = { 0 };

	for (size_t i = 0; i < job->cl->n_topics; i++) {
		const struct topic *tp = job->cl->topics[i];

		if (!batch_wants_name(job, tp))
			continue;
		switch (batch_wants_topic(job, tp)) {
		case VERDICT_YES:
			json_push(job->items, topic_item(job, &un, tp));
			batch_warn_words(job, tp);
			break;
		case VERDICT_UNDECIDED:
			batch_undecided(job, tp, undecided_partitions(job, tp));
			break;
		case VERDICT_NO:
			break;
		}
		batch_warn_unreadable(job, tp);
	}
	batch_warn_unsized(job, &un);
}

const struct batch_command cmd_topics = { .fields = fields, .table_fields = table_fields, .asks = ASK_METADATA | ASK_DISKS | ASK_SETTINGS, .run = run };
