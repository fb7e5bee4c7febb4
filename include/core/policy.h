/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operator's profile allows and forbids: read from the configuration file (io/config) and the command line,
 * looked at by the checks of core/command.
 * Thread: any (read only once made).
 */
#ifndef CORE_POLICY_H
#define CORE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pattern;

enum { POLICY_MANY_TOPICS = 20, POLICY_MANY_PERCENT = 5, POLICY_GROUP_TOPICS = 20 };

struct policy {
	bool operate;                   /* the write port may be built: --operate, or the profile's `operate = yes` without --read-only */
	char *profile;                  /* its name; NULL: none */
	char *expected_cluster_id;      /* another one refuses to operate; NULL: any */
	struct pattern **protected_topics; /* [n_protected], as kafka-topics --topic reads them: never by pattern */
	size_t n_protected;
	bool internal_by_hand;          /* internal topics may be marked by hand */
	bool protected_by_hand;         /* protected ones, too */
	uint32_t many_topics;           /* above so many, or so many percent of the partitions, the cluster's name is asked for as well */
	uint32_t many_percent;
	uint32_t group_topics;          /* topics in one DeleteTopics request; the next group waits for its answer */
};

void policy_init(struct policy *po);   /* the defaults above: read only, nothing protected */
void policy_fini(struct policy *po);
/* A protected pattern takes the name, or giving up on it leaves that open: then it counts as protected. */
bool policy_protects(const struct policy *po, const char *topic);

#endif
