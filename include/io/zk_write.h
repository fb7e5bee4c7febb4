/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The few changes that kafops makes in ZooKeeper itself, over the session of io/zk; there only in a zk that was made with may_write.
 * A parent is never created, and the data of a node never set.
 *
 * What came of each is one EV_OUTCOME, whatever happens, of one item; its broker is BROKER_NONE:
 *   nothing was changed, certainly     OUTCOME_REFUSED: no permission, no such parent, another controller by now, a read-only server,
 *                                      the session lost before the change itself was handed to the library
 *   the session lost, no answer        OUTCOME_UNKNOWN, never a second try
 * When the zk is freed, what waits is told as refused, what is out as unknown.
 *
 * Nothing here asks Kafka whether the user may: that is what the gate's rules are for.
 * Of the app only app/session includes this.
 * Thread: UI thread; nothing waits. The requests begin in io/zk's own thread and go on in the completion thread.
 */
#ifndef IO_ZK_WRITE_H
#define IO_ZK_WRITE_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct zk;

/* Creates /admin/delete_topics/<name> with null data, as brokers do, and with the access list of its parent, which is read first. A marker
 * that is there already is OUTCOME_DONE. False: no topic can have that name (ERR_USAGE), or there is no session (ERR_NET). */
bool zk_write_create_marker(struct zk *zk, uint64_t id, const char *name, struct err *err) __attribute__((warn_unused_result));

/* Deletes /controller if its czxid is this one, in one transaction with a check that nobody was elected since that was looked at: each election
 * writes /controller_epoch (KafkaZkClient.registerControllerAndIncrementControllerEpoch: in one transaction with /controller,
 * since Kafka 2.1). The item's name is "". False: no session. */
bool zk_write_move_controller(struct zk *zk, uint64_t id, int64_t czxid, struct err *err) __attribute__((warn_unused_result));

#endif
