/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate of this program on a cluster: with the journal of this user on this host, and the session's write port where it has one. A
 * session without it has a gate, too, which refuses and writes that down.
 * Thread: UI thread.
 */
#ifndef APP_OPERATE_H
#define APP_OPERATE_H

#include "app/gate.h"

struct err;
struct operate;
struct options;
struct session;

/* Borrows both until operate_free. NULL: there is no place for the journal, so that nothing can be changed. */
struct operate *operate_new(const struct options *opt, struct session *ss, struct err *err) __attribute__((warn_unused_result));
/* Before the session: what was not sent is written down so. */
void operate_free(struct operate **pp, const struct gate_facts *fa);
struct gate *operate_gate(const struct operate *op);
/* gate_journal_recall by that journal, without a gate. */
bool operate_recall(const char *cluster_id, struct command *cm, struct err *err) __attribute__((warn_unused_result));

#endif
