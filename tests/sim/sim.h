/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole cluster and a console before it, in one process and on one virtual clock: an ensemble (sim_zk.c), brokers (sim_broker.c) and the
 * controller's deletion machine (sim_controller.c, sim_states.c, sim_tdm.c: reference 2.2 to 2.8), and a console made of the real parts (sim_console.c, sim_kafka.c, sim_answers.c: zk_watch
 * and kpolls behind fake servers, the model, the deletions, the views, the gate). What happens is a plan (sim_plan.c); one event is taken a
 * step, and after each one it is checked that nothing is told that is not so (sim_check.c, sim_recount.c).
 *
 * The console gets what a real one gets: answers of the ensemble in its order, answers of brokers in theirs, late or lost. The checks
 * know the truth (sim_truth.c).
 *
 * All is one thread. All chance comes of the seed: a run with the same plan is the same run.
 */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/units.h"
#include "core/deletion.h"
#include "core/event.h"

enum {
	SIM_BROKERS = 4,    /* at most; ids 1 to 4 */
	SIM_TOPICS = 3,     /* "t0" to "t2" */
	SIM_PARTS = 3, SIM_REPLICAS = 5, SIM_DIRS = 2,
	SIM_ITEMS = SIM_TOPICS * SIM_PARTS,
	SIM_LOGS = 2 * SIM_ITEMS, /* on a broker, orphans too */
	SIM_PATH = 96, SIM_DATA = 384,
	SIM_ZNODES = 96,
	SIM_NAMES = 16,     /* children of a list, at most */
	SIM_ACTIONS = 64, SIM_TIMERS = 512, SIM_QUEUE = 64,
	SIM_BROKEN_MS = 5000, /* what is broken on purpose is from then on: when all has been read */
	SIM_SESSION_MS = 6000, SIM_REQUEST_MS = 30000
};

static const int64_t SIM_WALL_0 = INT64_C(1700000000000);

/* ---- the plan -------------------------------------------------------------------------------------- */

enum sim_do {
#define SIM_DO(id, name, n_args, weight) SIM_DO_##id,
#include "tests/sim/actions.def"
	SIM_DOS
};
struct sim_action {
	int64_t at;         /* ms */
	enum sim_do what;
	int32_t a, b;
};
struct sim_plan {
	uint64_t seed;
	unsigned steps;     /* faults end after so many events */
	struct sim_action v[SIM_ACTIONS];
	size_t n;
};

/* What is broken on purpose, so that the checks can be seen to find it. */
enum sim_broken {
	SIM_SOUND = 0,
	SIM_BROKEN_DISKS,       /* brokers leave a replica out of their log dirs now and then */
	SIM_BROKEN_ERROR,       /* brokers keep it to themselves that a log dir is offline */
	SIM_BROKEN_IDS,         /* the list of brokers lacks one that is up */
	SIM_BROKEN_TOPICS,      /* the list of topics lacks one that is there */
	SIM_BROKEN_STATE,       /* state nodes are told with a leader that they have lost */
	SIM_BROKEN_WORD,        /* the controller's broker says that it lists no topic */
	SIM_BROKEN_JOURNAL,     /* the journal says that it has written, and has not */
	SIM_BROKEN_COUNT,       /* a tally of the model is off by one */
	SIM_BROKEN_VIEW,        /* a view is not told of changes */
	SIM_BROKEN_LOSS,        /* the list of deletions' markers is told no more */
	SIM_BROKENS
};

/* ---- ZooKeeper -------------------------------------------------------------------------------------- */

struct sim_znode {
	char path[SIM_PATH];
	char data[SIM_DATA];
	struct znode_stat stat;
	int32_t owner;          /* broker whose session it hangs on; 0 none */
};

