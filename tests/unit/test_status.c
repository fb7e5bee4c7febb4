/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/str.h"
#include "core/policy.h"
#include "tests/unit/fixture.h"
#include "ui/status.h"

static const char tree[] =
	"/brokers/ids/1\t{\"host\":\"b1\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/brokers/ids/2\t{\"host\":\"b2\",\"port\":9092,\"jmx_port\":-1,\"timestamp\":\"1\",\"version\":1}\n"
	"/cluster/id\t{\"version\":\"1\",\"id\":\"mine\"}\n";

/* What is said of the brokers' side; "" for nothing. */
static const char *said_of(const struct fixture *fx)
{
	static char out[STATUS_TEXT_MAX];
	wall_ms now = fixture_now(fx);

	if (!status_broker_side(fixture_cluster(fx), (mono_ms){ 1 + fx->at }, now, out))
		out[0] = '\0';
	return out;
}

static void nothing_is_said_of_brokers_that_were_not_asked_or_answer(void **state)
{
	struct fixture *fx = fixture_new();

	fixture_load_text(fx, tree);
	assert_string_equal(said_of(fx), "");
	fixture_said(fx, "link 1 failed refused\n");
	assert_string_equal(said_of(fx), "");
	fixture_said(fx, "link 2 up\ndir /d\ndisks 2\nasked\n");
	assert_string_equal(said_of(fx), "");
	fixture_free(&fx);
}

static void brokers_that_never_answered_say_why(void **state)
{
	struct fixture *fx = fixture_new();

	fixture_load_text(fx, tree);
	fixture_said(fx, "link 1 failed refused\nlink 2 failed refused\nasked broker-1:-refused\n");
	assert_string_equal(said_of(fx), "BROKERS NOT ANSWERING since 22:13:39: broker-1:-refused");
	fixture_free(&fx);
}

static void brokers_that_answer_no_more_do_so_since_the_last_answer(void **state)
{
	struct fixture *fx = fixture_new();

	fixture_load_text(fx, tree);
	fixture_said(fx, "link 1 up\nlink 2 up\ndir /d\ndisks 1\nasked\n");
	assert_string_equal(said_of(fx), "");
	fixture_said(fx, "link 1 failed b1:9092:-timed-out\nlink 2 connecting\n");
	assert_string_equal(said_of(fx), "BROKERS NOT ANSWERING since 22:13:40: b1:9092:-timed-out");
	/* Without an error nothing is wrong: connections without requests are closed. */
	fixture_said(fx, "link 1 connecting\n");
	assert_string_equal(said_of(fx), "");
	fixture_free(&fx);
}

static void brokers_of_another_cluster_are_named(void **state)
{
	struct fixture *fx = fixture_new();

	fixture_load_text(fx, tree);
	fixture_said(fx, "link 1 up\nlives 1\nmetadata 1 all controller=1 cluster=other\nasked\n");
	assert_string_equal(said_of(fx), "BROKERS OF ANOTHER CLUSTER: they say other, ZooKeeper mine; nothing they say is taken");
	fixture_free(&fx);
}

/* ---- the profile ------------------------------------------------------------------ */

static void the_name_is_the_profiles_or_the_beginning_of_the_id(void **state)
{
	static char prod[] = "prod-eu", longer[] = "a-cluster-with-a-long-name";
	struct fixture *fx = fixture_new();
	char name[STATUS_WORD_MAX], brief[STATUS_WORD_MAX];
	struct policy po;

	policy_init(&po);
	status_name(fixture_cluster(fx), &po, name, brief);
	assert_string_equal(name, "?");
	fixture_load_text(fx, "/cluster/id\t{\"version\":\"1\",\"id\":\"9lkx3ABCDEF\"}\n");
	status_name(fixture_cluster(fx), &po, name, brief);
	assert_string_equal(name, "9lkx3A");
	po.profile = prod;
	status_name(fixture_cluster(fx), &po, name, brief);
	assert_string_equal(name, "prod-eu");
	assert_string_equal(brief, "prod-eu");
	po.profile = longer;
	status_name(fixture_cluster(fx), &po, name, brief);
	assert_string_equal(name, "a-cluster-with-a-long-name");
	assert_string_equal(brief, "a-cluster…");
	fixture_free(&fx);
}

static void assert_profile(const struct fixture *fx, const struct policy *po, const char *mode, const char *banner)
{
	char out[STATUS_TEXT_MAX] = "";

	assert_string_equal(status_mode(fixture_cluster(fx), po), mode);
	assert_int_equal(status_other_cluster(fixture_cluster(fx), po, out), banner[0] != '\0');
	assert_string_equal(out, banner);
}

static void another_cluster_than_the_profiles_is_told_and_not_operated(void **state)
{
	static char prod[] = "prod-eu", mine[] = "mine", other[] = "other";
	struct fixture *fx = fixture_new();
	struct policy po;

	policy_init(&po);
	assert_profile(fx, &po, "READ-ONLY", "");
	po.operate = true;
	assert_profile(fx, &po, "OPERATE", "");
	po.profile = prod;
	po.expected_cluster_id = mine;
	assert_profile(fx, &po, "READ-ONLY", ""); /* not read yet */
	fixture_load_text(fx, tree);
	assert_profile(fx, &po, "OPERATE", "");
	po.expected_cluster_id = other;
	assert_profile(fx, &po, "READ-ONLY", "NOT THE CLUSTER prod-eu: nothing can be changed. Its id is mine, the profile has other");
	fixture_unreadable(fx, "/cluster/id", "no right");
	assert_profile(fx, &po, "READ-ONLY", "IS THIS prod-eu? Its id can't be read (no right), so nothing can be changed");
	fixture_znode(fx, "/cluster/id", NULL);
	assert_profile(fx, &po, "READ-ONLY", "NOT THE CLUSTER prod-eu: nothing can be changed. It has no id, the profile has other");
	fixture_free(&fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_of_brokers_that_were_not_asked_or_answer),
		cmocka_unit_test(brokers_that_never_answered_say_why),
		cmocka_unit_test(brokers_that_answer_no_more_do_so_since_the_last_answer),
		cmocka_unit_test(brokers_of_another_cluster_are_named),
		cmocka_unit_test(the_name_is_the_profiles_or_the_beginning_of_the_id),
		cmocka_unit_test(another_cluster_than_the_profiles_is_told_and_not_operated),
	};

	return cmocka_run_group_tests_name("ui/status", tests, NULL, NULL);
}
