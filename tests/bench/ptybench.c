/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the console from outside: it runs in a pseudo-terminal, what it writes goes through a terminal
 * emulator (libvterm), and the clock stops when the picture shows what was waited for.
 *
 *   ptybench first PROGRAM ARGS...          ms from fork to the first useful screen of topics: a full page of
 *                                           rows, none with a "?" but in the column SIZE, which only brokers fill
 *   ptybench sized PROGRAM ARGS...          "states sizes": that, and ms to the first page without any "?"
 *   ptybench judged PROGRAM ARGS...         ms to the overview in which also the numbers of offline and under-replicated
 *                                           partitions stand for all of the cluster, and log dirs are told
 *   ptybench overview PROGRAM ARGS...       "first live": ms to the overview with a number of brokers, a controller and a
 *                                           number of topics, and ms to live: all partitions have been judged
 *   ptybench live PROGRAM ARGS...           ms from fork to "live": all is loaded
 *   ptybench load PROGRAM ARGS...           "first live key_max peak_kib": ms to the first useful screen, ms to
 *                                           live, the slowest answer to a key pressed while it loads, peak resident KiB
 *   ptybench latency HOSTS TOPIC N PROGRAM ARGS...
 *                                           N times: ms from the write of partition 0's state to the row's
 *                                           new word on the terminal; prints "median p99 max" in ms. TOPIC is
 *                                           the first by name, and the rows are sorted so: always on view
 *   ptybench idle SECONDS PROGRAM ARGS...   after loading: "cpu% rss_kib bytes_to_terminal" over SECONDS. SIGUSR1 goes to the process that
 *                                           PTYBENCH_TELL names when they begin and when they end
 *   ptybench rss PROGRAM ARGS...            resident KiB when loaded
 *   ptybench key N PROGRAM ARGS...          N times: ms from a key to the bytes that answer it; "median p99 max"
 * `live` in line 1 says that all is loaded. A wait is over after 60 s, with exit status 1.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>
#include <zookeeper/zookeeper.h>

enum { ROWS = 24, COLS = 80, WAIT_MS = 60000, SETTLE_MS = 3000, FIRST_ROW = 4, LAST_ROW = ROWS - 3 };

struct console {
	pid_t pid;
	int fd;
	VTerm *vt;
	VTermScreen *screen;
	size_t bytes;
};

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void die(const char *what)
{
	fprintf(stderr, "ptybench: %s\n", what);
	exit(1);
}

static void console_start(struct console *co, char **argv)
{
	struct winsize ws = { .ws_row = ROWS, .ws_col = COLS };

	co->vt = vterm_new(ROWS, COLS);
	vterm_set_utf8(co->vt, 1);
	co->screen = vterm_obtain_screen(co->vt);
	vterm_screen_reset(co->screen, 1);
	co->bytes = 0;
	co->pid = forkpty(&co->fd, NULL, NULL, &ws);
	if (co->pid < 0)
		die("no pseudo-terminal");
	if (co->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LANG", "C.UTF-8", 1);
		execv(argv[0], argv);
		_exit(127);
	}
}

/* Feeds what is there; waits at most `ms` for something. False when the console has ended. */
static bool console_read(struct console *co, int ms)
{
	struct pollfd pf = { .fd = co->fd, .events = POLLIN };
	char buf[65536];
	ssize_t n;

	if (poll(&pf, 1, ms) <= 0)
		return true;
	n = read(co->fd, buf, sizeof(buf));
	if (n <= 0)
		return false;
	co->bytes += (size_t)n;
	vterm_input_write(co->vt, buf, (size_t)n);
	return true;
}

static void console_end(struct console *co)
{
	double until = now_ms() + 5000;

	kill(co->pid, SIGTERM);
	while (waitpid(co->pid, NULL, WNOHANG) == 0 && now_ms() < until)
		console_read(co, 20);
	kill(co->pid, SIGKILL);
	close(co->fd);
	vterm_free(co->vt);
}

/* One line of the picture, in ASCII; other characters as '.'. */
static void line_text(const struct console *co, int row, char out[COLS + 1])
{
	for (int col = 0; col < COLS; col++) {
		VTermPos pos = { .row = row, .col = col };
		VTermScreenCell cell;

		vterm_screen_get_cell(co->screen, pos, &cell);
		out[col] = cell.chars[0] == 0 ? ' ' : cell.chars[0] < 127 ? (char)cell.chars[0] : '.';
	}
	out[COLS] = '\0';
}

