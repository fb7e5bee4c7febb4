/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session, in the order in which things happen. [owner] is our thread,
 * [io] and [completion] are the library's, [ui] is the caller.
 *
 *   [ui] zk_new starts the owner.
 *   [owner] resolves the names, opens a handle, waits.
 *   [io] connects; each failure comes to the log callback, the only place
 *     where the library says which server refused and why.
 *   [completion] the session watcher says "connected": epoch begins; says who we are for access lists (--zk-auth), which the
 *     server sees before any read, for one connection keeps its order; looks at
 *     the chroot, node by node; starts zk_watch; from then on answers and
 *     firings, each leading to the next reads.
 *   [ui] puts what is to be changed into an inbox; [owner] begins it, [completion] goes on with it (zk_write.c).
 *   [owner] asks for something small every two seconds, for the latency and
 *     to have a last answer.
 *   [completion] the session watcher says "connecting" or "expired": the handle
 *     is dead for us, whatever the library does with it; owner is told.
 *   [owner] closes the handle (joining its threads), frees what hung on it,
 *     opens the next one with the next epoch. A batch command's is closed as soon as all is read, and is the last.
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
 *   - It takes the first 40 bytes or so that come for the answer to its greeting, and so for a session,
 *     whatever they are; a web server's "HTTP/1.1 400 Bad Request" is a session of six days.
 *   - On a read-only server it looks for a normal one by itself with the four
 *     letter word "isro", which most servers do not allow; then only the
 *     server's own return to the quorum, which drops us, ends that state.
 *   - A session on a read-only server, anybody's, leaves a transaction with a
 *     number far too low in that server's memory; should it lead next, servers that
 *     join cut their logs back to it and lose all they had (ZOOKEEPER-3526, seen
 *     with 3.5.9). So that is done only when asked for.
 */
#include "io/zk.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/zk_parts.h"

enum {
	SESSION_TIMEOUT_MS = 10 * 1000,
	WINDOW_DEFAULT = 1000, /* wide enough for the speed; a row that comes on view waits 50 ms behind it */
	WINDOW_ONCE = 500,     /* of each session (io/zk_lanes): more than that waiting is worth more sessions */
	PROBE_EVERY_MS = 2000,
	BACKOFF_FIRST_MS = 500, BACKOFF_MAX_MS = 5000,
	BACKOFF_RESET_MS = 10 * 1000, /* a session that lived so long was a good one */
	SLICE_MIN_MS = 1500,          /* for one silent server among several */
	ATTEMPT_MIN_MS = 200,
	DRAIN_MS = 500,
	FREE_WAIT_MS = 2000
};

static struct timespec timespec_of(int64_t ms)
{
	return (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
}

/* ---- owner: handles ---- */

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
	pthread_mutex_init(&h->turn, NULL);
	pthread_mutex_lock(&zk->lock);
	h->epoch = zk->epoch;
	h->hosts = host_list(&zk->addrs, attempt);
	zk->h = h;
	zk->is_lost = false;
	zk->failures = 0;
	zk->is_taken = false;
	pthread_mutex_unlock(&zk->lock);
	zoo_set_debug_level(ZOO_LOG_LEVEL_INFO); /* of the whole process; failures come at ERROR */
	h->owners_zh = zookeeper_init2(h->hosts, zk_on_event, (int)zk->opt.session_timeout, NULL, h, flags, zk_on_log);
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
	zk_tell_failure(zk);
	pthread_mutex_unlock(&zk->lock);
	pthread_mutex_destroy(&h->turn);
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
	zk_lanes_close(h);
	zookeeper_close(h->owners_zh); /* joins the library's threads: h is ours alone from here */
	pthread_mutex_lock(&zk->lock);
	if (atomic_load(&h->answer_at) > zk->conn.last_answer.ms)
		zk->conn.last_answer.ms = atomic_load(&h->answer_at);
	zk->h = NULL;
	pthread_mutex_unlock(&zk->lock);
	zk_write_settle(zk);
	zk_watch_free(&h->watch);
	mem_free(&h->reads);
	mem_free(&h->refused);
	mem_free(&h->hosts);
	pthread_mutex_destroy(&h->turn);
	h->magic = 0;
	mem_free(&h);
}

