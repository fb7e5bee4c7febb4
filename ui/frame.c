/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/frame.h"

#include <string.h>

#include "app/options.h"
#include "app/session.h"
#include "base/str.h"
#include "base/utf8.h"
#include "ui/canvas.h"
#include "ui/console.h"
#include "ui/layout.h"
#include "ui/status.h"
#include "ui/term.h"
#include "view/preview_text.h"
#include "view/table.h"

/* "9lkx3A", "STALE 9999 s", "reading 43 %": what comes after doesn't jump. */
enum { FRAME_CLUSTER_COLUMNS = 6, FRAME_CONN_COLUMNS = 12 };
/* A line of an opened thing's head is wrapped to so many lines, where the content is so high. */
enum { FRAME_HEAD_LINES = 3, FRAME_WRAP_HEIGHT = 16 };
/* What is left beside a note for what is typed. */
enum { FRAME_ANSWER_COLUMNS = 12 };

static unsigned frame_mood(enum status_mood mood)
{
	return mood == STATUS_BAD ? STYLE_WRONG : mood == STATUS_BUSY ? STYLE_BUSY : STYLE_NORMAL;
}

static unsigned frame_cell(unsigned style)
{
	switch (style) {
	case CELL_WRONG: return STYLE_WRONG;
	case CELL_BUSY: return STYLE_BUSY;
	case CELL_DIM:
	case CELL_OLD: return STYLE_DIM;
	default: return STYLE_NORMAL;
	}
}

/* ---- line 1 ------------------------------------------------------------------ */

enum { PIECE_NAME, PIECE_CLUSTER, PIECE_WHERE, PIECE_BROKERS, PIECE_CTRL, PIECE_CONN, PIECE_MODE, PIECE_CLOCK, PIECES };

struct frame_piece {
	char full[STATUS_WORD_MAX], brief[STATUS_WORD_MAX];
	unsigned style;
};

/* Where it is connected: the whole connect string, or its first server and the chroot. */
static void frame_where(const char *zookeeper, struct frame_piece *fp)
{
	const char *chroot = strchr(zookeeper, '/');
	size_t n = strcspn(zookeeper, ",/");

	str_printf(fp->full, STATUS_WORD_MAX, "%.40s%s", zookeeper, strlen(zookeeper) > 40 ? "..." : "");
	str_printf(fp->brief, STATUS_WORD_MAX, "%.*s%s%.20s", n < 24 ? (int)n : 24, zookeeper, zookeeper[n] == ',' ? ",.." : "",
		   chroot ? chroot : "");
}

static unsigned frame_tint(const char *tint)
{
	static const char *const tints[] = { "red", "green", "yellow", "blue", "magenta", "cyan" };

	for (unsigned i = 0; tint && i < sizeof(tints) / sizeof(tints[0]); i++)
		if (!strcmp(tint, tints[i]))
			return STYLE_TINT + i;
	return STYLE_STRONG;
}

static void frame_status_texts(const struct console *co, struct frame_piece fp[PIECES])
{
	const struct cluster *cl = session_cluster(co->ss);
	char clock[UNITS_TEXT_MAX];

	str_printf(fp[PIECE_NAME].full, STATUS_WORD_MAX, "kafops");
	status_name(cl, &co->opt->policy, fp[PIECE_CLUSTER].full, fp[PIECE_CLUSTER].brief);
	fp[PIECE_CLUSTER].style = frame_tint(co->opt->tint);
	frame_where(session_zookeeper(co->ss), &fp[PIECE_WHERE]);
	fp[PIECE_BROKERS].style = frame_mood(status_brokers(cl, fp[PIECE_BROKERS].full, fp[PIECE_BROKERS].brief));
	fp[PIECE_CTRL].style = frame_mood(status_controller(cl, fp[PIECE_CTRL].full, fp[PIECE_CTRL].brief));
	fp[PIECE_CONN].style = frame_mood(status_conn(cl, session_mono(co->ss), fp[PIECE_CONN].full));
	str_printf(fp[PIECE_MODE].full, STATUS_WORD_MAX, "%s", status_mode(cl, &co->opt->policy));
	fp[PIECE_MODE].style = status_operates(cl, &co->opt->policy) ? STYLE_STRONG : STYLE_NORMAL;
	str_printf(fp[PIECE_CLOCK].full, STATUS_WORD_MAX, "%s", units_clock(clock, session_now(co->ss)));
}

