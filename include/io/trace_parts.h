/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of io/trace share. Nobody else includes this. */
#ifndef IO_TRACE_PARTS_H
#define IO_TRACE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/units.h"

struct err;
struct event;

/* ---- trace ---- */
/* The index of the word under `key` among `words`. */
bool trace_need_word(const json_t *obj, const char *key, const char *const *words, size_t n, size_t *out, struct err *err)
	__attribute__((warn_unused_result));

/* ---- trace_brokers ---- */
/* The word under "ev" for an event of the brokers; NULL for another one. */
const char *trace_brokers_kind(const struct event *ev);
/* Puts all but "t" and "ev". */
void trace_brokers_put(json_t *obj, const struct event *ev);
/* NULL with `err` for a bad line, NULL without for a kind (or an API) that is not known. */
struct event *trace_brokers_read(const char *kind, const json_t *obj, mono_ms seen, wall_ms wall, struct err *err);

#endif
