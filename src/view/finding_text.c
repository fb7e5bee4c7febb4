/* SPDX-License-Identifier: Apache-2.0 */
#include "view/finding_text.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "core/command.h"

static bool is_held(const struct finding *fi)
{
	return fi->brokers.n > 0 && finding_is_held(fi);
}

/* What two findings have in common that stand together. */
static void put_key(const struct finding *fi, struct strbuf *key)
{
	strbuf_clear(key);
	strbuf_printf(key, "%d %s", (int)fi->severity, fi->kind);
	if (!is_held(fi)) {
		strbuf_printf(key, ": %s", fi->text);
		return;
	}
	for (uint32_t i = 0; i < fi->brokers.n; i++)
		strbuf_printf(key, " %d", (int)fi->brokers.v[i]);
}

static void add(struct finding_group *fg, const struct finding *fi)
{
	if (fg->n == 0)
		fg->first = fi;
	fg->n++;
	fg->n_replicas += fi->n_replicas;
	if (fi->topic != NULL && fg->n_names < FINDING_NAMES)
		fg->names[fg->n_names++] = fi->topic;
}

struct finding_group *finding_groups(const struct finding *v, size_t n, size_t *n_groups)
{
	struct finding_group *groups = n > 0 ? mem_array(n, sizeof(*groups)) : NULL;
	struct map *by_key = map_new();
	struct strbuf key;

	*n_groups = 0;
	strbuf_init(&key);
	for (size_t i = 0; i < n; i++) {
		struct finding_group *fg = NULL;

		if (v[i].topic != NULL) {
			put_key(&v[i], &key);
			fg = map_find(by_key, key.s);
		}
		if (fg == NULL) {
			fg = &groups[(*n_groups)++];
			if (v[i].topic != NULL)
				map_set(by_key, key.s, fg);
		}
		add(fg, &v[i]);
	}
	strbuf_fini(&key);
	map_free(&by_key, NULL);
	return groups;
}

/* ---- words ------------------------------------------------------------------------------------ */

static void put_names(const struct finding_group *fg, struct strbuf *out)
{
	char more[UNITS_TEXT_MAX];

	for (size_t i = 0; i < fg->n_names; i++)
		strbuf_printf(out, "%s%s", i == 0 ? "" : fg->n == fg->n_names && i + 1 == fg->n ? " and " : ", ", fg->names[i]);
	if (fg->n > fg->n_names)
		strbuf_printf(out, " and %s more", units_count(more, (int64_t)(fg->n - fg->n_names)));
}

static void put_brokers(const struct ids *brokers, struct strbuf *out)
{
	enum { SHOWN_MAX = 8 };

	strbuf_printf(out, "roker%s ", brokers->n == 1 ? "" : "s");
	for (uint32_t i = 0; i < brokers->n && i < SHOWN_MAX; i++)
		strbuf_printf(out, "%s%d", i > 0 ? ", " : "", (int)brokers->v[i]);
	if (brokers->n > SHOWN_MAX)
		strbuf_printf(out, " and %u more", (unsigned)(brokers->n - SHOWN_MAX));
}

static void put_held(const struct finding_group *fg, struct strbuf *out)
{
	const struct ids *brokers = &fg->first->brokers;
	bool is_one = brokers->n == 1, is_dead = strcmp(fg->first->kind, "replica-on-dead-broker") == 0;
	char topics[UNITS_TEXT_MAX], replicas[UNITS_TEXT_MAX];

	units_count(topics, (int64_t)fg->n);
	units_count(replicas, (int64_t)fg->n_replicas);
	if (is_dead) {
		strbuf_put(out, "B");
		put_brokers(brokers, out);
		strbuf_printf(out, " %s down and hold%s replicas of %s of them, %s replicas: they will wait until %s.", is_one ? "is" : "are", is_one ? "s" : "",
			      topics, replicas, is_one ? "it registers" : "all of these register");
	} else {
		strbuf_printf(out, "%s replicas of %s of them lie in log dirs that are offline, on b", replicas, topics);
		put_brokers(brokers, out);
		strbuf_put(out, ": they will wait until the dirs are mended and the broker");
		strbuf_printf(out, "%s restarted.", is_one ? " is" : "s are");
	}
	strbuf_put(out, " (");
	put_names(fg, out);
	strbuf_put(out, ")");
}

void finding_group_text(const struct finding_group *fg, struct strbuf *out)
{
	if (fg->n > 1 && is_held(fg->first)) {
		put_held(fg, out);
		return;
	}
	if (fg->n_names > 0) {
		put_names(fg, out);
		strbuf_put(out, ": ");
	}
	strbuf_put(out, fg->first->text);
}
