/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a trace (trace_write.c writes it). Each line is parsed twice: once when
 * the file is opened, to say which line is bad and to have the times, and once for
 * each event made. The events themselves are not kept: they are made anew, by
 * today's decoders.
 */
#include "io/trace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/zkpath.h"
#include "io/base64.h"
#include "io/trace_parts.h"
#include "io/trace_words.h"

/* A file of this size is no trace of ours: a day of a busy cluster has a tenth. */
#define TRACE_FILE_MAX_BYTES ((int64_t)4 * 1024 * 1024 * 1024)

struct trace_line {
	size_t at, len;
	dur_ms t;
};

struct trace {
	uint32_t magic;
	char *data;
	size_t len;
	bool is_torn;
	char *zookeeper;
	wall_ms started_at;
	struct trace_line *lines;
	size_t n, cap;
};

/* The index of `s` among `words`. */
static bool word_index(const char *s, const char *const *words, size_t n, const char *what, size_t *out, struct err *err)
{
	for (*out = 0; *out < n; ++*out)
		if (strcmp(words[*out], s) == 0)
			return true;
	return err_set(err, ERR_FORMAT, "%s: \"%.40s\" is not known", what, s);
}

bool trace_need_word(const json_t *obj, const char *key, const char *const *words, size_t n, size_t *out, struct err *err)
{
	const char *s;

	return json_need_str(obj, key, &s, err) && word_index(s, words, n, key, out, err);
}

/* Bytes under `key` or, base64, under `key`64. False without an error when neither is there. */
static bool get_bytes(const json_t *obj, const char *key, struct strbuf *out, bool *found, struct err *err)
{
	char key64[32];
	const char *s = NULL, *s64 = NULL;

	*found = false;
	if (!str_printf(key64, sizeof(key64), "%s64", key) ||
	    !json_opt_str(obj, key, &s, err) || !json_opt_str(obj, key64, &s64, err))
		return false;
	if (s == NULL && s64 == NULL)
		return true;
	*found = true;
	if (s != NULL)
		strbuf_put(out, s);
	else if (!base64_read(out, s64))
		return err_set(err, ERR_FORMAT, "%s: is not base64", key64);
	return true;
}

static bool get_stat(const json_t *obj, struct znode_stat *st, struct err *err)
{
	int64_t version = 0, cversion = 0, n_children = -1;
	json_t *v = NULL;

	memset(st, 0, sizeof(*st));
	if (!json_opt_obj(obj, "stat", &v, err))
		return false;
	if (v == NULL)
		return true;
	if (!json_opt_i64(v, "czxid", INT64_MIN, INT64_MAX, &st->czxid, err) ||
	    !json_opt_i64(v, "mzxid", INT64_MIN, INT64_MAX, &st->mzxid, err) ||
	    !json_opt_i64(v, "ctime", INT64_MIN, INT64_MAX, &st->ctime.ms, err) ||
	    !json_opt_i64(v, "mtime", INT64_MIN, INT64_MAX, &st->mtime.ms, err) ||
	    !json_opt_i64(v, "version", INT32_MIN, INT32_MAX, &version, err) ||
	    !json_opt_i64(v, "cversion", INT32_MIN, INT32_MAX, &cversion, err) ||
	    !json_opt_i64(v, "n_children", 0, INT32_MAX, &n_children, err) ||
	    !json_opt_i64(v, "ephemeral_owner", INT64_MIN, INT64_MAX, &st->ephemeral_owner, err))
		return err_wrap(err, "stat");
	st->version = (int32_t)version;
	st->cversion = (int32_t)cversion;
	st->n_children = (int32_t)n_children;
	return true;
}

