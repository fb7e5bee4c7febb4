/* SPDX-License-Identifier: Apache-2.0 */
/* On the messages of tests/wire/vectors, which Kafka's own classes wrote, and on some by hand. */
#include "io/kanswer.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/metadata.h"
#include "hex.h"
#include "wire/header.h"

enum { LINE_MAX_BYTES = 256 * 1024 };

struct bytes {
	uint8_t *v;
	size_t n;
};

/* The frame in a file of tests/wire/vectors, without its size. */
static struct bytes vector(const char *file)
{
	static char line[LINE_MAX_BYTES];
	const char *top = getenv("top_srcdir");
	char path[512];
	struct bytes by;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/wire/vectors/%s", top ? top : ".", file);
	f = fopen(path, "r");
	if (!f)
		fail_msg("no file %s", path);
	assert_non_null(fgets(line, sizeof(line), f));
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	by.v = hex_bytes(line, &by.n);
	by.n -= WIRE_PREFIX_BYTES;
	memmove(by.v, by.v + WIRE_PREFIX_BYTES, by.n);
	return by;
}

/* Of a frame, its correlation id being what it is. */
static struct event *event_of(enum wire_api api, int16_t version, const struct bytes *frame, struct err *err)
{
	struct wire_reader rd;
	struct kanswer an = { .api = api, .version = version, .broker = 3, .is_all = true, .rd = &rd, .seen = { 7 }, .seen_wall = { 8 } };
	int32_t id;

	wire_reader_init(&rd, frame->v, frame->n, false);
	id = wire_get_i32(&rd, "correlation id");
	if (!wire_response_begin(&rd, frame->v, frame->n, api, version, id, err))
		return NULL;
	return kanswer_event(&an, err);
}

static struct event *event_of_file(const char *file, struct err *err)
{
	struct bytes frame = vector(file);
	struct event *ev;
	char name[40];
	int version;

	assert_int_equal(sscanf(file, "%39[A-Za-z]-v%d-", name, &version), 2);
	err_init(err);
	for (int api = 0; api < WIRE_APIS; api++) {
		if (strcmp(wire_api_get((enum wire_api)api)->name, name) != 0)
			continue;
		ev = event_of((enum wire_api)api, (int16_t)version, &frame, err);
		mem_free(&frame.v);
		return ev;
	}
	fail_msg("no API %s", name);
	return NULL;
}

/* An event of broker 3 at the time given. */
static struct event *good(const char *file, enum event_kind kind)
{
	struct err err;
	struct event *ev = event_of_file(file, &err);

	if (!ev)
		fail_msg("%s: %s", file, err.text);
	assert_int_equal(ev->kind, kind);
	assert_int_equal(ev->id, 3);
	assert_int_equal(ev->source, SOURCE_BROKERS);
	assert_int_equal(ev->epoch, 0);
	assert_int_equal(ev->seen.ms, 7);
	assert_int_equal(ev->seen_wall.ms, 8);
	return ev;
}

/* The event of a body by hand; NULL: err says why. */
static struct event *by_hand(enum wire_api api, int16_t version, const char *body, struct err *err)
{
	struct strbuf sb;
	struct bytes frame;
	struct event *ev;

	err_init(err);
	strbuf_init(&sb);
	strbuf_printf(&sb, "00000001%s%s", wire_api_is_flexible(api, version) ? "00" : "", body);
	frame.v = hex_bytes(sb.s, &frame.n);
	strbuf_fini(&sb);
	ev = event_of(api, version, &frame, err);
	mem_free(&frame.v);
	return ev;
}

/* ---- each API ------------------------------------------------------------------------- */

static void every_answer_that_kafka_writes_becomes_an_event_of_its_kind(void **state)
{
	static const struct { const char *start; enum event_kind kind; } kinds[] = {
		{ "Metadata-", EV_METADATA }, { "DescribeLogDirs-", EV_DISKS }, { "ListPartitionReassignments-", EV_REASSIGNING },
		{ "DescribeConfigs-", EV_BROKER_SETTINGS },
	};
	const char *top = getenv("top_srcdir");
	const struct dirent *entry;
	char path[512];
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/tests/wire/vectors", top ? top : ".");
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			struct event *ev;

			if (!str_starts(entry->d_name, kinds[i].start) || !str_casefind(entry->d_name, "-response-") ||
			    str_casefind(entry->d_name, "not-controller") ||
			    (kinds[i].kind == EV_BROKER_SETTINGS && str_casefind(entry->d_name, "empty")))
				continue;
			ev = good(entry->d_name, kinds[i].kind);
			event_free(&ev);
			n++;
		}
	if (dir)
		closedir(dir);
	assert_true(n >= 30);
}

static void metadata_comes_sorted_and_says_whether_it_is_about_all(void **state)
{
	struct event *ev = good("Metadata-v9-response-some.hex", EV_METADATA);
	const struct metadata *md = &ev->u.metadata->md;

	assert_true(ev->u.metadata->is_all);
	assert_true(md->n_topics > 1);
	for (uint32_t i = 1; i < md->n_topics; i++)
		assert_true(topic_name_cmp(md->topics[i - 1].name, md->topics[i].name) < 0);
	event_free(&ev);
}

