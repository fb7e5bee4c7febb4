/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paints the whole: cluster, views, title or banner, content, message or prompt, keys.
 * Thread: UI thread.
 */
#ifndef UI_FRAME_H
#define UI_FRAME_H

struct console;

/* One frame at the terminal's size, one doupdate. */
void frame_paint(struct console *co);

#endif
