/* SPDX-License-Identifier: Apache-2.0 */
/* What brokers say, into a trace and out of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/metadata.h"
#include "hex.h"
#include "io/kanswer.h"
#include "io/trace.h"
#include "wire/buf.h"

static const wall_ms STARTED = { 1767323045678 };
#define HEADER "{\"kafops_trace\":1,\"started_at\":\"2026-01-02T03:04:05.678Z\",\"zookeeper\":\"zk1:2181\"}\n"

static char dir[] = "/tmp/test_trace_brokers.XXXXXX";
static char file[64];

static int make_dir(void **state)
{
	assert_non_null(mkdtemp(dir));
	return str_printf(file, sizeof(file), "%s/trace", dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	unlink(file);
	return rmdir(dir);
}

static mono_ms mono_at(dur_ms t)
{
	return (mono_ms){ 5000000 + t };
}

static wall_ms wall_at(dur_ms t)
{
	return (wall_ms){ STARTED.ms + t };
}

/* One event written and read; `ev` is taken. */
static struct event *and_back(struct event *ev)
{
	struct trace_writer *tw;
	struct trace *tr;
	struct err err;

	err_init(&err);
	unlink(file);
	tw = trace_create(file, "zk1:2181", STARTED, &err);
	assert_non_null(tw);
	assert_true(trace_write(tw, ev, &err));
	trace_close(&tw);
	event_free(&ev);
	tr = trace_open(file, &err);
	if (!tr)
		fail_msg("%s", err.text);
	assert_int_equal(trace_count(tr), 1);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->source, SOURCE_BROKERS);
	assert_int_equal(ev->epoch, 0);
	trace_free(&tr);
	return ev;
}

