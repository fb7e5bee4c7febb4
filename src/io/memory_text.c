/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a memory file, both ways. What is read is checked as anything from outside: it may be damaged, or edited. */
#include "io/memory_parts.h"

#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/event.h"
#include "core/witness.h"
#include "io/base64.h"

enum { MEMORY_VERSION = 1, WORDS = 5 };

static const char *const trigger_words[WORDS] = {
	[WITNESS_MARKED] = "marked", [WITNESS_BROKER_STARTED] = "broker started", [WITNESS_CONTROLLER] = "controller elected",
	[WITNESS_REASSIGNED] = "reassigned", [WITNESS_FOUND] = "found",
};

void witness_list_fini(struct witness_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		witness_free(&l->v[i]);
	mem_free(&l->v);
	l->n = 0;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void put_name(json_t *obj, const char *key, const char *name)
{
	char key64[16];
	struct strbuf b64;

	if (utf8_is_valid(name, strlen(name))) {
		json_put(obj, key, json_text(name));
		return;
	}
	strbuf_init(&b64);
	base64_write(&b64, name, strlen(name));
	if (str_printf(key64, sizeof(key64), "%s64", key))
		json_put(obj, key64, json_text(b64.s));
	strbuf_fini(&b64);
}

/* Nothing for `none`. */
static void put_number(json_t *obj, const char *key, int64_t v, int64_t none)
{
	if (v != none)
		json_put(obj, key, json_integer(v));
}

static void put_true(json_t *obj, const char *key, bool v)
{
	if (v)
		json_put(obj, key, json_true());
}

static json_t *replica_object(const struct witness_replica *wr)
{
	json_t *obj = json_object();

	json_put(obj, "partition", json_integer(wr->partition));
	json_put(obj, "broker", json_integer(wr->broker));
	if (wr->dir != NULL)
		put_name(obj, "dir", wr->dir);
	put_number(obj, "size", wr->size_bytes, -1);
	put_number(obj, "listed", wr->listed.ms, 0);
	put_number(obj, "gone", wr->gone.ms, 0);
	put_number(obj, "gone_epoch", wr->gone_epoch, -1);
	put_number(obj, "failed", wr->dir_failed.ms, 0);
	put_number(obj, "failed_epoch", wr->dir_failed_epoch, -1);
	put_number(obj, "registration", wr->broker_czxid, 0);
	put_true(obj, "refilled", wr->refilled);
	return obj;
}

static json_t *attempt_object(const struct witness_attempt *at)
{
	json_t *obj = json_object();

	json_put(obj, "trigger", json_text(trigger_words[at->trigger]));
	put_number(obj, "broker", at->id, BROKER_NONE);
	put_number(obj, "epoch", at->epoch, -1);
	json_put(obj, "at", json_integer(at->at.ms));
	put_true(obj, "effect", at->effect_seen);
	put_number(obj, "done", at->done, 0);
	put_number(obj, "left", at->left, 0);
	put_number(obj, "rested", at->rested.ms, 0);
	if (at->why[0] != '\0')
		put_name(obj, "why", at->why);
	return obj;
}

static void put_controller(json_t *obj, const struct witness *wi)
{
	json_t *word;

	if (wi->ctrl_lists != KNOW_PRESENT && wi->ctrl_lists != KNOW_ABSENT)
		return;
	word = json_object();
	json_put(word, "lists", json_boolean(wi->ctrl_lists == KNOW_PRESENT));
	put_number(word, "since", wi->ctrl_since.ms, 0);
	json_put(word, "polls", json_integer(wi->ctrl_polls));
	put_number(word, "epoch", wi->ctrl_epoch, -1);
	json_put(obj, "controller", word);
}

static json_t *witness_object(const struct witness *wi)
{
	json_t *obj = json_object(), *replicas = json_array(), *attempts = json_array();

	put_name(obj, "topic", wi->topic);
	put_number(obj, "czxid", wi->czxid, 0);
	put_number(obj, "marker_czxid", wi->marker_czxid, 0);
	put_number(obj, "marked", wi->marked.ms, 0);
	put_number(obj, "first_seen", wi->first_seen.ms, 0);
	put_true(obj, "came", wi->came);
	put_number(obj, "children", wi->n_children, -1);
	put_number(obj, "epoch_first", wi->epoch_first, -1);
	put_controller(obj, wi);
	put_number(obj, "pass_seen", wi->pass_seen.ms, 0);
	put_true(obj, "was_alive", wi->was_alive);
	put_true(obj, "marker_gone", wi->end == WITNESS_MARKER_GONE);
	put_number(obj, "end_controller", wi->end_controller, BROKER_NONE);
	put_number(obj, "end_enabled", wi->end_enabled, -1);
	put_true(obj, "end_is_open", wi->end_is_open);
	put_number(obj, "ended", wi->ended.ms, 0);
	put_number(obj, "changed", wi->changed.ms, 0);
	put_number(obj, "dropped", wi->n_dropped, 0);
	for (size_t i = 0; i < wi->n_replicas; i++)
		json_push(replicas, replica_object(&wi->replicas[i]));
	json_put(obj, "replicas", replicas);
	for (size_t i = 0; i < wi->n_attempts; i++)
		json_push(attempts, attempt_object(&wi->attempts[i]));
	json_put(obj, "attempts", attempts);
	return obj;
}

static int newest_first(const void *a, const void *b)
{
	const struct witness *wa = *(const struct witness *const *)a, *wb = *(const struct witness *const *)b;

	return wa->changed.ms > wb->changed.ms ? -1 : wa->changed.ms < wb->changed.ms;
}

void memory_text(struct strbuf *out, const char *cluster_id, const struct witness_list *l, size_t max_bytes)
{
	const struct witness **order = mem_array(l->n + 1, sizeof(*order));
	json_t *id = json_text(cluster_id);
	const char *before = "\n";

	for (size_t i = 0; i < l->n; i++)
		order[i] = l->v[i];
	if (l->n > 1)
		qsort(order, l->n, sizeof(*order), newest_first);
	strbuf_printf(out, "{\"kafops_memory\":%d,\"cluster\":", MEMORY_VERSION);
	json_write(out, id);
	strbuf_put(out, ",\"deletions\":[");
	for (size_t i = 0; i < l->n; i++) {
		json_t *obj = witness_object(order[i]);
		struct strbuf line;

		strbuf_init(&line);
		json_write(&line, obj);
		if (out->len + line.len + 8 <= max_bytes) {
			strbuf_put(out, before);
			strbuf_putn(out, line.s, line.len);
			before = ",\n";
		}
		strbuf_fini(&line);
		json_decref(obj);
	}
	strbuf_put(out, "\n]}\n");
	json_decref(id);
	mem_free(&order);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* NULL without an error where it isn't there. */
static bool get_name(const json_t *obj, const char *key, size_t max, char **out, struct err *err)
{
	const char *s = NULL, *s64 = NULL;
	char key64[16];
	struct strbuf sb;

	*out = NULL;
	if (!str_printf(key64, sizeof(key64), "%s64", key) || !json_opt_str(obj, key, &s, err) || !json_opt_str(obj, key64, &s64, err))
		return false;
	if (s == NULL && s64 == NULL)
		return true;
	strbuf_init(&sb);
	if (s != NULL)
		strbuf_put(&sb, s);
	else if (!base64_read(&sb, s64) || memchr(sb.s, '\0', sb.len) != NULL) {
		strbuf_fini(&sb);
		return err_set(err, ERR_FORMAT, "%s64: is not base64 of a name", key);
	}
	if (sb.len == 0 || sb.len > max) {
		strbuf_fini(&sb);
		return err_set(err, ERR_FORMAT, "%s: is empty or too long", key);
	}
	*out = strbuf_take(&sb);
	strbuf_fini(&sb);
	return true;
}

static bool get_time(const json_t *obj, const char *key, wall_ms *out, struct err *err)
{
	return json_opt_i64(obj, key, 0, INT64_MAX / 4, &out->ms, err);
}

static bool get_i32(const json_t *obj, const char *key, int32_t min, int32_t *out, struct err *err)
{
	int64_t v = *out;

	if (!json_opt_i64(obj, key, min, INT32_MAX, &v, err))
		return false;
	*out = (int32_t)v;
	return true;
}

static bool get_u32(const json_t *obj, const char *key, uint32_t *out, struct err *err)
{
	int64_t v = 0;

	if (!json_opt_i64(obj, key, 0, UINT32_MAX, &v, err))
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool is_true(const json_t *obj, const char *key)
{
	return json_is_true(json_object_get(obj, key));
}

static bool read_replica(const json_t *obj, struct witness_replica *wr, struct err *err)
{
	int64_t partition, broker;

	*wr = (struct witness_replica){ .size_bytes = -1, .gone_epoch = -1, .dir_failed_epoch = -1 };
	if (!json_is_object(obj))
		return err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(obj));
	if (!json_need_i64(obj, "partition", 0, INT32_MAX, &partition, err) || !json_need_i64(obj, "broker", 0, INT32_MAX, &broker, err) ||
	    !json_opt_i64(obj, "size", 0, INT64_MAX, &wr->size_bytes, err) || !get_time(obj, "listed", &wr->listed, err) ||
	    !get_time(obj, "gone", &wr->gone, err) || !get_i32(obj, "gone_epoch", 0, &wr->gone_epoch, err) ||
	    !get_time(obj, "failed", &wr->dir_failed, err) || !get_i32(obj, "failed_epoch", 0, &wr->dir_failed_epoch, err) ||
	    !json_opt_i64(obj, "registration", 0, INT64_MAX, &wr->broker_czxid, err))
		return false;
	wr->partition = (int32_t)partition;
	wr->broker = (int32_t)broker;
	wr->refilled = is_true(obj, "refilled");
	return get_name(obj, "dir", 4096, &wr->dir, err);
}

static bool read_replicas(const json_t *arr, struct witness *wi, struct err *err)
{
	size_t n = json_array_size(arr);

	if (n > 0)
		wi->replicas = mem_array(n, sizeof(*wi->replicas));
	for (size_t i = 0; i < n; i++) {
		struct witness_replica *wr = &wi->replicas[wi->n_replicas];

		if (!read_replica(json_array_get(arr, i), wr, err))
			return err_wrap(err, "replicas[%zu]", i);
		wi->n_replicas++;
		if (i > 0 && (wr->partition < wr[-1].partition))
			return err_set(err, ERR_FORMAT, "replicas[%zu]: is not in order of partitions", i);
	}
	return true;
}

static bool read_attempt(const json_t *obj, struct witness_attempt *at, struct err *err)
{
	const char *trigger;
	char *why = NULL;
	int64_t when;

	*at = (struct witness_attempt){ .id = BROKER_NONE, .epoch = -1 };
	if (!json_is_object(obj))
		return err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(obj));
	if (!json_need_str(obj, "trigger", &trigger, err) || !json_need_i64(obj, "at", 0, INT64_MAX / 4, &when, err) ||
	    !get_i32(obj, "broker", 0, &at->id, err) || !get_i32(obj, "epoch", 0, &at->epoch, err) ||
	    !get_u32(obj, "done", &at->done, err) || !get_u32(obj, "left", &at->left, err) || !get_time(obj, "rested", &at->rested, err))
		return false;
	if (!get_name(obj, "why", WITNESS_WHY_MAX - 1, &why, err))
		return false;
	if (why != NULL)
		(void)witness_attempt_say(at, why);
	mem_free(&why);
	at->at.ms = when;
	at->effect_seen = is_true(obj, "effect");
	for (uint8_t i = 0; i < WORDS; i++)
		if (strcmp(trigger_words[i], trigger) == 0) {
			at->trigger = i;
			return true;
		}
	return err_set(err, ERR_FORMAT, "trigger: \"%.40s\" is not known", trigger);
}

static bool read_attempts(const json_t *arr, struct witness *wi, struct err *err)
{
	for (size_t i = 0; i < json_array_size(arr); i++) {
		struct witness_attempt at;

		if (!read_attempt(json_array_get(arr, i), &at, err))
			return err_wrap(err, "attempts[%zu]", i);
		witness_attempt_add(wi, &at);
	}
	return true;
}

static bool read_controller(const json_t *obj, struct witness *wi, struct err *err)
{
	json_t *word = NULL;
	int64_t polls = 0;

	if (!json_opt_obj(obj, "controller", &word, err))
		return false;
	if (word == NULL)
		return true;
	wi->ctrl_lists = is_true(word, "lists") ? KNOW_PRESENT : KNOW_ABSENT;
	if (!get_time(word, "since", &wi->ctrl_since, err) || !json_opt_i64(word, "polls", 0, UINT16_MAX, &polls, err) ||
	    !get_i32(word, "epoch", 0, &wi->ctrl_epoch, err))
		return err_wrap(err, "controller");
	wi->ctrl_polls = (uint16_t)polls;
	return true;
}

static bool read_fields(const json_t *obj, struct witness *wi, struct err *err)
{
	json_t *replicas = NULL, *attempts = NULL;
	int64_t enabled = -1;

	if (!json_opt_i64(obj, "czxid", 0, INT64_MAX, &wi->czxid, err) || !json_opt_i64(obj, "marker_czxid", 0, INT64_MAX, &wi->marker_czxid, err) ||
	    !get_time(obj, "marked", &wi->marked, err) || !get_time(obj, "first_seen", &wi->first_seen, err) ||
	    !get_i32(obj, "children", 0, &wi->n_children, err) || !get_i32(obj, "epoch_first", 0, &wi->epoch_first, err) ||
	    !read_controller(obj, wi, err) || !get_time(obj, "pass_seen", &wi->pass_seen, err) || !get_time(obj, "ended", &wi->ended, err) ||
	    !get_time(obj, "changed", &wi->changed, err) || !get_u32(obj, "dropped", &wi->n_dropped, err) ||
	    !json_opt_arr(obj, "replicas", &replicas, err) || !json_opt_arr(obj, "attempts", &attempts, err))
		return false;
	if (!get_i32(obj, "end_controller", 0, &wi->end_controller, err) || !json_opt_i64(obj, "end_enabled", 0, 1, &enabled, err))
		return false;
	wi->end_enabled = (int8_t)enabled;
	wi->end_is_open = is_true(obj, "end_is_open");
	wi->came = is_true(obj, "came");
	wi->was_alive = is_true(obj, "was_alive");
	wi->end = is_true(obj, "marker_gone") ? WITNESS_MARKER_GONE : WITNESS_OPEN;
	if ((wi->end == WITNESS_OPEN) != (wi->ended.ms == 0))
		return err_set(err, ERR_FORMAT, "ended: does not go with marker_gone");
	return (replicas == NULL || read_replicas(replicas, wi, err)) && (attempts == NULL || read_attempts(attempts, wi, err));
}

static struct witness *read_witness(const json_t *obj, struct err *err)
{
	struct witness *wi;
	char *topic = NULL;

	if (!json_is_object(obj)) {
		err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(obj));
		return NULL;
	}
	if (!get_name(obj, "topic", ZNODE_NAME_MAX, &topic, err))
		return NULL;
	if (topic == NULL) {
		err_set(err, ERR_FORMAT, "topic: missing");
		return NULL;
	}
	wi = witness_new(topic, 0);
	mem_free(&topic);
	if (!read_fields(obj, wi, err))
		witness_free(&wi);
	return wi;
}

