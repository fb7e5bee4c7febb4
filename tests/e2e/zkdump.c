/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the ZooKeeper adapter alone and prints its events, a line each; or, with
 * --measure, reads everything once, frees it, and prints how long it took.
 *
 *   zkdump CONNECT [--timeout MS] [--once] [--allow-readonly] [--window N] [--log FILE] [--measure] [--screen ROWS]
 *
 * Lines from standard input: "want TOPIC...", "facts" (prints the last fact of
 * each path, sorted, then "end"), "quit". End of input is quit.
 */
#include <malloc.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/event.h"
#include "core/zkconnect.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/zk.h"

enum { BREATH_US = 4000 };

static struct zk_options opt = { .session_timeout = 10000 };
static bool is_measuring;
static int64_t screen_rows = 22;
static const char *log_path;

static struct map *facts; /* what -> strdup'ed text */
static struct map *wanted_parts;
static mono_ms began;
static struct {
	size_t events, states;
	int64_t first_screen_ms, loaded_ms;
	size_t heap0, rss0;
} m;

/* ---- measuring: the first screen is complete when the first rows by name are --------- */

struct row {
	size_t parts, states;
	bool is_known;
};

static void note_topics(const struct event *ev)
{
	if (map_count(wanted_parts) > 0)
		return;
	for (size_t i = 0; i < ev->u.list.n && i < (size_t)screen_rows; i++)
		map_set(wanted_parts, ev->u.list.v[i], mem_zalloc(sizeof(struct row)));
}

static bool is_screen_full(void)
{
	struct map_iter it = map_iter(wanted_parts);
	void *value;

	while (map_next(&it, NULL, &value)) {
		const struct row *row = value;

		if (!row->is_known || row->states < row->parts)
			return false;
	}
	return map_count(wanted_parts) > 0;
}

static void measure(struct zk *zk, const struct event *ev)
{
	struct row *row;

	m.events++;
	m.states += ev->kind == EV_STATE;
	if (ev->kind == EV_TOPICS && ev->know == KNOW_PRESENT) {
		const char *want[64];
		size_t n = 0;

		note_topics(ev);
		for (; n < ev->u.list.n && n < (size_t)screen_rows && n < 64; n++)
			want[n] = ev->u.list.v[n];
		zk_want(zk, want, n); /* as a screen that shows the first rows */
	}
	if (ev->name == NULL || m.first_screen_ms > 0)
		return;
	row = map_find(wanted_parts, ev->name);
	if (row == NULL)
		return;
	if (ev->kind == EV_TOPIC && ev->know == KNOW_PRESENT) {
		row->parts = ev->u.topic.n_parts;
		row->is_known = true;
	} else if (ev->kind == EV_STATE) {
		row->states++;
	}
	if (is_screen_full())
		m.first_screen_ms = mono_since(clock_mono(), began);
}

static size_t rss_kib(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long size = 0, rss = 0;

	if (f != NULL && fscanf(f, "%lu %lu", &size, &rss) != 2)
		rss = 0;
	if (f != NULL)
		fclose(f);
	return rss * (size_t)sysconf(_SC_PAGESIZE) / 1024;
}

static size_t heap_bytes(void)
{
	struct mallinfo2 mi = mallinfo2();

	return mi.uordblks + mi.hblkhd;
}

static void print_measures(struct zk *zk)
{
	struct zk_stats st;
	size_t heap = heap_bytes();

	zk_get_stats(zk, &st);
	printf("loaded_ms=%lld first_screen_ms=%lld events=%zu states=%zu reads=%llu watches=%zu\n", (long long)m.loaded_ms,
	       (long long)m.first_screen_ms, m.events, m.states, (unsigned long long)st.reads, st.watches);
	printf("heap_bytes_per_state=%zu rss_kib=%zu rss_grown_kib=%zu\n", m.states > 0 ? (heap - m.heap0) / m.states : 0,
	       rss_kib(), rss_kib() - m.rss0);
	fflush(stdout);
}

/* ---- events as text ------------------------------------------------------------------ */

static const char *know_word(const struct event *ev)
{
	static const char *const words[] = { "unknown", "absent", "present", "unreadable" };

	return words[ev->know];
}

static void put_ids(struct strbuf *sb, const struct ids *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		strbuf_printf(sb, "%s%d", i > 0 ? "," : "", l->v[i]);
}

