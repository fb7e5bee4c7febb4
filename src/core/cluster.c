/* SPDX-License-Identifier: Apache-2.0 */
/* Look-up over what is known of a cluster. Containers are changed by core/model alone. */
#include "core/cluster.h"

#include <string.h>

#include "base/map.h"
#include "core/health.h"

const struct topic *cluster_topic_find(const struct cluster *cl, const char *name)
{
	return map_find(cl->topic_by_name, name);
}

static const char *topic_name_at(const void *list, size_t i)
{
	const struct cluster *cl = list;

	return cl->topics[i]->name;
}

size_t cluster_topic_place(const struct cluster *cl, const char *name, bool *is_there)
{
	return names_place(cl, cl->n_topics, topic_name_at, name, is_there);
}

size_t cluster_broker_place(const struct cluster *cl, int32_t id)
{
	size_t lo = 0, hi = cl->n_brokers;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (cl->brokers[mid]->id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct broker *cluster_broker_find(const struct cluster *cl, int32_t id)
{
	size_t at = cluster_broker_place(cl, id);

	return at < cl->n_brokers && cl->brokers[at]->id == id ? cl->brokers[at] : NULL;
}

const char *broker_setting(const struct broker *br, const char *key)
{
	return br != NULL && br->settings_fact.know == KNOW_PRESENT ? zk_config_find(&br->settings, key) : NULL;
}

int8_t broker_may_delete(const struct broker *br)
{
	const char *set = broker_setting(br, "delete.topic.enable");

	if (set == NULL)
		return -1;
	return strcmp(set, "false") == 0 ? 0 : strcmp(set, "true") == 0 ? 1 : -1;
}

const struct partition *topic_partition_find(const struct topic *tp, int32_t id)
{
	size_t lo = 0, hi = tp->n_parts;

	/* Nearly every topic has partitions 0 to n - 1. */
	if (id >= 0 && (size_t)id < tp->n_parts && tp->parts[id].id == id)
		return &tp->parts[id];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tp->parts[mid].id == id)
			return &tp->parts[mid];
		if (tp->parts[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

bool cluster_brokers_are_known(const struct cluster *cl)
{
	return cl->broker_ids_fact.know == KNOW_PRESENT || cl->broker_ids_fact.know == KNOW_ABSENT;
}

/* The registration itself was found, over the connection that could not read the list, or a later one. */
static bool is_found(const struct cluster *cl, const struct broker *br)
{
	return br->up && (br->reg.know == KNOW_PRESENT || br->reg.know == KNOW_UNREADABLE) &&
		br->reg.epoch >= cl->broker_ids_fact.epoch;
}

enum know cluster_broker_alive(const struct cluster *cl, int32_t id)
{
	const struct broker *br = cluster_broker_find(cl, id);

	if (!cluster_brokers_are_known(cl))
		return br != NULL && is_found(cl, br) ? KNOW_PRESENT : KNOW_UNKNOWN;
	return br != NULL && br->up ? KNOW_PRESENT : KNOW_ABSENT;
}

size_t cluster_brokers_up(const struct cluster *cl)
{
	size_t n = 0;

	for (size_t i = 0; i < cl->n_brokers; i++)
		n += cluster_broker_alive(cl, cl->brokers[i]->id) == KNOW_PRESENT;
	return n;
}

bool fact_is_old(const struct cluster *cl, const struct fact *fact)
{
	if (fact->know == KNOW_UNKNOWN)
		return false;
	return fact->source == SOURCE_BROKERS ? cl->n_links_up == 0 : fact->epoch < cl->epoch;
}

int32_t cluster_min_isr(const struct cluster *cl, const struct topic *tp, const struct partition *pt)
{
	const struct broker *br;

	/* Overrides that aren't known are not none. */
	if (tp->min_isr >= 0 || pt->leader < 0 || tp->config_fact.know == KNOW_UNREADABLE || tp->config_fact.know == KNOW_UNKNOWN)
		return tp->min_isr;
	br = cluster_broker_find(cl, pt->leader);
	return br != NULL ? br->min_isr : -1;
}

bool cluster_replica_is_sized(const struct cluster *cl, int32_t broker, const char *topic, int32_t partition)
{
	const struct broker *br = cluster_broker_find(cl, broker);

	if (br == NULL || br->disks == NULL)
		return false;
	return disks_unread(br->disks) == 0 || disks_replica(br->disks, topic, partition, false) != NULL;
}

bool cluster_size_is_whole(const struct cluster *cl, const struct topic *tp)
{
	if (tp->node.know != KNOW_PRESENT || cl->n_disks == 0)
		return false;
	for (size_t i = 0; i < tp->n_parts; i++)
		for (uint32_t j = 0; j < tp->parts[i].n_replicas; j++)
			if (!cluster_replica_is_sized(cl, tp->parts[i].ids[j], tp->name, tp->parts[i].id))
				return false;
	return true;
}

static bool is_read(const struct fact *fa)
{
	return fa->source == SOURCE_ZOOKEEPER && (fa->know == KNOW_PRESENT || fa->know == KNOW_ABSENT);
}

bool cluster_owner_is_known(const struct cluster *cl, const char *topic)
{
	const struct topic *tp = cluster_topic_find(cl, topic);

	if (cl->topics_fact.source != SOURCE_ZOOKEEPER || !is_read(&cl->markers_fact))
		return false;
	return tp != NULL ? tp->node.know == KNOW_PRESENT && tp->node.source == SOURCE_ZOOKEEPER : is_read(&cl->topics_fact);
}

const struct disk_replica *cluster_disk_replica(const struct cluster *cl, int32_t broker, const char *topic, int32_t partition,
	bool is_future, bool *is_known)
{
	const struct broker *br = cluster_broker_find(cl, broker);
	bool has_disks = br != NULL && br->disks != NULL;

	if (is_known)
		*is_known = has_disks;
	return has_disks ? disks_replica(br->disks, topic, partition, is_future) : NULL;
}

bool cluster_assignments_are_whole(const struct cluster *cl)
{
	return (cl->topics_fact.know == KNOW_PRESENT || cl->topics_fact.know == KNOW_ABSENT) && cl->n_topics_read == cl->n_topics;
}

bool cluster_counts_are_whole(const struct cluster *cl)
{
	return cluster_assignments_are_whole(cl) && topic_count(&cl->totals, PT_KNOWN) == cl->n_partitions;
}

bool cluster_is_stale(const struct cluster *cl)
{
	return cl->conn.state != CONN_UP || !cl->loaded;
}

bool cluster_in_migration(const struct cluster *cl)
{
	if (cl->migration_fact.know == KNOW_PRESENT || cl->migration_fact.know == KNOW_UNREADABLE)
		return true;
	return cl->controller_fact.know == KNOW_PRESENT &&
		(cl->controller_persistent || cl->controller.kraft_epoch > 0);
}