static bool read_head(const json_t *top, const char *cluster_id, struct err *err)
{
	const char *cluster;
	int64_t version;

	if (!json_need_i64(top, "kafops_memory", 1, INT32_MAX, &version, err))
		return false;
	if (version > MEMORY_VERSION)
		return err_set(err, ERR_UNSUPPORTED, "is of version %lld; this program knows version %d", (long long)version, MEMORY_VERSION);
	if (!json_need_str(top, "cluster", &cluster, err))
		return false;
	return strcmp(cluster, cluster_id) == 0 || err_set(err, ERR_FORMAT, "is of another cluster, %.64s", cluster);
}

bool memory_parse(const char *text, size_t n, const char *cluster_id, struct witness_list *out, struct err *err)
{
	json_t *top = json_read_object(text, n, err), *arr = NULL;

	memset(out, 0, sizeof(*out));
	if (top == NULL)
		return false;
	if (read_head(top, cluster_id, err) && json_need_arr(top, "deletions", &arr, err) && json_array_size(arr) > 0)
		out->v = mem_array(json_array_size(arr), sizeof(*out->v));
	for (size_t i = 0; arr != NULL && i < json_array_size(arr) && (err == NULL || err->code == ERR_NONE); i++) {
		struct witness *wi = read_witness(json_array_get(arr, i), err);

		if (wi != NULL)
			out->v[out->n++] = wi;
		else
			err_wrap(err, "deletions[%zu]", i);
	}
	json_decref(top);
	if (err->code == ERR_NONE)
		return true;
	witness_list_fini(out);
	return false;
}
