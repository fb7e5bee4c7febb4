/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz targets: `buf`, the reader of wire/buf, and each decoder of the wire
 * layer, by the name of its API; a way is a version. The payload is a frame
 * without its prefix. What comes out must hold what the headers promise. Seeds
 * are the answers in tests/wire/vectors.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/ids.h"
#include "fuzz_answer.h"
#include "wire/configs.h"
#include "wire/header.h"
#include "wire/logdirs.h"
#include "wire/metadata.h"
#include "wire/reassign.h"
#include "wire/sasl.h"
#include "wire/topics.h"
#include "wire/versions.h"

const char *const fuzz_words[] = {
	"\xff\xff\xff\xff", "\x7f\xff\xff\xff", "\x7f\xff", "\xff\xff", "\xff\xfe", "\xff\xff\xff\xff\x0f", "\xff\xff\xff\xff\x7f",
	"\x80", "\x81\x80\x80\x80\x80", "\x01", "\x02", "\x03", "\x7f", "\xff", "a", "topic",
};
const size_t fuzz_n_words = sizeof(fuzz_words) / sizeof(fuzz_words[0]);

enum { ARENA_BLOCK_BYTES = 1 }; /* the smallest there is: most allocations are a malloc of their own, and a sanitizer sees their ends */

/* A failure took nothing. */
static void check_failure(struct err *err, const struct arena *ar)
{
	fuzz_check_failure(err);
	assert(arena_used(ar) == 0);
}

/* Touches every id, for a sanitizer to see. */
static void check_ids(const int32_t *v, uint32_t n)
{
	volatile int32_t seen = 0;

	assert((n == 0) == !v);
	for (uint32_t i = 0; i < n; i++)
		seen = v[i];
	(void)seen;
}

static void check_partition(int32_t partition)
{
	assert(partition >= 0 && partition < PARTITIONS_MAX);
}

static void check_md_partition(const struct md_partition *pt)
{
	check_partition(pt->partition);
	check_ids(pt->replicas, pt->n_replicas);
	check_ids(pt->isr, pt->n_isr);
	check_ids(pt->offline, pt->n_offline);
}

static void check_metadata(const struct metadata *md)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < md->n_brokers; i++)
		assert(strlen(md->brokers[i].host) <= WIRE_STRING_MAX);
	for (uint32_t i = 0; i < md->n_topics; i++) {
		const struct md_topic *tp = &md->topics[i];

		assert(strlen(tp->name) <= WIRE_STRING_MAX);
		assert(tp->n_partitions > 0 ? tp->partitions == &md->partitions[next] : !tp->partitions);
		next += tp->n_partitions;
	}
	assert(next == md->n_partitions);
	for (uint32_t i = 0; i < md->n_partitions; i++)
		check_md_partition(&md->partitions[i]);
}

static void check_logdirs(const struct wire_logdirs *ld)
{
	uint32_t topic = 0, replica = 0;

	for (uint32_t i = 0; i < ld->n_dirs; i++) {
		const struct wire_logdir *dir = &ld->dirs[i];

		assert(strlen(dir->path) <= WIRE_STRING_MAX);
		assert(dir->n_topics > 0 ? dir->topics == &ld->topics[topic] : !dir->topics);
		topic += dir->n_topics;
	}
	for (uint32_t i = 0; i < ld->n_topics; i++) {
		const struct wire_logdir_topic *tp = &ld->topics[i];

		assert(strlen(tp->name) <= WIRE_STRING_MAX);
		assert(tp->n_replicas > 0 ? tp->replicas == &ld->replicas[replica] : !tp->replicas);
		replica += tp->n_replicas;
	}
	assert(topic == ld->n_topics && replica == ld->n_replicas);
	for (uint32_t i = 0; i < ld->n_replicas; i++)
		check_partition(ld->replicas[i].partition);
}

static void check_reassignments(const struct wire_reassignments *rs)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rs->n_topics; i++) {
		assert(strlen(rs->topics[i].name) <= WIRE_STRING_MAX);
		n += rs->topics[i].n_partitions;
	}
	assert(n == rs->n_partitions);
	for (uint32_t i = 0; i < n; i++) {
		check_partition(rs->partitions[i].partition);
		check_ids(rs->partitions[i].replicas, rs->partitions[i].n_replicas);
		check_ids(rs->partitions[i].adding, rs->partitions[i].n_adding);
		check_ids(rs->partitions[i].removing, rs->partitions[i].n_removing);
	}
}

static void check_config(const struct wire_config *cfg)
{
	assert(strlen(cfg->name) <= WIRE_STRING_MAX);
	assert((cfg->n_synonyms == 0) == !cfg->synonyms);
	for (uint32_t i = 0; i < cfg->n_synonyms; i++)
		assert(strlen(cfg->synonyms[i].name) <= WIRE_STRING_MAX);
}

static void check_configs(const struct wire_configs *cf)
{
	for (uint32_t i = 0; i < cf->n_resources; i++) {
		assert(strlen(cf->resources[i].name) <= WIRE_STRING_MAX);
		assert((cf->resources[i].n_configs == 0) == !cf->resources[i].configs);
		for (uint32_t k = 0; k < cf->resources[i].n_configs; k++)
			check_config(&cf->resources[i].configs[k]);
	}
}

static void check_deletes(const struct wire_deletes *ds)
{
	assert((ds->n == 0) == !ds->v);
	for (uint32_t i = 0; i < ds->n; i++) {
		assert(strlen(ds->v[i].name) <= WIRE_STRING_MAX);
		assert(!ds->v[i].message || strlen(ds->v[i].message) <= 3 * WIRE_STRING_MAX); /* a NUL byte becomes three */
	}
}

