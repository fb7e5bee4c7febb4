/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was seen of each deletion while it was watched: observations that can't be read again later, such as where a replica lay before it
 * went, when it was seen gone, when a log dir failed, under which controller epoch. They are facts and evidence; what follows
 * from them is core/deletion's. The model keeps one witness a deletion, from the moment that its marker (or its memory) is there
 * until WITNESS_KEPT_MS after its end (WITNESS_MARKER_GONE: for as long as the controller goes on with it, by its own word); io/memory keeps them over a restart of the program, under cluster id, topic and czxid.
 * Written by core/model alone. Thread: UI thread.
 */
#ifndef CORE_WITNESS_H
#define CORE_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/ids.h"

enum { WITNESS_KEPT_MS = 3600000, WITNESS_REST_MS = 3000, WITNESS_ATTEMPTS_MAX = 200, WITNESS_WHY_MAX = 64 /* bytes, the final 0 included */, DIR_TAIL_MAX = 5 /* bytes of a log dir's path in a few words */, WITNESSES_MAX = 5000, WITNESSES_UNMARKED_MAX = 200 };

/* One replica of the assignment as it was when the marker came (adding and removing ones too). */
struct witness_replica {
	int32_t partition, broker;
	char *dir;               /* where its broker last listed it (DescribeLogDirs, current log); NULL: never seen */
	int64_t size_bytes;      /* then; -1 never */
	wall_ms listed;          /* the last answer that listed it; {0} never */
	wall_ms gone;            /* the first answer after that, or (in answers since the marker was seen) ever, that told every dir without error, or at least
	                          * `dir`, and did not list it; {0}: not so, or it was listed again since. An offline dir that is taken out of the broker's
	                          * configuration looks the same: then dir_failed stands beside it (lookalikes, P21) */
	int32_t gone_epoch;      /* controller epoch then; -1 unknown */
	wall_ms dir_failed;      /* its dir was seen to be offline, or with another error; {0} no, or it was listed again since */
	int32_t dir_failed_epoch;
	int64_t broker_czxid;    /* registration of the broker when it last answered; 0 unknown */
	bool refilled;           /* gone, and listed again with size 0 (a failover re-creates the log) */
};

enum witness_trigger { WITNESS_MARKED, WITNESS_BROKER_STARTED, WITNESS_CONTROLLER, WITNESS_REASSIGNED, WITNESS_FOUND };

/*
 * Something that can make the controller run a pass. A broker's start, and the last election, are known by the times
 * of their nodes, so also those from before we looked: they are attempts if they came after the marker.
 */
struct witness_attempt {
	uint8_t trigger;         /* enum witness_trigger; WITNESS_FOUND: it was under way when we began to look */
	int32_t id;              /* the broker; of WITNESS_CONTROLLER the new controller; BROKER_NONE none */
	int32_t epoch;           /* controller epoch */
	wall_ms at;
	bool effect_seen;        /* state nodes or log dirs changed after it, and before the next one */
	uint32_t done, left;     /* replicas seen gone, and not, when it was at rest; both 0 while it is not, or where that was not seen */
	wall_ms rested;          /* nothing changed any more since (so for WITNESS_REST_MS, or until the next one); {0}: not over. What is seen later takes it back */
	char why[WITNESS_WHY_MAX]; /* what held up those left then, as far as it was in sight (a broker down, a log dir offline, a reassignment):
	                          * "broker 3 down", valid UTF-8 where a path is; "" nothing was */
};

enum witness_end {
	WITNESS_OPEN = 0,
	WITNESS_GONE,            /* topic node and marker are gone */
	WITNESS_RECREATED,       /* the same, and the name came back with another czxid */
	WITNESS_MARKER_GONE      /* the marker went and the topic node of the same czxid stayed: refused, taken away by hand, or resurrected; core/deletion tells which as far as it can */
};

struct witness {
	char *topic;
	int64_t czxid;           /* of the topic node; 0: there was none when the marker was first seen */
	int64_t marker_czxid;    /* 0: not read */
	wall_ms marked;          /* ctime of the marker; {0} unknown */
	wall_ms first_seen;      /* by us, or by whoever left the memory */
	bool is_unmarked;        /* no marker was seen: only that the topic's node went from one reading of the list to the next over one connection. Its deletion was
	                          * quicker than that, or somebody removed the node by hand */
	bool came;               /* it was seen to come: the list of markers had been read without it before, in this session */
	int32_t n_children;      /* of the marker; -1 unknown */
	int32_t epoch_first;     /* controller epoch when it was first seen; -1 unknown */
	struct witness_replica *replicas; /* by partition, then in the order of the assignment; [n_replicas]; of topics whose node was never read none */
	size_t n_replicas;
	struct witness_attempt *attempts; /* oldest first; at most WITNESS_ATTEMPTS_MAX, the oldest of the middle are dropped */
	size_t n_attempts;
	uint32_t n_dropped;
	/* Whether the controller's own broker lists the topic in Metadata (other brokers mislead: reference 2.10). */
	uint8_t ctrl_lists;      /* enum know: KNOW_PRESENT, KNOW_ABSENT (error 3 by name, or missing in a list of all that may be seen), else unknown */
	wall_ms ctrl_since;      /* of this word */
	uint16_t ctrl_polls;     /* answers in a row, all from who was controller then */
	int32_t ctrl_epoch;      /* controller epoch of them */
	wall_ms pass_seen;       /* a pass left its signature (reference 2.9: leader -1, one member in the ISR) in every state node, or in one whose last member's broker is
	                          * up with no dir offline: when first seen with the marker there; {0} no. Without was_alive an ordinary leaderless topic looks the same (P13) */
	bool was_alive;          /* leaders were seen while the marker was there */
	uint8_t end;             /* enum witness_end */
	wall_ms ended;
	int64_t new_czxid;       /* WITNESS_RECREATED */
	int32_t end_controller;  /* WITNESS_MARKER_GONE: who was the controller then; BROKER_NONE unknown */
	int8_t end_enabled;      /* its delete.topic.enable then: 1 true, 0 false, -1 unknown */
	bool end_is_open;        /* two were the controller at about that moment, of which the settings differ: the two above stay unknown */
	wall_ms changed;         /* when something of this was last seen to change (a replica gone or back, a state node, an attempt); not: that it was listed again as before */
	bool is_remembered;      /* begun by another run of the program */
	bool is_dirty;           /* differs from what io/memory has */
	wall_ms dirtied;         /* since when, or when last */
};

struct witness *witness_new(const char *topic, int64_t czxid);  /* nothing seen yet */
struct witness *witness_copy(const struct witness *wi);
void witness_free(struct witness **pp);
/* Not ended, as far as this one tells: marker or topic node may go on. */
bool witness_is_live(const struct witness *wi);
/* Takes over what another one of the same deletion has seen and this one has not (or later, or earlier where the first time counts).
 * True when that was anything. */
bool witness_merge(struct witness *wi, const struct witness *other);
/* Puts the text there, cut between two characters. True when it differs from what was there. */
bool witness_attempt_say(struct witness_attempt *at, const char *why);
/* Adds it, in order of time; false: it is there. The last one before is over by it. */
bool witness_attempt_add(struct witness *wi, const struct witness_attempt *at);
/* The replicas seen gone. */
uint32_t witness_gone(const struct witness *wi);
/* NULL when that replica is not part of it. */
const struct witness_replica *witness_replica_find(const struct witness *wi, int32_t partition, int32_t broker);

#endif