static void log_dirs_come_sorted_with_their_sizes(void **state)
{
	struct event *ev = good("DescribeLogDirs-v4-response-some.hex", EV_DISKS);
	const struct disks *ds = ev->u.disks;
	const struct disk_replica *dr;

	assert_int_equal(ev->know, KNOW_PRESENT);
	assert_int_equal(ds->n_dirs, 2);
	assert_string_equal(ds->dirs[0].path, "/data/kafka/d1");
	assert_true(disk_dir_is_offline(&ds->dirs[1]));
	dr = disks_replica(ds, "orders", 0, false);
	assert_non_null(dr);
	assert_int_equal(dr->size_bytes, 1024);
	assert_non_null(disks_replica(ds, "t", 129, true));
	event_free(&ev);
}

static void log_dirs_that_we_may_not_see_say_which_right_is_missing(void **state)
{
	static const char *const files[] = { "DescribeLogDirs-v0-response-refused.hex", "DescribeLogDirs-v2-response-refused.hex",
					     "DescribeLogDirs-v3-response-refused.hex", "DescribeLogDirs-v4-response-refused.hex" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct event *ev = good(files[i], EV_DISKS);

		assert_int_equal(ev->know, KNOW_UNREADABLE);
		assert_string_equal(ev->why, "no permission: DescribeLogDirs needs DESCRIBE on the cluster; sizes and log dirs stay unknown, "
				    "all else works");
		event_free(&ev);
	}
}

static void another_error_of_log_dirs_is_told_as_it_is(void **state)
{
	struct err err;
	struct event *ev = by_hand(WIRE_DESCRIBE_LOG_DIRS, 3, "00000000 0038 01 00", &err);

	assert_non_null(ev);
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "DescribeLogDirs: KAFKA_STORAGE_ERROR (56): the log directory is offline: its disk failed");
	event_free(&ev);
}

static void reassignments_come_sorted(void **state)
{
	struct event *ev = good("ListPartitionReassignments-v0-response-some.hex", EV_REASSIGNING);
	const struct reassigning_list *l = &ev->u.reassigning;

	assert_true(l->n > 1);
	for (size_t i = 1; i < l->n; i++) {
		int by = topic_name_cmp(l->v[i - 1].topic, l->v[i].topic);

		assert_true(by < 0 || (by == 0 && l->v[i - 1].as.partition < l->v[i].as.partition));
	}
	event_free(&ev);
	ev = by_hand(WIRE_LIST_REASSIGNMENTS, 0, "00000000 0000 00 02 0262 03 00000001 02 00000005 02 00000005 01 00"
		     "00000000 01 01 01 00 00 00", &(struct err){ 0 });
	assert_non_null(ev);
	assert_int_equal(ev->u.reassigning.n, 2);
	assert_string_equal(ev->u.reassigning.v[1].topic, "b");
	assert_int_equal(ev->u.reassigning.v[1].as.partition, 1);
	assert_int_equal(ev->u.reassigning.v[1].as.adding.v[0], 5);
	assert_int_equal(ev->u.reassigning.v[1].as.removing.n, 0);
	event_free(&ev);
}

static void another_broker_than_the_controller_gives_no_event(void **state)
{
	struct err err;

	assert_null(event_of_file("ListPartitionReassignments-v0-response-not-controller.hex", &err));
	assert_int_equal(err.code, ERR_NOT_FOUND);
	assert_string_equal(err.text, "broker 3 is not the controller");
}

/* v1: one resource, broker 3, with two settings that kafops looks at (one null), one that it does not and one that is sensitive. */
#define CONFIGS_HEAD "00000000 00000001 "
#define RESOURCE "04 0001 33 "
#define NUM_PARTITIONS "000e 6e756d2e706172746974696f6e73 "
#define LOG_DIR "0007 6c6f672e646972 "

static void settings_are_those_that_kafops_looks_at_and_have_a_value(void **state)
{
	struct err err;
	struct event *ev = by_hand(WIRE_DESCRIBE_CONFIGS, 1, CONFIGS_HEAD "0000 ffff " RESOURCE "00000004"
		NUM_PARTITIONS "0001 38 01 04 00 00000000"
		LOG_DIR "ffff 01 05 00 00000000"
		"0001 78 0001 79 01 04 00 00000000"
		"0008 6c6f672e64697273 0001 2f 01 04 00 00000000", &err);

	if (!ev)
		fail_msg("%s", err.text);
	assert_int_equal(ev->know, KNOW_PRESENT);
	assert_int_equal(ev->u.config.n, 2);
	assert_string_equal(ev->u.config.v[0].key, "log.dirs");
	assert_string_equal(zk_config_find(&ev->u.config, "num.partitions"), "8");
	assert_null(zk_config_find(&ev->u.config, "log.dir"));
	event_free(&ev);
}

