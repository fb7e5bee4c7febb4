/* SPDX-License-Identifier: Apache-2.0 */
#include "io/sasl.h"

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <sasl/sasl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/sasl_kerberos.h"

enum { N_CALLBACKS = 5, SAID_MAX = 160 };

struct sasl_login {
	struct client_login how;
	char *host;                     /* the broker's */
	sasl_conn_t *conn;              /* NULL for OAUTHBEARER */
	void *cred;                     /* GSSAPI: see io/sasl_kerberos */
	sasl_callback_t callbacks[N_CALLBACKS];
	sasl_secret_t *password;        /* Cyrus's form of it, wiped with the login */
	struct secret token;            /* OAUTHBEARER */
	bool was_started, was_denied;
	char said[SAID_MAX];            /* by the broker, of a token that it denied */
};

/* ---- Cyrus's memory and locks --------------------------------------------------------------- */

/* What it frees may have been a password. */
static void wiping_free(void *p)
{
	if (p)
		explicit_bzero(p, malloc_usable_size(p));
	free(p);
}

static void *wiping_realloc(void *old, size_t size)
{
	size_t n = old ? malloc_usable_size(old) : 0;
	void *p = malloc(size);

	if (p && old)
		memcpy(p, old, n < size ? n : size);
	if (p || size == 0)
		wiping_free(old);
	return p;
}

static void *lock_new(void)
{
	pthread_mutex_t *lock = mem_zalloc(sizeof(*lock));

	pthread_mutex_init(lock, NULL);
	return lock;
}

/* What Cyrus's own functions made, where another library has started it before us, is no lock (common.c: sasl_mutex_new). */
static bool is_none(const void *lock)
{
	return (uintptr_t)lock <= 1;
}

static int lock_lock(void *lock)
{
	return is_none(lock) || pthread_mutex_lock(lock) == 0 ? SASL_OK : -1;
}

static int lock_unlock(void *lock)
{
	return is_none(lock) || pthread_mutex_unlock(lock) == 0 ? SASL_OK : -1;
}

static void lock_free(void *lock)
{
	if (is_none(lock))
		return;
	pthread_mutex_destroy(lock);
	mem_free(&lock);
}

/* By default it writes to syslog. */
static int on_log(void *ctx, int level, const char *text)
{
	return SASL_OK;
}

typedef int (*any_callback)(void);

static int start_rc;
static void start_library(void)
{
	static const sasl_callback_t callbacks[] = { { SASL_CB_LOG, (any_callback)(void *)on_log, NULL }, { SASL_CB_LIST_END, NULL, NULL } };

	sasl_set_alloc(malloc, calloc, wiping_realloc, wiping_free);
	sasl_set_mutex(lock_new, lock_lock, lock_unlock, lock_free);
	start_rc = sasl_client_init(callbacks);
}

static bool need_library(struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start_library);
	return start_rc == SASL_OK || err_set(err, ERR_UNSUPPORTED, "Cyrus SASL does not start: %s",
					      sasl_errstring(start_rc, NULL, NULL));
}

/* ---- who we are -------------------------------------------------------------------------------- */

static int on_name(void *ctx, int id, const char **out, unsigned *n)
{
	const struct sasl_login *sl = ctx;

	*out = id == SASL_CB_AUTHNAME && sl->how.username ? sl->how.username : "";
	if (n)
		*n = (unsigned)strlen(*out);
	return SASL_OK;
}

static int on_password(sasl_conn_t *conn, void *ctx, int id, sasl_secret_t **out)
{
	struct sasl_login *sl = ctx;

	*out = sl->password;
	return SASL_OK;
}

static void set_callbacks(struct sasl_login *sl)
{
	const struct secret *password = &sl->how.password;
	size_t i = 0;

	sl->password = mem_zalloc(sizeof(*sl->password) + password->n);
	sl->password->len = password->n;
	memcpy(sl->password->data, secret_reveal(password), password->n);
	sl->callbacks[i++] = (sasl_callback_t){ SASL_CB_USER, (any_callback)(void *)on_name, sl };
	sl->callbacks[i++] = (sasl_callback_t){ SASL_CB_AUTHNAME, (any_callback)(void *)on_name, sl };
	sl->callbacks[i++] = (sasl_callback_t){ SASL_CB_PASS, (any_callback)(void *)on_password, sl };
	sl->callbacks[i++] = (sasl_callback_t){ SASL_CB_LOG, (any_callback)(void *)on_log, NULL };
	sl->callbacks[i++] = (sasl_callback_t){ SASL_CB_LIST_END, NULL, NULL };
	assert(i == N_CALLBACKS);
}

/* ---- Cyrus's steps -------------------------------------------------------------------------------- */

static bool fails(const struct sasl_login *sl, int rc, struct err *err)
{
	bool is_gssapi = sl->how.mechanism == CLIENT_GSSAPI;
	const char *name = client_mechanism_name(sl->how.mechanism);

	if (rc == SASL_NOMECH)
		return err_set(err, ERR_UNSUPPORTED, "%s: Cyrus SASL's plug-in for it isn't here (Debian: %s)", name,
			       is_gssapi ? "libsasl2-modules-gssapi-mit" : "libsasl2-modules");
	if (!is_gssapi && (rc == SASL_BADSERV || rc == SASL_BADAUTH || rc == SASL_BADPROT))
		return err_set(err, ERR_REFUSED, "%s: the broker does not prove that it knows the password", name);
	if (is_gssapi)
		return sasl_kerberos_fails(&sl->how, sl->host, sasl_errdetail(sl->conn), err);
	return err_set(err, ERR_REFUSED, "%s: %s", name, sasl_errstring(rc, NULL, NULL));
}

