/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "core/disks.h"
#include "view/disk_text.h"

/* The labels of the paths, which are given in order, each with a blank behind it. */
static void assert_labels(const char *const *paths, const char *expected)
{
	struct disks *ds = disks_new();
	struct arena *ar = arena_new(0);
	const char *all = "";

	for (size_t i = 0; paths[i]; i++)
		disks_add_dir(ds, paths[i], 0, -1, -1);
	disks_finish(ds);
	for (size_t i = 0; i < ds->n_dirs; i++)
		all = arena_printf(ar, "%s%s ", all, disk_dir_label(ds, i, ar));
	assert_string_equal(all, expected);
	arena_free(&ar);
	disks_free(&ds);
}

static void a_dir_is_called_by_what_tells_it_from_the_others(void **state)
{
	assert_labels((const char *const[]){ "/data/d1", "/data/d2", NULL }, "d1 d2 ");
	assert_labels((const char *const[]){ "/data/d1/kafka", "/data/d2/kafka", NULL }, "d1 d2 ");
	assert_labels((const char *const[]){ "/data/d1/kafka/logs", "/data/d2/kafka/logs", NULL }, "d1 d2 ");
	assert_labels((const char *const[]){ "/data/d1/kafka", "/data/d2/kafka", "/data/d2/other", NULL }, "d1/kafka d2/kafka other ");
	assert_labels((const char *const[]){ "/a/x/kafka", "/b/x/kafka", "/b/y/kafka", NULL }, "a/x b/x y ");
	assert_labels((const char *const[]){ "/var/lib/kafka", NULL }, "kafka ");
	assert_labels((const char *const[]){ "/data/d1/", "/data/d2///", NULL }, "d1 d2 ");
}

static void odd_paths_have_a_label_too(void **state)
{
	assert_labels((const char *const[]){ "", "/", "//", NULL }, " / / ");
	assert_labels((const char *const[]){ "kafka", "/kafka", NULL }, "/kafka kafka ");
	assert_labels((const char *const[]){ "/d", "/d/", "/d//", NULL }, "/d /d /d ");
	assert_labels((const char *const[]){ "/x/d", "d", "y/x/d", NULL }, "/x/d d y/x/d ");
}

static void use_is_full_only_when_nothing_is_free(void **state)
{
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .total_bytes = 1000, .usable_bytes = 90 }), 910);
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .total_bytes = INT64_MAX, .usable_bytes = 1 }), 999);
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .total_bytes = 1000, .usable_bytes = 0 }), 1000);
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .total_bytes = 1000, .usable_bytes = 5000 }), 0);
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .total_bytes = -1, .usable_bytes = -1 }), -1);
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .total_bytes = 1000, .usable_bytes = -1 }), -1);
	assert_int_equal(disk_dir_used(&(struct disk_dir){ .error = 56, .total_bytes = 1000, .usable_bytes = 500 }), -1);
}

static void a_copy_is_at_most_99_percent_done(void **state)
{
	struct disk_replica now = { .size_bytes = 1000 }, future = { .size_bytes = 630 };

	assert_int_equal(disk_future_percent(&now, &future), 63);
	future.size_bytes = INT64_MAX;
	assert_int_equal(disk_future_percent(&now, &future), 99);
	future.size_bytes = INT64_MIN;
	assert_int_equal(disk_future_percent(&now, &future), -1);
	assert_int_equal(disk_future_percent(NULL, &future), -1);
	assert_int_equal(disk_future_percent(&now, NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dir_is_called_by_what_tells_it_from_the_others),
		cmocka_unit_test(odd_paths_have_a_label_too),
		cmocka_unit_test(use_is_full_only_when_nothing_is_free),
		cmocka_unit_test(a_copy_is_at_most_99_percent_done),
	};

	return cmocka_run_group_tests_name("view/disk_text", tests, NULL, NULL);
}