/* The names of a children line; `names` owns what it holds, also after a failure. */
static bool get_children(const json_t *obj, struct event_list *names, struct err *err)
{
	json_t *arr = NULL, *arr64 = NULL, *use;

	if (!json_opt_arr(obj, "children", &arr, err) || !json_opt_arr(obj, "children64", &arr64, err))
		return false;
	use = arr != NULL ? arr : arr64;
	if (use == NULL)
		return err_set(err, ERR_FORMAT, "children: missing");
	if (json_array_size(use) > 0)
		names->v = mem_array(json_array_size(use), sizeof(*names->v));
	for (size_t i = 0; i < json_array_size(use); i++) {
		const char *s = json_string_value(json_array_get(use, i));
		struct strbuf sb;

		if (s == NULL)
			return err_set(err, ERR_FORMAT, "children[%zu]: expected a string", i);
		strbuf_init(&sb);
		if (use == arr)
			strbuf_put(&sb, s);
		else if (!base64_read(&sb, s) || memchr(sb.s, '\0', sb.len) != NULL) {
			strbuf_fini(&sb);
			return err_set(err, ERR_FORMAT, "children64[%zu]: is not base64 of a name", i);
		}
		names->v[names->n++] = strbuf_take(&sb);
		strbuf_fini(&sb);
	}
	return true;
}

/* When and in which epoch, and the times on the trace's clock. */
struct when {
	dur_ms t;
	uint32_t epoch;
	mono_ms seen;
	wall_ms wall;
};

static struct event *read_children(const json_t *obj, const char *path, enum znode_rc rc, const char *why,
	const struct znode_stat *st, const struct when *w, struct err *err)
{
	struct event_list names = { NULL, 0 };
	struct event *ev = NULL;

	if (rc != ZNODE_OK || get_children(obj, &names, err)) {
		ev = event_from_children(path, rc, why, (const char *const *)names.v, names.n, st, w->epoch, w->seen, w->wall);
		if (ev == NULL)
			err_set(err, ERR_FORMAT, "path: \"%.80s\" is none that is read", path);
		else
			event_keep_raw(ev, path, rc, NULL, 0, (const char *const *)names.v, names.n);
	}
	for (size_t i = 0; i < names.n; i++)
		mem_free(&names.v[i]);
	mem_free(&names.v);
	return ev;
}

static struct event *read_data(const json_t *obj, const char *path, enum znode_rc rc, const char *why,
	const struct znode_stat *st, const struct when *w, struct err *err)
{
	struct event *ev = NULL;
	struct strbuf data;
	bool found;

	strbuf_init(&data);
	if (get_bytes(obj, "data", &data, &found, err)) {
		const char *bytes = found ? data.s : NULL;
		ev = event_from_znode(path, rc, why, bytes, data.len, st, w->epoch, w->seen, w->wall);
		if (ev == NULL)
			err_set(err, ERR_FORMAT, "path: \"%.80s\" is none that is read", path);
		else
			event_keep_raw(ev, path, rc, bytes, data.len, NULL, 0);
	}
	strbuf_fini(&data);
	return ev;
}

static struct event *read_znode(const json_t *obj, bool is_list, const struct when *w, struct err *err)
{
	struct event *ev = NULL;
	struct znode_stat st;
	struct strbuf path;
	const char *why = NULL;
	bool found = false;
	size_t rc;

	strbuf_init(&path);
	if (get_bytes(obj, "path", &path, &found, err) && trace_need_word(obj, "rc", trace_rc_words, TRACE_N_WORDS(trace_rc_words), &rc, err) &&
	    json_opt_str(obj, "why", &why, err) && get_stat(obj, &st, err)) {
		if (!found || is_list != zkpath_is_list(zkpath_parse(path.s).kind))
			err_set(err, ERR_FORMAT, "path: none of this kind");
		else if (is_list)
			ev = read_children(obj, path.s, (enum znode_rc)rc, why, &st, w, err);
		else
			ev = read_data(obj, path.s, (enum znode_rc)rc, why, &st, w, err);
	}
	strbuf_fini(&path);
	return ev;
}

