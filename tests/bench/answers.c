/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/answers.h"

#include "base/str.h"
#include "wire/api.h"

static void begin(struct wire_writer *wr, enum wire_api api, int16_t version)
{
	wire_writer_init(wr, WIRE_FRAME_MAX_BYTES);
	wire_put_i32(wr, 0);
	if (api == WIRE_API_VERSIONS)
		return; /* its header has the old form always */
	wr->is_flexible = wire_api_is_flexible(api, version);
	wire_put_tags(wr);
}

void answers_set_id(struct wire_writer *wr, int32_t correlation)
{
	wire_patch_i32(wr, 0, correlation);
}

/* As zkseed has it. */
static int32_t replica(const struct answers *an, int64_t t, int64_t p, int64_t r)
{
	return (int32_t)(1 + (t + p + r) % an->brokers);
}

static void put_topic_name(const struct answers *an, struct wire_writer *wr, int64_t t)
{
	char name[128];

	str_printf(name, sizeof(name), "%s%05lld", an->prefix, (long long)t);
	wire_put_string(wr, name, "topic");
}

/* ---- Metadata --------------------------------------------------------------------- */

static void put_replicas(const struct answers *an, struct wire_writer *wr, int64_t t, int64_t p)
{
	wire_put_count(wr, (size_t)an->rf, "replicas");
	for (int64_t r = 0; r < an->rf; r++)
		wire_put_i32(wr, replica(an, t, p, r));
}

static void put_partition(const struct answers *an, struct wire_writer *wr, int64_t t, int64_t p)
{
	wire_put_i16(wr, 0);
	wire_put_i32(wr, (int32_t)p);
	wire_put_i32(wr, replica(an, t, p, 0));
	wire_put_i32(wr, 0); /* leader epoch */
	put_replicas(an, wr, t, p);
	put_replicas(an, wr, t, p); /* all in sync */
	wire_put_count(wr, 0, "offline");
	wire_put_tags(wr);
}

static void put_topic(const struct answers *an, struct wire_writer *wr, int64_t t)
{
	bool is_known = t >= 0 && t < an->topics;

	wire_put_i16(wr, is_known ? 0 : 3);
	put_topic_name(an, wr, t);
	wire_put_bool(wr, false);
	wire_put_count(wr, is_known ? (size_t)an->partitions : 0, "partitions");
	for (int64_t p = 0; is_known && p < an->partitions; p++)
		put_partition(an, wr, t, p);
	wire_put_i32(wr, INT32_MIN);
	wire_put_tags(wr);
}

void answers_metadata(const struct answers *an, struct wire_writer *wr, const int64_t *v, size_t n)
{
	size_t topics = v != NULL ? n : (size_t)an->topics;

	begin(wr, WIRE_METADATA, ANSWERS_VERSION_METADATA);
	wire_put_i32(wr, 0);
	wire_put_count(wr, (size_t)an->brokers, "brokers");
	for (int64_t b = 1; b <= an->brokers; b++) {
		wire_put_i32(wr, (int32_t)b);
		wire_put_string(wr, "127.0.0.1", "host");
		wire_put_i32(wr, an->port + (int32_t)b - 1);
		wire_put_string(wr, NULL, "rack");
		wire_put_tags(wr);
	}
	wire_put_string(wr, "kNv3pXoQTmuHx2d0aFqZxw", "cluster id");
	wire_put_i32(wr, 1);
	wire_put_count(wr, topics, "topics");
	for (size_t i = 0; i < topics; i++)
		put_topic(an, wr, v != NULL ? v[i] : (int64_t)i);
	wire_put_i32(wr, INT32_MIN);
	wire_put_tags(wr);
}

/* ---- DescribeLogDirs ----------------------------------------------------------------- */

static bool holds(const struct answers *an, int64_t broker, int64_t t, int64_t p)
{
	for (int64_t r = 0; r < an->rf; r++)
		if (replica(an, t, p, r) == broker)
			return true;
	return false;
}

