/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SaslHandshake (17), versions 0 and 1, and SaslAuthenticate (36), versions 0
 * to 2: the frames around the tokens of a SASL mechanism (KIP-43, KIP-152, KIP-368).
 *
 * After a handshake v1 each token goes in a SaslAuthenticate request; after v0 as a bare
 * blob behind its size, which is not this codec's. What a token holds is the mechanism's affair.
 * Tokens can hold passwords: they are never in an error's text, and the writer wipes what it held.
 * Source: SaslHandshake*.json, SaslAuthenticate*.json, 2.5 to 3.9.
 * Thread: any (pure).
 */
#ifndef WIRE_SASL_H
#define WIRE_SASL_H

#include "wire/buf.h"

struct arena;

/* All pointers lead into the arena. */
struct wire_handshake {
	int16_t error;           /* 33: the mechanism is not switched on, see `mechanisms` */
	const char **mechanisms; /* [n_mechanisms], those of the listener */
	uint32_t n_mechanisms;
};
void wire_sasl_encode_handshake(struct wire_writer *wr, int16_t version, const char *mechanism);
bool wire_sasl_decode_handshake(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_handshake *out, struct err *err)
	__attribute__((warn_unused_result));

struct wire_authenticate {
	int16_t error;       /* 58: refused, `message` says why */
	const char *message; /* may be NULL */
	struct wire_span token;     /* the mechanism's answer, borrowed from the frame; may be empty */
	int64_t lifetime_ms; /* v1+: authenticate again before; 0: the session has no end */
};
/* token[0..n) is copied. */
void wire_sasl_encode_token(struct wire_writer *wr, int16_t version, const void *token, size_t n);
bool wire_sasl_decode_token(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_authenticate *out, struct err *err)
	__attribute__((warn_unused_result));

#endif
