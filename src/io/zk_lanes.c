/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More sessions for a batch command that has much to read. A ZooKeeper server serves a connection's requests one after
 * another, with a turn of several threads for each; over four connections it reads 2,000 states in about half the time, with less
 * of a processor (3.5.9, two cores). A session is a write of the whole ensemble to begin and to end, so they are begun only
 * when more waits than one session has in flight.
 *
 * All are with the server that the first is with: what was read by one is not newer than what another reads later, as
 * within a session. One that can't be had (maxClientCnxns) is done without; one that is lost after it was up is the loss of all.
 * They set no watches.
 *
 * The library writes the server's address for its log into one buffer for all handles, whatever thread it is on. So it logs
 * failures alone from here on, and the second session shows whether the server has any to spare before the others are tried.
 * Should several fail at one moment, a line of the log may lack the address, no more: it is the same for all.
 */
#include "io/zk_parts.h"

#include <netdb.h>

#include "base/log.h"
#include "base/str.h"

/* What the library says of these connections is no news of the session. */
static void on_log(const char *line)
{
	log_put(LOG_DEBUG, "zookeeper", "%s", line);
}

static void take_event(struct zk_lane *ln, zhandle_t *zh, int type, int state)
{
	struct zk_handle *h = ln->h;

	if (h->is_dead || atomic_load(&h->is_closing) || type != ZOO_SESSION_EVENT)
		return;
	if (ln->zh != NULL) {
		if (state != ZOO_CONNECTED_STATE)
			zk_handle_lost(h, state);
		return;
	}
	if (state != ZOO_CONNECTED_STATE)
		return;
	zk_say_who(h, zh);
	ln->zh = zh;
	h->n_up++;
	zk_watch_widen(h->watch, h->zk->opt.window);
	zk_reads_leave(h);
}

static void on_event(zhandle_t *zh, int type, int state, const char *path, void *ctx)
{
	struct zk_lane *ln = ctx;

	pthread_mutex_lock(&ln->h->turn);
	take_event(ln, zh, type, state);
	pthread_mutex_unlock(&ln->h->turn);
}

/* The address of the server that the handle is connected to, as the library wants it. False: it can't be told. */
static bool server_address(const struct zk_handle *h, char *out, size_t size)
{
	char host[NI_MAXHOST], port[NI_MAXSERV];
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);

	return zookeeper_get_connected_host(h->zh, (struct sockaddr *)&sa, &len) != NULL &&
	       getnameinfo((const struct sockaddr *)&sa, len, host, sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) == 0 &&
	       str_printf(out, size, "%s:%s", host, port);
}

static bool open_lane(struct zk_handle *h, const char *address)
{
	struct zk_lane *ln = &h->lanes[1 + h->n_lanes];

	ln->h = h;
	ln->own = zookeeper_init2(address, on_event, (int)h->zk->opt.session_timeout, NULL, ln, ZOO_NO_LOG_CLIENTENV, on_log);
	if (ln->own == NULL)
		return false;
	zoo_set_servers_resolution_delay(ln->own, -1);
	h->n_lanes++;
	return true;
}

void zk_lanes_open(struct zk_handle *h)
{
	char address[NI_MAXHOST + NI_MAXSERV + 1];
	bool is_one_under_way = h->n_up < h->n_lanes;
	size_t wanted = h->n_lanes == 0 ? 1 : ZK_LANES_MORE;

	if (h->zk->write != NULL || h->n_lanes == ZK_LANES_MORE || is_one_under_way || h->is_dead || atomic_load(&h->is_closing) ||
	    !server_address(h, address, sizeof(address)))
		return;
	zoo_set_debug_level(ZOO_LOG_LEVEL_ERROR);
	while (h->n_lanes < wanted && open_lane(h, address))
		continue;
	log_put(LOG_INFO, "zk", "much is to be read: %zu sessions at %s", 1 + h->n_lanes, address);
}

struct zk_lane *zk_lanes_pick(struct zk_handle *h)
{
	struct zk_lane *best = &h->lanes[0];

	for (size_t i = 1; i <= h->n_lanes; i++)
		if (h->lanes[i].zh != NULL && h->lanes[i].out < best->out)
			best = &h->lanes[i];
	return best;
}

void zk_lanes_close(struct zk_handle *h)
{
	size_t n;

	pthread_mutex_lock(&h->turn);
	n = h->n_lanes;
	pthread_mutex_unlock(&h->turn);
	for (; n > 0; n--)
		zookeeper_close(h->lanes[n].own);
}
