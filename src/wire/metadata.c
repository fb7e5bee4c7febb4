/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/metadata.h"

#include <assert.h>

#include "wire/pass.h"

enum { BROKERS, TOPICS, PARTITIONS, IDS };

/* Least bytes of an element, classic and compact, in the versions we read. */
enum {
	BROKER_CLASSIC = 4 + 2 + 4 + 2, BROKER_COMPACT = 4 + 1 + 4 + 1 + 1,
	TOPIC_CLASSIC = 2 + 2 + 1 + 4, TOPIC_COMPACT = 2 + 1 + 1 + 1 + 4 + 1,
	PARTITION_CLASSIC = 2 + 4 + 4 + 4 + 4, PARTITION_COMPACT = 2 + 4 + 4 + 4 + 1 + 1 + 1 + 1
};

void wire_metadata_encode(struct wire_writer *wr, int16_t version, const char *const *topics, size_t n)
{
	assert(version >= 4);
	if (topics)
		wire_put_count(wr, n, "topics");
	else
		wire_put_null_array(wr);
	for (size_t i = 0; topics && i < n; i++) {
		if (version >= 10)
			wire_put_uuid(wr, NULL);
		wire_put_string(wr, topics[i], "topic");
		wire_put_tags(wr);
	}
	wire_put_bool(wr, false); /* AllowAutoTopicCreation */
	if (version >= 8 && version <= 10)
		wire_put_bool(wr, false); /* IncludeClusterAuthorizedOperations */
	if (version >= 8)
		wire_put_bool(wr, false); /* IncludeTopicAuthorizedOperations */
	wire_put_tags(wr);
}

static void read_broker(struct wire_pass *ps)
{
	struct md_broker *br = wire_pass_next(ps, BROKERS);

	br->id = wire_get_i32(ps->rd, "broker id");
	br->host = wire_get_name(ps->rd, ps->ar, "host");
	br->port = wire_get_i32(ps->rd, "port");
	br->rack = wire_get_name_or_null(ps->rd, ps->ar, "rack");
	wire_skip_tags(ps->rd);
}

static void read_partition(struct wire_pass *ps)
{
	struct md_partition pt = { .leader_epoch = -1 };

	pt.error = wire_get_i16(ps->rd, "partition's error code");
	pt.partition = wire_get_partition(ps->rd, "partition");
	pt.leader = wire_get_i32(ps->rd, "leader");
	if (ps->version >= 7)
		pt.leader_epoch = wire_get_i32(ps->rd, "leader epoch");
	pt.n_replicas = wire_pass_ids(ps, IDS, &pt.replicas, "replicas");
	pt.n_isr = wire_pass_ids(ps, IDS, &pt.isr, "in-sync replicas");
	if (ps->version >= 5)
		pt.n_offline = wire_pass_ids(ps, IDS, &pt.offline, "offline replicas");
	wire_skip_tags(ps->rd);
	*(struct md_partition *)wire_pass_next(ps, PARTITIONS) = pt;
}

static void read_topic(struct wire_pass *ps)
{
	struct wire_reader *rd = ps->rd;
	struct md_topic tp = { 0 };

	tp.error = wire_get_i16(rd, "topic's error code");
	tp.name = wire_get_name(rd, ps->ar, "topic");
	if (ps->version >= 10)
		wire_get_uuid(rd, tp.id, "topic id");
	tp.is_internal = wire_get_bool(rd, "is internal");
	tp.n_partitions = wire_get_count(rd, PARTITION_CLASSIC, PARTITION_COMPACT, "partitions");
	tp.partitions = tp.n_partitions > 0 ? wire_pass_here(ps, PARTITIONS) : NULL;
	for (uint32_t i = 0; i < tp.n_partitions && wire_reader_ok(rd); i++)
		read_partition(ps);
	if (ps->version >= 8)
		wire_get_i32(rd, "topic's authorized operations");
	wire_skip_tags(rd);
	*(struct md_topic *)wire_pass_next(ps, TOPICS) = tp;
}

static void read_answer(struct wire_pass *ps, void *out)
{
	struct metadata *md = out;
	struct wire_reader *rd = ps->rd;

	md->throttle_ms = wire_get_i32(rd, "throttle time");
	md->brokers = wire_pass_here(ps, BROKERS);
	md->n_brokers = wire_get_count(rd, BROKER_CLASSIC, BROKER_COMPACT, "brokers");
	for (uint32_t i = 0; i < md->n_brokers && wire_reader_ok(rd); i++)
		read_broker(ps);
	md->cluster_id = wire_get_name_or_null(rd, ps->ar, "cluster id");
	md->controller = wire_get_i32(rd, "controller");
	md->topics = wire_pass_here(ps, TOPICS);
	md->partitions = wire_pass_here(ps, PARTITIONS);
	md->n_topics = wire_get_count(rd, TOPIC_CLASSIC, TOPIC_COMPACT, "topics");
	for (uint32_t i = 0; i < md->n_topics && wire_reader_ok(rd); i++)
		read_topic(ps);
	md->n_partitions = ps->kinds[PARTITIONS].n;
	if (ps->version >= 8 && ps->version <= 10)
		wire_get_i32(rd, "cluster's authorized operations");
	wire_skip_tags(rd);
}

bool wire_metadata_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct metadata *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[BROKERS].element_bytes = sizeof(struct md_broker);
	ps.kinds[TOPICS].element_bytes = sizeof(struct md_topic);
	ps.kinds[PARTITIONS].element_bytes = sizeof(struct md_partition);
	ps.kinds[IDS].element_bytes = sizeof(int32_t);
	return wire_pass_twice(&ps, WIRE_METADATA, read_answer, out, sizeof(*out), err);
}
