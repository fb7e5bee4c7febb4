/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling: events into the queue, and the state of the connection, which is
 * told under the lock so that states come out in their order.
 */
#include "io/zk_parts.h"

#include <time.h>

#include "base/log.h"
#include "base/str.h"
#include "io/clock.h"
#include "io/evq.h"

int64_t zk_boot_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void zk_emit(struct zk *zk, struct event *ev)
{
	pthread_mutex_lock(&zk->out_lock);
	if (zk->q != NULL)
		evq_push(zk->q, ev);
	else
		event_free(&ev);
	pthread_mutex_unlock(&zk->out_lock);
}

void zk_tell_conn(struct zk *zk)
{
	mono_ms now = clock_mono();

	if (zk->h != NULL)
		zk->conn.last_answer.ms = atomic_load(&zk->h->answer_at) > zk->conn.last_answer.ms ?
			atomic_load(&zk->h->answer_at) : zk->conn.last_answer.ms;
	zk->told_at = now;
	zk->is_untold = false;
	zk_emit(zk, event_conn(zk->epoch, now, clock_wall(), &zk->conn));
}

void zk_tell_failure(struct zk *zk)
{
	if (mono_since(clock_mono(), zk->told_at) >= TELL_FAILURE_EVERY_MS) {
		zk_tell_conn(zk);
		return;
	}
	if (!zk->is_untold) {
		zk->is_untold = true;
		pthread_cond_signal(&zk->changed);
	}
}

void zk_tell_later(struct zk *zk)
{
	zk->told_at = clock_mono();
	zk->is_untold = true;
	pthread_cond_signal(&zk->changed);
}

const char *zk_silence_text(const struct zk *zk)
{
	return zk->is_taken ? "takes the connection, but does not answer" : "no answer";
}

void zk_set_text(char *out, size_t size, const char *s)
{
	if (!str_copy(out, size, s))
		log_put(LOG_DEBUG, "zk", "cut: %s", s);
}

void zk_set_error(struct zk *zk, const char *text)
{
	zk_set_text(zk->conn.error, sizeof(zk->conn.error), text);
}

void zk_set_server(struct zk *zk, size_t server)
{
	if (server > 0)
		zkserver_text(&zk->opt.connect.servers[server - 1], zk->conn.server, sizeof(zk->conn.server));
}
