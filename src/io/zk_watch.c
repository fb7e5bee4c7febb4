/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The look-again machine.
 *
 * A path is idle, waiting in a queue, or being read; a watch that fires while
 * it is being read makes it dirty, and it is read once more. Reading arms the
 * watch, so whatever happens after the answer fires again.
 *
 * What a missing node means depends on who tells when it appears:
 *   - a child of a watched list (topic, broker, configs, markers): the list will fire, so
 *     nothing is armed at the node. A list that names a child which isn't armed
 *     has it read again: it came back.
 *   - a root: looked at with exists, whose watch fires when the node is created.
 *     Only when that finds nothing is "absent" told.
 *   - a partition's state: the same, but it is parked first and the topic looked at
 *     again: exists is asked only if the topic is still there and no deletion of
 *     it is pending. Kafka deletes a topic from below, states first; each state
 *     that vanished, or was gone before it was read, would leave a watch for good.
 */
#include "io/zk_watch.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/zk_lists.h"
#include "io/zk_tree.h"

enum {
	WATCH_MAGIC = 0x7a6b7731,
	WANT_MAX = 1000,
	NARROW_WINDOW = 100, NARROW_READS = 1000,
	PROGRESS_EVERY_MS = 100,
	RETRY_EVERY_MS = 60 * 1000, /* of what could not be read */
	SOON_MS = 3000 /* the controller takes away a marker without a topic within one; a child is often made right after its marker */
};

static const uint8_t root_kinds[] = {
	ZKPATH_CONTROLLER, ZKPATH_BROKER_IDS, ZKPATH_TOPICS, ZKPATH_CLUSTER_ID, ZKPATH_CONTROLLER_EPOCH,
	ZKPATH_DELETE_TOPICS, ZKPATH_REASSIGN, ZKPATH_CONFIG_TOPICS, ZKPATH_CONFIG_BROKERS,
	ZKPATH_FEATURE, ZKPATH_MIGRATION, ZKPATH_CONFIG_CHANGES
};

enum { N_ROOTS = sizeof(root_kinds) / sizeof(root_kinds[0]) };
_Static_assert((int)N_ROOTS == (int)ZK_ROOTS, "zk_watch.roots has a place for each");

static char in_set; /* the value of each name of a want */

/* ---- telling ---- */

/* What an answer brought. */
struct answer {
	enum znode_rc rc;
	const char *rc_text;
	const char *data;
	size_t len;
	const char *const *children;
	size_t n_children;
	const struct znode_stat *stat;
};

/* The fact of an answer, for the caller to look at and emit. */
static struct event *fact(struct zk_watch *w, const struct wpath *p, const struct answer *an)
{
	char path[ZKPATH_MAX];
	bool is_list = zkpath_is_list((enum zkpath_kind)p->kind);
	mono_ms seen = w->ops->mono(w->ctx);
	wall_ms wall = w->ops->wall(w->ctx);
	struct event *ev;
	bool ok = zkpath_build(path, (enum zkpath_kind)p->kind, p->of->name, p->id);

	assert(ok); /* it was built before, to be read */
	if (is_list)
		ev = event_from_children(path, an->rc, an->rc_text, an->children, an->n_children, an->stat, w->epoch, seen, wall);
	else
		ev = event_from_znode(path, an->rc, an->rc_text, an->data, an->len, an->stat, w->epoch, seen, wall);
	assert(ev != NULL);
	if (w->keep_raw)
		event_keep_raw(ev, path, an->rc, an->data, an->len, an->children, an->n_children);
	return ev;
}

static void settle(struct zk_watch *w, struct wpath *p)
{
	zk_tree_set_counted(p, P_READ, &w->n_read, true);
}

static void tell(struct zk_watch *w, struct wpath *p, const struct answer *an)
{
	w->ops->emit(w->ctx, fact(w, p, an));
	settle(w, p);
}

static void tell_absent(struct zk_watch *w, struct wpath *p)
{
	static const struct answer absent = { .rc = ZNODE_ABSENT };

	tell(w, p, &absent);
}

