/* SPDX-License-Identifier: Apache-2.0 */
/* In a folder of its own. What becomes of what is read: tests/unit/test_witness.c. */
#include "io/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "core/witness.h"
#include "io/memory_parts.h"

static char state_dir[] = "/tmp/kafops-memory-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(state_dir) == NULL || setenv("XDG_STATE_HOME", state_dir, 1) != 0;
}

static int remove_folder(void **state)
{
	char cmd[128];

	(void)state;
	return !str_printf(cmd, sizeof(cmd), "rm -rf %s", state_dir) || system(cmd) != 0;
}

/* Each test has a cluster of its own. */
static struct memory *open_of(const char *cluster)
{
	struct err err;
	struct memory *me;

	err_init(&err);
	me = memory_open(cluster, &err);
	if (me == NULL)
		fail_msg("%s", err.text);
	return me;
}

static struct witness *deletion(const char *topic, int64_t czxid)
{
	struct witness *wi = witness_new(topic, czxid);

	wi->first_seen.ms = 1000;
	wi->changed.ms = 2000;
	wi->replicas = mem_array(2, sizeof(*wi->replicas));
	wi->n_replicas = 2;
	for (int32_t i = 0; i < 2; i++)
		wi->replicas[i] = (struct witness_replica){ .partition = 0, .broker = 1 + i, .size_bytes = -1, .gone_epoch = -1, .dir_failed_epoch = -1 };
	return wi;
}

/* Writes and waits. */
static bool write_out(struct memory *me, struct witness *const *v, size_t n, struct err *err)
{
	err_init(err);
	memory_write(me, (const struct witness *const *)v, n);
	while (memory_is_busy(me))
		(void)poll(NULL, 0, 1); /* for the thread */
	return memory_written(me, err);
}

static void write_well(struct memory *me, struct witness *const *v, size_t n)
{
	struct err err;

	if (!write_out(me, v, n, &err))
		fail_msg("%s", err.text);
}