static char *file_text(void)
{
	static char text[8192];
	FILE *f = fopen(file, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static struct event *answer(enum wire_api api, int16_t version, int32_t broker, bool is_all, const char *hex)
{
	struct wire_reader rd;
	struct kanswer an = { .api = api, .version = version, .broker = broker, .is_all = is_all, .rd = &rd, .seen = mono_at(20),
			      .seen_wall = wall_at(20) };
	struct event *ev;
	struct err err;
	size_t n;
	uint8_t *body = hex_bytes(hex, &n);

	err_init(&err);
	wire_reader_init(&rd, body, n, wire_api_is_flexible(api, version));
	ev = kanswer_event(&an, &err);
	if (!ev)
		fail_msg("%s", err.text);
	event_keep_answer(ev, wire_api_get(api)->key, version, is_all, body, n);
	mem_free(&body);
	return ev;
}

/* Broker 1, cluster "c", controller 1, topic "t" without partitions. */
#define METADATA_V5 "00000000 00000001 00000001 0001 68 00002384 ffff 0001 63 00000001 00000001 0000 0001 74 00 00000000"

static void an_answer_comes_back_as_todays_decoder_reads_it(void **state)
{
	struct event *ev = and_back(answer(WIRE_METADATA, 5, 1, true, METADATA_V5));

	assert_non_null(strstr(file_text(), "{\"t\":20,\"ev\":\"answer\",\"broker\":1,\"api\":3,\"version\":5,\"all\":true,\"body64\":\"AAAA"));
	assert_int_equal(ev->kind, EV_METADATA);
	assert_int_equal(ev->id, 1);
	assert_int_equal(ev->seen.ms, 21);
	assert_int_equal(ev->seen_wall.ms, STARTED.ms + 20);
	assert_true(ev->u.metadata->is_all);
	assert_string_equal(ev->u.metadata->md.topics[0].name, "t");
	assert_int_equal(ev->raw->kind, RAW_ANSWER); /* it can be recorded again */
	ev = and_back(ev);
	assert_int_equal(ev->u.metadata->md.controller, 1);
	event_free(&ev);
}

static void an_answer_of_a_bootstrap_server_has_no_broker(void **state)
{
	struct event *ev = and_back(answer(WIRE_METADATA, 5, BROKER_NONE, false, METADATA_V5));

	assert_null(strstr(file_text(), "\"broker\""));
	assert_int_equal(ev->id, BROKER_NONE);
	assert_false(ev->u.metadata->is_all);
	event_free(&ev);
}

static void answers_of_the_other_apis_come_back(void **state)
{
	struct event *ev = and_back(answer(WIRE_DESCRIBE_LOG_DIRS, 1, 2, false, "00000000 00000001 0000 0002 2f61 00000000"));

	assert_int_equal(ev->kind, EV_DISKS);
	assert_string_equal(ev->u.disks->dirs[0].path, "/a");
	event_free(&ev);
	ev = and_back(answer(WIRE_LIST_REASSIGNMENTS, 0, 2, false, "00000000 0000 00 01 00"));
	assert_int_equal(ev->kind, EV_REASSIGNING);
	assert_int_equal(ev->know, KNOW_PRESENT);
	event_free(&ev);
	ev = and_back(answer(WIRE_DESCRIBE_CONFIGS, 1, 2, false, "00000000 00000001 0000 ffff 04 0001 32 00000000"));
	assert_int_equal(ev->kind, EV_BROKER_SETTINGS);
	event_free(&ev);
}

static void a_refusal_comes_back_with_todays_words(void **state)
{
	struct event *ev = and_back(answer(WIRE_DESCRIBE_LOG_DIRS, 1, 2, false, "00000000 00000000"));

	assert_null(strstr(file_text(), "permission")); /* what was read is kept, not what was made of it */
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_non_null(strstr(ev->why, "needs DESCRIBE"));
	event_free(&ev);
}

static void what_could_not_be_asked_comes_back(void **state)
{
	struct event *ev = and_back(event_of_broker(EV_DISKS, 4, "b4:9092: refused", mono_at(3), wall_at(3)));

	assert_non_null(strstr(file_text(), "{\"t\":3,\"ev\":\"unanswered\",\"broker\":4,\"what\":\"log dirs\",\"rc\":\"failed\","
			       "\"why\":\"b4:9092: refused\"}"));
	assert_int_equal(ev->kind, EV_DISKS);
	assert_int_equal(ev->id, 4);
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "b4:9092: refused");
	event_free(&ev);
	ev = and_back(kanswer_unsupported(WIRE_LIST_REASSIGNMENTS, 4, "too old", mono_at(3), wall_at(3)));
	assert_int_equal(ev->kind, EV_REASSIGNING);
	assert_int_equal(ev->know, KNOW_ABSENT);
	event_free(&ev);
}

static void the_end_of_the_first_round_comes_back(void **state)
{
	struct event *ev = and_back(event_of_broker(EV_BROKERS_ASKED, BROKER_NONE, NULL, mono_at(3), wall_at(3)));

	assert_int_equal(ev->kind, EV_BROKERS_ASKED);
	assert_int_equal(ev->know, KNOW_PRESENT);
	event_free(&ev);
	ev = and_back(event_of_broker(EV_BROKERS_ASKED, BROKER_NONE, "nobody", mono_at(3), wall_at(3)));
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "nobody");
	event_free(&ev);
}

static void a_connection_comes_back_with_every_field(void **state)
{
	struct link_info li = { .state = LINK_FAILED, .tries = 3, .last_answer = mono_at(90), .latency = 12, .address = "kafka3.example:9093",
				.error = "refused" };
	struct event *ev = and_back(event_link(3, &li, mono_at(100), wall_at(100)));

	assert_int_equal(ev->kind, EV_LINK);
	assert_int_equal(ev->id, 3);
	assert_int_equal(ev->u.link->state, LINK_FAILED);
	assert_int_equal(ev->u.link->tries, 3);
	assert_int_equal(ev->u.link->latency, 12);
	assert_int_equal(ev->u.link->last_answer.ms, ev->seen.ms - 10);
	assert_string_equal(ev->u.link->address, "kafka3.example:9093");
	assert_string_equal(ev->u.link->error, "refused");
	event_free(&ev);
	li.last_answer.ms = 0;
	memset(li.address, 0xff, sizeof(li.address) - 1); /* longer when it is printable: cut */
	ev = and_back(event_link(BROKER_NONE, &li, mono_at(100), wall_at(100)));
	assert_int_equal(ev->id, BROKER_NONE);
	assert_int_equal(ev->u.link->last_answer.ms, 0);
	assert_true(strlen(ev->u.link->address) > 0);
	event_free(&ev);
}

static void an_answer_too_large_for_a_line_is_told_as_lost(void **state)
{
	struct event *ev = answer(WIRE_METADATA, 5, 1, true, METADATA_V5);
	size_t n = TRACE_BODY_MAX_BYTES + 1;
	char *body = mem_zalloc(n);

	event_keep_answer(ev, 3, 5, true, body, n);
	mem_free(&body);
	ev = and_back(ev);
	assert_int_equal(ev->kind, EV_METADATA);
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "the answer was too large for a trace");
	event_free(&ev);
}

