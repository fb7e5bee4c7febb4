/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals, last words, and putting the terminal back, in that order.
 *
 * exit_init blocks every signal that is ours before any library starts a thread, so that the
 * threads inherit the mask; exit_unblock lets the UI thread have them. SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT set a flag and wake the loop by a pipe; a second
 * one of any of them ends at once, and so does the first when the program hasn't ended five seconds later.
 * SIGPIPE and SIGXFSZ are left to the write(2) that fails.
 * SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT put the terminal back, say one line, and die of the same signal.
 * Thread: UI thread, but for the handlers.
 */
#ifndef APP_EXIT_H
#define APP_EXIT_H

#include <stdbool.h>

enum exit_status {
	EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_REFUSED = 3, EXIT_IN_PROGRESS = 4, EXIT_SOME_FAILED = 5
};

bool exit_init(void);
void exit_unblock(void);
void exit_block(void);             /* again, before a library starts a thread */
int exit_fd(void);                 /* readable when a signal has come */
int exit_signal(void);             /* the first signal that asked for the end, 0 when none; drains the descriptor */
bool exit_take_continue(void);     /* SIGCONT came since the last call: the terminal must be set up again */

/* What puts the terminal back. `emergency` is called from a signal handler: async-signal-safe calls only. NULL takes it away. */
void exit_on_restore(void (*emergency)(void));

/* Ends as a program killed by `sig` would be seen (128 + sig as status). */
int exit_status_of_signal(int sig);

/* Puts the terminal back, prints "kafops: <text>" on standard error and ends with `status`. Does not return. */
void exit_die(int status, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));

#endif
