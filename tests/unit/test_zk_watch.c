/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zk_watch against a fake server: a tree, one-shot watches, and two queues. The
 * server takes requests in order; answers and firings reach the client in the
 * order in which the server made them, which is all that ZooKeeper promises.
 * Everything between (who is served when, what changes meanwhile) is up to the
 * test, and in the last one up to chance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "core/zkpath.h"
#include "io/zk_watch.h"

/* ---- the fake server ------------------------------------------------------------------ */

struct node {
	char *data;
	int64_t czxid, mzxid;
};

struct request {
	struct request *next;
	enum wread how;
	struct wpath *token;
	char path[ZKPATH_MAX];
};

struct message { /* to the client */
	struct message *next;
	bool is_firing;
	enum wread how;
	struct wpath *token;
	enum znode_rc rc;
	char *data;
	char **children;
	size_t n_children;
	struct znode_stat stat;
	char path[ZKPATH_MAX];
};

struct fake {
	struct map *tree;                      /* path -> struct node */
	struct map *data_watches, *child_watches; /* path -> anything */
	struct map *denied;                    /* path -> anything */
	int64_t zxid;
	struct request *requests, **requests_end;
	struct message *inbox, **inbox_end;
	size_t n_requests, max_requests;
	bool is_cut, once;
	int64_t now_ms;
	struct zk_watch *w;
	struct strbuf log; /* requests as sent: "get /controller\n" */
	/* what the client told */
	struct map *facts; /* "kind name id" -> "present 12" or "absent" */
	size_t n_events, n_loaded, n_progress;
	uint32_t last_done, last_total;
	char last_why[100];
};

static struct fake f;
static char something;

static void free_node(void *value)
{
	struct node *nd = value;

	mem_free(&nd->data);
	mem_free(&nd);
}

static void free_text(void *value)
{
	mem_free(&value);
}

static void message_free(struct message *m)
{
	for (size_t i = 0; i < m->n_children; i++)
		mem_free(&m->children[i]);
	mem_free(&m->children);
	mem_free(&m->data);
	mem_free(&m);
}

static void send_message(struct message *m)
{
	m->next = NULL;
	*f.inbox_end = m;
	f.inbox_end = &m->next;
}

static void fire(struct map *watches, const char *path)
{
	struct message *m;

	if (map_remove(watches, path) == NULL)
		return;
	m = mem_zalloc(sizeof(*m));
	m->is_firing = true;
	assert_true(str_copy(m->path, sizeof(m->path), path));
	send_message(m);
}

static const char *parent_of(const char *path)
{
	static char parent[ZKPATH_MAX];

	assert_true(str_copyn(parent, sizeof(parent), path, (size_t)(strrchr(path, '/') - path)));
	return parent;
}

static struct node *node_at(const char *path)
{
	return map_find(f.tree, path);
}

/* Creates the node, and its parents, or sets its data. */
static void put(const char *path, const char *data)
{
	struct node *nd = node_at(path);

	if (nd != NULL) {
		mem_free(&nd->data);
		nd->data = mem_strdup(data);
		nd->mzxid = ++f.zxid;
		fire(f.data_watches, path);
		return;
	}
	if (strrchr(path, '/') != path && node_at(parent_of(path)) == NULL) {
		char parent[ZKPATH_MAX];

		assert_true(str_copy(parent, sizeof(parent), parent_of(path)));
		put(parent, "");
	}
	nd = mem_zalloc(sizeof(*nd));
	nd->data = mem_strdup(data);
	nd->czxid = nd->mzxid = ++f.zxid;
	map_set(f.tree, path, nd);
	fire(f.data_watches, path);
	fire(f.child_watches, parent_of(path));
}

static bool has_children(const char *path)
{
	struct map_iter it = map_iter(f.tree);
	const char *key;
	size_t n = strlen(path);

	while (map_next(&it, &key, NULL))
		if (strncmp(key, path, n) == 0 && key[n] == '/')
			return true;
	return false;
}

static void del(const char *path)
{
	struct node *nd;

	assert_false(has_children(path));
	nd = map_remove(f.tree, path);
	if (nd == NULL)
		return;
	free_node(nd);
	++f.zxid;
	fire(f.data_watches, path);
	fire(f.child_watches, path);
	fire(f.child_watches, parent_of(path));
}

/* A leaf below `path` (itself if it has none below), for deleting from below. */
static bool leaf_below(const char *path, char out[ZKPATH_MAX])
{
	struct map_iter it = map_iter(f.tree);
	const char *key;
	size_t n = strlen(path);

	if (node_at(path) == NULL)
		return false;
	while (map_next(&it, &key, NULL))
		if (strncmp(key, path, n) == 0 && (key[n] == '/' || key[n] == '\0') && !has_children(key))
			return str_copy(out, ZKPATH_MAX, key);
	return false;
}

static void del_all(const char *path)
{
	char leaf[ZKPATH_MAX];

	while (leaf_below(path, leaf))
		del(leaf);
}

static void answer_children(struct message *m, const char *path)
{
	struct map_iter it = map_iter(f.tree);
	const char *key;
	size_t n = strlen(path);

	m->children = mem_array(map_count(f.tree) + 1, sizeof(*m->children));
	while (map_next(&it, &key, NULL))
		if (strncmp(key, path, n) == 0 && key[n] == '/' && strchr(key + n + 1, '/') == NULL)
			m->children[m->n_children++] = mem_strdup(key + n + 1);
}

