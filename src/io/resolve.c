/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One `lookup` is shared by its caller and the threads that ask, each holding a
 * reference: a thread that is still waiting for a name server when its caller
 * has lost patience finishes in its own time and frees what is left.
 * [caller] starts a thread for each name → [thread] asks, stores, signals →
 * [caller] takes what is there.
 */
#include "io/resolve.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "io/clock.h"

enum { WAIT_ALL_MS = 5000, WAIT_REST_MS = 1000, WAIT_STEP_MS = 50 };

struct question {
	struct resolve_lookup *of;
	char host[ZKCONNECT_HOST_MAX];
	char port[8];
	bool is_done;
	int rc; /* of getaddrinfo */
	struct addrinfo *found;
};

struct resolve_lookup {
	pthread_mutex_t lock;
	pthread_cond_t answered;
	size_t refs, n, n_done, n_found;
	int wake; /* an eventfd that is written when all are done; -1 where the caller waits on `answered` */
	struct question v[];
};

static void lookup_unref(struct resolve_lookup *lu)
{
	bool is_last;

	pthread_mutex_lock(&lu->lock);
	is_last = --lu->refs == 0;
	pthread_mutex_unlock(&lu->lock);
	if (!is_last)
		return;
	for (size_t i = 0; i < lu->n; i++)
		if (lu->v[i].found != NULL)
			freeaddrinfo(lu->v[i].found);
	if (lu->wake >= 0)
		close(lu->wake);
	pthread_cond_destroy(&lu->answered);
	pthread_mutex_destroy(&lu->lock);
	mem_free(&lu);
}

static void wake(const struct resolve_lookup *lu)
{
	const uint64_t one = 1;

	/* The counter can't be full: this is written once. */
	if (lu->wake >= 0 && lu->n_done == lu->n && write(lu->wake, &one, sizeof(one)) < 0)
		return;
}

static void ask(struct question *qu)
{
	/* No AI_ADDRCONFIG: it would hide ::1 on a machine without other IPv6. */
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	struct resolve_lookup *lu = qu->of;
	int rc = getaddrinfo(qu->host, qu->port, &hints, &found);

	pthread_mutex_lock(&lu->lock);
	qu->rc = rc;
	qu->found = rc == 0 ? found : NULL;
	qu->is_done = true;
	lu->n_done++;
	lu->n_found += rc == 0;
	pthread_cond_signal(&lu->answered);
	wake(lu);
	pthread_mutex_unlock(&lu->lock);
}

static void *ask_thread(void *arg)
{
	struct question *qu = arg;
	struct resolve_lookup *lu = qu->of;

	ask(qu);
	lookup_unref(lu);
	return NULL;
}

static bool is_numeric(const char *host)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };
	struct addrinfo *found;

	if (getaddrinfo(host, NULL, &hints, &found) != 0)
		return false;
	freeaddrinfo(found);
	return true;
}

static void start(struct question *qu)
{
	struct resolve_lookup *lu = qu->of;
	pthread_t thread;

	if (!is_numeric(qu->host)) {
		pthread_mutex_lock(&lu->lock);
		lu->refs++;
		pthread_mutex_unlock(&lu->lock);
		if (pthread_create(&thread, NULL, ask_thread, qu) == 0) {
			pthread_detach(thread);
			return;
		}
		lookup_unref(lu);
	}
	ask(qu);
}

static struct resolve_lookup *lookup_new(const struct zkserver *servers, size_t n)
{
	struct resolve_lookup *lu = mem_zalloc(sizeof(*lu) + n * sizeof(lu->v[0]));
	pthread_condattr_t attr;

	pthread_mutex_init(&lu->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&lu->answered, &attr);
	pthread_condattr_destroy(&attr);
	lu->refs = 1;
	lu->wake = -1;
	lu->n = n;
	for (size_t i = 0; i < n; i++) {
		lu->v[i].of = lu;
		if (!str_copy(lu->v[i].host, sizeof(lu->v[i].host), servers[i].host) ||
		    !str_printf(lu->v[i].port, sizeof(lu->v[i].port), "%d", servers[i].port))
			lu->v[i].host[0] = '\0'; /* won't resolve */
	}
	return lu;
}