static bool open_cyrus(struct sasl_login *sl, struct err *err)
{
	const char *service = sl->how.service ? sl->how.service : "kafka";
	sasl_security_properties_t no_layer = { .max_ssf = 0, .maxbufsize = 0 };
	int rc;

	if (sl->how.is_token)
		return err_set(err, ERR_UNSUPPORTED, "a delegation token (tokenauth) can't be used here: Cyrus SASL has no way to say that it is one");
	if (!need_library(err))
		return false;
	if (sl->how.mechanism == CLIENT_GSSAPI && !sasl_kerberos_take(&sl->how, &sl->cred, err))
		return false;
	set_callbacks(sl);
	rc = sasl_client_new(service, sl->host, NULL, NULL, sl->callbacks, 0, &sl->conn);
	if (rc == SASL_OK)
		rc = sasl_setprop(sl->conn, SASL_SEC_PROPS, &no_layer);
	if (rc == SASL_OK && sl->cred)
		rc = sasl_setprop(sl->conn, SASL_GSS_CREDS, sl->cred);
	return rc == SASL_OK || fails(sl, rc, err);
}

static bool step_cyrus(struct sasl_login *sl, const void *in, size_t n, struct secret *out, bool *is_done, struct err *err)
{
	const char *said = NULL;
	unsigned size = 0;
	int rc;

	rc = sl->was_started ? sasl_client_step(sl->conn, in, (unsigned)n, NULL, &said, &size) :
			       sasl_client_start(sl->conn, client_mechanism_name(sl->how.mechanism), NULL, &said, &size, NULL);
	if (rc != SASL_OK && rc != SASL_CONTINUE)
		return fails(sl, rc, err);
	secret_setn(out, said ? said : "", said ? size : 0);
	/* PLAIN has said all it has to; Cyrus alone thinks that something may come. */
	*is_done = rc == SASL_OK || sl->how.mechanism == CLIENT_PLAIN;
	return true;
}

/* ---- OAUTHBEARER ------------------------------------------------------------------------------------ */

/* RFC 7628, section 3.1: the GS2 header, then fields that end with ^A. */
static void put_bearer(const struct secret *token, struct secret *out)
{
	static const char head[] = "n,,\001auth=Bearer ";

	secret_setn(out, head, sizeof(head) - 1);
	secret_putn(out, secret_reveal(token), token->n);
	secret_putn(out, "\001\001", 2);
}

/* Section 3.2.3: a broker that denies says why, in JSON, and wants a ^A before it fails. */
static bool step_bearer(struct sasl_login *sl, const void *in, size_t n, struct secret *out, bool *is_done, struct err *err)
{
	*is_done = false;
	if (!sl->was_started) {
		put_bearer(&sl->token, out);
		return true;
	}
	if (sl->was_denied)
		return err_set(err, ERR_REFUSED, "OAUTHBEARER: the broker denies the token: %s", sl->said);
	secret_set(out, "");
	*is_done = n == 0;
	if (n > 0) {
		sl->was_denied = true;
		if (!str_copyn(sl->said, sizeof(sl->said) - 4, in, n))
			memcpy(sl->said + strlen(sl->said), "...", 4);
		secret_setn(out, "\001", 1);
	}
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

struct sasl_login *sasl_login_new(const struct client_login *how, const char *host, wall_ms now, struct err *err)
{
	struct sasl_login *sl = mem_zalloc(sizeof(*sl));
	bool is_ok;

	client_login_copy(how, &sl->how);
	sl->host = mem_strdup(host);
	secret_init(&sl->token);
	if (how->mechanism == CLIENT_OAUTHBEARER)
		is_ok = sasl_token_get(how, now, &sl->token, err);
	else
		is_ok = open_cyrus(sl, err);
	if (!is_ok)
		sasl_login_free(&sl);
	return sl;
}

void sasl_login_free(struct sasl_login **pp)
{
	struct sasl_login *sl = *pp;

	if (!sl)
		return;
	if (sl->conn)
		sasl_dispose(&sl->conn);
	sasl_kerberos_free(&sl->cred);
	if (sl->password)
		explicit_bzero(sl->password, sizeof(*sl->password) + sl->password->len);
	mem_free(&sl->password);
	secret_fini(&sl->token);
	mem_free(&sl->host);
	client_login_fini(&sl->how);
	mem_free(pp);
}

bool sasl_login_step(struct sasl_login *sl, const void *in, size_t n, struct secret *out, bool *is_done, struct err *err)
{
	bool is_ok;

	*is_done = false;
	is_ok = sl->conn ? step_cyrus(sl, in, n, out, is_done, err) : step_bearer(sl, in, n, out, is_done, err);
	sl->was_started = true;
	if (!is_ok)
		secret_fini(out);
	return is_ok;
}
