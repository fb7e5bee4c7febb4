/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/console_parts.h"

#include <string.h>

#include "app/options.h"
#include "app/session.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/deletion.h"
#include "core/truths.h"
#include "ui/canvas.h"
#include "ui/help.h"
#include "ui/scr_brokers.h"
#include "ui/scr_confirm.h"
#include "ui/scr_deletions.h"
#include "ui/scr_dirs.h"
#include "ui/scr_journal.h"
#include "ui/scr_overview.h"
#include "ui/scr_topic.h"
#include "ui/scr_topics.h"
#include "ui/status.h"
#include "ui/term.h"
#include "view/table.h"

enum { CONSOLE_WHEEL_ROWS = 3, CONSOLE_REPLAY_STEP_MS = 10000 };

static const struct console_view console_view_list[] = {
	{ "1", "overview", ACTION_VIEW_OVERVIEW, &scr_overview },
	{ "2", "topics", ACTION_VIEW_TOPICS, &scr_topics },
	{ "3", "brokers", ACTION_VIEW_BROKERS, &scr_brokers },
	{ "4", "deletions", ACTION_VIEW_DELETIONS, &scr_deletions },
	{ "6", "dirs", ACTION_VIEW_DIRS, &scr_dirs },
	{ "8", "journal", ACTION_VIEW_JOURNAL, &scr_journal },
	{ "?", "help", ACTION_HELP, &scr_help },
};

const struct console_view *console_views(size_t *n)
{
	*n = sizeof(console_view_list) / sizeof(console_view_list[0]);
	return console_view_list;
}

unsigned console_where(const struct console *co)
{
	unsigned where = screens_top(&co->st)->ops->where;

	return where | (session_replay(co->ss).is_replay ? IN_REPLAY : 0);
}

/* ---- screens ----------------------------------------------------------------- */

/* A picture is held while one looks at it: who leaves it lets it go. */
static void console_unfreeze(struct console *co)
{
	if (co->st.n > 0 && screens_top(&co->st)->frozen)
		screen_freeze(screens_top(&co->st), false, session_now(co->ss));
}

static void console_open(struct console *co, const struct screen_ops *ops, const char *arg)
{
	console_unfreeze(co);
	screens_push(&co->st, ops, arg, session_now(co->ss));
}

static void console_view(struct console *co, const struct screen_ops *ops)
{
	if (screens_top(&co->st)->ops == ops)
		return;
	console_change_away(co);
	console_unfreeze(co);
	if (!screens_pop_to(&co->st, ops, session_now(co->ss)))
		console_open(co, ops, NULL);
}

/* A view that is opened from a row shows what the row is about: its filter is that, whatever it was. */
static void console_enter_to(struct console *co, const struct screen *sc, const char *key)
{
	struct screen_target to = { .ops = NULL };

	if (!sc->ops->enter_to(sc->self, key, &to)) {
		console_say(co, false, "no view tells more of this line");
		return;
	}
	if (to.arg[0]) {
		console_open(co, to.ops, to.arg);
		return;
	}
	console_view(co, to.ops);
	if (to.filter)
		console_filter(co, to.filter);
}

static void console_enter(struct console *co)
{
	const struct screen *sc = screens_top(&co->st);
	const char *key = tablewin_key(&sc->tw, screen_table(sc));
	struct strbuf arg;

	if (key && sc->ops->enter_to)
		console_enter_to(co, sc, key);
	if (!sc->ops->enter || !key)
		return;
	strbuf_init(&arg);
	if (sc->ops->enter_arg)
		sc->ops->enter_arg(sc->self, key, &arg);
	else
		strbuf_put(&arg, key);
	console_open(co, sc->ops->enter, arg.s);
	strbuf_fini(&arg);
}

/* Of the view one is in, over it. */
static void console_help(struct console *co)
{
	char where[16];

	str_printf(where, sizeof(where), "%u", screens_top(&co->st)->ops->where);
	console_change_away(co);
	console_open(co, &scr_help, where);
}

