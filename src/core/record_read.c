/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the journal read back. The file may have been edited, and another version may have written it. */
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/ids.h"
#include "core/outcome.h"
#include "core/record.h"

/* Takes a copy of the text of a field; leaves *out NULL when there is none. */
static bool read_text(const json_t *obj, const char *key, char **out, struct err *err)
{
	const char *s = NULL;

	if (!json_opt_str(obj, key, &s, err))
		return false;
	*out = s != NULL ? mem_strdup(s) : NULL;
	return true;
}

static bool read_number(const json_t *obj, const char *key, int64_t none, int64_t *out, struct err *err)
{
	*out = none;
	return json_opt_i64(obj, key, INT64_MIN, INT64_MAX, out, err);
}

static bool read_id(const json_t *obj, uint64_t *out, struct err *err)
{
	const char *s;

	if (!json_need_str(obj, "id", &s, err))
		return false;
	*out = 0;
	for (const char *c = s; *c != '\0'; c++) {
		int digit = *c >= '0' && *c <= '9' ? *c - '0' : *c >= 'a' && *c <= 'f' ? *c - 'a' + 10 : -1;

		if (digit < 0)
			return err_set(err, ERR_FORMAT, "id: not 16 hexadecimal digits");
		*out = *out << 4 | (uint64_t)digit;
	}
	return strlen(s) == RECORD_ID_MAX - 1 || err_set(err, ERR_FORMAT, "id: not 16 hexadecimal digits");
}

/* "2026-01-02T03:04:05.678Z", as units_rfc3339 writes it. */
static bool read_time(const json_t *obj, wall_ms *out, struct err *err)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
	static const struct { size_t at, n; } parts[] = { { 0, 4 }, { 5, 2 }, { 8, 2 }, { 11, 2 }, { 14, 2 }, { 17, 2 }, { 20, 3 } };
	int v[sizeof(parts) / sizeof(parts[0])] = { 0 };
	struct tm tm = { .tm_isdst = 0 };
	const char *s;
	size_t i = 0;

	if (!json_need_str(obj, "at", &s, err))
		return false;
	while (form[i] != '\0' && (form[i] == 'd' ? s[i] >= '0' && s[i] <= '9' : s[i] == form[i]))
		i++;
	if (form[i] != '\0' || s[i] != '\0')
		return err_set(err, ERR_FORMAT, "at: not a time");
	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
		for (size_t d = 0; d < parts[p].n; d++)
			v[p] = v[p] * 10 + (s[parts[p].at + d] - '0');
	tm = (struct tm){ .tm_year = v[0] - 1900, .tm_mon = v[1] - 1, .tm_mday = v[2], .tm_hour = v[3], .tm_min = v[4], .tm_sec = v[5] };
	*out = (wall_ms){ (int64_t)timegm(&tm) * 1000 + v[6] };
	return true;
}

static bool read_phase(const json_t *obj, enum record_phase *out, struct err *err)
{
	const char *s;

	if (!json_need_str(obj, "phase", &s, err))
		return false;
	for (int ph = 0; ph < RECORD_PHASES; ph++)
		if (strcmp(record_phase_name((enum record_phase)ph), s) == 0) {
			*out = (enum record_phase)ph;
			return true;
		}
	return err_set(err, ERR_FORMAT, "phase: \"%.20s\" is none", s);
}

static bool read_who(const json_t *obj, struct record_who *who, struct err *err)
{
	json_t *user = NULL;

	if (!json_opt_obj(obj, "user", &user, err) || !read_number(obj, "pid", 0, &who->pid, err) || !read_text(obj, "version", &who->version, err))
		return false;
	return user == NULL ||
		(read_text(user, "login", &who->login, err) && read_number(user, "uid", -1, &who->uid, err) && read_text(user, "host", &who->host, err) &&
		 read_text(user, "ssh_client", &who->ssh_client, err) && read_text(user, "tty", &who->tty, err));
}

static bool read_outcome(const json_t *obj, int *out, struct err *err)
{
	const char *s = NULL;

	*out = RECORD_NO_OUTCOME;
	if (!json_opt_str(obj, "outcome", &s, err))
		return false;
	for (int i = OUTCOME_DONE; s != NULL && i <= OUTCOME_UNKNOWN; i++)
		if (strcmp(record_outcome_name(i), s) == 0)
			*out = i;
	return s == NULL || *out != RECORD_NO_OUTCOME || err_set(err, ERR_FORMAT, "outcome: \"%.20s\" is none", s);
}