/* The server takes one request. */
static bool serve(void)
{
	struct request *rq = f.requests;
	struct message *m;
	struct node *nd;
	bool is_denied;

	if (rq == NULL)
		return false;
	f.requests = rq->next;
	if (f.requests == NULL)
		f.requests_end = &f.requests;
	f.n_requests--;
	m = mem_zalloc(sizeof(*m));
	m->how = rq->how;
	m->token = rq->token;
	nd = node_at(rq->path);
	is_denied = nd != NULL && rq->how != WREAD_EXISTS && map_find(f.denied, rq->path) != NULL;
	m->rc = is_denied ? ZNODE_NO_PERMISSION : nd != NULL ? ZNODE_OK : ZNODE_ABSENT;
	if (m->rc == ZNODE_OK) {
		m->stat.czxid = nd->czxid;
		m->stat.mzxid = nd->mzxid;
		if (rq->how == WREAD_GET)
			m->data = mem_strdup(nd->data);
		if (rq->how == WREAD_CHILDREN)
			answer_children(m, rq->path);
	}
	if (!f.once && rq->how == WREAD_EXISTS)
		map_set(f.data_watches, rq->path, &something);
	else if (!f.once && m->rc == ZNODE_OK)
		map_set(rq->how == WREAD_GET ? f.data_watches : f.child_watches, rq->path, &something);
	send_message(m);
	mem_free(&rq);
	return true;
}

/* The client takes one message. */
static bool deliver(void)
{
	struct message *m = f.inbox;

	if (m == NULL)
		return false;
	f.inbox = m->next;
	if (f.inbox == NULL)
		f.inbox_end = &f.inbox;
	if (m->is_firing)
		zk_watch_fired(f.w, m->path);
	else
		zk_watch_answer(f.w, m->token, m->how, m->rc, m->rc == ZNODE_NO_PERMISSION ? "no permission to read it" : NULL,
				m->data, m->data != NULL ? strlen(m->data) : 0, (const char *const *)m->children, m->n_children, &m->stat);
	message_free(m);
	return true;
}

static void settle(void)
{
	while (deliver() || serve())
		;
}

/* ---- what zk_watch calls ------------------------------------------------------------------ */

static bool fake_read(void *ctx, enum wread how, const char *path, struct wpath *token)
{
	static const char *const words[] = { "get", "children", "exists" };
	struct request *rq;

	assert_ptr_equal(ctx, &f);
	if (f.is_cut)
		return false;
	strbuf_printf(&f.log, "%s %s\n", words[how], path);
	rq = mem_zalloc(sizeof(*rq));
	rq->how = how;
	rq->token = token;
	assert_true(str_copy(rq->path, sizeof(rq->path), path));
	*f.requests_end = rq;
	f.requests_end = &rq->next;
	f.n_requests++;
	if (zk_watch_in_flight(f.w) > f.max_requests)
		f.max_requests = zk_watch_in_flight(f.w);
	return true;
}

/* ---- what the client told, as a model would keep it ---------------------------------------------- */

static void fact_key(char key[ZKPATH_MAX], enum event_kind kind, const char *name, int32_t id)
{
	assert_true(str_printf(key, ZKPATH_MAX, "%s|%s|%d", event_kind_name(kind), name != NULL ? name : "", (int)id));
}

static void fact_set(enum event_kind kind, const char *name, int32_t id, char *text)
{
	char key[ZKPATH_MAX];
	void *old;

	fact_key(key, kind, name, id);
	old = text != NULL ? map_set(f.facts, key, text) : map_remove(f.facts, key);
	mem_free(&old);
}

static const char *fact_get(enum event_kind kind, const char *name, int32_t id)
{
	char key[ZKPATH_MAX];
	const char *text;

	fact_key(key, kind, name, id);
	text = map_find(f.facts, key);
	return text != NULL ? text : "unknown";
}

/* Facts of `kind` whose name is not in the list go. */
static void facts_keep(enum event_kind kind, const struct event_list *l)
{
	struct map_iter it = map_iter(f.facts);
	const char *key, *word = event_kind_name(kind);
	size_t n = strlen(word);
	void *value;

	while (map_next(&it, &key, &value)) {
		bool is_named = false;

		if (strncmp(key, word, n) != 0 || key[n] != '|')
			continue;
		for (size_t i = 0; l != NULL && i < l->n; i++) {
			size_t len = strlen(l->v[i]);

			is_named = is_named || (strncmp(key + n + 1, l->v[i], len) == 0 && key[n + 1 + len] == '|');
		}
		if (is_named)
			continue;
		value = map_remove(f.facts, key);
		mem_free(&value);
	}
}

/* States of one topic whose partitions are not in its assignment go. */
static void states_keep(const char *name, const struct zk_topic *tp)
{
	for (int32_t id = 0; id < 200; id++) {
		bool is_named = false;

		for (size_t i = 0; tp != NULL && i < tp->n_parts; i++)
			is_named = is_named || tp->parts[i].partition == id;
		if (!is_named)
			fact_set(EV_STATE, name, id, NULL);
	}
}

static char *list_text(const struct event_list *l)
{
	struct strbuf sb;
	char *out;

	strbuf_init(&sb);
	strbuf_put(&sb, "present");
	for (size_t i = 0; i < l->n; i++)
		strbuf_printf(&sb, " %s", l->v[i]);
	out = strbuf_take(&sb);
	strbuf_fini(&sb);
	return out;
}

static void brokers_keep(const struct event *ev)
{
	struct map_iter it = map_iter(f.facts);
	const char *key;
	void *value;

	while (map_next(&it, &key, &value)) {
		bool is_named = false;

		if (!str_starts(key, "broker||"))
			continue;
		for (size_t i = 0; ev->know == KNOW_PRESENT && i < ev->u.list.n; i++)
			is_named = is_named || strcmp(key + 8, ev->u.list.v[i]) == 0;
		if (is_named)
			continue;
		value = map_remove(f.facts, key);
		mem_free(&value);
	}
}

static void apply_list(const struct event *ev)
{
	const struct event_list *l = ev->know == KNOW_PRESENT ? &ev->u.list : NULL;

	if (ev->kind == EV_TOPICS) {
		facts_keep(EV_TOPIC, l);
		facts_keep(EV_STATE, l);
	} else if (ev->kind == EV_CONFIG_TOPICS) {
		facts_keep(EV_TOPIC_CONFIG, l);
	} else if (ev->kind == EV_CONFIG_BROKERS) {
		facts_keep(EV_BROKER_CONFIG, l);
	} else if (ev->kind == EV_BROKER_IDS) {
		brokers_keep(ev);
	}
}