static void console_open_topic(struct console *co, const char *name)
{
	if (!*name)
		console_say(co, true, "which topic? as in :topic orders");
	else if (!cluster_topic_find(session_cluster(co->ss), name))
		console_say(co, true, "no topic is named %s", name);
	else
		console_open(co, &scr_topic, name);
}

bool console_is_frozen(struct console *co)
{
	if (!screens_top(&co->st)->frozen)
		return false;
	console_say(co, false, "the picture is held still: P lets it go on");
	return true;
}

/* ---- disagreements and deletions ------------------------------------------------------------------- */

/* What is inferred from the facts, anew. */
static void console_infer_anew(struct console *co)
{
	screens_take_truths(&co->st, NULL);
	screens_take_deletions(&co->st, NULL);
	truths_free(&co->truths);
	deletions_free(&co->deletions);
	co->truths = truths_new();
	co->deletions = deletions_new();
	co->truths_begun = false;
	screens_take_truths(&co->st, co->truths);
	screens_take_deletions(&co->st, co->deletions);
	co->change.ds = co->deletions;
}

void console_update(struct console *co, const struct changes *ch)
{
	bool differs;

	if (truths_update(co->truths, session_cluster(co->ss), co->truths_begun ? ch : NULL, session_mono(co->ss), session_now(co->ss)))
		screens_take_truths(&co->st, co->truths); /* time alone may have ripened it */
	differs = deletions_update(co->deletions, session_cluster(co->ss), co->truths_begun ? ch : NULL, session_mono(co->ss), session_now(co->ss));
	if (differs)
		screens_take_deletions(&co->st, co->deletions);
	co->truths_begun = true;
	console_marks_update(co, ch);
	console_pattern_update(co, ch);
	console_change_update(co, differs ? NULL : ch);
	console_change_turn(co);
	screens_update(&co->st, ch, session_now(co->ss));
}

/* ---- actions ------------------------------------------------------------------------ */

static void console_replay_seek(struct console *co, dur_ms by)
{
	session_replay_seek(co->ss, session_replay(co->ss).at + by);
	if (by < 0)
		console_infer_anew(co); /* what was found lies ahead now */
}

static void console_escape(struct console *co)
{
	struct screen *sc = screens_top(&co->st);

	if (console_range_drop(co))
		return;
	if (sc->ops == &scr_confirm) {
		console_change_leave(co);
		return;
	}
	if (sc->qu.text[0] && !sc->frozen)
		console_filter(co, "");
	else
		screens_pop(&co->st, session_now(co->ss));
}

static void console_freeze(struct console *co)
{
	struct screen *sc = screens_top(&co->st);

	screen_requery(sc, session_now(co->ss)); /* the copy must be of this turn */
	screen_freeze(sc, !sc->frozen, session_now(co->ss));
	if (!sc->frozen)
		screen_requery(sc, session_now(co->ss));
}

void console_move(struct console *co, enum action a)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	long page = sc->tw.page > 1 ? (long)sc->tw.page - 1 : 1;

	switch (a) {
	case ACTION_UP: tablewin_move(&sc->tw, tb, -1); break;
	case ACTION_DOWN: tablewin_move(&sc->tw, tb, 1); break;
	case ACTION_PAGE_UP: tablewin_move(&sc->tw, tb, -page); break;
	case ACTION_HELP_PAGE:
	case ACTION_PAGE_DOWN: tablewin_move(&sc->tw, tb, page); break;
	case ACTION_FIRST: tablewin_move(&sc->tw, tb, -(long)tb->n_rows); break;
	case ACTION_LAST: tablewin_move(&sc->tw, tb, (long)tb->n_rows); break;
	case ACTION_LEFT: tablewin_shift(&sc->tw, tb, (size_t)co->width, -1); break;
	case ACTION_RIGHT: tablewin_shift(&sc->tw, tb, (size_t)co->width, 1); break;
	default: break;
	}
}

