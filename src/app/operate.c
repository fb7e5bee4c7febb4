/* SPDX-License-Identifier: Apache-2.0 */
#include "app/operate.h"

#include <sys/random.h>

#include "app/options.h"
#include "app/session.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/record.h"
#include "io/journal.h"
#include "io/who.h"

struct operate {
	struct gate *gate;
	struct record_who who;
	char journal[JOURNAL_PATH_MAX];
};

/* Where the system has none to give, the time and the process still tell two consoles apart. */
static uint64_t seed_of(const struct operate *op, const struct session *ss)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed))
		return seed;
	return (uint64_t)session_now(ss).ms << 20 ^ (uint64_t)op->who.pid;
}

struct operate *operate_new(const struct options *opt, struct session *ss, struct err *err)
{
	struct operate *op = mem_zalloc(sizeof(*op));

	if (!journal_default_path(op->journal, err)) {
		mem_free(&op);
		return NULL;
	}
	who_is(&op->who);
	op->gate = gate_new(&(struct gate_options){
		.policy = &opt->policy, .port = session_port(ss), .journal = gate_journal_file(op->journal), .who = &op->who,
		.zookeeper = session_zookeeper(ss)[0] != '\0' ? session_zookeeper(ss) : NULL, .seed = seed_of(op, ss),
	});
	return op;
}

void operate_free(struct operate **pp, const struct gate_facts *fa)
{
	struct operate *op = *pp;

	if (op == NULL)
		return;
	gate_free(&op->gate, fa);
	record_who_fini(&op->who);
	mem_free(pp);
}

bool operate_recall(const char *cluster_id, struct command *cm, struct err *err)
{
	char path[JOURNAL_PATH_MAX];
	struct gate_journal jo;

	if (!journal_default_path(path, err))
		return false;
	jo = gate_journal_file(path);
	return gate_journal_recall(&jo, cluster_id, cm, err);
}

struct gate *operate_gate(const struct operate *op)
{
	return op->gate;
}