static void keep(void *ctx, struct witness *wi)
{
	struct witness_list *l = ctx;

	l->v = mem_realloc_array(l->v, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = wi;
}

static struct witness_list read_back(const char *cluster)
{
	struct memory *me = open_of(cluster);
	struct witness_list l = { NULL, 0 };
	struct err err;

	err_init(&err);
	if (!memory_read(me, keep, &l, &err))
		fail_msg("%s", err.text);
	memory_close(&me);
	return l;
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void put_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* ---- what is kept ---------------------------------------------------------------------- */

static void what_is_kept_comes_back_whole(void **state)
{
	struct memory *me = open_of("whole");
	struct witness *wi = deletion("bad\xff\x1b[31m\"name", 77);
	struct witness_replica *wr = &wi->replicas[1];
	struct witness_list l;
	struct stat st;

	wi->marker_czxid = 80;
	wi->marked.ms = 990;
	wi->came = true;
	wi->n_children = 0;
	wi->epoch_first = 4;
	wi->ctrl_lists = KNOW_ABSENT;
	wi->ctrl_since.ms = 1500;
	wi->ctrl_polls = 3;
	wi->ctrl_epoch = 5;
	wi->pass_seen.ms = 1100;
	wi->was_alive = true;
	*wr = (struct witness_replica){ .partition = 3, .broker = 9, .dir = mem_strdup("/d\xfe"), .size_bytes = 1LL << 40, .listed = { 1200 }, .gone = { 1300 },
		.gone_epoch = 5, .dir_failed = { 1250 }, .dir_failed_epoch = 4, .broker_czxid = 66, .refilled = true };
	witness_attempt_add(wi, &(struct witness_attempt){ .trigger = WITNESS_MARKED, .id = -1, .epoch = 4, .at = { 990 }, .effect_seen = true, .done = 1,
		.left = 1, .rested = { 1400 }, .why = "broker 9: dir \u2026/d1 offline" });
	witness_attempt_add(wi, &(struct witness_attempt){ .trigger = WITNESS_CONTROLLER, .id = 2, .epoch = 5, .at = { 1450 } });
	write_well(me, &wi, 1);
	assert_int_equal(stat(memory_path(me), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	l = read_back("whole");
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0]->topic, "bad\xff\x1b[31m\"name");
	assert_int_equal(l.v[0]->czxid, 77);
	assert_int_equal(l.v[0]->marked.ms, 990);
	assert_int_equal(l.v[0]->n_children, 0);
	assert_int_equal(l.v[0]->ctrl_lists, KNOW_ABSENT);
	assert_int_equal(l.v[0]->ctrl_epoch, 5);
	assert_int_equal(l.v[0]->pass_seen.ms, 1100);
	assert_true(l.v[0]->was_alive && l.v[0]->came);
	assert_int_equal(l.v[0]->n_replicas, 2);
	assert_int_equal(l.v[0]->replicas[0].size_bytes, -1);
	assert_null(l.v[0]->replicas[0].dir);
	assert_int_equal(l.v[0]->replicas[0].gone_epoch, -1);
	assert_string_equal(l.v[0]->replicas[1].dir, "/d\xfe");
	assert_memory_equal(&l.v[0]->replicas[1].size_bytes, &wr->size_bytes, sizeof(*wr) - offsetof(struct witness_replica, size_bytes));
	assert_int_equal(l.v[0]->n_attempts, 2);
	assert_int_equal(l.v[0]->attempts[1].trigger, WITNESS_CONTROLLER);
	assert_int_equal(l.v[0]->attempts[1].id, 2);
	assert_int_equal(l.v[0]->attempts[0].rested.ms, 1400);
	assert_string_equal(l.v[0]->attempts[0].why, "broker 9: dir \u2026/d1 offline");
	assert_string_equal(l.v[0]->attempts[1].why, "");
	witness_list_fini(&l);
	memory_close(&me);
	witness_free(&wi);
}

static void what_ended_is_left_out_and_without_anything_there_is_no_file(void **state)
{
	struct memory *me = open_of("ends");
	struct witness *v[3] = { deletion("a", 1), deletion("b", 2), deletion("c", 3) };
	struct witness_list l;

	v[2]->end = WITNESS_MARKER_GONE; /* the controller may go on with it */
	v[2]->end_is_open = true;
	v[2]->ended.ms = 2000;
	write_well(me, v, 3);
	v[0]->end = WITNESS_GONE;
	v[0]->ended.ms = 3000;
	write_well(me, v, 3);
	l = read_back("ends");
	assert_int_equal(l.n, 2);
	assert_string_equal(l.v[0]->topic, "b");
	assert_int_equal(l.v[1]->end, WITNESS_MARKER_GONE);
	assert_true(l.v[1]->end_is_open);
	assert_int_equal(l.v[1]->ended.ms, 2000);
	witness_list_fini(&l);
	v[1]->end = v[2]->end = WITNESS_RECREATED;
	v[1]->ended.ms = 3000;
	write_well(me, v, 3);
	assert_false(is_there(memory_path(me)));
	for (int i = 0; i < 3; i++)
		witness_free(&v[i]);
	memory_close(&me);
}

static void with_nothing_to_keep_nothing_is_made(void **state)
{
	char other[] = "/tmp/kafops-memory-XXXXXX", folder[64];
	struct memory *me;

	assert_non_null(mkdtemp(other));
	assert_int_equal(setenv("XDG_STATE_HOME", other, 1), 0);
	me = open_of("none");
	write_well(me, NULL, 0);
	str_printf(folder, sizeof(folder), "%s/kafops", other);
	assert_false(is_there(folder));
	memory_close(&me);
	assert_int_equal(setenv("XDG_STATE_HOME", state_dir, 1), 0);
	assert_int_equal(rmdir(other), 0);
}

static void two_programs_lose_nothing_of_each_other(void **state)
{
	struct memory *one = open_of("two"), *two = open_of("two");
	struct witness *a = deletion("a", 1), *a2 = deletion("a", 1), *b = deletion("b", 2), *v[2];
	struct witness_list l;

	a->replicas[0].gone.ms = 1500;
	a->replicas[0].gone_epoch = 7;
	write_well(one, &a, 1);
	a2->first_seen.ms = 1600; /* began to look later, and never saw that one go */
	v[0] = a2;
	v[1] = b;
	write_well(two, v, 2);
	write_well(one, &a, 1); /* which knows nothing of b */
	l = read_back("two");
	assert_int_equal(l.n, 2);
	for (size_t i = 0; i < 2; i++)
		if (strcmp(l.v[i]->topic, "a") == 0) {
			assert_int_equal(l.v[i]->first_seen.ms, 1000);
			assert_int_equal(l.v[i]->replicas[0].gone.ms, 1500);
			assert_int_equal(l.v[i]->replicas[0].gone_epoch, 7);
		}
	witness_list_fini(&l);
	witness_free(&a);
	witness_free(&a2);
	witness_free(&b);
	memory_close(&one);
	memory_close(&two);
}

/* Seen on a real cluster: written between marker and topic node, it stayed for good under no topic's identity. */
static void a_deletion_whose_topic_is_not_known_yet_is_not_kept(void **state)
{
	struct memory *me = open_of("early");
	struct witness *early = deletion("a", 0), *wi = deletion("b", 7), *v[] = { early, wi };
	struct witness_list l;

	write_well(me, v, 2);
	l = read_back("early");
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0]->topic, "b");
	witness_list_fini(&l);
	wi->end = WITNESS_GONE;
	wi->ended.ms = 4000;
	write_well(me, &wi, 1);
	assert_false(is_there(memory_path(me)));
	witness_free(&early);
	witness_free(&wi);
	memory_close(&me);
}

