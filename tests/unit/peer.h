/* SPDX-License-Identifier: Apache-2.0 */
/* Runs tests/peer/peer (the scripted broker) for a test. For tests that include cmocka.h first. */
#ifndef TESTS_UNIT_PEER_H
#define TESTS_UNIT_PEER_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"

enum { PEER_ARGS_MAX = 12, PEER_PATIENCE_MS = 20000 };

struct peer_run {
	pid_t pid;
	int port;
	int in, out; /* to its standard input, from its standard output: readable when it pauses */
};

static inline const char *peer_path(void)
{
	static char path[4096];
	const char *top = getenv("top_builddir");

	if (!str_printf(path, sizeof(path), "%s/tests/peer/peer", top ? top : "."))
		fail_msg("%s is too long", path);
	return path;
}

static inline int peer_read_port(int fd)
{
	char text[16] = "";
	size_t n = 0;

	while (n < sizeof(text) - 1 && read(fd, &text[n], 1) == 1 && text[n] != '\n')
		n++;
	return (int)strtol(text, NULL, 10);
}

/* `options` ends with NULL; may be NULL. */
static inline struct peer_run peer_start(const char *const *options, const char *script)
{
	struct peer_run run = { .pid = -1 };
	const char *argv[PEER_ARGS_MAX] = { peer_path() };
	int in[2], out[2], n = 1;

	for (; options && *options; options++)
		argv[n++] = *options;
	argv[n] = script;
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	run.pid = fork();
	assert_true(run.pid >= 0);
	if (run.pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	run.in = in[1];
	run.out = out[0];
	run.port = peer_read_port(out[0]);
	assert_true(run.port > 0);
	return run;
}

/* Until it stands at its next `pause`. */
static inline void peer_wait_pause(const struct peer_run *run)
{
	char c = '\0';

	while (c != '\n')
		assert_int_equal(read(run->out, &c, 1), 1);
}

/* Past the next `pause`. */
static inline void peer_go_on(const struct peer_run *run)
{
	assert_int_equal(write(run->in, "\n", 1), 1);
}

/* All of its script came to pass. */
static inline void peer_end(struct peer_run *run)
{
	int status = -1;

	assert_int_equal(waitpid(run->pid, &status, 0), run->pid);
	close(run->in);
	close(run->out);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("the peer's script did not come to pass (status %d)", status);
}

/* Stops it, wherever it is. */
static inline void peer_stop(struct peer_run *run)
{
	kill(run->pid, SIGKILL);
	waitpid(run->pid, NULL, 0);
	close(run->in);
	close(run->out);
}

/* ---- certificates ---------------------------------------------------------------- */

/* A folder with what tests/peer/certs.sh makes; NULL when there is no openssl. */
static inline char *peer_certs(void)
{
	char *folder = mem_strdup("/tmp/kafops-certs-XXXXXX");
	const char *top = getenv("top_srcdir");
	char command[4096];

	if (system("command -v openssl >/dev/null") != 0 || !mkdtemp(folder)) {
		mem_free(&folder);
		return NULL;
	}
	if (!str_printf(command, sizeof(command), "bash '%s/tests/peer/certs.sh' %s >%s/log 2>&1", top ? top : ".", folder, folder) ||
	    system(command) != 0)
		fail_msg("%s/log says why there are no certificates", folder);
	return folder;
}

static inline void peer_certs_end(char **folder)
{
	char command[4096];

	if (*folder && str_printf(command, sizeof(command), "rm -rf %s", *folder) && system(command) != 0)
		fail_msg("can't remove %s", *folder);
	mem_free(folder);
}

#endif
