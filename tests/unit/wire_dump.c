/* SPDX-License-Identifier: Apache-2.0 */
#include "wire_dump.h"

#include <inttypes.h>

#include "base/str.h"
#include "wire/configs.h"
#include "wire/logdirs.h"
#include "wire/metadata.h"
#include "wire/reassign.h"
#include "wire/sasl.h"
#include "wire/topics.h"
#include "wire/versions.h"

static void put_text(struct strbuf *sb, const char *path, const char *field, const char *v)
{
	if (v)
		strbuf_printf(sb, "%s%s \"%s\"\n", path, field, v);
	else
		strbuf_printf(sb, "%s%s null\n", path, field);
}

static void put_number(struct strbuf *sb, const char *path, const char *field, int64_t v)
{
	strbuf_printf(sb, "%s%s %" PRId64 "\n", path, field, v);
}

static void put_bool(struct strbuf *sb, const char *path, const char *field, bool v)
{
	strbuf_printf(sb, "%s%s %s\n", path, field, v ? "true" : "false");
}

static void put_hex(struct strbuf *sb, const char *path, const char *field, const void *v, size_t n)
{
	strbuf_printf(sb, "%s%s ", path, field);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(sb, "%02x", ((const uint8_t *)v)[i]);
	strbuf_putc(sb, '\n');
}

static void put_ids(struct strbuf *sb, const char *path, const char *field, const int32_t *v, uint32_t n)
{
	strbuf_printf(sb, "%s%s.size %u\n", path, field, (unsigned)n);
	for (uint32_t i = 0; i < n; i++)
		strbuf_printf(sb, "%s%s[%u] %d\n", path, field, (unsigned)i, (int)v[i]);
}

static void dump_versions(struct strbuf *sb, const struct wire_versions *vs)
{
	char path[64];

	put_number(sb, "", "errorCode", vs->error);
	put_number(sb, "", "apiKeys.size", vs->n);
	for (uint32_t i = 0; i < vs->n; i++) {
		str_printf(path, sizeof(path), "apiKeys[%u].", (unsigned)i);
		put_number(sb, path, "apiKey", vs->v[i].key);
		put_number(sb, path, "minVersion", vs->v[i].min);
		put_number(sb, path, "maxVersion", vs->v[i].max);
	}
	put_number(sb, "", "throttleTimeMs", vs->throttle_ms);
}

static void dump_partition(struct strbuf *sb, const char *path, const struct md_partition *pt)
{
	put_number(sb, path, "errorCode", pt->error);
	put_number(sb, path, "partitionIndex", pt->partition);
	put_number(sb, path, "leaderId", pt->leader);
	put_number(sb, path, "leaderEpoch", pt->leader_epoch);
	put_ids(sb, path, "replicaNodes", pt->replicas, pt->n_replicas);
	put_ids(sb, path, "isrNodes", pt->isr, pt->n_isr);
	put_ids(sb, path, "offlineReplicas", pt->offline, pt->n_offline);
}

static void dump_md_topic(struct strbuf *sb, unsigned i, const struct md_topic *tp)
{
	char path[64];

	str_printf(path, sizeof(path), "topics[%u].", i);
	put_number(sb, path, "errorCode", tp->error);
	put_text(sb, path, "name", tp->name);
	put_hex(sb, path, "topicId", tp->id, sizeof(tp->id));
	put_bool(sb, path, "isInternal", tp->is_internal);
	put_number(sb, path, "partitions.size", tp->n_partitions);
	for (uint32_t k = 0; k < tp->n_partitions; k++) {
		str_printf(path, sizeof(path), "topics[%u].partitions[%u].", i, (unsigned)k);
		dump_partition(sb, path, &tp->partitions[k]);
	}
}

static void dump_metadata(struct strbuf *sb, const struct metadata *md)
{
	char path[64];

	put_number(sb, "", "throttleTimeMs", md->throttle_ms);
	put_number(sb, "", "brokers.size", md->n_brokers);
	for (uint32_t i = 0; i < md->n_brokers; i++) {
		str_printf(path, sizeof(path), "brokers[%u].", (unsigned)i);
		put_number(sb, path, "nodeId", md->brokers[i].id);
		put_text(sb, path, "host", md->brokers[i].host);
		put_number(sb, path, "port", md->brokers[i].port);
		put_text(sb, path, "rack", md->brokers[i].rack);
	}
	put_text(sb, "", "clusterId", md->cluster_id);
	put_number(sb, "", "controllerId", md->controller);
	put_number(sb, "", "topics.size", md->n_topics);
	for (uint32_t i = 0; i < md->n_topics; i++)
		dump_md_topic(sb, (unsigned)i, &md->topics[i]);
}

