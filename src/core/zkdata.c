/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoders of the small nodes: partition state, controller, cluster id,
 * configs, features, migration; and the reading of JSON that all decoders
 * share. Brokers are in zkdata_broker.c, who holds which partition in
 * zkdata_assign.c. Source of each rule: the *ZNode object of that name in
 * kafka.zk.ZkData, 2.5 to 3.9; the reference sections are in the header.
 */
#include "core/zkdata.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/zkdata_read.h"

/* ---- shared --------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the first value ends: after the bracket that closes it. `n` when no
 * bracket does, for the parser to complain. */
static size_t value_end(const char *data, size_t n)
{
	size_t i = 0, depth = 0;
	bool in_string = false;

	while (i < n && is_blank(data[i]))
		i++;
	for (; i < n; i++) {
		char c = data[i];

		if (c == '"')
			in_string = !in_string;
		else if (in_string)
			i += c == '\\';
		else if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth > 0 && --depth == 0)
			return i + 1;
		if (depth == 0)
			break;
	}
	return n;
}

/* Jackson's readTree and readValue, as Kafka configures them: the first value
 * counts, FAIL_ON_TRAILING_TOKENS is off. */
json_t *zkread_value(const char *data, size_t n, struct err *err)
{
	static const char bom[] = { '\xef', '\xbb', '\xbf' };

	if (n >= sizeof(bom) && memcmp(data, bom, sizeof(bom)) == 0) {
		data += sizeof(bom);
		n -= sizeof(bom);
	}
	return json_read(data, value_end(data, n), err);
}

json_t *zkread_object(const char *data, size_t n, struct err *err)
{
	json_t *v;

	if (n == 0) {
		err_set(err, ERR_FORMAT, "empty data");
		return NULL;
	}
	v = zkread_value(data, n, err);
	if (v && !json_is_object(v)) {
		err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(v));
		json_decref(v);
		v = NULL;
	}
	return v;
}

bool zkread_unexpected(const char *what, const char *expected, const json_t *v, struct err *err)
{
	struct strbuf found;

	strbuf_init(&found);
	if (json_is_number(v))
		json_write(&found, v);
	else
		strbuf_put(&found, json_kind(v));
	err_set(err, ERR_FORMAT, "%s: expected %s, found %s", what, expected, found.s);
	strbuf_fini(&found);
	return false;
}

bool zkread_is_int32(const json_t *v)
{
	json_int_t n = json_integer_value(v);

	return json_is_integer(v) && n >= INT32_MIN && n <= INT32_MAX;
}

bool zkread_int32(const json_t *v, const char *what, int32_t *out, struct err *err)
{
	if (!zkread_is_int32(v))
		return zkread_unexpected(what, json_is_integer(v) ? "a number of 32 bits" :
					 json_is_real(v) ? "a whole number" : "a number", v, err);
	*out = (int32_t)json_integer_value(v);
	return true;
}

static bool need(const json_t *obj, const char *key, const json_t **out, struct err *err)
{
	*out = json_object_get(obj, key);
	return *out || err_set(err, ERR_FORMAT, "%s: missing", key);
}

bool zkread_need_int32(const json_t *obj, const char *key, int32_t *out, struct err *err)
{
	const json_t *v;

	return need(obj, key, &v, err) && zkread_int32(v, key, out, err);
}

bool zkread_parse_int(const char *s, size_t n, int32_t *out)
{
	bool negative = n > 0 && s[0] == '-';
	size_t i = negative || (n > 0 && s[0] == '+') ? 1 : 0;
	int64_t v = 0;

	if (i == n)
		return false;
	for (; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		v = v * 10 + (s[i] - '0');
		if (v > (int64_t)INT32_MAX + negative)
			return false;
	}
	*out = (int32_t)(negative ? -v : v);
	return true;
}

/* One element of a list of ids. */
static bool read_id(const json_t *v, bool *quoted, int32_t *out)
{
	if (zkread_is_int32(v)) {
		*out = (int32_t)json_integer_value(v);
		return true;
	}
	if (!quoted || !json_is_string(v) ||
	    !zkread_parse_int(json_string_value(v), json_string_length(v), out))
		return false;
	*quoted = true;
	return true;
}

/* Always false. The path of the field is put together only here, off the hot path. */
static bool bad_ids(const char *field, const char *key, size_t at, const json_t *element,
		    const json_t *list, struct err *err)
{
	struct strbuf what;
	int32_t ignored;

	strbuf_init(&what);
	strbuf_put(&what, field);
	if (key)
		strbuf_printf(&what, ".%s", key);
	if (!json_is_array(list)) {
		zkread_unexpected(what.s, "a list of numbers", list, err);
	} else if (!element) {
		err_set(err, ERR_LIMIT, "%s: %zu brokers, the limit is %d", what.s,
			json_array_size(list), REPLICAS_MAX);
	} else {
		strbuf_printf(&what, "[%zu]", at);
		zkread_int32(element, what.s, &ignored, err);
	}
	strbuf_fini(&what);
	return false;
}

