/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change from the key that asks for it to what came of it. What it is about is copied when the key is pressed, so that nothing that moves on the
 * screen changes it; where the facts behind it change before it is sent, the check comes up again with the difference. It comes first, too, where it
 * found anything. What has to be typed goes through the prompt alone, pasted text is not taken, and
 * neither is an Enter that comes right behind other keys, as it does where a terminal does not tell what is pasted.
 */
#include "ui/console_parts.h"

#include <string.h>

#include "app/session.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/deletion.h"
#include "core/outcome.h"
#include "ui/keymap.h"
#include "ui/scr_acts.h"
#include "ui/scr_confirm.h"
#include "ui/scr_deletion.h"
#include "ui/scr_deletions.h"
#include "ui/term.h"
#include "view/table.h"
#include "view/vm_deletions.h"

#define SINCE_THE_CHECK "since the check: "

static bool console_is_confirming(const struct console *co)
{
	return screens_top(&co->st)->ops == &scr_confirm;
}

/* The page anew, from its first line. */
static void console_change_page(struct console *co)
{
	if (!console_is_confirming(co) && !screens_pop_to(&co->st, &scr_confirm, session_now(co->ss)))
		screens_push(&co->st, &scr_confirm, NULL, session_now(co->ss));
	tablewin_reset(&screens_top(&co->st)->tw);
	screen_requery(screens_top(&co->st), session_now(co->ss));
	co->dirty = true;
}

/* ---- to what has to be typed ------------------------------------------------------------------ */

static void console_change_prompt(struct console *co)
{
	char question[CHANGE_LABEL_MAX];

	change_question(&co->change, question);
	prompt_open(&co->pr, PROMPT_CONFIRM, "");
	str_printf(co->pr.question, sizeof(co->pr.question), "%s", question);
}

void console_change_go_on(struct console *co)
{
	char why[CHANGE_TEXT_MAX];

	if (co->change.cm && co->change.step == CONFIRM_END) {
		console_change_leave(co);
		console_change_follow(co);
		return;
	}
	if (!co->change.cm || co->change.step != CONFIRM_CHECK)
		return;
	if (change_ask(&co->change, why))
		console_change_prompt(co);
	else
		console_say(co, true, "%s", why);
	console_change_page(co);
}

/* Takes `cm`. */
static void console_change_begin(struct console *co, struct command *cm)
{
	if (change_is_sending(&co->change)) {
		command_free(&cm);
		console_say(co, true, "another change is being sent: wait for its end, or x stops it");
		console_change_page(co);
		return;
	}
	change_begin(&co->change, cm);
	console_change_page(co);
	if (co->change.findings.n_errors + co->change.findings.n_warnings == 0)
		console_change_go_on(co);
}

void console_change_znode(struct console *co)
{
	if (!co->change.cm || co->change.step != CONFIRM_CHECK || !co->change.offers_znode) {
		console_say(co, true, "a marker in ZooKeeper is only for what Kafka can't be asked to delete");
		return;
	}
	change_by_znode(&co->change);
	console_change_page(co);
}

/* ---- topics --------------------------------------------------------------------------------------- */

static void console_add_marks(struct console *co, struct command *cm)
{
	size_t n;
	struct choice_mark *marks = choice_list(co->marks, &n);

	for (size_t i = 0; i < n; i++)
		if (!command_add_topic(cm, session_cluster(co->ss), marks[i].name, marks[i].by_hand))
			console_say(co, true, "%s is gone", marks[i].name);
	mem_free(&marks);
}

void console_delete(struct console *co)
{
	struct screen *sc = screens_top(&co->st);
	const char *key = tablewin_key(&sc->tw, screen_table(sc));
	struct command *cm;

	if (console_is_frozen(co))
		return;
	console_range_drop(co);
	cm = command_new(COMMAND_DELETE_TOPICS);
	if (choice_count(co->marks) > 0)
		console_add_marks(co, cm);
	else if (key && !command_add_topic(cm, session_cluster(co->ss), key, true))
		console_say(co, true, "%s is gone", key);
	if (cm->n_topics > 0)
		console_change_begin(co, cm);
	else
		command_free(&cm);
}

