/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a trace that come of brokers, written and read. */
#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "io/base64.h"
#include "io/kanswer.h"
#include "io/trace.h"
#include "io/trace_parts.h"
#include "io/trace_words.h"
#include "wire/buf.h"

static const char TOO_LARGE[] = "the answer was too large for a trace";

/* Words of "what"; the events that answers become. */
static const char *const what_words[] = { "metadata", "log dirs", "reassigning", "settings" };
static const enum event_kind what_kinds[] = { EV_METADATA, EV_DISKS, EV_REASSIGNING, EV_BROKER_SETTINGS };

static const char *what_word(enum event_kind kind)
{
	for (size_t i = 0; i < TRACE_N_WORDS(what_words); i++)
		if (what_kinds[i] == kind)
			return what_words[i];
	return NULL;
}

static bool has_body(const struct event *ev)
{
	return ev->raw && ev->raw->data && ev->raw->len <= TRACE_BODY_MAX_BYTES;
}

/* ---- writing ------------------------------------------------------------------------- */

const char *trace_brokers_kind(const struct event *ev)
{
	if (ev->kind == EV_LINK)
		return "link";
	if (ev->kind == EV_BROKERS_ASKED)
		return "asked";
	if (!what_word((enum event_kind)ev->kind))
		return NULL;
	return has_body(ev) ? "answer" : "unanswered";
}

static void put_link(json_t *obj, const struct event *ev)
{
	const struct link_info *li = ev->u.link;

	assert(li->state < TRACE_N_WORDS(trace_link_words));
	json_put(obj, "state", json_text(trace_link_words[li->state]));
	json_put(obj, "tries", json_integer(li->tries));
	json_put(obj, "last_answer_age", li->last_answer.ms == 0 ? json_null() : json_integer(mono_since(ev->seen, li->last_answer)));
	json_put(obj, "latency", json_integer(li->latency));
	json_put(obj, "address", json_text(li->address));
	json_put(obj, "error", json_text(li->error));
}

static void put_answer(json_t *obj, const struct event_raw *raw)
{
	struct strbuf b64;

	json_put(obj, "api", json_integer(raw->api));
	json_put(obj, "version", json_integer(raw->version));
	if (raw->is_all)
		json_put(obj, "all", json_true());
	strbuf_init(&b64);
	base64_write(&b64, raw->data, raw->len);
	json_put(obj, "body64", json_text(b64.s));
	strbuf_fini(&b64);
}

static void put_rc(json_t *obj, const struct event *ev)
{
	bool is_lost = ev->know == KNOW_PRESENT && ev->kind != EV_BROKERS_ASKED;
	const char *why = is_lost ? TOO_LARGE : ev->why;
	enum znode_rc rc = ev->know == KNOW_ABSENT ? ZNODE_ABSENT : is_lost || ev->know == KNOW_UNREADABLE ? ZNODE_FAILED : ZNODE_OK;

	json_put(obj, "rc", json_text(trace_rc_words[rc]));
	if (why)
		json_put(obj, "why", json_text(why));
}

void trace_brokers_put(json_t *obj, const struct event *ev)
{
	if (ev->id != BROKER_NONE)
		json_put(obj, "broker", json_integer(ev->id));
	if (ev->kind == EV_LINK) {
		put_link(obj, ev);
	} else if (ev->kind == EV_BROKERS_ASKED) {
		put_rc(obj, ev);
	} else if (has_body(ev)) {
		put_answer(obj, ev->raw);
	} else {
		json_put(obj, "what", json_text(what_word((enum event_kind)ev->kind)));
		put_rc(obj, ev);
	}
}

/* ---- reading ------------------------------------------------------------------------- */

/* Cut to what fits: what is not UTF-8 is longer in its printable form. */
static bool get_cut(const json_t *obj, const char *key, char *out, size_t size, struct err *err)
{
	const char *s = "";

	if (!json_opt_str(obj, key, &s, err))
		return false;
	if (!str_copy(out, size, s))
		out[size - 1] = '\0';
	return true;
}

static struct event *read_link(const json_t *obj, int32_t broker, mono_ms seen, wall_ms wall, struct err *err)
{
	struct link_info li = { .latency = -1 };
	int64_t tries = 0, age = -1;
	size_t state;

