/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/header.h"

#include <assert.h>

enum { CORRELATION_BYTES = 4 };

void wire_request_begin(struct wire_writer *wr, enum wire_api api, int16_t version, int32_t correlation, const char *client_id)
{
	assert(wire_api_speaks(api, version));
	wire_writer_clear(wr);
	wire_put_i32(wr, 0);
	wire_put_i16(wr, wire_api_get(api)->key);
	wire_put_i16(wr, version);
	wire_put_i32(wr, correlation);
	wire_put_string(wr, client_id, "client id");
	wr->is_flexible = wire_api_is_flexible(api, version);
	wire_put_tags(wr);
}

bool wire_request_end(struct wire_writer *wr, struct err *err)
{
	if (!wire_writer_end(wr, err))
		return false;
	assert(wr->n - WIRE_PREFIX_BYTES <= INT32_MAX);
	wire_patch_i32(wr, 0, (int32_t)(wr->n - WIRE_PREFIX_BYTES));
	return true;
}

bool wire_frame_size(const uint8_t prefix[WIRE_PREFIX_BYTES], size_t *n, struct err *err)
{
	struct wire_reader rd;
	int32_t size;

	wire_reader_init(&rd, prefix, WIRE_PREFIX_BYTES, false);
	size = wire_get_i32(&rd, "size");
	if (size < CORRELATION_BYTES)
		return err_set(err, ERR_FORMAT, "a frame of %d bytes: this is not the Kafka protocol", (int)size);
	if (size > WIRE_FRAME_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "a frame of %d bytes, over the bound of %d: this may not be the Kafka protocol"
			       " (a TLS port?)", (int)size, WIRE_FRAME_MAX_BYTES);
	*n = (size_t)size;
	return true;
}

bool wire_response_begin(struct wire_reader *rd, const void *frame, size_t n, enum wire_api api, int16_t version,
			 int32_t correlation, struct err *err)
{
	const char *name = wire_api_get(api)->name;
	int32_t found;

	assert(wire_api_speaks(api, version));
	wire_reader_init(rd, frame, n, wire_api_is_flexible(api, version));
	found = wire_get_i32(rd, "correlation id");
	if (wire_reader_ok(rd) && found != correlation)
		wire_reader_fail(rd, ERR_FORMAT, "correlation id", 0, "%d, where the answer to request %d was due",
				 (int)found, (int)correlation);
	if (api != WIRE_API_VERSIONS)
		wire_skip_tags(rd);
	if (wire_reader_ok(rd))
		return true;
	err_set(err, rd->err.code, "%s", rd->err.text);
	return err_wrap(err, "%s v%d answer", name, version);
}
