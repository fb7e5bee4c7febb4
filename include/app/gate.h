/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only way to change a cluster. A command is submitted, checked, confirmed by what is typed, checked again, written to the
 * journal, and only then sent through the write port; what came of it is written to the journal under the same id. Screens and batch use the
 * same calls; nobody else holds the port.
 *
 *   gate_submit    REFUSED (read-only, an error found, another command under way), or CONFIRM: gate_pending says what to show and what to type
 *   gate_confirm   SENT; REFUSED: what was typed is something else (the pending one stays), or the facts forbid it by now, or
 *                  the journal can't be written: then nothing is sent; CONFIRM: the facts changed, `difference` says how, type it again
 *   gate_outcome   for each EV_OUTCOME; sends the next group
 *
 * One command at a time, and of it one request at a time: of DeleteTopics as many topics as policy.group_topics, the next after
 * the outcome of the last; markers one by one. Before each further request the check is made again for its topics: those that it forbids are left
 * out. Nothing more is sent after an outcome that is not known, an answer that would be the same for the rest, a journal that can't be
 * written, or gate_stop. A topic that is queued already is never asked for.
 *
 * Refusals are written to the journal, too; where it can't be written the answer says so.
 * Thread: UI thread. Writes to the journal (waits for the disk), never for the network.
 */
#ifndef APP_GATE_H
#define APP_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/command.h"

struct deletions;
struct err;
struct gate;
struct outcome;
struct policy;
struct port_write;
struct record;
struct record_who;

/* The journal as the gate needs it. */
struct gate_journal {
	void *ctx;
	bool (*write)(void *ctx, const struct record *re, struct err *err);
	/* Calls back with each record that is there, oldest first. */
	bool (*each)(void *ctx, void (*fn)(void *fn_ctx, const struct record *re), void *fn_ctx, struct err *err);
};
/* The one in that file (io/journal); `path` is borrowed. */
struct gate_journal gate_journal_file(const char *path);

/*
 * Fills in `asked` of its topics: the last request for each by the API, in the cluster with that id, of which no outcome is known. False: the journal can't be read.
 * gate_submit and gate_confirm do so themselves.
 */
bool gate_journal_recall(const struct gate_journal *jo, const char *cluster_id, struct command *cm, struct err *err) __attribute__((warn_unused_result));

/* All is borrowed until gate_free. */
struct gate_options {
	const struct policy *policy;
	const struct port_write *port;  /* NULL: read-only */
	struct gate_journal journal;
	const struct record_who *who;
	const char *zookeeper;          /* as given, for the journal; NULL: none */
	uint64_t seed;                  /* random: two consoles that begin in the same millisecond get different ids */
};

/* What is known now. */
struct gate_facts {
	const struct cluster *cl;
	const struct deletions *ds;     /* NULL: not known */
	wall_ms now;
};

enum gate_verdict { GATE_REFUSED, GATE_CONFIRM, GATE_SENT };

enum { GATE_TEXT_MAX = 512 };
struct gate_answer {
	enum gate_verdict verdict;
	char why[GATE_TEXT_MAX];        /* GATE_REFUSED: a sentence */
	uint64_t token;                 /* GATE_CONFIRM */
	uint64_t id;                    /* of its records in the journal; 0: none was written */
};

/* The command that waits to be confirmed. Borrowed until the next call that changes it. */
struct gate_pending {
	const struct command *cm;
	const struct findings *findings;
	const char *effect;             /* one line */
	const char *confirm;            /* last line of the confirmation; static */
	const char *first, *second;     /* what to type; second NULL: nothing */
	const char *difference;         /* NULL, or what changed since it was shown before, a line each (findings_differ) */
	uint64_t token;
};

struct gate *gate_new(const struct gate_options *opt);
/* What was not sent stays unsent and is written down so; what was sent and has no outcome yet stays an intent without one. */
void gate_free(struct gate **pp, const struct gate_facts *fa);

/* To dim keys by: a courtesy, the gate asks itself again. */
bool gate_can(const struct gate *g, enum command_kind kind);

/* `cm` and `ap` (NULL: nobody asked) are copied. A command that waited before is dropped. */
struct gate_answer gate_submit(struct gate *g, const struct command *cm, const struct appraisal *ap, const struct gate_facts *fa);
/* gate_journal_recall by its journal, for a check of one's own; what can't be read is left out here, and refused by gate_submit. */
void gate_recall(const struct gate *g, struct command *cm, const struct gate_facts *fa);
/* NULL: none waits. */
const struct gate_pending *gate_pending(const struct gate *g);
/* What was found by the last check, of a command that was refused too. */
const struct findings *gate_findings(const struct gate *g);
/* Exactly what is to be typed, and nothing else, is a confirmation; `second` may be NULL. */
struct gate_answer gate_confirm(struct gate *g, uint64_t token, const char *first, const char *second, const struct gate_facts *fa);
/* The operator left the dialog. */
void gate_drop(struct gate *g);

/* False: it belongs to nothing that is under way, and was ignored. */
bool gate_outcome(struct gate *g, const struct outcome *oc, const struct gate_facts *fa);
/* Nothing more is sent after the request that is out. */
void gate_stop(struct gate *g);

enum gate_state { GATE_WAITS = 0, GATE_OUT, GATE_ANSWERED, GATE_NOT_SENT };

struct gate_item {
	const char *topic;
	uint8_t state;                  /* enum gate_state */
	uint8_t code;                   /* enum outcome_code, once answered or not sent */
	int16_t kafka_error;
	char *text;                     /* NULL: none */
	bool is_told;                   /* in the journal */
};

/* Of the command under way, or else of the last one. */
struct gate_progress {
	uint64_t id;                    /* 0: there was none */
	bool is_running, is_stopping;
	enum command_kind kind;
	size_t n, n_out, n_taken, n_refused, n_unknown, n_waiting;
	const struct gate_item *items;  /* [n], by topic */
	const char *stopped;            /* why nothing more is sent; NULL: it goes on, or all was sent */
};
struct gate_progress gate_progress(const struct gate *g);

/* What an operator must be told: how it ended, and at once when the journal can't be written. False: nothing. */
bool gate_take_message(struct gate *g, char *out, size_t size, bool *is_bad);

#endif
