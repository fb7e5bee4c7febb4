/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One turn of the program: wait, read keys, drain events, run due timers, then
 * the before-sleep hook (paint). Hooks as in a classic event loop; one poll.
 * Thread: UI thread.
 */
#ifndef APP_LOOP_H
#define APP_LOOP_H

#include <stdbool.h>

#include "base/units.h"

struct session;

struct loop_hooks {
	void *ctx;
	/* Keys are (or may be) there: read until none. Called after every wake-up. False ends the loop. */
	bool (*input)(void *ctx);
	/* Nothing more to do now: paint if need be. Returns the milliseconds until it wants to be called again whatever happens, -1: never. */
	dur_ms (*before_sleep)(void *ctx);
	int input_fd;             /* -1: none; looked at every turn */
	/* Set by before_sleep: a frame is due when its wait is over, and until then nobody would see what the session
	 * brings. It is left in the queue, so that a burst costs a wake-up a frame and not one an event. */
	bool is_holding;
};

/* Runs until input says no, a signal asks for the end, or the input ends. Returns the signal's number, 0 otherwise. */
int loop_run(struct session *ss, const struct loop_hooks *hooks);

#endif
