/* SPDX-License-Identifier: Apache-2.0 */
/* The log dirs of all brokers. Thread: UI thread. */
#ifndef UI_SCR_DIRS_H
#define UI_SCR_DIRS_H

#include "ui/screen.h"

extern const struct screen_ops scr_dirs;

#endif
