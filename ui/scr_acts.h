/* SPDX-License-Identifier: Apache-2.0 */
/* What would help a deletion (argument "topic/czxid"): who can do it, and what can be done from here. Keys of rows: SCR_ACTS_*. */
#ifndef UI_SCR_ACTS_H
#define UI_SCR_ACTS_H

#include "ui/screen.h"

#define SCR_ACTS_MARKER "act:marker"
#define SCR_ACTS_CONTROLLER "act:controller"

extern const struct screen_ops scr_acts;

#endif
