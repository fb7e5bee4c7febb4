/* SPDX-License-Identifier: Apache-2.0 */
/* The change that is on its way (ui/change): what the check found, the effect, and what came of it. */
#ifndef UI_SCR_CONFIRM_H
#define UI_SCR_CONFIRM_H

#include "ui/screen.h"

extern const struct screen_ops scr_confirm;

#endif
