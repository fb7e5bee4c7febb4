/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DescribeLogDirs (35), versions 0 to 4: what lies in the log directories of
 * the broker that is asked (KIP-113; disk totals KIP-827).
 *
 * Things to know (ReplicaManager.describeLogDirs):
 *  - an offline directory has error 56 and no topics;
 *  - -delete and -stray directories are not listed, -future ones are: the same
 *    partition again in another directory with `is_future`;
 *  - logs on disk that the broker does not host are listed with lag -1;
 *  - `lag` of a current log is 0 for every ordinary replica: it is not how far a
 *    follower is behind. Of a future log it is how many offsets are left to copy;
 *  - without DESCRIBE on the cluster v0 to v2 answer no directory at all, v3 and
 *    above error 31 (wire_logdirs_is_refused).
 * Source: DescribeLogDirsRequest.json, DescribeLogDirsResponse.json, 2.5 to 3.9.
 * Thread: any (pure).
 */
#ifndef WIRE_LOGDIRS_H
#define WIRE_LOGDIRS_H

#include "wire/buf.h"

struct arena;

struct wire_replica {
	int32_t partition;
	bool is_future;
	int64_t size_bytes; /* of the log's segments, without indexes */
	int64_t lag;        /* offsets; may be below 0 */
};

/* A topic within one directory. */
struct wire_logdir_topic {
	const char *name;
	struct wire_replica *replicas; /* [n_replicas], within the answer's array */
	uint32_t n_replicas;           /* may be 0 */
};

struct wire_logdir {
	const char *path;
	int16_t error;
	int64_t total_bytes, usable_bytes; /* of the volume; v4, else and when not known -1 */
	struct wire_logdir_topic *topics;  /* [n_topics], within the answer's array */
	uint32_t n_topics;
};

/* All pointers lead into the arena. Order is the broker's. */
struct wire_logdirs {
	int32_t throttle_ms;
	int16_t error; /* v3+, else 0 */
	struct wire_logdir *dirs;
	struct wire_logdir_topic *topics;  /* of all directories, one after the other */
	struct wire_replica *replicas;     /* of all topics, one after the other */
	uint32_t n_dirs, n_topics, n_replicas;
};

/* `topics` NULL is everything; n is above 0 otherwise (an empty list asks for nothing). */
void wire_logdirs_encode(struct wire_writer *wr, int16_t version, const struct wire_topic_parts *topics, size_t n);
bool wire_logdirs_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_logdirs *out, struct err *err)
	__attribute__((warn_unused_result));
/* Whether the broker did not let us see them. */
bool wire_logdirs_is_refused(const struct wire_logdirs *ld);

#endif
