/* SPDX-License-Identifier: Apache-2.0 */
/* One topic opened, over view/vm_topic; `arg` is its name. Thread: UI thread. */
#ifndef UI_SCR_TOPIC_H
#define UI_SCR_TOPIC_H

#include "ui/screen.h"

extern const struct screen_ops scr_topic;

#endif