	if (!trace_need_word(obj, "state", trace_link_words, TRACE_N_WORDS(trace_link_words), &state, err) ||
	    !json_opt_i64(obj, "tries", 0, INT32_MAX, &tries, err) ||
	    !json_opt_i64(obj, "last_answer_age", 0, INT64_MAX / 2, &age, err) ||
	    !json_opt_i64(obj, "latency", -1, INT32_MAX, &li.latency, err) ||
	    !get_cut(obj, "address", li.address, sizeof(li.address), err) ||
	    !get_cut(obj, "error", li.error, sizeof(li.error), err))
		return NULL;
	li.state = (uint8_t)state;
	li.tries = (int32_t)tries;
	if (age >= 0)
		li.last_answer.ms = age < seen.ms ? seen.ms - age : 1;
	return event_link(broker, &li, seen, wall);
}

static struct event *answer_of(const struct kanswer *an, const struct strbuf *body, struct err *err)
{
	bool is_flexible = wire_api_is_flexible(an->api, an->version);
	struct wire_reader rd;
	struct kanswer here = *an;
	struct event *ev;

	wire_reader_init(&rd, body->s, body->len, is_flexible);
	here.rd = &rd;
	ev = kanswer_event(&here, err);
	if (ev)
		event_keep_answer(ev, wire_api_get(an->api)->key, an->version, an->is_all, body->s, body->len);
	return ev;
}

/* The API of a key, one whose answers become events; WIRE_APIS when it is none. */
static enum wire_api api_of(int64_t key, int64_t version)
{
	int api = 0;

	while (api < WIRE_APIS && wire_api_get((enum wire_api)api)->key != key)
		api++;
	return api < WIRE_APIS && kanswer_takes((enum wire_api)api) && wire_api_speaks((enum wire_api)api, (int16_t)version) ?
		(enum wire_api)api : WIRE_APIS;
}

static struct event *read_answer(const json_t *obj, int32_t broker, mono_ms seen, wall_ms wall, struct err *err)
{
	struct kanswer an = { .broker = broker, .seen = seen, .seen_wall = wall, .is_all = json_is_true(json_object_get(obj, "all")) };
	struct event *ev = NULL;
	struct strbuf body;
	int64_t key, version;
	const char *s;

	if (!json_need_i64(obj, "api", 0, INT16_MAX, &key, err) || !json_need_i64(obj, "version", 0, INT16_MAX, &version, err) ||
	    !json_need_str(obj, "body64", &s, err))
		return NULL;
	an.api = api_of(key, version);
	an.version = (int16_t)version;
	if (an.api == WIRE_APIS)
		return NULL;
	strbuf_init(&body);
	if (base64_read(&body, s))
		ev = answer_of(&an, &body, err);
	else
		err_set(err, ERR_FORMAT, "body64: is not base64");
	strbuf_fini(&body);
	return ev;
}

/* What "rc" and "why" say. */
static struct event *read_rc(const json_t *obj, enum event_kind kind, int32_t broker, mono_ms seen, wall_ms wall, struct err *err)
{
	const char *why = NULL;
	struct event *ev;
	size_t rc;

	if (!trace_need_word(obj, "rc", trace_rc_words, TRACE_N_WORDS(trace_rc_words), &rc, err) || !json_opt_str(obj, "why", &why, err))
		return NULL;
	if (rc == ZNODE_OK && kind != EV_BROKERS_ASKED) {
		err_set(err, ERR_FORMAT, "rc: \"ok\" without an answer");
		return NULL;
	}
	if (rc != ZNODE_OK && rc != ZNODE_ABSENT && !why)
		why = "could not be asked";
	ev = event_of_broker(kind, broker, rc == ZNODE_OK || rc == ZNODE_ABSENT ? NULL : why, seen, wall);
	if (rc == ZNODE_ABSENT)
		ev->know = KNOW_ABSENT;
	return ev;
}

static struct event *read_unanswered(const json_t *obj, int32_t broker, mono_ms seen, wall_ms wall, struct err *err)
{
	size_t what;

	if (!trace_need_word(obj, "what", what_words, TRACE_N_WORDS(what_words), &what, err))
		return NULL;
	return read_rc(obj, what_kinds[what], broker, seen, wall, err);
}

struct event *trace_brokers_read(const char *kind, const json_t *obj, mono_ms seen, wall_ms wall, struct err *err)
{
	int64_t broker = BROKER_NONE;

	if (!json_opt_i64(obj, "broker", 0, INT32_MAX, &broker, err))
		return NULL;
	if (strcmp(kind, "answer") == 0)
		return read_answer(obj, (int32_t)broker, seen, wall, err);
	if (strcmp(kind, "link") == 0)
		return read_link(obj, (int32_t)broker, seen, wall, err);
	if (strcmp(kind, "unanswered") == 0)
		return read_unanswered(obj, (int32_t)broker, seen, wall, err);
	if (strcmp(kind, "asked") == 0)
		return read_rc(obj, EV_BROKERS_ASKED, (int32_t)broker, seen, wall, err);
	return NULL;
}
