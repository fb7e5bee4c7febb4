/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ZooKeeper connect strings, as Kafka's own tools take them:
 * host[:port],host[:port][/chroot]. The chroot stands once, at the end.
 * IPv6 hosts in brackets. No port is 2181.
 * Thread: any (pure).
 */
#ifndef CORE_ZKCONNECT_H
#define CORE_ZKCONNECT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/servers.h"

struct err;

enum { ZKCONNECT_PORT_DEFAULT = 2181, ZKCONNECT_SERVERS_MAX = SERVERS_MAX, ZKCONNECT_HOST_MAX = SERVER_HOST_MAX, ZKCONNECT_CHROOT_MAX = 512 };

struct zkconnect {
	struct zkserver servers[ZKCONNECT_SERVERS_MAX];
	size_t n_servers;
	char chroot[ZKCONNECT_CHROOT_MAX]; /* "" or "/kafka", never a trailing slash */
};

/* Blanks round the string and round each server are dropped (a line end too). Errors say what is wrong and
 * show the right form. */
bool zkconnect_parse(const char *s, struct zkconnect *out, struct err *err) __attribute__((warn_unused_result));

#endif
