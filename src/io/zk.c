/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session, in the order in which things happen. [owner] is our thread,
 * [io] and [completion] are the library's, [ui] is the caller.
 *
 *   [ui] zk_new starts the owner.
 *   [owner] resolves the names, opens a handle, waits.
 *   [io] connects; each failure comes to the log callback, the only place
 *     where the library says which server refused and why.
 *   [completion] the session watcher says "connected": epoch begins; looks at
 *     the chroot, node by node; starts zk_watch; from then on answers and
 *     firings, each leading to the next reads.
 *   [owner] asks for something small every two seconds, for the latency and
 *     to have a last answer.
 *   [completion] the session watcher says "connecting" or "expired": the handle
 *     is dead for us, whatever the library does with it; owner is told.
 *   [owner] closes the handle (joining its threads), frees what hung on it,
 *     opens the next one with the next epoch.
 *
 * Why a handle is not kept over a lost connection: the library would send all
 * watches in one packet, which for 50,000 partitions is over the server's limit.
 *
 * What we know of the C client 3.8 and rely on (from its source, and tried):
 *   - All watches carry the same function and context. On a session event it
 *     gathers the distinct ones by comparing each with each: a context per path
 *     would make that quadratic.
 *   - zookeeper_interest resolves the host list again on every turn of its loop
 *     unless zoo_set_servers_resolution_delay says -1; we do the resolving.
 *   - Its host list wants IPv6 addresses without brackets: it splits at the last colon.
 *   - A packet from the server may be as large as it likes (one calloc of its
 *     length; jute.maxbuffer is not looked at), but only a whole packet counts as
 *     an answer: a list of names that takes over two thirds of the session
 *     time-out to arrive is a time-out.
 *   - zookeeper_close leaks the completions that its completion thread has not
 *     run; so the handle is given a moment to run dry before.
 *   - On a read-only server it looks for a normal one by itself with the four
 *     letter word "isro", which most servers do not allow; then only the
 *     server's own return to the quorum, which drops us, ends that state.
 */
#include "io/zk.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <zookeeper/zookeeper.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/resolve.h"
#include "io/zk_watch.h"

enum {
	ZK_MAGIC = 0x7a6b3031,
	HANDLE_MAGIC = 0x7a6b6831,
	SESSION_TIMEOUT_MS = 10 * 1000,
	WINDOW_DEFAULT = 500,
	PROBE_EVERY_MS = 2000,
	TELL_FAILURE_EVERY_MS = 500,  /* of attempts to connect */
	BACKOFF_FIRST_MS = 500, BACKOFF_MAX_MS = 5000,
	BACKOFF_RESET_MS = 10 * 1000, /* a session that lived so long was a good one */
	SLICE_MIN_MS = 1500,          /* for one silent server among several */
	ATTEMPT_MIN_MS = 200,
	DRAIN_MS = 500,
	FREE_WAIT_MS = 2000,
	PATH_SIZE = ZKCONNECT_CHROOT_MAX + ZKPATH_MAX
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

enum root_state { ROOT_UNKNOWN, ROOT_ABSENT, ROOT_PRESENT, ROOT_UNREADABLE };

/* All that hangs on one library handle. Freed by the owner when the handle's threads are joined. */
struct zk_handle {
	uint32_t magic;
	struct zk *zk;
	uint32_t epoch;
	bool with_readonly;
	char *hosts;            /* as given to the library */

	zhandle_t *owners_zh;   /* owner */
	bool is_up;             /* under zk->lock */
	atomic_bool is_closing; /* set by the owner: ask for nothing more */
	atomic_bool is_probing;
	atomic_llong probe_at;
	atomic_size_t out;      /* calls that the library owes an answer to */
	atomic_llong answer_at, answer_boot; /* monotonic; the clock that runs on in suspend */
	atomic_llong silence_boot;           /* when an answer came after a silence longer than the session time-out */
	atomic_int timeout_ms;  /* negotiated */

	/* completion thread */
	zhandle_t *zh;
	bool is_dead;
	struct zk_watch *watch; /* NULL until the root is there */
	struct zk_read *reads, *free_reads;
	struct zk_refused *refused;
	size_t n_refused, cap_refused;
	unsigned want_seen;

