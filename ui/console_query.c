/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/console_parts.h"

#include <string.h>
#include <strings.h>

#include "app/session.h"
#include "base/err.h"
#include "base/str.h"
#include "view/table.h"

void console_filter(struct console *co, const char *text)
{
	struct screen *sc = screens_top(&co->st);
	struct err err;

	err_init(&err);
	if (!query_set_text(&sc->qu, text, &err)) {
		if (co->pr.kind == PROMPT_FILTER)
			str_printf(co->pr.note, sizeof(co->pr.note), "%.*s", PROMPT_NOTE_MAX - 1, err.text);
		else
			console_say(co, true, "%s", err.text);
		return;
	}
	screen_requery(sc, session_now(co->ss));
}

/* As one types: the cursor is where it was before, or at the top while that doesn't match. */
void console_filter_live(struct console *co)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb;
	size_t at;

	console_filter(co, co->pr.le.text);
	if (sc->frozen)
		return; /* it shows when the picture goes on */
	tb = screen_table(sc);
	at = co->before_tw.key ? tb->find(tb, co->before_tw.key) : tb->n_rows;
	if (at < tb->n_rows)
		tablewin_move_to(&sc->tw, tb, at);
	else
		tablewin_reset(&sc->tw);
}

void console_filter_open(struct console *co)
{
	struct screen *sc = screens_top(&co->st);

	co->before = sc->qu;
	tablewin_saved_fini(&co->before_tw);
	co->before_tw = tablewin_save(&sc->tw);
	prompt_open(&co->pr, PROMPT_FILTER, sc->qu.text);
	if (sc->frozen)
		str_printf(co->pr.note, sizeof(co->pr.note), "held still: shows when P lets it go on");
}

void console_filter_cancel(struct console *co)
{
	struct screen *sc = screens_top(&co->st);

	sc->qu = co->before;
	tablewin_restore(&sc->tw, &co->before_tw);
	screen_requery(sc, session_now(co->ss));
}

void console_sort_by(struct console *co, int col)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	bool desc = col >= 0 && tb->cols[col].big_first;

	if (col >= 0 && tb->sort_col == col)
		desc = !tb->sort_desc;
	query_sort_by(&sc->qu, col, desc);
	screen_requery(sc, session_now(co->ss));
}

/* By the title of a column, or the name it has in files; "" goes to the next one. */
void console_sort_named(struct console *co, const char *name)
{
	const struct table *tb = screen_table(screens_top(&co->st));

	for (size_t i = 0; i < tb->n_cols; i++)
		if (!strcasecmp(tb->cols[i].title, name) || !strcasecmp(tb->cols[i].name, name)) {
			console_sort_by(co, (int)i);
			return;
		}
	console_say(co, true, "no column is named %s; its title will do, as in :sort %s", name, tb->cols[0].title);
}

void console_sort_next(struct console *co)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);

	console_sort_by(co, tablewin_next_column(&sc->tw, tb, (size_t)co->width, tb->sort_col));
}

void console_sort_reverse(struct console *co)
{
	int col = screen_table(screens_top(&co->st))->sort_col;

	if (col < 0)
		console_say(co, false, "the view's own order has one direction: s sorts by a column");
	else
		console_sort_by(co, col);
}
