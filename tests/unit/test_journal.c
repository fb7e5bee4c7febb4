/* SPDX-License-Identifier: Apache-2.0 */
#include "io/journal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/intents.h"
#include "core/outcome.h"
#include "core/record.h"
#include "io/who.h"

/* ---- a folder of its own -------------------------------------------------------------------- */

struct place {
	char folder[256], path[JOURNAL_PATH_MAX];
};

static int begin(void **state)
{
	struct place *pl = mem_zalloc(sizeof(*pl));
	const char *tmp = getenv("TMPDIR");
	struct err err;

	err_init(&err);
	str_printf(pl->folder, sizeof(pl->folder), "%s/journal.XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(pl->folder));
	setenv("XDG_STATE_HOME", pl->folder, 1);
	assert_true(journal_default_path(pl->path, &err));
	*state = pl;
	return 0;
}

static int end(void **state)
{
	struct place *pl = *state;
	char command[400];

	str_printf(command, sizeof(command), "rm -rf '%s'", pl->folder);
	assert_int_equal(system(command), 0);
	mem_free(&pl);
	return 0;
}

static struct record *record_of(enum record_phase phase, uint64_t id)
{
	struct record *re = record_new();

	re->id = id;
	re->phase = phase;
	re->at = (wall_ms){ INT64_C(1767323045678) };
	re->command = mem_strdup("delete-topics");
	re->n_items = 1;
	re->items = mem_array(1, sizeof(*re->items));
	re->items[0] = (struct record_item){ .topic = mem_strdup("orders"), .partitions = -1, .replicas = -1, .size_bytes = -1, .outcome = RECORD_NO_OUTCOME };
	return re;
}

static bool put(const char *path, enum record_phase phase, uint64_t id, int outcome, struct err *err)
{
	struct record *re = record_of(phase, id);
	bool ok;

	err_init(err);
	re->items[0].outcome = outcome;
	ok = journal_write(path, re, err);
	record_free(&re);
	return ok;
}

static void must_put(const char *path, enum record_phase phase, uint64_t id, int outcome)
{
	struct err err;

	if (!put(path, phase, id, outcome, &err))
		fail_msg("%s", err.text);
}

static void put_fails(const char *path, const char *part)
{
	struct err err;

	if (put(path, RECORD_INTENT, 1, RECORD_NO_OUTCOME, &err))
		fail_msg("it was written");
	if (!strstr(err.text, part) || !strstr(err.text, "journal"))
		fail_msg("\"%s\" is not in \"%s\"", part, err.text);
}

/* What was read: ids of records, and where bad lines began. */
enum { SEEN_MAX = 20000 };
struct seen {
	uint64_t ids[SEEN_MAX], bad[SEEN_MAX];
	size_t n, n_bad;
	struct journal_place place;
};
static struct seen seen;

static void see_record(void *ctx, struct record *re, uint64_t offset)
{
	(void)ctx, (void)offset;
	assert_true(seen.n < SEEN_MAX);
	seen.ids[seen.n++] = re->id;
	record_free(&re);
}

static void see_bad(void *ctx, uint64_t offset, const char *why)
{
	(void)ctx;
	assert_true(*why);
	assert_true(seen.n_bad < SEEN_MAX);
	seen.bad[seen.n_bad++] = offset;
}

static const struct journal_reader seer = { .record = see_record, .bad = see_bad };

static void look(const char *path)
{
	struct err err;

	err_init(&err);
	memset(&seen, 0, sizeof(seen));
	if (!journal_read(path, &seen.place, &seer, NULL, &err))
		fail_msg("%s", err.text);
}

static void write_raw(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_size : -1;
}

/* ---- tests ------------------------------------------------------------------------------------- */

static void the_place_is_by_the_environment(void **state)
{
	char path[JOURNAL_PATH_MAX];
	struct err err;

	(void)state;
	err_init(&err);
	setenv("HOME", "/home/oncall", 1);
	setenv("XDG_STATE_HOME", "relative", 1);
	assert_true(journal_default_path(path, &err));
	assert_string_equal(path, "/home/oncall/.local/state/kafops/journal");
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_false(journal_default_path(path, &err));
	assert_non_null(strstr(err.text, "XDG_STATE_HOME"));
}

static void records_come_back_in_order_from_a_file_of_ours_alone(void **state)
{
	struct place *pl = *state;
	struct stat st;

	for (uint64_t id = 1; id <= 3; id++)
		must_put(pl->path, RECORD_INTENT, id, RECORD_NO_OUTCOME);
	look(pl->path);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.n_bad, 0);
	for (uint64_t id = 1; id <= 3; id++)
		assert_int_equal(seen.ids[id - 1], id);
	assert_false(seen.place.is_torn);
	assert_int_equal(seen.place.offset, size_of(pl->path));
	assert_int_equal(stat(pl->path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void no_file_has_no_records(void **state)
{
	struct place *pl = *state;

	look(pl->path);
	assert_int_equal(seen.n + seen.n_bad, 0);
}

static void what_came_since_is_read_alone(void **state)
{
	struct place *pl = *state;
	char old[JOURNAL_PATH_MAX + 8];
	bool is_new;
	struct err err;

	err_init(&err);
	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	look(pl->path);
	must_put(pl->path, RECORD_INTENT, 2, RECORD_NO_OUTCOME);
	assert_true(journal_read(pl->path, &seen.place, &seer, &is_new, &err));
	assert_false(is_new);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.ids[1], 2);
	str_printf(old, sizeof(old), "%s.old", pl->path);
	assert_int_equal(rename(pl->path, old), 0);
	must_put(pl->path, RECORD_INTENT, 3, RECORD_NO_OUTCOME);
	assert_true(journal_read(pl->path, &seen.place, &seer, &is_new, &err));
	assert_true(is_new);
	assert_int_equal(seen.ids[2], 3);
}

static void a_torn_last_line_is_told_with_its_place_and_never_glued_to_the_next(void **state)
{
	struct place *pl = *state;
	off_t whole;

	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	whole = size_of(pl->path);
	write_raw(pl->path, "{\"v\":1,\"id\":\"00", O_APPEND);
	look(pl->path);
	assert_int_equal(seen.n, 1);
	assert_true(seen.place.is_torn);
	assert_int_equal(seen.place.offset, whole);
	must_put(pl->path, RECORD_INTENT, 2, RECORD_NO_OUTCOME);
	look(pl->path);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.n_bad, 1);
	assert_int_equal(seen.bad[0], whole);
	assert_false(seen.place.is_torn);
}

static void lines_that_are_no_records_are_passed_over(void **state)
{
	struct place *pl = *state;

	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	write_raw(pl->path, "\n\xff\xfe\n{}\nnull\n", O_APPEND);
	must_put(pl->path, RECORD_INTENT, 2, RECORD_NO_OUTCOME);
	look(pl->path);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.n_bad, 3); /* an empty line is nothing */
}