static void put_conn(struct strbuf *sb, const struct conn_info *ci)
{
	static const char *const states[] = { "starting", "connecting", "up", "closed" };
	static const char *const losses[] = { "none", "dropped", "expired", "auth" };

	strbuf_printf(sb, " state=%s loss=%s readonly=%d tries=%d latency=%lld timeout=%lld session=0x%llx server=%s error=\"%s\"",
		      states[ci->state], losses[ci->loss], ci->readonly_server, ci->tries, (long long)ci->latency,
		      (long long)ci->session_timeout, (unsigned long long)ci->session_id, ci->server, ci->error);
}

static void put_payload(struct strbuf *sb, const struct event *ev)
{
	switch ((enum event_kind)ev->kind) {
	case EV_CONN:
		put_conn(sb, ev->u.conn);
		break;
	case EV_PROGRESS:
		strbuf_printf(sb, " done=%u total=%u", ev->u.progress.done, ev->u.progress.total);
		break;
	case EV_BROKER_IDS:
	case EV_TOPICS:
	case EV_DELETE_TOPICS:
	case EV_CONFIG_TOPICS:
	case EV_CONFIG_BROKERS:
	case EV_CONFIG_CHANGES:
		strbuf_printf(sb, " n=%zu", ev->u.list.n);
		for (size_t i = 0; i < ev->u.list.n && i < 20; i++) {
			strbuf_putc(sb, ' ');
			utf8_printable(sb, ev->u.list.v[i], strlen(ev->u.list.v[i]), false);
		}
		break;
	case EV_TOPIC:
		strbuf_printf(sb, " partitions=%zu", ev->u.topic.n_parts);
		break;
	case EV_STATE:
		strbuf_printf(sb, " leader=%d epoch=%d isr=", ev->u.state.leader, ev->u.state.leader_epoch);
		put_ids(sb, &ev->u.state.isr);
		break;
	case EV_CONTROLLER:
		strbuf_printf(sb, " broker=%d", ev->u.controller.broker);
		break;
	case EV_CONTROLLER_EPOCH:
		strbuf_printf(sb, " %lld", (long long)ev->u.number);
		break;
	case EV_CLUSTER_ID:
		strbuf_printf(sb, " %s", ev->u.text);
		break;
	case EV_TOPIC_CONFIG:
	case EV_BROKER_CONFIG:
		for (size_t i = 0; i < ev->u.config.n; i++)
			strbuf_printf(sb, " %s=%s", ev->u.config.v[i].key, ev->u.config.v[i].value);
		break;
	default:
		break;
	}
}

static void put_what(struct strbuf *sb, const struct event *ev)
{
	strbuf_put(sb, event_kind_name((enum event_kind)ev->kind));
	if (ev->name != NULL) {
		strbuf_putc(sb, ' ');
		utf8_printable(sb, ev->name, strlen(ev->name), false);
	}
	if (ev->id >= 0)
		strbuf_printf(sb, " %d", ev->id);
}

static void free_value(void *value)
{
	mem_free(&value);
}

static void print_event(const struct event *ev)
{
	struct strbuf what, text;
	void *old;

	strbuf_init(&what);
	strbuf_init(&text);
	put_what(&what, ev);
	strbuf_put(&text, know_word(ev));
	if (ev->know == KNOW_PRESENT)
		put_payload(&text, ev);
	if (ev->why != NULL)
		strbuf_printf(&text, " why=\"%s\"", ev->why);
	printf("%lld e%u %s: %s\n", (long long)mono_since(ev->seen, began), ev->epoch, what.s, text.s);
	if (ev->kind != EV_CONN && ev->kind != EV_PROGRESS) {
		old = map_set(facts, what.s, mem_strdup(text.s));
		mem_free(&old);
	}
	strbuf_fini(&what);
	strbuf_fini(&text);
}

static int line_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_facts(void)
{
	size_t n = 0;
	char **lines = mem_array(map_count(facts) + 1, sizeof(*lines));
	struct map_iter it = map_iter(facts);
	const char *what;
	void *text;

	while (map_next(&it, &what, &text)) {
		struct strbuf sb;

		strbuf_init(&sb);
		strbuf_printf(&sb, "fact %s: %s", what, (const char *)text);
		lines[n++] = strbuf_take(&sb);
		strbuf_fini(&sb);
	}
	qsort(lines, n, sizeof(*lines), line_cmp);
	for (size_t i = 0; i < n; i++) {
		puts(lines[i]);
		mem_free(&lines[i]);
	}
	mem_free(&lines);
	puts("end");
}

/* ---- commands ------------------------------------------------------------------------- */

static void want(struct zk *zk, char *names)
{
	const char *v[64];
	size_t n = 0;
	char *save = NULL;

	for (char *s = strtok_r(names, " ", &save); s != NULL && n < 64; s = strtok_r(NULL, " ", &save))
		v[n++] = s;
	zk_want(zk, v, n);
}