static void dump_logdir_topic(struct strbuf *sb, unsigned d, unsigned t, const struct wire_logdir_topic *tp)
{
	char path[96];

	str_printf(path, sizeof(path), "results[%u].topics[%u].", d, t);
	put_text(sb, path, "name", tp->name);
	put_number(sb, path, "partitions.size", tp->n_replicas);
	for (uint32_t i = 0; i < tp->n_replicas; i++) {
		str_printf(path, sizeof(path), "results[%u].topics[%u].partitions[%u].", d, t, (unsigned)i);
		put_number(sb, path, "partitionIndex", tp->replicas[i].partition);
		put_number(sb, path, "partitionSize", tp->replicas[i].size_bytes);
		put_number(sb, path, "offsetLag", tp->replicas[i].lag);
		put_bool(sb, path, "isFutureKey", tp->replicas[i].is_future);
	}
}

static void dump_logdirs(struct strbuf *sb, const struct wire_logdirs *ld)
{
	char path[64];

	put_number(sb, "", "throttleTimeMs", ld->throttle_ms);
	put_number(sb, "", "errorCode", ld->error);
	put_number(sb, "", "results.size", ld->n_dirs);
	for (uint32_t i = 0; i < ld->n_dirs; i++) {
		str_printf(path, sizeof(path), "results[%u].", (unsigned)i);
		put_number(sb, path, "errorCode", ld->dirs[i].error);
		put_text(sb, path, "logDir", ld->dirs[i].path);
		put_number(sb, path, "topics.size", ld->dirs[i].n_topics);
		for (uint32_t k = 0; k < ld->dirs[i].n_topics; k++)
			dump_logdir_topic(sb, (unsigned)i, (unsigned)k, &ld->dirs[i].topics[k]);
		put_number(sb, path, "totalBytes", ld->dirs[i].total_bytes);
		put_number(sb, path, "usableBytes", ld->dirs[i].usable_bytes);
	}
}

static void dump_reassign_topic(struct strbuf *sb, unsigned t, const struct wire_reassign_topic *tp)
{
	char path[64];

	str_printf(path, sizeof(path), "topics[%u].", t);
	put_text(sb, path, "name", tp->name);
	put_number(sb, path, "partitions.size", tp->n_partitions);
	for (uint32_t i = 0; i < tp->n_partitions; i++) {
		const struct wire_reassignment *ra = &tp->partitions[i];

		str_printf(path, sizeof(path), "topics[%u].partitions[%u].", t, (unsigned)i);
		put_number(sb, path, "partitionIndex", ra->partition);
		put_ids(sb, path, "replicas", ra->replicas, ra->n_replicas);
		put_ids(sb, path, "addingReplicas", ra->adding, ra->n_adding);
		put_ids(sb, path, "removingReplicas", ra->removing, ra->n_removing);
	}
}

static void dump_reassignments(struct strbuf *sb, const struct wire_reassignments *rs)
{
	put_number(sb, "", "throttleTimeMs", rs->throttle_ms);
	put_number(sb, "", "errorCode", rs->error);
	put_text(sb, "", "errorMessage", rs->message);
	put_number(sb, "", "topics.size", rs->n_topics);
	for (uint32_t i = 0; i < rs->n_topics; i++)
		dump_reassign_topic(sb, (unsigned)i, &rs->topics[i]);
}

static void dump_config(struct strbuf *sb, const char *at, int16_t version, const struct wire_config *cfg)
{
	char path[128];

	put_text(sb, at, "name", cfg->name);
	put_text(sb, at, "value", cfg->value);
	put_bool(sb, at, "readOnly", cfg->is_read_only);
	put_bool(sb, at, "isDefault", version == 0 && cfg->is_default);
	put_number(sb, at, "configSource", cfg->source);
	put_bool(sb, at, "isSensitive", cfg->is_sensitive);
	put_number(sb, at, "synonyms.size", cfg->n_synonyms);
	for (uint32_t i = 0; i < cfg->n_synonyms; i++) {
		str_printf(path, sizeof(path), "%ssynonyms[%u].", at, (unsigned)i);
		put_text(sb, path, "name", cfg->synonyms[i].name);
		put_text(sb, path, "value", cfg->synonyms[i].value);
		put_number(sb, path, "source", cfg->synonyms[i].source);
	}
	put_number(sb, at, "configType", cfg->type);
}