static void check_handshake(const struct wire_handshake *hs)
{
	for (uint32_t i = 0; i < hs->n_mechanisms; i++)
		assert(strlen(hs->mechanisms[i]) <= WIRE_STRING_MAX);
}

static void check_authenticate(const struct wire_authenticate *au)
{
	volatile char seen = 0;

	assert(au->token.s && au->token.n <= WIRE_FRAME_MAX_BYTES);
	for (size_t i = 0; i < au->token.n; i++)
		seen = au->token.s[i];
	(void)seen;
}

static void check_versions(const struct wire_versions *vs)
{
	int16_t version;

	assert((vs->n == 0) == !vs->v);
	for (int api = 0; api < WIRE_APIS; api++)
		if (wire_api_choose((enum wire_api)api, vs->v, vs->n, &version, NULL))
			assert(wire_api_speaks((enum wire_api)api, version));
}

#define FUZZ(type, decode, check) \
	do { \
		struct type out; \
		if (decode(&rd, version, ar, &out, &err)) \
			check(&out); \
		else \
			check_failure(&err, ar); \
	} while (0)

static void fuzz_body(enum wire_api api, int16_t version, struct wire_reader rd, struct arena *ar)
{
	struct err err;

	err_init(&err);
	switch (api) {
	case WIRE_METADATA:
		FUZZ(metadata, wire_metadata_decode, check_metadata);
		break;
	case WIRE_SASL_HANDSHAKE:
		FUZZ(wire_handshake, wire_sasl_decode_handshake, check_handshake);
		break;
	case WIRE_API_VERSIONS:
		FUZZ(wire_versions, wire_versions_decode, check_versions);
		break;
	case WIRE_DELETE_TOPICS:
		FUZZ(wire_deletes, wire_topics_decode_delete, check_deletes);
		break;
	case WIRE_DESCRIBE_CONFIGS:
		FUZZ(wire_configs, wire_configs_decode, check_configs);
		break;
	case WIRE_DESCRIBE_LOG_DIRS:
		FUZZ(wire_logdirs, wire_logdirs_decode, check_logdirs);
		break;
	case WIRE_SASL_AUTHENTICATE:
		FUZZ(wire_authenticate, wire_sasl_decode_token, check_authenticate);
		break;
	case WIRE_LIST_REASSIGNMENTS:
		FUZZ(wire_reassignments, wire_reassign_decode_list, check_reassignments);
		break;
	case WIRE_APIS:
		break;
	}
}

/* The frame with its own correlation id, as an answer. */
static void fuzz_api(int which, size_t way, const uint8_t *frame, size_t n)
{
	enum wire_api api = (enum wire_api)which;
	int16_t version = fuzz_version(api, way);
	struct arena *ar = arena_new(ARENA_BLOCK_BYTES);
	struct wire_reader rd;
	int32_t correlation;
	struct err err;

	err_init(&err);
	wire_reader_init(&rd, frame, n, false);
	correlation = wire_get_i32(&rd, "correlation id");
	if (wire_response_begin(&rd, frame, n, api, version, correlation, &err))
		fuzz_body(api, version, rd, ar);
	else
		check_failure(&err, ar);
	arena_free(&ar);
}

/* Each byte chooses what is read next from the rest; the end is where the bytes end or an error is. */
static void fuzz_buf(int which, size_t way, const uint8_t *bytes, size_t n)
{
	bool is_flexible = way == 1;
	struct arena *ar = arena_new(ARENA_BLOCK_BYTES);
	uint8_t id[WIRE_UUID_BYTES];
	struct wire_reader rd;
	struct err err;
	size_t size;

	err_init(&err);
	if (n >= WIRE_PREFIX_BYTES && wire_frame_size(bytes, &size, NULL))
		assert(size >= 4 && size <= WIRE_FRAME_MAX_BYTES);
	wire_reader_init(&rd, bytes, n, is_flexible);
	while (wire_reader_ok(&rd) && wire_reader_left(&rd) > 0) {
		size_t left = wire_reader_left(&rd);

		switch ((uint8_t)wire_get_i8(&rd, "choice") % 10) {
		case 0: wire_get_i16(&rd, "i16"); break;
		case 1: wire_get_i64(&rd, "i64"); break;
		case 2: wire_get_uvarint(&rd, "uvarint"); break;
		case 3: wire_get_uuid(&rd, id, "uuid"); break;
		case 4: wire_get_partition(&rd, "partition"); break;
		case 5: wire_get_bytes(&rd, "bytes"); break;
		case 6: wire_get_name_or_null(&rd, ar, "name"); break;
		case 7: wire_get_text_or_null(&rd, ar, "text"); break;
		case 8: assert(wire_get_count(&rd, 4, 2, "count") <= left); break;
		default: wire_skip_tags(&rd);
		}
		assert(rd.at <= rd.n && rd.n <= n && wire_reader_left(&rd) < left);
	}
	if (!wire_reader_end(&rd, &err))
		fuzz_check_failure(&err);
	arena_free(&ar);
}

static bool is_answer(int which, size_t way, const char *name)
{
	return fuzz_is_answer((enum wire_api)which, fuzz_version((enum wire_api)which, way), name);
}

const struct fuzz_target fuzz_targets[] = {
	{ .name = "buf", .n_ways = 2, .run = fuzz_buf }, /* classic, flexible */
#define API(id, key, api_name, versions, flexible_from, to, effect, since) \
	{ .name = api_name, .which = WIRE_##id, .n_ways = N_VERSIONS(versions), .run = fuzz_api, .is_seed = is_answer, .skip = WIRE_PREFIX_BYTES },
#include "wire/apis.def"
};
const size_t fuzz_n_targets = sizeof(fuzz_targets) / sizeof(fuzz_targets[0]);
