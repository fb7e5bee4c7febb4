/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the program keeps what outlives it: $XDG_STATE_HOME/kafops, else ~/.local/state/kafops. One that is not absolute is ignored
 * (XDG Base Directory Specification). Nothing is made, or looked for.
 * Thread: any, as long as nobody changes the environment.
 */
#ifndef IO_STATE_DIR_H
#define IO_STATE_DIR_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* The path of `name` there. False (ERR_USAGE): the environment names no folder, or the path does not fit. */
bool state_dir_path(char *out, size_t size, const char *name, struct err *err) __attribute__((warn_unused_result));

#endif
