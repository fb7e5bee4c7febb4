/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of io/rdk share, and nobody else: an inquiry, while its thread runs.
 *
 * [inquiry's thread] settings → handle → login → list of groups asked → end offsets (waits, in steps of half a second) → groups' answers are
 * served until it is time → end offsets again → told → handle destroyed.
 */
#ifndef IO_RDK_PARTS_H
#define IO_RDK_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include <librdkafka/rdkafka.h>

#include "base/err.h"
#include "core/appraisal.h"
#include "core/client_config.h"
#include "io/rdk.h"

struct map;

enum { RDK_MAGIC = 0x72646b31, RDK_STEP_MS = 500, RDK_TEXT_MAX = 512 };

struct rdk_part {
	size_t topic;            /* index into names */
	int32_t id;
	int64_t first;           /* end offset as it was asked first; -1 not known */
	bool is_up;              /* and more the second time */
	bool is_known;           /* both times */
};

/* Consumer groups, as far as they are. */
struct rdk_groups {
	rd_kafka_queue_t *queue; /* answers; NULL: not begun, or not needed */
	char **names;            /* [n_names], sorted */
	size_t n_names, n_asked, n_seen, n_out;
	bool *has_offsets;       /* [n_names] */
	bool is_listed;          /* the list came */
	bool is_list_out, is_probe_out;
	struct err list;         /* what is missing from it */
	struct err probe;        /* this user may not see them all */
	struct err refused;      /* the first group that could not be looked at */
	mono_ms until, told;
};

struct rdk {
	uint32_t magic;
	uint64_t id;
	pthread_mutex_t lock;    /* guards q and refs */
	struct evq *q;           /* NULL when nobody listens any more */
	int refs;                /* its owner's, its thread's */
	atomic_bool stop;
	struct rdk_times times;

	/* Copies. */
	enum client_protocol protocol;
	struct client_login login;
	struct client_tls tls;
	char *client_id, *servers;
	char **names;            /* [n_names] topics */
	size_t n_names;
	struct rdk_part *parts;
	size_t n_parts;
	bool has_offsets;

	/* The thread's. */
	rd_kafka_t *rk;
	mono_ms begun;
	struct map *topics;      /* names, to find them by */
	struct appraisal ap;     /* as told last */
	struct rdk_groups groups;
	bool has_token;
	struct err fatal;        /* no login, no TLS: nothing more will come */
	struct err trouble;      /* what librdkafka said last of a connection */
	struct err offsets;      /* the first partition that could not be asked */
};

/* ---- rdk_config ---- */
/* All that a thread of its own needs of the settings. */
void rdk_settings_copy(struct rdk *rd, const struct client_config *cc);
void rdk_settings_fini(struct rdk *rd);
/* May wait for a disk. NULL: librdkafka can't do it; ERR_UNSUPPORTED and whatever stores give. */
rd_kafka_conf_t *rdk_settings_make(struct rdk *rd, struct err *err);

/* ---- rdk ---- */
bool rdk_is_stopped(const struct rdk *rd);   /* nobody listens, or nothing more will come */
/* Callbacks of librdkafka that wait for us: errors, tokens. */
void rdk_serve(struct rdk *rd);
dur_ms rdk_left(const struct rdk *rd, mono_ms begun, dur_ms most); /* of `most`, and of the whole; 0: nothing */
void rdk_tell(struct rdk *rd);

/* ---- rdk_offsets ---- */
/* Asks for end offsets; waits. */
void rdk_offsets_ask(struct rdk *rd, bool is_second);
/* Of some the first time was answered: a second makes sense. */
bool rdk_offsets_have_any(const struct rdk *rd);
/* After the second time, or instead: what is known. */
void rdk_offsets_judge(struct rdk *rd);

/* ---- rdk_groups ---- */
void rdk_groups_begin(struct rdk *rd);
/* Serves answers for at most so long, or until it is over. */
void rdk_groups_turn(struct rdk *rd, dur_ms wait);
bool rdk_groups_are_over(const struct rdk *rd);
/* What is known, as far as they came. */
void rdk_groups_judge(struct rdk *rd);
void rdk_groups_fini(struct rdk *rd);

#endif