	/* completion thread: the chroot */
	enum root_state root;
	size_t root_len;        /* bytes of the prefix being looked at, or told missing */
	bool is_root_reading, is_root_dirty;
};

struct zk {
	uint32_t magic;
	struct zk_options opt;
	pthread_t owner;
	atomic_bool stop;
	struct zk *next_registered;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* under the lock */
	struct zk_handle *h;    /* the one in use */
	bool is_lost;           /* h is to be replaced */
	bool is_owner_done, is_abandoned;
	struct conn_info conn;
	uint32_t epoch;
	mono_ms told_at;        /* last EV_CONN */
	bool is_untold;
	char unresolved[160];
	struct resolve_result addrs;
	unsigned failures;      /* of the attempt under way */

	pthread_mutex_t out_lock; /* guards q */
	struct evq *q;          /* NULL when nobody listens any more */

	pthread_mutex_t want_lock;
	char **want;
	size_t n_want;
	atomic_uint want_no;

	atomic_size_t n_watches;
	atomic_ullong n_reads;
};

/* The log callback has no context: it looks here. */
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct zk *registry;

/* ---- small things ------------------------------------------------------------------- */

static int64_t boot_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static struct timespec timespec_of(int64_t ms)
{
	return (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
}

/* Takes `ev`. */
static void zk_emit(struct zk *zk, struct event *ev)
{
	pthread_mutex_lock(&zk->out_lock);
	if (zk->q != NULL)
		evq_push(zk->q, ev);
	else
		event_free(&ev);
	pthread_mutex_unlock(&zk->out_lock);
}

/* Tells the state of the connection as it is now. Under the lock, so that states come out in their order. */
static void tell_conn(struct zk *zk)
{
	mono_ms now = clock_mono();

	if (zk->h != NULL)
		zk->conn.last_answer.ms = atomic_load(&zk->h->answer_at) > zk->conn.last_answer.ms ?
			atomic_load(&zk->h->answer_at) : zk->conn.last_answer.ms;
	zk->told_at = now;
	zk->is_untold = false;
	zk_emit(zk, event_conn(zk->epoch, now, clock_wall(), &zk->conn));
}

/* The same for failures, of which there may be many: at most two a second. */
static void tell_failure(struct zk *zk)
{
	if (mono_since(clock_mono(), zk->told_at) >= TELL_FAILURE_EVERY_MS) {
		tell_conn(zk);
		return;
	}
	if (!zk->is_untold) {
		zk->is_untold = true;
		pthread_cond_signal(&zk->changed);
	}
}

static void set_text(char *out, size_t size, const char *s)
{
	if (!str_copy(out, size, s))
		log_put(LOG_DEBUG, "zk", "cut: %s", s);
}

static void set_error(struct zk *zk, const char *text)
{
	set_text(zk->conn.error, sizeof(zk->conn.error), text);
}

static void set_server(struct zk *zk, const struct resolve_addr *ad)
{
	if (ad != NULL)
		zkserver_text(&zk->opt.connect.servers[ad->server], zk->conn.server, sizeof(zk->conn.server));
}

/* ---- the library's log ------------------------------------------------------------------- */

/* "2026-01-02 03:04:05,678:123(0x7f..):ZOO_ERROR@func@12: text" */
static enum log_level log_line_level(const char *line, const char **text)
{
	static const struct { const char *word; enum log_level level; } levels[] = {
		{ ":ZOO_ERROR@", LOG_WARN }, { ":ZOO_WARN@", LOG_INFO }, { ":ZOO_INFO@", LOG_INFO }, { ":ZOO_DEBUG@", LOG_DEBUG }
	};

	*text = line;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		const char *at = strstr(line, levels[i].word);

		if (at == NULL)
			continue;
		at = strstr(at, ": ");
		if (at != NULL)
			*text = at + 2;
		return levels[i].level;
	}
	return LOG_INFO;
}

/* "Socket 127.0.0.1:2181 zk retcode=-4, errno=111(Connection refused): ..."; some
 * releases put the address in brackets. */
static bool log_line_failure(const char *text, char addr[RESOLVE_TEXT_MAX], int *errnum)
{
	const char *begin = strstr(text, "Socket "), *end = strstr(text, " zk retcode="), *at;
	size_t n;

	if (begin == NULL || end == NULL || end < begin + 7)
		return false;
	begin += 7;
	n = (size_t)(end - begin);
	if (n > 2 && begin[0] == '[' && begin[n - 1] == ']') {
		begin++;
		n -= 2;
	}
	if (!str_copyn(addr, RESOLVE_TEXT_MAX, begin, n))
		return false;
	at = strstr(end, "errno=");
	*errnum = at != NULL ? (int)strtol(at + 6, NULL, 10) : 0;
	return true;
}

static const char *failure_text(int errnum, char *buf, size_t size)
{
	switch (errnum) {
	case ECONNREFUSED:
		return "refused";
	case ETIMEDOUT:
		return "no answer";
	case EHOSTDOWN: /* what the library makes of an end of file */
		return "closed by the server";
	case ECONNRESET:
	case EPIPE:
		return "reset by the server";
	case EHOSTUNREACH:
		return "no route to the host";
	case ENETUNREACH:
		return "network unreachable";
	default:
		return strerror_r(errnum, buf, size);
	}
}

static void on_failure(struct zk *zk, const char *addr, int errnum)
{
	const struct resolve_addr *ad;
	char buf[80];

	pthread_mutex_lock(&zk->lock);
	ad = resolve_find(&zk->addrs, addr);
	if (ad != NULL && zk->h != NULL && !zk->is_lost) {
		set_error(zk, failure_text(errnum, buf, sizeof(buf)));
		if (zk->conn.state == CONN_CONNECTING) {
			set_server(zk, ad);
			zk->conn.tries++;
			zk->failures++;
			if (zk->h->with_readonly || zk->opt.allow_readonly_server)
				pthread_cond_signal(&zk->changed);
			tell_failure(zk);
		}
	}
	pthread_mutex_unlock(&zk->lock);
}

/* Thread: any of the library's, or who calls it. */
static void on_log(const char *line)
{
	char addr[RESOLVE_TEXT_MAX];
	const char *text;
	enum log_level level = log_line_level(line, &text);
	int errnum;

	log_put(level, "zookeeper", "%s", text);
	if (!log_line_failure(text, addr, &errnum))
		return;
	pthread_mutex_lock(&registry_lock);
	for (struct zk *zk = registry; zk != NULL; zk = zk->next_registered)
		on_failure(zk, addr, errnum);
	pthread_mutex_unlock(&registry_lock);
}

static void zk_register(struct zk *zk)
{
	pthread_mutex_lock(&registry_lock);
	zk->next_registered = registry;
	registry = zk;
	pthread_mutex_unlock(&registry_lock);
}

static void zk_unregister(struct zk *zk)
{
	pthread_mutex_lock(&registry_lock);
	for (struct zk **at = &registry; *at != NULL; at = &(*at)->next_registered)
		if (*at == zk) {
			*at = zk->next_registered;
			break;
		}
	pthread_mutex_unlock(&registry_lock);
}

/* ---- losing a session ------------------------------------------------------------------------ */

/* Dropped, or gone for longer than the server keeps a session. */
static enum conn_loss loss_kind(const struct zk_handle *h, int state)
{
	int64_t now = boot_ms(), timeout = atomic_load(&h->timeout_ms);
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
			set_error(zk, "the server refuses our credentials");
		tell_conn(zk);
		pthread_cond_signal(&zk->changed);
	}
	pthread_mutex_unlock(&zk->lock);
	log_put(LOG_WARN, "zk", "session lost (state %d)", state);
}

