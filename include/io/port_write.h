/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The write port (core/port_write) over the session with ZooKeeper and the kafka thread. Of the app only app/session includes this,
 * and only when changes are allowed.
 * Thread: UI thread.
 */
#ifndef IO_PORT_WRITE_H
#define IO_PORT_WRITE_H

struct kclient;
struct port_write;
struct zk;

/* Both are borrowed until port_write_free, and made with may_write; either may be NULL: what goes through it can't be handed over. */
struct port_write *port_write_new(struct zk *zk, struct kclient *kc);
void port_write_free(struct port_write **pp);

#endif
