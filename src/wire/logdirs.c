/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/logdirs.h"

#include <assert.h>

#include "wire/code.h"
#include "wire/pass.h"

enum { DIRS, TOPICS, REPLICAS };

/* Least bytes of an element, classic and compact. */
enum {
	DIR_CLASSIC = 2 + 2 + 4, DIR_COMPACT = 2 + 1 + 1 + 1,
	TOPIC_CLASSIC = 2 + 4, TOPIC_COMPACT = 1 + 1 + 1,
	REPLICA_CLASSIC = 4 + 8 + 8 + 1, REPLICA_COMPACT = REPLICA_CLASSIC + 1
};

void wire_logdirs_encode(struct wire_writer *wr, int16_t version, const struct wire_topic_parts *topics, size_t n)
{
	assert(!topics || n > 0);
	wire_put_topic_parts(wr, topics, n);
	wire_put_tags(wr);
}

static void read_replica(struct wire_pass *ps)
{
	struct wire_replica *re = wire_pass_next(ps, REPLICAS);

	re->partition = wire_get_partition(ps->rd, "partition");
	re->size_bytes = wire_get_i64(ps->rd, "partition size");
	re->lag = wire_get_i64(ps->rd, "offset lag");
	re->is_future = wire_get_bool(ps->rd, "is future");
	wire_skip_tags(ps->rd);
}

static void read_topic(struct wire_pass *ps)
{
	struct wire_logdir_topic tp = { 0 };

	tp.name = wire_get_name(ps->rd, ps->ar, "topic");
	tp.n_replicas = wire_get_count(ps->rd, REPLICA_CLASSIC, REPLICA_COMPACT, "partitions");
	tp.replicas = tp.n_replicas > 0 ? wire_pass_here(ps, REPLICAS) : NULL;
	for (uint32_t i = 0; i < tp.n_replicas && wire_reader_ok(ps->rd); i++)
		read_replica(ps);
	wire_skip_tags(ps->rd);
	*(struct wire_logdir_topic *)wire_pass_next(ps, TOPICS) = tp;
}

static void read_dir(struct wire_pass *ps)
{
	struct wire_logdir dir = { .total_bytes = -1, .usable_bytes = -1 };

	dir.error = wire_get_i16(ps->rd, "directory's error code");
	dir.path = wire_get_name(ps->rd, ps->ar, "log directory");
	dir.n_topics = wire_get_count(ps->rd, TOPIC_CLASSIC, TOPIC_COMPACT, "topics");
	dir.topics = dir.n_topics > 0 ? wire_pass_here(ps, TOPICS) : NULL;
	for (uint32_t i = 0; i < dir.n_topics && wire_reader_ok(ps->rd); i++)
		read_topic(ps);
	if (ps->version >= 4) {
		dir.total_bytes = wire_get_i64(ps->rd, "total bytes");
		dir.usable_bytes = wire_get_i64(ps->rd, "usable bytes");
	}
	wire_skip_tags(ps->rd);
	*(struct wire_logdir *)wire_pass_next(ps, DIRS) = dir;
}

static void read_answer(struct wire_pass *ps, void *out)
{
	struct wire_logdirs *ld = out;

	ld->dirs = wire_pass_here(ps, DIRS);
	ld->topics = wire_pass_here(ps, TOPICS);
	ld->replicas = wire_pass_here(ps, REPLICAS);
	ld->throttle_ms = wire_get_i32(ps->rd, "throttle time");
	if (ps->version >= 3)
		ld->error = wire_get_i16(ps->rd, "error code");
	ld->n_dirs = wire_get_count(ps->rd, DIR_CLASSIC, DIR_COMPACT, "log directories");
	for (uint32_t i = 0; i < ld->n_dirs && wire_reader_ok(ps->rd); i++)
		read_dir(ps);
	wire_skip_tags(ps->rd);
	ld->n_topics = ps->kinds[TOPICS].n;
	ld->n_replicas = ps->kinds[REPLICAS].n;
}

bool wire_logdirs_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_logdirs *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[DIRS].element_bytes = sizeof(struct wire_logdir);
	ps.kinds[TOPICS].element_bytes = sizeof(struct wire_logdir_topic);
	ps.kinds[REPLICAS].element_bytes = sizeof(struct wire_replica);
	return wire_pass_twice(&ps, WIRE_DESCRIBE_LOG_DIRS, read_answer, out, sizeof(*out), err);
}

bool wire_logdirs_is_refused(const struct wire_logdirs *ld)
{
	/* A broker always has a log directory, if only an offline one. */
	return ld->error == WIRE_CLUSTER_AUTHORIZATION_FAILED || (ld->error == WIRE_NO_ERROR && ld->n_dirs == 0);
}
