/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a check found (core/command), for people: what is said of several topics in the same words stands once, with the first of their names; what waits
 * for the same brokers is summed: "Broker 3 is down and holds replicas of 60 of them, 92 replicas: they will wait until it registers. (a, b, c and 57 more)".
 * Thread: UI thread; pure.
 */
#ifndef VIEW_FINDING_TEXT_H
#define VIEW_FINDING_TEXT_H

#include <stddef.h>

struct finding;
struct strbuf;

enum { FINDING_NAMES = 3 };

struct finding_group {
	const struct finding *first;      /* borrowed, as the names are */
	size_t n;                         /* findings */
	size_t n_replicas;                /* of them all */
	const char *names[FINDING_NAMES]; /* of the first topics; none of the command as a whole */
	size_t n_names;
};

/* The groups of v[0..n), *n_groups of them, in the order of their first ones; mem_free() them, NULL for none. */
struct finding_group *finding_groups(const struct finding *v, size_t n, size_t *n_groups);
/* `out` is appended to. */
void finding_group_text(const struct finding_group *fg, struct strbuf *out);

#endif