static void frame_status(const struct console *co, const struct layout *lo)
{
	static const struct { uint8_t brief_at, drop_at; } steps[PIECES] = {
		[PIECE_WHERE] = { 1, 2 }, [PIECE_NAME] = { 0, 3 }, [PIECE_CLOCK] = { 0, 4 }, [PIECE_BROKERS] = { 5, 0 },
		[PIECE_CTRL] = { 6, 8 }, [PIECE_CONN] = { 7, 0 }, [PIECE_CLUSTER] = { 9, 0 },
	};
	struct frame_piece fp[PIECES] = { 0 };
	struct layout_piece lp[PIECES] = { 0 };

	frame_status_texts(co, fp);
	for (size_t i = 0; i < PIECES; i++) {
		lp[i].full = canvas_columns(fp[i].full);
		lp[i].brief = fp[i].brief[0] ? canvas_columns(fp[i].brief) : lp[i].full;
		lp[i].brief_at = steps[i].brief_at;
		lp[i].drop_at = steps[i].drop_at;
		lp[i].to_right = i == PIECE_CLOCK;
	}
	if (lp[PIECE_CLUSTER].full < FRAME_CLUSTER_COLUMNS)
		lp[PIECE_CLUSTER].full = lp[PIECE_CLUSTER].brief = FRAME_CLUSTER_COLUMNS;
	if (lp[PIECE_CONN].full < FRAME_CONN_COLUMNS)
		lp[PIECE_CONN].full = FRAME_CONN_COLUMNS;
	layout_line(lp, PIECES, lo->width);
	for (size_t i = 0; i < PIECES; i++)
		if (lp[i].x >= 0)
			canvas_put(lp[i].x, lo->status, lp[i].is_brief ? lp[i].brief : lp[i].full, fp[i].style,
				   lp[i].is_brief && fp[i].brief[0] ? fp[i].brief : fp[i].full);
}

/* ---- lines 2 and 3 ------------------------------------------------------------- */

static void frame_views(const struct console *co, const struct layout *lo)
{
	const struct screen *sc = screens_top(&co->st);
	char note[STATUS_TEXT_MAX] = "", replay[STATUS_WORD_MAX], brief[STATUS_WORD_MAX], clock[UNITS_TEXT_MAX], text[CONSOLE_VIEW_MAX];
	size_t n;
	const struct console_view *v = console_views(&n);
	int x = 0, w;

	for (size_t i = 0; i < n; i++) {
		unsigned style = strcmp(v[i].name, sc->ops->name) ? STYLE_NORMAL : STYLE_PLACE;

		console_view_text(co, &v[i], text);
		x += canvas_put(x, lo->views, canvas_columns(text), style, text) + 1;
	}
	if (sc->frozen)
		str_printf(note, sizeof(note), "HELD STILL at %s, P goes on", units_clock(clock, sc->frozen_at));
	else if (status_replay(co->ss, replay, brief))
		str_printf(note, sizeof(note), "%s", canvas_columns(replay) > lo->width - x ? brief : replay);
	w = canvas_columns(note);
	if (w > 0 && lo->width - x > 0)
		canvas_put_right(x, lo->views, lo->width - x, sc->frozen ? STYLE_BANNER : STYLE_STRONG, note);
}

/* Bytes of a title that fit: what doesn't goes piece by piece, from the last. */
static size_t frame_title_len(const char *title, int width)
{
	size_t len = strlen(title), end = len;

	while (end > 0 && (int)utf8_columnsn(title, end) > width)
		for (end--; end > 0 && strncmp(title + end, "; ", 2) != 0;)
			end--;
	return end > 0 ? end : len;
}

static void frame_title(const struct console *co, const struct layout *lo)
{
	const struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	char banner[STATUS_TEXT_MAX], right[STATUS_WORD_MAX];
	char text[TABLE_TITLE_MAX];
	int w, title, x = 1;

	if (status_other_cluster(session_cluster(co->ss), &co->opt->policy, banner) ||
	    status_banner(session_cluster(co->ss), session_mono(co->ss), session_now(co->ss), banner)) {
		canvas_put(1, lo->title, lo->width - 1, STYLE_BANNER, banner);
		return;
	}
	if (sc->qu.text[0] && !sc->frozen && sc->ops->has_cursor) {
		str_printf(text, sizeof(text), "/%s/", sc->qu.text);
		w = canvas_columns(text);
		x += canvas_put(x, lo->title, w < lo->width / 3 ? w : lo->width / 3, STYLE_PLACE, text) + 1;
	}
	if (!str_copyn(text, sizeof(text), tb->title, frame_title_len(tb->title, lo->width - x)))
		text[0] = '\0';
	title = x - 1 + canvas_put(x, lo->title, lo->width - x, frame_cell(tb->title_style), text);
	if (!sc->ops->has_cursor && tb->n_rows > sc->tw.page)
		str_printf(right, sizeof(right), "lines %zu to %zu of %zu", sc->tw.top + 1, sc->tw.top + sc->tw.page, tb->n_rows);
	else
		str_printf(right, sizeof(right), "%s", tb->sort_text);
	w = canvas_columns(right);
	if (1 + title + 2 + w <= lo->width)
		canvas_put_right(lo->width - w, lo->title, w, STYLE_DIM, right);
}

