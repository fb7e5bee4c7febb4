/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/zkpath.h"
#include "tests/model/said.h"

struct fixture *fixture_new(void)
{
	struct fixture *fx = mem_zalloc(sizeof(*fx));

	setenv("TZ", "UTC", 1);
	tzset();
	fx->md = model_new();
	fx->said = said_new();
	fixture_new_epoch(fx);
	return fx;
}

void fixture_free(struct fixture **pp)
{
	if (!*pp)
		return;
	model_free(&(*pp)->md);
	said_free(&(*pp)->said);
	mem_free(pp);
}

const struct cluster *fixture_cluster(const struct fixture *fx)
{
	return model_cluster(fx->md);
}

wall_ms fixture_now(const struct fixture *fx)
{
	return (wall_ms){ FIXTURE_START + fx->at };
}

static mono_ms tick(struct fixture *fx)
{
	fx->at += 1000;
	return (mono_ms){ 1 + fx->at };
}

/* Ephemeral where Kafka's is. */
static struct znode_stat stat_now(struct fixture *fx, const char *path)
{
	bool ephemeral = str_starts(path, "/brokers/ids/") || strcmp(path, "/controller") == 0;
	wall_ms now = fixture_now(fx);

	fx->zxid++;
	return (struct znode_stat){
		.czxid = 1000 + fx->zxid, .mzxid = 1000 + fx->zxid, .ctime = now, .mtime = now,
		.ephemeral_owner = ephemeral ? 77 : 0,
	};
}

void fixture_new_epoch(struct fixture *fx)
{
	struct conn_info conn;
	mono_ms seen = tick(fx);

	memset(&conn, 0, sizeof(conn));
	conn.state = CONN_UP;
	conn.latency = 2;
	conn.session_id = 0x1234;
	conn.session_timeout = 10000;
	conn.last_answer = seen;
	if (!str_copy(conn.server, sizeof(conn.server), "zk1.example:2181"))
		abort();
	fx->epoch++;
	model_apply(fx->md, event_conn(fx->epoch, seen, fixture_now(fx), &conn));
}

void fixture_loaded(struct fixture *fx)
{
	mono_ms seen = tick(fx);

	model_apply(fx->md, event_new(EV_LOADED, fx->epoch, seen, fixture_now(fx)));
}

static void apply_znode(struct fixture *fx, const char *path, enum znode_rc rc, const char *why, const char *data, size_t len)
{
	mono_ms seen = tick(fx);
	const struct topic *tp = NULL;
	struct zkpath zp = zkpath_parse(path);
	struct znode_stat stat = stat_now(fx, path);
	struct event *ev;

	/* A topic node that is written again is the same node. */
	if (zp.kind == ZKPATH_TOPIC) {
		char *name = mem_strndup(zp.name, zp.name_len);

		tp = cluster_topic_find(model_cluster(fx->md), name);
		mem_free(&name);
	}
	if (tp && tp->czxid) {
		stat.czxid = tp->czxid;
		stat.ctime = tp->created;
	}
	ev = event_from_znode(path, rc, why, data, len, &stat, fx->epoch, seen, fixture_now(fx));
	assert(ev);
	model_apply(fx->md, ev);
}

void fixture_znode(struct fixture *fx, const char *path, const char *data)
{
	apply_znode(fx, path, data ? ZNODE_OK : ZNODE_ABSENT, NULL, data, data ? strlen(data) : 0);
}

void fixture_znode_bytes(struct fixture *fx, const char *path, const char *data, size_t len)
{
	apply_znode(fx, path, ZNODE_OK, NULL, data, len);
}

void fixture_unreadable(struct fixture *fx, const char *path, const char *why)
{
	apply_znode(fx, path, ZNODE_NO_PERMISSION, why, NULL, 0);
}

void fixture_children(struct fixture *fx, const char *path, const char *const *names)
{
	mono_ms seen = tick(fx);
	struct znode_stat stat = stat_now(fx, path);
	struct event *ev;
	size_t n = 0;

	while (names && names[n])
		n++;
	ev = event_from_children(path, names ? ZNODE_OK : ZNODE_ABSENT, NULL, names, n, &stat, fx->epoch, seen, fixture_now(fx));
	assert(ev);
	model_apply(fx->md, ev);
}

void fixture_children_unreadable(struct fixture *fx, const char *path, const char *why)
{
	mono_ms seen = tick(fx);

	model_apply(fx->md, event_from_children(path, ZNODE_NO_PERMISSION, why, NULL, 0, NULL, fx->epoch, seen, fixture_now(fx)));
}

/* ---- brokers ----------------------------------------------------------------- */

enum { SAID_WORDS_MAX = 64 };

