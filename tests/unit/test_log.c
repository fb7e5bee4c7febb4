/* SPDX-License-Identifier: Apache-2.0 */
/* Each case logs to a file in a scratch folder of its own. */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

enum { THREADS = 4, LINES_EACH = 500 };

struct scratch {
	char dir[64];
	char path[80];
};

static int setup(void **state)
{
	struct scratch *sc = mem_zalloc(sizeof(*sc));

	if (!str_copy(sc->dir, sizeof(sc->dir), "/tmp/kafops-log-XXXXXX") || !mkdtemp(sc->dir))
		return -1;
	str_printf(sc->path, sizeof(sc->path), "%s/log", sc->dir);
	*state = sc;
	return 0;
}

static int teardown(void **state)
{
	struct scratch *sc = *state;

	log_close();
	unlink(sc->path);
	rmdir(sc->dir);
	mem_free(&sc);
	return 0;
}

static void must_open(const char *path, enum log_level max)
{
	struct err err;

	err_init(&err);
	assert_true(log_open(path, max, &err));
}

static void read_log(const char *path, struct strbuf *out)
{
	char chunk[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	assert_true(fd >= 0);
	strbuf_init(out);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		strbuf_putn(out, chunk, (size_t)n);
	close(fd);
}

/* The one line of the log is a time stamp and `expected`. */
static void assert_logged(const char *path, const char *expected)
{
	static const char shape[] = "0000-00-00T00:00:00.000Z ";
	struct strbuf text;

	read_log(path, &text);
	assert_true(text.len > sizeof(shape));
	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == '0')
			assert_true(text.s[i] >= '0' && text.s[i] <= '9');
		else
			assert_int_equal(text.s[i], shape[i]);
	}
	assert_string_equal(text.s + sizeof(shape) - 1, expected);
	strbuf_fini(&text);
}

static void closed_log_drops_everything(void **state)
{
	assert_int_equal(log_fd(), -1);
	log_put(LOG_ERROR, "test", "nobody hears this");
	log_close();
	assert_int_equal(log_fd(), -1);
}

static void line_has_time_level_area_and_text(void **state)
{
	struct scratch *sc = *state;

	must_open(sc->path, LOG_INFO);
	assert_true(log_fd() >= 0);
	log_put(LOG_WARN, "zk", "session %d expired", 7);
	assert_logged(sc->path, "WARN zk: session 7 expired\n");
}

static void lines_above_the_level_are_dropped(void **state)
{
	struct scratch *sc = *state;

	must_open(sc->path, LOG_WARN);
	log_put(LOG_INFO, "zk", "no");
	log_put(LOG_DEBUG, "zk", "no");
	log_put(LOG_ERROR, "zk", "yes");
	assert_logged(sc->path, "ERROR zk: yes\n");
}

static void hostile_bytes_stay_on_their_line(void **state)
{
	struct scratch *sc = *state;

	must_open(sc->path, LOG_DEBUG);
	log_put(LOG_DEBUG, "zk", "a\nb\x1b[2J\xff\n");
	assert_logged(sc->path, "DEBUG zk: a^Jb^[[2J\\xFF\n");
}

static void file_is_private_and_appended_to(void **state)
{
	struct scratch *sc = *state;
	struct strbuf text;
	struct stat st;

	umask(0);
	must_open(sc->path, LOG_INFO);
	log_put(LOG_INFO, "a", "one");
	log_close();
	must_open(sc->path, LOG_INFO);
	log_put(LOG_INFO, "a", "two");
	assert_int_equal(stat(sc->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	read_log(sc->path, &text);
	assert_non_null(strstr(text.s, "one\n"));
	assert_non_null(strstr(text.s, "two\n"));
	strbuf_fini(&text);
}

static void log_that_cannot_be_opened_says_why(void **state)
{
	struct scratch *sc = *state;
	struct err err;

	err_init(&err);
	assert_false(log_open(sc->dir, LOG_INFO, &err));
	assert_int_equal(err.code, ERR_IO);
	assert_non_null(strstr(err.text, sc->dir));
	assert_non_null(strstr(err.text, "directory"));
	assert_int_equal(log_fd(), -1);
}

static void errno_survives_logging(void **state)
{
	struct scratch *sc = *state;

	must_open(sc->path, LOG_INFO);
	errno = ENOENT;
	log_put(LOG_INFO, "a", "%s", "b");
	assert_int_equal(errno, ENOENT);
}

/* What a full disk does, by way of a limit on the size of files. */
static void line_that_does_not_fit_is_lost_and_told_once(void **state)
{
	struct scratch *sc = *state;
	struct rlimit old, lim;
	struct strbuf text;
	struct err err;

	must_open(sc->path, LOG_INFO);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	lim = old;
	lim.rlim_cur = 100;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &lim), 0);
	err_init(&err);
	log_put(LOG_INFO, "a", "first");
	assert_false(log_take_failure(&err));
	log_put(LOG_INFO, "a", "second, of which a part fits and %s", "a long rest does not");
	log_put(LOG_INFO, "a", "third");
	assert_true(log_take_failure(&err));
	assert_non_null(strstr(err.text, sc->path));
	assert_non_null(strstr(err.text, "File too large"));
	assert_false(log_take_failure(&err));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	log_put(LOG_INFO, "a", "fourth");
	read_log(sc->path, &text);
	assert_non_null(strstr(text.s, "a: first\n"));
	assert_null(strstr(text.s, "third"));
	assert_int_equal(text.s[100], '\n');
	assert_non_null(strstr(text.s + 101, "INFO a: fourth\n"));
	strbuf_fini(&text);
}

static void *log_many(void *arg)
{
	const char *name = arg;

	for (int i = 0; i < LINES_EACH; i++)
		log_put(LOG_INFO, name, "line %d of a thread, long enough to be torn", i);
	return NULL;
}

static void threads_do_not_tear_lines(void **state)
{
	static char names[THREADS][2] = { "a", "b", "c", "d" };
	struct scratch *sc = *state;
	pthread_t threads[THREADS];
	struct strbuf text;
	size_t lines = 0;

	must_open(sc->path, LOG_INFO);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, log_many, names[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	read_log(sc->path, &text);
	for (const char *s = text.s; *s; s = strchr(s, '\n') + 1, lines++) {
		assert_int_equal(s[4], '-');
		assert_memory_equal(strchr(s, '\n') - 4, "torn", 4);
	}
	assert_int_equal(lines, THREADS * LINES_EACH);
	strbuf_fini(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(closed_log_drops_everything, setup, teardown),
		cmocka_unit_test_setup_teardown(line_has_time_level_area_and_text, setup, teardown),
		cmocka_unit_test_setup_teardown(lines_above_the_level_are_dropped, setup, teardown),
		cmocka_unit_test_setup_teardown(hostile_bytes_stay_on_their_line, setup, teardown),
		cmocka_unit_test_setup_teardown(file_is_private_and_appended_to, setup, teardown),
		cmocka_unit_test_setup_teardown(log_that_cannot_be_opened_says_why, setup, teardown),
		cmocka_unit_test_setup_teardown(errno_survives_logging, setup, teardown),
		cmocka_unit_test_setup_teardown(line_that_does_not_fit_is_lost_and_told_once, setup, teardown),
		cmocka_unit_test_setup_teardown(threads_do_not_tear_lines, setup, teardown),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
