/* SPDX-License-Identifier: Apache-2.0 */
/* What is expected of witnesses (core/witness.h), by the words of a script's line (tests/model/README). */
#ifndef TESTS_WATCHED_H
#define TESTS_WATCHED_H

#include <stdbool.h>
#include <stddef.h>

struct cluster;
struct strbuf;

/* True when the line, "expect ..." in words, is one of these. What is wrong is put into `wrong`. */
bool watched_expect(const struct cluster *cl, char **words, size_t n, struct strbuf *wrong);

#endif
