/* SPDX-License-Identifier: Apache-2.0 */
#include "io/kafka_outcome.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/outcome.h"
#include "wire/topics.h"

static const char *const names[] = { "t" };
static const struct kafka_asked one = { 7, names, 1 };

static void assert_says(int16_t error, int16_t version, const char *message, int32_t throttle_ms, enum outcome_code code, const char *text)
{
	struct wire_deleted de = { "t", error, message };
	struct wire_deletes ds = { throttle_ms, &de, 1 };
	struct outcome *oc = kafka_outcome_answered(&one, 3, version, &ds);

	assert_int_equal(oc->id, 7);
	assert_int_equal(oc->n, 1);
	assert_int_equal(oc->broker, 3);
	assert_string_equal(oc->items[0].name, "t");
	assert_int_equal(oc->items[0].kafka_error, error);
	assert_string_equal(oc->items[0].text, text);
	assert_int_equal(oc->items[0].code, code);
	assert_int_equal(oc->items[0].is_for_all, error == 41 || error == 42 || error == 73 || error == 89);
	outcome_free(&oc);
}

static void what_was_taken_is_queued_not_gone(void **unused)
{
	assert_says(0, 5, NULL, 0, OUTCOME_DONE, "queued for deletion");
	assert_says(7, 5, NULL, 0, OUTCOME_DONE, "queued for deletion, which had not begun when the time given was over");
}

static void what_the_controller_refuses_says_why(void **unused)
{
	assert_says(3, 4, NULL, 0, OUTCOME_REFUSED, "gone, or already being deleted, or never had a leader: see Deletions");
	assert_says(29, 4, NULL, 0, OUTCOME_REFUSED, "no permission: DELETE on the topic is missing");
	assert_says(41, 4, NULL, 0, OUTCOME_REFUSED, "nothing was done: the controller is moving; ask again in a while");
	assert_says(44, 4, NULL, 0, OUTCOME_REFUSED, "POLICY_VIOLATION (44): a policy of the cluster forbids it");
}

static void deletion_switched_off_has_another_code_before_v3(void **unused)
{
	static const char off[] = "deletion is switched off: delete.topic.enable is false on the controller, which a restart of that broker alone changes";

	assert_says(73, 3, NULL, 0, OUTCOME_REFUSED, off);
	assert_says(42, 2, NULL, 0, OUTCOME_REFUSED, off);
	assert_says(42, 5, NULL, 0, OUTCOME_REFUSED, "INVALID_REQUEST (42): the broker takes the request for malformed, or forbids the combination");
}

static void over_the_quota_says_when_to_ask_again(void **unused)
{
	assert_says(89, 5, NULL, 2300, OUTCOME_REFUSED, "nothing was done: over the quota on changes of topics; ask again in 3s");
	assert_says(89, 5, NULL, INT32_MAX, OUTCOME_REFUSED, "nothing was done: over the quota on changes of topics; ask again in 24d20h");
	assert_says(89, 5, NULL, 0, OUTCOME_REFUSED, "nothing was done: over the quota on changes of topics; ask again in a while");
}

static void what_may_have_been_done_all_the_same_is_not_known(void **unused)
{
	assert_says(-1, 4, NULL, 0, OUTCOME_UNKNOWN, "UNKNOWN_SERVER_ERROR (-1): the broker failed in a way it has no code for; its log says why; "
		    "it was taken, if the topic is queued under Deletions, or gone");
	assert_says(12345, 4, NULL, 0, OUTCOME_UNKNOWN, "error 12345; it was taken, if the topic is queued under Deletions, or gone");
}

static void the_brokers_own_words_are_made_printable(void **unused)
{
	char long_words[1000];
	struct wire_deleted de = { "t", 29, long_words };
	struct wire_deletes ds = { 0, &de, 1 };
	struct outcome *oc;

	assert_says(29, 5, "No \x1b[31m.", 0, OUTCOME_REFUSED, "no permission: DELETE on the topic is missing (the broker says: No ^[[31m.)");
	assert_says(29, 5, "", 0, OUTCOME_REFUSED, "no permission: DELETE on the topic is missing");
	assert_says(0, 5, "Fine.", 0, OUTCOME_DONE, "queued for deletion");
	memset(long_words, 'w', sizeof(long_words) - 1);
	long_words[sizeof(long_words) - 1] = '\0';
	oc = kafka_outcome_answered(&one, 3, 5, &ds);
	assert_true(strlen(oc->items[0].text) < 400);
	outcome_free(&oc);
}

static void of_a_topic_named_twice_the_first_counts(void **unused)
{
	struct wire_deleted de[] = { { "t", 29, NULL }, { "t", 0, NULL } };
	struct wire_deletes ds = { 0, de, 2 };
	struct outcome *oc = kafka_outcome_answered(&one, 3, 5, &ds);

	assert_int_equal(oc->n, 1);
	assert_int_equal(oc->items[0].kafka_error, 29);
	outcome_free(&oc);
}

static void only_when_every_topic_says_so_is_the_controller_elsewhere(void **unused)
{
	struct wire_deleted de[] = { { "t", 41, NULL }, { "u", 41, NULL } };

	assert_true(kafka_outcome_is_elsewhere(&(struct wire_deletes){ 0, de, 2 }));
	de[1].error = 0;
	assert_false(kafka_outcome_is_elsewhere(&(struct wire_deletes){ 0, de, 2 }));
	assert_false(kafka_outcome_is_elsewhere(&(struct wire_deletes){ 0, NULL, 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_taken_is_queued_not_gone),
		cmocka_unit_test(what_the_controller_refuses_says_why),
		cmocka_unit_test(deletion_switched_off_has_another_code_before_v3),
		cmocka_unit_test(over_the_quota_says_when_to_ask_again),
		cmocka_unit_test(what_may_have_been_done_all_the_same_is_not_known),
		cmocka_unit_test(the_brokers_own_words_are_made_printable),
		cmocka_unit_test(of_a_topic_named_twice_the_first_counts),
		cmocka_unit_test(only_when_every_topic_says_so_is_the_controller_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
