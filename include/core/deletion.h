/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the deletion of a topic is, and why it doesn't go on: inferred from what ZooKeeper, the brokers and their disks
 * say, and from what was seen since it was asked for (core/witness). The reference's tables 2.13 (replicas, R1 to R12) and 2.14 (topics, T1 to T15)
 * as functions over the cluster. The controller's own states (kafka.controller.ReplicaStateMachine) are in its memory
 * alone: they are told with how sure that is, and where another situation looks the same from outside, with that one.
 * What is not known (a source not asked, refused or silent, data that is old) is never made certain.
 *
 * Pure: time comes with the call. Costs grow with the topics that changed; a broker that came or went costs all that are queued.
 * Thread: UI thread.
 */
#ifndef CORE_DELETION_H
#define CORE_DELETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/model.h"

enum certainty { CERTAINTY_NONE = 0, CERTAINTY_GUESS, CERTAINTY_LIKELY, CERTAINTY_CERTAIN };

/* How far a replica's deletion is, as an operator needs it. */
enum deletion_phase {
	PHASE_UNKNOWN = 0,
	PHASE_NOT_BEGUN,  /* no pass has run on it: its data is whole */
	PHASE_RUNNING,    /* the broker was told to delete it */
	PHASE_WAITING,    /* not deleted, and nothing will happen before something else does */
	PHASE_DONE,       /* the broker deleted it (its directory goes a minute later) */
	PHASES
};

/*
 * Kafka's six names (kafka.controller.ReplicaState); New is no state of a topic being deleted. No rule sets RSM_DELETION_INELIGIBLE: which replicas
 * the controller has set aside is in its memory and its counters alone, and looks from outside like RSM_OFFLINE (lookalikes, P4). It is here for the words.
 */
enum rsm_state {
	RSM_UNKNOWN = 0,
	RSM_ONLINE, RSM_OFFLINE, RSM_DELETION_STARTED, RSM_DELETION_SUCCESSFUL, RSM_DELETION_INELIGIBLE,
	RSM_NON_EXISTENT,
	RSM_STATES
};

enum deletion_state {
	DELETION_QUEUED = 0,      /* the marker is there; the controller has not begun (T1, T2, T15) */
	DELETION_RUNNING,         /* T3 */
	DELETION_WAITING,         /* halted until something happens (T4 to T7, T10a, T14) */
	DELETION_FINISHING,       /* its znodes are going (T8, T9) */
	/* At the end. */
	DELETION_DONE,            /* topic node and marker are gone (T11) */
	DELETION_RECREATED,       /* done, and the name is there again with another czxid (T12) */
	DELETION_RESURRECTED,     /* the same topic is alive again, emptied (T10b) */
	DELETION_REFUSED,         /* the controller took the marker away and kept the topic (T13) */
	DELETION_MARKER_REMOVED,  /* somebody took the marker away, and nothing more is known */
	DELETION_STATES
};

/*
 * As batch.md names them, "broker-down" and so on. No rule sets BLOCKER_REPLICA_ERROR: that a broker answered StopReplica with an error is told to the
 * controller alone (its state-change log has it); what is seen, a replica that stays listed, is told as the blockers that look the same. The name
 * belongs to the batch contract.
 */
enum blocker_kind {
	BLOCKER_BROKER_DOWN = 0, BLOCKER_BROKER_SILENT, BLOCKER_LOG_DIR_OFFLINE, BLOCKER_REASSIGNING, BLOCKER_CONTROLLER_ABSENT,
	BLOCKER_CONTROLLER_SILENT, BLOCKER_DELETION_DISABLED, BLOCKER_NEVER_ELECTED, BLOCKER_REFUSED_STALE, BLOCKER_REPLICA_ERROR,
	BLOCKER_MARKER_HAS_CHILD, BLOCKER_INELIGIBLE_LEFT_OVER, BLOCKER_NO_TRIGGER, BLOCKER_FORGOTTEN, BLOCKER_UNKNOWN,
	BLOCKER_KINDS
};

struct deletion_replica {
	int32_t partition, broker;
	uint8_t phase, phase_certainty;  /* enum deletion_phase, enum certainty */
	uint8_t state, certainty;        /* enum rsm_state, enum certainty */
	bool is_adding, is_removing;
	const char *rule;                /* row of the reference's table, "R1b"; static */
	char *evidence;                  /* sentences: what was seen, when; and what looks the same, with what would tell it apart */
	char *dir;                       /* where it was last seen; NULL: never */
	int64_t size_bytes;              /* when last seen there; -1 never */
	wall_ms size_seen;
};