/* ---- an answer, of any kind -------------------------------------------------------------------- */

static bool is_session_gone(int rc)
{
	return rc == ZCONNECTIONLOSS || rc == ZOPERATIONTIMEOUT || rc == ZCLOSING || rc == ZSESSIONEXPIRED ||
	       rc == ZINVALIDSTATE || rc == ZSESSIONMOVED || rc == ZAUTHFAILED;
}

static void note_answer(struct zk_handle *h)
{
	int64_t now = boot_ms(), before = atomic_load_explicit(&h->answer_boot, memory_order_relaxed);

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

static enum znode_rc znode_rc_of(int rc, char *text, size_t size, const char **rc_text)
{
	*rc_text = NULL;
	if (rc == ZOK)
		return ZNODE_OK;
	if (rc == ZNONODE)
		return ZNODE_ABSENT;
	*rc_text = text;
	if (rc == ZNOAUTH) {
		set_text(text, size, "no permission to read it");
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

/* ---- around every call into zk_watch ---------------------------------------------------------------- */

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
	enum znode_rc zrc = znode_rc_of(rc, text, sizeof(text), &why);

	zk_watch_answer(h->watch, token, how, zrc, why, NULL, 0, NULL, 0, NULL);
}

static void watch_leave(struct zk_handle *h)
{
	while (h->n_refused > 0) {
		struct zk_refused rf = h->refused[--h->n_refused];

		watch_answer_failed(h, rf.token, rf.how, rf.rc);
	}
	atomic_store_explicit(&h->zk->n_watches, zk_watch_paths(h->watch), memory_order_relaxed);
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

static void on_data(int rc, const char *value, int len, const struct Stat *st, const void *data)
{
	struct wpath *token;
	struct zk_handle *h = read_done(data, &token);
	struct znode_stat stat;

	if (!answer_begins(h, rc))
		return;
	watch_take_want(h);
	stat = stat_of(st);
	if (rc == ZOK)
		zk_watch_answer(h->watch, token, WREAD_GET, ZNODE_OK, NULL, len > 0 ? value : NULL, len > 0 ? (size_t)len : 0,
				NULL, 0, &stat);
	else
		watch_answer_failed(h, token, WREAD_GET, rc);
	watch_leave(h);
}

static void on_children(int rc, const struct String_vector *names, const struct Stat *st, const void *data)
{
	struct wpath *token;
	struct zk_handle *h = read_done(data, &token);
	struct znode_stat stat;

	if (!answer_begins(h, rc))
		return;
	watch_take_want(h);
	stat = stat_of(st);
	if (rc == ZOK)
		zk_watch_answer(h->watch, token, WREAD_CHILDREN, ZNODE_OK, NULL, NULL, 0,
				(const char *const *)names->data, (size_t)names->count, &stat);
	else
		watch_answer_failed(h, token, WREAD_CHILDREN, rc);
	watch_leave(h);
}

static void on_exists(int rc, const struct Stat *st, const void *data)
{
	struct wpath *token;
	struct zk_handle *h = read_done(data, &token);
	struct znode_stat stat;

	if (!answer_begins(h, rc))
		return;
	watch_take_want(h);
	stat = stat_of(st);
	if (rc == ZOK)
		zk_watch_answer(h->watch, token, WREAD_EXISTS, ZNODE_OK, NULL, NULL, 0, NULL, 0, &stat);
	else
		watch_answer_failed(h, token, WREAD_EXISTS, rc);
	watch_leave(h);
}

static void on_event(zhandle_t *zh, int type, int state, const char *path, void *ctx);

/* ---- what zk_watch asks for ----------------------------------------------------------------------------- */

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
	watcher_fn watcher = h->zk->opt.once ? NULL : on_event;

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

static const struct zk_watch_ops watch_ops = { op_read, op_emit, op_mono, op_wall };

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
	watch_take_want(h);
	zk_watch_start(h->watch);
	watch_leave(h);
}

/* ---- the root ------------------------------------------------------------------------------------------------ */

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
	else if (znode_rc_of(rc, text, sizeof(text), &why) == ZNODE_ABSENT)
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
	rc = zoo_awexists(h->zh, prefix, h->zk->opt.once ? NULL : on_event, h, on_root, rr);
	h->is_root_reading = rc == ZOK;
	if (rc == ZOK)
		return;
	mem_free(&rr);
	out_minus_one(h);
	if (rc != ZBADARGUMENTS) {
		handle_lost(h, ZOO_CONNECTING_STATE);
		return;
	}
	znode_rc_of(rc, text, sizeof(text), &why);
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

/* ---- firings and session events ------------------------------------------------------------------------------------ */

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

/* The server we are connected to, as given. Under the lock. */
static void name_server(struct zk *zk, zhandle_t *zh)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	char text[RESOLVE_TEXT_MAX];
	const char *s = text;

	memset(&sa, 0, sizeof(sa));
	/* The library says NULL on a read-only server. */
	if (zookeeper_get_connected_host(zh, (struct sockaddr *)&sa, &len) == NULL ||
	    !resolve_text((const struct sockaddr *)&sa, text))
		s = zoo_get_current_server(zh);
	set_server(zk, resolve_find(&zk->addrs, s));
}

static void handle_up(struct zk_handle *h, zhandle_t *zh, int state)
{
	struct zk *zk = h->zk;

	h->zh = zh;
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
	name_server(zk, zh);
	set_error(zk, "");
	log_put(LOG_INFO, "zk", "session 0x%llx up at %s%s, epoch %u", (unsigned long long)zk->conn.session_id, zk->conn.server,
		zk->conn.readonly_server ? " (read-only server)" : "", h->epoch);
	tell_conn(zk);
	pthread_cond_signal(&zk->changed);
	pthread_mutex_unlock(&zk->lock);
	root_begin(h);
}

/* Thread: zk completion. */
static void on_event(zhandle_t *zh, int type, int state, const char *path, void *ctx)
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
	else if (!is_up)
		handle_up(h, zh, state);
}