static bool get_text(const json_t *obj, const char *key, char *out, size_t size, struct err *err)
{
	const char *s = "";

	if (!json_opt_str(obj, key, &s, err))
		return false;
	if (!str_copy(out, size, s))
		return err_set(err, ERR_LIMIT, "%s: longer than %zu bytes", key, size - 1);
	return true;
}

static bool get_session_id(const json_t *obj, int64_t *out, struct err *err)
{
	const char *s = "0x0";
	unsigned long long id;
	char *end;

	if (!json_opt_str(obj, "session_id", &s, err))
		return false;
	errno = 0;
	id = strtoull(s, &end, 16);
	if (*s == '\0' || *end != '\0' || errno != 0)
		return err_set(err, ERR_FORMAT, "session_id: expected 0x and hex digits");
	*out = (int64_t)id;
	return true;
}

static struct event *read_conn(const json_t *obj, const struct when *w, struct err *err)
{
	struct conn_info ci = { .latency = -1 };
	int64_t tries = 0, age = -1;
	size_t state, loss;

	if (!trace_need_word(obj, "state", trace_state_words, TRACE_N_WORDS(trace_state_words), &state, err) ||
	    !trace_need_word(obj, "loss", trace_loss_words, TRACE_N_WORDS(trace_loss_words), &loss, err) ||
	    !json_opt_i64(obj, "tries", 0, INT32_MAX, &tries, err) ||
	    !json_opt_i64(obj, "last_answer_age", 0, INT64_MAX / 2, &age, err) ||
	    !json_opt_i64(obj, "latency", -1, INT32_MAX, &ci.latency, err) ||
	    !json_opt_i64(obj, "session_timeout", 0, INT32_MAX, &ci.session_timeout, err) ||
	    !get_session_id(obj, &ci.session_id, err) ||
	    !get_text(obj, "server", ci.server, sizeof(ci.server), err) ||
	    !get_text(obj, "error", ci.error, sizeof(ci.error), err))
		return NULL;
	ci.state = (uint8_t)state;
	ci.loss = (uint8_t)loss;
	ci.tries = (int32_t)tries;
	ci.readonly_server = json_is_true(json_object_get(obj, "readonly_server"));
	if (age >= 0)
		ci.last_answer.ms = age < w->seen.ms ? w->seen.ms - age : 1;
	return event_conn(w->epoch, w->seen, w->wall, &ci);
}

static struct event *read_progress(const json_t *obj, const struct when *w, struct err *err)
{
	struct event *ev;
	int64_t done, total;

	if (!json_need_i64(obj, "done", 0, UINT32_MAX, &done, err) ||
	    !json_need_i64(obj, "total", 0, UINT32_MAX, &total, err))
		return NULL;
	ev = event_new(EV_PROGRESS, w->epoch, w->seen, w->wall);
	ev->u.progress.done = (uint32_t)done;
	ev->u.progress.total = (uint32_t)total;
	return ev;
}

static struct event *read_root(const json_t *obj, const struct when *w, struct err *err)
{
	struct event *ev;
	struct strbuf missing;
	const char *why = NULL;
	bool found;
	size_t rc;

	strbuf_init(&missing);
	if (!trace_need_word(obj, "rc", trace_rc_words, TRACE_N_WORDS(trace_rc_words), &rc, err) ||
	    !json_opt_str(obj, "why", &why, err) || !get_bytes(obj, "missing", &missing, &found, err)) {
		strbuf_fini(&missing);
		return NULL;
	}
	ev = event_new(EV_ROOT, w->epoch, w->seen, w->wall);
	ev->know = rc == ZNODE_ABSENT ? KNOW_ABSENT : rc == ZNODE_OK ? KNOW_PRESENT : KNOW_UNREADABLE;
	if (why != NULL)
		ev->why = mem_strdup(why);
	if (found)
		ev->name = strbuf_take(&missing);
	strbuf_fini(&missing);
	return ev;
}

/* The event of one line. NULL with `err` set when the line is bad, NULL without
 * when its kind is not known. */
