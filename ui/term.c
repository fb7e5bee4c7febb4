/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The story of a stop. [terminal] Ctrl-Z: SIGTSTP to all of the process group, a script we run under among them.
 * SIGTSTP is blocked but while the loop waits. [handler] puts it back; poll returns EINTR. [UI] the loop asks for input,
 * term_next finds it pending: endwin (normal screen, cursor, echo), default action, unblocked: the whole process stands
 * still. A SIGCONT that came since has made the kernel drop the pending SIGTSTP, at whatever moment: no stop, no gap.
 * [shell] fg: the group comes to the foreground, SIGCONT. [UI] goes on; in the foreground: raw-ish modes again, new size,
 * full repaint. By bg or kill -CONT: not in the foreground, the terminal stays the shell's; the next SIGCONT (fg sends
 * one) brings us back here through exit_take_continue.
 * :suspend is the same but for its start: the signal is ours, to the whole group as the terminal's would be.
 * Under a script the shell may have seen that stop and taken the terminal before we gave it back: see term_give_back.
 * SIGSTOP can't be noted beforehand: the terminal is as we left it, or as the shell set it; term_retake handles both.
 */
#include "ui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/options.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "ui/canvas.h"
#include "ui/keymap.h"
#include "ui/term_keys.h"

#include <curses.h>
#include <term.h> /* last: it makes macros of words such as columns and lines */

enum { TERM_RESTORE_MAX = 512, TERM_ESC_MS = 25, TERM_NAME_SHOWN = 40 };

static struct {
	SCREEN *scr;
	bool is_up;          /* curses has the terminal */
	bool is_lost;
	bool ascii, color, mouse;
	bool pastes;         /* is asked to tell what is pasted */
	struct term_keys keys; /* being read */
	bool resized;
	int saved_stderr;    /* -1: not moved */
	struct termios saved;
	char restore[TERM_RESTORE_MAX];
	size_t restore_len;
} term = { .saved_stderr = -1 };

static const char term_mouse_off[] = "\033[?1000l\033[?1006l", term_paste_off[] = "\033[?2004l";

/* ---- the way back ---------------------------------------------------------- */

/* Async-signal-safe: runs in the handler of a crash. */
static void term_emergency(void)
{
	if (term.is_up) {
		size_t at = 0;

		/* A terminal that takes nothing must not keep us from ending. */
		fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
		while (at < term.restore_len) {
			ssize_t n = write(STDOUT_FILENO, term.restore + at, term.restore_len - at);

			if (n > 0)
				at += (size_t)n;
			else if (n == 0 || errno != EINTR)
				break;
		}
		fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK);
		tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
	}
	if (term.saved_stderr >= 0)
		dup2(term.saved_stderr, STDERR_FILENO);
}

static int term_collect(int c)
{
	if (term.restore_len < TERM_RESTORE_MAX)
		term.restore[term.restore_len++] = (char)c;
	return c;
}

static void term_collect_text(const char *s)
{
	while (*s)
		term_collect(*s++);
}

static void term_restore_add(const char *capability)
{
	char *s = tigetstr(capability);

	if (s && s != (char *)-1)
		tputs(s, 1, term_collect); /* drops the padding marks */
}

static void term_prepare_restore(void)
{
	term.restore_len = 0;
	term_collect_text(term.mouse ? term_mouse_off : "");
	term_collect_text(term.pastes ? term_paste_off : "");
	if (term.color)
		term_restore_add("op");
	term_restore_add("sgr0");
	term_restore_add("cnorm");
	term_restore_add("rmkx");
	term_restore_add("rmcup");
	term_collect('\r');
}

/* ---- signals ---------------------------------------------------------------- */

/* Blocked while this runs and after: it stays pending until the terminal is given back, or SIGCONT takes it away. */
static void term_on_stop(int sig)
{
	raise(sig);
}

