/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fake server for tests of zk_watch: a tree, one-shot watches, and two queues. The
 * server takes requests in order; answers and firings reach the client in the
 * order in which the server made them, which is all that ZooKeeper promises.
 * Everything between (who is served when, what changes meanwhile) is up to the
 * test. There is one, `fake`: each test begins and finishes it.
 */
#ifndef TESTS_UNIT_FAKEZK_H
#define TESTS_UNIT_FAKEZK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/str.h"
#include "core/event.h"
#include "core/zkpath.h"
#include "io/zk_watch.h"

struct fake_node {
	char *data;
	int64_t czxid, mzxid;
};

struct request;
struct message;

struct fakezk {
	struct map *tree;                         /* path -> struct fake_node */
	struct map *data_watches, *child_watches; /* path -> anything */
	struct map *denied;                       /* path -> anything */
	int64_t zxid;
	struct request *requests, **requests_end;
	struct message *inbox, **inbox_end;
	size_t max_requests;
	bool is_cut, once, is_full;
	int64_t now_ms;
	struct zk_watch *w;
	struct strbuf log; /* requests as sent: "get /controller\n" */
	/* what the client told */
	struct map *facts; /* "kind|name|id" -> "present 12" or "absent" */
	size_t n_loaded, n_progress;
	uint32_t last_done, last_total;
	int32_t marker_children;   /* of the last marker told */
	char last_why[100];
};

extern struct fakezk fake;
extern char fake_something; /* a map's value that says no more than that the key is there */

/* An empty tree and a zk_watch that was not started. */
void fake_begin(unsigned window, bool once);
void fake_finish(void);
/* Roots, and the topic t with two partitions, all read. */
void fake_begin_with_topic(void);

/* ---- the tree ---- */

struct fake_node *fake_node_at(const char *path);
bool fake_has_children(const char *path);
/* The names below `path`. */
char **fake_children(const char *path, size_t *n_children);
void fake_children_free(char ***names, size_t n);
/* A leaf below `path` (itself if it has none below), for deleting from below. */
bool fake_leaf_below(const char *path, char out[ZKPATH_MAX]);
/* Creates the node, and its parents, or sets its data. */
void fake_put(const char *path, const char *data);
void fake_del(const char *path);
void fake_del_all(const char *path);

#define FAKE_STATE0 "/brokers/topics/t/partitions/0/state"

void fake_put_assignment(const char *topic, int first, int n);
void fake_put_state(const char *topic, int p, int epoch);
void fake_put_topic(const char *topic, int n);
void fake_put_config(const char *topic);
void fake_put_roots(void);

/* ---- time passes ---- */

/* The server takes one request. */
bool fake_serve(void);
/* The client takes one message. */
bool fake_deliver(void);
/* Until nothing is under way. */
void fake_settle(void);
/* What the server has not taken yet, held back; put back when nothing else waits. */
struct request *fake_hold_requests(void);
void fake_release_requests(struct request *held);

/* ---- what was asked, and told ---- */

size_t fake_times_asked(const char *line);
size_t fake_asked_at(const char *line);
/* "present MZXID", "present NAMES..." for a list, "absent", "unreadable", "unknown". */
const char *fake_fact(enum event_kind kind, const char *name, int32_t id);
bool fake_is_present(enum event_kind kind, const char *name, int32_t id);
char *fake_list_text(const struct event_list *l);

#endif
