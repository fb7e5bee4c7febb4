/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of the bench: reads the paths that kafops reads, bare, with a watch
 * on each, pipelined, and does nothing with what it gets. Each window of reads in
 * flight is tried in a session of its own; the best is the floor.
 *
 *   zkread CONNECT [--windows 100,500,2000] [--runs N] [--resolve]
 *
 * Time is from zookeeper_init2 to the last answer. --resolve leaves the library's
 * own resolving of the host list on every turn of its loop as it is by default.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zookeeper/zookeeper.h>

#include "base/mem.h"
#include "base/str.h"

enum how { GET, CHILDREN };

struct item {
	struct item *next;
	enum how how;
	char path[];
};

static const char *connect_string;
static bool with_resolve;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_done;

/* On the completion thread only. */
static zhandle_t *zh;
static struct item *head, *tail;
static unsigned window, in_flight;
static size_t n_reads, n_states;

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void add(enum how how, const char *path)
{
	size_t n = strlen(path);
	struct item *it = mem_alloc(sizeof(*it) + n + 1);

	it->next = NULL;
	it->how = how;
	memcpy(it->path, path, n + 1);
	if (tail != NULL)
		tail->next = it;
	else
		head = it;
	tail = it;
}

static void on_event(zhandle_t *h, int type, int state, const char *path, void *ctx);
static void pump(void);

/* Keys of "partitions":{...}, by a scan for them. */
static void add_states(const char *topic_path, const char *data, int len)
{
	static const char mark[] = "\"partitions\":{";
	const char *end = data + len, *at = memmem(data, (size_t)len, mark, sizeof(mark) - 1);
	char path[1024];

	if (at == NULL)
		return;
	for (at += sizeof(mark) - 1; at < end && *at != '}'; at++) {
		const char *quote;

		if (*at != '"')
			continue;
		quote = memchr(at + 1, '"', (size_t)(end - at - 1));
		if (quote == NULL)
			return;
		if (str_printf(path, sizeof(path), "%s/partitions/%.*s/state", topic_path, (int)(quote - at - 1), at + 1)) {
			add(GET, path);
			n_states++;
		}
		at = quote;
	}
}

static void answered(void)
{
	in_flight--;
	pump();
	if (in_flight > 0)
		return;
	pthread_mutex_lock(&lock);
	is_done = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void on_data(int rc, const char *value, int len, const struct Stat *st, const void *data)
{
	struct item *it = (struct item *)(uintptr_t)data;

	if (rc == ZOK && str_starts(it->path, "/brokers/topics/") && strchr(it->path + 16, '/') == NULL)
		add_states(it->path, value, len);
	mem_free(&it);
	answered();
}

static void on_children(int rc, const struct String_vector *names, const struct Stat *st, const void *data)
{
	struct item *it = (struct item *)(uintptr_t)data;
	char path[1024];

	for (int i = 0; rc == ZOK && i < names->count; i++)
		if (str_printf(path, sizeof(path), "%s/%s", it->path, names->data[i]))
			add(GET, path);
	mem_free(&it);
	answered();
}

static void pump(void)
{
	while (head != NULL && in_flight < window) {
		struct item *it = head;

		head = it->next;
		if (head == NULL)
			tail = NULL;
		in_flight++;
		n_reads++;
		if (it->how == GET)
			zoo_awget(zh, it->path, on_event, NULL, on_data, it);
		else
			zoo_awget_children2(zh, it->path, on_event, NULL, on_children, it);
	}
}

static void begin(void)
{
	static const char *const lists[] = {
		"/brokers/ids", "/brokers/topics", "/admin/delete_topics", "/config/topics", "/config/brokers", "/config/changes"
	};
	static const char *const nodes[] = {
		"/controller", "/controller_epoch", "/cluster/id", "/admin/reassign_partitions", "/feature", "/migration"
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		add(CHILDREN, lists[i]);
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		add(GET, nodes[i]);
	pump();
}

static void on_event(zhandle_t *h, int type, int state, const char *path, void *ctx)
{
	if (type == ZOO_SESSION_EVENT && state == ZOO_CONNECTED_STATE && zh == NULL) {
		zh = h;
		begin();
	}
}

static void on_log(const char *line)
{
}

static double run(unsigned width)
{
	double t0 = now_s(), t1;
	zhandle_t *h;

	window = width;
	n_reads = n_states = 0;
	zh = NULL;
	is_done = false;
	h = zookeeper_init2(connect_string, on_event, 30000, NULL, NULL, ZOO_NO_LOG_CLIENTENV, on_log);
	if (h == NULL) {
		fputs("zkread: zookeeper_init2 fails\n", stderr);
		exit(1);
	}
	if (!with_resolve)
		zoo_set_servers_resolution_delay(h, -1);
	pthread_mutex_lock(&lock);
	while (!is_done)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	t1 = now_s();
	zookeeper_close(h);
	return t1 - t0;
}

int main(int argc, char **argv)
{
	const char *windows = "100,500,2000";
	int64_t runs = 1;
	double best = 0;
	unsigned long best_width = 0;

	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--resolve") == 0)
			with_resolve = true;
		else if (strcmp(argv[i], "--windows") == 0 && i + 1 < argc)
			windows = argv[++i];
		else if (strcmp(argv[i], "--runs") != 0 || i + 1 >= argc || !str_to_i64(argv[++i], 1, 100, &runs))
			argc = 0;
	}
	if (argc < 2) {
		fputs("usage: zkread CONNECT [--windows 100,500,2000] [--runs N] [--resolve]\n", stderr);
		return 2;
	}
	connect_string = argv[1];
	for (int64_t r = 0; r < runs; r++) {
		const char *at = windows;

		while (*at != '\0') {
			char *end;
			unsigned long width = strtoul(at, &end, 10);
			double s;

			if (width == 0 || width > 100000)
				return 2;
			s = run((unsigned)width);
			printf("window %lu: %zu reads, %zu states, %.3f s\n", width, n_reads, n_states, s);
			fflush(stdout);
			if (best == 0 || s < best) {
				best = s;
				best_width = width;
			}
			at = *end == ',' ? end + 1 : end;
		}
	}
	printf("floor %.3f %lu\n", best, best_width);
	return fflush(stdout) == 0 ? 0 : 1;
}