static void say_line(struct fixture *fx, char *line)
{
	char *words[SAID_WORDS_MAX];
	const char *wrong = NULL;
	struct event *ev = NULL;
	size_t n = 0;
	mono_ms seen;

	for (line += strspn(line, " "); *line && n < SAID_WORDS_MAX; line += strspn(line, " ")) {
		words[n++] = line;
		line += strcspn(line, " ");
		if (*line)
			*line++ = '\0';
	}
	if (n == 0)
		return;
	seen = tick(fx);
	assert(said_line(fx->said, words, n, seen, fixture_now(fx), &ev, &wrong));
	assert(!wrong);
	if (ev)
		model_apply(fx->md, ev);
}

void fixture_said(struct fixture *fx, const char *lines)
{
	char *copy = mem_strdup(lines), *line = copy;

	while (*line) {
		size_t n = strcspn(line, "\n");
		bool is_last = !line[n];

		line[n] = '\0';
		say_line(fx, line);
		line += n + !is_last;
	}
	mem_free(&copy);
}

/* ---- trees ------------------------------------------------------------------- */

/* Lists the children of `path` among the tree's paths; returns whether there is anything at or below it. */
static bool list_children(struct fixture *fx, const struct map *tree, const char *path)
{
	struct map *seen = map_new();
	struct map_iter it = map_iter(tree);
	const char **names, *key;
	size_t n = 0, len = strlen(path);
	bool there = map_find(tree, path) != NULL;

	while (map_next(&it, &key, NULL)) {
		const char *rest = key + len + 1;
		char *name;

		if (!str_starts(key, path) || key[len] != '/')
			continue;
		there = true;
		name = mem_strndup(rest, strcspn(rest, "/"));
		map_set(seen, name, fx);
		mem_free(&name);
	}
	names = mem_array(map_count(seen) + 1, sizeof(*names));
	it = map_iter(seen);
	while (map_next(&it, &key, NULL))
		names[n++] = key;
	fixture_children(fx, path, there ? names : NULL);
	mem_free(&names);
	map_free(&seen, NULL);
	return there;
}

static void free_text(void *text)
{
	mem_free(&text);
}

static struct map *parse_tree(const char *text)
{
	struct map *tree = map_new();

	while (*text) {
		size_t line = strcspn(text, "\n"), path = strcspn(text, "\t\n");
		char *name = mem_strndup(text, path);

		if (path > 0)
			map_set(tree, name, path < line ? mem_strndup(text + path + 1, line - path - 1) : mem_strdup(""));
		mem_free(&name);
		text += line + (text[line] == '\n');
	}
	return tree;
}

/* The states that no node of the tree tells of: partitions never elected. */
static void absent_states(struct fixture *fx, const struct map *tree)
{
	const struct cluster *cl = fixture_cluster(fx);

	for (size_t i = 0; i < cl->n_topics; i++)
		for (size_t p = 0; p < cl->topics[i]->n_parts; p++) {
			char path[ZKPATH_MAX];

			if (zkpath_build(path, ZKPATH_STATE, cl->topics[i]->name, cl->topics[i]->parts[p].id) && !map_find(tree, path))
				fixture_znode(fx, path, NULL);
		}
}

void fixture_load_text(struct fixture *fx, const char *text)
{
	static const char *const lists[] = {
		"/brokers/ids", "/brokers/topics", "/admin/delete_topics", "/config/topics", "/config/brokers", "/config/changes",
	};
	static const char *const roots[] = {
		"/controller", "/controller_epoch", "/cluster/id", "/admin/reassign_partitions", "/feature", "/migration",
	};
	struct map *tree = parse_tree(text);
	struct map_iter it = map_iter(tree);
	const char *path;
	void *data;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		list_children(fx, tree, lists[i]);
	while (map_next(&it, &path, &data)) {
		struct zkpath zp = zkpath_parse(path);

		if (zp.kind != ZKPATH_OTHER && !zkpath_is_list(zp.kind))
			fixture_znode(fx, path, data);
	}
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (!map_find(tree, roots[i]))
			fixture_znode(fx, roots[i], NULL);
	absent_states(fx, tree);
	map_free(&tree, free_text);
	fixture_loaded(fx);
}

void fixture_load(struct fixture *fx, const char *file)
{
	FILE *in = fopen(file, "rb");
	struct strbuf text;
	int c;

	if (!in) {
		fprintf(stderr, "%s can't be opened\n", file);
		abort();
	}
	strbuf_init(&text);
	while ((c = fgetc(in)) != EOF)
		strbuf_putc(&text, (char)c);
	fclose(in);
	fixture_load_text(fx, text.s);
	strbuf_fini(&text);
}

const char *fixture_case(const char *name)
{
	static char path[1024];
	const char *top = getenv("top_srcdir");

	str_printf(path, sizeof(path), "%s/tests/cases/%s", top ? top : ".", name);
	return path;
}

struct query fixture_query(const char *text, int col, bool desc)
{
	struct query qu;
	struct err err;
	bool ok;

	err_init(&err);
	query_init(&qu);
	ok = query_set_text(&qu, text, &err);
	assert(ok);
	query_sort_by(&qu, col, desc);
	return qu;
}
