/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/versions.h"

#include "wire/code.h"
#include "wire/pass.h"

enum { RANGES };

void wire_versions_encode(struct wire_writer *wr, int16_t version, const char *software, const char *software_version)
{
	if (version >= 3) {
		wire_put_string(wr, software, "client software name");
		wire_put_string(wr, software_version, "client software version");
	}
	wire_put_tags(wr);
}

static void read_answer(struct wire_pass *ps, void *out)
{
	struct wire_versions *vs = out;
	struct wire_reader *rd = ps->rd;
	int16_t version = ps->version;

	vs->error = wire_get_i16(rd, "error code");
	if (vs->error == WIRE_UNSUPPORTED_VERSION) {
		version = 0;
		rd->is_flexible = false;
	}
	vs->n = wire_get_count(rd, 6, 7, "API keys");
	vs->v = wire_pass_here(ps, RANGES);
	for (uint32_t i = 0; i < vs->n && wire_reader_ok(rd); i++) {
		struct wire_range *range = wire_pass_next(ps, RANGES);

		range->key = wire_get_i16(rd, "API key");
		range->min = wire_get_i16(rd, "lowest version");
		range->max = wire_get_i16(rd, "highest version");
		wire_skip_tags(rd);
	}
	if (version >= 1)
		vs->throttle_ms = wire_get_i32(rd, "throttle time");
	wire_skip_tags(rd);
}

bool wire_versions_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_versions *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[RANGES].element_bytes = sizeof(struct wire_range);
	return wire_pass_twice(&ps, WIRE_API_VERSIONS, read_answer, out, sizeof(*out), err);
}
