/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the event stream to a file and plays it back with its own clock.
 *
 * Format, JSON lines, version 1. The first line is the header:
 *   {"kafops_trace":1,"program":"kafops 0.1.0","started_at":"2026-...Z","zookeeper":"zk1:2181/kafka"}
 * then one line an event, "t" being milliseconds since started_at:
 *   {"t":12,"ev":"znode","epoch":1,"path":"/brokers/ids/3","rc":"ok","data":"{...}","stat":{...}}
 *   {"t":12,"ev":"children","epoch":1,"path":"/brokers/topics","rc":"ok","children":["a"],"stat":{...}}
 *   {"t":12,"ev":"conn","epoch":1,"state":"up","server":"zk1:2181",...}
 *   {"t":12,"ev":"progress","epoch":1,"done":10,"total":20}
 *   {"t":12,"ev":"loaded","epoch":1}
 *   {"t":12,"ev":"root","epoch":1,"rc":"absent","missing":"/kafka/a"}
 *   {"t":12,"ev":"answer","broker":1,"api":35,"version":4,"all":true,"body64":"..."}
 *   {"t":12,"ev":"link","broker":1,"state":"up","address":"kafka1:9093",...}
 *   {"t":12,"ev":"unanswered","broker":1,"what":"log dirs","rc":"failed","why":"..."}
 *   {"t":12,"ev":"asked","rc":"ok"}
 * rc is ok, absent, "no permission" or failed (the latter two with "why"). Times since the epoch and session ids
 * are as ZooKeeper has them; "last_answer_age" of a conn line is in ms before its "t", null when there was no answer.
 * Data or names that are not UTF-8 stand base64 as "data64" / "children64" (and "path64"). What is recorded is what was read, not what was made
 * of it: an old trace is decoded by today's decoders. Lines with an unknown "ev" are skipped.
 * Of the brokers: "answer" is a broker's answer (key and version of the API, its body behind the header; "all" says that Metadata was
 * asked for all topics), "link" the state of a connection, "unanswered" what was asked and could not be had ("what" is metadata, log dirs,
 * reassigning or settings), "asked" the end of the first round. "broker" is missing for a bootstrap server. Nothing of a login is ever there: only
 * these four APIs. An answer over TRACE_BODY_MAX_BYTES is an "unanswered" that says so.
 * Thread: UI thread.
 */
#ifndef IO_TRACE_H
#define IO_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

struct err;
struct event;

enum { TRACE_BODY_MAX_BYTES = 11 * 1024 * 1024 };

struct trace_writer;
/* Creates `path` (0600, must not exist) and writes the header. */
struct trace_writer *trace_create(const char *path, const char *zookeeper, wall_ms started_at, struct err *err) __attribute__((warn_unused_result));
/* False on a full disk and the like: the caller says so and closes; nothing is half a line but the last. */
bool trace_write(struct trace_writer *tw, const struct event *ev, struct err *err) __attribute__((warn_unused_result));
void trace_close(struct trace_writer **pp);

struct trace;
/* Reads the whole file. A torn last line is tolerated (trace_is_torn); any other bad line is an error with its number. */
struct trace *trace_open(const char *path, struct err *err) __attribute__((warn_unused_result));
void trace_free(struct trace **pp);
bool trace_is_torn(const struct trace *tr);
const char *trace_zookeeper(const struct trace *tr);
wall_ms trace_started_at(const struct trace *tr);
size_t trace_count(const struct trace *tr);
dur_ms trace_length(const struct trace *tr);          /* time of the last event */
dur_ms trace_time(const struct trace *tr, size_t i);  /* of event i, non-decreasing */
/* A fresh event, the caller's, with times on the trace's clock: seen_wall = started_at + t, seen = 1 + t. */
struct event *trace_event(const struct trace *tr, size_t i);

#endif