/* ---- owner: the probe ---------------------------------------------------------------------------------------------- */

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
		tell_conn(zk);
	}
	pthread_mutex_unlock(&zk->lock);
	if (h->watch != NULL) {
		watch_take_want(h);
		zk_watch_tick(h->watch);
		watch_leave(h);
	}
}

/* Thread: owner. */
static void handle_probe(struct zk_handle *h)
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

/* ---- owner: handles --------------------------------------------------------------------------------------------------- */

/* Without brackets round IPv6, as the library wants it; a scope stays. Begins with the address of number `first`. */
static char *host_list(const struct resolve_result *addrs, unsigned first)
{
	struct strbuf sb;
	char *out;

	strbuf_init(&sb);
	for (size_t i = 0; i < addrs->n; i++) {
		const struct resolve_addr *ad = &addrs->v[(first + i) % addrs->n];
		char host[NI_MAXHOST], port[NI_MAXSERV];

		if (getnameinfo((const struct sockaddr *)&ad->sa, sizeof(ad->sa), host, sizeof(host), port, sizeof(port),
				NI_NUMERICHOST | NI_NUMERICSERV) == 0)
			strbuf_printf(&sb, "%s%s:%s", sb.len > 0 ? "," : "", host, port);
	}
	out = strbuf_take(&sb);
	strbuf_fini(&sb);
	return out;
}