/* A full page of rows, none with a "?", be it in the last place of the column SIZE or not. */
static bool is_page(const struct console *co, bool with_sizes)
{
	char line[COLS + 1];
	const char *size;
	ptrdiff_t at = -1;

	line_text(co, FIRST_ROW - 1, line);
	size = strstr(line, " SIZE ");
	if (!with_sizes && size != NULL)
		at = size - line + (ptrdiff_t)strlen(" SIZE") - 1;
	for (int row = FIRST_ROW; row < LAST_ROW; row++) {
		line_text(co, row, line);
		if (at >= 0)
			line[at] = '-';
		if (strspn(line, " ") == COLS || strchr(line, '?') != NULL)
			return false;
	}
	return true;
}

static bool is_useful(const struct console *co)
{
	return is_page(co, false);
}

static bool is_sized(const struct console *co)
{
	return is_page(co, true);
}

/* The line with that label has a count, and it is no "?". */
static bool has_count(const struct console *co, const char *label)
{
	char line[COLS + 1], word[8];

	for (int row = FIRST_ROW - 1; row < LAST_ROW; row++) {
		line_text(co, row, line);
		if (!strncmp(line + 2, label, strlen(label)))
			return sscanf(line + 2 + strlen(label), "%7s", word) == 1 && (isdigit((unsigned char)word[0]) || word[0] == '-') &&
				strchr(word, '?') == NULL;
	}
	return false;
}

static bool is_useful_overview(const struct console *co)
{
	return has_count(co, "Brokers ") && has_count(co, "Controller ") && has_count(co, "Topics ");
}

static bool is_judged_overview(const struct console *co)
{
	return is_useful_overview(co) && has_count(co, "Offline ") && has_count(co, "Under-replicated ") && has_count(co, "Log dirs ");
}

static bool is_live(const struct console *co)
{
	char line[COLS + 1];

	line_text(co, 0, line);
	return strstr(line, " live ") != NULL;
}

static void wait_for(struct console *co, bool (*is_so)(const struct console *), const char *what)
{
	double until = now_ms() + WAIT_MS;

	while (!is_so(co)) {
		if (!console_read(co, 5) || now_ms() > until) {
			char line[COLS + 1];

			for (int row = 0; row < ROWS; row++) {
				line_text(co, row, line);
				fprintf(stderr, "%s\n", line);
			}
			die(what);
		}
	}
}

/* Reads on until nothing has come for `ms`. */
static void settle(struct console *co, double ms)
{
	double quiet = now_ms(), until = quiet + SETTLE_MS; /* where something always changes */

	while (now_ms() - quiet < ms && now_ms() < until) {
		size_t before = co->bytes;

		console_read(co, 10);
		if (co->bytes - before > 40) /* more than the clock */
			quiet = now_ms();
	}
}

/* ---- modes --------------------------------------------------------------------------- */

static int mode_first(char **argv)
{
	struct console co;
	double begun = now_ms();

	console_start(&co, argv);
	wait_for(&co, is_useful, "no useful screen");
	printf("%.1f\n", now_ms() - begun);
	console_end(&co);
	return 0;
}

static int mode_sized(char **argv)
{
	struct console co;
	double begun = now_ms(), states;

	console_start(&co, argv);
	wait_for(&co, is_useful, "no useful screen");
	states = now_ms() - begun;
	wait_for(&co, is_sized, "no sizes");
	printf("%.1f %.1f\n", states, now_ms() - begun);
	console_end(&co);
	return 0;
}

static int mode_judged(char **argv)
{
	struct console co;
	double begun = now_ms();

	console_start(&co, argv);
	wait_for(&co, is_judged_overview, "never judged");
	printf("%.1f\n", now_ms() - begun);
	console_end(&co);
	return 0;
}

static int mode_overview(char **argv)
{
	struct console co;
	double begun = now_ms(), first;

	console_start(&co, argv);
	wait_for(&co, is_useful_overview, "no useful overview");
	first = now_ms() - begun;
	wait_for(&co, is_live, "never live");
	printf("%.1f %.1f\n", first, now_ms() - begun);
	console_end(&co);
	return 0;
}