static void of_too_much_what_changed_last_stays(void **state)
{
	struct witness *v[3] = { deletion("old", 1), deletion("new", 2), deletion("older", 3) };
	struct witness_list l = { v, 3 }, back;
	struct strbuf text;
	struct err err;

	v[0]->changed.ms = 20;
	v[1]->changed.ms = 30;
	v[2]->changed.ms = 10;
	strbuf_init(&text);
	memory_text(&text, "c", &l, 400);
	assert_true(text.len <= 400);
	err_init(&err);
	assert_true(memory_parse(text.s, text.len, "c", &back, &err));
	assert_int_equal(back.n, 2);
	assert_string_equal(back.v[0]->topic, "new");
	assert_string_equal(back.v[1]->topic, "old");
	witness_list_fini(&back);
	strbuf_fini(&text);
	for (int i = 0; i < 3; i++)
		witness_free(&v[i]);
}

/* ---- what goes wrong --------------------------------------------------------------------------- */

static void a_file_cut_anywhere_is_an_error_and_no_more(void **state)
{
	struct witness *wi = deletion("a", 1);
	struct witness_list l = { &wi, 1 }, back;
	struct strbuf text;
	struct err err;

	witness_attempt_add(wi, &(struct witness_attempt){ .trigger = WITNESS_MARKED, .id = -1, .at = { 990 } });
	wi->replicas[0].dir = mem_strdup("/d");
	strbuf_init(&text);
	memory_text(&text, "c", &l, MEMORY_MAX_BYTES);
	for (size_t n = 0; n + 1 < text.len; n++) {
		err_init(&err);
		if (memory_parse(text.s, n, "c", &back, &err))
			fail_msg("%zu bytes of it are taken", n);
		assert_int_equal(back.n, 0);
	}
	strbuf_fini(&text);
	witness_free(&wi);
}

