/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of core/model share, and nobody else.
 *
 * Counts are kept by tallies: before a partition changes its share is taken
 * out of the counts of its topic, the cluster and its brokers; after the change it is put back. So a
 * change costs what it touches.
 */
#ifndef CORE_MODEL_PRIV_H
#define CORE_MODEL_PRIV_H

#include "core/model.h"

/* A topic's config read before the topic was (Kafka writes /config/topics/T first), or left after it went. */
struct waiting_config {
	struct fact fact;
	char *why;
	struct zk_config config;
	wall_ms changed;
};

struct model {
	struct cluster cl;
	uint32_t bits;            /* CHG_* */
	struct topic **changed;   /* topics with `dirty` */
	size_t n_changed, cap_changed;
	struct map *waiting;      /* name -> struct waiting_config */
	struct event_list configs; /* children of /config/topics, sorted */
	wall_ms seen;             /* of the event being applied */
	wall_ms epoch_written;    /* mtime of /controller_epoch; {0} unknown */
	wall_ms witness_due;      /* when time alone changes a witness; {0}: none */
};

/* model.c */
struct fact model_fact(const struct event *ev);
void model_text_take(char **dst, char **src);     /* frees *dst, moves *src there */
struct broker *model_broker_need(struct model *md, int32_t id);
struct broker *model_broker_find(struct model *md, int32_t id);  /* NULL when it isn't there */
bool model_broker_id(const char *name, int32_t *id); /* false: the name is no id */
void model_brokers_prune(struct model *md);       /* drops those only ever named in assignments that no longer are */

uint16_t model_bounded(uint32_t n);               /* at most REPLICAS_MAX */
void model_ids_set(int32_t **dst, uint16_t *n_dst, const int32_t *v, uint32_t n); /* copies the first REPLICAS_MAX */
void model_broker_forget_info(struct broker *br); /* its registration, as if it had never been seen */

void model_list_take(struct event_list *dst, struct event_list *src); /* frees *dst, moves *src there; src NULL: empties it */

/* model_topics.c */
void model_topics_list(struct model *md, struct event *ev);
void model_topic_node(struct model *md, struct event *ev);
void model_state(struct model *md, struct event *ev);
void model_topic_config(struct model *md, struct event *ev);
void model_topic_configs_list(struct model *md, struct event *ev);
void model_markers(struct model *md, struct event *ev);
void model_topics_clear(struct model *md);
struct topic *model_topic_add(struct model *md, const char *name);    /* that isn't there */
void model_topic_remove(struct model *md, struct topic *tp);          /* frees it */
/* Partitions and replicas as `zt` has them, identity and times from the event. */
void model_topic_assign(struct model *md, struct topic *tp, const struct zk_topic *zt, const struct event *ev);
void waiting_config_free(void *p);

/* model_metadata.c: the brokers' word on the cluster */
void model_link(struct model *md, struct event *ev);
void model_metadata(struct model *md, struct event *ev);
enum { MODEL_PART = 2000 }; /* partitions */
/* The next part of it. True when that was all. */
bool model_metadata_part(struct model *md, struct event *ev);
void model_reassigning(struct model *md, struct event *ev);
void model_broker_settings(struct model *md, struct event *ev);
void model_brokers_asked(struct model *md, struct event *ev);
/* The state node was read: what the brokers said is another's word, or the same. */
void model_word_meets_state(struct partition *pt);
void model_word_free(struct word **pp);

/* model_forget.c */
/* The brokers turned out to be of another cluster, or this one another, as `ev` tells: nothing they said is kept. */
void model_forget_brokers_word(struct model *md, const struct event *ev);

/* model_configs.c: configs of brokers */
void model_broker_config(struct model *md, struct event *ev);
void model_broker_configs_list(struct model *md, struct event *ev);
void model_broker_configs_clear(struct model *md);
/* A broker that is new here takes over its config; one that goes leaves it behind. */
void model_broker_config_meet(struct model *md, struct broker *br);
void model_broker_config_leave(struct model *md, struct broker *br);

/* model_disks.c: log dirs */
void model_disks(struct model *md, struct event *ev);
void model_disks_forget(struct model *md, struct broker *br);
/* A topic that is new here: what brokers hold of its name. */
void model_disks_size_topic(struct model *md, struct topic *tp);
/* What is assigned to whom changed for this name: which of its replicas are orphans. */
void model_disks_reflag(struct model *md, const char *name);
/* The same for all names: whether it is known what topics there are, and which go, changed. */
void model_disks_reflag_all(struct model *md);

