/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a trace: one JSON object a line (the format is in the header file).
 * Lines go out with one write(2) each, so that a full disk is reported with the
 * event that did not fit and nothing sits in a buffer when we crash.
 */
#include "io/trace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "io/base64.h"
#include "io/trace_parts.h"
#include "io/trace_words.h"

struct trace_writer {
	uint32_t magic;
	int fd;
	char *path;
	wall_ms started_at;
	mono_ms base; /* monotonic time of started_at, {0} until the first event */
	dur_ms last;  /* times in a trace do not go back */
	struct strbuf line;
};

static bool write_line(struct trace_writer *tw, json_t *obj, struct err *err)
{
	size_t done = 0;

	strbuf_clear(&tw->line);
	json_write(&tw->line, obj);
	strbuf_putc(&tw->line, '\n');
	json_decref(obj);
	while (done < tw->line.len) {
		ssize_t n = write(tw->fd, tw->line.s + done, tw->line.len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_set(err, ERR_IO, "%s: %s", tw->path, n < 0 ? strerror(errno) : "nothing was written");
		done += (size_t)n;
	}
	return true;
}

/* `key` for text; `key`64 for bytes that JSON can't hold. */
static void put_bytes(json_t *obj, const char *key, const char *data, size_t len)
{
	char key64[32];
	struct strbuf b64;

	if (memchr(data, '\0', len) == NULL && utf8_is_valid(data, len)) {
		json_put(obj, key, json_text(data));
		return;
	}
	strbuf_init(&b64);
	base64_write(&b64, data, len);
	if (str_printf(key64, sizeof(key64), "%s64", key))
		json_put(obj, key64, json_text(b64.s));
	strbuf_fini(&b64);
}

static void put_children(json_t *obj, const struct event_raw *raw)
{
	json_t *arr = json_array();
	bool is_text = true;

	for (size_t i = 0; i < raw->n_children; i++)
		is_text = is_text && utf8_is_valid(raw->children[i], strlen(raw->children[i]));
	for (size_t i = 0; i < raw->n_children; i++) {
		const char *name = raw->children[i];
		struct strbuf b64;

		if (is_text) {
			json_push(arr, json_text(name));
			continue;
		}
		strbuf_init(&b64);
		base64_write(&b64, name, strlen(name));
		json_push(arr, json_text(b64.s));
		strbuf_fini(&b64);
	}
	json_put(obj, is_text ? "children" : "children64", arr);
}

static json_t *stat_object(const struct znode_stat *st)
{
	json_t *obj = json_object();

	json_put(obj, "czxid", json_integer(st->czxid));
	json_put(obj, "mzxid", json_integer(st->mzxid));
	json_put(obj, "ctime", json_integer(st->ctime.ms));
	json_put(obj, "mtime", json_integer(st->mtime.ms));
	json_put(obj, "version", json_integer(st->version));
	json_put(obj, "cversion", json_integer(st->cversion));
	if (st->n_children >= 0)
		json_put(obj, "n_children", json_integer(st->n_children));
	json_put(obj, "ephemeral_owner", json_integer(st->ephemeral_owner));
	return obj;
}

static void put_conn(json_t *obj, const struct event *ev)
{
	const struct conn_info *ci = ev->u.conn;
	char id[32];

	assert(ci->state < TRACE_N_WORDS(trace_state_words) && ci->loss < TRACE_N_WORDS(trace_loss_words));
	json_put(obj, "state", json_text(trace_state_words[ci->state]));
	json_put(obj, "loss", json_text(trace_loss_words[ci->loss]));
	json_put(obj, "readonly_server", json_boolean(ci->readonly_server));
	json_put(obj, "tries", json_integer(ci->tries));
	/* An age, as monotonic times mean nothing to another run. */
	json_put(obj, "last_answer_age", ci->last_answer.ms == 0 ? json_null() : json_integer(mono_since(ev->seen, ci->last_answer)));
	json_put(obj, "latency", json_integer(ci->latency));
	json_put(obj, "session_timeout", json_integer(ci->session_timeout));
	if (str_printf(id, sizeof(id), "0x%llx", (unsigned long long)ci->session_id))
		json_put(obj, "session_id", json_text(id));
	json_put(obj, "server", json_text(ci->server));
	json_put(obj, "error", json_text(ci->error));
}

static void put_znode(json_t *obj, const struct event *ev)
{
	const struct event_raw *raw = ev->raw;

	assert(raw->rc >= 0 && (size_t)raw->rc < TRACE_N_WORDS(trace_rc_words));
	put_bytes(obj, "path", raw->path, strlen(raw->path));
	json_put(obj, "rc", json_text(trace_rc_words[raw->rc]));
	if (raw->rc != ZNODE_OK) {
		if (ev->why != NULL && raw->rc != ZNODE_ABSENT)
			json_put(obj, "why", json_text(ev->why));
		return;
	}
	if (raw->kind == RAW_CHILDREN)
		put_children(obj, raw);
	else if (raw->data != NULL)
		put_bytes(obj, "data", raw->data, raw->len);
	json_put(obj, "stat", stat_object(&ev->stat));
}

static dur_ms time_of(struct trace_writer *tw, const struct event *ev)
{
	dur_ms t;

	if (tw->base.ms == 0)
		tw->base.ms = ev->seen.ms - (ev->seen_wall.ms - tw->started_at.ms);
	t = mono_since(ev->seen, tw->base);
	if (t > tw->last)
		tw->last = t;
	return tw->last;
}

struct trace_writer *trace_create(const char *path, const char *zookeeper, wall_ms started_at, struct err *err)
{
	struct trace_writer *tw;
	char at[UNITS_TEXT_MAX];
	json_t *obj;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0) {
		err_set(err, ERR_IO, "%s: %s%s", path, strerror(errno), errno == EEXIST ? "; a recording goes to a new file" : "");
		return NULL;
	}
	tw = mem_zalloc(sizeof(*tw));
	tw->magic = TRACE_MAGIC;
	tw->fd = fd;
	tw->path = mem_strdup(path);
	tw->started_at = started_at;
	strbuf_init(&tw->line);
	obj = json_object();
	json_put(obj, "kafops_trace", json_integer(TRACE_VERSION));
	json_put(obj, "program", json_text(PACKAGE_STRING));
	json_put(obj, "started_at", json_text(units_rfc3339(at, started_at)));
	json_put(obj, "zookeeper", json_text(zookeeper));
	if (!write_line(tw, obj, err)) {
		unlink(path); /* ours: it was not there before */
		trace_close(&tw);
	}
	return tw;
}