/* ---- answers ---- */

/* A watch of a get does not fire for children: whether a marker has any matters once its topic is gone. */
static bool may_get_children(const struct zk_watch *w, const struct wpath *p, const struct answer *an)
{
	return p->kind == ZKPATH_MARKER && !w->once &&
		((an->stat != NULL && an->stat->n_children > 0) || map_find(w->topics, p->of->name) == NULL);
}

static void note_soon(struct zk_watch *w, struct wpath *p, const struct answer *an)
{
	if ((p->flags & P_READ) || !may_get_children(w, p, an) || (an->stat != NULL && an->stat->n_children > 0))
		return;
	p->flags |= P_SOON;
	if (!w->has_soon)
		w->soon_at = w->ops->mono(w->ctx);
	w->has_soon = true;
}

static void park(struct zk_watch *w, struct wpath *p)
{
	p->flags |= P_PARKED;
	zk_tree_look_again(w, &p->of->path);
}

static void answer_list(struct zk_watch *w, struct wpath *p, const struct answer *an)
{
	if (an->rc == ZNODE_ABSENT && !w->once) {
		p->flags |= P_LOOK;
		zk_tree_look_again(w, p);
		return;
	}
	tell(w, p, an);
	zk_tree_set_failed(w, p, an->rc != ZNODE_OK && an->rc != ZNODE_ABSENT);
	if (an->rc != ZNODE_OK)
		return;
	zk_tree_set_armed(w, p, true);
	zk_lists_sync(w, (enum zkpath_kind)p->kind, an->children, an->n_children);
}

/* The topic was looked at again: what is to become of states that are missing.
 * While its deletion is pending they stay unwatched, for a minute at most. */
static void unpark(struct zk_watch *w, struct wnode *nd, bool is_made_anew)
{
	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next) {
		for (uint32_t i = 0; i < ck->n; i++) {
			struct wpath *p = &ck->p[i];

			if (!(p->flags & P_PARKED))
				continue;
			if (nd->is_marked && !is_made_anew) {
				tell_absent(w, p);
				zk_tree_set_failed(w, p, true);
				continue;
			}
			p->flags = (uint16_t)((p->flags | P_LOOK) & ~P_PARKED);
			zk_tree_look_again(w, p);
		}
	}
}

static void answer_present(struct zk_watch *w, struct wpath *p, const struct answer *an)
{
	struct event *ev = fact(w, p, an);
	struct wnode *nd = p->of;
	bool is_made_anew = an->stat != NULL && an->stat->czxid != nd->czxid;

	zk_tree_set_armed(w, p, true);
	zk_tree_set_failed(w, p, may_get_children(w, p, an));
	note_soon(w, p, an);
	settle(w, p);
	if (p->kind == ZKPATH_TOPIC && ev->know == KNOW_PRESENT)
		zk_tree_sync_partitions(w, nd, &ev->u.topic);
	w->ops->emit(w->ctx, ev);
	if (p->kind != ZKPATH_TOPIC)
		return;
	if (is_made_anew)
		nd->czxid = an->stat->czxid;
	unpark(w, nd, is_made_anew);
}

static void answer_missing(struct zk_watch *w, struct wpath *p)
{
	zk_tree_set_failed(w, p, false);
	if (w->once) {
		tell_absent(w, p);
		return;
	}
	switch ((enum zkpath_kind)p->kind) {
	case ZKPATH_TOPIC:
		zk_tree_drop_partitions(w, p->of);
		tell_absent(w, p);
		break;
	case ZKPATH_MARKER:
	case ZKPATH_BROKER:
	case ZKPATH_TOPIC_CONFIG:
	case ZKPATH_BROKER_CONFIG:
		tell_absent(w, p);
		break;
	case ZKPATH_STATE:
		park(w, p);
		break;
	default:
		p->flags |= P_LOOK;
		zk_tree_look_again(w, p);
	}
}