static void settings_that_we_may_not_see_say_which_right_is_missing(void **state)
{
	struct err err;
	struct event *ev = by_hand(WIRE_DESCRIBE_CONFIGS, 1, CONFIGS_HEAD "001f ffff " RESOURCE "00000000", &err);

	assert_non_null(ev);
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "no permission: DescribeConfigs needs DESCRIBE_CONFIGS on the cluster; settings in force on brokers stay "
			    "unknown, all else works");
	event_free(&ev);
}

static void an_answer_about_no_broker_is_broken(void **state)
{
	struct err err;

	assert_null(event_of_file("DescribeConfigs-v1-response-empty.hex", &err));
	assert_int_equal(err.code, ERR_FORMAT);
}

static void the_table_of_settings_is_sorted(void **state)
{
	for (size_t i = 1; i < kanswer_n_settings; i++)
		assert_true(strcmp(kanswer_settings[i - 1], kanswer_settings[i]) < 0);
}

static void what_an_old_broker_does_not_offer_is_absent_or_says_why(void **state)
{
	struct event *ev = kanswer_unsupported(WIRE_LIST_REASSIGNMENTS, 3, "too old", (mono_ms){ 7 }, (wall_ms){ 8 });

	assert_int_equal(ev->kind, EV_REASSIGNING);
	assert_int_equal(ev->know, KNOW_ABSENT);
	event_free(&ev);
	ev = kanswer_unsupported(WIRE_DESCRIBE_LOG_DIRS, 3, "too old", (mono_ms){ 7 }, (wall_ms){ 8 });
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "too old");
	event_free(&ev);
}

/* ---- broken ones ------------------------------------------------------------------------------ */

static void an_answer_cut_anywhere_is_an_error(void **state)
{
	static const struct { const char *file; enum wire_api api; int16_t version; } cases[] = {
		{ "Metadata-v12-response-some.hex", WIRE_METADATA, 12 },
		{ "DescribeLogDirs-v1-response-some.hex", WIRE_DESCRIBE_LOG_DIRS, 1 },
		{ "ListPartitionReassignments-v0-response-some.hex", WIRE_LIST_REASSIGNMENTS, 0 },
		{ "DescribeConfigs-v4-response-some.hex", WIRE_DESCRIBE_CONFIGS, 4 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes frame = vector(cases[i].file);

		for (size_t whole = frame.n, n = 4; n < whole; n++) {
			struct err err;

			err_init(&err);
			frame.n = n;
			assert_null(event_of(cases[i].api, cases[i].version, &frame, &err));
			assert_int_not_equal(err.code, ERR_NONE);
		}
		mem_free(&frame.v);
	}
}

static dur_ms throttle_of(enum wire_api api, int16_t version, const char *body)
{
	struct wire_reader rd;
	struct kanswer an = { .api = api, .version = version, .broker = 3, .rd = &rd };
	size_t n;
	uint8_t *v = hex_bytes(body, &n);
	dur_ms d;

	wire_reader_init(&rd, v, n, false);
	d = kanswer_throttle(&an);
	assert_int_equal(rd.at, 0);
	mem_free(&v);
	return d;
}

/* Before, the broker itself waits and says for how long it has. */
static void silence_is_wanted_from_kafka_2_0_on(void **state)
{
	assert_int_equal(throttle_of(WIRE_METADATA, 5, "000001f400"), 0);
	assert_int_equal(throttle_of(WIRE_METADATA, 6, "000001f400"), 500);
	assert_int_equal(throttle_of(WIRE_DESCRIBE_LOG_DIRS, 0, "000001f4"), 0);
	assert_int_equal(throttle_of(WIRE_DESCRIBE_LOG_DIRS, 1, "000001f4"), 500);
	assert_int_equal(throttle_of(WIRE_DESCRIBE_CONFIGS, 2, "000001f4"), 500);
	assert_int_equal(throttle_of(WIRE_LIST_REASSIGNMENTS, 0, "000001f4"), 500);
	assert_int_equal(throttle_of(WIRE_LIST_REASSIGNMENTS, 0, "fffffff4"), 0);
	assert_int_equal(throttle_of(WIRE_LIST_REASSIGNMENTS, 0, "0001f4"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silence_is_wanted_from_kafka_2_0_on),
		cmocka_unit_test(every_answer_that_kafka_writes_becomes_an_event_of_its_kind),
		cmocka_unit_test(metadata_comes_sorted_and_says_whether_it_is_about_all),
		cmocka_unit_test(log_dirs_come_sorted_with_their_sizes),
		cmocka_unit_test(log_dirs_that_we_may_not_see_say_which_right_is_missing),
		cmocka_unit_test(another_error_of_log_dirs_is_told_as_it_is),
		cmocka_unit_test(reassignments_come_sorted),
		cmocka_unit_test(another_broker_than_the_controller_gives_no_event),
		cmocka_unit_test(settings_are_those_that_kafops_looks_at_and_have_a_value),
		cmocka_unit_test(settings_that_we_may_not_see_say_which_right_is_missing),
		cmocka_unit_test(an_answer_about_no_broker_is_broken),
		cmocka_unit_test(the_table_of_settings_is_sorted),
		cmocka_unit_test(what_an_old_broker_does_not_offer_is_absent_or_says_why),
		cmocka_unit_test(an_answer_cut_anywhere_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