/* What the ensemble sends to the console, in its order. */
struct sim_message {
	bool is_firing;
	char path[SIM_PATH];
	void *token;            /* struct wpath */
	uint8_t how;            /* enum wread */
	uint8_t rc;             /* enum znode_rc */
	bool has_stat;
	struct znode_stat stat;
	char data[SIM_DATA];
	char names[SIM_NAMES][40];
	size_t n_names;
};
struct sim_watch {
	char path[SIM_PATH];
	bool is_of_children;
};

struct sim_zk {
	struct sim_znode v[SIM_ZNODES];
	size_t n;
	int64_t zxid;
	/* the console's session */
	struct sim_watch watches[SIM_ZNODES * 2];
	size_t n_watches;
	bool is_up;
	uint32_t session;       /* rises with each one */
	int64_t last_in, last_out; /* requests and answers keep their order */
	size_t n_out;           /* requests, answers and firings on their way */
	int64_t clean_at;       /* when the console last had all */
	int64_t slow_until;
};

/* ---- brokers ------------------------------------------------------------------------------------------ */

struct sim_log {
	bool is_used;
	int8_t topic, part, dir;
	int64_t czxid;          /* of the topic it was made for */
	int64_t size;
	bool was_refilled;      /* made again after it was deleted */
};

enum sim_req_kind { SIM_REQ_LEADER_ISR, SIM_REQ_STOP, SIM_REQ_DELETE, SIM_REQ_METADATA };
struct sim_item { int8_t topic, part; };
/* From the controller to a broker. */
struct sim_request {
	enum sim_req_kind kind;
	int32_t epoch;          /* the controller's */
	int64_t broker_epoch;
	int64_t czxid[SIM_TOPICS];
	struct sim_item v[SIM_ITEMS];
	size_t n;
	uint8_t gone;           /* SIM_REQ_METADATA: bits of topics that leave the cache */
	uint8_t listed;         /* and of those that are told */
	int32_t leaders[SIM_TOPICS][SIM_PARTS];
	int8_t n_parts[SIM_TOPICS];
	int32_t controller;
};
/* And its answer, for the controller's queue. */
struct sim_response {
	int32_t broker;
	enum sim_req_kind kind;
	int32_t epoch;
	struct sim_item v[SIM_ITEMS];
	bool has_failed[SIM_ITEMS];
	size_t n;
};

struct sim_broker {
	int32_t id;
	bool is_running, is_frozen;
	int64_t czxid;          /* of its registration while that stands, as itself believes; 0 none */
	int32_t epoch_seen;     /* the controller's, highest */
	uint32_t session;       /* which of its sessions a time-out is of */
	bool is_broken[SIM_DIRS];   /* the disk */
	bool is_offline[SIM_DIRS];  /* the broker has noticed */
	bool is_dropped[SIM_DIRS];  /* not in log.dirs any more */
	bool to_drop[SIM_DIRS];     /* at its next start */
	bool deletes;           /* delete.topic.enable */
	struct sim_log logs[SIM_LOGS];
	bool is_failed[SIM_TOPICS][SIM_PARTS]; /* HostedPartition.Offline */
	/* its metadata cache */
	bool lists[SIM_TOPICS];
	int32_t leaders[SIM_TOPICS][SIM_PARTS];
	int8_t n_parts[SIM_TOPICS];
	int32_t controller;
	/* what the controller has for it */
	struct sim_request queue[SIM_QUEUE];
	size_t n_queue;
	bool is_sending;
	uint32_t channel;       /* rises when the queue is thrown away */
	/* the console's side */
	int64_t slow_until;
};

/* ---- the controller ------------------------------------------------------------------------------------ */

struct sim_replica { int32_t broker; uint8_t state; bool is_on_bad_dir; };  /* enum rsm_state; SIM_NEW */
enum { SIM_NEW = RSM_STATES };
struct sim_part {
	struct sim_replica r[SIM_REPLICAS];
	size_t n;
	uint8_t adding, removing; /* bits of broker ids */
	bool is_moving;
	bool has_state;
	int32_t leader, leader_epoch;
	int32_t isr[SIM_REPLICAS];
	size_t n_isr;
	int32_t writer;         /* controller epoch in the node */
};
struct sim_topic {
	bool is_known;
	int64_t czxid;
	struct sim_part p[SIM_PARTS];
	size_t n;
	bool is_queued, is_started;
};