static void console_act(struct console *co, enum action a, const char *arg)
{
	switch (a) {
	case ACTION_OPEN:
		if (!console_acts_enter(co))
			console_enter(co);
		break;
	case ACTION_DELETE: console_delete(co); break;
	case ACTION_ACTS: console_acts(co); break;
	case ACTION_GO_ON: console_change_go_on(co); break;
	case ACTION_BY_ZNODE: console_change_znode(co); break;
	case ACTION_STOP: console_change_stop(co); break;
	case ACTION_FILTER:
		if (*arg)
			console_filter(co, arg);
		else
			console_filter_open(co);
		break;
	case ACTION_SORT:
		if (console_is_frozen(co))
			break;
		if (*arg)
			console_sort_named(co, arg);
		else
			console_sort_next(co);
		break;
	case ACTION_SORT_REVERSE:
		if (!console_is_frozen(co))
			console_sort_reverse(co);
		break;
	case ACTION_MARK: console_mark(co); break;
	case ACTION_MARK_PATTERN: console_pattern_open(co); break;
	case ACTION_MARK_RANGE: console_mark_range(co); break;
	case ACTION_MARK_ALL: console_mark_all(co); break;
	case ACTION_MARK_INVERT: console_mark_invert(co); break;
	case ACTION_MARK_NONE: console_mark_none(co); break;
	case ACTION_MARKS_SAVE: console_marks_save(co, arg, false); break;
	case ACTION_MARKS_LOAD: console_marks_load(co, arg); break;
	case ACTION_COMMAND: prompt_open(&co->pr, PROMPT_COMMAND, ""); break;
	case ACTION_HELP:
		if (screens_top(&co->st)->ops == &scr_help)
			screens_pop(&co->st, session_now(co->ss));
		else
			console_help(co);
		break;
	case ACTION_BACK:
		if (screens_top(&co->st)->ops == &scr_confirm)
			console_change_leave(co);
		else if (!screens_pop(&co->st, session_now(co->ss)))
			console_quit(co);
		break;
	case ACTION_ESCAPE: console_escape(co); break;
	case ACTION_VIEW_OVERVIEW: console_view(co, &scr_overview); break;
	case ACTION_VIEW_TOPICS: console_view(co, &scr_topics); break;
	case ACTION_VIEW_BROKERS: console_view(co, &scr_brokers); break;
	case ACTION_VIEW_DELETIONS: console_view(co, &scr_deletions); break;
	case ACTION_VIEW_DIRS: console_view(co, &scr_dirs); break;
	case ACTION_VIEW_JOURNAL: console_view(co, &scr_journal); break;
	case ACTION_TOPIC: console_open_topic(co, arg); break;
	case ACTION_PAUSE: console_freeze(co); break;
	case ACTION_COPY: console_copy(co); break;
	case ACTION_WRITE:
		if (*arg)
			console_write(co, arg, false);
		else
			console_write_open(co);
		break;
	case ACTION_REPAINT: canvas_repaint(); break;
	case ACTION_SUSPEND: term_suspend(); break;
	case ACTION_QUIT: console_quit(co); break;
	case ACTION_REPLAY_BACK: console_replay_seek(co, -CONSOLE_REPLAY_STEP_MS); break;
	case ACTION_REPLAY_ON: console_replay_seek(co, CONSOLE_REPLAY_STEP_MS); break;
	case ACTION_REPLAY_PAUSE: session_replay_pause(co->ss, !session_replay(co->ss).paused); break;
	default: console_move(co, a); break;
	}
}

/* ---- the prompt ----------------------------------------------------------------------- */

static void console_run(struct console *co, char *line)
{
	size_t n;
	enum action a;

	line += strspn(line, " ");
	n = strcspn(line, " ");
	if (line[n])
		line[n++] = '\0';
	if (!*line)
		return;
	a = !strcmp(line, "q") ? ACTION_QUIT : keymap_by_name(console_where(co), line);
	if (a == ACTION_NONE)
		console_say(co, true, ":%s is no action that works here; Tab shows which there are, ? the keys", line);
	else
		console_act(co, a, line + n + strspn(line + n, " "));
}

