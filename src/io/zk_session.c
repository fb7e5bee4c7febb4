/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The completion side of a handle: the session comes up, the chroot is looked at,
 * zk_watch is fed with answers and firings, the session is lost. Everything here
 * runs on the library's completion thread, but for zk_handle_probe.
 */
#include "io/zk_parts.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/evq.h"

enum {
	PATH_SIZE = ZKCONNECT_CHROOT_MAX + ZKPATH_MAX,
	SESSION_TIMEOUT_MOST_MS = 24 * 3600 * 1000 /* no server gives one longer, whatever it was asked for */
};

/* One read that is out: what the library carries for us. */
struct zk_read {
	struct zk_handle *h;
	struct wpath *token;
	struct zk_read *next; /* among the free ones */
};

/* A read the library would not take; answered when the callback that asked is over. */
struct zk_refused {
	struct wpath *token;
	enum wread how;
	int rc;
};

/* ---- losing a session ---- */

/* Dropped, or gone for longer than the server keeps a session. */
static enum conn_loss loss_kind(const struct zk_handle *h, int state)
{
	int64_t now = zk_boot_ms(), timeout = atomic_load(&h->timeout_ms);
	int64_t silence = atomic_load(&h->silence_boot);

	if (state == ZOO_AUTH_FAILED_STATE)
		return CONN_LOSS_AUTH;
	if (state == ZOO_EXPIRED_SESSION_STATE || now - atomic_load(&h->answer_boot) > timeout ||
	    (silence != 0 && now - silence < timeout))
		return CONN_LOSS_EXPIRED;
	return CONN_LOSS_DROPPED;
}

/* Thread: zk completion. */
static void handle_lost(struct zk_handle *h, int state)
{
	struct zk *zk = h->zk;

	if (h->is_dead)
		return;
	h->is_dead = true;
	pthread_mutex_lock(&zk->lock);
	if (zk->h == h && !zk->is_lost) {
		zk->is_lost = true;
		zk->conn.loss = (uint8_t)loss_kind(h, state);
		zk->conn.state = CONN_CONNECTING;
		zk->conn.readonly_server = false;
		zk->conn.latency = -1;
		zk->conn.session_timeout = 0;
		zk->conn.session_id = 0;
		if (zk->conn.loss == CONN_LOSS_AUTH)
			zk_set_error(zk, "the server refuses our credentials");
		zk_tell_conn(zk);
		pthread_cond_signal(&zk->changed);
	}
	pthread_mutex_unlock(&zk->lock);
	log_put(LOG_WARN, "zk", "session lost (state %d)", state);
}

/* ---- an answer, of any kind ---- */

static bool is_session_gone(int rc)
{
	return rc == ZCONNECTIONLOSS || rc == ZOPERATIONTIMEOUT || rc == ZCLOSING || rc == ZSESSIONEXPIRED ||
	       rc == ZINVALIDSTATE || rc == ZSESSIONMOVED || rc == ZAUTHFAILED;
}

static void note_answer(struct zk_handle *h)
{
	int64_t now = zk_boot_ms(), before = atomic_load_explicit(&h->answer_boot, memory_order_relaxed);

	if (before != 0 && now - before > atomic_load(&h->timeout_ms))
		atomic_store(&h->silence_boot, now);
	atomic_store_explicit(&h->answer_boot, now, memory_order_relaxed);
	atomic_store_explicit(&h->answer_at, clock_mono().ms, memory_order_relaxed);
}

/* Call only when a call succeeded, or its answer came. */
static void out_minus_one(struct zk_handle *h)
{
	if (atomic_fetch_sub(&h->out, 1) == 1 && (atomic_load(&h->is_closing) || h->is_dead)) {
		pthread_mutex_lock(&h->zk->lock);
		pthread_cond_signal(&h->zk->changed);
		pthread_mutex_unlock(&h->zk->lock);
	}
}

/* False when there is nothing more to be done for this handle. */
static bool answer_begins(struct zk_handle *h, int rc)
{
	assert(h->magic == HANDLE_MAGIC);
	out_minus_one(h);
	if (h->is_dead || atomic_load(&h->is_closing))
		return false;
	if (is_session_gone(rc)) {
		handle_lost(h, rc == ZSESSIONEXPIRED ? ZOO_EXPIRED_SESSION_STATE : ZOO_CONNECTING_STATE);
		return false;
	}
	note_answer(h);
	return true;
}

