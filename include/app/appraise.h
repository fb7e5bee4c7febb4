/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked of brokers before topics are deleted (core/appraisal): begun when a deletion is looked at, told as far as it is, given up after a
 * while, and ended with what it is about. It never stands in the way of a deletion: what can't be asked is not known, and why.
 *
 * One at a time for a session.
 * Thread: UI thread; nothing here waits.
 */
#ifndef APP_APPRAISE_H
#define APP_APPRAISE_H

#include <stdbool.h>

#include "base/units.h"

struct appraisal;
struct appraise;
struct command;
struct session;

enum { APPRAISE_MOST_MS = 14000 };

/* Begins. `most_ms`: after so long what is still open is not known. NULL: there is nothing to be asked (a replay, a command about no topics). */
struct appraise *appraise_new(struct session *ss, const struct command *cm, dur_ms most_ms);
/* Before the session; *pp may be NULL. */
void appraise_free(struct appraise **pp);

/* As far as it is; borrowed until the next turn of the session. NULL: nobody asks. `ar` may be NULL in all of these. */
const struct appraisal *appraise_now(const struct appraise *ar);
bool appraise_is_over(const struct appraise *ar);
/* Something was told since the last appraise_take_news. */
bool appraise_has_news(const struct appraise *ar);
bool appraise_take_news(struct appraise *ar);
/* Gives up what takes too long. With each turn; now: session_mono. */
void appraise_turn(struct appraise *ar, mono_ms now);

#endif