static int mode_live(char **argv)
{
	struct console co;
	double begun = now_ms();

	console_start(&co, argv);
	wait_for(&co, is_live, "never live");
	printf("%.1f\n", now_ms() - begun);
	console_end(&co);
	return 0;
}

/* A key moves the cursor; its answer is the first output after it that paints a row. */
static double key_ms(struct console *co, char key)
{
	size_t before = co->bytes;
	double begun = now_ms();

	if (write(co->fd, &key, 1) != 1)
		die("a key could not be sent");
	while (co->bytes == before) {
		if (!console_read(co, 1) || now_ms() - begun > 5000)
			die("a key was never answered");
	}
	return now_ms() - begun;
}

static long peak_kib(pid_t pid);

static int mode_load(char **argv)
{
	double begun = now_ms(), first, slowest = 0;
	struct console co;

	console_start(&co, argv);
	wait_for(&co, is_useful, "no useful screen");
	first = now_ms() - begun;
	for (int i = 0; !is_live(&co) && now_ms() - begun < WAIT_MS; i++) {
		double took, pause = now_ms() + 50;

		while (now_ms() < pause)
			console_read(&co, 2);
		took = key_ms(&co, i / 10 % 2 ? 'k' : 'j');
		slowest = took > slowest ? took : slowest;
	}
	wait_for(&co, is_live, "never live");
	printf("%.1f %.1f %.1f %ld\n", first, now_ms() - begun, slowest, peak_kib(co.pid));
	console_end(&co);
	return 0;
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_spread(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), cmp_double);
	printf("%.1f %.1f %.1f\n", v[n / 2], v[n * 99 / 100], v[n - 1]);
}

static void set_done(int rc, const struct Stat *st, const void *ctx)
{
	if (rc != ZOK)
		die(zerror(rc));
}

static void ignore(zhandle_t *zh, int type, int state, const char *path, void *ctx)
{
}

/* What the row of a topic says: 'u' under, 'o' ok, 0 not on view or something else. */
static char word_of(const struct console *co, const char *topic)
{
	char line[COLS + 1];

	for (int row = FIRST_ROW - 1; row < LAST_ROW; row++) {
		line_text(co, row, line);
		if (strstr(line, topic) == NULL)
			continue;
		if (strstr(line, " under ") != NULL)
			return 'u';
		return strstr(line, " ok ") != NULL ? 'o' : 0;
	}
	return 0;
}

static int mode_latency(const char *hosts, const char *topic, int n, char **argv)
{
	static const char *const data[2] = {
		"{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1,2,3]}",
		"{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":1,\"isr\":[1,2]}",
	};
	double *took = calloc((size_t)n, sizeof(*took));
	zhandle_t *zh;
	struct console co;
	char path[512];

	zoo_set_debug_level((ZooLogLevel)0);
	zh = zookeeper_init(hosts, ignore, 30000, NULL, NULL, 0);
	while (zoo_state(zh) != ZOO_CONNECTED_STATE)
		usleep(10000);
	snprintf(path, sizeof(path), "/brokers/topics/%s/partitions/0/state", topic);
	console_start(&co, argv);
	wait_for(&co, is_live, "never live");
	settle(&co, 300);
	if (write(co.fd, "s", 1) != 1)
		die("a key could not be sent");
	settle(&co, 300);
	srand(1);
	for (int i = 0; i < n; i++) {
		const char *what = data[(i + 1) % 2];
		char wanted = i % 2 ? 'o' : 'u';
		double pause = now_ms() + 60 + rand() % 90, begun;

		while (now_ms() < pause)
			console_read(&co, 5);
		begun = now_ms();
		zoo_aset(zh, path, what, (int)strlen(what), -1, set_done, NULL);
		while (word_of(&co, topic) != wanted) {
			if (!console_read(&co, 1) || now_ms() - begun > 5000)
				die("a change never showed");
		}
		took[i] = now_ms() - begun;
	}
	print_spread(took, (size_t)n);
	console_end(&co);
	zookeeper_close(zh);
	free(took);
	return 0;
}

/* Processor time of the console so far, in ms. */
static double cpu_ms(pid_t pid)
{
	char path[64], line[1024];
	unsigned long ut = 0, st = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f == NULL || fgets(line, sizeof(line), f) == NULL ||
	    sscanf(strrchr(line, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &ut, &st) != 2)
		die("no /proc/PID/stat");
	fclose(f);
	return (double)(ut + st) * 1000.0 / (double)sysconf(_SC_CLK_TCK);
}

