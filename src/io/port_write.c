/* SPDX-License-Identifier: Apache-2.0 */
#include "io/port_write.h"

#include "base/err.h"
#include "base/mem.h"
#include "core/port_write.h"
#include "io/kafka_write.h"
#include "io/zk_write.h"

struct writers {
	struct port_write port;
	struct zk *zk;
	struct kclient *kc;
};

static bool delete_topics(void *ctx, uint64_t id, const char *const *names, size_t n, dur_ms timeout_ms, struct err *err)
{
	struct writers *wr = ctx;

	if (wr->kc == NULL)
		return err_set(err, ERR_UNSUPPORTED, "no broker is asked anything here");
	return kafka_write_delete_topics(wr->kc, id, names, n, timeout_ms, err);
}

static bool create_marker(void *ctx, uint64_t id, const char *name, struct err *err)
{
	struct writers *wr = ctx;

	if (wr->zk == NULL)
		return err_set(err, ERR_UNSUPPORTED, "ZooKeeper is not asked anything here: --zookeeper is not given");
	return zk_write_create_marker(wr->zk, id, name, err);
}

static bool move_controller(void *ctx, uint64_t id, int64_t czxid, struct err *err)
{
	struct writers *wr = ctx;

	if (wr->zk == NULL)
		return err_set(err, ERR_UNSUPPORTED, "ZooKeeper is not asked anything here: --zookeeper is not given");
	return zk_write_move_controller(wr->zk, id, czxid, err);
}

struct port_write *port_write_new(struct zk *zk, struct kclient *kc)
{
	struct writers *wr = mem_zalloc(sizeof(*wr));

	*wr = (struct writers){ { wr, delete_topics, create_marker, move_controller }, zk, kc };
	return &wr->port;
}

void port_write_free(struct port_write **pp)
{
	struct writers *wr = *pp != NULL ? (*pp)->ctx : NULL;

	mem_free(&wr);
	*pp = NULL;
}
