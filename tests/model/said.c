/* SPDX-License-Identifier: Apache-2.0 */
#include "said.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"
#include "core/metadata.h"

enum { MANY = 4096 };

struct said {
	struct metadata_answer *answer; /* being built */
	struct disks *disks;
	int dir;
	struct reassigning_list moves;
	const char *wrong;
	char **words;
	size_t n;
};

static struct metadata_answer *answer_new(void)
{
	struct metadata_answer *an = mem_zalloc(sizeof(*an));

	an->arena = arena_new(0);
	an->md.brokers = arena_alloc(an->arena, MANY * sizeof(*an->md.brokers));
	an->md.topics = arena_alloc(an->arena, MANY * sizeof(*an->md.topics));
	an->md.controller = BROKER_NONE;
	return an;
}

struct said *said_new(void)
{
	struct said *sd = mem_zalloc(sizeof(*sd));

	sd->answer = answer_new();
	sd->disks = disks_new();
	sd->dir = -1;
	return sd;
}

void said_free(struct said **pp)
{
	metadata_answer_free(&(*pp)->answer);
	disks_free(&(*pp)->disks);
	reassigning_list_fini(&(*pp)->moves);
	mem_free(pp);
}

static const char *word(const struct said *sd, size_t i)
{
	return i < sd->n ? sd->words[i] : "";
}

static int64_t to_number(struct said *sd, const char *s)
{
	int64_t v = 0;

	if (!str_to_i64(s, INT64_MIN, INT64_MAX, &v))
		sd->wrong = "expected a number";
	return v;
}

/* The text behind KEY= among the words; NULL when there is none. */
static const char *value(const struct said *sd, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = 1; i < sd->n; i++)
		if (strncmp(sd->words[i], key, len) == 0 && sd->words[i][len] == '=')
			return sd->words[i] + len + 1;
	return NULL;
}

static int64_t number_of(struct said *sd, const char *key, int64_t none)
{
	const char *s = value(sd, key);

	return s != NULL ? to_number(sd, s) : none;
}

static struct ids ids_of(struct said *sd, const char *key)
{
	const char *s = value(sd, key);
	struct ids ids = { NULL, 0 };
	char part[32];

	while (s != NULL && *s != '\0') {
		size_t len = strcspn(s, ",");

		str_printf(part, sizeof(part), "%.*s", (int)len, s);
		ids_push(&ids, (int32_t)to_number(sd, part));
		s += len + (s[len] == ',');
	}
	return ids;
}

static const int32_t *arena_ids(struct said *sd, const char *key, uint32_t *n)
{
	struct ids ids = ids_of(sd, key);
	int32_t *v = arena_alloc(sd->answer->arena, (ids.n ? ids.n : 1) * sizeof(*v));

	if (ids.n > 0)
		memcpy(v, ids.v, ids.n * sizeof(*v));
	*n = ids.n;
	ids_fini(&ids);
	return v;
}

/* ---- metadata -------------------------------------------------------------------------- */

static void do_lives(struct said *sd)
{
	struct metadata *md = &sd->answer->md;

	for (size_t i = 1; i < sd->n && md->n_brokers < MANY; i++)
		md->brokers[md->n_brokers++] = (struct md_broker){
			.id = (int32_t)to_number(sd, sd->words[i]), .port = 9092,
			.host = arena_printf(sd->answer->arena, "kafka%s.example", sd->words[i]),
		};
}

static struct md_topic *topic_of(struct said *sd, const char *name)
{
	struct metadata *md = &sd->answer->md;

	for (uint32_t i = 0; i < md->n_topics; i++)
		if (strcmp(md->topics[i].name, name) == 0)
			return &md->topics[i];
	md->topics[md->n_topics].name = arena_strdup(sd->answer->arena, name);
	md->topics[md->n_topics].partitions = arena_alloc(sd->answer->arena, 64 * sizeof(struct md_partition));
	return &md->topics[md->n_topics++];
}

static void do_says(struct said *sd)
{
	struct md_topic *mt = topic_of(sd, word(sd, 1));
	struct md_partition *mp = &mt->partitions[mt->n_partitions++];

	mp->partition = (int32_t)to_number(sd, word(sd, 2));
	mp->leader = (int32_t)number_of(sd, "leader", BROKER_NONE);
	mp->leader_epoch = (int32_t)number_of(sd, "epoch", -1);
	mp->replicas = arena_ids(sd, "replicas", &mp->n_replicas);
	mp->isr = arena_ids(sd, "isr", &mp->n_isr);
	mp->offline = arena_ids(sd, "offline", &mp->n_offline);
}

static struct event *do_metadata(struct said *sd, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_of_broker(EV_METADATA, (int32_t)to_number(sd, word(sd, 1)), NULL, seen, wall);
	const char *id = value(sd, "cluster");

	sd->answer->md.controller = (int32_t)number_of(sd, "controller", BROKER_NONE);
	sd->answer->md.cluster_id = id != NULL ? arena_strdup(sd->answer->arena, id) : NULL;
	sd->answer->is_all = strcmp(word(sd, 2), "all") == 0;
	metadata_sort(&sd->answer->md);
	ev->u.metadata = sd->answer;
	sd->answer = answer_new();
	return ev;
}

/* ---- log dirs --------------------------------------------------------------------------- */

