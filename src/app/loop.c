/* SPDX-License-Identifier: Apache-2.0 */
/* The turn: wait, read keys, drain, paint. Why keys after every wake-up: a resize shows only as a key (ncurses). */
#include "app/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "app/exit.h"
#include "app/session.h"

enum { FD_SIGNALS, FD_SESSION, FD_INPUT, FDS };

static int sooner(dur_ms a, dur_ms b)
{
	dur_ms d = a < 0 ? b : b < 0 || a < b ? a : b;

	return d > 3600000 ? 3600000 : (int)d;
}

int loop_run(struct session *ss, const struct loop_hooks *hooks)
{
	struct pollfd fds[FDS] = {
		[FD_SIGNALS] = { .fd = exit_fd(), .events = POLLIN },
		[FD_SESSION] = { .fd = session_fd(ss), .events = POLLIN },
		[FD_INPUT] = { .fd = hooks->input_fd, .events = POLLIN },
	};

	for (;;) {
		dur_ms wanted;
		bool more;
		int sig;

		session_tick(ss);
		more = session_drain(ss);
		wanted = hooks->before_sleep(hooks->ctx);
		if (poll(fds, FDS, more ? 0 : sooner(wanted, session_wait(ss))) < 0 && errno != EINTR)
			return 0;
		sig = exit_signal();
		if (sig != 0)
			return sig;
		session_tick(ss);
		if (!hooks->input(hooks->ctx))
			return 0;
		if (fds[FD_INPUT].revents & (POLLHUP | POLLERR | POLLNVAL))
			return SIGHUP; /* the terminal is gone, whether or not the signal reached us */
	}
}
