/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The APIs of Kafka that we speak, in which versions, and the choice of a
 * version from what a broker offers (its ApiVersions answer).
 * Thread: any (pure, static tables).
 */
#ifndef WIRE_API_H
#define WIRE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum wire_api {
#define API(id, key, name, versions, flexible_from, to, effect, since) WIRE_##id,
#include "wire/apis.def"
	WIRE_APIS
};

enum wire_to { WIRE_TO_ANY, WIRE_TO_BROKER, WIRE_TO_RESOURCE, WIRE_TO_CONTROLLER };
enum wire_effect { WIRE_READS, WIRE_WRITES };

struct wire_api_row {
	int16_t key;
	const char *name;
	uint32_t versions;     /* bit N: we have a codec for version N */
	int16_t flexible_from; /* INT16_MAX when no version is flexible */
	enum wire_to to;
	enum wire_effect effect;
	const char *since;     /* first Kafka version, "2.4" */
};

const struct wire_api_row *wire_api_get(enum wire_api api);
/* NULL when we don't speak it. */
const struct wire_api_row *wire_api_find(int16_t key);
bool wire_api_speaks(enum wire_api api, int16_t version);
bool wire_api_is_flexible(enum wire_api api, int16_t version);

/* A range of versions that a broker offers. */
struct wire_range {
	int16_t key, min, max;
};
/* The highest version that both speak. Of several ranges with the key the first counts. ERR_UNSUPPORTED with a sentence
 * for people: the broker lacks the API, or is too old or too new. */
bool wire_api_choose(enum wire_api api, const struct wire_range *offered, size_t n, int16_t *version, struct err *err)
	__attribute__((warn_unused_result));

#endif
