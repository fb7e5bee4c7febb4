/* SPDX-License-Identifier: Apache-2.0 */
/* kafops info: every option with what set it, then what was found of the cluster. */
#include "base/err.h"
#include "app/reach.h"
#include "base/str.h"
#include "batch/job.h"
#include "core/client_config.h"

static const char *const fields[] = { "name", "value", "set_by", NULL };

static void put_json(struct batch_job *job, const char *name, json_t *value, const char *set_by)
{
	json_t *item = json_object();

	json_put(item, "name", json_text(name));
	json_put(item, "value", value);
	json_put(item, "set_by", json_text(set_by));
	json_push(job->items, item);
}

static void put_option(const char *name, const char *value, const char *set_by, void *ctx)
{
	put_json(ctx, name, json_text(value && value[0] ? value : NULL), set_by);
}

static void put_text(struct batch_job *job, const char *name, const char *value)
{
	put_json(job, name, json_text(value), "cluster");
}

static void put_count(struct batch_job *job, const char *name, bool is_known, int64_t n)
{
	put_json(job, name, batch_count(is_known, n), "cluster");
}

static bool is_there(const struct fact *fa)
{
	return fa->know == KNOW_PRESENT;
}

static void warn_unreadable(struct batch_job *job, const struct fact *fa, const char *path, const char *why)
{
	if (fa->know == KNOW_UNREADABLE)
		batch_warn(job, "%s can't be read: %s", path, why_text(why));
}

static const char *migration_text(const struct cluster *cl)
{
	bool is_known = cl->migration_fact.know != KNOW_UNKNOWN && cl->controller_fact.know != KNOW_UNKNOWN;

	if (cluster_in_migration(cl))
		return "to KRaft";
	return is_known ? "none" : NULL;
}

static const char *feature_text(const struct cluster *cl)
{
	switch ((enum know)cl->feature_fact.know) {
	case KNOW_PRESENT:
		return cl->feature.enabled ? "enabled" : "disabled";
	case KNOW_ABSENT:
		return "absent";
	default:
		return NULL;
	}
}

/* Each line of the client settings, those without effect, too (the warnings say why); secrets are masked already. */
static void put_settings(struct batch_job *job)
{
	const struct client_config *cc = reach_config(job->reach);
	struct strbuf place;

	strbuf_init(&place);
	for (size_t i = 0; i < cc->n_settings; i++) {
		const struct client_setting *st = &cc->settings[i];

		strbuf_clear(&place);
		strbuf_printf(&place, "%s:%u", reach_file(job->reach), st->at.line);
		put_json(job, st->key, json_text(st->shown), place.s);
	}
	strbuf_fini(&place);
}

static void warn_of_reach(struct batch_job *job)
{
	const struct err *why = reach_error(job->reach);
	const char *text;

	if (why)
		batch_warn(job, "%s", why->text);
	for (size_t i = 0; (text = reach_note(job->reach, i)) != NULL; i++)
		batch_warn(job, "%s", text);
}

/* What of --zk-auth and the like is possible at all. */
static void put_library(struct batch_job *job)
{
	put_json(job, "zookeeper_library", json_text(reach_zk_library()), "build");
	put_json(job, "zookeeper_library_digest", json_true(), "build");
	put_json(job, "zookeeper_library_tls", json_boolean(reach_zk_has_tls()), "build");
	put_json(job, "zookeeper_library_sasl", json_boolean(reach_zk_has_sasl()), "build");
}