static struct event *read_event(const struct trace *tr, const json_t *obj, dur_ms t, struct err *err)
{
	struct when w = { .t = t, .seen = { 1 + t }, .wall = { tr->started_at.ms + t } };
	const char *kind;
	int64_t epoch = 0;

	if (!json_need_str(obj, "ev", &kind, err) || !json_opt_i64(obj, "epoch", 0, UINT32_MAX, &epoch, err))
		return NULL;
	w.epoch = (uint32_t)epoch;
	if (strcmp(kind, "znode") == 0)
		return read_znode(obj, false, &w, err);
	if (strcmp(kind, "children") == 0)
		return read_znode(obj, true, &w, err);
	if (strcmp(kind, "conn") == 0)
		return read_conn(obj, &w, err);
	if (strcmp(kind, "progress") == 0)
		return read_progress(obj, &w, err);
	if (strcmp(kind, "loaded") == 0)
		return event_new(EV_LOADED, w.epoch, w.seen, w.wall);
	if (strcmp(kind, "root") == 0)
		return read_root(obj, &w, err);
	return trace_brokers_read(kind, obj, w.seen, w.wall, err);
}

static void add_line(struct trace *tr, size_t at, size_t len, dur_ms t)
{
	if (tr->n == tr->cap) {
		tr->cap = tr->cap ? tr->cap * 2 : 256;
		tr->lines = mem_realloc_array(tr->lines, tr->cap, sizeof(*tr->lines));
	}
	tr->lines[tr->n++] = (struct trace_line){ at, len, t };
}

/* "2026-01-02T03:04:05.678Z", the milliseconds may be missing. */
static bool read_rfc3339(const char *s, wall_ms *out)
{
	struct tm tm = { .tm_isdst = 0 };
	int n = -1, ms = 0;

	if (sscanf(s, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		   &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &n) != 6 || n < 0)
		return false;
	s += n;
	if (*s == '.') {
		n = -1;
		if (sscanf(s, ".%3d%n", &ms, &n) != 1 || n != 4 || ms < 0)
			return false;
		s += n;
	}
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	out->ms = (int64_t)timegm(&tm) * 1000 + ms;
	return strcmp(s, "Z") == 0 && out->ms >= 0;
}

static bool read_header(struct trace *tr, const json_t *obj, struct err *err)
{
	const char *zookeeper = "", *started_at;
	int64_t version;

	if (json_object_get(obj, "kafops_trace") == NULL)
		return err_set(err, ERR_FORMAT, "this is not a kafops trace");
	if (!json_need_i64(obj, "kafops_trace", 1, INT32_MAX, &version, err) ||
	    !json_opt_str(obj, "zookeeper", &zookeeper, err) ||
	    !json_need_str(obj, "started_at", &started_at, err))
		return false;
	if (!read_rfc3339(started_at, &tr->started_at))
		return err_set(err, ERR_FORMAT, "started_at: expected a time like 2026-01-02T03:04:05.678Z");
	if (version > TRACE_VERSION)
		return err_set(err, ERR_UNSUPPORTED, "a trace of version %lld; this program reads version %d",
			       (long long)version, TRACE_VERSION);
	tr->zookeeper = mem_strdup(zookeeper);
	return true;
}

static bool read_line(struct trace *tr, size_t at, size_t len, struct err *err)
{
	json_t *obj = json_read_object(tr->data + at, len, err);
	dur_ms last = tr->n > 0 ? tr->lines[tr->n - 1].t : 0;
	struct event *ev;
	struct err bad;
	int64_t t = 0;
	bool ok;

	if (obj == NULL)
		return tr->zookeeper == NULL ? err_wrap(err, "this is not a kafops trace") : false;
	if (tr->zookeeper == NULL) {
		ok = read_header(tr, obj, err);
	} else {
		err_init(&bad);
		ok = json_need_i64(obj, "t", 0, INT64_MAX / 4, &t, &bad);
		if (t < last)
			t = last;
		ev = ok ? read_event(tr, obj, t, &bad) : NULL;
		ok = bad.code == ERR_NONE;
		if (!ok)
			err_set(err, bad.code, "%s", bad.text);
		if (ev != NULL)
			add_line(tr, at, len, t);
		event_free(&ev);
	}
	json_decref(obj);
	return ok;
}

