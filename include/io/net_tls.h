/* SPDX-License-Identifier: Apache-2.0 */
/* The TLS of one connection, for io/net alone: the same calls as on a socket, none of which waits. */
#ifndef IO_NET_TLS_H
#define IO_NET_TLS_H

#include <stddef.h>

struct err;
struct net_session;
struct net_tls;

enum net_io {
	NET_IO_DONE,
	NET_IO_WANTS_IN,  /* again when the socket is readable */
	NET_IO_WANTS_OUT,
	NET_IO_CLOSED,    /* by the peer */
	NET_IO_FAILED     /* see err; without "host:port" */
};

/* `fd` stays the caller's. NULL only for a host that can be no name in a certificate. */
struct net_session *net_session_new(struct net_tls *tls, const char *host, int fd, struct err *err) __attribute__((warn_unused_result));
void net_session_free(struct net_session **pp); /* says good-bye if it can; *pp may be NULL */

enum net_io net_session_handshake(struct net_session *ns, struct err *err) __attribute__((warn_unused_result));
enum net_io net_session_read(struct net_session *ns, void *buf, size_t size, size_t *n, struct err *err)
	__attribute__((warn_unused_result));
enum net_io net_session_write(struct net_session *ns, const void *bytes, size_t size, size_t *n, struct err *err)
	__attribute__((warn_unused_result));

/* Sockets, for both sides of the border: recv(2) and send(2) as net_io, errno in *sys_errno on NET_IO_FAILED. */
enum net_io net_socket_read(int fd, void *buf, size_t size, size_t *n, int *sys_errno);
enum net_io net_socket_write(int fd, const void *bytes, size_t size, size_t *n, int *sys_errno);
/* Always NET_IO_FAILED. */
enum net_io net_socket_error(int sys_errno, struct err *err);

#endif
