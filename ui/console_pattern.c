/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A look takes at most CONSOLE_LOOK_MS and what one more name takes (core/pattern bounds that), so that a key is answered. Enter on a
 * look that was cut off takes its time once and shows the whole; the next Enter marks.
 */
#include "ui/console_parts.h"

#include <string.h>
#include <time.h>

#include "app/options.h"
#include "app/session.h"
#include "base/str.h"

enum { CONSOLE_LOOK_MS = 30, CONSOLE_LOOK_LONG_MS = 1000 };

/* The real clock, in a replay, too. */
static int64_t console_real_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool console_is_late(void *ctx)
{
	const int64_t *end = ctx;

	return console_real_ms() >= *end;
}

static void console_look(struct console *co, int64_t most_ms)
{
	int64_t end = console_real_ms() + most_ms;

	previewer_look(co->previewer, co->pr.le.text, console_is_late, &end, &co->preview);
}

void console_pattern_open(struct console *co)
{
	if (console_is_frozen(co))
		return;
	console_range_drop(co);
	co->previewer = previewer_new(session_cluster(co->ss), &co->opt->policy);
	prompt_open(&co->pr, PROMPT_PATTERN, "");
	console_look(co, CONSOLE_LOOK_MS);
}

void console_pattern_live(struct console *co)
{
	console_look(co, CONSOLE_LOOK_MS);
}

void console_pattern_update(struct console *co, const struct changes *ch)
{
	if (co->previewer && previewer_update(co->previewer, ch))
		console_look(co, CONSOLE_LOOK_MS);
}

void console_pattern_close(struct console *co)
{
	previewer_free(&co->previewer);
}

static void console_pattern_note(struct console *co, const char *text)
{
	str_printf(co->pr.note, sizeof(co->pr.note), "%s", text);
}

/* What stands in the way of marking, said beside the line; NULL: nothing does. */
static const char *console_pattern_hinders(struct console *co)
{
	const struct preview *pr = &co->preview;

	if (pr->is_bad || pr->is_too_complex)
		return "nothing was marked";
	if (pr->is_late) {
		console_look(co, CONSOLE_LOOK_LONG_MS);
		return pr->is_late ? "too slow: nothing was marked" : "looked at all: Enter marks";
	}
	return pr->takes.topics == 0 ? "there is nothing to mark" : NULL;
}

bool console_pattern_accept(struct console *co)
{
	const char *hinders = co->preview.is_empty ? NULL : console_pattern_hinders(co);
	size_t n;

	if (hinders) {
		console_pattern_note(co, hinders);
		return false;
	}
	if (!co->preview.is_empty) {
		if (!previewer_mark(co->previewer, co->marks, &n)) {
			previewer_update(co->previewer, NULL);
			console_look(co, CONSOLE_LOOK_MS);
			console_pattern_note(co, "topics came or went: look again");
			return false;
		}
		console_marks_say(co, &co->preview.struck);
	}
	console_pattern_close(co);
	return true;
}
