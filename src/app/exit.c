/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals end in flags and one byte in a pipe. What runs in a handler is
 * async-signal-safe: write(2), sigaction(2), raise(3), and the terminal's emergency restore.
 */
#include "app/exit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { END_WITHIN_S = 5 };

/* Whatever would end us by default restores the terminal first. */
static const int end_signals[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,
#ifdef SIGPWR
	SIGPWR,
#endif
};
static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };

static int wake_pipe[2] = { -1, -1 };
static volatile sig_atomic_t first_signal;
static volatile sig_atomic_t continued;
static void (*volatile restore)(void);

static void restore_terminal(void)
{
	void (*fn)(void) = restore;

	restore = NULL; /* once: a crash while restoring must not come back here */
	if (fn != NULL)
		fn();
}

static void wake(void)
{
	int saved = errno;
	ssize_t n = write(wake_pipe[1], "x", 1); /* a full pipe wakes as well */

	(void)n;
	errno = saved;
}

static void die_of(int sig)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigaction(sig, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}

static void end_now(int sig)
{
	restore_terminal();
	die_of(sig);
}

/* Asked twice, in whatever words: at once. */
static void on_end(int sig)
{
	if (first_signal != 0)
		end_now(sig);
	first_signal = sig;
	alarm(END_WITHIN_S);
	wake();
}

/* Asked once, and something holds us up: a terminal that takes nothing blocks every write to it. */
static void on_late(int sig)
{
	end_now(first_signal != 0 ? first_signal : sig);
}

static void on_continue(int sig)
{
	continued = 1;
	wake();
}

static void on_crash(int sig)
{
	static const char text[] = "kafops: stopped by a fault of its own (signal ";
	char digits[] = "00).\n";
	ssize_t n;

	restore_terminal();
	digits[0] = (char)('0' + sig / 10 % 10);
	digits[1] = (char)('0' + sig % 10);
	n = write(STDERR_FILENO, text, sizeof(text) - 1);
	n = write(STDERR_FILENO, digits, sizeof(digits) - 1);
	(void)n;
	die_of(sig);
}

static void handle(int sig, void (*fn)(int), int flags)
{
	struct sigaction sa = { .sa_handler = fn, .sa_flags = flags };

	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

/* A crash on an overrun stack needs another one to run the handler on. */
static void use_other_stack(void)
{
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&ss, NULL);
}

static bool open_pipe(void)
{
	if (pipe(wake_pipe) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		fcntl(wake_pipe[i], F_SETFL, fcntl(wake_pipe[i], F_GETFL) | O_NONBLOCK);
		fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
	}
	return true;
}

static void set_blocked(int how)
{
	sigset_t set;

	sigfillset(&set);
	/* A fault in a thread that blocks it would end us without a restore. */
	for (size_t i = 0; i < sizeof(crash_signals) / sizeof(*crash_signals); i++)
		sigdelset(&set, crash_signals[i]);
	pthread_sigmask(how, &set, NULL);
}

/* Of a program out of memory, in any thread: async-signal-safe calls only. */
static void last_words(const char *text)
{
	ssize_t n;

	restore_terminal();
	n = write(STDERR_FILENO, "kafops: ", 8);
	n = write(STDERR_FILENO, text, strlen(text));
	n = write(STDERR_FILENO, "\n", 1);
	(void)n;
}

bool exit_init(void)
{
	if (!open_pipe())
		return false;
	set_blocked(SIG_BLOCK);
	use_other_stack();
	for (size_t i = 0; i < sizeof(end_signals) / sizeof(*end_signals); i++)
		handle(end_signals[i], on_end, 0);
	for (size_t i = 0; i < sizeof(crash_signals) / sizeof(*crash_signals); i++)
		handle(crash_signals[i], on_crash, SA_ONSTACK);
	handle(SIGALRM, on_late, 0);
	handle(SIGCONT, on_continue, SA_RESTART);
	handle(SIGPIPE, SIG_IGN, 0);
	handle(SIGXFSZ, SIG_IGN, 0); /* write(2) says it as well */
	mem_on_exhausted(last_words);
	return true;
}

void exit_unblock(void)
{
	set_blocked(SIG_UNBLOCK);
}

void exit_block(void)
{
	set_blocked(SIG_BLOCK);
}

int exit_fd(void)
{
	return wake_pipe[0];
}

int exit_signal(void)
{
	char bytes[64];

	while (read(wake_pipe[0], bytes, sizeof(bytes)) > 0)
		;
	return first_signal;
}

bool exit_take_continue(void)
{
	bool was = continued != 0;

	continued = 0;
	return was;
}

void exit_on_restore(void (*emergency)(void))
{
	restore = emergency;
}

int exit_status_of_signal(int sig)
{
	return 128 + sig;
}

void exit_die(int status, const char *fmt, ...)
{
	va_list ap;

	restore_terminal();
	fputs("kafops: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(status);
}