/* NULL when the library fails; conn.error says why. */
static struct zk_handle *handle_open(struct zk *zk, unsigned attempt, bool with_readonly)
{
	struct zk_handle *h = mem_zalloc(sizeof(*h));
	int flags = ZOO_NO_LOG_CLIENTENV | (with_readonly ? ZOO_READONLY : 0), errnum;

	h->magic = HANDLE_MAGIC;
	h->zk = zk;
	h->with_readonly = with_readonly;
	pthread_mutex_lock(&zk->lock);
	h->epoch = zk->epoch;
	h->hosts = host_list(&zk->addrs, attempt);
	zk->h = h;
	zk->is_lost = false;
	zk->failures = 0;
	pthread_mutex_unlock(&zk->lock);
	h->owners_zh = zookeeper_init2(h->hosts, on_event, (int)zk->opt.session_timeout, NULL, h, flags, on_log);
	if (h->owners_zh != NULL) {
		zoo_set_servers_resolution_delay(h->owners_zh, -1);
		return h;
	}
	errnum = errno;
	pthread_mutex_lock(&zk->lock);
	zk->h = NULL;
	if (!str_printf(zk->conn.error, sizeof(zk->conn.error), "ZooKeeper's client does not start: %s", strerror(errnum)))
		zk->conn.error[sizeof(zk->conn.error) - 1] = '\0';
	zk->conn.tries++;
	tell_failure(zk);
	pthread_mutex_unlock(&zk->lock);
	mem_free(&h->hosts);
	mem_free(&h);
	return NULL;
}

/* Until the library owes us no answer, or it takes too long. */
static void handle_drain(struct zk *zk, struct zk_handle *h)
{
	struct timespec until = timespec_of(clock_mono().ms + DRAIN_MS);

	pthread_mutex_lock(&zk->lock);
	while (atomic_load(&h->out) > 0)
		if (pthread_cond_timedwait(&zk->changed, &zk->lock, &until) == ETIMEDOUT)
			break;
	pthread_mutex_unlock(&zk->lock);
}

static void handle_close(struct zk *zk, struct zk_handle *h)
{
	atomic_store(&h->is_closing, true);
	handle_drain(zk, h);
	zookeeper_close(h->owners_zh); /* joins the library's threads: h is ours alone from here */
	pthread_mutex_lock(&zk->lock);
	if (atomic_load(&h->answer_at) > zk->conn.last_answer.ms)
		zk->conn.last_answer.ms = atomic_load(&h->answer_at);
	zk->h = NULL;
	pthread_mutex_unlock(&zk->lock);
	zk_watch_free(&h->watch);
	mem_free(&h->reads);
	mem_free(&h->refused);
	mem_free(&h->hosts);
	h->magic = 0;
	mem_free(&h);
}

