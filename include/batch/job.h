/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a batch command works with, and what they share: which topics and
 * partitions were asked for, warnings, and fields that are null when unknown. A
 * command turns a loaded cluster into items; it asks nobody and prints nothing.
 * Thread: UI thread; pure.
 */
#ifndef BATCH_JOB_H
#define BATCH_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "app/session.h"
#include "base/json.h"
#include "core/cluster.h"
#include "core/health.h"

struct batch_command;
struct err;
struct pattern;
struct reach;
struct session;
struct watch_ops;

struct batch_job {
	const struct batch_command *command;
	const struct options *opt;
	mono_ms mono;                      /* when the answer was made */
	wall_ms now;
	const struct reach *reach;         /* how the cluster is reached, for info; may be NULL */
	const struct cluster *cl;          /* NULL: nothing was asked (info without a cluster) */
	const struct cluster *links;       /* whose connections to brokers info tells, without an answer, too; NULL: none was tried */
	const struct session_stats *stats; /* NULL when there are none */
	struct pattern *pattern;           /* NULL: all topics */
	json_t *items;                     /* array of objects */
	json_t *warnings;                  /* array of strings */
	json_t *notes;                     /* the same: said to people besides, in no envelope */
	size_t n_warned;                   /* some may be counted only */
	bool has_match;                    /* a topic whose name matches the pattern was met, whatever the filters say of it */
	bool is_undecided;                 /* a filter asked for could not be decided for something */
	uint64_t sent_id;                  /* of the journal: a change was sent under it; 0 none was */
	bool has_failed;                   /* what the items come from can't be read (batch_fail) */
	/* Left out for want of an effective min.insync.replicas, and of the list of brokers: one warning each for all. */
	struct { size_t topics, partitions; } no_min, no_brokers;
};

/* The list that a command's items come from: when it can't be read there is no answer. */
enum batch_list { BATCH_TOPICS, BATCH_BROKERS, BATCH_NO_LIST };

/* A command. */
struct batch_command {
	enum batch_list list;
	const char *nothing;               /* said to people when there is no item; NULL: "nothing matches" */
	const char *const *fields;         /* of an item, in order, NULL-terminated */
	const char *const *table_fields;   /* columns of the table form, "field" or "field=TITLE" */
	const char *const *detail_fields, *const *detail_table_fields; /* the same with --replicas, NULL: no difference */
	unsigned asks, detail_asks;        /* ASK_*: what brokers are asked for beside ZooKeeper; the latter with --replicas */
	bool needs_brokers;                /* without their word there is nothing to tell */
	bool needs_zookeeper;              /* nor without it */
	bool remembers;                    /* what was seen of deletions before is of use, and kept (io/memory) */
	bool is_local;                     /* nobody is asked: what it tells is on this machine */
	bool no_states;                    /* states of partitions and configs are of no use to it: they aren't read */
	void (*run)(struct batch_job *job);
	/* Once all is read: makes the items, and changes the cluster where that is asked for (--execute); NULL: it changes nothing. The exit status. */
	int (*act)(struct batch_job *job, struct session *ss);
	const struct watch_ops *watch;     /* what --watch tells after that; NULL: it has no --watch */
};

extern const struct batch_command cmd_topics, cmd_describe, cmd_brokers, cmd_deletions, cmd_delete, cmd_dirs, cmd_throttles, cmd_info, cmd_journal;

/* Takes the pattern from the options. False with a sentence (usage): a pattern that can't be used, filters that exclude each other. */
bool batch_job_init(struct batch_job *job, const struct options *opt, const struct cluster *cl, struct err *err) __attribute__((warn_unused_result));
void batch_job_fini(struct batch_job *job);

/* At most BATCH_WARNINGS_MAX are kept; batch_job_end says how many more there were, and what was left out altogether. */
enum { BATCH_WARNINGS_MAX = 20 };
void batch_warn(struct batch_job *job, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Nothing to worry about, but good to know: for people. */
void batch_note(struct batch_job *job, const char *text);
void batch_job_end(struct batch_job *job);
/* A warning, and the command has failed (exit status 1). */
void batch_fail(struct batch_job *job, const char *text);

/* By name: --topic, --exclude-internal. Warns where a pattern gave up. */
bool batch_wants_name(struct batch_job *job, const struct topic *tp);
/* The same of a name that may be no topic's. */
bool batch_wants_text(struct batch_job *job, const char *name, bool is_internal);

/* After a command that asks of topics: there was a pattern, and no topic of a name that matches (with the sentence). */
bool batch_job_found_no_topic(const struct batch_job *job, struct err *err);

/* By the one report filter that was asked for. */
enum verdict batch_wants_partition(const struct batch_job *job, const struct topic *tp, const struct partition *pt);
enum verdict batch_wants_topic(const struct batch_job *job, const struct topic *tp);
/* Notes that `n` partitions of it, or the topic itself, could not be decided. */
void batch_undecided(struct batch_job *job, const struct topic *tp, size_t n);
/* Says what of a topic can't be read. */
void batch_warn_unreadable(struct batch_job *job, const struct topic *tp);

/* Values. */
json_t *batch_time(wall_ms at);                            /* RFC 3339, null when unknown */
json_t *batch_bool(bool is_known, bool value);
json_t *batch_count(bool is_known, int64_t n);
json_t *batch_ids(const int32_t *ids, size_t n);
json_t *batch_settings(const struct zk_config *config);    /* object */

#endif