/* The word under "ev"; NULL for an event that came without its bytes. */
static const char *line_kind(const struct event *ev)
{
	if (ev->source == SOURCE_BROKERS)
		return trace_brokers_kind(ev);
	if (ev->raw != NULL)
		return ev->raw->kind == RAW_CHILDREN ? "children" : "znode";
	switch ((enum event_kind)ev->kind) {
	case EV_CONN:
		return "conn";
	case EV_PROGRESS:
		return "progress";
	case EV_LOADED:
		return "loaded";
	case EV_ROOT:
		return "root";
	default:
		return NULL;
	}
}

static void put_root(json_t *obj, const struct event *ev)
{
	enum znode_rc rc = ev->know == KNOW_ABSENT ? ZNODE_ABSENT : ev->know == KNOW_UNREADABLE ? ZNODE_FAILED : ZNODE_OK;

	json_put(obj, "rc", json_text(trace_rc_words[rc]));
	if (ev->why != NULL)
		json_put(obj, "why", json_text(ev->why));
	if (ev->name != NULL)
		put_bytes(obj, "missing", ev->name, strlen(ev->name));
}

bool trace_write(struct trace_writer *tw, const struct event *ev, struct err *err)
{
	const char *kind = line_kind(ev);
	json_t *obj;

	assert(tw->magic == TRACE_MAGIC);
	if (ev->kind == EV_OUTCOME || ev->kind == EV_APPRAISAL)
		return true; /* a trace holds facts of the cluster; what was asked for stands in the journal */
	assert(kind != NULL);
	obj = json_object();
	json_put(obj, "t", json_integer(time_of(tw, ev)));
	json_put(obj, "ev", json_text(kind));
	if (ev->source == SOURCE_BROKERS) {
		trace_brokers_put(obj, ev);
		return write_line(tw, obj, err);
	}
	json_put(obj, "epoch", json_integer(ev->epoch));
	if (ev->raw != NULL) {
		put_znode(obj, ev);
	} else if (ev->kind == EV_CONN) {
		put_conn(obj, ev);
	} else if (ev->kind == EV_PROGRESS) {
		json_put(obj, "done", json_integer(ev->u.progress.done));
		json_put(obj, "total", json_integer(ev->u.progress.total));
	} else if (ev->kind == EV_ROOT) {
		put_root(obj, ev);
	}
	return write_line(tw, obj, err);
}

void trace_close(struct trace_writer **pp)
{
	struct trace_writer *tw = *pp;

	if (tw == NULL)
		return;
	assert(tw->magic == TRACE_MAGIC);
	close(tw->fd);
	strbuf_fini(&tw->line);
	mem_free(&tw->path);
	tw->magic = 0;
	mem_free(pp);
}
