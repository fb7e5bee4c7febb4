/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What io/zk_watch.c (the look-again machine), io/zk_lists.c (the children of lists)
 * and io/zk_tree.c (the paths they work on, and the queues these wait in) share. For
 * these three only.
 */
#ifndef IO_ZK_TREE_H
#define IO_ZK_TREE_H

#include "io/zk_watch.h"

struct map;

enum { ZK_ROOTS = 12, ZK_MARKERS_MAX = 5000 /* markers read and watched; of more only the names are known */ };

/* In the order in which they are served. */
enum queue {
	Q_ROOTS,   /* roots, lists, brokers */
	Q_WANTED,  /* all about a topic on view */
	Q_AGAIN,   /* changed since it was read */
	Q_EARLY,   /* topic and states of the first topics by name; deletion markers */
	Q_TOPICS,
	Q_STATES,
	Q_CONFIGS,
	N_QUEUES,
	Q_NONE = N_QUEUES
};

enum {
	P_LIVE = 1 << 0,    /* part of the tree as we know it */
	P_READING = 1 << 1,
	P_DIRTY = 1 << 2,   /* fired while reading */
	P_READ = 1 << 3,    /* answered since the start */
	P_ARMED = 1 << 4,   /* a watch of ours stands at it */
	P_LOOK = 1 << 5,    /* to be read with exists */
	P_PARKED = 1 << 6,  /* a state that is missing: the topic is looked at first */
	P_FAILED = 1 << 7,  /* could not be read, or may change without a firing: tried again once a minute */
	P_SEEN = 1 << 8,    /* scratch: named by the assignment just read */
	P_SOON = 1 << 9     /* a marker without its topic, read for the first time: read again a moment later */
};

struct wpath {
	struct wpath *prev, *next; /* in `queue` */
	struct wnode *of;          /* has the name */
	int32_t id;                /* partition or broker, -1 when none */
	uint8_t kind;              /* enum zkpath_kind */
	uint8_t queue;             /* enum queue */
	uint16_t flags;
};

struct wchunk {
	struct wchunk *next;
	uint32_t n;
	struct wpath p[]; /* by partition */
};

/* A root, or what one child of a list stands for: a topic with its partitions,
 * a topic's config, a broker, a broker's config, a deletion marker. */
struct wnode {
	struct wnode *prev, *next; /* in zk_watch.nodes */
	char *name;                /* NULL for a root */
	struct wchunk *chunks;
	struct wpath path;
	int64_t czxid;             /* of a topic, when last read */
	uint32_t reading;          /* paths of this node being read */
	uint32_t seen;             /* the last list that named it */
	bool is_dropped, is_wanted, is_early, is_marked;
};

struct wqueue {
	struct wpath *head, *tail;
};

struct zk_watch {
	uint32_t magic;
	const struct zk_watch_ops *ops;
	void *ctx;
	uint32_t epoch;
	unsigned window;
	bool once, keep_raw;
	bool only_brokers, no_states;
	bool is_started, is_dead, is_loaded, had_topics;

	struct wnode *nodes; /* all of them, the dropped that are still read, too */
	struct wnode *roots[ZK_ROOTS];
	struct map *topics, *topic_configs, *brokers, *broker_configs, *markers;
	struct map *marked;  /* topics whose deletion is pending */
	struct wqueue queues[N_QUEUES];
	uint32_t list_no;

	char **want;
	size_t n_want;
	struct map *want_set;

	size_t in_flight;
	size_t n_known, n_read, n_armed, n_failed; /* of live paths */
	mono_ms progress_at, retry_at;
	mono_ms soon_at;     /* when the first of those with P_SOON was read */
	bool has_soon;
};

/* Takes it out of its queue, if it is in one. */
void zk_tree_queue_remove(struct zk_watch *w, struct wpath *p);
/* The path whose turn it is; NULL when none waits. */
struct wpath *zk_tree_next_waiting(struct zk_watch *w);
/* Has a path read (again): when its turn comes, or after the read under way. */
void zk_tree_look_again(struct zk_watch *w, struct wpath *p);
/* A flag that is counted in *count. */
void zk_tree_set_counted(struct wpath *p, uint16_t flag, size_t *count, bool on);
void zk_tree_set_armed(struct zk_watch *w, struct wpath *p, bool on);
void zk_tree_set_failed(struct zk_watch *w, struct wpath *p, bool on);
/* A path becomes part of the tree, and is to be read. */
void zk_tree_path_enter(struct zk_watch *w, struct wpath *p);

/* `name` is copied; NULL for a root. */
struct wnode *zk_tree_node_new(struct zk_watch *w, enum zkpath_kind kind, const char *name, int32_t id);
void zk_tree_node_free(struct zk_watch *w, struct wnode *nd);
/* Out of the tree; freed when none of its paths is being read any more. The caller has taken it out of its map. */
void zk_tree_node_drop(struct zk_watch *w, struct wnode *nd);

struct wpath *zk_tree_find_partition(const struct wnode *nd, int32_t id); /* NULL when it has no slot */
void zk_tree_drop_partitions(struct zk_watch *w, struct wnode *nd);
/* Paths for the partitions of the assignment, and for no others. */
void zk_tree_sync_partitions(struct zk_watch *w, struct wnode *nd, const struct zk_topic *tp);

/* The topic of this name is gone: whether its marker has children, which keep it there, is looked at again. */
void zk_tree_marker_again(struct zk_watch *w, const char *topic);

/* Those on view that wait, to the front. */
void zk_tree_want_apply(struct zk_watch *w);
void zk_tree_want_clear(struct zk_watch *w);

#endif
