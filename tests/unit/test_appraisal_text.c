/* SPDX-License-Identifier: Apache-2.0 */
#include "view/appraisal_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "core/appraisal.h"
#include "core/command.h"

static const char *const three[] = { "orders.a", "orders.b", "orders.c" };
static const char *const groups[] = { "analytics", "audit", "billing", "export", "search", "stock" };
static char why[] = "no permission";

static void assert_writes(const struct appraisal *ap, int64_t now, bool is_warning, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	assert_int_equal(appraisal_text_writes(ap, (mono_ms){ now }, &text), is_warning);
	assert_string_equal(text.s, expected);
	strbuf_fini(&text);
}

static void assert_groups(const struct appraisal *ap, bool is_warning, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	assert_int_equal(appraisal_text_groups(ap, &text), is_warning);
	assert_string_equal(text.s, expected);
	strbuf_fini(&text);
}

static void while_writes_are_asked_for_it_is_told_when_again(void **state)
{
	struct appraisal ap = { .writes_pending = true };

	(void)state;
	assert_writes(&ap, 5000, false, "writes: being asked");
	ap.writes_again.ms = 12000;
	assert_writes(&ap, 5000, false, "writes: asking again in 7 s");
	assert_writes(&ap, 11999, false, "writes: asking again in 1 s");
	assert_writes(&ap, 12000, false, "writes: being asked");
}

static void what_was_written_to_is_named_and_counted(void **state)
{
	struct appraisal ap = { .writes_known = true };

	(void)state;
	assert_writes(&ap, 0, false, "writes: no write in 10 s");
	ap.active = three;
	ap.n_active = 1;
	assert_writes(&ap, 0, true, "writes: orders.a was written to in the last 10 s");
	ap.n_active = 3;
	assert_writes(&ap, 0, true, "writes: orders.a and 2 more were written to in the last 10 s");
	ap.writes_known = false;
	ap.why_writes = why;
	assert_writes(&ap, 0, true, "writes: orders.a and 2 more were written to in the last 10 s; of others it is not known: no permission");
	ap.n_active = 0;
	assert_writes(&ap, 0, true, "writes: not known: no permission");
}

static void groups_are_named_with_how_many_were_looked_at(void **state)
{
	struct appraisal ap = { .groups_pending = true };

	(void)state;
	assert_groups(&ap, false, "groups: being asked");
	ap.groups_total = 5000;
	ap.groups_seen = 900;
	assert_groups(&ap, false, "groups: looked at 900 of 5,000");
	ap.groups_pending = false;
	ap.groups_known = true;
	assert_groups(&ap, true, "groups: none has offsets there (looked at 900 of 5,000); there may be more");
	ap.groups_seen = 5000;
	assert_groups(&ap, false, "groups: none has offsets there (looked at 5,000 of 5,000)");
	ap.groups = groups;
	ap.n_groups = 2;
	assert_groups(&ap, true, "groups: analytics, audit (looked at 5,000 of 5,000)");
	ap.n_groups = 6;
	assert_groups(&ap, true, "groups: analytics, audit, billing, export and 2 more (looked at 5,000 of 5,000)");
	ap.why_groups = why;
	assert_groups(&ap, true, "groups: analytics, audit, billing, export and 2 more (looked at 5,000 of 5,000); there may be more: no permission");
	ap.groups_known = false;
	assert_groups(&ap, true, "groups: not known: no permission");
}

static void the_lines_cover_what_says_the_same_and_nothing_else(void **state)
{
	struct appraisal ap = { .active = three, .n_active = 1, .writes_known = true };
	char topic[] = "orders.a";
	struct finding of_all = { .kind = "consumer-groups" }, other = { .kind = "many-topics" }, writer = { .kind = "last-writes", .topic = topic },
		       returns = { .kind = "auto-create", .topic = topic };

	(void)state;
	assert_false(appraisal_text_covers(NULL, &of_all));
	assert_true(appraisal_text_covers(&ap, &of_all));
	assert_false(appraisal_text_covers(&ap, &other));
	assert_true(appraisal_text_covers(&ap, &writer));
	assert_false(appraisal_text_covers(&ap, &returns));
	ap.n_active = 3;
	assert_false(appraisal_text_covers(&ap, &writer));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(while_writes_are_asked_for_it_is_told_when_again),
		cmocka_unit_test(what_was_written_to_is_named_and_counted),
		cmocka_unit_test(groups_are_named_with_how_many_were_looked_at),
		cmocka_unit_test(the_lines_cover_what_says_the_same_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