enum sim_event {
	SIM_EV_BROKERS = 0, SIM_EV_TOPICS, SIM_EV_MARKERS, SIM_EV_LOG_DIR, SIM_EV_RESPONSE, SIM_EV_MOVE, SIM_EV_MOVED, SIM_EV_ISR
};
struct sim_todo {
	enum sim_event what;
	int32_t a, b;
	int64_t czxid;
	struct sim_response rs;
};

struct sim_controller {
	bool is_active;         /* elected; its process may be frozen or dead */
	bool is_loaded;         /* the failover is through */
	int32_t id, epoch;
	int64_t live[SIM_BROKERS + 1]; /* czxid of each broker it knows to be up; 0 not */
	struct sim_topic t[SIM_TOPICS];
	bool is_ineligible[SIM_TOPICS];
	struct sim_todo queue[SIM_QUEUE];
	size_t n_queue;
	bool is_armed[3];       /* its watches on lists: of SIM_EV_BROKERS, _TOPICS, _MARKERS */
	/* Topics whose nodes it is removing. */
	bool is_completing[SIM_TOPICS];
	bool is_ticking;
	uint32_t term;          /* which controller a timer is of */
};

/* ---- the truth ----------------------------------------------------------------------------------------- */

/* Bits of what holds for a deletion, beside its replicas. */
enum {
	TRUE_MARKER = 1, TRUE_NODE = 2, TRUE_QUEUED = 4, TRUE_PASSED = 8 /* a pass has run on it */, TRUE_BUSY = 16 /* something is under way for it */,
	TRUE_NO_CONTROLLER = 32, TRUE_CONTROLLER_SILENT = 64, TRUE_MOVING = 128, TRUE_INELIGIBLE = 256, TRUE_CHILD = 512, TRUE_DISABLED = 1024,
	TRUE_LEADER = 2048 /* some partition has one */, TRUE_REFUSED = 4096 /* the controller took the marker away */, TRUE_OTHER = 8192 /* another topic has the name */,
	TRUE_NO_STATE = 16384, TRUE_LEFT_OVER = 32768 /* ineligible before it was queued */, TRUE_UNTOLD = 65536 /* by its controller not heard yet */
};
/* Of a broker. */
enum { TRUE_UP = 1, TRUE_MUTE = 2, TRUE_BAD_0 = 4, TRUE_BAD_1 = 8 };

enum { SIM_PAST = 96 };
struct sim_past { int64_t from; uint32_t is; };
/* What held when; a ring, the newest last. */
struct sim_history { struct sim_past v[SIM_PAST]; size_t n; };

/* Bits 1 << enum rsm_state, and above 16 1 << enum deletion_phase. */
struct sim_true_replica { int32_t part, broker; struct sim_history is; };
/* A topic of one czxid. */
struct sim_life {
	int topic;
	int64_t czxid;
	bool is_gone, was_marked, is_told_done;
	int64_t gone_at, ended_at; /* node gone; marker, too */
	bool has_passed, was_refused, was_left_over;
	struct sim_true_replica r[SIM_PARTS * SIM_REPLICAS];
	size_t n;
	struct sim_history is;
};
enum { SIM_LIVES = 24 };

/* ---- all ------------------------------------------------------------------------------------------------ */

struct sim;
struct sim_console;
typedef void (*sim_fn)(struct sim *si, int64_t a, int64_t b, void *p);
struct sim_timer { int64_t at; uint64_t no; sim_fn fn; int64_t a, b; void *p; };

struct sim_stats {
	uint64_t steps, claims, certain, likely, likely_right;
	uint64_t ends, deletions, by_row[64];
};