static void a_line_longer_than_a_record_can_be_is_not_kept_in_memory(void **state)
{
	struct place *pl = *state;
	int fd;

	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	fd = open(pl->path, O_WRONLY | O_APPEND);
	assert_int_equal(ftruncate(fd, JOURNAL_LINE_MAX_BYTES + INT64_C(1000000)), 0);
	assert_int_equal(write(fd, "\n", 1), 1);
	close(fd);
	must_put(pl->path, RECORD_INTENT, 2, RECORD_NO_OUTCOME);
	look(pl->path);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.n_bad, 1);
}

static void an_intent_without_outcome_is_found(void **state)
{
	struct place *pl = *state;
	struct intents in;
	struct err err;

	err_init(&err);
	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	must_put(pl->path, RECORD_INTENT, 2, RECORD_NO_OUTCOME);
	must_put(pl->path, RECORD_OUTCOME, 1, OUTCOME_DONE);
	assert_true(journal_open_intents(pl->path, &in, &err));
	assert_int_equal(in.n, 1);
	assert_int_equal(in.v[0]->id, 2);
	intents_fini(&in);
}

static void a_record_that_could_not_be_read_back_is_not_written(void **state)
{
	struct place *pl = *state;
	struct record *re = record_of(RECORD_INTENT, 1);
	struct err err;

	err_init(&err);
	re->text = mem_alloc(JOURNAL_LINE_MAX_BYTES + 1);
	memset(re->text, 'x', JOURNAL_LINE_MAX_BYTES);
	re->text[JOURNAL_LINE_MAX_BYTES] = '\0';
	assert_false(journal_write(pl->path, re, &err));
	assert_non_null(strstr(err.text, "choose fewer topics"));
	assert_int_equal(size_of(pl->path), 0);
	record_free(&re);
}

