/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DescribeConfigs (32), versions 0 to 4: the settings in force of topics and
 * brokers, and where each comes from (KIP-133, KIP-226, KIP-569).
 *
 * A broker resource must be asked of that broker. For a topic a value of source
 * STATIC or DEFAULT is the answering broker's own, which can differ from another broker's.
 * Sensitive values come as null. Documentation (v3+) is not asked for.
 * Source: DescribeConfigsRequest.json, DescribeConfigsResponse.json, 2.5 to 3.9; ConfigHelper.
 * Thread: any (pure).
 */
#ifndef WIRE_CONFIGS_H
#define WIRE_CONFIGS_H

#include "wire/buf.h"

struct arena;

enum wire_resource { WIRE_RESOURCE_TOPIC = 2, WIRE_RESOURCE_BROKER = 4, WIRE_RESOURCE_BROKER_LOGGER = 8 }; /* ConfigResource.Type */

/* DescribeConfigsResponse.ConfigSource; a newer broker may send others. */
enum wire_source {
	WIRE_SOURCE_UNKNOWN = -1, WIRE_SOURCE_TOPIC = 1, WIRE_SOURCE_BROKER, WIRE_SOURCE_CLUSTER,
	WIRE_SOURCE_STATIC, WIRE_SOURCE_DEFAULT, WIRE_SOURCE_LOGGER
};

/* DescribeConfigsResponse.ConfigType. */
enum wire_type {
	WIRE_TYPE_UNKNOWN, WIRE_TYPE_BOOLEAN, WIRE_TYPE_STRING, WIRE_TYPE_INT, WIRE_TYPE_SHORT, WIRE_TYPE_LONG,
	WIRE_TYPE_DOUBLE, WIRE_TYPE_LIST, WIRE_TYPE_CLASS, WIRE_TYPE_PASSWORD
};

/* A value that stands behind the one in force. */
struct wire_synonym {
	const char *name, *value; /* value may be NULL */
	int8_t source;            /* enum wire_source */
};

struct wire_config {
	const char *name, *value; /* value NULL: sensitive, or not set */
	int8_t source;            /* enum wire_source; v1+, else UNKNOWN */
	int8_t type;              /* enum wire_type; v3+, else UNKNOWN */
	bool is_read_only, is_sensitive;
	bool is_default;          /* v0: as the broker says; v1+: source is DEFAULT */
	struct wire_synonym *synonyms; /* [n_synonyms], the one in force first; v1+, when asked for */
	uint32_t n_synonyms;
};

struct wire_config_resource {
	int16_t error;
	int8_t type;         /* enum wire_resource */
	const char *message; /* the broker's words on `error`; may be NULL */
	const char *name;
	struct wire_config *configs; /* [n_configs], within the answer's array */
	uint32_t n_configs;
};

/* All pointers lead into the arena. Order is the broker's. */
struct wire_configs {
	int32_t throttle_ms;
	struct wire_config_resource *resources;
	uint32_t n_resources;
};

/* What to ask for. `keys` NULL is all; n_keys is above 0 otherwise: of an empty list brokers make nothing (2.5) or all (2.8). */
struct wire_config_query {
	enum wire_resource type;
	const char *name;
	const char *const *keys;
	size_t n_keys;
};
void wire_configs_encode(struct wire_writer *wr, int16_t version, const struct wire_config_query *v, size_t n, bool with_synonyms);
bool wire_configs_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_configs *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