/* False to quit. */
static bool command(struct zk *zk, char *line)
{
	if (strcmp(line, "quit") == 0)
		return false;
	if (strcmp(line, "facts") == 0)
		print_facts();
	else if (str_starts(line, "want "))
		want(zk, line + 5);
	else if (*line != '\0')
		printf("what is \"%s\"?\n", line);
	fflush(stdout);
	return true;
}

static bool read_commands(struct zk *zk, struct strbuf *in)
{
	char buf[4096];
	ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));
	char *nl;

	if (n <= 0)
		return false;
	strbuf_putn(in, buf, (size_t)n);
	while ((nl = strchr(in->s, '\n')) != NULL) {
		bool go_on;
		struct strbuf rest;

		*nl = '\0';
		go_on = command(zk, in->s);
		strbuf_init(&rest);
		strbuf_put(&rest, nl + 1);
		strbuf_fini(in);
		*in = rest;
		if (!go_on)
			return false;
	}
	return true;
}

/* False when the measure is taken. */
static bool drain(struct zk *zk, struct evq *q)
{
	struct event *next;
	bool is_loaded = false;

	for (struct event *ev = evq_take(q); ev != NULL; ev = next) {
		next = ev->next;
		is_loaded = is_loaded || ev->kind == EV_LOADED;
		if (is_measuring)
			measure(zk, ev);
		else
			print_event(ev);
		event_free(&ev);
	}
	fflush(stdout);
	if (!is_measuring || !is_loaded)
		return true;
	m.loaded_ms = mono_since(clock_mono(), began);
	print_measures(zk);
	return false;
}

static void loop(struct zk *zk, struct evq *q)
{
	struct strbuf in;
	struct pollfd fds[2] = { { .fd = evq_fd(q), .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
	bool go_on = true;

	strbuf_init(&in);
	while (go_on) {
		/* As the console does: a burst is taken in pieces of some milliseconds, not event by event. */
		if (is_measuring)
			usleep(BREATH_US);
		if (poll(fds, is_measuring ? 1 : 2, -1) < 0)
			continue;
		if (fds[0].revents)
			go_on = drain(zk, q);
		if (go_on && !is_measuring && fds[1].revents)
			go_on = read_commands(zk, &in);
	}
	strbuf_fini(&in);
}

static bool options(int argc, char **argv)
{
	int64_t n;

	for (int i = 2; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--once") == 0)
			opt.once = true;
		else if (strcmp(argv[i], "--allow-readonly") == 0)
			opt.allow_readonly_server = true;
		else if (strcmp(argv[i], "--measure") == 0)
			is_measuring = true;
		else if (strcmp(argv[i], "--timeout") == 0 && str_to_i64(value, 1, 1000000, &opt.session_timeout))
			i++;
		else if (strcmp(argv[i], "--screen") == 0 && str_to_i64(value, 1, 1000000, &screen_rows))
			i++;
		else if (strcmp(argv[i], "--window") == 0 && str_to_i64(value, 1, 1000000, &n)) {
			opt.window = (unsigned)n;
			i++;
		} else if (strcmp(argv[i], "--log") == 0 && *value != '\0') {
			log_path = value;
			i++;
		} else
			return false;
	}
	return argc >= 2;
}

int main(int argc, char **argv)
{
	struct err err;
	struct evq *q;
	struct zk *zk;
	mono_ms closing;

	err_init(&err);
	if (!options(argc, argv) || !zkconnect_parse(argv[1], &opt.connect, &err)) {
		fprintf(stderr, "zkdump: %s\n", err.code != ERR_NONE ? err.text : "bad options");
		return 2;
	}
	if (log_path != NULL && !log_open(log_path, LOG_DEBUG, &err)) {
		fprintf(stderr, "zkdump: %s\n", err.text);
		return 1;
	}
	facts = map_new();
	wanted_parts = map_new();
	began = clock_mono();
	m.heap0 = heap_bytes();
	m.rss0 = rss_kib();
	q = evq_new(&err);
	zk = q != NULL ? zk_new(&opt, q, &err) : NULL;
	if (zk == NULL) {
		fprintf(stderr, "zkdump: %s\n", err.text);
		return 1;
	}
	loop(zk, q);
	closing = clock_mono();
	zk_free(&zk);
	printf("closed ms=%lld\n", (long long)mono_since(clock_mono(), closing));
	drain(NULL, q);
	evq_free(&q);
	map_free(&facts, free_value);
	map_free(&wanted_parts, free_value);
	log_close();
	return 0;
}
