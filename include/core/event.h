/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every fact an adapter can report, as one tagged struct with a single owner:
 * who holds it frees it or hands it on. Adapters decode; the model never sees
 * bytes. Decoding (event_from_znode, event_from_children) is pure and is called from the adapter's thread.
 *
 * What brokers answer becomes an event in io (io/kanswer), since it takes wire's codecs.
 *
 * An event says in `know` what was found:
 *   KNOW_PRESENT     the payload is in `u`
 *   KNOW_ABSENT      the node is not there
 *   KNOW_UNREADABLE  it is there and `why` says why it could not be read (bad JSON, no permission, ...)
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ids.h"
#include "core/zkdata.h"

struct appraisal;
struct disks;
struct metadata_answer;
struct outcome;

enum event_kind {
	EV_CONN,             /* u.conn */
	EV_PROGRESS,         /* u.progress: first reading of this epoch goes on */
	EV_LOADED,           /* all that was to be read at the start of this epoch has been read */
	EV_BROKER_IDS,       /* u.list: children of /brokers/ids; names that are no ids are left out */
	EV_BROKER,           /* id; u.broker */
	EV_TOPICS,           /* u.list: children of /brokers/topics */
	EV_TOPIC,            /* name; u.topic */
	EV_STATE,            /* name, id; u.state */
	EV_CONTROLLER,       /* u.controller */
	EV_CONTROLLER_EPOCH, /* u.number */
	EV_CLUSTER_ID,       /* u.text */
	EV_DELETE_TOPICS,    /* u.list: children of /admin/delete_topics */
	EV_MARKER,           /* name; stat alone: a child of /admin/delete_topics (its data means nothing) */
	EV_REASSIGN,         /* u.reassign */
	EV_CONFIG_TOPICS,    /* u.list */
	EV_TOPIC_CONFIG,     /* name; u.config */
	EV_CONFIG_BROKERS,   /* u.list */
	EV_BROKER_CONFIG,    /* name ("3" or "<default>"); u.config */
	EV_CONFIG_CHANGES,   /* u.list: a hint only */
	EV_FEATURE,          /* u.feature */
	EV_MIGRATION,        /* u.migration */
	EV_ROOT,             /* the chroot: present or absent; `name` is the first node of it that is missing */
	/* What brokers say; source is SOURCE_BROKERS, epoch 0. */
	EV_LINK,             /* id: the broker, BROKER_NONE for a bootstrap server; u.link */
	EV_METADATA,         /* id: who was asked; u.metadata, sorted (metadata_sort) */
	EV_DISKS,            /* id; u.disks: its log dirs. Unreadable: the broker refused, the last answer stands */
	EV_REASSIGNING,      /* id: the controller; u.reassigning: what it has under way (API 46), all of it. Absent: it is too old to say */
	EV_BROKER_SETTINGS,  /* id; u.config: settings in force on it, those that kafops looks at (DescribeConfigs) */
	EV_BROKERS_ASKED,    /* each of what was to be asked at first was answered or given up. Unreadable: no broker could be reached */
	EV_APPRAISAL,        /* u.appraised: how far an inquiry about topics is (io/rdk). For who began it: the model has no use for it, and no trace holds it */
	EV_OUTCOME           /* u.outcome: what came of a request that changes the cluster. For the gate: the model has no use for it, and no trace holds it */
};

/* What brokers can be asked: bits. */
enum {
	ASK_METADATA = 1,        /* EV_METADATA */
	ASK_DISKS = 2,           /* EV_DISKS, of every broker */
	ASK_SETTINGS = 4,        /* EV_BROKER_SETTINGS, of every broker */
	ASK_REASSIGNING = 8,     /* EV_REASSIGNING, of the controller */
	ASK_ALL = 15
};

enum link_state { LINK_NONE = 0, LINK_CONNECTING, LINK_UP, LINK_FAILED };

/* The connection to one broker as the adapter sees it. */
struct link_info {
	uint8_t state;           /* enum link_state; LINK_FAILED: tried again after a while */
	int32_t tries;           /* attempts since it was last up */
	mono_ms last_answer;     /* {0} when there was none */
	dur_ms latency;          /* of the last answer, -1 unknown */
	char address[160];       /* "kafka3.example:9093" */
	char error[256];         /* last error, a sentence; "" when none. Of LINK_UP: what has had no answer for too long */
};

/* A reassignment that the controller has under way (ListPartitionReassignments). */
struct reassigning {
	char *topic;
	struct zk_assignment as; /* replicas hold both others */
};
struct reassigning_list {    /* sorted by topic, partition */
	struct reassigning *v;
	size_t n;
};
void reassigning_list_fini(struct reassigning_list *l);

enum conn_state {
	CONN_STARTING = 0,   /* nothing tried yet */
	CONN_CONNECTING,     /* no session: `server`, `error`, `tries` say what is being tried */
	CONN_UP,             /* a session; reading or live */
	CONN_CLOSED          /* we closed it */
};

enum conn_loss { CONN_LOSS_NONE = 0, CONN_LOSS_DROPPED, CONN_LOSS_EXPIRED, CONN_LOSS_AUTH };