bool zkread_ids(const json_t *v, const char *field, const char *key, bool *quoted, struct ids *out,
		struct err *err)
{
	size_t n = json_array_size(v);
	int32_t *ids = NULL;

	if (!json_is_array(v) || n > REPLICAS_MAX)
		return bad_ids(field, key, 0, NULL, v, err);
	if (n > 0)
		ids = mem_array(n, sizeof(*ids));
	for (size_t i = 0; i < n; i++) {
		if (!read_id(json_array_get(v, i), quoted, &ids[i])) {
			mem_free(&ids);
			return bad_ids(field, key, i, json_array_get(v, i), v, err);
		}
	}
	out->v = ids;
	out->n = (uint32_t)n;
	return true;
}

wall_ms zkread_timestamp(const json_t *obj)
{
	const json_t *v = json_object_get(obj, "timestamp");
	wall_ms at = { 0 };

	if (json_is_integer(v))
		at.ms = json_integer_value(v);
	else if (json_is_string(v) && !str_to_i64(json_string_value(v), INT64_MIN, INT64_MAX, &at.ms))
		at.ms = 0;
	return at;
}

char *zkread_text(const json_t *v)
{
	struct strbuf text;

	if (json_is_string(v) && !memchr(json_string_value(v), '\0', json_string_length(v)))
		return mem_strdup(json_string_value(v));
	strbuf_init(&text);
	json_write(&text, v);
	return strbuf_take(&text);
}

/* ---- /brokers/topics/T/partitions/P/state --------------------------------- */

/* LeaderRecoveryState.of: RECOVERED (0) or RECOVERING (1). Not known before 3.2. */
static bool read_recovery(const json_t *obj, bool *out, struct err *err)
{
	const char *key = "leader_recovery_state";
	const json_t *v = json_object_get(obj, key);
	int32_t n = 0;

	if (v && !zkread_int32(v, key, &n, err))
		return false;
	if (n != 0 && n != 1)
		return zkread_unexpected(key, "0 or 1", v, err);
	*out = n == 1;
	return true;
}

bool zk_state_decode(const char *data, size_t n, struct zk_state *out, struct err *err)
{
	json_t *obj = zkread_object(data, n, err);
	struct zk_state st = { .leader = BROKER_NONE };
	const json_t *isr;
	bool ok = obj && zkread_need_int32(obj, "leader", &st.leader, err) &&
		  zkread_need_int32(obj, "leader_epoch", &st.leader_epoch, err) &&
		  zkread_need_int32(obj, "controller_epoch", &st.controller_epoch, err) &&
		  read_recovery(obj, &st.recovering, err) && need(obj, "isr", &isr, err) &&
		  zkread_ids(isr, "isr", NULL, NULL, &st.isr, err);

	json_decref(obj);
	if (ok)
		*out = st;
	return ok;
}

void zk_state_fini(struct zk_state *s)
{
	ids_fini(&s->isr);
}

/* ---- /controller, /controller_epoch, /cluster/id -------------------------- */

bool zk_controller_decode(const char *data, size_t n, struct zk_controller *out, struct err *err)
{
	static const char epoch_key[] = "kraftControllerEpoch";
	json_t *obj = zkread_object(data, n, err);
	const json_t *epoch = json_object_get(obj, epoch_key);
	struct zk_controller co = { .kraft_epoch = -1 };
	int32_t kraft_epoch = -1;
	bool ok = obj && zkread_need_int32(obj, "brokerid", &co.broker, err) &&
		  (!epoch || zkread_int32(epoch, epoch_key, &kraft_epoch, err));

	if (ok) {
		co.timestamp = zkread_timestamp(obj);
		co.kraft_epoch = kraft_epoch;
		*out = co;
	}
	json_decref(obj);
	return ok;
}

bool zk_controller_epoch_decode(const char *data, size_t n, int32_t *out, struct err *err)
{
	enum { SHOWN_MAX = 40 };

	if (n == 0)
		return err_set(err, ERR_FORMAT, "empty data");
	if (!zkread_parse_int(data, n, out))
		return err_set(err, ERR_FORMAT, "expected a decimal number of 32 bits, found \"%.*s\"%s",
			       (int)(n < SHOWN_MAX ? n : SHOWN_MAX), data, n > SHOWN_MAX ? "..." : "");
	return true;
}

