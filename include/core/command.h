/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change that was asked for, as a value: what it is, on what, and what it would do. Checking it is pure: against the cluster as it is known, what is inferred
 * of deletions, and the policy. Rows of core/commands.def: a command without a danger level does not compile.
 * Thread: UI thread.
 */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/cluster.h"

struct appraisal;
struct deletions;
struct policy;
struct strbuf;

/* 0 looks, 1 can be taken back, 2 disturbs, 3 destroys data. */
enum danger { DANGER_LOOK = 0, DANGER_REVERSIBLE, DANGER_DISRUPTIVE, DANGER_DESTROYS };

enum command_kind {
#define COMMAND(id, name, danger, confirm) COMMAND_##id,
#include "core/commands.def"
	COMMAND_KINDS
};

enum way { WAY_API, WAY_ZNODE };

/* A request for it of a little while ago of which nobody knows what came: read from the journal (app/gate, gate_recall). */
enum { COMMAND_ASKED_HOLDS_MS = 600000, COMMAND_ASKED_BY_MAX = 64 };
struct command_asked {
	uint64_t id;              /* of the journal; 0: there is none */
	wall_ms at;
	int32_t broker;           /* to which it went; BROKER_NONE: not known */
	int32_t epoch;            /* controller epoch then; -1: not known */
	char by[COMMAND_ASKED_BY_MAX];
};

/* A topic as it was when it was chosen. */
struct command_topic {
	char *name;
	int64_t czxid;            /* identity: another one refuses */
	uint32_t n_partitions, n_replicas;
	int64_t size_bytes;       /* -1 unknown */
	bool size_is_whole;
	bool by_hand;             /* marked by itself, or named literally; false: a pattern took it */
	struct command_asked asked;
};

struct command {
	enum command_kind kind;
	struct command_topic *topics; /* sorted by name, each once; none for COMMAND_MOVE_CONTROLLER */
	size_t n_topics;
	int64_t controller_czxid;     /* COMMAND_MOVE_CONTROLLER */
	char *pattern;                /* prepared pattern it came from; NULL: none */
};

struct command *command_new(enum command_kind kind);
/* Takes what the cluster knows of the topic. False: there is none of that name. */
bool command_add_topic(struct command *cm, const struct cluster *cl, const char *name, bool by_hand) __attribute__((warn_unused_result));
/* NULL: it is about none of that name. */
const struct command_topic *command_topic_find(const struct command *cm, const char *name);
struct command *command_copy(const struct command *cm);
void command_free(struct command **pp);
/* It was asked for before, and the request may still lie unread in a broker. COMMAND_ASKED_HOLDS_MS after it was sent it does not any more. */
bool command_topic_is_asked(const struct command_topic *ct, wall_ms now);

enum danger command_danger(enum command_kind kind);
const char *command_name(enum command_kind kind);        /* "delete-topics"; static */
const char *command_confirm(enum command_kind kind);     /* last line of the confirmation; static */
void command_describe(const struct command *cm, struct strbuf *out); /* one line: "delete 2 topics: team12.clicks.v1, team12.clicks.v2" */

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };

struct finding {
	enum severity severity;
	const char *kind;        /* "under-reassignment", for scripts; static */
	char *topic;             /* NULL: of the command as a whole */
	char *text;              /* one sentence: what, and what to do */
	struct ids brokers;      /* of replica-on-*: that are waited for, sorted */
	size_t n_replicas;       /* the same: how many of the topic's replicas wait */
	uint64_t digest;         /* of what it says, but for how long ago that was: what to compare two checks by */
};

/* All there is, errors first, then warnings; within these by topic. */
struct findings {
	struct finding *v;
	size_t n, n_errors, n_warnings;
	uint64_t digest;         /* of all of them and of what the command is about: another one means that the facts changed underneath */
};

/*
 * `ds` and `ap` may be NULL: not known, and nobody asked (core/appraisal). Kinds of findings:
 *   errors    nothing, wrong-cluster, stale, zookeeper-read-only, foreign-brokers, migration (of a znode), no-controller, controller-changed,
 *             deletion-disabled (on the controller), poison, markers-unreadable (of a znode), brokers-answer (of a znode);
 *             of a topic: gone, unread, recreated, under-reassignment, internal, protected, never-elected (by the API),
 *             marker-removed (by the API; before an election of any topic that is so), poison (before an election, likewise)
 *   warnings  migration (by the API), deletion-disabled (on other brokers), controller-silent, markers-unreadable, entries-left-over,
 *             last-writes-unknown, consumer-groups, consumer-groups-unknown; of a topic: replica-on-dead-broker,
 *             replica-on-offline-dir, auto-create, last-writes, internal, protected, changed, asked-before
 *   info      many-topics, deletion-enabled-unknown, last-writes-unknown and consumer-groups-unknown (nobody asked, or being asked),
 *             no-writes, no-consumer-groups;
 *             of a topic: already-queued (it is left out of what is sent)
 * Texts of a topic's findings say "it".
 */
void command_check(const struct command *cm, const struct cluster *cl, const struct deletions *ds, const struct policy *po,
	const struct appraisal *ap, wall_ms now, struct findings *out);
void findings_fini(struct findings *fs);
/* Of that kind, about that topic (NULL: about the command as a whole); NULL: none. */
const struct finding *findings_find(const struct findings *fs, const char *kind, const char *topic);
/* It says what the deletion would wait for: a broker that is down, or a log dir that is offline. */
bool finding_is_held(const struct finding *fi);
/* What changed from one check of a command to the next, in plain sentences, a line each ("broker 3 is down: 4 replicas will wait"). False: nothing that
 * counts; what is found for information alone, and what was asked beyond the model, does not. */
bool findings_differ(const struct findings *before, const struct findings *now, struct strbuf *out);
const char *severity_name(enum severity sv);   /* "info", "warning", "error" */

/* What the cluster is called where it has to be typed: the profile, else the first six characters of its id. "" unknown. */
void command_cluster_name(const struct cluster *cl, const struct policy *po, struct strbuf *out);
/* More topics, or a larger share of the partitions, than the policy lets go without the cluster's name. */
bool command_is_large(const struct command *cm, const struct cluster *cl, const struct policy *po);
/* What has to be typed to confirm it: the topic's name, or the number of topics, or (of COMMAND_MOVE_CONTROLLER) "move"; and then the
 * cluster's name (NULL: not asked for, or not known). Both allocated. */
void command_to_type(const struct command *cm, const struct cluster *cl, const struct policy *po, char **first, char **second);

#endif
