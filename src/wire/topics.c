/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/topics.h"

#include "wire/pass.h"

enum { TOPICS };

/* Least bytes of an element. */
enum { TOPIC_CLASSIC = 2 + 2, TOPIC_COMPACT = 1 + 2 + 1 };

void wire_topics_encode_delete(struct wire_writer *wr, int16_t version, const char *const *names, size_t n, int32_t timeout_ms)
{
	wire_put_count(wr, n, "topics");
	for (size_t i = 0; i < n; i++)
		wire_put_string(wr, names[i], "topic");
	wire_put_i32(wr, timeout_ms);
	wire_put_tags(wr);
}

static void read_topic(struct wire_pass *ps)
{
	struct wire_deleted *de = wire_pass_next(ps, TOPICS);

	de->name = wire_get_name(ps->rd, ps->ar, "topic");
	de->error = wire_get_i16(ps->rd, "topic's error code");
	if (ps->version >= 5)
		de->message = wire_get_text_or_null(ps->rd, ps->ar, "error message");
	wire_skip_tags(ps->rd);
}

static void read_answer(struct wire_pass *ps, void *out)
{
	struct wire_deletes *ds = out;

	ds->v = wire_pass_here(ps, TOPICS);
	ds->throttle_ms = wire_get_i32(ps->rd, "throttle time");
	ds->n = wire_get_count(ps->rd, TOPIC_CLASSIC, TOPIC_COMPACT, "topics");
	for (uint32_t i = 0; i < ds->n && wire_reader_ok(ps->rd); i++)
		read_topic(ps);
	wire_skip_tags(ps->rd);
}

bool wire_topics_decode_delete(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_deletes *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[TOPICS].element_bytes = sizeof(struct wire_deleted);
	return wire_pass_twice(&ps, WIRE_DELETE_TOPICS, read_answer, out, sizeof(*out), err);
}