bool zk_cluster_id_decode(const char *data, size_t n, char **out, struct err *err)
{
	json_t *obj = zkread_object(data, n, err);
	const char *id = NULL;
	bool ok = obj && json_need_str(obj, "id", &id, err);

	if (ok)
		*out = mem_strdup(id);
	json_decref(obj);
	return ok;
}

/* ---- /config/topics/T, /config/brokers/N ---------------------------------- */

static int setting_cmp(const void *a, const void *b)
{
	return strcmp(((const struct zk_setting *)a)->key, ((const struct zk_setting *)b)->key);
}

/* ConfigEntityZNode.decode looks for an object in an object and is content with
 * neither; no data is no overrides. Broken JSON is too for Kafka: we say so. */
bool zk_config_decode(const char *data, size_t n, struct zk_config *out, struct err *err)
{
	json_t *top, *config, *value;
	const char *key;
	struct zk_config cfg = { NULL, 0 };

	if (n == 0) {
		*out = cfg;
		return true;
	}
	top = zkread_value(data, n, err);
	if (!top)
		return false;
	config = json_object_get(top, "config");
	if (json_object_size(config) > 0) {
		cfg.v = mem_array(json_object_size(config), sizeof(*cfg.v));
		json_object_foreach(config, key, value) {
			cfg.v[cfg.n].key = mem_strdup(key);
			cfg.v[cfg.n++].value = zkread_text(value);
		}
		qsort(cfg.v, cfg.n, sizeof(*cfg.v), setting_cmp);
	}
	json_decref(top);
	*out = cfg;
	return true;
}

void zk_config_fini(struct zk_config *c)
{
	for (size_t i = 0; i < c->n; i++) {
		mem_free(&c->v[i].key);
		mem_free(&c->v[i].value);
	}
	mem_free(&c->v);
	c->n = 0;
}

const char *zk_config_find(const struct zk_config *c, const char *key)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(key, c->v[middle].key);

		if (order == 0)
			return c->v[middle].value;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* ---- /feature, /migration ------------------------------------------------- */

static bool need_version(const json_t *obj, int32_t min, int32_t max, int32_t *out, struct err *err)
{
	if (!zkread_need_int32(obj, "version", out, err))
		return false;
	if (*out < min || *out > max)
		return err_set(err, ERR_UNSUPPORTED, "version %d is not one we know", (int)*out);
	return true;
}

/* FeatureZNode.decodeFeature: a label to a level, from 1 up. */
static bool check_feature(const char *name, const json_t *levels, int32_t version, struct err *err)
{
	int32_t low = 1, high = 0;

	if (!json_is_object(levels))
		return zkread_unexpected(name, "an object", levels, err);
	if ((version == 1 && !zkread_need_int32(levels, "min_version_level", &low, err)) ||
	    !zkread_need_int32(levels, "max_version_level", &high, err))
		return err_wrap(err, "%s", name);
	if (low < 1 || high < low)
		return err_set(err, ERR_FORMAT, "%s: levels %d to %d make no range from 1 up", name,
			       (int)low, (int)high);
	return true;
}

bool zk_feature_decode(const char *data, size_t n, struct zk_feature *out, struct err *err)
{
	json_t *obj = zkread_object(data, n, err);
	json_t *features = NULL, *levels;
	struct zk_feature ft = { 0 };
	int32_t status = 0;
	const char *name;
	bool ok = obj && need_version(obj, 1, 2, &ft.json_version, err) &&
		  zkread_need_int32(obj, "status", &status, err) &&
		  json_need_obj(obj, "features", &features, err);

	if (ok && status != 0 && status != 1)
		ok = zkread_unexpected("status", "0 or 1", json_object_get(obj, "status"), err);
	if (ok) {
		json_object_foreach(features, name, levels)
			if (!check_feature(name, levels, ft.json_version, err)) {
				ok = err_wrap(err, "features");
				break;
			}
	}
	if (ok) {
		ft.enabled = status == 1;
		ft.n_features = json_object_size(features);
		*out = ft;
	}
	json_decref(obj);
	return ok;
}

bool zk_migration_decode(const char *data, size_t n, struct zk_migration *out, struct err *err)
{
	json_t *obj = zkread_object(data, n, err);
	struct zk_migration mg = { 0 };
	int32_t version;
	bool ok = obj && need_version(obj, 0, 0, &version, err) &&
		  zkread_need_int32(obj, "kraft_controller_id", &mg.kraft_controller_id, err) &&
		  zkread_need_int32(obj, "kraft_controller_epoch", &mg.kraft_controller_epoch, err);

	json_decref(obj);
	if (ok)
		*out = mg;
	return ok;
}
