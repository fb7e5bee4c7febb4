/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/sasl.h"

#include "wire/pass.h"

enum { MECHANISMS };

void wire_sasl_encode_handshake(struct wire_writer *wr, int16_t version, const char *mechanism)
{
	wire_put_string(wr, mechanism, "mechanism");
}

static void read_handshake(struct wire_pass *ps, void *out)
{
	struct wire_handshake *hs = out;

	hs->error = wire_get_i16(ps->rd, "error code");
	hs->mechanisms = wire_pass_here(ps, MECHANISMS);
	hs->n_mechanisms = wire_get_count(ps->rd, 2, 1, "mechanisms");
	for (uint32_t i = 0; i < hs->n_mechanisms && wire_reader_ok(ps->rd); i++)
		*(const char **)wire_pass_next(ps, MECHANISMS) = wire_get_name(ps->rd, ps->ar, "mechanism");
}

bool wire_sasl_decode_handshake(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_handshake *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[MECHANISMS].element_bytes = sizeof(const char *);
	return wire_pass_twice(&ps, WIRE_SASL_HANDSHAKE, read_handshake, out, sizeof(*out), err);
}

void wire_sasl_encode_token(struct wire_writer *wr, int16_t version, const void *token, size_t n)
{
	wire_put_bytes(wr, token, n, "token");
	wire_put_tags(wr);
}

static void read_token(struct wire_pass *ps, void *out)
{
	struct wire_authenticate *au = out;

	au->error = wire_get_i16(ps->rd, "error code");
	au->message = wire_get_text_or_null(ps->rd, ps->ar, "error message");
	au->token = wire_get_bytes(ps->rd, "token");
	if (ps->version >= 1)
		au->lifetime_ms = wire_get_i64(ps->rd, "session lifetime");
	wire_skip_tags(ps->rd);
}

bool wire_sasl_decode_token(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_authenticate *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	return wire_pass_twice(&ps, WIRE_SASL_AUTHENTICATE, read_token, out, sizeof(*out), err);
}