static void answer_data(struct zk_watch *w, struct wpath *p, const struct answer *an)
{
	if (an->rc == ZNODE_OK) {
		answer_present(w, p, an);
	} else if (an->rc == ZNODE_ABSENT) {
		answer_missing(w, p);
	} else {
		tell(w, p, an);
		zk_tree_set_failed(w, p, true);
		if (p->kind == ZKPATH_TOPIC)
			unpark(w, p->of, false);
	}
}

static void answer_exists(struct zk_watch *w, struct wpath *p, const struct answer *an)
{
	bool is_list = zkpath_is_list((enum zkpath_kind)p->kind);

	zk_tree_set_failed(w, p, false);
	if (an->rc == ZNODE_OK) {
		zk_tree_look_again(w, p);
	} else if (an->rc == ZNODE_ABSENT) {
		zk_tree_set_armed(w, p, true);
		tell_absent(w, p);
		if (is_list)
			zk_lists_sync(w, (enum zkpath_kind)p->kind, NULL, 0);
	} else {
		tell(w, p, an);
		zk_tree_set_failed(w, p, true);
	}
}

/* ---- the pump ---- */

static void send(struct zk_watch *w, struct wpath *p)
{
	char path[ZKPATH_MAX];
	enum wread how = WREAD_GET;
	bool ok = zkpath_build(path, (enum zkpath_kind)p->kind, p->of->name, p->id);

	assert(ok); /* names that make no path were left out */
	if (p->flags & P_LOOK)
		how = WREAD_EXISTS;
	else if (zkpath_is_list((enum zkpath_kind)p->kind))
		how = WREAD_CHILDREN;
	p->flags = (uint16_t)((p->flags | P_READING) & ~(P_LOOK | P_PARKED));
	p->of->reading++;
	w->in_flight++;
	if (!w->ops->read(w->ctx, how, path, p)) {
		p->flags &= (uint16_t)~P_READING;
		p->of->reading--;
		w->in_flight--;
		w->is_dead = true;
	}
}

/* Narrow at first: what is on view must not queue behind hundreds of reads for what is not. Nobody views what is read but once. */
static size_t width(const struct zk_watch *w)
{
	return !w->once && w->n_read < NARROW_READS && w->window > NARROW_WINDOW ? NARROW_WINDOW : w->window;
}

static void pump(struct zk_watch *w)
{
	while (!w->is_dead && w->in_flight < width(w) && !w->ops->is_full(w->ctx)) {
		struct wpath *p = zk_tree_next_waiting(w);

		if (p == NULL)
			return;
		zk_tree_queue_remove(w, p);
		send(w, p);
	}
}

static void report_progress(struct zk_watch *w)
{
	mono_ms now;
	struct event *ev;
	bool is_done = w->n_read == w->n_known;

	if (w->is_loaded)
		return;
	now = w->ops->mono(w->ctx);
	if (!is_done && mono_since(now, w->progress_at) < PROGRESS_EVERY_MS)
		return;
	w->progress_at = now;
	ev = event_new(EV_PROGRESS, w->epoch, now, w->ops->wall(w->ctx));
	ev->u.progress.done = (uint32_t)w->n_read;
	ev->u.progress.total = (uint32_t)w->n_known;
	w->ops->emit(w->ctx, ev);
	if (is_done) {
		w->is_loaded = true;
		w->ops->emit(w->ctx, event_new(EV_LOADED, w->epoch, now, w->ops->wall(w->ctx)));
	}
}

