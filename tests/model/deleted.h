/* SPDX-License-Identifier: Apache-2.0 */
/* What core/deletion tells, compared with the lines of a script (tests/model/README). */
#ifndef TESTS_DELETED_H
#define TESTS_DELETED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/deletion.h"

struct strbuf;

/* True when the line, "expect deletion ..." or "expect deletions ..." in words, is one of these. What is wrong is put into `wrong`. `rest`: what stands
 * from the third word on. */
bool deleted_expect(const struct deletions *ds, char **words, size_t n, const char *rest, struct strbuf *wrong);

#endif
