/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one error struct: a code to decide by and a bounded sentence for people.
 *
 * A function that can fail returns bool, takes `struct err *` last and fills it
 * only on failure; the first failure wins. Callers wrap outward with what they
 * were doing, so that the text reads from the outside in:
 *   "read /brokers/ids/3: bad JSON at line 1 column 7: ..."
 * Thread: any; an err belongs to its caller.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum { ERR_TEXT_MAX = 256 };

enum err_code {
	ERR_NONE = 0,
	ERR_USAGE,        /* the command line or a value typed is off */
	ERR_FORMAT,       /* bytes from outside that do not read as they should */
	ERR_LIMIT,        /* bytes from outside over a named bound */
	ERR_NOT_FOUND,
	ERR_IO,           /* a file or descriptor of this machine */
	ERR_NET,          /* a peer: unreachable, refused, cut off */
	ERR_TIMEOUT,
	ERR_REFUSED,      /* we may not, or the peer says we may not */
	ERR_UNSUPPORTED
};

struct err {
	enum err_code code;
	char text[ERR_TEXT_MAX]; /* NUL-terminated, printable (base/utf8), cut with "..." when too long */
};

void err_init(struct err *err);

/* Sets code and text unless `err` is already set. Always returns false, so that
 * `return err_set(err, ...)` reads well. `err` may be NULL. */
bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "<what>: " before the text of an err that is set. Always returns false. `err` may be NULL. */
bool err_wrap(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
