/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds which partition, and who shall: topic nodes and the reassignment
 * node. Kafka: TopicZNode.decode and ReassignPartitionsZNode.decode in
 * kafka.zk.ZkData, 2.5 to 3.9. They read in two ways: the first by DecodeJson,
 * strictly; the second by Jackson's data binding into a class, with Jackson's
 * coercions, and with a list of brokers whose element type is erased.
 */
#include "core/zkdata.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/zkdata_read.h"

/* ---- /brokers/topics/T ---------------------------------------------------- */

/* An assignment and where it stood, for sorting: of two that name one partition
 * ("1" and "01") the later wins, as in Kafka's toMap. */
struct placed {
	struct zk_assignment as;
	size_t at;
};

static int placed_cmp(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->as.partition != y->as.partition)
		return x->as.partition < y->as.partition ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void assignment_fini(struct zk_assignment *as)
{
	ids_fini(&as->replicas);
	ids_fini(&as->adding);
	ids_fini(&as->removing);
}

/* A field that is an object when it is there (null is not one). */
static bool opt_object(const json_t *node, const char *key, json_t **out, struct err *err)
{
	*out = json_object_get(node, key);
	return !*out || json_is_object(*out) || zkread_unexpected(key, "an object", *out, err);
}

static bool read_partition(const char *key, int32_t *out, struct err *err)
{
	if (!zkread_parse_int(key, strlen(key), out) || *out < 0)
		return err_set(err, ERR_FORMAT, "partitions: \"%s\" is not a partition number", key);
	if (*out >= PARTITIONS_MAX)
		return err_set(err, ERR_LIMIT, "partitions: %d, the limit is %d partitions", (int)*out,
			       PARTITIONS_MAX);
	return true;
}

static bool opt_ids(const json_t *lists, const char *field, const char *key, bool *quoted,
		    struct ids *out, struct err *err)
{
	const json_t *v = json_object_get(lists, key);

	return !v || zkread_ids(v, field, key, quoted, out, err);
}

static bool read_placed(json_t *parts, const json_t *adding, const json_t *removing, bool *quoted,
			struct placed *v, size_t *n, struct err *err)
{
	const char *key;
	json_t *replicas;

	json_object_foreach(parts, key, replicas) {
		struct placed *pl = &v[*n];

		if (!read_partition(key, &pl->as.partition, err))
			return false;
		pl->at = (*n)++;
		if (!zkread_ids(replicas, "partitions", key, quoted, &pl->as.replicas, err) ||
		    !opt_ids(adding, "adding_replicas", key, quoted, &pl->as.adding, err) ||
		    !opt_ids(removing, "removing_replicas", key, quoted, &pl->as.removing, err))
			return false;
	}
	return true;
}

/* Moves what is in `v` to tp->parts, sorted, one entry a partition. */
static void take_placed(struct zk_topic *tp, struct placed *v, size_t n)
{
	qsort(v, n, sizeof(*v), placed_cmp);
	tp->parts = mem_array(n, sizeof(*tp->parts));
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && v[i].as.partition == v[i + 1].as.partition)
			assignment_fini(&v[i].as);
		else
			tp->parts[tp->n_parts++] = v[i].as;
	}
}

static bool read_parts(const json_t *node, struct zk_topic *tp, struct err *err)
{
	json_t *parts, *adding, *removing;
	struct placed *v;
	size_t n, n_read = 0;
	bool ok;

	if (!opt_object(node, "adding_replicas", &adding, err) ||
	    !opt_object(node, "removing_replicas", &removing, err) ||
	    !opt_object(node, "partitions", &parts, err))
		return false;
	n = json_object_size(parts);
	if (n == 0)
		return true;
	if (n > PARTITIONS_MAX)
		return err_set(err, ERR_LIMIT, "partitions: %zu of them, the limit is %d", n,
			       PARTITIONS_MAX);
	v = mem_array(n, sizeof(*v));
	ok = read_placed(parts, adding, removing, &tp->quoted_ids, v, &n_read, err);
	if (ok)
		take_placed(tp, v, n);
	for (size_t i = 0; !ok && i < n_read; i++)
		assignment_fini(&v[i].as);
	mem_free(&v);
	return ok;
}

bool zk_topic_decode(const char *data, size_t n, struct zk_topic *out, struct err *err)
{
	json_t *node = zkread_object(data, n, err);
	const json_t *version = json_object_get(node, "version");
	struct zk_topic tp = { 0 };
	const char *id = NULL;
	bool ok = node && (!json_object_get(node, "topic_id") ||
			   json_need_str(node, "topic_id", &id, err)) &&
		  read_parts(node, &tp, err);

	if (ok) {
		if (zkread_is_int32(version))
			tp.json_version = (int32_t)json_integer_value(version);
		if (id)
			tp.topic_id = mem_strdup(id);
		*out = tp;
	}
	json_decref(node);
	return ok;
}

