/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paths that are watched, and the queues in which they wait to be read.
 *
 * A path of a partition is 32 bytes in an array of its topic. Arrays never move
 * while a read of theirs is outstanding, because the address of a path is the
 * token of its read; partitions that are added get an array of their own. A topic
 * that is dropped while it is being read lives on, known only to the list of all
 * nodes, until its last answer has come.
 */
#include "io/zk_tree.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"

enum { SLOTS_SLACK = 64 };

/* ---- queues ---- */

void zk_tree_queue_remove(struct zk_watch *w, struct wpath *p)
{
	struct wqueue *q;

	if (p->queue == Q_NONE)
		return;
	q = &w->queues[p->queue];
	if (p->prev != NULL)
		p->prev->next = p->next;
	else
		q->head = p->next;
	if (p->next != NULL)
		p->next->prev = p->prev;
	else
		q->tail = p->prev;
	p->prev = p->next = NULL;
	p->queue = Q_NONE;
}

static void queue_append(struct zk_watch *w, struct wpath *p, enum queue which)
{
	struct wqueue *q = &w->queues[which];

	p->prev = q->tail;
	p->next = NULL;
	if (q->tail != NULL)
		q->tail->next = p;
	else
		q->head = p;
	q->tail = p;
	p->queue = (uint8_t)which;
}

static void queue_prepend(struct zk_watch *w, struct wpath *p, enum queue which)
{
	struct wqueue *q = &w->queues[which];

	p->next = q->head;
	p->prev = NULL;
	if (q->head != NULL)
		q->head->prev = p;
	else
		q->tail = p;
	q->head = p;
	p->queue = (uint8_t)which;
}

static enum queue queue_for(const struct wpath *p)
{
	switch ((enum zkpath_kind)p->kind) {
	case ZKPATH_TOPIC:
	case ZKPATH_STATE:
		if (p->of->is_wanted)
			return Q_WANTED;
		if (p->flags & P_READ)
			return Q_AGAIN;
		if (p->of->is_early)
			return Q_EARLY;
		return p->kind == ZKPATH_TOPIC ? Q_TOPICS : Q_STATES;
	case ZKPATH_TOPIC_CONFIG:
	case ZKPATH_BROKER_CONFIG:
		if (p->of->is_wanted)
			return Q_WANTED;
		return p->flags & P_READ ? Q_AGAIN : Q_CONFIGS;
	case ZKPATH_MARKER:
		return p->flags & P_READ ? Q_AGAIN : Q_EARLY;
	default:
		return Q_ROOTS;
	}
}

void zk_tree_look_again(struct zk_watch *w, struct wpath *p)
{
	if (p->flags & P_READING)
		p->flags |= P_DIRTY;
	else if (p->queue == Q_NONE)
		queue_append(w, p, queue_for(p));
}

struct wpath *zk_tree_next_waiting(struct zk_watch *w)
{
	for (int q = 0; q < N_QUEUES; q++)
		if (w->queues[q].head != NULL)
			return w->queues[q].head;
	return NULL;
}

/* ---- flags that are counted ---- */

void zk_tree_set_counted(struct wpath *p, uint16_t flag, size_t *count, bool on)
{
	if (on && !(p->flags & flag)) {
		p->flags |= flag;
		++*count;
	} else if (!on && (p->flags & flag)) {
		p->flags &= (uint16_t)~flag;
		--*count;
	}
}

void zk_tree_set_armed(struct zk_watch *w, struct wpath *p, bool on)
{
	zk_tree_set_counted(p, P_ARMED, &w->n_armed, on && !w->once);
}

void zk_tree_set_failed(struct zk_watch *w, struct wpath *p, bool on)
{
	zk_tree_set_counted(p, P_FAILED, &w->n_failed, on);
}

void zk_tree_path_enter(struct zk_watch *w, struct wpath *p)
{
	zk_tree_set_counted(p, P_LIVE, &w->n_known, true);
	zk_tree_look_again(w, p);
}

/* Out of the tree. If it is being read, the answer will be ignored. */
static void path_drop(struct zk_watch *w, struct wpath *p)
{
	zk_tree_queue_remove(w, p);
	zk_tree_set_armed(w, p, false);
	zk_tree_set_failed(w, p, false);
	zk_tree_set_counted(p, P_READ, &w->n_read, false);
	zk_tree_set_counted(p, P_LIVE, &w->n_known, false);
	p->flags &= P_READING;
}

/* ---- nodes ---- */

static void path_init(struct wpath *p, struct wnode *of, enum zkpath_kind kind, int32_t id)
{
	memset(p, 0, sizeof(*p));
	p->of = of;
	p->id = id;
	p->kind = (uint8_t)kind;
	p->queue = Q_NONE;
}

struct wnode *zk_tree_node_new(struct zk_watch *w, enum zkpath_kind kind, const char *name, int32_t id)
{
	struct wnode *nd = mem_zalloc(sizeof(*nd));

	path_init(&nd->path, nd, kind, id);
	if (name != NULL)
		nd->name = mem_strdup(name);
	nd->next = w->nodes;
	if (w->nodes != NULL)
		w->nodes->prev = nd;
	w->nodes = nd;
	return nd;
}

static void node_free_chunks(struct wnode *nd)
{
	struct wchunk *next;

	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = next) {
		next = ck->next;
		mem_free(&ck);
	}
	nd->chunks = NULL;
}

void zk_tree_node_free(struct zk_watch *w, struct wnode *nd)
{
	if (nd->prev != NULL)
		nd->prev->next = nd->next;
	else
		w->nodes = nd->next;
	if (nd->next != NULL)
		nd->next->prev = nd->prev;
	node_free_chunks(nd);
	mem_free(&nd->name);
	mem_free(&nd);
}

