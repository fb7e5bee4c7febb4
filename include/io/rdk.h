/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What librdkafka is for: end offsets, asked twice, and consumer groups with their committed offsets. It has both, with every way to log in; what
 * else is asked of brokers is io/kclient's.
 *
 * An inquiry is about topics that are to be deleted. It runs by itself in a thread of its own:
 *   end offsets of all partitions given, and again times.apart_ms later: topics whose offset went up are written to
 *   consumer groups of all brokers, then the committed offsets of each, at most RDK_IN_FLIGHT at a time, for times.groups_ms in all
 * and tells how far it is by EV_APPRAISAL; the last one has nothing pending. Whatever can't be found out is told with why, as a phrase; that
 * never holds a secret. It is over after times.total_ms, and a second to end.
 *
 * Why a thread: librdkafka has no call for end offsets in 2.0.2 but one that waits (rd_kafka_offsets_for_times; ListOffsets came in 2.3), and making and
 * ending a handle waits, too.
 *
 * Always a consumer's handle without a group: it joins none, commits nothing and makes no topic by asking (allow.auto.create.topics=false).
 * A group's coordinator is only looked for where there is __consumer_offsets, for brokers make that topic when they are asked.
 * A user without rights sees fewer groups and no error (KafkaApis.handleListGroupsRequest, from 2.1 on): so one group that nobody has is
 * asked for, too, and a refusal tells.
 *
 * librdkafka can't do all that io/kclient can: a delegation token, a keytab or a ticket cache of one's own, TLS 1.3 alone. Then both are not
 * known, and why says that.
 *
 * Thread: UI thread, or any one at a time; nothing here waits, but rdk_are_over. librdkafka's own threads run none of our code but the one that logs.
 */
#ifndef IO_RDK_H
#define IO_RDK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct client_config;
struct err;
struct evq;
struct kclient_address;
struct rdk;

enum { RDK_IN_FLIGHT = 10, RDK_RUNNING_MAX = 4 };

struct rdk_topic {
	const char *name;
	const int32_t *partitions; /* [n]: those that have a leader; nobody can write to others */
	size_t n;
};

struct rdk_times {
	dur_ms apart_ms;         /* from the first question for end offsets to the second */
	dur_ms ask_ms;           /* for each of them */
	dur_ms groups_ms;        /* for groups in all */
	dur_ms total_ms;         /* for everything */
};
extern const struct rdk_times rdk_times_usual; /* 10 s apart, at most 12 s */

struct rdk_options {
	uint64_t id;             /* given back with each event */
	const struct client_config *config;
	const struct kclient_address *servers; /* to begin with; there is one at least */
	size_t n_servers;
	const char *client_id;
	const struct rdk_topic *topics;
	size_t n_topics;
	bool has_offsets;        /* there is a topic __consumer_offsets; else no group has any */
	const struct rdk_times *times; /* NULL: rdk_times_usual */
};

/* Begins; copies all. NULL (ERR_IO, ERR_LIMIT) without a thread, or while too many end. */
struct rdk *rdk_begin(const struct rdk_options *opt, struct evq *q, struct err *err) __attribute__((warn_unused_result));
/* Nothing is pushed after that. Its thread ends by itself. *pp may be NULL. */
void rdk_end(struct rdk **pp);

/* Waits until no such thread is left, at most so long. */
bool rdk_are_over(dur_ms most_ms);
/* exit(3) for a program that asks so: what exit handlers take down is still in use while such a thread ends. Then it flushes what is written
 * and ends at once. */
void rdk_exit(int status) __attribute__((noreturn));

#endif
