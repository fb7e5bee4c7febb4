/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: every decoder of znode payloads, connect strings, paths and
 * topic patterns, on the same bytes. What comes out must hold what the headers
 * promise. Built with libFuzzer by --enable-fuzz; tests/fuzz/replay.c runs it
 * in `make check`.
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

/* A failure has a code and one line of printable text. Ready for the next when it returns. */
static void check_failure(struct err *err)
{
	size_t n = strlen(err->text);

	assert(err->code != ERR_NONE && n > 0 && n < sizeof(err->text));
	assert(utf8_is_valid(err->text, n));
	for (size_t i = 0; i < n; i++)
		assert((unsigned char)err->text[i] >= ' ' && err->text[i] != 0x7f);
	err_init(err);
}

static void check_ids(const struct ids *l)
{
	assert(l->n <= REPLICAS_MAX && (l->n == 0) == !l->v);
}

static void fuzz_broker(const char *data, size_t n, struct err *err)
{
	struct zk_broker br;
	char text[64];

	if (!zk_broker_decode(data, n, &br, err)) {
		check_failure(err);
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
		check_failure(err);
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
		check_failure(err);
		return;
	}
	check_ids(&st.isr);
	zk_state_fini(&st);
}

static void fuzz_config(const char *data, size_t n, struct err *err)
{
	struct zk_config cfg;

	if (!zk_config_decode(data, n, &cfg, err)) {
		check_failure(err);
		return;
	}
	for (size_t i = 0; i < cfg.n; i++) {
		assert(i == 0 || strcmp(cfg.v[i - 1].key, cfg.v[i].key) < 0);
		assert(zk_config_find(&cfg, cfg.v[i].key) == cfg.v[i].value);
	}
	zk_config_fini(&cfg);
}

static void fuzz_reassign(const char *data, size_t n)
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

static void fuzz_small(const char *data, size_t n, struct err *err)
{
	struct zk_controller co;
	struct zk_feature ft;
	struct zk_migration mg;
	int32_t epoch;
	char *id;

	if (!zk_controller_decode(data, n, &co, err))
		check_failure(err);
	if (!zk_controller_epoch_decode(data, n, &epoch, err))
		check_failure(err);
	if (!zk_feature_decode(data, n, &ft, err))
		check_failure(err);
	if (!zk_migration_decode(data, n, &mg, err))
		check_failure(err);
	if (zk_cluster_id_decode(data, n, &id, err))
		mem_free(&id);
	else
		check_failure(err);
}

static void fuzz_connect(const char *s, struct err *err)
{
	struct zkconnect zc;
	char text[ZKCONNECT_HOST_MAX + 16];

	if (!zkconnect_parse(s, &zc, err)) {
		check_failure(err);
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
		check_failure(err);
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
static void fuzz_path(const char *s)
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
		check_failure(err);
		return;
	}
	if (pattern_test(pn, "orders-dlq.v2", err) == PATTERN_GAVE_UP)
		check_failure(err);
	pattern_free(&pn);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *data = (const char *)bytes;
	struct err err;
	char *s = mem_strndup(data, n); /* up to a NUL, if there is one */

	err_init(&err);
	fuzz_broker(data, n, &err);
	fuzz_topic(data, n, &err);
	fuzz_state(data, n, &err);
	fuzz_config(data, n, &err);
	fuzz_reassign(data, n);
	fuzz_small(data, n, &err);
	fuzz_connect(s, &err);
	fuzz_bootstrap(s, &err);
	fuzz_path(s);
	fuzz_pattern(s, &err);
	mem_free(&s);
	return 0;
}