static void values_that_can_not_be_are_errors(void **state)
{
	static const char *const bad[] = {
		"", "[]", "null", "{}", "{\"kafops_memory\":1}", "{\"kafops_memory\":\"1\",\"cluster\":\"c\",\"deletions\":[]}",
		"{\"kafops_memory\":1,\"cluster\":\"other\",\"deletions\":[]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":{}}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[1]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"\"}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic64\":\"!!\"}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"czxid\":-4}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"ended\":4}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"marker_gone\":true}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"replicas\":[4]}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"replicas\":[{\"partition\":-1,\"broker\":1}]}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"replicas\":[{\"partition\":1,\"broker\":1},{\"partition\":0,\"broker\":1}]}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"attempts\":[{\"trigger\":\"boredom\",\"at\":1}]}]}",
		"{\"kafops_memory\":1,\"cluster\":\"c\",\"deletions\":[{\"topic\":\"a\",\"attempts\":[{\"trigger\":\"marked\"}]}]}",
	};
	struct witness_list l;
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err_init(&err);
		if (memory_parse(bad[i], strlen(bad[i]), "c", &l, &err))
			fail_msg("%s is taken", bad[i]);
		assert_int_equal(err.code, ERR_FORMAT);
		assert_int_equal(l.n, 0);
	}
}

static void a_bad_file_is_set_aside_and_said(void **state)
{
	struct memory *me = open_of("bad");
	struct witness *wi = deletion("a", 1);
	struct witness_list l = { NULL, 0 };
	char aside[PATH_MAX], *name;
	struct err err;

	write_well(me, &wi, 1);
	put_text(memory_path(me), "{\"kafops_memory\":1,\"clus");
	err_init(&err);
	assert_false(memory_read(me, keep, &l, &err));
	assert_int_equal(err.code, ERR_FORMAT);
	assert_int_equal(l.n, 0);
	assert_non_null(strstr(err.text, "is set aside as bad.json.bad-"));
	assert_false(is_there(memory_path(me)));
	name = strstr(err.text, "bad.json.bad-");
	name[strcspn(name, ":")] = '\0';
	assert_true(str_printf(aside, sizeof(aside), "%s/kafops/memory/%s", state_dir, name));
	assert_true(is_there(aside));
	/* One that goes bad while we run is set aside by the next write. */
	put_text(memory_path(me), "x");
	write_well(me, &wi, 1);
	l = read_back("bad");
	assert_int_equal(l.n, 1);
	witness_list_fini(&l);
	witness_free(&wi);
	memory_close(&me);
}

static void a_file_of_a_newer_version_is_left_alone(void **state)
{
	static const char newer[] = "{\"kafops_memory\":2,\"cluster\":\"newer\",\"things\":[]}";
	struct memory *me = open_of("newer");
	struct witness *wi = deletion("a", 1);
	struct witness_list l = { NULL, 0 };
	char text[100] = "";
	struct err err;
	FILE *f;

	write_well(me, &wi, 1);
	put_text(memory_path(me), newer);
	err_init(&err);
	assert_false(memory_read(me, keep, &l, &err));
	assert_int_equal(err.code, ERR_UNSUPPORTED);
	assert_false(write_out(me, &wi, 1, &err));
	f = fopen(memory_path(me), "r");
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, newer);
	witness_free(&wi);
	memory_close(&me);
}

static void an_id_from_outside_leads_nowhere_else(void **state)
{
	struct memory *me = open_of("../../x/.y");
	struct err err;
	char folder[PATH_MAX], longest[200];

	str_printf(folder, sizeof(folder), "%s/kafops/memory/", state_dir);
	assert_true(str_starts(memory_path(me), folder));
	assert_string_equal(memory_path(me) + strlen(folder), "%2E%2E%2F%2E%2E%2Fx%2F%2Ey.json");
	memory_close(&me);
	memset(longest, 'a', sizeof(longest));
	longest[199] = '\0';
	err_init(&err);
	assert_null(memory_open(longest, &err));
	err_init(&err);
	assert_null(memory_open("", &err));
}