static bool term_is_stop_asked(void)
{
	sigset_t set;

	return sigpending(&set) == 0 && sigismember(&set, SIGTSTP) == 1;
}

static void term_mask(int how, int a, int b)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, a);
	sigaddset(&set, b);
	pthread_sigmask(how, &set, NULL);
}

/* Off: a SIGTSTP has its default action again, and so has one that is pending, once unblocked. */
static void term_catch_stop(bool on)
{
	struct sigaction sa = { 0 };

	sa.sa_handler = on ? term_on_stop : SIG_DFL;
	sigemptyset(&sa.sa_mask);
	sigaction(SIGTSTP, &sa, NULL);
	term_mask(on ? SIG_BLOCK : SIG_UNBLOCK, SIGTSTP, SIGTSTP);
}

/* ---- what goes past curses ------------------------------------------------- */

static void term_write(const char *s, size_t n)
{
	while (n) {
		ssize_t w = write(STDOUT_FILENO, s, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return;
		s += w;
		n -= (size_t)w;
	}
}

static void term_write_text(const char *s)
{
	fflush(stdout);
	term_write(s, strlen(s));
}

static void term_endwin(void)
{
	if (term.mouse)
		term_write_text(term_mouse_off);
	if (term.pastes)
		term_write_text(term_paste_off);
	endwin();
}

/* ---- up ------------------------------------------------------------------------ */

/* Debian's ncurses goes on to its own folders when TERMINFO names one that isn't there. Who set it meant it: the picture
 * would be that of another description than the one asked for. */
static bool term_check_terminfo(const char *name, struct err *err)
{
	const char *dir = getenv("TERMINFO");

	if (!dir || !*dir || access(dir, R_OK) == 0)
		return true;
	return err_set(err, ERR_USAGE, "TERM=%.*s can't be looked up: TERMINFO=%.80s is not there; "
		       "unset TERMINFO, and if need be try TERM=xterm-256color", TERM_NAME_SHOWN, name, dir);
}

static bool term_check(struct err *err)
{
	const char *name = getenv("TERM");
	int ret = 0;
	bool can_move;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, ERR_USAGE, "standard %s is not a terminal: the console needs one; "
			       "`kafops topics` and the other commands do without",
			       isatty(STDIN_FILENO) ? "output" : "input");
	if (!name || !*name)
		return err_set(err, ERR_USAGE, "TERM is %s: say which terminal this is, "
			       "e.g. TERM=xterm-256color kafops ...", name ? "empty" : "not set");
	if (!term_check_terminfo(name, err))
		return false;
	if (setupterm(name, STDOUT_FILENO, &ret) != OK)
		return err_set(err, ERR_USAGE, "TERM=%.*s is not known on this machine: "
			       "try TERM=xterm-256color, or install its terminfo entry", TERM_NAME_SHOWN, name);
	can_move = tigetstr("cup") && tigetstr("cup") != (char *)-1;
	del_curterm(cur_term);
	if (!can_move)
		return err_set(err, ERR_USAGE, "TERM=%.*s can't place the cursor, which the console needs: "
			       "try TERM=xterm-256color", TERM_NAME_SHOWN, name);
	return true;
}

static void term_choose(const struct options *opt)
{
	const char *no_color = getenv("NO_COLOR");

	term.ascii = opt->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	term.color = opt->color != COLOR_NEVER;
	if (opt->color == COLOR_AUTO && no_color && *no_color)
		term.color = false;
	term.mouse = !opt->no_mouse; /* and the terminal has one: term_up */
}

static void term_move_stderr(void)
{
	int fd = log_fd();
	int null = fd < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

	fflush(stderr);
	term.saved_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		fd = null;
	if (fd >= 0)
		dup2(fd, STDERR_FILENO);
	if (null >= 0)
		close(null);
}

static void term_return_stderr(void)
{
	if (term.saved_stderr < 0)
		return;
	fflush(stderr);
	dup2(term.saved_stderr, STDERR_FILENO);
	close(term.saved_stderr);
	term.saved_stderr = -1;
}

