/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What brokers said before a deletion (core/appraisal), as a line for writes and one for consumer groups: "writes: asking again in 7 s",
 * "groups: billing, audit (looked at 12 of 12)". They take the place of the findings that say the same.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_APPRAISAL_TEXT_H
#define VIEW_APPRAISAL_TEXT_H

#include <stdbool.h>

#include "base/units.h"

struct appraisal;
struct finding;
struct strbuf;

/* True: it is a warning. `now` is on the clock of writes_again. `out` is appended to. */
bool appraisal_text_writes(const struct appraisal *ap, mono_ms now, struct strbuf *out);
bool appraisal_text_groups(const struct appraisal *ap, struct strbuf *out);
/* The lines say what it says. */
bool appraisal_text_covers(const struct appraisal *ap, const struct finding *fi);

#endif
