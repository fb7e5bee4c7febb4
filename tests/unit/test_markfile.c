/* SPDX-License-Identifier: Apache-2.0 */
#include "app/markfile.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/model.h"
#include "core/policy.h"

static char folder[] = "/tmp/kafops-markfile.XXXXXX";

struct bench {
	struct model *md;
	struct policy po;
	struct choice *ch;
};

static const char *path_of(const char *name)
{
	static char path[4][160];
	static size_t at;
	char *out = path[at++ % 4];

	str_printf(out, sizeof(path[0]), "%s/%s", folder, name);
	return out;
}

static void put_topic(struct model *md, const char *name)
{
	static const char data[] = "{\"version\":2,\"partitions\":{\"0\":[1]}}";
	struct znode_stat stat = { .czxid = 7 };
	char path[128];

	str_printf(path, sizeof(path), "/brokers/topics/%s", name);
	model_apply(md, event_from_znode(path, ZNODE_OK, NULL, data, sizeof(data) - 1, &stat, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
}

static int setup(void **state)
{
	static const char *const names[] = { "a", "b" };
	struct bench *be = mem_zalloc(sizeof(*be));

	if (!mkdtemp(folder))
		return -1;
	be->md = model_new();
	model_apply(be->md, event_from_children("/brokers/topics", ZNODE_OK, NULL, names, 2, NULL, 1, (mono_ms){ 1 }, (wall_ms){ 1 }));
	put_topic(be->md, "a");
	put_topic(be->md, "b");
	policy_init(&be->po);
	be->ch = choice_new();
	choice_mark(be->ch, cluster_topic_find(model_cluster(be->md), "a"), true);
	*state = be;
	return 0;
}

static int teardown(void **state)
{
	struct bench *be = *state;
	static const char *const names[] = { "set", "link", "pipe" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(path_of(names[i]));
	choice_free(&be->ch);
	policy_fini(&be->po);
	model_free(&be->md);
	mem_free(&be);
	/* What was written beside a place is not left there. */
	if (rmdir(folder) != 0)
		return -1;
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	return 0;
}

static bool save(const struct bench *be, const char *path, bool overwrite, struct err *err)
{
	size_t left_out;

	err_init(err);
	return markfile_save(path, overwrite, be->ch, model_cluster(be->md), &be->po, (wall_ms){ 1 }, &left_out, err);
}

static size_t load(struct bench *be, const char *path)
{
	struct choice_loaded lo;
	struct err err;

	err_init(&err);
	choice_clear(be->ch);
	if (!markfile_load(path, be->ch, model_cluster(be->md), &be->po, &lo, &err))
		fail_msg("%s", err.text);
	return choice_count(be->ch);
}

static void a_set_that_was_saved_is_loaded(void **state)
{
	struct bench *be = *state;
	struct err err;

	assert_true(save(be, path_of("set"), false, &err));
	assert_int_equal(load(be, path_of("set")), 1);
}

static void what_is_there_is_not_written_over_unasked(void **state)
{
	struct bench *be = *state;
	struct err err;

	assert_true(save(be, path_of("set"), false, &err));
	choice_clear(be->ch);
	assert_false(save(be, path_of("set"), false, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_int_equal(load(be, path_of("set")), 1);
	choice_mark(be->ch, cluster_topic_find(model_cluster(be->md), "b"), true);
	assert_true(save(be, path_of("set"), true, &err));
	assert_int_equal(load(be, path_of("set")), 2);
}

static void a_save_that_fails_leaves_what_was_there(void **state)
{
	struct bench *be = *state;
	struct rlimit before, none;
	struct err err;

	assert_true(save(be, path_of("set"), false, &err));
	choice_mark(be->ch, cluster_topic_find(model_cluster(be->md), "b"), true);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = (struct rlimit){ 5, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_false(save(be, path_of("set"), true, &err));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(err.code, ERR_IO);
	assert_non_null(strstr(err.text, "can't write "));
	assert_int_equal(load(be, path_of("set")), 1);
}

static void a_link_stays_a_link(void **state)
{
	struct bench *be = *state;
	struct stat st;
	struct err err;

	assert_true(save(be, path_of("set"), false, &err));
	assert_int_equal(symlink(path_of("set"), path_of("link")), 0);
	choice_mark(be->ch, cluster_topic_find(model_cluster(be->md), "b"), true);
	assert_true(save(be, path_of("link"), true, &err));
	assert_int_equal(lstat(path_of("link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(load(be, path_of("set")), 2);
}

static void what_is_no_file_is_neither_read_nor_replaced(void **state)
{
	struct bench *be = *state;
	struct choice_loaded lo;
	struct err err;

	assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
	assert_false(save(be, path_of("pipe"), true, &err));
	assert_non_null(strstr(err.text, "no regular file"));
	err_init(&err);
	assert_false(markfile_load(path_of("pipe"), be->ch, model_cluster(be->md), &be->po, &lo, &err));
	assert_non_null(strstr(err.text, "no regular file"));
	assert_false(save(be, "", false, &err));
	assert_string_equal(err.text, "a file needs a name");
	assert_false(save(be, path_of("no/such/folder"), false, &err));
	assert_non_null(strstr(err.text, "No such file or directory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_set_that_was_saved_is_loaded, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_there_is_not_written_over_unasked, setup, teardown),
		cmocka_unit_test_setup_teardown(a_save_that_fails_leaves_what_was_there, setup, teardown),
		cmocka_unit_test_setup_teardown(a_link_stays_a_link, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_neither_read_nor_replaced, setup, teardown),
	};

	return cmocka_run_group_tests_name("app/markfile", tests, NULL, NULL);
}