static bool is_list_event(const struct event *ev)
{
	switch ((enum event_kind)ev->kind) {
	case EV_BROKER_IDS:
	case EV_TOPICS:
	case EV_DELETE_TOPICS:
	case EV_CONFIG_TOPICS:
	case EV_CONFIG_BROKERS:
	case EV_CONFIG_CHANGES:
		return true;
	default:
		return false;
	}
}

static void fake_emit(void *ctx, struct event *ev)
{
	char *text;

	assert_ptr_equal(ctx, &f);
	assert_int_equal(ev->epoch, 7);
	f.n_events++;
	f.n_loaded += ev->kind == EV_LOADED;
	f.n_progress += ev->kind == EV_PROGRESS;
	if (ev->kind == EV_PROGRESS) {
		f.last_done = ev->u.progress.done;
		f.last_total = ev->u.progress.total;
		assert_true(f.last_done <= f.last_total);
	}
	if (ev->know == KNOW_UNREADABLE)
		assert_true(str_copy(f.last_why, sizeof(f.last_why), ev->why));
	if (ev->kind != EV_PROGRESS && ev->kind != EV_LOADED) {
		char buf[64];

		if (is_list_event(ev))
			apply_list(ev);
		if (ev->kind == EV_TOPIC)
			states_keep(ev->name, ev->know == KNOW_PRESENT ? &ev->u.topic : NULL);
		if (ev->know == KNOW_PRESENT && is_list_event(ev))
			text = list_text(&ev->u.list);
		else if (ev->know == KNOW_PRESENT && str_printf(buf, sizeof(buf), "present %lld", (long long)ev->stat.mzxid))
			text = mem_strdup(buf);
		else
			text = mem_strdup(ev->know == KNOW_ABSENT ? "absent" : "unreadable");
		fact_set((enum event_kind)ev->kind, ev->name, ev->id, text);
	}
	event_free(&ev);
}

static mono_ms fake_mono(void *ctx)
{
	return (mono_ms){ f.now_ms };
}

static wall_ms fake_wall(void *ctx)
{
	return (wall_ms){ 1700000000000 + f.now_ms };
}

static const struct zk_watch_ops ops = { fake_read, fake_emit, fake_mono, fake_wall };

/* ---- setting up -------------------------------------------------------------------------------- */

static void begin(unsigned window, bool once)
{
	memset(&f, 0, sizeof(f));
	f.tree = map_new();
	f.data_watches = map_new();
	f.child_watches = map_new();
	f.denied = map_new();
	f.facts = map_new();
	f.requests_end = &f.requests;
	f.inbox_end = &f.inbox;
	f.now_ms = 1000;
	f.once = once;
	strbuf_init(&f.log);
	f.w = zk_watch_new(&ops, &f, 7, window, once, false);
}

static void finish(void)
{
	zk_watch_free(&f.w);
	assert_null(f.w);
	while (f.requests != NULL) {
		struct request *rq = f.requests;

		f.requests = rq->next;
		mem_free(&rq);
	}
	while (f.inbox != NULL) {
		struct message *m = f.inbox;

		f.inbox = m->next;
		message_free(m);
	}
	map_free(&f.tree, free_node);
	map_free(&f.data_watches, NULL);
	map_free(&f.child_watches, NULL);
	map_free(&f.denied, NULL);
	map_free(&f.facts, free_text);
	strbuf_fini(&f.log);
}

static void put_assignment(const char *topic, int first, int n)
{
	char path[ZKPATH_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "{\"version\":1,\"partitions\":{");
	for (int i = first; i < first + n; i++)
		strbuf_printf(&sb, "%s\"%d\":[1]", i > first ? "," : "", i);
	strbuf_put(&sb, "}}");
	assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", topic));
	put(path, sb.s);
	strbuf_fini(&sb);
}

static void put_state(const char *topic, int p, int epoch)
{
	char path[ZKPATH_MAX], data[200];

	assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", topic, p));
	assert_true(str_printf(data, sizeof(data), "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":%d,\"isr\":[1]}", epoch));
	put(path, data);
}

static void put_topic(const char *topic, int n)
{
	put_assignment(topic, 0, n);
	for (int p = 0; p < n; p++)
		put_state(topic, p, 0);
}

static void put_config(const char *topic)
{
	char path[ZKPATH_MAX];

	assert_true(str_printf(path, sizeof(path), "/config/topics/%s", topic));
	put(path, "{\"version\":1,\"config\":{}}");
}

static void put_roots(void)
{
	put("/brokers/ids", "");
	put("/brokers/topics", "");
	put("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}");
	put("/controller_epoch", "1");
	put("/cluster/id", "{\"version\":\"1\",\"id\":\"abc\"}");
	put("/admin/delete_topics", "");
	put("/config/topics", "");
	put("/config/brokers", "");
	put("/config/changes", "");
}

/* Roots, and the topic t with two partitions, all read. */
static void begin_with_topic(void)
{
	begin(50, false);
	put_roots();
	put_topic("t", 2);
	put_config("t");
	zk_watch_start(f.w);
	settle();
	strbuf_clear(&f.log);
}

static size_t times_asked(const char *line)
{
	size_t n = 0, len = strlen(line);

	for (const char *at = f.log.s; (at = strstr(at, line)) != NULL; at += len)
		n++;
	return n;
}

static size_t asked_at(const char *line)
{
	const char *at = strstr(f.log.s, line);

	if (at == NULL)
		fail_msg("never asked: %s in\n%s", line, f.log.s);
	return at != NULL ? (size_t)(at - f.log.s) : 0;
}

static bool is_present(enum event_kind kind, const char *name, int32_t id)
{
	return str_starts(fact_get(kind, name, id), "present");
}

#define STATE0 "/brokers/topics/t/partitions/0/state"

/* ---- the claims ------------------------------------------------------------------------------------ */

