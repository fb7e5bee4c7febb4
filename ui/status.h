/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of the frame's first three lines: cluster, connection, mode, clock; where one is; what must be known.
 * Texts only, from a const cluster; ui/frame paints them.
 * Thread: UI thread; pure.
 */
#ifndef UI_STATUS_H
#define UI_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct cluster;
struct deletions;
struct policy;
struct session;

enum { STATUS_TEXT_MAX = 256, STATUS_WORD_MAX = 64, STATUS_LINES_MAX = 8 };

enum status_mood { STATUS_GOOD, STATUS_BUSY, STATUS_BAD };

/* "connecting", "reading 43 %", "live 2 ms", "STALE 14 s": the age counts from the last answer. */
enum status_mood status_conn(const struct cluster *cl, mono_ms now, char out[STATUS_WORD_MAX]);
/* "9lkx3A": the first six characters of the cluster's id; "?" while unknown, "-" when there is none. */
void status_cluster(const struct cluster *cl, char out[STATUS_WORD_MAX]);
/* What the cluster is called: the profile, else as status_cluster; and a short form of it. */
void status_name(const struct cluster *cl, const struct policy *po, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX]);
/* "OPERATE" where the cluster may be changed: it is allowed, and the cluster has the id that the profile expects. Else "READ-ONLY". */
bool status_operates(const struct cluster *cl, const struct policy *po);
const char *status_mode(const struct cluster *cl, const struct policy *po);
/* The cluster is not the one that the profile is for, or that can't be known. Goes before status_banner. */
bool status_other_cluster(const struct cluster *cl, const struct policy *po, char out[STATUS_TEXT_MAX]);
/* "3/3 brokers", "?/? brokers". */
enum status_mood status_brokers(const struct cluster *cl, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX]);
/* "ctrl 1 e5", "ctrl - e5", "ctrl ?". */
enum status_mood status_controller(const struct cluster *cl, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX]);

/* Something is wrong that the view of that name (line 2) tells more of: it is marked. */
bool status_needs_look(const struct cluster *cl, const struct deletions *ds, const char *view);

/* What must be known, worst first; false when nothing must. */
bool status_banner(const struct cluster *cl, mono_ms now, wall_ms now_wall, char out[STATUS_TEXT_MAX]);

/* What must be known of the brokers' side: they don't answer, since when and why, or they are of another cluster. It stands in the line
 * of messages while there is no other, for it may stay so and must not cover what is wrong with the cluster. False: nothing. */
bool status_broker_side(const struct cluster *cl, mono_ms now, wall_ms now_wall, char out[STATUS_TEXT_MAX]);

/* While there is nothing to show yet: which servers are tried, how often, the last error, what to look at. Returns the
 * number of lines; 0 when there is something to show. */
size_t status_nothing(const struct cluster *cl, const char *zookeeper, char lines[STATUS_LINES_MAX][STATUS_TEXT_MAX]);

/* "REPLAY 12s of 1m20s, stopped", and in brief "REPLAY 12s, stopped"; false when it is none. */
bool status_replay(const struct session *ss, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX]);

#endif
