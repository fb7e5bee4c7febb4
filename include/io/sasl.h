/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logging in by SASL, bytes in, bytes out: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 and
 * GSSAPI by Cyrus SASL (whose ticket: io/sasl_kerberos), OAUTHBEARER by hand (RFC 7628; it is one message).
 *
 * The authorization id is always empty: one acts as who one is. There is no security
 * layer: Kafka has none (SaslServerAuthenticator). SCRAM and GSSAPI prove the broker, too: a login is done
 * only when its proof was seen. The passwords that pass through Cyrus are wiped by the
 * allocator that it is given.
 *
 * Errors never hold a secret. ERR_REFUSED (a wrong proof, no ticket), ERR_NET (no KDC), ERR_UNSUPPORTED (no such
 * plug-in, a delegation token, which Cyrus can't say), what the token's file or command gives.
 * Thread: any, one at a time for a login. sasl_login_new and the first step may wait for a KDC or for the command that gives the
 * token, up to some 10 s: io/sasl_first is for who must not.
 */
#ifndef IO_SASL_H
#define IO_SASL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

struct client_login;
struct err;
struct sasl_login;
struct secret;

enum { SASL_JWT_MAX_BYTES = 64 * 1024, SASL_COMMAND_WAIT_MS = 10000 };

/* `how` is copied. `host` is the broker's name, as GSSAPI needs it. `now` goes into a token that nobody
 * signs. The command for a token may take SASL_COMMAND_WAIT_MS, and a little to end. */
struct sasl_login *sasl_login_new(const struct client_login *how, const char *host, wall_ms now, struct err *err)
	__attribute__((warn_unused_result));
void sasl_login_free(struct sasl_login **pp);

/* Takes what the broker said (NULL at first), gives in `out` what to say next. With *is_done nothing is awaited but that the broker
 * agrees; then `out` may be empty, and if it is and the broker has spoken, nothing is to be sent. */
bool sasl_login_step(struct sasl_login *sl, const void *in, size_t n, struct secret *out, bool *is_done, struct err *err)
	__attribute__((warn_unused_result));

/* The token of OAUTHBEARER, from the file, the command or the subject in the settings. */
bool sasl_token_get(const struct client_login *how, wall_ms now, struct secret *out, struct err *err) __attribute__((warn_unused_result));

#endif
