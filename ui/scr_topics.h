/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of the topics, over view/vm_topics. Thread: UI thread. */
#ifndef UI_SCR_TOPICS_H
#define UI_SCR_TOPICS_H

#include "ui/screen.h"

extern const struct screen_ops scr_topics;

#endif
