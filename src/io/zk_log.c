/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's log, which goes to ours, and is the only place where the library
 * says which server failed and why.
 */
#include "io/zk_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"

/* The log callback has no context: it looks here. */
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct zk *registry;

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

/* "initiated connection to server 127.0.0.1:2181": it is taken, and the client has said who it is. */
static bool log_line_taken(const char *text, char addr[RESOLVE_TEXT_MAX])
{
	static const char words[] = "initiated connection to server ";
	const char *at = strstr(text, words);
	size_t n;

	if (at == NULL)
		return false;
	at += sizeof(words) - 1;
	n = strcspn(at, " \r\n");
	if (n > 2 && at[0] == '[' && at[n - 1] == ']') {
		at++;
		n -= 2;
	}
	return str_copyn(addr, RESOLVE_TEXT_MAX, at, n);
}

static const char *failure_text(const struct zk *zk, int errnum, char *buf, size_t size)
{
	switch (errnum) {
	case ECONNREFUSED:
		return "refused";
	case ETIMEDOUT:
		return zk_silence_text(zk);
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

/* Not who answers there has changed, only that this one's connection has ended. */
static bool is_end_of_connection(int errnum)
{
	return errnum == ETIMEDOUT || errnum == EHOSTDOWN || errnum == ECONNRESET || errnum == EPIPE;
}

/* Told only if it goes on. Another failure says more. */
static void on_taken(struct zk *zk, const char *addr)
{
	const struct resolve_addr *ad;

	pthread_mutex_lock(&zk->lock);
	ad = resolve_find(&zk->addrs, addr);
	if (ad != NULL && zk->h != NULL && !zk->is_lost && zk->conn.state == CONN_CONNECTING) {
		zk->is_taken = true;
		zk->tried = 1 + ad->server;
		if (zk->conn.error[0] == '\0') {
			zk_set_server(zk, zk->tried);
			zk_set_error(zk, zk_silence_text(zk));
			zk_tell_later(zk);
		}
	}
	pthread_mutex_unlock(&zk->lock);
}

static void on_failure(struct zk *zk, const char *addr, int errnum)
{
	const struct resolve_addr *ad;
	char buf[80];

	pthread_mutex_lock(&zk->lock);
	ad = resolve_find(&zk->addrs, addr);
	if (ad != NULL && zk->h != NULL && !zk->is_lost) {
		zk->tried = 1 + ad->server;
		if (zk->stranger != zk->tried || !is_end_of_connection(errnum)) {
			zk->stranger = 0;
			zk_set_error(zk, failure_text(zk, errnum, buf, sizeof(buf)));
		}
		zk->is_taken = false;
		if (zk->conn.state == CONN_CONNECTING) {
			zk_set_server(zk, zk->tried);
			zk->conn.tries++;
			zk->failures++;
			if (zk->h->with_readonly || zk->opt.allow_readonly_server)
				pthread_cond_signal(&zk->changed);
			zk_tell_failure(zk);
		}
	}
	pthread_mutex_unlock(&zk->lock);
}

void zk_on_log(const char *line)
{
	char addr[RESOLVE_TEXT_MAX];
	const char *text;
	enum log_level level = log_line_level(line, &text);
	bool has_failed;
	int errnum = 0;

	log_put(level, "zookeeper", "%s", text);
	has_failed = log_line_failure(text, addr, &errnum);
	if (!has_failed && !log_line_taken(text, addr))
		return;
	pthread_mutex_lock(&registry_lock);
	for (struct zk *zk = registry; zk != NULL; zk = zk->next_registered)
		if (has_failed)
			on_failure(zk, addr, errnum);
		else
			on_taken(zk, addr);
	pthread_mutex_unlock(&registry_lock);
}

void zk_register(struct zk *zk)
{
	pthread_mutex_lock(&registry_lock);
	zk->next_registered = registry;
	registry = zk;
	pthread_mutex_unlock(&registry_lock);
}

void zk_unregister(struct zk *zk)
{
	pthread_mutex_lock(&registry_lock);
	for (struct zk **at = &registry; *at != NULL; at = &(*at)->next_registered)
		if (*at == zk) {
			*at = zk->next_registered;
			break;
		}
	pthread_mutex_unlock(&registry_lock);
}