struct sim {
	struct sim_plan plan;
	enum sim_broken broken;
	uint64_t rnd;
	int64_t now;            /* ms since the start */
	struct sim_timer timers[SIM_TIMERS];
	size_t n_timers;
	uint64_t timer_no;
	int64_t consoles;       /* begun so far */
	uint32_t request_no;    /* of what the gate sent */
	/* what the cluster is like */
	int n_brokers, n_dirs, n_topics;
	bool is_25, is_31, leader_writes_isr, is_slow_controller;
	int64_t skew;           /* ZooKeeper's clock before ours, ms */
	bool is_healing;        /* the faults are over */
	bool is_bounced;        /* and every broker was started anew after that */
	struct sim_zk zk;
	struct sim_broker b[SIM_BROKERS + 1]; /* [0] unused */
	struct sim_controller ctl;
	struct sim_topic node[SIM_TOPICS]; /* what stands in ZooKeeper, states too */
	bool is_electing;
	int32_t controller_epoch;
	struct sim_console *con;
	struct sim_life lives[SIM_LIVES];
	size_t n_lives;
	struct sim_history of_broker[SIM_BROKERS + 1];
	/* what was found */
	bool has_failed;
	char failure[1024];
	struct strbuf *tape;    /* NULL, or what happened, a line each */
	struct sim_stats *stats;
};

