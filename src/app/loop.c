/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The turn: wait, read keys, drain, paint. Why keys after every wake-up: a resize shows only as a key (ncurses).
 * A resize, a stop or a continue is let in only while we wait: one that came just before the wait
 * would else be noticed at the next wake-up, which may be a second away.
 */
#include "app/loop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "app/exit.h"
#include "app/session.h"

enum { FD_SIGNALS, FD_SESSION, FD_INPUT, FDS };

static int sooner(dur_ms a, dur_ms b)
{
	dur_ms d = dur_sooner(a, b);

	return d > 3600000 ? 3600000 : (int)d;
}

/* `waiting` is the mask to wait with. */
static void block_screen_signals(sigset_t *before, sigset_t *waiting)
{
	static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&set, signals[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
	*waiting = *before;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigdelset(waiting, signals[i]);
}

/* poll in milliseconds, -1 without end. */
static int wait_for(struct pollfd *fds, int ms, const sigset_t *mask)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	return ppoll(fds, FDS, ms < 0 ? NULL : &ts, mask);
}

static int run(struct session *ss, const struct loop_hooks *hooks, const sigset_t *mask)
{
	struct pollfd fds[FDS] = {
		[FD_SIGNALS] = { .fd = exit_fd(), .events = POLLIN },
		[FD_SESSION] = { .events = POLLIN },
		[FD_INPUT] = { .events = POLLIN },
	};

	for (;;) {
		dur_ms wanted;
		bool more;
		int sig;

		session_tick(ss);
		more = session_drain(ss);
		wanted = hooks->before_sleep(hooks->ctx);
		fds[FD_SESSION].fd = hooks->is_holding ? -1 : session_fd(ss);
		fds[FD_INPUT].fd = hooks->input_fd;
		if (wait_for(fds, more ? 0 : sooner(wanted, hooks->is_holding ? -1 : session_wait(ss)), mask) < 0 && errno != EINTR)
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

int loop_run(struct session *ss, const struct loop_hooks *hooks)
{
	sigset_t before, waiting;
	int sig;

	block_screen_signals(&before, &waiting);
	sig = run(ss, hooks, &waiting);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return sig;
}
