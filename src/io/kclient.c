/* SPDX-License-Identifier: Apache-2.0 */
/* The thread, its inbox, its life. */
#include "io/kclient.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/client_config.h"
#include "core/event.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kclient_parts.h"

enum { FULL_WAIT_MS = 500 };

/* ---- lists ------------------------------------------------------------------------------ */

void klist_clear(struct klist *l)
{
	for (size_t i = 0; i < l->n; i++)
		mem_free(&l->v[i].host);
	mem_free(&l->v);
	l->n = 0;
}

static bool klist_has(const struct klist *l, int32_t id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].id == id)
			return true;
	return false;
}

void klist_add(struct klist *l, int32_t id, const char *host, int port)
{
	if (l->n == KCLIENT_BROKERS_MAX || (id >= 0 && klist_has(l, id)))
		return;
	l->v = mem_realloc_array(l->v, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = (struct kclient_address){ .id = id, .host = mem_strdup(host), .port = port };
}

static void kwant_clear(struct kwant *wa)
{
	for (size_t i = 0; i < wa->n; i++)
		mem_free(&wa->topics[i]);
	mem_free(&wa->topics);
	wa->n = 0;
}

static void kqueue_clear(struct kqueue *qu)
{
	for (size_t i = 0; i < qu->n; i++)
		mem_free(&qu->topics[i]);
	mem_free(&qu->topics);
	mem_free(&qu->hosts);
	qu->n = qu->n_hosts = 0;
}

/* ---- out -------------------------------------------------------------------------------- */

void kclient_emit(struct kclient *kc, struct event *ev)
{
	pthread_mutex_lock(&kc->out_lock);
	if (kc->q)
		evq_push(kc->q, ev);
	else
		event_free(&ev);
	pthread_mutex_unlock(&kc->out_lock);
}

/* Nobody takes what is told: too much of it waits, or it waits for long. */
static bool holds_back(struct kclient *kc)
{
	bool is_full = false, has_unread = false;
	uint64_t takes = 0;

	pthread_mutex_lock(&kc->out_lock);
	if (kc->q) {
		is_full = evq_is_full(kc->q);
		takes = evq_takes(kc->q, &has_unread);
	}
	pthread_mutex_unlock(&kc->out_lock);
	return !kpolls_read(kc->polls, has_unread, takes, kc->now) || is_full;
}

dur_ms kclient_patience(const struct kclient *kc)
{
	dur_ms most = kc->opt.config->request_timeout_ms, patience = kc->opt.patience_ms;

	return patience > 0 && patience < most ? patience : most;
}

/* ---- in ---------------------------------------------------------------------------------- */

void kclient_wake(struct kclient *kc)
{
	uint64_t one = 1;
	ssize_t n = write(kc->wake, &one, sizeof(one)); /* a full counter is a wake-up, too */

	(void)n;
}

static void take_want(struct kclient *kc, struct kwant *wa)
{
	kwant_clear(&kc->want);
	kc->want = *wa;
	kpolls_want(kc->polls, wa->n > 0, wa->often & ASK_DISKS, wa->is_looking);
}

void kclient_apply_queue(struct kclient *kc)
{
	const struct kqueue *qu = &kc->queue;

	kc->queue_controller = atomic_load(&kc->named_controller);
	kpolls_queued(kc->polls, qu->n > 0, qu->hot_until, kc->queue_controller, qu->hosts, qu->n_hosts);
}

static void take_queue(struct kclient *kc, struct kqueue *qu)
{
	kqueue_clear(&kc->queue);
	kc->queue = *qu;
	kc->awaits_queue = false;
	kclient_apply_queue(kc);
}

static void take_inbox(struct kclient *kc)
{
	struct klist *brokers;
	struct kwant *want;
	struct kqueue *queue;

	pthread_mutex_lock(&kc->lock);
	brokers = kc->in_brokers;
	want = kc->in_want;
	queue = kc->in_queue;
	kc->in_brokers = NULL;
	kc->in_want = NULL;
	kc->in_queue = NULL;
	if (kc->write)
		kafka_write_take_inbox(kc->write);
	pthread_mutex_unlock(&kc->lock);
	if (want)
		take_want(kc, want);
	mem_free(&want);
	if (queue)
		take_queue(kc, queue);
	else if (kc->queue_controller != atomic_load(&kc->named_controller))
		kclient_apply_queue(kc);
	mem_free(&queue);
	if (!brokers)
		return;
	klist_clear(&kc->registered);
	kc->registered = *brokers;
	mem_free(&brokers);
	kc->awaits = false;
	kc->is_list_new = true;
}

void kclient_brokers(struct kclient *kc, const struct kclient_address *v, size_t n)
{
	struct klist *fresh = mem_zalloc(sizeof(*fresh)), *old;

	assert(kc->magic == KCLIENT_MAGIC);
	for (size_t i = 0; i < n; i++)
		if (v[i].id >= 0)
			klist_add(fresh, v[i].id, v[i].host, v[i].port);
	pthread_mutex_lock(&kc->lock);
	old = kc->in_brokers;
	kc->in_brokers = fresh;
	pthread_mutex_unlock(&kc->lock);
	if (old)
		klist_clear(old);
	mem_free(&old);
	kclient_wake(kc);
}

void kclient_controller(struct kclient *kc, int32_t id)
{
	assert(kc->magic == KCLIENT_MAGIC);
	atomic_store(&kc->named_controller, id);
	kclient_wake(kc);
}

void kclient_want(struct kclient *kc, const char *const *topics, size_t n, unsigned often, bool is_looking)
{
	struct kwant *fresh = mem_zalloc(sizeof(*fresh)), *old;

	assert(kc->magic == KCLIENT_MAGIC);
	fresh->topics = mem_array(KCLIENT_WANT_MAX, sizeof(*fresh->topics));
	for (size_t i = 0; i < n && fresh->n < KCLIENT_WANT_MAX; i++)
		if (topics[i][0] && strlen(topics[i]) <= TOPIC_NAME_MAX) /* no broker has others */
			fresh->topics[fresh->n++] = mem_strdup(topics[i]);
	fresh->often = often;
	fresh->is_looking = is_looking;
	pthread_mutex_lock(&kc->lock);
	old = kc->in_want;
	kc->in_want = fresh;
	pthread_mutex_unlock(&kc->lock);
	if (old)
		kwant_clear(old);
	mem_free(&old);
	kclient_wake(kc);
}

static struct kqueue *queue_copy(const struct kclient_queue *qu)
{
	struct kqueue *out = mem_zalloc(sizeof(*out));

	out->topics = mem_array(qu->n + 1, sizeof(*out->topics));
	for (size_t i = 0; i < qu->n; i++)
		if (qu->topics[i][0] && strlen(qu->topics[i]) <= TOPIC_NAME_MAX) /* no broker has others */
			out->topics[out->n++] = mem_strdup(qu->topics[i]);
	out->hosts = mem_array(qu->n_hosts + 1, sizeof(*out->hosts));
	for (size_t i = 0; i < qu->n_hosts; i++)
		out->hosts[out->n_hosts++] = (struct kpolls_host){ qu->hosts[i].id, qu->hosts[i].hot_until };
	out->hot_until = qu->hot_until;
	return out;
}

void kclient_queued(struct kclient *kc, const struct kclient_queue *qu)
{
	struct kqueue *fresh = queue_copy(qu), *old;

	assert(kc->magic == KCLIENT_MAGIC);
	pthread_mutex_lock(&kc->lock);
	old = kc->in_queue;
	kc->in_queue = fresh;
	pthread_mutex_unlock(&kc->lock);
	if (old)
		kqueue_clear(old);
	mem_free(&old);
	kclient_wake(kc);
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void sooner(mono_ms *best, mono_ms at)
{
	if (at.ms && (!best->ms || at.ms < best->ms))
		*best = at;
}

static size_t poll_write(struct kclient *kc, size_t at, mono_ms *until)
{
	mono_ms due;
	size_t n = kafka_write_poll(kc->write, &kc->fds[at], &due);

	sooner(until, due);
	return n;
}

static void wait_for_something(struct kclient *kc, bool is_held)
{
	mono_ms until;
	uint64_t count;
	size_t n = 1 + klinks_poll(kc, 1, &until), n_links = n;
	dur_ms left;
	int rc;

	if (kc->write)
		n += poll_write(kc, n, &until);
	if (is_held)
		sooner(&until, (mono_ms){ kc->now.ms + FULL_WAIT_MS });
	else
		sooner(&until, kpolls_deadline(kc->polls, kc->now));
	left = until.ms - clock_mono().ms;
	kc->fds[0] = (struct pollfd){ .fd = kc->wake, .events = POLLIN };
	rc = poll(kc->fds, n, !until.ms ? -1 : left <= 0 ? 0 : left < 60000 ? (int)left : 60000);
	if (rc > 0 && kc->fds[0].revents && read(kc->wake, &count, sizeof(count)) < 0)
		assert(errno == EAGAIN || errno == EINTR);
	kc->now = clock_mono();
	if (rc > 0)
		klinks_polled(kc, 1);
	if (rc > 0 && kc->write)
		kafka_write_polled(kc->write, &kc->fds[n_links]);
}

static void loop(struct kclient *kc)
{
	kc->is_list_new = kc->bootstrap.n > 0;
	while (!atomic_load(&kc->stop)) {
		bool is_held;

		kc->now = clock_mono();
		is_held = holds_back(kc);
		take_inbox(kc);
		if (kc->is_list_new)
			klinks_take_list(kc);
		klinks_turn(kc);
		if (kc->write)
			kafka_write_turn(kc->write);
		if (kc->is_list_new)
			continue;
		if (!is_held)
			kasks_send(kc);
		kasks_settle(kc);
		wait_for_something(kc, is_held);
	}
}

static void kclient_destroy(struct kclient *kc)
{
	if (kc->in_brokers)
		klist_clear(kc->in_brokers);
	if (kc->in_want)
		kwant_clear(kc->in_want);
	if (kc->in_queue)
		kqueue_clear(kc->in_queue);
	mem_free(&kc->in_brokers);
	mem_free(&kc->in_want);
	mem_free(&kc->in_queue);
	klist_clear(&kc->bootstrap);
	klist_clear(&kc->registered);
	klist_clear(&kc->told);
	kwant_clear(&kc->want);
	kqueue_clear(&kc->queue);
	kpolls_free(&kc->polls);
	kafka_write_free(&kc->write);
	mem_free(&kc->client_id);
	mem_free(&kc->fds);
	close(kc->wake);
	pthread_cond_destroy(&kc->changed);
	pthread_mutex_destroy(&kc->lock);
	pthread_mutex_destroy(&kc->out_lock);
	kc->magic = 0;
	mem_free(&kc);
}

static void *thread_main(void *arg)
{
	struct kclient *kc = arg;
	bool is_abandoned;

	loop(kc);
	if (kc->write)
		kafka_write_end(kc->write);
	klinks_free(kc);
	pthread_mutex_lock(&kc->lock);
	kc->is_done = true;
	is_abandoned = kc->is_abandoned;
	pthread_cond_signal(&kc->changed);
	pthread_mutex_unlock(&kc->lock);
	if (is_abandoned)
		kclient_destroy(kc);
	return NULL;
}

/* ---- life ---------------------------------------------------------------------------------------- */

static unsigned kinds_of(unsigned asks, bool by_bootstrap)
{
	unsigned kinds = 0;

	if (by_bootstrap || (asks & (ASK_METADATA | ASK_REASSIGNING)))
		kinds |= 1u << KPOLL_METADATA;
	if (asks & ASK_METADATA)
		kinds |= 1u << KPOLL_TOPICS | 1u << KPOLL_QUEUED;
	if (asks & ASK_REASSIGNING)
		kinds |= 1u << KPOLL_REASSIGNING;
	if (asks & ASK_DISKS)
		kinds |= 1u << KPOLL_DISKS;
	if (asks & ASK_SETTINGS)
		kinds |= 1u << KPOLL_SETTINGS;
	return kinds;
}

static uint64_t seed_of_now(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != (ssize_t)sizeof(seed))
		seed = (uint64_t)clock_wall().ms;
	return seed;
}

static void init_locks(struct kclient *kc)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&kc->lock, NULL);
	pthread_mutex_init(&kc->out_lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&kc->changed, &attr);
	pthread_condattr_destroy(&attr);
}

