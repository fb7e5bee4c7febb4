/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a cluster: brokers, topics, partitions, as containers with
 * look-up and iteration. Each fact carries its source and the time it was seen.
 * Written by core/model alone; everyone else holds a const pointer.
 *
 * Thread: UI thread. Pointers are borrowed until the next model_apply.
 */
#ifndef CORE_CLUSTER_H
#define CORE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/disks.h"
#include "core/event.h"
#include "core/ids.h"
#include "core/witness.h"
#include "core/zkdata.h"

struct map;

/* Verdicts on a partition, kept in step by the model (definitions: core/health.h). */
enum {
	PT_KNOWN        = 1 << 0,  /* the state node was read or is known to be absent */
	PT_UNREADABLE   = 1 << 1,  /* it is there and can't be read */
	PT_OFFLINE      = 1 << 2,
	PT_UNDER        = 1 << 3,
	PT_UNDER_MIN    = 1 << 4,
	PT_AT_MIN       = 1 << 5,
	PT_MIN_UNKNOWN  = 1 << 6,  /* has a leader, and the effective min.insync.replicas isn't known */
	PT_NOT_PREFERRED = 1 << 7,
	PT_MOVING       = 1 << 8,
	PT_RECOVERING   = 1 << 9,
	PT_NO_LEADER    = 1 << 10, /* leader -1 or no state node; PT_OFFLINE says more */
	PT_ALIVE_UNKNOWN = 1 << 11, /* has a leader, and whether that is up isn't known: neither is PT_OFFLINE */
	PT_DIFFERS      = 1 << 12, /* the brokers' metadata says another leader or ISR than the state node (struct word) */
	PT_NO_STATE     = 1 << 13, /* there is no state node: no leader was ever elected */
	PT_AT_MIN_OPEN  = 1 << 14, /* has no live leader, so it is under min; the effective min.insync.replicas isn't known, so it may be at min, too */
	PT_FLAGS        = 15
};

/* Since when a verdict holds: exact where it was seen to begin; found so, at least since the last write of what decides it (or,
 * where a leader's broker is down, since that was noticed). It stays while the verdict does, as
 * far as every write was seen. {0} while it doesn't hold. */
struct since {
	wall_ms at;
	bool exact;
};

/*
 * What the brokers' metadata says of a partition beyond its state node: kept where it differs, or names replicas whose log dir
 * is offline. The state node is the owner's word (struct partition); this is the other one.
 */
struct word {
	int32_t from;              /* the broker that said it */
	int32_t leader, leader_epoch; /* leader_epoch -1: it is too old to say */
	int32_t *isr;
	int32_t *offline;          /* replicas on brokers that are up and that it counts as offline: their log dir is */
	uint16_t n_isr, n_offline;
	bool differs;              /* leader or members of the ISR are not those of the state node */
	uint16_t polls;            /* answers in a row that differed from the same state node, up to 65535 */
	wall_ms since;             /* of the first of them */
	mono_ms seen;              /* of the last answer */
};

struct partition {
	int32_t id;
	int32_t leader, leader_epoch, controller_epoch; /* leader BROKER_NONE when none or unknown */
	int32_t *ids;      /* replicas, then adding, then removing, back to back */
	int32_t *isr;
	uint16_t n_replicas, n_adding, n_removing, n_isr;
	uint16_t flags;    /* PT_* */
	bool recovering;   /* leader_recovery_state 1: after an unclean election */
	struct fact state; /* of the state node; source SOURCE_BROKERS: their metadata, as the node isn't known */
	char *why;         /* state unreadable: why */
	wall_ms changed;   /* mtime of the state node */
	struct since offline_since, under_since, under_min_since; /* of PT_OFFLINE, PT_UNDER, PT_UNDER_MIN */
	struct word *word; /* NULL: nothing beyond */
};

static inline const int32_t *partition_adding(const struct partition *pt) { return pt->ids + pt->n_replicas; }
static inline const int32_t *partition_removing(const struct partition *pt) { return pt->ids + pt->n_replicas + pt->n_adding; }

