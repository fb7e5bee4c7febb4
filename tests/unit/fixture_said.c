/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture_said.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"
#include "tests/model/said.h"

enum { WORDS = 64 };

static mono_ms tick(struct fixture *fx)
{
	fx->at += 1000;
	return (mono_ms){ 1 + fx->at };
}

static void say_line(struct fixture *fx, struct said *sd, char *line)
{
	char *words[WORDS], *rest = NULL;
	size_t n = 0;
	struct event *ev;
	const char *wrong;
	mono_ms seen = tick(fx);

	for (char *w = strtok_r(line, " ", &rest); w != NULL && n < WORDS; w = strtok_r(NULL, " ", &rest))
		words[n++] = w;
	if (n == 0)
		return;
	if (!said_line(sd, words, n, seen, fixture_now(fx), &ev, &wrong) || wrong != NULL) {
		fprintf(stderr, "%s: %s\n", words[0], wrong ? wrong : "no such line");
		abort();
	}
	if (ev != NULL)
		model_apply(fx->md, ev);
}

void fixture_said(struct fixture *fx, const char *lines)
{
	struct said *sd = said_new();

	while (*lines != '\0') {
		size_t len = strcspn(lines, "\n");
		char *line = mem_strndup(lines, len);

		say_line(fx, sd, line);
		mem_free(&line);
		lines += len + (lines[len] == '\n');
	}
	said_free(&sd);
}

/* ---- kafka-log-dirs ---------------------------------------------------------------------- */

/* "tmp-load-01-0": the partition stands behind the last dash. */
static void hold(struct disks *ds, int dir, json_t *one)
{
	const char *name = json_string_value(json_object_get(one, "partition")), *dash = name ? strrchr(name, '-') : NULL;
	char *topic;
	int64_t id;

	assert(dash != NULL);
	topic = mem_strndup(name, (size_t)(dash - name));
	if (!str_to_i64(dash + 1, 0, INT32_MAX, &id))
		abort();
	disks_add_topic(ds, dir, topic);
	disks_add_replica(ds, (int32_t)id, json_is_true(json_object_get(one, "isFuture")),
		json_integer_value(json_object_get(one, "size")), json_integer_value(json_object_get(one, "offsetLag")));
	mem_free(&topic);
}

static struct disks *disks_of(json_t *broker)
{
	struct disks *ds = disks_new();
	json_t *dir, *one;
	size_t i, j;

	json_array_foreach(json_object_get(broker, "logDirs"), i, dir) {
		bool is_offline = json_is_string(json_object_get(dir, "error"));
		int at = disks_add_dir(ds, json_string_value(json_object_get(dir, "logDir")), is_offline ? 56 : 0, -1, -1);

		json_array_foreach(json_object_get(dir, "partitions"), j, one)
			hold(ds, at, one);
	}
	disks_finish(ds);
	return ds;
}

void fixture_log_dirs(struct fixture *fx, const char *json, size_t len)
{
	struct err err;
	json_t *top, *broker;
	size_t i;

	err_init(&err);
	top = json_read_object(json, len, &err);
	assert(top != NULL);
	json_array_foreach(json_object_get(top, "brokers"), i, broker) {
		mono_ms seen = tick(fx);
		struct event *ev = event_of_broker(EV_DISKS, (int32_t)json_integer_value(json_object_get(broker, "broker")), NULL,
			seen, fixture_now(fx));

		ev->u.disks = disks_of(broker);
		model_apply(fx->md, ev);
	}
	json_decref(top);
}
