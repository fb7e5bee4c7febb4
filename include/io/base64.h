/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes as text and back: RFC 4648, with padding, without line ends. Not for secrets.
 * Thread: any (pure).
 */
#ifndef IO_BASE64_H
#define IO_BASE64_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

void base64_write(struct strbuf *out, const void *bytes, size_t n);
/* Appends what `s` stands for; false when it isn't base64, `out` then holds a part. */
bool base64_read(struct strbuf *out, const char *s) __attribute__((warn_unused_result));

#endif