/* ---- owner: names ---------------------------------------------------------------------------------------------------------- */

/* "zk8.example, zk9.example: name does not resolve" */
static void note_unresolved(struct zk *zk, const struct resolve_result *res)
{
	const struct zkconnect *zc = &zk->opt.connect;
	const char *why = NULL;
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < zc->n_servers; i++) {
		if (res->why[i] == NULL)
			continue;
		why = res->why[i];
		strbuf_printf(&sb, "%s%s", sb.len > 0 ? ", " : "", zc->servers[i].host);
		log_put(LOG_WARN, "zk", "%s: %s", zc->servers[i].host, why);
	}
	if (why != NULL)
		strbuf_printf(&sb, ": %s", why);
	set_text(zk->unresolved, sizeof(zk->unresolved), sb.s);
	strbuf_fini(&sb);
}

/* False when no server has an address. */
static bool resolve(struct zk *zk)
{
	const struct zkconnect *zc = &zk->opt.connect;
	struct resolve_result res, old;
	bool ok;

	resolve_servers(zc->servers, zc->n_servers, &zk->stop, &res);
	ok = res.n > 0;
	pthread_mutex_lock(&zk->lock);
	note_unresolved(zk, &res);
	old = zk->addrs;
	zk->addrs = res;
	if (zk->unresolved[0] != '\0') {
		set_error(zk, zk->unresolved);
		if (!ok) {
			zk->conn.tries++;
			zkserver_text(&zc->servers[0], zk->conn.server, sizeof(zk->conn.server));
		}
		tell_failure(zk);
	}
	pthread_mutex_unlock(&zk->lock);
	resolve_fini(&old);
	return ok;
}

/* ---- owner: the loop ------------------------------------------------------------------------------------------------------------ */

/* Waits until `until` or a signal. Tells what was held back when its time has come. Under the lock. */
static void owner_wait(struct zk *zk, int64_t until)
{
	struct timespec ts;

	if (zk->is_untold) {
		int64_t due = zk->told_at.ms + TELL_FAILURE_EVERY_MS;

		if (clock_mono().ms >= due)
			tell_conn(zk);
		else if (due < until)
			until = due;
	}
	ts = timespec_of(until);
	pthread_cond_timedwait(&zk->changed, &zk->lock, &ts);
}

static void owner_pause(struct zk *zk, dur_ms d)
{
	int64_t until = clock_mono().ms + d;

	pthread_mutex_lock(&zk->lock);
	while (!atomic_load(&zk->stop) && clock_mono().ms < until)
		owner_wait(zk, until);
	pthread_mutex_unlock(&zk->lock);
}

/* How a handle came to its end. */
enum outcome { OUT_STOP, OUT_LOST, OUT_NOT_UP };

/* A server that does not answer is given up for the next one; for the only one we wait as long as the library does. */
static dur_ms slice(const struct zk *zk, unsigned attempt, size_t n_addrs)
{
	dur_ms all = zk->opt.session_timeout * 2 / 3 + 1000, d = all / (dur_ms)(n_addrs > 0 ? n_addrs : 1);

	if (d < SLICE_MIN_MS)
		d = SLICE_MIN_MS;
	/* Slow is not silent: more time on each round. */
	for (size_t round = n_addrs > 0 ? attempt / n_addrs : 0; round > 0 && d < all; round--)
		d *= 2;
	return d < all ? d : all;
}

/* Under the lock. */
static bool is_attempt_over(struct zk *zk, const struct zk_handle *h, int64_t until)
{
	if (clock_mono().ms >= until)
		return true;
	/* All servers refused: with the flag they may not, or the other way round. */
	return zk->opt.allow_readonly_server && zk->failures >= zk->addrs.n + (h->with_readonly ? 2 : 0);
}

static enum outcome owner_run(struct zk *zk, struct zk_handle *h, unsigned attempt)
{
	int64_t until = clock_mono().ms + slice(zk, attempt, zk->addrs.n), probe_at = 0;
	enum outcome out = OUT_STOP;

	pthread_mutex_lock(&zk->lock);
	while (!atomic_load(&zk->stop)) {
		if (zk->is_lost) {
			out = h->is_up ? OUT_LOST : OUT_NOT_UP;
			break;
		}
		if (!h->is_up && is_attempt_over(zk, h, until)) {
			out = OUT_NOT_UP;
			break;
		}
		if (h->is_up && clock_mono().ms >= probe_at) {
			probe_at = clock_mono().ms + PROBE_EVERY_MS;
			pthread_mutex_unlock(&zk->lock);
			handle_probe(h); /* may log, and the log callback locks */
			pthread_mutex_lock(&zk->lock);
			continue;
		}
		owner_wait(zk, h->is_up ? probe_at : until);
	}
	pthread_mutex_unlock(&zk->lock);
	return out;
}

