/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/reassign.h"

#include "wire/pass.h"

enum { TOPICS, PARTITIONS, IDS };

/* Least bytes of an element: there is only the compact form. */
enum { TOPIC_BYTES = 1 + 1 + 1, PARTITION_BYTES = 4 + 1 + 1 + 1 + 1 };

void wire_reassign_encode_list(struct wire_writer *wr, int16_t version, int32_t timeout_ms, const struct wire_topic_parts *topics, size_t n)
{
	wire_put_i32(wr, timeout_ms);
	wire_put_topic_parts(wr, topics, n);
	wire_put_tags(wr);
}

static void read_partition(struct wire_pass *ps)
{
	struct wire_reassignment ra = { 0 };

	ra.partition = wire_get_partition(ps->rd, "partition");
	ra.n_replicas = wire_pass_ids(ps, IDS, &ra.replicas, "replicas");
	ra.n_adding = wire_pass_ids(ps, IDS, &ra.adding, "adding replicas");
	ra.n_removing = wire_pass_ids(ps, IDS, &ra.removing, "removing replicas");
	wire_skip_tags(ps->rd);
	*(struct wire_reassignment *)wire_pass_next(ps, PARTITIONS) = ra;
}

static void read_topic(struct wire_pass *ps)
{
	struct wire_reassign_topic tp = { 0 };

	tp.name = wire_get_name(ps->rd, ps->ar, "topic");
	tp.n_partitions = wire_get_count(ps->rd, PARTITION_BYTES, PARTITION_BYTES, "partitions");
	tp.partitions = tp.n_partitions > 0 ? wire_pass_here(ps, PARTITIONS) : NULL;
	for (uint32_t i = 0; i < tp.n_partitions && wire_reader_ok(ps->rd); i++)
		read_partition(ps);
	wire_skip_tags(ps->rd);
	*(struct wire_reassign_topic *)wire_pass_next(ps, TOPICS) = tp;
}

static void read_answer(struct wire_pass *ps, void *out)
{
	struct wire_reassignments *rs = out;

	rs->topics = wire_pass_here(ps, TOPICS);
	rs->partitions = wire_pass_here(ps, PARTITIONS);
	rs->throttle_ms = wire_get_i32(ps->rd, "throttle time");
	rs->error = wire_get_i16(ps->rd, "error code");
	rs->message = wire_get_text_or_null(ps->rd, ps->ar, "error message");
	rs->n_topics = wire_get_count(ps->rd, TOPIC_BYTES, TOPIC_BYTES, "topics");
	for (uint32_t i = 0; i < rs->n_topics && wire_reader_ok(ps->rd); i++)
		read_topic(ps);
	wire_skip_tags(ps->rd);
	rs->n_partitions = ps->kinds[PARTITIONS].n;
}

bool wire_reassign_decode_list(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_reassignments *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[TOPICS].element_bytes = sizeof(struct wire_reassign_topic);
	ps.kinds[PARTITIONS].element_bytes = sizeof(struct wire_reassignment);
	ps.kinds[IDS].element_bytes = sizeof(int32_t);
	return wire_pass_twice(&ps, WIRE_LIST_REASSIGNMENTS, read_answer, out, sizeof(*out), err);
}
