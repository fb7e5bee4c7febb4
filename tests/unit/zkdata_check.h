/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of core/zkdata share: every decoder under one signature, and what it refuses. */
#ifndef TESTS_UNIT_ZKDATA_CHECK_H
#define TESTS_UNIT_ZKDATA_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/zkdata.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

typedef bool decode_fn(const char *data, size_t n, struct err *err);

static inline bool broker(const char *data, size_t n, struct err *err)
{
	struct zk_broker br;

	if (!zk_broker_decode(data, n, &br, err))
		return false;
	zk_broker_fini(&br);
	return true;
}

static inline bool topic(const char *data, size_t n, struct err *err)
{
	struct zk_topic tp;

	if (!zk_topic_decode(data, n, &tp, err))
		return false;
	zk_topic_fini(&tp);
	return true;
}

static inline bool state(const char *data, size_t n, struct err *err)
{
	struct zk_state st;

	if (!zk_state_decode(data, n, &st, err))
		return false;
	zk_state_fini(&st);
	return true;
}

static inline bool controller(const char *data, size_t n, struct err *err)
{
	struct zk_controller co;

	return zk_controller_decode(data, n, &co, err);
}

static inline bool epoch(const char *data, size_t n, struct err *err)
{
	int32_t v;

	return zk_controller_epoch_decode(data, n, &v, err);
}

static inline bool cluster_id(const char *data, size_t n, struct err *err)
{
	char *id;

	if (!zk_cluster_id_decode(data, n, &id, err))
		return false;
	mem_free(&id);
	return true;
}

static inline bool config(const char *data, size_t n, struct err *err)
{
	struct zk_config cfg;

	if (!zk_config_decode(data, n, &cfg, err))
		return false;
	zk_config_fini(&cfg);
	return true;
}

static inline bool feature(const char *data, size_t n, struct err *err)
{
	struct zk_feature ft;

	return zk_feature_decode(data, n, &ft, err);
}

static inline bool migration(const char *data, size_t n, struct err *err)
{
	struct zk_migration mg;

	return zk_migration_decode(data, n, &mg, err);
}

static decode_fn *const all[] = {
	broker, topic, state, controller, epoch, cluster_id, config, feature, migration,
};

struct refusal {
	decode_fn *decode;
	const char *data, *text;
};

static inline void assert_refused_bytes(decode_fn *decode, const char *data, size_t n, const char *text)
{
	struct err err;

	err_init(&err);
	if (decode(data, n, &err))
		fail_msg("%s was read", data);
	assert_string_equal(err.text, text);
	assert_false(decode(data, n, NULL));
}

static inline void assert_refusals(const struct refusal *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_refused_bytes(v[i].decode, v[i].data, strlen(v[i].data), v[i].text);
}

static inline void assert_ids(struct ids l, const char *expected)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (uint32_t i = 0; i < l.n; i++)
		strbuf_printf(&sb, "%s%d", i > 0 ? "," : "", (int)l.v[i]);
	assert_string_equal(sb.s, expected);
	strbuf_fini(&sb);
}

static inline void assert_endpoint(const struct zk_broker *br, size_t i, const char *listener, const char *protocol,
			    const char *text)
{
	char got[300];

	assert_true(i < br->n_endpoints);
	assert_string_equal(br->endpoints[i].listener, listener);
	assert_string_equal(br->endpoints[i].protocol, protocol);
	zk_endpoint_text(&br->endpoints[i], got, sizeof(got));
	assert_string_equal(got, text);
}

#define MUST(decode, data, out)                                                                     \
	do {                                                                                        \
		struct err must_err;                                                                \
		err_init(&must_err);                                                                \
		if (!decode(data, strlen(data), out, &must_err))                                    \
			fail_msg("%s: %s", data, must_err.text);                                    \
	} while (0)

#endif
