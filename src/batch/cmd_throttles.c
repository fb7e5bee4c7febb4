/* SPDX-License-Identifier: Apache-2.0 */
/* kafops throttles: an item a replication throttle that is set, with the moves it serves. What they are: core/throttle.h. */
#include "core/throttle.h"

#include "base/str.h"
#include "batch/job.h"

static const char *const fields[] = { "scope", "name", "setting", "value", "serves", "leftover", NULL };
static const char *const table_fields[] = { "scope", "name", "setting", "value", "serves", "leftover=LEFT OVER", NULL };

/* What isn't known is null; but one move is enough to know that it isn't left over. */
static json_t *serves(const struct throttle *to)
{
	json_t *list;

	if (to->n_serves == 0 && !to->is_whole)
		return json_null();
	list = json_array();
	for (size_t i = 0; i < to->n_serves; i++) {
		json_t *one = json_object();

		json_put(one, "topic", json_text(to->serves[i].topic));
		json_put(one, "partition", json_integer(to->serves[i].partition));
		json_put(one, "broker", batch_count(to->serves[i].broker != BROKER_NONE, to->serves[i].broker));
		json_push(list, one);
	}
	return list;
}

/* For people: the first few, "orders:0 orders:1 and 40 more". */
static json_t *serves_text(const struct throttle *to)
{
	enum { SHOWN_MAX = 3 };
	struct strbuf out;
	json_t *v;

	if (to->n_serves == 0)
		return to->is_whole ? json_text("none") : json_null();
	strbuf_init(&out);
	for (size_t i = 0; i < to->n_serves && i < SHOWN_MAX; i++)
		strbuf_printf(&out, "%s%s:%d", i ? " " : "", to->serves[i].topic, to->serves[i].partition);
	if (to->n_serves > SHOWN_MAX)
		strbuf_printf(&out, " and %zu more", to->n_serves - SHOWN_MAX);
	v = json_text(out.s);
	strbuf_fini(&out);
	return v;
}

/* "10 MiB/s"; what is no rate stays as it stands, and so do lists. */
static json_t *value_text(const struct throttle *to)
{
	char text[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX + 8];
	int64_t n;

	if (to->topic != NULL || !str_to_i64(to->value, 0, INT64_MAX, &n))
		return json_text(to->value[0] ? to->value : "none");
	str_printf(rate, sizeof(rate), "%s/s", units_bytes(text, n));
	return json_text(n == INT64_MAX ? "unlimited" : rate);
}

static json_t *throttle_item(const struct batch_job *job, const struct throttle *to)
{
	bool is_table = job->opt->output == OUTPUT_TABLE;
	char name[ZNODE_NAME_MAX + 1];
	json_t *item = json_object();

	json_put(item, "scope", json_text(throttle_scope(to)));
	json_put(item, "name", json_text(throttle_name(to, name, sizeof(name))));
	json_put(item, "setting", json_text(throttle_setting_name(to->setting)));
	json_put(item, "value", is_table ? value_text(to) : json_text(to->value));
	json_put(item, "serves", is_table ? serves_text(to) : serves(to));
	json_put(item, "leftover", batch_bool(to->use != THROTTLE_UNCERTAIN, to->use == THROTTLE_LEFT));
	return item;
}

/* Where more may be set. */
static void warn_unread(struct batch_job *job)
{
	const struct cluster *cl = job->cl;

	if (cl->config_brokers_fact.know == KNOW_UNREADABLE)
		batch_warn(job, "/config/brokers can't be read: %s", why_text(cl->config_brokers_why));
	for (size_t i = 0; i < cl->n_brokers; i++)
		if (cl->brokers[i]->config_fact.know == KNOW_UNREADABLE)
			batch_warn(job, "/config/brokers/%d can't be read: %s", cl->brokers[i]->id, why_text(cl->brokers[i]->config_why));
	for (size_t i = 0; i < cl->n_configs_only; i++)
		if (cl->configs_only[i].fact.know == KNOW_UNREADABLE)
			batch_warn(job, "/config/brokers/%d can't be read: %s", cl->configs_only[i].id, why_text(cl->configs_only[i].why));
	for (size_t i = 0; i < cl->n_topics; i++)
		if (cl->topics[i]->config_fact.know == KNOW_UNREADABLE)
			batch_warn(job, "/config/topics/%s can't be read: %s", cl->topics[i]->name, why_text(cl->topics[i]->config_why));
}

static void run(struct batch_job *job)
{
	struct throttles th = throttles_of(job->cl);

	for (size_t i = 0; i < th.n; i++) {
		char name[ZNODE_NAME_MAX + 1];

		json_push(job->items, throttle_item(job, &th.v[i]));
		if (th.v[i].use == THROTTLE_UNCERTAIN)
			batch_warn(job, "%s %s, %s: whether a move needs it is not known: %s", throttle_scope(&th.v[i]),
				   throttle_name(&th.v[i], name, sizeof(name)), throttle_setting_name(th.v[i].setting), th.v[i].why);
	}
	warn_unread(job);
	throttles_fini(&th);
}

const struct batch_command cmd_throttles = {
	.list = BATCH_NO_LIST, .nothing = "no throttle was found", .fields = fields, .table_fields = table_fields, .asks = ASK_REASSIGNING | ASK_DISKS,
	.needs_zookeeper = true, .run = run,
};