static void term_modes(void)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	meta(stdscr, TRUE);
	curs_set(0);
	leaveok(stdscr, FALSE);
	scrollok(stdscr, FALSE);
	term_keys_define(term.mouse);
	if (term.mouse)
		term_write_text("\033[?1000h\033[?1006h");
	if (term.pastes)
		term_write_text("\033[?2004h");
}

/* "80x24", for a complaint. */
static const char *term_size_text(char *out, size_t size)
{
	struct winsize ws = { 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws);
	str_printf(out, size, "%dx%d", ws.ws_col, ws.ws_row);
	return out;
}

bool term_up(const struct options *opt, struct err *err)
{
	char size[32];

	setlocale(LC_CTYPE, "");
	if (!term_check(err))
		return false;
	if (tcgetattr(STDIN_FILENO, &term.saved) < 0)
		return err_set(err, ERR_IO, "can't read the terminal's modes");
	term_choose(opt);
	use_env(FALSE);
	use_tioctl(TRUE); /* the size from the terminal itself, never from LINES and COLUMNS */
	term_catch_stop(true); /* before newterm, which would put its own handler there */
	term.scr = newterm(NULL, stdout, stdin);
	if (!term.scr) {
		term_catch_stop(false);
		return err_set(err, ERR_USAGE, "TERM=%.*s can't be used in a terminal of this size (%s): resize it, or try another TERM",
			       TERM_NAME_SHOWN, getenv("TERM"), term_size_text(size, sizeof(size)));
	}
	set_escdelay(TERM_ESC_MS);
	term.color = term.color && has_colors();
	if (term.color) {
		start_color();
		use_default_colors();
	}
	term.mouse = term.mouse && tigetstr("kmous") && tigetstr("kmous") != (char *)-1;
	/* A terminal of another kind than ANSI's would print what asks for it; of that kind, those that don't know it pass it over. */
	term.pastes = str_starts(tigetstr("cup"), "\033[");
	term_prepare_restore();
	term.is_up = true;
	term_move_stderr();
	exit_on_restore(term_emergency);
	term_modes();
	canvas_init(term.ascii, term.color);
	return true;
}

void term_down(void)
{
	if (!term.scr)
		return;
	if (term.is_up && !term.is_lost)
		term_endwin();
	term.is_up = false;
	exit_on_restore(NULL);
	term_return_stderr();
	term_catch_stop(false);
	delscreen(term.scr);
	term.scr = NULL;
}

/* ---- stop and continue ------------------------------------------------------------ */

static bool term_is_foreground(void)
{
	pid_t pgrp = tcgetpgrp(STDIN_FILENO);

	return pgrp < 0 || pgrp == getpgrp(); /* unknown: not under job control */
}

/* Curses learns the terminal's size. True when it is another. */
static bool term_fit(void)
{
	struct winsize ws;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || !ws.ws_row || !ws.ws_col ||
	    (ws.ws_row == LINES && ws.ws_col == COLS))
		return false;
	resizeterm(ws.ws_row, ws.ws_col);
	return true;
}

/* Takes the terminal again, whatever state others left it in. */
static void term_retake(void)
{
	if (!term.scr || !term_is_foreground())
		return;
	if (!isendwin())
		term_endwin(); /* stopped by SIGSTOP: curses believes its screen still stands */
	term_fit();
	reset_prog_mode();
	refresh(); /* after endwin: takes the screen again and paints all of it */
	term_modes();
	term.is_up = true;
	term.resized = true;
}

/* The modes of a terminal that the shell has already are the shell's; of the screen it knows nothing. */
static void term_give_back(void)
{
	if (!term.is_up)
		return;
	if (term_is_foreground())
		term_endwin();
	else
		term_write(term.restore, term.restore_len);
	term.is_up = false;
	fflush(stdout);
}