/* ---- where it can't be written -------------------------------------------------------------------- */

static void what_is_no_file_is_refused(void **state)
{
	struct place *pl = *state;
	char folder[300];

	str_printf(folder, sizeof(folder), "%s/kafops", pl->folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkdir(pl->path, 0700), 0);
	put_fails(pl->path, "move it away");
	assert_int_equal(rmdir(pl->path), 0);
	assert_int_equal(symlink("/dev/full", pl->path), 0);
	put_fails(pl->path, "no regular file");
	assert_int_equal(unlink(pl->path), 0);
	assert_int_equal(mkfifo(pl->path, 0600), 0);
	put_fails(pl->path, "no regular file");
	assert_int_equal(unlink(pl->path), 0);
	assert_int_equal(rmdir(folder), 0);
	write_raw(folder, "", 0);
	put_fails(pl->path, "move it away");
}

static void a_place_that_is_read_only_says_so(void **state)
{
	(void)state;
	put_fails("/proc/kafops/journal", "/proc/kafops");
	put_fails("/sys/kafops/journal", "/sys/kafops");
}

/* As a disk that is full: nothing of the line is left. */
static void a_file_that_may_not_grow_is_an_error_and_keeps_no_part(void **state)
{
	struct place *pl = *state;
	struct rlimit before, small;
	off_t whole;

	signal(SIGXFSZ, SIG_IGN);
	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	whole = size_of(pl->path);
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = (rlim_t)whole + 10;
	setrlimit(RLIMIT_FSIZE, &small);
	put_fails(pl->path, "ulimit -f");
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(size_of(pl->path), whole);
	look(pl->path);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.n_bad, 0);
	assert_false(seen.place.is_torn);
}

