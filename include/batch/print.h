/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items (JSON objects, keys in the order of design) as table, tsv, or JSON in
 * the envelope. Nothing is printed before the answer is whole.
 * Thread: UI thread.
 */
#ifndef BATCH_PRINT_H
#define BATCH_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "app/options.h"
#include "base/json.h"

struct err;

struct envelope {
	const char *command;
	const char *cluster_id;      /* NULL unknown */
	wall_ms taken_at;
	const char *zookeeper;       /* "live", "not asked", "failed: why" */
	const char *brokers;
	bool complete;
	json_t *warnings;            /* array of strings */
	json_t *items;               /* array of objects, all with the same fields */
	const char *const *fields;   /* their names, NULL-terminated: the header of a tsv */
};

/* The whole answer as one JSON object, as --output json prints it. */
json_t *envelope_json(const struct envelope *env);

/*
 * Columns of the table form: names of fields, in order, NULL-terminated; "field=TITLE" where the title is not the
 * field in capitals. tsv has every field.
 * Table: null is "-", an empty list or object blank, a number of a field that ends in _bytes has a unit. tsv: null is empty, an empty list or object "none". Lists join by
 * commas, objects as key=value (a value with commas in brackets, as kafka-configs takes it); objects within lists as
 * broker:state (table: their first two fields) or as JSON (tsv).
 * Errors: the output can't take it (closed, full): nothing more is tried.
 */
bool print_envelope(FILE *out, enum output form, const struct envelope *env, const char *const *table_fields, struct err *err) __attribute__((warn_unused_result));

/* Before something is done of which the answer would tell: whether the output takes anything. False: it is full, or a pipe that nobody reads. Nothing is
 * written; of a file on a disk that fills up until then this can't know. */
bool print_can(int fd, struct err *err) __attribute__((warn_unused_result));

#endif
