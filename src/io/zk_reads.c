/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between zk_watch and the library: what zk_watch asks for goes out over a session that is free for it (zk_lanes), what
 * comes back goes to zk_watch. Everything here runs on a completion thread of the library, under the handle's `turn`.
 */
#include "io/zk_parts.h"

#include <assert.h>

#include "base/mem.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/evq.h"

enum { PATH_SIZE = ZKCONNECT_CHROOT_MAX + ZKPATH_MAX };

/* One read that is out: what the library carries for us. */
struct zk_read {
	struct zk_handle *h;
	struct zk_lane *lane;
	struct wpath *token;
	struct zk_read *next; /* among the free ones */
};

/* A read the library would not take; answered when the callback that asked is over. */
struct zk_refused {
	struct wpath *token;
	enum wread how;
	int rc;
};

/* ---- around every call into zk_watch ---- */

void zk_reads_take_want(struct zk_handle *h)
{
	struct zk *zk = h->zk;

	if (atomic_load(&zk->want_no) == h->want_seen)
		return;
	pthread_mutex_lock(&zk->want_lock);
	h->want_seen = atomic_load(&zk->want_no);
	zk_watch_want(h->watch, (const char *const *)zk->want, zk->n_want);
	pthread_mutex_unlock(&zk->want_lock);
}

static void watch_answer_failed(struct zk_handle *h, struct wpath *token, enum wread how, int rc)
{
	const char *why;
	char text[120];
	enum znode_rc zrc = zk_rc_of(h, rc, text, sizeof(text), &why);

	zk_watch_answer(h->watch, token, how, zrc, why, NULL, 0, NULL, 0, NULL);
}

/* A batch command: the owner closes the session while others are still waited for. */
static void tell_all_read(struct zk *zk)
{
	pthread_mutex_lock(&zk->lock);
	zk->is_all_read = true;
	pthread_cond_signal(&zk->changed);
	pthread_mutex_unlock(&zk->lock);
}

void zk_reads_leave(struct zk_handle *h)
{
	while (h->n_refused > 0) {
		struct zk_refused rf = h->refused[--h->n_refused];

		watch_answer_failed(h, rf.token, rf.how, rf.rc);
	}
	atomic_store_explicit(&h->zk->n_watches, zk_watch_paths(h->watch), memory_order_relaxed);
	if (!h->zk->opt.once)
		return;
	if (zk_watch_is_loaded(h->watch))
		tell_all_read(h->zk);
	else if (zk_watch_in_flight(h->watch) >= h->zk->opt.window * (1 + h->n_up))
		zk_lanes_open(h);
}

/* ---- answers ---- */

static struct znode_stat stat_of(const struct Stat *st)
{
	struct znode_stat out = { .czxid = 0 };

	if (st == NULL)
		return out;
	out.czxid = st->czxid;
	out.mzxid = st->mzxid;
	out.ctime.ms = st->ctime;
	out.mtime.ms = st->mtime;
	out.version = st->version;
	out.cversion = st->cversion;
	out.n_children = st->numChildren;
	out.ephemeral_owner = st->ephemeralOwner;
	return out;
}

/* The read is over: its token, and its place free again. */
static struct wpath *read_done(struct zk_read *rd)
{
	struct zk_handle *h = rd->h;

	rd->lane->out--;
	rd->next = h->free_reads;
	h->free_reads = rd;
	return rd->token;
}

static void take_answer(struct zk_read *rd, int rc, enum wread how, const char *value, int len,
	const struct String_vector *names, const struct Stat *st)
{
	struct zk_handle *h = rd->h;
	struct wpath *token = read_done(rd);
	bool has_data = value != NULL && len > 0; /* null data has the length -1 */
	struct znode_stat stat;

	if (!zk_answer_begins(h, rc))
		return;
	zk_reads_take_want(h);
	stat = stat_of(st);
	if (rc == ZOK)
		zk_watch_answer(h->watch, token, how, ZNODE_OK, NULL, has_data ? value : NULL, has_data ? (size_t)len : 0,
				names != NULL ? (const char *const *)names->data : NULL, names != NULL ? (size_t)names->count : 0, &stat);
	else
		watch_answer_failed(h, token, how, rc);
	zk_reads_leave(h);
}

/* An answer of any kind; data or names as `how` is, and none of them when it failed. */
static void answered(int rc, enum wread how, const char *value, int len, const struct String_vector *names,
	const struct Stat *st, const void *data)
{
	/* The library carries a const pointer for us; the read behind it is ours. */
	struct zk_read *rd = (struct zk_read *)(uintptr_t)data;
	struct zk_handle *h = rd->h;

	pthread_mutex_lock(&h->turn);
	take_answer(rd, rc, how, value, len, names, st);
	pthread_mutex_unlock(&h->turn);
}