static void dump_configs(struct strbuf *sb, int16_t version, const struct wire_configs *cf)
{
	char path[64];

	put_number(sb, "", "throttleTimeMs", cf->throttle_ms);
	put_number(sb, "", "results.size", cf->n_resources);
	for (uint32_t i = 0; i < cf->n_resources; i++) {
		const struct wire_config_resource *rs = &cf->resources[i];

		str_printf(path, sizeof(path), "results[%u].", (unsigned)i);
		put_number(sb, path, "errorCode", rs->error);
		put_text(sb, path, "errorMessage", rs->message);
		put_number(sb, path, "resourceType", rs->type);
		put_text(sb, path, "resourceName", rs->name);
		put_number(sb, path, "configs.size", rs->n_configs);
		for (uint32_t k = 0; k < rs->n_configs; k++) {
			str_printf(path, sizeof(path), "results[%u].configs[%u].", (unsigned)i, (unsigned)k);
			dump_config(sb, path, version, &rs->configs[k]);
		}
	}
}

static void dump_handshake(struct strbuf *sb, const struct wire_handshake *hs)
{
	put_number(sb, "", "errorCode", hs->error);
	put_number(sb, "", "mechanisms.size", hs->n_mechanisms);
	for (uint32_t i = 0; i < hs->n_mechanisms; i++)
		strbuf_printf(sb, "mechanisms[%u] \"%s\"\n", (unsigned)i, hs->mechanisms[i]);
}

static void dump_authenticate(struct strbuf *sb, const struct wire_authenticate *au)
{
	put_number(sb, "", "errorCode", au->error);
	put_text(sb, "", "errorMessage", au->message);
	put_hex(sb, "", "authBytes", au->token.s, au->token.n);
	put_number(sb, "", "sessionLifetimeMs", au->lifetime_ms);
}

static void dump_deletes(struct strbuf *sb, const struct wire_deletes *ds)
{
	char path[64];

	put_number(sb, "", "throttleTimeMs", ds->throttle_ms);
	put_number(sb, "", "responses.size", ds->n);
	for (uint32_t i = 0; i < ds->n; i++) {
		str_printf(path, sizeof(path), "responses[%u].", (unsigned)i);
		put_text(sb, path, "name", ds->v[i].name);
		put_hex(sb, path, "topicId", (const uint8_t[WIRE_UUID_BYTES]){ 0 }, WIRE_UUID_BYTES); /* from v6 on */
		put_number(sb, path, "errorCode", ds->v[i].error);
		put_text(sb, path, "errorMessage", ds->v[i].message);
	}
}

#define DECODE(type, decode, dump) \
	do { \
		struct type out; \
		is_read = decode(rd, version, ar, &out, err); \
		if (is_read && sb) \
			dump; \
	} while (0)

bool wire_dump_answer(enum wire_api api, int16_t version, struct wire_reader *rd, struct arena *ar, struct strbuf *sb, struct err *err)
{
	bool is_read = false;

	switch (api) {
	case WIRE_METADATA:
		DECODE(metadata, wire_metadata_decode, dump_metadata(sb, &out));
		break;
	case WIRE_SASL_HANDSHAKE:
		DECODE(wire_handshake, wire_sasl_decode_handshake, dump_handshake(sb, &out));
		break;
	case WIRE_API_VERSIONS:
		DECODE(wire_versions, wire_versions_decode, dump_versions(sb, &out));
		break;
	case WIRE_DELETE_TOPICS:
		DECODE(wire_deletes, wire_topics_decode_delete, dump_deletes(sb, &out));
		break;
	case WIRE_DESCRIBE_CONFIGS:
		DECODE(wire_configs, wire_configs_decode, dump_configs(sb, version, &out));
		break;
	case WIRE_DESCRIBE_LOG_DIRS:
		DECODE(wire_logdirs, wire_logdirs_decode, dump_logdirs(sb, &out));
		break;
	case WIRE_SASL_AUTHENTICATE:
		DECODE(wire_authenticate, wire_sasl_decode_token, dump_authenticate(sb, &out));
		break;
	case WIRE_LIST_REASSIGNMENTS:
		DECODE(wire_reassignments, wire_reassign_decode_list, dump_reassignments(sb, &out));
		break;
	case WIRE_APIS:
		break;
	}
	return is_read;
}