static void everything_is_read_once_and_watched(void **state)
{
	begin_with_topic();
	put_topic("u", 1);
	settle();
	assert_string_equal(fact_get(EV_TOPICS, NULL, -1), "present t u");
	assert_true(is_present(EV_TOPIC, "u", -1));
	assert_true(is_present(EV_STATE, "u", 0));
	assert_true(is_present(EV_STATE, "t", 1));
	assert_true(is_present(EV_TOPIC_CONFIG, "t", -1));
	assert_true(is_present(EV_CONTROLLER, NULL, -1));
	assert_string_equal(fact_get(EV_REASSIGN, NULL, -1), "absent");
	assert_int_equal(zk_watch_paths(f.w), map_count(f.data_watches) + map_count(f.child_watches));
	finish();
}

static void loaded_is_told_once_when_all_is_read(void **state)
{
	begin(50, false);
	put_roots();
	put_topic("t", 2);
	zk_watch_start(f.w);
	assert_false(zk_watch_is_loaded(f.w));
	while (f.n_loaded == 0) {
		assert_true(deliver() || serve());
		if (f.n_loaded > 0)
			break;
		assert_false(zk_watch_is_loaded(f.w));
	}
	assert_true(is_present(EV_STATE, "t", 1));
	assert_int_equal(f.last_done, f.last_total);
	put_topic("u", 2);
	settle();
	assert_int_equal(f.n_loaded, 1);
	assert_true(zk_watch_is_loaded(f.w));
	finish();
}

static void progress_is_told_every_tenth_of_a_second_at_most(void **state)
{
	char name[16];

	begin(10, false);
	put_roots();
	for (int i = 0; i < 200; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		put_topic(name, 1);
	}
	zk_watch_start(f.w);
	for (int i = 0; deliver() || serve(); i++)
		f.now_ms += i % 2; /* some 200 ms in all */
	assert_int_equal(f.n_loaded, 1);
	assert_in_range(f.n_progress, 2, (size_t)(f.now_ms - 1000) / 100 + 1);
	finish();
}

static void change_is_read_and_told(void **state)
{
	char want[32];

	begin_with_topic();
	put_state("t", 0, 5);
	settle();
	assert_true(str_printf(want, sizeof(want), "present %lld", (long long)node_at(STATE0)->mzxid));
	assert_string_equal(fact_get(EV_STATE, "t", 0), want);
	assert_int_equal(times_asked("get " STATE0 "\n"), 1);
	finish();
}

static void firings_before_the_read_coalesce(void **state)
{
	begin_with_topic();
	zk_watch_fired(f.w, STATE0);
	zk_watch_fired(f.w, STATE0);
	settle();
	assert_in_range(times_asked("get " STATE0 "\n"), 1, 2);
	finish();
}

static void firing_while_reading_reads_once_more(void **state)
{
	begin_with_topic();
	put_state("t", 0, 1);
	assert_true(deliver()); /* the firing: a read is out */
	zk_watch_fired(f.w, STATE0);
	zk_watch_fired(f.w, STATE0);
	zk_watch_fired(f.w, STATE0);
	settle();
	assert_int_equal(times_asked("get " STATE0 "\n"), 2);
	finish();
}

static void storm_on_one_node_ends_with_its_last_value(void **state)
{
	char want[32];

	begin_with_topic();
	for (int i = 1; i <= 500; i++) {
		put_state("t", 0, i);
		if (i % 3 == 0)
			deliver();
		if (i % 2 == 0)
			serve();
	}
	settle();
	assert_true(str_printf(want, sizeof(want), "present %lld", (long long)node_at(STATE0)->mzxid));
	assert_string_equal(fact_get(EV_STATE, "t", 0), want);
	assert_true(times_asked("get " STATE0 "\n") <= 500);
	finish();
}

static void missing_root_is_absent_and_seen_when_it_appears(void **state)
{
	begin(50, false);
	zk_watch_start(f.w);
	assert_true(serve() && deliver()); /* /controller, not there */
	assert_string_equal(fact_get(EV_CONTROLLER, NULL, -1), "unknown"); /* not before its watch is set */
	settle();
	assert_int_equal(times_asked("exists /controller\n"), 1);
	assert_string_equal(fact_get(EV_CONTROLLER, NULL, -1), "absent");
	assert_string_equal(fact_get(EV_TOPICS, NULL, -1), "absent");
	assert_int_equal(f.n_loaded, 1);
	put_roots();
	put_topic("t", 1);
	settle();
	assert_true(is_present(EV_CONTROLLER, NULL, -1));
	assert_true(is_present(EV_STATE, "t", 0));
	del("/controller");
	settle();
	assert_string_equal(fact_get(EV_CONTROLLER, NULL, -1), "absent");
	put("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}");
	settle();
	assert_true(is_present(EV_CONTROLLER, NULL, -1));
	finish();
}

static void created_between_get_and_exists_is_seen(void **state)
{
	begin(1, false);
	zk_watch_start(f.w);
	assert_true(serve() && deliver()); /* get /controller: not there; others wait before the exists */
	put_roots();
	settle();
	assert_true(is_present(EV_CONTROLLER, NULL, -1));
	finish();
}

static void chroot_emptied_and_filled_again_is_read_again(void **state)
{
	begin_with_topic();
	del_all("/brokers");
	del_all("/controller");
	del_all("/config");
	settle();
	assert_string_equal(fact_get(EV_TOPICS, NULL, -1), "absent");
	assert_string_equal(fact_get(EV_TOPIC, "t", -1), "unknown");
	put_roots();
	put_topic("t", 3);
	settle();
	assert_true(is_present(EV_STATE, "t", 2));
	assert_true(is_present(EV_CONTROLLER, NULL, -1));
	finish();
}

static void state_without_node_is_watched_until_it_appears(void **state)
{
	begin_with_topic();
	put_assignment("u", 0, 1);
	settle();
	assert_string_equal(fact_get(EV_STATE, "u", 0), "absent");
	put_state("u", 0, 0);
	settle();
	assert_true(is_present(EV_STATE, "u", 0));
	finish();
}