/* Replicas without those being added: the factor that was asked for. */
static inline int32_t partition_rf(const struct partition *pt) { return (int32_t)pt->n_replicas - (int32_t)pt->n_adding; }

/* Counts of a topic's partitions by verdict; [i] counts flag 1 << i. */
struct topic_counts {
	uint32_t by_flag[PT_FLAGS];
};

struct topic {
	char *name;
	struct fact node;         /* of the topic node; source SOURCE_BROKERS: their metadata, as the node isn't known (then czxid 0, no times, what is being added or removed unknown) */
	char *why;                /* unreadable: why */
	int32_t json_version;
	char *topic_id;           /* NULL when none */
	bool quoted_ids;          /* broker ids stand as strings: no controller can start after the next election */
	bool mixed_replication;   /* partitions differ in replicas without those being added */
	bool internal;
	bool deleting;            /* a child of /admin/delete_topics has its name */
	int32_t rf;               /* of the lowest partition, without those being added; -1 unknown */
	int64_t czxid;            /* identity */
	wall_ms created, changed; /* ctime, mtime of the topic node; {0} unknown */
	wall_ms last_change;      /* newest mtime among topic node, states and config */
	struct partition *parts;  /* sorted by id */
	size_t n_parts;
	struct topic_counts counts;
	struct fact config_fact;  /* of /config/topics/T; absent = no overrides */
	char *config_why;
	wall_ms config_changed;   /* mtime of it; {0} unknown or none */
	struct zk_config config;
	int32_t min_isr;          /* the override of min.insync.replicas, -1 when there is none or it is no number */
	int64_t size_bytes;       /* sum over the current replicas that brokers found in their log dirs; cluster_size_is_whole */
	uint32_t n_sized;         /* how many */
	bool md_visible;          /* an answer to Metadata listed it, or said by its name that the broker knows none: we have the right to see it */
	uint8_t md_missing;       /* answers to Metadata in a row that did not list it, up to 255 */
	wall_ms md_missing_since; /* of the first of them */
	bool dirty;               /* stands in the model's list of changed topics, at dirty_at */
	uint32_t dirty_at;
};

struct broker {
	int32_t id;
	struct fact reg;          /* registration; absent = down */
	char *why;
	bool up;                  /* registered (readable or not) */
	struct zk_broker info;    /* of the last registration read, kept while it is down */
	bool has_info;
	int64_t czxid;            /* broker epoch */
	wall_ms since;            /* up: ctime of the registration; down: when that was seen; {0} unknown */
	bool since_exact;         /* false: at least since then */
	uint32_t leaders, replicas, under_followers; /* counts over all partitions read so far */
	struct fact config_fact;  /* of /config/brokers/N */
	char *config_why;
	struct zk_config config;
	mono_ms dir_rate_seen;    /* when its rate for moves between log dirs was seen to change; {0}: it is as it was first read */
	/* By its own word. */
	struct link_info link;
	struct fact disks_fact;   /* of the last answer, or of its refusal */
	char *disks_why;
	struct disks *disks;      /* of the last answer that told them; NULL: none so far */
	wall_ms disks_seen;       /* when that was */
	struct disks *lost;       /* what lay in dirs that failed since we look (disk_dir.failed), as their broker last told it; NULL: none is known */
	wall_ms lost_seen;        /* when that was */
	struct fact settings_fact;
	char *settings_why;
	struct zk_config settings; /* in force on it (DescribeConfigs), those that kafops looks at */
	int32_t min_isr;          /* min.insync.replicas among them, -1 unknown */
};

/* The config of a broker that nothing else tells of. */
struct broker_config {
	int32_t id;
	struct fact fact;            /* present or unreadable */
	char *why;
	struct zk_config config;
};

/* A topic that the brokers' metadata lists and ZooKeeper does not. */
struct md_only {
	char *name;
	int32_t from;
	uint32_t n_partitions;
	uint16_t polls;              /* answers in a row */
	bool is_told;                /* by the answer being taken (core/model's own) */
	wall_ms since;
};