static void copy_options(struct kclient *kc, const struct kclient_options *opt)
{
	const char *client_id = opt->client_id ? opt->client_id : opt->config->client_id;

	kc->opt = *opt;
	kc->times = opt->times ? *opt->times : kpolls_times_usual;
	kc->client_id = client_id ? mem_strdup(client_id) : NULL;
	for (size_t i = 0; i < opt->n_bootstrap; i++)
		klist_add(&kc->bootstrap, kpolls_bootstrap_id(i), opt->bootstrap[i].host, opt->bootstrap[i].port);
	kc->awaits = opt->awaits_brokers || opt->n_bootstrap == 0;
	kc->awaits_queue = opt->awaits_queue && opt->once;
	kc->queue_controller = BROKER_NONE;
	kc->want.is_looking = true;
	kc->controller = BROKER_NONE;
	for (int k = 0; k < KPOLL_KINDS; k++)
		kc->took[k] = -1;
	atomic_init(&kc->named_controller, BROKER_NONE);
	kc->write = opt->may_write ? kafka_write_new(kc) : NULL;
	err_init(&kc->best);
	kc->polls = kpolls_new(&kc->times, kinds_of(opt->asks, opt->n_bootstrap > 0), opt->once, seed_of_now());
}

struct kclient *kclient_new(const struct kclient_options *opt, struct evq *q, struct err *err)
{
	struct kclient *kc = mem_zalloc(sizeof(*kc));
	int rc = 0;

