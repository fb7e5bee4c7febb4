/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a small file whole: stores, keys, settings. All of them may hold
 * secrets, so what is read is one.
 * A pipe is read to its end, as a shell's <(command) wants it, so its writer is waited for; one that nobody has open for writing is an
 * error at once. A folder or device is refused.
 * Thread: any. May wait for a disk, or who writes into a pipe.
 */
#ifndef IO_SLURP_H
#define IO_SLURP_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct secret;

/* ERR_NOT_FOUND, ERR_IO, ERR_LIMIT above `max_bytes`. Each names the path. `others_may_read` (may be NULL): has
 * everybody on this machine the right to read it? */
bool slurp_file(const char *path, size_t max_bytes, struct secret *out, bool *others_may_read, struct err *err)
	__attribute__((warn_unused_result));

#endif
