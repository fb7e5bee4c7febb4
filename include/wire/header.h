/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames and headers: the size before each message, its bound, the header of
 * a request (v1, v2) and of an answer (v0, v1), the correlation id.
 *
 *   wire_request_begin(); the codec's encode; wire_request_end()
 *   wire_frame_size(); wait for so many bytes; wire_response_begin(); the codec's decode
 *
 * Flexible versions of an API have headers v2 and v1, others v1 and v0; an
 * ApiVersions answer has v0 always, for the broker does not know yet what we
 * understand (KIP-511). The client id stays a classic string in v2.
 * Source: RequestHeader.json, ResponseHeader.json; ApiKeys.requestHeaderVersion
 * and responseHeaderVersion.
 * Thread: any (pure).
 */
#ifndef WIRE_HEADER_H
#define WIRE_HEADER_H

#include "wire/api.h"
#include "wire/buf.h"

enum { WIRE_PREFIX_BYTES = 4 /* the size, which does not count itself */ };

/* Clears `wr` and begins a frame; `client_id` shows in the broker's logs and quotas. `version` is one we speak. */
void wire_request_begin(struct wire_writer *wr, enum wire_api api, int16_t version, int32_t correlation, const char *client_id);
/* Puts the size. Then wr->data[0..n) is what to send. */
bool wire_request_end(struct wire_writer *wr, struct err *err) __attribute__((warn_unused_result));

/* How many bytes follow the prefix. Below 4 (no correlation id): ERR_FORMAT; over WIRE_FRAME_MAX_BYTES: ERR_LIMIT. */
bool wire_frame_size(const uint8_t prefix[WIRE_PREFIX_BYTES], size_t *n, struct err *err) __attribute__((warn_unused_result));
/* frame[0..n) without its prefix, borrowed as long as `rd` is used. Reads the header: then `rd` stands on
 * the body, in the form of the version. Another correlation id than `correlation` is ERR_FORMAT: a broker answers in the order of
 * the requests (one connection), so the stream is of no use any more. */
bool wire_response_begin(struct wire_reader *rd, const void *frame, size_t n, enum wire_api api, int16_t version,
			 int32_t correlation, struct err *err) __attribute__((warn_unused_result));

#endif
