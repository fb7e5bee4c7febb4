/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's broker configs: /config/brokers/N and <default>. A config may be read before anything names its
 * broker, and stays after it went, so those of brokers that aren't there stand in a list of their own.
 */
#include <string.h>

#include "base/mem.h"
#include "core/model_priv.h"
#include "core/throttle.h"

static size_t place(const struct cluster *cl, int32_t id, bool *is_there)
{
	size_t at = 0;

	while (at < cl->n_configs_only && cl->configs_only[at].id < id)
		at++;
	*is_there = at < cl->n_configs_only && cl->configs_only[at].id == id;
	return at;
}

static void entry_fini(struct broker_config *bc)
{
	zk_config_fini(&bc->config);
	mem_free(&bc->why);
}

static void drop(struct cluster *cl, size_t at)
{
	cl->n_configs_only--;
	memmove(&cl->configs_only[at], &cl->configs_only[at + 1], (cl->n_configs_only - at) * sizeof(*cl->configs_only));
}

/* The entry of a broker that isn't there, made if need be. */
static struct broker_config *need(struct cluster *cl, int32_t id)
{
	bool is_there;
	size_t at = place(cl, id, &is_there);

	if (is_there)
		return &cl->configs_only[at];
	cl->configs_only = mem_realloc_array(cl->configs_only, cl->n_configs_only + 1, sizeof(*cl->configs_only));
	memmove(&cl->configs_only[at + 1], &cl->configs_only[at], (cl->n_configs_only - at) * sizeof(*cl->configs_only));
	cl->n_configs_only++;
	memset(&cl->configs_only[at], 0, sizeof(*cl->configs_only));
	cl->configs_only[at].id = id;
	return &cl->configs_only[at];
}

void model_broker_config_meet(struct model *md, struct broker *br)
{
	struct cluster *cl = &md->cl;
	bool is_there;
	size_t at = place(cl, br->id, &is_there);

	if (!is_there)
		return;
	br->config_fact = cl->configs_only[at].fact;
	br->config_why = cl->configs_only[at].why;
	br->config = cl->configs_only[at].config;
	drop(cl, at);
}

void model_broker_config_leave(struct model *md, struct broker *br)
{
	struct broker_config *bc;

	if (br->config_fact.know != KNOW_PRESENT && br->config_fact.know != KNOW_UNREADABLE)
		return;
	bc = need(&md->cl, br->id);
	entry_fini(bc);
	bc->fact = br->config_fact;
	bc->why = br->config_why;
	bc->config = br->config;
	br->config_why = NULL;
	memset(&br->config, 0, sizeof(br->config));
}

static void take_config(struct zk_config *config, struct event *ev)
{
	if (ev->know == KNOW_UNREADABLE)
		return;
	zk_config_fini(config);
	memset(config, 0, sizeof(*config));
	if (ev->know == KNOW_PRESENT) {
		*config = ev->u.config;
		memset(&ev->u.config, 0, sizeof(ev->u.config));
	}
}

static void take_only(struct cluster *cl, int32_t id, struct event *ev)
{
	struct broker_config *bc;
	bool is_there;
	size_t at = place(cl, id, &is_there);

	if (ev->know == KNOW_ABSENT) {
		if (is_there) {
			entry_fini(&cl->configs_only[at]);
			drop(cl, at);
		}
		return;
	}
	bc = need(cl, id);
	bc->fact = model_fact(ev);
	model_text_take(&bc->why, &ev->why);
	take_config(&bc->config, ev);
}

/* Before the config is taken. */
static void note_dir_rate(struct broker *br, const struct event *ev)
{
	const char *name = throttle_setting_name(THROTTLE_DIR_RATE);
	const char *old = zk_config_find(&br->config, name);
	const char *fresh = ev->know == KNOW_PRESENT ? zk_config_find(&ev->u.config, name) : NULL;
	bool was_known = br->config_fact.know == KNOW_PRESENT || br->config_fact.know == KNOW_ABSENT;

	if (was_known && fresh != NULL && (old == NULL || strcmp(old, fresh) != 0))
		br->dir_rate_seen = ev->seen;
}

void model_broker_config(struct model *md, struct event *ev)
{
	struct broker *br;
	int32_t id;

	md->bits |= CHG_BROKERS;
	if (strcmp(ev->name, "<default>") == 0) {
		take_config(&md->cl.default_config, ev);
		return;
	}
	if (!model_broker_id(ev->name, &id))
		return;
	br = model_broker_find(md, id);
	if (br == NULL) {
		take_only(&md->cl, id, ev);
		return;
	}
	note_dir_rate(br, ev);
	br->config_fact = model_fact(ev);
	model_text_take(&br->config_why, &ev->why);
	take_config(&br->config, ev);
}

static bool is_listed(const struct event *ev, int32_t broker)
{
	int32_t id;

	for (size_t j = 0; ev->know == KNOW_PRESENT && j < ev->u.list.n; j++)
		if (model_broker_id(ev->u.list.v[j], &id) && id == broker)
			return true;
	return false;
}

static bool is_default_listed(const struct event *ev)
{
	for (size_t j = 0; ev->know == KNOW_PRESENT && j < ev->u.list.n; j++)
		if (strcmp(ev->u.list.v[j], "<default>") == 0)
			return true;
	return false;
}

void model_broker_configs_list(struct model *md, struct event *ev)
{
	struct cluster *cl = &md->cl;

	cl->config_brokers_fact = model_fact(ev);
	model_text_take(&cl->config_brokers_why, &ev->why);
	md->bits |= CHG_BROKERS;
	if (ev->know == KNOW_UNREADABLE)
		return;
	for (size_t i = 0; i < cl->n_brokers; i++) {
		struct broker *br = cl->brokers[i];

		if (is_listed(ev, br->id))
			continue;
		br->config_fact = model_fact(ev);
		br->config_fact.know = KNOW_ABSENT;
		zk_config_fini(&br->config);
		memset(&br->config, 0, sizeof(br->config));
	}
	for (size_t i = cl->n_configs_only; i-- > 0;)
		if (!is_listed(ev, cl->configs_only[i].id)) {
			entry_fini(&cl->configs_only[i]);
			drop(cl, i);
		}
	if (!is_default_listed(ev)) {
		zk_config_fini(&cl->default_config);
		memset(&cl->default_config, 0, sizeof(cl->default_config));
	}
}

void model_broker_configs_clear(struct model *md)
{
	struct cluster *cl = &md->cl;

	for (size_t i = 0; i < cl->n_configs_only; i++)
		entry_fini(&cl->configs_only[i]);
	mem_free(&cl->configs_only);
	cl->n_configs_only = 0;
	zk_config_fini(&cl->default_config);
}
