/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds and takes apart Kafka's znode paths (kafka.zk.ZkData). Paths here are
 * Kafka's, without chroot; io/zk puts the chroot before and takes it away.
 * Thread: any (pure).
 */
#ifndef CORE_ZKPATH_H
#define CORE_ZKPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZKPATH_MAX = 1536 }; /* bytes, NUL included; a child name is at most ZNODE_NAME_MAX */

enum zkpath_kind {
	ZKPATH_OTHER = 0,
	ZKPATH_ROOT,              /* "/": the chroot itself */
	ZKPATH_BROKER_IDS,        /* /brokers/ids                        children */
	ZKPATH_BROKER,            /* /brokers/ids/N                      data; id */
	ZKPATH_TOPICS,            /* /brokers/topics                     children */
	ZKPATH_TOPIC,             /* /brokers/topics/T                   data; name */
	ZKPATH_STATE,             /* /brokers/topics/T/partitions/P/state data; name, id */
	ZKPATH_CONTROLLER,        /* /controller                         data */
	ZKPATH_CONTROLLER_EPOCH,  /* /controller_epoch                   data */
	ZKPATH_CLUSTER_ID,        /* /cluster/id                         data */
	ZKPATH_DELETE_TOPICS,     /* /admin/delete_topics                children */
	ZKPATH_MARKER,            /* /admin/delete_topics/T              no data, its stat; name */
	ZKPATH_REASSIGN,          /* /admin/reassign_partitions          data */
	ZKPATH_CONFIG_TOPICS,     /* /config/topics                      children */
	ZKPATH_TOPIC_CONFIG,      /* /config/topics/T                    data; name */
	ZKPATH_CONFIG_BROKERS,    /* /config/brokers                     children */
	ZKPATH_BROKER_CONFIG,     /* /config/brokers/N or <default>      data; name (as it stands) */
	ZKPATH_CONFIG_CHANGES,    /* /config/changes                     children */
	ZKPATH_FEATURE,           /* /feature                            data */
	ZKPATH_MIGRATION          /* /migration                          data */
};

struct zkpath {
	enum zkpath_kind kind;
	const char *name; /* points into the path parsed; not terminated; NULL when the kind has none */
	size_t name_len;
	int32_t id;       /* broker id or partition; -1 when the kind has none */
};

/* Never fails: what is not one of ours is ZKPATH_OTHER. A broker id or partition that is not a
 * canonical decimal ("01", "+1", "x") makes ZKPATH_OTHER. */
struct zkpath zkpath_parse(const char *path);

/* Writes the path of a kind into out[ZKPATH_MAX]; `name`, `id` as the kind needs. False when it
 * does not fit (an over-long name), or is no path for ZooKeeper (an empty name, "." or "..", a slash
 * in it, a negative id). */
bool zkpath_build(char out[ZKPATH_MAX], enum zkpath_kind kind, const char *name, int32_t id)
	__attribute__((warn_unused_result));

/* True when the fact of this kind is the node's children, not its data. */
bool zkpath_is_list(enum zkpath_kind kind);

/* A word for messages and traces, e.g. "topic config". Static storage. */
const char *zkpath_kind_name(enum zkpath_kind kind);

#endif
