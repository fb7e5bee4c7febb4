/* SPDX-License-Identifier: Apache-2.0 */
#include "core/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/intents.h"
#include "core/outcome.h"

static struct record *example(enum record_phase phase, uint64_t id)
{
	struct record *re = record_new();

	re->id = id;
	re->phase = phase;
	re->at = (wall_ms){ INT64_C(1767323045678) };
	re->who = (struct record_who){
		.login = mem_strdup("oncall"), .uid = 1000, .host = mem_strdup("ops1.example"), .ssh_client = mem_strdup("192.0.2.7"),
		.pid = 4711, .version = mem_strdup("kafops 0.1"),
	};
	re->mode = mem_strdup("operate");
	re->command = mem_strdup("delete-topics");
	re->danger = 3;
	re->n_items = 2;
	re->items = mem_array(2, sizeof(*re->items));
	re->items[0] = (struct record_item){ .topic = mem_strdup("a"), .czxid = 77, .partitions = 4, .replicas = 12, .size_bytes = 100, .outcome = RECORD_NO_OUTCOME };
	re->items[1] = (struct record_item){ .topic = mem_strdup("b\x1b[2J"), .partitions = -1, .replicas = -1, .size_bytes = -1, .outcome = RECORD_NO_OUTCOME };
	return re;
}

static struct record *and_back(const struct record *re)
{
	struct record *back = NULL;
	struct strbuf line;
	struct err err;

	err_init(&err);
	strbuf_init(&line);
	record_write(re, &line);
	if (!record_read(line.s, line.len, &back, &err))
		fail_msg("%s", err.text);
	strbuf_fini(&line);
	return back;
}

static void a_line_has_every_field_in_its_order(void **state)
{
	struct record *re = example(RECORD_INTENT, 0x0193a7c4f2b81c07);
	struct strbuf line;

	(void)state;
	strbuf_init(&line);
	record_write(re, &line);
	assert_string_equal(line.s,
		"{\"v\":1,\"id\":\"0193a7c4f2b81c07\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"intent\",\"user\":{\"login\":\"oncall\",\"uid\":1000,"
		"\"host\":\"ops1.example\",\"ssh_client\":\"192.0.2.7\",\"tty\":null},\"pid\":4711,\"version\":\"kafops 0.1\",\"cluster_id\":null,"
		"\"zookeeper\":null,\"mode\":\"operate\",\"command\":\"delete-topics\",\"danger\":3,\"effect\":null,\"pattern\":null,\"items\":["
		"{\"topic\":\"a\",\"outcome\":null,\"czxid\":77,\"partitions\":4,\"replicas\":12,\"size_bytes\":100,\"kafka_error\":null,\"text\":null},"
		"{\"topic\":\"b\\u001B[2J\",\"outcome\":null,\"czxid\":null,\"partitions\":null,\"replicas\":null,\"size_bytes\":null,\"kafka_error\":null,\"text\":null}],"
		"\"findings\":[],\"request\":null,\"way\":null,\"broker\":null,\"controller_epoch\":null,\"text\":null}");
	strbuf_fini(&line);
	record_free(&re);
}

static void what_is_written_is_read_back(void **state)
{
	struct record *re = example(RECORD_OUTCOME, 5), *back, *copy;
	struct strbuf a, b;

	(void)state;
	re->items[0].outcome = OUTCOME_REFUSED;
	re->items[0].kafka_error = 29;
	re->items[0].text = mem_strdup("no permission");
	re->broker = 4;
	re->controller_epoch = 8;
	re->n_findings = 1;
	re->findings = mem_array(1, sizeof(*re->findings));
	re->findings[0] = (struct record_finding){ mem_strdup("warning"), mem_strdup("migration"), NULL, mem_strdup("It is.") };
	copy = record_copy(re);
	back = and_back(copy);
	strbuf_init(&a);
	strbuf_init(&b);
	record_write(re, &a);
	record_write(back, &b);
	assert_string_equal(a.s, b.s);
	assert_true(back->at.ms == re->at.ms);
	assert_string_equal(back->items[1].topic, "b\x1b[2J");
	strbuf_fini(&a);
	strbuf_fini(&b);
	record_free(&re);
	record_free(&copy);
	record_free(&back);
}

static void refused_line(const char *line, const char *why)
{
	struct record *re = NULL;
	struct err err;

	err_init(&err);
	assert_false(record_read(line, strlen(line), &re, &err));
	assert_null(re);
	if (!strstr(err.text, why))
		fail_msg("%s: %s", line, err.text);
}

