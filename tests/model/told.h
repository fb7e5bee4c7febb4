/* SPDX-License-Identifier: Apache-2.0 */
/* What core/truths tells, looked at and compared with the lines of a script (tests/model/README). */
#ifndef TESTS_TOLD_H
#define TESTS_TOLD_H

#include <stdbool.h>

#include "base/str.h"
#include "core/truths.h"

struct told;

struct told *told_new(void);
void told_free(struct told **pp);
void told_look(struct told *to, const struct cluster *cl, const struct changes *ch, mono_ms mono, wall_ms now);
/* Whether an expectation that begins with these words is about truths. */
bool told_is_ours(const char *verb, const char *next);
/* `rest`: what stands behind the verb. `wrong` gets what is. */
void told_expect(struct told *to, const char *verb, const char *rest, struct strbuf *wrong);

#endif
