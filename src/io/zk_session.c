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
	SESSION_TIMEOUT_MOST_MS = 24 * 3600 * 1000 /* no server gives one longer, whatever it was asked for */
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
void zk_handle_lost(struct zk_handle *h, int state)
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

bool zk_is_session_gone(int rc)
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
void zk_out_minus_one(struct zk_handle *h)
{
	if (atomic_fetch_sub(&h->out, 1) == 1 && (atomic_load(&h->is_closing) || h->is_dead)) {
		pthread_mutex_lock(&h->zk->lock);
		pthread_cond_signal(&h->zk->changed);
		pthread_mutex_unlock(&h->zk->lock);
	}
}

/* False when there is nothing more to be done for this handle. */
bool zk_answer_begins(struct zk_handle *h, int rc)
{
	assert(h->magic == HANDLE_MAGIC);
	zk_out_minus_one(h);
	if (h->is_dead || atomic_load(&h->is_closing))
		return false;
	if (zk_is_session_gone(rc)) {
		zk_handle_lost(h, rc == ZSESSIONEXPIRED ? ZOO_EXPIRED_SESSION_STATE : ZOO_CONNECTING_STATE);
		return false;
	}
	note_answer(h);
	return true;
}

enum znode_rc zk_rc_of(const struct zk_handle *h, int rc, char *text, size_t size, const char **rc_text)
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
		zk_reads_begin(h);
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

static void root_answered(struct zk_handle *h, int rc, size_t len)
{
	const char *chroot = h->zk->opt.connect.chroot;
	const char *why;
	char text[120];

	if (!zk_answer_begins(h, rc))
		return;
	h->is_root_reading = false;
	if (h->is_root_dirty)
		root_look(h, next_prefix(chroot, 0));
	else if (rc == ZOK && chroot[len] == '\0')
		root_tell(h, ROOT_PRESENT, len, NULL);
	else if (rc == ZOK)
		root_look(h, next_prefix(chroot, len));
	else if (zk_rc_of(h, rc, text, sizeof(text), &why) == ZNODE_ABSENT)
		root_tell(h, ROOT_ABSENT, len, NULL);
	else
		root_tell(h, ROOT_UNREADABLE, len, why);
}

static void on_root(int rc, const struct Stat *st, const void *data)
{
	struct root_read *rr = (struct root_read *)(uintptr_t)data;
	struct zk_handle *h = rr->h;

	pthread_mutex_lock(&h->turn);
	root_answered(h, rc, rr->len);
	pthread_mutex_unlock(&h->turn);
	mem_free(&rr);
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
	zk_out_minus_one(h);
	if (rc != ZBADARGUMENTS) {
		zk_handle_lost(h, ZOO_CONNECTING_STATE);
		return;
	}
	zk_rc_of(h, rc, text, sizeof(text), &why);
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
		zk_reads_take_want(h);
		zk_watch_fired(h->watch, path + root);
		zk_reads_leave(h);
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
void zk_say_who(struct zk_handle *h, zhandle_t *zh)
{
	const struct secret *digest = h->zk->opt.digest;
	int rc = digest != NULL ? zoo_add_auth(zh, "digest", secret_reveal(digest), (int)digest->n, NULL, NULL) : ZOK;

	if (rc != ZOK)
		log_put(LOG_WARN, "zk", "--zk-auth could not be sent: %s (%d)", zerror(rc), rc);
}

static void handle_up(struct zk_handle *h, zhandle_t *zh, int state)
{
	struct zk *zk = h->zk;

	h->zh = h->lanes[0].zh = zh;
	zk_say_who(h, zh);
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

static void take_event(struct zk_handle *h, zhandle_t *zh, int type, int state, const char *path)
{
	bool is_up = h->zh != NULL;

	if (h->is_dead || atomic_load(&h->is_closing))
		return;
	if (type != ZOO_SESSION_EVENT)
		handle_fired(h, path);
	else if (state != ZOO_CONNECTED_STATE && state != ZOO_READONLY_STATE)
		zk_handle_lost(h, state);
	else if (!is_up && !is_zookeeper(h, zh, state))
		handle_stranger(h);
	else if (!is_up)
		handle_up(h, zh, state);
}

void zk_on_event(zhandle_t *zh, int type, int state, const char *path, void *ctx)
{
	struct zk_handle *h = ctx;

	assert(h->magic == HANDLE_MAGIC);
	pthread_mutex_lock(&h->turn);
	take_event(h, zh, type, state, path);
	pthread_mutex_unlock(&h->turn);
}

/* ---- the probe ---- */

static void probe_answered(struct zk_handle *h, int rc)
{
	struct zk *zk = h->zk;

	atomic_store(&h->is_probing, false);
	if (!zk_answer_begins(h, rc))
		return;
	pthread_mutex_lock(&zk->lock);
	if (zk->h == h && !zk->is_lost) {
		zk->conn.latency = clock_mono().ms - atomic_load(&h->probe_at);
		zk_tell_conn(zk);
	}
	pthread_mutex_unlock(&zk->lock);
	if (h->watch != NULL) {
		zk_reads_take_want(h);
		zk_watch_tick(h->watch);
		zk_reads_leave(h);
	}
}

static void on_probe(int rc, const struct Stat *st, const void *data)
{
	struct zk_handle *h = (struct zk_handle *)(uintptr_t)data;

	pthread_mutex_lock(&h->turn);
	probe_answered(h, rc);
	pthread_mutex_unlock(&h->turn);
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