static void vanished_state_of_a_living_topic_is_watched(void **state)
{
	begin_with_topic();
	del(STATE0);
	settle();
	assert_true(asked_at("get /brokers/topics/t\n") < asked_at("exists " STATE0 "\n"));
	assert_string_equal(fact_get(EV_STATE, "t", 0), "absent");
	put_state("t", 0, 9);
	settle();
	assert_true(is_present(EV_STATE, "t", 0));
	finish();
}

static void deleted_topic_leaves_no_watches_behind(void **state)
{
	size_t before;

	begin(50, false);
	put_roots();
	zk_watch_start(f.w);
	settle();
	before = map_count(f.data_watches);
	put_topic("t", 20);
	settle();
	put("/admin/delete_topics/t", "");
	settle();
	del_all("/brokers/topics/t/partitions"); /* while the client looks on */
	settle();
	assert_string_equal(fact_get(EV_STATE, "t", 3), "absent");
	del_all("/brokers/topics/t");
	del("/admin/delete_topics/t");
	settle();
	assert_int_equal(times_asked("exists /brokers/topics/t/"), 0);
	assert_int_equal(map_count(f.data_watches), before);
	assert_string_equal(fact_get(EV_TOPICS, NULL, -1), "present");
	assert_string_equal(fact_get(EV_STATE, "t", 3), "unknown");
	finish();
}

static void topic_deleted_in_one_go_leaves_no_watches_behind(void **state)
{
	size_t before;

	begin(50, false);
	put_roots();
	zk_watch_start(f.w);
	settle();
	before = map_count(f.data_watches);
	put_topic("t", 20);
	settle();
	del_all("/brokers/topics/t"); /* by hand: no marker, all gone before we look */
	settle();
	assert_int_equal(times_asked("exists /brokers/topics/t/"), 0);
	assert_int_equal(map_count(f.data_watches), before);
	finish();
}

static void marker_taken_away_has_vanished_states_looked_at_again(void **state)
{
	begin_with_topic();
	put("/admin/delete_topics/t", "");
	settle();
	del(STATE0);
	settle();
	assert_string_equal(fact_get(EV_STATE, "t", 0), "absent");
	assert_int_equal(times_asked("exists " STATE0 "\n"), 0);
	del("/admin/delete_topics/t");
	settle();
	put_state("t", 0, 3);
	settle();
	assert_true(is_present(EV_STATE, "t", 0));
	finish();
}

static void topic_deleted_while_its_reads_are_out_is_safe(void **state)
{
	begin(50, false);
	put_roots();
	put_topic("t", 20);
	put_config("t");
	zk_watch_start(f.w);
	while (times_asked("partitions/19/state") == 0)
		assert_true(deliver() || serve());
	del_all("/brokers/topics/t");
	/* Only the list: its firing was made after the answers that are on the way. */
	zk_watch_fired(f.w, "/brokers/topics");
	settle();
	assert_string_equal(fact_get(EV_TOPICS, NULL, -1), "present");
	assert_string_equal(fact_get(EV_TOPIC, "t", -1), "unknown");
	assert_string_equal(fact_get(EV_STATE, "t", 0), "unknown");
	finish();
}

/* Answers to reads of a topic that the client has forgotten meanwhile, and made anew. */
static void late_answers_to_a_forgotten_topic_are_ignored(void **state)
{
	struct request *late;

	begin_with_topic();
	zk_watch_fired(f.w, STATE0);
	zk_watch_fired(f.w, "/brokers/topics/t/partitions/1/state");
	late = f.requests; /* two reads, held back */
	f.requests = NULL;
	f.requests_end = &f.requests;
	f.n_requests = 0;
	del_all("/brokers/topics/t");
	settle();
	assert_string_equal(fact_get(EV_TOPICS, NULL, -1), "present");
	put_topic("t", 1);
	settle();
	assert_true(is_present(EV_STATE, "t", 0));
	f.requests = late;
	f.requests_end = &late->next->next;
	settle();
	assert_true(is_present(EV_STATE, "t", 0));
	assert_string_equal(fact_get(EV_STATE, "t", 1), "unknown");
	assert_int_equal(zk_watch_in_flight(f.w), 0);
	finish();
}

static void topic_that_came_back_is_read_again(void **state)
{
	begin_with_topic();
	del_all("/brokers/topics/t");
	put_topic("t", 3);
	settle();
	assert_true(is_present(EV_TOPIC, "t", -1));
	assert_true(is_present(EV_STATE, "t", 2));
	put_state("t", 2, 8);
	settle();
	assert_int_equal(times_asked("get /brokers/topics/t/partitions/2/state\n") >= 2, 1);
	finish();
}

static void added_partitions_are_read_and_only_they(void **state)
{
	begin_with_topic();
	put_assignment("t", 0, 4);
	put_state("t", 2, 0);
	put_state("t", 3, 0);
	settle();
	assert_true(is_present(EV_STATE, "t", 3));
	assert_int_equal(times_asked("get " STATE0 "\n"), 0);
	finish();
}

static void partitions_no_longer_assigned_are_forgotten(void **state)
{
	begin_with_topic();
	put_assignment("t", 0, 1);
	settle();
	assert_string_equal(fact_get(EV_STATE, "t", 1), "unknown");
	strbuf_clear(&f.log);
	put_state("t", 1, 4); /* not ours any more */
	settle();
	assert_int_equal(times_asked("partitions/1/state"), 0);
	put_assignment("t", 0, 2);
	settle();
	assert_true(is_present(EV_STATE, "t", 1));
	finish();
}

static void ids_that_come_and_go_do_not_pile_up(void **state)
{
	begin_with_topic();
	for (int i = 0; i < 100; i++) {
		put_assignment("t", i * 10, 10);
		settle();
	}
	put_state("t", 995, 0);
	settle();
	assert_int_equal(zk_watch_in_flight(f.w), 0);
	assert_true(times_asked("partitions/995/state\n") >= 2);
	finish();
}

