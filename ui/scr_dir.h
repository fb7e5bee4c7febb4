/* SPDX-License-Identifier: Apache-2.0 */
/* One log dir opened, by "broker:path": the replicas in it. Thread: UI thread. */
#ifndef UI_SCR_DIR_H
#define UI_SCR_DIR_H

#include "ui/screen.h"

extern const struct screen_ops scr_dir;

#endif