/* An attempt brought no session and nobody said why: the server is silent. */
static void note_silent(struct zk *zk, unsigned attempt)
{
	pthread_mutex_lock(&zk->lock);
	if (zk->failures == 0 && zk->addrs.n > 0) {
		set_server(zk, &zk->addrs.v[attempt % zk->addrs.n]);
		set_error(zk, "no answer");
		zk->conn.tries++;
		tell_failure(zk);
	}
	pthread_mutex_unlock(&zk->lock);
}

/* One handle, from opening to closing. */
static enum outcome owner_session(struct zk *zk, unsigned attempt, bool with_readonly)
{
	struct zk_handle *h = handle_open(zk, attempt, with_readonly);
	enum outcome out;

	if (h == NULL) {
		owner_pause(zk, BACKOFF_MAX_MS);
		return OUT_NOT_UP;
	}
	out = owner_run(zk, h, attempt);
	if (out == OUT_NOT_UP)
		note_silent(zk, attempt);
	handle_close(zk, h);
	return out;
}

static dur_ms next_backoff(dur_ms d)
{
	if (d == 0)
		return BACKOFF_FIRST_MS;
	return d * 2 < BACKOFF_MAX_MS ? d * 2 : BACKOFF_MAX_MS;
}

static void owner_loop(struct zk *zk)
{
	dur_ms resolve_wait = 1000, backoff = 0;
	unsigned attempt = 0;

	while (!atomic_load(&zk->stop)) {
		mono_ms begin = clock_mono();
		enum outcome out;

		if (!resolve(zk)) {
			owner_pause(zk, resolve_wait);
			resolve_wait = resolve_wait * 2 < BACKOFF_MAX_MS ? resolve_wait * 2 : BACKOFF_MAX_MS;
			continue;
		}
		resolve_wait = 1000;
		/* First without the flag, then with it: a read-only server only if no other is there. */
		if (zk->opt.allow_readonly_server)
			out = owner_session(zk, attempt / 2, attempt % 2 == 1);
		else
			out = owner_session(zk, attempt, false);
		if (out == OUT_NOT_UP) {
			attempt++;
			if (mono_since(clock_mono(), begin) < ATTEMPT_MIN_MS)
				owner_pause(zk, ATTEMPT_MIN_MS);
			continue;
		}
		if (out == OUT_LOST) {
			pthread_mutex_lock(&zk->lock);
			zk->epoch++;
			pthread_mutex_unlock(&zk->lock);
			attempt = 0;
			if (mono_since(clock_mono(), begin) > BACKOFF_RESET_MS)
				backoff = 0;
			if (backoff > 0)
				owner_pause(zk, backoff);
			backoff = next_backoff(backoff);
		}
	}
}

static void zk_destroy(struct zk *zk)
{
	for (size_t i = 0; i < zk->n_want; i++)
		mem_free(&zk->want[i]);
	mem_free(&zk->want);
	resolve_fini(&zk->addrs);
	pthread_cond_destroy(&zk->changed);
	pthread_mutex_destroy(&zk->lock);
	pthread_mutex_destroy(&zk->out_lock);
	pthread_mutex_destroy(&zk->want_lock);
	zk->magic = 0;
	mem_free(&zk);
}

static void *owner_main(void *arg)
{
	struct zk *zk = arg;
	bool is_abandoned;

	owner_loop(zk);
	zk_unregister(zk);
	pthread_mutex_lock(&zk->lock);
	zk->is_owner_done = true;
	is_abandoned = zk->is_abandoned;
	pthread_cond_signal(&zk->changed);
	pthread_mutex_unlock(&zk->lock);
	if (is_abandoned)
		zk_destroy(zk);
	return NULL;
}

/* ---- the UI's side ------------------------------------------------------------------------------------------------------------------ */

/* Every client of an ensemble begins with another server. */
static void shuffle(struct zkconnect *zc)
{
	for (size_t i = zc->n_servers; i > 1; i--) {
		uint32_t r = 0;
		struct zkserver tmp = zc->servers[i - 1];

		if (getrandom(&r, sizeof(r), GRND_NONBLOCK) != (ssize_t)sizeof(r))
			r = (uint32_t)clock_mono().ms;
		zc->servers[i - 1] = zc->servers[r % i];
		zc->servers[r % i] = tmp;
	}
}