static void window_bounds_what_is_in_flight(void **state)
{
	char name[16];

	begin(7, false);
	put_roots();
	for (int i = 0; i < 100; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		put_topic(name, 5);
	}
	zk_watch_start(f.w);
	settle();
	assert_int_equal(f.n_loaded, 1);
	assert_int_equal(f.max_requests, 7);
	assert_true(is_present(EV_STATE, "t099", 4));
	finish();
}

static void begin_with_many(unsigned window)
{
	char name[16];

	begin(window, false);
	put_roots();
	for (int i = 0; i < 200; i++) {
		assert_true(str_printf(name, sizeof(name), "t%03d", i));
		put_topic(name, 2);
		put_config(name);
	}
	zk_watch_start(f.w);
}

static void first_topics_by_name_are_read_in_full_before_the_rest(void **state)
{
	begin_with_many(4);
	settle();
	assert_true(asked_at("get /brokers/topics/t000/partitions/1/state\n") < asked_at("get /brokers/topics/t070\n"));
	assert_true(asked_at("get /brokers/topics/t059/partitions/1/state\n") < asked_at("get /brokers/topics/t070\n"));
	assert_true(asked_at("get /brokers/topics/t199\n") < asked_at("get /brokers/topics/t070/partitions/0/state\n"));
	assert_true(asked_at("get /brokers/topics/t199/partitions/1/state\n") < asked_at("get /config/topics/t000\n"));
	finish();
}

static void wanted_topics_are_read_before_all_else_in_order(void **state)
{
	static const char *const want[] = { "t150", "t120", "no such topic" };

	begin_with_many(4);
	while (times_asked("get /brokers/topics/t001\n") == 0)
		assert_true(deliver() || serve());
	zk_watch_want(f.w, want, 3);
	settle();
	assert_true(asked_at("get /brokers/topics/t150\n") < asked_at("get /brokers/topics/t120\n"));
	assert_true(asked_at("get /brokers/topics/t150/partitions/1/state\n") < asked_at("get /brokers/topics/t030\n"));
	assert_true(asked_at("get /brokers/topics/t120/partitions/1/state\n") < asked_at("get /brokers/topics/t030\n"));
	assert_true(asked_at("get /config/topics/t150\n") < asked_at("get /brokers/topics/t030\n"));
	finish();
}

static void want_from_before_the_list_is_remembered(void **state)
{
	static const char *const want[] = { "t150" };

	begin_with_many(4);
	zk_watch_want(f.w, want, 1);
	settle();
	assert_true(asked_at("get /brokers/topics/t150/partitions/1/state\n") < asked_at("get /brokers/topics/t005/partitions/0/state\n"));
	finish();
}

static void what_is_no_longer_wanted_waits_its_turn(void **state)
{
	static const char *const first[] = { "t150" }, *const second[] = { "t160" };

	begin_with_many(1);
	while (times_asked("get /brokers/topics/t000\n") == 0)
		assert_true(deliver() || serve());
	zk_watch_want(f.w, first, 1);
	zk_watch_want(f.w, second, 1);
	settle();
	assert_true(asked_at("get /brokers/topics/t160\n") < asked_at("get /brokers/topics/t150\n"));
	zk_watch_want(f.w, NULL, 0);
	finish();
}

static void once_reads_all_and_watches_nothing(void **state)
{
	begin(50, true);
	put_roots();
	put_topic("t", 2);
	put_assignment("u", 0, 1);
	zk_watch_start(f.w);
	settle();
	assert_int_equal(f.n_loaded, 1);
	assert_int_equal(times_asked("exists"), 0);
	assert_int_equal(zk_watch_paths(f.w), 0);
	assert_true(is_present(EV_STATE, "t", 1));
	assert_string_equal(fact_get(EV_STATE, "u", 0), "absent");
	assert_string_equal(fact_get(EV_MIGRATION, NULL, -1), "absent");
	finish();
}

static void no_permission_is_unreadable_and_tried_again_each_minute(void **state)
{
	begin_with_topic();
	put("/config/brokers/1", "{\"version\":1,\"config\":{}}");
	map_set(f.denied, "/config/brokers/1", &something);
	settle();
	assert_string_equal(fact_get(EV_BROKER_CONFIG, "1", -1), "unreadable");
	assert_string_equal(f.last_why, "no permission to read it");
	strbuf_clear(&f.log);
	f.now_ms += 30000;
	zk_watch_tick(f.w);
	settle();
	assert_int_equal(times_asked("get"), 0);
	map_remove(f.denied, "/config/brokers/1");
	f.now_ms += 30000;
	zk_watch_tick(f.w);
	settle();
	assert_int_equal(times_asked("get"), 1);
	assert_true(is_present(EV_BROKER_CONFIG, "1", -1));
	f.now_ms += 600000;
	zk_watch_tick(f.w);
	settle();
	assert_int_equal(times_asked("get"), 1);
	finish();
}

static void unreadable_payload_is_still_watched(void **state)
{
	begin_with_topic();
	put(STATE0, "{\"leader\":");
	settle();
	assert_string_equal(fact_get(EV_STATE, "t", 0), "unreadable");
	put_state("t", 0, 4);
	settle();
	assert_true(is_present(EV_STATE, "t", 0));
	put("/brokers/topics/t", "rubbish"); /* its partitions stay as they were */
	put_state("t", 0, 5);
	settle();
	assert_string_equal(fact_get(EV_TOPIC, "t", -1), "unreadable");
	assert_true(times_asked("get " STATE0 "\n") >= 3);
	finish();
}

static void names_that_are_no_ids_or_too_long_are_skipped(void **state)
{
	char path[ZKPATH_MAX], name[ZNODE_NAME_MAX + 2];

	begin(50, false);
	put_roots();
	put("/brokers/ids/1", "{\"version\":1,\"host\":\"h\",\"port\":9092,\"jmx_port\":-1}");
	put("/brokers/ids/01", "");
	put("/brokers/ids/x", "");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", name));
	put(path, "");
	zk_watch_start(f.w);
	settle();
	assert_int_equal(f.n_loaded, 1);
	assert_true(is_present(EV_BROKER, NULL, 1));
	assert_int_equal(times_asked("get /brokers/ids/"), 1);
	assert_int_equal(times_asked("get /brokers/topics/"), 0);
	finish();
}

