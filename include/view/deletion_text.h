/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What view models say of a deletion beyond its fields (core/deletion). Texts live in `ar`, or are static; names of topics and dirs come from outside.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_DELETION_TEXT_H
#define VIEW_DELETION_TEXT_H

#include "base/units.h"
#include "core/deletion.h"
#include "view/table.h"

struct arena;
struct strbuf;

/* "3 wait, 1 runs" behind `lead`, of those that are not ended; nothing when there are none. */
void deletion_put_counts(struct strbuf *sb, const char *lead, const size_t by_state[DELETION_STATES]);
/* At most 9 columns: "resurrected" is too long for a list. */
const char *deletion_state_short(const struct deletion *dl);
enum cell_style deletion_state_style(const struct deletion *dl);
/* "gone", "refused": what goes before the text below, of one that is over. */
const char *deletion_end_word(enum deletion_state st);
/* Why it stands where it does, for a list: what blocks it; at the end when, and what became of the space. "" when it goes on. Never NULL. */
const char *deletion_why_text(const struct deletion *dl, wall_ms now, struct arena *ar);
/* "Offline, waits", "Successful", "?": of a replica, as short as can be; `?` behind it where its phase is not certain. */
const char *deletion_replica_text(const struct deletion_replica *re, struct arena *ar);
enum cell_style deletion_replica_style(const struct deletion_replica *re);
/* "certain", "likely", "guess"; "not known" for none. */
const char *deletion_certainty_text(uint8_t certainty);

#endif
