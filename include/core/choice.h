/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topics that are marked, by hand or by a pattern. A mark is on the thing, not on its name: a topic that went and was made again
 * (another czxid) is not marked any more. Filters and orders of a view do not touch it.
 *
 * What may not be marked is struck out: by a pattern, a span or a file neither Kafka's internal topics nor the profile's
 * protected ones, nor one that is queued for deletion already; by hand (one topic, on purpose) what the profile allows.
 * A set of names can be saved and loaded: plain text, see choice_put_text.
 * Thread: UI thread; pure.
 */
#ifndef CORE_CHOICE_H
#define CORE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/cluster.h"

struct changes;
struct choice;
struct err;
struct policy;
struct strbuf;

/* Why a topic can't be marked. */
enum choice_why {
	CHOICE_OK = 0,
	CHOICE_INTERNAL,    /* Kafka's own (core/ids) */
	CHOICE_PROTECTED,   /* by the profile, or whether it is can't be decided */
	CHOICE_QUEUED,      /* for deletion, already */
	CHOICE_UNREAD,      /* ZooKeeper has not said which topic this is: there is no czxid to hold on to */
	CHOICE_WHYS
};

enum { CHOICE_NAMES_SHOWN = 3, CHOICE_FILE_MAX_BYTES = 16 * 1024 * 1024 };

struct choice_mark {
	const char *name;   /* hostile text; borrowed until the mark goes */
	int64_t czxid;
	bool by_hand;       /* by itself; false: a pattern, a span or a file took it */
};

/* What came of marking many. */
struct choice_tally {
	size_t marked, unmarked;             /* newly */
	size_t n_struck[CHOICE_WHYS];
	const char *struck[CHOICE_WHYS][CHOICE_NAMES_SHOWN]; /* the first names of each; borrowed from the cluster until it changes */
};

struct choice_totals {
	size_t topics;
	uint64_t partitions, replicas;
	int64_t bytes;
	bool is_whole;      /* of the bytes: every replica's size is known */
};

struct choice *choice_new(void);
void choice_free(struct choice **pp);

enum choice_why choice_may(const struct policy *po, const struct topic *tp, bool by_hand);
/* The same where it is known whether policy_protects it. */
enum choice_why choice_judge(const struct policy *po, const struct topic *tp, bool by_hand, bool is_protected);
const char *choice_why_word(enum choice_why why); /* "internal", "protected", "already queued", "not read yet"; static */

/* False: it was marked already. The topic may be marked (choice_may). */
bool choice_mark(struct choice *ch, const struct topic *tp, bool by_hand);
bool choice_unmark(struct choice *ch, const char *name);
void choice_clear(struct choice *ch);
bool choice_has(const struct choice *ch, const struct topic *tp);
size_t choice_count(const struct choice *ch);
/* All, sorted by name; mem_free() the list (NULL for none). */
struct choice_mark *choice_list(const struct choice *ch, size_t *n);

/* A list of names, by index, that a view shows. */
typedef const char *choice_name_fn(const void *list, size_t i);
/* Marks all from `from` to before `to`; names that the cluster does not have are passed over. Adds to `tally`. */
void choice_mark_span(struct choice *ch, const struct cluster *cl, const struct policy *po, choice_name_fn *at, const void *list,
	size_t from, size_t to, struct choice_tally *tally);
/* Turns each of them round. */
void choice_invert_span(struct choice *ch, const struct cluster *cl, const struct policy *po, choice_name_fn *at, const void *list,
	size_t from, size_t to, struct choice_tally *tally);
/* Counts a topic that is struck out. */
void choice_tally_strike(struct choice_tally *tally, enum choice_why why, const char *name);
/* "struck out: 2 internal (__consumer_offsets, __transaction_state), 1 protected (team12.ledger)"; nothing where nothing was. */
void choice_tally_text(const struct choice_tally *tally, struct strbuf *out);

/* Drops marks whose topic is gone, or is another one by now; `changes` NULL: looks at all. Returns how many.
 * While the list of topics is not known nothing is dropped, nor is a topic whose node has not been read again. */
size_t choice_sync(struct choice *ch, const struct cluster *cl, const struct changes *changes);
struct choice_totals choice_totals(const struct choice *ch, const struct cluster *cl);

/*
 * A set as text: one name a line; what begins with # is a comment, and blanks round a name do not count. The first lines tell the cluster and
 * the time. Only names that Kafka allows are written, *n_left_out says how many were not.
 */
void choice_put_text(const struct choice *ch, const struct cluster *cl, const char *profile, wall_ms now, struct strbuf *out,
	size_t *n_left_out);

struct choice_loaded {
	size_t n_names;                      /* in the text, each once */
	struct choice_tally tally;
	size_t n_already;                    /* marked before */
	size_t n_gone;                       /* the cluster has none of that name */
	char gone[CHOICE_NAMES_SHOWN][TOPIC_NAME_MAX + 1]; /* the first of them */
	char cluster_id[64];                 /* it was saved on; "" not said */
};

/* Marks what the text names. False, and nothing is marked, when it does not read as names: "line 3: ...". */
bool choice_take_text(struct choice *ch, const struct cluster *cl, const struct policy *po, const char *text, size_t n,
	struct choice_loaded *out, struct err *err) __attribute__((warn_unused_result));

#endif
