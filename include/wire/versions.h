/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ApiVersions (18), versions 0 to 3: what a broker speaks.
 *
 * A broker that does not know the version answers error 35 in the form of v0,
 * since Kafka 2.4 with the range of ApiVersions alone (KIP-511): ask again with v0.
 * Before SASL authentication only one answer without an error is allowed, a second request
 * closes the connection (SaslServerAuthenticator.handleApiVersionsRequest).
 * Source: ApiVersionsRequest.json, ApiVersionsResponse.json, 2.5 to 3.9;
 * ApiVersionsResponse.parse. The tagged fields of v3 (features) are skipped.
 * Thread: any (pure).
 */
#ifndef WIRE_VERSIONS_H
#define WIRE_VERSIONS_H

#include "wire/api.h"
#include "wire/buf.h"

struct arena;

struct wire_versions {
	int16_t error;            /* 35: the ranges are of v0 form, and may be none */
	int32_t throttle_ms;      /* v1+, else 0 */
	struct wire_range *v;     /* [n], in the broker's order; from the arena */
	uint32_t n;
};

/* From v3 on a broker refuses (42) a name or version that isn't [a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?. */
void wire_versions_encode(struct wire_writer *wr, int16_t version, const char *software, const char *software_version);
/* `version` is that of the request. */
bool wire_versions_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_versions *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