	kc->magic = KCLIENT_MAGIC;
	kc->q = q;
	copy_options(kc, opt);
	init_locks(kc);
	kc->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (kc->wake < 0) {
		err_set(err, ERR_IO, "no descriptor to wake the connections to brokers: %s", strerror(errno));
		kclient_destroy(kc);
		return NULL;
	}
	rc = pthread_create(&kc->thread, NULL, thread_main, kc);
	if (rc == 0)
		return kc;
	err_set(err, ERR_IO, "no thread for the connections to brokers: %s", strerror(rc));
	kclient_destroy(kc);
	return NULL;
}

/* False when it still runs: then it is on its own. */
static bool wait_for_end(struct kclient *kc)
{
	int64_t ms = clock_mono().ms + KCLIENT_FREE_WAIT_MS;
	struct timespec until = { ms / 1000, ms % 1000 * 1000000 };
	bool is_done;

	pthread_mutex_lock(&kc->lock);
	while (!kc->is_done)
		if (pthread_cond_timedwait(&kc->changed, &kc->lock, &until) == ETIMEDOUT)
			break;
	is_done = kc->is_done;
	kc->is_abandoned = !is_done;
	pthread_mutex_lock(&kc->out_lock);
	kc->q = NULL;
	pthread_mutex_unlock(&kc->out_lock);
	if (!is_done)
		pthread_detach(kc->thread); /* before it can end and free kc */
	pthread_mutex_unlock(&kc->lock);
	return is_done;
}

bool kclient_free(struct kclient **pp)
{
	struct kclient *kc = *pp;

	if (!kc)
		return true;
	assert(kc->magic == KCLIENT_MAGIC);
	*pp = NULL;
	atomic_store(&kc->stop, true);
	kclient_wake(kc);
	if (!wait_for_end(kc))
		return false;
	pthread_join(kc->thread, NULL);
	kclient_destroy(kc);
	return true;
}
