/* SPDX-License-Identifier: Apache-2.0 */
/* One deletion (argument "topic/czxid"), and the evidence of one of its partitions ("topic/czxid#partition"). */
#ifndef UI_SCR_DELETION_H
#define UI_SCR_DELETION_H

#include "ui/screen.h"

extern const struct screen_ops scr_deletion;
extern const struct screen_ops scr_evidence;

#endif
