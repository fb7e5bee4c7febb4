/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The beginning of a login, up to our first token, without its caller waiting: GSSAPI asks a KDC for tickets, and the command or
 * the file for the token of OAUTHBEARER may take its time. Where nothing has to be waited for, it is done at once.
 *
 * Each login that waits has a thread, which ends by itself, also when nobody wants the login any more. GSSAPI's go one after
 * the other, for they share a cache of tickets: the first fetches the ticket for tickets, the others find it. Who has been
 * let go of meanwhile does not ask a dead KDC.
 * Thread: one at a time for a sasl_first.
 */
#ifndef IO_SASL_FIRST_H
#define IO_SASL_FIRST_H

#include <stdbool.h>

#include "base/units.h"

struct client_login;
struct err;
struct sasl_first;
struct sasl_login;
struct secret;

/* As sasl_login_new; all is copied. NULL (ERR_IO) only when there is no descriptor or thread left, or too many wait. */
struct sasl_first *sasl_first_begin(const struct client_login *how, const char *host, wall_ms now, struct err *err)
	__attribute__((warn_unused_result));
/* Lets go of it, done or not; *pp may be NULL. */
void sasl_first_end(struct sasl_first **pp);

bool sasl_first_is_done(struct sasl_first *sf);
/* Readable when it is done; -1 when it was from the start. */
int sasl_first_fd(const struct sasl_first *sf);
/* When done, once: hands over the login and the token; *is_last as *is_done of sasl_login_step. */
bool sasl_first_take(struct sasl_first *sf, struct sasl_login **login, struct secret *token, bool *is_last, struct err *err)
	__attribute__((warn_unused_result));
/* Always false: ERR_TIMEOUT, with what has not come within `waited_ms`. */
bool sasl_first_fails_late(const struct sasl_first *sf, dur_ms waited_ms, struct err *err);

/* exit(3) for a program that logs in: Kerberos's libraries are taken down there, under the feet of a thread that still waits for a
 * KDC. With such a thread it flushes what is written and ends at once. */
void sasl_first_exit(int status) __attribute__((noreturn));

#endif
