/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of app/options share, and nobody else. Thread: UI thread. */
#ifndef APP_OPTIONS_PARTS_H
#define APP_OPTIONS_PARTS_H

#include "app/options.h"

/* `value` NULL: of a flag. `by` is who says so, and outlives `opt`. */
bool options_set(struct options *opt, enum option_id id, const char *value, const char *by, enum options_origin origin, struct err *err);
/* Only says so. */
void options_note_value(struct options *opt, enum option_id id, const char *value, const char *by, enum options_origin origin);

/* options_profile.c: reads the profile asked for, and takes from it what neither command line nor environment have set. */
bool options_take_profile(struct options *opt, struct err *err);
void options_each_policy(const struct options *opt, void (*fn)(const char *name, const char *value, const char *set_by, void *ctx), void *ctx);

#endif
