/* SPDX-License-Identifier: Apache-2.0 */
/* View 4: the deletions. */
#ifndef UI_SCR_DELETIONS_H
#define UI_SCR_DELETIONS_H

#include "ui/screen.h"

extern const struct screen_ops scr_deletions;

#endif
