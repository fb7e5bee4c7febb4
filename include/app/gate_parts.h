/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of app/gate share, and nobody else. */
#ifndef APP_GATE_PARTS_H
#define APP_GATE_PARTS_H

#include "app/gate.h"
#include "base/str.h"
#include "core/appraisal.h"

/* Request time-out of DeleteTopics: it is answered as soon as the topics leave the controller's cache, in well under a second. */
enum { GATE_TIMEOUT_MS = 15000 };

struct waiting {
	struct command *cm;             /* NULL: none waits */
	struct appraisal ap;            /* deep copy */
	bool is_appraised;
	struct strbuf effect, difference;
	char *first, *second;
	uint64_t token;
	struct gate_pending shown;
};

struct run {
	uint64_t id;                    /* 0: there was none */
	struct command *cm;             /* with the topics that are to be sent alone */
	struct gate_item *items;        /* [n]; of COMMAND_MOVE_CONTROLLER one with topic "" */
	size_t n, n_sent;               /* n_sent: handed to the write port */
	bool is_running, is_stopping;
	char stopped[GATE_TEXT_MAX];    /* why; "" not */
};

struct gate {
	uint32_t magic;
	struct gate_options opt;
	struct findings findings;       /* of the last check */
	struct waiting wait;
	struct run run;
	uint64_t last_id, last_token;
	char message[GATE_TEXT_MAX];
	bool is_bad;
};

/* gate_records.c */
uint64_t gate_new_id(struct gate *g, wall_ms now);
/* All but items and findings. `id` is that of the command. */
struct record *gate_record(const struct gate *g, int phase, uint64_t id, const struct command *cm, const struct gate_facts *fa);
/* One item, the i-th of the command; room for all of them is made with the first. */
struct record_item *gate_record_item(struct record *re, const struct command *cm, size_t i);
void gate_record_topics(struct record *re, const struct command *cm);
void gate_record_findings(struct record *re, const struct findings *fs);
/* Takes `re`. */
bool gate_write(struct gate *g, struct record *re, struct err *err) __attribute__((warn_unused_result));
/* What the journal has of its topics; fills in `asked`. False: it can't be read; or, of a command that puts markers, Kafka refused to delete one of the
 * topics, or may still be about to, and a marker would go around that. */
bool gate_look_back(const struct gate *g, struct command *cm, const struct gate_facts *fa, struct err *err) __attribute__((warn_unused_result));

/* gate_run.c */
void run_begin(struct run *ru, uint64_t id, const struct command *cm, const struct findings *fs);
void run_fini(struct run *ru);
size_t run_count(const struct run *ru, enum gate_state st);
void run_settle(struct gate_item *it, enum gate_state st, int code, int16_t kafka_error, const char *text);
void run_stop(struct run *ru, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Marks what waits as not sent, and why. */
void run_leave_rest(struct run *ru);
/* What came of the request that is out. False: it is not of this run. */
bool run_take(struct run *ru, const struct outcome *oc);
/* Records all that is settled and not yet told. */
struct record *run_untold(struct gate *g, int32_t broker, const struct gate_facts *fa);
/* Looks again at the next `max` topics that wait: those that may not be sent are settled. How many of them still wait, and may be sent;
 * where nothing may, run_stop was called. */
size_t run_look_again(struct gate *g, size_t max, const struct gate_facts *fa);

#endif
