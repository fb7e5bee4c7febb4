/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies one event to the cluster and answers with change bits. Total: any
 * event in any order leaves a consistent model. Events of an older ZooKeeper connection
 * (epoch) are ignored; a newer one begins a new epoch, in which facts keep their
 * old value (and old epoch) until they are read again.
 *
 * Thread: UI thread. Does no I/O and asks no clock: times come with the events.
 */
#ifndef CORE_MODEL_H
#define CORE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cluster.h"
#include "core/event.h"

enum {
	CHG_CONN      = 1 << 0,
	CHG_CLUSTER   = 1 << 1,  /* id, controller, epochs, feature, migration */
	CHG_BROKERS   = 1 << 2,  /* a broker came, went or changed */
	CHG_TOPICS    = 1 << 3,  /* a topic came or went */
	CHG_TOPIC     = 1 << 4,  /* a topic's content changed: struct changes names it */
	CHG_DELETIONS = 1 << 5,
	CHG_REASSIGN  = 1 << 6,
	CHG_PROGRESS  = 1 << 7,
	CHG_COUNTS    = 1 << 8,  /* totals or a broker's counts */
	CHG_LINKS     = 1 << 9,  /* connections to brokers */
	CHG_DISKS     = 1 << 10, /* log dirs of a broker, or which replicas in them are orphans */
	CHG_METADATA  = 1 << 11, /* the brokers' word: topics only they list, their controller, settings, what is being reassigned */
};

struct model;

struct model *model_new(void);
void model_free(struct model **pp);
const struct cluster *model_cluster(const struct model *md);

/* Takes `ev`. */
void model_apply(struct model *md, struct event *ev);
/* The same in parts, so that keys are answered between them: of an answer about very many topics some at a time, of any
 * other event all of it. False when more of *pp is left: go on with it before any other event (EV_LINK may come between). True: all is taken, *pp is NULL. */
bool model_apply_part(struct model *md, struct event **pp) __attribute__((warn_unused_result));

/* What changed since the last model_changes_clear. */
struct changes {
	uint32_t bits;                       /* CHG_* */
	const struct topic *const *topics;   /* changed topics, each once; borrowed until the next apply or clear */
	size_t n_topics;
};
struct changes model_changes(const struct model *md);
void model_changes_clear(struct model *md);

/* Takes what another run of the program saw of a deletion: it is joined with what is seen here. */
void model_remember(struct model *md, struct witness *wi);
/* What the witnesses hold now is kept (io/memory): none is dirty any more. */
void model_witnesses_kept(struct model *md);

/* Forgets everything, as after model_new (replay: scrubbing back). */
void model_reset(struct model *md);

#endif