static void console_accept(struct console *co)
{
	enum prompt_kind kind = co->pr.kind;
	char line[LINEEDIT_MAX];

	memcpy(line, co->pr.le.text, co->pr.le.len + 1);
	prompt_close(&co->pr, true);
	switch (kind) {
	case PROMPT_COMMAND: console_run(co, line); break;
	case PROMPT_FILE: console_write(co, line, false); break;
	case PROMPT_OVERWRITE:
		if (strcmp(line, "y") && strcmp(line, "yes"))
			console_say(co, false, "%s was left as it is", co->file);
		else if (co->file_is_marks)
			console_marks_save(co, co->file, true);
		else
			console_write(co, co->file, true);
		break;
	case PROMPT_PATTERN:
	case PROMPT_CONFIRM: break;
	default: tablewin_saved_fini(&co->before_tw); break;
	}
}

struct console_take {
	struct console *co;
	prompt_take_fn *take;
	void *ctx;
};

static void console_take_word(const char *word, const char *help, void *ctx)
{
	struct console_take *ct = ctx;

	(void)help;
	ct->take(ct->ctx, word);
}

static void console_candidates(void *ctx, prompt_take_fn *take, void *take_ctx)
{
	struct console *co = ctx;
	const struct cluster *cl = session_cluster(co->ss);
	struct console_take ct = { co, take, take_ctx };
	char line[LINEEDIT_MAX];

	if (co->pr.kind == PROMPT_FILTER) {
		screen_each_word(screens_top(&co->st)->ops, console_take_word, &ct);
		return;
	}
	for (size_t i = 0; co->pr.kind == PROMPT_PATTERN && i < cl->n_topics; i++)
		take(take_ctx, cl->topics[i]->name);
	if (co->pr.kind != PROMPT_COMMAND)
		return;
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++)
		if ((keymap_row(a)->where & console_where(co)) && *keymap_row(a)->name)
			take(take_ctx, keymap_row(a)->name);
	if (!str_starts(co->pr.le.text, "topic "))
		return;
	for (size_t i = 0; i < cl->n_topics; i++)
		if (str_printf(line, sizeof(line), "topic %s", cl->topics[i]->name))
			take(take_ctx, line);
}

static enum prompt_result console_prompt_paste(struct console *co, const struct term_event *ev)
{
	if (ev->text)
		return prompt_paste(&co->pr, ev->text, ev->n);
	str_printf(co->pr.note, sizeof(co->pr.note), "too long or without an end: not pasted");
	return PROMPT_IGNORED;
}

static void console_prompt_key(struct console *co, const struct term_event *ev)
{
	enum prompt_result re;

	if (co->pr.kind == PROMPT_CONFIRM && console_change_key(co, ev))
		return;
	re = ev->key == KEYS_PASTE ? console_prompt_paste(co, ev) : prompt_key(&co->pr, ev->key);

	if (re == PROMPT_COMPLETE)
		re = prompt_complete(&co->pr, console_candidates, co) ? PROMPT_EDITED : PROMPT_MOVED;
	switch (re) {
	case PROMPT_EDITED:
		if (co->pr.kind == PROMPT_FILTER)
			console_filter_live(co);
		else if (co->pr.kind == PROMPT_PATTERN)
			console_pattern_live(co);
		break;
	case PROMPT_ACCEPTED:
		if (co->pr.kind != PROMPT_PATTERN || console_pattern_accept(co))
			console_accept(co);
		break;
	case PROMPT_CANCELLED:
		if (co->pr.kind == PROMPT_FILTER)
			console_filter_cancel(co);
		console_pattern_close(co);
		if (co->pr.kind == PROMPT_CONFIRM)
			console_change_leave(co);
		prompt_close(&co->pr, false);
		break;
	default:
		break;
	}
}

/* ---- keys and mouse ---------------------------------------------------------------------- */

void console_view_text(const struct console *co, const struct console_view *cv, char out[CONSOLE_VIEW_MAX])
{
	str_printf(out, CONSOLE_VIEW_MAX, "%s%s%s", cv->key, cv->name, console_needs_look(co, cv->name) ? "!" : "");
}

