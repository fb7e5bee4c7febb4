/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One decoded answer of a broker becomes one event; and the settings that are asked for.
 *
 *   Metadata                    EV_METADATA, sorted
 *   DescribeLogDirs             EV_DISKS
 *   ListPartitionReassignments  EV_REASSIGNING, sorted
 *   DescribeConfigs             EV_BROKER_SETTINGS, those of kanswer_settings that have a value, sorted
 * Where the broker refuses, the event is unreadable and its `why` says which permission is missing and what works without it.
 * Thread: any (pure, static tables).
 */
#ifndef IO_KANSWER_H
#define IO_KANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "wire/api.h"

struct err;
struct event;
struct wire_reader;

/* What a broker is asked for by DescribeConfigs. */
extern const char *const kanswer_settings[];
extern const size_t kanswer_n_settings;

struct kanswer {
	enum wire_api api;       /* one that kanswer_takes */
	int16_t version;         /* one that we speak */
	int32_t broker;          /* who answered; BROKER_NONE for a bootstrap server */
	bool is_all;             /* Metadata: all topics were asked for */
	struct wire_reader *rd;  /* stands on the body */
	mono_ms seen;
	wall_ms seen_wall;
};

/* For how long the broker wants to hear nothing more from us, by the answer's beginning (`rd` is left where it stands); 0 of versions
 * whose answer it held back itself for so long (KIP-219, shouldClientThrottle in Kafka's responses). Before kanswer_event. */
dur_ms kanswer_throttle(const struct kanswer *an);
bool kanswer_takes(enum wire_api api);
/* The kind of event (enum event_kind) that its answers give. */
int kanswer_kind(enum wire_api api);
/* NULL with `err`: the body is broken (ERR_FORMAT, ERR_LIMIT); or ERR_NOT_FOUND, of ListPartitionReassignments alone: another broker is the controller. */
struct event *kanswer_event(const struct kanswer *an, struct err *err) __attribute__((warn_unused_result));
/* A broker that does not offer what it is asked: of reassignments absent (before Kafka 2.4 there is no such question), else unreadable. */
struct event *kanswer_unsupported(enum wire_api api, int32_t broker, const char *why, mono_ms seen, wall_ms wall);

#endif