/* The same by the scheduler's own count, in ms: finer than ticks. Sums the threads. */
static double sched_ms(pid_t pid)
{
	char cmd[128], line[128];
	double ns = 0;
	FILE *p;

	snprintf(cmd, sizeof(cmd), "cat /proc/%d/task/*/schedstat 2>/dev/null", (int)pid);
	p = popen(cmd, "r");
	if (p == NULL)
		return cpu_ms(pid);
	while (fgets(line, sizeof(line), p) != NULL)
		ns += strtod(line, NULL);
	pclose(p);
	return ns > 0 ? ns / 1e6 : cpu_ms(pid);
}

static long status_kib(pid_t pid, const char *key)
{
	char path[64], line[256];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, key, strlen(key)) == 0)
			kib = strtol(line + strlen(key), NULL, 10);
	if (f != NULL)
		fclose(f);
	return kib;
}

static long rss_kib(pid_t pid)
{
	return status_kib(pid, "VmRSS:");
}

static long peak_kib(pid_t pid)
{
	return status_kib(pid, "VmHWM:");
}

static void tell(void)
{
	const char *pid = getenv("PTYBENCH_TELL");

	if (pid != NULL)
		kill((pid_t)strtol(pid, NULL, 10), SIGUSR1);
}

static int mode_idle(int seconds, char **argv)
{
	struct console co;
	double begun, cpu;
	size_t bytes;

	console_start(&co, argv);
	wait_for(&co, is_live, "never live");
	settle(&co, 2000);
	cpu = sched_ms(co.pid);
	bytes = co.bytes;
	begun = now_ms();
	tell();
	while (now_ms() - begun < seconds * 1000)
		console_read(&co, 50);
	tell();
	printf("%.3f %ld %zu\n", (sched_ms(co.pid) - cpu) / (now_ms() - begun) * 100, rss_kib(co.pid), co.bytes - bytes);
	console_end(&co);
	return 0;
}

static int mode_rss(char **argv)
{
	struct console co;

	console_start(&co, argv);
	wait_for(&co, is_live, "never live");
	settle(&co, 1000);
	printf("%ld\n", rss_kib(co.pid));
	console_end(&co);
	return 0;
}

static int mode_key(int n, char **argv)
{
	double *took = calloc((size_t)n, sizeof(*took));
	struct console co;

	console_start(&co, argv);
	wait_for(&co, is_useful, "no useful screen");
	for (int i = 0; i < n; i++) {
		double pause = now_ms() + 30 + rand() % 50;

		while (now_ms() < pause)
			console_read(&co, 2);
		took[i] = key_ms(&co, i / 10 % 2 ? 'k' : 'j');
	}
	print_spread(took, (size_t)n);
	console_end(&co);
	free(took);
	return 0;
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc >= 3 && strcmp(argv[1], "overview") == 0)
		return mode_overview(argv + 2);
	if (argc >= 3 && strcmp(argv[1], "first") == 0)
		return mode_first(argv + 2);
	if (argc >= 3 && strcmp(argv[1], "sized") == 0)
		return mode_sized(argv + 2);
	if (argc >= 3 && strcmp(argv[1], "judged") == 0)
		return mode_judged(argv + 2);
	if (argc >= 3 && strcmp(argv[1], "live") == 0)
		return mode_live(argv + 2);
	if (argc >= 3 && strcmp(argv[1], "load") == 0)
		return mode_load(argv + 2);
	if (argc >= 6 && strcmp(argv[1], "latency") == 0)
		return mode_latency(argv[2], argv[3], (int)strtol(argv[4], NULL, 10), argv + 5);
	if (argc >= 4 && strcmp(argv[1], "idle") == 0)
		return mode_idle((int)strtol(argv[2], NULL, 10), argv + 3);
	if (argc >= 3 && strcmp(argv[1], "rss") == 0)
		return mode_rss(argv + 2);
	if (argc >= 4 && strcmp(argv[1], "key") == 0)
		return mode_key((int)strtol(argv[2], NULL, 10), argv + 3);
	fprintf(stderr, "ptybench: see the head of the source\n");
	return 2;
}
