/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program and kills it (SIGKILL) at a moment. For end-to-end tests.
 *
 *   killat REPORT AFTER_US [FILE TEXT NTH] -- PROGRAM ARGUMENTS...
 *
 * The moment is AFTER_US microseconds after the start, or, with FILE, after TEXT stands for the NTH time (from 1) in what is added to FILE from
 * the start on; FILE may not be there yet. The program keeps its terminal; Ctrl-C there is for it alone. REPORT gets one line, times in
 * microseconds of CLOCK_MONOTONIC, and WALL in milliseconds since 1970:
 *   killed TIME START WALL         ended STATUS TIME START WALL      (it was faster; by a signal: 128 + its number)
 * Ends with 0 when it killed, 1 when the program ended before.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

enum { LOOK_EVERY_NS = 100000, CHUNK = 65536, TEXT_BYTES = 64 };

struct moment {
	int64_t after_us;
	const char *file, *text;
	int64_t nth;
	off_t at;               /* read so far */
	char tail[TEXT_BYTES];  /* the end of it, shorter than `text` */
	int64_t due_us;         /* 0: not known yet */
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "killat: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int64_t clock_us(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* How often `text` stands in what came; a file that is read again from its start is none of ours. */
static int64_t count_new(struct moment *mo)
{
	static char buf[TEXT_BYTES + CHUNK + 1];
	size_t keep = strlen(mo->tail), len = strlen(mo->text);
	int fd = open(mo->file, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? pread(fd, buf + keep, CHUNK, mo->at) : 0;
	int64_t n = 0;

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return 0;
	memcpy(buf, mo->tail, keep);
	buf[keep + (size_t)got] = '\0';
	mo->at += got;
	for (const char *s = buf; (s = strstr(s, mo->text)) != NULL; s += len)
		n++;
	keep = strlen(buf) < len - 1 ? strlen(buf) : len - 1;
	memcpy(mo->tail, buf + strlen(buf) - keep, keep + 1);
	return n;
}

static bool is_due(struct moment *mo, int64_t start_us)
{
	int64_t now = clock_us(CLOCK_MONOTONIC);

	if (mo->due_us == 0 && !mo->file)
		mo->due_us = start_us + mo->after_us;
	else if (mo->due_us == 0 && (mo->nth -= count_new(mo)) <= 0)
		mo->due_us = now + mo->after_us;
	return mo->due_us != 0 && now >= mo->due_us;
}

/* True: killed. False: it ended, with *status. */
static bool wait_and_kill(pid_t pid, struct moment *mo, int64_t start_us, int *status)
{
	static const struct timespec look_every = { .tv_nsec = LOOK_EVERY_NS };

	while (!is_due(mo, start_us)) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return false;
		nanosleep(&look_every, NULL);
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL;
}

static void report(const char *path, bool is_killed, int status, int64_t time_us, int64_t start_us)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die(path);
	if (is_killed)
		fprintf(f, "killed");
	else
		fprintf(f, "ended %d", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
	fprintf(f, " %lld %lld %lld\n", (long long)time_us, (long long)start_us, (long long)(clock_us(CLOCK_REALTIME) / 1000));
	fclose(f);
}

/* False: the arguments are none. */
static bool read_arguments(int argc, char **argv, struct moment *mo, char ***program)
{
	struct stat st;

	if (argc < 5 || !str_to_i64(argv[2], 0, INT64_MAX, &mo->after_us))
		return false;
	*program = argv + 4;
	if (strcmp(argv[3], "--") == 0)
		return true;
	if (argc < 8 || strcmp(argv[6], "--") != 0 || !str_to_i64(argv[5], 1, INT64_MAX, &mo->nth))
		return false;
	*program = argv + 7;
	mo->file = argv[3];
	mo->text = argv[4];
	mo->at = stat(mo->file, &st) == 0 ? st.st_size : 0;
	return *mo->text != '\0' && strlen(mo->text) < TEXT_BYTES;
}

static pid_t start(char **program)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid > 0)
		return pid;
	signal(SIGINT, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execvp(program[0], program);
	die(program[0]);
}

int main(int argc, char **argv)
{
	struct moment mo = { .at = 0 };
	char **program;
	int64_t start_us;
	bool is_killed;
	int status = 0;

	if (!read_arguments(argc, argv, &mo, &program)) {
		fprintf(stderr, "usage: killat REPORT AFTER_US [FILE TEXT NTH] -- PROGRAM ARGUMENTS...\n");
		return 2;
	}
	signal(SIGINT, SIG_IGN);
	start_us = clock_us(CLOCK_MONOTONIC);
	is_killed = wait_and_kill(start(program), &mo, start_us, &status);
	report(argv[1], is_killed, status, clock_us(CLOCK_MONOTONIC), start_us);
	return is_killed ? 0 : 1;
}
