/* SPDX-License-Identifier: Apache-2.0 */
/* What is on view is read first, and asked of brokers more often. */
#include "ui/console.h"

#include "app/session.h"
#include "ui/scr_topic.h"
#include "view/table.h"

enum { CONSOLE_WANT_MAX = 512 };

static uint64_t console_hash(uint64_t h, const char *s)
{
	do
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	while (*s++);
	return h;
}

void console_want(struct console *co)
{
	const struct screen *sc = screens_top(&co->st);
	const struct table *tb = sc->ops->table(sc->self);
	const char *names[CONSOLE_WANT_MAX];
	uint64_t hash = 14695981039346656037u;
	size_t n = 0;

	if (sc->ops == &scr_topic)
		names[n++] = sc->arg;
	for (size_t i = 0; sc->ops->wants_rows && i < sc->tw.page && n < CONSOLE_WANT_MAX && sc->tw.top + i < tb->n_rows; i++)
		names[n++] = tb->key(tb, sc->tw.top + i);
	for (size_t i = 0; i < n; i++)
		hash = console_hash(hash, names[i]);
	hash = (hash ^ sc->ops->asks) * 1099511628211u;
	if (hash == co->wanted)
		return;
	co->wanted = hash;
	session_want(co->ss, names, n, sc->ops->asks);
}

void console_look_away(struct console *co)
{
	if (co->wanted == 0)
		return;
	co->wanted = 0;
	session_look_away(co->ss);
}
