/* SPDX-License-Identifier: Apache-2.0 */
#include "io/clock.h"

#include <time.h>

static int64_t read_ms(clockid_t which)
{
	struct timespec ts;

	clock_gettime(which, &ts); /* can't fail for these two clocks */
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

mono_ms clock_mono(void)
{
	return (mono_ms){ read_ms(CLOCK_MONOTONIC) };
}

wall_ms clock_wall(void)
{
	return (wall_ms){ read_ms(CLOCK_REALTIME) };
}
