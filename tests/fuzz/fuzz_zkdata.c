/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz targets: `zkdata`, of which each way is a decoder of znode payloads, and
 * `text`, of which each way reads one kind of text: connect strings, lists of
 * servers, paths, topic patterns. What comes out must hold what the headers
 * promise. Seeds are the files in tests/cases, each for every way.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/pattern.h"
#include "core/zkconnect.h"
#include "core/zkdata.h"
#include "core/zkpath.h"

const char *const fuzz_words[] = {
	"null", "true", "-1", "0", "1.0", "2147483647", "2147483648", "-2147483649", "1e9", "9223372036854775807",
	"\"1\"", "\"\"", "{}", "[]", "[1,2]", "{\"a\":1}", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "}", "]",
	"\xef\xbb\xbf", "\xff", "\x1b[31m", "\"version\":", "\"partitions\":", "\"replicas\":", "\"isr\":",
	"://", "[::1]", "/", "//", ",,", "(", ")", "*", "+", "?", "|", "{2}", "[^", "(?i)", "\\1", "\\Q", "(?<a>",
};
const size_t fuzz_n_words = sizeof(fuzz_words) / sizeof(fuzz_words[0]);

static void check_ids(const struct ids *l)
{
	assert(l->n <= REPLICAS_MAX && (l->n == 0) == !l->v);
}

static void fuzz_broker(const char *data, size_t n, struct err *err)
{
	struct zk_broker br;
	char text[64];

	if (!zk_broker_decode(data, n, &br, err)) {
		fuzz_check_failure(err);
		return;
	}
	assert(br.json_version >= 1);
	assert((br.n_endpoints == 0) == !zk_broker_main_endpoint(&br));
	for (size_t i = 0; i < br.n_endpoints; i++) {
		assert(br.endpoints[i].listener[0] != '\0');
		zk_endpoint_text(&br.endpoints[i], text, sizeof(text));
		assert(strlen(text) < sizeof(text));
	}
	zk_broker_fini(&br);
}

static void fuzz_topic(const char *data, size_t n, struct err *err)
{
	struct zk_topic tp;

	if (!zk_topic_decode(data, n, &tp, err)) {
		fuzz_check_failure(err);
		return;
	}
	for (size_t i = 0; i < tp.n_parts; i++) {
		assert(tp.parts[i].partition >= 0 && tp.parts[i].partition < PARTITIONS_MAX);
		assert(i == 0 || tp.parts[i - 1].partition < tp.parts[i].partition);
		check_ids(&tp.parts[i].replicas);
		check_ids(&tp.parts[i].adding);
		check_ids(&tp.parts[i].removing);
	}
	zk_topic_fini(&tp);
}

static void fuzz_state(const char *data, size_t n, struct err *err)
{
	struct zk_state st;

	if (!zk_state_decode(data, n, &st, err)) {
		fuzz_check_failure(err);
		return;
	}
	check_ids(&st.isr);
	zk_state_fini(&st);
}

static void fuzz_config(const char *data, size_t n, struct err *err)
{
	struct zk_config cfg;

	if (!zk_config_decode(data, n, &cfg, err)) {
		fuzz_check_failure(err);
		return;
	}
	for (size_t i = 0; i < cfg.n; i++) {
		assert(i == 0 || strcmp(cfg.v[i - 1].key, cfg.v[i].key) < 0);
		assert(zk_config_find(&cfg, cfg.v[i].key) == cfg.v[i].value);
	}
	zk_config_fini(&cfg);
}

static void fuzz_reassign(const char *data, size_t n, struct err *err)
{
	struct zk_reassign re;

	zk_reassign_decode(data, n, &re);
	assert(memchr(re.why, '\0', sizeof(re.why)));
	assert(utf8_is_valid(re.why, strlen(re.why)));
	assert((re.shape == ZK_REASSIGN_OK) == (re.why[0] == '\0'));
	assert(re.n == 0 || re.shape == ZK_REASSIGN_OK || re.shape == ZK_REASSIGN_QUOTED_IDS);
	for (size_t i = 0; i < re.n; i++)
		assert(re.v[i].topic);
	zk_reassign_fini(&re);
}

static void fuzz_controller(const char *data, size_t n, struct err *err)
{
	struct zk_controller co;

	if (!zk_controller_decode(data, n, &co, err))
		fuzz_check_failure(err);
}

static void fuzz_controller_epoch(const char *data, size_t n, struct err *err)
{
	int32_t epoch;

	if (!zk_controller_epoch_decode(data, n, &epoch, err))
		fuzz_check_failure(err);
}