void zk_topic_fini(struct zk_topic *t)
{
	for (size_t i = 0; i < t->n_parts; i++)
		assignment_fini(&t->parts[i]);
	mem_free(&t->parts);
	mem_free(&t->topic_id);
	t->n_parts = 0;
}

/* ---- /admin/reassign_partitions ------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static void say(struct zk_reassign *re, enum zk_reassign_shape shape, const char *fmt, ...)
{
	struct strbuf raw, clean;
	size_t n;
	va_list ap;

	re->shape = shape;
	strbuf_init(&raw);
	strbuf_init(&clean);
	va_start(ap, fmt);
	strbuf_vprintf(&raw, fmt, ap);
	va_end(ap);
	utf8_printable(&clean, raw.s, raw.len, false);
	n = clean.len;
	if (n >= sizeof(re->why))
		for (n = sizeof(re->why) - 1; ((unsigned char)clean.s[n] & 0xc0) == 0x80; n--)
			;
	memcpy(re->why, clean.s, n);
	re->why[n] = '\0';
	strbuf_fini(&raw);
	strbuf_fini(&clean);
}

/* Jackson's coercion to int: fractions are cut off, numbers may be quoted,
 * null and "" are 0. */
static bool coerce_int(const json_t *v, int32_t *out)
{
	const char *s;
	size_t n;

	*out = 0;
	if (!v || json_is_null(v))
		return true;
	if (json_is_real(v)) {
		double real = json_real_value(v);

		if (!(real > -2147483649.0 && real < 2147483648.0))
			return false;
		*out = (int32_t)real;
		return true;
	}
	if (json_is_string(v)) {
		s = json_string_value(v);
		n = json_string_length(v);
		while (n > 0 && (unsigned char)s[n - 1] <= ' ')
			n--;
		while (n > 0 && (unsigned char)*s <= ' ')
			s++, n--;
		return n == 0 || zkread_parse_int(s, n, out);
	}
	if (!zkread_is_int32(v))
		return false;
	*out = (int32_t)json_integer_value(v);
	return true;
}

/* An unknown field fails the whole (FAIL_ON_UNKNOWN_PROPERTIES). NULL when all are known. */
static const char *find_unknown(json_t *obj, const char *const *known, size_t n)
{
	const char *key;
	json_t *v;
	size_t i;

	json_object_foreach(obj, key, v) {
		for (i = 0; i < n && strcmp(key, known[i]) != 0; i++)
			;
		if (i == n)
			return key;
	}
	return NULL;
}

static void say_unknown(struct zk_reassign *re, const char *key)
{
	say(re, ZK_REASSIGN_IGNORED, "unknown field \"%s\": it voids the whole node, nothing starts", key);
}

/* Would the element bind to Kafka's class? Says why not. A null would: it fails later. */
static bool can_bind(json_t *element, size_t at, struct zk_reassign *re)
{
	static const char *const known[] = { "topic", "partition", "replicas" };
	const json_t *topic = json_object_get(element, "topic");
	const json_t *partition = json_object_get(element, "partition");
	const json_t *replicas = json_object_get(element, "replicas");
	const char *unknown;
	int32_t ignored;

	if (json_is_null(element))
		return true;
	if (!json_is_object(element))
		say(re, ZK_REASSIGN_IGNORED, "partitions[%zu] is %s, not an object: nothing starts", at,
		    json_kind(element));
	else if ((unknown = find_unknown(element, known, 3)))
		say_unknown(re, unknown);
	else if (json_is_object(topic) || json_is_array(topic))
		say(re, ZK_REASSIGN_IGNORED, "partitions[%zu].topic is %s, not a string: nothing starts",
		    at, json_kind(topic));
	else if (!coerce_int(partition, &ignored))
		say(re, ZK_REASSIGN_IGNORED, "partitions[%zu].partition is no partition number (%s): "
		    "nothing starts", at, json_kind(partition));
	else if (replicas && !json_is_null(replicas) && !json_is_array(replicas))
		say(re, ZK_REASSIGN_IGNORED, "partitions[%zu].replicas is %s, not a list: nothing starts",
		    at, json_kind(replicas));
	else
		return true;
	return false;
}

/* What binds to null, and is stumbled over by the controller when it reads the list. */
static bool has_lists(const json_t *list, struct zk_reassign *re)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *replicas = json_object_get(json_array_get(list, i), "replicas");

		if (!replicas || json_is_null(replicas)) {
			say(re, ZK_REASSIGN_NO_LIST, "partitions[%zu] has no replicas: the controller "
			    "fails on it at every read; delete the node", i);
			return false;
		}
	}
	return true;
}

