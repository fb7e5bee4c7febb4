/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster for tests of views and batch items: ZooKeeper's nodes in, as if an
 * adapter had read them, without an adapter. Time stands at FIXTURE_START and
 * moves by a second with every event; node times follow it, so that what a test prints is always the same.
 */
#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "core/model.h"
#include "view/query.h"

#define FIXTURE_START INT64_C(1700000000000) /* 2023-11-14T22:13:20Z */

struct said;

struct fixture {
	struct model *md;
	struct said *said;
	uint32_t epoch;
	int64_t at;    /* milliseconds since FIXTURE_START, of the last event */
	int64_t zxid;
};

struct fixture *fixture_new(void);
void fixture_free(struct fixture **pp);
const struct cluster *fixture_cluster(const struct fixture *fx);
wall_ms fixture_now(const struct fixture *fx);

/* Reads a tree: a line is path TAB data (tests/cases). What the tree does not have is absent. Ends with the first reading complete. */
void fixture_load(struct fixture *fx, const char *file);
/* The same from text. */
void fixture_load_text(struct fixture *fx, const char *text);

/* One node, new data (NULL: it is gone). Child lists are not touched: see fixture_children. */
void fixture_znode(struct fixture *fx, const char *path, const char *data);
void fixture_znode_bytes(struct fixture *fx, const char *path, const char *data, size_t len);
void fixture_unreadable(struct fixture *fx, const char *path, const char *why);
/* `names` is NULL-terminated, or NULL: the node is gone. */
void fixture_children(struct fixture *fx, const char *path, const char *const *names);
void fixture_children_unreadable(struct fixture *fx, const char *path, const char *why);
void fixture_loaded(struct fixture *fx);
/* A new session: facts are old until they are read again. */
void fixture_new_epoch(struct fixture *fx);

/* What brokers say: lines as in tests/model/README. A line that is none of theirs fails the test. */
void fixture_said(struct fixture *fx, const char *lines);

/* A filter and an order; fails the test when the text is refused. */
struct query fixture_query(const char *text, int col, bool desc);

/* Path of a file in tests/cases; static storage. */
const char *fixture_case(const char *name);

#endif
