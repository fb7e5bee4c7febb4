/* SPDX-License-Identifier: Apache-2.0 */
/* The real clock. Thread: any. */
#ifndef IO_CLOCK_H
#define IO_CLOCK_H

#include "base/units.h"

mono_ms clock_mono(void);
wall_ms clock_wall(void);

#endif