/* ---- keys that work elsewhere, or not now ------------------------------------------------------------------ */

bool console_key_works(const struct console *co, enum action a)
{
	const struct change *cg = &co->change;

	if (a == ACTION_GO_ON)
		return cg->cm && (cg->step == CONFIRM_END || (cg->step == CONFIRM_CHECK && cg->findings.n_errors == 0));
	return a != ACTION_STOP || change_is_sending(cg);
}

/* A key that is learned in one view and pressed in the next says what to do. */
void console_say_elsewhere(struct console *co, int32_t key)
{
	static const struct { unsigned here, there; enum action a; const char *text; } known[] = {
		{ IN_DELETIONS, IN_DELETION, ACTION_ACTS, "a works in a deletion: Enter opens it first" },
		{ IN_TOPIC, IN_TOPICS, ACTION_DELETE, "D works in the list of topics: 2 goes there" },
		{ IN_TOPIC, IN_TOPICS, ACTION_MARK_PATTERN, "* works in the list of topics: 2 goes there" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if ((known[i].here & console_where(co)) && keymap_find(known[i].there, key) == known[i].a)
			console_say(co, false, "%s", known[i].text);
}

/* ---- a deletion that does not go on --------------------------------------------------------------------- */

void console_acts(struct console *co)
{
	struct screen *sc = screens_top(&co->st);
	const char *key = sc->ops == &scr_deletions ? tablewin_key(&sc->tw, screen_table(sc)) : sc->arg;
	char arg[SCREEN_ARG_MAX];

	if (!key || sc->ops == &scr_acts || !str_copyn(arg, sizeof(arg), key, sc->ops == &scr_deletions ? strlen(key) : strcspn(key, "#")))
		return;
	screens_push(&co->st, &scr_acts, arg, session_now(co->ss));
}

bool console_acts_enter(struct console *co)
{
	struct screen *sc = screens_top(&co->st);
	const char *key = tablewin_key(&sc->tw, screen_table(sc));
	char topic[VM_DELETIONS_TOPIC_MAX];
	struct command *cm;
	int64_t czxid;

	if (sc->ops != &scr_acts || !key)
		return false;
	if (!strcmp(key, SCR_ACTS_CONTROLLER)) {
		cm = command_new(COMMAND_MOVE_CONTROLLER);
		cm->controller_czxid = session_cluster(co->ss)->controller_czxid;
		console_change_begin(co, cm);
	} else if (!strcmp(key, SCR_ACTS_MARKER) && vm_deletions_key_parse(sc->arg, topic, &czxid)) {
		cm = command_new(COMMAND_MARK_TOPICS);
		if (command_add_topic(cm, session_cluster(co->ss), topic, true)) {
			cm->topics[0].czxid = czxid;
			console_change_begin(co, cm);
		} else {
			console_say(co, true, "%s is gone", topic);
			command_free(&cm);
		}
	}
	return true;
}

/* ---- what is typed ------------------------------------------------------------------------------------------ */

static void console_change_typed(struct console *co)
{
	char why[CHANGE_TEXT_MAX];
	enum change_typed ty = change_type(&co->change, co->pr.le.text, why);

	if (ty == CHANGE_NOT_IT) {
		str_printf(co->pr.note, sizeof(co->pr.note), "%s", why);
		return;
	}
	prompt_close(&co->pr, false);
	if (ty == CHANGE_MORE)
		console_change_prompt(co);
	else if (ty == CHANGE_BACK)
		console_say(co, true, "%s", why);
	console_change_page(co);
	console_change_turn(co);
}

/* Esc: everything is as it was. */
void console_change_leave(struct console *co)
{
	change_drop(&co->change);
	if (console_is_confirming(co))
		screens_pop(&co->st, session_now(co->ss));
	co->dirty = true;
}

/* The page behind a question scrolls; pasted text is refused whole; where the terminal does not tell of it, an Enter that comes with other keys was pasted, as likely as not. True: nothing else is done. */
bool console_change_key(struct console *co, const struct term_event *ev)
{
	switch (ev->key) {
	case KEYS_UP: console_move(co, ACTION_UP); return true;
	case KEYS_DOWN: console_move(co, ACTION_DOWN); return true;
	case KEYS_PGUP: console_move(co, ACTION_PAGE_UP); return true;
	case KEYS_PGDN: console_move(co, ACTION_PAGE_DOWN); return true;
	case KEYS_TAB: return true;
	case KEYS_PASTE: str_printf(co->pr.note, sizeof(co->pr.note), "typed by hand only"); return true;
	case KEYS_ENTER:
		if (!ev->is_behind)
			console_change_typed(co);
		else
			str_printf(co->pr.note, sizeof(co->pr.note), "pasted? Enter by itself");
		return true;
	default: return false;
	}
}

/* Where another screen takes its place: what was not sent is left. */
void console_change_away(struct console *co)
{
	if (co->st.n > 0 && console_is_confirming(co) && !change_is_sending(&co->change))
		console_change_leave(co);
}

void console_change_stop(struct console *co)
{
	if (!change_is_sending(&co->change)) {
		console_say(co, false, "nothing is being sent");
		return;
	}
	change_stop(&co->change);
	console_say(co, false, "nothing more is sent after the answer that is waited for");
}

/* ---- what comes of it ------------------------------------------------------------------------------------------ */

void console_change_follow(struct console *co)
{
	if (!screens_pop_to(&co->st, &scr_deletions, session_now(co->ss)))
		screens_push(&co->st, &scr_deletions, NULL, session_now(co->ss));
	co->dirty = true;
}

static void console_unmark(void *ctx, const char *topic)
{
	struct console *co = ctx;

	choice_unmark(co->marks, topic);
}

/* What is typed belongs to what was shown. */
void console_change_update(struct console *co, const struct changes *ch)
{
	bool was_asked = co->change.step == CONFIRM_TYPE;

	if (!change_update(&co->change, ch))
		return;
	if (!co->change.difference && str_starts(co->message, SINCE_THE_CHECK))
		co->message[0] = '\0';
	if (was_asked && co->pr.kind == PROMPT_CONFIRM) {
		prompt_close(&co->pr, false);
		console_say(co, true, SINCE_THE_CHECK "%.*s", (int)strcspn(co->change.difference, "\n"), co->change.difference);
	}
	console_change_page(co);
}

/* What is asked of brokers before a deletion has got further. */
static void console_change_news(struct console *co)
{
	char why[CHANGE_TEXT_MAX];
	bool was_typed = co->pr.le.text[0] || co->change.is_first_typed;
	enum change_news news = change_news(&co->change, why);

	co->dirty |= news != CHANGE_NO_NEWS;
	if (co->pr.kind != PROMPT_CONFIRM)
		return;
	if (news == CHANGE_WARNED && was_typed) {
		prompt_close(&co->pr, false);
		console_change_prompt(co);
		str_printf(co->pr.note, sizeof(co->pr.note), "new warning: type it anew");
	} else if (news == CHANGE_UNDONE) {
		prompt_close(&co->pr, false);
		console_say(co, true, "%s", why);
		console_change_page(co);
	}
}

void console_change_turn(struct console *co)
{
	char text[CONSOLE_MESSAGE_MAX];
	bool is_well, is_bad;

	console_change_news(co);
	if (change_ends(&co->change, &is_well)) {
		change_each_taken(&co->change, console_unmark, co);
		console_look_back(co, false);
		console_marks_count(co);
		co->dirty = true;
		if (is_well && console_is_confirming(co)) {
			console_change_leave(co);
			console_change_follow(co);
		}
	}
	if (!console_is_unread(co) && change_take_message(&co->change, text, sizeof(text), &is_bad))
		console_say(co, is_bad, "%s", text);
}

void console_on_outcome(void *ctx, const struct outcome *oc)
{
	struct console *co = ctx;

	change_outcome(&co->change, oc);
	co->dirty = true;
}