static void fuzz_feature(const char *data, size_t n, struct err *err)
{
	struct zk_feature ft;

	if (!zk_feature_decode(data, n, &ft, err))
		fuzz_check_failure(err);
}

static void fuzz_migration(const char *data, size_t n, struct err *err)
{
	struct zk_migration mg;

	if (!zk_migration_decode(data, n, &mg, err))
		fuzz_check_failure(err);
}

static void fuzz_cluster_id(const char *data, size_t n, struct err *err)
{
	char *id;

	if (zk_cluster_id_decode(data, n, &id, err))
		mem_free(&id);
	else
		fuzz_check_failure(err);
}

static void fuzz_connect(const char *s, struct err *err)
{
	struct zkconnect zc;
	char text[ZKCONNECT_HOST_MAX + 16];

	if (!zkconnect_parse(s, &zc, err)) {
		fuzz_check_failure(err);
		return;
	}
	assert(zc.n_servers >= 1 && zc.n_servers <= ZKCONNECT_SERVERS_MAX);
	for (size_t i = 0; i < zc.n_servers; i++) {
		assert(zc.servers[i].host[0] != '\0');
		assert(zc.servers[i].port >= 1 && zc.servers[i].port <= 65535);
		zkserver_text(&zc.servers[i], text, sizeof(text));
	}
	assert(zc.chroot[0] == '\0' || (zc.chroot[0] == '/' && zc.chroot[strlen(zc.chroot) - 1] != '/'));
}

/* What is read is written in the one right form, which reads as the same. */
static void fuzz_bootstrap(const char *s, struct err *err)
{
	struct bootstrap bs, again;
	char text[SERVER_HOST_MAX + 16];

	if (!bootstrap_parse(s, &bs, err)) {
		fuzz_check_failure(err);
		return;
	}
	assert(bs.n >= 1 && bs.n <= SERVERS_MAX);
	for (size_t i = 0; i < bs.n; i++) {
		zkserver_text(&bs.servers[i], text, sizeof(text));
		if (!bootstrap_parse(text, &again, err))
			assert(!"its own form is refused");
		assert(again.n == 1 && again.servers[0].port == bs.servers[i].port && strcmp(again.servers[0].host, bs.servers[i].host) == 0);
	}
}

/* A path that is ours is built again as it was, unless it is too long. */
static void fuzz_path(const char *s, struct err *err)
{
	struct zkpath zp = zkpath_parse(s);
	char out[ZKPATH_MAX], *name;

	if (zp.kind == ZKPATH_OTHER)
		return;
	name = mem_strndup(zp.name ? zp.name : "", zp.name_len);
	if (zkpath_build(out, zp.kind, name, zp.id))
		assert(strcmp(out, s) == 0);
	mem_free(&name);
}

static void fuzz_pattern(const char *s, struct err *err)
{
	struct pattern *pn = pattern_new(s, err);

	if (!pn) {
		fuzz_check_failure(err);
		return;
	}
	if (pattern_test(pn, "orders-dlq.v2", err) == PATTERN_GAVE_UP)
		fuzz_check_failure(err);
	pattern_free(&pn);
}

static void (*const decoders[])(const char *data, size_t n, struct err *err) = {
	fuzz_broker, fuzz_topic, fuzz_state, fuzz_config, fuzz_reassign,
	fuzz_controller, fuzz_controller_epoch, fuzz_feature, fuzz_migration, fuzz_cluster_id,
};

static void fuzz_zkdata(int which, size_t way, const uint8_t *bytes, size_t n)
{
	struct err err;

	err_init(&err);
	decoders[way]((const char *)bytes, n, &err);
}

static void (*const readers[])(const char *s, struct err *err) = { fuzz_connect, fuzz_bootstrap, fuzz_path, fuzz_pattern };

static void fuzz_text(int which, size_t way, const uint8_t *bytes, size_t n)
{
	char *s = mem_strndup((const char *)bytes, n); /* up to a NUL, if there is one */
	struct err err;

	err_init(&err);
	readers[way](s, &err);
	mem_free(&s);
}

const struct fuzz_target fuzz_targets[] = {
	{ .name = "zkdata", .n_ways = sizeof(decoders) / sizeof(decoders[0]), .run = fuzz_zkdata },
	{ .name = "text", .n_ways = sizeof(readers) / sizeof(readers[0]), .run = fuzz_text },
};
const size_t fuzz_n_targets = sizeof(fuzz_targets) / sizeof(fuzz_targets[0]);