static bool read_item(const json_t *obj, struct record_item *it, struct err *err)
{
	int64_t error = 0;

	if (!json_is_object(obj))
		return err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(obj));
	if (!read_text(obj, "topic", &it->topic, err))
		return false;
	if (it->topic == NULL)
		it->topic = mem_strdup("");
	if (!json_opt_i64(obj, "kafka_error", INT16_MIN, INT16_MAX, &error, err))
		return false;
	it->kafka_error = (int16_t)error;
	return read_outcome(obj, &it->outcome, err) && read_number(obj, "czxid", 0, &it->czxid, err) &&
		read_number(obj, "partitions", -1, &it->partitions, err) && read_number(obj, "replicas", -1, &it->replicas, err) &&
		read_number(obj, "size_bytes", -1, &it->size_bytes, err) && read_text(obj, "text", &it->text, err);
}

static bool read_finding(const json_t *obj, struct record_finding *fi, struct err *err)
{
	if (!json_is_object(obj))
		return err_set(err, ERR_FORMAT, "expected an object, found %s", json_kind(obj));
	return read_text(obj, "severity", &fi->severity, err) && read_text(obj, "kind", &fi->kind, err) && read_text(obj, "topic", &fi->topic, err) &&
		read_text(obj, "text", &fi->text, err);
}

static bool need_list(const json_t *obj, const char *key, json_t **list, struct err *err)
{
	*list = NULL;
	if (!json_opt_arr(obj, key, list, err))
		return false;
	return json_array_size(*list) <= RECORD_ITEMS_MAX || err_set(err, ERR_LIMIT, "%s: more than %d", key, RECORD_ITEMS_MAX);
}

static bool read_lists(const json_t *obj, struct record *re, struct err *err)
{
	json_t *items, *findings;

	if (!need_list(obj, "items", &items, err) || !need_list(obj, "findings", &findings, err))
		return false;
	re->items = json_array_size(items) > 0 ? mem_array(json_array_size(items), sizeof(*re->items)) : NULL;
	for (size_t i = 0; i < json_array_size(items); i++, re->n_items++)
		if (!read_item(json_array_get(items, i), &re->items[i], err)) {
			re->n_items++;
			return err_wrap(err, "items[%zu]", i);
		}
	re->findings = json_array_size(findings) > 0 ? mem_array(json_array_size(findings), sizeof(*re->findings)) : NULL;
	for (size_t i = 0; i < json_array_size(findings); i++, re->n_findings++)
		if (!read_finding(json_array_get(findings, i), &re->findings[i], err)) {
			re->n_findings++;
			return err_wrap(err, "findings[%zu]", i);
		}
	return true;
}

static bool read_rest(const json_t *obj, struct record *re, struct err *err)
{
	int64_t danger = 0, broker = BROKER_NONE, epoch = -1;

	if (!json_opt_i64(obj, "danger", 0, 3, &danger, err) || !json_opt_i64(obj, "broker", 0, INT32_MAX, &broker, err) ||
	    !json_opt_i64(obj, "controller_epoch", 0, INT32_MAX, &epoch, err))
		return false;
	re->danger = (int)danger;
	re->broker = (int32_t)broker;
	re->controller_epoch = (int32_t)epoch;
	return read_text(obj, "cluster_id", &re->cluster_id, err) && read_text(obj, "zookeeper", &re->zookeeper, err) &&
		read_text(obj, "mode", &re->mode, err) && read_text(obj, "command", &re->command, err) && read_text(obj, "effect", &re->effect, err) &&
		read_text(obj, "pattern", &re->pattern, err) && read_text(obj, "request", &re->request, err) && read_text(obj, "way", &re->way, err) &&
		read_text(obj, "text", &re->text, err) && read_lists(obj, re, err);
}

bool record_read(const char *line, size_t n, struct record **out, struct err *err)
{
	json_t *obj = json_read_object(line, n, err);
	struct record *re = record_new();
	int64_t version = 0;
	bool ok;

	ok = obj != NULL && json_need_i64(obj, "v", 1, INT32_MAX, &version, err);
	if (ok && version > RECORD_VERSION)
		ok = err_set(err, ERR_UNSUPPORTED, "written by a later version of kafops (v %lld)", (long long)version);
	ok = ok && read_id(obj, &re->id, err) && read_time(obj, &re->at, err) && read_phase(obj, &re->phase, err) && read_who(obj, &re->who, err) &&
		read_rest(obj, re, err);
	json_decref(obj);
	if (!ok)
		record_free(&re);
	*out = re;
	return ok;
}
