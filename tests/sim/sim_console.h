/* SPDX-License-Identifier: Apache-2.0 */
/* The console of a simulation: the real model, deletions, views and gate, and what stands for io's threads. For sim_*.c only. */
#ifndef TESTS_SIM_SIM_CONSOLE_H
#define TESTS_SIM_SIM_CONSOLE_H

#include "app/gate.h"
#include "core/model.h"
#include "core/outcome.h"
#include "core/policy.h"
#include "core/port_write.h"
#include "core/record.h"
#include "io/kpolls.h"
#include "io/zk_watch.h"
#include "tests/sim/sim.h"
#include "view/vm_brokers.h"
#include "view/vm_deletion.h"
#include "view/vm_deletions.h"
#include "view/vm_topics.h"

enum { SIM_RECORDS = 256, SIM_ANSWERS = 128, SIM_KEPT = 32, SIM_ASK_NAMES = 6 };

/* A question on its way. */
struct sim_ask {
	enum kpoll kind;
	int32_t broker;
	uint32_t conn;
	int64_t asked, made, from; /* made: when the broker took it; from: of the console that asks */
	char names[SIM_ASK_NAMES][16];
	size_t n_names;
};

/* A connection to a broker; one request of a kind at a time, as kpolls has it. */
struct sim_link {
	bool is_listed;
	uint8_t state;          /* enum link_state */
	uint32_t conn;          /* rises with each connection, and its end */
	bool wants_back, is_silent;
	int32_t tries;
	dur_ms backoff;
	int64_t retry_at, up_at, last_answer, since; /* since: of this state */
	char error[80];
};

/* When the broker made the last answer that came, and the one before. */
struct sim_reading { int64_t last, before; };

struct sim_links {
	struct kpolls *polls;
	struct sim_link v[SIM_BROKERS + 1];
	bool is_asked;
	uint32_t wake;          /* of the last timer set */
	struct event *answers[SIM_ANSWERS]; /* on their way */
	struct sim_reading disks[SIM_BROKERS + 1], word; /* log dirs; the controller's broker on queued topics */
	char told[64];
};

struct sim_console {
	struct model *md;
	struct deletions *ds;
	struct deletions *whole;   /* the same, inferred anew each turn */
	struct zk_watch *w;
	uint32_t epoch;
	bool is_turn_due;
	struct sim_links li;
	/* views, as screens hold them */
	struct query qu;
	struct vm_deletions *vm_list;
	struct vm_topics *vm_topics;
	struct vm_brokers *vm_brokers;
	struct vm_deletion *vm_one;
	/* the gate */
	struct policy po;
	struct port_write port;
	struct record_who who;
	struct gate *gate;
	struct record *records[SIM_RECORDS];
	size_t n_records;
	int journal_fails;
	unsigned n_calls;
	struct outcome *out;       /* of the request that is out, to be told when it ends */
	uint32_t out_no;
	/* what an earlier one saw */
	struct witness *kept[SIM_KEPT];
	size_t n_kept;
	int64_t shown_zk, shown_of[SIM_BROKERS + 1]; /* how old what the last turn had to go by was: ZooKeeper's word, a broker's ([0] the controller's) */
	char *told;                /* of deletions, at the last turn */
	uint32_t n_turns;
	int64_t no;                /* of this console: timers of an earlier one find another */
};

/* NULL: it is asked as the controller, and is not (any more). */
struct event *sim_answer(struct sim *si, struct sim_broker *br, const struct sim_ask *as);

#endif