static void console_click_view(struct console *co, int x)
{
	int at = 0;

	for (size_t i = 0; i < sizeof(console_view_list) / sizeof(console_view_list[0]); i++) {
		char text[CONSOLE_VIEW_MAX];
		int w;

		console_view_text(co, &console_view_list[i], text);
		w = canvas_columns(text);
		if (x >= at && x < at + w) {
			console_act(co, console_view_list[i].action, "");
			return;
		}
		at += w + 1;
	}
}

static void console_click(struct console *co, int x, int y)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	size_t which;

	if (y == 1) {
		console_click_view(co, x);
		return;
	}
	switch (tablewin_hit(&sc->tw, tb, co->width, x, y - co->table_y, &which)) {
	case TABLEWIN_ROW:
		if (sc->tw.has_cursor)
			tablewin_move_to(&sc->tw, tb, which);
		break;
	case TABLEWIN_HEADER:
		if ((sc->ops->where & IN_LISTS) && !console_is_frozen(co))
			console_sort_by(co, (int)which);
		break;
	case TABLEWIN_NOTHING:
		break;
	}
}

void console_key(struct console *co, const struct term_event *ev)
{
	struct screen *sc = screens_top(&co->st);

	co->dirty = true;
	if (ev->key == KEYS_RESIZE)
		return;
	if (co->pr.kind != PROMPT_NONE) {
		if (keymap_find(IN_ALL, ev->key) == ACTION_REPAINT)
			canvas_repaint();
		else
			console_prompt_key(co, ev);
		return;
	}
	if (co->is_shown)
		co->message[0] = '\0';
	if (ev->key == KEYS_WHEEL_UP || ev->key == KEYS_WHEEL_DOWN)
		tablewin_move(&sc->tw, screen_table(sc), ev->key == KEYS_WHEEL_UP ? -CONSOLE_WHEEL_ROWS : CONSOLE_WHEEL_ROWS);
	else if (ev->key == KEYS_CLICK)
		console_click(co, ev->x, ev->y);
	else if (ev->key == KEYS_PASTE)
		console_say(co, false, "pasted text does nothing here; open a filter (/) or a command (:) for it");
	else {
		enum action a = keymap_find(console_where(co), ev->key);

		if (a != ACTION_NONE)
			console_act(co, a, "");
		else
			console_say_elsewhere(co, ev->key);
	}
}

/* ---- all ------------------------------------------------------------------------------ */

const struct console_view *console_view_named(const char *name)
{
	for (size_t i = 0; i < sizeof(console_view_list) / sizeof(console_view_list[0]); i++)
		if (!strcmp(console_view_list[i].name, name))
			return &console_view_list[i];
	return NULL;
}

void console_init(struct console *co, struct session *ss, const struct options *opt, const struct console_view *first)
{
	char note[CONSOLE_MESSAGE_MAX];

	*co = (struct console){ .ss = ss, .opt = opt, .dirty = true };
	co->ar = arena_new(0);
	prompt_init(&co->pr);
	screens_init(&co->st, session_cluster(ss));
	co->marks = choice_new();
	co->st.marks = co->marks;
	change_init(&co->change, ss, opt);
	co->st.change = &co->change;
	session_on_outcome(ss, console_on_outcome, co);
	console_infer_anew(co);
	console_open(co, first->ops, NULL);
	if (options_note(opt, 0, note, sizeof(note)))
		console_say(co, true, "%s", note);
	console_look_back(co, true);
}

void console_fini(struct console *co)
{
	session_on_outcome(co->ss, NULL, NULL);
	screens_fini(&co->st);
	change_fini(&co->change);
	console_pattern_close(co);
	console_range_drop(co);
	choice_free(&co->marks);
	truths_free(&co->truths);
	deletions_free(&co->deletions);
	prompt_fini(&co->pr);
	tablewin_saved_fini(&co->before_tw);
	arena_free(&co->ar);
}