static void lookup_wait(struct resolve_lookup *lu, const atomic_bool *stop)
{
	mono_ms begin = clock_mono();

	pthread_mutex_lock(&lu->lock);
	while (lu->n_done < lu->n && !atomic_load(stop)) {
		dur_ms waited = mono_since(clock_mono(), begin);
		int64_t until = begin.ms + waited + WAIT_STEP_MS;
		struct timespec ts = { until / 1000, until % 1000 * 1000000 };

		if (waited >= WAIT_ALL_MS || (lu->n_found > 0 && waited >= WAIT_REST_MS))
			break;
		pthread_cond_timedwait(&lu->answered, &lu->lock, &ts);
	}
	pthread_mutex_unlock(&lu->lock);
}

static const char *why_text(const struct question *qu)
{
	if (!qu->is_done)
		return "the name server does not answer";
	if (qu->rc == EAI_NONAME || qu->rc == EAI_NODATA)
		return "name does not resolve";
	if (qu->rc == EAI_AGAIN)
		return "name does not resolve for now";
	return gai_strerror(qu->rc);
}

static void add_addr(struct resolve_result *res, size_t server, const struct addrinfo *ai)
{
	struct resolve_addr *ad = &res->v[res->n];

	if (res->n == RESOLVE_ADDRS_MAX || ai->ai_addrlen > sizeof(ad->sa) || !resolve_text(ai->ai_addr, ad->text))
		return;
	if (resolve_find(res, ad->text) != NULL)
		return;
	memcpy(&ad->sa, ai->ai_addr, ai->ai_addrlen);
	ad->server = server;
	res->n++;
}

/* What there is by now. */
static void collect(struct resolve_lookup *lu, struct resolve_result *out)
{
	memset(out, 0, sizeof(*out));
	out->v = mem_array(RESOLVE_ADDRS_MAX + 1, sizeof(*out->v));
	pthread_mutex_lock(&lu->lock);
	for (size_t i = 0; i < lu->n; i++) {
		const struct question *qu = &lu->v[i];

		if (!qu->is_done || qu->rc != 0)
			out->why[i] = why_text(qu);
		for (const struct addrinfo *ai = qu->is_done ? qu->found : NULL; ai != NULL; ai = ai->ai_next)
			add_addr(out, i, ai);
	}
	pthread_mutex_unlock(&lu->lock);
}

void resolve_servers(const struct zkserver *servers, size_t n, const atomic_bool *stop, struct resolve_result *out)
{
	struct resolve_lookup *lu = lookup_new(servers, n);

	for (size_t i = 0; i < n; i++)
		start(&lu->v[i]);
	lookup_wait(lu, stop);
	collect(lu, out);
	lookup_unref(lu);
}

struct resolve_lookup *resolve_begin(const struct zkserver *server, struct err *err)
{
	struct resolve_lookup *lu = lookup_new(server, 1);

	lu->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (lu->wake < 0) {
		lookup_unref(lu);
		err_set(err, ERR_IO, "no descriptor is left to wait for a name server with");
		return NULL;
	}
	start(&lu->v[0]);
	return lu;
}

int resolve_fd(const struct resolve_lookup *lu)
{
	return lu->wake;
}

bool resolve_take(struct resolve_lookup *lu, struct resolve_result *out)
{
	bool is_done;

	pthread_mutex_lock(&lu->lock);
	is_done = lu->n_done == lu->n;
	pthread_mutex_unlock(&lu->lock);
	if (is_done)
		collect(lu, out);
	return is_done;
}

void resolve_end(struct resolve_lookup **pp)
{
	if (*pp != NULL)
		lookup_unref(*pp);
	*pp = NULL;
}

void resolve_fini(struct resolve_result *res)
{
	mem_free(&res->v);
	res->n = 0;
}

const struct resolve_addr *resolve_find(const struct resolve_result *res, const char *text)
{
	for (size_t i = 0; i < res->n; i++)
		if (strcmp(res->v[i].text, text) == 0)
			return &res->v[i];
	return NULL;
}

bool resolve_text(const struct sockaddr *sa, char out[RESOLVE_TEXT_MAX])
{
	char ip[INET6_ADDRSTRLEN];

	if (sa->sa_family == AF_INET) {
		const struct sockaddr_in *in4 = (const void *)sa;

		return inet_ntop(AF_INET, &in4->sin_addr, ip, sizeof(ip)) != NULL &&
		       str_printf(out, RESOLVE_TEXT_MAX, "%s:%u", ip, (unsigned)ntohs(in4->sin_port));
	}
	if (sa->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const void *)sa;

		return inet_ntop(AF_INET6, &in6->sin6_addr, ip, sizeof(ip)) != NULL &&
		       str_printf(out, RESOLVE_TEXT_MAX, "[%s]:%u", ip, (unsigned)ntohs(in6->sin6_port));
	}
	return false;
}
