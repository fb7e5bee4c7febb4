/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What only brokers know of topics that are to be deleted: whether anything still writes to them, and which consumer groups have committed offsets
 * on them. Asked for by whoever prepares a deletion (app/appraise), looked at by core/command, copied freely: it grows while it is asked.
 * Thread: any (a value); an appraisal belongs to its owner.
 */
#ifndef CORE_APPRAISAL_H
#define CORE_APPRAISAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

/* End offsets that went up in so much time are writes. */
enum { APPRAISAL_APART_S = 10 };

/* {0}: nobody asked, and nothing is known. Of each half: being asked, known, or neither and why. */
struct appraisal {
	const char *const *active;  /* [n_active] topics that were written to in APPRAISAL_APART_S, sorted; some may be told although not all could be asked */
	size_t n_active;
	bool writes_pending;        /* it is being asked */
	bool writes_known;          /* of all of them */
	mono_ms writes_again;       /* pending: asked once, and again at this time; {0}: not asked yet, or for the second time just now */
	char *why_writes;           /* neither pending nor known: why, a phrase without a full stop; NULL */

	const char *const *groups;  /* [n_groups] with committed offsets on any of them, sorted; while it is pending there is none */
	size_t n_groups;
	size_t groups_seen, groups_total; /* looked at so many of so many */
	bool groups_pending;
	bool groups_known;
	char *why_groups;           /* not known: why. Known: why there may be more than those; NULL: there are no more */
};

/* `to` is overwritten. */
void appraisal_copy(const struct appraisal *from, struct appraisal *to);
void appraisal_fini(struct appraisal *ap);
/* Copies the name; only of an appraisal whose lists were made so. */
void appraisal_add_active(struct appraisal *ap, const char *topic);
void appraisal_add_group(struct appraisal *ap, const char *group);
/* The checks of a command find the same in both: only how far the asking is may differ. */
bool appraisal_says_same(const struct appraisal *a, const struct appraisal *b);
/* Every half that is pending is over, and not known for this reason (copied). */
void appraisal_give_up(struct appraisal *ap, const char *why);

#endif
