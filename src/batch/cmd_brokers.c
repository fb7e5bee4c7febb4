/* SPDX-License-Identifier: Apache-2.0 */
/* kafops brokers: an item a broker, registered or only named in an assignment. */
#include "batch/job.h"
#include "batch/word.h"
#include "core/disks.h"

static const char *const fields[] = {
	"broker", "state", "host", "port", "endpoints", "rack", "since", "controller", "leaders", "replicas",
	"under_replicated_followers", "size_bytes", "log_dirs", "log_dirs_offline", NULL
};

static const char *const table_fields[] = {
	"broker", "state", "host", "port", "rack", "since", "controller", "leaders", "replicas",
	"under_replicated_followers=UNDER", "size_bytes=SIZE", "log_dirs=DIRS", "log_dirs_offline=OFFL DIRS", NULL
};

static json_t *endpoints(const struct broker *br)
{
	json_t *list = json_array();

	for (size_t i = 0; i < br->info.n_endpoints; i++) {
		const struct zk_endpoint *ep = &br->info.endpoints[i];
		json_t *one = json_object();

		json_put(one, "listener", json_text(ep->listener));
		json_put(one, "protocol", json_text(ep->protocol));
		json_put(one, "host", json_text(ep->host));
		json_put(one, "port", json_integer(ep->port));
		json_push(list, one);
	}
	return list;
}

static json_t *broker_state(const struct cluster *cl, const struct broker *br)
{
	switch (cluster_broker_alive(cl, br->id)) {
	case KNOW_PRESENT:
		return json_text("up");
	case KNOW_ABSENT:
		return json_text("down");
	default:
		return json_null();
	}
}

/* What lies in a dir that is offline or has another error isn't known, so neither is the sum. */
static void put_disks(const struct batch_job *job, const struct broker *br, json_t *item)
{
	char why[BATCH_WHY_MAX];
	const struct disks *ds = batch_disks(job, br, why);
	size_t n_offline = ds != NULL ? disks_offline(ds) : 0;

	json_put(item, "size_bytes", batch_count(ds != NULL && disks_unread(ds) == 0, ds != NULL ? disks_size(ds) : 0));
	json_put(item, "log_dirs", batch_count(ds != NULL, ds != NULL ? (int64_t)ds->n_dirs : 0));
	json_put(item, "log_dirs_offline", batch_count(ds != NULL, (int64_t)n_offline));
}

static json_t *broker_item(const struct batch_job *job, const struct broker *br, bool has_assignments, bool has_states)
{
	const struct cluster *cl = job->cl;
	bool has_info = br->up && br->has_info && br->reg.know == KNOW_PRESENT;
	bool has_controller = cl->controller_fact.know == KNOW_PRESENT || cl->controller_fact.know == KNOW_ABSENT;
	const struct zk_endpoint *ep = has_info ? zk_broker_main_endpoint(&br->info) : NULL;
	json_t *item = json_object();

	json_put(item, "broker", json_integer(br->id));
	json_put(item, "state", broker_state(cl, br));
	json_put(item, "host", ep ? json_text(ep->host) : json_null());
	json_put(item, "port", batch_count(ep != NULL, ep ? ep->port : 0));
	json_put(item, "endpoints", has_info ? endpoints(br) : json_null());
	json_put(item, "rack", json_text(has_info ? br->info.rack : NULL));
	/* A bound is no moment: null rather than the time we happened to look. */
	json_put(item, "since", batch_time(br->since_exact ? br->since : (wall_ms){ 0 }));
	json_put(item, "controller", batch_bool(has_controller, cl->controller_fact.know == KNOW_PRESENT && cl->controller.broker == br->id));
	json_put(item, "leaders", batch_count(has_states, br->leaders));
	json_put(item, "replicas", batch_count(has_assignments, br->replicas));
	json_put(item, "under_replicated_followers", batch_count(has_states, br->under_followers));
	put_disks(job, br, item);
	return item;
}

static void run(struct batch_job *job)
{
	const struct cluster *cl = job->cl;
	bool has_assignments = cluster_assignments_are_whole(cl), has_states = cluster_counts_are_whole(cl);

	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];

		json_push(job->items, broker_item(job, br, has_assignments, has_states));
		if (br->up && br->reg.know == KNOW_UNREADABLE)
			batch_warn(job, "broker %d: the registration can't be read: %s", br->id, why_text(br->why));
		batch_warn_disks(job, br);
	}
	if (!has_assignments)
		batch_warn(job, "not every topic could be read: counts of replicas and leaders are left out");
	else if (!has_states)
		batch_warn(job, "not every partition's state could be read: counts of leaders and under-replicated followers are left out");
	if (cl->controller_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "/controller can't be read: %s", why_text(cl->controller_why));
}

const struct batch_command cmd_brokers = { .list = BATCH_BROKERS, .nothing = "no broker", .fields = fields, .table_fields = table_fields, .asks = ASK_DISKS | ASK_SETTINGS, .run = run };
