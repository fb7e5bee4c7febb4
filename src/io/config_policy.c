/* SPDX-License-Identifier: Apache-2.0 */
/* What is made of a profile's values. */
#include "io/config.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/pattern.h"
#include "core/policy.h"

const struct config_value *config_find(const struct config *cf, const char *key)
{
	for (size_t i = 0; i < cf->n; i++)
		if (strcmp(cf->v[i].key, key) == 0)
			return &cf->v[i];
	return NULL;
}

bool config_wrap(const struct config *cf, const struct config_value *cv, struct err *err)
{
	return err_wrap(err, "%s: line %u, column %u: %s", cf->file, cv->line, cv->column, cv->key);
}

bool config_yes(const struct config_value *cv)
{
	return strcmp(cv->text, "yes") == 0;
}

static bool add_pattern(const struct config *cf, const struct config_value *cv, struct policy *po, struct err *err)
{
	struct pattern *pn = pattern_new(cv->text, err);

	if (pn == NULL)
		return config_wrap(cf, cv, err);
	po->protected_topics = mem_realloc_array(po->protected_topics, po->n_protected + 1, sizeof(struct pattern *));
	po->protected_topics[po->n_protected++] = pn;
	return true;
}

static void take_yes(const struct config *cf, const char *key, bool *out)
{
	const struct config_value *cv = config_find(cf, key);

	if (cv != NULL)
		*out = config_yes(cv);
}

/* The range was looked at when the file was read. */
static void take_number(const struct config *cf, const char *key, uint32_t *out)
{
	const struct config_value *cv = config_find(cf, key);
	int64_t n;

	if (cv != NULL && str_to_i64(cv->text, 0, UINT32_MAX, &n))
		*out = (uint32_t)n;
}

bool config_policy(const struct config *cf, struct policy *po, struct err *err)
{
	const struct config_value *id = config_find(cf, "cluster-id");

	po->profile = mem_strdup(cf->profile);
	if (id != NULL)
		po->expected_cluster_id = mem_strdup(id->text);
	take_yes(cf, "operate", &po->operate);
	take_yes(cf, "internal-by-hand", &po->internal_by_hand);
	take_yes(cf, "protected-by-hand", &po->protected_by_hand);
	take_number(cf, "many-topics", &po->many_topics);
	take_number(cf, "many-percent", &po->many_percent);
	take_number(cf, "group-topics", &po->group_topics);
	for (size_t i = 0; i < cf->n; i++)
		if (strcmp(cf->v[i].key, "protected") == 0 && !add_pattern(cf, &cf->v[i], po, err))
			return false;
	return true;
}

void config_file_note(const struct config *cf, size_t i, char *out, size_t size)
{
	const char *names = config_find(cf, "zk-auth") != NULL ? "zk-auth" : config_find(cf, "command-config") != NULL ? "command-config" : NULL;

	out[0] = '\0';
	if (cf->others_may_write && i-- == 0)
		str_printf(out, size, "%s: others on this machine may change it, and so which cluster is meant and what may be done there; chmod go-w mends that",
			   cf->file);
	else if (names != NULL && cf->others_may_read && i == 0)
		str_printf(out, size, "%s: others on this machine may read it, and its %s names where passwords are; chmod go-r mends that", cf->file, names);
}