static enum znode_rc znode_rc_of(const struct zk_handle *h, int rc, char *text, size_t size, const char **rc_text)
{
	*rc_text = NULL;
	if (rc == ZOK)
		return ZNODE_OK;
	if (rc == ZNONODE)
		return ZNODE_ABSENT;
	*rc_text = text;
	if (rc == ZNOAUTH) {
		/* READ is the one right that anything here asks for. */
		zk_set_text(text, size, h->zk->opt.digest == NULL ? "no permission: the right r (read) is missing; see --zk-auth" :
			    "no permission: the user of --zk-auth has no right r (read)");
		return ZNODE_NO_PERMISSION;
	}
	if (!str_printf(text, size, rc == ZBADARGUMENTS ? "a path that ZooKeeper's client does not take" :
			"ZooKeeper answers \"%s\" (%d)", zerror(rc), rc))
		text[size - 1] = '\0';
	return ZNODE_FAILED;
}

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
	out.ephemeral_owner = st->ephemeralOwner;
	return out;
}

/* ---- around every call into zk_watch ---- */

static void watch_take_want(struct zk_handle *h)
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
	enum znode_rc zrc = znode_rc_of(h, rc, text, sizeof(text), &why);

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

static void watch_leave(struct zk_handle *h)
{
	while (h->n_refused > 0) {
		struct zk_refused rf = h->refused[--h->n_refused];

		watch_answer_failed(h, rf.token, rf.how, rf.rc);
	}
	atomic_store_explicit(&h->zk->n_watches, zk_watch_paths(h->watch), memory_order_relaxed);
	if (h->zk->opt.once && zk_watch_is_loaded(h->watch))
		tell_all_read(h->zk);
}

/* The read is over: its token, and its place free again. */
static struct zk_handle *read_done(const void *data, struct wpath **token)
{
	/* The library carries a const pointer for us; the read behind it is ours. */
	struct zk_read *rd = (struct zk_read *)(uintptr_t)data;
	struct zk_handle *h = rd->h;

	*token = rd->token;
	rd->next = h->free_reads;
	h->free_reads = rd;
	return h;
}