void zk_watch_answer(struct zk_watch *w, struct wpath *token, enum wread how, enum znode_rc rc, const char *rc_text,
	const char *data, size_t len, const char *const *children, size_t n_children, const struct znode_stat *stat)
{
	struct answer an = { rc, rc_text, data, len, children, n_children, stat };
	struct wnode *nd = token->of;

	assert(w->magic == WATCH_MAGIC);
	assert(token->flags & P_READING);
	token->flags &= (uint16_t)~P_READING;
	nd->reading--;
	w->in_flight--;
	if (token->flags & P_LIVE) {
		bool is_dirty = token->flags & P_DIRTY;

		token->flags &= (uint16_t)~P_DIRTY;
		if (how == WREAD_EXISTS)
			answer_exists(w, token, &an);
		else if (how == WREAD_CHILDREN)
			answer_list(w, token, &an);
		else
			answer_data(w, token, &an);
		if (is_dirty) {
			token->flags &= (uint16_t)~(P_LOOK | P_PARKED);
			zk_tree_look_again(w, token);
		}
		report_progress(w);
	} else if (nd->is_dropped && nd->reading == 0) {
		zk_tree_node_free(w, nd);
	}
	pump(w);
}

/* ---- firings, wants, time ---- */

static struct wnode *find_root(const struct zk_watch *w, enum zkpath_kind kind)
{
	for (size_t i = 0; i < N_ROOTS; i++)
		if (w->roots[i] != NULL && w->roots[i]->path.kind == kind)
			return w->roots[i];
	return NULL;
}

static struct wpath *find_path(const struct zk_watch *w, const char *path)
{
	struct zkpath zp = zkpath_parse(path);
	char name[ZNODE_NAME_MAX + 1];
	const struct map *mp = NULL;
	struct wnode *nd;

	if (zp.kind == ZKPATH_TOPIC || zp.kind == ZKPATH_STATE)
		mp = w->topics;
	else if (zp.kind == ZKPATH_TOPIC_CONFIG)
		mp = w->topic_configs;
	else if (zp.kind == ZKPATH_BROKER_CONFIG)
		mp = w->broker_configs;
	else if (zp.kind == ZKPATH_BROKER)
		mp = w->brokers;
	else if (zp.kind == ZKPATH_MARKER)
		mp = w->markers;
	if (mp == NULL) {
		nd = find_root(w, zp.kind);
		return nd != NULL ? &nd->path : NULL;
	}
	if (zp.kind == ZKPATH_BROKER ? !str_printf(name, sizeof(name), "%d", (int)zp.id) :
	    !str_copyn(name, sizeof(name), zp.name, zp.name_len))
		return NULL;
	nd = map_find(mp, name);
	if (nd == NULL)
		return NULL;
	return zp.kind == ZKPATH_STATE ? zk_tree_find_partition(nd, zp.id) : &nd->path;
}

void zk_watch_fired(struct zk_watch *w, const char *path)
{
	struct wpath *p = find_path(w, path);

	assert(w->magic == WATCH_MAGIC);
	if (p == NULL || !(p->flags & P_LIVE))
		return;
	zk_tree_set_armed(w, p, false);
	p->flags &= (uint16_t)~(P_LOOK | P_PARKED);
	zk_tree_look_again(w, p);
	pump(w);
}

void zk_watch_want(struct zk_watch *w, const char *const *topics, size_t n)
{
	assert(w->magic == WATCH_MAGIC);
	zk_tree_want_clear(w);
	if (n > WANT_MAX)
		n = WANT_MAX;
	if (n > 0)
		w->want = mem_array(n, sizeof(*w->want));
	for (size_t i = 0; i < n; i++) {
		w->want[w->n_want++] = mem_strdup(topics[i]);
		map_set(w->want_set, topics[i], &in_set);
	}
	zk_tree_want_apply(w);
	pump(w);
}

static void retry_path(struct zk_watch *w, struct wpath *p)
{
	if (p->flags & P_FAILED)
		zk_tree_look_again(w, p);
}

static void look_soon(struct zk_watch *w)
{
	struct map_iter it = map_iter(w->markers);
	void *value;

	w->has_soon = false;
	while (map_next(&it, NULL, &value)) {
		struct wnode *nd = value;

		if ((nd->path.flags & P_SOON) && map_find(w->topics, nd->name) == NULL)
			zk_tree_look_again(w, &nd->path);
		nd->path.flags &= (uint16_t)~P_SOON;
	}
}