/* Whether data[0..n) is a whole JSON value: what a torn line is not. */
static bool is_whole(const char *data, size_t n)
{
	struct err ignored;
	json_t *v;

	err_init(&ignored);
	v = json_read(data, n, &ignored);
	json_decref(v);
	return v != NULL;
}

static bool read_lines(struct trace *tr, struct err *err)
{
	size_t number = 0;

	for (size_t at = 0; at < tr->len;) {
		const char *nl = memchr(tr->data + at, '\n', tr->len - at);
		size_t len = nl != NULL ? (size_t)(nl - (tr->data + at)) : tr->len - at;

		number++;
		if (nl == NULL && number > 1 && !is_whole(tr->data + at, len)) {
			tr->is_torn = true;
			return true;
		}
		if (!read_line(tr, at, len, err))
			return err_wrap(err, "line %zu", number);
		at += len + 1;
	}
	if (tr->zookeeper == NULL)
		return err_set(err, ERR_FORMAT, "this is not a kafops trace: it is empty");
	return true;
}

static bool read_file(struct trace *tr, const char *path, struct err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_set(err, ERR_IO, "%s", strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return err_set(err, ERR_IO, "not a plain file");
	}
	if (st.st_size > TRACE_FILE_MAX_BYTES) {
		close(fd);
		return err_set(err, ERR_LIMIT, "larger than any trace (4 GiB)");
	}
	tr->data = mem_alloc((size_t)st.st_size + 1);
	while (tr->len < (size_t)st.st_size) {
		ssize_t n = read(fd, tr->data + tr->len, (size_t)st.st_size - tr->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_set(err, ERR_IO, "%s", strerror(errno));
			close(fd);
			return false;
		}
		if (n == 0)
			break;
		tr->len += (size_t)n;
	}
	close(fd);
	return true;
}

struct trace *trace_open(const char *path, struct err *err)
{
	struct trace *tr = mem_zalloc(sizeof(*tr));

	tr->magic = TRACE_MAGIC;
	if (!read_file(tr, path, err) || !read_lines(tr, err)) {
		err_wrap(err, "%s", path);
		trace_free(&tr);
	}
	return tr;
}

void trace_free(struct trace **pp)
{
	struct trace *tr = *pp;

	if (tr == NULL)
		return;
	assert(tr->magic == TRACE_MAGIC);
	mem_free(&tr->data);
	mem_free(&tr->lines);
	mem_free(&tr->zookeeper);
	tr->magic = 0;
	mem_free(pp);
}

bool trace_is_torn(const struct trace *tr)
{
	return tr->is_torn;
}

const char *trace_zookeeper(const struct trace *tr)
{
	return tr->zookeeper;
}

wall_ms trace_started_at(const struct trace *tr)
{
	return tr->started_at;
}

size_t trace_count(const struct trace *tr)
{
	return tr->n;
}

dur_ms trace_length(const struct trace *tr)
{
	return tr->n > 0 ? tr->lines[tr->n - 1].t : 0;
}

dur_ms trace_time(const struct trace *tr, size_t i)
{
	assert(i < tr->n);
	return tr->lines[i].t;
}

struct event *trace_event(const struct trace *tr, size_t i)
{
	const struct trace_line *ln;
	struct event *ev;
	struct err err;
	json_t *obj;

	assert(i < tr->n);
	ln = &tr->lines[i];
	err_init(&err);
	obj = json_read_object(tr->data + ln->at, ln->len, &err);
	ev = obj != NULL ? read_event(tr, obj, ln->t, &err) : NULL;
	assert(ev != NULL); /* it was read once, when the trace was opened */
	json_decref(obj);
	return ev;
}