/* An answer of any kind; data or names as `how` is, and none of them when it failed. */
static void answered(int rc, enum wread how, const char *value, int len, const struct String_vector *names,
	const struct Stat *st, const void *data)
{
	struct wpath *token;
	struct zk_handle *h = read_done(data, &token);
	bool has_data = value != NULL && len > 0; /* null data has the length -1 */
	struct znode_stat stat;

	if (!answer_begins(h, rc))
		return;
	watch_take_want(h);
	stat = stat_of(st);
	if (rc == ZOK)
		zk_watch_answer(h->watch, token, how, ZNODE_OK, NULL, has_data ? value : NULL, has_data ? (size_t)len : 0,
				names != NULL ? (const char *const *)names->data : NULL, names != NULL ? (size_t)names->count : 0, &stat);
	else
		watch_answer_failed(h, token, how, rc);
	watch_leave(h);
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

	switch (how) {
	case WREAD_GET:
		return zoo_awget(h->zh, path, watcher, h, on_data, rd);
	case WREAD_CHILDREN:
		return zoo_awget_children2(h->zh, path, watcher, h, on_children, rd);
	case WREAD_EXISTS:
		return zoo_awexists(h->zh, path, watcher, h, on_exists, rd);
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
	atomic_fetch_add(&h->out, 1);
	if (h->zk->opt.connect.chroot[0] == '\0')
		rc = call_read(h, how, path, rd);
	else if (str_printf(full, sizeof(full), "%s%s", h->zk->opt.connect.chroot, path))
		rc = call_read(h, how, full, rd);
	if (rc == ZOK) {
		atomic_fetch_add_explicit(&h->zk->n_reads, 1, memory_order_relaxed);
		return true;
	}
	rd->next = h->free_reads;
	h->free_reads = rd;
	out_minus_one(h);
	if (rc == ZBADARGUMENTS) {
		refuse(h, token, how, rc);
		return true;
	}
	handle_lost(h, ZOO_CONNECTING_STATE);
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

static void watch_begin(struct zk_handle *h)
{
	struct zk *zk = h->zk;

	h->reads = mem_array(zk->opt.window, sizeof(*h->reads));
	for (unsigned i = 0; i < zk->opt.window; i++) {
		h->reads[i].h = h;
		h->reads[i].next = h->free_reads;
		h->free_reads = &h->reads[i];
	}
	h->watch = zk_watch_new(&watch_ops, h, h->epoch, zk->opt.window, zk->opt.once, zk->opt.keep_raw);
	if (zk->opt.only_brokers)
		zk_watch_only_brokers(h->watch);
	if (zk->opt.no_states)
		zk_watch_no_states(h->watch);
	watch_take_want(h);
	zk_watch_start(h->watch);
	watch_leave(h);
}

/* ---- the root ---- */

static void root_tell(struct zk_handle *h, enum root_state state, size_t len, const char *why)
{
	const char *chroot = h->zk->opt.connect.chroot;
	struct event *ev;

	if (h->root == state && (state == ROOT_PRESENT || h->root_len == len))
		return;
	h->root = state;
	h->root_len = len;
	ev = event_new(EV_ROOT, h->epoch, clock_mono(), clock_wall());
	ev->know = state == ROOT_PRESENT ? KNOW_PRESENT : state == ROOT_ABSENT ? KNOW_ABSENT : KNOW_UNREADABLE;
	if (state == ROOT_ABSENT)
		ev->name = mem_strndup(chroot, len);
	if (state == ROOT_UNREADABLE)
		ev->why = mem_strdup(why);
	zk_emit(h->zk, ev);
	if (state == ROOT_PRESENT && h->watch == NULL)
		watch_begin(h);
}

/* The end of the next component after `at`. */
static size_t next_prefix(const char *chroot, size_t at)
{
	return at + 1 + strcspn(chroot + at + 1, "/");
}

struct root_read {
	struct zk_handle *h;
	size_t len;
};

static void root_look(struct zk_handle *h, size_t len);

static void on_root(int rc, const struct Stat *st, const void *data)
{
	struct root_read *rr = (struct root_read *)(uintptr_t)data;
	struct zk_handle *h = rr->h;
	const char *chroot = h->zk->opt.connect.chroot;
	size_t len = rr->len;
	const char *why;
	char text[120];

	mem_free(&rr);
	if (!answer_begins(h, rc))
		return;
	h->is_root_reading = false;
	if (h->is_root_dirty)
		root_look(h, next_prefix(chroot, 0));
	else if (rc == ZOK && chroot[len] == '\0')
		root_tell(h, ROOT_PRESENT, len, NULL);
	else if (rc == ZOK)
		root_look(h, next_prefix(chroot, len));
	else if (znode_rc_of(h, rc, text, sizeof(text), &why) == ZNODE_ABSENT)
		root_tell(h, ROOT_ABSENT, len, NULL);
	else
		root_tell(h, ROOT_UNREADABLE, len, why);
}

/* Looks at the first `len` bytes of the chroot, with a watch that fires when
 * the node comes or goes; from there on to the next. */
static void root_look(struct zk_handle *h, size_t len)
{
	char prefix[ZKCONNECT_CHROOT_MAX];
	struct root_read *rr;
	const char *why;
	char text[120];
	int rc;

	if (h->is_root_reading) {
		h->is_root_dirty = true;
		return;
	}
	h->is_root_dirty = false;
	if (!str_copyn(prefix, sizeof(prefix), h->zk->opt.connect.chroot, len))
		return;
	rr = mem_alloc(sizeof(*rr));
	*rr = (struct root_read){ h, len };
	atomic_fetch_add(&h->out, 1);
	rc = zoo_awexists(h->zh, prefix, h->zk->opt.once ? NULL : zk_on_event, h, on_root, rr);
	h->is_root_reading = rc == ZOK;
	if (rc == ZOK)
		return;
	mem_free(&rr);
	out_minus_one(h);
	if (rc != ZBADARGUMENTS) {
		handle_lost(h, ZOO_CONNECTING_STATE);
		return;
	}
	znode_rc_of(h, rc, text, sizeof(text), &why);
	root_tell(h, ROOT_UNREADABLE, len, why);
}

static void root_begin(struct zk_handle *h)
{
	const char *chroot = h->zk->opt.connect.chroot;

	if (chroot[0] == '\0')
		root_tell(h, ROOT_PRESENT, 0, NULL);
	else
		root_look(h, next_prefix(chroot, 0));
}

/* ---- firings and session events ---- */

/* A watch fired at the server's `path`. */
static void handle_fired(struct zk_handle *h, const char *path)
{
	const char *chroot = h->zk->opt.connect.chroot;
	size_t len = strlen(path), root = strlen(chroot);

	if (len <= root && strncmp(chroot, path, len) == 0 && (chroot[len] == '/' || chroot[len] == '\0')) {
		root_look(h, next_prefix(chroot, 0));
	} else if (h->watch != NULL && strncmp(path, chroot, root) == 0 && path[root] == '/') {
		watch_take_want(h);
		zk_watch_fired(h->watch, path + root);
		watch_leave(h);
	}
}

/* 1 + the server we are connected to; 0 when it can't be told. Under the lock. */
static size_t server_of(struct zk *zk, zhandle_t *zh)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	char text[RESOLVE_TEXT_MAX];
	const struct resolve_addr *ad;

	memset(&sa, 0, sizeof(sa));
	/* The library says NULL on a read-only server, and what zoo_get_current_server says another thread of it may be writing. */
	if (zookeeper_get_connected_host(zh, (struct sockaddr *)&sa, &len) == NULL ||
	    !resolve_text((const struct sockaddr *)&sa, text))
		return zk->tried;
	ad = resolve_find(&zk->addrs, text);
	return ad != NULL ? 1 + ad->server : 0;
}

/* A session has a number and a time-out, and a server without quorum refuses who hasn't asked for one such. */
static bool is_zookeeper(const struct zk_handle *h, zhandle_t *zh, int state)
{
	int timeout = zoo_recv_timeout(zh);

	return zoo_client_id(zh)->client_id != 0 && timeout > 0 && timeout <= SESSION_TIMEOUT_MOST_MS &&
	       (state != ZOO_READONLY_STATE || h->with_readonly);
}

static void handle_stranger(struct zk_handle *h)
{
	struct zk *zk = h->zk;

	h->is_dead = true;
	pthread_mutex_lock(&zk->lock);
	if (zk->h == h && !zk->is_lost) {
		zk->is_lost = true;
		zk->stranger = zk->tried;
		zk_set_server(zk, zk->tried);
		zk_set_error(zk, "answers, but not as ZooKeeper does");
		zk->conn.tries++;
		zk->failures++;
		zk_tell_failure(zk);
		pthread_cond_signal(&zk->changed);
	}
	pthread_mutex_unlock(&zk->lock);
	log_put(LOG_WARN, "zk", "this is no ZooKeeper");
}

/* Before the owner may probe and anything is read. Nobody waits for the answer: the server refuses only what is no digest, by ending
 * the session (CONN_LOSS_AUTH); for a wrong password there is no permission. */
static void say_who(struct zk_handle *h, zhandle_t *zh)
{
	const struct secret *digest = h->zk->opt.digest;
	int rc = digest != NULL ? zoo_add_auth(zh, "digest", secret_reveal(digest), (int)digest->n, NULL, NULL) : ZOK;

	if (rc != ZOK)
		log_put(LOG_WARN, "zk", "--zk-auth could not be sent: %s (%d)", zerror(rc), rc);
}

static void handle_up(struct zk_handle *h, zhandle_t *zh, int state)
{
	struct zk *zk = h->zk;

	h->zh = zh;
	say_who(h, zh);
	atomic_store(&h->timeout_ms, zoo_recv_timeout(zh));
	note_answer(h);
	pthread_mutex_lock(&zk->lock);
	h->is_up = true;
	zk->conn.state = CONN_UP;
	zk->conn.tries = 0;
	zk->conn.readonly_server = state == ZOO_READONLY_STATE;
	zk->conn.latency = -1;
	zk->conn.session_timeout = zoo_recv_timeout(zh);
	zk->conn.session_id = zoo_client_id(zh)->client_id;
	zk_set_server(zk, server_of(zk, zh));
	zk_set_error(zk, "");
	zk->is_taken = false;
	zk->stranger = 0;
	log_put(LOG_INFO, "zk", "session 0x%llx up at %s%s, epoch %u", (unsigned long long)zk->conn.session_id, zk->conn.server,
		zk->conn.readonly_server ? " (read-only server)" : "", h->epoch);
	zk_tell_conn(zk);
	pthread_cond_signal(&zk->changed);
	pthread_mutex_unlock(&zk->lock);
	root_begin(h);
}

void zk_on_event(zhandle_t *zh, int type, int state, const char *path, void *ctx)
{
	struct zk_handle *h = ctx;
	bool is_up = h->zh != NULL;

	assert(h->magic == HANDLE_MAGIC);
	if (h->is_dead || atomic_load(&h->is_closing))
		return;
	if (type != ZOO_SESSION_EVENT)
		handle_fired(h, path);
	else if (state != ZOO_CONNECTED_STATE && state != ZOO_READONLY_STATE)
		handle_lost(h, state);
	else if (!is_up && !is_zookeeper(h, zh, state))
		handle_stranger(h);
	else if (!is_up)
		handle_up(h, zh, state);
}

/* ---- the probe ---- */

static void on_probe(int rc, const struct Stat *st, const void *data)
{
	struct zk_handle *h = (struct zk_handle *)(uintptr_t)data;
	struct zk *zk = h->zk;

	atomic_store(&h->is_probing, false);
	if (!answer_begins(h, rc))
		return;
	pthread_mutex_lock(&zk->lock);
	if (zk->h == h && !zk->is_lost) {
		zk->conn.latency = clock_mono().ms - atomic_load(&h->probe_at);
		zk_tell_conn(zk);
	}
	pthread_mutex_unlock(&zk->lock);
	if (h->watch != NULL) {
		watch_take_want(h);
		zk_watch_tick(h->watch);
		watch_leave(h);
	}
}

void zk_handle_probe(struct zk_handle *h)
{
	if (atomic_exchange(&h->is_probing, true))
		return;
	atomic_store(&h->probe_at, clock_mono().ms);
	atomic_fetch_add(&h->out, 1);
	if (zoo_aexists(h->owners_zh, "/", 0, on_probe, h) != ZOK) {
		atomic_store(&h->is_probing, false);
		atomic_fetch_sub(&h->out, 1);
	}
}