static void a_lock_that_nobody_gives_back_is_an_error_in_bounded_time(void **state)
{
	struct place *pl = *state;
	int fd;

	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	fd = open(pl->path, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	put_fails(pl->path, "locked");
	look(pl->path); /* and reading goes on without */
	assert_int_equal(seen.n, 1);
	close(fd);
}

/* ---- several, and killed ------------------------------------------------------------------------- */

static void two_processes_never_mix_their_lines(void **state)
{
	enum { EACH = 200 };
	struct place *pl = *state;
	pid_t pid[2];
	int status;

	for (int p = 0; p < 2; p++) {
		pid[p] = fork();
		if (pid[p] == 0) {
			struct err err;

			/* One that never lets go may keep the other out for longer than that waits: it asks again. */
			for (uint64_t i = 0; i < EACH; i++)
				while (!put(pl->path, RECORD_INTENT, (uint64_t)p << 32 | i, RECORD_NO_OUTCOME, &err))
					if (!strstr(err.text, "locked"))
						_exit(1);
			_exit(0);
		}
	}
	for (int p = 0; p < 2; p++) {
		assert_int_equal(waitpid(pid[p], &status, 0), pid[p]);
		assert_int_equal(status, 0);
	}
	look(pl->path);
	assert_int_equal(seen.n, 2 * EACH);
	assert_int_equal(seen.n_bad, 0);
	for (uint64_t p = 0; p < 2; p++) {
		uint64_t next = 0;

		for (size_t i = 0; i < seen.n; i++)
			if (seen.ids[i] >> 32 == p)
				assert_int_equal(seen.ids[i] & 0xffffffff, next++);
	}
}

/* A writer that dies after any number of bytes: SIGXFSZ ends it just there. */
static void a_writer_that_dies_within_a_line_leaves_a_readable_journal(void **state)
{
	struct place *pl = *state;
	off_t line;

	must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
	line = size_of(pl->path);
	for (off_t k = 0; k < line; k += 7) {
		off_t before;
		int status;
		pid_t pid;

		unlink(pl->path);
		must_put(pl->path, RECORD_INTENT, 1, RECORD_NO_OUTCOME);
		before = size_of(pl->path);
		pid = fork();
		if (pid == 0) {
			struct rlimit small = { (rlim_t)(before + k), RLIM_INFINITY };
			struct rlimit none = { 0, 0 };
			struct err err;

			signal(SIGXFSZ, SIG_DFL);
			setrlimit(RLIMIT_CORE, &none);
			setrlimit(RLIMIT_FSIZE, &small);
			put(pl->path, RECORD_INTENT, 2, RECORD_NO_OUTCOME, &err);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(size_of(pl->path), before + k);
		look(pl->path);
		assert_int_equal(seen.n, 1);
		assert_int_equal(seen.place.is_torn, k > 0);
		must_put(pl->path, RECORD_INTENT, 3, RECORD_NO_OUTCOME);
		look(pl->path);
		assert_int_equal(seen.n, 2);
		assert_int_equal(seen.ids[1], 3);
		assert_int_equal(seen.n_bad, k > 0);
	}
}

/* Wherever in its work the kill finds it: what it had said to be written is there. */
static void a_killed_writer_loses_nothing_that_was_said_to_be_written(void **state)
{
	enum { ROUNDS = 60 };
	struct place *pl = *state;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t said = 0, id;
		int ends[2], status;
		pid_t pid;

		unlink(pl->path);
		assert_int_equal(pipe(ends), 0);
		pid = fork();
		if (pid == 0) {
			struct err err;

			close(ends[0]);
			for (id = 1; put(pl->path, RECORD_INTENT, id, RECORD_NO_OUTCOME, &err); id++)
				if (write(ends[1], &id, sizeof(id)) != (ssize_t)sizeof(id))
					break;
			_exit(1);
		}
		close(ends[1]);
		while (said < (uint64_t)round % 12 + 1 && read(ends[0], &id, sizeof(id)) == (ssize_t)sizeof(id))
			said = id;
		kill(pid, SIGKILL);
		while (read(ends[0], &id, sizeof(id)) == (ssize_t)sizeof(id))
			said = id;
		close(ends[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		look(pl->path);
		assert_int_equal(seen.n_bad, 0);
		assert_true(seen.n == said || seen.n == said + 1);
		must_put(pl->path, RECORD_OUTCOME, 1, OUTCOME_DONE);
		look(pl->path);
		assert_true(seen.n >= said + 1);
	}
}

static void who_it_is_comes_from_the_system(void **state)
{
	struct record_who who;

	(void)state;
	setenv("SSH_CLIENT", "192.0.2.7 51234 22", 1);
	who_is(&who);
	assert_string_equal(who.ssh_client, "192.0.2.7");
	assert_int_equal(who.uid, getuid());
	assert_int_equal(who.pid, getpid());
	assert_non_null(who.host);
	assert_non_null(strstr(who.version, "kafops"));
	record_who_fini(&who);
	setenv("SSH_CLIENT", "", 1);
	unsetenv("SSH_CONNECTION");
	who_is(&who);
	assert_null(who.ssh_client);
	record_who_fini(&who);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_place_is_by_the_environment),
		cmocka_unit_test(who_it_is_comes_from_the_system),
		cmocka_unit_test_setup_teardown(records_come_back_in_order_from_a_file_of_ours_alone, begin, end),
		cmocka_unit_test_setup_teardown(no_file_has_no_records, begin, end),
		cmocka_unit_test_setup_teardown(what_came_since_is_read_alone, begin, end),
		cmocka_unit_test_setup_teardown(a_torn_last_line_is_told_with_its_place_and_never_glued_to_the_next, begin, end),
		cmocka_unit_test_setup_teardown(lines_that_are_no_records_are_passed_over, begin, end),
		cmocka_unit_test_setup_teardown(a_line_longer_than_a_record_can_be_is_not_kept_in_memory, begin, end),
		cmocka_unit_test_setup_teardown(an_intent_without_outcome_is_found, begin, end),
		cmocka_unit_test_setup_teardown(a_record_that_could_not_be_read_back_is_not_written, begin, end),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, begin, end),
		cmocka_unit_test(a_place_that_is_read_only_says_so),
		cmocka_unit_test_setup_teardown(a_file_that_may_not_grow_is_an_error_and_keeps_no_part, begin, end),
		cmocka_unit_test_setup_teardown(a_lock_that_nobody_gives_back_is_an_error_in_bounded_time, begin, end),
		cmocka_unit_test_setup_teardown(two_processes_never_mix_their_lines, begin, end),
		cmocka_unit_test_setup_teardown(a_writer_that_dies_within_a_line_leaves_a_readable_journal, begin, end),
		cmocka_unit_test_setup_teardown(a_killed_writer_loses_nothing_that_was_said_to_be_written, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