static void a_full_disk_is_told_once_and_the_old_file_stays(void **state)
{
	struct memory *me = open_of("full");
	struct witness *wi = deletion("a", 1), *v[40];
	struct rlimit before, small;
	struct witness_list l;
	struct err err;

	signal(SIGXFSZ, SIG_IGN);
	write_well(me, &wi, 1);
	for (int i = 0; i < 40; i++) {
		char name[16];

		str_printf(name, sizeof(name), "t%d", i);
		v[i] = deletion(name, 100 + i);
	}
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 2000, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_false(write_out(me, v, 40, &err));
	assert_int_equal(err.code, ERR_IO);
	assert_non_null(strstr(err.text, strerror(EFBIG)));
	assert_true(memory_written(me, &err)); /* once */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	l = read_back("full");
	assert_int_equal(l.n, 1);
	witness_list_fini(&l);
	write_well(me, v, 40); /* there is room again */
	l = read_back("full");
	assert_int_equal(l.n, 41);
	witness_list_fini(&l);
	for (int i = 0; i < 40; i++)
		witness_free(&v[i]);
	witness_free(&wi);
	memory_close(&me);
}

static void what_is_in_the_way_is_named(void **state)
{
	char other[] = "/tmp/kafops-memory-XXXXXX", path[64], cmd[80];
	struct witness *wi = deletion("a", 1);
	struct memory *me;
	struct err err;

	assert_non_null(mkdtemp(other));
	assert_int_equal(setenv("XDG_STATE_HOME", other, 1), 0);
	str_printf(path, sizeof(path), "%s/kafops", other);
	put_text(path, "not a folder");
	me = open_of("way");
	assert_false(write_out(me, &wi, 1, &err));
	assert_int_equal(err.code, ERR_IO);
	assert_non_null(strstr(err.text, path));
	memory_close(&me);
	witness_free(&wi);
	assert_int_equal(setenv("XDG_STATE_HOME", state_dir, 1), 0);
	str_printf(cmd, sizeof(cmd), "rm -rf %s", other);
	assert_int_equal(system(cmd), 0);
}

static void a_lock_that_stays_held_is_given_up_on_in_time(void **state)
{
	struct memory *me = open_of("held");
	struct witness *wi = deletion("a", 1);
	char path[PATH_MAX];
	struct err err;
	int fd;

	write_well(me, &wi, 1);
	assert_true(str_printf(path, sizeof(path), "%s.lock", memory_path(me)));
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_false(write_out(me, &wi, 1, &err));
	assert_int_equal(err.code, ERR_TIMEOUT);
	close(fd);
	write_well(me, &wi, 1);
	witness_free(&wi);
	memory_close(&me);
}

static void without_a_home_there_is_no_memory(void **state)
{
	char *home = getenv("HOME") != NULL ? mem_strdup(getenv("HOME")) : NULL;
	struct err err;
	struct memory *me;

	unsetenv("HOME");
	setenv("XDG_STATE_HOME", "not/absolute", 1);
	err_init(&err);
	assert_null(memory_open("c", &err));
	setenv("HOME", "/home/ops", 1);
	me = open_of("c");
	assert_string_equal(memory_path(me), "/home/ops/.local/state/kafops/memory/c.json");
	memory_close(&me);
	setenv("XDG_STATE_HOME", state_dir, 1);
	if (home != NULL)
		setenv("HOME", home, 1);
	mem_free(&home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_comes_back_whole),
		cmocka_unit_test(what_ended_is_left_out_and_without_anything_there_is_no_file),
		cmocka_unit_test(with_nothing_to_keep_nothing_is_made),
		cmocka_unit_test(two_programs_lose_nothing_of_each_other),
		cmocka_unit_test(a_deletion_whose_topic_is_not_known_yet_is_not_kept),
		cmocka_unit_test(of_too_much_what_changed_last_stays),
		cmocka_unit_test(a_file_cut_anywhere_is_an_error_and_no_more),
		cmocka_unit_test(values_that_can_not_be_are_errors),
		cmocka_unit_test(a_bad_file_is_set_aside_and_said),
		cmocka_unit_test(a_file_of_a_newer_version_is_left_alone),
		cmocka_unit_test(an_id_from_outside_leads_nowhere_else),
		cmocka_unit_test(a_full_disk_is_told_once_and_the_old_file_stays),
		cmocka_unit_test(what_is_in_the_way_is_named),
		cmocka_unit_test(a_lock_that_stays_held_is_given_up_on_in_time),
		cmocka_unit_test(without_a_home_there_is_no_memory),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