/* A SIGTSTP is pending. */
static void term_stop(void)
{
	struct sigaction stop = { .sa_handler = SIG_DFL }, catch;

	term_give_back();
	sigemptyset(&stop.sa_mask);
	sigaction(SIGTSTP, &stop, &catch);
	term_mask(SIG_UNBLOCK, SIGTSTP, SIGCONT); /* stands still here */
	term_mask(SIG_BLOCK, SIGTSTP, SIGCONT);
	sigaction(SIGTSTP, &catch, NULL);
	exit_take_continue();
	term_retake();
}

void term_suspend(void)
{
	if (!term.is_up)
		return;
	term_give_back(); /* before the shell can know of a stop */
	kill(0, SIGTSTP);
	term_stop();
}

bool term_is_ours(void)
{
	bool is_away = term.is_up && !term.is_lost && !term_is_foreground();

	if (is_away && !term_is_stop_asked())
		term.is_up = false; /* went on in the background after a SIGSTOP: hands off */
	return term.is_up && !term.is_lost && !is_away;
}

bool term_is_lost(void)
{
	return term.is_lost;
}

dur_ms term_wait(void)
{
	return term_fd() >= 0 ? term_keys_wait(&term.keys) : -1;
}

int term_fd(void)
{
	return term.is_up && !term.is_lost ? STDIN_FILENO : -1;
}

/* ---- keys ---------------------------------------------------------------------------- */

/* Nothing came from getch: because there is nothing, or because nothing will ever come again? */
static void term_look_for_end(void)
{
	struct pollfd pfd = { .fd = STDIN_FILENO, .events = POLLIN };
	int waiting = 0;

	if (poll(&pfd, 1, 0) <= 0)
		return;
	if (pfd.revents & (POLLERR | POLLNVAL))
		term.is_lost = true;
	else if ((pfd.revents & (POLLIN | POLLHUP)) && (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || !waiting))
		term.is_lost = getch() == ERR && poll(&pfd, 1, 0) > 0 && (pfd.revents & (POLLHUP | POLLERR | POLLIN)) &&
			(ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || !waiting);
}

bool term_next(struct term_event *ev)
{
	*ev = (struct term_event){ .key = KEYS_NONE };
	if (term_is_stop_asked())
		term_stop();
	/* A shell that thinks us running sends no signal with its fg: see also the foreground for itself. */
	if (exit_take_continue() || (!term.is_up && !term.is_lost && term_is_foreground()))
		term_retake();
	if (!term_is_ours())
		return false;
	if (term.resized) {
		term.resized = false;
		ev->key = KEYS_RESIZE;
		return true;
	}
	if (term_keys_next(&term.keys, term.ascii, ev))
		return true;
	term_look_for_end();
	return false;
}

/* ---- what it is ------------------------------------------------------------------------- */

void term_size(int *width, int *height)
{
	/* A SIGWINCH between the last key and the poll is seen here at the latest. */
	if (term_is_ours() && term_fit())
		canvas_repaint();
	*width = COLS;
	*height = LINES;
}

bool term_is_ascii(void)
{
	return term.ascii;
}

bool term_copy(const char *text, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char out[16 + (TERM_COPY_MAX + 2) / 3 * 4];
	size_t len = 0;

	if (n > TERM_COPY_MAX || !term_is_ours())
		return false;
	for (const char *s = "\033]52;c;"; *s; s++)
		out[len++] = *s;
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)(unsigned char)text[i] << 16;

		if (i + 1 < n)
			v |= (uint32_t)(unsigned char)text[i + 1] << 8;
		if (i + 2 < n)
			v |= (unsigned char)text[i + 2];
		out[len++] = digits[v >> 18];
		out[len++] = digits[v >> 12 & 63];
		out[len++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
		out[len++] = i + 2 < n ? digits[v & 63] : '=';
	}
	out[len++] = '\a';
	term_write(out, len);
	return true;
}
