/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When to paint. A change after a quiet time paints at once. Frames are paid from a credit that grows by one every
 * UI_FRAME_MS up to UI_FRAMES_AHEAD, so no second has more than 20 of them, a burst costs frames and not keystrokes, and
 * what comes just after the clock's tick, or one after the other at the start, doesn't wait. A key is answered sooner. The
 * clock moves on every --delay, on the second, and what was held back of the disagreements is told when it is ripe. Nothing
 * else wakes: while a trace stands still, nothing at all. In the
 * background it looks every UI_AWAY_MS whether it has come back.
 */
#include "ui/ui.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "app/exit.h"
#include "app/loop.h"
#include "app/options.h"
#include "app/session.h"
#include "base/err.h"
#include "base/log.h"
#include "core/deletion.h"
#include "core/model.h"
#include "core/truths.h"
#include "ui/console.h"
#include "ui/frame.h"
#include "ui/keymap.h"
#include "ui/term.h"

enum { UI_FRAME_MS = 60, UI_FRAMES_AHEAD = 3, UI_GAP_MS = 15, UI_DELAY_MIN_MS = 100, UI_AWAY_MS = 200 };
_Static_assert(1000 / UI_FRAME_MS + UI_FRAMES_AHEAD <= 20, "20 frames a second at most");

struct ui {
	struct console co;
	struct loop_hooks hooks;
	mono_ms painted;      /* the last frame, on the real clock also in a replay */
	dur_ms credit;        /* for frames, left at that moment */
	bool is_keyed;        /* a key was read since the last frame */
	int64_t tick;         /* of the clock that was painted */
};

