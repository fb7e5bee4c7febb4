/* SPDX-License-Identifier: Apache-2.0 */
#include "io/sasl_first.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "core/client_config.h"
#include "io/sasl.h"

struct sasl_first {
	pthread_mutex_t lock; /* for refs and is_done; what is_done tells of is written before */
	int refs;             /* the caller's and the thread's */
	int wake;             /* eventfd, -1 without a thread */
	bool is_done, is_ok, is_last;
	struct client_login how;
	char *host;
	wall_ms now;
	struct sasl_login *login;
	struct secret token;
	struct err err;
};

/* As many wait at most: what never comes (a pipe that nobody writes to, a dead file server) must not gather threads. */
enum { THREADS_MAX = 64 };
static atomic_int n_threads;

/* One login at Kerberos at a time. */
static pthread_mutex_t kerberos = PTHREAD_MUTEX_INITIALIZER;

static bool has_to_wait(const struct client_login *how)
{
	return how->mechanism == CLIENT_GSSAPI ||
		(how->mechanism == CLIENT_OAUTHBEARER && (secret_is_set(&how->token_command) || how->token_file));
}

static void unref(struct sasl_first *sf)
{
	bool is_last;

	pthread_mutex_lock(&sf->lock);
	is_last = --sf->refs == 0;
	pthread_mutex_unlock(&sf->lock);
	if (!is_last)
		return;
	if (sf->wake >= 0)
		close(sf->wake);
	sasl_login_free(&sf->login);
	secret_fini(&sf->token);
	client_login_fini(&sf->how);
	mem_free(&sf->host);
	pthread_mutex_destroy(&sf->lock);
	mem_free(&sf);
}

static bool is_wanted(struct sasl_first *sf)
{
	bool is;

	pthread_mutex_lock(&sf->lock);
	is = sf->refs > 1;
	pthread_mutex_unlock(&sf->lock);
	return is;
}

static void step(struct sasl_first *sf)
{
	sf->login = sasl_login_new(&sf->how, sf->host, sf->now, &sf->err);
	sf->is_ok = sf->login && sasl_login_step(sf->login, NULL, 0, &sf->token, &sf->is_last, &sf->err);
}

static void done(struct sasl_first *sf)
{
	const uint64_t one = 1;

	pthread_mutex_lock(&sf->lock);
	sf->is_done = true;
	/* The counter can't be full: this is written once. */
	if (sf->wake >= 0 && write(sf->wake, &one, sizeof(one)) < 0)
		assert(!"an eventfd takes a 1");
	pthread_mutex_unlock(&sf->lock);
}

static void *step_thread(void *arg)
{
	struct sasl_first *sf = arg;
	bool is_kerberos = sf->how.mechanism == CLIENT_GSSAPI;

	if (is_kerberos)
		pthread_mutex_lock(&kerberos);
	if (is_wanted(sf))
		step(sf);
	if (is_kerberos)
		pthread_mutex_unlock(&kerberos);
	done(sf);
	unref(sf);
	atomic_fetch_sub(&n_threads, 1);
	return NULL;
}

/* Signals are for others. */
static bool start(struct sasl_first *sf)
{
	pthread_t thread;
	sigset_t all, before;
	int rc;

	if (atomic_load(&n_threads) >= THREADS_MAX)
		return false;
	sf->refs++;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	atomic_fetch_add(&n_threads, 1);
	rc = pthread_create(&thread, NULL, step_thread, sf);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0) {
		pthread_detach(thread);
		return true;
	}
	atomic_fetch_sub(&n_threads, 1);
	sf->refs--;
	return false;
}

struct sasl_first *sasl_first_begin(const struct client_login *how, const char *host, wall_ms now, struct err *err)
{
	struct sasl_first *sf = mem_zalloc(sizeof(*sf));

	pthread_mutex_init(&sf->lock, NULL);
	sf->refs = 1;
	sf->wake = -1;
	client_login_copy(how, &sf->how);
	sf->host = mem_strdup(host);
	sf->now = now;
	secret_init(&sf->token);
	err_init(&sf->err);
	if (!has_to_wait(how)) {
		step(sf);
		sf->is_done = true;
		return sf;
	}
	sf->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (sf->wake < 0 || !start(sf)) {
		if (atomic_load(&n_threads) >= THREADS_MAX)
			err_set(err, ERR_IO, "%d logins before this one still wait for what they need", THREADS_MAX);
		else
			err_set(err, ERR_IO, "no descriptor or thread is left to log in with");
		sasl_first_end(&sf);
	}
	return sf;
}

void sasl_first_end(struct sasl_first **pp)
{
	if (*pp)
		unref(*pp);
	*pp = NULL;
}

bool sasl_first_is_done(struct sasl_first *sf)
{
	bool is;

	pthread_mutex_lock(&sf->lock);
	is = sf->is_done;
	pthread_mutex_unlock(&sf->lock);
	return is;
}

int sasl_first_fd(const struct sasl_first *sf)
{
	return sf->wake;
}

bool sasl_first_take(struct sasl_first *sf, struct sasl_login **login, struct secret *token, bool *is_last, struct err *err)
{
	assert(sasl_first_is_done(sf));
	if (!sf->is_ok)
		return err_set(err, sf->err.code, "%s", sf->err.text);
	*login = sf->login;
	sf->login = NULL;
	secret_move(token, &sf->token);
	*is_last = sf->is_last;
	return true;
}

bool sasl_first_fails_late(const struct sasl_first *sf, dur_ms waited_ms, struct err *err)
{
	char within[UNITS_TEXT_MAX];

	units_limit(within, waited_ms);
	if (sf->how.mechanism == CLIENT_GSSAPI)
		return err_set(err, ERR_TIMEOUT, "timed out: GSSAPI: no Kerberos ticket within %s; the KDC does not answer (krb5.conf)", within);
	return err_set(err, ERR_TIMEOUT, "timed out: no token within %s (%s)", within,
		       sf->how.token_file ? sf->how.token_file : "sasl.oauthbearer.token.command");
}

void sasl_first_exit(int status)
{
	if (atomic_load(&n_threads) == 0)
		exit(status);
	fflush(NULL);
	_exit(status);
}
