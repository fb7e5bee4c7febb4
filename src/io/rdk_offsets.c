/* SPDX-License-Identifier: Apache-2.0 */
/*
 * End offsets: rd_kafka_offsets_for_times takes a timestamp as an offset, and hands it on as it is; -1 is ListOffsets' own for "the latest". It sends
 * one request a leader. Its lists are searched one by one, and one bad partition spoils a call: so it is asked for a thousand at a time.
 */
#include "base/mem.h"
#include "io/clock.h"
#include "io/rdk_parts.h"

enum { PARTS_AT_ONCE = 1000, LATEST = -1 };

static rd_kafka_topic_partition_list_t *list_of(const struct rdk *rd, size_t from, size_t n)
{
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new((int)n);

	for (size_t i = from; i < from + n; i++)
		rd_kafka_topic_partition_list_add(list, rd->names[rd->parts[i].topic], rd->parts[i].id)->offset = LATEST;
	return list;
}

static void note(struct rdk *rd, const struct rdk_part *part, rd_kafka_resp_err_t code)
{
	if (rd->offsets.code != ERR_NONE)
		return;
	if (part != NULL)
		err_set(&rd->offsets, ERR_REFUSED, "%s-%d: %s", rd->names[part->topic], (int)part->id, rd_kafka_err2str(code));
	else if (code == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION)
		err_set(&rd->offsets, ERR_REFUSED, "brokers show this user none of them: it needs Describe on topics, or they are gone");
	else if (rd->trouble.code != ERR_NONE)
		err_set(&rd->offsets, ERR_NET, "%s", rd->trouble.text);
	else
		err_set(&rd->offsets, ERR_NET, "%s", rd_kafka_err2str(code));
}

/* The list keeps the order it was made in. */
static void take(struct rdk *rd, size_t from, const rd_kafka_topic_partition_list_t *list, bool is_second)
{
	for (int i = 0; i < list->cnt; i++) {
		struct rdk_part *part = &rd->parts[from + (size_t)i];
		const rd_kafka_topic_partition_t *tp = &list->elems[i];

		if (tp->err != RD_KAFKA_RESP_ERR_NO_ERROR || tp->offset < 0) {
			note(rd, part, tp->err != RD_KAFKA_RESP_ERR_NO_ERROR ? tp->err : RD_KAFKA_RESP_ERR_UNKNOWN);
		} else if (is_second) {
			part->is_known = part->first >= 0;
			part->is_up = part->is_known && tp->offset > part->first;
		} else {
			part->first = tp->offset;
		}
	}
}

/* Worth another try: leaders that moved, a connection that is being made. */
static bool may_pass(rd_kafka_resp_err_t code)
{
	return code != RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED && code != RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION &&
	       code != RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART && code != RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE;
}

static void ask_some(struct rdk *rd, size_t from, size_t n, bool is_second, mono_ms begun)
{
	rd_kafka_resp_err_t code = RD_KAFKA_RESP_ERR__TIMED_OUT;
	dur_ms left;

	while (!rdk_is_stopped(rd) && (left = rdk_left(rd, begun, rd->times.ask_ms)) > 0) {
		rd_kafka_topic_partition_list_t *list = list_of(rd, from, n);

		code = rd_kafka_offsets_for_times(rd->rk, list, (int)(left < RDK_STEP_MS ? left : RDK_STEP_MS));
		if (code == RD_KAFKA_RESP_ERR_NO_ERROR)
			take(rd, from, list, is_second);
		rd_kafka_topic_partition_list_destroy(list);
		rdk_serve(rd);
		if (code == RD_KAFKA_RESP_ERR_NO_ERROR || !may_pass(code))
			break;
		rdk_groups_turn(rd, 0);
	}
	if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
		note(rd, NULL, code);
}

void rdk_offsets_ask(struct rdk *rd, bool is_second)
{
	mono_ms begun = clock_mono();

	for (size_t i = 0; i < rd->n_parts && !rdk_is_stopped(rd); i += PARTS_AT_ONCE)
		ask_some(rd, i, rd->n_parts - i < PARTS_AT_ONCE ? rd->n_parts - i : PARTS_AT_ONCE, is_second, begun);
}

bool rdk_offsets_have_any(const struct rdk *rd)
{
	for (size_t i = 0; i < rd->n_parts; i++)
		if (rd->parts[i].first >= 0)
			return true;
	return false;
}

void rdk_offsets_judge(struct rdk *rd)
{
	bool is_whole = true;

	if (rd->fatal.code != ERR_NONE)
		return;
	for (size_t i = 0; i < rd->n_parts;) {
		size_t topic = rd->parts[i].topic;
		bool is_up = false;

		for (; i < rd->n_parts && rd->parts[i].topic == topic; i++) {
			is_up |= rd->parts[i].is_up;
			is_whole &= rd->parts[i].is_known;
		}
		if (is_up)
			appraisal_add_active(&rd->ap, rd->names[topic]);
	}
	rd->ap.writes_pending = false;
	rd->ap.writes_known = is_whole;
	if (!is_whole)
		rd->ap.why_writes = mem_strdup(rd->offsets.code != ERR_NONE ? rd->offsets.text : "brokers did not answer in time");
}
