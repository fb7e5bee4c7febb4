/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the children of a list mean for the tree: names that are new get a node and are
 * read, those that are gone are dropped; and which topics are to be deleted.
 */
#include "io/zk_lists.h"

#include <string.h>

#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/zk_tree.h"

enum { EARLY_TOPICS = 60 /* read in full before the rest, until someone says what is on view */ };

static char is_pending; /* the value of each name in zk_watch.marked */

static struct map *children_of(const struct zk_watch *w, enum zkpath_kind list, enum zkpath_kind *child)
{
	switch (list) {
	case ZKPATH_TOPICS:
		*child = ZKPATH_TOPIC;
		return w->topics;
	case ZKPATH_CONFIG_TOPICS:
		*child = ZKPATH_TOPIC_CONFIG;
		return w->topic_configs;
	case ZKPATH_BROKER_IDS:
		*child = ZKPATH_BROKER;
		return w->brokers;
	case ZKPATH_CONFIG_BROKERS:
		*child = ZKPATH_BROKER_CONFIG;
		return w->broker_configs;
	case ZKPATH_DELETE_TOPICS:
		*child = ZKPATH_MARKER;
		return w->no_states ? NULL : w->markers;
	default:
		return NULL;
	}
}

/* Whether a child is one we read. The broker's id in *id, else -1. */
static bool takes_child(enum zkpath_kind kind, const char *name, int32_t *id)
{
	char path[ZKPATH_MAX];

	*id = -1;
	if (kind != ZKPATH_BROKER)
		return strlen(name) <= ZNODE_NAME_MAX && zkpath_build(path, kind, name, -1);
	if (!str_printf(path, sizeof(path), "/brokers/ids/%s", name))
		return false;
	*id = zkpath_parse(path).id;
	return zkpath_parse(path).kind == ZKPATH_BROKER;
}

static int node_cmp(const void *a, const void *b)
{
	return topic_name_cmp((*(struct wnode *const *)a)->name, (*(struct wnode *const *)b)->name);
}

static bool is_idle(const struct wpath *p)
{
	return p->queue == Q_NONE && !(p->flags & (P_READING | P_ARMED | P_FAILED));
}

/* Nodes for the names that are new, in `fresh`; others are ticked off, and read
 * again if they had gone and came back. */
static size_t tick_children(struct zk_watch *w, struct map *mp, enum zkpath_kind kind,
	const char *const *names, size_t n_names, struct wnode **fresh)
{
	size_t n = 0;

	for (size_t i = 0; i < n_names; i++) {
		const char *name = names[i];
		struct wnode *nd;
		int32_t id;

		if (!takes_child(kind, name, &id)) {
			log_put(LOG_WARN, "zk_watch", "%s named \"%.100s\" (%zu bytes) is skipped",
				zkpath_kind_name(kind), name, strlen(name));
			continue;
		}
		nd = map_find(mp, name);
		if (nd == NULL && kind == ZKPATH_MARKER && map_count(mp) >= ZK_MARKERS_MAX) {
			continue;
		} else if (nd == NULL) {
			nd = zk_tree_node_new(w, kind, name, id);
			map_set(mp, name, nd);
			fresh[n++] = nd;
		} else if (is_idle(&nd->path)) {
			zk_tree_look_again(w, &nd->path);
		}
		nd->seen = w->list_no;
	}
	return n;
}

static void drop_unticked(struct zk_watch *w, struct map *mp)
{
	struct map_iter it = map_iter(mp);
	const char *name;
	void *value;

	while (map_next(&it, &name, &value)) {
		struct wnode *nd = value;

		if (nd->seen != w->list_no) {
			map_remove(mp, nd->name);
			if (nd->path.kind == ZKPATH_TOPIC)
				zk_tree_marker_again(w, nd->name);
			zk_tree_node_drop(w, nd);
		}
	}
}

static void enter_fresh(struct zk_watch *w, enum zkpath_kind kind, struct wnode **fresh, size_t n)
{
	bool is_first = kind == ZKPATH_TOPIC && !w->had_topics;
	bool is_any_wanted = false;

	if (n > 1)
		qsort(fresh, n, sizeof(fresh[0]), node_cmp);
	for (size_t i = 0; i < n; i++) {
		struct wnode *nd = fresh[i];

		nd->is_early = is_first && i < EARLY_TOPICS;
		if (kind == ZKPATH_TOPIC || kind == ZKPATH_TOPIC_CONFIG)
			nd->is_wanted = map_find(w->want_set, nd->name) != NULL;
		if (kind == ZKPATH_TOPIC)
			nd->is_marked = map_find(w->marked, nd->name) != NULL;
		is_any_wanted = is_any_wanted || nd->is_wanted;
		zk_tree_path_enter(w, &nd->path);
	}
	if (kind == ZKPATH_TOPIC)
		w->had_topics = true;
	if (is_any_wanted)
		zk_tree_want_apply(w);
}

static void sync_children(struct zk_watch *w, enum zkpath_kind list, const char *const *names, size_t n_names)
{
	enum zkpath_kind kind;
	struct map *mp = children_of(w, list, &kind);
	struct wnode **fresh;
	size_t n;

	if (mp == NULL)
		return;
	w->list_no++;
	fresh = mem_array(n_names + 1, sizeof(*fresh));
	n = tick_children(w, mp, kind, names, n_names, fresh);
	drop_unticked(w, mp);
	enter_fresh(w, kind, fresh, n);
	mem_free(&fresh);
}

/* Which deletions are pending. A topic that no longer is, though its states
 * vanished, has them looked at again. */
static void sync_marked(struct zk_watch *w, const char *const *names, size_t n_names)
{
	struct map *old = w->marked;
	struct map_iter it = map_iter(old);
	const char *name;
	struct wnode *nd;

	w->marked = map_new();
	for (size_t i = 0; i < n_names; i++) {
		map_set(w->marked, names[i], &is_pending);
		nd = map_find(w->topics, names[i]);
		if (nd != NULL)
			nd->is_marked = true;
	}
	while (map_next(&it, &name, NULL)) {
		if (map_find(w->marked, name) != NULL)
			continue;
		nd = map_find(w->topics, name);
		if (nd != NULL) {
			nd->is_marked = false;
			zk_tree_look_again(w, &nd->path);
		}
	}
	map_free(&old, NULL);
}

void zk_lists_sync(struct zk_watch *w, enum zkpath_kind list, const char *const *names, size_t n_names)
{
	if (list == ZKPATH_DELETE_TOPICS)
		sync_marked(w, names, n_names);
	sync_children(w, list, names, n_names);
}