/* Topics take turns between the dirs. */
static void put_topic_in_dir(const struct answers *an, struct wire_writer *wr, int64_t broker, int64_t t, int64_t grown, int64_t round)
{
	size_t n = 0;

	for (int64_t p = 0; p < an->partitions; p++)
		n += holds(an, broker, t, p);
	put_topic_name(an, wr, t);
	wire_put_count(wr, n, "partitions");
	for (int64_t p = 0; p < an->partitions; p++) {
		int64_t nth = t * an->partitions + p;

		if (!holds(an, broker, t, p))
			continue;
		wire_put_i32(wr, (int32_t)p);
		wire_put_i64(wr, nth * 1000003 + (nth % 100 < grown ? round : 0));
		wire_put_i64(wr, 0);
		wire_put_bool(wr, false);
		wire_put_tags(wr);
	}
	wire_put_tags(wr);
}

void answers_logdirs(const struct answers *an, struct wire_writer *wr, int64_t broker, int64_t grown, int64_t round)
{
	char path[32];

	begin(wr, WIRE_DESCRIBE_LOG_DIRS, ANSWERS_VERSION_LOGDIRS);
	wire_put_i32(wr, 0);
	wire_put_count(wr, ANSWERS_DIRS, "results");
	for (int64_t d = 0; d < ANSWERS_DIRS; d++) {
		str_printf(path, sizeof(path), "/data/d%lld/kafka", (long long)d + 1);
		wire_put_i16(wr, 0);
		wire_put_string(wr, path, "log directory");
		wire_put_count(wr, (size_t)(an->topics / ANSWERS_DIRS + (d < an->topics % ANSWERS_DIRS)), "topics");
		for (int64_t t = d; t < an->topics; t += ANSWERS_DIRS)
			put_topic_in_dir(an, wr, broker, t, grown, round);
		wire_put_tags(wr);
	}
	wire_put_tags(wr);
}

/* ---- the rest -------------------------------------------------------------------------- */

void answers_configs(struct wire_writer *wr, int64_t broker)
{
	static const char *const settings[][2] = {
		{ "auto.create.topics.enable", "false" }, { "delete.topic.enable", "true" },
		{ "log.dirs", "/data/d1/kafka,/data/d2/kafka" }, { "min.insync.replicas", "2" },
	};
	char id[24];

	begin(wr, WIRE_DESCRIBE_CONFIGS, ANSWERS_VERSION_CONFIGS);
	wire_put_i32(wr, 0);
	wire_put_count(wr, 1, "results");
	wire_put_i16(wr, 0);
	wire_put_string(wr, NULL, "message");
	wire_put_i8(wr, 4);
	str_printf(id, sizeof(id), "%lld", (long long)broker);
	wire_put_string(wr, id, "resource");
	wire_put_count(wr, sizeof(settings) / sizeof(settings[0]), "configs");
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		wire_put_string(wr, settings[i][0], "name");
		wire_put_string(wr, settings[i][1], "value");
		wire_put_bool(wr, true);
		wire_put_i8(wr, 4);
		wire_put_bool(wr, false);
		wire_put_count(wr, 0, "synonyms");
		wire_put_i8(wr, 2);
		wire_put_string(wr, NULL, "documentation");
		wire_put_tags(wr);
	}
	wire_put_tags(wr);
	wire_put_tags(wr);
}

void answers_reassigning(struct wire_writer *wr)
{
	begin(wr, WIRE_LIST_REASSIGNMENTS, 0);
	wire_put_i32(wr, 0);
	wire_put_i16(wr, 0);
	wire_put_string(wr, NULL, "message");
	wire_put_count(wr, 0, "topics");
	wire_put_tags(wr);
}

void answers_versions(struct wire_writer *wr, int16_t version)
{
	static const int16_t offered[][2] = {
		{ 3, ANSWERS_VERSION_METADATA }, { 18, 3 }, { 32, ANSWERS_VERSION_CONFIGS }, { 35, ANSWERS_VERSION_LOGDIRS }, { 46, 0 },
	};

	begin(wr, WIRE_API_VERSIONS, version);
	wr->is_flexible = wire_api_is_flexible(WIRE_API_VERSIONS, version);
	wire_put_i16(wr, 0);
	wire_put_count(wr, sizeof(offered) / sizeof(offered[0]), "API keys");
	for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++) {
		wire_put_i16(wr, offered[i][0]);
		wire_put_i16(wr, 0);
		wire_put_i16(wr, offered[i][1]);
		wire_put_tags(wr);
	}
	if (version >= 1)
		wire_put_i32(wr, 0);
	wire_put_tags(wr);
}