static mono_ms ui_mono(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (mono_ms){ (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000 };
}

static bool ui_input(void *ctx)
{
	struct ui *ui = ctx;
	struct term_event ev;
	bool is_behind = false;

	while (!ui->co.quit && term_next(&ev)) {
		ev.is_behind = is_behind;
		is_behind |= ev.key != KEYS_RESIZE;
		console_key(&ui->co, &ev);
		ui->is_keyed = true;
	}
	ui->hooks.input_fd = term_fd();
	return !ui->co.quit && !term_is_lost();
}

/* The number of the tick that it is now, and the time to the next; -1: the clock stands still. */
static int64_t ui_tick(const struct ui *ui, mono_ms real, dur_ms *wait)
{
	dur_ms delay = ui->co.opt->delay < UI_DELAY_MIN_MS ? UI_DELAY_MIN_MS : ui->co.opt->delay;
	struct replay_info re = session_replay(ui->co.ss);
	int64_t now = re.is_replay ? real.ms : session_now(ui->co.ss).ms;

	if (re.is_replay && re.paused) {
		*wait = -1;
		return ui->tick;
	}
	*wait = delay - now % delay;
	return now / delay;
}

/* Until a disagreement ripens, or is over, or a deletion is told of otherwise, by time alone: real time, in a replay as fast as that goes. -1: none will. */
static dur_ms ui_ripe_wait(const struct console *co)
{
	struct replay_info re = session_replay(co->ss);
	dur_ms wait = dur_sooner(truths_wait(co->truths, session_mono(co->ss)), deletions_wait(co->deletions, session_mono(co->ss)));

	if (wait <= 0 || !re.is_replay)
		return wait;
	return re.paused || re.speed <= 0 ? -1 : (dur_ms)((double)wait / re.speed) + 1;
}

static void ui_take_message(struct console *co)
{
	char text[CONSOLE_MESSAGE_MAX];
	struct err err;

	err_init(&err);
	if (console_is_unread(co))
		return; /* one after the other */
	if (session_take_message(co->ss, text, sizeof(text)))
		console_say(co, true, "%s", text);
	else if (log_take_failure(&err))
		console_say(co, true, "%s", err.text);
}

/* Brings the screens up to date and paints. */
static void ui_frame(struct console *co)
{
	struct changes ch = session_changes(co->ss);

	/* The help wraps by the width, which only the last frame knows; a resize is followed by a second update. */
	term_size(&co->width, &co->height);
	if (screens_top(&co->st)->ops->resize)
		screens_top(&co->st)->ops->resize(screens_top(&co->st)->self, co->width);
	console_update(co, &ch);
	session_changes_clear(co->ss);
	frame_paint(co);
	co->is_shown = co->pr.kind == PROMPT_NONE; /* a prompt takes its line */
	console_want(co);
	co->dirty = false;
}

static dur_ms ui_credit(const struct ui *ui, mono_ms real)
{
	dur_ms most = UI_FRAMES_AHEAD * UI_FRAME_MS, grown = ui->credit + mono_since(real, ui->painted);

	return !ui->painted.ms || grown > most ? most : grown;
}

/* The time until a frame may be painted; 0 or less: now. A key waits for no credit. */
static dur_ms ui_frame_wait(const struct ui *ui, mono_ms real)
{
	dur_ms gap = ui->painted.ms ? UI_GAP_MS - mono_since(real, ui->painted) : 0;
	dur_ms due = ui->is_keyed ? 0 : UI_FRAME_MS - ui_credit(ui, real);

	return gap > due ? gap : due;
}

/* Paints where it is time; how long to sleep then. */
static dur_ms ui_turn(struct ui *ui)
{
	mono_ms real = ui_mono();
	dur_ms wait, rest = ui_frame_wait(ui, real), ripe = ui_ripe_wait(&ui->co);
	int64_t tick = ui_tick(ui, real, &wait);

	ui->hooks.is_holding = false;
	if (!term_is_ours()) {
		console_look_away(&ui->co);
		return UI_AWAY_MS;
	}
	ui_take_message(&ui->co);
	ui->co.dirty |= change_has_news(&ui->co.change);
	if (!ui->co.dirty && tick == ui->tick && !session_changes(ui->co.ss).bits && ripe != 0)
		return dur_sooner(wait, ripe);
	if (rest > 0) {
		ui->hooks.is_holding = true;
		return dur_sooner(wait, rest);
	}
	ui_frame(&ui->co);
	ui->tick = tick;
	ui->credit = ui_credit(ui, real) > UI_FRAME_MS ? ui_credit(ui, real) - UI_FRAME_MS : 0;
	ui->painted = real;
	ui->is_keyed = false;
	return dur_sooner(wait, ui_ripe_wait(&ui->co));
}

static dur_ms ui_before_sleep(void *ctx)
{
	return dur_sooner(ui_turn(ctx), term_wait());
}

static void ui_say_no_view(const struct options *opt)
{
	size_t n;
	const struct console_view *v = console_views(&n);

	fprintf(stderr, "kafops: %s: no view is named %s; there are ", options_source(opt, OPT_VIEW), opt->view);
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", v[i].name);
	fputc('\n', stderr);
}

/* Nobody waits for the answer any more; on the terminal as it was before. */
static void ui_say_unanswered(const struct console *co)
{
	char what[CHANGE_LABEL_MAX];

	if (change_running_text(&co->change, what))
		fprintf(stderr, "kafops: %s was sent and had no answer yet: kafops journal says what is known of it, kafops deletions what came of it\n", what);
}

int ui_run(struct session *ss, const struct options *opt)
{
	struct ui ui = { .tick = -1 };
	const struct console_view *first = console_view_named(opt->view ? opt->view : "overview");
	struct err err;
	int sig;

	err_init(&err);
	if (!first) {
		ui_say_no_view(opt);
		return EXIT_USAGE;
	}
	if (!term_up(opt, &err)) {
		fprintf(stderr, "kafops: %s\n", err.text);
		return EXIT_USAGE;
	}
	console_init(&ui.co, ss, opt, first);
	ui.hooks = (struct loop_hooks){
		.ctx = &ui, .input = ui_input, .before_sleep = ui_before_sleep, .input_fd = term_fd(),
	};
	sig = loop_run(ss, &ui.hooks);
	if (!sig && term_is_lost())
		sig = SIGHUP;
	term_down();
	ui_say_unanswered(&ui.co);
	console_fini(&ui.co);
	return sig ? exit_status_of_signal(sig) : EXIT_DONE;
}
