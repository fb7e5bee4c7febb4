/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines above an opened topic, from the topic as it is: name, partitions,
 * overrides; what is wrong, since when and for want of which broker, or that nothing is; what
 * endangers it; what can't be read and why; its identity. The first two are always there.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_TOPIC_HEAD_H
#define VIEW_TOPIC_HEAD_H

#include <stddef.h>

#include "base/units.h"
#include "view/table.h"
#include "view/vm_topic.h"

struct arena;
struct cluster;
struct topic;

struct topic_head {
	struct cell lines[VM_HEAD_LINES_MAX];
	size_t n;
	/* the rest is the head's own */
	struct arena *text;
	const struct cluster *cl;
	const char *name;
	wall_ms gone_since, again_since, now;
};

void topic_head_init(struct topic_head *th);
void topic_head_fini(struct topic_head *th);
/* Makes the lines anew. `tp` NULL: there is no such topic (`gone_since` {0}: there never was one while we looked).
 * `again_since`: another topic of the same name has taken its place; {0} otherwise. Borrows `cl` and `name` during the call only. */
void topic_head_set(struct topic_head *th, const struct cluster *cl, const struct topic *tp, const char *name,
	wall_ms gone_since, wall_ms again_since, wall_ms now);

#endif