void zk_tree_drop_partitions(struct zk_watch *w, struct wnode *nd)
{
	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next)
		for (uint32_t i = 0; i < ck->n; i++)
			path_drop(w, &ck->p[i]);
}

void zk_tree_node_drop(struct zk_watch *w, struct wnode *nd)
{
	zk_tree_drop_partitions(w, nd);
	path_drop(w, &nd->path);
	nd->is_dropped = true;
	if (nd->reading == 0)
		zk_tree_node_free(w, nd);
}

/* ---- partitions of a topic ---- */

struct wpath *zk_tree_find_partition(const struct wnode *nd, int32_t id)
{
	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next) {
		uint32_t lo = 0, hi = ck->n;

		while (lo < hi) {
			uint32_t mid = lo + (hi - lo) / 2;
			if (ck->p[mid].id < id)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo < ck->n && ck->p[lo].id == id)
			return &ck->p[lo];
	}
	return NULL;
}

/* Marks the slots that the assignment names; how many partitions have none. */
static size_t mark_seen(struct wnode *nd, const struct zk_topic *tp)
{
	size_t missing = 0;

	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next)
		for (uint32_t i = 0; i < ck->n; i++)
			ck->p[i].flags &= (uint16_t)~P_SEEN;
	for (size_t i = 0; i < tp->n_parts; i++) {
		struct wpath *p = zk_tree_find_partition(nd, tp->parts[i].partition);

		if (p != NULL)
			p->flags |= P_SEEN;
		else
			missing++;
	}
	return missing;
}

/* Slots that are named live, others don't. How many slots there are. */
static size_t settle_slots(struct zk_watch *w, struct wnode *nd)
{
	size_t n = 0;

	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next) {
		n += ck->n;
		for (uint32_t i = 0; i < ck->n; i++) {
			struct wpath *p = &ck->p[i];

			if (!(p->flags & P_SEEN))
				path_drop(w, p);
			else if (!(p->flags & P_LIVE))
				zk_tree_path_enter(w, p);
		}
	}
	return n;
}

static void add_partitions(struct zk_watch *w, struct wnode *nd, const struct zk_topic *tp, size_t missing)
{
	struct wchunk *ck;

	if (missing == 0)
		return;
	ck = mem_zalloc(sizeof(*ck) + missing * sizeof(ck->p[0]));
	for (size_t i = 0; i < tp->n_parts; i++) {
		int32_t id = tp->parts[i].partition;
		bool is_twice = ck->n > 0 && ck->p[ck->n - 1].id == id;

		if (!is_twice && zk_tree_find_partition(nd, id) == NULL)
			path_init(&ck->p[ck->n++], nd, ZKPATH_STATE, id);
	}
	ck->next = nd->chunks;
	nd->chunks = ck;
	for (uint32_t i = 0; i < ck->n; i++)
		zk_tree_path_enter(w, &ck->p[i]);
}

void zk_tree_sync_partitions(struct zk_watch *w, struct wnode *nd, const struct zk_topic *tp)
{
	size_t missing, slots;

	if (w->no_states)
		return;
	missing = mark_seen(nd, tp);
	slots = settle_slots(w, nd) + missing;

	/* Ids that come and go (a topic made again and again with others) must not pile up slots. */
	if (slots > 2 * tp->n_parts + SLOTS_SLACK && nd->reading == 0) {
		zk_tree_drop_partitions(w, nd);
		node_free_chunks(nd);
		missing = tp->n_parts;
	}
	add_partitions(w, nd, tp, missing);
}

void zk_tree_marker_again(struct zk_watch *w, const char *topic)
{
	struct wnode *nd = map_find(w->markers, topic);

	if (nd != NULL)
		zk_tree_look_again(w, &nd->path);
}

/* ---- what is on view ---- */

/* If it waits: to the front of those on view. */
static void hurry(struct zk_watch *w, struct wpath *p)
{
	if (p->queue == Q_NONE)
		return;
	zk_tree_queue_remove(w, p);
	queue_prepend(w, p, Q_WANTED);
}

static void hurry_partitions(struct zk_watch *w, struct wnode *nd)
{
	for (struct wchunk *ck = nd->chunks; ck != NULL; ck = ck->next)
		for (uint32_t i = ck->n; i > 0; i--)
			hurry(w, &ck->p[i - 1]);
}

static void want_set_flags(struct zk_watch *w, bool on)
{
	for (size_t i = 0; i < w->n_want; i++) {
		struct wnode *tp = map_find(w->topics, w->want[i]);
		struct wnode *cf = map_find(w->topic_configs, w->want[i]);

		if (tp != NULL)
			tp->is_wanted = on;
		if (cf != NULL)
			cf->is_wanted = on;
	}
}

/* From the last to the first, each to the front; a topic before its states, its config last. */
void zk_tree_want_apply(struct zk_watch *w)
{
	want_set_flags(w, true);
	if (zk_tree_next_waiting(w) == NULL)
		return;
	for (size_t i = w->n_want; i > 0; i--) {
		struct wnode *tp = map_find(w->topics, w->want[i - 1]);
		struct wnode *cf = map_find(w->topic_configs, w->want[i - 1]);

		if (cf != NULL)
			hurry(w, &cf->path);
		if (tp != NULL) {
			hurry_partitions(w, tp);
			hurry(w, &tp->path);
		}
	}
}

void zk_tree_want_clear(struct zk_watch *w)
{
	want_set_flags(w, false);
	for (size_t i = 0; i < w->n_want; i++)
		mem_free(&w->want[i]);
	mem_free(&w->want);
	w->n_want = 0;
	map_clear(w->want_set, NULL);
}