static void nothing_is_asked_once_the_session_is_gone(void **state)
{
	size_t asked;

	begin_with_many(10);
	for (int i = 0; i < 200; i++)
		assert_true(deliver() || serve());
	f.is_cut = true;
	asked = f.log.len;
	settle();
	zk_watch_fired(f.w, "/controller");
	settle();
	assert_int_equal(f.log.len, asked);
	assert_int_equal(zk_watch_in_flight(f.w), 0);
	finish();
}

static void freeing_while_reads_are_out_frees_everything(void **state)
{
	begin_with_many(50);
	for (int i = 0; i < 300; i++)
		assert_true(deliver() || serve());
	del_all("/brokers/topics/t000");
	for (int i = 0; i < 20; i++)
		deliver();
	assert_true(zk_watch_in_flight(f.w) > 0);
	finish(); /* the leak checker has the word */
}

static void firing_for_a_path_of_no_interest_is_ignored(void **state)
{
	begin_with_topic();
	zk_watch_fired(f.w, "/brokers/topics/unheard/partitions/0/state");
	zk_watch_fired(f.w, "/brokers/topics/t/partitions/77/state");
	zk_watch_fired(f.w, "/brokers/ids/77");
	zk_watch_fired(f.w, "/nonsense");
	zk_watch_fired(f.w, "/");
	zk_watch_fired(f.w, "");
	settle();
	assert_int_equal(f.log.len, 0);
	finish();
}

/* ---- by chance ------------------------------------------------------------------------------------------ */

static uint64_t rnd_state;

static unsigned rnd(unsigned n)
{
	rnd_state = rnd_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(rnd_state >> 33) % n;
}

static const char *rnd_topic(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };

	return names[rnd(5)];
}

static void rnd_put(const char *fmt, unsigned id, const char *data)
{
	char path[ZKPATH_MAX];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	assert_true(str_printf(path, sizeof(path), fmt, id));
#pragma GCC diagnostic pop
	if (node_at(path) != NULL && rnd(3) == 0 && !has_children(path))
		del(path);
	else
		put(path, data);
}

static void mutate(void)
{
	static const char *const want[][2] = { { "a", "b" }, { "c", "a" }, { "e", "zz" } };
	char path[ZKPATH_MAX], leaf[ZKPATH_MAX];
	const char *tp = rnd_topic();

	switch (rnd(20)) {
	case 0:
	case 1:
		put_topic(tp, 1 + (int)rnd(4));
		break;
	case 2:
		put_assignment(tp, (int)rnd(3), 1 + (int)rnd(4));
		break;
	case 3:
		assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", tp));
		del_all(path);
		break;
	case 4:
	case 5:
	case 6: /* one step of a deletion, from below */
		assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", tp));
		if (leaf_below(path, leaf))
			del(leaf);
		break;
	case 7:
	case 8:
	case 9:
	case 10:
		assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", tp));
		if (node_at(path) != NULL)
			put_state(tp, (int)rnd(5), (int)rnd(100));
		break;
	case 11:
	case 12:
		assert_true(str_printf(path, sizeof(path), "/config/topics/%s", tp));
		if (node_at(path) != NULL && rnd(2) == 0)
			del(path);
		else
			put_config(tp);
		break;
	case 13:
		rnd_put("/brokers/ids/%u", rnd(3), "{\"version\":1,\"host\":\"h\",\"port\":9092,\"jmx_port\":-1}");
		break;
	case 14:
		rnd_put("/config/brokers/%u", rnd(3), "{\"version\":1,\"config\":{}}");
		break;
	case 15:
		assert_true(str_printf(path, sizeof(path), "/admin/delete_topics/%s", tp));
		if (node_at(path) != NULL)
			del(path);
		else
			put(path, "");
		break;
	case 16:
		put("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}");
		break;
	case 17:
		del_all(rnd(2) ? "/controller" : "/admin/reassign_partitions");
		break;
	case 18:
		zk_watch_want(f.w, want[rnd(3)], 2);
		break;
	default:
		if (rnd(10) == 0)
			del_all(rnd(2) ? "/brokers/topics" : "/config");
		else
			put("/admin/reassign_partitions", "{\"version\":1,\"partitions\":[]}");
	}
}

/* What the tree says of a path, in the words of a fact. */
static void expect_node(enum event_kind kind, const char *name, int32_t id, const char *path)
{
	const struct node *nd = node_at(path);
	char text[64] = "absent";

	if (nd != NULL)
		assert_true(str_printf(text, sizeof(text), "present %lld", (long long)nd->mzxid));
	if (strcmp(fact_get(kind, name, id), text) != 0)
		fail_msg("%s: told \"%s\", true is \"%s\"", path, fact_get(kind, name, id), text);
}

static size_t expect_children(enum event_kind list, enum event_kind kind, const char *path)
{
	struct message m = { .next = NULL };
	struct event *ev;
	char *text;
	size_t n = 0;

	if (node_at(path) == NULL) {
		assert_string_equal(fact_get(list, NULL, -1), "absent");
		return 0;
	}
	answer_children(&m, path);
	ev = event_from_children(path, ZNODE_OK, NULL, (const char *const *)m.children, m.n_children, NULL, 7,
				 (mono_ms){ 1 }, (wall_ms){ 1 });
	text = list_text(&ev->u.list);
	assert_string_equal(fact_get(list, NULL, -1), text);
	for (size_t i = 0; i < ev->u.list.n && kind != list; i++) {
		char child[ZKPATH_MAX];
		int64_t id = -1;

		assert_true(str_printf(child, sizeof(child), "%s/%s", path, ev->u.list.v[i]));
		if (kind == EV_BROKER)
			assert_true(str_to_i64(ev->u.list.v[i], 0, 100, &id));
		expect_node(kind, kind == EV_BROKER ? NULL : ev->u.list.v[i], (int32_t)id, child);
		n++;
	}
	mem_free(&text);
	event_free(&ev);
	for (size_t i = 0; i < m.n_children; i++)
		mem_free(&m.children[i]);
	mem_free(&m.children);
	return n;
}