struct deletion_blocker {
	enum blocker_kind kind;
	uint8_t certainty;
	int32_t broker;                  /* BROKER_NONE: none in particular */
	int32_t partition;               /* -1: none in particular */
	char *log_dir;                   /* NULL: none */
	uint32_t n_replicas;             /* that wait for it */
	wall_ms since;                   /* {0} unknown */
	bool since_exact;
	char *text;                      /* one sentence: "broker 7 (kafka07.example) is not registered since 03:12" without the time, which whoever shows it adds */
};

/* One pass of the controller over the topic (a marker seen, a broker's start, a failover, the end of a reassignment). */
struct deletion_attempt {
	wall_ms began;
	bool is_seen;                    /* its effect was seen; false: inferred from what set it off */
	char *trigger;                   /* "asked for", "broker 9 registered", "controller 2 elected, epoch 8" */
	char *outcome;                   /* "8 done, 4 wait: broker 7 down"; NULL: not over */
};

/* What would help, as bits; and who can do it stands in `act`. */
enum {
	DELETION_ACT_START_BROKER = 1, DELETION_ACT_MEND_DIR = 2, DELETION_ACT_CANCEL_REASSIGNMENT = 4, DELETION_ACT_RESTART_HOST = 8,
	DELETION_ACT_PUT_MARKER = 16, DELETION_ACT_MOVE_CONTROLLER = 32, DELETION_ACT_REMOVE_CHILD = 64
};

struct deletion {
	char *topic;                     /* hostile text */
	int64_t czxid;                   /* of the topic node: identity; 0 unknown (the node was gone before we looked) */
	enum deletion_state state;
	uint8_t certainty;               /* of the state */
	const char *rule;                /* row of the reference's table, "T4"; static */
	wall_ms marked_at;               /* ctime of the marker; {0} unknown */
	wall_ms ended_at;                /* {0}: not ended */
	bool is_unmarked;                /* no marker was seen, only that the topic went: nothing before that is known */
	bool is_followed;                /* watched since the marker came: attempts are all there are */
	struct deletion_replica *replicas; /* by partition, then in the order of the assignment; of one that ended, as last known */
	size_t n_replicas;
	uint32_t n_by_phase[PHASES];
	int64_t bytes_left;              /* last known sizes of those not known to be gone; -1: one was never seen */
	wall_ms bytes_as_of;             /* oldest of what it sums; {0} unknown */
	struct deletion_blocker *blockers; /* the one that counts most first */
	size_t n_blockers;
	struct deletion_attempt *attempts; /* oldest first; those seen since somebody watched on this host */
	size_t n_attempts;
	char *why;                       /* short, for a list: "broker 7 down"; "" when it goes on */
	char *next;                      /* one sentence: which event moves it on; "" at the end */
	char *act;                       /* one or two: what a person can do; "" nothing is needed */
	char *meantime;                  /* what holds while it waits: other deletions, clients, disks; "" it does not wait */
	unsigned acts;                   /* DELETION_ACT_* */
	/* At the end. */
	wall_ms space_free_at;           /* DELETION_DONE: when the last broker removes its directories; {0} unknown */
	int32_t orphans;                 /* replicas left on brokers that were not up; -1 unknown */
	int64_t new_czxid;               /* DELETION_RECREATED */
};

struct deletions;

struct deletions *deletions_new(void);
void deletions_free(struct deletions **pp);
/* Infers anew where `ch` (NULL: everywhere) says something changed, and where time alone may have changed it. True when something told differs.
 * Once a turn, with every change, in order. */
bool deletions_update(struct deletions *ds, const struct cluster *cl, const struct changes *ch, mono_ms mono, wall_ms now);
/* Milliseconds until time alone may change something; -1: nothing will. */
dur_ms deletions_wait(const struct deletions *ds, mono_ms mono);
/* Queued ones and those that ended since we watched (as long as core/witness keeps them); sorted by name, then czxid. Borrowed until the next update. */
size_t deletions_count(const struct deletions *ds);
const struct deletion *deletions_at(const struct deletions *ds, size_t i);
/* The one that is not ended, or the last that is; NULL when there is none. */
const struct deletion *deletions_find(const struct deletions *ds, const char *topic);

/* Names, static: of batch.md ("broker-down", "waiting", "not-begun", "certain"), and Kafka's ("ReplicaDeletionStarted") with a short form ("Started"). */
const char *deletion_state_name(enum deletion_state st);
bool deletion_state_is_end(enum deletion_state st);
const char *deletion_phase_name(enum deletion_phase ph);
const char *blocker_kind_name(enum blocker_kind k);
const char *certainty_name(enum certainty c);
const char *rsm_state_name(enum rsm_state st);
const char *rsm_state_short(enum rsm_state st);

#endif
