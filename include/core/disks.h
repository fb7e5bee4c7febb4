/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies in the log dirs of one broker, by its own word (DescribeLogDirs, API 35; wire/logdirs says what to know
 * about the answer). Made whole by the adapter from one answer; then the model's, which alone writes to it.
 * Thread: any while it is being made (one owner), then the UI thread.
 */
#ifndef CORE_DISKS_H
#define CORE_DISKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct disk_dir {
	char *path;                  /* as the broker says it */
	int16_t error;               /* Kafka's code; 56 (KAFKA_STORAGE_ERROR): offline; 0 none */
	int64_t total_bytes, usable_bytes; /* of the volume; -1 unknown (before KIP-827, API version 4) */
	int64_t size_bytes;          /* sum over its replicas, future ones too */
	uint32_t n_replicas;         /* current ones, orphans too */
	uint32_t n_future;
	uint32_t n_orphans;          /* by the model */
	wall_ms failed;              /* by the model: when it was first seen with an error; {0}: it has none */
	int32_t failed_epoch;        /* by the model: the controller's epoch then, -1 unknown */
};

struct disk_replica {
	const char *topic;           /* shared by all replicas of the topic; owned by the disks */
	int64_t size_bytes;          /* of the log's segments, without indexes */
	int64_t lag;                 /* of a future replica: offsets left to copy; 0 or less says nothing */
	int32_t partition;
	uint16_t dir;                /* index into dirs */
	bool is_future;              /* being copied into `dir`; the current one lies elsewhere on this broker */
	bool is_orphan;              /* by the model: ZooKeeper assigns it not to this broker, and its topic is not queued for deletion */
	uint8_t orphan_polls;        /* by the model: answers in a row in which it was one, up to 255 */
};

struct disks {
	struct disk_dir *dirs;       /* sorted by path, each path once */
	size_t n_dirs;
	struct disk_replica *replicas; /* sorted by topic, partition, current before future, dir */
	size_t n_replicas;
	char **names;                /* of the topics, each once, sorted */
	size_t n_names;
	size_t n_twice;              /* replicas for which disks_is_twice holds */
};

enum { DISK_DIRS_MAX = 4096 };  /* per broker, bound on input */

/* Making: dirs first, then replicas in any order, then disks_finish. */
struct disks *disks_new(void);
void disks_free(struct disks **pp);
/* Copies `path`. Returns its index, -1 when there are too many. Of two with one path the first stays. */
int disks_add_dir(struct disks *ds, const char *path, int16_t error, int64_t total_bytes, int64_t usable_bytes);
/* Begins a topic within a dir: disks_add_replica adds to it. Copies `name`. */
void disks_add_topic(struct disks *ds, int dir, const char *name);
void disks_add_replica(struct disks *ds, int32_t partition, bool is_future, int64_t size_bytes, int64_t lag);
/* Sorts and sums up. */
void disks_finish(struct disks *ds);

/* The replicas of a topic, *n of them; NULL when none. */
const struct disk_replica *disks_topic(const struct disks *ds, const char *topic, size_t *n);
/* One replica; NULL when it isn't there. With more than one future replica the first by dir. */
const struct disk_replica *disks_replica(const struct disks *ds, const char *topic, int32_t partition, bool is_future);
/* The replica at `i` is one that the broker lists already: of the same kind in another dir, or a future one where its current one is. */
bool disks_is_twice(const struct disks *ds, size_t i);
bool disk_dir_is_offline(const struct disk_dir *dir);
size_t disks_offline(const struct disks *ds);     /* dirs that are */
size_t disks_unread(const struct disks *ds);      /* these, and dirs with another error: what lies in them isn't told */
/* The sum; b below 0 counts as 0. Sizes come from outside: a sum that does not fit stays at the most. */
int64_t disk_bytes_plus(int64_t a, int64_t b);
int64_t disks_size(const struct disks *ds);       /* bytes over all dirs */

#endif
