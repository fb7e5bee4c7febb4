/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line of the journal as a struct, and its JSON (kafops-journal(5)). Every line has every field, in one order; what does not
 * apply is null. Names are hostile: the JSON is printable on any terminal.
 *
 *   intent   a command was allowed, checked and confirmed, and is about to be sent: written before anything leaves
 *   outcome  what came of some or all of its items, under the intent's id
 *   refused  a command was asked for and not sent; `text` says why
 *   note     something that belongs to an intent and was learnt later
 *
 * No secret is ever part of a record.
 * Thread: any; a record belongs to its owner.
 */
#ifndef CORE_RECORD_H
#define CORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/units.h"

struct err;
struct strbuf;

enum { RECORD_VERSION = 1, RECORD_ITEMS_MAX = 100000 };

enum record_phase { RECORD_INTENT = 0, RECORD_OUTCOME, RECORD_REFUSED, RECORD_NOTE, RECORD_PHASES };

/* Who sat at the keyboard, as far as the system tells. */
struct record_who {
	char *login;           /* by the login, which sudo leaves alone; else by the uid; NULL unknown */
	int64_t uid;           /* -1 unknown */
	char *host;            /* this machine's name */
	char *ssh_client;      /* address that the SSH connection came from; NULL: none */
	char *tty;             /* NULL: none */
	int64_t pid;
	char *version;         /* of the program: "kafops 0.1" */
};

enum { RECORD_NO_OUTCOME = -1 };

struct record_item {
	char *topic;           /* "" of a command that is about none */
	int64_t czxid;         /* 0 unknown */
	int64_t partitions, replicas, size_bytes; /* -1 unknown */
	int outcome;           /* enum outcome_code, or RECORD_NO_OUTCOME */
	int16_t kafka_error;   /* 0 none */
	char *text;            /* the sentence that came with the outcome; NULL: none */
};

struct record_finding {
	char *severity, *kind, *topic, *text; /* topic NULL: of the command as a whole */
};

struct record {
	uint64_t id;           /* one command's; 16 hexadecimal digits in JSON */
	wall_ms at;
	enum record_phase phase;
	struct record_who who;
	char *cluster_id;      /* NULL unknown */
	char *zookeeper;       /* servers and chroot as given; NULL: none */
	char *mode;            /* "operate" or "read-only" */
	char *command;         /* "delete-topics" */
	int danger;            /* enum danger */
	char *effect;          /* one line, as it was shown */
	char *pattern;         /* that chose the topics; NULL: none */
	struct record_item *items;
	size_t n_items;
	struct record_finding *findings;
	size_t n_findings;
	char *request;         /* what is sent, or was; NULL: nothing */
	char *way;             /* "api" or "znode"; NULL: none */
	int32_t broker;        /* of an outcome: who answered; of an intent: the controller then; BROKER_NONE: ZooKeeper, or nobody */
	int32_t controller_epoch; /* of an intent: then; -1 unknown, or none */
	char *text;            /* of a refusal or a note: why, what; NULL: none */
};

struct record *record_new(void);
struct record *record_copy(const struct record *re);
void record_free(struct record **pp);
void record_who_copy(struct record_who *to, const struct record_who *from);
void record_who_fini(struct record_who *who);

json_t *record_json(const struct record *re);                   /* new reference */
void record_write(const struct record *re, struct strbuf *out); /* appends it as one line, without the line's end */
/* Reads what record_write wrote, and lines of which fields are missing. False: it is none, or of a later version. */
bool record_read(const char *line, size_t n, struct record **out, struct err *err) __attribute__((warn_unused_result));

enum { RECORD_ID_MAX = 17 };
const char *record_id_text(char out[RECORD_ID_MAX], uint64_t id);
const char *record_phase_name(enum record_phase ph);
const char *record_outcome_name(int outcome);  /* "taken", "refused", "unknown"; NULL for none */
/* The names of the fields, in their order, NULL-terminated. */
extern const char *const record_fields[];

#endif
