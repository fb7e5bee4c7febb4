/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of io/zk_watch.c, their children and the pending deletions. For it only. */
#ifndef IO_ZK_LISTS_H
#define IO_ZK_LISTS_H

#include <stddef.h>

#include "core/zkpath.h"

struct zk_watch;

/* A list was read: `names` are its children, none when it isn't there. */
void zk_lists_sync(struct zk_watch *w, enum zkpath_kind list, const char *const *names, size_t n_names);

#endif
