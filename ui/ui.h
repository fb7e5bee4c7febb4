/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The console: brings the terminal up, runs the loop until its end, puts the terminal back.
 * Thread: UI thread.
 */
#ifndef UI_UI_H
#define UI_UI_H

struct options;
struct session;

/* The program's exit status: 0 ended by a key, 2 no usable terminal (said on standard error), 128 + n ended by signal n. */
int ui_run(struct session *ss, const struct options *opt);

#endif