/* The ZooKeeper session as the adapter sees it. */
struct conn_info {
	uint8_t state;           /* enum conn_state */
	uint8_t loss;            /* enum conn_loss: how the session before this one was lost */
	bool readonly_server;    /* the server is cut off from its quorum: data may be old */
	int32_t tries;           /* attempts since the last session */
	mono_ms last_answer;     /* last answer of any kind, {0} when there was none */
	dur_ms latency;          /* of the last probe, -1 when unknown */
	dur_ms session_timeout;  /* as negotiated, 0 when no session */
	int64_t session_id;      /* 0 when no session */
	char server[160];        /* "zk2.example:2181" (with the name as given), "" when none yet */
	char error[160];         /* last error: "refused", "name does not resolve", "" when none */
};

struct event_list { /* names sorted as bytes, each once */
	char **v;
	size_t n;
};

/* The bytes behind an event, kept only while a trace is recorded. */
enum raw_kind { RAW_DATA, RAW_CHILDREN, RAW_ANSWER };
struct event_raw {
	uint8_t kind;        /* enum raw_kind */
	char *path;          /* of the znode; NULL for an answer */
	int32_t rc;          /* enum znode_rc */
	char *data;          /* NULL when none; of an answer the body, as the codec takes it */
	size_t len;
	char **children;     /* of RAW_CHILDREN */
	size_t n_children;
	int16_t api, version; /* of an answer: Kafka's key and the version spoken */
	bool is_all;         /* of an answer to Metadata: all topics were asked for */
};

enum znode_rc { ZNODE_OK = 0, ZNODE_ABSENT, ZNODE_NO_PERMISSION, ZNODE_FAILED };

struct event {
	uint32_t magic;
	uint8_t kind;        /* enum event_kind */
	uint8_t source;      /* enum source */
	uint8_t know;        /* enum know */
	uint32_t epoch;      /* of the connection; starts at 1 */
	mono_ms seen;
	wall_ms seen_wall;
	int32_t id;          /* broker or partition, -1 when none */
	char *name;          /* topic or entity, NULL when none */
	char *why;           /* when unreadable */
	struct znode_stat stat;
	union {
		struct conn_info *conn;
		struct { uint32_t done, total; } progress;
		struct event_list list;
		struct zk_broker broker;
		struct zk_topic topic;
		struct zk_state state;
		struct zk_controller controller;
		int64_t number;
		char *text;
		struct zk_reassign reassign;
		struct zk_config config;
		struct zk_feature feature;
		struct zk_migration migration;
		struct link_info *link;
		struct metadata_answer *metadata;
		struct disks *disks;
		struct reassigning_list reassigning;
		struct outcome *outcome;
		struct { uint64_t id; struct appraisal *ap; } appraised; /* id of the inquiry */
	} u;
	struct event_raw *raw;
	struct event *next;  /* link of whoever holds it */
};

/* Empties it. */
void event_list_fini(struct event_list *l);
bool event_list_has(const struct event_list *l, const char *name);

struct event *event_new(enum event_kind kind, uint32_t epoch, mono_ms seen, wall_ms wall);
/* Of the brokers: one of EV_LINK and what follows it. With `why` (copied) it is unreadable and has no payload. */
struct event *event_of_broker(enum event_kind kind, int32_t broker, const char *why, mono_ms seen, wall_ms wall);
struct event *event_link(int32_t broker, const struct link_info *info, mono_ms seen, wall_ms wall); /* copies *info */
struct event *event_outcome(struct outcome *oc, mono_ms seen, wall_ms wall); /* takes `oc`; source is SOURCE_NONE, epoch 0 */
struct event *event_appraisal(uint64_t id, const struct appraisal *ap, mono_ms seen, wall_ms wall); /* copies *ap; source and epoch as above */
void event_free(struct event **pp);

/* A connection event; copies *info. */
struct event *event_conn(uint32_t epoch, mono_ms seen, wall_ms wall, const struct conn_info *info);

/*
 * The event of one read of a data node. `path` is Kafka's (no chroot). `data` may be NULL (null data is
 * empty data). `stat` may be NULL unless rc is ZNODE_OK. NULL when the path is none of ours.
 * `rc_text` names a failure other than absence, e.g. "no permission to read it".
 */
struct event *event_from_znode(const char *path, enum znode_rc rc, const char *rc_text,
	const char *data, size_t len, const struct znode_stat *stat,
	uint32_t epoch, mono_ms seen, wall_ms wall);

/* The same for a list of children; copies the names it takes. */
struct event *event_from_children(const char *path, enum znode_rc rc, const char *rc_text,
	const char *const *names, size_t n, const struct znode_stat *stat,
	uint32_t epoch, mono_ms seen, wall_ms wall);

/* Attaches a copy of the bytes, for a trace. Give data or children, as the path is. */
void event_keep_raw(struct event *ev, const char *path, enum znode_rc rc, const char *data, size_t len,
	const char *const *children, size_t n_children);

/* The same for an answer's body. */
void event_keep_answer(struct event *ev, int16_t api, int16_t version, bool is_all, const void *body, size_t n);

const char *event_kind_name(enum event_kind kind);

#endif
