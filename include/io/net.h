/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One TCP connection to a name and a port, with TLS or without, that never
 * blocks: name, addresses, handshake, bytes.
 *
 * There is no thread in it. The caller has one poll(2) over all it waits for:
 *   n = net_poll(nt, fds); poll(until net_deadline()); net_on_ready(nt, now)
 * until the state is NET_OPEN; from then on net_read and net_write, which take and give
 * what is possible without waiting, so each is called until it says 0.
 *
 * The addresses of a name are tried one after the other, the kinds in turn; a
 * further one joins in when the one before is refused or has said nothing for a
 * quarter of a second, and the first that answers is taken (RFC 8305).
 *
 * Errors are sticky, begin with "host:port: " and say what is wrong and which setting to
 * look at. ERR_TIMEOUT; ERR_NET for what may be better the next time; ERR_FORMAT for a peer that
 * speaks something else; ERR_REFUSED for certificates, ours or theirs, and what the TLS of either side won't have.
 * Thread: one at a time for a net. A net_tls can serve nets of one thread.
 */
#ifndef IO_NET_H
#define IO_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

struct client_tls;
struct err;
struct net;
struct net_tls;
struct pollfd;

enum { NET_FDS_MAX = 8, NET_NEXT_ADDRESS_MS = 250 };

enum net_state { NET_RESOLVING, NET_CONNECTING, NET_HANDSHAKING, NET_OPEN, NET_FAILED };

/* Opens stores and fixes the rules for many connections. `now` judges our own certificates. Trust may be a folder of certificates under
 * the names of openssl-rehash(1), too; with no trust at all it is this system's, and none there is ERR_NOT_FOUND. Of what OpenSSL refuses the
 * error names the setting. Versions below TLS 1.2 are of use only when they alone are enabled: then what OpenSSL forbids
 * with them (security level 0) is allowed, too. Cipher names that OpenSSL does not know are left out; with none left: ERR_UNSUPPORTED. */
struct net_tls *net_tls_new(const struct client_tls *from, wall_ms now, struct err *err) __attribute__((warn_unused_result));
void net_tls_free(struct net_tls **pp); /* after the nets that use it */
/* What is no error, sentence by sentence (io/stores: to be made printable); NULL behind the last. Borrowed. */
const char *net_tls_note(const struct net_tls *tls, size_t i);

/* Begins. `tls` NULL: plain; else borrowed. Until NET_OPEN it may take `timeout_ms`. What fails at once is told by net_on_ready, too. */
struct net *net_new(const char *host, int port, struct net_tls *tls, dur_ms timeout_ms, mono_ms now);
void net_free(struct net **pp);

enum net_state net_state(const struct net *nt);
/* "host:port", brackets round IPv6. */
const char *net_name(const struct net *nt);
/* What to wait for: fills fds[0..NET_FDS_MAX), returns how many. None after a failure. */
size_t net_poll(const struct net *nt, struct pollfd *fds);
/* When to call net_on_ready at the latest; {0}: only when a descriptor is ready. */
mono_ms net_deadline(const struct net *nt);
/* Goes as far as possible without waiting; to be called for no reason, too. False after a failure. */
bool net_on_ready(struct net *nt, mono_ms now, struct err *err) __attribute__((warn_unused_result));

/* In NET_OPEN. *n is 0 when nothing more is there for now. A connection that the peer closed is an error (net_is_closed). */
bool net_read(struct net *nt, void *buf, size_t size, size_t *n, struct err *err) __attribute__((warn_unused_result));
/* *n of `size` bytes were taken; 0 when none can be for now. */
bool net_write(struct net *nt, const void *bytes, size_t size, size_t *n, struct err *err) __attribute__((warn_unused_result));
/* Did it fail because the peer closed or reset the open connection? */
bool net_is_closed(const struct net *nt);

/* What speaks so, judged by the first bytes where Kafka's or TLS's were due: a sentence, NULL for no idea. Four bytes are enough. */
const char *net_who_speaks(const void *first, size_t n);

#endif