static void the_largest_answer_that_is_kept_can_be_read_again(void **state)
{
	struct event *ev = answer(WIRE_METADATA, 5, 1, true, METADATA_V5);
	size_t n = TRACE_BODY_MAX_BYTES;
	struct trace_writer *tw;
	char *body = mem_zalloc(n);
	struct err err;

	event_keep_answer(ev, 3, 5, true, body, n); /* of no meaning, so reading gets as far as the codec */
	mem_free(&body);
	err_init(&err);
	unlink(file);
	tw = trace_create(file, "zk1:2181", STARTED, &err);
	assert_true(trace_write(tw, ev, &err));
	trace_close(&tw);
	event_free(&ev);
	assert_null(trace_open(file, &err));
	assert_non_null(strstr(err.text, "line 2: Metadata v5"));
}

static void bad_lines_are_named_and_unknown_apis_are_skipped(void **state)
{
	static const char *const bad[] = {
		"{\"t\":1,\"ev\":\"answer\",\"api\":3,\"version\":5,\"body64\":\"AA==\"}",
		"{\"t\":1,\"ev\":\"answer\",\"api\":3,\"version\":5,\"body64\":\"AA\"}",
		"{\"t\":1,\"ev\":\"answer\",\"api\":3,\"version\":5}",
		"{\"t\":1,\"ev\":\"answer\",\"version\":5,\"body64\":\"AA==\"}",
		"{\"t\":1,\"ev\":\"answer\",\"broker\":\"x\",\"api\":3,\"version\":5,\"body64\":\"AA==\"}",
		/* error 41 gives no event, so it is in no trace */
		"{\"t\":1,\"ev\":\"answer\",\"broker\":1,\"api\":46,\"version\":0,\"body64\":\"AAAAAAApAAEA\"}",
		"{\"t\":1,\"ev\":\"unanswered\",\"what\":\"weather\",\"rc\":\"failed\"}",
		"{\"t\":1,\"ev\":\"unanswered\",\"what\":\"metadata\",\"rc\":\"ok\"}",
		"{\"t\":1,\"ev\":\"asked\"}",
		"{\"t\":1,\"ev\":\"link\",\"state\":\"sideways\"}",
	};
	static const char *const skipped[] = {
		"{\"t\":1,\"ev\":\"answer\",\"api\":99,\"version\":5,\"body64\":\"AA==\"}",
		"{\"t\":1,\"ev\":\"answer\",\"api\":36,\"version\":1,\"body64\":\"AA==\"}",
		"{\"t\":1,\"ev\":\"answer\",\"api\":3,\"version\":31,\"body64\":\"AA==\"}",
	};
	struct trace *tr;
	struct err err;
	FILE *f;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]) + sizeof(skipped) / sizeof(skipped[0]); i++) {
		bool is_bad = i < sizeof(bad) / sizeof(bad[0]);

		f = fopen(file, "w");
		assert_non_null(f);
		fprintf(f, HEADER "%s\n", is_bad ? bad[i] : skipped[i - sizeof(bad) / sizeof(bad[0])]);
		fclose(f);
		err_init(&err);
		tr = trace_open(file, &err);
		if (is_bad && (tr || !strstr(err.text, "line 2: ")))
			fail_msg("%s: %s", bad[i], err.text);
		if (!is_bad && (!tr || trace_count(tr) != 0))
			fail_msg("%s", err.text);
		trace_free(&tr);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_comes_back_as_todays_decoder_reads_it),
		cmocka_unit_test(an_answer_of_a_bootstrap_server_has_no_broker),
		cmocka_unit_test(answers_of_the_other_apis_come_back),
		cmocka_unit_test(a_refusal_comes_back_with_todays_words),
		cmocka_unit_test(what_could_not_be_asked_comes_back),
		cmocka_unit_test(the_end_of_the_first_round_comes_back),
		cmocka_unit_test(a_connection_comes_back_with_every_field),
		cmocka_unit_test(an_answer_too_large_for_a_line_is_told_as_lost),
		cmocka_unit_test(the_largest_answer_that_is_kept_can_be_read_again),
		cmocka_unit_test(bad_lines_are_named_and_unknown_apis_are_skipped),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
