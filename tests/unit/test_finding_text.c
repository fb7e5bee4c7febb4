/* SPDX-License-Identifier: Apache-2.0 */
#include "view/finding_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/command.h"

static int32_t three[] = { 3 }, two[] = { 3, 7 };
static char topics[60][16];

static struct finding of(size_t i, const char *kind, const char *text)
{
	str_printf(topics[i], sizeof(topics[i]), "team12.%02zu", i);
	return (struct finding){ .severity = SEVERITY_WARNING, .kind = kind, .topic = topics[i], .text = (char *)(uintptr_t)text };
}

static struct finding waits(size_t i, size_t n_replicas, int32_t *brokers, uint32_t n_brokers)
{
	struct finding fi = of(i, "replica-on-dead-broker", "Broker 3 is down and holds 1 of its replicas: it will wait for it.");

	fi.n_replicas = n_replicas;
	fi.brokers = (struct ids){ brokers, n_brokers };
	return fi;
}

/* The texts of the groups, a line each. */
static void assert_groups(const struct finding *v, size_t n, const char *expected)
{
	struct finding_group *groups;
	struct strbuf text;
	size_t n_groups;

	strbuf_init(&text);
	groups = finding_groups(v, n, &n_groups);
	for (size_t i = 0; i < n_groups; i++) {
		finding_group_text(&groups[i], &text);
		strbuf_put(&text, "\n");
	}
	assert_string_equal(text.s, expected);
	strbuf_fini(&text);
	mem_free(&groups);
}

static void what_waits_for_the_same_brokers_stands_once_and_another_warning_stays_in_view(void **state)
{
	struct finding v[60];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		v[i] = i < 3 ? waits(i, 1, two, 2) : waits(i, 2, three, 1);
	v[40] = of(40, "auto-create", "Something writes to it.");
	assert_groups(v, 60,
		"Brokers 3, 7 are down and hold replicas of 3 of them, 3 replicas: they will wait until all of these register. (team12.00, team12.01 and team12.02)\n"
		"Broker 3 is down and holds replicas of 56 of them, 112 replicas: they will wait until it registers. (team12.03, team12.04, team12.05 and 53 more)\n"
		"team12.40: Something writes to it.\n");
}

static void one_that_waits_is_told_of_by_its_name(void **state)
{
	struct finding fi = waits(4, 1, three, 1);

	(void)state;
	assert_groups(&fi, 1, "team12.04: Broker 3 is down and holds 1 of its replicas: it will wait for it.\n");
}

static void dirs_that_are_offline_are_summed_likewise(void **state)
{
	struct finding v[2] = { waits(0, 2, three, 1), waits(1, 3, three, 1) };

	(void)state;
	v[0].kind = v[1].kind = "replica-on-offline-dir";
	assert_groups(v, 2, "5 replicas of 2 of them lie in log dirs that are offline, on broker 3: they will wait until the dirs are mended and the broker is restarted."
		" (team12.00 and team12.01)\n");
}

static void the_same_words_stand_once_and_others_apart(void **state)
{
	struct finding v[5] = { of(0, "gone", "It is gone."), of(1, "protected", "It is protected."), of(2, "gone", "It is gone."), of(3, "gone", "It is gone."),
		of(4, "gone", "It is gone.") };

	(void)state;
	v[4].severity = SEVERITY_ERROR;
	assert_groups(v, 5, "team12.00, team12.02 and team12.03: It is gone.\nteam12.01: It is protected.\nteam12.04: It is gone.\n");
}

static void what_is_of_the_command_as_a_whole_has_no_name(void **state)
{
	struct finding fi = of(0, "many-topics", "Many.");

	(void)state;
	fi.topic = NULL;
	assert_groups(&fi, 1, "Many.\n");
	assert_groups(NULL, 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_waits_for_the_same_brokers_stands_once_and_another_warning_stays_in_view),
		cmocka_unit_test(one_that_waits_is_told_of_by_its_name),
		cmocka_unit_test(dirs_that_are_offline_are_summed_likewise),
		cmocka_unit_test(the_same_words_stand_once_and_others_apart),
		cmocka_unit_test(what_is_of_the_command_as_a_whole_has_no_name),
	};

	return cmocka_run_group_tests_name("view/finding_text", tests, NULL, NULL);
}
