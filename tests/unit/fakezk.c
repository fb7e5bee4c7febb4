/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fakezk.h"

#include "base/mem.h"

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

struct fakezk fake;
char fake_something;

/* ---- the server ------------------------------------------------------------------------ */

static void free_node(void *value)
{
	struct fake_node *nd = value;

	mem_free(&nd->data);
	mem_free(&nd);
}

static void free_text(void *value)
{
	mem_free(&value);
}

static void message_free(struct message *m)
{
	if (m->children != NULL)
		fake_children_free(&m->children, m->n_children);
	mem_free(&m->data);
	mem_free(&m);
}

static void send_message(struct message *m)
{
	m->next = NULL;
	*fake.inbox_end = m;
	fake.inbox_end = &m->next;
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

struct fake_node *fake_node_at(const char *path)
{
	return map_find(fake.tree, path);
}

void fake_put(const char *path, const char *data)
{
	struct fake_node *nd = fake_node_at(path);

	if (nd != NULL) {
		mem_free(&nd->data);
		nd->data = mem_strdup(data);
		nd->mzxid = ++fake.zxid;
		fire(fake.data_watches, path);
		return;
	}
	if (strrchr(path, '/') != path && fake_node_at(parent_of(path)) == NULL) {
		char parent[ZKPATH_MAX];

		assert_true(str_copy(parent, sizeof(parent), parent_of(path)));
		fake_put(parent, "");
	}
	nd = mem_zalloc(sizeof(*nd));
	nd->data = mem_strdup(data);
	nd->czxid = nd->mzxid = ++fake.zxid;
	map_set(fake.tree, path, nd);
	fire(fake.data_watches, path);
	fire(fake.child_watches, parent_of(path));
}

bool fake_has_children(const char *path)
{
	struct map_iter it = map_iter(fake.tree);
	const char *key;
	size_t n = strlen(path);

	while (map_next(&it, &key, NULL))
		if (strncmp(key, path, n) == 0 && key[n] == '/')
			return true;
	return false;
}

void fake_del(const char *path)
{
	struct fake_node *nd;

	assert_false(fake_has_children(path));
	nd = map_remove(fake.tree, path);
	if (nd == NULL)
		return;
	free_node(nd);
	++fake.zxid;
	fire(fake.data_watches, path);
	fire(fake.child_watches, path);
	fire(fake.child_watches, parent_of(path));
}

bool fake_leaf_below(const char *path, char out[ZKPATH_MAX])
{
	struct map_iter it = map_iter(fake.tree);
	const char *key;
	size_t n = strlen(path);

	if (fake_node_at(path) == NULL)
		return false;
	while (map_next(&it, &key, NULL))
		if (strncmp(key, path, n) == 0 && (key[n] == '/' || key[n] == '\0') && !fake_has_children(key))
			return str_copy(out, ZKPATH_MAX, key);
	return false;
}

void fake_del_all(const char *path)
{
	char leaf[ZKPATH_MAX];

	while (fake_leaf_below(path, leaf))
		fake_del(leaf);
}

char **fake_children(const char *path, size_t *n_children)
{
	struct map_iter it = map_iter(fake.tree);
	char **names = mem_array(map_count(fake.tree) + 1, sizeof(*names));
	const char *key;
	size_t n = strlen(path);

	*n_children = 0;
	while (map_next(&it, &key, NULL))
		if (strncmp(key, path, n) == 0 && key[n] == '/' && strchr(key + n + 1, '/') == NULL)
			names[(*n_children)++] = mem_strdup(key + n + 1);
	return names;
}

void fake_children_free(char ***names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		mem_free(&(*names)[i]);
	mem_free(names);
}

static int32_t fake_count_children(const char *path)
{
	size_t n;
	char **names = fake_children(path, &n);

	fake_children_free(&names, n);
	return (int32_t)n;
}

bool fake_serve(void)
{
	struct request *rq = fake.requests;
	struct message *m;
	struct fake_node *nd;
	bool is_denied;

	if (rq == NULL)
		return false;
	fake.requests = rq->next;
	if (fake.requests == NULL)
		fake.requests_end = &fake.requests;
	m = mem_zalloc(sizeof(*m));
	m->how = rq->how;
	m->token = rq->token;
	nd = fake_node_at(rq->path);
	is_denied = nd != NULL && rq->how != WREAD_EXISTS && map_find(fake.denied, rq->path) != NULL;
	m->rc = is_denied ? ZNODE_NO_PERMISSION : nd != NULL ? ZNODE_OK : ZNODE_ABSENT;
	if (m->rc == ZNODE_OK) {
		m->stat.czxid = nd->czxid;
		m->stat.mzxid = nd->mzxid;
		m->stat.n_children = fake_count_children(rq->path);
		if (rq->how == WREAD_GET)
			m->data = mem_strdup(nd->data);
		if (rq->how == WREAD_CHILDREN)
			m->children = fake_children(rq->path, &m->n_children);
	}
	if (!fake.once && rq->how == WREAD_EXISTS)
		map_set(fake.data_watches, rq->path, &fake_something);
	else if (!fake.once && m->rc == ZNODE_OK)
		map_set(rq->how == WREAD_GET ? fake.data_watches : fake.child_watches, rq->path, &fake_something);
	send_message(m);
	mem_free(&rq);
	return true;
}

bool fake_deliver(void)
{
	struct message *m = fake.inbox;

	if (m == NULL)
		return false;
	fake.inbox = m->next;
	if (fake.inbox == NULL)
		fake.inbox_end = &fake.inbox;
	if (m->is_firing)
		zk_watch_fired(fake.w, m->path);
	else
		zk_watch_answer(fake.w, m->token, m->how, m->rc, m->rc == ZNODE_NO_PERMISSION ? "no permission to read it" : NULL,
				m->data, m->data != NULL ? strlen(m->data) : 0, (const char *const *)m->children, m->n_children, &m->stat);
	message_free(m);
	return true;
}

void fake_settle(void)
{
	while (fake_deliver() || fake_serve())
		;
}

struct request *fake_hold_requests(void)
{
	struct request *held = fake.requests;

	fake.requests = NULL;
	fake.requests_end = &fake.requests;
	return held;
}

void fake_release_requests(struct request *held)
{
	assert_null(fake.requests);
	fake.requests = held;
	while (*fake.requests_end != NULL)
		fake.requests_end = &(*fake.requests_end)->next;
}

/* ---- what zk_watch calls ------------------------------------------------------------------ */

static bool fake_read(void *ctx, enum wread how, const char *path, struct wpath *token)
{
	static const char *const words[] = { "get", "children", "exists" };
	struct request *rq;

	assert_ptr_equal(ctx, &fake);
	if (fake.is_cut)
		return false;
	strbuf_printf(&fake.log, "%s %s\n", words[how], path);
	rq = mem_zalloc(sizeof(*rq));
	rq->how = how;
	rq->token = token;
	assert_true(str_copy(rq->path, sizeof(rq->path), path));
	*fake.requests_end = rq;
	fake.requests_end = &rq->next;
	if (zk_watch_in_flight(fake.w) > fake.max_requests)
		fake.max_requests = zk_watch_in_flight(fake.w);
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
	old = text != NULL ? map_set(fake.facts, key, text) : map_remove(fake.facts, key);
	mem_free(&old);
}

const char *fake_fact(enum event_kind kind, const char *name, int32_t id)
{
	char key[ZKPATH_MAX];
	const char *text;

	fact_key(key, kind, name, id);
	text = map_find(fake.facts, key);
	return text != NULL ? text : "unknown";
}

/* Facts of `kind` whose name is not in the list go. */
static void facts_keep(enum event_kind kind, const struct event_list *l)
{
	struct map_iter it = map_iter(fake.facts);
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
		value = map_remove(fake.facts, key);
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

char *fake_list_text(const struct event_list *l)
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
	struct map_iter it = map_iter(fake.facts);
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
		value = map_remove(fake.facts, key);
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
	} else if (ev->kind == EV_DELETE_TOPICS) {
		facts_keep(EV_MARKER, l);
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

	assert_ptr_equal(ctx, &fake);
	assert_int_equal(ev->epoch, 7);
	fake.n_loaded += ev->kind == EV_LOADED;
	fake.n_progress += ev->kind == EV_PROGRESS;
	if (ev->kind == EV_PROGRESS) {
		fake.last_done = ev->u.progress.done;
		fake.last_total = ev->u.progress.total;
		assert_true(fake.last_done <= fake.last_total);
	}
	if (ev->kind == EV_MARKER)
		fake.marker_children = ev->stat.n_children;
	if (ev->know == KNOW_UNREADABLE)
		assert_true(str_copy(fake.last_why, sizeof(fake.last_why), ev->why));
	if (ev->kind != EV_PROGRESS && ev->kind != EV_LOADED) {
		char buf[64];

		if (is_list_event(ev))
			apply_list(ev);
		if (ev->kind == EV_TOPIC)
			states_keep(ev->name, ev->know == KNOW_PRESENT ? &ev->u.topic : NULL);
		if (ev->know == KNOW_PRESENT && is_list_event(ev))
			text = fake_list_text(&ev->u.list);
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
	return (mono_ms){ fake.now_ms };
}

static wall_ms fake_wall(void *ctx)
{
	return (wall_ms){ 1700000000000 + fake.now_ms };
}

static bool fake_is_full(void *ctx)
{
	return fake.is_full;
}

static const struct zk_watch_ops ops = { fake_read, fake_emit, fake_mono, fake_wall, fake_is_full };

/* ---- setting up -------------------------------------------------------------------------------- */

void fake_begin(unsigned window, bool once)
{
	memset(&fake, 0, sizeof(fake));
	fake.tree = map_new();
	fake.data_watches = map_new();
	fake.child_watches = map_new();
	fake.denied = map_new();
	fake.facts = map_new();
	fake.requests_end = &fake.requests;
	fake.inbox_end = &fake.inbox;
	fake.now_ms = 1000;
	fake.once = once;
	strbuf_init(&fake.log);
	fake.w = zk_watch_new(&ops, &fake, 7, window, once, false);
}

void fake_finish(void)
{
	zk_watch_free(&fake.w);
	assert_null(fake.w);
	while (fake.requests != NULL) {
		struct request *rq = fake.requests;

		fake.requests = rq->next;
		mem_free(&rq);
	}
	while (fake.inbox != NULL) {
		struct message *m = fake.inbox;

		fake.inbox = m->next;
		message_free(m);
	}
	map_free(&fake.tree, free_node);
	map_free(&fake.data_watches, NULL);
	map_free(&fake.child_watches, NULL);
	map_free(&fake.denied, NULL);
	map_free(&fake.facts, free_text);
	strbuf_fini(&fake.log);
}

void fake_put_assignment(const char *topic, int first, int n)
{
	char path[ZKPATH_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, "{\"version\":1,\"partitions\":{");
	for (int i = first; i < first + n; i++)
		strbuf_printf(&sb, "%s\"%d\":[1]", i > first ? "," : "", i);
	strbuf_put(&sb, "}}");
	assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s", topic));
	fake_put(path, sb.s);
	strbuf_fini(&sb);
}

void fake_put_state(const char *topic, int p, int epoch)
{
	char path[ZKPATH_MAX], data[200];

	assert_true(str_printf(path, sizeof(path), "/brokers/topics/%s/partitions/%d/state", topic, p));
	assert_true(str_printf(data, sizeof(data), "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":%d,\"isr\":[1]}", epoch));
	fake_put(path, data);
}

void fake_put_topic(const char *topic, int n)
{
	fake_put_assignment(topic, 0, n);
	for (int p = 0; p < n; p++)
		fake_put_state(topic, p, 0);
}

void fake_put_config(const char *topic)
{
	char path[ZKPATH_MAX];

	assert_true(str_printf(path, sizeof(path), "/config/topics/%s", topic));
	fake_put(path, "{\"version\":1,\"config\":{}}");
}

void fake_put_roots(void)
{
	fake_put("/brokers/ids", "");
	fake_put("/brokers/topics", "");
	fake_put("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1\"}");
	fake_put("/controller_epoch", "1");
	fake_put("/cluster/id", "{\"version\":\"1\",\"id\":\"abc\"}");
	fake_put("/admin/delete_topics", "");
	fake_put("/config/topics", "");
	fake_put("/config/brokers", "");
	fake_put("/config/changes", "");
}

void fake_begin_with_topic(void)
{
	fake_begin(50, false);
	fake_put_roots();
	fake_put_topic("t", 2);
	fake_put_config("t");
	zk_watch_start(fake.w);
	fake_settle();
	strbuf_clear(&fake.log);
}

size_t fake_times_asked(const char *line)
{
	size_t n = 0, len = strlen(line);

	for (const char *at = fake.log.s; (at = strstr(at, line)) != NULL; at += len)
		n++;
	return n;
}

size_t fake_asked_at(const char *line)
{
	const char *at = strstr(fake.log.s, line);

	if (at == NULL)
		fail_msg("never asked: %s in\n%s", line, fake.log.s);
	return at != NULL ? (size_t)(at - fake.log.s) : 0;
}

bool fake_is_present(enum event_kind kind, const char *name, int32_t id)
{
	return str_starts(fake_fact(kind, name, id), "present");
}