/* A number below n. */
uint32_t sim_below(struct sim *si, uint32_t n);
int64_t sim_between(struct sim *si, int64_t lo, int64_t hi);
/* `p` (NULL, or of mem_alloc) is freed after the call. */
void sim_after(struct sim *si, int64_t ms, sim_fn fn, int64_t a, int64_t b, void *p);
/* A claim does not hold: the first is kept. */
void sim_fail(struct sim *si, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sim_say(struct sim *si, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
mono_ms sim_mono(const struct sim *si);
wall_ms sim_wall(const struct sim *si);
wall_ms sim_view_clock(const struct sim *si); /* whole seconds: ages on a screen are made anew once a second */
const char *sim_name(int topic);        /* "t0" */
int sim_topic_of(const char *name);     /* -1: none */

/* ---- sim_plan.c ---- */
void sim_plan_make(struct sim_plan *pl, uint64_t seed, unsigned steps);
void sim_plan_print(const struct sim_plan *pl, struct strbuf *out);
bool sim_plan_read(struct sim_plan *pl, const char *text, char *why, size_t size);
void sim_do(struct sim *si, const struct sim_action *ac);
/* All faults end: brokers and disks are mended and started. */
void sim_heal(struct sim *si);

/* ---- sim_zk.c ---- */
void sim_zk_begin(struct sim *si);
struct sim_znode *sim_zk_find(struct sim *si, const char *path);
/* Creates it or sets its data. False: there is no room. */
void sim_zk_put(struct sim *si, const char *path, const char *data, int32_t owner);
/* False: it has children, or isn't there. */
bool sim_zk_remove(struct sim *si, const char *path);
size_t sim_zk_children(struct sim *si, const char *path, char names[SIM_NAMES][40]);
bool sim_zk_has_marker(struct sim *si, int topic);
void sim_zk_session(struct sim *si, bool up);
/* A read of the console's, with a watch. */
bool sim_zk_read(struct sim *si, uint8_t how, const char *path, void *token);

/* ---- sim_broker.c ---- */
void sim_broker_register(struct sim *si, struct sim_broker *br);
void sim_broker_start(struct sim *si, int32_t id);
void sim_broker_kill(struct sim *si, int32_t id);
void sim_broker_stop(struct sim *si, int32_t id); /* and its session is closed */
void sim_broker_freeze(struct sim *si, int32_t id);
void sim_broker_thaw(struct sim *si, int32_t id);
void sim_broker_break_dir(struct sim *si, int32_t id, int dir);
struct sim_log *sim_broker_log(struct sim_broker *br, int topic, int part);
void sim_broker_send(struct sim *si, int32_t id, const struct sim_request *rq);
void sim_broker_forget_queue(struct sim_broker *br);
bool sim_broker_works(const struct sim_broker *br);

/* ---- sim_controller.c, sim_states.c, sim_tdm.c ---- */
void sim_controller_gone(struct sim *si);
void sim_controller_tick(struct sim *si);      /* there may be something to do */
void sim_controller_push(struct sim *si, const struct sim_todo *td);
void sim_controller_zk_changed(struct sim *si, enum sim_event what);
bool sim_controller_works(const struct sim *si);
void sim_topic_write(struct sim *si, int topic);
void sim_state_write(struct sim *si, int topic, int part);
bool sim_replica_is_live(const struct sim *si, const struct sim_replica *r);
void sim_replica_to(struct sim *si, int topic, int part, struct sim_replica *r, int state);
void sim_elect(struct sim *si, int topic, int part);
size_t sim_isr_at(const struct sim_part *pt, int32_t broker); /* n_isr: it is not in it */
void sim_update_metadata(struct sim *si, int32_t only, uint8_t topics);
/* Topics come of nothing: node, states, logs. */
void sim_topic_create(struct sim *si, int topic, bool by_client);
void sim_tdm_resume(struct sim *si);
void sim_tdm_resume_for(struct sim *si, int topic);
void sim_tdm_enqueue(struct sim *si, uint8_t topics);
void sim_tdm_fail(struct sim *si, const struct sim_item *v, const int32_t *brokers, size_t n);
void sim_tdm_succeed(struct sim *si, const struct sim_item *v, int32_t broker, size_t n);
void sim_tdm_mark_ineligible(struct sim *si, int topic);
/* One step of removing nodes; false: there is none. */
bool sim_tdm_complete_step(struct sim *si);
void sim_move_begin(struct sim *si, int topic, int part, int32_t to);
void sim_move_resume(struct sim *si, int topic, int part);
void sim_move_end(struct sim *si, int topic, int part, int64_t czxid);

/* ---- sim_console.c, sim_kafka.c ---- */
void sim_console_begin(struct sim *si, bool with_memory);
void sim_console_end(struct sim *si);
/* Takes `ev`. */
void sim_console_event(struct sim *si, struct event *ev);
void sim_console_zk_answer(struct sim *si, const struct sim_message *ms);
void sim_console_session(struct sim *si, bool up);
void sim_console_delete(struct sim *si, uint8_t topics, bool by_znode);
void sim_console_move_controller(struct sim *si);
void sim_console_journal_fails(struct sim *si, int n);
/* sim_gate.c */
void sim_gate_begin(struct sim *si);
void sim_gate_end(struct sim *si);
void sim_links_begin(struct sim *si);
void sim_links_end(struct sim *si);
void sim_links_turn(struct sim *si, uint32_t bits);
void sim_links_lost(struct sim *si, int32_t broker); /* its process died: connections are reset */
/* Nothing that it knows of deletions is older than this; for claims about a broker (BROKER_NONE: none in particular). */
int64_t sim_links_told_at(const struct sim *si, int32_t broker);
bool sim_links_is_up(const struct sim *si, int32_t broker);

/* ---- sim_truth.c ---- */
void sim_truth_take(struct sim *si);
struct sim_life *sim_life_find(struct sim *si, const char *topic, int64_t czxid);
struct sim_life *sim_life_begin(struct sim *si, int topic, int64_t czxid);
/* Whether some moment since `since` had any of (all of) the bits `want`, and none of `not`. */
bool sim_held(const struct sim_history *hi, int64_t since, uint32_t any, uint32_t all, uint32_t none);

/* ---- sim_check.c, sim_recount.c ---- */
void sim_check_claims(struct sim *si);
void sim_check_ends(struct sim *si);    /* after the faults and enough time */
void sim_check_model(struct sim *si);
void sim_check_views(struct sim *si);

/* A run. False: si->failure says what is not so. */
bool sim_run(const struct sim_plan *pl, enum sim_broken broken, char *failure, size_t size, struct strbuf *tape, struct sim_stats *stats);

#endif