/* ---- content ---------------------------------------------------------------------- */

/* Bytes of `s` up to the last blank that leaves at most `width` columns. */
static size_t frame_fit(const char *s, int width)
{
	size_t end = strlen(s), at = 0;

	if (canvas_columns(s) <= width)
		return end;
	end = 0;
	while (s[at]) {
		at += strspn(s + at, " ");
		at += strcspn(s + at, " ");
		if ((int)utf8_columnsn(s, at) > width)
			break;
		end = at;
	}
	return end;
}

/* A sentence, wrapped; what does not fit into `height` lines ends in a mark. Returns the lines it took. */
static int frame_paragraph(int y, int width, int height, unsigned style, const char *s)
{
	char line[STATUS_TEXT_MAX];
	int n = 0;

	do {
		size_t len = frame_fit(s, width - 2);

		if (!len || n + 1 >= height || !str_copyn(line, sizeof(line), s, len)) {
			canvas_put(1, y + n++, width - 1, style, s);
			return n;
		}
		canvas_put(1, y + n++, width - 1, style, line);
		s += len + strspn(s + len, " ");
	} while (*s && n < height);
	return n;
}

static void frame_content(struct console *co, const struct layout *lo)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	char nothing[STATUS_LINES_MAX][STATUS_TEXT_MAX];
	struct cell head[SCREEN_HEAD_MAX];
	size_t n = sc->ops->has_cursor ? status_nothing(session_cluster(co->ss), session_zookeeper(co->ss), nothing) : 0;
	int y = lo->content, end = lo->content + lo->content_height;

	if (n) {
		for (size_t i = 0; i < n && y + 1 < end; i++)
			canvas_put(0, ++y, lo->width, i ? STYLE_NORMAL : STYLE_STRONG, nothing[i]);
		return;
	}
	n = screen_head(sc, head);
	for (size_t i = 0; i < n && y < end; i++) {
		int most = lo->content_height >= FRAME_WRAP_HEIGHT ? FRAME_HEAD_LINES : 1;

		y += frame_paragraph(y, lo->width, most < end - y ? most : end - y, frame_cell(head[i].style), head[i].text ? head[i].text : "");
	}
	co->table_y = y;
	if (tb->n_rows)
		tablewin_paint(&sc->tw, tb, 0, y, lo->width, end - y, co->ar);
	else if (y + 1 < end)
		frame_paragraph(y + 1, lo->width, end - y - 1, STYLE_NORMAL, tb->empty);
}

/* Over the last lines of the content, which stay where they are behind it. */
static void frame_preview(const struct console *co, const struct layout *lo)
{
	struct preview_line lines[PREVIEW_LINES_MAX];
	int n = lo->content_height / 2 < PREVIEW_LINES ? lo->content_height / 2 : PREVIEW_LINES, tall = lo->content_height / 4;

	if (tall > n)
		n = tall < PREVIEW_LINES_MAX ? tall : PREVIEW_LINES_MAX;
	if (co->pr.kind != PROMPT_PATTERN)
		return;
	preview_text(&co->preview, (size_t)lo->width - 1, lines, (size_t)n);
	for (int i = 0; i < n; i++) {
		int y = lo->content + lo->content_height - n + i;

		canvas_put(0, y, 1, STYLE_NORMAL, "");
		canvas_put(1, y, lo->width - 1, frame_cell(lines[i].style), lines[i].text);
	}
}

/* ---- the last two lines --------------------------------------------------------------- */

static void frame_prompt(const struct console *co, const struct layout *lo)
{
	const struct prompt *pr = &co->pr;
	const char *label = prompt_label(pr);
	char wrong[PROMPT_NOTE_MAX + 2];
	int x = canvas_columns(label), note = canvas_columns(pr->note), width;
	size_t begin, cursor;

	if (note > 0 && x + note + FRAME_ANSWER_COLUMNS > lo->width && pr->kind == PROMPT_CONFIRM) { /* what is wrong, then, in place of the question, which one has read */
		str_printf(wrong, sizeof(wrong), "%s: ", pr->note);
		label = wrong;
		x = note + 2;
		note = 0;
	}
	if (x > lo->width - 10) /* a long question in a narrow terminal: room for the answer first */
		x = lo->width - 10;
	canvas_put(0, lo->message, x, label == wrong ? STYLE_WRONG : STYLE_STRONG, label);
	width = lo->width - x;
	if (note > width - FRAME_ANSWER_COLUMNS)
		note = width - FRAME_ANSWER_COLUMNS;
	if (note > 0) {
		canvas_put_right(lo->width - note, lo->message, note, STYLE_DIM, pr->note);
		width -= note + 1;
	}
	lineedit_window(&pr->le, (size_t)width, &begin, &cursor);
	canvas_put(x, lo->message, width, pr->is_proposed ? STYLE_CURSOR : STYLE_NORMAL, pr->le.text + begin);
	canvas_cursor(x + (int)cursor, lo->message);
}

