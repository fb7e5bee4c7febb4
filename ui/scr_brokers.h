/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of the brokers, over view/vm_brokers. Thread: UI thread. */
#ifndef UI_SCR_BROKERS_H
#define UI_SCR_BROKERS_H

#include "ui/screen.h"

extern const struct screen_ops scr_brokers;

#endif
