/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers as operators write them: host:port,host:port, IPv6 hosts in brackets, blanks round each dropped. For both
 * kinds: ZooKeeper's (core/zkconnect) and the brokers to begin with (bootstrap.servers of Kafka's clients, where the port
 * must be there). Errors (ERR_USAGE, ERR_LIMIT) say what is wrong and show the right form.
 * Thread: any (pure).
 */
#ifndef CORE_SERVERS_H
#define CORE_SERVERS_H

#include <stdbool.h>
#include <stddef.h>

struct err;

enum { SERVERS_MAX = 64, SERVER_HOST_MAX = 256 };

/* Of ZooKeeper or Kafka. */
struct zkserver {
	char host[SERVER_HOST_MAX]; /* without brackets */
	int port;
};

/* "host:port", brackets round IPv6; cut for want of room. */
void servers_text(const char *host, int port, char *out, size_t size);
void zkserver_text(const struct zkserver *srv, char *out, size_t size);

struct bootstrap {
	struct zkserver servers[SERVERS_MAX];
	size_t n; /* never 0 after bootstrap_parse */
};

/* Line ends may stand where blanks may. Of what Kafka takes, a scheme before a host is refused: security.protocol says that. */
bool bootstrap_parse(const char *s, struct bootstrap *out, struct err *err) __attribute__((warn_unused_result));

/* For core/zkconnect: how such a list looks, in errors, and the port where none is written. */
struct servers_form {
	const char *what;   /* "a connect string" */
	const char *text;   /* "host:port,host:port" */
	int port;           /* 0: it must be written */
	int usual_port;     /* for an example, where it must */
};
/* s[0..n_bytes) into v[SERVERS_MAX]. */
bool servers_read(const char *s, size_t n_bytes, const struct servers_form *form, struct zkserver *v, size_t *n, struct err *err)
	__attribute__((warn_unused_result));
/* No control bytes but those that are blanks. */
bool servers_check_bytes(const char *s, size_t n, struct err *err) __attribute__((warn_unused_result));

#endif
