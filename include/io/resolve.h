/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolves the names of servers to addresses, each name in a thread of its own,
 * and waits for them only so long: getaddrinfo(3) can take half a minute when a
 * name server is dead, and what it waits for must not hold up the others.
 *
 * Thread: one at a time for a result. resolve_servers blocks its caller for a few seconds at most, the rest never.
 */
#ifndef IO_RESOLVE_H
#define IO_RESOLVE_H

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "core/zkconnect.h"

struct err;
struct resolve_lookup;

enum { RESOLVE_TEXT_MAX = 80, RESOLVE_ADDRS_MAX = 256 };

struct resolve_addr {
	struct sockaddr_storage sa;
	size_t server;               /* index among those asked for */
	char text[RESOLVE_TEXT_MAX]; /* "10.0.0.1:2181", "[::1]:2181" */
};

struct resolve_result {
	struct resolve_addr *v; /* in the order of the servers; each address once */
	size_t n;
	const char *why[ZKCONNECT_SERVERS_MAX]; /* by server: why it has no address, NULL when it has; static storage */
};

/* Until all names have an answer; or some have and a second has passed; or five seconds have; or *stop is set. */
void resolve_servers(const struct zkserver *servers, size_t n, const atomic_bool *stop, struct resolve_result *out);
void resolve_fini(struct resolve_result *res);

/* The same for one server without waiting: starts, and says by a descriptor that turns readable when the answer is there.
 * NULL (ERR_IO) when there is no descriptor left. An IP address has its answer at once. */
struct resolve_lookup *resolve_begin(const struct zkserver *server, struct err *err) __attribute__((warn_unused_result));
int resolve_fd(const struct resolve_lookup *lu);
/* False as long as there is none. `out` is for resolve_fini. */
bool resolve_take(struct resolve_lookup *lu, struct resolve_result *out) __attribute__((warn_unused_result));
/* Lets go of it, answered or not; nulls *pp, which may be NULL. */
void resolve_end(struct resolve_lookup **pp);

/* The address with this text, NULL when it is none of them. */
const struct resolve_addr *resolve_find(const struct resolve_result *res, const char *text);
/* The text of an address, as in resolve_addr.text. False for another kind of address. */
bool resolve_text(const struct sockaddr *sa, char out[RESOLVE_TEXT_MAX]) __attribute__((warn_unused_result));

#endif