static void on_data(int rc, const char *value, int len, const struct Stat *st, const void *data)
{
	answered(rc, WREAD_GET, value, len, NULL, st, data);
}

static void on_children(int rc, const struct String_vector *names, const struct Stat *st, const void *data)
{
	answered(rc, WREAD_CHILDREN, NULL, 0, names, st, data);
}

static void on_exists(int rc, const struct Stat *st, const void *data)
{
	answered(rc, WREAD_EXISTS, NULL, 0, NULL, st, data);
}

/* ---- what zk_watch asks for ---- */

static void refuse(struct zk_handle *h, struct wpath *token, enum wread how, int rc)
{
	if (h->n_refused == h->cap_refused) {
		h->cap_refused = h->cap_refused ? h->cap_refused * 2 : 16;
		h->refused = mem_realloc_array(h->refused, h->cap_refused, sizeof(*h->refused));
	}
	h->refused[h->n_refused++] = (struct zk_refused){ token, how, rc };
}

static int call_read(struct zk_handle *h, enum wread how, const char *path, struct zk_read *rd)
{
	watcher_fn watcher = h->zk->opt.once ? NULL : zk_on_event;
	zhandle_t *zh = rd->lane->zh;

	switch (how) {
	case WREAD_GET:
		return zoo_awget(zh, path, watcher, h, on_data, rd);
	case WREAD_CHILDREN:
		return zoo_awget_children2(zh, path, watcher, h, on_children, rd);
	case WREAD_EXISTS:
		return zoo_awexists(zh, path, watcher, h, on_exists, rd);
	}
	return ZBADARGUMENTS;
}

static bool op_read(void *ctx, enum wread how, const char *path, struct wpath *token)
{
	struct zk_handle *h = ctx;
	char full[PATH_SIZE];
	struct zk_read *rd = h->free_reads;
	int rc = ZBADARGUMENTS;

	if (h->is_dead || atomic_load(&h->is_closing))
		return false;
	assert(rd != NULL); /* as many as the window is wide */
	h->free_reads = rd->next;
	rd->token = token;
	rd->lane = zk_lanes_pick(h);
	rd->lane->out++;
	atomic_fetch_add(&h->out, 1);
	if (h->zk->opt.connect.chroot[0] == '\0')
		rc = call_read(h, how, path, rd);
	else if (str_printf(full, sizeof(full), "%s%s", h->zk->opt.connect.chroot, path))
		rc = call_read(h, how, full, rd);
	if (rc == ZOK) {
		atomic_fetch_add_explicit(&h->zk->n_reads, 1, memory_order_relaxed);
		return true;
	}
	read_done(rd);
	zk_out_minus_one(h);
	if (rc == ZBADARGUMENTS) {
		refuse(h, token, how, rc);
		return true;
	}
	zk_handle_lost(h, ZOO_CONNECTING_STATE);
	return false;
}

static void op_emit(void *ctx, struct event *ev)
{
	struct zk_handle *h = ctx;

	zk_emit(h->zk, ev);
}

static mono_ms op_mono(void *ctx)
{
	return clock_mono();
}

static wall_ms op_wall(void *ctx)
{
	return clock_wall();
}

static bool op_is_full(void *ctx)
{
	struct zk_handle *h = ctx;

	return evq_is_full(h->zk->q);
}

static const struct zk_watch_ops watch_ops = { op_read, op_emit, op_mono, op_wall, op_is_full };

void zk_reads_begin(struct zk_handle *h)
{
	struct zk *zk = h->zk;

	h->n_reads = zk->opt.window * (zk->opt.once ? 1 + ZK_LANES_MORE : 1);
	h->reads = mem_array(h->n_reads, sizeof(*h->reads));
	for (size_t i = 0; i < h->n_reads; i++) {
		h->reads[i].h = h;
		h->reads[i].next = h->free_reads;
		h->free_reads = &h->reads[i];
	}
	h->watch = zk_watch_new(&watch_ops, h, h->epoch, zk->opt.window, zk->opt.once, zk->opt.keep_raw);
	if (zk->opt.only_brokers)
		zk_watch_only_brokers(h->watch);
	if (zk->opt.no_states)
		zk_watch_no_states(h->watch);
	zk_reads_take_want(h);
	zk_watch_start(h->watch);
	zk_reads_leave(h);
}
