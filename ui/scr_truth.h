/* SPDX-License-Identifier: Apache-2.0 */
/* One disagreement opened from the overview, over view/vm_truth; `arg` is its key (core/truths). Thread: UI thread. */
#ifndef UI_SCR_TRUTH_H
#define UI_SCR_TRUTH_H

#include "ui/screen.h"

extern const struct screen_ops scr_truth;

#endif