/* model_witness.c: what is kept of deletions */
/* The list of markers changed from `old`; `was_read`: that was known. */
void model_witness_markers(struct model *md, const struct event_list *old, bool was_read);
void model_witness_marker(struct model *md, struct event *ev);
/* A topic's node was read, or a topic of this name came or went. */
void model_witness_topic(struct model *md, const char *name);
/* The list of topics was read. */
void model_witness_topics(struct model *md);
/* A reassignment of one of its partitions ended. */
void model_witness_reassigned(struct model *md, const struct topic *tp, wall_ms at);
/* A registration was read; the controller or its epoch was. */
void model_witness_broker(struct model *md, const struct broker *br);
void model_witness_controller(struct model *md);
/* What time alone changes. After every event. */
void model_witness_due(struct model *md);
/* A topic is not there any more, and was by a list read over the same connection; right before it is dropped. */
void model_witness_vanished(struct model *md, const struct topic *tp);
void model_witnesses_clear(struct model *md);
/* The one that goes on; NULL: none. */
struct witness *model_witness_live(struct model *md, const char *topic);
/* It changed, for whoever looks; and: what it watches moved. */
void model_witness_touch(struct model *md, struct witness *wi);
void model_witness_moved(struct model *md, struct witness *wi);
int32_t model_controller_epoch(const struct cluster *cl); /* -1 unknown */

/* model_attempts.c: what held up an attempt, by what the model sees of those left */
/* Of the last one, when it is counted. True: it is another than before. */
bool model_attempt_note(const struct model *md, struct witness *wi);
/* A broker went: what rests may have been held up by it before its session was over. */
void model_attempts_lost(struct model *md);

/* model_refuser.c: who refused a deletion */
/* At the end of one whose topic node stays; when the controller changed; when a broker's settings came. */
void model_refuser_note(struct model *md, struct witness *wi);
void model_refuser_controller(struct model *md, struct witness *wi);
void model_refuser_settings(struct model *md, const struct broker *br);

/* model_observe.c: what is seen of them */
struct state_was {
	uint8_t know, source;
	int32_t leader, leader_epoch;
	uint16_t n_isr;
};
void model_observe_assignment(struct model *md, struct witness *wi, const struct topic *tp);
void model_observe_states(struct model *md, struct witness *wi, const struct topic *tp);
/* A state node was read; what it was before. */
void model_observe_state(struct model *md, const struct topic *tp, const struct state_was *was, const struct partition *pt);
/* The broker's log dirs were told. */
void model_observe_disks(struct model *md, const struct broker *br);
/* An answer to Metadata lists the topic (KNOW_PRESENT), or would if the broker knew it (KNOW_ABSENT). */
void model_observe_word(struct model *md, const struct event *ev, const char *topic, enum know says);
/* The brokers were others. */
void model_observe_forget(struct model *md);

/* model_verdicts.c */
/* Takes a partition's share out of every count (sign -1) or puts it in (+1). */
void model_tally(struct model *md, struct topic *tp, const struct partition *pt, int sign);
void model_tally_topic(struct model *md, struct topic *tp, int sign);
/* In and out of the topics that changed. */
void model_topic_mark(struct model *md, struct topic *tp);
void model_topic_unmark(struct model *md, struct topic *tp);
/* What a judgement follows. */
struct turn {
	bool was_sure;   /* what was read now had been read before in this epoch: what turns by it turns now */
	wall_ms at;      /* when: of the write just read, or of its being noticed */
	wall_ms seen;    /* of the event */
};
struct turn model_turn(const struct event *ev, bool was_sure);
/* Judges a partition whose share is not in the counts, and keeps since when it is as it is (struct since). */
void model_judge(struct model *md, struct topic *tp, struct partition *pt, const struct turn *tu);
/* Judges all of a topic again: its surroundings changed. */
void model_judge_topic(struct model *md, struct topic *tp, const struct turn *tu);
/* The same for every topic: brokers came or went. */
void model_judge_all(struct model *md, const struct event *ev);
/* The same for what a broker leads: its settings are others. */
void model_judge_led(struct model *md, int32_t broker, const struct event *ev);

#endif
