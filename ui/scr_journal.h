/* SPDX-License-Identifier: Apache-2.0 */
/* The journal over view/vm_journal, and one command of it over view/vm_record (`arg` is its id). Thread: UI thread. */
#ifndef UI_SCR_JOURNAL_H
#define UI_SCR_JOURNAL_H

#include "ui/screen.h"

extern const struct screen_ops scr_journal, scr_record;

#endif
