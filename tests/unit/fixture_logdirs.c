/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture_logdirs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"

static mono_ms tick(struct fixture *fx)
{
	fx->at += 1000;
	return (mono_ms){ 1 + fx->at };
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
