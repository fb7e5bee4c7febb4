/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value of sasl.jaas.config: one login module, its flag, its options, a
 * semicolon. Read as Kafka reads it (org.apache.kafka.common.security.JaasConfig
 * over java.io.StreamTokenizer): words of letters, digits and . _ - $, quotes of
 * either kind with the escapes of C, and the comments of C and C++.
 *   org.apache.kafka.common.security.scram.ScramLoginModule required
 *       username="ops" password="...";
 * Refused though Kafka takes it: an option without a name, a NUL.
 *
 * Every option value is a secret. No error quotes the input, for where a quote
 * is missing anything may be part of a password: errors say at which character
 * (from 1) of the value something is missing, and what.
 * Thread: any (pure).
 */
#ifndef CORE_JAAS_H
#define CORE_JAAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/secret.h"

struct err;
struct strbuf;

enum { JAAS_INPUT_MAX_BYTES = 64 * 1024, JAAS_OPTIONS_MAX = 64 };

enum jaas_flag { JAAS_REQUIRED, JAAS_REQUISITE, JAAS_SUFFICIENT, JAAS_OPTIONAL };

struct jaas_option {
	char *name;
	struct secret value; /* always set */
};

struct jaas {
	char *module;          /* the class name as written; NULL only in a zeroed struct */
	enum jaas_flag flag;
	struct jaas_option *v; /* in order; of the same name the last one stands, at the place of the first */
	size_t n;
};

/* Reads `s`, UTF-8. ERR_FORMAT, ERR_LIMIT. On failure `out` is zeroed. */
bool jaas_read(const char *s, struct jaas *out, struct err *err) __attribute__((warn_unused_result));
void jaas_fini(struct jaas *ja);

/* NULL when there is no such option. Borrowed. */
const struct secret *jaas_find(const struct jaas *ja, const char *name);
/* Is the class's own name `name`, in whatever package (vendors move Kafka's classes to theirs)? */
bool jaas_module_is(const struct jaas *ja, const char *name);
/* "required" ... Static storage. */
const char *jaas_flag_name(enum jaas_flag flag);

/* Appends it as it may be shown: values as *** but for options that are known to hold nothing secret
 * (username, principal, keyTab ...); of an option that isn't known, the name too. */
void jaas_put_masked(struct strbuf *out, const struct jaas *ja);

#endif
