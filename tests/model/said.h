/* SPDX-License-Identifier: Apache-2.0 */
/* What brokers say, built from the lines of a script (tests/model/README) and handed out as events. */
#ifndef TESTS_SAID_H
#define TESTS_SAID_H

#include <stdbool.h>
#include <stddef.h>

#include "core/event.h"

struct said;

struct said *said_new(void);
void said_free(struct said **pp);
/* Takes a line's words: true when its verb is one of the brokers'. *out: the event that is complete now, else NULL; *wrong: what is wrong, else NULL. */
bool said_line(struct said *sd, char **words, size_t n, mono_ms seen, wall_ms wall, struct event **out, const char **wrong);

#endif