static void init_locks(struct zk *zk)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&zk->lock, NULL);
	pthread_mutex_init(&zk->out_lock, NULL);
	pthread_mutex_init(&zk->want_lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&zk->changed, &attr);
	pthread_condattr_destroy(&attr);
}

/* With all signals blocked, so that this thread and those the library starts leave them to the UI thread. */
static int start_owner(struct zk *zk)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&zk->owner, NULL, owner_main, zk);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

struct zk *zk_new(const struct zk_options *opt, struct evq *q, struct err *err)
{
	struct zk *zk = mem_zalloc(sizeof(*zk));
	int rc;

	assert(opt->connect.n_servers > 0 && opt->connect.n_servers <= ZKCONNECT_SERVERS_MAX);
	zk->magic = ZK_MAGIC;
	zk->opt = *opt;
	if (zk->opt.session_timeout <= 0)
		zk->opt.session_timeout = SESSION_TIMEOUT_MS;
	if (zk->opt.window == 0)
		zk->opt.window = WINDOW_DEFAULT;
	shuffle(&zk->opt.connect);
	zk->q = q;
	zk->epoch = 1;
	zk->conn.state = CONN_CONNECTING;
	zk->conn.latency = -1;
	init_locks(zk);
	zoo_set_debug_level(ZOO_LOG_LEVEL_INFO); /* of the whole process; failures come at ERROR */
	zoo_deterministic_conn_order(1);         /* our order, not another shuffle */
	zk_register(zk);
	tell_conn(zk);
	rc = start_owner(zk);
	if (rc == 0)
		return zk;
	err_set(err, ERR_IO, "no thread for the ZooKeeper session: %s", strerror(rc));
	zk_unregister(zk);
	zk_destroy(zk);
	return NULL;
}

void zk_free(struct zk **pp)
{
	struct zk *zk = *pp;
	struct timespec until = timespec_of(clock_mono().ms + FREE_WAIT_MS);
	bool is_done;

	if (zk == NULL)
		return;
	assert(zk->magic == ZK_MAGIC);
	*pp = NULL;
	pthread_mutex_lock(&zk->lock);
	atomic_store(&zk->stop, true);
	zk->conn.state = CONN_CLOSED;
	tell_conn(zk);
	pthread_cond_broadcast(&zk->changed);
	while (!zk->is_owner_done)
		if (pthread_cond_timedwait(&zk->changed, &zk->lock, &until) == ETIMEDOUT)
			break;
	is_done = zk->is_owner_done;
	zk->is_abandoned = !is_done;
	pthread_mutex_lock(&zk->out_lock);
	zk->q = NULL;
	pthread_mutex_unlock(&zk->out_lock);
	if (!is_done)
		pthread_detach(zk->owner); /* before it can end and free zk */
	pthread_mutex_unlock(&zk->lock);
	if (is_done) {
		pthread_join(zk->owner, NULL);
		zk_destroy(zk);
	}
}

void zk_want(struct zk *zk, const char *const *topics, size_t n)
{
	char **want = mem_array(n + 1, sizeof(*want)), **old;
	size_t n_old;

	assert(zk->magic == ZK_MAGIC);
	for (size_t i = 0; i < n; i++)
		want[i] = mem_strdup(topics[i]);
	pthread_mutex_lock(&zk->want_lock);
	old = zk->want;
	n_old = zk->n_want;
	zk->want = want;
	zk->n_want = n;
	atomic_fetch_add(&zk->want_no, 1);
	pthread_mutex_unlock(&zk->want_lock);
	for (size_t i = 0; i < n_old; i++)
		mem_free(&old[i]);
	mem_free(&old);
}

void zk_get_stats(struct zk *zk, struct zk_stats *out)
{
	assert(zk->magic == ZK_MAGIC);
	out->watches = atomic_load(&zk->n_watches);
	out->reads = atomic_load(&zk->n_reads);
	pthread_mutex_lock(&zk->lock);
	out->in_flight = zk->h != NULL ? atomic_load(&zk->h->out) : 0;
	pthread_mutex_unlock(&zk->lock);
}

const char *zk_library(void)
{
	return "ZooKeeper client " ZOO_VERSION;
}