static void do_dir(struct said *sd)
{
	sd->dir = disks_add_dir(sd->disks, word(sd, 1), (int16_t)number_of(sd, "error", 0), number_of(sd, "total", -1),
		number_of(sd, "usable", -1));
}

static void do_holds(struct said *sd)
{
	disks_add_topic(sd->disks, sd->dir, word(sd, 1));
	disks_add_replica(sd->disks, (int32_t)to_number(sd, word(sd, 2)), strcmp(word(sd, sd->n - 1), "future") == 0,
		number_of(sd, "size", 0), number_of(sd, "lag", 0));
}

static struct event *do_disks(struct said *sd, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_of_broker(EV_DISKS, (int32_t)to_number(sd, word(sd, 1)), NULL, seen, wall);

	disks_finish(sd->disks);
	ev->u.disks = sd->disks;
	sd->disks = disks_new();
	sd->dir = -1;
	return ev;
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void do_reassigns(struct said *sd)
{
	struct reassigning_list *l = &sd->moves;

	l->v = mem_realloc_array(l->v, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = (struct reassigning){
		.topic = mem_strdup(word(sd, 1)),
		.as = { .partition = (int32_t)to_number(sd, word(sd, 2)), .replicas = ids_of(sd, "replicas"),
			.adding = ids_of(sd, "adding"), .removing = ids_of(sd, "removing") },
	};
}

static struct event *do_reassigning(struct said *sd, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_of_broker(EV_REASSIGNING, (int32_t)to_number(sd, word(sd, 1)), NULL, seen, wall);

	ev->u.reassigning = sd->moves;
	memset(&sd->moves, 0, sizeof(sd->moves));
	return ev;
}

static int setting_cmp(const void *a, const void *b)
{
	return strcmp(((const struct zk_setting *)a)->key, ((const struct zk_setting *)b)->key);
}

static struct event *do_settings(struct said *sd, mono_ms seen, wall_ms wall)
{
	struct event *ev = event_of_broker(EV_BROKER_SETTINGS, (int32_t)to_number(sd, word(sd, 1)), NULL, seen, wall);
	struct zk_config *cf = &ev->u.config;

	cf->v = mem_array(sd->n, sizeof(*cf->v));
	for (size_t i = 2; i < sd->n; i++) {
		size_t len = strcspn(sd->words[i], "=");

		cf->v[cf->n].key = mem_strndup(sd->words[i], len);
		cf->v[cf->n++].value = mem_strdup(sd->words[i] + len + (sd->words[i][len] == '='));
	}
	if (cf->n > 1)
		qsort(cf->v, cf->n, sizeof(*cf->v), setting_cmp);
	return ev;
}

static struct event *do_link(struct said *sd, mono_ms seen, wall_ms wall)
{
	struct link_info info = { .latency = -1, .last_answer = seen };
	const char *state = word(sd, 2);

	info.state = strcmp(state, "up") == 0 ? LINK_UP : strcmp(state, "failed") == 0 ? LINK_FAILED : LINK_CONNECTING;
	for (size_t i = 3; *word(sd, i); i++)
		str_printf(info.error + strlen(info.error), sizeof(info.error) - strlen(info.error), "%s%s", i > 3 ? " " : "", word(sd, i));
	return event_link((int32_t)to_number(sd, word(sd, 1)), &info, seen, wall);
}

static struct event *do_event(struct said *sd, mono_ms seen, wall_ms wall)
{
	const char *verb = word(sd, 0);

	if (strcmp(verb, "metadata") == 0)
		return do_metadata(sd, seen, wall);
	if (strcmp(verb, "disks") == 0)
		return do_disks(sd, seen, wall);
	if (strcmp(verb, "refuses-disks") == 0)
		return event_of_broker(EV_DISKS, (int32_t)to_number(sd, word(sd, 1)), "no permission", seen, wall);
	if (strcmp(verb, "reassigning") == 0)
		return do_reassigning(sd, seen, wall);
	if (strcmp(verb, "refuses-reassigning") == 0)
		return event_of_broker(EV_REASSIGNING, (int32_t)to_number(sd, word(sd, 1)), "no answer", seen, wall);
	if (strcmp(verb, "settings") == 0)
		return do_settings(sd, seen, wall);
	if (strcmp(verb, "link") == 0)
		return do_link(sd, seen, wall);
	if (strcmp(verb, "asked") == 0)
		return event_of_broker(EV_BROKERS_ASKED, BROKER_NONE, sd->n > 1 ? word(sd, 1) : NULL, seen, wall);
	return NULL;
}

bool said_line(struct said *sd, char **words, size_t n, mono_ms seen, wall_ms wall, struct event **out, const char **wrong)
{
	static const struct { const char *verb; void (*fn)(struct said *); } parts[] = {
		{ "lives", do_lives }, { "says", do_says }, { "dir", do_dir }, { "holds", do_holds }, { "reassigns", do_reassigns },
	};

	sd->words = words;
	sd->n = n;
	sd->wrong = NULL;
	*out = NULL;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strcmp(words[0], parts[i].verb) == 0) {
			parts[i].fn(sd);
			*wrong = sd->wrong;
			return true;
		}
	if (strcmp(words[0], "says-unknown") == 0) {
		topic_of(sd, word(sd, 1))->error = 3;
		*wrong = NULL;
		return true;
	}
	*out = do_event(sd, seen, wall);
	*wrong = sd->wrong;
	return *out != NULL;
}