enum { EPOCH_RISES = 8 };

struct cluster {
	uint64_t facts_gen;          /* rises with each event, or part of one, that the model takes */
	uint32_t epoch;              /* of the ZooKeeper connection now; facts with an older one are not yet read again */
	struct conn_info conn;       /* state of the session */
	mono_ms conn_seen;
	wall_ms conn_since;          /* of this state */
	bool loaded;                 /* this epoch's first reading is complete */
	bool loaded_once;            /* some epoch's was */
	uint32_t load_done, load_total;

	struct fact root; char *root_missing; /* KNOW_ABSENT: the first missing node of the chroot */
	char *root_why;              /* KNOW_UNREADABLE: why it can't be looked at */
	struct fact cluster_id_fact; char *cluster_id; char *cluster_id_why;
	char *cluster_id_before;     /* another cluster was read before this one, by the same connect string; NULL: none */
	wall_ms cluster_id_changed;  /* when that was noticed */
	struct fact controller_fact; struct zk_controller controller; char *controller_why;
	bool controller_persistent;  /* the node is not ephemeral: a KRaft controller owns it */
	wall_ms controller_since;    /* ctime of /controller */
	int64_t controller_czxid;    /* of /controller: identity of this time in office; 0 unknown */
	struct fact controller_epoch_fact; int32_t controller_epoch; char *controller_epoch_why;
	struct fact feature_fact; struct zk_feature feature; char *feature_why;
	wall_ms epoch_rises[EPOCH_RISES]; /* when the controller epoch was written, newest first, as far as each was seen; {0} none */
	struct fact migration_fact; struct zk_migration migration; char *migration_why;
	struct fact reassign_fact; struct zk_reassign reassign; char *reassign_why;
	wall_ms reassign_changed;    /* mtime of /admin/reassign_partitions; {0} unknown or none */

	/* The lists: know of the node itself, with `why` when unreadable. */
	struct fact broker_ids_fact; char *broker_ids_why;
	wall_ms broker_ids_since;    /* the list has been followed without a gap since then: who isn't in it was down then, too, or `since` says when it went */
	struct fact topics_fact; char *topics_why;
	struct fact markers_fact; char *markers_why;
	struct fact config_topics_fact; char *config_topics_why;
	struct fact config_brokers_fact; char *config_brokers_why;
	struct event_list markers;   /* children of /admin/delete_topics, sorted */

	/* Deletions that are watched, and those that ended a while ago: by topic, then czxid. */
	struct witness **witnesses;
	size_t n_witnesses;

	struct broker **brokers;     /* sorted by id: registered, seen before, or named in an assignment */
	size_t n_brokers;
	struct topic **topics;       /* sorted by name */
	size_t n_topics;
	struct map *topic_by_name;
	uint64_t topics_gen;         /* changes whenever `topics` gains or loses one */
	struct topic_counts totals;  /* over all topics */
	size_t n_topics_read;        /* topics whose node was read, so that their partitions are known */
	size_t n_partitions, n_replicas;
	struct zk_config default_config; /* /config/brokers/<default> */
	struct broker_config *configs_only; /* /config/brokers/N of those not in `brokers`; sorted by id */
	size_t n_configs_only;

	/* The brokers' word. */
	struct fact asked_fact; char *asked_why; /* known when all that was to be asked first was answered or given up; unreadable: nobody could be reached */
	mono_ms brokers_seen;        /* of the last answer of any broker */
	struct fact metadata_fact;   /* of the last answer to Metadata for all topics */
	int32_t metadata_from;       /* who gave it */
	int32_t metadata_controller; /* whom it names as controller; BROKER_NONE none or unknown */
	uint16_t controller_polls;   /* answers in a row that named another than /controller */
	wall_ms controller_differs_since;
	struct md_only *md_only;     /* sorted by name */
	size_t n_md_only;
	char *foreign_id;            /* the brokers are of another cluster, this one: nothing they say is taken. NULL: no */
	struct fact reassigning_fact; char *reassigning_why;
	struct reassigning_list reassigning; /* what the controller has under way */
	size_t n_disks;              /* brokers whose log dirs are known */
	size_t n_links_up;           /* connections to brokers that are up */
};