static void put_cluster(struct batch_job *job)
{
	const struct cluster *cl = job->cl;
	bool has_topics = cl->topics_fact.know == KNOW_PRESENT, has_brokers = cluster_brokers_are_known(cl);

	put_text(job, "cluster_id", cl->cluster_id);
	put_count(job, "controller", is_there(&cl->controller_fact), cl->controller.broker);
	put_json(job, "controller_since", batch_time(is_there(&cl->controller_fact) ? cl->controller_since : (wall_ms){ 0 }), "cluster");
	put_count(job, "controller_epoch", is_there(&cl->controller_epoch_fact), cl->controller_epoch);
	put_text(job, "migration", migration_text(cl));
	put_text(job, "feature_versioning", feature_text(cl));
	put_count(job, "brokers_up", has_brokers, (int64_t)cluster_brokers_up(cl));
	put_count(job, "brokers", has_brokers, (int64_t)cl->n_brokers);
	put_count(job, "topics", has_topics, (int64_t)cl->n_topics);
	put_count(job, "partitions", has_topics, (int64_t)cl->n_partitions);
	put_count(job, "replicas", has_topics, (int64_t)cl->n_replicas);
	warn_unreadable(job, &cl->cluster_id_fact, "/cluster/id", cl->cluster_id_why);
	warn_unreadable(job, &cl->controller_fact, "/controller", cl->controller_why);
	warn_unreadable(job, &cl->controller_epoch_fact, "/controller_epoch", cl->controller_epoch_why);
	warn_unreadable(job, &cl->feature_fact, "/feature", cl->feature_why);
	warn_unreadable(job, &cl->migration_fact, "/migration", cl->migration_why);
	warn_unreadable(job, &cl->reassign_fact, "/admin/reassign_partitions", cl->reassign_why);
}

static void put_session(struct batch_job *job)
{
	const struct conn_info *co = &job->cl->conn;
	char id[32];

	str_printf(id, sizeof(id), "0x%llx", (unsigned long long)co->session_id);
	put_json(job, "zookeeper_server", json_text(co->server[0] ? co->server : NULL), "session");
	put_json(job, "zookeeper_server_read_only", batch_bool(co->state == CONN_UP, co->readonly_server), "session");
	put_json(job, "zookeeper_session_id", json_text(co->session_id ? id : NULL), "session");
	put_json(job, "zookeeper_session_timeout_ms", batch_count(co->session_timeout > 0, co->session_timeout), "session");
	put_json(job, "zookeeper_latency_ms", batch_count(co->latency >= 0, co->latency), "session");
	if (!job->stats)
		return;
	put_json(job, "zookeeper_watches", json_integer((json_int_t)job->stats->watches), "session");
	put_json(job, "zookeeper_reads", json_integer((json_int_t)job->stats->reads), "session");
}

/* How each broker was reached: NAME_address, NAME_connection, NAME_error. */
static void put_link(struct batch_job *job, const struct broker *br)
{
	static const char *const states[] = {
		[LINK_NONE] = "none", [LINK_CONNECTING] = "connecting", [LINK_UP] = "up", [LINK_FAILED] = "failed",
	};
	const struct link_info *li = &br->link;
	char name[40];

	str_printf(name, sizeof(name), "broker_%d_address", (int)br->id);
	put_json(job, name, json_text(li->address[0] ? li->address : NULL), "brokers");
	str_printf(name, sizeof(name), "broker_%d_connection", (int)br->id);
	put_json(job, name, json_text(states[li->state]), "brokers");
	str_printf(name, sizeof(name), "broker_%d_error", (int)br->id);
	put_json(job, name, json_text(li->error[0] ? li->error : NULL), "brokers");
}

static void put_links(struct batch_job *job)
{
	for (size_t i = 0; i < job->links->n_brokers; i++)
		put_link(job, job->links->brokers[i]);
}

static void run(struct batch_job *job)
{
	options_each(job->opt, put_option, job);
	put_library(job);
	if (job->reach) {
		warn_of_reach(job);
		put_settings(job);
	}
	if (job->cl) {
		put_cluster(job);
		put_session(job);
	}
	if (job->links)
		put_links(job);
}

const struct batch_command cmd_info = { .list = BATCH_NO_LIST, .fields = fields, .table_fields = fields, .asks = ASK_SETTINGS, .run = run };
