/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes znode payloads of every version we meet into typed structs, and says
 * what it did not understand.
 *
 * The rule is Kafka's own decoder (kafka.zk.ZkData and kafka.cluster.EndPoint,
 * 1.1 to 3.9): what it accepts is accepted, by key and whatever the order;
 * unknown keys are tolerated, and so is what stands behind the closing bracket;
 * what it would choke on is an error that names the field, what was expected
 * and what stood there. Bounds: core/ids.h.
 * On failure `out` holds nothing to free. A successful struct is freed by its _fini.
 * Thread: any (pure); called from the adapter's thread.
 */
#ifndef CORE_ZKDATA_H
#define CORE_ZKDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/client_config.h"
#include "core/ids.h"

struct err;

/* What ZooKeeper says beside the data; times are the server's wall clock. */
struct znode_stat {
	int64_t czxid, mzxid;
	wall_ms ctime, mtime;
	int32_t version, cversion;
	int32_t n_children;      /* -1 unknown: a trace of before this was kept */
	int64_t ephemeral_owner; /* session id, 0 when persistent */
};

/* /brokers/ids/N, JSON versions 1 to 5 (reference 1.3). Versions above 5 are read as 5. */
struct zk_endpoint {
	char *listener;  /* "INTERNAL" */
	char *protocol;  /* from listener_security_protocol_map, else the listener's name */
	char *host;      /* without brackets; may be "" */
	int32_t port;    /* -1 when the node says so */
};
struct zk_broker {
	int32_t json_version;
	struct zk_endpoint *endpoints; /* in the node's order; version 1: one, PLAINTEXT */
	size_t n_endpoints;
	char *rack;      /* NULL when unset */
	int32_t jmx_port;
	wall_ms timestamp; /* {0} when missing or not a number */
};
bool zk_broker_decode(const char *data, size_t n, struct zk_broker *out, struct err *err) __attribute__((warn_unused_result));
void zk_broker_fini(struct zk_broker *b);
/* The endpoint people mean by "the broker": the first PLAINTEXT one, else the first; NULL if none. */
const struct zk_endpoint *zk_broker_main_endpoint(const struct zk_broker *b);
/* The endpoint for a client with this security.protocol: the first that speaks it and has a host and a port, whatever its
 * listener is called. NULL if none. Kafka's clients get that listener from the bootstrap server (MetadataCache); where two listeners
 * speak one protocol, which of them is the clients' can't be told from the registration. */
const struct zk_endpoint *zk_broker_endpoint_for(const struct zk_broker *b, enum client_protocol protocol);
/* "host:port", brackets round an IPv6 host; the bare host when the node has no port. Nothing else.
 * out[size] always terminated. */
void zk_endpoint_text(const struct zk_endpoint *ep, char *out, size_t size);

/* /brokers/topics/T, JSON versions 1 to 3 (reference 1.5). The version is never looked at;
 * missing adding/removing = empty, missing topic_id = none, missing partitions = no partitions.
 * Broker ids that stand as strings are read as the numbers they spell and noted in `quoted_ids` (they
 * break the next controller election: reference 1.12). */
struct zk_assignment {
	int32_t partition;
	struct ids replicas, adding, removing;
};
struct zk_topic {
	int32_t json_version; /* 0 when missing */
	char *topic_id;       /* NULL when none; as it stands */
	struct zk_assignment *parts; /* sorted by partition */
	size_t n_parts;
	bool quoted_ids;
};
bool zk_topic_decode(const char *data, size_t n, struct zk_topic *out, struct err *err) __attribute__((warn_unused_result));
void zk_topic_fini(struct zk_topic *t);

/* /brokers/topics/T/partitions/P/state (reference 1.6). */
struct zk_state {
	int32_t leader;           /* BROKER_NONE when none */
	int32_t leader_epoch;
	int32_t controller_epoch; /* of the last writer */
	bool recovering;          /* leader_recovery_state 1: after an unclean election, 3.2+ */
	struct ids isr;
};
bool zk_state_decode(const char *data, size_t n, struct zk_state *out, struct err *err) __attribute__((warn_unused_result));
void zk_state_fini(struct zk_state *s);

/* /controller, JSON versions 1 and 2 (reference 1.2). */
struct zk_controller {
	int32_t broker;
	wall_ms timestamp;   /* {0} when missing */
	int64_t kraft_epoch; /* -1 when missing: a ZooKeeper controller */
};
bool zk_controller_decode(const char *data, size_t n, struct zk_controller *out, struct err *err) __attribute__((warn_unused_result));

/* /controller_epoch: decimal text, not JSON. */
bool zk_controller_epoch_decode(const char *data, size_t n, int32_t *out, struct err *err) __attribute__((warn_unused_result));

/* /cluster/id; `*out` is the caller's to mem_free. */
bool zk_cluster_id_decode(const char *data, size_t n, char **out, struct err *err) __attribute__((warn_unused_result));

/* /config/topics/T, /config/brokers/N: the settings, sorted by key. Values are strings; a value of another
 * kind (or with a NUL in it) is kept as its JSON text. No data, and a "config" that is missing or no
 * object, is no overrides, as in Kafka; the version is never looked at. Broken JSON is an error here. */
struct zk_setting {
	char *key, *value;
};
struct zk_config {
	struct zk_setting *v;
	size_t n;
};
bool zk_config_decode(const char *data, size_t n, struct zk_config *out, struct err *err) __attribute__((warn_unused_result));
void zk_config_fini(struct zk_config *c);
const char *zk_config_find(const struct zk_config *c, const char *key); /* NULL when not set */

/* /admin/reassign_partitions (reference 1.12). Decoding succeeds for every payload: `shape` says what the
 * controller makes of it and `why` is a sentence about it when it isn't ZK_REASSIGN_OK. */
enum zk_reassign_shape {
	ZK_REASSIGN_OK = 0,
	ZK_REASSIGN_EMPTY,         /* [] or {} as partitions, empty data: nothing starts, the node lingers */
	ZK_REASSIGN_IGNORED,       /* not JSON, wrong types or an unknown extra field voids the whole node */
	ZK_REASSIGN_NO_LIST,       /* poison: no partitions list; API 45 hangs, the next election loops */
	ZK_REASSIGN_QUOTED_IDS     /* poison: broker ids as strings */
};
struct zk_move {
	char *topic;
	int32_t partition;
	struct ids replicas;
};
struct zk_reassign {
	enum zk_reassign_shape shape;
	char why[160];
	struct zk_move *v;
	size_t n;
};
void zk_reassign_decode(const char *data, size_t n, struct zk_reassign *out);
void zk_reassign_fini(struct zk_reassign *r);

/* /feature, versions 1 and 2 (reference 1.10). Another version is an error. */
struct zk_feature {
	int32_t json_version;
	bool enabled;
	size_t n_features;
};
bool zk_feature_decode(const char *data, size_t n, struct zk_feature *out, struct err *err) __attribute__((warn_unused_result));

/* /migration, version 0 (reference 1.10). Another version is an error. */
struct zk_migration {
	int32_t kraft_controller_id;
	int32_t kraft_controller_epoch;
};
bool zk_migration_decode(const char *data, size_t n, struct zk_migration *out, struct err *err) __attribute__((warn_unused_result));

#endif