/* The brokers of one entry. What isn't a number goes into the topic node as it stands. */
static void read_targets(const json_t *list, size_t at, struct ids *out, struct zk_reassign *re)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *v = json_array_get(list, i);
		int32_t id;

		if (zkread_is_int32(v)) {
			ids_push(out, (int32_t)json_integer_value(v));
			continue;
		}
		if (re->shape == ZK_REASSIGN_OK)
			say(re, ZK_REASSIGN_QUOTED_IDS, "partitions[%zu].replicas[%zu] is %s, not a "
			    "number: it gets into the topic node and breaks the next controller "
			    "election", at, i, json_is_number(v) ? "no broker id" : json_kind(v));
		if (json_is_string(v) &&
		    zkread_parse_int(json_string_value(v), json_string_length(v), &id))
			ids_push(out, id);
	}
}

/* The entries, each partition once: of two the later wins, in the place of the first. */
static void read_moves(const json_t *list, struct zk_reassign *re)
{
	struct map *seen = map_new();
	struct strbuf key;

	strbuf_init(&key);
	re->v = mem_array(json_array_size(list), sizeof(*re->v));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *element = json_array_get(list, i);
		const json_t *topic = json_object_get(element, "topic");
		struct zk_move mv = { 0 }, *old;
		bool fits = coerce_int(json_object_get(element, "partition"), &mv.partition);

		(void)fits; /* can_bind saw to it */
		mv.topic = json_is_null(topic) || !topic ? mem_strdup("") : zkread_text(topic);
		read_targets(json_object_get(element, "replicas"), i, &mv.replicas, re);
		strbuf_clear(&key);
		strbuf_printf(&key, "%d/%s", (int)mv.partition, mv.topic);
		old = map_find(seen, key.s);
		if (old) {
			mem_free(&old->topic);
			ids_fini(&old->replicas);
			*old = mv;
		} else {
			re->v[re->n] = mv;
			map_set(seen, key.s, &re->v[re->n++]);
		}
	}
	strbuf_fini(&key);
	map_free(&seen, NULL);
}

static void read_list(json_t *list, struct zk_reassign *re)
{
	size_t n = json_array_size(list);

	if (!list || json_is_null(list)) {
		say(re, ZK_REASSIGN_NO_LIST, "no partitions list: API 45 gets no answer and the next "
		    "controller election never ends; delete the node");
		return;
	}
	if (n == 0 && (json_is_array(list) || (json_is_object(list) && json_object_size(list) == 0))) {
		say(re, ZK_REASSIGN_EMPTY, "the partitions list is empty: nothing starts");
		return;
	}
	if (!json_is_array(list)) {
		say(re, ZK_REASSIGN_IGNORED, "partitions is %s, not a list: nothing starts",
		    json_kind(list));
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (!can_bind(json_array_get(list, i), i, re))
			return;
	if (has_lists(list, re))
		read_moves(list, re);
}

static void read_reassign(json_t *top, struct zk_reassign *re)
{
	static const char *const known[] = { "version", "partitions" };
	const char *unknown;
	int32_t ignored;

	if (json_is_null(top))
		read_list(NULL, re);
	else if (!json_is_object(top))
		say(re, ZK_REASSIGN_IGNORED, "expected an object, found %s: nothing starts",
		    json_kind(top));
	else if ((unknown = find_unknown(top, known, 2)))
		say_unknown(re, unknown);
	else if (!coerce_int(json_object_get(top, "version"), &ignored))
		say(re, ZK_REASSIGN_IGNORED, "version is no number (%s): nothing starts",
		    json_kind(json_object_get(top, "version")));
	else
		read_list(json_object_get(top, "partitions"), re);
}

void zk_reassign_decode(const char *data, size_t n, struct zk_reassign *out)
{
	struct zk_reassign re = { .shape = ZK_REASSIGN_OK };
	struct err err;
	json_t *top;

	err_init(&err);
	if (n == 0)
		say(&re, ZK_REASSIGN_EMPTY, "empty data: nothing starts");
	else if (!(top = zkread_value(data, n, &err)))
		say(&re, ZK_REASSIGN_IGNORED, "nothing starts: %s", err.text);
	else {
		read_reassign(top, &re);
		json_decref(top);
	}
	*out = re;
}

void zk_reassign_fini(struct zk_reassign *r)
{
	for (size_t i = 0; i < r->n; i++) {
		mem_free(&r->v[i].topic);
		ids_fini(&r->v[i].replicas);
	}
	mem_free(&r->v);
	r->n = 0;
}
