/* SPDX-License-Identifier: Apache-2.0 */
#include "core/outcome.h"

#include "base/mem.h"
#include "core/ids.h"

/* By their numbers in org.apache.kafka.common.protocol.Errors. */
static const struct {
	int16_t error;
	uint8_t meaning;
} errors[] = {
	{ 3, OUTCOME_NOTHING_DONE },                                               /* UNKNOWN_TOPIC_OR_PARTITION */
	{ 17, OUTCOME_NOTHING_DONE },                                              /* INVALID_TOPIC_EXCEPTION */
	{ 29, OUTCOME_NOTHING_DONE | OUTCOME_IS_A_NO },                            /* TOPIC_AUTHORIZATION_FAILED */
	{ 31, OUTCOME_NOTHING_DONE | OUTCOME_IS_A_NO },                            /* CLUSTER_AUTHORIZATION_FAILED */
	{ 35, OUTCOME_NOTHING_DONE },                                              /* UNSUPPORTED_VERSION */
	{ 41, OUTCOME_NOTHING_DONE | OUTCOME_SAME_FOR_ALL },                       /* NOT_CONTROLLER */
	{ 42, OUTCOME_NOTHING_DONE | OUTCOME_SAME_FOR_ALL | OUTCOME_IS_A_NO },     /* INVALID_REQUEST; below v3 for 73 */
	{ 44, OUTCOME_NOTHING_DONE | OUTCOME_IS_A_NO },                            /* POLICY_VIOLATION */
	{ 73, OUTCOME_NOTHING_DONE | OUTCOME_SAME_FOR_ALL | OUTCOME_IS_A_NO },     /* TOPIC_DELETION_DISABLED */
	{ 89, OUTCOME_NOTHING_DONE | OUTCOME_SAME_FOR_ALL | OUTCOME_IS_A_NO },     /* THROTTLING_QUOTA_EXCEEDED */
	{ 100, OUTCOME_NOTHING_DONE },                                             /* UNKNOWN_TOPIC_ID */
};

unsigned outcome_meaning(int16_t kafka_error)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].error == kafka_error)
			return errors[i].meaning;
	return 0;
}

struct outcome *outcome_new(uint64_t id, size_t n)
{
	struct outcome *oc = mem_zalloc(sizeof(*oc));

	oc->id = id;
	oc->broker = BROKER_NONE;
	oc->n = n;
	if (n > 0)
		oc->items = mem_array(n, sizeof(*oc->items));
	return oc;
}

void outcome_free(struct outcome **pp)
{
	struct outcome *oc = *pp;

	if (oc == NULL)
		return;
	for (size_t i = 0; i < oc->n; i++) {
		mem_free(&oc->items[i].name);
		mem_free(&oc->items[i].text);
	}
	mem_free(&oc->items);
	mem_free(pp);
}