const struct topic *cluster_topic_find(const struct cluster *cl, const char *name);
/* Its index in `topics`, or that at which it would stand (`is_there` may be NULL). */
size_t cluster_topic_place(const struct cluster *cl, const char *name, bool *is_there);
/* The witness of the deletion that is not ended, else of one whose marker alone is gone, else of the one that ended last; NULL: none. */
const struct witness *cluster_witness_find(const struct cluster *cl, const char *topic);
/* Topics that are queued for deletion beyond those that are followed (WITNESSES_MAX): nothing is told of them but this number. */
size_t cluster_unfollowed(const struct cluster *cl);
/* Where `id` stands in `brokers`, or would. */
size_t cluster_broker_place(const struct cluster *cl, int32_t id);
const struct broker *cluster_broker_find(const struct cluster *cl, int32_t id);
/* A setting in force on a broker (NULL: of none), by its last answer: NULL where that has none of this name, or is no answer but a failure. */
const char *broker_setting(const struct broker *br, const char *key);
/* Its delete.topic.enable, which counts where the controller is (reference 2.2): 1 true, 0 false, -1 unknown. */
int8_t broker_may_delete(const struct broker *br);
const struct partition *topic_partition_find(const struct topic *tp, int32_t id);

/* The list of brokers was read, or is known not to be there: who is not in it is down. */
bool cluster_brokers_are_known(const struct cluster *cl);
/* Registered now, as far as is known: KNOW_PRESENT, KNOW_ABSENT, or KNOW_UNKNOWN. The list decides (none: nobody is);
 * without knowing it, a broker can only be known to be up, by its own registration. */
enum know cluster_broker_alive(const struct cluster *cl, int32_t id);

/* How many are known to be registered. */
size_t cluster_brokers_up(const struct cluster *cl);

/* An old value is on view: read over an earlier ZooKeeper connection, or a broker's word while none can be reached. */
bool fact_is_old(const struct cluster *cl, const struct fact *fact);

/* min.insync.replicas in force: the override, else what the leader's broker says. -1 unknown. */
int32_t cluster_min_isr(const struct cluster *cl, const struct topic *tp, const struct partition *pt);
/* The broker's log dirs are known (now or before), and if the replica isn't in them, it can't lie in one that is offline: nothing is listed of those. */
bool cluster_replica_is_sized(const struct cluster *cl, int32_t broker, const char *topic, int32_t partition);
/* So of every replica that the topic is assigned: its size is the sum of them all. */
bool cluster_size_is_whole(const struct cluster *cl, const struct topic *tp);
/* Whether replicas of that name in a log dir are orphans can be said: ZooKeeper's lists were read, and the topic's node where there is one
 * (metadata may not know what is being added). */
bool cluster_owner_is_known(const struct cluster *cl, const char *topic);
/* A replica in a broker's log dirs; NULL when that is not known or it isn't there (*is_known tells them apart, may be NULL). */
const struct disk_replica *cluster_disk_replica(const struct cluster *cl, int32_t broker, const char *topic, int32_t partition,
	bool is_future, bool *is_known);

/* Every topic's assignment was read: totals of partitions and replicas, and a broker's, are whole. */
bool cluster_assignments_are_whole(const struct cluster *cl);
/* And every partition's state: so are counts of leaders and by verdict, but for verdicts that are open (health_doubts). */
bool cluster_counts_are_whole(const struct cluster *cl);

/* The data on screen may be old: no session, or this epoch's reading isn't complete. */
bool cluster_is_stale(const struct cluster *cl);

/* A KRaft controller owns the cluster: /controller persistent or kraftControllerEpoch > 0, or /migration there. */
bool cluster_in_migration(const struct cluster *cl);

#endif
