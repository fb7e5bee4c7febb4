/* SPDX-License-Identifier: Apache-2.0 */
/* What the console says by itself: the line of messages, and of requests that nobody knows the outcome of, at the start, on the tab, and when it is to end. */
#include "ui/console_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/audit.h"
#include "app/session.h"
#include "core/command.h"
#include "core/record.h"
#include "ui/status.h"

/* ---- the line of messages ----------------------------------------------------------------------- */

void console_say(struct console *co, bool is_bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(co->message, sizeof(co->message), fmt, ap);
	va_end(ap);
	co->is_bad = is_bad;
	co->is_shown = false;
	co->dirty = true;
}

bool console_is_unread(const struct console *co)
{
	return co->message[0] && (!co->is_shown || co->is_bad);
}

/* ---- outcomes that are not known ------------------------------------------------------------------ */

/* Of a recording the journal says nothing: its time is another. */
void console_look_back(struct console *co, bool is_start)
{
	struct audit_unknown un;
	char id[RECORD_ID_MAX];

	if (session_replay(co->ss).is_replay)
		return;
	un = audit_last_unknown(session_now(co->ss));
	co->unknown_at = un.at;
	if (!is_start || un.id == 0 || co->message[0])
		return;
	console_say(co, true, "%s %s: OUTCOME UNKNOWN; 8 tells how to find out", un.command, record_id_text(id, un.id));
}

bool console_needs_look(const struct console *co, const char *view)
{
	if (!strcmp(view, "journal"))
		return co->unknown_at.ms != 0 && session_now(co->ss).ms - co->unknown_at.ms < AUDIT_UNKNOWN_MS;
	return status_needs_look(session_cluster(co->ss), co->deletions, view);
}

/* What came of a request that is out is written down by this program alone: the first time that is said. */
void console_quit(struct console *co)
{
	uint64_t out = change_running(&co->change);
	char what[CHANGE_LABEL_MAX];

	if (out == co->quit_told || !change_running_text(&co->change, what)) {
		co->quit = true;
		return;
	}
	co->quit_told = out;
	console_say(co, true, "%s has no answer yet; q again ends", what);
}