static void a_line_that_is_no_record_is_an_error(void **state)
{
	(void)state;
	refused_line("", "");
	refused_line("{\"v\":1,\"id\":\"01", "");
	refused_line("[1]", "object");
	refused_line("{\"v\":2,\"id\":\"0000000000000001\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"intent\"}", "later version");
	refused_line("{\"v\":1,\"id\":\"1\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"intent\"}", "id");
	refused_line("{\"v\":1,\"id\":\"0000000000000001\",\"at\":\"yesterday\",\"phase\":\"intent\"}", "at");
	refused_line("{\"v\":1,\"id\":\"0000000000000001\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"guess\"}", "phase");
	refused_line("{\"v\":1,\"id\":\"0000000000000001\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"intent\",\"items\":[{},3]}", "items[1]");
	refused_line("{\"v\":1,\"id\":\"0000000000000001\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"outcome\",\"items\":[{\"outcome\":\"good\"}]}", "items[0]");
	refused_line("{\"v\":1,\"id\":\"0000000000000001\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"note\",\"user\":7}", "user");
}

static void a_line_cut_anywhere_is_an_error_and_nothing_worse(void **state)
{
	struct record *re = example(RECORD_INTENT, 9), *back;
	struct strbuf line;
	struct err err;

	(void)state;
	strbuf_init(&line);
	record_write(re, &line);
	for (size_t n = 0; n < line.len; n++) {
		err_init(&err);
		assert_false(record_read(line.s, n, &back, &err));
	}
	strbuf_fini(&line);
	record_free(&re);
}

/* A file that somebody edited, or a disk that forgot: any answer will do but a crash. */
static void a_line_with_any_bytes_changed_does_no_harm(void **state)
{
	enum { ROUNDS = 20000 };
	struct record *re = example(RECORD_OUTCOME, 9), *back;
	uint64_t seed = 0x9e3779b97f4a7c15u;
	struct strbuf line;
	struct err err;

	(void)state;
	re->items[0].outcome = OUTCOME_DONE;
	strbuf_init(&line);
	for (int i = 0; i < ROUNDS; i++) {
		strbuf_clear(&line);
		record_write(re, &line);
		for (int j = 0; j <= i % 4; j++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			line.s[(seed >> 33) % line.len] = (char)("\0\"{}[],:-0123456789ntf\\x\xff"[(seed >> 20) % 25]);
		}
		err_init(&err);
		if (record_read(line.s, line.len, &back, &err))
			record_free(&back);
		else
			assert_true(err.text[0]);
	}
	strbuf_fini(&line);
	record_free(&re);
}

static void missing_fields_are_not_known(void **state)
{
	static const char line[] = "{\"v\":1,\"id\":\"00000000000000ff\",\"at\":\"2026-01-02T03:04:05.678Z\",\"phase\":\"refused\"}";
	struct record *re;
	struct err err;

	(void)state;
	err_init(&err);
	assert_true(record_read(line, strlen(line), &re, &err));
	assert_int_equal(re->id, 255);
	assert_null(re->command);
	assert_int_equal(re->who.uid, -1);
	assert_int_equal(re->broker, -1);
	record_free(&re);
}

static struct record *outcome_of(uint64_t id, const char *topic, int outcome)
{
	struct record *re = example(RECORD_OUTCOME, id);

	for (size_t i = 0; i < re->n_items; i++)
		if (!strcmp(re->items[i].topic, topic))
			re->items[i].outcome = outcome;
	return re;
}

static void take(struct intents *in, struct record *re)
{
	intents_take(in, re);
	record_free(&re);
}

static void an_intent_is_open_until_each_item_has_its_outcome(void **state)
{
	struct intents in;

	(void)state;
	intents_init(&in);
	take(&in, example(RECORD_REFUSED, 3));
	take(&in, example(RECORD_INTENT, 1));
	take(&in, example(RECORD_INTENT, 2));
	assert_int_equal(in.n, 2);
	take(&in, outcome_of(1, "b\x1b[2J", OUTCOME_UNKNOWN));
	assert_int_equal(in.n, 2);
	assert_int_equal(intent_n_open(intents_find(&in, 1)), 1);
	take(&in, outcome_of(1, "a", OUTCOME_DONE));
	assert_int_equal(in.n, 1);
	assert_null(intents_find(&in, 1));
	assert_non_null(intents_find(&in, 2));
	take(&in, outcome_of(9, "a", OUTCOME_DONE)); /* of nobody */
	assert_int_equal(in.n, 1);
	intents_fini(&in);
}

static void open_intents_are_bounded(void **state)
{
	struct intents in;

	(void)state;
	intents_init(&in);
	for (uint64_t id = 1; id <= INTENTS_MAX + 5; id++)
		take(&in, example(RECORD_INTENT, id));
	assert_int_equal(in.n, INTENTS_MAX);
	assert_int_equal(in.n_dropped, 5);
	assert_int_equal(in.v[0]->id, 6);
	intents_fini(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_every_field_in_its_order),
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(a_line_that_is_no_record_is_an_error),
		cmocka_unit_test(a_line_cut_anywhere_is_an_error_and_nothing_worse),
		cmocka_unit_test(a_line_with_any_bytes_changed_does_no_harm),
		cmocka_unit_test(missing_fields_are_not_known),
		cmocka_unit_test(an_intent_is_open_until_each_item_has_its_outcome),
		cmocka_unit_test(open_intents_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
