/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the brokers of a cluster that does not exist answer: the frames, without their size, for the bench
 * (wordbench) and for the brokers of mdserve. It is the cluster that zkseed seeds: the same topics,
 * replicas and brokers. The correlation id in them is 0 (answers_set_id).
 * Source of the forms: wire/apis.def names the schema files.
 * Thread: any (pure).
 */
#ifndef TESTS_BENCH_ANSWERS_H
#define TESTS_BENCH_ANSWERS_H

#include <stddef.h>
#include <stdint.h>

#include "wire/buf.h"

enum { ANSWERS_DIRS = 2, ANSWERS_VERSION_METADATA = 9, ANSWERS_VERSION_LOGDIRS = 2, ANSWERS_VERSION_CONFIGS = 4 };

struct answers {
	const char *prefix;      /* of topics' names */
	int64_t topics, partitions, rf, brokers;
	int port;                /* of broker 1; the next one has the next */
};

/* All topics; `v` not NULL: these alone, by number (the digits behind the prefix). */
void answers_metadata(const struct answers *an, struct wire_writer *wr, const int64_t *v, size_t n);
/* What one broker holds. Of 100 replicas `grown` are larger by a byte times `round`. */
void answers_logdirs(const struct answers *an, struct wire_writer *wr, int64_t broker, int64_t grown, int64_t round);
void answers_configs(struct wire_writer *wr, int64_t broker);
void answers_reassigning(struct wire_writer *wr);
/* What these brokers offer: the versions above. */
void answers_versions(struct wire_writer *wr, int16_t version);
void answers_set_id(struct wire_writer *wr, int32_t correlation);

#endif