/* What is marked, and behind it what must be known of the brokers. */
static void frame_state(const struct console *co, const struct layout *lo)
{
	char marks[STATUS_TEXT_MAX], brokers[STATUS_TEXT_MAX];
	int x = 1;

	console_marks_text(co, marks, sizeof(marks));
	if (marks[0])
		x += canvas_put(x, lo->message, lo->width - x, STYLE_PLACE, marks) + 2;
	if (x < lo->width && status_broker_side(session_cluster(co->ss), session_mono(co->ss), session_now(co->ss), brokers))
		canvas_put(x, lo->message, lo->width - x, STYLE_WRONG, brokers);
}

static void frame_message(const struct console *co, const struct layout *lo)
{
	if (co->pr.kind != PROMPT_NONE)
		frame_prompt(co, lo);
	else if (co->message[0])
		canvas_put(1, lo->message, lo->width - 1, co->is_bad ? STYLE_WRONG : STYLE_NORMAL, co->message);
	else
		frame_state(co, lo);
}

static void frame_keys(const struct console *co, const struct layout *lo)
{
	unsigned where = co->pr.kind != PROMPT_NONE ? IN_PROMPT : console_where(co);
	struct layout_piece lp[LAYOUT_PIECES_MAX] = { 0 };
	struct { char key[16]; const char *label; } fk[LAYOUT_PIECES_MAX];
	uint8_t step = LAYOUT_PIECES_MAX;
	size_t n = 0;

	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT && n < LAYOUT_PIECES_MAX; a++) {
		const struct action_row *ar = keymap_row(a);
		bool clears = a == ACTION_ESCAPE && screens_top(&co->st)->qu.text[0];
		bool is_next = a == ACTION_DELETE && co->marked.topics > 0;
		bool keep = a == ACTION_HELP || a == ACTION_BACK || clears || is_next || where == IN_PROMPT;

		if (!(ar->where & where) || !(*ar->label || clears) || !console_key_works(co, a))
			continue;
		if (co->pr.kind == PROMPT_CONFIRM && (a == ACTION_LINE_COMPLETE || a == ACTION_LINE_OLDER))
			continue;
		fk[n].label = a == ACTION_BACK && co->st.n == 1 ? "quit" : clears ? "show all" : ar->label;
		str_printf(fk[n].key, sizeof(fk[n].key), "%.*s", (int)strcspn(ar->keys, " "), ar->keys);
		lp[n].full = canvas_columns(fk[n].key) + 1 + canvas_columns(fk[n].label);
		lp[n].drop_at = keep ? 0 : step--;
		n++;
	}
	layout_line(lp, n, lo->width);
	for (size_t i = 0; i < n; i++) {
		int w = canvas_columns(fk[i].key);

		if (lp[i].x < 0)
			continue;
		canvas_put(lp[i].x, lo->keys, w, STYLE_STRONG, fk[i].key);
		canvas_put(lp[i].x + w + 1, lo->keys, lp[i].full - w - 1, STYLE_DIM, fk[i].label);
	}
}

/* ---- all of it ------------------------------------------------------------------------- */

static void frame_too_small(const struct layout *lo)
{
	char text[64];

	str_printf(text, sizeof(text), "too small: %dx%d needed", LAYOUT_WIDTH_MIN, LAYOUT_HEIGHT_MIN);
	if (lo->width > 3)
		canvas_put(0, 0, lo->width, STYLE_NORMAL, text);
}

/* Cursor and scroll for the height there is. */
static void frame_sync(struct console *co, const struct layout *lo)
{
	struct screen *sc = screens_top(&co->st);
	struct cell head[SCREEN_HEAD_MAX];
	int page = lo->content_height - (int)screen_head(sc, head) - 1;

	tablewin_sync(&sc->tw, screen_table(sc), page > 0 ? (size_t)page : 0);
}

void frame_paint(struct console *co)
{
	struct layout lo;

	term_size(&co->width, &co->height);
	lo = layout_frame(co->width, co->height);
	canvas_begin();
	if (lo.too_small) {
		frame_too_small(&lo);
	} else {
		frame_sync(co, &lo);
		frame_status(co, &lo);
		frame_views(co, &lo);
		frame_title(co, &lo);
		frame_content(co, &lo);
		frame_preview(co, &lo);
		frame_message(co, &lo);
		frame_keys(co, &lo);
	}
	canvas_end();
}
