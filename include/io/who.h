/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who sits at the keyboard, as far as the system tells: for the journal. The login is that of the session (which sudo and su leave alone), else
 * the name of the uid.
 * Thread: UI thread. May wait for the system's directory of users.
 */
#ifndef IO_WHO_H
#define IO_WHO_H

#include <stdbool.h>

struct record_who;

/* Fills all of it; record_who_fini. */
void who_is(struct record_who *out);
/* A process of that number is alive on this host, and is not this one. Another program may have the number by now. */
bool who_is_alive(const struct record_who *who);

#endif
