/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose Kerberos credentials a login by GSSAPI takes, for io/sasl alone.
 *
 * As Krb5LoginModule has it: of a keytab the ticket of the named principal, wherever in the keytab that stands; else a ticket
 * that is there, in the named cache or in Kerberos's own, of the named principal if there is a name. Tickets from a
 * keytab are kept in this process's memory: neither taken from the operator's cache nor put there.
 * Thread: any. Taking a keytab's ticket waits for the KDC, up to Kerberos's own patience (some 10 s for each that is dead).
 */
#ifndef IO_SASL_KERBEROS_H
#define IO_SASL_KERBEROS_H

#include <stdbool.h>

struct client_login;
struct err;

/* *cred is a gss_cred_id_t. ERR_REFUSED with a sentence that names the setting; ERR_NET when no KDC answers. */
bool sasl_kerberos_take(const struct client_login *how, void **cred, struct err *err) __attribute__((warn_unused_result));
void sasl_kerberos_free(void **cred); /* NULL is fine */

/* Always false: what Cyrus's plug-in says (sasl_errdetail) of a step that failed, as a sentence. `host` is the broker's. */
bool sasl_kerberos_fails(const struct client_login *how, const char *host, const char *detail, struct err *err);

#endif
