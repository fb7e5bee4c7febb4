/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passwords, keys and tokens: bytes that are wiped when they are let go and
 * that have no text form but "***".
 *
 * A secret never stands in an err, a log line, a trace or on the screen: there
 * is no function that formats one, and secret_reveal is the one way to its
 * bytes, so that every place that reads one is found by that name. It grows
 * without leaving a copy behind; what is copied out of it is wiped by who
 * copied.
 * Thread: any; a secret belongs to its owner.
 */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

struct secret {
	char *bytes;  /* NULL when nothing was ever set; else n bytes and a NUL */
	size_t n;
	size_t cap;
};

void secret_init(struct secret *sc);
/* Wipes and frees; `sc` is as after init. */
void secret_fini(struct secret *sc);
/* Replaces what was there, which is wiped. An empty secret is not the same as none. */
void secret_set(struct secret *sc, const char *s);
void secret_setn(struct secret *sc, const void *bytes, size_t n);
void secret_putn(struct secret *sc, const void *bytes, size_t n);
void secret_putc(struct secret *sc, char c);
/* Hands the bytes over to `to`, whose own are wiped; `from` is as after init. */
void secret_move(struct secret *to, struct secret *from);

/* Was it ever set, be it to nothing? */
bool secret_is_set(const struct secret *sc);
/* The bytes, NUL-terminated; "" when not set. Borrowed until the next change. */
const char *secret_reveal(const struct secret *sc);
/* "***", or "" when it is not set or empty. Static storage. */
const char *secret_text(const struct secret *sc);

/* Wipes s[0..strlen(s)), frees, nulls. *pp may be NULL. For heap strings that may hold a secret. */
void secret_free_text(char **pp);

#endif
