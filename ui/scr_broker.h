/* SPDX-License-Identifier: Apache-2.0 */
/* What one broker holds, over view/vm_broker. `arg` is its id. Thread: UI thread. */
#ifndef UI_SCR_BROKER_H
#define UI_SCR_BROKER_H

#include "ui/screen.h"

extern const struct screen_ops scr_broker;

#endif
