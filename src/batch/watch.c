/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/session.h"
#include "base/err.h"
#include "base/str.h"
#include "batch/print.h"

enum { TOPICS_MAX = 200 };

struct watch {
	struct batch_job *job;
	struct session *ss;
	const struct watch_ops *ops;
	void *self;
	int error;               /* errno of a line that could not be written */
};

/* ---- lines ------------------------------------------------------------------------------- */

static bool put_line(void *ctx, json_t *line)
{
	struct watch *wa = ctx;
	struct strbuf out;

	strbuf_init(&out);
	json_write(&out, line);
	strbuf_putc(&out, '\n');
	json_decref(line);
	errno = 0;
	if (fwrite(out.s, 1, out.len, stdout) != out.len || fflush(stdout) != 0)
		wa->error = errno ? errno : EIO;
	strbuf_fini(&out);
	return wa->error == 0;
}

static void put_snapshot(struct watch *wa, const struct envelope *env)
{
	json_t *line = json_object();

	json_put(line, "at", batch_time(wa->job->now));
	json_put(line, "snapshot", envelope_json(env));
	(void)put_line(wa, line);
}

/* ---- turns -------------------------------------------------------------------------------- */

static void look(struct watch *wa, bool at_all)
{
	struct changes ch = session_changes(wa->ss);
	const char *names[TOPICS_MAX];

	wa->job->mono = session_mono(wa->ss);
	wa->job->now = session_now(wa->ss);
	wa->ops->look(wa->self, wa->job, at_all ? NULL : &ch, put_line, wa);
	session_changes_clear(wa->ss);
	session_want(wa->ss, names, wa->ops->topics(wa->self, names, TOPICS_MAX), wa->ops->asks);
}

/* Something to read, a signal, the end of our reader, or `wait` over (-1: never). */
static bool sleep_for(struct watch *wa, dur_ms wait)
{
	struct pollfd fds[3] = {
		{ .fd = session_fd(wa->ss), .events = POLLIN },
		{ .fd = exit_fd(), .events = POLLIN },
		{ .fd = STDOUT_FILENO },       /* a pipe without a reader: POLLERR, whatever is asked for */
	};

	if (poll(fds, 3, wait < 0 ? -1 : wait > 60000 ? 60000 : (int)wait) < 0 && errno != EINTR)
		exit_die(EXIT_FAILED, "poll: %s", strerror(errno));
	return !(fds[2].revents & (POLLERR | POLLHUP | POLLNVAL));
}

static int go_on(struct watch *wa)
{
	mono_ms begun = session_mono(wa->ss);
	dur_ms limit = wa->job->opt->watch_for;

	for (;;) {
		dur_ms left = -1, wait;
		int sig;

		session_tick(wa->ss);
		while (session_drain(wa->ss))
			if ((sig = exit_signal()) != 0)
				return exit_status_of_signal(sig);
		if ((sig = exit_signal()) != 0)
			return exit_status_of_signal(sig);
		wait = wa->ops->wait(wa->self, wa->job);
		if (session_changes(wa->ss).bits || wait == 0)
			look(wa, false);
		if (wa->error)
			return wa->error == EPIPE ? EXIT_DONE : EXIT_FAILED;
		if (limit > 0 && (left = limit - mono_since(session_mono(wa->ss), begun)) <= 0)
			return EXIT_DONE;
		wa->job->mono = session_mono(wa->ss);
		wait = dur_sooner(dur_sooner(wa->ops->wait(wa->self, wa->job), session_wait(wa->ss)), left);
		if (!sleep_for(wa, wait))
			return EXIT_DONE;
	}
}

int watch_run(struct batch_job *job, struct session *ss, const struct envelope *env, struct err *err)
{
	struct watch wa = { .job = job, .ss = ss, .ops = job->command->watch };
	int status;

	put_snapshot(&wa, env);
	wa.self = wa.ops->begin(job);
	look(&wa, true);
	status = wa.error ? wa.error == EPIPE ? EXIT_DONE : EXIT_FAILED : go_on(&wa);
	wa.ops->end(&wa.self);
	if (status == EXIT_FAILED)
		err_set(err, ERR_IO, "standard output: %s", strerror(wa.error));
	return status;
}
