/* SPDX-License-Identifier: Apache-2.0 */
/* The overview, over view/vm_overview. Thread: UI thread. */
#ifndef UI_SCR_OVERVIEW_H
#define UI_SCR_OVERVIEW_H

#include "ui/screen.h"

extern const struct screen_ops scr_overview;

#endif
