/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of core/command share, and nobody else: one check under way, and the way to add a finding. */
#ifndef CORE_COMMAND_PARTS_H
#define CORE_COMMAND_PARTS_H

#include "core/appraisal.h"
#include "core/command.h"

struct check {
	const struct command *cm;
	const struct cluster *cl;
	const struct deletions *ds;      /* NULL: not known */
	const struct policy *po;
	const struct appraisal *ap;      /* never NULL */
	wall_ms now;
	bool is_appraised;               /* somebody asked for what is in `ap` */
	const struct zk_move **asked;    /* [n_asked], by topic: /admin/reassign_partitions, while topics are looked at */
	size_t n_asked;
	struct findings *out;
};

/* Adds a finding; its text is part of the digest. `kind` is static; `topic` (NULL: the command as a whole) is copied. */
void check_say(struct check *ck, enum severity sv, const char *kind, const char *topic, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* The same of a text that changes by itself (times, the words of an error): only that it is there is part of the digest. */
void check_mention(struct check *ck, enum severity sv, const char *kind, const char *topic, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* To the finding added last: which brokers, and how many replicas, it is about. Takes `brokers`, sorted. */
void check_say_where(struct check *ck, struct ids *brokers, size_t n_replicas);

/* "1, 4, 7 and 12 more" of sorted ids. */
void check_put_ids(struct strbuf *out, const struct ids *l);

bool command_is_znode(enum command_kind kind); /* the way is ZooKeeper's, around the brokers */

void check_cluster(struct check *ck);    /* command_check_cluster.c */
void check_topics(struct check *ck);     /* command_check_topics.c */

#endif