/* ---- owner: names ---- */

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
	zk_set_text(zk->unresolved, sizeof(zk->unresolved), sb.s);
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
		zk_set_error(zk, zk->unresolved);
		if (!ok) {
			zk->conn.tries++;
			zkserver_text(&zc->servers[0], zk->conn.server, sizeof(zk->conn.server));
		}
		zk_tell_failure(zk);
	}
	pthread_mutex_unlock(&zk->lock);
	resolve_fini(&old);
	return ok;
}

/* ---- owner: the loop ---- */

/* Waits until `until` or a signal. Tells what was held back when its time has come. Under the lock. */
static void owner_wait(struct zk *zk, int64_t until)
{
	struct timespec ts;

	if (zk->is_untold) {
		int64_t due = zk->told_at.ms + TELL_FAILURE_EVERY_MS;

		if (clock_mono().ms >= due)
			zk_tell_conn(zk);
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

/* How a handle came to its end. OUT_STOP: it is the last. */
enum session_end { OUT_STOP, OUT_LOST, OUT_NOT_UP };

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

/* Nothing more is to be read, and what was asked for the latency has been answered. Under the lock. */
static bool is_over(const struct zk *zk, const struct zk_handle *h)
{
	return zk->is_all_read && zk->write == NULL && atomic_load(&h->out) == 0;
}

static enum session_end owner_run(struct zk *zk, struct zk_handle *h, unsigned attempt)
{
	int64_t until = clock_mono().ms + slice(zk, attempt, zk->addrs.n), probe_at = 0;
	enum session_end out = OUT_STOP;

	pthread_mutex_lock(&zk->lock);
	while (!atomic_load(&zk->stop) && !is_over(zk, h)) {
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
			zk_handle_probe(h); /* may log, and the log callback locks */
			pthread_mutex_lock(&zk->lock);
			continue;
		}
		if (h->is_up && zk_write_has_some(zk)) {
			pthread_mutex_unlock(&zk->lock);
			zk_write_begin(h);
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
		zk_set_server(zk, 1 + zk->addrs.v[attempt % zk->addrs.n].server);
		zk_set_error(zk, zk_silence_text(zk));
		zk->conn.tries++;
		zk_tell_failure(zk);
	}
	pthread_mutex_unlock(&zk->lock);
}

/* One handle, from opening to closing. */
static enum session_end owner_session(struct zk *zk, unsigned attempt, bool with_readonly)
{
	struct zk_handle *h = handle_open(zk, attempt, with_readonly);
	enum session_end out;

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
		enum session_end out;

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
		if (out == OUT_STOP)
			return;
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
	secret_fini(&zk->digest);
	zk_write_free(&zk->write);
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

/* ---- the UI's side ---- */

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

/* Signals are as the caller has them: this thread and those the library starts leave all but a crash's to the UI thread. */
static int start_owner(struct zk *zk)
{
	return pthread_create(&zk->owner, NULL, owner_main, zk);
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
		zk->opt.window = opt->once ? WINDOW_ONCE : WINDOW_DEFAULT;
	shuffle(&zk->opt.connect);
	if (opt->digest != NULL)
		secret_setn(&zk->digest, secret_reveal(opt->digest), opt->digest->n);
	zk->opt.digest = opt->digest != NULL ? &zk->digest : NULL;
	zk->q = q;
	zk->epoch = 1;
	zk->write = opt->may_write ? zk_write_new() : NULL;
	zk->conn.state = CONN_CONNECTING;
	zk->conn.latency = -1;
	init_locks(zk);
	zoo_deterministic_conn_order(1);         /* our order, not another shuffle */
	zk_register(zk);
	zk_tell_conn(zk);
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
	zk_tell_conn(zk);
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

bool zk_library_has_tls(void)
{
#ifdef HAVE_ZOOKEEPER_INIT_SSL
	return true;
#else
	return false;
#endif
}

bool zk_library_has_sasl(void)
{
#ifdef HAVE_ZOOKEEPER_INIT_SASL
	return true;
#else
	return false;
#endif
}