static size_t expect_states(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	size_t n = 0;

	for (size_t t = 0; t < 5; t++) {
		char path[ZKPATH_MAX];
		const struct node *nd;

		assert_true(zkpath_build(path, ZKPATH_TOPIC, names[t], -1));
		nd = node_at(path);
		for (int32_t p = 0; p < 10; p++) {
			char quoted[16];
			bool is_assigned = nd != NULL && str_printf(quoted, sizeof(quoted), "\"%d\":", (int)p) && strstr(nd->data, quoted) != NULL;

			assert_true(zkpath_build(path, ZKPATH_STATE, names[t], p));
			if (is_assigned)
				expect_node(EV_STATE, names[t], p, path);
			else
				assert_string_equal(fact_get(EV_STATE, names[t], p), "unknown");
			n += is_assigned;
		}
	}
	return n;
}

/* All that was told is what the tree says, and nothing else was. */
static void expect_truth(void)
{
	size_t n = 12;

	expect_node(EV_CONTROLLER, NULL, -1, "/controller");
	expect_node(EV_CONTROLLER_EPOCH, NULL, -1, "/controller_epoch");
	expect_node(EV_CLUSTER_ID, NULL, -1, "/cluster/id");
	expect_node(EV_REASSIGN, NULL, -1, "/admin/reassign_partitions");
	n += expect_children(EV_BROKER_IDS, EV_BROKER, "/brokers/ids");
	n += expect_children(EV_TOPICS, EV_TOPIC, "/brokers/topics");
	n += expect_children(EV_CONFIG_TOPICS, EV_TOPIC_CONFIG, "/config/topics");
	n += expect_children(EV_CONFIG_BROKERS, EV_BROKER_CONFIG, "/config/brokers");
	expect_children(EV_DELETE_TOPICS, EV_DELETE_TOPICS, "/admin/delete_topics");
	n += expect_states();
	assert_int_equal(map_count(f.facts), n);
	assert_int_equal(zk_watch_in_flight(f.w), 0);
}

static void run_seed(uint64_t seed)
{
	rnd_state = seed * 2654435761u + 1;
	begin(1 + rnd(8), false);
	put_roots();
	for (int i = 0; i < 10; i++)
		mutate();
	zk_watch_start(f.w);
	for (int phase = 0; phase < 4; phase++) {
		unsigned pace = 1 + rnd(6);

		for (int i = 0; i < 200; i++) {
			unsigned dice = rnd(pace + 4);

			if (dice < 2)
				mutate();
			else if (dice % 2 == 0)
				deliver();
			else
				serve();
		}
		settle();
		f.now_ms += 60000; /* what is tried once a minute */
		zk_watch_tick(f.w);
		settle();
		expect_truth();
	}
	finish();
}

static void told_is_what_is_true_whatever_the_order(void **state)
{
	const char *env = getenv("KAFOPS_SEED");
	uint64_t first = env != NULL ? strtoull(env, NULL, 10) : 1, n = env != NULL ? 1 : 500;

	for (uint64_t seed = first; seed < first + n; seed++) {
		print_message("# seed %llu\n", (unsigned long long)seed);
		run_seed(seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_read_once_and_watched),
		cmocka_unit_test(loaded_is_told_once_when_all_is_read),
		cmocka_unit_test(progress_is_told_every_tenth_of_a_second_at_most),
		cmocka_unit_test(change_is_read_and_told),
		cmocka_unit_test(firings_before_the_read_coalesce),
		cmocka_unit_test(firing_while_reading_reads_once_more),
		cmocka_unit_test(storm_on_one_node_ends_with_its_last_value),
		cmocka_unit_test(missing_root_is_absent_and_seen_when_it_appears),
		cmocka_unit_test(created_between_get_and_exists_is_seen),
		cmocka_unit_test(chroot_emptied_and_filled_again_is_read_again),
		cmocka_unit_test(state_without_node_is_watched_until_it_appears),
		cmocka_unit_test(vanished_state_of_a_living_topic_is_watched),
		cmocka_unit_test(deleted_topic_leaves_no_watches_behind),
		cmocka_unit_test(topic_deleted_in_one_go_leaves_no_watches_behind),
		cmocka_unit_test(marker_taken_away_has_vanished_states_looked_at_again),
		cmocka_unit_test(topic_deleted_while_its_reads_are_out_is_safe),
		cmocka_unit_test(late_answers_to_a_forgotten_topic_are_ignored),
		cmocka_unit_test(topic_that_came_back_is_read_again),
		cmocka_unit_test(added_partitions_are_read_and_only_they),
		cmocka_unit_test(partitions_no_longer_assigned_are_forgotten),
		cmocka_unit_test(ids_that_come_and_go_do_not_pile_up),
		cmocka_unit_test(window_bounds_what_is_in_flight),
		cmocka_unit_test(first_topics_by_name_are_read_in_full_before_the_rest),
		cmocka_unit_test(wanted_topics_are_read_before_all_else_in_order),
		cmocka_unit_test(want_from_before_the_list_is_remembered),
		cmocka_unit_test(what_is_no_longer_wanted_waits_its_turn),
		cmocka_unit_test(once_reads_all_and_watches_nothing),
		cmocka_unit_test(no_permission_is_unreadable_and_tried_again_each_minute),
		cmocka_unit_test(unreadable_payload_is_still_watched),
		cmocka_unit_test(names_that_are_no_ids_or_too_long_are_skipped),
		cmocka_unit_test(nothing_is_asked_once_the_session_is_gone),
		cmocka_unit_test(freeing_while_reads_are_out_frees_everything),
		cmocka_unit_test(firing_for_a_path_of_no_interest_is_ignored),
		cmocka_unit_test(told_is_what_is_true_whatever_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
