/* SPDX-License-Identifier: Apache-2.0 */
#include "core/policy.h"

#include "base/err.h"
#include "base/mem.h"
#include "core/pattern.h"

void policy_init(struct policy *po)
{
	*po = (struct policy){
		.many_topics = POLICY_MANY_TOPICS, .many_percent = POLICY_MANY_PERCENT, .group_topics = POLICY_GROUP_TOPICS,
	};
}

void policy_fini(struct policy *po)
{
	for (size_t i = 0; i < po->n_protected; i++)
		pattern_free(&po->protected_topics[i]);
	mem_free(&po->protected_topics);
	mem_free(&po->profile);
	mem_free(&po->expected_cluster_id);
	*po = (struct policy){ .profile = NULL };
}

bool policy_protects(const struct policy *po, const char *topic)
{
	struct err why;

	err_init(&why);
	for (size_t i = 0; i < po->n_protected; i++)
		if (pattern_test(po->protected_topics[i], topic, &why) != PATTERN_NO)
			return true;
	return false;
}