void zk_watch_tick(struct zk_watch *w)
{
	mono_ms now = w->ops->mono(w->ctx);

	assert(w->magic == WATCH_MAGIC);
	if (w->has_soon && mono_since(now, w->soon_at) >= SOON_MS)
		look_soon(w);
	pump(w);
	if (w->n_failed == 0 || mono_since(now, w->retry_at) < RETRY_EVERY_MS)
		return;
	w->retry_at = now;
	for (struct wnode *nd = w->nodes; nd != NULL; nd = nd->next) {
		retry_path(w, &nd->path);
		for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next)
			for (uint32_t i = 0; i < ck->n; i++)
				retry_path(w, &ck->p[i]);
	}
	pump(w);
}

/* ---- birth and end ---- */

struct zk_watch *zk_watch_new(const struct zk_watch_ops *ops, void *ctx, uint32_t epoch, unsigned window, bool once, bool keep_raw)
{
	struct zk_watch *w = mem_zalloc(sizeof(*w));

	assert(window > 0);
	w->magic = WATCH_MAGIC;
	w->ops = ops;
	w->ctx = ctx;
	w->epoch = epoch;
	w->window = window;
	w->once = once;
	w->keep_raw = keep_raw;
	w->topics = map_new();
	w->topic_configs = map_new();
	w->brokers = map_new();
	w->broker_configs = map_new();
	w->markers = map_new();
	w->marked = map_new();
	w->want_set = map_new();
	return w;
}

void zk_watch_free(struct zk_watch **pp)
{
	struct zk_watch *w = *pp;

	if (w == NULL)
		return;
	assert(w->magic == WATCH_MAGIC);
	zk_tree_want_clear(w);
	while (w->nodes != NULL)
		zk_tree_node_free(w, w->nodes);
	map_free(&w->topics, NULL);
	map_free(&w->topic_configs, NULL);
	map_free(&w->brokers, NULL);
	map_free(&w->broker_configs, NULL);
	map_free(&w->markers, NULL);
	map_free(&w->marked, NULL);
	map_free(&w->want_set, NULL);
	w->magic = 0;
	mem_free(pp);
}

void zk_watch_only_brokers(struct zk_watch *w)
{
	assert(!w->is_started);
	w->only_brokers = true;
}

void zk_watch_no_states(struct zk_watch *w)
{
	assert(!w->is_started);
	w->no_states = true;
}

static bool is_wanted_root(const struct zk_watch *w, enum zkpath_kind kind)
{
	/* A hint at what is to come is of no use to who does not stay. */
	if (w->once && kind == ZKPATH_CONFIG_CHANGES)
		return false;
	if (w->no_states && (kind == ZKPATH_CONFIG_TOPICS || kind == ZKPATH_CONFIG_BROKERS || kind == ZKPATH_CONFIG_CHANGES))
		return false;
	return !w->only_brokers || kind == ZKPATH_BROKER_IDS || kind == ZKPATH_CLUSTER_ID;
}

void zk_watch_widen(struct zk_watch *w, unsigned more)
{
	w->window += more;
	pump(w);
}

void zk_watch_start(struct zk_watch *w)
{
	assert(w->magic == WATCH_MAGIC && !w->is_started);
	w->is_started = true;
	w->progress_at = w->retry_at = w->ops->mono(w->ctx);
	for (size_t i = 0; i < N_ROOTS; i++) {
		if (!is_wanted_root(w, (enum zkpath_kind)root_kinds[i]))
			continue;
		w->roots[i] = zk_tree_node_new(w, (enum zkpath_kind)root_kinds[i], NULL, -1);
		zk_tree_path_enter(w, &w->roots[i]->path);
	}
	pump(w);
}

size_t zk_watch_in_flight(const struct zk_watch *w)
{
	return w->in_flight;
}

size_t zk_watch_paths(const struct zk_watch *w)
{
	return w->n_armed;
}

bool zk_watch_is_loaded(const struct zk_watch *w)
{
	return w->is_loaded;
}
